"""Find the number or the date that a value written for people begins with.

Only the beginning counts: "1,234 km (767 mi)" is 1234, "Route 66 in
Ohio" is no number. What can be read in two ways ("03/05/1987", "1,23") is left.

>>> number_in("about 3.2 million (2010)"), date_in("May 3, 1987 (age 35)")
(3200000.0, '1987-05-03')
"""

from __future__ import annotations

import re

# MediaWiki's hidden sort keys, and its footnote marks.
HIDDEN = re.compile(r"(?<![0-9])[0-9]{9,}+♠|\[[^\[\]]{0,40}\]")
CIRCA = r"(?:(?:circa|ca?\.|ca|approximately|approx\.?|about|around)\s*|[~≈]\s*)?"
CURRENCY = (
    r"(?:(?:US|AU|CA|NZ|HK|A|C|R|S)?\$|[€£¥₹₩₽₺₪฿]|₨\.?|(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|Rs\.?)(?=[\s0-9]))?\s*"
)
# Grouped by commas (in threes, in India in twos before the last three), by spaces, or not at all.
DIGITS = r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?![0-9])|[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?![0-9])|[0-9]+"
# A sign may precede or follow the currency; "3.2 × 10^5" is one number.
LEADING = re.compile(
    rf"{CIRCA}(?P<outer>[-+−–]?){CURRENCY}(?P<inner>[-+−]?)(?P<digits>{DIGITS})(?P<fraction>\.[0-9]+)?"
    r"(?P<power>\s*[×x]\s*10\^?(?P<exponent>[-−]?[0-9]{1,2})(?![0-9]))?",
    re.I,
)
BLANK = "[ \u00a0\u2009\u202f]"
# Numbers that are dialled: digits behind a plus or a zero, and more of them; "+12 000" is an amount.
DIALLED = re.compile(
    rf"(?:0|\+(?![1-9][0-9]{{0,2}}{BLANK}[0-9]{{3}}(?!{BLANK}?[0-9])))[0-9]+(?:{BLANK}|[-/()‐‑]){{1,3}}[0-9]"
)
# Digits in several groups and nothing else, which are one number only in threes.
GROUPS = re.compile(rf"[0-9]+(?:{BLANK}[0-9]+)+(?=\s*(?:$|[(;,]))")
GROUPED = re.compile(rf"[1-9][0-9]{{0,2}}(?:{BLANK}[0-9]{{3}})+")
# What may follow the digits without a space; "3rd", "3D", "10:30", "1/2", "1.2.3" are no amounts.
GLUED_UNIT = (
    r"(?:[kMGTcmdnµμ]?(?:m|g|b|B|W|V|Hz|Pa|J|l|L|s|bit|bps|N|A)[²³23]?"
    r"|km/h|kn|mph|hp|ft|in|lb|oz|mi|min|h|bn|mn|px|K|C|F)(?!\w)"
)
AFTER = re.compile(rf"(?![\w:/.,♠]|-[0-9]+-[0-9])|{GLUED_UNIT}|[.,/](?![0-9])|[²³]")
# A word of magnitude behind the digits, also hyphenated: "3-million".
SCALE = re.compile(r"[\s-]*(thousand|million|billion|trillion|lakh|crore|mn|bn)\b", re.I)
SCALES = {
    "thousand": 3,
    "lakh": 5,
    "million": 6,
    "mn": 6,
    "crore": 7,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
}

DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MONTHS = {month: number for number, month in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
# No month within a word ("decade", "marching"); "may" and "march" count only beside a day or a year.
MONTH = (
    r"(?<![a-z])(jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?"
    r"|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)(?![a-z])"
)
DAY = r"(?<![0-9])([0-9]{1,2})(?:st|nd|rd|th)?"
# Three digits are a year only at the end of the value or before "(" or AD; a year BC is none.
YEAR = r"([0-9]{4}(?![0-9])|[0-9]{3}(?=\s*(?:$|\(|AD\b|CE\b)))(?!\s*B\.?C)"
# Of "3–5 May 1987" and "28 June – 3 July 1991" the first day counts.
TO_DAY = r"(?:\s*[-–—]\s*[0-9]{1,2})?"
TO_DAY_MONTH = rf"(?:\s*[-–—]\s*[0-9]{{1,2}}\s+{MONTH.replace('(jan', '(?:jan')})?"
TO_MONTH_DAY = rf"(?:\s*[-–—]\s*(?:{MONTH.replace('(jan', '(?:jan')}\s+)?[0-9]{{1,2}})?"
DAY_MONTH_YEAR = re.compile(rf"{DAY}{TO_DAY}(?:\s+of)?\s*{MONTH}{TO_DAY_MONTH},?\s*{YEAR}", re.I)
MONTH_DAY_YEAR = re.compile(rf"{MONTH}\s*{DAY}{TO_MONTH_DAY},?\s+{YEAR}", re.I)
# No digit or hyphen before or after it: a longer number such as a phone number is no date.
YEAR_MONTH_DAY = re.compile(r"(?<![0-9-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")
MONTH_YEAR = re.compile(rf"{CIRCA}{MONTH},?\s+([0-9]{{4}})(?![0-9])(?!\s*B\.?C)", re.I)
ISO_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])$")
# A date without a year; `number_in` must not take its day for a number.
DAY_MONTH = re.compile(rf"{DAY}\s+{MONTH}", re.I)
# A year alone has four digits; with "c." or "AD" beside it three will do.
ENDS = r"\s*(?:$|[(;]|,(?![0-9])|[-–—/]\s*(?:[0-9]|present)|(?:AD|CE)\b)"
LEADING_YEAR = re.compile(
    rf"(?:{CIRCA}(1[0-9]{{3}}|20[0-9]{{2}}){ENDS}|(?:(?:circa|ca?\.|ca|about|approx\.?|AD)\s*)([0-9]{{3,4}}){ENDS}"
    r"|([0-9]{3,4})\s*(?:AD|CE)\b)",
    re.I,
)


