# SPDX-License-Identifier: GPL-2.0-only
"""
Events beside scheduling, compared with ftrace's: interrupts and idle states by CPU, system calls by thread.

Both sides become streams of (nanoseconds, key), where what only one side tells is left out.
"""
import bisect
import os
import re
import statistics
from collections import defaultdict

import ftrace
import oracle

FTRACE = ("irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_entry", "irq/softirq_exit",
          "power/cpu_idle", "power/cpu_frequency", "raw_syscalls/sys_enter", "raw_syscalls/sys_exit")
# Recorded as any tracepoint is; of each, the fields that both sides name alike.  eBPF lets no
# such program interrupt another, so what happens in interrupts has a recording of its own.
TRACEPOINTS = {
    "sched-extra": {
        "sched/sched_process_fork": ("child_pid",),
        "sched/sched_process_exit": ("comm", "pid", "prio"),
        "sched/sched_process_exec": ("filename", "pid", "old_pid"),
        "sched/sched_pi_setprio": ("comm", "pid", "oldprio", "newprio"),
        "task/task_rename": ("pid", "oldcomm", "newcomm", "oom_score_adj"),
    },
    # What counts more than one at a time: nanoseconds.  It may be another CPU's thread, whose
    # name changes between two tracers' probes.
    "sched:sched_stat_runtime": {
        "sched/sched_stat_runtime": ("pid", "runtime"),
    },
    "irq_vectors:reschedule_*,irq_vectors:call_function_*": {
        "irq_vectors/reschedule_entry": ("vector",),
        "irq_vectors/call_function_single_entry": ("vector",),
    },
}
FIELDS = {path.split("/")[1]: fields for group in TRACEPOINTS.values() for path, fields in group.items()}
NEAR_NS = 50000000
# In a guest whose CPUs take turns, another's turn may come between two tracers' probes.
SAME_NS = 20000000
SIGNATURE = 20

PATTERNS = {
    "irq_handler_entry": re.compile(r"irq=(\d+) name=(.*)$"),
    "irq_handler_exit": re.compile(r"irq=(\d+) ret=(\w+)$"),
    "softirq_entry": re.compile(r"vec=\d+ \[action=(\w+)\]$"),
    "softirq_exit": re.compile(r"vec=\d+ \[action=(\w+)\]$"),
    "cpu_idle": re.compile(r"state=(\d+) cpu_id=(\d+)$"),
    "cpu_frequency": re.compile(r"state=(\d+) cpu_id=(\d+)$"),
    "sys_enter": re.compile(r"NR (-?\d+) \("),
    "sys_exit": re.compile(r"NR (-?\d+) = (-?\d+)$"),
}


def numbers(header):
    """Names of system calls by number."""
    for folder in ("/usr/include/x86_64-linux-gnu/asm", "/usr/include/asm"):
        path = os.path.join(folder, header)
        if os.path.exists(path):
            with open(path) as f:
                return {int(n): name for name, n in re.findall(r"#define __NR_(\w+) (\d+)$", f.read(),
                                                               re.M)}
    raise RuntimeError(f"no {header}: linux-libc-dev")


class Calls:
    def __init__(self):
        self.native, self.compat = numbers("unistd_64.h"), numbers("unistd_32.h")

    def name(self, number, compat=False):
        return (self.compat if compat else self.native).get(number, f"syscall {number}")


