"""Parser functions that articles use: `{{#if: a | b}}`, `{{#ifeq: a | b | c}}`, `{{#switch: a | a = b}}`, `{{lc:A}}`.

Others that begin with `#` show nothing: what they would compute is not written.
"""

from __future__ import annotations

from collections.abc import Callable

from builder.readers.wikitext.state import Call
from builder.readers.wikitext.templates.measures import grouped

WORDS: dict[str, Callable[[str], str]] = {
    "lc": str.lower, "uc": str.upper, "lcfirst": lambda text: text[:1].lower() + text[1:],
    "ucfirst": lambda text: text[:1].upper() + text[1:], "formatnum": grouped, "nowrap": str, "urlencode": str,
}  # fmt: skip
SILENT = frozenset(
    """defaultsort displaytitle defaultsortkey sortkey anchorencode fullurl localurl canonicalurl ns nse
    filepath int gender sortierung tri noexternallanglinks protectionlevel pagesincat pagesize
    numberingroup""".split()
)


def parser_function(call: Call) -> str | None:
    """Return what a parser function comes to; None when the name is a template's that has a colon in it."""
    name, colon, first = call.head.partition(":")
    name = " ".join(name.lower().split())
    if name in ("safesubst", "subst"):
        name, colon, first = first.partition(":")
        name = name.strip().lower()
    if colon and name in CHOICES:
        return CHOICES[name](first.strip(), call)
    if colon and name in WORDS:
        return WORDS[name](first.strip())
    return "" if name.startswith("#") or (colon and name in SILENT) else None


def _written(call: Call, index: int) -> str:
    """Return an argument as it stands, an equal sign in it included; empty where there are fewer."""
    if index >= len(call.arguments):
        return ""
    name, value = call.arguments[index]
    return (value if name is None else f"{name}={value}").strip()


def _if(test: str, call: Call) -> str:
    return _written(call, 0 if test else 1)


def _if_equal(test: str, call: Call) -> str:
    return _written(call, 1 if _number(test) == _number(_written(call, 0)) else 2)


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _switch(test: str, call: Call) -> str:
    """Return the value of the first case that fits; one without a value has that of the next case with one."""
    default = ""
    fits = is_default = False
    for name, value in call.arguments:
        case = (value if name is None else name).strip()
        fits = fits or _number(case) == _number(test)
        is_default = is_default or case == "#default"
        if name is not None and fits:
            return value.strip()
        if name is not None and is_default:
            default, is_default = value.strip(), False
    # A last case without a value is the default.
    return _written(call, len(call.arguments) - 1) if call.arguments and call.arguments[-1][0] is None else default


CHOICES: dict[str, Callable[[str, Call], str]] = {"#if": _if, "#ifeq": _if_equal, "#switch": _switch}
