#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""FXT to Perfetto's packets and back: what protoc reads in them, and what comes back."""
import os
import re
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxt
import packets
import pftext
import tap
from fxtmake import (ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT, BEGIN, COMPLETE, COUNTER, END, File,
                     FLOW_BEGIN, FLOW_END, FLOW_STEP, INSTANT, MIGRATIONS, Pointer, Unsigned, Unsigned64)

FXTREC = os.environ.get("FXTREC", tap.FXTREC)
SCHEMA = os.path.join(tap.TOP, "user", "formats", "perfetto")
OFFSET = 7_000_000_000_000      # CLOCK_BOOTTIME - CLOCK_MONOTONIC
START = 1_000_000_000_000

folder = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(folder.name, name)


def convert(source, target, *more):
    return tap.run([FXTREC, "convert", path(source), "-o", path(target), *more])


def write(name, data):
    with open(path(name), "wb") as f:
        f.write(data)


def dump(name):
    return pftext.records(path(name))


def decode(name):
    with open(path(name), "rb") as f:
        done = subprocess.run(["protoc", "--decode=pf.Trace", "-I", SCHEMA, "perfetto.proto"],
                              input=packets.unpacked(f.read()), capture_output=True, timeout=600)
    return done.stdout.decode() if not done.returncode else "protoc: " + done.stderr.decode()


def same(what, a, b):
    missing, more = [x for x in a if x not in b], [x for x in b if x not in a]
    return tap.ok(a == b, what, "\n".join(["missing:"] + missing[:8] + ["more:"] + more[:8]))


