"""Hashes of the inputs of a stage, which tell whether they have changed."""

from __future__ import annotations

import sqlite3

from builder.derive.workspace import require
from builder.storage.fingerprints import hash_of_rows


def source_layer_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a hash of every document that is in the source layer."""
    return hash_of_rows(
        connection,
        "SELECT source || char(9) || place || char(9) || ifnull(content_hash, '') FROM source_item"
        " WHERE state = 'ok' AND source NOT IN (SELECT label FROM temp.fact_file) ORDER BY source, place",
    )


def names_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a hash of the uris of the nodes whose uri is not their own in the folder."""
    return hash_of_rows(
        connection,
        "SELECT source || char(9) || key || char(9) || value FROM statement"
        " JOIN source_item ON source_item.id = source_id WHERE kind = 'node' ORDER BY 1",
    )


def titles_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a hash of every title that pages have and links lead to."""
    return hash_of_rows(
        connection, "SELECT uri FROM page ORDER BY uri", "SELECT DISTINCT target FROM link ORDER BY 1"
    )


def redirects_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a hash of the redirects that end at an entity."""
    return hash_of_rows(
        connection,
        "SELECT title || char(9) || target FROM temp.redirect"
        " JOIN entity ON entity.uri = uri_part(target) ORDER BY title",
    )


def citations_fingerprint(connection: sqlite3.Connection) -> str:
    """Return a hash of the entities and of which page cites which of them, by the temporary table `page_cites`."""
    require(connection, "stage_inputs", "page_cites")
    return hash_of_rows(
        connection,
        # By uris, not ids: a rebuild numbers anew, and must find the same hash.
        "SELECT uri || char(9) || (page_id IS NOT NULL) FROM entity ORDER BY uri",
        "SELECT page.uri || char(9) || entity.uri FROM temp.page_cites JOIN page ON page.id = page_cites.page_id"
        " JOIN entity ON entity.id = entity_id ORDER BY entity.uri, page.uri",
    )
