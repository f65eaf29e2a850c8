"""Command line of *Copy as command*: the `headscope render` that makes the same file as the window."""

from __future__ import annotations

import os
from collections.abc import Sequence

from model.alignment.links import Gold
from model.alignment.pharaoh import write_line
from model.alterations.arguments import arguments_of
from model.commands.standard_input import STDIN
from model.decoding.decode_config import TOLD
from model.errors import HeadscopeError
from model.quoting import can_be_said, joined
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.alteration_text import known_change
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers
from viewer.document.text.input_text import input_text
from viewer.export.animation import ANIMATIONS
from viewer.export.animation import DEFAULT_DPI as ANIMATION_DPI
from viewer.export.data import DATA
from viewer.figures.building import of_a_step
from viewer.figures.kind import Asked, Subject
from viewer.figures.option import HEADS, INCOMING, LINKS, QUERY, THRESHOLD, WHOLE_WORDS
from viewer.figures.paper import HIGHLIGHT, PAPER
from viewer.figures.registry import asked
from viewer.figures.request import DEFAULT_DPI, Each, ExportRequest, Motion

_LAST_LATIN = "\u024f"


def arguments(
    request: ExportRequest,
    source: Sequence[str],
    path: str,
    *,
    language: str = "en",
    file_format: str = "png",
    gold: Gold | None = None,
    each: Each | None = None,
) -> list[str]:
    """The words of the command after `headscope`; layers, heads and steps count from 1.

    Args:
        source: as from `trace_source` or `text_source`.
        path: the file to write.
        file_format: `png`, `csv`, ...: options that make no difference to the file are left out.
        gold: the links that are drawn.
        each: a file for each head or step.
    """
    kind = asked(request.view)
    pair = kind.about is Subject.PAIR
    words = ["render"] if pair else ["render", "--view", request.view]
    if kind.words is not None:
        words += kind.words(request)
    elif file_format in ("npz", "trace") and not pair:
        words = ["render"]
    else:
        words += _of_a_map(request, file_format, each)
        words += _links(request, gold) if LINKS in kind.options else []
    words += _own(kind, request)
    words += [] if each is None else ["--each", each]
    if file_format not in DATA:
        words += _looks(request, file_format)
    if language.startswith("zh"):
        words += ["--language", "zh"]
    return [*words, *option("--out", path), *source]


def page_arguments(
    command: Sequence[str],
    request: ExportRequest,
    source: Sequence[str],
    path: str,
    *,
    language: str,
    file_format: str,
) -> list[str]:
    """The same for what a page shows; `command`: what draws it, and `source` as from `text_source`."""
    words = ["render", *command]
    if file_format not in DATA:
        words += _of_paper(request, file_format)
    if language.startswith("zh"):
        words += ["--language", "zh"]
    return [*words, *option("--out", path), *source]


