#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The commands that analyze: wrong options, files with nothing in them, cut and of other formats."""
import csv
import io
import json
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, END, INSTANT, File
from simulated import Machine, START

COMMANDS = (["report"], ["timehist"], ["blame"], ["path", "--comm=*"])


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def said(*arguments, **options):
    done = tap.run([tap.FXTREC, *arguments], **options)
    return done.stdout if done.returncode == 0 else f"{done.returncode}: {done.stderr}"


def report(path, *options):
    text = said("report", "--json", path, *options)
    try:
        return json.loads(text)
    except ValueError:
        return {"threads": text, "cpus": []}


def misused(path):
    for options, text in ((["--top=-1"], "--top=-1"), (["--top=x"], "--top=x"), (["--time=2,1"], "--time=2,1"),
                          (["--time=now"], "--time=now"), (["-t", "x"], "no list of numbers"),
                          (["-t", "5-3"], "no list of numbers"), (["--comm="], "no list of names"),
                          (["--json", "--csv"], "either --json or --csv"),
                          (["--from=nothing"], "no format"), (["--spool-limit=0"], "--spool-limit=0")):
        for command in COMMANDS:
            tap.fails(command + options + [path], 2, text, f"{command[0]} {' '.join(options)}")
    for options, text in ((["report", "--by=cat"], "--by=cat"), (["report", "--sort=cat"], "--sort=cat"),
                          (["report", "--over=0"], "--over=0"), (["report", "--csv", "--over=1ms"], "waits have no CSV"), (["blame", "--by=cpu"], "--by=cpu"),
                          (["blame", "--sort=run"], "--sort"), (["timehist", "--sort=run"], "--sort"),
                          (["report", "-C", "1,"], "no list of numbers"), (["path", "-C1"], "invalid option"),
                          (["path"], "the path of what")):
        tap.fails(options + [path], 2, text, " ".join(options))
    for command in COMMANDS:
        tap.fails(command, 2, "no FILE, and no trace.fxt here", f"{command[0]} without a file", cwd="/")
        tap.fails(command + [path + ".no"], 1, "No such file", f"{command[0]} of no file")
    tap.fails(["report", "a\n\x1b[31m.fxt"], 1, "fxtrec: a\\x0a\\x1b[31m.fxt: No such file", "a name with control characters")
    tap.fails(["report", "a\udc9b31m\u202e\u009b31m\u00e9.fxt"], 1,
              "fxtrec: a\\x9b31m\\xe2\\x80\\xae\\xc2\\x9b31m\u00e9.fxt: No such file",
              "a name with what controls a terminal beyond ASCII")
    for window in ("8,-5s", "1000,", ",@5"):
        tap.fails(["report", f"--time={window}", path], 1, "nothing of it", f"--time={window}")
    tap.fails(["path", "--mark=no", path], 1, 'no duration "no" in that time', "path of a mark that is not there")
    tap.fails(["path", "--mark=no", "-t", "1", path], 1, 'no duration "no" of the chosen threads', "path of a mark that the threads don't have")
    tap.fails(["path", "-t", "4000000", path], 1, "no such thread", "path of a thread that is not there")


def no_temporary(folder, path):
    """What is said where temporary files can't be made, or not be written, is not said of the input."""
    missing = os.path.join(folder, "missing")
    environment = dict(os.environ, TMPDIR=missing)
    page, answer = os.path.join(folder, "none.html"), os.path.join(folder, "none.json")
    # Of more than what path keeps in memory.
    made = File()
    made.cpu(0)
    for turn in range(6000):
        made.wakeup(START + 2000 * turn, 0, 7, 120)
        made.switch(START + 2000 * turn + 500, 0, 0, 120, 1, 7, 120)
        made.switch(START + 2000 * turn + 1000, 0, 7, 120, 3, 0, 120)
    long = write(folder, "long.fxt", made.data)
    for command in (["page", path, "-o", page], ["convert", path, "-o", answer], ["path", "--comm=*", long],
                    ["open", "--page", path]):
        tap.fails(command, 1, f"fxtrec: a temporary file in {missing}: No such file",
                  f"{command[0]}: no folder for temporary files", env=environment)
    # A pipe's bytes wait in one.
    environment["TMPDIR"] = folder
    for command in (["page", "-", "-o", "/dev/null"], ["path", "--comm=*", "-"],
                    ["query", "-", "SELECT * FROM sched, wakeup"]):
        words = " ".join(f"'{word}'" for word in [tap.FXTREC, *command])
        done = tap.run(["sh", "-c", f"trap '' XFSZ; cat '{long}' | prlimit --fsize=64 {words}"], env=environment)
        tap.ok(done.returncode == 1 and done.stderr.startswith(f"fxtrec: a temporary file in {folder}: File too large"),
               f"{command[0]}: no room for temporary files", done.stderr)


