"""The kind of a rollout: a map of attention followed through the encoder's layers."""

from __future__ import annotations

from dataclasses import replace

from model.trace.trace import AttentionKind
from viewer.document.selection import Numbers
from viewer.figures.kind import FigureKind
from viewer.figures.map.kind import ASKED
from viewer.figures.option import WHOLE_WORDS

KIND = FigureKind(
    "rollout",
    asked=replace(
        ASKED,
        help="rollout over the encoder's layers",
        options=(WHOLE_WORDS,),
        ignored=("head",),
        only_kind=(AttentionKind.ENCODER_SELF, "rollout is defined for the encoder"),
        numbers=Numbers.ROLLOUT,
        shows=(Numbers.ROLLOUT,),
        offered=lambda trace, selection: False,
    ),
)
"""The window has it among the numbers of a map; a command may call it by name."""
