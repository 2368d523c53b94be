"""The columns of the feature matrix that are no signal's: a declaration each, in the order in which fusions read them.

A declaration says what computes the column, in which group an explanation
counts it, and how it is scaled; order, matrix and attribution follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from retriever.features.first_pass import Computed, FirstPass
from retriever.features.second_pass import SecondPass

Pass = TypeVar("Pass")

GROUPS = {
    "named": "what the question names", "linked": "the links from what the question names",
    "second_hop": "the links two steps from what the question names", "hits": "the links of the best passages",
    "leads": "where its links lead", "cites": "its mentions of what the question names",
    "words": "how much of the question it covers",
    "meaning": "words of a like meaning", "title": "its title and heading", "place": "its place on the page",
    "shape": "its kind of text", "verbatim": "identifiers as they are written", "other": "other features",
}  # fmt: skip
"""What a group of columns is about, for people. Beside these a column can count as a signal, or as the `first` pass."""


class Column(NamedTuple, Generic[Pass]):
    """A column by name: what computes it, with others perhaps, and the group in which an explanation counts it.

    Most columns lie between 0 and 1 and mean the same in every question;
    others are `standardised` within it. `embedded` ones depend on the embedder.
    More of a `rising` one never makes a fusion rank a candidate lower.
    """

    name: str
    computed_by: Callable[[Pass], Computed]
    group: str
    standardised: bool = False
    embedded: bool = False
    rising: bool = False


FIRST_PASS: tuple[Column[FirstPass], ...] = (
    Column("named", FirstPass.links, "named"),
    Column("cites_named", FirstPass.links, "cites"),
    Column("bridge", FirstPass.links, "linked"),
    Column("bridge_near", FirstPass.links, "linked"),
    Column("linked", FirstPass.links, "linked"),
    Column("linked_share", FirstPass.links, "linked"),
    Column("linked_first", FirstPass.links, "linked"),
    Column("second_hop", FirstPass.links, "second_hop"),
    Column("hit_bridge", FirstPass.links, "hits"),
    Column("hit_linked", FirstPass.links, "hits"),
    Column("cites_hit", FirstPass.links, "hits"),
    Column("cover", FirstPass.words, "words"),
    Column("asked", FirstPass.words, "words"),
    Column("title_cover", FirstPass.words, "title"),
    Column("title_share", FirstPass.words, "title"),
    Column("title_asked", FirstPass.words, "title"),
    Column("heading", FirstPass.words, "title"),
    Column("stems", FirstPass.words, "words", standardised=True),
    Column("stems_asked", FirstPass.words, "words", standardised=True),
    Column("in_page", FirstPass.beside, "place"),
    Column("in_page_share", FirstPass.beside, "place"),
    Column("page_best", FirstPass.beside, "place", standardised=True),
    Column("siblings", FirstPass.beside, "place", standardised=True),
    Column("best_sentence", FirstPass.words, "words"),
    Column("gain", FirstPass.words, "words"),
    Column("lead", FirstPass.text, "place"),
    Column("table", FirstPass.text, "shape"),
    Column("list", FirstPass.text, "shape"),
    Column("infobox", FirstPass.text, "shape"),
    Column("length", FirstPass.text, "shape", standardised=True),
    Column("position", FirstPass.text, "place", standardised=True),
    Column("has_number", FirstPass.words, "shape"),
    Column("has_year", FirstPass.words, "shape"),
    Column("shape", FirstPass.text, "shape"),
    Column("rest", FirstPass.words, "words"),
    Column("rest_in_page", FirstPass.beside, "place"),
    Column("leads", FirstPass.links, "leads"),
    Column("vector_asked", FirstPass.similarity, "vector", standardised=True, embedded=True),
    Column("vector_asked_in_page", FirstPass.similarity, "place", embedded=True),
    Column("vector_in_page", FirstPass.similarity, "place", embedded=True),
    Column("distance", FirstPass.links, "named"),
    Column("under", FirstPass.words, "title"),
    Column("under_share", FirstPass.words, "title"),
    Column("under_title", FirstPass.words, "title"),
    Column("under_like", FirstPass.words, "title"),
    Column("phrase", FirstPass.words, "words"),
    Column("opening", FirstPass.words, "words"),
    Column("link_share", FirstPass.text, "shape"),
    Column("names_cover", FirstPass.question, "shape"),
    Column("words_asked", FirstPass.question, "shape"),
    Column("near", FirstPass.meaning, "meaning"),
    Column("near_asked", FirstPass.meaning, "meaning"),
    Column("near_sentence", FirstPass.meaning, "meaning"),
    Column("near_above", FirstPass.meaning, "meaning"),
    Column("meaning", FirstPass.meaning, "meaning", standardised=True),
    Column("meaning_sentence", FirstPass.meaning, "meaning", standardised=True),
    Column("meaning_above", FirstPass.meaning, "meaning"),
    Column("meaning_both", FirstPass.meaning, "meaning", standardised=True, rising=True),
    Column("rank_meaning", FirstPass.ranks, "meaning", rising=True),
    Column("rank_meaning_sentence", FirstPass.ranks, "meaning", rising=True),
    Column("rank_meaning_both", FirstPass.ranks, "meaning", rising=True),
    Column("rank_near", FirstPass.ranks, "meaning", rising=True),
    Column("rank_near_sentence", FirstPass.ranks, "meaning", rising=True),
    Column("most_cover", FirstPass.greatest, "words"),
    Column("most_best_sentence", FirstPass.greatest, "words"),
    Column("most_near", FirstPass.greatest, "meaning"),
    Column("most_meaning", FirstPass.greatest, "meaning"),
    Column("most_meaning_sentence", FirstPass.greatest, "meaning"),
)
"""What is known before anything is ranked."""

SECOND_PASS: tuple[Column[SecondPass], ...] = (
    Column("first", SecondPass.ranking, "first", standardised=True, rising=True),
    Column("rank_first", SecondPass.ranking, "first", rising=True),
    Column("in_page_first", SecondPass.ranking, "place"),
    Column("linked_from_best", SecondPass.links, "hits"),
    Column("bridge_from_best", SecondPass.links, "hits"),
    Column("share_from_best", SecondPass.links, "hits"),
    Column("cites_best", SecondPass.links, "hits"),
    Column("completes", SecondPass.words, "words"),
    Column("page_of_best", SecondPass.ranking, "place"),
    Column("joint_from_best", SecondPass.together, "hits"),
    Column("gain_from_best", SecondPass.together, "hits"),
    Column("joint_to_best", SecondPass.together, "hits"),
    Column("gain_to_best", SecondPass.together, "hits"),
)
"""What follows from a first ranking."""

DECLARED: tuple[Column[FirstPass] | Column[SecondPass], ...] = (*FIRST_PASS, *SECOND_PASS)


def computed(columns: Sequence[Column[Pass]], candidates: Pass) -> NDArray[np.float32]:
    """Return columns (n, len(columns)) of a question's candidates."""
    found: Computed = {}
    for compute in dict.fromkeys(column.computed_by for column in columns):
        found |= compute(candidates)
    return np.column_stack([found[column.name] for column in columns]).astype(np.float32)
