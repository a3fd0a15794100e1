# SPDX-License-Identifier: GPL-2.0-only
"""What another tool's own report says of its recording, and what fxtrec made of the same file, event by event."""
import collections
import json
import os
import re

import tap

LINE = re.compile(r"^\s*(?P<comm>.*?)[- ]+(?P<tid>-?\d+)\s+(?:\([ \d-]+\)\s+)?\[(?P<cpu>\d+)\].*?\s(?P<s>\d+)\.(?P<ns>\d{6,9}):\s+"
                  r"(?:[\w-]+:)?(?P<event>\w+):\s*(?P<fields>.*?)\s*$")
SCHED = ("sched_switch", "sched_waking", "sched_wakeup_new", "sched_migrate_task")
NAMES = ("task_rename", "task_newtask")
# System calls whose tracepoints have another name than their number.
RENAMED = {"newfstat": "fstat", "newfstatat": "newfstatat", "newstat": "stat", "newlstat": "lstat", "newuname": "uname",
           "sendfile64": "sendfile", "umount": "umount2"}
Event = collections.namedtuple("Event", "ns cpu tid event fields")


def report(text):
    """The events of perf script --ns -F comm,tid,cpu,time,event,trace, trace-cmd report -t -N, or ftrace's text."""
    found = []
    for line in text.splitlines():
        m = LINE.match(line)
        if m:
            found.append(Event(int(m["s"]) * 10**9 + int(m["ns"].ljust(9, "0")), int(m["cpu"]), int(m["tid"]), m["event"], m["fields"]))
    return sorted(found, key=lambda e: e.ns)


def field(event, name):
    m = re.search(rf"(?:^|[ (]){name}=(\S+)", event.fields)
    return m[1].rstrip(")") if m else None


# How kernels up to 4.13 print sched_switch.
OLD_FORMAT = (b'print fmt: "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", '
              b'REC->prev_comm, REC->prev_pid, REC->prev_prio, REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & '
              b'(1024-1), "|", { 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" }, { 64, "x" }, '
              b'{ 128, "K" }, { 256, "W" }, { 512, "P" }) : "R", REC->prev_state & 1024 ? "+" : "", '
              b'REC->next_comm, REC->next_pid, REC->next_prio')


def judge_old(what, path, folder, text):
    """The same file with that format: the numbers of states are those of its letters.  text: what the tool prints of a file."""
    old = os.path.join(folder, "old")
    with open(path, "rb") as f:
        data = f.read()
    data = re.sub(rb'print fmt: "prev_comm=%s prev_pid=[^\n]* next_comm=[^\n]*', lambda m: OLD_FORMAT.ljust(len(m[0])), data)
    with open(old, "wb") as f:
        f.write(data)
    tap.run([tap.FXTREC, "convert", old, "-o", old + ".txt"])
    with open(old + ".txt", encoding="utf-8", errors="replace") as f:
        mine = collections.Counter(re.findall(r": sched_switch: .* prev_state=(\S+) ==>", f.read()))
    theirs = collections.Counter()
    for state, first in re.findall(r": +sched_switch: .* prev_state=((\w)\S*) ==>", text(old).replace("sched:sched", " sched")):
        theirs[{"x": "X", "K": "D", "W": "D", "N": "D"}.get(first, state if state == "R+" else first)] += 1
    tap.ok(mine and mine == theirs and "I" not in mine and "R+" not in mine, f"{what} of a kernel before 4.14: states by its format",
           (mine, theirs))


def system_calls():
    with open(os.path.join(tap.TOP, "build", "syscalls.h"), encoding="ascii") as f:
        names = f.read().split("syscalls_compat")[0]
    return {int(number): name for number, name in re.findall(r'\[(\d+)\] = "(\w+)"', names)}


def slices(events):
    """Begins, and the ends that have one: (ns, "B" or "E", name)."""
    names, opened, found = system_calls(), {}, []
    for e in events:
        if e.event == "irq_handler_entry":
            key, name = (e.cpu, "irq"), field(e, "name")
        elif e.event == "softirq_entry":
            key, name = (e.cpu, "softirq"), re.search(r"action=(\w+)", e.fields)[1]
        elif e.event == "sys_enter":
            number = int(re.search(r"NR (-?\d+)", e.fields)[1])
            key, name = (e.tid, "call"), names.get(number, f"syscall {number}")
        elif e.event.startswith("sys_enter_"):
            key, name = (e.tid, "call"), RENAMED.get(e.event[10:], e.event[10:])
        elif e.event in ("irq_handler_exit", "softirq_exit") or e.event.startswith("sys_exit"):
            key = (e.tid, "call") if e.event.startswith("sys_exit") else (e.cpu, e.event.split("_")[0])
            if key in opened:
                found.append((e.ns, "E", opened.pop(key)))
            continue
        else:
            continue
        opened[key] = name
        found.append((e.ns, "B", name))
    return sorted(found)


def by_timers(events):
    """The wakeups in timers' callbacks: (ns, CPU).  Of the wheel, an interrupt during one may wake threads of its own."""
    running, found = {}, []
    for e in events:
        kind, _, edge = e.event.partition("_expire_")
        if kind in ("timer", "hrtimer"):
            running[e.cpu, kind] = e.tid if edge == "entry" else None
        elif e.event in ("irq_handler_entry", "irq_handler_exit"):
            running[e.cpu, "irq"] = e.tid if e.event.endswith("entry") else None
        elif e.event in ("sched_waking", "sched_wakeup_new"):
            if e.tid == running.get((e.cpu, "hrtimer")) or e.tid == running.get((e.cpu, "timer")) != running.get((e.cpu, "irq")):
                found.append((e.ns, e.cpu))
    return found


