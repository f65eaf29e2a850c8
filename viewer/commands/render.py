"""`render`: a figure, its data, or an animation, without a screen. From a trace file it needs no torch."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from model.bundled import DEFAULT_MODEL
from model.commands.console import DONE, parser, positive, say
from model.commands.decoding_options import add_alteration_arguments, alterations_of
from model.errors import HeadscopeError
from model.files import amount
from model.trace import AttentionKind, Trace

if TYPE_CHECKING:
    from model.alterations import Alteration
    from viewer.export.animation import Progress
    from viewer.export.request import ExportRequest, Source

_KINDS = [str(kind) for kind in AttentionKind]
_PICTURE_ONLY = ("dpi", "width", "theme", "sqrt", "raw_pieces")
_ANIMATION_ONLY = ("animate", "fps", "hold", "once")


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; layers, heads and steps count from 1."""
    result = parser("render", "Write a figure, or its data. Layers, heads and steps count from 1.")
    add = result.add_argument
    add("text", nargs="?", metavar="TEXT", help="sentence to translate (after -- if it starts with a dash)")
    add("--trace", metavar="FILE|FOLDER", help="take the figure from a saved trace, or from a time-lapse")
    add(
        "--compare", metavar="FILE", help="draw the difference between this saved trace (A) and the other (B)"
    )
    add("--frame", type=int, metavar="STEP", help="training step of the time-lapse to draw")
    add("--model", metavar="M", help=f"folder or bundled name (default {DEFAULT_MODEL})")
    add(
        "--any-script", action="store_true", help="read TEXT even in a script that the model was not made for"
    )
    add(
        "--view",
        choices=["heatmap", "heads", "positions"],
        default="heatmap",
        help="one head's weights (default), all heads of a family, or the positional encoding",
    )
    add("--kind", choices=_KINDS, help="family of attention (default: the showcase's)")
    add("--layer", type=int, metavar="N", help="(default: the showcase's, or 1)")
    add("--head", type=_head, metavar="N|mean", help="a head, or the mean over the layer's heads")
    add("--step", type=int, metavar="N", help="as after this step (default: the whole decoding)")
    add("--dpi", type=int, metavar="N", help="pixels per inch of PNG (default 300)")
    add("--width", type=float, metavar="MM", help="width of the page (default 160)")
    add("--theme", choices=["light", "dark"], help="(default light)")
    add("--sqrt", action="store_true", help="colours by the square root of the weight")
    add("--hide-specials", action="store_true", help="leave start and end tokens out")
    add("--raw-pieces", action="store_true", help="tokens as the tokenizer writes them")
    add("--positions", type=positive, metavar="N", help="positions to show (view positions; default 64)")
    add("--curves", type=_dimensions, metavar="N,N|none", help="dimensions to draw as curves, from 0")
    add("--language", choices=["en", "zh"], default="en", help="of titles and captions")
    add(
        "--out",
        required=True,
        metavar="FILE",
        help="what to write: .png .svg .pdf .gif .webp .csv .npz .trace",
    )
    add_alteration_arguments(result)
    _add_motion(result)
    return result


def _add_motion(result: argparse.ArgumentParser) -> None:
    add = result.add_argument_group("animations (.gif, .webp)").add_argument
    add(
        "--animate",
        choices=["training", "steps"],
        help="through the frames of a time-lapse (its default), or the steps of a decoding",
    )
    add("--fps", type=float, metavar="N", help="frames a second (default 5)")
    add("--hold", type=float, metavar="SECONDS", help="how much longer the last frame stays (default 1.5)")
    add("--once", action="store_true", help="play once instead of over and over")


def run(argv: list[str]) -> int:
    """See `headscope render --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    positions = given.view == "positions"
    if given.text is not None and given.trace is not None:
        arguments.error("give TEXT or --trace, not both")
    if given.text is None and given.trace is None and not positions:
        arguments.error("give TEXT or --trace FILE")
    if given.compare is not None and given.view != "heatmap":
        arguments.error("--compare draws one map; leave --view out")
    alterations = alterations_of(given, arguments)
    if alterations and (positions or given.text is None):
        arguments.error("--ablate, --block-token, --no-positions change how TEXT is translated; give TEXT")
    from viewer.commands.headless import start_qt

    application = start_qt(given.language)
    from viewer.export.animation import ANIMATIONS
    from viewer.export.writers import file_format, write_export

    wanted = file_format(given.out)
    source = positions_source(given) if positions else attention_source(given, alterations)
    if given.compare is not None:
        source = _compared(source, given.compare)
    request = request_of(given, source)
    if given.animate is not None and wanted not in ANIMATIONS:
        raise HeadscopeError("animation_still", path=given.out)
    request = _moving(given, source, request) if wanted in ANIMATIONS else request
    _note_unused(given, wanted, request)
    if wanted in ANIMATIONS and source.compared is None:
        _write_animation(source, request, given.out, wanted)
    else:
        if source.sequence is not None and given.frame is None and not positions:
            raise HeadscopeError("animation_frame", path=given.trace)
        write_export(source, request, given.out)
    del application
    return DONE


def _moving(given: argparse.Namespace, source: Source, request: ExportRequest) -> ExportRequest:
    """The request with its motion, at a screen's resolution unless another is named."""
    from viewer.export.animation import DEFAULT_DPI
    from viewer.export.request import Motion

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

    def show(progress: Progress) -> None:
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


