#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Several files: parts of one recording are one span, machines stand beside each other; what no part has is unknown."""
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
from fxtmake import BEGIN, END, File, INSTANT
from simulated import Machine, START

YEAR = 31_536_000 * 10**9


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def said(command, *arguments):
    done = tap.run([tap.FXTREC, command, "--json", *arguments])
    try:
        return json.loads(done.stdout)
    except ValueError:
        tap.ok(False, f"{command} {' '.join(arguments)} prints JSON", done.stderr)
        tap.done()


def simulated(seed, cpus=3):
    return Machine(random.Random(seed), cpus, 6, 300)


def bare(rows, *but):
    """Rows without what tells machines apart."""
    if isinstance(rows, list):
        return [bare(row, *but) for row in rows]
    if isinstance(rows, dict):
        return {name: bare(value, *but) for name, value in rows.items() if name not in ("key", "longest_key", "machine", *but)}
    return rows


def of_machine(rows, number):
    return [row for row in rows if row["machine"] == number]


def ordered(rows):
    """In one order, as of equal times any may come first; stories are cut where they name them."""
    return sorted(json.dumps({name: ordered(value) if name in ("culprits", "wakers") else value
                              for name, value in bare(row, "story").items()}, sort_keys=True) for row in rows)


def machines(folder):
    paths = [write(folder, f"machine.{seed}.fxt", simulated(seed, cpus).trace(host=host, boot=boot))
             for seed, cpus, host, boot in ((1, 3, "a", YEAR), (2, 2, "b", YEAR), (3, 1, "a", 2 * YEAR))]
    both = said("report", "--over=1us", *paths)
    keys = [row["key"] for row in both["threads"]]
    tap.ok(len(set(keys)) == len(keys) and [m["host"] for m in both["machines"]] == ["a", "b", "a"],
           "two hosts, and one that was started again, are three machines", both["machines"])
    blame, path = said("blame", *paths), said("path", "--comm=*", *paths)
    rows = said("timehist", *paths)["switches"]
    for i, name in enumerate(paths):
        alone = said("report", "--over=1us", name)
        same = all(ordered(of_machine(both[what], i)) == ordered(alone[what]) for what in ("threads", "cpus", "waits"))
        tap.ok(same and len(alone["threads"]) > 5, f"report of machine {i}: as it is by itself")
        tap.ok(both["machines"][i]["from_ns"] == alone["from_ns"] and both["machines"][i]["to_ns"] == alone["to_ns"],
               f"machine {i} has a span of its own")
        tap.ok(ordered(of_machine(blame["victims"], i)) == ordered(said("blame", name)["victims"]) != [],
               f"blame of machine {i}")
        tap.ok(ordered(of_machine(path["windows"], i)) == ordered(said("path", "--comm=*", name)["windows"]) != [],
               f"path of machine {i}")
        tap.ok(bare(of_machine(rows, i)) == bare(said("timehist", name)["switches"]) != [], f"timehist of machine {i}")
    tap.ok(len(said("report", "--by=comm", *paths)["comms"]) ==
           sum(len(said("report", "--by=comm", name)["comms"]) for name in paths), "names are each machine's own")
    text = tap.run([tap.FXTREC, "report", *paths]).stdout
    tap.ok(all(f"machine {i}" in text for i in range(3)) and " 0/" in text.replace("\n", " ") and "2/t" in text,
           "the text says which machine", text[:600])
    rows = list(csv.DictReader(io.StringIO(tap.run([tap.FXTREC, "report", "--csv", *paths]).stdout)))
    tap.ok({row["key"]: row["machine"] for row in rows} ==
           {str(row["key"]): str(row["machine"]) for row in both["threads"]}, "and so does CSV")
    queried(paths, both)
    tap.fails(["top", "--batch", *paths], 1, "different machines", "top shows one machine")
    tap.ok(len(said("report", "--assert=switches > 0", *paths)["machines"]) == 3, "--assert of several machines")


def queried(paths, both):
    def ask(sql):
        return said("query", *paths, sql)

    rows = ask("SELECT machine, sum(dur) AS ns FROM sched WHERE utid != 0 GROUP BY machine ORDER BY machine")
    tap.ok([row["ns"] for row in rows] == [sum(cpu["busy_ns"] for cpu in of_machine(both["cpus"], i)) for i in range(3)],
           "query: each machine's CPUs", rows)
    rows = ask("SELECT utid, tid, machine FROM thread WHERE utid != 0")
    tap.ok({row["utid"]: (row["tid"], row["machine"]) for row in rows} ==
           {row["key"]: (row["tid"], row["machine"]) for row in both["threads"]}, "query: each machine's threads")


