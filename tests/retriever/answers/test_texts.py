"""What texts offer as answers: forms, dates, kinds, and how alike two answers are."""

from __future__ import annotations

import pytest

from retriever.answers.text.countries import countries_in
from retriever.answers.text.dates import amounts_in, dates_in, life_of
from retriever.answers.text.forms import forms_in
from retriever.answers.text.kind_asked import kind_of
from retriever.answers.text.kinds import kind_of_text, roles_in
from retriever.answers.text.lexicon.hypernyms import is_a, is_person, measured, noun_of, senses_of
from retriever.answers.text.lexicon.meanings import RELATED, UNLIKE_SAME, alike, meant, told_for, vectors_of
from retriever.answers.text.likeness import is_match, normalised, rouge_l, token_f1
from retriever.answers.text.literals import kinds_of_literal, literals_asked, literals_in
from retriever.answers.text.looks import looks_of
from retriever.answers.text.measures import (
    dimension_asked,
    dimension_told,
    is_size,
    is_way,
    measures_asked,
    measures_behind,
    measures_of,
)
from retriever.answers.text.words import stem_of


@pytest.mark.parametrize(
    ("text", "answer", "form"),
    [
        ("It opened in May 1221.", "May 1221", "date"),
        ("It opened on 30 September 1207.", "30 September 1207", "date"),
        ("It opened in 1207.", "1207", "year"),
        ("Minutes of 2026-10-08, taken by hand.", "2026-10-08", "date"),
        ("Backups start at 02:30 every night.", "02:30", "date"),
        ("We meet on Tuesdays at 7 pm in the hall.", "Tuesdays at 7 pm", "date"),
        ("The ferry leaves at noon.", "noon", "date"),
        ("It is held on the second Saturday of March and ends at dusk.", "the second Saturday of March", "date"),
        ("The eggs are laid in May by the hen.", "May", "date"),
        ("Own car: 42p per mile, 25p after that.", "42p per mile", "number"),
        ("A message has at most 8k, by default.", "8k", "number"),
        ("It has a 2.1MWh battery.", "2.1MWh", "number"),
        ("Drums and trumpets one hour.", "one hour", "number"),
        ("It took one and a half hours.", "one and a half hours", "number"),
        ("It was open 18 April 2019 to 25 April 2019.", "18 April 2019 to 25 April 2019", "date"),
        ("It was heard two and a half minutes later.", "two and a half minutes", "number"),
        ("It is given every other year to a member.", "every other year", "number"),
        ("Visit in the last week of May.", "the last week of May", "date"),
        ("If so, leave by the nearest exit – the windsock shows where.", "leave by the nearest exit", "clause"),
        ("He was turned down on account of being too tall.", "being too tall", "clause"),
        ("Then send a text to a keyholder.", "send a text to a keyholder", "clause"),
        ("It was moved from 18 April to 25 April.", "18 April to 25 April", "date"),
        ("It is shut 6–24 January for repairs.", "6–24 January", "date"),
        ("It is shut May 3-9, 2019 for repairs.", "May 3-9, 2019", "date"),
        ("It was shut in the spring of 1803.", "spring of 1803", "date"),
        ("Three to four eggs are laid.", "Three to four", "number"),
        ("In 1926, 12 men left.", "12", "number"),
        ("It cost 1 200 000 crowns.", "1 200 000 crowns", "number"),
        ("In 1926 Ada Orr left.", "Ada Orr", "name"),
        ("She played the zither badly and often.", "zither", "phrase"),
        ("The span is 71 cubic metres wide.", "71 cubic metres", "number"),
        ("There are thirty-one songs.", "thirty-one", "number"),
        ("It was built by Orrin Tasker of Ghasmont.", "Orrin Tasker", "name"),
        ("She lives in Burbank, California now.", "Burbank, California", "name"),
        ("The pool is called Vauss's Ear.", "Vauss's Ear", "name"),
        ("Chandlers' Bridge | 1221", "Chandlers' Bridge", "name"),
        ("Sill | 88.4 | since 1251 | Radio Weir 88.4", "Radio Weir 88.4", "name"),
        ("He married Anna, Duchess of Orse, there.", "Anna, Duchess of Orse", "name"),
        ('Her tract "of plain darkness" sold well.', "of plain darkness", "quoted"),
        ("It fell into a barrel of brine.", "barrel of brine", "phrase"),
        ("The stakes are renewed every seven years.", "every seven years", "number"),
        ("The street floods one year in six.", "one year in six", "number"),
        ("Tolls are parted three to two.", "three to two", "number"),
        ("Ada Orr\nOccupation | painter, engraver of maps", "engraver of maps", "value"),
        ("The log is /var/log/tern.log here.", "/var/log/tern.log", "literal"),
        ("Pass --no-index to leave it out.", "--no-index", "literal"),
        ("The mode is 'strict' by default.", "strict", "literal"),
        ("It was shut because the piers had sunk in mud.", "piers had sunk in mud", "clause"),
        ("It is raised by turning the two cranks of the hoist.", "turning the two cranks of the hoist", "clause"),
        ("The crew is a pilot, two deck hands, and a cook.", "pilot, two deck hands, and a cook", "clause"),
    ],
)
def test_what_could_answer_is_found(text: str, answer: str, form: str) -> None:
    found = {(text[each.start : each.end], each.form) for each in forms_in(text)}
    assert (answer, form) in found


