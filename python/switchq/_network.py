# SPDX-License-Identifier: GPL-3.0-or-later
"""A network that is stepped: include/switchq/live.h in Python."""

from __future__ import annotations

import ctypes
from operator import index
from typing import Any, List, NamedTuple, Sequence, Union

from . import _library
from ._library import Error
from ._questions import _words

try:
    import numpy
except ImportError:
    numpy = None

_u32, _u64, _flag = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_bool
_EINVAL, _ENOMEM, _LIMIT = 1, 2, 3  # of swq_status
_CHUNK = 2_000_000  # cycles times nodes between looks at Ctrl-C: about a tenth of a second


class _Packet(ctypes.Structure):
    _fields_ = [("token", _u64), ("source", _u32), ("destination", _u32), ("high", _flag),
                ("bytes", _u32)]


class _Counts(ctypes.Structure):
    _fields_ = [(name, _u64) for name in (
        "cycles", "created", "offered", "sent", "delivered", "lost", "waiting", "inside", "refused",
        "latency_cycles", "packet_hops")] + [("deadlock", _flag)]


class _Shape(ctypes.Structure):
    _fields_ = [(name, _u32) for name in (
        "nodes", "stages", "switches", "rows", "outputs", "columns", "slots")]


_END = [("token", _u64), ("cycle", _u64), ("birth", _u64), ("latency_cycles", _u64), ("head_cycles", _u64),
        ("source", _u32), ("destination", _u32), ("bytes", _u32), ("high", _flag), ("lost", _flag),
        ("offered", _flag)]


class _End(ctypes.Structure):
    _fields_ = _END


class Counts(NamedTuple):
    """What has happened since cycle 0, in packets, unless another unit is named.
    created = waiting + sent, and sent = inside + delivered + lost."""

    cycles: int  #: that have been run
    created: int  #: by the sources, and sent packets from the cycle after send() on
    offered: int  #: taken by send()
    sent: int  #: have left their sources, and are not back there
    delivered: int  #: at their receivers
    lost: int  #: for good
    waiting: int  #: at their sources, now
    inside: int  #: in switches, now
    refused: int  #: found no room; resent packets each time
    latency_cycles: int  #: cycles from creation to delivery, summed over delivered packets;
    #: asynchronous: until the header begins on the last link
    packet_hops: int  #: switches entered by packets
    deadlock: bool  #: asynchronous: packets have been found that can never move again


class End(NamedTuple):
    """The end of a packet: delivered, or lost; in an asynchronous network of a message."""

    token: int  #: the caller's own; 0 for packets of the network's own sources
    cycle: int  #: in which it ended; asynchronous: in which its last byte is at its receiver
    birth: int  #: the cycle of its creation
    latency_cycles: int  #: from creation to the end; asynchronous: of the last byte
    head_cycles: int  #: the same; asynchronous: until its header begins on the last link
    source: int
    destination: int
    bytes: int  #: asynchronous: of the message, in a wormhole network flits; synchronous: 0
    high: bool  #: of high priority
    lost: bool  #: or delivered
    offered: bool  #: by send(), or created by the network's own sources


def _declare():
    library, pointer = _library._library, ctypes.c_void_p
    for name, result, arguments in (
            ("ask_network_open", pointer, [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p),
                                           ctypes.POINTER(ctypes.c_int), ctypes.POINTER(pointer)]),
            ("ask_network_close", None, [pointer]),
            ("ask_network_live", pointer, [pointer]),
            ("ask_network_message", ctypes.c_char_p, [pointer]),
            ("live_advance", ctypes.c_int, [pointer, _u64, pointer]),
            ("live_offer", ctypes.c_int, [pointer, pointer, ctypes.c_size_t, pointer]),
            ("live_read", None, [pointer, pointer]),
            ("live_shape_of", _Shape, [pointer]),
            ("live_occupancy", None, [pointer, pointer]),
            ("live_waiting", None, [pointer, pointer]),
            ("live_ended", ctypes.c_size_t, [pointer, pointer, ctypes.c_size_t]),
            ("live_set_load", ctypes.c_int, [pointer, ctypes.c_double]),
            ("live_state_bytes", ctypes.c_size_t, [pointer]),
            ("live_save", None, [pointer, pointer]),
            ("live_restore", ctypes.c_int, [pointer, pointer, ctypes.c_size_t])):
        function = getattr(library, f"swq_{name}")
        function.restype, function.argtypes = result, arguments
    return library


