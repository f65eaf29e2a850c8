"""Masks forgotten, beside the same bundle in torch.nn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from model.alterations.block_token import BlockToken
from model.errors import HeadscopeError
from model.lessons.masks import MASKS, beginning
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from tests.assets import PAIRS
from tests.model.lessons.subjects import START, Changed, asked, found, loaded, subject_of

TEXT, TARGET = PAIRS[0]


def of_tokens(logprobs: torch.Tensor, out: tuple[int, ...]) -> np.ndarray:
    return logprobs.gather(-1, torch.tensor(out)[:, None])[:, 0].numpy()


@pytest.mark.parametrize("text", [1, 2, 3])
def test_a_batch_without_padding_mask(tiny_bundle: Path, text: int) -> None:
    subject = subject_of(tiny_bundle, TEXT, TARGET)
    texts = [TEXT, "She has a dog and an old red car.", "I"]
    numbers = asked(
        tiny_bundle, MASKS, subject, second=texts[1], third=texts[2], text=str(text), layer="1", head="3"
    )

    ids = [loaded(tiny_bundle).source_tokenizer.source_ids(each) for each in texts]
    longest = max(map(len, ids))
    source = torch.tensor([row + [0] * (longest - len(row)) for row in ids])
    real = source != 0
    vocabulary = loaded(tiny_bundle).target_tokenizer
    pieces = {vocabulary.piece(n): n for n in range(vocabulary.vocab_size)}
    data = numbers.data
    out = tuple(pieces[piece] for piece in data["out"])
    read = torch.tensor([[START, *out[:-1]]] * 3)
    oracle = Changed(tiny_bundle)
    row = text - 1
    alone = oracle.read(torch.tensor([ids[row]]), None, read[:1])[0]
    masked = oracle.read(source, real, read)[row]
    masked_map = oracle.patterns["cross", 0][row, 2]
    unmasked = oracle.read(source, None, read)[row]
    unmasked_map = oracle.patterns["cross", 0][row, 2]

    if text == 1:
        assert out == subject.reading.out_ids
    else:
        assert list(out[:2]) == alone.argmax(-1)[:2].tolist()  # its own greedy translation
    assert data["alone"] == pytest.approx(of_tokens(alone, out), abs=1e-4)
    assert data["masked"] == pytest.approx(of_tokens(masked, out), abs=1e-4)
    assert data["unmasked"] == pytest.approx(of_tokens(unmasked, out), abs=1e-4)
    assert data["largest"] == pytest.approx((masked.exp() - unmasked.exp()).abs().amax(-1).numpy(), abs=1e-5)
    assert data["masked_map"] == pytest.approx(masked_map.numpy(), abs=1e-5)
    assert data["unmasked_map"] == pytest.approx(unmasked_map.numpy(), abs=1e-5)
    assert (data["real"] == real.numpy()).all()
    assert (data["forbidden"] == ~real[row].numpy()).all()
    padding = int((~real[row]).sum())
    assert found(numbers, "alone").holds
    on_padding = float(unmasked_map[:, ~real[row]].sum(-1).mean())
    assert found(numbers, "on_padding").value == pytest.approx(on_padding, abs=1e-5)
    change = found(numbers, "changed" if padding else "unchanged")
    assert change.value == pytest.approx(float((masked.exp() - unmasked.exp()).abs().max()), abs=1e-5)
    assert change.holds is ((change.value > 1e-3) is bool(padding))


@pytest.mark.parametrize("future", [0, 1, 4])
def test_a_translation_without_causal_mask(tiny_bundle: Path, future: int) -> None:
    subject = subject_of(tiny_bundle, TEXT, TARGET)
    numbers = asked(
        tiny_bundle, MASKS, subject, forgotten="causal", layer="2", head="1", row="3", future=str(future + 1)
    )

    data, out = numbers.data, subject.reading.out_ids
    oracle = Changed(tiny_bundle)
    source, read = torch.tensor([subject.reading.src_ids]), torch.tensor([[START, *out[:-1]]])
    other = read.clone()
    other[0, future] = read[0, (future + 1)]
    masked = oracle.read(source, None, read)[0]
    masked_map = oracle.patterns["decoder_self", 1][0, 0]
    unmasked = oracle.read(source, None, read, causal=False)[0]
    unmasked_map = oracle.patterns["decoder_self", 1][0, 0]
    changes = [
        (one.exp() - oracle.read(source, None, other, causal=causal)[0].exp()).abs().amax(-1).numpy()
        for one, causal in ((masked, True), (unmasked, False))
    ]

    assert data["masked"] == pytest.approx(of_tokens(masked, out), abs=1e-4)
    assert data["unmasked"] == pytest.approx(of_tokens(unmasked, out), abs=1e-4)
    assert data["masked_map"] == pytest.approx(masked_map.numpy(), abs=1e-5)
    assert data["unmasked_map"] == pytest.approx(unmasked_map.numpy(), abs=1e-5)
    assert data["masked_change"] == pytest.approx(changes[0], abs=1e-5)
    assert data["unmasked_change"] == pytest.approx(changes[1], abs=1e-5)
    assert found(numbers, "on_future").value == pytest.approx(float(unmasked_map[2, 3:].sum()), abs=1e-5)
    assert (data["masked_change"][:future] == 0).all()
    if future:
        assert found(numbers, "earlier").holds
        assert found(numbers, "earlier_leak").value == pytest.approx(changes[1][:future].max(), abs=1e-5)
        assert found(numbers, "earlier_leak").value > 1e-3


def test_a_start_of_a_text() -> None:
    assert beginning("one two  three four", 0.5) == "one two"
    assert beginning("one two three four five", 0.25) == "one"
    assert beginning(" 我喜欢绿茶。", 0.5) == "我喜欢"
    assert beginning("a", 0.25) == "a"


def test_what_cannot_be_asked(tiny_bundle: Path) -> None:
    nothing = subject_of(tiny_bundle, TEXT, "")
    assert MASKS.asks({"forgotten": "padding"}, None) is None
    assert MASKS.asks({"forgotten": "padding"}, nothing) is None
    assert [control.name for control in MASKS.controls(nothing)] == ["forgotten"]
    whole = subject_of(tiny_bundle, TEXT, TARGET)
    with pytest.raises(HeadscopeError) as long:
        asked(tiny_bundle, MASKS, whole, second="tea " * 400)
    assert long.value.code == "too_long"
    with pytest.raises(HeadscopeError) as strange:
        asked(tiny_bundle, MASKS, subject_of(tiny_bundle, TEXT, TARGET, reading=Reading("", (9999, 3), (5,))))
    assert strange.value.code == "token_id"


def test_changes_of_the_run_are_left_out_and_said(tiny_bundle: Path) -> None:
    subject = subject_of(tiny_bundle, TEXT, TARGET)
    reading = subject.reading
    blocked = Reading(reading.model_sha256, reading.src_ids, reading.out_ids, (BlockToken(1),), reading.text)
    altered = asked(tiny_bundle, MASKS, subject_of(tiny_bundle, TEXT, TARGET, reading=blocked))
    own = asked(tiny_bundle, MASKS, subject)

    assert altered.data["altered"]
    assert not own.data["altered"]
    assert (altered.data["masked"] == own.data["masked"]).all()
    assert subject.layers[AttentionKind.CROSS] == own.data["layers"]
