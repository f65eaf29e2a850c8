"""NumPy archives as traces: written by `numpy` and by hand, good and hostile."""

from __future__ import annotations

import io
import pickle
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model import limits
from model.errors import HeadscopeError
from model.files import npz_file
from model.trace import trace_file
from model.trace.npz_write import write_npz
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from tests.model.recording.test_record import weights
from tests.model.tiny_trace import drawn, make_trace, same
from tests.model.trace.test_trace_file import code_of

ENCODER, DECODER, CROSS = AttentionKind


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=True)
    return file.getvalue()


def archive(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


# What the program writes itself.


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"seed": None, "finished": False, "alterations": ({"kind": "cross", "head": 0},)},
        {"numbers": "rollout", "compute_dtype": "bfloat16", "step_rank": np.array([1, 60000])},
        drawn(),
        {"extra": {"frame": "3", "frame_kind": "round", "note": "任意"}},
    ],
)
def test_what_render_writes_opens_as_the_same_trace(tmp_path: Path, changes: dict[str, Any]) -> None:
    trace = make_trace(**changes)
    write_npz(trace, tmp_path / "a.npz")
    opened = open_trace(tmp_path / "a.npz")
    same(trace, opened)
    save_trace(trace, tmp_path / "a.trace")
    save_trace(opened, tmp_path / "b.trace")
    assert (tmp_path / "a.trace").read_bytes() == (tmp_path / "b.trace").read_bytes()


