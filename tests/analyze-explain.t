#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Causes of late requests that explain finds, in made-up traces with one cause each."""
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import BEGIN, COUNTER, END, File, INSTANT, LOCK, PRIVATE, Unsigned, reason
from tap import ok

START = 10 ** 12
EPOLL, FUTEX, FSYNC, READ, NANOSLEEP, WAIT4 = 232, 202, 74, 0, 230, 61
R, S, D, T, PREEMPTED = (1, None), (3, None), (3, "D"), (3, "T"), (1, "R+")
SERVER, HELPER, HOG = 11, 12, 20
TRACK = 0x41000000
IDLE = reason(EPOLL, "epoll", 5)
WORK, LATE, EACH, COUNT = 1000, 20000, 10, 200


class Trace:
    """Requests of a server on CPU 0; CPU 1 is the helper's.  Times in us."""

    def __init__(self, prio=120, busy=False, idle=IDLE, bare=False):
        self.prio, self.steps, self.now, self.busy, self.idle, self.bare = prio, [], 1000, busy, idle, bare
        self.step(0, 1, lambda f, ns: f.switch(ns, 1, 0, 120, 1, 90 if busy else HELPER, 120))
        if not busy:
            self.off(1, 1, HELPER, reason(NANOSLEEP))

    def step(self, at, cpu, call):
        self.steps.append((at, len(self.steps), cpu, call))

    def prios(self, *tids):
        return [self.prio if tid == SERVER else 10 if tid == 30 else 120 for tid in tids]

    def switch(self, at, cpu, prev, state, into, why=()):
        before, after = self.prios(prev, into)
        self.step(at, cpu, lambda f, ns: f.switch(ns, cpu, prev, before, state[0], into, after, state[1], why=() if self.bare else why))

    def off(self, at, cpu, tid, why, state=S):
        self.switch(at, cpu, tid, state, 0, why)

    def on(self, at, cpu, tid):
        self.switch(at, cpu, 0, R, tid)

    def wake(self, at, cpu, tid, waker=0, target=None, context=None):
        prio, = self.prios(tid)
        target = cpu if target is None else target
        self.step(at, cpu, lambda f, ns: f.wakeup(ns, target, tid, prio, waker=waker, context=context))

    def requests(self, meet):
        """One in EACH meets the cause: meet(at) returns when the server runs again, or ends."""
        for i in range(COUNT):
            at = self.now
            self.wake(at, 0, SERVER, context="hardirq")
            self.on(at, 0, SERVER)
            end = at + WORK
            if i % EACH == EACH - 1:
                end = meet(end)
            self.off(end, 0, SERVER, self.idle)
            self.now = end + 5000
        return self

    def write(self, folder, name, names=()):
        last = max(at for at, *_ in self.steps)
        self.off(last + 10, 1, 90 if self.busy else 0, reason(NANOSLEEP) if self.busy else ())
        f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
        f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")])
        f.named(SERVER, SERVER, "server", START - 100, leader=True)
        f.named(SERVER, HELPER, "helper", START - 100)
        for pid, tid, title in ((HOG, HOG, "hog"), (30, 30, "hog-rt"), (90, 90, "filler"), *names):
            f.named(pid, tid, title, START - 100, leader=pid == tid)
        for at, _, cpu, call in sorted(self.steps, key=lambda s: s[:2]):
            call(f.cpu(cpu), START + 1000 * at)
        return f.write(folder, name)


def behind(tid, t, at):
    """The server is preempted by a thread."""
    t.wake(at, 0, tid, waker=SERVER, context="hardirq")
    t.switch(at, 0, SERVER, PREEMPTED, tid)
    t.switch(at + LATE, 0, tid, S, SERVER, reason(NANOSLEEP))
    return at + LATE + 10


