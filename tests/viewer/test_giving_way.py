"""What may wait rests while the window works, and never for long."""

from __future__ import annotations

import pytest

from viewer import giving_way


def test_a_window_that_rested_long_is_not_disturbed_as_soon_as_it_works_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(giving_way.time, "monotonic", lambda: now)
    rest = giving_way._Rest()
    assert not rest.ahead()
    now = 200.0
    rest.put_off()
    assert rest.ahead()
    for _ in range(10):  # it works on and on: a little of what waits is read all the same
        now += 0.03
        rest.put_off()
    assert not rest.ahead()
    assert rest.ahead()
