"""Values of alterations: what is no sensible one is refused in a sentence that repeats it. No torch."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from model.errors import HeadscopeError

LARGEST_COUNT = 2**31 - 1

_SHOWN = 60  # characters of a wrong value that a message repeats


def check_count(name: str, value: Any, most: int = LARGEST_COUNT) -> None:
    """Refuse what is no whole number from 0 to `most`."""
    if not is_integer(value) or not 0 <= value <= most:
        refuse(name, value, f"a whole number from 0 to {most}")


def is_integer(value: Any) -> bool:
    """Whether it is a whole number, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether it is a number, and so small that nothing computed with it overflows."""
    small = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**53
    return small and math.isfinite(value)


def shown(value: Any) -> str:
    """A wrong value, as a message repeats it."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def refuse(field: str, value: Any, wanted: str) -> NoReturn:
    """Raise `HeadscopeError` (`config_type`): a field's value is not what is wanted."""
    raise HeadscopeError("config_type", field=field, where="alteration", value=shown(value), wanted=wanted)
