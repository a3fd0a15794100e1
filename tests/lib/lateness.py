# SPDX-License-Identifier: GPL-2.0-only
"""Synthetic traces of a server whose requests are late for known causes.  Each cause takes a known time of a request."""
import json

import tap
from fxtmake import BEGIN, COUNTER, END, EXCEPTION, File, INSTANT, IOWAIT, LOCK, PRIVATE, Unsigned, Unsigned64, reason

START = 10 ** 12
EPOLL, FUTEX, FSYNC, READ, RECVFROM, IOCTL, MADVISE, NANOSLEEP, WAIT4 = 232, 202, 74, 0, 45, 16, 28, 230, 61
R, S, D, T, TRACED, DEAD, PREEMPTED = (1, None), (3, None), (3, "D"), (3, "T"), (3, "t"), (4, None), (1, "R+")
SERVER, HELPER, LOW, HOG, RT, SIBLING, DISPATCHER, CLIENT, FILLER = 11, 12, 15, 20, 30, 80, 84, 85, 90
TRACK = 0x41000000
IRQ, SOFTIRQ = TRACK, TRACK + 0x10000
IDLE, NAP = reason(EPOLL, "epoll", 5), reason(NANOSLEEP)
WORK, LATE, EACH, COUNT = 1000, 20000, 10, 200
NAMES = [(SERVER, HELPER, "helper"), (SERVER, LOW, "low"), (HOG, HOG, "hog"), (RT, RT, "hog-rt"), (31, 31, "hog-dl"),
         (SIBLING, SIBLING, "server"), (SERVER, DISPATCHER, "dispatcher"), (CLIENT, CLIENT, "client"), *((tid, tid, "filler") for tid in range(FILLER, FILLER + 4)), (40, 40, "migration/0"), (41, 41, "migration/1"),
         (50, 50, "kworker/0:1"), (51, 51, "ksoftirqd/0"), (60, 60, "fxtrec"), (60, 61, "drain")] + \
        [(SERVER, tid, "server") for tid in (13, 14)] + [(SERVER, 16 + i, f"pool-{i}") for i in range(3)] + \
        [(SERVER, 70 + i, f"holder-{i}") for i in range(8)] + [(tid, tid, f"program{chr(tid)}") for tid in range(97, 103)] + \
        [(120, tid, "batch") for tid in (120, 121)]
PRIOS = {LOW: 139, RT: 10, 31: -1, 40: 0, 41: 0}