def damaged(folder, path, data, rng):
    nothing = write(folder, "nothing.fxt", File().data)
    empty = write(folder, "empty.fxt", b"")
    for command in COMMANDS[:3]:
        done = tap.run([tap.FXTREC, *command, nothing])
        tap.ok(done.returncode == 0 and not done.stderr, f"{command[0]} of a file with nothing in it", done.stderr)
    for command in COMMANDS:
        tap.fails(command + [empty], 1, "not a trace", f"{command[0]} of an empty file")
        cut = write(folder, "cut.fxt", data[:len(data) // 2 | 1])
        tap.fails(command + ["--strict", cut], 1, "cut", f"{command[0]} --strict of a file that is cut")
        done = tap.run([tap.FXTREC, *command, cut])
        tap.ok(done.returncode == 0 and done.stdout and "passed over: 1 cut" in done.stderr,
               f"{command[0]} reads what is there", done.stderr)
    wrong = []
    for _ in range(tap.amount("MANGLED", 60, 600)):
        mangled = bytearray(data)
        for _ in range(rng.randrange(1, 20)):
            mangled[rng.randrange(8, len(mangled))] = rng.randrange(256)
        bad = write(folder, "bad.fxt", mangled)
        for command in COMMANDS:
            done = tap.run([tap.FXTREC, *command, "--lenient", "--json", bad])
            lines = [line for line in done.stderr.splitlines() if not line.startswith("fxtrec: passed over")]
            if done.returncode not in (0, 1) or len(lines) > 1 or (done.returncode == 0 and not json.loads(done.stdout)):
                wrong.append((command[0], done.returncode, done.stderr[:300]))
    tap.ok(not wrong, "mangled files: a result or one line, and valid JSON", wrong[:3])


def full(path):
    """What can't be written is said once, by each command."""
    with open("/dev/full", "w") as out:
        for command in (*COMMANDS, ["report", "--json"], ["diff", path], ["info"], ["dump"], ["top", "--batch"],
                        ["top", "--batch", "--json"]):
            done = tap.run([tap.FXTREC, *command, path], stdout=out)
            tap.ok((done.returncode, done.stderr) == (1, "fxtrec: standard output: No space left on device\n"),
                   f"{' '.join(command[:3])}: a full disk", done.stderr)


def limited(folder):
    """What takes memory after the pass, victims by culprits here, says which limit it is that it meets."""
    made, tids = File(), range(1000, 2000)
    for tid in tids:
        made.named(tid, tid, f"t{tid}", 1, leader=True)
    made.cpu(0)
    for tid in tids:
        made.wakeup(START + tid, 0, tid, 120)
    for turn, tid in enumerate([0, *tids, *tids]):
        if tid:
            made.switch(START + 10000 + 1000 * turn, 0, before, 120, 1 if before else 3, tid, 120)
        before = tid
    path = write(folder, "limited.fxt", made.data)
    tap.fails(["blame", "--by=comm", "--spool-limit=1M", path], 1,
              "more than 1.05 MB of temporary files are needed: --spool-limit=SIZE allows more", "blame --by=comm beyond the limit")
    done = tap.run([tap.FXTREC, "blame", "--by=comm", "--spool-limit=100M", path])
    tap.ok(done.returncode == 0 and "waited in all" in done.stdout, "and with more room", done.stderr)


def crowded(folder):
    """More CPUs than are told apart."""
    cpus = b"".join(File().cpu(i).switch(START, i, 0, 120, 0, 5, 120).data[8:] for i in range(16400))
    path = write(folder, "crowded.fxt", File().data + cpus)
    tap.fails(["report", path], 1, "too many providers", "a file of more CPUs than can be")


def formats(folder, path, what):
    """The same figures from each format, from a pipe and packed."""
    whole = report(path)
    for suffix in ("txt", "json", "html", "pftrace", "fxt.gz", "fxt.zst"):
        other = os.path.join(folder, "other." + suffix)
        tap.run([tap.FXTREC, "convert", path, "-o", other])
        again = report(other)
        same = [{k: v for k, v in row.items() if k not in ("wakers", "pid", "process")} for row in again["threads"]] == \
            [{k: v for k, v in row.items() if k not in ("wakers", "pid", "process")} for row in whole["threads"]]
        tap.ok(same and again["cpus"] == whole["cpus"], f"{what}: the same figures from {suffix}",
               [(a, b) for a, b in zip(again["threads"], whole["threads"]) if a != b][:1])
    with open(path, "rb") as f:
        piped = json.loads(said("report", "--json", "-", stdin=f))
    tap.ok(piped["threads"] == whole["threads"], f"{what}: the same figures from standard input")


def outputs(path):
    whole = report(path)
    rows = list(csv.DictReader(io.StringIO(said("report", "--csv", path))))
    tap.ok([(int(r["tid"]), int(r["run_ns"])) for r in rows] == [(t["tid"], t["run_ns"]) for t in whole["threads"]],
           "CSV has the same rows in the same order")
    latencies = [[str(t["latency"][f"{name}_ns"]) if t["latency"]["count"] else "" for name in ("p50", "p99", "max")]
                 for t in whole["threads"]]
    tap.ok([[r[f"{name}_ns"] for name in ("p50", "p99", "max")] for r in rows] == latencies and ["", "", ""] in latencies,
           "and no latency of what was never woken")
    rows = list(csv.DictReader(io.StringIO(said("report", "--by=cpu", "--csv", path))))
    tap.ok([{name: float(text) for name, text in row.items()} for row in rows] == whole["cpus"],
           "CSV of CPUs has the members of JSON", (rows, whole["cpus"]))
    rows = list(csv.DictReader(io.StringIO(said("blame", "--csv", path))))
    tap.ok(rows and {row["machine"] for row in rows} == {"0"}, "CSV of blame has the machine", rows[:2])
    by_comm = report(path, "--by=comm")["comms"]
    tap.ok(sum(r["run_ns"] for r in by_comm) == sum(t["run_ns"] for t in whole["threads"]) and
           sum(r["thread_count"] for r in by_comm) == len(whole["threads"]), "names have their threads' sums")
    sleepers = report(path, "--sort=sleep")["threads"]
    tap.ok([t["sleep_ns"] for t in sleepers] == sorted((t["sleep_ns"] for t in sleepers), reverse=True), "--sort")
    one = whole["threads"][0]
    tap.ok([t["key"] for t in report(path, "-t", str(one["tid"]))["threads"] if t["tid"] != one["tid"]] == [] and
           len(report(path, "--top=1")["threads"]) == 1, "-t and --top")
    switches = json.loads(said("timehist", "--json", path))["switches"]
    tap.ok(len(switches) == sum(t["switches"] for t in whole["threads"]), "timehist has a row for each switch")
    lines = said("timehist", "--csv", path).splitlines()
    tap.ok(len(lines) == len(switches) + 1 and said("timehist", path).count("\n") == len(switches) + 3,
           "in CSV and as text, too")
    runs = {}
    for row in switches:
        runs[row["key"]] = runs.get(row["key"], 0) + (row["run_ns"] or 0)
    late = {t["key"]: t["run_ns"] for t in whole["threads"] if t["switches"]}
    tap.all_of("and their run times are report's at most", late, lambda key: runs.get(key, 0) <= late[key])
    over = report(path, "--over=1us")["waits"]
    tap.all_of("--over lists waits with stories", over, lambda w: w["to_ns"] - w["from_ns"] > 1000 and w["story"])
    text = tap.run([tap.FXTREC, "report", path], env={**os.environ, "COLUMNS": "80"}).stdout
    tap.ok("\033" not in text, "no colours in a file")


def selected(folder):
    """Ids of other recorders have up to 64 bits, and a range may be of any size."""
    tids = [10, 70_000, 2 ** 31 + 5, 2 ** 64 - 2]
    f = File().provider(1, "fxtrec").cpu(0)
    for i, (prev, following) in enumerate(zip([0, *tids], [*tids, 0])):
        f.switch(START + i * 1000, 0, prev, 120, 3, following, 120)
    path = write(folder, "ids.fxt", f.data)
    for text, chosen in (("2147483653", tids[2:3]), ("18446744073709551614", tids[3:]), ("1-80000", tids[:2]),
                         ("0-18446744073709551615", tids), ("10,70001-9999999999", [10, 2 ** 31 + 5])):
        found = report(path, "-t", text)["threads"]
        tap.ok(isinstance(found, list) and [t["tid"] for t in found] == chosen, f"-t {text}", found)
    tap.fails(["report", "-t", "18446744073709551616", path], 2, "no list of numbers", "an id of more than 64 bits")


def stopped(folder):
    """A thread is stopped for 5 ms: the text has a column for it, and none where no thread is."""
    heads = {}
    for name, state, letter in ("stopped", 3, "T"), ("sleeps", 3, None):
        f = File().provider(1, "fxtrec").named(10, 10, "one", START - 1, leader=True).cpu(0)
        f.switch(START, 0, 0, 120, 1, 10, 120).switch(START + 1_000_000, 0, 10, 120, state, 0, 120, letter)
        f.wakeup(START + 6_000_000, 0, 10, 120, waker=0).switch(START + 6_500_000, 0, 0, 120, 1, 10, 120)
        path = write(folder, f"{name}.fxt", f.switch(START + 7_000_000, 0, 10, 120, 3, 0, 120).data)
        lines = said("report", path).splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("thread"))
        heads[name] = dict(zip(re.split(r"  +", re.sub(r" (ms|us|at s)|(?<=switches)", r"_\1  ", lines[at])), lines[at + 1].split()))
    tap.ok(heads["stopped"].get("max_us") == "500.000" and heads["stopped"].get("p90_us") == "-", "how late it ran", heads)
    path = write(folder, "unwoken.fxt", File().cpu(0).switch(START, 0, 0, 120, 1, 10, 120).switch(
        START + 1_000_000, 0, 10, 120, 3, 0, 120).wakeup(START + 2_000_000, 0, 11, 120, waker=0).data)
    rows = [line.split() for line in said("report", path).splitlines() if line.startswith((":10", ":11"))]
    tap.ok(len(rows) == 2 and all(row[-5:] == 5 * ["-"] for row in rows),
           "how late a thread ran that was not woken, or has not run since, is no number", rows)
    tap.ok(heads["stopped"].get("stop_ms") == "5.000" and heads["stopped"].get("sleep_ms") == "0.000" and
           "stop_ms" not in heads["sleeps"] and heads["sleeps"].get("sleep_ms") == "5.000",
           "time that a thread is stopped has a column of its own", heads)


def early(folder):
    """Durations of a thread that has no scheduling event yet, as it runs when the trace begins; and from time 0 on."""
    for name, start in ("early", START), ("zero", 0):
        f = File().provider(1, "fxtrec").named(10, 10, "one", leader=True).named(11, 11, "two", leader=True)
        f.cpu(0).switch(start, 0, 0, 120, 1, 11, 120).switch(start + 9_000_000, 0, 11, 120, 3, 0, 120)
        f.cpu(1).switch(start + 10_000_000, 1, 10, 120, 3, 0, 120)
        f.provider(2, "marks").event(BEGIN, start, 10, 10, "user", "job").event(END, start + 1_000_000, 10, 10, "user", "job")
        f.event(COMPLETE, start + 2_000_000, 10, 10, "user", "job", extra=start + 3_000_000)
        path = write(folder, name + ".fxt", f.data)
        runs = [row["run_ns"] for row in json.loads(said("timehist", "--json", path))["switches"]]
        tap.ok(runs == [9_000_000, None], f"{name}: what runs from the first switch on ran that long", runs)
        windows = json.loads(said("path", "--json", "--mark=job", path))["windows"]
        tap.ok([(w["from_ns"], w["to_ns"]) for w in windows] ==
               [(start, start + 1_000_000), (start + 2_000_000, start + 3_000_000)] and
               all(s["tid"] == 10 for w in windows for s in w["segments"]), f"{name}: a window for each duration", windows)


def deep(folder):
    """Ends of durations in more open ones than are kept aren't ends of those."""
    f = File().provider(1, "fxtrec").named(10, 10, "one", leader=True)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120).switch(START + 9_000_000, 0, 10, 120, 3, 0, 120).provider(2, "marks")
    for at in range(4095):
        f.event(BEGIN, START + at, 10, 10, "user", "open")
    for at in range(5000, 5010):
        f.event(BEGIN, START + at, 10, 10, "user", "job")
    for at in range(6000, 6010):
        f.event(END, START + at, 10, 10, "user", "")
    path = write(folder, "deep.fxt", f.data)
    windows = json.loads(said("path", "--json", "--mark=job", path))["windows"]
    windows = [(w["from_ns"] - START, w["to_ns"] - START) for w in windows]
    rows = said("query", "--csv", path, "select ts, ts + dur from slice where dur").splitlines()[1:]
    tap.fails(["path", "--mark=open", path], 1, 'no duration "open" ends in that time, without an end: 4095',
              "durations that are open at the trace's end")
    f.event(BEGIN, START + 7000, 10, 10, "user", "job")
    path = write(folder, "left.fxt", f.data)
    text, left = said("path", "--mark=job", path), json.loads(said("path", "--json", "--mark=job", path))["open"]
    tap.ok(left == 1 and "1 window, 0.001 ms; durations without an end: 1\n" in text,
           "and those beside others", (left, text))
    left = [json.loads(said("path", "--json", "--mark=job", f"--time=@{START + 5000},@{START + to}", path))["open"] for to in (7000, 7001)]
    tap.ok(left == [0, 1], "but for those that begin behind the window", left)
    path = write(folder, "left.json", b'[{"ph":"X","ts":1,"pid":1,"tid":1,"name":"job"},{"ph":"X","ts":2,"dur":5,"pid":1,"tid":1,"name":"job"}]')
    left = json.loads(said("path", "--json", "--mark=job", path))
    tap.ok(left["open"] == len(left["windows"]) == 1, "of JSON, a slice that has no duration is one", left)
    tap.ok(windows == [(5000, 6009)] and rows == [f"{START + 5000},{START + 6009}"],
           "path, query: the one that is kept", (windows, rows))


