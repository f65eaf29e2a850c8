"""Headscope without torch and SentencePiece, as in the packaged viewer, though they are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_WITHOUT = """
import importlib.util, sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "sentencepiece"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
find = importlib.util.find_spec
sys.meta_path.insert(0, Without())
importlib.util.find_spec = lambda name: None if name in ("torch", "sentencepiece") else find(name)
sys.argv = ["headscope", *sys.argv[1:]]
"""


def run_without_torch(code: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """A Python program of its own, in the checkout."""
    told = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    told |= {"XDG_STATE_HOME": str(home)}
    command = [sys.executable, "-c", _WITHOUT + code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, timeout=100)
