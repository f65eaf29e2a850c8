"""Hub settings: `transformers` as we use it to load, without the network, without noise."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from types import ModuleType

from model.errors import HeadscopeError
from model.files.files import StrPath, shown
from model.foreign.inside.quiet import quiet

OLDEST = 5
"""The first version of `transformers` that loads models as we need it."""

# One tensor after the other, in the thread that asks for them, so that it can be stopped.
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "DISABLE_SAFETENSORS_CONVERSION": "1",
    "HF_DEACTIVATE_ASYNC_LOAD": "1",
}
_one_at_a_time = threading.Lock()


def require_transformers(folder: StrPath) -> ModuleType:
    """The package `transformers`.

    Args:
        folder: of the model that needs it.

    Raises:
        HeadscopeError: `hf_missing`, `hf_old`.
    """
    try:
        import huggingface_hub.constants  # noqa: F401
        import transformers
    except ImportError:
        raise HeadscopeError("hf_missing", path=shown(folder)) from None
    version = str(getattr(transformers, "__version__", ""))
    major = version.partition(".")[0]
    if not major.isdigit() or int(major) < OLDEST:
        raise HeadscopeError("hf_old", path=shown(folder), version=version, oldest=OLDEST)
    module: ModuleType = transformers
    return module


@contextlib.contextmanager
def quietly_offline() -> Iterator[None]:
    """Nothing is fetched and nothing written to the terminal within; afterwards all is as it was.

    The process's environment and the packages' own switches are changed for that long, by one at a time.
    """
    from huggingface_hub import constants

    with _one_at_a_time, contextlib.ExitStack() as after:
        for name, value in _ENVIRONMENT.items():
            after.callback(_put_back, name, os.environ.get(name))
            os.environ[name] = value
        # Read from the environment once, when the package was imported.
        after.callback(setattr, constants, "HF_HUB_OFFLINE", constants.HF_HUB_OFFLINE)
        constants.HF_HUB_OFFLINE = True
        after.enter_context(quiet())
        yield


def _put_back(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
