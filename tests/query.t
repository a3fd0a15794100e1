#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec query: its tables say what the report says, to the ns, and what made-up machines did; and what is refused."""
import csv
import io
import json
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import (ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, COUNTER, END, INSTANT, File, Unsigned,
                     Unsigned64)
from simulated import START, Machine
from tap import FXTREC, fails, ok, run

TRACES = tap.amount("TRACES", 12, 200)
SEED = int(os.environ.get("SEED", "1"))
STATES = {"Running": "run", "R": "wait_wakeup", "R+": "wait_preempted", "S": "sleep", "I": "sleep", "P": "sleep",
          "D": "blocked", "T": "stopped", "t": "stopped", "unknown": "unknown"}
PHASES = sorted(set(STATES.values()))


def rows(path, sql, *options):
    done = run([FXTREC, "query", "--json", *options, path, sql])
    if done.returncode:
        raise RuntimeError(f"{sql}: {done.stderr}")
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def losses(machine, rng):
    lost = []
    for cpu in range(len(machine.cpus)):
        begin = rng.randrange(START, machine.end - 2)
        lost.append((cpu, begin, rng.randrange(begin + 1, min(machine.end, begin + 5_000_000))))
    return lost


def sums_differ(path, *options):
    """Of threads and CPUs, against the report."""
    report = json.loads(run([FXTREC, "report", "--json", path, *options]).stdout)
    expected = {row["key"]: {phase: row[phase + "_ns"] for phase in PHASES} for row in report["threads"]}
    got = {key: dict.fromkeys(PHASES, 0) for key in expected}
    for utid, state, ns in rows(path, "SELECT utid, state, sum(dur) FROM thread_state GROUP BY 1, 2", *options):
        got[utid][STATES[state]] += ns
    if got != expected:
        return f"threads: {[(key, got[key], expected[key]) for key in got if got[key] != expected[key]][:2]}"
    running = dict(rows(path, "SELECT utid, sum(dur) FROM sched WHERE utid GROUP BY utid", *options))
    if {key: row["run"] for key, row in expected.items() if row["run"]} != running:
        return f"sched: {running}"
    cpus = {row["cpu"]: (row["busy_ns"], row["idle_ns"], row["unknown_ns"]) for row in report["cpus"]
            if row["busy_ns"] + row["idle_ns"] + row["unknown_ns"]}
    got = {row[0]: row[1:] for row in rows(path, """SELECT cpu, sum(dur) FILTER (WHERE utid), sum(dur) FILTER (WHERE utid = 0),
                sum(dur) FILTER (WHERE utid IS NULL) FROM sched GROUP BY cpu""", *options)}
    got = {cpu: tuple(ns or 0 for ns in sums) for cpu, sums in got.items()}
    if got != cpus:
        return f"CPUs: {got}, not {cpus}"
    same = [rows(path, f"SELECT * FROM {name} ORDER BY cpu, ts", *options) for name in ("sched", "sched_slice")]
    return None if same[0] == same[1] else f"sched_slice: {same}"


def gapless(path, *options):
    """Each thread's states, and what each CPU ran, leave no gap."""
    for table, key in (("thread_state", "utid"), ("sched", "cpu")):
        gaps = rows(path, f"""SELECT * FROM (SELECT {key}, ts, dur, lead(ts) OVER (PARTITION BY {key} ORDER BY ts) AS next
                FROM {table}) WHERE dur <= 0 OR next IS NOT NULL AND next != ts + dur""", *options)
        if gaps:
            return f"{table}: {gaps[:2]}"
    return None


def same(folder, seed):
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(20, 300))
    path = folder.write("t.fxt", machine.trace(losses(machine, rng) if seed % 2 else ()))
    begin = rng.randrange(START, machine.end - 1)
    window = f"--time=@{begin},@{rng.randrange(begin + 1, machine.end)}"
    return sums_differ(path) or gapless(path) or sums_differ(path, window) or gapless(path, window)


