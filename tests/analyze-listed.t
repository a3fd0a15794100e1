#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""States that the recorder listed: what threads did before their first events, and throughout; and what contradicts it."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import COMPLETE, INSTANT, File, Unsigned

R, S = 1, 3
PHASES = ("run", "wait_wakeup", "wait_preempted", "sleep", "blocked", "stopped", "unknown")
LOSSES = 0x40000000


def trace(states, *events, listed=900):
    """From 1000 to 9000, of CPU 0; thread 1 runs from 1000 on, and CPU 1 is idle up to 9000.  The recording has wakeups."""
    f = File().provider(1, "fxtrec")
    for cpu in (0, 1):
        f.event(INSTANT, 900, 0, 0, "fxtrec", "processor", [("cpu", Unsigned(cpu))])
    f.listed(listed, states)
    for tid in range(1, 10):
        f.named(tid, tid, f"t{tid}", leader=True)
    f.cpu(0).switch(1000, 0, 0, 0, R, 1, 120)
    for event in events:
        event(f)
    f.cpu(1).wakeup(8500, 1, 9, 120, 0).switch(9000, 1, 0, 0, R, 2, 120)
    return f


def said(folder, f, *options, more=()):
    path = os.path.join(folder, "t.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    return tap.run([tap.FXTREC, *options, path, *more]).stdout


def report(folder, f):
    return json.loads(said(folder, f, "report", "--json"))


def phases(folder, f, tid=5):
    """ns of each phase of a thread, but for those of no time; None: it has no row."""
    rows = [row for row in report(folder, f)["threads"] if row["tid"] == tid]
    return {p: ns for p in PHASES if (ns := sum(row[p + "_ns"] for row in rows))} if rows else None


def wakeup(time, tid=5, **options):
    return lambda f: f.wakeup(time, 0, tid, 120, 1, **options)


def switch(time, prev, following, state=S, letter=None):
    return lambda f: f.switch(time, 0, prev, 120, state, following, 120, letter)


def loss(begin, end):
    return lambda f: f.event(COMPLETE, begin, 0, LOSSES, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(1))], end)


def told(folder):
    wakes = wakeup(4000), switch(5000, 1, 5), switch(6000, 5, 0)
    after = {"run": 1000, "wait_wakeup": 1000, "sleep": 3000}
    for letter, phase in (("S", "sleep"), ("D", "blocked"), ("T", "stopped"), ("t", "stopped"), ("I", "sleep"), ("P", "sleep")):
        got = phases(folder, trace([(950, 5, letter, 0)], *wakes))
        tap.ok(got == {**after, phase: after.get(phase, 0) + 3000}, f"{letter} up to its first event", got)
        table = said(folder, trace([(950, 5, letter, 0)], *wakes), "query", "--json", more=[
            "SELECT state FROM thread_state JOIN thread USING (utid) WHERE tid = 5 ORDER BY ts LIMIT 1"])
        tap.ok(json.loads(table) == [{"state": letter}], f"{letter}: query", table)
    got = phases(folder, trace([], *wakes))
    tap.ok(got == {**after, "unknown": 3000}, "without a listing it is unknown", got)
    for begin, end in ((920, 990), (960, 990), (960, 1000)):
        got = phases(folder, trace([(950, 5, "S", 0)], loss(begin, end), *wakes))
        tap.ok(got == {**after, "unknown": 3000}, f"nor is it known after a loss before the first event: {begin} to {end}", got)
    got = phases(folder, trace([(950, 5, "S", 0)], loss(910, 940), *wakes))
    tap.ok(got == {**after, "sleep": 6000}, "a loss before the listing hides nothing", got)
    got = phases(folder, trace([(950, 5, "R", 1)], loss(920, 990)))
    tap.ok(not got or set(got) == {"unknown"}, "a listed wait that a loss may have ended", got)
    got = phases(folder, trace([(2000, 5, "S", 0)], *wakes))
    tap.ok(got == {**after, "sleep": 6000}, "from the recording's start on, though it was listed later", got)
    got = phases(folder, trace([(1700, 5, "S", 0)], *wakes, listed=1500))
    tap.ok(got == {**after, "sleep": 5500, "unknown": 500}, "not before the listing began", got)
    got = phases(folder, trace([(2000, 5, "R", 0)], switch(5000, 1, 5), switch(6000, 5, 0)))
    tap.ok(got == {"run": 1000, "wait_preempted": 3000, "sleep": 3000, "unknown": 1000}, "one that waits", got)
    f = trace([(2000, 5, "R", 0)], switch(5000, 1, 5), switch(6000, 5, 0))
    row = next(row for row in report(folder, f)["threads"] if row["tid"] == 5)
    tap.ok(row["latency"]["count"] == 0, "its latency isn't known", row)
    worst = json.loads(said(folder, f, "blame", "--json"))
    tap.ok([(w["tid"], w["after"]) for w in worst["worst"]] == [(5, None), (9, "wakeup")] and
           [(c["tid"], c["ns"]) for c in worst["victims"][0]["culprits"]] == [(1, 3000)], "what it waits for is blamed", worst)


