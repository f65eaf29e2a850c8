"""Preparing a run for its next step: data, vocabularies, model, and what is held out."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import sentencepiece
import torch
from torch import Tensor

from model.bundle.bundle import BundleConfig, SpecialIds, weights_of
from model.bundle.weights import read_tensor
from model.config import Architecture
from model.data.corpus import EncodedCorpus, encode_pairs
from model.data.tasks import TASKS
from model.data.training_data import (
    FEW,
    TrainingData,
    first_references,
    read_training_data,
)
from model.data.vocabularies import learn_vocabularies, load_vocabularies
from model.errors import HeadscopeError
from model.files.files import remove_unfinished
from model.files.tensor_file import TensorFile
from model.folder.bundle_config import SOURCE_SPM, TARGET_SPM, WEIGHTS, read_config
from model.folder.training_log import TrainingLog, read_entries
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer
from model.trace.trace_sequence import PROBE
from model.train_options import TrainOptions
from model.training.control import Control
from model.training.derived_options import DerivedOptions
from model.training.distributed import Ranks
from model.training.heldout import Heldout
from model.training.probe import Probe
from model.training.progress.events import StartEvent, WorkEvent, WorkStage
from model.training.progress.frames import Frames
from model.training.progress.history import STEPS, StepHistory
from model.training.progress.progress import EvaluationState, StateHeader
from model.training.run import TrainingRun
from model.training.run_folder import SNAPSHOTS, RunFolder
from model.training.state import load_training_state
from model.training.trainer import Trainer
from model.work import retold

T = TypeVar("T")

Preparing = Generator[WorkEvent, None, tuple[TrainingRun, StartEvent]]

EXAMPLES = 20  # held-out sentences among which the recorded example and its head are chosen

_ABOUT = 10  # tokens of an example: enough to show something and few enough to see it


def begin(options: TrainOptions, out: Path, command: str, control: Control, ranks: Ranks) -> Preparing:
    """Learn the vocabularies and write the bundle with its random weights and the first state."""
    # What can be refused at once is, before a large corpus is read.
    device = ranks.pick_device(options.train.device)
    if options.vocab_files:
        _check_merges(options, load_vocabularies(options.vocab_files))
    data = yield from shown_work(read_training_data(options, control.stop.is_set), "reading")
    derived_options = DerivedOptions(options, data.train)
    options = derived_options.options
    learning = learn_vocabularies(data.train, options, control.stop.is_set)
    source, target = yield from shown_work(learning, "vocabulary")
    sizes = source.vocab_size, target.vocab_size
    architecture = options.architecture_with(*sizes)
    corpus, heldout = yield from _encoded(options, data, source, target, architecture, control)
    yield from derived_options.derive_rest(corpus, sizes, ranks.world)
    options = derived_options.options
    architecture = options.architecture_with(*sizes)
    yield _about_to_begin()
    drawn_by = torch.Generator().manual_seed(options.train.seed)
    transformer = Transformer(architecture, drawn_by, options.train.output_start)
    special = SpecialIds(pad=target.pad_id, unk=target.unk_id, start=target.start_id, end=target.end_id)
    config = BundleConfig(options.name, options.languages, architecture, special)
    log = TrainingLog(out, [])
    spm = source.serialized(), target.serialized()
    folder = RunFolder(out, config, _copied(transformer), spm, log, half=options.half)
    yield _about_to_begin()
    trainer = Trainer(transformer.to(device), corpus, options.train, source, target, ranks)
    probe = _probe(options, (source, target), heldout, config, transformer)
    run = _run(options, trainer, heldout, folder, probe, EvaluationState(), StepHistory(), data, control)
    start = replace(
        _start_event(run, data, resumed=False),
        derived=tuple(derived_options.told),
        advice=derived_options.advice(),
    )
    log.add(_first_entry(run, data, command, start))
    yield _about_to_begin()
    if control.stop.is_set():
        raise HeadscopeError("cancelled")
    folder.create(run.fill)
    return run, start


def resumed(
    options: TrainOptions, out: Path, header: StateHeader, command: str, control: Control, ranks: Ranks
) -> Preparing:
    """Go on from the training state in `out`, whose header is given; its log's new lines are not yet written.

    Raises:
        HeadscopeError: the options or the data differ, or the bundle is damaged.
    """
    header.options.check_resumable(options)
    device = ranks.pick_device(options.train.device)
    config = read_config(out)
    source = SentencePieceTokenizer.load(out / SOURCE_SPM)
    target = SentencePieceTokenizer.load(out / TARGET_SPM)
    data = yield from shown_work(read_training_data(options, control.stop.is_set), "reading")
    header.check_data(data.hashes)
    corpus, heldout = yield from _encoded(options, data, source, target, config.architecture, control)
    yield _about_to_begin()
    transformer = Transformer(config.architecture).to(device)
    trainer = Trainer(transformer, corpus, options.train, source, target, ranks)
    tensors, _ = load_training_state(out)
    trainer.load_state(tensors, header.step)
    progress = header.progress
    log = TrainingLog(out, entries_until(header.step, out))
    best = _best_weights(out, transformer)
    if best is None:  # the file is lost: the next evaluation's weights take its place, whatever they measure
        best, progress.best_loss, progress.best_bleu = _copied(transformer), math.inf, -1.0
    spm = source.serialized(), target.serialized()
    folder = RunFolder(out, config, best, spm, log, half=options.half)
    probe = _probe(options, (source, target), heldout, config, transformer)
    run = _run(options, trainer, heldout, folder, probe, progress, history_of(tensors), data, control)
    start = _start_event(run, data, resumed=True)
    if not log.entries:
        log.add(_first_entry(run, data, command, start))
    if progress.last_eval < 0:  # a state of an earlier version does not say
        evals = [entry["step"] for entry in log.entries if entry.get("event") == "eval"]
        progress.last_eval = max(evals, default=-1)
    log.add(
        {
            "event": "resume",
            "step": header.step,
            "command": command,
            "versions": _versions(),
            "data": data.hashes,
            "options": options.to_json(),
        }
    )
    _sort_out_frames(run, header)
    return run, start


def _check_merges(
    options: TrainOptions, tokenizers: tuple[SentencePieceTokenizer, SentencePieceTokenizer]
) -> None:
    """Raise `HeadscopeError` when merges are to be left out and the pieces were not learned by merging."""
    if options.train.bpe_dropout and not all(tokenizer.is_bpe for tokenizer in tokenizers):
        raise HeadscopeError(
            "config_value", field="bpe_dropout", value=options.train.bpe_dropout,
            wanted="0 with pieces (vocab_files) that were not learned as BPE",
        )  # fmt: skip


def _run(
    options: TrainOptions,
    trainer: Trainer,
    heldout: Heldout,
    folder: RunFolder,
    probe: Probe | None,
    progress: EvaluationState,
    history: StepHistory,
    data: TrainingData,
    control: Control,
) -> TrainingRun:
    frames = None
    if probe is not None and options.train.probe_every:
        frames = Frames(options.train.probe_every, probe.frame_bytes, options.train.probe_megabytes)
    return TrainingRun(
        options, trainer, heldout, folder, probe, frames, progress, history, data.hashes, control
    )


def _probe(
    options: TrainOptions,
    tokenizers: tuple[SentencePieceTokenizer, SentencePieceTokenizer],
    heldout: Heldout,
    config: BundleConfig,
    transformer: Transformer,
) -> Probe | None:
    """The sentence that was asked for, else a held-out one with its reference; None if there is none."""
    text, target = options.probe, options.probe_target
    if not text.strip():
        if not heldout.examples:
            return None
        text, target = heldout.examples[0]
        if len(tokenizers[1].encode(target)) >= config.architecture.max_positions:
            target = ""
    return Probe(text, target, config, tokenizers, transformer)


def _sort_out_frames(run: TrainingRun, header: StateHeader) -> None:
    """Leave the traces that an unbroken run would have at this step; set those of another probe aside."""
    snapshots = run.folder.path / SNAPSHOTS
    for folder in (run.folder.path / PROBE, snapshots, *snapshots.glob("*/")):
        remove_unfinished(folder)
    old, new = header.options, run.options
    if (old.probe, old.probe_target) != (new.probe, new.probe_target):
        run.folder.set_frames_aside(header.step)
    frames = run.frames
    if frames is not None:
        run.folder.keep_frames(lambda step: frames.keeps(step, header.step))


def _best_weights(out: Path, transformer: Transformer) -> dict[str, Tensor] | None:
    """The bundle's weights; None when its file is lost or damaged."""
    shapes = {name: tuple(tensor.shape) for name, tensor in weights_of(transformer).items()}
    try:
        file = TensorFile(out / WEIGHTS)
        if {name: info.shape for name, info in file.tensors.items()} != shapes:
            return None
        return {name: read_tensor(file, name).float() for name in shapes}
    except HeadscopeError:
        return None


