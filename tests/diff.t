#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""diff: what became slower is found, and of two recordings of the same nothing is said to have changed."""
import csv
import io
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import COMPLETE, File, INSTANT, LOCK, Unsigned, reason
from generated import START, periodic
from tap import FXTREC, fails, ok, run

# A thousand periods in ten seconds and more; a server that competes with them.
LOADS = {"worker": (100, 9_900_000, 2_000_000, 0.03, 0.003), "helper": (200, 7_000_000, 300_000, 0.1, 0.01),
         "server": (300, 3_100_000, 700_000, 0.3, 0.02), "short": (400, 1_000_000, 60_000, 0.05, 0.005)}


def changed_by(name, factor):
    """The loads, of which one takes longer."""
    tid, period, work, noise, lasting = LOADS[name]
    return {**LOADS, name: (tid, period, work * factor, noise, lasting)}


def write(path, seed, loads, seconds=10, sleep=None):
    with open(path, "wb") as f:
        f.write(periodic(random.Random(seed), loads, seconds, sleep))


def diff(*arguments):
    done = run([FXTREC, "diff", "--json", *arguments])
    return json.loads(done.stdout) if done.returncode == 0 else {"changes": [done.stderr], "unchanged": []}


def judge_same(a, b):
    pairs, differ = tap.amount("PAIRS", 12, 100), []
    for seed in range(pairs):
        write(a, 2 * seed, LOADS)
        write(b, 2 * seed + 1, LOADS)
        said = diff(a, b)
        compared = {d["figure"] for d in said["unchanged"] if d["comm"] == "worker"}
        if said["changes"] or not compared >= {"run", "switches", "burst.p50", "wakeup.p50", "sleep.p50"}:
            differ.append((seed, said["changes"]))
    ok(len(differ) <= pairs // 50, f"of {pairs} pairs of the same, at most 2 % differ", differ)


def judge_slower(a, b):
    """Found each time, and as much as it was; nothing else, as work of others is the same."""
    pairs = tap.amount("PAIRS", 12, 100) * 2 // 3
    for name, factor in (("worker", 1.05), ("short", 0.95), ("helper", 1.3)):
        found, others, changes_all = [], [], []
        for seed in range(pairs):
            write(a, 1000 + 2 * seed, LOADS)
            write(b, 1001 + 2 * seed, changed_by(name, factor))
            changes = diff(a, b)["changes"]
            found += [c for c in changes if (c["comm"], c["figure"]) == (name, "burst.p50")]
            others += [c for c in changes if c["comm"] not in (name, None)]
            changes_all += changes
        if name == "worker":
            marked = [c for c in changes_all if (c["mark"], c["figure"]) == ("step", "mark.p50")]
            ok(len(marked) >= 0.95 * pairs and all(abs(c["change"] - 0.05) < 0.02 for c in marked),
               "so are its marks", (len(marked), marked[:3]))
        near = [c for c in found if abs(c["change"] - (factor - 1)) < 0.02 and c["low"] < c["change"] < c["high"]]
        ok(len(found) >= 0.95 * pairs and len(near) == len(found), f"{name} takes {factor} of its time: found",
           (len(found), found[:3]))
        ok(len(others) <= pairs // 20, f"{name}: no other has changed", others[:3])


def judge_output(a, b):
    write(a, 1, LOADS)
    write(b, 2, changed_by("worker", 1.2))
    text = run([FXTREC, "diff", a, b])
    changed = [line.split() for line in text.stdout.splitlines() if line.startswith("* ")]
    ok(text.returncode == 0 and ["*", "worker", "burst.p50"] in [c[:3] for c in changed], "text marks it",
       text.stdout + text.stderr)
    rows = list(csv.DictReader(io.StringIO(run([FXTREC, "diff", "--csv", a, b]).stdout)))
    said = diff(a, b)
    ok([(r["name"], r["figure"]) for r in rows if r["changed"] == "1"] ==
       [(c["comm"] or c["mark"], c["figure"]) for c in said["changes"]] and len(rows) == len(said["changes"] + said["unchanged"]),
       "CSV and JSON say the same", rows[:3])
    ok(said["version"] == 1 and said["a"]["file"] == a and said["b"]["to_ns"] > said["b"]["from_ns"] and
       all(isinstance(c["a"], int) for c in said["changes"] if c["unit"] == "ns"), "JSON: version, files, whole ns", said)
    chosen = diff("--comm=work*", a, b)
    ok({(c["comm"], c["mark"]) for c in chosen["changes"] + chosen["unchanged"]} ==
       {("worker", None), (None, "step")}, "--comm chooses threads, and their marks")
    chosen = diff("-t", "200", a, b)
    ok({(c["comm"], c["mark"]) for c in chosen["changes"] + chosen["unchanged"]} == {("helper", None)},
       "-t chooses a thread")
    ok(not diff("--least=50", a, b)["changes"], "--least=50: 20 % is no change")
    ok(len(run([FXTREC, "diff", "--csv", "--top=3", a, b]).stdout.splitlines()) == 4, "--top=3: three rows")
    reverse = diff(b, a)["changes"]
    ok({c["mark"] for c in diff(a, b)["changes"]} == {"step", None}, "marks are named apart")
    ok(any(c["figure"] == "burst.p50" and -0.19 < c["change"] < -0.14 for c in reverse), "the other way around", reverse)


def judge_only(a, b):
    """A name that one of them alone has."""
    write(a, 1, LOADS)
    write(b, 2, {name: load for name, load in LOADS.items() if name != "server"})
    for files, letter in (((a, b), "a"), ((b, a), "b")):
        said = diff(*files)
        rows = {(c["comm"] or c["mark"], c["figure"]): c["only"] for c in said["changes"] + said["unchanged"]}
        ok({only for (name, _), only in rows.items() if name == "server"} == {letter} and
           {only for (name, _), only in rows.items() if name != "server"} == {None}, f"only in {letter}", rows)
        text = [line.split() for line in run([FXTREC, "diff", *files, "--comm=server"]).stdout.splitlines()]
        text = [line[1:] if line[0] == "*" else line for line in text if "server" in line]
        tap.all_of("and as text", text, lambda line, letter=letter: line[-3:] == ["only", "in", letter.upper()] and
                   line[2 if letter == "b" else -4] == "-")
        rows = csv.DictReader(io.StringIO(run([FXTREC, "diff", *files, "--csv"]).stdout))
        tap.all_of("and as CSV", rows, lambda row, letter=letter: row["only"] == (letter if row["name"] == "server" else ""), 2)


def judge_chosen(a, b):
    """A recording of chosen threads tells nothing of others, whether it has their names or not."""
    write(a, 1, LOADS)
    f = File().provider(1, "fxtrec").event(INSTANT, 10, 1, 1, "fxtrec", "host", [("chosen_threads", Unsigned(1))]).cpu(0)
    f.named(100, 100, "worker", 20).named(300, 300, "server", 20)
    for i in range(1000):
        at = 10_000_000 * (i + 1)
        f.wakeup(at, 0, 100, 120, waker=300).switch(at + 1000, 0, 300, 120, 1, 100, 120, unchosen="outgoing")
        f.switch(at + 2_000_000, 0, 100, 120, 3, 300, 120, unchosen="incoming")
    with open(b, "wb") as out:
        out.write(f.data)
    for files in ((a, b), (b, a)):
        said = diff(*files)
        names = {c["comm"] for c in said["changes"] + said["unchanged"]}
        text = run([FXTREC, "diff", *files]).stdout
        ok(names == {"worker"} and "names are not compared" in text, "threads that were left out are not compared", (names, text))


# System calls of x86-64, and the classes of their waits.
WHYS = {"idle": reason(7), "lock": reason(202, "futex", 64, flags=LOCK), "disk": reason(74), "network": reason(0, "inet", 5),
        "pipe": reason(0, "pipe", 6), "memory": reason(28), "child": reason(61), "kernel": reason(101), "other": ()}


def sleeps(seed, locked):
    """Sleeps of all classes; the worker waits for a lock in this share of its sleeps, else for work."""
    rng = random.Random(seed)

    def sleep(tid):
        of = "lock" if rng.random() < locked else "idle"
        if tid == 200:
            of = rng.choice((*WHYS, "stopped"))
        return (2, ()) if of == "stopped" else (3, WHYS[of])
    return sleep


def shares(path):
    """By name and class, the time in ns a second as report has it."""
    said = json.loads(tap.said("report", "--json", path))
    span = said["to_ns"] - said["from_ns"]
    return {(t["comm"], of): t[of + "_ns"] * 1e9 / span for t in said["threads"] for of in (*WHYS, "stopped") if t[of + "_ns"]}


def lose(path, at, ns):
    """Adds a loss of the CPU's events."""
    f = File().provider(1, "fxtrec")
    header = len(File().data)
    f.event(COMPLETE, START + at, 0, 1 << 30, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(7))], START + at + ns)
    with open(path, "ab") as out:
        out.write(f.data[header:])


