"""`WhatIf`: altered runs, made anew beside the untouched one at every change, until kept or taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject

from model.alterations.alteration import Alteration
from model.alterations.registry import all_to_json
from model.decoding.decode_config import DecodeConfig
from viewer.document.document import Document, Run
from viewer.document.history import Change
from viewer.document.messages.messages import DecodeAltered
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.input_text import input_text, produced_ids
from viewer.document.what_if.what_if import LIVE_SUFFIX
from viewer.services.decodings import Decodings, Plan
from viewer.services.engine_protocol import EngineLike
from viewer.services.run_ids import new_run_id


class WhatIf(QObject):
    """Makes the runs of the What if tab.

    The untouched run is in the first pane then, the altered one in the second, which goes again with it if it
    was opened for it.
    """

    def __init__(self, session: Session, engine: EngineLike, decodings: Decodings, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._decodings = decodings
        self._opened = ""  # the altered run that the second pane was opened for
        decodings.shown.connect(self._about_to_show)

    def alter(self, base: Run, changes: Sequence[Alteration]) -> None:
        """Translate anew with these changes beside an untouched run; none takes the altered run away.

        Raises:
            HeadscopeError: how the untouched run was decoded is not known here.
        """
        altered = base.id + LIVE_SUFFIX
        if not changes:
            self._decodings.drop(altered)
            self._take_away(altered)
            return
        trace, job = base.trace, self._engine.new_job()
        tokens = tuple(map(int, produced_ids(trace)))
        request = DecodeAltered(
            job,
            input_text(trace),
            _same_decoding(base),
            any_script=True,
            run=altered,
            parent=base.id,
            alterations=tuple(changes),
            held_ids=tokens,
        )
        plan = Plan(
            altered,
            parent=base.id,
            alterations=all_to_json(changes),
            pane=self._place(altered),
            whole=True,
        )
        self._decodings.begin([request], [plan])

    def keep(self, run_id: str) -> None:
        """Give an altered run an id of its own, so that the next change makes another."""
        document = self._session.document
        if run_id.endswith(LIVE_SUFFIX) and document.run(run_id) is not None:
            self._decodings.drop(run_id)
            self._session.edit(_renamed(document, run_id, new_run_id(document)), Change.KEEP)

    def _place(self, altered: str) -> int:
        """The pane for the altered run: where it is, else the second."""
        shown = (i for i, pane in enumerate(self._session.document.panes) if pane.run_id == altered)
        return next(shown, 1)

    def _about_to_show(self, plan: Plan) -> None:
        session = self._session
        panes = session.document.panes
        if plan.whole:
            if plan.pane == 1 and plan.parent is not None and plan.run not in {p.run_id for p in panes}:
                if len(panes) == 1:
                    self._opened = plan.run
                if panes[0].run_id != plan.parent:
                    session.show_run(plan.parent, 0)
        elif plan.fresh and self._opened and len(panes) > 1 and panes[1].run_id == self._opened:
            session.close_second_pane()

    def _take_away(self, altered: str) -> None:
        session = self._session
        if session.document.run(altered) is None:
            return
        with session.one_change(Change.ALTER):
            panes = session.document.panes
            if self._opened == altered and len(panes) > 1 and panes[1].run_id == altered:
                session.close_second_pane()
            session.remove_run(altered)


def _same_decoding(run: Run) -> DecodeConfig:
    """The settings that a run was decoded with; a hypothesis of a search is read token by token."""
    config = DecodeConfig.from_json(run.trace.decoding)
    if run.provenance.get("source") != RunSource.HYPOTHESIS:
        return config
    tokens = tuple(map(int, produced_ids(run.trace)))
    return DecodeConfig(candidates=config.candidates, prefix_ids=tokens, max_length=max(1, len(tokens)))


def _renamed(document: Document, old: str, new: str) -> Document:
    """The document with another id for a run, wherever it is named."""

    def name(run_id: str) -> str:
        return new if run_id == old else run_id

    def of_run(run: Run) -> Run:
        changes: dict[str, Any] = {}
        if run.id == old:
            changes["id"] = new
        if run.parent == old:
            changes["parent"] = new
        return run.but(**changes) if changes else run

    panes = tuple(replace(pane, run_id=name(pane.run_id)) for pane in document.panes)
    marks = tuple(
        mark if mark.pane is None else replace(mark, pane=replace(mark.pane, run_id=name(mark.run_id)))
        for mark in document.bookmarks
    )
    runs = tuple(map(of_run, document.runs))
    return document.but(runs=runs, panes=panes, bookmarks=marks, pinned=name(document.pinned))
