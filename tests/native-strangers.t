#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Strangers at a recorder's sockets: nobody who may not ask keeps it from its work."""
import contextlib
import encodings.idna  # which another user may not be able to load, and addresses need
import fcntl
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import delays
import fuse
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


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def stop(process, first=0):
    """It and all below it, or all but it (1): those as well that began meanwhile.  Their ids."""
    pids = []
    while pids != recorder.family(process.pid)[first:]:
        pids = recorder.family(process.pid)[first:]
        send(pids, signal.SIGSTOP)
    return pids


@contextlib.contextmanager
def stopped(process):
    """While it can't look, so that its copies of what is sent are the last."""
    pids = stop(process)
    try:
        yield
    finally:
        send(pids, signal.SIGCONT)


def leave_many(name, count):
    """Sends two descriptors at a time, where one is expected."""
    with open("/dev/null", "rb") as null:
        for _ in range(count):
            with connect(name) as s:
                socket.send_fds(s, [b"x"], [null.fileno()] * 2)
    return []


def descriptors(process):
    count = 0
    for pid in recorder.family(process.pid):
        with contextlib.suppress(FileNotFoundError):
            count += len(os.listdir(f"/proc/{pid}/fd"))
    return count


def falls(count, most):
    """Until that many are left, or for too long; how many are."""
    until = time.monotonic() + 20
    left = count()
    while left > most and time.monotonic() < until:
        time.sleep(0.1)
        left = count()
    return left


def works_on(process, path, what, until):
    """It ends when it is asked to, and has recorded until then."""
    said = recorder.end(process, 30)
    r = Recording(path)
    ok(process.returncode == 0 and "lost" not in said.replace("nothing lost", ""), f"{what}: it ends in peace", said)
    ok(r.events and max(e[-1][0] for e in r.events.values() if e) > until, f"{what}: it has recorded all the while",
       (until, {cpu: e[-1][0] for cpu, e in r.events.items() if e}))


def begin(path, what):
    """A recording, once somebody has been answered at its door; its rings last for a recorder that is stopped."""
    process = recorder.start(["--backend=bpf", "-b", "16M", "-o", path])
    if not ok(marker.listens(process), f"{what}: the recorder listens"):
        recorder.end(process)
        sys.exit("without that there is nothing to test")
    leave_many("fxtrec-marks-mono", 1)
    # Itself, the door, and who attends to callers there: one that was stopped before it has seen
    # to its end with the others would stay, and keep the name.
    until = time.monotonic() + 20
    while recorder.asleep(process.pid) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    return process


def marks(folder):
    path = os.path.join(folder, "marks.fxt")
    process = begin(path, "marks")
    before = 0
    # One attendant may have gone, and the next not come.
    for _ in range(20):
        before = max(before, descriptors(process))
        time.sleep(0.05)
    many = Stranger(lambda: leave_many("fxtrec-marks-mono", 300))
    program = marker.build(folder)[0]
    p = marker.Marker(program)
    # Who comes behind them is answered when they have been.
    behind = p.wait_on(process)
    p.end()
    left = falls(lambda: descriptors(process), before)
    ok(many.did and behind and left <= before, "two descriptors are not kept", (many.did, behind, before, left))
    with stopped(process):
        lingers = Stranger(lambda: leave_lingering(*["fxtrec-marks-mono"] * 8))
    ok(lingers.did, "connections that linger are left to it")
    p = marker.Marker(program)
    ok(p.wait_on(process), "a program that begins then is told to mark")
    # Itself, the door, and an attendant.
    left = falls(lambda: len(recorder.family(process.pid)), 3)
    ok(left <= 3, "no process stays with them", left)
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


def flood(name):
    """Comes again and again, as fast as may be, from now on."""
    def come():
        while True:
            with contextlib.suppress(OSError), connect(name) as s:
                s.send(b"x")

    threading.Thread(target=come, daemon=True).start()
    return True


def door_nice(process):
    nices = []
    for pid in recorder.family(process.pid)[1:]:
        with contextlib.suppress(ProcessLookupError):
            nices.append(os.getpriority(os.PRIO_PROCESS, pid))
    return max(nices)


def flooded(folder):
    """Who answers strangers is favoured over others while these are few, and no longer."""
    path = os.path.join(folder, "flooded.fxt")
    process = begin(path, "flooded")
    nices = [door_nice(process)]
    stranger = Stranger(lambda: flood("fxtrec-marks-mono"))
    time.sleep(0.5)
    program, told = marker.build(folder)[0], []
    # Who comes while 4096 others wait doesn't wait with them.
    while not any(told) and len(told) < 50:
        p = marker.Marker(program)
        told.append(p.wait_on(process, 0.5))
        if not told[-1]:
            p.end()
    ok(any(told), "programs that begin in a flood of callers are told to mark", told)
    most = 0
    for _ in range(201):
        nices.append(door_nice(process))
        most = max(most, len(recorder.family(process.pid)) - 2)
        time.sleep(0.01)
    stranger.end()
    time.sleep(3)
    nices.append(door_nice(process))
    ok(nices[0] == nices[-1] == -20 and set(nices[1:-1]) == {0}, "a flood of callers is not favoured",
       nices)
    ok(0 < most < 10, "and answered by few", most)
    p.end()
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    works_on(process, path, "flooded", until)


