#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two virtual machines, recorded while they exchange packets: in one trace no packet comes before it is sent."""
import concurrent.futures
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.1")
SIDES = {"one": ("kmod", "tsc"), "two": ("bpf", "mono")}
# As two_guest.py has it; an answer is one byte longer than its question, and both have headers of UDP and IP.
LEAST, QUESTIONS, HEADERS = 100, 300, 28


def run_side(top, side):
    out = os.path.join(top, side)
    os.mkdir(out)
    here, there = (os.path.join(top, f"{each}.socket") for each in sorted(SIDES, reverse=side == "two"))
    return vm.run_script(KERNEL, out, "two_guest.py", (side, *SIDES[side]), options=("-c", "2", "-m", "1G", "-n", f"{here},{there}"))


def merge(top, *options):
    """
    The packets of one trace, by direction and length, which says which machine sent it: ns; and what the tool says.
    Packets come while a CPU is idle: then no thread tells the machine.
    """
    inputs = [os.path.join(top, side, side + ".fxt") for side in SIDES]
    out = os.path.join(top, "both.json")
    done = tap.run([tap.FXTREC, "convert", *inputs, "-o", out, *(o.format(*inputs) for o in options)])
    found = {}
    with open(out, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    for e in events:
        direction = {"net_dev_start_xmit": "sent", "netif_receive_skb": "came"}.get(e.get("name"))
        if direction:
            # The first one: a question that came late is asked again.
            length = e["args"]["len"] - (14 if direction == "sent" else 0) - HEADERS
            found.setdefault((direction, length), round(e["ts"] * 1000))
    return found, done


def lags(packets):
    """Nanoseconds from sending to coming: of all questions, and of all answers."""
    return [[packets["came", n + more] - packets["sent", n + more] for n in range(LEAST, LEAST + 2 * QUESTIONS, 2)]
            for more in (0, 1)]


def judge(top):
    packets, done = merge(top)
    said = re.search(r"another machine, two: its times are moved by \S+ s by real time, within ([\d.]+) s;", done.stderr)
    if not tap.ok(done.returncode == 0 and said, "both are in one trace, and the uncertainty is stated", done.stderr):
        return
    within = round(float(said[1]) * 1e9)
    there, back = lags(packets)
    tap.note(f"{len(there)} questions took {min(there)} ns and more, {len(back)} answers {min(back)}; stated: {within}")
    tap.ok(min(there) >= -within and min(back) >= -within, "none comes before it was sent by more than that",
           (min(there), min(back), within))
    tap.ok(within < 5 * 10**8, "the uncertainty is less than what clocks differ by that nothing keeps", within)
    # What it can't be: by then answers come before their questions.
    wrong = within + max(min(there), min(back)) + 10**6
    for sign in "+-":
        moved = min(map(min, lags(merge(top, f"--offset={{1}}={sign}{wrong}ns")[0])))
        tap.ok(moved < -within, f"clocks that are off by {sign}{wrong} ns would be found", moved)


with tempfile.TemporaryDirectory() as folder:
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = dict(zip(SIDES, pool.map(lambda side: run_side(folder, side), SIDES)))
    # Each of them.
    if all([vm.judge_run(run, os.path.join(folder, side), f"{KERNEL}, {side}") for side, run in runs.items()]):
        judge(folder)
tap.done()
