"""prune: heads off one after the other over a file of pairs: log probability and BLEU of what is left."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from torch import Tensor

from model.bundle.bundle import Bundle
from model.causes.ablation import HeadsOff, Outputs, outputs_of
from model.causes.gradient_importance import gradient_importance, over_layer
from model.causes.heads_off import Head, all_heads, as_heads_go
from model.causes.pair_batches import EncodedPair, PairBatches
from model.config import length_limit
from model.decoding.batch_decoding import greedy_steps
from model.errors import HeadscopeError
from model.files.files import shown
from model.inspection.asked import Asked
from model.network.attention import AttentionSite
from model.questions.causes.pruning import Pruned, PruneOf
from model.questions.questions import Partial
from model.read_only import read_only
from model.translator.evaluation import read_referenced, score

Doubles = npt.NDArray[np.float64]


def prune(question: PruneOf, asked: Asked) -> Iterator[tuple[int, int] | Partial | Pruned | None]:
    """The curve, point after point.

    Yields:
        (done, total) of what each head and each point takes, None in between, `Partial` after every point.

    Raises:
        HeadscopeError: `source_cannot`, `writes_in_rounds`; the file cannot be read, or nothing in it by the
            model; `prune_few`, `prune_copies`; `model_overflow`.
    """
    bundle = asked.bundle
    bundle.transformer.require_left_to_right()
    if question.replaced != "zero" and bundle.config.architecture.copying:
        raise HeadscopeError("prune_copies")
    yield 0, 0
    yield from _Pruning(bundle, question).run()


class _Pruning:
    """One question, worked out.

    Args:
        question: asked of `bundle`.

    Raises:
        HeadscopeError: nothing of the file can be read.
    """

    def __init__(self, bundle: Bundle, question: PruneOf) -> None:
        self._bundle, self._asked = bundle, question
        languages = bundle.config.languages
        found = read_referenced(
            [question.path], languages=languages, part=question.part, limit=question.limit
        )
        encoded = [_encoded(bundle, *each) for each in found]
        self._referenced = [each for each, pair in zip(found, encoded, strict=True) if pair is not None]
        self._pairs = PairBatches(bundle, [pair for pair in encoded if pair is not None])
        if not self._referenced:
            raise HeadscopeError("heads_nothing", path=shown(question.path))
        self._left_out = len(found) - len(self._referenced)
        self._heads = all_heads(bundle.config.architecture, question.kinds)
        self._counts = sorted(
            set(np.linspace(0, len(self._heads), question.points + 1).round().astype(int).tolist())
        )
        self._outputs: Outputs | None = None
        self._signature = ""
        self._done = 0
        alone = len(self._heads) if question.by == "importance" else 0
        self._total = alone + len(self._counts)

    def run(self) -> Iterator[tuple[int, int] | Partial | Pruned | None]:
        """See `prune`."""
        yield 0, self._total
        if self._asked.replaced != "zero":
            longest = length_limit(
                max(len(pair.source) for pair in self._pairs.pairs), self._bundle.target_limit
            )
            self._outputs = yield from outputs_of(
                self._bundle.transformer, self._pairs, longest, self._asked.seed
            )
        order, measured, ranked = yield from self._order()
        points: list[tuple[int, float, float]] = []
        for point in as_heads_go(order, self._counts, self._measured):
            if point is None:
                yield None
                continue
            count, (logprob, bleu) = point
            points.append((count, logprob, bleu))
            self._done += 1
            yield self._done, self._total
            answer = self._answer(order, measured, ranked, points)
            yield answer if len(points) == len(self._counts) else Partial(answer)

    def _order(self) -> Generator[tuple[int, int] | None, None, tuple[list[Head], Doubles, Doubles]]:
        """Heads in the order in which they go, what was measured of each, and what the order was made by."""
        heads, by = self._heads, self._asked.by
        if by == "random":
            unknown = np.full(len(heads), np.nan)
            places = np.random.Generator(np.random.PCG64(self._asked.seed)).permutation(len(heads))
            return [heads[place] for place in places], unknown, unknown
        if by == "gradient":
            measured = yield from gradient_importance(self._bundle, self._pairs, heads)
            ranked = over_layer(measured, heads)
        else:
            measured = ranked = yield from self._costs()
        places = np.argsort(ranked, kind="stable")
        return [heads[place] for place in places], measured[places], ranked[places]

    def _costs(self) -> Generator[tuple[int, int] | None, None, Doubles]:
        """Nats per target token that each head costs alone."""
        whole = yield from self._pairs.logprob()
        costs = np.zeros(len(self._heads))
        for place, head in enumerate(self._heads):
            costs[place] = whole - (yield from self._pairs.logprob(self._tap([head])))
            self._done += 1
            yield self._done, self._total
        return costs

    def _tap(self, off: Sequence[Head]) -> HeadsOff | None:
        if not off:
            return None
        n_heads = self._bundle.config.architecture.n_heads
        return HeadsOff(off, n_heads, self._asked.replaced, self._outputs)

    def _measured(self, off: Sequence[Head]) -> Generator[None, None, tuple[float, float]]:
        """Log probability per token, and BLEU."""
        tap = self._tap(off)
        logprob = yield from self._pairs.logprob(tap)
        translations = [""] * len(self._pairs.pairs)
        source, target = self._bundle.source_tokenizer, self._bundle.target_tokenizer
        for batch in self._pairs.batches:
            written = yield from greedy_steps(
                self._bundle.transformer,
                [self._pairs.pairs[place].source for place in batch.places],
                pad_id=source.pad_id,
                start_id=target.start_id,
                end_id=target.end_id,
                most=self._bundle.target_limit,
                rules=self._bundle.rules,
                tap=None if tap is None else _Placed(tap, batch.places),
            )
            for place, ids in zip(batch.places, written, strict=True):
                translations[place] = target.decode(ids)
        scores = score(translations, self._referenced, self._bundle.config.languages[1])
        self._signature = scores.bleu_signature
        return logprob, scores.bleu

    def _answer(
        self,
        order: Sequence[Head],
        measured: Doubles,
        ranked: Doubles,
        points: Sequence[tuple[int, float, float]],
    ) -> Pruned:
        counts, logprobs, bleus = zip(*points, strict=True)
        return Pruned(
            asked=replace(self._asked, model_sha256=self._bundle.sha256),
            order=tuple(order),
            measured=read_only(measured),
            ranked=read_only(ranked),
            counts=read_only(np.array(counts, np.int64)),
            logprob=read_only(np.array(logprobs, np.float64)),
            bleu=read_only(np.array(bleus, np.float64)),
            points=len(self._counts),
            sentences=len(self._referenced),
            left_out=self._left_out,
            tokens=self._pairs.tokens,
            bleu_signature=self._signature,
            model_name=self._bundle.config.name,
        )


class _Placed:
    """Tells a tap the places of a batch's rows among all pairs; see `RowsTap`."""

    def __init__(self, tap: HeadsOff, places: Sequence[int]) -> None:
        self._tap, self._places = tap, places
        self.carrying = tap.carrying

    def reading(self, rows: Sequence[int]) -> None:
        """See `RowsTap`."""
        self._tap.reading([self._places[row] for row in rows])

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `RowsTap`."""
        return self._tap(site, pattern)


def _encoded(bundle: Bundle, text: str, references: Sequence[str]) -> EncodedPair | None:
    """A source and its first reference; None where the model cannot read one of them."""
    source = tuple(bundle.source_tokenizer.source_ids(text))
    out = tuple(bundle.target_tokenizer.target_ids(references[0]))
    if not 2 <= len(source) <= bundle.source_limit or not 2 <= len(out) <= bundle.target_limit:
        return None
    return EncodedPair(source, out)
