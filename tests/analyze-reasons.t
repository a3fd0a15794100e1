#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reasons of sleeps in report and top: a sum for each class of waits, to the ns, of made-up traces."""
import csv
import io
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import EXCEPTION, File, INSTANT, IOWAIT, JOIN, KERNEL, LOCK, OWN, PRIVATE, Unsigned, Unsigned64, reason

START = 10 ** 12
WORKER = 10
CLASSES = ("idle", "lock", "disk", "network", "pipe", "memory", "child", "stopped", "kernel", "other")
STATES = ("run", "wait_wakeup", "wait_preempted", "unknown")
ADDED = [name + "_ns" for name in CLASSES if name != "stopped"]
# System calls of x86-64.
READ, POLL, MADVISE, FUTEX, WAIT4, FSYNC, PTRACE, EPOLL_WAIT = 0, 7, 28, 202, 61, 74, 101, 232
TINY, HUGE = 1, 2 ** 64 - 1


def begin(host="a", boot=10 ** 18):
    f = File().provider(1, "fxtrec").clock(START - 10, boot + START, START, START)
    f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", host)])
    for tid, name in (10, "worker"), (11, "holder"), (12, "other"):
        f.named(10 if tid < 12 else 12, tid, name, START - 100, leader=tid != 11)
    return f.cpu(0)


class Sleeper:
    """A thread that runs for 1000 ns at a time, and is woken by another one; it waits for 100 ns then."""

    def __init__(self, f, tid=WORKER, waker=11):
        self.f, self.tid, self.waker, self.now, self.sums = f, tid, waker, START, {}
        f.switch(START, 0, 0, 120, 1, tid, 120)

    def sleep(self, ns, of, why=(), letter=None):
        self.f.switch(self.now + 1000, 0, self.tid, 120, 3, 0, 120, letter, why=why)
        self.f.wakeup(self.now + 1000 + ns, 0, self.tid, 120, waker=self.waker)
        self.now += 1100 + ns
        self.f.switch(self.now, 0, 0, 120, 1, self.tid, 120)
        self.sums[of] = self.sums.get(of, 0) + ns
        return self

    def end(self, folder, name):
        self.f.switch(self.now + 1000, 0, self.tid, 120, 0, 0, 120, "Z")
        return self.f.write(folder, name)


def row(path, *options, tid=WORKER):
    return next((r for r in json.loads(tap.said("report", "--json", path, *options))["threads"] if r["tid"] == tid), {})


def sums(found):
    return {name: found.get(name + "_ns") for name in CLASSES if found.get(name + "_ns")}


def whole(found):
    """The states and classes are the thread's life."""
    return sum(found[name + "_ns"] for name in STATES + CLASSES) == found["end_ns"] - found["begin_ns"]


EVERY = (
    (101, "idle", reason(EPOLL_WAIT, "epoll", 0xabc), {}), (202, "lock", reason(FUTEX, "futex", 0x40, flags=LOCK, operation=PRIVATE), {}),
    (303, "disk", reason(FSYNC, "file", 5, device=0x800001), {}), (404, "network", reason(READ, "inet", 77), {}),
    (505, "pipe", reason(READ, "pipe", 4711), {}), (606, "memory", reason(entry=EXCEPTION), {"letter": "D"}),
    (707, "child", reason(WAIT4, "child", 12), {}), (808, "stopped", (), {"letter": "T"}),
    (909, "kernel", reason(entry=KERNEL), {"letter": "D"}), (1010, "other", (), {}), (21, "disk", reason(entry=EXCEPTION, flags=IOWAIT), {"letter": "D"}),
    (22, "lock", reason(READ, "mutex", 0x99, holder=12), {"letter": "D"}), (23, "lock", reason(FUTEX, "futex", 0x44, operation=PRIVATE, holder=11), {}),
    (24, "child", reason(FUTEX, "futex", 0x48, flags=JOIN, operation=9, holder=11), {}), (25, "memory", reason(MADVISE), {}),
    # No thread of the process: what is waited for isn't a lock because of it.
    (26, "idle", reason(FUTEX, "futex", 0x4c, operation=PRIVATE, holder=12), {}), (27, "idle", reason(POLL), {}),
    (28, "kernel", reason(PTRACE), {}))


