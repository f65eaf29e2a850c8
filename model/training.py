"""A whole training run as a generator: every yield is progress and a moment at which it may be left.

On disk the bundle is complete from the first moment on; `model.safetensors` always holds the best weights so
far (chosen on held-out pairs only) and `training_state.safetensors` all that `--resume` needs.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch

from model.bundle import (
    BundleConfig,
    SpecialIds,
    load_training_state,
    replace_weights,
    save_training_state,

    write_bundle,
)
from model.bundle_config import read_config
from model.config import Architecture
from model.corpus import EncodedCorpus, encode_corpus
from model.errors import HeadscopeError
from model.files import folder_lock, replace_bytes
from model.heldout import Heldout, heldout_bleu, heldout_loss
from model.tokenizer import SentencePieceTokenizer
from model.trainer import Trainer
from model.training_data import TrainingData, first_references, load_training_data, train_vocabularies
from model.training_events import DoneEvent, EvalEvent, SavedEvent, StepEvent, TrainEvent
from model.training_options import TrainOptions
from model.transformer import Transformer
from model.weights import weights_of

LOG = "training_log.jsonl"


@dataclass
class _Progress:
    """What a run remembers besides weights; stored in the training state's header."""

    minutes: float = 0.0
    best_loss: float = float("inf")
    best_bleu: float = -1.0


