"""Templates of numbers: values, fractions, money, chemistry, and measures with their conversion."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import floor, log10
from typing import NamedTuple

from builder.readers.wikitext.state import Call, Page

Rule = Callable[[Call, Page], str]
PLAIN_NUMBER = re.compile(r"([-−+]?)(\d{1,30})((?:\.\d{1,30})?)$")


class Unit(NamedTuple):
    """A unit: its symbol, its names, its size in the unit of its kind, and what it is converted to."""

    symbol: str
    name: str
    plural: str
    size: float
    target: str


UNITS = {
    fields[0]: Unit(fields[1], fields[2], fields[3], float(fields[4]), fields[5])
    for fields in (
        line.split("|")
        for line in """
mm|mm|millimetre|millimetres|0.001|in
cm|cm|centimetre|centimetres|0.01|in
m|m|metre|metres|1|ft
km|km|kilometre|kilometres|1000|mi
in|in|inch|inches|0.0254|mm
ft|ft|foot|feet|0.3048|m
foot|ft|foot|feet|0.3048|m
yd|yd|yard|yards|0.9144|m
mi|mi|mile|miles|1609.344|km
nmi|nmi|nautical mile|nautical miles|1852|km
m2|m²|square metre|square metres|1|sqft
km2|km²|square kilometre|square kilometres|1000000|sqmi
ha|ha|hectare|hectares|10000|acre
acre|acres|acre|acres|4046.8564224|ha
sqft|sq ft|square foot|square feet|0.09290304|m2
sqmi|sq mi|square mile|square miles|2589988.110336|km2
m3|m³|cubic metre|cubic metres|1|cuft
km3|km³|cubic kilometre|cubic kilometres|1000000000|cumi
cuft|cu ft|cubic foot|cubic feet|0.028316846592|m3
cumi|cu mi|cubic mile|cubic miles|4168181825.44|km3
l|L|litre|litres|0.001|impgal
L|L|litre|litres|0.001|USgal
USgal|US gal|US gallon|US gallons|0.003785411784|L
impgal|imp gal|imperial gallon|imperial gallons|0.00454609|L
g|g|gram|grams|0.001|oz
kg|kg|kilogram|kilograms|1|lb
t|t|tonne|tonnes|1000|LT
oz|oz|ounce|ounces|0.028349523125|g
lb|lb|pound|pounds|0.45359237|kg
LT|long tons|long ton|long tons|1016.0469088|t
ST|short tons|short ton|short tons|907.18474|t
km/h|km/h|kilometre per hour|kilometres per hour|0.277777777778|mph
mph|mph|mile per hour|miles per hour|0.44704|km/h
m/s|m/s|metre per second|metres per second|1|ft/s
ft/s|ft/s|foot per second|feet per second|0.3048|m/s
kn|kn|knot|knots|0.514444444444|km/h
kW|kW|kilowatt|kilowatts|1000|hp
hp|hp|horsepower|horsepower|745.69987158|kW
/km2|/km²|inhabitants per square kilometre|inhabitants per square kilometre|0.000001|/sqmi
PD/km2|/km²|inhabitants per square kilometre|inhabitants per square kilometre|0.000001|/sqmi
/sqmi|/sq mi|inhabitants per square mile|inhabitants per square mile|0.00000038610216|/km2
PD/sqmi|/sq mi|inhabitants per square mile|inhabitants per square mile|0.00000038610216|/km2
m3/s|m³/s|cubic metre per second|cubic metres per second|1|cuft/s
cuft/s|cu ft/s|cubic foot per second|cubic feet per second|0.028316846592|m3/s
MPa|MPa|megapascal|megapascals|1000000|psi
psi|psi|pound per square inch|pounds per square inch|6894.757293168|kPa
kPa|kPa|kilopascal|kilopascals|1000|psi
"""[1:-1].split("\n")
    )
}
ALIASES = {
    "meter": "m", "metre": "m", "meters": "m", "metres": "m", "kilometers": "km", "kilometres": "km",
    "feet": "ft",
    "miles": "mi", "mile": "mi", "inch": "in", "inches": "in", "acres": "acre", "pound": "lb", "lbs": "lb",
    "sqkm": "km2", "sqm": "m2", "sq mi": "sqmi", "mi2": "sqmi", "sq ft": "sqft", "ft2": "sqft", "kph": "km/h",
    "tonne": "t", "tonnes": "t", "kg/km2": "/km2", "km²": "km2", "m²": "m2", "knot": "kn", "knots": "kn",
    "hectare": "ha", "°C": "C", "°F": "F", "degC": "C", "degF": "F", "cumecs": "m3/s", "yards": "yd",
}  # fmt: skip
CONJUNCTIONS = {
    "-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "to(-)": " to ", "by": " by ", "x": " × ",
    "*": " × ", "+": " + ", "and(-)": " and ", "to about": " to about ", "×": " × ", ",": ", ",
}  # fmt: skip
ON = frozenset(("on", "yes", "y", "1", "mos", "abbr"))


def grouped(text: str) -> str:
    """Return a number with commas between its thousands; what is no number, as it is."""
    found = PLAIN_NUMBER.match(text.strip())
    return f"{found[1].replace('-', '−')}{int(found[2]):,}{found[3]}" if found else text.strip()


def _value(text: str) -> float | None:
    found = PLAIN_NUMBER.match(text.replace(",", "").strip())
    return float(found[0].replace("−", "-")) if found else None


def _precision(text: str) -> int:
    """Return how many decimals a number is given with; trailing zeros of an integer count below zero."""
    digits = text.replace(",", "")
    if "." in digits:
        return len(digits.partition(".")[2])
    return -(len(digits) - len(digits.rstrip("0"))) if digits.strip("-−0") else 0


def converted(text: str, unit: Unit, target: Unit) -> str:
    """Return a number in another unit, as precise as it was given, with two significant digits at least."""
    value = _value(text)
    if not value:
        return "0"
    result = value * unit.size / target.size
    return rounded(
        result, max(floor(_precision(text) + log10(2 * abs(value / result))), 1 - floor(log10(abs(result))))
    )


def rounded(value: float, precision: int) -> str:
    """Return a number rounded to so many decimals, which may be below zero, with commas."""
    shown = round(value, precision)
    return (f"{shown:,.{precision}f}" if precision > 0 else f"{shown:,.0f}").replace("-", "−")


def _celsius(text: str, to_celsius: bool) -> str:
    value = _value(text) or 0.0
    result = (value - 32) / 1.8 if to_celsius else value * 1.8 + 32
    return rounded(result, max(0, _precision(text)))


def _convert(call: Call, page: Page) -> str:
    return _measure(call, call.get("abbr").lower())


def _short(call: Call, page: Page) -> str:
    return _measure(call, call.get("abbr").lower() or "on")


def _measure(call: Call, abbreviate: str) -> str:
    """Show a number, or several with a word between them, in the unit given and in another one."""
    args = [value.strip() for value in call.positional]
    count = 1
    while (
        count + 1 < len(args) and args[count].lower() in CONJUNCTIONS and _value(args[count + 1]) is not None
    ):
        count += 2
    numbers, signs, rest = (
        args[:count:2],
        [CONJUNCTIONS[sign.lower()] for sign in args[1:count:2]],
        args[count:],
    )
    if not rest or not numbers or _value(numbers[0]) is None:
        return " ".join(args[: count + 1])
    code = ALIASES.get(rest[0], rest[0])
    shown = _together([grouped(number.replace(",", "")) for number in numbers], signs)
    if code in ("C", "F"):
        other = _together([_celsius(number, code == "F") for number in numbers], signs)
        return f"{shown} °{code} ({other} °{'C' if code == 'F' else 'F'})"
    unit = UNITS.get(code) or UNITS.get(code.lower())
    if unit is None:
        return f"{shown} {rest[0]}"
    wanted = ALIASES.get(rest[1], rest[1]) if len(rest) > 1 else unit.target
    target = UNITS.get(wanted) or UNITS.get(unit.target)
    first = _named(shown, unit, call, abbreviate in ON, numbers[-1])
    if target is None or call.get("disp") in ("number", "unit", "preunit"):
        return first
    other = _together([converted(number, unit, target) for number in numbers], signs)
    second = f"{other}{'' if target.symbol[0] == '/' else ' '}{target.symbol}"
    return f"{first}; {second}" if call.get("disp") in ("or", "x|; ") else f"{first} ({second})"


def _together(numbers: list[str], signs: list[str]) -> str:
    return numbers[0] + "".join(sign + number for sign, number in zip(signs, numbers[1:], strict=False))


def _named(shown: str, unit: Unit, call: Call, short: bool, number: str) -> str:
    adjective = call.get("adj") in ("on", "mid")
    if short or unit.symbol[0] == "/":
        return f"{shown}{'' if unit.symbol[0] == '/' else ' '}{unit.symbol}"
    name = unit.name if adjective or _value(number) == 1 else unit.plural
    if call.get("sp") == "us":
        name = name.replace("metre", "meter").replace("litre", "liter")
    return f"{shown}-{name.replace(' ', '-')}" if adjective else f"{shown} {name}"


def _val(call: Call, page: Page) -> str:
    number, error = grouped(call.get("1")), call.get("2")
    if not number:
        return ""
    shown = number + (f"±{error}" if error and error[0] != "(" else error)
    if call.get("e"):
        shown += f"×10<sup>{call.get('e').replace('-', '−')}</sup>"
    unit = call.get("u", "ul", "up", "upl")
    return call.get("p") + shown + call.get("s") + (f" {unit}" if unit else "")


def _fraction(call: Call, page: Page) -> str:
    parts = [value.strip() for value in call.positional if value.strip()]
    if len(parts) >= 3:
        return f"{parts[0]}+{parts[1]}⁄{parts[2]}"
    return f"{parts[0]}⁄{parts[1]}" if len(parts) == 2 else f"1⁄{parts[0]}" if parts else "⁄"


def _slashed(call: Call, page: Page) -> str:
    parts = [value.strip() for value in call.positional if value.strip()]
    whole, pair = (parts[0] + "+", parts[1:3]) if len(parts) > 2 else ("", parts)
    return whole + ("/".join(pair) if len(pair) > 1 else "1/" + "".join(pair))


def _power(call: Call, page: Page) -> str:
    base, exponent = call.get("1"), call.get("2")
    return f"{base}<sup>{exponent}</sup>" if exponent else base


def _ten_to(call: Call, page: Page) -> str:
    return f"×10<sup>{call.get('1').replace('-', '−')}</sup>"


def _ordinal(call: Call, page: Page) -> str:
    number = call.get("1")
    if not number.isdecimal():
        return number
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def _formula(call: Call, page: Page) -> str:
    return "".join(value.strip() for value in call.positional)


def _money(sign: str) -> Rule:
    return lambda call, page: sign + grouped(call.get("1"))


def _number_of(call: Call, page: Page) -> str:
    return grouped(call.get("1"))


def _duration(call: Call, page: Page) -> str:
    hours, minutes, seconds = call.get("h", "1"), call.get("m", "2"), call.get("s", "3")
    return ":".join(
        part for part in (hours, minutes.zfill(2) if hours else minutes, seconds.zfill(2)) if part
    )


def _nuclide(call: Call, page: Page) -> str:
    return f"<sup>{call.get('2')}</sup>{call.get('1')}" if call.get("2") else call.get("1")


def _percent(call: Call, page: Page) -> str:
    part, whole = _value(call.get("1")), _value(call.get("2"))
    return (
        rounded(100 * part / whole, int(_value(call.get("3")[:1]) or 0)) + "%"
        if part is not None and whole
        else ""
    )


RULES: dict[str, Rule] = {
    "convert": _convert, "cvt": _short, "convinfobox": _short, "val": _val, "frac": _fraction,
    "fraction": _fraction, "sfrac": _slashed, "pow": _power, "e": _ten_to,
    "esp": lambda call, page: f"<sup>{call.get('1')}</sup>", "exp": _power,
    "10^": lambda call, page: f"10<sup>{call.get('1')}</sup>", "ordinal": _ordinal, "ord": _ordinal,
    "chem": _formula, "chem2": _formula, "ce": _formula, "nts": _number_of, "ntsh": lambda call, page: "",
    "formatnum": _number_of, "number table sorting": _number_of, "format price": _number_of,
    "gaps": _formula, "us$": _money("US$"), "usd": _money("US$"), "a$": _money("A$"), "aud": _money("A$"),
    "c$": _money("C$"), "cad": _money("C$"), "£": _money("£"), "gbp": _money("£"), "gbp2": _money("£"),
    "€": _money("€"), "eur": _money("€"), "inr": _money("₹"), "inrconvert": _money("₹"), "¥": _money("¥"),
    "jpy": _money("¥"), "cny": _money("CN¥"), "php": _money("₱"), "currency": _number_of,
    "duration": _duration, "nuclide": _nuclide, "nuclide2": _nuclide, "simplenuclide": _nuclide,
    "simplenuclide2": _nuclide, "percentage": _percent, "pct": _percent,
    "su": lambda call, page: f"{call.get('1', 'p')}{call.get('2', 'b')}",
    "height": lambda call, page: _height(call), "railgauge": lambda call, page: call.get("1"),
    "track gauge": lambda call, page: call.get("1"),
}  # fmt: skip


def _height(call: Call) -> str:
    if call.get("m"):
        return f"{call.get('m')} m"
    if call.get("cm"):
        return f"{call.get('cm')} cm"
    return f"{call.get('ft')} ft {call.get('in')} in" if call.get("ft") else ""
