"""PDF pages through Qt, with the exact page size and without the date and random id that Qt adds."""

from __future__ import annotations

import math
import re
import unicodedata
import uuid
from collections.abc import Callable
from html import escape

from PySide6.QtCore import QBuffer, QByteArray, QHashSeed, QIODevice, QMarginsF, QSizeF, QUuid
from PySide6.QtGui import QPageLayout, QPageSize, QPaintDevice

from model.errors import HeadscopeError
from viewer.export.kept_images import PdfPaper

_DOTS_PER_INCH = 1200
_POINTS_PER_INCH = 72
_PX_PER_INCH = 96
_END = b"%%EOF"
_DATE = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")
_BOX = re.compile(rb"/(MediaBox|TrimBox) \[([^\]]*)\]")
_CHARACTERS = re.compile(rb"beginbfrange.*?endbfrange", re.DOTALL)
_LISTED = re.compile(rb"\[[^\]]*\]")
_CODE = re.compile(rb"<([0-9A-F]{4})>")

_XMP = """<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{caption}</rdf:li></rdf:Alt></dc:description>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end='w'?>
"""


def pdf_bytes(
    draw: Callable[[QPaintDevice, float], None],
    *,
    width_points: float,
    height_points: int,
    title: str,
    caption: str,
    creator: str,
) -> bytes:
    """A PDF of one page of the given size in points of 1/72 inch.

    Args:
        draw: draws on the device, scaled by the second argument to logical pixels of 1/96 inch, and ends it.

    Raises:
        HeadscopeError: `picture_failed`, or what `draw` raises.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = PdfPaper(buffer)
    writer.setResolution(_DOTS_PER_INCH)
    # Qt knows pages of whole points only; the box is set to the exact width below.
    paper = QSizeF(math.ceil(width_points), height_points)
    size = QPageSize(paper, QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch)
    margins = QMarginsF(0, 0, 0, 0)
    layout = QPageLayout(size, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Point)
    if not writer.setPageLayout(layout):
        raise HeadscopeError("picture_failed", reason="Qt refused the page size")
    texts = {"title": escape(title), "caption": escape(caption), "creator": escape(creator)}
    xmp = _XMP.format(**texts).encode()
    writer.setTitle(title)
    writer.setCreator(creator)
    writer.setDocumentId(QUuid(str(uuid.uuid5(uuid.NAMESPACE_OID, xmp.decode()))))
    writer.setDocumentXmpMetadata(QByteArray(xmp))
    # Fonts are written in the order of a hash table, whose seed Qt draws anew in each process.
    QHashSeed.setDeterministicGlobalSeed()
    try:
        draw(writer, _DOTS_PER_INCH / _PX_PER_INCH)
    finally:
        QHashSeed.resetRandomGlobalSeed()
    data = bytes(buffer.data().data())
    if not data.rstrip().endswith(_END):
        raise HeadscopeError("picture_failed", reason="Qt could not finish drawing")
    return searchable(_exact(writer.kept.to_pdf(data), width_points))


def searchable(data: bytes) -> bytes:
    """The same file with the characters that glyphs stand for as they are typed; no byte moves.

    A font has one glyph for 小 and for the radical ⼩, for a space and for a tab; Qt names either.
    """

    def typed(found: re.Match[bytes]) -> bytes:
        character = chr(int(found.group(1), 16))
        plain = " " if character == "\t" else unicodedata.normalize("NFKC", character)
        radical = "\u2e80" <= character <= "\u2fdf" or "\uf900" <= character <= "\ufaff"
        if len(plain) != 1 or not (radical or character == "\t"):
            return found.group()
        return b"<%04X>" % ord(plain)

    def ranges(found: re.Match[bytes]) -> bytes:
        return _LISTED.sub(lambda listed: _CODE.sub(typed, listed.group()), found.group())

    return _CHARACTERS.sub(ranges, data)


def _exact(data: bytes, width_points: float) -> bytes:
    """The same file with optional dates blanked and the boxes as wide as the figure; no byte moves."""
    data = _DATE.sub(lambda found: b" " * len(found.group()), data)

    def box(found: re.Match[bytes]) -> bytes:
        left, bottom, width, top = found.group(2).split()
        exact = f"{width_points:.{max(1, len(width) - 4)}f}"[: len(width)].encode().ljust(len(width))
        return b"/%b [%b %b %b %b]" % (found.group(1), left, bottom, exact, top)

    return _BOX.sub(box, data)