def runs(folder):
    def made(*states, events=()):
        f = File().provider(1, "fxtrec")
        for cpu in (0, 1):
            f.event(INSTANT, 900, 0, 0, "fxtrec", "processor", [("cpu", Unsigned(cpu))])
        f.listed(900, states).named(6, 6, "spinner", leader=True)
        f.cpu(0).switch(1000, 0, 0, 0, R, 1, 120).wakeup(8000, 0, 9, 120, 1).switch(9000, 0, 1, 120, S, 0, 0)
        f.cpu(1)
        for event in events:
            event(f)
        return f

    got = report(folder, made((2000, 6, "running", 1)))
    rows = {row["tid"]: row for row in got["threads"]}
    tap.ok(6 in rows and rows[6]["run_ns"] == 8000 and not rows[6]["unknown_ns"], "a thread that runs without an event", got)
    tap.ok([cpu["busy_ns"] for cpu in got["cpus"]] == [8000, 8000], "and its CPU", got["cpus"])
    got = report(folder, made((2000, 6, "running", 1), events=[lambda f: f.switch(5000, 1, 6, 120, S, 0, 0)]))
    rows = {row["tid"]: row for row in got["threads"]}
    tap.ok(rows[6]["run_ns"] == 4000 and rows[6]["sleep_ns"] == 4000 and got["cpus"][1]["busy_ns"] == 4000, "up to its switch", got)
    got = report(folder, made((2000, 6, "running", 1), events=[lambda f: f.switch(5000, 1, 7, 120, S, 0, 0)]))
    rows = {row["tid"]: row for row in got["threads"]}
    tap.ok(rows[6]["run_ns"] <= 1000 and rows[6]["unknown_ns"] >= 7000, "not where its CPU ran another thread", got)
    got = report(folder, made((2000, 6, "running", 1), events=[lambda f: f.switch(1500, 1, 0, 0, R, 7, 120)]))
    tap.ok(6 not in {row["tid"] for row in got["threads"]}, "nor where its CPU was known to run another one", got)
    # Cut in the listing, before any event.
    f = File().cpu(1).strings().provider(1, "fxtrec").listed(900, [(2000, 6, "running", 1)]).named(6, 6, "spinner", leader=True)
    f.data = f.data[:-4]
    got = report(folder, f)
    tap.ok(not any(row["run_ns"] for row in got["threads"]),
           "nor where the file is cut before any event", got)