def parts(folder):
    machine = simulated(5)
    edges = [0, START + (machine.end - START) // 3, START + 2 * (machine.end - START) // 3, machine.end + 1]
    whole = write(folder, "whole.fxt", machine.trace(host="a", boot=YEAR, until=edges[3]))
    paths = [write(folder, f"part.{i}.fxt", machine.trace(host="a", boot=YEAR + i, since=edges[i], until=edges[i + 1]))
             for i in range(3)]
    expected = said("report", whole)
    for order in ((0, 1, 2), (2, 0, 1)):
        got = said("report", *(paths[i] for i in order))
        tap.ok(ordered(got["threads"]) == ordered(expected["threads"]) and not got["lost"] and
               got["cpus"] == expected["cpus"], f"parts {order} are the recording", got["lost"])
    hole = [(cpu, edges[1], edges[2]) for cpu in range(3)]
    lossy = said("report", write(folder, "lossy.fxt", machine.trace(hole)))
    got = said("report", paths[2], paths[0])
    tap.ok([(row["cpu"], row["from_ns"], row["to_ns"]) for row in got["lost"]] == [(None, edges[1], edges[2])],
           "a part is missing: its time is lost", got["lost"])
    tap.ok(ordered(got["threads"]) == ordered(lossy["threads"]) and ordered(got["cpus"]) == ordered(lossy["cpus"]),
           "what it hides is unknown, as if all CPUs had lost it",
           [(a, b) for a, b in zip(ordered(got["cpus"]), ordered(lossy["cpus"])) if a != b][:1])
    span = edges[2] - edges[1]
    tap.all_of("no CPU is idle then", got["cpus"], lambda cpu: cpu["unknown_ns"] >= span, 3)
    others = [sum(other["idle_ns"] for other in got["cpus"] if other is not cpu) for cpu in got["cpus"]]
    tap.all_of("nor do threads wait then while another CPU is", zip(got["cpus"], others),
               lambda of: of[0]["idle_while_waiting_ns"] <= of[1], 3)
    inside = said("report", f"--time=@{edges[1] + 1000},@{edges[2] - 1000}", paths[0], paths[2])["cpus"]
    tap.all_of("in it alone, nothing can run", inside,
               lambda cpu: not any(cpu[name] for name in ("idle_while_waiting_ns", "runnable_max", "busy_ns")))
    tap.ok("in none of them" in tap.run([tap.FXTREC, "report", paths[0], paths[2]]).stdout, "the text says so")
    blame = said("blame", paths[0], paths[2])
    waits = sum(row["wait_wakeup_ns"] + row["wait_preempted_ns"] for row in got["threads"])
    tap.ok(sum(row["wait_ns"] for row in blame["victims"]) == waits, "blame is the sum of waits across a hole")
    laps = [json.loads(line) for line in
            tap.run([tap.FXTREC, "top", "--batch", "--json", "--interval=1ms", paths[0], paths[2]]).stdout.splitlines()]
    tap.ok(sum(cpu["unknown_ns"] for lap in laps for cpu in lap["cpus"]) >= 3 * span - 3_000_000, "top: unknown, too")


def handlers(folder):
    """A handler that runs when a part ends, and the next one is missing, isn't known to run behind that."""
    def part(since, until):
        return File().provider(1, "fxtrec").clock(since, YEAR + since, since, since).clock(until, YEAR + until, until, until).cpu(0)

    def handler(f, time, end):
        f.event(BEGIN, time, 9, 0x41010000, "irq", "RCU")
        return f.event(END, end, 9, 0x41010000, "irq", "RCU") if end else f

    first = handler(part(START, START + 5000).switch(START, 0, 0, 0, 1, 5, 120), START + 4000, None)
    third = part(START + 100_000, START + 110_000).switch(START + 100_200, 0, 5, 120, 1, 6, 120)
    third = handler(third, START + 108_000, START + 108_500).switch(START + 110_000, 0, 6, 120, 3, 0, 0)
    got = said("report", *(write(folder, f"handler.{i}.fxt", f.data) for i, f in enumerate((first, third))))
    tap.ok(len(got["lost"]) == 1 and got["cpus"][0]["interrupt_ns"] == 1500, "a handler is known up to a missing part", got)


def overlapping(folder):
    """Snapshots of one machine that overlap, and one that is given twice: all that happened counts once."""
    machine = simulated(9)
    third = (machine.end - START) // 3
    first, second = ({"host": "a", "boot": YEAR, "since": since, "until": until}
                     for since, until in ((0, START + 2 * third), (START + third, machine.end + 1)))
    whole = write(folder, "whole.fxt", machine.trace(host="a", boot=YEAR, until=machine.end + 1))
    paths = [write(folder, f"snapshot.{i}.fxt", machine.trace(**part)) for i, part in enumerate((first, second))]
    packed = os.path.join(folder, "packed.txt")
    tap.run([tap.FXTREC, "convert", paths[0], "-o", packed])
    expected = said("report", whole)
    for names in (paths, paths[::-1], [whole, whole], [*paths, whole], [packed, *paths]):
        got = said("report", *names)
        same = all(ordered(bare(got[what], "pid", "process")) == ordered(bare(expected[what], "pid", "process"))
                   for what in ("threads", "cpus"))
        tap.ok(same and not got["lost"], f"{' '.join(os.path.basename(name) for name in names)}: counted once",
               [(a, b) for a, b in zip(got["cpus"], expected["cpus"]) if a != b][:1])
    joined = os.path.join(folder, "joined.fxt")
    tap.run([tap.FXTREC, "convert", *paths, "-o", joined])
    got = said("report", joined)
    tap.ok(ordered(got["threads"]) == ordered(expected["threads"]), "convert joins them once")
    other = write(folder, "other.fxt", machine.trace(host="b", boot=YEAR, until=machine.end + 1))
    got = said("report", whole, other)
    tap.ok(len(got["machines"]) == 2 and len(got["threads"]) == 2 * len(expected["threads"]) and
           ordered(of_machine(got["threads"], 1)) == ordered(expected["threads"]), "the same of another machine is its own")
    twice = File().provider(1, "fxtrec").cpu(0).switch(START, 0, 5, 120, 3, 7, 120)
    for _ in range(2):
        twice.event(INSTANT, START + 5, 7, 7, "a", "same")
    twice = write(folder, "twice.fxt", twice.switch(START + 9, 0, 7, 120, 3, 5, 120).data)
    for names, wanted in (([twice], 2), ([twice, twice], 2)):
        rows = said("query", *names, "SELECT count(*) AS n FROM slice WHERE name = 'same'")
        tap.ok(rows == [{"n": wanted}], "what a file has twice happened twice", rows)


def moved(folder):
    """A migration that a recording and its conversion have counts once, though the formats have its track in another way."""
    f = File().provider(1, "fxtrec").cpu(0).switch(START, 0, 5, 120, 3, 7, 120)
    paths = [write(folder, "moved.fxt", f.migrate(START + 5, 0, 11, 5, 120, 0, 1).switch(START + 9, 0, 7, 120, 3, 5, 120).data)]
    for suffix in ("pftrace", "json", "txt"):
        paths.append(os.path.join(folder, "moved." + suffix))
        tap.run([tap.FXTREC, "convert", paths[0], "-o", paths[-1]])
        got = said("report", paths[0], paths[-1])
        tap.ok([t["migrations"] for t in got["threads"] if t["tid"] == 5] == [1], f"moved.fxt and moved.{suffix}: one migration", got)


def split(folder):
    """What convert --split makes of a recording is the recording."""
    whole = write(folder, "unsplit.fxt", simulated(7).trace(host="a", boot=YEAR, until=START + YEAR))
    expected = ordered(said("report", whole)["threads"])
    for suffix in ("fxt", "json", "txt", "html", "pftrace"):
        out = os.path.join(folder, "split." + suffix)
        done = tap.run([tap.FXTREC, "convert", "--split=2ms", whole, "-o", out])
        paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
                 if name.startswith("split.") and name.endswith(suffix)]
        got = said("report", *paths)
        tap.ok(done.returncode == 0 and len(paths) > 2 and not got["lost"] and ordered(got["threads"]) == expected,
               f"{len(paths)} parts of {suffix} are the recording", got["lost"])


def silent(folder):
    """Files that say nothing of their host are of one machine."""
    paths = [write(folder, f"silent.{i}.fxt", File().provider(1, "fxtrec").cpu(i).switch(
        START + i, i, 5 + i, 120, 3, 7 + i, 120).switch(START + 9, i, 7 + i, 120, 3, 5 + i, 120).data) for i in range(2)]
    got = said("report", *paths)
    tap.ok(len(got["machines"]) == 1 and {cpu["cpu"] for cpu in got["cpus"]} == {0, 1} and not got["lost"],
           "files without a host are one trace")
    mixed = File().provider(1, "fxtrec")
    for host in ("a", "b"):
        mixed.event(INSTANT, START, 0, 0, "fxtrec", "host", [("host", host)])
    path = write(folder, "mixed.fxt", mixed.cpu(0).switch(START, 0, 5, 120, 3, 6, 120).data)
    tap.fails(["report", path], 1, "give the files that it was made of", "one file of different machines")


with tempfile.TemporaryDirectory() as folder:
    machines(folder)
    parts(folder)
    handlers(folder)
    overlapping(folder)
    moved(folder)
    split(folder)
    silent(folder)
tap.done()
