"""Read the tensor of a `.pt` file as a numpy array, without torch and without running anything of the file.

A `.pt` file is a ZIP archive of a pickle, `data.pkl`, that describes tensors,
and their numbers in `data/0`, `data/1`, ..., uncompressed and aligned, so that
they can be mapped where they lie.
"""

from __future__ import annotations

import lzma
import struct
import sys
import zipfile
import zlib
from functools import cache
from math import prod
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.readers.graphs.pickle_calls import BadPickle, Call
from builder.readers.graphs.restricted_pickle import load_bytes, shortened
from weft.errors import UnreadableSource

DTYPES = {
    "DoubleStorage": "f8", "FloatStorage": "f4", "HalfStorage": "f2", "LongStorage": "i8", "IntStorage": "i4",
    "ShortStorage": "i2", "CharStorage": "i1", "ByteStorage": "u1", "BoolStorage": "?",
}  # fmt: skip
ENCRYPTED = 1
"""The bit of a zip member's flags that marks it as encrypted."""
# torch's magic number of the format before 1.6, pickled with protocol 2.
LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
LOCAL_HEADER = struct.Struct("<26xHH")  # of a zip member: the lengths of its name and of its extra field
MOST_DIMENSIONS = 64
"""Numpy's own bound."""
MOST_DESCRIPTION = 1_000_000
"""The bytes of a pickle that describes a tensor; torch writes less than a thousand."""
MOST_PACKED = 1 << 28
"""The bytes of numbers that are packed; torch packs none."""
BYTE_ORDERS = {b"little": "<", b"big": ">"}


# zipfile raises NotImplementedError for a version or compression it does not know, ValueError for odd names.
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError, struct.error)


class StorageKind(NamedTuple):
    """Stands for a storage class of torch: what its numbers are."""

    dtype: str


class Tensor(NamedTuple):
    """Stands for a tensor of torch."""

    values: NDArray[Any]


def _rebuilt(storage: Any, offset: Any, size: Any, stride: Any, *others: object) -> Tensor:
    """Return a view of a storage, as torch's function does; BadPickle where it would reach beyond it."""
    if not isinstance(storage, np.ndarray) or not isinstance(size, tuple) or not isinstance(stride, tuple):
        raise BadPickle("a tensor without a storage or shape")
    if not _are_counts((offset, *size, *stride)) or not len(size) == len(stride) <= MOST_DIMENSIONS:
        raise BadPickle("a tensor without a storage or shape")
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if prod(size) > len(storage) or (prod(size) and last >= len(storage)):
        raise BadPickle("a tensor that is larger than its storage")
    if not prod(size):
        return Tensor(np.empty(size, storage.dtype))
    steps = [step * storage.itemsize for step in stride]
    return Tensor(np.lib.stride_tricks.as_strided(storage[offset:], size, steps, writeable=False))


NAMES = MappingProxyType(
    {("torch", name): StorageKind(dtype) for name, dtype in DTYPES.items()}
    | {("torch._utils", "_rebuild_tensor_v2"): Call(_rebuilt)}
)


def read_tensor(path: Path) -> NDArray[Any]:
    """Return the one tensor that a `.pt` file holds, mapped where that can be, so read only.

    Raise UnsafePickle when the file wants anything but tensors and plain data,
    UnreadableSource when it is damaged, of a torch before 1.6, or holds
    something else.
    """
    try:
        with path.open("rb") as file:
            _check_kind(path, file)
            with zipfile.ZipFile(file) as archive:
                found = _load(path, archive, file)
    except OSError as error:
        raise UnreadableSource(f"{path}: cannot be read ({error.strerror or error})") from error
    except DAMAGE as error:
        raise UnreadableSource(f"{path}: a damaged .pt file ({shortened(error)})") from error
    if not isinstance(found, Tensor):
        raise UnreadableSource(f"{path}: holds a {type(found).__name__}, must hold one tensor")
    return found.values