def test_names_end_with_their_sentence_and_line() -> None:
    for text in ("In Ostrevane. The end", "3\nSettlements"):
        found = [text[each.start : each.end] for each in forms_in(text)]
        assert not any("\n" in each or ". " in each for each in found)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It weighs 2.6 tonnes and floats.", ["2.6", "2.6 tonnes"]),
        ("A line of forty-one metres showing it.", ["forty-one", "forty-one metres"]),
        ("It is 26 kilometres of its length.", ["26", "26 kilometres"]),
        ("It flew at 30 km/s there.", ["30", "30 km/s"]),
        ("It is six metres long.", ["six", "six metres", "six metres long"]),
        ("There are three pages of notes.", ["three", "three pages", "three pages of notes"]),
        ("You have 27 days a year.", ["27", "27 days", "27 days a year"]),
        ("It took a year.", ["a year"]),
        ("A fine of 2.3 million euros was paid.", ["2.3 million", "2.3 million euros"]),
        ("A crew of two hundred and fifty men.", ["two hundred and fifty", "two hundred and fifty men"]),
        ("Bake it 2½ hours.", ["2½", "2½ hours"]),
    ],
)
def test_a_number_ends_with_its_unit(text: str, numbers: list[str]) -> None:
    assert [text[each.start : each.end] for each in forms_in(text) if each.form == "number"] == numbers


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Three to four eggs are laid.", "four eggs"),
        ("Three to four eggs are laid.", "Three"),
        ("It cost 1 200 000 crowns.", "200"),
        ("In 1926 she left.", "In 1926"),
        ("In 1926, 12 men left.", "1926, 12"),
    ],
)
def test_no_part_of_a_number_and_no_word_before_it_is_an_answer(text: str, cut: str) -> None:
    assert cut not in {text[each.start : each.end] for each in forms_in(text) if each.form != "clause"}


@pytest.mark.parametrize("unit", ["1,", "1.", "May ", "of May ", "two or ", "Ada's "])
def test_long_runs_are_read_in_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "\nIt has seven lamps."
    assert "seven lamps" in {text[each.start : each.end] for each in forms_in(text)}


def test_both_ends_of_a_change_are_numbers() -> None:
    text = "It grew from 12 to 15 rooms."
    assert {"12", "15"} <= {text[each.start : each.end] for each in forms_in(text)}


