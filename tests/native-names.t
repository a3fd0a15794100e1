#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Thousands of processes that live for a moment: each of their threads has its name; threads that run programs."""
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import dying
import judge
import oracle
import tap

COUNT = tap.amount("COUNT", 2000, 5000)
# Not that of other tests' short-lived threads.
NAME = "named"
EXECS = 40
FORKS = os.path.join(tap.TOP, "build", "tests", "forks")
# What other tests do meanwhile is recorded, too.
RINGS = ["-b", "64M"]
# A thread that isn't its process's first runs another program; the first one runs on, or sleeps.
EXEC = '''import os, sys, threading
threading.Thread(target=lambda: os.execl("/bin/true", "true")).start()
while len(sys.argv) > 1: pass
threading.Event().wait()
'''


def execs(path):
    """Each CPU's chain of switches goes on where a thread takes over its process's id."""
    command = f"for i in $(seq {EXECS}); do {sys.executable} -c \"$0\"; {sys.executable} -c \"$0\" busy; done"
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", *RINGS, "-o", path, "--", "sh", "-c", command, EXEC])
    tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, "recorded, nothing lost", done.stderr)
    r = judge.load(path)
    seen = {(a, e.prev) for _, _, a, e in oracle.other_ids(r) if oracle.took_over(r, a, e.prev, e.state)}
    checked = tap.run([tap.FXTREC, "check", "--chain", "--limit=0", path]).stdout
    found = {(int(a), int(b)) for b, a in
             re.findall(r"switches thread (\d+) out, but (\d+) was switched in before", checked)}
    # Another test's renames may take the place of these threads' descriptions.
    tap.ok(len(seen) > (0 if "nothing lost but" in done.stderr else EXECS), "threads took over their processes' ids",
           (len(seen), done.stderr))
    # Kernels don't trace some threads.
    wrong = {(a, b) for a, b in found if r.process_of.get(a) == b or r.process_of.get(b) == a}
    tap.ok(not wrong, "check --chain: and each chain of switches goes on", wrong)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "names.fxt")
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", *RINGS, "-o", path, "--",
                    FORKS, str(COUNT), NAME])
    tap.note(done.stderr)
    tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, "recorded, nothing lost",
           done.stderr)
    r = judge.load(path)
    judge.judge_itself(r, path, "forks", judge.process_one(r))
    # A third of the processes starts a named thread, the others run another program.
    threads = {n for of in r.names.values() for _, n in of if n.startswith(NAME + "-")}
    tap.ok(len(threads) == (COUNT + 2) // 3, "every renamed thread is there by its name",
           len(threads))
    # The recorder describes one that lives for a second; each runs itself.
    commands = tap.run([tap.FXTREC, "dump", path]).stdout.count('command="/proc/self/exe"}')
    ran = judge.renamed(r, NAME, "exe")
    # Where names come so fast that not all can be recorded, as of another test's program, there is none.
    tap.ok(commands == ran or (commands < ran and "nothing lost but" in done.stderr), "and by its command line", (commands, ran))
    tap.ok(ran == COUNT - (COUNT + 2) // 3, "every program that was run is there by its name", ran)
    parents = {p for t, p in r.process_of.items() if any(n.startswith(NAME + "-") for _, n in r.names[t])}
    tap.ok(parents <= set(r.processes), "their processes are named too", parents - set(r.processes))
    execs(os.path.join(folder, "execs.fxt"))
    tap.ok(*dying.named(os.path.join(folder, "dying.fxt"), "bpf"))
tap.done()