_lib = _declare()


def _open(words):
    if "--help" in words or "--help-all" in words:
        raise Error("help is text: switchq.usage('sim') returns it", 2)
    encoded = [_library._encoded(word) for word in words]
    status, message = ctypes.c_int(), ctypes.c_void_p()
    handle = _lib.swq_ask_network_open(len(encoded), (ctypes.c_char_p * len(encoded))(*encoded),
                                       ctypes.byref(status), ctypes.byref(message))
    if handle:
        return handle
    if not message.value:
        raise MemoryError("switchq: no memory")
    try:
        raise Error(ctypes.string_at(message.value).decode(), status.value)
    finally:
        _lib.swq_ask_free(message.value)


def _shaped(flat, sizes):
    """A ctypes array in that shape: numpy's, or nested lists."""
    if numpy is not None:
        return numpy.frombuffer(flat, dtype=flat._type_).reshape(sizes)
    values = list(flat)
    for size in reversed(sizes[1:]):
        values = [values[k:k + size] for k in range(0, len(values), size)]
    return values


class Network:
    """A network that goes on when it is told to, and takes packets from its caller: for a program that
    learns, or a simulator that embeds a switch. It is one of the synchronous engine, or an asynchronous
    one, such as a wormhole network.

    >>> import switchq
    >>> with switchq.Network(topology="switch", ports=4, buffer="damq", slots=4, load=0, flow="block",
    ...                      follow=True) as net:
    ...     net.send(source=0, destination=2, token=7)
    ...     net.step()
    ...     [(int(end.token), int(end.destination)) for end in net.ended()]
    True
    1
    [(7, 2)]

    options: the keywords of switchq.sim() that describe the network and its traffic, with the same
        defaults, seed and engine. load is required; with load=0 the caller's packets are alone. Not
        stepped are management, sender, flow="virtual-clock", and architectures with stores of their own
        except wormhole.
    follow: keep the end of each packet (asynchronous: message) for ended(), with the same numbers. A
        synchronous network then runs at about a quarter of the speed.

    After n cycles, in whatever steps, a network is in the same state, to the bit, as that of sim() with
    the same seed, unless packets are sent. Raises Error for bad options. One thread at a time may use a
    network; several threads may use several. Arrays are numpy's where numpy is installed, else lists.
    """

    def __init__(self, *, follow: bool = False, **options: Any):
        self._handle = None
        self._handle = _open(_words({**options, "follow": follow}))
        self._live = _lib.swq_ask_network_live(self._handle)
        self._follows = bool(follow)
        self._shape = _lib.swq_live_shape_of(self._live)
        self._done, self._advance = _u64(), _lib.swq_live_advance
        self._at_done = ctypes.addressof(self._done)
        self._chunk = max(1, _CHUNK // self.nodes)
        self._packet, self._taken = _Packet(), _flag()
        self._at_packet, self._at_taken = ctypes.addressof(self._packet), ctypes.addressof(self._taken)

    nodes = property(lambda self: self._shape.nodes, doc="Senders, and receivers.")
    stages = property(lambda self: self._shape.stages, doc="Stages; asynchronous: 1.")
    switches = property(lambda self: self._shape.switches, doc="Switches of each stage; asynchronous: all.")
    rows = property(lambda self: self._shape.rows, doc="Rows of a switch in occupancy().")
    outputs = property(lambda self: self._shape.outputs, doc="Outputs of a switch.")
    columns = property(lambda self: self._shape.columns,
                       doc="Columns of a row in occupancy(): outputs; asynchronous: lanes or queues.")
    slots = property(lambda self: self._shape.slots, doc="Packets that a buffer (or a pool) holds; "
                     "asynchronous: its blocks, in a wormhole network flits of all lanes.")

    def close(self) -> None:
        """Free the network, which must not be used afterwards; `with` does it, too."""
        if self._handle:
            _lib.swq_ask_network_close(self._handle)
        self._handle = self._live = None

    def __enter__(self) -> Network:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self):
        self.close()

    def _fail(self, status):
        message = _lib.swq_ask_network_message(self._handle).decode()
        raise Error(message, 2 if status == _EINVAL else 3 if status in (_ENOMEM, _LIMIT) else 1)

    def _open_live(self):
        if not self._live:
            raise ValueError("this network is closed")
        return self._live

    def step(self, cycles: int = 1) -> int:
        """Run `cycles` cycles, 0 or more. Returns how many were run: fewer only if a trace has ended and
        the network is empty. Raises Error beyond 4.2e9 cycles in all, and where discarded packets that
        are to be sent again no longer find a place; TypeError for anything but a whole number."""
        live = self._live or self._open_live()
        try:
            cycles = index(cycles)
        except TypeError:
            raise TypeError(f"step: cycles must be a whole number, not {cycles!r}") from None
        if cycles < 0:
            raise ValueError("step: cycles must be 0 or more")
        left = cycles
        while left > 0:  # in parts, since Python sees Ctrl-C only between calls
            part = left if left < self._chunk else self._chunk
            status = self._advance(live, part, self._at_done)
            if status:
                self._fail(status)
            left -= self._done.value
            if self._done.value < part:
                break
        return cycles - left

    def _check_fit(self, name, packet, token, source, destination, bytes):
        """Refuse numbers that a packet has no room for: ctypes takes them modulo 2^32 or 2^64."""
        if not (packet.source == source and packet.destination == destination and packet.token == token and
                packet.bytes == bytes):
            raise Error(f"{name}: source and destination must be 0 to {self.nodes - 1}, token 0 to 2^64 - 1, and "
                        f"bytes 0 or more, not {source}, {destination}, {token} and {bytes}", 2)

    def send(self, source: int, destination: int, token: int = 0, high: bool = False, bytes: int = 0) -> bool:
        """Offer a packet to node `source`, for node `destination`, both from 0 to nodes - 1. A sender has
        room for one packet, which it holds until the network takes the packet in. True: the sender has
        taken it, and it is created in the next cycle, in place of the next packet that the sender would
        create itself. False: the sender holds a packet; offer again after the next cycle.

        token: the caller's own number, 0 to 2^64 - 1, which comes back in ended(); needs follow=True.
        high:  of high priority, in a network with such packets.
        bytes: asynchronous: of the message, in a wormhole network flits; 0: the longest packet.

        Raises Error for sources other than "hold", unless they are asynchronous and load is 0, for bursts,
        and for what does not exist."""
        live = self._live or self._open_live()
        packet = self._packet
        try:
            packet.source, packet.destination, packet.token, packet.high, packet.bytes = \
                _u32(source), _u32(destination), _u64(token), high, _u32(bytes)
        except TypeError as error:
            raise Error(f"send: {error}", 2) from None
        self._check_fit("send", packet, token, source, destination, bytes)
        status = _lib.swq_live_offer(live, self._at_packet, 1, self._at_taken)
        if status:
            self._fail(status)
        return self._taken.value

    def send_all(self, sources: Sequence[int], destinations: Sequence[int],
                 tokens: Union[None, Sequence[int]] = None, bytes: Union[int, Sequence[int]] = 0) -> Any:
        """Offer many packets as send() does, in one call. Returns an array of truth values: which were
        taken. Raises Error, and none is taken, if one of them is wrong."""
        live = self._live or self._open_live()
        tokens = [0] * len(sources) if tokens is None else tokens
        lengths = bytes if hasattr(bytes, "__len__") else [bytes] * len(sources)
        if not len(sources) == len(destinations) == len(tokens) == len(lengths):
            raise Error("send_all: sources, destinations, tokens and bytes must be as many", 2)
        given = list(zip(tokens, sources, destinations, lengths))
        try:
            packets = (_Packet * len(sources))(*[
                (index(token), index(source), index(destination), False, index(length))
                for token, source, destination, length in given])
        except TypeError as error:
            raise Error(f"send_all: {error}", 2) from None
        for packet, values in zip(packets, given):
            self._check_fit("send_all", packet, *values)
        taken = (_flag * len(sources))()
        status = _lib.swq_live_offer(live, ctypes.addressof(packets), len(sources), ctypes.addressof(taken))
        if status:
            self._fail(status)
        return _shaped(taken, (len(sources),))

    def counts(self) -> Counts:
        """All counters, since cycle 0."""
        counts = _Counts()
        _lib.swq_live_read(self._open_live(), ctypes.addressof(counts))
        return Counts(*(getattr(counts, name) for name in Counts._fields))

    def occupancy(self) -> Any:
        """What every switch holds: an array [stages][switches][rows][columns]. Synchronous: packets, by the
        row in which they are and the output by which they will leave. A row is an input of the switch; a
        pool has one row for all inputs, and a switch with queues before its outputs one more for these.
        Asynchronous: blocks of memory, in a wormhole network flits, by input of the switch (after the
        inputs come outputs, where these have stores) and by lane or queue."""
        sizes = (self.stages, self.switches, self.rows, self.columns)
        packets = (_u32 * (sizes[0] * sizes[1] * sizes[2] * sizes[3]))()
        _lib.swq_live_occupancy(self._open_live(), ctypes.addressof(packets))
        return _shaped(packets, sizes)

    def waiting(self) -> Any:
        """The packets that wait at each source: an array [nodes], of 0 and 1 where sources hold one."""
        packets = (_u64 * self.nodes)()
        _lib.swq_live_waiting(self._open_live(), ctypes.addressof(packets))
        return _shaped(packets, (self.nodes,))

    def ended(self) -> Any:
        """The packets that have ended since the last call, the oldest end first, with the fields of End:
        a numpy.recarray, or a list of End without numpy. Raises Error without follow=True."""
        live = self._open_live()
        if not self._follows:
            raise Error("ended: this network does not follow packets; open it with follow=True", 2)
        count = _lib.swq_live_ended(live, None, 0)
        ends = (_End * count)()
        _lib.swq_live_ended(live, ctypes.addressof(ends), count)
        if numpy is not None:
            return numpy.array(numpy.frombuffer(ends, dtype=numpy.dtype(_End)) if count else [],
                               dtype=numpy.dtype(_End)).view(numpy.recarray)
        return [End(*(getattr(end, name) for name in End._fields)) for end in ends]

    def set_load(self, load: float) -> None:
        """From here on, the network's own sources create `load` packets a cycle, 0 to 1; asynchronous:
        bytes. The packet that a source has drawn already stays. Raises Error for sources other than
        "hold" in an asynchronous network."""
        try:
            load = float(load)
        except (TypeError, ValueError):
            raise TypeError(f"set_load: load must be a number, not {load!r}") from None
        status = _lib.swq_live_set_load(self._open_live(), load)
        if status:
            self._fail(status)

    def save(self) -> "bytes":
        """The state: all on which the future, the counters and ended() depend. May be kept in a file."""
        live = self._open_live()
        state = ctypes.create_string_buffer(_lib.swq_live_state_bytes(live))
        _lib.swq_live_save(live, ctypes.addressof(state))
        return state.raw

    def restore(self, state: bytes) -> None:
        """Go back, or on, to a state of this or of an equal network (seed and load may differ; they come
        with the state, but traffic that is drawn once for a run must be the same), of the same version. What follows is the same, to the bit, as what followed
        after save(). Raises Error for any other state, and leaves the network as it was."""
        status = _lib.swq_live_restore(self._open_live(), state, len(state))
        if status:
            self._fail(status)

    def __repr__(self):
        if not self._live:
            return "<switchq.Network, closed>"
        return f"<switchq.Network of {self.nodes} nodes, after {self.counts().cycles} cycles>"
