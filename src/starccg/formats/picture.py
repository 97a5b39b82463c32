"""Building blocks of pictures: the SVG element, escaped text, and the estimated width of text."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f]")
"""The characters that XML 1.0 forbids even when escaped, and the control characters that it discourages."""

_WIDTHS = {
    0.3: "'Iijl",
    0.35: " ,./:;\\f|",
    0.4: "!()-[]t",
    0.45: '"r',
    0.5: "*J`",
    0.55: "?L_csz",
    0.6: "kvxy",
    0.65: "$0123456789FTabdeghnopqu{}",
    0.7: "ABEKPSVXYZ",
    0.75: "CHNRU",
    0.8: "&DGOQ",
    0.85: "#+<=>^w~×Φ",
    0.9: "M",
    0.95: "%",
    1.0: "Wm",
    1.05: "@",
}
"""Widths in ems, in the widest of the usual sans-serif fonts (DejaVu Sans), so that no other font overflows."""
_EMS = {sign: width for width, signs in _WIDTHS.items() for sign in signs}
UNKNOWN = 0.7
WIDE = 1.1

STANDALONE = "<style>svg.ccg-file{color-scheme:light dark;color:CanvasText}</style>"
"""The style of a standalone file: light or dark, as the viewer prefers."""
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


class Picture(NamedTuple):
    """The content of a picture, with its size and its text alternative."""

    kind: str
    width: float
    height: float
    title: str
    description: str
    body: str
    role: str = "img"

    def svg(self, *, standalone: bool = False, y: float = 0) -> str:
        """The whole element; ``standalone`` for a file, ``y`` where it is one of several in a picture."""
        width, height = number(self.width), number(self.height)
        title = escape(self.title)
        place = f' y="{number(y)}"' if y else ""
        file = f"<title>{title}</title>{STANDALONE}" if standalone else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ccg {self.kind}{" ccg-file" if standalone else ""}"'
            f'{place} width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            f' role="{self.role}" aria-label="{title}" font-family="{SANS}" fill="currentColor">{file}'
            f"<desc>{escape(self.description)}</desc>\n{self.body}\n</svg>"
        )


def escape(text: str) -> str:
    """The text escaped for an element or attribute of XML or HTML; forbidden characters become U+FFFD."""
    return html.escape(replace_controls(text))


def replace_controls(text: str) -> str:
    """The text with U+FFFD for characters that cannot be shown."""
    return _NOT_XML.sub("\ufffd", text)


@lru_cache(maxsize=1 << 14)
def text_width(text: str, size: float) -> float:
    """The maximum width of a text in this font size."""
    return size * sum(map(_ems, text))


def _ems(sign: str) -> float:
    if sign in _EMS:
        return _EMS[sign]
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(sign) in ("W", "F"):
        return WIDE
    base = unicodedata.normalize("NFD", sign)[0]
    return _EMS.get(base, UNKNOWN)


def number(value: float) -> str:
    """A coordinate as short as it can be written."""
    return f"{value:.1f}".removesuffix(".0")


def fitted(text: str, size: float) -> str:
    """Attributes that fit a text into its estimated width, if the widths of its characters are not known."""
    if all(sign in _EMS for sign in text):
        return ""
    return f' textLength="{number(text_width(text, size))}" lengthAdjust="spacingAndGlyphs"'
