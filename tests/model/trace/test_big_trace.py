"""Traces larger than 2 GB, and with very many tokens: opened by memory map, read one head at a time."""

from __future__ import annotations

import csv
import errno
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LAYERS, HEADS, TOKENS = 64, 64, 400
LAYER, HEAD = 50, 17
SIZE = LAYERS * HEADS * TOKENS * TOKENS * 4
MOST_MB = 50.0

# Run by itself, so that memory is that of one opening alone.
MEASURE = """
import json, re, sys
from pathlib import Path
import main
from model.trace.trace_file import open_trace

def anonymous_mb():
    return int(re.search(r"RssAnon:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1000

trace = open_trace(sys.argv[1])
kind = trace.kinds[0]
head = trace.pattern(kind, trace.layers(kind) - 14, 17 % trace.heads(kind))
opened = anonymous_mb()
if len(sys.argv) > 2:
    status = main.main(["render", "--trace", sys.argv[1], "--kind", "decoder_self", "--layer", "51",
                        "--head", "18", "--out", sys.argv[2]])
    assert status == 0
print(json.dumps({"opened": opened, "exported": anonymous_mb(), "sum": float(head.sum())}))
"""


def head() -> Any:
    """The one head that is not zeros."""
    weights = np.tril(np.random.default_rng(5).random((TOKENS, TOKENS), dtype=np.float32))
    return weights / weights.sum(-1, keepdims=True)


def write_sparse(path: Path, layers: int) -> None:
    """A file of zeros but for one head; skipped where the disk cannot leave holes in it."""
    tokens = json.dumps([f"▁{number}" for number in range(TOKENS)])
    metadata = {
        "format": "headscope-trace",
        "version": "1",
        "tgt_text": "",
        "tgt_in_tokens": tokens,
        "tgt_out_tokens": tokens,
        "candidate_tokens": json.dumps([[]] * TOKENS),
        "model_name": "",
        "model_sha256": "",
        "decoding": '{"mode": "recorded"}',
        "alterations": "[]",
        "numbers": "pattern",
        "compute_dtype": "float32",
        "seed": "",
        "created_by": "a test",
        "not_recorded": json.dumps(
            ["tgt_in_ids", "tgt_out_ids", "step_logprob", "candidate_ids", "candidate_logprobs"]
        ),
    }
    shape = [layers, HEADS, TOKENS, TOKENS]
    size = int(np.prod(shape, dtype=np.int64)) * 4
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}
    header = json.dumps({"__metadata__": metadata, "decoder_self": entry}).encode()
    header += b" " * (-len(header) % 8)
    start = 8 + len(header)
    try:
        with path.open("wb") as file:
            file.write(len(header).to_bytes(8, "little") + header)
            file.truncate(start + size)
            file.seek(start + ((layers - 14) * HEADS + HEAD) * TOKENS * TOKENS * 4)
            file.write(head().tobytes())
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            pytest.skip("no room for a large file")
        raise
    if path.stat().st_blocks * 512 > SIZE // 4:
        path.unlink()
        pytest.skip("this disk leaves no holes in files")


def measured(*arguments: Path) -> dict[str, float]:
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
    )
    answer: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return answer


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by Linux alone")
def test_more_than_2_gb_open_in_little_memory_and_one_head_is_exported(tmp_path: Path) -> None:
    assert SIZE > 2**31
    write_sparse(tmp_path / "large.trace", LAYERS)
    write_sparse(tmp_path / "small.trace", 15)
    small, large = measured(tmp_path / "small.trace"), measured(tmp_path / "large.trace", tmp_path / "a.csv")
    (tmp_path / "large.trace").unlink()
    assert large["opened"] - small["opened"] < MOST_MB
    assert large["sum"] == pytest.approx(TOKENS, abs=1e-2)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    wanted = head()
    assert {(row["layer"], row["head"]) for row in rows} == {(str(LAYER), str(HEAD))}
    for row in rows[:: len(rows) // 500]:
        weight = wanted[int(row["query"]), int(row["key"])]
        assert float(row["weight"]) == pytest.approx(float(weight), rel=1e-6)


def test_a_header_of_100_000_tokens(tmp_path: Path) -> None:
    from model.record import save_attention
    from model.trace.trace_file import open_trace

    count = 100_000
    tokens = [f"▁token{number}" for number in range(count)]
    weights = np.zeros((1, 1, 2, count), np.float32)
    weights[..., -1] = 1
    save_attention(tmp_path / "a.trace", {"cross": weights}, src_tokens=tokens)
    trace = open_trace(tmp_path / "a.trace")
    assert trace.src_tokens == tuple(tokens)
    assert trace.pattern(trace.kinds[0], 0, 0)[:, -1].tolist() == [1.0, 1.0]


def test_an_archive_of_more_than_2_gb_stays_in_the_file(tmp_path: Path) -> None:
    from model.files.npz_file import NpzFile

    path, shape = tmp_path / "a.npz", (64, 64, 400, 400)
    data = SIZE + 128
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = "\x93NUMPY\x01\x00" + chr(118) + "\x00" + header.ljust(117) + "\n"
    name = b"encoder_self.npy"
    local = (
        b"PK\x03\x04" + bytes(14) + data.to_bytes(4, "little") * 2 + len(name).to_bytes(4, "little") + name
    )
    entry = b"PK\x01\x02" + bytes(16) + data.to_bytes(4, "little") * 2 + len(name).to_bytes(2, "little")
    entry += bytes(16) + name
    place = len(local) + data
    end = b"PK\x05\x06" + bytes(4) + b"\x01\x00\x01\x00" + len(entry).to_bytes(4, "little")
    end += place.to_bytes(4, "little") + bytes(2)
    with path.open("wb") as file:
        file.write(local + header.encode("latin-1"))
        file.seek(place)
        file.write(entry + end)
    if path.stat().st_blocks * 512 > SIZE // 4:
        pytest.skip("this disk leaves no holes in files")
    found = NpzFile(path)
    assert found.arrays["encoder_self"].shape == shape
    last = found.flat("encoder_self", (64 * 64 - 1) * 400 * 400, 400 * 400)
    assert last.size == 400 * 400
    assert not last.any()
    path.unlink()
