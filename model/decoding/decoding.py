"""Decoding as generators: an event after every token, with everything that led to it recorded.

Row t of every decoder array reads target input t and predicts target output t; all is captured in the
cached decode itself, while the token is made. A model without an encoder reads the text as a prompt: its rows
come first, all but the last token's at once, and the tokens that they predict are those of the prompt.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from model.alterations.alteration import Alteration
from model.alterations.effects import Effects
from model.alterations.registry import among_steps
from model.bundle.bundle import Bundle
from model.decoding.altering import Altering
from model.decoding.batch_decoding import limit_of
from model.decoding.beam import BeamSearch
from model.decoding.beam_tree import Fate, Hypothesis, SearchRecord
from model.decoding.carrying import CarriedIn
from model.decoding.constraints import TokenConstraints
from model.decoding.decodable import DecodingModel
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding_state import Decoding
from model.decoding.rounds import round_traces
from model.decoding.sampling import Sampler
from model.decoding.trace_maker import TraceMaker
from model.errors import HeadscopeError
from model.trace.trace import Trace

__all__ = [
    "DecodeConfig",
    "DecodeEvent",
    "Decoding",
    "Fate",
    "Hypothesis",
    "SearchRecord",
    "TextIds",
    "decode_events",
    "text_ids",
    "usual_config",
]

Stopped = Literal["end", "limit"]


@dataclass(frozen=True, eq=False)
class DecodeEvent:
    """What a decoding has come to after one more token; the first has none, only what was read before.

    While a long prompt is being read there is an event for each block of it.

    Attributes:
        trace: up to the newest token. In a beam search that of the best hypothesis so far, and of the
            best of all in the last event.
        stopped: in the last event why it is the last, `end` (the end token) or `limit` (of the length).
        hypotheses: beam search: all that this step considered.
        n_best: beam search, in the last event: the traces of the best hypotheses, best first.
        decoding: what computed it, to branch from; goes on changing. None in a beam search.
        search: beam search: gives the trace of any hypothesis considered so far; goes on growing.
        rounds: of a model that writes in rounds, which has an event a round: the traces of all so far.
    """

    trace: Trace
    stopped: Stopped | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    n_best: tuple[Trace, ...] = ()
    decoding: Decoding | None = None
    search: SearchRecord | None = None
    rounds: tuple[Trace, ...] = ()

    @property
    def done(self) -> bool:
        """Whether this is the last event."""
        return self.stopped is not None


def decode_events(
    model: DecodingModel,
    text: str,
    config: DecodeConfig,
    *,
    alterations: tuple[Alteration, ...] = (),
    branch_from: Decoding | None = None,
) -> Iterator[DecodeEvent]:
    """Decode `text` (already checked, see `model.translator.translator`) token by token.

    Args:
        alterations: what is changed in the computation of a model that has an `outline`. Of shuffled
            positions the trace says among how many steps: see `ChangePositions`.
        branch_from: an earlier decoding. If it is one of the same text by the same model with the same
            candidates and alterations, the tokens it has in common with the prefix or target are taken over,
            not computed, and its prompt as well; else it is as if there were none. A beam search starts anew
            always.

    Raises:
        HeadscopeError: the source, or a forced target or prefix (with the prompt) is longer than the model
            can read, a prefix names a token that does not exist, the model or sentence has no place for an
            alteration, or the model is not ours and cannot be altered; it writes in rounds and `config` does
            not, or the other way round.
    """
    if config.mode == "rounds" or not model.transformer.attention_shape.causal:
        yield from _round_events(model, text, config, alterations)
        return
    if config.mode == "sample" and config.seed is None:
        config = config.but(seed=secrets.randbelow(2**32))
    read = text_ids(model, text)
    typed = _typed_ids(model, config, prompted=not read.source)
    limit = _limit(model, config, read, len(typed))
    if alterations:
        alterations = among_steps(alterations, limit)
        read = text_ids(model, text, alterations)
    maker = TraceMaker(model, text, read.source, read.given, config, alterations)
    constraints = TokenConstraints(
        model.rules,
        end_id=model.target_tokenizer.end_id,
        given=read.given,
        source=read.source,
        limit=limit,
        typed=len(typed),
    )
    earlier = None if config.mode == "beam" else branch_from
    decoding = _started(model, read, config, constraints, limit, alterations, earlier, typed)
    while decoding.reading:
        decoding.read_prompt()
        if decoding.reading:
            yield DecodeEvent(maker.trace(decoding.path(), finished=False))
    if config.mode == "beam" and limit:
        yield from _beam_events(decoding, maker, constraints, typed, limit)
    else:
        yield from _token_events(decoding, maker, constraints, typed, limit)


def usual_config(model: DecodingModel) -> DecodeConfig:
    """How a model writes if nobody says: greedily, or in rounds."""
    in_rounds = isinstance(model, Bundle) and not model.transformer.attention_shape.causal
    return DecodeConfig(mode="rounds" if in_rounds else "greedy")


def _round_events(
    model: DecodingModel, text: str, config: DecodeConfig, alterations: tuple[Alteration, ...]
) -> Iterator[DecodeEvent]:
    if model.transformer.attention_shape.causal:
        raise HeadscopeError("writes_left_to_right", name=model.name)
    if config.mode != "rounds" or config.prefix or config.prefix_ids:
        raise HeadscopeError("writes_in_rounds")
    assert isinstance(model, Bundle)
    source = len(model.source_tokenizer.source_ids(text))
    limit = limit_of(model.transformer, source, config.max_length, model.target_limit)
    alterations = among_steps(alterations, limit)
    read = text_ids(model, text, alterations)
    maker = TraceMaker(model, text, read.source, read.given, config, alterations)
    rounds: list[Trace] = []
    for trace in round_traces(model, read.source, config, maker, read.altering, limit):
        if rounds:
            yield DecodeEvent(rounds[-1], rounds=tuple(rounds))
        rounds.append(trace)
    yield DecodeEvent(rounds[-1], "end", rounds=tuple(rounds))


def _started(
    model: DecodingModel,
    read: TextIds,
    config: DecodeConfig,
    constraints: TokenConstraints,
    limit: int,
    alterations: tuple[Alteration, ...],
    earlier: Decoding | None,
    typed: Sequence[int],
) -> Decoding:
    """A decoding before its next step: with what an earlier one has in common, or anew."""
    sampler = _sampler(config)
    settings = (model.transformer, read.source, read.given, config.candidates, alterations, sampler)
    if earlier is not None and earlier.continues(*settings):
        return earlier.fork(_in_common(earlier.out_ids, typed), limit, constraints, sampler)
    return Decoding(
        model.transformer,
        read.source,
        given=read.given,
        constraints=constraints,
        limit=limit,
        candidates=config.candidates,
        altering=read.altering,
        sampler=sampler,
    )


def _token_events(
    decoding: Decoding, maker: TraceMaker, constraints: TokenConstraints, typed: Sequence[int], limit: int
) -> Iterator[DecodeEvent]:
    stopped: Stopped | None = None if limit else "limit"
    yield DecodeEvent(maker.trace(decoding.path(), finished=False), stopped, decoding=decoding)
    while stopped is None:
        step = len(decoding.out_ids)
        chosen = decoding.advance(typed[step] if step < len(typed) else None)
        ended = chosen in constraints.ends
        if ended or len(decoding.out_ids) >= limit:
            stopped = "end" if ended else "limit"
        yield DecodeEvent(maker.trace(decoding.path(), finished=ended), stopped, decoding=decoding)


def _beam_events(
    decoding: Decoding, maker: TraceMaker, constraints: TokenConstraints, typed: Sequence[int], limit: int
) -> Iterator[DecodeEvent]:
    search = BeamSearch(decoding, config=maker.config, constraints=constraints, limit=limit, prefix=typed)
    record = SearchRecord(search.tree, maker)
    considered: tuple[Hypothesis, ...] = (search.root,)
    while search.running:
        path = search.path(search.best().hypothesis.id)
        yield DecodeEvent(maker.trace(path, finished=False), hypotheses=considered, search=record)
        considered = search.advance()
    traces = tuple(record.trace_of(node.hypothesis.id) for node in search.n_best())
    stopped: Stopped = "end" if traces[0].finished else "limit"
    yield DecodeEvent(traces[0], stopped, considered, traces, search=record)


@dataclass(frozen=True)
class TextIds:
    """A text as a model reads it.

    Attributes:
        source: what the encoder reads, in that order; empty without an encoder.
        given: what the decoder reads before it produces anything: the start token, or the text as a prompt.
        altering: what carries alterations out; None without any.
    """

    source: tuple[int, ...]
    given: tuple[int, ...]
    altering: Altering | None = None


def text_ids(model: DecodingModel, text: str, alterations: tuple[Alteration, ...] = ()) -> TextIds:
    """Ids of `text` with the specials around it.

    Raises:
        HeadscopeError: the model or the sentence has no place for an alteration, the model is not ours and
            cannot be changed, or not so, or its tokenizer makes nothing of the text.
    """
    outline = model.outline
    if alterations and outline is None:
        raise HeadscopeError("source_cannot", name=model.name)
    if not isinstance(model, Bundle) and not all(change.by_hooks for change in alterations):
        raise HeadscopeError("others_cannot_be", name=model.name)
    ids = model.source_tokenizer.source_ids(text)
    given: tuple[int, ...] = (model.target_tokenizer.start_id,)
    prompted = not model.transformer.attention_shape.cross
    if prompted:
        given = tuple(ids) or given
    elif not ids:
        raise HeadscopeError("empty_text")
    source = () if prompted else tuple(ids)
    if outline is None or not alterations:
        return TextIds(source, given)
    altering = Altering(
        alterations,
        outline,
        source_length=len(given) if prompted else len(ids),
        device=model.transformer.device,
        carried=_carried(model) if isinstance(model, Bundle) else None,
    )
    return TextIds(tuple(altering.order_source(source)) if source else (), given, altering)


def _carried(model: Bundle) -> Callable[[Effects], CarriedIn]:
    network, start = model.transformer, model.target_tokenizer.start_id
    return lambda effects: CarriedIn(network, effects.carried, start, effects.blocked)


def _in_common(produced: Sequence[int], typed: Sequence[int]) -> int:
    """How many steps of `produced` to take over: those it shares with `typed`, whose last is left to do."""
    count = 0
    while count < min(len(produced), len(typed) - 1) and produced[count] == typed[count]:
        count += 1
    return count


def _sampler(config: DecodeConfig) -> Sampler | None:
    if config.mode != "sample":
        return None
    assert config.seed is not None
    return Sampler(temperature=config.temperature, top_k=config.top_k, top_p=config.top_p, seed=config.seed)


def _typed_ids(model: DecodingModel, config: DecodeConfig, *, prompted: bool) -> tuple[int, ...]:
    """The tokens that are not free: a whole forced target with its end token, or a prefix.

    Behind a prompt a forced target is a continuation.
    """
    tokenizer = model.target_tokenizer
    if config.mode == "forced":
        assert config.target is not None
        if prompted:
            end = (tokenizer.end_id,) if tokenizer.end_id >= 0 else ()
            return (*tokenizer.encode_continuation(config.target), *end)
        return tuple(tokenizer.target_ids(config.target))
    for token_id in config.prefix_ids:
        if token_id >= tokenizer.vocab_size:
            raise HeadscopeError("token_id", id=token_id, vocab=tokenizer.vocab_size)
    first = not prompted and not config.prefix_ids
    return (*config.prefix_ids, *tokenizer.encode_continuation(config.prefix, first=first))


def _limit(model: DecodingModel, config: DecodeConfig, read: TextIds, typed: int) -> int:
    """Most steps to take; 0 where a prompt leaves no room."""
    most = model.target_limit
    prompt = 0 if read.source else len(read.given)
    if prompt + typed > most:
        raise HeadscopeError("too_long", tokens=prompt + typed, limit=most)
    if config.mode == "forced":
        return typed
    return max(typed, limit_of(model.transformer, prompt or len(read.source), config.max_length, most))
