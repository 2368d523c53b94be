"""The file of a fusion: one JSON object, first what it is and was trained on, then its arrays.

    {"format": "weft-fusion", "version": 1, "model": "mlp", "columns": ["bm25", ...], "embedders": ["tfidf"],
     "trained_on": [{"name", "sha256", "questions", "candidates", "positives", "texts"}], "settings": {...},
     "scale": null or {"mean": [...], "std": [...]},
     "answerable": null or {"columns": [...], "weights": [...], "bias": 0.1, "threshold": 0.1},
     "arrays": {"network0.layer0.weight": {"dtype": "<f4", "shape": [30, 254], "data": base64}, ...}}

Arrays are little-endian float32 in row order. `scale` is null where features
are standardised within the question. `texts` are hashes of the questions'
texts (`retriever.fusion.seen`), which older files do not have; they have no
`answerable` either, and one of other columns than this Weft's counts as none.
Reading runs nothing: it is no pickle.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from retriever.features.answerability import COLUMNS as RANKING_COLUMNS
from retriever.features.answerability import Answerability
from retriever.fusion.dense import BadNetwork
from retriever.fusion.models import NAMES, FusionModel, new_model
from retriever.fusion.seen import n_seen, unpacked
from retriever.fusion.two_stage import TwoStage, is_two_stage
from retriever.learning.standardise import Scale
from retriever.learning.table import difference
from weft.errors import WeftError
from weft.output_file import replacing, wrapped_errors
from weft.overwriting import json_file
from weft.text.json_text import no_collection

Number = TypeVar("Number", bound=np.floating[Any])
FORMAT = "weft-fusion"
KIND = json_file("fusion file", FORMAT)
VERSION = 1
DTYPE = "<f4"
MOST_MB = 64
"""A larger file is none of ours: what ships has 1 MB."""

LONGEST_NAME = 200
GREATEST = 1e12
"""No weight is greater, so that no sum of a few layers is beyond a double."""


class BadFusionFile(WeftError):
    """The file is no fusion, is damaged, or was trained for other features."""


class TrainingSet(NamedTuple):
    """A set that a fusion was trained on: a label, hashes of its question file and questions, and what it held."""

    name: str
    sha256: str
    questions: int
    candidates: int
    positives: int
    texts: str = ""


class Head(NamedTuple):
    """What a fusion is: everything in its file but the arrays."""

    model: str
    columns: tuple[str, ...]
    embedders: tuple[str, ...] = ()
    trained_on: tuple[TrainingSet, ...] = ()
    settings: Mapping[str, Any] = {}
    scale: Scale | None = None
    answerable: Answerability | None = None
    """Tells whether anything fits a question; not every fusion knows."""


class Fusion(NamedTuple):
    """A trained model with its head."""

    head: Head
    model: FusionModel


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def n_learned(head: Head, path: Path, questions: Sequence[str]) -> int:
    """Return how many of a file's questions a fusion was trained on; one without hashes of them knows whole files."""
    if path.is_file() and file_hash(path) in {each.sha256 for each in head.trained_on if not each.texts}:
        return len(questions)
    return n_seen(questions, (each.texts for each in head.trained_on))


def save(path: Path, fusion: Fusion) -> None:
    """Write the file at once or not at all; same fusion, same bytes. Raise WeftError where it cannot be."""
    with wrapped_errors(path), replacing(path) as file:
        file.write(dumps(fusion).encode())


def dumps(fusion: Fusion) -> str:
    """Return the text of the file, one array a line."""
    head = fusion.head
    scale = None if head.scale is None else {name: part.tolist() for name, part in head.scale._asdict().items()}
    trained_on = [each._asdict() for each in head.trained_on]
    answerable = None if head.answerable is None else {"columns": RANKING_COLUMNS} | head.answerable._asdict()
    record = {"format": FORMAT, "version": VERSION} | head._asdict()
    record |= {"trained_on": trained_on, "scale": scale, "answerable": answerable}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(_packed(array))}" for name, array in _sorted(fusion.model))
    text = json.dumps(record, allow_nan=False, indent=1)
    return f'{text[:-2]},\n "arrays": {{\n{lines}\n }}\n}}\n'


def _sorted(model: FusionModel) -> list[tuple[str, NDArray[np.float32]]]:
    return sorted(model.arrays().items())


def _packed(array: NDArray[np.float32]) -> dict[str, Any]:
    data = base64.b64encode(np.ascontiguousarray(array, DTYPE).tobytes()).decode("ascii")
    return {"dtype": DTYPE, "shape": list(array.shape), "data": data}