def scheduling():
    """Every state, and all that the compact form has no place for."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.event(INSTANT, START - 10, 9, 9, "fxtrec", "backend",
            [("backend", "bpf"), ("release", "6.12.1"), ("cpus", Unsigned(2))])
    f.clock(START, 1_700_000_000_000_000_000, START, START + OFFSET)
    for tid in range(10, 20):
        f.named(10, tid, f"thread {tid}", START + 1, leader=tid == 10)
    f.named(10, MIGRATIONS, "cpu 0 migrations", START + 1)
    f.cpu(0)
    t = START + 100
    f.wakeup(t, 1, 11, 120, waker=10)                   # before the CPU's first switch
    f.switch(t + 1, 0, 10, 120, 1, 11, 98, "R+")        # preempted
    states = [(1, None), (3, None), (3, "D"), (2, None), (2, "t"), (5, None), (4, None),
              (3, "P"), (3, "I")]
    for i, (state, letter) in enumerate(states):
        prev, following = 11 + i % 2, 11 + (i + 1) % 2
        f.switch(t + 10 + i, 0, prev, 98, state, following, 98, letter)
    prev = 11 + len(states) % 2
    f.switch(t + 30, 0, prev, 98, 3, 0, 120)            # to idle
    f.switch(t + 40, 0, 0, 120, 1, 13, -1)              # a deadline task
    f.switch(t + 50, 0, 13, 120, 3, 14, 120)            # whose priority changed
    f.wakeup(t + 51, 1, 15, 100, waker=14)
    f.wakeup(t + 52, 1, 16, 120, waker=14, new=True)
    f.wakeup(t + 53, 0, 17, 120, waker=14, on_cpu=True)
    f.wakeup(t + 54, 0, 18, -1, waker=14)
    f.wakeup(t + 55, 0, 18, 120, waker=99)              # not by what runs
    f.wakeup(t + 60, 0, 19, 120, waker=14)              # then, at the same time, a switch
    f.switch(t + 60, 0, 14, 120, 3, 15, 120)
    f.switch(t + 60, 0, 15, 120, 3, 16, 120)
    f.wakeup(t + 60, 0, 19, 120, waker=16)
    f.wakeup(t + 61, 0, 18, 120, waker=16, context="softirq")
    f.wakeup(t + 62, 0, 18, 120, waker=16, context="hardirq")
    f.wakeup(t + 62, 0, 18, 120, waker=16, context="softirq timer")
    f.wakeup(t + 63, 0, 18, 120, waker=16, context="nmi", on_cpu=True)
    f.wakeup(t + 64, 0, 18, 120, waker=99, context="hardirq timer", on_cpu=True)  # not in the compact form
    f.migrate(t + 65, 0, 10, 18, 120, 0, 1)
    f.migrate(t + 65, 0, 10, 12, -1, 1, 1023)
    f.wakeup(t + 65, 0, 12, 120, waker=16)
    f.full(0x100)
    f.switch(t + 90, 0, 18, 120, 3, 10, 120)            # behind a loss: not what ran
    f.cpu(1)
    f.switch(t + 20, 1, 0, 120, 1, 17, 120)
    f.switch(t + 70, 1, 17, 120, 4, 0, 120)
    f.provider(1, "fxtrec")
    f.named(10, 12, "renamed", t + 25)
    return f


def events():
    f = File().provider(1, "fxtrec")
    f.clock(START, 1_700_000_000_000_000_000, START, START + OFFSET)
    t = START + 100
    args = [("int", -5), ("long", -1 << 40), ("uint", Unsigned(5)), ("ulong", Unsigned(1 << 63)),
            ("real", 0.5), ("text", "a value"), ("empty", ""), ("at", Pointer(0xFFFF0000)),
            ("yes", True), ("no", False), ("none", None), ("long text", "x" * 400)]
    f.event(INSTANT, t, 20, 21, "cat", "all arguments", args)
    f.event(INSTANT, t + 1, 20, 20, "", "no category")
    f.event(BEGIN, t + 2, 20, 21, "cat", "outer", [("depth", 1)])
    f.event(BEGIN, t + 3, 20, 21, "cat", "inner")
    f.event(END, t + 4, 20, 21, "cat", "inner", [("result", "ok")])
    f.event(END, t + 5, 20, 21, "cat", "outer")
    f.event(COMPLETE, t + 6, 20, 22, "cat", "whole", [("n", 1)], t + 16)
    f.event(COMPLETE, t + 7, 20, 22, "cat", "within", [], t + 16)
    f.event(COMPLETE, t + 8, 20, 22, "cat", "nothing", [], t + 8)
    f.event(FLOW_BEGIN, t + 9, 20, 22, "cat", "flow", [("size", 3)], 77)
    f.event(FLOW_STEP, t + 10, 30, 31, "cat", "flow", [], 77)
    f.event(FLOW_END, t + 11, 20, 22, "cat", "flow", [], 77)
    f.event(ASYNC_BEGIN, t + 12, 20, 21, "cat", "operation", [("a", 1)], 1 << 63)
    f.event(ASYNC_INSTANT, t + 13, 20, 22, "cat", "operation", [], 1 << 63)
    f.event(ASYNC_END, t + 14, 20, 22, "cat", "operation", [], 1 << 63)
    f.event(COUNTER, t + 15, 20, 21, "cat", "memory", [("used: by all", 1 << 40)], 3)
    f.event(COUNTER, t + 16, 20, 21, "cat", "memory", [("used: by all", -1)], 3)
    f.event(COUNTER, t + 17, 20, 21, "cat", "load:1", [("average", 0.25)], 0)
    f.event(COUNTER, t + 18, 20, 21, "", "level", [("value", 7)], 0)
    f.log(t + 18, 20, 21, "only a log record")
    f.log(t + 19, 20, 21, "message")
    f.event(INSTANT, t + 19, 20, 21, "kernel log", "message")
    f.log(t + 20, 20, 21, "long " * 100)
    f.event(INSTANT, t + 20, 20, 21, "mark", "long " * 100)
    return f


IRQ, SOFTIRQ = 0x41000000, 0x41010000     # tracks of CPU 0
MACHINE = os.uname().machine


def kernel(machine=MACHINE):
    """What Perfetto has places of its own for, and what only looks like it."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.event(INSTANT, START - 10, 9, 9, "fxtrec", "backend",
            [("backend", "bpf"), ("release", "6.12.1"), ("cpus", Unsigned(2))])
    f.clock(START, 1_700_000_000_000_000_000, START, START + OFFSET)
    f.event(INSTANT, START, 9, 9, "fxtrec", "host", [
        ("host", "here"), ("system", "Linux"), ("release", "6.12.1"), ("version", "#1"), ("machine", machine),
        ("fxtrec", "0"), ("command", "fxtrec record"), ("memory", Unsigned64(1 << 34))])
    f.named(9, 9, "fxtrec", START + 1, leader=True)
    for tid in range(10, 14):
        f.named(10, tid, f"thread {tid}", START + 1, leader=tid == 10)
    for tid, name in ((IRQ, "cpu 0 irq"), (SOFTIRQ, "cpu 0 softirq"), (0x40000000, "cpu 0 lost scheduling")):
        f.named(9, tid, name, START + 1)
    f.cpu(0)
    t = START + 100
    f.switch(t, 0, 0, 120, 1, 10, 120)

    def both(at, track, name, begin=(), end=(), again=None):
        f.event(BEGIN, at, 9, track, "irq", name, begin)
        f.event(END, at + 5, 9, track, "irq", again or name, end)
    both(t + 10, IRQ, "virtio0-input.0", [("irq", 24)], [("irq", 24), ("ret", 1)])
    both(t + 20, IRQ, "x" * 400, [("irq", -1)], [("irq", -1), ("ret", 0)])
    both(t + 30, IRQ, "one", [("irq", 3)], [("irq", 3), ("ret", 0)], "another")
    both(t + 40, IRQ, "", [("irq", 3)], [("irq", 3), ("ret", 0)])
    f.event(BEGIN, t + 50, 9, IRQ, "irq", "lost", [("irq", 5)])
    f.event(END, t + 55, 9, IRQ, "", "")
    both(t + 60, IRQ, "more", [("irq", 5), ("x", 1)], [("irq", 5)])
    for i, name in enumerate(("HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
                              "RCU", "unknown softirq")):
        both(t + 100 + 10 * i, SOFTIRQ, name)
    f.event(BEGIN, t + 300, 9, SOFTIRQ, "irq", "RCU")
    f.event(END, t + 305, 9, SOFTIRQ, "", "")
    both(t + 310, SOFTIRQ, "HI", again="RCU")
    both(t + 320, 13, "HI")                             # on no track of the CPU

    def call(at, tid, name, ret=(), category="syscalls"):
        f.event(BEGIN, at, 10, tid, category, name)
        f.event(END, at + 5, 10, tid, category, name, ret)
    for i, ret in enumerate(((), [("ret", 0)], [("ret", -22)], [("ret", 1 << 40)], [("ret", -1 << 40)],
                             [("ret", Unsigned(1))], [("ret", 1), ("more", 1)], [("ret", "text")])):
        call(t + 400 + 10 * i, 10 + i % 2, "read", ret)
    call(t + 500, 10, "syscall 511")
    call(t + 510, 10, "syscall 512")
    call(t + 520, 10, "syscall 0")
    call(t + 530, 10, "unknown system call")
    call(t + 540, 10, "read", category="syscalls of 32 bits")
    f.event(END, t + 550, 10, 11, "syscalls", "read", [("ret", 0)])      # of no begin
    f.event(BEGIN, t + 560, 10, 11, "syscalls", "futex")
    f.event(END, t + 565, 10, 11, "syscalls", "poll", [("ret", 0)])
    f.event(BEGIN, t + 570, 77, 11, "syscalls", "read")                  # of another process
    for i, state in enumerate((0, 3, -1, 1 << 40)):
        f.event(COUNTER, t + 600 + i, 9, IRQ, "power", "cpu_idle", [("state", state)], i % 2)
    for i, state in enumerate((Unsigned(0), Unsigned(4_200_000), 7)):
        f.event(COUNTER, t + 610 + i, 9, IRQ, "power", "cpu_frequency", [("state", state)], i % 2)
    f.event(COUNTER, t + 620, 10, 10, "power", "cpu_idle", [("state", 1)], 0)

    def blocked(at, tid, function, iowait, stack, state, following):
        f.event(INSTANT, at, 10, tid, "sched", "blocked",
                [("function", function), ("iowait", Unsigned(iowait)), ("stack", stack)])
        f.switch(at + 3, 0, tid, 120, 3, following, 120, state)
    blocked(t + 700, 10, "folio_wait_bit_common", 1, "io_schedule < folio_wait_bit_common < do_read", "D", 11)
    blocked(t + 710, 11, "pipe_read", 0, "pipe_read < vfs_read < ...", None, 12)
    blocked(t + 720, 12, "pipe_read", 0, "pipe_read < vfs_read < ...", None, 13)
    blocked(t + 730, 13, "odd", 0, " < < odd <  < ", None, 10)
    f.event(INSTANT, t + 740, 10, 12, "sched", "blocked", [("function", "x"), ("iowait", Unsigned(0)), ("stack", "x")])
    f.switch(t + 745, 0, 10, 120, 1, 12, 120)           # another one, which is not blocked
    f.wakeup(t + 750, 0, 11, 120, waker=12)
    f.event(COMPLETE, t + 800, 9, 0x40000000, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned64(17))],
            t + 810)
    return f


