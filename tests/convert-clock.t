#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ticks of the time-stamp counter become CLOCK_MONOTONIC by the first and the last reading of the clocks."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from fxt import Recording
from fxtmake import File, INSTANT, Unsigned

RATE = 2_999_999_000
SECOND = 10 ** 9
HOUR = 3600
# The counter was taken for slower than it is, by 80 millionths: 0.29 s in an hour.
DRIFT = 80e-6
FIRST_TICKS, FIRST_NS = 5 * 10 ** 12, 77 * SECOND


def ticks_at(seconds):
    return FIRST_TICKS + round(seconds * RATE * (1 + DRIFT))


def clock(f, seconds, suspended=0):
    monotonic = FIRST_NS + round((seconds - suspended) * SECOND)
    f.event(INSTANT, ticks_at(seconds), 1, 1, "fxtrec", "clock", [
        ("clock", "tsc"), ("realtime", Unsigned(1_700_000_000 * SECOND + round(seconds * SECOND))),
        ("monotonic", Unsigned(monotonic)), ("boottime", Unsigned(monotonic + round(suspended * SECOND)))])


def event(f, seconds):
    f.event(INSTANT, ticks_at(seconds), 7, 7, "test", "event", [])


def convert(folder, f, name, piped=False):
    """Where the events are, in seconds of CLOCK_MONOTONIC from the first reading on; in order."""
    source, target = (os.path.join(folder, part) for part in (name + ".fxt", name + ".ns.fxt"))
    with open(source, "wb") as out:
        out.write(f.data)
    command = [tap.FXTREC, "convert", "--to=fxt", "-o", target]
    with open(source, "rb") as file:
        done = tap.run(["sh", "-c", 'cat | "$@"', "sh", *command, "-"], stdin=file) if piped else \
            tap.run([*command, source])
    tap.ok(done.returncode == 0, f"{name}: converted", done.stderr)
    return [(ticks - FIRST_NS) / SECOND for ticks, _, _, name, _ in Recording(target).instants if name == "event"]


def near(found, wanted, name):
    tap.ok(len(found) == len(wanted) and all(abs(a - b) < 1e-6 for a, b in zip(found, wanted)), name, (found, wanted))


def begin():
    f = File().provider(1, "fxtrec")
    f.add(1, struct.pack("<Q", RATE))
    clock(f, 0)
    return f


TIMES = (0, 1, HOUR / 2, HOUR - 1, HOUR)

with tempfile.TemporaryDirectory() as where:
    f = begin()
    for time in TIMES:
        event(f, time)
    clock(f, HOUR)
    # Names and the like may follow the last reading.
    f.data += b"".join(struct.pack("<3Q", 7 | 3 << 4 | 1 << 16 | 0x8004 << 24, 100 + i, 0x65656565)
                       for i in range(20000))
    near(convert(where, f, "two"), TIMES, "times between two readings")
    late = [time * (1 + DRIFT) for time in TIMES]
    near(convert(where, f, "pipe", piped=True), late, "from a pipe the first reading alone counts")
    f = begin()
    for time in TIMES:
        event(f, time)
    near(convert(where, f, "cut"), late, "so it does in a recording that was cut off")
    clock(f, HOUR, suspended=1)
    near(convert(where, f, "suspended"), late, "and in one with a suspend")
    f = begin()
    for time in (-10, 0, HOUR, HOUR + 10):
        event(f, time)
    clock(f, HOUR)
    near(convert(where, f, "outside"), (-10 * (1 + DRIFT), 0, HOUR, HOUR + 10 * (1 + DRIFT)),
         "outside the readings the rate is the nominal one")
tap.done()
