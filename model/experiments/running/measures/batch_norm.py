"""watch and measure: how far batch statistics are from the running ones, and what a batch-mate changes.

Shapes: N norms of a model in the order of computation, d features, b pairs.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.bundle.weights import blank_transformer, load_weights, weights_of
from model.data.batches import Batch, make_batch
from model.data.corpus import EncodedCorpus, encode_pairs
from model.experiments.running.trained import Trained, accuracy
from model.network.attention import AttentionSite
from model.network.norms import MOMENTUM
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.trace.trace import AttentionKind
from model.training.objectives.word_loss import word_loss
from model.training.progress.history import stored_run
from model.training.trainer import Trainer
from model.work import result_of

_BATCHES = 4  # that a watch takes the mean of
_PAIRS = 100
_MATES = 12  # batch-mates that are tried
_MEAN = ".running_mean"


@torch.no_grad()
def watch(trainer: Trainer) -> dict[str, Any]:
    """Of the batches of the next steps, [N] each; nothing with LayerNorm, and before the first step.

    `mean`: root mean square over features of (batch mean - running mean) / running deviation; `variance`:
    sum over features of |batch variance - running variance|, divided by the sum of running variances. The
    mismatch that Shen et al. show (arXiv 2003.07845, section 3), here without a unit. `noise`: 1 / sqrt(n)
    for n tokens, which the first would be if tokens were drawn independently.
    """
    if not trainer.statistics or not trainer.step:
        return {}
    before = {name: one.clone() for name, one in trainer.statistics.items()}
    model = copied(trainer.transformer)
    rows: list[tuple[list[float], list[float], list[float]]] = []
    for step in range(trainer.step, trainer.step + _BATCHES):
        corpus, batches = trainer.pairs_of(step)
        load_weights(model, weights_of(trainer.transformer))
        batch = _batch(corpus, batches[0], trainer.source, trainer.target)
        _forward(model.train(), batch)
        rows.append(_off(before, dict(model.statistics()), batch))
    means = np.asarray(rows).mean(0)
    return {name: means[at].tolist() for at, name in enumerate(("mean", "variance", "noise"))}


def _off(
    before: dict[str, Tensor], after: dict[str, Tensor], batch: Batch
) -> tuple[list[float], list[float], list[float]]:
    """By how much a batch is off, norm by norm: the running statistics moved by a tenth of that."""
    mean, variance, noise = [], [], []
    for name in (name for name in before if name.endswith(_MEAN)):
        wide = name.removesuffix(_MEAN) + ".running_var"
        moved = (after[name] - before[name]) / MOMENTUM
        mean.append(float((moved.square() / before[wide]).mean().sqrt()))
        changed = (after[wide] - before[wide]) / MOMENTUM
        variance.append(float(changed.abs().sum() / before[wide].sum()))
        mask = batch.source_mask if name.startswith("encoder.") else batch.target_mask
        noise.append(float(mask.sum()) ** -0.5)
    return mean, variance, noise


def copied(transformer: Transformer) -> Transformer:
    """Another with the same weights, to be tried in training mode."""
    model = blank_transformer(transformer.architecture)
    load_weights(model, weights_of(transformer))
    return model


@torch.no_grad()
def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """What the page shows, by name.

    `loss`: of held-out pairs; `right`: the share of fresh pairs translated without a mistake;
    `own_statistics` and `running_statistics`: loss of those pairs in training mode, by the batch's own
    statistics, and as translations are made; `mate_training`, `mate_inference`: largest change of any
    attention weight of a sentence when another sentence of its batch is changed; `map`, `changed_map`: [n, n]
    of the encoder's last layer, head 1, in training mode, with the change that is the largest; `words`: of
    its sentence; `watched`.
    """
    bundle = trained.bundle
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    pairs = trained.pairs(_PAIRS)
    right = yield from accuracy(bundle, pairs)
    corpus = result_of(encode_pairs(pairs, source, target, trained.options.train.max_tokens))
    model = copied(bundle.transformer)
    whole = _batch(corpus, np.arange(len(corpus)), source, target)
    own = _loss(model.train(), whole)
    yield None
    running = _loss(bundle.transformer, whole)
    yield None
    found: dict[str, Any] = {
        "loss": stored_run(trained.folder).evals[-1].heldout_loss,
        "right": right,
        "own_statistics": own,
        "running_statistics": running,
    }
    batch = _batch(corpus, np.arange(min(len(corpus), _MATES + 2)), source, target)
    length = int(batch.source_mask[0].sum())
    training = [_patterns(model.train(), batch, mate) for mate in range(1, len(batch.source))]
    yield None
    inference = [_patterns(model.eval(), batch, mate) for mate in range(1, len(batch.source))]
    found["mate_training"], most = _change(training)
    found["mate_inference"], _ = _change(inference)
    site = AttentionSite(AttentionKind.ENCODER_SELF, bundle.config.architecture.encoder_layers - 1)
    maps = [patterns[site][0, :length, :length] for patterns in (training[0], training[most])]
    found["map"], found["changed_map"] = (one.numpy().round(4).tolist() for one in maps)
    found["words"] = [source.piece(one).lstrip("\u2581") for one in batch.source[0, :length].tolist()]
    return {**found, "watched": trained.watched}


def _batch(corpus: EncodedCorpus, chosen: NDArray[np.int64], source: Tokenizer, target: Tokenizer) -> Batch:
    return make_batch(
        corpus,
        chosen,
        pad_id=target.pad_id,
        start_id=target.start_id,
        end_id=target.end_id,
        source_pad_id=source.pad_id,
    )


def _forward(model: Transformer, batch: Batch, rows: Sequence[int] | None = None, tap: Any = None) -> Tensor:
    """Hidden states of some pairs, padded as the whole batch is."""
    chosen = slice(None) if rows is None else list(rows)
    arrays = (batch.source, batch.target_in, batch.source_mask, batch.target_mask)
    read, written, read_mask, written_mask = (torch.from_numpy(one[chosen]) for one in arrays)
    hidden: Tensor = model(read, written, source_mask=read_mask, target_mask=written_mask, tap=tap)
    return hidden


def _loss(model: Transformer, batch: Batch) -> float:
    """Nats per target token."""
    real = torch.from_numpy(batch.target_mask)
    gold = torch.from_numpy(batch.target_out)[real]
    hidden = _forward(model, batch)[real]
    return float(word_loss(model, hidden, gold, 0.0)[1])


def _patterns(model: Transformer, batch: Batch, mate: int) -> dict[AttentionSite, Tensor]:
    """The first pair's own patterns [head, query, key], read in one batch with another."""
    found: dict[AttentionSite, Tensor] = {}

    def tap(site: AttentionSite, pattern: Tensor) -> None:
        found[site] = pattern[0].clone()

    _forward(model, batch, (0, mate), tap)
    return found


def _change(ways: Sequence[dict[AttentionSite, Tensor]]) -> tuple[float, int]:
    """The largest change of any weight from the first way to another, and which that is."""
    changes = [max(float((way[site] - ways[0][site]).abs().max()) for site in way) for way in ways]
    return max(changes), int(np.argmax(changes))
