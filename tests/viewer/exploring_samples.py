"""Traces with numbers that a test can work out by hand, and a session that shows one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from model.trace.trace import Trace
from tests.viewer.fake_source import small_info, small_trace
from viewer.document.document import Run
from viewer.document.session import Session

VOCABULARY = 8000
WORDS = ("▁une", "▁la", "▁du", "e", "▁un")
SHARES = (0.5, 0.25, 0.125, 0.0625, 0.03125)


def step_trace(chosen: int = 0, **changes: Any) -> Trace:
    """Three steps, each with the same five candidates (ids 10 to 14); `chosen` is the place of the taken one.

    Beyond the candidates, 5 stands for token 99, rank 7, of probability 0.01.
    """
    ids = np.tile(np.arange(10, 15), (3, 1))
    shares = np.tile(np.array(SHARES, np.float32), (3, 1))
    out_of_list = chosen == len(WORDS)
    token, piece, share = (99, "▁rare", 0.01) if out_of_list else (10 + chosen, WORDS[chosen], SHARES[chosen])
    return replace(
        small_trace(3),
        tgt_out_ids=np.full(3, token, np.int64),
        tgt_out_tokens=(piece,) * 3,
        step_logprob=np.full(3, np.log(share), np.float32),
        candidate_ids=ids,
        candidate_logprobs=np.log(shares),
        candidate_tokens=(WORDS,) * 3,
        step_rank=np.full(3, 7 if out_of_list else chosen + 1, np.int64),
        **changes,
    )


def sampled_trace() -> Trace:
    """Temperature 1, top-k 3: the first three share what they hold, the rest is out; the second is taken."""
    kept = np.array(SHARES[:3]) / sum(SHARES[:3])
    with np.errstate(divide="ignore"):
        drawn = np.log(np.concatenate([kept, [0.0, 0.0]])).astype(np.float32)
    return step_trace(
        1,
        decoding={"mode": "sample", "temperature": 1.0, "top_k": 3, "top_p": 1.0, "seed": 4},
        candidate_drawn=np.tile(drawn, (3, 1)),
        drawn_count=np.full(3, 3, np.int64),
    )


def session_with(trace: Trace, *, model: bool = True, **run: Any) -> Session:
    """A session that shows a run "a" of this trace at step 1, with the model that made it open."""
    session = Session()
    if model:
        session.set_model(replace(small_info(), architecture={"target_vocab": VOCABULARY}))
    session.add_run(Run("a", trace, **run))
    session.set_step(1)
    return session
