"""The files that ship with Headscope."""

from __future__ import annotations

import ctypes
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from viewer import resources
from viewer.icons import _icon, icon, pixmap, recoloured
from viewer.resources import ROOT, samples, training_samples

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


def test_an_icon_takes_little_more_memory_than_its_pixels(qtbot: QtBot) -> None:
    """What painted it, some 15 kB, goes: a window keeps hundreds of them."""
    live = _live_bytes()
    if live is None:
        pytest.skip("only glibc tells what is in use")
    sizes = range(16, 56)
    pixmap("menu", "#123456", 15)  # read, and whatever is the first of its kind
    before = live()
    kept = [pixmap("menu", "#123456", size) for size in sizes]
    pixels = sum(4 * picture.width() * picture.height() for picture in kept)
    assert pixels == sum(4 * size * size for size in sizes)
    assert pixels < live() - before < 2 * pixels


class _Counts(ctypes.Structure):
    _fields_ = (("each", ctypes.c_size_t * 10),)


def _live_bytes() -> Callable[[], int] | None:
    """Tells how much of what glibc gave out is in use; None with any other library."""
    told = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if told is None:
        return None
    told.restype = _Counts

    def live() -> int:
        counts = told().each
        return int(counts[4] + counts[7])  # hblkhd and uordblks of mallinfo(3)

    return live


def test_icons_that_were_asked_for_are_there_in_another_themes_colours(qtbot: QtBot) -> None:
    icon("close", "#010203", "#040506")
    for _ in recoloured({"#010203": "#111213", "#040506": "#141516"}):
        pass
    drawn = _icon.cache_info().misses
    shown = icon("close", "#111213", "#141516").pixmap(64).toImage()
    assert _icon.cache_info().misses == drawn
    pixels = (shown.pixelColor(x, y) for x in range(64) for y in range(64))
    assert {pixel.name() for pixel in pixels if pixel.alpha() == 255} == {"#111213"}


def test_every_icon_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT.parent / "viewer").rglob("*.py"))

    assert [path.stem for path in ICONS if f'"{path.stem}"' not in source] == []


@pytest.mark.parametrize("language", ["en", "zh", "zh_CN"])
def test_samples_go_from_short_to_long(language: str) -> None:
    groups = samples(language)
    assert list(groups) == ["short", "agreement", "ambiguous", "long", "order"]

    longest_short = max(map(len, groups["short"]))
    assert all(len(sentence) > longest_short for sentence in groups["long"])
    assert all(bool(re.search("[\u4e00-\u9fff]", s)) == (language != "en") for s in groups["long"])


def test_there_are_no_samples_of_an_unknown_language() -> None:
    assert samples("tlh") == {}


def test_a_trained_model_offers_the_sentences_of_its_first_evaluation_and_so_do_its_snapshots(
    tmp_path: Path,
) -> None:
    lines = [
        {"event": "start", "samples": 3},
        {"event": "eval", "samples": [["go .", "va !"], ["i lost .", ""], [" ", "x"], [3, "x"], "go"]},
        {"event": "eval", "samples": [["later .", "plus tard ."]]},
    ]
    (tmp_path / "training_log.jsonl").write_text("no JSON\n[1]\n" + "\n".join(map(json.dumps, lines)))
    snapshot = tmp_path / "snapshots" / "step-50"
    snapshot.mkdir(parents=True)

    assert training_samples(str(tmp_path)) == ["go .", "i lost ."]
    assert training_samples(str(snapshot)) == ["go .", "i lost ."]
    assert training_samples(str(tmp_path / "snapshots")) == []


def test_a_bundled_model_has_chosen_samples_instead() -> None:
    assert (resources.MODELS / "en-fr" / "training_log.jsonl").is_file()
    assert training_samples(str(resources.MODELS / "en-fr")) == []


def test_the_first_model_follows_the_language(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in ("en-fr", "zh-en"):
        folder = tmp_path / name  # type: ignore[operator]
        folder.mkdir()
        (folder / "config.json").write_text("{}")
    monkeypatch.setattr(resources, "MODELS", tmp_path)

    assert resources.first_model("zh_CN") == tmp_path / "zh-en"  # type: ignore[operator]
    assert resources.first_model("en") == tmp_path / "en-fr"  # type: ignore[operator]


def test_a_copy_without_models_has_no_first_one(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(resources, "MODELS", tmp_path)

    assert resources.first_model("en") is None
