"""`Heldout`: held-out pairs, and how well weights do on them: loss and BLEU.

All are generators that yield often, so that other work may go on between, and return the score.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
import sacrebleu
import torch

from model.data.batches import Batch, make_batch, plan_batches
from model.data.corpus import EncodedCorpus
from model.decoding.batch_decoding import translation_steps
from model.network.precision import autocast
from model.network.transformer import Transformer
from model.tokens.bleu_tokens import bleu_tokenizer
from model.tokens.tokenizer import Tokenizer
from model.training.objectives.masked import hide, masked_loss
from model.training.objectives.objective import Inputs
from model.training.objectives.word_loss import word_loss

BATCH_TOKENS = 1024  # few, so that other work may go on soon
SAMPLES = 3
HIDDEN_SEED = 1
"""Of which tokens are hidden from a model that writes in rounds."""

_SLICE = 0.03  # seconds of translating between two yields


@dataclass(frozen=True, eq=False)
class Heldout:
    """Pairs kept out of training.

    Attributes:
        corpus: all of them, encoded.
        texts: (source, first reference) of the distinct sources that BLEU is measured on.
        examples: (source, first reference) of some, to show what the model does.
        language: of the references, which decides how BLEU cuts them into words.
        pairs: how many are held out; 0 where some of the training pairs stand in for them.
        watched: further sources to translate at each evaluation, held out or not; they do not count for BLEU.
    """

    corpus: EncodedCorpus
    texts: Sequence[tuple[str, str]]
    examples: Sequence[tuple[str, str]]
    language: str
    pairs: int
    watched: Sequence[str] = ()


@torch.inference_mode()
def heldout_loss(
    transformer: Transformer, heldout: Heldout, source: Tokenizer, target: Tokenizer, dtype: torch.dtype
) -> Generator[None, None, float]:
    """Mean cross-entropy in nats per target token, without smoothing; yields after each batch."""
    device = transformer.output.weight.device
    corpus = heldout.corpus
    total, tokens = 0.0, 0
    for indices in plan_batches(corpus.source_lengths, corpus.target_lengths, BATCH_TOKENS, seed=0, epoch=0):
        batch = make_batch(
            corpus,
            indices,
            pad_id=target.pad_id,
            start_id=target.start_id,
            end_id=target.end_id,
            source_pad_id=source.pad_id,
        )
        if transformer.architecture.in_rounds:
            total += _nll_of_hidden(transformer, batch, dtype) * batch.target_tokens
            tokens += batch.target_tokens
            yield
            continue
        real = torch.from_numpy(batch.target_mask).to(device)
        with autocast(device, dtype):
            hidden = transformer(
                torch.from_numpy(batch.source).to(device),
                torch.from_numpy(batch.target_in).to(device),
                source_mask=torch.from_numpy(batch.source_mask).to(device),
            )
        gold = torch.from_numpy(batch.target_out).to(device)[real]
        _, nll = word_loss(transformer, hidden[real], gold, 0.0, dtype=dtype)
        total += float(nll) * batch.target_tokens
        tokens += batch.target_tokens
        yield
    return total / max(1, tokens)


def _nll_of_hidden(transformer: Transformer, batch: Batch, dtype: torch.dtype) -> float:
    """Of a model that writes in rounds; the same tokens are hidden each time."""
    device = transformer.output.weight.device
    real = np.flatnonzero(batch.target_mask)
    inputs = Inputs(
        torch.from_numpy(batch.source).to(device),
        torch.from_numpy(batch.source_mask).to(device),
        torch.from_numpy(batch.target_in).to(device),
        torch.from_numpy(real).to(device),
        torch.from_numpy(batch.target_out.reshape(-1)[real]).to(device),
    )
    generator = torch.Generator(device=device).manual_seed(HIDDEN_SEED)
    _, nll = masked_loss(
        transformer,
        transformer,
        inputs,
        hide(inputs, generator),
        smoothing=0.0,
        tokens=batch.target_tokens,
        dtype=dtype,
    )
    return float(nll)


def heldout_bleu(
    transformer: Transformer, heldout: Heldout, source: Tokenizer, target: Tokenizer, dtype: torch.dtype
) -> Generator[int, None, tuple[float, tuple[tuple[str, str], ...]]]:
    """sacreBLEU of greedy translations by the first references, and (source, translation) of some sources.

    Samples are what is watched, and a few of the held-out sources.

    Yields every few steps of a batch how many translations are done.
    """
    texts = [*(text for text, _ in heldout.texts), *heldout.watched]
    counted = len(heldout.texts)
    outputs = [""] * len(texts)
    translations = translation_steps(
        transformer, source, target, texts, most=transformer.architecture.max_positions
    )
    finished = 0
    running = True
    while running:
        until = time.monotonic() + _SLICE
        # Entered anew each time: the mode belongs to the thread, which does other things between.
        with autocast(transformer.output.weight.device, dtype):
            while running and time.monotonic() < until:
                try:
                    done = next(translations)
                except StopIteration:
                    running = False
                    break
                if done is not None:
                    index, outputs[index] = done
                    finished += 1
        yield finished
    references = [reference for _, reference in heldout.texts]
    # Forced: a task whose marks are words of their own is no oversight that sacreBLEU should warn of.
    score = sacrebleu.corpus_bleu(
        outputs[:counted], [references], tokenize=bleu_tokenizer(heldout.language), force=True
    ).score
    spread = range(0, counted, max(1, counted // SAMPLES))[:SAMPLES]
    shown = dict.fromkeys((*range(counted, len(texts)), *spread))
    return float(score), tuple((texts[i], outputs[i]) for i in shown)
