"""`render --lesson`: a page of Learn as a picture, or its numbers."""

from __future__ import annotations

import argparse
import functools

from model.alterations.arguments import alterations_of
from model.commands.console import DONE, say
from model.commands.lesson import AskedLesson, recorded_example
from model.commands.standard_input import one_text
from model.experiments.registry import page_named
from model.folder.bundled import DEFAULT_MODEL
from viewer.commands.headless import decode, load_model, start_qt

_OTHERS = ("trace", "compare", "first", "frame", "kind", "layer", "head", "step", "animate", "links")
_FLAGS = {"first": "from"}


def render_lesson(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> int:
    """Draw it as its page does, where its controls are set; returns the exit status."""
    lesson = page_named(given.lesson)
    for name in _OTHERS:
        if getattr(given, name) is not None:
            arguments.error(f"--{_FLAGS.get(name, name)} is not of a lesson; its controls are set by --set")
    alterations = alterations_of(given, arguments)
    text = None if given.text is None else one_text(given.text)
    if alterations and text is None:
        arguments.error("--ablate, --block-token, --no-positions change how TEXT is translated; give TEXT")
    model = given.model or DEFAULT_MODEL
    application = start_qt(given.language)
    from viewer.experiments.registry import told_named
    from viewer.export.writers import write_export
    from viewer.figures.paper import told
    from viewer.figures.request import ExportRequest, Page, Source
    from viewer.figures.rows import figure_rows
    from viewer.lessons.sheet import lesson_sheet

    loaded = functools.cache(lambda: load_model(model))
    trace = (
        recorded_example(model)
        if text is None
        else decode(loaded(), text, any_script=given.any_script, alterations=alterations)
    )
    asked = AskedLesson(lesson, given.set, trace, loaded)
    figure = lesson_sheet(told_named(lesson.name), asked.numbers, asked.values, *asked.model_facts)
    page = Page(figure, lesson.name, tuple(figure_rows(figure)))
    request = ExportRequest(view="page").but(**told(given))
    caption = write_export(Source(page=page), request, given.out)
    if request.bare and caption:
        say(f"headscope: caption: {caption}")
    del application
    return DONE