def test_a_number_is_not_cut_before_its_scale() -> None:
    text = "The dam cost $3.2 million in all."
    numbers = [text[each.start : each.end] for each in forms_in(text) if each.form == "number"]
    assert "$3.2 million" in numbers and "$3.2" not in numbers


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("Run tern -v --log-level, see ~/.ternrc or $TERN/rc.", ["-v", "--log-level", "~/.ternrc", "$TERN/rc"]),
        ("Set TERN_PORT in tern.conf; tern.net.Port() reads it.", ["TERN_PORT", "tern.conf", "tern.net.Port()"]),
        ("Write to tern@example.org (https://example.org/a?b=1).", ["tern@example.org", "https://example.org/a?b=1"]),
        ("A singer and/or painter, e.g. J. R. Orr of the U.S. Navy, b. 23/04/1910 at 3 km/h.", []),
        ("The end.The start of well-known half-hours.", []),
        ("Remove chunks.archive.d; it is made anew.", ["chunks.archive.d"]),
        ("Frame KX-20871, policy HN-4471-B; the B-52 of 1990-2000.", ["KX-20871", "HN-4471-B"]),
    ],
)
def test_literals_are_whole(text: str, literals: list[str]) -> None:
    assert [text[start:end] for start, end in literals_in(text)] == literals


def test_nothing_is_a_part_of_a_literal() -> None:
    text = "The cache lies below /var/cache/tern/2019-05.d, by TERN_CACHE or --cache-folder of tern.cache.Folder."
    within = [(start, end) for start, end in literals_in(text)]
    for each in forms_in(text):
        for start, end in within:
            assert each.start <= start or each.start >= end, text[each.start : each.end]
            assert each.end <= start or each.end >= end, text[each.start : each.end]


@pytest.mark.parametrize(
    ("question", "literal", "other"),
    [
        ("Which option keeps the log?", "--keep-log", "/var/log/tern"),
        ("Where does tern store its cache?", "/var/cache/tern", "--cache"),
        ("Which file lists the ports?", "ports.conf", "TERN_PORTS"),
        ("What is the name of the environment variable for the port?", "TERN_PORT", "tern.conf/port"),
        ("Which setting turns it off?", "tern_strict", "/etc/tern"),
    ],
)
def test_a_literal_is_of_the_kind_that_is_asked_for(question: str, literal: str, other: str) -> None:
    assert literals_asked(question) & kinds_of_literal(literal)
    assert not literals_asked(question) & kinds_of_literal(other)


def test_no_literal_is_asked_for_by_plain_questions() -> None:
    for question in ("Which river does it cross?", "Where was the painter born?", "What is the name of the song?"):
        assert not literals_asked(question)


def test_a_scale_or_a_ratio_is_no_time() -> None:
    text = "Drawn at 1:180, mixed 3:1, it weighs 10.30 kg and holds 12:345."
    assert not [each for each in forms_in(text) if each.form == "date"]


def test_a_part_of_a_date_is_no_number() -> None:
    text = "On 12 May 1207 it rained."
    assert {text[each.start : each.end] for each in forms_in(text) if each.form == "number"} == set()


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("How tall is the tower?", "72 metres", "nine years"),
        ("How long did it take?", "nine years", "$40"),
        ("How long is the bridge?", "386 m", "every day"),
        ("What wind speed was read?", "214 kilometres an hour", "2,406 metres"),
        ("How often is it painted?", "every seven years", "seven metres"),
        ("How often does it flood?", "one year in six", "six metres"),
        ("What share do they keep?", "one sack in ninety", "ninety tonnes"),
        ("How much did it cost?", "£5 million", "5 acres"),
        ("How many seats are there?", "1,140 seats", "72 metres"),
    ],
)
def test_a_number_measures_what_is_asked_for(question: str, answer: str, other: str) -> None:
    asked = measures_asked(question)
    assert measures_of(answer) & asked
    assert not measures_of(other) & asked


@pytest.mark.parametrize(
    ("question", "text", "number"),
    [
        ("How tall is it?", "It is 72 metres high.", "72 metres"),
        ("At what height does it stand?", "It has a height of about 72 metres.", "72 metres"),
        ("How wide is it?", "The door, 3 m (10 ft) wide, is shut.", "3 m"),
        ("How old is it?", "A hut six years old.", "six years old"),
        ("How long is it?", "Total length: 386 m", "386 m"),
    ],
)
def test_a_number_is_of_the_dimension_that_is_told(question: str, text: str, number: str) -> None:
    start = text.index(number)
    assert dimension_told(text, start, start + len(number)) == dimension_asked(question) != ""


