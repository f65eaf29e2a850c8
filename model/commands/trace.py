"""`trace`: decode a sentence, or force its translation, and save all that was seen."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.alterations.arguments import alterations_of
from model.commands.console import DONE, parser, say
from model.commands.decode_arguments import add_decoding_arguments, decode_config
from model.commands.decoding_options import for_model, use_threads
from model.commands.standard_input import one_text
from model.files.suffixes import suffix_of
from model.trace.npz_write import check_trace_name, save_named
from model.trace.trace_sequence import save_rounds

if TYPE_CHECKING:
    from model.trace.trace import Trace


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser("trace", "Decode a sentence and save its attention as a trace file.")
    result.add_argument("text", metavar="TEXT", help="the sentence, or - for a line of standard input")
    result.add_argument(
        "--out",
        required=True,
        metavar="FILE.trace",
        help="file to write: .trace, or .npz; of a "
        "model that writes in rounds also a folder, which gets a trace of each",
    )
    result.add_argument("--float16", action="store_true", help="store the patterns in half precision")
    add_decoding_arguments(result)
    return result


def run(argv: list[str]) -> int:
    """See `headscope trace --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    config = decode_config(given, arguments)
    alterations = alterations_of(given, arguments)
    check_trace_name(given.out, float16=given.float16)
    text = one_text(given.text)
    use_threads(given.threads)
    from model.translator.translator import Translator

    translator = Translator.load(given.model)
    config = for_model(config, given, translator.model)
    *_, last = translator.decode(text, config, any_script=given.any_script, alterations=alterations)
    if last.rounds and not suffix_of(given.out):
        save_rounds(last.rounds, given.out, float16=given.float16)
        say(f"{given.out}: {_read(last.trace)}, {len(last.rounds)} rounds")
        return DONE
    save_named(last.trace, given.out, float16=given.float16)
    cut = "" if last.trace.finished else ", stopped by the length limit"
    say(f"{given.out}: {_read(last.trace)}{cut}")
    return DONE


def _read(trace: Trace) -> str:
    """How much was read and produced."""
    if trace.prompt_length:
        produced = max(0, trace.steps - trace.prompt_length + 1)
        return f"{trace.prompt_length} tokens of the prompt, {produced} produced"
    if not trace.steps:
        return f"{len(trace.src_tokens)} tokens"
    return f"{len(trace.src_tokens)} source tokens, {trace.steps} steps"
