"""Installation of the desktop entry, the icons and the MIME types, for one user; again and away."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from model.files.files import replace_bytes, write_error
from viewer.export.png import png_of
from viewer.integration.desktop_entry import NAME, desktop_entry
from viewer.integration.mime_types import mime_package
from viewer.painting import painting
from viewer.resources import ROOT

SIZES = (16, 24, 32, 48, 64, 128, 256)
"""Of the icon as PNG, for desktops that draw no SVG."""

_ENTRY, _TYPES = Path("applications", f"{NAME}.desktop"), Path("mime", "packages", f"{NAME}.xml")
_ICON = ROOT / "icons" / f"{NAME}.svg"
_REFRESHED = (("update-desktop-database", "applications"), ("update-mime-database", "mime"))
_PATIENCE = 60
"""Seconds."""


def data_home() -> Path:
    """Where a user's own entries lie (XDG Base Directory Specification)."""
    told = os.environ.get("XDG_DATA_HOME", "")
    return Path(told) if os.path.isabs(told) else Path.home() / ".local" / "share"


def integrate(home: Path, program: Sequence[str]) -> list[Path]:
    """Write the files, over those that are there, and have the desktop look; returns them.

    Raises:
        HeadscopeError: one cannot be written.
    """
    files = {
        home / _ENTRY: desktop_entry(program).encode(),
        home / _TYPES: mime_package().encode(),
        **{home / place: data for place, data in _icons()},
    }
    for path, data in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(path.parent, error) from None
        replace_bytes(path, data)
    _refresh(home)
    return list(files)


def remove(home: Path) -> list[Path]:
    """Take the files away, and have the desktop look; returns those that were there.

    Raises:
        HeadscopeError: one cannot be removed.
    """
    gone = []
    for path in (home / _ENTRY, home / _TYPES, *(home / place for place in _icon_places())):
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise write_error(path, error) from None
        gone.append(path)
    _refresh(home)
    return gone


def _icon_places() -> Iterator[Path]:
    theme = Path("icons", "hicolor")
    yield theme / "scalable" / "apps" / f"{NAME}.svg"
    for size in SIZES:
        yield theme / f"{size}x{size}" / "apps" / f"{NAME}.png"


def _icons() -> Iterator[tuple[Path, bytes]]:
    drawn = _ICON.read_bytes()
    renderer = QSvgRenderer(drawn)
    pictures = (drawn, *(_png(renderer, size) for size in SIZES))
    yield from zip(_icon_places(), pictures, strict=True)


def _png(renderer: QSvgRenderer, size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        renderer.render(painter, QRectF(image.rect()))
    return png_of(image)


def _refresh(home: Path) -> None:
    """Tell the desktop, as far as it has the tools; without them it finds out when it next starts."""
    for tool, folder in _REFRESHED:
        found = shutil.which(tool)
        if found is not None and (home / folder).is_dir():
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    [found, str(home / folder)], capture_output=True, timeout=_PATIENCE, check=False
                )
