"""What looks like front matter and cannot be read soon is text."""

from __future__ import annotations

import pytest

from builder.readers.text.front_matter import split_front_matter


@pytest.mark.parametrize(
    "lines",
    [
        "a = " + "[" * 20_000, "a" + ".a" * 100 + " = 1", "[a" + " . a" * 100 + "]", "a = 1" + "1" * 5000,
        "a = 0x" + "f" * 5000, "a = {" + "b.c." * 30 + "d = 1}",
    ],
    ids=["deep", "parts", "table", "digits", "hexadecimal", "inline"],
)  # fmt: skip
def test_toml_that_asks_for_too_much_is_text(lines: str) -> None:
    text = f"+++\n{lines}\n+++\n# A\n\nText.\n"
    assert split_front_matter(text) == ({}, text)


def test_toml_with_keys_of_some_parts_and_many_dots_in_a_string_is_read() -> None:
    text = '+++\na.b.c = 1\ntitle = "A. B. C. ' + "Some words. " * 100 + '"\n+++\nText.\n'
    head, body = split_front_matter(text)
    assert head["title"][0].startswith("A. B. C. Some") and body == "Text.\n"
