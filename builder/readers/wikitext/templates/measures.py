"""Templates of numbers: measures as they are given, values, fractions, money, chemistry."""

from __future__ import annotations

import re

from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.phrases import given
from builder.readers.wikitext.templates.tables import by_name

PLAIN_NUMBER = re.compile(r"([-−+]?)(\d{1,30})((?:\.\d{1,30})?)$")
NUMBER = re.compile(r"[-−+]?\.?\d")
SYMBOLS = by_name("words", "unit")
CONJUNCTIONS = by_name("words", "between numbers")


def grouped(text: str) -> str:
    """Return a number with commas between its thousands; what is no number, as it is."""
    found = PLAIN_NUMBER.match(text.strip())
    return f"{found[1].replace('-', '−')}{int(found[2]):,}{found[3]}" if found else text.strip()


def _measure(call: Call, page: Page, value: str) -> str:
    """Show a quantity as it is given, all its parts (`5 ft 10 in`), in no other unit."""
    args = [arg.strip() for arg in call.positional]
    shown: list[str] = []
    index = 0
    while index < len(args) and (not shown or _is_quantity(args[index : index + 2])):
        number, index = _range(args, index)
        code = args[index] if index < len(args) else ""
        symbol = SYMBOLS.get(code, code)
        shown.append(number + symbol if symbol[:1] == "/" else f"{number} {symbol}".strip())
        index += 1
    return " ".join(shown)


def _is_quantity(args: list[str]) -> bool:
    """Tell a number with a unit from the number of digits to round to."""
    return len(args) == 2 and bool(NUMBER.match(args[0])) and not NUMBER.match(args[1])


def _range(args: list[str], index: int) -> tuple[str, int]:
    """Return one number, or several with the words between them, and the index behind them."""
    shown = grouped(args[index].replace(",", ""))
    while index + 2 < len(args) and args[index + 1].lower() in CONJUNCTIONS and NUMBER.match(args[index + 2]):
        shown += CONJUNCTIONS[args[index + 1].lower()] + grouped(args[index + 2].replace(",", ""))
        index += 2
    return shown, index + 1


def _value(call: Call, page: Page, value: str) -> str:
    number, error = grouped(call.get("1")), call.get("2")
    if not number:
        return ""
    shown = number + (f"±{error}" if error and error[0] != "(" else error)
    if call.get("e"):
        shown += f"×10<sup>{call.get('e').replace('-', '−')}</sup>"
    unit = call.get("u", "ul", "up", "upl")
    return call.get("p") + shown + call.get("s") + (f" {unit}" if unit else "")


def _fraction(call: Call, page: Page, stroke: str) -> str:
    parts = given(call)[:3]
    *whole, above, below = parts if len(parts) > 1 else ["1", *(parts or [""])]
    return "+".join([*whole, f"{above}{stroke}{below}"])


def _power(call: Call, page: Page, base: str) -> str:
    base, exponent = (base, call.get("1")) if base else (call.get("1"), call.get("2"))
    return f"{base}<sup>{exponent.replace('-', '−')}</sup>" if exponent else base


def _ordinal(call: Call, page: Page, value: str) -> str:
    number = call.get("1")
    if not number.isdecimal():
        return number
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def _number(call: Call, page: Page, sign: str) -> str:
    return sign + grouped(call.get("1"))


def _duration(call: Call, page: Page, value: str) -> str:
    hours, minutes, seconds = call.get("h", "1"), call.get("m", "2"), call.get("s", "3")
    parts = (hours, minutes.zfill(2) if hours else minutes, seconds.zfill(2))
    return ":".join(part for part in parts if part)


def _percentage(call: Call, page: Page, value: str) -> str:
    try:
        return f"{100 * float(call.get('1')) / float(call.get('2')):.{int(call.get('3') or 0)}f}%"
    except (ValueError, ArithmeticError):
        return ""


RULES: dict[str, Rule] = {
    "measure": _measure, "value": _value, "fraction": _fraction, "power": _power, "ordinal": _ordinal,
    "number": _number, "duration": _duration, "percentage": _percentage,
}  # fmt: skip