write("sched.fxt", scheduling().data)
done = convert("sched.fxt", "sched.pftrace")
tap.ok(done.returncode == 0 and not done.stderr, "scheduling becomes packets", done.stderr)
text = decode("sched.pftrace")
tap.ok(text.startswith("packet {") and not re.search(r"^ *\d+:", text, re.M),
       "protoc knows every field", text[:300])
tap.ok(f"clock_id: 6\n      timestamp: {START + OFFSET}" in text and
       "primary_trace_clock: 3" in text, "a snapshot tells the clocks")
tap.ok("release: \"6.12.1\"" in text, "the kernel's version is told")
states = [int(n) for n in re.findall(r"switch_prev_state: (\d+)", text)]
tap.ok(states[:9] == [0, 1, 2, 4, 8, 16, 32, 64, 128], "states are the kernel's numbers", states)
tap.ok(text.count("lost_events: true") == 1, "a loss is told")
flags = [int(n) & 0xffff for n in re.findall(r"common_flags: (\d+)", text)]
tap.ok(sorted(n for n in flags if n) == [0x08, 0x08, 0x10, 0x10, 0x40], "contexts are the kernel's flags", flags)
tap.ok(re.search(r"pid: 16\s+sched_migrate_task \{\s+comm: \"renamed\"\s+pid: 12\s+prio: -1\s+orig_cpu: 1\s+"
                 r"dest_cpu: 1023\s+\}", text), "a migration is the kernel's event, of the thread that ran there")
