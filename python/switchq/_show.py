# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of answers as other libraries and notebooks want them: pandas, matplotlib, HTML.

A row is a flat dict of what was asked and what was found, as `rows` makes it. pandas and matplotlib
are imported when they are needed, and nothing else of this module needs them.
"""

import html

from . import _library
from ._library import Error

_ENDS = ("_lower", "_upper")

# the marks of the program's plots, as matplotlib calls them
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "triangle-down": "v", "pentagon": "p"}


def _imported(name, purpose):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError as error:
        raise Error(f"{purpose} needs {name.partition('.')[0]}, which is not installed; rows() has "
                    "the same as a list of dicts", 2) from error


def names_of(rows):
    """The names of all columns, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _bounds_of(names):
    """Which of the names are bounds of another: NAME_lower, NAME_upper and NAME_half_width of NAME."""
    return {stem + end for stem in names for end in (*_ENDS, "_half_width") if stem + end in names}


def varying(rows, among):
    """Those of some columns that do not have one value throughout."""
    return [name for name in among if len({str(row.get(name)) for row in rows}) > 1]


def frame(rows):
    """A pandas.DataFrame of the rows."""
    return _imported("pandas", "frame()").DataFrame(rows)


def _cell(value):
    text = f"{value:.10g}" if isinstance(value, float) else "" if value is None else str(value)
    return html.escape(text)


def table(head, lines):
    """An HTML table of a line of headings and lines of values."""
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells) + "</tr>"
    body = "".join(line(cells, "td") for cells in lines)
    return f"<table><thead>{line(head, 'th')}</thead><tbody>{body}</tbody></table>"


def table_of_rows(rows):
    """An HTML table of what is not the same in all rows; of intervals their middle alone."""
    names = names_of(rows)
    shown = varying(rows, [name for name in names if name not in _bounds_of(names)])
    return table(shown, [[row.get(name) for name in shown] for row in rows])


def _along(rows, asked, x):
    """The option along which a line runs: x, or the load, or the last option of several numbers."""
    vary = varying(rows, asked)
    numbers = [name for name in vary if all(isinstance(row.get(name), (int, float)) for row in rows)]
    if x in asked or not numbers:
        return x
    return "load" if "load" in numbers else numbers[-1]


def _known_by(name, known, row):
    """The words that decide about the style of a line: its name or, if no word of it has a style, its
    buffer or architecture."""
    return name if known else str(row.get("buffer") or row.get("architecture") or name)


def _styles_of(names, rows, ax):
    """The style of each new line, as --plot draws it beside those that are drawn already, and the
    words that decide about it. rows: a row of each line."""
    before = [line.get_gid() for line in ax.get_lines() if line.get_gid()]
    words = [_known_by(name, style["kind"], row) for name, style, row in zip(names, _library.styles(names), rows)]
    return list(zip(_library.styles(before + words)[len(before):], words))


def _draw_line(ax, style, at, y, hollow, **more):
    """A line with marks; those of points past saturation are hollow."""
    marker, colour = _MARKERS[style["mark"]], style["colour"]
    ax.plot(at, y, color=colour, marker=marker, markersize=5,
            linestyle=(0, style["dash"]) if style["dash"] else "-", **more)
    past = [(x, v) for x, v, empty in zip(at, y, hollow) if empty]
    if past:
        ax.scatter(*zip(*past), s=25, marker=marker, facecolors="white", edgecolors=colour, zorder=3)


def plot(rows, asked, y, x, by, ax):
    """Draw column y over column x, a line for each combination of the columns `by` (None: the
    options that vary), intervals as bands, points past saturation hollow, in the colours, dashes and
    marks of the program's own plots; returns matplotlib's axes."""
    names = names_of(rows)
    for name in [y, x, *(by or [])]:
        if name not in names:
            raise Error(f"plot: no column '{name}'; there are {', '.join(names)}", 2)
    if ax is None:
        ax = _imported("matplotlib.pyplot", "plot()").subplots()[1]
    along = _along(rows, asked, x)
    if by is None:
        by = [name for name in varying(rows, asked) if name not in (x, along)]
    lines = {}
    for row in rows:
        if row.get(x) is not None and row.get(y) is not None:
            lines.setdefault(tuple(row.get(name) for name in by), []).append(row)
    labels = [", ".join(str(part) for part in key) for key in lines]
    styles = _styles_of(labels, [line[0] for line in lines.values()], ax)
    for name, line, (style, words) in zip(labels, lines.values(), styles):
        line.sort(key=lambda row: row[along])
        at = [row[x] for row in line]
        past = [row.get("saturated") is True for row in line]
        _draw_line(ax, style, at, [row[y] for row in line], past, label=name, gid=words)
        if x == along and all(row.get(y + end) is not None for row in line for end in _ENDS):
            ax.fill_between(at, *([row[y + end] for row in line] for end in _ENDS),
                            color=style["colour"], alpha=0.2, linewidth=0)
    ax.set_xlabel(x.replace("_", " "))
    ax.set_ylabel(y.replace("_", " "))
    if by:
        ax.legend(title=", ".join(name.replace("_", " ") for name in by))
    fixed = [f"{name} {rows[0][name]}" for name in asked
             if name not in (x, along, *by) and rows and name in rows[0]]
    ax.set_title(", ".join(fixed).replace("_", " "), fontsize="small", wrap=True)
    return ax
