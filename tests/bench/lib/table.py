# SPDX-License-Identifier: GPL-2.0-only
"""Numbers and tables as text."""
from statistics import median, quantiles

MISSING = "missing"


def spread(values):
    """Half of the distance between the quartiles."""
    if len(values) < 2:
        return 0
    low, _, high = quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


def number(value, digits=0):
    return MISSING if value is None else f"{value:,.{digits}f}"


def times(value, other, digits=2):
    """value as a multiple of other."""
    return MISSING if value is None or not other else f"{value / other:.{digits}f}"


def table(header, rows):
    """Lines of a Markdown table; all columns but the first are flush right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header] + rows) for i in range(len(header))]

    def line(cells):
        padded = [c.ljust(w) if i == 0 else c.rjust(w)
                  for i, (c, w) in enumerate(zip(cells, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return [line(header), "|" + "|".join(f" {r} " for r in rule) + "|"] + [line(r) for r in rows]


def machine(data):
    return "Ran on: " + "; ".join(f"{name} {value}" for name, value in data["machine"].items()) + "."


__all__ = ["MISSING", "machine", "median", "number", "spread", "table", "times"]