tap.ok(re.findall(r"sched_(\w+) \{", text).count("wakeup_new") == 1, "a new thread's wakeup is one")
times = [int(n) for n in re.findall(r"event \{\n      timestamp: (\d+)", text)]
tap.ok(times and all(n >= OFFSET + START for n in times), "ftrace events are in CLOCK_BOOTTIME",
       times[:4])
done = convert("sched.pftrace", "sched2.fxt")
tap.ok(done.returncode == 0 and not done.stderr, "packets become FXT", done.stderr)
a, b = fxt.Recording(path("sched.fxt")), fxt.Recording(path("sched2.fxt"))
for cpu in a.events:
    same(f"cpu {cpu}: the same scheduling records", [str(e) for e in sorted(a.events[cpu], key=lambda e: e[0])],
         [str(e) for e in b.events[cpu]])
tap.ok(b.buffer_full == [0x100], "the loss comes back", b.buffer_full)
moves = [x for x in dump("sched.fxt") if "sched_migrate_task" in x]
same("migrations, with their track's process", moves, [x for x in dump("sched2.fxt") if "sched_migrate_task" in x])
tap.ok(len(moves) == 2, "both", moves)
tap.ok(a.processes == b.processes and a.process_of == b.process_of and
       {t: sorted(n) for t, n in a.names.items()} == b.names, "and all names", b.names)
tap.ok(b.clocks[0][0] == START and b.clocks[0][1]["boottime"] == START + OFFSET,
       "and the clocks", b.clocks)

hidden = File().provider(1, "fxtrec").named(10, 10, "seen", START, leader=True).named(11, 11, "other", START, leader=True)
hidden.clock(START, 1_700_000_000_000_000_000, START, START + OFFSET).cpu(0).switch(START + 100, 0, 0, 120, 1, 10, 120)
hidden.switch(START + 200, 0, 11, 120, 3, 0, 120).switch(START + 300, 0, 0, 120, 1, 10, 120)
hidden.switch(START + 400, 0, 10, 120, 3, 0, 120)
write("hidden.fxt", hidden.data)
convert("hidden.fxt", "hidden.pftrace")
text = decode("hidden.pftrace")
tap.ok(text.count("lost_events: true") == 1, "where a switch is missing that no recorder reports, the CPU says a loss", text)
convert("hidden.pftrace", "hidden2.fxt")
a, b = fxt.Recording(path("hidden.fxt")), fxt.Recording(path("hidden2.fxt"))
tap.ok(a.events == b.events and not b.buffer_full, "which is none of the recording", (b.events, b.buffer_full))

