"""Loading a model of OPUS-MT's size, in a fresh process: memory, the longest slice, time, the first token.

6+6 layers, d_model 512, 58,101 words: about 300 MB of float32, as `model.safetensors`, as `pytorch_model.bin`
and as a bundle of our own. Memory is what the process has of its own (RssAnon; the file's pages belong to the
system), its peak from before the loading to the first token's end, against the weights' bytes. The files were
written just before, so they come from memory, not from the disk.
"""

from __future__ import annotations

import argparse
import importlib
import json
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.tools.fresh_process import medians
from tests.benchmarks.tools.measure import Row, arguments, report, say

MOST_MEMORY = 1.3
MOST_SLICE_MS = 50.0
MOST_FIRST_TOKEN_S = 1.0
WORDS, PIECES = 58_101, 32_000
SENTENCE = "The little girl gave her brother a red apple."
SAMPLED_EVERY = 0.001


def rss_anon() -> int:
    """Bytes in memory that belong to this process alone; 0 where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("RssAnon")), 0)


@contextmanager
def peak() -> Iterator[list[int]]:
    """A list of one number, the largest `rss_anon` until the block ends."""
    most, over = [rss_anon()], threading.Event()

    def watch() -> None:
        while not over.wait(SAMPLED_EVERY):
            most[0] = max(most[0], rss_anon())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        over.set()
        watcher.join()


def load_here(folder: Path, started: float) -> dict[str, float]:
    """What a process sees that does nothing but load the model and translate.

    Args:
        started: `time.time()` when the process was asked for.
    """
    import torch

    from model.translator.translator import Translator

    importlib.import_module("model.marian.loading")
    torch.set_num_threads(1)
    torch.zeros(1)
    imported, before = time.time(), rss_anon()
    slices: dict[bool, list[float]] = {False: [], True: []}
    known = False  # whether weights are being loaded, or still smaller files
    with peak() as most:
        loading = Translator.loading(folder)
        while True:
            began = time.perf_counter()
            try:
                known = next(loading)[1] > 0
            except StopIteration as end:
                translator = end.value
                break
            finally:
                slices[known].append(time.perf_counter() - began)
    loaded_peak = most[0]
    with peak() as most:
        began = time.perf_counter()
        events = translator.decode(SENTENCE)
        next(events), next(events)
        first = time.perf_counter() - began
    weights = 4 * sum(parameter.numel() for parameter in translator.bundle.transformer.parameters())
    return {
        "import": imported - started,
        "load": sum(map(sum, slices.values())),
        "slice": 1000 * max(slices[True]),
        "before": 1000 * max(slices[False], default=0.0),
        "slices": float(len(slices[True])),
        "grown": (loaded_peak - before) / weights,
        "whole": loaded_peak / weights,
        "token_grown": (most[0] - before) / weights,
        "token": first,
        "weights": weights / 1e6,
    }


def load_with_transformers(folder: Path, started: float) -> dict[str, float]:
    """The peer's process."""
    import torch
    import transformers

    package: Any = transformers
    torch.set_num_threads(1)
    torch.zeros(1)
    name = package.MarianMTModel.__name__  # imported when first asked for
    imported, before = time.time(), rss_anon()
    with peak() as most:
        began = time.perf_counter()
        network = getattr(package, name).from_pretrained(folder, dtype=torch.float32)
        package.MarianTokenizer.from_pretrained(folder)
        took = time.perf_counter() - began
    weights = 4 * sum(parameter.numel() for parameter in network.parameters())
    return {"import": imported - started, "load": took, "grown": (most[0] - before) / weights}


def write_folders(folder: Path) -> dict[str, Path]:
    """The model in each form, by what it is called."""
    import torch

    from model.bundle.bundle import write_bundle
    from model.translator.load_model import load_own
    from tests.benchmarks.peers.decode_peers import marian

    network = marian(WORDS)
    folders = {name: folder / name for name in ("safetensors", "bin", "bundle")}
    network.save_pretrained(folders["safetensors"])
    folders["bin"].mkdir()
    torch.save(dict(network.state_dict()), folders["bin"] / "pytorch_model.bin")
    for name in ("config.json", "generation_config.json"):
        (folders["bin"] / name).write_bytes((folders["safetensors"] / name).read_bytes())
    for name in ("safetensors", "bin"):
        _write_tokenizers(folders[name])
    own = load_own(folders["safetensors"])
    spm = _large_spm(WORDS, own.config.special.start)
    config = own.config
    write_bundle(folders["bundle"], config, own.transformer, spm, spm, half=False)
    return folders