HEAD = "  {0}-{1} [{2:03}] d..2. 1000.{3:06}: {4}\n"


def switch(us, cpu, prev, pid, state, following, its):
    return HEAD.format(prev, pid, cpu, us, f"sched_switch: prev_comm={prev} prev_pid={pid} prev_prio=120 prev_state={state} ==> "
                       f"next_comm={following} next_pid={its} next_prio=120")


def woken(us, cpu, waker, its, event, comm, pid, target):
    return HEAD.format(waker, its, cpu, us, f"{event}: comm={comm} pid={pid} prio=120 target_cpu={target:03}")


def others(folder):
    """Text of other recorders, which has some of the machine alone, or threads that are born in it."""
    path = write(folder, "some.txt", (switch(0, 0, "swapper/0", 0, "R", "a", 10) + woken(1000, 0, "a", 10, "sched_waking", "b", 20, 1) +
                                      switch(400_000, 0, "a", 10, "S", "swapper/0", 0)).encode())
    found = report(path)
    b = next(t for t in found["threads"] if t["tid"] == 20)
    tap.ok(b["unknown_ns"] == 400_000_000 and not b["wait_wakeup_ns"] and found["machines"][0]["cpus_left_out"] == 1,
           "a CPU that recorded nothing: what threads do there is unknown", b)
    path = write(folder, "blind.txt", (switch(0, 0, "a", 10, "S", "b", 20) + switch(1000, 0, "b", 20, "S", "a", 10) +
                                       switch(3000, 0, "a", 10, "S", "b", 20) + switch(9000, 0, "b", 20, "R", "c", 30)).encode())
    a = next(t for t in report(path)["threads"] if t["tid"] == 10)
    tap.ok((a["run_ns"], a["sleep_ns"], a["unknown_ns"]) == (2_000_000, 0, 7_000_000),
           "without wakeups a thread that left its CPU may have waited, also at the trace's end", a)
    path = write(folder, "blinder.txt", (
        switch(0, 0, "swapper/0", 0, "R", "a", 10) + "CPU:0 [LOST EVENTS]\n" +
        switch(5000, 0, "a", 10, "S", "swapper/0", 0) +
        switch(6000, 0, "swapper/0", 0, "R", "a", 10) + switch(7000, 0, "a", 10, "S", "swapper/0", 0)).encode())
    a = next(t for t in report(path)["threads"] if t["tid"] == 10)
    tap.ok((a["run_ns"], a["wait_wakeup_ns"], a["unknown_ns"]) == (1_000_000, 0, 6_000_000),
           "without wakeups none is assumed among what was lost", a)
    f = File().provider(1, "fxtrec").named(10, 10, "one", leader=True).named(20, 20, "two", leader=True)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120).wakeup(START + 1_000_000, 1, 20, 120, waker=10)
    f.switch(START + 9_000_000, 0, 10, 120, 3, 0, 120)
    f.provider(1, "fxtrec").event(INSTANT, START + 10_000_000, 0, 0, "fxtrec", "processor")
    found = report(write(folder, "late.fxt", f.data))
    two = next(t for t in found["threads"] if t["tid"] == 20)
    tap.ok(two["wait_wakeup_ns"] == 8_000_000 and not found["machines"][0]["cpus_left_out"],
           "a snapshot has its processors behind its events: none was left out", two)
    path = write(folder, "born.txt", (
        switch(0, 0, "swapper/0", 0, "R", "v", 10) + switch(0, 1, "swapper/1", 0, "R", "parent", 20) +
        switch(1000, 0, "v", 10, "S", "swapper/0", 0) + woken(5000, 1, "parent", 20, "sched_wakeup_new", "child", 21, 0) +
        switch(6000, 0, "swapper/0", 0, "R", "child", 21) + woken(8000, 0, "child", 21, "sched_waking", "v", 10, 0) +
        switch(9000, 0, "child", 21, "X", "v", 10) + switch(10000, 0, "v", 10, "S", "swapper/0", 0)).encode())
    window = json.loads(said("path", "--json", "-t10", path))["windows"][0]
    tap.ok([(s["tid"], s["kind"], s["to_ns"] - s["from_ns"]) for s in window["segments"]] ==
           [(10, "run", 1_000_000), (20, "run", 4_000_000), (21, "wait", 1_000_000), (21, "run", 2_000_000),
            (10, "wait", 1_000_000), (10, "run", 1_000_000)], "path: before its birth the thread that made it ran", window)