class Trace:
    """Requests of a server on CPU 0; CPU 1 is the helper's.  Times in us."""

    def __init__(self, prio=120, busy=False, idle=IDLE, bare=False, client=0, timed=False):
        self.prio, self.steps, self.now, self.busy, self.idle, self.bare = {**PRIOS, SERVER: prio}, [], 1000, busy, idle, bare
        self.client, self.timed, self.new, self.filled = client, timed, 200, set()
        self.step(0, 1, lambda f, ns: f.switch(ns, 1, 0, 120, 1, FILLER if busy else HELPER, 120))
        if not busy:
            self.off(1, 1, HELPER, NAP)

    def step(self, at, cpu, call):
        self.steps.append((at, len(self.steps), cpu, call))

    def prios(self, *tids):
        return [self.prio.get(tid, 120) for tid in tids]

    def switch(self, at, cpu, prev, state, into, why=()):
        before, after = self.prios(prev, into)
        self.step(at, cpu, lambda f, ns: f.switch(ns, cpu, prev, before, state[0], into, after, state[1], why=() if self.bare else why))

    def off(self, at, cpu, tid, why, state=S):
        self.switch(at, cpu, tid, state, 0, why)

    def on(self, at, cpu, tid):
        self.switch(at, cpu, 0, R, tid)

    def wake(self, at, cpu, tid, waker=0, target=None, context=None, new=False):
        prio, = self.prios(tid)
        target = cpu if target is None else target
        self.step(at, cpu, lambda f, ns: f.wakeup(ns, target, tid, prio, waker=waker, context=context, new=new))

    def event(self, at, cpu, kind, thread, category, name, args=()):
        self.step(at, cpu, lambda f, ns: f.event(kind, ns, thread, thread, category, name, args))

    def runs(self, at, cpu, tid, ns, why=NAP, context="hardirq"):
        """A thread is woken, and runs for a time."""
        self.wake(at, cpu, tid, context=context)
        self.on(at, cpu, tid)
        self.off(at + ns, cpu, tid, why)

    def requests(self, meet, count=COUNT, each=EACH):
        """One in so many meets the cause: meet(at) returns when the server runs again, or ends."""
        for i in range(count):
            # A timer that is due starts the request, and may be late.
            at = self.now + (LATE if self.timed and i % each == each - 1 else 0)
            if self.client:
                # The client asks, sleeps, and is woken by the answer.
                self.runs(at - 10, 3, self.client, 20, reason(READ, "socket", 3))
            self.wake(at, 3 if self.client else 0, SERVER, waker=self.client, target=0,
                      context=None if self.client else "hardirq timer" if self.timed else "hardirq")
            self.on(at, 0, SERVER)
            end = at + WORK
            if i % each == each - 1:
                end = meet(end)
            if self.client:
                self.wake(end - 1, 0, self.client, waker=SERVER, target=3)
                self.on(end - 1, 3, self.client)
                self.off(end + 10, 3, self.client, NAP)
            if self.timed:
                self.timer(end - 1, end + 5000)
            self.off(end, 0, SERVER, self.idle)
            self.now = end + 5000
        return self

    def timer(self, at, due):
        """The server starts a timer, before it sleeps."""
        self.step(at, 0, lambda f, ns: f.event(INSTANT, ns, SERVER, SERVER, "timer", "hrtimer_start", [
            ("expires", Unsigned64(START + 1000 * due)), ("softexpires", Unsigned64(START + 1000 * due))]))

    def write(self, folder, name, names=()):
        last = max(at for at, *_ in self.steps)
        self.off(last + 10, 1, FILLER if self.busy else 0, NAP if self.busy else ())
        f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
        f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a"), ("throttling", "threads")])
        f.named(SERVER, SERVER, "server", START - 100, leader=True)
        for pid, tid, title in (*NAMES, *names):
            f.named(pid, tid, title, START - 100, leader=pid == tid)
        ns = START
        for at, _, cpu, call in sorted(self.steps, key=lambda s: s[:2]):
            # No two events have one time, which formats with a buffer for each CPU would mix.
            ns = max(ns + 1, START + 1000 * at)
            call(f.cpu(cpu), ns)
        return f.write(folder, name)


def behind(t, at, late=LATE, tids=(HOG,), free=False):
    """The server is preempted by threads in turn; CPU 1 is busy meanwhile, or free."""
    if not free and not t.busy:
        t.wake(at - 1, 1, FILLER, context="hardirq")
        t.on(at - 1, 1, FILLER)
        t.off(at + late + 1, 1, FILLER, NAP)
    before, why = SERVER, ()
    for i, tid in enumerate(tids):
        since = at + i * late // len(tids)
        t.wake(since, 0, tid, waker=before, context="hardirq")
        t.switch(since, 0, before, S if i else PREEMPTED, tid, why)
        before, why = tid, NAP
    t.switch(at + late, 0, before, S, SERVER, NAP)
    return at + late + 10


