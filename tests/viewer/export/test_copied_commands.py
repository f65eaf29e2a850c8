"""*Copy as command*: whatever the dialog offers, its line writes the same bytes, rows in view included."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from model.translator.translator import Translator
from viewer.commands import render
from viewer.commands.headless import model_source
from viewer.commands.render_arguments import build_parser
from viewer.commands.trace_answers import TraceAnswers
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportDialog
from viewer.dialogs.export_form import DATA
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.export.writers import write_export
from viewer.figures.building import build_figure
from viewer.figures.request import ExportRequest, Source
from viewer.figures.shares.spec import SharesSpec

CROSS, ENCODER, DECODER = AttentionKind.CROSS, AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
LINKS = Gold(((0, 0), (1, 1)), ((2, 1),))


@dataclass
class Memory:
    folder: str
    export: dict[str, Any] = field(default_factory=dict)


@pytest.fixture(scope="module")
def source(tiny_bundle: Path, tiny_trace: Trace) -> Source:
    """The tiny model's trace, and whatever the model says of it."""
    translator = Translator.load(tiny_bundle)
    known = TraceAnswers(tiny_trace, translator=translator)
    return replace(model_source(translator, tiny_trace), known=known)


@dataclass
class Asked:
    """A dialog with something to export, and the model's folder."""

    qtbot: QtBot
    folder: Path
    model: str

    def __call__(self, source: Source, request: ExportRequest, *, saved: bool = False) -> ExportDialog:
        path = ""
        if saved:
            path = str(self.folder / "saved.trace")
            save_trace(source.need_trace(), path)
        context = ExportContext(source, request, path, self.model, asks_model=True)
        dialog = ExportDialog(context, Memory(str(self.folder)))
        self.qtbot.addWidget(dialog)
        return dialog


