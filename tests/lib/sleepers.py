# SPDX-License-Identifier: GPL-2.0-only
"""Threads that sleep until they are woken, and what a recording says of them before that."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import recorder
import tap

# A program that says that it is there, and what it does then: it reads its input, or waits for a child that opens a FIFO.
READS = "import sys; print(flush=True); sys.stdin.read(1)"
SPAWNS = ("import os, sys; print(flush=True); os.posix_spawn('/bin/true', ['true'], {}, "
          "file_actions=[(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)])")


class Sleepers:
    """By letter a process that sleeps so until it is woken; and one that is not."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.fifo = os.path.join(self.folder.name, "fifo")
        os.mkfifo(self.fifo)
        self.of = {"S": self.start(READS), "T": self.start(READS), "D": self.start(SPAWNS, self.fifo)}
        self.silent = self.start(READS)
        self.of["T"].send_signal(signal.SIGSTOP)
        for letter, process in [*self.of.items(), ("S", self.silent)]:
            if not recorder.becomes(lambda p=process, state=letter: recorder.states(p.pid) == [state]):
                raise RuntimeError(f"{process.args} is not {letter}")

    @staticmethod
    def start(program, *arguments):
        process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.readline()
        return process

    def wake(self):
        with open(self.fifo, "w", encoding="utf-8"):
            self.of["T"].send_signal(signal.SIGCONT)
            for process in self.of.values():
                process.stdin.close()
                process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The child that opens the FIFO outlives its parent otherwise.
        os.close(os.open(self.fifo, os.O_RDWR | os.O_NONBLOCK))
        for process in (*self.of.values(), self.silent):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
        self.folder.cleanup()


def listings(path):
    """When each listing of a file began, and the states that it has, by thread."""
    text = tap.run([tap.FXTREC, "dump", path]).stdout
    began = [int(ticks) for ticks in re.findall(r'ticks=(\d+).* category="fxtrec" name="listed"', text)]
    return began, dict(re.findall(r'name="thread_state" \{thread=(\d+) state="(\w+\+?)" cpu=\d+\}', text))


def queried(path, sql):
    return json.loads(tap.run([tap.FXTREC, "query", "--json", path, sql]).stdout)


def known_before(path, process, letter):
    """What is wrong with a thread's time before its first event, in a recording by a clock of nanoseconds."""
    began, states = listings(path)
    if len(began) != 1 or states.get(str(process.pid)) != letter:
        return began, states
    begin = json.loads(tap.run([tap.FXTREC, "report", "--json", path]).stdout)["from_ns"]
    first = queried(path, "SELECT ts, state FROM thread_state JOIN thread USING (utid) WHERE state != 'unknown' AND "
                    f"tid = {process.pid} ORDER BY ts LIMIT 1")
    expected = [{"ts": max(begin, began[0]), "state": letter}]
    return None if first == expected else (first, expected)


def record(path, backend, chooses=False):
    """Records sleepers that are woken meanwhile, all threads or the sleepers alone: their ids by letter, and what was said."""
    with Sleepers() as sleepers:
        pids = {letter: sleeper.pid for letter, sleeper in sleepers.of.items()}
        chosen = ["-p", ",".join(map(str, pids.values()))] if chooses else []
        process = recorder.start(["--backend=" + backend, "--clock=mono", "--no-marks", *chosen, "-o", path])
        sleepers.wake()
        return sleepers, pids, recorder.end(process)


def check(ok, folder, backend):
    """What is known of threads before their first events, by a recording of all and one of chosen threads."""
    path = os.path.join(folder, f"{backend}-listed.fxt")
    sleepers, pids, said = record(path, backend)
    ok(recorder.all_recorded(said, backend), f"{backend}: nothing lost", said)
    for letter, sleeper in sleepers.of.items():
        wrong = known_before(path, sleeper, letter)
        ok(not wrong, f"{backend}: a thread in {letter} before its first event", wrong)
    text = tap.run([tap.FXTREC, "report", f"-t{sleepers.silent.pid}", path]).stdout
    ok("1 slept throughout" in text, f"{backend}: one that never runs", text)
    valid = tap.run([tap.FXTREC, "check", path])
    ok(valid.returncode == 0, f"{backend}: the file is valid", valid.stdout)
    sleepers, pids, said = record(path, backend, True)
    began, states = listings(path)
    ok(len(began) == 1 and states == {str(pid): letter for letter, pid in pids.items()},
       f"{backend}: -p: states of chosen threads alone", states)
    # The trace begins with the first one's wakeup.
    wrong = known_before(path, sleepers.of["S"], "S")
    ok(not wrong, f"{backend}: -p: a thread before its first event", wrong)