def option(name: str, value: str) -> list[str]:
    """An option and its value, in one word where the value would be taken for another option."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _of_a_map(request: ExportRequest, file_format: str, each: Each | None = None) -> list[str]:
    """Kind, layer, heads, step, numbers and chosen cell."""
    selection, options, kind = request.selection, request.options, asked(request.view)
    every, pair = "kind" in kind.ignored, kind.about is Subject.PAIR
    words = [] if every else ["--kind", str(selection.kind)]
    if kind.one_map and each != "heads":
        words += ["--layer", str(selection.layer + 1)]
        if HEADS in kind.options and selection.head is not None and selection.more_heads:
            heads = sorted({selection.head, *selection.more_heads})
            words += ["--heads", ",".join(str(head + 1) for head in heads)]
        else:
            words += ["--head", "mean" if selection.head is None else str(selection.head + 1)]
    stepping = file_format in ANIMATIONS and request.motion.over == "steps"
    decoder = every or selection.kind is not AttentionKind.ENCODER_SELF
    if (
        request.step is not None
        and (decoder or of_a_step(request))
        and not stepping
        and not pair
        and each != "steps"
    ):
        words += ["--step", str(request.step + 1)]
    if options.hide_specials and "hide_specials" not in kind.ignored:
        words.append("--hide-specials")
    if kind.numbered and selection.numbers is not Numbers.WEIGHTS:
        words += ["--numbers", str(selection.numbers)]
    merged = WHOLE_WORDS in kind.options and not (kind.pieces and file_format in DATA)
    if options.whole_words and merged:
        words.append("--whole-words")
    if QUERY in kind.options:
        words += [] if selection.query is None else ["--query", str(selection.query + 1)]
        words += [] if selection.key is None else ["--key", str(selection.key + 1)]
    if THRESHOLD in kind.options and options.threshold != ViewOptions().threshold:
        words += ["--threshold", repr(options.threshold)]
    if INCOMING in kind.options and options.incoming:
        words.append("--incoming")
    return words


def _own(kind: Asked, request: ExportRequest) -> list[str]:
    """What was given of options that only the kind knows."""
    own = [found for found in kind.options if found.name in request.own]
    return [word for found in own for word in option(found.flag, str(request.own[found.name]))]


def _links(request: ExportRequest, gold: Gold | None) -> list[str]:
    """The gold links, which words they count, and which row speaks for a target word."""
    words = []
    if request.selection.kind is not AttentionKind.CROSS:
        return []
    if gold is not None and (request.options.gold_links or not asked(request.view).pictured):
        words += ["--links", write_line(gold)]
        words += option("--source-words", gold.source) if gold.source else []
        words += option("--target-words", gold.target) if gold.target else []
    if request.options.alignment_rule != "predicts":
        words += ["--rule", request.options.alignment_rule]
    return words


def _looks(request: ExportRequest, file_format: str) -> list[str]:
    kind = asked(request.view)
    words = kind.looks(request)
    if "raw_pieces" not in kind.ignored:
        words += ["--raw-pieces"] if request.options.raw_pieces else []
    words += _of_paper(request, file_format, kind.ignored)
    return words + (_motion(request.motion) if file_format in ANIMATIONS else [])


def _of_paper(request: ExportRequest, file_format: str, ignored: Sequence[str] = ()) -> list[str]:
    """What is said of the page."""
    usual = ExportRequest(dpi=ANIMATION_DPI if file_format in ANIMATIONS else DEFAULT_DPI)
    if request.step is None or (file_format in ANIMATIONS and request.motion.over == "steps"):
        ignored = (*ignored, HIGHLIGHT.dest)
    matters = [
        option
        for option in PAPER
        if option.dest not in ignored and (not option.only or file_format in option.only)
    ]
    return [word for option in matters for word in option.words(request, usual)]


def _motion(motion: Motion) -> list[str]:
    usual = Motion()
    words = ["--animate", motion.over]
    words += ["--fps", f"{motion.fps:g}"] if motion.fps != usual.fps else []
    words += ["--hold", f"{motion.hold:g}"] if motion.hold != usual.hold else []
    return words + ([] if motion.loop else ["--once"])


def trace_source(path: str, frame: int | None = None, model: str = "") -> list[str]:
    """Take the figure from a saved trace, or from the frame with that number of a time-lapse.

    Args:
        model: name or folder of the model to ask; empty where nothing is asked of one.
    """
    words = [*option("--trace", path), *([] if frame is None else ["--frame", str(frame)])]
    return words + (option("--model", model) if model else [])


def compared_source(first: str, second: str) -> list[str]:
    """Take the difference B − A from two saved traces."""
    return [*option("--trace", second), *option("--compare", first)]


def text_source(trace: Trace, model: str) -> list[str] | None:
    """Decode the trace's text again; None when that would not give the same trace.

    `render` decodes greedily, and alters the model only as `alteration_flags` can say; a trace made otherwise
    has to be saved first. So has the text `-`, by which commands mean their standard input.

    Args:
        model: name or folder of the model that made it; empty if it is not known.
    """
    usual = {"candidates": 10}
    settings = {
        name: value
        for name, value in trace.decoding.items()
        if name not in TOLD and usual.get(name) != value  # the model's own rules narrow the command's too
    }
    plain = settings == {"mode": "read" if trace.only_reads else "greedy"}
    flags = alteration_flags(trace)
    if not (plain and model and trace.finished and trace.numbers == "pattern") or flags is None:
        return None
    text = input_text(trace)
    if text == STDIN:
        return None
    return [*option("--model", model), *any_script(text), *flags, "--", text]


def first_source(trace: Trace, model: str) -> list[str] | None:
    """A of a pair by its text, for the command that tells B's by `text_source`; None as there.

    What alters the model's computation is told of B alone, so that A has to be as the model makes it.
    """
    if text_source(trace, model) is None or alteration_flags(trace):
        return None
    text = input_text(trace)
    return [f"--from={text}", *any_script(text)]


def any_script(text: str) -> list[str]:
    """The window may have been told to read a script that the model was not made for."""
    return ["--any-script"] if any(letter.isalpha() and letter > _LAST_LATIN for letter in text) else []


def alteration_flags(trace: Trace) -> list[str] | None:
    """What alters the model as the trace's was; None when the command has no words for it."""
    changes = tuple(map(known_change, trace.alterations))
    known = tuple(change for change in changes if change is not None)
    return arguments_of(known) if len(known) == len(changes) else None


def positions_source(model: str) -> list[str]:
    """Take the positional encoding from a model."""
    return option("--model", model)


def command_line(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """`headscope WORDS` as one line for a POSIX shell, or for Windows' command prompt.

    Raises:
        HeadscopeError: `command_unsayable`: no command line can hold one of the words.
    """
    if not can_be_said(words, windows=windows):
        raise HeadscopeError("command_unsayable")
    return joined(["headscope", *words], windows=windows)
