"""The lesson of the base: the paper's formula written out, and plain torch without positions."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.lessons.base import BASE
from model.lessons.lesson import Numbers, Subject, taken_values
from model.trace.trace import Trace
from tests.model.alterations.altered_plain import AlteredPlain
from tests.model.small import numpy_positions


def shown(**given: Any) -> Numbers:
    return BASE.numbers(taken_values(BASE.controls(None), given), None, None)


def found(numbers: Numbers) -> dict[str, Any]:
    return {one.name: one for one in numbers.findings}


@settings(max_examples=25)
@given(
    st.sampled_from([10.0, 100.0, 1000.0, 10_000.0, 100_000.0]),
    st.sampled_from(["4", "16", "64"]),
    st.integers(2, 70),
)
def test_a_base_is_told_by_the_formula_of_the_paper(base: float, width: str, length: int) -> None:
    numbers = shown(base=base, d_model=width, length=length)

    d = int(width)
    rows = numpy_positions(max(64, length), d, "interleaved", base)
    assert np.allclose(numbers.data["table"], rows[:64], atol=1e-6)
    # At every position the products are those of position 0, though only the offset was given.
    products = np.array([rows[7] @ rows[7 + k] for k in range(50)])
    assert np.allclose(numbers.data["similarity"][base][:50], products, atol=1e-9)
    apart = [
        (math.dist(rows[i], rows[j]), j - i) for i in range(length) for j in range(i + 1, min(length, 70))
    ]
    said = found(numbers)
    assert said["nearest"].value == pytest.approx(min(apart)[0], abs=1e-6)
    waves = [2 * math.pi * base ** (2 * i / d) for i in range(d // 2)]
    assert said["longest_wave"].value == pytest.approx(waves[-1], rel=1e-9)
    assert said["unfinished"].value == sum(wave > length for wave in waves)
    assert said["offset_only"].holds


def test_a_smaller_base_parts_neighbours_and_a_narrow_one_confuses_none() -> None:
    near = found(shown(base=1000.0))["nearest"]

    assert near.about["slip"] == near.value > near.about["paper"]
    assert near.about["apart"] == 1
    at = shown(base=1000.0).data
    assert np.interp(1000.0, at["bases"], at["smallest"]) == pytest.approx(near.value, rel=0.01)


def test_without_positions_as_plain_torch_has_it(tiny_bundle: Path, tiny_trace: Trace) -> None:
    subject = Subject.of(tiny_trace)
    values = taken_values(BASE.controls(subject), {"of": "without", "order": "shifted"})
    asked = BASE.asks(values, subject)
    assert asked is not None
    *_, last = answer(load_bundle(tiny_bundle), *asked)
    numbers = BASE.numbers(values, last, subject)

    *ids, end = map(int, tiny_trace.src_ids)
    order = [*range(1, len(ids)), 0]
    assert numbers.data["order"] == order
    moved = [ids[place] for place in order]
    for row, positions in ((0, None), (1, [-1] * (len(ids) + 1))):
        own, other = (
            AlteredPlain(tiny_bundle, source_positions=positions).encode([*each, end]).double().numpy()
            for each in (ids, moved)
        )
        apart = [math.dist(own[i], other[order.index(i)]) for i in range(len(ids))]
        assert np.allclose(numbers.data["distance"][row], apart, atol=1e-4)
    said = found(numbers)
    assert said["without"].holds
    assert said["without"].value < 1e-5 < 0.1 < said["with"].value
    assert said["translations"].value == "same"
    assert said["model_base"].value == 10_000
    assert tuple(numbers.data["translations"][0]) == tiny_trace.tgt_out_tokens


def test_one_piece_has_no_other_order(tiny_bundle: Path, tiny_trace: Trace) -> None:
    subject = Subject.of(tiny_trace)
    asked = BASE.asks(taken_values(BASE.controls(subject), {"of": "without"}), subject)
    assert asked is not None
    question, reading = asked
    one = replace(reading, text="a", src_ids=()) if reading is not None else None
    with pytest.raises(HeadscopeError) as raised:
        list(answer(load_bundle(tiny_bundle), question, one))
    assert raised.value.code in ("order_short", "order_same")
