"""Manuals as their packages bring them: Debian's packages and source distributions, unpacked without being run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

SUFFIXES = (".html", ".htm", ".md", ".rst")
SOURCE_DISTRIBUTION = Path(__file__).with_name("source_distribution.py")


class NotToBeHad(Exception):
    """A package cannot be downloaded, or holds no documents where they are looked for."""


class Manual(NamedTuple):
    """A manual: who makes it, the package that brings it, and where in the package its documents lie.

    `place` is a pattern of a folder, `left_out` are patterns of paths below it. `kind` is `deb` or `sdist`.
    """

    name: str
    maker: str
    kind: str
    package: str
    place: str
    left_out: tuple[str, ...] = ()


MANUALS = (
    Manual("django", "Django", "deb", "python-django-doc", "usr/share/doc/python-django-doc/html",
           ("_modules/*", "releases/*")),
    Manual("postgresql", "PostgreSQL", "deb", "postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html"),
    Manual("sqlite", "SQLite", "deb", "sqlite3-doc", "usr/share/doc/sqlite3", ("releaselog/*",)),
    Manual("apache", "Apache", "deb", "apache2-doc", "usr/share/doc/apache2-doc/manual/en"),
    Manual("debian-policy", "Debian", "deb", "debian-policy", "usr/share/doc/debian-policy/policy.html"),
    Manual("developers-reference", "Debian", "deb", "developers-reference", "usr/share/developers-reference",
           ("developers-reference.html",)),
    Manual("sqlalchemy", "SQLAlchemy", "deb", "python-sqlalchemy-doc", "usr/share/doc/python-sqlalchemy-doc/html",
           ("_modules/*", "changelog/*")),
    Manual("octave", "GNU Octave", "deb", "octave-doc", "usr/share/doc/octave/octave.html", ("index-*", "XREF*")),
    Manual("scrapy", "Scrapy", "sdist", "scrapy", "scrapy-*/docs", ("_*",)),
    Manual("celery", "Celery", "sdist", "celery", "celery-*/docs",
           ("history/*", "reference/*", "internals/reference/*", "_*")),
    Manual("pytest", "pytest", "sdist", "pytest", "pytest-*/doc/en", ("announce/*", "_*")),
    Manual("hatch", "PyPA", "sdist", "hatch", "hatch-*/docs"),
    Manual("click", "Pallets", "sdist", "click", "click-*/docs"),
)  # fmt: skip
AS_TEXT = Manual("exim", "Exim", "deb", "exim4-doc-html", "usr/share/doc/exim4-doc-html/spec_html")
"""Not one of MANUALS, so that its words are in no other corpus: `benchmarks.plain_manual` makes plain text of it."""


def gather(manual: Manual, folder: Path) -> Path:
    """Return the folder of a manual's documents, fetched and unpacked where it is not yet; raise NotToBeHad."""
    documents = folder / "documents" / manual.name
    if documents.is_dir():
        return documents
    package = fetch(manual, folder / "packages")
    documents.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        unpacked, chosen = Path(scratch) / "unpacked", Path(scratch) / "chosen"
        unpack(package, unpacked)
        roots = sorted(unpacked.glob(manual.place))
        copied = [_copy(root / path, chosen / path) for root in roots[:1] for path in chosen_paths(root, manual)]
        if not copied:
            raise NotToBeHad(f"{manual.name}: {package.name} has no documents in {manual.place}")
        os.replace(chosen, documents)
    return documents


def fetch(manual: Manual, folder: Path) -> Path:
    """Return a manual's package, downloaded into `folder` where it is not there yet; raise NotToBeHad."""
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"{manual.package}_*.deb" if manual.kind == "deb" else f"{manual.package}-[0-9]*.tar.gz"
    if found := sorted(folder.glob(pattern)):
        return found[-1]
    command = {
        "deb": ["apt-get", "download", "-q", manual.package],
        "sdist": [sys.executable, str(SOURCE_DISTRIBUTION), manual.package],
    }[manual.kind]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        _run(command, Path(scratch), manual.name)
        downloaded = sorted(Path(scratch).glob(pattern))
        if not downloaded:
            raise NotToBeHad(f"{manual.name}: no {pattern} was downloaded")
        return Path(shutil.move(downloaded[-1], folder))


def chosen_paths(root: Path, manual: Manual) -> Iterator[Path]:
    """Yield the documents of an unpacked manual, relative to its root, without links to others of them."""
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        left_out = any(fnmatchcase(relative.as_posix(), pattern) for pattern in manual.left_out)
        if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink() and not left_out:
            yield relative


def _copy(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copyfile(source, target)


def unpack(package: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    if package.suffix == ".deb":
        _run(["dpkg-deb", "-x", str(package.resolve()), str(folder.resolve())], package.parent, package.name)
        return
    try:
        with tarfile.open(package) as archive:
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise NotToBeHad(f"{package.name}: {error}") from error


def _run(command: list[str], folder: Path, name: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise NotToBeHad(f"{name}: {command[0]} is not installed") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotToBeHad(f"{name}: {Path(command[0]).name} failed: {reason}")
