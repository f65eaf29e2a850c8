"""Speed of training on this machine: a few timed steps of a model that is thrown away."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from model.config import Architecture, TrainConfig
from model.data.corpus import EncodedCorpus
from model.data.vocabularies import load_vocabularies
from model.network.precision import pick_device
from model.network.transformer import Transformer
from model.train_options import TrainOptions
from model.training.follow import SpecialTokenIds
from model.training.plan import StepPlan
from model.training.trainer import Trainer

_PAIRS = 2000  # of the corpus: enough for batches of every length
_BATCH = 512  # tokens: on a processor time goes by tokens, and a large model's full batch takes many seconds
_STEPS, _SECONDS = 6, 1.5  # the most that is measured, after a first step that sets everything up
_IDS = {"pad_id": 0, "unk_id": 1, "start_id": 2, "end_id": 3}


def measured_speed(
    architecture: Architecture, config: TrainConfig, corpus: EncodedCorpus, threads: int = 0
) -> Generator[None, None, float]:
    """Batch tokens a second (of the longer side of each pair, padding left out); yields after each step.

    Nothing of a run is touched: the weights are others, and no random number of the program's is drawn.

    Args:
        threads: for the steps; 0 = as it is.
    """
    device = pick_device(config.device)
    batch = min(config.batch_tokens, _BATCH) if device.type == "cpu" else config.batch_tokens
    # Its ids are no pieces that could be cut in other ways.
    config = replace(config, accumulate=1, batch_tokens=batch, bpe_dropout=0.0)
    corpus = corpus.first(_PAIRS)
    with torch.random.fork_rng(devices=[]):  # torch's layers draw their first weights from the program's own
        transformer = Transformer(architecture, torch.Generator().manual_seed(0)).to(device)
    ids: Any = SpecialTokenIds(_IDS)
    trainer = Trainer(transformer, corpus, config, ids, ids)
    lengths = np.maximum(corpus.source_lengths, corpus.target_lengths + 1)
    plan = StepPlan(corpus, config)
    before = torch.get_num_threads()
    tokens, seconds = 0, 0.0
    for step in range(1 + _STEPS):
        torch.set_num_threads(threads or before)
        began = time.perf_counter()
        trainer.run_step()
        if step:
            seconds += time.perf_counter() - began
            tokens += sum(int(lengths[pairs].sum()) for pairs in plan.batches(step))
        torch.set_num_threads(before)
        if seconds >= _SECONDS:
            break
        yield
    return tokens / max(seconds, 1e-9)


def stand_in_corpus(pieces: tuple[int, int], tokens: float) -> EncodedCorpus:
    """Pairs of random pieces, about as long as those of a corpus that nobody has cut into pieces yet.

    Args:
        pieces: of the source's and of the target's vocabulary, among them the special ones.
        tokens: of an ordinary sentence.
    """
    draw = np.random.default_rng(0)
    lengths = np.maximum(1, draw.uniform(0.4, 1.6, _PAIRS) * tokens).astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    source, target = (draw.integers(len(_IDS), count, offsets[-1], dtype=np.int32) for count in pieces)
    return EncodedCorpus(source, offsets, target, offsets, 0, 0)


def guessed_speed(options: TrainOptions, tokens: float) -> Generator[None, None, float]:
    """The same for a run whose corpus nobody has cut into pieces yet, sentences being of so many tokens.

    Raises:
        HeadscopeError: an existing vocabulary cannot be read.
    """
    # Somebody who types a size has typed its first digit before: no vocabulary is as small as that.
    source, target = (max(len(_IDS) + 1, count) for count in vocabulary_sizes(options))
    pieces = source, target
    corpus = stand_in_corpus(pieces, tokens)
    architecture = options.architecture_with(*pieces)
    return (yield from measured_speed(architecture, options.train, corpus, options.train.threads))


def vocabulary_sizes(options: TrainOptions) -> tuple[int, int]:
    """As large as was asked for, unless they exist already."""
    if not options.vocab_files:
        return options.vocab_size, options.vocab_size
    source, target = load_vocabularies(options.vocab_files)
    return source.vocab_size, target.vocab_size
