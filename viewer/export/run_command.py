"""Command that makes a run again: `headscope trace` with its sentence, settings and alterations. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

from model.commands.decode_arguments import arguments_of_config
from model.commands.standard_input import STDIN
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder.bundled import bundled_names, said_model
from model.trace.trace import Trace
from viewer.document.document import Run
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import input_text, produced_ids
from viewer.export.command_line import alteration_flags, any_script, option

_AGAIN = (RunSource.DECODED, RunSource.RECORDED, RunSource.HYPOTHESIS)


def run_words(run: Run, model: str, out: str) -> list[str] | None:
    """The words after `headscope` that write a run's trace; None where no command makes it.

    A hypothesis of a search is its own tokens, forced; a decoding that was stopped ends where it was.

    Args:
        model: name or folder of the model that made it; empty if it is not known.
        out: the file to write; of a model that writes in rounds a folder, which gets a trace of each.
    """
    trace = run.trace
    flags = alteration_flags(trace)
    made = run.provenance.get("source") in _AGAIN and trace.numbers == "pattern"
    text = input_text(trace)
    if not (made and model) or flags is None or text == STDIN:
        return None
    try:
        config = _config(run)
    except HeadscopeError:
        return None
    words = ["trace", *option("--model", model), *([] if trace.only_reads else arguments_of_config(config))]
    return [*words, *any_script(text), *flags, *option("--out", out), "--", text]


def _config(run: Run) -> DecodeConfig:
    """How a run was decoded, so that it comes out again."""
    trace = run.trace
    config = DecodeConfig.from_json(trace.decoding)
    produced = tuple(map(int, produced_ids(trace)))
    if run.provenance.get("source") == RunSource.HYPOTHESIS:
        return DecodeConfig(candidates=config.candidates, prefix_ids=produced, max_length=len(produced))
    if run.cancelled and config.mode in ("greedy", "sample"):
        return config.but(max_length=max(1, len(produced)))
    return config


def model_word(trace: Trace, models: Mapping[str, str]) -> str:
    """What a command calls the model that made a trace: a bundled name, else its folder; empty if unknown.

    Args:
        models: folders by hash.
    """
    path = models.get(trace.model_sha256, "")
    if path:
        return said_model(path)
    return trace.model_name if trace.model_name in bundled_names() else ""
