#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Analyses complete in a small control group, and their anonymous memory depends on the threads that live."""
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import groups
import tap

CPUS = 16
LIVING = 10000
THREADS = tap.amount("THREADS", 100000, 300000)
TURNS = 3
BLOCKED, DEAD = 3, 5
MOST_KIB, GROUP_KIB = 64 << 10, 128 << 10
# Rows of the output, a thread each, are the analysis's own: beyond so many threads they are let pass.
ROW_BYTES = 160


COMMANDS = ("report", "report --json", "report --csv", "report --by=process", "report --by=comm --json", "blame",
            "blame --json --by=process", "explain", "timehist", "path -t 1000", "path --comm=thread*", "top --batch", "diff FILE",
            "query SQL", "convert -o FOLDER/x.txt", "convert -o FOLDER/x.json", "convert -o FOLDER/x.pftrace")
SQL = "SELECT count(*), sum(dur) FROM thread_state"


def crowd(path):
    """Threads that run by turns on each CPU; one that has had its turns ends, and a new one takes its place."""
    made = fxtmake.File()
    living = [[1000 + cpu + CPUS * i for i in range(LIVING // CPUS)] for cpu in range(CPUS)]
    following, time = 1000 + CPUS * (LIVING // CPUS), [1_000_000_000] * CPUS
    for tids in living:
        for tid in tids:
            made.named(tid // 8 * 8, tid, f"thread {tid % 100}", 1, leader=tid % 8 == 0)
    while following < 1000 + THREADS:
        for cpu, tids in enumerate(living):
            made.cpu(cpu)
            for place, tid in enumerate(tids):
                # All its turns, so that it is far from those that come behind it in memory, too.
                for turn in range(TURNS):
                    made.wakeup(time[cpu], cpu, tid, 120, waker=tids[place - 1])
                    made.switch(time[cpu] + 2000, cpu, 0, 0, BLOCKED, tid, 120)
                    last = turn == TURNS - 1
                    made.switch(time[cpu] + 5000, cpu, tid, 120, DEAD if last else BLOCKED, 0, 0)
                    time[cpu] += 10000
                tids[place] = following
                following += 1
    with open(path, "wb") as f:
        f.write(made.data)


def anonymous_peak(process):
    """KiB of anonymous memory that a process has at most, as often as one can look."""
    peak = 0
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace") as f:
            found = re.search(r"^RssAnon:\s+(\d+)", f.read(), re.M)
        peak = max(peak, int(found[1]) if found else 0)
        time.sleep(0.001)
    return peak


def judge(folder, path, command, inside):
    words = [{"FILE": path, "SQL": SQL}.get(w, w.replace("FOLDER", folder)) for w in command.split()]
    words.insert(1, path)
    with open(os.path.join(folder, "out"), "wb") as out, open(os.path.join(folder, "err"), "w+", encoding="utf-8") as err:
        process = subprocess.Popen([*inside, tap.FXTREC, *words], stdout=out, stderr=err)
        peak = anonymous_peak(process)
        err.seek(0)
        tap.ok(process.returncode == 0 and os.path.getsize(out.name) + command.startswith("convert"),
               f"{command}: done" + (f" with {GROUP_KIB >> 10} MiB" if inside else ""), err.read()[-2000:])
    if not tap.SANITIZED:
        # Both recordings' machines, and figures of both.
        most = (3 if command.startswith("diff") else 2) * MOST_KIB // 2
        most += max(0, THREADS - 100000) * ROW_BYTES // 1024
        tap.ok(0 < peak <= most, f"{command}: anonymous memory", f"{peak} KiB of {most}")


def main():
    # A file in memory would count for the group.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, groups.small("fxtrec-memory", GROUP_KIB) as inside:
        path = os.path.join(folder, "crowd.fxt")
        crowd(path)
        for command in COMMANDS:
            judge(folder, path, command, [] if tap.SANITIZED else inside)
    tap.done()


main()
