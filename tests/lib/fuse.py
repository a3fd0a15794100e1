# SPDX-License-Identifier: GPL-2.0-only
"""File systems (FUSE, include/uapi/linux/fuse.h): one with a file to which no write is ever answered; a slow disk."""
import ctypes
import mmap
import os
import select
import signal
import struct
import time
import traceback

LOOKUP, FORGET, GETATTR, SETATTR, UNLINK, OPEN, READ, WRITE, RELEASE, FSYNC = 1, 2, 3, 4, 10, 14, 15, 16, 18, 20
FLUSH, INIT, READDIR, INTERRUPT, CREATE, BATCH_FORGET = 25, 26, 28, 36, 35, 42
HEADER = struct.Struct("<IIQQIIII")
ENOENT, EINTR, ENOSYS, MNT_DETACH, DIRECT_IO = 2, 4, 38, 2, 1


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
    if opcode == FLUSH:
        return b""
    # Whoever opens it second sees what is in memory written first.
    return struct.pack("<Q2I", 0, DIRECT_IO if opened else 0, 0) if opcode == OPEN else None


# More than there are of them.
OPERATIONS = 128


def serve(fd, asked):
    opened = 0
    while True:
        message = os.read(fd, 1 << 17)
        _, opcode, unique, node, *_ = HEADER.unpack_from(message)
        asked[opcode] = 1
        if opcode in (WRITE, FORGET, BATCH_FORGET):
            continue
        answer = reply(message, opcode, node, opened)
        opened += opcode == OPEN
        if answer is not None:
            os.write(fd, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)
        else:
            os.write(fd, struct.pack("<IiQ", 16, -ENOSYS, unique))


class Mount:
    """Mounted there; what waits for it goes on once it ends."""

    def __init__(self, folder, server=serve):
        os.mkdir(folder)
        self.asked = mmap.mmap(-1, OPERATIONS)
        self.folder = folder.encode()
        self.libc = ctypes.CDLL(None, use_errno=True)
        fd = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={fd},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
        if self.libc.mount(b"test", self.folder, b"fuse", 0, options):
            raise OSError(ctypes.get_errno(), "mount")
        self.pid = os.fork()
        if not self.pid:
            signal.alarm(1800)
            try:
                server(fd, self.asked)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(fd)
        self.file = os.path.join(folder, "file")

    def waited_for(self, opcode):
        """Whether somebody waits for such an operation."""
        return self.asked[opcode] != 0

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.libc.umount2(self.folder, MNT_DETACH)


