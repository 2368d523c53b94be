"""RDF terms of an SKB: IRIs from uris, literals from values.

>>> iri("chunk", "Quillon Bridge#History##2")
'<https://weft.example/chunk/Quillon%20Bridge%23History%23%232>'
>>> literal('an "arch"')
'"an \\\\"arch\\\\""'
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from urllib.parse import quote

from builder.rdf.terms import RDF, XSD

BASE = "https://weft.example/"
NAMESPACE = BASE + "ns#"
TYPE = f"<{RDF}type>"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"

# An IRI may hold letters of all scripts; whitespace, other signs and the delimiters `/`, `?`, `#` are encoded.
NOT_IN_NAME = re.compile(r"[^\w\-.~!$&'()*+,;=:@%]")
# All that must be escaped, and other line separators (U+0085, U+2028, U+2029): many readers split lines at them.
ESCAPED = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029]')
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def encoded(uri: str) -> str:
    """Percent-encode a uri, a type or a key into one segment of an IRI; `urllib.parse.unquote` gives it back."""
    if "%" in uri:
        uri = uri.replace("%", "%25")
    # Spaces and the `#` of sections and chunks are most of it: replacing these first is faster than the pattern.
    uri = uri.replace(" ", "%20").replace("#", "%23")
    return NOT_IN_NAME.sub(lambda found: quote(found[0], safe=""), uri)


@lru_cache(maxsize=262_144)
def iri(kind: str, uri: str) -> str:
    """Return the IRI of a page, section, chunk, entity, type, relation, attribute, number or date."""
    return f"<{BASE}{kind}/{encoded(uri)}>"


def term(name: str) -> str:
    """Return the IRI of a word of Weft's own vocabulary."""
    return f"<{NAMESPACE}{name}>"


@lru_cache(maxsize=65_536)
def source_iri(label: str, place: str) -> str:
    """Return the IRI of a document or fact file that was read."""
    return f"<{BASE}source/{encoded(label)}/{encoded(place)}>"


def literal(text: str) -> str:
    """Return a plain literal."""
    return f'"{ESCAPED.sub(_escape, text)}"'


def whole(number: int) -> str:
    """Return an xsd:integer."""
    return f'"{number}"^^<{XSD}integer>'


def real(number: float) -> str:
    """Return an xsd:double."""
    text = repr(float(number)) if math.isfinite(number) else ("INF" if number > 0 else "-INF")
    return f'"{text}"^^<{XSD}double>'


def day(date: str) -> str:
    """Return an ISO date as xsd:date, or as xsd:gYearMonth or xsd:gYear where it is no more than that."""
    kind = ("gYear", "gYearMonth", "date")[min(date.count("-", 1), 2)]
    return f'"{date}"^^<{XSD}{kind}>'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return SHORT.get(sign) or f"\\u{ord(sign):04X}"
