#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A file cut anywhere reads up to its last whole record, and check says where that ends."""
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxt import Recording

CUTS = tap.amount("CUTS", 200, 1000)

with tempfile.TemporaryDirectory() as folder:
    path, cut = os.path.join(folder, "whole.fxt"), os.path.join(folder, "cut.fxt")
    if os.geteuid():
        # Only root records.
        how = ["convert", os.path.join(HERE, "fuzz", "corpus", "ftrace", "recording.txt"), "-o", path]
    else:
        how = ["record", "--backend=bpf", "--no-marks", "-b", "64k:8", "-d", "0.2", "-o", path]
    done = tap.run([tap.FXTREC, *how])
    tap.ok(done.returncode == 0, how[0] + "ed", done.stderr)
    with open(path, "rb") as f:
        whole = f.read()
    # Offsets at which records begin, by their headers' sizes alone.
    starts, at = [], 0
    while at < len(whole):
        starts.append(at)
        at += 8 * (int.from_bytes(whole[at:at + 8], "little") >> 4 & 0xFFF)
    starts.append(at)
    tap.ok(at == len(whole), "the recording itself is whole")
    # Runs of the tool are what takes time: the longest file would take most of it.
    limit = min(len(whole), 64 << 10)
    rng = random.Random(os.urandom(8))
    wrong = []
    for _ in range(CUTS):
        where = rng.randrange(1, limit)
        with open(cut, "wb") as f:
            f.write(whole[:where])
        end = max(s for s in starts if s <= where)
        dump = tap.run([tap.FXTREC, "dump", cut])
        lines = dump.stdout.count("\n")
        check = tap.run([tap.FXTREC, "check", cut])
        said = {int(number, 16) for number in re.findall(r"0x([0-9a-f]+)", check.stdout + check.stderr)}
        good = (lines == starts.index(end) and Recording(cut).whole == end and
                (where == end or (check.returncode == 1 and end in said and
                                  dump.returncode == 1 and "cut" in dump.stderr)))
        if not good and where >= 8:
            wrong.append((where, end, lines, starts.index(end), dump.stderr, check.stdout))
    tap.ok(not wrong, f"{CUTS} cuts: all whole records are read, and the end is said", wrong[:2])
tap.done()
