"""Opens tiny folders twice: as `transformers` alone does, for an oracle, and as a model of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import torch

from model.folder.model_folder import inspect_folder
from model.foreign.building import build
from model.foreign.foreign_model import ForeignModel
from tests.foreign_assets import WRITERS, quiet
from tests.multilingual_assets import MULTILINGUAL

KINDS = {
    "bart": "AutoModelForSeq2SeqLM",
    "bert": "AutoModelForMaskedLM",
    "gpt2": "AutoModelForCausalLM",
    "llama": "AutoModelForCausalLM",
    "m2m100": "AutoModelForSeq2SeqLM",
    "mbart50": "AutoModelForSeq2SeqLM",
    "nllb": "AutoModelForSeq2SeqLM",
    "t5": "AutoModelForSeq2SeqLM",
}
SEQ2SEQ, CAUSAL = ("bart", "t5", *MULTILINGUAL), ("gpt2", "llama")


class Opened(NamedTuple):
    """What `transformers` alone loads, and ours around another copy of it."""

    network: Any
    tokenizer: Any
    model: ForeignModel


def open_kind(kind: str, folder: Path, **changes: Any) -> Opened:
    """A tiny model of a proven family, freshly written to `folder`."""
    return opened((WRITERS | MULTILINGUAL)[kind](folder, **changes), KINDS[kind])


def opened(folder: Path, auto: str) -> Opened:
    """The model in `folder`, by the class of `transformers` that loads it."""
    import transformers

    with quiet():
        loaded = [
            getattr(transformers, auto).from_pretrained(folder, attn_implementation="eager").eval()
            for _ in range(2)
        ]
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for network in loaded:
        network.requires_grad_(False)
    return Opened(loaded[0], tokenizer, build(inspect_folder(folder), loaded[1], tokenizer, "0" * 64))


def in_one_run(network: Any, source: list[int], target_in: list[int]) -> Any:
    """Everything by one run without a cache: patterns and logits; `source` empty for a decoder alone."""
    ids = {"input_ids": torch.tensor([source or target_in])}
    if source:
        ids["decoder_input_ids"] = torch.tensor([target_in])
    with quiet(), torch.no_grad():
        return network(**ids, use_cache=False, output_attentions=True, return_dict=True)


def small_network(model_type: str, auto: str, **sizes: Any) -> Any:
    """A randomly initialised model of any type, with weights large enough for heads to look somewhere."""
    import transformers

    torch.manual_seed(5)
    with quiet(), torch.no_grad():
        config = transformers.AutoConfig.for_model(model_type, **sizes)
        network = getattr(transformers, auto).from_config(config, attn_implementation="eager").eval()
        for name, parameter in network.named_parameters():
            if parameter.dim() > 1 and "embed_positions" not in name:
                parameter.mul_(6)
    network.requires_grad_(False)
    return network
