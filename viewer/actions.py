"""Every menu action of the window: its shortcut, and its words in the language in force."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from model.trace import AttentionKind
from viewer.settings import THEMES
from viewer.state.selection import PaneView

_SHORTCUTS = {
    "open_model": "Ctrl+O",
    "open_trace": "Ctrl+Shift+O",
    "save_trace": "Ctrl+S",
    "save_session": "Ctrl+Shift+S",
    "export": "Ctrl+E",
    "copy_picture": "Ctrl+Alt+C",
    "quit": "Ctrl+Q",
    "undo": "Ctrl+Z",
    "redo": "Ctrl+Shift+Z",
    "add_bookmark": "Ctrl+D",
    "next_bookmark": "F8",
    "previous_bookmark": "Shift+F8",
    "branches": "Ctrl+B",
    "compare": "Ctrl+K",
    "heads_table": "Ctrl+H",
    "sentences": "Ctrl+J",
    "arithmetic": "Ctrl+U",
    "what_if": "Ctrl+I",
    "reset_changes": "Ctrl+R",
    "show_train": "Ctrl+T",
    "present": "F5",
    "keys": "F1",
}
PLAIN_KEYS = {
    "sqrt": "S",
    "view_flow": "F",
    "view_words": "W",
    "view_heads": "A",
    "encoder_self": "E",
    "decoder_self": "D",
    "cross": "C",
    "mean": "M",
}
"""Keys without Ctrl, which `viewer.keys` answers where nothing is typed: menus only name them."""
FAMILIES = tuple(str(kind) for kind in AttentionKind)
"""Names of the actions for the families of attention."""
VIEWS = tuple(f"view_{view}" for view in PaneView)
"""Names of the actions for the views of a pane."""
_CHECKABLE = (
    "sqrt", "raw_pieces", "whole_words", "hide_specials", "second_pane", "next_word", "present", "branches",
    "compare", "heads_table", "sentences", *VIEWS, *FAMILIES, "mean",
)  # fmt: skip


class Actions(QObject):
    """Named actions, `actions["export"]`; `themes` holds one per theme choice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        names = (
            "open_model", "open_trace", "open_session", "save_trace", "save_session",
            "export", "copy_picture", "copy_command", "quit",
            "undo", "redo", "reset_changes", "gold_links", "go_to",
            "add_bookmark", "next_bookmark", "previous_bookmark", "edit_bookmarks",
            "show_look", "show_positions", "show_learn", "show_train", *VIEWS, *FAMILIES, "mean",
            "sqrt", "raw_pieces", "whole_words", "hide_specials", "second_pane",
            "next_word", "arithmetic", "what_if", "branches", "compare", "heads_table", "sentences",
            "present", "keys", "about", "model_info",
        )  # fmt: skip
        self._actions = {name: QAction(self) for name in names}
        for name, keys in _SHORTCUTS.items():
            self._actions[name].setShortcut(QKeySequence(keys))
        self._actions["redo"].setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self._actions["go_to"].setShortcuts([QKeySequence("Ctrl+F"), QKeySequence("Ctrl+G")])
        for name in _CHECKABLE:
            self._actions[name].setCheckable(True)
        self._actions["quit"].setMenuRole(QAction.MenuRole.QuitRole)
        self._actions["about"].setMenuRole(QAction.MenuRole.AboutRole)
        self._group = QActionGroup(self)
        self.themes: dict[str, QAction] = {}
        for theme in THEMES:
            action = QAction(self)
            action.setCheckable(True)
            action.setData(theme)
            self._group.addAction(action)
            self.themes[theme] = action
        self.retranslate()

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    @property
    def theme_group(self) -> QActionGroup:
        """The exclusive theme choices."""
        return self._group

    def all(self) -> list[QAction]:
        """Every action; the window holds them all, so that shortcuts work while the menu bar is hidden."""
        return [*self._actions.values(), *self.themes.values()]

    def retranslate(self) -> None:
        """Take the language in force."""
        for name, words in _texts().items():
            text = f"{words}\t{PLAIN_KEYS[name]}" if name in PLAIN_KEYS else words
            (self.themes[name[6:]] if name.startswith("theme_") else self._actions[name]).setText(text)
        self.name_changes("", "")
        self._actions["sqrt"].setStatusTip(self.tr("True values stay on the colour bar"))

    def name_changes(self, undo: str, redo: str) -> None:
        """Say what would be undone and done again, and allow it; empty for nothing."""
        for name, change, text in (
            ("undo", undo, self.tr("&Undo {change}")),
            ("redo", redo, self.tr("&Redo {change}")),
        ):
            self._actions[name].setText(text.format(change=change).rstrip())
            self._actions[name].setEnabled(bool(change))


def _texts() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "open_model": translate("Actions", "&Open model…"),
        "open_trace": translate("Actions", "Open &trace…"),
        "open_session": translate("Actions", "Open sess&ion…"),
        "save_trace": translate("Actions", "&Save trace…"),
        "save_session": translate("Actions", "Save sessio&n…"),
        "export": translate("Actions", "&Export…"),
        "copy_picture": translate("Actions", "Copy &picture"),
        "copy_command": translate("Actions", "Copy as co&mmand"),
        "quit": translate("Actions", "&Quit"),
        "add_bookmark": translate("Actions", "&Bookmark this view…"),
        "next_bookmark": translate("Actions", "&Next bookmark"),
        "previous_bookmark": translate("Actions", "&Previous bookmark"),
        "edit_bookmarks": translate("Actions", "&Edit bookmarks…"),
        "show_look": translate("Actions", "L&ook"),
        "show_positions": translate("Actions", "Pos&itions"),
        "show_learn": translate("Actions", "L&earn"),
        "show_train": translate("Actions", "&Train"),
        "encoder_self": translate("Actions", "&Encoder self-attention"),
        "decoder_self": translate("Actions", "&Decoder self-attention"),
        "cross": translate("Actions", "&Cross-attention"),
        "mean": translate("Actions", "M&ean over heads"),
        "view_map": translate("Actions", "As a &map"),
        "view_flow": translate("Actions", "As a &flow"),
        "view_words": translate("Actions", "As &words"),
        "view_heads": translate("Actions", "A&ll heads"),
        "sqrt": translate("Actions", "&Square root scale"),
        "raw_pieces": translate("Actions", "&Raw pieces"),
        "whole_words": translate("Actions", "&Whole words"),
        "hide_specials": translate("Actions", "&Hide start and end tokens"),
        "second_pane": translate("Actions", "Second &map beside the first"),
        "next_word": translate("Actions", "I&nspector"),
        "what_if": translate("Actions", "&What if"),
        "go_to": translate("Actions", "Go to &token…"),
        "gold_links": translate("Actions", "&Gold alignment…"),
        "reset_changes": translate("Actions", "&Take all changes of the model back"),
        "branches": translate("Actions", "&Branches"),
        "compare": translate("Actions", "&Compare"),
        "heads_table": translate("Actions", "Heads ta&ble"),
        "sentences": translate("Actions", "S&entences"),
        "arithmetic": translate("Actions", "&Arithmetic"),
        "present": translate("Actions", "&Present"),
        "keys": translate("Actions", "&Keys"),
        "about": translate("Actions", "&About Headscope"),
        "model_info": translate("Actions", "&Model information"),
        "theme_system": translate("Actions", "As the &system"),
        "theme_light": translate("Actions", "&Light"),
        "theme_dark": translate("Actions", "&Dark"),
    }
