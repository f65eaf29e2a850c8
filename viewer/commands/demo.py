"""`demo`: the whole main job without a screen: decode, draw, write, and a picture of the window."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.abilities import can_compute
from model.commands.console import DONE, emit, parser, say
from model.errors import HeadscopeError
from model.files.files import replace_bytes, shown
from model.files.suffixes import check_folder
from model.folder.bundled import DEFAULT_MODEL, resolve_model
from model.trace.trace import AttentionKind, Trace
from viewer.commands.trace_answers import TraceAnswers

if TYPE_CHECKING:
    from model.translator.translator import Translator
    from viewer.figures.request import ExportRequest, Source

SENTENCE = "The young woman did not want to buy the red car."


@dataclass(frozen=True)
class Made:
    """A file that was written.

    Attributes:
        layer, head: from 0, None where they do not apply; the head may be `mean`.
    """

    path: str
    view: str | None = None
    kind: str | None = None
    layer: int | None = None
    head: int | str | None = None

    def to_json(self) -> dict[str, Any]:
        """An entry of the manifest."""
        return {name: getattr(self, name) for name in ("path", "view", "kind", "layer", "head")}


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser("demo", "Translate a sentence and write every kind of picture and data about it.")
    result.add_argument("--out", required=True, metavar="DIR", help="folder; files in it are replaced")
    result.add_argument("--json", action="store_true", help="print the manifest on stdout")
    result.add_argument("--model", default=DEFAULT_MODEL, metavar="M", help="folder or bundled name")
    result.add_argument(
        "--language", choices=["en", "zh"], default="en", help="language of titles and captions"
    )
    return result


def run(argv: list[str]) -> int:
    """See `headscope demo --help`."""
    given = build_parser().parse_args(argv)
    check_folder(given.out)
    resolve_model(given.model)
    out = Path(os.path.abspath(given.out))
    from viewer.commands.headless import decode, load_model, make_folder, model_source, start_qt

    make_folder(out)
    application = start_qt(given.language, widgets=True)
    from viewer.figures.request import Source

    if can_compute():
        say(f"headscope: loading the model {given.model}")
        translator = load_model(given.model)
        sentence = sentence_for(translator)
        say(f"headscope: translating: {sentence}")
        trace = decode(translator, sentence)
        opening = opening_request(given.model, trace)
        source = replace(model_source(translator, trace), known=TraceAnswers(trace, translator=translator))
        made = write_figures(out, source, opening)
        made.append(write_translations(out, translator, trace))
        made.append(write_window(out, trace, opening, given.language, translator))
    else:
        say(f"headscope: {HeadscopeError('cannot_compute')}")
        trace = recorded_trace(given.model)
        opening = opening_request(given.model, trace)
        made = write_figures(out, Source(trace), opening)
        made.append(write_window(out, trace, opening, given.language))
    manifest = {
        "text": trace.tgt_text,
        "source": trace.src_text,
        "model": trace.model_name,
        "files": [each.to_json() for each in made],
    }
    replace_bytes(out / "manifest.json", (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode())
    if given.json:
        emit(manifest)
    say(f"headscope: {len(made)} files and manifest.json are in {shown(out)}")
    del application
    return DONE


def sentence_for(translator: Translator) -> str:
    """The sentence of the model's recorded example, else a sample in its language, else an English one."""
    from model.trace.trace_file import open_trace
    from viewer.resources import example_trace, samples

    recorded = example_trace(translator.bundle.folder)
    if recorded is not None:
        try:
            return open_trace(recorded).src_text
        except HeadscopeError:
            pass  # the example is only a suggestion
    language = translator.bundle.config.languages[0]
    groups = {} if language == "en" else samples(language)
    return next((text for group in groups.values() for text in group), SENTENCE)


def recorded_trace(model: str) -> Trace:
    """The model's recorded example.

    Raises:
        HeadscopeError: it has none.
    """
    from model.trace.trace_file import open_trace
    from viewer.resources import example_trace

    recorded = example_trace(resolve_model(model))
    if recorded is None:
        raise HeadscopeError("heads_no_example", name=model)
    return open_trace(recorded)


