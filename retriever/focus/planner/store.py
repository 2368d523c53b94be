"""The file of a planner's weights: one JSON object, for the graph whose relations and types it names.

    {"format": "weft-relations", "version": 1, "columns": [...], "weights": [...], "nothing": 0.1,
     "cues": {"last=>directed_by": {"who": 0.7, ...}, ...}, "types": {"drug": {"medic": 1.2, ...}, ...},
     "trained_on": [{"name", "sha256", "questions", "texts"}], "settings": {...}}

`texts` are hashes of the questions that taught it (`retriever.fusion.seen`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from retriever.focus.planner.features import COLUMNS
from retriever.focus.planner.model import RelationModel
from retriever.fusion.seen import n_seen, unpacked
from weft.errors import WeftError
from weft.output_file import replacing, wrapped_errors
from weft.overwriting import json_file
from weft.text.json_text import parsed_json

FORMAT = "weft-relations"
KIND = json_file("file of weft train --relations", FORMAT)
VERSION = 1
MOST_MB = 64
GREATEST = 1e6


class BadRelationFile(WeftError):
    """The file holds no weights of a planner, is damaged, or was made for other features."""


class Taught(NamedTuple):
    """A question file that taught a planner, and hashes of its questions."""

    name: str
    sha256: str
    questions: int
    texts: str


class Relations(NamedTuple):
    """A planner's weights, what taught them, and how."""

    model: RelationModel
    taught: tuple[Taught, ...] = ()
    settings: Mapping[str, Any] = {}

    def n_learned(self, questions: Sequence[str]) -> int:
        """Return how many of some questions taught it."""
        return n_seen(questions, [each.texts for each in self.taught])


def save_relations(path: Path, relations: Relations) -> None:
    """Write a file; the same weights give the same bytes."""
    model = relations.model
    record = {
        "format": FORMAT, "version": VERSION, "columns": COLUMNS, "weights": model.weights, "nothing": model.nothing,
        "cues": _sorted(model.cues), "types": _sorted(model.types),
        "trained_on": [each._asdict() for each in relations.taught], "settings": dict(relations.settings),
    }  # fmt: skip
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    with wrapped_errors(path), replacing(path) as output:
        output.write(text.encode("utf-8"))


def _sorted(weights: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    return {name: dict(sorted(cues.items())) for name, cues in sorted(weights.items())}


def load_relations(path: Path) -> Relations:
    """Read a file; raise BadRelationFile where it is none or was made for other features."""
    try:
        if path.stat().st_size > MOST_MB << 20:
            raise BadRelationFile(f"{path}: is larger than {MOST_MB} MB")
        record = parsed_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRelationFile(f"{path}: is no file of weft train --relations ({error})") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise BadRelationFile(f"{path}: is no file of weft train --relations, or one of another version of Weft")
    if record.get("columns") != list(COLUMNS):
        raise BadRelationFile(f"{path}: was made for other features; train it again")
    try:
        return _read(record)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadRelationFile(f"{path}: is damaged ({error!r})") from error


def _read(record: Mapping[str, Any]) -> Relations:
    weights = tuple(_number(each) for each in record["weights"])
    if len(weights) != len(COLUMNS):
        raise ValueError("weights")
    model = RelationModel(weights, _number(record["nothing"]), _cues(record["cues"]), _cues(record["types"]))
    taught = tuple(Taught(*(each[key] for key in Taught._fields)) for each in record["trained_on"])
    for each in taught:
        unpacked(each.texts)
    return Relations(model, taught, dict(record["settings"]))


def _cues(record: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {str(part): {str(cue): _number(weight) for cue, weight in cues.items()} for part, cues in record.items()}


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r:.40} is no number")
    number = float(value)
    if not math.isfinite(number) or abs(number) > GREATEST:
        raise ValueError(f"{value!r:.40} is no weight")
    return number