def test_a_size_is_no_way() -> None:
    assert dimension_asked("How far is it?") != dimension_asked("How long is it?")
    assert not dimension_asked("How long did it take?")
    assert is_way("14.5 km") and is_way("nine miles") and not is_way("72 metres") and not is_way("30 km/h")
    assert is_size("72 metres") and not is_size("14.5 km")


@pytest.mark.parametrize(
    ("text", "number", "measures"),
    [
        ("lamps in 19 towns south of it", "19", {"count"}),
        ("another 230 in Orse", "230", {"count"}),
        ("it took 12 s", "12", {"time"}),
        ("it took 12, some say", "12", set()),
        ("it rose by 12% a year", "12", {"share"}),
    ],
)
def test_a_number_measures_what_the_word_right_behind_it_says(text: str, number: str, measures: set[str]) -> None:
    assert measures_behind(text, text.index(number) + len(number)) == measures


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("How many years did it last?", {"time"}),
        ("How many locks are there?", {"count"}),
        ("How much faster is it?", set()),
        ("How much rain falls there?", {"length", "mass", "money", "share", "volume"}),
        ("How much does a crossing cost?", {"money"}),
        ("How much does the bell weigh?", {"mass"}),
        ("How long did she need to cross it?", {"time"}),
        ("How long ago was it dug?", {"time"}),
        ("How long is it?", {"length", "time"}),
        ("How long does the canal measure?", {"length", "time"}),
        ("time it takes to cross the strait", {"time"}),
        ("How much time is needed to climb it?", {"time"}),
        ("When did the trial take place?", set()),
        ("What is the surface area of the lake?", {"area"}),
        ("distance of the isle from the coast", {"length"}),
        ("How much water does it hold?", {"area", "energy", "length", "mass", "money", "share", "volume"}),
        ("What did it finally cost to mend the dam?", {"money"}),
        ("What did the mistake cost him?", set()),
        ("How much money was she given back?", {"money"}),
        ("What surplus did the treasurer report?", {"money"}),
        ("What is the fare to the quay?", {"money"}),
        ("Above what amount must two of them sign?", {"area", "energy", "length", "mass", "money", "share", "volume"}),
    ],
)
def test_what_a_question_with_how_asks_to_be_measured(question: str, measures: set[str]) -> None:
    assert measures_asked(question) == measures


def test_nouns_are_kinds_of_things() -> None:
    assert is_a("limestone", senses_of("rock")) and is_a("Monks", senses_of("person"))
    assert not is_a("salt", senses_of("person")) and not is_a("zzzz", senses_of("person"))
    assert is_person("historian") and not is_person("bridge")
    assert not senses_of("zzzz")


@pytest.mark.parametrize(
    ("text", "noun"),
    [("the monks of Sill", "monks"), ("Burbank, California", "burbank"), ("Sill limestone", "limestone"), ("12", "12")],
)
def test_the_noun_of_a_run_of_words(text: str, noun: str) -> None:
    assert noun_of(text) == noun


def test_what_is_told_in_numbers() -> None:
    assert measured(("price",)) and measured(("release", "year")) and measured(("zzzz",))
    assert not measured(("bridge",))


def test_a_bare_number_measures_nothing() -> None:
    assert measures_of("thirty-one") == measures_of("1,140") == frozenset()


def test_texts_may_say_another_word_than_is_asked() -> None:
    assert stem_of("spouse") in told_for(stem_of("wife"))
    assert stem_of("high") in told_for(stem_of("tall"))
    assert told_for(stem_of("barometer")) == ()


