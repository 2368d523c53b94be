"""What literals and infobox values mean."""

from __future__ import annotations

import pytest

from builder.rdf.literals import Literal, literal
from builder.values import date_in, number_in

XSD = "http://www.w3.org/2001/XMLSchema#"
UNIT = "http://dbpedia.org/datatype/"


def test_plain_literal_has_text_alone() -> None:
    assert literal('"Ada Lovelace"') == Literal("Ada Lovelace", None, None, None, None)


def test_language_is_kept_apart() -> None:
    assert literal('"Köln"@de') == Literal("Köln", "de", None, None, None)


def test_datatype_is_an_iri_without_brackets() -> None:
    assert literal(f'"yes"^^<{XSD}boolean>') == Literal("yes", None, XSD + "boolean", None, None)


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (r'"say \"no\""', 'say "no"'),
        (r'"back\\slash"@en', r"back\slash"),
        (r'"two\nlines\r"', "two\nlines\r"),
        (r'"tab\tand\\n"', "tab\tand\\n"),
        (r'"caf\u00E9 \U0001F600"', "café 😀"),
        (r'"pair \uD83D\uDE00, lone \uD83D"', "pair 😀, lone �"),
        (r'"unknown \q escape"', r"unknown \q escape"),
        (f'"a\\"^^<{XSD}int> b"', f'a"^^<{XSD}int> b'),
        ('""', ""),
    ],
)
def test_escapes_are_decoded(term: str, value: str) -> None:
    assert literal(term).value == value


@pytest.mark.parametrize("term", ["<http://a/b>", "_:b0", "", '"', "plain"])
def test_other_terms_are_refused(term: str) -> None:
    with pytest.raises(ValueError, match="not a literal"):
        literal(term)


@pytest.mark.parametrize(
    ("value", "datatype", "number"),
    [
        ("42", XSD + "integer", 42.0),
        ("+042", XSD + "integer", 42.0),
        (" 42 ", XSD + "integer", 42.0),
        ("4.2", XSD + "integer", None),
        ("1_000", XSD + "integer", None),
        ("-5", XSD + "nonNegativeInteger", None),
        ("5", XSD + "nonNegativeInteger", 5.0),
        ("0", XSD + "positiveInteger", None),
        ("300", XSD + "unsignedByte", None),
        ("-128", XSD + "byte", -128.0),
        ("3.50", XSD + "decimal", 3.5),
        ("3e2", XSD + "decimal", None),
        ("3862.4256", XSD + "double", 3862.4256),
        ("1.0E7", XSD + "double", 1e7),
        (".5", XSD + "float", 0.5),
        ("INF", XSD + "double", None),
        ("NaN", XSD + "float", None),
        ("1e999", XSD + "double", None),
        ("12.5", UNIT + "kilometre", 12.5),
        ("9.95E8", UNIT + "usDollar", 995000000.0),
        ("about 5", UNIT + "kilometre", None),
        ("42", XSD + "boolean", None),
        ("42", "http://example.org/number", None),
    ],
)
def test_number_of_a_datatype(value: str, datatype: str, number: float | None) -> None:
    assert literal(f'"{value}"^^<{datatype}>') == Literal(value, None, datatype, number, None)


