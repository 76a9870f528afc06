# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: the JSON of the program as a dict, and its numbers as attributes."""

from __future__ import annotations

import fractions
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _library, _show


class Number(float):
    """A float that says how well it is known.

    lower, upper: where the exact value lies: proven (a chain), or with the probability that the
                  run's confidence says (a simulation).
    half_width:   of a simulated mean's interval; None for what is proven, and for a fraction of
                  events too rare for an interval, which has a bound.
    """

    lower: float
    upper: float
    half_width: Optional[float]

    def __new__(cls, value: float, lower: float, upper: float, half_width: Optional[float] = None) -> Number:
        number = super().__new__(cls, value)
        number.lower, number.upper, number.half_width = lower, upper, half_width
        return number

    @property
    def between(self) -> str:
        """Where the value lies, as text: 1.2 .. 1.3, with all digits of what is proven."""
        digits = 17 if self.half_width is None else 6
        return f"{self.lower:.{digits}g} .. {self.upper:.{digits}g}"

    def __reduce__(self):
        return Number, (float(self), self.lower, self.upper, self.half_width)

    def __repr__(self):
        if self.half_width is not None:
            return f"{float(self):.6g} +- {self.half_width:.2g}"
        return f"{float(self)!r} [{self.lower!r}, {self.upper!r}]"


# groups of an answer: those whose numbers are found without the group's name in front; and the
# question and the method, which are no result
_RESULTS = ("result", "exact", "cost", "parameters", "results")
_SURROUNDINGS = ("model", "costed", "run", "chain", "solver", "method", "formula", "invariants", "terms", "program", "passing",
                 "asked")


def _scalar(value):
    return value is None or isinstance(value, (int, float, str))


def _numbers(tree, prefix=""):
    """A group's scalars, by name: means with their intervals, fractions, values with bounds. The
    scalars of a group within the group have the names of both, as in CSV."""
    found = {}
    for key, value in tree.items():
        name = prefix + key
        if isinstance(value, dict) and "mean" in value:
            mean, width = value["mean"], value.get("half_width")
            below = value.get("below")
            if mean is not None and width is not None:
                found[name] = Number(mean, mean - width, mean + width, width)
            elif mean is not None and below is not None:  # rare events have only a bound
                found[name] = Number(mean, 0.0, below)
            else:
                found[name] = mean
            found.update({f"{name}_{more}": x for more, x in value.items()
                          if more not in ("mean", "half_width") and _scalar(x)})
        elif isinstance(value, dict) and "numerator" in value and key not in _RESULTS:
            found[name] = fractions.Fraction(int(value["numerator"]), int(value["denominator"]))
        elif isinstance(value, dict):
            found.update(_numbers(value, prefix if key in _RESULTS else f"{name}_"))
        elif _scalar(value):
            found[name] = value
    return _with_bounds(found)


def _with_bounds(found):
    # the bounds of discard_probability and saturation_throughput are discard_lower and saturation_lower
    known = dict(found)
    for name, value in known.items():
        for stem in {name, name.removesuffix("_probability"), name.removesuffix("_throughput")}:
            if value is not None and f"{stem}_lower" in known and f"{stem}_upper" in known:
                lower, upper = found.pop(f"{stem}_lower"), found.pop(f"{stem}_upper")
                if lower is not None and upper is not None:
                    found[name] = Number(value, lower, upper)
    return found