def forks(t, at, late=LATE, count=12):
    """The server waits behind processes that live for a moment."""
    first = t.new
    t.new += count
    t.wake(at - 1, 1, FILLER, context="hardirq")
    t.on(at - 1, 1, FILLER)
    t.off(at + late + 1, 1, FILLER, NAP)
    for i in range(count):
        since, tid = at + i * late // count, first + i
        t.wake(since, 1, tid, waker=FILLER, target=0, new=True)
        t.step(since, 0, lambda f, ns, tid=tid: f.named(tid, tid, "compile", ns, leader=True))
        t.switch(since, 0, tid - 1 if i else SERVER, DEAD if i else PREEMPTED, tid)
    t.switch(at + late, 0, first + count - 1, DEAD, SERVER)
    return at + late + 10


def kworker(t, at, late=LATE):
    t.event(at, 0, INSTANT, 50, "workqueue", "workqueue_execute_start", [("function", "flush_all")])
    end = behind(t, at, late, (50,))
    t.event(at + late, 0, INSTANT, 50, "workqueue", "workqueue_execute_end", [("function", "flush_all")])
    return end


def throttled(t, at, late=LATE):
    """The server's group has used its quota."""
    t.event(at, 0, INSTANT, SERVER, "sched", "throttle_thread", [("cgroup_id", Unsigned64(7000))])
    t.switch(at + 1, 0, SERVER, R, 0)
    t.event(at + late, 0, INSTANT, SERVER, "sched", "unthrottle_thread", [("cgroup_id", Unsigned64(7000))])
    t.on(at + late + 1, 0, SERVER)
    return at + late + 10


def interrupts(t, at, late=LATE, track=IRQ, name="disk"):
    """An interrupt's handler ends a short sleep of the server, and goes on."""
    t.off(at, 0, SERVER, reason(READ, "pipe", 9))
    t.event(at + 5, 0, BEGIN, track, "irq", name)
    t.wake(at + 10, 0, SERVER, context="softirq" if track == SOFTIRQ else "hardirq")
    t.event(at + late, 0, END, track, "irq", name)
    t.on(at + late + 1, 0, SERVER)
    return at + late + 10


def woken_late(t, at, late=LATE, state=None):
    """A CPU is idle, and the server doesn't come to it."""
    def power(at, number):
        t.step(at, 0, lambda f, ns: f.event(COUNTER, ns, 9, TRACK, "power", "cpu_idle", [("state", number)], extra=0))
    t.off(at, 0, SERVER, reason(READ, "pipe", 9))
    if state is not None:
        power(at + 2, state)
    t.runs(at + 5, 1, HELPER, 20)
    t.wake(at + 10, 1, SERVER, waker=HELPER, target=0)
    if state is not None:
        power(at + late, -1)
    t.on(at + late, 0, SERVER)
    return at + late + 10


def lock(t, at, late=LATE, holder_waits=0, holder_sleeps=0, holder=HELPER, call=FUTEX, kind="futex", tail=100, item=77):
    """The helper holds a lock, on its CPU."""
    held = reason(call, kind, item, flags=LOCK, operation=PRIVATE if kind == "futex" else 0, holder=holder)
    t.wake(at - 100, 1, holder, context="hardirq")
    t.on(at - 100, 1, holder)
    t.off(at, 0, SERVER, held)
    if holder_sleeps:
        t.off(at + 10, 1, holder, NAP)
        t.wake(at + 10 + holder_sleeps, 1, holder, context="hardirq")
        t.on(at + 10 + holder_sleeps, 1, holder)
    if holder_waits:
        t.wake(at + 10, 1, HOG, waker=holder, context="hardirq")
        t.switch(at + 10, 1, holder, PREEMPTED, HOG)
        t.switch(at + 10 + holder_waits, 1, HOG, S, holder, NAP)
    t.wake(at + late, 1, SERVER, waker=holder, target=0)
    t.on(at + late, 0, SERVER)
    t.off(at + late + 5, 1, holder, NAP)
    return at + late + tail


