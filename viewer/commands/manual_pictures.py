"""`manual-pictures`: the manual's pictures made again: parts of the window, figures as `render` has them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from model.commands.console import DONE, parser, say
from model.files.files import replace_bytes, shown
from viewer.commands.trace_answers import TraceAnswers

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from model.trace.trace import Trace
    from model.translator.translator import Translator
    from viewer.figures.request import ExportRequest, Source
    from viewer.window.main_window import MainWindow

LANGUAGES = ("en", "zh")
_COLOURS = 96  # of a picture: few shades, small files
_DPI = 150
_ROOMY = (1360, 860)  # everything stands open
_OTHER = {"en": ("did not want", "wanted"), "zh": ("红苹果", "书")}
"""What stands otherwise in the second sentence of the difference."""


@dataclass
class Studio:
    """What all pictures of a language are taken of: a model and the translation of its example.

    Attributes:
        language: `en` or `zh`.
    """

    language: str

    @property
    def model(self) -> str:
        """Name of the model that suits readers of the language."""
        return "zh-en" if self.language == "zh" else "en-fr"

    @cached_property
    def translator(self) -> Translator:
        """The model."""
        from viewer.commands.headless import load_model

        return load_model(self.model)

    @cached_property
    def trace(self) -> Trace:
        """The translation of the model's example."""
        from viewer.commands.demo import sentence_for
        from viewer.commands.headless import decode

        return decode(self.translator, sentence_for(self.translator))

    @cached_property
    def opening(self) -> ExportRequest:
        """The map of the model's showcase head."""
        from viewer.commands.demo import opening_request

        return opening_request(self.model, self.trace).but(dpi=_DPI)

    @cached_property
    def answers(self) -> TraceAnswers:
        """What the model says beyond the trace."""
        return TraceAnswers(self.trace, translator=self.translator)

    @property
    def source(self) -> Source:
        """What figures are drawn of."""
        from viewer.commands.headless import model_source

        return replace(model_source(self.translator, self.trace), known=self.answers)

    def other_trace(self) -> Trace:
        """The translation of a sentence that differs in one word."""
        from viewer.commands.headless import decode

        return decode(self.translator, self.trace.src_text.replace(*_OTHER[self.language]))


def _whole(window: MainWindow) -> QWidget:
    return window


def _heads_table(window: MainWindow) -> QWidget:
    window.actions_["heads_table"].trigger()
    window.look_page.drawer.enlarge.click()
    return window.look_page.drawer


def _arithmetic(window: MainWindow) -> QWidget:
    window.actions_["arithmetic"].trigger()
    return window.look_page.inspector


def _lesson(window: MainWindow) -> QWidget:
    window.palette_.do("lesson:scaling")
    return window


def _train(window: MainWindow) -> QWidget:
    window.actions_["show_train"].trigger()
    return window


def _window(
    arrange: Callable[[MainWindow], QWidget], size: tuple[int, int] = (1120, 720)
) -> Callable[[Studio], bytes]:
    """A picture of the window or of a part of it, with something opened in it."""

    def made(studio: Studio) -> bytes:
        from PySide6.QtCore import QSize

        from viewer.commands.window_picture import window_image
        from viewer.export.png import png_of

        selection = studio.opening.selection.but(step=studio.trace.steps // 2)
        language = "zh_CN" if studio.language == "zh" else "en"
        described = studio.translator.describe()
        image = window_image(
            studio.trace, selection, described, language, studio.answers, arrange, QSize(*size)
        )
        return png_of(image)

    return made


def _figure(view: str, width: float = 150.0) -> Callable[[Studio], bytes]:
    """A figure of the example."""

    def made(studio: Studio) -> bytes:
        return _drawn(studio.source, studio.opening.but(view=view, width_mm=width))

    return made


def _difference(studio: Studio) -> bytes:
    source = replace(studio.source, compared=(studio.trace, studio.other_trace()))
    return _drawn(source, studio.opening.but(view="difference"))


def _drawn(source: Source, request: ExportRequest) -> bytes:
    from viewer.export.writers import write_export

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        write_export(source, request, path)
        return path.read_bytes()


PICTURES: dict[str, Callable[[Studio], bytes]] = {
    "look": _window(_whole, _ROOMY),
    "heads-table": _window(_heads_table, _ROOMY),
    "arithmetic": _window(_arithmetic, _ROOMY),
    "lesson": _window(_lesson),
    "train": _window(_train),
    "flow": _figure("flow"),
    "all-heads": _figure("all_heads"),
    "architecture": _figure("architecture", 135),
    "positions": _figure("positions"),
    "difference": _difference,
}
"""By name: `look` is `look-en.png` and `look-zh.png`."""


def run(argv: list[str]) -> int:
    """See `headscope manual-pictures --help`."""
    arguments = parser("manual-pictures", "Make the pictures of the manual again, in both languages.")
    arguments.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    arguments.add_argument("--out", metavar="DIR", help="folder (default: the manual's own)")
    given = arguments.parse_args(argv)
    for name in given.names:
        if name not in PICTURES:
            arguments.error(f"there is no picture {name!r}; there are {', '.join(PICTURES)}")
    from viewer.commands.headless import make_folder, start_qt
    from viewer.window.manual.library import FOLDER

    out = Path(given.out) if given.out else FOLDER / "pictures"
    make_folder(out)
    application = start_qt(widgets=True)
    from viewer.window.localization import Localization

    speaking = Localization("en", application)
    for language in LANGUAGES:
        speaking.choose("zh_CN" if language == "zh" else "en")
        studio = Studio(language)
        for name in given.names or PICTURES:
            say(f"headscope: drawing {name} ({language})")
            replace_bytes(out / f"{name}-{language}.png", small(PICTURES[name](studio)))
    speaking.remove()
    say(f"headscope: the pictures are in {shown(out)}")
    del application
    return DONE


def small(png: bytes) -> bytes:
    """A picture in few colours, which look the same."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "PNG", optimize=True)
    return written.getvalue()
