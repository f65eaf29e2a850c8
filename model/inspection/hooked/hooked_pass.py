"""`HookedPass`: all that hooks saw while a model of `transformers` read something once.

Shapes: n tokens of a stack, d width of its residual stream, T target tokens.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.foreign.inside.anatomy import Part
from model.foreign.inside.inside import Inside
from model.foreign.inside.tapping import Sight
from model.inspection.hooked.hooked_norm import HookedNorm
from model.inspection.reading import Sublayer
from model.network.attention import AttentionSite
from model.questions.questions import Reading
from model.trace.trace import AttentionKind, Side

_NOTHING = torch.empty(0)


class ToRead(Protocol):
    """What is read; see `model.inspection.hooked.readings.HookedReader`."""

    inside: Inside
    altering: Altering
    reading: Reading
    source_ids: Tensor
    target_ids: Tensor
    out_ids: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HookedPass:
    """What a model computed for a reading.

    Attributes:
        sights: what every attention computed with, without its pattern, which follows from it.
        sublayers: by the stack, in the order of computation.
        entered: by the stack [n, d], what enters its first layer; summed: the same before the norm that some
            models have there.
        logprobs: float64 [T], natural log probability of each token that was written.
    """

    sights: dict[AttentionSite, Sight]
    sublayers: dict[Side, list[Sublayer]]
    entered: dict[Side, Tensor]
    summed: dict[Side, Tensor]
    logprobs: Tensor

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        seen = [
            tensor for sight in self.sights.values() for tensor in (sight.queries, sight.keys, sight.values)
        ]
        seen += [x for all_of in self.sublayers.values() for one in all_of for x in (one.before, one.output)]
        biases = {id(sight.bias): sight.bias for sight in self.sights.values() if sight.bias is not None}
        return sum(tensor.nbytes for tensor in (*seen, *biases.values()))


@torch.inference_mode()
def passed(reader: ToRead) -> HookedPass:
    """Let the model read once.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    inside, altering = reader.inside, reader.altering
    sights: dict[AttentionSite, Sight] = {}

    def watch(sight: Sight) -> Tensor | None:
        sights[sight.site] = replace(sight, pattern=_NOTHING)
        return altering.tap(sight.site, sight.pattern) if altering else None

    seen = _Seen(inside)
    with seen.hooked(), inside.watched(watch):
        output = inside.run(reader.source_ids, reader.target_ids, altering.source_mask, **segments_of(reader))
    if not bool(output[0].isfinite().all()):
        raise HeadscopeError("model_overflow")
    logprobs = torch.empty(0, dtype=torch.float64)
    if reader.out_ids:
        chosen = torch.tensor(reader.out_ids, device=output.logits.device)[:, None]
        logprobs = output.logits[0].float().log_softmax(-1).gather(-1, chosen)[:, 0].double()
    return HookedPass(sights, seen.sublayers(), seen.entered(), seen.summed, logprobs)


def segments_of(reader: ToRead) -> dict[str, Tensor]:
    """What a model that reads pairs is told of which sentence each token is of."""
    network, segments = reader.inside.network, reader.reading.segments
    most = int(getattr(network.config, "type_vocab_size", 0) or 1)
    takes = "token_type_ids" in inspect.signature(network.forward).parameters
    if not segments or max(segments) >= most or not takes:
        return {}
    return {"token_type_ids": torch.tensor([segments], device=network.device)}


class _Seen:
    """Hooks on every sub-layer of every layer, and what they saw."""

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._entered: dict[tuple[AttentionKind, int], Tensor] = {}
        self._written: dict[tuple[AttentionKind, int, str], Tensor] = {}
        self._normed: dict[tuple[AttentionKind, int, str], Tensor] = {}
        self.summed: dict[Side, Tensor] = {}

    def _stacks(self) -> Iterator[tuple[Side, AttentionKind]]:
        if self._inside.anatomy.encoder is not None:
            yield "source", AttentionKind.ENCODER_SELF
        if self._inside.anatomy.decoder is not None:
            yield "target", AttentionKind.DECODER_SELF

    def hooked(self) -> ExitStack:
        """Inside, every sub-layer is seen; afterwards no hook is left."""
        stack = ExitStack()
        for side, kind in self._stacks():
            before = self._inside.at(self._inside.stack(kind).before)
            if before is not None:
                stack.callback(before.register_forward_pre_hook(self._keep_sum(side)).remove)
            for index, layer in enumerate(self._inside.layers(kind)):
                hook = layer.register_forward_pre_hook(self._keep_entering(kind, index), with_kwargs=True)
                stack.callback(hook.remove)
                for part in self._inside.stack(kind).parts:
                    key = (kind, index, part.name)
                    writes = layer.get_submodule(part.writes)
                    stack.callback(writes.register_forward_hook(self._keep_written(key)).remove)
                    norm = layer.get_submodule(part.norm)
                    stack.callback(norm.register_forward_pre_hook(self._keep_normed(key)).remove)
        return stack

    def entered(self) -> dict[Side, Tensor]:
        """What entered each stack's first layer, [n, d]."""
        return {side: self._entered[kind, 0] for side, kind in self._stacks()}

    def sublayers(self) -> dict[Side, list[Sublayer]]:
        """All of each stack, [n, d], in the order of computation."""
        found: dict[Side, list[Sublayer]] = {}
        for side, kind in self._stacks():
            found[side] = []
            for index, _ in enumerate(self._inside.layers(kind)):
                x = self._entered[kind, index]
                for part in self._inside.stack(kind).parts:
                    found[side].append(self._sublayer(kind, index, part, x))
                    x = found[side][-1].after
        return found

    def _sublayer(self, kind: AttentionKind, index: int, part: Part, before: Tensor) -> Sublayer:
        key = (kind, index, part.name)
        pre_norm = self._inside.stack(kind).norm == "pre_norm"
        module = self._inside.module(AttentionSite(kind, index), part.norm)
        norm = HookedNorm(module, self._inside.anatomy.norms)
        before = self._normed[key] if pre_norm else before
        return Sublayer(part.name, index, norm, pre_norm, before, self._written[key])

    def _keep_entering(self, kind: AttentionKind, index: int) -> Any:
        def keep(_: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            self._entered[kind, index] = (given[0] if given else named["hidden_states"])[0]

        return keep

    def _keep_sum(self, side: Side) -> Any:
        def keep(_: nn.Module, given: tuple[Any, ...]) -> None:
            self.summed[side] = given[0][0]

        return keep

    def _keep_written(self, key: tuple[AttentionKind, int, str]) -> Any:
        def keep(_: nn.Module, __: Any, output: Any) -> None:
            self._written[key] = (output[0] if isinstance(output, tuple) else output)[0]

        return keep

    def _keep_normed(self, key: tuple[AttentionKind, int, str]) -> Any:
        def keep(_: nn.Module, given: tuple[Any, ...]) -> None:
            self._normed[key] = given[0][0]

        return keep
