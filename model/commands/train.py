"""`train`: train a bundle on files of sentence pairs, or on a toy task."""

from __future__ import annotations

import argparse
import dataclasses
import os
import shlex
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any, get_args

from model.commands.console import DONE, INTERRUPTED, TERMINATED, emit, parser, say
from model.config import Activation, Norm, PositionLayout, Positions, Precision, Tie, TrainConfig, VocabType
from model.data.tasks import TASKS
from model.errors import HeadscopeError
from model.training.events import DoneEvent, EvalEvent, SavedEvent, StepEvent, TrainEvent, WorkEvent
from model.training.options import PRESETS, TrainOptions

ARCHITECTURE = {
    "encoder_layers": int, "decoder_layers": int, "d_model": int, "n_heads": int, "d_ff": int,
    "dropout": float, "norm": Norm, "activation": Activation, "positions": Positions,
    "position_layout": PositionLayout, "position_base": float, "max_positions": int, "tie_embeddings": Tie,
}  # fmt: skip
TASK_SIZE = 20_000
HELP = {
    "encoder_layers": "(default: the preset's)", "decoder_layers": "(default: the preset's)",
    "d_model": "width of the model (default: the preset's)",
    "n_heads": "attention heads of each layer (default: the preset's)",
    "d_ff": "inner width of the feed-forward layers (default: the preset's)",
    "dropout": "share of numbers left out while training (default 0.1)",
    "norm": "LayerNorm after each sublayer (default) or before it",
    "activation": "of the feed-forward layers (default relu)",
    "positions": "positional encoding (default sinusoidal)",
    "position_layout": "sines and cosines in turn (default), or all sines first",
    "position_base": "longest wavelength of the encoding / 2 pi (default 10000)",
    "max_positions": "most tokens the model can read (default 1024)",
    "tie_embeddings": "which embeddings are one matrix (default: all; target_output with --separate-vocab)",
    "batch_tokens": "most tokens of a batch, padding included",
    "learning_rate": "factor of the Noam schedule", "warmup": "steps of the schedule's warm-up",
    "weight_decay": "of AdamW", "label_smoothing": "share of probability spread over all pieces",
    "clip": "most that the gradient's norm may be", "seed": "of weights, order and dropout",
    "threads": "processor threads; 0: all cores", "steps": "end after N steps; 0: no such limit",
    "epochs": "end after X epochs; 0: no such limit, but 10 if no limit is given",
    "minutes": "end after X minutes; 0: no such limit",
    "save_every": "steps between saves besides those after evaluations; 0: none",
    "eval_every": "steps between evaluations; 0: one an epoch",
    "log_every": "steps between step events", "bleu_sentences": "held-out sentences for BLEU; 0: none",
    "average_steps": "steps that the running average of the weights spans",
    "max_tokens": "longer sentences are left out",
    "precision": "of the computation (default auto: bfloat16 where the processor is fast at it)",
}  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; only those given appear in the namespace, so that a resume sees them apart."""
    result = parser("train", "Train a Transformer on sentence pairs into a bundle folder.")
    result.argument_default = argparse.SUPPRESS
    add = result.add_argument
    data = result.add_mutually_exclusive_group()
    data.add_argument(
        "--pairs", nargs="+", metavar="FILE", help="tab-separated pairs, plain or .gz .bz2 .xz .zip"
    )
    data.add_argument("--task", choices=sorted(TASKS), help="a toy task instead of files")
    add("--task-size", type=int, metavar="N", help=f"pairs that the task makes (default {TASK_SIZE})")
    add("--out", required=True, metavar="BUNDLE", help="folder to make")
    add("--resume", action="store_true", help="continue the run in --out")
    add("--json", action="store_true", help="events on stdout, one JSON object a line")
    add("--name", help="the model's name (default: the folder's)")
    add("--languages", nargs=2, metavar=("SRC", "TGT"), help="language codes, such as en fr")
    add("--swap", action="store_true", help="translate from column 2 to column 1")
    add("--split", choices=["holdout", "tatoeba-hash"], help="which pairs are held out (default holdout)")
    add("--preset", choices=sorted(PRESETS), help="sizes to start from (default small; for a task tiny)")
    add("--vocab-size", type=int, metavar="N", help="pieces in a vocabulary (default 8000)")
    add("--vocab-type", choices=get_args(VocabType), help="(default unigram; for a task word)")
    add("--separate-vocab", action="store_true", help="one vocabulary a language, not a shared one")
    add("--no-byte-fallback", action="store_true", help="unknown characters become one unknown token")
    add("--coverage", type=float, metavar="X", help="share of characters with a piece (default 0.9995)")
    add("--float32", action="store_true", help="store weights in full (default: float16)")
    for name, kind in ARCHITECTURE.items():
        _add_typed(result, name, kind, HELP[name])
    for field in dataclasses.fields(TrainConfig):
        if field.name != "precision":
            text = f"{HELP[field.name]} (default {field.default:g})"
            _add_typed(result, field.name, type(field.default), text)
    _add_typed(result, "precision", Precision, HELP["precision"])
    return result


def _add_typed(result: argparse.ArgumentParser, name: str, kind: Any, text: str | None = None) -> None:
    flag = "--" + name.replace("_", "-")
    if isinstance(kind, type):
        result.add_argument(flag, type=kind, metavar="N" if kind is int else "X", help=text)
    else:
        result.add_argument(flag, choices=list(get_args(kind)), help=text)


def options_from(given: dict[str, Any], out: Path) -> TrainOptions:
    """Options of a new run from the arguments given; the rest are defaults."""
    toy = "task" in given
    separate = given.get("separate_vocab", False)
    architecture = {
        **PRESETS[given.get("preset", "tiny" if toy else "small")],
        "tie_embeddings": "target_output" if separate else "all",
        **{name: given[name] for name in ARCHITECTURE if name in given},
    }
    fields = {field.name for field in dataclasses.fields(TrainConfig)}
    config = TrainConfig(**{name: value for name, value in given.items() if name in fields})
    if not (config.steps or config.epochs or config.minutes):
        config = dataclasses.replace(config, epochs=10.0)
    plain = ("task", "task_size", "languages", "swap", "split", "vocab_size", "vocab_type", "coverage")
    rest: dict[str, Any] = {"task_size": TASK_SIZE, "vocab_type": "word"} if toy else {}
    rest.update({name: given[name] for name in plain if name in given})
    if "languages" in rest:
        rest["languages"] = tuple(rest["languages"])
    # SentencePiece knows no bytes beside whole words.
    words = rest.get("vocab_type") == "word"
    return TrainOptions(
        pairs=tuple(given.get("pairs", ())),
        name=given.get("name", out.resolve().name),
        shared_vocab=not separate,
        byte_fallback=not (words or given.get("no_byte_fallback", False)),
        half=not given.get("float32", False),
        architecture=architecture,
        train=config,
        **rest,
    )


def run(argv: list[str]) -> int:
    """See `headscope train --help`; Ctrl-C and SIGTERM save the run before it ends."""
    arguments = build_parser()
    given = vars(arguments.parse_args(argv))
    out = Path(given.pop("out"))
    resume, as_json = given.pop("resume", False), given.pop("json", False)
    if not (resume or "pairs" in given or "task" in given):
        arguments.error("one of --pairs and --task is needed")
    command = "headscope train " + shlex.join(argv)
    report = emit_event if as_json else _Report()
    with _Stop() as stop:
        from model.training.train import stored_options, train

        options = (
            stored_options(out).resumed_with(_stored_names(given)) if resume else options_from(given, out)
        )
        try:
            for event in train(options, out, resume=resume, command=command, should_stop=stop.requested):
                report(event)
        except HeadscopeError as error:
            if error.code != "cancelled" or not stop.requested():
                raise
    return stop.status()


def _stored_names(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments under the names that stored options have."""
    renamed = {
        "separate_vocab": ("shared_vocab", False),
        "no_byte_fallback": ("byte_fallback", False),
        "float32": ("half", False),
    }
    result = dict(PRESETS[given["preset"]]) if "preset" in given else {}
    result.update({k: v for k, v in given.items() if k not in renamed and k != "preset"})
    result.update(renamed[name] for name in given if name in renamed)
    return result


