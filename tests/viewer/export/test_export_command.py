"""*Copy as command*: quoting, and which options the line carries."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from model.quoting import quoted_windows
from model.trace.trace import AttentionKind
from tests.shells import at_the_prompt, split_windows
from tests.viewer.export_samples import sample_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.command_line import (
    arguments,
    command_line,
    positions_source,
    text_source,
    trace_source,
)
from viewer.figures.request import ExportRequest

TRICKY = [
    "a b",
    'say "hi"',
    "it's",
    "C:\\x y\\",
    'back\\"slash',
    "$HOME `x` %PATH%",
    "",
    "猫坐在",
    "a&b|c>d",
    "-x",
]


@pytest.mark.parametrize("word", TRICKY)
def test_words_survive_both_shells(word: str) -> None:
    line = command_line(["render", "--out", word, "--", word], windows=False)
    assert shlex.split(line) == ["headscope", "render", "--out", word, "--", word]
    line = command_line(["render", "--out", word, "--", word], windows=True)
    assert split_windows(at_the_prompt(line)) == ["headscope", "render", "--out", word, "--", word]


def test_windows_operators_are_always_quoted() -> None:
    for operator in "&|<>^()%!;`$'":
        assert quoted_windows(f"a{operator}b").startswith(('"', '^"'))


def test_the_defaults_stay_unsaid() -> None:
    words = arguments(ExportRequest(), trace_source("a.trace"), "b.png")
    assert words == [
        "render", "--view", "heatmap", "--kind", "cross", "--layer", "1", "--head", "1",
        "--out", "b.png", "--trace", "a.trace",
    ]  # fmt: skip


def test_everything_that_differs_is_said() -> None:
    request = ExportRequest(
        selection=Selection(kind=AttentionKind.DECODER_SELF, layer=1, head=None, step=9, query=2, key=2),
        options=ViewOptions(sqrt_scale=True, raw_pieces=True, hide_specials=True),
        step=4,
        theme="dark",
        width_mm=84.5,
        dpi=600,
    )
    words = arguments(request, ["--model", "en-fr", "--", "a b"], "b.png", language="zh_CN")
    assert words == [
        "render", "--view", "heatmap", "--kind", "decoder_self", "--layer", "2", "--head", "mean",
        "--step", "5",
        "--hide-specials", "--raw-pieces", "--theme", "dark", "--scale", "sqrt", "--width", "84.5",
        "--dpi", "600",
        "--language", "zh", "--out", "b.png", "--model", "en-fr", "--", "a b",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file_format", "absent"), [("svg", {"--dpi"}), ("csv", {"--dpi", "--theme", "--scale"})]
)
def test_options_that_make_no_difference_stay_unsaid(file_format: str, absent: set[str]) -> None:
    request = ExportRequest(theme="dark", dpi=72, options=ViewOptions(sqrt_scale=True, hide_specials=True))
    words = arguments(request, trace_source("a.trace"), f"b.{file_format}", file_format=file_format)
    assert not absent & set(words)
    assert "--hide-specials" in words


def test_positions_name_their_curves() -> None:
    request = ExportRequest(view="positions", positions=32, curves=(0, 6))
    words = arguments(request, positions_source("en-fr"), "p.svg", file_format="svg")
    assert words == [
        "render", "--view", "positions", "--positions", "32", "--curves", "0,6",
        "--out", "p.svg", "--model", "en-fr",
    ]  # fmt: skip
    assert "none" in arguments(request.but(curves=()), positions_source("en-fr"), "p.svg")


def test_greedy_text_can_be_decoded_again() -> None:
    trace = sample_trace(src_text="-a b")
    assert text_source(trace, "en-fr") == ["--model", "en-fr", "--", "-a b"]
    trace = sample_trace(src_text="猫")
    assert text_source(trace, "zh-en") == ["--model", "zh-en", "--any-script", "--", "猫"]


@pytest.mark.parametrize(
    "changes",
    [
        {"decoding": {"mode": "beam", "beam_size": 5}},
        {"decoding": {"mode": "greedy", "candidates": 10, "max_length": 3}},
        {"alterations": ("something",)},
        {"finished": False},
        {"numbers": "rollout"},
    ],
)
def test_what_render_would_not_make_again_needs_its_trace(changes: dict[str, Any]) -> None:
    assert text_source(sample_trace(**changes), "en-fr") is None
    assert text_source(sample_trace(), "") is None
