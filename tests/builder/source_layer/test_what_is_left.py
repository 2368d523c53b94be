"""What a removed document leaves, also where a build was stopped between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Summary
from tests.worlds import dumped, rows, write_records
from weft.errors import WeftError
from weft.skb import Skb

Weave = Callable[..., Summary]

PAGES = {
    "a.md": "# Alder Mill\n\nBuilt by Ada Orr.\n",
    "b.md": "# Ada Orr\n\nAda Orr was born in Sill.\n",
    "c.md": "# Sill\n\nA village.\n",
}
DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="en"><page><title>{}</title><ns>0</ns>'
    "<id>1</id><revision><id>1</id><text>{}</text></revision></page></mediawiki>"
)


def _files(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _rebuilt(tmp_path: Path, *sources: Path, **options: object) -> list[str]:
    output = tmp_path / "rebuilt.skb"
    build(Request(tuple(map(str, sources)), output, workers=1, **options))  # type: ignore[arg-type]
    return dumped(output, vectors=True)


def _is_content(line: str) -> bool:
    return not line.startswith('{"table": "source_item"')


@pytest.mark.parametrize("text", [None, "# Ada Orr\n\nAda Orr lived in Sill.\n"])
def test_old_content_behind_a_stopped_build_gives_what_a_rebuild_does(
    weave: Weave, tmp_path: Path, text: str | None
) -> None:
    source, output = _files(tmp_path / "src", PAGES), tmp_path / "kb.skb"
    weave(source)
    (source / "b.md").unlink() if text is None else (source / "b.md").write_text(text, encoding="utf-8")
    with pytest.raises(WeftError):
        # Stops behind the reading of documents: nobody listens there.
        build(Request((str(source),), output, sparql="http://127.0.0.1:9/sparql", workers=1))
    _files(source, PAGES)
    weave(source)
    with Skb(output) as skb:
        assert not list(problems(skb.connection, output))
    assert dumped(output, vectors=True) == _rebuilt(tmp_path, source)


def test_facts_of_a_removed_page_are_none_of_a_later_fact_file(weave: Weave, tmp_path: Path) -> None:
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(DUMP.format("Alder", "Alder is near [[Secret Mill]]."), encoding="utf-8")
    box = "{{Infobox mill\n| owner = Zebulon Secretperson\n}}\nThe mill."
    second.write_text(DUMP.format("Secret Mill", box), encoding="utf-8")
    triples = write_records(
        tmp_path / "t.jsonl", [{"subject": "Alder", "predicate": "near", "object": "Secret Mill"}]
    )
    weave(first, second)
    weave(first, triples=(str(triples),))
    assert rows(tmp_path / "kb.skb", "SELECT value FROM attribute") == []
    assert dumped(tmp_path / "kb.skb", vectors=True) == _rebuilt(tmp_path, first, triples=(str(triples),))


def test_links_by_path_do_not_keep_a_removed_title(weave: Weave, tmp_path: Path) -> None:
    texts = {
        "a.md": "# Notes\n\nSee [here](b.md).\n",
        "b.md": "# Zebulon Quarrington dossier\n\nSecret.\n",
        "c.md": "# Copy\n\nSee [here](b.md).\n",
        "d.md": "# Copy\n\nSee [here](b.md).\n",
    }
    source, output = _files(tmp_path / "src", texts), tmp_path / "kb.skb"
    weave(source)
    whole = dumped(output, vectors=True)
    remove(output, ["Zebulon Quarrington dossier"])
    assert b"Zebulon" not in output.read_bytes()
    assert rows(output, "SELECT DISTINCT target FROM link") == [("B",)]
    left = dumped(output, vectors=True)
    (source / "b.md").unlink()
    # The linking documents have hashes of no content, so that the next build reads them.
    assert list(filter(_is_content, left)) == list(filter(_is_content, _rebuilt(tmp_path, source)))
    # What comes back is linked again.
    _files(source, texts)
    weave(source)
    assert dumped(output, vectors=True) == whole
