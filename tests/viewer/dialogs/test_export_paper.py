"""The export dialog's page: it has what `render` has, remembers, shows true sizes, writes sets of files."""

from __future__ import annotations

import re
import shlex
import struct
import threading
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import QComboBox, QMessageBox
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from model.trace.trace_file import save_trace
from tests.viewer.export_samples import sample_trace
from viewer.commands import render
from viewer.commands.render_arguments import build_parser
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportChoice, ExportDialog
from viewer.document.selection import Selection
from viewer.export import set_job
from viewer.export.set_job import SetJob, WrittenSet
from viewer.export.sets import Marked
from viewer.export.writers import write_export
from viewer.figures.paper import PAPER
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Memory:
    folder: str
    export: dict[str, Any] = field(default_factory=dict)


def opened(
    qtbot: QtBot, memory: Memory, request: ExportRequest | None = None, **context: Any
) -> ExportDialog:
    wanted = ExportRequest(selection=Selection(AttentionKind.CROSS)) if request is None else request
    dialog = ExportDialog(ExportContext(Source(sample_trace()), wanted, **context), memory)
    qtbot.addWidget(dialog)
    dialog.refresh()
    return dialog


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(str(tmp_path))


def choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


# Of `render`: what the window shows, from which the dialog starts; what is chosen in the dialog itself; what
# is the command line's own, where the window has the thing at hand.
SHOWN = {
    "view", "kind", "layer", "head", "heads", "step", "numbers", "whole_words", "query", "key", "threshold",
    "links", "source_words", "target_words", "rule", "incoming", "hide_specials", "raw_pieces", "language",
    "curves", "positions", "stack", "lesson", "set", "compare", "frame", "block", "unfold", "measure", "word",
    "rival", "read_word", "query_word", "what", "by", "path", "into",
}  # fmt: skip
CHOSEN = {"out", "each", "animate", "fps", "hold", "once"}
COMMAND = {
    "text", "first", "trace", "model", "any_script", "ablate", "block_token", "no_positions", "alter",
    "detach", "read_layer", "help",
}  # fmt: skip


def test_command_and_dialog_have_the_same_options(qtbot: QtBot, memory: Memory) -> None:
    flags = {action.dest for action in build_parser()._actions}
    editors = opened(qtbot, memory).form.paper.editors
    assert {name.replace("-", "_") for name in editors} == {option.dest for option in PAPER}
    assert {option.dest for option in PAPER} == flags - SHOWN - CHOSEN - COMMAND
    named = {flag for action in build_parser()._actions for flag in action.option_strings}
    assert {option.flag for option in PAPER} <= named


def test_what_is_chosen_is_what_the_copied_command_draws(
    qtbot: QtBot, memory: Memory, tmp_path: Path
) -> None:
    """Every option set to something unusual: the command's file is the dialog's, byte for byte."""
    trace = tmp_path / "a.trace"
    save_trace(sample_trace(), trace)
    request = ExportRequest(selection=Selection(AttentionKind.CROSS, layer=1, head=2), step=4)
    dialog = opened(qtbot, memory, request, trace_path=str(trace))
    editors = dialog.form.paper.editors
    for name, value in (("theme", "dark"), ("colours", "viridis"), ("scale", "max")):
        choose(editors[name], value)
    for name, number in (("width", 84.0), ("height", 70.0), ("font-size", 6.5), ("dpi", 150)):
        editors[name].setValue(number)
    for name in ("bare", "highlight"):
        editors[name].setChecked(True)
    usual = ExportRequest()
    assert not [option.name for option in PAPER if option.of(dialog.request) == option.of(usual)]
    write_export(Source(sample_trace()), dialog.request, tmp_path / "ours.png")
    assert render.run(shlex.split(dialog.command() or "")[2:]) == 0
    assert Path(dialog.path).read_bytes() == (tmp_path / "ours.png").read_bytes()


