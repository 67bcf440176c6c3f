"""Tables and small charts as notebooks show them."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence


def cell(value: Any) -> str:
    """A number with few digits, everything else as it is."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table element."""
    parts = ["<table>"]
    if caption:
        parts.append(f"<caption>{html.escape(caption)}</caption>")
    parts.append("<thead><tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in headings) + "</tr></thead><tbody>")
    for row in rows:
        parts.append("<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row) + "</tr>")
    parts.append("</tbody></table>")
    return "".join(parts)


def preformatted(text: str) -> str:
    """Text as it would stand on a terminal."""
    return f"<pre>{html.escape(text)}</pre>"


def line_chart(values: Sequence[float], title: str, width: int = 360, height: int = 120) -> str:
    """A curve over 0, 1, 2, ... as SVG, which needs nothing but a browser."""
    finite = [value for value in values if value == value and abs(value) != float("inf")]
    if len(finite) < 2:
        return ""
    low, high = min(finite), max(finite)
    span = (high - low) or 1.0
    step = (width - 80) / (len(values) - 1)
    points = [
        f"{70 + i * step:.1f},{height - 20 - (value - low) / span * (height - 45):.1f}"
        for i, value in enumerate(values)
        if value == value and abs(value) != float("inf")
    ]
    label = 'font-size="11" font-family="sans-serif"'
    return (
        f'<svg width="{width}" height="{height}" xmlns="http://www.w3.org/2000/svg" role="img">'
        f'<text x="70" y="14" {label}>{html.escape(title)}</text>'
        f'<text x="64" y="30" text-anchor="end" {label}>{high:.3g}</text>'
        f'<text x="64" y="{height - 18}" text-anchor="end" {label}>{low:.3g}</text>'
        f'<polyline fill="none" stroke="#1f77b4" stroke-width="2" points="{" ".join(points)}"/>'
        f'<text x="70" y="{height - 4}" {label}>0</text>'
        f'<text x="{width - 10}" y="{height - 4}" text-anchor="end" {label}>{len(values) - 1}</text></svg>'
    )
