#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tables on a terminal: the most important first, as much as fits, and a pager for the rest."""
import csv
import json
import os
import re
import stat
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import File
from terminal import Terminal

MS = 1_000_000
R = 0
CROWD, OTHERS, CPUS = 200, 30, 12


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def crowd(folder):
    """
    On 12 CPUs: 200 threads of one name that run for a millisecond each, one of them for 90; 30 threads with names of their
    own; and one of a real-time class.  All wait for CPU 0 behind each other.
    """
    f = File().provider(1, "fxtrec")
    threads = [(100 + i, "worker", 120) for i in range(CROWD)] + [(1000 + i, f"other-{i}", 120) for i in range(OTHERS)]
    threads.append((2000, "poll-loop", 89))
    for tid, name, _ in threads:
        f.named(tid, tid, name, leader=True)
    time, last = MS, 0
    f.cpu(0)
    for tid, name, prio in threads:
        f.wakeup(MS, 0, tid, prio, waker=0)
    for tid, name, prio in threads:
        f.switch(time, 0, last, 120, 3, tid, prio)
        time, last = time + (90 * MS if tid == 100 else MS), tid
    f.switch(time, 0, last, 89, 3, 0, 120)
    for cpu in range(1, CPUS):
        f.cpu(cpu).switch(MS * cpu, cpu, 0, 120, R, 3000 + cpu, 120).switch(2 * MS * cpu, cpu, 3000 + cpu, 120, 3, 0, 120)
    return write(folder, "crowd.fxt", f.data)


def shown(arguments, columns=80, lines=24, pager=None):
    """The lines on a terminal without its sequences, and the exit status."""
    command = [tap.FXTREC, *([] if pager else ["--no-pager"]), *arguments]
    terminal = Terminal(command, lines, columns, COLUMNS=str(columns), **({"FXTREC_PAGER": pager} if pager else {}))
    status = terminal.end()
    text = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", b"", terminal.text).replace(b"\r", b"").decode()
    return text.splitlines(), status


def index(lines, start):
    return next((i for i, line in enumerate(lines) if line.startswith(start)), -1)


def reports(path):
    lines, status = shown(["report", path])
    threads = index(lines, "thread")
    tap.ok(status == 0 and 0 < index(lines, "lost:") < index(lines, " cpu") < threads, "report: losses, CPUs, threads", lines)
    tap.ok(sum(bool(re.match(r" +\d+ +\d+\.\d\d ", line)) for line in lines[:threads]) == 8 and
           index(lines, "the busiest ones; 4 more: --by=cpu") > 0, "the busiest CPUs, and where the others are", lines)
    tap.ok("waited for a CPU" in lines[threads - 1] and lines[threads].startswith("thread"), "columns have a head in common")
    rows = lines[threads + 1:]
    tap.ok(len(rows) == 21 and re.fullmatch(r"\d+ more: --top=0", rows[-1]), "20 rows, and the number of the others", rows)
    names = [re.split(r"  +", row)[0] for row in rows]
    tap.ok(f"worker (x{CROWD - 1})" in names and "worker:100" in names, "threads of one name are one row, but for one", names)
    tap.all_of("no line is longer than the terminal is wide", lines, lambda line: len(line) <= 80)
    whole = json.loads(tap.run([tap.FXTREC, "report", "--json", path]).stdout)["threads"]
    run = sum(t["run_ns"] for t in whole if t["comm"] == "worker" and t["tid"] != 100)
    row = rows[index(names, f"worker (x{CROWD - 1})")]
    tap.ok(f"{run / 1e6:.3f}" in row, "the sum of these is that of the threads", (row, run))
    for options in (["--by=thread", "--top=0"], ["--top=0"]):
        lines, _ = shown(["report", *options, path])
        tap.ok(len([line for line in lines if line.startswith("worker:")]) == CROWD, f"{options[0]}: each has its row")
    tap.ok(index(lines, "poll-loop:2000 (RT 10)") > 0, "a thread of a real-time class has its priority", lines[-5:])
    lines, _ = shown(["report", path], columns=200)
    row = next(line for line in lines if line.startswith("worker:100 "))
    tap.ok(row.split()[-6:-2] == ["-"] * 4 and "late after a wakeup" in "\n".join(lines), "no percentile of one wakeup", row)
    piped = tap.run([tap.FXTREC, "report", path]).stdout.splitlines()
    tap.ok(len([line for line in piped if line.startswith("worker:")]) == CROWD and "\033" not in "".join(piped),
           "a file has a row for each thread")


