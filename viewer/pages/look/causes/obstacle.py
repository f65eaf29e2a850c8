"""Obstacle: why nothing can be told of what caused the words of a run, in a sentence."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.abilities import Ability
from model.trace.trace import AttentionKind
from viewer.document.session import Session
from viewer.document.text.model_text import cannot


def obstacle_of(session: Session, ability: Ability, pane: int | None = None) -> str:
    """Of the run in a pane, or in the active one; empty if it can.

    Args:
        ability: what it takes of the model.
    """
    run, model = session.run(pane), session.model
    if obstacle := cannot(model, ability):
        return obstacle
    translate = QCoreApplication.translate
    if run is None or AttentionKind.CROSS not in run.trace.kinds or not run.trace.steps:
        return translate("Causes", "Translate a sentence first: this is about the words of a translation.")
    if run.live:
        return translate("Causes", "This is computed once the translation is complete.")
    if model is None or not run.trace.may_be_of(model.name, model.sha256):
        return translate("Causes", "Open the model that wrote this to see what made it write that.")
    return ""
