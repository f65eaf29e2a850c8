"""Our side of the benchmark of many sentences: all that `translate --json` does but load the model."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from pathlib import Path
from unittest.mock import patch

import torch

from model.commands import translate
from model.network.embeddings import sinusoidal_table
from model.translator.translator import Translator
from tests.benchmarks.peers.decode_headscope import random_bundle
from tests.benchmarks.tools.worker import answer

_DRIFT = 2.0


def write_random_bundle(folder: Path, words: int) -> None:
    """A bundle with random weights whose translations end by themselves, after a dozen tokens or so.

    Each position of the decoder leans a little further towards the end token than the one before, and the
    sub-layers disturb that less than as they were drawn: how long a sentence becomes depends on its words.
    """
    from model.bundle.bundle import write_bundle

    bundle = random_bundle(words=words, positions="learned")
    transformer = bundle.transformer
    rows = transformer.positions.rows()
    assert rows is not None
    end = transformer.target_embedding.weight[bundle.target_tokenizer.end_id]
    rows.copy_(sinusoidal_table(*rows.shape))
    rows += _DRIFT * torch.arange(len(rows))[:, None] * end / end.norm()
    for layer in transformer.decoder.layers:
        for name, share in (("self_attn.out_proj", 0.2), ("linear2", 0.2), ("multihead_attn.out_proj", 1.0)):
            layer.get_submodule(name).get_parameter("weight").mul_(share)
    spm = bundle.source_tokenizer.serialized()
    write_bundle(folder, bundle.config, transformer, spm, spm, half=False)


def main() -> None:
    """Translate all once for each order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines")
    parser.add_argument("--max-length", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    translator = Translator.load(options.model)
    lines = options.sentences.read_bytes()
    words = ["--json", "--max-length", str(options.max_length), "-"]

    def run() -> float:
        out = io.StringIO()
        sys.stdin = io.TextIOWrapper(io.BytesIO(lines))
        began = time.perf_counter()
        with contextlib.redirect_stdout(out), patch.object(Translator, "load", return_value=translator):
            translate.run(words)
        seconds = time.perf_counter() - began
        options.out.write_text(out.getvalue(), encoding="utf-8")
        return seconds

    orders = sys.stdin
    run()
    answer({})
    while orders.readline().strip():
        answer({"s": run()})


if __name__ == "__main__":
    main()