def classes(folder):
    sleeper = Sleeper(begin())
    for ns, of, why, how in EVERY:
        sleeper.sleep(ns, of, why, **how)
    path = sleeper.end(folder, "classes.fxt")
    found = row(path)
    tap.ok(sums(found) == sleeper.sums and whole(found), "each class has the time of its waits, to the ns", (sums(found), sleeper.sums))
    tap.ok(found["sleep_ns"] + found["blocked_ns"] + found["stopped_ns"] == sum(sleeper.sums.values()),
           "the states of sleeps are as ever", found)
    table = list(csv.DictReader(io.StringIO(tap.said("report", "--csv", "-t10", path))))
    tap.ok({name: int(table[0][name + "_ns"]) for name in sleeper.sums} == sleeper.sums, "and so has CSV", table)
    lines = tap.said("report", path).splitlines()
    heads = next(line for line in lines if line.startswith("thread"))
    at = [heads.find(f" {name if name != 'stopped' else 'stop'} ms") for name in CLASSES]
    tap.ok(min(at) > 0 and "sleep ms" not in heads and "block ms" not in heads and "0.001 " in lines[-2],
           "text has a column for each in place of sleep and block", lines)
    for cut, expected in ((["--time=,1.05us"], {"idle": 50}), (["--time=1.05us,1.1us"], {"idle": 50})):
        tap.ok(sums(row(path, *cut)) == expected, f"cut to {cut[0]}", row(path, *cut))
    only = Sleeper(begin()).sleep(10 ** 6, "lock", EVERY[1][2]).end(folder, "only.fxt")
    heads = next(line for line in tap.said("report", only).splitlines() if line.startswith("thread"))
    tap.ok("lock ms" in heads and not any(f" {name} ms" in heads for name in CLASSES if name != "lock"),
           "text has no column of a class without a wait", heads)
    done = [json.loads(line) for line in tap.said("top", "--batch", "--json", "--interval=1ms", path).splitlines()]
    total = {}
    for lap in done:
        for r in lap["threads"]:
            for name, ns in sums(r).items() if r["tid"] == WORKER else ():
                total[name] = total.get(name, 0) + ns
    tap.ok(total == sleeper.sums, "the laps of top add up to the same", total)
    by_comm = json.loads(tap.said("report", "--json", "--by=comm", path))["comms"]
    tap.ok(any(sums(r) == sleeper.sums for r in by_comm), "a group has the sums of its threads", by_comm)
    tap.ok(sums(row(path, "--sort=lock")) == sleeper.sums, "--sort by a class")


def without(folder):
    """No reasons: all is as ever, and nothing is known of the classes."""
    sleeper = Sleeper(begin()).sleep(5000, "other").sleep(7000, "other", letter="D")
    path = sleeper.end(folder, "without.fxt")
    text = tap.said("report", path)
    tap.ok(not any(name in row(path) for name in ADDED) and "other_ns" not in tap.said("report", "--csv", path) and
           "sleep ms" in text and "block ms" in text and "other ms" not in text, "a trace without reasons has none of the columns", text)
    laps = [json.loads(line) for line in tap.said("top", "--batch", "--json", path).splitlines()]
    tap.ok(laps and not any(name in r for lap in laps for r in lap["threads"] for name in ADDED), "in top neither", laps)
    done = tap.run([tap.FXTREC, "report", "--assert=lock < 1s", "--assert=lock.count == 0", path])
    tap.ok(done.returncode == 3 and done.stderr.count("there is nothing of it") == 2, "assertions of classes don't hold then", done.stderr)
    other = Sleeper(begin("b", 2 * 10 ** 18)).sleep(100, "lock", EVERY[1][2]).end(folder, "with.fxt")
    both = json.loads(tap.said("report", "--json", path, other))["threads"]
    tap.ok([(r["machine"], r["lock_ns"]) for r in both if r["tid"] == WORKER] == [(0, None), (1, 100)],
           "of two machines, the one without reasons has null", both)
    table = [(r["machine"], r["lock_ns"]) for r in csv.DictReader(io.StringIO(tap.said("report", "--csv", "-t10", path, other)))]
    tap.ok(sorted(table) == [("0", ""), ("1", "100")], "and no value in CSV", table)


