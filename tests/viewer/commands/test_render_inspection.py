"""`render` of flow, words, arithmetic, aggregates and shares: files, numbers against numpy, and errors."""

from __future__ import annotations

import csv
import io
import math
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.assets import SENTENCE
from tests.viewer.export_samples import sample_trace
from viewer.commands import render
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.export.command_line import arguments, command_line
from viewer.export.writers import write_export
from viewer.figures.building import check
from viewer.figures.map.build import map_figure
from viewer.figures.option import NUMBERS
from viewer.figures.registry import asked_kinds, commanded
from viewer.figures.request import ExportRequest, Page, Source

pytestmark = pytest.mark.usefixtures("qapp")
MODEL_FREE = ("flow", "words", "rollout")


@pytest.fixture
def saved(tmp_path: Path) -> str:
    save_trace(sample_trace(), tmp_path / "sample.trace")
    return str(tmp_path / "sample.trace")


@pytest.fixture
def recorded(tmp_path: Path, tiny_trace: Trace) -> str:
    """A trace that the tiny bundle made."""
    save_trace(tiny_trace, tmp_path / "tiny.trace")
    return str(tmp_path / "tiny.trace")


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))


def test_the_arguments_name_all_there_is() -> None:
    assert [str(numbers) for numbers in Numbers] == list(NUMBERS.settings["choices"])
    windows_own = {"page", "tree"}
    assert set(commanded()) == set(asked_kinds()) - windows_own


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "csv"])
@pytest.mark.parametrize("view", MODEL_FREE)
def test_every_format_without_a_model(tmp_path: Path, saved: str, view: str, ending: str) -> None:
    out = tmp_path / f"a.{ending}"
    assert render.run(["--trace", saved, "--view", view, "--out", str(out)]) == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"kind,"}
    assert out.read_bytes().startswith(start[ending])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "csv"])
@pytest.mark.parametrize("view", ["arithmetic", "shares"])
def test_every_format_that_asks_the_model(
    tmp_path: Path, recorded: str, tiny_bundle: Path, view: str, ending: str
) -> None:
    out = tmp_path / f"a.{ending}"
    words = ["--trace", recorded, "--model", str(tiny_bundle), "--view", view]
    assert render.run([*words, "--out", str(out)]) == 0
    assert out.stat().st_size > 100


def test_rollout_is_that_of_numpy(tmp_path: Path, saved: str) -> None:
    out = tmp_path / "a.csv"
    render.run(["--trace", saved, "--view", "rollout", "--out", str(out)])

    trace = sample_trace()
    result = np.eye(len(trace.src_ids))
    for layer in range(trace.layers(AttentionKind.ENCODER_SELF)):
        mean = trace.patterns.layer(AttentionKind.ENCODER_SELF, layer).astype(np.float64).mean(axis=0)
        mixed = 0.5 * mean + 0.5 * np.eye(len(mean))
        result = mixed / mixed.sum(axis=1, keepdims=True) @ result
    lines = table(out)
    assert "value" in lines[0]  # it is no weight
    for line in lines:
        expected = result[int(line["query"]), int(line["key"])]
        assert float(line["value"]) == pytest.approx(expected, abs=1e-6)


def test_the_arithmetic_of_a_cell_ends_in_the_recorded_weight(
    tmp_path: Path, recorded: str, tiny_bundle: Path
) -> None:
    out = tmp_path / "a.csv"
    words = ["--trace", recorded, "--model", str(tiny_bundle), "--view", "arithmetic", "--kind", "cross"]
    render.run([*words, "--layer", "2", "--head", "1", "--query", "2", "--key", "3", "--out", str(out)])

    lines = table(out)
    weights = open_trace(recorded).pattern(AttentionKind.CROSS, 1, 0)[1]
    found = {
        int(x["key"]): float(x["value"]) for x in lines if (x["stage"], x["name"]) == ("softmax", "weight")
    }
    np.testing.assert_allclose([found[key] for key in range(len(weights))], weights, atol=1e-5)
    products = [float(x["value"]) for x in lines if x["name"] == "product"]
    scaled = next(x for x in lines if x["name"] == "scaled" and x["key"] == "2")
    assert math.fsum(products) / math.sqrt(len(products)) == pytest.approx(float(scaled["value"]), abs=1e-4)
    assert {x["key"] for x in lines if x["name"] == "product"} == {"2"}


