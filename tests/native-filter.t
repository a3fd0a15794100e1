#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Filters, by eBPF on this machine: each against a recording of everything over the same time."""
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import filters
import judge
import recorder
import tap
from fxt import Switch

# A pass over that many threads meets some that were made since it began.
THREADS, MAKERS = 3000, 16
# Much longer than it takes.
PATIENCE_S = 100

WANTED = {
    "process": ["-p", "{tree}"],
    "process-alone": ["-p", "{tree}", "--no-inherit"],
    "thread": ["-t", "{names}"],
    "name": ["--comm", "in-*"],
    "name-alone": ["--comm", "in-*", "--no-inherit"],
    "cgroup": ["--cgroup", "{cgroup}"],
    "cpu": ["-C", "0"],
    "all-at-once": ["-p", "{tree}", "--comm", "in-1?", "--cgroup", "{cgroup}", "-C", "0"],
}

# A process with much memory in small pages, which it takes long to free.
LARGE = """import mmap, time
m = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
try:
    m.madvise(mmap.MADV_NOHUGEPAGE)
except OSError:
    pass
for at in range(0, 1 << 30, 4096):
    m[at] = 1
print(flush=True)
input()"""


def freed(folder):
    """A recording of a process has all of its end."""
    path = os.path.join(folder, "freed.fxt")
    process = subprocess.Popen([sys.executable, "-c", LARGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    recorded = recorder.start(["--backend=bpf", "--no-marks", "-o", path, "-p", str(process.pid)])
    process.communicate(b"\n")
    said = recorded.communicate(timeout=600)[1]
    dumped = tap.run([tap.FXTREC, "dump", path]).stdout
    tap.ok(recorded.returncode == 0 and re.search(rf"outgoing={process.pid} .*state=dying", dumped),
           "a recording of a process has all of its end", dumped[-500:] + said)


def reads(process):
    """How many a recorder has done by now, which is asked to end."""
    with open(f"/proc/{process.pid}/io") as f:
        count = int(re.search(r"syscr: (\d+)", f.read())[1])
    return count, recorder.end(process, PATIENCE_S)


def served(folder):
    """
    A recording of a server that makes short threads all the while begins, ends at a signal, and has all threads: those
    that were there, and those that came while it began.
    """
    path = os.path.join(folder, "served.fxt")
    options = ["--backend=bpf", "--no-marks", "-b", "32M", "-o", path]
    with recorder.program("crowd", str(THREADS), str(MAKERS)) as server:
        server.stdout.readline()
        interrupted = recorder.start([*options, "-p", str(server.pid)], seconds=PATIENCE_S)
        count, said = reads(interrupted)
        tap.ok(interrupted.returncode == 0 and server.poll() is None, "a recording of a busy server begins, and ends at a signal", said)
        few = reads(recorder.start([*options, "-p", str(os.getpid())]))[0]
        tap.ok(count - few < THREADS, "the producer chooses the threads of a process: the tool looks at none", (count, few))
        recorded = recorder.start([*options, "-p", str(server.pid)], seconds=PATIENCE_S)
        listed = {int(tid) for tid in os.listdir(f"/proc/{server.pid}/task")}
        time.sleep(0.5)
        server.kill()
        said = recorded.communicate(timeout=PATIENCE_S)[1]
    r = judge.load(path)
    ran = {e.prev for events in r.events.values() for _, e in events if isinstance(e, Switch) and r.process_of.get(e.prev) == server.pid}
    tap.ok(len(listed) > THREADS and listed <= ran and len(ran) > len(listed) and "have ended" in said,
           f"it has all of {len(listed)} threads, and {len(ran) - len(listed)} that came later", (sorted(listed - ran)[:5], said))


def thread_as_process():
    """-p with a thread's id, which recorded all of the process, where report -p of it finds nothing."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    tap.fails(["record", "-p", str(thread.native_id)], 2, f"a thread of process {os.getpid()}: -t takes it", "-p of a thread")
    done.set()
    thread.join()


with tempfile.TemporaryDirectory() as folder:
    thread_as_process()
    out = os.path.join(folder, "filter")
    filters.provoke(out, {name: ("bpf", options) for name, options in WANTED.items()} |
                    {"used-again": ("bpf", ["-t", "{victim}", "--comm", "no such name"])})
    filters.judge(out, "natively")
    filters.ended(os.path.join(folder, "ended"), "bpf", tap.ok)
    freed(folder)
    served(folder)
tap.done()
