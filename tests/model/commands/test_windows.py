from __future__ import annotations

import queue
from collections.abc import Iterator
from itertools import chain, islice

import pytest

from model.commands import windows as windows_module
from model.commands.windows import windows


def failing(items: int) -> Iterator[str]:
    yield from map(str, range(items))
    raise OSError("gone")


@pytest.mark.parametrize("live", [False, True])
def test_nothing_is_lost_and_no_window_is_too_large(live: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows_module, "MOST", 3)
    monkeypatch.setattr(windows_module, "LARGEST", 10)
    items = ["a", "b", "c", "d", "e" * 9, "f" * 9, "g", "h" * 30, "i"]
    found = list(windows(iter(items), live=live))
    assert [item for window in found for item in window] == items
    assert all(1 <= len(window) <= 3 for window in found)
    assert all(sum(map(len, window[:-1])) < 10 for window in found)
    if not live:
        assert [len(window) for window in found] == [3, 2, 2, 1, 1]
    assert list(windows(iter([]), live=live)) == []


@pytest.mark.parametrize("live", [False, True])
def test_what_came_before_an_error_comes_before_it(live: bool) -> None:
    found = chain.from_iterable(windows(failing(5), live=live))
    assert list(islice(found, 5)) == list("01234")
    with pytest.raises(OSError, match="gone"):
        next(found)


def test_who_waits_for_an_answer_gets_it() -> None:
    """A program that writes a line and reads the answer before the next one is not left waiting."""
    written: queue.SimpleQueue[str] = queue.SimpleQueue()
    answers = windows(iter(written.get, "end"), live=True)
    for line in ("one", "two", "three"):
        written.put(line)
        assert next(answers) == [line]
    written.put("end")
    assert list(answers) == []
