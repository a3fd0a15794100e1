#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The state machine on made-up machines: what it says of threads and CPUs is what they did, or "unknown"."""
import json
import os
import random
import sys
import tempfile
from itertools import accumulate

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from simulated import Machine, START

TRACES = tap.amount("TRACES", 25, 400)
SEED = int(os.environ.get("SEED", "1"))
PHASES = ("run", "wait_wakeup", "wait_preempted", "sleep", "blocked", "stopped", "unknown")


def said(command, path, *options):
    done = tap.run([tap.FXTREC, command, "--json", path, *options])
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr}")
    return json.loads(done.stdout)


def first_events(machine):
    """When each thread's, and each CPU's, first event says what it does."""
    threads, cpus = {}, {}
    for time, cpu, what, a in machine.events:
        if what == "migrate":
            threads.setdefault(a["thread"], machine.end)
            continue
        cpus.setdefault(cpu, time)
        for tid in ([a["prev"], a["next"]] if what == "switch" else [a["thread"]]):
            threads[tid] = min(threads.get(tid, time), time)
    return threads, cpus


def truth(machine, begin, end, first=None):
    """By id: ns of each phase in the window, what comes before the first event, or the times of first, being unknown."""
    first = first or first_events(machine)[0]
    sums = {}
    for thread in machine.threads():
        if thread.tid not in first:
            continue
        total = sums.setdefault(thread.tid, dict.fromkeys(PHASES, 0))
        for phase, since, until, _ in thread.past:
            since, until = max(since, begin), min(until, end)
            known = max(since, min(until, first[thread.tid]))
            total["unknown"] += max(0, known - since)
            total[phase] += max(0, until - known)
    return sums


def reported(report):
    sums = {}
    for row in report["threads"]:
        total = sums.setdefault(row["tid"], dict.fromkeys(PHASES, 0))
        for phase in PHASES:
            total[phase] += row[phase + "_ns"]
    return sums


def whole(report, blame, paths):
    """What is wrong with the sums of an output by itself."""
    span = report["to_ns"] - report["from_ns"]
    for row in report["threads"]:
        if sum(row[phase + "_ns"] for phase in PHASES) != row["end_ns"] - row["begin_ns"]:
            return f"thread {row['tid']}: its phases are not its life"
        if sum(count for _, count in row["latency"]["histogram"]) != row["latency"]["count"]:
            return f"thread {row['tid']}: its histogram"
        if row["latency"]["count"] and not (row["latency"]["p50_ns"] <= row["latency"]["p99_ns"] <=
                                            row["latency"]["max_ns"]):
            return f"thread {row['tid']}: its quantiles"
    for cpu in report["cpus"]:
        if cpu["busy_ns"] + cpu["idle_ns"] + cpu["unknown_ns"] != span:
            return f"CPU {cpu['cpu']}: not the window"
        known = cpu["busy_ns"] + cpu["idle_ns"]
        if known and not cpu["busy_ns"] / known - 1e-4 < cpu["runnable_mean"] <= cpu["runnable_max"]:
            return f"CPU {cpu['cpu']}: {cpu['runnable_mean']} can run in the mean, at most {cpu['runnable_max']}"
    waits = {row["key"]: row["wait_wakeup_ns"] + row["wait_preempted_ns"] for row in report["threads"]}
    for victim in blame["victims"]:
        if not victim["wait_ns"] == sum(c["ns"] for c in victim["culprits"]) == waits.pop(victim["key"], None):
            return f"victim {victim['tid']}: its culprits are not its waits"
    if any(waits.values()):
        return f"waits without blame: {waits}"
    for window in paths["windows"]:
        at = window["from_ns"]
        for segment in window["segments"]:
            if segment["from_ns"] != at or segment["to_ns"] <= at:
                return f"path of {window['tid']}: a gap or an overlap at {at}"
            at = segment["to_ns"]
        if at != window["to_ns"]:
            return f"path of {window['tid']}: ends at {at}"
    return None