class Files:
    """What a disk has: files, by their numbers, and their numbers by their names."""

    def __init__(self):
        self.names, self.data, self.newest = {}, {}, 1

    def attributes(self, node):
        mode = 0o40755 if node == 1 else 0o100600
        size = len(self.data.get(node, b""))
        return struct.pack("<6Q10I", node, size, size // 512 + 1, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

    def entry(self, node):
        return struct.pack("<4Q2I", node, 0, 0, 0, 0, 0) + self.attributes(node)

    def listed(self, offset):
        """All names, at once."""
        out = b""
        for at, (name, node) in enumerate(sorted(self.names.items()) if not offset else ()):
            entry = struct.pack("<QQII", node, at + 1, len(name), 8) + name
            out += entry + bytes(-len(entry) % 8)
        return out

    def answer(self, opcode, node, body):
        """What follows the answer's header; a number: that it can't be done."""
        name = body[16 if opcode == CREATE else 0:].split(b"\0")[0]
        if opcode == INIT:
            return struct.pack("<4I2H2I2HI7I", 7, 31, 65536, 0, 16, 12, 65536, 1, 1, 0, 0, *[0] * 7)
        if opcode == LOOKUP:
            return self.entry(self.names[name]) if name in self.names else ENOENT
        if opcode == CREATE:
            self.newest += 1
            self.names[name], self.data[self.newest] = self.newest, bytearray()
            return self.entry(self.newest) + struct.pack("<Q2I", 0, 0, 0)
        if opcode in (GETATTR, SETATTR):
            if opcode == SETATTR and struct.unpack_from("<I", body)[0] & 8:
                size = struct.unpack_from("<Q", body, 16)[0]
                self.data[node] = self.data[node][:size].ljust(size, b"\0")
            return struct.pack("<Q2I", 0, 0, 0) + self.attributes(node)
        if opcode == OPEN:
            return struct.pack("<Q2I", 0, 0, 0)
        if opcode == READ:
            offset, size = struct.unpack_from("<QI", body, 8)
            return bytes(self.data[node][offset:offset + size])
        if opcode == WRITE:
            offset, size = struct.unpack_from("<QI", body, 8)
            data = self.data[node]
            data.extend(bytes(max(0, offset - len(data))))
            data[offset:offset + size] = body[40:40 + size]
            return struct.pack("<2I", size, 0)
        if opcode == READDIR:
            return self.listed(struct.unpack_from("<Q", body, 8)[0])
        if opcode == UNLINK:
            del self.names[name]
        return b"" if opcode in (UNLINK, RELEASE, FLUSH, FSYNC) else ENOSYS


class Disk(Mount):
    """A disk that answers, but for operations (FLUSH is close()) from hold() on, up to release()."""

    def __init__(self, folder):
        self.held = mmap.mmap(-1, OPERATIONS)
        super().__init__(folder, self.serve)

    def hold(self, *opcodes):
        for opcode in opcodes:
            self.held[opcode] = 1

    def release(self):
        self.held[:] = bytes(OPERATIONS)

    def serve(self, fd, asked):
        files, waiting = Files(), {}
        while True:
            if select.select([fd], [], [], 0.01)[0]:
                message = os.read(fd, 1 << 18)
                _, opcode, unique, node, *_ = HEADER.unpack_from(message)
                if opcode == INTERRUPT:
                    # A process that is killed has to wait for the answer.
                    which, = struct.unpack_from("<Q", message, HEADER.size)
                    if waiting.pop(which, None):
                        send(fd, which, EINTR)
                elif opcode not in (FORGET, BATCH_FORGET):
                    waiting[unique] = (opcode, node, message[HEADER.size:])
            for unique in [unique for unique, (opcode, *_) in waiting.items() if not self.held[opcode]]:
                send(fd, unique, files.answer(*waiting.pop(unique)))
            opcodes = {opcode for opcode, *_ in waiting.values()}
            asked[:] = bytes(opcode in opcodes for opcode in range(OPERATIONS))


def send(fd, unique, answer):
    code, answer = (-answer, b"") if isinstance(answer, int) else (0, answer)
    os.write(fd, struct.pack("<IiQ", 16 + len(answer), code, unique) + answer)


def map_forever(path):
    """Maps the file's second opening, which waits for the first one's page to be written, with the memory map held."""
    cached, direct = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    dirty = mmap.mmap(cached, mmap.PAGESIZE)
    dirty[0] = 1
    mmap.mmap(direct, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)


class Stuck:
    """A process of that file system, of a program that is given its file or of none: what reads its command line waits until it ends."""

    def __init__(self, mount, program=()):
        self.pid = os.fork()
        if not self.pid:
            signal.alarm(300)
            try:
                if program:
                    os.execvp(program[0], [arg.replace("FILE", mount.file) for arg in program])
                map_forever(mount.file)
            except OSError as error:
                print(error, flush=True)
            finally:
                os._exit(1)
        # It waits for what it reads before, too; from when the write is asked for, it has its map.
        while (state := self.state()) != "D" or not mount.waited_for(WRITE):
            if state == "Z":
                raise RuntimeError("it doesn't get stuck")
            time.sleep(0.01)

    def state(self):
        with open(f"/proc/{self.pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0]

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
