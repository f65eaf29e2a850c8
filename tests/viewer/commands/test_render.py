"""The `render` command: every argument, every error, no torch from a trace, and *copy as command*."""

from __future__ import annotations

import csv
import io
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage

from main import main
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.assets import SENTENCE
from tests.viewer.export_samples import sample_trace
from viewer.commands import render
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.command_line import arguments, command_line, positions_source, text_source, trace_source
from viewer.export.writers import file_format, write_export
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.usefixtures("qapp")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def saved(tmp_path: Path) -> str:
    save_trace(sample_trace(), tmp_path / "sample.trace")
    return str(tmp_path / "sample.trace")


def headscope(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *words],
        env={**clean, **environment}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))[1:]


def places(path: Path) -> set[tuple[str, ...]]:
    return {tuple(row[:3]) for row in rows_of(path)}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "csv", "npz", "trace"])
@pytest.mark.parametrize("view", ["heatmap", "heads"])
def test_every_format_from_a_trace(tmp_path: Path, saved: str, view: str, ending: str) -> None:
    out = tmp_path / f"a.{ending}"
    assert render.run(["--trace", saved, "--view", view, "--out", str(out)]) == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"kind,", "npz": b"PK"}
    assert out.read_bytes().startswith(start.get(ending, b""))
    if ending == "trace":
        assert open_trace(out).src_text == sample_trace().src_text


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ([], ("cross", "0", "0")),
        (["--layer", "2"], ("cross", "1", "0")),
        (["--kind", "encoder_self", "--head", "3"], ("encoder_self", "0", "2")),
        (["--kind", "decoder_self", "--layer", "2", "--head", "mean"], ("decoder_self", "1", "mean")),
    ],
)
def test_arguments_count_from_one(
    tmp_path: Path, saved: str, words: list[str], place: tuple[str, ...]
) -> None:
    render.run(["--trace", saved, *words, "--out", str(tmp_path / "a.csv")])
    assert places(tmp_path / "a.csv") == {place}


def test_text_is_decoded_and_the_showcase_shown(tmp_path: Path, tiny_bundle: Path, tiny_trace: Trace) -> None:
    words = [SENTENCE, "--model", str(tiny_bundle), "--out", str(tmp_path / "a.csv")]
    assert render.run(words) == 0
    assert places(tmp_path / "a.csv") == {("cross", "1", "2")}  # the bundle's config.json
    weights = tiny_trace.patterns.pattern(AttentionKind.CROSS, 1, 2)
    found = [float(row[7]) for row in rows_of(tmp_path / "a.csv")]
    np.testing.assert_allclose(found, weights.ravel(), atol=1e-6)


def test_a_traces_model_says_the_showcase(tmp_path: Path, tiny_bundle: Path, tiny_trace: Trace) -> None:
    save_trace(tiny_trace, tmp_path / "a.trace")
    words = ["--trace", str(tmp_path / "a.trace"), "--out", str(tmp_path / "a.csv")]
    render.run([*words, "--model", str(tiny_bundle)])
    assert places(tmp_path / "a.csv") == {("cross", "1", "2")}
    render.run(words)  # tiny is no bundled model
    assert places(tmp_path / "a.csv") == {("cross", "0", "0")}


def test_step_dpi_and_width(tmp_path: Path, saved: str) -> None:
    words = ["--trace", saved, "--step", "2", "--dpi", "100", "--width", "127", "--theme", "dark"]
    render.run([*words, "--out", str(tmp_path / "a.png")])
    image = QImage(str(tmp_path / "a.png"))
    assert image.width() == 500
    assert image.dotsPerMeterX() == 3937
    assert image.pixelColor(1, 1).lightness() < 80
    render.run(["--trace", saved, "--step", "2", "--out", str(tmp_path / "a.csv")])
    assert {row[3] for row in rows_of(tmp_path / "a.csv")} == {"0", "1"}


