"""first_gradients: the gradient of each layer before the first step."""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch

from model.data.batches import make_batch
from model.data.corpus import encode_pairs
from model.experiments.running.trained import Trained
from model.network.transformer import Transformer
from model.training.objectives.word_loss import word_loss
from model.work import result_of

_PAIRS = 64


def first_gradients(trained: Trained, stack: Literal["encoder", "decoder"]) -> list[float]:
    """The Euclidean length of the loss's gradient in each layer's second feed-forward matrix.

    Of the weights as they were drawn from the seed, on pairs that are none of the training's (arXiv
    2002.04745, section 3.3 and figure 3).
    """
    bundle = trained.bundle
    model = Transformer(bundle.config.architecture, torch.Generator().manual_seed(trained.seed))
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    corpus = result_of(encode_pairs(trained.pairs(_PAIRS), source, target, trained.options.train.max_tokens))
    batch = make_batch(
        corpus,
        np.arange(len(corpus.source_lengths)),
        pad_id=target.pad_id,
        start_id=target.start_id,
        end_id=target.end_id,
        source_pad_id=source.pad_id,
    )
    real = torch.from_numpy(batch.target_mask)
    with torch.enable_grad():
        hidden = model(
            torch.from_numpy(batch.source),
            torch.from_numpy(batch.target_in),
            source_mask=torch.from_numpy(batch.source_mask),
        )
        gold = torch.from_numpy(batch.target_out)[real]
        objective, _ = word_loss(model, hidden[real], gold, 0.0)
        torch.autograd.backward(objective)
    layers = (model.encoder if stack == "encoder" else model.decoder).layers
    grads = [layer.get_parameter("linear2.weight").grad for layer in layers]
    return [0.0 if grad is None else float(grad.norm()) for grad in grads]
