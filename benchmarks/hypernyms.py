"""Write what nouns are kinds of, from WordNet's files, which a package of Debian has.

    python -m benchmarks.hypernyms FOLDER [--to retriever/answers/text/lexicon/hypernyms.npz]

The package is fetched to FOLDER once. Nouns of one word are kept, each with its first three senses, the most frequent
first, and all senses above those.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.word_vector_texts import GLOSSES, unpacked
from retriever.answers.text.lexicon.hypernyms import FILE

MOST_SENSES = 3
KIND_OF = ("@", "@i")
"""The pointers to what a sense is a kind of, and an instance of."""


def senses(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Yield each noun of one word with its first senses, from `index.noun`."""
    for line in path.read_text("latin-1").splitlines():
        fields = line.split()
        if not line.startswith(" ") and fields[0].isascii() and fields[0].replace("-", "").isalpha():
            yield fields[0], [int(each) for each in fields[6 + int(fields[3]) :][:MOST_SENSES]]


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
    write(options.to, dict(senses(files / "index.noun")), parents(files / "data.noun"))


if __name__ == "__main__":
    main()
