"""The short tier: a sitting of some minutes, after whose beginning nothing may grow.

In a process of its own: what other tests have left in memory is not this one's.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from model.files.file_bytes import MOST_OPEN
from tests.benchmarks.tools.offscreen import wait_until
from tests.harness.memory import MOST_GROWTH
from tests.harness.watch import FIFTHS, read_tallies

ROOT = Path(__file__).resolve().parents[2]
TRANSLATIONS, TRACES = 60, 60


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not say what is open")
def test_a_sitting_leaves_nothing_behind() -> None:
    command = [sys.executable, "-m", "tests.harness.memory", "--seed", "1", "--minutes", "0"]
    command += ["--small-bounds", "--translations", str(TRANSLATIONS), "--traces", str(TRACES)]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=800)
    told = read_tallies(result.stdout)
    translated = [each for each in told if each.part == "translate"]
    opened = [each for each in told if each.part == "traces"]
    assert len(translated) == len(opened) == FIFTHS

    assert max(each.descriptors for each in opened) <= translated[-1].descriptors + MOST_OPEN
    assert opened[-1].descriptors == opened[-2].descriptors  # as many are open as ever will be
    assert max(each.threads for each in told) <= told[0].threads + 2
    assert {each.widgets for each in told} == {told[0].widgets}
    for part in (translated, opened):
        assert part[-1].traces <= part[0].traces + 1  # a step more or less may be on its way
        assert part[-1].bytes <= MOST_GROWTH * part[0].bytes


class _Window:
    """What stands for a window that somebody waits for."""


def _waited_in_vain() -> weakref.ref[_Window]:
    window = _Window()
    with pytest.raises(TimeoutError):
        wait_until(lambda: False, 0.1)
    return weakref.ref(window)


@pytest.mark.usefixtures("qapp")
def test_who_waited_in_vain_is_not_held() -> None:
    waited = [_waited_in_vain() for _ in range(3)]
    gc.collect()
    assert [each() for each in waited] == [None, None, None]
