#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random buffers, loads, stalls, kills and CPUs: what ftrace saw = what is in the file + what it says was lost."""
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import accounting
import judge
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.12")
# How many guests, each with another number of CPUs, and recordings in each.
GUESTS = int(os.environ.get("GUESTS", "1"))
ROUNDS = tap.amount("ROUNDS", 3, 4)
SEED = int(os.environ.get("SEED", str(random.SystemRandom().randrange(1 << 32))))

tap.note(f"SEED={SEED}")
recorded, lost = 0, 0
for guest in range(GUESTS):
    seed = SEED + guest * ROUNDS
    cpus = random.Random(seed).randrange(1, 5)
    with tempfile.TemporaryDirectory() as folder:
        if not vm.boot(KERNEL, folder, "accounting.py", [seed, ROUNDS], 120 + 60 * ROUNDS,
                       ["-c", str(cpus)]):
            continue
        for number in range(ROUNDS):
            path = os.path.join(folder, str(number))
            events, missing, problems = accounting.judge(path)
            tap.note(f"{cpus} CPUs, round {number}: {events} events in the file, {missing} lost")
            tap.ok(events and not problems,
                   f"round {number}: recorded and lost are exactly what ftrace saw, in order",
                   problems)
            judge.judge_valid(path + ".fxt", f"round {number}",
                              accounting.Round(seed + number, number == 0).killed)
            recorded, lost = recorded + events, lost + missing
tap.note(f"{GUESTS * ROUNDS} recordings: {recorded} events in the files, {lost} lost and reported")
tap.ok(lost > 0, "events were lost at all")
tap.done()
