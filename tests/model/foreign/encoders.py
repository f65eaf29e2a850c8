"""Encoders as `transformers` has them, and the least that reading needs of a tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch

from model.foreign.foreign_model import Read
from model.foreign.reading import PairTokenizer, reader
from model.tokens.words import TokenStyle
from tests.foreign_assets import byte_level, quiet, write_bert

PAIR = "The cat sat on the [MASK]. [SEP] It [MASK] red."


@dataclass(frozen=True)
class Pairs:
    """A tokenizer of Hugging Face whose separator is typed in the text."""

    tokenizer: Any
    style: TokenStyle

    def pair(self, text: str) -> tuple[list[int], list[int]]:
        first, _, second = text.partition(self.tokenizer.sep_token)
        found = self.tokenizer(first, second or None, return_token_type_ids=True)
        return found["input_ids"], found["token_type_ids"]

    def piece(self, token_id: int) -> str:
        return str(self.tokenizer.convert_ids_to_tokens(token_id))


def bert(folder: Path, **changes: Any) -> tuple[Any, Any]:
    """A tiny BERT and its tokenizer."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    write_bert(folder, **changes)
    with quiet():
        network = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()
        return network, AutoTokenizer.from_pretrained(folder)


def roberta() -> tuple[Any, Any]:
    """A tiny RoBERTa, which has one row of segments, and a byte-level tokenizer."""
    from transformers import RobertaConfig, RobertaForMaskedLM

    tokenizer = byte_level(bart=True)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    rest = {"vocab_size": len(tokenizer), "max_position_embeddings": 66, "type_vocab_size": 1}
    torch.manual_seed(5)
    with quiet():
        network = RobertaForMaskedLM(
            RobertaConfig(**sizes, **rest, pad_token_id=1, attn_implementation="eager")
        ).eval()
        with torch.no_grad():
            for parameter in network.parameters():
                parameter.mul_(12.0 if parameter.dim() > 1 else 1.0)
    return network, tokenizer


def reading(network: Any, tokenizer: Any, style: TokenStyle = TokenStyle.WORDPIECE) -> Read:
    """How the network reads."""
    pairs = cast(PairTokenizer, Pairs(tokenizer, style))
    return reader(network, pairs, name="tiny", sha256="ab", mask=tokenizer.mask_token)
