# SPDX-License-Identifier: GPL-2.0-only
"""
Recordings with filters beside one of everything: provoke() makes them, judge()
says what each had to keep by the whole one alone.
"""
import bisect
import fnmatch
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict

import oracle
import recorder
from fxt import Migration, Switch, Wakeup
from judge import judge_valid, load
from tap import note, ok

HERE = os.path.dirname(os.path.abspath(__file__))
# How far two recordings' times of one moment may be apart; in a guest a CPU may stand still.
NEAR_NS, GUEST_NEAR_NS = 300000, 10000000
# How long a process stays in a group at least; in all, how many times as long as the moves take; how often it is tried.
STAY_S, STAYS, ROUNDS = 0.2, 3, 5

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


def stayed(moves):
    """
    Whether it was in the groups for long enough: what happens while it is moved, which in a guest
    beside a load may take as long, says nothing of the filter.
    """
    inside = sum(after[0] - before[1] for before, after in zip(moves, moves[1:]) if before[2])
    return inside > STAYS * sum(done - began for began, done, _ in moves)


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
            recorders[name] = recorder.start(["--backend=" + backend, "--no-marks", "-b", "32M", "-o", f"{out}.{name}.fxt",
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
        for _ in range(ROUNDS):
            for into in (folder, root, folder + "/below", root):
                time.sleep(max([STAY_S, *(2 * STAYS * (done - began) / 1e9 for began, done, _ in facts["moves"])]))
                facts["moves"].append((*move(workers["moves"].pid, into), into != root))
            if stayed(facts["moves"]):
                break
        workers["moves"].stdin.close()
        for worker in workers.values():
            worker.wait(600)
        time.sleep(0.1)
        facts["to"] = time.monotonic_ns()
        facts["said"], facts["all recorded"] = {}, True
        for name, each in reversed(recorders.items()):
            said = facts["said"][name] = recorder.end(each)
            facts["all recorded"] &= recorder.all_recorded(said, "kmod" if name == "kmod" else "bpf")
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


def ended(out, backend, result):
    """A recording of a process, or of a thread, ends with it and with all that it has made."""
    # Each line has it go on: it makes a child, and ends.
    parent = subprocess.Popen(["sh", "-c", "read line; sleep 4321 >&- & echo $!; read line"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    options = ["--backend=" + backend, "--no-marks", "-o", out + ".fxt"]
    process = recorder.start([*options, "-p", str(parent.pid)])
    parent.stdin.write("\n")
    parent.stdin.flush()
    child = int(parent.stdout.readline())
    parent.communicate("\n")
    time.sleep(0.5)
    went_on = process.poll() is None
    os.kill(child, signal.SIGKILL)
    said = process.communicate(timeout=600)[1]
    result(went_on and process.returncode == 0 and "have ended" in said,
           f"{backend}: a recording of a process ends with the last that it made", (went_on, process.returncode, said))
    # One of that name may come at any time, and what a flight recorder holds is still wanted.
    for more, goes_on in ((["-d", "600"], False), (["--comm=no such name"], True), (["--flight"], True)):
        one = subprocess.Popen(["sleep", "4321"])
        process = recorder.start([*options, "-t", str(one.pid), *more])
        one.kill()
        one.wait()
        if goes_on:
            time.sleep(0.5)
            went_on = process.poll() is None
            process.terminate()
        said = process.communicate(timeout=600)[1]
        result(process.returncode == 0 and ("have ended" in said) != goes_on and (went_on or not goes_on),
               f"{backend}: with {more[0]}, one of a thread {'goes on' if goes_on else 'ends with it'}", said)


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

    def on_cpu(self, cpu, event, moved):
        """
        Whether an event is of the CPUs, or of what comes to their queues or leaves them: True, False, or
        None of the wakeup of a thread that was moved about then, maybe between two recorders' probes.
        """
        if self.cpus is None or cpu in self.cpus:
            return True
        if isinstance(event, Wakeup):
            return None if moved(event.pid) else event.target in self.cpus
        return isinstance(event, Migration) and bool({event.orig, event.dest} & self.cpus)


class Chosen:
    """Which threads are chosen while time goes by."""

    def __init__(self, rules, whole, facts):
        self.rules = rules
        self.followed = set(rules.threads)
        self.followed |= {t for t, p in whole.process_of.items() if p in rules.processes
                          and min(s for s, _ in whole.names[t]) < facts["from"]}
        self.comm = {}
        self.members = set()
        self.unsure = {}        # by thread: until when

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


class Queues:
    """
    Which CPUs' queues chosen threads wait in, from when to when: all switches of such a CPU are kept.  A CPU's own
    events have an order.  The filter's probe of another CPU's event ran between that CPU's events before and after.
    """

    def __init__(self, times):
        self.times = times
        self.of = {}            # by thread: (CPU, earliest begin, latest begin, whether it is sure to be chosen)
        self.spans = {"may": defaultdict(list), "sure": defaultdict(list)}

    def leave(self, tid, cpu, ns):
        if tid not in self.of:
            return
        queue, earliest, latest, sure = self.of.pop(tid)
        first, last = (ns, ns) if cpu in (queue, None) else self.times.probed(cpu, ns)
        self.spans["may"][queue].append((earliest, last))
        if sure and latest < first:
            self.spans["sure"][queue].append((latest, first))

    def enter(self, tid, cpu, ns, queue, chosen):
        if chosen is False or (tid in self.of and self.of[tid][0] == queue):
            return
        self.leave(tid, cpu, ns)
        self.of[tid] = (queue, *((ns, ns) if cpu == queue else self.times.probed(cpu, ns)), chosen is True)

    def event(self, cpu, ns, event, verdicts):
        if isinstance(event, Wakeup):
            self.enter(event.pid, cpu, ns, event.target, verdicts[0])
        elif isinstance(event, Migration):
            # One that isn't chosen any more is counted where it was until it runs.
            if event.pid in self.of and verdicts[0] is not False:
                self.enter(event.pid, cpu, ns, event.dest, self.of[event.pid][3] or None)
        else:
            if event.state[0] == "R":
                self.enter(event.prev, cpu, ns, cpu, verdicts[0])
            elif event.state in ("X", "Z"):
                self.leave(event.prev, cpu, ns)
            self.leave(event.next, cpu, ns)

    def end(self):
        """The begins of waits, and the latest end of all that have begun by then."""
        for tid in list(self.of):
            self.leave(tid, None, float("inf"))
        self.ends = {}
        for kind, of_cpu in self.spans.items():
            for cpu, spans in of_cpu.items():
                spans.sort()
                self.ends[kind, cpu] = ([s[0] for s in spans], list(itertools.accumulate((s[1] for s in spans), max)))

    def within(self, kind, cpu, ns):
        begins, latest = self.ends.get((kind, cpu), ([], []))
        i = bisect.bisect_left(begins, ns)
        return i > 0 and latest[i - 1] > ns

    def watched(self, cpu, ns):
        """Whether a switch is kept for what waits: True, False, or None where either is right."""
        return True if self.within("sure", cpu, ns) else None if self.within("may", cpu, ns) else False


class Times:
    """
    When a filter decides, by what happens next and not by a span of time: a CPU may
    stand still between two recorders' probes, and others go on meanwhile.
    """

    def __init__(self, whole, near):
        self.near = near
        self.slept = oracle.sleeps(whole)
        self.of_cpu = {cpu: sorted(ns for ns, _ in events) for cpu, events in whole.events.items()}

    @staticmethod
    def first(times, since):
        i = bisect.bisect_right(times, since)
        return times[i] if i < len(times) else float("inf")

    def decided(self, cpu, ns):
        """About an event: when the CPU has its next."""
        return self.first(self.of_cpu[cpu], ns) + self.near

    def probed(self, cpu, ns):
        """Around an event: the CPU's events before and after."""
        i = bisect.bisect_left(self.of_cpu[cpu], ns)
        return (self.of_cpu[cpu][i - 1] if i else 0) - self.near, self.decided(cpu, ns)

    def renamed(self, tid, since):
        """A thread that renames itself may lose its CPU meanwhile, but doesn't sleep."""
        return max(self.first(self.slept[tid], since), since + self.near)


def timeline(whole, facts, times):
    """All that happens, in order: (ns, kind, ...); events as (ns, "event", cpu, event)."""
    line = [(ns, 2, "event", cpu, e) for cpu, events in whole.events.items() for ns, e in events
            if isinstance(e, (Switch, Wakeup, Migration))]
    for tid, of in whole.names.items():
        for since, name in of:
            line.append((since, 1, "name", tid, name))
            line.append((since - times.near, 0, "renaming", tid, (times.renamed(tid, since), name)))
    for _, done, into in facts["moves"]:
        line.append((done, 1, "moved", facts["pids"]["moves_pid"], into))
    line.sort(key=lambda item: item[:2])
    return line


def with_unchosen(event, verdicts, rules):
    """A switch, with which of its threads isn't chosen; None where that is open."""
    if not isinstance(event, Switch) or not rules.by_thread:
        return event
    event = Switch(*event)
    event.unchosen = None if None in verdicts else {(True, True): "", (False, True): "outgoing", (True, False): "incoming",
                                                     (False, False): "both"}.get(tuple(verdicts))
    return event


def expected(rules, whole, facts, near):
    """By CPU: [(ns, event, whether it must be kept: True, or None where either is right)]."""
    moved, times = facts["pids"]["moves_pid"], Times(whole, near)
    chosen, kept = Chosen(rules, whole, facts), defaultdict(list)
    queues = Queues(times)
    movable = {t for t, p in whole.process_of.items() if p == moved} if rules.cgroup else set()
    forked = {}             # by thread: when it last made another
    moves = defaultdict(list)
    for events in whole.events.values():
        for ns, e in events:
            if isinstance(e, Migration):
                moves[e.pid].append(ns)
    for of in moves.values():
        of.sort()

    def moving(tid, since, until):
        return tid in movable and any(since < done + near and began - near < until
                                      for began, done, _ in facts["moves"])

    def verdict(tid, since, until):
        """Of what is decided in between."""
        unsure = moving(tid, since, until) or since < chosen.unsure.get(tid, 0)
        return None if unsure else chosen.has(tid)

    for ns, _, kind, a, b in timeline(whole, facts, times):
        if kind == "name":
            chosen.comm[a] = b
        elif kind == "renaming":
            # Only a name that says something else leaves it open.
            if chosen.named(a) != chosen.matches(b[1]):
                chosen.unsure[a] = max(chosen.unsure.get(a, 0), b[0])
        elif kind == "moved":
            # The process itself; its children stay where they are.
            (chosen.members.update if b else chosen.members.difference_update)(movable)
        elif kind == "event":
            until = times.decided(a, ns)
            if isinstance(b, Wakeup):
                if b.event == "sched_wakeup_new":
                    # Whether it was made by a chosen one is as open as that is; and in which group,
                    # if that one was moved: it may have been begun as early as after the last one.
                    parent = verdict(b.waker, ns, until)
                    chosen.born(b.pid, b.waker)
                    if parent is None or moving(b.waker, forked.get(b.waker, 0), ns):
                        chosen.unsure[b.pid] = float("inf")
                    forked[b.waker] = ns
                tids = (b.pid,)
            elif isinstance(b, Migration):
                tids = (b.pid,)
            else:
                tids = (b.prev, b.next)
            verdicts = [verdict(tid, ns, until) for tid in tids] if rules.by_thread else [True]
            keep = True if True in verdicts else None if None in verdicts else False
            # At either end it may be in or out.
            within = facts["from"] < ns - near and until < facts["to"]
            may_be = facts["from"] < until and ns - near < facts["to"]
            queues.event(a, ns, b, verdicts if rules.by_thread else [False, False])
            waits = keep is not True and rules.by_thread and isinstance(b, Switch)
            on_cpu = rules.on_cpu(a, b, lambda tid, ns=ns: Times.first(moves[tid], ns - near) < ns + near)
            if (waits or keep is not False) and on_cpu is not False and may_be:
                kept[a].append((ns, with_unchosen(b, verdicts, rules), keep if waits else keep and on_cpu if within else None,
                                waits and (within,)))
    queues.end()
    return {cpu: list(with_waits(cpu, events, queues)) for cpu, events in kept.items()}


def with_waits(cpu, events, queues):
    """What is kept, once it is known what waited: a switch that would not be, if a chosen thread waits for its CPU."""
    for ns, event, keep, waits in events:
        if waits:
            watched = queues.watched(cpu, ns)
            keep = True if watched and waits[0] else None if keep is None or watched is not False else False
        if keep is not False:
            yield ns, event, keep


def alike(event, other, process_of):
    """
    The same, but for the last switch of a process's first thread where another one becomes
    a program: they exchange their ids, maybe between two recorders' probes.
    """
    if isinstance(event, Switch) and isinstance(other, Switch) and event.unchosen not in (None, other.unchosen):
        return False
    return oracle.same(event, other) or (
        isinstance(event, Switch) and isinstance(other, Switch) and {event.state, other.state} <= {"X", "Z"} and
        event._replace(prev=other.prev, state=other.state) == other and
        process_of.get(event.prev) == process_of.get(other.prev) in (event.prev, other.prev))


def compare(kept, ours, process_of):
    """
    The first difference, or None: ours have to be those that are kept, in order, each
    of what is open in it or not.
    """
    at = {0}    # as many of kept may have gone by
    for event in [*ours, None]:
        reached = set()
        for i in at:
            while i < len(kept):
                if event and alike(kept[i][1], event[1], process_of):
                    reached.add(i + 1)
                if kept[i][2]:
                    break
                i += 1
            else:
                reached |= set() if event else {i}
        if not reached:
            return f"after {max(at)} of {len(kept)}: {kept[max(at):max(at) + 2]} had to be kept, there is {event}, " \
                   f"unchosen: {getattr(event[1], 'unchosen', None) if event else None}, before: " \
                   f"{[(*each, getattr(each[1], 'unchosen', None)) for each in kept[max(0, max(at) - 4):max(at)]]}"
        at = reached
    return None


def difference(kept, ours, process_of):
    """
    compare()'s of what has an order (oracle.settled()): where a switch may be missing, wakeups of
    a thread by itself have one among the switches, and so have the other events.
    """
    for belongs in (lambda e: isinstance(e, Switch) or oracle.of_itself(e), lambda e: not oracle.of_itself(e)):
        problem = compare(*(oracle.settled([e for e in events if belongs(e[1])]) for events in (kept, ours)), process_of)
        if problem:
            return problem
    return None


def judge(out, what, least=100, near=NEAR_NS):
    with open(out + ".facts") as f:
        facts = json.load(f)
    whole = load(out + ".all.fxt")
    ok(facts["all recorded"], f"{what}: nothing lost", facts["said"])
    ok(facts["reused"], f"{what}: a thread's id was used again")
    total = sum(len(e) for e in whole.events.values())
    for name, options in facts["wanted"].items():
        rules = Rules(options, facts["pids"])
        kept = expected(rules, whole, facts, near)
        filtered = load(f"{out}.{name}.fxt")
        recorded, problems = 0, []
        for cpu in set(kept) | set(filtered.events):
            ours = [(filtered.monotonic(t), e) for t, e in filtered.events[cpu]]
            ours = [e for e in ours if facts["from"] <= e[0] <= facts["to"]]
            recorded += len(ours)
            problem = difference(kept[cpu], ours, whole.process_of)
            problems += [f"cpu {cpu}: {problem}"] if problem else []
        flags = [keep for of_cpu in kept.values() for _, _, keep in of_cpu]
        sure, unsure = flags.count(True), flags.count(None)
        note(f"{what}, {name} ({' '.join(options)}): {recorded} of {total} events kept; "
             f"{sure} had to be, {unsure} may be")
        ok(not problems, f"{what}, {name}: exactly what the filter keeps",
           "\n".join(problems + [f"{key}: {facts[key]}" for key in ("pids", "moves", "from", "to")]))
        # A thread that dies at once has hardly an event but those around its renames.
        few = "{victim}" in options and "{tree}" not in options
        ok(sure >= 1 and recorded < total and (few or sure >= least and unsure < sure),
           f"{what}, {name}: it keeps something, and not all", (sure, unsure, recorded, total))
        judge_valid(f"{out}.{name}.fxt", f"{what}, {name}")
