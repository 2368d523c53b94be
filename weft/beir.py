"""BEIR's folder layout, as exports and reports write it: documents and queries a line each, judgements as a table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from typing import TextIO

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"
"""The files of a folder with the split `test`."""

HEADER = ("query-id", "corpus-id", "score")


def document_line(uri: str, title: str, text: str, metadata: Mapping[str, str]) -> str:
    """Return the line of a document in the corpus."""
    return _line({"_id": uri, "title": title, "text": text, "metadata": dict(metadata)})


def query_line(identity: str, text: str) -> str:
    """Return the line of a question."""
    return _line({"_id": identity, "text": text})


class Judgements:
    """Writes judgements of relevance to an open file, below their header."""

    def __init__(self, out: TextIO) -> None:
        # The loaders read it with csv's quoting: a uri that begins with a quotation mark needs it.
        self._table = csv.writer(out, delimiter="\t", lineterminator="\n")
        self._table.writerow(HEADER)

    def write(self, query: str, uris: Iterable[str]) -> None:
        """Write that these documents answer a question."""
        self._table.writerows((query, uri, 1) for uri in uris)


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
