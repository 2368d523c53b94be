"""Triplets as JSON, which 4StepFocus asks a model for, read into a query pattern.

>>> parse_triplets('{"target": "?p", "triplets": [["?p: paper", "written by", "Ann Lee"]]}').target
'p'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from retriever.focus.pattern import Pattern, PatternWarning, Symbol, Triplet
from weft.chat.replies import json_of

LISTS = ("triplets", "triples", "edges")
SUBJECTS = ("subject", "head", "source", "from")
PREDICATES = ("predicate", "relation", "edge", "type")
OBJECTS = ("object", "tail", "target", "to")
NAMES = ("name", "constant", "title", "entity")
VARIABLES = ("variable", "var", "id")
MOST_TRIPLETS = 64
UNNAMED = ("", "*", "any")
"""Relations that say nothing."""


def parse_triplets(reply: str) -> Pattern:
    """Return the pattern of a reply: `{"target": "?x", "triplets": [[end, relation, end], ...]}`; never raises.

    An end is `"?x: type"` for a variable, `"name"` for a constant, or an object
    with `variable` or `name` and `type`. A triplet may be an object too.
    """
    found = json_of(reply, dict) or json_of(reply, list)
    warnings: list[PatternWarning] = []
    symbols: dict[str, Symbol] = {}
    triplets: dict[Triplet, None] = {}
    for given in _given(found):
        triplet = _triplet(given, symbols)
        if triplet is None:
            warnings.append(PatternWarning("SYNTAX", str(given)[:80]))
        elif len(triplets) == MOST_TRIPLETS:
            warnings.append(PatternWarning("TOO_LONG", f"more than {MOST_TRIPLETS} triplets"))
            break
        else:
            triplets[triplet] = None
    target = _target(found, symbols)
    if not symbols:
        warnings.append(PatternWarning("NO_QUERY", "no triplet is given"))
    elif target is None:
        warnings.append(PatternWarning("NO_TARGET", "no variable is asked for"))
    elif symbols[target].type is None:
        warnings.append(PatternWarning("NO_TARGET_TYPE", target))
    return Pattern(tuple(symbols.values()), tuple(triplets), target, tuple(warnings))


def _given(found: Any) -> Sequence[Any]:
    """Return the list of triplets of a reply."""
    if isinstance(found, Mapping):
        found = next((found[key] for key in LISTS if key in found), [found])
    if isinstance(found, list) and len(found) == 3 and isinstance(found[1], str):
        return [found]
    return found if isinstance(found, list) else []


def _triplet(given: Any, symbols: dict[str, Symbol]) -> Triplet | None:
    if isinstance(given, Mapping):
        given = [_first(given, keys) for keys in (SUBJECTS, PREDICATES, OBJECTS)]
    if not isinstance(given, list) or len(given) != 3 or not isinstance(given[1], str | None):
        return None
    ends = [_symbol(end) for end in (given[0], given[2])]
    if ends[0] is None or ends[1] is None:
        return None
    for end in ends:
        assert end is not None, "both are checked"
        known = symbols.get(end.variable)
        symbols[end.variable] = end if known is None or known.type is None else known
    relation = (given[1] or "").strip()
    predicates = () if relation.casefold() in UNNAMED else (relation,)
    return Triplet(ends[0].variable, predicates, ends[1].variable)


def _symbol(end: Any) -> Symbol | None:
    """Return what an end of a triplet is, None where it is nothing."""
    if isinstance(end, str):
        return _written(end)
    if not isinstance(end, Mapping):
        return None
    kind, name, variable = _text(end, ("type", "label")), _text(end, NAMES), _text(end, VARIABLES)
    if name:
        return _constant(name.removeprefix("?"), kind) if not name.startswith("?") else Symbol(name[1:], kind)
    return Symbol(variable.removeprefix("?"), kind) if variable and variable != "?" else None


def _written(text: str) -> Symbol | None:
    """Return what `?x: type` or a name says."""
    text = text.strip()
    if not text.startswith("?"):
        return _constant(text, None) if text else None
    variable, _, kind = text[1:].partition(":")
    return Symbol(variable.strip(), kind.strip() or None) if variable.strip() else None


def _constant(name: str, kind: str | None) -> Symbol:
    """Return a constant; the same name is the same symbol."""
    return Symbol(f"={name}", kind, name)


def _target(found: Any, symbols: Mapping[str, Symbol]) -> str | None:
    """Return the variable that is asked for, the only one where none is said."""
    said = found.get("target") if isinstance(found, Mapping) else None
    named = _symbol(said)
    if named is not None and named.variable in symbols:
        return named.variable
    if named is not None and named.constant in symbols:
        return named.constant
    variables = [each.variable for each in symbols.values() if each.constant is None]
    return variables[0] if len(variables) == 1 else None


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((given[key] for key in keys if key in given), None)


def _text(given: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    """Return the first text under some keys."""
    texts: Iterator[str] = (given[key].strip() for key in keys if isinstance(given.get(key), str))
    return next((text for text in texts if text), None)
