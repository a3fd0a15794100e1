#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
LTTng, perf, trace-cmd, ftrace's text and our own recording of one load in one virtual machine: the same events.

LTTNG_MODULES names the folder of LTTng's modules (*.ko, of Debian's lttng-modules-dkms) for the guest's kernel.
"""
import collections
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import foreign
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.1")
LTTNG = os.environ.get("LTTNG_MODULES") or os.path.join(tap.TOP, "build", "kernels", KERNEL, "lttng")
LEAST = 6000
# One recorder behind the other, in a virtual machine whose CPUs take turns.
NEAR_NS = 50000000
PERF = re.compile("comm=perf ")
SOURCES = {"own": "own.fxt", "perf": "perf.data", "trace-cmd": "trace.dat", "LTTng": "whole"}


def window(events, cpu):
    """What a CPU did between the marks: (ns, event, fields)."""
    mine = [(e.ns, e.event, e.fields) for e in events if e.cpu == cpu and e.event in foreign.SCHED]
    places = [[i for i, (_, event, fields) in enumerate(mine) if event == "sched_switch" and f"prev_comm={name} " in fields]
              for name in ("ctf-begin", "ctf-end")]
    return mine[places[0][0]:places[1][-1] + 1] if all(places) else []


def events_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return foreign.report(f.read())


def converted(source, folder):
    out = os.path.join(folder, "made.txt")
    done = tap.run([tap.FXTREC, "convert", os.path.join(folder, source), "-o", out])
    if not tap.ok(done.returncode == 0 and "passed over" not in done.stderr, f"{source} is converted", done.stderr):
        return []
    return events_of(out)


def keys(events):
    """A thread that ends is reaped by another CPU meanwhile: each recorder reads its state anew."""
    return [(event, fields.replace("prev_state=X", "prev_state=Z")) for _, event, fields in events]


def judge_same(reference, name, events):
    """
    But for wakeups of perf itself: what happens while perf writes an event is none of its events, nor said.  It writes
    one twice now and then, with all fields and to the nanosecond, as perf script shows.
    """
    differ, count = [], 0
    for cpu, theirs in reference.items():
        mine = window(events, cpu)
        if name == "perf":
            mine, theirs = ([e for e in some if not PERF.match(e[2])] for some in (dict.fromkeys(mine), theirs))
        count += len(mine)
        if keys(mine) != keys(theirs):
            at = next((i for i, (a, b) in enumerate(zip(keys(mine), keys(theirs))) if a != b), min(len(mine), len(theirs)))
            differ.append(f"cpu {cpu}, {len(mine)} and {len(theirs)}, at {at}: {mine[at:at + 3]} {theirs[at:at + 3]}")
    tap.ok(not differ and count > LEAST, f"{name}: the same {count} switches, wakeups and migrations", "\n".join(differ))


def judge_twice(folder, events):
    """Only what perf itself wrote twice is twice."""
    lines = tap.run(["perf", "script", "-i", os.path.join(folder, "perf.data"), "-F", "cpu,time,event,trace", "--ns"]).stdout.splitlines()
    mine = [(e.cpu, e.ns, e.event, e.fields) for e in events if e.event in foreign.SCHED]
    twice, said = (len(all_of) - len(set(all_of)) for all_of in (mine, lines))
    tap.ok(lines and twice == said, f"perf: the {said} events twice that perf script has twice", twice)


def losses(path, folder):
    """By CPU: (begin, end) in ns, and how many were lost of all CPUs."""
    out = os.path.join(folder, "part.json")
    tap.run([tap.FXTREC, "convert", path, "-o", out])
    with open(out, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    found, count = collections.defaultdict(set), 0
    for e in events:
        if e.get("ph") == "X" and e["name"] == "lost":
            begin = round(e["ts"] * 1000)
            cpu = int(re.match(r"cpu (\d+) lost", names[e["tid"]])[1])
            found[cpu].add((begin, begin + round(e["dur"] * 1000)))
            count += e["args"].get("records", 0)
    return found, count


def runs(events, lost):
    """Parts without a loss in between; an event within a loss is one of its own."""
    found, before = [], None
    for event in events:
        if before is None or any(begin < event[0] and end > before[0] for begin, end in lost):
            found.append([])
        found[-1].append(event)
        before = event
    return found


def find(run, whole):
    """Whether there is the same, near in time."""
    return any(keys(whole[at:at + 1]) == keys(run[:1]) and abs(whole[at][0] - run[0][0]) < NEAR_NS and
               keys(whole[at:at + len(run)]) == keys(run) for at in range(len(whole)))


def judge_part(reference, folder):
    """A session that lost events: what it has between two losses is what the whole has there, one by one."""
    path = os.path.join(folder, "part")
    found, count = losses(path, folder)
    with open(path + ".said", encoding="utf-8") as f:
        said = sum(map(int, re.findall(r"(\d+) events were discarded", f.read())))
    tap.ok(count and count == said, f"a session that lost {said} events: so many", count)
    events, wrong, matched = converted("part", folder), [], 0
    for cpu, whole in reference.items():
        mine = [(e.ns, e.event, e.fields) for e in events if e.cpu == cpu and e.event in foreign.SCHED and
                whole[0][0] + NEAR_NS < e.ns < whole[-1][0] - NEAR_NS]
        for run in runs(mine, found[cpu]):
            matched += len(run)
            if not find(run, whole):
                wrong.append(f"cpu {cpu}: {len(run)} from {run[0]}")
    tap.ok(not wrong and matched > 300, f"what it has otherwise are the same {matched} events", "\n".join(wrong))


def judge_rest(folder):
    done = tap.run([tap.FXTREC, "report", os.path.join(folder, "whole")])
    tap.ok(done.returncode == 0 and "sched-pipe" in done.stdout and "lost: none" in done.stdout, "a report is one command",
           done.stderr + done.stdout[:300])
    text = tap.run(["babeltrace2", os.path.join(folder, "whole")]).stdout
    made = os.path.join(folder, "whole.json")
    tap.run([tap.FXTREC, "convert", os.path.join(folder, "whole"), "-o", made])
    slices = collections.Counter(name for _, kind, name in foreign.ours(made)[0] if kind == "B")
    for name in ("openat", "read", "close"):
        expected = len(re.findall(rf"\bsyscall_entry_{name}:", text))
        tap.ok(expected and slices[name] == expected, f"{expected} system calls {name}", slices[name])
    expected = len(re.findall(r"\birq_softirq_entry:", text))
    softirqs = sum(count for name, count in slices.items() if name.isupper())
    tap.ok(expected and softirqs == expected, f"{expected} softirqs", (softirqs, slices))


def judge(folder):
    ftraced = events_of(os.path.join(folder, "ftrace.txt"))
    cpus = sorted({e.cpu for e in ftraced})
    reference = {cpu: window(ftraced, cpu) for cpu in cpus}
    tap.ok(len(cpus) == 4 and all(reference.values()), "ftrace has the marks of all CPUs", cpus)
    for name, source in SOURCES.items():
        events = converted(source, folder)
        judge_same(reference, name, events)
        if name == "perf":
            judge_twice(folder, events)
    whole = converted("whole", folder)
    judge_part({cpu: window(whole, cpu) for cpu in cpus}, folder)
    judge_rest(folder)


if not os.path.isdir(LTTNG):
    tap.skip("recorders in one virtual machine", f"no LTTng modules for Linux {KERNEL} in {LTTNG} (LTTNG_MODULES=DIR)")
else:
    with tempfile.TemporaryDirectory() as top:
        if vm.boot(KERNEL, top, "ctf_guest.py", [LTTNG]):
            judge(top)
tap.done()
