"""Form check: what is wrong with a run, in words, by the field it stands under."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.training.fields.fields import FIELDS
from viewer.document.messages.notice import Notice, sentence
from viewer.document.training.form_values import ends_otherwise, learning_rate_for, options_of
from viewer.pages.train.form.form_disk import Asked, FormDisk

Problem = tuple[str, str]

# Of what reading files may show: where it is not the files that a person would change.
_ROWS = {
    "corpus_column": "columns",
    "corpus_no_column": "columns",
    "corpus_encoding_unknown": "encoding",
}


def problems(values: Mapping[str, Any], out: str, disk: FormDisk) -> dict[str, str]:
    """The first problem of each field, by its name; `out` is the folder's."""
    found: dict[str, str] = {}
    for name, text in (
        *_data(values, disk),
        *_vocabulary(values, disk),
        *_model(values),
        *_training(values),
        *_watch(values),
        *_out(out, disk),
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


def places(values: Mapping[str, Any], out: str) -> Iterator[Asked]:
    """Where the disk is to be looked at for the problems of these."""
    for path in _data_files(values):
        yield Asked("pairs", path)
    for path in values["vocab_files"]:
        yield Asked("pieces", path)
    if out:
        yield Asked("out", out)


def _data_files(values: Mapping[str, Any]) -> tuple[str, ...]:
    source = values["source"]
    return () if source == "task" else values["pairs" if source == "files" else "parallel"]


def waiting_for_disk() -> str:
    """In place of a problem that only the disk knows of."""
    return QCoreApplication.translate("FormCheck", "Waiting for the disk to answer.")


def _data(values: Mapping[str, Any], disk: FormDisk) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    source = values["source"]
    if source == "task":
        if not values["task"]:
            yield "task", translate("FormCheck", "Choose a task.")
        return
    name = "pairs" if source == "files" else "parallel"
    paths = _data_files(values)
    if source == "parallel" and (len(paths) != 2 or not all(paths)):
        yield name, translate("FormCheck", "Choose two files that translate each other line by line.")
    elif not paths:
        yield name, translate("FormCheck", "Choose a file of sentence pairs, or drop one here.")
    elif source == "parallel" and paths[0] == paths[1]:
        yield name, translate("FormCheck", "Both files are the same; choose the translations as the second.")
    else:
        for path in paths:
            found = disk.at(Asked("pairs", path))
            if found is None:
                yield name, waiting_for_disk()
            elif not found.is_file:
                text = translate("FormCheck", "There is no file {path}; choose another.")
                yield name, text.format(path=path)
    if 0 < values["max_ratio"] < 1:
        yield "max_ratio", translate("FormCheck", "The ratio cannot be below 1; give 1 or more.")
    first, second = values["columns"]
    if source == "files" and first == second:
        yield "columns", translate("FormCheck", "Both columns are the same; choose two.")


def _vocabulary(values: Mapping[str, Any], disk: FormDisk) -> Iterator[Problem]:
    for path in values["vocab_files"]:
        found = disk.at(Asked("pieces", path))
        if found is None:
            yield "vocab_files", waiting_for_disk()
        elif not found.is_file:
            text = QCoreApplication.translate("FormCheck", "There is no file {path}; choose another.")
            yield "vocab_files", text.format(path=path)
        elif not found.pieces:
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
    kept = values["kv_heads"]
    if kept and heads % kept:
        near = translate("FormCheck", " or ").join(
            str(count) for count in divisors_near(heads, kept) if count <= heads
        )
        text = translate(
            "FormCheck", "{heads} heads cannot be shared evenly among {kept} of keys and values; try {near}."
        )
        yield "kv_heads", text.format(heads=heads, kept=kept, near=near)
    if values["positions"] == "sinusoidal" and width % 2:
        yield (
            "d_model",
            translate(
                "FormCheck", "Sines and cosines come in pairs: the width must be even, or positions learned."
            ),
        )
    if values["positions"] == "rotary" and not width % heads and width // heads % 2:
        text = translate("FormCheck", "Rotary positions turn pairs: a head's width, {width}, must be even.")
        yield "n_heads", text.format(width=width // heads)
    if values["tie_embeddings"] == "all" and not shares_vocabulary(values):
        yield (
            "tie_embeddings",
            translate(
                "FormCheck", "Two vocabularies cannot share one table; tie target and output only, or none."
            ),
        )
    if values["copying"] and not shares_vocabulary(values):
        yield (
            "copying",
            translate("FormCheck", "Words can be copied only where both languages share one vocabulary."),
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


def _out(out: str, disk: FormDisk) -> Iterator[Problem]:
    translate = QCoreApplication.translate
    found = disk.at(Asked("out", out))
    if not out:
        yield "out", translate("FormCheck", "Choose a folder for the model.")
    elif found is None:
        yield "out", waiting_for_disk()
    elif found.has_run:
        yield "out", translate("FormCheck", "This folder holds a run that can be resumed.")
    elif found.is_taken:
        yield "out", translate("FormCheck", "This place is already taken; choose a new folder.")
    elif not found.is_free:
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
