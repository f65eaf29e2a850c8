"""Rules of the rooms that import-linter cannot say: it knows PySide6 only as a whole."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATE = sorted((ROOT / "viewer" / "state").glob("*.py"))


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def test_there_are_files_to_look_at() -> None:
    assert len(STATE) > 3


@pytest.mark.parametrize("path", STATE, ids=lambda path: path.name)
def test_state_needs_qtcore_only(path: Path) -> None:
    qt = {name for name in _imports(path) if name.startswith(("PySide6", "pyqtgraph"))}

    assert {name for name in qt if not name.startswith("PySide6.QtCore")} == set()


@pytest.mark.parametrize("path", sorted(ROOT.glob("viewer/**/*.py")), ids=lambda path: path.stem)
def test_no_file_is_longer_than_it_should_be(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 500
