"""Files of pairs for tests: how they are packed, and how reading a bad one fails."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck

from model.data.pairs.pair_files import Columns, Pair, PairReader
from model.errors import HeadscopeError

SAME_FOLDER = [HealthCheck.function_scoped_fixture]  # each example writes its files anew


def write_zip(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


WRITERS: dict[str, Callable[[Path, bytes], object]] = {
    "pairs.tsv": lambda path, data: path.write_bytes(data),
    "pairs": lambda path, data: path.write_bytes(data),
    "pairs.tsv.gz": lambda path, data: path.write_bytes(gzip.compress(data)),
    "pairs.xz": lambda path, data: path.write_bytes(lzma.compress(data)),
    "pairs.BZ2": lambda path, data: path.write_bytes(bz2.compress(data)),
    "pairs.zip": lambda path, data: write_zip(path, {"data.bin": data}),
    "fra-eng.zip": lambda path, data: write_zip(
        path, {"_about.txt": b"x", "__MACOSX/fra.txt": b"x", "fra.txt": data, "licence": b"x"}
    ),
}


def failure(path: Path, columns: Columns = ("1", "2"), encoding: str = "auto") -> HeadscopeError:
    with pytest.raises(HeadscopeError) as error:
        read_pairs(path, columns, encoding)
    assert "\n" not in str(error.value)
    return error.value


def read_pairs(path: Path, columns: Columns = ("1", "2"), encoding: str = "auto") -> list[Pair]:
    """All pairs of a file."""
    with PairReader([path], columns, encoding) as reader:
        return [(source, target) for _, source, target in reader.rows()]
