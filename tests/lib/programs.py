# SPDX-License-Identifier: GPL-2.0-only
"""Programs on a synthetic machine: each thread is a generator that runs, sleeps and waits; a trace of all of it."""
import heapq

from fxtmake import File, INSTANT, reason

START = 10 ** 12
EPOLL, FUTEX, READ, WRITE, NANOSLEEP, WAIT4 = 232, 202, 0, 1, 230, 61
NAP = reason(NANOSLEEP)
SLICE = 3000


class Thread:
    def __init__(self, tid, pid, name, body):
        self.tid, self.pid, self.name, self.body = tid, pid, name, body
        self.cpu, self.left, self.asleep = 0, 0, True


class Machine:
    """Threads in the order of their wakeups; times in us.  A body yields ("run", us), ("sleep", us, why) or ("wait", channel,
    why); a channel counts its posts."""

    def __init__(self, cpus=2):
        self.now, self.heap, self.steps, self.count = 0, [], [], 0
        self.cpus, self.queue, self.threads = [None] * cpus, [], []
        self.posts, self.waiters = {}, {}

    def at(self, time, call):
        self.count += 1
        heapq.heappush(self.heap, (time, self.count, call))

    def step(self, cpu, call):
        self.steps.append((self.now, cpu, call))

    def start(self, tid, pid, name, body, at=0):
        thread = Thread(tid, pid, name, body(self) if callable(body) else body)
        self.threads.append(thread)
        self.at(at, lambda: self.wake(thread, None, "hardirq"))
        return thread

    def wake(self, thread, waker, context=None):
        """A thread can run from now on: on its CPU, or on an idle one."""
        thread.asleep = False
        free = [cpu for cpu, current in enumerate(self.cpus) if current is None]
        by = waker.cpu if waker else thread.cpu
        # An interrupt hits the thread that runs.
        hit = self.cpus[by].tid if self.cpus[by] else 0
        self.step(by, lambda f, ns, cpu=thread.cpu: f.wakeup(ns, cpu, thread.tid, 120, waker=hit, context=context))
        if not free:
            self.queue.append(thread)
            return
        cpu = thread.cpu if thread.cpu in free else free[0]
        self.come(thread, cpu)
        self.step(cpu, lambda f, ns: f.switch(ns, cpu, 0, 120, 1, thread.tid, 120))
        self.go(thread)

    def come(self, thread, cpu):
        if cpu != thread.cpu:
            self.step(cpu, lambda f, ns, was=thread.cpu: f.migrate(ns, cpu, thread.pid, thread.tid, 120, was, cpu))
        thread.cpu, self.cpus[cpu] = cpu, thread

    def leave(self, thread, state, letter=None, why=()):
        cpu, following = thread.cpu, self.queue.pop(0) if self.queue else None
        self.cpus[cpu] = None
        if following:
            self.come(following, cpu)
        self.step(cpu, lambda f, ns: f.switch(ns, cpu, thread.tid, 120, state, following.tid if following else 0, 120, letter, why=why))
        if following:
            self.at(self.now, lambda: self.go(following))

    def go(self, thread):
        """Continues a thread, which has its CPU."""
        while not thread.left:
            op = next(thread.body, ("sleep", 10 ** 9, NAP))
            if op[0] == "run":
                thread.left = max(1, round(op[1]))
            elif op[0] == "sleep":
                thread.asleep = True
                self.at(self.now + max(1, round(op[1])), lambda: self.wake(thread, None, "hardirq timer"))
                self.leave(thread, 3, None, op[2])
                return
            elif self.posts.get(op[1], 0):
                self.posts[op[1]] -= 1
            else:
                thread.asleep = True
                self.waiters.setdefault(op[1], []).append(thread)
                self.leave(thread, 3, None, op[2])
                return
        ns = min(thread.left, SLICE)
        thread.left -= ns
        self.at(self.now + ns, lambda: self.ran(thread))

    def ran(self, thread):
        if thread.left and self.queue:
            self.queue.append(thread)
            self.leave(thread, 1, "R+")
        else:
            self.go(thread)

    def post(self, channel, by=None, context=None):
        """Wakes a thread that waits for the channel, or counts the post; without a thread, an interrupt does."""
        waiting = self.waiters.get(channel)
        if not waiting:
            self.posts[channel] = self.posts.get(channel, 0) + 1
        else:
            self.wake(waiting.pop(0), by, context if by else context or "softirq")

    def write(self, folder, name, until):
        while self.heap and self.heap[0][0] < until:
            self.now, _, call = heapq.heappop(self.heap)
            call()
        f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
        f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")])
        for t in self.threads:
            f.named(t.pid, t.tid, t.name, START - 100, leader=t.pid == t.tid)
        last = START
        for at, cpu, call in self.steps:
            # Events of one time keep their order.
            last = max(last + 1, START + 1000 * at)
            call(f.cpu(cpu), last)
        return f.write(folder, name)


