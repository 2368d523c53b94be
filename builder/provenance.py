"""The provenance of an SKB: its inputs, where they lie, and its settings."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING

from builder.derive.graph_nodes import GRAPH_KINDS
from builder.readers.source import Source, origin_of, place_of
from weft.http.addresses import shown
from weft.meta import get_meta, set_meta
from weft.skb import Skb

if TYPE_CHECKING:
    from builder.request import FactInput, Request


def write_record(
    connection: sqlite3.Connection, request: Request, sources: list[Source], facts: list[FactInput],
    origins: Mapping[str, str],
) -> None:  # fmt: skip
    """Record the inputs, their origins and the settings."""
    formats = {source.format for source in sources}
    if request.keeps_others:
        formats.update(get_meta(connection, "source_formats", []))
    set_meta(connection, "source_formats", sorted(formats))
    paths = [(source.label, source.path) for source in sources]
    paths += [(each.label, each.path) for each in facts if each.label not in map(shown, request.sparql)]
    own = {label: origin_of(path, request.output.parent) for label, path in paths}
    set_meta(connection, "origins", {**origins, **own})
    set_meta(connection, "settings", request.settings._asdict())


def known_origins(request: Request) -> dict[str, str]:
    """Return where the sources on record lie that this build keeps, by label."""
    if not request.keeps_others or not request.output.exists():
        return {}
    with Skb(request.output) as skb:
        return dict(skb.meta("origins", {}))


def relabelled_inputs(
    request: Request, sources: list[Source], facts: list[FactInput], origins: Mapping[str, str]
) -> list[str]:
    """Return a note for each input whose own name is already the label of an input elsewhere."""
    paths = [(each.label, each.path) for each in sources]
    paths += [(each.label, each.path) for each in facts if each.kind not in GRAPH_KINDS]
    return [
        f"{name}: that label is on record for another place; what {path} says is under {label}"
        for label, path in paths
        if (name := place_of(path.name)) != label
        and name in origins and origins[name] != origin_of(path, request.output.parent)
    ]  # fmt: skip


def truncated_inputs(connection: sqlite3.Connection, facts: list[FactInput]) -> list[str]:
    """Return the labels of the named fact files that were not read to their end."""
    named = {each.label for each in facts}
    records = get_meta(connection, "facts", [])
    return [each["label"] for each in records if each["label"] in named and not each["complete"]]
