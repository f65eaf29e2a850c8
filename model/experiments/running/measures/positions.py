"""measure: accuracy by length and at shifted positions, attention by offset, and who can tell the place.

Shapes: L lengths, H heads, O offsets, n words, d width.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Generator, Sequence
from itertools import islice
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model.data.pairs.pair_files import Pair
from model.data.tasks.registry import TASKS
from model.data.tasks.sequences import copy_order, draw_ordered
from model.decoding.batch_decoding import translation_steps
from model.decoding.decodable import Decodable
from model.experiments.positions import LONGEST, REACH, SHIFT, SHORTEST, TRAINED
from model.experiments.running.trained import Trained
from model.network.attention import AttentionSite
from model.network.cache import DecoderCache
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.relative_positions import Spots
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind

_SENTENCES = 20  # of each length
_LOOKED = 96  # sentences of the longest length trained on, whose attention and states are looked at
_TEST_SEED = 2_000_003
_STACKS = {"encoder": AttentionKind.ENCODER_SELF, "decoder": AttentionKind.DECODER_SELF}


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """All of the page's numbers, by name.

    `lengths` [L]; `right`, `words` [L], shares of sequences and of words right, and `shifted_…` of lengths
    trained on, with positions counted from `SHIFT`; `looks_…` [H, O] mean attention of the first layer by
    offset, `bias_…` [H, O] what positions add to its scores, or none; `moved_…` and `place_…` see below.
    """
    lengths = [SHORTEST, TRAINED, LONGEST] if trained.tiny else list(range(SHORTEST, LONGEST + 1))
    right, words = yield from _by_length(trained, lengths, _network(trained))
    short = [length for length in lengths if length <= TRAINED]
    moved = yield from _by_length(trained, short, cast(Decodable, Shifted(_network(trained), SHIFT)))
    found: dict[str, Any] = {
        "lengths": lengths,
        "right": right,
        "words": words,
        "shifted_right": moved[0],
        "shifted_words": moved[1],
    }
    for name in _STACKS:
        found.update(_by_offset(trained, name))
        yield None
    found.update(_order(trained))
    return found


class Shifted:
    """A network whose texts are read as if they began at another position."""

    def __init__(self, network: Transformer, by: int) -> None:
        self._network, self._by = network, by

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def encode(self, source: Tensor, **given: Any) -> Tensor:
        """See `Transformer.encode`."""
        ids = torch.arange(self._by, self._by + source.shape[1], device=source.device)
        memory: Tensor = self._network.encode(source, position_ids=ids, **given)
        return memory

    def decode_step(self, target_in: Tensor, cache: DecoderCache, **given: Any) -> Tensor:
        """See `Transformer.decode_step`."""
        first = self._by + cache.length
        ids = torch.arange(first, first + target_in.shape[1], device=target_in.device)
        return self._network.decode_step(target_in, cache, position_ids=ids, **given)


def _network(trained: Trained) -> Transformer:
    return trained.bundle.transformer


def _pairs(trained: Trained, length: int, count: int) -> list[Pair]:
    """Pairs of one length that it was not trained on, the same for every arm of a seed."""
    known = _known(trained.options.task_size, trained.seed)
    drawn = draw_ordered("copy", copy_order, trained.seed + _TEST_SEED, length, length)
    return list(islice((pair for pair in drawn if pair not in known), 2 if trained.tiny else count))


@functools.lru_cache(maxsize=1)
def _known(count: int, seed: int) -> frozenset[Pair]:
    """What was trained on."""
    return frozenset(TASKS["copy"].pairs(count, seed))


def _by_length(
    trained: Trained, lengths: Sequence[int], network: Decodable
) -> Generator[None, None, tuple[list[float], list[float]]]:
    """[L] shares of sequences right in every word, and of words right in their place."""
    bundle = trained.bundle
    pairs = [pair for length in lengths for pair in _pairs(trained, length, _SENTENCES)]
    outputs = [""] * len(pairs)
    steps = translation_steps(
        network,
        bundle.source_tokenizer,
        bundle.target_tokenizer,
        [source for source, _ in pairs],
        most=bundle.target_limit,
    )
    for done in steps:
        if done is None:
            yield None
        else:
            outputs[done[0]] = done[1]
    right = np.array([output == target for output, (_, target) in zip(outputs, pairs, strict=True)])
    words = np.array([_in_place(output, target) for output, (_, target) in zip(outputs, pairs, strict=True)])
    by_length = (len(lengths), -1)
    return right.reshape(by_length).mean(1).tolist(), words.reshape(by_length).mean(1).tolist()


def _in_place(output: str, target: str) -> float:
    wanted = target.split()
    return sum(one == other for one, other in zip(output.split(), wanted, strict=False)) / len(wanted)


class _Read:
    """Sentences of the longest length trained on, read by both stacks.

    Attributes:
        memory, hidden: [sentences, n, d] of the words, the encoder's and the decoder's states.
        patterns: [sentences, H, q, k] of the first layers.
    """

    @torch.inference_mode()
    def __init__(
        self, trained: Trained, change: Callable[[list[str]], list[str]] = lambda words: words
    ) -> None:
        bundle, network = trained.bundle, _network(trained)
        plain = [source for source, _ in _pairs(trained, TRAINED, _LOOKED)]
        texts = [" ".join(change(text.split())) for text in plain]
        source = torch.tensor([bundle.source_tokenizer.source_ids(text) for text in texts])
        start = bundle.target_tokenizer.start_id
        target = torch.tensor([[start, *bundle.target_tokenizer.target_ids(text)[:-1]] for text in texts])
        self.source, self.target = source, target
        self.patterns: dict[AttentionSite, Tensor] = {}
        memory = network.encode(source, tap=self._keep)
        # What the decoder reads of the source is always the same: only its own text may tell it the place.
        same = network.encode(torch.tensor([bundle.source_tokenizer.source_ids(plain[0])]))
        same = same.expand(len(source), -1, -1)
        hidden = network.decode(target, same, tap=self._keep)
        self.memory, self.hidden = memory[:, :-1], hidden[:, 1:]

    def _keep(self, site: AttentionSite, pattern: Tensor) -> None:
        if site.layer == 0:
            self.patterns[site] = pattern


def _by_offset(trained: Trained, stack: str) -> dict[str, Any]:
    """Of the first layer's self-attention by offset: mean weight, mean of what positions add to a score."""
    network, kind = _network(trained), _STACKS[stack]
    read = _Read(trained)
    pattern = read.patterns[AttentionSite(kind, 0)].double()
    count = pattern.shape[-1]
    spots = network.spots(count, None)
    bias = None if spots is None else _bias(network, read, stack, spots)
    places = np.arange(count)
    apart = places[None, :] - places[:, None]
    last = 0 if stack == "decoder" else REACH
    offsets = range(-REACH, last + 1)
    return {
        f"looks_{stack}": _mean_by(pattern.mean(0).numpy(), apart, offsets),
        f"bias_{stack}": None if bias is None else _mean_by(bias, apart, offsets),
    }


