"""Text of documents without what controls a terminal."""

from __future__ import annotations

import json
import re
from typing import Any

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls of both sets, line separators, embeddings, overrides and isolates of direction, and lone surrogates."""


def printable(text: str) -> str:
    """Return a line of text with its control characters, line ends among them, shown as `\\x1b` or `\\u202e`."""
    return CONTROLS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def json_line(value: Any) -> str:
    """Return one JSON object on one line, as readable as `ensure_ascii` off allows."""
    return printable_json(json.dumps(value, ensure_ascii=False))


def printable_json(line: str) -> str:
    """Return a line of JSON that says the same without control characters, which stand in its strings alone."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
