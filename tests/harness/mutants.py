"""Mutants: files of every format the program reads, damaged by seed, and read as a person would.

Each mutant is read by a command in a process of its own (a fork of one that has imported everything). It
must end with the program's own error, one line that begins `headscope: error:`, or with a result that is
right by itself: JSON in which every number is one. Never a traceback, a signal, more than 5 seconds of the
processor (on a slow one, twice what a sound file takes) or 1 GB beyond what the process had. What breaks a
rule is told with the seed and kept as a folder.

    python -m tests.harness.mutants --count 10000 --seed 1 --keep broken
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import MESSAGES
from tests.harness import damage
from tests.harness.apart import Apart, prepare
from tests.harness.damage import Change

SECONDS = 5.0
BYTES = 1 << 30
_TEXT = "The little girl gave her brother a red apple."


@dataclass(frozen=True)
class Format:
    """A kind of file or folder.

    Attributes:
        make: writes a sound one into an empty folder and says its path.
        files: what is damaged of a folder, by a pattern of names, and how; a single file is `*`.
        read: the words of the commands that read it, one of which is drawn.
    """

    name: str
    make: Callable[[Path], Path]
    files: Sequence[tuple[str, tuple[Change, ...]]]
    read: Sequence[Callable[[str], list[str]]]


# Sound ones.


def _bundle(folder: Path) -> Path:
    from tests.assets import write_tiny_bundle

    return write_tiny_bundle(folder / "bundle", train_steps=0)


def _trace(folder: Path) -> Path:
    import main

    bundle = _bundle(folder)
    assert main.main(["trace", "--model", str(bundle), "--out", str(folder / "a.trace"), _TEXT]) == 0
    shutil.rmtree(bundle)
    return folder / "a.trace"


def _npz(folder: Path) -> Path:
    import main

    trace = _trace(folder)
    assert main.main(["render", "--trace", str(trace), "--out", str(folder / "a.npz")]) == 0
    trace.unlink()
    return folder / "a.npz"


def _session(folder: Path) -> Path:
    from model.trace.trace_file import open_trace
    from viewer.document.document import Bookmark, Pane, Run
    from viewer.document.files.session_file import save_session
    from viewer.document.selection import Selection
    from viewer.document.session import Session

    trace = open_trace(_trace(folder))
    session = Session()
    session.add_run(Run("one", trace, provenance={"source": "decoded"}))
    session.add_run(Run("two", trace, parent="one", branch_step=1, provenance={"source": "decoded"}))
    session.deeds.note("/tmp/a.png", ["render", "--out", "\0out"])
    pane = session.pane()
    assert pane is not None
    marked = session.saved.but(bookmarks=(Bookmark("here", Pane("one", Selection())),))
    save_session(folder / "s.headscope", marked, _TEXT, None)
    return folder / "s.headscope"


def _pairs(suffix: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        import bz2
        import gzip
        import lzma
        import zipfile

        from tests.assets import PAIRS

        separator = "," if suffix.startswith("csv") else "\t"
        rows = [f'"{one}"{separator}"{two}"' if separator == "," else f"{one}\t{two}" for one, two in PAIRS]
        data = "\n".join(rows * 3).encode()
        path = folder / f"pairs.{suffix}"
        if suffix.endswith("zip"):
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("pairs.tsv", data)
        else:
            pack = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}.get(
                suffix.rpartition(".")[2], bytes
            )
            path.write_bytes(pack(data))
        return path

    return make


def _pharaoh(folder: Path) -> Path:
    path = folder / "gold.pharaoh"
    path.write_text("0-0 1-1 2p2 3?3\n1-0 0-1\n\n5-4 2-2\n")
    return path


def _run(folder: Path) -> Path:
    """A training that was stopped, to be gone on with."""
    import main

    out = folder / "run"
    words = ["train", "--task", "copy", "--task-size", "60", "--preset", "tiny", "--steps", "3"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert main.main([*words, "--eval-every", "3", "--save-every", "2", "--out", str(out)]) == 0
    return out


def _marian(folder: Path) -> Path:
    from tests.marian_assets import write_marian

    return write_marian(folder / "marian")


def _foreign(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        from tests import foreign_assets

        path: Path = getattr(foreign_assets, f"write_{name}")(folder / name)
        return path

    return make


_OF_TRACES = (
    lambda path: ["heads", "--trace", path, "--json"],
    lambda path: ["heads", "--trace", path, "--csv", "--out", f"{path}.out.csv"],
    lambda path: ["render", "--trace", path, "--out", f"{path}.out.csv"],
    lambda path: ["render", "--trace", path, "--view", "all_heads", "--out", f"{path}.out.png"],
)
_OF_MODELS = (
    lambda path: ["translate", "--model", path, "--json", "--max-length", "12", "--threads", "1", _TEXT],
    lambda path: ["info", path, "--json"],
)
_CONFIGS = (("*.json", damage.JSON), ("*.safetensors", damage.TENSORS))

FORMATS: tuple[Format, ...] = (
    Format("trace", _trace, [("*", damage.TENSORS)], _OF_TRACES),
    Format("npz", _npz, [("*", damage.BINARY)], _OF_TRACES),
    Format(
        "bundle",
        _bundle,
        [*_CONFIGS, ("*.spm", damage.BINARY), ("README.md", damage.TEXT)],
        _OF_MODELS,
    ),
    Format(
        "session",
        _session,
        [("session.json", damage.JSON), ("session.json", damage.JSON), ("*.trace", damage.TENSORS)],
        [lambda path: ["(session)", path]],
    ),
    *(
        Format(
            f"pairs {suffix}",
            _pairs(suffix),
            [("*", damage.TEXT if suffix in ("tsv", "csv") else damage.BINARY)],
            [lambda path: ["train", "--pairs", path, "--out", f"{path}.out", "--preview"]],
        )
        for suffix in ("tsv", "csv", "tsv.gz", "tsv.xz", "tsv.bz2", "zip")
    ),
    Format("pharaoh", _pharaoh, [("*", damage.TEXT)], [lambda path: ["(pharaoh)", path]]),
    Format(
        "training",
        _run,
        [
            *_CONFIGS,
            ("training_state.safetensors", damage.TENSORS),
            ("*.jsonl", damage.JSON),
            ("*.spm", damage.BINARY),
        ],
        [
            lambda path: ["train", "--resume", "--out", path, "--steps", "4", "--json"],
            lambda path: ["(run)", path],
            lambda path: ["info", path, "--json"],
        ],
    ),
    Format("marian", _marian, [*_CONFIGS, ("*.spm", damage.BINARY)], _OF_MODELS),
    *(Format(name, _foreign(name), _CONFIGS, _OF_MODELS) for name in ("bert", "gpt2", "t5")),
)


# Reading.


def _carried_out(words: list[str]) -> int:
    """A command, or what only the window reads."""
    import main
    from model.commands.console import guarded

    if not words[0].startswith("("):
        return main.main(words)
    path = words[1]

    def read() -> int:
        if words[0] == "(session)":
            from viewer.document.files.session_file import open_session, save_session

            opened = open_session(path)
            save_session(f"{path}.out.headscope", opened.document, opened.text, opened.model)
        elif words[0] == "(pharaoh)":
            from model.alignment.pharaoh import read_pharaoh, write_pharaoh

            write_pharaoh(f"{path}.out", read_pharaoh(path))
        else:
            from model.training.progress.history import stored_run

            stored_run(path)
        return 0

    return guarded(read)


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    return all(map(_finite, value)) if isinstance(value, list) else True


def judge(status: int, out: str, err: str) -> str:
    """What is wrong with how a command ended; empty for nothing.

    That memory does not suffice is a sentence of the program, too, but `BYTES` are enough for these files.
    """
    lines = [line for line in err.splitlines() if "headscope: error:" in line]
    if "Traceback" in err:
        return "traceback"
    if status == 1:
        failed = [line for line in out.splitlines() if line.startswith('{"error"')]
        if len(lines) + len(failed) < 1:
            return "failed without a sentence"
        return "too little memory" if any(MESSAGES["out_of_memory"] in line for line in lines) else ""
    if status != 0:
        return f"exit {status}"
    for line in out.splitlines():
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except ValueError:
                return "no JSON"
            if not _finite(value):
                return "a number that is none"
    return ""


@dataclass(frozen=True)
class Mutant:
    """One damaged file and how it is read.

    Attributes:
        seed: makes it again.
        file: which one of the folder; `change` what was done to it.
    """

    seed: int
    format: Format
    file: str
    change: str
    words: list[str]

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.format.name} {self.file} {self.change}: {' '.join(self.words[:3])}"


def breed(format_: Format, sound: Path, folder: Path, seed: int) -> Mutant:
    """Copy a sound one into a folder and damage it."""
    rng = random.Random(seed)
    path = folder / sound.name
    if sound.is_dir():
        shutil.copytree(sound, path)
    else:
        shutil.copyfile(sound, path)
    pattern, changes = rng.choice(list(format_.files))
    file = path if path.is_file() else rng.choice(sorted(path.rglob(pattern)))
    done = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        change = rng.choice(changes)
        file.write_bytes(change(file.read_bytes(), rng))
        done.append(change.__name__)
    words = rng.choice(list(format_.read))(str(path))
    return Mutant(seed, format_, file.name, "+".join(done), words)


def read_apart(words: list[str], folder: Path) -> tuple[str, float]:
    """Read a mutant in a fork; what was wrong, and the seconds of the processor that it took."""
    ended = Apart(lambda: _carried_out(words), folder, BYTES).wait()
    if ended.status < 0:
        return f"signal {-ended.status}", ended.seconds
    return judge(ended.status, ended.out, ended.err), ended.seconds


def too_slow(seconds: float, words: list[str], mutant: Path, sound: Path, home: Path) -> str:
    """What is wrong with the time that a mutant took; on a slow processor imports alone may take as long.

    Args:
        home: gets what reading the sound one says, which is done only if need be.
    """
    if seconds <= SECONDS:
        return ""
    as_sound = [word.replace(str(mutant), str(sound)) for word in words]
    return f"{seconds:.1f} s" if seconds > 2 * read_apart(as_sound, home)[1] else ""


def made_apart(make: Callable[[Path], Path], home: Path) -> Path:
    """What `make` writes into an empty folder."""
    note = home / "(path)"
    ended = Apart(lambda: note.write_text(str(make(home))) * 0, home).wait()
    assert ended.status == 0, ended.err
    path = Path(note.read_text())
    for name in ("(path)", "out", "err"):
        (home / name).unlink()
    return path


def survey(
    count: int, seed: int, names: Sequence[str] = (), keep: Path | None = None
) -> Iterator[tuple[Mutant, str, float]]:
    """Breed and read mutants, each format in turn; yields each with what was wrong, and its seconds.

    Args:
        names: of formats; all if empty.
        keep: a folder for those that broke a rule.
    """
    prepare()
    chosen = [each for each in FORMATS if not names or each.name in names]
    with tempfile.TemporaryDirectory() as scratch:
        sound = {}
        for number, each in enumerate(chosen):
            home = Path(scratch) / f"sound{number}"
            home.mkdir()
            sound[each.name] = made_apart(each.make, home)
        for number in range(count):
            each = chosen[number % len(chosen)]
            folder = Path(scratch) / "mutant"
            folder.mkdir()
            mutant = breed(each, sound[each.name], folder, seed + number)
            wrong, seconds = read_apart(mutant.words, folder)
            one = sound[each.name]
            wrong = wrong or too_slow(seconds, mutant.words, folder / one.name, one, Path(scratch))
            if wrong and keep is not None:
                shutil.copytree(folder, keep / f"{mutant.seed}-{each.name.replace(' ', '-')}")
            yield mutant, wrong, seconds
            shutil.rmtree(folder)


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="of the first mutant; of one that broke a rule with --count 1 and its --format",
    )
    parser.add_argument("--format", action="append", default=[], choices=[each.name for each in FORMATS])
    parser.add_argument("--keep", type=Path, help="folder for mutants that broke a rule")
    given = parser.parse_args()
    total, broken, slowest = Counter[str](), Counter[str](), 0.0
    for mutant, wrong, seconds in survey(given.count, given.seed, given.format, given.keep):
        total[mutant.format.name] += 1
        slowest = max(slowest, seconds)
        if wrong:
            broken[mutant.format.name] += 1
            print(f"{mutant}: {wrong}", flush=True)
    for name, count in total.items():
        print(f"{name:<16}{count:>7,} mutants {broken[name]:>5,} broke a rule")
    print(f"slowest {slowest:.2f} s of the processor")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
