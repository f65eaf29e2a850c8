"""`render`: a figure, its data, or an animation, without a screen. From a trace file it needs no torch."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from model.alignment.links import Gold
from model.alignment.pharaoh import parse_line
from model.alterations.arguments import alterations_of
from model.commands.console import DONE, ending_on_signals, say
from model.commands.standard_input import one_text
from model.errors import HeadscopeError
from model.files.files import amount
from model.folder.bundled import DEFAULT_MODEL, bundled_names
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_damage import damage_note
from viewer.commands.trace_answers import TraceAnswers
from viewer.qt_check import load_qt, without_screen

if TYPE_CHECKING:
    from model.alterations.alteration import Alteration
    from viewer.document.selection import Selection
    from viewer.export.animation import FrameProgress
    from viewer.figures.kind import Subject
    from viewer.figures.request import ExportRequest, Source


def run(argv: list[str]) -> int:
    """See `headscope render --help`."""
    without_screen()
    with ending_on_signals():
        # What can be drawn is known to the figures alone, which draw with Qt.
        load_qt("QtCore", "QtGui", "QtSvg")
        from viewer.commands.headless import start_qt
        from viewer.commands.render_arguments import asked_of, build_parser, note_unused, refuse_others
        from viewer.export.animation import ANIMATIONS
        from viewer.export.writers import file_format
        from viewer.figures.kind import Subject

    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.lesson is not None:
        from viewer.commands.render_lesson import render_lesson

        return render_lesson(given, arguments)
    kind = asked_of(given)
    of_model = kind.about is Subject.MODEL
    reads = kind.reads or not of_model
    _check_usage(given, arguments, kind.about)
    alterations = alterations_of(given, arguments)
    if alterations and (not reads or given.text is None):
        arguments.error("--ablate, --block-token, --no-positions change how TEXT is translated; give TEXT")
    if given.text is not None and reads:
        given.text = one_text(given.text)
    application = start_qt(given.language)
    wanted = file_format(given.out)
    refuse_others(given, arguments, wanted)
    if of_model:
        source = reading_source(given, alterations) if reads else positions_source(given)
    else:
        source = attention_source(given, alterations)
    if kind.about is Subject.PAIR:
        source = _compared(source, given)
    if given.links is not None:
        gold = parse_line(given.links)
        gold = replace(gold, source=given.source_words or "", target=given.target_words or "")
        source = replace(source, gold=gold)
        _check_links(source, gold)
    request = request_of(given, source)
    _check_numbers(given, source, request)
    if given.animate is not None and wanted not in ANIMATIONS:
        raise HeadscopeError("animation_still", path=given.out)
    request = _moving(given, source, request) if wanted in ANIMATIONS else request
    note_unused(given, wanted, source, request)
    if given.each is not None and wanted in (*ANIMATIONS, "npz", "trace"):
        arguments.error(f"--each writes pictures and tables, not .{wanted}")
    if wanted in ANIMATIONS and source.compared is None:
        _write_animation(source, request, given.out, wanted)
    else:
        if source.sequence is not None and given.frame is None and not of_model:
            raise HeadscopeError("animation_frame", path=given.trace)
        _write(source, request, given)
    _note_damage(source)
    del application
    return DONE


def _check_usage(given: argparse.Namespace, arguments: argparse.ArgumentParser, about: Subject) -> None:
    """Usage that the parser cannot know of; ends with status 2."""
    from viewer.figures.kind import Subject
    from viewer.figures.registry import commanded

    if given.text is not None and given.trace is not None:
        arguments.error("give TEXT or --trace, not both")
    if given.set:
        arguments.error("--set needs --lesson")
    if given.text is None and given.trace is None and about is not Subject.MODEL:
        arguments.error("give TEXT or --trace FILE")
    paired = given.compare is not None or given.first is not None
    if given.compare is not None and given.first is not None:
        arguments.error("A is --compare FILE or --from TEXT, not both")
    if paired != (about is Subject.PAIR):
        of_pairs = ", ".join(name for name, one in commanded().items() if one.about is Subject.PAIR)
        arguments.error(
            f"--compare and --from draw a pair; leave --view out, or name one of {of_pairs}"
            if paired
            else f"view {given.view} is of a pair; name A by --from TEXT or --compare FILE"
        )


def _note_damage(source: Source) -> None:
    """Say what is wrong with traces that are drawn all the same, as every picture of them does."""
    for trace in (source.trace, *(source.compared or ())[:1]):
        said = "" if trace is None else damage_note(trace)
        if said:
            say(f"headscope: note: {said}")


def _write(source: Source, request: ExportRequest, given: argparse.Namespace) -> None:
    """Write the file, or those of a set, and say what belongs beside them."""
    from viewer.export.sets import members
    from viewer.export.writers import write_export

    if given.each is None:
        _say_of_picture(source, request, write_export(source, request, given.out))
        return
    files = members(source, request, given.each)
    for member in files:
        caption = write_export(member.source, member.request, member.path(given.out))
        _say_of_picture(member.source, member.request, caption)
    say(f"headscope: {len(files)} files, {files[0].path(given.out)} to {files[-1].path(given.out)}")


def _say_of_picture(source: Source, request: ExportRequest, caption: str) -> None:
    """What belongs beside a picture without words, and the type of labels where less fits than is asked."""
    from viewer.export.page import build_page

    if not caption:
        return
    if request.bare:
        say(f"headscope: caption: {caption}")
    if request.font_size is None and not request.to_maximum:
        return
    page = build_page(source, request)
    if request.to_maximum and not page.topped:
        say("headscope: note: no difference to this file: --scale max")
    if request.font_size is not None:
        points = page.label_points
        if points is not None and points < request.font_size - 0.05:
            say(f"headscope: note: labels of {request.font_size:g} pt do not fit; they are {points:.1f} pt")


def _check_links(source: Source, gold: Gold) -> None:
    """Say why links cannot be drawn, if the sentence or its translation lacks their words."""
    from viewer.document.text.gold_words import words_of_gold

    if AttentionKind.CROSS not in source.need_trace().kinds:
        return
    try:
        words = words_of_gold(source.need_trace(), gold)
        gold.check(len(words.source), len(words.target))
    except HeadscopeError as error:
        say(f"headscope: note: the links are not drawn: {error}")


def _check_numbers(given: argparse.Namespace, source: Source, request: ExportRequest) -> None:
    """Refuse to draw weights in place of other numbers, which the window does and says.

    Raises:
        HeadscopeError: `export_numbers`.
    """
    from viewer.figures.asking import selection_of as stepped
    from viewer.figures.building import check
    from viewer.figures.map.numbers import why_not
    from viewer.figures.registry import asked

    if source.trace is None or not asked(request.view).numbered:
        return
    check(source, request)
    selection = stepped(source, request)
    reason = why_not(source.trace, selection, selection.numbers)
    if reason:
        raise HeadscopeError("export_numbers", numbers=str(selection.numbers), reason=reason)


def _moving(given: argparse.Namespace, source: Source, request: ExportRequest) -> ExportRequest:
    """The request with its motion, at a screen's resolution unless another is named."""
    from viewer.export.animation import DEFAULT_DPI
    from viewer.figures.request import Motion

    whole = source.sequence is not None and given.frame is None
    changes = {"over": given.animate, "fps": given.fps, "hold": given.hold}
    motion = Motion(
        **{
            "over": "training" if whole else "steps",
            "loop": not given.once,
            **{name: value for name, value in changes.items() if value is not None},
        }
    )
    return request.but(motion=motion, dpi=DEFAULT_DPI if given.dpi is None else given.dpi)


