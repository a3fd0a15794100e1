# SPDX-License-Identifier: GPL-2.0-only
"""Traces made up at random by a seeded generator, and their events as dump tells them."""
import re

import tap
from fxtmake import (ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, COUNTER, END, File, INSTANT, MIGRATIONS,
                     Unsigned)

START = 1_000_000_000_000
STATES = ((1, None), (1, "R+"), (2, None), (2, "t"), (3, None), (3, "D"), (3, "P"), (3, "I"),
          (4, None), (5, None))
CONTEXTS = (None, None, "softirq", "hardirq", "nmi", "softirq timer", "hardirq timer")
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
                   r".*?ticks=(\d+).*?thread=(\d+)(?:.*? end_ticks=(\d+))?")


def timed(path):
    """Kinds, times, threads, ends and names of all events, as dump tells them."""
    lines = tap.run([tap.FXTREC, "dump", path]).stdout.splitlines()
    found = []
    for line in lines:
        m = EVENT.search(line)
        if m:
            name = re.search(r' name="((?:[^"\\]|\\.)*)"', line)
            found.append(m.groups("") + (name.group(1) if name else "",))
    return sorted(found)


class Long(File):
    """A file of many records."""

    def __init__(self):
        super().__init__()
        self.data = bytearray(self.data)


def jobs_of(rng, load, until):
    """When a thread's work arrives, and how long each takes."""
    tid, period, work, noise, lasting = load
    time, drift, found = rng.random() * period, 0.0, []
    while time < until:
        drift = 0.98 * drift + 0.2 * rng.gauss(0, 1)
        factor = 1 + noise * rng.gauss(0, 1) + lasting * drift
        # Now and then something comes between, which takes time of its own.
        factor += rng.expovariate(1) if rng.random() < 0.02 else 0
        found.append((int(time), tid, max(int(work * factor), 1000)))
        time += period * (1 + rng.gauss(0, 0.002))
    return found


def mark(f, complete, begin, end, tid):
    """A duration, in one event or in two, around one of another name."""
    if complete:
        f.event(COMPLETE, begin, tid, tid, "user", "step", (), end)
        return
    f.event(BEGIN, begin, tid, tid, "user", "step")
    f.event(BEGIN, begin + 1, tid, tid, "syscalls", "read")
    f.event(END, begin + 2, tid, tid, "syscalls", "read")
    f.event(END, end, tid, tid, "", "")


def periodic(rng, loads, seconds=10, sleep=None):
    """
    A CPU whose threads (name: tid, period, work in ns, noise of each, and what lasts) run one after the other.
    Work of the first is also a duration "step".  sleep(tid) gives the state of a sleep, and the reason's arguments.
    """
    f = Long().provider(1, "fxtrec").event(INSTANT, START - 200, 0, 0, "fxtrec", "host", [("machine", "x86_64")]).named(0, 0, "swapper", leader=True)
    for name, load in loads.items():
        f.named(load[0], load[0], name, START - 100, leader=True)
    f.cpu(0)
    jobs = sorted(job for load in loads.values() for job in jobs_of(rng, load, seconds * 10 ** 9))
    marked = next(iter(loads.values()))[0]
    events, free, current = [], 0, 0
    for arrival, tid, work in jobs:
        events.append((arrival, 0, tid))
        if arrival > free and current:
            events.append((free, 1, current, 0))
            current = 0
        start = max(arrival + 3000 + int(rng.expovariate(1) * 1000), free)
        events.append((start, 1, current, tid))
        free, current = start + work, tid
        if tid == marked:
            mark(f, len(events) % 2, START + start, START + free, tid)
    for event in sorted(events, key=lambda e: e[:2]):
        if event[1] == 0:
            f.wakeup(START + event[0], 0, event[2], 120)
        elif event[2] != event[3]:
            state, why = (1, ()) if not event[2] else sleep(event[2]) if sleep else (3, ())
            f.switch(START + event[0], 0, event[2], 120, state, event[3], 120, why=why)
    return f.data
