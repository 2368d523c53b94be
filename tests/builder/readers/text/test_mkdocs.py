"""Admonitions and tabs of MkDocs, read as a label and the text below it."""

from __future__ import annotations

import pytest

from builder.readers.text.extensions.mkdocs import MOST_DEEP, plain_markdown, plain_text
from builder.readers.text.files import document_of
from tests.growth import Run, check_growth

TEXT = """# Kiln

Before.
!!! warning "Hot glaze"
    Stand *back*.

    - Wear gloves.

    ```
    kiln --stop

      !!! now
    ```
Behind.

=== ":octicons-file-code-16: kiln.toml"

    === "Slow"

        ```toml
        rate = 60
        ```

    === "Fast"

        Fire at 180.

??? question "Why?"
    Since it cracks.

1. Load it.

    !!! tip inline end
        Leave gaps.

    Shut it.
"""


def passages(text: str) -> list[tuple[str, str]]:
    return [(chunk.kind, chunk.text) for chunk in document_of(text, "kiln.md", {}).chunks]


def test_a_block_is_a_label_and_the_text_below_it() -> None:
    assert passages(TEXT) == [
        ("paragraph", "Before."), ("paragraph", "Hot glaze:"), ("paragraph", "Stand back."), ("list", "Wear gloves."),
        ("code", "kiln --stop\n\n  !!! now"), ("paragraph", "Behind."), ("paragraph", "kiln.toml:"),
        ("paragraph", "Slow:"), ("code", "rate = 60"), ("paragraph", "Fast:"), ("paragraph", "Fire at 180."),
        ("paragraph", "Why?"), ("paragraph", "Since it cracks."),
        ("list", "Load it. Tip: Leave gaps. Shut it."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["Title\n===\n\nA text.", "=== Kiln ===", "!!!", "!!! ", "Stop!!! note", "??? ", 'a === "b"', "    !!! note x\n",
     "~~~\n!!! note\n    x\n~~~", "!!! " + "a" * 400, '=== ""', "!!!note\n    x",
     "!!! Mind this well\n\nText."],
)  # fmt: skip
def test_other_text_stays_as_it_is(text: str) -> None:
    assert plain_markdown(text) in (text, text.lstrip("\n"))


def test_blocks_end_where_they_are_no_longer_indented() -> None:
    assert plain_markdown('!!! danger ""\n    Hot.\nTitle\n=====') == "Hot.\n\nTitle\n====="
    deep = "\n".join(f"{'    ' * depth}!!! note" for depth in range(MOST_DEEP + 5))
    assert plain_markdown("!!! note\n    !!! tip\n") == "Note:\n\n!!! tip\n"
    assert plain_markdown(deep).count("Note:") == MOST_DEEP


@pytest.mark.parametrize(
    "run",
    [
        Run("!!! note\n"),
        Run(" ", "!!! a", "b"),
        Run("    !!! note\n    x\n", "!!! note\n"),
        Run("/// tab | x\n", "", "///"),
    ],
    ids=repr,
)
def test_blocks_are_read_in_linear_time(run: Run) -> None:
    check_growth(plain_markdown, run)


@pytest.mark.parametrize(
    "run", [Run("{.a "), Run(".a ", "{"), Run('a="', "{"), Run(":material-a"), Run("-a", ":simple"), Run("{")], ids=repr
)
def test_what_styles_a_text_is_found_in_linear_time(run: Run) -> None:
    check_growth(plain_text, run)


SLASHED = """# Kiln

/// admonition | Glaze
    type: tip

Stir it.

//// tab | Slow
`#!sh kiln 60`, see rates and the lid.
////
///

/// html | div
Shown.
///

/// no block of these

- :octicons-package-24: Type bool{ title="kind" }
- Keep {x} and a[i][j] and 10:30-11:00: as they are. ![x](y.png){ width=50% }
"""


def test_blocks_between_slashes_and_what_only_styles_a_text_are_left_out() -> None:
    assert passages(SLASHED) == [
        ("paragraph", "Glaze:"), ("paragraph", "Stir it."), ("paragraph", "Slow:"),
        ("paragraph", "kiln 60, see rates and the lid."), ("paragraph", "Shown."),
        ("paragraph", "/// no block of these"),
        ("list", "Type bool (kind)\nKeep {x} and a[i][j] and 10:30-11:00: as they are."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [("/// a doc comment", "/// a doc comment"), ("/// tab | X\n\ntext", "/// tab | X"),
     ("see /// tab\n///", "see /// tab ///"), ("`#!/bin/sh -e`", "#!/bin/sh -e"), ("a{b=c}", "a{b=c}")],
)  # fmt: skip
def test_slashes_and_braces_of_other_kinds_stay(text: str, shown: str) -> None:
    assert passages(text)[0] == ("paragraph", shown)


def test_the_name_of_a_file_to_be_shown_is_no_text() -> None:
    text = '# Kiln\n\n--8<-- "CHANGELOG.md"\n\nHot.\n\n```\n--8<-- "kiln.sh"\nstop\n```\n\nCut --8<-- "here".'
    assert passages(text) == [("paragraph", "Hot."), ("code", "stop"), ("paragraph", 'Cut --8<-- "here".')]
