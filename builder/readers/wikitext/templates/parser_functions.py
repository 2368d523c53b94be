"""Parser functions and magic words: `{{#if: a | b}}`, `{{lc:A}}`, `{{PAGENAME}}` as what they come to."""

from __future__ import annotations

from collections.abc import Callable

from builder.readers.wikitext.state import Call, Page
from weft.text.names import title_of

Function = Callable[[list[str], Page], str]


def function(call: Call, page: Page) -> str | None:
    """Return what a parser function comes to; None when the name is a template's that has a colon in it."""
    name, colon, first = call.head.partition(":")
    name = " ".join(name.lower().split())
    if name in ("safesubst", "subst"):
        name, colon, first = first.partition(":")
        name = name.strip().lower()
    rule = FUNCTIONS.get(name)
    if rule is None or not colon:
        return "" if name.startswith("#") else None
    return rule([first.strip(), *_arguments(call)], page)


def _arguments(call: Call) -> list[str]:
    """Return the arguments as they stood, as far as that matters: those with a name behind the others."""
    return [
        *(value.strip() for value in call.positional),
        *(f"{key}={value}" for key, value in call.named.items()),
    ]


def _get(args: list[str], index: int) -> str:
    return args[index] if index < len(args) else ""


def _if(args: list[str], page: Page) -> str:
    return _get(args, 1 if args[0] else 2)


def _if_equal(args: list[str], page: Page) -> str:
    return _get(args, 2 if _number(args[0]) == _number(_get(args, 1)) else 3)


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _switch(args: list[str], page: Page) -> str:
    default = ""
    for arg in args[1:]:
        key, equals, value = arg.partition("=")
        if not equals:
            default = arg
        elif key.strip() == args[0]:
            return value.strip()
        elif key.strip() == "#default":
            default = value.strip()
    return default


def _format_number(args: list[str], page: Page) -> str:
    from builder.readers.wikitext.templates.measures import grouped

    return grouped(args[0])


def _pad_left(args: list[str], page: Page) -> str:
    width = int(_get(args, 1)) if _get(args, 1).isdecimal() else 0
    return args[0].rjust(min(width, 50), (_get(args, 2) or "0")[0])


def _nothing(args: list[str], page: Page) -> str:
    return ""


FUNCTIONS: dict[str, Function] = {
    "#if": _if,
    "#ifeq": _if_equal,
    "#switch": _switch,
    "#iferror": lambda args, page: _get(args, 2) or args[0],
    "#ifexist": lambda args, page: _get(args, 1),
    "#ifexpr": lambda args, page: _get(args, 2),
    "#language": lambda args, page: args[0],
    "lc": lambda args, page: args[0].lower(),
    "uc": lambda args, page: args[0].upper(),
    "lcfirst": lambda args, page: args[0][:1].lower() + args[0][1:],
    "ucfirst": lambda args, page: args[0][:1].upper() + args[0][1:],
    "formatnum": _format_number,
    "padleft": _pad_left,
    "plural": lambda args, page: _get(args, 1 if args[0] == "1" else 2),
    "urlencode": lambda args, page: args[0],
    "nowrap": lambda args, page: args[0],
    **dict.fromkeys(
        """defaultsort displaytitle defaultsortkey sortkey anchorencode fullurl localurl canonicalurl ns nse
    filepath int gender sortierung tri noexternallanglinks protectionlevel pagesincat pagesize
    numberingroup""".split(),
        _nothing,
    ),
}


def variable(name: str) -> Callable[[Call, Page], str]:
    """Return the rule of a magic word that needs no argument."""
    return VARIABLES[name]


VARIABLES: dict[str, Callable[[Call, Page], str]] = {
    "pagename": lambda call, page: page.title,
    "fullpagename": lambda call, page: page.title,
    "basepagename": lambda call, page: page.title,
    "subpagename": lambda call, page: page.title.rpartition("/")[2],
    "pagenamebase": lambda call, page: title_of(page.title.partition(" (")[0]),
    "currentyear": lambda call, page: page.date[:4],
    "currentmonth": lambda call, page: page.date[5:7],
    "currentday": lambda call, page: page.date[8:10].lstrip("0"),
    "!": lambda call, page: "|",
    "!!": lambda call, page: "||",
    "=": lambda call, page: "=",
    "!-": lambda call, page: "|-",
    "(!": lambda call, page: "{|",
    "!)": lambda call, page: "|}",
}
