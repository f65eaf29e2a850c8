"""measure: one wrong token forced into the prefix: whether the model recovers, and where it then reads."""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Any

import numpy as np

from model.bundle.bundle import Bundle
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.experiments.running.trained import Trained, accuracy
from model.experiments.scheduled_sampling import AFTER, BEFORE, EXAMPLES
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.questions.answers import SourceShares
from model.questions.questions import Reading, SharesOf
from model.trace.trace import AttentionKind, Trace

SENTENCES = 100


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """Accuracy left alone; then behind one wrong token.

    `recovered`: the share of sentences whose words after the wrong one are all right; `rest`: of those words;
    `shares`: [step] the source's share of the decoder's last layer, from `BEFORE` steps before the wrong
    token is read to `AFTER` after, and `shares_right`: the same steps of the right prefix; `examples`: some
    sentences of the first seed.
    """
    bundle = trained.bundle
    pairs = trained.pairs(SENTENCES)
    right = yield from accuracy(bundle, pairs)
    draw = random.Random(trained.seed)
    words = sorted({word for _, target in pairs for word in target.split()})
    recovered, rest, shares, plain_shares = [], [], [], []
    examples: list[dict[str, Any]] = []
    for source, target in pairs:
        told = target.split()
        if len(told) < BEFORE + AFTER + 2:
            continue
        place = draw.randrange(BEFORE, len(told) - AFTER)
        wrong = draw.choice([word for word in words if word != told[place]])
        prefix = [*told[:place], wrong]
        trace = _decoded(bundle, source, prefix)
        written = trace.tgt_text.split()[place + 1 :]
        same = [one == two for one, two in zip(written, told[place + 1 :], strict=False)]
        recovered.append(written == told[place + 1 :])
        rest.append(sum(same) / len(told[place + 1 :]))
        right_trace = _decoded(bundle, source, told[: place + 1])
        window = slice(place + 1 - BEFORE, place + 1 + AFTER + 1)
        if len(trace.tgt_in_tokens) >= window.stop <= len(right_trace.tgt_in_tokens):
            shares.append(_shares(bundle, trace)[window])
            plain_shares.append(_shares(bundle, right_trace)[window])
        if len(examples) < EXAMPLES and trained.seed == 1:
            examples.append(_example(trace, target, place, wrong))
        yield None
    return {
        "accuracy": right,
        "recovered": float(np.mean(recovered)),
        "rest": float(np.mean(rest)),
        "shares": np.mean(shares, axis=0),
        "shares_right": np.mean(plain_shares, axis=0),
        "examples": examples,
    }


def _decoded(bundle: Bundle, source: str, prefix: list[str]) -> Trace:
    """A greedy decoding behind these words."""
    ids = tuple(bundle.target_tokenizer.encode(" ".join(prefix)))
    return list(decode_events(bundle, source, DecodeConfig(prefix_ids=ids)))[-1].trace


def _shares(bundle: Bundle, trace: Trace) -> np.ndarray:
    """[step] of the last decoder layer."""
    *_, found = answer(bundle, SharesOf(), Reading.of(trace), Readings(bundle))
    assert isinstance(found, SourceShares)
    return np.asarray(found.source[-1])


def _example(trace: Trace, target: str, place: int, wrong: str) -> dict[str, Any]:
    layer = trace.layers(AttentionKind.CROSS) - 1
    heads = [
        trace.pattern(AttentionKind.CROSS, layer, head) for head in range(trace.heads(AttentionKind.CROSS))
    ]
    return {
        "source": trace.src_text,
        "target": target,
        "wrong": wrong,
        "place": place,
        "src": list(trace.src_tokens),
        "read": list(trace.tgt_in_tokens),
        "written": trace.tgt_text,
        "cross": np.mean(heads, axis=0).round(3),
    }
