# SPDX-License-Identifier: GPL-2.0-only
"""
Recordings with filters beside one of everything: provoke() makes them, judge()
says what each had to keep by the whole one alone.
"""
import bisect
import fnmatch
import json
import os
import subprocess
import sys
import time
from collections import defaultdict

import oracle
import recorder
from fxt import Switch, Wakeup
from judge import judge_valid, load
from tap import note, ok

HERE = os.path.dirname(os.path.abspath(__file__))
# Around a rename or a move, in which a filter may decide earlier or later than it is seen;
# in a guest a CPU may stand still for a while.
NEAR_NS, GUEST_NEAR_NS = 300000, 10000000
# The longest that one does.
STALL_NS = 50000000
# Between two recordings of one event: where CPUs take turns, others' may come in between.
APART_NS = 200000000

# In a guest, where the module has one recording at a time: all kinds together.
GUEST = {
    "kmod": ("kmod", ["-p", "{tree}", "-t", "{victim}", "--comm", "in-*", "--cgroup", "{cgroup}"]),
    "bpf": ("bpf", ["-p", "{tree}", "--comm", "in-1*", "--cgroup", "{cgroup}", "-C", "0,2",
                    "--no-inherit"]),
}


def process(*arguments):
    return subprocess.Popen([sys.executable, os.path.join(HERE, "chosen.py"), *map(str, arguments)],
                            stdin=subprocess.PIPE, text=True)


def cgroup_root():
    with open("/proc/mounts") as f:
        return next(line.split()[1] for line in f if line.split()[2] == "cgroup2")


def move(pid, folder):
    """When it began, and when it was done."""
    began = time.monotonic_ns()
    with open(os.path.join(folder, "cgroup.procs"), "w") as f:
        f.write(str(pid))
    return began, time.monotonic_ns()


def provoke(out, wanted):
    """
    wanted: {name: (backend, options)}; in options, {tree}, {names}, {victim} and
    {cgroup} stand for what there is to choose.  Leaves OUT.NAME.fxt, OUT.all.fxt
    and OUT.facts.
    """
    root = cgroup_root()
    folder = os.path.join(root, f"fxtrec-test-{os.getpid()}")
    os.makedirs(folder + "/below")
    workers = {name: process(name) for name in ("tree", "names", "moves")}
    victim = process("naps")
    recorders, facts = {}, {"moves": [], "root": root}
    values = {"tree": workers["tree"].pid, "names": workers["names"].pid, "victim": victim.pid,
              "cgroup": folder}
    try:
        for name, (backend, options) in {"all": ("bpf", []), **wanted}.items():
            recorders[name] = recorder.start(["--backend=" + backend, "-b", "32M", "-o", f"{out}.{name}.fxt",
                                              *(o.format(**values) for o in options)])
        time.sleep(0.2)
        facts["from"] = time.monotonic_ns()
        for worker in workers.values():
            worker.stdin.write("\n")
            worker.stdin.flush()
        victim.kill()
        victim.wait()
        again = process("reuse", victim.pid)
        again.communicate("\n")
        facts["reused"] = again.returncode == 0
        for into in (folder, root, folder + "/below", root):
            time.sleep(0.2)
            facts["moves"].append((*move(workers["moves"].pid, into), into != root))
        for worker in workers.values():
            worker.wait(120)
        time.sleep(0.1)
        facts["to"] = time.monotonic_ns()
        facts["said"] = {}
        for name, each in reversed(recorders.items()):
            facts["said"][name] = recorder.end(each, 120)
    finally:
        for each in [*workers.values(), victim, *recorders.values()]:
            if each.poll() is None:
                each.kill()
                each.wait()
        for path in (folder + "/below", folder):
            os.rmdir(path)
    facts["pids"] = {**values, "moves_pid": workers["moves"].pid}
    facts["wanted"] = {name: options for name, (_, options) in wanted.items()}
    with open(out + ".facts", "w") as f:
        json.dump(facts, f)


