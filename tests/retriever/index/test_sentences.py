"""The retriever reads the ends of sentences that the builder stored, and finds none itself."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from builder.request import Summary
from retriever.context import Context
from retriever.index.terms import written_sentences
from retriever.session import Session
from weft.arrays.sentence_table import write_block
from weft.skb import Skb

TEXT = "It was built by Dr. Quill. He left."


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (None, ["It was built by Dr. Quill.", "He left."]),
        ([], ["It was built by Dr.", "Quill.", "He left."]),
        ([15, 35], ["It was built by", "Dr. Quill. He left."]),
        ([0, 0], [TEXT]),
    ],
    ids=["as built", "none stored", "other ends", "damaged"],
)
def test_sentences_of_a_chunk_are_those_stored(
    weave: Callable[..., Summary], tmp_path: Path, stored: list[int] | None, expected: list[str]
) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"title": "A", "text": TEXT}))
    weave(tmp_path / "pages.jsonl")
    if stored is not None:
        with closing(sqlite3.connect(tmp_path / "kb.skb")) as connection:
            ((chunk,),) = connection.execute("SELECT id FROM chunk").fetchall()
            connection.execute("DELETE FROM sentence_end")
            if stored:
                write_block(connection, [chunk], [stored])
            connection.commit()
    with Skb(tmp_path / "kb.skb") as skb:
        session = Session(Context(skb))
        (chunk,) = session.skb.chunks(session.chunk_table.chunk_ids.tolist())
        assert written_sentences(session, chunk) == expected


def test_a_search_never_loads_spacy(world: Path, tmp_path: Path) -> None:
    shutil.copy(world, tmp_path / "kb.skb")
    code = (
        "import sys; from interfaces.cli import main\n"
        "try: main(['search', 'kb.skb', 'Who designed Quillon Bridge?', '-k', '1', '-m', 'hybrid', '--explain'])\n"
        "except SystemExit: print('spacy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Quillon Bridge" in result.stdout and result.stdout.endswith("\nFalse\n"), result.stderr