def asynchronous(folder):
    """Asynchronous durations are followed from the thread that ends them, by their ids."""
    def trace(name, ends):
        f = File().provider(1, "fxtrec").named(10, 10, "one", leader=True).named(11, 10, "two")
        f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120).switch(START + 9_000_000, 0, 10, 120, 3, 0, 120)
        f.cpu(1).switch(START, 0, 0, 120, 1, 11, 120).switch(START + 9_000_000, 0, 11, 120, 3, 0, 120)
        f.provider(2, "marks")
        f.event(ASYNC_BEGIN, START + 1_000_000, 10, 10, "user", "req", extra=1)
        f.event(ASYNC_BEGIN, START + 2_000_000, 10, 10, "user", "other", extra=2)
        f.event(ASYNC_BEGIN, START + 3_000_000, 10, 10, "user", "req", extra=3)
        f.event(ASYNC_BEGIN, START + 4_000_000, 10, 10, "user", "within", extra=3)
        for ns, thread, number, *named in ends:
            f.event(ASYNC_END, START + ns, 10, thread, "user", *(named or [""]), extra=number)
        return write(folder, name, f.data)

    path = trace("async.fxt", ((5_000_000, 11, 3), (6_000_000, 11, 1), (7_000_000, 11, 2), (8_000_000, 10, 3)))
    windows = json.loads(said("path", "--json", "--mark=req", path))["windows"]
    tap.ok([(w["from_ns"] - START, w["to_ns"] - START, w["segments"][0]["tid"]) for w in windows] ==
           [(1_000_000, 6_000_000, 11), (3_000_000, 8_000_000, 10)], "a window for each asynchronous duration", windows)
    path = trace("named.fxt", ((5_000_000, 11, 3, "req"), (6_000_000, 11, 3, "within"), (7_000_000, 11, 1, "req"),
                               (8_000_000, 10, 1, "within")))
    windows = json.loads(said("path", "--json", "--mark=req", path))["windows"]
    left = [json.loads(said("path", "--json", f"--mark={name}", path))["open"] for name in ("req", "within")]
    tap.ok(left == [0, 0] and "without an end" not in said("path", "--mark=req", path), "all of which have ended", left)
    tap.ok([(w["from_ns"] - START, w["to_ns"] - START) for w in windows] == [(1_000_000, 7_000_000), (3_000_000, 5_000_000)],
           "of one id, an end with a name ends what has the name", windows)
    rows = said("query", "--csv", path, "select name, ts, dur from slice order by ts").splitlines()[1:]
    expected = [("req", 1_000_000, 6_000_000), ("other", 2_000_000, ""), ("req", 3_000_000, 2_000_000), ("within", 4_000_000, 2_000_000)]
    tap.ok(rows == [f"{name},{START + ns},{dur}" for name, ns, dur in expected], "query: likewise", rows)
    f = File().provider(1, "app")
    for at, (kind, name) in enumerate(((ASYNC_BEGIN, "a"), (ASYNC_BEGIN, "req"), (ASYNC_BEGIN, "b"), (ASYNC_END, "a"),
                                       (ASYNC_END, ""), (ASYNC_END, "req"))):
        f.event(kind, START + at, 10, 10, "user", name, extra=3)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120).switch(START + 9, 0, 10, 120, 3, 0, 120)
    windows = json.loads(said("path", "--json", "--mark=req", write(folder, "nameless.fxt", f.data)))["windows"]
    tap.ok([(w["from_ns"] - START, w["to_ns"] - START) for w in windows] == [(1, 5)],
           "and one without a name the innermost that is open still", windows)
    f = File().provider(1, "app")
    for at, (kind, name) in enumerate(((ASYNC_BEGIN, "a"), (ASYNC_BEGIN, "b"), (ASYNC_END, "a"), (ASYNC_BEGIN, "c"),
                                       (ASYNC_END, "b"), (ASYNC_BEGIN, "d"), (ASYNC_END, "c"), (ASYNC_END, "d"))):
        f.event(kind, START + at, 10, 10, "user", name, extra=3)
    rows = said("query", "--csv", write(folder, "depth.fxt", f.data), "select name, dur, depth from slice order by ts")
    tap.ok(rows.split()[1:] == ["a,2,0", "b,3,1", "c,3,0", "d,2,1"], "none is at the depth of one that overlaps it", rows)
    tap.fails(["path", "--mark=req", trace("nobody.fxt", ((6_000_000, 0, 1),))], 1, '"req" is asynchronous',
              "an asynchronous duration that no thread ends")


def main():
    rng = random.Random(int(os.environ.get("SEED", "4")))
    machine = Machine(rng, 3, 8, 400)
    data = bytes(machine.trace([(1, START + 20_000_000, START + 21_000_000)]))
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "t.fxt", data)
        clean = write(folder, "clean.fxt", bytes(machine.trace()))
        misused(path)
        no_temporary(folder, path)
        asynchronous(folder)
        damaged(folder, path, data, rng)
        full(clean)
        limited(folder)
        crowded(folder)
        formats(folder, clean, "all")
        for name, tids, cpus in ("chosen threads", machine.tids[:3], None), ("chosen CPUs", None, {0, 2}):
            part = Machine(random.Random(5), 3, 8, 400)
            part.filter(tids, cpus)
            formats(folder, write(folder, "part.fxt", bytes(part.trace())), name)
        outputs(path)
        selected(folder)
        stopped(folder)
        early(folder)
        deep(folder)
        others(folder)
    tap.done()


main()
