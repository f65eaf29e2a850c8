"""Goods: files and folders to be opened: sound ones, and ones that are damaged by a seed."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
from pathlib import Path

from tests.assets import PAIRS
from tests.harness.mutants import FORMATS, breed, made_apart

_KINDS = ("trace", "npz", "bundle", "session", "pharaoh", "pairs tsv")
_LIST = "goods.json"
_MOST_DAMAGED = 60


def make(folder: Path) -> None:
    """Write a sound one of each kind, in processes of their own: what they need is not this one's memory."""
    sound = {}
    for each in (one for one in FORMATS if one.name in _KINDS):
        home = folder / each.name.replace(" ", "-")
        home.mkdir(parents=True)
        with contextlib.redirect_stdout(io.StringIO()):
            sound[each.name] = str(made_apart(each.make, home))
    lines = folder / "sentences.txt"
    lines.write_text("\n".join(one for one, _ in PAIRS) + "\n", encoding="utf-8")
    sound["sentences"] = str(lines)
    (folder / _LIST).write_text(json.dumps(sound))


class Goods:
    """What `make` has written, and what has been written since.

    Args:
        folder: as of `make`; damaged copies come into it.
        model: a bundle besides.
    """

    def __init__(self, folder: Path, model: Path) -> None:
        self._folder = folder
        self._sound = {name: Path(path) for name, path in json.loads((folder / _LIST).read_text()).items()}
        self._model = model
        self._damaged = 0

    def each(self) -> list[Path]:
        """The sound one of each kind."""
        return list(self._sound.values())

    def sound(self, rng: random.Random, kinds: tuple[str, ...] = ()) -> Path:
        """A sound one of these kinds, or of any."""
        names = [*self._sound, "model"] if not kinds else list(kinds)
        name = rng.choice(names)
        return self._model if name == "model" else self._sound[name]

    def damaged(self, rng: random.Random) -> Path:
        """A damaged one."""
        format_ = rng.choice([each for each in FORMATS if each.name in self._sound])
        self._damaged += 1
        home = self._folder / f"damaged{self._damaged}"
        home.mkdir()
        old = self._folder / f"damaged{self._damaged - _MOST_DAMAGED}"
        shutil.rmtree(old, ignore_errors=True)
        breed(format_, self._sound[format_.name], home, rng.randrange(1 << 30))
        return home / self._sound[format_.name].name
