"""The order experiment: what plain torch computes of the same pieces in two orders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.errors import HeadscopeError
from model.inspection.order import try_orders
from model.trace.exploration import OrderExperiment, other_order
from tests.model import tiny_bundle
from tests.model.alterations.altered_plain import AlteredPlain

TEXT = "the red dog"


def bundle_of(folder: Path, **changes: Any) -> Bundle:
    a = tiny_bundle.architecture(encoder_layers=2, **changes)
    write_bundle(
        folder,
        tiny_bundle.config(a),
        tiny_bundle.transformer(a),
        tiny_bundle.spm(),
        tiny_bundle.spm(),
        half=False,
    )
    return load_bundle(folder)


def tried(bundle: Bundle, text: str = TEXT, order: tuple[int, ...] | None = None) -> OrderExperiment:
    *_, last = try_orders(bundle, text, order)
    assert isinstance(last, OrderExperiment)
    return last


def outputs(folder: Path, ids: list[int], positions: bool) -> np.ndarray[Any, Any]:
    oracle = AlteredPlain(folder, source_positions=None if positions else [-1] * (len(ids) + 1))
    return oracle.encode([*ids, 3]).double().numpy()[:-1]


def check_distances(found: OrderExperiment, folder: Path) -> None:
    ids, order = list(found.ids), list(found.order)
    for positions in (True, False):
        own = outputs(folder, ids, positions)
        other = outputs(folder, [ids[i] for i in order], positions)
        for piece in range(len(ids)):
            apart = own[piece] - other[order.index(piece)]
            # What is left without positions is rounding, and only its size can be told.
            near = {"abs": 1e-4} if positions else {"abs": 1e-5}
            assert found.distance[positions][piece] == pytest.approx(np.sqrt((apart**2).sum()), **near)
            assert found.largest[positions][piece] == pytest.approx(np.abs(apart).max(), **near)
            assert found.norm[positions][piece] == pytest.approx(np.sqrt((own[piece] ** 2).sum()), abs=1e-4)


@pytest.mark.parametrize(
    "changes",
    [{}, {"norm": "pre_norm"}, {"positions": "learned"}, {"scale_embedding": False, "n_heads": 1}],
    ids=str,
)
def test_distances(tmp_path: Path, changes: dict[str, Any]) -> None:
    found = tried(bundle_of(tmp_path / "bundle", **changes))

    check_distances(found, tmp_path / "bundle")
    assert found.largest[True].max() > 0.01
    assert found.largest[False].max() <= 1e-5


@pytest.mark.parametrize("name", ["zh-en", "en-fr"])
def test_without_positions_a_bundled_model_encodes_each_piece_alike_in_any_order(name: str) -> None:
    folder = Path(resources.__file__).parent / "models" / name
    text = {"zh-en": "你打我", "en-fr": "Tom loves Mary."}[name]
    found = tried(load_bundle(folder), text)

    check_distances(found, folder)
    assert found.largest[False].max() <= 1e-5
    assert found.largest[True].max() > 0.5
    assert len({reading.trace.tgt_text for reading in found.readings[:2]}) == 2
    assert len({reading.trace.tgt_text for reading in found.readings[2:]}) == 1


def test_a_model_without_positions_does_not_tell_the_orders_apart(tmp_path: Path) -> None:
    found = tried(bundle_of(tmp_path / "bundle", positions="none"))

    assert found.largest[True].max() <= 1e-5


def test_four_readings_of_the_same_ids(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path / "bundle")
    ids = bundle.source_tokenizer.encode(TEXT)
    order = (*range(1, len(ids)), 0)
    found = tried(bundle, order=order)

    assert [(r.reordered, r.positions) for r in found.readings] == [
        (False, True), (True, True), (False, False), (True, False),
    ]  # fmt: skip
    assert (found.text, found.ids, found.order) == (TEXT, tuple(ids), order)
    assert found.pieces == tuple(bundle.source_tokenizer.pieces(TEXT))
    for reading in found.readings:
        read = [*ids[1:], ids[0]] if reading.reordered else ids
        assert reading.trace.src_ids.tolist() == [*read, 3]
        assert reading.trace.src_text == TEXT
        types = [change["type"] for change in reading.trace.alterations]
        assert types == ["reorder"] * reading.reordered + ["positions"] * (not reading.positions)


def test_without_positions_both_orders_are_translated_alike(tmp_path: Path) -> None:
    *_, own, other = tried(bundle_of(tmp_path / "bundle")).readings

    assert own.trace.tgt_out_ids.tolist() == other.trace.tgt_out_ids.tolist()
    np.testing.assert_allclose(own.trace.step_logprob, other.trace.step_logprob, atol=1e-4)


def test_it_goes_in_steps(tmp_path: Path) -> None:
    *steps, last = try_orders(bundle_of(tmp_path / "bundle"), TEXT)
    done = [step[0] for step in steps if isinstance(step, tuple)]

    assert isinstance(last, OrderExperiment)
    assert len(done) == len(steps)
    # One for the encoder's part and one for each token of each reading.
    assert done == [i for i, reading in enumerate(last.readings) for _ in range(reading.trace.steps + 1)]
    assert {step[1] for step in steps if isinstance(step, tuple)} == {4}


@pytest.mark.parametrize(
    ("text", "order", "code"),
    [
        ("", None, "order_short"),
        ("a", None, "order_short"),
        (TEXT, (0, 1), "alteration_order"),
        (TEXT, (0, 0), "alteration_order"),
    ],
)
def test_what_cannot_be_put_into_another_order(
    tmp_path: Path, text: str, order: tuple[int, ...] | None, code: str
) -> None:
    with pytest.raises(HeadscopeError) as caught:
        tried(bundle_of(tmp_path / "bundle"), text, order)
    assert caught.value.code == code


def test_an_order_that_changes_nothing(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path / "bundle")
    own = tuple(range(len(bundle.source_tokenizer.encode(TEXT))))

    with pytest.raises(HeadscopeError) as caught:
        tried(bundle, order=own)
    assert caught.value.code == "order_same"


def test_the_order_to_begin_with() -> None:
    assert other_order(["你", "打", "我"]) == (2, 1, 0)
    assert other_order(["▁Tom", "▁loves", "▁Mary", "."]) == (2, 1, 0, 3)
    assert other_order(["a", "b", "a"]) == (1, 2, 0)
    assert other_order(["a", "."]) == (1, 0)
    assert other_order(["a", "a", "."]) == (2, 1, 0)


@given(st.lists(st.sampled_from(["a", "b", "c", "."]), max_size=6))
def test_the_order_to_begin_with_is_another_one_if_there_is_any(pieces: list[str]) -> None:
    order = other_order(pieces)

    assert sorted(order) == list(range(len(pieces)))
    assert ([pieces[place] for place in order] != pieces) == (len(set(pieces)) > 1)
