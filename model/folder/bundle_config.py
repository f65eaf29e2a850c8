"""`BundleConfig`: a bundle's `config.json`, so that a model is described without loading it. No torch."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from model import limits
from model.config import FIRST_WORD, Architecture, check_fields, from_json
from model.errors import HeadscopeError
from model.files.files import StrPath, read_bytes, shown
from model.files.tensor_file import parse_json, well_formed
from model.trace.trace import AttentionKind

FORMAT, VERSION = "headscope", 1

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
SOURCE_SPM = "source.spm"
TARGET_SPM = "target.spm"

_NORM_PARTS = {"layer": ("weight", "bias"), "batch": ("weight", "bias", "running_mean", "running_var")}
"""Tensors of a norm, by `Architecture.normalisation`."""

_LARGEST_TABLE = 1 << 26  # numbers in the table of sinusoidal positions, which no file's size vouches for


@dataclass(frozen=True)
class SpecialIds:
    """Ids of the special tokens, the same in the source's and the target's vocabulary."""

    pad: int
    unk: int
    start: int
    end: int

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` for anything but integers from 0 up."""
        check_fields(self, "special")
        for name, value in asdict(self).items():
            if value < 0:
                raise HeadscopeError("config_value", field=name, value=value, wanted="0 or more")


@dataclass(frozen=True)
class Showcase:
    """The head that is shown first; layer and head count from 0."""

    kind: AttentionKind
    layer: int
    head: int

    @classmethod
    def from_json(cls, values: Mapping[str, Any], architecture: Architecture) -> Self:
        """Build from a JSON object; `HeadscopeError` if the architecture has no such head."""
        kind, layer, head = values.get("kind"), values.get("layer"), values.get("head")
        if kind not in list(AttentionKind):
            wanted = " or ".join(AttentionKind)
            raise HeadscopeError(
                "config_type", field="kind", where="showcase", value=json.dumps(kind), wanted=wanted
            )
        encoder = kind == AttentionKind.ENCODER_SELF
        layers = architecture.encoder_layers if encoder else architecture.decoder_layers
        for name, value, count in (("layer", layer, layers), ("head", head, architecture.n_heads)):
            if type(value) is not int or not 0 <= value < count:
                wanted = f"a number from 0 to {count - 1}"
                value = json.dumps(value)
                raise HeadscopeError("config_type", field=name, where="showcase", value=value, wanted=wanted)
        assert isinstance(layer, int)
        assert isinstance(head, int)
        return cls(AttentionKind(str(kind)), layer, head)


