"""SVG cleaned up after QSvgGenerator: exact size, metadata, crisp bitmaps, a fraction of the bytes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from PySide6.QtGui import QFont, QFontMetricsF

from viewer.export.kept_images import KeptImages
from viewer.figures.canvas.fonts import FEATURES, figure_font

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_G, _TEXT, _IMAGE = (f"{{{_SVG}}}{name}" for name in ("g", "text", "image"))
_IDENTITY = "matrix(1,0,0,1,0,0)"
_FONT = ("font-family", "font-size", "font-weight", "font-style")
# Presentation attributes that say what holds anyway.
_DEFAULTS = {"fill-opacity": "1", "stroke-opacity": "1", "font-style": "normal", "transform": _IDENTITY}
_GENERIC = ("Sans Serif", "sans-serif", "")
_FEATURES = "font-feature-settings:" + ",".join(f'"{name}" {value}' for name, value in FEATURES.items())
_MEASURE = 100  # pixels; without hinting widths grow in proportion
# Characters that XML cannot hold in any spelling.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def tidy_svg(
    data: bytes,
    images: KeptImages,
    *,
    size_mm: tuple[float, float],
    view_box: tuple[float, float],
    title: str,
    description: str,
) -> bytes:
    """The same picture, smaller and fit for publishing.

    Each shape carries its own attributes (Qt wraps each in a group with ten), viewers are told not to smooth
    bitmaps, and text keeps its width where another font has to stand in.

    Args:
        data: UTF-8 output of QSvgGenerator.
        images: drawn on it.
        size_mm: width and height of the page.
        view_box: the same in user units.
    """
    root = ET.fromstring(_ILLEGAL.sub("\ufffd", data.decode("utf-8", "replace")))
    root.attrib.pop("baseProfile", None)
    root.set("version", "1.1")
    root.set("width", f"{size_mm[0]:.6g}mm")
    root.set("height", f"{size_mm[1]:.6g}mm")
    root.set("viewBox", f"0 0 {view_box[0]:.8g} {view_box[1]:.8g}")
    for tag in ("desc", "title"):
        for old in root.findall(f"{{{_SVG}}}{tag}"):
            root.remove(old)
    for position, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{_SVG}}}{tag}")
        element.text = _ILLEGAL.sub("\ufffd", text)
        root.insert(position, element)
    for group in root.findall(_G):
        group[:] = [_simple(child) for child in group if child.tag != _G or len(child)]
    images.to_svg(root)
    for element in root.iter():
        _refine(element)
    root.insert(2, _font_chains(root))
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    ET.indent(root, space="")
    data = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return bytes(data) + b"\n"


def _simple(group: ET.Element) -> ET.Element:
    """The only child of a group, with the group's attributes; a group of several stays."""
    if group.tag != _G or len(group) != 1:
        return group
    child = group[0]
    if child.tag in (_G, _IMAGE):
        return group
    keep = {name: value for name, value in group.attrib.items() if child.tag == _TEXT or name not in _FONT}
    child.attrib = {**keep, **child.attrib}
    return child


def _refine(element: ET.Element) -> None:
    if element.tag == _IMAGE:
        element.set("style", "image-rendering:crisp-edges;image-rendering:pixelated")
        element.attrib.pop("image-rendering", None)
    elif element.tag == _G and all(child.tag != _TEXT for child in element):
        for name in _FONT:
            element.attrib.pop(name, None)
    if element.get("stroke") == "none":
        for name in ("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-opacity"):
            element.attrib.pop(name, None)
    if element.tag == _TEXT:
        _fit(element)
    for name, value in _DEFAULTS.items():
        if element.get(name) == value:
            del element.attrib[name]


def _fit(text: ET.Element) -> None:
    """Tell viewers how wide a text is, so that one with another font does not run into its neighbours."""
    text.text = (text.text or "").rstrip()
    font = QFont(figure_font(_MEASURE))
    font.setFamilies(text.get("font-family", "").split(","))
    font.setWeight(QFont.Weight(int(text.get("font-weight", "400"))))
    width = QFontMetricsF(font).horizontalAdvance(text.text) * float(text.get("font-size", "0")) / _MEASURE
    if len(text.text) > 1 and width > 0:
        text.set("textLength", f"{width:.6g}")
        text.set("lengthAdjust", "spacingAndGlyphs")


def _font_chains(root: ET.Element) -> ET.Element:
    """A style sheet with the chains of fonts, each under its first name; that alone stays in the texts.

    Viewers that know style sheets walk the chain. Qt's own takes a list for one name, and skips @media.
    """
    rules = {}
    for text in root.iter(_TEXT):
        names = [name.strip("'\" ") for name in text.get("font-family", "").split(",")]
        chain = [f'"{name}"' for name in names if name and name not in _GENERIC]
        rules[names[0]] = ",".join([*chain, "sans-serif"])
        text.set("font-family", names[0])
    style = ET.Element(f"{{{_SVG}}}style")
    lines = [
        f'text[font-family="{name}"]{{font-family:{chain};{_FEATURES}}}'
        for name, chain in sorted(rules.items())
    ]
    style.text = "@media all{" + "".join(lines) + "}"
    return style
