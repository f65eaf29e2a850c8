"""Disks: full ones and such as vanish, under every command that writes.

A small file system of its own is filled until a random number of bytes is left, and a command writes there
over what an earlier one wrote. It ends with one sentence and the old file as it was, or with the new file
whole. A training waits, goes on when there is room again, and ends with the same weights. Of a folder that is
gone the command says so. Needs the right to mount (root on Linux).

    python -m tests.harness.disks --count 60 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.apart import Apart, Ending, prepare

_SIZE = 6 << 20
_TEXT = "The little girl gave her brother a red apple."
_OUT = "file"
_PICTURES = ("png", "svg", "pdf", "csv", "gif")


@dataclass(frozen=True)
class Writer:
    """A command that writes one file.

    Attributes:
        words: of the command, given the folder of bundle and trace and a theme; the file comes behind.
        ending: of the file.
    """

    name: str
    ending: str
    words: Callable[[Path, str], list[str]]


def _render(ending: str) -> Callable[[Path, str], list[str]]:
    def words(home: Path, theme: str) -> list[str]:
        if ending == "csv":
            look = ["--layer", "1" if theme == "light" else "2"]
        else:
            look = ["--theme", theme, *(["--dpi", "150"] if ending in ("png", "gif") else [])]
        return ["render", "--trace", str(home / "a.trace"), *look]

    return words


def _trace(home: Path, theme: str) -> list[str]:
    return ["trace", "--model", str(home / "bundle"), "--target", theme, _TEXT]


WRITERS: Sequence[Writer] = (
    *(Writer(f"render {ending}", ending, _render(ending)) for ending in _PICTURES),
    Writer("render npz", "npz", lambda home, theme: ["render", "--trace", str(home / "a.trace")]),
    Writer("trace", "trace", _trace),
    Writer("heads", "csv", lambda home, theme: ["heads", "--trace", str(home / "a.trace"), "--csv"]),
    Writer("task", "tsv", lambda home, theme: ["task", "copy", "--size", str(5000 + len(theme))]),
)


@contextlib.contextmanager
def disk(at: Path) -> Iterator[Path]:
    """A file system of `_SIZE` bytes."""
    at.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(at)], check=True)
    try:
        yield at
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


def can_mount() -> bool:
    """Whether this process may."""
    with tempfile.TemporaryDirectory() as name:
        try:
            with disk(Path(name) / "disk"):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


def _fill(folder: Path, left: int) -> Path:
    """Leave about so many bytes."""
    free = shutil.disk_usage(folder).free
    filler = folder / "filler"
    with filler.open("wb") as file, contextlib.suppress(OSError):
        file.write(bytes(max(0, free - left)))
    return filler


def _carried(words: list[str], logs: Path) -> Ending:
    import main

    return Apart(lambda: main.main(words), logs).wait()


def _one_sentence(ended: Ending) -> str:
    lines = [line for line in ended.err.splitlines() if line.startswith("headscope: error:")]
    if "Traceback" in ended.err or len(lines) != 1:
        return f"not one sentence: {ended.err.strip()[-300:]}"
    return "" if ended.status == 1 else f"status {ended.status}"


def _full(writer: Writer, home: Path, logs: Path, rng: random.Random) -> str:
    """Over an old file, with little room left."""
    with disk(home / "disk") as folder:
        out = folder / f"{_OUT}.{writer.ending}"
        if _carried([*writer.words(home, "light"), "--out", str(out)], logs).status:
            return "could not even write the first time"
        old = out.read_bytes()
        _fill(folder, rng.randrange(2 * len(old) + 8192))
        ended = _carried([*writer.words(home, "dark"), "--out", str(out)], logs)
        now = out.read_bytes()
        if ended.status == 0:
            return "" if len(now) > 64 else "an empty file"
        if now != old:
            return "the old file is gone"
        waste = sorted({path.name for path in folder.iterdir()} - {out.name, "filler"})
        return f"left over: {waste}" if waste else _one_sentence(ended)


def _gone(writer: Writer, home: Path, logs: Path, rng: random.Random) -> str:
    """Into a folder that is not there, or goes while it is written."""
    with disk(home / "disk") as folder:
        inside = folder / "inside"
        inside.mkdir()
        import main

        words = [*writer.words(home, "light"), "--out", str(inside / f"x.{writer.ending}")]
        going = Apart(lambda: main.main(words), logs)
        time.sleep(rng.uniform(0, 0.6))
        with contextlib.suppress(FileNotFoundError):
            inside.rename(folder / "elsewhere")
        ended = going.wait()
    return "" if ended.status == 0 else _one_sentence(ended)


def _training(home: Path, logs: Path, rng: random.Random) -> str:
    """A run waits for room, and ends as one that had it."""
    import main

    words = [
        "train",
        "--task",
        "copy",
        "--task-size",
        "80",
        "--preset",
        "tiny",
        "--seed",
        "3",
        "--threads",
        "1",
    ]
    words += ["--steps", "8", "--eval-every", "4", "--save-every", "2", "--out"]
    whole = home / "whole"
    if not whole.exists() and _carried([*words, str(whole)], logs).status:
        return "the undisturbed run failed"
    with disk(home / "disk") as folder:
        going = Apart(lambda: main.main([*words, str(folder / "run")]), logs)
        time.sleep(rng.uniform(0.2, 1.5))
        filler = _fill(folder, rng.choice((0, 4096, 100_000)))
        time.sleep(rng.uniform(0.5, 2.0))
        filler.unlink()
        ended = going.wait()
        if ended.status:
            return _one_sentence(ended) if not (folder / "run").exists() else f"ended: {ended.err[-300:]}"
        same = (folder / "run" / "model.safetensors").read_bytes() == (
            whole / "model.safetensors"
        ).read_bytes()
        return "" if same else "other weights"


def survey(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Each writer in turn on a full disk, then in a folder that goes, with a training now and then."""
    prepare()
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        home, logs = Path(scratch) / "home", Path(scratch) / "logs"
        home.mkdir()
        logs.mkdir()

        def make() -> int:
            import main
            from tests.assets import write_tiny_bundle

            write_tiny_bundle(home / "bundle", train_steps=0)
            return main.main(
                ["trace", "--model", str(home / "bundle"), "--out", str(home / "a.trace"), _TEXT]
            )

        assert Apart(make, logs).wait().status == 0
        for number in range(count):
            writer = WRITERS[number % len(WRITERS)]
            if number % 10 == 9:
                yield "training, full", _training(home, logs, rng)
            elif number // len(WRITERS) % 2:
                yield f"{writer.name}, gone", _gone(writer, home, logs, rng)
            else:
                yield f"{writer.name}, full", _full(writer, home, logs, rng)


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if os.name != "posix" or not can_mount():
        print("this process may not mount a file system")
        return 2
    total, broken = Counter[str](), Counter[str]()
    for number, (name, wrong) in enumerate(survey(given.count, given.seed), 1):
        total[name] += 1
        if wrong:
            broken[name] += 1
            print(f"seed {given.seed}, number {number}: {name}: {wrong}", flush=True)
    for name, count in sorted(total.items()):
        print(f"{name:<20}{count:>4} times {broken[name]:>3} broke a rule")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
