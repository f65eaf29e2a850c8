"""Packages: what `.ci/headscope.spec` takes along is all that is needed; what the viewer lacks is said."""

from __future__ import annotations

import ast
import json
import pkgutil
import re
import runpy
import subprocess
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace

import pytest

import model
import resources
import viewer
from main import COMMANDS
from tests.packaging import ROOT, run_without_torch
from tests.test_house import _packages, modules

SPEC = (ROOT / ".ci" / "headscope.spec").read_text("utf-8")
SAID = (
    "this copy of Headscope shows what was recorded and runs no model; get the whole of Headscope, which has "
    "torch, for that"
)


def lists_of_the_spec() -> dict[str, list[str]]:
    return {
        node.targets[0].id: [each.value for each in node.value.elts if isinstance(each, ast.Constant)]
        for node in ast.parse(SPEC).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.List)
    }


def test_a_walk_through_the_packages_finds_every_module() -> None:
    """As PyInstaller walks: a folder without `__init__.py` would be left out."""
    walked = {
        each.name
        for package in (model, viewer, resources)
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    }

    assert 'for top in ("model", "viewer", "resources") for each in collect_submodules(top)' in SPEC
    compiled = {"model.network.compiled._kernels"}  # where there was a compiler of C
    assert modules().keys() - {"model", "viewer", "resources"} == walked - compiled


def test_what_is_imported_by_its_name_is_among_them() -> None:
    """Commands, answers to questions, measures of experiments: no analysis of imports sees them."""
    named = set(COMMANDS.values())
    for path in modules().values():
        named |= set(re.findall(r'"((?:model|viewer)(?:\.\w+)+):\w+"', path.read_text("utf-8")))

    assert len(named) > 40
    assert sorted(named - modules().keys()) == []


@pytest.mark.slow
def test_nothing_that_we_import_is_left_out() -> None:
    """But for models of Hugging Face, and in the viewer for what computes."""
    lists = lists_of_the_spec()
    imported = {package for name in modules() for package in _packages(name)}

    assert {"torch", "sentencepiece"} <= set(lists["computing"])
    assert imported & set(lists["excludes"]) == {"transformers", "tokenizers"} & imported
    assert imported & set(lists["computing"]) == {"torch", "sentencepiece"}


def test_libraries_of_the_system_have_their_licences_and_ours_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    licences = runpy.run_path(str(ROOT / ".ci" / "licences.py"))
    asked: list[str] = []

    def owner(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command[-1])
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(subprocess, "run", owner)
    ours = ROOT / "model" / "network" / "compiled" / "_kernels.so"
    assert list(licences["of_system"]({ours}, tmp_path)) == []
    assert asked == []
    with pytest.raises(SystemExit, match="no package of this system has"):
        list(licences["of_system"]({ours, Path("/usr/lib/libz.so.1")}, tmp_path))


def test_what_doctor_asks_for_is_told_along() -> None:
    from viewer.diagnosis.facts import PACKAGES

    told = set(re.findall(r'"([\w-]+)"', SPEC[SPEC.index("told = ") : SPEC.index("data = ")]))
    installed = {name for names in packages_distributions().values() for name in names}
    assert set(PACKAGES) - told == {"safetensors"}  # which only tests use
    assert {name.replace("-", "_").lower() for name in told} <= {
        name.replace("-", "_").lower() for name in installed
    }


@pytest.mark.slow
def test_the_demo_without_torch_is_of_what_was_recorded(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    code = "from main import main; sys.exit(main())"
    done = run_without_torch(code, "demo", "--out", str(out), "--json", home=tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[0] == f"headscope: {SAID}"
    made = {Path(file["path"]).name for file in json.loads(done.stdout)["files"]}
    assert made >= {
        "map.png",
        "map.svg",
        "map.pdf",
        "map.csv",
        "flow.png",
        "words.png",
        "rollout.png",
        "window.png",
    }
    assert made == {path.name for path in out.iterdir()} - {"manifest.json"}


def test_commands_that_need_a_model_say_so_in_one_line(tmp_path: Path) -> None:
    code = """
from main import main
out, drawn = sys.argv[1], ["render", "--trace", "resources/models/en-fr/example.trace", "--out"]
for words in (["translate", "Hello."], ["trace", "--out", out + "/x.trace", "Hello."], ["heads", "Hello."],
              ["train", "--task", "reverse", "--out", out + "/run"], ["lesson", "masks"],
              [*drawn, out + "/x.png", "--view", "arithmetic"], ["experiment", "positions", "--tiny"]):
    print(main(words))
for words in (["heads"], ["lesson", "weighted_average"], ["info", "en-fr"], [*drawn, out + "/y.pdf"]):
    assert main(words) == 0, words
"""
    done = run_without_torch(code, str(tmp_path), home=tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:7] == ["1"] * 7
    said = [line for line in done.stderr.splitlines() if line.startswith("headscope: error")]
    assert said == [f"headscope: error: {SAID}"] * 7
    assert not (tmp_path / "x.trace").exists()


def test_the_window_without_torch(tmp_path: Path) -> None:
    """What needs a model is disabled and says why; opening a model shows its example."""
    code = """
from viewer.commands.window import prepare
prepare()
from pathlib import Path
from PySide6.QtWidgets import QApplication
from PySide6.QtTest import QTest
application = QApplication(["headscope"])
from viewer.app import Program
from viewer.resources import MODELS
from viewer.window.settings import Settings
program = Program(Settings(sys.argv[1] + "/s.ini"), language="en")
program.conductor.start(MODELS / "en-fr")
program.window.show()
def settle():
    for _ in range(20):
        QTest.qWait(10)
settle()
window, session = program.window, program.session
panel = window.look_page.sentence
told = {"runs": len(session.document.runs), "notice": session.notice and session.notice.code}
told["translate"] = [panel.translate.isEnabled(), panel.translate.toolTip()]
panel.ask()
told["asked"] = session.notice.code
session.set_notice(None)
program.conductor.open_path(str(MODELS / "zh-en"))
program.conductor.readings.wait()
told["opened"] = [session.notice.code, session.run().trace.model_name]
foot = window.pages.train.form.foot
settle()
told["train"] = [foot.start.isEnabled(), foot.reason.text()]
told["state"] = session.job.state
told["torch"] = "torch" in sys.modules
program.shut_down()
import json
print(json.dumps(told))
"""
    done = run_without_torch(code, str(tmp_path), home=tmp_path)

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    sentence = SAID[0].upper() + SAID[1:] + "."
    assert (told["runs"], told["notice"]) == (1, None)
    assert told["translate"] == [False, sentence]
    assert told["asked"] == "cannot_compute"
    assert told["opened"] == ["cannot_compute", "zh-en"]
    assert told["train"] == [False, sentence]
    assert (told["state"], told["torch"]) == ("idle", False)
