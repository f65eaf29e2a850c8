"""The main job done through the accessibility tree alone: no widget is touched, every word is read there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.driving import Driver, start

_PRESSED_MS = 150  # for so long a button that is pressed from here is seen to be down
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")
ROLE, TEXT = QAccessible.Role, QAccessible.Text


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    QAccessible.setActive(True)
    driver.open(tiny_bundle)
    driver.wait(driver.translated)
    yield driver
    driver.window.close()
    QAccessible.setActive(False)
    assert driver.program.ended


def all_in(root: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Everything below that is not hidden; of a table itself, not its cells."""
    if root.state().invisible:
        return
    yield root
    if root.role() is not ROLE.Table:
        for place in range(root.childCount()):
            child = root.child(place)
            if child is not None:
                yield from all_in(child)


class Ear:
    """A person with a screen reader: finds by role and name, presses, types and listens.

    Qt deletes its interfaces when it likes, and PySide does not know: nothing here keeps one while events
    are worked off, and words are given back instead.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def _find(self, role: QAccessible.Role, begin: str) -> QAccessibleInterface:
        """The first thing of a role whose name begins so, in the window in front."""
        open_now = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
        front = next((each for each in open_now if each.isVisible()), self.driver.window)
        named = []
        for each in all_in(QAccessible.queryAccessibleInterface(front)):
            if each.role() is role:
                named.append(each.text(TEXT.Name))
                if named[-1].startswith(begin):
                    return each
        raise LookupError(f"no {role} {begin!r} among {sorted(named)}")

    def there(self, role: QAccessible.Role, begin: str) -> bool:
        """Whether there is such a thing; of a tab, whether it is the chosen one."""
        try:
            found = self._find(role, begin)
        except LookupError:
            return False
        return role is not ROLE.PageTab or bool(found.state().selected)

    def press(self, begin: str, role: QAccessible.Role = ROLE.Button) -> None:
        actions = self._find(role, begin).actionInterface()
        assert "Press" in actions.actionNames()
        actions.doAction("Press")
        del actions
        self.driver.qtbot.wait(_PRESSED_MS)

    def write(self, begin: str, text: str) -> None:
        field = self._find(ROLE.EditableText, begin)
        field.setText(TEXT.Value, text)
        assert field.text(TEXT.Value) == text

    def cells(self, begin: str) -> dict[tuple[int, int], str]:
        """What every cell of a table says, by its row and column; the chosen one has a star before it."""
        table, found = self._find(ROLE.Table, begin), {}
        for child in (table.child(place) for place in range(table.childCount())):
            if child.role() is ROLE.Cell:
                place, star = child.tableCellInterface(), "*" if child.state().selected else ""
                found[place.rowIndex(), place.columnIndex()] = star + child.text(TEXT.Name)
        return found

    def choose(self, begin: str, row: int, column: int) -> None:
        table = self._find(ROLE.Table, begin)
        columns = 1 + max(place for _, place in self.cells(begin))
        table.selectionInterface().select(table.child((row + 1) * (columns + 1) + column + 1))
        del table
        QApplication.processEvents()


def test_the_main_job(driver: Driver, tmp_path: Path) -> None:
    ear = Ear(driver)
    first = driver.session.run()

    ear.write("Sentence", SENTENCE)
    ear.press("Translate")
    driver.wait(lambda: driver.translated() and driver.session.run() is not first)
    run = driver.session.run()
    assert run is not None
    driver.wait(lambda: len(ear.cells("Output")) == run.trace.steps)  # what is to come has a chip until then
    words = [said.lstrip("*") for _, said in sorted(ear.cells("Output").items())]
    assert "".join(words[:-1]).replace("␣", "") == run.trace.tgt_text.replace(" ", "")

    ear.press("First step")
    ear.press("Next step")
    ear.press("Next step")
    assert ear.there(ROLE.StaticText, "Step 3 of")
    assert [place for place, said in ear.cells("Output").items() if said.startswith("*")] == [(0, 2)]
    ear.press("Cross-attention", ROLE.PageTab)
    assert ear.there(ROLE.PageTab, "Cross-attention")

    ear.choose("All heads", 1, 2)
    assert ear.cells("All heads")[1, 2].startswith("*Decoder layer 2, head 3")
    assert ear.there(ROLE.StaticText, "Decoder layer 2 of 3, head 3")

    weights = np.asarray(run.trace.patterns.pattern(run.trace.kinds[-1], 1, 2))
    cells = ear.cells("Attention map")
    for column in range(weights.shape[1]):
        said = cells[2, column].lstrip("*")
        assert said.startswith("predicting ")
        if weights[2, column] >= 0.01:
            assert said.endswith(f", {weights[2, column]:.2f}"), said

    ear.press("Export…")
    target = tmp_path / "map.png"
    driver.wait(lambda: ear.there(ROLE.EditableText, "File"))
    ear.write("File", str(target))
    ear.press("Export")
    driver.wait(target.exists)
    assert target.read_bytes().startswith(b"\x89PNG")
