"""What Headscope costs beside other programs: run `python -m tests.benchmarks`, or one of its modules.

Each row is a ratio of two sides measured by turns in one run on the machine at hand, or a time against the
limit a person feels. A program that is not installed is reported as not measured. `pip install -e .[bench]`
brings the peers but JoeyNMT: it needs old companions, so give it an environment of its own (`pip install
joeynmt==2.3.0`) and name that with `--joeynmt-python`. Nothing here is collected by pytest.
"""

from contextlib import suppress

# Before torch, as the program does: it says how threads wait, for every side alike.
import model  # noqa: F401
from model.errors import HeadscopeError
from viewer.qt_check import load_qt

# As the program does, too: else PySide would read the source of every page that is visited first.
with suppress(HeadscopeError):  # a peer's environment has no Qt
    load_qt("QtCore")
