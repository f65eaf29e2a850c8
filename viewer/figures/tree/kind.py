"""The kind of a tree of tokens: what was decoded of one sentence, run by run and hypothesis by hypothesis."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import replacing, write_chunks
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject, Writing
from viewer.figures.request import ExportRequest, Source
from viewer.figures.table import csv_chunks, noted
from viewer.figures.tree.layout import tree_geometry, tree_height
from viewer.figures.tree.paint import paint_whole_tree
from viewer.figures.tree.spec import TreeSpec
from viewer.figures.tree.table import tree_rows


def check(source: Source, request: ExportRequest) -> None:
    """Whether one is in view."""
    build(source, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[TreeSpec]:
    """The tree in view."""
    if source.tree is None:
        raise HeadscopeError("export_no_page")
    return source.tree


def write_csv(writing: Writing) -> None:
    """Every node."""
    spec: TreeSpec = writing.build(writing.request).body
    with replacing(writing.path) as temporary:
        write_chunks(temporary, csv_chunks(noted(tree_rows(spec), spec.badges)))


KIND = FigureKind(
    "tree",
    Drawing(TreeSpec, tree_geometry, tree_height, paint_whole_tree, rows=tree_rows),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "The tree of branches"),
        check=check,
        build=build,
        write=csv_only(write_csv),
        about=Subject.TREE,
        stem=lambda request, page: "branches",
        no_command=lambda source, request: QCoreApplication.translate(
            "ExportDialog", "No command draws the tree of branches; export the picture from here."
        ),
    ),
)
