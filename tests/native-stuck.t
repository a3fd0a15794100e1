#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Processes that are stuck in a file system that doesn't answer: no recorder waits for them, and all says that they are missing."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import ftrace
import fuse
import recorder
import tap
from tap import FXTREC, ok, run

STUCK = 3
SHARERS = os.path.join(tap.TOP, "build", "tests", "sharers")
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
# Much longer than anything here takes; a recorder that waits for them waits for ever.
PATIENCE_S = 300
# LeakSanitizer, where the tool has it, waits at the end for each thread; one that is stuck doesn't answer.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"


def undescribed(path):
    """Processes that the file says are not described, and those that it describes."""
    lines = run([FXTREC, "dump", path]).stdout.splitlines()
    missing = {int(m[1]) for line in lines if 'name="undescribed"' in line
               and (m := re.search(r"[{]process=(\d+) ", line))}
    # Those that executed a program during the recording have a command line anyway, and no parent.
    described = {int(m[1]) for line in lines if " parent=" in line and (m := re.search(r" koid=(\d+) type=1 ", line))}
    return missing, described


def executed(path, pid):
    """The command line that a process had when it executed its program."""
    lines = run([FXTREC, "dump", path]).stdout.splitlines()
    return [m[1] for line in lines if (m := re.search(rf' koid={pid} type=1 .*command="(.*?)"}}', line))]


def only(listed, pids):
    """These are listed, and none that is known to be well; others of this machine may be stuck, too."""
    return pids <= listed and os.getpid() not in listed


def whole(path, name, pids):
    valid = run([FXTREC, "check", path])
    ok(valid.returncode == 0, f"{name}: the file is valid", valid.stdout)
    missing, described = undescribed(path)
    ok(only(missing, pids), f"{name}: it lists those that are stuck, and none that is well", (missing, pids))
    ok(os.getpid() in described and not missing & described, f"{name}: it describes the others", (missing, described))


def named(said, pids):
    return only({int(pid) for pid in re.findall(r"process (\d+) \(.*\) is stuck", said)}, pids)


def before(folder, pids):
    """They are stuck when a recording begins."""
    path = os.path.join(folder, "before.fxt")
    done = run([FXTREC, "record", "--backend=bpf", "-d", "0.5", "-o", path], timeout=PATIENCE_S)
    ok(done.returncode == 0 and named(done.stderr, pids), "before: it is recorded, and they are named", done.stderr)
    whole(path, "before", pids)
    lines = run([FXTREC, "dump", path]).stdout.splitlines()
    names = {(int(m[1]), m[2]) for line in lines if (m := re.search(r'name="object" [{]file=.* process=(\d+) name="(.*)"[}]', line))}
    files = {mount.file for mount in mounts}
    ok({name for pid, name in names if pid in pids} == files, "before: files in file systems that don't answer have names",
       (names, files))
    done = run(["prlimit", "--nofile=64:64", "setpriv", "--bounding-set=-sys_resource", FXTREC, "record", "--backend=bpf",
                "--no-marks", "-e", "sched:*", "-o", path], timeout=PATIENCE_S)
    ok(done.returncode == 1 and done.stderr.count("\n") == 1 and "ulimit -Hn" in done.stderr,
       "before: a refusal, which comes behind them, is one line", done.stderr)


def waiting(process):
    """How many threads it has that wait for what can't be interrupted, as one does for a process that is stuck."""
    threads = os.listdir(f"/proc/{process.pid}/task")
    return recorder.states(*(f"{process.pid}/task/{thread}" for thread in threads)).count("D")


def during(folder):
    """One is stuck from the midst of a recording on, in which others come to be."""
    path = os.path.join(folder, "during.fxt")
    process = recorder.start(["--backend=bpf", "--flush=100ms", "-o", path])
    # It would describe the one, where that is slow to get stuck.
    process.send_signal(signal.SIGSTOP)
    one, other = stick(folder, STUCK, [SHARERS, "FILE", "0"]), subprocess.Popen(["sleep", "4321"])
    process.send_signal(signal.SIGCONT)
    # At its end it has less than a second for those that are left, and counts the others.
    ok(recorder.becomes(lambda: other.pid in undescribed(path)[1] and waiting(process) > STUCK, PATIENCE_S),
       "during: it describes the other one, and a thread of its waits for the one", waiting(process))
    said = recorder.end(process, PATIENCE_S)
    ok(process.returncode == 0 and one.pid in {int(n) for n in re.findall(r"process (\d+) ", said)},
       "during: it ends, and names the one", said)
    missing, described = undescribed(path)
    ok(one.pid in missing and other.pid in described, "during: its file lists the one, and describes another",
       (missing, described, one.pid, other.pid))
    command = executed(path, one.pid)
    ok(command == [f"{SHARERS} {mounts[-1].file} 0"], "during: the one has its command line from when it executed its program", command)
    other.kill()
    other.wait()


