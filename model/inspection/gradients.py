"""Gradients of a step's log probability, by every attention weight and by what entered both stacks.

A gradient is that of the weight as it is recorded (rows set, before a head is scaled), everything after it
computed anew: a weight of the encoder also acts through all later weights. Weights are moved alone, so that
their row need not sum to 1 any more. Where attention is not allowed there is no weight to move: 0.

Each layer is computed again from what entered it in the kept reading and differentiated by itself, from the
last to the first: one layer's graph is all that there ever is of it.

Shapes: L layers, H heads, Q queries, K keys, S source tokens, T steps, t steps read, d d_model.
"""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.backwards import check_size, recording
from model.inspection.plain import check_step
from model.inspection.reading import Reader
from model.inspection.readings import StackPass
from model.network.attention import AttentionSite
from model.questions.answers import Gradients
from model.questions.questions import GradientOf
from model.read_only import read_only
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Floats


def gradients_of(question: GradientOf, asked: Asked) -> Iterator[Gradients | None]:
    """Gradients of one step's log probability; yields None after each layer, forwards and backwards.

    Raises:
        HeadscopeError: there is no such step, the answer would be larger than `LARGEST` bytes, or numbers
            overflow.
    """
    if asked.hooked is not None:
        from model.inspection.hooked.gradients import hooked_gradients

        yield from hooked_gradients(question, asked.hooked.reader(asked.reading))
        return
    reading, step = asked.reading, question.step
    whole = asked.readings.reader(reading)
    check_step(whole, step)
    check_size(asked.readings.bundle.outline.shape, len(reading.src_ids), len(reading.out_ids))
    backwards = Backwards(upto_step(asked, step), step, (whole.out_ids[step],), len(reading.out_ids))
    found = yield from backwards.walked(asked)
    yield Gradients(step, found.logprobs[0], backwards.finished())


def upto_step(asked: Asked, step: int) -> Reader:
    """Reads, with gradients, what has a part in a step: none after it, unless all are read at once."""
    reading = asked.reading
    upto = reading if reading.in_ids else replace(reading, out_ids=reading.out_ids[: step + 1])
    return Reader(differentiable(asked.readings.bundle), upto)


def differentiable(bundle: Bundle) -> Bundle:
    """The bundle; with a copy of its weights if they were made in inference mode, which autograd refuses."""
    if not any(parameter.is_inference() for parameter in bundle.transformer.parameters()):
        return bundle
    with torch.inference_mode(False):
        return replace(bundle, transformer=copy.deepcopy(bundle.transformer))


def _leaf(tensor: Tensor) -> Tensor:
    """The same numbers, to differentiate by; those of a kept reading were made in inference mode."""
    return tensor.detach().clone().requires_grad_()


@dataclass(frozen=True, eq=False)
class Walked:
    """Where a walk back ends.

    Attributes:
        logprobs: natural log probabilities of the words.
        source, target: [S, d] and [t, d], gradients by what enters the stacks.
    """

    logprobs: tuple[float, ...]
    source: Tensor
    target: Tensor


