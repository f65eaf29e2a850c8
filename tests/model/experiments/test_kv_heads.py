from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import resources
from model.bundle.bundle import load_bundle, write_bundle
from model.experiments.kv_heads import ARMS, KV_HEADS, within
from model.experiments.recorded import recorded_result
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.exam import Exam
from model.experiments.running.measures.kv_heads import allocated, distances
from model.lessons.lesson import taken_values
from tests.model import tiny_bundle
from tests.model.oracle import Oracle

PAIRS = [("a red apple", "une pomme rouge"), ("the wet grass", "l'herbe")]


@pytest.mark.parametrize("shared", [0, 2, 1])
def test_cache_is_as_large_as_its_shapes_say(shared: int, tmp_path: Path) -> None:
    """3 layers keep a key and a value of width 2 for each head that has its own."""
    a = tiny_bundle.architecture(n_heads=4, kv_heads=shared, decoder_layers=3)
    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "b", tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    assert allocated(load_bundle(tmp_path / "b")) == 3 * 2 * 2 * (shared or 4)


def test_distances_are_half_the_differences_of_torchs_own_patterns(tmp_path: Path) -> None:
    a = tiny_bundle.architecture(n_heads=4)
    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "b", tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    bundle = load_bundle(tmp_path / "b")
    plain = Oracle(tmp_path / "b")
    sums, rows = np.zeros((4, 4)), 0
    for source, target in PAIRS:
        out = [*bundle.target_tokenizer.encode(target), 3]
        plain.logprobs([*bundle.source_tokenizer.encode(source), 3], [2, *out[:-1]])
        pattern = plain.patterns["cross", 0][0].numpy()
        rows += len(out)
        for one, other in itertools.product(range(4), range(4)):
            sums[one, other] += np.abs(pattern[one] - pattern[other]).sum() / 2
    found = distances(Exam(bundle, PAIRS, 128))
    np.testing.assert_allclose(found, sums / rows, atol=1e-6)


def test_within_and_between_by_hand() -> None:
    apart = np.array([[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]], dtype=float)
    assert within(apart, 2) == (3.5, 3.5)  # (1 + 6) / 2 and (2 + 3 + 4 + 5) / 4
    assert within(apart, 1)[0] == 3.5  # 21 / 6
    assert math.isnan(within(apart, 1)[1])
    assert math.isnan(within(apart, 4)[0])


def test_numbers_of_what_is_there_so_far() -> None:
    values = taken_values(KV_HEADS.controls(), {})
    nothing = ExperimentResult("kv_heads", "", "", {}, tuple(ArmResult(arm.name, 1) for arm in ARMS))
    for result in (nothing, ExperimentResult("kv_heads", "", "", {}, ())):
        assert KV_HEADS.numbers(result, values).findings == ()


def test_recorded_findings_are_those_of_the_file() -> None:
    told = json.loads((Path(resources.__file__).parent / "experiments" / "kv_heads.json").read_text("utf-8"))
    found = KV_HEADS.numbers(recorded_result("kv_heads"), taken_values(KV_HEADS.controls(), {}))
    by_name = {one.name: one for one in found.findings}
    arms = {arm.name: [one for one in told["arms"] if one["arm"] == arm.name] for arm in ARMS}
    assert all(len(each) == 3 for each in arms.values())
    right = {name: np.mean([one["measured"]["accuracy"] for one in each]) for name, each in arms.items()}
    # d_model 64: a shared head takes 2 * 8 rows of 64 weights and a bias in each of three attentions away.
    saved = {"plain": 0, "grouped": 6, "multi": 7}
    for name, each in arms.items():
        assert by_name[f"quality_{name}"].value == pytest.approx(right[name])
        if name in saved:
            assert each[0]["parameters"] == arms["plain"][0]["parameters"] - saved[name] * 3 * 16 * 65
        if name != "plain":
            assert by_name[f"quality_{name}"].holds == (right[name] >= right["plain"] - 0.05)
    for name, kept in (("plain", 8), ("grouped", 2), ("multi", 1)):
        assert {one["measured"]["allocated"] for one in arms[name]} == {2 * 8 * kept}
