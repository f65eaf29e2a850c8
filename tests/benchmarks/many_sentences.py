"""Many sentences: 1,000 short ones through `translate --json`, beside CTranslate2's `translate_batch`.

6+6 layers, d_model 512, d_ff 2,048, 8 heads, 58,101 words (embeddings and output tied), float32, greedy, no
patterns captured. Both sides have the same weights, so they write the same tokens, which is checked; they are
random, but made so that sentences end by themselves. Sources are 5 to 15 words. Ours is the whole command but
for loading the model: reading lines, cutting them into pieces, ten candidates with log probabilities and the
rank of each token, JSON. CTranslate2 gets pieces and gives pieces, in batches of as many tokens as suit it
best, as tried before. Each side runs in a process of its own, by turns. Then the whole command from outside,
and the bundled model, trained and small, on sentences of the manual.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.tools.measure import Row, arguments, by_turns, compared, report, say
from tests.benchmarks.tools.worker import ROOT, Worker, WorkerFailed

WORDS = 58101
BUNDLED = "en-fr"
MAX_LENGTH = 64
_SETTLE = 0.4
_MANUAL = ROOT / "resources" / "manual" / "en"
_KNOWN = re.compile("[A-Za-z ,.?'-]+")


def made_up(count: int) -> list[str]:
    """Sentences of 5 to 15 words w0, w1, ...; always the same."""
    draw = random.Random(3)
    return [
        " ".join(f"w{draw.randrange(WORDS - 4)}" for _ in range(draw.randint(5, 15))) for _ in range(count)
    ]


def of_manual(count: int) -> list[str]:
    """Sentences of 4 to 15 words of the manual, in characters that the model has met."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(_MANUAL.glob("*.md")))
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*|#\\]", r"\1", text)
    found = (" ".join(one.split()) for one in re.split(r"(?<=[.?!:;])\s+", plain))
    return [
        one for one in dict.fromkeys(found) if re.fullmatch(r"(\S+ ){3,14}\S+", one) and _KNOWN.fullmatch(one)
    ][:count]


class _Run:
    """A model and its sentences, put before both sides."""

    def __init__(self, folder: Path, model: Path, texts: list[str], threads: int) -> None:
        self.model, self.texts, self._folder, self._threads = model, texts, folder, threads
        self.sentences = folder / "sentences.txt"
        self.sentences.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")

    def side(self, name: str) -> Worker:
        """A side in its own process."""
        say(f"  starting {name}")
        options = {"model": self.model, "sentences": self.sentences, "out": self._out(name)}
        sizes = {"max-length": MAX_LENGTH, "threads": self._threads}
        words = [text for key, value in {**options, **sizes}.items() for text in (f"--{key}", str(value))]
        module = f"tests.benchmarks.peers.many_{name}"
        return Worker(sys.executable, module, words, self._folder / f"{name}.log")

    def _out(self, name: str) -> Path:
        return self._folder / f"{name}.out"

    def alike(self) -> float:
        """The share of sentences that both sides translate by the same tokens."""
        ours = [json.loads(line) for line in self._out("headscope").read_text("utf-8").splitlines()]
        theirs = [line.split(" ") for line in self._out("ctranslate2").read_text("utf-8").splitlines()]
        pieces = [one["tgt_tokens"][:-1] if one["finished"] else one["tgt_tokens"] for one in ours]
        return statistics.mean(a == b for a, b in zip(pieces, theirs, strict=True))

    def lengths(self) -> list[int]:
        """Tokens of each of our translations, the end token included."""
        lines = self._out("headscope").read_text("utf-8").splitlines()
        return sorted(len(json.loads(line)["tgt_tokens"]) for line in lines)

    def command(self) -> float:
        """Seconds of the whole command, a process from start to end."""
        words = ["translate", "--json", "--model", str(self.model), "--max-length", str(MAX_LENGTH)]
        began = time.perf_counter()
        with self.sentences.open("rb") as lines, (self._folder / "command.out").open("wb") as out:
            subprocess.run(
                [sys.executable, "main.py", *words, "--threads", str(self._threads), "-"],
                cwd=ROOT,
                stdin=lines,
                stdout=out,
                stderr=subprocess.DEVNULL,
                check=True,
            )
        return time.perf_counter() - began


def measure(run: _Run, what: str, limit: float | None, rounds: int) -> list[Row]:
    """Both sides by turns, and the command."""
    row = Row(what=what, ours=None, unit="s", limit=limit, peer_name="CTranslate2")
    with ExitStack() as stack:
        ours = stack.enter_context(run.side("headscope"))
        lengths = run.lengths()
        row = replace(row, note=f"{lengths[0]} to {lengths[-1]} tokens, {sum(lengths)} in all")
        sides = {"headscope": lambda: float(ours.run(1)["s"])}
        try:
            if importlib.util.find_spec("ctranslate2") is None:
                raise WorkerFailed("it is not installed")
            peer = stack.enter_context(run.side("ctranslate2"))
        except WorkerFailed as error:
            mine = by_turns(sides, rounds, settle=_SETTLE)["headscope"]
            row = replace(row, ours=statistics.median(mine), note=f"{row.note}; no CTranslate2: {error}")
        else:
            sides["ctranslate2"] = lambda: float(peer.run(1)["s"])
            note = (
                f"{row.note}; {run.alike():.1%} of the sentences the same; its batches {peer.hello['batch']}"
            )
            figures = by_turns(sides, rounds, settle=_SETTLE)
            row = compared(replace(row, note=note), figures["headscope"], figures["ctranslate2"])
    whole = Row(what=f"{what}, the whole command", ours=run.command(), unit="s")
    return [row, whole]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--only", choices=["random", "bundled"], help="one of the two models")
    options = parser.parse_args()
    rows: list[Row] = []
    for name in [options.only] if options.only else ["random", "bundled"]:
        say(f"many sentences, {name} model")
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if name == "random":
                from tests.benchmarks.peers.many_headscope import write_random_bundle

                write_random_bundle(folder / "model", WORDS)
                run = _Run(folder, folder / "model", made_up(options.sentences), options.threads)
            else:
                from model.folder.bundled import resolve_model

                run = _Run(folder, resolve_model(BUNDLED), of_manual(options.sentences), options.threads)
            what = f"{len(run.texts):,} sentences, {name} model"
            rows += measure(run, what, 1.2 if name == "random" else None, options.rounds)
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
