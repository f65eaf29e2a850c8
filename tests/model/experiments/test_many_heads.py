from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import resources
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import load_bundle, write_bundle
from model.experiments.many_heads import ARMS, MANY_HEADS, spared
from model.experiments.recorded import recorded_result
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.exam import Exam
from model.experiments.running.measures import many_heads as measures
from model.lessons.lesson import taken_values
from model.trace.trace import AttentionKind
from model.work import result_of
from tests.model import tiny_bundle
from tests.model.alterations.altered_plain import AlteredPlain

PAIRS = [("a red apple", "une pomme rouge"), ("the wet grass", "l'herbe"), ("a dog ran", "un chien a couru")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heads") / "bundle"
    a = tiny_bundle.architecture(encoder_layers=2)
    spm = tiny_bundle.spm()
    write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return folder


def _by_hand(folder: Path, off: list[tuple[str, int, int]]) -> tuple[float, float, float]:
    """Each sentence by itself in plain torch, without padding: share of words and sentences right, log p."""
    bundle = load_bundle(folder)
    plain = AlteredPlain(folder, scales=dict.fromkeys(off, 0.0))
    words, sentences, said = [], [], []
    for source, target in PAIRS:
        out = [*bundle.target_tokenizer.encode(target), 3]
        logprobs = plain.logits([*bundle.source_tokenizer.encode(source), 3], [2, *out[:-1]]).log_softmax(-1)
        right = logprobs.argmax(-1) == torch.tensor(out)
        words += right.tolist()
        sentences.append(bool(right.all()))
        said += logprobs.gather(-1, torch.tensor(out)[:, None])[:, 0].tolist()
    return float(np.mean(words)), float(np.mean(sentences)), float(np.mean(said))


def test_an_exam_with_heads_off_is_plain_torchs(folder: Path) -> None:
    exam = Exam(load_bundle(folder), PAIRS, 128)
    cases: list[list[tuple[str, int, int]]] = [
        [],
        [("encoder_self", 1, 0)],
        [("cross", 0, 1), ("decoder_self", 0, 0), ("encoder_self", 0, 1)],
    ]
    found = [exam.marks([ScaleHead(AttentionKind(kind), *at, 0.0) for kind, *at in off]) for off in cases]
    for marks, off in zip(found, cases, strict=True):
        words, sentences, logprob = _by_hand(folder, off)
        assert (marks.words, marks.sentences) == (words, sentences)
        assert marks.logprob == pytest.approx(logprob, abs=1e-5)  # float32 against float32
    assert len({round(marks.logprob, 3) for marks in found}) == 3


def test_least_important_first_leaves_right_words_likeliest(folder: Path) -> None:
    """Each choice against the same in plain torch: what is left is likelier than without any other head."""
    bundle = load_bundle(folder)
    heads = measures.all_heads(bundle.config.architecture)
    assert len(set(heads)) == 2 * (2 + 1 + 1)
    order = result_of(measures.least_important_first(Exam(bundle, PAIRS, 128), heads))
    assert sorted(order) == sorted(heads)
    for count in (0, 5):
        off = [(str(kind), layer, head) for kind, layer, head in order]
        by_hand = {head: _by_hand(folder, [*off[:count], head])[2] for head in off[count:]}
        assert by_hand[off[count]] > max(by_hand.values()) - 1e-5
    curve = result_of(measures.switched_off(Exam(bundle, PAIRS, 128), order))
    assert curve == [_by_hand(folder, off[:count])[0] for count in range(len(heads) + 1)]


def test_spared_by_hand() -> None:
    """4 heads: two can be off (0.9 of 0.8 is 0.72), then none, then all but the last."""
    curves = [[0.8, 0.8, 0.73, 0.71, 0.1], [1.0, 0.89, 0.95, 0.2, 0.1], [0.5, 0.5, 0.5, 0.5, 0.49]]
    np.testing.assert_allclose(spared(np.array(curves)), [0.5, 0.0, 0.75])
    assert spared(np.zeros(0)).size == 0


def test_numbers_of_what_is_there_so_far() -> None:
    values = taken_values(MANY_HEADS.controls(), {"shown": "heads_8"})
    nothing = ExperimentResult("many_heads", "", "", {}, tuple(ArmResult(arm.name, 1) for arm in ARMS))
    assert MANY_HEADS.numbers(nothing, values).findings == ()
    assert MANY_HEADS.numbers(ExperimentResult("many_heads", "", "", {}, ()), values).findings == ()


def test_recorded_findings_are_the_means_of_the_file() -> None:
    told = json.loads(
        (Path(resources.__file__).parent / "experiments" / "many_heads.json").read_text("utf-8")
    )
    found = MANY_HEADS.numbers(recorded_result("many_heads"), taken_values(MANY_HEADS.controls(), {}))
    by_name = {one.name: one for one in found.findings}
    by_arm = {arm.name: [one["measured"] for one in told["arms"] if one["arm"] == arm.name] for arm in ARMS}
    assert all(len(each) == 3 for each in by_arm.values())
    for arm, seeds in by_arm.items():
        shares = [one["accuracy"] for one in seeds]
        assert by_name[f"accuracy_{arm}"].value == pytest.approx(np.mean(shares))
        assert by_name[f"accuracy_{arm}"].about["spread"] == pytest.approx(max(shares) - min(shares))
    alone = [one["accuracy"] for one in by_arm["heads_1"]]
    for arm in ("heads_2", "heads_4", "heads_8"):
        better = all(one["accuracy"] > base for one, base in zip(by_arm[arm], alone, strict=True))
        assert by_name[f"accuracy_{arm}"].holds == better
    off = []
    for one in by_arm["heads_8"]:
        curve = one["greedy"]
        off.append(next(n for n, share in enumerate(curve) if share < 0.9 * curve[0]) - 1)
    assert by_name["spare"].value == pytest.approx(np.mean(off) / 24)
