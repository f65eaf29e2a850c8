"""Every command of the manual, as it is written there, page by page in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

import main
from tests.viewer.manual.guide_text import MANUAL, arguments_of, commands, pages

TAKES_LONG = {"experiments", "training"}
"""Pages whose commands train."""
NOT_TOLD = {"weights", "contributions", "cross"}
"""What is drawn without being asked for."""
PAGES = {name: commands(text) for name, text in pages("en").items() if commands(text)}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in TAKES_LONG else ()) for name in PAGES]
)
def test_commands_do_what_the_page_says(
    name: str,
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in PAGES[name]:
        arguments = arguments_of(command)
        try:
            status: int | str | None = main.main(arguments)
        except SystemExit as ended:  # of `--version`
            status = ended.code or 0
        said = capsys.readouterr()
        # What may be missing on this machine is no matter here.
        assert status == 0 or (arguments[0] == "doctor" and status == 1), f"{command}: {said.err}"
        if "--out" in arguments:
            out = Path(arguments[arguments.index("--out") + 1])
            parts = tmp_path.glob(f"{out.stem}-*{out.suffix}") if "--each" in arguments else [out]
            written = list(parts)
            assert written, command
            assert all(part.exists() for part in written), command
        else:
            assert said.out.strip(), command


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_commands_names_each_and_all_that_can_be_drawn(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = pages(language)["commands"]
    with pytest.raises(SystemExit):
        main.main(["render", "--help"])
    said = re.sub(r"\s+", "", capsys.readouterr().out)
    options = ("view", "numbers", "measure", "colours", "scale", "each", "animate")
    drawn = {
        option: re.findall(r"[\w-]+", re.findall(rf"--{option}{{([^}}]*)}}", said)[0]) for option in options
    }
    told = set(re.findall(r"[\w-]+", " ".join(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page))))

    assert [name for name in main.COMMANDS if not re.search(rf"^\| `{name}[ `]", page, re.MULTILINE)] == []
    assert {name: kept for name, each in drawn.items() if (kept := set(each) - told - NOT_TOLD)} == {}


def test_the_manual_is_read_at_a_terminal(qapp: QApplication, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["manual", "keys", "--language", "zh"]) == 0
    told = capsys.readouterr().out
    assert "`Ctrl+Shift+P`" in told
    assert "命令面板：按名称找任何东西" in told  # of the table, in the window's words
    assert main.main(["manual", "nothing"]) == 1
    assert "first-look" in capsys.readouterr().err


def test_a_picture_is_made_again(qapp: QApplication, tmp_path: Path) -> None:
    assert main.main(["manual-pictures", "flow", "--out", str(tmp_path)]) == 0
    for language in ("en", "zh"):
        name = f"flow-{language}.png"
        with Image.open(tmp_path / name) as made, Image.open(MANUAL / "pictures" / name) as kept:
            assert made.width == kept.width
            assert len(made.getcolors() or ()) > 20
            assert abs(made.height - kept.height) < 0.2 * kept.height  # type may differ
