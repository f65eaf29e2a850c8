"""Marian's weights, as `transformers` names them, and their places in our own Transformer.

`model.encoder.layers.0.self_attn.q_proj.weight` becomes the first third of the rows of
`encoder.layers.0.self_attn.in_proj_weight`, and so on. Old files leave out the `model.` in front.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from model.bundle.stored_tensors import StoredTensor, blocks, check_types, same_steps
from model.config import Architecture, Tie
from model.errors import HeadscopeError
from model.folder.bundle_config import weight_shapes
from model.marian.marian_config import MarianSettings
from model.network.transformer import Transformer
from model.positions.positions import sinusoidal_table

STORED_TYPES = ("F32", "F16", "BF16")

_SHARED, _ENCODER, _DECODER, _OUTPUT = (
    "shared.weight",
    "encoder.embed_tokens.weight",
    "decoder.embed_tokens.weight",
    "lm_head.weight",
)
_BIAS = "final_logits_bias"
_POSITIONS = ("encoder.embed_positions.weight", "decoder.embed_positions.weight")
# Their parts of a layer, ours, and which third of the rows of ours.
_FEED_FORWARD = (("fc1", "linear1"), ("fc2", "linear2"))
_ENCODER_NORMS = (("self_attn_layer_norm", "norm1"), ("final_layer_norm", "norm2"))
_DECODER_NORMS = (
    ("self_attn_layer_norm", "norm1"),
    ("encoder_attn_layer_norm", "norm2"),
    ("final_layer_norm", "norm3"),
)
# What rounding to a type changes of a number up to 1.
_ROUNDING = {"F32": 1e-6, "F16": 6e-4, "BF16": 5e-3}


@dataclass(frozen=True)
class TensorRows:
    """Where a stored tensor belongs: rows of one of ours, from `first` on."""

    name: str
    first: int = 0


@dataclass(frozen=True, eq=False)
class MarianWeights:
    """Every stored tensor with its place, checked but not yet read.

    Attributes:
        architecture: with what the weights tell of ties and positions.
        places: pairs of a stored tensor and where it goes; of tied ones the first only.
        table: stored positions that are sinusoidal but for rounding, to be used as they are.
    """

    architecture: Architecture
    places: tuple[tuple[StoredTensor, TensorRows], ...]
    table: StoredTensor | None

    def targets(self, transformer: Transformer) -> Iterator[tuple[StoredTensor, Tensor]]:
        """The same with the memory of `transformer` that each is to be copied into."""
        own = dict(transformer.named_parameters())
        for stored, place in self.places:
            ours = own[place.name]
            rows = ours[None] if stored.shape[0] == 1 and ours.dim() == 1 else ours
            yield stored, rows[place.first : place.first + stored.shape[0]]
        if self.table is not None:
            assert transformer.positions.table is not None
            yield self.table, transformer.positions.table


def find_weights(
    stored: Mapping[str, StoredTensor], settings: MarianSettings, path: str
) -> Generator[None, None, MarianWeights]:
    """Find every tensor that the architecture needs among those of a file; may be left at every yield.

    Args:
        path: what an error calls the file.

    Raises:
        HeadscopeError: `weights_missing`, `weights_unexpected`, `weights_shape`, `weights_dtype`, or
            `marian_unlike` for positions that our Transformer cannot hold.
    """
    found = _plain_names(stored, path)
    check_types(found.values(), STORED_TYPES)
    architecture = settings.architecture
    wanted = dict(_layer_places(architecture))
    _check(found, wanted, settings, path)
    tables = yield from _tables(found, settings, path)
    table, learned = yield from _positions(found, settings, path)
    architecture = dataclasses.replace(
        architecture,
        tie_embeddings=_tie(tables),
        output_bias=_BIAS in found,
        positions="learned" if learned else "sinusoidal",
    )
    places = [(found[name], place) for name, (place, _) in wanted.items()]
    names = ("source_embedding.weight", "target_embedding.weight", "output.weight")
    ours = weight_shapes(architecture)
    places += [(tensor, TensorRows(name)) for name, tensor in zip(names, tables) if name in ours]
    if _BIAS in found:
        places.append((found[_BIAS], TensorRows("output.bias")))
    if learned and table is not None:
        places.append((table, TensorRows("positions.weight")))
    return MarianWeights(architecture, tuple(places), None if learned else table)


def _plain_names(stored: Mapping[str, StoredTensor], path: str) -> dict[str, StoredTensor]:
    found: dict[str, StoredTensor] = {}
    for name, tensor in stored.items():
        plain = name.removeprefix("model.")
        if plain in found:
            raise HeadscopeError("weights_unexpected", name=name, path=path)
        found[plain] = tensor
    return found


def _layer_places(a: Architecture) -> Iterator[tuple[str, tuple[TensorRows, tuple[int, ...]]]]:
    """Their name, our place and the shape of every tensor of every layer."""
    shapes = weight_shapes(a)
    for stack, layers, attentions, norms in (
        ("encoder", a.encoder_layers, (("self_attn", "self_attn"),), _ENCODER_NORMS),
        (
            "decoder",
            a.decoder_layers,
            (("self_attn", "self_attn"), ("encoder_attn", "multihead_attn")),
            _DECODER_NORMS,
        ),
    ):
        for layer in range(layers):
            prefix = f"{stack}.layers.{layer}"
            for kind in ("weight", "bias"):
                for theirs, ours in attentions:
                    for third, letter in enumerate("qkv"):
                        place = TensorRows(f"{prefix}.{ours}.in_proj_{kind}", third * a.d_model)
                        shape = (a.d_model, *shapes[place.name][1:])
                        yield f"{prefix}.{theirs}.{letter}_proj.{kind}", (place, shape)
                    name = f"{prefix}.{ours}.out_proj.{kind}"
                    yield f"{prefix}.{theirs}.out_proj.{kind}", (TensorRows(name), shapes[name])
                for theirs, ours in (*_FEED_FORWARD, *norms):
                    name = f"{prefix}.{ours}.{kind}"
                    yield f"{prefix}.{theirs}.{kind}", (TensorRows(name), shapes[name])


def _check(
    found: Mapping[str, StoredTensor],
    layers: Mapping[str, tuple[TensorRows, tuple[int, ...]]],
    settings: MarianSettings,
    path: str,
) -> None:
    """Refuse tensors that are missing, unknown or misshapen, before anything is allocated."""
    a = settings.architecture
    source, target = (a.source_vocab, a.d_model), (a.target_vocab, a.d_model)
    wanted = {name: shape for name, (_, shape) in layers.items()}
    optional = {_ENCODER: source, _DECODER: target, _OUTPUT: target, _BIAS: (1, a.target_vocab)}
    optional |= dict.fromkeys(_POSITIONS, (a.max_positions, a.d_model))
    if settings.shared:
        optional[_SHARED] = source
    for name in wanted:
        if name not in found:
            raise HeadscopeError("weights_missing", name=name, path=path)
    for name, tensor in found.items():
        shape = wanted.get(name) or optional.get(name)
        if shape is None:
            raise HeadscopeError("weights_unexpected", name=tensor.name, path=path)
        if tensor.shape != shape:
            sizes = {"found": str(list(tensor.shape)), "wanted": str(list(shape))}
            raise HeadscopeError("weights_shape", name=tensor.name, path=path, **sizes)


def _tables(
    found: Mapping[str, StoredTensor], settings: MarianSettings, path: str
) -> Generator[None, None, tuple[StoredTensor, StoredTensor, StoredTensor]]:
    """The embeddings of source and target, and the output's matrix; the same object where they are equal.

    As `transformers` ties them: one that is stored counts, one that is not is another's.
    """
    tables: list[StoredTensor] = []
    for name in (_ENCODER, _DECODER, _OUTPUT):
        table = next((found[one] for one in (name, *_stand_ins(name, settings)) if one in found), None)
        if table is None:
            raise HeadscopeError("weights_missing", name=name, path=path)
        for other in tables:
            if other is table or other.shape != table.shape:
                continue
            if (yield from same_steps(other, table)):
                table = other
                break
        tables.append(table)
    return tables[0], tables[1], tables[2]


def _stand_ins(name: str, settings: MarianSettings) -> tuple[str, ...]:
    """Which tables may stand for one that is not stored."""
    if settings.shared and settings.tied:
        return _SHARED, _OUTPUT, _DECODER, _ENCODER
    if settings.shared:
        return () if name == _OUTPUT else (_SHARED,)
    return (_OUTPUT, _DECODER) if settings.tied and name != _ENCODER else ()


def _tie(tables: tuple[StoredTensor, StoredTensor, StoredTensor]) -> Tie:
    source, target, output = tables
    if target is not output:
        return "none"
    return "all" if source is target else "target_output"


def _positions(
    found: Mapping[str, StoredTensor], settings: MarianSettings, path: str
) -> Generator[None, None, tuple[StoredTensor | None, bool]]:
    """Stored positions, if there are any that differ from computed ones, and whether they are learned."""
    stored = [found[name] for name in _POSITIONS if name in found]
    if not stored:
        return None, False
    if len(stored) == 2 and not (yield from same_steps(*stored)):
        reason = "its encoder and its decoder have different positions"
        raise HeadscopeError("marian_unlike", path=path, reason=reason)
    a, table = settings.architecture, stored[0]
    computed = torch.from_numpy(sinusoidal_table(a.max_positions, a.d_model, layout="halves"))
    largest = 0.0
    for first, last in blocks(table):
        difference = (table.rows(first, last).float() - computed[first:last]).abs().max()
        # NaN is no number that is smaller than another.
        largest = max(largest, float(difference.nan_to_num(torch.inf)))
        yield
    if len(stored) == 1 and largest > _ROUNDING["F32"]:
        raise HeadscopeError(
            "marian_unlike", path=path, reason="only its encoder or its decoder has positions of its own"
        )
    if largest <= _ROUNDING["F32"]:
        return None, False
    return table, largest > _ROUNDING[table.dtype]
