"""Training runs of a second or two, for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from model.config import TrainConfig
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from model.training.control import Control
from model.training.progress.events import StepEvent, TrainEvent, WorkEvent
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
    chosen: TrainOptions,
    out: Path,
    *,
    resume: bool = False,
    stop_at: int | None = None,
    control: Control | None = None,
) -> list[TrainEvent]:
    """All events of a run, those that only show work left out.

    Args:
        stop_at: the step after which the run is told to stop.
    """
    control = control or Control()
    found = []
    for event in train(chosen, out, resume=resume, command="headscope train …", control=control):
        if not isinstance(event, WorkEvent):
            found.append(event)
        if isinstance(event, StepEvent) and event.step == stop_at:
            control.stop.set()
    return found


def losses(found: list[TrainEvent]) -> dict[int, float]:
    """Loss by step."""
    return {event.step: event.loss for event in found if isinstance(event, StepEvent)}


def told(found: list[TrainEvent]) -> list[str]:
    """Names of the events, those that open a run left out."""
    return [event.name for event in found if event.name not in ("start", "probe")]


def refused(code: str, *args: Any, **kwargs: Any) -> HeadscopeError:
    """The error of that code with which a run ends; arguments as for `events`."""
    with pytest.raises(HeadscopeError) as error:
        events(*args, **kwargs)
    assert error.value.code == code
    return error.value


def state_metadata(out: Path) -> dict[str, str]:
    """The header of the training state, read by hand."""
    data = (out / "training_state.safetensors").read_bytes()
    header: dict[str, dict[str, str]] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header["__metadata__"]


def rewritten(change: Mapping[str, str | None]) -> Callable[[bytes], bytes]:
    """The state's bytes with other header entries (None removes one)."""

    def harm(data: bytes) -> bytes:
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        metadata = {**header["__metadata__"], **change}
        header["__metadata__"] = {key: value for key, value in metadata.items() if value is not None}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(8, "little") + text + data[8 + length :]

    return harm
