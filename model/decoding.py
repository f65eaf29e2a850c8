"""Decoding as generators: an event after every token, with everything that led to it recorded.

Row t of every decoder array reads target input t and predicts target output t; all is captured in the
cached decode itself, while the token is made.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from model.alterations import Alteration
from model.altering import Altering
from model.batch_decoding import length_limit
from model.beam import BeamSearch
from model.beam_tree import Fate, Hypothesis, SearchRecord
from model.bundle import Bundle
from model.candidates import Candidates
from model.decode_config import DecodeConfig
from model.decoding_state import Choose, Decoding
from model.errors import HeadscopeError
from model.sampling import Distribution, Sampler
from model.trace import Trace
from model.trace_maker import TraceMaker

__all__ = [
    "DecodeConfig",
    "DecodeEvent",
    "Decoding",
    "Fate",
    "Hypothesis",
    "SearchRecord",
    "decode_events",
    "source_ids",
]

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
        search: beam search: gives the trace of any hypothesis considered so far; goes on growing.
    """

    trace: Trace
    stopped: Stopped | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    n_best: tuple[Trace, ...] = ()
    decoding: Decoding | None = None
    search: SearchRecord | None = None

    @property
    def done(self) -> bool:
        """Whether this is the last event."""
        return self.stopped is not None


def decode_events(
    bundle: Bundle,
    text: str,
    config: DecodeConfig,
    *,
    alterations: tuple[Alteration, ...] = (),
    branch_from: Decoding | None = None,
) -> Iterator[DecodeEvent]:
    """Decode `text` (already checked, see `model.translator`) token by token.

    Args:
        alterations: what is changed in the model's computation.
        branch_from: an earlier decoding. If it is one of the same text by the same model with the same
            candidates and alterations, the tokens it has in common with the prefix or target are taken over,
            not computed; else it is as if there were none. A beam search starts anew always.

    Raises:
        HeadscopeError: the source or a forced target or prefix is longer than the model can read, a
            prefix names a token that does not exist, or the model or sentence has no place for an alteration.
    """
    if config.mode == "sample" and config.seed is None:
        config = config.but(seed=secrets.randbelow(2**32))
    source, altering = source_ids(bundle, text, alterations)
    maker = TraceMaker(bundle, text, source, config, alterations)
    forced = _forced_ids(bundle, config)
    limit = _limit(bundle, config, len(source), len(forced))
    if config.mode == "beam":
        yield from _beam_events(bundle, maker, source, forced, limit, altering)
        return
    sampler = _sampler(config)
    transformer = bundle.transformer
    if branch_from is not None and branch_from.continues(transformer, source, config.candidates, alterations):
        decoding = branch_from.fork(_in_common(branch_from.out_ids, forced), limit, sampler)
    else:
        decoding = Decoding(
            transformer,
            source,
            start_id=bundle.target_tokenizer.start_id,
            limit=limit,
            candidates=config.candidates,
            altering=altering,
            sampler=sampler,
        )
    choose = _chooser(forced, sampler)
    yield DecodeEvent(maker.trace(decoding.path(), finished=False), decoding=decoding)
    stopped: Stopped | None = None
    while stopped is None:
        ended = decoding.advance(choose) == bundle.target_tokenizer.end_id
        if ended or len(decoding.out_ids) >= limit:
            stopped = "end" if ended else "limit"
        yield DecodeEvent(maker.trace(decoding.path(), finished=ended), stopped, decoding=decoding)


def source_ids(
    bundle: Bundle, text: str, alterations: tuple[Alteration, ...]
) -> tuple[list[int], Altering | None]:
    """Ids of `text` with the end token as the model reads them, and what carries the alterations out.

    Raises:
        HeadscopeError: the model or the sentence has no place for an alteration.
    """
    source = [*bundle.source_tokenizer.encode(text), bundle.source_tokenizer.end_id]
    if not alterations:
        return source, None
    transformer = bundle.transformer
    device = transformer.source_embedding.weight.device
    altering = Altering(alterations, transformer.architecture, source_length=len(source), device=device)
    return altering.order_source(source), altering


def _beam_events(
    bundle: Bundle,
    maker: TraceMaker,
    source: Sequence[int],
    forced: Sequence[int],
    limit: int,
    altering: Altering | None,
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
        altering=altering,
    )
    record = SearchRecord(search.tree, maker)
    considered: tuple[Hypothesis, ...] = (search.root,)
    while search.running:
        path = search.path(search.best().hypothesis.id)
        yield DecodeEvent(maker.trace(path, finished=False), hypotheses=considered, search=record)
        considered = search.advance()
    traces = tuple(record.trace_of(node.hypothesis.id) for node in search.n_best())
    stopped: Stopped = "end" if traces[0].finished else "limit"
    yield DecodeEvent(traces[0], stopped, considered, traces, search=record)


def _in_common(produced: Sequence[int], forced: Sequence[int]) -> int:
    """How many steps of `produced` to take over: those it shares with `forced`, whose last is left to do."""
    count = 0
    while count < min(len(produced), len(forced) - 1) and produced[count] == forced[count]:
        count += 1
    return count


def _sampler(config: DecodeConfig) -> Sampler | None:
    if config.mode != "sample":
        return None
    assert config.seed is not None
    return Sampler(temperature=config.temperature, top_k=config.top_k, top_p=config.top_p, seed=config.seed)


def _chooser(forced: Sequence[int], sampler: Sampler | None) -> Choose:
    def choose(step: int, best: Candidates, drawn_from: Distribution | None) -> int:
        if step < len(forced):
            return forced[step]
        if sampler is None or drawn_from is None:
            return int(best.ids[0, 0])
        return sampler.draw(drawn_from)

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
    return (*config.prefix_ids, *tokenizer.encode_continuation(config.prefix))


def _limit(bundle: Bundle, config: DecodeConfig, source: int, forced: int) -> int:
    """Most steps to take."""
    positions = bundle.config.architecture.max_positions
    if forced > positions:
        raise HeadscopeError("too_long", tokens=forced, limit=positions)
    if config.mode == "forced":
        return forced
    usual = length_limit(source, positions) if config.max_length is None else config.max_length
    return max(forced, min(usual, positions))