def test_flow_draws_the_heads_that_are_named(tmp_path: Path, saved: str) -> None:
    out = tmp_path / "a.csv"
    words = ["--trace", saved, "--view", "flow", "--kind", "cross", "--layer", "1", "--threshold", "0.2"]
    render.run([*words, "--heads", "1,3", "--out", str(out)])
    assert {(x["layer"], x["head"]) for x in table(out)} == {("0", "0"), ("0", "2")}
    render.run([*words, "--heads", "all", "--out", str(out)])
    assert {x["head"] for x in table(out)} == {"0", "1", "2"}


@pytest.mark.parametrize("incoming", [False, True])
def test_words_are_one_row_or_one_column(tmp_path: Path, saved: str, incoming: bool) -> None:
    out = tmp_path / "a.csv"
    words = ["--trace", saved, "--view", "words", "--kind", "cross", "--layer", "2", "--head", "2"]
    words += ["--query", "2", "--key", "1", *(["--incoming"] if incoming else [])]
    render.run([*words, "--out", str(out)])
    weights = sample_trace().pattern(AttentionKind.CROSS, 1, 1)
    expected = weights[:, 0] if incoming else weights[1]
    lines = table(out)
    assert {x["key" if incoming else "query"] for x in lines} == {"0" if incoming else "1"}
    np.testing.assert_allclose([float(x["weight"]) for x in lines], expected, atol=1e-7)


def test_words_of_a_whole_decoding_are_told_by_all_its_steps(tmp_path: Path, saved: str) -> None:
    out = tmp_path / "a.csv"
    words = ["--trace", saved, "--view", "words", "--kind", "cross", "--layer", "2", "--head", "1"]
    weights = sample_trace().pattern(AttentionKind.CROSS, 1, 0)
    render.run([*words, "--incoming", "--key", "3", "--out", str(out)])
    lines = table(out)
    np.testing.assert_allclose([float(x["weight"]) for x in lines], weights[:, 2], atol=1e-7)
    render.run([*words, "--incoming", "--out", str(out)])
    assert [x["query"] for x in table(out)] == [str(step) for step in range(len(weights))]
    render.run([*words, "--out", str(out)])
    assert {x["query"] for x in table(out)} == {str(len(weights) // 2)}


@pytest.mark.parametrize("numbers", [str(numbers) for numbers in Numbers])
def test_all_numbers_of_a_text(tmp_path: Path, tiny_bundle: Path, numbers: str) -> None:
    out = tmp_path / "a.csv"
    words = [SENTENCE, "--model", str(tiny_bundle), "--kind", "encoder_self", "--layer", "1", "--head", "1"]
    render.run([*words, "--numbers", numbers, "--step", "2", "--out", str(out)])
    name = "weight" if numbers == "weights" else "value"
    assert all(math.isfinite(float(line[name])) for line in table(out))


def test_numbers_that_follow_from_another_model(tmp_path: Path, saved: str, tiny_bundle: Path) -> None:
    words = ["--trace", saved, "--view", "arithmetic", "--head", "1", "--out", str(tmp_path / "a.png")]
    for model in ([], ["--model", str(tiny_bundle)]):
        with pytest.raises(HeadscopeError) as raised:
            render.run([*words, *model])
        assert raised.value.code == "export_no_model"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--head", "mean"], "export_arithmetic_head"),
        (["--head", "1", "--query", "99"], "export_query"),
        (["--head", "1", "--query", "1", "--key", "99"], "export_key"),
    ],
)
def test_cells_that_are_not_there(tmp_path: Path, saved: str, words: list[str], code: str) -> None:
    with pytest.raises(HeadscopeError) as raised:
        render.run(["--trace", saved, "--view", "arithmetic", *words, "--out", str(tmp_path / "a.png")])
    assert raised.value.code == code


