"""Arches over characters: none hides another, and the way in view stands lowest."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from viewer.figures.sheet.lattice import Arch, Lattice

SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 6)), unique=True, max_size=30)


@given(SPANS, st.booleans())
def test_no_arch_hides_another(spans: list[tuple[int, int]], nested: bool) -> None:
    way = [(0, 4), (4, 3), (7, 9)]
    arches = [Arch(start, start + long, "x", lit=True) for start, long in way]
    arches += [Arch(start, start + long, "x") for start, long in spans if (start, long) not in way]

    levels = Lattice("", "x" * 16, arches, nested=nested).levels()

    for one, other in combinations(range(len(arches)), 2):
        if levels[one] == levels[other]:
            assert arches[one].end <= arches[other].start or arches[other].end <= arches[one].start
        elif nested and arches[one].start <= arches[other].start and arches[other].end <= arches[one].end:
            assert levels[one] > levels[other]
    if not nested:
        assert {levels[n] for n in range(3)} == {0}
        assert 0 not in levels[3:]
