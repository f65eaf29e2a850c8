"""The probe sentence: its traces are those of the weights of the moment, and watching it changes nothing."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model.bundle.bundle import load_bundle
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from model.training.control import Control
from model.training.progress.events import ProbeEvent, SnapshotEvent, StartEvent, StepEvent, TrainEvent
from model.training.progress.frames import Frames
from model.training.train import stored_options, train
from tests.assets import PAIRS
from tests.model.oracle import Oracle
from tests.model.tiny_training import events, losses, options, refused

TEXT, TARGET = PAIRS[2]


def probes(found: list[TrainEvent]) -> list[ProbeEvent]:
    return [event for event in found if isinstance(event, ProbeEvent)]


def patterns(trace: Trace) -> dict[str, np.ndarray[Any, Any]]:
    return {str(kind): np.stack([trace.patterns.layer(kind, 0)]) for kind in trace.kinds}


def test_traces_are_those_of_the_moment(pairs: Path, out: Path) -> None:
    """By torch.nn on the weights of a snapshot of the same step, in the precision of the whole."""
    control = Control()
    chosen = options(pairs, steps=6, eval_every=4, half=False, probe=TEXT, probe_target=TARGET, probe_every=3)
    found, places = [], {}
    for event in train(chosen, out, control=control):
        found.append(event)
        if isinstance(event, StepEvent) and event.step in (3, 4):
            control.snapshot.set()
        if isinstance(event, SnapshotEvent):
            places[event.step] = Path(event.path)
    assert [event.step for event in probes(found)] == [0, 3, 4, 6]
    assert [bool(event.path) for event in probes(found)] == [True, True, False, True]
    path = str(out / "probe/00000003.trace")
    told = probes(found)[1].to_json()
    assert told == {"event": "probe", "step": 3, "epoch": told["epoch"], "path": path}
    for event in probes(found)[1:3]:
        oracle = Oracle(places[event.step])
        trace = event.trace
        bundle = load_bundle(places[event.step])
        source, target = bundle.source_tokenizer, bundle.target_tokenizer
        wanted = [*target.encode(TARGET), target.end_id]
        assert trace.src_ids.tolist() == [*source.encode(TEXT), source.end_id]
        assert trace.tgt_out_ids.tolist() == wanted
        assert (trace.src_text, trace.tgt_text, trace.finished) == (TEXT, TARGET, True)
        logprobs = oracle.logprobs(trace.src_ids.tolist(), trace.tgt_in_ids.tolist())
        own = logprobs[range(len(wanted)), wanted].numpy()
        np.testing.assert_allclose(trace.step_logprob, own, atol=2e-5)
        for kind in AttentionKind:
            found_here = trace.patterns.layer(kind, 0)
            np.testing.assert_allclose(found_here, oracle.patterns[str(kind), 0][0].numpy(), atol=2e-6)
            np.testing.assert_allclose(found_here.sum(-1), 1.0, atol=1e-5)
    assert not np.array_equal(
        patterns(probes(found)[0].trace)["cross"], patterns(probes(found)[1].trace)["cross"]
    )


def test_watching_changes_nothing(pairs: Path, tmp_path: Path) -> None:
    """Dropout is on: a number drawn too many would show."""
    plain = options(pairs, steps=9, eval_every=4, dropout=0.3)
    watched = options(pairs, steps=9, eval_every=4, dropout=0.3, probe="Good morning.", probe_every=1)
    first = events(plain, tmp_path / "plain")
    again = events(watched, tmp_path / "watched")
    assert len(probes(again)) == 10
    assert losses(first) == losses(again)
    weights = "model.safetensors"
    assert (tmp_path / "plain" / weights).read_bytes() == (tmp_path / "watched" / weights).read_bytes()
    states = [load_file(tmp_path / name / "training_state.safetensors") for name in ("plain", "watched")]
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0] if "history" not in name)


def test_without_options_a_heldout_sentence_with_its_reference(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=2, bleu_sentences=8), out)
    start = found[0]
    assert isinstance(start, StartEvent)
    lines = [line.split("\t") for line in pairs.read_text("utf-8").splitlines()]
    assert [start.probe, start.probe_target] in lines
    assert start.probe_bytes == 0
    assert [event.step for event in probes(found)] == [0, 2]
    assert probes(found)[0].trace.tgt_text == start.probe_target
    assert not (out / "probe").exists()


def test_its_own_translation_when_there_is_no_target(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=2, probe=TEXT, probe_every=1), out)
    start = found[0]
    assert isinstance(start, StartEvent)
    assert (start.probe, start.probe_target) == (TEXT, "")
    for event in probes(found):
        trace = event.trace
        assert trace.decoding["mode"] == "greedy"
        assert trace.tgt_out_ids.tolist() == trace.candidate_ids[:, 0].tolist()
        assert trace.steps <= len(trace.src_ids) * 3 // 2 + 20


def test_kept_traces(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=5, eval_every=5, probe=TEXT, probe_target=TARGET, probe_every=2), out)
    start = found[0]
    assert isinstance(start, StartEvent)
    files = sorted((out / "probe").iterdir())
    # The end is kept, too.
    assert [file.name for file in files] == [f"{step:08d}.trace" for step in (0, 2, 4, 5)]
    assert sum(file.stat().st_size for file in files) <= start.probe_bytes
    for event, file in zip(probes(found), files):
        kept = open_trace(file)
        assert (kept.frame, kept.frame_kind) == (event.step, "training_step")
        assert kept.model_sha256 == ""
        for kind, values in patterns(event.trace).items():
            np.testing.assert_allclose(patterns(kept)[kind], values.astype(np.float16), atol=0)
        np.testing.assert_array_equal(kept.step_logprob, event.trace.step_logprob)


@pytest.mark.parametrize("target", [TARGET, ""])
@pytest.mark.parametrize("text", [TEXT, 'Say "A\\B" — 你好\u2028'])
def test_no_trace_is_larger_than_said(pairs: Path, out: Path, text: str, target: str) -> None:
    found = events(options(pairs, steps=2, probe=text, probe_target=target, probe_every=1), out)
    start = found[0]
    assert isinstance(start, StartEvent)
    sizes = [file.stat().st_size for file in (out / "probe").iterdir()]
    assert len(sizes) == 3
    assert 4 * max(sizes) <= start.probe_bytes <= 40 * max(sizes)


def test_which_are_kept() -> None:
    """By hand: room for ten, one of them for the last."""
    frames = Frames(5, 100_000, 1)
    assert [frames.interval(step) for step in (0, 40, 44, 45, 85, 89, 90, 170, 180)] == [
        5, 5, 5, 10, 10, 10, 20, 20, 40,
    ]  # fmt: skip
    kept: set[int] = set()
    for step in range(0, 2000, 5):
        kept = {old for old in kept | {step} if frames.keeps(old, step)}
        assert len(kept) <= 9
        # What is there depends on the step alone, not on the way to it.
        assert kept == {old for old in range(0, step + 1, 5) if frames.keeps(old, step)}
        assert len(kept) >= 5 or step < 25
    assert frames.most_bytes(None) == 1_000_000
    assert frames.most_bytes(20) == 6 * 100_000
    assert math.isclose(frames.most_bytes(10**9), 1_000_000)


@pytest.mark.slow
def test_bounded_on_disk(pairs: Path, out: Path) -> None:
    long = " ".join(a for a, _ in PAIRS[:4])
    chosen = options(
        pairs, steps=60, eval_every=60, n_heads=4, probe=long, probe_target=long, probe_every=1,
        probe_megabytes=1, bleu_sentences=0,
    )  # fmt: skip
    start, most = None, 0
    for event in train(chosen, out):
        if isinstance(event, StartEvent):
            start = event
        if isinstance(event, ProbeEvent):
            sizes = [file.stat().st_size for file in (out / "probe").iterdir()]
            most = max(most, sum(sizes))
    assert start is not None
    assert 400_000 < most <= start.probe_bytes <= 1_000_000
    steps = sorted(int(file.stem) for file in (out / "probe").iterdir())
    assert steps[0] == 0
    assert steps[-1] == 60
    assert len(steps) < 40
    assert len(set(np.diff(steps[:-1]))) == 1


def test_a_resumed_run_keeps_the_same_traces(pairs: Path, tmp_path: Path) -> None:
    more = {"eval_every": 6, "probe": TEXT, "probe_target": TARGET, "probe_every": 2}
    events(options(pairs, steps=12, **more), tmp_path / "whole")
    out = tmp_path / "out"
    events(options(pairs, steps=12, **more), out, stop_at=5)
    # Kept after the last save, by a run that was then killed; and at the end of a shorter one.
    shutil.copy(out / "probe/00000004.trace", out / "probe/00000006.trace")
    shutil.copy(out / "probe/00000004.trace", out / "probe/00000005.trace")
    again = events(stored_options(out), out, resume=True)
    assert probes(again)[0].step == 5
    for name in ("whole", "out"):
        assert sorted(os.listdir(tmp_path / name / "probe")) == [f"{n:08d}.trace" for n in range(0, 13, 2)]
    for name in os.listdir(out / "probe"):
        assert (out / "probe" / name).read_bytes() == (tmp_path / "whole/probe" / name).read_bytes()


def test_another_probe_sets_the_old_traces_aside(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=6, probe=TEXT, probe_every=2), out, stop_at=3)
    changed = stored_options(out).resumed_with({"probe": PAIRS[0][0]})
    events(changed, out, resume=True)
    assert sorted(os.listdir(out / "probe-until-3")) == ["00000000.trace", "00000002.trace"]
    assert sorted(os.listdir(out / "probe")) == ["00000004.trace", "00000006.trace"]
    assert open_trace(out / "probe/00000004.trace").src_text == PAIRS[0][0]


def test_refusals(pairs: Path, out: Path) -> None:
    long = "a b c " * 60
    refused("too_long", options(pairs, probe=long, max_positions=64), out)
    refused("too_long", options(pairs, probe=TEXT, probe_target=long, max_positions=64), out)
    refused("only_unknown", options(pairs, probe="你", byte_fallback=False), out)
    wide = " ".join(a for a, _ in PAIRS[:8])
    error = refused(
        "config_value",
        options(pairs, probe=wide, n_heads=32, encoder_layers=9, probe_every=1, probe_megabytes=1),
        out,
    )
    assert error.values["field"] == "probe_megabytes"
    assert not out.exists()