@pytest.mark.parametrize("words", [["--threshold", "2"], ["--threshold", "x"], ["--heads", "one"]])
def test_wrong_usage(tmp_path: Path, saved: str, words: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        render.run(["--trace", saved, "--view", "flow", *words, "--out", str(tmp_path / "a.png")])
    assert raised.value.code == 2


def test_arithmetic_has_no_arrays_and_flow_no_animation(
    tmp_path: Path, recorded: str, tiny_bundle: Path
) -> None:
    words = ["--trace", recorded, "--model", str(tiny_bundle)]
    for view, ending, code in (("arithmetic", "npz", "export_csv_only"), ("flow", "gif", "animation_view")):
        with pytest.raises(HeadscopeError) as raised:
            render.run([*words, "--view", view, "--out", str(tmp_path / f"a.{ending}")])
        assert raised.value.code == code


def test_arguments_without_effect_are_named(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--trace", saved, "--heads", "1,2", "--threshold", "0.5", "--incoming", "--query", "1"]
    render.run([*words, "--out", str(tmp_path / "a.png")])
    note = capsys.readouterr().err
    assert all(flag in note for flag in ("--heads", "--threshold", "--incoming", "--query"))


REQUESTS = [
    ExportRequest(view="all_heads", selection=Selection(AttentionKind.ENCODER_SELF), step=2),
    ExportRequest(view="all_heads", options=ViewOptions(sqrt_scale=True, hide_specials=True)),
    ExportRequest(view="flow", selection=Selection(layer=1, head=0, more_heads=(2,)), step=3),
    ExportRequest(
        view="flow",
        selection=Selection(head=1, query=2),
        options=ViewOptions(threshold=0.25, incoming=True),
    ),
    ExportRequest(
        view="words",
        selection=Selection(AttentionKind.DECODER_SELF, head=None, query=1, key=0),
        options=ViewOptions(incoming=True, whole_words=True, raw_pieces=True),
    ),
    ExportRequest(
        selection=Selection(AttentionKind.ENCODER_SELF, 1, numbers=Numbers.MAX_HEADS), theme="dark"
    ),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_copied_commands_write_the_same_file(tmp_path: Path, saved: str, request_: ExportRequest) -> None:
    trace, ours, theirs = open_trace(saved), tmp_path / "ours.png", tmp_path / "theirs.png"
    write_export(Source(trace=trace), request_, ours)
    words = arguments(request_, ["--trace", saved], str(theirs))
    render.run(shlex.split(command_line(words, windows=False))[2:])
    assert ours.read_bytes() == theirs.read_bytes()


def test_what_a_page_shows_is_written_as_it_is(tmp_path: Path) -> None:
    figure = map_figure(sample_trace(), Selection(), ViewOptions())
    rows: tuple[tuple[Any, ...], ...] = (("name", "value"), ("a", np.float32(1 / 3)))
    source = Source(page=Page(figure, "walk", rows))
    request = ExportRequest(view="page")
    for ending in ("png", "svg", "pdf", "csv"):
        write_export(source, request, tmp_path / f"a.{ending}")
    assert table(tmp_path / "a.csv") == [{"name": "a", "value": "0.333333343"}]
    for bad, code in ((source, "export_csv_only"), (Source(page=Page(figure, "walk")), "export_no_table")):
        with pytest.raises(HeadscopeError) as raised:
            write_export(bad, request, tmp_path / ("a.npz" if bad is source else "a.csv"))
        assert raised.value.code == code
    with pytest.raises(HeadscopeError) as raised:
        check(Source(), request)
    assert raised.value.code == "export_no_page"


def test_word_links_of_a_head_and_gold_ones(tmp_path: Path, saved: str) -> None:
    words = ["--trace", saved, "--view", "alignment", "--kind", "cross", "--layer", "2", "--head", "2"]
    assert render.run([*words, "--out", str(tmp_path / "a.pharaoh")]) == 0
    links = (tmp_path / "a.pharaoh").read_text().split()
    targets = [int(link.split("-")[1]) for link in links]
    assert targets == sorted(set(targets), key=targets.index)
    assert len(links) > 3

    gold = ["--links", "0-0 1p1", "--rule", "reads"]
    assert render.run([*words, *gold, "--out", str(tmp_path / "a.csv")]) == 0
    lines = table(tmp_path / "a.csv")
    assert {line["rule"] for line in lines} == {"reads"}
    assert [(x["source"], x["target"], x["gold"]) for x in lines if x["gold"]] == [
        ("0", "0", "sure"),
        ("1", "1", "possible"),
    ]
    plain, drawn = tmp_path / "plain.png", tmp_path / "drawn.png"
    render.run(["--trace", saved, "--kind", "cross", "--out", str(plain)])
    render.run(["--trace", saved, "--kind", "cross", *gold, "--out", str(drawn)])
    assert plain.read_bytes() != drawn.read_bytes()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--view", "alignment", "--kind", "encoder_self", "--out", "a.pharaoh"], "export_alignment_kind"),
        (["--view", "heatmap", "--out", "a.pharaoh"], "export_pharaoh"),
        (["--links", "0x1", "--out", "a.png"], "pharaoh_link"),
    ],
)
def test_links_that_make_no_sense(
    tmp_path: Path, saved: str, monkeypatch: pytest.MonkeyPatch, words: list[str], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HeadscopeError) as raised:
        render.run(["--trace", saved, *words])
    assert raised.value.code == code
