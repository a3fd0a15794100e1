# SPDX-License-Identifier: GPL-2.0-only
"""ftrace as the oracle: an instance of the test's own, and its text."""
import contextlib
import os
import re
import subprocess
import time
from collections import defaultdict

from fxt import Migration, Switch, Wakeup

TRACEFS = "/sys/kernel/tracing"
EVENTS = ("sched_switch", "sched_waking", "sched_wakeup_new", "sched_migrate_task")
# Begins and ends of timers' callbacks.
TIMERS = ("timer/timer_expire_entry", "timer/timer_expire_exit", "timer/hrtimer_expire_entry", "timer/hrtimer_expire_exit")

LINE = re.compile(r"^\s*(.*?)-(\d+)\s+(?:\([ \d-]+\) )?\[(\d+)\]\s+\S+\s+(\d+)\.(\d{6,9}): (\w+): (.*)$")
LOST = re.compile(r"^CPU:(\d+) \[LOST (?:\d+ )?EVENTS\]")
SWITCH = re.compile(r"^prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) ==> "
                    r"next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)$")
MIGRATE = re.compile(r"^comm=(.*) pid=(\d+) prio=(-?\d+) orig_cpu=(\d+) dest_cpu=(\d+)$")
# Of the flags before the time, those that no kernel uses for anything else; the innermost context first.
CONTEXTS = (("nmi", "zZ"), ("hardirq", "hH"), ("softirq", "s"))
WAKING = re.compile(r"^comm=(.*) pid=(\d+) prio=(-?\d+) target_cpu=(\d+)$")


def mount():
    if not os.path.exists(TRACEFS + "/events"):
        subprocess.run(["mount", "-t", "tracefs", "nodev", TRACEFS], check=True)


def kprobe(event):
    """Adds or removes a tracepoint of kprobes; 0 or the error's number."""
    fd = os.open(TRACEFS + "/kprobe_events", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(fd, event.encode())
    except OSError as error:
        return error.errno
    finally:
        os.close(fd)
    return 0


class Instance:
    """An instance in which the scheduling events are recorded while it is entered."""

    def __init__(self, kilobytes, name="fxtrec-test", others=()):
        """others: further events, "subsystem/name"."""
        mount()
        self.others = others
        self.path = f"{TRACEFS}/instances/{name}-{os.getpid()}"
        os.mkdir(self.path)
        try:
            self.write("trace_clock", "mono")
            self.write("buffer_size_kb", str(kilobytes))
            self.write("options/overwrite", "0")
            self.write("tracing_on", "0")
        except OSError:
            os.rmdir(self.path)
            raise

    def write(self, name, text):
        with open(f"{self.path}/{name}", "w") as f:
            f.write(text)

    def enable(self, on):
        """All begin and end at once: to enable each one takes long beside a load."""
        if not on:
            self.write("tracing_on", "0")
        for event in EVENTS:
            self.write(f"events/sched/{event}/enable", "1" if on else "0")
        for event in (*TIMERS, *self.others):
            self.write(f"events/{event}/enable", "1" if on else "0")
        if on:
            self.write("tracing_on", "1")

    def __enter__(self):
        self.enable(True)
        time.sleep(0.05)
        return self

    def __exit__(self, *_):
        time.sleep(0.05)
        self.enable(False)

    def lost(self):
        """Events that ftrace itself lost: the oracle is none where this is not 0."""
        lost = 0
        for cpu in os.listdir(self.path + "/per_cpu"):
            with open(f"{self.path}/per_cpu/{cpu}/stats") as f:
                for line in f:
                    key, value = line.split(":", 1)
                    if key in ("overrun", "commit overrun", "dropped events"):
                        lost += int(value)
        return lost

    def save(self, path):
        with open(f"{self.path}/trace") as text, open(path, "w") as out:
            for block in iter(lambda: text.read(1 << 20), ""):
                out.write(block)

    def remove(self):
        os.rmdir(self.path)


@contextlib.contextmanager
def counting(cpu, *events):
    """The number of these events ("subsystem/name") on a CPU from here on, as a function."""
    mount()
    path = f"{TRACEFS}/instances/fxtrec-count-{os.getpid()}"
    os.mkdir(path)

    def enable(on):
        for event in events:
            with open(f"{path}/events/{event}/enable", "w") as f:
                f.write(on)

    def count():
        with open(f"{path}/per_cpu/cpu{cpu}/stats") as f:
            of = dict(line.split(":", 1) for line in f)
        return int(of["entries"]) + int(of["overrun"])

    try:
        enable("1")
        yield count
    finally:
        enable("0")
        os.rmdir(path)


def context(flags):
    return next((name for name, letters in CONTEXTS if set(letters) & set(flags)), "task")


class Timers:
    """The timers' callbacks that run, by CPU and context, each with the thread that it interrupts; or fxtrec's own word for it."""

    def __init__(self):
        self.running = {}
        self.said = False

    def event(self, cpu, pid, where, name):
        """Whether the event is a callback's begin or end."""
        if "timer/" + name not in TIMERS:
            return False
        self.running[cpu, where] = pid if name.endswith("entry") else None
        return True

    def context(self, cpu, pid, where):
        runs = self.said or self.running.get((cpu, where)) == pid
        self.said = False
        return where + " timer" if runs else where


def parse(path):
    """events[cpu] = [(ns, Switch, Wakeup or Migration, comm, next comm or None)]."""
    events, timers = defaultdict(list), Timers()
    with open(path, errors="surrogateescape") as f:
        for line in f:
            timers.said |= line == "# fxtrec context=timer\n"
            if line.startswith("#"):
                continue
            lost = LOST.match(line)
            if lost:
                # What came before is not one sequence with what follows.
                events[int(lost[1])].clear()
                continue
            m = LINE.match(line)
            if not m:
                raise ValueError(f"{path}: not understood: {line!r}")
            _, pid, cpu, seconds, fraction, event, fields = m.groups()
            where = context(line[m.end(3) + 1:m.start(4)])
            if timers.event(int(cpu), int(pid), where, event) or event not in EVENTS:
                continue
            ns = int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0"))
            if event == "sched_switch":
                f = SWITCH.match(fields).groups()
                record = Switch(int(f[1]), int(f[2]), f[3], int(f[5]), int(f[6]))
                events[int(cpu)].append((ns, record, f[0], f[4]))
            elif event == "sched_migrate_task":
                f = MIGRATE.match(fields).groups()
                record = Migration(*map(int, f[1:]))
                record.by = int(pid)
                events[int(cpu)].append((ns, record, f[0], None))
            else:
                f = WAKING.match(fields).groups()
                record = Wakeup(event, int(f[1]), int(f[2]), int(f[3]), int(pid),
                                timers.context(int(cpu), int(pid), where))
                events[int(cpu)].append((ns, record, f[0], None))
    return events
