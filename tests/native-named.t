#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of files, pipes and sockets that threads wait for: those that the system calls of the test itself report."""
import json
import os
import re
import resource
import socket
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxt
import recorder
import tap
from tap import FXTREC, ok, run

MANY = 20_000
LIMIT = 1024


def objects(path):
    """The arguments of all events "object", and of those about descriptors that were not read."""
    instants = fxt.Recording(path, others=True).instants
    return ([args for *_, name, args in instants if name == "object"],
            [args["descriptors_of"] for *_, name, args in instants if name == "undescribed" and "descriptors_of" in args])


class Load:
    """Files, a pipe and connections of this process; threads wait for the pipe and a socket until the end."""

    def __init__(self, folder):
        self.paths = [os.path.join(os.fsencode(folder), name) for name in (b"wal", b"two\nlines", b"not \xff UTF-8", b"gone")]
        self.files = [os.open(path, os.O_RDWR | os.O_CREAT) for path in self.paths]
        self.folder = os.open(folder, os.O_RDONLY)
        os.unlink(self.paths[-1])
        self.pipe = os.pipe()
        self.pairs = [self.connect(socket.AF_INET, "127.0.0.1"), self.connect(socket.AF_INET6, "::1")]
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", 0))
        self.unix = [*socket.socketpair(), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)]
        self.unix[2].bind(os.path.join(folder, "listening"))
        self.unix[2].listen()
        self.unix[3].connect(os.path.join(folder, "listening"))
        self.unix.append(self.unix[2].accept()[0])
        self.unix[4].bind(f"\0fxtrec test {os.getpid()}")
        self.end = threading.Event()
        self.threads = [threading.Thread(target=self.wait, args=(lambda: os.read(self.pipe[0], 1),)),
                        threading.Thread(target=self.wait, args=(lambda: self.pairs[0][1].recv(1),)),
                        threading.Thread(target=self.wait, args=(lambda: self.unix[5].recv(1),))]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def connect(family, address):
        listening = socket.create_server((address, 0), family=family)
        one = socket.create_connection(listening.getsockname()[:2])
        return one, listening.accept()[0], listening

    def wait(self, call):
        while not self.end.is_set():
            call()

    def wake(self):
        os.write(self.pipe[1], b"x")
        self.pairs[0][0].send(b"x")
        self.unix[3].send(b"x")

    def stop(self):
        self.end.set()
        self.wake()
        for thread in self.threads:
            thread.join()


def address(of):
    return "{}:{}".format(f"[{of[0]}]" if ":" in of[0] else of[0], of[1])


def named(folder, load):
    path = os.path.join(folder, "named.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", path])
    for _ in range(20):
        load.wake()
        os.fsync(load.files[0])
    said = recorder.end(process)
    valid = run([FXTREC, "check", path])
    ok(process.returncode == 0 and valid.returncode == 0, "recorded, and the file is valid", said + valid.stdout)
    found, _ = objects(path)
    for fd, name in zip([*load.files, load.folder], [*load.paths[:-1], load.paths[-1] + b" (deleted)", os.fsencode(folder)]):
        st = os.fstat(fd)
        device = os.major(st.st_dev) << 20 | os.minor(st.st_dev)
        names = {o["name"] for o in found if o.get("file") == st.st_ino and o["device"] == device}
        # The recorder writes '?' for what isn't UTF-8.
        ok(names == {name.decode(errors="replace").replace("\ufffd", "?")}, f"the path of {name[-12:]}", (names, st))
    ends = {(o["process"], o["end"]) for o in found if o.get("pipe") == os.fstat(load.pipe[0]).st_ino}
    ok(ends == {(os.getpid(), "read"), (os.getpid(), "write")}, "the ends of a pipe, and their process", ends)
    for kind, pair in zip(("inet", "inet6"), load.pairs):
        for one in pair[:2]:
            names = {o["name"] for o in found if o.get(kind) == os.fstat(one.fileno()).st_ino}
            ok(names == {f"{address(one.getsockname())} > {address(one.getpeername())}"}, f"the addresses of {kind}", names)
    for one in load.pairs[0][2], load.pairs[1][2], load.datagrams:
        names = {o["name"] for o in found if os.fstat(one.fileno()).st_ino in (o.get("inet"), o.get("inet6"))}
        ok(names == {address(one.getsockname())}, "of one that isn't connected, its own", names)
    local(folder, load, found)
    listed = json.loads(run([FXTREC, "report", "--by=reason", "--json", path]).stdout)["reasons"]
    names = {r["object"]: r["object_name"] for r in listed if r["pid"] == os.getpid()}
    inode, comm = os.fstat(load.pipe[0]).st_ino, open("/proc/self/comm").read().strip()
    ok(names.get(f"pipe:[{inode}]") == f"{comm} > {comm}", "report names the pipe that a thread reads", names)
    one = load.pairs[0][1]
    ok(names.get(f"inet:[{os.fstat(one.fileno()).st_ino}]") == f"{address(one.getsockname())} > {address(one.getpeername())}",
       "report names the socket that a thread reads", names)
    accepted = os.fstat(load.unix[5].fileno()).st_ino
    ok(names.get(f"unix:[{accepted}]") == f"{comm} > {comm} {os.path.join(folder, 'listening')}", "report names the Unix socket that a thread reads", names)
    text = run([FXTREC, "report", "--by=reason", path]).stdout
    ok(re.search(rf"read {re.escape(comm)} > {re.escape(comm)} \(pipe:\[{inode}\]\)", text), "so does its text", text)


