"""Fixtures and settings for every test."""

from __future__ import annotations

import gc
import itertools
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

# Before anything loads Qt.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
import torch
from hypothesis import HealthCheck, settings

from tests.assets import SENTENCE, write_tiny_bundle
from viewer.qt_check import load_qt

if TYPE_CHECKING:
    from model.trace.trace import Trace


# A busy machine draws and tries examples as slowly as it likes: no property says how long it takes.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


# As the program does, before the plugin for Qt: PySide would look into every import from then on.
load_qt("QtCore")


def pytest_configure(config: pytest.Config) -> None:
    torch.set_num_threads(1)
    # Nothing is measured on a machine that tests, nor kept in the user's folders; processes that tests start
    # multiply in the same way.
    os.environ["HEADSCOPE_PRODUCTS"] = "bags"
    # What is compiled once serves both workers, every process that tests start, and the next run: else each
    # compiles the program anew, and seven hundred files of tests. Git does not see it.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # As the program says before it loads numpy, so that the way by numpy is tested, too.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # Python collects in whichever thread allocates, and a library may load weights in threads of its own: the
    # widgets of an earlier test, destroyed from there, take the process down. The window has `GcGuard`; tests
    # collect between themselves, in the main thread.
    gc.disable()
    # No test pulls the plug: whoever tests what is written when replaces this again.
    os.fsync = lambda descriptor: None


_ENDED = itertools.count(1)


def look_through_all() -> None:
    """Collect among all that ever lived, and leave what is left out of later collections."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    """What was imported by now stays."""
    look_through_all()


def pytest_runtest_logfinish() -> None:
    """What the test left in cycles goes now; all that ever lived is looked through only now and then."""
    gc.collect(1)
    if next(_ENDED) % 2000 == 0:
        look_through_all()
        return
    # An engine that closes gives back all that was ever left out, to Python's own collector as it knows it.
    gc.freeze()
    if gc.get_count()[2] > gc.get_threshold()[2] // 2:
        # The window's own guard would find a whole collection due, in the middle of a test.
        gc.collect()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses Qt's application is marked `gui`, so that `-m "not gui"` runs the rest alone."""
    for item in items:
        if {"qapp", "qtbot"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.gui)


@pytest.fixture(scope="session")
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, itertools.count[int]]:
    """Where the folders of the tests lie, and their numbers."""
    return tmp_path_factory.mktemp("each"), itertools.count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, own_folders: tuple[Path, itertools.count[int]]) -> Path:
    """A folder of the test's own; pytest's way reads the names of all earlier ones each time, and links."""
    root, numbers = own_folders
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = root / f"{name}{next(numbers)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture(scope="session")
def tiny_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a bundle that knows `tests.assets.PAIRS` by heart (2+3 layers, 4 heads). Never write it."""
    return write_tiny_bundle(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def tiny_trace(tiny_bundle: Path) -> Trace:
    """The complete trace of `tests.assets.SENTENCE` decoded greedily with `tiny_bundle`."""
    from model.decoding.decoding import DecodeConfig
    from model.translator.translator import Translator

    return list(Translator.load(tiny_bundle).decode(SENTENCE, DecodeConfig()))[-1].trace
