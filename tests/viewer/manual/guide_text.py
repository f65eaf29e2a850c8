"""What a text for readers promises: commands, links, pictures, names of controls. The manual's, README's.

Read here by regular expressions of our own, not by the program's reader of pages.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.viewer.translation_files import TS, messages

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "resources" / "manual"


def pages(language: str) -> dict[str, str]:
    """The text of every page of the manual by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((MANUAL / language).glob("*.md"))}


def fences(text: str, kind: str) -> list[str]:
    """Blocks of code of a kind, such as `bash`."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """Every command of every `bash` block, lines that go on put together."""
    blocks = "".join(fences(text, "bash")).replace("\\\n", " ")
    return [line.strip() for line in blocks.splitlines() if line.strip() and not line.startswith("#")]


def arguments_of(command: str) -> list[str]:
    """What a command tells the program: behind `headscope`, or `python main.py` of a checkout.

    Raises:
        ValueError: it is another program's.
    """
    words = shlex.split(command)
    if words[0] == "headscope":
        return words[1:]
    if Path(words[0]).name.startswith("python") and words[1:2] == ["main.py"]:
        return words[2:]
    raise ValueError(f"not ours: {command}")


def prose(text: str) -> str:
    """A text without its blocks of code and its code in lines."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def links(text: str) -> list[str]:
    """Where links lead, as written; pictures are none."""
    return re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", prose(text))


def pictures(text: str) -> list[tuple[str, str]]:
    """Of each picture what it says to those who do not see it, and its file."""
    return re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", text)


def headings(text: str) -> list[tuple[int, str]]:
    """Level and words of each heading."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [(len(level), words) for level, words in re.findall(r"^(#+) (.*)$", plain, re.MULTILINE)]


def controls(text: str) -> list[str]:
    """What is bold: what one reads in the window."""
    return re.findall(r"\*\*([^*\n]+)\*\*", prose(text))


@cache
def _catalogue(language: str) -> frozenset[str]:
    """Every text of the window in a language, as it is seen: without the letters that menus underline."""
    pairs = messages(TS).items()
    texts = (source if language == "en" else translation or "" for (_, source), translation in pairs)
    return frozenset(_seen(text) for text in texts if text)


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Texts with something to be filled in, which stands for whatever is there."""
    return tuple(
        re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)))
        for text in sorted(_catalogue(language))
        if re.search(r"\{\w+\}", text) and len(re.sub(r"\{\w+\}", "", text).strip()) > 3
    )


def _seen(text: str) -> str:
    text = re.sub(r"\(&\w\)", "", text).replace("&&", "\0").replace("&", "").replace("\0", "&")
    return text.strip().rstrip("…").strip()


NOT_TRANSLATED = {"中 / EN", "…"}
"""What the window says alike in every language."""


def is_of_the_window(control: str, language: str) -> bool:
    """Whether the window says this somewhere, in that language; of `File › Export…` each part."""
    if " › " in control:
        return all(is_of_the_window(part, language) for part in control.split(" › "))
    seen = _seen(control)
    if control in NOT_TRANSLATED or seen in _catalogue(language):
        return True
    return any(pattern.fullmatch(seen) for pattern in _patterns(language))


def slug(words: str) -> str:
    """How sites that show Markdown call a heading in a link."""
    kept = "".join(c for c in words.lower() if c.isalnum() or c in "-_ ")
    return kept.strip().replace(" ", "-")


def all_links(languages: tuple[str, ...] = ("en", "zh")) -> Iterator[tuple[str, str, str]]:
    """Language, page and target of every link of the manual."""
    for language in languages:
        for name, text in pages(language).items():
            for link in links(text):
                yield language, name, link
