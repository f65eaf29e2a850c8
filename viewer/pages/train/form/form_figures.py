"""Form figures: what a run will be and take, in sentences: shape, parameters, memory, disk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.config import Architecture, TrainConfig
from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.files.files import amount
from model.training.fields import estimate
from model.training.fields.facts import Facts, tokens_of
from model.training.fields.fields import FIELDS
from model.training.progress.frames import MEGABYTE, frames_kept
from viewer.pages.train.form.form_disk import FormDisk


@dataclass(frozen=True)
class Figures:
    """Sentences for the form.

    Attributes:
        shape: layers, heads and width.
        size: parameters and memory.
        tight: that the memory is more than this machine has; "" if it is not.
        slow: that the run ends before the learning rate has risen; "" if it does not.
        time_lapse: the disk that kept traces will take.
        disk: what the model and its training state will take.
    """

    shape: str
    size: str
    tight: str
    slow: str
    time_lapse: str
    disk: str


def figures(values: Mapping[str, Any], disk: FormDisk, survey: CorpusSurvey | None = None) -> Figures | None:
    """The sentences for what the form holds; None where it makes no model."""
    try:
        source, target = vocabulary_pieces(values, disk)
        names = [field.name for field in FIELDS.values() if field.place == "architecture"]
        architecture = Architecture(
            source_vocab=source, target_vocab=target, **{name: values[name] for name in names}
        )
        names = [field.name for field in FIELDS.values() if field.place == "train"]
        config = TrainConfig(**{name: values[name] for name in names})
    except HeadscopeError:
        return None
    half, steps = config.precision == "bfloat16", steps_of(values, survey)
    need = estimate.training_memory(architecture, config, half=half).total
    return Figures(
        _shape(architecture),
        _size(architecture, need, exact=values["vocab_type"] != "word"),
        _tight(need),
        _slow(config.warmup, steps),
        _time_lapse(architecture, config, values["probe"], steps),
        _disk(architecture, values),
    )


def vocabulary_pieces(values: Mapping[str, Any], disk: FormDisk) -> tuple[int, int]:
    """Pieces of source and target vocabulary, as far as they can be known before they are made."""
    counts = [disk.pieces(path) for path in values["vocab_files"]]
    if not counts or not all(counts):
        counts = [int(values["vocab_size"])]
    return counts[0], counts[-1]


def steps_of(values: Mapping[str, Any], survey: CorpusSurvey | None) -> int:
    """About how many steps a run will make; 0 where nothing tells."""
    facts = Facts()
    if survey is not None and survey.complete and survey.train:
        facts = Facts(survey.train, None, survey.train * tokens_of(survey))
    names = [field.name for field in FIELDS.values() if field.place == "train"]
    config = TrainConfig(**{name: values[name] for name in names if name != "minutes"})
    if config.epochs and facts.pairs is None:
        config = replace(config, epochs=0.0)
    return estimate.expected_steps(config, facts) or 0


def machine_memory() -> int:
    """Bytes of this machine's memory, 0 where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 0


def _shape(a: Architecture) -> str:
    text = QCoreApplication.translate(
        "FormFigures", "{encoder}+{decoder} layers, each with {heads} heads of {wide} dimensions"
    )
    return text.format(
        encoder=a.encoder_layers, decoder=a.decoder_layers, heads=a.n_heads, wide=a.d_model // a.n_heads
    )


def _size(architecture: Architecture, need: int, *, exact: bool) -> str:
    if exact:
        text = QCoreApplication.translate(
            "FormFigures", "{count} parameters; training needs about {memory} of memory"
        )
    else:
        text = QCoreApplication.translate(
            "FormFigures",
            "at most {count} parameters, fewer with few words; training needs up to {memory} of memory",
        )
    return text.format(count=f"{estimate.parameters(architecture):,}", memory=amount(need))


def _tight(need: int) -> str:
    there = machine_memory()
    if not there or need < 0.8 * there:
        return ""
    text = QCoreApplication.translate(
        "FormFigures",
        "This machine has {there} of memory, but training needs about {memory}: choose a smaller "
        "batch or model.",
    )
    return text.format(there=amount(there), memory=amount(need))


def _slow(warmup: int, steps: int) -> str:
    if not steps or warmup <= steps // 2:
        return ""
    text = QCoreApplication.translate(
        "FormFigures",
        "The run makes about {steps} steps and the warm-up takes {warmup}: the learning rate hardly rises "
        "and little is learned. Give more epochs, or a shorter warm-up.",
    )
    return text.format(steps=f"{steps:,}", warmup=f"{warmup:,}")


def _time_lapse(a: Architecture, config: TrainConfig, probe: str, steps: int) -> str:
    if not config.probe_every:
        return ""
    tokens = estimate.probe_tokens(probe, config)
    frame = estimate.frame_bytes(a, tokens, tokens + 1)
    most = config.probe_megabytes * MEGABYTE
    if not steps:
        text = QCoreApplication.translate(
            "FormFigures",
            "About {each} a frame, at most {most} on disk; when full, every second frame is deleted.",
        )
        return text.format(each=amount(frame), most=amount(most))
    kept = frames_kept(steps, config.probe_every, frame, config.probe_megabytes)
    text = QCoreApplication.translate(
        "FormFigures", "About {kept} frames of {each}: {total} on disk, and never more than {most}."
    )
    return text.format(kept=f"{kept:,}", each=amount(frame), total=amount(kept * frame), most=amount(most))


def _disk(architecture: Architecture, values: Mapping[str, Any]) -> str:
    text = QCoreApplication.translate(
        "FormFigures",
        "The model takes {model} on disk; resuming the run needs {state} more.",
    )
    model = estimate.bundle_bytes(architecture, half=values["half"])
    return text.format(model=amount(model), state=amount(estimate.state_bytes(architecture)))