def convoy(t, at, late=LATE, count=4, kind="futex"):
    """A lock goes from thread to thread, and comes to the server last."""
    tids = [70 + i for i in range(count)]
    held = reason(FUTEX, kind, 78, flags=LOCK, operation=PRIVATE if kind == "futex" else 0, holder=tids[0])
    for i, tid in enumerate(tids[1:]):
        t.runs(at - 300 + 20 * i, 1, tid, 10, held)
    t.wake(at - 50, 1, tids[0], context="hardirq")
    t.on(at - 50, 1, tids[0])
    t.off(at, 0, SERVER, held)
    for i, tid in enumerate(tids):
        end = at + (i + 1) * late // count
        following = tids[i + 1] if i + 1 < count else SERVER
        t.wake(end, 1, following, waker=tid, target=0 if following == SERVER else 1)
        t.switch(end + 1, 1, tid, S, 0 if following == SERVER else following, NAP)
    t.on(at + late, 0, SERVER)
    return at + late + 10


def asks(t, at, late=LATE, why=None, helper=HELPER, unasked=False, tail=100):
    """Another thread works while the server waits for its answer; or without having been asked."""
    t.wake(at, 0, helper, waker=SERVER, target=1, context="hardirq" if unasked else None)
    t.on(at, 1, helper)
    t.off(at + 1, 0, SERVER, reason(READ, "pipe", 9) if why is None else why)
    t.wake(at + late, 1, SERVER, waker=helper, target=0)
    t.on(at + late, 0, SERVER)
    t.off(at + late + 5, 1, helper, NAP)
    return at + late + tail


def latch(t, at, late=LATE, epoll=5, timeout=0):
    """The server waits for another process of its program, and may have a timeout."""
    if timeout:
        t.off(at, 0, SERVER, reason(EPOLL, "epoll", epoll))
        t.wake(at + timeout, 0, SERVER, context="hardirq timer")
        t.on(at + timeout, 0, SERVER)
        at, late = at + timeout + 20, late - timeout
    return asks(t, at, late, reason(EPOLL, "epoll", epoll), SIBLING, unasked=True)


def monitor(t, at, late=LATE):
    """A worker, which a thread of its process gives work, waits at a condition variable for another thread."""
    return asks(t, at, late, reason(FUTEX, "futex", 98, operation=PRIVATE), unasked=True)


def alone(t, at, late=LATE, why=(), state=S, context="hardirq", tail=100):
    """An interrupt ends the server's sleep."""
    t.off(at, 0, SERVER, why, state)
    t.wake(at + late, 0, SERVER, context=context)
    t.on(at + late, 0, SERVER)
    return at + late + tail


def queue(t, at, late=LATE, count=2):
    """All workers of a pool are busy since before the request started; the first one works for the server then."""
    def work(cpu, since, until):
        t.wake(since, cpu, cpu + 14, waker=cpu + 89, context="hardirq")
        t.switch(since, cpu, cpu + 89, PREEMPTED, cpu + 14)
        t.switch(until, cpu, cpu + 14, S, cpu + 89, reason(FUTEX, "futex", 99, operation=PRIVATE))
    for cpu in range(2, 2 + count):
        # Another program has these CPUs all the time.
        if cpu not in t.filled:
            t.on(2, cpu, cpu + 89)
            t.filled.add(cpu)
        work(cpu, at - WORK - 3000, at - WORK - 2990)
        work(cpu, at - WORK - 50, at + late if cpu > 2 else at + late + 6)
    t.off(at, 0, SERVER, reason(READ, "pipe", 9))
    t.wake(at + late + 1, 2, SERVER, waker=16, target=0)
    t.on(at + late + 1, 0, SERVER)
    return at + late + 10


def slack(t, at, late=LATE):
    """A timer in a request expires late."""
    t.timer(at, at + 10)
    return alone(t, at + 1, late, NAP, context="hardirq timer", tail=10)


