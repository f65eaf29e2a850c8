"""`experiment`: a page's models trained and measured without a window."""

from __future__ import annotations

import argparse
import contextlib
import shutil
from pathlib import Path

from model.commands.console import DONE, emit, parser, put, say, thread_count
from model.commands.decoding_options import use_threads
from model.errors import HeadscopeError
from model.experiments.experiment import Experiment
from model.experiments.page import page_of
from model.experiments.registry import EXPERIMENTS, experiment_named
from model.experiments.result import ExperimentResult
from model.files.files import replace_bytes, shown
from model.lessons.lesson import plain, taken_values
from model.questions.questions import Partial

MOST_SEEDS = 20


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser(
        "experiment",
        "Train the Transformers that a page of Learn compares, from one or several seeds, and measure what "
        "differs. A run that is stopped goes on where it was when it is called again.",
    )
    add = result.add_argument
    add("name", nargs="?", metavar="NAME", help="which; --list names them")
    add("--list", action="store_true", help="name every experiment with the models that it trains")
    add("--seeds", type=_seeds, metavar="N", help="train from seeds 1 to N (default: as the recorded result)")
    add("--tiny", action="store_true", help="a few steps of the smallest models, to see that it runs at all")
    add("--out", type=Path, metavar="DIR", help="keep the trained models there, one bundle folder each")
    add("--record", type=Path, metavar="FILE", help="write the result as the page reads it (.json)")
    add("--json", action="store_true", help="one JSON object; of --list one a line")
    add("--threads", type=thread_count, metavar="N", help="processor threads (default: all cores)")
    return result


def run(argv: list[str]) -> int:
    """See `headscope experiment --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.list == (given.name is not None):
        arguments.error("give the NAME of an experiment, or --list")
    if given.list:
        _list(given.json)
        return DONE
    experiment = experiment_named(given.name)
    if given.record is not None and not given.record.absolute().parent.is_dir():
        # Said before hours of training, not after.
        raise HeadscopeError("folder_missing", path=shown(given.record.parent))
    use_threads(given.threads)
    result, folder = _run(experiment, given)
    if given.record is not None:
        replace_bytes(given.record, result.serialized())
    if given.out is None:
        shutil.rmtree(folder, ignore_errors=True)
    _tell(experiment, result, given)
    return DONE


def _run(experiment: Experiment, given: argparse.Namespace) -> tuple[ExperimentResult, Path]:
    """The result, and the folder that its models are in."""
    from model.experiments.running.run import run_experiment, run_folder

    folder = given.out or run_folder(experiment, tiny=given.tiny)
    seeds = range(1, 1 + (given.seeds or (1 if given.tiny else experiment.seeds)))
    result: ExperimentResult | None = None
    shown = -1
    with contextlib.closing(run_experiment(experiment, seeds, folder, tiny=given.tiny)) as work:
        for found in work:
            if isinstance(found, ExperimentResult):
                result = found
            elif isinstance(found, tuple):
                tenth = 10 * found[0] // max(1, found[1])
                if tenth > shown:
                    shown = tenth
                    say(f"step {found[0]} of {found[1]}")
            else:
                assert found is None or isinstance(found, Partial)
    assert result is not None
    return result, folder


def _tell(experiment: Experiment, result: ExperimentResult, given: argparse.Namespace) -> None:
    page = page_of(experiment)
    numbers = page.numbers(taken_values(page.controls(None), {}), result, None)
    if given.json:
        emit({**result.to_json(), "findings": numbers.to_json()["findings"]})
        return
    for finding in numbers.findings:
        holds = {True: "  as expected", False: "  NOT as expected", None: ""}[finding.holds]
        value = plain(finding.value)
        put(f"{finding.name:<28} {f'{value:.6g}' if isinstance(value, float) else value}{holds}")


def _list(as_json: bool) -> None:
    for experiment in EXPERIMENTS:
        arms = [arm.name for arm in experiment.arms]
        if as_json:
            emit({"name": experiment.name, "arms": arms, "seeds": experiment.seeds})
        else:
            put(f"{experiment.name:<24} {', '.join(arms)}")


def _seeds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_SEEDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_SEEDS}")
    return int(text)