def listed(folder):
    """A thread that slept before the recording: nobody saw why."""
    f = begin().listed(START - 5, [(START - 4, 12, "S", 0)])
    f.switch(START, 0, 0, 120, 1, WORKER, 120)
    f.wakeup(START + 500, 0, 12, 120, waker=WORKER)
    f.switch(START + 1000, 0, WORKER, 120, 3, 12, 120, why=reason(EPOLL_WAIT, "epoll", 1))
    found = row(f.switch(START + 2000, 0, 12, 120, 3, 0, 120, why=reason(POLL)).write(folder, "listed.fxt"), tid=12)
    tap.ok(sums(found) == {"other": 500} and whole(found), "a sleep that was going on when the recording began has no class", found)


def assertions(folder):
    sleeper = Sleeper(begin())
    for i in range(1, 101):
        sleeper.sleep(1000 * i, "lock", EVERY[1][2]).sleep(10, "idle", reason(POLL))
    path = sleeper.end(folder, "assert.fxt")
    for text, right in (("lock == 5050us", 1), ("lock.count == 100", 1), ("lock.max == 100us", 1), ("lock.mean == 50500ns", 1),
                        ("lock.p99{comm=worker} > 97us", 1), ("lock.p99{comm=worker} < 97us", 0), ("lock.p50{tid=10} <= 51us", 1),
                        ("idle == 1us", 1), ("disk == 0", 1), ("lock > 50%", 1), ("other < 1us", 1), ("lock{comm=worker} < 1ms", 0)):
        done = tap.run([tap.FXTREC, "report", f"--assert={text}", path])
        tap.ok(done.returncode == (0 if right else 3), f"--assert='{text}'", done.stderr)
    for text, why in (("idle.p99 < 1s", '"idle" is a sum: only wakeup and preempted have percentiles, and lock'), ("lok < 1s", "no figure")):
        tap.fails(["report", f"--assert={text}", path], 2, why, f"--assert='{text}'")
    path = sleeper.sleep(10 ** 7, "other").end(folder, "unsure.fxt")
    for text, right in (("lock < 6ms", 0), ("lock < 60ms", 1), ("lock > 5ms", 1), ("lock.max < 1ms", 1), ("other < 11ms", 1)):
        done = tap.run([tap.FXTREC, "report", f"--assert={text}", path])
        tap.ok(done.returncode == (0 if right else 3) and (right or "isn't known to hold" in done.stderr),
               f"with sleeps of unknown reasons: '{text}'", done.stderr)


def overruled(folder):
    path = Sleeper(begin()).sleep(111, "idle", reason(EPOLL_WAIT, "epoll", 1)).sleep(222, "idle", reason(POLL)).end(folder, "class.fxt")
    tap.ok(sums(row(path, "--class=epoll_wait=network")) == {"network": 111, "idle": 222}, "--class overrules a call's class")
    tap.ok(sums(row(path, "--class=epoll_wait=disk", "--class=poll=pipe", "--class=epoll_wait=child")) == {"child": 111, "pipe": 222},
           "also several calls; the last one wins")
    for wrong in "epoll_wait", "epol_wait=disk", "epoll_wait=net", "epoll_wait=stopped", "=disk", "":
        tap.fails(["report", "--class=" + wrong, path], 2, f"--class={wrong}: no CALL=CLASS", f"--class={wrong}")
    for command in "blame", "timehist":
        done = tap.run([tap.FXTREC, command, "--class=poll=disk", path])
        tap.ok(done.returncode == 0, f"{command} has it, too", done.stderr)