def judge_classes(a, b):
    """Times by class: those of report, and a worker that starts to wait for a lock."""
    write(a, 1, LOADS, sleep=sleeps(1, 0.1))
    write(b, 2, LOADS, sleep=sleeps(2, 0.1))
    said = diff(a, b)
    ok(not said["changes"], "sleeps of the same classes", said["changes"])
    lose(b, 5 * 10 ** 9, 10 ** 8)
    said = diff(a, b)
    for side, path in (("a", a), ("b", b)):
        compared = {(c["comm"], c["figure"]): c[side] for c in said["unchanged"] if c["figure"] in (*WHYS, "stopped")}
        report = shares(path)
        wrong = [key for key, ns in compared.items() if abs(ns - report[key]) > 2]
        ok(not wrong and {of for _, of in compared} == {*WHYS, "stopped"},
           f"times by class are those of report{', with a loss' if side == 'b' else ''}", wrong)
    write(b, 2, LOADS, sleep=sleeps(2, 0.5))
    said = diff(a, b)
    found = {(c["comm"], c["figure"]): c["change"] for c in said["changes"]}
    ok({("short", "lock"), ("server", "lock")} <= set(found) <= {(name, "lock") for name in LOADS if name != "helper"},
       "threads that wait for locks five times as long", found)
    tap.all_of("by so much", found.values(), lambda change: 3 < change < 5.5)
    write(a, 1, LOADS, sleep=sleeps(1, 0))
    found = {(c["comm"], c["figure"]): c["a"] for c in diff(a, b)["changes"] if c["figure"] == "lock"}
    ok(found and set(found.values()) == {0}, "threads that had no waits for locks", found)
    write(b, 2, LOADS)
    for files, letter in (((a, b), "B"), ((b, a), "A")):
        said = diff(*files)
        figures = {c["figure"] for c in said["changes"] + said["unchanged"]}
        text = run([FXTREC, "diff", *files]).stdout
        ok("run" in figures and not figures & {*WHYS, "stopped"} and f"classes of waits are not compared: {letter} has no reasons" in text,
           f"only one has reasons: {letter} has none", (figures, text))