def _write_tokenizers(folder: Path) -> None:
    """SentencePiece files and a vocabulary as large as real ones."""
    from tests.marian_assets import spm, write_tokenizers

    write_tokenizers(folder)
    known = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    del known["<pad>"]
    pieces = [f"▁made{number}up" for number in range(WORDS - 1 - len(known))]
    vocab = known | {piece: len(known) + number for number, piece in enumerate(pieces)} | {"<pad>": WORDS - 1}
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False), encoding="utf-8")
    for side, name in enumerate(("source.spm", "target.spm")):
        more = b"".join(map(_piece, pieces[: PIECES - len(known)]))
        (folder / name).write_bytes(spm(side) + more)


def _piece(text: str, kind: int = 1) -> bytes:
    """One more piece for a SentencePiece file: a protocol buffer's repeated field may stand anywhere."""
    data = text.encode()
    body = b"\x0a" + bytes([len(data)]) + data + b"\x15" + struct.pack("<f", -20.0) + b"\x18" + bytes([kind])
    return b"\x0a" + bytes([len(body)]) + body


def _large_spm(words: int, pad: int) -> bytes:
    """A bundle's tokenizer of so many pieces: its specials are where Marian's are."""
    kinds = {0: ("</s>", 3), 1: ("<unk>", 2), pad: ("<pad>", 3)}
    pieces = (
        kinds.get(place, (f"▁{place}" if place > 300 else chr(place + 31), 1)) for place in range(words)
    )
    # trainer_spec says which pieces start a text (46) and pad it (48).
    spec = b"".join(_varint(field << 3 | 2) + b"\x05<pad>" for field in (46, 48))
    return b"".join(_piece(*piece) for piece in pieces) + b"\x12" + _varint(len(spec)) + spec


def _varint(value: int) -> bytes:
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes([*result, value])


def measure(folders: dict[str, Path], rounds: int) -> list[Row]:
    """Three lines for each form."""
    rows: list[Row] = []
    for name, folder in folders.items():
        say(f"loading: {name}")
        ours = medians("tests.benchmarks.loading", ["--load", str(folder)], rounds)
        peer = None
        if name != "bundle":
            peer = medians("tests.benchmarks.loading", ["--peer", str(folder)], rounds)
        size = f"{ours['weights']:.0f} MB, {name}"
        grown, load = (peer["grown"], peer["load"]) if peer else (None, None)
        rows += [
            Row(
                f"memory while loading {size}",
                ours["grown"],
                "× weights",
                limit=MOST_MEMORY,
                absolute=True,
                peer_name="transformers" if peer else "",
                peer=grown,
                note=f"with the interpreter and torch {ours['whole']:.2f}; to the first token's end "
                f"{ours['token_grown']:.2f}",
            ),
            Row(
                f"longest slice while loading {size}",
                ours["slice"],
                "ms",
                limit=MOST_SLICE_MS,
                absolute=True,
                note=f"{ours['slices']:.0f} slices of weights; before them the longest, a tokenizer's file, "
                f"{ours['before']:.0f} ms",
            ),
            Row(
                f"loading {size}",
                ours["load"],
                "s",
                peer_name="transformers" if peer else "",
                peer=load,
                ratio=ours["load"] / load if load else None,
                note=f"ours with its SHA-256; before that, process and imports {ours['import']:.2f} s",
            ),
            Row(
                f"first token after loading {size}",
                ours["token"],
                "s",
                limit=MOST_FIRST_TOKEN_S,
                absolute=True,
            ),
        ]
    return rows


def main() -> None:
    """Measure and print; with --load or --peer be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        print(json.dumps(load_here(options.load, options.started)))
    elif options.peer:
        print(json.dumps(load_with_transformers(options.peer, options.started)))
    else:
        with tempfile.TemporaryDirectory() as name:
            report(measure(write_folders(Path(name)), options.rounds), as_json=options.json)


if __name__ == "__main__":
    main()
