"""The kind of a walk: a position's way through the layers."""

from __future__ import annotations

from viewer.figures.kind import Drawing, FigureKind
from viewer.figures.walk.layout import walk_geometry, walk_height
from viewer.figures.walk.paint import paint_walk
from viewer.figures.walk.spec import WalkSpec
from viewer.figures.walk.spoken import spoken_walk

KIND = FigureKind("walk", Drawing(WalkSpec, walk_geometry, walk_height, paint_walk, spoken=spoken_walk))
