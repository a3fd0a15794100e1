#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits whose cause is certain by construction: blame and path name it, and report counts as the kernel does."""
from collections import Counter
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import groups as control
import tap

CAUSES = os.path.join(tap.TOP, "build", "tests", "causes")
SECONDS = tap.amount("SECONDS", 1.5, 5.0)
BACKEND = os.environ.get("CAUSES_BACKEND", "auto")
# Of these modes, in a guest only some.
MODES = os.environ.get("MODES", "hog realtime lock disk timer stages moves inversion net throttled nested crowded groups").split()


class Trace:
    """A recording of one mode, and which thread is which in it."""

    def __init__(self, folder, mode, **groups):
        self.file = os.path.join(folder, mode + ".fxt")
        # Rings for a machine that does other things, too: losses have tests of their own.
        done = tap.run([tap.FXTREC, "record", "--no-marks", "--stacks", "-b16M", "--backend", BACKEND, "-o", self.file, "--",
                        CAUSES, mode, str(SECONDS)],
                       cwd=folder, env={**os.environ, **groups})
        self.out, self.err = done.stdout, done.stderr
        words = [line.split() for line in done.stdout.splitlines()]
        self.tids = {w[0]: int(w[1]) for w in words if len(w) == 2}
        self.counts = {w[0]: [int(x) for x in w[1:]] for w in words if len(w) == 6}

    def said(self, command, *options):
        done = tap.run([tap.FXTREC, command, "--json", self.file, *options])
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    def victim(self, *options):
        return next(t for t in self.said("report", *options)["threads"] if t["tid"] == self.tids["victim"])

    def blame(self, *options):
        """What the victim waited for: ns by thread id, or by kind."""
        victims = self.said("blame", "--waits=cpu", "-t", str(self.tids["victim"]), *options)["victims"]
        sums = {}
        for victim in victims:
            for c in victim["culprits"]:
                culprit = c["tid"] if c["kind"] == "thread" else c["kind"]
                sums[culprit] = sums.get(culprit, 0) + c["ns"]
        return sums

    def blame_by_name(self, *options):
        """What the victim waited for most."""
        rows = self.said("blame", "--waits=cpu", "-t", str(self.tids["victim"]), *options)["victims"]
        return sorted(((c["ns"], c["kind"], c.get("comm"), c.get("cgroup")) for row in rows for c in row["culprits"]), reverse=True,
                      key=lambda c: c[0])[:6]

    def path(self):
        """The victim's critical path: ns by thread id and kind."""
        sums = {}
        for row in self.said("path", "-t", str(self.tids["victim"]))["sum"]:
            sums[row["tid"], row["kind"]] = sums.get((row["tid"], row["kind"]), 0) + row["ns"]
        return sums


def most(sums):
    return max(sums, key=sums.get) if sums else None


def counts(trace):
    """Of a thread whose whole life is in the file: what the kernel counted up to its last line."""
    victim = trace.victim()
    # The recording begins between fork() and exec(), and ends after the last count.
    before, after = trace.counts["before"], trace.counts["after"]
    run, waited, most_waited = after[0] - before[0], after[1] - before[1], after[1]
    wait = victim["wait_wakeup_ns"] + victim["wait_preempted_ns"]
    tap.note(f"run {victim['run_ns']} ns; waited {wait} ns; {victim['switches']} switches; by the kernel {before}, {after}")
    # The kernel leaves out interrupts and what a host takes of a CPU, and a switch that it hides is unknown.
    tap.ok(run - victim["unknown_ns"] <= victim["run_ns"] + 10_000_000 and victim["run_ns"] <= 1.25 * after[0] + 5_000_000,
           "run time as /proc/PID/schedstat has it", f"{victim['run_ns']}, not {before} to {after}")
    off = max(0.1 * waited, 10_000_000)
    tap.ok(waited - off <= wait <= most_waited + off, "waits as /proc/PID/schedstat has them",
           f"{wait}, not {before} to {after}")
    tap.ok(sum(after[3:]) - sum(before[3:]) <= victim["switches"] <= sum(after[3:]) + 5,
           "switches as getrusage() counts them", f"{victim['switches']}, not {before} to {after}")
    tap.ok(after[4] - before[4] <= victim["preemptions"] <= after[4] + 5,
           "and those that were preemptions", f"{victim['preemptions']}, not {before} to {after}")


def hog(trace):
    sums = trace.blame()
    tap.ok(sums.get(trace.tids["hog"], 0) > 0.1 * sum(sums.values()), "a hog on the same CPU is blamed", sums)
    counts(trace)


