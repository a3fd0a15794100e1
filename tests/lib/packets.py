# SPDX-License-Identifier: GPL-2.0-only
"""Perfetto's packets in a file: compressed ones unpacked, and each as its bytes."""
import zlib

# Fields of TracePacket, of FtraceEventBundle, and of CompactSched.
FTRACE_EVENTS, COMPRESSED = 1, 50
COMPACT_SCHED = 4
INTERN_TABLE = 5


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def number(value):
    text = bytearray()
    while value > 127:
        text.append(value & 127 | 128)
        value >>= 7
    return bytes(text + bytes([value]))


def fields(data):
    """Number and value of each field of a message: an int, or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = {1: lambda a: (8, a), 5: lambda a: (4, a), 2: lambda a: varint(data, a)}[tag & 7](at)
            value, at = data[at:at + length], at + length
        yield tag >> 3, value


def packets(data):
    """Each packet's bytes, as if none were compressed."""
    for _, packet in fields(data):
        first = next(fields(packet), None)
        if first and first[0] == COMPRESSED:
            yield from packets(zlib.decompress(first[1]))
        else:
            yield packet


def texts(data):
    """The bytes in which a text may stand: all but compact scheduling's columns, as numbers may look like one."""
    for packet in packets(data):
        for number, value in fields(packet):
            for inner, part in fields(value) if number == FTRACE_EVENTS else [(number, value)]:
                if (number, inner) == (FTRACE_EVENTS, COMPACT_SCHED):
                    yield from (name for column, name in fields(part) if column == INTERN_TABLE)
                elif isinstance(part, bytes):
                    yield part


def unpacked(data):
    """The same trace without compressed packets."""
    return b"".join(b"\n" + number(len(packet)) + packet for packet in packets(data))
