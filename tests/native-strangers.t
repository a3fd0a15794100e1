#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Another user beside a recorder: it can't stop, slow, ask or read it, and programs that mark are served all the while."""
import collections
import contextlib
import errno
import fcntl
import os
import re
import signal
import socket
import stat
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
THREAD = re.compile(r"process=\d+ thread=\d+ ")
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


class Stranger:
    """A process of another user that does something, reports it, and waits until it is ended."""

    def __init__(self, do):
        done, report = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            signal.alarm(300)
            try:
                kept = do()
                os.write(report, b"done")
                while kept is not None:
                    time.sleep(1)
            except Exception as error:
                tap.note(f"a stranger: {error!r}", sys.stderr)
            finally:
                os._exit(1)
        os.close(report)
        self.did = os.read(done, 4) == b"done"
        os.close(done)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def begin(path, what, *options, **more):
    process = recorder.start(["--backend=bpf", "-b", "16M", "-o", path, *options], **more)
    if not ok(marker.listens(process), f"{what}: the recorder listens"):
        recorder.end(process)
        sys.exit("without that there is nothing to test")
    return process


def works_on(process, path, what, until):
    """It ends when it is asked to, and has recorded until then."""
    said = recorder.end(process)
    r = Recording(path)
    ok(process.returncode == 0 and "nothing lost" in said, f"{what}: it ends in peace", said)
    ok(r.events and max(e[-1][0] for e in r.events.values() if e) > until, f"{what}: it has recorded all the while",
       (until, {cpu: e[-1][0] for cpu, e in r.events.items() if e}))


def marks_of(path, *threads):
    """How many events each thread, by process and thread id, has in the file."""
    with subprocess.Popen([FXTREC, "dump", path], stdout=subprocess.PIPE, text=True) as dump:
        counts = collections.Counter(m[0] for m in map(THREAD.search, dump.stdout) if m)
    return [counts[f"process={pid} thread={tid} "] for pid, tid in threads]


def denied(do):
    """Whether the kernel refuses that to another user."""
    def attempt():
        try:
            do()
        except PermissionError:
            return True
        raise RuntimeError("it was let")
    stranger = Stranger(attempt)
    stranger.end()
    return stranger.did


def connect(pid):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect(f"/run/fxtrec/flight-{pid}")
    return s


def permissions(folder):
    """What a mode forbids needs no defence."""
    out = os.path.join(folder, "permissions")
    process = delays.flight(out + ".fxt", "bpf", [])
    ok(marker.listens(process), "permissions: the recorder listens")
    kept = [os.stat(path) for path in (marker.socket_of(), marker.socket_of(NOBODY), f"/run/fxtrec/flight-{process.pid}",
                                       marker.SOCKETS, "/run/fxtrec")]
    ok([(stat.S_IMODE(st.st_mode), st.st_uid) for st in kept] ==
       [(0o600, 0), (0o600, NOBODY), (0o600, 0), (0o711, 0), (0o755, 0)], "modes and owners of the sockets and directories",
       [(oct(st.st_mode), st.st_uid) for st in kept])
    ok(denied(marker.connect), "a stranger can't offer at another user's socket")
    ok(denied(lambda: os.open(marker.SOCKETS, os.O_RDONLY)), "nor hold the lock of a recorder")
    ok(denied(lambda: connect(process.pid)), "nor ask for a snapshot")
    ok(denied(lambda: os.unlink(marker.socket_of(NOBODY))) and
       denied(lambda: socket.socket(socket.AF_UNIX).bind(f"{marker.SOCKETS}/{NOBODY}-boot")) and
       denied(lambda: socket.socket(socket.AF_UNIX).bind("/run/fxtrec/flight-1")), "nor take a recorder's place")
    said = run([*AS_NOBODY, FXTREC, "snapshot", str(process.pid)])
    ok(said.returncode == 1 and "another user's" in said.stderr, "its snapshot command says so", said.stderr)
    said = run([FXTREC, "snapshot", str(os.getpid())])
    ok(said.returncode == 1 and "no flight recorder" in said.stderr, "a process that is no recorder", said.stderr)
    said = run([FXTREC, "snapshot", str(process.pid)], timeout=600)
    ok(said.returncode == 0 and said.stdout.strip() in delays.files(out), "its own user is answered", said.stderr)
    ok(not recorder.children(process), "no other process serves it", recorder.children(process))
    said = recorder.end(process)
    ok(process.returncode == 0 and "1 snapshot" in said, "nothing else asked", said)
    ok(not os.listdir(marker.SOCKETS) and not os.path.exists(f"/run/fxtrec/flight-{process.pid}"),
       "nothing of it stays behind")


