"""README in both languages: short, the same, and every command, link, picture, control and key as it says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import main
from tests.viewer.manual.guide_text import (
    MANUAL,
    ROOT,
    arguments_of,
    commands,
    controls,
    fences,
    headings,
    is_of_the_window,
    links,
    pictures,
    slug,
)

READMES = {"en": ROOT / "README.md", "zh": MANUAL / "README.zh.md"}
MOST_LINES = 130
NOT_RUN = {
    "bash .ci/setup": "installs; the file is there",
    "bash .ci/setup test": "installs; the file is there",
    "python3 -m venv .venv": "Python's own",
    '.venv/bin/pip install -c constraints.txt -e ".[test]"': "installs; what it names is there",
    ".venv/bin/python main.py": "opens the window and stays, which the two minutes go through",
    ".venv/bin/python -m pytest": "is running",
}
"""Commands that no test can run, and why."""
STEPS = [
    {"→", "Page Down"},
    {"E", "D", "C"},
    {"Ctrl", "M"},
    {"S"},
    {"Ctrl+L", "Enter", "Esc", "Alt+P"},
    {"Ctrl+E"},
]
"""The keys of each step of the two minutes, which `tests/viewer/window/test_two_minutes.py` presses."""
KEY = re.compile(r"[A-Z→]|Enter|Esc|Page Down|Ctrl|(?:Ctrl|Alt)\+\w")


def text(language: str) -> str:
    return READMES[language].read_text(encoding="utf-8")


def told(language: str) -> list[str]:
    """Every command, in blocks without remarks and one by one, and within lines."""
    lines = (re.sub(r"\s+#.*", "", line) for line in commands(text(language)))
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [*parts, *re.findall(r"`(\.venv/bin/python main\.py [^`]+)`", text(language))]


def place(language: str, target: str) -> Path:
    """Where a link or a picture of a README lies."""
    return (READMES[language].parent / target.partition("#")[0]).resolve()


def alike(language: str) -> list[str]:
    """Where links lead, as English pages."""
    found = [place(language, link).relative_to(ROOT).as_posix() for link in links(text(language))]
    return [re.sub("/zh/", "/en/", each) for each in found]


def test_it_is_the_first_page_and_no_more() -> None:
    assert {name for name in READMES if text(name).count("\n") > MOST_LINES} == set()
    assert links(text("en"))[0] == "resources/manual/README.zh.md"
    assert links(text("zh"))[0] == "../../README.md"


def test_both_languages_say_the_same_in_the_same_order() -> None:
    english, chinese = text("en"), text("zh")

    assert [level for level, _ in headings(chinese)] == [level for level, _ in headings(english)]
    assert fences(chinese, "bash") == fences(english, "bash")
    assert told("zh") == told("en")
    assert alike("zh")[1:] == alike("en")[1:]  # the first leads to the other language
    assert len(pictures(chinese)) == len(pictures(english)) == 1
    assert len(re.findall(r"[\u4e00-\u9fff]", chinese)) > 1500


@pytest.mark.parametrize("language", READMES)
def test_links_and_pictures_are_there(language: str) -> None:
    targets = [*links(text(language)), *(file for _, file in pictures(text(language)))]
    for target in targets:
        anchor = target.partition("#")[2]
        assert place(language, target).is_file(), target
        page = place(language, target).read_text(encoding="utf-8") if anchor else ""
        assert not anchor or anchor in {slug(words) for _, words in headings(page)}, target
    assert len(targets) > 30
    assert all(said for said, _ in pictures(text(language)))


@pytest.mark.parametrize("language", READMES)
def test_it_leads_to_every_page_of_the_manual_by_group(language: str) -> None:
    rows = re.findall(r"^- \*([^*]+)\*[:：](.*)$", text(language), re.MULTILINE)
    groups = json.loads((MANUAL / "pages.json").read_text(encoding="utf-8"))

    assert [(name, [Path(link).stem for link in links(row)]) for name, row in rows] == [
        (group[language], group["pages"]) for group in groups
    ]
    for words, link in re.findall(r"\[([^\]]+)\]\(([^)]+)\)", "\n".join(row for _, row in rows)):
        assert place(language, link).read_text(encoding="utf-8").splitlines()[0] == f"# {words}"


@pytest.mark.parametrize("language", READMES)
def test_what_is_bold_is_read_in_the_window(language: str) -> None:
    bold = controls(text(language))

    assert len(bold) > 10
    assert [each for each in bold if not is_of_the_window(each, language)] == []


@pytest.mark.parametrize("language", READMES)
def test_its_steps_have_the_keys_that_are_tried(language: str) -> None:
    """A step that is written otherwise has to be tried otherwise, too."""
    chapter = text(language).split("\n## ")[1]
    steps = re.findall(r"^\d\. (.*)$", chapter, re.MULTILINE)

    assert [
        {each for each in re.findall("`([^`]+)`", step) if KEY.fullmatch(each)} for step in steps
    ] == STEPS


def test_commands_do_what_it_says(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but those that are excepted by name; what these take from the checkout is in it."""
    asked = told("en")
    run = [command for command in asked if command not in NOT_RUN]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert set(NOT_RUN) <= set(asked)
    assert run == [".venv/bin/python main.py demo --out demo"]
    assert all((ROOT / name).is_file() for name in (".ci/setup", "constraints.txt", "main.py"))
    assert "test" in project["optional-dependencies"]
    monkeypatch.chdir(tmp_path)
    for command in run:
        assert main.main(arguments_of(command)) == 0, capsys.readouterr().err
    assert len(list((tmp_path / "demo").glob("*.png"))) > 3
