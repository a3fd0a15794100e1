#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Traces of made-up machines with events missing, wrong, double or in another order: nothing false is claimed."""
import json
import os
import random
import sys
import tempfile
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import contradictions
import tap
from simulated import Machine

TRACES = tap.amount("TRACES", 4, 100)
SEED = int(os.environ.get("SEED", "1"))
STATES = {"Running": "run", "R": "wait_wakeup", "R+": "wait_preempted", "S": "sleep", "D": "blocked", "T": "stopped"}
KINDS = {"run": ("run",), "wait": ("wait_wakeup", "wait_preempted"), "blocked": ("blocked",), "sleep": ("sleep", "stopped")}


def said(*arguments):
    done = tap.run([tap.FXTREC, *arguments])
    if done.returncode:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


class Truth:
    """What the machine did: of each id, in the order of time; of each CPU.  And what the trace has of it."""

    def __init__(self, machine, exact):
        self.threads, self.cpus, self.exact = defaultdict(list), defaultdict(list), exact
        self.of_thread, self.of_cpu = defaultdict(list), defaultdict(list)
        for thread in machine.threads():
            for phase, since, until, cpu in thread.past:
                self.threads[thread.tid].append((since, until, phase, cpu))
        for cpu, thread, since, until in machine.busy:
            self.cpus[cpu].append((since, until, thread.tid if thread else 0))
        for time, cpu, what, a in machine.events:
            self.note(time, cpu, what, a)

    def note(self, time, cpu, what, a):
        """What an event shows: who runs on a CPU, and that threads do what they can't while they wait, or sleep."""
        if what == "migrate":
            self.of_thread[a["thread"]].append((time, None, "moved"))
            return
        runs = a["prev"] if what == "switch" else a["waker"]
        self.of_cpu[cpu].append((time, runs))
        self.of_thread[runs].append((time, cpu, "runs"))
        if what == "switch":
            self.of_thread[a["next"]].append((time, cpu, "comes"))
        else:
            self.of_thread[a["thread"]].append((time, None, "new" if a.get("new") else "woken"))

    def contradicted(self, tid, state, cpu, begin, end):
        """Whether an event of the trace says that a thread did not do that from begin to end."""
        if state == "Running" and any(begin < time < end and runs != tid for time, runs in self.of_cpu[cpu]):
            return True
        possible = {"Running": ("woken",), "R": ("moved",), "R+": ("moved", "woken")}.get(state, ())
        return any(begin < time < end and what not in possible and not (state == "Running" and where == cpu)
                   for time, where, what in self.of_thread[tid])

    def phases(self, tid, begin, end):
        return [(max(since, begin), min(until, end), phase, cpu) for since, until, phase, cpu in self.threads[tid]
                if since < end and until > begin]

    def false(self, tid, state, cpu, begin, end):
        """What is wrong with a claim: in a trace that can't be told from a good one, that an event contradicts it."""
        if not self.exact and not self.contradicted(tid, state, cpu, begin, end):
            return None
        for since, until, phase, where in self.phases(tid, begin, end):
            # Why it waits is told by the letter that it left its CPU with, which may be the wrong one.
            same = STATES[state] == phase or STATES[state][:4] == phase[:4] == "wait"
            if not (same or phase == "unknown") or (phase == "run" and where != cpu):
                return f"thread {tid}: {state} from {begin} to {end}, {phase} from {since} to {until}"
        return None

    def ran(self, cpu, begin, end):
        return sum(min(until, end) - max(since, begin) for since, until, _ in self.cpus[cpu]
                   if since < end and until > begin)

    def ran_of(self, cpu, tid, begin, end):
        return sum(min(until, end) - max(since, begin) for since, until, ran in self.cpus[cpu]
                   if ran == tid and since < end and until > begin)


def false_states(truth, path):
    for row in said("query", "--json", path, "SELECT ts, dur, cpu, tid, state FROM "
                    "(SELECT s.ts, s.dur, s.cpu, t.tid, s.state FROM thread_state s JOIN thread t USING (utid))"):
        wrong = row["state"] != "unknown" and truth.false(row["tid"], row["state"], row["cpu"], row["ts"],
                                                          row["ts"] + row["dur"])
        if wrong:
            return wrong
    return None