def test_positions(tmp_path: Path, tiny_bundle: Path) -> None:
    words = ["--view", "positions", "--model", str(tiny_bundle), "--positions", "5", "--curves", "0,3"]
    for ending in ("png", "svg", "pdf", "csv", "npz"):
        assert render.run([*words, "--out", str(tmp_path / f"a.{ending}")]) == 0
    rows = rows_of(tmp_path / "a.csv")
    assert len(rows) == 5 * 32
    for position, dimension, value in (rows[32 * 3 + 4], rows[32 * 4 + 7]):
        rate = 10000 ** (-(int(dimension) // 2 * 2) / 32)  # "Attention Is All You Need", section 3.5
        angle = int(position) * rate
        wanted = np.cos(angle) if int(dimension) % 2 else np.sin(angle)
        assert float(value) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--layer", "3"], "no layer 3; choose one from 1 to 2"),
        (["--layer", "0"], "no layer 0"),
        (["--head", "-1"], "no head -1; choose one from 1 to 3, or mean"),
        (["--step", "99"], "no step 99; choose one from 1 to 7"),
        (["--width", "1"], "1 mm"),
        (["--dpi", "100000"], "100000 dpi"),
        (["--view", "positions"], "--model"),
    ],
)
def test_what_is_out_of_range_is_a_sentence(tmp_path: Path, saved: str, words: list[str], said: str) -> None:
    with pytest.raises(HeadscopeError, match=said):
        render.run(["--trace", saved, *words, "--out", str(tmp_path / "a.png")])
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--out", "a.png"],
        ["text"],
        ["text", "--trace", "a.trace", "--out", "a.png"],
        ["text", "--out", "a.png", "--view", "nonsense"],
        ["text", "--out", "a.png", "--head", "some"],
        ["text", "--out", "a.png", "--dpi", "1.5"],
        ["text", "--out", "a.png", "--sq"],
        ["text", "--out", "a.png", "--positions", "0"],
    ],
)
def test_wrong_usage_exits_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        render.run(words)
    assert caught.value.code == 2
    assert "usage: headscope render" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flag", "value"), [("--head", "some"), ("--curves", "1,b"), ("--positions", "x"), ("--positions", "0")]
)
def test_wrong_usage_says_what_is_wanted(flag: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        render.run(["text", "--out", "a.png", flag, value])
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{flag}: {value!r} is" in last
    assert "whole number" in last


def test_arguments_without_effect_are_named(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    render.run(["--trace", saved, "--layer", "2", "--theme", "dark", "--out", str(tmp_path / "a.npz")])
    assert capsys.readouterr().err.strip().endswith("no difference to this file: --theme, --layer")


def test_no_torch_no_display_from_a_trace(tmp_path: Path, saved: str) -> None:
    program = (
        "import sys; from viewer.commands import render;"
        f"render.run(['--trace', {saved!r}, '--out', {str(tmp_path / 'a.pdf')!r}]);"
        "print(sorted(n for n in sys.modules if n.split('.')[0] in ('torch', 'sentencepiece')))"
    )
    clean = {n: v for n, v in os.environ.items() if n not in ("DISPLAY", "QT_QPA_PLATFORM")}
    result = subprocess.run(
        [sys.executable, "-c", program], env=clean, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (result.stdout.strip(), result.stderr, result.returncode) == ("[]", "", 0)


def test_a_platform_that_is_not_there_does_not_matter(tmp_path: Path, saved: str) -> None:
    result = headscope("render", "--trace", saved, "--out", str(tmp_path / "a.svg"), QT_QPA_PLATFORM="xcb")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_titles_can_be_chinese(tmp_path: Path, saved: str) -> None:
    words = ["render", "--trace", saved, "--out", str(tmp_path / "a.svg")]
    assert main(words) == 0
    assert "Decoder layer 1 of 2, head 1 of 3" in (tmp_path / "a.svg").read_text("utf-8")
    headscope(*words, "--language", "zh")
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert "Decoder layer" not in text
    assert "解码器" in text
    caption = ET.fromstring(text).findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert "交叉注意力。" in caption
    assert not any(mark in caption for mark in ("力.", "力, ", "码."))


def test_errors_are_one_line_and_status_1(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "--trace", saved, "--layer", "9", "--out", str(tmp_path / "a.png")]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == ["headscope: error: there is no layer 9; choose one from 1 to 2"]


@pytest.mark.parametrize(
    ("trace", "out"),
    [
        ("none.trace", "a.png"),
        ("sample.trace", "a.bmp"),
        ("sample.trace", "no/a.png"),
        ("sample.trace", "sample.trace/a.svg"),
    ],
)
def test_files_that_cannot_be_are_sentences(tmp_path: Path, saved: str, trace: str, out: str) -> None:
    with pytest.raises(HeadscopeError):
        render.run(["--trace", str(tmp_path / trace), "--out", str(tmp_path / out)])
    assert os.listdir(tmp_path) == ["sample.trace"]


REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({}, "png"),
    ({"theme": "dark", "width_mm": 90.0, "dpi": 72, "step": 3}, "png"),
    ({"options": ViewOptions(True, True, True)}, "svg"),
    ({"view": "heads", "step": 5}, "pdf"),
    ({"selection": Selection(kind=AttentionKind.DECODER_SELF, layer=1, head=None)}, "svg"),
    ({"selection": Selection(kind=AttentionKind.ENCODER_SELF, layer=1, head=2), "step": 2}, "csv"),
    ({"options": ViewOptions(hide_specials=True), "step": 2}, "csv"),
    ({}, "npz"),
    ({"step": 1}, "trace"),
]


@pytest.mark.parametrize(("changes", "ending"), REQUESTS)
def test_the_copied_command_makes_the_same_file(
    tmp_path: Path, saved: str, changes: dict[str, Any], ending: str
) -> None:
    request, out = ExportRequest(**changes), tmp_path / f"it's a.{ending}"
    write_export(Source(open_trace(saved)), request, out)
    wanted = out.read_bytes()
    out.unlink()
    line = command_line(
        arguments(request, trace_source(saved), str(out), file_format=file_format(out)), windows=False
    )
    program, command, *words = shlex.split(line)
    assert (program, command) == ("headscope", "render")
    assert render.run(words) == 0
    assert out.read_bytes() == wanted


def test_the_copied_command_decodes_the_text_again(
    tmp_path: Path, tiny_bundle: Path, tiny_trace: Trace, capsys: pytest.CaptureFixture[str]
) -> None:
    request, out = ExportRequest(dpi=72, step=4), tmp_path / "a.png"
    write_export(Source(tiny_trace), request, out)
    wanted = out.read_bytes()
    out.unlink()
    source = text_source(tiny_trace, str(tiny_bundle))
    assert source is not None
    assert (main(arguments(request, source, str(out))), capsys.readouterr().err) == (0, "")
    assert out.read_bytes() == wanted


def test_the_copied_command_draws_the_positions_again(tmp_path: Path, tiny_bundle: Path) -> None:
    from model.translator.translator import Translator
    from viewer.commands.headless import model_source

    request, out = ExportRequest(view="positions", positions=20, curves=(2, 5)), tmp_path / "p.svg"
    write_export(model_source(Translator.load(tiny_bundle)), request, out)
    wanted = out.read_bytes()
    out.unlink()
    words = arguments(request, positions_source(str(tiny_bundle)), str(out), file_format="svg")
    assert render.run(words[1:]) == 0
    assert out.read_bytes() == wanted


def test_a_changed_model_is_drawn_and_said(tiny_bundle: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.trace"
    words = ["--model", str(tiny_bundle), "--ablate", "cross:2:3", "--block-token", "2", "--no-positions"]
    assert render.run([SENTENCE, *words, "--out", str(out)]) == 0
    trace = open_trace(out)
    assert [change["type"] for change in trace.alterations] == ["scale", "block", "positions"]
    assert not trace.patterns.layer(AttentionKind.CROSS, 1)[:, :, 1].any()
    svg = tmp_path / "a.svg"
    assert render.run([SENTENCE, *words, "--out", str(svg)]) == 0
    assert "altered" in svg.read_text("utf-8")


@pytest.mark.parametrize("words", [["--trace", "a.trace"], ["--view", "positions"]])
def test_only_a_translation_can_be_changed(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        render.run([*words, "--ablate", "cross:1", "--out", "a.svg"])
    assert caught.value.code == 2


def test_what_the_model_lacks_is_no_change(tiny_bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        render.run(
            [SENTENCE, "--model", str(tiny_bundle), "--ablate", "cross:9", "--out", str(tmp_path / "a.svg")]
        )
    assert caught.value.code == "alteration_layer"
