# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Which buffer, and how large?
#
# One 2x2 switch, six kinds of buffers of equal memory, exactly; then a network of them, simulated
# and approximated. Runs from top to bottom without a display (`python3 buffers.py`), or cell by
# cell in an editor that knows `# %%`.

# %%
import switchq

# %% [markdown]
# ## Loss over load, four slots an input

# %%
loads = switchq.span(0.5, 0.9, 0.1)
kinds = [row["name"] for row in switchq.listing("buffers")]
answers = switchq.each(switchq.solve, over={"buffer": kinds, "load": loads}, slots=4)

print("load  ", *(f"{load:9.2f}" for load in loads))
for k, kind in enumerate(kinds):
    row = answers[k * len(loads):(k + 1) * len(loads)]
    print(f"{kind:6}", *(f"{a.discard_probability:9.2e}" for a in row))

# %% [markdown]
# Every one of these numbers is proven; here is how well:

# %%
loss = answers[-1].discard_probability
print(f"{kinds[-1]} at {loads[-1]}: {loss.lower!r} .. {loss.upper!r}")
assert loss.lower <= loss <= loss.upper

# %% [markdown]
# ## The smallest buffer for a loss of 1e-6

# %%
for kind in ("fifo", "damq"):
    try:
        found = switchq.solve(buffer=kind, load=0.6, target=1e-6)
        print(f"{kind}: {found['model']['slots']} slots an input at load 0.6, "
              f"which lose {found.discard_probability:.2e}")
    except switchq.Error as error:
        print(f"{kind}: {error}")

# %% [markdown]
# ## A network of 64 nodes
#
# An approximation says how far off it is; a simulation comes with its interval.

# %%
for kind in ("fifo", "damq"):
    quick = switchq.approx(buffer=kind, slots=4, flow="block", find_saturation=True)
    slow = switchq.sim(buffer=kind, slots=4, flow="block", load=1, cycles=5000)
    print(f"{kind}: approximated {quick.throughput:.3f}, simulated {slow.throughput!r} "
          "packets per node and cycle")
    assert abs(quick.throughput / slow.throughput - 1) < 0.1

# %% [markdown]
# ## As a table for pandas, if it is there

# %%
table = switchq.rows(answers)
try:
    import pandas
    print(pandas.DataFrame(table).pivot(index="load", columns="buffer", values="throughput"))
except ImportError:
    print(f"{len(table)} rows of {len(table[0])} columns; pandas.DataFrame(rows) shows them")
