# SPDX-License-Identifier: GPL-2.0-only
"""The sustained load: perf's messaging of 20 groups and four pipe pairs, and processes that come and go."""
import os
import signal
import subprocess
import time

FOREVER = "1000000000"
MESSAGING = ["perf", "bench", "sched", "messaging", "-g", "20", "-l", FOREVER]
PIPE = ["perf", "bench", "sched", "pipe", "-l", FOREVER]
FORKS = ["sh", "-c", "while :; do /bin/true; /bin/echo; done"]


class Load:
    """Runs while it is entered; is reaped by reap() alone, so that its time can be told apart."""

    def __init__(self, forks=False):
        self.commands = [MESSAGING] + 4 * [PIPE] + ([FORKS] if forks else [])
        self.processes = []

    def __enter__(self):
        self.processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL, start_new_session=True)
                          for command in self.commands]
        return self

    def __exit__(self, *_):
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)

    def reap(self):
        for process in self.processes:
            process.wait()


def sustain(tracer, seconds, forks=False, counter=None):
    """The tracer's facts after that many seconds of load, with "events" by counter if given."""
    if counter:
        counter.start()
    tracer.start()
    began = time.monotonic()
    before = counter.count() if counter else 0
    with Load(forks) as load:
        time.sleep(seconds)
    time.sleep(1)
    events = counter.count() - before if counter else None
    lasted = time.monotonic() - began
    facts = tracer.stop()
    load.reap()
    if counter:
        counter.stop()
        facts["counted"] = events
    facts["share"] = facts["cpu"] / (lasted * os.cpu_count())
    facts["seconds"] = lasted
    facts.pop("said", None)
    return facts
