"""What `render` is told: its arguments, and which of them make no difference to a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from model.bundled import DEFAULT_MODEL
from model.commands.console import parser, positive, say
from model.commands.decoding_options import add_alteration_arguments
from model.trace import AttentionKind

if TYPE_CHECKING:
    from viewer.export.request import ExportRequest

VIEWS = [
    "heatmap", "flow", "words", "heads", "all_heads", "arithmetic", "alignment", "rollout", "shares",
    "positions",
]  # fmt: skip
NUMBERS = [
    "weights", "max_heads", "mean_layers", "max_layers", "rollout", "value_weighted", "gradient", "scores",
    "scaled", "masked",
]  # fmt: skip
_KINDS = [str(kind) for kind in AttentionKind]
_OF_ALL_LAYERS = ("mean_layers", "max_layers")
_OF_ALL_HEADS = (*_OF_ALL_LAYERS, "max_heads", "rollout")
_PICTURE_ONLY = ("dpi", "width", "theme", "sqrt", "raw_pieces")
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
        choices=VIEWS,
        default="heatmap",
        help="one map (default), the same as lines (flow) or as a shaded sentence (words), all heads of a "
        "family or of all (all_heads), one row worked out from queries and keys (arithmetic), the words that "
        "a map links (alignment), rollout over the encoder's layers, how much each step takes from the "
        "source (shares), or the positional encoding",
    )
    add("--kind", choices=_KINDS, help="family of attention (default: the showcase's)")
    add("--layer", type=int, metavar="N", help="(default: the showcase's, or 1)")
    add("--head", type=_head, metavar="N|mean", help="a head, or the mean over the layer's heads")
    add("--step", type=int, metavar="N", help="as after this step (default: the whole decoding)")
    _add_numbers(result)
    add("--dpi", type=int, metavar="N", help="pixels per inch of PNG (default 300)")
    add("--width", type=float, metavar="MM", help="width of the page (default 160)")
    add("--theme", choices=["light", "dark"], help="(default light)")
    add("--sqrt", action="store_true", help="colours by the square root of the weight")
    add("--hide-specials", action="store_true", help="leave start and end tokens out")
    add("--raw-pieces", action="store_true", help="tokens as the tokenizer writes them")
    add("--positions", type=positive, metavar="N", help="positions to show (view positions; default 64)")
    add("--stack", metavar="encoder|decoder|N", help="whose positions, where a model has several")
    add(
        "--curves",
        type=_dimensions,
        metavar="N,N|none",
        help="dimensions (or pairs) to draw as curves, from 0",
    )
    add("--language", choices=["en", "zh"], default="en", help="of titles and captions")
    add(
        "--out",
        required=True,
        metavar="FILE",
        help="what to write: .png .svg .pdf .gif .webp .csv .npz .trace .pharaoh",
    )
    add_alteration_arguments(result)
    _add_motion(result)
    return result


def _add_numbers(result: argparse.ArgumentParser) -> None:
    add = result.add_argument_group("what is drawn of a map").add_argument
    add(
        "--numbers",
        choices=NUMBERS,
        help="instead of attention weights; values, gradients and scores need the model",
    )
    add(
        "--whole-words",
        action="store_true",
        help="merge pieces to words: sums over keys, means over queries; a decoder's row is a word it reads",
    )
    add(
        "--query",
        type=positive,
        metavar="N",
        help="row of the arithmetic; of flow and words the chosen token",
    )
    add("--key", type=positive, metavar="N", help="column of the arithmetic (default: the row's strongest)")
    add("--heads", type=_heads, metavar="N,N|all", help="heads of the layer to draw together (view flow)")
    add(
        "--threshold",
        type=_share,
        metavar="W",
        help="leave out lines of less weight (view flow; default 0.05)",
    )
    add(
        "--links",
        metavar="LINKS",
        help='gold links of the words, such as "0-0 1-2 2p1", drawn over cross-attention',
    )
    add("--source-words", metavar="TEXT", help="the words that LINKS count, spaced (default: the sentence's)")
    add("--target-words", metavar="TEXT", help="the same of the translation")
    add("--rule", choices=["predicts", "reads"], help="which row is a target word's (default predicts)")
    add("--incoming", action="store_true", help="who looks at the chosen token, not whom it looks at (words)")


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


_ONLY_FOR = {
    "numbers": ("heatmap", "flow", "words", "alignment"),
    "whole_words": ("heatmap", "flow", "words", "heads", "all_heads", "rollout"),
    "query": ("flow", "words", "arithmetic"),
    "key": ("flow", "words", "arithmetic"),
    "heads": ("flow",),
    "threshold": ("flow",),
    "links": ("heatmap", "alignment"),
    "source_words": ("heatmap", "alignment"),
    "target_words": ("heatmap", "alignment"),
    "rule": ("heatmap", "alignment"),
    "incoming": ("words", "flow"),
}


def _unused_by_view(given: argparse.Namespace) -> list[str]:
    view = "difference" if given.compare is not None else given.view
    unused = [name for name, views in _ONLY_FOR.items() if view not in views]
    unused += ["source_words", "target_words"] if given.links is None else []
    unused += ["kind", "head"] if view == "shares" else []
    unused += ["sqrt"] if view in ("arithmetic", "shares") else []
    return unused + (["hide_specials"] if view in ("arithmetic", "alignment", "shares") else [])


def refuse_others(given: argparse.Namespace, arguments: argparse.ArgumentParser, wanted: str) -> None:
    """End with a usage error where a file would hold other numbers than the arguments name.

    What only looks otherwise is noted (`note_unused`); numbers are never written under another name.
    """
    view = "difference" if given.compare is not None else given.view
    numbers, recorded = given.numbers, wanted in ("npz", "trace")
    if "rollout" in (view, numbers) and given.kind not in (None, str(AttentionKind.ENCODER_SELF)):
        arguments.error("rollout is defined for the encoder; leave --kind out")
    if view == "shares" and given.kind not in (None, str(AttentionKind.CROSS)):
        arguments.error("shares tell what cross-attention brings; leave --kind out")
    usual = {"rollout": ("rollout",), "heads": ("weights",), "all_heads": ("weights",)}
    if numbers is not None and view not in _ONLY_FOR["numbers"] and numbers not in usual.get(view, ()):
        arguments.error(f"view {view} is not drawn of --numbers {numbers}; leave one of them out")
    if recorded and view != "difference" and (view == "rollout" or numbers not in (None, "weights")):
        arguments.error(f".{wanted} holds the recorded weights, not {numbers or view}; write .csv")
    merged = given.whole_words and view in _ONLY_FOR["whole_words"]
    if merged and (recorded or (view in ("heads", "all_heads") and wanted == "csv")):
        arguments.error(f"a .{wanted} of this view holds pieces; leave --whole-words out")


def note_unused(
    given: argparse.Namespace, wanted: str, request: ExportRequest, *, by_head: bool = False
) -> None:
    """Say which arguments make no difference to the file that is written.

    Args:
        by_head: the view of positions is of a bias, of which a head is looked at.
    """
    unused = [] if wanted in ("png", "svg", "pdf", "gif", "webp") else list(_PICTURE_ONLY)
    unused += _unused_by_view(given)
    if wanted not in ("gif", "webp"):
        unused += _ANIMATION_ONLY
    elif request.motion.over == "steps":
        unused.append("step")
    if given.trace is None or not Path(given.trace).is_dir():
        unused.append("frame")
    if given.view == "positions":
        unused += ["kind", "layer", "step", "hide_specials", "sqrt", "raw_pieces", "text", "trace"]
        unused += ["curves"] if by_head else ["head"]
    elif given.compare is not None:
        unused.append("step")
    elif wanted in ("npz", "trace"):
        unused += ["kind", "layer", "head", "step", "hide_specials", *_ONLY_FOR]
    elif given.view in ("heads", "all_heads"):
        unused += ["layer", "head", *(["kind"] if given.view == "all_heads" else [])]
    elif given.view == "rollout" or given.numbers in _OF_ALL_HEADS:
        unused += ["head", *(["layer"] if given.numbers in _OF_ALL_LAYERS else [])]
    if given.view != "positions":
        unused += ["positions", "curves", "stack"]
    named = [name for name in dict.fromkeys(unused) if getattr(given, name) not in (None, False)]
    if named:
        flags = ", ".join("TEXT" if name == "text" else "--" + name.replace("_", "-") for name in named)
        say(f"headscope: note: no difference to this file: {flags}")


def _head(text: str) -> int | str:
    try:
        return "mean" if text == "mean" else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number nor mean") from None


def _heads(text: str) -> tuple[int, ...] | str:
    try:
        return "all" if text == "all" else tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "whole numbers with commas between, nor all"
        raise argparse.ArgumentTypeError(f"{text!r} is neither {wanted}") from None


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return value


def _dimensions(text: str) -> tuple[int, ...]:
    try:
        return () if text == "none" else tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "whole numbers with commas between, nor none"
        raise argparse.ArgumentTypeError(f"{text!r} is neither {wanted}") from None