class Rules:
    """What a filter's options say, in the test's own words."""

    def __init__(self, options, pids):
        values = dict(zip(options[::2], options[1::2]))
        self.inherit = "--no-inherit" not in options
        self.processes = {pids[v.strip("{}")] for o, v in values.items() if o == "-p"}
        self.threads = {pids[v.strip("{}")] for o, v in values.items() if o == "-t"}
        self.comm = values.get("--comm")
        self.cgroup = "--cgroup" in values
        self.cpus = {int(c) for c in values["-C"].split(",")} if "-C" in values else None
        self.by_thread = bool(self.processes or self.threads or self.comm or self.cgroup)


class Chosen:
    """Who is chosen while time goes by."""

    def __init__(self, rules, whole, facts):
        self.rules = rules
        self.followed = set(rules.threads)
        self.followed |= {t for t, p in whole.process_of.items() if p in rules.processes
                          and min(s for s, _ in whole.names[t]) < facts["from"]}
        self.comm = {}
        self.members = set()
        self.unsure = {}        # until when

    def matches(self, name):
        return bool(self.rules.comm) and fnmatch.fnmatchcase(name, self.rules.comm)

    def named(self, tid):
        return self.matches(self.comm.get(tid, ""))

    def has(self, tid):
        return tid != 0 and (tid in self.followed or self.named(tid) or
                             self.rules.cgroup and tid in self.members)

    def born(self, tid, parent):
        inherits = self.rules.inherit and (parent in self.followed or self.named(parent))
        (self.followed.add if inherits else self.followed.discard)(tid)
        (self.members.add if parent in self.members else self.members.discard)(tid)
        self.comm[tid] = self.comm.get(parent, "")
        self.unsure.pop(tid, None)


class Interrupted:
    """
    Until when a rename may take: on kernels whose tracepoints can be preempted, who
    renames itself may lose its CPU between what two recorders do about it.
    """

    def __init__(self, whole, near):
        self.near = near
        self.out, self.into = defaultdict(list), defaultdict(list)
        for events in whole.events.values():
            for ns, e in events:
                if isinstance(e, Switch):
                    self.out[e.prev].append((ns, e.state))
                    self.into[e.next].append(ns)
        for times in (*self.out.values(), *self.into.values()):
            times.sort()

    def until(self, tid, since):
        i = bisect.bisect_left(self.out[tid], (since, ""))
        if i < len(self.out[tid]) and self.out[tid][i][1].startswith("R") and \
                self.out[tid][i][0] - since < STALL_NS:
            back = bisect.bisect_left(self.into[tid], self.out[tid][i][0])
            if back < len(self.into[tid]):
                return self.into[tid][back] + self.near
        return since + self.near


def timeline(whole, facts, moved, near):
    """All that happens, in order: (ns, kind, ...); events as (ns, "event", cpu, event)."""
    interrupted = Interrupted(whole, near)
    line = [(ns, 2, "event", cpu, e) for cpu, events in whole.events.items() for ns, e in events
            if isinstance(e, (Switch, Wakeup))]
    for tid, of in whole.names.items():
        for since, name in of:
            line.append((since, 1, "name", tid, name))
            line.append((since - near, 0, "renaming", tid, (interrupted.until(tid, since), name)))
    for began, done, into in facts["moves"]:
        line.append((began, 0, "moving", moved, done + near))
        line.append((done, 1, "moved", moved, into))
    line.sort(key=lambda item: item[:2])
    return line


