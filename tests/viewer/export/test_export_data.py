"""CSV, NPZ: every number and token equals the trace file's, read by an independent parser."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.errors import HeadscopeError
from model.trace.npz_write import write_npz
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.model.safetensors_by_hand import parse
from tests.model.tiny_trace import make_trace
from tests.model.trace.reading_trace import reading_trace
from tests.viewer.export_samples import sample_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.writers import write_export
from viewer.figures.encoding.table import write_positions_csv
from viewer.figures.map.weights_table import Table, write_csv
from viewer.figures.registry import asked_kinds
from viewer.figures.request import ExportRequest, Source

HEADER = ["kind", "layer", "head", "query", "key", "query_token", "key_token", "weight"]
HEADER += ["predicted_token", "layer_number", "head_number", "step"]


@pytest.fixture
def trace() -> Trace:
    return sample_trace()


def rows_of(path: Path) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True)
    return header, rows


def table(kind: str, heads: list[tuple[int, int | None]], queries: int, keys: int, notes: str = "") -> Table:
    return Table(AttentionKind(kind), tuple(heads), range(queries), range(keys), notes)


@pytest.mark.parametrize(
    ("kind", "queries", "keys"), [("cross", 7, 8), ("encoder_self", 8, 8), ("decoder_self", 7, 7)]
)
def test_csv_equals_the_trace_file(tmp_path: Path, trace: Trace, kind: str, queries: int, keys: int) -> None:
    save_trace(trace, tmp_path / "a.trace")
    heads: list[tuple[int, int | None]] = [(0, 2), (1, 0)]
    write_csv(open_trace(tmp_path / "a.trace"), table(kind, heads, queries, keys), tmp_path / "a.csv")
    tensors, metadata = parse(tmp_path / "a.trace")
    read = json.loads(metadata["src_tokens" if kind == "encoder_self" else "tgt_in_tokens"])
    seen = json.loads(metadata["tgt_in_tokens" if kind == "decoder_self" else "src_tokens"])
    header, rows = rows_of(tmp_path / "a.csv")
    assert header == HEADER
    assert len(rows) == 2 * queries * keys
    at = iter(rows)
    for layer, head in ((0, 2), (1, 0)):
        for query in range(queries):
            for key in range(keys):
                row = next(at)
                assert row[:5] == [kind, str(layer), str(head), str(query), str(key)]
                assert row[5:7] == [read[query], seen[key]]
                decodes = kind != "encoder_self"
                assert row[8:] == [
                    json.loads(metadata["tgt_out_tokens"])[query] if decodes else "",
                    str(layer + 1), str(head + 1), str(query + 1) if decodes else "",
                ]  # fmt: skip
                assert np.float32(row[7]) == tensors[kind][layer, head, query, key]  # %.9g: exactly


@pytest.mark.parametrize("kind", AttentionKind)
@pytest.mark.parametrize("hides", [False, True])
def test_before_its_first_step_a_decoding_writes_what_there_is_or_says_why_not(
    tmp_path: Path, kind: AttentionKind, hides: bool
) -> None:
    begun = make_trace(t=0)
    options = ViewOptions(hide_specials=hides)
    for view in asked_kinds():
        request = ExportRequest(view=view, selection=Selection(kind=kind), options=options)
        for ending in ("csv", "npz", "trace"):
            path = tmp_path / f"{view}.{ending}"
            try:
                write_export(Source(trace=begun), request, path)
            except HeadscopeError:
                assert not path.exists()
                continue
            if ending == "csv" and view in ("heatmap", "heads", "all_heads"):
                _, rows = rows_of(path)
                kinds = set(AttentionKind) if view == "all_heads" else {kind}
                written = {"encoder_self"} & kinds  # only the source has been read
                assert {row[0] for row in rows} == written, view


def test_csv_writes_masked_cells_as_zero_and_numbers_as_promised(tmp_path: Path, trace: Trace) -> None:
    write_csv(trace, table("decoder_self", [(0, 0)], 7, 7), tmp_path / "a.csv")
    _, rows = rows_of(tmp_path / "a.csv")
    above = [row[7] for row in rows if int(row[4]) > int(row[3])]
    assert len(above) == 21
    assert set(above) == {"0"}
    assert rows[0][7] == "1"
    text = (tmp_path / "a.csv").read_bytes()
    assert text.startswith(",".join(HEADER).encode() + b"\r\n")
    assert all(row[7] == f"{float(row[7]):.9g}" for row in rows)


def test_csv_of_the_mean_says_so_and_is_it(tmp_path: Path, trace: Trace) -> None:
    save_trace(trace, tmp_path / "a.trace")
    write_csv(trace, table("cross", [(1, None)], 7, 8), tmp_path / "a.csv")
    tensors, _ = parse(tmp_path / "a.trace")
    mean = tensors["cross"][1].astype(np.float64).mean(0)
    header, rows = rows_of(tmp_path / "a.csv")
    assert header == HEADER
    assert {row[2] for row in rows} == {"mean"}
    np.testing.assert_allclose([float(row[7]) for row in rows], mean.ravel(), rtol=0, atol=1e-7)


def test_csv_quotes_and_keeps_indices_of_left_out_tokens(tmp_path: Path) -> None:
    trace = sample_trace(source=("▁a,b", '▁"', "line\nbreak", "猫", "</s>"))
    wanted = Table(AttentionKind.CROSS, ((0, 0),), (1, 3), (0, 1, 2, 3))
    write_csv(trace, wanted, tmp_path / "a.csv")
    _, rows = rows_of(tmp_path / "a.csv")
    assert [row[6] for row in rows[:4]] == ["▁a,b", '▁"', "line\nbreak", "猫"]
    assert [row[3] for row in rows] == ["1"] * 4 + ["3"] * 4
    assert [row[5] for row in rows[::4]] == ["▁La", "▁fille"]
    assert np.float32(rows[6][7]) == trace.pattern(AttentionKind.CROSS, 0, 0)[3, 2]


def test_csv_notes_are_a_last_column_only_when_there_are_any(tmp_path: Path, trace: Trace) -> None:
    write_csv(trace, table("cross", [(0, 0)], 1, 2, "model altered: x"), tmp_path / "a.csv")
    header, rows = rows_of(tmp_path / "a.csv")
    assert header == [*HEADER, "notes"]
    assert [row[-1] for row in rows] == ["model altered: x"] * 2


def test_csv_of_positions(tmp_path: Path) -> None:
    encoding = np.array([[0.0, 1.0], [0.84147098, 0.54030231]], np.float32)
    write_positions_csv(encoding, tmp_path / "p.csv")
    header, rows = rows_of(tmp_path / "p.csv")
    assert header == ["position", "dimension", "value"]
    assert [row[:2] for row in rows] == [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    assert [np.float32(row[2]) for row in rows] == encoding.ravel().tolist()


def test_npz_equals_the_trace_file(tmp_path: Path, trace: Trace) -> None:
    save_trace(trace, tmp_path / "a.trace")
    write_npz(open_trace(tmp_path / "a.trace"), tmp_path / "a.npz")
    tensors, metadata = parse(tmp_path / "a.trace")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    for name, tensor in tensors.items():
        assert arrays[name].dtype == tensor.dtype, name
        assert arrays[name].shape == tensor.shape, name
        assert arrays[name].tobytes() == tensor.tobytes(), name
    for name, text in metadata.items():
        if name.endswith("_tokens"):
            assert arrays[name].tolist() == json.loads(text), name
        else:
            assert arrays[name].shape == (), name
            assert str(arrays[name]) == text, name


def test_npz_holds_ranks_and_what_was_drawn_from(tmp_path: Path, trace: Trace) -> None:
    steps = trace.steps
    sampled = sample_trace(
        step_rank=np.arange(1, steps + 1),
        candidate_drawn=trace.candidate_logprobs - 1,
        drawn_count=np.full(steps, 7),
    )
    write_npz(sampled, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert archive["step_rank"].tolist() == list(range(1, steps + 1))
        assert archive["drawn_count"].tolist() == [7] * steps
        np.testing.assert_array_equal(archive["candidate_drawn"], trace.candidate_logprobs - 1)


def test_npz_of_a_half_precision_trace_is_float32(tmp_path: Path, trace: Trace) -> None:
    save_trace(trace, tmp_path / "a.trace", float16=True)
    write_npz(open_trace(tmp_path / "a.trace"), tmp_path / "a.npz")
    tensors, _ = parse(tmp_path / "a.trace")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert archive["cross"].dtype == np.float32
        np.testing.assert_array_equal(archive["cross"], tensors["cross"].astype(np.float32))


def test_npz_of_a_model_without_decoder(tmp_path: Path, trace: Trace) -> None:
    from model.trace.trace import ArrayPatterns

    kind = AttentionKind.ENCODER_SELF
    only = ArrayPatterns({kind: np.stack([trace.patterns.layer(kind, n) for n in range(2)])})
    none = np.zeros(0, np.int64)
    reading = sample_trace(
        patterns=only, tgt_text="", tgt_in_tokens=(), tgt_out_tokens=(), tgt_in_ids=none, tgt_out_ids=none,
        step_logprob=np.zeros(0, np.float32), candidate_ids=np.zeros((0, 0), np.int64),
        candidate_logprobs=np.zeros((0, 0), np.float32), candidate_tokens=(),
    )  # fmt: skip
    write_npz(reading, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert "encoder_self" in archive.files
        assert not [name for name in archive.files if name.startswith(("tgt", "cross", "decoder", "cand"))]


def test_equal_data_makes_equal_files(tmp_path: Path, trace: Trace) -> None:
    for name in ("1.npz", "2.npz"):
        write_npz(trace, tmp_path / name)
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


def _full(*args: Any, **keywords: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("name", ["a.csv", "a.npz"])
def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, trace: Trace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    monkeypatch.setattr("os.write", _full)
    monkeypatch.setattr("zipfile.ZipFile._write_end_record", _full)
    write = {
        "a.csv": lambda: write_csv(trace, table("cross", [(0, 0)], 7, 8), path),
        "a.npz": lambda: write_npz(trace, path),
    }[name]
    with pytest.raises(HeadscopeError, match=re.escape(name)) as caught:
        write()
    assert caught.value.code == "disk_full"
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [name]


def test_a_path_under_a_file_cannot_be_written(tmp_path: Path, trace: Trace) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HeadscopeError):
        write_npz(trace, tmp_path / "file" / "a.npz")
    assert os.listdir(tmp_path) == ["file"]


def test_npz_of_a_model_that_reads_equals_its_trace_file(tmp_path: Path) -> None:
    save_trace(reading_trace(), tmp_path / "a.trace")
    write_npz(open_trace(tmp_path / "a.trace"), tmp_path / "a.npz")
    tensors, metadata = parse(tmp_path / "a.trace")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    assert set(arrays) == set(tensors) | set(metadata)
    for name in tensors:
        assert (arrays[name].dtype, arrays[name].tolist()) == (tensors[name].dtype, tensors[name].tolist())
    assert arrays["src_candidate_tokens"].tolist() == json.loads(metadata["src_candidate_tokens"])
    assert arrays["src_candidate_tokens"].shape == arrays["src_candidate_ids"].shape == (8, 3)
