"""Previews of `train`, told instead of training: what is in the corpus, a run's cost, one batch."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from model.commands.console import emit, put, say
from model.commands.train_report import derived_lines
from model.config import Architecture
from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.files.files import amount
from model.train_options import TrainOptions
from model.training.batch_view import BatchView
from model.training.fields import estimate
from model.training.fields.derive import Derived, derive
from model.training.fields.facts import facts_of_survey, tokens_of
from model.training.progress.frames import FEWEST, MEGABYTE, frames_kept
from model.work import result_of

_SHOWN = 10  # first pairs of a preview


# the corpus


def preview(options: TrainOptions, *, as_json: bool) -> None:
    """Read the corpus through and say what is in it.

    Raises:
        HeadscopeError: it cannot be read.
    """
    from model.data.survey_corpus import survey_corpus

    survey: CorpusSurvey | None = None
    for survey in survey_corpus(options):
        if sys.stderr is not None and sys.stderr.isatty() and survey.total and not survey.complete:
            say(f"read {survey.done / survey.total:.0%}")
    assert survey is not None
    if as_json:
        emit(survey_json(survey))
    else:
        for line in _survey_lines(survey):
            put(line)


def survey_json(survey: CorpusSurvey) -> dict[str, Any]:
    """A survey as `--json` prints it; histograms as lists."""
    values = {
        name: value
        for name, value in asdict(survey).items()
        if name not in ("done", "total", "complete", "characters")
    }
    for name in ("source_lengths", "target_lengths"):
        values[name] = values[name].tolist()
    return values


def _survey_lines(survey: CorpusSurvey) -> Iterable[str]:
    for name, encoding in survey.encodings.items():
        yield f"{name}: {survey.layout}, {encoding}"
    if survey.header:
        yield f"columns: {', '.join(survey.header)}"
    yield (
        f"{survey.pairs:,} pairs of {survey.sources:,} different source sentences: {survey.train:,} to train "
        f"on, {survey.dev:,} held out, {survey.test:,} for tests"
    )
    faults = [f"{count:,} {problem}" for problem, count in survey.counts.items() if count]
    if faults:
        yield f"noted: {', '.join(faults)}"
    source, target = _lengths(survey.source_lengths), _lengths(survey.target_lengths)
    yield f"characters: source {source}; target {target}"
    for pair in survey.first[:_SHOWN]:
        problems = f"  [left out: {', '.join(pair.problems)}]" if pair.problems else ""
        yield f"{pair.number:>6}  {pair.source} → {pair.target}{problems}"


def _lengths(counts: npt.NDArray[np.int64]) -> str:
    """Median and longest of a histogram by length, whose last place counts all beyond."""
    total = int(counts.sum())
    if not total:
        return "none"
    middle = int(np.searchsorted(np.cumsum(counts), (total + 1) // 2))
    longest = int(counts.nonzero()[0][-1])
    more = " or more" if longest == len(counts) - 1 else ""
    return f"median {middle}, longest {longest}{more}"


# what a run takes


def estimated(options: TrainOptions) -> dict[str, Any]:
    """What a run with these options takes, as far as can be told beforehand.

    Vocabularies count as large as was asked for, unless they exist already. `probe_bytes` is the most that
    kept traces will take; it supposes a probe of ordinary length where none is given. Where pairs are named,
    how long the run will be is told too, and what follows from them.

    Raises:
        HeadscopeError: an existing vocabulary, or the pairs, cannot be read.
    """
    from model.training.speed import vocabulary_sizes

    named = options.pairs or options.parallel or options.task
    options, how_long = _how_long(options) if named else (options, {})
    source, target = vocabulary_sizes(options)
    architecture = options.architecture_with(source, target)
    memory = estimate.training_memory(architecture, options.train, half=_half(options))
    return {
        "parameters": estimate.parameters(architecture),
        "source_vocab": source,
        "target_vocab": target,
        "memory": {**asdict(memory), "total": memory.total},
        "bundle_bytes": estimate.bundle_bytes(architecture, half=options.half),
        "state_bytes": estimate.state_bytes(architecture),
        "probe_bytes": _probe_bytes(options, architecture),
        **how_long,
    }


def _how_long(options: TrainOptions) -> tuple[TrainOptions, dict[str, Any]]:
    """What follows from the pairs, and how long this machine takes, timed for a moment."""
    from model.data.survey_corpus import survey_corpus
    from model.training.speed import guessed_speed

    *_, survey = survey_corpus(options)
    if not survey.train:
        raise HeadscopeError("training_no_pairs")
    facts = facts_of_survey(survey, options)
    options, derived = derive(options, facts)
    facts = replace(facts, speed=result_of(guessed_speed(options, tokens_of(survey))))
    options, more = derive(options, facts)
    told = [asdict(one) for one in (*derived, *more)]
    found = estimate.outlook(options.train, facts)
    return options, {**asdict(found), "warmup": options.train.warmup, "derived": told}


def print_estimate(options: TrainOptions, *, as_json: bool) -> None:
    """Say what a run with these options takes."""
    values = estimated(options)
    if as_json:
        emit(values)
        return
    known = "" if options.vocab_files else ", if the vocabulary becomes as large as was asked for"
    for line in derived_lines(Derived(**one) for one in values.get("derived", ())):
        put(line)
    if values.get("minutes"):
        put(f"time: about {_duration(values['minutes'])} on this machine{_about_steps(values)}")
    put(f"parameters: {values['parameters']:,}{known}")
    put(f"memory: about {amount(values['memory']['total'])} for training, besides the program's own")
    put(f"disk: {amount(values['bundle_bytes'])} for the model, {amount(values['state_bytes'])} to resume it")
    if options.train.probe_every:
        put(f"traces of the probe: at most {amount(values['probe_bytes'])}")


def _duration(minutes: float) -> str:
    if minutes < 2:
        return f"{minutes * 60:.0f} seconds"
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"


def _about_steps(values: dict[str, Any]) -> str:
    steps, warmup = values["steps"], values["warmup"]
    if not steps:
        return ""
    ends = f", of which {warmup:,} are warm-up" if 1 < warmup <= steps else ""
    return f": {steps:,} steps{ends}"


def _half(options: TrainOptions) -> bool:
    import torch

    from model.network.precision import compute_dtype, pick_device

    return compute_dtype(options.train.precision, pick_device(options.train.device)) == torch.bfloat16


def _probe_bytes(options: TrainOptions, architecture: Architecture) -> int:
    train = options.train
    if not train.probe_every:
        return 0
    tokens = estimate.probe_tokens(options.probe, train)
    frame = estimate.frame_bytes(architecture, tokens, tokens + 1)
    if not train.steps:
        return max(FEWEST, train.probe_megabytes * MEGABYTE // frame) * frame
    return frames_kept(train.steps, train.probe_every, frame, train.probe_megabytes) * frame


# a batch


def show_batch(options: TrainOptions, out: Path, step: int, pad: int, *, as_json: bool) -> None:
    """Say what the batch of a step holds, and what more padding changes.

    Args:
        step: from 0.
        pad: columns of padding to add.

    Raises:
        HeadscopeError: the corpus, a vocabulary or the folder's files cannot be read.
    """
    from model.training.look_at_batch import look_at_batch

    view = result_of(look_at_batch(options, out, step, pad))
    if as_json:
        emit(batch_json(view))
    else:
        for line in _batch_lines(view):
            put(line)


def batch_json(view: BatchView) -> dict[str, Any]:
    """A batch as `--json` prints it; arrays as lists."""
    values = asdict(view)
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()
    }


def _batch_lines(view: BatchView) -> Iterable[str]:
    pairs, source = view.source.shape
    target = view.target_in.shape[1]
    yield (
        f"step {view.step + 1}, {view.steps_per_epoch} steps per epoch: {pairs} pairs, padded to {source} "
        f"source and {target} target tokens"
    )
    parts = (
        ("source", view.source, view.source_pieces, view.source_mask),
        ("decoder input", view.target_in, view.target_in_pieces, view.target_mask),
        (
            "expected output (the same, one place earlier)",
            view.target_out,
            view.target_out_pieces,
            view.target_mask,
        ),
    )
    for title, ids, pieces, mask in parts:
        yield ""
        yield f"{title}: ids, pieces, mask (1 = read, 0 = padding)"
        width = len(str(int(ids.max())))
        for row, texts, real in zip(ids.tolist(), pieces, mask.tolist()):
            numbers = " ".join(f"{token:>{width}}" for token in row)
            yield f"  {numbers}  | {_joined(texts, real)} | {''.join('1' if one else '0' for one in real)}"
    yield ""
    yield f"loss: {view.loss:.6f} nats per target token"
    yield (
        f"with {view.padded_by} more columns of padding: {view.padded_loss:.6f}; no log probability "
        f"differs by more than {view.largest_difference:.1e}"
    )


def _joined(texts: Sequence[str], real: Sequence[bool]) -> str:
    return " ".join(text for text, one in zip(texts, real) if one)
