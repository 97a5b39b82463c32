"""Docstrings as Markdown: Sphinx's roles become code, its ``::`` one colon, doctests blocks, lists lists."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):`[~.]?([^`]+)`")

DOCTEST = re.compile(r"^(>>> .*(?:\n.+)*)", re.MULTILINE)
FIRST = re.compile(r"(\S)\n  1\. ")
"""The first item of a list that follows its paragraph at once."""


class Roles(griffe.Extension):
    """Rewrites every docstring once it is collected."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Of modules, classes, functions and attributes alike."""
        if obj.docstring is not None:
            text = ROLE.sub(r"``\1``", obj.docstring.value)
            text = re.sub(r"::\n\n(?=    )", ":\n\n", text)
            text = DOCTEST.sub(r"```pycon\n\1\n```", text)
            obj.docstring.value = FIRST.sub(r"\1\n\n  1. ", text)