# r0 = -EBADFD; exit
FAILS = struct.pack("<BBhi", 0xb7, 0, 0, -errno.EBADFD) + struct.pack("<BBhi", 0x95, 0, 0, 0)
PROG_LOAD, TYPE_SYSCALL, SLEEPABLE, SYS_BPF = 5, 31, 1 << 4, 321
LOADER = f"""if True:
    import ctypes, struct, sys
    code = ctypes.create_string_buffer({FAILS!r})
    text = ctypes.create_string_buffer(b"GPL")
    attr = struct.pack("<2I2Q2IQ2I16s", {TYPE_SYSCALL}, 2, ctypes.addressof(code), ctypes.addressof(text),
                       0, 0, 0, 0, {SLEEPABLE}, b"fxtrec_mark").ljust(128, b"\\0")
    if ctypes.CDLL(None, use_errno=True).syscall({SYS_BPF}, {PROG_LOAD}, attr, len(attr)) < 0:
        sys.exit("bpf: errno %d" % ctypes.get_errno())
    print("loaded", flush=True)
    sys.stdin.read()
"""


def program(prefix, name):
    """A program of the marking one's name, which "fxtrec mark" would fail by if it ran it."""
    with subprocess.Popen([*prefix, "/usr/bin/python3", "-c", LOADER], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as loader:
        loaded = loader.stdout.readline()
        said = run([FXTREC, "mark", "executed"])
        loader.stdin.close()
    ok(loaded == "loaded\n" and os.strerror(errno.EBADFD) not in said.stderr, name, (loaded, said.stderr))


def programs(folder):
    """Root's mark command runs its recorders' programs, and no others."""
    program(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=+bpf,+perfmon",
             "--ambient-caps=+bpf,+perfmon"], "mark doesn't run a program of a user who may load some")
    program([], "nor one of root's that has no rings")
    path = os.path.join(folder, "program.fxt")
    process = begin(path, "programs")
    said = run([FXTREC, "mark", "executed"])
    recorder.end(process)
    ok(said.returncode == 0 and "executed" in [text for _, _, text in Recording(path).messages],
       "it runs a recorder's", said.stderr)


def silent(folder):
    """Clients that connect and say nothing, or something else; and one that was killed before."""
    out = os.path.join(folder, "silent")
    killed = delays.flight(os.path.join(folder, "killed.fxt"), "bpf", [])
    recorder.end_hard(killed)
    process = delays.flight(out + ".fxt", "bpf", [])
    # More than it keeps at a time.
    kept = [connect(process.pid) for _ in range(70)]
    for each in kept[-10:]:
        each.send(b"snapshots")
    said = run([FXTREC, "snapshot"], timeout=600)
    ok(said.returncode == 0 and said.stdout.strip() in delays.files(out),
       "the one that runs is found beside what a killed one left, and answers one of many", (said.stdout, said.stderr))
    ok(not os.path.exists(f"/run/fxtrec/flight-{killed.pid}"), "and what that left is removed")
    said = recorder.end(process)
    ok(process.returncode == 0 and "1 snapshot" in said, "and nothing else was a request", said)


def foreign():
    """A descriptor that is no program's memory."""
    return os.open("/dev/null", os.O_RDWR)


def sized(bytes, seals=marker.SEALS):
    """Memory of another size."""
    fd = os.memfd_create("fxtrec-marks", os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, bytes)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return fd


def another():
    """The memory of a process of another id."""
    return marker.forged_memory(1)[0]


# Messages, with how many descriptors of which kind.
NOISE = [(b"", 0, foreign), (b"m", 0, foreign), (b"m" * 60000, 0, foreign), (b"m", 1, foreign), (b"m", 1, another),
         (b"m", 200, foreign), (b"m", 1, lambda: sized(4096)), (b"m", 1, lambda: sized(marker.PAGE + 8 * marker.RING, 1))]


def send_noise(message, count, make):
    client, _ = marker.connect(NOBODY)
    socket.send_fds(client, [message], [make() for _ in range(count)])
    return client


