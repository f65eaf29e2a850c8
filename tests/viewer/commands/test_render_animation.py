"""`render` on time-lapses and as animations; the dialog's fields for them; the window's own export."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace
from model.trace.trace_sequence import TraceSequence
from tests.viewer.commands.test_render import headscope
from tests.viewer.export_samples import sample_trace
from tests.viewer.time_lapse_samples import make_sequence, weights_on_disk
from viewer.commands import render
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportDialog
from viewer.dialogs.export_form import DATA
from viewer.document.selection import Selection
from viewer.export.writers import write_export
from viewer.figures.request import ExportRequest, Motion, Source

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_sequence(tmp_path / "probe")


def told(path: Path) -> tuple[str, int]:
    with Image.open(path) as image:
        return str(image.format), int(image.n_frames)


@pytest.mark.parametrize("view", ["heatmap", "heads"])
@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_folder_becomes_an_animation(
    tmp_path: Path, folder: Path, view: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"a.{ending}"
    words = ["--trace", str(folder), "--view", view, "--dpi", "60", "--width", "80", "--out", str(out)]
    assert render.run(words) == 0
    assert told(out) == (ending.upper(), 4)
    said = capsys.readouterr().err
    assert said.startswith(f"headscope: {out}: 4 frames, ")
    assert said.rstrip().endswith(("kB", "MB"))


def test_the_steps_of_a_trace_and_of_one_frame(tmp_path: Path, folder: Path) -> None:
    words = ["--trace", str(folder / "00000100.trace"), "--dpi", "60"]
    render.run([*words, "--animate", "steps", "--out", str(tmp_path / "a.webp")])
    render.run([*words, "--out", str(tmp_path / "b.webp")])  # there is nothing else to animate
    frame = ["--trace", str(folder), "--frame", "100", "--dpi", "60"]
    render.run([*frame, "--out", str(tmp_path / "c.webp")])
    assert told(tmp_path / "a.webp") == ("WEBP", 7)
    assert len({(tmp_path / f"{name}.webp").read_bytes() for name in "abc"}) == 1


def test_a_run_s_time_lapse_opens_on_the_head_that_its_model_shows_first(
    tmp_path: Path, tiny_bundle: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(tiny_bundle, run)
    config = json.loads((run / "config.json").read_text("utf-8"))
    config["showcase"] = {"kind": "cross", "layer": 1, "head": 2}
    (run / "config.json").write_text(json.dumps(config), "utf-8")
    frame = ["--trace", str(make_sequence(run / "probe")), "--frame", "200"]
    render.run([*frame, "--out", str(tmp_path / "a.csv")])
    render.run([*frame, "--layer", "1", "--out", str(tmp_path / "b.csv")])

    for name, layer, head in (("a", 1, 2), ("b", 0, 0)):
        rows = list(csv.reader(io.StringIO((tmp_path / f"{name}.csv").read_text("utf-8"), newline="")))[1:]
        found = np.array([float(row[7]) for row in rows if row[:1] == ["cross"]], np.float32)
        np.testing.assert_array_equal(found, weights_on_disk(run / "probe", 200, layer, head).ravel())


def test_stills_and_data_of_a_frame(tmp_path: Path, folder: Path) -> None:
    words = ["--trace", str(folder), "--frame", "200", "--layer", "2", "--head", "3"]
    render.run([*words, "--out", str(tmp_path / "a.csv")])
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_text("utf-8"), newline="")))[1:]
    found = np.array([float(row[7]) for row in rows if len(row) > 7 and row[0] == "cross"], np.float32)
    np.testing.assert_array_equal(found, weights_on_disk(folder, 200, 1, 2).ravel())
    assert "training step 200" in (tmp_path / "a.csv").read_text("utf-8")
    render.run([*words, "--out", str(tmp_path / "a.svg")])
    assert "training step 200" in (tmp_path / "a.svg").read_text("utf-8")
    render.run([*words, "--out", str(tmp_path / "a.trace")])
    assert open_trace(tmp_path / "a.trace").frame == 200


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--trace", "{folder}", "--out", "{out}/a.png"], "say which training step to draw (--frame)"),
        (["--trace", "{folder}", "--frame", "130", "--out", "{out}/a.png"], "the nearest is 100"),
        (["--trace", "{out}", "--out", "{out}/a.gif"], "there are no frames of a time-lapse"),
        (["--trace", "{file}", "--animate", "training", "--out", "{out}/a.gif"], "there is only one trace"),
        (["--trace", "{file}", "--animate", "steps", "--out", "{out}/a.png"], "is not an animation"),
        (
            ["--trace", "{folder}", "--fps", "0", "--out", "{out}/a.gif"],
            "0 frames per second cannot be shown",
        ),
        (["--trace", "{folder}", "--dpi", "2000", "--out", "{out}/a.gif"], "is too large"),
        (["--trace", "{file}", "--kind", "encoder_self", "--out", "{out}/a.gif"], "the same at every step"),
    ],
)
def test_errors(tmp_path: Path, folder: Path, words: list[str], sentence: str) -> None:
    places = {"folder": str(folder), "file": str(folder / "00000000.trace"), "out": str(tmp_path)}
    with pytest.raises(HeadscopeError) as caught:
        render.run([word.format(**places) for word in words])
    assert sentence in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["probe"]


def test_a_damaged_frame_is_noted(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "00000100.trace").write_bytes(b"nothing")
    render.run(["--trace", str(folder), "--dpi", "60", "--out", str(tmp_path / "a.gif")])
    assert "headscope: note: " in (said := capsys.readouterr().err)
    assert "00000100.trace" in said
    assert told(tmp_path / "a.gif") == ("GIF", 3)


def test_arguments_without_effect_are_named(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(folder / "00000100.trace")
    render.run(["--trace", file, "--fps", "3", "--frame", "2", "--out", str(tmp_path / "a.png")])
    assert capsys.readouterr().err.strip().endswith("no difference to this file: --fps, --frame")
    render.run(["--trace", file, "--step", "2", "--dpi", "60", "--out", str(tmp_path / "a.gif")])
    assert "no difference to this file: --step" in capsys.readouterr().err


def test_without_torch_and_without_a_display(tmp_path: Path, folder: Path) -> None:
    program = (
        "import sys; from viewer.commands import render;"
        f"render.run(['--trace', {str(folder)!r}, '--dpi', '60', '--out', {str(tmp_path / 'a.gif')!r}]);"
        "print(sorted(n for n in sys.modules if n.split('.')[0] in ('torch', 'sentencepiece')))"
    )
    root = Path(__file__).parents[3]
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60
    )
    assert (result.stdout.strip(), result.returncode) == ("[]", 0)
    failed = headscope("render", "--trace", str(tmp_path), "--out", str(tmp_path / "b.gif"))
    assert failed.returncode == 1
    assert len(failed.stderr.splitlines()) == 1


# The dialog.


def items(box: QComboBox) -> list[str]:
    return [str(box.itemData(index)) for index in range(box.count())]


def choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


class Memory:
    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.export: dict[str, Any] = {}


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path, folder: Path) -> ExportDialog:
    sequence = TraceSequence.open(folder)
    source = Source(trace=sequence.frame(1), sequence=sequence)
    request = ExportRequest(selection=Selection(layer=1, head=2), step=3)
    context = ExportContext(source, request, trace_path=str(folder))
    dialog = ExportDialog(context, Memory(tmp_path))
    qtbot.addWidget(dialog)
    return dialog


def test_animations_are_offered_where_something_moves(dialog: ExportDialog, qtbot: QtBot) -> None:
    form = dialog.form
    assert items(form.format)[-2:] == ["gif", "webp"]
    assert items(form.motion.over) == ["training", "steps"]
    choose(form.what, DATA)
    assert "gif" not in items(form.format)
    encoder = ExportRequest(selection=Selection(AttentionKind.ENCODER_SELF))
    still = ExportDialog(ExportContext(Source(sample_trace()), encoder), Memory(Path()))
    qtbot.addWidget(still)
    assert "gif" not in items(still.form.format)
    moving = ExportDialog(ExportContext(Source(sample_trace()), ExportRequest()), Memory(Path()))
    qtbot.addWidget(moving)
    assert items(moving.form.motion.over) == ["steps"]


def test_the_fields_of_an_animation(dialog: ExportDialog, tmp_path: Path) -> None:
    form = dialog.form
    assert not form.motion.shown
    assert Path(dialog.path).name == "cross-layer2-head3-at100-step4.png"
    choose(form.format, "gif")
    assert form.motion.shown
    assert form.paper.editors["dpi"].value() == 120  # a screen's, not a printer's
    assert form.paper.editors["dpi"].isEnabled()
    assert Path(dialog.path).name == "cross-layer2-head3-training.gif"
    form.motion.fps.setValue(12)
    form.motion.hold.setValue(3)
    form.motion.loop.setChecked(False)
    assert dialog.request.motion == Motion("training", 12.0, 3.0, False)
    assert dialog.request.step == 3
    assert not form.upto.isHidden()
    choose(form.motion.over, "steps")
    assert form.upto.isHidden()
    assert (dialog.request.motion.over, dialog.request.step) == ("steps", None)
    dialog.refresh()
    assert "7 frames of 756 × " in form.message.text()
    choose(form.format, "png")
    assert (form.paper.editors["dpi"].value(), form.motion.shown) == (300, False)


def test_too_large_an_animation_is_said_beforehand(dialog: ExportDialog) -> None:
    choose(dialog.form.format, "webp")
    dialog.form.paper.editors["width"].setValue(2000)
    dialog.refresh()
    assert "too large" in dialog.form.message.text()
    assert not dialog.form.export.isEnabled()


@pytest.mark.parametrize(("ending", "over"), [("gif", "training"), ("webp", "steps"), ("png", "training")])
def test_the_copied_command_makes_the_same_file(dialog: ExportDialog, ending: str, over: str) -> None:
    form = dialog.form
    choose(form.format, ending)
    choose(form.motion.over, over)
    form.motion.fps.setValue(8)
    form.paper.editors["dpi"].setValue(60)
    command, out = dialog.command(), Path(dialog.path)
    assert command is not None
    write_export(dialog._context.source, dialog.request, out)
    wanted = out.read_bytes()
    out.unlink()
    assert render.run(shlex.split(command)[2:]) == 0
    assert out.read_bytes() == wanted


def test_heads_can_be_animated_too(dialog: ExportDialog) -> None:
    choose(dialog.form.what, "heads")
    choose(dialog.form.format, "webp")
    words = shlex.split(dialog.command() or "")
    assert words[words.index("--view") + 1] == "heads"
    assert words[words.index("--animate") + 1] == "training"
    assert "--frame" not in words