def moves(t, at, late=LATE, step=250, stopper=False, calls=False):
    """The server works on, and is moved to the other CPU and back again and again; or changes its CPUs itself, and is asleep."""
    cpu, count = 0, late // step // 2 * 2
    for i in range(count):
        since, other = at + (i + 1) * late // count - 40, 1 - cpu
        if stopper:
            t.wake(since, cpu, 40 + cpu, waker=SERVER)
            t.switch(since, cpu, SERVER, D if calls else PREEMPTED, 40 + cpu, reason(203) if calls else ())
        else:
            t.switch(since, cpu, SERVER, R, 0)
        t.step(since + (2 if calls else 30 if stopper else 1), cpu, lambda f, ns, cpu=cpu, other=other: f.migrate(ns, cpu, SERVER, SERVER, t.prio[SERVER], cpu, other))
        if calls:
            # A kernel with delayed dequeue moves it before it wakes it.
            t.wake(since + 4, cpu, SERVER, waker=40 + cpu, target=other)
        if stopper:
            t.switch(since + 31, cpu, 40 + cpu, S, 0)
        t.on(since + 32 if stopper else since + 3, other, SERVER)
        cpu = other
    return at + late


def stolen(t, at, late=LATE, pieces=1):
    """The server is on its CPU, and the scheduler counts none of the time."""
    for i in range(pieces + 1):
        t.event(at + i * late // pieces, 0, INSTANT, SERVER, "sched", "sched_stat_runtime",
                [("comm", "server"), ("pid", SERVER), ("runtime", Unsigned64(0 if i else 10 ** 9))])
    return at + late


