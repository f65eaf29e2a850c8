"""An answer of carrying over, made by hand: m is 1 in A and −3 in B."""

from __future__ import annotations

import numpy as np

from model.questions.causes.patching import HeadPlace, Patched, PatchGrid
from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from viewer.figures.effects.build import effects_figure
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.figure import FigureSpec

ENCODER, DECODER, CROSS = AttentionKind


def patched(what: str = "residual", **changes: object) -> Patched:
    source = np.array([[-3.0, np.nan, -1.0], [-5.0, np.nan, 1.0]])
    target = np.array([[-3.0], [-2.0]])
    values: dict[str, object] = {
        "what": what,
        "step": 0,
        "step_a": 0,
        "word": 7,
        "rival": 8,
        "word_token": "▁La",
        "rival_token": "▁Le",
        "m_a": 1.0,
        "m_b": -3.0,
        "grids": (PatchGrid(ENCODER, "position", source), PatchGrid(DECODER, "position", target)),
        "source": (0, -1, 1),
        "steps": (0,),
        "source_tokens": ("▁The", "▁very", "</s>"),
        "step_tokens": ("<s>",),
    }
    return Patched(**{**values, **changes})  # type: ignore[arg-type]


def path() -> Patched:
    grids = (
        PatchGrid(CROSS, "head", np.array([[np.nan, np.nan], [-3.0, -2.0]]), "q"),
        PatchGrid(DECODER, "head", np.array([[0.0]]), "final"),
    )
    return patched("path", grids=grids, sender=HeadPlace(DECODER, 0, 1))


def figure(found: Patched | None = None) -> FigureSpec[EffectsSpec]:
    return effects_figure(found or patched(), sample_trace(), sample_trace(seed=3), chosen=(0, 1, 2))
