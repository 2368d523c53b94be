"""Units of measure: what a unit measures, and how many of the base unit it is.

>>> unit_at("900 g of gold", 3), unit_at("60 miles per hour", 2).measure, unit_at("12 members", 2)
(Unit(measure='mass', scale=0.001, zero=0.0, end=5), 'length/time', None)
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Unit(NamedTuple):
    """What a unit measures, how many of the base unit it is, its zero in that, and where it ends in a text."""

    measure: str
    scale: float
    zero: float
    end: int


UNITS = {
    "length": "1 m metre meter 1e3 km kilometre kilometer 0.01 cm centimetre centimeter 0.001 mm millimetre millimeter"
    " 1609.344 mi mile 1852 nautical-mile 0.3048 ft foot feet 0.0254 inch inches in 0.9144 yd yard 1.8288 fathom"
    " 201.168 furlong 9.4607e15 light-year",
    # A ton is one of several units that differ by less than a sixth.
    "mass": "1 kg kilogram kilogramme 0.001 g gram gramme 1e-6 mg milligram milligramme 1e3 t tonne ton"
    " 0.45359237 lb pound 0.028349523125 oz ounce",
    "time": "1 s sec second 0.001 ms millisecond 60 min minute 3600 h hr hour 86400 day 604800 week 2629746 month"
    " 31556952 yr year 315569520 decade 3155695200 century centuries",
    "area": "1e4 ha hectare 4046.8564224 acre",
    "volume": "1e-3 l litre liter 1e-6 ml millilitre milliliter 1e-5 cl centilitre centiliter 0.1 hl hectolitre",
    "length/time": f"{1 / 3.6} kph kmh {1609.344 / 3600} mph {1852 / 3600} kn knot",
    "share": "1 % percent",
    "pounds": "1 £ gbp 0.01 p penny pence", "dollars": "1 $ usd dollar", "euros": "1 € eur euro",
    "bytes": "1e3 kb kilobyte 1e6 mb megabyte 1e9 gb gigabyte 1e12 tb terabyte",
    "power": "1e3 kw kilowatt 1e6 mw megawatt 1e9 gw gigawatt",
}  # fmt: skip
"""Of each measure its units behind how many of the base unit they are."""

DEGREES = {"c": (1.0, 0.0), "f": (5 / 9, -160 / 9)}
"""The scale and the zero of degrees, in those of Celsius."""

UNIT = re.compile(
    r"\s?-?(?:(square|sq\.?|cubic|cu\.?)[ -]?)?"
    r"(nautical[ ]miles?|light-years?|per[ ]cent(?!\w)|[a-zé]+(?![^\W\d_²³])|[%$£€])(?:([²³])|\^?([23])(?!\w))?", re.I,
)  # fmt: skip
DEGREE = re.compile(r"\s?(?:°|degrees?(?!\w))\s?(?:([cf])(?:elsius|ahrenheit)?(?!\w))?", re.I)
RATE = re.compile(r"\s?/\s?(?=[a-z])|\s(?:per|an?)(?=\s[a-z])", re.I)
INCH = re.compile(r"\s*(?:$|[).,;|])")
"""What stands behind the unit "in": elsewhere it is no unit."""


def _by_name() -> dict[str, tuple[str, float]]:
    found, scale = {}, 1.0
    for measure, units in UNITS.items():
        for word in units.split():
            if word[0].isdigit():
                scale = float(word)
            else:
                found[word] = measure, scale
    return found


BY_NAME = _by_name()


def unit_at(text: str, place: int, sign: str = "") -> Unit | None:
    """Return the unit that stands at a place of a text, behind a number: "km²", "miles per hour"; None without one.

    `sign` is that of a currency before the number.
    """
    unit = Unit(*BY_NAME[sign], 0.0, place) if sign else _degree(text, place) or _simple(text, place)
    rate = RATE.match(text, unit.end) if unit else None
    other = _simple(text, rate.end()) if rate else None
    if unit is None or other is None:
        return unit
    return Unit(f"{unit.measure}/{other.measure}", unit.scale / other.scale, 0.0, other.end)


def _degree(text: str, place: int) -> Unit | None:
    found = DEGREE.match(text, place)
    if found is None:
        return None
    # Of which scale bare degrees are is not told.
    scale, zero = DEGREES.get((found[1] or "").lower(), (1.0, 0.0))
    return Unit("temperature" if found[1] else "degrees", scale, zero, found.end())


def _simple(text: str, place: int) -> Unit | None:
    found = UNIT.match(text, place)
    if found is None:
        return None
    word, lower = found[2], found[2].lower().replace(" ", "-").replace("per-cent", "percent")
    name = lower if lower in BY_NAME else lower.removesuffix("s") if len(lower) > 2 else ""
    is_inch = lower != "in" or INCH.match(text, found.end()) is not None
    if name not in BY_NAME or not is_inch or (len(word) == 1 and word.isupper() and word != "L"):
        return None
    (measure, scale), power = BY_NAME[name], _power(found)
    if power == 1:
        return Unit(measure, scale, 0.0, found.end())
    return Unit({2: "area", 3: "volume"}[power], scale**power, 0.0, found.end()) if measure == "length" else None


def _power(unit: re.Match[str]) -> int:
    """Return 2 of a square unit, 3 of a cubic one, else 1."""
    if unit[1]:
        return 2 if unit[1].lower().startswith("s") else 3
    return int((unit[3] or unit[4] or "1").translate({ord("²"): "2", ord("³"): "3"}))
