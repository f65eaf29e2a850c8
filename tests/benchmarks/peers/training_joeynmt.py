"""JoeyNMT's side of the training benchmark: its own training loop, stopped between rounds. Run by `training`.

This file imports nothing of Headscope's that needs more than the standard library, so that it runs in an
environment that holds JoeyNMT alone. The model and the settings are those of `training_headscope`; what
JoeyNMT cannot be told (attention dropout, no bucketing, plain Adam) is part of what is compared.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

# JoeyNMT imports this package without asking for it; the standard library has had the same since 3.10.
sys.modules.setdefault("importlib_metadata", importlib.metadata)

from joeynmt.config import parse_global_args, set_validation_args  # noqa: E402
from joeynmt.prediction import prepare  # noqa: E402
from joeynmt.training import TrainManager  # noqa: E402

from tests.benchmarks.peers.held_out import held_out_nll  # noqa: E402
from tests.benchmarks.tools.worker import answer, next_order  # noqa: E402


def settings(
    folder: Path,
    model_dir: Path,
    *,
    vocabulary: int,
    batch_tokens: int,
    batch_pairs: int = 0,
    warmup: int = 4000,
    seed: int = 1,
) -> dict[str, Any]:
    """A JoeyNMT configuration; `folder` holds train.src, train.trg and pieces.txt."""
    embeddings = {"embedding_dim": 256, "scale": True, "dropout": 0.1}
    stack = {
        "type": "transformer",
        "num_layers": 3,
        "num_heads": 4,
        "embeddings": embeddings,
        "hidden_size": 256,
        "ff_size": 1024,
        "dropout": 0.1,
        "layer_norm": "post",
    }
    side = {"level": "word", "voc_file": str(folder / "pieces.txt"), "voc_limit": vocabulary}
    train = str(folder / "train")
    return {
        "name": "benchmark",
        "joeynmt_version": "2.3.0",
        "model_dir": str(model_dir),
        "use_cuda": False,
        "random_seed": seed,
        "data": {
            "train": train,
            "dev": train,
            "dataset_type": "plain",
            "sample_dev_subset": 10,
            "src": {"lang": "src", **side},
            "trg": {"lang": "trg", **side},
        },
        "training": {
            "batch_size": batch_pairs or batch_tokens,
            "batch_type": "sentence" if batch_pairs else "token",
            "normalization": "tokens",
            "loss": "crossentropy",
            "label_smoothing": 0.1,
            "optimizer": "adamw",
            "adam_betas": [0.9, 0.98],
            "learning_rate": 1e-4,
            "scheduling": "noam",
            "learning_rate_factor": 1,
            "learning_rate_warmup": warmup,
            "clip_grad_norm": 1.0,
            "epochs": 1000,
            "logging_freq": 10**6,
            "validation_freq": 10**6,
        },
        "testing": {},
        "model": {
            "initializer": "xavier_uniform",
            "embed_initializer": "xavier_uniform",
            "tied_embeddings": True,
            "tied_softmax": True,
            "encoder": stack,
            "decoder": dict(stack),
        },
    }


class _OrdersDone(Exception):
    """There are no more orders."""


class _Rounds(TrainManager):  # type: ignore[misc]
    """JoeyNMT's trainer, which waits for an order whenever it has run the steps of the last one."""

    left = 0
    began = 0.0
    tokens = 0
    folder = Path()

    def _train_step(self, batch: Any) -> tuple[float, int]:
        # Called at the start of a step: the last one's update and this batch's making are counted by now.
        if self.left == 0:
            if self.began:
                seconds = time.perf_counter() - self.began
                answer({"seconds": seconds, "target_tokens": self.tokens})
            while (order := next_order()) == 0:
                answer({"nll": self._nll()})
            if order is None:
                raise _OrdersDone
            self.left, self.tokens, self.began = order, 0, time.perf_counter()
        self.left -= 1
        self.tokens += batch.ntokens
        result: tuple[float, int] = super()._train_step(batch)
        return result

    def _nll(self) -> float:
        """Of the folder's held-out pairs."""
        model, vocabulary = self.model.eval(), self.model.trg_vocab

        def logits_of(source: torch.Tensor, target_in: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
            logits: torch.Tensor = model._encode_decode(
                src=source,
                trg_input=target_in,
                src_mask=real[:, None],
                src_length=real.sum(1),
                trg_mask=(target_in != vocabulary.pad_index)[:, None],
            )[0]
            return logits

        nll = held_out_nll(
            self.folder,
            vocabulary.lookup,
            pad=vocabulary.pad_index,
            start=vocabulary.bos_index,
            end=vocabulary.eos_index,
            logits_of=logits_of,
        )
        model.train()
        return nll

    def _save_checkpoint(self, new_best: bool, score: float) -> None:
        """Nothing to keep."""


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
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pieces = [f"p{place}" for place in range(options.vocabulary - 4)]
    with tempfile.TemporaryDirectory() as model_dir:
        (options.folder / "pieces.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
        configuration = settings(
            options.folder,
            Path(model_dir),
            vocabulary=options.vocabulary,
            batch_tokens=options.batch_tokens,
            batch_pairs=options.batch_pairs,
            warmup=options.warmup,
            seed=options.seed,
        )
        args = parse_global_args(configuration, rank=0, mode="train")
        model, train_data, dev_data, _ = prepare(args, rank=0, mode="train")
        manager = _Rounds(
            model=model,
            model_dir=args.model_dir,
            device=args.device,
            n_gpu=0,
            rank=0,
            num_workers=0,
            autocast=args.autocast,
            seed=args.seed,
            train_args=args.train,
            dev_args=set_validation_args(args.test),
        )
        manager.folder = options.folder
        answer({"parameters": sum(p.numel() for p in model.parameters()), "torch": torch.__version__})
        try:
            manager.train_and_validate(train_data=train_data, valid_data=dev_data)
        except _OrdersDone:
            return


if __name__ == "__main__":
    main()
