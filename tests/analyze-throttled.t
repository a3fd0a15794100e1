#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Bandwidth throttling in small traces, of which it is known when a thread was kept from running by its group's limit."""
import csv
import json
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import COMPLETE, INSTANT, File, Koid, Unsigned, Unsigned64

R, S = 1, 3
VICTIM, NEIGHBOUR, REALTIME, OTHER = 5, 6, 9, 10
LIMITED, FREE = 7, 8
LOSSES, TRACK = 0x40000000, 0x41030000


def cpu(f, number):
    """The section of a CPU, in ticks of a microsecond, as all times here are."""
    return f.cpu(number).add(1, struct.pack("<Q", 1000000))


def begun(kind):
    f = File().provider(1, "fxtrec").add(1, struct.pack("<Q", 1000000))
    f.event(INSTANT, 900, 3, 3, "fxtrec", "host", [("host", "h"), ("throttling", kind)])
    for tid, name, group in ((VICTIM, "victim", LIMITED), (NEIGHBOUR, "neighbour", FREE), (REALTIME, "realtime", LIMITED),
                             (OTHER, "other", FREE)):
        member = [("cgroup_id", Unsigned64(group))] if kind == "queues" else []
        f.object(1, tid, name)
        f.object(2, tid, name, [("process", Koid(tid)), ("since", Unsigned64(900)), *member])
    return cpu(f, 0)


def group(f, time, name, number, cpu=0):
    return f.event(INSTANT, time, 3, TRACK, "sched", name, [("cgroup_id", Unsigned64(number)), ("cpu", Unsigned(cpu))])


def thread(f, time, name, tid=VICTIM):
    return f.event(INSTANT, time, tid, tid, "sched", name, [("cgroup_id", Unsigned64(LIMITED))])