write("events.fxt", events().data)
done = convert("events.fxt", "events.pftrace")
tap.ok(done.returncode == 0 and not done.stderr, "events become packets", done.stderr)
text = decode("events.pftrace")
tap.ok(text.startswith("packet {") and not re.search(r"^ *\d+:", text, re.M),
       "protoc knows every field", text[:300])
tap.ok(text.count("log_message {") == 3 and text.count("  track_event {") == 24,
       "a message that an event repeats is one packet", text.count("  track_event {"))
tap.ok(sorted(re.findall(r'name: "(\w[^"]*)"(?=[^{}]*counter \{)', text)) ==
       ["level", "load:1:average:0", "memory:used: by all:3"], "counters have the names that Perfetto gives FXT's, or one value's",
       re.findall(r'name: "(.*)"', text))
done = convert("events.pftrace", "events2.fxt")
tap.ok(done.returncode == 0 and not done.stderr, "packets become FXT", done.stderr)
same("the same events", [x for x in dump("events.fxt") if "name=\"clock\"" not in x],
     [x for x in dump("events2.fxt") if "kernel-object" not in x and "name=\"clock\"" not in x])


def kernel_events():
    write("kernel.fxt", kernel().data)
    done = convert("kernel.fxt", "kernel.pftrace")
    tap.ok(done.returncode == 0 and not done.stderr, "the kernel's events become packets", done.stderr)
    text = decode("kernel.pftrace")
    tap.ok(text.startswith("packet {") and not re.search(r"^ *\d+:", text, re.M), "protoc knows every field", text[:300])
    said = {name: len(re.findall(rf"^      {name} \{{", text, re.M)) for name in (
        "irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit", "sys_enter", "sys_exit", "cpu_idle",
        "cpu_frequency", "sched_blocked_reason")}
    calls = (10, 6) if MACHINE in ("x86_64", "aarch64") else (0, 0)
    tap.ok(said == {"irq_handler_entry": 4, "irq_handler_exit": 3, "softirq_entry": 12, "softirq_exit": 11,
                    "sys_enter": calls[0], "sys_exit": calls[1], "cpu_idle": 3, "cpu_frequency": 2,
                    "sched_blocked_reason": 4}, "each as ftrace has it", said)
    tap.ok(text.count("system_info {") == 1 and f'machine: "{MACHINE}"' in text and "num_cpus: 2" in text,
           "system information is one packet, with the machine")
    symbols = dict(re.findall(r'kernel_symbols \{\s+iid: (\d+)\s+str: "(\w+)"', text))
    reasons = re.findall(r"sched_blocked_reason \{\s+pid: (\d+)\s+caller: (\d+)\s+io_wait: (\d)", text)
    tap.ok([(pid, symbols.get(caller), wait) for pid, caller, wait in reasons] ==
           [("10", "folio_wait_bit_common", "1"), ("11", "pipe_read", "0"), ("12", "pipe_read", "0"),
            ("13", "odd", "0")], "why a thread sleeps, behind its switch", reasons)
    names = dict(re.findall(r'function_names \{\s+iid: (\d+)\s+str: "([^"]*)"', text))
    frames = dict(re.findall(r"frames \{\s+iid: (\d+)\s+function_name_id: (\d+)", text))
    stacks = [[names[frames[i]] for i in re.findall(r"frame_ids: (\d+)", body)]
              for body in re.findall(r"callstacks \{\s+iid: \d+\s+((?:frame_ids: \d+\s+)+)", text)]
    tap.ok(stacks[:2] == [["do_read", "folio_wait_bit_common", "io_schedule"], ["...", "vfs_read", "pipe_read"]] and
           text.count("callstack_iid: ") == 5 and len(stacks) == 4, "stacks, the outermost function first", stacks)
    said = [re.findall(r"debug_annotations \{", body) for body in re.split(r"\n  track_event \{", text)[1:]
            if "callstack_iid" in body]
    arguments = [len(x) for x in said]
    tap.ok(sorted(arguments) == [1, 1, 1, 2, 3] and 'str: "pipe_read < vfs_read < ..."' not in text,
           "what the callstack says is no argument, nor is an iowait of 0", arguments)
    weights = [float(w) for w in re.findall(r"callstack_weight: ([\d.]+)", text)]
    tap.ok(weights == [30, 37], "how long each slept", weights)
    tap.ok(re.search(r"phase: 2\s+cpu_stats \{\s+cpu: 0\s+overrun: 17", text), "losses as ftrace's statistics")
    done = convert("kernel.pftrace", "kernel2.fxt")
    tap.ok(done.returncode == 0 and not done.stderr, "packets become FXT", done.stderr)
    events = [[x for x in dump(name) if "kernel-object" not in x and 'name="clock"' not in x and
               'name="backend"' not in x and 'name="host"' not in x] for name in ("kernel.fxt", "kernel2.fxt")]
    same("the same records", *events)
    for machine, number in (("x86_64", 0), ("aarch64", 63), ("other", None)):
        write("other.fxt", kernel(machine).data)
        convert("other.fxt", "other.pftrace")
        ids = set(re.findall(r"sys_enter \{\s+id: (\d+)", decode("other.pftrace")))
        tap.ok(str(number) in ids if number is not None else not ids,
               f"calls of {machine} " + ("are slices" if number is None else "have its numbers"), ids)
        convert("other.pftrace", "other2.fxt")
        same("which come back, too", [x for x in dump("other.fxt") if "syscalls" in x],
             [x for x in dump("other2.fxt") if "syscalls" in x])


