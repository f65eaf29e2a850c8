"""`FormNotes`: the sentences below the fields that say what the run will be and take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.data.pairs.survey import CorpusSurvey
from viewer.pages.train.form.form_disk import FormDisk
from viewer.pages.train.form.form_figures import figures
from viewer.pages.train.form.form_group import FormGroup
from viewer.pages.train.form.form_groups import ModelGroup, ResultGroup
from viewer.pages.train.form.form_row import note
from viewer.pages.widgets.buttons import label


class FormNotes:
    """Places the sentences and keeps them true.

    Attributes:
        tight: too little memory.
        slow: too few steps.
        few: too few pairs for the model.
        time_lapse: disk that kept traces take.
    """

    def __init__(self, model: ModelGroup, training: FormGroup, watch: FormGroup, result: ResultGroup) -> None:
        self._model, self._result = model, result
        self.tight, self.slow, self.time_lapse = label("problem"), label("problem"), note()
        self.few = note()
        self.few.hide()
        model.notes.addWidget(self.few)
        for group, text in ((model, self.tight), (training, self.slow)):
            text.setWordWrap(True)
            text.hide()
            group.notes.addWidget(text)
        watch.notes.addWidget(self.time_lapse)

    def say(
        self, values: Mapping[str, Any], disk: FormDisk, survey: CorpusSurvey | None, few: str = ""
    ) -> None:
        """Say what the values come to; `few`: that the pairs are few for the model."""
        known = figures(values, disk, survey)
        for line, text in (
            (self._model.shape, known.shape if known else ""),
            (self._model.figures, known.size if known else ""),
            (self.few, few),
            (self.tight, known.tight if known else ""),
            (self.slow, known.slow if known else ""),
            (self.time_lapse, known.time_lapse if known else ""),
            (self._result.disk, known.disk if known else ""),
        ):
            line.setText(text)
            line.setVisible(bool(text))