# The finding, its cause, whether the server wakes anything but itself, and the options of a trace with this cause alone.
CAUSES = {
    "work": ("own-work", lambda t, at, late: at + late),
    "work between timers": ("own-work", lambda t, at, late: at + late, {"idle": NAP}),
    "moves": ("migrations", moves),
    "moves by stoppers": ("migrations", lambda t, at, late: moves(t, at, late, stopper=True)),
    "moves by its own calls": ("migrations", lambda t, at, late: moves(t, at, late, stopper=True, calls=True)),
    "steal": ("stolen", stolen),
    "steal in pieces": ("stolen", lambda t, at, late: stolen(t, at, late, 4)),
    "crowd of its own threads": ("too-many-threads", lambda t, at, late: behind(t, at, late, (13, 14))),
    "crowd of programs": ("too-many-threads", lambda t, at, late: behind(t, at, late, (97, 98, 99, 100))),
    "a free CPU": ("idle-cpus", lambda t, at, late: behind(t, at, late, free=True)),
    "a free CPU, and a batch": ("idle-cpus", lambda t, at, late: behind(t, at, late, (120, 121), free=True)),
    "hog": ("neighbour", behind),
    "batch": ("neighbour", lambda t, at, late: behind(t, at, late, (120, 121))),
    "forks": ("fork-storm", forks),
    "more forks": ("fork-storm", lambda t, at, late: forks(t, at, late, 30)),
    "real-time hog": ("real-time", lambda t, at, late: behind(t, at, late, (RT,))),
    "deadline hog": ("real-time", lambda t, at, late: behind(t, at, late, (31,))),
    "kworker": ("kernel-thread", kworker),
    "ksoftirqd": ("kernel-thread", lambda t, at, late: behind(t, at, late, (51,))),
    "recorder": ("tracer", lambda t, at, late: behind(t, at, late, (60,))),
    "recorder's thread": ("tracer", lambda t, at, late: behind(t, at, late, (61,))),
    "quota": ("throttled", throttled),
    "quota in halves": ("throttled", lambda t, at, late: throttled(t, throttled(t, at, late // 2), late // 2)),
    "interrupt": ("interrupts", interrupts),
    "softirq": ("interrupts", lambda t, at, late: interrupts(t, at, late, SOFTIRQ, "NET_RX")),
    "idle CPU": ("late-on-idle-cpu", woken_late),
    "idle state": ("late-on-idle-cpu", lambda t, at, late: woken_late(t, at, late, 2)),
    "lock": ("lock", lock),
    "lock of a sleeping holder": ("lock", lambda t, at, late: lock(t, at, late, holder_sleeps=late // 2)),
    "lock whose holder waits for a CPU": ("lock", lambda t, at, late: lock(t, at, late, late * 3 // 4)),
    "lock of the kernel": ("lock", lambda t, at, late: lock(t, at, late, call=READ, kind="mutex")),
    "convoy": ("convoy", convoy),
    "long convoy": ("convoy", lambda t, at, late: convoy(t, at, late, 8, "mutex")),
    "holder of low weight": ("priority-inversion", lambda t, at, late: lock(t, at, late, late - 100, holder=LOW, item=79)),
    "real-time thread's holder": ("priority-inversion", lambda t, at, late: lock(t, at, late, late - 100), {"prio": 20}),
    "fsync": ("disk", lambda t, at, late: alone(t, at, late, reason(FSYNC, "file", 9, device=8 << 20 | 1), D)),
    "read of a file": ("disk", lambda t, at, late: alone(t, at, late, reason(READ, "file", 10, device=8 << 20 | 1, flags=IOWAIT), D)),
    "peer": ("network", lambda t, at, late: alone(t, at, late, reason(RECVFROM, "socket", 9), S, "softirq")),
    "peer of a read": ("network", lambda t, at, late: alone(t, at, late, reason(READ, "inet", 9), S, "softirq")),
    "page fault": ("memory", lambda t, at, late: alone(t, at, late, reason(entry=EXCEPTION), D)),
    "madvise": ("memory", lambda t, at, late: alone(t, at, late, reason(MADVISE), D)),
    "answer": ("other-thread", asks),
    "child": ("other-thread", lambda t, at, late: asks(t, at, late, reason(WAIT4, "child", HELPER))),
    "sibling's latch": ("other-thread", lambda t, at, late: latch(t, at, late, 6)),
    "sibling's latch with a timeout": ("other-thread", lambda t, at, late: latch(t, at, late, 6, late * 3 // 4)),
    "monitor": ("other-thread", monitor, {"client": DISPATCHER, "idle": reason(FUTEX, "futex", 99, operation=PRIVATE)}),
    "answer without reasons": ("other-thread", asks, {"bare": True}),
    "sibling's latch without reasons": ("other-thread", lambda t, at, late: asks(t, at, late, (), SIBLING, unasked=True), {"bare": True}),
    "latch on the epoll of its requests": ("other-thread", latch, {"client": CLIENT}),
    "pool of two": ("too-few-workers", queue),
    "pool of three": ("too-few-workers", lambda t, at, late: queue(t, at, late, 3)),
    "sleep": ("timer", lambda t, at, late: alone(t, at, late, NAP, context="hardirq timer")),
    "sleep between reads": ("timer", lambda t, at, late: alone(t, at, late, NAP), {"idle": reason(READ, "pipe", 5)}),
    "late timer": ("timer-slack", slack),
    "late timer before a request": ("timer-slack", lambda t, at, late: at, {"idle": NAP, "timed": True}),
    "stop": ("stopped", lambda t, at, late: alone(t, at, late, [], T, None)),
    "trace": ("stopped", lambda t, at, late: alone(t, at, late, [], TRACED, None)),
    "ioctl": ("kernel", lambda t, at, late: alone(t, at, late, reason(IOCTL, "anonymous", 4), D)),
    "anonymous read": ("kernel", lambda t, at, late: alone(t, at, late, reason(READ, "anonymous", 4), D)),
    "no reason": ("blocked", lambda t, at, late: alone(t, at, late, (), D), {"bare": True}),
}


def explain(path, *options):
    done = tap.run([tap.FXTREC, "explain", "--json", path, *options])
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr, "findings": []}


def top(answer):
    f = answer["findings"][0] if answer["findings"] else {}
    return f.get("finding"), round(f.get("share", 0), 2)
