"""The command line that trains what the form describes. No Qt."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.commands.train_arguments import AUTO, OPPOSITE, build_parser, options_from
from model.errors import HeadscopeError
from model.quoting import can_be_said, joined
from model.train_options import PRESETS, TrainOptions
from model.training.fields.fields import FIELDS
from viewer.document.training.form_values import CUSTOM, preset_of, preset_values, values_of

_FILES = ("pairs", "parallel", "vocab_files")
_LISTS = ("pairs", "parallel", "columns", "languages", "vocab_files")


def command_line(options: TrainOptions, out: str, *, windows: bool = False) -> str:
    """`headscope train …` with everything in it that the command would not take anyway.

    Args:
        windows: for Windows' command prompt instead of a POSIX shell.

    Raises:
        HeadscopeError: the options make no sense; `command_unsayable`: no command line can hold them.
    """
    words = ["train", *arguments(options, out)]
    if not can_be_said(words, windows=windows):
        raise HeadscopeError("command_unsayable")
    return joined(["headscope", *words], windows=windows)


def arguments(options: TrainOptions, out: str) -> list[str]:
    """Arguments of `train` that make just these options.

    What they make is asked of the command itself, so that its defaults stand in one place; one flag can
    change the default of another, hence the repetition.
    """
    wanted, given, parser = values_of(options), _data(options), build_parser()
    preset = _preset_behind(wanted)
    if preset != CUSTOM and preset != preset_of(_made(parser, given, out)):
        given += ["--preset", preset]
    said: set[str] = set()
    while True:
        made = _made(parser, given, out)
        missing = [
            name
            for name in FIELDS
            # What only its opposite has a flag for follows from the others' flags.
            if name not in said and _differs(name, made, wanted) and not (name in OPPOSITE and wanted[name])
        ]
        # What nobody gave on either side may come to begin alike by what the others' flags bring.
        missing = [name for name in missing if not _both_auto(name, made, wanted)] or missing
        if not missing:
            return [*given, *_flag("out", out)]
        for name in missing:
            follows = name in wanted["auto"] and name not in made["auto"]
            given += _flag(name, AUTO if follows else wanted[name])
        said.update(missing)


def _differs(name: str, made: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return made[name] != wanted[name] or (name in made["auto"]) != (name in wanted["auto"])


def _both_auto(name: str, made: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return name in made["auto"] and name in wanted["auto"]


def _preset_behind(values: Mapping[str, Any]) -> str:
    """The preset that the values are, or else the one that the numbers which nobody gave are of."""
    exact = preset_of(values)
    if exact != CUSTOM or not values["auto"]:
        return exact
    for name in ("small", *PRESETS):
        usual = preset_values(name)
        keys = (set(values["auto"]) & usual.keys()) - {"learning_rate"}  # which follows the schedule
        if all(values[key] == usual[key] for key in keys):
            return name
    return CUSTOM


def _made(parser: ArgumentParser, given: list[str], out: str) -> dict[str, Any]:
    """What the command makes of these arguments."""
    known = vars(parser.parse_args(given))
    return values_of(options_from(known, Path(out)))


def _data(options: TrainOptions) -> list[str]:
    if options.task:
        return ["--task", options.task]
    name = "parallel" if options.parallel else "pairs"
    return _flag(name, getattr(options, name))


def _flag(name: str, value: Any) -> list[str]:
    flag = "--" + OPPOSITE.get(name, name).replace("_", "-")
    if name in OPPOSITE:
        return [flag]
    if isinstance(value, bool):
        return [flag if value else f"--no-{name.replace('_', '-')}"]
    if name in _LISTS:
        return [flag, *(_file(each) if name in _FILES else each for each in value)]
    text = repr(value) if isinstance(value, float) else str(value)
    # A value that begins with a dash would be taken for a flag.
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _file(path: str) -> str:
    """A file's name that cannot be taken for a flag: in a list of several it has no place behind one."""
    return f"./{path}" if path.startswith("-") else path
