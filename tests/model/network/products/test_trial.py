from __future__ import annotations

import pytest

from model.network.products import trial


@pytest.mark.parametrize(
    ("plain", "other", "wanted"), [(2.0, 1.0, True), (1.1, 1.0, False), (1.0, 2.0, False)]
)
def test_the_other_way_is_taken_where_it_is_clearly_quicker(
    monkeypatch: pytest.MonkeyPatch, plain: float, other: float, wanted: bool
) -> None:
    """A clock that is told what each takes; what was found is asked of nobody again."""
    kept: dict[str, object] = {}
    monkeypatch.setattr(trial, "recall", kept.get)
    monkeypatch.setattr(trial, "remember", kept.update)
    monkeypatch.setattr(trial, "_OURS", 0.0)
    monkeypatch.setattr(trial, "seconds_of", lambda way: way())
    assert trial.is_quicker("a question", lambda: other, lambda: plain, 0.8) is wanted
    assert kept == {"a question": wanted}
    assert trial.is_quicker("a question", pytest.fail, pytest.fail, 0.8) is wanted


def test_beside_a_busy_neighbour_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "recall", lambda key: None)
    monkeypatch.setattr(trial, "remember", pytest.fail)
    monkeypatch.setattr(trial, "_OURS", float("inf"))
    assert trial.is_quicker("a question", lambda: None, lambda: sum(range(20_000)), 0.8)
