# SPDX-License-Identifier: GPL-2.0-only
"""Puts FXT together record by record, with strings inline, from the specification alone."""
import os
import struct

IDLE = -(1 << 31)
CPU_PROVIDER = 0x100
MIGRATIONS = 0x41020000

INSTANT, COUNTER, BEGIN, END, COMPLETE, ASYNC_BEGIN, ASYNC_INSTANT, ASYNC_END, \
    FLOW_BEGIN, FLOW_STEP, FLOW_END = range(11)


def padded(data):
    return data + bytes(-len(data) % 8)


def ref(text):
    data = text.encode()
    return (0x8000 | len(data) if data else 0), padded(data)


class Koid(int):
    pass


class Pointer(int):
    pass


class Unsigned(int):
    pass


class Unsigned64(Unsigned):
    """Of 64 bits, even where fewer would do."""


def argument(name, value):
    name_ref, name_bytes = ref(name)
    body, upper = b"", 0
    if value is None:
        kind = 0
    elif isinstance(value, bool):
        kind, upper = 9, int(value)
    elif isinstance(value, Koid):
        kind, body = 8, struct.pack("<Q", value)
    elif isinstance(value, Pointer):
        kind, body = 7, struct.pack("<Q", value)
    elif isinstance(value, Unsigned):
        kind, body = 4, struct.pack("<Q", value)
        if value < 1 << 32 and not isinstance(value, Unsigned64):
            kind, body, upper = 2, b"", value
    elif isinstance(value, int):
        kind, body = 3, struct.pack("<q", value) if -1 << 63 <= value < 1 << 63 else b""
        if -1 << 31 <= value < 1 << 31:
            kind, body, upper = 1, b"", value & 0xFFFFFFFF
    elif isinstance(value, float):
        kind, body = 5, struct.pack("<d", value)
    else:
        kind = 6
        upper, body = ref(value)
    words = 1 + (len(name_bytes) + len(body)) // 8
    return struct.pack("<Q", kind | words << 4 | name_ref << 16 | upper << 32) + name_bytes + body


# Bits of a reason of a sleep, and how a thread came into the kernel.
TIMEOUT, IOWAIT, LOCK, JOIN, OWN = 0x80000, 0x100000, 0x200000, 0x400000, 0x800000
CALL, CALL32, X32, EXCEPTION, KERNEL = range(1, 6)
PRIVATE = 0x80


def reason(call=0, kind=None, item=0, entry=CALL, flags=0, operation=0, device=0, holder=0, file=None):
    """A switch's arguments: the system call, the object it waits for, who holds that, and a futex's (inode, offset)."""
    args = [("reason", Unsigned(call | entry << 16 | flags | operation << 24))]
    if kind:
        args.append((kind, Unsigned(item)))
    if file:
        args.append(("inode", Unsigned(file[0])))
    if device:
        args.append(("device", Unsigned(device)))
    if file:
        args.append(("offset", Unsigned(file[1])))
    if holder:
        args.append(("owner" if kind in ("mutex", "semaphore", "rwsem") else "holder", Unsigned(holder)))
    return args


