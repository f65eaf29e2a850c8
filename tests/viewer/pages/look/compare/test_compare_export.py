"""A difference exported: CSV and NPZ against numpy on the traces, the dialog, and `render --compare`."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.alterations.scale_head import ScaleHead
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.viewer.export_samples import sample_trace
from viewer.commands import render
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportDialog
from viewer.document.selection import Selection
from viewer.export.writers import write_export
from viewer.figures.building import build_figure
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.request import ExportRequest, Source

A = ("<s>", "▁La", "▁petite", "▁fille", "</s>")
B = ("<s>", "▁La", "▁très", "▁grande", "▁fille", "</s>")
ROWS = [(0, 0), (1, 1), (2, 2), (None, 3), (3, 4)]


@pytest.fixture
def traces() -> tuple[Trace, Trace]:
    return sample_trace(target=A, seed=1, model_sha256="a"), sample_trace(target=B, seed=2, model_sha256="b")


def request(**changes: object) -> ExportRequest:
    selection = Selection(AttentionKind.CROSS, 1, 2, 1, 0, 0)
    return ExportRequest(view="difference", selection=selection).but(**changes)


def test_csv_has_every_cell_of_either_run(qapp: object, traces: tuple[Trace, Trace], tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    write_export(Source(compared=traces), request(), path)
    a, b = (trace.pattern(AttentionKind.CROSS, 1, 2) for trace in traces)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 5 * 8
    for line in lines:
        i, j, k = line["query_a"], line["query_b"], int(line["key_a"])
        assert line["key_b"] == line["key_a"]
        assert (line["kind"], line["layer"], line["head"]) == ("cross", "1", "2")
        assert line["key_token_a"] == line["key_token_b"] == traces[0].src_tokens[k]
        assert line["query_token_a"] == (A[int(i)] if i else "")
        assert line["query_token_b"] == B[int(j)]
        assert line["replaced"] == ("query" if i == "2" else "")
        if i:
            assert np.float32(line["weight_a"]) == a[int(i), k]
        if j:
            assert np.float32(line["weight_b"]) == b[int(j), k]
        if i and j:
            assert np.float32(line["difference"]) == b[int(j), k] - a[int(i), k]
        else:
            assert line["difference"] == ""
        assert line["notes"].startswith("difference: B − A; two models")
        assert line["notes"].endswith("; “x | y”: B has y where A has x")
    assert [(line["query_a"], line["query_b"]) for line in lines[::8]] == [
        tuple("" if n is None else str(n) for n in pair) for pair in ROWS
    ]


def test_npz_holds_the_same_arrays(qapp: object, traces: tuple[Trace, Trace], tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    write_export(Source(compared=traces), request(), path)
    a, b = (trace.pattern(AttentionKind.CROSS, 1, 2) for trace in traces)
    with np.load(path, allow_pickle=False) as data:
        assert data["query_a"].tolist() == [0, 1, 2, -1, 3]
        assert data["query_b"].tolist() == [0, 1, 2, 3, 4]
        np.testing.assert_array_equal(data["weight_a"][[0, 1, 2, 4]], a)
        np.testing.assert_array_equal(data["weight_b"], b)
        np.testing.assert_array_equal(data["difference"][[0, 1, 2, 4]], b[[0, 1, 2, 4]] - a)
        assert np.isnan(data["difference"][3]).all()
        assert data["query_token_a"].tolist() == ["<s>", "▁La", "▁petite", "", "▁fille"]
        assert data["query_token_b"].tolist() == ["<s>", "▁La", "▁très", "▁grande", "▁fille"]
        assert data["query_replaced"].tolist() == [False, False, True, False, False]
        assert not data["key_replaced"].any()
        assert json.loads(str(data["facts"]))["b"]["model_sha256"] == "b"


def test_what_cannot_be_is_said(qapp: object, traces: tuple[Trace, Trace], tmp_path: Path) -> None:
    source = Source(trace=traces[1], compared=traces)
    for path, code in (("d.trace", "export_compared_trace"), ("d.gif", "export_compared_moving")):
        with pytest.raises(HeadscopeError) as caught:
            write_export(source, request(), tmp_path / path)
        assert caught.value.code == code
    with pytest.raises(HeadscopeError) as caught:
        build_figure(Source(trace=traces[1]), request())
    assert caught.value.code == "export_no_compared"
    with pytest.raises(HeadscopeError) as caught:
        build_figure(source, request(selection=Selection(AttentionKind.CROSS, 7, 0)))
    assert caught.value.code == "export_layer"
    assert list(tmp_path.iterdir()) == []


def test_no_step_and_no_crosshair_in_the_figure(qapp: object, traces: tuple[Trace, Trace]) -> None:
    spec = build_figure(Source(compared=traces), request()).body
    assert isinstance(spec, DifferenceSpec)
    assert spec.step_row is None
    assert spec.crosshair is None


class Folder:
    """Remembers a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.export: dict[str, Any] = {}


