"""The memory that is said beforehand, against the growth of a process that really trains, size by size.

Run: `python -m tests.benchmarks.estimate`
"""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

from tests.benchmarks.tools.measure import Row, arguments, machine, report
from tests.benchmarks.tools.worker import ROOT

LIMIT = 1.3  # what is really taken / what was said
SENTENCE = 32
SIZES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "1+1 layers, width 64, float32": (
        {"d_model": 64, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 128, "vocab": 500},
        {"batch_tokens": 4096, "precision": "float32"},
    ),
    "3+3 layers, width 256, float32": (
        {"d_model": 256, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 3, "d_ff": 1024, "vocab": 8000},
        {"batch_tokens": 4096, "precision": "float32"},
    ),
    "3+3 layers, width 256, bfloat16": (
        {"d_model": 256, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 3, "d_ff": 1024, "vocab": 8000},
        {"batch_tokens": 4096, "precision": "bfloat16"},
    ),
}


def main() -> int:
    """Measure, print, and fail when the estimate is further off than `LIMIT` in either direction."""
    options = arguments(__doc__).parse_args()
    rows = []
    for name in SIZES:
        command = [sys.executable, "-m", "tests.benchmarks.estimate", "--worker", name]
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        said, taken = json.loads(result.stdout)
        ratio = max(taken / said, said / taken)
        note = f"said {said / 1e6:.0f} MB; ratio is the larger to the smaller"
        rows.append(Row(f"memory of training, {name}", taken / 1e6, "MB", LIMIT, ratio=ratio, note=note))
    report(rows, as_json=options.json, facts=machine())
    return int(any(row.within is False for row in rows))


def work(name: str) -> None:
    """Three steps at one size; prints what was said and what was taken, in bytes."""
    import numpy as np
    import torch

    from model.config import Architecture, TrainConfig
    from model.data.corpus import EncodedCorpus
    from model.network.transformer import Transformer
    from model.tokens.tokenizer import Tokenizer
    from model.training.fields.estimate import training_memory
    from model.training.trainer import Trainer

    shape, told = SIZES[name]
    pieces = shape["vocab"]
    sizes = {key: value for key, value in shape.items() if key != "vocab"}
    architecture = Architecture(source_vocab=pieces, target_vocab=pieces, tie_embeddings="all", **sizes)
    config = TrainConfig(**told)
    count = 4 * config.batch_tokens // SENTENCE
    draw = np.random.default_rng(0)
    ids = draw.integers(4, pieces, count * SENTENCE).astype(np.int32)
    offsets = np.arange(count + 1) * SENTENCE
    shorter = np.arange(count + 1) * (SENTENCE - 1)
    corpus = EncodedCorpus(ids, offsets, ids[: count * (SENTENCE - 1)], shorter, 0, 0)
    tokenizer = cast(Tokenizer, SimpleNamespace(pad_id=0, start_id=2, end_id=3))
    torch.set_num_threads(1)
    _ = torch.ones(64, 64) @ torch.ones(64, 64)
    before = _bytes("VmRSS")
    trainer = Trainer(Transformer(architecture), corpus, config, tokenizer, tokenizer)
    for _ in range(3):
        trainer.run_step()
    half = config.precision == "bfloat16"
    said = training_memory(architecture, config, half=half, sentence=SENTENCE).total
    print(json.dumps([said, _bytes("VmHWM") - before]))


def _bytes(key: str) -> int:
    """A line of /proc/self/status (Linux)."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(key))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work(sys.argv[-1])
    else:
        sys.exit(main())
