# SPDX-License-Identifier: GPL-3.0-or-later
"""A wormhole network that is stepped: a controller that learns, while an 8 x 8 mesh runs, how much load keeps the
mean latency of a message below 40 cycles; a state that is tried twice; and the speed of stepping."""

import time

import switchq

OPTIONS = dict(topology="mesh", dims="8x8", architecture="wormhole", lanes=4, length=4, sources="hold")
GOAL, SPAN = 40.0, 500  # cycles

load, step = 0.05, 0.05
with switchq.Network(**OPTIONS, load=load, follow=True) as net:
    tried = []
    for _ in range(120):
        net.set_load(load)
        net.step(SPAN)
        ends = net.ended()
        latency = sum(int(end.latency_cycles) for end in ends) / max(1, len(ends))
        tried.append(load)
        load = min(1, load + step) if latency < GOAL else max(0.01, load - step)
        step = max(0.004, step * 0.96)
    learned = sum(tried[60:]) / 60
    fullest = max(int(flits) for switch in net.occupancy()[0] for row in switch for flits in row)
    print(f"load {learned:.3f} keeps the latency at about {GOAL:g} cycles; at the end, at most {fullest} flits wait "
          "in a lane")

    # what would happen without own packets, and with many? From one state, twice
    net.ended()
    state = net.save()
    drained = []
    for more in (0, 0.9):
        net.restore(state)
        net.set_load(more)
        net.step(400)
        drained.append(net.counts().inside)
    print(f"400 cycles later, {drained[0]} packets are in the mesh without load, and {drained[1]} with load 0.9")
answer = switchq.sim(**OPTIONS, load=round(learned, 3), cycles=30000)
assert abs(answer.latency_tail_cycles - GOAL) < 4, answer.latency_tail_cycles
assert drained[0] == 0 < drained[1]

# messages of our own: 64 nodes pass 5 flits on to the next node
with switchq.Network(**OPTIONS, load=0, follow=True) as net:
    for node in range(net.nodes):
        net.send(node, (node + 1) % net.nodes, token=node, bytes=5)
    passed = 0
    for _ in range(1000):
        net.step()
        for end in net.ended():
            passed += 1
            net.send(int(end.destination), (int(end.destination) + 1) % net.nodes, token=int(end.token), bytes=5)
    print(f"{passed} messages passed on in 1000 cycles")
assert passed > 64 * 30

for cycles, times in ((1, 50000), (1000, 50)):
    with switchq.Network(**OPTIONS, load=0.3) as net:
        begin = time.process_time()
        for _ in range(times):
            net.step(cycles)
        seconds = time.process_time() - begin
        print(f"step({cycles}): {times / seconds:.3g} steps and {net.counts().packet_hops / seconds / 1e6:.3g} million "
              "packet-hops a second")