def blames(path):
    lines, status = shown(["blame", path])
    victims = index(lines, "victim")
    tap.ok(status == 0 and victims > 0 and lines[victims - 1].startswith("threads of one name are summed"),
           "blame: threads of one name are one victim", lines)
    rows = [line for line in lines[victims + 1:] if line and not line.startswith(" ")]
    tap.ok(rows[0].startswith("worker ") and re.fullmatch(r"\d+ more: --top=0", rows[20]), "20 victims", rows)
    tap.all_of("no line of these is longer than the terminal is wide", lines[victims:], lambda line: len(line) <= 80)
    whole = json.loads(tap.run([tap.FXTREC, "blame", "--json", path]).stdout)
    for sort, member in ("longest", "longest_ns"), ("waits", "wait_count"), ("waited", "wait_ns"):
        values = [v[member] for v in json.loads(tap.run([tap.FXTREC, "blame", "--json", f"--sort={sort}", path]).stdout)["victims"]]
        tap.ok(values == sorted(values, reverse=True) and len(values) == len(whole["victims"]), f"blame --sort={sort}")
    report = json.loads(tap.run([tap.FXTREC, "report", "--json", "--over=50ms", path]).stdout)["waits"]
    over = json.loads(tap.run([tap.FXTREC, "blame", "--json", "--over=50ms", path]).stdout)["waits"]
    tap.ok(over and over == report, "blame --over lists the waits that report does", (len(over), len(report)))
    longest = {w["tid"]: w["to_ns"] - w["from_ns"] for w in over}
    tap.all_of("and each victim's longest wait is that", [v for v in whole["victims"] if v["tid"] in longest],
               lambda v: v["longest_ns"] == longest[v["tid"]])
    text = tap.run([tap.FXTREC, "blame", "-t", "2000", path]).stdout
    tap.ok(re.search(r"(?m)^poll-loop:2000 \(RT 10\) ", text), "a victim of a real-time class has its priority", text)
    tap.fails(["blame", "--over=1ms", "--csv", path], 2, "no CSV", "no CSV of waits")
    tap.fails(["blame", "--over=1ms", "--sleep", path], 2, "one of them", "waits or sleeps")
    tap.fails(["blame", "--sort=run", path], 2, "waited, longest, waits, own, foreign", "names of its columns")


