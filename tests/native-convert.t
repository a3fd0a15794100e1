#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A recording of this machine in every format and back; its text against ftrace's own."""
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import ftrace
import judge
import oracle
import tap
from fxt import Migration, Switch
from session import session

EVENTS = tap.amount("EVENTS", 100000, 200000)


def text_events(path):
    """
    As ftrace.parse() gives them: (ns, event, comm, next comm) by CPU.  A migration's record does not
    have the thread that migrates: the text names the one that was last switched to, which is not it
    where the kernel hides a switch.
    """
    events = ftrace.parse(path)
    for event in (e for of_cpu in events.values() for _, e, *_ in of_cpu):
        if isinstance(event, Migration):
            event.by = None
    return events


def judge_text(recording, ours, theirs):
    """Our text against the kernel's: all fields, names too, by time in microseconds."""
    problems, compared, unrecorded = [], 0, oracle.Unrecorded(recording)
    newborn = oracle.Newborn(recording, theirs)
    for cpu in sorted(ours):
        mine = [(ns, e) for ns, e, _, _ in ours[cpu]]
        comms = {id(e): (a, b) for _, e, a, b in ours[cpu]}
        mine, others, notes = oracle.comparable(recording, mine, theirs, cpu)
        for line in notes:
            tap.note(line)
        if not mine:
            continue
        others, start = oracle.align(mine, others, lambda ns: ns), 0
        for i, (ns, event) in enumerate(mine):
            start += unrecorded.skip(event, others, start + i)
            if start + i >= len(others) or not oracle.same(event, others[start + i][1]):
                problems.append(f"cpu {cpu}, {ns}: {event} is {others[start + i:start + i + 1]}")
                break
            tids = (event.prev, event.next) if isinstance(event, Switch) else (event.pid, None)
            shown = tuple("<...>" if newborn.inherits(ns, tid, name) else name
                          for tid, name in zip(tids, others[start + i][2:]))
            if comms[id(event)] != shown and not renaming(recording, event, ns):
                problems.append(f"cpu {cpu}, {ns}: names {comms[id(event)]} are {shown}")
                break
            compared += 1
    tap.note(f"{compared} lines compared")
    tap.ok(not problems and compared, "the text is ftrace's own, field by field", problems)


def renaming(recording, event, ns):
    """Whether a thread of the event is being renamed then: its name is either one's."""
    return any(abs(recording.monotonic(since) - ns) < oracle.RENAME_NS
               for tid in event[:5] for since, _ in recording.names.get(tid, ()))


def drifted(source, target):
    """Copies a recording, as if it were on a time-stamp counter that is slower than its rate."""
    readings = [int(line.split()[0], 16) for line in tap.run([tap.FXTREC, "dump", source]).stdout.splitlines()
                if ' instant: ' in line and ' name="clock" ' in line]
    with open(source, "rb") as f:
        data = bytearray(f.read())
    begin, end = (struct.unpack_from("<Q", data, at + 8)[0] for at in (readings[0], readings[-1]))
    for at in readings:
        # The string's index in its argument: "mono", "boot" and "tsc" follow each other.
        data[at + 20] += 2
        if at == readings[-1]:
            for word in (6, 8):
                struct.pack_into("<Q", data, at + 8 * word,
                                 struct.unpack_from("<Q", data, at + 8 * word)[0] + (end - begin) // 2000)
    with open(target, "wb") as f:
        f.write(data)


def judge_clock(path, converted):
    """Times in between the readings of the clocks are by both."""
    done = tap.run([tap.FXTREC, "convert", path, "-o", converted], timeout=300)
    ours, theirs = judge.load(path), judge.load(converted)
    apart = [abs(ours.monotonic(a) - b) for cpu in ours.events
             for (a, _), (b, _) in zip(ours.events[cpu], theirs.events[cpu])]
    tap.ok(done.returncode == 0 and apart and max(apart) <= 2 and
           {cpu: len(of) for cpu, of in ours.events.items()} == {cpu: len(of) for cpu, of in theirs.events.items()},
           "a clock that drifts: each time is by the first and the last reading", max(apart, default=done.stderr))


def first_different(ours, theirs):
    """Some events from where they are no more the same."""
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    return len(ours), len(theirs), at, ours[max(at - 2, 0):at + 3], theirs[max(at - 2, 0):at + 3]


with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "native")
    said = session(out, 100000 + EVENTS // 4,
                   ["-a", "--backend=bpf", "-b", "64M", "--", os.path.join(HERE, "lib", "load.sh"),
                    str(EVENTS)])
    tap.note(said)
    recording = judge.load(out + ".fxt")
    for suffix in ("txt", "html", "json", "pftrace", "fxt.zst"):
        path = os.path.join(folder, "there." + suffix)
        there = tap.run([tap.FXTREC, "convert", out + ".fxt", "-o", path], timeout=300)
        tap.ok(there.returncode == 0, f"to {suffix}", there.stderr)
        back = tap.run([tap.FXTREC, "convert", path, "-o", out + ".back.fxt"], timeout=300)
        tap.ok(back.returncode == 0, f"from {suffix}", back.stderr)
        again = judge.load(out + ".back.fxt")
        different = [first_different(recording.events[cpu], again.events[cpu]) for cpu in recording.events
                     if recording.events[cpu] != again.events[cpu]]
        tap.ok(not different, f"{suffix} and back: the same scheduling records", different)
        judge.judge_valid(out + ".back.fxt", f"{suffix} and back")
    # A pipe can't be read twice: all records go through the spool.
    with open(out + ".fxt", "rb") as f:
        piped = tap.run([tap.FXTREC, "convert", "-", "-o", out + ".back.fxt"], stdin=f, timeout=300)
    tap.ok(piped.returncode == 0 and judge.load(out + ".back.fxt").events == recording.events,
           "from a pipe: the same scheduling records", piped.stderr)
    drifted(out + ".fxt", out + ".tsc.fxt")
    judge_clock(out + ".tsc.fxt", out + ".back.fxt")
    judge_text(recording, text_events(os.path.join(folder, "there.txt")), ftrace.parse(out + ".txt"))
tap.done()
