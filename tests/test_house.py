"""The house: which rooms there are, what may know what, how long a file is and what its first words say.

Import-linter holds who may import whom (`pyproject.toml`); here is what it cannot say. All is read from the
sources: a new room, file or import is looked at without being written down here.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("model", "viewer", "resources")
EVERY_FILE = "resources/manual/rooms.md"
"""The table of rooms with the files of each."""
MAPS = ("README.md", "resources/manual/README.zh.md")
"""Those without files, a row for a room and what is within it."""
MOST_FILES = 25
"""Modules that lie flat in a room; more are several concepts."""
LONGEST, USUAL = 500, 150
"""Lines of a file, and of the median file."""
WITHOUT_TORCH = (
    "alignment",
    "alterations",
    "data",
    "extensions",
    "files",
    "folder",
    "heads",
    "messages",
    "positions",
    "questions",
    "recording",
    "tokens",
    "trace",
)
"""Rooms of the library."""
BROUGHT = {"huggingface-hub"}
"""Imported where `transformers` is, which brings it."""
OF_A_KIND = {"spoken", "spec", "build", "layout", "paint", "table", "kind"}
"""Files of each kind of figure."""
FIRST_WORDS = 2
"""The name of the thing is one of so many words that a file begins with; an article is none."""
LONGEST_LINE = 110
"""Characters of a docstring's first line."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the program by its dotted name; a package by that of its folder."""
    found = {}
    for path in (path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


@cache
def imports(name: str) -> frozenset[str]:
    """The modules of the program that a module imports: anywhere in it, and for types alone."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} imports by dots"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in modules() else str(node.module))
    return frozenset(found & modules().keys() - {name})


def circles(graph: Mapping[str, Iterable[str]]) -> Iterator[set[str]]:
    """Sets of two or more, each of which can be reached from each."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        left = [start]
        while left:
            new = set(graph.get(left.pop(), ())) - seen
            seen |= new
            left += new
        return seen

    ahead = {name: reached(name) for name in graph}
    told: set[str] = set()
    for name in sorted(graph):
        circle = {other for other in ahead[name] if name in ahead[other]} if name in ahead[name] else set()
        if len(circle) > 1 and name not in told:
            told |= circle
            yield circle


def rooms_of(name: str) -> list[str]:
    """The rooms that a module is in, the outer ones too; a file flat in `model` or `viewer` is one."""
    parts = name.split(".")
    folders = parts if modules()[name].name == "__init__.py" or len(parts) == 2 else parts[:-1]
    return [".".join(folders[:depth]) for depth in range(1, len(folders) + 1)]


def apart(one: str, other: str) -> bool:
    """Whether neither room is inside the other: a room and its own rooms may know each other."""
    return not f"{one}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{one}.")


def test_there_is_a_house() -> None:
    assert len(modules()) > 500
    assert {"model.errors", "viewer.app", "resources"} <= modules().keys()
    assert "model.errors" in imports("model.commands.console")


def test_a_circle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"e"}, "f": {"a"}}

    assert list(circles(graph)) == [{"a", "b", "c"}]


def test_no_two_files_import_each_other_not_even_for_types() -> None:
    graph = {name: imports(name) for name in modules()}

    assert [sorted(circle) for circle in circles(graph)] == []


def test_no_two_rooms_import_each_other() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for name in modules():
        for other in imports(name):
            for room in rooms_of(name):
                graph[room] |= {each for each in rooms_of(other) if apart(room, each)}

    assert len(graph) > 80
    assert apart("viewer.page", "viewer.pages")
    assert not apart("viewer.figures.map", "viewer.figures")
    both = {(one, other) for one, others in graph.items() for other in others if one in graph.get(other, ())}
    assert sorted((one, other) for one, other in both if one < other) == []


def test_a_room_has_few_files() -> None:
    """Of the tests, too: one beside the other they are as hard to find as what they test."""
    paths = [*modules().values(), *(ROOT / "tests").rglob("*.py")]
    rooms = Counter(
        str(path.parent.relative_to(ROOT).as_posix()) for path in paths if path.name != "__init__.py"
    )

    assert {room: count for room, count in rooms.items() if count > MOST_FILES} == {}


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_table_of_rooms_names_the_files_of_each() -> None:
    """The last column: those of the room, then those of rooms within it, with hints in brackets.

    What every kind of figure has is said once.
    """
    plain = re.sub(r" \([^()]*\)", "", text_of(EVERY_FILE))
    rows = re.findall(r"^\| `((?:model|viewer)/[\w/]*)` \| .* \| (\w[^|`]*) \|$", plain, re.MULTILINE)
    wrong = []
    for room, files in rows:
        for part in files.split("; "):
            inner, names = part.split(": ") if ": " in part else ("", part)
            there = {path.stem for path in (ROOT / room / inner).glob("*.py")} - {"__init__"}
            if inner and room == "viewer/figures/":
                there -= OF_A_KIND
            wrong += [f"{room}{inner}{name}" for name in sorted(there ^ set(names.split()))]

    assert len(rows) > 60
    assert len({room for room, _ in rows}) == len(rows)
    assert wrong == []


def rooms_named(text: str) -> list[str]:
    """The rooms of a table in order: its first column, and in the second those within: `networks/`."""
    found = []
    for room, holds in re.findall(r"^\| `([\w/]+/)` \| ([^|]*) \|", text, re.MULTILINE):
        inner = re.findall(r"`((?:\w+/)+)`", holds)
        found += [room, *(name if name.startswith(room) else f"{room}{name}" for name in inner)]
    return found


