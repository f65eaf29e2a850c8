"""A trace of 2 GB: how long it takes to open, what it costs in memory, when its first picture is there.

6 layers, 8 heads, three families, float32, really filled, in fresh processes. The peer is
`numpy.load(mmap_mode="r")` on one `.npy` array of the same size: both open the file and read one head.
Memory is the kernel's RssAnon: what the process has to keep, without the file's own pages.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.first_picture import LIMIT_S
from tests.benchmarks.long_inputs import anonymous_mb
from tests.benchmarks.tools.fresh_process import medians
from tests.benchmarks.tools.made_up_trace import HEADS, LAYERS, write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say

TOKENS = 1900
LIMIT_MB = 50.0
_PEER_SUFFIX = ".npy"


def open_and_read(path: Path) -> dict[str, float]:
    """Open a file and read one head of it; milliseconds and MB of this process."""
    from model.trace.trace import AttentionKind
    from model.trace.trace_file import open_trace

    before, began = anonymous_mb(), time.perf_counter()
    if path.suffix == _PEER_SUFFIX:
        array = np.load(path, mmap_mode="r")
        opened = time.perf_counter()
        head = np.asarray(array[3 * LAYERS * HEADS // 2])
    else:
        trace = open_trace(path)
        opened = time.perf_counter()
        head = trace.pattern(AttentionKind.DECODER_SELF, LAYERS // 2, HEADS // 2)
    total = float(head.sum(dtype=np.float64))
    return {
        "open_ms": 1000 * (opened - began),
        "read_ms": 1000 * (time.perf_counter() - opened),
        "mb": anonymous_mb() - before,
        "rows": total,
    }


def write_peer(path: Path, tokens: int) -> Path:
    """One array of the trace's weights, behind numpy's header."""
    peer = path.with_suffix(_PEER_SUFFIX)
    shape = (3 * LAYERS * HEADS, tokens, tokens)
    with path.open("rb") as source, peer.open("wb") as target:
        np.lib.format.write_array_header_1_0(target, {"descr": "<f4", "fortran_order": False, "shape": shape})
        source.seek(-4 * int(np.prod(shape, dtype=np.int64)), 2)
        shutil.copyfileobj(source, target, 1 << 24)
    return peer


def measure(tokens: int, rounds: int) -> list[Row]:
    """Medians over fresh processes."""
    module = "tests.benchmarks.big_trace"
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "made-up.trace"
        say(f"big trace: writing one of {tokens} tokens")
        write_made_up_trace(path, tokens)
        size = path.stat().st_size / 1e9
        ours = medians(module, ["--show", str(path)], rounds)
        peer = medians(module, ["--show", str(write_peer(path, tokens))], rounds)
        first = medians("tests.benchmarks.first_picture", ["--show", str(path)], rounds)
    return [
        Row(
            what=f"open a trace of {size:.1f} GB and read a head of {tokens:,} tokens",
            ours=ours["open_ms"] + ours["read_ms"],
            unit="ms",
            peer_name="numpy.load, mmap",
            peer=peer["open_ms"] + peer["read_ms"],
            ratio=(ours["open_ms"] + ours["read_ms"]) / (peer["open_ms"] + peer["read_ms"]),
            note=f"opening alone {ours['open_ms']:.1f} and {peer['open_ms']:.1f} ms; ours has tokens, and "
            "checks what it reads",
        ),
        Row(
            what=f"memory for that trace of {size:.1f} GB",
            ours=ours["mb"],
            unit="MB",
            peer_name="numpy.load, mmap",
            peer=peer["mb"],
            limit=LIMIT_MB,
            absolute=True,
            note="RssAnon",
        ),
        Row(
            what=f"first picture of a trace of {size:.1f} GB",
            ours=first["window"] + first["open"] + first["paint"],
            unit="s",
            limit=LIMIT_S,
            absolute=True,
            note=f"opening {first['open']:.2f}, painting {first['paint']:.2f}",
        ),
    ]


def main() -> None:
    """Measure and print; with --show be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        print(json.dumps(open_and_read(options.show)))
    else:
        report(measure(options.tokens, options.rounds), as_json=options.json)


if __name__ == "__main__":
    main()
