"""Write what nouns are kinds of, from WordNet's files, which a package of Debian has.

    python -m benchmarks.hypernyms FOLDER [--to retriever/answers/text/lexicon/hypernyms.npz]

The package is fetched to FOLDER once. Nouns of one word are kept, each with its first three senses, the most frequent
first, and all senses above those; and `things.txt` beside the table, of things whose last word alone names people.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.word_vector_texts import GLOSSES, unpacked
from retriever.answers.text.lexicon.hypernyms import FILE, THINGS

MOST_SENSES = 3
KIND_OF = ("@", "@i")
"""The pointers to what a sense is a kind of, and an instance of."""


def senses(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Yield each noun of one word with its first senses, from `index.noun`."""
    for word, own in _indexed(path):
        if word.isascii() and word.replace("-", "").isalpha():
            yield word, own[:MOST_SENSES]


def parents(path: Path) -> dict[int, list[int]]:
    """Return what each sense is a kind of, from `data.noun`."""
    found = {}
    for line in path.read_text("latin-1").splitlines():
        if not line.startswith(" "):
            fields = line.split(" ")
            first = 5 + 2 * int(fields[3], 16)
            pointers = [fields[first + 4 * index : first + 4 * index + 3] for index in range(int(fields[first - 1]))]
            found[int(fields[0])] = [int(to) for sign, to, part in pointers if sign in KIND_OF and part == "n"]
    return found


def things(path: Path, above: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """Yield the nouns of two words of which the last one names people and both together do not, from `index.noun`.

    Names are left out: what `data.noun` has in small letters alone is a noun.
    """
    first = {word: own[0] for word, own in _indexed(path / "index.noun")}
    people, lower = _people(first["person"], above), _words(path / "data.noun")
    for word, sense in sorted(first.items()):
        parts = word.split("_")
        is_noun = len(parts) == 2 and all(map(str.isalpha, parts)) and word.isascii() and word in lower
        if is_noun and first.get(parts[1]) in people and sense not in people:
            yield " ".join(parts)


def _indexed(path: Path) -> Iterator[tuple[str, list[int]]]:
    for line in path.read_text("latin-1").splitlines():
        fields = line.split()
        if not line.startswith(" "):
            yield fields[0], [int(each) for each in fields[6 + int(fields[3]) :]]


def _people(person: int, above: Mapping[int, Sequence[int]]) -> set[int]:
    """Return a sense and all senses that are kinds of it."""
    below: dict[int, list[int]] = {}
    for sense, kinds in above.items():
        for kind in kinds:
            below.setdefault(kind, []).append(sense)
    found, waiting = set[int](), [person]
    while waiting:
        found.add(sense := waiting.pop())
        waiting += below.get(sense, ())
    return found


def _words(path: Path) -> set[str]:
    """Return all words as they are spelled."""
    found = set[str]()
    for line in path.read_text("latin-1").splitlines():
        fields = line.split(" ")
        if not line.startswith(" "):
            found.update(fields[4 + 2 * index] for index in range(int(fields[3], 16)))
    return found


def write(path: Path, words: Mapping[str, Sequence[int]], above: Mapping[int, Sequence[int]]) -> None:
    """Write the senses of words and what these are kinds of; senses that no word reaches are left out."""
    needed: set[int] = set()
    waiting = [sense for own in words.values() for sense in own]
    while waiting:
        sense = waiting.pop()
        if sense not in needed:
            needed.add(sense)
            waiting += above[sense]
    index = {sense: number for number, sense in enumerate(sorted(needed))}
    kinds = [[index[each] for each in above[sense]] for sense in index]
    named = sorted(words)
    np.savez(
        path, words=np.frombuffer("\n".join(named).encode(), np.uint8),
        sense_counts=np.array([len(words[word]) for word in named], np.uint8),
        senses=np.array([index[sense] for word in named for sense in words[word]], np.uint16),
        parent_counts=np.array([len(own) for own in kinds], np.uint8),
        parents=np.array([each for own in kinds for each in own], np.uint16),
    )  # fmt: skip
    print(f"{len(named):,} nouns, {len(index):,} senses: {path}")


def main() -> None:
    """Fetch the files and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, default=FILE)
    options = parser.parse_args()
    files = unpacked(GLOSSES, options.folder) / "usr" / "share" / "wordnet"
    above = parents(files / "data.noun")
    write(options.to, dict(senses(files / "index.noun")), above)
    options.to.with_name(THINGS.name).write_text("\n".join(things(files, above)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
