"""The command line that trains what the form describes. No Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.commands.train_arguments import OPPOSITE, build_parser, options_from
from model.errors import HeadscopeError
from model.quoting import can_be_said, joined
from model.train_options import TrainOptions
from model.training.fields import FIELDS
from viewer.views.train.form_values import CUSTOM, preset_of, values_of

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
    wanted, given = values_of(options), _data(options)
    preset = preset_of(wanted)
    if preset != CUSTOM and preset != preset_of(_made(given, out)):
        given += ["--preset", preset]
    said: set[str] = set()
    while True:
        made = _made(given, out)
        missing = [
            name
            for name in FIELDS
            # What only its opposite has a flag for follows from the others' flags.
            if name not in said and made[name] != wanted[name] and not (name in OPPOSITE and wanted[name])
        ]
        if not missing:
            return [*given, *_flag("out", out)]
        for name in missing:
            given += _flag(name, wanted[name])
        said.update(missing)


def _made(given: list[str], out: str) -> dict[str, Any]:
    """What the command makes of these arguments."""
    known = vars(build_parser().parse_args(given))
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