def _copied(transformer: Transformer) -> dict[str, Tensor]:
    return {name: tensor.to("cpu", copy=True) for name, tensor in weights_of(transformer).items()}


def entries_until(step: int, out: Path) -> list[dict[str, Any]]:
    """The log from its start entry on; what a killed run logged after its last save will be logged again."""
    entries = read_entries(out)
    if not entries or entries[0].get("event") != "start":
        return []
    places = [entry.get("step", 0) for entry in entries]
    before = [isinstance(place, int) and place <= step for place in places]
    ends = ("done", "curve")
    return [entry for entry, kept in zip(entries, before) if kept and entry.get("event") not in ends]


# data


def most_tokens(options: TrainOptions, architecture: Architecture) -> int:
    """Tokens of the longest side that a pair of the corpus may have."""
    return min(options.train.max_tokens, architecture.max_positions)


def trained_on(
    data: TrainingData,
    source: Tokenizer,
    target: Tokenizer,
    limit: int,
    should_cancel: Callable[[], bool] = lambda: False,
) -> Generator[WorkEvent, None, EncodedCorpus]:
    """The training pairs of at most `limit` tokens a side; `HeadscopeError` when there are none."""
    corpus = yield from shown_work(encode_pairs(data.train, source, target, limit, should_cancel), "encoding")
    if not len(corpus):
        raise HeadscopeError("training_no_pairs")
    return corpus


