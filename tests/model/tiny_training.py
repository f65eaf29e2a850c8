"""Training runs of a second or two, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.config import TrainConfig
from model.training.events import StepEvent, TrainEvent, WorkEvent
from model.training.options import TrainOptions
from model.training.train import train
from tests.assets import PAIRS

ARCHITECTURE = {
    "d_model": 32, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 64,
    "tie_embeddings": "all",
}  # fmt: skip
TRAINING: dict[str, Any] = {
    "batch_tokens": 96,
    "warmup": 20,
    "precision": "float32",
    "bleu_sentences": 4,
    "average_steps": 8,
}


def write_pairs(path: Path, pairs: list[tuple[str, str]] | None = None) -> Path:
    """A file of `pairs`, by default three variants of each of `tests.assets.PAIRS`: 60 sentences."""
    if pairs is None:
        pairs = [(f"{word}{a}", f"{other}{b}") for a, b in PAIRS for word, other in VARIANTS]
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    return path


VARIANTS = [("", ""), ("Yes. ", "Oui. "), ("No. ", "Non. ")]


def options(pairs: Path, /, **changes: Any) -> TrainOptions:
    """Options of a tiny run; names of `TrainConfig`, of `TrainOptions`, or fields of the architecture."""
    config = {key: changes.pop(key) for key in list(changes) if key in TrainConfig.__dataclass_fields__}
    plain = {key: changes.pop(key) for key in list(changes) if key in TrainOptions.__dataclass_fields__}
    return TrainOptions(
        **{"pairs": (str(pairs),), "name": "tiny", "languages": ("en", "fr"), "vocab_size": 320, **plain},
        architecture={**ARCHITECTURE, **changes},
        train=TrainConfig(**{**TRAINING, "steps": 10, **config}),
    )


def events(
    chosen: TrainOptions, out: Path, *, resume: bool = False, until: Callable[[], bool] = lambda: False
) -> list[TrainEvent]:
    """All events of a run, those that only show work left out."""
    found = train(chosen, out, resume=resume, command="headscope train …", should_stop=until)
    return [event for event in found if not isinstance(event, WorkEvent)]


def losses(found: list[TrainEvent]) -> dict[int, float]:
    """Loss by step."""
    return {event.step: event.loss for event in found if isinstance(event, StepEvent)}


def stop_after(calls: int) -> Callable[[], bool]:
    """Asks to stop at the given call of `should_stop`, which is asked after each step."""
    left = iter(range(calls))
    return lambda: next(left, None) is None
