"""What exploring a decoding costs beside plain greedy decoding: a beam, a branch, a changed model.

The same model, sentence and events as in `tests.benchmarks.decode`, and each beside greedy decoding in the
same rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from model.alterations.alteration import Alteration
from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import Decoding
from model.trace.trace import AttentionKind
from tests.benchmarks.peers.decode_headscope import HeadscopeSide
from tests.benchmarks.tools.measure import Row, by_turns, compared, say


class Explorer:
    """Runs on the model of `side`; every method gives milliseconds a step, of those that were computed."""

    def __init__(self, side: HeadscopeSide) -> None:
        self.translator, self.text, self.config = side.translator, side.text, side.config
        self.steps = side.new_tokens
        *_, last = self.translator.decode(self.text, self.config)
        assert last.decoding is not None
        self.origin = last.decoding
        self.ids = last.trace.tgt_out_ids.tolist()
        self.others = last.trace.candidate_ids[:, 1].tolist()

    def _run(
        self,
        config: DecodeConfig,
        alterations: tuple[Alteration, ...] = (),
        branch_from: Decoding | None = None,
    ) -> float:
        began = time.perf_counter()
        events = self.translator.decode(self.text, config, alterations=alterations, branch_from=branch_from)
        first = next(events).trace.steps
        for event in events:
            trace = event.trace
        seconds = time.perf_counter() - began
        assert trace.steps == self.steps, "the random model ended the sentence early"
        return 1000 * seconds / (trace.steps - first)

    def greedy(self) -> float:
        """The measure of the others; the encoder's share included."""
        return self._run(self.config)

    def beam(self) -> float:
        """Four hypotheses, all considered ones told."""
        return self._run(self.config.but(mode="beam", beam_size=4))

    def altered(self) -> float:
        """One head scaled."""
        return self._run(self.config, (ScaleHead(AttentionKind.CROSS, 1, 2, 0.5),))

    def branch(self, step: int) -> float:
        """Another token at `step`, then on freely."""
        prefix = (*self.ids[:step], self.others[step])
        return self._run(self.config.but(prefix_ids=prefix), branch_from=self.origin)


def measure(side: HeadscopeSide, threads: int, rounds: int) -> list[Row]:
    """A row for each, with greedy decoding as its peer."""
    explorer = Explorer(side)
    steps, last = explorer.steps, explorer.steps - 1
    sides: dict[str, Callable[[], float]] = {
        "greedy": explorer.greedy,
        "beam": explorer.beam,
        "altered": explorer.altered,
        "half": lambda: explorer.branch(steps // 2),
        "last": lambda: explorer.branch(last),
    }
    figures = by_turns(sides, rounds, warm_up=2)
    for name, values in figures.items():
        say(f"  {name}: " + " ".join(f"{value:.2f}" for value in values) + " ms a step")
    greedy, plural = figures["greedy"], "s" if threads > 1 else ""
    whole = [steps * value for value in greedy]
    wanted = [
        ("beam 4, a step", figures["beam"], greedy, "a greedy step", 2.0),
        ("one head scaled, a step", figures["altered"], greedy, "a greedy step", None),
        ("a branch half way, a new token", figures["half"], greedy, "a greedy step", 1.1),
        (f"a branch at step {last + 1} of {steps}", figures["last"], whole, "the whole decode", 0.1),
    ]
    return [
        compared(
            Row(f"{what}, {threads} thread{plural}", statistics.median(ours), "ms", limit, name), ours, peer
        )
        for what, ours, peer, name, limit in wanted
    ]