def _write_animation(source: Source, request: ExportRequest, out: str, wanted: str) -> None:
    """Write it, counting on a terminal, and say how large it is."""
    from viewer.export.animation import animate, finished

    terminal = sys.stderr.isatty()

    def show(progress: FrameProgress) -> None:
        if terminal:
            print(f"\r{100 * progress.done // progress.total:3d} %", end="", file=sys.stderr, flush=True)

    try:
        frames = finished(animate(source, request, out, wanted), show)
    finally:
        if terminal:
            print("\r     \r", end="", file=sys.stderr, flush=True)
    say(f"headscope: {out}: {frames} frames, {amount(Path(out).stat().st_size)}")


def positions_source(given: argparse.Namespace) -> Source:
    """The positional encoding of the model that is named, or of the default one."""
    if given.trace is not None and given.model is None:
        raise HeadscopeError("export_positions_model")
    from viewer.commands.headless import load_model, model_source

    return model_source(load_model(given.model or DEFAULT_MODEL))


def reading_source(given: argparse.Namespace, alterations: tuple[Alteration, ...] = ()) -> Source:
    """The model that is named (or the trace's, or the default one) with what it read.

    That is the text, the trace that is named, or else its recorded example.
    """
    from model.commands.lesson import recorded_example
    from viewer.commands.headless import decode, load_model, model_source

    if given.trace is not None:
        source = _saved_source(given)
        name = given.model or known_model(source.need_trace())
        if name is None:
            return source
        return replace(model_source(load_model(name), source.trace), sequence=source.sequence)
    name = given.model or DEFAULT_MODEL
    translator = load_model(name)
    if given.text is None:
        return model_source(translator, recorded_example(name))
    trace = decode(translator, given.text, any_script=given.any_script, alterations=alterations)
    return model_source(translator, trace)


