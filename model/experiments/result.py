"""`ExperimentResult`: what an experiment measured, as a file keeps it. No torch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, read_bytes, shown
from model.files.tensor_file import parse_json

Floats = npt.NDArray[np.float64]

FORMAT = "headscope-experiment"
VERSION = 1
CURVE = 60
"""Most points of a recorded curve."""

_LARGEST = 4 << 20


@dataclass(frozen=True, eq=False)
class ArmResult:
    """One model, trained from one seed.

    Attributes:
        parameters: numbers that are trained.
        steps: optimizer steps done; done: whether these are all.
        curve: `step`, `loss` (nats a target token) and `grad_norm`, each the mean over the steps since the
            last point.
        heldout: `step` and `loss` of held-out pairs.
        measured: by name, once it is trained: numbers, lists, texts. Empty before.
        path: the bundle's folder while it is there; not part of a file.
    """

    arm: str
    seed: int
    parameters: int = 0
    steps: int = 0
    done: bool = False
    curve: Mapping[str, Floats] = field(default_factory=dict)
    heldout: Mapping[str, Floats] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""

    def to_json(self) -> dict[str, Any]:
        """As a file keeps it."""
        return {
            "arm": self.arm,
            "seed": self.seed,
            "parameters": self.parameters,
            "steps": self.steps,
            "curve": _lists(self.curve),
            "heldout": _lists(self.heldout),
            "measured": dict(self.measured),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ArmResult:
        """The inverse."""
        return cls(
            str(values["arm"]),
            int(values["seed"]),
            int(values["parameters"]),
            int(values["steps"]),
            True,
            _arrays(values["curve"]),
            _arrays(values["heldout"]),
            dict(values["measured"]),
        )


@dataclass(frozen=True, eq=False)
class ExperimentResult:
    """All that a run of an experiment found.

    Attributes:
        command: that makes it again.
        key: of what was trained, see `Experiment.key`.
        versions: of torch and of Headscope.
        arms: in the order of the experiment, seed by seed.
        recorded: whether it was read from a file.
    """

    name: str
    command: str
    key: str
    versions: Mapping[str, str]
    arms: tuple[ArmResult, ...]
    recorded: bool = False

    def of(self, arm: str) -> tuple[ArmResult, ...]:
        """An arm's models, one a seed, trained or under way."""
        return tuple(one for one in self.arms if one.arm == arm)

    def measured(self, arm: str, name: str) -> Floats:
        """[seed] a measure of the models that have it; empty where none has."""
        found = [one.measured[name] for one in self.of(arm) if one.measured.get(name) is not None]
        return np.asarray(found, dtype=np.float64)

    def mean(self, arm: str, name: str) -> float | None:
        """Mean over seeds; None where nothing is measured yet."""
        found = self.measured(arm, name)
        return float(found.mean()) if found.size else None

    def mean_of_each(self, arm: str, name: str) -> Floats:
        """Mean over seeds of a measure that is an array; empty where nothing is measured yet."""
        found = self.measured(arm, name)
        return np.asarray(found.mean(0)) if found.size else np.zeros(0)

    def spread(self, arm: str, name: str) -> float:
        """Largest minus smallest over seeds; 0 for one."""
        found = self.measured(arm, name)
        return float(found.max() - found.min()) if found.size else 0.0

    def first(self, arm: str, name: str) -> Any:
        """A measure of the first seed that has it, as it was measured; None where none has."""
        return next((one.measured[name] for one in self.of(arm) if name in one.measured), None)

    def curve(self, arm: str, what: str = "loss") -> tuple[Floats, Floats]:
        """Steps and the mean over seeds of a training curve, as far as all seeds have come."""
        return _mean_curve([one.curve for one in self.of(arm)], what)

    def heldout(self, arm: str) -> tuple[Floats, Floats]:
        """Steps and the mean over seeds of the loss of held-out pairs."""
        return _mean_curve([one.heldout for one in self.of(arm)], "loss")

    @property
    def seeds(self) -> int:
        """How many seeds there are."""
        return len({one.seed for one in self.arms})

    @property
    def models(self) -> dict[str, str]:
        """The folder of each arm's trained model of the first seed, where there is one."""
        found: dict[str, str] = {}
        for one in self.arms:
            if one.path and one.done:
                found.setdefault(one.arm, one.path)
        return found

    def to_json(self) -> dict[str, Any]:
        """As a file keeps it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "command": self.command,
            "key": self.key,
            "versions": dict(self.versions),
            "arms": [one.to_json() for one in self.arms],
        }

    def serialized(self) -> bytes:
        """The bytes of a file: one arm a line."""
        whole = self.to_json()
        arms = whole.pop("arms")
        lines = ",\n".join(json.dumps(arm, ensure_ascii=False, separators=(",", ":")) for arm in arms)
        head = json.dumps(whole, ensure_ascii=False)
        return f'{head[:-1]}, "arms": [\n{lines}\n]}}\n'.encode()


def read_result(path: StrPath) -> ExperimentResult:
    """A recorded result.

    Raises:
        HeadscopeError: `experiment_file`: it is none; or it cannot be read.
    """
    values = parse_json(read_bytes(path, limit=_LARGEST))
    try:
        if values["format"] != FORMAT or values["version"] != VERSION:
            raise ValueError
        arms = tuple(map(ArmResult.from_json, values["arms"]))
        name, command, key = (str(values[one]) for one in ("name", "command", "key"))
        versions = dict(values["versions"])
    except (TypeError, KeyError, ValueError):
        raise HeadscopeError("experiment_file", path=shown(path)) from None
    return ExperimentResult(name, command, key, versions, arms, recorded=True)


def thinned(columns: Mapping[str, Floats], points: int = CURVE) -> dict[str, Floats]:
    """A curve with at most so many points: of `step` the last of each stretch, of the others the mean."""
    steps = columns["step"]
    if len(steps) <= points:
        return dict(columns)
    parts = np.array_split(np.arange(len(steps)), points)
    return {
        name: np.array([values[part[-1]] if name == "step" else values[part].mean() for part in parts])
        for name, values in columns.items()
    }


def rounded(value: Any, digits: int = 5) -> Any:
    """Numbers of a JSON-able value with so many digits that count, to keep files small."""
    if isinstance(value, np.ndarray | np.generic):
        return rounded(value.tolist(), digits)
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, Mapping):
        return {name: rounded(one, digits) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one, digits) for one in value]
    return value


def _mean_curve(curves: Iterable[Mapping[str, Floats]], what: str) -> tuple[Floats, Floats]:
    found = [curve for curve in curves if len(curve.get("step", ()))]
    if not found:
        return np.zeros(0), np.zeros(0)
    shared = min(len(curve["step"]) for curve in found)
    whole = [curve for curve in found if np.array_equal(curve["step"][:shared], found[0]["step"][:shared])]
    return found[0]["step"][:shared], np.mean([curve[what][:shared] for curve in whole], axis=0)


def _lists(columns: Mapping[str, Floats]) -> dict[str, list[float]]:
    return {
        name: [int(one) if name == "step" else float(f"{one:.5g}") for one in values]
        for name, values in columns.items()
    }


def _arrays(values: Mapping[str, Any]) -> dict[str, Floats]:
    return {str(name): np.asarray(one, dtype=np.float64) for name, one in values.items()}
