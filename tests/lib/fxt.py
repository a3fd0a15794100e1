# SPDX-License-Identifier: GPL-2.0-only
"""A second reader of recordings, written from the specification and fxt-on-linux alone."""
import functools
from collections import defaultdict, namedtuple

IDLE = -(1 << 31)
SWITCH_ARGUMENTS = ("outgoing_weight", "incoming_weight", "state", "unchosen")
CPU_PROVIDER = 0x100
MIGRATIONS = 0x41020000     # koid of a CPU's track of them, less its number

# prio of the idle thread is what the kernel says it is.
class Switch(namedtuple("Switch", "prev prev_prio state next next_prio")):
    """
    None of the fields are: unchosen, which thread the filter does not choose, "outgoing", "incoming" or "both", or "";
    why, the arguments of the sleep's reason.
    """

    unchosen = ""
    why = {}


Wakeup = namedtuple("Wakeup", "event pid prio target waker context", defaults=("task",))


class Migration(namedtuple("Migration", "pid prio orig dest")):
    """by: the thread that ran on the CPU, where that is known; it is none of the fields."""

    by = None


# kind: "B" or "E"; thread_index: 0 where the thread stands in the record.
Duration = namedtuple("Duration", "ticks cpu kind thread_index tid category name args")
# kind: an event's type; end: of a complete duration, or a counter's id.
Mark = namedtuple("Mark", "ticks pid tid kind category name args end")
Loss = namedtuple("Loss", "cpu ring cause records since end offset")


def signed32(value):
    return value - (1 << 32) if value >> 31 else value


