"""Facts that rows say: of infoboxes, whose rows are about the page, and of tables, whose rows name what they are about.

>>> [(column, value) for _, column, value in cells("Light | Shore\\nCold Candle | Lower Veldra")]
[('Shore', 'Lower Veldra')]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.things import whole_value
from retriever.synthesis.grammar.labels import LABELS, dated, predicate_of
from retriever.synthesis.grammar.nouns import is_count, is_event_noun, singular
from retriever.synthesis.grammar.units import unit_of, with_unit
from retriever.synthesis.grammar.verbs import AUXILIARIES, is_participle, tense
from weft.text.names import relation_words

CONTEXTUAL = frozenset(
    """percentage growth decline change since vibe rating source caption image total best start finish status laps
    points qualification membership term side members' wins poles land
    water home away""".split()
)
"""Words of rows that need the table or the day that they stand for."""

LONGEST_VALUE = 50
CLEAN = re.compile(r"\s*(?:\[[^\]]*\]|\([^()]*\))\s*")
CONVERTED = re.compile(r"^([^()]+?)\s*\([^()]*\d[^()]*\)$")
DATED = frozenset(("was released in", "was published in", "was founded in", "was established in", "was opened in",
                   "was chartered in", "was developed in", "was completed in", "was invented in"))  # fmt: skip
COLUMNS = frozenset(
    """population area mayor governor capital county country district state province region city town location party
    language genre label director writer author artist composer producer publisher developer designer architect
    architecture engineer builder owner operator height length elevation depth width capacity beds rooms seats
    nationality club team league stadium coach manager captain position college school university religion
    currency parliament president leader opened built completed closed established disestablished founded released
    published launched commissioned decommissioned ordered laid introduced discovered invented abolished destroyed
    born died champion winner sponsor network channel album song film book novel title role character spouse
    father mother successor predecessor headquarters airport river lake mountain island bridge keeper shore range
    colour color material species family genus habitat origin manufacturer engine class type industry occupation
    profession employer instrument premiere""".split()
)
"""Last words of columns that say something of their row by themselves; others need the rest of the table."""

TOLD = frozenset(LABELS.values())
APPROXIMATE = re.compile(r"(?:(?:about|around|over|nearly|almost|some|c\.|ca\.)\s)?[\d,.]*\d(?=\s|$)", re.I)
CLAUSE = re.compile(r"(?:since|until|till|from|before|after|between|during|by|in|on|at|see)\s")
CARDS = frozenset(("fact", "facts", "property", "field", "key", "attribute", "label", "parameter", "at a glance"))
"""Headers of labels, whose values are of what the page is about."""

WORDS = re.compile(r"[^\W\d_]+(?:[ /-][^\W\d_]+){0,3}")
DATED_PLACE = re.compile(r"^(\d{1,2} \w+ \d{3,4}|\w+ \d{1,2}, \d{4}|[12]\d{3}),\s*(?=[A-Z])")

KEYED = frozenset(
    """price fee cost charge deposit fine wage salary temperature pressure weight volume voltage power duration period
    deadline frequency interval dose address maximum minimum limit time shrinkage thickness speed density
    concentration lifetime warranty teacher keeper capacity height length width depth area colour color material
    manufacturer range""".split()
)
"""Last words of columns that say something of a row by its key, as of a tool in a table of tools."""

NO_KEYS = frozenset(
    """size day days month year date time week hour type kind level class category group step number no rank key value
    status name names age range quantity amount item id part term word phase stage season question answer
    meaning description example code unit column row field result score grade title note position order place season
    edition round match game episode event artist award song album player team""".split()
)
"""Last words of columns whose cells are no things by themselves, or not without the rest of the table."""

SAYING_NOTHING = frozenset("yes no none n/a varies various same any all optional required free tba tbd see".split())
MOST_IN_A_KEY, MOST_IN_A_VALUE = 5, 4
"""Words of a row's key, and of what is asked for by it: longer ones are clauses."""


def is_card(text: str, names: Sequence[str]) -> bool:
    """Tell whether a table has two columns that are labels and values, as an infobox has, by what its header says.

    >>> is_card("Fact | Value\\nCrew | 61", ("Margin",)), is_card("Margin\\nCrew | 61", ("Margin",))
    (True, True)
    >>> is_card("Light | Shore\\nOld Aunt | Lower Fen", ("Margin",))
    False
    """
    header, *rows = [[cell.strip() for cell in line.split(" | ")] for line in text.split("\n")]
    told = header[0] in names or header[0].lower() in CARDS
    values = [cell.lower() for cell in header[1:]] in ([], [""], ["value"], ["values"], ["details"])
    return told and values and bool(rows) and all(len(row) == 2 for row in rows)