def lock(t, at, holder_waits=0, holder_sleeps=0):
    """The helper holds a lock for LATE, on its CPU."""
    held = reason(FUTEX, "futex", 77, flags=LOCK, operation=PRIVATE, holder=HELPER)
    t.wake(at - 100, 1, HELPER, context="hardirq")
    t.on(at - 100, 1, HELPER)
    t.off(at, 0, SERVER, held)
    if holder_sleeps:
        t.off(at + 10, 1, HELPER, reason(NANOSLEEP))
        t.wake(at + 10 + holder_sleeps, 1, HELPER, context="hardirq")
        t.on(at + 10 + holder_sleeps, 1, HELPER)
    if holder_waits:
        t.wake(at + 10, 1, HOG, waker=HELPER, context="hardirq")
        t.switch(at + 10, 1, HELPER, PREEMPTED, HOG)
        t.switch(at + 10 + holder_waits, 1, HOG, S, HELPER, reason(NANOSLEEP))
    t.wake(at + LATE, 1, SERVER, waker=HELPER, target=0)
    t.on(at + LATE, 0, SERVER)
    t.off(at + LATE + 5, 1, HELPER, reason(NANOSLEEP))
    return at + LATE + 100


def asks(t, at, why, context=None):
    """The helper works for LATE while the server waits for its answer."""
    t.wake(at, 0, HELPER, waker=SERVER, target=1)
    t.on(at, 1, HELPER)
    t.off(at + 1, 0, SERVER, why)
    t.wake(at + LATE, 1, SERVER, waker=HELPER, target=0)
    t.on(at + LATE, 0, SERVER)
    t.off(at + LATE + 5, 1, HELPER, reason(NANOSLEEP))
    return at + LATE + 100


def alone(t, at, why, state=S, context="hardirq"):
    """An interrupt ends the server's sleep."""
    t.off(at, 0, SERVER, why, state)
    t.wake(at + LATE, 0, SERVER, context=context)
    t.on(at + LATE, 0, SERVER)
    return at + LATE + 100


def explain(path, *options):
    done = tap.run([tap.FXTREC, "explain", "--json", path, *options])
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr, "findings": []}


def top(answer):
    f = answer["findings"][0] if answer["findings"] else {}
    return f.get("finding"), round(f.get("share", 0), 2)


CAUSES = (
    ("a lock whose holder runs", {}, lambda t, at: lock(t, at), "lock", 0.99, "ran 100 %"),
    ("a lock whose holder sleeps", {}, lambda t, at: lock(t, at, holder_sleeps=15000), "lock", 0.99, "slept 75 %"),
    ("a lock whose holder waits for a CPU", {}, lambda t, at: lock(t, at, holder_waits=15000), "lock", 0.99, "waited for a CPU 75 % behind hog:20"),
    ("a real-time thread waits for a normal one", {"prio": 20}, lambda t, at: lock(t, at, holder_waits=18000), "priority-inversion", 0.99, "lower priority"),
    ("another thread's answer", {}, lambda t, at: asks(t, at, reason(READ, "pipe", 9)), "other-thread", 0.99, "helper:12"),
    ("another thread's answer, without reasons of sleeps", {"bare": True}, lambda t, at: asks(t, at, ()), "other-thread", 0.99, "helper:12"),
    ("a child", {}, lambda t, at: asks(t, at, reason(WAIT4, "child", HELPER)), "other-thread", 0.99, "helper:12"),
    ("a disk", {}, lambda t, at: alone(t, at, reason(FSYNC, "file", 9, device=8 << 20 | 1), D), "disk", 0.99, "fsync"),
    ("a network", {}, lambda t, at: alone(t, at, reason(45, "socket", 9), S, "softirq"), "network", 0.99, "network"),
    ("a stop", {}, lambda t, at: alone(t, at, [], T, None), "stopped", 0.99, "stopped"),
    ("a neighbour, while all CPUs are busy", {"busy": True}, lambda t, at: behind(HOG, t, at), "neighbour", 1.0, "while hog:20 ran"),
    ("a neighbour, while another CPU is idle", {}, lambda t, at: behind(HOG, t, at), "idle-cpus", 1.0, "another CPU was idle"),
    ("a real-time thread", {"busy": True}, lambda t, at: behind(30, t, at), "real-time", 1.0, "(RT 89)"),
    ("a sleep of its own", {}, lambda t, at: alone(t, at, reason(NANOSLEEP)), "timer", 0.99, "slept by itself"),
    ("a sleep of its own between reads of a pipe", {"idle": reason(READ, "pipe", 5)}, lambda t, at: alone(t, at, reason(NANOSLEEP)),
     "timer", 0.99, "slept by itself"),
    ("its own work between timers", {"idle": reason(NANOSLEEP)}, lambda t, at: at + LATE, "own-work", 1.0, "ran longer"),
    ("its own work", {}, lambda t, at: at + LATE, "own-work", 1.0, "ran longer"),
)