def mangled(folder):
    """Reasons that no recorder writes are sleeps all the same."""
    odd = (reason(0xffff, entry=7, flags=0xfff80000), reason(READ, "futex", HUGE, holder=2 ** 32 - 1), reason(999, "file", HUGE, device=2 ** 32 - 1),
           [("reason", "read")], [("reason", Unsigned(2 ** 40))], [("reason", Unsigned(0))], reason(READ, "nothing", 1),
           reason(READ, "pipe", 1) + [("futex", Unsigned(2)), ("file", "name")], [("futex", Unsigned(2)), ("holder", Unsigned(11))],
           reason(READ, "mutex", 1, holder=WORKER), [("reason", True)], reason(FUTEX, "futex", TINY, flags=LOCK | JOIN, holder=2 ** 30))
    sleeper = Sleeper(begin())
    for i, why in enumerate(odd):
        sleeper.sleep(2 ** i, "any", why)
    path = sleeper.end(folder, "mangled.fxt")
    found = row(path)
    tap.ok(sum(sums(found).values()) == 2 ** len(odd) - 1 and whole(found), "whatever a reason has, sums are exact", found)
    odd_rows = {by: rows(path, by) for by in ("reason", "lock")}
    tap.ok(sum(r["ns"] for r in odd_rows["reason"]) == 2 ** len(odd) - 1 and
           sum(r["ns"] for r in odd_rows["lock"]) == sums(found)["lock"], "so are the rows of reasons and locks", odd_rows)
    tap.ok(sums(found)["other"] == sum(2 ** i for i in (3, 4, 5, 8, 10)), "what isn't a reason is unknown", sums(found))


def rows(path, by, *options):
    return json.loads(tap.said("report", "--json", f"--by={by}", path, *options)).get(by + "s")


def figures(found):
    """Of rows: what they are, and their sums and holders."""
    return [(r["object"], r["process"], r["count"], r["ns"], r["longest_ns"], r["waiters_max"], r["handoffs"], r["held_ns"],
             [(h["tid"], h["ns"]) for h in r["holders"]]) for r in found]


def queried(what, *inputs):
    """Compares the table lock of query with --by=lock."""
    def texts(row):
        return [str(value) for value in row.values()]

    wanted = []
    for r in json.loads(tap.said("report", "--json", "--by=lock", *inputs))["locks"]:
        ended = r["p99_ns"] > 0
        top = r["holders"][0] if r["holders"] else dict.fromkeys(("key", "tid", "ns"))
        wanted.append({"ts": r["longest_at_ns"], "dur": r["longest_ns"], "utid": r["longest_key"], "syscall": r["call"],
                       "object": r["object"], "name": r["object_name"], "process": r["process"], "pid": r["pid"],
                       "waits": r["count"], "total_dur": r["ns"], "p50_dur": r["p50_ns"] if ended else None,
                       "p99_dur": r["p99_ns"] if ended else None, "waiters_max": r["waiters_max"], "handoffs": r["handoffs"],
                       "held_dur": r["held_ns"], "holder_utid": top["key"], "holder_tid": top["tid"], "holder_dur": top["ns"],
                       "machine": r["machine"]})
    found = json.loads(tap.said("query", "--json", *inputs, "SELECT * FROM lock"))
    tap.ok(wanted and sorted(found, key=texts) == sorted(wanted, key=texts), f"query has the rows of --by=lock: {what}", (found, wanted))