@dataclass(frozen=True)
class BundleConfig:
    """A bundle's name, languages (source, target), architecture and special tokens."""

    name: str
    languages: tuple[str, str]
    architecture: Architecture
    special: SpecialIds
    showcase: Showcase | None = None

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` where a model that copies could not tell words from special tokens."""
        if self.architecture.copying:
            for name, value in asdict(self.special).items():
                if value >= FIRST_WORD:
                    wanted = f"below {FIRST_WORD} where words are copied"
                    raise HeadscopeError("config_value", field=name, value=value, wanted=wanted)

    @classmethod
    def from_json(cls, values: Mapping[str, Any], name: str = CONFIG) -> Self:
        """Build from `config.json`'s object; unknown keys at its top are ignored.

        Args:
            name: what an error calls the file.

        Raises:
            HeadscopeError: of another format, of a newer version, incomplete, or senseless.
        """
        version = values.get("version")
        if values.get("format") != FORMAT or type(version) is not int or version < 1:
            raise HeadscopeError("bundle_format", path=name)
        if version > VERSION:
            raise HeadscopeError("bundle_newer", path=name, version=version)
        for key in ("name", "languages", "architecture", "special"):
            if key not in values:
                raise HeadscopeError("config_missing", where=name, field=key)
        title, languages, showcase = values["name"], values["languages"], values.get("showcase")
        if not isinstance(title, str) or not title.strip():
            _wrong("name", title, "a name")
        if not _is_pair(languages):
            _wrong("languages", languages, "a list of two language codes")
        for key in ("architecture", "special", "showcase"):
            if not isinstance(values.get(key, {}), dict) and not (key == "showcase" and showcase is None):
                _wrong(key, values[key], "an object")
        try:
            architecture = Architecture.from_json(values["architecture"])
        except OverflowError:  # an integer beyond every float
            raise HeadscopeError("bundle_invalid", path=name, reason="a number is too large") from None
        _check_size(architecture)
        special = from_json(SpecialIds, values["special"], "special")
        for key, value in asdict(special).items():
            if value >= min(architecture.source_vocab, architecture.target_vocab):
                raise HeadscopeError(
                    "config_value", field=key, value=value, wanted="inside both vocabularies"
                )
        head = None if showcase is None else Showcase.from_json(showcase, architecture)
        pair = (well_formed(languages[0]), well_formed(languages[1]))
        return cls(well_formed(title), pair, architecture, special, head)

    def to_json(self) -> dict[str, Any]:
        """The object of `config.json`."""
        values = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "languages": list(self.languages),
            "architecture": self.architecture.to_json(),
            "special": asdict(self.special),
        }
        return values if self.showcase is None else {**values, "showcase": asdict(self.showcase)}

    def serialized(self) -> bytes:
        """The bytes of `config.json`."""
        return (json.dumps(self.to_json(), ensure_ascii=False, indent=2) + "\n").encode()


def read_config(folder: StrPath) -> BundleConfig:
    """What the bundle in `folder` is.

    Raises:
        HeadscopeError: there is no bundle, or its config.json cannot be read or makes no sense.
    """
    return BundleConfig.from_json(read_values(folder), shown(Path(folder) / CONFIG))


def read_values(folder: StrPath) -> dict[str, Any]:
    """The object in a folder's `config.json`, whoever wrote it; raises as `read_config` for a bad file."""
    path = Path(folder) / CONFIG
    try:
        data = read_bytes(path, limit=limits.SETTINGS)
    except HeadscopeError as error:
        if error.code == "file_missing":
            raise HeadscopeError("bundle_missing", path=shown(folder)) from None
        raise
    values = parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    if not isinstance(values, dict):
        raise HeadscopeError("bundle_invalid", path=shown(path), reason="it is not a JSON object")
    return values


def weight_shapes(architecture: Architecture) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor in `model.safetensors`; of tied ones the first name only.

    The names are those of `torch.nn.Transformer.state_dict()`; `length` is of `model.network.lengths`.
    """
    a = architecture
    shapes: dict[str, tuple[int, ...]] = {"source_embedding.weight": (a.source_vocab, a.d_model)}
    if a.tie_embeddings != "all":
        shapes["target_embedding.weight"] = (a.target_vocab, a.d_model)
    if a.tie_embeddings == "none":
        shapes["output.weight"] = (a.target_vocab, a.d_model)
    if a.output_bias:
        shapes["output.bias"] = (a.target_vocab,)
    if a.positions == "learned":
        shapes["positions.weight"] = (a.max_positions, a.d_model)
    for stack, layers, attentions in (
        ("encoder", a.encoder_layers, ("self_attn",)),
        ("decoder", a.decoder_layers, ("self_attn", "multihead_attn")),
    ):
        for layer in range(layers):
            for name, shape in _layer_shapes(a, attentions, a.d_ff_of(stack)):
                shapes[f"{stack}.layers.{layer}.{name}"] = shape
        if a.norm == "pre_norm":
            shapes |= {f"{stack}.norm.{part}": (a.d_model,) for part in _NORM_PARTS[a.normalisation]}
    if a.wiring == "mix":
        shapes["memory_mix.weight"] = (a.decoder_layers, a.encoder_layers + 1)
    if a.copying:
        shapes["copy_gate.weight"], shapes["copy_gate.bias"] = (1, 3 * a.d_model), (1,)
    if a.in_rounds:
        shapes["length.weight"] = (a.max_positions, a.d_model)
        shapes["length.bias"] = (a.max_positions,)
    return shapes


def norm_and_wiring(architecture: Mapping[str, Any]) -> str:
    """What of them is not the paper's, to be said behind where the norm stands; empty for nothing.

    Args:
        architecture: as `Architecture.to_json` says it.
    """
    norm = " (BatchNorm)" if architecture.get("normalisation") == "batch" else ""
    wiring = {
        "same_depth": ", each decoder layer reading the encoder layer of its depth",
        "mix": ", each decoder layer reading a learned mix of all encoder layers",
    }
    return norm + wiring.get(str(architecture.get("wiring")), "")


def is_trained(name: str) -> bool:
    """Whether a tensor of a bundle is a weight, not a statistic that a norm keeps."""
    return not name.endswith((".running_mean", ".running_var"))


def check_shapes(architecture: Architecture, found: Mapping[str, tuple[int, ...]], path: str) -> None:
    """Raise `HeadscopeError` naming the first tensor that is missing, unknown or of another shape."""
    wanted = weight_shapes(architecture)
    for name, shape in wanted.items():
        if name not in found:
            raise HeadscopeError("weights_missing", name=name, path=path)
        if found[name] != shape:
            raise HeadscopeError(
                "weights_shape", name=name, path=path, found=str(list(found[name])), wanted=str(list(shape))
            )
    for name in found:
        if name not in wanted:
            raise HeadscopeError("weights_unexpected", name=name, path=path)


def count_parameters(architecture: Architecture) -> int:
    """Number of trained numbers; tied ones count once."""
    shapes = weight_shapes(architecture)
    return sum(math.prod(shape) for name, shape in shapes.items() if is_trained(name))


def cache_numbers(architecture: Architecture) -> int:
    """Numbers that decoding keeps of a token that it wrote, and as many of one that it reads.

    A key and a value of each head of these in every decoder layer: of a written token for the decoder's
    self-attention, of a read one for the cross-attention.
    """
    a = architecture
    return a.decoder_layers * 2 * a.key_heads * (a.d_model // a.n_heads)


def _layer_shapes(
    a: Architecture, attentions: tuple[str, ...], inner: int
) -> Iterator[tuple[str, tuple[int, ...]]]:
    d = a.d_model
    rows = d + 2 * a.key_heads * (d // a.n_heads)
    for attention in attentions:
        yield f"{attention}.in_proj_weight", (rows, d)
        yield f"{attention}.out_proj.weight", (d, d)
        if a.attention_bias:
            yield f"{attention}.in_proj_bias", (rows,)
            yield f"{attention}.out_proj.bias", (d,)
        if a.positions == "relative" and attention == "self_attn":
            for name in ("keys", "values"):
                yield f"{attention}.relative.{name}", (2 * a.relative_span + 1, d // a.n_heads)
    yield "linear1.weight", (inner, d)
    yield "linear1.bias", (inner,)
    yield "linear2.weight", (d, inner)
    yield "linear2.bias", (d,)
    for norm in range(1, len(attentions) + 2):
        for part in _NORM_PARTS[a.normalisation]:
            yield f"norm{norm}.{part}", (d,)


def _check_size(a: Architecture) -> None:
    if a.positions == "sinusoidal" and a.max_positions * a.d_model > _LARGEST_TABLE:
        wanted = f"at most {max(1, _LARGEST_TABLE // a.d_model)}"
        raise HeadscopeError("config_value", field="max_positions", value=a.max_positions, wanted=wanted)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(item, str) for item in value)


def _wrong(field: str, value: Any, wanted: str) -> None:
    raise HeadscopeError(
        "config_type", field=field, where=CONFIG, value=json.dumps(value)[:80], wanted=wanted
    )
