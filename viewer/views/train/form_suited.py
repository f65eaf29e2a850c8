"""What suits a corpus of a person's own: as many and as large batches as its pairs allow. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from model.data.survey import CorpusSurvey
from model.train_options import DEFAULT_EPOCHS
from viewer.views.train.form_figures import tokens_of
from viewer.views.train.form_values import PROBE_EVERY, Values

SUITED = ("batch_tokens", "epochs", "warmup", "probe_every")
_LEAST_BATCH = 1024  # tokens
_BATCHES = 100  # of an epoch; a small corpus is cut into smaller ones
_LEAST_STEPS, _MOST_EPOCHS = 3000, 100.0
_WARMUP_SHARE, _LEAST_WARMUP = 4, 400
_FRAMES, _PROBE_EVERY = 300, 5  # a step of a larger model takes a second: its heads should move meanwhile


def suited_values(usual: Mapping[str, Any], survey: CorpusSurvey | None) -> Values:
    """Another length of the batches, the run, the warm-up, and other frames, for a corpus that is known.

    With what suits a large corpus, a small one would have ended before its learning rate had risen.

    Args:
        usual: what the preset says of `SUITED`.
    """
    if survey is None or not survey.complete or not survey.train or usual["batch_sentences"]:
        return {}
    tokens = survey.train * tokens_of(survey)
    batch = int(usual["batch_tokens"])
    while batch >= 2 * _LEAST_BATCH and tokens < _BATCHES * batch:
        batch //= 2
    epoch = math.ceil(tokens / batch)
    epochs = min(_MOST_EPOCHS, max(float(usual["epochs"] or DEFAULT_EPOCHS), math.ceil(_LEAST_STEPS / epoch)))
    steps = epoch * epochs
    share = steps / _WARMUP_SHARE
    unit = 10 ** max(0, math.floor(math.log10(share))) if share else 1
    warmup = max(_LEAST_WARMUP, math.floor(share / unit) * unit)
    frames = max(1, min(_PROBE_EVERY, math.floor(steps / _FRAMES)))
    return {
        "batch_tokens": batch,
        "epochs": epochs,
        "warmup": min(int(usual["warmup"]), warmup),
        "probe_every": frames if usual["probe_every"] == PROBE_EVERY else usual["probe_every"],
    }


class Suiting:
    """Which fields hold what the form itself put there.

    Attributes:
        usual: what the person began with: a kind of data and a preset.
    """

    def __init__(self) -> None:
        self.usual: Values = {}
        self.on = False
        self._suited: Values = {}

    def begin(self, values: Values, *, on: bool) -> None:
        """Begin from these values; `on`: they are to be fitted to the corpus once it is known."""
        self.usual = {**self.usual, **values}
        self.on, self._suited = on, {}

    def changes(self, values: Mapping[str, Any], survey: CorpusSurvey | None) -> Values:
        """What the fields should hold for this corpus, as far as the person did not choose it."""
        if not self.on:
            return {}
        before = {**self.usual, **self._suited}
        suited = suited_values(self.usual, survey)
        found = {name: value for name, value in suited.items() if values[name] == before[name]}
        self._suited = {**self._suited, **found}
        return found

    def as_begun(self, values: Mapping[str, Any]) -> Values:
        """The values as the preset would have them, where they differ only by what suits the corpus."""
        return {
            name: self.usual[name] if name in self._suited and value == self._suited[name] else value
            for name, value in values.items()
        }
