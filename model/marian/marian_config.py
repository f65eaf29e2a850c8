"""Marian's configuration: the small files of its folder as a configuration of our own. No torch.

`transformers`' reading is followed: a key that is absent has the default of its `MarianConfig`;
`generation_config.json` says how tokens are produced, in old folders without it `config.json` itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import Activation, Architecture
from model.decoding.hub_rules import rules_of
from model.errors import HeadscopeError
from model.files.files import shown
from model.files.safe_folder import has_file, json_object
from model.folder.bundle_config import CONFIG, BundleConfig, SpecialIds
from model.folder.decoding_rules import DecodingRules
from model.folder.model_folder import ModelFolder

_GENERATION = "generation_config.json"
_LARGEST_TABLE = 1 << 26  # numbers in the table of positions, which no file's size vouches for

_ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "gelu": "gelu", "silu": "silu", "swish": "silu"}
_ALIASES = {"d_model": "hidden_size", "encoder_attention_heads": "num_attention_heads"}
_SIZES = {
    "vocab_size": 58101,
    "d_model": 1024,
    "encoder_layers": 12,
    "decoder_layers": 12,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "max_position_embeddings": 1024,
}
_SWITCHES = {
    "scale_embedding": False,
    "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True,
    "is_encoder_decoder": True,
}
_PAD, _END = 58100, 0


@dataclass(frozen=True)
class MarianSettings:
    """What is known before the weights and the tokenizers are read.

    Attributes:
        architecture: with `tie_embeddings` as config.json has it; what the weights hold decides.
        shared: one table of embeddings for source and target.
        tied: the output multiplies by the target's embeddings.
        start_id: what a target begins with.
        generation: how tokens are produced.
    """

    name: str
    languages: tuple[str, str]
    architecture: Architecture
    shared: bool
    tied: bool
    pad_id: int
    start_id: int
    generation: Mapping[str, Any]

    def rules(self, end_id: int) -> DecodingRules:
        """What narrows the choice of tokens, of which `end_id` ends a sentence."""
        return rules_of(self.generation, end_id, self.architecture.target_vocab)

    def bundle_config(self, architecture: Architecture, *, unk_id: int, end_id: int) -> BundleConfig:
        """The whole configuration, once the weights and tokenizers are known."""
        special = SpecialIds(self.pad_id, unk_id, self.start_id, end_id)
        return BundleConfig(self.name, self.languages, architecture, special)


def read_marian(found: ModelFolder) -> MarianSettings:
    """What `config.json` and its neighbours say.

    Raises:
        HeadscopeError: `marian_unlike`: our Transformer cannot be such a model; or a file is damaged, or
            makes no sense.
    """
    values = found.values
    read = _Reader(found.path, values)
    sizes = {name: read.size(name, default) for name, default in _SIZES.items()}
    switches = {name: read.switch(name, default) for name, default in _SWITCHES.items()}
    if not switches["is_encoder_decoder"]:
        raise read.unlike("it has no encoder")
    encoder, decoder = sizes["encoder_attention_heads"], sizes["decoder_attention_heads"]
    if encoder != decoder:
        raise read.unlike(f"encoder_attention_heads is {encoder} and decoder_attention_heads {decoder}")
    shared = switches["share_encoder_decoder_embeddings"]
    target_vocab = sizes["vocab_size"] if shared else read.size("decoder_vocab_size", sizes["vocab_size"])
    architecture = _architecture(read, sizes, target_vocab, scale=switches["scale_embedding"])
    generation = _generation(found.path, values)
    pad_id = read.token("pad_token_id", _PAD, sizes["vocab_size"])
    start = generation.get("decoder_start_token_id")
    start_id = read.token("decoder_start_token_id", _PAD, target_vocab, start)
    return MarianSettings(
        found.name,
        found.languages,
        architecture,
        shared,
        switches["tie_word_embeddings"],
        pad_id,
        start_id,
        generation,
    )


def _architecture(read: _Reader, sizes: Mapping[str, int], target_vocab: int, *, scale: bool) -> Architecture:
    activation = read.values.get("activation_function", "gelu")
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        raise read.unlike(f"its activation is {str(activation)[:40]}")
    width, positions = sizes["d_model"], sizes["max_position_embeddings"]
    if width % 2:
        raise read.unlike(f"d_model is {width}, an odd number")
    if width * positions > _LARGEST_TABLE:
        most = max(1, _LARGEST_TABLE // width)
        raise read.senseless("max_position_embeddings", positions, f"at most {most}")
    return Architecture(
        source_vocab=sizes["vocab_size"],
        target_vocab=target_vocab,
        d_model=width,
        n_heads=sizes["encoder_attention_heads"],
        encoder_layers=sizes["encoder_layers"],
        decoder_layers=sizes["decoder_layers"],
        d_ff=sizes["encoder_ffn_dim"],
        dropout=0.0,
        activation=_ACTIVATIONS[activation],
        output_bias=True,
        position_layout="halves",
        max_positions=positions,
        scale_embedding=scale,
        decoder_d_ff=0 if sizes["decoder_ffn_dim"] == sizes["encoder_ffn_dim"] else sizes["decoder_ffn_dim"],
    )


@dataclass(frozen=True)
class _Reader:
    """Takes values out of `config.json`, or their defaults."""

    folder: Path
    values: Mapping[str, Any]

    def size(self, name: str, default: int) -> int:
        value = self.values.get(name)
        if value is None:
            value = self.values.get(_ALIASES.get(name, ""))
        if value is None:
            return default
        if type(value) is not int or value < 1:
            raise self.senseless(name, value, "a number from 1 up")
        return value

    def switch(self, name: str, default: bool) -> bool:
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.senseless(name, value, "true or false")
        return value

    def token(self, name: str, default: int, vocab: int, said: Any = None) -> int:
        value = self.values.get(name, default) if said is None else said
        if type(value) is not int or not 0 <= value < vocab:
            raise self.senseless(name, value, f"an id from 0 to {vocab - 1}")
        return value

    def unlike(self, reason: str) -> HeadscopeError:
        return HeadscopeError("marian_unlike", path=shown(self.folder), reason=reason)

    def senseless(self, name: str, value: Any, wanted: str) -> HeadscopeError:
        reason = f"{name} is {str(value)[:40]} where {wanted} is needed"
        return HeadscopeError("bundle_invalid", path=shown(self.folder / CONFIG), reason=reason)


def _generation(folder: Path, values: Mapping[str, Any]) -> Mapping[str, Any]:
    if has_file(folder, _GENERATION):
        return json_object(folder, _GENERATION)
    return {"forced_eos_token_id": _END, "eos_token_id": _END, **values}
