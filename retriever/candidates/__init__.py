"""Candidates of a question before anything is fused: `link_expansion` (where links lead) and `pool`."""
