"""Folders of traces as sequences: order, laziness, damage, and a folder that changes meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from model.errors import HeadscopeError
from model.trace import trace_sequence
from model.trace.trace import AttentionKind, FrameKind, frame_of
from model.trace.trace_file import open_trace, save_trace
from model.trace.trace_sequence import TraceSequence, is_sequence
from tests.viewer.export_samples import sample_trace


def keep(folder: Path, step: int, *, seed: int | None = None, kind: FrameKind = "training_step") -> Path:
    path = folder / f"{step:08d}.trace"
    folder.mkdir(exist_ok=True)
    save_trace(
        sample_trace(seed=step if seed is None else seed), path, float16=True, frame=step, frame_kind=kind
    )
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for step in (1200, 0, 100):
        keep(tmp_path / "probe", step)
    return tmp_path / "probe"


def test_the_place_in_a_sequence_is_in_the_header_and_in_the_trace(tmp_path: Path) -> None:
    path = keep(tmp_path, 1200)
    with safe_open(str(path), "numpy") as file:  # the format's own reader
        assert (file.metadata()["frame"], file.metadata()["frame_kind"]) == ("1200", "training_step")
    trace = open_trace(path)
    assert (trace.frame, trace.frame_kind, trace.is_round) == (1200, "training_step", False)
    save_trace(trace, tmp_path / "again.trace")  # a copy stays a frame
    assert open_trace(tmp_path / "again.trace").frame == 1200
    assert open_trace(keep(tmp_path, 3, kind="round")).is_round
    plain = sample_trace()
    assert (plain.frame, plain.frame_kind) == (None, None)


@pytest.mark.parametrize("number", ["", "-1", "1.5", "²", "1e3", "9" * 19, " 7"])
def test_a_number_that_is_none_makes_no_frame(number: str) -> None:
    assert frame_of({"frame": number, "frame_kind": "training_step"}) == (None, None)


def test_frames_come_in_order_of_their_number(folder: Path) -> None:
    os.rename(folder / "00000000.trace", folder / "zzz.trace")  # the header counts, not the name
    sequence = TraceSequence.open(folder)
    assert (sequence.numbers, len(sequence), sequence.kind) == ((0, 100, 1200), 3, "training_step")
    assert [sequence.frame(place).frame for place in range(3)] == [0, 100, 1200]
    assert sequence.path(0) == folder / "zzz.trace"
    with safe_open(str(sequence.path(2)), "numpy") as file:
        stored = file.get_tensor("cross")
    shown = sequence.frame(2).pattern(AttentionKind.CROSS, 1, 2)
    np.testing.assert_array_equal(shown, stored[1, 2].astype(np.float32))


def test_the_nearest_place(folder: Path) -> None:
    sequence = TraceSequence.open(folder)
    assert [sequence.place(n) for n in (-5, 0, 50, 51, 649, 651, 9999)] == [0, 0, 0, 1, 1, 2, 2]
    assert sequence.of_number(100).frame == 100
    with pytest.raises(HeadscopeError, match="no frame 130; the nearest is 100"):
        sequence.of_number(130)


def test_a_copy_and_foreign_files_are_no_further_frames(folder: Path) -> None:
    save_trace(sample_trace(), folder / "plain.trace")
    (folder / "copy.trace").write_bytes((folder / "00000100.trace").read_bytes())
    (folder / ".00000200.trace.0123456789abcdef.tmp").write_bytes(b"being written")
    (folder / "notes.txt").write_text("no trace")
    sequence = TraceSequence.open(folder)
    assert (sequence.numbers, sequence.damaged) == ((0, 100, 1200), ())


def test_a_folder_without_frames(tmp_path: Path) -> None:
    assert not is_sequence(tmp_path)
    with pytest.raises(HeadscopeError) as caught:
        TraceSequence.open(tmp_path)
    assert caught.value.code == "sequence_empty"
    save_trace(sample_trace(), tmp_path / "a.trace")
    assert not is_sequence(tmp_path)
    assert not is_sequence(tmp_path / "missing")
    with pytest.raises(HeadscopeError, match="missing"):
        TraceSequence.open(tmp_path / "missing")
    keep(tmp_path, 5)
    assert is_sequence(tmp_path)


def test_kinds_do_not_mix(folder: Path) -> None:
    sequence = TraceSequence.open(folder)
    keep(folder, 1, kind="round")
    with pytest.raises(HeadscopeError) as caught:
        TraceSequence.open(folder)
    assert caught.value.code == "sequence_mixed"
    with pytest.raises(HeadscopeError):
        sequence.refresh()
    assert sequence.numbers == (0, 100, 1200)


def test_a_damaged_frame_is_named_and_left_out(folder: Path) -> None:
    path = folder / "00000100.trace"
    path.write_bytes(path.read_bytes()[:-10])
    sequence = TraceSequence.open(folder)
    assert sequence.numbers == (0, 1200)
    assert [str(path) in str(error) for error in sequence.damaged] == [True]
    keep(folder, 100)  # mended
    assert sequence.refresh()
    assert (sequence.numbers, sequence.damaged) == ((0, 100, 1200), ())
    for other in folder.iterdir():
        other.write_bytes(b"")
    with pytest.raises(HeadscopeError, match=r"00000000\.trace is damaged"):
        TraceSequence.open(folder)


def test_frames_appear_vanish_and_are_replaced(folder: Path) -> None:
    sequence = TraceSequence.open(folder)
    assert not sequence.refresh()
    first = sequence.frame(0)
    assert sequence.frame(0) is first
    keep(folder, 1300)
    assert sequence.refresh()
    assert sequence.numbers == (0, 100, 1200, 1300)
    assert sequence.frame(0) is first  # what was open stays open
    (folder / "00000100.trace").unlink()
    with pytest.raises(HeadscopeError) as caught:
        sequence.frame(1)  # gone before anybody noticed
    assert caught.value.code == "file_missing"
    assert sequence.refresh()
    assert sequence.numbers == (0, 1200, 1300)
    keep(folder, 0, seed=99)
    assert sequence.refresh()
    wanted = sample_trace(seed=99).pattern(AttentionKind.CROSS, 0, 0)
    np.testing.assert_allclose(sequence.frame(0).pattern(AttentionKind.CROSS, 0, 0), wanted, atol=1e-3)
    for path in folder.iterdir():
        path.unlink()
    assert sequence.refresh()
    assert len(sequence) == 0
    folder.rmdir()
    with pytest.raises(HeadscopeError):
        sequence.refresh()


def test_only_headers_are_read_until_a_frame_is_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def noted(path: Path) -> object:
        opened.append(path.name)
        return open_trace(path)

    monkeypatch.setattr(trace_sequence, "open_trace", noted)
    for step in range(1, 40):
        keep(folder, step)
    sequence = TraceSequence.open(folder)
    assert opened == []
    for place in range(len(sequence)):
        sequence.frame(place)
    assert len(opened) == 42
    sequence.frame(41)
    sequence.frame(30)
    assert len(opened) == 42  # the last few are kept
    sequence.frame(0)
    assert len(opened) == 43  # not all