def happened(folder, seed):
    """Without losses: each row is what the machine did."""
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(20, 300))
    path = folder.write("t.fxt", machine.trace())
    times = [time for time, _, what, _ in machine.events if what != "migrate"]
    first = {}
    for time, _, what, a in machine.events:
        for tid in (a["prev"], a["next"]) if what == "switch" else (a["thread"],):
            first.setdefault(tid, max(time, times[0]))
    expected = set()
    for thread in machine.threads():
        for phase, since, until, cpu in thread.past:
            since, until = max(since, first.get(thread.tid, until)), min(until, times[-1])
            if phase in ("run", "sleep", "blocked", "stopped") and since < until:
                expected.add((thread.tid, since, until - since, phase, cpu if phase == "run" else None))
    got = {(tid, ts, dur, STATES[state], cpu) for tid, ts, dur, state, cpu in rows(
        path, "SELECT tid, ts, dur, state, s.cpu FROM thread_state s JOIN thread USING (utid)")
        if STATES[state] in ("run", "sleep", "blocked", "stopped")}
    if got != expected:
        return f"states: {sorted(got ^ expected)[:4]}"
    ran = {(tid, ts, dur, cpu) for tid, ts, dur, phase, cpu in expected if phase == "run"}
    got = set(rows(path, "SELECT tid, ts, dur, cpu FROM sched JOIN thread USING (utid) WHERE utid"))
    if got != ran:
        return f"sched: {sorted(got ^ ran)[:4]}"
    wakeups = sorted((time, cpu, a["thread"], a["target"], "timer" if "timer" in (a["context"] or "") else a["waker"],
                      a["context"] or "task", int(a.get("new", False)), int(a.get("on_cpu", False)))
                     for time, cpu, what, a in machine.events if what == "wakeup")
    got = sorted(rows(path, """SELECT ts, cpu, t.tid, target_cpu, coalesce(w.tid, 'timer'), context, new, on_cpu FROM wakeup
                               JOIN thread t USING (utid) LEFT JOIN thread w ON w.utid = waker_utid"""))
    if got != wakeups:
        return f"wakeups: {sorted(set(got) ^ set(wakeups))[:4]}"
    moves = sorted((time, cpu, a["thread"], a["frm"], a["to"]) for time, cpu, what, a in machine.events
                   if what == "migrate" and times[0] <= time <= times[-1])
    got = sorted(rows(path, "SELECT ts, cpu, tid, orig_cpu, dest_cpu FROM migration JOIN thread USING (utid)"))
    if got != moves:
        return f"migrations: {sorted(set(got) ^ set(moves))[:4]}"
    lives = sorted((t.tid, t.begin if t.born else 0, t.end if t in machine.dead else 0) for t in machine.threads()
                   if t.tid in first)
    got = sorted(rows(path, "SELECT tid, coalesce(start_ts, 0), coalesce(end_ts, 0) FROM thread WHERE utid"))
    return None if got == lives else f"lives: {sorted(set(got) ^ set(lives))[:4]}"


def waked(folder, seed):
    """A wait's waker is that of the wakeup that began it."""
    rng = random.Random(seed)
    machine = Machine(rng, 3, 6, 200)
    path = folder.write("t.fxt", machine.trace())
    wrong = rows(path, """SELECT s.ts, s.utid, s.waker_utid, w.waker_utid FROM thread_state s JOIN wakeup w
                          ON w.utid = s.utid AND w.ts = s.ts WHERE state = 'R' AND NOT on_cpu AND
                          (s.waker_utid IS NOT w.waker_utid OR s.irq_context IS NOT (w.context != 'task') OR
                           s.waker_context IS NOT w.context)""")
    count = rows(path, """SELECT count(*) FROM thread_state WHERE state = 'R' AND waker_utid IS NULL AND
                          waker_context NOT LIKE '% timer'""")
    return f"{wrong[:3]} {count}" if wrong or count != [(0,)] else None


def joined(folder):
    """What a join reads again, it reads from a table with indexes: the same rows."""
    machine = Machine(random.Random(5), 3, 6, 300)
    path = folder.write("t.fxt", machine.trace())
    table = rows(path, "SELECT ts, dur, cpu, utid, state FROM thread_state")
    utids = sorted({row[3] for row in table})
    got = rows(path, "SELECT ts, dur, cpu, utid, state FROM thread_state WHERE utid = 1 OR utid = 2")
    ok(sorted(got, key=str) == sorted((row for row in table if row[3] in (1, 2)), key=str), "OR finds each row once", got[:3])
    got = rows(path, "SELECT utid, (SELECT sum(dur) FROM thread_state s WHERE s.utid = t.utid) FROM thread t WHERE utid")
    ok(got == [(utid, sum(row[1] for row in table if row[3] == utid)) for utid in utids], "a table for each row of another",
       got)
    got = rows(path, "SELECT count(*) FROM thread_state a, thread_state b WHERE b.ts > a.ts AND b.ts <= a.ts + a.dur")
    count = sum(1 for a in table for b in table if a[0] < b[0] <= a[0] + a[1])
    ok(got == [(count,)], "a table joined to itself by time", (got, count))
    got = rows(path, "SELECT t.utid, count(s.ts) FROM thread t LEFT JOIN sched s ON s.utid = t.utid AND s.cpu = 1 GROUP BY 1")
    sched = rows(path, "SELECT utid FROM sched WHERE cpu = 1")
    every = rows(path, "SELECT ts, utid, cpu FROM sched")
    wakes = rows(path, "SELECT ts, utid, cpu FROM wakeup ORDER BY ts, utid, cpu")
    ok(got == [(utid, sched.count((utid,))) for utid in [0] + utids], "a table on the right of an outer join", got)
    for what, expected in (("min(ts) FROM sched s WHERE s.utid = w.utid AND s.ts >= w.ts",
                            [min((row[0] for row in every if row[1] == utid and row[0] >= ts), default=None) for ts, utid, _ in wakes]),
                           ("max(ts) FROM sched s WHERE s.cpu = w.cpu AND s.ts < w.ts",
                            [max((row[0] for row in every if row[2] == cpu and row[0] < ts), default=None) for ts, _, cpu in wakes]),
                           ("ts FROM sched s WHERE s.ts > w.ts ORDER BY ts LIMIT 1",
                            [min((row[0] for row in every if row[0] > ts), default=None) for ts, *_ in wakes])):
        sql = f"SELECT (SELECT {what}) FROM wakeup w ORDER BY w.ts, w.utid, w.cpu"
        got = rows(path, sql)
        ok(got == [(ts,) for ts in expected], f"the nearest row of another table: {what}", got[:3])
        # Bits of the order; without one, a search reads all rows up to the trace's end.
        plan = [row[3] for row in rows(path, f"EXPLAIN QUERY PLAN {sql}")]
        index = [int(line.split("INDEX ")[1].split(":")[0]) for line in plan if " s VIRTUAL" in line]
        ok(len(index) == 1 and index[0] & 0x60, "which is the first that a search finds", plan)
    for order, which in (("", min), (" DESC", max)):
        got = rows(path, f"SELECT ts FROM sched WHERE utid = (SELECT {which.__name__}(utid) FROM wakeup) ORDER BY ts{order}")
        utid = which(wake[1] for wake in wakes)
        ok(got == sorted(((row[0],) for row in every if row[1] == utid), reverse=order != ""), f"one search, by ts{order}", got[:3])
    got = rows(path, "SELECT w.ts, s.ts FROM wakeup w JOIN sched s ON s.utid = w.utid AND s.ts <= w.ts WHERE w.new ORDER BY s.ts, w.ts")
    new = rows(path, "SELECT ts, utid FROM wakeup WHERE new")
    ok(got == sorted(((ts, row[0]) for ts, utid in new for row in every if row[1] == utid and row[0] <= ts),
                     key=lambda pair: pair[::-1]), "a join by the order of its inner table", got[:3])
    sql = "SELECT w.ts, (SELECT count(*) FROM wakeup x WHERE x.prio = w.prio AND x.target_cpu = w.cpu) FROM wakeup w ORDER BY 1"
    got = rows(path, sql)
    woken = rows(path, "SELECT ts, prio, cpu, target_cpu FROM wakeup ORDER BY ts")
    ok(got == [(ts, sum(1 for _, p, _, target in woken if (p, target) == (prio, cpu))) for ts, prio, cpu, _ in woken],
       "a table searched by other columns", got[:3])
    plan = [row[3] for row in rows(path, f"EXPLAIN QUERY PLAN {sql}")]
    ok(any(" x VIRTUAL TABLE INDEX " in line and " INDEX 0:" not in line for line in plan), "which have an index", plan)
    ok(rows(path, "SELECT tid FROM thread WHERE utid = '1'") == rows(path, "SELECT tid FROM thread WHERE utid = 1.5") == [] and
       len(rows(path, "SELECT tid FROM thread WHERE utid = 1.0")) == 1, "a key is a number")
    ok(len(rows(path, "SELECT * FROM thread_state LIMIT 3")) == 3, "LIMIT ends the pass")


