# SPDX-License-Identifier: GPL-2.0-only
"""Compares a recording with what ftrace saw over the same time, and with itself."""
import bisect
import statistics
from collections import defaultdict, namedtuple

from fxt import Loss, Migration, Switch, Wakeup

# An event that was lost, and told of, in its place.
Missed = namedtuple("Missed", "")

NEAR_NS = 100000000
SIGNATURE = 300
RENAME_NS = 1000000
# Of a thread with more names than these some may be left out (Documentation/ring.rst, "Renames").
SELDOM_RENAMED = 32


class Difference(Exception):
    pass


def nearest(places, theirs, times):
    """
    Of places in theirs that fit, the one nearest in time to events of these times, or None.  The
    clocks are read a moment apart, and loads repeat themselves.  A virtual CPU may stand still
    between two readings, for many repetitions, but not between most.
    """
    def apart(j):
        return statistics.median(abs(e[0] - ns) for e, ns in zip(theirs[j:j + len(times)], times))

    return min(places, key=apart, default=None)


def alike(first, theirs, places):
    """Of places in theirs those where all of our first events are, and how far they are at the best one, with that."""
    whole, best = [], (0, None)
    for j in places:
        if not same(first[0], theirs[j][1]):
            continue
        pairs = list(zip(first, theirs[j:j + len(first)]))
        equal = next((i for i, (a, b) in enumerate(pairs) if not same(a, b[1])), len(pairs))
        if equal == len(pairs):
            whole.append(j)
        best = max(best, (equal, j))
    return whole, best


def place(ours, theirs, times):
    """
    Index in theirs of our first event: where most of what follows is the same.  It is looked for near in time, and
    where it isn't there, anywhere: of many CPUs that take turns one may stand still for long.
    """
    first = [e for _, e in ours]
    begin, end = (bisect.bisect_left(theirs, times[0] + by, key=lambda e: e[0]) for by in (-NEAR_NS, NEAR_NS))
    places, best = alike(first, theirs, range(begin, end))
    if not places:
        places, anywhere = alike(first, theirs, range(len(theirs)))
        best = best if best[0] else anywhere
    if best[1] is None:
        raise Difference(f"our first events, at {times[0]} ns, are not in ftrace's: {first[:3]}")
    return nearest(places, theirs, times) if places else best[1]


def before_switch(ours, theirs):
    """
    Theirs from our first event on, where ours have no switch yet and both go on with the same one.  settled() puts a
    thread's waking of itself behind what came later: what is of ours is decided by the time.
    """
    matched, at = [], len(theirs)
    for ticks, event in reversed(ours):
        at = next((j for j in range(at - 1, -1, -1) if same(event, theirs[j][1])), -1)
        if at < 0 or any(isinstance(e[1], Switch) for e in theirs[at:]):
            raise Difference(f"before the first switch, at {ticks}: {event} is not in ftrace's {theirs[-len(ours):]}")
        matched.append(at)
    if not ours:
        return []
    first = min(theirs[j][0] for j in matched)
    begin = next((j + 1 for j in range(at - 1, -1, -1) if isinstance(theirs[j][1], Switch)), 0)
    return [e for j, e in enumerate(theirs[begin:], begin) if j in matched or e[0] > first]


def align(ours, theirs, ns_of):
    """Theirs from our first event on."""
    switch = next((i for i, (_, e) in enumerate(ours) if isinstance(e, Switch)), 0)
    signature = ours[switch:switch + SIGNATURE]
    at = place(signature, theirs, [ns_of(ticks) for ticks, _ in signature])
    return before_switch(ours[:switch], theirs[:at]) + theirs[at:]


def of_itself(event):
    return isinstance(event, Wakeup) and event.waker == event.pid


def settled(events):
    """
    A CPU's events in an order that all recorders agree upon.  A thread that wakes itself
    does so with interrupts on: what they wake comes before that or after it, as they
    interrupt one recorder's probe or another's, so it goes behind all wakeups that it is
    among.  Where they interrupt an eBPF program, theirs is lost as "nested".
    """
    kept, own = [], []
    for event in events:
        if of_itself(event[1]):
            own.append(event)
        elif isinstance(event[1], Loss) and event[1].cause == "nested":
            kept += [(event[0], Missed())] * event[1].records
        else:
            if isinstance(event[1], Switch):
                kept += own
                own = []
            kept.append(event)
    return kept + own


