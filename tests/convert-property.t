#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Generated traces through each format and back: what Documentation/conversion.rst says is kept is."""
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxt import Recording
from fxtmake import (ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, COUNTER, END, File, INSTANT, MIGRATIONS, Unsigned)

TRACES = int(os.environ.get("TRACES", "12"))
START = 1_000_000_000_000
STATES = ((1, None), (1, "R+"), (2, None), (2, "t"), (3, None), (3, "D"), (3, "P"), (3, "I"),
          (4, None), (5, None))
CONTEXTS = (None, None, "softirq", "hardirq", "nmi")
NAMES = ("a", "x" * 15, "näme", "with space", "br[0]", "k=v", "a-b", "(c)", "quo\"te", "<idle>",
         "back\\slash", "☃", "==>")


def scheduling(f, rng, threads):
    """CPUs whose switches follow one another, with wakeups and migrations between them."""
    for cpu in range(rng.randrange(1, 5)):
        f.provider(1, "fxtrec").named(threads[0], MIGRATIONS + cpu, f"cpu {cpu} migrations", START - 100)
        f.cpu(cpu)
        t, current, prio = START + rng.randrange(1000), rng.choice([0] + threads), 120
        for _ in range(rng.randrange(1, 60)):
            t += rng.choice((0, 1, 1000, rng.randrange(10 ** 7)))
            if rng.random() < 0.4:
                on_cpu = rng.random() < 0.1
                f.wakeup(t, rng.randrange(8), rng.choice(threads), rng.randrange(-1, 140),
                         waker=current, new=not on_cpu and rng.random() < 0.2, on_cpu=on_cpu,
                         context=rng.choice(CONTEXTS))
                continue
            if rng.random() < 0.2:
                f.migrate(t, cpu, threads[0], rng.choice(threads), rng.randrange(-1, 140), rng.randrange(1 << 16),
                          rng.randrange(8))
                continue
            # A switch at the same time as the one before would have no order elsewhere.
            t += 1
            state, letter = (1, None) if not current else rng.choice(STATES)
            following = rng.choice([x for x in [0] + threads if x != current])
            following_prio = rng.randrange(-1, 140) if following else 120
            f.switch(t, cpu, current, prio, state, following, following_prio, letter)
            current, prio = following, following_prio


def events(f, rng, threads):
    """Durations that nest, instants, counters and operations that may overlap."""
    f.provider(1, "fxtrec")
    for tid in threads:
        t, open_ = START + rng.randrange(10 ** 6), []
        for _ in range(rng.randrange(20)):
            t += rng.randrange(1, 10 ** 6)
            name = f"event {rng.randrange(5)}"
            kind = rng.choice((BEGIN, END, INSTANT, COUNTER, COMPLETE, ASYNC_BEGIN))
            if kind == END and not open_:
                kind = INSTANT
            if kind == BEGIN:
                open_.append(name)
            if kind == END:
                name = open_.pop()
            if kind == COUNTER:
                f.event(kind, t, 10, tid, "cat", name, [("n", Unsigned(rng.randrange(1000)))], 7)
            elif kind == COMPLETE:
                f.event(kind, t, 10, tid, "cat", name, (), t + rng.randrange(1, 1000))
                t += 1000
            elif kind == ASYNC_BEGIN:
                one = rng.randrange(1, 1 << 31)
                f.event(kind, t, 10, tid, "cat", name, (), one)
                f.event(ASYNC_END, t + rng.randrange(1, 10 ** 6), 10, tid, "cat", name, (), one)
            else:
                f.event(kind, t, 10, tid, "cat", name)
        for name in reversed(open_):
            t += 1
            f.event(END, t, 10, tid, "cat", name)


def generate(rng):
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    threads = rng.sample(range(10, 32768), rng.randrange(3, 12))
    for tid in threads:
        f.named(threads[0], tid, rng.choice(NAMES), START - 100, leader=tid == threads[0])
    scheduling(f, rng, threads)
    events(f, rng, threads)
    return f.data


EVENT = re.compile(r"(duration-begin|duration-end|duration-complete|instant|counter|async-begin|async-end): "
                   r".*?ticks=(\d+).*?thread=(\d+)")


def timed(path):
    """Kinds, times and threads of all events, as dump tells them; names too."""
    lines = tap.run([tap.FXTREC, "dump", path]).stdout.splitlines()
    found = []
    for line in lines:
        m = EVENT.search(line)
        if m:
            name = re.search(r' name="((?:[^"\\]|\\.)*)"', line)
            found.append(m.groups() + (name.group(1) if name else "",))
    return sorted(found)


def migrations(path):
    """With the processes of their tracks."""
    lines = tap.run([tap.FXTREC, "dump", path]).stdout.splitlines()
    return {re.sub(r"^.*? ticks=| thread_name=\"[^\"]*\"", "", l) for l in lines if " instant: " in l and "sched_migrate_task" in l}


def newest(recording):
    """The last name of each thread that has one, but the idle thread's."""
    return {tid: max(names, key=lambda n: n[0])[1] for tid, names in recording.names.items() if tid}


def judge(folder, number, seed):
    rng = random.Random(seed)
    there = os.path.join(folder, f"{number}.fxt")
    with open(there, "wb") as f:
        f.write(generate(rng))
    before = Recording(there, others=True)
    wrong = []
    for suffix, keeps_events in (("fxt", True), ("txt", False), ("html", False), ("json", True),
                                 ("pftrace", True)):
        middle, back = (os.path.join(folder, f"{number}.{x}") for x in ("there." + suffix, "back.fxt"))
        for source, target in ((there, middle), (middle, back)):
            done = tap.run([tap.FXTREC, "convert", source, "-o", target])
            if done.returncode:
                wrong.append((suffix, done.stderr))
        after = Recording(back, others=True)
        for cpu in set(before.events) | set(after.events):
            if before.events[cpu] != after.events[cpu]:
                pair = next(((a, b) for a, b in zip(before.events[cpu], after.events[cpu]) if a != b),
                            (len(before.events[cpu]), len(after.events[cpu])))
                wrong.append((suffix, "cpu", cpu, pair))
        if migrations(there) != migrations(back):
            wrong.append((suffix, "migrations", sorted(migrations(there) ^ migrations(back))[:4]))
        a, b = newest(before), newest(after)
        changed = {tid: (a[tid], b.get(tid)) for tid in before.scheduled() & set(a)
                   if a[tid] != b.get(tid)}
        if changed:
            wrong.append((suffix, "names", changed))
        if keeps_events and timed(there) != timed(back):
            gone = set(timed(there)) ^ set(timed(back))
            wrong.append((suffix, "events", sorted(gone)[:4]))
    return tap.ok(not wrong, f"trace {number} of seed {seed}", "\n".join(map(str, wrong[:6])))


with tempfile.TemporaryDirectory() as temporary:
    base = int(os.environ.get("SEED", "1"))
    for i in range(TRACES):
        judge(temporary, i, base + i)
tap.done()