def noise(folder):
    """Whatever a stranger sends where its programs offer themselves, they are found."""
    path = os.path.join(folder, "noise.fxt")
    process = begin(path, "noise")
    program = marker.build(folder)[0]
    found, marked = [], []
    for each in NOISE:
        stranger = Stranger(lambda each=each: send_noise(*each))
        for prefix in ([], AS_NOBODY):
            p = marker.Marker(program, prefix)
            found.append(stranger.did and p.wait_on(process))
            marked.append((p.pid, p.tell("threads 1 10")[0]))
            p.end()
        stranger.end()
    tap.all_of("programs are found behind a stranger's noise", found, bool)
    time.sleep(0.5)
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    works_on(process, path, "noise", until)
    counts = marks_of(path, *marked)
    ok(min(counts) >= 20, "and their marks recorded", counts)


def flood():
    """Connects and sends as fast as may be, from now on: nothing, and memory of no use."""
    def send():
        useless = another()
        kept = collections.deque(maxlen=500)
        while True:
            try:
                client, _ = marker.connect(NOBODY)
                kept.append(client)
                if len(kept) % 3:
                    socket.send_fds(client, [b"m"], [useless])
            except OSError:
                kept.clear()

    threading.Thread(target=send, daemon=True).start()
    return True


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def flooded(folder):
    """A stranger that never stops: programs are still found, and the recorder works for it only so much."""
    path = os.path.join(folder, "flooded.fxt")
    process = begin(path, "flooded")
    program = marker.build(folder)[0]
    stranger = Stranger(flood)
    found, marked = [], []
    for _ in range(10):
        p = marker.Marker(program)
        found.append(p.wait_on(process))
        marked.append((p.pid, p.tell("threads 1 10")[0]))
        p.end()
    ok(stranger.did and all(found), "programs that start in a flood are found", found)
    used, began = cpu_seconds(process), time.monotonic()
    time.sleep(3)
    share = (cpu_seconds(process) - used) / (time.monotonic() - began)
    tap.note(f"{100 * share:.0f} % of a CPU in the flood")
    stranger.end()
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    works_on(process, path, "flooded", until)
    counts = marks_of(path, *marked)
    ok(min(counts) >= 20, "and their marks recorded", counts)


def late(folder):
    """A recorder that doesn't run when a program starts: what it can hold is recorded, the rest reported as lost."""
    path = os.path.join(folder, "late.fxt")
    process = begin(path, "late")
    process.send_signal(signal.SIGSTOP)
    p = marker.Marker(marker.build(folder)[0])
    thread, = p.tell("threads 1 20000")
    ok(p.tell("state") == [1, 0], "it writes, and has no recorder yet", p.tell("state"))
    process.send_signal(signal.SIGCONT)
    said = recorder.end(process)
    p.end()
    marked, = marks_of(path, (p.pid, thread))
    lost = re.search(r"lost (\d+) marks of programs", said)
    ok(process.returncode == 0 and marked > 1000 and lost and int(lost[1]) > 1000,
       "a program that could not be found before the end is found then", (marked, said))


def at_the_end(folder):
    """A program that starts just before the end, in a flood, beside a load."""
    path = os.path.join(folder, "end.fxt")
    process = begin(path, "at the end")
    stranger = Stranger(flood)
    with recorder.busy():
        p = marker.Marker(marker.build(folder)[0])
        thread, = p.tell("threads 1 10")
        said = recorder.end(process)
    p.end()
    stranger.end()
    ok(stranger.did and process.returncode == 0 and marks_of(path, (p.pid, thread))[0] >= 20,
       "a program that announced itself before the end is recorded", said)
    ok("nothing lost" in said, "and no event is lost meanwhile", said)


def unit_capabilities(folder):
    """With the installed unit's capabilities: another user's program, which starts during the recording."""
    path = os.path.join(folder, "unit.fxt")
    with open(os.path.join(tap.TOP, "scripts", "fxtrec-flight.service")) as f:
        names = re.search(r"(?m)^CapabilityBoundingSet=(.*)$", f.read())[1].split()
    caps = ",".join(["-all"] + ["+" + name.lower().removeprefix("cap_") for name in names])
    process = begin(path, "the unit", prefix=["setpriv", "--bounding-set=" + caps, "--no-new-privs"])
    program = marker.build(folder)[0]
    marked = {}
    for whose, prefix in (("root's", []), ("another user's", AS_NOBODY)):
        p = marker.Marker(program, prefix)
        found = p.wait_on(process)
        marked[whose] = p.pid, p.tell("threads 1 10")[0]
        p.end()
        ok(found, f"with the unit's capabilities {whose} program is found")
    said = recorder.end(process)
    counts = marks_of(path, *marked.values())
    ok(process.returncode == 0 and min(counts) >= 20, "and its marks are recorded", (counts, said))


