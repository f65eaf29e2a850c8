"""The translation file: `python -m tests.viewer.translation_files` brings it up to date with the sources.

`lupdate` reads the viewer's Python; the error sentences of `model.errors` and the words of
`fields.fields` and `causes.methods`, rooms without Qt, are given to it as calls in a temporary file, in the
contexts that `viewer.document.messages.notice`, `viewer.pages.train.form.form_editors` and
`viewer.document.text.method_text` look them up in.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from model.errors import MESSAGES
from model.questions.causes.methods import sentences as method_sentences
from model.training.fields.fields import sentences

ROOT = Path(__file__).resolve().parents[2]
TS = ROOT / "resources" / "translations" / "headscope_zh_CN.ts"
QM = TS.with_suffix(".qm")


def tool(name: str) -> str | None:
    """Path of a translation tool that comes with PySide6, None if there is none."""
    beside = Path(sys.executable).parent / f"pyside6-{name}"
    return str(beside) if beside.exists() else shutil.which(f"pyside6-{name}")


def update(ts: Path) -> None:
    """Run lupdate over all sources into `ts`, dropping what no source says any more."""
    lupdate = tool("lupdate")
    assert lupdate is not None
    with tempfile.TemporaryDirectory() as folder:
        spoken = Path(folder) / "spoken.py"
        calls = [
            f"QCoreApplication.translate({context!r}, {sentence!r})\n"
            for context, found in (
                ("Errors", MESSAGES.values()),
                ("Fields", sentences()),
                ("Methods", method_sentences()),
            )
            for sentence in found
        ]
        spoken.write_text("".join(calls), encoding="utf-8")
        sources = [str(path) for path in sorted((ROOT / "viewer").rglob("*.py"))]
        command = [lupdate, "-silent", "-no-obsolete", "-locations", "none", *sources, str(spoken)]
        subprocess.run([*command, "-target-language", "zh_CN", "-ts", str(ts)], check=True)


def release(ts: Path, qm: Path) -> None:
    """Compile `ts` into `qm`."""
    lrelease = tool("lrelease")
    assert lrelease is not None
    subprocess.run([lrelease, "-silent", str(ts), "-qm", str(qm)], check=True)


def messages(ts: Path) -> dict[tuple[str, str], str | None]:
    """Translation by context and source; None where it is unfinished."""
    found: dict[tuple[str, str], str | None] = {}
    for context in ET.parse(ts).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            translation = message.find("translation")
            text = None
            if translation is not None and translation.get("type") is None:
                text = translation.text or ""
            found[name, message.findtext("source") or ""] = text
    return found


if __name__ == "__main__":
    update(TS)
    release(TS, QM)
    for (where, source), text in messages(TS).items():
        if not text:
            print(f"unfinished: {where}: {source}")
