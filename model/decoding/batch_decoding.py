"""Batch decoding: many sentences at once, greedily, for scores; fast, nothing recorded."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from model.config import length_limit
from model.decoding.by_length import by_length
from model.decoding.candidates import Candidates, ranked, with_logprobs
from model.decoding.constraints import TokenConstraints
from model.decoding.decodable import Decodable
from model.decoding.decode_config import DecodeConfig
from model.decoding.rounds import Marks, rounds_batch
from model.errors import HeadscopeError
from model.folder.decoding_rules import NO_RULES, DecodingRules
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.work import result_of


class Chosen(NamedTuple):
    """What some of the sources go on with at a step.

    Attributes:
        rows: their places among the sources, n of them.
        tokens: what was chosen for each, end tokens included.
        logits: [n, vocab] of their next tokens.
        best: the most probable tokens of each.
        copied: [n] how much of the next token is copied, where words are.
    """

    rows: Sequence[int]
    tokens: Sequence[int]
    logits: Tensor
    best: Candidates
    copied: Tensor | None


class Observer(Protocol):
    """Is told all that was chosen; see `greedy_steps`."""

    @property
    def candidates(self) -> int:
        """How many of the most probable tokens it wants to know of, at least 1."""

    def __call__(self, chosen: Chosen) -> None:
        """Called several times a step, for some of the sources each; what it gets is gone after."""


class RowsTap(Protocol):
    """A tap that is told which sources the rows of a batch are; see `model.network.attention.Tap`."""

    def reading(self, rows: Sequence[int]) -> None:
        """These are read next, by the encoder or by the decoder: their places in `sources`."""

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `Tap`."""


PROMPT_LIMIT = 40
"""Most tokens that are produced behind a prompt, if nothing says otherwise."""
_LOGITS = 2**22
"""Logits that are worked out at once: they stay in a processor's cache while they are looked through."""


def greedy_batch(
    network: Decodable,
    sources: Sequence[Sequence[int]],
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
    most: int,
    max_length: int | None = None,
    rules: DecodingRules = NO_RULES,
    observe: Observer | None = None,
) -> list[list[int]]:
    """The most probable token at every step, for several sources; see `greedy_steps`."""
    steps = greedy_steps(
        network,
        sources,
        pad_id=pad_id,
        start_id=start_id,
        end_id=end_id,
        most=most,
        max_length=max_length,
        rules=rules,
        observe=observe,
    )
    return result_of(steps)


def greedy_steps(
    network: Decodable,
    sources: Sequence[Sequence[int]],
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
    most: int,
    max_length: int | None = None,
    rules: DecodingRules = NO_RULES,
    observe: Observer | None = None,
    tap: RowsTap | None = None,
) -> Generator[None, None, list[list[int]]]:
    """The most probable token at every step, for several sources; yields when they are read and at each step.

    Args:
        sources: ids of each source with its specials, of any lengths; without an encoder they are prompts,
            and those of one length are decoded together.
        most: target positions that the model has.
        max_length: most tokens to produce instead of `length_limit`, as positions allow.
        rules: which tokens may be produced.
        observe: is told of each token that is chosen.
        tap: sees every pattern, and may replace it.

    Returns:
        Produced ids of each, without start and end tokens, in the order of `sources`.

    Raises:
        HeadscopeError: `model_overflow`: a logit is NaN or infinite.
    """
    prompted = not network.attention_shape.cross
    limits = [limit_of(network, len(source), max_length, most) for source in sources]
    row_constraints = [
        constraints_of(network, rules, source, start_id=start_id, end_id=end_id, limit=limit)
        for source, limit in zip(sources, limits)
    ]
    produced: list[list[int]] = [[] for _ in sources]
    for together in _alike(sources) if prompted else [list(range(len(sources)))]:
        rows = [row for row in together if limits[row]]
        if not rows:
            continue
        given = [sources[row] for row in rows]
        if tap is not None:
            tap.reading(rows)
        batch = _Batch(network, given, [row_constraints[row] for row in rows], pad_id, start_id, tap)
        yield
        while batch.alive:
            if tap is not None:
                tap.reading([rows[place] for place in batch.alive])
            batch.advance(None if observe is None else _Renumbered(observe, rows))
            yield
        for row, ids in zip(rows, batch.produced):
            produced[row] = ids
    return produced


