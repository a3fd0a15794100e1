#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""report --assert: each figure by known waits, exit 3 where it doesn't hold, and what is no assertion."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
from fxtmake import COMPLETE, File, INSTANT, Unsigned64
import tap
from tap import FXTREC, fails, ok, run

START = 10 ** 12


def write(path):
    """In a second, thread 7 is woken a hundred times: it waits for 1 to 100 us and runs for 50 us; 8 runs in between."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.named(7, 7, "late", START - 100, leader=True)
    f.named(8, 8, "busy", START - 100, leader=True)
    f.cpu(0)
    f.switch(START, 0, 0, 120, 1, 8, 120)
    for i in range(100):
        woken = START + 10_000_000 * i + 1000
        run_at = woken + 1000 * (i + 1)
        f.wakeup(woken, 0, 7, 120, waker=8)
        f.switch(run_at, 0, 8, 120, 1, 7, 120)
        f.switch(run_at + 50_000, 0, 7, 120, 3, 8, 120)
    f.switch(START + 10 ** 9, 0, 8, 120, 3, 0, 120)
    with open(path, "wb") as out:
        out.write(f.data)


def holds(path, *assertions):
    done = run([FXTREC, "report", *("--assert=" + a for a in assertions), path])
    return done.returncode, done.stderr.splitlines()


def judge_figures(path):
    for figure, least, most in (
            ("wakeup.p50{comm=late}", "49us", "51us"), ("wakeup.p99{comm=late}", "98us", "100us"),
            ("wakeup.p99.9{comm=late}", "99us", "101us"), ("wakeup.p99.99{comm=late}", "99us", "101us"),
            ("wakeup.p50.25{comm=late}", "50.1us", "51.9us"), ("wakeup.max{comm=late}", "100us", "100us"),
            ("wakeup.mean{comm=la*}", "50.5us", "50.5us"), ("wakeup.count{tid=7}", "100", "100"),
            ("run{pid=7}", "5ms", "5ms"), ("run{comm=late}", "0.499%", "0.501%"), ("run", "1s", "1s"),
            ("wait_wakeup{comm=late}", "5050us", "5050us"), ("switches{comm=late}", "100", "100"),
            ("switches{comm=late}", "99.9/s", "100.1/s"), ("preemptions{comm=busy}", "100", "100"),
            ("wakeups", "100", "100"), ("migrations", "0", "0"), ("blocked{comm=busy}", "0ns", "0ns"),
            ("preempted.count{comm=busy}", "100", "100"), ("preempted.max{comm=busy}", "50us", "50us")):
        said = holds(path, f"{figure} >= {least}", f"{figure}<={most}")
        ok(said == (0, []), f"{figure} is {least}" + (f" to {most}" if most != least else ""), said)
        said = holds(path, f"{figure} > {most}")
        ok(said[0] == 3 and len(said[1]) == 1 and f"{figure} > {most}: doesn't hold: it is" in said[1][0],
           f"{figure} > {most} does not hold", said)
    for text, value in (("run{comm=late} > 5%", "it is 0.5 %"), ("switches{comm=late} > 200/s", "it is 100/s")):
        said = holds(path, text)
        ok(said[0] == 3 and said[1][0].endswith(value), f"{text}: with its unit", said)


def judge_relations(path):
    count = "wakeup.count{comm=late}"
    for relation, number, right in (("==", 100, True), ("!=", 100, False), ("!=", 99, True), ("<", 100, False),
                                    ("<", 101, True), (">", 99, True), (">=", 101, False), ("<=", 99, False)):
        said = holds(path, f"{count} {relation} {number}")
        ok(said[0] == (0 if right else 3), f"{count} {relation} {number}", said)
    said = holds(path, f"{count} < 1", f"{count} == 100", f"{count} > 1000")
    ok(said[0] == 3 and len(said[1]) == 2, "a line for each that doesn't hold", said)
    for unknown in ("wakeup.p99{comm=none} < 1s", "run{comm=none} < 1s", "wakeup.p50{comm=busy} < 1s"):
        said = holds(path, unknown)
        ok(said[0] == 3 and "nothing of it in the trace" in said[1][0], f"{unknown}: what isn't known doesn't hold", said)
    done = run([FXTREC, "report", "--json", f"--assert={count} < 1", path])
    ok(done.returncode == 3 and json.loads(done.stdout)["threads"], "the report is printed as ever", done.stderr)
    said = holds(path, " wakeup.count {comm=late} == 100")
    ok(said == (0, []), "spaces between its parts", said)
    done = run([FXTREC, "report", "--comm=busy", f"--assert={count} == 100", path])
    ok(done.returncode == 3, "--comm holds for assertions as well", done.stderr)


def judge_lost(path):
    """The same with a loss behind it: what may have been more isn't known."""
    lossy = path + ".lossy.fxt"
    f = File().provider(1, "fxtrec").named(8, 8, "busy", START - 100, leader=True)
    f.cpu(0)
    f.switch(START, 0, 0, 120, 1, 8, 120)
    f.switch(START + 1000, 0, 8, 120, 3, 0, 120)
    f.event(COMPLETE, START + 2000, 0x41000000, 0x41010000, "fxtrec", "lost",
            [("cause", "ring full"), ("records", Unsigned64(1000))], extra=START + 10 ** 9)
    f.switch(START + 10 ** 9 + 1000, 0, 0, 120, 1, 8, 120)
    with open(lossy, "wb") as out:
        out.write(f.data)
    for text, right in (("run{comm=busy} < 1%", False), ("preemptions{comm=busy} == 0", False),
                        ("run{comm=busy} >= 1us", True), ("switches{comm=busy} > 0", True)):
        said = holds(lossy, text)
        ok(said[0] == (0 if right else 3) and (right or "isn't known to hold" in said[1][0]), f"with a loss: {text}", said)


