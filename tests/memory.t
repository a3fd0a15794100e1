#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What analyses take of memory depends on the threads that live, not on those that have ended."""
import multiprocessing
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap

CPUS = 16
LIVING = 10000
THREADS = tap.amount("THREADS", 100000, 300000)
TURNS = 3
BLOCKED, DEAD = 3, 5
MOST_KIB = 64 << 10
# Rows of the output, a thread each, are the analysis's own: beyond so many threads they are let pass.
ROW_BYTES = 160


COMMANDS = ("report", "report --json", "report --csv", "report --by=process", "report --by=comm --json", "blame",
            "blame --json --by=process", "timehist", "path -t 1000", "path --comm=thread*", "top --batch", "diff FILE",
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


def judge(folder, path, command):
    words = [{"FILE": path, "SQL": SQL}.get(w, w.replace("FOLDER", folder)) for w in command.split()]
    words.insert(1, path)
    pid = os.posix_spawn(tap.FXTREC, [tap.FXTREC, *words], os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.path.join(folder, "out"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, os.path.join(folder, "err"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)])
    _, status, usage = os.wait4(pid, 0)
    with open(os.path.join(folder, "err"), encoding="utf-8", errors="replace") as f:
        said = f.read()
    tap.ok(status == 0 and os.path.getsize(os.path.join(folder, "out")) + command.startswith("convert"),
           f"{command}: done", said[-2000:])
    # With the sanitizers what matters is that nothing is read that isn't in memory's window: store/spill.c.
    if not tap.SANITIZED:
        # Both recordings' machines, and figures of both.
        most = (3 if command.startswith("diff") else 2) * MOST_KIB // 2
        most += max(0, THREADS - 100000) * ROW_BYTES // 1024
        tap.ok(usage.ru_maxrss <= most, f"{command}: memory", f"{usage.ru_maxrss} KiB of {most}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "crowd.fxt")
        # By another process: what this one has of memory counts for its children until they execute a program.
        maker = multiprocessing.Process(target=crowd, args=(path,))
        maker.start()
        maker.join()
        for command in COMMANDS:
            judge(folder, path, command)
    tap.done()


main()
