"""A part of the Positions page is one row: its tab, name in bookmarks, sentence and file come from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.positions.position_facts import NoPositions
from tests.viewer.figures import toy
from tests.viewer.pages.positions.kinds import bias, rotary, session_of
from tests.viewer.pages.positions.samples import session
from tests.viewer.translation_files import TS, messages
from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import KNOWN, Bias, Rotary, known_of, names_of
from viewer.document.positions.positions_table import PositionTable
from viewer.document.session import Session
from viewer.figures import registry
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.figure import AnyFigure, Body, FigureSpec
from viewer.pages.positions.positions_page import PositionsPage
from viewer.pages.positions.positions_tab import PositionsPanel, PositionsTab
from viewer.pages.positions.positions_tabs import POSITIONS_TABS
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


class ToyView(FigureView[Body, PartGeometry]):
    def build(self) -> AnyFigure | None:
        return FigureSpec(toy.SumsSpec((1.0,), 1), "A toy.")


class ToyPanel(PositionsPanel):
    def __init__(self, session: Session, choice: PositionsChoice, appearance: Appearance) -> None:
        super().__init__()
        self.view, self.word = ToyView(appearance, self), "new"

    @property
    def picture(self) -> ToyView:
        return self.view

    def scene(self) -> dict[str, Any]:
        return {"word": self.word}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        self.word = str(state.get("word", self.word))


TOY = PositionsTab(
    "toy",
    ToyPanel,
    label=lambda choice: "Toy",
    tip=lambda choice: "A toy",
    of=(PositionTable,),
    explained=lambda choice: "{name} plays.",
    file_name="a-toy",
)


@pytest.fixture
def toy_tab(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One row more in either registry, and nothing else."""
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, "tests.viewer.figures.toy:KIND"))
    POSITIONS_TABS.append(TOY)
    try:
        yield
    finally:
        POSITIONS_TABS.remove(TOY)


@pytest.mark.usefixtures("toy_tab")
def test_a_toy_has_its_tab_is_kept_and_exported(qtbot: QtBot) -> None:
    known = session()
    page = PositionsPage(known, Appearance("light"))
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    assert page.tabs["toy"].text() == "Toy"
    page.tabs["toy"].click()
    assert known.model is not None
    assert page.explanation.text() == f"{known.model.name} plays."
    assert page.picture is page.panels["toy"].picture
    exported = page.exported()
    assert exported is not None
    assert exported.name == "a-toy"
    assert exported.table == (("row", "sum"), (0, "1.000"))
    page.panels["toy"].word = "kept"  # type: ignore[attr-defined]
    tab, state = page.scene()
    assert tab == "toy"
    page.show_tab("encoding")
    page.panels["toy"].word = ""  # type: ignore[attr-defined]
    page.show_scene(tab, state)
    assert page.tab == "toy"
    assert page.panels["toy"].word == "kept"  # type: ignore[attr-defined]
    heard: list[str] = []
    page.read_out.connect(heard.append)
    page.panels["toy"].read_out.emit("said")
    assert heard == ["said"]


@pytest.mark.usefixtures("toy_tab")
def test_a_toy_is_only_where_there_is_what_it_is_of(qtbot: QtBot) -> None:
    page = PositionsPage(session_of(rotary(), family="decoder_only"), Appearance("light"))
    qtbot.addWidget(page)
    page.show()
    assert not page.tabs["toy"].isVisible()
    page.show_scene("toy", {"word": "other"})
    assert page.tab != "toy"


def test_every_part_has_its_words_in_chinese_and_every_sort_opens_a_part() -> None:
    chinese = messages(TS)
    choices = [
        PositionsChoice(session()),
        PositionsChoice(session_of(rotary())),
        PositionsChoice(session_of(bias())),
    ]
    for choice in choices:
        mine = [row for row in POSITIONS_TABS if type(choice.shown) in row.of]
        assert len(mine) > 1
        for row in mine:
            told = [row.label(choice), row.tip(choice), row.explained(choice)]
            assert all(chinese["PositionsPage", text] for text in told if text)
    assert {type(choice.shown) for choice in choices} == {PositionTable, Rotary, Bias}
    assert len({row.name for row in POSITIONS_TABS}) == len(POSITIONS_TABS)


def test_a_sort_of_positions_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Told:
        slope: float

    @dataclass(frozen=True)
    class Slopes:
        fact: Told
        model_name: str = ""
        model_sha256: str = ""
        stack: str = rotary().stack
        badges: tuple[str, ...] = ()

        def sort_name(self) -> str:
            return f"slope {self.fact.slope:g}"

    monkeypatch.setitem(KNOWN, Told, Slopes)  # type: ignore[arg-type]
    found = known_of((Told(0.5), NoPositions(), rotary()), "toy")  # type: ignore[arg-type]
    assert [type(known) for known in found] == [Slopes, Rotary]
    assert names_of(found)[0] == "slope 0.5"