def timers_paired(events):
    """
    From when on callbacks are known to have ends: each CPU may have begun one of each kind while the ends' tracepoints were
    still off.
    """
    ends = [e.ns for e in events if e.event in ("timer_expire_exit", "hrtimer_expire_exit")]
    return ends[:2 * os.cpu_count()][-1] if ends else float("inf")


def text_timers(path):
    """The wakeups that ftrace's text, as fxtrec writes it, says to be timers': the same."""
    with open(path, encoding="utf-8", errors="replace") as f:
        marked = re.findall(r"^# fxtrec context=timer\n(.*)$", f.read(), re.M)
    return sorted((e.ns, e.cpu) for e in report("\n".join(marked)))


def lost(path):
    """Whether ftrace's text, as fxtrec writes it, tells of a loss of scheduling events."""
    with open(path, encoding="utf-8", errors="replace") as f:
        return re.search(r"^# fxtrec thread \d+ \d+ \d+ .* lost scheduling$", f.read(), re.M) is not None


def text_sched(path):
    """The scheduling events of ftrace's text, as that has them."""
    with open(path, encoding="utf-8", errors="replace") as f:
        return sorted((e.ns, e.cpu, e.event, e.fields) for e in report(f.read()) if e.event in SCHED)


def ours(path):
    """(slices, instants, counters) of JSON, as the functions here have them; and its thread names."""
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    ns = [round(e.get("ts", 0) * 1000) for e in events]
    # A call that ends with its thread has no result, and no event of its own.
    slices_ = sorted((t, e["ph"], e["name"]) for t, e in zip(ns, events)
                     if e["ph"] in "BE" and (e.get("cat") == "irq" or e.get("cat") == "syscalls" and
                                             (e["ph"] == "B" or "ret" in e.get("args", {}))))
    instants = sorted((t, e["name"]) for t, e in zip(ns, events) if e["ph"] in "iI" and
                      e.get("cat") not in ("fxtrec", "perf") and e["name"] not in SCHED + ("blocked",))
    counters = sorted((t, e["name"], e["args"]["state"]) for t, e in zip(ns, events)
                      if e["ph"] == "C" and e["name"] in ("cpu_idle", "cpu_frequency"))
    return slices_, instants, counters


def convert(source, folder, name, *options, **run):
    """Text and JSON of a file, for the above; NONE where that failed."""
    made = [os.path.join(folder, f"{name}.{suffix}") for suffix in ("txt", "json")]
    for path in made:
        done = tap.run([tap.FXTREC, "convert", source, "-o", path, *options], **run)
        if done.returncode:
            tap.note(done.stderr)
            return None
    return made


def differences(mine, theirs):
    """Some of what only one has."""
    a, b = collections.Counter(mine), collections.Counter(theirs)
    return [f"only ours: {x}" for x in list((a - b).elements())[:3]] + \
           [f"only theirs: {x}" for x in list((b - a).elements())[:3]]


def judge(what, made, reported):
    """All events of a report are in what was made of the same file, one by one, and no others."""
    if not tap.ok(made and reported, f"{what}: converted"):
        return
    sched = sorted((e.ns, e.cpu, e.event, e.fields) for e in reported if e.event in SCHED)
    slices_, instants, counters = ours(made[1])
    began = [e for e in slices_ if e[1] == "B"]
    known = SCHED + NAMES + ("irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit", "sys_enter",
                             "sys_exit", "cpu_idle", "cpu_frequency", "print")
    others = sorted((e.ns, e.event) for e in reported if e.event not in known and
                    not e.event.startswith(("sys_enter_", "sys_exit_")))
    states = sorted((e.ns, e.event, int(field(e, "state"))) for e in reported
                    if e.event in ("cpu_idle", "cpu_frequency"))
    # An idle state that is none is printed as the unsigned number.
    states = [(ns, name, state - 2**32 if name == "cpu_idle" and state >= 2**31 else state) for ns, name, state in states]
    mine = text_sched(made[0])
    tap.ok(sched and mine == sched, f"{what}: {len(sched)} switches, wakeups and migrations are the same",
           differences(mine, sched))
    timed = by_timers(reported)
    if any("timer_expire_" in e.event for e in reported):
        since = timers_paired(reported)
        mine, timed = ([each for each in of if each[0] > since] for of in (text_timers(made[0]), timed))
        # After a loss no callback is known to run: those are left that the file's other events tell.
        more = collections.Counter(mine) - collections.Counter(timed)
        tap.ok(not more if lost(made[0]) else mine == sorted(timed), f"{what}: {len(timed)} wakeups by timers are the same",
               differences(mine, timed))
    tap.ok(slices_ == slices(reported), f"{what}: {len(began)} interrupts and system calls are the same",
           differences(slices_, slices(reported)))
    tap.ok(instants == others, f"{what}: {len(others)} other events are the same", differences(instants, others))
    tap.ok(counters == states, f"{what}: {len(states)} states of CPUs are the same", differences(counters, states))
