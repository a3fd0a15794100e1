# SPDX-License-Identifier: GPL-2.0-only
"""Programs that mark: built, told what to do, and forged."""
import contextlib
import fcntl
import mmap
import os
import select
import signal
import socket
import struct
import subprocess
import time

import tap

LIB = os.path.dirname(os.path.abspath(__file__))
INCLUDE = "-I" + os.path.join(tap.TOP, "include")
STRICT = ["-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", INCLUDE]
# As include/fxtrec/mark.h lays it out.
MAGIC = 0x0232304B52414D46
PAGE, RING = 4096, 32768
FD = 48
ON, OWNER, TAIL, HEAD = 12, 16, 64, 128
SEALS = 1 | 2 | 4


SOCKETS = "/run/fxtrec/marks"


def socket_of(uid=0):
    """The path at which programs of a user offer their memory to root's recorder."""
    return f"{SOCKETS}/{uid}-mono"


def connect(uid=0):
    """A connection to it, and the id of the recorder."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.setblocking(False)
    try:
        client.connect(socket_of(uid))
    except OSError:
        client.close()
        raise
    return client, struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def offer(fd, uid=0):
    """Offers a descriptor as a program does."""
    client, _ = connect(uid)
    with client:
        socket.send_fds(client, [b"m"], [fd])


def listens(process, uid=0):
    """Until the recorder listens to programs of a user; False where another does."""
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError):
            client, pid = connect(uid)
            client.close()
            if pid == process.pid:
                return True
        time.sleep(0.02)
    return False


def build(folder):
    """The program, and the shared object that it is linked with."""
    shared, program = os.path.join(folder, "libmarker.so"), os.path.join(folder, "marker")
    commands = (["cc", "-shared", "-fPIC", *STRICT, os.path.join(LIB, "marker_object.c"), "-o", shared],
                ["cc", "-std=gnu99", *STRICT, os.path.join(LIB, "marker.c"), "-o", program, shared,
                 "-Wl,-rpath," + folder, "-pthread"])
    said = "".join(tap.run(command).stderr for command in commands)
    return program, said


def programs(parent, count, seconds=300):
    """How many children of a process have memory for marks: so many, where that comes to be in time."""
    until, found = time.monotonic() + seconds, 0
    while found < count and time.monotonic() < until:
        with open(f"/proc/{parent}/task/{parent}/children") as f:
            found = sum(os.path.lexists(f"/proc/{child}/fd/{FD}") for child in f.read().split())
    return found


class Marker:
    """One that runs."""

    def __init__(self, program, prefix=(), **options):
        self.process = subprocess.Popen([*prefix, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        **options)
        self.pid = self.process.pid

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        if not select.select([self.process.stdout], [], [], 600)[0]:
            raise RuntimeError("a marker doesn't answer")
        return [int(word) for word in self.process.stdout.readline().split()]

    def tell(self, line):
        self.send(line)
        return self.answer()

    def wait_on(self, process, seconds=120):
        """Until that recorder takes its marks; whether it does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and process.poll() is None:
            on, owner = self.tell("state")
            if on and owner == process.pid:
                return True
            time.sleep(0.02)
        return False

    def memories(self):
        folder = f"/proc/{self.pid}/fd"
        links = [os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)]
        return sum(link.startswith("/memfd:fxtrec-marks") for link in links)

    def end(self):
        self.process.stdin.close()
        self.process.wait(120)

    def kill(self):
        self.process.kill()
        self.process.wait()


def text(of):
    return of + bytes(-len(of) % 8)


def record(pid, tid, kind=0, category=b"user", name=b"forged", ticks=None, args=0, more=b"", refs=None):
    """An event's bytes; what is not given is as it has to be."""
    body = struct.pack("<QQQ", time.clock_gettime_ns(time.CLOCK_MONOTONIC) if ticks is None else ticks, pid, tid)
    category_ref, name_ref = refs or (0x8000 | len(category), 0x8000 | len(name))
    body += (b"" if refs else text(category) + text(name)) + more
    header = 4 | (1 + len(body) // 8) << 4 | kind << 16 | args << 20 | category_ref << 32 | name_ref << 48
    return struct.pack("<Q", header) + body


def forged_memory(pid, seals=SEALS, magic=MAGIC):
    """A descriptor of a program's memory, as include/fxtrec/mark.h makes it, and its mapping."""
    fd = os.memfd_create("fxtrec-marks", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, PAGE + 8 * RING)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    memory = mmap.mmap(fd, PAGE + 8 * RING)
    memory[:12] = struct.pack("<QI", magic, pid)
    return fd, memory


def is_on(memory):
    return struct.unpack_from("<I", memory, ON)[0] != 0


class Forger:
    """
    A process with a memory of its own making: it waits for a recorder, for so many seconds, then writes what
    body(pid) gives.
    """

    def __init__(self, body, seals=SEALS, head=None, magic=MAGIC, pid=None, patience=5):
        fd, self.memory = forged_memory(0, seals, magic)
        self.pid = os.fork()
        if self.pid:
            os.close(fd)
            time.sleep(0.2)
            return
        signal.alarm(180)
        memory = self.memory
        struct.pack_into("<I", memory, 8, pid or os.getpid())
        fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FD)
        until = time.monotonic() + patience
        while not is_on(memory) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.1)
        records = body(os.getpid())
        at = PAGE
        for each in records:
            memory[at:at + len(each)] = each
            at += len(each)
        words = (at - PAGE) // 8 if head is None else head
        struct.pack_into("<Q", memory, HEAD, len(records) << 32 | words)
        time.sleep(180)
        os._exit(0)

    def wait_on(self, patience=120):
        """Until a recorder has found it."""
        until = time.monotonic() + patience
        while not is_on(self.memory) and time.monotonic() < until:
            time.sleep(0.01)
        return is_on(self.memory)

    def wait_written(self, patience=120):
        """Until it has written."""
        until = time.monotonic() + patience
        while not struct.unpack_from("<Q", self.memory, HEAD)[0] and time.monotonic() < until:
            time.sleep(0.01)
        return struct.unpack_from("<Q", self.memory, HEAD)[0] != 0

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
