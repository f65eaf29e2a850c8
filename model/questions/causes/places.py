"""Places of paths as commands write them: heads (`cross:2:3`), receivers (`cross:2:3:q`, `final`). No torch.

Layers and heads count from 1 in what is written, from 0 in what is meant.
"""

from __future__ import annotations

import re

from model.errors import HeadscopeError
from model.questions.causes.patching import HeadPlace, Receiver
from model.trace.trace import AttentionKind

_HEAD = re.compile(
    r"(?P<kind>encoder[-_]self|decoder[-_]self|cross):(?P<layer>[1-9][0-9]{0,8}):(?P<head>[1-9][0-9]{0,8})"
    r"(:(?P<part>[qkv]))?"
)


def head_place(text: str) -> HeadPlace:
    """`cross:2:3`, counted from 1.

    Raises:
        HeadscopeError: `patch_sender_syntax`.
    """
    found = _HEAD.fullmatch(text.strip().lower())
    if found is None or found["part"]:
        raise HeadscopeError("patch_sender_syntax", text=repr(text))
    return _place(found)


def head_words(place: HeadPlace) -> str:
    """As `head_place` reads it."""
    return f"{place.kind}:{place.layer + 1}:{place.head + 1}"


def receiver(text: str) -> Receiver:
    """`cross:2:3:q`, counted from 1, or `final`.

    Raises:
        HeadscopeError: `patch_receiver_syntax`.
    """
    plain = text.strip().lower()
    if plain == "final":
        return Receiver("final")
    found = _HEAD.fullmatch(plain)
    if found is None or not found["part"]:
        raise HeadscopeError("patch_receiver_syntax", text=repr(text))
    return Receiver(found["part"], _place(found))  # type: ignore[arg-type]


def receiver_words(one: Receiver) -> str:
    """As `receiver` reads it."""
    return "final" if one.place is None else f"{head_words(one.place)}:{one.part}"


def _place(found: re.Match[str]) -> HeadPlace:
    kind = AttentionKind(found["kind"].replace("-", "_"))
    return HeadPlace(kind, int(found["layer"]) - 1, int(found["head"]) - 1)