def denied(folder):
    states = [(950, 5, "S", 0)]
    got = phases(folder, trace(states, switch(5000, 1, 5), switch(6000, 5, 0)))
    tap.ok(got == {"run": 1000, "sleep": 3000, "unknown": 4000}, "asleep, but it comes to its CPU without a wakeup", got)
    got = phases(folder, trace(states, switch(6000, 5, 0)))
    tap.ok(got == {"unknown": 8000}, "asleep, but it leaves a CPU", got)
    got = phases(folder, trace(states, lambda f: f.migrate(4000, 0, 0, 5, 120, 0, 1)))
    tap.ok(got == {"unknown": 8000}, "asleep, but it is moved", got)
    got = phases(folder, trace([(4500, 5, "D", 0)], wakeup(4000), switch(5000, 1, 5), switch(6000, 5, 0)))
    tap.ok(got == {"run": 1000, "wait_wakeup": 1000, "sleep": 3000, "unknown": 3000}, "a state behind its first event is none", got)
    got = phases(folder, trace(states, wakeup(4000, new=True), switch(5000, 1, 5), switch(6000, 5, 0)))
    tap.ok(got == {"run": 1000, "wait_wakeup": 1000, "sleep": 3000}, "another thread got its id", got)
    for begin, end, known in ((2000, 3000, 1000), (600, 700, 3000)):
        got = phases(folder, trace(states, loss(begin, end), wakeup(4000), switch(5000, 1, 5), switch(6000, 5, 0)))
        expected = {"run": 1000, "wait_wakeup": 1000, "sleep": 3000 + known, "unknown": 3000 - known}
        tap.ok(got == {p: ns for p, ns in expected.items() if ns}, f"with a loss from {begin} to {end}", got)
    got = phases(folder, trace([(2500, 5, "S", 0)], loss(1500, 2000), wakeup(4000), switch(5000, 1, 5), switch(6000, 5, 0)))
    tap.ok(got == {"run": 1000, "wait_wakeup": 1000, "sleep": 4500, "unknown": 1500}, "listed after a loss", got)
    for state in ("X", "Z", "nonsense", "R+"):
        phases(folder, trace([(950, 5, state, 0)], wakeup(4000)))
    got = phases(folder, trace([(950, 5, "Z", 0)], wakeup(4000)))
    tap.ok(got == {"wait_wakeup": 5000, "unknown": 3000}, "a dead thread's state is none", got)


def silent(folder):
    f = trace([(950, 5, "S", 0), (950, 6, "D", 0), (950, 7, "T", 1)])
    tap.ok(phases(folder, f) is None, "a thread that sleeps throughout has no row")
    for chosen, text in (("-t5", "in that time: 1 slept throughout\n"), ("-t6", "1 was blocked throughout\n"),
                         ("-t7", "1 was stopped throughout\n"),
                         ("-t5-8", "1 slept throughout; 1 was blocked throughout; 1 was stopped throughout; 1 slept, waited for a CPU")):
        done = said(folder, f, "report", chosen)
        tap.ok(text in done, f"report {chosen}: {text.strip()}", done)
    done = said(folder, trace([(950, 5, "S", 0)], loss(2000, 3000)), "report", "-t5")
    tap.ok("1 slept, waited for a CPU or ran" in done, "not with a loss", done)


def converted(folder):
    f = trace([(950, 5, "S", 0), (950, 6, "R", 1)], wakeup(4000), switch(5000, 1, 5), switch(6000, 5, 0))
    made = report(folder, f)
    for suffix in ("fxt", "txt", "html", "json", "pftrace"):
        other = os.path.join(folder, "converted." + suffix)
        done = tap.run([tap.FXTREC, "convert", os.path.join(folder, "t.fxt"), "-o", other])
        again = json.loads(tap.run([tap.FXTREC, "report", "--json", other]).stdout)
        tap.ok([again[key] for key in ("threads", "cpus")] == [made[key] for key in ("threads", "cpus")],
               f"converted to {suffix}", done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        told(folder)
        runs(folder)
        denied(folder)
        silent(folder)
        converted(folder)
    tap.done()


main()