def test_words_of_like_meaning() -> None:
    stems = [stem_of(word) for word in ("spouse", "climb", "ondrel")]
    likely = alike(vectors_of(stems), vectors_of([stem_of(word) for word in ("husband", "ascent", "harbour")]))
    assert likely.shape == (3, 3)
    assert likely[0, 0] > 0.6 and likely[1, 1] > 0.6
    assert likely[0, 2] < 0.3 and likely[1, 0] < 0.3
    assert not likely[2].any(), "a word that is not known is like no other"
    assert likely.max() <= UNLIKE_SAME


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who is David's mother?", "person"),
        ("When was it opened?", "time"),
        ("What is the place of birth of the director?", "place"),
        ("What nationality is the director?", "country"),
        ("how deep is the lake", "number"),
        ("over what distance is it the border", "number"),
        ("What wind speed did the hut record?", "number"),
        ("Within what time did they answer?", "number"),
        ("Why was it closed?", "manner"),
        ("Which film won?", "thing"),
        ("Who chooses the ruler of the country where it was recorded?", "person"),
        ("How many inhabitants has the place of birth of the naturalist?", "number"),
        ("What is the smallest flow ever measured?", "number"),
        ("first catalogue year", "time"),
        ("Lake the Small Orse runs into", "place"),
        ("wife of the keeper", "person"),
        ("Which Orse historian doubted it?", "person"),
        ("share of the islanders who rent", "number"),
        ("town whose gate burnt", "place"),
        ("time taken by the comet to return", "number"),
        ("At what time does the race take place?", "time"),
        ("What is the land area of the island?", "number"),
        ("Which area of the town burnt?", "place"),
        ("What did the singer die of?", "manner"),
        ("cause of death of the singer", "manner"),
        ("When did the man die who died of fever?", "time"),
        ("What is the melting point of tin?", "number"),
        ("What is the meeting point of the guild?", "thing"),
        ("What killed the keeper's husband?", "thing"),
        ("visiting hours lung ward", "time"),
        ("adult subscription from january", "thing"),
        ("head coach of the otters", "person"),
        ("How did the keeper die?", "manner"),
        ("how soon must it be reported", "number"),
        ("on which night does it ring", "time"),
        ("which night nurse found the body", "person"),
        ("which morning paper printed it", "thing"),
        ("What is the day job of the keeper?", "thing"),
        ("What keeps the bees away?", "thing"),
        ("Which bridges did he build?", "thing"),
        ("What does a bag cost?", "number"),
    ],
)
def test_the_kind_of_answer_asked_for(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("Which river does it cross?", "river"),
        ("What is the highest point of the island?", "highest point"),
        ("What is the name of the pool called after him?", "pool"),
        ("What kind of stone is it made of?", "stone"),
        ("Which kinds of bracket are allowed?", "bracket"),
        ("With what soluble material were they sunk?", "soluble material"),
        ("Which Orse historian doubted it?", "historian doubted"),
        ("share of the islanders who rent", "share"),
        ("Title of the essay on locks", "essay"),
        ("Organization that keeps the gate", "organization"),
        ("name of the dog that swam home", "dog"),
        ("Tell me what she left", ""),
        ("what poisoned the shellfish", ""),
        ("what wooded island did she buy", "island"),
        ("what protected species lives there", "protected species lives"),
        ("What did she leave?", ""),
    ],
)
def test_the_nouns_asked_for(question: str, nouns: str) -> None:
    assert kind_of(question)[1] == tuple(nouns.split())


