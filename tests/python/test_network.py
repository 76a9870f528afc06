# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that are stepped: the same as a run of sim(), whatever the steps; packets come back as they went
in; states; refusals."""

import doctest
import threading
import unittest

import switchq
from switchq import _network

OPTIONS = dict(topology="omega", stages=2, ports=4, buffer="damq", slots=4, flow="block", load=0.6)
MESH = dict(topology="mesh", dims="4x4", architecture="wormhole", lanes=2, length=4)
ALONE = dict(topology="switch", ports=4, buffer="damq", slots=4, flow="block", load=0, follow=True)


class Steps(unittest.TestCase):
    def test_docstrings(self):
        result = doctest.testmod(_network)
        self.assertGreater(result.attempted, 0)
        self.assertEqual(result.failed, 0)

    def test_steps_are_the_run(self):
        for more in ({}, dict(buffer="cbda", slots=2, flow="discard"), dict(traffic="hotspot:0.1", engine="plain"),
                     dict(sources="open", flow="block", load=0.4)):
            options = {**OPTIONS, **more}
            run = switchq.sim(**options, seed=5, warmup=100, cycles=1000, replications=1)
            with switchq.Network(**options, seed=5) as net:
                self.assertEqual(net.step(100), 100)
                before = net.counts()
                for cycles in (1, 0, 17, 482, 500):
                    self.assertEqual(net.step(cycles), cycles)
                after = net.counts()
            invariants = run["invariants"]
            self.assertEqual(after.created, invariants["all_created"])
            self.assertEqual(after.delivered, invariants["all_delivered"])
            self.assertEqual(after.lost, invariants["all_discarded"])
            self.assertEqual(after.inside + after.waiting, invariants["in_flight"])
            self.assertAlmostEqual(run.throughput, (after.delivered - before.delivered) / 16 / 1000, 12)
            self.assertAlmostEqual(run.latency_cycles, (after.latency_cycles - before.latency_cycles) /
                                   (after.delivered - before.delivered), 9)

    def test_steps_are_the_run_byte_by_byte(self):
        for options in (dict(MESH, load=0.3, sources="open"), dict(MESH, load=0.3, routing="adaptive"),
                        dict(MESH, load=0.3, traffic="transpose", sources="hold", engine="async"),
                        dict(topology="omega", ports=2, stages=3, engine="async", buffer="damq", bytes=128, load=0.5)):
            run = switchq.sim(**options, seed=5, warmup=100, cycles=1500, replications=1)
            for follow in (False, True):
                with switchq.Network(**options, seed=5, follow=follow) as net:
                    self.assertEqual(net.step(100), 100)
                    before = net.counts()
                    for cycles in (1, 0, 17, 482, 1000):
                        self.assertEqual(net.step(cycles), cycles)
                    after = net.counts()
                self.assertEqual(after.created, run["invariants"]["all_created"])
                self.assertEqual(after.delivered, run["invariants"]["all_delivered"])
                self.assertEqual(after.inside + after.waiting, run["invariants"]["in_flight"])
                self.assertEqual(after.packet_hops - before.packet_hops, run["run"]["packet_hops"])
                self.assertAlmostEqual(float(run.latency_cycles), (after.latency_cycles - before.latency_cycles) /
                                       (after.delivered - before.delivered), 9)

    def test_lanes_are_columns(self):
        with switchq.Network(**MESH, load=0.4) as net:
            net.step(300)
            held = net.occupancy()
            flat = [int(x) for switch in held[0] for row in switch for x in row]
            self.assertEqual((net.nodes, net.stages, net.switches, net.columns, net.slots), (16, 1, 16, 2, 16))
            self.assertEqual(len(flat), 16 * net.rows * 2)
            self.assertTrue(0 < max(flat) <= 8)

    def test_occupancy_adds_up(self):
        with switchq.Network(**OPTIONS) as net:
            net.step(200)
            held = net.occupancy()
            flat = [int(x) for stage in held for switch in stage for row in switch for x in row]
            self.assertEqual((net.nodes, net.stages, net.switches, net.rows, net.outputs, net.slots),
                             (16, 2, 4, 4, 4, 4))
            self.assertEqual(len(flat), 2 * 4 * 4 * 4)
            self.assertEqual(sum(flat), net.counts().inside)
            self.assertEqual(sum(int(x) for x in net.waiting()), net.counts().waiting)

    def test_load_changes(self):
        with switchq.Network(**OPTIONS) as net:
            net.step(100)
            net.set_load(0)
            net.step(200)
            self.assertEqual(net.counts().inside + net.counts().waiting, 0)

    def test_networks_in_threads(self):
        def run(seed, into):
            with switchq.Network(**OPTIONS, seed=seed) as net:
                net.step(20000)
                into[seed] = net.counts()

        alone, together = {}, {}
        for seed in (1, 2):
            run(seed, alone)
        threads = [threading.Thread(target=run, args=(seed, together)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(alone, together)


class Packets(unittest.TestCase):
    def test_they_come_back(self):
        with switchq.Network(**ALONE) as net:
            self.assertTrue(net.send(1, 3, token=2**64 - 1))
            self.assertFalse(net.send(1, 2), "a sender holds one packet")
            self.assertEqual([bool(x) for x in net.send_all([0, 1, 2], [3, 3, 3], [5, 6, 7])], [True, False, True])
            net.step(4)
            ends = net.ended()
            self.assertEqual(sorted((int(e.token), int(e.source), int(e.destination), int(e.birth)) for e in ends),
                             [(5, 0, 3, 0), (7, 2, 3, 0), (2**64 - 1, 1, 3, 0)])
            self.assertEqual(sorted(int(e.cycle) for e in ends), [0, 1, 2], "an output sends one a cycle")
            self.assertTrue(all(e.offered and not e.lost and not e.high for e in ends))
            self.assertEqual(len(net.ended()), 0)
            self.assertEqual(net.counts().delivered, 3)

    def test_messages_come_back(self):
        with switchq.Network(**MESH, load=0, follow=True) as net:
            self.assertTrue(net.send(0, 15, token=9, bytes=11))
            self.assertFalse(net.send(0, 3), "a sender holds one message")
            self.assertEqual([bool(x) for x in net.send_all([1, 2], [3, 1], [5, 6], bytes=[4, 1])], [True, True])
            net.step(60)
            ends = {int(e.token): (int(e.source), int(e.destination), int(e.bytes), int(e.latency_cycles),
                                   int(e.latency_cycles - e.head_cycles)) for e in net.ended()}
            # a message alone: 4 cycles for each of 7 switches and links, and 11 flits in 3 packets one after another
            self.assertEqual(ends[9][:3], (0, 15, 11))
            self.assertEqual(ends[6], (2, 1, 1, 2 * 4 + 1, 1))
            self.assertEqual(ends[5], (1, 3, 4, 3 * 4 + 4, 4))
            self.assertGreaterEqual(ends[9][3], 7 * 4 + 11)
            self.assertEqual(net.counts().delivered, 5)

    def test_without_numpy(self):
        numpy, _network.numpy = _network.numpy, None
        try:
            with switchq.Network(**ALONE) as net:
                net.send(1, 3, token=4)
                net.send(2, 3)
                net.step()
                self.assertEqual(len(net.ended()), 1)
                self.assertEqual(sum(x for row in net.occupancy()[0][0] for x in row), 1)
                self.assertEqual(net.occupancy()[0][0][0], [0, 0, 0, 0])
                self.assertEqual(net.waiting(), [0, 0, 0, 0])
        finally:
            _network.numpy = numpy

    def test_states(self):
        with switchq.Network(**OPTIONS, seed=3) as net, switchq.Network(**OPTIONS, seed=4) as other:
            net.step(77)
            state = net.save()
            net.step(123)
            future = net.save()
            for again in (net, other):
                again.restore(state)
                for _ in range(123):
                    again.step()
                self.assertEqual(again.save(), future)
            for bad in (b"", state[:-1], state + b"x", b"\0" * len(state)):
                with self.assertRaises(switchq.Error):
                    net.restore(bad)
            with switchq.Network(**{**OPTIONS, "slots": 5}) as unlike:
                self.assertRaisesRegex(switchq.Error, "another network", unlike.restore, state)

    def test_states_byte_by_byte(self):
        options = dict(MESH, load=0.3, sources="hold")
        with switchq.Network(**options, seed=3) as net, switchq.Network(**{**options, "load": 0.1}, seed=4) as other:
            net.step(77)
            state = net.save()
            net.send_all(range(16), [(k + 1) % 16 for k in range(16)])
            net.step(123)
            future = net.save()
            for again in (net, other):
                again.restore(state)
                again.send_all(range(16), [(k + 1) % 16 for k in range(16)])
                for _ in range(123):
                    again.step()
                self.assertEqual(again.save(), future)
            with switchq.Network(**{**options, "lanes": 3}) as unlike, switchq.Network(**OPTIONS) as stages:
                self.assertRaisesRegex(switchq.Error, "another network", unlike.restore, state)
                self.assertRaisesRegex(switchq.Error, "another network", stages.restore, state)


class Refusals(unittest.TestCase):
    def refused(self, text, call, *words, **options):
        with self.assertRaisesRegex(switchq.Error, text) as caught:
            call(*words, **options)
        self.assertEqual(caught.exception.status, 2)

    def test_of_options(self):
        self.refused("--load is required", switchq.Network, buffer="damq", slots=4)
        self.refused("'damp' is unknown", switchq.Network, **{**OPTIONS, "buffer": "damp"})
        self.refused("--cycles is for 'switchq sim'", switchq.Network, **OPTIONS, cycles=100)
        self.refused("--replications is for 'switchq sim'", switchq.Network, **OPTIONS, replications=4)
        self.refused("architecture atlas is not for a network that is stepped", switchq.Network, topology="omega",
                     ports=2, stages=2, architecture="atlas", load=0.1, engine="async")
        self.refused("flow virtual-clock is not for", switchq.Network, topology="omega", ports=2, stages=2,
                     buffer="damq", bytes=128, flow="virtual-clock", load=0.1)
        self.refused("architecture", switchq.Network, architecture="shared-memory", ports=4, load=0.1)
        self.refused("load", switchq.Network, **{**OPTIONS, "load": "0.1:0.9:0.1"})
        self.refused("seed", switchq.Network, **OPTIONS, seed=-1)
        self.refused("help", switchq.Network, help=True)

    def test_of_packets(self):
        with switchq.Network(**OPTIONS) as net:
            self.refused("destination must be 0 to 15, not 16", net.send, 0, 16)
            self.refused("source", net.send, -1, 0)
            self.refused("integer", net.send, 0.5, 0)
            self.refused("token", net.send, 0, 0, token=1)
            self.refused("high", net.send, 0, 0, high=True)
            self.refused("follow", net.ended)
            self.refused("as many", net.send_all, [0, 1], [2])
            self.refused("source and destination", net.send_all, [0, 2**32], [2, 3])
            self.refused("source and destination", net.send_all, [-1], [3])
            self.refused("integer", net.send_all, [0], [1.5])
            self.refused("load must be from 0 to 1", net.set_load, 2)
            self.assertRaises(ValueError, net.step, -1)
            self.assertRaisesRegex(TypeError, "cycles must be a whole number, not 1.5", net.step, 1.5)
            self.assertRaisesRegex(TypeError, "load must be a number, not 'half'", net.set_load, "half")
        self.assertRaises(ValueError, net.step)
        self.assertRaises(ValueError, net.counts)
        with switchq.Network(**OPTIONS, sources="open") as net:
            self.refused("sources must be hold", net.send, 0, 1)
        with switchq.Network(**MESH, load=0.2) as net:
            self.refused("sources must be hold, or load 0", net.send, 0, 1)
            self.refused("sources must be hold", net.set_load, 0.5)
        with switchq.Network(**MESH, load=0) as net:
            self.refused("must not be the source", net.send, 1, 1)
            self.refused("bytes must be 0 to 16777216", net.send, 1, 2, bytes=2**24 + 1)
            self.refused("bytes 0 or more", net.send, 1, 2, bytes=-1)
            self.refused("bytes 0 or more", net.send_all, [1], [2], bytes=[2**32 + 1])
            self.assertEqual(sum(net.waiting()), 0)


if __name__ == "__main__":
    unittest.main()
