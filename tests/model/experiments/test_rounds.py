"""What is measured and said of writing in rounds, by hand; and the task with two right targets."""

from __future__ import annotations

from collections import Counter

import pytest

from model.data.tasks.registry import TASKS
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.rounds import ROUNDS_EXPERIMENT
from model.experiments.running.measures.rounds import scores


def test_right_either_way_and_a_word_twice() -> None:
    sources = ["a b c"] * 5
    outputs = ["a b c", "c b a", "a b a", "c b", "a b x"]
    assert scores(sources, outputs) == (2 / 5, 1 / 5)
    assert scores(["a b a"], ["a b a"]) == (1.0, 0.0)
    assert scores(["a b"], ["x x"]) == (0.0, 0.0)  # no word of the source


def test_what_is_said_follows_every_seed() -> None:
    def once(seed: int, right: list[float], repeated: list[float]) -> ArmResult:
        return ArmResult(
            "all_at_once", seed, measured={"right": right, "repeated": repeated, "speed": [3.0, 2, 1, 0.5]}
        )

    def told(*arms: ArmResult) -> dict[str, tuple[object, bool | None]]:
        result = ExperimentResult("rounds", "", "", {}, arms)
        numbers = ROUNDS_EXPERIMENT.numbers(result, {"rounds": "8", "round": 3})
        return {one.name: (one.value, one.holds) for one in numbers.findings}

    good = once(1, [0.1, 0.4, 0.8, 1.0], [0.8, 0.4, 0.1, 0.0])
    bad = once(2, [0.3, 0.4, 0.4, 0.2], [0.6, 0.4, 0.3, 0.2])
    left = ArmResult("left_to_right", 1, measured={"right": 0.9, "repeated": 0.0})
    assert told() == {}
    assert told(left) == {"left": (0.9, None)}
    found = told(left, good)
    assert found["mixed"] == (pytest.approx(0.8), True)
    assert found["repaired"] == (1.0, True)
    assert found["left"] == (0.9, False)  # behind the 8 rounds
    assert found["speed"] == (3.0, None)
    found = told(left, good, bad)
    assert found["mixed"] == (pytest.approx(0.7), True)
    assert found["repaired"] == (pytest.approx(0.6), False)  # one seed became worse
    assert found["left"] == (0.9, True)


def test_each_source_has_two_targets_equally_often() -> None:
    drawn = list(TASKS["either"].pairs(2000, 1))
    assert drawn == list(TASKS["either"].pairs(2000, 1))
    ways: Counter[bool] = Counter()
    for source, target in drawn:
        words, written = source.split(), target.split()
        assert 4 <= len(words) == len(set(words)) <= 6
        assert written in (words, words[::-1])
        ways[written == words] += 1
    assert abs(ways[True] - 1000) < 5 * 22.4  # the deviation of 2,000 throws of a coin
