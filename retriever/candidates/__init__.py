"""Candidates of a question before anything is fused: `link_expansion` (where links lead), `verbatim`
(identifiers as they are written) and `pool`.
"""
