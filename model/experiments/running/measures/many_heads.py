"""measure: how right a model is while heads are switched off one by one, and which places its heads read."""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from model.alterations.scale_head import ScaleHead
from model.causes.heads_off import Head, all_heads, as_heads_go
from model.data.tasks.relations import related
from model.experiments.many_heads import ORDERS, WORDS
from model.experiments.running.exam import Exam
from model.experiments.running.trained import Trained
from model.trace.trace import AttentionKind

PAIRS = 100
"""That the order of switching off is chosen by, and as many others that it is judged by."""

Work = Generator[None, None, Any]


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """What `model.experiments.many_heads` shows.

    Returns:
        `accuracy`: share of sentences that come out right in every word; `words`: share of right words given
        the right ones before; `greedy`, `chance`: [heads off] that share as ever more heads are off, least
        important first, and in an order drawn at random (mean of several); `order`: the heads in the first
        one's order, (kind, layer, head); `own`, `other`: [head] mean weight of the last layer's cross heads
        on the two places that an output word is made of; `maps`: [head][query][key] of them in `WORDS`.
    """
    longest = trained.options.train.max_tokens
    pairs = trained.pairs(2 * PAIRS)
    chosen_by = Exam(trained.bundle, pairs[: len(pairs) // 2], longest)
    judged_by = Exam(trained.bundle, pairs[len(pairs) // 2 :], longest)
    heads = all_heads(trained.bundle.config.architecture)
    order = yield from least_important_first(chosen_by, heads)
    greedy = yield from switched_off(judged_by, order)
    draw = random.Random(trained.seed)
    chance = np.zeros(len(heads) + 1)
    for _ in range(ORDERS):
        chance += yield from switched_off(judged_by, draw.sample(heads, len(heads)))
    whole = judged_by.marks()
    own, other = _read_places(judged_by)
    told = " ".join(WORDS), " ".join(related(WORDS))
    maps = Exam(trained.bundle, [told], longest).patterns(AttentionKind.CROSS)[-1][0]
    return {
        "accuracy": whole.sentences,
        "words": whole.words,
        "greedy": greedy,
        "chance": chance / ORDERS,
        "order": [list(head) for head in order],
        "own": own,
        "other": other,
        "maps": np.round(maps.numpy(force=True), 3).tolist(),
    }


def least_important_first(exam: Exam, heads: Sequence[Head]) -> Generator[None, None, list[Head]]:
    """Heads in the order to switch them off: each time the one without which right words stay likeliest.

    Michel et al. 2019 (arXiv 1905.10650), section 3.2, one at a time, which counts what the others then do.
    """
    order: list[Head] = []
    left = list(heads)
    while left:
        found = []
        for head in left:
            found.append(exam.marks(_off([*order, head])).logprob)
            yield None
        order.append(left.pop(int(np.argmax(found))))
    return order


def switched_off(exam: Exam, order: Sequence[Head]) -> Generator[None, None, list[float]]:
    """Share of right words with the first 0, 1, 2, … heads of an order off."""

    def words(off: Sequence[Head]) -> Generator[None, None, float]:
        yield None
        return exam.marks(_off(off)).words

    found = []
    for point in as_heads_go(order, range(len(order) + 1), words):
        if point is None:
            yield None
        else:
            found.append(point[1])
    return found


def _off(heads: Sequence[Head]) -> list[ScaleHead]:
    return [ScaleHead(kind, layer, head, 0.0) for kind, layer, head in heads]


def _read_places(exam: Exam) -> tuple[list[float], list[float]]:
    """Mean weight of each cross head on the word of the query's own place and on its mirror image.

    Without middle words, for which they are one place.
    """
    patterns = exam.patterns(AttentionKind.CROSS)[-1]
    sums = np.zeros((2, patterns.shape[1]))
    count = 0
    for pattern, real in zip(patterns.numpy(force=True), exam.batch.source_mask, strict=True):
        words = int(real.sum()) - 1  # the last token is the end
        for place in range(words):
            mirror = words - 1 - place
            if mirror != place:
                sums += pattern[:, place, [place, mirror]].T
                count += 1
    own, other = (sums / max(1, count)).tolist()
    return own, other
