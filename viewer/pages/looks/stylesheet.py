"""Stylesheet of the application, from a palette and a type scale.

Widgets opt in by object name or by the dynamic property `role`: `card`, `tab`, `primary`, `flat`, `title`,
`heading`, `lecture`, `keys`, `note`, `muted`, `small`, `badge`, `notice`, `problem`, `link`, `door`, `entry`.
"""

from __future__ import annotations

from dataclasses import asdict
from string import Template

from PySide6.QtWidgets import QApplication

from viewer.pages.widgets.appearance import Appearance
from viewer.resources import ROOT

_SHEET = Template("""
* { font-size: ${px14}px; }
QMainWindow, QDialog, QWidget#page, QWidget#central { background: $window; }
QWidget { color: $text; }
QLabel { background: transparent; }
QToolTip { background: $panel; color: $text; border: 1px solid $border_strong; padding: ${px4}px ${px6}px; }

QMenuBar { background: $window; border: none; padding: 1px ${px6}px; }
QMenuBar::item { padding: ${px3}px ${px8}px; border-radius: ${px4}px; background: transparent; }
QMenuBar::item:selected { background: $pressed; }
QMenu { background: $panel; border: 1px solid $border; padding: ${px4}px; }
QMenu::item { padding: ${px5}px ${px24}px ${px5}px ${px24}px; border-radius: ${px4}px; }
QMenu::item:selected { background: $soft; color: $accent; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: ${px4}px ${px8}px; }
QMenu::indicator { width: ${px14}px; height: ${px14}px; left: ${px5}px; }

QFrame[role="card"] { background: $panel; border: 1px solid $border; border-radius: ${px8}px; }
QFrame[role="pane"] { background: $panel; border: 1px solid $border; border-radius: ${px8}px; }
QFrame[role="notice"] { background: $warn; border: 1px solid $warn_border; border-radius: ${px8}px; }
QFrame[role="notice"] QLabel { color: $warn_text; }

QLabel[role="heading"] { font-size: ${px17}px; font-weight: 600; }
QLabel[role="problem"] { color: $problem; font-size: ${px12}px; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="small"] { color: $muted; font-size: ${px12}px; }
QLabel[role="large"] { font-size: ${px15}px; }
QLabel[role="lecture"] { font-size: ${px17}px; font-weight: 600; color: $accent; }
QLabel[role="keys"] { font-size: ${px11}px; color: $muted; }
QLabel[role="note"] { font-size: ${px12}px; }
QLabel[role="badge"] { background: $soft; color: $accent; border-radius: ${px4}px; padding: ${px2}px ${px6}px;
    font-size: ${px12}px; }

QPushButton, QToolButton[role="button"] { background: $panel; border: 1px solid $border;
    border-radius: ${px6}px; padding: ${px6}px ${px12}px; }
QPushButton:hover, QToolButton[role="button"]:hover { background: $hover; }
QPushButton:pressed, QToolButton[role="button"]:pressed { background: $pressed; }
QPushButton:focus, QToolButton[role="button"]:focus { border: 2px solid $accent;
    padding: ${px6m}px ${px12m}px; }
QPushButton:disabled, QToolButton[role="button"]:disabled { color: $disabled; }
QPushButton:checked, QToolButton[role="button"]:checked { background: $soft; color: $accent;
    border-color: $accent; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border-color: $accent;
    font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $border; border-color: $border; color: $muted; }
QPushButton[role="door"] { text-align: left; color: $accent; padding: ${px5}px ${px12}px; }
QPushButton[role="entry"] { background: transparent; border: 1px solid transparent; text-align: left;
    color: $muted; padding: 0 ${px8}px; }
QPushButton[role="entry"]:hover { background: $hover; color: $text; }
QPushButton[role="entry"]:checked { background: $soft; color: $accent; font-weight: 600; }
QPushButton[role="entry"]:focus { border: 1px solid $accent; padding: 0 ${px8}px; }
QToolButton[role="icon"] { background: $panel; border: 1px solid $border; border-radius: ${px6}px;
    padding: ${px4}px; }
QToolButton[role="icon"]:hover { background: $hover; }
QToolButton[role="icon"]:checked { background: $soft; border-color: $accent; }
QToolButton[role="icon"]:focus { border: 2px solid $accent; padding: ${px4m}px; }
QToolButton[role="icon"][strong="true"] { background: $accent; border-color: $accent; }
QToolButton[role="icon"][strong="true"]:focus { border: 2px solid $text; }
QToolButton[role="icon"]:disabled { background: $panel; border-color: $border; }
QToolButton[role="tab"] { background: transparent; border: 2px solid transparent; border-radius: ${px6}px;
    color: $muted; padding: ${px5}px ${px12}px; }
QToolButton[role="tab"]:hover { background: $hover; color: $text; }
QToolButton[role="tab"]:checked { background: $panel; color: $accent; font-weight: 600; }
QToolButton[role="tab"]:focus { border-color: $accent; }
QToolButton[role="tab"]:disabled { color: $disabled; }
QToolButton[role="tab"][framed="true"]:checked { background: $soft; }
QToolButton[role="tab"][tight="true"] { padding: ${px5}px ${px6}px; }
QToolButton[role="tab"][small="true"] { padding: ${px5}px ${px2}px; font-size: ${px11}px; }
QToolButton[role="link"], QPushButton[role="link"] { background: transparent; border: 2px solid transparent;
    border-radius: ${px4}px; color: $accent; padding: ${px2}px ${px4}px; }
QToolButton[role="link"]:hover, QPushButton[role="link"]:hover { background: $hover; }
QToolButton[role="link"]:focus, QPushButton[role="link"]:focus { border-color: $accent; }

QLineEdit { background: $panel; border: 1px solid $border_strong;
    border-radius: ${px6}px; padding: ${px5}px ${px8}px; selection-background-color: $accent;
    selection-color: $on_accent; }
QLineEdit:focus { border: 2px solid $accent;
    padding: ${px5m}px ${px8m}px; }
QLineEdit#sentence { font-size: ${px17}px; padding: ${px6}px ${px12}px; }
QLineEdit#sentence:focus { padding: ${px6m}px ${px12m}px; }

QComboBox, QAbstractSpinBox { background: $panel; border: 1px solid $border_strong;
    border-radius: ${px6}px; padding: ${px3}px ${px8}px; min-height: ${px18}px;
    selection-background-color: $accent; selection-color: $on_accent; }
QComboBox { combobox-popup: 0; }
QComboBox:hover, QAbstractSpinBox:hover { background: $hover; }
QComboBox:focus, QAbstractSpinBox:focus { border: 2px solid $accent; padding: ${px3m}px ${px8m}px; }
QComboBox:disabled, QAbstractSpinBox:disabled { color: $disabled; border-color: $border; }
QComboBox QLineEdit, QComboBox QLineEdit:focus, QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {
    border: none; padding: 0; background: transparent; border-radius: 0; }
QComboBox::drop-down { border: none; width: ${px22}px; }
QComboBox::down-arrow { image: url($icons/down.svg); width: ${px14}px; height: ${px14}px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $border_strong; outline: none;
    selection-background-color: $soft; selection-color: $accent; }
QComboBox QAbstractItemView::item { min-height: ${px26}px; padding: 0 ${px6}px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: ${px22}px;
    border: none; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; padding-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; padding-bottom: 2px; }
QAbstractSpinBox::up-arrow { image: url($icons/up.svg); width: ${px10}px; height: ${px10}px; }
QAbstractSpinBox::down-arrow { image: url($icons/down.svg); width: ${px10}px; height: ${px10}px; }
QCheckBox, QRadioButton { spacing: ${px8}px; padding: ${px3}px; border: 1px solid transparent;
    border-radius: ${px4}px; }
QCheckBox:focus, QRadioButton:focus { border-color: $accent; }
QCheckBox:disabled { color: $disabled; }
QCheckBox::indicator { width: ${px14}px; height: ${px14}px; border: 1px solid $border_strong;
    border-radius: ${px4}px; background: $panel; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($icons/check.svg); }
QCheckBox::indicator:disabled { border-color: $border; }
QRadioButton::indicator { width: ${px10}px; height: ${px10}px; border: 1px solid $border_strong;
    border-radius: ${px6}px; background: $panel; }
QRadioButton::indicator:hover { border-color: $accent; }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; }

QSlider::groove:horizontal { height: ${px4}px; background: $border; border-radius: ${px2}px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: ${px2}px; }
QSlider::sub-page:horizontal:disabled { background: $border; }
QSlider::handle:horizontal { width: ${px14}px; margin: -${px5}px 0; background: $panel;
    border: 2px solid $accent; border-radius: ${px9h}px; }
QSlider::handle:horizontal:focus { background: $accent; border-color: $text; }
QSlider::handle:horizontal:disabled { border-color: $border_strong; }

QTableView { background: $panel; border: 1px solid $panel; gridline-color: $border; outline: none;
    selection-background-color: $soft; selection-color: $text; }
QTableView:focus { border: 1px solid $accent; border-radius: ${px4}px; }
QTableView#pairs::item, QTableView#pairs QHeaderView::section { padding-left: ${px8}px;
    padding-right: ${px8}px; }
QListWidget:focus { border: 2px solid $accent; border-radius: ${px4}px; }
QFrame#palette[role="card"] { border-color: $border_strong; }
QListView#palette { background: transparent; border: none; outline: none; }
QListWidget#lessons { background: transparent; border: none; outline: none; }
QListWidget#lessons::item { border: 2px solid transparent; border-radius: ${px6}px; padding: 0 ${px6}px;
    color: $text; }
QListWidget#lessons::item:disabled { color: $muted; padding: 0 ${px6}px ${px3}px ${px6}px; }
QListWidget#lessons::item:hover:!selected:!disabled { background: $hover; }
QListWidget#lessons::item:selected { background: $soft; color: $accent; }
QListWidget#lessons::item:selected:focus { border-color: $accent; }
QHeaderView, QTableCornerButton::section { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $muted; border: none; border-bottom: 1px solid $border;
    padding: ${px4}px; font-size: ${px12}px; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $border; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollArea:focus { border: 2px solid $accent; border-radius: ${px4}px; }
QTextBrowser, QPlainTextEdit { background: $panel; border: 1px solid $border; border-radius: ${px6}px;
    padding: ${px8}px; }
QTextBrowser:focus, QPlainTextEdit:focus { border: 2px solid $accent; }
QScrollBar:vertical { background: transparent; width: ${px10}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${px10}px; margin: 0; }
QScrollBar::handle { background: $border_strong; border-radius: ${px4}px; min-width: 24px; min-height: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $border; border: none; border-radius: ${px2}px; max-height: ${px4}px; }
QProgressBar::chunk { background: $accent; border-radius: ${px2}px; }
QTabBar::tab { background: transparent; color: $muted; padding: ${px5}px ${px12}px; border-radius: ${px6}px; }
QTabBar::tab:selected { background: $soft; color: $accent; font-weight: 600; }
""")