def infobox_facts(chunk: int, text: str, own: int) -> Iterator[Fact]:
    """Yield what the rows `key | value` of an infobox say of its page."""
    for line in text.split("\n"):
        key, bar, value = line.partition(" | ")
        if not bar or "|" in value:
            continue
        subject = Thing("entity", "", own)
        if is_name(key.strip()):
            continue
        value = with_unit(CLEAN.sub(" ", value).strip(" ,"), unit_of(key))
        for label, thing in values_of(CLEAN.sub(" ", key).strip(), value):
            predicate = dated(predicate_of(label), label, counted_kind(thing))
            if CONTEXTUAL & set(predicate.words.split()):
                continue
            if predicate.words and is_fit(predicate.words, thing):
                yield Fact(subject, predicate, thing, chunk)


def counted_kind(thing: Thing) -> str:
    """Return a thing's kind; what begins with a number is one to its label: `38 keepers` are no single participant."""
    return "number" if thing.kind == "name" and APPROXIMATE.match(thing.text) else thing.kind


def is_name(key: str) -> bool:
    """Tell whether the key of a row looks like a name, as in a season's table of opponents.

    >>> [is_name(key) for key in ("South Carolina", "#9 Auburn", "Birth place", "birthPlace", "Area")]
    [True, True, False, False, False]
    """
    words = key.split()
    return bool(re.search(r"#|\b\d", key)) or (len(words) > 1 and all(word[:1].isupper() for word in words))


def is_plain(value: str) -> bool:
    """Tell whether a value is one and short, no list."""
    return 1 < len(value) <= LONGEST_VALUE and not re.search(r"[,;•|]", re.sub(r"\d,\d|\w+ \d+, \d{4}", "", value))


def without_conversion(value: str) -> str:
    """Return a quantity without what it is in other units.

    >>> without_conversion("1,211 ft (369 m)"), without_conversion("Dark River (1990)")
    ('1,211 ft', 'Dark River (1990)')
    """
    return CONVERTED.sub(r"\1", value) if value[:1].isdigit() else value


def is_fit(words: str, thing: Thing) -> bool:
    """Tell whether a value can stand behind a predicate: on a day, or when something was published, is a date."""
    if words.startswith("number of "):
        return thing.kind == "number"
    if SAYING_NOTHING & {thing.text.lower()} or (thing.kind == "name" and CLAUSE.match(thing.text)):
        return False
    if " " not in words and words not in TOLD and tense(words) == "past" and thing.kind != "entity":
        return False  # Of "Restored | 2003–2006" the object is no thing that was restored.
    return thing.kind in ("date", "year") or not (words.endswith(" on") or words in DATED)


def values_of(key: str, value: str) -> Iterator[tuple[str, Thing]]:
    """Yield labels and the values that an infobox's row gives them; one of Born may be a date and a place."""
    dated = DATED_PLACE.match(value)
    low = key.lower()
    if low in ("born", "died") and dated:
        place = value[dated.end() :].split(",")[0].strip()
        yield f"{'birth' if low == 'born' else 'death'} place", Thing("name", place)
        value = dated[1]
    if not is_plain(value):
        return
    thing = whole_value(value)
    if low in ("born", "died"):
        low = f"{'birth' if low == 'born' else 'death'} {'year' if thing.kind == 'year' else 'date'}"
        if thing.kind not in ("date", "year"):
            return
    if WORDS.fullmatch(key):
        yield low, thing