def events(folder):
    """A table of each kind of event."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.named(10, 10, "main", 1, leader=True).named(10, 11, "helper", 1)
    f.object(1, 10, "prog", [("since", Unsigned64(2)), ("cgroup", "/pod/a"), ("container", "c0")])
    f.cpu(0)
    f.event(COMPLETE, 1500, 0, 0x40000000, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(7))], 1600)
    f.event(BEGIN, 900, 10, 10, "app", "outer").event(BEGIN, 1000, 10, 10, "app", "inner")
    f.event(INSTANT, 1010, 10, 10, "app", "now").event(END, 1100, 10, 10, "app", "inner")
    f.event(COMPLETE, 1110, 10, 10, "app", "whole", (), 1150).event(COMPLETE, 1120, 10, 10, "app", "part", (), 1130)
    f.event(ASYNC_BEGIN, 1200, 10, 10, "app", "request", (), 5).event(END, 1300, 10, 10, "app", "outer")
    f.event(ASYNC_END, 1400, 10, 11, "app", "request", (), 5).event(BEGIN, 1450, 10, 11, "app", "open")
    f.event(BEGIN, 1460, 0, 0x41000003, "irq", "eth0").event(END, 1470, 0, 0x41000003, "irq", "eth0")
    f.event(COUNTER, 1480, 10, 10, "app", "queue", [("value", -3), ("share", 0.5), ("text", "x")], 9)
    f.log(1490, 10, 10, "hello").event(INSTANT, 1490, 10, 10, "mark", "hello").log(1495, 10, 10, "alone")
    f.switch(1050, 0, 0, 120, 1, 10, 100).switch(2000, 0, 10, 100, 3, 0, 120, "D").wakeup(2100, 0, 10, 100, 0)
    f.switch(2200, 0, 0, 120, 1, 10, 100)
    f.event(INSTANT, 2250, 10, 10, "sched", "blocked", [("iowait", Unsigned(1)), ("function", "wait_on")])
    f.switch(2300, 0, 10, 100, 3, 0, 120, "D").wakeup(2400, 0, 10, 100, 0).switch(2500, 0, 0, 120, 1, 10, 100)
    f.switch(2600, 0, 10, 100, 5, 0, 120)
    path = folder.write("e.fxt", f.data)
    for name, sql, expected in (
            ("slice", "SELECT ts, dur, name, category, utid, depth, tid, cpu FROM slice ORDER BY ts, depth", [
                (900, 400, "outer", "app", 1, 0, 10, None), (1000, 100, "inner", "app", 1, 1, 10, None),
                (1010, 0, "now", "app", 1, 0, 10, None), (1110, 40, "whole", "app", 1, 1, 10, None),
                (1120, 10, "part", "app", 1, 2, 10, None), (1200, 200, "request", "app", None, 0, 10, None),
                (1450, None, "open", "app", 2, 0, 11, None), (1460, 10, "eth0", "irq", None, 0, None, 3),
                (1490, 0, "hello", "mark", 1, 0, 10, None)]),
            ("counter", "SELECT ts, name, value, series, category, id, utid FROM counter", [
                (1480, "queue", -3, "value", "app", 9, 1), (1480, "queue", 0.5, "share", "app", 9, 1)]),
            ("log", "SELECT ts, utid, msg, tag FROM log", [(1490, 1, "hello", "mark"), (1495, 1, "alone", None)]),
            ("loss", "SELECT * FROM loss", [(1500, 100, 0, 7, 0)]),
            ("process", "SELECT upid, pid, name, cgroup, container FROM process", [(1, 10, "prog", "/pod/a", "c0")]),
            ("thread", "SELECT utid, tid, name, upid, start_ts, end_ts, is_main_thread FROM thread", [
                (0, 0, "swapper", None, None, None, None), (1, 10, "main", 1, None, 2600, 1),
                (2, 11, "helper", 1, None, None, 0)]),
            ("thread_state", "SELECT ts, dur, cpu, state, io_wait, blocked_function, waker_utid FROM thread_state", [
                (1050, 450, 0, "Running", None, None, None), (1500, 100, None, "unknown", None, None, None),
                (1600, 400, 0, "Running", None, None, None), (2000, 100, None, "D", None, None, None),
                (2100, 100, None, "R", None, None, 0), (2200, 100, 0, "Running", None, None, None),
                (2300, 100, None, "D", 1, "wait_on", None), (2400, 100, None, "R", None, None, 0),
                (2500, 100, 0, "Running", None, None, None)]),
            ("sched", "SELECT ts, dur, cpu, utid, end_state, priority FROM sched WHERE ts < 2300 AND cpu = 0 ORDER BY ts", [
                (1050, 450, 0, 1, None, 100), (1500, 100, 0, None, None, None), (1600, 400, 0, 1, "D", 100),
                (2000, 200, 0, 0, "R", 120), (2200, 100, 0, 1, "D", 100)])):
        got = rows(path, sql)
        ok(got == expected, f"the rows of {name}", got)
    for order in "", " ORDER BY ts LIMIT 1":
        got = rows(path, f"SELECT (SELECT events FROM loss l WHERE l.rowid = t.utid{order}) FROM thread t")
        ok(got == [(None,), (7,), (None,)], f"a row's number is no column that its table lacks{order}", got)
    got = rows(path, "SELECT name FROM slice ORDER BY ts", "--time=@1125,@1210")
    ok(got == [("outer",), ("whole",), ("part",), ("request",)], "a slice that touches the window is whole", got)
    return path


def again(folder):
    """A thread with an id that is used again has no slices in those that the one before left open."""
    f = File().provider(1, "fxtrec").named(7, 7, "one", 10, leader=True).named(7, 7, "two", 5000, leader=True).cpu(0)
    f.event(BEGIN, 900, 7, 7, "app", "first").switch(1000, 0, 0, 120, 1, 7, 120).event(END, 1050, 7, 7, "app", "first")
    f.event(BEGIN, 1100, 7, 7, "app", "left").switch(2000, 0, 7, 120, 5, 0, 120)
    f.wakeup(5000, 0, 7, 120, waker=0, new=True).switch(5100, 0, 0, 120, 1, 7, 120)
    f.event(BEGIN, 5200, 7, 7, "app", "own").event(END, 5300, 7, 7, "app", "own").event(END, 5400, 7, 7, "app", "left")
    path = folder.write("again.fxt", f.switch(6000, 0, 7, 120, 3, 0, 120).data)
    got = rows(path, "SELECT ts, dur, name, utid, depth FROM slice ORDER BY ts")
    ok(got == [(900, 150, "first", 1, 0), (1100, None, "left", 1, 0), (5200, 100, "own", 2, 0)],
       "slices of an id that is used again", got)


def unscheduled(folder):
    """Threads and processes of traces without scheduling, and of threads without any: joins give each its own sums."""
    events = [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": f"program {pid}"}} for pid in range(1, 8)]
    events += [{"ph": "M", "name": "thread_name", "pid": pid, "tid": 1287, "args": {"name": f"main {pid}"}}
               for pid in range(1, 8)] + [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 9, "args": {"name": "idle"}}]
    for pid in range(1, 8):
        events += [{"ph": "B", "name": "work", "ts": pid, "pid": pid, "tid": 1287},
                   {"ph": "E", "ts": 10 + 2 * pid, "pid": pid, "tid": 1287},
                   {"ph": "C", "name": "load", "ts": pid, "pid": pid, "args": {"value": pid}},
                   {"ph": "b", "name": "op", "cat": "c", "id": pid, "ts": 50, "pid": pid, "tid": 1287},
                   {"ph": "e", "name": "op", "cat": "c", "id": pid, "ts": 50 + pid, "pid": pid, "tid": 1287}]
    path = folder.write("t.json", json.dumps(events).encode())
    for form in ("json", "fxt", "pftrace"):
        if form != "json":
            path = os.path.join(folder.path, "t." + form)
            run([FXTREC, "convert", os.path.join(folder.path, "t.json"), "-o", path], check=True)
        expected = [(f"program {pid}", f"main {pid}", 1287, (10 + pid) * 1000) for pid in range(1, 8)]
        for sql in ("FROM slice s JOIN thread t USING (utid) JOIN process p USING (upid)",
                    "FROM slice s JOIN thread_track ON s.track_id = thread_track.id JOIN thread t USING (utid) "
                    "JOIN process p ON p.upid = t.upid"):
            got = rows(path, f"SELECT p.name, t.name, t.tid, sum(s.dur) {sql} WHERE s.name = 'work' GROUP BY t.utid ORDER BY 1")
            ok(got == expected, f"{form}: one id of seven processes is of seven threads", got)
        got = rows(path, "SELECT pid, sum(value) FROM counter JOIN process USING (upid) WHERE pid GROUP BY upid ORDER BY 1")
        ok(got == [(pid, pid) for pid in range(1, 8)], f"{form}: counters have a process", got)
        got = rows(path, "SELECT pid, sum(dur) FROM slice s JOIN process_track t ON s.track_id = t.id "
                   "JOIN process USING (upid) WHERE s.name = 'op' GROUP BY pid ORDER BY 1")
        ok(got == [(pid, pid * 1000) for pid in range(1, 8)], f"{form}: asynchronous slices have a process", got)
        got = rows(path, "SELECT tid, t.name, p.name FROM thread t JOIN process p USING (upid) WHERE tid = 9")
        ok(got == [(9, "idle", "program 7")], f"{form}: a thread that has a name alone", got)
    path = folder.write("none.json", json.dumps([{"ph": "X", "name": "of none", "ts": 80, "dur": 5}]).encode())
    got = rows(path, "SELECT t.tid, pid, dur FROM slice s JOIN thread t USING (utid) JOIN process p ON p.upid = t.upid")
    ok(got == [(0, 0, 5000)], "a slice of JSON without ids is of thread 0 of process 0", got)
    f = File().cpu(0).named(10, 10, "main", leader=True).named(10, 11, "silent").object(1, 10, "prog")
    f.event(BEGIN, START - 10, 10, 10, "app", "early").switch(START, 0, 0, 120, 1, 10, 120)
    f.event(COMPLETE, START + 5, 10, 11, "app", "aside", (), START + 9).event(COUNTER, START - 20, 10, 0, "app", "n", [("v", 1)], 0)
    f.event(END, START + 20, 10, 10, "app", "early").event(COMPLETE, START + 5, 20, 21, "app", "other", (), START + 9)
    path = folder.write("aside.fxt", f.switch(START + 30, 0, 10, 120, 3, 0, 120).data)
    got = rows(path, "SELECT s.name, utid, t.tid, t.name, s.upid, t.upid, p.name FROM slice s LEFT JOIN thread t USING (utid) "
               "LEFT JOIN process p ON p.upid = t.upid ORDER BY s.name")
    ok(got == [("aside", 2, 11, "silent", 1, 1, "prog"), ("early", 1, 10, "main", 1, 1, "prog"),
               ("other", 3, 21, None, 3, 3, None)], "threads without scheduling are beside those with it", got)
    got = rows(path, "SELECT upid FROM counter")
    ok(got == [(1,)], "a counter before its process is scheduled is of it", got)


def forms(folder, path):
    done = run([FXTREC, "query", path, "SELECT tid, name, start_ts FROM thread"])
    ok(done.stdout == "tid  name     start_ts\n---  -------  --------\n  0  swapper\n 10  main\n 11  helper\n", "a table of text",
       done.stdout)
    done = run([FXTREC, "query", "--csv", path, "SELECT 1 AS \"a,b\", 'x\"y,z' AS c, NULL, 0.25"])
    ok(list(csv.reader(io.StringIO(done.stdout))) == [["a,b", "c", "NULL", "0.25"], ["1", 'x"y,z', "", "0.25"]], "CSV",
       done.stdout)
    done = run([FXTREC, "query", "--json", path, "SELECT utid, utid, name FROM thread WHERE tid = 10"])
    ok(json.loads(done.stdout) == [{"utid": 1, "utid:2": 1, "name": "main"}], "JSON has no key twice", done.stdout)
    for option, nothing in (("--json", "[]\n"), ("--csv", "ts\n")):
        done = run([FXTREC, "query", option, path, "SELECT ts FROM sched WHERE ts = 1"])
        ok(done.returncode == 0 and done.stdout == nothing, f"{option} of no rows", done.stdout)
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"
    lines = run([FXTREC, "query", path, sql]).stdout.splitlines()
    ok([line.strip() for line in lines] == ["i", "---"] + [str(i) for i in range(1, 5001)], "more rows than are held back",
       lines[:3])
    hostile = File().cpu(0).switch(10, 0, 0, 120, 1, 7, 120).named(7, 7, "a\x1b[31m\n\u009bb\u202e", 1)
    done = run([FXTREC, "query", folder.write("h.fxt", hostile.data), "SELECT name FROM thread WHERE utid"])
    ok(not set(done.stdout) & set("\x1b\x9b") and done.stdout.count("\n") == 3, "no controls on a terminal", repr(done.stdout))
    with subprocess.Popen([FXTREC, "query", "-", "SELECT t.name FROM sched JOIN thread t USING (utid) WHERE utid LIMIT 1"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=False) as child:
        with open(path, "rb") as f:
            out, _ = child.communicate(f.read())
    ok(child.returncode == 0 and out.endswith(b"\nmain\n"), "standard input, of a pipe, for two tables", out)
    with open(path, "rb") as f:
        done = run([FXTREC, "query", "-", "SELECT t.name FROM sched JOIN thread t USING (utid) WHERE utid LIMIT 1"], stdin=f)
    ok(done.stdout.endswith("\nmain\n"), "standard input, of a file", done.stdout + done.stderr)


def ids(folder):
    """SQLite's integers are signed: ids of 64 bits keep their bits, and none is taken for another one."""
    f, high = File().cpu(0), 1 << 63
    f.switch(START, 0, 0, 120, 1, high + 5, 120).switch(START + 1000, 0, high + 5, 120, 1, high + 6, 120)
    f.event(INSTANT, START + 1500, high + 6, high + 6, "user", "here").switch(START + 2000, 0, high + 6, 120, 3, 0, 120)
    f.named(high + 5, high + 5, "five", leader=True).named(high + 6, high + 6, "six", leader=True)
    path = folder.write("ids.fxt", f.data)
    ok(sorted(rows(path, "SELECT tid, name FROM thread WHERE utid")) == [(5 - high, "five"), (6 - high, "six")] and
       sorted(rows(path, "SELECT pid, name FROM process")) == [(5 - high, "five"), (6 - high, "six")] and
       rows(path, "SELECT tid FROM slice") == [(6 - high,)], "ids of 64 bits are told apart",
       rows(path, "SELECT * FROM thread"))


