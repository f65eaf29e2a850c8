"""Matrices in large pages; oracles: the numbers put there, what the operating system says of the memory."""

from __future__ import annotations

import gc
import itertools
import mmap
from pathlib import Path

import pytest
import torch

from model.network.products import room as rooms
from model.network.products.choices import forcing
from model.network.products.room import PAGE, Room, lies_in_room
from model.network.products.ways import Layout
from tests.model.small import small_transformer

SHAPES = ((700, 515), (333, 1025), (1, 7))
LARGE = hasattr(mmap, "MADV_HUGEPAGE")


def matrices() -> list[torch.Tensor]:
    return [torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape))) for shape in SHAPES]


def test_matrices_lie_beside_each_other_and_keep_their_numbers() -> None:
    layouts: tuple[Layout, ...] = ("rows", "columns")
    for layout in layouts:
        room = Room(SHAPES)
        placed = [room.placed(matrix, layout) for matrix in matrices()]
        for one, own in zip(placed, matrices()):
            assert torch.equal(one, own)
            assert (one if layout == "rows" else one.t()).is_contiguous()
            assert one.data_ptr() % 64 == 0
            assert lies_in_room(one) is LARGE
        spans = sorted((one.data_ptr(), one.data_ptr() + one.nbytes) for one in placed)
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


def test_what_finds_no_place_lies_elsewhere() -> None:
    room = Room(SHAPES)
    for matrix in [*matrices(), *matrices()]:
        assert torch.equal(room.placed(matrix, "columns"), matrix)
    few = Room([(8, 8)]).placed(torch.ones(8, 8), "rows")
    assert torch.equal(few, torch.ones(8, 8))
    assert not lies_in_room(few)


def test_where_there_are_no_large_pages_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_large_pages", lambda _: None)
    for matrix in matrices():
        placed = Room(SHAPES).placed(matrix, "columns")
        assert torch.equal(placed, matrix)
        assert not lies_in_room(placed)


@pytest.mark.skipif(not LARGE, reason="a system without large pages")
def test_the_memory_goes_with_the_last_matrix() -> None:
    placed = Room(SHAPES).placed(torch.ones(SHAPES[0]), "rows")
    view, place = placed[5:6, 3:], placed.data_ptr()
    del placed
    gc.collect()
    assert view.sum() == SHAPES[0][1] - 3
    assert lies_in_room(view)
    del view
    gc.collect()
    assert not any(place in where for where in rooms._rooms.values())


@pytest.mark.skipif(not Path("/proc/self/smaps").exists() or not LARGE, reason="Linux tells of each mapping")
def test_large_pages_are_asked_for() -> None:
    placed = Room(SHAPES).placed(torch.ones(SHAPES[0]), "rows")
    asked, here = "", False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first = line.split()[0]
        if not first.endswith(":"):
            start, end = (int(part, 16) for part in first.split("-"))
            # A mapping that is shared gets none, whatever it asks for.
            here = start <= placed.data_ptr() < end and line.split()[1].endswith("p")
        elif first == "VmFlags:" and here:
            asked = line
    assert "hg" in asked.split()


def test_a_model_is_moved_once_and_where_its_layout_is_another() -> None:
    network = small_transformer(target_vocab=3 * PAGE // 64).eval()
    with forcing("linear:rows"):
        network.lay_out_for_decoding()
        first = [matrix.data_ptr() for matrix in network.decoding_matrices()]
        network.lay_out_for_decoding()
    assert [matrix.data_ptr() for matrix in network.decoding_matrices()] == first
    with forcing("linear:columns"):
        network.lay_out_for_decoding()
    assert all(
        matrix.t().is_contiguous() and matrix.data_ptr() != place
        for matrix, place in zip(network.decoding_matrices(), first)
    )


def test_a_small_model_and_one_without_large_pages_stay_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for words in (31, 3 * PAGE // 64):
        monkeypatch.setattr(rooms, "_large_pages", lambda _: None)
        network = small_transformer(target_vocab=words)
        before = [matrix.data_ptr() for matrix in network.decoding_matrices()]
        with forcing("linear:rows"):
            network.lay_out_for_decoding()
        assert [matrix.data_ptr() for matrix in network.decoding_matrices()] == before
