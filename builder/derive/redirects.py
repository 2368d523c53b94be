"""Redirects: which title leads to which, followed to the end."""

from __future__ import annotations

import sqlite3

from builder.derive.workspace import empty, require


def ends_of(redirects: dict[str, str]) -> dict[str, str]:
    """Follow every redirect to its end; a cycle ends at its smallest title, which then redirects nowhere.

    >>> ends_of({"a": "b", "b": "c", "x": "y", "y": "x"})
    {'a': 'c', 'b': 'c', 'y': 'x'}
    """
    ends: dict[str, str] = {}
    for start in redirects:
        # `path` is the chain from `start`, `place` the index of each title in it: a title met again closes a cycle.
        path: list[str] = []
        place: dict[str, int] = {}
        title = start
        while title in redirects and title not in ends and title not in place:
            place[title] = len(path)
            path.append(title)
            title = redirects[title]
        end = min(path[place[title] :]) if title in place else ends.get(title, title)
        ends.update(dict.fromkeys(path, end))
    return {title: end for title, end in ends.items() if title != end}


def materialize_redirects(connection: sqlite3.Connection) -> None:
    """Fill the temporary table `redirect` (title, target) with every redirect that holds, at its end.

    A title that is a page does not redirect. A document's redirect wins over a
    fact file's, then the smaller target. A page's title with spaces for its
    underscores, as links and resources spell it, leads to the page where no
    other redirect has that title.
    """
    require(connection, "redirects", "fact_file", "node_page")
    empty(connection, "redirect")
    connection.execute(
        # The title is the primary key: by the order of rows the first redirect of a title wins.
        "INSERT OR IGNORE INTO temp.redirect SELECT key, value FROM statement"
        " JOIN source_item ON source_item.id = statement.source_id"
        " WHERE kind = 'redirect' AND key <> value AND uri_part(key) NOT IN"
        " (SELECT uri FROM page WHERE id NOT IN (SELECT page_id FROM temp.node_page))"
        " ORDER BY source_item.source IN (SELECT label FROM temp.fact_file), value"
    )
    connection.execute(
        # Not where another page has the title with spaces.
        "INSERT OR IGNORE INTO temp.redirect SELECT title_of(title), title FROM page WHERE instr(title, '_')"
        " AND id NOT IN (SELECT page_id FROM temp.node_page) AND title_of(title) NOT IN ('', title)"
        " AND uri_part(title_of(title)) NOT IN"
        "  (SELECT uri FROM page WHERE id NOT IN (SELECT page_id FROM temp.node_page)) ORDER BY title"
    )
    chained = connection.execute(
        "SELECT title, target FROM temp.redirect WHERE target IN (SELECT title FROM temp.redirect)"
    ).fetchall()
    if not chained:
        return
    # `chained` lacks the last redirect of each chain; `last` adds it: every redirect that another one leads to.
    last = connection.execute(
        "SELECT final.title, final.target FROM temp.redirect AS before"
        " JOIN temp.redirect AS final ON final.title = before.target"
    )
    ends = ends_of(dict(chained) | dict(last))
    connection.executemany(
        "UPDATE temp.redirect SET target = ? WHERE title = ?",
        ((ends[title], title) for title, _ in chained if title in ends),
    )
    connection.executemany(
        "DELETE FROM temp.redirect WHERE title = ?", ((title,) for title, _ in chained if title not in ends)
    )