def judge_refused(folder, a, b):
    empty, cut = os.path.join(folder, "empty.fxt"), os.path.join(folder, "cut.fxt")
    with open(empty, "wb") as f:
        f.write(bytes.fromhex("1000044678541600"))
    with open(b, "rb") as whole, open(cut, "wb") as f:
        f.write(whole.read()[:1003])
    said = diff(empty, empty)
    ok(said["changes"] == said["unchanged"] == [], "two files with nothing in them", said)
    said = diff(a, empty)["changes"]
    ok({(c["comm"], c["figure"]) for c in said} >= {("worker", "run"), ("server", "switches")} and
       said and all(c["b"] == 0 and c["change"] == -1 for c in said), "one with nothing in it: all of the other is gone", said)
    said = diff(empty, a)["changes"]
    ok({c["comm"] for c in said} >= {"worker", "server"} and all(c["change"] is None for c in said),
       "the other way around: all is new", said)
    fails(["diff", "--strict", a, cut], 1, "cut", "a file that is cut")
    fails(["diff", a, os.path.join(folder, "none")], 1, "none: No such file", "a missing file")
    for arguments, text in (([], "no FILE"), ([a], "two FILEs"), ([a, b, a], "two FILEs"), (["--least=1", a, b], "2 or more"),
                            (["--least=x", a, b], "2 or more"), (["--least=nan", a, b], "2 or more"),
                            (["--sort=run", a, b], "unrecognized option"), (["-C", "0", a, b], "invalid option")):
        fails(["diff", *arguments], 2, text, "misused: diff " + " ".join(arguments)[:20], cwd="/")


with tempfile.TemporaryDirectory() as temporary:
    paths = [os.path.join(temporary, name) for name in ("a.fxt", "b.fxt")]
    judge_same(*paths)
    judge_slower(*paths)
    judge_only(*paths)
    judge_chosen(*paths)
    judge_classes(*paths)
    judge_output(*paths)
    judge_refused(temporary, *paths)
tap.done()
