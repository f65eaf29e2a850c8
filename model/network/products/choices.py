"""Choices: which way multiplies one row, and which a few, for matrices of a shape on this machine.

They are measured once, remembered in the user's cache (`model.network.products.remembered`), and stay the
same for as long as the process lives: the same sentence gives the same bits. Another machine, another number
of threads or another torch has its own, whose sums may round differently.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.network.products.measuring import Shape, Times, measured
from model.network.products.remembered import recall, remember
from model.network.products.room import Room
from model.network.products.streams import settled
from model.network.products.ways import PLAIN, STREAMED, WAYS, Layout, Way

FORCED = "HEADSCOPE_PRODUCTS"
"""Environment variable: the name of a way that is used wherever it can be, instead of the quickest."""

# Numbers in a matrix below which it stays in a core's own cache, where to call a kernel takes longer than to
# read: those are left as they are.
SMALLEST = 1 << 16

# What a way that needs a copy of the matrix must take, of the time of the best that needs none.
_WORTH_A_COPY = 0.85

# What a way that needs the matrix by columns must take: it lies by rows, and less than that is chance.
_WORTH_A_MOVE = 0.95

# What another way must take of the time of a streamed one: only a layer whose matrices are all streamed is
# computed in three calls (`model.network.compiled_row`).
_WORTH_A_ROW = 0.85


@dataclass(frozen=True)
class Choice:
    """For a matrix.

    Attributes:
        layout: how it is to be stored.
        one, few: names of the ways for one row, and for several.
        read: that for the rows of a whole source, of a matrix that lies row by row and has no copy.
        past: whether it is read past the caches, where the way can do that.
    """

    layout: Layout
    one: str
    few: str
    read: str = PLAIN.name
    past: bool = False

    @property
    def of_encoder(self) -> Choice:
        """For a matrix of the same shape that is read once a sentence, with all its rows."""
        return Choice("rows", self.read, self.read, self.read)


PLAINLY = Choice("rows", PLAIN.name, PLAIN.name)


@dataclass(frozen=True)
class Question:
    """What a choice depends on, on one machine.

    Attributes:
        halves: whether all numbers are float16's.
        threads: how many torch has.
    """

    shape: Shape
    halves: bool
    threads: int

    @property
    def key(self) -> str:
        """As it is remembered."""
        kind = "half" if self.halves else "float32"
        return f"{self.shape[0]}x{self.shape[1]} {kind} {self.threads}"


_made: dict[Question, Choice] = {}
_forced: list[str] = []


def known(shape: Shape, halves: bool) -> Choice | None:
    """The choice for a matrix of that shape, if it need not be measured."""
    if way := forced_way():
        return _forcing(way)
    if shape[0] * shape[1] < SMALLEST:
        return PLAINLY
    question = Question(shape, halves, torch.get_num_threads())
    if question not in _made and (found := _valid(recall(question.key), halves)) is not None:
        _made[question] = found
    return _made.get(question)


def choose(
    matrices: Sequence[tuple[Tensor, bool]], reading: Sequence[tuple[Tensor, bool]] = ()
) -> list[Choice]:
    """A choice for each matrix; what is not known is measured, in as much memory as the matrices take.

    Args:
        matrices: float32 on the processor, all that a step of decoding reads, and whether each one's numbers
            are all float16's.
        reading: those of the encoder, each read once a sentence; their choices stand behind the others.
    """
    threads = torch.get_num_threads()
    past = not forced_way() and settled([weight for weight, _ in matrices])
    matrices = [*matrices, *reading]
    wanted = {Question(_shape(weight), halves, threads) for weight, halves in matrices}
    missing = [one for one in wanted if known(one.shape, one.halves) is None]
    if missing:
        # In pages like those that they will lie in.
        room = Room(weight.shape for weight, _ in matrices)
        memory = [room.placed(weight.detach(), "rows") for weight, _ in matrices]
        found = measured({one.shape: one.halves for one in missing}, memory, threads)
        new = {one: _best(found.times[one.shape], one.halves) for one in missing}
        _made.update(new)
        # What was measured beside a busy neighbour serves this process alone.
        if found.undisturbed:
            remember({one.key: _told(choice) for one, choice in new.items()})
    choices = [known(_shape(weight), halves) or PLAINLY for weight, halves in matrices]
    return [replace(choice, past=past) for choice in choices]


def made() -> Iterable[tuple[Question, Choice]]:
    """All choices of this process, for whoever tells about them."""
    return _made.items()


def forced_way() -> str:
    """The way that is used wherever it can be; empty for the quickest."""
    name = _forced[-1] if _forced else os.environ.get(FORCED, "")
    return name if name in WAYS or name.partition(":")[0] in WAYS else ""


@contextlib.contextmanager
def forcing(way: str) -> Iterator[None]:
    """Matrices prepared inside are multiplied by this way of `WAYS` wherever it can be; empty: the quickest.

    `linear:columns` asks for a layout besides.
    """
    _forced.append(way)
    try:
        yield
    finally:
        _forced.pop()


def forget() -> None:
    """Choose anew, from what is remembered or by measuring."""
    _made.clear()


def _forcing(name: str) -> Choice:
    name, _, asked = name.partition(":")
    way = WAYS[name]
    if not way.present():
        return PLAINLY
    layout: Layout = "columns" if asked == "columns" or "rows" not in (way.layouts or ("rows",)) else "rows"
    several = name if way.most > 1 else PLAIN.name
    read = name if several == name and "rows" in way.layouts and layout == "rows" else PLAIN.name
    return Choice(layout, name, several, read)


def _best(times: Times, halves: bool) -> Choice:
    streamed = STREAMED.keys() & {name for name, _ in times.one}
    alike = {
        (name, lies): seconds if name in streamed or not streamed else seconds / _WORTH_A_ROW
        for (name, lies), seconds in times.one.items()
    }
    one, layout = _quickest(alike, None, copied=False)
    few, _ = _quickest(times.few, layout, copied=one.copies, same=one.name)
    read, _ = _quickest(times.read, "rows", copied=False)
    return Choice(layout, one.name, few.name, read.name)


def _quickest(
    times: dict[tuple[str, Layout], float], layout: Layout | None, *, copied: bool, same: str = ""
) -> tuple[Way, Layout]:
    """The way, and the layout in which the matrix itself is to lie.

    Args:
        layout: the only one that there is; None for any.
        copied, same: whether the matrix has a copy already, for the way of that name.
    """
    best, least = (PLAIN, layout or "rows"), float("inf")
    for (name, lies), seconds in times.items():
        way = WAYS[name]
        if way.copies and not (copied and name == same):
            seconds /= _WORTH_A_COPY
        if layout is None and lies == "columns":
            seconds /= _WORTH_A_MOVE
        if (way.copies or layout in (None, lies)) and seconds < least:
            best, least = (way, "rows" if way.copies and layout is None else layout or lies), seconds
    return best


def _shape(weight: Tensor) -> Shape:
    return weight.shape[0], weight.shape[1]


def _told(choice: Choice) -> list[str]:
    return [choice.layout, choice.one, choice.few, choice.read]


def _valid(values: object, halves: bool) -> Choice | None:
    """The inverse, of what may be anything."""
    match values:
        case ["rows" | "columns" as layout, str(one), str(few), str(read)] if {one, few, read} <= set(WAYS):
            ways = WAYS[one], WAYS[few]
            fits = all(way.present() and (way.copies or layout in way.layouts) for way in ways)
            fits = fits and WAYS[few].most > 1 and all(halves or not way.halves for way in ways)
            fits = fits and WAYS[read].present() and "rows" in WAYS[read].layouts and WAYS[read].most > 1
            return Choice(layout, one, few, read) if fits else None
    return None
