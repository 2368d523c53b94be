"""Parser functions that articles use: `{{#if: a | b}}`, `{{#ifeq: a | b | c}}`, `{{#switch: a | a = b}}`, `{{lc:A}}`.

What stands behind the colon is their first argument. Others that begin with
`#` show nothing: what they would compute is not written.
"""

from __future__ import annotations

from builder.readers.wikitext.state import Call, Page, Rule


def _written(call: Call, index: int) -> str:
    """Return an argument as it stands, an equal sign in it included; empty where there are fewer."""
    if index >= len(call.arguments):
        return ""
    name, value = call.arguments[index]
    return (value if name is None else f"{name}={value}").strip()


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _if(call: Call, page: Page, value: str) -> str:
    return _written(call, 1 if _written(call, 0) else 2)


def _if_equal(call: Call, page: Page, value: str) -> str:
    return _written(call, 2 if _number(_written(call, 0)) == _number(_written(call, 1)) else 3)


def _switch(call: Call, page: Page, value: str) -> str:
    """Return the value of the first case that fits; one without a value has that of the next case with one."""
    tested, *cases = call.arguments
    default = ""
    fits = is_default = False
    for name, shown in cases:
        case = (shown if name is None else name).strip()
        fits = fits or _number(case) == _number(tested[1])
        is_default = is_default or case == "#default"
        if name is not None and fits:
            return shown.strip()
        if name is not None and is_default:
            default, is_default = shown.strip(), False
    # A last case without a value is the default.
    return _written(call, len(cases)) if cases and cases[-1][0] is None else default


def _cased(call: Call, page: Page, case: str) -> str:
    """Show text in `lower` or `upper` case, all of it or its `first` letter."""
    text = call.get("1")
    end = 1 if case.endswith("first") else len(text)
    return (text[:end].lower() if case.startswith("lower") else text[:end].upper()) + text[end:]


RULES: dict[str, Rule] = {"if": _if, "if equal": _if_equal, "switch": _switch, "case": _cased}