def claimed(process, made_by):
    """Whether the recorder takes the memory that a process of root's has, and that this user has made."""
    child = os.fork()
    if not child:
        os.seteuid(made_by)
        fd, memory = marker.forged_memory(os.getpid())
        os.seteuid(0)
        fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, marker.FD)
        marker.offer(fd)
        until = time.monotonic() + (2 if made_by else 300)
        while not marker.is_on(memory) and time.monotonic() < until:
            time.sleep(0.01)
        os._exit(marker.is_on(memory))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def disguised(folder):
    """Another user's memory in a process of root's, as a set-user-ID program may have it."""
    process = begin(os.path.join(folder, "disguised.fxt"), "disguised")
    ok(claimed(process, 0), "the memory of a process of root's is recorded")
    ok(not claimed(process, NOBODY), "but not what another user made and gave to it")
    recorder.end(process)


def policy(process, name):
    """The scheduling policy of a thread of a process, by its name."""
    for tid in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{tid}/comm") as f:
            if f.read().strip() == name:
                return os.sched_getscheduler(int(tid))
    return None


def in_turn(programs, steps, line):
    """Has programs mark, little enough at a time that none of it has no room."""
    for _ in range(steps):
        for p in programs:
            p.tell(line)
        time.sleep(0.05)


def marks_lost(r):
    lost = collections.Counter()
    for loss in r.losses:
        if loss.cause.startswith("marks"):
            lost[loss.cause] += loss.records
    return lost


STEPS, EACH = 60, 4000
MARK_BYTES = 56


@contextlib.contextmanager
def few_events():
    """
    Options of a recording that has few events beside marks, however many others there are: while a chosen thread waits,
    all switches of its CPU are recorded, so everything runs on one CPU, and the recording is of another one's events.
    """
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cpus[:1])
    try:
        yield ["-p", str(os.getpid()), "-C", str(cpus[-1])]
    finally:
        os.sched_setaffinity(0, cpus)


def limited(folder):
    """A flood of marks ends neither a recording nor a file of it, and takes no more of it than its user's share."""
    with few_events() as filtered:
        limits_kept(folder, marker.build(folder)[0], filtered)


def limits_kept(folder, program, filtered):
    for whose, prefix, part in (("another user's", AS_NOBODY, 16), ("its own user's", [], 2)):
        for option in ("--size-limit=8M", "--rotate=8M"):
            path = os.path.join(folder, "limited.fxt")
            process = begin(path, f"limited: {whose}, {option}", *filtered, option)
            read_by = policy(process, "fxtrec-marks"), os.sched_getscheduler(process.pid)
            flood = marker.Marker(program, prefix)
            flood.wait_on(process)
            in_turn([flood], STEPS, f"hot 1 {EACH}")
            alive, files = process.poll() is None, numbered(folder, "limited.")
            said = recorder.end(process)
            flood.end()
            r = Recording(files[0] if files else path, others=True)
            written, lost = sum(m.name == "hot" for m in r.marks), marks_lost(r)
            what = f"{whose} flood, {option}"
            ok(alive and len(files) < 2, f"{what}: it goes on, in its file", (alive, files, said))
            ok(written * MARK_BYTES < (8 << 20) / part * 1.2 and written > 1000, f"{what}: has its part of it",
               (written, lost))
            ok(lost["marks over budget"] > 0 and written + sum(lost.values()) == STEPS * EACH,
               f"{what}: and the rest is counted as lost", (written, lost))
            ok("nothing lost" not in said and "no event lost" in said, f"{what}: as marks, not as events", said)
            ok(read_by == (os.SCHED_OTHER, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK), "marks are read by a thread of normal priority",
               read_by)
            for name in files or [path]:
                os.unlink(name)


def numbered(folder, start):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(start) and name[len(start)].isdigit())


def kept(folder):
    """A flood of marks evicts no other program's from a snapshot, and it is reported how many of its own it has."""
    # A snapshot begins with the events that the rings still hold.
    with few_events() as filtered:
        snapshots_kept(folder, marker.build(folder)[0], filtered)


