from __future__ import annotations

import math
from typing import Any

import pytest

from model.config import Architecture, TrainConfig
from model.errors import HeadscopeError

LEAST = {"source_vocab": 10, "target_vocab": 12}


def refused(values: dict[str, Any]) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as error:
        Architecture.from_json({**LEAST, **values})
    return error.value


def test_documented_defaults() -> None:
    """CONTRACTS: absent means the documented default; these are the paper's base model."""
    assert Architecture.from_json(LEAST).to_json() == {
        "source_vocab": 10,
        "target_vocab": 12,
        "d_model": 512,
        "n_heads": 8,
        "encoder_layers": 6,
        "decoder_layers": 6,
        "d_ff": 2048,
        "dropout": 0.1,
        "norm": "post_norm",
        "norm_eps": 1e-5,
        "activation": "relu",
        "attention_bias": True,
        "output_bias": False,
        "positions": "sinusoidal",
        "position_layout": "interleaved",
        "position_base": 10000.0,
        "max_positions": 1024,
        "scale_embedding": True,
        "tie_embeddings": "none",
    }


def test_json_returns() -> None:
    made = Architecture.from_json({**LEAST, "norm": "pre_norm", "d_model": 30, "n_heads": 5, "dropout": 0})
    assert Architecture.from_json(made.to_json()) == made


def test_the_decoders_own_width_is_named_only_where_there_is_one() -> None:
    """Other readers of a bundle refuse a key that they do not know."""
    wider = Architecture.from_json({**LEAST, "decoder_d_ff": 96})
    assert wider.to_json()["decoder_d_ff"] == 96
    assert Architecture.from_json(wider.to_json()) == wider
    for same in (0, 2048):
        assert "decoder_d_ff" not in Architecture.from_json({**LEAST, "decoder_d_ff": same}).to_json()
    for bad in (-1, 2**31):
        assert refused({"decoder_d_ff": bad}).code == "config_value"


def test_unknown_and_missing_are_named() -> None:
    error = refused({"n_head": 8})
    assert (error.code, error.values["field"]) == ("config_unknown", "n_head")
    assert "'n_head'" in str(error)
    with pytest.raises(HeadscopeError) as missing:
        Architecture.from_json({"source_vocab": 3})
    assert (missing.value.code, missing.value.values["field"]) == ("config_missing", "target_vocab")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("d_model", "512"),
        ("d_model", 512.0),
        ("d_model", True),
        ("dropout", "0.1"),
        ("dropout", False),
        ("attention_bias", 1),
        ("norm", "postnorm"),
        ("activation", None),
        ("tie_embeddings", True),
        ("positions", ["sinusoidal"]),
    ],
)
def test_wrong_types_are_named(field: str, value: object) -> None:
    error = refused({field: value})
    assert (error.code, error.values["field"]) == ("config_type", field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("source_vocab", 0),
        ("n_heads", 0),
        ("encoder_layers", -1),
        ("decoder_layers", 1025),
        ("d_ff", 2**31),
        ("d_ff", 0),
        ("max_positions", 0),
        ("dropout", 1.0),
        ("dropout", -0.1),
        ("dropout", math.nan),
        ("norm_eps", 0.0),
        ("norm_eps", math.inf),
        ("position_base", math.nan),
    ],
)
def test_senseless_values_are_named(field: str, value: object) -> None:
    error = refused({field: value})
    assert (error.code, error.values["field"]) == ("config_value", field)


def test_combinations() -> None:
    assert refused({"d_model": 100, "n_heads": 8}).code == "config_heads"
    assert refused({"tie_embeddings": "all"}).code == "config_tie"
    assert refused({"d_model": 15, "n_heads": 3}).values["field"] == "d_model"
    Architecture.from_json({**LEAST, "d_model": 15, "n_heads": 3, "positions": "learned"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("batch_tokens", 0),
        ("warmup", 0),
        ("learning_rate", 0.0),
        ("learning_rate", math.nan),
        ("clip", -1.0),
        ("steps", -1),
        ("minutes", math.nan),
        ("epochs", math.inf),
        ("label_smoothing", 1.0),
        ("seed", -1),
        ("seed", 2**32),
        ("threads", 1025),
        ("precision", "float16"),
        ("save_every", 1.5),
    ],
)
def test_training_values(field: str, value: Any) -> None:
    with pytest.raises(HeadscopeError) as error:
        TrainConfig(**{field: value})
    assert error.value.values["field"] == field


def test_seeds_to_the_last_are_good() -> None:
    assert TrainConfig(seed=2**32 - 1).to_json()["seed"] == 4294967295