class Backwards:
    """Differentiates layer after layer, from the last.

    Args:
        reader: of all that has a part in it, see `upto_step`.
        step: whose words they are.
        words: a word, whose log probability is differentiated; or two, of which it is log p(first) -
            log p(second).
        steps: T of the whole reading, whose weights are noted; None where those do not matter.
    """

    def __init__(self, reader: Reader, step: int, words: tuple[int, ...], steps: int | None = None) -> None:
        self._reader = reader
        self._step = step
        self._words = words
        self._taken: dict[AttentionSite, Tensor] = {}
        self._copying: dict[AttentionSite, Tensor] = {}  # gradients by weights that words are copied by
        self._arrays = {} if steps is None else self._zeros(steps)

    def _zeros(self, steps: int) -> dict[AttentionKind, Floats]:
        a, source = self._reader.architecture, len(self._reader.source_ids)
        shapes = {
            AttentionKind.ENCODER_SELF: (source, source),
            AttentionKind.DECODER_SELF: (steps, steps),
            AttentionKind.CROSS: (steps, source),
        }
        return {
            kind: np.zeros((layers_of(a, kind), a.n_heads, *shape), np.float32)
            for kind, shape in shapes.items()
        }

    def walked(self, asked: Asked) -> Generator[None, None, Walked]:
        """From the words to what enters both stacks; yields None after each layer, forwards and backwards.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        readings, a = asked.readings, self._reader.architecture
        whole = readings.reader(asked.reading)
        source = yield from readings.source(whole)
        target = yield from readings.target(whole)
        logprobs, gradient, memory_gradient, entered = self.start(target)
        for index in reversed(range(a.decoder_layers)):
            gradient, more = self.decoder_layer(index, target, gradient)
            memory_gradient = memory_gradient + more
            yield None
        with recording():
            by_target = gradient.clone()
            by_target[self._step] += entered
        read = self.memory(source.ends, memory_gradient)
        gradient = read.pop()
        for index in reversed(range(a.encoder_layers)):
            # What enters a layer is read by the next one, and by the decoder where the wiring is another.
            gradient = self.encoder_layer(index, source, gradient) + read.pop()
            yield None
        if not bool(gradient.isfinite().all() and by_target.isfinite().all()):
            raise HeadscopeError("model_overflow")
        return Walked(logprobs, gradient, by_target)

    def start(self, target: StackPass) -> tuple[tuple[float, ...], Tensor, Tensor, Tensor]:
        """The words' log probabilities, and gradients without those through the decoder's layers.

        They are by the decoder's last layer's output [t, d], by the encoder's [S, d], and by what entered the
        decoder at the step [d], which a copy mechanism looks at. Where words are copied, that by the last
        cross-attention's weights is kept for the layer.
        """
        reader, steps = self._reader, len(self._reader.out_ids)
        here = slice(self._step, self._step + 1)
        with recording():
            x, memory = _leaf(target.sublayers[-1].after[:steps]), _leaf(target.memory)
            entered = _leaf(target.sublayers[0].before[here])
            weights = self._copied_by(target) if reader.architecture.copying else {}
            hidden = reader.close("target", x[here])
            for site, shown in weights.items():
                used = reader.altering.scaled(site, shown)[:, :, here]
                rows = reader.transformer.rows_of(hidden[None], entered[None], memory[None], used)
                hidden = rows[0]
            logprobs = reader.transformer.project(hidden).float().log_softmax(-1)[0]
            said = logprobs[list(self._words)]
            if not bool(said.isfinite().all()):
                raise HeadscopeError("model_overflow")
            whole = said[0] if len(self._words) == 1 else said[0] - said[1]
            leaves = [x, memory, entered, *weights.values()]
            found = torch.autograd.grad(whole, leaves, allow_unused=True, materialize_grads=True)
        self._copying = dict(zip(weights, found[3:], strict=True))
        return tuple(said.tolist()), found[0], found[1], found[2][0]

    def _copied_by(self, target: StackPass) -> dict[AttentionSite, Tensor]:
        """The last cross-attention's weights as they are recorded, to differentiate by."""
        last = target.sublayers[-3]
        steps = len(self._reader.out_ids)
        self._reader.decoder_layer(last.layer, last.before[:steps].clone(), target.memory.clone(), self._tap)
        site = self._reader.attention(AttentionKind.CROSS, last.layer).site
        found = {site: _leaf(self._taken[site])}
        self._taken.clear()
        return found

    def decoder_layer(self, index: int, target: StackPass, gradient: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients by what enters a layer, [t, d], and by the memory [S, width]."""
        reader = self._reader
        with recording():
            x = _leaf(target.sublayers[3 * index].before[: len(reader.out_ids)])
            memory = _leaf(target.memory)
            after = reader.decoder_layer(index, x, memory, self._tap)[-1].after
            before, by_memory = self._differentiated(after, gradient, [x, memory])
        return before, by_memory

    def memory(self, ends: list[Tensor], gradient: Tensor) -> list[Tensor]:
        """The gradient by what enters the encoder and by what leaves each layer, of that by the memory.

        Args:
            ends: these tensors, [S, d] each.
        """
        with recording():
            xs = [_leaf(end) for end in ends]
            whole = _turned_into_one([self._reader.memory(xs)], [gradient])
            found = torch.autograd.grad(whole, xs, materialize_grads=True)
        return list(found)

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
        sites = list(self._taken) if self._arrays else []
        patterns = [self._taken[site] for site in sites]
        left = {site: self._taken[site] for site in self._copying if site in self._taken}
        self._taken.clear()
        gradients = [gradient, *(self._copying[site] for site in left)]
        whole = _turned_into_one([after, *left.values()], gradients)
        found = torch.autograd.grad(whole, [*inputs, *patterns])
        for site, weights in zip(sites, found[len(inputs) :], strict=True):
            allowed = self._reader.allowed(site.kind)
            noted = weights[0] if allowed is None else weights[0].masked_fill(~allowed, 0.0)
            queries, keys = noted.shape[1:]
            self._arrays[site.kind][site.layer, :, :queries, :keys] = noted.float().numpy(force=True)
        return found[: len(inputs)]


def _turned_into_one(outputs: list[Tensor], gradients: list[Tensor]) -> Tensor:
    """A number whose gradient by each output is the one given; not to be looked at itself.

    Told of gradients by themselves, torch imports sympy to compare shapes: 60 MB and five hundred modules.
    """
    pairs = zip(outputs, gradients, strict=True)
    return torch.stack([(output * gradient).sum().float() for output, gradient in pairs]).sum()
