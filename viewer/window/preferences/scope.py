"""`Scope`: all that the settings act on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.services.safe_places import SafePlaces
from viewer.window.actions import Actions
from viewer.window.keymap import Keymap
from viewer.window.localization import Localization
from viewer.window.settings import Settings


@dataclass(frozen=True)
class Scope:
    """What a setting changes as soon as it is made.

    Attributes:
        kept: the sessions that are kept against a crash.
        experiments: the folder in which models of experiments lie.
        speak: has the window speak a language.
        use_threads: has models compute with so many threads; 0 for as many as there are to spare.
        use_device: has the next run be trained there.
    """

    session: Session
    settings: Settings
    appearance: Appearance
    localization: Localization
    keymap: Keymap
    actions: Actions
    kept: SafePlaces
    experiments: Path
    speak: Callable[[str], object]
    use_threads: Callable[[int], object]
    use_device: Callable[[str], object]
