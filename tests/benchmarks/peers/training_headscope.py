"""Our side of the training benchmark: our `Trainer` on a folder of pieces. Run by `training`."""

from __future__ import annotations

import argparse
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from model.config import Architecture, Precision, TrainConfig
from model.data.corpus import EncodedCorpus
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.training.trainer import Trainer
from tests.benchmarks.peers.held_out import held_out_nll
from tests.benchmarks.tools.parallel_text import SOURCE, SPECIALS, TARGET, read_ranks
from tests.benchmarks.tools.worker import serve

PAD, UNK, START, END = range(SPECIALS)


def corpus_of(folder: Path) -> EncodedCorpus:
    """The folder's pairs; piece n has the id n + 4."""
    sources = [[place + SPECIALS for place in row] + [END] for row in read_ranks(folder / SOURCE)]
    targets = [[place + SPECIALS for place in row] for row in read_ranks(folder / TARGET)]
    return EncodedCorpus(*_joined(sources), *_joined(targets), dropped_empty=0, dropped_long=0)


def _joined(rows: list[list[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rows end to end, and where each begins."""
    tokens = np.array([token for row in rows for token in row], dtype=np.int32)
    return tokens, np.array([0, *accumulate(map(len, rows))], dtype=np.int64)


class _Ids:
    """The ids a `Trainer` asks its tokenizers for."""

    pad_id, unk_id, start_id, end_id = PAD, UNK, START, END


def special_ids() -> Tokenizer:
    """In place of a tokenizer: the pairs are cut already."""
    ids: Any = _Ids()
    tokenizer: Tokenizer = ids
    return tokenizer


def build_trainer(
    folder: Path,
    *,
    vocabulary: int,
    batch_tokens: int,
    precision: Precision,
    batch_pairs: int = 0,
    warmup: int = 4000,
    seed: int = 1,
) -> Trainer:
    """3+3 layers, d_model 256, d_ff 1,024, 4 heads, one embedding for both sides and the output."""
    architecture = Architecture(
        source_vocab=vocabulary,
        target_vocab=vocabulary,
        d_model=256,
        n_heads=4,
        encoder_layers=3,
        decoder_layers=3,
        d_ff=1024,
        tie_embeddings="all",
    )
    config = TrainConfig(
        batch_tokens=batch_tokens, batch_sentences=batch_pairs, precision=precision, warmup=warmup, seed=seed
    )
    transformer = Transformer(architecture, torch.Generator().manual_seed(seed), config.output_start)
    return Trainer(transformer, corpus_of(folder), config, special_ids(), special_ids())


def nll_of(trainer: Trainer, folder: Path) -> float:
    """Of the folder's held-out pairs, in float32."""
    transformer = trainer.transformer.eval()

    def logits_of(source: torch.Tensor, target_in: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        return transformer.project(transformer(source, target_in, source_mask=real))

    return held_out_nll(
        folder, lambda piece: int(piece[1:]) + SPECIALS, pad=PAD, start=START, end=END, logits_of=logits_of
    )


def main() -> None:
    """Train as many steps as each order says; the order 0 asks for the loss of held-out pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--vocabulary", type=int, required=True)
    parser.add_argument("--batch-tokens", type=int, required=True)
    parser.add_argument("--batch-pairs", type=int, default=0)
    parser.add_argument("--warmup", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--precision", choices=["float32", "bfloat16"], required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    trainer = build_trainer(
        options.folder,
        vocabulary=options.vocabulary,
        batch_tokens=options.batch_tokens,
        precision=options.precision,
        batch_pairs=options.batch_pairs,
        warmup=options.warmup,
        seed=options.seed,
    )

    def run(steps: int) -> dict[str, Any]:
        if not steps:
            return {"nll": nll_of(trainer, options.folder)}
        began = time.perf_counter()
        results = [trainer.run_step() for _ in range(steps)]
        seconds = time.perf_counter() - began
        tokens = sum(result.target_tokens for result in results)
        return {"seconds": seconds, "target_tokens": tokens}

    parameters = sum(p.numel() for p in trainer.parameters)
    serve({"parameters": parameters, "torch": torch.__version__}, run)


if __name__ == "__main__":
    main()