@pytest.mark.parametrize("path", [EVERY_FILE, *MAPS])
def test_a_map_names_every_room_and_no_other(path: str) -> None:
    """README's, in both languages, a row for a room and those within it; a room with its files in its own."""
    mapped = rooms_named(text_of(path))
    rooms = {
        f"{path.parent.relative_to(ROOT).as_posix()}/"
        for top in ("model", "viewer")
        for path in (ROOT / top).glob("**/__init__.py")
    }

    assert len(rooms) > 80
    assert [name for name in mapped if not (ROOT / name).is_dir()] == []
    assert sorted(rooms - set(mapped)) == []


def test_both_maps_have_the_same_rows() -> None:
    english, chinese = (rooms_named(text_of(path)) for path in MAPS)

    assert english == chinese
    assert len(english) == len(set(english))


@pytest.mark.parametrize(
    "path", [EVERY_FILE, *MAPS, *(f"resources/manual/{each}/house.md" for each in ("en", "zh"))]
)
def test_what_is_named_for_developers_is_there(path: str) -> None:
    named = set(re.findall(r"`((?:model|viewer|resources|tests)/[\w/.]*|\w+\.(?:py|toml))`", text_of(path)))

    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_program_depends_on_what_it_imports_and_on_nothing_else() -> None:
    """What a test alone imports belongs to the extra `test`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {_distribution(each) for each in project["optional-dependencies"]["hf"]}
    needed = {_distribution(each) for each in project["dependencies"]}
    provided = packages_distributions()
    outside = (
        {package for name in modules() for package in _packages(name)} - {*TOPS} - sys.stdlib_module_names
    )
    imported = {package: {_distribution(name) for name in provided[package]} for package in outside}

    assert [package for package, by in imported.items() if not by & (needed | extra | BROUGHT)] == []
    assert [name for name in needed if not any(name in by for by in imported.values())] == []


def _distribution(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement)[0].lower().replace("_", "-")


def _packages(name: str) -> Iterator[str]:
    """The first words of all that a module imports."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_a_room_without_torch_is_named_as_a_whole() -> None:
    """In the contracts, which see to the rest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    named = {
        name
        for each in contracts
        if "torch" in each.get("forbidden_modules", ())
        for name in each["source_modules"]
    }

    assert [room for room in WITHOUT_TORCH if f"model.{room}" not in named & modules().keys()] == []


def test_files_are_short() -> None:
    lines = {name: path.read_text(encoding="utf-8").count("\n") for name, path in modules().items()}

    assert median(count for name, count in lines.items() if modules()[name].name != "__init__.py") < USUAL
    assert {name: count for name, count in lines.items() if count > LONGEST} == {}


def test_the_first_words_of_a_file_name_what_it_holds() -> None:
    """Its first line names a class, a function or the file: `Traces read from NPZ.` in `npz_trace.py`."""
    assert [name for name in modules() if not begins_with_the_thing(name)] == []


def test_the_first_line_of_a_file_is_a_short_statement() -> None:
    first = {name: _first_line(name) for name in modules()}

    assert {name: line for name, line in first.items() if _ASKED.match(line)} == {}
    assert {name: line for name, line in first.items() if len(line) > LONGEST_LINE} == {}
    assert {name: line for name, line in first.items() if not line.endswith(".")} == {}


def test_what_a_first_line_is_measured_by() -> None:
    assert _stems("NpzTraces") == _stems("npz_tracing") == ["npz", "trac"]
    assert not begins_with_the_thing("model.errors", line="How something not expected is told to people")
    assert not begins_with_the_thing("model.errors", line="Told to people: errors")
    assert begins_with_the_thing("model.errors", line="The errors that a person sees")
    assert _ASKED.match("What is under the pointer")
    assert not _ASKED.match("What-if pairs")


def begins_with_the_thing(name: str, line: str | None = None) -> bool:
    """Whether one of the first words of a module's docstring names it or what it defines in public.

    Args:
        line: to be judged instead of the module's own.
    """
    own = tree(name)
    first = _first_line(name) if line is None else line
    path = modules()[name]
    names = [path.parent.name] if path.name == "__init__.py" else [path.stem]
    defined = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    names += [node.name for node in own.body if isinstance(node, defined) and not node.name.startswith("_")]
    things = {stem for text in names for stem in _stems(text)}
    words = [word for word in re.findall(r"[^\W_]+", first) if word.lower() not in _ARTICLES]
    return any(stem in things for word in words[:FIRST_WORDS] for stem in _stems(word))


def _first_line(name: str) -> str:
    return (ast.get_docstring(tree(name)) or "").split("\n")[0]


_ARTICLES = frozenset({"a", "an", "the"})
_ASKED = re.compile(r"(All|Everything|From|How|What|When|Where|Whether|Which|Who|Whose)\b(?!-)")
"""What a line begins with that tells of the thing before it names it."""
_ENDINGS = ("ings", "ing", "ions", "ion", "ies", "ers", "es", "ed", "er", "s", "e", "y")


def _stems(text: str) -> list[str]:
    """The words of a name, in lower case and without their endings."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+", text)
    return [_stem(word.lower()) for word in words]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