def snapshots_kept(folder, program, filtered):
    for whose, prefix in (("another user", AS_NOBODY), ("the same user", [])):
        out = os.path.join(folder, "kept-" + whose[0])
        process = delays.flight(out + ".fxt", "bpf", filtered)
        ok(marker.listens(process), f"kept: beside {whose}, it listens")
        quiet, floods = marker.Marker(program), [marker.Marker(program, prefix) for _ in range(4)]
        tap.all_of("kept: programs are found", [quiet, *floods], lambda p: p.wait_on(process))
        quiet.tell("hot 1 171")
        in_turn(floods, STEPS, f"hot 1 {EACH}")
        path = run([FXTREC, "snapshot", str(process.pid)], timeout=600).stdout.strip()
        recorder.end(process)
        for p in [quiet, *floods]:
            p.end()
        r = Recording(path, others=True)
        of = collections.Counter(m.pid for m in r.marks if m.name == "hot")
        written, lost = sum(of[p.pid] for p in floods), marks_lost(r)
        ok(of[quiet.pid] == 171, f"a flood of {whose} evicts no other program's marks", (of, lost))
        ok(written + sum(lost.values()) == 4 * STEPS * EACH and lost["marks over budget"] > 0,
           "and all of its own are there, or reported as lost", (written, lost))


def unanswered(folder):
    """A file of a file system that doesn't answer its close, in the place of memory."""
    program, path = marker.build(folder)[0], os.path.join(folder, "unanswered.fxt")
    disk = fuse.Disk(os.path.join(folder, "disk"))
    disk.hold(fuse.FLUSH)
    process = begin(path, "unanswered")
    stranger = Stranger(lambda: send_noise(b"m", 1, lambda: os.open(disk.file, os.O_RDWR | os.O_CREAT)))
    until = time.monotonic() + 60
    while not disk.waited_for(fuse.FLUSH) and time.monotonic() < until:
        time.sleep(0.01)
    ok(stranger.did and disk.waited_for(fuse.FLUSH), "a file whose close isn't answered is received")
    marked = []
    for prefix in ([], AS_NOBODY):
        p = marker.Marker(program, prefix)
        ok(p.wait_on(process), "programs are found meanwhile")
        marked.append((p.pid, p.tell("threads 1 10")[0]))
        p.end()
    process.send_signal(signal.SIGINT)
    try:
        said = process.communicate(timeout=120)[1]
        ok(min(marks_of(path, *marked)) >= 20 and process.returncode == 0, "and the recorder ends, with their marks", said)
    except subprocess.TimeoutExpired:
        ok(False, "and the recorder ends, with their marks")
    disk.release()
    stranger.end()
    disk.end()


def many_ids(folder):
    """A user that has more ids than there are shares, in a user namespace, and a program of a user that comes later."""
    program, path = marker.build(folder)[0], os.path.join(folder, "ids.fxt")
    process = begin(path, "many ids")
    ids = range(100000, 100070)
    # As newuidmap(1) does; the namespace is another user's.
    owner = subprocess.Popen([*AS_NOBODY, "unshare", "--user", "sleep", "1000"])
    until = time.monotonic() + 60
    while os.readlink(f"/proc/{owner.pid}/ns/user") == os.readlink("/proc/self/ns/user") and time.monotonic() < until:
        time.sleep(0.01)
    for kind in "uid", "gid":
        with open(f"/proc/{owner.pid}/{kind}_map", "w") as f:
            f.write(f"0 {ids[0]} {len(ids)}")
    inside = ["nsenter", f"--user=/proc/{owner.pid}/ns/user", "setpriv"]
    many = [marker.Marker(program, [*inside, f"--reuid={i}"]) for i in range(len(ids))]
    tap.all_of("programs of a user's many ids are found", many, lambda p: p.wait_on(process))
    later = marker.Marker(program, ["setpriv", "--reuid=4242", "--clear-groups"])
    ok(later.wait_on(process), "they take no user's share")
    recorder.end(process)
    for p in [later, *many]:
        p.end()
    owner.kill()
    owner.wait()


