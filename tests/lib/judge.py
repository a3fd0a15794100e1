# SPDX-License-Identifier: GPL-2.0-only
"""The judgements that the tests of a recording share, as TAP."""
from collections import Counter
import glob
import mmap
import os

import ftrace
import oracle
from fxt import Migration, Recording, Switch, Wakeup
from oracle import process_one
from tap import FXTREC, note, ok, run


# What load.sh makes of them for certain.
MIGRATIONS, WAKEUPS = 100, 20


def hidden_natively(recording, text, seen):
    """
    Threads of process 1 (seen ones are not hidden), in which eBPF doesn't run on this
    machine: so it can't tell of those that come to be and go while it records, which
    ftrace's text has by the names that process 1 gives its threads.
    """
    names = set()
    for path in glob.glob("/proc/1/task/*/comm"):
        try:
            with open(path) as f:
                names.add(f.read().rstrip("\n"))
        except OSError:
            pass
    with open(text, errors="surrogateescape") as f:
        short_lived = {int(m[2]) for m in map(ftrace.LINE.match, f) if m and m[1] in names}
    return (process_one(recording) | short_lived) - seen


def judge_oracle(recording, text, what, least, quirks=False):
    """Every event on every CPU is ftrace's; at least that many context switches."""
    theirs = ftrace.parse(text)
    names, unrecorded = oracle.Names(recording), oracle.Unrecorded(recording)
    problems, compared = [], 0
    for cpu in sorted(recording.events):
        try:
            count, notes = oracle.compare(recording, theirs, cpu, quirks, names, unrecorded)
            compared += count
            for line in notes:
                note(line)
        except oracle.Difference as difference:
            problems.append(str(difference))
    events = [e for of_cpu in recording.events.values() for _, e in of_cpu]
    switches = sum(isinstance(e, Switch) for e in events)
    wakeups = Counter(e.context for e in events if isinstance(e, Wakeup))
    migrations = sum(isinstance(e, Migration) for e in events)
    note(f"{what}: {switches} context switches, {wakeups.total()} wakeups, {migrations} migrations, "
         f"{compared} compared; wakers' contexts: {dict(wakeups)}")
    ok(not problems, f"{what}: each CPU's events are ftrace's, none missing, none extra, "
                     "fields and names the same", "\n".join(problems))
    ok(switches >= least, f"{what}: {least} context switches or more", f"only {switches}")
    hardirq, softirq = (wakeups[of] + wakeups[of + " timer"] for of in ("hardirq", "softirq"))
    ok(migrations >= MIGRATIONS and hardirq >= WAKEUPS and softirq >= WAKEUPS,
       f"{what}: migrations, and wakeups in interrupts, of each kind", (migrations, wakeups))
    ok(wakeups["hardirq timer"] >= WAKEUPS, f"{what}: and wakeups by timers", wakeups)


def judge_itself(recording, path, what, untraced=frozenset(), killed=False):
    """What a recording in which nothing was lost must hold by itself."""
    broken = oracle.chain_breaks(recording, untraced)
    ok(not broken, f"{what}: each switch's outgoing thread is the one brought in before",
       f"{len(broken)} breaks: {broken[:5]}")
    back = oracle.backward(recording)
    ok(not back, f"{what}: time never goes back on a CPU", back[:5])
    unnamed = recording.scheduled() - set(recording.names)
    ok(not unnamed, f"{what}: every thread has a name", sorted(unnamed)[:20])
    stale = [(tid, names) for tid, names in recording.names.items()
             if names[-1][0] < max(since for since, _ in names)]
    ok(not stale, f"{what}: of each thread's names, the newest is the last in the file", stale[:3])
    judge_valid(path, what, killed)


def valid(path, killed=False):
    """
    Whether it is, by the specification, and what was said.  Of a recorder that was killed
    in the midst of a write the kernel may have cut that, where a page ends.
    """
    done = run([FXTREC, "check", path], timeout=300)
    cut = killed and ": cut: " in done.stdout and "not valid: 1 error," in done.stdout and \
        os.path.getsize(path) % mmap.PAGESIZE == 0
    return done.returncode == 0 or cut, done.stdout + done.stderr


def judge_valid(path, what, killed=False):
    good, said = valid(path, killed)
    ok(good, f"{what}: valid by the specification", said)


def renamed(recording, name, following):
    """How often a thread of that name has the other one next: the kernel may give the same id to several."""
    return sum((a, b) == (name, following) for of in map(sorted, recording.names.values())
               for (_, a), (_, b) in zip(of, of[1:]))


def load(path):
    recording = Recording(path)
    recording.data = b""
    return recording