def stylesheet(appearance: Appearance) -> str:
    """The whole sheet for the theme and type scale in force."""
    sizes = {f"px{n}": appearance.px(n) for n in (2, 3, 4, 5, 6, 8, 10, 11, 12, 14, 15, 17, 18, 22, 24, 26)}
    focused = {
        f"px{n}m": max(0, appearance.px(n) - 1) for n in (3, 4, 5, 6, 8, 12)
    }  # the focus border's extra pixel
    sizes["px9h"] = appearance.px(14) // 2
    colours = {name: value for name, value in asdict(appearance.palette).items() if name != "name"}
    controls = (ROOT / "icons" / "controls" / appearance.palette.name).as_posix()
    return _SHEET.substitute(colours, **sizes, **focused, icons=controls)


def take_sheet(appearance: Appearance) -> None:
    """Give the application the sheet in force; what is made from now on has it.

    Its first one Qt gives to all that is there. Of another it would do so at once, and to each once for each
    that it lies in. So its style first forgets whom it has styled; see `Renewal` for who styles them.
    """
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    if has_sheet():
        application.style().unpolish(application)
    application.setStyleSheet(stylesheet(appearance))
    application.style().polish(application)


def has_sheet() -> bool:
    """Whether the application has a sheet."""
    application = QApplication.instance()
    return isinstance(application, QApplication) and bool(application.styleSheet())
