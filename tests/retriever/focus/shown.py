"""Patterns as lines of text, as case files write them."""

from __future__ import annotations

import json

from retriever.focus.pattern import Condition, Pattern, Symbol, Triplet


def shown(pattern: Pattern) -> list[str]:
    """Return a line for each symbol and triplet, one for the target, and one for each warning."""
    lines = [_symbol(each) for each in pattern.symbols] + [_triplet(each) for each in pattern.triplets]
    lines += [f"? {pattern.target}"] if pattern.target is not None else []
    return lines + [f"! {code} {detail}" for code, detail in pattern.warnings]


def _symbol(symbol: Symbol) -> str:
    names = [] if symbol.constant is None else [json.dumps(each) for each in (symbol.constant, *symbol.alternatives)]
    parts = [symbol.type or "", *([" | ".join(names)] if names else []), *map(_condition, symbol.conditions)]
    return f"{symbol.variable}: {'; '.join(part for part in parts if part)}".rstrip()


def _condition(condition: Condition) -> str:
    values = ", ".join(json.dumps(value) for value in condition.values)
    return f"{condition.key} {condition.operator} {values}".rstrip() + (" (any case)" if condition.folds_case else "")


def _triplet(triplet: Triplet) -> str:
    hops = "" if (triplet.least, triplet.most) == (1, 1) else f"*{triplet.least}..{triplet.most}"
    arrow = "->" if triplet.directed else "-"
    return f"{triplet.subject} -[{'|'.join(triplet.predicates)}{hops}]{arrow} {triplet.object}"