def emit_event(event: TrainEvent) -> None:
    """Print an event as JSON."""
    if not isinstance(event, WorkEvent):
        emit(event.to_json())


class _Stop:
    """While inside, turns the first Ctrl-C or SIGTERM into a request to save and stop."""

    def __init__(self) -> None:
        self.signal = 0

    def __enter__(self) -> _Stop:
        self._before = {
            number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)
        }
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, signum: int, frame: FrameType | None) -> None:
        if self.signal:
            os._exit(128 + signum)
        self.signal = signum
        say("stopping: saving the run first (again to stop at once)")

    def requested(self) -> bool:
        return self.signal != 0

    def status(self) -> int:
        return {0: DONE, signal.SIGINT: INTERRUPTED}.get(self.signal, TERMINATED)


class _Report:
    """Plain lines on stderr: steps a few times a minute, everything else at once."""

    def __init__(self) -> None:
        self.next = 0.0
        self.stage = ""

    def __call__(self, event: TrainEvent) -> None:
        place = f"step {event.step}  epoch {event.epoch:.2f}"
        if isinstance(event, WorkEvent):
            if event.stage != self.stage and event.stage != "evaluating":
                say({"vocabulary": "learning the vocabulary"}.get(event.stage, event.stage))
            self.stage = event.stage
        elif isinstance(event, StepEvent):
            if time.monotonic() < self.next:
                return
            self.next = time.monotonic() + (2.0 if sys.stderr.isatty() else 15.0)
            say(f"{place}  loss {event.loss:.4f}  lr {event.lr:.2e}  {event.tokens_per_second:.0f} tokens/s")
        elif isinstance(event, EvalEvent):
            bleu = "" if event.bleu is None else f"  BLEU {event.bleu:.2f}"
            marks = ("  (average of recent weights)" if event.averaged else "") + (
                "  best" if event.best else ""
            )
            say(f"{place}  held-out loss {event.heldout_loss:.4f}{bleu}{marks}")
            for source, translation in event.samples:
                say(f"    {source} → {translation}")
        elif isinstance(event, SavedEvent):
            say(f"{place}  saved")
        elif isinstance(event, DoneEvent):
            say(f"{place}  done in {event.minutes:.1f} minutes")