kernel_events()


def uninterpreted():
    """Lines of ftrace that nothing interprets: generic events of their CPU, and in Perfetto's own forms."""
    write("other.txt", b"""\
 client-7 [001] ..... 10.000001: binder_transaction: transaction=5 dest_node=9 dest_proc=8 reply=0 flags=0x10 code=0x3
 server-8 [001] ..... 10.000002: binder_transaction_received: transaction=5
 client-7 [001] ..... 10.000003: binder_return: cmd=0x7206 BR_TRANSACTION_COMPLETE
 <idle>-0 [001] ..... 10.000004: sched_blocked_reason: pid=7 iowait=1 caller=worker_thread+0x534/0x820
 client-7 [001] ..... 10.000005: cpu_frequency_limits: min=500000 max=2800000 cpu_id=6
 client-7 [001] ..... 10.000006: some_event: what=that count=-5
""")
    convert("other.txt", "other.fxt", "--from=ftrace")
    convert("other.fxt", "other.pftrace")
    text = decode("other.pftrace")
    forms = re.findall(r"^      (\d+|sched_blocked_reason) \{((?:\n {8,}.*)*)", text, re.M)
    tap.ok([name for name, _ in forms] == ["327", "50", "51", "327", "486", "327", "sched_blocked_reason", "12", "327"],
           "what nothing interprets is generic, and as Perfetto has it, or that alone where it has all fields",
           [name for name, _ in forms])
    fields = {name: re.findall(r"(\w+): (\S+)", body) for name, body in forms if name != "327"}
    tap.ok(fields.get("50") == [("1", "5"), ("2", "9"), ("3", "8"), ("5", "0"), ("6", "3"), ("7", "16")] and
           fields.get("486") == [("1", str(0x7206))] and
           fields.get("12") == [("1", "500000"), ("2", "2800000"), ("3", "6")] and
           [x for x in fields.get("sched_blocked_reason", []) if x[0] != "caller"] == [("pid", "7"), ("io_wait", "1")] and
           "worker_thread+0x534/0x820" in text, "by number", fields)
    convert("other.pftrace", "other2.fxt")
    same("which come back once", [x for x in dump("other.fxt") if "ftrace" in x],
         [x for x in dump("other2.fxt") if "ftrace" in x])


