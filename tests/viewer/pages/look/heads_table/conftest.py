"""The panel that most tests here begin with."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.viewer.pages.look.heads_table.bench import Bench


@pytest.fixture
def bench(qtbot: QtBot, qapp: Any) -> Bench:
    return Bench(qtbot, qapp)
