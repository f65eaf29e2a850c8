"""Asked: whom a question is put to, and about what. No torch until it is put to a model of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.errors import HeadscopeError
from model.questions.questions import Reading

if TYPE_CHECKING:
    from model.bundle.bundle import Bundle
    from model.foreign.foreign_model import ForeignModel
    from model.inspection.readings import Readings


class Asked:
    """What those who answer are given beside the question.

    Args:
        model: the model in use, if there is one.
        about: what the question is about; None for a question of its own.
        readings: those of a bundle, kept by whoever asks more than once.

    Attributes:
        about: see above.
    """

    def __init__(
        self,
        model: Bundle | ForeignModel | None = None,
        about: Reading | None = None,
        readings: Readings | None = None,
    ) -> None:
        self.about = about
        self._model = model
        self._readings = readings

    @property
    def model(self) -> Bundle | ForeignModel:
        """The model.

        Raises:
            HeadscopeError: `no_model`.
        """
        if self._model is None:
            raise HeadscopeError("no_model")
        return self._model

    @property
    def bundle(self) -> Bundle:
        """The model, if it is our own Transformer, whose computation can be looked into.

        Raises:
            HeadscopeError: `source_cannot`: it is another's; `no_model`.
        """
        from model.bundle.bundle import Bundle

        model = self.model
        if not isinstance(model, Bundle):
            raise HeadscopeError("source_cannot", name=model.name)
        return model

    @property
    def readings(self) -> Readings:
        """What the bundle computed for recent readings; raises as `bundle`."""
        if self._readings is None:
            from model.inspection.readings import Readings

            self._readings = Readings(self.bundle)
        return self._readings

    @property
    def reading(self) -> Reading:
        """What the question is about.

        Raises:
            TypeError: it is about nothing, though it had to be.
        """
        if self.about is None:
            raise TypeError("this question is about a reading, and none was given")
        return self.about
