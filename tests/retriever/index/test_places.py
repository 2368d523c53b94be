"""Ids are found wherever they stand, dense or sparse."""

from __future__ import annotations

import numpy as np
import pytest

from retriever.index.places import FREE_IDS, places_of

SPARSE = [FREE_IDS * 40, FREE_IDS * 41]


@pytest.mark.parametrize("ids", [[1, 2, 5], [3], [1, FREE_IDS * 3], SPARSE, [0, 7], [-4, 2], []])
def test_ids_are_found_where_they_stand(ids: list[int]) -> None:
    asked = [*ids, 4, 6, 5, 1, *ids[::-1], FREE_IDS * 50]
    expected = [ids.index(each) if each in ids else -1 for each in asked]
    assert places_of(np.array(ids, np.int64)).of(np.array(asked, np.int64)).tolist() == expected


def test_ids_in_their_order_take_an_array() -> None:
    assert len(places_of(np.arange(1, 100)).by_id) == 101 and len(places_of(np.array([1, FREE_IDS * 3])).by_id) == 0
