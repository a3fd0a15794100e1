# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace on many CPUs, in a guest: large_guest.py OUT SECONDS."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import both
import inside

OUT, SECONDS = sys.argv[1], int(sys.argv[2])

booted = float(both.content("/proc/uptime").split()[0])
made = both.record(OUT, lambda: both.loads(SECONDS, 800), 6000)
with open(f"{OUT}/figures.json", "w", encoding="ascii") as f:
    json.dump({"cpus": both.content("/sys/devices/system/cpu/present"), "booted": booted, **made}, f)
inside.finish(OUT)
