"""Where the sessions of a window are saved and with which model they were made: it goes with each. No Qt."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from viewer.state import edits
from viewer.state.document import Document
from viewer.state.session_file import ModelRef, stamp_of

if TYPE_CHECKING:
    from viewer.state.session import Session


@dataclass(frozen=True, eq=False)
class Home:
    """A place of the user's.

    Attributes:
        folder: empty for none.
        stamp: of what this window saved there or opened from there; see `session_file.stamp_of`.
        document: what that was.
    """

    folder: str = ""
    stamp: str = ""
    document: Document = field(default_factory=Document)


class Homes:
    """Held by the session as `homes`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._origins = itertools.count(1)
        # By `Document.origin`.
        self._homes: dict[int, Home] = {}
        self._models: dict[int, ModelRef | None] = {}

    def new_origin(self) -> int:
        """For a session that is opened, see `Document.origin`."""
        return next(self._origins)

    @property
    def here(self) -> Home:
        """Of the session in view."""
        return self._homes.get(self._session.document.origin, Home())

    def settle(self, document: Document, folder: str, stamp: str) -> None:
        """A document of this window was opened from there, or saved there."""
        self._homes[document.origin] = Home(folder, stamp, document)

    @property
    def model(self) -> ModelRef | None:
        """The model to be saved with the session in view: as long as no other was asked for, its own one.

        That may still be loading, or be no longer where it was.
        """
        info = self._session.model
        own = self._models.get(self._session.document.origin)
        return own or (None if info is None else ModelRef.of(info))

    def take_model(self, model: ModelRef | None) -> None:
        """The session in view was made with that one; None: with whatever is open."""
        self._models[self._session.document.origin] = model

    def is_saved(self, document: Document) -> bool:
        """Whether a document of this window lies in its place as it is."""
        home = self._homes.get(document.origin, Home())
        return (
            bool(home.folder)
            and not edits.differs(home.document, document)
            and stamp_of(home.folder) == home.stamp
        )
