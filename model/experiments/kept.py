"""Kept experiments: where the models of experiments lie, how much that is, and taking them away. No torch."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from platformdirs import user_cache_path

from model.errors import HeadscopeError
from model.files.files import folder_lock


def experiments_folder() -> Path:
    """The folder in the user's cache in which each experiment has one of its own."""
    return user_cache_path("Headscope", appauthor=False) / "experiments"


def folder_size(folder: Path) -> int:
    """Bytes of the files in a folder and all below it; 0 if it is not there. Links are not followed."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(root, name)).st_size
    return total


def clear_experiments(folder: Path) -> int:
    """Remove what experiments have trained, but for the runs that are written now.

    Returns:
        How many runs are left because a process writes them.
    """
    busy = 0
    for experiment in _folders(folder):
        for run in _folders(experiment):
            try:
                with folder_lock(run):
                    shutil.rmtree(run, ignore_errors=True)
            except HeadscopeError:
                busy += 1
        if not _folders(experiment):
            shutil.rmtree(experiment, ignore_errors=True)
    return busy


def _folders(folder: Path) -> list[Path]:
    """Its own folders, no links."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    return []
