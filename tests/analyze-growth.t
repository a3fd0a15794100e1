#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Analyses of crowds, with every option: cost grows with what is read and printed, memory doesn't."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import adversary
import adversary_crowds
import groups
import tap

COUNTING = os.environ.get("COUNTING") or os.path.join(tap.TOP, "build", "cost", "fxtrec")
MEGABYTES = tap.amount("MEGABYTES", 2, 8)
ALL = os.environ.get("CHECK") == "all"
DOUBLED = 2.2
# Groups of a few threads: the summaries of ranges of runs fill up between 1 and 2 MB: 2.31; from 2 to 4 MB it is 1.96.
# The sums of a page's groupings reach the bound of walks there: 2.48; from 2 to 4 MB it is 1.26.
DOUBLED_OF = {("blame", "--by=process"): 2.35, ("blame", "--by=cgroup"): 2.35, ("page", "--output=OUT"): 2.5}
# All has been read then: the crowds have no stacks, and some have no names.
REFUSED = re.compile("no stacks of what slept|no such thread in that time")
MEMORY_KIB = 128 << 10
# Words that start a command with that much memory.
INSIDE = []

# Each option of each command with an argument; those of COMMON in each command that has them.
COMMON = ("--time=@1000,", "--machine=0", "--cgroup=*", "--comm=b*", "--cpu=0", "--pid=1000000-1000100", "--tid=100-900", "--csv", "--json",
          "--top=5", "--from=fxt", "--lenient", "--strict", "--spool-limit=1G",
          "--class=poll=disk")
OPTIONS = {
    "report": ("", "--by=process", "--by=comm", "--by=cgroup", "--by=container", "--by=cpu", "--by=reason", "--by=lock", "--over=1us",
               "--sort=wait_wakeup", "--assert=wakeup.p99 < 1h"),
    "blame": ("", "--by=process", "--by=comm", "--by=cgroup", "--by=container", "--over=1us", "--sort=longest", "--waits=cpu", "--sleep",
              "--sleep --by=comm", "--sleep --sort=times"),
    "path": ("--tid=100", "--mark=x", "--by=comm --tid=100"),
    "timehist": ("", "--idle"),
    "flame": ("--all", "--svg --all", "--folded --all"),
    "diff": ("--least=5",),
    "top": ("--batch", "--batch --by=comm", "--batch --interval=100ms", "--batch --iterations=5", "--batch --sort=run"),
    "page": ("--output=OUT", "--output=OUT --size-limit=1G"),
    "query": ("SELECT count(*), sum(dur) FROM thread_state", "SELECT count(*) FROM thread a JOIN thread b ON a.tid=b.tid",
              "SELECT count(*) FROM process p LEFT JOIN thread t ON t.upid=p.upid", "SELECT * FROM lock"),
    "info": ("", "--json"),
    "check": ("", "--chain", "--limit=5"),
}
# They are of a machine that records, not of a file; or of the program itself.
LIVE = {"--backend", "--buffer", "--clock", "--usage", "--version", "--help"}
LIVE_OF_TOP = {"--output", "--prometheus"}
# Inputs that have what an option needs.
INPUTS = {"path": ("fxt_crowd_marks",)}


def known(command):
    """Its options, as its own table has them."""
    text = subprocess.run([tap.FXTREC, command, "--help"], stdout=subprocess.PIPE, text=True).stdout
    return set(re.findall(r"^ +(?:-[A-Za-z], )?(--[a-z-]+)", text, re.M))


def words_of(command):
    """All that is run of a command."""
    mine = known(command)
    base = OPTIONS[command][0]
    for option in OPTIONS[command]:
        yield option
    for option in COMMON:
        if option.partition("=")[0] in mine and option not in base.split():
            yield option if base.startswith(option.partition("=")[0]) else f"{base} {option}".strip()


def complete():
    """An option that is new is one that is missing here."""
    for command in OPTIONS:
        covered = {word.partition("=")[0] for words in words_of(command) for word in words.split() if word.startswith("--")}
        missing = known(command) - covered - LIVE - (LIVE_OF_TOP if command == "top" else set())
        tap.ok(known(command) and not missing, f"{command}: the cost of each option is counted", missing)


class Cost:
    def __init__(self, folder, name, command, options, size):
        path, count, out = (os.path.join(folder, file) for file in ("in.fxt", "count", "out"))
        other = os.path.join(folder, "x.html")
        with open(path, "wb") as f:
            f.write(adversary_crowds.ALL[name](size))
        # A statement, and what is compared, are one word.
        words = [options] if command == "query" and "SELECT" in options else \
            re.split(r" (?=--)", options) if options else []
        words = [word.replace("OUT", other) for word in words]
        if command == "query" and words and "SELECT" in words[0]:
            words = words[0].split(" --")[:1] + ["--" + word for word in words[0].split(" --")[1:]]
        with open(out, "wb") as f:
            done = subprocess.run([*INSIDE, COUNTING, command, path, *([path] if command == "diff" else []), *words],
                                  env=dict(os.environ, COST_FILE=count), stdout=f, stderr=subprocess.PIPE, text=True, timeout=900)
        self.failed = done.stderr if done.returncode and not REFUSED.search(done.stderr) else None
        self.bytes = sum(os.path.getsize(file) for file in (path, out, other) if os.path.exists(file))
        if os.path.exists(other):
            os.unlink(other)
        with open(count) as f:
            self.count = int(f.read())

    def __str__(self):
        return f"{self.count} for {self.bytes} bytes"


def grows(folder, name, command, options):
    before, size = None, 1 << 20
    while size <= MEGABYTES << 20:
        cost = Cost(folder, name, command, options, size)
        what = f"{command} {options}, {name}, {size >> 20} MB"
        if not tap.ok(not cost.failed, f"{what}: 128 MiB", cost.failed or cost):
            return
        if before:
            most = before.count * DOUBLED_OF.get((command, options), DOUBLED) * max(1, cost.bytes / before.bytes / 2)
            tap.ok(cost.count <= most, f"{what}: as much more as there is", f"{before}; {cost}")
        before, size = cost, size * 2


def main():
    complete()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, groups.small("fxtrec-growth", MEMORY_KIB) as inside:
        INSIDE[:] = inside
        for command in OPTIONS:
            for options in words_of(command):
                grows(folder, (INPUTS.get(command) or ("fxt_crowd_processes",))[0], command, options)
        for name in adversary_crowds.ALL if ALL else ("fxt_crowd_twice", "fxt_crowd_moved"):
            for command, options in (("report", "--over=1us"), ("blame", "--json"), ("page", "--output=OUT")):
                grows(folder, name, command, options)
        for options in "--by=reason", "--by=lock":
            grows(folder, "fxt_crowd_futexes", "report", options)
    tap.done()


main()