def sleeps(folder):
    """Sleeps of known length, ended by a thread, an interrupt and nothing; one is blocked."""
    f = File().provider(1, "fxtrec").named(10, 10, "one", leader=True).named(11, 11, "two", leader=True).cpu(0)
    f.switch(0, 0, 0, 120, R, 10, 120)
    at = MS
    for length in (3, 5, 2):
        f.switch(at, 0, 10, 120, 3, 11, 120).wakeup(at + length * MS, 0, 10, 120, waker=11)
        f.switch(at + length * MS, 0, 11, 120, R, 10, 120)
        at += (length + 1) * MS
    f.switch(at, 0, 10, 120, 5, 11, 120, "D").wakeup(at + 4 * MS, 0, 10, 120, waker=11, context="hardirq")
    f.switch(at + 4 * MS, 0, 11, 120, R, 10, 120).switch(at + 5 * MS, 0, 10, 120, 3, 11, 120)
    f.switch(at + 25 * MS, 0, 11, 120, 3, 0, 120)
    path = write(folder, "sleeps.fxt", f.data)
    rows = json.loads(tap.run([tap.FXTREC, "blame", "--sleep", "--json", "-t", "10", path]).stdout)["sleeps"]
    said = [(r["state"], r["context"], r["waker"] and r["waker"]["comm"], r["count"], r["ns"], r["longest_ns"]) for r in rows]
    tap.ok(said == [("sleep", None, None, 1, 20 * MS, 20 * MS), ("sleep", "task", "two", 3, 10 * MS, 5 * MS),
                    ("blocked", "hardirq", None, 1, 4 * MS, 4 * MS)], "blame --sleep: by state and cause, to the ns", rows)
    report = json.loads(tap.run([tap.FXTREC, "report", "--json", "-t", "10", path]).stdout)["threads"][0]
    tap.ok(sum(r["ns"] for r in rows) == report["sleep_ns"] + report["blocked_ns"], "their sum is report's", report)
    text = tap.run([tap.FXTREC, "blame", "--sleep", "--sort=times", path]).stdout
    tap.ok(re.search(r"(?m)^one:10 +sleep +two:11 +3 +10\.000 +5\.000$", text), "as text", text)
    table = list(csv.DictReader(tap.run([tap.FXTREC, "blame", "--sleep", "--csv", "-t", "10", path]).stdout.splitlines()))
    tap.ok([(r["sleeper"], r["state"], r["context"], r["waker"], int(r["ns"])) for r in table] ==
           [("one:10", "sleep", "", "", 20 * MS), ("one:10", "sleep", "task", "two:11", 10 * MS),
            ("one:10", "blocked", "hardirq", "an interrupt", 4 * MS)], "as CSV", table)
    lines, _ = shown(["blame", "--sleep", "--by=process", path])
    tap.ok(all(len(line) <= 80 for line in lines) and index(lines, "one:10") > 0, "on a terminal", lines)


def paths(path):
    text = tap.run([tap.FXTREC, "path", "-t", "100", path]).stdout
    whole = json.loads(tap.run([tap.FXTREC, "path", "--json", "-t", "100", path]).stdout)
    segments = whole["windows"][0]["segments"]
    lengths = sorted((s["to_ns"] - s["from_ns"] for s in segments), reverse=True)
    table = text[text.index("the longest window"):].splitlines()[2:]
    tap.ok([round(float(row.split()[1]) * 1e6) for row in table] == lengths[:10], "path: the longest segments, the longest first",
           table)
    rows = tap.run([tap.FXTREC, "path", "-t", "2000", "--top=0", path]).stdout
    rows = rows[rows.index("the longest window"):].splitlines()[2:]
    times = [float(row.split()[0]) for row in rows]
    tap.ok(len(times) > 200 and times == sorted(times), "--top=0: all segments by time", len(times))
    sums = {}
    for s in segments:
        if s["reason"] and s["kind"] != "wait":
            sums[s["reason"], s["kind"]] = sums.get((s["reason"], s["kind"]), 0) + s["to_ns"] - s["from_ns"]
    tap.ok(sums == {(r["reason"], r["kind"]): r["ns"] for r in whole["reasons"]}, "sums by reason are those of the segments")


def pagers(folder, path):
    """A pager gets all lines by its standard input, and the terminal the pager's output."""
    page = os.path.join(folder, "page")
    with open(page, "w") as f:
        f.write('#!/bin/sh\necho "by the pager"\nwc -l\n')
    os.chmod(page, os.stat(page).st_mode | stat.S_IXUSR)
    lines, status = shown(["report", path], pager=page)
    plain, _ = shown(["report", path])
    tap.ok(status == 0 and lines == ["by the pager", str(len(plain))], "a pager gets all that is printed", lines)
    lines, status = shown(["report", path], pager="true")
    tap.ok(status == 0 and lines == [], "a pager that is left at once is no failure", lines)
    tap.ok(shown(["report", path], pager="cat")[0] == plain, "cat is none")
    lines, status = shown(["report", "--assert=run{comm=worker} < 1ns", path], pager=page)
    tap.ok(status == 3 and lines == ["by the pager", str(len(plain) + 1)], "messages and the exit status are as without it", lines)
    lines, status = shown(["report", "--json", path], pager=page)
    tap.ok("by the pager" not in lines and json.loads("".join(lines)), "JSON has no pager")


with tempfile.TemporaryDirectory() as temporary:
    made = crowd(temporary)
    reports(made)
    blames(made)
    sleeps(temporary)
    paths(made)
    pagers(temporary, made)
tap.done()
