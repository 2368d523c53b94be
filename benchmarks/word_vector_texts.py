"""Texts that word vectors are trained on: sentences of dictionaries and of documentation, none of a measured corpus.

The packages are Debian's: WordNet's glosses, a dictionary of 1913 with later
additions, two of computing, and the documentation of programs that no question
set of the benchmarks is about.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path

from benchmarks.manual_packages import Manual, NotToBeHad, fetch, unpack

GLOSSES, DICTIONARY = "wordnet-base", "dict-gcide"
DOCUMENTATION = tuple(
    """anarchism aptitude-doc-en bash-doc bind9-doc borgbackup-doc calibre debian-faq debian-handbook
    debian-reference-en dict-foldoc dict-jargon doc-debian docker-doc duplicity fortunes gimp-help-en gnome-user-docs
    gnucash-docs gnuplot-doc grass-doc inkscape installation-guide-amd64 iptables kicad-doc-en libboost1.74-doc
    libreoffice-common libreoffice-help-en-us lilypond-doc-html manpages manpages-dev maxima-doc mercurial-common nmap
    openjdk-17-doc perl-doc postgis-doc qt5-doc-html r-doc-html restic rsnapshot rust-doc subversion sudo
    texlive-latex-base-doc vim-doc wireshark-doc zsh-doc""".split()
)
MOST_OF_A_PACKAGE, MOST_READ = 3_500, 25_000
SHORTEST, LONGEST, FEWEST_WORDS, LEAST_LETTERS = 25, 400, 5, 0.85

MARKUP = re.compile(r"(?s)<(script|style|head).*?</\1>|<!--.*?-->|<[^>]+>")
BLOCK_END = re.compile(r"</(p|li|h\d|td|dd|dt|div|tr|pre)>")
ROFF = re.compile(r"(?m)^[.'].*$|\\f.|\\")
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
FOREIGN = re.compile(r"/(?!en)[a-z][a-z](?:[-_][A-Z][A-Z])?/")
REFERENCE = re.compile(r"[{}]|\[[^\]]*\]")


def sentences(folder: Path) -> dict[str, list[str]]:
    """Return the sentences of each package that can be had, in an order that a seed gives; tell the others."""
    readers = {GLOSSES: _glosses, DICTIONARY: _definitions} | dict.fromkeys(DOCUMENTATION, _documented)
    found = {}
    for package, read in readers.items():
        try:
            root = unpacked(package, folder)
        except NotToBeHad as error:
            print(error)
            continue
        own = sorted(set(read(root)))
        random.Random(0).shuffle(own)
        found[package] = own if package in (GLOSSES, DICTIONARY) else own[:MOST_OF_A_PACKAGE]
    return found


def unpacked(package: str, folder: Path) -> Path:
    """Return the folder of a package's files, fetched and unpacked where it is not there; raise NotToBeHad."""
    root = folder / "unpacked" / package
    if not root.is_dir():
        unpack(fetch(Manual(package, "", "deb", package, ""), folder / "packages"), root)
    return root


def _glosses(root: Path) -> Iterator[str]:
    """Yield the words of each synset with its gloss."""
    for path in sorted(root.glob("usr/share/wordnet/data.*")):
        for line in path.read_text("latin-1").splitlines():
            if not line.startswith(" ") and "|" in line:
                head, gloss = line.split("|", 1)
                fields = head.split()
                words = [fields[4 + 2 * index].replace("_", " ").split("(")[0] for index in range(int(fields[3], 16))]
                yield f"{', '.join(words)}: {gloss.strip()}"


def _definitions(root: Path) -> Iterator[str]:
    """Yield paragraphs of a dictionary, cut after 300 characters."""
    for path in sorted(root.glob("usr/share/dictd/*.dict.dz")):
        for paragraph in _paragraphs(gzip.decompress(path.read_bytes()).decode("utf-8", "replace")):
            text = REFERENCE.sub("", paragraph)
            if len(text) > SHORTEST:
                yield text[:300]


def _documented(root: Path) -> Iterator[str]:
    """Yield sentences of prose in a package's files, up to MOST_READ different ones."""
    seen: set[str] = set()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
        if FOREIGN.search(f"{path.parent.relative_to(root)}/"):
            continue
        for paragraph in _paragraphs(_text_of(path)):
            seen.update(filter(_is_prose, SENTENCE.split(paragraph)))
        if len(seen) > MOST_READ:
            break
    yield from seen


def _text_of(path: Path) -> str:
    name = path.name
    if re.search(r"\.(html?|xhtml|page|docbook|xml|txt|rst|md|dict\.dz)(\.gz)?$|\.\d\.gz$", name) is None:
        return path.read_text("utf-8", "replace") if "/games/fortunes/" in str(path) and not path.suffix else ""
    data = gzip.decompress(path.read_bytes()) if path.suffix in (".gz", ".dz") else path.read_bytes()
    text = data.decode("utf-8", "replace")
    if re.search(r"\.(html?|xhtml|page|docbook|xml)(\.gz)?$", name):
        return unescape(MARKUP.sub(" ", BLOCK_END.sub("\n\n", text)))
    return ROFF.sub("\n\n", text) if re.search(r"\.\d\.gz$", name) else text


def _paragraphs(text: str) -> Iterator[str]:
    return (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))


def _is_prose(sentence: str) -> bool:
    letters = sum(each.isascii() and (each.isalpha() or each == " ") for each in sentence)
    return (
        SHORTEST < len(sentence) < LONGEST
        and sentence.count(" ") >= FEWEST_WORDS - 1
        and letters > LEAST_LETTERS * len(sentence)
    )


def mixed(found: dict[str, list[str]], glosses: int, definitions: int, documented: int) -> Iterable[str]:
    """Return so many glosses, definitions and sentences of documentation, mixed by a seed."""
    documentation = [each for package, own in found.items() if package not in (GLOSSES, DICTIONARY) for each in own]
    random.Random(1).shuffle(documentation)
    chosen = [
        *found.get(GLOSSES, [])[:glosses], *found.get(DICTIONARY, [])[:definitions], *documentation[:documented],
    ]  # fmt: skip
    random.Random(2).shuffle(chosen)
    return chosen