def large_counters(folder):
    """An unsigned counter of 2^63 and more is none of SQLite's integers: it is the nearest number, in each format."""
    f = File().provider(1, "fxtrec").event(COUNTER, 500, 10, 10, "app", "most", [("value", Unsigned(2**64 - 1))], 9)
    path = folder.write("large.fxt", f.event(COUNTER, 600, 10, 10, "app", "more", [("value", Unsigned(2**63))], 9).data)
    for form in ("fxt", "json", "txt", "pftrace"):
        other = os.path.join(folder.path, "large_again." + form)
        run([FXTREC, "convert", path, "-o", other])
        ok([row[0] for row in rows(other, "SELECT value FROM counter ORDER BY ts")] == [float(2**64), float(2**63)],
           f"counters beyond 2^63: {form}", rows(other, "SELECT * FROM counter"))


def zeros(folder):
    """A name may have a U+0000 in it, and is whole."""
    f = File().named(10, 10, "ten\0th", 1, leader=True).cpu(0).switch(1, 0, 0, 120, 1, 10, 120)
    for at, name in enumerate(("a\0b", "a\0c", "a", "a\0b")):
        f.event(COMPLETE, 10 * at + 10, 10, 10, "of\0" + name, name, (), 10 * at + 15)
    path = folder.write("zeros.fxt", f.event(COUNTER, 60, 10, 10, "", "n\0m", [("v\0w", 5)], 1).switch(
        100, 0, 10, 120, 3, 0, 120).data)
    got = rows(path, "SELECT name, category, count(*) FROM slice GROUP BY 1, 2 ORDER BY 1")
    ok(got == [("a", "of\0a", 1), ("a\0b", "of\0a\0b", 2), ("a\0c", "of\0a\0c", 1)], "names with U+0000", got)
    ok(rows(path, "SELECT name, series FROM counter") == [("n\0m", "v\0w")], "a counter's, too")
    ok(rows(path, "SELECT ts FROM slice WHERE name = 'a'") == [(30,)], "none is taken for another one")
    csv = run([FXTREC, "query", "--csv", path, "SELECT name FROM slice"]).stdout
    ok(csv == "name\na\ufffdb\na\ufffdc\na\na\ufffdb\n", "in CSV it is U+FFFD", csv)


