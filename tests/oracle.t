#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The comparison with ftrace itself: what it passes is the same, whatever else the two recorders saw; a fault fails it."""
import os
import random
import sys
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import oracle
import overflow
import tap
from fxt import Loss, Migration, Switch, Wakeup

EVENTS, ROUNDS, OFFSET = 700, 40, 25
TIDS = range(100, 140)

Recording = namedtuple("Recording", "events process_of names losses unrecorded rates monotonic")


def recording(events):
    """Of one CPU.  Its clock is read a moment apart from ftrace's."""
    return Recording({0: events}, {}, {}, [], 0, {1: 10**9}, lambda ticks: ticks + OFFSET)


def made(rand):
    """A CPU's events, each with its time: threads that wake others, and some themselves, move others, and switch."""
    events, ns, runs = [], 10**9, rand.choice(TIDS)
    while len(events) < EVENTS:
        ns += rand.randint(1, 20000)
        what = rand.random()
        if what < 0.5:
            to = rand.choice([tid for tid in TIDS if tid != runs])
            events.append((ns, Switch(runs, 120, rand.choice(("S", "R", "D")), to, 120)))
            runs = to
        elif what < 0.8:
            events.append((ns, Wakeup("sched_waking", rand.choice(TIDS), 120, 0, runs)))
        elif what < 0.9:
            events.append((ns, Wakeup("sched_waking", runs, 120, 0, runs)))
        else:
            events.append((ns, Migration(rand.choice(TIDS), 120, 0, 1)))
    return events


def theirs(events):
    return {0: [(ns + OFFSET, event, "", "") for ns, event in events]}


def judged(ours, events):
    """What the comparison says: None where the two are the same."""
    try:
        compared, _ = oracle.compare(recording(ours), theirs(events), 0)
    except oracle.Difference as difference:
        return str(difference)
    return None if compared == len(ours) else f"compared {compared} of {len(ours)}"


def moved_own(rand, events):
    """The same with each waking of a thread by itself elsewhere among the wakeups around it, as one recorder may see it."""
    events = list(events)
    for i, (ns, event) in enumerate(events):
        if oracle.of_itself(event) and i + 1 < len(events) and rand.random() < 0.5 and \
                isinstance(events[i + 1][1], Wakeup):
            events[i], events[i + 1] = (ns, events[i + 1][1]), (events[i + 1][0], event)
    return events


def damaged(rand, events):
    """One fault, with its name; not in what may be anywhere, nor at the ends."""
    at = rand.choice([i for i in range(400, 600) if isinstance(events[i][1], (Switch, Migration))])
    ns, event = events[at]
    one = event._replace(prio=99) if isinstance(event, Migration) else event._replace(next_prio=99)
    return {
        "a field": events[:at] + [(ns, one)] + events[at + 1:],
        "one is missing": events[:at] + events[at + 1:],
        "one is there twice": events[:at] + [(ns, event)] + events[at:],
        "one is of another thread": events[:at] + [(ns, event._replace(**{event._fields[0]: 7}))] + events[at + 1:],
    }


rand = random.Random(int(os.environ.get("FXT_SEED", "1")))
wrong, missed = [], {}
for number in range(ROUNDS):
    events = made(rand)
    begin = rand.randint(0, 60)
    for what, ours in (("from", events[begin:]), ("moved, from", moved_own(rand, events[begin:])), ("up to", events[begin:-50])):
        said = judged(ours, events)
        if said:
            wrong.append((number, what, begin, said))
    for what, ours in damaged(rand, events).items():
        if not judged(ours[begin:], events):
            missed.setdefault(what, []).append(number)
tap.ok(not wrong, f"{ROUNDS} recordings from any event on are what ftrace saw, also where wakings of threads by themselves moved",
       wrong[:3])
tap.ok(not missed, f"each of {4 * ROUNDS} faults in the middle is found", missed)
early = [(1000, Switch(1, 120, "S", 2, 120)), (2000, Wakeup("sched_waking", 2, 120, 0, 2)),
         (3000, Wakeup("sched_waking", 3, 120, 0, 2)), (4000, Switch(2, 120, "S", 3, 120)), (5000, Switch(3, 120, "R", 1, 120))]
