"""The kind of effects: what carrying over from A into B did."""

from __future__ import annotations

from viewer.figures.effects.layout import effects_geometry, effects_height
from viewer.figures.effects.paint import paint_effects
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.effects.spoken import spoken_effects
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "effects",
    Drawing(
        EffectsSpec,
        effects_geometry,
        effects_height,
        paint_effects,
        signed=lambda spec: True,
        rooted=lambda spec: False,
        rows=lambda spec: spec.rows(),
        spoken=spoken_effects,
    ),
)