def judge_left_out(path):
    """Of a recording of chosen threads, and of one with a switch missing."""
    chosen = path + ".chosen.fxt"
    f = File().provider(1, "fxtrec").event(INSTANT, START - 10, 1, 1, "fxtrec", "host", [("chosen_threads", Unsigned64(1))])
    f.cpu(0).switch(START, 0, 7, 120, 1, 8, 120, unchosen="outgoing").wakeup(START + 500, 0, 9, 120, waker=8)
    f.switch(START + 1000, 0, 8, 120, 3, 7, 120, unchosen="incoming").wakeup(START + 2500, 0, 8, 120, waker=7)
    f.switch(START + 3000, 0, 7, 120, 1, 8, 120, unchosen="outgoing")
    with open(chosen, "wb") as out:
        out.write(f.switch(START + 4000, 0, 8, 120, 3, 7, 120, unchosen="incoming").data)
    for text, right in (("run{tid=8} < 1ms", True), ("run{tid=7} < 1us", False),
                        ("switches{tid=7} == 2", False), ("wakeup.count{tid=7} == 0", False), ("unknown{tid=7} > 0", True)):
        said = holds(chosen, text)
        ok(said[0] == (0 if right else 3) and (right or "isn't known to hold" in said[1][0]), f"of chosen threads: {text}", said)
    broken = path + ".broken.fxt"
    f = File().cpu(0).switch(START, 0, 0, 120, 1, 8, 120).wakeup(START + 500, 0, 9, 120, waker=8)
    # Thread 8 has left and come back, unnoticed.
    f.switch(START + 1000, 0, 9, 120, 3, 0, 120).switch(START + 5000, 0, 8, 120, 3, 9, 120)
    with open(broken, "wb") as out:
        out.write(f.switch(START + 6000, 0, 9, 120, 3, 8, 120).switch(START + 7000, 0, 8, 120, 1, 0, 120).data)
    for text, right in (("run{tid=8} < 2us", False), ("run{tid=8} < 100us", True), ("run{tid=8} > 1us", True),
                        ("switches{tid=8} < 5", True)):
        said = holds(broken, text)
        ok(said[0] == (0 if right else 3) and (right or "isn't known to hold" in said[1][0]), f"of a broken chain: {text}", said)