def listed_switches(path):
    """Each row of timehist has the reason of the sleep before its run."""
    rows_of = json.loads(tap.said("timehist", "--json", path))["switches"]
    slept = {(s["utid"], s["ts"]): (s["class"], s["syscall"], s["object"], s["holder_utid"], s["holder_tid"]) for s in json.loads(tap.said(
        "query", "--json", path, "SELECT * FROM thread_state WHERE state IN ('S', 'D', 'T')"))}
    found = {(r["key"], r["time_ns"] - r["run_ns"] - r["wait_ns"]): (r["class"], r["call"], r["object"], *(
        (r["holder"]["key"], r["holder"]["tid"]) if r["holder"] else (None, None))) for r in rows_of if r["class"]}
    tap.ok(len(found) >= 3 and all(slept.get(at) == of for at, of in found.items()), "timehist has the sleeps of thread_state", (found, slept))
    awake = [r for r in rows_of if r["wait_ns"] is None or (r["key"], r["time_ns"] - r["run_ns"] - r["wait_ns"]) not in slept]
    tap.ok(awake and not any(r["class"] or r["object"] or r["holder"] for r in awake), "and no reason where a thread isn't known to have slept", awake)
    table = list(csv.DictReader(io.StringIO(tap.said("timehist", "--csv", path))))
    tap.ok([(t["class"], t["call"], t["object"], t["holder_tid"]) for t in table] == [
        (r["class"] or "", r["call"] or "", r["object"] or "", str(r["holder"]["tid"]) if r["holder"] else "") for r in rows_of], "CSV has the same", table)
    lines = tap.said("timehist", path).splitlines()
    at = lines[0].index("waited for")
    texts = [line[at:] for line in lines[3:]]
    tap.ok([text.partition(":")[0] for text in texts] == [r["class"] or "" for r in rows_of] and
           "lock: futex 0x40, held by holder[11/10]" in texts and "lock: read of mutex 0x99, held by other[12]" in texts, "text has it in a column", texts)


def held_unseen(folder):
    """A holder that is scheduled only after other threads, or never, shifts no thread of query; a reused id is a thread of its own."""
    f = begin().cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    f.switch(START + 1000, 0, 10, 120, 3, 0, 120, why=reason(READ, "mutex", 1, holder=12)).named(30, 30, "late", START, leader=True)
    f.named(31, 31, "silent", START, leader=True).switch(START + 2000, 0, 0, 120, 1, 30, 120)
    f.switch(START + 3000, 0, 30, 120, 3, 0, 120, why=reason(READ, "mutex", 2, holder=31)).switch(START + 4000, 0, 0, 120, 1, 12, 120)
    f.wakeup(START + 5000, 0, 10, 120, waker=12).wakeup(START + 9000, 0, 30, 120, waker=12).switch(START + 9000, 0, 12, 120, 5, 30, 120)
    # The id of thread 12 is used again, and so is that of thread 30.
    f.named(12, 12, "again", START + 9000, leader=True).wakeup(START + 9100, 0, 12, 120, waker=30, new=True)
    f.switch(START + 9200, 0, 30, 120, 5, 12, 120).named(30, 30, "anew", START + 9200, leader=True)
    f.wakeup(START + 9300, 0, 30, 120, waker=12, new=True).switch(START + 9400, 0, 12, 120, 1, 30, 120)
    f.switch(START + 9500, 0, 30, 120, 3, 12, 120, why=reason(READ, "mutex", 3, holder=12)).wakeup(START + 9900, 0, 30, 120, waker=12)
    path = f.switch(START + 10_000, 0, 12, 120, 3, 30, 120).write(folder, "unseen.fxt")
    found = json.loads(tap.said("query", "--json", path, """SELECT l.object, t.tid, t.start_ts, h.tid AS holder, h.start_ts AS born, holder_tid
        FROM lock l JOIN thread t USING (utid) LEFT JOIN thread h ON h.utid = holder_utid ORDER BY l.object"""))
    wanted = [("mutex 0x1", 10, None, 12, None, 12), ("mutex 0x2", 30, None, None, None, 31),
              ("mutex 0x3", 30, START + 9300, 12, START + 9100, 12)]
    tap.ok([tuple(r.values()) for r in found] == wanted, "each lock joins its longest waiter and its holder", found)