def number(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


# A name may hold anything; what follows it in the line tells where it ends.
LINES = {event: [re.compile(rf"(?:^|\s){field}=(.*?)(?: \[ns\])?(?:\s\w+=|$)") for field in fields]
         for event, fields in FIELDS.items()}


def fields_of(event, text):
    """The fields of a line that are compared."""
    return tuple(number(line.search(text)[1].strip()) for line in LINES[event])


def tracepoints_theirs(path, hidden=frozenset()):
    """
    ftrace's text as streams of each event of each thread on each CPU.  Events of
    several kinds have no order that two tracers agree upon: an interrupt between
    their probes of a rename may migrate a thread.
    """
    streams = defaultdict(list)
    with open(path, errors="surrogateescape") as f:
        for line in f:
            m = ftrace.LINE.match(line) if "sched_w" not in line else None
            if m and m[6] in FIELDS and int(m[2]) not in hidden:
                ns = int(m[4]) * 10 ** 9 + int(m[5].ljust(9, "0"))
                streams["tracepoint", m[6], int(m[3]), int(m[2])].append(
                    (ns, (m[6], *fields_of(m[6], m[7]))))
    return streams


def tracepoints_ours(recording):
    streams = defaultdict(list)
    for e in sorted(recording.tracepoints, key=lambda e: e.ticks):
        if e.name in FIELDS:
            streams["tracepoint", e.name, e.cpu, e.tid].append(
                (recording.monotonic(e.ticks), (e.name, *(e.args[f] for f in FIELDS[e.name]))))
    return streams


def theirs_of(path, hidden=frozenset()):
    """ftrace's text as streams, without what happened in hidden threads, and ends that follow no begin."""
    streams = defaultdict(list)
    with open(path, errors="surrogateescape") as f:
        for line in f:
            m = ftrace.LINE.match(line)
            if not m or m[6] not in PATTERNS or int(m[2]) in hidden:
                continue
            _, pid, cpu, seconds, fraction, event, fields = m.groups()
            ns = int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0"))
            found = PATTERNS[event].match(fields)
            if not found:
                raise ValueError(f"{path}: not understood: {line!r}")
            f_ = found.groups()
            if event == "irq_handler_entry":
                streams["irq", int(cpu)].append((ns, ("B", int(f_[0]), f_[1][:31])))
            elif event == "irq_handler_exit":
                streams["irq", int(cpu)].append((ns, ("E", int(f_[0]), f_[1])))
            elif event.startswith("softirq"):
                streams["softirq", int(cpu)].append((ns, ("B" if event.endswith("entry") else "E",
                                                          f_[0])))
            elif event in ("cpu_idle", "cpu_frequency"):
                state = int(f_[0])
                streams[event, int(cpu)].append((ns, (state - (1 << 32) if state >> 31 else state,
                                                      int(f_[1]))))
            elif event == "sys_enter":
                streams["syscall", int(pid)].append((ns, ("B", int(f_[0]))))
            else:
                streams["syscall", int(pid)].append((ns, ("E", int(f_[1]))))
    return {stream: balanced(events) if stream[0] in ("irq", "softirq", "syscall") else events
            for stream, events in streams.items()}


def balanced(events):
    kept, inside = [], False
    for event in events:
        begins = event[1][0] == "B"
        if begins or inside:
            kept.append(event)
        inside = begins
    return kept


class Unpaired(Exception):
    pass


def ours_of(recording, calls):
    """
    The recording's as streams; a system call's number stands for its name.  Raises
    Unpaired for an end without its begin, or of another name, or a begin within another.
    """
    number = {name: n for n, name in calls.native.items()}
    number.update({f"syscall {n}": n for n in range(512)})
    compat = {name: n for n, name in calls.compat.items()}
    streams, open_ = defaultdict(list), {}
    for e in sorted(recording.durations, key=lambda e: e.ticks):
        ns = recording.monotonic(e.ticks)
        if e.thread_index:
            stream = ({5: "irq", 6: "softirq"}[e.thread_index], e.cpu)
        else:
            stream = ("syscall", e.tid)
        begins = e.kind == "B"
        if begins == (stream in open_) or (not begins and (e.category, e.name) != open_[stream]):
            raise Unpaired(f"{stream}: {e} after {open_.get(stream)}")
        if begins:
            open_[stream] = (e.category, e.name)
        else:
            del open_[stream]
        if stream[0] == "irq":
            key = (e.kind, e.args["irq"],
                   e.name if begins else "handled" if e.args["ret"] else "unhandled")
        elif stream[0] == "softirq":
            key = (e.kind, e.name)
        elif begins:
            key = ("B", (compat if "32" in e.category else number)[e.name])
        elif "ret" in e.args:
            key = ("E", e.args["ret"])
        else:
            # The thread has ended inside; no tracepoint says so.
            continue
        streams[stream].append((ns, key))
    for ticks, cpu, _, name, id_, args in sorted(recording.counters):
        streams[name, cpu].append((recording.monotonic(ticks), (args["state"], id_)))
    return streams


def place(ours, theirs):
    """Where our stream begins in theirs, or None."""
    first = [key for _, key in ours[:SIGNATURE]]
    near = bisect.bisect_left(theirs, ours[0][0] - NEAR_NS, key=lambda e: e[0])
    places = []
    for j in range(near, len(theirs)):
        if theirs[j][0] > ours[0][0] + NEAR_NS:
            break
        if [key for _, key in theirs[j:j + len(first)]] == first:
            places.append(j)
    return oracle.nearest(places, theirs, [ns for ns, _ in ours[:SIGNATURE]])


def window(recording):
    """When all CPUs were recorded, in nanoseconds."""
    spans = [(events[0][0], events[-1][0]) for events in recording.events.values() if events]
    return (recording.monotonic(max(a for a, _ in spans)),
            recording.monotonic(min(b for _, b in spans)))


def left_out(ours, theirs):
    """Which of theirs are not in ours, by index; None where ours has what theirs has not."""
    out, j = [], 0
    for ns, key in ours:
        while j < len(theirs) and (theirs[j][1] != key or theirs[j][0] < ns - SAME_NS):
            out.append(j)
            j += 1
        if j == len(theirs):
            return None
        j += 1
    return out + list(range(j, len(theirs)))


class Comparison:
    """Of such streams; unrecorded: how many events the recording says that it has not."""

    def __init__(self, ours, theirs, span, unrecorded=0):
        self.problems, self.compared, self.apart = [], defaultdict(int), []
        self.may_lack, self.lacks = unrecorded, 0
        for stream in sorted(set(ours) | set(theirs), key=str):
            self.stream(stream, ours.get(stream, []), theirs.get(stream, []), span)

    def lacking(self, stream, ours, theirs, expected):
        """Whether what ours has not is no more than what was told of."""
        out = left_out(ours, theirs) if self.may_lack else None
        if out is None:
            return False
        self.lacks += len(set(out) & set(expected))
        self.compared[stream[0]] += len(ours)
        return self.lacks <= self.may_lack

    def stream(self, stream, ours, theirs, span):
        begin, end = span[0] + 1000000, span[1] - 1000000
        expected = [j for j, (ns, _) in enumerate(theirs) if begin < ns < end]
        # An end may be left out where its begin is not in the recording, even if that is all its thread does in there.
        if expected and theirs[expected[0]][1][0] == "E" and not (ours and ours[0][0] < theirs[expected[0]][0] - SAME_NS):
            expected = expected[1:]
        whole = len(self.problems)
        self.stream_whole(stream, ours, theirs, expected)
        if len(self.problems) > whole and self.lacking(stream, ours, theirs, expected):
            del self.problems[whole:]

    def stream_whole(self, stream, ours, theirs, expected):
        if not ours:
            if expected:
                self.problems.append(f"{stream}: none recorded, {len(expected)} in ftrace, the first "
                                     f"{theirs[expected[0]]}")
            return
        start = place(ours, theirs)
        if start is None:
            i = bisect.bisect_left(theirs, ours[0][0] - SAME_NS, key=lambda e: e[0])
            self.problems.append(f"{stream}: our first events are not in ftrace: {ours[:SIGNATURE]}; "
                                 f"there it has {theirs[i:i + SIGNATURE]}")
            return
        if [k for _, k in ours] != [k for _, k in theirs[start:start + len(ours)]]:
            i = next((i for i, (a, b) in enumerate(zip(ours, theirs[start:])) if a[1] != b[1]),
                     len(theirs) - start)
            self.problems.append(f"{stream}: event {i} of {len(ours)} is {ours[i:i + 1]}, ftrace has "
                                 f"{theirs[start + i:start + i + 1]}")
            return
        missing = [j for j in expected if not start <= j < start + len(ours)]
        if missing:
            self.problems.append(f"{stream}: {len(missing)} of ftrace's are not recorded: "
                                 f"{[theirs[j] for j in missing[:3]]}")
        self.compared[stream[0]] += len(ours)
        for i in range(len(ours) - 1):
            if ours[i][1][0] == "B" and ours[i + 1][1][0] == "E":
                self.apart.append(abs((ours[i + 1][0] - ours[i][0]) -
                                      (theirs[start + i + 1][0] - theirs[start + i][0])))

    def spread(self):
        """(median, the 99th of 100, greatest) difference of a duration, in nanoseconds."""
        if len(self.apart) < 100:
            return None
        return (statistics.median(self.apart), statistics.quantiles(self.apart, n=100)[98],
                max(self.apart))
