"""The derived layer: all that follows from the source layer, run again from the first stage whose inputs changed.

Graph and full text are one transaction each, which ends by writing the stage's
fingerprint; vectors are committed as they are made. So a killed build resumes
with the stage that it was in.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from builder.derive.aliases import write_aliases, write_infobox_attributes, write_types_and_labels
from builder.derive.co_mention import leave_out_page_citations, materialize_page_citations
from builder.derive.embeddings import kept_dtype, write_vectors
from builder.derive.entities import (
    materialize_known,
    materialize_reachable,
    prune_statements,
    write_citations,
    write_entities,
)
from builder.derive.fact_files import FactFile, forget_removed, forget_unnamed, materialize_fact_files
from builder.derive.fact_names import materialize_fact_names, write_label_statements
from builder.derive.facts import retain_facts, superclasses_of, write_facts
from builder.derive.graph_nodes import GRAPH_KINDS, mark_nodes, materialize_nodes
from builder.derive.mentions import write_mentions
from builder.derive.node_uris import GRAPH_LABEL, materialize_node_pages, name_nodes
from builder.derive.redirects import materialize_redirects
from builder.derive.stage_inputs import (
    citations_fingerprint,
    names_fingerprint,
    redirects_fingerprint,
    source_layer_fingerprint,
    titles_fingerprint,
)
from builder.derive.triples import materialize_triples, write_triples
from builder.derive.workspace import create_functions
from builder.request import FactInput, Settings
from builder.search_arrays.all_arrays import FORM, write_search_arrays
from builder.search_arrays.sentence_ends import RULES, write_sentence_ends
from builder.source_layer.repeats import REPEATS, write_repeats
from weft.arrays.full_text import write_full_text
from weft.documents import DOCUMENTS, EMBEDDED_TOKENS
from weft.embedders.base import Embedder
from weft.meta import delete_meta, get_meta, set_meta
from weft.text.normalise import TOKENISATION
from weft.text.stems import STEMMING

DERIVATION = 4
"""Part of every fingerprint: a new number makes an update derive everything again."""


class Facts(NamedTuple):
    """The fact files named, and whether those not named are kept as they are."""

    named: Sequence[FactInput]
    keep_others: bool


class Derivation:
    """One run through the stages."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        facts: Facts,
        settings: Settings,
        tell: Callable[[str], None],
        memory_mb: float = 1024.0,
    ) -> None:
        """Prepare; `tell` is given the name of each stage, and of each step of the graph, as it begins."""
        self.connection = connection
        self.settings = settings
        self.tell = tell
        self.memory_mb = memory_mb
        self.changed = False
        self.seconds: dict[str, float] = {}
        create_functions(connection)
        if get_meta(connection, "stage graph") is None:
            forget_removed(connection)
        self.files: list[FactFile] = materialize_fact_files(
            connection, facts.named, keep_others=facts.keep_others
        )
        self.facts_gone = forget_unnamed(connection)
        self.graphs = _graphs_in_order(connection, facts)
        self.facts_retained: int = connection.execute(
            "SELECT count(*) FROM temp.fact_file WHERE NOT named"
        ).fetchone()[0]
        self.changed |= bool(self.facts_gone)

    def run(self, embedder: Embedder, advance: Callable[[int], None]) -> None:
        """Bring entities, citations, facts, names, full-text index, arrays and vectors up to date."""
        source = source_layer_fingerprint(self.connection)
        graph = [DERIVATION, source, self._fact_key(), self.settings.languages, self.settings.all_relations,
                 self.graphs]  # fmt: skip
        # The graph can change with equal inputs, when uris were settled anew: hashes alone would not tell later stages.
        if self._stage("graph", graph, self._write_graph):
            self.connection.execute(
                "DELETE FROM meta WHERE key IN"
                " ('stage repeats', 'stage full text', 'stage search arrays', 'stage vectors')"
            )
        self._stage("repeats", [REPEATS, graph], lambda: write_repeats(self.connection))
        documents = [DOCUMENTS, EMBEDDED_TOKENS] if self.settings.node_documents else []
        self._stage("full text", [DERIVATION, TOKENISATION, graph, *documents[:1]], self._write_full_text)
        self._stage("sentence ends", [RULES, source], lambda: write_sentence_ends(self.connection))
        words = [FORM, RULES, TOKENISATION, STEMMING]
        self._stage("search arrays", [words, graph, *documents[:1]], lambda: write_search_arrays(self.connection))
        dtype = kept_dtype(embedder, self.settings.vector_dtype)
        space = [self.settings.embedder, dtype]
        if get_meta(self.connection, "vector_space") != space:
            self.connection.execute("DELETE FROM vector")
            self.connection.execute("DELETE FROM vector_text")
            set_meta(self.connection, "vector_space", space)
        set_meta(self.connection, "embedder", self.settings.embedder)
        set_meta(self.connection, "vector_dtype", dtype)
        self._stage(
            "vectors",
            [DERIVATION, TOKENISATION, graph, space, *documents],
            lambda: write_vectors(
                self.connection, embedder, dtype, advance, node_documents=self.settings.node_documents
            ),
        )

    def _stage(self, name: str, inputs: list[Any], work: Callable[[], object]) -> bool:
        fingerprint = blake2b(json.dumps(inputs, sort_keys=True).encode(), digest_size=16).hexdigest()
        if get_meta(self.connection, f"stage {name}") == fingerprint:
            self.connection.commit()
            return False
        self.tell(name)
        start = time.perf_counter()
        work()
        set_meta(self.connection, f"stage {name}", fingerprint)
        self.connection.commit()
        self.seconds[name] = time.perf_counter() - start
        self.changed = True
        return True

    def _fact_key(self) -> list[list[str]]:
        """Return the records that decide the facts; `named` is part of them, since a file not named is not read."""
        rows = self.connection.execute(
            "SELECT source, place, content_hash, kind, named FROM source_item"
            " JOIN temp.fact_file ON fact_file.label = source_item.source WHERE content_hash IS NOT NULL ORDER BY 1, 2"
        )
        return [list(row) for row in rows]

    def _write_graph(self) -> None:
        connection, settings = self.connection, self.settings
        self.tell("names")
        materialize_fact_names(connection, self.files, settings.languages, settings.all_relations)
        materialize_node_pages(connection)
        materialize_redirects(connection)
        materialize_triples(connection, self.files)
        materialize_known(connection, settings.all_relations)
        materialize_reachable(connection)
        write_label_statements(connection)
        materialize_nodes(connection, self.files)
        name_nodes(connection, self.graphs)
        self.tell("entities and citations")
        write_entities(connection)
        mark_nodes(connection)
        self.tell("mentions")
        write_mentions(connection)
        self.tell("citations")
        prune_statements(connection)
        write_citations(connection)
        write_triples(connection)
        self._write_facts()
        self.tell("aliases and types")
        write_infobox_attributes(connection)
        write_aliases(connection)
        write_types_and_labels(connection, superclasses_of(connection))

    def _write_facts(self) -> None:
        """Join the fact files' facts, unless they and all that they are joined to are unchanged."""
        connection, settings = self.connection, self.settings
        if not self._has_facts():
            leave_out_page_citations(connection)
            retain_facts(connection, settings.all_relations)
            # Facts that come back are joined anew, also to the same citations.
            delete_meta(connection, "facts joined to")
            return
        materialize_page_citations(connection)
        inputs = [
            citations_fingerprint(connection), titles_fingerprint(connection), self._fact_key(),
            names_fingerprint(connection), redirects_fingerprint(connection),
            settings.languages, settings.all_relations,
        ]  # fmt: skip
        key = json.dumps(inputs)
        if get_meta(connection, "facts joined to") == key:
            return
        self.tell("facts")
        if self.files:
            write_facts(connection, self.files, settings.languages, settings.all_relations, self.memory_mb)
        retain_facts(connection, settings.all_relations)
        set_meta(connection, "facts joined to", key)

    def _has_facts(self) -> bool:
        """Tell whether a fact file is on record, or relations of one that was."""
        query = "SELECT EXISTS (SELECT 1 FROM temp.fact_file) OR EXISTS (SELECT 1 FROM relation)"
        return bool(self.connection.execute(query).fetchone()[0])

    def _write_full_text(self) -> None:
        # The view that is indexed shows documents by this.
        set_meta(self.connection, "node_documents", self.settings.node_documents)
        write_full_text(self.connection)


def _graphs_in_order(connection: sqlite3.Connection, facts: Facts) -> list[str]:
    """Return the labels of the graphs in the order of the command line, those already on record first."""
    before = [label + GRAPH_LABEL for label in get_meta(connection, "sources", [])] if facts.keep_others else []
    named = [label for label, kind, _ in facts.named if kind in GRAPH_KINDS]
    on_record = {
        label for label, kind in connection.execute("SELECT label, kind FROM temp.fact_file") if kind in GRAPH_KINDS
    }
    return [label for label in dict.fromkeys([*before, *named]) if label in on_record]
