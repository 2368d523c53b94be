"""Traces as rows: one JSON line a step, as `schemas/trace.schema.json` declares it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from retriever.types import Trace


def trace_lines(question: str, trace: Trace) -> Iterator[str]:
    """Yield the lines of the steps that one question took, in their order."""
    for number, step in enumerate(trace.steps, 1):
        record = {"question": question, "step": number} | step._asdict()
        record["seconds"] = round(step.seconds, 6)
        record["detail"] = dict(step.detail)
        yield json.dumps(record, ensure_ascii=False) + "\n"
