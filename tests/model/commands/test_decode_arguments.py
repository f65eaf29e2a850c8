"""Words for settings and for changes: what commands are told is what they hear."""

from __future__ import annotations

import argparse
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.alterations.arguments import add_alteration_arguments, alterations_of, arguments_of
from model.alterations.registry import from_json
from model.commands.decode_arguments import add_decoding_arguments, arguments_of_config, decode_config
from model.decoding.decode_config import DecodeConfig


def heard(words: list[str]) -> DecodeConfig:
    parser = argparse.ArgumentParser()
    add_decoding_arguments(parser)
    return decode_config(parser.parse_args(words), parser)


MODES = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "mode": st.just("beam"),
            "beam_size": st.integers(1, 9),
            "length_penalty": st.floats(-10, 10),
        }
    ),
    st.fixed_dictionaries(
        {
            "mode": st.just("sample"),
            "temperature": st.floats(1e-3, 1e3),
            "top_k": st.integers(0, 99),
            "top_p": st.floats(1e-6, 1),
            "seed": st.integers(0, 2**63 - 1),
        }
    ),
    st.fixed_dictionaries(
        {"mode": st.just("rounds"), "rounds": st.integers(1, 100), "lengths": st.integers(1, 20)}
    ),
)
BEGINNINGS = st.fixed_dictionaries(
    {},
    optional={
        "prefix": st.text(min_size=1),
        "prefix_ids": st.lists(st.integers(0, 60000), min_size=1).map(tuple),
        "max_length": st.integers(1, 500),
        "candidates": st.integers(0, 50),
    },
)


@given(MODES, BEGINNINGS)
def test_settings_come_back(mode: dict[str, object], beginning: dict[str, object]) -> None:
    config = DecodeConfig(**mode, **beginning)  # type: ignore[arg-type]
    assert heard(arguments_of_config(config)) == config


@given(st.text())
def test_a_target_comes_back(text: str) -> None:
    config = DecodeConfig(mode="forced", target=text)
    assert heard(arguments_of_config(config)) == config


ROW = {
    "type": "row",
    "kind": "cross",
    "layer": 1,
    "head": None,
    "query": 0,
    "key": None,
    "weights": [0.1, 0.9],
}
BLOCK = {"type": "block", "token": 2}
ORDER = {"type": "reorder", "order": [1, 0]}


@pytest.mark.parametrize("changes", [[ROW], [ORDER], [BLOCK, ROW, ORDER], [BLOCK, BLOCK]])
def test_any_change_can_be_said(changes: list[dict[str, object]]) -> None:
    """Those without a flag of their own by their JSON, which is what traces hold."""
    wanted = [from_json(change) for change in changes]
    words = arguments_of(wanted)
    assert words is not None
    parser = argparse.ArgumentParser()
    add_alteration_arguments(parser)
    found = alterations_of(parser.parse_args(words), parser)
    assert sorted(json.dumps(one.to_json()) for one in found) == sorted(
        json.dumps(one.to_json()) for one in wanted
    )


@pytest.mark.parametrize("text", ["{", "[]", '{"type": "nothing"}', '{"type": "block"}', "[" * 100_000])
def test_a_change_that_makes_no_sense_is_wrong_usage(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_alteration_arguments(parser)
    with pytest.raises(SystemExit) as ended:
        alterations_of(parser.parse_args(["--alter", text]), parser)
    assert ended.value.code == 2
    assert "--alter" in capsys.readouterr().err
