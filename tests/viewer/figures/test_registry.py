"""One row makes a picture known: a toy kind is found everywhere; every kind there is says what it must."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from model.lessons.lesson import taken_values
from model.questions.answers import SourceShares
from model.trace.trace_file import save_trace
from tests.viewer import walk_samples
from tests.viewer.arithmetic_samples import HEAD, LAYER, QUERY, by_hand, trace_by_hand
from tests.viewer.export_samples import sample_trace as export_trace
from tests.viewer.figure_samples import picture, sample_trace
from tests.viewer.figures import toy
from tests.viewer.figures.architecture.samples import ours
from tests.viewer.figures.effects import samples as effects_samples
from tests.viewer.figures.mixing_samples import known_of
from tests.viewer.pages.look.branches.tree_samples import PlainBeam
from tests.viewer.pages.positions.kinds import bias, rotary
from tests.viewer.pages.positions.samples import table
from tests.viewer.translation_files import TS, messages
from viewer.commands import render
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportDialog
from viewer.document.document import ViewOptions
from viewer.document.positions.positions_known import Bias, Rotary
from viewer.document.selection import Selection
from viewer.document.training.curves import Curves
from viewer.figures import registry
from viewer.figures.angles.build import angles_figure
from viewer.figures.architecture.build import Shown, architecture_figure
from viewer.figures.arithmetic.build import arithmetic_figure
from viewer.figures.bases.build import bases_figure
from viewer.figures.bias.build import bias_figure
from viewer.figures.building import build_figure
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT
from viewer.figures.clocks.build import clocks_figure
from viewer.figures.clocks.rotary import rotary_clocks_figure
from viewer.figures.closeness.build import closeness_figure
from viewer.figures.contributions.build import contributions_figure
from viewer.figures.curves.spec import CurvesSpec, Heading, Line, Plot
from viewer.figures.distance.build import distance_figure
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.encoding.build import positions_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import FigureKind, Subject
from viewer.figures.request import ExportRequest, Source
from viewer.figures.rotation.build import rotation_figure
from viewer.figures.rotation.rotary import rotary_rotation_figure
from viewer.figures.rows import figure_rows
from viewer.figures.shares.build import shares_figure
from viewer.figures.tree.build import tree_figure
from viewer.figures.tree.spec import NodeText, grow
from viewer.figures.walk.build import walk_figure
from viewer.lessons.sheet import lesson_sheet
from viewer.lessons.weighted_average import WEIGHTED_AVERAGE


@dataclass
class Memory:
    folder: str
    export: dict[str, Any] = field(default_factory=dict)


@pytest.fixture
def toy_kind(monkeypatch: pytest.MonkeyPatch) -> FigureKind:
    """One row more, and nothing else."""
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, "tests.viewer.figures.toy:KIND"))
    return toy.KIND


@pytest.fixture
def saved(tmp_path: Path) -> str:
    save_trace(export_trace(), tmp_path / "a.trace")
    return str(tmp_path / "a.trace")


@pytest.mark.usefixtures("toy_kind", "qapp")
def test_a_toy_is_drawn_and_written_by_the_command(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--trace", saved, "--view", "sums", "--kind", "cross", "--times", "3", "--out"]
    for ending in ("svg", "png", "csv", "gif"):
        motion = ["--animate", "steps"] if ending == "gif" else []
        assert render.run([*words, str(tmp_path / f"a.{ending}"), *motion]) == 0
    assert "row 0: 3.000" in (tmp_path / "a.svg").read_text("utf-8")
    assert not QImage(str(tmp_path / "a.png")).isNull()
    assert not QImage(str(tmp_path / "a.gif")).isNull()
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["sum"] for line in lines] == ["3.000"] * export_trace().steps
    capsys.readouterr()
    assert render.run([*words, str(tmp_path / "b.svg"), "--sqrt", "--threshold", "0.5"]) == 0
    assert capsys.readouterr().err == "headscope: note: no difference to this file: --threshold, --scale\n"
    assert render.run(["--trace", saved, "--times", "3", "--out", str(tmp_path / "c.svg")]) == 0
    assert "no difference to this file: --times" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        render.run([*words, str(tmp_path / "b.svg"), "--numbers", "rollout", "--kind", "encoder_self"])
    assert "view sums is not drawn of --numbers rollout" in capsys.readouterr().err


@pytest.mark.usefixtures("toy_kind", "qapp")
def test_the_help_tells_of_a_toy(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        render.run(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "positions,sums}" in said
    assert "the positional encoding, or the sums of a map's rows (sums)" in said
    assert "--times N how often to count a row" in said


@pytest.mark.usefixtures("toy_kind")
def test_the_dialog_offers_a_toy_names_its_file_and_copies_its_command(
    qtbot: QtBot, tmp_path: Path, saved: str
) -> None:
    request = ExportRequest(selection=Selection(layer=1, head=2), own={"times": 2})
    context = ExportContext(Source(export_trace()), request, saved)
    dialog = ExportDialog(context, Memory(str(tmp_path)))
    qtbot.addWidget(dialog)
    form = dialog.form
    form.what.setCurrentIndex(form.what.findData("sums"))
    assert form.what.currentText() == "The sums of its rows"
    formats = [form.format.itemData(index) for index in range(form.format.count())]
    assert formats == ["png", "svg", "pdf", "csv", "gif", "webp"]
    assert Path(dialog.path).name == "sums-cross-layer2-head3.png"
    dialog.refresh()
    assert form.export.isEnabled()
    command = dialog.command()
    assert command is not None
    assert "--view sums --kind cross --layer 2 --head 3 --times 2" in command


@pytest.mark.usefixtures("toy_kind", "qapp")
def test_a_toy_is_handed_to_its_own_kind() -> None:
    figure = build_figure(Source(sample_trace()), ExportRequest(view="sums", selection=Selection(layer=1)))
    assert isinstance(figure_geometry(figure, picture(figure)[0].rect().toRectF()), toy.SumsGeometry)
    assert figure_height(figure, 600) == 20 * (3 + 2)
    assert [line[0] for line in figure_rows(figure)] == ["row", 0, 1, 2]


def test_a_type_that_is_no_kinds_is_refused() -> None:
    with pytest.raises(KeyError):
        registry.drawing_of(toy.SumsSpec((), 1))


def _of(view: str, **changes: object) -> Callable[[], FigureSpec]:
    request = ExportRequest(view=view, selection=Selection(layer=1, **changes))  # type: ignore[arg-type]
    return lambda: build_figure(Source(sample_trace(), compared=(sample_trace(), sample_trace())), request)


def _arithmetic() -> FigureSpec:
    selection = Selection(layer=LAYER, head=HEAD, query=QUERY, key=0)
    return arithmetic_figure(trace_by_hand(), selection, by_hand(), ViewOptions())


def _shares() -> FigureSpec:
    source = np.full((2, 3), 0.25, np.float32)
    return shares_figure(sample_trace(), SourceShares(source), None, 1)


def _sheet() -> FigureSpec:
    lesson = WEIGHTED_AVERAGE.lesson
    values = taken_values(lesson.controls(None), {})
    return lesson_sheet(WEIGHTED_AVERAGE, lesson.numbers(values, None, None), values)


def _curves() -> FigureSpec:
    curves = Curves()
    curves.add_steps([1, 2, 3], {"loss": [3.0, 2.0, 1.5]})
    line = Line(curves.series("loss"), LIGHT.curves[0], 1.5)
    plot = Plot(Heading("Loss"), (0.0, 4.0, 0.0, 4.0), (line,), (), 1.0, 1.0)
    return FigureSpec(CurvesSpec(curves, (plot, plot), across=1, shape=0.6, title="Curves"), "Three steps.")


def _tree() -> FigureSpec:
    run = PlainBeam(3, vocab=5, beam=3, limit=5, penalty=1.0).run()
    tree = grow([run])
    return tree_figure(tree, [NodeText(node.piece, "50 %") for node in tree.nodes], run)


SAMPLES: dict[str, Callable[[], FigureSpec]] = {
    **{view: _of(view) for view in ("heatmap", "flow", "words", "heads", "all_heads", "difference")},
    "arithmetic": _arithmetic,
    "shares": _shares,
    "contributions": lambda: contributions_figure(sample_trace(), 1, 0.05, known_of(sample_trace())),
    "encoding": lambda: positions_figure(table().rows, (0, 2), count=20),
    "walk": lambda: walk_figure(sample_trace(), walk_samples.source_walk(), None, 4),
    "closeness": lambda: closeness_figure(walk_samples.two_readings(), ("The watch.", "An old"), (1, 0)),
    "clocks": lambda: clocks_figure(table(), position=5, pair=2),
    "rotary_clocks": lambda: rotary_clocks_figure(Rotary(rotary()), position=5, pair=2),
    "rotation": lambda: rotation_figure(table(), position=5, offset=3, pair=2),
    "rotary_rotation": lambda: rotary_rotation_figure(Rotary(rotary()), position=5, offset=3, pair=2),
    "distance": lambda: distance_figure(table(), count=40, offset=3),
    "bases": lambda: bases_figure(table(), other=1000.0, count=30, offset=3, pair=2),
    "angles": lambda: angles_figure(Rotary(rotary()), (0, 3)),
    "curves": _curves,
    "tree": _tree,
    "bias": lambda: bias_figure(Bias(bias()), head=1, length=12),
    "sheet": _sheet,
    "effects": effects_samples.figure,
    "architecture": lambda: architecture_figure(ours(), Shown(step=1), sample_trace()),
}
DRAWN = [kind for kind in registry.kinds() if kind.drawing is not None]
ASKED = [kind for kind in registry.kinds() if kind.asked is not None]


def _named(kind: FigureKind) -> str:
    return kind.name


def test_names_and_types_are_of_one_kind_each() -> None:
    names = [kind.name for kind in registry.kinds()]
    assert len(set(names)) == len(names)
    types = [kind.drawing.spec for kind in DRAWN if kind.drawing is not None]
    assert len(set(types)) == len(types)
    assert {kind.name for kind in DRAWN} == set(SAMPLES)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("kind", DRAWN, ids=_named)
def test_every_kind_is_built_placed_and_painted(kind: FigureKind) -> None:
    figure = SAMPLES[kind.name]()
    assert kind.drawing is not None
    assert type(figure.body) is kind.drawing.spec
    assert figure.body.title
    assert figure.caption
    assert registry.drawing_of(figure.body) is kind.drawing
    empty, drawn = set(), set()
    for theme, paper in ((DARK, False), (DARK, True)):
        image, place = picture(
            figure, 900, 600, theme=theme, options=DrawOptions(caption=paper, vector=paper)
        )
        assert place.spec is figure.body
        colours = {image.pixel(x, y) for x in range(0, 900, 3) for y in range(0, 600, 3)}
        drawn.add(len(colours) > 3)
        empty.add(len(colours) == 1)
    assert drawn == {True}
    assert empty == {False}
    assert figure_height(figure, 600) > 100
    if kind.drawing.rows is not None:
        header, *lines = figure_rows(figure)
        assert lines
        assert {len(line) for line in lines} == {len(header)}


@pytest.mark.parametrize("kind", ASKED, ids=_named)
def test_every_kind_that_is_asked_for_is_named_in_both_languages(kind: FigureKind) -> None:
    asked, chinese = kind.asked, messages(TS)
    assert asked is not None
    assert chinese["ExportForm", asked.label()]
    commanded = asked.about not in (Subject.PAGE, Subject.TREE)
    assert (kind.name in registry.commanded()) == commanded
    assert {option.name for option in asked.options}.isdisjoint(asked.ignored)
    assert asked.pictured or asked.data(Source(sample_trace()))