def culprits(machine, begin, end):
    """By victim and culprit, ids: ns; None is an idle CPU."""
    sums = {}
    by_cpu = {}
    for cpu, thread, since, until in machine.busy:
        by_cpu.setdefault(cpu, []).append((thread.tid if thread else None, since, until))
    first, known = first_events(machine)
    for victim in machine.threads():
        for phase, since, until, cpu in victim.past:
            if not phase.startswith("wait"):
                continue
            since, until = max(since, begin, first.get(victim.tid, end)), min(until, end)
            for culprit, ran, stopped in by_cpu.get(cpu, []):
                ns = min(until, stopped) - max(since, ran, known.get(cpu, end))
                if ns > 0:
                    sums[victim.tid, culprit] = sums.get((victim.tid, culprit), 0) + ns
    return sums


def blamed(blame):
    sums = {}
    for victim in blame["victims"]:
        for c in victim["culprits"]:
            if c["kind"] in ("thread", "idle"):
                pair = victim["tid"], c["tid"] if c["kind"] == "thread" else None
                sums[pair] = sums.get(pair, 0) + c["ns"]
    return sums


def differing(expected, got):
    return [f"{key}: {expected.get(key)}, not {got.get(key)}" for key in sorted(set(expected) | set(got), key=str)
            if expected.get(key) != got.get(key)][:3]


def window(machine, rng):
    times = [time for time, _, what, _ in machine.events if what != "migrate"]
    first, last = times[0], times[-1]
    begin = rng.randrange(first, last)
    return begin, rng.randrange(begin + 1, last + 1)


def losses(machine, rng):
    """Disjoint ones of a CPU each."""
    lost = []
    for cpu in range(len(machine.cpus)):
        at = START
        for _ in range(rng.randrange(3)):
            begin = rng.randrange(at, machine.end)
            at = min(machine.end, begin + rng.randrange(1, 5_000_000))
            if begin < at < machine.end:
                lost.append((cpu, begin, at))
            if at >= machine.end - 1:
                break
    return lost


class Folder:
    def __init__(self):
        self.path = tempfile.mkdtemp()

    def write(self, data):
        with open(os.path.join(self.path, "t.fxt"), "wb") as f:
            f.write(data)
        return f.name


def outputs(path, *options):
    return said("report", path, *options), said("blame", path, *options), said("path", path, "--comm=*", *options)


def switches_false(machine, path):
    """A row of timehist that claims another run, wait or CPU than the thread's."""
    pasts = {}
    for thread in machine.threads():
        pasts.setdefault(thread.tid, []).extend(thread.past)
    for cpu, thread, since, until in machine.busy:
        if not thread:
            pasts.setdefault((0, cpu), []).append(("run", since, until, cpu))
    for row in said("timehist", path, "--idle")["switches"]:
        past = [of for of in pasts[row["tid"] or (0, row["cpu"])] if of[2] <= row["time_ns"]]
        runs = [of for of in past if of[0] == "run"]
        ran, before = runs[-1], runs[-2] if len(runs) > 1 else (None, None, None, None)
        # A migration cuts a wait in two.
        woken = ran[1]
        for phase, since, until, _ in reversed(past):
            woken = since if until == woken and phase == "wait_wakeup" else woken
        claimed = {"time_ns": ran[2], "cpu": ran[3], "run_ns": ran[2] - ran[1], "from_cpu": before[3],
                   "wait_ns": before[2] and ran[1] - before[2], "delay_ns": ran[1] - woken}
        wrong = [name for name, value in claimed.items() if row[name] is not None and row[name] != value]
        if wrong:
            return f"timehist: {wrong}: {row}, in truth {past[-4:]}"
    return None


