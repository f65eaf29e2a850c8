"""Encodings of texts: told by a byte-order mark, by being UTF-8, or by what the words look like."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from model.errors import HeadscopeError

# Longest mark first: UTF-32's begins with UTF-16's.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNMARKED = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")

# What corpora come in, of several that fit equally well the first. Of relatives only the largest is here
# (gb18030 for gb2312 and gbk, cp932 for Shift JIS, cp949 for EUC-KR, cp1252 for most of Latin-1).
COMMON = (
    "cp1252", "gb18030", "cp932", "big5", "euc_jp", "cp949", "cp1251", "cp1250", "koi8_r", "cp1253", "cp1254",
    "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "iso8859_15", "iso8859_2", "iso8859_5", "iso8859_7",
    "big5hkscs", "latin_1",
)  # fmt: skip
_CHAOS = 0.25  # the most that charset-normalizer may find wrong with a guess
# What characters other than letters cost, and kana and words of a known language earn, against that.
_ODD, _KANA, _LANGUAGE = 0.5, 0.3, 0.1
_SAMPLE = 1 << 15

_KANA_LETTERS = re.compile("[\u3041-\u30fa]")
_PUNCTUATION = frozenset(
    "«»‹›“”„‘’‚‛—–…¿¡°€£§©®·•†№、。！？，；：「」『』（）《》〈〉【】～・ー％＂￥\u00a0\u202f\u3000"
)


def check_encoding(name: str) -> str:
    """`name` if Python has a text codec of that name.

    Raises:
        HeadscopeError: `corpus_encoding_unknown`.
    """
    try:
        decoder(name)
        "a".encode(name)  # refuses codecs that are no text, such as "base64"
    except (LookupError, UnicodeError, ValueError):
        raise HeadscopeError("corpus_encoding_unknown", name=repr(name)) from None
    return name


def decoder(name: str) -> codecs.IncrementalDecoder:
    """A decoder of that codec which stops at what it cannot read."""
    make: Callable[[], codecs.IncrementalDecoder] = codecs.getincrementaldecoder(name)
    return make()


def encoding_by_start(data: bytes) -> str:
    """What a file that begins so is taken for until shown otherwise: UTF-8, or what its first bytes prove."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return name
    if b"\0" in data:
        for name in _UNMARKED:
            if _reads_as_lines(data, name):
                return name
    return "utf-8"


def _reads_as_lines(data: bytes, name: str) -> bool:
    try:
        text = decoder(name).decode(data)
    except UnicodeDecodeError:
        return False
    return "\0" not in text and ("\n" in text or "\t" in text)


def detect_encoding(data: bytes) -> str | None:
    """The encoding of bytes that are not UTF-8, None if they look like no text.

    Guessed by charset-normalizer from the lines beyond ASCII; among its guesses those win whose characters
    beyond ASCII are letters, and kana are hardly ever there by chance.

    Args:
        data: some lines; only 32 KB of those beyond ASCII are looked at.
    """
    from charset_normalizer import from_bytes  # seldom needed, and slow to import

    sample = _beyond_ascii(data)
    guesses = from_bytes(sample, cp_isolation=list(COMMON), threshold=_CHAOS, enable_fallback=False)
    scores: list[tuple[float, int]] = []
    for guess in guesses:
        # Encodings that read the sample alike are one guess, named by any of them.
        place = min(COMMON.index(name) for name in guess.could_be_from_charset)
        score = round(guess.chaos + _penalty(str(guess)) - _LANGUAGE * guess.coherence, 2)
        scores.append((score, place))
    return COMMON[min(scores)[1]] if scores else None


def mostly_utf8(data: bytes) -> bool:
    """Whether most lines beyond ASCII are UTF-8, so that the others are damaged and not otherwise encoded."""
    good = bad = 0
    for line in data.split(b"\n")[:-1]:
        if not line.isascii():
            try:
                line.decode("utf-8")
                good += 1
            except UnicodeDecodeError:
                bad += 1
    return good > bad


def _beyond_ascii(data: bytes) -> bytes:
    """Whole lines with a byte beyond ASCII; the last may be cut, so it counts only if there is no other."""
    lines = data.split(b"\n")
    chosen = [line for line in lines[:-1] if not line.isascii()] or lines[-1:]
    sample = bytearray()
    for line in chosen:
        if sample and len(sample) + len(line) > _SAMPLE:
            break
        sample += line[:_SAMPLE] + b"\n"
    return bytes(sample)


def _penalty(text: str) -> float:
    beyond = [character for character in text if not character.isascii()]
    if not beyond:
        return 0.0
    odd = sum(1 for c in beyond if not (c.isalpha() or c in _PUNCTUATION))
    kana = sum(1 for c in beyond if _KANA_LETTERS.match(c))
    return (_ODD * odd - _KANA * kana) / len(beyond)
