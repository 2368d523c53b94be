"""Why a hit ranks where it does: `attribution` (each feature's share) and `evidence` (what stands behind it)."""
