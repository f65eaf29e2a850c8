"""`render`: a figure, or its data, without a screen. From a trace file it needs no torch."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.bundled import DEFAULT_MODEL
from model.commands.console import DONE, parser, positive, say
from model.errors import HeadscopeError
from model.trace import AttentionKind, Trace

if TYPE_CHECKING:
    from viewer.export.request import ExportRequest, Source

_KINDS = [str(kind) for kind in AttentionKind]
_PICTURE_ONLY = ("dpi", "width", "theme", "sqrt", "raw_pieces")


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; layers, heads and steps count from 1."""
    result = parser("render", "Write a figure, or its data. Layers, heads and steps count from 1.")
    add = result.add_argument
    add("text", nargs="?", metavar="TEXT", help="sentence to translate (after -- if it starts with a dash)")
    add("--trace", metavar="FILE", help="take the figure from a saved trace")
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
    add("--out", required=True, metavar="FILE", help="what to write: .png .svg .pdf .csv .npz .trace")
    return result


def run(argv: list[str]) -> int:
    """See `headscope render --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    positions = given.view == "positions"
    if given.text is not None and given.trace is not None:
        arguments.error("give TEXT or --trace, not both")
    if given.text is None and given.trace is None and not positions:
        arguments.error("give TEXT or --trace FILE")
    from viewer.commands.headless import start_qt

    application = start_qt(given.language)
    from viewer.export.writers import file_format, write_export

    wanted = file_format(given.out)
    source = positions_source(given) if positions else attention_source(given)
    _note_unused(given, wanted)
    write_export(source, request_of(given, source), given.out)
    del application
    return DONE


def positions_source(given: argparse.Namespace) -> Source:
    """The positional encoding of the model that is named, or of the default one."""
    if given.trace is not None and given.model is None:
        raise HeadscopeError("export_positions_model")
    from viewer.commands.headless import load_model, model_source

    return model_source(load_model(given.model or DEFAULT_MODEL))


def attention_source(given: argparse.Namespace) -> Source:
    """The trace that is named, or of the text decoded now."""
    from viewer.export.request import Source

    if given.trace is not None:
        from model.trace_file import open_trace

        return Source(trace=open_trace(given.trace))
    from viewer.commands.headless import decode, load_model

    translator = load_model(given.model or DEFAULT_MODEL)
    return Source(trace=decode(translator, given.text, any_script=given.any_script))


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
        view=FigureKind(given.view),
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
        showcase = showcase_of(given.model or (None if given.trace else DEFAULT_MODEL), trace)
        if showcase is not None:
            return showcase.kind, showcase.layer, showcase.head
    return trace.kinds[-1], 0, 0


def _note_unused(given: argparse.Namespace, wanted: str) -> None:
    """Say which arguments make no difference to the file that is written."""
    unused = [] if wanted in ("png", "svg", "pdf") else list(_PICTURE_ONLY)
    if given.view == "positions":
        unused += ["kind", "layer", "head", "step", "hide_specials", "sqrt", "raw_pieces", "text", "trace"]
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