def exact(folder, seed):
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(20, 400))
    times = [time for time, _, what, _ in machine.events if what != "migrate"]
    path = folder.write(machine.trace())
    report, blame, paths = outputs(path)
    wrong = whole(report, blame, paths) or switches_false(machine, path) or \
        differing(truth(machine, times[0], times[-1]), reported(report)) or differing(culprits(machine, times[0], times[-1]), blamed(blame))
    if wrong:
        return wrong
    counts = {name: sum(row[name] for row in report["threads"]) for name in ("wakeups", "migrations")}
    happened = {"wakeups": machine.counts["wakeups"], "migrations": sum(
        1 for time, _, what, _ in machine.events if what == "migrate" and times[0] <= time <= times[-1])}
    if counts != happened:
        return f"{counts}, not {happened}"
    if sum(cpu["switches"] for cpu in report["cpus"]) != machine.counts["switches"]:
        return "switches"
    begin, end = window(machine, rng)
    report, blame, paths = outputs(path, f"--time=@{begin},@{end}")
    expected = {tid: sums for tid, sums in truth(machine, begin, end).items() if any(sums.values())}
    got = {tid: sums for tid, sums in reported(report).items() if any(sums.values())}
    return whole(report, blame, paths) or differing(expected, got)


class Decided(Machine):
    """Its threads are never woken on their CPUs, which an event before the recording would tell."""

    def wake_running(self, cpu):
        pass


def known_from(machine, begin, since, listed):
    """By id, since when it is known what each thread does, of which a listing found the state; from begin on."""
    first = {}
    for time, cpu, what, a in machine.events:
        if time < since or what == "migrate":
            continue
        tids = [a["prev"], a["next"]] if what == "switch" else [a["thread"]] + [a["waker"]]
        for tid in tids:
            first.setdefault(tid, time)
    moved = {a["thread"] for time, _, what, a in machine.events if what == "migrate" and since <= time}
    known = dict.fromkeys(moved, machine.end) | first
    for thread in machine.threads():
        at = machine.phase_at(thread, listed)
        heard = min(first.get(thread.tid, machine.end), *(time for time, _, what, a in machine.events if what == "migrate" and
                                                          time >= since and a["thread"] == thread.tid), machine.end)
        if not at or heard <= listed:
            continue
        if at[0].startswith("wait"):
            known[thread.tid] = max(listed, begin)
        elif at[0] == "run" or thread.tid in known:
            known[thread.tid] = begin
    return known


def waits_together(sums):
    """Since when a listed thread waits, and after what, isn't known."""
    return {tid: {**of, "wait_wakeup": of["wait_wakeup"] + of["wait_preempted"], "wait_preempted": 0}
            for tid, of in sums.items() if any(of.values())}


def listed(folder, seed):
    """A recording that begins amidst, and lists the states of all threads a little later; with losses, too."""
    rng = random.Random(seed)
    machine = Decided(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(50, 400))
    times = [time for time, _, what, _ in machine.events if what != "migrate"]
    since = rng.choice(times[: len(times) // 2])
    moment = next(at for _ in range(1000) if (at := since + rng.randrange(1, 500_000)) not in {t for t, *_ in machine.events})
    if moment >= times[-1]:
        return None
    report, blame, paths = outputs(folder.write(machine.trace(since=since, listed=moment, processors=True)))
    expected = truth(machine, since, times[-1], known_from(machine, since, since, moment))
    wrong = whole(report, blame, paths) or differing(waits_together(expected), waits_together(reported(report)))
    if wrong:
        return wrong
    lost = machine.trace(losses(machine, rng), since=since, listed=moment, processors=True)
    return false(machine, *outputs(folder.write(lost)), {thread.tid: START for thread in machine.threads()}, waits_together)


def crowded(folder, seed):
    """So many wait that what ran meanwhile is summed for all of them together."""
    rng = random.Random(seed)
    machine = Machine(rng, 2, 90, 6000, births=False)
    times = [time for time, _, what, _ in machine.events if what != "migrate"]
    report, blame, paths = outputs(folder.write(machine.trace()))
    return whole(report, blame, paths) or differing(culprits(machine, times[0], times[-1]), blamed(blame))


def most_runnable(machine, begin):
    """By CPU: how many ran and waited there at a time at most, from a time on that all of it is known."""
    changes = {cpu: {} for cpu in range(len(machine.cpus))}
    for thread in machine.threads():
        for phase, since, until, cpu in thread.past:
            if (phase.startswith("wait") or phase == "run") and until > begin:
                at = changes[cpu]
                at[max(since, begin)] = at.get(max(since, begin), 0) + 1
                at[until] = at.get(until, 0) - 1
    return {cpu: max(accumulate(change for _, change in sorted(at.items())), default=0)
            for cpu, at in changes.items()}


def queues(folder, seed):
    """The most that could run on a CPU at a time: a switch is one change, not two."""
    machine = Machine(random.Random(seed), 1, 3, 300, births=False)
    begin = max(first_events(machine)[0].values())
    report = said("report", folder.write(machine.trace()), f"--time=@{begin},")
    got = {cpu["cpu"]: cpu["runnable_max"] for cpu in report["cpus"]}
    return differing(most_runnable(machine, begin), got)


def claims(folder, seed):
    """With losses: what it says is no more than the truth."""
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(50, 400))
    path = folder.write(machine.trace(losses(machine, rng)))
    return false(machine, *outputs(path)) or switches_false(machine, path)


def filtered(folder, seed):
    """With a filter of threads, of CPUs, or both: no more than the truth, and something of what is chosen."""
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(2, 5), rng.randrange(4, 9), rng.randrange(50, 400))
    tids = rng.sample(machine.tids, 2) if seed % 3 else None
    machine.filter(tids, set(rng.sample(range(len(machine.cpus)), len(machine.cpus) - 1)) if seed % 3 < 2 else None)
    if all(what == "unchosen" for _, _, what, _ in machine.events):
        return None
    path = folder.write(machine.trace())
    report, blame, paths = outputs(path)
    if not sum(row["run_ns"] + row["wait_wakeup_ns"] for row in report["threads"]) and len(machine.events) > 50:
        return "nothing is known"
    return false(machine, report, blame, paths) or switches_false(machine, path)