def attention_source(given: argparse.Namespace, alterations: tuple[Alteration, ...] = ()) -> Source:
    """The trace that is named, or of the text decoded now."""
    from viewer.export.request import Source

    if given.trace is not None:
        return _saved_source(given)
    from viewer.commands.headless import decode, load_model

    translator = load_model(given.model or DEFAULT_MODEL)
    trace = decode(translator, given.text, any_script=given.any_script, alterations=alterations)
    return Source(trace=trace)


def _compared(source: Source, path: str) -> Source:
    """The same with the trace that it is compared with."""
    from model.trace_file import open_trace

    return replace(source, compared=(open_trace(path), source.need_trace()))


def _saved_source(given: argparse.Namespace) -> Source:
    """A trace file, or a frame (the last, if none is named) of the time-lapse in a folder."""
    from model.trace_file import open_trace
    from model.trace_sequence import TraceSequence
    from viewer.export.request import Source

    if not Path(given.trace).is_dir():
        return Source(trace=open_trace(given.trace))
    sequence = TraceSequence.open(given.trace)
    for error in sequence.damaged:
        say(f"headscope: note: {error}")
    place = len(sequence) - 1
    trace = sequence.frame(place) if given.frame is None else sequence.of_number(given.frame)
    return Source(trace=trace, sequence=sequence)


def request_of(given: argparse.Namespace, source: Source) -> ExportRequest:
    """What the arguments ask for; where they are silent, the showcase head and the defaults."""
    from viewer.export.request import ExportRequest, FigureKind
    from viewer.state.document import ViewOptions
    from viewer.state.selection import Selection

    selection = Selection()
    if source.trace is not None:
        kind, layer, head = _opening(given, source.trace)
        if given.kind is not None:
            kind = AttentionKind(given.kind)
        if given.layer is not None:
            layer = given.layer - 1
        if given.head is not None:
            head = None if given.head == "mean" else given.head - 1
        selection = Selection(kind=kind, layer=layer, head=head)
    request = ExportRequest(
        view=FigureKind(given.view) if source.compared is None else FigureKind.DIFFERENCE,
        selection=selection,
        options=ViewOptions(
            sqrt_scale=given.sqrt, raw_pieces=given.raw_pieces, hide_specials=given.hide_specials
        ),
        step=None if given.step is None else given.step - 1,
    )
    changes = {
        "theme": given.theme,
        "width_mm": given.width,
        "dpi": given.dpi,
        "positions": given.positions,
        "curves": given.curves,
    }
    return request.but(**{name: value for name, value in changes.items() if value is not None})


def _opening(given: argparse.Namespace, trace: Trace) -> tuple[AttentionKind, int, int | None]:
    """The showcase head where the arguments name none at all, else the first of the last family."""
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


def _note_unused(given: argparse.Namespace, wanted: str, request: ExportRequest) -> None:
    """Say which arguments make no difference to the file that is written."""
    unused = [] if wanted in ("png", "svg", "pdf", "gif", "webp") else list(_PICTURE_ONLY)
    if wanted not in ("gif", "webp"):
        unused += _ANIMATION_ONLY
    elif request.motion.over == "steps":
        unused.append("step")
    if given.trace is None or not Path(given.trace).is_dir():
        unused.append("frame")
    if given.view == "positions":
        unused += ["kind", "layer", "head", "step", "hide_specials", "sqrt", "raw_pieces", "text", "trace"]
    elif given.compare is not None:
        unused.append("step")
    elif wanted in ("npz", "trace"):
        unused += ["kind", "layer", "head", "step", "hide_specials"]
    elif given.view == "heads":
        unused += ["layer", "head"]
    if given.view != "positions":
        unused += ["positions", "curves"]
    named = [name for name in dict.fromkeys(unused) if getattr(given, name) not in (None, False)]
    if named:
        flags = ", ".join("TEXT" if name == "text" else "--" + name.replace("_", "-") for name in named)
        say(f"headscope: note: no difference to this file: {flags}")


def _head(text: str) -> int | str:
    try:
        return "mean" if text == "mean" else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number nor mean") from None


def _dimensions(text: str) -> tuple[int, ...]:
    try:
        return () if text == "none" else tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "whole numbers with commas between, nor none"
        raise argparse.ArgumentTypeError(f"{text!r} is neither {wanted}") from None
