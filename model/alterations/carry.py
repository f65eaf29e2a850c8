"""Carry: numbers of another reading take the places of this one's (activation patching). No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from model.alterations.alteration import Alteration, Case, NoArguments
from model.alterations.effects import Carried, Effects, What
from model.alterations.place import check_there, check_values, place_label
from model.alterations.values import check_count, is_integer, refuse
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind

_MOST_TOKENS = 1 << 16
_MOST_TEXT = 60


@dataclass(frozen=True)
class Carry(NoArguments, Alteration, name="carry"):
    """What one place computes for another text (A) is put where this one's (B) is; see `Carried`.

    A's numbers are not stored: they are worked out from its ids whenever the change is carried out.

    Attributes:
        text: A's source, for labels.
    """

    what: What
    kind: AttentionKind
    layer: int
    head: int | None
    position: int | None
    src_ids: tuple[int, ...]
    out_ids: tuple[int, ...]
    source: tuple[int, ...]
    steps: tuple[int, ...]
    text: str = ""

    def __post_init__(self) -> None:
        if self.what not in get_args(What):
            refuse("what", self.what, " or ".join(get_args(What)))
        check_values(self.kind, self.layer, self.head)
        if self.position is not None:
            check_count("position", self.position)
        for name in ("src_ids", "out_ids", "source", "steps"):
            values: Any = getattr(self, name)
            if (
                not isinstance(values, tuple)
                or len(values) > _MOST_TOKENS
                or not all(map(is_integer, values))
            ):
                refuse(name, values, "a list of whole numbers")
        if not self.src_ids or not self.out_ids or min(*self.src_ids, *self.out_ids) < 0:
            refuse("src_ids", self.src_ids, "ids of a text and of its translation")
        for name, most in (("source", len(self.src_ids)), ("steps", len(self.out_ids))):
            values = getattr(self, name)
            if max(values, default=-1) >= most:
                refuse(name, values, f"places below {most}")
        if not isinstance(self.text, str):
            refuse("text", self.text, "a text")
        there = {
            "residual": self.kind is not AttentionKind.CROSS and self.head is None,
            "cross": self.kind is AttentionKind.CROSS,
        }
        if not there.get(self.what, True):
            refuse("kind", str(self.kind), f"a place of what is carried ({self.what})")

    @property
    def carried(self) -> Carried:
        """What `Effects` are told."""
        return Carried(
            self.what,
            self.kind,
            self.layer,
            self.head,
            self.position,
            self.src_ids,
            self.out_ids,
            self.source,
            self.steps,
        )

    def label(self) -> str:
        """See `Alteration`."""
        text = self.text if len(self.text) <= _MOST_TEXT else self.text[: _MOST_TEXT - 1] + "…"
        where = "" if self.position is None else f" at position {self.position + 1}"
        return f"{_place(self)}{where} carried in from “{text}”"

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        a = case.architecture
        if a.in_rounds:
            raise HeadscopeError("writes_in_rounds")
        check_there(self.kind, self.layer, self.head, case)
        if self.what == "cross" and self.head is not None and self.head >= a.key_heads:
            raise HeadscopeError("alteration_head", value=self.head + 1, count=a.key_heads)
        for ids, vocab in ((self.src_ids, a.source_vocab), (self.out_ids, a.target_vocab)):
            if max(ids) >= vocab:
                raise HeadscopeError("token_id", id=max(ids), vocab=vocab)
            if len(ids) > a.max_positions:
                raise HeadscopeError("too_long", tokens=len(ids), limit=a.max_positions)
        if len(self.source) != case.source_length:
            raise HeadscopeError("carry_tokens", count=len(self.source), tokens=case.source_length)

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.carry(self.carried)


def _place(change: Carry) -> str:
    if change.what == "residual":
        stack = "encoder" if change.kind is AttentionKind.ENCODER_SELF else "decoder"
        return f"what leaves {stack} layer {change.layer + 1}"
    whose = {"heads": "output of", "patterns": "attention weights of", "cross": "keys and values of"}
    return f"{whose[change.what]} {place_label(change.kind, change.layer, change.head)}"
