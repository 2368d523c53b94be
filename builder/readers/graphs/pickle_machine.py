"""The machine that pickles are programs for, as far as plain data needs it.

The instructions and their codes are those of `pickletools.opcodes`.
"""

from __future__ import annotations

import codecs
import pickle
import struct
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from builder.readers.graphs.pickle_calls import BadPickle, Call, Names, UnknownName, as_key, size_of

OLD_NAMES: Mapping[str, str] = {"__builtin__": "builtins", "unicode": "str", "long": "int"}
MOST_COPIED = 1 << 20
"""How much calls may copy beside as much as the pickle has bytes."""
LENGTHS = {1: struct.Struct("<B"), 2: struct.Struct("<H"), 4: struct.Struct("<I"), 8: struct.Struct("<Q")}
FLOAT = struct.Struct(">d")
# What a wrong value makes the instructions below raise.
WRONG = (ValueError, TypeError, LookupError, OverflowError, AttributeError)


class Machine:
    """Runs one pickle; each instruction takes time in proportion to its bytes, and calls are bounded together."""

    def __init__(self, data: Any, names: Names, storage_of: Callable[[Any], object] | None) -> None:
        self._data = data
        self._end = len(data)
        self._offset = 0
        self._names = names
        self._storage_of = storage_of
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}
        self._budget = self._end + MOST_COPIED

    def run(self) -> Any:
        """Return what the pickle leaves; raise BadPickle, or UnknownName for a name that is not known."""
        data, end, instructions = self._data, self._end, INSTRUCTIONS
        try:
            while self._offset < end:
                code = data[self._offset]
                self._offset += 1
                if code == STOP:
                    return self._stack.pop()
                instructions[code](self)
        except WRONG as error:
            raise BadPickle(str(error) or type(error).__name__) from error
        raise BadPickle("it is cut short")

    def _bytes(self, length: int) -> bytes:
        start, self._offset = self._offset, self._offset + length
        if length < 0 or self._offset > self._end:
            raise BadPickle(f"{length:,} bytes are announced and {self._end - start:,} are left")
        return self._data[start : self._offset]  # type: ignore[no-any-return]

    def _counted(self, width: int) -> bytes:
        return self._bytes(self._number(width))

    def _number(self, width: int) -> int:
        return LENGTHS[width].unpack(self._bytes(width))[0]  # type: ignore[no-any-return]

    def _line(self) -> bytes:
        end = self._data.find(b"\n", self._offset)
        if end < 0:
            raise BadPickle("a line is cut short")
        line = self._bytes(end - self._offset)
        self._offset += 1
        return line

    def _since_mark(self) -> list[Any]:
        start = self._marks.pop()
        items = self._stack[start:]
        del self._stack[start:]
        return items

    def _called(self, function: Any, arguments: Any) -> object:
        if not isinstance(function, Call) or not isinstance(arguments, tuple):
            raise BadPickle("it calls what is no plain type")
        self._budget -= sum(map(size_of, arguments))
        if self._budget < 0:
            raise BadPickle("its calls copy more than it holds")
        return function.function(*arguments)

    def _named(self, module: str, name: str) -> object:
        known = (OLD_NAMES.get(module, module), OLD_NAMES.get(name, name))
        if known not in self._names:
            raise UnknownName(".".join(known))
        return self._names[known]

    def mark(self) -> None:
        self._marks.append(len(self._stack))

    def pop(self) -> None:
        if self._marks and self._marks[-1] == len(self._stack):
            self._marks.pop()
        else:
            self._stack.pop()

    def pop_mark(self) -> None:
        self._since_mark()

    def dup(self) -> None:
        self._stack.append(self._stack[-1])

    def line_int(self) -> None:
        line = self._line()
        self._stack.append(line == b"01" if line in (b"00", b"01") else int(line))

    def line_long(self) -> None:
        self._stack.append(int(self._line().removesuffix(b"L")))

    def line_float(self) -> None:
        self._stack.append(float(self._line()))

    def signed_int(self) -> None:
        self._stack.append(int.from_bytes(self._bytes(4), "little", signed=True))

    def float_(self) -> None:
        self._stack.append(FLOAT.unpack(self._bytes(8))[0])

    def line_string(self) -> None:
        line = self._line().strip()
        if len(line) < 2 or line[:1] not in (b"'", b'"') or line[:1] != line[-1:]:
            raise BadPickle("a string without quotes")
        self._stack.append(codecs.escape_decode(line[1:-1])[0].decode("ascii"))

    def line_unicode(self) -> None:
        self._stack.append(self._line().decode("raw-unicode-escape"))

    def list_(self) -> None:
        self._stack.append(self._since_mark())

    def tuple_(self) -> None:
        self._stack.append(tuple(self._since_mark()))

    def append(self) -> None:
        item = self._stack.pop()
        _checked(self._stack[-1], list).append(item)

    def appends(self) -> None:
        items = self._since_mark()
        _checked(self._stack[-1], list).extend(items)

    def set_item(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        _checked(self._stack[-1], dict)[as_key(key)] = value

    def set_items(self) -> None:
        self._set(self._since_mark())

    def _set(self, items: list[Any]) -> None:
        if len(items) % 2:
            raise BadPickle("a key without a value")
        _checked(self._stack[-1], dict).update(zip(map(as_key, items[::2]), items[1::2], strict=True))

    def dict_(self) -> None:
        items = self._since_mark()
        self._stack.append({})
        self._set(items)

    def add_items(self) -> None:
        items = self._since_mark()
        _checked(self._stack[-1], set).update(map(as_key, items))

    def frozen_set(self) -> None:
        self._stack.append(frozenset(map(as_key, self._since_mark())))

    def global_(self) -> None:
        self._stack.append(self._named(self._line().decode(), self._line().decode()))

    def stack_global(self) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise BadPickle("a name that is no text")
        self._stack.append(self._named(module, name))

    def instance(self) -> None:
        function = self._named(self._line().decode(), self._line().decode())
        self._stack.append(self._called(function, tuple(self._since_mark())))

    def reduce(self) -> None:
        arguments = self._stack.pop()
        self._stack[-1] = self._called(self._stack[-1], arguments)

    def persistent(self) -> None:
        if self._storage_of is None:
            raise BadPickle("it refers to data outside of it")
        self._stack[-1] = self._storage_of(self._stack[-1])

    def memoize(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise BadPickle(f"a {type(value).__name__} is used as a {kind.__name__}")
    return value


Step = Callable[[Machine], None]


def _push(value: Any) -> Step:
    return lambda machine: machine._stack.append(value)


def _push_new(kind: Callable[[], object]) -> Step:
    return lambda machine: machine._stack.append(kind())


def _unsigned(width: int) -> Step:
    return lambda machine: machine._stack.append(machine._number(width))


def _text(width: int) -> Step:
    return lambda machine: machine._stack.append(machine._counted(width).decode("utf-8", "surrogatepass"))


def _byte_string(width: int) -> Step:
    return lambda machine: machine._stack.append(machine._counted(width))


def _short_string(width: int) -> Step:
    return lambda machine: machine._stack.append(machine._counted(width).decode("ascii"))


def _long(width: int) -> Step:
    return lambda machine: machine._stack.append(int.from_bytes(machine._counted(width), "little", signed=True))


def _tuple(size: int) -> Step:
    def step(machine: Machine) -> None:
        if len(machine._stack) < size:
            raise BadPickle("a tuple of more than there is")
        machine._stack[-size:] = [tuple(machine._stack[-size:])]

    return step


def _put(number: Callable[[Machine], int]) -> Step:
    def step(machine: Machine) -> None:
        machine._memo[number(machine)] = machine._stack[-1]

    return step


def _get(number: Callable[[Machine], int]) -> Step:
    return lambda machine: machine._stack.append(machine._memo[number(machine)])


def _frame(machine: Machine) -> None:
    machine._number(8)


def _line_number(machine: Machine) -> int:
    return int(machine._line())


def _width(width: int) -> Callable[[Machine], int]:
    return lambda machine: machine._number(width)


def _refused(machine: Machine) -> NoReturn:
    raise BadPickle(f"instruction {machine._data[machine._offset - 1]:#04x} is none of plain data")


def _protocol(machine: Machine) -> None:
    number = machine._number(1)
    if number > pickle.HIGHEST_PROTOCOL:
        raise BadPickle(f"its protocol is {number}")


STOP = pickle.STOP[0]
STEPS: Mapping[bytes, Step] = {
    pickle.PROTO: _protocol, pickle.FRAME: _frame,
    pickle.MARK: Machine.mark, pickle.POP: Machine.pop, pickle.POP_MARK: Machine.pop_mark, pickle.DUP: Machine.dup,
    pickle.NONE: _push(None), pickle.NEWTRUE: _push(True), pickle.NEWFALSE: _push(False),
    pickle.INT: Machine.line_int, pickle.LONG: Machine.line_long, pickle.BININT: Machine.signed_int,
    pickle.BININT1: _unsigned(1), pickle.BININT2: _unsigned(2), pickle.LONG1: _long(1), pickle.LONG4: _long(4),
    pickle.FLOAT: Machine.line_float, pickle.BINFLOAT: Machine.float_,
    pickle.STRING: Machine.line_string, pickle.BINSTRING: _short_string(4), pickle.SHORT_BINSTRING: _short_string(1),
    pickle.UNICODE: Machine.line_unicode, pickle.SHORT_BINUNICODE: _text(1), pickle.BINUNICODE: _text(4),
    pickle.BINUNICODE8: _text(8), pickle.SHORT_BINBYTES: _byte_string(1), pickle.BINBYTES: _byte_string(4),
    pickle.BINBYTES8: _byte_string(8), pickle.BYTEARRAY8: _byte_string(8),
    pickle.EMPTY_LIST: _push_new(list), pickle.EMPTY_DICT: _push_new(dict), pickle.EMPTY_SET: _push_new(set),
    pickle.EMPTY_TUPLE: _push(()), pickle.TUPLE: Machine.tuple_, pickle.TUPLE1: _tuple(1), pickle.TUPLE2: _tuple(2),
    pickle.TUPLE3: _tuple(3), pickle.LIST: Machine.list_, pickle.DICT: Machine.dict_,
    pickle.FROZENSET: Machine.frozen_set, pickle.APPEND: Machine.append, pickle.APPENDS: Machine.appends,
    pickle.SETITEM: Machine.set_item, pickle.SETITEMS: Machine.set_items, pickle.ADDITEMS: Machine.add_items,
    pickle.PUT: _put(_line_number), pickle.BINPUT: _put(_width(1)), pickle.LONG_BINPUT: _put(_width(4)),
    pickle.MEMOIZE: Machine.memoize, pickle.GET: _get(_line_number), pickle.BINGET: _get(_width(1)),
    pickle.LONG_BINGET: _get(_width(4)), pickle.GLOBAL: Machine.global_, pickle.STACK_GLOBAL: Machine.stack_global,
    pickle.INST: Machine.instance, pickle.REDUCE: Machine.reduce, pickle.BINPERSID: Machine.persistent,
}  # fmt: skip
INSTRUCTIONS: list[Step] = [STEPS.get(bytes((code,)), _refused) for code in range(256)]