def queued(folder, seed):
    """With fxtrec's own filter of threads: no more than the truth, with losses and where others become chosen, too."""
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(2, 5), rng.randrange(4, 9), rng.randrange(50, 400))
    machine.filter_queues(rng.sample(machine.tids, 2), True)
    if not any(what in ("switch", "wakeup") for _, _, what, _ in machine.events):
        return None
    path = folder.write(machine.trace(losses(machine, rng) if seed % 2 else (), processors=True))
    # What ran while a chosen thread waited is told by the switch that ends it.
    return false(machine, *outputs(path), {thread.tid: START for thread in machine.threads()}) or switches_false(machine, path)


def blamed_alike(folder, seed):
    """What chosen threads waited for is what a recording of the whole machine says, to the nanosecond, or more of it."""
    rng = random.Random(seed)
    machine = Machine(rng, rng.randrange(1, 5), rng.randrange(4, 12), rng.randrange(200, 600))
    switches = {cpu: [t for t, c, what, _ in machine.events if c == cpu and what == "switch"] for cpu in range(len(machine.cpus))}
    # Neither knows a CPU before its first switch, and what is open at the end is not known without the switch that ends it.
    begin, end = max(times[0] for times in switches.values()), min(times[-1] for times in switches.values())
    chosen = set(rng.sample(machine.tids, 2))
    everything = said("blame", folder.write(machine.trace()), f"--time=@{begin},@{end}")
    truth_of, counted = culprits(machine, begin, end), blamed(everything)
    machine.filter_queues(chosen)
    got = blamed(said("blame", folder.write(machine.trace(processors=True)), f"--time=@{begin},@{end}"))
    pairs = {pair for pair in {*got, *counted} if pair[0] in chosen}
    wrong = [f"{pair}: {got.get(pair)}, not {counted.get(pair)}" for pair in pairs
             if not counted.get(pair, 0) <= got.get(pair, 0) <= max(truth_of.get(pair, 0), counted.get(pair, 0))]
    return ", ".join(wrong[:3]) if pairs else None


