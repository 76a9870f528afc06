# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions: keywords turned into the words of a command line."""

import decimal
import fractions
import itertools
import textwrap

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
    """Options as words: True is an option without a value; None and False are left out; a dict is
    KEY=VALUE,..; a list of dicts repeats the option; any other list is joined by commas. Options
    without a value come last: one that needs a value after all must not take the next word."""
    words, alone = [], []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            alone.append(option)
            continue
        repeated = isinstance(value, (list, tuple)) and value and isinstance(value[0], dict)
        for part in value if repeated else [value]:
            words.append(f"{option}={_one(part)}")
    return words + alone


def ask(*words, **options):
    """Any command: ask("list", "buffers"), ask("table", "4.1", arbiter="maximum").

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


def solve(**options):
    """One switch, exactly, by its Markov chain: discard_probability, throughput,
    saturation_throughput, mean_packets, mean_delay_cycles...

    solve(buffer="damq", slots=4, load=0.9)                  load=[0.9, 0.5] for each input
    solve(buffer="damq", load=0.5, target=1e-9)["model"]["slots"]
    solve(buffer="fifo", slots=1, load=Fraction(9, 10), exact=True).discard_probability
    """
    return ask("solve", **options)


def sim(**options):
    """A network (or, with topology="switch", one switch), simulated: throughput, latency_cycles,
    discard_fraction..., each with its interval.

    sim(buffer="damq", slots=4, load=0.5, flow="block", precision=0.01)
    sim(topology="torus", dims="8x8", buffer="damq", bytes=256, threshold=24, load=0.3)
    """
    return ask("sim", **options)


def approx(**options):
    """A network, approximately, in milliseconds; load may be a range, "0.1:0.9:0.1", whose points
    are in `points`.

    approx(buffer="damq", slots=4, load=0.5, flow="block")
    """
    return ask("approx", **options)


def formula(name, **options):
    """A closed form of the literature; one or two parameters may be ranges.

    formula("hol-saturation", ports=4).throughput
    """
    return ask("formula", name, **options)


def table(name, **options):
    """A printed table beside what is computed: table("4.1"). A cell that differs raises Error with
    status 1, whose `answer` has the table."""
    return ask("table", name, **options)


def figure(name, **options):
    """A printed figure: table of curves; files go to `output`. figure("4.1", quick=True)"""
    return ask("figure", name, **options)


def validate(**options):
    """Chains, formulas, approximations and simulation held against one another."""
    return ask("validate", **options)


def listing(what=None):
    """What there is: listing("buffers") is a list of dicts of name, summary and more; without a
    name, a dict of all lists."""
    answer = ask("list", *([what] if what else []))
    return answer[what] if what else {k: v for k, v in answer.items() if k != "schema"}


def usage(name=None):
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


def span(start, stop, step):
    """Numbers from start to stop, which is among them if steps lead there, without the rounding of
    repeated addition: span(0.1, 0.9, 0.1) has 0.3 and not 0.30000000000000004."""
    first, last, step = (decimal.Decimal(str(x)) for x in (start, stop, step))
    if step <= 0:
        raise ValueError("span: the step must be greater than 0")
    count = int((last - first) / step) + 1 if last >= first else 0
    return [float(first + k * step) for k in range(count)]


def each(function, over, **fixed):
    """The answers of a function for all combinations of some options, as Answers: a list with
    frame() and plot(). An option in `over` has a list of values; a single value is a list of one.

    answers = each(solve, over={"buffer": ["fifo", "damq"], "load": span(0.1, 0.9, 0.1)}, slots=4)
    answers.plot("discard_probability")
    """
    lists = [[values] if isinstance(values, str) or not hasattr(values, "__iter__") else values
             for values in over.values()]
    return Answers(function(**fixed, **dict(zip(over, values)))
                   for values in itertools.product(*lists))