def end_settled(ours, theirs, i, at):
    """
    Puts a thread's waking of itself where ours have it, which is event i: with no switch behind it in ours, in theirs
    it may be behind what came later, after our last event.
    """
    if not of_itself(ours[i][1]):
        return
    end = next((j for j in range(at, len(theirs)) if isinstance(theirs[j][1], Switch)), len(theirs))
    for j in range(at, end):
        if same(ours[i][1], theirs[j][1]) and all(e[0] > theirs[j][0] for e in theirs[at:j]):
            theirs.insert(at, theirs.pop(j))
            return


def from_idle(event):
    """What an idle thread itself does: it gives its CPU away, and seldom wakes one of the kernel's before."""
    return isinstance(event, Switch) and event.prev == 0 or \
        isinstance(event, Wakeup) and event.waker == 0 and event.context == "task"


def without(events, belongs):
    return [e for e in events if not belongs(e[1])]


def process_one(recording):
    return {tid for tid, process in recording.process_of.items() if process == 1}


class Newborn:
    """
    Threads before they have a name: process 1 has made them, out of sight of
    eBPF, and they have not yet become another program, or never do.  A thread
    that ftrace shows another to have made has lost its name.  Takes nanoseconds.
    """

    def __init__(self, recording, theirs):
        hidden = process_one(recording)
        self.born = {e.pid for events in theirs.values() for _, e, *_ in events
                     if isinstance(e, Wakeup) and e.event == "sched_wakeup_new" and e.waker not in hidden}
        self.named = {tid: recording.monotonic(min(since for since, _ in names))
                      for tid, names in recording.names.items()}
        self.inherited = {name for tid in hidden for _, name in recording.names.get(tid, ())}

    def inherits(self, ns, tid, shown):
        """Whether ftrace shows one by the name of the thread of process 1 that made it."""
        return self.is_one(ns, tid) and shown in self.inherited

    def is_one(self, ns, tid):
        return tid != 0 and tid not in self.born and ns < self.named.get(tid, float("inf"))

    def belongs(self, ns, event):
        """Whether an event is a switch away from one, or a wakeup by one."""
        return isinstance(event, Switch) and self.is_one(ns, event.prev) or \
            isinstance(event, Wakeup) and self.is_one(ns, event.waker)


def untraced(recording, theirs):
    """The threads whose switches away may be missing, or are not compared."""
    newborn = Newborn(recording, theirs)
    return process_one(recording) | \
        {tid for events in recording.events.values() for ticks, e in events if isinstance(e, Switch)
         for tid in (e.prev, e.next) if newborn.is_one(recording.monotonic(ticks), tid)}


def sleeps(recording):
    """When each thread gave its CPU away to sleep: {tid: ticks, in order}."""
    slept = defaultdict(list)
    for events in recording.events.values():
        for ticks, e in events:
            if isinstance(e, Switch) and not e.state.startswith("R"):
                slept[e.prev].append(ticks)
    for times in slept.values():
        times.sort()
    return slept


class Names:
    """The name of a thread at a time, by the kernel object records."""

    def __init__(self, recording):
        # A recorder that lost something names all threads again in the end, with the same times.
        self.of = {tid: sorted(dict.fromkeys(names), key=lambda n: n[0])
                   for tid, names in recording.names.items()}
        self.recording = recording
        self.slept = sleeps(recording)
        left_out = any(loss.cause == "renamed again" for loss in recording.losses)
        self.incomplete = {tid for tid, names in self.of.items() if left_out and len(names) > SELDOM_RENAMED}

    def awake_since(self, tid, then, ticks):
        """Whether it didn't sleep in between; at the end of it at most."""
        slept = self.slept[tid]
        return bisect.bisect_right(slept, then) == bisect.bisect_left(slept, ticks)

    def at(self, tid, cpu, ticks):
        """
        All names that it may have had then: a rename is recorded before it is done, and
        one that renames itself may be interrupted and lose its CPU in between, but doesn't sleep.
        """
        if tid == 0:
            return {f"swapper/{cpu}"}
        names = self.of.get(tid)
        if not names:
            return set()
        near = RENAME_NS * self.recording.rates[1] // 10 ** 9
        i = max(bisect.bisect_right(names, ticks, key=lambda n: n[0]) - 1, 0)
        before = {names[i - 1][1]} if i and self.awake_since(tid, names[i][0], ticks) else set()
        return before | {names[i][1]} | {a[1] for a, b in zip(names, names[1:]) if abs(b[0] - ticks) < near} \
            | {b[1] for b in names if abs(b[0] - ticks) < near}


