"""Render arguments: what `render` is told, and which of it makes no difference to a file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from model.alterations.arguments import add_alteration_arguments
from model.commands.console import parser, say
from model.commands.lesson import add_lesson_arguments
from model.folder.bundled import DEFAULT_MODEL
from model.trace.trace import AttentionKind
from viewer.document.selection import Numbers
from viewer.export.animation import ANIMATIONS
from viewer.export.data import DATA
from viewer.export.picture import FORMATS
from viewer.figures.kind import Asked, Subject
from viewer.figures.option import NUMBERS, OF_A_MAP, WHOLE_WORDS
from viewer.figures.paper import HIGHLIGHT, PAPER, SCALE
from viewer.figures.registry import asked, commanded, own_options
from viewer.figures.request import ExportRequest, Source

_KINDS = [str(kind) for kind in AttentionKind]
_OF_ALL_LAYERS = ("mean_layers", "max_layers")
_OF_ALL_HEADS = (*_OF_ALL_LAYERS, "max_heads", "rollout", "alti", "alti_layer", "zeroing", "zeroing_layer")
_PICTURE_ONLY = (*(option.dest for option in PAPER), "raw_pieces")
_ANIMATION_ONLY = ("animate", "fps", "hold", "once")


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; layers, heads and steps count from 1."""
    result = parser("render", "Write a figure, or its data. Layers, heads and steps count from 1.")
    add = result.add_argument
    add(
        "text",
        nargs="?",
        metavar="TEXT",
        help="sentence to translate (after -- if it starts with a dash); - for a line of standard input",
    )
    add("--trace", metavar="FILE|FOLDER", help="take the figure from a saved trace, or from a time-lapse")
    add("--compare", metavar="FILE", help="draw a pair: this saved trace (A) and the other (B)")
    add(
        "--from",
        dest="first",
        metavar="TEXT",
        help="draw a pair: this text, decoded by the same model (A), and the other (B)",
    )
    add("--frame", type=int, metavar="STEP", help="training step of the time-lapse to draw")
    add("--model", metavar="M", help=f"folder or bundled name (default {DEFAULT_MODEL})")
    add(
        "--any-script", action="store_true", help="read TEXT even in a script that the model was not made for"
    )
    kinds = commanded()
    add("--view", choices=list(kinds), help=_views_said(kinds))
    add("--lesson", metavar="NAME", help="a page of Learn instead of a view (headscope lesson --list)")
    add_lesson_arguments(result)
    add("--kind", choices=_KINDS, help="family of attention (default: the showcase's)")
    add("--layer", type=int, metavar="N", help="(default: the showcase's, or 1)")
    add("--head", type=_head, metavar="N|mean", help="a head, or the mean over the layer's heads")
    add("--step", type=int, metavar="N", help="as of this step (default: the whole decoding)")
    _add_numbers(result)
    add("--hide-specials", action="store_true", help="leave out start and end tokens")
    add("--raw-pieces", action="store_true", help="tokens as the tokenizer writes them")
    for option in own_options():
        add(option.flag, **option.settings)
    add("--language", choices=["en", "zh"], default="en", help="language of titles and captions")
    add(
        "--each",
        choices=["heads", "steps"],
        help="a file for every head of the family, or every step: FILE.png gives FILE-layer1-head1.png, …",
    )
    add(
        "--out",
        required=True,
        metavar="FILE",
        help="file to write: .png .svg .pdf .gif .webp .csv .npz .trace .pharaoh",
    )
    add_alteration_arguments(result)
    _add_paper(result)
    _add_motion(result)
    return result


def _add_numbers(result: argparse.ArgumentParser) -> None:
    group = result.add_argument_group("what is drawn of a map")
    for option in OF_A_MAP:
        group.add_argument(option.flag, **option.settings)


def _add_paper(result: argparse.ArgumentParser) -> None:
    group = result.add_argument_group("the page (as in the export dialog)")
    for option in PAPER:
        group.add_argument(option.flag, **option.settings)
    group.add_argument(
        "--sqrt", action="store_const", const="sqrt", dest=SCALE.dest, help="the same as --scale sqrt"
    )


def _views_said(kinds: Mapping[str, Asked]) -> str:
    """What each kind of figure is, in one sentence; what begins with "or" goes on with the one before."""
    *said, last = [kind.help for kind in kinds.values() if kind.help]
    text = "".join((" " if part.startswith("or ") else ", ") + part for part in said)
    return f"{text.removeprefix(', ')}, or {last}"


