"""The export dialog: what it offers, what it asks for, what it copies."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportChoice, ExportDialog
from viewer.dialogs.export_form import DATA
from viewer.dialogs.export_names import stem
from viewer.document.selection import Numbers, Selection
from viewer.figures.request import ExportRequest, Source


@dataclass
class Memory:
    folder: str
    export: dict[str, Any] = field(default_factory=dict)


Open = Callable[..., ExportDialog]
POSITIONS = np.zeros((20, 8), np.float32)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(str(tmp_path))


@pytest.fixture
def opened(qtbot: QtBot, memory: Memory) -> Open:
    kept = []  # a form whose dialog has gone is gone too

    def open_dialog(
        request: ExportRequest | None = None, *, source: Source | None = None, **context: Any
    ) -> ExportDialog:
        request = ExportRequest() if request is None else request
        source = Source(sample_trace(), POSITIONS, "tiny") if source is None else source
        dialog = ExportDialog(ExportContext(source, request, **context), memory)
        qtbot.addWidget(dialog)
        kept.append(dialog)
        dialog.refresh()
        return dialog

    return open_dialog


def items(box: QComboBox) -> list[str]:
    return [str(box.itemData(index)) for index in range(box.count())]


def choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


def test_it_offers_what_there_is(opened: Open) -> None:
    maps = ["heatmap", "flow", "words", "heads", "all_heads", "alignment"]
    assert items(opened().form.what) == [*maps, "architecture", "positions", DATA]
    assert items(opened(source=Source(sample_trace())).form.what) == [*maps, "architecture", DATA]
    assert items(opened(asks_model=True).form.what) == [
        *maps,
        "arithmetic",
        "shares",
        "scores",
        "logit",
        "contrast",
        "trust",
        "source",
        "layers",
        "circuits",
        "contributions",
        "architecture",
        "positions",
        DATA,
    ]
    mean = ExportRequest(selection=Selection(head=None))
    assert items(opened(mean, asks_model=True).form.what) == [
        *maps,
        "shares",
        "logit",
        "contrast",
        "trust",
        "source",
        "layers",
        "contributions",
        "architecture",
        "positions",
        DATA,
    ]
    only = opened(ExportRequest(view="positions"), source=Source(None, POSITIONS))
    assert items(only.form.what) == ["positions"]
    assert only.request.view == "positions"


@pytest.mark.parametrize(
    ("what", "formats"),
    [
        ("heatmap", ["png", "svg", "pdf", "csv", "gif", "webp"]),
        ("heads", ["png", "svg", "pdf", "csv", "gif", "webp"]),
        ("words", ["png", "svg", "pdf", "csv", "gif", "webp"]),
        ("flow", ["png", "svg", "pdf", "csv"]),
        ("alignment", ["pharaoh", "csv"]),
        ("all_heads", ["png", "svg", "pdf"]),
        ("positions", ["png", "svg", "pdf", "csv", "npz"]),
        (DATA, ["npz", "trace"]),
    ],
)
def test_formats_follow_what(opened: Open, what: str, formats: list[str]) -> None:
    dialog = opened()
    choose(dialog.form.what, what)
    assert items(dialog.form.format) == formats
    assert Path(dialog.path).suffix == f".{formats[0]}"


def test_only_what_matters_can_be_set(opened: Open) -> None:
    form = opened().form
    enabled = {}
    for ending in ("png", "svg", "csv"):
        choose(form.format, ending)
        enabled[ending] = (
            form.paper.editors["theme"].isEnabled(),
            form.paper.editors["width"].isEnabled(),
            form.paper.editors["dpi"].isEnabled(),
        )
    assert enabled == {"png": (True, True, True), "svg": (True, True, False), "csv": (False, False, False)}


def test_fields_become_the_request(opened: Open) -> None:
    selection = Selection(kind=AttentionKind.DECODER_SELF, layer=1, head=None)
    dialog = opened(ExportRequest(selection=selection, step=4))
    choose(dialog.form.paper.editors["theme"], "dark")
    dialog.form.paper.editors["width"].setValue(84.0)
    dialog.form.paper.editors["dpi"].setValue(600)
    assert dialog.request == ExportRequest(selection=selection, step=4, theme="dark", width_mm=84.0, dpi=600)
    dialog.form.upto.setChecked(False)
    assert dialog.request.step is None
    assert Path(dialog.path).name == "decoder-self-layer2-mean.png"


def test_the_step_is_offered_only_where_there_is_one(opened: Open) -> None:
    encoder = Selection(kind=AttentionKind.ENCODER_SELF)
    assert not opened(ExportRequest(step=2)).form.upto.isHidden()
    assert "3" in opened(ExportRequest(step=2)).form.upto.text()
    assert opened(ExportRequest(step=2, selection=encoder)).form.upto.isHidden()
    assert opened(ExportRequest()).form.upto.isHidden()


def test_a_name_says_what_is_shown_where_that_is_not_what_is_chosen() -> None:
    """Value zeroing is multiplied through the encoder alone; of cross-attention weights are shown."""
    for kind, name in (
        (AttentionKind.CROSS, "cross-layer1-head1"),
        (AttentionKind.ENCODER_SELF, "zeroing-encoder-self-layer1-head1"),
    ):
        request = ExportRequest(selection=Selection(kind=kind, head=0, numbers=Numbers.ZEROING))
        assert stem("heatmap", request, trace=sample_trace()) == name


def test_names_tell_files_apart(opened: Open) -> None:
    dialog = opened(ExportRequest(selection=Selection(layer=1, head=2), step=4))
    names = []
    for what in items(dialog.form.what):
        choose(dialog.form.what, what)
        names.append(Path(dialog.path).name)
    assert names == [
        "cross-layer2-head3-step5.png",
        "flow-cross-layer2-head3-step5.png",
        "words-cross-layer2-head3-step5.png",
        "cross-heads-step5.png",
        "all-heads-step5.png",
        "alignment-cross-layer2-head3.pharaoh",
        "architecture.png",
        "positions.png",
        "decoding.npz",
    ]


def test_export_emits_the_choice_and_remembers_the_folder(
    opened: Open, memory: Memory, tmp_path: Path
) -> None:
    dialog = opened()
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    (tmp_path / "sub").mkdir()
    dialog.form.path.setText(str(tmp_path / "sub" / "name"))
    dialog.form.path.textEdited.emit(dialog.form.path.text())
    dialog.form.export.click()
    assert choices == [ExportChoice(ExportRequest(), str(tmp_path / "sub" / "name.png"))]
    assert memory.folder == str(tmp_path / "sub")
    assert list(tmp_path.iterdir()) == [tmp_path / "sub"]  # the dialog writes nothing


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No])
def test_an_existing_file_is_replaced_only_if_the_user_says_so(
    opened: Open, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton
) -> None:
    dialog = opened()
    Path(dialog.path).write_bytes(b"old")
    monkeypatch.setattr(QMessageBox, "exec", lambda _: answer)
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.export.click()
    assert len(choices) == (answer == QMessageBox.StandardButton.Yes)


def test_browse_sets_the_path_and_needs_no_second_question(
    opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dialog = opened()
    chosen = tmp_path / "there.png"
    chosen.write_bytes(b"old")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    choices: list[ExportChoice] = []
    dialog.export_asked.connect(choices.append)
    dialog.form.browse.click()
    dialog.form.export.click()
    assert [choice.path for choice in choices] == [str(chosen)]


def test_a_chosen_name_stays_when_the_format_changes(opened: Open, tmp_path: Path) -> None:
    dialog = opened()
    dialog.form.path.setText(str(tmp_path / "mine.png"))
    dialog.form.path.textEdited.emit(dialog.form.path.text())
    choose(dialog.form.format, "svg")
    assert dialog.path == str(tmp_path / "mine.svg")


def test_copy_emits_the_request(opened: Open) -> None:
    dialog = opened()
    copied: list[ExportRequest] = []
    dialog.copy_asked.connect(copied.append)
    dialog.form.copy.click()
    assert copied == [ExportRequest()]


def test_the_command_names_the_saved_trace_or_the_text(opened: Open) -> None:
    dialog = opened(trace_path="/a b/c.trace", model="tiny", language="zh_CN")
    copied: list[str] = []
    dialog.command_asked.connect(copied.append)
    dialog.form.command.click()
    words = shlex.split(copied[0])
    assert words[words.index("--trace") + 1] == "/a b/c.trace"
    assert words[words.index("--language") + 1] == "zh"
    words = shlex.split(opened(model="tiny").command() or "")
    assert words[-4:] == ["--model", "tiny", "--", sample_trace().src_text]


def test_a_decoding_that_cannot_be_made_again_offers_no_command(opened: Open) -> None:
    beam = Source(sample_trace(decoding={"mode": "beam", "beam_size": 5}))
    dialog = opened(source=beam, model="tiny")
    assert dialog.command() is None
    assert not dialog.form.command.isEnabled()
    assert "trace" in dialog.form.command.toolTip()


def test_the_preview_shows_the_picture(opened: Open, qtbot: QtBot) -> None:
    dialog = opened()

    def lightness() -> int:
        return dialog.form.preview.pixmap().toImage().pixelColor(2, 2).lightness()

    qtbot.waitUntil(lambda: not dialog.form.preview.pixmap().isNull())
    light = lightness()
    choose(dialog.form.paper.editors["theme"], "dark")
    dialog.refresh()
    assert lightness() == light  # it stands until the other one is drawn
    qtbot.waitUntil(lambda: lightness() < light - 100)
    choose(dialog.form.what, DATA)
    dialog.refresh()
    assert not dialog.form.preview.isVisibleTo(dialog)


def test_a_preview_that_fails_while_it_is_drawn_is_said(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    qtbot.waitUntil(lambda: not dialog.form.preview.pixmap().isNull())
    assert dialog.form.copy.isEnabled()

    def damaged(*_: object) -> None:
        raise HeadscopeError("picture_large", width=40_000, height=40_000)

    monkeypatch.setattr("viewer.dialogs.export_dialog.to_image", damaged)
    dialog.refresh()
    qtbot.waitUntil(lambda: dialog.form.preview.pixmap().isNull())
    assert "40000" in dialog.form.message.text()
    assert not dialog.form.export.isEnabled()
    assert not dialog.form.copy.isEnabled()


def test_what_cannot_be_drawn_is_said_and_not_offered(opened: Open) -> None:
    dialog = opened(ExportRequest(selection=Selection(layer=9)))
    assert dialog.form.message.text() == "There is no layer 10; choose one from 1 to 2."
    assert not dialog.form.export.isEnabled()
    assert not dialog.form.copy.isEnabled()


def test_every_button_and_field_has_words(opened: Open) -> None:
    form = opened().form
    for button in (form.export, form.copy, form.command, form.close_button, form.browse):
        assert button.text()
    assert all(label.text() for label in form.labels.values())
    assert all(form.what.itemText(index) for index in range(form.what.count()))
    assert all(field.accessibleName() for field in form.fields.values())
