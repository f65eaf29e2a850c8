"""Rules of the rooms that import-linter cannot say: it knows PySide6 only as a whole."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = sorted(
    path for room in ("document", "services") for path in (ROOT / "viewer" / room).rglob("*.py")
)
FIGURES = sorted((ROOT / "viewer" / "figures").rglob("*.py"))


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def test_there_are_files_to_look_at() -> None:
    assert len(DOCUMENT) > 60
    assert len(FIGURES) > 100


def test_document_and_services_need_qtcore_only() -> None:
    """And what talks to other windows, which draws nothing either."""
    more = {
        f"{path.name}: {name}"
        for path in DOCUMENT
        for name in _imports(path)
        if name.startswith(("PySide6", "pyqtgraph"))
        and not name.startswith(("PySide6.QtCore", "PySide6.QtNetwork"))
    }

    assert not more


def test_figures_know_no_widgets() -> None:
    known = {
        path: [name for name in _imports(path) if name.startswith(("PySide6.QtWidgets", "pyqtgraph"))]
        for path in FIGURES
    }
    assert not {str(path.relative_to(ROOT)): names for path, names in known.items() if names}


def test_no_file_leads_a_figure_past_every_kind() -> None:
    """A kind may be made of one other (a flow of maps, a page of all families of pages of heads)."""
    several = {}
    for path in ROOT.glob("viewer/**/*.py"):
        parts = [name.split(".") for name in _imports(path) if name.startswith("viewer.figures.")]
        kinds = {names[2] for names in parts if names[-1].endswith(("Spec", "Geometry")) and len(names) > 4}
        if len(kinds) > 2:
            several[str(path.relative_to(ROOT))] = sorted(kinds)

    assert not several


def test_no_file_is_longer_than_it_should_be() -> None:
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in ROOT.glob("viewer/**/*.py")}

    assert not {str(path.relative_to(ROOT)): lines for path, lines in lengths.items() if lines > 500}