class File:
    """Records in the order that they are added."""

    def __init__(self):
        self.data = bytearray(struct.pack("<Q", 0x0016547846040010))

    def add(self, header, body):
        words = 1 + len(body) // 8
        self.data += struct.pack("<Q", header | words << 4) + body
        return self

    def write(self, folder, name):
        """Writes a file.  Returns its path."""
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(self.data)
        return path

    def provider(self, number, name):
        data = name.encode()
        return self.add(1 << 16 | number << 20 | len(data) << 52, padded(data))

    def cpu(self, number):
        return self.provider(CPU_PROVIDER + number, f"fxtrec cpu {number}")

    def strings(self):
        """The first of the strings by which readers know a recorder of fxtrec."""
        for i, text in enumerate(("outgoing_weight", "incoming_weight", "state", "R+", *"SDTtXZPI", "weight", "waker", "priority",
                                  "event", "sched_wakeup_new"), 1):
            self.add(2 | i << 16 | len(text) << 32, padded(text.encode()))
        return self

    def full(self, provider):
        """A buffer filled up."""
        return self.add(3 << 16 | provider << 20, b"")

    def event(self, kind, time, process, thread, category, name, args=(), extra=None):
        category_ref, category_bytes = ref(category)
        name_ref, name_bytes = ref(name)
        body = struct.pack("<QQQ", time, process, thread) + category_bytes + name_bytes
        body += b"".join(argument(n, v) for n, v in args)
        if extra is not None:
            body += struct.pack("<Q", extra)
        return self.add(4 | kind << 16 | len(args) << 20 | category_ref << 32 | name_ref << 48,
                        body)

    def switch(self, time, cpu, prev, prev_prio, state, following, next_prio, letter=None, unchosen=None, why=()):
        """why: reason() of prev's sleep."""
        args = [("outgoing_weight", prev_prio if prev else IDLE),
                ("incoming_weight", next_prio if following else IDLE)]
        if letter:
            args.append(("state", letter))
        if unchosen:
            args.append(("unchosen", unchosen))
        args.extend(why)
        body = struct.pack("<QQQ", time, prev, following)
        body += b"".join(argument(n, v) for n, v in args)
        return self.add(8 | len(args) << 16 | cpu << 20 | state << 36 | 1 << 60, body)

    def wakeup(self, time, target, thread, prio, waker=None, new=False, on_cpu=False, context=None):
        args = [("waker", Koid(waker))] if waker is not None else []
        if on_cpu or prio != 120:
            args.append(("weight", IDLE if on_cpu else prio))
        if new:
            args.append(("event", "sched_wakeup_new"))
        if on_cpu:
            args.append(("priority", prio))
        if context:
            args.append(("context", context))
        body = struct.pack("<QQ", time, thread) + b"".join(argument(n, v) for n, v in args)
        return self.add(8 | len(args) << 16 | target << 20 | 2 << 60, body)

    def migrate(self, time, cpu, process, thread, prio, orig_cpu, dest_cpu):
        """By that CPU, on its track, which is of that process."""
        return self.event(INSTANT, time, process, MIGRATIONS + cpu, "sched", "sched_migrate_task", [
            ("thread", Koid(thread)), ("prio", prio), ("orig_cpu", Unsigned(orig_cpu)),
            ("dest_cpu", Unsigned(dest_cpu))])

    def listed(self, time, states=()):
        """A listing of all threads that began then; states: (time, thread, state, cpu)."""
        self.event(INSTANT, time, 0, 0, "fxtrec", "listed")
        for at, thread, state, cpu in states:
            self.event(INSTANT, at, 0, 0, "fxtrec", "thread_state", [
                ("thread", Koid(thread)), ("state", state), ("cpu", Unsigned(cpu))])
        return self

    def object(self, kind, koid, name, args=()):
        name_ref, name_bytes = ref(name)
        body = struct.pack("<Q", koid) + name_bytes
        body += b"".join(argument(n, v) for n, v in args)
        return self.add(7 | kind << 16 | name_ref << 24 | len(args) << 40, body)

    def named(self, process, thread, name, since=None, leader=False):
        """A thread's name, and its process's where it leads it."""
        time = [("since", Unsigned64(since))] if since is not None else []
        if leader:
            self.object(1, process, name, time)
        return self.object(2, thread, name, [("process", Koid(process))] + time)

    def log(self, time, process, thread, text):
        data = text.encode()
        return self.add(9 | len(data) << 16,
                        struct.pack("<QQQ", time, process, thread) + padded(data))

    def clock(self, time, realtime, monotonic, boottime):
        return self.event(INSTANT, time, 0, 0, "fxtrec", "clock", [
            ("clock", "mono"), ("realtime", Unsigned(realtime)),
            ("monotonic", Unsigned(monotonic)), ("boottime", Unsigned(boottime))])
