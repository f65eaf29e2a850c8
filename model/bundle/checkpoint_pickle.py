"""Checkpoint pickles: what the pickle of a PyTorch file says, found out without running it. No torch.

A pickle is a program for a small machine with a stack. The machine here knows only what lists tensors: it
calls nothing, makes no object of any class, and takes for a key only what is quickly compared.
"""

from __future__ import annotations

import math
import pickletools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_DICTIONARY, _TENSOR, _PARAMETER = (
    "collections OrderedDict",
    "torch._utils _rebuild_tensor_v2",
    "torch._utils _rebuild_parameter",
)
_STORAGES = {
    "torch FloatStorage": "F32",
    "torch HalfStorage": "F16",
    "torch BFloat16Storage": "BF16",
    "torch DoubleStorage": "F64",
    "torch LongStorage": "I64",
    "torch IntStorage": "I32",
    "torch BoolStorage": "BOOL",
    "torch ByteStorage": "U8",
}
_NAMES = {_DICTIONARY, _TENSOR, _PARAMETER, *_STORAGES}
_LITERALS = {"BININT", "BININT1", "BININT2", "LONG1", "BINUNICODE"}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_MOST_AXES = 8
_MOST_NUMBERS = 1 << 56
_LONGEST_NAME = 1000


class NotWeights(ValueError):
    """The pickle is more, or less, than a list of tensors; the text says how."""


@dataclass(frozen=True)
class Storage:
    """Numbers in a record of the archive: its name, their type as safetensors names it, and how many."""

    key: str
    dtype: str
    count: int


@dataclass(frozen=True)
class PickledTensor:
    """A tensor: from which number of its storage on, and its lengths; its numbers lie in C order."""

    storage: Storage
    first: int
    shape: tuple[int, ...]


@dataclass(frozen=True)
class _Name:
    """A class or function that a pickle asks for."""

    text: str


class _Mark:
    """Where the items of a list or the like begin on the stack."""


def pickled_tensors(data: bytes) -> dict[str, PickledTensor]:
    """The dictionary of tensors that a pickle describes.

    Raises:
        NotWeights: it describes, or asks for, anything else.
    """
    machine = _Machine()
    try:
        for name, argument in _opcodes(data):
            machine.step(name, argument)
    except (IndexError, KeyError):
        raise NotWeights("its pickle is damaged") from None
    found = machine.stack[-1] if len(machine.stack) == 1 else None
    if not isinstance(found, dict):
        raise NotWeights("it is no dictionary of tensors")
    for name, value in found.items():
        if not isinstance(name, str) or not isinstance(value, PickledTensor) or len(name) > _LONGEST_NAME:
            raise NotWeights("it holds something else than tensors")
    return found