def known_model(trace: Trace) -> str | None:
    """The bundled model that made a trace; None if none did."""
    return trace.model_name if trace.model_name in bundled_names() else None


def attention_source(given: argparse.Namespace, alterations: tuple[Alteration, ...] = ()) -> Source:
    """The trace that is named, or of the text decoded now."""
    from viewer.figures.request import Source

    if given.trace is not None:
        return _saved_source(given)
    from viewer.commands.headless import decode, load_model

    translator = load_model(given.model or DEFAULT_MODEL)
    trace = decode(translator, given.text, any_script=given.any_script, alterations=alterations)
    return Source(trace=trace, known=TraceAnswers(trace, translator=translator))


def _compared(source: Source, given: argparse.Namespace) -> Source:
    """The same, which is B, with A: a saved trace, or a text that B's model decodes now."""
    if given.compare is not None:
        from model.trace.trace_file import open_trace

        first = open_trace(given.compare)
    else:
        from viewer.commands.headless import decode

        assert isinstance(source.known, TraceAnswers)
        text = one_text(given.first)
        first = decode(source.known.translator(), text, any_script=given.any_script)
    return replace(source, compared=(first, source.need_trace()))


def _saved_source(given: argparse.Namespace) -> Source:
    """A trace file, or a frame (the last, if none is named) of the time-lapse in a folder."""
    from model.trace.trace_file import open_trace
    from model.trace.trace_sequence import TraceSequence
    from viewer.figures.request import Source

    if not Path(given.trace).is_dir():
        trace = open_trace(given.trace)
        return Source(trace=trace, known=TraceAnswers(trace, given.model))
    sequence = TraceSequence.open(given.trace)
    for error in sequence.damaged:
        say(f"headscope: note: {error}")
    place = len(sequence) - 1
    trace = sequence.frame(place) if given.frame is None else sequence.of_number(given.frame)
    return Source(trace=trace, sequence=sequence, known=TraceAnswers(trace, given.model))


