# SPDX-License-Identifier: GPL-2.0-only
"""Recorders that are waited for until they record, as systemd waits for its services."""
import contextlib
import glob
import os
import re
import select
import signal
import socket
import subprocess
import time

from tap import BUILD, FXTREC


def start(arguments, prefix=(), seconds=600, environment=None, **options):
    """
    "PREFIX fxtrec record ARGUMENTS", once it records; RuntimeError with what it said
    where it doesn't.  What it says is kept in its stderr, unless options say otherwise.
    Its environment has more than ours.
    """
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, **options}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind("")
        ready.settimeout(0.1)
        address = "@" + ready.getsockname()[1:].decode()
        process = subprocess.Popen([*prefix, FXTREC, "record", *arguments],
                                   env={**os.environ, **(environment or {}), "NOTIFY_SOCKET": address}, **options)
        until = time.monotonic() + seconds
        while time.monotonic() < until and process.poll() is None:
            try:
                if b"READY=1" in ready.recv(100):
                    return process
            except TimeoutError:
                pass
    process.kill()
    raise RuntimeError(f"{arguments}: no recording: {process.communicate()[1]}")


# Two threads wake each other as fast as they can, for longer than any test.
PIPE = ["perf", "bench", "sched", "pipe", "-l", "1000000000"]


@contextlib.contextmanager
def busy(command=PIPE):
    """While that runs, with all that it starts: its process."""
    load = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield load
    finally:
        os.killpg(load.pid, signal.SIGKILL)
        load.wait()


def children(process, but=None):
    """Its children, by their ids; but those of that name."""
    return children_of(process.pid, but)


def children_of(pid, but=None):
    found = []
    with contextlib.suppress(ProcessLookupError, FileNotFoundError), open(f"/proc/{pid}/task/{pid}/children") as f:
        for child in f.read().split():
            with contextlib.suppress(ProcessLookupError, FileNotFoundError), open(f"/proc/{child}/comm") as name:
                if name.read().strip() != but:
                    found.append(int(child))
    return found


def states(*tasks):
    """The state letters of tasks, PID or PID/task/TID; none of those that are gone."""
    found = []
    for task in tasks:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{task}/stat") as f:
            found.append(f.read().rpartition(")")[2].split()[0])
    return found


def links(process):
    """What its descriptors are of."""
    found = []
    for fd in os.listdir(f"/proc/{process.pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/{process.pid}/fd/{fd}"))
    return found


def bpf_objects(process):
    """Its eBPF objects, by kind and id: another test's recorder may come or go at any time."""
    found = set()
    for fd in os.listdir(f"/proc/{process.pid}/fdinfo"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{process.pid}/fdinfo/{fd}") as f:
            found |= set(re.findall(r"(?m)^(prog|map|link)_id:\s*(\d+)", f.read()))
    return found


def becomes(condition, seconds=600):
    """Whether that becomes so, sooner or later."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def files_begin(path, count):
    """
    Whether so many files of a rotation to PATH.fxt begin, however long that takes.  The last may be
    open for what comes next, and goes if nothing does.
    """
    return becomes(lambda: len(glob.glob(glob.escape(path) + ".[0-9]*.fxt")) >= count)


def heard(process, text, seconds=600):
    """What a process says on standard error, up to that text or its end; nothing behind it is taken from whoever reads on."""
    said, until = b"", time.monotonic() + seconds
    while text.encode() not in said and select.select([process.stderr], [], [], max(0, until - time.monotonic()))[0]:
        byte = os.read(process.stderr.fileno(), 1)
        if not byte:
            break
        said += byte
    return said.decode()


def end(process, seconds=600):
    """What it says when it is asked to end."""
    process.terminate()
    return process.communicate(timeout=seconds)[1]


def end_hard(process):
    """It is killed, and leaves what it can't remove."""
    process.kill()
    process.communicate()


def all_recorded(said, backend):
    """
    Nothing lost, but for what an eBPF program can't help and tells: a wakeup by what
    interrupts a thread that wakes itself (Documentation/ring.rst), where the kernel leaves the
    program out, or where a ring counts it.
    """
    lost = re.search(r"(?m), (\d+) lost$", said)
    nested = map(int, re.findall(r"lost (\d+) (?:scheduling events \(nested\)|events \(nested probes\))", said))
    return "nothing lost" in said or bool(lost) and backend == "bpf" and int(lost[1]) == sum(nested) < 4


def only_unrecorded(said):
    """
    Some of any tracepoints' events, of an interrupt that came while the kernel handled
    another's for eBPF: reported, and compared with ftrace, which must have as many more at most.
    """
    lost, nested = (re.search(pattern, said) for pattern in (r"(?m), (\d+) lost$", r"lost (\d+) events \(nested"))
    return bool(lost and nested) and lost[1] == nested[1] and int(lost[1]) < 100


@contextlib.contextmanager
def program(name, *arguments):
    """A program of ours while it runs: it ends with its standard input."""
    process = subprocess.Popen([os.path.join(BUILD, "tests", name), *arguments], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()
