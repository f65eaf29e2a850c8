"""Every row of every head, against a real cached decode and against plain torch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.bundle.bundle import Bundle
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.inspection.readings import Readings
from model.questions.answers import RowArithmetic, Stages
from model.questions.questions import Reading, RowOf, StagesOf
from model.trace.trace import AttentionKind, Trace
from tests.model.inspection.asked import (
    CHANGED,
    CHANGES,
    CROSS,
    DECODER,
    ENCODER,
    HEADS,
    LAYERS,
    OUT,
    SOURCE,
    ask,
    oracle,
    reading,
)
from tests.model.inspection.conftest import KINDS, Made, Make
from tests.model.inspection.watched import WatchedPlain

TEXT = "the red dog"
BY_HAND = pytest.mark.parametrize("changed", [False, True], ids=["as it is", "altered"])


def places() -> Iterator[tuple[AttentionKind, int, int]]:
    for kind in AttentionKind:
        for layer, head in itertools.product(range(LAYERS[kind]), range(HEADS)):
            yield kind, layer, head


def close(ours: np.ndarray, expected: object, atol: float = 1e-5) -> None:
    assert ours.dtype == np.float32
    assert not ours.flags.writeable
    np.testing.assert_allclose(ours, np.asarray(expected), atol=atol, rtol=1e-4)


def decoded(bundle: Bundle, *alterations: Alteration) -> Trace:
    """What the cached decode itself recorded."""
    config = DecodeConfig(prefix_ids=(9, 17, 5), max_length=6)
    return list(decode_events(bundle, TEXT, config, alterations=alterations))[-1].trace


# against the recorded pattern


def test_every_row_is_the_recorded_one(made: Made) -> None:
    trace = decoded(made.bundle)
    readings = Readings(made.bundle)
    for kind, layer, head in places():
        recorded = trace.pattern(kind, layer, head)
        stages = ask(made.bundle, StagesOf(kind, layer, head), Reading.of(trace), readings)
        close(stages.pattern, recorded)
        for query, row in enumerate(recorded):
            found = ask(made.bundle, RowOf(kind, layer, head, query), Reading.of(trace), readings)
            close(found.pattern, row)
            close(found.used, row)


def test_what_was_changed_shows_in_what_the_model_went_on_with(made: Made) -> None:
    source = made.bundle.source_tokenizer.encode(TEXT)
    trace = decoded(
        made.bundle,
        Reorder((*range(1, len(source)), 0)),
        BlockToken(1),
        ChangePositions("both", "shuffled", 3),
        ScaleHead(ENCODER, 1, 1, 0.5),
        ScaleHead(CROSS, 0, None, 0.0),
        SetRow(ENCODER, 0, 1, 2, key=3),
        SetRow(DECODER, 1, 0, 2, weights=(0.5, 0.25, 0.25)),
        SetRow(CROSS, 2, None, 3),
    )
    readings = Readings(made.bundle)
    set_rows = {(ENCODER, 0, 1, 2), (DECODER, 1, 0, 2), (CROSS, 2, 0, 3), (CROSS, 2, 1, 3)}
    factors = {(ENCODER, 1, 1): 0.5, (CROSS, 0, 0): 0.0, (CROSS, 0, 1): 0.0}
    for place in places():
        recorded = trace.pattern(*place)
        for query, row in enumerate(recorded):
            found = ask(made.bundle, RowOf(*place, query), Reading.of(trace), readings)
            close(found.used, row * factors.get(place, 1.0))
            if (*place, query) in set_rows:
                assert np.abs(found.pattern - row).max() > 1e-3
            else:
                close(found.pattern, row)
            if place[0] is not DECODER:
                assert found.forbidden.tolist() == [key == 1 for key in range(len(row))]


# against plain torch


@BY_HAND
def test_every_number_of_a_row(made: Made, changed: bool) -> None:
    plain = oracle(made.folder, **(CHANGED if changed else {}))
    about = reading(*(CHANGES if changed else ()))
    readings = Readings(made.bundle)
    for kind, layer, head in places():
        expected = plain.heads[str(kind), layer, head]
        for query in range(len(expected.q)):
            found = ask(made.bundle, RowOf(kind, layer, head, query), about, readings)
            assert isinstance(found, RowArithmetic)
            assert (found.kind, found.layer, found.head, found.query) == (kind, layer, head, query)
            close(found.q, expected.q[query])
            close(found.keys, expected.k)
            close(found.values, expected.v)
            close(found.scores, expected.scores[query])
            close(found.scaled, expected.scores[query] / 2)  # e = 4
            close(found.masked, expected.masked[query])
            assert found.forbidden.tolist() == (expected.masked[query] == -np.inf).tolist()
            close(found.pattern, expected.pattern[query])
            close(found.used, expected.used[query])
            close(found.output, expected.used[query] @ expected.v)
            close(found.share, expected.share[query])


@BY_HAND
def test_the_shares_of_all_heads_and_the_bias_are_what_the_residual_grows_by(
    made: Made, changed: bool
) -> None:
    plain = oracle(made.folder, **(CHANGED if changed else {}))
    about = reading(*(CHANGES if changed else ()))
    norms = {"encoder_self": "norm1", "decoder_self": "norm1", "cross": "norm2"}
    readings = Readings(made.bundle)
    for kind, layer in sorted({place[:2] for place in places()}):
        stack = "encoder" if kind is ENCODER else "decoder"
        attention = plain.entered(kind, layer)
        norm = plain.seen[f"{stack}.layers.{layer}.{norms[kind]}"]
        if plain.a["norm"] == "post_norm":
            grown = norm.entered - attention.entered
        else:
            following = {"norm1": "norm2", "norm2": "norm3"}[norms[kind]]
            grown = plain.seen[f"{stack}.layers.{layer}.{following}"].entered - norm.entered
        for query in range(len(grown)):
            rows = [
                ask(made.bundle, RowOf(kind, layer, head, query), about, readings) for head in range(HEADS)
            ]
            for row in rows:
                close(row.total, grown[query])
                close(row.share_norms, [np.linalg.norm(each.share) for each in rows])
            close(rows[0].total, sum(row.share for row in rows) + rows[0].bias)


def test_w_o_as_it_stands_in_the_file(made: Made) -> None:
    plain = WatchedPlain(made.folder)
    found = ask(made.bundle, RowOf(CROSS, 2, 1, 0), reading())
    name = "decoder.layers.2.multihead_attn.out_proj"

    np.testing.assert_array_equal(found.projection, plain.w[f"{name}.weight"][:, 4:])
    np.testing.assert_array_equal(found.bias, plain.w.get(f"{name}.bias", np.zeros(8)))
    assert bool(found.bias.any()) == plain.a["attention_bias"]


@BY_HAND
def test_stages_of_all_rows(made: Made, changed: bool) -> None:
    plain = oracle(made.folder, **(CHANGED if changed else {}))
    readings = Readings(made.bundle)
    for kind, layer, head in places():
        expected = plain.heads[str(kind), layer, head]
        about = reading(*(CHANGES if changed else ()))
        found = ask(made.bundle, StagesOf(kind, layer, head), about, readings)
        assert isinstance(found, Stages)
        close(found.scores, expected.scores)
        close(found.scaled, expected.scores / 2)
        close(found.masked, expected.masked)
        close(found.pattern, expected.pattern)
        assert found.forbidden.tolist() == (expected.masked == -np.inf).tolist()


def test_where_nothing_may_be_looked_at_a_row_is_zeros(make: Make) -> None:
    bundle, folder = make(norm="pre_norm")
    blocked = [BlockToken(token) for token in range(len(SOURCE))]
    plain = oracle(folder, blocked=list(range(len(SOURCE))))
    found = ask(bundle, RowOf(CROSS, 1, 0, 2), reading(*blocked))

    assert found.forbidden.all()
    assert not found.pattern.any()
    assert not found.share.any()
    close(found.total, plain.entered("cross", 1).left[2])
    assert not ask(bundle, StagesOf(ENCODER, 1, 1), reading(*blocked)).pattern.any()


tokens = st.lists(st.integers(4, 27), min_size=1, max_size=9).map(lambda ids: (*ids, 3))


@settings(max_examples=40, deadline=None)
@given(
    kind_of_model=st.sampled_from(sorted(KINDS)),
    source=tokens,
    out=tokens,
    kind=st.sampled_from(list(AttentionKind)),
    blocked=st.sets(st.integers(0, 9)),
    data=st.data(),
)
def test_any_row_of_any_reading(
    make: Make,
    kind_of_model: str,
    source: tuple[int, ...],
    out: tuple[int, ...],
    kind: AttentionKind,
    blocked: set[int],
    data: st.DataObject,
) -> None:
    bundle, folder = make(**KINDS[kind_of_model])
    blocked = {token for token in blocked if token < len(source)}
    layer, head = data.draw(st.integers(0, LAYERS[kind] - 1)), data.draw(st.integers(0, HEADS - 1))
    rows, keys = len(source if kind is ENCODER else out), len(out if kind is DECODER else source)
    query = data.draw(st.integers(0, rows - 1))
    plain = oracle(folder, out, source, blocked=sorted(blocked))
    about = Reading("", source, out, tuple(map(BlockToken, sorted(blocked))))
    found = ask(bundle, RowOf(kind, layer, head, query), about)

    close(found.pattern, plain.heads[str(kind), layer, head].pattern[query], 2e-5)
    close(found.total, plain.entered(kind, layer).left[query], 2e-5)
    assert found.pattern.shape == (keys,)
    assert found.pattern.sum() == pytest.approx(0.0 if found.forbidden.all() else 1.0, abs=1e-6)
    assert not found.pattern[found.forbidden].any()


def test_what_is_not_asked_of_a_decode_is_asked_of_the_translation(make: Make) -> None:
    """A reading without a translation has its encoder, and the encoder knows nothing of the translation."""
    bundle = make().bundle
    alone = ask(bundle, RowOf(ENCODER, 1, 0, 2), reading(out=()))
    beside = ask(bundle, RowOf(ENCODER, 1, 0, 2), reading(out=OUT))

    np.testing.assert_array_equal(alone.total, beside.total)
