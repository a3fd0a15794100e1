# SPDX-License-Identifier: GPL-2.0-only
"""The judgements that the tests of events beside scheduling share, as TAP."""
import events
import judge
from tap import note, ok, skip

# Between two probes of one tracepoint lie some microseconds of the other's work; where an
# interrupt comes in between, or the host takes the CPU away, it is as long as that takes.
# Most durations differ by less: how many is the host's load.
APART_NS = 10000


ADDRESSES = 1 << 63


def judge_tracepoints(recording, path, text, what, group, least, hidden=frozenset()):
    """Any tracepoints, of each thread on each CPU; and that no kernel address is in a field."""
    ours = events.tracepoints_ours(recording)
    compared = events.Comparison(ours, events.tracepoints_theirs(text, hidden),
                                 events.window(recording), recording.unrecorded)
    if recording.unrecorded:
        note(f"{what}: {compared.lacks} not recorded, {recording.unrecorded} reported as lost")
    seen = {key[0] for stream in ours.values() for _, key in stream}
    note(f"{what}: {dict(compared.compared)} compared, of {sorted(seen)}")
    ok(not compared.problems and sum(compared.compared.values()) >= least,
       f"{what}: tracepoints of each thread and their fields are ftrace's, none missing that wasn't told of, "
       "none extra",
       "\n".join(map(str, compared.problems[:5])))
    there = {tracepoint.split("/")[1] for tracepoint in events.TRACEPOINTS[group]}
    ok(seen == there, f"{what}: each of them was there to compare", there ^ seen)
    leaked = [e for e in recording.tracepoints for value in e.args.values()
              if isinstance(value, int) and ADDRESSES <= value < (1 << 64) - 4095]
    ok(not leaked, f"{what}: no kernel address is in a field", leaked[:3])
    unnamed = {e.tid for e in recording.tracepoints} - set(recording.names)
    ok(not unnamed, f"{what}: every thread of a tracepoint has a name", sorted(unnamed)[:10])
    judge.judge_valid(path, what)
    return ours


def judge_events(recording, path, text, what, least, quirks=False, compat=True):
    calls = events.Calls()
    try:
        ours = events.ours_of(recording, calls)
    except events.Unpaired as unpaired:
        return ok(False, f"{what}: each end has its begin, and none is within another", unpaired)
    ok(True, f"{what}: each end has its begin, and none is within another")
    theirs = events.theirs_of(text)
    if quirks:
        # What one kernel hides it hides whole (oracle.py): from eBPF the threads of process 1, and
        # from ftrace the idle thread of one CPU.
        seen = {tid for kind, tid in ours if kind == "syscall"}
        theirs = events.theirs_of(text, judge.hidden_natively(recording, text, seen))
        for stream in [s for s in ours if s[0] == "cpu_idle" and s not in theirs]:
            note(f"{what}: {stream}: {len(ours.pop(stream))} recorded, none in ftrace: not compared")
    compared = events.Comparison(ours, theirs, events.window(recording))
    note(f"{what}: {dict(compared.compared)} compared; durations apart by (median, 99 %, most) "
         f"{compared.spread()} ns")
    ok(not compared.problems and sum(compared.compared.values()) >= least,
       f"{what}: interrupts and idle states of each CPU and system calls of each thread are ftrace's, "
       "none missing, none extra", "\n".join(map(str, compared.problems[:5])))
    # A busy machine is hardly ever idle, and of one CPU that is so ftrace may say nothing.
    for kind, fewest in (("softirq", 100), ("cpu_idle", 0 if quirks else 1), ("syscall", 1000),
                         ("cpu_frequency", 0 if quirks else 40)):
        ok(compared.compared[kind] >= fewest, f"{what}: events of {kind} were there to compare",
           compared.compared)
    spread = compared.spread()
    ok(spread and spread[0] < APART_NS, f"{what}: most durations are ftrace's to {APART_NS} ns", spread)
    if compat:
        named = {e.name for e in recording.durations if e.category == "syscalls of 32 bits"}
        ok(named == {"getppid"}, f"{what}: system calls of 32 bits have their own names", named)
    else:
        skip(f"{what}: system calls of 32 bits have their own names", "this kernel has none")
    unnamed = {e.tid for e in recording.durations} - set(recording.names)
    ok(not unnamed, f"{what}: every thread and track of an event has a name", sorted(unnamed)[:10])
    judge.judge_valid(path, what)
    return ours