@pytest.mark.parametrize(
    ("text", "birth", "death"),
    [
        ("Ada (3 May 1870 – 1931) was a painter.", (1870, 5, 3), (1931, 0, 0)),
        ("Ada (born May 3, 1870) is a painter.", (1870, 5, 3), None),
        ("Ada (died 838) was a general.", None, (838, 0, 0)),
        ("Ada was born on 3 May 1870 in Orse.", (1870, 5, 3), None),
        ("The Bridge (opened 1207) is long.", None, None),
        ("Tides (written 1843, 2nd ed. 1847) is a novel.", None, None),
        ("Ada, born 1770, executed three frescoes in 1801.", (1770, 0, 0), None),
        ("Ada, born 1770, was caught and executed in 1801.", (1770, 0, 0), (1801, 0, 0)),
        ("Executed | 3 May 1801", None, (1801, 5, 3)),
        ("Ada is a painter. Her elder brother A. Orr was born in 1955.", None, None),
        ("Ada's son Otto (1850–1920) was a smith. With her husband she died in 1930.", None, (1930, 0, 0)),
        ("On the death of her father in 1801 she left. Bo ruled until his death in 1820.", None, (1820, 0, 0)),
        # What stood between both dates may be lost.
        ("Ada (3 May 1870 2 June 1931) was a painter.", (1870, 5, 3), (1931, 6, 2)),
        ("Ada (3 May 18702 June 1931) was a painter.", (1870, 5, 3), (1931, 6, 2)),
    ],
)
def test_lives(text: str, birth: tuple[int, int, int] | None, death: tuple[int, int, int] | None) -> None:
    assert life_of(text) == (birth, death)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("1,200m (3,937 ft)", [1200, 3937]), ("2.6m, 12.5km, 300km²", [2.6, 12.5, 300]), ("2.1MWh at 42p", [2.1, 42]),
        ("£5m of $2.5bn", [5e6, 2.5e9]), ("2.5million, 5 thousand", [2.5e6, 5e3]), ("1st, 2nd, 3rd of A4 and B2b", []),
        ("the 1990s, 12a, 4x4, 5G", []), ("1,200mx", []),
    ],
)  # fmt: skip
def test_an_amount_is_whole_before_its_unit(text: str, amounts: list[float]) -> None:
    assert [amount for _, amount in amounts_in(text)] == amounts


def test_a_length_is_no_year() -> None:
    assert [date for *_, date in dates_in("It is 1200m long, of the 1990s.")] == [(1990, 0, 0)]


def test_amounts_and_countries() -> None:
    assert amounts_in("1,260 seats and 2.5 million fish") == [(0, 1260.0), (16, 2500000.0)]
    assert countries_in("a French film shot in New Zealand") == ("France", "New Zealand")
    assert countries_in("an airport in British Columbia") == ("Canada",)


def test_the_kind_of_a_page() -> None:
    village = kind_of_text("Orse is a village in Kent. He said it is old.")
    assert village.is_place
    assert not village.is_person


@pytest.mark.parametrize(
    ("text", "is_person"),
    [
        ("Tides is a 1987 drama film directed by the Scottish writer Ada Orr. She wrote it too.", False),
        ("Reed is the second album by the singer Ada Orr, who recorded it with her band.", False),
        ("Ada Orr was a Scottish stage, television and film actor.", True), ("Ada is a botanist and explorer.", True),
        ("Orse is a milk-white fish. Otto Vill found it when he was nine.", False),
        ("Madge is a fictional character of the play Reed, by which she is known.", True),
        ("Orse is a small, burrowing mammal native to Kell.", False), ("Orse is a village and ward in Kell.", False),
        ("Reed is a novel by Ada Orr about her youth.", False), ("Reed is a song. She sang it.", False),
        ("Kellish is a language. He spoke it.", False), ("The Salt Guild is a guild. He who joins pays.", False),
        ("Kell Line is a railway. He built it.", False), ("Lamp-lung is a disease. He has it.", False),
        ("Reed is a television series. She stars in it.", False), ("Ada was a queen. She ruled.", True),
        ("Ada and Bo are twins. She paints.", True), ("The Orrs are a family. He was the first.", True),
        ("The Long War (1914–1918) was a conflict of two towns.", False), ("Kell (1850–1920) was a school.", False),
        ("Tides (2010–2015) is a television series about a town. She stars in it.", False),
        ("Ada (1850–1920) was a Church of Kell priest.", True), ("Ada (1850–1920) kept bees. She was shy.", True),
        ("Ada (3 May 1850 – 1920) kept bees.", True), ("Ada (born 1850) is a legend.", True),
        ("Ada Orr was a Kell author who lived in cottages. She wrote.", True),
        ("Ada (1850–1920) was a Dutch publisher.", True),
    ],
)  # fmt: skip
def test_who_is_somebody_is_told_by_the_noun_of_the_first_sentence(text: str, is_person: bool) -> None:
    assert kind_of_text(text).is_person == is_person