def test_choices_are_remembered_but_the_scale_is_the_windows(qtbot: QtBot, memory: Memory) -> None:
    first = opened(qtbot, memory)
    choose(first.form.paper.editors["colours"], "grey")
    choose(first.form.paper.editors["scale"], "sqrt")
    first.form.paper.editors["width"].setValue(84.0)
    first.form.paper.editors["bare"].setChecked(True)
    choose(first.form.format, "svg")
    first.reject()
    second = opened(qtbot, memory)
    assert second.request.but(motion=ExportRequest().motion) == ExportRequest(
        selection=Selection(AttentionKind.CROSS), colours="grey", width_mm=84.0, bare=True
    )
    assert second.file_format == "svg"
    memory.export = {"width": "wide", "theme": 3, "height": 1e9, "bare": "yes", "dpi": None}
    assert opened(qtbot, memory).request == ExportRequest(selection=Selection(AttentionKind.CROSS))


@pytest.mark.parametrize(("width", "height"), [(84.0, None), (160.0, 80.0), (133.3, None)])
def test_the_size_that_is_said_is_the_files(
    qtbot: QtBot, memory: Memory, tmp_path: Path, width: float, height: float | None
) -> None:
    dialog = opened(qtbot, memory, ExportRequest(width_mm=width, height_mm=height, dpi=254))
    said = {}
    for ending in ("png", "svg", "pdf"):
        choose(dialog.form.format, ending)
        dialog.refresh()
        write_export(Source(sample_trace()), dialog.request, tmp_path / f"a.{ending}")
        said[ending] = re.findall(r"[\d.]+", dialog.form.extent.text())
    png = (tmp_path / "a.png").read_bytes()
    assert said["png"][2:4] == [str(side) for side in struct.unpack(">II", png[16:24])]
    assert said["png"][:2] == [f"{side / 10:.1f}" for side in struct.unpack(">II", png[16:24])]  # 10 a mm
    root = ET.parse(tmp_path / "a.svg").getroot()
    sides = [float(root.get(name, "").removesuffix("mm")) for name in ("width", "height")]
    assert said["svg"][:2] == [f"{side:.1f}" for side in sides]
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", (tmp_path / "a.pdf").read_bytes())
    assert box is not None
    assert said["pdf"][:2] == [f"{float(side) * 25.4 / 72:.1f}" for side in box.groups()]
    least = min(
        float(e.get("font-size", "0")) for e in root.iter(f"{SVG}text") if e.text in ("girl", "donné")
    )
    assert float(said["svg"][2]) <= least * 0.75 + 0.05


def test_the_preview_is_as_large_as_the_paper(qtbot: QtBot, memory: Memory) -> None:
    dialog = opened(qtbot, memory, ExportRequest(width_mm=84.0))
    qtbot.waitUntil(lambda: not dialog.form.preview.pixmap().isNull())
    shown = dialog.form.preview.pixmap().deviceIndependentSize()
    assert shown.width() == pytest.approx(84 / 25.4 * 96, abs=0.6)
    height = float(re.findall(r"[\d.]+", dialog.form.extent.text())[1])
    assert shown.height() == pytest.approx(height / 25.4 * 96, abs=1)


def test_the_caption_is_there_to_copy(qtbot: QtBot, memory: Memory) -> None:
    dialog = opened(qtbot, memory)
    copied: list[str] = []
    dialog.caption_asked.connect(copied.append)
    dialog.form.copy_caption.click()
    assert copied[0].startswith("Decoder layer 1 of 2")
    assert "made-up" in copied[0]


def test_every_head_is_a_file_that_says_which(qtbot: QtBot, memory: Memory, tmp_path: Path) -> None:
    dialog = opened(qtbot, memory)
    dialog.open()
    choose(dialog.form.format, "svg")
    choose(dialog.form.each, "heads")
    assert Path(dialog.path).name == "cross.svg"
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.export.click()
    assert dialog.isVisible()  # it stays, and can be told what became of it
    dialog.say("done")
    assert dialog.form.message.text() == "done"
    progress: list[tuple[int, int]] = []
    job = SetJob(choices[0].members, choices[0].path, dialog)
    job.progressed.connect(lambda done, total: progress.append((done, total)))
    with qtbot.waitSignal(job.ended) as ended:
        job.start()
    assert ended.args == [WrittenSet(6, 6)]
    assert progress == [(count, 6) for count in range(1, 7)]
    for layer in (1, 2):
        for head in (1, 2, 3):
            root = ET.parse(tmp_path / f"cross-layer{layer}-head{head}.svg").getroot()
            assert root.findtext(f"{SVG}title") == f"Decoder layer {layer} of 2, head {head} of 3"
    assert len(list(tmp_path.iterdir())) == 6
    dialog.reject()


