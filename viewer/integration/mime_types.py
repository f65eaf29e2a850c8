"""MIME types of our files (freedesktop.org's Shared MIME-info Database): of traces.

A session and a model are folders, and a folder is `inode/directory` whatever its name: no type can be given
to it by how it ends. Nor to the `session.json` in one: the database asks what stands in a file only where its
name tells nothing, and this one says JSON.
"""

from __future__ import annotations

from model.trace.trace_header import FORMAT

TRACE_TYPE = "application/x-headscope-trace"

_REACH = "8:4096"
"""Where in a trace its format is named: behind the length of its header, among the first of its keys."""


def mime_package() -> str:
    """The text of `headscope.xml`."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{TRACE_TYPE}">
    <comment>Headscope trace</comment>
    <comment xml:lang="zh_CN">Headscope 轨迹</comment>
    <sub-class-of type="application/octet-stream"/>
    <icon name="headscope"/>
    <magic priority="60"><match type="string" offset="{_REACH}" value="{FORMAT}"/></magic>
    <glob pattern="*.trace"/>
  </mime-type>
</mime-info>
"""
