"""Units: how a text, a column or the key of a row says what a number measures.

>>> with_unit("94", unit_of("Length (km)")), with_unit("1,250", unit_of("Price [£]")), with_unit("not found", "m")
('94 km', '£1,250', 'not found')
"""

from __future__ import annotations

import re

UNITS = (
    "%|percent|per cent|km²|km2|km/h|km³|km|kilometres?|kilometers?|m³/s|m²|m³|metres?|meters?|nautical miles|"
    "sea miles|miles?|mi|nmi|yards?|feet|ft|inches|fathoms|leagues|cm|mm|m|hectares?|ha|acres?|square kilometres|"
    "square kilometers|square metres|square meters|square miles|square feet|cubic metres|cubic kilometres|litres?|"
    "liters?|gallons|barrels|tonnes?|tons?|kg|kilograms?|grams?|knots|mph|people|inhabitants|episodes?|years?|months?|"
    "weeks?|days?|hours?|minutes?|seconds?|million|billion|°C|°F|K|degrees|members?|spans|seats?|copies|households|"
    "MW|kW|GWh|kV|hp|Hz|kHz|MHz|watts|volts|euros?|dollars?|pounds?|crowns?|"
    "marks?|francs?|shillings?|pence|cents?|yen|rupees?|pesos?|roubles?|rubles?|florins?|guilders?|guineas?|thalers?"
)
SHORT = frozenset("g t kt s min h hrs yr yrs ft² sq L l V W A N Pa hPa dB EUR USD GBP £ € $ ¥ ° tonnes/year".split())
"""Units that are one only where nothing but a unit can stand: `l` behind a number is often no litre."""

BEFORE, CLOSE = frozenset("£€$¥"), frozenset("%°")
"""Units that stand before a number, and those that stand behind it without a blank."""

SAME = {
    "kilometres": "km", "kilometers": "km", "metres": "m", "meters": "m", "nmi": "nautical miles", "mi": "miles",
    "ha": "hectares", "feet": "ft", "kilograms": "kg", "square kilometres": "km²", "square kilometers": "km²",
    "km2": "km²", "per cent": "%", "percent": "%", "sq mi": "square miles", "minutes": "min", "hours": "h",
}  # fmt: skip
QUANTITY = re.compile(r"([\d.,]+)\s?(\D+)")
WHOLE = re.compile(rf"(?:{UNITS})")
RATE = re.compile(r"(?: ?/ ?| per | an? )\w+$")
HEADED = re.compile(r"[^()\[\]]*\S\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]")
BARE = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?")


def is_unit(text: str) -> bool:
    """Tell whether words are a unit and nothing else, as "km" and "crowns a week" are."""
    return text in SHORT or any(WHOLE.fullmatch(each) for each in (text, RATE.sub("", text)))


def unit_of(column: str) -> str:
    """Return the unit that a column or a key has in parentheses, nothing where it has none.

    >>> unit_of("Length (km)"), unit_of("Wage (crowns a week)"), unit_of("Population (1250)")
    ('km', 'crowns a week', '')
    """
    match = HEADED.fullmatch(column.strip())
    return match[1] if match and is_unit(match[1]) else ""


def with_unit(value: str, unit: str) -> str:
    """Return a bare number with a unit, anything else as it is."""
    if not unit or not BARE.fullmatch(value):
        return value
    return f"{unit}{value}" if unit in BEFORE else f"{value}{unit}" if unit in CLOSE else f"{value} {unit}"


def measured_in(text: str, value: str) -> str:
    """Return the unit that stands behind a bare number in a text, nothing where none does or it stands without one.

    >>> measured_in("The spring tide is 9.1 metres.", "9.1"), measured_in("It has 12 m, and 112 more.", "112")
    ('metres', '')
    """
    if not BARE.fullmatch(value):
        return ""
    number = re.escape(value)
    units = [match[1] for match in re.finditer(rf"(?<![\w.,–-]){number}(?:\s?({UNITS})(?!\w)|(?![\d.,]*\d))", text)]
    return units[0] if units and all(units) else ""


def same_unit(text: str) -> str:
    """Return a quantity with one of the names that its unit has, anything else as it is.

    >>> same_unit("28 nmi"), same_unit("28 nautical miles"), same_unit("1990 film")
    ('28 nautical miles', '28 nautical miles', '1990 film')
    """
    match = QUANTITY.fullmatch(text)
    return f"{match[1]} {SAME.get(match[2], match[2])}" if match else text
