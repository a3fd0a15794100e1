# SPDX-License-Identifier: GPL-2.0-only
"""A made-up machine that schedules threads at random: its trace, and what each thread did in truth."""
from fxtmake import COMPLETE, INSTANT, MIGRATIONS, File, Koid, Unsigned

START = 1_000_000_000_000
LOSSES = 0x40000000
CONTEXTS = (None, None, None, "softirq", "hardirq", "nmi")
LETTERS = {"sleep": (3, None), "blocked": (3, "D"), "stopped": (2, None), "dead": (5, None),
           "runnable": (1, None), "preempted": (1, "R+")}


class Thread:
    """One life of an id: its phases as [(phase, from, to, cpu)]."""

    def __init__(self, tid, time, phase, cpu=0, born=False):
        self.tid, self.phase, self.since, self.cpu = tid, phase, time, cpu
        self.born, self.begin, self.end = born, time, None
        self.past = []
        self.half = None    # woken on its CPU: "leaves" as runnable, or "stays" and sleeps later

    def turn(self, phase, time, cpu=None):
        if time > self.since:
            self.past.append((self.phase, self.since, time, self.cpu))
        self.phase, self.since = phase, time
        if cpu is not None:
            self.cpu = cpu


class Machine:
    """Steps at random times; each is an event of one CPU."""

    def __init__(self, rng, cpus, threads, steps, migrations=True, births=True, reasons=None):
        """reasons: returns why a thread of this machine goes to sleep."""
        self.reasons = reasons
        self.rng, self.time = rng, START
        self.events = []            # (time, cpu, what, arguments)
        self.cpus = [None] * cpus   # the thread that runs
        self.idle_since = [START] * cpus
        self.busy = []              # (cpu, thread or None, from, to)
        self.migrations, self.births = migrations, births
        self.chosen_threads, self.chosen_queues, self.left_out = False, False, set()
        self.tids = list(range(100, 100 + threads))
        self.live = [Thread(tid, START, rng.choice(("sleep", "blocked", "wait_preempted")),
                            rng.randrange(cpus)) for tid in self.tids]
        self.dead, self.free = [], []
        self.counts = {"switches": 0, "wakeups": 0, "migrations": 0}
        for _ in range(steps):
            self.time += rng.choice((1, 7, 1000, rng.randrange(1, 200_000)))
            self.step()
        self.time += 1
        # Each CPU ends with an event, so that all is known up to the end.
        self.end = self.time
        for thread in self.live:
            # Only what comes next would say whether it sleeps.
            if thread.half and thread.phase != "run":
                thread.phase = "unknown"
            thread.turn("end", self.end)
            thread.end = self.end
        for cpu, current in enumerate(self.cpus):
            self.busy.append((cpu, current, self.idle_since[cpu], self.end))

    def waiting(self, cpu):
        return [t for t in self.live if t.phase.startswith("wait") and t.cpu == cpu]

    def step(self):
        cpu = self.rng.randrange(len(self.cpus))
        asleep = [t for t in self.live if t.phase in ("sleep", "blocked", "stopped")]
        what = self.rng.random()
        if what < 0.35 and asleep:
            self.wake(cpu, self.rng.choice(asleep))
        elif what < 0.40 and self.births and self.cpus[cpu]:
            self.birth(cpu)
        elif what < 0.47 and self.migrations:
            self.migrate(cpu)
        elif what < 0.50:
            self.wake_running(cpu)
        else:
            self.switch(cpu)

    def emit(self, cpu, what, **arguments):
        self.events.append((self.time, cpu, what, arguments))

    def wake(self, cpu, thread):
        waker, context = self.cpus[cpu], self.rng.choice(CONTEXTS)
        # Every other one of those that can be is a timer's.
        if context in ("softirq", "hardirq") and self.counts["wakeups"] % 2:
            context += " timer"
        self.emit(cpu, "wakeup", thread=thread.tid, target=thread.cpu, waker=waker.tid if waker else 0, context=context)
        thread.turn("wait_wakeup", self.time)
        thread.half = None
        self.counts["wakeups"] += 1

    def wake_running(self, cpu):
        """A thread that was about to sleep, and has not left its CPU."""
        running = [t for c, t in enumerate(self.cpus) if t and c != cpu]
        if not running:
            return
        thread, waker = self.rng.choice(running), self.cpus[cpu]
        self.emit(cpu, "wakeup", thread=thread.tid, target=thread.cpu, waker=waker.tid if waker else 0,
                  context=None, on_cpu=True)
        thread.half = self.rng.choice(("leaves", "stays"))
        self.counts["wakeups"] += 1

    def birth(self, cpu):
        tid = self.free.pop() if self.free and self.rng.random() < 0.7 else max(
            [t.tid for t in self.live + self.dead]) + 1
        thread = Thread(tid, self.time, "wait_wakeup", self.rng.randrange(len(self.cpus)), born=True)
        self.live.append(thread)
        self.emit(cpu, "wakeup", thread=tid, target=thread.cpu, waker=self.cpus[cpu].tid, context=None, new=True)
        self.counts["wakeups"] += 1

    def migrate(self, cpu):
        waiting = [t for t in self.live if t.phase.startswith("wait")]
        if not waiting or len(self.cpus) < 2:
            return
        thread = self.rng.choice(waiting)
        to = self.rng.choice([c for c in range(len(self.cpus)) if c != thread.cpu])
        self.emit(cpu, "migrate", thread=thread.tid, frm=thread.cpu, to=to)
        thread.turn(thread.phase, self.time, to)
        thread.half = None      # only what can run is moved
        self.counts["migrations"] += 1

    def switch(self, cpu):
        prev, waiting = self.cpus[cpu], self.waiting(cpu)
        following = self.rng.choice(waiting) if waiting and self.rng.random() < 0.9 else None
        if following is prev:
            return
        letter = "runnable"
        if prev and prev.half == "leaves":
            letter = self.rng.choice(("sleep", "blocked"))
        elif prev:
            letter = self.rng.choice(("sleep", "sleep", "blocked", "stopped", "runnable", "preempted") +
                                     (("dead",) if self.births else ()))
        why = self.reasons(self) if self.reasons and letter in ("sleep", "blocked", "stopped") else ()
        self.emit(cpu, "switch", prev=prev.tid if prev else 0, letter=letter,
                  next=following.tid if following else 0, why=why)
        self.counts["switches"] += 1
        self.busy.append((cpu, prev, self.idle_since[cpu], self.time))
        self.idle_since[cpu] = self.time
        if prev:
            if letter == "dead":
                prev.turn("dead", self.time)
                prev.end = self.time
                self.live.remove(prev)
                self.dead.append(prev)
                self.free.append(prev.tid)
            elif prev.half == "leaves":
                prev.turn("wait_wakeup", self.time)
            elif letter in ("runnable", "preempted"):
                prev.turn("wait_preempted", self.time)
                prev.half = None
            else:
                prev.turn(letter, self.time)
        if following:
            following.turn("run", self.time, cpu)
            following.half = None
        self.cpus[cpu] = following

    def threads(self):
        return self.dead + self.live

    def filter(self, tids=None, cpus=None):
        """
        Leaves out what a filter does, of some ids, each of which is chosen and isn't any more at random times,
        or of CPUs: the last thing that is done to it.
        """
        self.left_out = set(range(len(self.cpus))) - cpus if cpus else set()
        self.chosen_threads = tids is not None
        if cpus:
            self.events = [(time, cpu, what, a) for time, cpu, what, a in self.events if cpu in cpus or (
                what == "wakeup" and a["target"] in cpus) or (what == "migrate" and {a["frm"], a["to"]} & cpus)]
        if self.chosen_threads:
            self.choose(tids)

    def choose(self, tids):
        chosen, kept, before = set(tids), [], (START, 0)
        for time, cpu, what, a in self.events:
            if self.rng.random() < 0.05:
                tid = self.rng.choice(self.tids)
                if tid in chosen:
                    # Between two events; at the time of one, only the order on its CPU says so.
                    at = (time - 1, cpu) if before[0] < time - 1 else before
                    kept.append((*at, "unchosen", {"thread": tid}))
                chosen ^= {tid}
            before = time, cpu
            concerned = (a["prev"], a["next"]) if what == "switch" else (a["thread"],)
            if chosen & set(concerned):
                if what == "switch":
                    a = dict(a, unchosen=("outgoing" if a["prev"] not in chosen else
                                          "incoming" if a["next"] not in chosen else None))
                kept.append((time, cpu, what, a))
        self.events = kept

    def filter_queues(self, tids, changes=False):
        """
        Leaves out what fxtrec's own filter does: of some ids, which may be chosen and not at random times, all is
        kept, and all switches of a CPU while a chosen thread waits in its queue.
        """
        self.chosen_threads = self.chosen_queues = True
        chosen, kept, queue, running = set(tids), [], {}, {}
        for time, cpu, what, a in self.events:
            if changes and self.rng.random() < 0.03:
                tid = self.rng.choice(self.tids)
                if tid in chosen and kept and kept[-1][0] < time:
                    kept.append((*kept[-1][:2], "unchosen", {"thread": tid}))
                    chosen.remove(tid)
                elif tid not in chosen:
                    chosen.add(tid)
            if what == "switch":
                prev, following = a["prev"], a["next"]
                if prev in chosen and a["letter"] in ("runnable", "preempted"):
                    queue[prev] = cpu
                elif a["letter"] == "dead":
                    queue.pop(prev, None)
                if chosen & {prev, following} or cpu in queue.values():
                    unchosen = {(True, True): None, (False, True): "outgoing", (True, False): "incoming",
                                (False, False): "both"}[prev in chosen, following in chosen]
                    kept.append((time, cpu, what, dict(a, unchosen=unchosen)))
                queue.pop(following, None)
                running[cpu] = following
            elif a["thread"] in chosen:
                if what == "wakeup":
                    queue[a["thread"]] = a["target"]
                elif queue.get(a["thread"]) == a["frm"]:
                    if a["frm"] in running:
                        kept.append((time, cpu, "running", {"thread": running[a["frm"]], "cpu": a["frm"]}))
                    queue[a["thread"]] = a["to"]
                kept.append((time, cpu, what, a))
        self.events = kept

    def open_late(self, ns):
        """Each CPU's events are left out up to a time of its own, at most ns from the start."""
        opened = [START + self.rng.randrange(ns) for _ in self.cpus]
        self.events = [event for event in self.events if event[0] >= opened[event[1]]]

    def phase_at(self, thread, time):
        """(phase, CPU) of a thread at a time at which there is no event; None: it is not alive."""
        return next(((phase, cpu) for phase, since, until, cpu in thread.past if since <= time < until), None)

    def states(self, time):
        """What a listing finds then."""
        letters = {"run": "running", "sleep": "S", "blocked": "D", "stopped": "T"}
        found = [(thread.tid, self.phase_at(thread, time)) for thread in self.threads()]
        return [(time, tid, letters.get(at[0], "R"), at[1]) for tid, at in found if at]

    def trace(self, losses=(), host=None, boot=0, since=0, until=None, processors=False, listed=None):
        """
        As FXT; losses: (cpu, from, to) in which that CPU's events are left out.  Of a host that started at
        boot, in ns of real time; from since to until, which readings of its clock say.  processors: it says
        which CPUs it has, as fxtrec does.  listed: when the states of all threads were listed.
        """
        f = File().provider(1, "fxtrec")
        if host:
            # The one before goes on while this one's beginning is written.
            for time in (since - 1000, since) if since else (START,):
                f.clock(time, boot + time, time, time)
            f.event(INSTANT, max(since, START), 0, 0, "fxtrec", "host", [("host", host)])
        if self.chosen_threads:
            f.event(INSTANT, START, 0, 0, "fxtrec", "host",
                    [(name, Unsigned(1)) for name in ("chosen_threads", "chosen_queues") if getattr(self, name)])
        for cpu in range(len(self.cpus)) if processors else self.left_out:
            f.event(INSTANT, START, 0, 0, "fxtrec", "processor",
                    [("cpu", Unsigned(cpu)), ("left_out", Unsigned(int(cpu in self.left_out)))])
        if listed:
            f.listed(since or START, self.states(listed))
        f.named(0, 0, "swapper", leader=True)
        for tid in self.tids:
            f.named(tid, tid, f"t{tid}", START - 1, leader=True)
        for cpu in range(len(self.cpus)):
            f.cpu(cpu)
            for lost_cpu, begin, end in sorted(losses):
                if lost_cpu == cpu:
                    count = sum(1 for time, c, _, _ in self.events if c == cpu and begin <= time < end)
                    f.event(COMPLETE, begin, 0, LOSSES + cpu, "fxtrec", "lost",
                            [("cause", "ring full"), ("records", Unsigned(count))], end)
            for time, where, what, a in self.events:
                lost = what != "unchosen" and any(c == cpu and b <= time < e for c, b, e in losses)
                if where != cpu or lost or \
                        time < since or (until and time >= until):
                    continue
                if what == "switch":
                    state, text = LETTERS[a["letter"]]
                    f.switch(time, cpu, a["prev"], 120, state, a["next"], 120, text, a.get("unchosen"),
                             why=a["why"])
                elif what == "running":
                    f.event(INSTANT, time, 0, MIGRATIONS + cpu, "fxtrec", "running",
                            [("thread", Koid(a["thread"])), ("cpu", Unsigned(a["cpu"]))])
                elif what == "unchosen":
                    f.event(INSTANT, time, a["thread"], a["thread"], "fxtrec", "unchosen")
                elif what == "wakeup":
                    f.wakeup(time, a["target"], a["thread"], 120, a["waker"], new=a.get("new", False),
                             on_cpu=a.get("on_cpu", False), context=a["context"])
                else:
                    f.migrate(time, cpu, 0, a["thread"], 120, a["frm"], a["to"])
        if host and until:
            f.provider(1, "fxtrec").clock(until, boot + until, until, until)
        return f.data
