"""A whole training run as a generator: every yield is progress and a moment at which it may be left.

On disk the bundle is complete from the first moment on; `model.safetensors` always holds the best weights so
far (chosen on held-out pairs only) and `training_state.safetensors` all that `--resume` needs.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch

from model.bundle import BundleConfig, SpecialIds, load_training_state, write_bundle
from model.bundle_config import SOURCE_SPM, TARGET_SPM, read_config
from model.card import write_card
from model.config import Architecture, from_json
from model.data.corpus import EncodedCorpus, Pair, encode_corpus
from model.data.training_data import (
    TrainingData,
    first_references,
    make_task_pairs,
    read_pair_files,
    split_training_data,
    train_vocabularies,
)
from model.errors import HeadscopeError
from model.files import folder_lock
from model.showcase import refresh_example
from model.tokenizer import SentencePieceTokenizer, Tokenizer
from model.training.events import TrainEvent, WorkEvent
from model.training.heldout import Heldout
from model.training.log import LOG, TrainingLog, read_entries, serialized
from model.training.options import TrainOptions
from model.training.run import Progress, TrainingRun
from model.training.state import TRAINING_STATE
from model.training.trainer import Trainer
from model.transformer import Transformer

Stop = Callable[[], bool]

EXAMPLES = 20  # held-out sentences among which the recorded example and its head are chosen


def train(
    options: TrainOptions,
    out: Path,
    *,
    resume: bool = False,
    command: str = "",
    should_stop: Stop = lambda: False,
) -> Iterator[TrainEvent]:
    """Train into the bundle folder `out`.

    Args:
        options: for a resumed run, those stored with it and what may change (`stored_options`).
        command: the command line, for the log's first line.
        should_stop: asked after each step, and often in between; when true the state is saved and the run
            ends without a `DoneEvent`. Closing the generator leaves the last saved state.

    Raises:
        HeadscopeError: `out` exists (new run) or holds no state (resumed), bad corpus, full disk, another
            run holds the folder, the loss is no longer a number; `cancelled` when asked to stop before there
            was anything to save.
    """
    threads = torch.get_num_threads()
    with folder_lock(out):
        if not resume and out.exists():
            raise HeadscopeError("training_exists", path=out)
        stored = _stored(out) if resume else None
        try:
            if options.train.threads:
                torch.set_num_threads(options.train.threads)
            yield from _train(options, out, stored, command, should_stop)
        finally:
            torch.set_num_threads(threads)


def _train(
    options: TrainOptions, out: Path, stored: _Stored | None, command: str, should_stop: Stop
) -> Generator[TrainEvent, None, None]:
    yield WorkEvent(step=0, epoch=0.0, stage="reading")
    data = _read_data(options, should_stop)
    if stored is None:
        run = yield from _begin(options, out, data, command, should_stop)
    else:
        yield WorkEvent(step=0, epoch=0.0, stage="encoding")
        run = _resume(options, out, data, stored, command, should_stop)
    run.clock.start()
    events = run.events(should_stop)
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            if not end.value:
                return
            break
        # Somebody else's work between two steps is none of the run's time.
        run.clock.stop()
        yield event
        run.clock.start()
    yield WorkEvent(**run.where(), stage="finishing")
    yield from _finish(run)


def _finish(run: TrainingRun) -> Generator[TrainEvent, None, None]:
    """Complete the bundle: its recorded example, its card, and the log's last line."""
    yield run.save()
    source = run.trainer.source
    # About ten tokens are enough to show something and few enough to see it.
    texts = sorted(run.heldout.examples, key=lambda text: abs(len(source.encode(text)) - 10))
    if texts:
        refresh_example(run.out, texts[0], sentences=texts[1:EXAMPLES])
    done = run.done_event()
    write_card(run.out)
    yield done


def stored_options(out: Path) -> TrainOptions:
    """The options a run in `out` was started with; `HeadscopeError` when there is no such run."""
    return _stored(out).options


class _Stored:
    """A saved training state, checked: `HeadscopeError` when its header makes no sense."""

    def __init__(self, tensors: dict[str, torch.Tensor], metadata: dict[str, str], path: str) -> None:
        self.tensors = tensors
        try:
            self.step = int(metadata["step"])
            self.options = TrainOptions.from_json(json.loads(metadata["options"]))
            self.progress = from_json(Progress, json.loads(metadata["progress"]), "progress")
            self.hashes = dict(json.loads(metadata["data"]))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            reason = f"its header cannot be understood: {error!r}"
            raise HeadscopeError("training_state_invalid", path=path, reason=reason) from None


def _stored(out: Path) -> _Stored:
    path = out / TRAINING_STATE
    if not path.exists():
        raise HeadscopeError("training_nothing", path=out)
    return _Stored(*load_training_state(out), str(path))


def _read_data(options: TrainOptions, should_stop: Stop) -> TrainingData:
    if options.task is not None:
        pairs, hashes = make_task_pairs(options.task, options.task_size, options.train.seed)
    else:
        pairs, hashes = read_pair_files(options.pairs, should_stop)
    return split_training_data(pairs, hashes, split=options.split, swap=options.swap)


