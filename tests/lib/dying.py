# SPDX-License-Identifier: GPL-2.0-only
"""Threads that have left the kernel's list of threads before it is read, and leave their CPU while that is recorded (dying.c)."""
import os
import subprocess
import time

import judge
import recorder
from tap import BUILD

PROGRAM = os.path.join(BUILD, "tests", "dying")
# In so many ms a thread asks for what /proc has of it, at each try: so it takes long to drop.
ASKS_MS = [1000] * 10 + [3000] * 10


def record(path, backend, asks_ms):
    """One recording meanwhile: the ids of those that were off the list before it began, and their process."""
    with subprocess.Popen([PROGRAM, str(asks_ms)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        threads = {int(tid) for tid in program.stdout.readline().split()}
        left = threads - {int(tid) for tid in os.listdir(f"/proc/{program.pid}/task")}
        process = recorder.start([f"--backend={backend}", "--no-marks", "-o", path])
        program.stdin.close()
        program.wait(timeout=600)
        # The last of them may still be on its way.
        time.sleep(0.2)
        recorder.end(process)
        return left, program.pid


def named(path, backend):
    """Each of those that the recording has is named: a result, as tap.ok() takes it."""
    for tries, asks_ms in enumerate(ASKS_MS):
        left, pid = record(path, backend, asks_ms)
        recording = judge.load(path)
        left &= recording.scheduled()
        if left:
            break
    bare = {tid for tid in left if recording.names.get(tid, [(0, "")])[-1][1] != "dying" or recording.process_of.get(tid) != pid}
    return left and not bare, f"{backend}: threads that are off the kernel's list and not off their CPU have names", \
        (tries, len(left), sorted(bare)[:5])