def test_a_set_can_be_given_up_and_asks_before_it_replaces(
    qtbot: QtBot, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(qtbot, memory)
    choose(dialog.form.each, "steps")
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.export.click()
    job = SetJob(choices[0].members, choices[0].path, dialog)
    ended: list[WrittenSet] = []

    def give_up(done: int, _: int) -> None:
        """As a modal dialog of progress does in `setValue`, found by the monkey (seed 15)."""
        if done == 2:
            job.cancel()
            shiboken6.delete(job)

    job.progressed.connect(give_up)
    job.ended.connect(ended.append)
    job.start()
    qtbot.waitUntil(lambda: ended == [WrittenSet(2, 7)])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "cross-layer1-head1-step1.png", "cross-layer1-head1-step2.png",
    ]  # fmt: skip
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    dialog.form.export.click()
    assert asked == ["2 of these files exist already. Replace them?"]
    assert len(choices) == 1


def test_a_set_that_is_given_up_ends_after_its_file(
    qtbot: QtBot, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by the monkey (seed 6): whoever heard the end let the job go while its thread worked."""
    begun, release = threading.Event(), threading.Event()

    def slowly(*given: object) -> str:
        begun.set()
        assert release.wait(20)
        return "written"

    monkeypatch.setattr(set_job, "written", slowly)
    dialog = opened(qtbot, memory)
    choose(dialog.form.each, "steps")
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.export.click()
    job, ended = SetJob(choices[0].members, choices[0].path, dialog), []
    job.ended.connect(ended.append)
    job.start()
    qtbot.waitUntil(begun.is_set)
    job.cancel()
    assert ended == []
    release.set()
    qtbot.waitUntil(lambda: ended == [WrittenSet(1, 7)])


def test_every_bookmark_is_a_figure_of_its_own(qtbot: QtBot, memory: Memory, tmp_path: Path) -> None:
    other = sample_trace(layers=4, heads=5, seed=3)
    marks = (
        Marked(
            "An early look", Source(sample_trace()), ExportRequest(selection=Selection(AttentionKind.CROSS))
        ),
        Marked(
            "a/b: *",
            Source(other),
            ExportRequest(view="heads", selection=Selection(AttentionKind.ENCODER_SELF)),
        ),
    )
    dialog = opened(qtbot, memory, marks=marks)
    choose(dialog.form.format, "svg")
    choose(dialog.form.each, "bookmarks")
    dialog.form.paper.editors["width"].setValue(100.0)
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.export.click()
    job = SetJob(choices[0].members, choices[0].path, dialog)
    with qtbot.waitSignal(job.ended):
        job.start()
    found = {path.name: ET.parse(path).getroot() for path in tmp_path.iterdir()}
    assert sorted(found) == ["bookmarks-01-An-early-look.svg", "bookmarks-02-a-b.svg"]
    assert {root.get("width") for root in found.values()} == {"100mm"}
    assert "4" in found["bookmarks-02-a-b.svg"].findtext(f"{SVG}title", "")
    assert dialog.command() is None


def test_the_command_writes_sets_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "a.trace"
    save_trace(sample_trace(), trace)
    words = ["--trace", str(trace), "--kind", "encoder_self", "--out", str(tmp_path / "maps.svg")]
    assert render.run([*words, "--each", "heads"]) == 0
    assert len(list(tmp_path.glob("maps-layer?-head?.svg"))) == 6
    assert capsys.readouterr().err.startswith("headscope: 6 files, ")
    title = ET.parse(tmp_path / "maps-layer2-head3.svg").getroot().findtext(f"{SVG}title")
    assert title == "Encoder layer 2 of 2, head 3 of 3"
