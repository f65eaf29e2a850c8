"""How well weights do on held-out pairs: loss and BLEU."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import sacrebleu
import torch

from model.batch_decoding import translate_texts
from model.batches import make_batch, plan_batches
from model.corpus import EncodedCorpus
from model.loss import smoothed_loss
from model.tokenizer import Tokenizer
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Heldout:
    """Pairs kept out of training.

    Attributes:
        corpus: all of them, encoded.
        texts: (source, first reference) of the distinct sources that BLEU is measured on.
    """

    corpus: EncodedCorpus
    texts: Sequence[tuple[str, str]]


@torch.inference_mode()
def heldout_loss(
    transformer: Transformer, heldout: Heldout, target: Tokenizer, source_pad: int, dtype: torch.dtype
) -> float:
    """Mean cross-entropy in nats per target token."""
    device = transformer.output.weight.device
    corpus = heldout.corpus
    total, tokens = 0.0, 0
    for indices in plan_batches(corpus.source_lengths, corpus.target_lengths, 4096, seed=0, epoch=0):
        batch = make_batch(
            corpus,
            indices,
            pad_id=target.pad_id,
            start_id=target.start_id,
            end_id=target.end_id,
            source_pad_id=source_pad,
        )
        mask = torch.from_numpy(batch.source_mask).to(device)
        real = torch.from_numpy(batch.target_mask).to(device)
        autocast = dtype != torch.float32
        with torch.autocast(device.type, dtype) if autocast else contextlib.nullcontext():
            hidden = transformer(
                torch.from_numpy(batch.source).to(device),
                torch.from_numpy(batch.target_in).to(device),
                source_mask=mask,
            )
        gold = torch.from_numpy(batch.target_out).to(device)[real]
        _, nll = smoothed_loss(
            hidden[real].to(dtype), transformer.output.weight, transformer.output.bias, gold, 0.0
        )
        total += float(nll) * batch.target_tokens
        tokens += batch.target_tokens
    return total / max(1, tokens)


def heldout_bleu(
    transformer: Transformer, heldout: Heldout, source: Tokenizer, target: Tokenizer, dtype: torch.dtype
) -> tuple[float, tuple[tuple[str, str], ...]]:
    """sacreBLEU of greedy translations against the first references, and three (source, translation) samples."""
    texts = [text for text, _ in heldout.texts]
    outputs = [""] * len(texts)
    device = transformer.output.weight.device
    with torch.autocast(device.type, dtype) if dtype != torch.float32 else contextlib.nullcontext():
        for index, text in translate_texts(transformer, source, target, texts):
            outputs[index] = text
    score = sacrebleu.corpus_bleu(outputs, [[reference for _, reference in heldout.texts]]).score
    samples = tuple((texts[i], outputs[i]) for i in range(0, len(texts), max(1, len(texts) // 3)))[:3]
    return float(score), samples