def test_what_is_not_recorded_stays_so(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", cross=weights(2, 2, 3, 4), tgt_in_tokens=["a", "b", "c"])
    trace = open_trace(tmp_path / "a.npz")
    write_npz(trace, tmp_path / "b.npz")
    with np.load(tmp_path / "b.npz") as written:
        assert not {"src_ids", "tgt_in_ids", "step_logprob", "candidate_ids"} & set(written)
    again = open_trace(tmp_path / "b.npz")
    assert again.tgt_out_tokens == ("b", "c", "")
    assert not again.known_steps.any()
    assert np.array_equal(again.tgt_in_ids, trace.tgt_in_ids)


# Arrays from anywhere.


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", ">f4"])
def test_arrays_of_any_kind(tmp_path: Path, save: Callable[..., None], dtype: str) -> None:
    wanted = weights(2, 3, 4, 4).astype(dtype)
    for array in (wanted, np.asfortranarray(wanted), wanted[:, None]):
        save(tmp_path / "a.npz", encoder_self=array, tokens=np.array(["the", "cat", "sät", "坐"]))
        trace = open_trace(tmp_path / "a.npz")
        assert trace.src_tokens == ("the", "cat", "sät", "坐")
        for layer in range(2):
            assert np.array_equal(trace.patterns.layer(ENCODER, layer), wanted[layer].astype(np.float32))
            for head in range(3):
                found = trace.pattern(ENCODER, layer, head)
                assert found.dtype == np.float32
                assert np.array_equal(found, wanted[layer, head].astype(np.float32))
        assert trace.created_by.startswith("NumPy archive a.npz")


def test_missing_tokens_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    causal = weights(1, 2, 3, 3, causal=True)
    np.savez(path, encoder_self=weights(1, 2, 2, 2), decoder_self=causal, cross=weights(1, 2, 3, 2))
    trace = open_trace(path)
    assert trace.src_tokens == ("1", "2")
    assert trace.tgt_in_tokens == ("1", "2", "3")
    assert trace.tgt_out_tokens == ("2", "3", "")
    np.savez(path, decoder_self=causal, tokens=["a", "b", "c"])
    assert open_trace(path).tgt_in_tokens == ("a", "b", "c")
    np.savez(path, cross=weights(1, 2, 3, 2), tgt_out_tokens=np.array([b"x", b"y", b"z"]))
    assert open_trace(path).tgt_out_tokens == ("x", "y", "z")
    assert open_trace(path).tgt_in_tokens == ("", "x", "y")
    np.savez(path, cross=weights(1, 2, 3, 2), tokens=["x", "y"])
    assert code_of(lambda: open_trace(path)) == "npz_both_sides"


def test_what_it_says_of_itself(tmp_path: Path) -> None:
    ids, logprobs = np.array([5, 6, 7], np.int32), np.log([0.5, 0.25, 0.1])
    np.savez(
        tmp_path / "a.npz",
        decoder_self=weights(1, 1, 3, 3),
        bidirectional=True,
        model_name="mine",
        prompt_length=2,
        tgt_in_ids=ids,
        tgt_out_ids=ids + 1,
        step_logprob=logprobs,
        candidate_ids=np.zeros((3, 0), int),
        candidate_logprobs=np.zeros((3, 0)),
    )
    trace = open_trace(tmp_path / "a.npz")
    assert not trace.is_causal
    assert trace.model_name == "mine"
    assert trace.prompt_length == 2
    assert trace.tgt_out_ids.tolist() == [6, 7, 8]
    assert np.abs(trace.step_logprob - logprobs).max() < 1e-6


def test_weights_of_others_are_checked_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, scores = tmp_path / "a.npz", weights(2, 2, 3, 3)
    scores[1, 1, 2] *= 0.9
    np.savez(path, encoder_self=scores)
    assert code_of(lambda: open_trace(path)) == "npz_rows"
    np.savez(path, encoder_self=scores, numbers="scores")
    assert open_trace(path).numbers == "scores"
    np.savez(path, decoder_self=weights(1, 1, 3, 3))
    assert code_of(lambda: open_trace(path)) == "npz_future"
    np.savez(path, encoder_self=scores)
    monkeypatch.setattr(trace_file, "_CHECKED_AT_OPEN", 0)  # a large one: when it is read
    trace = open_trace(path)
    trace.pattern(ENCODER, 1, 0)
    assert code_of(lambda: trace.pattern(ENCODER, 1, 1)) == "npz_rows"


# Hostile ones.


def test_no_pickle_is_ever_loaded(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "done",)

    path = tmp_path / "a.npz"
    archive(path, {"encoder_self.npy": npy(np.array([Evil()], object))})
    assert code_of(lambda: open_trace(path)) == "npz_objects"
    archive(path, {"encoder_self.npy": npy(weights(1, 1, 2, 2)), "x.npy": npy(np.array([Evil()], object))})
    assert code_of(lambda: open_trace(path)) == "npz_objects"
    torch.save({"encoder_self": torch.ones(1)}, path)
    assert code_of(lambda: open_trace(path)) == "tensors_pickle"
    path.write_bytes(pickle.dumps(Evil()))
    assert code_of(lambda: open_trace(path)) in ("tensors_pickle", "tensors_invalid")
    assert not (tmp_path / "done").exists()


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


BAD_HEADERS = {
    "nonsense": b"hello",
    "cut": b"\x93NUMPY\x01\x00",
    "version": b"\x93NUMPY\x09\x00" + b"\0" * 50,
    "code": header("__import__('os').system('true')"),
    "nested": header("(" * 5000),
    "negative": header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2, 2, 2)}"),
    "huge": header(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904, 4, 0)}"
    ),
    "many axes": header("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 99 + ")}"),
    "more than there is": header("{'descr': '<f4', 'fortran_order': False, 'shape': (9, 9, 9, 9)}"),
    "records": header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,)}"),
    "dates": header("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (0,)}"),
    "void": header("{'descr': '|V2', 'fortran_order': False, 'shape': (0,)}"),
}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("name", BAD_HEADERS)
def test_headers_that_lie(tmp_path: Path, name: str, method: int) -> None:
    path = archive(tmp_path / "a.npz", {"encoder_self.npy": BAD_HEADERS[name]}, method)
    assert code_of(lambda: open_trace(path)) == "npz_array"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"other.npy": npy([1.0])}, "npz_no_attention"),
        ({"readme.txt": b"hello"}, "tensors_pickle"),
        ({"cross.npy": npy(np.ones((2, 2)))}, "npz_array"),
        ({"cross.npy": npy(np.full((1, 1, 1, 1), "a"))}, "npz_array"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1), complex))}, "npz_array"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "src_tokens.npy": npy([1])}, "npz_array"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "src_tokens.npy": npy(["a", "b"])}, "trace_invalid"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "src_ids.npy": npy([[1]])}, "trace_invalid"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "src_ids.npy": npy([-1])}, None),
        ({"cross.npy": npy(np.ones((1, 0, 1, 1)))}, "trace_invalid"),
        ({"encoder_self.npy": npy(np.ones((1, 1, 1, 2)) / 2)}, "trace_invalid"),
        ({"cross.npy": npy(np.full((1, 1, 1, 1), 1e300))}, "npz_rows"),
        ({"cross.npy": npy(np.full((1, 1, 1, 1), np.nan))}, "npz_rows"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "decoding.npy": npy("{")}, "trace_invalid"),
        ({"cross.npy": npy(np.ones((1, 1, 1, 1))), "format.npy": npy("headscope-trace")}, "trace_format"),
    ],
)
def test_wrong_contents(tmp_path: Path, members: dict[str, bytes], code: str | None) -> None:
    path = archive(tmp_path / "a.npz", members)
    if code is None:
        open_trace(path)
    else:
        assert code_of(lambda: open_trace(path)) == code


def test_text_that_is_none(tmp_path: Path) -> None:
    tokens = np.array(["ab"])
    tokens.view(np.uint32)[0] = 0x7FFFFFFF
    members = {"cross.npy": npy(np.ones((1, 1, 1, 1))), "src_tokens.npy": npy(tokens)}
    assert code_of(lambda: open_trace(archive(tmp_path / "a.npz", members))) == "npz_array"


