"""Entry: a line of the palette; `Source`, the row of a kind of them; `Reach`, what they act on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from viewer.document.session import Session
from viewer.pages.look.map.numbers_menu import NumbersMenu
from viewer.window.actions import Actions
from viewer.window.dialogs import WindowDialogs
from viewer.window.keymap import Keymap
from viewer.window.localization import Localization
from viewer.window.menus import Menus
from viewer.window.scenes import WindowScenes
from viewer.window.settings import Settings


@dataclass(frozen=True)
class Reach:
    """What the entries are read from, and what they do things with.

    Attributes:
        open_path: opens a model, a trace or a session.
        toggle_language: from one language to the other.
        open_page: opens a page of the manual by its name.
    """

    session: Session
    settings: Settings
    keymap: Keymap
    localization: Localization
    actions: Actions
    menus: Menus
    numbers: NumbersMenu
    dialogs: WindowDialogs
    scenes: WindowScenes
    open_path: Callable[[str], object]
    toggle_language: Callable[[], object]
    open_page: Callable[[str], object]


@dataclass(frozen=True)
class Entry:
    """A line.

    Attributes:
        name: by which it is remembered; empty for one that is not.
        title: what is read, in the language in force.
        do: does it.
        group: what sort of thing it is, at the right.
        keys: those that do the same, as they are written.
        also: other names that it is found by.
        about: a longer text, words of which it is found by.
        enabled: whether it can be done now.
    """

    name: str
    title: str
    do: Callable[[], object]
    group: str = ""
    keys: str = ""
    also: tuple[str, ...] = ()
    about: str = ""
    enabled: bool = True


@dataclass(frozen=True, eq=False)
class Source:
    """A kind of entries.

    Attributes:
        name: which the names of its entries begin with.
        entries: all of them, as things are now, in the language in force.
        typed: entries made of what was typed, such as a step by its number; they stand first.
    """

    name: str
    entries: Callable[[Reach], Sequence[Entry]] = lambda reach: ()
    typed: Callable[[Reach, str], Sequence[Entry]] = lambda reach, text: ()
