#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""blame and report --over of thousands that wait for one CPU: what they name is exact and the greatest, and so is the rest."""
import json
import os
import random
import re
import sys
import tempfile
from bisect import bisect_right

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import File

SEED = tap.amount("SEED", 1, 1)
ALL = os.environ.get("CHECK") == "all"
R, S = 0, 3
TICK = 1000
FIRST = 100
NAMES = 5


def name_of(thread):
    return f"t{(thread - FIRST) % NAMES}" if isinstance(thread, int) else thread


def group_of(thread):
    """A control group of some names; of the others it isn't known."""
    if not isinstance(thread, int):
        return thread
    number = (thread - FIRST) % NAMES
    return f"/group{number % 2}" if number < 3 else None


class Cpu:
    def __init__(self):
        self.waiting = []
        self.running = 0
        self.since = 0
        self.runs = []          # (thread, from, to)


class Crowd:
    """Threads that run by turns, most of them for as long as all the others."""

    def __init__(self, rng, count, cpus, turns, moves, hogs):
        self.rng, self.count, self.hogs = rng, count, hogs
        self.file = File()
        self.cpus = [Cpu() for _ in range(cpus)]
        self.waits = {}         # by thread: (cpu, from, to)
        self.at = {}            # by thread that waits: its CPU, since when
        self.last = None
        for i in range(count):
            group = group_of(FIRST + i)
            self.file.object(1, FIRST + i, f"t{i % NAMES}", [("cgroup", group)] if group else ())
            self.file.named(FIRST + i, FIRST + i, f"t{i % NAMES}", 1)
        for i in range(count):
            self.wake(10 + i, FIRST + i, i % cpus)
        time = 100 * TICK
        for turn in range(turns):
            time += TICK
            self.turn(time, turn % cpus)
            if moves and turn % (turns // moves) == turns // moves // 2:
                time = self.move(time)
        for number, cpu in enumerate(self.cpus):
            time += TICK
            self.switch(time, number, cpu, S, 0)
        for number, cpu in enumerate(self.cpus):
            cpu.runs.append(("idle", cpu.since, time))
        for thread in list(self.at):
            self.leave(time, thread)

    def on(self, number):
        if self.last != number:
            self.file.cpu(number)
        self.last = number

    def wake(self, time, thread, number):
        self.on(number)
        self.file.wakeup(time, number, thread, 120)
        self.cpus[number].waiting.append(thread)
        self.at[thread] = (number, time)

    def leave(self, time, thread):
        number, since = self.at.pop(thread)
        self.waits.setdefault(thread, []).append((number, since, time))

    def switch(self, time, number, cpu, state, thread):
        self.on(number)
        self.file.switch(time, number, cpu.running, 120, state if cpu.running else R, thread, 120)
        if cpu.since < time:
            cpu.runs.append((cpu.running if cpu.runs else "unknown", cpu.since, time))
        if cpu.running and state == R:
            cpu.waiting.append(cpu.running)
            self.at[cpu.running] = (number, time)
        if thread:
            self.leave(time, thread)
        cpu.running, cpu.since = thread, time

    def turn(self, time, number):
        """The next one; one of the hogs comes often."""
        cpu = self.cpus[number]
        if not cpu.waiting:
            return
        hog = [thread for thread in range(FIRST, FIRST + self.hogs) if self.at.get(thread, (-1,))[0] == number]
        thread = hog[0] if hog and self.rng.random() < 0.4 else cpu.waiting[0]
        cpu.waiting.remove(thread)
        sleeps = cpu.running >= FIRST + self.hogs and self.rng.random() < 0.2
        slept = cpu.running if sleeps else None
        self.switch(time, number, cpu, S if sleeps else R, thread)
        if slept:
            self.wake(time + 10, slept, number)

    def move(self, time):
        """Half of those that wait on the first CPU are moved to the last one."""
        for thread in self.cpus[0].waiting[::2]:
            time += 1
            self.on(len(self.cpus) - 1)
            self.file.migrate(time, len(self.cpus) - 1, FIRST, thread, 120, 0, len(self.cpus) - 1)
            self.cpus[0].waiting.remove(thread)
            self.leave(time, thread)
            self.cpus[-1].waiting.append(thread)
            self.at[thread] = (len(self.cpus) - 1, time)
        return time


class Truth:
    """How long each group of threads ran while threads waited, and "idle", and what is "unknown" before the first switch."""

    def __init__(self, crowd, group):
        self.crowd, self.group = crowd, group
        self.runs = []          # by CPU: by group, begins, ends and the sums before
        self.order = []         # by CPU: the runs' groups, and their ends
        for cpu in crowd.cpus:
            runs = {}
            for thread, begin, end in cpu.runs:
                begins, ends, sums = runs.setdefault(group(thread), ([], [], [0]))
                begins.append(begin)
                ends.append(end)
                sums.append(sums[-1] + end - begin)
            self.runs.append(runs)
            self.order.append(([end for _, _, end in cpu.runs], [group(thread) for thread, _, _ in cpu.runs]))

    def before(self, number, culprit, time):
        begins, ends, sums = self.runs[number].get(culprit, ([], [], [0]))
        at = bisect_right(begins, time)
        return sums[at] - (max(0, ends[at - 1] - time) if at else 0)

    def sum(self, waits, culprit):
        return sum(self.before(number, culprit, to) - self.before(number, culprit, since) for number, since, to in waits)

    def all(self, waits):
        """Of each culprit: for few waits."""
        culprits = {}
        for number, since, to in waits:
            ends, groups = self.order[number]
            for culprit in set(groups[bisect_right(ends, since):bisect_right(ends, to - 1) + 1]):
                culprits.setdefault(culprit, 0)
        sums = {culprit: self.sum(waits, culprit) for culprit in culprits}
        return {culprit: ns for culprit, ns in sums.items() if ns}


def named(victim, key):
    return {c[key] if c["kind"] == "thread" else c["kind"]: c["ns"] for c in victim["culprits"] if c["kind"] != "others"}


def wrong(truth, waits, victim, key, rng):
    """What of a victim isn't so."""
    culprits, others = named(victim, key), [c for c in victim["culprits"] if c["kind"] == "others"]
    whole = sum(to - since for _, since, to in waits)
    if not whole == victim["wait_ns"] == sum(c["ns"] for c in victim["culprits"]):
        return whole, victim["wait_ns"], "the sum"
    for culprit, ns in culprits.items():
        if truth.sum(waits, culprit) != ns:
            return culprit, ns, truth.sum(waits, culprit)
    if rng.random() > 0.01:
        return None
    rest = {culprit: ns for culprit, ns in truth.all(waits).items() if culprit not in culprits}
    if bool(others) != bool(rest):
        return "others", others, len(rest)
    if others and max(rest.values()) > min(culprits.values(), default=whole):
        return "the greatest", max(rest.values()), min(culprits.values())
    if others and max(rest.values()) > whole / 16:
        return "a great one", max(rest.values()), whole
    if others and others[0]["count"] not in (None, len(rest)):
        return "the number", others, len(rest)
    return None


def blamed(path, *options):
    done = tap.run([tap.FXTREC, "blame", "--json", *options, path])
    return json.loads(done.stdout)["victims"] if done.returncode == 0 else []


def judge_blame(crowd, path, what, rng):
    by_thread, by_name = Truth(crowd, lambda thread: thread), \
        Truth(crowd, name_of)
    victims = blamed(path)
    bad = [(v["tid"], w) for v in victims if (w := wrong(by_thread, crowd.waits[v["tid"]], v, "tid", rng))]
    tap.ok(len(victims) == len(crowd.waits) and not bad, f"{what}: of each victim, what is named is the greatest, and exact",
           (len(victims), len(crowd.waits), bad[:3]))
    tap.ok(any(c["kind"] == "others" for v in victims for c in v["culprits"]), f"{what}: not all of each are named")
    names = {}
    for thread, waits in crowd.waits.items():
        names.setdefault(name_of(thread), []).extend(waits)
    victims = blamed(path, "--by=comm")
    all_names = {name for runs in by_name.runs for name in runs}
    got = {v["comm"]: named(v, "comm") for v in victims}
    tap.ok(got == {name: {c: ns for c in all_names if (ns := by_name.sum(waits, c))} for name, waits in names.items()},
           f"{what}: by name, all are named", victims[:1])
    rows = [row.split(",") for row in tap.run([tap.FXTREC, "blame", "--csv", path]).stdout.splitlines()[1:]]
    tap.ok(sum(int(row[5]) for row in rows) == sum(to - since for waits in crowd.waits.values() for _, since, to in waits),
           f"{what}: rows of CSV come to all waits")


def judge_shares(crowd, path, what):
    """The time behind threads of the own control group, of others, and of those that aren't known."""
    truth = Truth(crowd, group_of)
    own = foreign = unknown = whole = 0
    for thread, waits in crowd.waits.items():
        group = group_of(thread)
        sums = {culprit: truth.sum(waits, culprit) for culprit in (None, "/group0", "/group1")}
        own += sums[group] if group else 0
        unknown += sums[None] if group else sum(sums.values())
        foreign += sums["/group0"] + sums["/group1"] - sums[group] if group else 0
        whole += sum(to - since for _, since, to in waits)
    text = tap.run([tap.FXTREC, "blame", path]).stdout
    said = re.search(r"own control group ([0-9.]+) %, of others ([0-9.]+) %, of unknown control groups ([0-9.]+) %", text)
    expected = tuple(f"{100 * part / whole:.2f}" for part in (own, foreign, unknown))
    tap.ok(said and said.groups() == expected, f"{what}: shares of control groups", (said and said.group(), expected))
    begin = text.index("what ran while threads waited")
    rows = re.findall(r"    t[0-9]:([0-9]+) +([0-9.]+)", text[begin:text.index("victim")])
    by_thread = Truth(crowd, lambda thread: thread)
    wrong = [row for row in rows if abs(sum(by_thread.sum(waits, int(row[0])) for waits in crowd.waits.values()) / 1e6 - float(row[1])) > 0.001]
    tap.ok(len(rows) > 3 and not wrong, f"{what}: of all together likewise", wrong)


STORY = re.compile(r"([0-9.]+) ms (?:[^ :]*:([0-9]+)|(idle|unknown)|([0-9]+ )?others?)(?:, |$)")


def story(wait):
    """What it names, and the others' time and number."""
    culprits, others = {}, None
    for ms, tid, kind, count in STORY.findall(wait["story"].rpartition("; ")[2]):
        ns = round(float(ms) * 1e6)
        if tid or kind:
            culprits[int(tid) if tid else kind] = ns
        else:
            others = ns, int(count) if count else None
    return culprits, others


def judge_waits(crowd, path, what, rng):
    truth = Truth(crowd, lambda thread: thread)
    waits = json.loads(tap.run([tap.FXTREC, "report", "--json", "--over=1us", path]).stdout)["waits"]
    bad = []
    for wait in rng.sample(waits, 100):
        # A wait on several CPUs is one that was moved.
        parts = [part for part in crowd.waits[wait["tid"]] if part[1] < wait["to_ns"] and part[2] > wait["from_ns"]]
        rest = truth.all(parts)
        culprits, others = story(wait)
        for culprit, ns in culprits.items():
            if abs(rest.pop(culprit, 0) - ns) > 1000:
                bad.append((wait, culprit, truth.sum(parts, culprit)))
        if rest and (not others or abs(others[0] - sum(rest.values())) > 1000 or others[1] not in (None, len(rest))):
            bad.append((wait, sum(rest.values()), len(rest)))
        if rest and culprits and max(rest.values()) > min(culprits.values()) + 1000:
            bad.append((wait, max(rest.values())))
    tap.ok(not bad, f"{what}: of each wait likewise", bad[:3])


def judge_path(crowd, path):
    """What all windows come to is summed at once in the text, and segment by segment in JSON."""
    text = tap.run([tap.FXTREC, "path", "--comm=*", "--top=100000", path]).stdout
    whole = json.loads(tap.run([tap.FXTREC, "path", "--json", "--comm=*", path]).stdout)
    first, _, rest = text.partition("what its waits were behind")
    rows = {(int(tid), kind): (ms, int(times)) for tid, kind, ms, times in
            re.findall(r"^t[0-9]:([0-9]+) +([a-z]+) +([0-9.]+) +[0-9.]+ +([0-9]+)$", first, re.M)}
    sums = {(s["tid"], s["kind"]): (f"{s['ns'] / 1e6:.3f}", s["count"]) for s in whole["sum"]}
    tap.ok(rows == sums, "path: what threads did in all windows", [pair for pair in sums.items() if rows.get(pair[0]) != pair[1]][:3])
    rows = [(ms, int(times)) for ms, times in re.findall(r"^\S+ +([0-9.]+) +[0-9.]+ +([0-9]+)$", rest.partition("and ")[0], re.M)]
    tap.ok(len(rows) == 10 and rows == [(f"{s['ns'] / 1e6:.3f}", s["count"]) for s in whole["behind"][:10]],
           "path: what waits were behind", (rows, whole["behind"][:10]))


def main():
    rng = random.Random(SEED)
    # Threads, CPUs, turns, and how often half of the threads are moved; threads that run as often as all others.
    shapes = {"once": (4000, 1, 4000, 0, 0), "moved, with hogs": (5000, 2, 6000, 3, 2)}
    if ALL:
        shapes |= {"by turns": (2500, 1, 9000, 0, 0), "with hogs": (4000, 2, 9000, 0, 3), "moved": (7000, 2, 9000, 3, 0)}
    with tempfile.TemporaryDirectory() as folder:
        for what, shape in shapes.items():
            crowd = Crowd(rng, *shape)
            path = os.path.join(folder, "crowd.fxt")
            with open(path, "wb") as f:
                f.write(crowd.file.data)
            judge_blame(crowd, path, what, rng)
            judge_shares(crowd, path, what)
            judge_waits(crowd, path, what, rng)
        crowd = Crowd(rng, 400, 2, 1500, 2, 2)
        with open(path, "wb") as f:
            f.write(crowd.file.data)
        judge_path(crowd, path)
    tap.done()


main()