def _encoded(
    options: TrainOptions,
    data: TrainingData,
    source: Tokenizer,
    target: Tokenizer,
    architecture: Architecture,
    control: Control,
) -> Generator[WorkEvent, None, tuple[EncodedCorpus, Heldout]]:
    """What is trained on, and the held-out pairs that the model can read."""
    limit, stop = most_tokens(options, architecture), control.stop.is_set
    corpus = yield from trained_on(data, source, target, limit, stop)
    dev = yield from shown_work(encode_pairs(data.dev, source, target, limit, stop), "encoding")
    pairs, count = data.dev, len(dev) if data.held_out else 0
    if not len(dev):
        dev, pairs = corpus.first(FEW), data.train[:FEW]
    positions = architecture.max_positions
    texts, examples = (
        [pair for pair in first_references(pairs, most) if _readable(pair[0], source, positions)]
        for most in (options.train.bleu_sentences, EXAMPLES)
    )
    examples.sort(key=lambda pair: abs(len(source.encode(pair[0])) - _ABOUT))
    watched = TASKS[options.task].probes if options.task else ()
    readable = [text for text in watched if _readable(text, source, positions)]
    return corpus, Heldout(dev, texts, examples, options.languages[1], count, readable)


def _about_to_begin() -> WorkEvent:
    """A moment to leave at, between the things that take a while before the first step."""
    return WorkEvent(step=0, epoch=0.0, stage="encoding")


def _readable(text: str, tokenizer: Tokenizer, positions: int) -> bool:
    ids = tokenizer.encode(text)
    return bool(text.strip()) and len(ids) < positions and any(i != tokenizer.unk_id for i in ids)


def shown_work(work: Generator[tuple[int, int], None, T], stage: WorkStage) -> Generator[WorkEvent, None, T]:
    """What `work` returns; how far it is, as events."""
    return retold(work, lambda far: WorkEvent(step=0, epoch=0.0, stage=stage, done=far[0], total=far[1]))


def history_of(tensors: dict[str, Tensor]) -> StepHistory:
    """The history in a training state; an empty one where there is none (a state of an earlier version)."""
    rows = tensors.get(STEPS)
    return StepHistory(None if rows is None else rows.numpy())


# what is told


def _start_event(run: TrainingRun, data: TrainingData, *, resumed: bool) -> StartEvent:
    trainer, probe, last = run.trainer, run.probe, run.last_step()
    left_out = Counter[str](data.left_out)
    left_out.update(empty=trainer.corpus.dropped_empty, long=trainer.corpus.dropped_long)
    steps = int(last) if math.isfinite(last) else None
    return StartEvent(
        **run.where(),
        resumed=resumed,
        train_pairs=len(trainer.corpus),
        dev_pairs=run.heldout.pairs,
        left_out=dict(left_out),
        parameters=sum(parameter.numel() for parameter in trainer.parameters),
        steps_per_epoch=trainer.steps_per_epoch,
        device=trainer.device.type,
        precision=str(trainer.dtype).removeprefix("torch."),
        probe="" if probe is None else probe.text,
        probe_target="" if probe is None else probe.target,
        probe_bytes=0 if run.frames is None else run.frames.most_bytes(steps),
    )


def _versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "sentencepiece": sentencepiece.__version__,
    }


def _first_entry(run: TrainingRun, data: TrainingData, command: str, start: StartEvent) -> dict[str, Any]:
    told = start.to_json()
    del told["event"]
    derived: dict[str, Any] = {name: told.pop(name) for name in ("derived", "advice") if name in told}
    return {
        "event": "start",
        "command": command,
        "versions": _versions(),
        "seed": run.options.train.seed,
        "data": data.hashes,
        "pairs": {
            "train": start.train_pairs,
            "dev": start.dev_pairs,
            **{f"left_out_{reason}": count for reason, count in start.left_out.items()},
        },
        "options": run.options.to_json(),
        **derived,
        "run": told,
    }
