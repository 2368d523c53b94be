"""Write which words may say the same, from WordNet's files, which a package of Debian has.

    python -m benchmarks.synonyms FOLDER [--to retriever/answers/text/lexicon/synonyms.npz]

The package is fetched to FOLDER once. Of words of one part the first senses count, the most frequent first: what else
is in them, what a verb's senses are kinds of, what an adjective's are similar to, and what is derived from a word.
An irregular form stands for its base. All are told by their stems.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.word_vector_texts import GLOSSES, unpacked
from retriever.answers.text.lexicon.synonyms import FILE
from retriever.answers.text.words import FUNCTION, stem_of

PARTS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
SENSES = {"noun": 2, "verb": 3, "adj": 2, "adv": 1}
"""First senses of a word that count, by part of speech: those of nouns lie farther apart."""

WIDER = {"verb": "@", "adj": "&"}
DERIVED = "+"


class Pointer(NamedTuple):
    """What one sense, or one of its words (from 1; 0 for all), has to do with another one."""

    sign: str
    part: str
    sense: int
    word: int
    other: int


class Sense(NamedTuple):
    """The words of a sense, and its pointers."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


def senses(folder: Path, part: str) -> dict[int, Sense]:
    """Return the senses of a part of speech by their offsets, from `data.PART`."""
    found = {}
    for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            fields = line.split(" ")
            first = 4 + 2 * int(fields[3], 16)
            words = tuple(each.split("(")[0].lower() for each in fields[4:first:2])
            pointers = (fields[at : at + 4] for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4))
            found[int(fields[0])] = Sense(words, tuple(_pointer(*each) for each in pointers))
    return found


def _pointer(sign: str, sense: str, part: str, ends: str) -> Pointer:
    return Pointer(sign, PARTS[part], int(sense), int(ends[:2], 16), int(ends[2:], 16))


def pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield words that may say the same, two and two."""
    known = {part: senses(folder, part) for part in SENSES}
    for part, most in SENSES.items():
        for line in (folder / f"index.{part}").read_text("latin-1").splitlines():
            fields = line.split()
            if line.startswith(" ") or not _is_word(fields[0]):
                continue
            for offset in fields[6 + int(fields[3]) :][:most]:
                own = known[part][int(offset)]
                yield from ((fields[0], other) for other in own.words)
                for pointer in own.pointers:
                    others = known[pointer.part][pointer.sense].words
                    if pointer.sign == WIDER.get(part):
                        yield from ((fields[0], other) for other in others)
                    elif pointer.sign == DERIVED and own.words[pointer.word - 1] == fields[0]:
                        yield fields[0], others[pointer.other - 1]


def irregular(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield irregular forms with their bases, from `verb.exc` and `noun.exc`."""
    for part in ("verb", "noun"):
        for line in (folder / f"{part}.exc").read_text("latin-1").splitlines():
            form, *bases = line.split()
            yield from ((form, base) for base in bases)


def _is_word(text: str) -> bool:
    """Tell whether a text is one word of content: what "be" and "have" may say is told by every sentence."""
    return text.isascii() and text.isalpha() and text not in FUNCTION


def related(folder: Path) -> dict[str, set[str]]:
    """Return for each stem those of what may say the same; an irregular form's are its base's, and the base."""
    found = defaultdict[str, set[str]](set)
    for word, other in pairs(folder):
        if _is_word(other):
            _join(found, stem_of(word), stem_of(other))
    heads = frozenset(found)
    for form, base in irregular(folder):
        own, known = stem_of(form), stem_of(base)
        if _is_word(form) and _is_word(base) and own not in (known, *heads):
            for other in (known, *sorted(found[known])):
                _join(found, own, other)
    return {stem: others for stem, others in found.items() if others}


def _join(found: dict[str, set[str]], one: str, other: str) -> None:
    if one != other:
        found[one].add(other)
        found[other].add(one)


def write(path: Path, stems: Mapping[str, set[str]]) -> None:
    """Write the stems and their relations, each under the stem that is first of both."""
    names = sorted(stems)
    index = {name: number for number, name in enumerate(names)}
    behind = [sorted(index[each] for each in stems[name] if each > name) for name in names]
    np.savez_compressed(
        path, stems=np.frombuffer("\n".join(names).encode(), np.uint8),
        counts=np.array(list(map(len, behind)), np.uint16),
        others=np.array([each for own in behind for each in own], np.uint16),
    )  # fmt: skip
    print(f"{len(names):,} stems, {sum(map(len, behind)):,} pairs: {path}")


def main() -> None:
    """Fetch the files and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, default=FILE)
    options = parser.parse_args()
    write(options.to, related(unpacked(GLOSSES, options.folder) / "usr" / "share" / "wordnet"))


if __name__ == "__main__":
    main()
