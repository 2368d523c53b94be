"""Write RDF terms in their one canonical N-Triples form, so that equal terms are equal strings.

IRIs hold characters, no escapes; a literal escapes only `"`, `\\`, line feed
and carriage return; language tags are lower-case; `xsd:string` is not written.

>>> literal_term('5" disk', language="en-GB")
'"5\\\\" disk"@en-gb'
"""

from __future__ import annotations

import re

from weft.text.normalise import LONE_SURROGATE

Triple = tuple[str, str, str]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
# Controls, quotes and brackets, and all other whitespace: what `<...>` cannot hold. Published IRIs have `{}|^`.
NOT_IN_IRI = re.compile(r'[\x00-\x20<>"]|[^\S\x00-\x20]')
TO_ESCAPE = re.compile(r'["\\\n\r]')
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}


class BadTerm(ValueError):
    """A text that cannot be an RDF term."""


def iri_term(iri: str) -> str:
    """Return an absolute IRI between angle brackets; BadTerm when a blank, quote or bracket is in it."""
    wrong = NOT_IN_IRI.search(iri)
    if wrong:
        raise BadTerm(f"{wrong[0]!r} in the IRI <{iri[:80]}>")
    return f"<{without_surrogates(iri)}>"


def literal_term(value: str, *, language: str | None = None, datatype: str | None = None) -> str:
    """Return a literal's canonical text; `datatype` is an IRI without brackets, BadTerm where it is none."""
    if TO_ESCAPE.search(value):
        value = TO_ESCAPE.sub(lambda found: ESCAPES[found[0]], value)
    value = without_surrogates(value)
    if language:
        return f'"{value}"@{language.lower()}'
    if datatype and datatype != XSD + "string":
        return f'"{value}"^^{iri_term(datatype)}'
    return f'"{value}"'


def without_surrogates(text: str) -> str:
    """Join surrogate pairs, which Java programs write as two escapes; a lone one becomes U+FFFD."""
    if LONE_SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
