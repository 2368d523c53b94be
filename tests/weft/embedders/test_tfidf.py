"""The default embedder: a text's vector does not depend on the texts that it is encoded with."""

from __future__ import annotations

import numpy as np

from weft.embedders.tfidf import FEW, ProjectedTfidf

TEXTS = [
    "The Quillon Bridge carries the salt road over the Veldra.", "Orrin Tasker designed the burner of the light.",
    "", "A toll, a toll, a toll!", "the the the", "Nobody met these words: glasswort tremor", "Sill limestone " * 40,
    "Ünder the Órra 1290", "It was built in 1207.", "Tasker",
]  # fmt: skip


def test_few_texts_have_the_vectors_that_many_have() -> None:
    embedder = ProjectedTfidf()
    embedder.fit(lambda: iter(TEXTS[:-3]))
    together = embedder.encode(TEXTS)
    assert len(TEXTS) > FEW and together.shape == (len(TEXTS), 512)
    alone = np.concatenate([embedder.encode([text]) for text in TEXTS])
    assert alone.tobytes() == together.tobytes()