def realtime(trace):
    since = f"--time=@{trace.tids['since']},"
    sums = trace.blame(since)
    said = trace.said("report", since)
    # Since 6.12 a CPU gives a twentieth of its time to threads without such a priority, where any wait.
    reserved = (said["to_ns"] - said["from_ns"]) // 20
    tap.ok(most(sums) == trace.tids["realtime"] and
           sums[trace.tids["realtime"]] > 0.8 * (sum(sums.values()) - reserved),
           "only the thread of a higher real-time priority can be what the victim waits for", sums)
    counts(trace)


def others(trace):
    """By thread other than the victim: ns on its path, whatever they did then."""
    sums = {}
    for (tid, _), ns in trace.path().items():
        if tid != trace.tids["victim"]:
            sums[tid] = sums.get(tid, 0) + ns
    return sums


def lock(trace):
    sums = others(trace)
    tap.ok(most(sums) == trace.tids["holder"] and sums[trace.tids["holder"]] > 0.05e9 * SECONDS,
           "the holder of a lock is on the path of the thread that wants it", sums)


def disk(trace):
    sums, victim = trace.path(), trace.victim()
    tap.ok(victim["blocked_ns"] > 0 and sums.get((trace.tids["victim"], "blocked"), 0) + sum(
        ns for (tid, kind), ns in sums.items() if tid != trace.tids["victim"]) > 0,
           "a thread that waits for a disk is blocked", (sums, victim["blocked_ns"]))
    tap.ok(victim["iowait_ns"] is not None and victim["iowait_ns"] <= victim["blocked_ns"],
           "of which waiting for I/O is a part", victim)


def timer(trace):
    sums, rest = trace.path(), others(trace)
    slept = sums.get((trace.tids["victim"], "sleep"), 0)
    tap.ok(slept > 0.1e9 * SECONDS and sum(rest.values()) < 0.1 * slept,
           "a thread that a timer wakes sleeps: what the interrupt hit is not on its path", sums)
    wakers = trace.victim()["wakers"]
    count, by = sum(w["count"] for w in wakers), Counter()
    for w in wakers:
        by[w["comm"], w["context"]] += w["count"]
    tap.ok(by["timer", "hardirq timer"] >= 0.5 * count and by["timer", "softirq timer"] >= 0.1 * count and
           by["timer", "hardirq timer"] + by["timer", "softirq timer"] >= 0.9 * count,
           "and its waker is a timer, of high resolution or of the wheel", by)
    reasons = {s["reason"] for window in trace.said("path", "-t", str(trace.tids["victim"]))["windows"] for s in window["segments"]
               if (s["tid"], s["kind"]) == (trace.tids["victim"], "sleep")}
    tap.ok("woken by a timer" in reasons and "woken by an interrupt" not in reasons, "and path says so", reasons)


def stages(trace):
    sums = others(trace)
    contexts = {w["context"] for w in trace.victim()["wakers"] if w["count"] > 10}
    tap.ok(contexts == {"task"}, "a thread that another one wakes by a pipe is woken by no timer", contexts)
    first = sorted(sums, key=sums.get, reverse=True)[:2]
    tap.ok(set(first) == {trace.tids["stage0"], trace.tids["stage1"]} and sums[first[1]] > 0.05e9 * SECONDS,
           "each stage of a pipeline is on the path of the thread that waits for its end", sums)


def moves(trace):
    victim = trace.victim()
    tap.ok(victim["migrations"] >= trace.tids["moves"], "forced migrations are counted", (victim["migrations"], trace.tids["moves"]))


def inversion(trace):
    """The lock's holder has the least priority; what runs instead of it has nothing to do with the lock."""
    windows = trace.said("path", "-t", str(trace.tids["victim"]))["windows"]
    behind = sum(s["to_ns"] - s["from_ns"] for window in windows for s in window["segments"]
                 if (s["tid"], s["kind"], s["culprit_tid"]) == (trace.tids["low"], "wait", trace.tids["medium"]))
    tap.ok(behind > 0.05e9 * SECONDS,
           "priority inversion: on the victim's path the lock's holder waits behind a thread of medium priority", behind)
    rows = trace.said("blame", "--waits=cpu", "-t", str(trace.tids["low"]))["victims"]
    culprits = {c["tid"]: c["ns"] for row in rows for c in row["culprits"] if c["kind"] == "thread"}
    tap.ok(culprits.get(trace.tids["medium"], 0) > 0.05e9 * SECONDS, "and blame says so of the holder", culprits)


