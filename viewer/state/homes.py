"""Where the sessions of a window are saved: a place goes with its session, also when one is undone. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from viewer.state import edits
from viewer.state.document import Document
from viewer.state.session_file import stamp_of

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
        self._homes: dict[int, Home] = {}  # by `Document.origin`

    @property
    def here(self) -> Home:
        """Of the session in view."""
        return self._homes.get(self._session.document.origin, Home())

    def settle(self, document: Document, folder: str, stamp: str) -> None:
        """A document of this window was opened from there, or saved there."""
        self._homes[document.origin] = Home(folder, stamp, document)

    def is_saved(self, document: Document) -> bool:
        """Whether a document of this window lies in its place as it is."""
        home = self._homes.get(document.origin, Home())
        return (
            bool(home.folder)
            and not edits.differs(home.document, document)
            and stamp_of(home.folder) == home.stamp
        )