def test_bombs_are_refused_before_they_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npz_file, "MOST_UNPACKED", 100_000)
    monkeypatch.setattr(limits, "HEADER", 10_000)
    monkeypatch.setattr(npz_file, "_inflated", None)  # whoever unpacked would fail
    path = tmp_path / "a.npz"
    np.savez_compressed(path, encoder_self=np.zeros((1, 1, 200, 200)))
    assert code_of(lambda: open_trace(path)) == "npz_large"
    np.savez(path, encoder_self=np.ones((1, 1, 1, 1)), tokens=np.zeros(1, "U5000"))
    assert code_of(lambda: open_trace(path)) == "npz_large"
    np.savez(path, encoder_self=np.zeros((1, 1, 200, 200)))  # one that stays in the file may be any size
    assert open_trace(path).src_tokens[-1] == "200"


def deflated(path: Path, data: bytes, claimed: int) -> Path:
    """An archive whose only member claims another size than it has."""
    archive(path, {"encoder_self.npy": data}, zipfile.ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    entry = content.rfind(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = struct.pack("<L", claimed)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("other", [8, 1 << 20])
def test_members_that_unpack_to_something_else(tmp_path: Path, other: int) -> None:
    good = npy(np.full((1, 1, 9, 9), 1 / 9))
    path = deflated(tmp_path / "a.npz", good[:-other] if other == 8 else good + b"\0" * other, len(good))
    assert code_of(lambda: open_trace(path)) == "npz_array"


def test_archives_of_other_kinds(tmp_path: Path) -> None:
    members = {"encoder_self.npy": npy(np.ones((1, 1, 1, 1)))}
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        assert code_of(lambda: open_trace(archive(tmp_path / "a.npz", members, method))) == "npz_array"  # noqa: B023
    path = archive(tmp_path / "a.npz", members)
    content = bytearray(path.read_bytes())
    entry = content.rfind(b"PK\x01\x02")
    content[entry + 8] |= 1  # encrypted
    path.write_bytes(content)
    assert code_of(lambda: open_trace(path)) == "npz_array"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("encoder_self.npy", members["encoder_self.npy"])
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("encoder_self.npy", members["encoder_self.npy"])
    assert code_of(lambda: open_trace(path)) == "npz_damaged"
    archive(path, {f"{number}.npy": b"" for number in range(5000)})
    assert code_of(lambda: open_trace(path)) == "npz_damaged"


def test_large_archives_of_numpy_have_another_directory(tmp_path: Path) -> None:
    """As numpy writes beyond 4 GB: sizes in the extra field, places in a second record."""
    data = npy(np.ones((1, 1, 1, 1), np.float32))
    name, crc, far = b"cross.npy", zlib.crc32(data), 0xFFFFFFFF
    extra = struct.pack("<2H2Q", 1, 16, len(data), len(data))
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 45, 0, 0, 0, 33, crc, far, far, len(name), len(extra))
    body = local + name + extra + data
    more = struct.pack("<2H3Q", 1, 24, len(data), len(data), 0)
    entry = struct.pack(
        "<4s6H3L5H2L",
        *(b"PK\x01\x02", 45, 45, 0, 0, 0, 33, crc, far, far, len(name), len(more), 0, 0, 0, 0, far),
    )
    directory = entry + name + more
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(directory), len(body))
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(body) + len(directory), 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, far, far, 0)
    path = tmp_path / "a.npz"
    path.write_bytes(body + directory + end64 + locator + end)
    with np.load(path) as by_numpy:  # the test's own archive is one
        assert by_numpy["cross"].tolist() == [[[[1.0]]]]
    assert open_trace(path).pattern(CROSS, 0, 0).tolist() == [[1.0]]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_archive_cut_at_any_byte(tmp_path: Path, save: Callable[..., None]) -> None:
    path = tmp_path / "a.npz"
    save(path, encoder_self=np.ones((1, 1, 1, 1)), tokens=["a"])
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert code_of(lambda: open_trace(path)) in ("npz_damaged", "tensors_invalid", "tensors_pickle")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("good") / "a.npz"
    found = []
    for save in (np.savez, np.savez_compressed):
        save(path, cross=weights(1, 2, 2, 3), src_tokens=["a", "b", "c"], numbers="pattern")
        found.append(path.read_bytes())
    return found


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damaged_bytes_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, good: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.npz"
    content = bytearray(data.draw(st.sampled_from(good)))
    places = st.integers(0, len(content) - 1) | st.integers(len(content) - 250, len(content) - 1)
    for place, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=4)):
        content[place] = value
    path.write_bytes(content)
    try:
        trace = open_trace(path)
    except HeadscopeError:
        return
    for kind in trace.kinds:
        for layer in range(trace.layers(kind)):
            assert np.isfinite(trace.patterns.layer(kind, layer)).all()


def test_no_torch_is_imported() -> None:
    code = "import sys, model.trace.npz_trace, model.trace.trace_file; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
