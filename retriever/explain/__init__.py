"""Why a hit ranks where it does: `contributions` (what each column adds), `attribution` (each group's share),
`evidence` (what stands behind it), and `reasons` (which of these are shown).
"""