def snapshots(folder, pids):
    """A flight recorder answers, writes, and obeys."""
    path = os.path.join(folder, "flight.fxt")
    process = recorder.start(["--backend=bpf", "--flight", "-o", path])
    for number in (1, 2):
        said = run([FXTREC, "snapshot", str(process.pid)], timeout=PATIENCE_S)
        ok(said.returncode == 0 and said.stdout.strip().endswith(f"flight.{number:04}.fxt"),
           f"snapshot {number}: it is answered", said.stderr)
        if number == 1:
            whole(said.stdout.strip(), "snapshot 1", pids)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=PATIENCE_S)[1]
    ok(process.returncode == 0 and "2 snapshots" in said and named(said, pids), "it obeys SIGTERM, and names them", said)


def rotated(folder, pids):
    """Each file of a rotation describes the processes, and the last one lists those that are stuck."""
    path = os.path.join(folder, "part")
    process = recorder.start(["--backend=bpf", "--rotate=200ms", "-o", path + ".fxt"])
    recorder.files_begin(path, 4)
    said = recorder.end(process, PATIENCE_S)
    parts = sorted(n for n in os.listdir(folder) if n.startswith("part."))
    ok(process.returncode == 0 and len(parts) > 2, "rotated: it goes on", said)
    whole(os.path.join(folder, parts[-1]), "rotated: the last part", pids)
    tap.all_of("rotated: each part describes the others", parts,
               lambda part: os.getpid() in undescribed(os.path.join(folder, part))[1])


def busy(folder):
    """Nothing is stuck: to read a command line takes much CPU time, as it does where there is little of that."""
    path, one = os.path.join(folder, "busy.fxt"), subprocess.Popen(["sleep", "4321"])
    spins = {"LD_PRELOAD": os.path.join(tap.TOP, "build", "tests", "spinread.so"), "SPIN_PID": str(one.pid),
             # The sanitizers' library wants to be the first.
             "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0"}
    done = run([FXTREC, "record", "--backend=bpf", "-d", "0.3", "-o", path], env={**os.environ, **spins}, timeout=PATIENCE_S)
    ok(done.returncode == 0 and f"process {one.pid} " not in done.stderr,
       "busy: it is recorded, and the process is not called stuck", done.stderr)
    missing, described = undescribed(path)
    # A recorder waits for none without an end, however little CPU time there is.
    ok(one.pid not in missing and (one.pid in described or "more processes weren't described in time" in done.stderr),
       "busy: it describes the process, or counts it with those that there was no time for", (missing, done.stderr))
    one.kill()
    one.wait()


def stick(folder, number, program=()):
    """A process that is stuck in a file system of its own."""
    mounts.append(fuse.Mount(os.path.join(folder, f"mounted-{number}")))
    stuck.append(fuse.Stuck(mounts[-1], program))
    return stuck[-1]


def occupied(process):
    """How many of its threads are with processes that are stuck: another may wait for a disk for a moment."""
    counts = []
    for _ in range(20):
        counts.append(waiting(process))
        time.sleep(0.05)
    return min(counts)


def recorded_beside(path):
    """A recorder that has described a process which came after all others, and how many of its threads are stuck."""
    process = recorder.start(["--backend=bpf", "--flush=100ms", "-o", path])
    other = subprocess.Popen(["sleep", "4321"])
    described = recorder.becomes(lambda: other.pid in undescribed(path)[1], PATIENCE_S)
    # Those that have renamed themselves meanwhile were asked for again.
    time.sleep(3)
    count = occupied(process)
    other.kill()
    other.wait()
    return described, count, recorder.end(process, PATIENCE_S)


def sharers(folder, before):
    """More processes than a recorder has threads, with one memory map, which rename themselves all the while."""
    one = stick(folder, "shared", [SHARERS, "FILE", "80"])
    path = os.path.join(folder, "shared.fxt")
    described, count, said = recorded_beside(path)
    ok(described and count == before + 1, "a memory map that many processes share takes one thread, however often they are renamed",
       (described, count))
    named_stuck = re.findall(rf"process (?:{one.pid} \(sharers\)|\d+ \(renamed-\d\)) is stuck", said)
    ok(len(named_stuck) == 1 and
       int(re.search(r"(\d+) more processes weren't described", said)[1]) >= 80, "and the others are counted", said)
    missing, seen = undescribed(path)
    ok(os.getpid() in seen and one.pid not in seen, "the rest of the machine is described", (missing, seen))


def strangers(folder, before):
    """Processes of another user, each with a memory map of its own that is stuck."""
    for number in range(12):
        stick(folder, f"stranger-{number}", [*AS_NOBODY, SHARERS, "FILE", "0"])
    described, count, said = recorded_beside(os.path.join(folder, "strangers.fxt"))
    ok(described and count == before + 4, "a user's stuck processes take four threads, and hold up no other's", (described, count, said))


ftrace.mount()
mounts, stuck = [], []
with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    busy(folder)
    try:
        pids = {stick(folder, number).pid for number in range(STUCK)}
        before(folder, pids)
        snapshots(folder, pids)
        rotated(folder, pids)
        during(folder)
        occupying = STUCK + 1
        sharers(folder, occupying)
        strangers(folder, occupying + 1)
    finally:
        # What is stuck can't be killed before its file system ends.
        for each in [*mounts, *stuck]:
            each.end()
tap.done()