def every(m, period, call, jitter=lambda: 0):
    """Calls in each period, with a jitter."""
    def again():
        call()
        m.at(m.now + max(1, round(period + jitter())), again)
    m.at(period, again)


def periodic(m, rng):
    """A worker that a timer wakes, with work that varies."""
    def body():
        while True:
            yield ("run", rng.uniform(800, 2500))
            yield ("sleep", 10000, NAP)
    m.start(11, 11, "periodic", body())


def server(m, rng, mean=3000, period=15000):
    """A server whose service times are exponential, as the distances of its requests are."""
    def body():
        while True:
            yield ("wait", "request", reason(EPOLL, "epoll", 5))
            yield ("run", rng.expovariate(1 / mean))
    m.start(11, 11, "server", body())
    every(m, 1, lambda: m.post("request"), lambda: rng.expovariate(1 / period))


def pool(m, rng):
    """Four workers with exponential service times, and a thread that gives each request to one of them."""
    wait = reason(FUTEX, "futex", 99, operation=0x80)

    def dispatcher():
        while True:
            yield ("wait", "request", reason(EPOLL, "epoll", 5))
            yield ("run", 50)
            m.post("work", first)

    def worker():
        while True:
            yield ("wait", "work", wait)
            yield ("run", rng.expovariate(1 / 2500))
    first = m.start(11, 11, "dispatcher", dispatcher())
    for i in range(4):
        m.start(12 + i, 11, f"worker-{i}", worker())
    every(m, 4000, lambda: m.post("request"), lambda: rng.uniform(-1000, 1000))


def pipeline(m, rng):
    """Three stages with pipes between them, each with work that varies."""
    threads = []

    def stage(i, mean):
        while True:
            yield ("wait", f"pipe {i}", reason(READ, "pipe", 10 + i))
            yield ("run", rng.uniform(0.5, 1.5) * mean)
            m.post(f"pipe {i + 1}", threads[i])
    for i, mean in enumerate((500, 1500, 1000)):
        threads.append(m.start(11 + i, 11 + i, f"stage{chr(97 + i)}", stage(i, mean)))
    every(m, 5000, lambda: m.post("pipe 0"))


def batch(m, rng):
    """A job that computes, and reads a file now and then."""
    def body():
        for _ in range(200):
            yield ("run", rng.uniform(5000, 15000))
            yield ("sleep", 200, reason(READ, "file", 9, device=8 << 20 | 1))
    m.start(11, 11, "batch", body())


def daemons(m, rng):
    """Daemons that sleep, and look around now and then."""
    def body(period):
        while True:
            yield ("run", rng.uniform(50, 200))
            yield ("sleep", period, reason(EPOLL, "epoll", 5))
    for i, name in enumerate(("cron", "acpid", "journal")):
        m.start(11 + i, 11 + i, name, body(100000 * (i + 1)), 100 * i)


def calls(m, rng):
    """A client that thinks, asks a server through a pipe, and waits for its answer."""
    def client():
        while True:
            yield ("sleep", rng.uniform(3000, 6000), NAP)
            yield ("run", 100)
            m.post("ask", a)
            yield ("wait", "answer", reason(READ, "pipe", 9))

    def answering():
        while True:
            yield ("wait", "ask", reason(READ, "pipe", 8))
            yield ("run", rng.expovariate(1 / 1500))
            m.post("answer", b)
    a, b = m.start(11, 11, "client", client()), m.start(12, 12, "server", answering())


