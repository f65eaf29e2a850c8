"""The manual's pages: complete in both languages; links lead somewhere, what they name is in the window."""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest
from PySide6.QtWidgets import QDialog

import viewer.dialogs
from tests.viewer.desk import Desk
from tests.viewer.manual.guide_text import (
    MANUAL,
    all_links,
    commands,
    controls,
    fences,
    headings,
    is_of_the_window,
    links,
    pages,
    pictures,
    slug,
)
from viewer.commands.manual_pictures import LANGUAGES, PICTURES
from viewer.pages.learn.lessons import LESSONS
from viewer.pages.look.drawer_panels import DRAWER
from viewer.pages.look.inspector_panels import INSPECTOR
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.positions.positions_tabs import POSITIONS_TABS
from viewer.window.manual.key_table import KEY_TABLE
from viewer.window.manual.places import PLACES
from viewer.window.palette.finding import Finding

ENGLISH, CHINESE = pages("en"), pages("zh")
MOST_BYTES = 3_000_000
"""All pictures together."""


def anchors(name: str) -> set[str]:
    """What links may name in a page: its English headings, in every language."""
    return {slug(words) for _, words in headings(ENGLISH[name])}


def leads_somewhere(target: str, page: str) -> bool:
    name, _, anchor = target.partition("#")
    name = name.removesuffix(".md") or page
    return name in ENGLISH and (not anchor or anchor in anchors(name))


def test_the_list_names_every_page_once_and_each_is_there_in_both_languages() -> None:
    groups = json.loads((MANUAL / "pages.json").read_text(encoding="utf-8"))
    listed = [name for group in groups for name in group["pages"]]

    assert len(listed) == len(set(listed)) >= 25
    assert set(listed) == set(ENGLISH) == set(CHINESE)
    assert all(group["en"] and group["zh"] for group in groups)


@pytest.mark.parametrize("name", ENGLISH)
def test_both_languages_say_the_same_in_the_same_order(name: str) -> None:
    english, chinese = ENGLISH[name], CHINESE[name]

    assert [level for level, _ in headings(chinese)] == [level for level, _ in headings(english)]
    assert [level for level, _ in headings(english)].count(1) == 1
    assert len(anchors(name)) == len(headings(english))
    assert commands(chinese) == commands(english)
    assert fences(chinese, "python") == fences(english, "python")
    assert sorted(links(chinese)) == sorted(links(english))
    assert [file.replace("-zh.", "-en.") for _, file in pictures(chinese)] == [
        file for _, file in pictures(english)
    ]
    assert len(re.findall(r"[\u4e00-\u9fff]", chinese)) > 100


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_bold_is_read_in_the_window(language: str) -> None:
    told = {name: controls(text) for name, text in pages(language).items()}
    wrong = {
        name: [each for each in bold if not is_of_the_window(each, language)] for name, bold in told.items()
    }

    assert sum(map(len, told.values())) > 100
    assert {name: bold for name, bold in wrong.items() if bold} == {}


def test_a_control_that_is_not_there_is_found() -> None:
    assert is_of_the_window("Export…", "en")
    assert is_of_the_window("导出…", "zh")
    assert is_of_the_window("Largest: layer 1, head 2 (0.31)", "en")
    assert not is_of_the_window("Export…", "zh")
    assert not is_of_the_window("Exports", "en")
    assert not is_of_the_window("Frobnicate", "en")
    assert is_of_the_window("File › Export…", "en")
    assert not is_of_the_window("File › Frobnicate", "en")


def test_links_lead_somewhere() -> None:
    inside = [(language, name, link) for language, name, link in all_links() if ":" not in link]

    assert len(inside) > 60
    assert [each for each in inside if not leads_somewhere(each[2], each[1])] == []
    assert not leads_somewhere("views#flows", "views")


def test_links_that_act_are_entries_of_the_palette_in_both_languages(desk: Desk) -> None:
    asked = sorted(
        {unquote(link.partition(":")[2]) for *_, link in all_links() if link.startswith("headscope:")}
    )
    window = desk.window
    for _ in range(2):
        window.toggle_language()
        finding = Finding(window.palette_._reach)
        assert [name for name in asked if finding.named(name) is None] == []
    assert len(asked) > 40
    assert finding.named("action:nothing") is None


def test_pictures_are_there_and_the_command_knows_each() -> None:
    made = {f"{name}-{language}.png" for name in PICTURES for language in LANGUAGES}
    shown = {
        (language, Path(file).name)
        for language in LANGUAGES
        for text in pages(language).values()
        for _, file in pictures(text)
    }
    there = {path.name: path.stat().st_size for path in (MANUAL / "pictures").iterdir()}

    assert {file for _, file in shown} == made == set(there)
    assert all(file.endswith(f"-{language}.png") for language, file in shown)
    assert all(said for text in (*ENGLISH.values(), *CHINESE.values()) for said, _ in pictures(text))
    assert sum(there.values()) < MOST_BYTES


def dialogs() -> set[str]:
    """The names of the dialogs of `viewer.dialogs`."""
    modules = [
        import_module(f"viewer.dialogs.{path.stem}")
        for path in Path(viewer.dialogs.__path__[0]).glob("*.py")
        if path.stem != "__init__"
    ]
    return {
        name
        for module in modules
        for name, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, QDialog) and found.__module__ == module.__name__
    }


def test_every_place_of_the_window_has_its_part_of_the_manual() -> None:
    places = {f"view.{view.name}" for view in PANE_VIEWS}
    places |= {f"inspector.{row.name}" for row in INSPECTOR} | {f"drawer.{row.name}" for row in DRAWER}
    places |= {f"positions.{tab.name}" for tab in POSITIONS_TABS}
    places |= {f"learn.{lesson.name}" for lesson in LESSONS} | {"train", "present"}
    places |= {f"dialog.{name}" for name in dialogs()}
    places |= {"dialog.PaletteDialog", "dialog.DrawingDialog"}

    assert places - set(PLACES) == set()
    assert set(PLACES) - places == set()
    assert [place for place, target in PLACES.items() if not leads_somewhere(target, "")] == []


def test_keys_of_places_are_of_places_that_are_there() -> None:
    starts = {start for group in KEY_TABLE for row in group.rows for start in row.here}

    assert {start for start in starts if not any(place.startswith(start) for place in PLACES)} == set()


@pytest.mark.parametrize("name", ENGLISH)
def test_python_of_the_pages_is_python(name: str) -> None:
    for block in fences(ENGLISH[name], "python"):
        compile(block, name, "exec")
