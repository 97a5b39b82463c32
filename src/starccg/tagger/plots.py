"""Plots as SVG, written without a plotting library to avoid the dependency."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from starccg.tagger.analysis import Bin, CurvePoint

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 320, 60, 36, 16, 48
COLOURS = ("#0b5fa5", "#c2410c", "#3f7d20", "#7c3aed")


class Plot:
    """Axes with lines; all points must be within the given ranges."""

    def __init__(self, title: str, x: tuple[str, float, float], y: tuple[str, float, float]) -> None:
        self.x, self.y = x, y
        self.parts = [f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">{escape(title)}</text>']
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            across = x[1] + share * (x[2] - x[1])
            up = y[1] + share * (y[2] - y[1])
            px, py = self.place(across, up)
            self.parts += [
                f'<line x1="{LEFT}" y1="{py}" x2="{WIDTH - RIGHT}" y2="{py}" stroke="#ddd"/>',
                f'<text x="{LEFT - 6}" y="{py + 4}" text-anchor="end">{up:.4g}</text>',
                f'<text x="{px}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{across:.3g}</text>',
            ]
        middle = (HEIGHT - BOTTOM + TOP) / 2
        self.parts += [
            f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x[0])}</text>',
            f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{escape(y[0])}</text>',
        ]
        self.lines = 0

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The position of a point in the picture."""
        across = (min(max(x, self.x[1]), self.x[2]) - self.x[1]) / (self.x[2] - self.x[1])
        up = (min(max(y, self.y[1]), self.y[2]) - self.y[1]) / (self.y[2] - self.y[1])
        return (
            round(LEFT + across * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    def line(self, name: str, points: Sequence[tuple[float, float]]) -> None:
        """A line with a dot at each point, and its name in the corner."""
        colour = COLOURS[self.lines % len(COLOURS)]
        placed = [self.place(*point) for point in points]
        path = " ".join(f"{x},{y}" for x, y in placed)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        self.parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in placed]
        height = HEIGHT - BOTTOM - 10 - 15 * self.lines
        self.parts.append(
            f'<text x="{WIDTH - RIGHT - 6}" y="{height}" text-anchor="end" fill="{colour}">{escape(name)}</text>'
        )
        self.lines += 1

    def svg(self) -> str:
        """The whole picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            'font-size="11"><rect width="100%" height="100%" fill="white"/>'
        )
        return head + "".join(self.parts) + "</svg>\n"


def multitag_plot(curves: Mapping[str, Sequence[CurvePoint]]) -> str:
    """Tags per word against oracle accuracy."""
    points = [point for curve in curves.values() for point in curve]
    most = max((math.ceil(point.tags_per_word) for point in points), default=2)
    least = math.floor(100 * min((point.oracle for point in points), default=0.0))
    x = ("tags per word", 1.0, float(max(2, most)))
    plot = Plot("Gold tags kept by the beam", x, ("gold tag kept, %", float(min(least, 99)), 100.0))
    for name, curve in curves.items():
        plot.line(name, [(point.tags_per_word, 100 * point.oracle) for point in curve])
    return plot.svg()


def reliability_plot(bins: Mapping[str, Sequence[Bin]]) -> str:
    """Confidence against accuracy; the diagonal is perfect calibration."""
    plot = Plot("Reliability", ("confidence", 0.0, 1.0), ("accuracy", 0.0, 1.0))
    (x1, y1), (x2, y2) = plot.place(0, 0), plot.place(1, 1)
    plot.parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#888" stroke-dasharray="4"/>')
    for name, found in bins.items():
        plot.line(name, [(entry.confidence, entry.accuracy) for entry in found])
    return plot.svg()
