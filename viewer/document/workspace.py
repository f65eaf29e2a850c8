"""Workspace: what surrounds the document: model, sentence, decoding settings, job, notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from model.abilities import Ability
from viewer.document.decoding_settings import DecodingSettings
from viewer.document.job_status import JobStatus, Loading
from viewer.document.messages.messages import ModelInfo, PiecesSplit
from viewer.document.messages.notice import Notice
from viewer.document.messages.request_bus import RequestBus


class Workspace(RequestBus):
    """The part of a session that no file keeps and nothing undoes.

    Signals:
        model_changed, text_changed, decoding_changed, pieces_changed, job_changed, loading_changed,
            notice_changed: the property of that name changed.
    """

    model_changed = Signal()
    text_changed = Signal()
    pieces_changed = Signal()
    job_changed = Signal()
    loading_changed = Signal()
    notice_changed = Signal()
    decoding_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model: ModelInfo | None = None
        self._text = ""
        self._decoding = DecodingSettings()
        self._pieces: PiecesSplit | None = None
        self._job = JobStatus()
        self._loading: Loading | None = None
        self._notice: Notice | None = None

    @property
    def model(self) -> ModelInfo | None:
        """The current model, None while none is open."""
        return self._model

    @property
    def text(self) -> str:
        """The sentence as typed."""
        return self._text

    @property
    def decoding(self) -> DecodingSettings:
        """How the next sentence is decoded."""
        return self._decoding

    @property
    def pieces(self) -> PiecesSplit | None:
        """The pieces of `text`; None while they are not known."""
        return self._pieces

    @property
    def job(self) -> JobStatus:
        """What the engine is doing for this window."""
        return self._job

    @property
    def loading(self) -> Loading | None:
        """The model that is being loaded, None while none is."""
        return self._loading

    @property
    def notice(self) -> Notice | None:
        """The last error or remark, until it is dismissed or outdated."""
        return self._notice

    def set_model(self, model: ModelInfo | None) -> None:
        """Take a model that was opened; the pieces of the sentence are another model's."""
        if model is not self._model:
            self._model = model
            self.set_pieces(None)
            if model is not None and Ability.WRITE not in model.can:
                self.set_forced(False)
            self.model_changed.emit()

    def set_text(self, text: str) -> None:
        """Take the sentence as typed; its pieces are unknown until the engine has split it."""
        if text != self._text:
            self._text = text
            self.set_pieces(None)
            self.text_changed.emit()

    def set_decoding(self, config: Mapping[str, Any], samples: int = 1) -> None:
        """Choose a free decoding with its settings, as in a trace's header."""
        self._choose(replace(self._decoding, config=dict(config), samples=samples, forced=False))

    def set_forced(self, on: bool) -> None:
        """Let a target be typed, or go back to the free decoding from before."""
        self._choose(replace(self._decoding, forced=on))

    def set_rounds(self, rounds: int) -> None:
        """Choose how often a model that writes all at once writes."""
        self._choose(replace(self._decoding, rounds=rounds))

    def set_pace(self, pace: float) -> None:
        """Choose the least seconds from one token to the next."""
        self._choose(replace(self._decoding, pace=pace))

    def restore_decoding(self, data: bytes) -> None:
        """Choose as was remembered; anything else changes nothing."""
        settings = DecodingSettings.from_bytes(data)
        if settings is not None:
            self._choose(settings)

    def follow_text(self, before: str, after: str) -> None:
        """The sentence of what is in view was `before` and is `after`: what was not typed over goes along."""
        if after != before and self._text.strip() == before.strip():
            self.set_text(after)

    def set_pieces(self, pieces: PiecesSplit | None) -> None:
        """Take the pieces of the sentence; those of an older one are ignored."""
        if pieces is not None and pieces.text != self._text:
            return
        if pieces != self._pieces:
            self._pieces = pieces
            self.pieces_changed.emit()

    def set_job(self, job: JobStatus) -> None:
        """Say what the engine is doing."""
        if job != self._job:
            self._job = job
            self.job_changed.emit()

    def set_loading(self, loading: Loading | None) -> None:
        """Say which model is being loaded, and how far that is."""
        if loading != self._loading:
            self._loading = loading
            self.loading_changed.emit()

    def set_notice(self, notice: Notice | None) -> None:
        """Show a sentence to the user, or none."""
        if notice != self._notice:
            self._notice = notice
            self.notice_changed.emit()

    def _choose(self, decoding: DecodingSettings) -> None:
        if decoding != self._decoding:
            self._decoding = decoding
            self.decoding_changed.emit()