def refusals(folder, path):
    for sql, text in (
            ("SELEKT 1", 'near "SELEKT": syntax error'),
            ("SELECT nix FROM sched", "no such column: nix; fxtrec-query(1) has the columns"),
            ("SELECT * FROM slices", "no such table: slices; there are sched, thread_state, wakeup,"),
            ("SELECT 'a\nb", "unrecognized token"),
            ("", "no statement"), (" /* nothing */", "no statement"),
            ("SELECT 1; SELECT 2", "more than one statement"), ("SELECT 1; x", "more than one statement"),
            ("ATTACH 'x' AS x", "not authorized"), ("DETACH main", "not authorized"),
            ("PRAGMA journal_mode = WAL", "not authorized"), ("PRAGMA temp_store_directory = '/'", "not authorized"),
            ("SELECT load_extension('x')", "not authorized"), ("SELECT FTS3_Tokenizer('simple')", "not authorized"),
            ("SELECT fts3_tokenizer('simple', x'0000000000000000')", "not authorized"),
            ("CREATE TABLE x(y)", "not authorized"), ("CREATE TEMP TABLE x(y)", "not authorized"),
            ("INSERT INTO sched VALUES (1)", "not authorized"), ("DELETE FROM thread", "may not be modified"),
            ("DROP TABLE sched", "not authorized"), ("BEGIN", "not authorized; a statement can only read"),
            ("VACUUM INTO '/tmp/fxtrec-query-none'", "no rows"), ("REINDEX", "no rows")):
        fails(["query", path, sql], 2, text, f"refused: {sql[:40]!r}")
    for arguments, text in (
            ([], "no FILE"), ([path], "no SQL"), (["--top=1", path, "SELECT 1"], "unrecognized option"),
            (["--sort=ts", path, "SELECT 1"], "unrecognized option"), (["-t", "1", path, "SELECT 1"], "invalid option"),
            (["-C", "1", path, "SELECT 1"], "invalid option"), (["--json", "--csv", path, "SELECT 1"], "either"),
            (["--time=x", path, "SELECT 1"], "no FROM,TO"), (["--from=x", path, "SELECT 1"], "no format")):
        fails(["query", *arguments], 2, text, "misused: " + " ".join(arguments[:1]), cwd="/")
    for table in ("wakeup", "migration", "counter"):
        for ns in (0, 1000, 1490, 10**18):
            ok(rows(path, f"SELECT count(*) FROM {table} WHERE ts <= {ns}") ==
               rows(path, f"SELECT count(*) FROM {table} WHERE +ts <= {ns}"), f"{table}: a bound of ts ends the pass early")
    f = File().provider(1, "fxtrec").event(COUNTER, 500, 10, 10, "app", "early", [("value", 1)], 9).cpu(0)
    before = folder.write("before.fxt", f.switch(1000, 0, 0, 120, 1, 10, 120).switch(2000, 0, 10, 120, 3, 0, 120).data)
    for ns in (499, 500, 999, 1000):
        ok(rows(before, f"SELECT count(*) FROM counter WHERE ts <= {ns}") == [(int(ns >= 500),)],
           f"what is before the first switch is found by a bound of ts: {ns}")
    ok(rows(path, "SELECT 1; -- and nothing else\n ;") == [(1,)], "a comment behind the statement")
    ok(not os.path.exists("/tmp/fxtrec-query-none"), "nothing was written")
    fails(["query", folder.path, "SELECT * FROM sched"], 1, "no trace: neither it nor a folder in it", "a folder without a trace")
    fails(["query", path + "x", "SELECT * FROM sched"], 1, "No such file", "a missing file")
    fails(["query", "/dev/null", "SELECT * FROM sched"], 1, "no regular file", "a device")
    for sql in ("SELECT * FROM sched", "SELECT * FROM thread", "SELECT * FROM slice"):
        fails(["query", folder.write("empty", b""), sql], 1, "not a trace: it is empty", f"an empty file: {sql}")
        fails(["query", folder.write("text", b"this is not a trace, but some text\n"), sql], 1,
              "not a trace of a known format", f"no trace: {sql}")
        fails(["query", folder.write("packed.xz", lzma.compress(b"x" * 100)), sql], 1,
              "packed: unpack it first (xz -d)", f"packed by xz: {sql}")
    with tarfile.open(folder.path + "/packed.tar.gz", "w:gz") as archive:
        archive.add(path, "trace.fxt")
    fails(["query", folder.path + "/packed.tar.gz", "SELECT * FROM sched"], 1, "packed: unpack it first (tar -x)", "an archive")


