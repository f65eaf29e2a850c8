"""Form reading: what is known of the data it names: whether what was read is of it, what was wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from model.data.pairs.survey import CorpusSurvey
from viewer.document.training.form_values import DATA_FIELDS, Values
from viewer.document.training.training import Training
from viewer.pages.train.form.form_check import data_problem
from viewer.pages.train.form.form_disk import FormDisk


class DataReading:
    """Remembers what the survey in view is of."""

    def __init__(self, training: Training, disk: FormDisk) -> None:
        self._training, self._disk = training, disk
        self._data: Values = {}
        self._before: CorpusSurvey | None = None  # of other data, until there is something of this

    def wanted(self, values: Mapping[str, Any], problems: Collection[str]) -> bool:
        """Whether the data is to be read: it can be, and was not as it is now."""
        data = self._of(values)
        return data != self._data and not data.keys() & set(problems)

    def begin(self, values: Mapping[str, Any]) -> None:
        """It is about to be read."""
        self._before, self._data = self._training.survey, self._of(values)

    def forget(self) -> None:
        """No data is chosen any more."""
        self._data = {}
        self._training.set_survey(None)

    def survey(self, values: Mapping[str, Any]) -> CorpusSurvey | None:
        """What is known of the data; None while only other data is known."""
        training = self._training
        other = self._data and self._of(values) != self._data
        stale = training.surveying and training.survey is self._before
        return None if other or stale or training.survey_problem is not None else training.survey

    def pending(self, values: Mapping[str, Any]) -> bool:
        """Whether the data is being read and nothing of it is known yet."""
        return self._training.surveying and self.survey(values) is None

    def problems(self, values: Mapping[str, Any]) -> dict[str, str]:
        """What is wrong with the data itself, where it was read as it is now."""
        if not self._data or self._training.surveying or self._of(values) != self._data:
            return {}
        return data_problem(values["source"], self._training.survey_problem, self.survey(values))

    def _of(self, values: Mapping[str, Any]) -> Values:
        """What a survey is of; files that were written anew are others."""
        data = {name: values[name] for name in ("source", *DATA_FIELDS)}
        return {
            **data,
            "stamps": [self._disk.stamp(path) for path in (*values["pairs"], *values["parallel"])],
        }
