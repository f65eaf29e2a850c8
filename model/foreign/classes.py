"""Classes that a head on top of an encoder sorts texts into: their names, and from logits to shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.files.safe_folder import clean
from model.folder.families import MASKED_WORDS, class_name
from model.folder.model_folder import ModelFolder
from model.foreign.networks.config_values import value_of
from model.trace.trace import ClassRule

SORTS_TEXTS = "ForSequenceClassification"
"""How `transformers` ends the names of encoders that sort whole texts."""

_LONGEST_NAME = 100


@dataclass(frozen=True)
class Classes:
    """The classes of a model, in the order of its logits."""

    names: tuple[str, ...]
    rule: ClassRule


def classes_of(network: Any) -> Classes | None:
    """Those of a loaded model; None of one that sorts no texts."""
    if not type(network).__name__.endswith(SORTS_TEXTS):
        return None
    config = network.config
    count = int(value_of(config, "num_labels") or 0)
    named = value_of(config, "id2label")
    said = named if isinstance(named, dict) else {}
    names = tuple(
        clean(str(said.get(place, ""))).strip()[:_LONGEST_NAME] or f"LABEL_{place}" for place in range(count)
    )
    problem = value_of(config, "problem_type")
    if problem == "regression" or count == 1:
        return Classes(names, "none")
    return Classes(names, "sigmoid" if problem == "multi_label_classification" else "softmax")


def unshown_head(found: ModelFolder, network: Any) -> str:
    """The class that the folder names, where it has a head on top that is not loaded; else empty."""
    named = class_name(found.values)
    if "For" not in named or named.endswith(MASKED_WORDS) or type(network).__name__ == named:
        return ""
    return clean(named)
