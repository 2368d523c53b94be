"""What looks like front matter and cannot be read, or not soon, stays as text, and no document is lost for it."""

from __future__ import annotations

import pytest

from builder.documents.records import Document
from builder.readers.text.files import parse
from builder.readers.text.front_matter import LONGEST, split_front_matter

NOT_YAML = [
    "title: A: B", "title: 'A", "a: [1, 2", "a:\n\tb: c", "a: *unknown", "title: @x",
    "a: " + "[" * 5000, "a: " + "{a:" * 1500, "a:\n" + "- " * 3000 + "b", "a: &x [*x]", "a: b\n? [a]\n: b", "a: \ufffe",
]  # fmt: skip
NOT_TOML = [
    "title = A", "a = " + "[" * 5000, "a = 1" + "1" * 5000, "a = 0x" + "f" * 5000, "a = {" + "b.c." * 30 + "d = 1",
    "title = 'A'\ntitle = 'B'",
]  # fmt: skip


def _document(text: str) -> Document:
    document = parse("a_file.md", (text.encode(), (), None, (), None))
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize(
    ("rule", "name", "lines"),
    [("---", "YAML", each) for each in NOT_YAML] + [("+++", "TOML", each) for each in NOT_TOML],
    ids=lambda each: each[:12],
)
def test_front_matter_that_cannot_be_read_is_code_and_noted(rule: str, name: str, lines: str) -> None:
    document = _document(f"{rule}\n{lines}\n{rule}\n# A\n\nText.\n")
    assert document.title == "A"
    assert [(chunk.kind, chunk.text) for chunk in document.chunks] == [("code", lines), ("paragraph", "Text.")]
    assert document.note == f"the front matter is not {name} that can be read; kept as code"


@pytest.mark.parametrize(
    "lines",
    ["k: v\n" * 10_000, "tags: [" + "a, " * 20_000 + "]\n", "title: " + "a" * LONGEST + "\n"],
    ids=["keys", "list", "title"],
)
def test_what_is_longer_than_front_matter_is_text(lines: str) -> None:
    text = f"---\n{lines}---\n# A\n\nText.\n"
    assert split_front_matter(text) == ({}, text, "", "")


@pytest.mark.parametrize("part", ["a", '"a b"', "'a . b'"])
def test_a_toml_key_of_very_many_parts_is_text(part: str) -> None:
    text = "+++\n" + ".".join([part] * 20_000) + " = 1\n+++\n# A\n\nText.\n"
    assert split_front_matter(text).body == text


def test_toml_with_keys_of_some_parts_and_many_dots_in_a_string_is_read() -> None:
    text = '+++\na.b.c = 1\ntitle = "A. B. C. ' + "Some words. " * 100 + '"\n+++\nText.\n'
    front = split_front_matter(text)
    assert front.values["title"][0].startswith("A. B. C. Some") and front.body == "Text.\n"


def test_an_alias_is_not_expanded() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    front = split_front_matter("---\n" + "\n".join(lines) + "\n---\nText.")
    assert front.values["a0"] == ["x"] and front.values["a39"] == []
