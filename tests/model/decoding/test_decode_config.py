from __future__ import annotations

import json
import math
from typing import Any

import pytest

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mode", "random"),
        ("beam_size", 0),
        ("beam_size", 2.0),
        ("beam_size", True),
        ("n_best", 0),
        ("length_penalty", math.nan),
        ("length_penalty", 1e9),
        ("length_penalty", "1"),
        ("temperature", 0.0),
        ("temperature", -1.0),
        ("temperature", math.inf),
        ("top_k", -1),
        ("beam_size", 1001),
        ("top_p", 0.0),
        ("top_p", 1.1),
        ("seed", -1),
        ("seed", 2**63),
        ("candidates", -1),
        ("max_length", 0),
        ("prefix_ids", [1]),
        ("prefix_ids", (-1,)),
        ("prefix_ids", ("a",)),
    ],
)
def test_senseless_settings_are_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(HeadscopeError) as caught:
        DecodeConfig(**{field: value})
    assert caught.value.values["field"] == field
    assert str(caught.value).startswith(f"{field} is ")


def test_settings_that_contradict_each_other() -> None:
    with pytest.raises(HeadscopeError, match="n_best is 3; it must be at most the beam size, 2"):
        DecodeConfig(mode="beam", beam_size=2, n_best=3)
    with pytest.raises(HeadscopeError, match="target is null"):
        DecodeConfig(mode="forced")


def test_only_what_the_mode_uses_is_told() -> None:
    assert DecodeConfig().to_json() == {"mode": "greedy", "candidates": 10}
    beam = DecodeConfig(mode="beam", max_length=7, prefix_ids=(4, 5)).to_json()
    assert beam == {
        "mode": "beam",
        "beam_size": 5,
        "length_penalty": 1.0,
        "n_best": 1,
        "candidates": 10,
        "max_length": 7,
        "prefix_ids": [4, 5],
    }


@pytest.mark.parametrize("mode", ["greedy", "beam", "sample", "forced"])
def test_json_round_trip(mode: Any) -> None:
    config = DecodeConfig(mode=mode, target="un" if mode == "forced" else None, prefix_ids=(4,), candidates=3)
    assert DecodeConfig.from_json(json.loads(json.dumps(config.to_json()))) == config
    with pytest.raises(HeadscopeError, match="'beams'"):
        DecodeConfig.from_json({"mode": mode, "beams": 3})


def test_rank_score() -> None:
    assert DecodeConfig(length_penalty=0.5).rank_score(-6.0, 9) == pytest.approx(-2.0)
    assert DecodeConfig(length_penalty=0.0).rank_score(-6.0, 9) == -6.0
    assert DecodeConfig().rank_score(-6.0, 3) == pytest.approx(-2.0)


def test_a_typed_prefix_is_text_and_comes_back() -> None:
    config = DecodeConfig(prefix="Le ·chat 😀")
    assert config.to_json()["prefix"] == "Le ·chat 😀"
    assert DecodeConfig.from_json(config.to_json()) == config
    assert "prefix" not in DecodeConfig().to_json()
    for wrong in (3, None, b"Le"):
        with pytest.raises(HeadscopeError):
            DecodeConfig(prefix=wrong)  # type: ignore[arg-type]