def crowd(folder):
    """More programs of another user than one may have, and a program of root's."""
    starts = 'i=0; while [ $i -lt 1030 ]; do "$0" <&3 & i=$((i+1)); done 3<&0; wait'
    program, path = marker.build(folder)[0], os.path.join(folder, "crowd.fxt")
    shell = subprocess.Popen([*AS_NOBODY, "sh", "-c", starts, program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    marking = marker.programs(shell.pid, 1030)
    process = begin(path, "crowd")
    # All that run have been found, and one has no place: the last one's.
    time.sleep(2)
    p = marker.Marker(program)
    ok(marking == 1030 and p.wait_on(process), "a program has its place beside a crowd of another user's")
    thread, = p.tell("threads 1 10")
    said = recorder.end(process)
    p.end()
    shell.communicate()
    ok(marks_of(path, (p.pid, thread))[0] >= 20 and "more than 1024 mark at once" in said, "and is recorded", said)


def connect_all():
    """Connections without an offer, as many as may be."""
    connections = []
    try:
        while True:
            connections.append(marker.connect(NOBODY)[0])
    except BlockingIOError:
        return connections


def unwaited(folder):
    """A program that starts or forks waits for no recorder, and one's full queue is not another user's."""
    program, path = marker.build(folder)[0], os.path.join(folder, "unwaited.fxt")
    process = begin(path, "unwaited")
    process.send_signal(signal.SIGSTOP)
    stranger = Stranger(connect_all)
    began = time.monotonic()
    programs = [marker.Marker(program, prefix) for prefix in 10 * [AS_NOBODY, []]]
    states = [p.tell("state") for p in programs]
    forking = marker.Marker(program)
    for _ in range(20):
        forking.tell("fork")
    took = time.monotonic() - began
    # Half a second each was waited for once.
    ok(stranger.did and took < 20, "programs that start and fork wait for no recorder", (stranger.did, took))
    ok(states == 10 * [[0, 0], [1, 0]], "a full queue is its user's alone", states)
    process.send_signal(signal.SIGCONT)
    tap.all_of("those that found it full are found later", programs, lambda p: p.wait_on(process))
    said = recorder.end(process)
    for p in [forking, *programs]:
        p.end()
    stranger.end()
    names = collections.defaultdict(list)
    for m in Recording(path, others=True).marks:
        names[m.pid].append(m.name)
    ok([names[p.pid] for p in programs[1::2]] == 10 * [["first"]], "none of the others has lost a mark", (names, said))
    ok(sum("child" in of for of in names.values()) == 20, "nor have children", names)


def unsearched(folder):
    """One descriptor of each process is looked at, and no other."""
    process = begin(os.path.join(folder, "unsearched.fxt"), "unsearched")
    found = []
    for number in (marker.FD, marker.FD + 1):
        child = os.fork()
        if not child:
            fd, memory = marker.forged_memory(os.getpid())
            os.dup2(os.open("/dev/null", os.O_RDWR), marker.FD)
            os.dup2(fd, number)
            until = time.monotonic() + (60 if number == marker.FD else 3)
            while not marker.is_on(memory) and time.monotonic() < until:
                time.sleep(0.01)
            os._exit(marker.is_on(memory))
        found.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    recorder.end(process)
    ok(found == [1, 0], "a process's memory is looked for at one descriptor", found)


def lease_memories():
    """Any that opens such a memory for writing waits for 45 s, unless it is given up."""
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
    """A memory whose owner decides when it can be opened is not waited for."""
    path = os.path.join(folder, "leased.fxt")
    stranger = Stranger(lease_memories)
    try:
        said = run([FXTREC, "record", "--backend=bpf", "-d", "0.5", "-o", path], timeout=600)
    except subprocess.TimeoutExpired:
        said = None
    ok(stranger.did and said and said.returncode == 0, "memories that are leased are not waited for", said)
    stranger.end()


def directory():
    """In a /run of its own: a directory that others can write to is not used, and that is reported."""
    script = ('mount -t tmpfs run /run && mkdir /run/fxtrec && chmod 777 /run/fxtrec && '
              'exec "$0" record --backend=bpf -d 0.5 -o - >/dev/null')
    said = run(["unshare", "--mount", "sh", "-c", script, FXTREC])
    ok(said.returncode == 0 and "/run/fxtrec" in said.stderr and "not permitted" in said.stderr,
       "a directory that others can write to is not used, and that is reported", said.stderr)


with tempfile.TemporaryDirectory() as temporary:
    os.chmod(temporary, 0o755)
    permissions(temporary)
    programs(temporary)
    silent(temporary)
    noise(temporary)
    flooded(temporary)
    late(temporary)
    at_the_end(temporary)
    unit_capabilities(temporary)
    disguised(temporary)
    leased(temporary)
    limited(temporary)
    kept(temporary)
    unanswered(temporary)
    many_ids(temporary)
    crowd(temporary)
    unwaited(temporary)
    unsearched(temporary)
    directory()
tap.done()
