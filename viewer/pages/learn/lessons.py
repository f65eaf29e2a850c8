"""LESSONS: every lesson of the Learn page, in the order of its list.

What makes a lesson imports it: only those that are looked at are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication

from viewer.document.session import Session
from viewer.experiments.registry import TOLD_EXPERIMENTS
from viewer.lessons.registry import TOLD
from viewer.lessons.told import Told
from viewer.pages.learn.lesson import Lesson, LessonView
from viewer.pages.widgets.appearance import Appearance

_TAUGHT = "viewer.pages.learn.taught.taught_view"


def _architecture(session: Session, appearance: Appearance) -> LessonView:
    from viewer.pages.learn.architecture.architecture_view import ArchitectureView

    return ArchitectureView(session, appearance)


def _taught(told: Told, session: Session, appearance: Appearance) -> LessonView:
    from viewer.pages.learn.taught.taught_view import TaughtView

    return TaughtView(told, session, appearance)


def _walk(session: Session, appearance: Appearance) -> LessonView:
    from viewer.pages.learn.walk.layer_walk import LayerWalkView

    return LayerWalkView(session, appearance)


def _two_sentences(session: Session, appearance: Appearance) -> LessonView:
    from viewer.pages.learn.two_sentences.two_sentences import TwoSentencesView

    return TwoSentencesView(session, appearance)


def _order(session: Session, appearance: Appearance) -> LessonView:
    from viewer.pages.learn.order.order_experiment import OrderExperimentView

    return OrderExperimentView(session, appearance)


def _lessons() -> str:
    return QCoreApplication.translate("LearnPage", "Lessons")


def _experiments() -> str:
    return QCoreApplication.translate("LearnPage", "Experiments")


def _trained() -> str:
    return QCoreApplication.translate("LearnPage", "Other Transformers")


def _lesson(told: Told, group: Callable[[], str]) -> Lesson:
    """The row of a lesson that the page of `taught` shows."""
    modules = (_TAUGHT, *told.lesson.modules)
    file_name = told.name.replace("_", "-")
    return Lesson(told.name, told.title, partial(_taught, told), file_name, group, told.about, modules)


LESSONS: list[Lesson] = [
    Lesson(
        "architecture",
        lambda: QCoreApplication.translate("LearnPage", "Architecture"),
        _architecture,
        modules=("viewer.pages.learn.architecture.architecture_view",),
    ),
    *(_lesson(told, _lessons) for told in TOLD),
    Lesson(
        "walk",
        lambda: QCoreApplication.translate("LearnPage", "Layer walk"),
        _walk,
        "layer-walk",
        _experiments,
        lambda: QCoreApplication.translate("LearnPage", "logit lens, residual stream"),
        ("viewer.pages.learn.walk.layer_walk",),
    ),
    Lesson(
        "two_sentences",
        lambda: QCoreApplication.translate("LearnPage", "One word, two sentences"),
        _two_sentences,
        "two-sentences",
        _experiments,
        lambda: QCoreApplication.translate("LearnPage", "contextual embeddings, homonyms"),
        ("viewer.pages.learn.two_sentences.two_sentences",),
    ),
    Lesson(
        "order",
        lambda: QCoreApplication.translate("LearnPage", "Order of words"),
        _order,
        group=_experiments,
        about=lambda: QCoreApplication.translate("LearnPage", "positional encoding, permutation"),
        modules=("viewer.pages.learn.order.order_experiment",),
    ),
    *(_lesson(told, _trained) for told in TOLD_EXPERIMENTS),
]