def causes(folder):
    for name, options, meet, finding, share, words in CAUSES:
        t = Trace(**options)
        path = t.requests(lambda at, t=t, meet=meet: meet(t, at)).write(folder, "cause.fxt")
        answer = explain(path)
        found = top(answer)
        text = answer["findings"][0]["text"] if answer["findings"] else answer
        ok(found[0] == finding and abs(found[1] - share) <= 0.015 and words in text, f"{name}: {finding}", (found, text))
        sums = sum(f["ns"] for f in answer["findings"])
        ok(answer.get("answer") == "slow-units" and abs(sums - answer["lateness_ns"]) <= len(answer["findings"]),
           f"{name}: the findings add up to the lateness", (sums, answer.get("lateness_ns")))


def quiet(folder):
    t = Trace()
    answer = explain(t.requests(lambda at: at).write(folder, "quiet.fxt"))
    ok(answer["answer"] == "nothing-late" and answer["findings"] == [] and answer["unit_count"] == COUNT - 1,
       "nothing was late", answer)
    t = Trace()
    path = t.requests(lambda at: at + 900).write(folder, "short.fxt")
    ok(explain(path, "--late=100us")["answer"] == "slow-units", "--late=100us finds it")
    t = Trace()
    path = t.requests(lambda at: at + 400).write(folder, "short.fxt")
    ok(explain(path)["answer"] == "nothing-late", "less than --late is not late")
    late = explain(path, "--late=100us")
    ok(late["answer"] == "nothing-late", "but not where it is less than half of an ordinary one", late.get("text"))
    none = explain(path, "--comm=filler")
    ok("answer" in none and none["answer"] == "nothing-recorded", "a choice without work: not enough was recorded", none)


def always(folder):
    """Each request waits: the explanation is all that it waited for."""
    t = Trace(busy=True)
    for i in range(50):
        at = 1000 + 30000 * i
        t.wake(at, 0, SERVER, context="hardirq")
        t.on(at, 0, SERVER)
        end = behind(HOG, t, at + 500) + WORK
        t.off(end, 0, SERVER, IDLE)
    answer = explain(t.write(folder, "always.fxt"))
    ok(answer["answer"] == "all-units" and top(answer) == ("neighbour", 1.0), "all requests wait behind a neighbour",
       (answer["answer"], top(answer)))


def woken_late(folder):
    """The server's CPU needs LATE to leave an idle state."""
    t = Trace()

    def state(at, number):
        t.step(at, 0, lambda f, ns: f.event(COUNTER, ns, 9, TRACK, "power", "cpu_idle", [("state", number)], extra=0))
    t.step(0, 0, lambda f, ns: f.event(INSTANT, ns, 0, 0, "fxtrec", "processor", [("cpu", Unsigned(0)), ("idle_states", "POLL C1 C6")]))
    for i in range(COUNT):
        at = 1000 + 30000 * i
        late = LATE if i % EACH == EACH - 1 else 0
        state(at - 500, 2)
        t.wake(at, 1, SERVER, target=0, context="hardirq")
        state(at + late, -1)
        t.on(at + late, 0, SERVER)
        t.off(at + late + WORK, 0, SERVER, IDLE)
    answer = explain(t.write(folder, "idle.fxt"))
    ok(top(answer) == ("late-on-idle-cpu", 1.0) and "after the state C6" in answer["findings"][0]["text"],
       "a CPU that leaves its idle state late", (top(answer), answer["findings"][:1]))