def loop(m, rng):
    """An event loop that the network wakes, and after a long time another process of its program, or its own threads."""
    def body():
        while True:
            yield ("wait", "loop", reason(EPOLL, "epoll", 5))
            yield ("run", rng.uniform(200, 400))

    def posting(tid, pid, period):
        def forever():
            while True:
                yield ("sleep", rng.uniform(0.5, 1.5) * period, NAP)
                yield ("run", 50)
                m.post("loop", thread)
        thread = m.start(tid, pid, "loop" if tid == pid else "helper", forever())
    m.start(11, 11, "loop", body())
    posting(12, 12, 70000)
    posting(13, 11, 90000)
    every(m, 20000, lambda: m.post("loop"), lambda: rng.uniform(-15000, 15000))


def followers(m, rng):
    """Threads that take turns at the network: one waits for it, the others wait for their turn, as in a Go program."""
    turn = reason(FUTEX, "futex", 99, operation=0x80)

    def body(me):
        while True:
            yield ("wait", "turn", turn)
            yield ("wait", "network", reason(EPOLL, "epoll", 5))
            m.post("turn", threads[me])
            yield ("run", rng.uniform(300, 900))
    threads = [m.start(11 + i, 11, "follower", body(i)) for i in range(3)]
    m.at(1, lambda: m.post("turn"))
    every(m, 10000, lambda: m.post("network"), lambda: rng.uniform(-8000, 8000))


def mutex(m, rng):
    """Threads that hold a lock for a moment, and meet at it now and then."""
    held = reason(FUTEX, "futex", 77, flags=0x200000, operation=0x80, holder=11)

    def body(me):
        while True:
            yield ("sleep", rng.uniform(3000, 6000), reason(EPOLL, "epoll", 5 + me))
            yield ("run", 500)
            yield ("wait", "lock", held)
            yield ("run", 100)
            m.post("lock", threads[me])
            yield ("run", 500)
    threads = [m.start(11 + i, 11, f"thread-{i}", body(i)) for i in range(2)]
    m.at(1, lambda: m.post("lock"))


def prefork(m, rng):
    """A parent that gives work to processes of its program, which answer by a signal."""
    def parent():
        while True:
            yield ("wait", "request", reason(EPOLL, "epoll", 5))
            yield ("run", 50)
            m.post("work", first)

    def child():
        while True:
            yield ("wait", "work", reason(EPOLL, "epoll", 6))
            yield ("run", rng.uniform(1000, 3000))
    first = m.start(11, 11, "prefork", parent())
    for i in range(3):
        m.start(12 + i, 12 + i, "prefork", child())
    every(m, 6000, lambda: m.post("request"), lambda: rng.uniform(-2000, 2000))


def build(m, rng):
    """A make that starts compilers, and waits for them."""
    def make():
        for _ in range(150):
            yield ("run", 300)
            m.post("start", first)
            yield ("wait", "end", reason(WAIT4, "child", 12))

    def compiler():
        while True:
            yield ("wait", "start", NAP)
            yield ("run", rng.uniform(5000, 25000))
            m.post("end", second)
    first, second = m.start(11, 11, "make", make()), m.start(12, 12, "compiler", compiler())


def conditions(m, rng):
    """A worker that gets items one by one, and after a batch of them waits for the next batch; both come from threads of its
    process."""
    def worker():
        while True:
            yield ("wait", "batch", reason(FUTEX, "futex", 98, operation=0x80))
            for _ in range(20):
                yield ("wait", "item", reason(FUTEX, "futex", 99, operation=0x80))
                yield ("run", 300)

    def source():
        while True:
            yield ("sleep", rng.uniform(50000, 150000), NAP)
            m.post("batch", second)
            for _ in range(20):
                yield ("run", rng.uniform(300, 600))
                m.post("item", second)
    m.start(11, 11, "worker", worker())
    second = m.start(12, 11, "source", source())


pool.cpus = 4
QUIET = (periodic, server, pool, pipeline, batch, daemons, calls, loop, followers, mutex, prefork, build, conditions)
