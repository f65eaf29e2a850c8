"""Lectures that are ready: a bundled model's recorded example with bookmarks, from `resources/lectures/`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from viewer.document.document import Bookmark, Document, Pane, Run
from viewer.document.messages.notice import Notice
from viewer.document.scene import Scene
from viewer.document.selection import Selection
from viewer.document.text.input_text import input_text
from viewer.opening import example_of
from viewer.resources import ROOT, bundled_model
from viewer.services.readings import Readings


@dataclass(frozen=True, eq=False)
class Lecture:
    """A lecture before it is opened.

    Attributes:
        model: the folder of its model.
        text: the sentence that it looks at.
    """

    document: Document
    model: Path
    text: str


def ask_lecture(
    readings: Readings,
    language: str,
    show: Callable[[Lecture], object],
    say: Callable[[Notice], object],
) -> None:
    """Have a lecture read beside the window, in its turn; `say` why it cannot be."""
    name = f"{language}.json"
    read = partial(readings.read, name, partial(lecture, language), show)
    readings.ask(("lecture", language), partial(read, lambda error: say(Notice.of(error))))


def lecture(language: str) -> Lecture:
    """The lecture in `en` or `zh`. In any thread.

    Raises:
        HeadscopeError: its model is not here, or has no example that can be read.
    """
    told: dict[str, Any] = json.loads((ROOT / "lectures" / f"{language}.json").read_text(encoding="utf-8"))
    folder = bundled_model(told["model"])
    example = None if folder is None else example_of(folder)
    if folder is None or example is None:
        raise HeadscopeError("file_missing", path=str(told["model"]))
    run, selection = example
    marks = tuple(_mark(stop, run, selection) for stop in told["stops"])
    return Lecture(
        Document((run,), (Pane(run.id, selection),), bookmarks=marks), folder, input_text(run.trace)
    )


def _mark(stop: dict[str, Any], run: Run, opening: Selection) -> Bookmark:
    """What a stop does not say of the selection is as the example opens."""
    selection = Selection.from_json({**opening.to_json(), **stop.get("selection", {})})
    return Bookmark(
        stop["name"], Pane(run.id, selection.within(run.trace)), Scene.from_json(stop), stop["note"]
    )
