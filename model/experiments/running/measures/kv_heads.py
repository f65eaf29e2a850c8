"""measure: how right a model is, what its cache holds, and how far its heads' maps are from one another."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from model.bundle.bundle import Bundle
from model.data.pairs.pair_files import Pair
from model.experiments.running.exam import Exam
from model.experiments.running.trained import Trained, accuracy
from model.folder.bundle_config import cache_numbers
from model.trace.trace import AttentionKind
from model.training.progress.history import stored_run

PAIRS = 150
_CAPACITY = 16
_WORDS = 6


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """What `model.experiments.kv_heads` shows.

    Returns:
        `accuracy`: share of sentences translated right in every word; `loss`: of held-out pairs at the end;
        `cache`: numbers kept of a token, worked out from the architecture, and `allocated`, counted in the
        memory that decoding takes; `apart`: [head][head] mean distance of two heads' cross maps, 0 the same
        and 1 disjoint; `maps`: [head][query][key] of the last layer's cross-attention for one sentence with
        its `read` and `written` pieces.
    """
    bundle = trained.bundle
    pairs = trained.pairs(PAIRS)
    right = yield from accuracy(bundle, pairs)
    exam = Exam(bundle, pairs, trained.options.train.max_tokens)
    apart = distances(exam)
    yield None
    told = Exam(bundle, pairs[_shown(pairs) :][:1], trained.options.train.max_tokens)
    maps = told.patterns(AttentionKind.CROSS)[-1][0].numpy(force=True)
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    return {
        "accuracy": right,
        "words": exam.marks().words,
        "loss": stored_run(trained.folder).evals[-1].heldout_loss,
        "cache": cache_numbers(bundle.config.architecture),
        "allocated": allocated(bundle),
        "apart": np.round(apart, 4).tolist(),
        "maps": np.round(maps, 3).tolist(),
        "read": [source.piece(int(each)) for each in told.batch.source[0]],
        "written": [target.piece(int(each)) for each in told.batch.target_out[0]],
    }


def allocated(bundle: Bundle) -> float:
    """Numbers that decoding holds of a token that it wrote, counted in the memory that it takes."""
    network = bundle.transformer
    ids = [bundle.source_tokenizer.end_id]
    with torch.inference_mode():
        cache = network.start_cache(network.encode(torch.tensor([ids])), capacity=_CAPACITY)
    return sum(layer.keys.numel() + layer.values.numel() for layer in cache.layers) / _CAPACITY


def distances(exam: Exam) -> npt.NDArray[np.float64]:
    """[head, head] of the last layer: half the sum of the differences of two heads' weights.

    Their total variation, the mean over all rows of real target tokens.
    """
    patterns = exam.patterns(AttentionKind.CROSS)[-1].numpy(force=True)
    heads = patterns.shape[1]
    rows = patterns.transpose(1, 0, 2, 3)[:, exam.batch.target_mask]
    found = np.zeros((heads, heads))
    for one, other in combinations(range(heads), 2):
        found[one, other] = found[other, one] = np.abs(rows[one] - rows[other]).sum(-1).mean() / 2
    return found


def _shown(pairs: Sequence[Pair]) -> int:
    """A sentence that is neither short nor too long for a row of maps."""
    lengths = [abs(len(target.split()) - _WORDS) for _, target in pairs]
    return lengths.index(min(lengths))
