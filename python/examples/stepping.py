# SPDX-License-Identifier: GPL-3.0-or-later
"""A network that is stepped: a controller that learns, while the network runs, how much load keeps the mean
time in a 64-node omega network of FIFO buffers below 8 cycles; and the speed of stepping."""

import time

import switchq

OPTIONS = dict(topology="omega", buffer="fifo", slots=4, flow="block")
GOAL, SPAN = 8.0, 500  # cycles

load, step = 0.1, 0.05
with switchq.Network(**OPTIONS, load=load, seed=1) as net:
    before, tried = net.counts(), []
    for _ in range(200):
        net.set_load(load)
        net.step(SPAN)
        now = net.counts()
        latency = (now.latency_cycles - before.latency_cycles) / (now.delivered - before.delivered)
        before = now
        tried.append(load)
        load = min(1, load + step) if latency < GOAL else max(0.01, load - step)
        step = max(0.002, step * 0.97)
    learned = sum(tried[100:]) / 100
    fullest = max(int(packets) for stage in net.occupancy() for switch in stage for row in switch for packets in row)
answer = switchq.sim(**OPTIONS, load=round(learned, 3), cycles=50000)
print(f"load {learned:.3f} keeps the latency at {answer.latency_cycles} cycles; at the end, at most {fullest} packets "
      "wait at an input for the same output")
assert abs(answer.latency_cycles - GOAL) < 1

# packets of our own: a ring of 64 nodes, each of which passes a packet on to its neighbour
with switchq.Network(**OPTIONS, load=0, follow=True) as net:
    for node in range(net.nodes):
        net.send(node, (node + 1) % net.nodes, token=node)
    passed = 0
    for _ in range(1000):
        net.step()
        for end in net.ended():
            passed += 1
            net.send(int(end.destination), (int(end.destination) + 1) % net.nodes, token=int(end.token))
    print(f"{passed} packets passed on in 1000 cycles")
assert passed > 64 * 100

for cycles, times in ((1, 100000), (1000, 100)):
    with switchq.Network(**OPTIONS, load=0.3) as net:
        begin = time.process_time()
        for _ in range(times):
            net.step(cycles)
        seconds = time.process_time() - begin
        print(f"step({cycles}): {times / seconds:.3g} steps and {net.counts().packet_hops / seconds / 1e6:.3g} million "
              "packet-hops a second")