def _add_motion(result: argparse.ArgumentParser) -> None:
    add = result.add_argument_group("animations (.gif, .webp)").add_argument
    add(
        "--animate",
        choices=["training", "steps"],
        help="through the frames of a time-lapse (its default), or the steps of a decoding",
    )
    add("--fps", type=float, metavar="N", help="frames per second (default 5)")
    add("--hold", type=float, metavar="SECONDS", help="how much longer the last frame stays (default 1.5)")
    add("--once", action="store_true", help="play once instead of looping")


def asked_of(given: argparse.Namespace) -> Asked:
    """How the figure that is meant is asked for."""
    return asked(view_of(given))


def view_of(given: argparse.Namespace) -> str:
    """The name of the kind of figure that is meant: of a pair the difference, unless another is named."""
    pair = given.compare is not None or given.first is not None
    return "difference" if pair and given.view is None else str(given.view or next(iter(commanded())))


def refuse_others(given: argparse.Namespace, arguments: argparse.ArgumentParser, wanted: str) -> None:
    """End with a usage error where a file would hold other numbers than the arguments name.

    What only looks otherwise is noted (`note_unused`); numbers are never written under another name.
    """
    kind, view = asked_of(given), view_of(given)
    numbers, recorded = given.numbers, _is_recorded(kind, wanted)
    only = [kind.only_kind] if kind.only_kind is not None else []
    if numbers == str(Numbers.ROLLOUT):
        only.append((AttentionKind.ENCODER_SELF, "rollout is defined for the encoder"))
    for only_kind, why in only:
        if given.kind not in (None, str(only_kind)):
            arguments.error(f"{why}; leave --kind out")
    if numbers is not None and NUMBERS not in kind.options and numbers not in map(str, kind.shows):
        arguments.error(f"view {view} is not drawn of --numbers {numbers}; leave one of them out")
    others = kind.numbers is not None or numbers not in (None, str(Numbers.WEIGHTS))
    if recorded and kind.about is not Subject.PAIR and others:
        arguments.error(f".{wanted} holds the recorded weights, not {numbers or view}; write .csv")
    merged = given.whole_words and WHOLE_WORDS in kind.options
    if merged and (recorded or (kind.pieces and wanted == "csv")):
        arguments.error(f"a .{wanted} of this view holds pieces; leave --whole-words out")


def _is_recorded(kind: Asked, wanted: str) -> bool:
    """Whether a file holds the decoding as it was recorded, whatever is drawn of it."""
    return wanted in ("npz", "trace") and wanted not in kind.data(Source(None))


def note_unused(given: argparse.Namespace, wanted: str, source: Source, request: ExportRequest) -> None:
    """Say which arguments make no difference to the file that is written."""
    kind, of_a_map = asked_of(given), [option.name for option in OF_A_MAP]
    used = {option.name for option in kind.options}
    unused = [] if wanted in (*FORMATS, *ANIMATIONS) else list(_PICTURE_ONLY)
    unused += [name for name in of_a_map if name not in used]
    unused += ["source_words", "target_words"] if given.links is None else []
    unused += [option.dest for option in PAPER if option.only and wanted not in (*option.only, *DATA)]
    if wanted not in ANIMATIONS:
        unused += _ANIMATION_ONLY
    elif request.motion.over == "steps":
        unused += ["step", HIGHLIGHT.dest]
    if request.step is None and given.each != "steps":
        unused.append(HIGHLIGHT.dest)
    unused += {"heads": ["layer", "head"], "steps": ["step"]}.get(given.each, [])
    if given.trace is None or not Path(given.trace).is_dir():
        unused.append("frame")
    unused += [*kind.ignored, *kind.ignored_besides(source, request)]
    if kind.about is Subject.TRACE and _is_recorded(kind, wanted):
        unused += ["kind", "layer", "head", "step", "hide_specials", *of_a_map]
    elif kind.numbered and given.numbers in _OF_ALL_HEADS:
        unused += ["head", *(["layer"] if given.numbers in _OF_ALL_LAYERS else [])]
    unused += [option.name for option in own_options() if option not in kind.options]
    named = [name for name in dict.fromkeys(unused) if getattr(given, name) not in (None, False)]
    if named:
        flags = ", ".join("TEXT" if name == "text" else "--" + name.replace("_", "-") for name in named)
        say(f"headscope: note: no difference to this file: {flags}")


def _head(text: str) -> int | str:
    try:
        return "mean" if text == "mean" else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number nor mean") from None
