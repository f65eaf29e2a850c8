"""With a clock of the test's own: nothing is timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch

from model.network.products.pace import Pace, pace_of


class Machine:
    """A clock that each step moves on by what it takes with so many threads."""

    def __init__(self, seconds: Callable[[int, int], float]) -> None:
        self.time, self.threads = 0.0, list[int]()
        self._seconds = seconds
        self._pace = Pace(lambda: self.time)

    def run(self, steps: int) -> list[int]:
        """How many threads each step had."""
        for _ in range(steps):
            with self._pace.step():
                self.threads.append(torch.get_num_threads())
                self.time += self._seconds(len(self.threads), self.threads[-1])
        return self.threads[-steps:]


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_alone_all_threads_compute() -> None:
    alone = Machine(lambda step, threads: 12 / threads)
    assert alone.run(400).count(1) <= 8


def test_beside_a_busy_neighbour_half_of_them_do_until_it_is_gone() -> None:
    busy = Machine(lambda step, threads: 9 if threads == 1 else 60 if 50 <= step < 500 else 6)
    busy.run(49)
    assert busy.run(450).count(2) <= 12
    assert busy.run(400)[-200:].count(1) <= 8


def test_a_step_that_fails_leaves_the_threads_as_they_were() -> None:
    for _ in range(9):
        with pytest.raises(KeyError), Pace().step():
            raise KeyError


def test_one_thread_is_left_alone() -> None:
    torch.set_num_threads(1)
    assert set(Machine(lambda step, threads: 1.0).run(20)) == {1}
    torch.set_num_threads(2)


def test_a_network_has_one_for_each_number_of_rows() -> None:
    network = torch.nn.Linear(1, 1)
    assert pace_of(network) is pace_of(network)
    assert pace_of(network, 4) is not pace_of(network)
    assert pace_of([]) is not pace_of([])
