# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions: keywords turned into the words of a command line."""

from __future__ import annotations

import decimal
import fractions
import functools
import inspect
import itertools
import textwrap
from typing import Any, Callable, Dict, List, Optional, TypeVar

from . import _library
from ._answers import Answer, Answers
from ._library import Error


def _one(value):
    """One value as the command line has it; floats with all their digits."""
    if isinstance(value, fractions.Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, dict):
        return ",".join(f"{key}={_one(part)}" for key, part in value.items())
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return ",".join(_one(part) for part in value)
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def _words(options):
    """Options as words: True is an option without a value; None, False and the default of a
    signature are left out; a dict is KEY=VALUE,..; a list of dicts repeats the option; any other
    list is joined by commas. Options without a value come last: an option that needs a value after
    all must not take the next word."""
    words, alone = [], []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False or isinstance(value, _Default):
            continue
        if value is True:
            alone.append(option)
            continue
        repeated = isinstance(value, (list, tuple)) and value and isinstance(value[0], dict)
        for part in value if repeated else [value]:
            words.append(f"{option}={_one(part)}")
    return words + alone


class _Default:
    """The default of an option in a signature. It is not sent: what the program takes where an
    option is missing may depend on other options."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return repr(self.value)


def default(value: Any) -> Any:
    """A default to show in a signature; see _Default."""
    return _Default(value)


def ask(*words: Any, **options: Any) -> Any:
    """Any command whose answer is JSON: ask("list", "buffers"), ask("table", "4.1", quick=True).

    Raises Error; with status 1 its `answer` may have what there is nevertheless."""
    question = [str(word) for word in words] + _words(options)
    if any(word in ("--help", "--help-all", "-h") for word in question):
        raise Error("help is text: switchq.usage(command) returns it", 2)
    reply = _library.ask(question)
    answer = None if reply["answer"] is None else Answer(reply["answer"], question)
    if reply["status"] != 0:
        raise Error(reply["message"] or f"{question[0]}: exit status {reply['status']}",
                    reply["status"], answer)
    return answer


_Function = TypeVar("_Function", bound=Callable[..., Answer])


def command(function: _Function) -> _Function:
    """A command as a function with the signature and the docstring of `function`. A question has its
    options in the order of the call, which legends and titles follow."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def asks(*words, **options):
        bound = signature.bind(*words, **options)  # TypeError without the word after the command
        return ask(function.__name__, *bound.args,
                   **{name: value for name, value in options.items()
                      if signature.parameters.get(name, _KEYWORD).kind != _WORD})

    return asks


_KEYWORD = inspect.Parameter("any", inspect.Parameter.KEYWORD_ONLY)
_WORD = inspect.Parameter.POSITIONAL_OR_KEYWORD


def listing(what: Optional[str] = None) -> Any:
    """What there is: listing("buffers") is a list of dicts of name, summary and more; without a
    name, a dict of all lists."""
    answer = ask("list", *([what] if what else []))
    return answer[what] if what else {k: v for k, v in answer.items() if k != "schema"}


def usage(name: Optional[str] = None) -> str:
    """The options of a command, or a page on a topic, as text; without a name, what there is."""
    page = ask("help", *([name] if name else []))
    if "text" in page:
        return f"{page['title']}\n\n{page['text']}"
    if "command" not in page:
        return "\n".join(f"{key:16} {text}" for part in (page["commands"], page["topics"])
                         for key, text in part.items())
    lines = [f"{page['command']} - {page['summary']}"]
    section = None
    for option in page["options"]:
        if option["name"] in ("help", "json"):
            continue
        if option.get("section") != section:
            section = option.get("section")
            lines += ["", section or "Other options:"]
        keyword = option["name"].replace("-", "_")
        argument = f"={option['argument']}" if "argument" in option else "=True"
        lines.append(f"  {keyword}{argument}")
        lines += textwrap.wrap(option["text"], 76, initial_indent=" " * 6,
                               subsequent_indent=" " * 6)
    return "\n".join(lines)


def span(start: float, stop: float, step: float) -> List[float]:
    """Numbers from start to stop, which is among them if steps lead there, without the rounding of
    repeated addition: span(0.1, 0.9, 0.1) has 0.3 and not 0.30000000000000004."""
    first, last, step = (decimal.Decimal(str(x)) for x in (start, stop, step))
    if step <= 0:
        raise ValueError("span: the step must be greater than 0")
    count = int((last - first) / step) + 1 if last >= first else 0
    return [float(first + k * step) for k in range(count)]


def each(function: Callable[..., Answer], over: Dict[str, Any], **fixed: Any) -> Answers:
    """The answers of a function for all combinations of some options, as Answers: a list with
    frame() and plot(). An option in `over` has a list of values; a single value is a list of one.

    answers = each(solve, over={"buffer": ["fifo", "damq"], "load": span(0.1, 0.9, 0.1)}, slots=4)
    answers.plot("discard_probability")
    """
    lists = [[values] if isinstance(values, str) or not hasattr(values, "__iter__") else values
             for values in over.values()]
    return Answers(function(**fixed, **dict(zip(over, values)))
                   for values in itertools.product(*lists))
