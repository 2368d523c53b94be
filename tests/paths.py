"""Where the tests find the working copy and its data."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
CASES = ROOT / "tests" / "cases"
DATA = Path(os.environ.get("WEFT_DATA") or ROOT / ".." / "shared" / "data")
"""Real data; what is not there skips the tests that need it."""