def two(folder):
    """Half of the late requests have one cause, half the other one: the slow ones are all late ones."""
    t = Trace()
    number = [0]

    def meet(at):
        number[0] += 1
        return lock(t, at) if number[0] % 2 else alone(t, at, reason(FSYNC, "file", 9, device=8 << 20 | 1), D)
    answer = explain(t.requests(meet).write(folder, "two.fxt"), "--slow=p90")
    shares = {f["finding"]: f["share"] for f in answer["findings"]}
    ok(abs(shares.get("lock", 0) - 0.5) < 0.02 and abs(shares.get("disk", 0) - 0.5) < 0.02, "two causes have half each", shares)


def marks(folder):
    """The durations of a mark; a timer in one of them is its cause."""
    f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
    f.named(SERVER, SERVER, "server", START - 100, leader=True)
    f.cpu(0)
    at = START
    f.switch(at, 0, 0, 120, 1, SERVER, 120)
    for i in range(40):
        f.event(BEGIN, at + 1000, SERVER, SERVER, "user", "job")
        at += 1000000
        if i % 10 == 9:
            f.switch(at, 0, SERVER, 120, 3, 0, 120, why=reason(NANOSLEEP))
            f.wakeup(at + 30000000, 0, SERVER, 120, context="hardirq")
            f.switch(at + 30000000, 0, 0, 120, 1, SERVER, 120)
            at += 30000000
        f.event(END, at, SERVER, SERVER, "user", "job")
    f.switch(at + 1000, 0, SERVER, 120, 3, 0, 120, why=IDLE)
    answer = explain(f.write(folder, "marks.fxt"), "--mark=job")
    ok(answer["unit"] == "mark" and answer["unit_count"] == 40 and top(answer) == ("timer", 1.0), "durations of a mark",
       (answer.get("unit_count"), top(answer)))


def texts(folder):
    t = Trace()
    path = t.requests(lambda at: lock(t, at)).write(folder, "text.fxt")
    text = tap.run([tap.FXTREC, "explain", path]).stdout
    ok("server: 199 requests of 1 thread" in text and "held by helper:12" in text and "fxtrec report --by=lock" in text
       and max(map(len, text.split("\n"))) < 110, "text names the lock, its holder, and a command", text)
    done = tap.run(["sh", "-c", next(line.strip() for line in text.split("\n") if "fxtrec report --by=lock" in line)
                    .replace("fxtrec", tap.FXTREC, 1)])
    ok(done.returncode == 0 and "futex" in done.stdout, "and the command runs", done.stdout + done.stderr)
    markdown = tap.run([tap.FXTREC, "explain", "--markdown", path]).stdout
    ok(markdown.count("\n|") >= 4 and "| 100 % |" in markdown, "markdown has a table", markdown)
    json_ = explain(path)
    page = os.path.join(folder, "text.html")
    tap.run([tap.FXTREC, "page", "-o", page, path])
    with open(page, encoding="utf-8") as f:
        block = re.search(r'id="explain"[^>]*>(.*?)</script>', f.read(), re.S)
    ok(block and json.loads(block[1].replace("\\u003c", "<"))["findings"] == json_["findings"], "a page has the same findings")
    ok(all(set(f) >= {"finding", "text", "share", "uncertainty", "ns", "advice", "command", "causes", "moments"}
           for f in json_["findings"]), "JSON has all members")


with tempfile.TemporaryDirectory() as folder:
    causes(folder)
    quiet(folder)
    always(folder)
    woken_late(folder)
    two(folder)
    marks(folder)
    texts(folder)
tap.done()
