from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.config import Architecture
from model.errors import HeadscopeError
from model.folder.bundle_config import BundleConfig, Showcase, SpecialIds, read_config
from model.trace.trace import AttentionKind

WRITTEN = {
    "format": "headscope",
    "version": 1,
    "name": "en-fr",
    "languages": ["en", "fr"],
    "architecture": {
        "d_model": 64,
        "n_heads": 4,
        "encoder_layers": 3,
        "decoder_layers": 2,
        "d_ff": 128,
        "dropout": 0.1,
        "norm": "pre_norm",
        "norm_eps": 1e-6,
        "activation": "gelu",
        "attention_bias": False,
        "output_bias": True,
        "positions": "learned",
        "position_layout": "halves",
        "position_base": 5000.0,
        "max_positions": 128,
        "scale_embedding": False,
        "tie_embeddings": "target_output",
        "source_vocab": 100,
        "target_vocab": 90,
    },
    "special": {"pad": 0, "unk": 1, "start": 2, "end": 3},
    "showcase": {"kind": "cross", "layer": 1, "head": 3},
}


def changed(*path: str, value: Any) -> dict[str, Any]:
    values: dict[str, Any] = copy.deepcopy(WRITTEN)
    inner = values
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return values


def code_of(values: dict[str, Any]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        BundleConfig.from_json(values)
    assert str(caught.value)
    return caught.value.code


def test_every_documented_key_is_read_and_written() -> None:
    config = BundleConfig.from_json(WRITTEN)
    assert config.to_json() == WRITTEN
    assert json.loads(config.serialized()) == WRITTEN
    assert config.languages == ("en", "fr")
    assert config.special == SpecialIds(0, 1, 2, 3)
    assert config.showcase == Showcase(AttentionKind.CROSS, 1, 3)


def test_absent_is_the_default_and_unknown_at_the_top_is_ignored() -> None:
    values = changed("architecture", value={"source_vocab": 9, "target_vocab": 8})
    del values["showcase"]
    values["comment"] = {"anything": 1}
    config = BundleConfig.from_json(values)
    assert config.architecture == Architecture(source_vocab=9, target_vocab=8)
    assert config.showcase is None
    assert "showcase" not in config.to_json()
    assert "comment" not in config.to_json()
    assert BundleConfig.from_json(changed("showcase", value=None)).showcase is None


def test_a_name_in_any_script_is_kept_readable() -> None:
    data = BundleConfig.from_json(changed("name", value="英法 é")).serialized()
    assert "英法 é" in data.decode()


def test_an_unknown_architecture_key_is_refused_by_name() -> None:
    values = changed("architecture", "rotary", value=True)
    with pytest.raises(HeadscopeError, match="rotary"):
        BundleConfig.from_json(values)


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("format",), "other", "bundle_format"),
        (("format",), None, "bundle_format"),
        (("version",), 2, "bundle_newer"),
        (("version",), 0, "bundle_format"),
        (("version",), True, "bundle_format"),
        (("version",), "1", "bundle_format"),
        (("name",), "", "config_type"),
        (("name",), 3, "config_type"),
        (("languages",), ["en"], "config_type"),
        (("languages",), ["en", 1], "config_type"),
        (("languages",), "en", "config_type"),
        (("architecture",), [], "config_type"),
        (("architecture",), {}, "config_missing"),
        (("architecture", "d_model"), "64", "config_type"),
        (("architecture", "d_model"), 63, "config_heads"),
        (("architecture", "norm"), ["pre_norm"], "config_type"),
        (("architecture", "norm_eps"), 10**400, "bundle_invalid"),
        (("architecture", "encoder_layers"), 10**6, "config_value"),
        (("special",), None, "config_type"),
        (("special",), {"pad": 0, "unk": 1, "start": 2}, "config_missing"),
        (("special", "mask"), 4, "config_unknown"),
        (("special", "pad"), "0", "config_type"),
        (("special", "pad"), -1, "config_value"),
        (("special", "end"), 90, "config_value"),
        (("showcase",), [], "config_type"),
        (("showcase",), {}, "config_type"),
        (("showcase", "kind"), "self", "config_type"),
        (("showcase", "kind"), ["cross"], "config_type"),
        (("showcase", "layer"), 2, "config_type"),
        (("showcase", "head"), 4, "config_type"),
        (("showcase", "head"), True, "config_type"),
    ],
)
def test_refusals(path: tuple[str, ...], value: Any, code: str) -> None:
    assert code_of(changed(*path, value=value)) == code


@pytest.mark.parametrize("key", ["name", "languages", "architecture", "special"])
def test_what_must_be_there(key: str) -> None:
    assert code_of({name: value for name, value in WRITTEN.items() if name != key}) == "config_missing"


def test_the_showcase_counts_the_layers_of_its_own_family() -> None:
    showcase = {"kind": "encoder_self", "layer": 2, "head": 0}
    config = BundleConfig.from_json(changed("showcase", value=showcase))
    assert config.showcase == Showcase(AttentionKind.ENCODER_SELF, 2, 0)
    assert code_of(changed("showcase", value={**showcase, "kind": "decoder_self"})) == "config_type"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = [(key,) for key in WRITTEN] + [
    (key, inner)
    for key in ("architecture", "special", "showcase")
    for inner in WRITTEN[key]  # type: ignore[attr-defined]
]


@given(path=st.sampled_from(PLACES), value=JSON)
def test_any_json_anywhere_is_read_or_refused(path: tuple[str, ...], value: Any) -> None:
    try:
        config = BundleConfig.from_json(changed(*path, value=value))
    except HeadscopeError:
        return
    assert BundleConfig.from_json(config.to_json()) == config


def test_reading_the_file(tmp_path: Path) -> None:
    def code() -> str:
        with pytest.raises(HeadscopeError) as caught:
            read_config(tmp_path)
        return caught.value.code

    path = tmp_path / "config.json"
    assert code() == "bundle_missing"
    for data, expected in (
        (b"", "bundle_invalid"),
        (b"[1]", "bundle_invalid"),
        (b'{"format": "headscope", "version": NaN}', "bundle_invalid"),
        (b"[" * 200_000, "bundle_invalid"),
        ("ü".encode("latin-1"), "bundle_invalid"),
        (b" " * (1 << 20) + b"{}", "file_large"),
    ):
        path.write_bytes(data)
        assert code() == expected, data[:20]
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(WRITTEN).encode())
    assert read_config(str(tmp_path)) == BundleConfig.from_json(WRITTEN)
    for odd in (path, tmp_path / "none", "a\0b", "x" * 5000):
        with pytest.raises(HeadscopeError) as caught:
            read_config(odd)
        assert caught.value.code in ("bundle_missing", "file_failed")
