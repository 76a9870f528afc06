# SPDX-License-Identifier: GPL-3.0-or-later
"""What a buffer organisation and a flow control buy a packet switch.

Exact chains, formulas, approximations and simulations of packet switches and their networks; the
same as the program `switchq`, in this process. Every function takes the options of the command of
its name as keywords (queue_min=1 for --queue-min 1) and returns an Answer:

>>> import switchq
>>> a = switchq.solve(buffer="damq", ports=2, slots=4, load=0.9)
>>> round(a.discard_probability, 10)
0.0336438364
>>> a.discard_probability.lower <= a.discard_probability <= a.discard_probability.upper
True
>>> switchq.formula("hol-saturation", ports=4).throughput
0.6552419354838709

Proven values have a lower and an upper bound, simulated ones a half-width besides. Bad input, or
what does not fit into memory, raises Error with the line that the program would print. What each
option means, with its unit and default: help(switchq.solve).
"""

from ._answers import Answer, Answers, Number, rows
from ._commands import (approx, bound, chip, compare, cost, figure, formula, headroom, report, sim, solve, table,
                        validate, worst)
from ._library import Error, version
from ._network import Counts, End, Network
from ._questions import ask, each, listing, span, usage

__version__ = version()
__all__ = ["Answer", "Answers", "Counts", "End", "Error", "Network", "Number", "approx", "ask", "bound", "chip", "compare",
           "cost", "each", "figure", "formula", "headroom", "listing", "report", "rows", "sim", "solve", "span", "table",
           "usage", "validate", "worst"]
