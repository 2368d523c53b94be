"""The data card: what is in a set, what was rejected and why, and what it was made from, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from retriever.evaluation.report.markdown import cell

BLOCK = 1 << 20
SHOWN = 10
MADE_BY = "by `weft testset make` and verified by rule"
HEAD = 4096
"""Characters in which a card says what made it."""


class Settings(NamedTuple):
    """What a set was made with."""

    skb: str
    skb_hash: str
    seed: int
    patterns: tuple[str, ...]
    wanted: int
    writer: str
    least_score: int | None = None
    evidence: str = "said"


def hash_of(path: Path) -> str:
    """Return a hash of a file's bytes, BLAKE2b of 16 bytes in hexadecimal digits. Linear, in constant memory."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def summary_of(
    records: Sequence[Mapping[str, Any]], proposed: Mapping[str, int], rejected: Mapping[tuple[str, str], int],
    settings: Settings,
) -> dict[str, Any]:  # fmt: skip
    """Return the counts of a set as JSON can have them."""
    by_pattern: dict[str, dict[str, int]] = {}
    for (pattern, reason), n in sorted(rejected.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        by_pattern.setdefault(pattern, {})[reason] = n
    return {
        "questions": len(records),
        "patterns": dict(sorted(Counter(record["type"] for record in records).items())),
        "hops": dict(sorted(Counter(str(record["hops"]) for record in records).items())),
        "splits": dict(sorted(Counter(record["split"] for record in records if record.get("split")).items())),
        "proposed": dict(sorted(proposed.items())),
        "rejected": by_pattern,
        "settings": settings._asdict() | {"patterns": list(settings.patterns)},
    }


def card(summary: Mapping[str, Any], records: Sequence[Mapping[str, Any]], title: str) -> str:
    """Return the data card of a set."""
    settings = summary["settings"]
    parts = [
        f"# {title}\n\n{summary['questions']:,} questions with document-level ground truth, made from"
        f" `{settings['skb']}` {MADE_BY}. They are synthetic: made from what the"
        " knowledge base links and says, they favour methods that follow links and facts.",
        _table("Questions by pattern", ("pattern", "questions"), summary["patterns"]),
        _table("Questions by hops", ("pieces of evidence", "questions"), summary["hops"]),
        _table("Splits", ("split", "questions"), summary["splits"]) if summary["splits"] else "",
        _rejections(summary),
        _table("Settings", ("setting", "value"), {key: _shown(value) for key, value in settings.items()}),
        _examples(records),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def is_card(path: Path) -> bool:
    """Tell whether a file is the data card of some set. Raises OSError."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return MADE_BY in file.read(HEAD)


def _table(title: str, head: tuple[str, str], rows: Mapping[str, object]) -> str:
    lines = [f"| {cell(key)} | {cell(value)} |" for key, value in rows.items()]
    return "\n".join([f"## {title}", "", f"| {head[0]} | {head[1]} |", "|---|---|", *lines])


def _rejections(summary: Mapping[str, Any]) -> str:
    lines = ["## Rejections", "", "| pattern | reason | drafts |", "|---|---|---|"]
    for pattern, n in summary["proposed"].items():
        lines.append(f"| {pattern} | proposed in all | {n:,} |")
        lines += [f"| {pattern} | {cell(reason)} | {count:,} |"
                  for reason, count in summary["rejected"].get(pattern, {}).items()]  # fmt: skip
    return "\n".join(lines)


def why_fewer(summary: Mapping[str, Any]) -> str:
    """Tell in one line whether too few drafts were proposed for what was asked, too many rejected, or both."""
    n_drafts = sum(summary["proposed"].values())
    n_rejected = sum(sum(reasons.values()) for reasons in summary["rejected"].values())
    said = "all drafts were looked at"
    if n_drafts < summary["settings"]["wanted"]:
        said = f"only {n_drafts:,} draft{'s' * (n_drafts != 1)} could be proposed from this SKB"
    if not n_rejected:
        return said
    were = "was" if n_rejected == 1 else "were"
    return f"{said}; the card says why {n_rejected:,} of {n_drafts:,} {were} rejected"


def why_none_passed(proposed: Mapping[str, int], rejected: Mapping[tuple[str, str], int]) -> str:
    """Tell in one line why no draft passed: how many were rejected by each reason, the commonest first."""
    reasons: Counter[str] = Counter()
    for (_, reason), n in rejected.items():
        reasons[reason] += n
    told = "; ".join(f"{n:,}: {reason}" for reason, n in reasons.most_common())
    n_drafts = sum(proposed.values())
    return f"none of {n_drafts:,} draft{'s' * (n_drafts != 1)} passed verification ({told})"


def why_no_draft(patterns: Sequence[str], found: str, *, has_facts: bool) -> str:
    """Tell in one line why patterns gave no draft of the facts that were found."""
    if not has_facts:
        why = "; they are read from sentences in English, rows, relations and attributes"
    elif tuple(patterns) == ("single",):
        why = ", but no draft: none could be worded as a question"
    else:
        why = ", but no draft: no two of them could be joined in a question"
    return f"no question can be made by {', '.join(patterns)}: {found}{why}"


def _examples(records: Sequence[Mapping[str, Any]]) -> str:
    lines = [f"- {cell(record['question'])} ({cell(', '.join(record['answers'][:1]))})" for record in records[:SHOWN]]
    return "\n".join(["## The first questions", "", *lines])


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "-" if value is None else str(value)
