"""The walk and the cosines as CSV, read back."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

import pytest

from tests.viewer import walk_samples as samples
from viewer.figures.closeness.table import closeness_lines
from viewer.figures.table import csv_chunks
from viewer.figures.walk.table import walk_lines


def read(lines: Iterable[Sequence[object]]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(csv_chunks(lines)).decode(), newline="")))


def pick(lines: list[dict[str, str]], **wanted: str) -> list[str]:
    return [line["value"] for line in lines if all(line[key] == value for key, value in wanted.items())]


def test_every_number_of_a_walk_is_there() -> None:
    lines = read(walk_lines(samples.target_walk()))
    assert {line["side"] for line in lines} == {"target"}
    assert {(line["position"], line["token"], line["predicted"]) for line in lines} == {
        ("1", "▁pommes", "▁rouges")
    }
    assert pick(lines, stage="sum", quantity="norm") == ["5"]
    assert pick(lines, stage="sum", quantity="change") == ["2"]
    assert [float(v) for v in pick(lines, stage="sum", quantity="cosine")] == pytest.approx([0.6])
    assert pick(lines, stage="residual", sublayer="self_attention", quantity="norm") == ["13"]
    assert pick(lines, stage="residual", sublayer="cross", quantity="vector") == ["3", "4", "12", "84"]
    assert pick(lines, stage="norm", sublayer="cross", quantity="mean") == ["1.75"]
    assert pick(lines, quantity="activation", index="2") == ["-0.25"]
    assert pick(lines, quantity="active") == ["6"]
    assert pick(lines, stage="lens", layer="0", quantity="produced_rank") == ["4"]
    assert pick(lines, stage="lens", layer="", quantity="produced_rank") == ["1"]
    (logprob,) = pick(lines, stage="lens", layer="0", quantity="logprob", index="0")
    assert float(logprob) == pytest.approx(math.log(0.5))
    assert "notes" not in lines[0]


def test_notes_are_in_each_line() -> None:
    lines = read(walk_lines(samples.source_walk(), "head 1 off"))
    assert {line["notes"] for line in lines} == {"head 1 off"}
    assert pick(lines, layer="1", stage="residual", sublayer="feed_forward", quantity="norm") == ["0"]


def test_every_pair_of_positions_is_there() -> None:
    lines = read(closeness_lines(samples.two_readings()))
    assert len(lines) == 4 * 5 * 4
    found = {(line["stage"], line["position_a"], line["position_b"]): line for line in lines}
    line = found["2", "1", "0"]
    assert (line["token_a"], line["token_b"], line["cosine"]) == ("▁watch", "▁watch", "0.25")
    assert found["1", "2", "2"]["cosine"] == "0.875"
