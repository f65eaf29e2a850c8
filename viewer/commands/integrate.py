"""`integrate`: Headscope in the menus of a Linux desktop, and its files opened by it."""

from __future__ import annotations

import sys

from model.commands.console import DONE, parser, say
from model.errors import HeadscopeError
from model.files.files import shown


def run(argv: list[str]) -> int:
    """See `headscope integrate --help`.

    Raises:
        HeadscopeError: `integrate_linux`; a file cannot be written or removed.
    """
    arguments = parser(
        "integrate",
        "Add Headscope to the menus of a Linux desktop, for this user: an entry, icons, and the type of its "
        ".trace files, in $XDG_DATA_HOME. Again after the program has moved.",
    )
    arguments.add_argument("--remove", action="store_true", help="take all of that away")
    given = arguments.parse_args(argv)
    if not sys.platform.startswith("linux"):
        raise HeadscopeError("integrate_linux")
    from viewer.commands.headless import start_qt

    application = start_qt()
    from viewer.integration.installation import data_home, integrate, remove
    from viewer.integration.program import program

    home = data_home()
    if given.remove:
        gone = remove(home)
        say(
            f"headscope: {len(gone)} files are gone from {shown(home)}"
            if gone
            else "headscope: nothing was there"
        )
    else:
        words = program()
        written = integrate(home, words)
        say(f"headscope: {len(written)} files are in {shown(home)}; the entry starts {shown(words[-1])}")
    del application
    return DONE
