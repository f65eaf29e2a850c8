"""TraceAnswers: what figures made without a window ask; the model is loaded when something is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.errors import HeadscopeError
from model.folder.bundled import bundled_names
from model.questions.questions import Question, Reading
from model.trace.trace import Trace

if TYPE_CHECKING:
    from model.inspection.hooked.readings import HookedReadings
    from model.inspection.readings import Readings
    from model.translator.translator import Translator


class TraceAnswers:
    """What a model says of readings of its own traces; see `viewer.figures.known.Known`.

    Args:
        trace: what is asked about.
        model: name or folder of its model; None takes the bundled one that the trace names.
        translator: the model, where it is loaded already.
    """

    def __init__(self, trace: Trace, model: str | None = None, translator: Translator | None = None) -> None:
        self._name = model or trace.model_name
        self._named = model is not None
        self._translator = translator
        self._readings: Readings | HookedReadings | None = None
        self._known: dict[tuple[Question, Reading | None], Any] = {}

    def __call__(self, question: Question, reading: Reading | None) -> Any:
        """The answer.

        Raises:
            HeadscopeError: the model is not there, or not the one that made the trace; or it cannot answer.
        """
        key = (question, reading)
        if key not in self._known:
            *_, self._known[key] = self._answers(question, reading)
        return self._known[key]

    def translator(self) -> Translator:
        """The model.

        Raises:
            HeadscopeError: it is not there.
        """
        if self._translator is None:
            self._translator = self._load()
        return self._translator

    def _answers(self, question: Question, reading: Reading | None) -> Any:
        from model.inspection.answering import answer, readings_of

        model = self.translator().model
        if reading is not None and reading.model_sha256 not in ("", model.sha256):
            raise HeadscopeError("export_no_model", name=reading.model_name or "?")
        if self._readings is None:
            self._readings = readings_of(model)
        return answer(model, question, reading, self._readings)

    def _load(self) -> Translator:
        from viewer.commands.headless import load_model

        if not self._named and self._name not in bundled_names():
            raise HeadscopeError("export_no_model", name=self._name or "?")
        return load_model(self._name)
