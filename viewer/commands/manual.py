"""`manual`: a page of the manual as text, or the names of all."""

from __future__ import annotations

from model.commands.console import DONE, parser, put
from model.errors import HeadscopeError


def run(argv: list[str]) -> int:
    """See `headscope manual --help`.

    Raises:
        HeadscopeError: there is no such page.
    """
    arguments = parser(
        "manual", "Print a page of the manual (Markdown); without PAGE their names and titles."
    )
    arguments.add_argument("page", nargs="?", metavar="PAGE", help="name of a page")
    arguments.add_argument("--language", choices=["en", "zh"], default="en", help="of the page")
    given = arguments.parse_args(argv)
    from viewer.window.manual.library import KEYS_MARK, library

    manual = library(given.language)
    if given.page is None:
        for group in manual.groups:
            put(group.title)
            for name in group.pages:
                put(f"  {name}  {manual.page(name).title}")
        return DONE
    if given.page not in manual.names:
        raise HeadscopeError("manual_page", name=given.page, names=", ".join(manual.names))
    text = manual.page(given.page).text
    put((text.replace(KEYS_MARK, _keys(given.language)) if KEYS_MARK in text else text).rstrip("\n"))
    return DONE


def _keys(language: str) -> str:
    """The table of all keys, whose words are the window's."""
    from viewer.commands.headless import start_qt

    application = start_qt()
    from viewer.window.localization import Localization
    from viewer.window.manual.key_table import all_keys

    speaking = Localization("zh_CN" if language == "zh" else "en")
    told = all_keys()
    speaking.remove()
    del application
    return told
