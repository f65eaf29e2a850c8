"""An order experiment with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.trace.exploration import OrderExperiment, OrderReading
from tests.viewer.export_samples import sample_trace

PIECES = ("▁Tom", "▁loves", "▁Mary")
IDS = (271, 2368, 383)
ORDER = (2, 1, 0)
# Of three tokens each; products 0.5, 0.25, 0.125 and 0.0001.
LOGPROBS = {
    (False, True): np.log([1.0, 0.5, 1.0]),
    (True, True): np.log([0.5, 0.5, 1.0]),
    (False, False): np.log([0.5, 0.5, 0.5]),
    (True, False): np.log([0.01, 0.1, 0.1]),
}


def reading(reordered: bool, positions: bool) -> OrderReading:
    order = ORDER if reordered else (0, 1, 2)
    changes: list[dict[str, Any]] = []
    if reordered:
        changes.append({"type": "reorder", "order": list(ORDER)})
    if not positions:
        changes.append({"type": "positions", "side": "both", "how": "none", "seed": 0})
    trace = sample_trace(
        source=(*(PIECES[i] for i in order), "</s>"),
        target=("<s>", "▁x", "▁y", "</s>"),
        seed=2 * reordered + positions,
        src_text="Tom loves Mary",
        src_ids=np.array([*(IDS[i] for i in order), 3], np.int64),
        tgt_text=f"translation {reordered:d}{positions:d}",
        step_logprob=LOGPROBS[reordered, positions].astype(np.float32),
        alterations=tuple(changes),
    )
    return OrderReading(reordered, positions, trace)


def experiment(**changes: Any) -> OrderExperiment:
    small = np.array([3e-7, 1e-7, 2e-7], np.float32)
    values: dict[str, Any] = {
        "text": "Tom loves Mary",
        "pieces": PIECES,
        "ids": IDS,
        "order": ORDER,
        "readings": tuple(reading(r, p) for p in (True, False) for r in (False, True)),
        "distance": {True: np.array([8.0, 2.0, 4.0], np.float32), False: 2 * small},
        "largest": {True: np.array([1.5, 0.5, 2.25], np.float32), False: small},
        "norm": {True: np.ones(3, np.float32), False: np.ones(3, np.float32)},
    }
    return OrderExperiment(**{**values, **changes})