def missed(folder):
    """A program that can't come through until the end: what it still holds is recorded, and the rest is told as lost."""
    path = os.path.join(folder, "missed.fxt")
    process = begin(path, "missed")
    stop(process, 1)
    p = marker.Marker(marker.build(folder)[0])
    thread, = p.tell("threads 1 20000")
    said = recorder.end(process, 30)
    p.end()
    marked = run([FXTREC, "dump", path]).stdout.count(f"process={p.pid} thread={thread} ")
    lost = re.search(r"lost (\d+) marks of programs", said)
    ok(process.returncode == 0 and marked > 1000 and lost and int(lost[1]) > 1000,
       "who didn't come through is found at the end", (marked, said))


def send_unclosable(path, count):
    """Each a file whose server never answers who closes it."""
    kept = []
    for _ in range(count):
        kept.append(connect("fxtrec-marks-mono"))
        fd = os.open(path, os.O_RDWR)
        socket.send_fds(kept[-1], [b"x"], [fd])
        kept.append(fd)
    return kept


def unclosable(folder):
    """Who has such files can't even be killed: neither the recorder nor the next one waits for him."""
    if not os.path.exists("/dev/fuse"):
        tap.skip("files that nobody can close", "this kernel has no FUSE")
        return
    os.mkdir(os.path.join(folder, "mount"))
    mount = fuse.Mount(os.path.join(folder, "mount"))
    path = os.path.join(folder, "unclosable.fxt")
    process = begin(path, "unclosable")
    os.chmod(folder, 0o755)
    stranger = Stranger(lambda: send_unclosable(mount.file, 5))
    time.sleep(0.5)
    stuck = recorder.family(process.pid)[2:]
    # One attends, the others can't end; each may have several of them.
    ok(stranger.did and len(stuck) > 1, "files that nobody can close are got", stuck)
    p = marker.Marker(marker.build(folder)[0])
    ok(p.wait_on(process), "a program that begins then is told to mark")
    p.end()
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    works_on(process, path, "unclosable", until)
    works_on(begin(path, "the next one"), path, "the next one", until)
    mount.end()
    stranger.end()


def between(folder):
    """Programs that have connected and not yet spoken when a stranger's message makes an attendant leave."""
    path = os.path.join(folder, "between.fxt")
    process = begin(path, "between")
    on = 0
    for _ in range(50):
        with connect("fxtrec-marks-mono") as s:
            fd, memory = marker.forged_memory(os.getpid())
            time.sleep(0.002)
            leave_many("fxtrec-marks-mono", 1)
            time.sleep(0.0005)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                socket.send_fds(s, [b"x"], [fd])
            until = time.monotonic() + 0.5
            while not marker.is_on(memory) and time.monotonic() < until:
                time.sleep(0.001)
            on += marker.is_on(memory)
        memory.close()
        os.close(fd)
    ok(on > 25, "who is about to speak is listened to", on)
    recorder.end(process, 30)


def lease_memories():
    """Whoever opens such a memory for writing waits for 45 s, unless it is given up."""
    kept = []
    for number in range(marker.FD, marker.FD + 4):
        fd, memory = marker.forged_memory(os.getpid())
        memory.close()
        reader = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY)
        os.dup2(reader, number)
        os.close(fd)
        os.close(reader)
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fcntl.fcntl(number, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        kept.append(number)
    return kept


def leased(folder):
    """Memories whose owner says when they may be opened: nobody waits for him."""
    path = os.path.join(folder, "leased.fxt")
    stranger = Stranger(lease_memories)
    try:
        said = run([FXTREC, "record", "--backend=bpf", "-d", "0.5", "-o", path], timeout=100)
    except subprocess.TimeoutExpired:
        said = None
    ok(stranger.did and said and said.returncode == 0, "memories that are leased are not waited for", said)
    stranger.end()


def before_the_end(folder):
    """A program behind many that say nothing, and a recorder that can't look for it itself."""
    path = os.path.join(folder, "before.fxt")
    process = recorder.start(["--backend=bpf", "-o", path],
                             prefix=["setpriv", "--bounding-set=-all,+bpf,+perfmon,+sys_nice", "--inh-caps=-all"])
    ok(marker.listens(process), "before the end: the recorder listens")
    silent = Stranger(lambda: [connect("fxtrec-marks-mono") for _ in range(600)])
    p = marker.Marker(marker.build(folder)[0])
    thread, = p.tell("threads 1 10")
    with recorder.busy():
        said = recorder.end(process, 30)
    p.end()
    silent.end()
    marked = run([FXTREC, "dump", path]).stdout.count(f"process={p.pid} thread={thread} ")
    ok(silent.did and process.returncode == 0 and marked >= 20, "who came before the end is let in", (marked, said))
    ok("nothing lost" in said, "and no event is lost while he is waited for", said)


def flight(folder):
    out = os.path.join(folder, "flight")
    process = delays.flight(out + ".fxt", "bpf", [])
    name = f"fxtrec-flight-{process.pid}"
    silent = Stranger(lambda: [connect(name) for _ in range(200)])
    ok(silent.did and delays.ask(process.pid).startswith("ok "), "the silent keep nobody from asking")
    asks = Stranger(lambda: connect(name).send(b"snapshot"))
    time.sleep(0.5)
    ok(asks.did and len(delays.files(out)) == 1, "another user's question is none", delays.files(out))
    fake = Stranger(lambda: [listen("fxtrec-flight-1"), full("fxtrec-flight-2"), listen(name + "x"),
                             listen(name, kind=socket.SOCK_STREAM)])
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


def listen(name, waiting=128, kind=socket.SOCK_SEQPACKET):
    s = socket.socket(socket.AF_UNIX, kind)
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
    flooded(temporary)
    missed(temporary)
    between(temporary)
    leased(temporary)
    before_the_end(temporary)
    unclosable(temporary)
    flight(temporary)
    occupied(temporary)
tap.done()
