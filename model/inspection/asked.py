"""Asked: whom a question is put to, and about what. No torch until it is put to a model of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.errors import HeadscopeError
from model.questions.questions import Reading

if TYPE_CHECKING:
    from model.bundle.bundle import Bundle
    from model.foreign.foreign_model import ForeignModel
    from model.inspection.hooked.readings import HookedReadings
    from model.inspection.readings import Readings
    from model.inspection.terms import Attending


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
        readings: Readings | HookedReadings | None = None,
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
            HeadscopeError: `source_cannot`, `others_unexplained`: it is another's; `no_model`.
        """
        from model.bundle.bundle import Bundle

        model = self.model
        if not isinstance(model, Bundle):
            code = "source_cannot" if model.inside is None else "others_unexplained"
            raise HeadscopeError(code, name=model.name)
        return model

    @property
    def readings(self) -> Readings:
        """What the bundle computed for recent readings; raises as `bundle`."""
        from model.inspection.readings import Readings

        if not isinstance(self._readings, Readings):
            self._readings = Readings(self.bundle)
        return self._readings

    @property
    def attending(self) -> Attending:
        """The reading that is asked about, its attentions to be worked out; of models of others as well.

        Raises:
            HeadscopeError: `source_cannot`: nobody has described the model's modules; `no_model`.
        """
        hooked = self.hooked
        if hooked is not None:
            return hooked.reader(self.reading)
        from model.inspection.arithmetic import OwnAttending

        return OwnAttending(self.readings, self.reading)

    @property
    def hooked(self) -> HookedReadings | None:
        """What a model of others computed for recent readings; None of a model of ours.

        Raises:
            HeadscopeError: `source_cannot`: nobody has described its modules; `no_model`.
        """
        from model.foreign.foreign_model import ForeignModel

        model = self._model
        if not isinstance(model, ForeignModel):
            return None
        from model.inspection.hooked.readings import HookedReadings

        if not isinstance(self._readings, HookedReadings):
            self._readings = HookedReadings(model)
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
