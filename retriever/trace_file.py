"""Traces as rows: one JSON line a step, as `schemas/trace.schema.json` declares it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from retriever.types import Trace
from weft.overwriting import json_lines

KIND = json_lines("trace", "question", "step", "calls")


def trace_lines(question: str, trace: Trace) -> Iterator[str]:
    """Yield the lines of the steps that one question took, in their order."""
    for row in trace_rows(trace):
        yield json.dumps({"question": question} | row, ensure_ascii=False) + "\n"


def trace_rows(trace: Trace) -> list[dict[str, Any]]:
    """Return the steps as rows for JSON, numbered from 1."""
    return [
        {"step": number} | step._asdict() | {"seconds": round(step.seconds, 6), "detail": dict(step.detail)}
        for number, step in enumerate(trace.steps, 1)
    ]
