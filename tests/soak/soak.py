#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Records this machine for a long time under load: memory stays flat, nothing is lost, the file is valid."""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import tap

# What each new thread id may take in the table of names, and what the allocator may keep.
NAME_BYTES = 64
SPARE_BYTES = 1 << 20
# The most that the writer's blocks may take while the disk is slow, and then give back.
BACKLOG_BYTES = 256 << 20
LOADS = (["perf", "bench", "sched", "pipe", "-l", "20000"],
         ["perf", "bench", "sched", "messaging", "-g", "2", "-l", "50"],
         ["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do /bin/true; done"],
         ["dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=500"])


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--samples", type=int, default=60, help="readings of the recorder's memory")
    parser.add_argument("--folder", default="/var/tmp", help="where the recording goes for the time")
    return parser.parse_args()


class Load:
    """One load after the other, with breaks: some tens of thousands of events a second."""

    def __init__(self):
        self.next, self.process = 0, None

    def step(self):
        if self.process and self.process.poll() is None:
            return
        self.process = subprocess.Popen(LOADS[self.next % len(LOADS)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        self.next += 1

    def end(self):
        """Their children too."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def memory(pid):
    """Anonymous memory, without the mapped rings, in bytes."""
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("RssAnon")) << 10


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sample(recorder, options, path):
    """(seconds, memory, CPU time, bytes of the file) over the time of the recording."""
    samples, load = [], Load()
    began = time.monotonic()
    due = began
    while recorder.poll() is None and time.monotonic() - began < options.seconds:
        load.step()
        if time.monotonic() >= due:
            samples.append((time.monotonic() - began, memory(recorder.pid),
                            cpu_seconds(recorder.pid), os.path.getsize(path)))
            due += options.seconds / options.samples
        time.sleep(0.1)
    load.end()
    return samples


def judge(recorder, samples, said, path, options):
    tap.note(said)
    tap.ok(recorder.returncode == 0, "recorded to the end", said)
    tap.ok("nothing lost" in said, "nothing lost", said)
    info = tap.run([tap.FXTREC, "info", "--json", path], timeout=1800)
    facts = json.loads(info.stdout)
    tap.ok(facts["whole"] and facts["duration_ns"] >= (options.seconds - 5) * 10 ** 9,
           "the file is whole, and of all that time", info.stderr)
    tap.ok(facts["threads_unnamed"] == 0, "every thread has a name", facts["threads_unnamed"])
    check = tap.run([tap.FXTREC, "check", path], timeout=1800)
    tap.ok(check.returncode == 0, "valid by the specification", check.stdout[-2000:])
    # The first tenth is the beginning: buffers, and the names of all that run.
    tenth = len(samples) // 10
    settled = statistics.median(m for _, m, _, _ in samples[tenth:2 * tenth])
    last = statistics.median(m for _, m, _, _ in samples[-tenth:])
    most = max(m for _, m, _, _ in samples[tenth:])
    names = NAME_BYTES * facts["threads"]
    tap.ok(last - settled <= names + SPARE_BYTES, "the recorder's memory stays flat",
           f"from {settled} to {last} bytes")
    tap.ok(most - settled <= names + SPARE_BYTES + BACKLOG_BYTES,
           "a backlog takes no more than it may", f"from {settled} to {most} bytes")
    seconds, _, used, size = samples[-1]
    tap.note(f"{seconds:.0f} s: {facts['scheduling_events']} events, {facts['threads']} threads, "
             f"{size} bytes; memory {settled / 1024:.0f} KiB after a tenth, "
             f"{last / 1024:.0f} KiB in the end, {most >> 10} KiB at most; "
             f"{used:.1f} s of CPU time, {100 * used / seconds / os.cpu_count():.2f} % of the machine")


def main():
    options = parse()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = os.path.join(folder, "soak.fxt")
        recorder = subprocess.Popen([tap.FXTREC, "record", "-a", "-o", path], text=True,
                                    stderr=subprocess.PIPE)
        while recorder.poll() is None and not os.path.exists(path):
            time.sleep(0.1)
        samples = sample(recorder, options, path)
        recorder.send_signal(signal.SIGINT)
        said = recorder.communicate()[1]
        judge(recorder, samples, said, path, options)
    tap.done()


main()