def contended(folder):
    """A lock that goes from one thread to the next, the same address in another process, and a lock of the kernel."""
    def lock(holder=0):
        return reason(FUTEX, "futex", 0x40, flags=LOCK, operation=PRIVATE, holder=holder)

    f = begin()
    f.named(10, 13, "third", START - 100).named(20, 20, "worker", START - 100, leader=True)
    f.cpu(0).switch(START, 0, 0, 120, 1, 11, 120).cpu(1).switch(START, 1, 0, 120, 1, 10, 120)
    f.switch(START + 1000, 1, 10, 120, 3, 13, 120, why=lock(11)).switch(START + 2000, 1, 13, 120, 3, 0, 120, why=lock(11))
    f.cpu(0).wakeup(START + 5000, 1, 10, 120, waker=11).cpu(1).switch(START + 5100, 1, 0, 120, 1, 10, 120)
    # Thread 10 has the lock now, and hands it on.
    f.wakeup(START + 9000, 1, 13, 120, waker=10).switch(START + 9100, 1, 10, 120, 3, 13, 120, why=reason(EPOLL_WAIT, "epoll", 1))
    # The waker of its next sleep isn't the holder.
    f.switch(START + 10000, 1, 13, 120, 3, 20, 120, why=lock(10)).cpu(0).wakeup(START + 11000, 1, 13, 120, waker=11)
    f.cpu(1).switch(START + 12000, 1, 20, 120, 3, 13, 120, why=lock())
    # Both processes wait for a lock of the kernel, which thread 12 has.
    mutex = reason(READ, "mutex", 0x99, holder=12)
    f.switch(START + 13000, 1, 13, 120, 3, 0, 120, "D", why=mutex).cpu(0).switch(START + 14000, 0, 11, 120, 3, 0, 120, "D", why=mutex)
    f.cpu(0).wakeup(START + 15000, 0, 20, 120, waker=0).switch(START + 15000, 0, 0, 120, 1, 20, 120)
    f.switch(START + 16000, 0, 20, 120, 3, 12, 120, "D", why=reason(FSYNC, "mutex", 0x99, holder=12))
    f.wakeup(START + 20000, 1, 13, 120, waker=12).cpu(1).switch(START + 20000, 1, 0, 120, 1, 13, 120)
    path = f.switch(START + 21000, 1, 13, 120, 3, 0, 120, why=reason(POLL)).write(folder, "locks.fxt")
    first = ("futex 0x40", "worker", 3, 12000, 7000, 2, 2, 12000, [(11, 11000), (10, 1000)])
    second = ("futex 0x40", "worker", 1, 3000, 3000, 1, 0, 0, [])
    kernel = ("mutex 0x99", None, 3, 19000, 7000, 3, 1, 19000, [(12, 19000)])
    found = rows(path, "lock")
    tap.ok(figures(found) == [kernel, first, second], "--by=lock has a row for each lock, to the ns", figures(found))
    tap.ok([r["pid"] for r in found] == [None, 10, 20], "private futexes are of one process each", found)
    listed_switches(path)
    queried("a trace", path)
    queried("a part of two waits", "--time=3us,4us", path)
    queried("two machines", path, os.path.join(folder, "with.fxt"))
    joined = json.loads(tap.said("query", "--json", path, """SELECT l.object, t.name, h.name AS holder, s.dur = l.dur AS same FROM lock l
        JOIN thread t USING (utid) LEFT JOIN thread h ON h.utid = l.holder_utid JOIN thread_state s ON s.utid = l.utid AND s.ts = l.ts
        ORDER BY l.total_dur DESC LIMIT 1"""))
    tap.ok(joined == [{"object": "mutex 0x99", "name": "third", "holder": "other", "same": 1}], "the longest wait joins its thread", joined)
    cut = figures(rows(path, "lock", "--time=3us,4us"))
    tap.ok(cut == [first[:2] + (2, 2000, 1000, 2, 0, 2000, [(11, 2000)])], "cut to a part of two waits", cut)
    chosen = figures(rows(path, "lock", "-t10"))
    tap.ok(chosen == [first[:2] + (1, 4000, 4000, 2, 2, 4000, [(11, 4000)])], "-t chooses the waits, not the waiters at once", chosen)
    found = rows(path, "reason")
    calls = [(r["class"], r["call"], r["object"], r["ns"]) for r in found]
    tap.ok(calls == [("lock", "read", "mutex 0x99", 14000), ("lock", "futex", "futex 0x40", 12000), ("lock", "fsync", "mutex 0x99", 5000),
                     ("lock", "futex", "futex 0x40", 3000), ("idle", "epoll_wait", "epoll 0x1", 11900)],
           "--by=reason has a row for each call and object of a process, and waits for work last", calls)
    whole_of = json.loads(tap.said("report", "--json", path))["threads"]
    tap.ok(sum(r["ns"] for r in found) == sum(r["sleep_ns"] + r["blocked_ns"] for r in whole_of), "the rows are all sleeps")
    tables = [list(csv.DictReader(io.StringIO(tap.said("report", "--csv", f"--by={by}", path)))) for by in ("lock", "reason")]
    tap.ok([(r["object"], r["ns"], r["holder_tid"], r["holder_ns"], r["waiters_max"], r["handoffs"]) for r in tables[0]] ==
           [("mutex 0x99", "19000", "12", "19000", "3", "1"), ("futex 0x40", "12000", "11", "11000", "2", "2"),
            ("futex 0x40", "3000", "", "", "1", "0")] and len(tables[1]) == 5, "CSV has the same", tables)
    text = tap.said("report", "--by=lock", path)
    tap.ok("futex 0x40 of worker" in text and "held by holder:11 92 %, worker:10 8 %" in text, "text has the holders' shares", text)
    text = tap.said("report", "--by=reason", "--top=2", path)
    tap.ok("read mutex 0x99 of worker" in text and "fsync" not in text, "--top has the greatest rows", text)
    text = tap.said("report", "--by=lock", os.path.join(folder, "without.fxt"))
    tap.ok("reasons of sleeps aren't known" in text, "a trace without reasons", text)
    for wrong in "--over=1ms", "--sort=lock":
        tap.fails(["report", "--by=lock", wrong, path], 2, "--by=lock has no " + wrong.split("=", maxsplit=1)[0], f"--by=lock {wrong}")
    tap.fails(["report", "--by=locks", path], 2, 'container, cpu, reason or lock: did you mean "lock"?', "--by=locks")
    both = rows(path, "lock", os.path.join(folder, "with.fxt"))
    tap.ok({r["machine"] for r in both} == {0, 1}, "the locks of two machines are apart", both)


