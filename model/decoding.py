"""Decoding as generators: an event after every token, with everything that led to it recorded.

Row t of every decoder array reads target input t and predicts target output t; all is captured in the
cached decode itself, while the token is made.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from model.attention import Tap
from model.batch_decoding import length_limit
from model.beam import BeamSearch, Hypothesis
from model.bundle import Bundle
from model.candidates import Candidates, top_candidates
from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.recorder import Recorder
from model.sampling import Sampler
from model.trace import Trace
from model.trace_maker import DecodedPath, TraceMaker
from model.transformer import Transformer

__all__ = ["DecodeConfig", "DecodeEvent", "Decoding", "Hypothesis", "decode_events"]

# Picks the token of a step (from 0) from its logits [vocab] and the most probable candidates.
Choose = Callable[[int, Tensor, Candidates], int]

Stopped = Literal["end", "limit"]


@dataclass(frozen=True, eq=False)
class DecodeEvent:
    """What a decoding has come to after one more token; the first event has none, only the encoder's part.

    Attributes:
        trace: up to the newest token. In a beam search that of the best hypothesis so far, and of the
            best of all in the last event.
        stopped: in the last event why it is the last, `end` (the end token) or `limit` (of the length).
        hypotheses: beam search: all that this step considered.
        n_best: beam search, in the last event: the traces of the best hypotheses, best first.
        decoding: what computed it, to branch from; goes on changing. None in a beam search.
    """

    trace: Trace
    stopped: Stopped | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    n_best: tuple[Trace, ...] = ()
    decoding: Decoding | None = None

    @property
    def done(self) -> bool:
        """Whether this is the last event."""
        return self.stopped is not None


class Decoding:
    """One sentence on its way through one model, as ids. A new one has just been read by the encoder.

    Args:
        source: ids with the end token.
        limit: most steps that it can take.
        candidates: K, how many of the most probable tokens are kept at each step.
        alter: a tap that may replace patterns; what it returns is what is recorded.

    Attributes:
        out_ids: the tokens produced so far.
    """

    def __init__(
        self,
        transformer: Transformer,
        source: Sequence[int],
        *,
        start_id: int,
        limit: int,
        candidates: int = 10,
        alter: Tap | None = None,
    ) -> None:
        self.source = tuple(source)
        self.out_ids: list[int] = []
        self._transformer = transformer
        self._start_id = start_id
        self._device = transformer.source_embedding.weight.device
        self._recorder = Recorder(transformer.architecture, len(source), alter=alter)
        self._make_room(limit, min(candidates, transformer.architecture.target_vocab))
        with torch.inference_mode():
            ids = torch.tensor([list(source)], dtype=torch.int64, device=self._device)
            self._cache = transformer.start_cache(transformer.encode(ids, tap=self._recorder))

    # The mode is entered for each step and left before the caller goes on: a generator that kept it
    # would leave its caller's tensors without gradients.
    @torch.inference_mode()
    def advance(self, choose: Choose) -> int:
        """Read the newest token, predict the next and let `choose` pick it.

        Returns:
            The id of the picked token.

        Raises:
            HeadscopeError: `too_long`: the model has no further position.
        """
        step = len(self.out_ids)
        newest = self.out_ids[-1] if step else self._start_id
        token = torch.tensor([[newest]], device=self._device)
        hidden = self._transformer.decode_step(token, self._cache, tap=self._recorder)
        logits = self._transformer.project(hidden[:, -1])
        k = self._candidate_ids.shape[1]
        best = top_candidates(logits, max(1, k))
        chosen = choose(step, logits[0], best)
        self._candidate_ids[step] = best.ids[0, :k]
        self._candidate_logprobs[step] = best.logprobs[0, :k]
        self._logprobs[step] = best.all_logprobs[0, chosen]
        self.out_ids.append(chosen)
        return chosen

    def path(self) -> DecodedPath:
        """All so far, as read-only views."""
        steps = len(self.out_ids)
        return DecodedPath(
            patterns=self._recorder.snapshot(steps),
            out_ids=tuple(self.out_ids),
            step_logprob=self._logprobs[:steps],
            candidate_ids=self._candidate_ids[:steps],
            candidate_logprobs=self._candidate_logprobs[:steps],
        )

    @torch.inference_mode()
    def fork(self, steps: int, limit: int) -> Decoding:
        """An independent decoding that has taken the first `steps` steps of this one; computes nothing."""
        other = copy.copy(self)
        other.out_ids = self.out_ids[:steps]
        other._recorder = self._recorder.fork(steps)
        other._cache = self._cache.fork()
        other._cache.truncate(steps)
        other._make_room(limit, self._candidate_ids.shape[1])
        other._logprobs[:steps] = self._logprobs[:steps]
        other._candidate_ids[:steps] = self._candidate_ids[:steps]
        other._candidate_logprobs[:steps] = self._candidate_logprobs[:steps]
        return other

    def _make_room(self, steps: int, candidates: int) -> None:
        self._logprobs = np.empty(steps, np.float32)
        self._candidate_ids = np.empty((steps, candidates), np.int64)
        self._candidate_logprobs = np.empty((steps, candidates), np.float32)


def decode_events(
    bundle: Bundle,
    text: str,
    config: DecodeConfig,
    *,
    alter: Tap | None = None,
    alterations: tuple[Any, ...] = (),
    branch_from: Decoding | None = None,
) -> Iterator[DecodeEvent]:
    """Decode `text` (already checked, see `model.translator`) token by token.

    Args:
        alter: a tap that may replace patterns.
        alterations: what `alter` changes, JSON-able, for the trace.
        branch_from: an earlier decoding of the same text by the same model with the same candidates and
            `alter`: the tokens it has in common with the prefix or target are taken over, not computed.

    Raises:
        HeadscopeError: the source or a forced target or prefix is longer than the model can read, or a
            prefix names a token that does not exist.
    """
    if config.mode == "sample" and config.seed is None:
        config = config.but(seed=secrets.randbelow(2**32))
    source = [*bundle.source_tokenizer.encode(text), bundle.source_tokenizer.end_id]
    maker = TraceMaker(bundle, text, source, config, alterations)
    forced = _forced_ids(bundle, config)
    limit = _limit(bundle, config, len(source), len(forced))
    if config.mode == "beam":
        yield from _beam_events(bundle, maker, source, forced, limit, alter)
        return
    if branch_from is not None and branch_from.source == tuple(source):
        decoding = branch_from.fork(_in_common(branch_from.out_ids, forced), limit)
    else:
        decoding = Decoding(
            bundle.transformer,
            source,
            start_id=bundle.target_tokenizer.start_id,
            limit=limit,
            candidates=config.candidates,
            alter=alter,
        )
    choose = _chooser(config, forced)
    yield DecodeEvent(maker.trace(decoding.path(), finished=False), decoding=decoding)
    stopped: Stopped | None = None
    while stopped is None:
        ended = decoding.advance(choose) == bundle.target_tokenizer.end_id
        if ended or len(decoding.out_ids) >= limit:
            stopped = "end" if ended else "limit"
        yield DecodeEvent(maker.trace(decoding.path(), finished=ended), stopped, decoding=decoding)


def _beam_events(
    bundle: Bundle,
    maker: TraceMaker,
    source: Sequence[int],
    forced: Sequence[int],
    limit: int,
    alter: Tap | None,
) -> Iterator[DecodeEvent]:
    target = bundle.target_tokenizer
    search = BeamSearch(
        bundle.transformer,
        source,
        start_id=target.start_id,
        end_id=target.end_id,
        config=maker.config,
        limit=limit,
        prefix=forced,
        alter=alter,
    )
    considered: tuple[Hypothesis, ...] = (search.root,)
    while search.running:
        yield DecodeEvent(maker.trace(search.path(search.best()), finished=False), hypotheses=considered)
        considered = search.advance()
    traces = tuple(
        maker.trace(search.path(node, gathered=True), finished=node.finished) for node in search.n_best()
    )
    yield DecodeEvent(traces[0], "end" if traces[0].finished else "limit", considered, traces)


def _in_common(produced: Sequence[int], forced: Sequence[int]) -> int:
    """How many steps of `produced` to take over: those it shares with `forced`, whose last is left to do."""
    count = 0
    while count < min(len(produced), len(forced) - 1) and produced[count] == forced[count]:
        count += 1
    return count


def _chooser(config: DecodeConfig, forced: Sequence[int]) -> Choose:
    sampler = None
    if config.mode == "sample":
        assert config.seed is not None
        sampler = Sampler(
            temperature=config.temperature, top_k=config.top_k, top_p=config.top_p, seed=config.seed
        )

    def choose(step: int, logits: Tensor, best: Candidates) -> int:
        if step < len(forced):
            return forced[step]
        return int(best.ids[0, 0]) if sampler is None else sampler.draw(logits)

    return choose


def _forced_ids(bundle: Bundle, config: DecodeConfig) -> tuple[int, ...]:
    """The tokens that are not free: a whole forced target with its end token, or a prefix."""
    tokenizer = bundle.target_tokenizer
    if config.mode == "forced":
        assert config.target is not None
        return (*tokenizer.encode(config.target), tokenizer.end_id)
    for token_id in config.prefix_ids:
        if token_id >= tokenizer.vocab_size:
            raise HeadscopeError("token_id", id=token_id, vocab=tokenizer.vocab_size)
    return config.prefix_ids


def _limit(bundle: Bundle, config: DecodeConfig, source: int, forced: int) -> int:
    """Most steps to take."""
    positions = bundle.config.architecture.max_positions
    if forced > positions:
        raise HeadscopeError("too_long", tokens=forced, limit=positions)
    if config.mode == "forced":
        return forced
    usual = length_limit(source, positions) if config.max_length is None else config.max_length
    return max(forced, min(usual, positions))
