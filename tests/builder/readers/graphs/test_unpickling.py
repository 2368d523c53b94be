"""Pickles and tensors of others: plain data is read, everything else is refused by name and never run."""

from __future__ import annotations

import datetime
import io
import os
import pickle
import random
import re
import struct
import tracemalloc
from collections import OrderedDict, defaultdict
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pytest

from builder.readers.graphs.restricted_pickle import UnsafePickle, load, load_file
from builder.readers.graphs.torch_tensor import read_tensor
from tests.stark_folder import SMALL, described, write_tensor
from weft.errors import UnreadableSource

NESTED = {
    0: {"name": "Θ", "list": [1, -2.5, None, True], "tuple": (), "bytes": b"\x00\xff"},
    "set": {1, 2}, "frozen": frozenset({"a"}), "ordered": OrderedDict([("b", 1), ("a", 2)]),
    "default": defaultdict(list, {"x": [1]}), "big": 10**30, "nested": [[], {}, set(), b"", ()],
}  # fmt: skip


class Trap:
    """Runs a command where a pickle of it is loaded."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_is_read_whatever_the_protocol(protocol: int) -> None:
    found = load(io.BytesIO(pickle.dumps(NESTED, protocol)))
    assert found == NESTED
    assert type(found["ordered"]) is OrderedDict and found["default"].default_factory is list


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("value", "named"),
    [
        (Trap(os.system, "touch {}"), f"{os.system.__module__}.system"),
        (Trap(eval, "open({!r}, 'w')"), "builtins.eval"),
        (Trap(exec, "open({!r}, 'w')"), "builtins.exec"),
        (Trap(getattr, "x", "upper"), "builtins.getattr"),
        (Trap(open, "{}", "w"), "open"),
        (Trap(__import__, "os"), "__import__"),
        (np.arange(3), "numpy"),
        (np.float64(1.5), "numpy"),
        (PurePosixPath("a"), "pathlib"),
        (datetime.date(2026, 11, 20), "datetime.date"),
        (1j, "complex"),
        (range(3), "range"),
        (os.system, "system"),
        (OSError, "OSError"),
    ],
)
def test_everything_else_is_refused_by_name(value: Any, named: str, protocol: int, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    if isinstance(value, Trap):
        function, arguments = value.call
        value = Trap(function, *(text.format(str(mark)) for text in arguments))
    data = pickle.dumps({"name": "x", "value": [value]}, protocol)
    with pytest.raises(UnsafePickle) as refused:
        load(io.BytesIO(data), "info.pkl")
    said = str(refused.value).replace("__builtin__", "builtins").replace("io.open", "open")
    assert said.startswith("info.pkl: wants ") and named in said and "\n" not in said
    assert not mark.exists()
    if isinstance(value, Trap) and function in (open, eval):
        pickle.loads(data)
        assert mark.exists(), "the trap must work where nothing guards it"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", b"\x80\x05", b"\x80\x09.", pickle.dumps([1] * 100)[:-20], b"\x80\x02I1\nI2\n\x86R.",
        b"\x80\x02cbuiltins\nbytes\nI99999999999\n\x85R.",
        b"\x80\x02ccollections\ndefaultdict\nX\x01\x00\x00\x00a\x85R.",
        b"\x80\x02c_codecs\nencode\nX\x01\x00\x00\x00aX\x03\x00\x00\x00zip\x86R.",
        b"\x80\x02X\x01\x00\x00\x00aQ.", b"\x80\x02\x82\x01.", b"\x80\x02cbuiltins\nint\nX\x01\x00\x00\x00a\x85R.",
        b"\x80\x02ccollections\ndefaultdict\n}X\x01\x00\x00\x00aK\x01s\x86b.",
    ],
)  # fmt: skip
def test_a_damaged_pickle_is_one_line(data: bytes) -> None:
    with pytest.raises(UnreadableSource) as failed:
        load(io.BytesIO(data), "info.pkl")
    assert str(failed.value).startswith("info.pkl: ") and "\n" not in str(failed.value)


def _pairs_of_itself(levels: int) -> bytes:
    """Return instructions that make a tuple of twice a tuple of twice a tuple, and so on."""
    return b"K\x01" + b"2\x86" * levels


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x80\x02}r" + struct.pack("<I", 2**28) + b".", None),
        (b"\x80\x02)" + b"\x85" * 100_000 + b".", None),
        (b"\x80\x02" + b"(" * 100_000 + b".", "IndexError|pop from empty list"),
        (b"\x80\x05\x8e" + struct.pack("<Q", 2**60) + b"a.", "are announced and 2 are left"),
        (b"\x80\x05\x8d" + struct.pack("<Q", 2**60) + b"a.", "are announced and 2 are left"),
        (b"\x80\x05\x96" + struct.pack("<Q", 2**60) + b"a.", "are announced and 2 are left"),
        (b"\x80\x05\x95" + struct.pack("<Q", 2**60) + b"N.", None),
        (b"\x80\x02}" + _pairs_of_itself(60) + b"Ns.", "a key that is a tuple"),
        (b"\x80\x05\x8f(" + _pairs_of_itself(60) + b"\x90.", "a key that is a tuple"),
        (b"\x80\x02cbuiltins\nstr\n" + _pairs_of_itself(60) + b"\x85R.", "a str made of a tuple"),
        (b"\x80\x02cbuiltins\nfrozenset\n" + _pairs_of_itself(60) + b"\x85R.", "a key that is a tuple"),
        (b"\x80\x02}\x8a\x09" + b"\xff" * 8 + b"\x1fNs.", "a number of more than 60 bits"),
        (b"\x80\x02" + b"X\xe8\3\0\0" + b"a" * 1000 + b"q\0" + b"c_codecs\nencode\nq\1"
         + b"(" + b"h\1h\0\x85R" * 20_000 + b"l.", "its calls copy more than it holds"),
        (b"\x80\x02]q\0(" + b"N" * 1000 + b"ecbuiltins\ntuple\nq\1(" + b"h\1h\0\x85R" * 20_000 + b"l.",
         "its calls copy more than it holds"),
        (b"\x80\x02I" + b"1" * 100_000 + b"\n.", "Exceeds the limit"),
    ],
    ids=["memo", "nested tuples", "marks", "bytes", "text", "byte array", "frame", "key", "element", "str", "frozenset",
         "long key", "copied text", "copied list", "digits"],
)  # fmt: skip
def test_reading_takes_time_and_memory_in_proportion_to_the_file(data: bytes, reason: str | None) -> None:
    tracemalloc.start()
    try:
        load(io.BytesIO(data), "info.pkl")
        failed = ""
    except UnreadableSource as error:
        failed = str(error)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert re.search(reason, failed) if reason else not failed
    assert peak < 8_000_000 + 200 * len(data)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_random_damage_of_a_pickle_is_one_line(protocol: int) -> None:
    choose = random.Random(protocol)
    whole = pickle.dumps({0: NESTED, 1: SMALL.infos}, protocol)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(choose.randrange(1, 6)):
            start = choose.randrange(len(data))
            length = choose.choice((0, 1, 1, 4, 50))
            data[start : start + length] = choose.randbytes(choose.choice((0, 1, 1, 4)))
        try:
            load(io.BytesIO(bytes(data)), "info.pkl")
        except UnreadableSource as error:
            assert "\n" not in str(error) and len(str(error)) < 400


def test_random_damage_of_a_tensor_file_is_one_line(tmp_path: Path) -> None:
    choose = random.Random(5)
    path = tmp_path / "values.pt"
    for packed in (False, True):
        write_tensor(path, np.arange(50, dtype="<i8"), packed=packed)
        whole = path.read_bytes()
        for _ in range(400):
            data = bytearray(whole)
            for _ in range(choose.randrange(1, 4)):
                start = choose.randrange(len(data))
                data[start : start + choose.choice((1, 1, 4))] = choose.randbytes(choose.choice((1, 1, 4)))
            path.write_bytes(data)
            try:
                read_tensor(path)
            except UnreadableSource as error:
                assert "\n" not in str(error) and len(str(error)) < 600


def test_a_description_that_is_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "values.pt"
    write_tensor(path, np.arange(3), description=b"\x80\x02" + b"N0" * 20_000_000 + b"N.", packed=True)
    tracemalloc.start()
    with pytest.raises(UnreadableSource, match="has more than 1,000,000 bytes"):
        read_tensor(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000


def test_packed_numbers_are_unpacked_as_far_as_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "values.pt"
    values = np.zeros(5_000_000, "<i8")
    write_tensor(path, values, description=described(values[:5], stored=5), packed=True)
    tracemalloc.start()
    assert read_tensor(path).tolist() == [0] * 5
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="cannot be read"):
        load_file(tmp_path / "none.pkl")


@pytest.mark.parametrize("dtype", ["<i8", ">i8", "<i4", "<i2", "u1", "i1", "<f4", ">f8", "<f2", "?"])
@pytest.mark.parametrize("packed", [False, True])
def test_tensors_of_every_kind(tmp_path: Path, dtype: str, packed: bool) -> None:
    values = np.array([[0, 1, 2], [3, 4, 100]]).astype(dtype)
    write_tensor(tmp_path / "values.pt", values, packed=packed)
    found = read_tensor(tmp_path / "values.pt")
    assert found.dtype.newbyteorder("=") == values.dtype.newbyteorder("=")
    assert found.tolist() == values.tolist()


def test_tensors_that_are_views_of_their_storage(tmp_path: Path) -> None:
    values = np.arange(12, dtype="<i8").reshape(3, 4)
    path = tmp_path / "values.pt"
    for view, strides, offset in ((values[1:, :3], (4, 1), 4), (values.T, (1, 4), 0), (values[:, 2], (4,), 2)):
        write_tensor(path, values, description=described(view, strides=strides, offset=offset, stored=12))
        assert read_tensor(path).tolist() == view.tolist()


@pytest.mark.parametrize("shape", [(2, 0), (0,), ()])
def test_tensors_without_numbers_or_dimensions(tmp_path: Path, shape: tuple[int, ...]) -> None:
    write_tensor(tmp_path / "values.pt", np.ones(shape, "<i8"))
    found = read_tensor(tmp_path / "values.pt")
    assert (found.shape, found.tolist()) == (shape, np.ones(shape, "<i8").tolist())


@pytest.mark.parametrize(
    ("strides", "offset", "stored"), [((4, 1), 1, 12), ((5, 1), 0, 12), ((0, 0), 0, 1), ((4, 1), -1, 12), ((4,), 0, 12)]
)
def test_a_view_beyond_its_storage_is_refused(
    tmp_path: Path, strides: tuple[int, ...], offset: int, stored: int
) -> None:
    values = np.arange(12, dtype="<i8").reshape(3, 4)
    description = described(values, strides=strides, offset=offset, stored=stored)
    write_tensor(tmp_path / "values.pt", values, description=description)
    with pytest.raises(UnreadableSource, match=r"larger than its storage|without a storage or shape"):
        read_tensor(tmp_path / "values.pt")


def test_a_tensor_file_that_wants_more_is_refused(tmp_path: Path) -> None:
    path, mark = tmp_path / "values.pt", tmp_path / "ran"
    values = np.arange(3, dtype="<i8")
    for value, named in ((Trap(os.system, f"touch {mark}"), "system"), (np.arange(2), "numpy")):
        write_tensor(path, values, description=pickle.dumps(value, 2))
        with pytest.raises(UnsafePickle, match=named):
            read_tensor(path)
    write_tensor(path, values, description=b"\x80\x02ctorch\nBFloat16Storage\n.")
    with pytest.raises(UnsafePickle, match=r"torch\.BFloat16Storage"):
        read_tensor(path)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", "before 1.6"),
        (b"", "no [.]pt file"), (b"PK\x03\x04 and then nothing", "damaged"), (b"hello", "no [.]pt file"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_tensor_is_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "values.pt"
    path.write_bytes(data)
    with pytest.raises(UnreadableSource, match=said) as failed:
        read_tensor(path)
    assert "\n" not in str(failed.value)


def test_a_tensor_file_cut_short_or_of_something_else_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "values.pt"
    values = np.arange(500, dtype="<i8")
    write_tensor(path, values)
    whole = path.read_bytes()
    for length in range(1, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(UnreadableSource):
            read_tensor(path)
    write_tensor(path, values, description=pickle.dumps({"a": 1}, 2))
    with pytest.raises(UnreadableSource, match="holds a dict, must hold one tensor"):
        read_tensor(path)
    write_tensor(path, values[:10], description=described(values))
    with pytest.raises(UnreadableSource, match="too short"):
        read_tensor(path)


def test_a_locked_tensor_file_is_told_as_such_and_not_read_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "values.pt"
    write_tensor(path, np.arange(500, dtype="<i8"))
    data = bytearray(path.read_bytes())
    entry = data.rfind(b"PK\x01\x02")
    data[entry + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(UnreadableSource, match="is encrypted"):
        read_tensor(path)
