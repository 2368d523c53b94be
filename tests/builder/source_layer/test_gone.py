"""Files that are gone from a folder are removed, though another file of it could not be read to its end."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from click.testing import CliRunner

from interfaces.cli import main

PAGE = "<page><title>{0}</title><ns>0</ns><revision><text>{0} is a mill.</text></revision></page>"


def _titles(path: Path) -> set[str]:
    with sqlite3.connect(path) as connection:
        return {title for (title,) in connection.execute("SELECT title FROM page")}


def test_a_broken_file_keeps_its_own_pages_and_no_others(tmp_path: Path) -> None:
    folder, output = tmp_path / "docs", tmp_path / "kb.skb"
    folder.mkdir()
    dump = f"<mediawiki>{''.join(map(PAGE.format, ('Ash', 'Elm')))}</mediawiki>"
    (folder / "dump.xml").write_text(dump, encoding="utf-8")
    for title in ("Oak", "Yew"):
        (folder / f"{title}.md").write_text(f"# {title}\n\n{title} is a mill.\n", encoding="utf-8")
    command = ["build", str(folder), "-o", str(output), "--workers", "1"]
    assert CliRunner().invoke(main, command).exit_code == 0
    (folder / "dump.xml").write_text(dump[: dump.index("<title>Elm")], encoding="utf-8")
    (folder / "Yew.md").unlink()
    planned = CliRunner().invoke(main, [*command, "--dry-run"])
    assert "would remove 1 document of docs, no longer there: Yew.md" in planned.output
    result = CliRunner().invoke(main, command)
    assert "removed 1 document no longer in the sources" in result.stderr
    assert "docs: not read to its end, so nothing of it but files that are gone was removed" in result.stderr
    assert _titles(output) == {"Ash", "Elm", "Oak"}
    (folder / "dump.xml").write_text(f"<mediawiki>{PAGE.format('Ash')}</mediawiki>", encoding="utf-8")
    assert CliRunner().invoke(main, command).exit_code == 0
    assert _titles(output) == {"Ash", "Oak"}