def local(folder, load, found):
    """The ends of Unix sockets, and their addresses."""
    pair, other, listening, client, abstract, accepted = (os.fstat(one.fileno()).st_ino for one in load.unix)
    path = os.path.join(folder, "listening")
    wanted = {pair: (other, None), other: (pair, None), listening: (None, path), client: (accepted, None), accepted: (client, path),
              abstract: (None, f"@fxtrec test {os.getpid()}")}
    ends = {o["unix"]: (o.get("peer"), o.get("name")) for o in found if o.get("unix") in wanted and o["process"] == os.getpid()}
    ok(ends == wanted, "Unix sockets have their other ends and addresses", (ends, wanted))


def elsewhere(folder):
    """Sockets of another network namespace, and such that came while the recording ran, after others were read."""
    program = """
import os, socket, sys
if sys.argv[1] == "other": os.unshare(os.CLONE_NEWNET) if hasattr(os, "unshare") else __import__("ctypes").CDLL(None).unshare(0x40000000)
one, two = socket.socketpair()
server = socket.socket()
server.bind(("0.0.0.0", 0))
server.listen()
# A process with a new name is read again.
with open("/proc/self/comm", "w") as f: f.write("listening")
print(os.fstat(one.fileno()).st_ino, os.fstat(two.fileno()).st_ino, os.fstat(server.fileno()).st_ino, flush=True)
sys.stdin.read()
"""
    path = os.path.join(folder, "elsewhere.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "--flush=100ms", "-o", path])
    programs = []
    for where in "here", "here", "other":
        programs.append(recorder.subprocess.Popen([sys.executable, "-c", program, where], stdin=recorder.subprocess.PIPE,
                                                  stdout=recorder.subprocess.PIPE, text=True))
        inodes = [int(word) for word in programs[-1].stdout.readline().split()]
        programs[-1].inodes = inodes
        if where == "here":
            recorder.becomes(lambda inodes=inodes: any(o.get("unix") == inodes[0] for o in objects(path)[0]))
    recorder.end(process)
    found, _ = objects(path)
    for of, where in zip(programs, ("read while it recorded", "that came then", "of another namespace")):
        ends = {(o["unix"], o["peer"]) for o in found if o.get("unix") in of.inodes and o["process"] == of.pid}
        ok(ends == {(of.inodes[0], of.inodes[1]), (of.inodes[1], of.inodes[0])}, f"Unix sockets {where}", (ends, of.inodes))
        ok(any(o.get("inet") == of.inodes[2] for o in found), f"sockets of TCP {where}", of.inodes)
        of.communicate("")


def without(folder):
    for option in "--no-names", "--no-reasons":
        path = os.path.join(folder, "without.fxt")
        run([FXTREC, "record", "--backend=bpf", "--no-marks", option, "-d", "0.2", "-o", path])
        ok(os.path.exists(path) and objects(path) == ([], []), f"{option}: there are no names")


def snapshot(folder, load):
    path = os.path.join(folder, "flight.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", path])
    inode = os.fstat(load.files[0]).st_ino
    for number in (1, 2):
        said = run([FXTREC, "snapshot", str(process.pid)]).stdout.strip()
        names = [o["name"] for o in objects(said)[0] if o.get("file") == inode]
        ok(names == [os.fsdecode(load.paths[0])], f"snapshot {number} has the names", names)
    recorder.end(process)


def lived(folder):
    """A process that came during the recording, and ended before it."""
    path, program = os.path.join(folder, "lived.fxt"), "import sys; f = open(sys.argv[1], 'w'); sys.stdin.read()"
    process = recorder.start(["--backend=bpf", "--no-marks", "--flush=100ms", "-o", path])
    other = recorder.subprocess.Popen([sys.executable, "-c", program, os.path.join(folder, "short")], stdin=recorder.subprocess.PIPE)
    known = recorder.becomes(lambda: any(o.get("name", "").endswith("/short") for o in objects(path)[0]))
    other.communicate(b"")
    recorder.end(process)
    ok(known, "files of a process that ends during the recording")


def crowded(folder):
    """More descriptors than are read of a process: they are not all named, and the file tells it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    count = min(MANY, hard - 100) if hard != resource.RLIM_INFINITY else MANY
    path, program = os.path.join(folder, "crowd.fxt"), f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({count} + 100, {hard}))
ends = [os.pipe() for _ in range({LIMIT})]
fds = [os.dup(0) for _ in range({count} - 2 * {LIMIT})]
print(flush=True)
sys.stdin.read()
"""
    other = recorder.subprocess.Popen([sys.executable, "-c", program], stdin=recorder.subprocess.PIPE, stdout=recorder.subprocess.PIPE)
    other.stdout.readline()
    done = run([FXTREC, "record", "--backend=bpf", "--no-marks", "-d", "0.2", "-o", path])
    found, left = objects(path)
    of = [o for o in found if o.get("process") == other.pid]
    ok(LIMIT // 2 < len(of) <= LIMIT, f"{count} descriptors: {LIMIT} are read", len(of))
    ok(len(left) == 1 and left[0] >= 1 and "weren't all named" in done.stderr, "the process counts as one that isn't all named",
       (left, done.stderr))
    other.communicate(b"")


if os.geteuid():
    tap.skip("all", "only root records")
    tap.done()
with tempfile.TemporaryDirectory() as folder:
    one = Load(folder)
    try:
        named(folder, one)
        without(folder)
        snapshot(folder, one)
        lived(folder)
        elsewhere(folder)
        crowded(folder)
    finally:
        one.stop()
tap.done()