def false_runs(truth, path):
    for row in said("query", "--json", path, "SELECT s.ts, s.dur, s.cpu, t.tid FROM sched s JOIN thread t USING (utid)"):
        end = row["ts"] + row["dur"]
        if truth.ran_of(row["cpu"], row["tid"], row["ts"], end) != row["dur"] and (
                truth.exact or truth.contradicted(row["tid"], "Running", row["cpu"], row["ts"], end)):
            return f"CPU {row['cpu']}: {row['tid']} from {row['ts']} to {end}"
    return None


def unequal(report, path):
    """The sums of the report, and the rows of the query."""
    sums = defaultdict(int)
    for row in said("query", "--json", path, "SELECT utid, state, sum(dur) AS ns FROM thread_state GROUP BY 1, 2"):
        sums[row["utid"], STATES.get(row["state"], row["state"])] += row["ns"]
    return next((f"thread {row['tid']}: {phase} {row[phase + '_ns']}, not {sums[row['key'], phase]}"
                 for row in report["threads"] for phase in STATES.values()
                 if row[phase + "_ns"] != sums[row["key"], phase]), None)


def false_sums(truth, report):
    for row in report["threads"]:
        sums = defaultdict(int)
        for since, until, phase, _ in truth.phases(row["tid"], row["begin_ns"], row["end_ns"]):
            sums[phase] += until - since
        sums["wait_wakeup"] = sums["wait_preempted"] = sums["wait_wakeup"] + sums["wait_preempted"]
        for phase in STATES.values():
            if row[phase + "_ns"] > sums[phase] + sums["unknown"]:
                return f"thread {row['tid']}: {phase} {row[phase + '_ns']}, not {sums[phase]}"
    for row in report["cpus"]:
        idle = truth.ran_of(row["cpu"], 0, report["from_ns"], report["to_ns"])
        busy = truth.ran(row["cpu"], report["from_ns"], report["to_ns"]) - idle
        if row["busy_ns"] > busy or row["idle_ns"] > idle:
            return f"CPU {row['cpu']}: {row['busy_ns']} busy, {row['idle_ns']} idle, not {busy} and {idle}"
    return None


def culprits(truth, begin, end):
    """By victim and what ran on the CPU in the queue of which it was: ns."""
    sums = defaultdict(int)
    for victim, phases in truth.threads.items():
        for since, until, phase, cpu in phases:
            if not phase.startswith("wait"):
                continue
            for ran, stopped, tid in truth.cpus[cpu]:
                ns = min(until, stopped, end) - max(since, ran, begin)
                if ns > 0:
                    sums[victim, tid] += ns
    return sums


def false_blame(truth, blame):
    expected, got = culprits(truth, blame["from_ns"], blame["to_ns"]), defaultdict(int)
    for victim in blame["victims"]:
        for c in victim["culprits"]:
            if c["kind"] in ("thread", "idle"):
                got[victim["tid"], c["tid"] if c["kind"] == "thread" else 0] += c["ns"]
    return next((f"{pair}: {ns} ns, not {expected[pair]}" for pair, ns in got.items() if ns > expected[pair]), None)


def false_paths(truth, paths):
    for window in paths["windows"]:
        for s in window["segments"]:
            if s["kind"] not in KINDS:
                continue
            for since, until, phase, cpu in truth.phases(s["tid"], s["from_ns"], s["to_ns"]):
                if phase not in (*KINDS[s["kind"]], "unknown"):
                    return f"path of {window['tid']}: {s}, {phase} from {since} to {until}"
                if s["kind"] == "wait" and s["culprit_tid"] is not None and phase != "unknown" and \
                        truth.ran_of(cpu, s["culprit_tid"], since, until) != until - since:
                    return f"path of {window['tid']}: {s}, not behind that from {since} to {until}"
    return None


def false_switches(truth, hist):
    for row in hist["switches"]:
        if row["run_ns"] and truth.ran_of(row["cpu"], row["tid"], row["time_ns"] - row["run_ns"], row["time_ns"]) != \
                row["run_ns"]:
            return f"timehist: {row}"
    return None


def unknown_of(report):
    return (sum(row["unknown_ns"] for row in report["threads"]) / max(1, sum(
        row["end_ns"] - row["begin_ns"] for row in report["threads"])))


