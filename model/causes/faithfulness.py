"""Faithfulness of a map: the log probability of a word as tokens are taken away in one order and another."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from model.causes.contrast import contrast_of
from model.causes.contributions import contributions_of
from model.causes.without import Without
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.gradients import upto_step
from model.inspection.plain import check_step
from model.questions.causes.contrast import Contrast, ContrastOf, Doubles
from model.questions.causes.contributions import Contributions, ContributionsOf
from model.questions.causes.faithfulness import (
    ALTI,
    MAP,
    OWN,
    RANDOM,
    REVERSE,
    Faithfulness,
    FaithfulnessOf,
    Fall,
    Ranking,
    points,
)
from model.read_only import read_only

Order = tuple[int, ...]


def faithfulness_of(
    question: FaithfulnessOf, asked: Asked
) -> Iterator[Faithfulness | tuple[int, int] | None]:
    """Every order tried; yields None while tokens are ranked, then how many readings are done.

    Raises:
        HeadscopeError: there is no such step, `faithfulness_short`: fewer than two tokens, a ranking that is
            not of these tokens, or numbers overflow.
    """
    whole, step = asked.readings.reader(asked.reading), question.step
    check_step(whole, step)
    reader = upto_step(asked, step)
    source = question.side == "source"
    tokens = reader.tokens(question.side)
    if len(tokens) < 2:
        raise HeadscopeError("faithfulness_short")
    given = (question.map, *question.beside)
    for ranking in given:
        if len(ranking.weights) != len(tokens):
            values = {"given": len(ranking.weights), "count": len(tokens)}
            raise HeadscopeError("faithfulness_tokens", **values)
    contributions: Contrast | None = None
    for found in contrast_of(ContrastOf(step), asked):
        contributions = found if isinstance(found, Contrast) else None
        yield None
    assert contributions is not None
    forwards = question.map.order()
    named = {MAP: forwards, REVERSE: forwards[::-1]}
    own = _own(contributions, source)
    own += yield from _alti(asked, step, len(tokens), source)
    named |= {ranking.name: ranking.order() for ranking in (*question.beside, *own)}
    drawn = _random(len(tokens), question.seed, question.draws)
    counts = points(len(tokens))
    without = Without(reader, step, reader.out_ids[step : step + 1])
    sets = {frozenset(order[:count]) for order in (*named.values(), *drawn) for count in counts.tolist()}
    known: dict[frozenset[int], float] = {}
    todo = sorted(sets, key=lambda taken: (len(taken), sorted(taken)))
    for start in range(0, len(todo), without.chunk):
        chunk = todo[start : start + without.chunk]
        none: list[frozenset[int]] = [frozenset()] * len(chunk)
        logprobs = without.logprobs(*((chunk, none) if source else (none, chunk)))
        known.update(zip(chunk, logprobs[:, 0].tolist(), strict=True))
        yield min(len(todo), start + without.chunk), len(todo)
    curves = [_fall(name, [order], counts.tolist(), known) for name, order in named.items()]
    curves.insert(2, _fall(RANDOM, drawn, counts.tolist(), known))
    word = reader.bundle.target_tokenizer.piece(reader.out_ids[step])
    yield Faithfulness(
        step,
        question.side,
        word,
        tokens,
        read_only(counts),
        tuple(curves),
        question.seed,
        question.draws,
    )


def _own(found: Contrast, source: bool) -> list[Ranking]:
    """By what each token did for the word, told in three ways."""
    side = found.source if source else found.prefix
    numbers = (side.products, side.lengths, side.effects)
    return [Ranking(name, tuple(each.tolist())) for name, each in zip(OWN, numbers, strict=True)]


def _alti(asked: Asked, step: int, tokens: int, source: bool) -> Generator[None, None, list[Ranking]]:
    """By contributions through both stacks; none where these are refused, as of very long texts."""
    made: list[Contributions] = []
    try:
        for found in contributions_of(ContributionsOf(), asked):
            made += [found] if found is not None else []
            yield None
    except HeadscopeError:
        return []
    answer = made[0]
    row = (answer.source_through if source else answer.prefix_through)[-1, step]
    return [Ranking(ALTI, tuple(row[:tokens].tolist()))]


def _random(tokens: int, seed: int, draws: int) -> list[Order]:
    generator = np.random.default_rng(seed)
    return [tuple(generator.permutation(tokens).tolist()) for _ in range(draws)]


def _fall(
    name: str, orders: Sequence[Order], counts: Sequence[int], known: Mapping[frozenset[int], float]
) -> Fall:
    """One order's curve, or the mean over several."""
    each: Doubles = np.array([[known[frozenset(order[:count])] for count in counts] for order in orders])
    areas = each[:, 0] - each.mean(axis=1)
    return Fall(
        name,
        orders[0] if len(orders) == 1 else (),
        read_only(each.mean(axis=0)),
        read_only(each.std(axis=0)),
        float(areas.mean()),
        float(areas.std()),
    )
