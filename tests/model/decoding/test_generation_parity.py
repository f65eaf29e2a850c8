"""Whole models, greedy and with beams, against `transformers`' own `generate` on the same folders."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from model.decoding.decode_config import DecodeConfig
from model.translator.translation import Translation
from model.translator.translator import Translator
from tests.foreign_assets import WRITERS, quiet
from tests.marian_assets import write_marian

TEXTS = ("The little girl gave her", "A student", "Where does the red train go? It goes")
PROMPTED = ("gpt2", "llama")
ENDS = [1, 2, 5, 20, 30, 40, 60, 61, 62, 63, 64, 65, 66]
EVERYTHING: dict[str, Any] = {
    "repetition_penalty": 1.2,
    "min_length": 12,
    "no_repeat_ngram_size": 2,
    "encoder_no_repeat_ngram_size": 2,
    "bad_words_ids": [[7], [65, 65], [17, 51, 83], [5]],
    "begin_suppress_tokens": [0, 17, 47, 74, 129],
    "renormalize_logits": True,
    "early_stopping": "never",
    "eos_token_id": ENDS,
}
# What is set in `generation_config.json`, by family and what is peculiar.
SETTINGS: dict[str, dict[str, Any]] = {
    "bart": {"forced_bos_token_id": 0, "forced_eos_token_id": 2, "no_repeat_ngram_size": 3, "min_length": 4},
    "t5": {"no_repeat_ngram_size": 2, "min_length": 3},
    "gpt2": {"no_repeat_ngram_size": 3, "suppress_tokens": [7, 11]},
    "llama": {"no_repeat_ngram_size": 2},
    "marian": {},
    "bart, everything": EVERYTHING | {"forced_bos_token_id": 0},
    "t5, everything": EVERYTHING | {"min_new_tokens": 2, "early_stopping": True},
    "gpt2, everything": EVERYTHING | {"forced_bos_token_id": 7},
    "llama, everything": EVERYTHING | {"early_stopping": True, "repetition_penalty": 0.8},
    "marian, everything": EVERYTHING | {"eos_token_id": [0, 5, 20, 30], "early_stopping": True},
}


def folder_of(family: str, settings: dict[str, Any], folder: Path) -> tuple[Path, Any]:
    """A folder with the settings in it, and `transformers`' own model of it."""
    write = write_marian if family == "marian" else WRITERS[family]
    write(folder)
    with quiet():
        from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

        network = AutoModelForCausalLM if family in PROMPTED else AutoModelForSeq2SeqLM
        theirs = network.from_pretrained(folder).eval()
        with torch.no_grad():  # flatter, so that beams are of several minds
            for name, parameter in theirs.named_parameters():
                if parameter.dim() > 1 and "embed_positions" not in name:
                    parameter.mul_(0.6)
        theirs.generation_config.num_beams = 1
        theirs.save_pretrained(folder)
        theirs.generation_config.update(**settings)
    path = folder / "generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | settings), "utf-8")
    return folder, theirs


@pytest.mark.parametrize("name", list(SETTINGS))
def test_the_same_tokens_and_scores(name: str, tmp_path: Path) -> None:
    family = name.partition(",")[0]
    folder, theirs = folder_of(family, SETTINGS[name], tmp_path / family)
    translator = Translator.load(folder)
    tokenizer, rules = translator.model.target_tokenizer, translator.model.rules
    ends, draw = {tokenizer.end_id, *rules.ends}, random.Random(0)
    early = theirs.generation_config.early_stopping
    compared = 0
    for text, beams in itertools.product(TEXTS, (1, 2, 4)):
        limit, penalty = draw.choice([3, 8, 15]), draw.choice([0.0, 0.6, 1.0, 2.0])
        ids = translator.model.source_tokenizer.source_ids(text)
        read = len(ids) if family in PROMPTED else 1
        more = {"num_beams": beams, "num_return_sequences": beams, "length_penalty": penalty}
        with quiet(), torch.no_grad():
            found = theirs.generate(
                torch.tensor([ids]),
                attention_mask=torch.ones(1, len(ids), dtype=torch.int64),
                max_length=read + limit,
                do_sample=False,
                early_stopping=early if early and beams > 1 else False,
                return_dict_in_generate=True,
                output_scores=True,
                **(more if beams > 1 else {}),
            )
        mode = "beam" if beams > 1 else "greedy"
        config = DecodeConfig(
            mode=mode,  # type: ignore[arg-type]
            beam_size=beams,
            n_best=beams,
            length_penalty=penalty,
            max_length=limit,
        )
        *_, last = translator.decode(text, config, any_script=True)
        for place, trace in enumerate(last.n_best or (last.trace,)):
            row = found.sequences[place, read:].tolist()
            end = next((at + 1 for at, token in enumerate(row) if token in ends), len(row))
            assert trace.tgt_out_ids.tolist()[max(0, trace.prompt_length - 1) :] == row[:end]
            compared += 1
            if beams > 1:
                told = Translation.of_trace(trace, config).rank_score
                assert told == pytest.approx(float(found.sequences_scores[place]), rel=1e-5, abs=1e-4)
    assert compared == len(TEXTS) * (1 + 2 + 4)