def expected(rules, whole, facts, near):
    """By CPU: [(ns, event, whether it must be kept: True, or None where either is right)]."""
    moved = facts["pids"]["moves_pid"]
    chosen, kept = Chosen(rules, whole, facts), defaultdict(list)
    alive = {t for t, p in whole.process_of.items() if p == moved}

    def verdict(tid, ns):
        if ns < chosen.unsure.get(tid, 0):
            return None
        return chosen.has(tid)

    for ns, _, kind, a, b in timeline(whole, facts, moved, near):
        if kind == "name":
            chosen.comm[a] = b
        elif kind == "renaming":
            # Only a name that says something else leaves it open.
            if chosen.named(a) != chosen.matches(b[1]):
                chosen.unsure[a] = max(chosen.unsure.get(a, 0), b[0])
        elif kind == "moving" and rules.cgroup:
            for tid in alive:
                chosen.unsure[tid] = max(chosen.unsure.get(tid, 0), b)
        elif kind == "moved" and rules.cgroup:
            for tid in alive:
                # Of the process itself; its children stay where they are.
                if whole.process_of[tid] == moved:
                    (chosen.members.add if b else chosen.members.discard)(tid)
        elif kind == "event":
            if isinstance(b, Wakeup):
                if b.event == "sched_wakeup_new":
                    unsure = chosen.unsure.get(b.waker, 0)
                    chosen.born(b.pid, b.waker)
                    if ns < unsure:
                        # Whether it was made by a chosen one is as open as that is.
                        chosen.unsure[b.pid] = float("inf")
                tids = (b.pid,)
            else:
                tids = (b.prev, b.next)
            verdicts = [verdict(tid, ns) for tid in tids] if rules.by_thread else [True]
            keep = True if True in verdicts else None if None in verdicts else False
            # Two recorders' times of one event differ: at either end it may be in or out.
            inside = min(ns - facts["from"], facts["to"] - ns)
            if keep is not False and (rules.cpus is None or a in rules.cpus) and inside > -near:
                kept[a].append((ns, b, keep if inside > near else None))
    return kept


def later(kept, i, event, ns):
    """Whether an equal event that is kept further on is nearer to that time."""
    for other_ns, other, _ in kept[i + 1:]:
        if other_ns - ns > abs(kept[i][0] - ns):
            return False
        if oracle.same(other, event):
            return True
    return False


def compare(kept, ours):
    """(what is sure, what isn't, the first difference or None)."""
    at, sure, open_ = 0, 0, 0
    for i, (ns, event, keep) in enumerate(kept):
        here = at < len(ours) and oracle.same(event, ours[at][1]) and abs(ours[at][0] - ns) < APART_NS
        if here and (keep or not later(kept, i, *reversed(ours[at]))):
            at += 1
        elif keep:
            return sure, open_, f"left out: {event} at {ns}; there is {ours[at:at + 1]}"
        sure += keep is True
        open_ += keep is None
    if at < len(ours):
        return sure, open_, f"should have been left out: {ours[at]}"
    return sure, open_, None


def judge(out, what, least=100, near=NEAR_NS):
    with open(out + ".facts") as f:
        facts = json.load(f)
    whole = load(out + ".all.fxt")
    ok(all("nothing lost" in said for said in facts["said"].values()), f"{what}: nothing lost",
       facts["said"])
    ok(facts["reused"], f"{what}: a thread's id was used again")
    total = sum(len(e) for e in whole.events.values())
    for name, options in facts["wanted"].items():
        rules = Rules(options, facts["pids"])
        kept = expected(rules, whole, facts, near)
        filtered = load(f"{out}.{name}.fxt")
        sure = unsure = recorded = 0
        problems = []
        for cpu in set(kept) | set(filtered.events):
            ours = [(filtered.monotonic(t), e) for t, e in filtered.events[cpu]]
            ours = [e for e in ours if facts["from"] <= e[0] <= facts["to"]]
            recorded += len(ours)
            a, b, problem = compare(kept[cpu], ours)
            sure, unsure = sure + a, unsure + b
            problems += [f"cpu {cpu}: {problem}"] if problem else []
        note(f"{what}, {name} ({' '.join(options)}): {recorded} of {total} events kept; "
             f"{sure} had to be, {unsure} may be")
        ok(not problems, f"{what}, {name}: exactly what the filter keeps", "\n".join(problems))
        # A thread that dies at once has hardly an event but those around its renames.
        few = "{victim}" in options and "{tree}" not in options
        ok(sure >= 1 and recorded < total and (few or sure >= least and unsure < sure),
           f"{what}, {name}: it keeps something, and not all", (sure, unsure, recorded, total))
        judge_valid(f"{out}.{name}.fxt", f"{what}, {name}")
