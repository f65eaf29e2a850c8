"""Extensions in pictures and in the window: a quantity to map, a column of the heads table, what fails."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from main import main
from model.errors import HeadscopeError
from model.extensions.kinds import QUANTITIES
from model.heads.added_scores import added_metrics
from model.heads.head_report import HeadsReport
from model.heads.head_scores import HeadScores, score_trace
from model.trace.trace import AttentionKind
from model.trace.trace_file import save_trace
from tests.extension_example.installing import installed, lay_out, lay_out_example
from tests.model.extensions.test_extensions import BROKEN
from tests.model.safetensors_by_hand import parse
from tests.model.tiny_trace import make_trace
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import AddedNumbers, Numbers, Selection
from viewer.document.session import Session
from viewer.figures.map.build import map_figure
from viewer.pages.look.heads_table.heads_model import COLUMNS, SORT_ROLE, HeadsModel, rows_of
from viewer.pages.look.map.numbers_menu import NumbersMenu

CROSS = AttentionKind.CROSS
SURPRISE = AddedNumbers("surprise")


@pytest.fixture
def example(tmp_path: Path) -> Iterator[list[HeadscopeError]]:
    lay_out_example(tmp_path / "site")
    with installed(tmp_path / "site") as said:
        yield said


def expected(weights: np.ndarray) -> np.ndarray:
    return np.log2(weights * weights.shape[1] + 1)


def test_a_quantity_is_a_map(example: list[HeadscopeError], qapp: object) -> None:
    trace = make_trace()
    figure = map_figure(trace, Selection(CROSS, 1, 0, 1, numbers=SURPRISE), ViewOptions(whole_words=True))
    spec = figure.body

    values = expected(trace.pattern(CROSS, 1, 0).astype(np.float64))
    np.testing.assert_allclose(spec.matrix, values, atol=1e-6)
    assert spec.levels == (0.0, pytest.approx(values.max(), abs=1e-6))
    assert spec.title == "Decoder layer 2 of 2, head 1 of 2, surprise"
    assert spec.badges[0] == "Surprise (log₂(K α + 1)), not attention weights"
    assert "pieces, not whole words: nobody says what these numbers add up to" in spec.badges
    assert (figure.facts["numbers"], figure.facts["numbers_source"]) == (
        "surprise",
        "made up for this example",
    )


def test_render_draws_and_writes_it(
    example: list[HeadscopeError], tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    path, out = tmp_path / "a.trace", tmp_path / "a.csv"
    save_trace(make_trace(), path)
    arguments = ["render", "--trace", str(path), "--kind", "cross", "--layer", "1", "--head", "2"]

    assert main([*arguments, "--numbers", "surprise", "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    values = expected(parse(path)[0]["cross"][0, 1].astype(np.float64)).ravel()
    assert [float(row["value"]) for row in rows] == pytest.approx(values.tolist(), abs=1e-6)
    assert main([*arguments, "--numbers", "surprise", "--out", str(tmp_path / "a.png")]) == 0
    with pytest.raises(SystemExit):
        main([*arguments, "--numbers", "surpris", "--out", str(out)])
    assert "'surprise')" in capsys.readouterr().err
    assert example == []


def test_the_menu_offers_it(example: list[HeadscopeError], qtbot: QtBot) -> None:
    session, home = Session(), QWidget()
    qtbot.addWidget(home)
    session.add_run(Run("run-1", make_trace()), Selection(CROSS, 0, 0, 1))
    menu = QMenu(home)
    entries = NumbersMenu(menu, session, None, home)
    assert SURPRISE not in entries.choices

    menu.aboutToShow.emit()
    action = entries.choices[SURPRISE]
    assert (action.text(), action.isEnabled()) == ("Surprise", True)
    assert "It makes small differences look large." in action.toolTip()
    action.trigger()
    selection = session.selection()
    assert selection is not None
    assert selection.numbers == SURPRISE
    menu.aboutToShow.emit()
    assert [str(name) for name, one in entries.choices.items() if one.isChecked()] == ["surprise"]
    assert Selection.from_json(json.loads(json.dumps(selection.to_json()))) == selection


@pytest.mark.parametrize(
    ("answer", "said_of_it"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("weights[:, :1]", "it measured an array of the shape (2, 1) where (2, 3) is needed"),
        ("weights * float('nan')", "it measured numbers that are not finite"),
        ("[['a']]", "ValueError"),
        ("np.log('x')", "TypeError"),
        ("exec('import sys; sys.exit()')", "SystemExit"),
    ],
)
def test_what_fails_shows_weights_and_says_why(
    tmp_path: Path, qapp: object, answer: str, said_of_it: str
) -> None:
    entries = {QUANTITIES: {"odd": "other:Quantity"}}
    lay_out(tmp_path, "other", entries, {"other": BROKEN.format(answer=answer)})
    trace, selection = make_trace(), Selection(CROSS, 1, 0, 1, numbers=AddedNumbers("odd"))
    with installed(tmp_path) as said:
        first = map_figure(trace, selection, ViewOptions())
        map_figure(make_trace(), selection, ViewOptions())

    assert first.body.numbers is Numbers.WEIGHTS
    np.testing.assert_array_equal(first.body.matrix, trace.pattern(CROSS, 1, 0))
    (badge,) = (badge for badge in first.body.badges if badge.startswith("weights are shown, not “T”: "))
    assert said_of_it in badge
    assert "of the package other 1.0" in badge
    assert len(said) == 1


def test_a_command_refuses_what_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    lay_out(
        tmp_path / "site",
        "other",
        {QUANTITIES: {"odd": "other:Quantity"}},
        {"other": BROKEN.format(answer=0)},
    )
    path = tmp_path / "a.trace"
    save_trace(make_trace(), path)
    with installed(tmp_path / "site"):
        status = main(["render", "--trace", str(path), "--numbers", "odd", "--out", str(tmp_path / "x.png")])

    assert status == 1
    assert "of the package other 1.0 is left out: " in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "x.png").exists()


def test_the_mean_over_heads_has_none(example: list[HeadscopeError], qapp: object) -> None:
    figure = map_figure(make_trace(), Selection(CROSS, 1, None, 1, numbers=SURPRISE), ViewOptions())

    said = "weights are shown, not “Surprise”: these numbers belong to one head: choose a head"
    assert said in figure.body.badges


def test_a_metric_is_a_column(example: list[HeadscopeError], qapp: object) -> None:
    trace = make_trace()
    scores = [each for each in score_trace(trace, added_metrics()) if isinstance(each, HeadScores)][-1]
    model = HeadsModel()
    model.show_rows(rows_of(HeadsReport(scores, trace)))
    last = model.columnCount() - 1

    assert last == len(COLUMNS)
    assert model.headerData(last, Qt.Orientation.Horizontal) == "First"
    tip = model.headerData(last, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "Measured by the package headscope-example 1.0." in tip
    for row, head in enumerate(model.rows):
        value = float(trace.pattern(head.kind, head.layer, head.head)[:, 0].mean())
        assert model.data(model.index(row, last)) == f"{value:.3f}"
        assert model.data(model.index(row, last), SORT_ROLE) == pytest.approx(value, abs=1e-6)
