"""Kills: `kill -9` at random moments of training, of saving sessions and of exporting; what lies there after.

A run that was killed is gone on with and ends with the same bytes as one that was left alone. A session that
was being saved over another opens as the old one or as the new one. A file that was being written over is the
old one or the new one, whole. What is left over beside them goes with the next writing.

    python -m tests.harness.kills --count 100 --seed 1
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.harness.apart import Apart, prepare

_TEXT = "The little girl gave her brother a red apple."
_STEPS = 12


@dataclass(frozen=True)
class Scene:
    """Something that writes.

    Attributes:
        before: writes what is there already; `act` what is killed; each in a fork.
        judge: in a fork, after a kill: 0 where everything is as it should be.
    """

    name: str
    before: Callable[[Path], int]
    act: Callable[[Path], int]
    judge: Callable[[Path], int]


# Training.


def _train(folder: Path, *more: str) -> int:
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
    words += ["--steps", str(_STEPS), "--eval-every", "4", "--save-every", "2", "--probe-every", "2"]
    return main.main([*words, "--out", str(folder / "run"), *more])


def _whole_run(folder: Path) -> int:
    """One that nobody disturbs, to hold the others against."""
    status = _train(folder)
    shutil.move(folder / "run", folder / "whole")
    return status


def _resumed(folder: Path) -> int:
    import main

    if (folder / "run" / "training_log.jsonl").exists():
        status = main.main(["train", "--resume", "--out", str(folder / "run")])
    else:  # killed before there was anything to go on with: the name is free
        status = _train(folder)
    weights = [(folder / name / "model.safetensors").read_bytes() for name in ("whole", "run")]
    if status == 0 and weights[0] != weights[1]:
        print("the resumed run has other weights", file=sys.stderr)
        return 3
    return status


# Sessions.


def _sessions(folder: Path) -> Iterator[tuple[str, object]]:
    """Two versions of a session."""
    from model.trace.trace_file import open_trace
    from viewer.document.document import Run
    from viewer.document.session import Session

    trace = open_trace(folder / "a.trace")
    for text in ("old", "new"):
        session = Session()
        for number in range(3 if text == "old" else 5):
            session.add_run(
                Run(f"{text}{number}", replace(trace, src_text=text), provenance={"source": "decoded"})
            )
        yield text, session.saved


def _save(folder: Path, which: str) -> int:
    from viewer.document.files.session_file import save_session

    for text, document in _sessions(folder):
        if text == which:
            save_session(folder / "s.headscope", document, text, None)  # type: ignore[arg-type]
    return 0


def _old_session(folder: Path) -> int:
    import main
    from tests.assets import write_tiny_bundle

    bundle = write_tiny_bundle(folder / "bundle", train_steps=0)
    trace = str(folder / "a.trace")
    return main.main(["trace", "--model", str(bundle), "--out", trace, _TEXT]) or _save(folder, "old")


def _session_whole(folder: Path) -> int:
    from viewer.document.files.session_file import open_session
    from viewer.document.files.session_json import trace_names

    opened = open_session(folder / "s.headscope")
    texts = {opened.text, *(run.trace.src_text for run in opened.document.runs)}
    runs = len(opened.document.runs)
    for run in opened.document.runs:
        run.trace.pattern(run.trace.kinds[0], 0, 0)
    if (texts, runs) not in (({"old"}, 3), ({"new"}, 5)) or opened.left_out.notice() is not None:
        print(f"half a session: {texts}, {runs} runs", file=sys.stderr)
        return 3
    _save(folder, "new")
    there = {path.name for path in (folder / "s.headscope").iterdir()}
    named = set(trace_names(json.loads((folder / "s.headscope" / "session.json").read_text())).values())
    waste = sorted(there - named - {"session.json"})
    waste += [path.name for path in folder.iterdir() if path.name.startswith(".s.headscope")]
    if waste:
        print(f"left over: {waste}", file=sys.stderr)
    return 3 if waste else 0


# Exports.

_EXPORTS = ("map.png", "map.svg", "map.pdf", "map.csv", "map.npz", "map.gif")


def _export(folder: Path, theme: str) -> int:
    import main

    for name in _EXPORTS:
        words = ["render", "--trace", str(folder / "a.trace"), "--out", str(folder / "files" / name)]
        if name.endswith(("csv", "npz")):
            words += ["--layer", "1" if theme == "light" else "2"] if name.endswith("csv") else []
        else:
            words += ["--theme", theme, "--dpi", "72"]
        status = main.main(words)
        if status:
            return status
    return 0


def _old_exports(folder: Path) -> int:
    (folder / "files").mkdir()
    status = _old_session(folder) or _export(folder, "dark")
    shutil.copytree(folder / "files", folder / "new")
    status = status or _export(folder, "light")
    shutil.copytree(folder / "files", folder / "old")
    return status


def _exports_whole(folder: Path) -> int:
    for name in _EXPORTS:
        found = (folder / "files" / name).read_bytes()
        if found not in [(folder / which / name).read_bytes() for which in ("old", "new")]:
            print(f"{name} is neither the old nor the new one", file=sys.stderr)
            return 3
    for path in (folder / "files").iterdir():  # what is older than an hour is nobody's any more
        os.utime(path, (0, 0))
    status = _export(folder, "dark")
    waste = sorted({path.name for path in (folder / "files").iterdir()} - {*_EXPORTS})
    if waste:
        print(f"left over: {waste}", file=sys.stderr)
    return status or (3 if waste else 0)


SCENES: Sequence[Scene] = (
    Scene("training", _whole_run, _train, _resumed),
    Scene("session", _old_session, lambda folder: _save(folder, "new"), _session_whole),
    Scene("export", _old_exports, lambda folder: _export(folder, "dark"), _exports_whole),
)


def survey(count: int, seed: int, names: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Kill so often, each scene in turn; yields the scene and what was wrong, "" for nothing.

    A kill counts only where there was still something to kill.
    """
    prepare()
    rng = random.Random(seed)
    chosen = [scene for scene in SCENES if not names or scene.name in names]
    with tempfile.TemporaryDirectory() as scratch:
        lengths = {}
        for scene in chosen:
            home = Path(scratch) / scene.name
            home.mkdir()
            ended = Apart(lambda scene=scene, home=home: scene.before(home), home).wait()  # type: ignore[misc]
            assert ended.status == 0, ended.err
            start = time.monotonic()
            trial = _copy(home, Path(scratch) / "trial")
            assert Apart(lambda scene=scene, trial=trial: scene.act(trial), trial).wait().status == 0  # type: ignore[misc]
            lengths[scene.name] = time.monotonic() - start
        done = 0
        while done < count:
            scene = chosen[done % len(chosen)]
            folder = _copy(Path(scratch) / scene.name, Path(scratch) / "trial")
            going = Apart(lambda scene=scene, folder=folder: scene.act(folder), folder)  # type: ignore[misc]
            if not going.kill_after(rng.uniform(0, 1.05 * lengths[scene.name])):
                continue
            done += 1
            ended = Apart(lambda scene=scene, folder=folder: scene.judge(folder), folder).wait()  # type: ignore[misc]
            yield scene.name, "" if ended.status == 0 else f"{ended.status} {ended.err.strip()[-500:]}"


def _copy(home: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(home, to)
    return to


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scene", action="append", default=[], choices=[scene.name for scene in SCENES])
    given = parser.parse_args()
    total, broken = Counter[str](), Counter[str]()
    for number, (name, wrong) in enumerate(survey(given.count, given.seed, given.scene), 1):
        total[name] += 1
        if wrong:
            broken[name] += 1
            print(f"seed {given.seed}, kill {number}: {name}: {wrong}", flush=True)
    for name, count in total.items():
        print(f"{name:<10}{count:>5,} kills {broken[name]:>4,} broke a rule")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
