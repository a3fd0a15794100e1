#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""String tables as large as those of a recording with --stacks of many CPUs: every command reads them."""
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from fxtmake import CPU_PROVIDER, File, INSTANT

# Each CPU has a table of its own, of up to 16,384 stacks of up to 2,000 bytes, which are mostly the same on all.
CPUS = 64
STRINGS = int(os.environ.get("STRINGS") or 2200)
BYTES = 2000
FIRST = 0x4000
TIME = 10 ** 12


def strings():
    return b"".join(struct.pack("<Q", 2 | (1 + BYTES // 8) << 4 | FIRST + i << 16 | BYTES << 32) +
                    (f"function_{i} < ".encode() * BYTES)[:BYTES] for i in range(STRINGS))


def event(f, time, index):
    """An instant event with an argument of that string."""
    return f.add(4 | INSTANT << 16 | 1 << 20, struct.pack("<4Q", time, 1, 1, 6 | 1 << 4 | FIRST << 16 | index << 32))


def feed(pipe):
    table = strings()
    try:
        pipe.write(File().data)
        for cpu in range(CPUS):
            pipe.write(File().cpu(cpu).data[8:] + table)
        for cpu in range(CPUS):
            section = struct.pack("<Q", 2 << 16 | 1 << 4 | CPU_PROVIDER + cpu << 20)
            pipe.write(section + event(File(), TIME + cpu, FIRST + STRINGS - 1).data[8:])
        pipe.close()
    except BrokenPipeError:
        pass


def read(*command):
    process = subprocess.Popen([tap.FXTREC, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    feed(process.stdin)
    said = process.stdout.read()
    return process.wait(), said


with tempfile.TemporaryDirectory() as where:
    out = os.path.join(where, "out.json")
    for command in (("check", "-"), ("info", "-"), ("convert", "-", "-o", out)):
        status, said = read(*command)
        tap.ok(status == 0, f"{command[0]}: {CPUS * STRINGS * BYTES >> 20} MiB of strings", said[-500:])
    text = b""
    if os.path.exists(out):
        with open(out, "rb") as f:
            text = f.read()
    tap.ok(text.count(b"function_%d < " % (STRINGS - 1)) >= CPUS, "and each CPU's event has its text", len(text))
tap.done()
