"""Run ids, unique for ever: sessions are saved, undone and opened again."""

from __future__ import annotations

import secrets

from viewer.document.document import Document


def new_run_id(document: Document) -> str:
    """A name that no run of this document has, nor is likely to have had."""
    while True:
        run_id = f"run-{secrets.token_hex(4)}"
        if document.run(run_id) is None:
            return run_id
