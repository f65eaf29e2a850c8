"""The icons that ship with Headscope."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from viewer.icons import pixmap
from viewer.resources import ROOT

ICONS = sorted((ROOT / "icons").glob("*.svg"))


def test_icons_are_well_formed_and_take_the_themes_colour(qtbot: QtBot) -> None:
    colours = {}
    for path in ICONS:
        assert ET.parse(path).getroot().tag.endswith("svg"), path.name
        image = pixmap(path.stem, "#ff0000", 32).toImage()
        drawn = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
        colours[path.stem] = {color.name() for color in drawn if color.alpha() > 250}

    del colours["headscope"]
    assert len(colours) > 15
    assert {name: found for name, found in colours.items() if found != {QColor("#ff0000").name()}} == {}


def test_every_icon_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT.parent / "viewer").rglob("*.py"))

    assert [path.stem for path in ICONS if f'"{path.stem}"' not in source] == []
