"""The entries of a menu that stand for controls: their names, checkmarks and keys, and what they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import literal, plain
from viewer.pages.widgets.shown_keys import key_now

KEYS = "keys"
"""The dynamic property of a button that says which keys do the same, as they are written."""

_EDITOR = 150


def fill_menu(menu: QMenu, widgets: Iterable[QWidget]) -> None:
    """Replace a menu's entries by those of these controls, and of the controls in them."""
    menu.clear()
    for old in menu.findChildren(_Choices, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    for widget in widgets:
        if menu.actions():
            menu.addSeparator()
        for control in controls_of(widget):
            _add(menu, control)


def controls_of(widget: QWidget) -> Iterator[QWidget]:
    """A control; of a widget that holds several, those that its owner shows."""
    if isinstance(widget, QAbstractButton | QComboBox | QAbstractSlider | QSpinBox | QLabel):
        yield widget
        return
    inside = [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]
    numbers = {child.accessibleName() for child in inside if isinstance(child, QSpinBox)}
    for child in inside:
        explicit = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        hidden = child.isHidden() and child.testAttribute(explicit)
        twice = isinstance(child, QSlider) and child.accessibleName() in numbers
        if not hidden and not twice:
            yield from controls_of(child)


def is_mute(widget: QWidget) -> bool:
    """Whether it is a label that only names what stands beside it, and has no entry."""
    return isinstance(widget, QLabel) and (widget.property("role") != "badge" or not widget.text())


def name_of(control: QWidget) -> str:
    """What a control is called: by its own words, or as it is read out."""
    own = control.text() if isinstance(control, QAbstractButton | QLabel) else ""
    return control.accessibleName() or own or control.toolTip()


def _add(menu: QMenu, control: QWidget) -> None:
    if isinstance(control, QPushButton | QToolButton) and control.menu() is not None:
        _add_menu(menu, control, control.menu())
    elif isinstance(control, QAbstractButton):
        _add_button(menu, control)
    elif isinstance(control, QComboBox):
        menu.addMenu(_Choices(menu, control))
    elif isinstance(control, QSlider | QSpinBox):
        _add_editor(menu, control)
    elif isinstance(control, QLabel) and not is_mute(control):
        entry = menu.addAction(literal(control.text()))
        entry.setEnabled(False)


def _add_button(menu: QMenu, button: QAbstractButton) -> None:
    keys = key_now(button.property(KEYS) or "")
    entry = menu.addAction(literal(name_of(button)) + (f"\t{keys}" if keys else ""))
    entry.setCheckable(button.isCheckable())
    entry.setChecked(button.isChecked())
    entry.setEnabled(button.isEnabled())
    entry.setToolTip(plain(button.toolTip()))
    entry.triggered.connect(button.click)


def _add_menu(menu: QMenu, button: QAbstractButton, inner: QMenu) -> None:
    """The button's own menu, named by what it is for and what is chosen."""
    entry = menu.addMenu(inner)
    entry.setText(literal(with_choice(name_of(button), button.text().replace("&&", "&"))))
    entry.setEnabled(button.isEnabled())
    entry.setToolTip(plain(button.toolTip()))


def _add_editor(menu: QMenu, control: QSlider | QSpinBox) -> None:
    """Another editor of the same number, since the control itself stays where it is."""
    line = QWidget()
    row = QHBoxLayout(line)
    row.addWidget(label(text=name_of(control)))
    editor: QSlider | QSpinBox = (
        QSlider(control.orientation()) if isinstance(control, QSlider) else QSpinBox()
    )
    editor.setRange(control.minimum(), control.maximum())
    editor.setValue(control.value())
    editor.setAccessibleName(name_of(control))
    editor.setEnabled(control.isEnabled())
    editor.setMinimumWidth(_EDITOR)
    editor.valueChanged.connect(control.setValue)
    row.addWidget(editor, 1)
    entry = QWidgetAction(menu)
    entry.setText(name_of(control))
    entry.setDefaultWidget(line)
    menu.addAction(entry)


class _Choices(Guarded, QMenu):
    """The entries of a combo box."""

    def __init__(self, menu: QMenu, box: QComboBox) -> None:
        super().__init__(menu)
        self._box = box
        self.setTitle(literal(with_choice(name_of(box), box.currentText())))
        self.setEnabled(box.isEnabled())
        group = QActionGroup(self)
        for place in range(box.count()):
            entry = self.addAction(literal(box.itemText(place)))
            entry.setData(place)
            entry.setCheckable(True)
            entry.setChecked(place == box.currentIndex())
            group.addAction(entry)
        group.triggered.connect(self._chosen)

    def _chosen(self, entry: QAction) -> None:
        self._box.setCurrentIndex(entry.data())
        self._box.activated.emit(entry.data())  # what the box says when a person chooses


def with_choice(name: str, choice: str) -> str:
    """Such as "Theme: Dark"; the name alone where it says the choice."""
    if not choice or choice in name:
        return name
    return QCoreApplication.translate("OverflowMenu", "{name}: {choice}").format(name=name, choice=choice)
