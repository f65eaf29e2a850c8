"""Decoding settings: how the next sentence is decoded, and how fast. No Qt.

A window remembers them between starts; no session file has them, and nothing undoes them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.files.tensor_file import parse_json

GREEDY: dict[str, Any] = {"mode": "greedy"}
MODES = ("greedy", "beam", "sample", "forced")
MOST_SAMPLES = 12
ROUNDS = (1, 2, 4, 8, 16)
FAST, SLOW, VERY_SLOW, ONE_BY_ONE = PACES = (0.0, 0.5, 1.5, math.inf)


@dataclass(frozen=True)
class DecodingSettings:
    """What a person chose.

    Attributes:
        config: of a free decoding, as in a trace's header; also while a target is to be typed.
        samples: how many translations to draw, 1 in other modes than sampling.
        pace: least seconds from one token to the next; 0 as fast as possible, infinite one token at a time.
        forced: a typed target is to be read instead of a free decoding.
        rounds: how often a model that writes all at once writes; one of `ROUNDS`.
    """

    config: dict[str, Any] = field(default_factory=lambda: dict(GREEDY))
    samples: int = 1
    pace: float = FAST
    forced: bool = False
    rounds: int = DecodeConfig.rounds

    @property
    def mode(self) -> str:
        """One of `MODES`."""
        return "forced" if self.forced else str(self.config["mode"])

    def to_bytes(self) -> bytes:
        """Mode and pace, for `from_bytes`; a target was one sentence's."""
        pace = PACES.index(self.pace) if self.pace in PACES else 0
        values = {"decoding": self.config, "samples": self.samples, "pace": pace, "rounds": self.rounds}
        return json.dumps(values).encode("utf-8")

    @classmethod
    def from_bytes(cls, data: bytes) -> DecodingSettings | None:
        """What was kept; None of anything else."""
        try:
            values = parse_json(data or b"{}")
            config = {name: value for name, value in values["decoding"].items() if value is not None}
            mode = DecodeConfig.from_json(config).mode
            samples, pace = int(values["samples"]), PACES[values["pace"]]
            rounds = ROUNDS[ROUNDS.index(values.get("rounds", cls.rounds))]
        except (HeadscopeError, ValueError, TypeError, LookupError, AttributeError, OverflowError):
            return None
        if mode not in MODES or mode == "forced":
            return None
        most = MOST_SAMPLES if mode == "sample" else 1
        return cls({**config, "mode": mode}, max(1, min(samples, most)), pace, rounds=rounds)
