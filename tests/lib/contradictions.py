# SPDX-License-Identifier: GPL-2.0-only
"""Faults that a trace of a made-up machine can have: events that are missing, wrong, double, or in another order."""

ASLEEP = ("sleep", "blocked", "stopped")


def kinds(machine, *names):
    """The numbers of events of these kinds."""
    return [i for i, event in enumerate(machine.events) if event[2] in names]


def concerns(event, tid):
    _, _, what, a = event
    return tid in ((a["prev"], a["next"]) if what == "switch" else (a["thread"],))


def keep(machine, wanted):
    machine.events = [event for event in machine.events if wanted(event)]


def drop_some(machine, rng, share, *names):
    keep(machine, lambda event: event[2] not in names or rng.random() >= share)


def drop_one(machine, rng, *names):
    found = kinds(machine, *names)
    if found:
        del machine.events[rng.choice(found)]


def change(machine, rng, which, edit):
    """Changes one of the switches or wakeups that the condition holds for."""
    found = [i for i, (_, _, what, a) in enumerate(machine.events) if which(what, a)]
    if found:
        i = rng.choice(found)
        time, cpu, what, a = machine.events[i]
        machine.events[i] = time, cpu, what, edit(dict(a))


def other(machine, rng, *tids):
    return rng.choice([tid for tid in machine.tids if tid not in tids] or machine.tids)


def no_switches(machine, rng):
    keep(machine, lambda event: event[2] != "switch")


def no_wakeups(machine, rng):
    keep(machine, lambda event: event[2] == "switch")


def one_switch(machine, rng):
    drop_one(machine, rng, "switch")


def some_switches(machine, rng):
    drop_some(machine, rng, 0.1, "switch")


def filter_of(machine, rng, *ends):
    tid = rng.choice(machine.tids)
    keep(machine, lambda event: event[2] != "switch" or tid in [event[3][end] for end in ends])


def filter_to(machine, rng):
    filter_of(machine, rng, "next")


def filter_from(machine, rng):
    filter_of(machine, rng, "prev")


def filter_thread(machine, rng):
    filter_of(machine, rng, "prev", "next")


def hidden_thread(machine, rng):
    """As machines that hide processes do: no switch from or to it, no wakeup of it."""
    tid = rng.choice(machine.tids)
    keep(machine, lambda event: not concerns(event, tid))


def no_switches_of_cpu(machine, rng):
    cpu = rng.randrange(len(machine.cpus))
    keep(machine, lambda event: event[2] != "switch" or event[1] != cpu)


def one_cpu(machine, rng):
    cpu = rng.randrange(len(machine.cpus))
    keep(machine, lambda event: event[1] == cpu)


def span(machine, rng):
    begin = rng.randrange(machine.events[0][0], machine.end)
    return begin, begin + rng.randrange(1, 2_000_000)


def gap(machine, rng):
    """Nothing reports the loss."""
    cpu, (begin, end) = rng.randrange(len(machine.cpus)), span(machine, rng)
    keep(machine, lambda event: event[1] != cpu or not begin <= event[0] < end)


def gap_of_all(machine, rng):
    begin, end = span(machine, rng)
    keep(machine, lambda event: not begin <= event[0] < end)


def cpu_stops(machine, rng):
    cpu, (begin, _) = rng.randrange(len(machine.cpus)), span(machine, rng)
    keep(machine, lambda event: event[1] != cpu or event[0] < begin)


def some_wakeups(machine, rng):
    drop_some(machine, rng, 0.2, "wakeup")


def some_migrations(machine, rng):
    drop_some(machine, rng, 0.5, "migrate")


def no_migrations(machine, rng):
    keep(machine, lambda event: event[2] != "migrate")


def twice(machine, rng):
    i = rng.randrange(len(machine.events))
    machine.events.insert(i, machine.events[i])


def twice_later(machine, rng):
    i = rng.randrange(len(machine.events))
    time, cpu, what, a = machine.events[i]
    time += rng.randrange(1, 1_000_000)
    machine.events.append((time, cpu, what, a))
    machine.events.sort(key=lambda event: event[0])


