"""Questions made from an SKB: `compose`, reworded by `paraphrase`, and `headings`."""
