"""Homes: where the sessions of a window are saved and with which model they were made. No Qt."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from viewer.document import edits
from viewer.document.document import Document
from viewer.document.files.session_file import ModelRef, stamp_of
from viewer.document.messages.messages import ModelInfo


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
    """Of every session that a window has opened or begun, held by the one in view as `Session.homes`."""

    def __init__(self) -> None:
        self._origins = itertools.count(1)
        # By `Document.origin`.
        self._homes: dict[int, Home] = {}
        self._models: dict[int, ModelRef | None] = {}

    def new_origin(self) -> int:
        """For a session that is opened, see `Document.origin`."""
        return next(self._origins)

    def of(self, document: Document) -> Home:
        """Where a document of this window lies."""
        return self._homes.get(document.origin, Home())

    def settle(self, document: Document, folder: str, stamp: str) -> None:
        """A document of this window was opened from there, or saved there."""
        self._homes[document.origin] = Home(folder, stamp, document)

    def model_of(self, document: Document, info: ModelInfo | None) -> ModelRef | None:
        """The model to be saved with a document: as long as no other was asked for, its own one.

        That may still be loading, or be no longer where it was.

        Args:
            info: the one that is open.
        """
        own = self._models.get(document.origin)
        return own or (None if info is None else ModelRef.of(info))

    def take_model(self, document: Document, model: ModelRef | None) -> None:
        """A document of this window was made with that one; None: with whatever is open."""
        self._models[document.origin] = model

    def is_saved(self, document: Document) -> bool:
        """Whether a document of this window lies in its place as it is."""
        home = self.of(document)
        return (
            bool(home.folder)
            and not edits.differs(home.document, document)
            and stamp_of(home.folder) == home.stamp
        )