tap.ok(not judged(early[2:], early), "a thread's waking of itself from before the first event isn't missing",
       judged(early[2:], early))
tap.ok(judged(early[1:2] + early[3:], early), "another thread's wakeup behind the first event is")
tap.ok(judged([(3000, Wakeup("sched_waking", 9, 120, 0, 2)), *early[3:]], early), "so is one that ftrace doesn't have")
# Up to a waking of itself, behind which ftrace goes on.
late = [*made(rand)[:400], (2 * 10**9, Switch(150, 120, "S", 151, 120)), (2 * 10**9 + 1, Wakeup("sched_waking", 152, 120, 0, 151)),
        (2 * 10**9 + 2, Wakeup("sched_waking", 151, 120, 0, 151))]
more = [(2 * 10**9 + 3, Wakeup("sched_waking", 153, 120, 0, 151)), (2 * 10**9 + 4, Switch(151, 120, "S", 152, 120)),
        (2 * 10**9 + 5, Wakeup("sched_waking", 152, 120, 0, 152))]
tap.ok(not judged(late, late + more), "what ftrace has behind our last event isn't missing", judged(late, late + more))
tap.ok(judged(late[:-2] + late[-1:], late + more), "what it has before that is")
tap.ok(judged(late[:-1] + [(2 * 10**9 + 2, more[2][1])], late + more), "a waking of itself isn't one behind the next switch")
tap.ok(judged(late[:-1] + [(2 * 10**9 + 2, Wakeup("sched_waking", 151, 99, 0, 151)), *more[1:]], late + more),
       "nor one of other fields before a switch of ours")
tap.ok(judged(early, []), "without any event of ftrace's nothing is the same")


def walked(ours, events, hidden=0):
    """What the walk of a recording with losses says, or how many it counts as lost, and as hidden."""
    try:
        return overflow.judge_cpu(recording(ours), theirs(events)[0], 0, hidden)
    except oracle.Difference as difference:
        return str(difference)


def lossy(events, cuts):
    """The same with each cut's events lost."""
    ours, at = [], 0
    for begin, end in cuts:
        ours += events[at:begin]
        ours.append((events[end - 1][0], Loss(0, 0, "full", end - begin, events[max(begin - 1, 0)][0], events[end - 1][0], 0)))
        at = end
    return ours + events[at:]


events = [e for e in made(rand) if not oracle.of_itself(e[1])]
for what, cuts in (("in the middle", [(300, 350)]), ("twice", [(200, 210), (210, 230)]), ("at the beginning", [(0, 40)])):
    count, ours = sum(end - begin for begin, end in cuts), lossy(events, cuts)
    tap.ok(walked(ours, events) == (count, 0) == walked(ours, events, 3), f"lost {what}: {count} are counted", walked(ours, events))
tap.ok(isinstance(walked(lossy(events, [(0, 40)]), events[30:]), str), "at the beginning no more than ftrace saw")
ours = lossy(events, [(300, 350)])
ours[300] = (ours[300][0], ours[300][1]._replace(records=49))
tap.ok(isinstance(walked(ours, events), str) and isinstance(walked(ours, events, 3), str), "a loss of one too few is found")
ours = lossy(events, [(300, 350)])
moves = [i for i, (_, e) in enumerate(events) if isinstance(e, Migration)]
for what, i in (("in a gap", next(i for i in moves if 300 < i < 350)), ("recorded", next(i for i in moves if 400 < i))):
    lacking = events[:i] + events[i + 1:]
    tap.ok(walked(ours, lacking, 3) == (50, 1) and isinstance(walked(ours, lacking), str),
           f"a migration that ftrace lacks, {what}: allowed where a machine hides some", walked(ours, lacking, 3))
i = next(i for i, (_, e) in enumerate(events) if i > 400 and isinstance(e, Switch))
tap.ok(isinstance(walked(ours, events[:i] + events[i + 1:], 3), str), "a switch that ftrace lacks is found")
tap.ok(isinstance(walked(ours, [e for i, e in enumerate(events) if i not in range(310, 315)], 3), str),
       "so is a gap that is shorter by more")
ours = lossy(events, [(300, 301)])
tap.ok(isinstance(walked(ours[:301] + events[299:], events, 3), str), "so is an event that is there before a gap and behind it")
tap.done()
