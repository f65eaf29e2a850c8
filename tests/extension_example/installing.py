"""Packages with extensions, installed in a folder of their own for a test: what pip leaves, without pip."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from model.errors import HeadscopeError
from model.extensions import found, troubles

EXAMPLE = Path(__file__).parent
ENTRIES: Mapping[str, Mapping[str, str]] = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))[
    "project"
]["entry-points"]


def lay_out(
    folder: Path, name: str, entries: Mapping[str, Mapping[str, str]], modules: Mapping[str, str]
) -> None:
    """A distribution `name` 1.0 in `folder`: its modules' sources, and what names its entry points."""
    told = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{one} = {value}\n" for one, value in named.items())
        for group, named in entries.items()
    )
    (told / "entry_points.txt").write_text("".join(groups), "utf-8")
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source, "utf-8")


def lay_out_example(folder: Path) -> None:
    """The package beside this file."""
    source = (EXAMPLE / "headscope_example.py").read_text("utf-8")
    lay_out(folder, "headscope-example", ENTRIES, {"headscope_example": source})


@contextmanager
def installed(*folders: Path) -> Iterator[list[HeadscopeError]]:
    """Inside, the packages in these folders are found; what is said of them is in the list."""
    said: list[HeadscopeError] = []
    modules = set(sys.modules)
    sys.path[:0] = map(str, folders)
    found.forget()
    with troubles.anew():
        troubles.listen(said.append)
        try:
            yield said
        finally:
            troubles.listen(None)
            for folder in folders:
                sys.path.remove(str(folder))
            for name in set(sys.modules) - modules:
                if any(str(getattr(sys.modules[name], "__file__", "")).startswith(str(f)) for f in folders):
                    del sys.modules[name]
            found.forget()