def false(machine, report, blame, paths, first=None, seen=lambda sums: sums):
    """What an output claims beyond the truth, as it is seen."""
    wrong = whole(report, blame, paths)
    sums = seen(truth(machine, 0, machine.end, first))
    for tid, got in seen(reported(report)).items():
        for phase in PHASES[:-1]:
            if got[phase] > sums.get(tid, {}).get(phase, 0):
                wrong = wrong or f"thread {tid}: {got[phase]} ns {phase}, in truth {sums.get(tid)}"
    for cpu in report["cpus"]:
        busy = sum(until - since for c, thread, since, until in machine.busy if c == cpu["cpu"] and thread)
        idle = sum(until - since for c, thread, since, until in machine.busy if c == cpu["cpu"] and not thread)
        if cpu["busy_ns"] > busy or cpu["idle_ns"] > idle:
            wrong = wrong or f"CPU {cpu}: in truth {busy} busy, {idle} idle"
    return wrong


def slept_before(folder, seed):
    """A path leaves a thread before its first event only where that sleeps, though CPUs begin one after another."""
    machine = Machine(random.Random(seed), 1 + seed % 4, 8, 200, births=False)
    machine.open_late(3_000_000)
    first, _ = first_events(machine)
    paths = said("path", folder.write(machine.trace(processors=True)), "--comm=*")
    followed, wrong = 0, []
    for window in paths["windows"]:
        past = next(thread.past for thread in machine.threads() if thread.tid == window["tid"])
        for s in window["segments"]:
            if s["tid"] == window["tid"] or s["to_ns"] > first[window["tid"]]:
                continue
            followed += 1
            wrong += [f"thread {window['tid']} at {s['from_ns']}: {phase}" for phase, since, until, _ in past
                      if since < s["to_ns"] and until > s["from_ns"] and phase not in ("sleep", "blocked", "stopped")]
    return followed, wrong


def unseen(folder, seed):
    """Of wakeups alone, as those for a CPU that a filter leaves out: a thread that is woken once more did not wait until then."""
    machine = Machine(random.Random(seed), 2, 8, 400)
    machine.events = [event for event in machine.events if event[2] == "wakeup" and not event[3].get("on_cpu")]
    woken = {a["thread"]: time for time, _, _, a in machine.events}
    report = said("report", folder.write(machine.trace()))
    return [f"thread {row['tid']} waited {row['wait_wakeup_ns']} ns" for row in report["threads"]
            if row["wait_wakeup_ns"] > report["to_ns"] - woken.get(row["tid"], report["to_ns"])]


def main():
    folder = Folder()
    for name, check, known in (
            # A CPU of which a migration is all that is recorded.
            ("without losses, all is exact", exact, (1162, 1286)),
            # A loss before all of what a thread waited for.
            ("with losses, nothing is claimed", claims, (1025, 1041)),
            # A thread was woken on its CPU before the first event that says that it runs there.
            ("with filters, nothing is claimed", filtered, (1088, 1100, 1336)),
            ("with filters that keep queues, nothing is claimed", queued, ()),
            ("what chosen threads wait for is as in a recording of all", blamed_alike, ()),
            ("with listed states, all is exact", listed, ())):
        failures = []
        for seed in (*range(SEED * 1000, SEED * 1000 + TRACES), *known):
            wrong = check(folder, seed)
            if wrong:
                failures.append(f"seed {seed}: {wrong}")
        tap.ok(not failures, f"{name}: {TRACES} machines", "\n".join(failures[:5]))
    wrong = [found for i in range(10) if (found := queues(folder, SEED + i))]
    tap.ok(not wrong, "no more can run than could at a time", str(wrong))
    found = [slept_before(folder, SEED + i) for i in range(TRACES)]
    wrong = [each for _, wrongs in found for each in wrongs]
    tap.ok(sum(followed for followed, _ in found) > TRACES / 2 and not wrong,
           "a path before a thread's first event", (sum(followed for followed, _ in found), wrong[:3]))
    wrong = [found for i in range(TRACES) if (found := unseen(folder, SEED + i))]
    tap.ok(not wrong, "a thread that is woken again has run, unnoticed", str(wrong[:3]))
    wrong = crowded(folder, SEED)
    tap.ok(not wrong, "with many in each queue, all is exact", wrong)
    tap.done()


main()