@pytest.fixture
def asked(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Asked:
    return Asked(qtbot, tmp_path, str(tiny_bundle))


def take(dialog: ExportDialog, what: str, ending: str) -> None:
    """Choose a figure and a format that the dialog offers."""
    for box, value in ((dialog.form.what, what), (dialog.form.format, ending)):
        place = box.findData(value)
        assert place >= 0, f"{value} is not offered"
        box.setCurrentIndex(place)


def both(dialog: ExportDialog, source: Source) -> tuple[bytes, bytes]:
    """What the window writes, and what the copied command does."""
    command = dialog.command()
    assert command is not None, dialog.no_command()
    path = Path(dialog.path)
    write_export(source, dialog.request, path)
    ours = path.read_bytes()
    path.unlink()
    assert render.run(shlex.split(command)[2:]) == 0
    return ours, path.read_bytes()


PLAIN = ViewOptions()
ALL = ViewOptions(sqrt_scale=True, raw_pieces=True, hide_specials=True, whole_words=True, incoming=True)
LOOSE = ViewOptions(threshold=0.123456789, gold_links=False, alignment_rule="reads")


def requests() -> Iterator[tuple[str, str, ExportRequest]]:
    """Figures in all formats, with many numbers, options, cells and steps."""
    selections = (
        Selection(CROSS, 2, 3, 1),
        Selection(CROSS, 1, 0, 2, query=1, key=0, more_heads=(2,), numbers=Numbers.VALUE_WEIGHTED),
        Selection(ENCODER, 1, None, 1, numbers=Numbers.ROLLOUT),
        Selection(ENCODER, 0, 2, 1, numbers=Numbers.GRADIENT),
        Selection(DECODER, 0, 1, 2, numbers=Numbers.SCORES),
    )
    figures = ("heatmap", "flow", "words", "heads")
    for number, selection in enumerate(selections):
        for place, what in enumerate(figures):
            for turn, ending in enumerate(("svg", "csv")):
                options = (PLAIN, ALL, LOOSE)[(number + place + turn) % 3]
                yield what, ending, ExportRequest(selection=selection, options=options, step=selection.step)
    for selection in (selections[0], selections[4]):
        request = ExportRequest(selection=selection, options=ALL, step=selection.step)
        for what in ("arithmetic", "shares"):
            yield what, "svg", request
            yield what, "csv", request
    for options in (ALL, LOOSE):
        request = ExportRequest(selection=selections[1], options=options, step=2)
        yield "alignment", "csv", request
        yield "alignment", "pharaoh", request
    yield "heatmap", "gif", ExportRequest(selection=Selection(numbers=Numbers.GRADIENT), step=1)
    yield "positions", "csv", ExportRequest(positions=9)
    yield DATA, "npz", ExportRequest(selection=selections[1], step=1)


@pytest.mark.parametrize("upto", [True, False])
@pytest.mark.parametrize(("what", "ending", "request_"), list(requests()))
def test_the_command_writes_the_same_bytes(
    asked: Asked, source: Source, what: str, ending: str, request_: ExportRequest, upto: bool
) -> None:
    source = replace(source, gold=LINKS)
    dialog = asked(source, request_, saved=upto)
    take(dialog, what, ending)
    dialog.form.upto.setChecked(upto)
    if ending == "gif":
        dialog.form.paper.editors["dpi"].setValue(72)
    ours, theirs = both(dialog, source)
    assert ours == theirs


def test_gold_links_of_words_of_their_own(asked: Asked, source: Source) -> None:
    trace = source.need_trace()
    spaced = [" ".join(text.replace(".", " .").split()) for text in (trace.src_text, trace.tgt_text)]
    source = replace(source, gold=replace(LINKS, source=spaced[0], target=spaced[1]))
    dialog = asked(source, ExportRequest(selection=Selection(CROSS, 1, 1)))
    take(dialog, "alignment", "csv")
    ours, theirs = both(dialog, source)
    assert ours == theirs


@pytest.mark.parametrize("what", ["arithmetic", "words"])
def test_the_row_is_that_of_the_step_in_view(asked: Asked, source: Source, what: str) -> None:
    for step in range(source.need_trace().steps):
        dialog = asked(source, ExportRequest(selection=Selection(CROSS, 0, 1, step), step=step))
        take(dialog, what, "csv")
        dialog.form.upto.setChecked(False)
        write_export(source, dialog.request, dialog.path)
        text = Path(dialog.path).read_text("utf-8")
        lines = [line.split(",") for line in text.splitlines()[1:]]
        if what == "arithmetic":
            assert [line[4] for line in lines if line[3] == "query"] == [str(step)]
        else:
            assert {line[3] for line in lines} == {str(step)}


@pytest.mark.parametrize("upto", [True, False])
def test_a_gradient_is_of_the_step_in_view(asked: Asked, source: Source, upto: bool) -> None:
    selection = Selection(ENCODER, 0, 2, 1, numbers=Numbers.GRADIENT)
    dialog = asked(source, ExportRequest(selection=selection, step=1))
    take(dialog, "heatmap", "csv")
    dialog.form.upto.setChecked(upto)
    write_export(source, dialog.request, dialog.path)
    piece = source.need_trace().tgt_out_tokens[1]
    token = piece[1:] if piece.startswith("▁") else f"⋅{piece}"
    assert f"of step 2 “{token}”" in Path(dialog.path).read_text("utf-8")


def test_a_trace_of_a_model_of_ones_own_names_it(asked: Asked, source: Source) -> None:
    """The command knows only bundled models by name."""
    request = ExportRequest(selection=Selection(CROSS, 0, 1, numbers=Numbers.VALUE_WEIGHTED), step=0)
    dialog = asked(source, request, saved=True)
    assert "--model" in shlex.split(dialog.command() or "")
    take(dialog, "heads", "png")
    assert "--model" not in shlex.split(dialog.command() or "")


@pytest.mark.parametrize("changes", [{"numbers": Numbers.SCORES}, {"numbers": Numbers.GRADIENT, "step": 1}])
def test_heads_are_weights_whatever_the_pane_shows(
    asked: Asked, source: Source, changes: dict[str, Any]
) -> None:
    """A table of all heads has every piece of every head, in plain columns."""
    trace = source.need_trace()
    plain = replace(source, known=None)  # nothing is asked of a model
    request = ExportRequest(
        selection=Selection(CROSS, 0, 1, **changes), options=ViewOptions(whole_words=True)
    )
    dialog = asked(plain, request)
    take(dialog, "heads", "csv")
    write_export(plain, dialog.request, dialog.path)
    lines = Path(dialog.path).read_text("utf-8").splitlines()
    assert lines[0].startswith("kind,layer,head,query,key,query_token,key_token,weight,")
    cells = trace.steps * len(trace.src_tokens)
    assert len(lines) - 1 == trace.layers(CROSS) * trace.heads(CROSS) * cells


def test_a_table_says_nothing_of_colours(asked: Asked, source: Source) -> None:
    options = ViewOptions(sqrt_scale=True)
    request = ExportRequest(
        selection=Selection(ENCODER, 1, numbers=Numbers.ROLLOUT), options=options, view="heatmap"
    )
    dialog = asked(source, request)
    take(dialog, "heatmap", "csv")
    write_export(source, dialog.request, dialog.path)
    assert "colours" not in Path(dialog.path).read_text("utf-8")


def test_another_format_changes_only_the_ending_of_a_chosen_name(asked: Asked, source: Source) -> None:
    dialog = asked(source, ExportRequest(selection=Selection(CROSS, 0, 1)))
    dialog.form.path.setText(str(asked.folder / "v1.2"))
    dialog.form.path.textEdited.emit(dialog.form.path.text())
    take(dialog, "heatmap", "pdf")
    assert Path(dialog.path).name == "v1.2.pdf"
    take(dialog, "heatmap", "csv")
    assert Path(dialog.path).name == "v1.2.csv"


def test_shares_of_the_layer_that_the_window_shows(asked: Asked, source: Source) -> None:
    dialog = asked(source, ExportRequest(selection=Selection(CROSS, 0, 1, 1), step=1, layer=1))
    take(dialog, "shares", "svg")
    command = shlex.split(dialog.command() or "")
    assert command[command.index("--layer") + 1] == "2"
    spec = build_figure(source, dialog.request).body
    assert isinstance(spec, SharesSpec)
    assert (spec.layer, spec.step, spec.later_from) == (1, -1, None)  # no step is framed, none outlined


def test_texts_that_no_line_shows_come_back(asked: Asked, tiny_trace: Trace, tmp_path: Path) -> None:
    """One line, nothing in it that commands a terminal, and the text is the very same again."""
    for text in ("-5 degrees", "--out x", "a\nb\x1b[31m", "\u202eabc", "it's\t“!!”"):
        trace = replace(tiny_trace, src_text=text)
        command = asked(Source(trace=trace), ExportRequest()).command()
        assert command is not None
        assert all(letter.isprintable() for letter in command)
        script = 'headscope() { printf "%s\\0" "$@"; }\n' + command
        told = subprocess.run(["bash", "-c", script], capture_output=True, check=True).stdout.decode()
        assert told.split("\0")[-3:] == ["--", text, ""]
        words = told.split("\0")[1:-1]
        assert build_parser().parse_args(words).text == text


def test_texts_that_no_line_holds(asked: Asked, tiny_trace: Trace) -> None:
    for text, reason in (("a\0b", "a command line cannot"), ("-", "Save this decoding as a trace first")):
        dialog = asked(Source(trace=replace(tiny_trace, src_text=text)), ExportRequest())
        assert dialog.command() is None
        assert reason in dialog.no_command()
