"""`look_at_batch`: a batch as a person sees it, of a run going on, one on disk, or one yet to begin."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from model.config import TrainConfig
from model.data.batches import Batch, make_batch
from model.data.corpus import EncodedCorpus
from model.data.training_data import read_training_data
from model.data.vocabularies import learn_vocabularies
from model.errors import HeadscopeError
from model.folder.bundle_config import SOURCE_SPM, TARGET_SPM, read_config
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer
from model.train_options import TrainOptions
from model.training.batch_view import BatchView, Pieces
from model.training.control import Control
from model.training.derived_options import DerivedOptions
from model.training.padding_effect import padding_effect
from model.training.plan import StepPlan
from model.training.prepare import most_tokens, shown_work, trained_on
from model.training.progress.events import WorkEvent
from model.training.progress.history import stored_header
from model.training.state import load_training_state
from model.training.trainer import pairs_of_step
from model.work import due

_WEIGHTS = "weights."  # of a training state's tensors


@dataclass(frozen=True, eq=False)
class _Seen:
    """What a batch is cut from and computed with."""

    transformer: Transformer
    corpus: EncodedCorpus
    config: TrainConfig
    source: Tokenizer
    target: Tokenizer


def look_at_batch(
    options: TrainOptions, out: Path, step: int, pad: int, *, live: Control | None = None
) -> Generator[WorkEvent, None, BatchView]:
    """The batch of optimizer step `step`, and what `pad` more columns of padding change in it.

    Where a step adds up several batches, it is the first of them. Yields while there is something to read
    or many epochs to plan first; closing the generator gives it up.

    Args:
        options: of the run; for one on disk those stored with it count.
        out: the run's folder; one that does not exist, or `Path()`, belongs to a run yet to begin, whose
            random weights are those it would begin with.
        step: from 0.
        pad: fewer are added where the model has no positions for so many.
        live: the run that goes on into `out`, in this thread. Its batch is computed between two of its steps
            with the weights of the moment; nothing of the run is changed, nothing random drawn.

    Raises:
        HeadscopeError: the corpus, a vocabulary or the folder's files cannot be read.
    """
    if live is not None and live.trainer is not None:
        trainer = live.trainer
        seen = _Seen(trainer.transformer, trainer.corpus, trainer.config, trainer.source, trainer.target)
    elif out != Path() and os.path.exists(out):
        seen = yield from _stored(out)
    else:
        seen = yield from _fresh(options)
    plan = StepPlan(seen.corpus, seen.config)
    last = time.monotonic()
    for done in plan.reach(step):
        if due(last):
            yield WorkEvent(step=0, epoch=0.0, stage="encoding", done=min(done, step), total=step)
            last = time.monotonic()
    # From here on nothing is yielded: the weights must not change between the two computations.
    return _view(seen, plan, step, pad)


def _stored(out: Path) -> Generator[WorkEvent, None, _Seen]:
    """A run as its training state has it."""
    header = stored_header(out)[1]
    options = header.options
    data = yield from shown_work(read_training_data(options), "reading")
    header.check_data(data.hashes)
    architecture = read_config(out).architecture
    source = SentencePieceTokenizer.load(out / SOURCE_SPM)
    target = SentencePieceTokenizer.load(out / TARGET_SPM)
    corpus = yield from trained_on(data, source, target, most_tokens(options, architecture))
    transformer = Transformer(architecture)
    tensors, _ = load_training_state(out)
    with torch.no_grad():
        for name, own in transformer.stored():
            stored = tensors.get(_WEIGHTS + name)
            if stored is None or stored.shape != own.shape:
                raise HeadscopeError("training_state_mismatch")
            own.copy_(stored)
    return _Seen(transformer, corpus, options.train, source, target)


def _fresh(options: TrainOptions) -> Generator[WorkEvent, None, _Seen]:
    """A run yet to begin."""
    data = yield from shown_work(read_training_data(options), "reading")
    derived_options = DerivedOptions(options, data.train)
    learning = learn_vocabularies(data.train, derived_options.options)
    source, target = yield from shown_work(learning, "vocabulary")
    sizes = source.vocab_size, target.vocab_size
    architecture = derived_options.options.architecture_with(*sizes)
    corpus = yield from trained_on(data, source, target, most_tokens(options, architecture))
    yield from derived_options.derive_rest(corpus, sizes, 1)
    options = derived_options.options
    architecture = options.architecture_with(*sizes)
    drawn_by = torch.Generator().manual_seed(options.train.seed)
    transformer = Transformer(architecture, drawn_by, options.train.output_start)
    return _Seen(transformer, corpus, options.train, source, target)


def _view(seen: _Seen, plan: StepPlan, step: int, pad: int) -> BatchView:
    batch = _batch(seen, plan.batches(step), step)
    longest = max(batch.source.shape[1], batch.target_in.shape[1])
    room = seen.transformer.architecture.max_positions - longest
    extra = max(0, min(pad, room))
    pads = {"source_pad": seen.source.pad_id, "target_pad": seen.target.pad_id}
    effect = padding_effect(seen.transformer, batch, extra, **pads)
    return BatchView(
        step=step,
        steps_per_epoch=plan.steps_in(plan.epoch_of(step)),
        source=batch.source,
        target_in=batch.target_in,
        target_out=batch.target_out,
        source_mask=batch.source_mask,
        target_mask=batch.target_mask,
        source_pieces=_pieces(batch.source, seen.source),
        target_in_pieces=_pieces(batch.target_in, seen.target),
        target_out_pieces=_pieces(batch.target_out, seen.target),
        **pads,
        padded_by=extra,
        loss=effect.loss,
        padded_loss=effect.padded_loss,
        largest_difference=effect.largest_difference,
    )


def _batch(seen: _Seen, batches: list[NDArray[np.int64]], step: int) -> Batch:
    positions = seen.transformer.architecture.max_positions
    tokenizers = seen.source, seen.target
    corpus, cut = pairs_of_step(seen.corpus, batches, seen.config, step, tokenizers, positions)
    return make_batch(
        corpus,
        cut[0],
        pad_id=seen.target.pad_id,
        start_id=seen.target.start_id,
        end_id=seen.target.end_id,
        source_pad_id=seen.source.pad_id,
    )


def _pieces(ids: NDArray[np.int64], tokenizer: Tokenizer) -> Pieces:
    return tuple(tuple(tokenizer.piece(token) for token in row) for row in ids.tolist())
