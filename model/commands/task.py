"""`task`: write the pairs of a built-in task to a file, and their gold word alignments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from itertools import islice

from model.alignment.links import Gold
from model.alignment.pharaoh import write_line
from model.arguments import positive
from model.commands.console import DONE, emit, one_line, parser, put
from model.data.tasks import TASKS
from model.errors import HeadscopeError
from model.files.files import replacing, write_chunks
from model.files.suffixes import check_suffix

_LINES = 1000  # written at once


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    result = parser("task", "Write the pairs of a built-in task, tab-separated, to a file.")
    add = result.add_argument
    add("name", choices=list(TASKS), metavar="NAME", help=f"the task: {', '.join(TASKS)}")
    add("--size", type=positive, metavar="N", help="number of pairs (default: the task's own)")
    add("--seed", type=int, default=1, metavar="N", help="random seed: another makes other pairs (default 1)")
    add("--out", required=True, metavar="FILE.tsv", help="file of pairs to write")
    add(
        "--alignments",
        metavar="FILE.pharaoh",
        help="also write which words translate each other: i-j, counted from 0, separated by spaces",
    )
    add("--json", action="store_true", help="one JSON object on stdout")
    return result


def run(argv: list[str]) -> int:
    """See `headscope task --help`."""
    arguments = build_parser()
    given = arguments.parse_args(argv)
    if given.alignments and os.path.realpath(given.alignments) == os.path.realpath(given.out):
        arguments.error("--out and --alignments name the same file")
    check_suffix(given.out, ("tsv", "txt"))
    if given.alignments:
        check_suffix(given.alignments, ("pharaoh", "txt"))
    task = TASKS[given.name]
    size = given.size or task.size
    if given.alignments and task.draw_links is None:
        names = ", ".join(name for name, other in TASKS.items() if other.draw_links is not None)
        raise HeadscopeError("task_no_alignments", task=task.name, names=names)
    pairs = task.pairs(size, given.seed)
    _write(given.out, (f"{source}\t{target}\n" for source, target in pairs))
    if given.alignments:
        _write(given.alignments, (f"{write_line(Gold(one))}\n" for one in task.links(size, given.seed)))
    if given.json:
        emit(
            {
                "task": task.name,
                "about": task.about,
                "size": size,
                "seed": given.seed,
                "out": given.out,
                "alignments": given.alignments,
            }
        )
    else:
        put(one_line(f"{given.out}: {size:,} pairs. {task.about}"))
    return DONE


def _write(path: str, lines: Iterable[str]) -> None:
    """Write a whole file; raises as `replacing`."""
    with replacing(path) as temporary:
        write_chunks(temporary, _chunks(iter(lines)))


def _chunks(lines: Iterator[str]) -> Iterator[bytes]:
    while chunk := "".join(islice(lines, _LINES)):
        yield chunk.encode()