def shared(folder):
    """Futexes of several processes: by the file of their memory, by their process, and by their address if neither is known."""
    def lock(address, holder=0, **file):
        return reason(FUTEX, "futex", address, flags=LOCK | file.pop("own", 0), holder=holder, **file)

    def slept(f, start, tid, waker, why):
        """For 1000 ns."""
        f.cpu(0).switch(start, 0, 0, 120, 1, tid, 120).switch(start + 10, 0, tid, 120, 3, 0, 120, why=why)
        f.wakeup(start + 1010, 0, tid, 120, waker=waker).switch(start + 1020, 0, 0, 120, 1, tid, 120)
        f.switch(start + 1030, 0, tid, 120, 3, 0, 120, why=reason(POLL))

    disk = {"device": 254 << 20, "file": (77, 4096)}
    whys = [(10, 20, lock(0x40, 20, **disk)), (20, 10, lock(0x80, 10, **disk)), (30, 10, lock(0x40, 10, **disk)),
            (10, 20, lock(0x40, device=254 << 20, file=(77, 4100))), (20, 10, lock(0x40, device=253 << 20, file=(77, 4096))),
            (10, 20, lock(0x40, 11, own=OWN)), (20, 10, lock(0x40, own=OWN)), (10, 20, lock(0x90, 20)), (20, 10, lock(0x90, 10)),
            (10, 20, lock(0x90, 20, own=OWN))]
    f = begin()
    for tid, name in (20, "worker"), (30, "third"):
        f.named(tid, tid, name, START - 100, leader=True)
    for i, (tid, waker, why) in enumerate(whys):
        slept(f, START + 10_000 * i, tid, waker, why)
    f.provider(1, "fxtrec").event(INSTANT, START + 10 ** 6, 0, 0, "fxtrec", "object",
                                  [("file", Unsigned64(77)), ("device", Unsigned(254 << 20)), ("name", "/dev/shm/db")])
    path = f.write(folder, "shared.fxt")
    found = sorted((r["object"], r["object_name"] or "", r["process"] or "", r["pid"] or 0, r["count"], sorted(h["tid"] for h in r["holders"]))
                   for r in rows(path, "lock"))
    tap.ok(found == [("futex 0x40", "", "worker", 10, 1, [11]), ("futex 0x40", "", "worker", 20, 1, []),
                     ("futex 0x90", "", "worker", 0, 2, [10, 20]), ("futex 0x90", "", "worker", 10, 1, []),
                     ("futex 253:0 inode 77+4096", "", "", 20, 1, []), ("futex 254:0 inode 77+4096", "/dev/shm/db", "", 0, 3, [10, 20]),
                     ("futex 254:0 inode 77+4100", "/dev/shm/db", "", 10, 1, [])],
           "a futex of several processes is one lock by its file and position, one of a process by the process", found)
    calls = sorted((r["process"], r["count"]) for r in rows(path, "reason") if r["object"] == "futex 254:0 inode 77+4096")
    tap.ok(calls == [("third", 1), ("worker", 2)], "--by=reason has a row for each program", calls)
    text = tap.said("report", "--by=lock", path)
    tap.ok("/dev/shm/db (futex 254:0 inode 77+4096) " in text, "text has the file's name", text)
    text = json.loads(tap.said("query", "--json", path, "SELECT DISTINCT object FROM thread_state WHERE object LIKE 'futex %inode%'"))
    tap.ok(len(text) == 3, "query has the file and the position", text)


