"""FILES as entries of the palette: models that ship, what was opened lately, the sessions that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from viewer.resources import BUNDLED, bundled_model
from viewer.window.actions import plain_text
from viewer.window.menus import model_description
from viewer.window.palette.entry import Entry, Reach, Source


def _files(reach: Reach) -> Sequence[Entry]:
    model = QCoreApplication.translate("TopBar", "Model")
    bundled = {name: folder for name in BUNDLED if (folder := bundled_model(name)) is not None}
    entries = [
        Entry(
            name,
            QCoreApplication.translate("Menus", "{name}: {description}").format(
                name=name, description=model_description(name)
            ),
            partial(reach.open_path, str(folder)),
            model,
        )
        for name, folder in bundled.items()
    ]
    recent = plain_text(reach.menus.recents.title())
    for number, path in enumerate(reach.settings.recents, start=1):
        entries.append(Entry("", path, partial(reach.open_path, path), recent, f"Ctrl+{number}"))
    kept, file = plain_text(reach.menus.kept.title()), plain_text(reach.menus.file.title())
    entries.append(Entry("kept", f"{kept}…", reach.dialogs.show_kept, file))
    return entries


FILES = Source("file", _files)
