"""Measure stems against WordNet: forms of one word that have different stems, and unrelated words that have one.

    python -m benchmarks.stems FOLDER [--json]

WordNet's package is fetched to FOLDER once. The words are those of the corpora
that are here (`benchmarks.corpora`), each weighing its mean share of a corpus'
words. Forms are those that WordNet's exception lists and its rules for nouns and
verbs lead to a word that is there too; function words are left out. Two words are unrelated where no form, sense,
derivation or similarity joins them. Beside Weft's stems stand those of Porter's second algorithm, where
`snowballstemmer` is installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, compress
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpora import Source, skb_of, sources
from benchmarks.word_vector_texts import GLOSSES, unpacked
from weft.skb import Skb
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

RULES = {
    "noun": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y ied:y es:e es: ed:e ed: ing:e ing:",
}
"""What WordNet's own look-up takes off a form, and puts there."""

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
JOINING = ("+", "\\", "<", "&")
"""The pointers to what is derived, pertains, is a participle, and is similar."""


class Wordnet(NamedTuple):
    """The words of each part, the bases of irregular forms, and what each word is joined with."""

    words: Mapping[str, set[str]]
    irregular: Mapping[str, Mapping[str, list[str]]]
    joined: Mapping[str, set[str]]


class Row(NamedTuple):
    """What a stemmer does: shares of the weight of all forms and of all derivations, and weight of unrelated pairs."""

    stemmer: str
    forms_apart: float
    derivations_together: float
    unrelated_together: float


def read_wordnet(folder: Path) -> Wordnet:
    """Read WordNet's files."""
    words = {part: set(_firsts(folder / f"index.{part}")) for part in PARTS}
    irregular: dict[str, dict[str, list[str]]] = {}
    for part in RULES:
        rows = (line.split() for line in (folder / f"{part}.exc").read_text("latin-1").splitlines())
        irregular[part] = {row[0]: row[1:] for row in rows}
    return Wordnet(words, irregular, _joined(folder))


def _firsts(path: Path) -> Iterator[str]:
    return (line.split(" ", 1)[0] for line in path.read_text("latin-1").splitlines() if not line.startswith(" "))


def _joined(folder: Path) -> dict[str, set[str]]:
    """Return the words that share a sense with each word, and those that pointers lead to."""
    senses: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for part, sign in PARTS.items():
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                fields = line.split("|")[0].split(" ")
                last = 4 + 2 * int(fields[3], 16)
                pointers = fields[last + 1 : last + 1 + 4 * int(fields[last])]
                senses[sign, fields[0]] = [each.lower().split("(")[0] for each in fields[4:last:2]], pointers
    joined: dict[str, set[str]] = defaultdict(set)
    for own, pointers in senses.values():
        for one in own:
            joined[one].update(own)
        for sign, to, part, places in zip(*(pointers[index::4] for index in range(4)), strict=False):
            if sign in JOINING:
                others, _ = senses["a" if part == "s" else part, to]
                for one in _chosen(own, int(places[:2], 16)):
                    for other in _chosen(others, int(places[2:], 16)):
                        joined[one].add(other)
                        joined[other].add(one)
    return joined


def _chosen(words: list[str], place: int) -> list[str]:
    return words if place == 0 else [words[place - 1]]


def bases(word: str, wordnet: Wordnet) -> set[str]:
    """Return the words of which a word is a form."""
    found: set[str] = set()
    for part, rules in RULES.items():
        ends = (rule.split(":") for rule in rules.split())
        regular = (word[: -len(end)] + new for end, new in ends if word.endswith(end) and len(word) > len(end) + 1)
        known = wordnet.irregular[part].get(word)
        found.update(known or (each for each in regular if each in wordnet.words[part]))
    return found - {word}


def weights(folder: Path, corpora: tuple[Source, ...]) -> Counter[str]:
    """Return the mean share of each word in the words of the corpora."""
    found: Counter[str] = Counter()
    for source in corpora:
        with Skb(skb_of(source, folder / "skbs", "tfidf")) as skb:
            texts = skb.connection.execute("SELECT text FROM chunk")
            own = Counter(word for (text,) in texts for word in words_of(text))
        n = sum(own.values())
        for word, count in own.items():
            if word.isascii() and word.isalpha() and len(word) > 2 and word not in STOP_WORDS:
                found[word] += count / n / len(corpora)
    return found


def measured(name: str, stem_of: Callable[[str], str], words: Mapping[str, float], wordnet: Wordnet) -> Row:
    """Measure one stemmer; a pair of words weighs as much as the rarer one."""
    known = {word: bases(word, wordnet) for word in words}
    forms = [(min(words[word], words[base]), word, base) for word in words for base in known[word] if base in words]
    apart = sum(weight for weight, word, base in forms if stem_of(word) != stem_of(base))
    derived = [
        (min(words[one], words[other]), one, other) for one in words for other in wordnet.joined.get(one, ())
        if one < other and other in words and one[:4] == other[:4]
    ]  # fmt: skip
    together = sum(weight for weight, one, other in derived if stem_of(one) == stem_of(other))
    groups: dict[str, list[str]] = defaultdict(list)
    for word, own in known.items():
        if not own and any(word in several for several in wordnet.words.values()):
            groups[stem_of(word)].append(word)
    unrelated = sum(
        min(words[one], words[other]) for own in groups.values() for one, other in combinations(own, 2)
        if wordnet.joined[one].isdisjoint({other} | wordnet.joined[other])
    )  # fmt: skip
    return Row(name, apart / sum(row[0] for row in forms), together / sum(row[0] for row in derived), unrelated)


def main() -> None:
    """Print a row for each stemmer."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    wordnet = read_wordnet(unpacked(GLOSSES, chosen.folder) / "usr" / "share" / "wordnet")
    here = (all(Path(place.removeprefix("jsonl:")).exists() for place in source.documents) for source in sources())
    words = weights(chosen.folder, tuple(compress(sources(), here)))
    stemmers: dict[str, Callable[[str], str]] = {"weft": stem, "none": str}
    try:
        stemmers["porter2"] = importlib.import_module("snowballstemmer").stemmer("english").stemWord
    except ImportError:
        print("snowballstemmer is not installed: no row of Porter's")
    for name, stem_of in stemmers.items():
        row = measured(name, stem_of, words, wordnet)
        print(json.dumps(row._asdict()) if chosen.json else f"{name:8} {row[1]:.3f} {row[2]:.3f} {row[3]:.5f}")


if __name__ == "__main__":
    main()
