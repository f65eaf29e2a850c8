"""One pass and single steps: their difference beside torch.nn, and what is counted as time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from model.inspection.answering import answer
from model.lessons.answers import parallel as measured
from model.lessons.lesson import taken_values
from model.lessons.parallel import PARALLEL, WAYS, Times, TimesOf
from model.questions.questions import Partial
from model.work import result_of
from tests.assets import PAIRS
from tests.model.lessons.subjects import START, found, loaded, subject_of
from tests.model.oracle import Oracle

TEXT, TARGET = PAIRS[0]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "LENGTHS", (2, 5, 200))
    monkeypatch.setattr(measured, "RUNS", 1)


def answers(folder: Path, subject: Any) -> list[Any]:
    told = []
    for each in answer(loaded(folder), TimesOf(1), subject.reading):
        assert not torch.is_inference_mode_enabled()
        told.append(each)
    return told


def test_both_ways_agree_and_every_length_is_timed(tiny_bundle: Path) -> None:
    before = torch.get_rng_state()
    told = answers(tiny_bundle, subject_of(tiny_bundle, TEXT, TARGET))

    last = told[-1]
    assert isinstance(last, Times)
    assert last.steps == len(loaded(tiny_bundle).target_tokenizer.target_ids(TARGET))
    assert last.logprob_difference < 1e-4
    assert last.weight_difference < 1e-6
    assert last.lengths.tolist() == [2, 5]  # 200 is more than it reads
    assert set(last.seconds) == set(WAYS)
    assert all((seconds > 0).all() for seconds in last.seconds.values())
    growing = [each.answer for each in told if isinstance(each, Partial)]
    assert [int(np.isfinite(each.seconds["gru"]).sum()) for each in growing] == [0, 1, 2]
    assert [each for each in told if isinstance(each, tuple)] == [(n, 8) for n in range(8)]
    assert torch.equal(torch.get_rng_state(), before)


def test_steps_that_differ_are_found(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that all think themselves the first; torch.nn says by how much they are wrong."""
    subject = subject_of(tiny_bundle, TEXT, TARGET)
    transformer = loaded(tiny_bundle).transformer
    right = transformer.decode_step

    def misplaced(read: Any, cache: Any, **more: Any) -> Any:
        return right(read, cache, position_ids=torch.zeros(read.shape[1], dtype=torch.int64), **more)

    monkeypatch.setattr(transformer, "decode_step", misplaced)
    last = answers(tiny_bundle, subject)[-1]

    plain = Oracle(tiny_bundle).plain
    read = torch.tensor([[START, *subject.reading.out_ids[:-1]]])
    memory = plain.encode(torch.tensor([subject.reading.src_ids]))
    logs, patterns = [], []
    for positions in (None, torch.zeros(read.shape[1], dtype=torch.int64)):
        hidden = plain.decode(read, memory, positions=positions)
        logs.append(plain.project(hidden)[0].log_softmax(-1))
        patterns.append({key: value for key, value in plain.patterns.items() if key[0] != "encoder_self"})
    weights = max(float((patterns[0][key] - patterns[1][key]).abs().max()) for key in patterns[0])
    assert weights > 0.01
    assert last.logprob_difference == pytest.approx(float((logs[0] - logs[1]).abs().max()), abs=1e-3)
    assert last.weight_difference == pytest.approx(weights, abs=1e-5)
    values = taken_values(PARALLEL.controls(subject), {})
    assert found(PARALLEL.numbers(values, last, subject), "equal").holds is False


def test_only_its_own_slices_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    # Every slice is long enough for others to have their turn after it.
    monkeypatch.setattr(
        measured, "time", SimpleNamespace(perf_counter=lambda: clock.now, monotonic=lambda: -1e9)
    )

    def work() -> Iterator[None]:
        for seconds in (1.0, 2.0, 4.0):
            clock.now += seconds
            yield None

    spent = 0.0
    timed = measured._timed(work())
    while True:
        try:
            next(timed)
            clock.now += 100.0  # what others do
        except StopIteration as end:
            spent = end.value
            break
    assert spent == 7.0
    assert clock.now == 307.0


def test_a_median_is_of_few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "RUNS", 5)
    lengths = iter([9.0, 0.01, 0.05, 0.02, 0.04, 0.03, 7.0])
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(
        measured, "time", SimpleNamespace(perf_counter=lambda: clock.now, monotonic=lambda: 1e18)
    )

    def work() -> Iterator[None]:
        clock.now += next(lengths)
        yield None

    assert result_of(measured._median(work)) == pytest.approx(0.03)  # the first, cold one is left out
    assert next(lengths) == 7.0
    lengths = iter([9.0, 5.0, 7.0])
    assert result_of(measured._median(work)) == pytest.approx(5.0)  # one that is long is run once


DRAWN = """
import sys
import torch
from model.lessons.answers.parallel import _gru

before = torch.get_rng_state()
made = [list(_gru(8, 2, torch.device("cpu")).parameters()) for _ in range(2)]
print(torch.equal(torch.get_rng_state(), before), all(map(torch.equal, *made)), "sympy" in sys.modules)
"""


def test_random_weights_take_no_numbers_and_no_imports_of_others() -> None:
    result = subprocess.run(
        [sys.executable, "-c", DRAWN], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert result.stdout.split() == ["True", "True", "False"], result.stderr


def test_ratios() -> None:
    nan = float("nan")
    seconds = {
        "one_pass": np.array([0.001, 0.002, 0.004]),
        "cached": np.array([0.008, 0.016, 0.032]),
        "recomputed": np.array([0.010, 0.040, nan]),
        "gru": np.array([0.0005, 0.001, nan]),
    }
    times = Times(12, 2e-6, 3e-8, np.array([8, 16, 64]), seconds, 5, 2, 32, 3)
    subject: Any = SimpleNamespace(reading=SimpleNamespace(alterations=()), out=("x",))
    values = taken_values(PARALLEL.controls(None), {"measure": "per_token"})
    numbers = PARALLEL.numbers(values, times, subject)

    assert found(numbers, "equal").holds
    assert found(numbers, "steps_ratio").value == pytest.approx(8)  # at 16, the longest that is measured
    assert found(numbers, "cache_ratio").value == pytest.approx(2.5)
    assert found(numbers, "gru_ratio").value == pytest.approx(0.5)
    assert found(numbers, "growth").value == 2
    assert found(numbers, "growth").about["recomputed"] == pytest.approx(4)
    assert not numbers.data["complete"]
    assert numbers.data["milliseconds"]["cached"] == pytest.approx([1, 1, 0.5])
    slower = replace(times, seconds={**seconds, "cached": np.array([0.0009, 0.0019, 0.032])})
    assert found(PARALLEL.numbers(values, slower, subject), "steps_ratio").holds is False
    short = PARALLEL.numbers({**values, "longest": "32"}, times, subject)
    assert short.data["complete"] is True
    assert short.data["lengths"].tolist() == [8, 16]


def test_nothing_open() -> None:
    assert PARALLEL.asks({"run": 1}, None) is None
