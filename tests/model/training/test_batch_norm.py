"""Training with BatchNorm: what the running statistics are made of, kept and put back."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import Architecture, TrainConfig
from model.data.batches import make_batch
from model.data.corpus import encode_pairs
from model.errors import HeadscopeError
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer
from model.training.distributed import Ranks
from model.training.trainer import Trainer
from model.work import result_of
from tests.assets import END, PAD, PAIRS, START, tiny_tokenizer_bytes

NAME = "decoder.layers.0.norm2.running_var"


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.from_bytes(tiny_tokenizer_bytes(byte_fallback=False, vocab_size=144))


def trainer(tokenizer: SentencePieceTokenizer, ranks: Ranks | None = None, **changes: Any) -> Trainer:
    vocab = tokenizer.vocab_size
    architecture = Architecture(
        source_vocab=vocab, target_vocab=vocab, d_model=32, n_heads=2, encoder_layers=1, decoder_layers=1,
        d_ff=64, dropout=0.0, tie_embeddings="all", normalisation="batch",
    )  # fmt: skip
    transformer = Transformer(architecture, torch.Generator().manual_seed(1))
    corpus = result_of(encode_pairs(PAIRS, tokenizer, tokenizer, 64))
    told: dict[str, Any] = {"batch_tokens": 200, "warmup": 20, "precision": "float32", **changes}
    return Trainer(transformer, corpus, TrainConfig(**told), tokenizer, tokenizer, ranks)


def test_statistics_are_of_the_real_tokens_of_both_sides(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer)
    corpus, (chosen,) = subject.pairs_of(0)
    batch = make_batch(corpus, chosen, pad_id=PAD, start_id=START, end_id=END)
    assert not batch.target_mask.all()
    assert not batch.source_mask.all()
    seen: dict[str, NDArray[np.float64]] = {}
    plain = copy.deepcopy(subject.transformer).eval()

    def watch(stack: str, real: NDArray[np.bool_]) -> None:
        """Keep what enters the first norm, which hangs on no other norm: x + the sub-layer's output."""
        norm = getattr(plain, stack).layers[0].norm1
        own = norm.of

        def of(x: Tensor, counted: Tensor | None = None) -> Tensor:
            seen[stack] = x.detach().double().numpy()[real]
            result: Tensor = own(x, counted)
            return result

        norm.of = of

    watch("encoder", batch.source_mask)
    watch("decoder", batch.target_mask)
    plain(
        torch.from_numpy(batch.source),
        torch.from_numpy(batch.target_in),
        source_mask=torch.from_numpy(batch.source_mask),
    )
    subject.run_step()
    for stack, rows in seen.items():
        found = {
            part: subject.statistics[f"{stack}.layers.0.norm1.running_{part}"].numpy()
            for part in ("mean", "var")
        }
        np.testing.assert_allclose(found["mean"], 0.1 * rows.mean(0), atol=1e-6)
        np.testing.assert_allclose(found["var"], 0.9 + 0.1 * rows.var(0, ddof=1), atol=1e-6)


def test_each_part_of_a_step_counts_and_the_average_follows(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer, accumulate=2)
    before = subject.statistics[NAME].clone()
    subject.run_step()
    assert not torch.equal(subject.statistics[NAME], before)
    while subject.step < 20:
        average = subject.state()[f"average.{NAME}"].clone()
        subject.run_step()
    own = subject.state()[f"weights.{NAME}"]
    assert own is subject.statistics[NAME]
    # By now the average spans a tenth of the steps: two.
    torch.testing.assert_close(subject.state()[f"average.{NAME}"], (average + own) / 2)
    kept = own.clone()
    with subject.averaged_weights():
        assert torch.equal(own, subject.state()[f"average.{NAME}"])
    assert torch.equal(own, kept)


def test_a_step_that_diverges_leaves_them_as_they_were(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer)
    subject.run_step()
    with torch.no_grad():
        subject.transformer.get_parameter("encoder.layers.0.linear1.weight")[0, 0] = float("inf")
    kept = {name: one.clone() for name, one in subject.statistics.items()}
    with pytest.raises(HeadscopeError) as error:
        subject.run_step()
    assert error.value.code == "training_diverged"
    assert all(torch.equal(one, kept[name]) for name, one in subject.statistics.items())


def test_several_processes_are_refused(tokenizer: SentencePieceTokenizer) -> None:
    with pytest.raises(HeadscopeError) as error:
        trainer(tokenizer, Ranks(0, 2))
    assert error.value.code == "ranks_batch_norm"