class Recording:
    """
    All of a file: events[cpu] = [(ticks, Switch, Wakeup or Migration)], in the file's order.
    Recordings have no other events than those known here; others may.
    """

    def __init__(self, path, others=False):
        self.others = others
        self.events = defaultdict(list)
        self.names = defaultdict(list)      # tid -> [(since, name)]
        self.processes = {}
        self.process_of = {}
        self.losses = []
        self.unrecorded = 0    # events that no ring could count
        self.buffer_full = []               # providers that reported it
        self.messages = []                  # (ticks, tid, text)
        self.instants = []                  # (ticks, tid, category, name, arguments)
        self.durations = []                 # begins and ends
        self.tracepoints = []               # instants of threads on CPUs, as Durations
        self.throttles = []                 # those of threads that their groups' limits stop
        self.counters = []                  # (ticks, cpu, category, name, id, arguments)
        self.marks = []                     # what programs wrote, as Marks
        self.rates = {}
        self.records = 0
        self.whole = 0                      # bytes up to the end of the last whole record
        with open(path, "rb") as f:
            self.data = f.read()
        self.parse()

    def parse(self):
        data = self.data
        words = memoryview(data[: len(data) // 8 * 8]).cast("Q")
        strings, threads = defaultdict(dict), defaultdict(dict)
        provider = 0
        at, end = 0, len(words)
        while at < end:
            header = words[at]
            size = header >> 4 & 0xFFF
            kind = header & 15
            if not size or at + size > end:
                break
            if kind == 8:
                self.scheduling(words, at, header, provider, strings[provider])
            elif kind == 0:
                provider = self.metadata(header, provider)
            elif kind == 1:
                self.rates[provider] = words[at + 1]
            elif kind == 2:
                length = header >> 32 & 0x7FFF
                text = data[8 * at + 8: 8 * at + 8 + length].decode()
                strings[provider][header >> 16 & 0x7FFF] = text
            elif kind == 3:
                threads[provider][header >> 16 & 0xFF] = (words[at + 1], words[at + 2])
            elif kind == 4:
                self.event(words, at, header, provider, strings[provider], threads[provider])
            elif kind == 7:
                self.kernel_object(words, at, header, strings[provider])
            elif kind == 9:
                self.log(words, at, header, threads[provider])
            self.records += 1
            at += size
        self.whole = 8 * at

    def metadata(self, header, provider):
        kind = header >> 16 & 15
        of = header >> 20 & 0xFFFFFFFF
        if kind in (1, 2):
            return of
        if kind == 3:
            self.buffer_full.append(of)
        return provider

    def text(self, at, ref, strings):
        """A string reference's text and the words that it takes."""
        if ref & 0x8000:
            length = ref & 0x7FFF
            return self.data[8 * at: 8 * at + length].decode(), (length + 7) // 8
        return (strings[ref] if ref else ""), 0

    def arguments(self, words, at, count, strings):
        found = {}
        for _ in range(count):
            header = words[at]
            kind, size = header & 15, header >> 4 & 0xFFF
            name, used = self.text(at + 1, header >> 16 & 0xFFFF, strings)
            if kind == 1:
                value = signed32(header >> 32)
            elif kind == 2:
                value = header >> 32
            elif kind == 3:
                value = words[at + 1 + used]
                value -= (value >> 63) << 64
            elif kind in (4, 8):
                value = words[at + 1 + used]
            elif kind == 6:
                value, _ = self.text(at + 1 + used, header >> 32 & 0xFFFF, strings)
            else:
                raise ValueError(f"argument of type {kind} at {8 * at}")
            found[name] = value
            at += size
        return found

    def scheduling(self, words, at, header, provider, strings):
        cpu = header >> 20 & 0xFFFF
        kind = header >> 60
        count = header >> 16 & 15
        ticks = words[at + 1]
        if kind == 1:
            args = self.arguments(words, at + 4, count, strings)
            prev, following = words[at + 2], words[at + 3]
            state = args.get("state") or self.state(header >> 36 & 15, prev)
            event = Switch(prev, self.priority(args["outgoing_weight"], prev), state,
                           following, self.priority(args["incoming_weight"], following))
            if "unchosen" in args:
                event.unchosen = args["unchosen"]
            if "reason" in args:
                event.why = {name: value for name, value in args.items() if name not in SWITCH_ARGUMENTS}
            self.events[cpu].append((ticks, event))
            if provider != CPU_PROVIDER + cpu:
                raise ValueError(f"switch of cpu {cpu} in provider {provider:#x}")
        elif kind == 2:
            args = self.arguments(words, at + 3, count, strings)
            self.events[provider - CPU_PROVIDER].append((ticks, Wakeup(
                args.get("event", "sched_waking"), words[at + 2],
                args.get("priority", args.get("weight", 120)), cpu, args["waker"],
                args.get("context", "task"))))
        else:
            raise ValueError(f"scheduling record of type {kind}")

    @staticmethod
    def priority(weight, tid):
        if (weight == IDLE) != (tid == 0):
            raise ValueError(f"thread {tid} of weight {weight}")
        return 120 if weight == IDLE else weight

    @staticmethod
    def state(fxt, prev):
        if not prev:
            return "R"
        return {1: "R", 2: "T", 3: "S", 4: "Z", 5: "X"}[fxt]

    def event(self, words, at, header, provider, strings, threads):
        kind, count = header >> 16 & 15, header >> 20 & 15
        thread = header >> 24 & 0xFF
        place = at + 2
        if thread:
            pid, tid = threads[thread]
        else:
            pid, tid = words[place], words[place + 1]
            place += 2
        category, used = self.text(place, header >> 32 & 0xFFFF, strings)
        place += used
        name, used = self.text(place, header >> 48, strings)
        place += used
        args = self.arguments(words, place, count, strings)
        if category.split(":")[0] == "user":
            self.marks.append(Mark(words[at + 1], pid, tid, kind, category, name, args,
                                   words[at + (header >> 4 & 0xFFF) - 1] if kind in (1, 4) else None))
            return
        if (category, name) == ("fxtrec", "lost"):
            cpu = provider - CPU_PROVIDER
            last = at + (header >> 4 & 0xFFF) - 1
            if thread == 1:
                self.unrecorded += args["records"]
                return
            self.losses.append(Loss(cpu, thread - 2, args["cause"], args.get("records", 0),
                                    words[at + 1], words[last], 8 * at))
            # Where in the CPU's stream: a mark between its events.
            if thread == 2:
                self.events[cpu].append((words[last], self.losses[-1]))
        elif kind == 0 and (category, name, tid) == ("sched", "sched_migrate_task",
                                                     MIGRATIONS + provider - CPU_PROVIDER):
            self.events[provider - CPU_PROVIDER].append((words[at + 1], Migration(
                args["thread"], args["prio"], args["orig_cpu"], args["dest_cpu"])))
        elif kind == 0:
            self.instants.append((words[at + 1], tid, category, name, args))
            if provider >= CPU_PROVIDER and not thread:
                kept = self.throttles if name in ("throttle_thread", "unthrottle_thread") else self.tracepoints
                kept.append(Duration(words[at + 1], provider - CPU_PROVIDER, "I", 0, tid, category, name, args))
        elif kind in (2, 3):
            self.durations.append(Duration(words[at + 1], provider - CPU_PROVIDER, "BE"[kind - 2],
                                           thread, tid, category, name, args))
        elif kind == 1:
            last = at + (header >> 4 & 0xFFF) - 1
            self.counters.append((words[at + 1], provider - CPU_PROVIDER, category, name,
                                  words[last], args))
        elif not self.others:
            raise ValueError(f"event of type {kind}")

    def kernel_object(self, words, at, header, strings):
        koid = words[at + 1]
        name, used = self.text(at + 2, header >> 24 & 0xFFFF, strings)
        args = self.arguments(words, at + 2 + used, header >> 40 & 15, strings)
        if header >> 16 & 0xFF == 1:
            self.processes[koid] = name
        else:
            self.names[koid].append((args.get("since", 0), name))
            self.process_of[koid] = args["process"]

    def log(self, words, at, header, threads):
        length = header >> 16 & 0x7FFF
        thread = header >> 32 & 0xFF
        place = at + 2
        tid = threads[thread][1] if thread else words[place + 1]
        place += 0 if thread else 2
        self.messages.append((words[at + 1], tid, self.data[8 * place: 8 * place + length].decode()))

    @functools.cached_property
    def clocks(self):
        """The readings of all clocks: [(ticks, arguments)]."""
        return [(ticks, args) for ticks, _, category, name, args in self.instants
                if (category, name) == ("fxtrec", "clock")]

    def monotonic(self, ticks):
        """
        CLOCK_MONOTONIC in nanoseconds: between the two readings by both, elsewhere by the nearer
        one and the nominal rate.  A recording that was cut off has the first reading alone; those of a
        snapshot are both behind its events.
        """
        (t0, first), (t1, last) = self.clocks[0], self.clocks[-1]
        if t0 < ticks < t1:
            return first["monotonic"] + (ticks - t0) * (last["monotonic"] - first["monotonic"]) // (t1 - t0)
        at, reading = (t1, last) if ticks >= t1 else (t0, first)
        return reading["monotonic"] + (ticks - at) * 10 ** 9 // self.rates[1]

    def scheduled(self):
        """All threads of scheduling records, the idle thread left out."""
        tids = set()
        for events in self.events.values():
            for _, e in events:
                if isinstance(e, Switch):
                    tids.update((e.prev, e.next))
                elif isinstance(e, Wakeup):
                    tids.update((e.pid, e.waker))
                elif isinstance(e, Migration):
                    tids.add(e.pid)
        return tids - {0}
