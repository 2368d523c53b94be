"""The outcome of a triple by its predicate: the counts that `weft info` shows."""

from __future__ import annotations

from builder.rdf.terms import RDF
from weft.text.names import predicate_name

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
FOAF = "http://xmlns.com/foaf/0.1/"
DBO = "http://dbpedia.org/ontology/"
DBP = "http://dbpedia.org/property/"

TYPE = "type"
LABEL = "label"
REDIRECT = "redirect"
TOPIC = "topic"
ATTRIBUTE = "attribute"
KEPT = "relation kept"
NO_CO_MENTION = "relation dropped: no co-mention"
UNKNOWN_END = "relation dropped: unknown end"
IGNORED = "ignored predicate"
OTHER_LANGUAGE = "other language"
MALFORMED = "malformed"

FATES = (
    TYPE, LABEL, REDIRECT, TOPIC, ATTRIBUTE, KEPT, NO_CO_MENTION, UNKNOWN_END, IGNORED, OTHER_LANGUAGE, MALFORMED,
)  # fmt: skip

SUBCLASS = f"<{RDFS}subClassOf>"
TOPIC_OF = f"<{FOAF}isPrimaryTopicOf>"
TOPIC_IS = f"<{FOAF}primaryTopic>"

WEFT = "https://weft.example/"
"""Begins every IRI of an export (`builder.export.terms`), whose documents are read from their sources alone."""
WEFT_TERMS = (
    "url", "language", "modified", "source", "level", "position", "path", "sectionOf", "text", "kind", "part",
    "chunkOf", "next", "cites", "label", "mainType", "describedBy", "alias",
)  # fmt: skip
OF_DOCUMENTS = tuple(f"<{WEFT}{kind}/" for kind in ("page", "section", "chunk", "source"))

FATE_OF_PREDICATE: dict[str, str] = {
    f"<{RDF}type>": TYPE,
    SUBCLASS: TYPE,
    f"<{RDFS}label>": LABEL,
    f"<{DBO}wikiPageRedirects>": REDIRECT,
    f"<{DBP}redirect>": REDIRECT,
    f"<{WEFT}ns#redirectsTo>": REDIRECT,
    TOPIC_OF: TOPIC,
    TOPIC_IS: TOPIC,
} | dict.fromkeys(
    [
        *(f"<{DBO}{name}>" for name in (
            "wikiPageWikiLink", "wikiPageExternalLink", "wikiPageID", "wikiPageRevisionID", "wikiPageLength",
            "wikiPageInDegree", "wikiPageOutDegree", "wikiPageDisambiguates", "wikiPageInterLanguageLink",
            "wikiPageHistoryLink", "wikiPageEditLink", "wikiPageExtracted", "wikiPageModified",
            "wikiPageWikiLinkText", "wikiPageUsesTemplate", "thumbnail")),
        *(f"<{DBP}{name}>" for name in ("wikiPageUsesTemplate", "wikiPageWikiLink")),
        "<http://www.w3.org/2002/07/owl#sameAs>",
        "<http://www.w3.org/ns/prov#wasDerivedFrom>",
        f"<{FOAF}depiction>",
        *(f"<{WEFT}ns#{name}>" for name in WEFT_TERMS),
    ],
    IGNORED,
)  # fmt: skip


def local_name(term: str) -> str:
    """Return the local name of an IRI term such as `<http://dbpedia.org/ontology/birthPlace>`."""
    return predicate_name(term[1:-1])


def is_of_export(subject: str, object_: str) -> bool:
    """Tell whether a label or type is of an export's own documents and classes rather than of an entity."""
    return subject.startswith(OF_DOCUMENTS) or object_.startswith(f"<{WEFT}ns#")


def is_repeated(predicate: str) -> bool:
    """Tell whether an export gives with this predicate the number or date of what it gives as an attribute too."""
    return predicate.startswith((f"<{WEFT}number/", f"<{WEFT}date/"))


def is_exported_attribute(predicate: str) -> bool:
    """Tell whether an export gives with this predicate an attribute as it was written, a plain literal."""
    return predicate.startswith(f"<{WEFT}attribute/")