@pytest.mark.parametrize(
    ("value", "datatype", "date"),
    [
        ("1987-05-03", "date", "1987-05-03"),
        ("1987-05-03Z", "date", "1987-05-03"),
        ("1987-05-03+02:00", "date", "1987-05-03"),
        ("-0044-03-15", "date", "-0044-03-15"),
        ("2000-02-29", "date", "2000-02-29"),
        ("1900-02-29", "date", None),
        ("1987-13-01", "date", None),
        ("1987-05-00", "date", None),
        ("1987-5-3", "date", None),
        ("1987-05-03T23:59:59.5Z", "dateTime", "1987-05-03"),
        ("1987-05-03", "dateTime", None),
        ("1999", "gYear", "1999"),
        ("1999+01:00", "gYear", "1999"),
        ("99", "gYear", None),
        ("1999-05", "gYearMonth", "1999-05"),
        ("1999-15", "gYearMonth", None),
        ("--05-03", "gMonthDay", None),
        ("1999", "string", None),
    ],
)
def test_date_of_a_datatype(value: str, datatype: str, date: str | None) -> None:
    assert literal(f'"{value}"^^<{XSD}{datatype}>').date == date


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234 km (767 mi)", 1234.0),
        ("1,234,567", 1234567.0),
        ("12,34,567", 1234567.0),
        ("10\u00a0000 m", 10000.0),
        ("10 000", 10000.0),
        ("−12.5 °C", -12.5),
        ("-12.5 °C", -12.5),
        ("+5", 5.0),
        ("3.2 million", 3200000.0),
        ("US$3.2 billion (2010)", 3200000000.0),
        ("€ 500", 500.0),
        ("-$40 million", -40000000.0),
        ("c. 1187", 1187.0),
        ("about 5,000", 5000.0),
        ("approx. 70 %", 70.0),
        ("~300", 300.0),
        ("12km", 12.0),
        ("5.5 ft", 5.5),
        ("100%", 100.0),
        ("1.989×1030 kg", 1.989e30),
        ("6.674×10^−11", 6.674e-11),
        ("10–20 km", 10.0),
        ("8,849[1] metres", 8849.0),
        ("7003123400000000000♠1,234 km", 1234.0),
        ("430/km2 (1,100/sq mi)", 430.0),
        ("₨. 6.88 billion (2010–11)", 6880000000.0),
        ("66", 66.0),
        ("3 (three)", 3.0),
        ("12, 13 and 14", 12.0),
        ("0.5", 0.5),
        ("Route 66 in Ohio", None),
        ("about Route 66", None),
        ("Paris", None),
        ("", None),
        ("3rd", None),
        ("20th century", None),
        ("10:30", None),
        ("1/2", None),
        ("1,23", None),
        ("1.234.567", None),
        ("192.168.0.1", None),
        ("1-800-555", None),
        ("3 May 1987", None),
        ("28 June – 3 July 1991", None),
        ("1987-05-03", None),
        ("03/05/1987", None),
        ("3D", None),
        ("1879Ulm", None),
        ("+12 000 m", 12000.0),
        ("1 234 567 (2010)", 1234567.0),
        ("366 m", 366.0),
        ("1,043 m (3,422 ft)", 1043.0),
        ("-3", -3.0),
        ("5 1/2 in", 5.0),
        ("007", 7.0),
        ("1905-1917", 1905.0),
        ("05 4418 907", None),
        ("0551-2017", None),
        ("0551 20 17 (office)", None),
        ("+44 20 7946 0958", None),
        ("+47 123 456 789", None),
        ("+1 (555) 123-4567", None),
        ("555 123 4567", None),
        ("1 800 555 1234, day and night", None),
        ("4418 907", None),
        ("0 100", None),
    ],
)
def test_number_that_leads_a_value(text: str, number: float | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("3 May 1987", "1987-05-03"),
        ("May 3, 1987", "1987-05-03"),
        ("May 3, 1987 (age 35)", "1987-05-03"),
        ("Sept. 3, 1987", "1987-09-03"),
        ("3rd of May, 1987", "1987-05-03"),
        ("1987-05-03", "1987-05-03"),
        ("(1987-05-03)May 3, 1987", "1987-05-03"),
        ("Albert Einstein14 March 1879Ulm, Germany", "1879-03-14"),
        ("3 May [O.S. 22 April] 1787", "1787-05-03"),
        ("3–5 May 1987", "1987-05-03"),
        ("28 June – 3 July 1991", "1991-06-28"),
        ("May 28 – June 3, 1991", "1991-05-28"),
        ("1 September 1939 – 2 September 1945", "1939-09-01"),
        ("May 1987", "1987-05"),
        ("1987-05", "1987-05"),
        ("1187", "1187"),
        ("c. 1187", "1187"),
        ("circa 987", "0987"),
        ("AD 987", "0987"),
        ("987 AD", "0987"),
        ("1914–1918", "1914"),
        ("1887; 130 years ago", "1887"),
        ("1887 (as a school)", "1887"),
        ("1187 BC", None),
        ("15 March 44 BC", None),
        ("12 July 1100 BC", None),
        ("31 February 1987", None),
        ("03/05/1987", None),
        ("987", None),
        ("1,187 km", None),
        ("1187 m", None),
        ("5000", None),
        ("Windows 2000", None),
        ("Decade 1 1987", None),
        ("", None),
    ],
)
def test_date_of_a_value(text: str, date: str | None) -> None:
    assert date_in(text) == date