def number_in(text: str) -> float | None:
    """Return the number that the value leads with, or None.

    A sign, a currency, "c.", "about", "approx." may precede it, thousands be
    grouped, "million" and the like follow. Dates, times, ordinals, fractions,
    version and telephone numbers are none, nor are other groups of digits.
    """
    text = HIDDEN.sub("", text).strip()
    found = LEADING.match(text)
    if found is None or not AFTER.match(text, found.end()) or _leads_with_date(text) or _is_code(text):
        return None
    digits = re.sub(r"\D", "", found["digits"]) + (found["fraction"] or "")
    scale = SCALE.match(text, found.end())
    exponent = SCALES[scale[1].lower()] if scale else 0
    if found["power"]:
        exponent += int(found["exponent"].replace("−", "-"))
    sign = "-" if {found["outer"], found["inner"]} & {"-", "−", "–"} else ""
    return float(f"{sign}{digits}e{exponent}") if len(digits) <= 300 else None


def _leads_with_date(text: str) -> bool:
    return any(form.match(text) for form in (DAY_MONTH, DAY_MONTH_YEAR, YEAR_MONTH_DAY, ISO_MONTH))


def _is_code(text: str) -> bool:
    """Tell whether a value is groups of digits that are no quantity together, as those of a telephone number."""
    groups = GROUPS.match(text)
    return bool(DIALLED.match(text) or (groups and not GROUPED.fullmatch(groups[0])))


def date_in(text: str) -> str | None:
    """Return a value's date as ISO text: its first full date, else the month or year that it leads with.

    Years before the year 1 and dates of figures alone ("03/05/1987") give None.
    """
    text = HIDDEN.sub("", text).strip()
    days = [day for day in (_first_iso(text), _first_day_month(text), _first_month_day(text)) if day]
    if days:
        return min(days)[1]
    month = MONTH_YEAR.match(text)
    if month:
        return f"{month[2]}-{_month(month[1]):02}"
    if ISO_MONTH.match(text):
        return text
    return _leading_year(text)


def _first_iso(text: str) -> tuple[int, str] | None:
    found = YEAR_MONTH_DAY.search(text)
    return found and _dated(found, found[1], int(found[2]), found[3])


def _first_day_month(text: str) -> tuple[int, str] | None:
    found = DAY_MONTH_YEAR.search(text)
    return found and _dated(found, found[3], _month(found[2]), found[1])


def _first_month_day(text: str) -> tuple[int, str] | None:
    found = MONTH_DAY_YEAR.search(text)
    return found and _dated(found, found[3], _month(found[1]), found[2])


def _dated(found: re.Match[str], year: str, month: int, day: str) -> tuple[int, str] | None:
    """Return the offset of a date and its ISO text, or None when the calendar does not have it."""
    if not is_day(int(year), month, int(day)):
        return None
    return found.start(), f"{int(year):04}-{month:02}-{int(day):02}"


def _month(name: str) -> int:
    return MONTHS[name[:3].lower()]


def _leading_year(text: str) -> str | None:
    found = LEADING_YEAR.match(text)
    return next(year for year in found.groups() if year).zfill(4) if found else None


def is_day(year: int, month: int = 1, day: int = 1) -> bool:
    """Tell whether the Gregorian calendar has the day, also before its invention and before the year 1."""
    if not 1 <= month <= 12:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= DAYS_IN_MONTH[month - 1] + (leap and month == 2)