def false(machine, path, exact):
    truth = Truth(machine, exact)
    report = said("report", "--json", path)
    wrong = false_states(truth, path) or false_runs(truth, path) or unequal(report, path)
    if exact and not wrong:
        wrong = (false_sums(truth, report) or false_paths(truth, said("path", "--json", "--comm=*", path)) or
                 false_switches(truth, said("timehist", "--json", path)) or
                 false_blame(truth, said("blame", "--json", path)))
    return unknown_of(report), wrong


def made(fault, seed):
    rng = random.Random(seed)
    # Where a wait was moved from, what ran is told before the chain of switches is known to be whole.
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(3, 9), rng.randrange(50, 400),
                      migrations=fault in (None, contradictions.no_migrations, contradictions.some_migrations))
    if fault:
        fault(machine, rng)
    return machine


def checked(folder, fault, written):
    """The share of the time of all threads that is unknown, and what is wrong."""
    failures, shares = [], []
    for seed in range(SEED * 1000, SEED * 1000 + TRACES):
        machine = made(fault, seed)
        path = os.path.join(folder, "t" + written[0])
        with open(path, "wb") as out:
            out.write(written[1](machine))
        if sum(what in ("switch", "wakeup") for _, _, what, _ in machine.events) < 2:
            continue
        share, wrong = false(machine, path, not fault or fault in contradictions.EXACT)
        shares.append(share)
        if wrong:
            failures.append(f"seed {seed}: {wrong}")
    return sum(shares) / len(shares), failures


FORMS = ((".fxt", lambda machine: machine.trace()), (".fxt", lambda machine: machine.trace(processors=True)),
         (".txt", lambda machine: contradictions.text(machine).encode()))


# Of faults of one event: at most so much of the time of all threads, in short traces, is unknown; 4 % without a fault.
MOST = {"one_switch": 0.3, "some_wakeups": 0.3, "some_migrations": 0.1, "no_migrations": 0.1, "twice": 0.15,
        "twice_later": 0.3, "swapped": 0.3, "asleep_as_ready": 0.25, "ready_as_asleep": 0.15, "undead": 0.15,
        "wrong_waker": 0.3, "wrong_outgoing": 0.3, "wrong_incoming": 0.3}


def shown(folder):
    """Each kind of line that names another thread than the last switch: what ran since that switch isn't known."""
    lines = ("sched_waking: comm=b pid=6 prio=120 target_cpu=000", "sys_enter: NR 0 (3, 0, 0, 0, 0, 0)",
             "irq_handler_entry: irq=9 name=disk", "softirq_entry: vec=1 [action=TIMER]", "tracing_mark_write: B|9|work",
             "tracing_mark_write: C|9|level|5", "tracing_mark_write: a message")
    switch = "sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state={} ==> next_comm={} next_pid={} next_prio=120"
    path = os.path.join(folder, "shown.txt")
    for line in lines:
        with open(path, "w", encoding="utf-8") as out:
            out.write("# tracer: nop\n" + "".join(f"  {task} [000] d..2. {time}: {event}\n" for task, time, event in (
                ("<idle>-0", "1.000000", switch.format("swapper/0", 0, "R", "a", 5)), ("z-9", "2.000000", line),
                ("z-9", "3.000000", switch.format("z", 9, "S", "b", 7)), ("b-7", "4.000000", switch.format("b", 7, "S", "a", 5)))))
        got = [(row["tid"], row["ts"], row["dur"]) for row in said("query", "--json", path,
               "SELECT t.tid, s.ts, s.dur FROM sched s LEFT JOIN thread t USING (utid) ORDER BY ts")]
        tap.ok(got == [(None, 10**9, 2 * 10**9), (7, 3 * 10**9, 10**9)], f"a switch is missing before {line}", got)


def main():
    with tempfile.TemporaryDirectory() as folder:
        shown(folder)
        for written, name in zip(FORMS, ("FXT", "FXT of fxtrec", "text")):
            for fault in (None, *contradictions.FAULTS):
                share, failures = checked(folder, fault, written)
                title = fault.__name__ if fault else "no fault"
                tap.ok(not failures, f"{title}, {name}: nothing false is claimed", "\n".join(failures[:3]))
                if title in MOST and TRACES >= 4:
                    tap.ok(share < MOST[title], f"{title}, {name}: not all is unknown", share)
    tap.done()


main()