def table(text, head):
    """By class, the words of a table of analysis.rst."""
    found, of = {}, None
    for line in text.split(f"\nclass      {head}\n", 1)[1].split("\n", 1)[1].split("\n==", 1)[0].splitlines():
        of = line[:11].strip() or of
        found.setdefault(of, []).extend(re.findall(r"\w+", line[11:]))
    return found


def documented():
    """Each call and object has its class in the manual."""
    def read(path):
        with open(os.path.join(tap.TOP, path), encoding="utf-8") as f:
            return f.read()

    source = {"system calls": re.findall(r"\n\tCALL\((\w+), \w+, (\w+)\)", read("user/model/calls.c")),
              "objects": re.findall(r"\[FXT_ON_(\w+)\] = FXT_WAIT_(\w+)", read("user/model/wait.c"))}
    for head, rows in source.items():
        wanted = {}
        for name, of in rows:
            if name != "NONE":
                wanted.setdefault(of.lower().replace("_", " "), []).append(name.lower())
        found = table(read("Documentation/analysis.rst"), head)
        tap.ok(len(rows) > 20 and found == wanted, f"analysis.rst has the class of all {head}", (found, wanted))


def main():
    documented()
    with tempfile.TemporaryDirectory(prefix="fxtrec-test.") as folder:
        for judge in classes, without, listed, assertions, overruled, mangled, held_unseen, contended, shared:
            judge(folder)
    tap.done()


if __name__ == "__main__":
    main()