def first():
    """A thread's first wakeup, where no switch said what runs there: runnable for Perfetto, and one process and thread."""
    f = File().provider(1, "fxtrec").named(5, 5, "parent", leader=True).named(7, 7, "p", 15, leader=True)
    f.named(20, 21, "of 20", 16).cpu(0).wakeup(20, 0, 7, 120, waker=5, new=True).wakeup(30, 0, 21, 120, waker=5, new=True)
    write("first.fxt", f.switch(40, 0, 0, 120, 1, 7, 120).data)
    convert("first.fxt", "first.pftrace")
    text = decode("first.pftrace")
    tap.ok(re.findall(r"sched_(\w+) \{\n.*\n\s+pid: (\d+)", text) == [("waking", "7"), ("wakeup_new", "7"),
                                                                      ("waking", "21"), ("wakeup_new", "21")] and
           "task_newtask" not in text, "a first wakeup is a wakeup for Perfetto, too", text[-1500:])
    convert("first.pftrace", "first2.fxt")
    kept = [[x for x in dump(name) if "wakeup" in x or "kernel-object" in x] for name in ("first.fxt", "first2.fxt")]
    same("which comes back once, and makes no thread another process's", *kept)


def anew():
    """A thread that a second recording names on a CPU before that switches: no new one of what ran there in the first."""
    f = File().provider(1, "fxtrec").named(5, 5, "first", leader=True).cpu(0)
    write("before.fxt", f.switch(20, 0, 0, 120, 1, 5, 120).data)
    f = File().provider(1, "fxtrec").named(5, 5, "first", 102, leader=True).named(7, 7, "ends", 102, leader=True).cpu(0)
    f.named(7, 7, "ends", 100, leader=True).switch(110, 0, 0, 120, 1, 7, 120).switch(120, 0, 7, 120, 5, 0, 120)
    write("behind.fxt", f.named(8, 8, "made", 130, leader=True).named(7, 9, "made too", 110).data)
    done = tap.run([FXTREC, "convert", path("before.fxt"), path("behind.fxt"), "-o", path("both.pftrace")])
    text = decode("both.pftrace")
    tap.ok(done.returncode == 0 and re.findall(r"task_newtask \{\n\s+pid: (\d+)", text) == ["9"],
           "a thread is new where its own recording says what made it", (done.stderr, text[-1500:]))


def typed():
    """A recorded tracepoint that Perfetto has a message of is that, too: whole ones of a CPU, no marks."""
    f = File().provider(1, "fxtrec").named(5, 5, "p", leader=True)
    f.event(INSTANT, 9, 5, 5, "kmem", "mark_victim", [("pid", 5)]).cpu(1)
    f.event(INSTANT, 10, 5, 5, "kmem", "rss_stat", [("mm_id", 7), ("curr", 1), ("member", 1), ("size", 4096)])
    f.event(INSTANT, 20, 5, 5, "kmem", "rss_stat", [("mm_id", 7), ("curr", 1), ("type", 1), ("size", 4096)])
    f.event(INSTANT, 30, 5, 5, "power", "suspend_resume", [("action", "sync"), ("val", 3), ("start", 1)])
    f.event(INSTANT, 40, 5, 5, "workqueue", "workqueue_execute_start").event(INSTANT, 50, 5, 5, "", "hyp_exit")
    f.event(INSTANT, 60, 5, 5, "oom", "mark_victim", [("pid", 5), ("uid", 0)])
    write("typed.fxt", f.data)
    convert("typed.fxt", "typed.pftrace")
    text = decode("typed.pftrace")
    tap.ok(re.findall(r"^      (\d+) \{\n((?: {8}.*\n)*)", text, re.M) ==
           [("313", "        1: 1\n        2: 4096\n        3: 1\n        4: 7\n"),
            ("113", '        1: "sync"\n        2: 3\n        3: 1\n'), ("334", "        1: 5\n")] and
           text.count("    type: 3\n") == 6 and text.count('buf: "I|5|hyp_exit"') == 1,
           "recorded tracepoints have Perfetto's own messages besides", text)
    convert("typed.pftrace", "typed2.fxt")
    same("and come back once", *([x for x in dump(name) if "instant" in x] for name in ("typed.fxt", "typed2.fxt")))