class _Machine:
    """Opcodes are named, and do, as Python's `pickletools` says."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        """One opcode."""
        if name in _LITERALS:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name == "GLOBAL":
            if argument not in _NAMES:
                raise NotWeights(f"its pickle asks for {str(argument)[:80]!r}")
            self.stack.append(_Name(str(argument)))
        elif name in _TUPLES:
            self.stack[-_TUPLES[name] :] = [tuple(self._popped(_TUPLES[name]))]
        elif name in ("BINPUT", "LONG_BINPUT"):
            self._memo[argument] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            self.stack.append(self._memo[argument])
        elif name in _ACTIONS:
            _ACTIONS[name](self)
        elif name not in ("PROTO", "STOP"):
            raise NotWeights(f"its pickle uses {name}, which weights never need")

    def _popped(self, count: int) -> list[Any]:
        """The topmost items, which stay."""
        if len(self.stack) < count:
            raise IndexError
        return self.stack[-count:]

    def marked(self) -> list[Any]:
        """The items above the last mark; they and it leave the stack."""
        items: list[Any] = []
        while not isinstance(item := self.stack.pop(), _Mark):
            items.append(item)
        return items[::-1]

    def put(self, pairs: list[Any]) -> None:
        """Put keys and values, one after the other, into the dictionary on top."""
        target = self.stack[-1]
        if not isinstance(target, dict) or len(pairs) % 2:
            raise NotWeights("its pickle is damaged")
        for key, value in zip(pairs[::2], pairs[1::2]):
            # Of nested tuples even the hash could take for ever, or the stack.
            if not isinstance(key, str):
                raise NotWeights("it holds something else than tensors")
            target[key] = value

    def append(self, items: list[Any]) -> None:
        """Append to the list on top."""
        if not isinstance(self.stack[-1], list):
            raise NotWeights("its pickle is damaged")
        self.stack[-1].extend(items)

    def reduce(self) -> None:
        """What a call would return, without a call."""
        arguments, called = self.stack.pop(), self.stack.pop()
        if not isinstance(called, _Name) or not isinstance(arguments, tuple):
            raise NotWeights("its pickle is damaged")
        self.stack.append(_returned(called.text, arguments))

    def store(self) -> None:
        """A storage, of which the pickle knows all but the numbers."""
        match self.stack.pop():
            case ("storage", _Name(text), str(key), str(), int(count)) if text in _STORAGES:
                self.stack.append(Storage(key, _STORAGES[text], count))
            case _:
                raise NotWeights("its pickle is damaged")


_ACTIONS: dict[str, Callable[[_Machine], object]] = {
    "MARK": lambda machine: machine.stack.append(_Mark()),
    "EMPTY_DICT": lambda machine: machine.stack.append({}),
    "EMPTY_LIST": lambda machine: machine.stack.append([]),
    "EMPTY_TUPLE": lambda machine: machine.stack.append(()),
    "TUPLE": lambda machine: machine.stack.append(tuple(machine.marked())),
    "SETITEM": lambda machine: machine.put([machine.stack.pop(-2), machine.stack.pop()]),
    "SETITEMS": lambda machine: machine.put(machine.marked()),
    "APPEND": lambda machine: machine.append([machine.stack.pop()]),
    "APPENDS": lambda machine: machine.append(machine.marked()),
    "BUILD": lambda machine: machine.stack.pop(),  # notes beside the tensors, such as versions
    "REDUCE": _Machine.reduce,
    "BINPERSID": _Machine.store,
}


def _returned(called: str, arguments: tuple[Any, ...]) -> Any:
    if called == _DICTIONARY and not arguments:
        return {}
    if called == _PARAMETER and arguments and isinstance(arguments[0], PickledTensor):
        return arguments[0]
    if called == _TENSOR and len(arguments) >= 4:
        return _tensor(*arguments[:4])
    raise NotWeights("its pickle is damaged")


def _tensor(storage: Any, first: Any, shape: Any, strides: Any) -> PickledTensor:
    if not isinstance(storage, Storage) or not (_are_counts(shape) and _are_counts(strides)):
        raise NotWeights("a tensor in it is described wrongly")
    if type(first) is not int or first < 0 or len(shape) != len(strides):
        raise NotWeights("a tensor in it is described wrongly")
    step, plain = 1, True
    for length, stride in zip(shape[::-1], strides[::-1]):
        plain = plain and (length == 1 or stride == step)
        step *= length
    if not plain and math.prod(shape):
        raise NotWeights("the numbers of a tensor in it lie in an unusual order")
    if first + math.prod(shape) > storage.count:
        raise NotWeights("a tensor in it is larger than what is stored of it")
    return PickledTensor(storage, first, tuple(shape))


def _are_counts(values: Any) -> bool:
    """Whether they are the lengths or strides of a tensor that can be."""
    return (
        isinstance(values, tuple)
        and len(values) <= _MOST_AXES
        and all(type(value) is int and value >= 0 for value in values)
        and math.prod(max(1, value) for value in values) < _MOST_NUMBERS
    )


def _opcodes(data: bytes) -> Iterator[tuple[str, Any]]:
    try:
        for opcode, argument, _ in pickletools.genops(data):
            yield opcode.name, argument
    except Exception:  # pickletools raises whatever its parsing of garbage meets
        raise NotWeights("its pickle cannot be read") from None
