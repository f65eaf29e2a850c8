"""Files are read beside the window: in order, once, dropped or failed; readers are held until let go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from viewer.services.readings import Readings

PATIENCE_S = 30


class Held:
    """Readers that stand still until they are let go, and what became of them."""

    def __init__(self) -> None:
        self.readings = Readings()
        self.gates: dict[str, threading.Event] = {}
        self.begun: list[str] = []
        self.told: list[str] = []
        self.threads: set[threading.Thread] = set()

    def ask(
        self, name: str, fails: Exception | None = None, then: Callable[[], object] | None = None
    ) -> None:
        gate = self.gates.setdefault(name, threading.Event())

        def work() -> str:
            self.threads.add(threading.current_thread())
            self.begun.append(name)
            assert gate.wait(PATIENCE_S)
            if fails is not None:
                raise fails
            return f"contents of {name}"

        def take(contents: str) -> None:
            assert threading.current_thread() is threading.main_thread()
            self.told.append(contents)
            if then is not None:
                then()

        def refuse(error: HeadscopeError) -> None:
            self.told.append(f"{name}: {error.code}")

        dropped = partial(self.told.append, f"{name} dropped")
        self.readings.ask(name, lambda: self.readings.read(name, work, take, refuse, dropped))

    def let_go(self, *names: str) -> None:
        for name in names:
            self.gates[name].set()


@pytest.fixture
def held(qtbot: QtBot) -> Iterator[Held]:
    held = Held()
    yield held
    for gate in held.gates.values():
        gate.set()
    held.readings.stop()


def test_what_is_read_is_handed_over_in_the_order_asked(held: Held, qtbot: QtBot) -> None:
    names: list[str] = []
    held.readings.changed.connect(lambda: names.append(held.readings.name))
    for name in "abc":
        held.ask(name)
    held.readings.ask("model", lambda: held.told.append("no file"))
    assert held.told == []
    assert held.readings.busy
    held.let_go("c", "b")
    qtbot.wait(1)
    assert held.told == []
    held.let_go("a")
    qtbot.waitUntil(lambda: not held.readings.busy, timeout=PATIENCE_S * 1000)
    assert held.told == ["contents of a", "contents of b", "contents of c", "no file"]
    assert held.begun == ["a", "b", "c"]
    assert names == ["a", "", "b", "", "c", ""]
    assert threading.main_thread() not in held.threads


def test_the_same_asked_again_is_read_once(held: Held) -> None:
    for name in ("a", "a", "b", "b", "a"):
        held.ask(name)
    assert held.readings.has("a")
    assert not held.readings.has("b")
    held.let_go("a", "b")
    assert held.readings.wait()
    assert held.begun == ["a", "b", "a"]  # the last one is asked for again after another
    assert not held.readings.has("a")
    held.ask("a")
    assert held.readings.wait()
    assert held.begun[3:] == ["a"]


def test_what_is_dropped_gives_nothing_and_holds_nothing_up(held: Held, qtbot: QtBot) -> None:
    held.ask("a")
    held.ask("b")
    qtbot.waitUntil(lambda: held.begun == ["a"], timeout=PATIENCE_S * 1000)
    held.readings.drop()
    assert held.told == ["a dropped"]
    assert held.readings.name == "b"  # although the disk has not given a yet
    held.let_go("b")
    assert held.readings.wait()
    held.let_go("a")
    for thread in list(held.threads):
        thread.join(PATIENCE_S)
    qtbot.wait(1)
    assert held.told == ["a dropped", "contents of b"]
    held.readings.drop()
    assert held.told[2:] == []


def test_a_failure_is_told_once_and_the_next_is_read(held: Held, caplog: pytest.LogCaptureFixture) -> None:
    held.ask("a", fails=HeadscopeError("file_missing", path="a"))
    held.ask("b", fails=ZeroDivisionError("a slip"))
    held.ask("c")
    held.let_go("a", "b", "c")
    with caplog.at_level(logging.CRITICAL, logger="viewer.services.readings"):
        assert held.readings.wait()
    assert held.told == ["a: file_missing", "b: internal", "contents of c"]


def test_whoever_waits_has_it_and_it_is_not_handed_over_again(held: Held, qtbot: QtBot) -> None:
    held.ask("a")
    assert not held.readings.wait(0)
    assert held.told == []
    held.let_go("a")
    assert held.readings.wait()
    qtbot.wait(1)
    assert held.told == ["contents of a"]


def test_what_is_asked_for_while_something_is_handed_over_comes_after_it(held: Held) -> None:
    held.ask("a", then=lambda: (held.ask("b"), held.told.append("a is shown")))
    held.let_go("a")
    held.gates["b"] = threading.Event()
    held.let_go("b")
    assert held.readings.wait()
    assert held.told == ["contents of a", "a is shown", "contents of b"]


def test_the_end_drops_all_and_waits_for_the_threads(held: Held, qtbot: QtBot) -> None:
    held.ask("a")
    held.ask("b")
    held.readings.changed.connect(lambda: held.let_go("a"))  # it is being dropped
    held.readings.stop()
    assert [thread.is_alive() for thread in held.threads] == [False]
    qtbot.wait(1)
    assert held.told == ["a dropped"]
    held.ask("c")
    assert not held.readings.busy
    assert held.begun == ["a"]
