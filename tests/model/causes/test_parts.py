"""Scores and logits taken apart, against plain torch and numbers worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.errors import HeadscopeError
from model.inspection.readings import Readings
from model.network.norms import BatchNorm, LayerNorm
from model.questions.causes.logit import LogitOf, LogitParts
from model.questions.causes.parts import Part
from model.questions.causes.scores import ScoreOf, ScoreParts
from model.questions.questions import Reading, RowOf
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.causes.plain_parts import Name, Sum, parts_at, projected, sum_of
from tests.model.inspection.asked import CHANGED, CHANGES, OUT, SOURCE, ask, oracle, reading
from tests.model.inspection.conftest import Made
from tests.model.variants.variants import VARIANTS

STACK = {"source": "encoder", "target": "decoder"}
TARGET = [2, *OUT][: len(OUT)]
CLOSE = 1e-5  # float32 rows, taken apart in float64


def named(part: Part) -> Name:
    return part.what, STACK[part.side], part.where, part.layer, part.head


def same(ours: dict[Name, float], expected: dict[Name, float]) -> None:
    assert ours.keys() == expected.keys()
    for name, value in expected.items():
        assert ours[name] == pytest.approx(value, abs=CLOSE * max(1.0, *map(abs, expected.values()))), name


@pytest.mark.parametrize("altered", [False, True])
@pytest.mark.parametrize("rival", [None, 7])
def test_logit_parts_are_those_of_plain_torch(made: Made, rival: int | None, altered: bool) -> None:
    plain = oracle(made.folder, **(CHANGED if altered else {}))
    step, word = 3, OUT[3]
    found: LogitParts = ask(made.bundle, LogitOf(step, None, rival), reading(*(CHANGES if altered else ())))
    count = 3 * plain.a["decoder_layers"]
    parts = parts_at(plain, "decoder", TARGET, step, count, read=True)
    output = plain.w["output.weight" if plain.a["tie_embeddings"] == "none" else "source_embedding.weight"]
    if plain.a["tie_embeddings"] == "target_output":
        output = plain.w["target_embedding.weight"]
    direction = output[word] - (0 if rival is None else output[rival])
    expected = {name: float(vector @ direction) for name, vector in parts.items()}
    if plain.a["output_bias"]:
        bias = plain.w["output.bias"]
        expected["bias", "decoder", "output", None, None] = float(
            bias[word] - (0 if rival is None else bias[rival])
        )
    same(dict(zip(map(named, found.parts), found.values, strict=True)), expected)
    # What the parts add up to is what plain torch says of the whole.
    logits = plain.closed["decoder"][step] @ output.T
    logits = logits + plain.w["output.bias"] if plain.a["output_bias"] else logits
    whole = float(logits[word] - (0 if rival is None else logits[rival]))
    assert found.total == pytest.approx(whole, abs=1e-4)
    assert found.logit == pytest.approx(whole, abs=1e-4)
    logprobs = plain.read(SOURCE, OUT)[step] if not altered else None
    if logprobs is not None:
        assert found.logprobs[0] == pytest.approx(float(logprobs[word]), abs=2e-5)


@pytest.mark.parametrize("kind", list(AttentionKind))
def test_score_parts_are_those_of_plain_torch(made: Made, kind: AttentionKind) -> None:
    plain = oracle(made.folder)
    readings = Readings(made.bundle)
    layer, head, query, key = 1, 1, 3, 2
    found: ScoreParts = ask(made.bundle, ScoreOf(kind, layer, head, query, key), reading(), readings)
    encoder, cross = kind is AttentionKind.ENCODER_SELF, kind is AttentionKind.CROSS
    stack = "encoder" if encoder else "decoder"
    ids, sublayers = (list(SOURCE), 2) if encoder else (TARGET, 3)
    asking = parts_at(plain, stack, ids, query, sublayers * layer + cross, read=True)
    if cross:
        asked = parts_at(plain, "encoder", list(SOURCE), key, 2 * plain.a["encoder_layers"], read=True)
    else:
        asked = parts_at(plain, stack, ids, key, sublayers * layer, read=True)
    name = f"{stack}.layers.{layer}.{'multihead_attn' if cross else 'self_attn'}"
    key_stack = "encoder" if cross else stack
    qs: Sum = projected(plain, name, asking, 0, head, ("bias", stack, "query", layer, None))
    ks: Sum = projected(plain, name, asked, 1, head, ("bias", key_stack, "key", layer, None))
    root = math.sqrt(plain.a["d_model"] // plain.a["n_heads"])
    assert {named(part) for part in found.query_parts} == qs.keys()
    assert {named(part) for part in found.key_parts} == ks.keys()
    expected = [
        [float(qs[named(a)] @ ks[named(b)]) / root for b in found.key_parts] for a in found.query_parts
    ]
    np.testing.assert_allclose(found.products, expected, atol=CLOSE * np.abs(expected).max())
    whole = float(plain.heads[str(kind), layer, head].scores[query, key]) / root
    assert whole == pytest.approx(float(sum_of(qs) @ sum_of(ks)) / root)
    for said in (found.total, found.score):
        assert said == pytest.approx(whole, rel=CLOSE, abs=CLOSE)
    shown = ask(made.bundle, RowOf(kind, layer, head, query), reading(), readings)
    assert found.score == pytest.approx(float(shown.scaled[key]), rel=1e-6, abs=1e-6)
    assert found.grouped().sum() == pytest.approx(found.total)
    word = found.query_parts.index(Part("word", "source" if encoder else "target"))
    assert found.grouped()[0, 0] == pytest.approx(found.products[word, 0])


@pytest.fixture(scope="module", params=VARIANTS)
def variant(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    fields: dict[str, Any] = {"n_heads": 4, "encoder_layers": 2, "decoder_layers": 2} | VARIANTS[
        request.param
    ]
    a = tiny_bundle.architecture(**fields)
    folder = tmp_path_factory.mktemp(request.param) / "bundle"
    write_bundle(
        folder, tiny_bundle.config(a), tiny_bundle.transformer(a), *[tiny_bundle.spm()] * 2, half=False
    )
    return load_bundle(folder)


def test_every_variant_adds_up(variant: Bundle) -> None:
    """To the score of the arithmetic, and to the logits of a whole pass that notes nothing."""
    readings, about = Readings(variant), Reading("", SOURCE, OUT)
    a = variant.config.architecture
    for kind in AttentionKind:
        for query, key in ((0, 0), (4, 2)):
            found = ask(variant, ScoreOf(kind, 1, 3 % a.n_heads, query, key), about, readings)
            shown = ask(variant, RowOf(kind, 1, 3 % a.n_heads, query), about, readings)
            close = pytest.approx(float(shown.scaled[key]), rel=CLOSE, abs=CLOSE)
            assert found.total == close
            assert found.score == close
            placed = None if shown.placed is None else pytest.approx(float(shown.placed[key]), abs=CLOSE)
            assert found.placed == placed
    network = variant.transformer
    with torch.no_grad():
        memory = network.encode(torch.tensor([SOURCE]))
        states = network.decode(torch.tensor([TARGET]), memory)[0]
        logits = network.project(states[:, : a.d_model])
        logprobs = network.project(states).log_softmax(-1)
    for step in (0, 4):
        found = ask(variant, LogitOf(step, None, 9), about, readings)
        assert found.total == pytest.approx(float(logits[step, OUT[step]] - logits[step, 9]), abs=1e-4)
        assert found.logprobs == pytest.approx(logprobs[step, [OUT[step], 9]].tolist(), abs=1e-4)
        assert found.copies == a.copying
        heads = found.by_head()
        assert sum(float(each.sum()) for each in heads.values()) == pytest.approx(
            sum(value for part, value in found.ranked() if part.what == "head"), abs=1e-5
        )


def test_norms_held_by_hand() -> None:
    """Mean 2 and deviation 1 of (1, 3); running mean (1, 1) and deviation 2 of a BatchNorm."""
    layer, batch = LayerNorm(2, eps=0.0), BatchNorm(2, eps=0.0).eval()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([2.0, 1.0]))
        layer.bias.copy_(torch.tensor([0.0, 5.0]))
        batch.running_mean.fill_(1.0)
        batch.running_var.fill_(4.0)
        batch.bias.fill_(3.0)
    summands = torch.tensor([[1.0, 0.0], [0.0, 3.0]]).double()
    held = layer.frozen(torch.tensor([1.0, 3.0]))
    assert held.of(summands).tolist() == [[1.0, -0.5], [-3.0, 1.5]]
    assert held.offset.tolist() == [0.0, 5.0]
    assert (held.of(summands).sum(0) + held.offset).tolist() == layer.of(torch.tensor([1.0, 3.0])).tolist()
    held = batch.frozen(torch.tensor([1.0, 3.0]))
    assert held.of(summands).tolist() == [[0.5, 0.0], [0.0, 1.5]]
    assert held.offset.tolist() == [2.5, 2.5]


def test_a_logit_by_hand(tmp_path: Path) -> None:
    """Heads and networks that write nothing, so that the stream is word + position = (1, 0) + (0, 2).

    The closing norm makes (-1, 1) of it: mean 1.5, deviation 0.5. Of the word (0.5, -0.5) / 0.5, of the
    position (-1, 1) / 0.5. With U = (3, 1) for the word and (1, 1) for its rival they give 2 and -4 of
    logit, and 2 and -4 of the difference, whose direction is (2, 0).
    """
    a = tiny_bundle.architecture(
        d_model=2, n_heads=1, d_ff=2, norm="pre_norm", positions="learned", tie_embeddings="none",
        scale_embedding=False, norm_eps=1e-12,
    )  # fmt: skip
    network = tiny_bundle.transformer(a)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.fill_(1.0 if "norm" in name and name.endswith("weight") else 0.0)
        network.target_embedding.weight[2] = torch.tensor([1.0, 0.0])
        assert network.positions.weight is not None
        network.positions.weight[0] = torch.tensor([0.0, 2.0])
        network.output.weight[5], network.output.weight[7] = (
            torch.tensor([3.0, 1.0]),
            torch.tensor([1.0, 1.0]),
        )
    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "bundle", tiny_bundle.config(a), network, spm, spm, half=False)
    bundle = load_bundle(tmp_path / "bundle")
    for rival, word, place in ((None, 2.0, -4.0), (7, 2.0, -4.0)):
        found = ask(bundle, LogitOf(0, 5, rival), Reading("", SOURCE, OUT))
        values = {part.what: value for part, value in found.ranked()[:2]}
        assert values == pytest.approx({"word": word, "position": place}, abs=1e-6)
        assert found.total == pytest.approx(-2.0, abs=1e-6)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (LogitOf(5), "export_step"),
        (LogitOf(0, 999), "token_id"),
        (LogitOf(0, None, -1), "token_id"),
        (ScoreOf(AttentionKind.CROSS, 0, 0, 0, 6), "export_key"),
        (ScoreOf(AttentionKind.DECODER_SELF, 0, 2, 0, 0), "inspection_head"),
        (ScoreOf(AttentionKind.ENCODER_SELF, 2, 0, 0, 0), "alteration_layer"),
        (ScoreOf(AttentionKind.CROSS, 0, 0, 5, 0), "alteration_row"),
    ],
)
def test_what_is_not_there_is_refused(make: Any, question: Any, code: str) -> None:
    with pytest.raises(HeadscopeError) as raised:
        ask(make().bundle, question, reading())
    assert raised.value.code == code