def hostile(folder, path):
    nothing = folder.write("nothing.fxt", File().data)
    for table in ("sched", "thread_state", "wakeup", "migration", "process", "slice", "counter", "log", "loss", "object", "lock"):
        ok(rows(nothing, f"SELECT * FROM {table}") == [], f"a trace with nothing in it: {table}")
    ok(rows(nothing, "SELECT tid FROM thread") == [(0,)], "a trace with nothing in it: thread")
    with open(path, "rb") as f:
        whole = f.read()
    rng = random.Random(SEED)
    wrong = []
    for _ in range(tap.amount("CUTS", 40, 400)):
        data = bytearray(whole[:rng.randrange(8, len(whole))] if rng.random() < 0.5 else whole)
        for _ in range(rng.randrange(4)):
            data[rng.randrange(8, len(data))] = rng.randrange(256)
        damaged = folder.write("damaged.fxt", bytes(data))
        table = rng.choice(("sched", "thread_state", "wakeup", "thread", "process", "slice", "counter", "log", "loss", "lock"))
        for options in (["--strict"], []):
            done = run([FXTREC, "query", "--json", *options, damaged, f"SELECT * FROM {table}"], timeout=600)
            if done.returncode not in (0, 1) or (done.returncode and len(done.stderr.splitlines()) != 1 + len(
                    [line for line in done.stderr.splitlines() if "passed over" in line])):
                wrong.append((table, options, done.returncode, done.stderr[:300]))
    ok(not wrong, "cut and damaged files: rows, or one line", wrong[:2])
    flat = File().named(10, 10, "flat", 1).cpu(0).switch(5, 0, 0, 120, 1, 10, 120).event(COMPLETE, 7, 10, 10, "app", "all", (), 90)
    for i in range(200):
        flat.event(COMPLETE, 50, 10, 10, "app", f"s{i}", (), 50)
    got = rows(folder.write("flat.fxt", flat.switch(100, 0, 10, 120, 3, 0, 120).data),
               "SELECT dur, depth, count(*) FROM slice GROUP BY 1, 2 ORDER BY 1")
    ok(got == [(0, 1, 200), (83, 0, 1)], "slices of no length are in none of each other", got)
    deep = File().named(10, 10, "deep", 1).cpu(0).switch(5, 0, 0, 120, 1, 10, 120)
    for i in range(5000):
        deep.event(BEGIN, 10 + i, 10, 10, "app", f"s{i}")
    for i in range(5000):
        deep.event(END, 10000 + i, 10, 10, "app", "")
    got = rows(folder.write("deep.fxt", deep.data), "SELECT count(*), max(depth), min(ts), max(dur) FROM slice")
    ok(got == [(4096, 4095, 10, 14999 - 10)], "slices that are nested too deeply are left out", got)


