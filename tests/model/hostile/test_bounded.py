"""The worst folders with little memory to be had, in a process of their own; and through the command line."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import main
from model.errors import HeadscopeError
from model.trace.trace_file import open_trace, save_trace
from tests.model.hostile.crafting import Marker, changed, code_of, header_file, refused, tokenizer_with
from tests.model.tiny_trace import make_trace

ROOT = Path(main.__file__).parent
MOST = 1 << 30  # bytes that opening may take beyond what the libraries do
RUN = """
import resource, sys
import torch, transformers
torch.set_num_threads(1)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
import main
sys.exit(main.main(["info", sys.argv[1], "--json"]))
"""


def huge_config(folder: Path) -> None:
    changed(folder / "config.json", vocab_size=2**31 - 1, n_positions=2**31 - 1, n_embd=2**20)


def many_layers(folder: Path) -> None:
    changed(folder / "config.json", n_layer=1024, n_inner=2**24)


def huge_padding(folder: Path) -> None:
    strategy = {"strategy": {"Fixed": 2**40}, "direction": "Right", "pad_to_multiple_of": None}
    tokenizer_with(folder, padding=strategy | {"pad_id": 0, "pad_type_id": 0, "pad_token": "a"}, model=None)


def endless_text(folder: Path) -> None:
    step = {"type": "Replace", "pattern": {"Regex": "."}, "content": "x" * 1000}
    tokenizer_with(folder, normalizer={"type": "Sequence", "normalizers": [step] * 20})


def crowded_vocabulary(folder: Path) -> None:
    (folder / "vocab.json").write_bytes(b'{"a": [' + b"[]," * 20_000_000 + b"0]}")


def sparse_weights(folder: Path) -> None:
    size = 1 << 40
    entry = {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}
    header_file(folder / "model.safetensors", json.dumps({"x": entry}).encode())
    with open(folder / "model.safetensors", "r+b") as file:
        file.truncate(file.seek(0, 2) + size)
    changed(folder / "config.json", vocab_size=2**31 - 1)


def long_header(folder: Path) -> None:
    header_file(folder / "model.safetensors", b'{"a":[' + b"[]," * 30_000_000 + b"[]]}")


def huge_checkpoint(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with open(folder / "pytorch_model.bin", "wb") as file:
        file.truncate(1 << 40)


WORST: dict[str, Callable[[Path], None]] = {
    made.__name__: made
    for made in (
        huge_config,
        many_layers,
        huge_padding,
        endless_text,
        crowded_vocabulary,
        sparse_weights,
        long_header,
        huge_checkpoint,
    )
}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the memory of a process")
def test_the_worst_end_in_one_sentence_with_little_memory(sound: dict[str, Path], tmp_path: Path) -> None:
    """All in one process after another fork of it: importing the libraries takes longest."""
    folders = []
    for name, spoil in WORST.items():
        folder = tmp_path / name
        shutil.copytree(sound["gpt2"], folder)
        spoil(folder)
        folders.append(folder)
    script = RUN.replace(
        'sys.exit(main.main(["info", sys.argv[1], "--json"]))',
        "import os\n"
        "for folder in sys.argv[3:]:\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        '        os._exit(main.main(["info", folder, "--json"]))\n'
        "    status = os.waitpid(child, 0)[1]\n"
        '    print("END", os.waitstatus_to_exitcode(status), file=sys.stderr, flush=True)\n',
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, "-", str(MOST), *map(str, folders)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "RUST_BACKTRACE": "0"},
    )
    lines = ended.stderr.splitlines()
    assert ended.stdout == ""
    assert len(lines) == 2 * len(WORST), ended.stderr
    for name, sentence, end in zip(WORST, lines[::2], lines[1::2]):
        assert sentence.startswith("headscope: error: "), (name, sentence)
        assert end == "END 1", (name, sentence, end)


COMMANDS = {
    "info": lambda folder: ["info", folder],
    "translate": lambda folder: ["translate", "--model", folder, "The cat"],
    "trace": lambda folder: ["trace", "--model", folder, "--out", folder / "x.trace", "The cat"],
    "evaluate": lambda folder: ["evaluate", "--model", folder, "--pairs", folder / "pairs.tsv"],
    "render": lambda folder: ["render", "--model", folder, "--out", folder / "x.png", "The cat"],
}
SPOILED: dict[str, Callable[[Path], object]] = {
    "config": lambda folder: changed(folder / "config.json", n_layer=10**18),
    "class": lambda folder: changed(folder / "tokenizer_config.json", tokenizer_class="NoSuchTokenizer"),
    "weights": lambda folder: header_file(folder / "model.safetensors", b"{}", b"", 99_000_000),
    "link": lambda folder: (folder / "vocab.json").symlink_to("/etc/passwd"),
    "panic": lambda folder: tokenizer_with(
        folder, normalizer={"type": "Precompiled", "precompiled_charsmap": "A"}
    ),
}


@pytest.mark.usefixtures("qapp")  # which `render` would make otherwise, of a kind that no window can use
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", SPOILED)
def test_every_command_says_one_line(
    folder: Path, command: str, what: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "pairs.tsv").write_text("The cat\tLe chat\n")
    SPOILED[what](folder)
    capfd.readouterr()
    assert main.main([str(part) for part in COMMANDS[command](folder)]) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("headscope: error: ")
    assert printed.err.count("\n") == 1, printed.err


# Traces and arrays.


def test_a_trace_with_absurd_arrays_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    for shape in ([2**20, 2**20, 2**10, 1], [1, 1, -1, 1], [1, 1, 2**31, 2**31], [0, 5, 3, 3]):
        entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}
        header = {"encoder_self": entry, "__metadata__": {"format": "headscope-trace", "version": "1"}}
        header_file(path, json.dumps(header).encode())
        assert code_of(path, open_trace) in ("tensors_invalid", "trace_invalid")


def test_a_traces_notes_are_not_trusted(tmp_path: Path) -> None:
    notes = {"format": "headscope-trace", "version": "1", "src_tokens": "[" * 100_000, "src_text": "x"}
    save_file({"src_ids": np.zeros(3, np.int64)}, tmp_path / "a.trace", metadata=notes)
    assert code_of(tmp_path / "a.trace", open_trace) == "trace_invalid"


def test_a_trace_that_is_a_pipe_a_link_or_a_device(tmp_path: Path) -> None:
    save_trace(make_trace(), tmp_path / "real.trace")
    (tmp_path / "link.trace").symlink_to("real.trace")
    open_trace(tmp_path / "link.trace")  # a file that a person names may be a link
    os.mkfifo(tmp_path / "pipe.trace")
    for path in (tmp_path / "pipe.trace", Path("/dev/zero"), tmp_path):
        assert code_of(path, open_trace) in ("file_not_ordinary", "file_is_folder")


def test_arrays_that_are_programs_are_never_loaded(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    evil = np.array([Marker(marker)], dtype=object)
    for name in ("encoder_self", "src_tokens", "notes"):
        parts = {"encoder_self": np.full((1, 1, 2, 2), 0.5, np.float32), "src_tokens": np.array(["a", "b"])}
        np.savez(tmp_path / "a.npz", **parts | {name: evil})
        with contextlib.suppress(HeadscopeError):  # one that nothing asks for may stand there
            open_trace(tmp_path / "a.npz")
        assert not marker.exists()


def test_an_array_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    header = b"\x93NUMPY\x01\x00"
    text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 32768, 32768)}"
    text += b" " * (118 - len(text) - 1) + b"\n"
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("encoder_self.npy", header + len(text).to_bytes(2, "little") + text + b"\0" * 1000)
    before = peak()
    refused(tmp_path / "a.npz", open_trace)
    assert peak() - before < 400 << 20


def peak() -> int:
    """Most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_a_long_header_takes_no_memory_to_refuse(tmp_path: Path) -> None:
    path = header_file(tmp_path / "a.trace", b'{"a":[' + b"[]," * 30_000_000 + b"[]]}")
    before = peak()
    with pytest.raises(HeadscopeError):
        open_trace(path)
    assert peak() - before < 400 << 20