def _check_kind(path: Path, file: IO[bytes]) -> None:
    start = file.read(len(LEGACY))
    file.seek(0)
    if start == LEGACY:
        raise UnreadableSource(
            f"{path}: written by a torch before 1.6; write it again: torch.save(torch.load(name), name)"
        )
    if not start.startswith(b"PK"):
        raise UnreadableSource(f"{path}: no .pt file as torch.save writes it")


def _load(path: Path, archive: zipfile.ZipFile, file: IO[bytes]) -> Any:
    members = {member.filename: member for member in archive.infolist()}
    for member in members.values():
        # Numbers are mapped where they lie, so a locked member would be taken for numbers.
        if member.flag_bits & ENCRYPTED:
            raise UnreadableSource(f"{path}: {member.filename} is encrypted")
    pickles = [name for name in members if PurePosixPath(name).name == "data.pkl"]
    if len(pickles) != 1:
        raise UnreadableSource(f"{path}: no .pt file as torch.save writes it (no data.pkl)")
    folder = pickles[0].removesuffix("data.pkl")
    order = _byte_order(path, archive, members, folder + "byteorder")

    @cache
    def numbers_of(kind: StorageKind, number: str, n_values: int) -> NDArray[Any]:
        member = members.get(f"{folder}data/{number}")
        if member is None or member.file_size < n_values * np.dtype(kind.dtype).itemsize:
            raise BadPickle(f"its storage {number} is missing or too short")
        return _numbers(path, archive, file, member, np.dtype(order + kind.dtype), n_values)

    description = _unpacked(archive, members[pickles[0]], MOST_DESCRIPTION + 1)
    if len(description) > MOST_DESCRIPTION:
        raise UnreadableSource(f"{path}: {pickles[0]} has more than {MOST_DESCRIPTION:,} bytes")
    return load_bytes(description, str(path), names=NAMES, storage_of=lambda key: numbers_of(*_storage_key(key)))


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Return the first bytes of a member, whatever size its header states."""
    with archive.open(member) as file:
        return file.read(most)


def _byte_order(path: Path, archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> str:
    """Return numpy's sign of the archive's byte order; files before torch 2.1 do not say it and are little."""
    byte_order = _unpacked(archive, members[name], 20).strip() if name in members else b"little"
    if byte_order not in BYTE_ORDERS:
        raise UnreadableSource(f"{path}: byte order {byte_order!r} is neither little nor big")
    return BYTE_ORDERS[byte_order]


def _storage_key(key: Any) -> tuple[StorageKind, str, int]:
    """Return the kind, number and length of what a persistent id refers to."""
    if not isinstance(key, tuple) or len(key) != 5 or key[0] != "storage":
        raise BadPickle("it refers to something that is no storage")
    _, kind, number, _, n_values = key
    if not isinstance(kind, StorageKind) or not isinstance(number, str) or not _are_counts((n_values,)):
        raise BadPickle("it refers to something that is no storage")
    return kind, number, n_values


def _numbers(
    path: Path, archive: zipfile.ZipFile, file: IO[bytes], member: zipfile.ZipInfo, dtype: np.dtype[Any], n: int
) -> NDArray[Any]:
    """Map a member's numbers where they lie in the file, or read them where they are packed."""
    if n == 0:
        return np.empty(0, dtype)
    if member.compress_type != zipfile.ZIP_STORED:
        if n * dtype.itemsize > MOST_PACKED:
            raise BadPickle(f"its numbers are packed and more than {MOST_PACKED:,} bytes")
        return np.frombuffer(_unpacked(archive, member, n * dtype.itemsize), dtype, n)
    file.seek(member.header_offset)
    header = file.read(LOCAL_HEADER.size)
    if len(header) < LOCAL_HEADER.size or not header.startswith(b"PK\3\4"):
        raise zipfile.BadZipFile("a member is not where the archive says")
    n_name, n_extra = LOCAL_HEADER.unpack(header)
    offset = member.header_offset + LOCAL_HEADER.size + n_name + n_extra
    return np.memmap(path, dtype, "r", offset, (n,))


def _are_counts(values: tuple[Any, ...]) -> bool:
    return all(type(value) is int and 0 <= value <= sys.maxsize for value in values)