def request_of(given: argparse.Namespace, source: Source) -> ExportRequest:
    """What the arguments ask for; where they are silent, the showcase head and the defaults."""
    from viewer.commands.render_arguments import view_of
    from viewer.document.document import ViewOptions
    from viewer.figures.paper import told
    from viewer.figures.registry import asked
    from viewer.figures.request import ExportRequest

    options = ViewOptions(
        raw_pieces=given.raw_pieces,
        hide_specials=given.hide_specials,
        whole_words=given.whole_words,
        incoming=given.incoming,
        alignment_rule=given.rule or "predicts",
    )
    request = ExportRequest(
        view=view_of(given),
        options=options if given.threshold is None else replace(options, threshold=given.threshold),
        step=None if given.step is None else given.step - 1,
    )
    if source.trace is not None:
        request = request.but(selection=selection_of(given, source.trace))
    changes = told(given) | {
        "positions": given.positions,
        "curves": given.curves,
        "stack": given.stack,
        "bias_head": _bias_head(given, source),
        "layer": None if given.layer is None else given.layer - 1,
        "own": {
            option.name: getattr(given, option.name)
            for option in asked(request.view).options
            if option.own and getattr(given, option.name) not in (None, False)
        },
    }
    return request.but(**{name: value for name, value in changes.items() if value is not None})


def _bias_head(given: argparse.Namespace, source: Source) -> int | None:
    """The head of a bias by distance, from 0; None where none is named.

    Raises:
        HeadscopeError: a mean over heads is named, which a bias does not show.
    """
    from viewer.commands.render_arguments import asked_of
    from viewer.document.positions.positions_known import Bias
    from viewer.figures.kind import Subject

    if asked_of(given).about is not Subject.MODEL or given.head is None:
        return None
    biases = [known for known in source.known_positions if isinstance(known, Bias)]
    if given.head == "mean":
        if biases:
            raise HeadscopeError("export_bias_head", value="mean", count=biases[0].heads)
        return None
    return int(given.head) - 1


def selection_of(given: argparse.Namespace, trace: Trace) -> Selection:
    """Kind, layer, heads, numbers and cell; those that are not there are refused when it is drawn."""
    from viewer.commands.render_arguments import asked_of
    from viewer.document.selection import Numbers, Selection, numbers_named

    kind, layer, head = _opening(given, trace)
    if given.kind is not None:
        kind = AttentionKind(given.kind)
    numbers = asked_of(given).numbers or numbers_named(given.numbers or "weights")
    if numbers is Numbers.ROLLOUT:
        kind = AttentionKind.ENCODER_SELF
        layer = max(0, trace.layers(kind) - 1) if kind in trace.kinds else 0
    if given.layer is not None:
        layer = given.layer - 1
    if given.head is not None:
        head = None if given.head == "mean" else given.head - 1
    heads: tuple[int, ...] = ()
    if given.heads is not None:
        every = range(1, trace.heads(kind) + 1)
        first, *others = sorted({number - 1 for number in (every if given.heads == "all" else given.heads)})
        head, heads = first, tuple(others)
    return Selection(
        kind=kind,
        layer=layer,
        head=head,
        more_heads=heads,
        numbers=numbers,
        query=None if given.query is None else given.query - 1,
        key=None if given.key is None else given.key - 1,
    )


def _opening(given: argparse.Namespace, trace: Trace) -> tuple[AttentionKind, int, int | None]:
    """The showcase head where the arguments name none at all, else the first of the last kind."""
    from viewer.commands.headless import showcase_of

    if given.kind is given.layer is given.head is None:
        showcase = showcase_of(
            given.model or _trained_model(given) or (None if given.trace else DEFAULT_MODEL), trace
        )
        if showcase is not None:
            return showcase.kind, showcase.layer, showcase.head
    return trace.kinds[-1], 0, 0


def _trained_model(given: argparse.Namespace) -> str | None:
    """The model whose training a time-lapse shows: the folder around it, if it holds one."""
    if given.trace is None or not Path(given.trace).is_dir():
        return None
    around = Path(given.trace).absolute().parent
    return str(around) if (around / "config.json").is_file() else None
