"""Memory of the real window over a long sitting: does it stay?

The program as it is (window, session, engine, autosave) without a screen. It translates sentences of random
words, opens traces each of which is larger than what is read at once, and is then used by the monkey, once
everything has been for the first time; it closes the window before each count and opens another. Told after
every fifth of each part: what the process has in memory, open descriptors, threads, Qt objects and Python
objects; and whether it stayed: no more than a tenth above what there was after the first fifth.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from tests.harness import doors, goods
from tests.harness.monkey import LAST, ROOT, SIZE, TRAIL, Monkey
from tests.harness.watch import FIFTHS, HEAD, Tally, tally

if TYPE_CHECKING:
    from viewer.app import Program

TRACE_TOKENS = 48  # 1.3 MB: larger than what is read at once and let go of
MOST_GROWTH = 1.1
_TEXT = (
    "the young woman did not want to buy a red car because her brother gave it old little dog house we read "
    "books in school every day and he sees them near station when they come home tired but happy"
)
_FEW, _FEW_BYTES = 5, 2 << 20


def stayed(tallies: Sequence[Tally]) -> str:
    """How much a part has come to hold since its first fifth, in words.

    Of the process's own: what files hold as well, such as fonts, is counted as often as it is mapped.
    """
    held = [each.own or each.bytes for each in tallies]
    first, most = held[0], max(held)
    verdict = "stays" if most <= MOST_GROWTH * first else "GROWS"
    return f"{tallies[0].part}: {verdict}, at most {most / first:.3f} of what there was after a fifth"


class Sitting:
    """A person at the window for a long time.

    Args:
        home: a folder for settings and traces; `goods.make` wrote into its `goods`.
        model: a bundle's folder.
        seed: the same seed types the same.
        tell: hears each line.
    """

    def __init__(self, home: Path, model: Path, seed: int, *, tell: Callable[[str], None] = print) -> None:
        from tests.benchmarks.tools.offscreen import wait_until

        self._folder, self._tell, self._wait = home, tell, wait_until
        self._random = random.Random(seed)
        trail = (home / TRAIL).open("w", encoding="utf-8")
        self.monkey = Monkey(home, model, seed, tell=tell, go_on=True, trail=trail)
        self.program.window.resize(*SIZE)
        self._wait(lambda: self.program.session.model is not None and self.monkey.rests)
        self.monkey.make_all()
        self.start = tally("start", 0)
        tell(HEAD)
        tell(str(self.start))

    @property
    def program(self) -> Program:
        """Of the window that is open."""
        return self.monkey.program

    def _sentence(self) -> str:
        return " ".join(self._random.choices(_TEXT.split(), k=self._random.randint(4, 14))).capitalize() + "."

    def fifths(self, part: str, rounds: int, act: Callable[[int], None]) -> list[Tally]:
        """Act so often; what is held after each fifth."""
        told = []
        marks = {rounds * fifth // FIFTHS for fifth in range(1, FIFTHS + 1)}
        for number in range(1, rounds + 1):
            act(number)
            if number in marks:
                told.append(tally(part, number, self.program.session.held_bytes))
                self._tell(str(told[-1]))
        return told

    def translate(self, rounds: int) -> list[Tally]:
        """Sentences typed and translated."""
        from viewer.document.messages.requests import Translate

        session = self.program.session

        def act(_: int) -> None:
            before = session.document.runs
            session.set_text(self._sentence())
            session.ask(Translate({"mode": "greedy"}))
            self._wait(lambda: session.document.runs is not before and self.monkey.rests)

        return self.fifths("translate", rounds, act)

    def open_traces(self, rounds: int) -> list[Tally]:
        """Files of their own, each opened and each head of it looked at."""
        from tests.benchmarks.tools.made_up_trace import write_made_up_trace

        session = self.program.session
        first = self._folder / "0.trace"
        write_made_up_trace(first, TRACE_TOKENS)
        content = first.read_bytes()

        def act(number: int) -> None:
            path = self._folder / f"{number}.trace"
            path.write_bytes(content)
            self.program.window.path_asked.emit(str(path))
            self.program.conductor.readings.wait()
            session.select_head(number % 6, number % 8)
            self._wait(lambda: self.monkey.rests)

        return self.fifths("traces", rounds, act)

    def play(self, minutes: float) -> list[Tally]:
        """The window left to the monkey, once everything has been for the first time."""
        from tests.harness import first_times

        first_times.have_been(self.monkey)
        self._tell(str(tally("first times", 0, self.program.session.held_bytes)))
        return self.monkey.act(0, 60 * minutes, alike=True)

    def end(self) -> None:
        """Close the window."""
        self.monkey.leave()


@contextmanager
def small_bounds() -> Iterator[None]:
    """The window's bounds made small, so that they are reached soon: then nothing may grow at all."""
    from model.inspection import readings
    from model.lru_cache import LruCache
    from viewer.document import edits, session
    from viewer.document.history import History
    from viewer.engine import translator_source

    def cache(most: int, alone: int | None = None) -> LruCache[object]:
        return LruCache(_FEW_BYTES)

    with (
        mock.patch.object(edits, "trimmed", partial(edits.trimmed, most_runs=_FEW)),
        mock.patch.object(session, "History", partial(History, _FEW)),
        mock.patch.object(translator_source, "LruCache", cache),
        mock.patch.object(readings, "LruCache", cache),
    ):
        yield


def trim() -> bool:
    """Have the C library give back what it holds free; whether it can."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        return False
    return True


def _inside(options: argparse.Namespace) -> int:
    """The process that is watched."""
    from viewer.commands.window import prepare

    prepare()
    bounds = small_bounds() if options.small_bounds else nullcontext()
    with bounds:
        tell = partial(print, flush=True)
        sitting = Sitting(options.inside, options.model, options.seed, tell=tell)
        told = []
        if options.translations:
            told.append(stayed(sitting.translate(options.translations)))
        if options.traces:
            told.append(stayed(sitting.open_traces(options.traces)))
        if options.minutes:
            told.append(stayed(sitting.play(options.minutes)))
        if trim():  # what is free and only not given back
            print(tally("trimmed", 0), flush=True)
        sitting.end()
    print(*told, sep="\n")
    return 1 if sitting.monkey.faults or any("GROWS" in line for line in told) else 0


def main() -> int:
    """Sit through it and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=ROOT / "resources/models/en-fr")
    parser.add_argument("--translations", type=int, default=2000)
    parser.add_argument("--traces", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=30.0, help="of the monkey")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--small-bounds", action="store_true", help="reach the bounds of what is kept soon")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return _inside(options)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        goods.make(home / "goods")
        words = ["--small-bounds"] if options.small_bounds else []
        for name in ("model", "translations", "traces", "minutes", "seed"):
            value = getattr(options, name)
            words += [f"--{name}", str(value.resolve() if isinstance(value, Path) else value)]
        status = doors.run_inside("tests.harness.memory", words, home)
        if status:
            trail = (home / TRAIL).read_text("utf-8", "replace").splitlines()
            print(f"status {status}; the last deeds:", *trail[-LAST:], sep="\n  ")
        return status


if __name__ == "__main__":
    sys.exit(main())