class Trace:
    def __init__(self, folder, f):
        self.path = os.path.join(folder, "t.fxt")
        with open(self.path, "wb") as out:
            out.write(f.data)

    def said(self, *arguments):
        done = tap.run([tap.FXTREC, *arguments, self.path])
        return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}

    def blame(self, tid=VICTIM):
        rows = self.said("blame", "--json", "-t", str(tid)).get("victims", [])
        return {c["tid"] if c["kind"] == "thread" else c["kind"]: c["ns"] // 1000 for row in rows for c in row["culprits"]}

    def row(self, tid=VICTIM):
        return next(t for t in self.said("report", "--json")["threads"] if t["tid"] == tid)


def queues(folder):
    """A queue that is throttled has all threads of the group that are ready, and that become ready."""
    f = begun("queues")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120)
    group(f, 2000, "throttle_group", LIMITED)
    f.switch(2010, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    group(f, 5000, "unthrottle_group", LIMITED)
    f.switch(5500, 0, NEIGHBOUR, 120, R, VICTIM, 120)
    f.switch(6000, 0, VICTIM, 120, S, NEIGHBOUR, 120)
    group(f, 7000, "throttle_group", LIMITED)
    f.wakeup(8000, 0, VICTIM, 120, waker=NEIGHBOUR)
    f.wakeup(8100, 0, REALTIME, 50, waker=NEIGHBOUR)
    f.switch(8200, 0, NEIGHBOUR, 120, R, REALTIME, 50)
    f.switch(8300, 0, REALTIME, 50, S, NEIGHBOUR, 120)
    f.migrate(9000, 0, 3, VICTIM, 120, 0, 1)
    f.switch(9900, 0, NEIGHBOUR, 120, S, 0, 0)
    cpu(f, 1).switch(1000, 1, OTHER, 120, S, 0, 0).switch(9400, 1, 0, 0, R, VICTIM, 120).switch(9900, 1, VICTIM, 120, S, 0, 0)
    t = Trace(folder, f)
    tap.ok(t.blame() == {"throttled": 2990 + 1000, NEIGHBOUR: 500, "idle": 400},
           "queues: a thread is throttled while its group is on the CPU that it waits for", t.blame())
    tap.ok(t.row()["throttled_ns"] == 3990000 and t.row()["wait_preempted_ns"] + t.row()["wait_wakeup_ns"] == 4890000,
           "that is a part of its waits", t.row())
    tap.ok("throttled" not in t.blame(NEIGHBOUR) and t.blame(REALTIME) == {NEIGHBOUR: 100},
           "a thread of another group is not, nor one of a real-time priority", (t.blame(NEIGHBOUR), t.blame(REALTIME)))
    segments = [(s["from_ns"] // 1000, s["to_ns"] // 1000, s["reason"]) for s in t.said("path", "--json", f"-t{VICTIM}")["windows"][0]["segments"]
                if s["kind"] == "wait"]
    tap.ok((2010, 5000, "throttled") in segments and (8000, 9000, "throttled") in segments and
           sum(to - since for since, to, _ in segments) == 4890, "path says so", segments)
    laps = [json.loads(line) for line in tap.run([tap.FXTREC, "top", "--batch", "--json", "--interval=1ms", t.path]).stdout.splitlines()]
    sums = [r["throttled_ns"] for lap in laps for r in lap["threads"] if r["tid"] == VICTIM]
    tap.ok(sums == [0, 990000, 0, 0, 0, 1000000, 0], "laps cut it, of which those without events are left out", sums)
    done = tap.run([tap.FXTREC, "query", "--csv", t.path, "SELECT throttled_dur FROM thread_state JOIN thread USING (utid) "
                    f"WHERE tid = {VICTIM} AND throttled_dur > 0 ORDER BY ts"])
    tap.ok(done.stdout.split()[1:] == ["2990000", "1000000"], "query has the part of each wait", done.stdout + done.stderr)
    held = tap.run([tap.FXTREC, "report", f"--assert=throttled{{tid={VICTIM}}} == 3990us", t.path])
    tap.ok(held.returncode == 0, "an assertion has it", held.stderr)
    idle = next(c for c in t.said("report", "--json")["cpus"] if c["cpu"] == 0)["idle_while_waiting_ns"]
    tap.ok(idle == 1200000, "nor does it wait while another CPU is idle", idle)


def threads(folder):
    """Of a group whose threads stop by themselves, one that didn't may wait for others."""
    f = begun("threads")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120)
    group(f, 2000, "throttle_group", LIMITED)
    f.switch(2100, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.switch(2500, 0, NEIGHBOUR, 120, R, VICTIM, 120)
    thread(f, 2600, "throttle_thread")
    f.switch(2610, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    group(f, 5000, "unthrottle_group", LIMITED)
    f.switch(5500, 0, NEIGHBOUR, 120, R, VICTIM, 120)
    f.switch(6000, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.switch(6500, 0, NEIGHBOUR, 120, S, VICTIM, 120)
    f.switch(7000, 0, VICTIM, 120, S, 0, 0)
    t = Trace(folder, f)
    tap.ok(t.blame() == {"throttled": 2390, NEIGHBOUR: 400 + 500 + 500},
           "threads: one is throttled from where it stops to where its group may go on", t.blame())
    f = begun("threads")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120)
    thread(f, 2600, "throttle_thread")
    f.switch(2610, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    thread(f, 5000, "unthrottle_thread")
    f.switch(5500, 0, NEIGHBOUR, 120, R, VICTIM, 120)
    f.switch(6000, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.switch(6500, 0, NEIGHBOUR, 120, S, VICTIM, 120)
    f.switch(7000, 0, VICTIM, 120, S, 0, 0)
    t = Trace(folder, f)
    tap.ok(t.blame() == {"throttled": 2390, NEIGHBOUR: 500 + 500}, "without events of groups, too", t.blame())


def lost(folder):
    """Where an end may be lost, a group is not said to be throttled for ever."""
    f = begun("queues")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120)
    group(f, 2000, "throttle_group", LIMITED)
    f.switch(2010, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.event(COMPLETE, 3000, 3, LOSSES, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned64(9))], extra=4000)
    f.switch(5500, 0, NEIGHBOUR, 120, R, VICTIM, 120)
    f.switch(6000, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.switch(6500, 0, NEIGHBOUR, 120, S, VICTIM, 120)
    f.switch(7000, 0, VICTIM, 120, S, 0, 0)
    t = Trace(folder, f)
    row = t.row()
    tap.ok(t.blame() == {"throttled": 990, NEIGHBOUR: 500} and row["throttled_ns"] == 990000 and
           row["wait_preempted_ns"] == 1490000, "a loss ends what is known", (t.blame(), row))


def unknown(folder):
    f = begun("unknown")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120).switch(2000, 0, VICTIM, 120, S, 0, 0)
    t = Trace(folder, f)
    text = tap.run([tap.FXTREC, "blame", t.path]).stdout
    tap.ok(t.row()["throttled_ns"] is None and "throttling isn't known" in text,
           "a recorder that couldn't record it says so, and so do the analyses", text)


def turns(folder):
    """A thread's turns on its CPU, each with the throttled part of the wait before it."""
    f = begun("queues")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120)
    group(f, 2000, "throttle_group", LIMITED)
    f.switch(2010, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    group(f, 5000, "unthrottle_group", LIMITED)
    f.switch(5500, 0, NEIGHBOUR, 120, R, VICTIM, 120).switch(6000, 0, VICTIM, 120, R, NEIGHBOUR, 120)
    f.switch(7000, 0, NEIGHBOUR, 120, R, VICTIM, 120).switch(7500, 0, VICTIM, 120, S, NEIGHBOUR, 120)
    t = Trace(folder, f)
    rows = [(r["wait_ns"], r["throttled_ns"]) for r in t.said("timehist", "--json")["switches"] if r["tid"] == VICTIM]
    table = list(csv.DictReader(tap.run([tap.FXTREC, "timehist", "--csv", t.path]).stdout.splitlines()))
    tap.ok(rows == [(None, None), (3490000, 2990000), (1000000, 0)] and
           [row["throttled_ns"] for row in table if row["comm"] == "victim"] == ["", "2990000", "0"],
           "timehist: the throttled part of each wait", (rows, table))


def quota(f, time, name, counts):
    return f.event(INSTANT, time, 3, 3, "fxtrec", "quota", [("group", name), *zip(
        ("periods", "throttled", "throttled_ns"), map(Unsigned64, counts))])


def counted(folder):
    """What the kernel counted, where it isn't known when: between the first reading and the last one by time."""
    f = begun("unknown")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120).switch(2000, 0, VICTIM, 120, S, 0, 0)
    for time, name, counts in ((3000950, "/limited", (52, 15, 5200000000)), (950, "/limited", (12, 3, 2000000000)),
                               (2000000, "/limited", (30, 9, 4000000000)), (950, "/idle", (7, 2, 100)),
                               (3000950, "/idle", (9, 2, 100)), (950, "/again", (7, 2, 100)),
                               (3000950, "/again", (6, 3, 200)), (950, "/once", (9, 9, 9000000000))):
        quota(f, time, name, counts)
    text = tap.run([tap.FXTREC, "report", Trace(folder, f).path]).stdout
    lines = [line for line in text.splitlines() if "cpu.stat" in line]
    tap.ok(lines == ["throttled by cpu.stat: /limited 3.200 s, in 12 of 40 periods of 3.000 s"],
           "the kernel's counts, where throttling isn't known", text)
    f = begun("queues")
    f.switch(1000, 0, 0, 0, R, VICTIM, 120).switch(2000, 0, VICTIM, 120, S, 0, 0)
    quota(quota(f, 950, "/limited", (1, 1, 1)), 2000, "/limited", (9, 9, 9000000000))
    tap.ok("cpu.stat" not in tap.run([tap.FXTREC, "report", Trace(folder, f).path]).stdout,
           "no counts where each throttling is recorded")


def main():
    with tempfile.TemporaryDirectory() as folder:
        queues(folder)
        threads(folder)
        lost(folder)
        unknown(folder)
        counted(folder)
        turns(folder)
    tap.done()


main()
