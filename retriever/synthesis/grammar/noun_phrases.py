"""Noun phrases of expository prose, told by the closed classes of English words that end them.

>>> text = "is separated from the mantle by the Mohorovicic discontinuity."
>>> found = noun_phrase_at(text, text.index(" the mantle"))
>>> found.text, found.stop
('the mantle', 'by')
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from retriever.synthesis.grammar.predicates import PREPOSITIONS
from retriever.synthesis.grammar.verbs import AUXILIARIES, PLURALS, is_participle, tense

TOKEN = re.compile(r"\s*([^\W_][\w'’-]*)")
ARTICLES = frozenset(("the", "a", "an"))
MODALS = frozenset(("could", "would", "should", "might", "do", "does", "did", "be", "been", "being", "cannot"))
FINITE = frozenset(AUXILIARIES) | MODALS
BEFORE_NOUNS = PREPOSITIONS | frozenset(
    """of as than like against toward towards without across above below beyond around per via throughout upon off
    behind despite except inside outside onto beneath beside besides versus due out up down off away apart together
    thanks twice once along also now still then never always often only""".split()
)
SUBORDINATORS = frozenset(
    """that which who whom whose where when while because if since although though whereas unless until but yet so nor
    rather thus hence then whoever whatever whichever""".split()
)
POINTING = frozenset(
    """it they them this these those there he she we you i him us me its their his her our your such itself
    themselves one ones former latter another other others same each both neither either himself herself""".split()
)
INEXACT = frozenset(
    """many several some various numerous most more few much different certain additional further similar about any
    all no not only even also just very two three four following less
    around approximately nearly almost roughly""".split()
)
"""Words that begin what nobody would accept as an answer."""

RELATIVE = frozenset(
    """first second third fourth last next final previous former latter same latest earlier later new old main early
    late recent current upcoming opening""".split()
)
"""Words before a noun that only its text makes known: the final day, the new trainer."""

VAGUE_HEADS = frozenset(
    """way ways part parts top bottom number variety period kind kinds type types form forms rate amount addition
    result results fact lot set range order case cases thing things extent degree view views side sides use time
    times role basis manner process idea effect example examples terms term figure reason reasons point""".split()
)
INCOMPLETE = re.compile(
    r"(?:tion|sion|ment|ance|ence|ity|ness|ing|ions|ments|increase|decrease|changes?|differences?|boundary|rise|shift"
    r"|limits?|distance|ratio|relationship|interface|loss|gap|height|depth|latitude|age|mass|degrees?)$"
)
"""Ends of nouns that say little without the phrase that follows them."""

ADJECTIVE = re.compile(r"(?:able|ible|ful|ous|less|[^s]ive|^rich|^relative|^equal|^similar|^different|^high|^low)$")
NO_SUBJECT = frozenset(
    """this these those that there it he she they we i you one however although though while when where if because
    since as what which who such other others another some many most both each several not no nor but and or so thus
    then here also unlike like given called known using following to his her its their our it's two three likewise
    overall such in of to for as through from with by at on into during after before between under over within among
    still whose until today tomorrow yesterday whoever whatever every nobody nothing once
    according more less due above below only even just how why whether whereas""".split()
)
NO_PART = frozenset(
    """which that who whom whose where when while because if than not it them they this these those there he she we
    you i s will would could should its their his her our also so up out only more less about thanks
    twice once""".split()
)
POSSESSIVES = frozenset(("its", "their", "his", "her", "our"))
COMPLEMENTING = frozenset(("in", "between", "from", "to", "for", "with", "into", "at", "on", "within"))
# What stands behind the first item of a list.
LISTED = re.compile(r"\s?(?:\([^()]*\))?,\s(?:[^.;,]{2,60},\s)*[^.;,]{2,60},?\s(?:and|or)\s")
CLAUSE_END = re.compile(r"[.;:,(]|\s[–—]")
MOST_WORDS = 8
LONGEST_SUBJECT = 7


class NounPhrase(NamedTuple):
    """A noun phrase, where it begins and ends, and the word or sign behind it."""

    start: int
    end: int
    text: str
    stop: str


def noun_phrase_at(text: str, at: int) -> NounPhrase | None:
    """Return the noun phrase that begins at a place, with what `of` adds to it; None where none does."""
    words: list[str] = []
    start = end = at
    while (match := TOKEN.match(text, end if words else at)) and len(words) <= MOST_WORDS:
        word = match[1]
        if _ends(word, words, text, match.end()):
            break
        start = start if words else match.start(1)
        words.append(word)
        end = match.end()
    if not words or words[-1].lower() in ARTICLES or len(words) > MOST_WORDS:
        return None
    return NounPhrase(start, end, text[start:end], match[1].lower() if match else text[end : end + 1])


def _ends(word: str, before: list[str], text: str, at: int) -> bool:
    """Tell whether a word cannot go on a noun phrase."""
    low, last = word.lower(), before[-1].lower() if before else ""
    if low in FINITE or low in SUBORDINATORS or low in POINTING or (low in ARTICLES and last not in ("", "of", "and")):
        return True
    if low in ("and", "or"):
        return not _goes_on(before, text, at)
    if low == "of":
        return not before or last in BEFORE_NOUNS
    return low in BEFORE_NOUNS or (bool(before) and word.islower() and _is_verb(low, text, at))


def _goes_on(before: list[str], text: str, at: int) -> bool:
    """Tell whether one noun phrase more, which ends its clause, follows `and`."""
    if not 0 < len(before) < 4 or {"and", "or", "of"} & set(before):
        return False
    match = re.compile(r"(?:\s+[\w'’-]+){1,3}(?=[.,;:)]|$)").match(text, at)
    words = match[0].lower().split() if match else ["is"]
    return not any(word in FINITE or word in BEFORE_NOUNS or _is_verb(word, "", 0) for word in words)


def _is_verb(word: str, text: str, at: int) -> bool:
    """Tell whether a word is a verb's form and what follows it cannot follow a noun or be described by a participle."""
    if tense(word) not in ("third", "past"):
        return is_participle(word) and bool(re.compile(r"\s+(?:by|in|at|from|to|with|on)\b").match(text, at))
    behind = re.compile(r"\s+(?:the|an?|by|in|at|from|to|with|on|as|into|that)\b|\s*[.,;]")
    return not text or bool(behind.match(text, at))


