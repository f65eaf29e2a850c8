"""A training filled by hand, for tests of what the live page shows."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from model.config import TrainConfig
from model.train_options import TrainOptions
from model.training.progress.events import EvalEvent, ProbeEvent, StartEvent, StepEvent
from tests.model.tiny_trace import make_trace
from viewer.document.messages.training_requests import StartRun
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.pages.looks.stylesheet import stylesheet
from viewer.pages.train.live.live_page import LivePage
from viewer.pages.widgets.appearance import Appearance


def options(**train: Any) -> TrainOptions:
    return TrainOptions(
        task="reverse", task_size=100, name="words", train=TrainConfig(**{"steps": 100, **train})
    )


def start_event(**changes: Any) -> StartEvent:
    values: dict[str, Any] = {
        "step": 0, "epoch": 0.0, "resumed": False, "train_pairs": 98, "dev_pairs": 2, "left_out": {},
        "parameters": 1000, "steps_per_epoch": 10, "device": "cpu", "precision": "float32",
        "probe": "ein Wort", "probe_target": "", "probe_bytes": 0,
    }  # fmt: skip
    return StartEvent(**{**values, **changes})


def step_event(step: int, **changes: Any) -> StepEvent:
    """Numbers that no two steps have in common."""
    values: dict[str, Any] = {
        "step": step, "epoch": step / 10, "loss": 5.0 / step + 1 / 3, "lr": step * 1.1e-4,
        "grad_norm": 1.0 + 1.0 / (step + 7), "tokens_per_second": 4000.125 + step, "minutes_left": 12.0,
    }  # fmt: skip
    return StepEvent(**{**values, **changes})


def eval_event(step: int, **changes: Any) -> EvalEvent:
    values: dict[str, Any] = {
        "step": step, "epoch": step / 10, "heldout_loss": 4.0 / step + 0.7, "bleu": step / 3,
        "averaged": False, "best": True, "samples": (("a b", f"b {step}"), ("c d", f"d {step}")),
    }  # fmt: skip
    return EvalEvent(**{**values, **changes})


def probe_event(step: int, path: str = "", **changes: Any) -> ProbeEvent:
    return ProbeEvent(step=step, epoch=step / 10, trace=make_trace(seed=step, **changes), path=path)


def training_at(step: int, out: str = "/nowhere/m", **train: Any) -> Training:
    """A run in which every tenth step was evaluated."""
    training = Training()
    training.begin(StartRun(options(**train), out))
    events: list[Any] = [start_event()]
    for number in range(1, step + 1):
        events.append(step_event(number))
        if number % 10 == 0:
            events.append(eval_event(number))
    training.take(events)
    return training


def shown_page(qtbot: QtBot, training: Training) -> LivePage:
    """The live page as it stands in a window of 1280 x 800."""
    look = Appearance("light")
    page = LivePage(Session(), training, look)
    page.setStyleSheet(stylesheet(look))
    page.resize(1240, 640)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    return page
