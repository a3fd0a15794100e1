# SPDX-License-Identifier: GPL-2.0-only
"""The tracers that are compared: each starts, stops, and says what it recorded."""
import os
import re
import resource
import signal
import subprocess
import time

from place import FXTREC, PEER, TRACEFS

EVENTS = ("sched_switch", "sched_waking")
SELECT = [word for event in EVENTS for word in ("-e", "sched:" + event)]
# In trace-cmd's place where a kernel lets nobody set function tracing, which it insists on.
TRACE_CMD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace-cmd")


class Tracer:
    """start() returns once it records; stop() gives its facts: events, lost, bytes, CPU seconds."""

    def start(self):
        pass

    def stop(self):
        return {}


class Process(Tracer):
    """A recorder in the background."""

    def __init__(self, command, output=None, asleep=False):
        self.command, self.output, self.asleep = command, output, asleep
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace")
        self.wait()
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.command}: {self.process.communicate()[0]}")
        if self.asleep:
            self.process.send_signal(signal.SIGSTOP)

    def wait(self):
        """
        Until it has begun to write, and then some.  In a guest that counts
        instructions, time flies while the host reads its disk: none is enough.
        """
        for _ in range(100000):
            if self.begun() or self.process.poll() is not None:
                break
            time.sleep(0.05)
        time.sleep(1)

    def begun(self):
        return os.path.exists(self.output) and os.path.getsize(self.output) > 0

    def stop(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=600)[0]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        facts = self.facts(said)
        facts["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if self.output:
            facts["bytes"] = os.path.getsize(self.output)
            os.remove(self.output)
        return facts

    def facts(self, said):
        return {"said": said}


class Fxtrec(Process):
    def __init__(self, backend, output, clock="auto", asleep=False, buffer=None, more=()):
        options = ["--backend=" + backend, "--clock=" + clock, *more]
        options += ["-b", buffer] if buffer else []
        self.record = [FXTREC, "record", "-o", output] + options
        super().__init__(self.record, output, asleep=asleep)

    def facts(self, said):
        events = re.search(r"(\d+) events, .*?(?:(nothing)|, (\d+)) lost", said)
        if not events:
            raise RuntimeError(f"{self.command} ended with {self.process.returncode}: {said}")
        return {"events": int(events[1]), "lost": 0 if events[2] else int(events[3]), "said": said}


class Flight(Process):
    """A flight recorder that nothing asks for a snapshot; it writes nothing."""

    def __init__(self, backend, options):
        super().__init__([FXTREC, "record", "--backend=" + backend, "--flight", "-o",
                          "/tmp/flight.fxt", *options])

    def begun(self):
        return os.path.exists(f"/run/fxtrec/flight-{self.process.pid}")

    def wait(self):
        """It listens before it records: eBPF's programs are yet to be attached."""
        super().wait()
        time.sleep(10)


class Perf(Process):
    """Without build ids, which would have it read its whole file again: the cheapest that it is."""

    def __init__(self, output):
        self.record = ["perf", "record", "-q", "-a", "-N", "-B"] + SELECT + ["-o", output]
        super().__init__(self.record, output)

    def stop(self):
        path, self.output = self.output, None
        facts = super().stop()
        self.output = path
        stats = subprocess.run(["perf", "report", "--stats", "-i", path], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        facts["events"] = sum(map(int, re.findall(r"^\s+SAMPLE events:\s+(\d+)$", stats, re.M)))
        facts["lost"] = sum(map(int, re.findall(r"LOST_SAMPLES events:\s+(\d+)", stats)))
        facts["bytes"] = os.path.getsize(path)
        os.remove(path)
        return facts


class TraceCmd(Process):
    def __init__(self, output, options=()):
        self.record = [TRACE_CMD, "record"] + SELECT + ["-o", output] + list(options)
        super().__init__(self.record, output)

    def begun(self):
        return os.path.exists(self.output + ".cpu0")

    def stop(self):
        path, self.output = self.output, None
        facts = super().stop()
        self.output = path
        stats = subprocess.run(["trace-cmd", "report", "--stat", "-i", path], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        facts["lost"] = sum(map(int, re.findall(r"^(?:overrun|dropped events): (\d+)", stats,
                                                re.M)))
        facts["bytes"] = os.path.getsize(path)
        os.remove(path)
        return facts


class Peer(Process):
    """One of our own pairs of eBPF programs to compare with; see peer.bpf.c."""

    def __init__(self, mode):
        super().__init__([PEER, mode])

    def wait(self):
        self.process.stdout.readline()


class Counter(Peer):
    """Counts events, at a tenth of what ftrace would add to their path."""

    def __init__(self):
        super().__init__("count")

    def count(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


class Ftrace(Tracer):
    """The kernel's own ring buffer, in an instance that nobody reads."""

    def __init__(self, clock="local"):
        self.path, self.clock = f"{TRACEFS}/instances/fxtrec-bench", clock

    def write(self, name, value):
        with open(f"{self.path}/{name}", "w") as f:
            f.write(value)

    def enable(self, value):
        for event in EVENTS:
            self.write(f"events/sched/{event}/enable", value)

    def start(self):
        os.mkdir(self.path)
        self.write("trace_clock", self.clock)
        self.enable("1")
        time.sleep(0.5)

    def stop(self):
        self.enable("0")
        os.rmdir(self.path)
        return {}
