"""Redirects: which title another title stands for, followed to the end."""

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

    A title that is a page stands for itself. What a document says comes before
    what a fact file says, then the smaller target. A page's title with blanks
    for its underscores, as links and resources spell it, leads to the page
    where nothing else says what it means.
    """
    require(connection, "redirects", "fact_file", "node_page")
    empty(connection, "redirect")
    connection.execute(
        "INSERT OR IGNORE INTO temp.redirect SELECT key, value FROM statement"
        " JOIN source_item ON source_item.id = statement.source_id"
        " WHERE kind = 'redirect' AND key <> value AND uri_part(key) NOT IN"
        " (SELECT uri FROM page WHERE id NOT IN (SELECT page_id FROM temp.node_page))"
        " ORDER BY source_item.source IN (SELECT label FROM temp.fact_file), value"
    )
    connection.execute(
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
    # What a chained one leads to is chained too, or the last step.
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
