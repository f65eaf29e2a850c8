"""Extensions: what another package adds is found, used by its name, and costs nothing where it fails."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from main import main
from model.errors import HeadscopeError
from model.extensions.found import extensions, loader_of
from model.extensions.kinds import LOADERS, METRICS, QUANTITIES
from model.trace.trace_file import save_trace
from tests.extension_example.installing import installed, lay_out, lay_out_example
from tests.model.safetensors_by_hand import parse
from tests.model.tiny_trace import make_trace

ROOT = Path(__file__).parents[3]
BROKEN = """
import numpy as np
class Metric:
    title, formula, source, least, most = "T", "f", "s", 0, 1
    def measure(self, weights, head):
        return {answer}
class Quantity:
    title, formula, caveat, source = "T", "f", "c", "s"
    def measure(self, weights, head):
        return {answer}
"""


@pytest.fixture
def example(tmp_path: Path) -> Iterator[list[HeadscopeError]]:
    lay_out_example(tmp_path / "site")
    with installed(tmp_path / "site") as said:
        yield said


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "a.trace"
    save_trace(make_trace(), path)
    return path


def heads_of(trace: Path, capsys: pytest.CaptureFixture[str], *form: str) -> tuple[str, str]:
    capsys.readouterr()
    assert main(["heads", "--trace", str(trace), *form]) == 0
    out, err = capsys.readouterr()
    return out, err


def test_a_metric_stands_beside_ours(
    example: list[HeadscopeError], trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays, _ = parse(trace)
    out, err = heads_of(trace, capsys, "--json")
    told = json.loads(out)

    assert err == ""
    assert told["metrics"]["first_key"] == {
        "formula": "α(i, 0), mean over rows that are not masked",
        "range": [0.0, 1.0],
        "source": "made up for this example",
        "package": "headscope-example 1.0",
    }
    for head in told["heads"]:
        weights = arrays[head["kind"]][head["layer"], head["head"]]
        assert head["first_key"] == pytest.approx(float(weights[:, 0].mean()), abs=1e-6)
    rows = list(csv.DictReader(io.StringIO(heads_of(trace, capsys, "--csv")[0])))
    assert [float(row["first_key"]) for row in rows] == pytest.approx(
        [head["first_key"] for head in told["heads"]], abs=1e-8
    )
    assert "first_key" in heads_of(trace, capsys)[0].splitlines()[0]


def test_a_loader_opens_its_folders(
    example: list[HeadscopeError], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "beasts"
    folder.mkdir()
    (folder / "words.txt").write_text("cat dog", "utf-8")
    out = tmp_path / "read.trace"

    assert main(["trace", "--model", str(folder), "--out", str(out), "a cat saw a dog"]) == 0
    arrays, header = parse(out)
    assert json.loads(header["src_tokens"]) == ["a", "cat", "saw", "a", "dog"]
    assert header["verified"] == "false"
    same = np.array(
        [[0.5, 0, 0, 0.5, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0.5, 0, 0, 0.5, 0], [0, 0, 0, 0, 1]]
    )
    np.testing.assert_allclose(arrays["encoder_self"][0, 0], same, atol=1e-7)
    np.testing.assert_allclose(arrays["encoder_self"][0, 1], [[0, 0.5, 0, 0, 0.5]] * 5, atol=1e-7)
    capsys.readouterr()
    assert main(["info", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model_type"] == "wordlist"


def test_our_own_models_are_not_offered(
    example: list[HeadscopeError], tmp_path: Path, tiny_bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bundle that a loader would recognise, too."""
    import shutil

    folder = tmp_path / "both"
    shutil.copytree(tiny_bundle, folder)
    (folder / "words.txt").write_text("cat", "utf-8")

    assert loader_of(folder) is not None
    assert main(["info", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["architecture"]["d_model"] == 32


def test_names_of_ours_are_not_taken(tmp_path: Path) -> None:
    entries = {METRICS: {"entropy": "other:Metric", "Bad-Name": "other:Metric", "fine": "other:Metric"}}
    lay_out(tmp_path, "other", entries, {"other": BROKEN.format(answer="0.5")})
    lay_out(tmp_path, "second", {METRICS: {"fine": "other:Metric"}}, {})
    from model.heads.added_scores import added_metrics

    with installed(tmp_path) as said:
        assert [one.name for one in added_metrics()] == ["fine"]
    reasons = [(str(error.values["name"]), str(error.values["reason"])) for error in said]
    assert [name for name, _ in reasons] == ["Bad-Name", "entropy", "fine"]
    assert [reason for name, reason in reasons if name != "Bad-Name"] == ["its name is taken already"] * 2


@pytest.mark.parametrize(
    ("answer", "said_of_it"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("weights", "an array of the shape (3, 3) where one number is needed"),
        ("float('inf')", "beyond its own range"),
        ("2.0", "it measured 2, which is beyond its own range"),
        ("'many'", "ValueError"),
    ],
)
def test_a_metric_that_fails_is_left_out_and_said_once(
    tmp_path: Path, trace: Path, capsys: pytest.CaptureFixture[str], answer: str, said_of_it: str
) -> None:
    lay_out(
        tmp_path / "site",
        "other",
        {METRICS: {"odd": "other:Metric"}},
        {"other": BROKEN.format(answer=answer)},
    )
    plain = heads_of(trace, capsys, "--json")[0]
    with installed(tmp_path / "site"):
        out, err = heads_of(trace, capsys, "--json")

    assert out == plain
    assert len(err.splitlines()) == 1
    assert err.startswith("headscope: note: the extension odd of the package other 1.0 is left out: ")
    assert said_of_it in err


def test_nothing_to_measure_is_no_failure(
    tmp_path: Path, trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = BROKEN.format(answer="float('nan')")
    lay_out(tmp_path / "site", "other", {METRICS: {"odd": "other:Metric"}}, {"other": source})
    with installed(tmp_path / "site"):
        out, err = heads_of(trace, capsys, "--json")

    assert err == ""
    assert {head["odd"] for head in json.loads(out)["heads"]} == {None}


@pytest.mark.parametrize(
    ("source", "said_of_it"),
    [
        ("raise RuntimeError('no\\nluck')", "RuntimeError: no luck"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import nothing_like_it", "ModuleNotFoundError"),
        ("x = 1", "AttributeError"),
        ("class Metric: pass", "it has no method measure"),
        ("class Metric:\n  measure = print", "its title is no text"),
        (BROKEN.format(answer="1").replace('"T"', '"T" * 99'), "its title is no text of at most 40"),
        (BROKEN.format(answer="1").replace("0, 1\n", "'low', 1\n"), "its range, least and most"),
    ],
)
def test_one_that_cannot_be_loaded_is_said(
    tmp_path: Path, trace: Path, capsys: pytest.CaptureFixture[str], source: str, said_of_it: str
) -> None:
    lay_out(tmp_path / "site", "other", {METRICS: {"odd": "other:Metric"}}, {"other": source})
    with installed(tmp_path / "site"):
        out, err = heads_of(trace, capsys, "--json")

    assert "odd" not in json.loads(out)["metrics"]
    assert len(err.splitlines()) == 1
    assert said_of_it in err


@pytest.mark.parametrize(
    ("method", "said_of_it"),
    [
        ("recognises = lambda self, folder: 1 / 0", "there is no model in"),
        ("load = lambda self, folder: 1 / 0", "ZeroDivisionError"),
        ("load = lambda self, folder: 3", "what it loads has no method pieces"),
        ("attention = lambda self, pieces: [[[[2.0]]]]", "left out: "),
        ("attention = lambda self, pieces: [[[[float('nan')]]]]", "left out: "),
        ("attention = lambda self, pieces: [[[[0.5, 0.5]]]]", "left out: "),
        ("pieces = lambda self, text: [1]", "its pieces are not texts"),
    ],
)
def test_a_loader_that_fails_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str, said_of_it: str
) -> None:
    source = f"""
class Loader:
    name = "one"
    recognises = lambda self, folder: (folder / "one.txt").is_file()
    load = lambda self, folder: self
    pieces = lambda self, text: [text]
    attention = lambda self, pieces: [[[[1.0]]]]
    {method}
"""
    lay_out(tmp_path / "site", "other", {LOADERS: {"odd": "other:Loader"}}, {"other": source})
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "one.txt").write_bytes(b"")
    with installed(tmp_path / "site"):
        assert main(["trace", "--model", str(folder), "--out", str(tmp_path / "x.trace"), "word"]) == 1

    *notes, last = capsys.readouterr().err.splitlines()
    assert last.startswith("headscope: error: ")
    assert said_of_it in last
    assert len(notes) == ("recognises" in method)
    assert not (tmp_path / "x.trace").exists()


def test_doctor_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object) -> None:
    lay_out_example(tmp_path / "a")
    lay_out(
        tmp_path / "b",
        "other",
        {QUANTITIES: {"rollout": "other:Quantity"}},
        {"other": BROKEN.format(answer=1)},
    )
    with installed(tmp_path / "a", tmp_path / "b"):
        main(["doctor", "--json"])

    facts: dict[str, Any] = {
        fact["name"]: fact["value"] for fact in json.loads(capsys.readouterr().out)["facts"]
    }
    assert facts["extension first_key"] == "head metric of headscope-example 1.0"
    assert facts["extension surprise"] == "quantity of headscope-example 1.0"
    assert facts["extension wordlist"] == "loader of headscope-example 1.0"
    assert "its name is taken already" in facts["extension rollout"]


def test_without_any_there_are_none() -> None:
    assert all(not extensions(group) for group in (METRICS, QUANTITIES, LOADERS))


def test_the_start_of_the_window_looks_for_none() -> None:
    """Reading the metadata of all that is installed takes a tenth of a second."""
    code = (
        "import importlib.metadata as m\n"
        "def refuse(**asked): raise AssertionError(asked)\n"
        "m.entry_points = refuse\n"
        "import sys; sys.argv = ['x']\n"
        "from viewer.commands.window import prepare; prepare()\n"
        "from PySide6.QtWidgets import QApplication\n"
        "application = QApplication([])\n"
        "from viewer.app import build_window\n"
        "window = build_window(); window.show(); application.processEvents()\n"
        "print('shown')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "shown\n", done.stderr