def is_answer(phrase: NounPhrase, text: str) -> bool:
    """Tell whether a noun phrase of a sentence is an answer by itself: it is exact, whole, and no clause's subject."""
    words = [word for word in phrase.text.lower().split() if word not in ARTICLES]
    if not words or words[0] in INEXACT | RELATIVE or words[0].endswith(("ly", "ing")) or words[-1].endswith("ly"):
        return False
    if phrase.stop == "to" or (len(words) == 1 and phrase.text.lower().startswith("the ")):
        return False
    if any(tense(word) == "third" for word in words[1:-1]):
        return False
    head = phrase.text.lower().partition(" of ")[0].split()[-1]
    if ADJECTIVE.search(words[-1]) or phrase.stop == "also":
        return False
    if head in VAGUE_HEADS or words[-1] in VAGUE_HEADS or words[-1] in ("of", "and", "or") or words[-1].isdigit():
        return False
    if phrase.text.lower().startswith(("a ", "an ")) and phrase.stop.isalpha() and phrase.stop not in ("and", "as"):
        return False
    if phrase.stop in COMPLEMENTING and INCOMPLETE.search(words[-1]):
        return False
    return is_clause_whole(text, phrase)


def is_subject(said: str) -> bool:
    """Tell whether a noun phrase is a subject that a question can name, or be answered by, without its text.

    `The probe` is one that was spoken of before; so is perhaps what `a` stands before.
    """
    words = said.lower().split()
    if words[0] in INEXACT or words[0] in ("a", "an") or words[0].endswith("ly") or len(words) < 2:
        return False
    if len(words) > LONGEST_SUBJECT or "due" in words:
        return False
    if POINTING & set(words) or (words[0] == "the" and words[1] in INEXACT | {"number"}):
        return False
    if words[0] == "the" and (len(words) < 3 or words[1] in RELATIVE):
        return False
    return not any(before.endswith("s") and tense(word) == "plain" for before, word in pairwise(words))


def is_clause_whole(text: str, phrase: NounPhrase) -> bool:
    """Tell whether a phrase is all that its clause says there: no verb follows, no item of a list, no decimals."""
    if re.compile(r"[.,]\d|[-–—/°%]|\s?[×=+^]").match(text, phrase.end) or LISTED.match(text, phrase.end):
        return False
    end = CLAUSE_END.search(text, phrase.end)
    rest = text[phrase.end : end.start() if end else len(text)].split()
    before = next((index for index, word in enumerate(rest) if word.lower() in SUBORDINATORS), len(rest))
    return not any(word.lower() in FINITE for word in rest[:before])


def agree(subject: str, words: str) -> bool:
    """Tell whether a subject and a verb can have one number; names and what `and` joins agree with both.

    >>> agree("plates", "moves"), agree("the crust", "are found"), agree("the core", "was"), agree("Wales", "borders")
    (False, False, True, True)
    """
    verb = words.partition(" ")[0]
    plain = re.split(r"\s(?:of|in|on|at|from|between|for|with|by|to)\s", subject)[0].split()
    if " and " in subject or not plain or plain[-1][:1].isupper() or tense(verb) == "past":
        return True
    is_plural = plain[-1].endswith("s") and not plain[-1].endswith(("ss", "us", "is", "ics", "series", "species"))
    return is_plural == (verb in PLURALS.values() or (verb not in AUXILIARIES and tense(verb) == "plain"))
