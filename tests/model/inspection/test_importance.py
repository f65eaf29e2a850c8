"""What each head is worth: every head switched off by hand, one by one, in plain torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.errors import HeadscopeError
from model.inspection import importance
from model.inspection.importance import measure_heads
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.alterations.altered_plain import AlteredPlain

TEXT = "the red dog"
OUT = [9, 17, 5, 12, 3]


@pytest.fixture(scope="module", params=["post_norm", "pre_norm"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, Path]:
    a = tiny_bundle.architecture(encoder_layers=2, decoder_layers=3, norm=request.param)
    folder = tmp_path_factory.mktemp("importance") / "bundle"
    write_bundle(
        folder,
        tiny_bundle.config(a),
        tiny_bundle.transformer(a),
        tiny_bundle.spm(),
        tiny_bundle.spm(),
        half=False,
    )
    return load_bundle(folder), folder


def source_of(bundle: Bundle) -> list[int]:
    return [*bundle.source_tokenizer.encode(TEXT), 3]


def measured(bundle: Bundle, *alterations: Alteration, out: list[int] = OUT) -> Importance:
    *_, last = measure_heads(bundle, TEXT, out, alterations)
    assert isinstance(last, Importance)
    return last


def by_hand(
    folder: Path, source: list[int], plain: dict[str, Any]
) -> tuple[float, dict[str, list[list[float]]]]:
    """Log probability, and what switching each head off adds to it."""
    scales = plain.pop("scales", {})
    whole = AlteredPlain(folder, scales=scales, **plain).logprob(source, OUT)
    change = {
        kind: [
            [
                AlteredPlain(folder, scales={**scales, (kind, layer, head): 0.0}, **plain).logprob(
                    source, OUT
                )
                - whole
                for head in range(2)
            ]
            for layer in range(layers)
        ]
        for kind, layers in (("encoder_self", 2), ("decoder_self", 3), ("cross", 3))
    }
    return whole, change


def agree(found: Importance, expected: tuple[float, dict[str, list[list[float]]]]) -> None:
    assert found.logprob == pytest.approx(expected[0], abs=1e-5)
    assert {str(kind) for kind in found.change} == set(expected[1])
    for kind, heads in found.change.items():
        assert heads.dtype == np.float32
        np.testing.assert_allclose(heads, np.array(expected[1][str(kind)]), atol=1e-5)
        assert np.abs(heads).min() > 1e-5


def test_every_head_switched_off_once(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made

    agree(measured(bundle), by_hand(folder, source_of(bundle), {}))


def test_other_alterations_are_there_in_every_reading(made: tuple[Bundle, Path]) -> None:
    bundle, folder = made
    source = source_of(bundle)
    places = list(range(len(source) - 1))
    found = measured(
        bundle,
        BlockToken(1),
        ChangePositions("target", "none"),
        Reorder((*places[1:], 0)),
        ScaleHead(AttentionKind.ENCODER_SELF, 1, 1, 0.5),
        SetRow(AttentionKind.CROSS, 2, None, 2, key=0),
    )
    row = [1.0] + [0.0] * (len(source) - 1)
    plain = {
        "blocked": [1],
        "target_positions": [-1] * len(OUT),
        "scales": {("encoder_self", 1, 1): 0.5},
        "rows": {("cross", 2, head, 2): row for head in range(2)},
    }

    agree(found, by_hand(folder, [*source[1:-1], source[0], 3], plain))


def test_in_small_chunks_the_same(made: tuple[Bundle, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measured(made[0])
    monkeypatch.setattr(importance, "_LOGITS", 1)
    *steps, last = measure_heads(made[0], TEXT, OUT)

    assert steps == [(done, 16) for done in range(17)]
    assert isinstance(last, Importance)
    for kind in AttentionKind:
        np.testing.assert_allclose(last.change[kind], whole.change[kind], atol=1e-5)


def test_progress_ends_at_all_heads(made: tuple[Bundle, Path]) -> None:
    *steps, _ = measure_heads(made[0], TEXT, OUT)

    assert steps[0] == (0, 16)
    assert steps[-1] == (16, 16)


@pytest.mark.parametrize("head", [(AttentionKind.ENCODER_SELF, 1, 0), (AttentionKind.CROSS, 2, 1)])
def test_the_decoding_with_that_head_off_says_the_same(
    made: tuple[Bundle, Path], head: tuple[AttentionKind, int, int]
) -> None:
    bundle = made[0]
    config = DecodeConfig(mode="greedy", prefix_ids=tuple(OUT))
    off = (ScaleHead(*head, 0.0),)
    for event in decode_events(bundle, TEXT, config, alterations=off):
        if event.trace.steps == len(OUT):
            break
    found = measured(bundle)

    expected = float(event.trace.step_logprob.sum()) - found.logprob
    assert found.change[head[0]][head[1], head[2]] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("out", "code"), [([], "importance_nothing"), ([4, 5000], "token_id"), ([4] * 33, "too_long")]
)
def test_what_cannot_be_measured(made: tuple[Bundle, Path], out: list[int], code: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        measured(made[0], out=out)
    assert caught.value.code == code
