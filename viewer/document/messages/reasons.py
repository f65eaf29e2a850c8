"""Reasons: what fills the placeholders of an error sentence and is itself English: why, what is wanted."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

_AT_LEAST = re.compile(r"at (least|most) (-?[\d.]+)")


def localized(value: object) -> object:
    """A value of an error in the application's language, itself when it is a name, a number or unknown."""
    if not isinstance(value, str):
        return value
    bound = _AT_LEAST.fullmatch(value)
    if bound is not None:
        text = _least() if bound[1] == "least" else _most()
        return text.format(number=bound[2])
    return _reasons().get(value, value)


def _least() -> str:
    return QCoreApplication.translate("Reasons", "at least {number}")


def _most() -> str:
    return QCoreApplication.translate("Reasons", "at most {number}")


def _reasons() -> dict[str, str]:
    return _of_files() | _of_numbers() | _of_the_system()


def _of_files() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "it is empty": translate("Reasons", "it is empty"),
        "it is cut short": translate("Reasons", "it is cut short"),
        "it is cut short, or of another format": translate(
            "Reasons", "it is cut short, or of another format"
        ),
        "it is longer than its header says": translate("Reasons", "it is longer than its header says"),
        "its header cannot be read": translate("Reasons", "its header cannot be read"),
        "it is not a JSON object": translate("Reasons", "it is not a JSON object"),
        "it is not a SentencePiece model": translate("Reasons", "it is not a SentencePiece model"),
        "it is cut short, or not a SentencePiece model": translate(
            "Reasons", "it is cut short, or not a SentencePiece model"
        ),
        "another file took its place after it was opened": translate(
            "Reasons", "another file took its place after it was opened"
        ),
        "it holds no attention": translate("Reasons", "it holds no attention"),
        "a number is too large": translate("Reasons", "a number is too large"),
    }


def _of_numbers() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "an object": translate("Reasons", "an object"),
        "a name": translate("Reasons", "a name"),
        "a list of two language codes": translate("Reasons", "a list of two language codes"),
        "above 0": translate("Reasons", "above 0"),
        "0 or more": translate("Reasons", "0 or more"),
        "from 0 up to 1": translate("Reasons", "from 0 up to 1"),
        "even": translate("Reasons", "even"),
        "inside both vocabularies": translate("Reasons", "inside both vocabularies"),
    }


def _of_the_system() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "Permission denied": translate("Reasons", "Permission denied"),
        "Operation not permitted": translate("Reasons", "Operation not permitted"),
        "No space left on device": translate("Reasons", "No space left on device"),
        "Disk quota exceeded": translate("Reasons", "Disk quota exceeded"),
        "Read-only file system": translate("Reasons", "Read-only file system"),
        "Is a directory": translate("Reasons", "Is a directory"),
        "Not a directory": translate("Reasons", "Not a directory"),
        "File name too long": translate("Reasons", "File name too long"),
        "Input/output error": translate("Reasons", "Input/output error"),
    }
