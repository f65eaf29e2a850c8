"""How well weights do on held-out pairs: loss and BLEU.

Both are generators that yield after each batch, so that other work may go on between, and return the score.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import sacrebleu
import torch

from model.batch_decoding import translate_texts
from model.bleu_tokens import bleu_tokenizer
from model.data.batches import make_batch, plan_batches
from model.data.corpus import EncodedCorpus
from model.precision import autocast
from model.tokenizer import Tokenizer
from model.training.loss import smoothed_loss
from model.transformer import Transformer

BATCH_TOKENS = 4096
SAMPLES = 3


@dataclass(frozen=True, eq=False)
class Heldout:
    """Pairs kept out of training.

    Attributes:
        corpus: all of them, encoded.
        texts: (source, first reference) of the distinct sources that BLEU is measured on.
        examples: some of the sources, to show what the model does.
        language: of the references, which decides how BLEU cuts them into words.
    """

    corpus: EncodedCorpus
    texts: Sequence[tuple[str, str]]
    examples: Sequence[str]
    language: str


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
        real = torch.from_numpy(batch.target_mask).to(device)
        with autocast(device, dtype):
            hidden = transformer(
                torch.from_numpy(batch.source).to(device),
                torch.from_numpy(batch.target_in).to(device),
                source_mask=torch.from_numpy(batch.source_mask).to(device),
            )
        gold = torch.from_numpy(batch.target_out).to(device)[real]
        output = transformer.output
        _, nll = smoothed_loss(hidden[real].to(dtype), output.weight, output.bias, gold, 0.0)
        total += float(nll) * batch.target_tokens
        tokens += batch.target_tokens
        yield
    return total / max(1, tokens)


def heldout_bleu(
    transformer: Transformer, heldout: Heldout, source: Tokenizer, target: Tokenizer, dtype: torch.dtype
) -> Generator[None, None, tuple[float, tuple[tuple[str, str], ...]]]:
    """sacreBLEU of greedy translations by the first references, and some (source, translation) samples."""
    texts = [text for text, _ in heldout.texts]
    outputs = [""] * len(texts)
    translations = translate_texts(transformer, source, target, texts)
    while True:
        # Entered anew each time: the mode belongs to the thread, which does other things between.
        with autocast(transformer.output.weight.device, dtype):
            done = next(translations, None)
        if done is None:
            break
        index, outputs[index] = done
        yield
    references = [reference for _, reference in heldout.texts]
    score = sacrebleu.corpus_bleu(outputs, [references], tokenize=bleu_tokenizer(heldout.language)).score
    shown = range(0, len(texts), max(1, len(texts) // SAMPLES))
    return float(score), tuple((texts[i], outputs[i]) for i in shown)[:SAMPLES]
