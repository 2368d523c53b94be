"""Why a hit ranks where it does: `attribution` (each feature's share), `evidence` (what stands behind it), and
`reasons` (which of these are shown).
"""
