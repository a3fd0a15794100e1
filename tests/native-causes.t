#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits whose cause is certain by construction: blame and path name it, and report counts as the kernel does."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap

CAUSES = os.path.join(tap.TOP, "build", "tests", "causes")
SECONDS = tap.amount("SECONDS", 1.5, 5.0)


class Trace:
    """A recording of one mode, and who is who in it."""

    def __init__(self, folder, mode):
        self.file = os.path.join(folder, mode + ".fxt")
        done = tap.run([tap.FXTREC, "record", "--no-marks", "--stacks", "-o", self.file, "--", CAUSES, mode, str(SECONDS)],
                       cwd=folder)
        self.out, self.err = done.stdout, done.stderr
        words = [line.split() for line in done.stdout.splitlines()]
        self.tids = {w[0]: int(w[1]) for w in words if len(w) == 2}
        self.counts = {w[0]: [int(x) for x in w[1:]] for w in words if len(w) == 6}

    def said(self, command, *options):
        done = tap.run([tap.FXTREC, command, "--json", self.file, *options])
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    def victim(self):
        return next(t for t in self.said("report")["threads"] if t["tid"] == self.tids["victim"])

    def blame(self):
        """What the victim waited for: ns by thread id, or by kind."""
        victims = self.said("blame", "-t", str(self.tids["victim"]))["victims"]
        sums = {}
        for victim in victims:
            for c in victim["culprits"]:
                who = c["tid"] if c["kind"] == "thread" else c["kind"]
                sums[who] = sums.get(who, 0) + c["ns"]
        return sums

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
    run, waited = after[0] - before[0], after[1] - before[1]
    wait = victim["wait_wakeup_ns"] + victim["wait_preempted_ns"]
    tap.note(f"run {victim['run_ns']} ns; waited {wait} ns; {victim['switches']} switches; by the kernel {before}, {after}")
    # The kernel leaves out interrupts and what a host takes of a CPU.
    tap.ok(run <= victim["run_ns"] + 2_000_000 and victim["run_ns"] <= 1.25 * after[0] + 5_000_000,
           "run time as /proc/PID/schedstat has it", f"{victim['run_ns']}, not {before} to {after}")
    tap.ok(abs(wait - waited) <= max(0.1 * waited, 10_000_000), "waits as /proc/PID/schedstat has them",
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
    sums = trace.blame()
    tap.ok(most(sums) == trace.tids["realtime"] and sums[trace.tids["realtime"]] > 0.8 * sum(sums.values()),
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
    wakers = {w["context"] for w in trace.victim()["wakers"]}
    tap.ok("hardirq" in wakers or "softirq" in wakers, "and its wakeups come from interrupts", wakers)


def stages(trace):
    sums = others(trace)
    first = sorted(sums, key=sums.get, reverse=True)[:2]
    tap.ok(set(first) == {trace.tids["stage0"], trace.tids["stage1"]} and sums[first[1]] > 0.05e9 * SECONDS,
           "each stage of a pipeline is on the path of who waits for its end", sums)


def moves(trace):
    victim = trace.victim()
    tap.ok(victim["migrations"] >= 20 * SECONDS, "forced migrations are counted", victim["migrations"])


def main():
    if os.geteuid():
        tap.skip("all", "only root records")
        tap.done()
    with tempfile.TemporaryDirectory(dir=os.path.join(tap.TOP, "build")) as folder:
        for mode in (hog, realtime, lock, disk, timer, stages, moves):
            trace = Trace(folder, mode.__name__)
            if not tap.ok("victim" in trace.tids and "nothing lost" in trace.err, f"{mode.__name__}: recorded",
                          trace.out + trace.err):
                continue
            mode(trace)
    tap.done()


main()