def together():
    """Operations of one category and number nest; a slice of no length has those of its time within it."""
    f = File().provider(1, "x").named(5, 5, "p", leader=True)
    f.event(ASYNC_BEGIN, 10, 5, 5, "c", "outer", [], 1).event(ASYNC_BEGIN, 20, 5, 5, "c", "inner", [], 1)
    f.event(ASYNC_END, 30, 5, 5, "c", "inner", [], 1).event(ASYNC_END, 40, 5, 5, "c", "outer", [], 1)
    f.event(ASYNC_BEGIN, 50, 5, 5, "other", "apart", [], 1).event(COMPLETE, 60, 5, 5, "c", "nothing", [], 60)
    write("together.fxt", f.data)
    convert("together.fxt", "together.pftrace")
    text = decode("together.pftrace")
    uuids = re.findall(r"^    track_uuid: (\d+)", text, re.M)
    tap.ok(len(uuids) == 6 and len(set(uuids[:4])) == 1 and uuids[4] not in uuids[:4],
           "operations of one category and number have one track", text)
    tap.ok(re.search(r"legacy_event \{\s+phase: 88\s+duration_us: 0\s+\}", text), "a slice of no length", text[-600:])
    convert("together.pftrace", "together2.fxt")
    same("the same records", [x for x in dump("together.fxt") if "category" in x],
         [x for x in dump("together2.fxt") if "category" in x])


uninterpreted()
first()
anew()
typed()
together()

# What the format can't hold is counted.
f = File().provider(1, "x").event(INSTANT, 5, 1 << 40, 1, "c", "n")
f.object(3, 77, "a port").event(COUNTER, 6, 1, 1, "c", "n", [("text", "no number")], 0)
write("unheld.fxt", f.data)
done = convert("unheld.fxt", "unheld.pftrace")
for kind in ("koids of more than 31 bits", "kernel objects other than", "counter arguments that are not numbers"):
    tap.ok(kind in done.stderr, f"counted: {kind}", done.stderr)

# Compressed packets; damaged and cut files.
with open(path("sched.pftrace"), "rb") as f:
    whole = packets.unpacked(f.read())


def packet(field, body):
    def varint(n):
        out = b""
        while n > 127:
            out += bytes([n & 127 | 128])
            n >>= 7
        return out + bytes([n])
    inner = varint(field << 3 | 2) + varint(len(body)) + body
    return b"\x0a" + varint(len(inner)) + inner


write("packed.pftrace", packet(50, zlib.compress(whole)))
done = convert("packed.pftrace", "packed.fxt")
same("compressed packets are read", dump("sched2.fxt"), dump("packed.fxt"))
write("bomb.pftrace", packet(50, zlib.compress(packet(50, zlib.compress(whole)))))
done = convert("bomb.pftrace", "bomb.fxt")
tap.ok(done.returncode == 1 and "0x00000000: compressed packets in compressed packets" in
       done.stderr, "not within each other", done.stderr)
write("bomb.pftrace", packet(50, zlib.compress(bytes(100 << 20))))
done = convert("bomb.pftrace", "bomb.fxt")
tap.ok(done.returncode == 1 and "more than 16 MiB" in done.stderr, "nor without bound", done.stderr)
write("cut.pftrace", whole[:-5])
done = convert("cut.pftrace", "cut.fxt", "--strict")
tap.ok(done.returncode == 1 and re.search(r"cut.pftrace: 0x[0-9a-f]{8}: cut", done.stderr) and
       done.stderr.count("\n") == 1 and not os.path.exists(path("cut.fxt")),
       "a cut file is an error of one line, and leaves nothing", done.stderr)
done = convert("cut.pftrace", "cut.fxt")
tap.ok(done.returncode == 0 and "1 ends of files" in done.stderr and os.path.exists(path("cut.fxt")),
       "by default, what came before is kept", done.stderr)
write("deep.pftrace", whole + packet(11, b"\x22\x80\x80\x40" + b"\x5a\xff\xff\x3f" * 200))
done = convert("deep.pftrace", "deep.fxt", "--strict")
tap.ok(done.returncode == 1 and "a packet is malformed" in done.stderr, "a malformed packet", done.stderr)
write("flip.pftrace", whole)
crashed = []
for at in range(0, len(whole), 3):
    data = bytearray(whole)
    data[at] ^= 0xFF
    write("flip.pftrace", data)
    done = convert("flip.pftrace", "flip.fxt", "--lenient", "--from=perfetto")
    if done.returncode not in (0, 1) or "Sanitizer" in done.stderr:
        crashed.append((at, done.returncode, done.stderr[-300:]))
tap.ok(not crashed, "no changed byte brings it down", crashed[:3])
tap.done()
