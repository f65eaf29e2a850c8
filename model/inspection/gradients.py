"""Gradients of the log probability of a step's token by every attention weight, by backpropagation.

A gradient is that of the weight as it is recorded (rows set, before a head is scaled), everything after it
computed anew: a weight of the encoder also acts through all later weights. Weights are moved alone, so that
their row need not sum to 1 any more. Where attention is not allowed there is no weight to move: 0.

Each layer is computed again from what entered it in the kept reading and differentiated by itself, from the
last to the first: one layer's graph is all that there ever is of it.

Shapes: L layers, H heads, Q queries, K keys, S source tokens, T steps, d d_model.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.config import Architecture
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.plain import check_step
from model.inspection.reading import Reader
from model.inspection.readings import StackPass
from model.network.attention import AttentionSite
from model.questions.answers import Gradients
from model.questions.questions import GradientOf
from model.read_only import read_only
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Floats

LARGEST = 256 << 20
"""Bytes that an answer may take."""

_FLOAT = 4


def gradients_of(question: GradientOf, asked: Asked) -> Iterator[Gradients | None]:
    """Gradients of one step's log probability; yields None after each layer, forwards and backwards.

    Raises:
        HeadscopeError: there is no such step, the answer would be larger than `LARGEST` bytes, or numbers
            overflow.
    """
    readings, reading, step = asked.readings, asked.reading, question.step
    whole = readings.reader(reading)
    check_step(whole, step)
    _check_size(whole.architecture, len(reading.src_ids), len(reading.out_ids))
    source = yield from readings.source(whole)
    target = yield from readings.target(whole)
    # Steps after this one have no part in it, unless all are read at once.
    upto = reading if reading.in_ids else replace(reading, out_ids=reading.out_ids[: step + 1])
    backwards = _Backwards(Reader(differentiable(readings.bundle), upto), step, len(reading.out_ids))
    logprob, gradient = backwards.start(target.sublayers[-1].after)
    memory_gradient = torch.zeros_like(target.memory)
    for index in reversed(range(whole.architecture.decoder_layers)):
        gradient, more = backwards.decoder_layer(index, target, gradient)
        memory_gradient = memory_gradient + more
        yield None
    gradient = backwards.memory(source.sublayers[-1].after, memory_gradient)
    for index in reversed(range(whole.architecture.encoder_layers)):
        gradient = backwards.encoder_layer(index, source, gradient)
        yield None
    yield Gradients(step, logprob, backwards.finished())


def _check_size(a: Architecture, source: int, steps: int) -> None:
    weights = a.encoder_layers * source * source + a.decoder_layers * steps * (steps + source)
    size = _FLOAT * a.n_heads * weights
    if size > LARGEST:
        values = {"size": size >> 20, "limit": LARGEST >> 20}
        raise HeadscopeError("inspection_large", source=source, steps=steps, **values)


def differentiable(bundle: Bundle) -> Bundle:
    """The bundle; with a copy of its weights if they were made in inference mode, which autograd refuses."""
    if not any(parameter.is_inference() for parameter in bundle.transformer.parameters()):
        return bundle
    with torch.inference_mode(False):
        return replace(bundle, transformer=copy.deepcopy(bundle.transformer))


@contextmanager
def recording() -> Iterator[None]:
    """Gradients on; entered for each layer and left before the caller goes on."""
    with torch.inference_mode(False), torch.enable_grad():
        yield


def _leaf(tensor: Tensor) -> Tensor:
    """The same numbers, to differentiate by; those of a kept reading were made in inference mode."""
    return tensor.detach().clone().requires_grad_()


class _Backwards:
    """Differentiates layer after layer, from the last.

    Args:
        reader: of all that has a part in it.
        step: whose token it is about.
        steps: T, of the whole reading.
    """

    def __init__(self, reader: Reader, step: int, steps: int) -> None:
        self._reader = reader
        self._step = step
        self._taken: dict[AttentionSite, Tensor] = {}
        a, source = reader.architecture, len(reader.source_ids)
        shapes = {
            AttentionKind.ENCODER_SELF: (source, source),
            AttentionKind.DECODER_SELF: (steps, steps),
            AttentionKind.CROSS: (steps, source),
        }
        self._arrays: dict[AttentionKind, Floats] = {
            kind: np.zeros((layers_of(a, kind), a.n_heads, *shape), np.float32)
            for kind, shape in shapes.items()
        }

    def start(self, after: Tensor) -> tuple[float, Tensor]:
        """The step's log probability, and its gradient by the decoder's last layer's output [t, d].

        Args:
            after: that output, of all steps.
        """
        reader = self._reader
        with recording():
            x = _leaf(after[: len(reader.out_ids)])
            logits = reader.transformer.project(reader.close("target", x[self._step : self._step + 1]))
            logprob = logits.float().log_softmax(-1)[0, reader.out_ids[self._step]]
            if not bool(logprob.isfinite()):
                raise HeadscopeError("model_overflow")
            (gradient,) = torch.autograd.grad(logprob, [x])
        return float(logprob.detach()), gradient

    def decoder_layer(self, index: int, target: StackPass, gradient: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients by what enters a layer, [t, d], and by the encoder's output [S, d]."""
        reader = self._reader
        with recording():
            x = _leaf(target.sublayers[3 * index].before[: len(reader.out_ids)])
            memory = _leaf(target.memory)
            after = reader.decoder_layer(index, x, memory, self._tap)[-1].after
            before, by_memory = self._differentiated(after, gradient, [x, memory])
        return before, by_memory

    def memory(self, after: Tensor, gradient: Tensor) -> Tensor:
        """The gradient by the encoder's last layer's output, `after` [S, d], of that by the stack's."""
        with recording():
            x = _leaf(after)
            (result,) = torch.autograd.grad(self._reader.close("source", x), [x], gradient)
        return result

    def encoder_layer(self, index: int, source: StackPass, gradient: Tensor) -> Tensor:
        """The gradient by what enters a layer, [S, d]."""
        with recording():
            x = _leaf(source.sublayers[2 * index].before)
            after = self._reader.encoder_layer(index, x, self._tap)[-1].after
            (before,) = self._differentiated(after, gradient, [x])
        return before

    def finished(self) -> dict[AttentionKind, Floats]:
        """By kind [L, H, Q, K]; zeros for the steps that were not read, and where attention is not allowed.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        if not all(np.isfinite(array).all() for array in self._arrays.values()):
            raise HeadscopeError("model_overflow")
        return {kind: read_only(array) for kind, array in self._arrays.items()}

    def _tap(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """See `model.network.attention.Tap`; takes what is recorded."""
        altering = self._reader.altering
        self._taken[site] = altering.shown(site, pattern)
        return altering.scaled(site, self._taken[site])

    def _differentiated(self, after: Tensor, gradient: Tensor, inputs: list[Tensor]) -> tuple[Tensor, ...]:
        """Gradients by what entered the layer; those by its weights are noted."""
        sites, patterns = list(self._taken), list(self._taken.values())
        self._taken.clear()
        found = torch.autograd.grad(after, [*inputs, *patterns], gradient)
        for site, weights in zip(sites, found[len(inputs) :], strict=True):
            allowed = self._reader.allowed(site.kind)
            noted = weights[0] if allowed is None else weights[0].masked_fill(~allowed, 0.0)
            queries, keys = noted.shape[1:]
            self._arrays[site.kind][site.layer, :, :queries, :keys] = noted.float().numpy(force=True)
        return found[: len(inputs)]
