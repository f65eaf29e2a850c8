"""Form check: what is wrong with a run, in words, by the field it stands under."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.training.fields.fields import FIELDS
from model.training.progress.progress import TRAINING_STATE
from viewer.document.messages.notice import Notice, sentence
from viewer.document.training.form_values import ends_otherwise, learning_rate_for, options_of
from viewer.pages.train.form.form_figures import pieces_in

Problem = tuple[str, str]

# Of what reading files may show: where it is not the files that a person would change.
_ROWS = {
    "corpus_column": "columns",
    "corpus_no_column": "columns",
    "corpus_encoding_unknown": "encoding",
}


def problems(values: Mapping[str, Any], out: str) -> dict[str, str]:
    """The first problem of each field, by its name; `out` is the folder's."""
    found: dict[str, str] = {}
    for name, text in (
        *_data(values),
        *_vocabulary(values),
        *_model(values),
        *_training(values),
        *_watch(values),
        *_out(out),
    ):
        found.setdefault(name, text)
    if not set(found) - {"out"}:
        found.update(_refused(values))
    return found


def data_problem(source: str, problem: Notice | None, survey: CorpusSurvey | None) -> dict[str, str]:
    """What reading the data has shown, at the row that a person would change."""
    if problem is None and survey is not None and survey.complete and not survey.train:
        problem = Notice("training_no_pairs")
    if problem is None:
        return {}
    files = {"files": "pairs", "parallel": "parallel"}.get(source, "task")
    return {_ROWS.get(problem.code, files) if source != "task" else files: problem.sentence()}


def holds_run(folder: str) -> bool:
    """Whether a run in this folder can be gone on with."""
    return bool(folder) and (Path(folder) / TRAINING_STATE).is_file()


def _data(values: Mapping[str, Any]) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    source = values["source"]
    if source == "task":
        if not values["task"]:
            yield "task", translate("FormCheck", "Choose a task.")
        return
    name = "pairs" if source == "files" else "parallel"
    paths = values[name]
    if source == "parallel" and (len(paths) != 2 or not all(paths)):
        yield name, translate("FormCheck", "Choose two files that translate each other line by line.")
    elif not paths:
        yield name, translate("FormCheck", "Choose a file of sentence pairs, or drop one here.")
    elif source == "parallel" and paths[0] == paths[1]:
        yield name, translate("FormCheck", "Both files are the same; choose the translations as the second.")
    else:
        for path in paths:
            if not Path(path).is_file():
                text = translate("FormCheck", "There is no file {path}; choose another.")
                yield name, text.format(path=path)
    if 0 < values["max_ratio"] < 1:
        yield "max_ratio", translate("FormCheck", "The ratio cannot be below 1; give 1 or more.")
    first, second = values["columns"]
    if source == "files" and first == second:
        yield "columns", translate("FormCheck", "Both columns are the same; choose two.")


def _vocabulary(values: Mapping[str, Any]) -> Iterator[Problem]:
    for path in values["vocab_files"]:
        if not Path(path).is_file():
            text = QCoreApplication.translate("FormCheck", "There is no file {path}; choose another.")
            yield "vocab_files", text.format(path=path)
        elif not pieces_in(path):
            text = QCoreApplication.translate(
                "FormCheck", "{path} cannot be read as SentencePiece pieces; choose another file."
            )
            yield "vocab_files", text.format(path=path)


def _model(values: Mapping[str, Any]) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    width, heads = values["d_model"], values["n_heads"]
    if width % heads:
        near = translate("FormCheck", " or ").join(map(str, divisors_near(width, heads)))
        text = translate(
            "FormCheck", "A width of {width} cannot be shared evenly among {heads} heads; try {near}."
        )
        yield "n_heads", text.format(width=width, heads=heads, near=near)
    if values["positions"] == "sinusoidal" and width % 2:
        yield (
            "d_model",
            translate(
                "FormCheck", "Sines and cosines come in pairs: the width must be even, or positions learned."
            ),
        )
    if values["tie_embeddings"] == "all" and not shares_vocabulary(values):
        yield (
            "tie_embeddings",
            translate(
                "FormCheck", "Two vocabularies cannot share one table; tie target and output only, or none."
            ),
        )
    if values["max_tokens"] > values["max_positions"]:
        text = translate(
            "FormCheck", "Pairs of up to {tokens} tokens are used; the model must be able to read that many."
        )
        yield "max_positions", text.format(tokens=values["max_tokens"])


def _training(values: Mapping[str, Any]) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    epochs = 0.0 if ends_otherwise(values) else values["epochs"]
    if not (epochs or values["steps"] or values["minutes"]):
        yield "epochs", translate("FormCheck", "Choose when the run ends: after epochs, steps or minutes.")
    if values["schedule"] == "cosine" and not (values["cosine_steps"] or values["steps"] or epochs):
        yield (
            "schedule",
            translate(
                "FormCheck", "The cosine must know where it ends: give epochs or steps, or its last step."
            ),
        )
    rate = values["learning_rate"]
    if values["schedule"] != "noam" and rate >= 1:
        text = translate("FormCheck", "A rate of {rate} would ruin the weights in one step; try {usual}.")
        yield "learning_rate", text.format(rate=rate, usual=learning_rate_for(values["schedule"]))
    if values["patience"] and values["stop_on"] == "bleu" and not values["bleu_sentences"]:
        yield (
            "stop_on",
            translate(
                "FormCheck", "BLEU is not measured; set a number of sentences for it, or watch the loss."
            ),
        )


def _watch(values: Mapping[str, Any]) -> Iterator[Problem]:
    if values["probe_target"].strip() and not values["probe"].strip():
        yield (
            "probe_target",
            QCoreApplication.translate("FormCheck", "Give the sentence that this translates."),
        )


def _out(out: str) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    if not out:
        yield "out", translate("FormCheck", "Choose a folder for the model.")
        return
    try:
        path = Path(out)
        if holds_run(out):
            yield "out", translate("FormCheck", "This folder holds a run that can be resumed.")
        elif path.exists():
            yield "out", translate("FormCheck", "This place is already taken; choose a new folder.")
        elif not _writable(path):
            yield "out", translate("FormCheck", "No folder can be created there; choose another place.")
    except (OSError, ValueError):
        yield "out", translate("FormCheck", "No folder can be created there; choose another place.")


def _refused(values: Mapping[str, Any]) -> dict[str, str]:
    """What `TrainOptions` itself refuses and nothing above has found."""
    try:
        options_of(values)
    except HeadscopeError as error:
        name = str(error.values.get("field", ""))
        return {name if name in FIELDS else "name": sentence(error.code, error.values)}
    return {}


def shares_vocabulary(values: Mapping[str, Any]) -> bool:
    """Whether both languages use one vocabulary."""
    files = values["vocab_files"]
    return len(files) == 1 if files else bool(values["shared_vocab"])


def divisors_near(width: int, heads: int) -> tuple[int, ...]:
    """The largest divisor of `width` below `heads` and the smallest above it, as far as there are such."""
    below = next((n for n in range(min(heads, width), 0, -1) if width % n == 0), 1)
    above = next((n for n in range(heads, width + 1) if width % n == 0), below)
    return (below,) if above == below else (below, above)


def _writable(path: Path) -> bool:
    """Whether the nearest folder above `path` that is there takes new ones."""
    parent = next((folder for folder in path.absolute().parents if folder.exists()), None)
    return parent is not None and parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
