"""ScaleHead: what a head gives on is multiplied, or switched off. No torch."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from typing import Any

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import Effects
from model.alterations.place import check_there, check_values, place_label
from model.alterations.values import is_number, refuse
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind

LARGEST_FACTOR = 100.0

_ABLATION = re.compile(
    r"(?P<kind>encoder[-_]self|decoder[-_]self|cross):(?P<layer>[0-9]{1,9})(:(?P<head>[0-9]{1,9}))?"
    r"(=(?P<factor>[0-9]{0,9}\.?[0-9]{0,20}))?"
)


@dataclass(frozen=True)
class ScaleHead(Alteration, name="scale"):
    """A head's output is multiplied, before the output projection W_O; its pattern stays as it is computed.

    Attributes:
        head: None for every head of the layer, so that with factor 0 nothing but the bias of W_O is left.
        factor: 0 switches off, 1 changes nothing; at most `LARGEST_FACTOR`.
    """

    by_hooks = True

    kind: AttentionKind
    layer: int
    head: int | None = None
    factor: float = 0.0

    def __post_init__(self) -> None:
        check_values(self.kind, self.layer, self.head)
        object.__setattr__(self, "factor", check_factor(self.factor))

    def label(self) -> str:
        """See `Alteration`."""
        what = "switched off" if self.factor == 0 else f"× {self.factor:g}"
        return f"{place_label(self.kind, self.layer, self.head)} {what}"

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        check_there(self.kind, self.layer, self.head, case)

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.scale(self.kind, self.layer, self.head, self.factor)

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """See `Alteration`."""
        to.add_argument(
            "--ablate",
            action="append",
            default=[],
            metavar="KIND:LAYER[:HEAD][=FACTOR]",
            help="switch off a head, such as cross:2:3, or all heads of a layer, or scale their output "
            "by FACTOR (KIND: encoder_self, decoder_self or cross); may be repeated",
        )

    @classmethod
    def of_arguments(
        cls, given: argparse.Namespace, parser: argparse.ArgumentParser
    ) -> tuple[ScaleHead, ...]:
        """See `Alteration`."""
        try:
            scales = tuple(parse_ablation(text) for text in given.ablate)
        except HeadscopeError as error:
            parser.error(str(error))
        places = [(scale.kind, scale.layer, scale.head) for scale in scales]
        for place, text in zip(places, given.ablate):
            if places.count(place) > 1:
                parser.error(f"--ablate {text}: say once what is to become of it")
            if place[2] is not None and (*place[:2], None) in places:
                parser.error(f"--ablate {text}: the whole layer is named as well; name one of the two")
        return scales

    def as_arguments(self) -> tuple[str, ...] | None:
        """See `Alteration`."""
        if "e" in repr(self.factor):
            return None
        head = "" if self.head is None else f":{self.head + 1}"
        factor = f"={self.factor!r}" if self.factor else ""
        return "--ablate", f"{self.kind}:{self.layer + 1}{head}{factor}"


def check_factor(factor: Any) -> float:
    """What a head's output may be multiplied by; refuses anything else."""
    if not is_number(factor) or not 0 <= factor <= LARGEST_FACTOR:
        refuse("factor", factor, f"a number from 0 to {LARGEST_FACTOR:g}")
    return float(factor)


def parse_ablation(text: str) -> ScaleHead:
    """`cross:2:3` switches a head off, `cross:2:3=0.5` scales it, `cross:2` means all heads of the layer.

    Raises:
        HeadscopeError: `ablation_syntax`, or a factor out of range.
    """
    found = _ABLATION.fullmatch(text.strip().lower())
    numbers = [] if found is None else [found["layer"], found["head"] or "1"]
    if found is None or "0" in {number.lstrip("0") or "0" for number in numbers}:
        raise HeadscopeError("ablation_syntax", text=repr(text))
    factor = found["factor"]
    try:
        scale = 0.0 if factor is None else float(factor)
    except ValueError:
        raise HeadscopeError("ablation_syntax", text=repr(text)) from None
    return ScaleHead(
        AttentionKind(found["kind"].replace("-", "_")),
        int(found["layer"]) - 1,
        None if found["head"] is None else int(found["head"]) - 1,
        scale,
    )
