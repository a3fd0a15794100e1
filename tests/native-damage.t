#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Of a recording that is cut or damaged, no more is claimed than the whole one says."""
import json
import os
import random
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from claims import false_claims, states

CUTS = tap.amount("CUTS", 12, 200)
SEED = int(os.environ.get("SEED", "1"))


def unreported(path, folder, has_cpus):
    """
    info doesn't say "none" of what is lost in unknown number: of the file itself, by offset; converted, by CPU and time,
    or where there is no CPU yet, convert says so.
    """
    converted = os.path.join(folder, "converted.fxt")
    said = tap.run([tap.FXTREC, "convert", path, "-o", converted]).stderr
    problems = [] if has_cpus or "no end" in said else [(path, said, [])]
    judged = [(path, {"offset", "cause"}), (converted, {"cpu", "ring", "from_ns", "to_ns", "cause"})]
    for each, keys in judged[:1 + has_cpus]:
        text = tap.run([tap.FXTREC, "info", each]).stdout
        facts = json.loads(tap.run([tap.FXTREC, "info", "--json", each]).stdout)
        losses = facts["lost_uncounted_first"]
        if "none reported" in text or "an unknown number" not in text or "lost, of unknown number" not in text or \
           not 0 < facts["lost_uncounted"] >= len(losses) > 0 or any(keys - set(loss) for loss in losses) or \
           any(loss["cause"] not in text for loss in losses):
            problems.append((each, text, losses))
    return problems


def between_readings(path):
    """
    Where records begin, behind the first reading of the clocks and up to the last, behind which there are no events: those
    before the first event, which list threads, and those from there on.
    """
    lines = tap.run([tap.FXTREC, "dump", path]).stdout.splitlines()
    starts = [int(line.split()[0], 16) for line in lines]
    readings = [i for i, line in enumerate(lines) if ' category="fxtrec" name="clock" {' in line]
    first = next(i for i, line in enumerate(lines) if line.split()[2] in ("wakeup:", "context-switch:"))
    return starts[readings[0] + 1:first], starts[first:readings[-1] + 1]


def longer(data, at):
    """With a size of the record there that is 16 KiB more."""
    header, = struct.unpack_from("<Q", data, at)
    return data[:at] + struct.pack("<Q", header | 1 << 15) + data[at + 8:]


with tempfile.TemporaryDirectory() as folder:
    path, damaged = os.path.join(folder, "whole.fxt"), os.path.join(folder, "damaged.fxt")
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", "-b16M", "-o", path, "--", "sh", "-c",
                    "perf bench sched messaging -g 2 -l 100 & perf bench sched pipe -l 3000; wait"])
    tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, "recorded, nothing lost", done.stderr)
    with open(path, "rb") as f:
        data = f.read()
    whole, rng = states(path), random.Random(SEED)
    listing, events = between_readings(path)
    # However many threads this machine has.
    events = events[len(events) // 4:]
    tap.ok(sum(map(len, whole.values())) > 5000, "there are states enough", len(whole))
    for name, hole in ("cut", b""), ("cut between two records", b""), ("cut before its first event", b""), ("damaged", b"\xff" * 64), ("with a sparse page", bytes(4096)):
        wrong = []
        for _ in range(CUTS):
            at = rng.choice(listing) if name == "cut before its first event" else \
                rng.choice(events) if name == "cut between two records" else \
                rng.randrange(events[0], len(data)) // 8 * 8 + (0 if hole else 4)
            with open(damaged, "wb") as f:
                f.write(data[:at] + hole + (data[at + len(hole):] if hole else b""))
            wrong += [f"at {at}: {line}" for line in false_claims(states(damaged), whole)[:1]]
        problems = unreported(damaged, folder, name != "cut before its first event")
        tap.ok(not problems, f"{name}: info says where and when an unknown number was lost", problems)
        tap.ok(not wrong, f"{name}: {CUTS} files claim nothing that is not so", "\n".join(wrong[:5]))
    wrong = []
    for _ in range(CUTS):
        at = rng.choice(events[:-100])
        with open(damaged, "wb") as f:
            f.write(longer(data, at))
        strict = tap.run([tap.FXTREC, "report", "--strict", damaged])
        wrong += unreported(damaged, folder, True) + ([(at, strict.stderr)] if strict.returncode != 1 else [])
    tap.ok(not wrong, f"with a greater size of a record: {CUTS} files are damaged, which is reported", wrong[:3])
tap.done()
