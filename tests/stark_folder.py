"""Write a folder as STaRK releases its knowledge bases: pickles, and tensors as torch.save lays them out.

    python -m tests.stark_folder FOLDER [NODES EDGES]
"""

from __future__ import annotations

import pickle
import random
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

STORAGES = {"i8": "LongStorage", "i4": "IntStorage", "i2": "ShortStorage", "u1": "ByteStorage", "i1": "CharStorage",
            "f4": "FloatStorage", "f8": "DoubleStorage", "f2": "HalfStorage", "b1": "BoolStorage"}  # fmt: skip


class Stark(NamedTuple):
    """What a folder holds."""

    infos: dict[int, dict[str, Any]]
    node_types: list[int]
    node_type_names: dict[int, str]
    edges: list[tuple[int, int, int]]
    edge_type_names: dict[int, str]


SMALL = Stark(
    {
        0: {"id": 0, "type": "drug", "name": "Velostat", "source": "DrugBank", "details": {}},
        1: {
            "id": 1, "type": "gene/protein", "name": "ORB1", "source": "NCBI",
            "details": {"_id": "77", "summary": "ORB1 carries salt across the membrane. " * 5, "entrez_id": 4711,
                        "alias": ["OB", "ORB"], "go": {"terms": [{"id": "GO:1", "term": "salt transport"}]},
                        "generif": [{"pubmed": 1, "text": "Found in eels."}, {"pubmed": 2, "text": "And in moths."}],
                        "score": float("nan"), "note": None},
        },
        2: {"DisplayName": "Ilsabet Dorrane", "PaperCount": 12, "CitationCount": -1},
        3: {
            "title": "Lamp oil", "abstract": "An account of lamps.\nIn two lines.", "Year": 1251,
            "OriginalVenue": "Acta", "Date": "1251-06-01", "JournalDisplayName": "-1",
        },
        4: {
            "title": "Brass lamp", "brand": "Orrin", "asin": "B000X", "price": "$12.50", "also_buy": ["B1"],
            "feature": ["bright", "Casino green", "ASIN: B000X"],
            "description": "<b>Burns</b> all&nbsp;night &amp; day",
            "review": [{"reviewerID": "A", "summary": "Fine", "vote": "2"}, {"summary": "Best lamp", "vote": "1,010"}],
            "qa": [{"question": "Does it smoke?", "answer": "No."}],
        },
        5: {"brand_name": "Orrin"},
        6: {},
    },
    [0, 1, 2, 3, 4, 5, 5],
    {0: "drug", 1: "gene/protein", 2: "author", 3: "paper", 4: "product", 5: "brand"},
    [(0, 0, 1), (1, 0, 0), (2, 1, 3), (4, 2, 5), (4, 3, 4), (3, 1, 99)],
    {0: "target", 1: "author___writes___paper", 2: "has_brand", 3: "also_buy"},
)  # fmt: skip


def write_stark(folder: Path, stark: Stark, *, protocol: int = 4) -> Path:
    """Write a folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (("node_info", stark.infos), ("node_type_dict", stark.node_type_names),
                       ("edge_type_dict", stark.edge_type_names)):  # fmt: skip
        (folder / f"{name}.pkl").write_bytes(pickle.dumps(data, protocol))
    ends = np.array([(subject, object_) for subject, _, object_ in stark.edges], dtype="<i8").reshape(-1, 2).T
    write_tensor(folder / "edge_index.pt", np.ascontiguousarray(ends))
    write_tensor(folder / "edge_types.pt", np.array([kind for _, kind, _ in stark.edges], dtype="<i8"))
    write_tensor(folder / "node_types.pt", np.array(stark.node_types, dtype="<i8"))
    return folder


def write_tensor(path: Path, values: NDArray[Any], *, description: bytes | None = None, packed: bool = False) -> None:
    """Write a tensor as `torch.save` does: a description, the byte order, and the numbers at a multiple of 64."""
    prefix = path.stem
    big = values.dtype.byteorder == ">"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{prefix}/data.pkl", description or described(values))
        archive.writestr(f"{prefix}/byteorder", "big" if big else "little")
        member = zipfile.ZipInfo(f"{prefix}/data/0")
        member.compress_type = archive.compression
        assert archive.fp is not None
        start = archive.fp.tell() + 30 + len(member.filename) + 4
        filling = -start % 64
        member.extra = struct.pack("<2sH", b"FB", filling) + b"Z" * filling
        archive.writestr(member, values.tobytes("A"))
        archive.writestr(f"{prefix}/version", "3\n")


def described(
    values: NDArray[Any], *, strides: tuple[int, ...] | None = None, offset: int = 0, stored: int | None = None
) -> bytes:
    """Return the pickle that describes a tensor over storage 0, which has `stored` numbers."""
    steps = strides or tuple(step // values.itemsize for step in values.strides)
    kind = STORAGES[values.dtype.str[1:]]
    storage = _text("storage") + f"ctorch\n{kind}\n".encode() + _text("0") + _text("cpu") + _int(stored or values.size)
    return (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + b"(" + storage + b"tQ" + _int(offset)
        + _tuple(values.shape) + _tuple(steps) + b"\x89" + b"ccollections\nOrderedDict\n)R" + b"tR."
    )  # fmt: skip


def invented(n_nodes: int, n_edges: int) -> Stark:
    """Make a graph of any size, the same one each time."""
    rng = random.Random(7)
    kinds = {0: "author", 1: "paper"}
    types = [rng.randrange(2) for _ in range(n_nodes)]
    infos: dict[int, dict[str, Any]] = {
        n: {"title": f"Paper {n}", "abstract": f"On matter {n}. " * 20, "Year": 1900 + n % 100}
        if types[n]
        else {"DisplayName": f"Author {n}", "PaperCount": n % 50, "CitationCount": -1}
        for n in range(n_nodes)
    }
    edges = [(rng.randrange(n_nodes), rng.randrange(2), rng.randrange(n_nodes)) for _ in range(n_edges)]
    return Stark(infos, types, kinds, edges, {0: "author___writes___paper", 1: "paper___cites___paper"})


def _text(text: str) -> bytes:
    return b"X" + struct.pack("<I", len(text)) + text.encode()


def _int(number: int) -> bytes:
    return b"\x8a\x08" + struct.pack("<q", number)


def _tuple(numbers: tuple[int, ...]) -> bytes:
    return b"(" + b"".join(map(_int, numbers)) + b"t"


if __name__ == "__main__":
    n_nodes, n_edges = map(int, sys.argv[2:4] or (1000, 5000))
    write_stark(Path(sys.argv[1]), invented(n_nodes, n_edges))