class _Renumbered:
    """An observer of all sources, told of some."""

    def __init__(self, observer: Observer, rows: Sequence[int]) -> None:
        self.candidates = observer.candidates
        self._observer, self._rows = observer, rows

    def __call__(self, chosen: Chosen) -> None:
        self._observer(chosen._replace(rows=[self._rows[place] for place in chosen.rows]))


class _Batch:
    """Sources that are decoded together.

    Attributes:
        alive: the places of those still going on, as they lie in the state.
        produced: ids of each so far, without an end token.
    """

    @torch.inference_mode()
    def __init__(
        self,
        network: Decodable,
        sources: Sequence[Sequence[int]],
        row_constraints: Sequence[TokenConstraints],
        pad_id: int,
        start_id: int,
        tap: RowsTap | None = None,
    ) -> None:
        self._network = network
        self._tap = tap
        self._row_constraints = row_constraints
        self.produced: list[list[int]] = [[] for _ in sources]
        self.alive = list(range(len(sources)))
        padded, mask = _padded(sources, pad_id, network.device)
        if network.attention_shape.cross:
            memory = network.encode(padded, key_mask=mask, tap=tap)
            self._state = network.start_cache(memory, memory_mask=mask)
            self._next = torch.full_like(padded[:, :1], start_id)
        else:
            self._state = network.start_cache(None, batch=len(sources))
            self._next = padded

    @torch.inference_mode()
    def advance(self, observe: Observer | None) -> None:
        """Read what was produced last and choose the next tokens."""
        hidden = self._network.decode_step(self._next, self._state, tap=self._tap)[:, -1]
        tokens: list[int] = []
        for part in torch.split(hidden, max(1, _LOGITS // self._network.target_vocab)):
            rows = self.alive[len(tokens) : len(tokens) + len(part)]
            tokens += self._choose(rows, part, observe)
        kept = []
        for place, (row, token) in enumerate(zip(self.alive, tokens)):
            constraints = self._row_constraints[row]
            if token in constraints.ends:
                continue
            self.produced[row].append(token)
            if len(self.produced[row]) < constraints.limit:
                kept.append(place)
        if kept and len(kept) < len(self.alive):
            kept = _closed_up(kept)
            self._state.select(torch.tensor(kept, dtype=torch.int64, device=hidden.device))
        self._next = torch.tensor([[tokens[place]] for place in kept], device=hidden.device)
        self.alive = [self.alive[place] for place in kept]

    def _choose(self, rows: Sequence[int], hidden: Tensor, observe: Observer | None) -> list[int]:
        """The next tokens of some rows, of their hidden states [n, d]."""
        logits = self._network.project(hidden)
        wanted = 1 if observe is None else min(observe.candidates, logits.shape[-1])
        ids = ranked(logits, wanted)
        best = logits.gather(-1, torch.from_numpy(ids[:, :1]).to(logits.device))
        if not best.isfinite().all():  # a NaN counts as the highest
            raise HeadscopeError("model_overflow")
        tokens = [
            self._chosen(row, likeliest, logits, place)
            for place, (row, likeliest) in enumerate(zip(rows, ids[:, 0].tolist()))
        ]
        if observe is not None:
            copied = self._network.copy_shares(hidden)
            observe(Chosen(rows, tokens, logits, with_logprobs(logits, ids), copied))
        return tokens

    def _chosen(self, row: int, likeliest: int, logits: Tensor, place: int) -> int:
        constraints, produced = self._row_constraints[row], self.produced[row]
        if constraints.keeps(likeliest, produced):
            return likeliest
        return int(ranked(constraints.apply(logits[place], produced)[None], 1)[0, 0])


def _closed_up(kept: Sequence[int]) -> list[int]:
    """The same ascending places in an order that leaves as many as can be where they are."""
    count = len(kept)
    order = list(range(count))
    gaps = iter(sorted({*order}.difference(kept)))
    for place in kept:
        if place >= count:
            order[next(gaps)] = place
    return order


def _alike(sources: Sequence[Sequence[int]]) -> list[list[int]]:
    """The indices of sources of one length, together."""
    places: dict[int, list[int]] = {}
    for index, source in enumerate(sources):
        places.setdefault(len(source), []).append(index)
    return list(places.values())


def limit_of(network: Decodable, source: int, max_length: int | None, most: int) -> int:
    """Most tokens to produce from a source, or behind a prompt, of so many tokens; 0 where there is no room.

    Args:
        max_length: what is wished for; None for the usual.
        most: target positions that the model has, those of a prompt included.
    """
    if network.attention_shape.cross:
        return length_limit(source, most) if max_length is None else min(max_length, most)
    return max(0, min(PROMPT_LIMIT if max_length is None else max_length, most - source))


def constraints_of(
    network: Decodable, rules: DecodingRules, source: Sequence[int], *, start_id: int, end_id: int, limit: int
) -> TokenConstraints:
    """The rules at work on a source with its specials, or behind it as a prompt."""
    given = (start_id,) if network.attention_shape.cross else source
    return TokenConstraints(rules, end_id=end_id, given=given, source=source, limit=limit)


def _padded(sources: Sequence[Sequence[int]], pad_id: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Ids int64 [sources, longest] with padding behind, and a mask that is True for real tokens."""
    longest = max(map(len, sources))
    # A model without a padding token reads any other there: nothing attends to it.
    padded = torch.full((len(sources), longest), max(0, pad_id), dtype=torch.int64)
    mask = torch.zeros(len(sources), longest, dtype=torch.bool)
    for row, source in enumerate(sources):
        padded[row, : len(source)] = torch.as_tensor(source)
        mask[row, : len(source)] = True
    return padded.to(device), mask.to(device)


def translate_texts(
    network: Decodable,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
    *,
    most: int,
    rules: DecodingRules = NO_RULES,
    batch_size: int | None = None,
) -> Iterator[tuple[int, str]]:
    """Translations of `texts`, greedy or in rounds, as (index, text), batch after batch of like length."""
    steps = translation_steps(
        network, source_tokenizer, target_tokenizer, texts, most=most, rules=rules, batch_size=batch_size
    )
    return (done for done in steps if done is not None)


def translation_steps(
    network: Decodable,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
    *,
    most: int,
    rules: DecodingRules = NO_RULES,
    batch_size: int | None = None,
    rounds: int = DecodeConfig.rounds,
) -> Iterator[tuple[int, str] | None]:
    """As `translate_texts`, with a None after each step of a batch, so that other work may go on between.

    Args:
        batch_size: most sentences at once; None for as many as `by_length` puts together.
        rounds: of a model that writes in rounds.
    """
    encoded = [source_tokenizer.source_ids(text) for text in texts]
    for part in by_length([len(source) for source in encoded], most_rows=batch_size):
        sources = [encoded[i] for i in part]
        if not network.attention_shape.causal:
            outputs = yield from _in_rounds(
                network, sources, source_tokenizer.pad_id, target_tokenizer, most, rounds
            )
        else:
            outputs = yield from greedy_steps(
                network,
                sources,
                pad_id=source_tokenizer.pad_id,
                start_id=target_tokenizer.start_id,
                end_id=target_tokenizer.end_id,
                most=most,
                rules=rules,
            )
        for index, ids in zip(part, outputs):
            yield index, target_tokenizer.decode(ids)


def _in_rounds(
    network: Decodable,
    sources: Sequence[Sequence[int]],
    pad_id: int,
    target_tokenizer: Tokenizer,
    most: int,
    rounds: int,
) -> Generator[None, None, list[list[int]]]:
    assert isinstance(network, Transformer)
    written = yield from rounds_batch(
        network,
        sources,
        pad_id=pad_id,
        marks=Marks.of(target_tokenizer),
        limits=[limit_of(network, len(source), None, most) for source in sources],
        rounds=rounds,
    )
    return [ids for ids, _ in written]
