"""A small graph of songs, who wrote and sang them, and where; with types or without."""

from __future__ import annotations

from pathlib import Path

from tests.worlds import write_records

SONGS = {
    "Low Tide": ("Ada Orr", "Bram Kell", "Veldric"), "Salt Road": ("Ada Orr", "Cato Lunn", "Veldric"),
    "Grey Heron": ("Dora Vane", "Bram Kell", "Ondrian"), "Mill Song": ("Dora Vane", "Ada Orr", "Veldric"),
    "Reed Bell": ("Emil Stroud", "Cato Lunn", "Ondrian"), "Far Ferry": ("Emil Stroud", "Bram Kell", "Taskish"),
}  # fmt: skip
"""Each song's writer, singer and language."""

PREDICATES = ("written_by", "sung_by", "in_language")
RENAMED = ("penned_from", "voiced_through", "in_tongue")
KINDS = ("Song", "Person", "Person", "Language")


def write_graph(folder: Path, *, typed: bool = True, predicates: tuple[str, ...] = PREDICATES) -> Path:
    """Write the graph as a folder that `weft build` reads."""
    folder.mkdir()
    kinds = {name: kind for song, ends in SONGS.items() for name, kind in zip((song, *ends), KINDS, strict=True)}
    write_records(
        folder / "nodes.jsonl",
        [{"uri": name, "name": name, **({"type": kind} if typed else {})} for name, kind in kinds.items()],
    )
    edges = [(song, each, end) for song, ends in SONGS.items() for each, end in zip(predicates, ends, strict=True)]
    lines = ["subject\tpredicate\tobject", *("\t".join(edge) for edge in edges)]
    (folder / "edges.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def reached(song_to: str, *steps: str) -> set[str]:
    """Return what some steps lead to, written `>written_by` or `<written_by`; the beginning itself is left out."""
    nodes = {song_to}
    for step in steps:
        place = PREDICATES.index(step[1:])
        pairs = {(song, ends[place]) for song, ends in SONGS.items()}
        if step[0] == "<":
            pairs = {(end, song) for song, end in pairs}
        nodes = {end for start, end in pairs if start in nodes} - {song_to}
    return nodes
