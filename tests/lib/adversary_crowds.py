# SPDX-License-Identifier: GPL-2.0-only
"""Inputs of many threads that wait for one CPU: a function each, of a size in bytes."""
from adversary import MAGIC, argument, cpu, event, inputs, record, struct, switch, wakeup

FIRST = 100
TICK = 1000
# A wakeup and a switch.
BYTES = 56
SLEEPS, PREEMPTED = 2, 0
# The futex of a sleep is a lock, in its reason.
LOCKED = 0x200000


def left(time, number, before, after, state=PREEMPTED, priority=0):
    """A switch; of those that adversary.py makes, all leave a thread that sleeps."""
    return record(8 | number << 20 | state << 36 | 1 << 60, struct.pack("<QQQ", time, before, after))


def mark(kind, time, thread):
    return event(kind, time, thread, b"c", b"x")


def woken(count, time, number=0):
    """All at once, by one that runs."""
    return [wakeup(time + i, number, FIRST + i, FIRST - 1) for i in range(count)]


def rounds(count, time, turns, number=0, state=PREEMPTED):
    """They run by turns."""
    parts, before = [], FIRST - 1
    for i in range(turns * count):
        after = FIRST + i % count
        parts.append(left(time + i * TICK + i % 7, number, before, after, state))
        before = after
    return parts


def processes(count, each):
    """A process of so many threads each, in a control group of its own."""
    parts = []
    for i in range(count):
        args = [argument(8, b"process", struct.pack("<Q", 1000000 + i // each)),
                argument(4, b"since", struct.pack("<Q", 0))]
        parts.append(record(7 | 2 << 16 | 0x8004 << 24 | len(args) << 40,
                            struct.pack("<Q", FIRST + i) + b"bomb\0\0\0\0" + b"".join(args)))
        if i % each == 0:
            group = b"/group/%d" % (i // each)
            args = [argument(6, b"cgroup", group + bytes(-len(group) % 8), 0x8000 | len(group))]
            parts.append(record(7 | 1 << 16 | 0x8004 << 24 | len(args) << 40,
                                struct.pack("<Q", 1000000 + i // each) + b"bomb\0\0\0\0" + b"".join(args)))
    return parts


def crowd(*parts):
    return MAGIC + cpu(0) + b"".join(b"".join(part) for part in parts)


def fxt_crowd_once(size):
    """All are woken at once, and run once."""
    count = size // (40 + 32)
    return crowd(woken(count, 10), rounds(count, 1 << 20, 1, state=SLEEPS))


def fxt_crowd_rounds(size):
    """They run by turns, and wait all the time."""
    count = size // (40 + 3 * 32)
    return crowd(woken(count, 10), rounds(count, 1 << 20, 3))


def fxt_crowd_twice(size):
    """Woken at once again, when all have run."""
    count = size // (2 * (40 + 32))
    return crowd(woken(count, 10), rounds(count, 1 << 20, 1, state=SLEEPS),
                 woken(count, 1 << 40), rounds(count, (1 << 40) + (1 << 20), 1, state=SLEEPS))


def fxt_crowd_processes(size):
    """In many processes and control groups."""
    count = size // (72 + 40 + 40 + 2 * 32)
    return crowd(processes(count, 8), woken(count, 10), rounds(count, 1 << 20, 2))


def fxt_crowd_marks(size):
    """Each has a mark from its wakeup to its first switch away; so has each turn."""
    count = size // (2 * 40 + 40 + 2 * 32)
    wakeups = woken(count, 10)
    begins = [mark(2, 10 + count, FIRST + i) for i in range(count)]
    turns = rounds(count, 1 << 20, 2)
    for i in range(count):
        turns[count + i] += mark(3, (1 << 20) + (count + i) * TICK + i % 7, FIRST + i)
    return crowd(wakeups, begins, turns)


def fxt_crowd_forks(size):
    """A thread that runs now and then wakes ever more of them, which run by turns."""
    count = size // (40 + 2 * 32)
    parts, before, time = [], FIRST - 1, 1000
    for i in range(count):
        parts.append(wakeup(time, 0, FIRST + i, FIRST - 1))
        for after in (FIRST + i // 2, FIRST - 1):
            parts.append(left(time + 100, 0, before, after))
            before, time = after, time + TICK
    return crowd(parts)


def moved(time, thread, here, there):
    """By the CPU that the thread comes to."""
    return cpu(there) + event(0, time, 0x41020000 + there, b"sched", b"sched_migrate_task", [
        argument(8, b"thread", struct.pack("<Q", thread)), argument(2, b"prio", high=120),
        argument(2, b"orig_cpu", high=here), argument(2, b"dest_cpu", high=there)])


def fxt_crowd_moved(size):
    """Half of them are moved to another CPU while they wait, and those that are left there back."""
    count = size // (40 + 32 + 300)
    parts = woken(count, 10) + rounds(count // 2, 1 << 20, 1, state=SLEEPS)
    time, first, before = (1 << 20) + count * TICK, count // 2, 0
    for here, there in ((0, 1), (1, 0)):
        for i in range(first, count):
            parts.append(moved(time, FIRST + i, here, there))
            time += 1
        parts.append(cpu(there))
        for i in range(first, first + count // 4):
            parts.append(left(time, there, before, FIRST + i, SLEEPS))
            before = FIRST + i
            time += TICK
        parts.append(left(time, there, before, 0, SLEEPS))
        first, before = first + count // 4, 0
    return crowd(parts)


def fxt_crowd_futexes(size):
    """Each sleep waits for a lock of its own, which another one of 64 threads has."""
    count = 64
    parts = processes(count, count)
    for i in range(size // (24 + 88)):
        why = [argument(2, b"reason", high=LOCKED | 1 << 16 | 202), argument(4, b"futex", struct.pack("<Q", 64 * i)),
               argument(2, b"holder", high=FIRST + (i + count // 2) % count)]
        before, after, time = FIRST + i % count, FIRST + (i + 1) % count, i * TICK
        parts += [wakeup(time, 0, after), record(8 | len(why) << 16 | 3 << 36 | 1 << 60,
                                                 struct.pack("<QQQ", time + 100, before, after) + b"".join(why))]
    return crowd(parts)


ALL = inputs(globals(), ())
