"""Docstrings as Markdown: Sphinx's roles become code, its ``::`` before an indented example one colon."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):`[~.]?([^`]+)`")


class Roles(griffe.Extension):
    """Rewrites every docstring once it is collected."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Of modules, classes, functions and attributes alike."""
        if obj.docstring is not None:
            text = ROLE.sub(r"``\1``", obj.docstring.value)
            obj.docstring.value = re.sub(r"::\n\n(?=    )", ":\n\n", text)
