"""Defaults and usage lines of options, as manuals tell them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.options.defaults import default, default_in
from retriever.answers.options.usage import said_of_option
from retriever.searcher import Searcher
from tests.growth import Run, check_growth
from tests.searching import searcher_over

MANUAL = """Settings of the kiln.

`ramp_rate` (default: slow: 60, fast: 180)
: Degrees an hour. Beside soak_time, with a default of 45 minutes, it tells how long a firing takes.

`soak_time`
: How long the kiln holds its heat. It defaults to 20 minutes unless a cone is named.

`log_file`
: Where firings are written, by default to "firings.log".

`vent`
: (boolean, default false) Whether the lid is opened at 400 degrees.

`damper`
: The damper is closed at the end. Its default was different once.

## cone

The cone that ends a firing. The default is to ask for one.

## kiln_name

A name of at most 12 letters, "kiln" by default.

## Usage

```
Usage: kiln [options] NAME

  -q, --quiet        Print nothing.
  -s, --stay-open N  Leave the lid open for N minutes
                     behind the last firing [default: 15]
  --cool
      Blow cold air in.
```
"""


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("kiln"), {"Kiln": MANUAL}) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the default of ramp_rate?", "slow: 60, fast: 180"), ("default value of soak_time", "20 minutes"),
        ("How long is soak_time by default?", "20 minutes"),
        ("soak_time default", "20 minutes"), ("What is log_file by default?", "firings.log"),
        ("What does kiln_name default to?", "kiln"), ("Is vent enabled by default?", "no"),
        ("Is the vent off by default?", "yes"), ("What is the default for --stay-open?", "15"),
        ("what does --stay-open do?", "Leave the lid open for N minutes behind the last firing [default: 15]"),
        ("What is --cool for?", "Blow cold air in"), ("--quiet", "Print nothing"),
    ],
)  # fmt: skip
def test_what_is_told_of_an_option_answers(kiln: Searcher, question: str, answer: str) -> None:
    found = find_answer(kiln, question)
    assert found.answer.text == answer
    (cited, *_) = found.answer.citations
    chunk = kiln.session.skb.chunk(cited.uri)
    assert chunk is not None
    assert answer in ("yes", "no") or answer.split()[0] in chunk.text[slice(*cited.span)]


@pytest.mark.parametrize(
    "question",
    ["What is the default of damper?", "What is the default cone?", "What is the default of soak_time and ramp_rate?",
     "How long is soak_time?", "Which option changes the default of soak_time?",
     "Where does log_file write by default?", "Is log_file enabled by default?",
     "How many degrees is log_file by default?"],
)  # fmt: skip
def test_no_default_is_made_up(kiln: Searcher, question: str) -> None:
    assert default(reading_of(kiln, question)) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("The default value is 600.", "600"), ("Default: 2.5", "2.5"), ("Defaults to 'utf-8', as ever", "utf-8"),
     ("timeout=30 by default", "30"), ("By default, it is set to 10 when idle", "10"), ("(default no)", "no"),
     ("Syntax | Rate default\nDefault: | Rate 200", "Rate 200"),
     ("ascii, utf-8 (default) or none", "utf-8"), ("Type False (default value)", "False"),
     ("It is the default.", None), ("The default is to wait.", None), ("Defaults are read first.", None),
     ("(default: )", None), ("", None)],
)  # fmt: skip
def test_values_stand_where_texts_tell_a_default(text: str, value: str | None) -> None:
    told = default_in(text)
    assert (told and told[0]) == value
    assert told is None or text[slice(*told[1])] == value


def test_an_option_without_its_dashes_is_found_in_a_usage_text() -> None:
    assert [*said_of_option("-a, --all  Everything.", "all")] == [(11, 22)]
    assert not [*said_of_option("-a, --all  Everything.", "ll")]


@pytest.mark.parametrize(
    "run", [Run("default: "), Run("("), Run("(a, "), Run("  -a\n"), Run("  -a"), Run("x", "", " by default")], ids=repr
)
def test_long_texts_take_linear_time(run: Run) -> None:
    check_growth(lambda text: (default_in(text), [*said_of_option(text, "--none")]), run)