class Answer(dict):
    """The answer to one question: what `--json` prints, as a dict.

    Its numbers are attributes too, by the names that they have in the JSON's result (a point's, if
    there is one point): a.throughput, a.latency_cycles_p99. `numbers` has them all, `points` are
    the answers of a range (Answers: a list with frame() and plot()), `question` the words that were
    asked. A notebook shows it as a table.
    """

    def __init__(self, tree, question=()):
        super().__init__(tree)
        self.question = tuple(question)

    @property
    def points(self) -> Answers:
        """An Answer for each point of a range; of anything else, the answer itself."""
        if "points" not in self:
            return Answers([self])
        model = {"model": self["model"]} if "model" in self else {}
        return Answers(Answer(point if "schema" in point else {**model, "result": point}, self.question)
                       for point in self["points"])

    @property
    def numbers(self) -> Dict[str, Any]:
        """All single numbers of the answer, by name. Those of the result have the names that they
        have there, those of other groups such as delay and saturation the group's name in front."""
        if "points" in self:
            points = self.points
            return points[0].numbers if len(points) == 1 else {}
        return _numbers({name: group for name, group in self.items()
                         if isinstance(group, dict) and name not in _SURROUNDINGS})

    def __getattr__(self, name: str) -> Any:
        numbers = {} if name.startswith("__") else self.numbers
        if name in numbers:
            return numbers[name]
        raise AttributeError(f"no number '{name}' in this answer; there are "
                             f"{', '.join(sorted(numbers)) or 'none: see points'}")

    def __dir__(self):
        return [*super().__dir__(), *self.numbers]

    def rows(self) -> List[Dict[str, Any]]:
        """The points as a list of flat dicts, as of switchq.rows()."""
        return self.points.rows()

    def frame(self) -> Any:
        """The points as a pandas.DataFrame: a row for each. Raises Error without pandas."""
        return self.points.frame()

    def plot(self, y: str, x: str = "load", by: Union[None, str, List[str]] = None, ax: Any = None) -> Any:
        """Draw a number over another, for a range; see Answers.plot."""
        return self.points.plot(y, x, by, ax)

    def _repr_html_(self):
        if "points" in self and len(self["points"]) != 1:
            return self.points._repr_html_()
        lines = [(name, value, value.between if isinstance(value, Number) else "")
                 for name, value in self.numbers.items()]
        return _show.table([" ".join(self.question), "value", "between"], lines)

    def __reduce__(self):
        return Answer, (dict(self), self.question)


class Answers(list):
    """Answers to several questions, in their order: what each() and Answer.points give."""

    def rows(self) -> List[Dict[str, Any]]:
        """A list of flat dicts, as of switchq.rows()."""
        return rows(self)

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each point: what was asked of the model, and all
        numbers; of intervals NAME_lower and NAME_upper as well. Raises Error without pandas."""
        return _show.frame(rows(self))

    def plot(self, y: str, x: str = "load", by: Union[None, str, List[str]] = None, ax: Any = None) -> Any:
        """Draw number y over x (any column of frame()), a line for each combination of the columns
        `by`: a name, a list of names, or None for all options that vary, except the option along
        which a line runs. That option is x; where x is a result, as in
        plot("latency_cycles", x="throughput"), the load, or else the last option of several numbers.
        Intervals of y are bands, and points past saturation hollow; each kind has the colour, dash
        and mark of --plot. Draws into `ax`, or a new figure; returns matplotlib's axes. Raises Error
        without matplotlib, and for a name that is no column."""
        table = rows(self)
        asked = list(dict.fromkeys(name for answer in self for name in _options(answer)))
        return _show.plot(table, asked, y, x, [by] if isinstance(by, str) else by, ax)

    def _repr_html_(self):
        return _show.table_of_rows(rows(self))


def _options(answer):
    """The options of a question by their columns (--high is high_fraction), with their values as
    words; True for an option without a value."""
    if not answer.question:
        return {}
    keys = _library.keys_of(answer.question[0])
    pairs = (word[2:].partition("=") for word in answer.question if word.startswith("--"))
    return {keys.get(name, name.replace("-", "_")): value if sign else True for name, sign, value in pairs}


def _number(word):
    """A word as the number that it is, or else the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def _setting(answer, point):
    """What was asked, as columns of one point: the single values of its model, then the options
    that no model has, such as the seed, from the run or as the question gives them. Several values
    of such an option in a range are left out, since no point says which of them is its own."""
    found = {name: value for name, value in point.get("model", {}).items() if _scalar(value)}
    run = point.get("run", {})
    for name, value in _options(answer).items():
        if name not in found and name in run:
            found[name] = run[name]
        elif name not in found and value is not True and not ("points" in answer and set(value) & set(",:")):
            found[name] = _number(value)
    return found


def rows(answers: Union[Answer, Iterable[Answer]]) -> List[Dict[str, Any]]:
    """Answers as a list of flat dicts, one for each point, ready for pandas.DataFrame or
    csv.DictWriter: what was asked, and all numbers; of intervals NAME_lower and NAME_upper as well,
    and of simulated means NAME_half_width."""
    table = []
    for answer in [answers] if isinstance(answers, Answer) else answers:
        for point in answer.points:
            row = _setting(answer, point)
            for name, value in point.numbers.items():
                row[name] = float(value) if isinstance(value, Number) else value
                if isinstance(value, Number):
                    row[f"{name}_lower"], row[f"{name}_upper"] = value.lower, value.upper
                    if value.half_width is not None:
                        row[f"{name}_half_width"] = value.half_width
            table.append(row)
    return table
