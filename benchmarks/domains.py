"""All corpora by what kind they are, so that a fusion can be trained on some kinds and scored on another.

What `python -m benchmarks.manuals FOLDER` has gathered and asked is here from
then on; a corpus that is not there yet is left out.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.corpora import Source, sources
from benchmarks.manual_packages import AS_TEXT, MANUALS

NOTES = Path(__file__).parent / "notes"
TABLES = "wikitables"
PLAIN = f"{AS_TEXT.name}-text"


PASSAGES = "passages"


def domains(folder: Path) -> dict[str, tuple[Source, ...]]:
    """Return the corpora of each kind; no two kinds share documents. `folder` is that of the gathered manuals."""
    known = {source.name: source for source in sources()}
    return {
        PASSAGES: (known["2wiki"], known["hotpotqa"], known["musique"]),
        "encyclopedia pages": (known["nq_earth"], known["wikitext"]),
        "manuals": tuple(filter(has_questions, (manual_source(folder, manual.name) for manual in MANUALS))),
        "tables": tuple(filter(has_questions, (table_source(folder),))),
        "text and notes": (*filter(has_questions, (plain_source(folder),)), notes_source()),
        "fixtures": (known["fixtures"],),
    }


def group_of(domain: str, source: Source) -> str:
    """Return what a corpus weighs together with in training: those of its domain.

    Those of passages each weigh alone: none but they are asked what takes several pages.
    """
    return source.name if domain == PASSAGES else domain


def manual_source(folder: Path, name: str) -> Source:
    """Return a manual's corpus, gathered or not."""
    return Source(name, (str(folder / "documents" / name),), questions=question_file(folder, name))


def plain_source(folder: Path) -> Source:
    """Return the corpus of a manual without markup or links."""
    return Source(PLAIN, (f"text:{folder / 'documents' / PLAIN}",), questions=question_file(folder, PLAIN))


def table_source(folder: Path) -> Source:
    """Return the corpus of tables of the real data, with the questions that were made of it."""
    tables = next(source for source in sources() if source.name == TABLES)
    return tables._replace(questions=question_file(folder, TABLES))


def notes_source() -> Source:
    """Return the corpus of short notes, which are invented, and written by hand with their questions."""
    return Source("notes", (str(NOTES),), questions=NOTES.with_suffix(".jsonl"))


def question_file(folder: Path, name: str) -> Path:
    """Return where a corpus's questions are written."""
    return folder / "questions" / f"{name}.jsonl"


def has_questions(source: Source) -> bool:
    """Tell whether a corpus's questions are written."""
    return source.questions is not None and source.questions.exists()
