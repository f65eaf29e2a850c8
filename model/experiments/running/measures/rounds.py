"""measure: right and mixed translations by the number of rounds, their speed, one of them round by round."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from model.bundle.bundle import Bundle
from model.decoding.decoding import decode_events, usual_config
from model.experiments.rounds import EXAMPLE, LEFT, ROUNDS
from model.experiments.running.trained import Trained, translated
from model.trace.trace import AttentionKind, Trace
from model.work import result_of

_PAIRS = 300
_TIMED = 24
_REPEATS = 3


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """`right`, `repeated`: shares of sentences, of the model in rounds one for each of `ROUNDS`.

    And `example`, of `EXAMPLE`: a trace's tokens and cross-attention, or those of each round by `ROUNDS`; of
    the model in rounds `speed`: tokens a second by `ROUNDS`, one sentence after the other, by those of the
    other model in the same minute.
    """
    bundle = trained.bundle
    texts = [source for source, _ in trained.pairs(_PAIRS)]
    if not bundle.config.architecture.in_rounds:
        outputs = yield from translated(bundle, texts)
        *_, last = decode_events(bundle, EXAMPLE, usual_config(bundle))
        right, repeated = scores(texts, outputs)
        return {"right": right, "repeated": repeated, "example": _told(last.trace)}
    shares, example = [], {}
    for rounds in ROUNDS:
        shares.append(scores(texts, (yield from translated(bundle, texts, rounds))))
        *_, last = decode_events(bundle, EXAMPLE, usual_config(bundle).but(rounds=rounds))
        example[str(rounds)] = [_told(trace) for trace in last.rounds]
        yield None
    speed = yield from _speed(trained.other(LEFT), bundle, texts[: 2 if trained.tiny else _TIMED])
    return {
        "right": [one[0] for one in shares],
        "repeated": [one[1] for one in shares],
        "speed": speed,
        "example": example,
    }


def scores(sources: Sequence[str], outputs: Sequence[str]) -> tuple[float, float]:
    """Which share is the source forward or backward, and which has a word more often than the source."""
    right = repeated = 0
    for source, output in zip(sources, outputs, strict=True):
        words, written = source.split(), output.split()
        right += written in (words, words[::-1])
        repeated += any(written.count(word) > words.count(word) > 0 for word in written)
    return right / len(sources), repeated / len(sources)


def _told(trace: Trace) -> dict[str, Any]:
    """What is drawn of a trace; the cross-attention is the last layer's, the mean over its heads."""
    cross = trace.pattern(AttentionKind.CROSS, trace.layers(AttentionKind.CROSS) - 1, None)
    return {
        "src": trace.src_tokens,
        "read": trace.tgt_in_tokens,
        "out": trace.tgt_out_tokens,
        "probability": np.exp(trace.step_logprob).round(3),
        "cross": cross.round(3),
    }


def _speed(left: Bundle, once: Bundle, texts: Sequence[str]) -> Generator[None, None, list[float]]:
    """Tokens a second by `ROUNDS`, by those of the model from left to right; the best of a few tries each."""
    ways = [(left, 0), *((once, rounds) for rounds in ROUNDS)]
    best = [0.0] * len(ways)
    for _ in range(_REPEATS):
        for place, (bundle, rounds) in enumerate(ways):
            began = time.perf_counter()
            words = sum(len(result_of(translated(bundle, [text], rounds))[0].split()) for text in texts)
            best[place] = max(best[place], words / (time.perf_counter() - began))
            yield None
    return [one / best[0] for one in best[1:]]
