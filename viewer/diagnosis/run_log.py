"""run_log: what the program logs, in a file that the next start keeps as that of the last run."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_state_path

NAME = "headscope.log"
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_folder() -> Path:
    """Where logs lie."""
    return user_state_path("Headscope", appauthor=False)


def start_log(folder: Path | None = None) -> logging.Handler | None:
    """Log into a fresh file from now on; the last run's becomes `headscope.log.1`.

    A crash within a library writes its stack there too. Where the disk refuses there is no file, and the
    program goes on without.
    """
    folder = log_folder() if folder is None else folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / NAME, backupCount=1, encoding="utf-8", delay=True)
        if (folder / NAME).exists():
            handler.doRollover()
        handler.setFormatter(logging.Formatter(_FORMAT))
        logging.getLogger().addHandler(handler)
        handler.acquire()
        try:
            handler.stream = handler._open()
        finally:
            handler.release()
        faulthandler.enable(handler.stream)
    except OSError:
        return None
    return handler


def stop_log(handler: logging.Handler | None) -> None:
    """Close the file."""
    if handler is not None:
        faulthandler.disable()
        logging.getLogger().removeHandler(handler)
        handler.close()


def last_lines(folder: Path | None = None, most: int = 40) -> list[str]:
    """The end of what the last run logged, or of this one where it is the first; without private text."""
    folder = log_folder() if folder is None else folder
    for name in (f"{NAME}.1", NAME):
        with contextlib.suppress(OSError):
            lines = (folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
            if lines:
                return [without_private(line) for line in lines[-most:]]
    return []


def without_private(line: str) -> str:
    """A line without the name of whoever uses this computer: their folder is `~`."""
    home = str(Path.home())
    return line.replace(home, "~") if len(home) > 1 else line