def train(
    options: TrainOptions, out: Path, *, resume: bool = False, command: str = "",
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[TrainEvent]:  # fmt: skip
    """Train into the bundle folder `out`.

    Args:
        options: for a resumed run, those stored with it and what may change (`stored_options`).
        command: the command line, for the log's first line.
        should_stop: asked after each step; when true the state is saved and the run ends without a
            `DoneEvent`. Closing the generator leaves the last saved state.

    Raises:
        HeadscopeError: `out` exists (new run) or holds no state (resumed), bad corpus, full disk, another
            run holds the folder, the loss is no longer a number.
    """
    if out.exists() and not resume:
        raise HeadscopeError("training_exists", path=out)
    if options.train.threads:
        torch.set_num_threads(options.train.threads)
    data = load_training_data(
        options.pairs, split=options.split, swap=options.swap, should_cancel=should_stop
    )
    run = _Run.resume(options, out, data) if resume else _Run.begin(options, out, data, command)
    with folder_lock(out):
        yield from run.events(should_stop)


def stored_options(out: Path) -> TrainOptions:
    """The options a run in `out` was started with; `HeadscopeError` when there is no such run."""
    _, metadata = load_training_state(out)
    return TrainOptions.from_json(json.loads(metadata["options"]))


class _Run:
    """One run between its folder and its trainer."""

    def __init__(
        self, options: TrainOptions, out: Path, data: TrainingData, trainer: Trainer, log: list[str]
    ) -> None:
        self.options, self.out, self.trainer = options, out, trainer
        self.log = log
        self.progress = _Progress()
        dev = encode_corpus(data.dev, trainer.source, trainer.target, options.train.max_tokens)
        texts = first_references(data.dev, options.train.bleu_sentences)
        self.heldout = Heldout(dev, texts)
        self.last_eval = self.last_save = 0
        self.clock = time.monotonic()

    # start

    @classmethod
    def begin(cls, options: TrainOptions, out: Path, data: TrainingData, command: str) -> _Run:
        source, target = train_vocabularies(
            data.train,
            vocab_size=options.vocab_size,
            shared=options.shared_vocab,
            languages=options.languages,
            model_type=options.vocab_type,
            byte_fallback=options.byte_fallback,
            coverage=options.coverage,
        )
        architecture = Architecture.from_json(
            {
                **options.architecture,
                "source_vocab": source.vocab_size,
                "target_vocab": target.vocab_size,
            }
        )
        corpus = _encode(data, source, target, options)
        generator = torch.Generator().manual_seed(options.train.seed)
        transformer = Transformer(architecture, generator)
        special = SpecialIds(pad=target.pad_id, unk=target.unk_id, start=target.start_id, end=target.end_id)
        config = BundleConfig(
            name=options.name,
            languages=options.languages,
            architecture=architecture,
            special=special,
            showcase=None,
        )
        log = [json.dumps(_first_line(options, data, command), ensure_ascii=False)]
        write_bundle(
            out,
            config,
            transformer,
            source.serialized(),
            target.serialized(),
            half=options.half,
            extra_files={LOG: (log[0] + "\n").encode()},
        )
        trainer = Trainer(transformer.to(_device()), corpus, options.train, source, target)
        run = cls(options, out, data, trainer, log)
        run.save()
        return run

    @classmethod
    def resume(cls, options: TrainOptions, out: Path, data: TrainingData) -> _Run:
        tensors, metadata = load_training_state(out)
        if json.loads(metadata["data"]) != data.hashes:
            raise HeadscopeError("training_data_differs")
        config = read_config(out)
        source = SentencePieceTokenizer.load(out / "source.spm")
        target = SentencePieceTokenizer.load(out / "target.spm")
        transformer = Transformer(config.architecture).to(_device())
        trainer = Trainer(transformer, _encode(data, source, target, options), options.train, source, target)
        step = int(metadata["step"])
        trainer.load_state(tensors, step)
        log = [line for line in _read_log(out) if json.loads(line).get("step", 0) <= step]
        run = cls(options, out, data, trainer, log)
        run.progress = _Progress(**json.loads(metadata["progress"]))
        run.last_eval = run.last_save = step
        return run

    # loop

    def events(self, should_stop: Callable[[], bool]) -> Iterator[TrainEvent]:
        config, trainer = self.options.train, self.trainer
        self.clock = time.monotonic()
        while not self._at_limit():
            epoch_before = int(trainer.epoch)
            step = trainer.run_step()
            new_epoch = int(trainer.epoch) > epoch_before
            if trainer.step % config.log_every == 0:
                yield StepEvent(
                    **self._where(),
                    loss=step.loss,
                    lr=step.lr,
                    grad_norm=step.grad_norm,
                    tokens_per_second=step.target_tokens / step.seconds,
                )
            if should_stop():
                yield self.save()
                return
            if self._due(config.eval_every, new_epoch):
                yield self.evaluate()
                yield self.save()
            elif self._due(config.save_every, False):
                yield self.save()
        if self.last_eval != trainer.step:
            yield self.evaluate()
        yield self.save()
        best = self.progress
        done = DoneEvent(
            **self._where(),
            minutes=self._minutes(),
            heldout_loss=best.best_loss if best.best_loss < float("inf") else None,
            bleu=best.best_bleu if best.best_bleu >= 0 else None,
        )
        self._write_log(done)
        yield done

    def evaluate(self) -> EvalEvent:
        """Measure the weights and their average on held-out pairs; keep the better if it is the best so far."""
        trainer, config = self.trainer, self.options.train
        transformer, source, target = trainer.transformer.eval(), trainer.source, trainer.target
        own = heldout_loss(transformer, self.heldout, target, source.pad_id, trainer.dtype)
        with trainer.averaged_weights():
            mean = heldout_loss(transformer, self.heldout, target, source.pad_id, trainer.dtype)
            averaged = mean < own
            if averaged:
                event = self._judge(mean, True)
        if not averaged:
            event = self._judge(own, False)
        self.last_eval = trainer.step
        self._write_log(event)
        return event

    def _judge(self, loss: float, averaged: bool) -> EvalEvent:
        """Score the weights the model holds now, and keep them if they are the best so far."""
        trainer, progress = self.trainer, self.progress
        bleu: float | None = None
        samples: tuple[tuple[str, str], ...] = ()
        if self.heldout.texts:
            bleu, samples = heldout_bleu(
                trainer.transformer, self.heldout, trainer.source, trainer.target, trainer.dtype
            )
        score = (bleu if bleu is not None else 0.0, -loss)
        best = score > (progress.best_bleu if bleu is not None else 0.0, -progress.best_loss)
        if best:
            progress.best_loss, progress.best_bleu = loss, -1.0 if bleu is None else bleu
            replace_weights(self.out, weights_of(trainer.transformer), half=self.options.half)
        return EvalEvent(
            **self._where(), heldout_loss=loss, bleu=bleu, averaged=averaged, best=best, samples=samples
        )

    def save(self) -> SavedEvent:
        """Write the training state; the event says where."""
        self.progress.minutes = self._minutes()
        self.clock = time.monotonic()
        metadata = {
            "step": str(self.trainer.step),
            "seed": str(self.options.train.seed),
            "config_hash": self.options.config_hash(),
            "options": json.dumps(self.options.to_json()),
            "progress": json.dumps(self.progress.__dict__),
            "data": json.dumps(json.loads(self.log[0])["data"]),
        }
        save_training_state(self.out, self.trainer.state(), metadata)
        self.last_save = self.trainer.step
        return SavedEvent(**self._where(), path=str(self.out))

    # helpers

    def _where(self) -> dict[str, Any]:
        return {"step": self.trainer.step, "epoch": round(self.trainer.epoch, 4)}

    def _minutes(self) -> float:
        return self.progress.minutes + (time.monotonic() - self.clock) / 60

    def _due(self, every: int, otherwise: bool) -> bool:
        return self.trainer.step % every == 0 if every else otherwise

    def _at_limit(self) -> bool:
        config, trainer = self.options.train, self.trainer
        limits = (
            (config.steps, trainer.step),
            (config.epochs, trainer.epoch),
            (config.minutes, self._minutes()),
        )
        return any(limit and done >= limit for limit, done in limits)

    def _write_log(self, event: TrainEvent) -> None:
        entry = {**event.to_json(), "minutes": round(self._minutes(), 2)}
        self.log.append(json.dumps(entry, ensure_ascii=False))
        replace_bytes(self.out / LOG, ("\n".join(self.log) + "\n").encode())


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _encode(
    data: TrainingData, source: SentencePieceTokenizer, target: SentencePieceTokenizer, options: TrainOptions
) -> EncodedCorpus:
    corpus = encode_corpus(data.train, source, target, options.train.max_tokens)
    if not len(corpus):
        raise HeadscopeError("training_no_pairs")
    return corpus


def _first_line(options: TrainOptions, data: TrainingData, command: str) -> dict[str, Any]:
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
        "pairs": {"train": len(data.train), "dev": len(data.dev)},
        "options": options.to_json(),
    }


def _read_log(out: Path) -> list[str]:
    try:
        return (out / LOG).read_text(encoding="utf-8").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError):
        raise HeadscopeError("training_nothing", path=out) from None