def _begin(
    options: TrainOptions, out: Path, data: TrainingData, command: str, should_stop: Stop
) -> Generator[TrainEvent, None, TrainingRun]:
    """Learn the vocabularies, write the bundle with its random weights, and save the first state."""
    yield WorkEvent(step=0, epoch=0.0, stage="vocabulary")
    source, target = train_vocabularies(
        data.train,
        vocab_size=options.vocab_size,
        shared=options.shared_vocab,
        languages=options.languages,
        model_type=options.vocab_type,
        byte_fallback=options.byte_fallback,
        coverage=options.coverage,
    )
    vocabularies = {"source_vocab": source.vocab_size, "target_vocab": target.vocab_size}
    architecture = Architecture.from_json({**options.architecture, **vocabularies})
    yield WorkEvent(step=0, epoch=0.0, stage="encoding")
    corpus = _encode(data.train, source, target, options, architecture, should_stop)
    transformer = Transformer(architecture, torch.Generator().manual_seed(options.train.seed))
    special = SpecialIds(pad=target.pad_id, unk=target.unk_id, start=target.start_id, end=target.end_id)
    config = BundleConfig(options.name, options.languages, architecture, special)
    log = TrainingLog(out, [_first_entry(options, data, corpus, command)])
    extra = {LOG: serialized(log.entries)}
    spm = source.serialized(), target.serialized()
    write_bundle(out, config, transformer, *spm, half=options.half, extra_files=extra)
    trainer = Trainer(transformer.to(_device()), corpus, options.train, source, target)
    run = TrainingRun(options, out, trainer, _heldout(data, trainer, options), log, Progress(), data.hashes)
    run.save()
    return run


def _resume(
    options: TrainOptions, out: Path, data: TrainingData, stored: _Stored, command: str, should_stop: Stop
) -> TrainingRun:
    if stored.hashes != data.hashes:
        raise HeadscopeError("training_data_differs")
    stored.options.check_resumable(options)
    architecture = read_config(out).architecture
    source = SentencePieceTokenizer.load(out / SOURCE_SPM)
    target = SentencePieceTokenizer.load(out / TARGET_SPM)
    transformer = Transformer(architecture).to(_device())
    corpus = _encode(data.train, source, target, options, architecture, should_stop)
    trainer = Trainer(transformer, corpus, options.train, source, target)
    trainer.load_state(stored.tensors, stored.step)
    log = TrainingLog(out, _entries_until(stored.step, out))
    if not log.entries:
        log.append(_first_entry(options, data, corpus, command))
    if stored.progress.last_eval < 0:  # a state of an earlier version does not say
        evals = [entry["step"] for entry in log.entries if entry.get("event") == "eval"]
        stored.progress.last_eval = max(evals, default=-1)
    log.append({"event": "resume", "step": stored.step, "command": command, "options": options.to_json()})
    heldout = _heldout(data, trainer, options)
    return TrainingRun(options, out, trainer, heldout, log, stored.progress, data.hashes)


def _entries_until(step: int, out: Path) -> list[dict[str, Any]]:
    """The log from its start entry on; what a killed run logged after its last save will be logged again."""
    entries = read_entries(out)
    if not entries or entries[0].get("event") != "start":
        return []
    places = [entry.get("step", 0) for entry in entries]
    before = [isinstance(place, int) and place <= step for place in places]
    return [entry for entry, kept in zip(entries, before) if kept and entry.get("event") != "done"]


def _encode(
    pairs: list[Pair],
    source: Tokenizer,
    target: Tokenizer,
    options: TrainOptions,
    architecture: Architecture,
    should_stop: Stop,
) -> EncodedCorpus:
    limit = min(options.train.max_tokens, architecture.max_positions)
    corpus = encode_corpus(pairs, source, target, limit, should_cancel=should_stop)
    if not len(corpus):
        raise HeadscopeError("training_no_pairs")
    return corpus


def _heldout(data: TrainingData, trainer: Trainer, options: TrainOptions) -> Heldout:
    """The held-out pairs that the model can read; some of the training pairs where that leaves none."""
    source, target, positions = trainer.source, trainer.target, trainer.transformer.architecture.max_positions
    limit = min(options.train.max_tokens, positions)
    corpus, pairs = encode_corpus(data.dev, source, target, limit), data.dev
    if not len(corpus):
        corpus, pairs = trainer.corpus, data.train[:1]
    readable = [pair for pair in pairs if _readable(pair[0], source, positions)]
    texts = first_references(readable, options.train.bleu_sentences)
    examples = [text for text, _ in first_references(readable, EXAMPLES)]
    return Heldout(corpus, texts, examples, options.languages[1])


def _readable(text: str, tokenizer: Tokenizer, positions: int) -> bool:
    ids = tokenizer.encode(text)
    return bool(text.strip()) and len(ids) < positions and any(i != tokenizer.unk_id for i in ids)


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _first_entry(
    options: TrainOptions, data: TrainingData, corpus: EncodedCorpus, command: str
) -> dict[str, Any]:
    return {
        "event": "start",
        "command": command,
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
            "sentencepiece": sentencepiece.__version__,
        },
        "seed": options.train.seed,
        "data": data.hashes,
        "pairs": {
            "train": len(corpus),
            "dev": len(data.dev) if data.held_out else 0,
            "left_out_empty": corpus.dropped_empty,
            "left_out_long": corpus.dropped_long,
        },
        "options": options.to_json(),
    }
