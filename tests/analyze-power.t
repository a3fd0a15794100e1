#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits for an idle CPU: the exit from its idle state, by the state's name, and the rest, in synthetic traces."""
import csv
import io
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import BEGIN, COMPLETE, COUNTER, END, INSTANT, File, Unsigned, Unsigned64

START = 10 ** 12
TRACK, LOSSES = 0x41000000, 0x40000000
EVENTS = 2 << 16
VICTIM, WAKER = 11, 12


class Trace:
    """A thread that sleeps and is woken, on CPU 0; its waker runs on CPU 1.  Times are in ns."""

    def __init__(self, states="POLL C1 C6"):
        self.now = START
        self.f = f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18, START, START)
        for cpu in (0, 1):
            args = [("cpu", Unsigned(cpu))] + ([("idle_states", states)] if states else [])
            f.event(INSTANT, START - 10, 0, 0, "fxtrec", "processor", args)
        for tid in (VICTIM, WAKER):
            f.named(tid, tid, f"t{tid}", START - 100, leader=True)
        f.cpu(0).switch(START, 0, 0, 120, 1, VICTIM, 120).cpu(1).switch(START, 1, 0, 120, 1, WAKER, 120)

    def idle(self, at, state, cpu=0):
        self.f.cpu(cpu).event(COUNTER, at, 9, TRACK | cpu, "power", "cpu_idle", [("state", state)], extra=cpu)

    def handler(self, start, end):
        for kind, at in (BEGIN, start), (END, end):
            self.f.cpu(0).event(kind, at, 9, TRACK, "irq", "eth0", [("irq", 7)])

    def wait(self, state=None, exits=None, between=None):
        """Sleeps for 4000 ns; state: of the CPU from 100 ns on, to so long after the wakeup.  The wait takes 1000 ns."""
        start = self.now + 1000
        self.f.cpu(0).switch(start, 0, VICTIM, 120, 3, 0, 120)
        if state is not None:
            self.idle(start + 100, state)
        if between:
            between(start)
        self.f.cpu(1).wakeup(start + 4000, 0, VICTIM, 120, waker=WAKER)
        if exits is not None:
            self.idle(start + 4000 + exits, -1)
        self.f.cpu(0).switch(start + 5000, 0, 0, 120, 1, VICTIM, 120)
        self.now = start + 5000
        return self

    def write(self, folder, name="power.fxt"):
        self.f.cpu(0).switch(self.now + 1000, 0, VICTIM, 120, 3, 0, 120).cpu(1).switch(self.now + 2000, 1, WAKER, 120, 3, 0, 120)
        return self.f.write(folder, name)


def blamed(path, *options):
    done = json.loads(tap.said("blame", "--json", "--waits=cpu", *options, path))
    return {(c["kind"], c.get("name")): c["ns"] for v in done["victims"] if v["tid"] == VICTIM for c in v["culprits"]}


def segments(path):
    done = json.loads(tap.said("path", "--json", f"-t{VICTIM}", path))
    return [(s["to_ns"] - s["from_ns"], s["reason"]) for w in done["windows"] for s in w["segments"] if s["kind"] == "wait"]