def test_the_dialog_offers_the_difference_of_what_pane_b_shows(
    qtbot: QtBot, traces: tuple[Trace, Trace], tmp_path: Path
) -> None:
    shown = Selection(AttentionKind.CROSS, 1, 2, 1)
    context = ExportContext(
        Source(trace=traces[0], compared=traces),
        ExportRequest(selection=Selection(AttentionKind.CROSS, 0, 0, 1), step=1),
        compared=shown,
        compared_paths=("/somewhere/a.trace", "/somewhere/b.trace"),
    )
    dialog = ExportDialog(context, Folder(tmp_path))
    qtbot.addWidget(dialog)
    dialog.form.what.setCurrentIndex(dialog.form.what.findData("difference"))
    assert dialog.request.view == "difference"
    assert dialog.request.selection == shown
    assert Path(dialog.path).name == "difference-cross-layer2-head3.png"
    command = dialog.command()
    assert command is not None
    assert command.startswith("headscope render --kind cross --layer 2 --head 3")
    assert command.endswith("--trace /somewhere/b.trace --compare /somewhere/a.trace")
    assert "--step" not in command
    dialog.refresh()
    assert dialog.form.message.text() == ""
    plain = ExportDialog(ExportContext(Source(trace=traces[0]), ExportRequest()), Folder(tmp_path))
    qtbot.addWidget(plain)
    assert plain.form.what.findData("difference") < 0


def test_two_texts_of_one_model_need_no_files(qtbot: QtBot, tmp_path: Path) -> None:
    a, b = sample_trace(src_text="a cat", target=A), sample_trace(src_text="a dog", target=B)

    def command(first: Trace, second: Trace) -> str | None:
        source = Source(trace=second, compared=(first, second))
        context = ExportContext(source, request(), model="en-fr", compared=Selection())
        dialog = ExportDialog(context, Folder(tmp_path))
        qtbot.addWidget(dialog)
        dialog.form.what.setCurrentIndex(dialog.form.what.findData("difference"))
        return dialog.command()

    said = command(a, b)
    assert said is not None
    assert said.endswith("'--from=a cat' --model en-fr -- 'a dog'")
    assert command(a, replace(b, model_sha256="f" * 64)) is None  # which no one model decodes
    assert command(replace(a, decoding={"mode": "beam", "beam_size": 4}), b) is None
    off = replace(a, alterations=(ScaleHead(AttentionKind.CROSS, 0, 0).to_json(),))
    assert command(off, b) is None  # what alters the model would be done to B
    assert command(b, off) is not None


def test_the_command_writes_what_the_dialog_writes(
    qapp: object, traces: tuple[Trace, Trace], tmp_path: Path
) -> None:
    for name, trace in zip("ab", traces, strict=True):
        save_trace(trace, tmp_path / f"{name}.trace")
    for ending in ("png", "csv"):
        out = tmp_path / f"made.{ending}"
        words = ["--kind", "cross", "--layer", "2", "--head", "3", "--out", str(out)]
        words += ["--trace", str(tmp_path / "b.trace"), "--compare", str(tmp_path / "a.trace")]
        assert render.run(words) == 0
        write_export(Source(compared=traces), request(), tmp_path / f"wanted.{ending}")
        assert out.read_bytes() == (tmp_path / f"wanted.{ending}").read_bytes()


def test_a_page_of_heads_is_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        render.run(["--trace", "b", "--compare", "a", "--view", "heads", "--out", str(tmp_path / "x.png")])
    assert caught.value.code == 2
    assert "--compare and --from draw a pair" in capsys.readouterr().err