def swapped(machine, rng):
    """Two events of a CPU that follow each other have each other's time, as of a clock that goes back."""
    cpu = rng.randrange(len(machine.cpus))
    own = [i for i, event in enumerate(machine.events) if event[1] == cpu]
    if len(own) > 1:
        at = rng.randrange(len(own) - 1)
        i, k = own[at], own[at + 1]
        first, second = machine.events[i], machine.events[k]
        machine.events[i], machine.events[k] = (first[0], *second[1:]), (second[0], *first[1:])


def asleep_as_ready(machine, rng):
    change(machine, rng, lambda what, a: what == "switch" and a["letter"] in ASLEEP,
           lambda a: dict(a, letter="runnable"))


def ready_as_asleep(machine, rng):
    change(machine, rng, lambda what, a: what == "switch" and a["letter"] in ("runnable", "preempted") and a["prev"],
           lambda a: dict(a, letter=rng.choice(ASLEEP)))


def undead(machine, rng):
    change(machine, rng, lambda what, a: what == "switch" and a["letter"] != "dead" and a["prev"],
           lambda a: dict(a, letter="dead"))


def unborn(machine, rng):
    """An id is used again, and nothing says so."""
    for i in kinds(machine, "wakeup"):
        time, cpu, what, a = machine.events[i]
        machine.events[i] = time, cpu, what, dict(a, new=False)


def wrong_waker(machine, rng):
    change(machine, rng, lambda what, a: what == "wakeup", lambda a: dict(a, waker=other(machine, rng, a["waker"])))


def wrong_outgoing(machine, rng):
    change(machine, rng, lambda what, a: what == "switch",
           lambda a: dict(a, prev=other(machine, rng, a["prev"], a["next"])))


def wrong_incoming(machine, rng):
    change(machine, rng, lambda what, a: what == "switch",
           lambda a: dict(a, next=other(machine, rng, a["prev"], a["next"])))


FAULTS = (no_switches, no_wakeups, one_switch, some_switches, filter_to, filter_from, filter_thread, hidden_thread,
          no_switches_of_cpu, one_cpu, gap, gap_of_all, cpu_stops, some_wakeups, some_migrations, no_migrations, twice,
          twice_later, swapped, asleep_as_ready, ready_as_asleep, undead, unborn, wrong_waker, wrong_outgoing,
          wrong_incoming)

# What events remain, and what is known, leaves no doubt: nothing at all may be claimed that is not so.
EXACT = (no_switches, no_wakeups, one_switch, twice, asleep_as_ready, undead, unborn, wrong_waker)


def text(machine):
    """The trace as the kernel prints it, with the thread that ran at each event."""
    letters = {"sleep": "S", "blocked": "D", "stopped": "T", "dead": "X", "runnable": "R", "preempted": "R+"}
    lines = ["# tracer: nop"]
    # What ran in truth when an event came.
    ran = sorted((since, until, cpu, thread.tid if thread else 0) for cpu, thread, since, until in machine.busy)

    def current(cpu, time):
        return next((tid for since, until, c, tid in ran if c == cpu and since <= time < until), 0)

    for time, cpu, what, a in machine.events:
        if what == "switch":
            tid = a["prev"]
            fields = (f"prev_comm=t{tid} prev_pid={tid} prev_prio=120 prev_state={letters[a['letter']]} ==> "
                      f"next_comm=t{a['next']} next_pid={a['next']} next_prio=120")
            name = "sched_switch"
        elif what == "wakeup":
            tid = a["waker"]
            fields = f"comm=t{a['thread']} pid={a['thread']} prio=120 target_cpu={a['target']:03}"
            name = "sched_wakeup_new" if a.get("new") else "sched_waking"
        elif what == "migrate":
            tid = current(cpu, time)
            fields = f"comm=t{a['thread']} pid={a['thread']} prio=120 orig_cpu={a['frm']} dest_cpu={a['to']}"
            name = "sched_migrate_task"
        elif what == "irq":
            tid, fields, name = current(cpu, time), "irq=9 name=disk", "irq_handler_entry"
        else:
            tid, fields, name = current(cpu, time), "NR 0 (3, 0, 0, 0, 0, 0)", "sys_enter"
        lines.append(f"{f't{tid}-{tid}':>16} [{cpu:03}] d..2. {time // 10**9}.{time % 10**9:09}: {name}: {fields}")
    return "\n".join(lines) + "\n"