def _mean_by(values: np.ndarray, apart: np.ndarray, offsets: Sequence[int]) -> list[list[float]]:
    """[H, O] of values [H, q, k]."""
    return [[float(of_head[apart == offset].mean()) for offset in offsets] for of_head in values]


@torch.inference_mode()
def _bias(network: Transformer, read: _Read, stack: str, spots: Spots) -> np.ndarray | None:
    """[H, q, k] the mean over sentences of what is added to the first layer's scaled scores."""
    ids, embedding = read.source, network.source_embedding
    if stack == "decoder":
        ids, embedding = read.target, network.target_embedding
    layer = (network.encoder if stack == "encoder" else network.decoder).layers[0]
    assert isinstance(layer, EncoderLayer | DecoderLayer)
    x = embedding(ids) * (
        math.sqrt(network.architecture.d_model) if network.architecture.scale_embedding else 1
    )
    x = layer.norm1(x) if layer.pre_norm else x
    q, _, _ = layer.self_attn.project_self(x, spots)
    assert layer.self_attn.relative is not None
    added = layer.self_attn.relative.added(q / math.sqrt(q.shape[-1]), spots)
    return None if added is None else added.mean(0).double().numpy()


def _order(trained: Trained) -> dict[str, float]:
    """Who knows the order of words, and where a word stands.

    `moved_encoder`: by how much a word's state changes when the words of its sentence are turned round, as a
    share of its length; `moved_decoder`: the same of the last word when those before it are turned round.
    `place_…`: how many places a linear regression on a word's state is wrong about where it stands, on
    sentences that it was not fitted on (Haviv et al. 2022 take a small network); `place_guessed`: the middle.
    """
    own = _Read(trained)
    turned = _Read(trained, lambda words: words[::-1])
    before = _Read(trained, lambda words: [*words[-2::-1], words[-1]])
    found = {
        "moved_encoder": _change(own.memory, turned.memory.flip(1)),
        "moved_decoder": _change(own.hidden[:, -1:], before.hidden[:, -1:]),
        "place_encoder": _misplaced(own.memory),
        "place_decoder": _misplaced(own.hidden),
    }
    places = np.arange(own.memory.shape[1])
    return {**found, "place_guessed": float(np.abs(places - places.mean()).mean())}


def _change(states: Tensor, others: Tensor) -> float:
    """Mean distance of states [sentences, n, d], as a share of their mean length."""
    return float((states - others).norm(dim=-1).mean() / states.norm(dim=-1).mean())


def _misplaced(states: Tensor) -> float:
    """Mean absolute error of the place, of the second half of sentences, fitted on the first by ridge."""
    count, places = len(states) // 2, states.shape[1]
    x = torch.cat([states.double(), torch.ones_like(states[..., :1]).double()], -1).numpy()
    wanted = np.tile(np.arange(places, dtype=np.float64), (len(states), 1))
    fitted, y = x[:count].reshape(-1, x.shape[-1]), wanted[:count].reshape(-1)
    weights = np.linalg.solve(fitted.T @ fitted + 1e-2 * np.eye(x.shape[-1]), fitted.T @ y)
    return float(np.abs(x[count:] @ weights - wanted[count:]).mean())