def opening_request(model: str, trace: Trace) -> ExportRequest:
    """The map of the model's showcase head, else of the first head of the last kind."""
    from viewer.commands.headless import showcase_of
    from viewer.document.selection import Selection
    from viewer.figures.request import ExportRequest

    showcase = showcase_of(model, trace)
    if showcase is None:
        return ExportRequest(selection=Selection(kind=trace.kinds[-1]))
    return ExportRequest(selection=Selection(kind=showcase.kind, layer=showcase.layer, head=showcase.head))


def write_figures(out: Path, source: Source, opening: ExportRequest) -> list[Made]:
    """Every picture and every kind of data that the source has; returns what was written."""
    from viewer.document.document import ViewOptions
    from viewer.document.selection import Numbers, Selection
    from viewer.export.writers import file_format, write_export
    from viewer.figures.registry import asked

    made = []

    def write(name: str, request: ExportRequest) -> None:
        say(f"headscope: writing {name}")
        write_export(source, request, out / name)
        kind, layer, head = str(request.selection.kind), request.selection.layer, request.selection.head
        path = str(out / name)
        if file_format(name) in ("npz", "trace"):
            made.append(Made(path))
        elif not asked(request.view).one_map:
            kinds = () if "kind" in asked(request.view).ignored else (kind,)
            made.append(Made(path, request.view, *kinds))
        else:
            numbers = request.selection.numbers
            view = str(request.view if numbers is Numbers.WEIGHTS else numbers)
            mean = head is None or numbers is Numbers.ROLLOUT
            made.append(Made(path, view, kind, layer, "mean" if mean else head))

    known = source.known is not None
    views = [
        view for view in ("flow", "words", "arithmetic", "shares") if known or not asked(view).asks_model
    ]
    for ending in ("png", "svg", "pdf", "csv"):
        write(f"map.{ending}", opening)
    write("map-dark.png", opening.but(theme="dark"))
    write("map-sqrt.png", opening.but(options=ViewOptions(sqrt_scale=True)))
    write("map-mean.png", opening.but(selection=opening.selection.but(head=None)))
    trace = source.need_trace()
    for kind in trace.kinds:
        heads = opening.but(view="heads", selection=opening.selection.but(kind=kind, layer=0, head=0))
        for ending in ("png", "pdf"):
            write(f"heads-{str(kind).replace('_', '-')}.{ending}", heads)
    for view in views:
        for ending in ("png", "pdf", "csv"):
            write(f"{view}.{ending}", opening.but(view=view))
    encoder = Selection(AttentionKind.ENCODER_SELF, trace.layers(AttentionKind.ENCODER_SELF) - 1)
    write("rollout.png", opening.but(selection=encoder.but(numbers=Numbers.ROLLOUT)))
    if known:
        lengths = opening.selection.but(numbers=Numbers.VALUE_WEIGHTED)
        write("value-weighted.png", opening.but(selection=lengths))
    if source.positions is not None:
        for ending in ("png", "svg"):
            write(f"positions.{ending}", opening.but(view="positions"))
    write("decoding.npz", opening)
    write("decoding.trace", opening)
    return made


def write_translations(out: Path, translator: Translator, greedy: Trace) -> Made:
    """The greedy translation beside the one that beam search finds."""
    from model.decoding.decode_config import DecodeConfig
    from viewer.commands.headless import decode

    say("headscope: searching with a beam of 5")
    beam = decode(translator, greedy.src_text, DecodeConfig(mode="beam"))
    lines = [f"source: {greedy.src_text}"]
    for name, trace in (("greedy", greedy), ("beam 5", beam)):
        lines.append(f"{name}: {trace.tgt_text} (log probability {float(trace.step_logprob.sum()):.4f})")
    path = out / "translations.txt"
    replace_bytes(path, ("\n".join(lines) + "\n").encode())
    return Made(str(path))


def write_window(
    out: Path, trace: Trace, opening: ExportRequest, language: str, translator: Translator | None = None
) -> Made:
    """A picture of the real window, mid-sentence on the head of the main picture."""
    from viewer.commands.window_picture import window_image
    from viewer.export.png import png_of

    say("headscope: drawing the window")
    selection = opening.selection.but(step=trace.steps // 2)
    model = None if translator is None else translator.describe()
    known = TraceAnswers(trace, translator=translator)
    locale_name = "zh_CN" if language == "zh" else "en"
    image = window_image(trace, selection, model, locale_name, known)
    path = out / "window.png"
    replace_bytes(path, png_of(image))
    return Made(str(path), "window", str(selection.kind), selection.layer, selection.head)
