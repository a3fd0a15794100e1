# SPDX-License-Identifier: GPL-2.0-only
"""A trace.dat of version 6 from tracefs: where trace-cmd itself may not change the function tracer, it can't record."""
import contextlib
import glob
import os
import struct
import time

import ftrace
from ftrace import TRACEFS

PAGE = 4096


def read(path):
    with open(path, "rb") as f:
        return f.read()


def formats(subsystem):
    """The formats of all events of a subsystem, each with its size."""
    paths = sorted(glob.glob(f"{TRACEFS}/events/{subsystem}/*/format"))
    return struct.pack("<I", len(paths)) + b"".join(struct.pack("<Q", len(t)) + t for t in map(read, paths))


@contextlib.contextmanager
def recording(events, kilobytes=4096):
    """An instance that records these events meanwhile; called, its pages by CPU."""
    folder = f"{TRACEFS}/instances/fxtrec-{os.getpid()}"

    def write(name, text):
        with open(f"{folder}/{name}", "w", encoding="ascii") as f:
            f.write(text)

    def pages():
        write("tracing_on", "0")
        found = []
        for cpu in range(os.cpu_count()):
            pipe = os.open(f"{folder}/per_cpu/cpu{cpu}/trace_pipe_raw", os.O_RDONLY | os.O_NONBLOCK)
            data = bytearray()
            with contextlib.suppress(BlockingIOError):
                while page := os.read(pipe, PAGE):
                    data += page.ljust(PAGE, b"\0")
            os.close(pipe)
            found.append(bytes(data))
        return found

    ftrace.mount()
    os.mkdir(folder)
    try:
        write("tracing_on", "0")
        write("buffer_size_kb", str(kilobytes))
        write("trace_clock", "mono")
        for event in events:
            write(f"events/{event}/enable", "1")
        write("tracing_on", "1")
        yield pages
    finally:
        write("events/enable", "0")
        for _ in range(100):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
                break
            time.sleep(0.05)


HEADER = 16             # a page's time and length
LENGTH = (1 << 27) - 1  # of its second word, the bytes of its events


def event_places(data, page):
    """Where each event of a page begins."""
    at = page + HEADER
    end = at + (struct.unpack_from("<Q", data, page + 8)[0] & LENGTH)
    while at < end:
        word, following = struct.unpack_from("<II", data, at)
        short = word & 31
        if short < 29:
            yield at
        at += 8 if short > 29 else 4 + (4 * short if 0 < short < 29 else following)


def later(part, ns):
    """The pages of a CPU, later by so many ns."""
    data = bytearray(part)
    for at in range(0, len(data), PAGE):
        struct.pack_into("<Q", data, at, struct.unpack_from("<Q", data, at)[0] + ns)
    return bytes(data)


def repeated(pages, times):
    """The same pages so often, each time later than all before."""
    stamps = [struct.unpack_from("<Q", part, at)[0] for part in pages for at in range(0, len(part), PAGE)]
    span = max(stamps) - min(stamps) + 10**9
    return [b"".join(later(part, i * span) for i in range(times)) for part in pages]


UNAME, CLOCK, BUFFER = 5, 4, 3      # TRACECMD_OPTION_


def trace_dat(pages, subsystems, options=()):
    """The file of such pages, with options, each a number and a text; see trace-cmd.dat.v6(5)."""
    data = b"\x17\x08\x44tracing6\0" + bytes([0, 8]) + struct.pack("<I", PAGE)
    for name in ("header_page", "header_event"):
        text = read(f"{TRACEFS}/events/{name}")
        data += name.encode() + b"\0" + struct.pack("<Q", len(text)) + text
    data += formats("ftrace")
    data += struct.pack("<I", len(subsystems))
    for subsystem in subsystems:
        data += subsystem.encode() + b"\0" + formats(subsystem)
    names = read(f"{TRACEFS}/saved_cmdlines")
    # No symbols and no formats of trace_printk(); the names; the CPUs; no options.
    data += struct.pack("<IIQ", 0, 0, len(names)) + names + struct.pack("<I", len(pages))
    data += b"options  \0"
    for number, text in options:
        text = text if isinstance(text, bytes) else text.encode()
        data += struct.pack("<HI", number, len(text) + 1) + text + b"\0"
    data += struct.pack("<H", 0) + b"flyrecord\0"
    at = (len(data) + 16 * len(pages) + PAGE - 1) // PAGE * PAGE
    table = b""
    for part in pages:
        table += struct.pack("<QQ", at, len(part))
        at += len(part)
    data += table
    return data.ljust((len(data) + PAGE - 1) // PAGE * PAGE, b"\0") + b"".join(pages)


def twice(pages, subsystems):
    """The same with an instance of ftrace that has the same events: the same pages are those of its buffer, too."""
    data = trace_dat(pages, subsystems, ((BUFFER, struct.pack("<Q", 0) + b"again"),))
    data = trace_dat(pages, subsystems, ((BUFFER, struct.pack("<Q", len(data)) + b"again"),))
    at, table = len(data) - sum(map(len, pages)), b""
    for part in pages:
        table += struct.pack("<QQ", at, len(part))
        at += len(part)
    return data + b"flyrecord\0" + table