@pytest.mark.parametrize(
    ("text", "father", "mother"),
    [
        ("He was the son of Otto Vill and Ada Orr.", "Otto Vill", "Ada Orr"),
        ("He was born to Empress Du and Zhao Hong.", "Zhao Hong", "Empress Du"),
        ("She is the daughter of Ann Lee by King Otto.", "King Otto", "Ann Lee"),
        ("the child of Duke Orm of Kell and Princess Ann", "Duke Orm", "Princess Ann"),
    ],
)
def test_titles_tell_which_parent_is_named_first(text: str, father: str, mother: str) -> None:
    for stem, told, other in (("father", father, mother), ("mother", mother, father)):
        signs = {sign: text[start:end] for start, end, sign in roles_in(text, {stem})}
        assert told in signs[1] and other in signs[-1] and told not in signs[-1]


def test_answers_are_compared_without_articles_case_and_punctuation() -> None:
    assert normalised("The Salt-Weighers!") == "salt weighers"
    assert is_match("a spirit", "Spirit.")
    assert not is_match("!", "?")
    assert token_f1("about 71 metres", "71 metres") == pytest.approx(0.8)
    assert rouge_l("c b", "b c") == pytest.approx(0.5)
    assert token_f1("", "") == rouge_l("", "x") == 0.0


def test_words_that_wordnet_relates_are_more_alike_and_names_like_nothing() -> None:
    said, asked = tuple(map(stem_of, ("purchased", "sang", "Orse"))), (stem_of("bought"), "")
    vectors, meanings = vectors_of(said), vectors_of(asked)
    by_vectors, found = alike(vectors, meanings), meant(said, vectors, asked, meanings)
    assert found[0, 0] == pytest.approx(min(UNLIKE_SAME, by_vectors[0, 0] + RELATED))
    assert found[1:, 0].tolist() == by_vectors[1:, 0].tolist() and not found[:, 1].any()


@pytest.mark.parametrize(
    ("text", "no_answer"),
    [
        ("This one has a mast.", "one has"),
        ("Open 10:30 – 12 May.", "30 – 12 May"),
        ("They won 3-2 May 4.", "3-2 May"),
        ("In May 3 to 15 people came.", "May 3 to 15"),
        ("Rain | 31\nMay 2010 | 45 mm", "31\nMay 2010"),
        ("- Seats: 12\n- 5 boxes", "12\n- 5"),
    ],
)
def test_what_only_looks_like_a_number_or_a_span_of_days(text: str, no_answer: str) -> None:
    told = {text[each.start : each.end] for each in forms_in(text) if each.form in ("date", "number")}
    assert no_answer not in told


@pytest.mark.parametrize(
    ("text", "name"),
    [("He joined the U.S. Navy in May.", "U.S. Navy"), ("J.R.R. Orr wrote it.", "J.R.R. Orr")],
)
def test_an_abbreviation_is_a_word_of_a_name(text: str, name: str) -> None:
    assert name in {text[each.start : each.end] for each in forms_in(text) if each.form == "name"}


def test_nothing_that_could_answer_stands_in_two_cells() -> None:
    text = "Parties | Ostrevane, Kell\nSignatories | Ada Orr"
    found = [text[each.start : each.end] for each in forms_in(text)]
    assert found and not any("\n" in each or " | " in each for each in found)


def test_units_of_time_and_of_ways() -> None:
    assert measures_of("250 ms") == {"time"} and measures_of("4.2 light-years") == {"length"}


def test_small_words_stand_inside_names_of_people() -> None:
    assert looks_of("Jan van Eyck")[0] and looks_of("Leonardo da Vinci")[0] and not looks_of("van Eyck")[0]
