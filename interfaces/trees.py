"""Print nested dictionaries and lists for people."""

from __future__ import annotations

from typing import Any

from interfaces.output import say

MANY, TOO_MANY = 1e4, 1e15
"""From the first on, four digits leave something of a whole number out; from the second on, a double does."""


def print_tree(value: Any, indent: int = 0) -> None:
    """Print nested dictionaries and lists as indented lines; texts of several lines keep them, one deeper."""
    for key, each in value.items():
        _print_entry(f"{'  ' * indent}{key}:", each, indent)


def _print_entry(head: str, value: Any, indent: int) -> None:
    if isinstance(value, dict) and value:
        say(head)
        print_tree(value, indent + 1)
    elif isinstance(value, list) and value:
        say(head)
        for each in value:
            _print_item(each, indent + 1)
    elif isinstance(value, str) and "\n" in value:
        say(head)
        for line in value.split("\n"):
            say("  " * (indent + 1) + line)
    else:
        say(f"{head} {_scalar(value)}")


def _print_item(value: Any, indent: int) -> None:
    pad = "  " * indent
    if not isinstance(value, dict):
        say(pad + _scalar(value))
        return
    plain = {key: each for key, each in value.items() if not isinstance(each, dict | list)}
    say(pad + ", ".join(f"{key} {_scalar(each)}" for key, each in plain.items()))
    print_tree({key: each for key, each in value.items() if key not in plain}, indent + 1)


def _scalar(value: Any) -> str:
    """Return a value in one line."""
    if value is None or value in ([], {}, ""):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int):
        return f"{value:,}"
    return " ".join(str(value).split())


def number(value: float) -> str:
    """Return a number as people write it: small ones by four digits, large ones with their whole part.

    >>> number(412_000.0), number(12_345.678), number(9.81234), number(0.00001234)
    ('412,000', '12,345.68', '9.812', '1.234e-05')
    """
    if MANY <= abs(value) < TOO_MANY:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:.4g}"
