# SPDX-License-Identifier: GPL-2.0-only
"""Folders of the Common Trace Format 1.8, as LTTng lays them out, of either byte order."""
import os
import struct
import uuid

INT = {"u8": ("B", 8, "false"), "u16": ("H", 16, "false"), "u32": ("I", 32, "false"), "u64": ("Q", 64, "false"),
       "s32": ("i", 32, "true"), "s64": ("q", 64, "true")}
SCHED = {
    "sched_switch": [("prev_comm", "char16"), ("prev_tid", "s32"), ("prev_prio", "s32"), ("prev_state", "s64"),
                     ("next_comm", "char16"), ("next_tid", "s32"), ("next_prio", "s32")],
    "sched_waking": [("comm", "char16"), ("tid", "s32"), ("prio", "s32"), ("target_cpu", "s32")],
    "lttng_statedump_process_state": [("tid", "s32"), ("pid", "s32"), ("name", "char16")],
    "syscall_entry_read": [("fd", "u32"), ("count", "u64")],
    "syscall_exit_read": [("ret", "s64"), ("buf", "u64")],
    "odd": [("kind", "enum"), ("ratio", "f64"), ("text", "string"), ("_list_length", "u8"), ("list", "list"),
            ("pair", "pair"), ("address", "u64")],
}


def declare(kind, name):
    if kind in INT:
        _, bits, signed = INT[kind]
        return f"integer {{ size = {bits}; align = 8; signed = {signed}; }} _{name};"
    if kind == "char16":
        return f"integer {{ size = 8; align = 8; signed = false; encoding = UTF8; }} _{name}[16];"
    if kind == "string":
        return f"string {{ encoding = UTF8; }} _{name};"
    if kind == "f64":
        return f"floating_point {{ exp_dig = 11; mant_dig = 53; align = 8; }} _{name};"
    if kind == "enum":
        return f"enum : integer {{ size = 8; align = 8; }} {{ RED = 1, BLUE = 2 }} _{name};"
    if kind == "list":
        return f"integer {{ size = 32; align = 8; }} _{name}[ __{name}_length ];"
    assert kind == "pair"
    return f"struct {{ integer {{ size = 8; align = 8; }} a; integer {{ size = 8; align = 8; }} b; }} align(8) _{name};"


class Trace:
    """
    One folder; streams by CPU, each a list of packets: (events, discarded so far, number), each of which begins
    where the one before ended, as LTTng's do, or at a time that is its fourth member.
    """

    def __init__(self, order="<", domain="kernel", host="box", offset=1000, frequency=10**9, trace_id=None, classes=None,
                 release="6.1.0", clock_id="5a3ffa4f-8cb4-41d1-8f1c-6e8d1a43a9b2"):
        self.order, self.domain, self.host, self.offset, self.frequency = order, domain, host, offset, frequency
        self.release = release
        self.id = uuid.UUID(trace_id) if trace_id else uuid.uuid4()
        self.classes, self.clock_id = classes or SCHED, clock_id
        self.streams = {}

    def metadata(self):
        order = "le" if self.order == "<" else "be"
        events = "".join(
            f'event {{ name = "{name}"; id = {i}; stream_id = 0; fields := struct {{ '
            + " ".join(declare(kind, field) for field, kind in fields) + " }; };\n"
            for i, (name, fields) in enumerate(self.classes.items()))
        return f"""/* CTF 1.8 */
typealias integer {{ size = 8; align = 8; signed = false; }} := uint8_t;
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
trace {{ major = 1; minor = 8; uuid = "{self.id}"; byte_order = {order};
    packet.header := struct {{ uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; }}; }};
env {{ hostname = "{self.host}"; domain = "{self.domain}"; tracer_name = "lttng-modules"; tracer_major = 2;
    tracer_minor = 13; kernel_release = "{self.release}"; }};
clock {{ name = "monotonic"; uuid = "{self.clock_id}"; description = "Monotonic Clock";
    freq = {self.frequency}; offset = {self.offset}; }};
typealias integer {{ size = 64; align = 8; signed = false; map = clock.monotonic.value; }} := clock_t;
stream {{ id = 0;
    packet.context := struct {{ clock_t timestamp_begin; clock_t timestamp_end; uint64_t content_size;
        uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t cpu_id; }};
    event.header := struct {{ uint32_t id; clock_t timestamp; }}; }};
{events}"""

    def value(self, kind, value):
        if kind in INT:
            return struct.pack(self.order + INT[kind][0], value)
        if kind == "char16":
            return value.encode().ljust(16, b"\0")
        if kind == "string":
            return value.encode() + b"\0"
        if kind == "f64":
            return struct.pack(self.order + "d", value)
        if kind == "enum":
            return bytes([value])
        if kind == "list":
            return struct.pack(self.order + f"{len(value)}I", *value)
        return bytes(value)

    def event(self, ns, name, values):
        number = list(self.classes).index(name)
        return struct.pack(self.order + "IQ", number, ns) + b"".join(
            self.value(kind, value) for (_, kind), value in zip(self.classes[name], values))

    def packet(self, cpu, begin, events, discarded, number):
        body = b"".join(self.event(*e) for e in events)
        size = 8 * (24 + 52 + len(body))
        times = begin, events[-1][0]
        return (struct.pack(self.order + "I", 0xC1FC1FC1) + self.id.bytes + struct.pack(self.order + "I", 0) +
                struct.pack(self.order + "QQQQQQI", *times, size, size, number, discarded, cpu) + body)

    def stream(self, cpu, packets):
        begin, made = packets[0][0][0][0], b""
        for events, discarded, number, *at in packets:
            made += self.packet(cpu, at[0] if at else begin, events, discarded, number)
            begin = events[-1][0]
        return made

    def write(self, folder):
        os.makedirs(folder)
        with open(os.path.join(folder, "metadata"), "w", encoding="utf-8") as f:
            f.write(self.metadata())
        for cpu, packets in self.streams.items():
            with open(os.path.join(folder, f"channel0_{cpu}"), "wb") as f:
                f.write(self.stream(cpu, packets))
        return folder


def switch(ns, prev, following, state=1):
    """A switch between threads that are called by their numbers."""
    return ns, "sched_switch", (f"t{prev}", prev, 20 if prev else 20, state, f"t{following}", following, 20)
