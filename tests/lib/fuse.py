# SPDX-License-Identifier: GPL-2.0-only
"""A file system (FUSE, include/uapi/linux/fuse.h) with one file, to which no write is ever answered."""
import ctypes
import mmap
import os
import signal
import struct
import time

LOOKUP, FORGET, GETATTR, OPEN, READ, WRITE, INIT = 1, 2, 3, 14, 15, 16, 26
HEADER = struct.Struct("<IIQQIIII")
ENOSYS, MNT_DETACH, DIRECT_IO = 38, 2, 1


def attributes(node):
    mode = 0o40755 if node == 1 else 0o100666
    return struct.pack("<6Q10I", node, 65536, 128, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def reply(message, opcode, node, opened):
    """What follows the answer's header; None: that it can't be done."""
    if opcode == INIT:
        return struct.pack("<4I2H2I2HI7I", 7, 31, 65536, 0, 16, 12, 65536, 1, 1, 0, 0, *[0] * 7)
    if opcode == LOOKUP:
        return struct.pack("<4Q2I", 2, 0, 60, 60, 0, 0) + attributes(2)
    if opcode == GETATTR:
        return struct.pack("<Q2I", 60, 0, 0) + attributes(node)
    if opcode == READ:
        return bytes(struct.unpack_from("<QQI", message, HEADER.size)[2])
    # Whoever opens it second sees what is in memory written first.
    return struct.pack("<Q2I", 0, DIRECT_IO if opened else 0, 0) if opcode == OPEN else None


def serve(fd):
    opened = 0
    while True:
        message = os.read(fd, 1 << 17)
        _, opcode, unique, node, *_ = HEADER.unpack_from(message)
        if opcode in (WRITE, FORGET):
            continue
        answer = reply(message, opcode, node, opened)
        opened += opcode == OPEN
        if answer is not None:
            os.write(fd, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)
        else:
            os.write(fd, struct.pack("<IiQ", 16, -ENOSYS, unique))


class Mount:
    """Mounted there; what waits for it goes on once it ends."""

    def __init__(self, folder):
        os.mkdir(folder)
        self.folder = folder.encode()
        self.libc = ctypes.CDLL(None, use_errno=True)
        fd = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={fd},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
        if self.libc.mount(b"test", self.folder, b"fuse", 0, options):
            raise OSError(ctypes.get_errno(), "mount")
        self.pid = os.fork()
        if not self.pid:
            signal.alarm(300)
            try:
                serve(fd)
            finally:
                os._exit(1)
        os.close(fd)
        self.file = os.path.join(folder, "file")

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.libc.umount2(self.folder, MNT_DETACH)


def map_forever(path):
    """Maps the file's second opening, which waits for the first one's page to be written, with the memory map held."""
    cached, direct = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    dirty = mmap.mmap(cached, mmap.PAGESIZE)
    dirty[0] = 1
    mmap.mmap(direct, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)


class Stuck:
    """A process of that file system: what reads its command line waits until it ends."""

    def __init__(self, mount):
        self.pid = os.fork()
        if not self.pid:
            signal.alarm(300)
            try:
                map_forever(mount.file)
            except OSError as error:
                print(error, flush=True)
            finally:
                os._exit(1)
        while (state := self.state()) != "D":
            if state == "Z":
                raise RuntimeError("it doesn't get stuck")
            time.sleep(0.01)

    def state(self):
        with open(f"/proc/{self.pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0]

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