def bazel(folder):
    """What Bazel's profiles have: a slice from before 0, and counters with texts."""
    path = folder.write("bazel.json", json.dumps([
        {"ph": "X", "ts": -1306000, "dur": 1306500, "pid": 1, "tid": 27, "name": "launch"},
        {"ph": "X", "ts": -10, "dur": 5, "pid": 1, "tid": 28, "name": "before"},
        {"ph": "C", "ts": 1, "tts": 7, "cname": "red", "pid": 1, "tid": 27, "name": "use",
         "args": {"cpu": "1.5", "memory": 200, "unit": "MB"}}]).encode())
    ok(rows(path, "SELECT ts, dur, name FROM slice ORDER BY utid") == [(0, 500000, "launch"), (0, 0, "before")],
       "a slice that begins before 0 ends when it does")
    ok(sorted(rows(path, "SELECT name, value, series FROM counter")) == [("use", 1.5, "cpu"), ("use", 200, "memory")],
       "counters of JSON: texts of numbers are values, fields of the event are none")
    text = run([FXTREC, "convert", path, "-o", "-", "--to=ftrace"]).stdout
    ok("|use:cpu|1.5\n" in text and "|use:memory|200\n" in text and text.count(": C|") == 2, "so they are in text",
       text)


def endless(folder):
    """A complete event without a duration, and what is within it."""
    event = '{"ph":"%s","pid":1,"tid":2,"ts":%d,"name":"%s"%s}'
    path = folder.write("endless.json", ("[" + ",".join([
        event % ("B", 5, "outer", ""), event % ("X", 20, "open", ""), event % ("X", 30, "in it", ',"dur":5'),
        event % ("B", 40, "started", ""), event % ("E", 50, "", ""), event % ("E", 60, "", ""),
        event % ("X", 70, "after", ',"dur":5')]) + "]").encode())
    got = rows(path, "SELECT name, dur, depth FROM slice ORDER BY ts")
    ok(got == [("outer", 55000, 0), ("open", None, 1), ("in it", 5000, 2), ("started", 10000, 2), ("after", 5000, 0)],
       "a slice without a duration has not ended", got)


