"""Folders of models that are told by a token which language to write, opened as people open them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import main
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace
from tests.foreign_assets import quiet
from tests.model.foreign.opened import in_one_run
from tests.multilingual_assets import MULTILINGUAL, language_id, write_nllb

TEXT = "The cat sat on the mat"
TYPED = {"m2m100": ("de", "__de__"), "mbart50": ("de_DE", "de_DE"), "nllb": ("deu_Latn", "deu_Latn")}


def theirs(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with quiet():
        network = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager").eval()
        return network, AutoTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("kind", MULTILINGUAL)
def test_a_folder_writes_the_language_that_is_typed_or_set(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, path = MULTILINGUAL[kind](tmp_path / kind), tmp_path / "x.trace"
    network, tokenizer = theirs(folder)
    language, typed = TYPED[kind]
    source = torch.tensor([tokenizer(TEXT)["input_ids"]])
    for prefix, token in (
        ([], language_id(tokenizer, tokenizer.tgt_lang)),
        (["--prefix", typed], language_id(tokenizer, language)),
    ):
        with quiet():
            wanted = network.generate(
                source, forced_bos_token_id=token, do_sample=False, num_beams=1, max_new_tokens=8
            )[0, 1:].tolist()
        line = ["trace", "--model", str(folder), "--out", str(path), "--max-length", "8", *prefix, TEXT]
        assert main.main(line) == 0
        trace = open_trace(path)
        assert trace.tgt_out_ids.tolist() == wanted
        assert "verified" not in trace.extra
        out = in_one_run(network, source[0].tolist(), trace.tgt_in_ids.tolist())
        for family, layers in (
            (AttentionKind.ENCODER_SELF, out.encoder_attentions),
            (AttentionKind.DECODER_SELF, out.decoder_attentions),
            (AttentionKind.CROSS, out.cross_attentions),
        ):
            for layer, pattern in enumerate(layers):
                np.testing.assert_allclose(trace.patterns.layer(family, layer), pattern[0].numpy(), atol=1e-5)
    assert main.main(["info", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["architecture"]["positions"], told["architecture"]["norm"]) == (
        "learned" if kind == "mbart50" else "sinusoidal",
        "pre_norm",
    )


def test_a_folder_that_names_no_language_writes_freely(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_nllb(tmp_path / "m", written=None)
    network, tokenizer = theirs(folder)
    with quiet():
        source = torch.tensor([tokenizer(TEXT)["input_ids"]])
        wanted = network.generate(source, do_sample=False, num_beams=1, max_new_tokens=8)[0, 1:].tolist()
    assert main.main(["translate", "--model", str(folder), "--json", "--max-length", "8", TEXT]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tgt_tokens"] == tokenizer.convert_ids_to_tokens(wanted)
    assert not any(step.get("forced") for step in told["steps"])