def net(trace):
    sums, rest = trace.path(), others(trace)
    slept = sums.get((trace.tids["victim"], "sleep"), 0)
    contexts = {}
    for w in trace.victim()["wakers"]:
        contexts[w["context"]] = contexts.get(w["context"], 0) + w["count"]
    tap.ok(most(contexts) == "softirq" and contexts["softirq"] >= 50 * SECONDS,
           "what comes from a network is delivered in a softirq", contexts)
    tap.ok(sum(contexts.get(f"{where} timer", 0) for where in ("softirq", "hardirq")) <= 0.1 * sum(contexts.values()),
           "which is no timer", contexts)
    tap.ok(slept > 0.3e9 * SECONDS and sum(rest.values()) < 0.1 * slept,
           "the thread that the softirq hit is not on the path", sums)


def throttled(trace):
    """The victim is the only thread of its group, so the kernel's sum is its own."""
    time = f"--time=,@{trace.tids['until']}"
    victim, sums = trace.victim(time), trace.blame(time)
    waited = victim["wait_preempted_ns"] + victim["wait_wakeup_ns"]
    told, kernel = sums.get("throttled", 0), trace.tids["throttled"]
    tap.note(f"throttled {told} ns, by the kernel {kernel} ns ({100 * (told / kernel - 1) if kernel else 0:+.2f} %), "
             f"of {waited} ns; idle {sums.get('idle', 0)} ns")
    tap.ok(kernel > 0 and abs(told - kernel) <= max(0.03 * kernel, 1e6),
           "the time that its limit kept the victim from its CPU is as cpu.stat has it", (told, kernel, sums))
    tap.ok(victim["throttled_ns"] == told and sum(sums.values()) == waited,
           "report says the same, and blame's sum is that of the waits", (victim, sums))
    tap.ok(sums.get("idle", 0) <= 0.03 * waited, "a CPU that is idle meanwhile is not blamed", sums)


def crowded(trace):
    throttled(trace)
    rows = trace.said("blame", "--waits=cpu", "-t", str(trace.tids["neighbour"]))["victims"]
    kinds = {c["kind"] for row in rows for c in row["culprits"]}
    tap.ok("throttled" not in kinds, "a thread of a group without a limit is never throttled", kinds)


def groups(trace):
    # Where programs are slow to start, the victim waited for other things before.
    since = f"--time=@{trace.tids['since']},"
    rows = trace.said("blame", "--waits=cpu", "--by=cgroup", since)["victims"]
    sums = {c["cgroup"]: c["ns"] for row in rows if (row["cgroup"] or "").endswith("fxtrec-own")
            for c in row["culprits"] if c["kind"] == "thread"}
    foreign = {name: ns for name, ns in sums.items() if not (name or "").endswith("fxtrec-own")}
    tap.ok((most(foreign) or "").endswith("fxtrec-other") and foreign[most(foreign)] > 0.2e9 * SECONDS,
           "two control groups on a CPU: the other one is blamed", (sums, trace.blame_by_name(since)))


def grouped(folder, name, mode, controller, names):
    """A recording of a mode in control groups of its own, which are gone then: the first one of a controller is limited."""
    if not control.root_of(controller):
        tap.skip(name, f"no control groups {'of ' + controller if controller else ''}")
        return
    with control.made(controller, names.values()) as made:
        paths = dict(zip(names, made))
        if controller:
            control.limit(made[0], 2000, 10000)
            control.prefer(made[0])
            if name == "nested":
                control.delegate(made[0], controller)
        trace = Trace(folder, name, LIMITED=made[0], **paths)
        if tap.ok("victim" in trace.tids and "nothing lost" in trace.err, f"{name}: recorded",
                  trace.out + trace.err):
            mode(trace)


def main():
    if os.geteuid():
        tap.skip("all", "only root records")
        tap.done()
    alone = (hog, realtime, lock, disk, timer, stages, moves, inversion, net)
    with tempfile.TemporaryDirectory(dir=os.environ.get("CAUSES_FOLDER", os.path.join(tap.TOP, "build"))) as folder:
        for mode in alone:
            if mode.__name__ not in MODES:
                continue
            trace = Trace(folder, mode.__name__)
            if not tap.ok("victim" in trace.tids and "nothing lost" in trace.err, f"{mode.__name__}: recorded",
                          trace.out + trace.err):
                continue
            mode(trace)
        for name, mode, controller, names in (
                ("throttled", throttled, "cpu", {"GROUP": "fxtrec-throttled"}),
                ("nested", throttled, "cpu", {"OTHER": "fxtrec-limited", "GROUP": "fxtrec-limited/fxtrec-below"}),
                ("crowded", crowded, "cpu", {"GROUP": "fxtrec-crowded", "OTHER": "fxtrec-neighbour"}),
                ("groups", groups, None, {"GROUP": "fxtrec-own", "OTHER": "fxtrec-other"})):
            if name in MODES:
                grouped(folder, name, mode, controller, names)
    tap.done()


main()
