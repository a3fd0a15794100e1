#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Strangers at a recorder's sockets: nobody who may not ask keeps it from its work."""
import contextlib
import encodings.idna  # which another user may not be able to load, and addresses need
import os
import signal
import socket
import struct
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import delays
import marker
import recorder
import tap
from fxt import Recording
from tap import FXTREC, ok, run

NOBODY = 65534
# A second is what a recorder may be late; as long as a test may take is for ever.
LINGER = 3600


class Stranger:
    """A process of another user's that does something, says so, and waits until it is ended."""

    def __init__(self, do):
        done, tell = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            signal.alarm(300)
            try:
                kept = do()
                os.write(tell, b"done")
                while kept is not None:
                    time.sleep(1)
            except Exception as error:
                tap.note(f"a stranger: {error!r}", sys.stderr)
            finally:
                os._exit(1)
        os.close(tell)
        self.did = os.read(done, 4) == b"done"
        os.close(done)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def lingering(peers):
    """A connection that nobody reads: who closes it last waits for ever."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    client = socket.create_connection(server.getsockname())
    peers += [server, server.accept()[0]]
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, LINGER))
    client.setblocking(False)
    try:
        while True:
            client.send(bytes(65536))
    except BlockingIOError:
        return client


def connect(name):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect("\0" + name)
    return s


def leave_lingering(*names):
    """Leaves it to the listeners to close such connections."""
    peers = []
    for name in names:
        with connect(name) as s, lingering(peers) as client:
            socket.send_fds(s, [b"snapshot"], [client.fileno()])
    return peers


@contextlib.contextmanager
def stopped(process):
    """While it can't look, so that its copies of what is sent are the last."""
    pids = [process.pid, *recorder.children(process)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def leave_many(name, count):
    """Sends two descriptors at a time, where one is expected."""
    with open("/dev/null", "rb") as null:
        for _ in range(count):
            with connect(name) as s:
                socket.send_fds(s, [b"x"], [null.fileno()] * 2)
    return []


def descriptors(process):
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in (process.pid, *recorder.children(process)))


def works_on(process, path, what, until):
    """It ends when it is asked to, and has recorded until then."""
    said = recorder.end(process, 30)
    r = Recording(path)
    ok(process.returncode == 0 and "lost" not in said.replace("nothing lost", ""), f"{what}: it ends in peace", said)
    ok(r.events and max(e[-1][0] for e in r.events.values() if e) > until, f"{what}: it has recorded all the while",
       (until, {cpu: e[-1][0] for cpu, e in r.events.items() if e}))


def marks(folder):
    path = os.path.join(folder, "marks.fxt")
    process = recorder.start(["--backend=bpf", "-o", path])
    if not ok(marker.listens(process), "marks: the recorder listens"):
        recorder.end(process)
        return
    before = descriptors(process)
    many = Stranger(lambda: leave_many("fxtrec-marks-mono", 300))
    until = time.monotonic() + 20
    while descriptors(process) > before and time.monotonic() < until:
        time.sleep(0.1)
    ok(many.did and descriptors(process) <= before, "two descriptors are not kept",
       (many.did, before, descriptors(process)))
    with stopped(process):
        lingers = Stranger(lambda: leave_lingering(*["fxtrec-marks-mono"] * 8))
    ok(lingers.did, "connections that linger are left to it")
    p = marker.Marker(marker.build(folder)[0])
    ok(p.wait_on(process), "a program that begins then is told to mark")
    thread, = p.tell("threads 1 10")
    p.end()
    time.sleep(0.5)
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    works_on(process, path, "marks", until)
    marked = run([FXTREC, "dump", path]).stdout.count(f"process={p.pid} thread={thread} ")
    ok(marked >= 20, "its marks are recorded", marked)
    for stranger in (many, lingers):
        stranger.end()


def flight(folder):
    out = os.path.join(folder, "flight")
    process = delays.flight(out + ".fxt", "bpf", [])
    name = f"fxtrec-flight-{process.pid}"
    silent = Stranger(lambda: [connect(name) for _ in range(200)])
    ok(silent.did and delays.ask(process.pid).startswith("ok "), "the silent keep nobody from asking")
    asks = Stranger(lambda: connect(name).send(b"snapshot"))
    time.sleep(0.5)
    ok(asks.did and len(delays.files(out)) == 1, "another user's question is none", delays.files(out))
    fake = Stranger(lambda: [listen("fxtrec-flight-1"), full("fxtrec-flight-2")])
    said = run([FXTREC, "snapshot"], timeout=60)
    ok(fake.did and said.returncode == 0 and said.stdout.strip() in delays.files(out),
       "who listens in a recorder's place is not asked", (said.stdout, said.stderr))
    said = run([FXTREC, "snapshot", "1"], timeout=60)
    ok(said.returncode == 1 and "another user's" in said.stderr, "nor when he is named", (said.stdout, said.stderr))
    with stopped(process):
        lingers = Stranger(lambda: leave_lingering(*[name] * 8, "fxtrec-marks-mono"))
    ok(lingers.did, "connections that linger are left to it, too")
    said = run([FXTREC, "snapshot", str(process.pid)], timeout=60)
    ok(said.returncode == 0, "it is asked all the same", (said.stdout, said.stderr))
    process.send_signal(signal.SIGUSR1)
    until = time.monotonic() + 30
    while len(delays.files(out)) < 4 and time.monotonic() < until:
        time.sleep(0.05)
    said = recorder.end(process, 30)
    ok(process.returncode == 0 and "4 snapshots" in said, "it goes on all the same", said)
    for stranger in (silent, asks, fake, lingers):
        stranger.end()


def listen(name, waiting=128):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.bind("\0" + name)
    s.listen(waiting)
    return s


def full(name):
    """Who connects to it from here on waits for ever."""
    waiting = [listen(name, 0)]
    try:
        while True:
            waiting.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            waiting[-1].setblocking(False)
            waiting[-1].connect("\0" + name)
    except BlockingIOError:
        return waiting


def occupied(folder):
    """Someone has taken the names that a recorder may need."""
    last = int(open("/proc/loadavg").read().split()[-1])
    names = Stranger(lambda: [listen(f"fxtrec-flight-{last + i}") for i in range(1, 900)])
    out = os.path.join(folder, "occupied")
    process = delays.flight(out + ".fxt", "bpf", [])
    process.send_signal(signal.SIGUSR1)
    time.sleep(1)
    said = recorder.end(process, 30)
    ok(names.did and process.returncode == 0 and "can't listen" in said and "1 snapshots" in said,
       "a name that is taken is said, and no more", (names.did, last, process.pid, said))
    names.end()


with tempfile.TemporaryDirectory() as temporary:
    marks(temporary)
    flight(temporary)
    occupied(temporary)
tap.done()