def judge_without(path):
    """A trace of switches alone: whether a thread slept, or waited after a wakeup, isn't known."""
    alone = path + ".alone.fxt"
    f = File().cpu(0).switch(START, 0, 0, 120, 1, 8, 120).switch(START + 1000, 0, 8, 120, 3, 9, 120)
    f.switch(START + 2000, 0, 9, 120, 3, 8, 120).switch(START + 3000, 0, 8, 120, 3, 0, 120)
    with open(alone, "wb") as out:
        out.write(f.data)
    for text in ("wakeups == 0", "wakeup.count < 1", "wait_wakeup < 1ms", "sleep < 1s", "blocked < 1s", "stopped < 1s"):
        said = holds(alone, text)
        ok(said[0] == 3 and "nothing of it in the trace" in said[1][0], f"without wakeups: {text}", said)
    said = holds(alone, "run == 3us", "switches == 3", "preemptions == 0", "unknown > 0ns", "unknown > 0")
    ok(said == (0, []), "without wakeups the others are known", said)


def judge_moved(path):
    """A thread that is on another CPU has been moved, and no record says so."""
    moved = path + ".moved.fxt"
    for said in (False, True):
        f = File().cpu(0).wakeup(START, 0, 8, 120, waker=0).switch(START + 500, 0, 0, 120, 1, 8, 120)
        f.switch(START + 1000, 0, 8, 120, 0, 0, 120)
        if said:
            f.migrate(START + 1500, 0, 8, 8, 120, 0, 1)
        f.cpu(1).switch(START + 2000, 1, 0, 120, 1, 8, 120).switch(START + 3000, 1, 8, 120, 3, 0, 120)
        with open(moved, "wb") as out:
            out.write(f.data)
        done = run([FXTREC, "report", "--assert=migrations <= 1", moved])
        ok(done.returncode == (0 if said else 3) and ("no migrations in it" in done.stdout) != said,
           "migrations are counted where they are recorded" if said else "and not known where they aren't", done)


def judge_misuse(path):
    for wrong, texts in (
            ("no figure \"", ("", "sleeps < 1", "WAKEUP.p99 < 1ms")),
            ("\"blocked\" is a sum: only wakeup and preempted", ("blocked.p99 < 1ms",)),
            ("\"wakeup\" needs .p50", (
                "wakeup < 1ms", "wakeup.p < 1ms", "wakeup.p0 < 1ms", "wakeup.p100 < 1ms", "wakeup.p99.99999 < 1ms",
                "wakeup.p0.00001 < 1ms", "wakeup.p99.99999999999 < 1ms", "wakeup.p0.00000000001 < 1ms")),
            ("a \"{\" without its \"}\"", ("wakeup.p99{comm < 1ms",)),
            ("not {KEY=VALUE,...}, with comm, cgroup, pid or tid", (
                "wakeup.p99{comm} < 1ms", "wakeup.p99{nice=1} < 1ms", "wakeup.p99{tid=x} < 1ms", "run{comm=} < 1s")),
            ("no <, <=, >, >=, == or != before \"\"", ("wakeup.p99", "run{comm=late}")),
            ("no <, <=, >, >=, == or != before \"= 1ms\"", ("wakeup.p99 = 1ms",)),
            ("is not a time with its unit: 200us;", (
                "wakeup.p99 < ", "wakeup.p99 < 5", "wakeup.p99 < 5%", "wakeup.p99 < 1ms x", "wakeup.p99 < -1ms")),
            ("is not a time with its unit, or a share: 200us, 5%;", ("run < x", "run < 5")),
            ("is not a number, or a rate: 100, 100/s;", ("switches < 1ms", "switches < 5%", "wakeup.count < 5ms"))):
        for text in texts:
            fails(["report", "--assert=" + text, path], 2, wrong, f"misused: --assert={text}")
    fails(["report", *65 * ["--assert=run > 1ms"], path], 2, "one too many", "65 assertions")


with tempfile.TemporaryDirectory() as temporary:
    trace = os.path.join(temporary, "trace.fxt")
    write(trace)
    judge_figures(trace)
    judge_relations(trace)
    judge_lost(trace)
    judge_left_out(trace)
    judge_without(trace)
    judge_moved(trace)
    judge_misuse(trace)
tap.done()
