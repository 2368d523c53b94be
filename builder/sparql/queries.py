"""The queries to a SPARQL endpoint about the entities at hand, and how it spells these.

Every query selects `?s ?p ?o`, so that its answer is triples as it is; the
client asks for them in order and page by page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from builder.rdf.predicates import DBO, DBP, FATE_OF_PREDICATE, IGNORED, RDFS, TOPIC_IS, TOPIC_OF

# Scheme, "://" and no whitespace: titles such as "2001: A Space Odyssey" are none.
IS_URI = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://\S+$")
# Characters that SPARQL forbids in an IRI; left as they are they could end it, and inject into the query.
NOT_IN_TERM = re.compile(r'[\x00-\x20\x7f<>"{}|^`\\]')
# In a title also the characters that would change the structure of the IRI: escape, fragment, query, brackets.
NOT_IN_TITLE = re.compile(r'[\x00-\x20\x7f<>"{}|^`\\%#?\[\]]')
# A well-formed tag of BCP 47: it is written into the query.
LANGUAGE = re.compile(r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")
TO_ESCAPE = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r"}
REDIRECTS = (f"<{DBO}wikiPageRedirects>", f"<{DBP}redirect>")
IGNORED_PREDICATES = tuple(sorted(term for term, fate in FATE_OF_PREDICATE.items() if fate == IGNORED))


def is_uri(name: str) -> bool:
    """Tell a resource's IRI from a title."""
    return IS_URI.match(name) is not None


def uris_of(title: str, prefix: str) -> list[str]:
    """Return the IRIs that a title may have under a prefix: as characters, and percent-encoded.

    >>> uris_of("Café #9", "http://r.example/")
    ['http://r.example/Café_%239', 'http://r.example/Caf%C3%A9_%239']
    """
    spelled = title.replace(" ", "_")
    plain = prefix + NOT_IN_TITLE.sub(lambda found: quote(found[0], safe=""), spelled)
    encoded = prefix + quote(spelled, safe="/!$&'()*+,-.:;=@_~", errors="replace")
    return [plain] if plain == encoded else [plain, encoded]


def names_query(titles: Sequence[str], page_prefixes: Sequence[str], languages: Sequence[str]) -> str:
    """Ask which resources have the titles' pages as their topic, or the titles as their label."""
    pages = [uri for title in titles for prefix in page_prefixes for uri in uris_of(title, prefix)]
    labels = [
        f'"{title.translate(TO_ESCAPE)}"{tag}'
        for title in titles
        for tag in ("", *(f"@{language}" for language in checked(languages)))
    ]
    parts = [_pattern("?o", labels, [f"<{RDFS}label>"])]
    if pages:
        parts.append(_pattern("?o", _terms(pages), [TOPIC_OF]))
        parts.append(_pattern("?s", _terms(pages), [TOPIC_IS]))
    return _select(" UNION ".join(parts))


def redirects_query(uris: Sequence[str]) -> str:
    """Ask which resources redirect to these, and where these redirect to."""
    terms = _terms(uris)
    return _select(f"{_pattern('?o', terms, REDIRECTS)} UNION {_pattern('?s', terms, REDIRECTS)}")


def facts_query(uris: Sequence[str], languages: Sequence[str]) -> str:
    """Ask for all facts about these resources, without other languages and ignored predicates."""
    spoken = " || ".join(
        ['LANG(?o) = ""', *(f'LANGMATCHES(LANG(?o), "{language}")' for language in checked(languages))]
    )
    return _select(
        f"VALUES ?s {{ {' '.join(_terms(uris))} }} ?s ?p ?o "
        f"FILTER (?p NOT IN ({', '.join(IGNORED_PREDICATES)})) "
        f"FILTER (ISIRI(?o) || (ISLITERAL(?o) && ({spoken})))"
    )


def superclasses_query(uris: Sequence[str]) -> str:
    """Ask what these classes are a direct subclass of."""
    return _select(_pattern("?s", _terms(uris), [f"<{RDFS}subClassOf>"]))


def checked(languages: Iterable[str]) -> list[str]:
    """Return the well-formed ones of some language codes, in lower case."""
    return [language.lower() for language in languages if LANGUAGE.match(language)]


def _terms(uris: Iterable[str]) -> list[str]:
    return [f"<{NOT_IN_TERM.sub(lambda found: quote(found[0], safe=''), uri)}>" for uri in uris]


def _pattern(variable: str, terms: Sequence[str], predicates: Sequence[str]) -> str:
    # One VALUES a branch and fixed predicates: the form for which every endpoint's planner uses its index.
    return " UNION ".join(
        f"{{ VALUES {variable} {{ {' '.join(terms)} }} ?s {term} ?o BIND ({term} AS ?p) }}" for term in predicates
    )


def _select(pattern: str) -> str:
    return f"SELECT ?s ?p ?o WHERE {{ {pattern} }}"
