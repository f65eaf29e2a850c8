"""Licences of all that PyInstaller put into a folder: `python .ci/licences.py WORK OUT`.

Of each distribution whose files are inside, its licence files as its wheel has them; of each library of the
system the copyright file of its Debian package; of Python and of PyInstaller's starter their own. Fails for
what has none.
"""

from __future__ import annotations

import ast
import importlib.metadata as metadata
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("licen", "copying", "notice", "authors")
STANDARD = Path("/usr/share/common-licenses")
TEXTS = {
    "latex2mathml": ("MIT",),
    "pyside6_essentials": ("LGPL-3", "GPL-3"),
    "sentencepiece": ("Apache-2.0",),
    "shiboken6": ("LGPL-3", "GPL-3"),
}
"""Of those whose wheels only name theirs; Qt for Python is used under the LGPL, which refers to the GPL."""
FOREWORD = """\
Headscope is licensed under the MIT License (LICENSE, beside this folder); NOTICE names the data of its
models. This folder holds the licences of everything else that lies in the program's folder.

Qt and Qt for Python (PySide6, shiboken6) are used under the GNU Lesser General Public License 3. They lie in
_internal/PySide6 and _internal/shiboken6 as files of their own, which may be replaced by other builds of the
same version; their sources are at https://download.qt.io/, what Qt itself contains is listed at
https://doc.qt.io/qt-6/licenses-used-in-qt.html.

"""


def sources(work: Path) -> set[Path]:
    """The files that went into the folder, where they were taken from."""
    found = set()
    for table in ("PYZ-00.toc", "COLLECT-00.toc", "EXE-00.toc"):
        found |= {
            Path(text) for text in _texts(ast.literal_eval((work / table).read_text("utf-8"))) if "/" in text
        }
    return {path for path in found if path.is_absolute()}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def of_distributions(inside: set[Path], out: Path) -> Iterator[tuple[str, str]]:
    """Copy the licences of what pip installed; yields names with versions, and their licence in a word."""
    real = {path.resolve() for path in inside}
    for one in metadata.distributions():
        name = one.metadata["Name"]
        files = [Path(str(one.locate_file(file))).resolve() for file in one.files or ()]
        if name in ("headscope", "pyinstaller") or not (real & set(files)):
            continue
        known = [file for file in files if file.name.lower().startswith(NAMES) and file.is_file()]
        key = name.lower().replace("-", "_")
        standard = TEXTS.get(key, ())
        known += [STANDARD / text for text in standard if text != "MIT"]
        for number, file in enumerate(known):
            _copy(file, out / key / (f"{number}-" * bool(number) + file.name))
        if "MIT" in standard:
            text = Path("LICENSE").read_text("utf-8").split("\n\n", 2)[2]
            (out / key).mkdir(parents=True, exist_ok=True)
            (out / key / "MIT").write_text(f"Copyright (c) {one.metadata['Author']}\n\n{text}", "utf-8")
        elif not known:
            raise SystemExit(f"error: {name} has no licence file; name its text in TEXTS")
        said = one.metadata["License-Expression"] or one.metadata["License"] or ""
        yield f"{name} {one.version}", " ".join(said.split())[:60] or "see there"


def of_system(inside: set[Path], out: Path) -> Iterator[tuple[str, str]]:
    """Copy the copyright files of the Debian packages that libraries were taken from."""
    prefixes = (sys.prefix, sys.base_prefix, str(ROOT))  # what is compiled of ours is under our own licence
    libraries = {path for path in inside if ".so" in path.name and not str(path).startswith(prefixes)}
    packages: dict[str, str] = {}
    for path in sorted(libraries):
        for place in {path, path.resolve(), Path(str(path).removeprefix("/usr"))}:
            done = subprocess.run(
                ["dpkg-query", "-S", str(place)], capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                packages[done.stdout.split(":")[0]] = path.name
                break
        else:
            raise SystemExit(f"error: no package of this system has {path}")
    for name, library in packages.items():
        _copy(Path("/usr/share/doc", name, "copyright"), out / "system" / name)
        yield name, f"{library} and its like, of this system"


def _copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def main() -> None:
    """Copy them all, and list them."""
    work, out = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    inside = sources(work)
    rows = [*of_distributions(inside, out), *of_system(inside, out)]
    _copy(Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), out / "python" / "LICENSE.txt")
    rows.append((f"Python {sys.version.split()[0]}", "PSF-2.0"))
    starter = metadata.distribution("pyinstaller")
    (copying,) = (file for file in starter.files or () if file.name == "COPYING.txt")
    _copy(Path(str(starter.locate_file(copying))), out / "pyinstaller" / "COPYING.txt")
    rows.append((f"PyInstaller {starter.version} (its starter)", "GPL-2.0-or-later with an exception"))
    table = "".join(f"{name}: {said}\n" for name, said in sorted(rows, key=lambda row: row[0].lower()))
    (out / "README.txt").write_text(FOREWORD + table, "utf-8")
    print(f"{len(rows)} licences in {out}")


if __name__ == "__main__":
    main()