def together(folder):
    """Complete events that begin together: the longest is around the others, whatever their order in the file."""
    event = '{"ph":"X","pid":1,"tid":2,"ts":%d,"dur":%d,"name":"%s"}'
    path = folder.write("together.json", ("[" + ",".join([
        event % (10, 2, "child"), event % (10, 5, "parent"), event % (10, 3, "middle"), event % (12, 1, "last")]) +
        "]").encode())
    got = rows(path, "SELECT name, depth FROM slice ORDER BY ts, depth")
    ok(got == [("parent", 0), ("middle", 1), ("child", 2), ("last", 2)], "of slices that begin together, the longest first",
       got)
    one = '{"ph":"%s","pid":1,"tid":%d,"ts":10,"dur":%d,"name":"%s"}'
    events = [one % ("X", 100 + tid, 2, "child") for tid in range(40)] + [one % ("i", 7, 0, "x"), one % ("B", 8, 0, "b")]
    path = folder.write("many.json", ("[" + ",".join(events + [one % ("X", 100 + tid, 5, "parent") for tid in range(40)]) +
                                      "]").encode())
    got = rows(path, "SELECT name, depth, count(*) FROM slice WHERE dur > 0 GROUP BY 1, 2 ORDER BY 1")
    ok(got == [("child", 1, 40), ("parent", 0, 40)], "slices of 40 threads that begin together, and others between them", got)


def losses_unknown(folder):
    """A loss of which nothing says how many events it had."""
    line = "a-7 [001] ..... 1%d.0: sched_waking: comm=a pid=7 prio=120 target_cpu=001\n"
    path = folder.write("lost.txt", f"{line % 0}CPU:1 [LOST EVENTS]\n{line % 1}CPU:1 [LOST 5 EVENTS]\n{line % 2}".encode())
    ok(rows(path, "SELECT events FROM loss") == [(None,), (5,)], "losses of unknown number are NULL")
    got = json.loads(run([FXTREC, "report", "--json", path]).stdout)["lost"]
    ok([loss["events"] for loss in got] == [None, 5], "and null in the report", got)
    got = run([FXTREC, "report", path]).stdout
    ok("lost: at least 5 events in 2 losses" in got, "the report's sum has at least the others", got)


class Folder:
    def __init__(self, path):
        self.path = path

    def write(self, name, data):
        with open(os.path.join(self.path, name), "wb") as f:
            f.write(data)
        return f.name


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Folder(temporary)
        for name, check in (("sums are the report's, to the ns", same), ("rows are what happened", happened),
                            ("wakers of waits", waked)):
            failures = []
            for i in range(TRACES):
                wrong = check(folder, SEED * 1000 + i)
                if wrong:
                    failures.append(f"seed {SEED * 1000 + i}: {wrong}")
            ok(not failures, f"{name}: {TRACES} machines", "\n".join(failures[:5]))
        joined(folder)
        path = events(folder)
        forms(folder, path)
        bazel(folder)
        endless(folder)
        together(folder)
        losses_unknown(folder)
        again(folder)
        unscheduled(folder)
        ids(folder)
        large_counters(folder)
        zeros(folder)
        refusals(folder, path)
        hostile(folder, path)
    tap.done()


main()