def printed(text):
    """A name as the recording holds it: what is not UTF-8 is replaced."""
    raw = text.encode(errors="surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def same(event, other):
    """
    Equal, but for what each probe reads for itself, a moment after the other: a
    dead task's exit state, which its parent may have turned from Z into X, and
    the CPU of a queued thread, which another CPU may have moved.  A wakeup that
    was missed may be any.
    """
    if event == other:
        return True
    if Missed() in (event, other):
        return isinstance(event, Wakeup) or isinstance(other, Wakeup)
    if isinstance(event, Switch) and isinstance(other, Switch):
        return {event.state, other.state} == {"X", "Z"} and \
            event._replace(state=other.state) == other
    return isinstance(event, Wakeup) and isinstance(other, Wakeup) and \
        event._replace(target=other.target) == other


def same_but_for_exec(recording, event, other):
    """
    The same switch, but for the id of a thread that ends: another one of its process runs a program and takes
    over the first thread's id, in exchange for its own, between the two probes.
    """
    if not isinstance(event, Switch) or not isinstance(other, Switch) or event.state not in ("X", "Z"):
        return False
    process_of = recording.process_of.get
    return (process_of(event.prev) == other.prev or process_of(other.prev) == event.prev) and \
        same(event, other._replace(prev=event.prev))


def too_many(inexact, count):
    """Such a moment is rare; more would be a fault."""
    return inexact > 10 + count // 10000


def comparable(recording, ours, theirs, cpu):
    """
    Both without what only one of them can see on the kernel that runs here:
    ftrace shows nothing that the idle thread of one CPU does, not one switch away from it; eBPF programs don't
    run in the threads of process 1; and ftrace hides some events of threads
    that process 1 has just made.  Theirs by CPU, of which it takes one.  Says what
    was left out.
    """
    hidden, newborn = process_one(recording), Newborn(recording, theirs)
    theirs, notes = theirs.get(cpu, []), []

    def note(before, after, other, what):
        if len(after) < len(before):
            notes.append(f"cpu {cpu}: {what}: {len(before) - len(after)} {other}: not compared")

    def from_init(event):
        return isinstance(event, Wakeup) and event.waker in hidden or \
            isinstance(event, Migration) and event.by in hidden

    if len(without(theirs, from_idle)) == len(theirs):
        kept = without(ours, from_idle)
        note(ours, kept, "recorded, none in ftrace", "events of the idle thread")
        ours = kept
    if len(without(ours, from_init)) == len(ours):
        kept = without(theirs, from_init)
        note(theirs, kept, "in ftrace, none recorded", "wakeups and migrations by threads of process 1")
        theirs = kept
    kept = [e for e in ours if not newborn.belongs(recording.monotonic(e[0]), e[1])]
    note(ours, kept, "recorded", "events of threads that process 1 has just made")
    return kept, [e for e in theirs if not newborn.belongs(e[0], e[1])], notes


class Unrecorded:
    """
    Wakeups that the file reports as lost without their CPU, as no ring could count them: what
    an interrupt wakes inside an eBPF program (Documentation/ring.rst).  So many may be left out
    where only they are missing, and no more over all CPUs.
    """

    def __init__(self, recording):
        self.left = recording.unrecorded

    def skip(self, event, theirs, at):
        """How many of theirs to leave out before event."""
        count = 0
        while count < self.left and at + count + 1 < len(theirs) and not same(event, theirs[at + count][1]) and \
                isinstance(theirs[at + count][1], Wakeup):
            count += 1
        if not count or not same(event, theirs[at + count][1]):
            return 0
        self.left -= count
        return count


def compare(recording, theirs, cpu, quirks=False, names=None, unrecorded=None):
    """
    Raises Difference unless the CPU's events are ftrace's, in order and whole.
    Returns (events compared, notes of what had to be left out).
    """
    ours, others, notes = recording.events[cpu], theirs.get(cpu, []), []
    newborn = Newborn(recording, theirs) if quirks else None
    if quirks:
        ours, others, notes = comparable(recording, ours, theirs, cpu)
    ours, theirs = settled(ours), settled(others)
    if any(isinstance(e, Loss) for _, e in ours):
        raise Difference(f"cpu {cpu}: the recording lost events")
    if not ours:
        return 0, notes
    theirs, start, inexact = align(ours, theirs, recording.monotonic), 0, 0
    if len(theirs) < len(ours):
        raise Difference(f"cpu {cpu}: {len(ours)} events, ftrace has {len(theirs)} left")
    for i, (ticks, event) in enumerate(ours):
        end_settled(ours, theirs, i, start + i)
        start += unrecorded.skip(event, theirs, start + i) if unrecorded else 0
        if start + i >= len(theirs):
            raise Difference(f"cpu {cpu}: event {i} of {len(ours)} and all behind it are not in ftrace's")
        ns, other, comm, next_comm = theirs[start + i]
        inexact += event != other
        if not same(event, other) and not same_but_for_exec(recording, event, other):
            raise Difference(f"cpu {cpu}: event {i} of {len(ours)} at {ticks} is {event}, "
                             f"ftrace's at {ns} is {other}")
        if names and not isinstance(event, Missed):
            compare_names(names, cpu, ticks, event, comm, next_comm, newborn)
    if inexact:
        notes.append(f"cpu {cpu}: {inexact} states or targets changed between the two probes")
    if too_many(inexact, len(ours)):
        raise Difference(f"cpu {cpu}: {inexact} of {len(ours)} states or targets differ")
    return len(ours), notes


def named(shown, names):
    """ftrace reads a name that another CPU may be writing just then: the new one's first bytes, the old one's last."""
    return shown in names or any(shown == new[:at] + old[at:] for new in names for old in names
                                 for at in range(1, len(shown)))


def within(ours, others, what):
    """
    Our events are the others' from some place on; returns (compared, what is not so or None).  A machine
    that hides events hides few migrations from ftrace.
    """
    ours, others = settled(ours), settled(others)
    others, at, hidden = align(ours, others, lambda ns: ns), 0, 0
    for i, (ticks, event) in enumerate(ours):
        end_settled(ours, others, i, at)
        if at < len(others) and same(event, others[at][1]):
            at += 1
            continue
        hidden += isinstance(event, Migration)
        if not isinstance(event, Migration) or too_many(hidden, len(ours)):
            return i, f"event {i} of {len(ours)} at {ticks} is {event}, {what} has {others[at:at + 1]}"
    return len(ours), None


def compare_names(names, cpu, ticks, event, comm, next_comm, newborn=None):
    pairs = [(event.prev, comm), (event.next, next_comm)] if isinstance(event, Switch) \
        else [(event.pid, comm)]
    for tid, shown in pairs:
        if newborn and newborn.inherits(names.recording.monotonic(ticks), tid, shown):
            continue
        wanted = printed(shown)
        if wanted is not None and tid not in names.incomplete and not named(wanted, names.at(tid, cpu, ticks)):
            raise Difference(f"cpu {cpu}: at {ticks} thread {tid} is {names.at(tid, cpu, ticks)}, ftrace says {wanted!r}, "
                             f"of {event}; its names: {names.of.get(tid, [])[:5]}; it slept: {names.slept[tid][:5]}")


def took_over(recording, came_in, goes_out, state):
    """
    Whether a thread that came in goes out by another id: one that runs a program takes over the id of its
    process's first thread, which ends by the other's.
    """
    process_of = recording.process_of.get
    return process_of(came_in) == goes_out or state in ("X", "Z") and process_of(goes_out) == came_in


def other_ids(recording, untraced=frozenset()):
    """Switches of another outgoing thread than the incoming one of the switch before: cpu, ticks, that one, the switch."""
    for cpu, events in recording.events.items():
        current = None
        for ticks, e in events:
            if isinstance(e, Loss):
                current = None
            elif isinstance(e, Switch):
                if current not in (None, e.prev) and current not in untraced:
                    yield cpu, ticks, current, e
                # A thread that a filter leaves out may leave its CPU in a switch that is not recorded.
                current = None if e.unchosen in ("incoming", "both") else e.next


def chain_breaks(recording, untraced=frozenset()):
    """Those where nothing was lost in between, and no id taken over: [(cpu, ticks, came in, goes out)]."""
    return [(cpu, ticks, came_in, e.prev) for cpu, ticks, came_in, e in other_ids(recording, untraced)
            if not took_over(recording, came_in, e.prev, e.state)]


def backward(recording):
    """Events that come before the one before them on their CPU."""
    return [(cpu, a[0], b[0]) for cpu, events in recording.events.items()
            for a, b in zip(events, events[1:]) if b[0] < a[0]]
