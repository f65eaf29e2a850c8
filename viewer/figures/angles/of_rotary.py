"""Figures of rotary positions: what all pictures of their numbers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication

from viewer.document.positions.positions_known import Rotary
from viewer.figures.figure import Body, FigureSpec
from viewer.figures.text import made_by, sentence

S = TypeVar("S", bound=Body)


def rotary_figure(body: S, rotary: Rotary, said: Sequence[str], facts: dict[str, Any]) -> FigureSpec[S]:
    """A picture of rotations with its caption; `said` are sentences of it."""
    source = QCoreApplication.translate("Figure", "RoPE: Su et al. 2021, arXiv 2104.09864")
    words = [sentence(text) for text in (body.title, *said, source)]
    words += [sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in body.badges]
    words.append(made_by(rotary.model_name, rotary.model_sha256, ""))
    return FigureSpec(body, " ".join(words), {**rotary.facts(), **facts, "badges": list(body.badges)})