def load(path: Path, columns: Sequence[str] | None = None) -> Fusion:
    """Read a file; raise BadFusionFile for a wrong or damaged one, and where `columns` are not those it knows."""
    try:
        text = _read(path).decode("utf-8")
    except OSError as exc:
        raise BadFusionFile(f"{path}: cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError:
        raise BadFusionFile(f"{path}: is no fusion file; `weft train` writes one") from None
    fusion = loads(text, str(path))
    if columns is not None and (other := difference(fusion.head.columns, columns)):
        raise BadFusionFile(f"{path}: was trained on other features than this Weft computes: {other}; train it again")
    return fusion


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read((MOST_MB << 20) + 1)
    if len(content) > MOST_MB << 20:
        raise BadFusionFile(f"{path}: has more than {MOST_MB} MB, so it is no fusion file; `weft train` writes one")
    return content


def loads(text: str, name: str) -> Fusion:
    """Read the text of a file, or raise BadFusionFile; `name` is for messages."""
    try:
        with no_collection():
            record = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as exc:
        raise BadFusionFile(f"{name}: is cut short or no fusion file ({exc}); `weft train` writes one") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadFusionFile(f"{name}: is no fusion file; `weft train` writes one")
    if record.get("version") != VERSION:
        version = _shown(record.get("version"))
        raise BadFusionFile(f"{name}: has format version {version}; this Weft reads version {VERSION}")
    try:
        head = _head(record)
        packed_arrays = _typed(record, "arrays", dict)
        model: FusionModel = TwoStage(head.model) if is_two_stage(packed_arrays) else new_model(head.model)
        model.restore({key: _unpacked(key, packed) for key, packed in packed_arrays.items()})
        if model.inputs() != len(head.columns):
            raise BadNetwork(f"the model takes {model.inputs()} features and {len(head.columns)} are named")
    except BadNetwork as exc:
        raise BadFusionFile(f"{name}: is damaged: {_line(str(exc))}") from exc
    return Fusion(head, model)


def _shown(value: Any) -> str:
    """Return an untrusted value in a few characters of one line."""
    return ascii(value)[:100]


def _line(message: str) -> str:
    """Return a message that holds untrusted names as one line that can be printed."""
    printable = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in message[:1000])
    return printable if len(printable) <= 1000 else f"{printable[:1000]} ..."


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _head(record: Mapping[str, Any]) -> Head:
    model = _typed(record, "model", str)
    if model not in NAMES:
        raise BadNetwork(f"{model[:100]}: no such fusion; there are {', '.join(NAMES)}")
    columns, embedders = (_words(record, key) for key in ("columns", "embedders"))
    trained_on = tuple(_training_set(each) for each in _typed(record, "trained_on", list))
    scale = None if record.get("scale") is None else _scale(_typed(record, "scale", dict), len(columns))
    answerable = None if record.get("answerable") is None else _answerable(_typed(record, "answerable", dict))
    return Head(model, columns, embedders, trained_on, _typed(record, "settings", dict), scale, answerable)


def _answerable(record: Mapping[str, Any]) -> Answerability | None:
    if _words(record, "columns") != RANKING_COLUMNS:
        return None
    values = [*_typed(record, "weights", list), record.get("bias"), record.get("threshold")]
    name = "answerable, weights with bias and threshold,"
    *weights, bias, threshold = _finite(name, _numbers(name, values, len(RANKING_COLUMNS) + 2)).tolist()
    return Answerability(tuple(weights), bias, threshold)


def _typed(record: Any, key: str, kind: type) -> Any:
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, kind):
        raise BadNetwork(f"{key} is missing or not {kind.__name__}")
    return value


def _words(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = _typed(record, key, list)
    usable = all(isinstance(word, str) and word.isprintable() and len(word) <= LONGEST_NAME for word in words)
    if not usable or len(set(words)) < len(words):
        raise BadNetwork(f"{key} must be different strings of at most {LONGEST_NAME} printable characters")
    return tuple(words)


def _training_set(record: Any) -> TrainingSet:
    kinds = {"name": str, "sha256": str, "questions": int, "candidates": int, "positives": int}
    known = {key: _typed(record, key, kind) for key, kind in kinds.items()}
    texts = _typed(record, "texts", str) if "texts" in record else ""
    try:
        unpacked(texts)
    except ValueError as exc:
        raise BadNetwork(f"texts of the training set {known['name'][:100]} are no hashes: {exc}") from exc
    return TrainingSet(**known, texts=texts)


def _scale(record: Mapping[str, Any], width: int) -> Scale:
    parts = []
    for key in ("mean", "std"):
        name = f"{key} of the scale"
        with np.errstate(over="ignore"):
            parts.append(_finite(name, _numbers(name, _typed(record, key, list), width).astype(np.float32)))
    return Scale(*parts)


def _numbers(name: str, values: Any, width: int) -> NDArray[np.float64]:
    usable = isinstance(values, list) and all(type(value) in (int, float) and _is_float(value) for value in values)
    if not usable or len(values) != width:
        raise BadNetwork(f"{name} must be {width} numbers")
    return np.array(values, np.float64)


def _is_float(value: int | float) -> bool:
    """Tell whether a number can be a float, as an integer of 400 digits cannot."""
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _unpacked(name: str, packed: Any) -> NDArray[np.float32]:
    shape, data = _typed(packed, "shape", list), _typed(packed, "data", str)
    fits = len(shape) <= 2 and all(type(size) is int and 0 <= size <= MOST_MB << 20 for size in shape)
    if packed.get("dtype") != DTYPE or not fits:
        dtype = packed.get("dtype")
        given = f"dtype {dtype if isinstance(dtype, str) else _shown(dtype)} and shape {_shown(shape)}"
        raise BadNetwork(f"array {name} has {given}; the dtype must be {DTYPE}, with at most two sizes")
    try:
        found = base64.b64decode(data, validate=True)
    except ValueError as exc:
        raise BadNetwork(f"array {name} is not base64: {exc}") from exc
    if len(found) != 4 * math.prod(shape):
        raise BadNetwork(f"array {name} holds {len(found)} bytes and its shape {shape} asks for {4 * math.prod(shape)}")
    return _finite(f"array {name}", np.frombuffer(found, DTYPE).reshape(shape).astype(np.float32))


def _finite(name: str, values: NDArray[Number]) -> NDArray[Number]:
    if not np.isfinite(values).all():
        raise BadNetwork(f"{name} holds a value that is not finite")
    if values.size and float(np.abs(values).max()) > GREATEST:
        raise BadNetwork(f"{name} holds a value beyond {GREATEST:g}")
    return values
