"""Followers, the ranks but the first: they take part in the steps that rank 0 orders, and know no files.

Orders, each a JSON object: `train` (followed by the corpus and the state, as tensors), `step`, `end`.
"""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.config import Architecture, Precision, TrainConfig
from model.data.corpus import EncodedCorpus
from model.errors import HeadscopeError
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer
from model.training.distributed import Ranks
from model.training.trainer import Trainer

_IDS = ("pad_id", "unk_id", "start_id", "end_id")
_CORPUS = ("source_ids", "source_offsets", "target_ids", "target_offsets")


class SpecialTokenIds:
    """What a `Trainer` asks a tokenizer: the numbers of the special tokens."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.pad_id, self.unk_id, self.start_id, self.end_id = (numbers[name] for name in _IDS)


def _to_json(tokenizer: Tokenizer, config: TrainConfig) -> dict[str, Any]:
    """The special tokens' numbers; where pieces are cut anew at each step, the whole SentencePiece model."""
    if config.bpe_dropout and isinstance(tokenizer, SentencePieceTokenizer):
        return {"model": base64.b64encode(tokenizer.serialized()).decode("ascii")}
    return {name: getattr(tokenizer, name) for name in _IDS}


def _from_json(told: dict[str, Any]) -> Any:
    if "model" in told:
        return SentencePieceTokenizer.from_bytes(base64.b64decode(told["model"]))
    return SpecialTokenIds(told)


def invite(trainer: Trainer) -> None:
    """Rank 0, before the first step: give the other ranks all they need to take part; alone, do nothing."""
    ranks = trainer.ranks
    if ranks.world == 1:
        return
    precision: Precision = "bfloat16" if trainer.dtype == torch.bfloat16 else "float32"
    arrays = [torch.from_numpy(np.array(getattr(trainer.corpus, name))) for name in _CORPUS]
    ranks.order(
        {
            "order": "train",
            "architecture": trainer.transformer.architecture.to_json(),
            "config": dataclasses.replace(trainer.config, precision=precision).to_json(),
            "device": trainer.device.type,
            "step": trainer.step,
            "source": _to_json(trainer.source, trainer.config),
            "target": _to_json(trainer.target, trainer.config),
            "corpus": [len(array) for array in arrays],
        }
    )
    ranks.broadcast(arrays)
    trainer.join()


def follow(ranks: Ranks) -> None:
    """Do as rank 0 says until it says that the run has ended.

    Raises:
        HeadscopeError: rank 0 is gone, or this machine lacks what the run needs.
    """
    threads = torch.get_num_threads()
    trainer: Trainer | None = None
    try:
        while True:
            message = ranks.next_order()
            if message["order"] == "end":
                return
            if message["order"] == "train":
                trainer = _trainer(ranks, message)
            elif trainer is not None:
                _step(trainer)
    finally:
        torch.set_num_threads(threads)


def _step(trainer: Trainer) -> None:
    try:
        trainer.run_step()
    except HeadscopeError as error:
        # Every rank sees the same numbers; what follows from them is for rank 0 to say.
        if error.code != "training_diverged":
            raise


def _trainer(ranks: Ranks, message: dict[str, Any]) -> Trainer:
    """The same as rank 0's."""
    config = TrainConfig(**message["config"])
    if config.threads:
        torch.set_num_threads(config.threads)
    kinds = (torch.int32, torch.int64, torch.int32, torch.int64)
    arrays = [torch.empty(size, dtype=kind) for size, kind in zip(message["corpus"], kinds)]
    ranks.broadcast(arrays)
    sides: list[Any] = [array.numpy() for array in arrays]
    corpus = EncodedCorpus(sides[0], sides[1], sides[2], sides[3], dropped_empty=0, dropped_long=0)
    transformer = Transformer(Architecture.from_json(message["architecture"]))
    device = ranks.pick_device(message["device"])
    source: Tokenizer = _from_json(message["source"])
    target: Tokenizer = _from_json(message["target"])
    trainer = Trainer(transformer.to(device), corpus, config, source, target, ranks)
    trainer.load_state(_blank(trainer), message["step"])
    trainer.join()
    return trainer


def _blank(trainer: Trainer) -> dict[str, Tensor]:
    """A state of the right names and shapes, for `join` to fill."""
    parts = ("weights", "average", "exp_avg", "exp_avg_sq")
    return {
        f"{part}.{name}": torch.zeros_like(parameter)
        for name, parameter in zip(trainer.names, trainer.parameters)
        for part in parts
    }
