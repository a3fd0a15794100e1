# SPDX-License-Identifier: GPL-2.0-only
"""A file system (FUSE, include/uapi/linux/fuse.h) with one file, which never answers who closes it."""
import ctypes
import os
import signal
import struct

LOOKUP, FORGET, GETATTR, OPEN, FLUSH, INIT = 1, 2, 3, 14, 25, 26
HEADER = struct.Struct("<IIQQIIII")
ENOSYS, MNT_DETACH = 38, 2


def attributes(node):
    mode = 0o40755 if node == 1 else 0o100666
    return struct.pack("<6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def reply(opcode, node):
    """What follows the answer's header; None: nothing is answered."""
    if opcode == INIT:
        return struct.pack("<4I2H2I2HI7I", 7, 31, 65536, 0, 16, 12, 65536, 1, 1, 0, 0, *[0] * 7)
    if opcode == LOOKUP:
        return struct.pack("<4Q2I", 2, 0, 60, 60, 0, 0) + attributes(2)
    if opcode == GETATTR:
        return struct.pack("<Q2I", 60, 0, 0) + attributes(node)
    return struct.pack("<Q2I", 0, 0, 0) if opcode == OPEN else None


def serve(fd):
    while True:
        _, opcode, unique, node, *_ = HEADER.unpack_from(os.read(fd, 1 << 17))
        answer = reply(opcode, node)
        if answer is not None:
            os.write(fd, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)
        elif opcode not in (FLUSH, FORGET):
            os.write(fd, struct.pack("<IiQ", 16, -ENOSYS, unique))


class Mount:
    """Mounted there; whoever waits for it goes on once it ends."""

    def __init__(self, folder):
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
