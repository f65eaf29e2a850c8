"""Class table: room in PySide's table of classes, so that a thread may import widgets beside the window.

Before Python 3.12 what PySide knows of a class stands in one hash table (`PepType_SOTP`, shiboken's
`basewrapper`), in which `QObject.metaObject` looks up the class of a widget without holding the interpreter.
A class that another thread defines goes into it; when the table moves to more buckets just then, the window's
thread does not find a class that is there, and the process ends by a segmentation fault. Of the seven hundred
that are imported in idle moments two made it move, which ended one benchmark's window in some hundred. In the
table of GNU's library a class that goes in where there is room hides none that is there; elsewhere one may be
hidden for some nanoseconds, as against all for the whole of a move. Since 3.12 all this stands in the class.
"""

from __future__ import annotations

import ctypes
import logging
import sys
from functools import cache
from pathlib import Path
from typing import Any

import shiboken6

ROOM = 4096  # PySide's, Headscope's and those of extensions are some 1,200
_IN_CLASSES = (3, 12)  # the Python since which there is no such table
_DLL = "shiboken6.abi3.dll"  # of Windows, which looks for a name in one file alone

_log = logging.getLogger(__name__)


@cache
def room_for_classes(room: int = ROOM) -> bool:
    """Let the table have so many buckets once and for all; in the window's thread, before there are others.

    Returns:
        Whether there is such a table and it has them.
    """
    if sys.version_info >= _IN_CLASSES:
        return False
    try:
        library = _library()
        enter, forget = library.PepType_SOTP, library.PepType_SOTP_delete
    except (OSError, AttributeError, TypeError):
        _log.debug("PySide's table of classes was not found", exc_info=True)
        return False
    enter.argtypes = forget.argtypes = (ctypes.c_void_p,)
    enter.restype, forget.restype = ctypes.c_void_p, None
    # A table never becomes smaller. The keys are addresses, behind which Qt's builds of shiboken do not look.
    block = ctypes.create_string_buffer(room)
    addresses = range(ctypes.addressof(block), ctypes.addressof(block) + room)
    for address in addresses:
        enter(address)
    for address in addresses:
        forget(address)
    return True


def _library() -> Any:
    """Shiboken's own functions; they are called with the interpreter held.

    Raises:
        OSError: it cannot be loaded.
        TypeError: it is part of the program's own file.
    """
    module = Path(shiboken6.Shiboken.__file__)
    other = module.with_name(_DLL)
    return ctypes.PyDLL(str(other if other.exists() else module))