def splits(folder):
    path = Trace().wait(2, exits=800).wait(1, exits=300).wait().write(folder)
    found = blamed(path)
    tap.ok(found == {("idle", "C6"): 800, ("idle", "C1"): 300, ("idle", None): 1900}, "blame has each state's exit and the rest", found)
    found = segments(path)
    tap.ok(found == [(800, "idle CPU in C6"), (200, "idle CPU"), (300, "idle CPU in C1"), (700, "idle CPU"), (1000, "idle CPU")],
           "path has them as segments", found)
    found = [(r["reason"], int(r["to_ns"]) - int(r["from_ns"]))
             for r in csv.DictReader(io.StringIO(tap.said("path", "--csv", f"-t{VICTIM}", path))) if r["kind"] == "wait"]
    tap.ok(found[0] == ("idle CPU in C6", 800), "CSV of path, too", found)
    behind = json.loads(tap.said("path", "--json", f"-t{VICTIM}", path))["behind"]
    tap.ok({(b["kind"], b.get("name")): b["ns"] for b in behind} == {("idle", "C6"): 800, ("idle", "C1"): 300, ("idle", None): 1900},
           "so have its sums", behind)
    text = tap.said("blame", path) + tap.said("path", f"-t{VICTIM}", path)
    tap.ok("idle C6 " in text and "behind an idle CPU in C6" in text, "text names the state", text)
    text = tap.said("blame", "--over=900ns", path)
    tap.ok("0.001 ms idle C6, 0.000 ms idle" in text, "the story of a wait, too", text)
    found = [(c["busy_ns"], c["idle_ns"], c["interrupt_ns"]) for c in json.loads(tap.said("report", "--json", path))["cpus"] if c["cpu"] == 0]
    tap.ok(found == [(4000, 16000, 0)], "an idle state is no interrupt, and no time of its own", found)
    cut = blamed(path, f"--time=@{START + 5500},@{START + 5900}")
    tap.ok(cut == {("idle", "C6"): 300, ("idle", None): 100}, "in a range of time", cut)


def unnamed(folder):
    path = Trace(None).wait(2, exits=800).write(folder)
    tap.ok(blamed(path) == {("idle", "state 2"): 800, ("idle", None): 200}, "a state without a name has its number", blamed(path))
    path = Trace("POLL ? C6").wait(1, exits=800).wait(3, exits=100).wait(0, exits=50).write(folder)
    found = blamed(path)
    tap.ok(found == {("idle", "state 1"): 800, ("idle", "state 3"): 100, ("idle", "POLL"): 50, ("idle", None): 2050},
           "one that isn't among the names, too", found)


def handled(folder):
    """An interrupt's handler in a state, as it is on a CPU that halts with interrupts on."""
    t = Trace()
    t.wait(2, exits=800, between=lambda start: t.handler(start + 4500, start + 4600))
    found = blamed(t.write(folder))
    tap.ok(found == {("idle", "C6"): 700, ("irq", "eth0"): 100, ("idle", None): 200}, "a handler precedes the state", found)


def uncertain(folder):
    """Where an event of a state may be missing, the wait is for an idle CPU alone."""
    def loss(at):
        return lambda start: t.f.event(COMPLETE, start + at, 9, LOSSES | EVENTS, "fxtrec", "lost",
                                       [("cause", "ring full"), ("records", Unsigned64(9))], extra=start + at + 10)

    t = Trace()
    t.wait(2, exits=None, between=loss(3000))
    found = blamed(t.write(folder))
    tap.ok(found == {("idle", None): 1000}, "after a loss of events the state isn't known", found)
    t = Trace()
    t.wait(2, exits=None, between=loss(4300))
    found = blamed(t.write(folder))
    tap.ok(found == {("idle", "C6"): 300, ("idle", None): 700}, "nor from a loss during the exit on", found)
    found = blamed(Trace().wait(2).wait().write(folder))
    tap.ok(found == {("idle", "C6"): 1000, ("idle", None): 1000}, "a state ends with the idle thread's run", found)
    t = Trace()
    t.idle(START + 500, 2)
    found = blamed(t.wait().write(folder))
    tap.ok(found == {("idle", None): 1000}, "a busy CPU is in no idle state", found)
    t = Trace()
    for state in (Unsigned(2), "C6", 2 ** 31 - 1, -5):
        t.idle(START + 1100, state)
    t.idle(START + 1100, 1, cpu=60000)
    found = blamed(t.wait().write(folder))
    tap.ok(sum(found.values()) == 1000 and set(found) <= {("idle", None)}, "other values end a state", found)
    found = json.loads(tap.said("report", "--json", t.write(folder)))["cpus"]
    tap.ok({c["cpu"] for c in found} == {0, 1}, "a CPU of power events alone is none that was recorded", found)


with tempfile.TemporaryDirectory() as folder:
    splits(folder)
    unnamed(folder)
    handled(folder)
    uncertain(folder)
tap.done()
