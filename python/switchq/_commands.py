# SPDX-License-Identifier: GPL-3.0-or-later
# Written by scripts/make-python.py from the options of the program ("make pages"): do not edit.
"""The commands: a function for each, whose keywords are the command's options.

An option that is not given has the default that the signature shows. Where a default depends on
other options, the signature shows None and the docstring says what it is. Every function returns an
Answer and raises Error; `more` takes no option, the program refuses an unknown name and says which
one it is close to.
"""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any, Dict, List, Literal, Optional, Sequence, Union

from ._answers import Answer
from ._questions import command, default

Integers = Union[int, str, Sequence[int]]
Numbers = Union[float, Fraction, str, Sequence[float]]
Words = Union[str, Sequence[str]]
Value = Union[float, Fraction, str, Sequence[Any], Dict[str, Any]]
Path = Union[str, "os.PathLike[str]"]


@command
def solve(
    *,
    load: Optional[Value] = None,
    traffic: Optional[Words] = default("uniform"),
    burst: Optional[Value] = default(1),
    buffer: Optional[Words] = None,
    slots: Optional[Value] = None,
    ports: Optional[Integers] = default(2),
    arbiter: Optional[Words] = default("random"),
    iterations: Optional[Value] = None,
    flow: Optional[Union[Literal["discard", "block"], Words]] = default("discard"),
    credit: Optional[Union[Literal["same", "next"], Words]] = default("same"),
    queue_min: Optional[Integers] = None,
    queue_max: Optional[Integers] = None,
    alpha: Optional[Numbers] = None,
    scope: Optional[Union[Literal["input", "pool"], Words]] = None,
    queues: Optional[Value] = None,
    read: Optional[Union[Literal["one", "queue"], Words]] = None,
    pool_rule: Optional[Union[Literal["room", "ports", "oldest", "in-order"], Words]] = default("room"),
    admission: Optional[Words] = default("room"),
    ties: Optional[Union[Literal["own", "other", "low", "high", "random"], Words]] = None,
    drop: Optional[Union[Literal["tail", "head"], Words]] = None,
    expel: Optional[Numbers] = None,
    congested: Optional[Integers] = None,
    oracle: Optional[Value] = None,
    architecture: Optional[Words] = default("input-queued"),
    speedup: Optional[Integers] = None,
    output_slots: Optional[Integers] = None,
    crosspoint_slots: Optional[Integers] = None,
    departures: Optional[Union[Literal["last", "first"], Words]] = None,
    high: Optional[Numbers] = None,
    priority: Optional[Union[Literal["none", "arbiter", "queue", "queues", "buffer"], Words]] = None,
    priority_slots: Optional[Integers] = None,
    priority_queues: Optional[Union[Literal["one", "output"], Words]] = None,
    target: Optional[Value] = None,
    policy: Optional[Words] = None,
    exact: bool = False,
    delay: bool = False,
    losses: bool = False,
    tail: Optional[float] = None,
    variance: bool = False,
    slope: bool = False,
    by_output: bool = False,
    topology: Optional[Words] = None,
    stages: Optional[Value] = None,
    chain: Optional[Path] = None,
    rewards: Optional[Path] = None,
    states: bool = False,
    rates: bool = False,
    normalise: Optional[float] = None,
    start: Optional[Value] = None,
    until: Optional[Value] = None,
    after: Optional[Value] = None,
    reduce: Optional[Literal["none", "auto"]] = default("auto"),
    solver: Optional[Words] = default("auto"),
    tol: Optional[float] = default(1e-10),
    max_iterations: Optional[Value] = default(100000),
    mem: Optional[Value] = None,
    scratch: Optional[Path] = None,
    mpi: bool = False,
    checkpoint: Optional[Path] = None,
    checkpoint_every: Optional[float] = None,
    threads: Optional[Value] = None,
    plot: Optional[Path] = None,
    panel: Optional[Value] = None,
    x_range: Optional[Value] = None,
    y_range: Optional[Value] = None,
    log_axes: Optional[Literal["x", "y", "xy"]] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Solve the Markov chain of one switch exactly, or any other from a file.

    solve(buffer="damq", slots=4, load=0.9).discard_probability
    solve(buffer="fifo,damq", slots=4, load="0.1:0.9:0.1").frame()
    solve(buffer="damq", slots=4, load=[0.9, 0.5])                    # a load for each input
    solve(buffer="damq", load=0.5, target=1e-9)["model"]["slots"]
    solve(buffer="fifo", slots=1, load=Fraction(9, 10), exact=True).discard_probability

    The switch:
        load: packets created per cycle and input: one number, or one per input
        traffic: uniform, hotspot:F[:J] (the fraction F goes to output J in addition),
            matrix:P,P/P,P (a row per input), file:PATH (such a matrix from a file) (default
            uniform)
        burst [packets]: mean number of packets in a burst, which arrive in consecutive cycles for
            one destination (default 1)
        buffer: buffer organisation ('switchq list buffers')
        slots [slots]: packet slots per input port (a pool has N times as many)
        ports: inputs and outputs of a switch: up to 32 in chains, 256 in sim (default 2 for one
            switch, 4 in a network)
        arbiter: which input sends ('switchq list arbiters') (default random for one switch,
            rotating in a network)
        iterations [rounds]: number of rounds of the arbiters islip and pim (default 1)
        flow: a refused packet is lost (discard) or held by its source (block; others: 'switchq list
            flow') (default discard; asynchronous: block)
        credit: a freed slot can be refilled in the same cycle or the next (default same for
            discard, next for block)
        queue_min [slots]: slots (asynchronous: blocks) reserved for each queue
        queue_max [slots]: slots (asynchronous: blocks) that one queue may take
        alpha: dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times
            the free ones; 0 for none
        scope: override: a buffer per input, or one pool
        queues: override: one queue per buffer, or one per output; --management dbbm: its queues
        read: override: one packet a cycle from a buffer, or from each queue
        pool_rule: a pool short of slots takes packets while there is room (room), opens as many
            random ports as it has slots (ports), or takes the oldest packets (oldest, simulation
            only), or those at the lowest input ports (in-order, simulation only) (default room)
        admission: the rule that says whether a packet that comes to a buffer is stored ('switchq
            list admission') (default room)
        ties: lqd, followlqd, credence: of several longest queues, the packet that comes counted,
            its own (own) loses a packet, another one, that with the lowest or the highest number,
            or any
        drop: lqd: the longest queue loses its last packet (tail) or its first
        expel [packets]: occamy: packets that may be expelled a cycle; a fraction is the chance of
            one more
        congested [packets]: abm: packets from which a queue counts as congested; shorter queues
            count in proportion
        oracle: credence: what says whether longest-queue drop would lose a packet: the truth
            (perfect), the truth turned round with chance P, or a file, with 0 or 1 for each packet
            of a trace (architecture shared-memory: a file; if not given, no packet is said to be
            lost)
        architecture: where switches have memory: 'switchq list architectures' (default
            input-queued; --management recn, recn-enhanced, fbicm: cioq)
        speedup: cioq: how many times faster the crossbar is than a link, in packets per port and
            cycle (asynchronous: also 1.5, for example) (asynchronous, if not given: 2; --management
            recn, recn-enhanced, fbicm: 1.5)
        output_slots [slots]: cioq, output-queued: packet slots before each output, including the
            packet that departs
        crosspoint_slots [slots]: crosspoint, input-crosspoint: packet slots for each input and
            output
        departures: cioq, input-crosspoint: packets depart after others cross the switch (last), or
            before (first) (default last)
        high: fraction of the packets with high priority
        priority: what switches do for packets of high priority: nothing (none); serve them first;
            and also hold them in one queue per buffer, in one per output, or in buffers of their
            own (default none)
        priority_slots [slots]: slots for packets of high priority: in samq's and safc's queue (part
            of slots), or in the buffer of their own (in addition) (default 1 in a queue, 2 in a
            buffer)
        priority_queues: queues in the buffer for packets of high priority (default one)

    The question:
        target: find the smallest number of slots, or the largest load, with a loss of at most P;
            leave out slots or load
        policy: find the least loss that any policy reaches, and that policy, in place of given
            rules of admission and arbitration ('switchq list policies')
        exact: answer in exact fractions, and read every probability as it is written (0.9 or 9/10)

    Single packets:
        delay: print the distribution of an accepted packet's delay
        losses: print the distribution of losses in a row at an input
        tail: with delay or losses: leave out of a mean at most P (1e-15)

    More answers:
        variance: print the asymptotic variance of the number of packets refused, and the error that
            a simulation would have
        slope: print the derivative of the discard probability (block: of the throughput) with
            respect to the load
        by_output: print throughput, loss and waiting packets of each output, even if all outputs
            are alike

    Or a whole network:
        topology: solve a whole network of such switches: omega, butterfly, baseline, flip or cube,
            as with 'switchq sim'
        stages: stages of N x N switches in the network, which has N^S nodes (default 3)

    Or any chain:
        chain: solve the chain in a file instead of a switch: PRISM's .tra (.srew, .lab and .sta
            beside it are read too), Storm's .drn, Matrix Market's .mtx, NumPy's .npy, or .csv with
            lines from,to,probability
        rewards: the rewards of the chain: a .srew file, or a line with a number for each state
        states: print the probability of each state (as text: of the most likely ones)
        rates: the numbers in the file are rates of a chain in continuous time: answers are per unit
            of time
        normalise: divide rows by their sums if these are within that distance of 1 (default: 1e-9);
            with rates, how far the diagonal may be from minus the sum of its row, relative to that
        start: follow paths from a state, or from that of a label: the closed classes in which they
            end, and averages over them (default, if there is more than one class: the label init)
        until: the probability that a path from start ever enters a set of states, and the mean time
            until then
        after: the distribution of the states after that many steps from start (with rates, that
            time); with until, the probability that the set was entered by then

    The solver:
        reduce: merge states that differ only by a renaming of ports, where the switch allows it
            (default auto)
        solver: method ('switchq list solvers') (default auto)
        tol: relative precision of the discard probability (block: of the throughput): its interval
            is proven to be within T of it, or the run says that it is not (default 1e-10)
        max_iterations: largest number of iterations (default 100000)
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)
        scratch: keep the factors of a large chain in a file without a name in this directory: mem
            does not count them, the answers are the same

    Many machines:
        mpi: spread the chain over the ranks of an MPI job: mpirun -n R switchq solve mpi ... (a
            switchq built by 'make PETSC=1')
        checkpoint: with mpi: keep the iterate in this file, and continue from it if the file
            exists; missing folders are created
        checkpoint_every: with checkpoint: seconds between checkpoints (default 600)

    Output:
        threads: parts of one large chain, or points of a range at a time (default: the machine's
            cores, 1 for a range); does not change the numbers
        plot: also draw loss, throughput and delay over a range of numbers; missing folders are
            created
        panel: plot draws this quantity of the answers (as named in --json) over the range or, after
            a slash, over another quantity: latency_cycles, latency_cycles/throughput
        x_range: plot: the range of the x axis of the first panel
        y_range: plot: the range of its y axis; without, points past saturation, which are drawn
            hollow, do not set the axis of the latency
        log_axes: plot: these axes of the first panel are logarithmic

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def sim(
    *,
    topology: Optional[Words] = default("omega"),
    stages: Optional[Value] = default(3),
    load: Optional[Value] = None,
    traffic: Optional[Words] = default("uniform"),
    normalise: bool = False,
    hot_spots: Optional[Value] = None,
    sources: Optional[Union[Literal["hold", "open"], Words]] = default("hold"),
    queue_limit: Optional[Value] = None,
    burst: Optional[Numbers] = None,
    resend: bool = False,
    stale: Optional[Integers] = None,
    high: Optional[Numbers] = None,
    priority: Optional[Union[Literal["none", "arbiter", "queue", "queues", "buffer"], Words]] = None,
    priority_slots: Optional[Integers] = None,
    priority_queues: Optional[Union[Literal["one", "output"], Words]] = None,
    buffer: Optional[Words] = None,
    slots: Optional[Value] = None,
    ports: Optional[Integers] = default(4),
    arbiter: Optional[Words] = default("rotating"),
    iterations: Optional[Value] = None,
    flow: Optional[Union[Literal["discard", "block"], Words]] = default("discard"),
    credit: Optional[Union[Literal["same", "next"], Words]] = default("same"),
    queue_min: Optional[Integers] = None,
    queue_max: Optional[Integers] = None,
    alpha: Optional[Numbers] = None,
    scope: Optional[Union[Literal["input", "pool"], Words]] = None,
    queues: Optional[Value] = None,
    read: Optional[Union[Literal["one", "queue"], Words]] = None,
    pool_rule: Optional[Union[Literal["room", "ports", "oldest", "in-order"], Words]] = default("room"),
    admission: Optional[Words] = default("room"),
    ties: Optional[Union[Literal["own", "other", "low", "high", "random"], Words]] = None,
    drop: Optional[Union[Literal["tail", "head"], Words]] = None,
    expel: Optional[Numbers] = None,
    congested: Optional[Integers] = None,
    oracle: Optional[Value] = None,
    dims: Optional[Literal["11x11", "4x4x8", "6"]] = None,
    one_way: bool = False,
    chained: bool = False,
    arity: Optional[Value] = None,
    levels: Optional[Value] = None,
    radix: Optional[Integers] = None,
    up_ports: Optional[int] = None,
    fail: Optional[Value] = None,
    routes: Optional[Path] = None,
    hosts: Optional[Value] = None,
    routers: Optional[Value] = None,
    leaves: Optional[Value] = None,
    spines: Optional[Value] = None,
    globals: Optional[Value] = None,
    groups: Optional[Value] = None,
    arrangement: Optional[Union[Literal["consecutive", "palmtree", "relative", "circulant", "absolute"], Words]] = None,
    width: Optional[Value] = None,
    order: Optional[Value] = None,
    via: Optional[Union[Literal["group", "router", "other", "any", "between"], Words]] = None,
    architecture: Optional[Words] = None,
    speedup: Optional[Integers] = None,
    output_slots: Optional[Integers] = None,
    crosspoint_slots: Optional[Integers] = None,
    departures: Optional[Union[Literal["last", "first"], Words]] = None,
    output_bytes: Optional[Integers] = None,
    crossbar_delay: Optional[Integers] = None,
    cut_through: Optional[Union[Literal["on", "off"], Words]] = None,
    flit: Optional[Integers] = None,
    chunk: Optional[Integers] = None,
    equal: Optional[Union[Literal["paper", "all"], Words]] = None,
    crosspoint: Optional[Union[Literal["registers", "ram"], Words]] = None,
    crosspoint_chunks: Optional[Integers] = None,
    banks: Optional[Union[Literal["free", "turns"], Words]] = None,
    fifos: Optional[Integers] = None,
    fifo_bytes: Optional[Integers] = None,
    module: Optional[Integers] = None,
    lanes: Optional[Value] = None,
    node_lanes: Optional[Integers] = None,
    lane_flits: Optional[Integers] = None,
    lane_pool: Optional[Integers] = None,
    lane_reserve: Optional[Integers] = None,
    lane_reserve_for: Optional[Union[Literal["all", "used"], Words]] = None,
    lane_choice: Optional[Words] = None,
    lane_reuse: Optional[Union[Literal["sent", "empty"], Words]] = None,
    escape_use: Optional[Union[Literal["last", "alike"], Words]] = None,
    escape_exit: Optional[Union[Literal["free", "never"], Words]] = None,
    router_delay: Optional[Value] = None,
    link_delay: Optional[Integers] = None,
    level_delay: Optional[Value] = None,
    deadlock: Optional[Union[Literal["refuse", "allow"], Words]] = None,
    pool_cells: Optional[Integers] = None,
    lane_cells: Optional[Integers] = None,
    node_cells: Optional[Integers] = None,
    group_credit: Optional[Union[Literal["queue", "departure"], Words]] = None,
    multicast_queue: Optional[Union[Literal["switch", "output"], Words]] = None,
    credit_unit: Optional[Union[Literal["channel", "queue", "pool"], Words]] = None,
    credit_delay: Optional[Integers] = None,
    path_hops: Optional[Integers] = None,
    destination_stages: Optional[Integers] = None,
    no_abort: bool = False,
    no_restrict: bool = False,
    no_requeue: bool = False,
    no_preroute: bool = False,
    two_counter: Optional[Value] = None,
    circuits: Optional[Path] = None,
    clock_ahead: Optional[Value] = None,
    stop: Optional[Value] = None,
    go: Optional[Value] = None,
    sender: Optional[Words] = None,
    management: Optional[Words] = None,
    xoff: Optional[Value] = None,
    xon: Optional[Value] = None,
    saqs: Optional[Integers] = None,
    detect: Optional[Integers] = None,
    inspection_cycles: Optional[Integers] = None,
    turnpool_bits: Optional[Integers] = None,
    refused: Optional[Union[Literal["fill", "hold", "repeat"], Words]] = None,
    interface_packets: Optional[Value] = None,
    interface_cold: Optional[Integers] = None,
    routing: Optional[Words] = None,
    ways: Optional[Union[Literal["one", "drawn"], Words]] = None,
    ugal_threshold: Optional[Integers] = None,
    ugal_queue: Optional[Value] = None,
    ugal_credits: Optional[Value] = None,
    straight_factor: Optional[Integers] = None,
    detour_factor: Optional[Integers] = None,
    choice: Optional[Words] = None,
    benchmark: Optional[Words] = None,
    bytes: Optional[Integers] = None,
    last_bytes: Optional[Value] = None,
    block: Optional[Integers] = None,
    max_packet: Optional[Integers] = None,
    piece: Optional[Integers] = None,
    threshold: Optional[Value] = None,
    release: Optional[Value] = None,
    hop_delay: Optional[Integers] = None,
    link_rest: Optional[Integers] = None,
    length: Optional[Value] = None,
    interval: Optional[Value] = None,
    interval_from: Optional[Literal["rest", "start"]] = None,
    group: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    rate: Optional[Value] = None,
    memory: Optional[Value] = None,
    memories: Optional[Integers] = None,
    cell: Optional[Value] = None,
    classes: Optional[Integers] = None,
    schedule: Optional[Union[Literal["fifo", "priority", "round-robin", "drr"], Words]] = None,
    quantum: Optional[Value] = None,
    cut_after: Optional[Value] = None,
    class_alpha: Optional[Value] = None,
    test: Optional[Union[Literal["before", "after"], Words]] = None,
    arriving: Optional[Union[Literal["counted", "uncounted"], Words]] = None,
    drain_interval: Optional[Value] = None,
    first_alpha: Optional[Numbers] = None,
    new_flow: Optional[Value] = None,
    flow_pause: Optional[Value] = None,
    gamma: Optional[Numbers] = None,
    afd_interval: Optional[Value] = None,
    afd_length: Optional[Value] = None,
    afd_above: Optional[Value] = None,
    expel_every: Optional[Value] = None,
    expel_bucket: Optional[Integers] = None,
    ecn: Optional[Value] = None,
    mark_at: Optional[Union[Literal["enqueue", "dequeue"], Words]] = None,
    arrivals: Optional[Value] = None,
    packet_bytes: Optional[Value] = None,
    class_shares: Optional[Value] = None,
    spine_links: Optional[Integers] = None,
    spine_rate: Optional[Value] = None,
    delay: Optional[Value] = None,
    spread: Optional[Value] = None,
    sizes: Optional[Words] = None,
    incast: Optional[Value] = None,
    off: Optional[Value] = None,
    flow_list: Optional[Value] = None,
    window: Optional[Integers] = None,
    header: Optional[Integers] = None,
    ack_bytes: Optional[Integers] = None,
    least_timeout: Optional[Value] = None,
    target_delay: Optional[Value] = None,
    pfc: bool = False,
    lossless: Optional[Value] = None,
    headroom: Optional[Value] = None,
    pfc_alpha: Optional[Numbers] = None,
    pause_response: Optional[Value] = None,
    pause_watchdog: Optional[Value] = None,
    duration: Optional[Value] = None,
    flows_out: Optional[Value] = None,
    fates_out: Optional[Path] = None,
    cycles: Optional[Value] = None,
    warmup: Optional[Value] = None,
    packets: Optional[Value] = None,
    ignore: Optional[Value] = None,
    precision: Optional[float] = None,
    time: Optional[Value] = None,
    replications: Optional[int] = default(1),
    threads: Optional[int] = default(1),
    seed: Optional[Value] = default(1),
    confidence: Optional[float] = default(0.95),
    find_saturation: bool = False,
    resolution: Optional[float] = None,
    engine: Optional[Literal["sync", "plain", "async"]] = None,
    rare: bool = False,
    importance: Optional[Words] = None,
    pilot_steps: Optional[Value] = None,
    per_node: bool = False,
    per_link: bool = False,
    histogram: bool = False,
    percentiles: Optional[Value] = None,
    measure: Optional[Words] = None,
    node_groups: Optional[Value] = None,
    group_by: Optional[Literal["destination", "source"]] = None,
    series: Optional[Value] = None,
    onset: Optional[Value] = None,
    starts: Optional[Path] = None,
    saq_log: Optional[Path] = None,
    messages_out: Optional[Path] = None,
    watch: Optional[Path] = None,
    plot: Optional[Path] = None,
    panel: Optional[Value] = None,
    x_range: Optional[Value] = None,
    y_range: Optional[Value] = None,
    log_axes: Optional[Literal["x", "y", "xy"]] = None,
    mem: Optional[Value] = None,
    booksim: Optional[Path] = None,
    preset: Optional[Literal["abm", "credence", "occamy", "reverie", "dctcp"]] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Simulate a network of switches.

    sim(buffer="damq", slots=4, load=0.5, flow="block", precision=0.01).latency_cycles
    sim(topology="torus", dims="8x8", buffer="damq", bytes=256, threshold=24, load=0.3)
    sim(buffer="fifo,damq", slots=4, load="0.1:0.9:0.1").plot("latency_cycles", x="throughput")

    The network:
        topology: shape of the network ('switchq list topologies'); switch is a single switch;
            torus, mesh and hypercube are asynchronous; graph:FILE is the network of a file (default
            omega)
        stages: stages of N x N switches, N^S nodes (default 3)
        load: packets created per cycle and source (asynchronous: bytes, as a fraction of what a
            link carries, of each node's own link; shared-memory: bytes of packets, with sender
            payload, as a fraction of lines), or file:PATH with one number per node
        traffic: where packets go: a pattern ('switchq list traffic'), hotspot:F[:J] (the fraction F
            goes to node J in addition), file:PATH (a matrix, a row per source, or lines of
            sender,receiver,share), noxim:FILE (a table of Noxim, which also has the loads),
            trace:PATH (lines of cycle, source, destination, and 1 for high priority); asynchronous:
            see group (default uniform)
        normalise: divide each row of the matrix of traffic file:PATH by its sum; a node without
            shares sends nothing
        hot_spots: additional fractions of the packets for some nodes, with any pattern
        sources: a source holds one packet until it enters the network (hold), or packets queue at
            the source (default hold)
        queue_limit [packets]: largest number of packets that queue at an open source; further
            packets are lost
        burst [packets]: mean number of packets (asynchronous: messages) that a source creates back
            to back for one node
        resend: a discarded packet returns to its source and is sent again
        stale [cycles]: queues whose head has waited T cycles go before longer queues, the longest
            waiting first
        high: fraction of the packets with high priority
        priority: what switches do for packets of high priority: nothing (none); serve them first;
            and also hold them in one queue per buffer, in one per output, or in buffers of their
            own (default none)
        priority_slots [slots]: slots for packets of high priority: in samq's and safc's queue (part
            of slots), or in the buffer of their own (in addition) (default 1 in a queue, 2 in a
            buffer)
        priority_queues: queues in the buffer for packets of high priority (default one)
        buffer: buffer organisation ('switchq list buffers')
        slots [slots]: packet slots per input port (a pool has N times as many)
        ports: inputs and outputs of a switch: up to 32 in chains, 256 in sim (default 2 for one
            switch, 4 in a network)
        arbiter: which input sends ('switchq list arbiters') (default random for one switch,
            rotating in a network)
        iterations [rounds]: number of rounds of the arbiters islip and pim (default 1)
        flow: a refused packet is lost (discard) or held by its source (block; others: 'switchq list
            flow') (default discard; asynchronous: block)
        credit: a freed slot can be refilled in the same cycle or the next (default same for
            discard, next for block)
        queue_min [slots]: slots (asynchronous: blocks) reserved for each queue
        queue_max [slots]: slots (asynchronous: blocks) that one queue may take
        alpha: dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times
            the free ones; 0 for none
        scope: override: a buffer per input, or one pool
        queues: override: one queue per buffer, or one per output; management dbbm: its queues
        read: override: one packet a cycle from a buffer, or from each queue
        pool_rule: a pool short of slots takes packets while there is room (room), opens as many
            random ports as it has slots (ports), or takes the oldest packets (oldest, simulation
            only), or those at the lowest input ports (in-order, simulation only) (default room)
        admission: the rule that says whether a packet that comes to a buffer is stored ('switchq
            list admission') (default room)
        ties: lqd, followlqd, credence: of several longest queues, the packet that comes counted,
            its own (own) loses a packet, another one, that with the lowest or the highest number,
            or any
        drop: lqd: the longest queue loses its last packet (tail) or its first
        expel [packets]: occamy: packets that may be expelled a cycle; a fraction is the chance of
            one more
        congested [packets]: abm: packets from which a queue counts as congested; shorter queues
            count in proportion
        oracle: credence: what says whether longest-queue drop would lose a packet: the truth
            (perfect), the truth turned round with chance P, or a file, with 0 or 1 for each packet
            of a trace (architecture shared-memory: a file; if not given, no packet is said to be
            lost)

    Asynchronous networks alone (--engine async; torus, mesh, hypercube):
        dims: torus, mesh, hypercube, hyperx: nodes of a torus or mesh, routers of a hyperx in each
            dimension, in the order in which packets take the dimensions; number of dimensions of a
            hypercube
        one_way: torus: links in the positive direction only
        chained: torus, mesh: a node has a chain of 5 x 5 switches with two dimensions each, instead
            of one larger switch
        arity: tree: links down of each switch, which also has as many links up; K,K,... for each
            level, from the nodes up
        levels: tree, fat-tree: levels of switches; rare: thresholds T of the importance, each with
            the factor R by which copies multiply there, or none (rare: default found by a pilot
            run)
        radix: fat-tree: ports of a switch
        up_ports: tree, fat-tree: links up from each switch below the top (default: as many as down)
        fail: graph: links between switches that have failed, N drawn by SEED or those of a file's
            lines 'link SWITCH SWITCH' and 'switch SWITCH'; packets take the shortest ways around
            them
        routes: graph: a table of all routes in place of the file's and of shortest ways, with lines
            'route SWITCH HOST PORT[,PORT...][/PART]': several ports are for ways drawn, a part is
            one of the lanes of the link with lane_choice phase
        hosts: dragonfly, hyperx, slim-fly, polarfly, megafly: hosts of a router, or of a leaf;
            shared-memory: of each switch that has some ('switchq list host-topologies') (slim-fly,
            polarfly: default half its links; shared-memory: default 16, fat-tree: half of ports)
        routers: dragonfly: routers of a group (default: twice hosts)
        leaves: megafly: leaves of a group; shared-memory: switches with hosts ('switchq list
            host-topologies') (default: as hosts; shared-memory: default 2)
        spines: megafly: spines of a group; shared-memory: switches that join all leaves (default:
            as hosts; shared-memory: default 2)
        globals: dragonfly, megafly: global links of a router, or of a spine (default: as hosts)
        groups: dragonfly, megafly: groups of routers (default: all that one link to each other
            group allows)
        arrangement: dragonfly: which group each global link leads to ('switchq help',
            docs/asynchronous.md) (default consecutive)
        width: hyperx: links between two routers of a row (default 1)
        order: slim-fly, polarfly: a power of a prime, q: 2 q^2 routers of a slim-fly, q^2 + q + 1
            of a polarfly
        via: dragonfly, hyperx: by way of what packets may go that do not go straight: dragonfly,
            any router of another group, or one that is drawn, too; hyperx, routers other than those
            of the packet's ends, any, or those between (dragonfly: default group; hyperx: default
            other)
        architecture: where switches have memory: 'switchq list architectures' (default
            input-queued; management recn, recn-enhanced, fbicm: cioq)
        speedup: cioq: how many times faster the crossbar is than a link, in packets per port and
            cycle (asynchronous: also 1.5, for example) (asynchronous, if not given: 2; management
            recn, recn-enhanced, fbicm: 1.5)
        output_slots [slots]: cioq, output-queued: packet slots before each output, including the
            packet that departs
        crosspoint_slots [slots]: crosspoint, input-crosspoint: packet slots for each input and
            output
        departures: cioq, input-crosspoint: packets depart after others cross the switch (last), or
            before (first) (default last)
        output_bytes [bytes]: cioq, output-queued: memory of the buffer before each link (default
            128; cioq: as bytes)
        crossbar_delay [cycles]: cioq, output-queued: cycles from the start of a transfer through
            the crossbar until the packet can leave the output buffer (default 1)
        cut_through: cioq: a packet leaves while it is still arriving (on), or when all of it has
            arrived (off); shared-memory, too (default on; shared-memory: off)
        flit [bytes]: width of a link: bytes that it carries in a cycle; all lengths in bytes must
            be multiples of it (default 1)
        chunk [flits]: hipiqs, central: flits in a chunk, the unit in which memory is allocated
            (default, and least: the number of ports of a switch)
        equal: hipiqs: bytes counts only the input buffer, as in the paper, or also (all) the FIFOs
            at the crosspoints and all registers (default paper)
        crosspoint: hipiqs: the FIFO at a crosspoint is made of registers, or is a RAM, in which
            packets behind others take another cycle (default registers)
        crosspoint_chunks [chunks]: hipiqs: chunks that the FIFO at a crosspoint holds (default 2)
        banks: hipiqs: the banks of an input buffer serve all outputs at once (free), or one output
            a cycle begins to read a chunk (turns) (default free)
        fifos [FIFOs]: multi-buffer: FIFOs of an input, which divide bytes equally (default: the
            number of ports of a switch)
        fifo_bytes [bytes]: central, prizma: bytes of the small FIFO of an input before the shared
            memory, counted as part of bytes (default 32 flits)
        module [bytes]: prizma: bytes of a module of the shared memory; each module holds one packet
            (default: as max_packet)
        lanes [lanes]: wormhole, atlas: lanes (virtual channels) of a link, each with a buffer at
            its end; flow groups that use a link at once (default 4; atlas: 4096)
        node_lanes [packets]: wormhole: packets that a node sends at once, each in a lane of its
            own, flit by flit in turn (default 1)
        lane_flits [flits]: wormhole: flits that the buffer of a lane holds (default 8)
        lane_pool [flits]: wormhole: flits in one buffer that all lanes of a link share; lane_flits
            then limits what a lane may take (default: each lane has a buffer of its own)
        lane_reserve [flits]: wormhole: with lane_pool: flits of the pool that are reserved for each
            lane (default 1)
        lane_reserve_for: wormhole: with lane_pool: lanes have their reserve always (all), or only
            while they have a packet or flits, and every packet always finds a lane (used: ViChaR)
            (default all: DAMQall)
        lane_choice: wormhole: which lanes of a link a packet may take: 'switchq list lane-choices'
            (default any; torus with deterministic routing: dateline; dragonfly, hyperx, slim-fly,
            polarfly, megafly, and a graph whose routes may wait in a circle: phase)
        lane_reuse: wormhole: a lane goes to the next packet when the last flit of the previous one
            has been sent (sent), or when its buffer is empty (empty) (default sent; with adaptive
            routing in meshes and tori, and routing escape, which could deadlock otherwise: empty)
        escape_use: wormhole: routing adaptive in meshes and tori, and escape: packets take an
            escape lane when no other lane is free (last), or like any other lane (alike); with
            alike, nodes send over all lanes (default last)
        escape_exit: wormhole: routing adaptive in meshes and tori, and escape: a packet may leave
            escape lanes for any free lane (free), or stays in escape lanes to its destination
            (never) (default free)
        router_delay: wormhole: cycles of the stages of a switch: routing, lane allocation, crossbar
            allocation and crossing (default 0,1,1,1)
        link_delay [cycles]: wormhole: cycles of a flit, or a credit, on a link (default 1)
        level_delay: wormhole: in place of link_delay, cycles on the links of each level: dragonfly:
            local, global, hosts; grids: each dimension, hosts; trees: each level of switches, from
            the hosts up
        deadlock: wormhole: a network whose lanes may wait for one another in a circle is refused,
            or is run until it deadlocks (default refuse; routing unguarded: allow)
        pool_cells [cells]: atlas: cells for which a link has room in the buffer of the next switch,
            which has that many for each port (default 16)
        lane_cells [cells]: atlas: how many of these cells may belong to one flow group, which is a
            destination (default 1)
        node_cells [cells]: atlas: cells that a node keeps, in a list for each flow group as in
            switches; 0: it sends one cell after the other (default 0)
        group_credit: atlas: a cell takes the credit of its flow group as it joins the queue of its
            output (queue), or as it leaves (departure) (default queue)
        multicast_queue: atlas: multicast cells wait in one queue a switch and priority, and only
            the first of them is copied to its outputs (switch), or each is copied to the queues of
            its outputs as it comes (output) (default switch)
        credit_unit: flow credits: the memory that credits stand for: the buffer behind the link
            (channel), an equal part of it for each queue, or the reserve of each queue and a shared
            pool (default channel; pool if the buffer is partitioned or has limits)
        credit_delay [cycles]: flow credits, stop-go, wormhole, atlas, management recn-iq, recn,
            recn-enhanced, fbicm: cycles from a change in a buffer until its sender learns of it
            (default 1)
        path_hops [hops]: flow path, path+maximum-usage: a buffer refuses a packet while it holds
            another with the same next N hops (default 2)
        destination_stages [stages]: flow destination, destination+maximum-usage, path,
            path+maximum-usage: the buffers of the first N stages refuse packets, and those of later
            stages block (default: all refuse)
        no_abort: flow destination, destination+maximum-usage, path, path+maximum-usage: the
            transmission of a refused packet is not broken off
        no_restrict: flow destination, destination+maximum-usage, path, path+maximum-usage: a
            refused packet is sent again without waiting until the packet that caused the refusal
            has left
        no_requeue: flow destination, destination+maximum-usage, path, path+maximum-usage: if queues
            close one by one: a packet whose next queue is closed does not move to the tail of its
            queue
        no_preroute: flow destination, destination+maximum-usage, path, path+maximum-usage: packets
            are sent without looking at the next buffer, which refuses what it has no room for as
            well
        two_counter: flow two-counter: a row of Table 8.2, or five numbers: the cycles between
            updates of a queue's counter, the blocks above which it rises, the blocks below which it
            falls, the count that closes the queue, and the highest count (default H; several:
            H,20,8,4,2,4,A)
        circuits: flow virtual-clock: a file of lines SOURCE DESTINATION RATE, the bytes per cycle
            of that pair, at most flit; a pair without a line gets the rate of an unhindered source,
            divided by the number of nodes
        clock_ahead [cycles]: flow virtual-clock: a packet waits at a switch while its circuit's
            clock, as it was when the packet came, is more than N cycles ahead of real time; none:
            no packet waits, and clocks only set the order (default none)
        stop [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender must stop
            (default: the largest that cannot overflow)
        go [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender may go on
            (default: a block less than stop)
        sender: hold senders back by a scheme and its parameters, such as window:4, at most 4
            unacknowledged packets to a node (switchq list senders; several:
            window:1,bucket:0.1,64); shared-memory: how hosts send, such as dcqcn:timer=55us, or for
            each class: dctcp+cubic (switchq list host-senders)
        management: queues in each buffer that keep congested packets away from others, in place of
            buffer: 'switchq list managements' (default none)
        xoff [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq, recn,
            recn-enhanced, fbicm: a queue that holds P packets of the greatest length, or as many
            bytes, tells its sender to stop (default: no such limit; recn-iq, recn, recn-enhanced,
            fbicm: 10)
        xon [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, lecn, recn-iq, recn,
            recn-enhanced, fbicm: a queue lets its sender go on when at most P packets are left;
            with set-aside queues and lecn, fewer than P (default half of xoff; with set-aside
            queues 5, or xoff where that is less; lecn: 1)
        saqs [SAQs]: management recn-iq, recn, recn-enhanced, fbicm: set-aside queues of each
            memory; 0: none, for comparison (default 4 for recn-iq, otherwise 8)
        detect [packets]: management lecn, recn-iq, recn, recn-enhanced, fbicm: packets in a queue
            at which an output counts as congested: recn-iq: in the cold queue of an input (default
            5); recn, recn-enhanced, fbicm: in the queue of an output, or of an input for one output
            (default 16); lecn: more than this number in the buffer before a link (default 2)
        inspection_cycles [cycles]: management recn-iq: cycles that the post-processing of an input
            takes to inspect the head of a queue (default 1)
        turnpool_bits [bits]: management recn-iq, recn, recn-enhanced: bits for the path in a
            packet's header; a network that needs more is refused (default 31)
        refused: management recn: what happens when an input has refused the notice of an output's
            set-aside queue: packets for that queue fill the output's memory, or are held at the
            input while the queue is long, or fill it while each of them that joins the long queue
            sends the notice again (default hold)
        interface_packets [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq,
            recn, recn-enhanced, fbicm: packets for which the interface of a node has room; packets
            that open sources create when it is full are lost; with unbounded they wait at the node,
            in one FIFO before the interface (default 64; 1q, 4q, 4q-least, voqsw, dbbm, voqnet: no
            interfaces, packets are sent in the order in which they were created)
        interface_cold [packets]: management recn-iq: packets in the cold queue of an interface at
            which it counts as full, though its set-aside queues may have more, up to
            interface_packets in all (if not given, interface_packets alone counts)
        routing: which path packets take, 'switchq list routing' (default deterministic)
        ways: hyperx, slim-fly, polarfly, megafly, graph: of several shortest ways each pair of
            switches has one, or one is drawn for each packet (default one)
        ugal_threshold [bytes]: routing ugal, par, dal: a packet goes by way of another place when
            the product of links and bytes ahead is greater for the straight way by more than this
            (default 0)
        ugal_queue: routing ugal, par, dal: the queue of a way, by bytes that take room behind
            links: of its first link, in all lanes (local), in those for the packet (lane), in those
            if both ways begin with this link, else in all (hybrid); of its first global link
            (global); of all its links, without the number of links (path) (default local)
        ugal_credits: routing ugal, par: dragonfly, megafly: credits for links within a group go at
            once, or are held back by how much later credits come to the output of their flit than
            to other outputs (default prompt)
        straight_factor: routing ugal, par, dal: what the queue of the straight way is multiplied
            by; 0: its links (default 0)
        detour_factor: routing ugal, par, dal: what the queue of the other way is multiplied by; 0:
            its links (default 0)
        choice: routing adaptive: how to choose among several outputs, 'switchq list choices'
            (default random, wormhole: room)
        benchmark: senders of a congestion benchmark: group G_NUT overloads a link of a multistage
            network, and load is the load of all others, which send messages of 32 bytes uniformly
            and are measured in groups
        bytes [bytes]: memory of an input port; can also be given as slots for packets of the
            greatest length (default 128; recn-iq: 4096; recn, recn-enhanced, fbicm: 32768)
        last_bytes [bytes]: memory of an input port in the last stage of a multistage network, flow
            block and buffers whose queues share all memory; as bytes if it is not given
        block [bytes]: bytes of a block, the unit in which memory is allocated (default 8)
        max_packet [bytes]: bytes of the longest packet; longer messages are split (default 32, or
            length if that is less (wormhole); recn-iq, recn, recn-enhanced, fbicm: 64)
        piece [bytes]: packets move in pieces of B bytes, and pause between two pieces while the
            next buffer has no room for one; a buffer may then be smaller than a packet (default:
            packets are not cut)
        threshold [blocks]: flow maximum-usage: a queue of more than T blocks is sent nothing; none:
            queues have no limit, as with flow block (default none; in a torus the largest that
            prevents deadlock)
        release: when the memory of a departing packet becomes free: block by block, at the start of
            its transmission, when its header is in the next switch, at the end of its transmission,
            or N cycles after the start if that is sooner than the end (default blocks)
        hop_delay [cycles]: cycles from the start of a transmission until the next switch can pass
            the packet on (default 5)
        link_rest [cycles]: cycles that a link is idle after a packet (default 2; atlas, recn-iq,
            recn, recn-enhanced, fbicm: 0)
        length: bytes of a message: a number, from-to, geometric:MEAN, or with heavy tails
            pareto:MEAN:SHAPE (default 32; recn-iq, recn, recn-enhanced, fbicm: 64)
        interval [cycles]: cycles between the messages of a sender, instead of load: N, A-B,
            geometric:MEAN or pareto:MEAN:SHAPE
        interval_from: intervals of hold sources begin when the link has rested after the previous
            message (rest), or when the transmission of its last packet starts (start) (default
            rest)
        group: a group of senders, measured separately: the nodes whose number & mask is value
            (default all) and that are in no earlier group. KEY is mask, value, load, interval,
            interval-from, sources, length, burst or traffic; a key that is left out is taken from
            the option of that name. Or KEY is from or until: the group's first cycle, and the first
            cycle after it. Or it is priority: of its cells with architecture atlas, 0 (default), 1
            or 2, of which 0 goes first. The option may be repeated.  traffic, here and as an
            option: DEST or a mixture of P*DEST joined by +, where P is the probability and DEST is
            uniform, a pattern, file:PATH, adv+I, worst-case, node:J, subset:MASK:VALUE or
            hotspot:F[:J], with @L behind it for a length of its own: 0.1*node:0@8+0.9*uniform; as
            an option alone, noxim:FILE; with architecture atlas also multicast, to several nodes at
            once: multicast:K[:S] to one of S sets (default: as many as nodes) of K nodes drawn for
            the run, or all:MASK:VALUE to every node whose number & MASK is VALUE; or, as an option
            alone, trace:FILE (lines of cycle, source, destination, bytes, and pairs of a message
            that it waits for and a delay), netrace:FILE (.tra, .tra.bz2), or a collective operation
            of all nodes, all-to-all:BYTES, ring-all-reduce:BYTES or tree-all-reduce:BYTES, in
            phases, each message when its sender has what it depends on

    Switches of data centres (--architecture shared-memory):
        rate: what a line carries, such as 10G, 25Gbps or 400Mb/s (default 10G)
        memory: memory of a switch: 2MB, 256K/port, or 5.12K/port/Gbps (default 1MB)
        memories: memories of a switch, each with an equal share of memory and of its outputs, in
            their order; rules of admission see one alone (default 1)
        cell: a packet takes whole cells of the memory (default 1)
        classes: classes of packets, each with a queue at every port, 1 to 8 (default 1)
        schedule: the class that a port sends next: that of the oldest packet, the lowest number, in
            turn, or by deficit round robin with quantum (default fifo)
        quantum: schedule drr: what a class may send in its turn, one number or one for each class
            (default 1500)
        cut_after: cut-through on: the header, after which a packet goes on; shorter packets, and
            those for a faster line, go on when all of them has come (default 64)
        class_alpha: dynamic thresholds of the classes, instead of one alpha
        test: threshold, abm, occamy, fab, ib, reverie: what is compared with a threshold: the queue
            before the packet comes, or with it (default before)
        arriving: lqd: is the packet that comes counted with its own queue (default counted)
        drain_interval: abm: the time between looks at drain rates and congested queues, 1us or more
            (default 80us)
        first_alpha: abm, fab, reverie: alpha of packets of a flow's first round trip, or with fab
            of flows that are new (default 1024)
        new_flow: fab: a flow that has sent fewer bytes since its last pause is new (default 22500B)
        flow_pause: fab: a flow that is silent for longer pauses, and is new again (default 5ms)
        gamma: reverie: the weight of the past in averages of lengths, 0 or more and below 1
            (default 0.999)
        afd_interval: ib: the window in which arrivals are counted (default 50us)
        afd_length: ib: the length to which fair rates steer a queue (default 100KB)
        afd_above: ib: the length above which a queue loses packets at random (default 150KiB)
        expel_every: occamy: the time in which the memory has bandwidth for one more cell (default
            160ns)
        expel_bucket: occamy: cells that can be expelled at once, at most (default: 1500 bytes)
        ecn: packets are marked above K bytes of their queue, or at random from KMIN to KMAX bytes
            (default: no packet is marked)
        mark_at: when ecn looks at the queue (default enqueue)
        arrivals: packets come at random times, or in slots of the time that a line takes for one,
            or as lines time_ps,input,output,class,bytes of a file (default poisson)
        packet_bytes: size of packets, or sizes with their shares (default 1500)
        class_shares: shares of packets that are of each class (default: equal shares); with sender
            of the flows of sizes (default: all of class 0)
        spine_links: links between two switches that are joined (default 1)
        spine_rate: what a link between switches carries (default: as rate)
        delay: with sender: the delay of each link (default 1us)
        spread: networks: the link that a packet takes where several lead on: by a hash of its flow,
            drawn, the one with the shortest queue, or drawn when packets of a flow come later than
            the time GAP after one another (default ecmp)
        sizes: sizes of flows that begin at random times, at load ('switchq list sizes')
        incast: each host asks RATE times a second FANIN hosts, which send SIZE bytes together, a
            size or a percentage of the memory, in class CLASS or 0
        off: with sizes, instead of load: each host sends one flow at a time, and is silent for TIME
            on average between two
        flow_list: flows of a file: csv (start_ps,source,destination,bytes[,class][,after]), hpcc or
            htsim
        window: packets on their way of sender window, and at first of the others (default 10)
        header: with sender: bytes of a packet that are no payload (default 40)
        ack_bytes: with sender: size of an acknowledgement (default 64)
        least_timeout: with sender: after this time without news, or a longer one by the round trips
            seen, packets are sent again (default 10ms)
        target_delay: sender delay: what a round trip may take beyond the empty network's (default
            50us)
        pfc: with sender: priority flow control: classes are lossless, as inputs pause their senders
            and have a headroom
        lossless: pfc: the lossless classes (default: all)
        headroom: pfc: memory of each input and lossless class for what still comes after a pause
            ('switchq formula pfc-headroom')
        pfc_alpha: pfc: an input pauses when it holds more than A times the free shared memory
            (default 1)
        pause_response: pfc: from a pause frame's last bit until it is obeyed (default 0ns; 100G:
            394 quanta of 512 bits, 2017.28ns)
        pause_watchdog: pfc in networks: packets of an output are dropped after this time in pause
            without a break, until it has not been paused for the second TIME (default: the first)
        duration: measured time of each replication (default 10ms)
        flows_out: with sender: write the flows of the first replication that began in the measured
            time: csv, those that are complete as lines
            number,start_ps,source,destination,bytes,class,end_ps,slowdown; hpcc or htsim, all as a
            list of flows of that simulator
        fates_out: write what became of each packet of arrivals FILE as lines
            number,fate,time_ps,marked

    The run:
        cycles: cycles measured, in each replication (default 20000, asynchronous 200000; fewer for
            more than 1024 nodes); with a precision, the most (default 500 times as many)
        warmup: cycles before measurement begins (default auto: until MSER-5 finds the number of
            packets in the system settled); shared-memory: a TIME (default 1ms)
        packets: stop each replication when N packets (not messages) have been delivered, within 64
            cycles
        ignore: instead of a warm-up: begin to measure when N packets have been delivered
        precision: run until mean latency and throughput are known to within the fraction P
        time: stop after SECONDS of real time, with what has been measured by then
        replications: number of independent runs, whose results are combined (default 1;
            shared-memory 8, rare 32)
        threads: replications at a time (default: 1); remaining threads share the work on one large
            network: in stages by the fast engine, or asynchronous from 2048 switches on, with flow
            block or maximum-usage and queues at inputs, or at outputs, too, or wormhole from 128
            switches on. On one thread remain per_node, per_link, measure, starts, traces, sender,
            management, piece, messages of several packets, adaptive routing, ugal_queue global and
            path, ugal_credits round-trip, and other flow controls and architectures. Does not
            change the numbers
        seed: seed of all random streams (default 1)
        confidence: confidence of the intervals (default 0.95)
        find_saturation: find the saturation throughput, and intervals of the loads up to which open
            sources, and the worst of them, are served in full, by runs of 500000 cycles (or cycles)
            to eight times as many (needs no load)
        resolution: width of the intervals of find_saturation, if its runs are long enough (default
            0.005)
        engine: sync: all switches in step; plain: the same rules without short cuts, to check sync;
            async: byte by byte (default sync; async if only it has the topology or the flow
            control)

    Rare discards:
        rare: measure discards too rare for a plain simulation, by importance splitting (RESTART):
            until they are known to within 10%, or to precision, or for cycles of each main path; 32
            replications by default; of all priorities together
        importance: the measure of how near a discard is: 'switchq list importances' (default: the
            best in a pilot run)
        pilot_steps: cycles of each round of the pilot run (default 50000)

    Output:
        per_node: also print for each node the packets created, sent and received, and their
            latencies; and the means over nodes of their percentiles (plot: a map)
        per_link: also print for each link its utilisation, and the packets in the buffer that it
            leads to (plot: a map of the links)
        histogram: also print the histogram of the latency (plot: as a curve)
        percentiles: also print these percentiles of the latency, with intervals (with histogram by
            default 50,90,99,99.9)
        measure: also measure these quantities ('switchq list measures'), with intervals, and the
            percentiles of percentiles
        node_groups: measure groups of nodes separately: ranges joined by + form a group; the
            remaining nodes are a group too
        group_by: a packet belongs to its destination's group (default), or its source's
        series: also print results over time, for each window of N cycles, from cycle 0 on, warm-up
            included, or from the end of a given warmup on; with intervals from replications;
            shared-memory: for each TIME, from the end of the warm-up on
        onset: with series: print how far throughput falls after this cycle, and after how many
            cycles it has recovered (10 windows in a row within 2% of the mean before)
        starts: write the start of every transmission in the first replication as CSV: cycle,
            switch, input, output (none: from its sender), from, to, birth, and bytes (asynchronous)
            or priority; missing folders are created
        saq_log: management recn-iq, recn, recn-enhanced, fbicm: write every event of a set-aside
            queue in the first replication as CSV: cycle, event, switch (or interface), port (or
            node), number of the queue, and the path as seen from there; missing folders are created
        messages_out: write a line of CSV for each message of the first replication that has
            arrived, from cycle 0 on: created, from, to, bytes, the cycles until its first byte and
            until its last byte arrived, and its group of senders; missing folders are created
        watch: write a page for any browser that shows how full every buffer was during the first
            replication, with a slider for the time; for a range, up to four runs side by side (of
            data centres: one run); missing folders are created
        plot: also draw a plot: for a range, latency over throughput, and loss and throughput over
            the load (or over another range of numbers), with intervals as bands; for one run, what
            per_link, per_node, histogram or series asks for; missing folders are created
        panel: plot draws this quantity of the answers (as named in --json) over the range or, after
            a slash, over another quantity: latency_cycles, latency_cycles/throughput
        x_range: plot: the range of the x axis of the first panel
        y_range: plot: the range of its y axis; without, points past saturation, which are drawn
            hollow, do not set the axis of the latency
        log_axes: plot: these axes of the first panel are logarithmic

    Other options:
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    A file of another program:
        booksim: translate a configuration of BookSim 2 into a question, and print it; other options
            replace parts of it

    Settings of the literature:
        preset: set the options that a published study of data-centre switches used, and print them;
            other options replace parts of it ('switchq list presets')

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def approx(
    *,
    topology: Optional[Words] = default("omega"),
    stages: Optional[Value] = default(3),
    load: Optional[Value] = None,
    traffic: Optional[Words] = default("uniform"),
    normalise: bool = False,
    hot_spots: Optional[Value] = None,
    sources: Optional[Union[Literal["hold", "open"], Words]] = default("hold"),
    queue_limit: Optional[Value] = None,
    burst: Optional[Numbers] = None,
    resend: bool = False,
    stale: Optional[Integers] = None,
    high: Optional[Numbers] = None,
    priority: Optional[Union[Literal["none", "arbiter", "queue", "queues", "buffer"], Words]] = None,
    priority_slots: Optional[Integers] = None,
    priority_queues: Optional[Union[Literal["one", "output"], Words]] = None,
    buffer: Optional[Words] = None,
    slots: Optional[Value] = None,
    ports: Optional[Integers] = default(4),
    arbiter: Optional[Words] = default("rotating"),
    iterations: Optional[Value] = None,
    flow: Optional[Union[Literal["discard", "block"], Words]] = default("discard"),
    credit: Optional[Union[Literal["same", "next"], Words]] = default("same"),
    queue_min: Optional[Integers] = None,
    queue_max: Optional[Integers] = None,
    alpha: Optional[Numbers] = None,
    scope: Optional[Union[Literal["input", "pool"], Words]] = None,
    queues: Optional[Value] = None,
    read: Optional[Union[Literal["one", "queue"], Words]] = None,
    pool_rule: Optional[Union[Literal["room", "ports", "oldest", "in-order"], Words]] = default("room"),
    admission: Optional[Words] = default("room"),
    ties: Optional[Union[Literal["own", "other", "low", "high", "random"], Words]] = None,
    drop: Optional[Union[Literal["tail", "head"], Words]] = None,
    expel: Optional[Numbers] = None,
    congested: Optional[Integers] = None,
    oracle: Optional[Value] = None,
    dims: Optional[Literal["11x11", "4x4x8", "6"]] = None,
    one_way: bool = False,
    chained: bool = False,
    arity: Optional[Value] = None,
    levels: Optional[Value] = None,
    radix: Optional[Integers] = None,
    up_ports: Optional[int] = None,
    fail: Optional[Value] = None,
    routes: Optional[Path] = None,
    hosts: Optional[Value] = None,
    routers: Optional[Value] = None,
    leaves: Optional[Value] = None,
    spines: Optional[Value] = None,
    globals: Optional[Value] = None,
    groups: Optional[Value] = None,
    arrangement: Optional[Union[Literal["consecutive", "palmtree", "relative", "circulant", "absolute"], Words]] = None,
    width: Optional[Value] = None,
    order: Optional[Value] = None,
    via: Optional[Union[Literal["group", "router", "other", "any", "between"], Words]] = None,
    architecture: Optional[Words] = None,
    speedup: Optional[Integers] = None,
    output_slots: Optional[Integers] = None,
    crosspoint_slots: Optional[Integers] = None,
    departures: Optional[Union[Literal["last", "first"], Words]] = None,
    output_bytes: Optional[Integers] = None,
    crossbar_delay: Optional[Integers] = None,
    cut_through: Optional[Union[Literal["on", "off"], Words]] = None,
    flit: Optional[Integers] = None,
    chunk: Optional[Integers] = None,
    equal: Optional[Union[Literal["paper", "all"], Words]] = None,
    crosspoint: Optional[Union[Literal["registers", "ram"], Words]] = None,
    crosspoint_chunks: Optional[Integers] = None,
    banks: Optional[Union[Literal["free", "turns"], Words]] = None,
    fifos: Optional[Integers] = None,
    fifo_bytes: Optional[Integers] = None,
    module: Optional[Integers] = None,
    lanes: Optional[Value] = None,
    node_lanes: Optional[Integers] = None,
    lane_flits: Optional[Integers] = None,
    lane_pool: Optional[Integers] = None,
    lane_reserve: Optional[Integers] = None,
    lane_reserve_for: Optional[Union[Literal["all", "used"], Words]] = None,
    lane_choice: Optional[Words] = None,
    lane_reuse: Optional[Union[Literal["sent", "empty"], Words]] = None,
    escape_use: Optional[Union[Literal["last", "alike"], Words]] = None,
    escape_exit: Optional[Union[Literal["free", "never"], Words]] = None,
    router_delay: Optional[Value] = None,
    link_delay: Optional[Integers] = None,
    level_delay: Optional[Value] = None,
    deadlock: Optional[Union[Literal["refuse", "allow"], Words]] = None,
    pool_cells: Optional[Integers] = None,
    lane_cells: Optional[Integers] = None,
    node_cells: Optional[Integers] = None,
    group_credit: Optional[Union[Literal["queue", "departure"], Words]] = None,
    multicast_queue: Optional[Union[Literal["switch", "output"], Words]] = None,
    credit_unit: Optional[Union[Literal["channel", "queue", "pool"], Words]] = None,
    credit_delay: Optional[Integers] = None,
    path_hops: Optional[Integers] = None,
    destination_stages: Optional[Integers] = None,
    no_abort: bool = False,
    no_restrict: bool = False,
    no_requeue: bool = False,
    no_preroute: bool = False,
    two_counter: Optional[Value] = None,
    circuits: Optional[Path] = None,
    clock_ahead: Optional[Value] = None,
    stop: Optional[Value] = None,
    go: Optional[Value] = None,
    sender: Optional[Words] = None,
    management: Optional[Words] = None,
    xoff: Optional[Value] = None,
    xon: Optional[Value] = None,
    saqs: Optional[Integers] = None,
    detect: Optional[Integers] = None,
    inspection_cycles: Optional[Integers] = None,
    turnpool_bits: Optional[Integers] = None,
    refused: Optional[Union[Literal["fill", "hold", "repeat"], Words]] = None,
    interface_packets: Optional[Value] = None,
    interface_cold: Optional[Integers] = None,
    routing: Optional[Words] = None,
    ways: Optional[Union[Literal["one", "drawn"], Words]] = None,
    ugal_threshold: Optional[Integers] = None,
    ugal_queue: Optional[Value] = None,
    ugal_credits: Optional[Value] = None,
    straight_factor: Optional[Integers] = None,
    detour_factor: Optional[Integers] = None,
    choice: Optional[Words] = None,
    benchmark: Optional[Words] = None,
    bytes: Optional[Integers] = None,
    last_bytes: Optional[Value] = None,
    block: Optional[Integers] = None,
    max_packet: Optional[Integers] = None,
    piece: Optional[Integers] = None,
    threshold: Optional[Value] = None,
    release: Optional[Value] = None,
    hop_delay: Optional[Integers] = None,
    link_rest: Optional[Integers] = None,
    length: Optional[Value] = None,
    interval: Optional[Value] = None,
    interval_from: Optional[Literal["rest", "start"]] = None,
    group: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    method: Optional[Words] = None,
    methods: bool = False,
    target: Optional[Value] = None,
    find_saturation: bool = False,
    table: Optional[Literal["4.2", "4.3", "4.4"]] = None,
    compare: bool = False,
    cycles: Optional[Value] = None,
    seed: Optional[Value] = None,
    threads: Optional[int] = None,
    plot: Optional[Path] = None,
    panel: Optional[Value] = None,
    x_range: Optional[Value] = None,
    y_range: Optional[Value] = None,
    log_axes: Optional[Literal["x", "y", "xy"]] = None,
    mem: Optional[Value] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Approximate a network of switches in milliseconds.

    approx(buffer="damq", slots=4, load="0.1:0.9:0.1", flow="block").frame()

    The network (--load R, or FROM:TO:STEP for a range):
        topology: shape of the network ('switchq list topologies'); switch is a single switch;
            torus, mesh and hypercube are asynchronous; graph:FILE is the network of a file (default
            omega)
        stages: stages of N x N switches, N^S nodes (default 3)
        load: packets created per cycle and source (asynchronous: bytes, as a fraction of what a
            link carries, of each node's own link; shared-memory: bytes of packets, with sender
            payload, as a fraction of lines), or file:PATH with one number per node
        traffic: where packets go: a pattern ('switchq list traffic'), hotspot:F[:J] (the fraction F
            goes to node J in addition), file:PATH (a matrix, a row per source, or lines of
            sender,receiver,share), noxim:FILE (a table of Noxim, which also has the loads),
            trace:PATH (lines of cycle, source, destination, and 1 for high priority); asynchronous:
            see group (default uniform)
        normalise: divide each row of the matrix of traffic file:PATH by its sum; a node without
            shares sends nothing
        hot_spots: additional fractions of the packets for some nodes, with any pattern
        sources: a source holds one packet until it enters the network (hold), or packets queue at
            the source (default hold)
        queue_limit [packets]: largest number of packets that queue at an open source; further
            packets are lost
        burst [packets]: mean number of packets (asynchronous: messages) that a source creates back
            to back for one node
        resend: a discarded packet returns to its source and is sent again
        stale [cycles]: queues whose head has waited T cycles go before longer queues, the longest
            waiting first
        high: fraction of the packets with high priority
        priority: what switches do for packets of high priority: nothing (none); serve them first;
            and also hold them in one queue per buffer, in one per output, or in buffers of their
            own (default none)
        priority_slots [slots]: slots for packets of high priority: in samq's and safc's queue (part
            of slots), or in the buffer of their own (in addition) (default 1 in a queue, 2 in a
            buffer)
        priority_queues: queues in the buffer for packets of high priority (default one)
        buffer: buffer organisation ('switchq list buffers')
        slots [slots]: packet slots per input port (a pool has N times as many)
        ports: inputs and outputs of a switch: up to 32 in chains, 256 in sim (default 2 for one
            switch, 4 in a network)
        arbiter: which input sends ('switchq list arbiters') (default random for one switch,
            rotating in a network)
        iterations [rounds]: number of rounds of the arbiters islip and pim (default 1)
        flow: a refused packet is lost (discard) or held by its source (block; others: 'switchq list
            flow') (default discard; asynchronous: block)
        credit: a freed slot can be refilled in the same cycle or the next (default same for
            discard, next for block)
        queue_min [slots]: slots (asynchronous: blocks) reserved for each queue
        queue_max [slots]: slots (asynchronous: blocks) that one queue may take
        alpha: dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times
            the free ones; 0 for none
        scope: override: a buffer per input, or one pool
        queues: override: one queue per buffer, or one per output; management dbbm: its queues
        read: override: one packet a cycle from a buffer, or from each queue
        pool_rule: a pool short of slots takes packets while there is room (room), opens as many
            random ports as it has slots (ports), or takes the oldest packets (oldest, simulation
            only), or those at the lowest input ports (in-order, simulation only) (default room)
        admission: the rule that says whether a packet that comes to a buffer is stored ('switchq
            list admission') (default room)
        ties: lqd, followlqd, credence: of several longest queues, the packet that comes counted,
            its own (own) loses a packet, another one, that with the lowest or the highest number,
            or any
        drop: lqd: the longest queue loses its last packet (tail) or its first
        expel [packets]: occamy: packets that may be expelled a cycle; a fraction is the chance of
            one more
        congested [packets]: abm: packets from which a queue counts as congested; shorter queues
            count in proportion
        oracle: credence: what says whether longest-queue drop would lose a packet: the truth
            (perfect), the truth turned round with chance P, or a file, with 0 or 1 for each packet
            of a trace (architecture shared-memory: a file; if not given, no packet is said to be
            lost)

    Tori, meshes and hypercubes alone (--topology):
        dims: torus, mesh, hypercube, hyperx: nodes of a torus or mesh, routers of a hyperx in each
            dimension, in the order in which packets take the dimensions; number of dimensions of a
            hypercube
        one_way: torus: links in the positive direction only
        chained: torus, mesh: a node has a chain of 5 x 5 switches with two dimensions each, instead
            of one larger switch
        arity: tree: links down of each switch, which also has as many links up; K,K,... for each
            level, from the nodes up
        levels: tree, fat-tree: levels of switches; --rare: thresholds T of the importance, each
            with the factor R by which copies multiply there, or none (--rare: default found by a
            pilot run)
        radix: fat-tree: ports of a switch
        up_ports: tree, fat-tree: links up from each switch below the top (default: as many as down)
        fail: graph: links between switches that have failed, N drawn by SEED or those of a file's
            lines 'link SWITCH SWITCH' and 'switch SWITCH'; packets take the shortest ways around
            them
        routes: graph: a table of all routes in place of the file's and of shortest ways, with lines
            'route SWITCH HOST PORT[,PORT...][/PART]': several ports are for ways drawn, a part is
            one of the lanes of the link with lane_choice phase
        hosts: dragonfly, hyperx, slim-fly, polarfly, megafly: hosts of a router, or of a leaf;
            shared-memory: of each switch that has some ('switchq list host-topologies') (slim-fly,
            polarfly: default half its links; shared-memory: default 16, fat-tree: half of ports)
        routers: dragonfly: routers of a group (default: twice hosts)
        leaves: megafly: leaves of a group; shared-memory: switches with hosts ('switchq list
            host-topologies') (default: as hosts; shared-memory: default 2)
        spines: megafly: spines of a group; shared-memory: switches that join all leaves (default:
            as hosts; shared-memory: default 2)
        globals: dragonfly, megafly: global links of a router, or of a spine (default: as hosts)
        groups: dragonfly, megafly: groups of routers (default: all that one link to each other
            group allows)
        arrangement: dragonfly: which group each global link leads to ('switchq help',
            docs/asynchronous.md) (default consecutive)
        width: hyperx: links between two routers of a row (default 1)
        order: slim-fly, polarfly: a power of a prime, q: 2 q^2 routers of a slim-fly, q^2 + q + 1
            of a polarfly
        via: dragonfly, hyperx: by way of what packets may go that do not go straight: dragonfly,
            any router of another group, or one that is drawn, too; hyperx, routers other than those
            of the packet's ends, any, or those between (dragonfly: default group; hyperx: default
            other)
        architecture: where switches have memory: 'switchq list architectures' (default
            input-queued; management recn, recn-enhanced, fbicm: cioq)
        speedup: cioq: how many times faster the crossbar is than a link, in packets per port and
            cycle (asynchronous: also 1.5, for example) (asynchronous, if not given: 2; management
            recn, recn-enhanced, fbicm: 1.5)
        output_slots [slots]: cioq, output-queued: packet slots before each output, including the
            packet that departs
        crosspoint_slots [slots]: crosspoint, input-crosspoint: packet slots for each input and
            output
        departures: cioq, input-crosspoint: packets depart after others cross the switch (last), or
            before (first) (default last)
        output_bytes [bytes]: cioq, output-queued: memory of the buffer before each link (default
            128; cioq: as bytes)
        crossbar_delay [cycles]: cioq, output-queued: cycles from the start of a transfer through
            the crossbar until the packet can leave the output buffer (default 1)
        cut_through: cioq: a packet leaves while it is still arriving (on), or when all of it has
            arrived (off); shared-memory, too (default on; shared-memory: off)
        flit [bytes]: width of a link: bytes that it carries in a cycle; all lengths in bytes must
            be multiples of it (default 1)
        chunk [flits]: hipiqs, central: flits in a chunk, the unit in which memory is allocated
            (default, and least: the number of ports of a switch)
        equal: hipiqs: bytes counts only the input buffer, as in the paper, or also (all) the FIFOs
            at the crosspoints and all registers (default paper)
        crosspoint: hipiqs: the FIFO at a crosspoint is made of registers, or is a RAM, in which
            packets behind others take another cycle (default registers)
        crosspoint_chunks [chunks]: hipiqs: chunks that the FIFO at a crosspoint holds (default 2)
        banks: hipiqs: the banks of an input buffer serve all outputs at once (free), or one output
            a cycle begins to read a chunk (turns) (default free)
        fifos [FIFOs]: multi-buffer: FIFOs of an input, which divide bytes equally (default: the
            number of ports of a switch)
        fifo_bytes [bytes]: central, prizma: bytes of the small FIFO of an input before the shared
            memory, counted as part of bytes (default 32 flits)
        module [bytes]: prizma: bytes of a module of the shared memory; each module holds one packet
            (default: as max_packet)
        lanes [lanes]: wormhole, atlas: lanes (virtual channels) of a link, each with a buffer at
            its end; flow groups that use a link at once (default 4; atlas: 4096)
        node_lanes [packets]: wormhole: packets that a node sends at once, each in a lane of its
            own, flit by flit in turn (default 1)
        lane_flits [flits]: wormhole: flits that the buffer of a lane holds (default 8)
        lane_pool [flits]: wormhole: flits in one buffer that all lanes of a link share; lane_flits
            then limits what a lane may take (default: each lane has a buffer of its own)
        lane_reserve [flits]: wormhole: with lane_pool: flits of the pool that are reserved for each
            lane (default 1)
        lane_reserve_for: wormhole: with lane_pool: lanes have their reserve always (all), or only
            while they have a packet or flits, and every packet always finds a lane (used: ViChaR)
            (default all: DAMQall)
        lane_choice: wormhole: which lanes of a link a packet may take: 'switchq list lane-choices'
            (default any; torus with deterministic routing: dateline; dragonfly, hyperx, slim-fly,
            polarfly, megafly, and a graph whose routes may wait in a circle: phase)
        lane_reuse: wormhole: a lane goes to the next packet when the last flit of the previous one
            has been sent (sent), or when its buffer is empty (empty) (default sent; with adaptive
            routing in meshes and tori, and routing escape, which could deadlock otherwise: empty)
        escape_use: wormhole: routing adaptive in meshes and tori, and escape: packets take an
            escape lane when no other lane is free (last), or like any other lane (alike); with
            alike, nodes send over all lanes (default last)
        escape_exit: wormhole: routing adaptive in meshes and tori, and escape: a packet may leave
            escape lanes for any free lane (free), or stays in escape lanes to its destination
            (never) (default free)
        router_delay: wormhole: cycles of the stages of a switch: routing, lane allocation, crossbar
            allocation and crossing (default 0,1,1,1)
        link_delay [cycles]: wormhole: cycles of a flit, or a credit, on a link (default 1)
        level_delay: wormhole: in place of link_delay, cycles on the links of each level: dragonfly:
            local, global, hosts; grids: each dimension, hosts; trees: each level of switches, from
            the hosts up
        deadlock: wormhole: a network whose lanes may wait for one another in a circle is refused,
            or is run until it deadlocks (default refuse; routing unguarded: allow)
        pool_cells [cells]: atlas: cells for which a link has room in the buffer of the next switch,
            which has that many for each port (default 16)
        lane_cells [cells]: atlas: how many of these cells may belong to one flow group, which is a
            destination (default 1)
        node_cells [cells]: atlas: cells that a node keeps, in a list for each flow group as in
            switches; 0: it sends one cell after the other (default 0)
        group_credit: atlas: a cell takes the credit of its flow group as it joins the queue of its
            output (queue), or as it leaves (departure) (default queue)
        multicast_queue: atlas: multicast cells wait in one queue a switch and priority, and only
            the first of them is copied to its outputs (switch), or each is copied to the queues of
            its outputs as it comes (output) (default switch)
        credit_unit: flow credits: the memory that credits stand for: the buffer behind the link
            (channel), an equal part of it for each queue, or the reserve of each queue and a shared
            pool (default channel; pool if the buffer is partitioned or has limits)
        credit_delay [cycles]: flow credits, stop-go, wormhole, atlas, management recn-iq, recn,
            recn-enhanced, fbicm: cycles from a change in a buffer until its sender learns of it
            (default 1)
        path_hops [hops]: flow path, path+maximum-usage: a buffer refuses a packet while it holds
            another with the same next N hops (default 2)
        destination_stages [stages]: flow destination, destination+maximum-usage, path,
            path+maximum-usage: the buffers of the first N stages refuse packets, and those of later
            stages block (default: all refuse)
        no_abort: flow destination, destination+maximum-usage, path, path+maximum-usage: the
            transmission of a refused packet is not broken off
        no_restrict: flow destination, destination+maximum-usage, path, path+maximum-usage: a
            refused packet is sent again without waiting until the packet that caused the refusal
            has left
        no_requeue: flow destination, destination+maximum-usage, path, path+maximum-usage: if queues
            close one by one: a packet whose next queue is closed does not move to the tail of its
            queue
        no_preroute: flow destination, destination+maximum-usage, path, path+maximum-usage: packets
            are sent without looking at the next buffer, which refuses what it has no room for as
            well
        two_counter: flow two-counter: a row of Table 8.2, or five numbers: the cycles between
            updates of a queue's counter, the blocks above which it rises, the blocks below which it
            falls, the count that closes the queue, and the highest count (default H; several:
            H,20,8,4,2,4,A)
        circuits: flow virtual-clock: a file of lines SOURCE DESTINATION RATE, the bytes per cycle
            of that pair, at most flit; a pair without a line gets the rate of an unhindered source,
            divided by the number of nodes
        clock_ahead [cycles]: flow virtual-clock: a packet waits at a switch while its circuit's
            clock, as it was when the packet came, is more than N cycles ahead of real time; none:
            no packet waits, and clocks only set the order (default none)
        stop [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender must stop
            (default: the largest that cannot overflow)
        go [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender may go on
            (default: a block less than stop)
        sender: hold senders back by a scheme and its parameters, such as window:4, at most 4
            unacknowledged packets to a node (switchq list senders; several:
            window:1,bucket:0.1,64); shared-memory: how hosts send, such as dcqcn:timer=55us, or for
            each class: dctcp+cubic (switchq list host-senders)
        management: queues in each buffer that keep congested packets away from others, in place of
            buffer: 'switchq list managements' (default none)
        xoff [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq, recn,
            recn-enhanced, fbicm: a queue that holds P packets of the greatest length, or as many
            bytes, tells its sender to stop (default: no such limit; recn-iq, recn, recn-enhanced,
            fbicm: 10)
        xon [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, lecn, recn-iq, recn,
            recn-enhanced, fbicm: a queue lets its sender go on when at most P packets are left;
            with set-aside queues and lecn, fewer than P (default half of xoff; with set-aside
            queues 5, or xoff where that is less; lecn: 1)
        saqs [SAQs]: management recn-iq, recn, recn-enhanced, fbicm: set-aside queues of each
            memory; 0: none, for comparison (default 4 for recn-iq, otherwise 8)
        detect [packets]: management lecn, recn-iq, recn, recn-enhanced, fbicm: packets in a queue
            at which an output counts as congested: recn-iq: in the cold queue of an input (default
            5); recn, recn-enhanced, fbicm: in the queue of an output, or of an input for one output
            (default 16); lecn: more than this number in the buffer before a link (default 2)
        inspection_cycles [cycles]: management recn-iq: cycles that the post-processing of an input
            takes to inspect the head of a queue (default 1)
        turnpool_bits [bits]: management recn-iq, recn, recn-enhanced: bits for the path in a
            packet's header; a network that needs more is refused (default 31)
        refused: management recn: what happens when an input has refused the notice of an output's
            set-aside queue: packets for that queue fill the output's memory, or are held at the
            input while the queue is long, or fill it while each of them that joins the long queue
            sends the notice again (default hold)
        interface_packets [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq,
            recn, recn-enhanced, fbicm: packets for which the interface of a node has room; packets
            that open sources create when it is full are lost; with unbounded they wait at the node,
            in one FIFO before the interface (default 64; 1q, 4q, 4q-least, voqsw, dbbm, voqnet: no
            interfaces, packets are sent in the order in which they were created)
        interface_cold [packets]: management recn-iq: packets in the cold queue of an interface at
            which it counts as full, though its set-aside queues may have more, up to
            interface_packets in all (if not given, interface_packets alone counts)
        routing: which path packets take, 'switchq list routing' (default deterministic)
        ways: hyperx, slim-fly, polarfly, megafly, graph: of several shortest ways each pair of
            switches has one, or one is drawn for each packet (default one)
        ugal_threshold [bytes]: routing ugal, par, dal: a packet goes by way of another place when
            the product of links and bytes ahead is greater for the straight way by more than this
            (default 0)
        ugal_queue: routing ugal, par, dal: the queue of a way, by bytes that take room behind
            links: of its first link, in all lanes (local), in those for the packet (lane), in those
            if both ways begin with this link, else in all (hybrid); of its first global link
            (global); of all its links, without the number of links (path) (default local)
        ugal_credits: routing ugal, par: dragonfly, megafly: credits for links within a group go at
            once, or are held back by how much later credits come to the output of their flit than
            to other outputs (default prompt)
        straight_factor: routing ugal, par, dal: what the queue of the straight way is multiplied
            by; 0: its links (default 0)
        detour_factor: routing ugal, par, dal: what the queue of the other way is multiplied by; 0:
            its links (default 0)
        choice: routing adaptive: how to choose among several outputs, 'switchq list choices'
            (default random, wormhole: room)
        benchmark: senders of a congestion benchmark: group G_NUT overloads a link of a multistage
            network, and load is the load of all others, which send messages of 32 bytes uniformly
            and are measured in groups
        bytes [bytes]: memory of an input port; can also be given as slots for packets of the
            greatest length (default 128; recn-iq: 4096; recn, recn-enhanced, fbicm: 32768)
        last_bytes [bytes]: memory of an input port in the last stage of a multistage network, flow
            block and buffers whose queues share all memory; as bytes if it is not given
        block [bytes]: bytes of a block, the unit in which memory is allocated (default 8)
        max_packet [bytes]: bytes of the longest packet; longer messages are split (default 32, or
            length if that is less (wormhole); recn-iq, recn, recn-enhanced, fbicm: 64)
        piece [bytes]: packets move in pieces of B bytes, and pause between two pieces while the
            next buffer has no room for one; a buffer may then be smaller than a packet (default:
            packets are not cut)
        threshold [blocks]: flow maximum-usage: a queue of more than T blocks is sent nothing; none:
            queues have no limit, as with flow block (default none; in a torus the largest that
            prevents deadlock)
        release: when the memory of a departing packet becomes free: block by block, at the start of
            its transmission, when its header is in the next switch, at the end of its transmission,
            or N cycles after the start if that is sooner than the end (default blocks)
        hop_delay [cycles]: cycles from the start of a transmission until the next switch can pass
            the packet on (default 5)
        link_rest [cycles]: cycles that a link is idle after a packet (default 2; atlas, recn-iq,
            recn, recn-enhanced, fbicm: 0)
        length: bytes of a message: a number, from-to, geometric:MEAN, or with heavy tails
            pareto:MEAN:SHAPE (default 32; recn-iq, recn, recn-enhanced, fbicm: 64)
        interval [cycles]: cycles between the messages of a sender, instead of load: N, A-B,
            geometric:MEAN or pareto:MEAN:SHAPE
        interval_from: intervals of hold sources begin when the link has rested after the previous
            message (rest), or when the transmission of its last packet starts (start) (default
            rest)
        group: a group of senders, measured separately: the nodes whose number & mask is value
            (default all) and that are in no earlier group. KEY is mask, value, load, interval,
            interval-from, sources, length, burst or traffic; a key that is left out is taken from
            the option of that name. Or KEY is from or until: the group's first cycle, and the first
            cycle after it. Or it is priority: of its cells with architecture atlas, 0 (default), 1
            or 2, of which 0 goes first. The option may be repeated.  traffic, here and as an
            option: DEST or a mixture of P*DEST joined by +, where P is the probability and DEST is
            uniform, a pattern, file:PATH, adv+I, worst-case, node:J, subset:MASK:VALUE or
            hotspot:F[:J], with @L behind it for a length of its own: 0.1*node:0@8+0.9*uniform; as
            an option alone, noxim:FILE; with architecture atlas also multicast, to several nodes at
            once: multicast:K[:S] to one of S sets (default: as many as nodes) of K nodes drawn for
            the run, or all:MASK:VALUE to every node whose number & MASK is VALUE; or, as an option
            alone, trace:FILE (lines of cycle, source, destination, bytes, and pairs of a message
            that it waits for and a delay), netrace:FILE (.tra, .tra.bz2), or a collective operation
            of all nodes, all-to-all:BYTES, ring-all-reduce:BYTES or tree-all-reduce:BYTES, in
            phases, each message when its sender has what it depends on

    The approximation:
        method: approximation to use instead of the best for the network (methods lists all)
        methods: list the approximations: for which networks, and with which errors
        target: find the smallest number of slots, or the largest load, with a loss of at most P;
            leave out slots or load
        find_saturation: what the network delivers at full load (needs no load)
        table: a printed table: printed, simulated and approximated side by side

    Comparison with the simulator:
        compare: also simulate every point, and say how far off the approximation is
        cycles: of every simulation, behind its warm-up (default 20000, asynchronous 200000)
        seed: seed of all random streams (default 1)
        threads: simulations at a time (default: the machine's cores); does not change the numbers

    Output:
        plot: also draw latency over throughput, for a range or a table; missing folders are created
        panel: plot draws this quantity of the answers (as named in --json) over the range or, after
            a slash, over another quantity: latency_cycles, latency_cycles/throughput
        x_range: plot: the range of the x axis of the first panel
        y_range: plot: the range of its y axis; without, points past saturation, which are drawn
            hollow, do not set the axis of the latency
        log_axes: plot: these axes of the first panel are logarithmic

    Other options:
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def formula(
    name: str,
    *,
    ports: Optional[Value] = None,
    speedup: Optional[Value] = None,
    window: Optional[Value] = None,
    load: Optional[Value] = None,
    slots: Optional[Value] = None,
    target: Optional[Value] = None,
    frame: Optional[Value] = None,
    iterations: Optional[Value] = None,
    outputs: Optional[Value] = None,
    stages: Optional[Value] = None,
    length: Optional[Value] = None,
    nodes: Optional[Value] = None,
    fraction: Optional[Value] = None,
    efficiency: Optional[Value] = None,
    senders: Optional[Value] = None,
    service: Optional[Value] = None,
    queues: Optional[Value] = None,
    queue_max: Optional[Value] = None,
    queue_min: Optional[Value] = None,
    alpha: Optional[Value] = None,
    overloaded: Optional[Value] = None,
    others: Optional[Value] = None,
    aside: Optional[Value] = None,
    detection: Optional[Value] = None,
    xoff: Optional[Value] = None,
    credit_delay: Optional[Value] = None,
    block: Optional[Value] = None,
    hop_delay: Optional[Value] = None,
    link_rest: Optional[Value] = None,
    bytes: Optional[Value] = None,
    shortest: Optional[Value] = None,
    wires: Optional[Value] = None,
    path_hops: Optional[Value] = None,
    y_max: Optional[Value] = None,
    sigma: Optional[Value] = None,
    bits: Optional[Value] = None,
    modules: Optional[Value] = None,
    rate: Optional[Value] = None,
    cable: Optional[Value] = None,
    lossless_mtu: Optional[Value] = None,
    port_mtu: Optional[Value] = None,
    cell: Optional[Value] = None,
    small_share: Optional[Value] = None,
    mac_phy: Optional[Value] = None,
    pipeline: Optional[Value] = None,
    quanta: Optional[Value] = None,
    gearbox: Optional[Value] = None,
    eight_lanes: Optional[Value] = None,
    rtt: Optional[Value] = None,
    flows: Optional[Value] = None,
    mark: Optional[Value] = None,
    size: Optional[Value] = None,
    share: Optional[Value] = None,
    servers: Optional[Value] = None,
    offered: Optional[Value] = None,
    extent: Optional[Value] = None,
    dims: Optional[Value] = None,
    self: Optional[Value] = None,
    one_way: Optional[Value] = None,
    switches: Optional[Value] = None,
    bandwidth: Optional[Value] = None,
    width: Optional[Value] = None,
    plot: Optional[Path] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Evaluate closed forms and recursions from the literature.

    formula("hol-saturation", ports=4).throughput
    formula("output-queue", ports=4, load="0.1:0.9:0.1").frame()

    The formula's parameters (FROM:TO:STEP for a range of one or two of them):
        ports: inputs and outputs of a switch; or inputs and outputs of a switch: 3 for windows up
            to 5, 4 up to 3, 5 up to 2; or inputs of a switch (of hol-saturation, window-saturation,
            window-saturation-many, output-queue, output-queue-finite, output-queue-slots,
            input-smoothing, input-smoothing-frame, pim-saturation, islip-saturation, patel,
            kruskal-snir, kruskal-snir-weiss, yoon-lee-liu, small-cycle, shared-output-independent,
            shared-output-chain, recn-memory, flow-control-cost, crossbar-cost)
        speedup: packets that an output can take in a cycle (of hol-saturation)
        window: packets of an input queue that the arbiter considers, 1 for FIFO (of
            window-saturation, window-saturation-many)
        load: packets per cycle and input; or packets per cycle and sender of each group; or
            arrivals per time unit for each queue; one number: for all; or arrivals per service time
            for each queue; or fraction of time in which the line is busy; or fraction of time for
            each class, the first one first; or bytes per cycle and node, to all nodes but itself;
            or bits per cycle and node, to all nodes alike (of input-queue-fifo-heads,
            input-queue-random-heads, input-queue-hui-arthurs, output-queue, output-queue-finite,
            output-queue-slots, input-smoothing, input-smoothing-frame, patel, kruskal-snir,
            kruskal-snir-weiss, jenq, yoon-lee-liu, small-cycle, hotspot-groups,
            shared-output-independent, shared-output-chain, complete-partitioning, complete-sharing,
            sharing-maximum, sharing-minimum, sharing-minimum-maximum, square-root-rule,
            dynamic-threshold-chain, m-d-1, m-g-1, m-g-1-priority, agarwal, dally)
        slots: packets that an output queue holds, including the one being sent; or packets in the
            buffer of an input; or packets in the memory; or packets, or bytes, in the memory (of
            output-queue-finite, yoon-lee-liu, small-cycle, shared-output-independent,
            shared-output-chain, complete-partitioning, complete-sharing, sharing-maximum,
            sharing-minimum, sharing-minimum-maximum, square-root-rule, dynamic-threshold,
            dynamic-threshold-chain, dynamic-threshold-classes, dynamic-threshold-in-turn,
            ecn-below-threshold)
        target: fraction of packets that may be lost; or probability that `enough` must not exceed
            (of output-queue-slots, input-smoothing-frame, shared-output-independent)
        frame: cycles of a frame, slots of an input, and lines to an output (of input-smoothing)
        iterations: of the matching in a cycle (of pim-saturation)
        outputs: of a switch; 0: as many as inputs (of patel)
        stages: of the network (of patel, kruskal-snir, kruskal-snir-weiss, jenq, yoon-lee-liu,
            small-cycle)
        length: packets of a message; or bytes of a packet; or bytes of packets, the same for all of
            a class, one number for each class; 0: by size and share; or bits of a message (of
            kruskal-snir-weiss, credit-buffer, dctcp-mark, m-g-1-priority, zero-load, agarwal,
            dally)
        nodes: of the network, each a source and a destination; or of the network, whose addresses
            are compared (of hotspot-bound, hotspot-groups, flow-control-cost)
        fraction: of the packets that are sent to the hot node; or of each group's packets that are
            sent to the hot node (of hotspot-bound, hotspot-groups)
        efficiency: fraction of the time that a link can be busy (of hotspot-bound, hotspot-groups)
        senders: in each group (of hotspot-groups)
        service: departures per time unit of a queue that is not empty (of complete-partitioning,
            complete-sharing, sharing-maximum, sharing-minimum, sharing-minimum-maximum,
            dynamic-threshold-chain)
        queues: 0: as many as there are loads or services; or alike; or that are filled, each when
            the one before it is full (of complete-partitioning, complete-sharing, sharing-maximum,
            sharing-minimum, sharing-minimum-maximum, square-root-rule, dynamic-threshold-chain,
            dynamic-threshold-in-turn)
        queue_max: slots of each queue; 0: all the same; or slots that a queue may take (of
            complete-partitioning, sharing-maximum, sharing-minimum-maximum)
        queue_min: slots that each queue has to itself (of sharing-minimum, sharing-minimum-maximum)
        alpha: a queue may hold alpha times the free slots; or a queue of the class may hold alpha
            times the free slots (of dynamic-threshold, dynamic-threshold-chain,
            dynamic-threshold-classes, dynamic-threshold-in-turn, ecn-below-threshold)
        overloaded: queues at the threshold; or queues at the threshold; a number for each class (of
            dynamic-threshold, dynamic-threshold-classes, ecn-below-threshold)
        others: slots that queues below the threshold hold (of dynamic-threshold,
            dynamic-threshold-classes)
        aside: set-aside queues of a port (of recn-memory)
        detection: packets in a queue at which congestion is noticed (of recn-memory)
        xoff: packets in a set-aside queue at which it is stopped (of recn-memory)
        credit_delay: cycles from a block's being free until its credit is back (of credit-buffer)
        block: bytes of a block (of credit-buffer, flow-control-cost)
        hop_delay: cycles from the start of a transmission until the next can begin; or cycles from
            the start of a transmission until the next switch can pass the packet on (of
            credit-buffer, zero-load)
        link_rest: cycles that a link is idle after a packet (of credit-buffer)
        bytes: of a buffer, whose throughput is computed; or memory of an input port (of
            credit-buffer, flow-control-cost)
        shortest: bytes of the shortest packet; the buffer holds the most of these (of
            flow-control-cost)
        wires: bits that a link carries at once (of flow-control-cost)
        path_hops: hops that path-based flow control compares (of flow-control-cost)
        y_max: two-counter flow control: the most that a second counter counts to (of
            flow-control-cost)
        sigma: two-counter flow control: cycles between its steps (of flow-control-cost)
        bits: of a flit, which a link carries at once (of crossbar-cost)
        modules: of the shared memory of prizma (of crossbar-cost)
        rate: of the link, in Gb/s (of pfc-headroom, dctcp-mark)
        cable: its length in metres (of pfc-headroom)
        lossless_mtu: bytes of the longest packet of the lossless class (of pfc-headroom)
        port_mtu: bytes of the longest packet of any class (of pfc-headroom)
        cell: bytes of a cell of the memory (of pfc-headroom)
        small_share: percent of packets that use cells worst (of pfc-headroom)
        mac_phy: KiB that pass in the lower layers of both ends (of pfc-headroom)
        pipeline: KiB that pass in the pipeline of the switch (of pfc-headroom)
        quanta: of 512 bits, until the peer obeys; -1: those of the rate (of pfc-headroom)
        gearbox: ns of delay in each direction (of pfc-headroom)
        eight_lanes: 1: a port of eight lanes (of pfc-headroom)
        rtt: round trip without queues, in us (of dctcp-mark)
        flows: that share the link (of dctcp-mark)
        mark: packets of a queue above which packets are marked; 0: the least by the rule; or slots
            of a queue above which packets are marked (of dctcp-mark, ecn-below-threshold)
        size: bytes of packets; a list: each with a share (of m-g-1, m-g-1-priority)
        share: of packets that have each size; sum 1 (of m-g-1, m-g-1-priority)
        servers: lines (of erlang-b)
        offered: packets that arrive in the mean time of one (of erlang-b)
        extent: nodes in each dimension; or nodes in each dimension, k (of torus, mesh, agarwal,
            dally)
        dims: dimensions, with one extent for all, or all extents, such as 4x4; 0: as many as there
            are extents; or dimensions; 4x4 says both; or dimensions, n; 4x4 says both (of torus,
            mesh, agarwal, dally)
        self: 1: a node sends to itself as to any other, which takes no link; 0: it does not (of
            torus, mesh)
        one_way: 1: links in the positive direction only (of torus, agarwal)
        switches: that it goes through (of zero-load)
        bandwidth: bytes per cycle (of zero-load)
        width: bits per cycle of a link; 0: half the extent, so that all n-cubes of as many nodes
            have the bisection of the binary one with links of 1 (of dally)

    Output:
        plot: also draw the results over a range; missing folders are created

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def table(
    name: str,
    *,
    arbiter: Optional[Words] = None,
    pool_rule: Optional[Literal["room", "ports", "oldest"]] = None,
    plot: Optional[Path] = None,
    quick: bool = False,
    cycles: Optional[Value] = None,
    seed: Optional[Value] = None,
    threads: Optional[Value] = None,
    stale: Optional[Value] = None,
    ports: Optional[Value] = None,
    slots: Optional[Value] = None,
    loads: Optional[Value] = None,
    most_states: Optional[Value] = None,
    reduce: Optional[Literal["none", "auto"]] = None,
    solver: Optional[Words] = None,
    tol: Optional[float] = None,
    max_iterations: Optional[Value] = None,
    mem: Optional[Value] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Regenerate a published table, and compare every cell.

    table("4.1", quick=True)

    The table:
        arbiter: arbiter in place of the published table's own (4.1: random; other tables: rotating)
        pool_rule: admission rule for cbda in place of the one that reproduces the published table
            (4.1: ports; else oldest)
        plot: also draw discards over load, or latency over throughput; missing folders are created

    The simulations (4.2, 4.3, 4.4, 5.1; 4.1 with --ports):
        quick: short runs, for a first look: 2500 cycles a simulation (5.1: 20000; 4.1: 50000, and
            fewer cells; benchmarks, small-packets: 10000): seconds, and wider intervals
        cycles: cycles of each simulation after its warm-up (default 20000; 5.1, benchmarks,
            small-packets: 100000; 4.1: 1000000)
        seed: seed of every simulation (default 1); 4.1: cell c uses 1000 times the seed, plus c
        threads: simulations at a time (default: the machine's cores); does not change the numbers
        stale: queues whose head has waited T cycles go before longer queues (default 0: never)

    Other switches (4.1):
        ports: switches of N ports in place of the published 2x2: exact values beside a simulation
        slots: rows up to B slots per input (default twice the ports)
        loads: up to 8 columns in place of the published loads
        most_states: solve no chain that is expected to have more than S states (default 100000)

    The solver (4.1):
        reduce: merge states that differ only by a renaming of ports, where the switch allows it
            (default auto)
        solver: method ('switchq list solvers') (default auto)
        tol: relative precision of the discard probability (block: of the throughput): its interval
            is proven to be within T of it, or the run says that it is not (default 1e-10)
        max_iterations: largest number of iterations (default 100000)
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def figure(
    name: str,
    *,
    output: Optional[Path] = None,
    no_plot: bool = False,
    quick: bool = False,
    cycles: Optional[Value] = None,
    seed: Optional[Value] = None,
    threads: Optional[int] = None,
    threshold: Optional[Value] = None,
    equal: Optional[Literal["paper", "all"]] = None,
    mem: Optional[Value] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Draw a published figure again, and check the claims of its text.

    figure("4.1", quick=True, output="figures")

    Other options:
        output: where figure-NAME.svg, .png and .csv, and .gif of 6.10 to 6.12, go (default: this
            folder); missing folders are created
        no_plot: write the CSV file alone
        quick: short runs, for a first look: seconds (6.5, 6.8, 6.9: half a minute; low-diameter:
            two minutes)
        cycles: cycles measured in every run (default 20000, and more where a node would get fewer
            than 200 packets of a class); 6.2, whose runs have 3297: a hundredth as many runs of
            each kind
        seed: seed of all random streams (default 1)
        threads: runs at a time (default: the machine's cores); does not change the numbers
        threshold: 6.10 to 6.12: blocks that a queue may have, 26 (default) or 10; the dissertation
            does not say which
        equal: 003.7 to 003.12: which memory is equal in the switches compared: that of packet
            buffers alone (default paper), or with FIFOs at crosspoints and registers (all)
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def chip(
    *,
    control: Optional[Literal["damq", "fifo"]] = default("damq"),
    queues: Optional[int] = default(4),
    blocks: Optional[int] = default(12),
    block_bytes: Optional[int] = default(8),
    packet_bytes: Optional[int] = default(32),
    router_cycles: Optional[int] = default(1),
    arbiter_cycles: Optional[int] = default(1),
    packets: Optional[Value] = default("1:0:32"),
    begin: Optional[float] = None,
    grant: Optional[float] = default(1),
    cycles: Optional[Value] = default(60),
    seed: Optional[Value] = default(1),
    phases: Optional[int] = None,
    waves: Optional[Path] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Simulate the DAMQ Buffer Chip, clock cycle by clock cycle.

    chip(packets="1:1:32,30:2:9", cycles=120)

    The chip:
        control: a linked list for each output (default), or one FIFO over the same memory
        queues: outputs, each with a queue (default 4)
        blocks: blocks of memory (default 12)
        block_bytes: bytes of a block, even (default 8)
        packet_bytes: bytes of the longest packet, its header not counted (default 32)
        router_cycles: cycles of the router (default 1)
        arbiter_cycles: cycles of the crossbar's arbiter (default 1)

    The run:
        packets: packets on the link: the cycle, the output and the bytes of each, such as
            1:0:32,40:2:5 (default 1:0:32); a packet that the link or the chip cannot take yet
            begins later
        begin: random packets in place of packets: the probability that a packet begins in a cycle
            in which the link and the chip can take one
        grant: probability that an output is free in a cycle, since other inputs use it as well
            (default 1)
        cycles: clock cycles (default 60)
        seed: seed of all random streams (default 1)

    Output:
        phases: show the first N cycles: what the data path did in each, and which bytes arrived and
            left
        waves: also write all registers as a waveform file, for GTKWave and similar programs;
            missing folders are created

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def cost(
    *,
    topology: Optional[Words] = None,
    stages: Optional[Value] = None,
    resend: bool = False,
    stale: Optional[Integers] = None,
    high: Optional[Numbers] = None,
    priority: Optional[Union[Literal["none", "arbiter", "queue", "queues", "buffer"], Words]] = None,
    priority_slots: Optional[Integers] = None,
    priority_queues: Optional[Union[Literal["one", "output"], Words]] = None,
    buffer: Optional[Words] = None,
    slots: Optional[Value] = None,
    ports: Optional[Integers] = None,
    arbiter: Optional[Words] = None,
    iterations: Optional[Value] = None,
    flow: Optional[Union[Literal["discard", "block"], Words]] = None,
    credit: Optional[Union[Literal["same", "next"], Words]] = None,
    queue_min: Optional[Integers] = None,
    queue_max: Optional[Integers] = None,
    alpha: Optional[Numbers] = None,
    scope: Optional[Union[Literal["input", "pool"], Words]] = None,
    queues: Optional[Value] = None,
    read: Optional[Union[Literal["one", "queue"], Words]] = None,
    pool_rule: Optional[Union[Literal["room", "ports", "oldest", "in-order"], Words]] = None,
    admission: Optional[Words] = None,
    dims: Optional[Literal["11x11", "4x4x8", "6"]] = None,
    one_way: bool = False,
    chained: bool = False,
    arity: Optional[Value] = None,
    levels: Optional[Value] = None,
    radix: Optional[Integers] = None,
    up_ports: Optional[int] = None,
    fail: Optional[Value] = None,
    routes: Optional[Path] = None,
    hosts: Optional[Value] = None,
    routers: Optional[Value] = None,
    leaves: Optional[Value] = None,
    spines: Optional[Value] = None,
    globals: Optional[Value] = None,
    groups: Optional[Value] = None,
    arrangement: Optional[Union[Literal["consecutive", "palmtree", "relative", "circulant", "absolute"], Words]] = None,
    width: Optional[Value] = None,
    order: Optional[Value] = None,
    via: Optional[Union[Literal["group", "router", "other", "any", "between"], Words]] = None,
    architecture: Optional[Words] = None,
    speedup: Optional[Integers] = None,
    output_slots: Optional[Integers] = None,
    crosspoint_slots: Optional[Integers] = None,
    departures: Optional[Union[Literal["last", "first"], Words]] = None,
    output_bytes: Optional[Integers] = None,
    cut_through: Optional[Union[Literal["on", "off"], Words]] = None,
    flit: Optional[Integers] = None,
    chunk: Optional[Integers] = None,
    equal: Optional[Union[Literal["paper", "all"], Words]] = None,
    crosspoint: Optional[Union[Literal["registers", "ram"], Words]] = None,
    crosspoint_chunks: Optional[Integers] = None,
    fifos: Optional[Integers] = None,
    fifo_bytes: Optional[Integers] = None,
    module: Optional[Integers] = None,
    lanes: Optional[Value] = None,
    node_lanes: Optional[Integers] = None,
    lane_flits: Optional[Integers] = None,
    lane_pool: Optional[Integers] = None,
    lane_reserve: Optional[Integers] = None,
    lane_reserve_for: Optional[Union[Literal["all", "used"], Words]] = None,
    lane_choice: Optional[Words] = None,
    lane_reuse: Optional[Union[Literal["sent", "empty"], Words]] = None,
    escape_use: Optional[Union[Literal["last", "alike"], Words]] = None,
    escape_exit: Optional[Union[Literal["free", "never"], Words]] = None,
    pool_cells: Optional[Integers] = None,
    lane_cells: Optional[Integers] = None,
    node_cells: Optional[Integers] = None,
    group_credit: Optional[Union[Literal["queue", "departure"], Words]] = None,
    multicast_queue: Optional[Union[Literal["switch", "output"], Words]] = None,
    credit_unit: Optional[Union[Literal["channel", "queue", "pool"], Words]] = None,
    path_hops: Optional[Integers] = None,
    destination_stages: Optional[Integers] = None,
    no_abort: bool = False,
    no_restrict: bool = False,
    no_requeue: bool = False,
    no_preroute: bool = False,
    two_counter: Optional[Value] = None,
    circuits: Optional[Path] = None,
    clock_ahead: Optional[Value] = None,
    stop: Optional[Value] = None,
    go: Optional[Value] = None,
    sender: Optional[Words] = None,
    management: Optional[Words] = None,
    xoff: Optional[Value] = None,
    xon: Optional[Value] = None,
    saqs: Optional[Integers] = None,
    detect: Optional[Integers] = None,
    inspection_cycles: Optional[Integers] = None,
    turnpool_bits: Optional[Integers] = None,
    refused: Optional[Union[Literal["fill", "hold", "repeat"], Words]] = None,
    interface_packets: Optional[Value] = None,
    interface_cold: Optional[Integers] = None,
    routing: Optional[Words] = None,
    choice: Optional[Words] = None,
    bytes: Optional[Integers] = None,
    last_bytes: Optional[Value] = None,
    block: Optional[Integers] = None,
    max_packet: Optional[Integers] = None,
    piece: Optional[Integers] = None,
    threshold: Optional[Value] = None,
    rate: Optional[Value] = None,
    memory: Optional[Value] = None,
    memories: Optional[Integers] = None,
    cell: Optional[Value] = None,
    classes: Optional[Integers] = None,
    schedule: Optional[Union[Literal["fifo", "priority", "round-robin", "drr"], Words]] = None,
    quantum: Optional[Value] = None,
    class_alpha: Optional[Value] = None,
    drain_interval: Optional[Value] = None,
    afd_interval: Optional[Value] = None,
    expel_bucket: Optional[Integers] = None,
    spine_links: Optional[Integers] = None,
    spine_rate: Optional[Value] = None,
    pfc: bool = False,
    lossless: Optional[Value] = None,
    headroom: Optional[Value] = None,
    cost_file: Optional[Path] = None,
    network: bool = False,
    engine: Optional[Literal["sync", "plain", "async"]] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """What a switch costs: bits of memory, crosspoints, wires.

    cost(buffer="damq", slots=4).memory_bits

    The switch, and its network (traffic does not matter):
        topology: shape of the network ('switchq list topologies'); switch is a single switch;
            torus, mesh and hypercube are asynchronous; graph:FILE is the network of a file (default
            omega)
        stages: stages of N x N switches, N^S nodes (default 3)
        resend: a discarded packet returns to its source and is sent again
        stale [cycles]: queues whose head has waited T cycles go before longer queues, the longest
            waiting first
        high: fraction of the packets with high priority
        priority: what switches do for packets of high priority: nothing (none); serve them first;
            and also hold them in one queue per buffer, in one per output, or in buffers of their
            own (default none)
        priority_slots [slots]: slots for packets of high priority: in samq's and safc's queue (part
            of slots), or in the buffer of their own (in addition) (default 1 in a queue, 2 in a
            buffer)
        priority_queues: queues in the buffer for packets of high priority (default one)
        buffer: buffer organisation ('switchq list buffers')
        slots [slots]: packet slots per input port (a pool has N times as many)
        ports: inputs and outputs of a switch: up to 32 in chains, 256 in sim (default 2 for one
            switch, 4 in a network)
        arbiter: which input sends ('switchq list arbiters') (default random for one switch,
            rotating in a network)
        iterations [rounds]: number of rounds of the arbiters islip and pim (default 1)
        flow: a refused packet is lost (discard) or held by its source (block; others: 'switchq list
            flow') (default discard; asynchronous: block)
        credit: a freed slot can be refilled in the same cycle or the next (default same for
            discard, next for block)
        queue_min [slots]: slots (asynchronous: blocks) reserved for each queue
        queue_max [slots]: slots (asynchronous: blocks) that one queue may take
        alpha: dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times
            the free ones; 0 for none
        scope: override: a buffer per input, or one pool
        queues: override: one queue per buffer, or one per output; management dbbm: its queues
        read: override: one packet a cycle from a buffer, or from each queue
        pool_rule: a pool short of slots takes packets while there is room (room), opens as many
            random ports as it has slots (ports), or takes the oldest packets (oldest, simulation
            only), or those at the lowest input ports (in-order, simulation only) (default room)
        admission: the rule that says whether a packet that comes to a buffer is stored ('switchq
            list admission') (default room)

    Only asynchronous networks (--engine async; torus, mesh, hypercube):
        dims: torus, mesh, hypercube, hyperx: nodes of a torus or mesh, routers of a hyperx in each
            dimension, in the order in which packets take the dimensions; number of dimensions of a
            hypercube
        one_way: torus: links in the positive direction only
        chained: torus, mesh: a node has a chain of 5 x 5 switches with two dimensions each, instead
            of one larger switch
        arity: tree: links down of each switch, which also has as many links up; K,K,... for each
            level, from the nodes up
        levels: tree, fat-tree: levels of switches; --rare: thresholds T of the importance, each
            with the factor R by which copies multiply there, or none (--rare: default found by a
            pilot run)
        radix: fat-tree: ports of a switch
        up_ports: tree, fat-tree: links up from each switch below the top (default: as many as down)
        fail: graph: links between switches that have failed, N drawn by SEED or those of a file's
            lines 'link SWITCH SWITCH' and 'switch SWITCH'; packets take the shortest ways around
            them
        routes: graph: a table of all routes in place of the file's and of shortest ways, with lines
            'route SWITCH HOST PORT[,PORT...][/PART]': several ports are for --ways drawn, a part is
            one of the lanes of the link with lane_choice phase
        hosts: dragonfly, hyperx, slim-fly, polarfly, megafly: hosts of a router, or of a leaf;
            shared-memory: of each switch that has some ('switchq list host-topologies') (slim-fly,
            polarfly: default half its links; shared-memory: default 16, fat-tree: half of ports)
        routers: dragonfly: routers of a group (default: twice hosts)
        leaves: megafly: leaves of a group; shared-memory: switches with hosts ('switchq list
            host-topologies') (default: as hosts; shared-memory: default 2)
        spines: megafly: spines of a group; shared-memory: switches that join all leaves (default:
            as hosts; shared-memory: default 2)
        globals: dragonfly, megafly: global links of a router, or of a spine (default: as hosts)
        groups: dragonfly, megafly: groups of routers (default: all that one link to each other
            group allows)
        arrangement: dragonfly: which group each global link leads to ('switchq help',
            docs/asynchronous.md) (default consecutive)
        width: hyperx: links between two routers of a row (default 1)
        order: slim-fly, polarfly: a power of a prime, q: 2 q^2 routers of a slim-fly, q^2 + q + 1
            of a polarfly
        via: dragonfly, hyperx: by way of what packets may go that do not go straight: dragonfly,
            any router of another group, or one that is drawn, too; hyperx, routers other than those
            of the packet's ends, any, or those between (dragonfly: default group; hyperx: default
            other)
        architecture: where switches have memory: 'switchq list architectures' (default
            input-queued; management recn, recn-enhanced, fbicm: cioq)
        speedup: cioq: how many times faster the crossbar is than a link, in packets per port and
            cycle (asynchronous: also 1.5, for example) (asynchronous, if not given: 2; management
            recn, recn-enhanced, fbicm: 1.5)
        output_slots [slots]: cioq, output-queued: packet slots before each output, including the
            packet that departs
        crosspoint_slots [slots]: crosspoint, input-crosspoint: packet slots for each input and
            output
        departures: cioq, input-crosspoint: packets depart after others cross the switch (last), or
            before (first) (default last)
        output_bytes [bytes]: cioq, output-queued: memory of the buffer before each link (default
            128; cioq: as bytes)
        cut_through: cioq: a packet leaves while it is still arriving (on), or when all of it has
            arrived (off); shared-memory, too (default on; shared-memory: off)
        flit [bytes]: width of a link: bytes that it carries in a cycle; all lengths in bytes must
            be multiples of it (default 1)
        chunk [flits]: hipiqs, central: flits in a chunk, the unit in which memory is allocated
            (default, and least: the number of ports of a switch)
        equal: hipiqs: bytes counts only the input buffer, as in the paper, or also (all) the FIFOs
            at the crosspoints and all registers (default paper)
        crosspoint: hipiqs: the FIFO at a crosspoint is made of registers, or is a RAM, in which
            packets behind others take another cycle (default registers)
        crosspoint_chunks [chunks]: hipiqs: chunks that the FIFO at a crosspoint holds (default 2)
        fifos [FIFOs]: multi-buffer: FIFOs of an input, which divide bytes equally (default: the
            number of ports of a switch)
        fifo_bytes [bytes]: central, prizma: bytes of the small FIFO of an input before the shared
            memory, counted as part of bytes (default 32 flits)
        module [bytes]: prizma: bytes of a module of the shared memory; each module holds one packet
            (default: as max_packet)
        lanes [lanes]: wormhole, atlas: lanes (virtual channels) of a link, each with a buffer at
            its end; flow groups that use a link at once (default 4; atlas: 4096)
        node_lanes [packets]: wormhole: packets that a node sends at once, each in a lane of its
            own, flit by flit in turn (default 1)
        lane_flits [flits]: wormhole: flits that the buffer of a lane holds (default 8)
        lane_pool [flits]: wormhole: flits in one buffer that all lanes of a link share; lane_flits
            then limits what a lane may take (default: each lane has a buffer of its own)
        lane_reserve [flits]: wormhole: with lane_pool: flits of the pool that are reserved for each
            lane (default 1)
        lane_reserve_for: wormhole: with lane_pool: lanes have their reserve always (all), or only
            while they have a packet or flits, and every packet always finds a lane (used: ViChaR)
            (default all: DAMQall)
        lane_choice: wormhole: which lanes of a link a packet may take: 'switchq list lane-choices'
            (default any; torus with deterministic routing: dateline; dragonfly, hyperx, slim-fly,
            polarfly, megafly, and a graph whose routes may wait in a circle: phase)
        lane_reuse: wormhole: a lane goes to the next packet when the last flit of the previous one
            has been sent (sent), or when its buffer is empty (empty) (default sent; with adaptive
            routing in meshes and tori, and routing escape, which could deadlock otherwise: empty)
        escape_use: wormhole: routing adaptive in meshes and tori, and escape: packets take an
            escape lane when no other lane is free (last), or like any other lane (alike); with
            alike, nodes send over all lanes (default last)
        escape_exit: wormhole: routing adaptive in meshes and tori, and escape: a packet may leave
            escape lanes for any free lane (free), or stays in escape lanes to its destination
            (never) (default free)
        pool_cells [cells]: atlas: cells for which a link has room in the buffer of the next switch,
            which has that many for each port (default 16)
        lane_cells [cells]: atlas: how many of these cells may belong to one flow group, which is a
            destination (default 1)
        node_cells [cells]: atlas: cells that a node keeps, in a list for each flow group as in
            switches; 0: it sends one cell after the other (default 0)
        group_credit: atlas: a cell takes the credit of its flow group as it joins the queue of its
            output (queue), or as it leaves (departure) (default queue)
        multicast_queue: atlas: multicast cells wait in one queue a switch and priority, and only
            the first of them is copied to its outputs (switch), or each is copied to the queues of
            its outputs as it comes (output) (default switch)
        credit_unit: flow credits: the memory that credits stand for: the buffer behind the link
            (channel), an equal part of it for each queue, or the reserve of each queue and a shared
            pool (default channel; pool if the buffer is partitioned or has limits)
        path_hops [hops]: flow path, path+maximum-usage: a buffer refuses a packet while it holds
            another with the same next N hops (default 2)
        destination_stages [stages]: flow destination, destination+maximum-usage, path,
            path+maximum-usage: the buffers of the first N stages refuse packets, and those of later
            stages block (default: all refuse)
        no_abort: flow destination, destination+maximum-usage, path, path+maximum-usage: the
            transmission of a refused packet is not broken off
        no_restrict: flow destination, destination+maximum-usage, path, path+maximum-usage: a
            refused packet is sent again without waiting until the packet that caused the refusal
            has left
        no_requeue: flow destination, destination+maximum-usage, path, path+maximum-usage: if queues
            close one by one: a packet whose next queue is closed does not move to the tail of its
            queue
        no_preroute: flow destination, destination+maximum-usage, path, path+maximum-usage: packets
            are sent without looking at the next buffer, which refuses what it has no room for as
            well
        two_counter: flow two-counter: a row of Table 8.2, or five numbers: the cycles between
            updates of a queue's counter, the blocks above which it rises, the blocks below which it
            falls, the count that closes the queue, and the highest count (default H; several:
            H,20,8,4,2,4,A)
        circuits: flow virtual-clock: a file of lines SOURCE DESTINATION RATE, the bytes per cycle
            of that pair, at most flit; a pair without a line gets the rate of an unhindered source,
            divided by the number of nodes
        clock_ahead [cycles]: flow virtual-clock: a packet waits at a switch while its circuit's
            clock, as it was when the packet came, is more than N cycles ahead of real time; none:
            no packet waits, and clocks only set the order (default none)
        stop [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender must stop
            (default: the largest that cannot overflow)
        go [blocks]: flow stop-go: blocks, or percent of the buffer, at which a sender may go on
            (default: a block less than stop)
        sender: hold senders back by a scheme and its parameters, such as window:4, at most 4
            unacknowledged packets to a node (switchq list senders; several:
            window:1,bucket:0.1,64); shared-memory: how hosts send, such as dcqcn:timer=55us, or for
            each class: dctcp+cubic (switchq list host-senders)
        management: queues in each buffer that keep congested packets away from others, in place of
            buffer: 'switchq list managements' (default none)
        xoff [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq, recn,
            recn-enhanced, fbicm: a queue that holds P packets of the greatest length, or as many
            bytes, tells its sender to stop (default: no such limit; recn-iq, recn, recn-enhanced,
            fbicm: 10)
        xon [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, lecn, recn-iq, recn,
            recn-enhanced, fbicm: a queue lets its sender go on when at most P packets are left;
            with set-aside queues and lecn, fewer than P (default half of xoff; with set-aside
            queues 5, or xoff where that is less; lecn: 1)
        saqs [SAQs]: management recn-iq, recn, recn-enhanced, fbicm: set-aside queues of each
            memory; 0: none, for comparison (default 4 for recn-iq, otherwise 8)
        detect [packets]: management lecn, recn-iq, recn, recn-enhanced, fbicm: packets in a queue
            at which an output counts as congested: recn-iq: in the cold queue of an input (default
            5); recn, recn-enhanced, fbicm: in the queue of an output, or of an input for one output
            (default 16); lecn: more than this number in the buffer before a link (default 2)
        inspection_cycles [cycles]: management recn-iq: cycles that the post-processing of an input
            takes to inspect the head of a queue (default 1)
        turnpool_bits [bits]: management recn-iq, recn, recn-enhanced: bits for the path in a
            packet's header; a network that needs more is refused (default 31)
        refused: management recn: what happens when an input has refused the notice of an output's
            set-aside queue: packets for that queue fill the output's memory, or are held at the
            input while the queue is long, or fill it while each of them that joins the long queue
            sends the notice again (default hold)
        interface_packets [packets]: management 1q, 4q, voqsw, dbbm, voqnet, 4q-least, recn-iq,
            recn, recn-enhanced, fbicm: packets for which the interface of a node has room; packets
            that open sources create when it is full are lost; with unbounded they wait at the node,
            in one FIFO before the interface (default 64; 1q, 4q, 4q-least, voqsw, dbbm, voqnet: no
            interfaces, packets are sent in the order in which they were created)
        interface_cold [packets]: management recn-iq: packets in the cold queue of an interface at
            which it counts as full, though its set-aside queues may have more, up to
            interface_packets in all (if not given, interface_packets alone counts)
        routing: which path packets take, 'switchq list routing' (default deterministic)
        choice: routing adaptive: how to choose among several outputs, 'switchq list choices'
            (default random, wormhole: room)
        bytes [bytes]: memory of an input port; can also be given as slots for packets of the
            greatest length (default 128; recn-iq: 4096; recn, recn-enhanced, fbicm: 32768)
        last_bytes [bytes]: memory of an input port in the last stage of a multistage network, flow
            block and buffers whose queues share all memory; as bytes if it is not given
        block [bytes]: bytes of a block, the unit in which memory is allocated (default 8)
        max_packet [bytes]: bytes of the longest packet; longer messages are split (default 32, or
            --length if that is less (wormhole); recn-iq, recn, recn-enhanced, fbicm: 64)
        piece [bytes]: packets move in pieces of B bytes, and pause between two pieces while the
            next buffer has no room for one; a buffer may then be smaller than a packet (default:
            packets are not cut)
        threshold [blocks]: flow maximum-usage: a queue of more than T blocks is sent nothing; none:
            queues have no limit, as with flow block (default none; in a torus the largest that
            prevents deadlock)

    Switches of data centres (--architecture shared-memory):
        rate: what a line carries, such as 10G, 25Gbps or 400Mb/s (default 10G)
        memory: memory of a switch: 2MB, 256K/port, or 5.12K/port/Gbps (default 1MB)
        memories: memories of a switch, each with an equal share of memory and of its outputs, in
            their order; rules of admission see one alone (default 1)
        cell: a packet takes whole cells of the memory (default 1)
        classes: classes of packets, each with a queue at every port, 1 to 8 (default 1)
        schedule: the class that a port sends next: that of the oldest packet, the lowest number, in
            turn, or by deficit round robin with quantum (default fifo)
        quantum: schedule drr: what a class may send in its turn, one number or one for each class
            (default 1500)
        class_alpha: dynamic thresholds of the classes, instead of one alpha
        drain_interval: abm: the time between looks at drain rates and congested queues, 1us or more
            (default 80us)
        afd_interval: ib: the window in which arrivals are counted (default 50us)
        expel_bucket: occamy: cells that can be expelled at once, at most (default: 1500 bytes)
        spine_links: links between two switches that are joined (default 1)
        spine_rate: what a link between switches carries (default: as rate)
        pfc: with sender: priority flow control: classes are lossless, as inputs pause their senders
            and have a headroom
        lossless: pfc: the lossless classes (default: all)
        headroom: pfc: memory of each input and lossless class for what still comes after a pause
            ('switchq formula pfc-headroom')

    The cost:
        cost_file: terms of the cost that differ from the default, by name (YAML or JSON)
        network: also what the network costs: its switches, and its cables by length between racks
        engine: sync: all switches in step; plain: the same rules without short cuts, to check sync;
            async: byte by byte (default sync; async if only it has the topology or the flow
            control)

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def bound(
    *,
    topology: Optional[Words] = None,
    stages: Optional[Value] = None,
    traffic: Optional[Words] = None,
    normalise: bool = False,
    hot_spots: Optional[Value] = None,
    ports: Optional[Integers] = None,
    dims: Optional[Literal["11x11", "4x4x8", "6"]] = None,
    one_way: bool = False,
    chained: bool = False,
    arity: Optional[Value] = None,
    levels: Optional[Value] = None,
    radix: Optional[Integers] = None,
    up_ports: Optional[int] = None,
    fail: Optional[Value] = None,
    routes: Optional[Path] = None,
    hosts: Optional[Value] = None,
    routers: Optional[Value] = None,
    leaves: Optional[Value] = None,
    spines: Optional[Value] = None,
    globals: Optional[Value] = None,
    groups: Optional[Value] = None,
    arrangement: Optional[Union[Literal["consecutive", "palmtree", "relative", "circulant", "absolute"], Words]] = None,
    width: Optional[Value] = None,
    order: Optional[Value] = None,
    via: Optional[Union[Literal["group", "router", "other", "any", "between"], Words]] = None,
    routing: Optional[Words] = None,
    ways: Optional[Union[Literal["one", "drawn"], Words]] = None,
    paths: Optional[Literal["any", "minimal"]] = None,
    seed: Optional[Value] = None,
    mem: Optional[Value] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """What a network's links can carry, by its routing and by any routing.

    bound(topology="dragonfly", hosts=1, traffic="tornado").load_bound

    The network and its traffic:
        topology: shape of the network ('switchq list topologies'); switch is a single switch;
            torus, mesh and hypercube are asynchronous; graph:FILE is the network of a file (default
            omega)
        stages: stages of N x N switches, N^S nodes (default 3)
        traffic: where packets go: a pattern ('switchq list traffic'), hotspot:F[:J] (the fraction F
            goes to node J in addition), file:PATH (a matrix, a row per source, or lines of
            sender,receiver,share), noxim:FILE (a table of Noxim, which also has the loads),
            trace:PATH (lines of cycle, source, destination, and 1 for high priority); asynchronous:
            see --group (default uniform)
        normalise: divide each row of the matrix of traffic file:PATH by its sum; a node without
            shares sends nothing
        hot_spots: additional fractions of the packets for some nodes, with any pattern
        ports: inputs and outputs of a switch: up to 32 in chains, 256 in sim (default 2 for one
            switch, 4 in a network)

    Its shape:
        dims: torus, mesh, hypercube, hyperx: nodes of a torus or mesh, routers of a hyperx in each
            dimension, in the order in which packets take the dimensions; number of dimensions of a
            hypercube
        one_way: torus: links in the positive direction only
        chained: torus, mesh: a node has a chain of 5 x 5 switches with two dimensions each, instead
            of one larger switch
        arity: tree: links down of each switch, which also has as many links up; K,K,... for each
            level, from the nodes up
        levels: tree, fat-tree: levels of switches; --rare: thresholds T of the importance, each
            with the factor R by which copies multiply there, or none (--rare: default found by a
            pilot run)
        radix: fat-tree: ports of a switch
        up_ports: tree, fat-tree: links up from each switch below the top (default: as many as down)
        fail: graph: links between switches that have failed, N drawn by SEED or those of a file's
            lines 'link SWITCH SWITCH' and 'switch SWITCH'; packets take the shortest ways around
            them
        routes: graph: a table of all routes in place of the file's and of shortest ways, with lines
            'route SWITCH HOST PORT[,PORT...][/PART]': several ports are for ways drawn, a part is
            one of the lanes of the link with --lane-choice phase
        hosts: dragonfly, hyperx, slim-fly, polarfly, megafly: hosts of a router, or of a leaf;
            shared-memory: of each switch that has some ('switchq list host-topologies') (slim-fly,
            polarfly: default half its links; shared-memory: default 16, fat-tree: half of ports)
        routers: dragonfly: routers of a group (default: twice hosts)
        leaves: megafly: leaves of a group; shared-memory: switches with hosts ('switchq list
            host-topologies') (default: as hosts; shared-memory: default 2)
        spines: megafly: spines of a group; shared-memory: switches that join all leaves (default:
            as hosts; shared-memory: default 2)
        globals: dragonfly, megafly: global links of a router, or of a spine (default: as hosts)
        groups: dragonfly, megafly: groups of routers (default: all that one link to each other
            group allows)
        arrangement: dragonfly: which group each global link leads to ('switchq help',
            docs/asynchronous.md) (default consecutive)
        width: hyperx: links between two routers of a row (default 1)
        order: slim-fly, polarfly: a power of a prime, q: 2 q^2 routers of a slim-fly, q^2 + q + 1
            of a polarfly
        via: dragonfly, hyperx: by way of what packets may go that do not go straight: dragonfly,
            any router of another group, or one that is drawn, too; hyperx, routers other than those
            of the packet's ends, any, or those between (dragonfly: default group; hyperx: default
            other)
        routing: which path packets take, 'switchq list routing' (default deterministic)
        ways: hyperx, slim-fly, polarfly, megafly, graph: of several shortest ways each pair of
            switches has one, or one is drawn for each packet (default one)

    The bound:
        paths: any: packets may take any ways; minimal+valiant: each packet its straight way or the
            one by way of the place that is drawn for it, as with routing ugal; minimal: any ways
            with the fewest links, as with routing adaptive (default any)
        seed: seed of all random streams (default 1)

    Other options:
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def worst(
    *,
    admission: Optional[Words] = default("room"),
    rule: Optional[Union[Literal["given", "best", "best-no-push-out"], Words]] = default("given"),
    queues: Optional[Integers] = default(2),
    slots: Optional[Integers] = None,
    queue_min: Optional[Integers] = None,
    queue_max: Optional[Integers] = None,
    alpha: Optional[Numbers] = None,
    ties: Optional[Union[Literal["own", "other", "low", "high"], Words]] = None,
    drop: Optional[Union[Literal["tail", "head"], Words]] = None,
    objective: Optional[Union[Literal["throughput", "excess"], Words]] = default("throughput"),
    arrivals_per_phase: Optional[Value] = default("unlimited"),
    speedup: Optional[Integers] = default(1),
    classes: Optional[Value] = None,
    certificate: Optional[Path] = None,
    sequence: Optional[Path] = None,
    repeat: Optional[int] = None,
    threads: Optional[Value] = None,
    plot: Optional[Path] = None,
    panel: Optional[Value] = None,
    x_range: Optional[Value] = None,
    y_range: Optional[Value] = None,
    log_axes: Optional[Literal["x", "y", "xy"]] = None,
    mem: Optional[Value] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """The worst case of a rule of admission, exactly and proven.

    worst(admission="lqd", queues=2, slots=4).competitive_ratio

    The memory and its rule:
        admission: rule of admission ('switchq list admission') (default room)
        rule: given: the rule of admission; best: the best deterministic rule that does not know the
            future; best-no-push-out: the best such rule that only takes and refuses packets
            (default given)
        queues: queues that share the memory, one for each output (default 2)
        slots [slots]: packet slots of the whole memory, not of a port as elsewhere
        queue_min: slots reserved for each queue
        queue_max: slots that one queue may take
        alpha: dynamic threshold: of the shared slots, a queue may take fewer than A times the free
            ones; 0 for none
        ties: which of several longest queues loses a packet: that of the packet that comes, another
            one, the one with the lowest or the highest number; else the adversary chooses
        drop: with classes: the longest queue loses its last packet (tail, as for one switch) or its
            first

    The adversary:
        objective: the ratio of packets sent, or the excess: packets a phase that the optimum sends
            and the rule does not (default throughput)
        arrivals_per_phase [packets]: most packets that arrive in a phase (default unlimited)
        speedup: packets that the rule sends of a queue in a phase, where the optimum sends one
            (default 1)
        classes: packets are worth 1 or V, a number or a fraction from 1; queues send them in the
            order in which they came, and worth takes the place of packets in the ratio

    Output:
        certificate: write the potential that proves the answer, a line for each pair of contents;
            missing folders are created
        sequence: write the worst arrivals as a trace for 'switchq sim --traffic trace:FILE
            --pool-rule in-order'; missing folders are created
        repeat: periods of the sequence that sequence writes (default 1)
        threads: parts of one graph, or points of a range at a time (default: the machine's cores);
            does not change the numbers
        plot: also draw the ratio over a range of numbers; missing folders are created
        panel: plot draws this quantity of the answers (as named in --json) over the range or, after
            a slash, over another quantity: latency_cycles, latency_cycles/throughput
        x_range: plot: the range of the x axis of the first panel
        y_range: plot: the range of its y axis; without, points past saturation, which are drawn
            hollow, do not set the axis of the latency
        log_axes: plot: these axes of the first panel are logarithmic
        mem: memory limit, e.g. 2G (default 80% of the machine's memory, or of what ulimit allows)

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def headroom(
    *,
    rate: Optional[Value] = default(100),
    cable: Optional[Numbers] = default(5),
    mac_phy: Optional[Numbers] = default(0.8),
    gearbox: Optional[Integers] = default(0),
    quanta: Optional[Integers] = None,
    gap: Optional[Integers] = default(0),
    lossless_mtu: Optional[Integers] = default(1024),
    port_mtu: Optional[Integers] = default(9100),
    least_packet: Optional[Integers] = default(64),
    cell: Optional[Integers] = default(144),
    memory_at: Optional[Union[Literal["last", "first"], Words]] = default("last"),
    trigger: Optional[Union[Literal["headroom", "threshold"], Words]] = default("headroom"),
    small_share: Optional[Integers] = default(100),
    headroom: Optional[Integers] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """The memory that a paused link can still fill, proven.

    headroom(rate=100, cable=40).least_headroom_bytes

    The link:
        rate [Gb/s]: rate of the link in Gb/s, or with its unit: 100, 100G, 400Mb/s (default 100)
        cable [m]: length of the cable, of which 198,000 km take a second (default 5)
        mac_phy [KiB]: delay of the lower layers of both ends, as the KiB that pass meanwhile
            (default 0.8)
        gearbox [ns]: delay of a gearbox in each direction (default 0)
        quanta [quanta]: of 512 bits, that pass until the peer obeys a pause frame
        gap [bytes]: bytes of time that each frame takes beyond its own: 20 for Ethernet's preamble
            and gap between frames (default 0)

    Packets and memory:
        lossless_mtu [bytes]: longest packet of the paused class (default 1024)
        port_mtu [bytes]: longest packet of any class (default 9100)
        least_packet [bytes]: shortest packet of the paused class (default 64)
        cell [bytes]: cells of the memory, of which a packet takes whole ones (default 144)
        memory_at: a packet takes its cells when its last bit arrives (store and forward), or its
            first (default last)
        trigger: the packet whose arrival decides the pause counts as the first one in the headroom,
            or below the threshold (default headroom)
        small_share [%]: of packets that use cells worst, in SONiC's formula only (default 100)
        headroom [bytes]: a headroom to judge: is it enough, and which packet is the first one lost?

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def compare(
    study: Path,
    *,
    bytes: Optional[Value] = None,
    area: Optional[Value] = None,
    contestants: Optional[Value] = None,
    scenarios: Optional[Value] = None,
    benchmark: bool = False,
    seed: Optional[int] = None,
    second_seed: Optional[int] = None,
    precision: Optional[float] = None,
    quick: bool = False,
    threads: Optional[Value] = None,
    retry: bool = False,
    database: Optional[Path] = None,
    cost_file: Optional[Path] = None,
    plot: Optional[Path] = None,
    page: Optional[Path] = None,
    data: Optional[Path] = None,
    plugin: Optional[Union[Dict[str, Any], List[Dict[str, Any]], str]] = None,
    **more: Any,
) -> Answer:
    """Contestants in scenarios: who wins, and what it costs.

    compare("duel.yaml", quick=True)

    What is compared:
        bytes: bytes of packet memory per input, in place of the study's 'memory'
        area: compare at equal area: each contestant gets the most memory, in steps of 32 bytes per
            input, with which a switch takes no more cells of area than this (docs/cost.md)
        contestants: run only these contestants of the study; gains are relative to the first of
            them
        scenarios: run only these scenarios of the study
        benchmark: the congestion benchmarks I to VI in place of the study's scenarios, at full load
            unless its set has another load
        seed: first seed, in place of the study's
        second_seed: repeat the comparison from this first seed, and count the marks that are the
            same and those that are reversed; exit status 1 if any is reversed
        precision: add repeats where they are needed, until all paired differences of a scenario are
            known to within this fraction of its best

    The run:
        quick: a quarter of the repeats, but at least six, and none added for the study's precision;
            a full run uses these answers again
        threads: points, each in a process of its own, at a time (default: the machine's cores);
            does not change the numbers
        retry: try failed points again
        database: where answers are kept (default: STUDY.db)
        cost_file: terms of the cost that differ from the default, by name (YAML or JSON)

    Output:
        plot: plot gain over cost; missing folders are created
        page: write everything as a page that needs no other file, or as Markdown; missing folders
            are created
        data: write a line for each run, with its seed, its command line and the version

    Plug-ins:
        plugin: add the arbiters, patterns of traffic and rules of buffers of a shared object
            (docs/plugins.md); may be repeated; a plug-in is a program that runs with your rights
    """
    raise NotImplementedError


@command
def validate(
    *,
    quick: bool = False,
    full: bool = False,
    only: Optional[Value] = None,
    list: bool = False,
    verbose: bool = False,
    seed: Optional[Value] = None,
    threads: Optional[int] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Check chains, formulas, approximations and simulation against one another.

    validate(quick=True)

    Other options:
        quick: short runs, for a first look: about a minute on two cores (default)
        full: all checks: 20 to 30 minutes on two cores
        only: run only checks whose name contains this, or matches it as a shell pattern (* ? [])
        list: list the checks and what they claim, and run none
        verbose: show all checks, not only those that fail
        seed: seed of all random streams (default 1)
        threads: checks at a time (default: the machine's cores); does not change the numbers

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError


@command
def report(
    *,
    output: Optional[Path] = None,
    quick: bool = False,
    full: bool = False,
    only: Optional[Value] = None,
    no_validate: bool = False,
    again: bool = False,
    threads: Optional[Value] = None,
    config: Optional[Path] = None,
    save_config: Optional[Path] = None,
    **more: Any,
) -> Answer:
    """Write a page of tables, figures and verdicts.

    report(output="report", quick=True)

    Other options:
        output: the report's folder: index.html, and answers/ with the page's data as JSON and CSV;
            missing folders are created
        quick: short runs, for a first look: the quick figures, about a minute, and the checks,
            another minute (the default)
        full: all figures, with runs as long as the commands' own, and all checks: about an hour
        only: compute only these: explorer, tables, figures, league (a few minutes), checks, or
            blocks such as table-4.1 and figure-6.2; for the others the page shows earlier answers
        no_validate: skip the checks
        again: compute everything again, even if DIR has an answer of this program
        threads: simulations at a time (default: the machine's cores); does not change the numbers

    A run from a file:
        config: read options from a file, which uses the words of a study, as save_config writes it;
            options on the command line override it
        save_config: also write the options to a file for config; missing folders are created
    """
    raise NotImplementedError