def cells(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (row name, column, value) of a table in text: its header has a name for every column, its rows as many.

    A caption may stand above the header.
    """
    table = _table(text)
    for line in table[1:]:
        name = line[0].strip()
        yield from ((name, column, value.strip()) for column, value in zip(table[0][1:], line[1:], strict=True))


def _table(text: str) -> list[list[str]]:
    """Return the header of a table in text and its rows of as many cells; nothing where it has no plain header."""
    lines = [line.split(" | ") for line in text.split("\n")]
    head = next((index for index, line in enumerate(lines[:2]) if len(line) > 1), None)
    header = [] if head is None else [each.strip() for each in lines[head]]
    if head is None or not all(WORDS.match(each) for each in header) or len(set(header)) < len(header):
        return [[]]
    return [header, *(line for line in lines[head + 1 :] if len(line) == len(header))]


def table_facts(chunk: int, text: str, links: list[tuple[int, int, int]]) -> Iterator[Fact]:
    """Yield what a table says of the rows that begin with a link: its words are the row's name."""
    named = {text[start:end]: entity for start, end, entity in links}
    headings = {text[start:end] for start, end, _ in links if start < text.find("\n")}
    for name, column, value in cells(text):
        if column in headings and column.istitle():
            continue
        label = CLEAN.sub(" ", column).strip()
        value = CLEAN.sub(" ", value).strip()
        if name not in named or not WORDS.fullmatch(label) or label.split()[0].lower() in AUXILIARIES:
            continue
        if label.lower() in ("date", "place") and not is_event_noun(_key_noun(text.split(" | ")[0].split("\n")[-1])):
            continue
        if label.lower().split()[-1] not in COLUMNS and relation_words(label) not in LABELS:
            continue
        if not is_plain(value) or not any(letter.isalnum() for letter in value):
            continue
        thing = whole_value(with_unit(value, unit_of(column)))
        thing = Thing("entity", value, named[value]) if value in named and thing.kind == "name" else thing
        predicate = dated(predicate_of(label.lower()), label.lower(), counted_kind(thing))
        if len(label) > 3 and predicate.words and is_fit(predicate.words, thing):
            yield Fact(Thing("entity", name, named[name]), predicate, thing, chunk)


def keyed_facts(chunk: int, text: str, links: list[tuple[int, int, int]]) -> Iterator[Fact]:
    """Yield what a table says of rows that begin with no link, each called by its key and the first column's noun.

    >>> [(fact.subject.text, fact.object.text) for fact in keyed_facts(1, "Tool | Price\\nWire cutter | 2 euros", [])]
    [('the tool “Wire cutter”', '2 euros')]
    """
    header, *rows = _table(text)
    noun = _key_noun(header[0]) if header else ""
    counts = Counter(row[0].strip().casefold() for row in rows)
    linked = {text[start:end] for start, end, _ in links}
    for name, column, value in cells(text) if noun else ():
        label, thing = column.lower(), whole_value(value)
        is_key = counts[name.casefold()] == 1 and name not in linked and _is_key(name)
        if not is_key or not _is_telling(column, value, thing):
            continue
        predicate = dated(predicate_of(label), label, thing.kind)
        if predicate.words and is_fit(predicate.words, thing):
            yield Fact(Thing("phrase", _row_called(noun, name)), predicate, thing, chunk)


def _key_noun(column: str) -> str:
    """Return the noun of the things that a table's first column names, nothing where it names none."""
    noun = column.lower()
    noun = singular(noun) if is_count(noun) else noun
    words = noun.split()
    plain = noun.replace(" ", "").isalpha() and len(words) < 3 and not is_participle(words[-1])
    return noun if plain and words[-1] not in NO_KEYS and len(words[-1]) > 2 else ""


def _is_key(name: str) -> bool:
    """Tell whether a cell names a thing: some words, no value, date or list."""
    is_named = name[:1].isalpha() and is_plain(name) and len(name.split()) <= MOST_IN_A_KEY
    return is_named and whole_value(name).kind == "name" and not re.search(r"[\[\](){}<>\"“”/]", name)


def _is_telling(column: str, value: str, thing: Thing) -> bool:
    """Tell whether a column and a value under it can be asked for by the row's key."""
    label = column.lower()
    if not WORDS.fullmatch(column) or label.split()[0] in AUXILIARIES:
        return False
    is_counted = label.startswith("number of ") and thing.kind == "number"
    if not is_counted and (label.split()[-1] not in KEYED or is_count(label)):
        return False
    plain = is_plain(value) and any(letter.isalnum() for letter in value) and not re.search(r"[\[\]()]|: ", value)
    return plain and len(value.split()) <= MOST_IN_A_VALUE and not SAYING_NOTHING & set(value.lower().split())


def _row_called(noun: str, name: str) -> str:
    """Return how a question calls a row: `the Small kiln` of a table of kilns, else `the tool “Wire cutter”`."""
    is_said = name.lower().endswith(f" {noun}")
    return f"the {name}" if is_said else f"the {noun} “{name}”"
