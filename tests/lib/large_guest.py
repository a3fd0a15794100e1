# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace on many CPUs, and snapshots, in a guest: large_guest.py OUT SECONDS."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import both
import groups
import inside
import recorder
from inside import MODULE, result, sh
from tap import FXTREC

OUT, SECONDS = sys.argv[1], int(sys.argv[2])
# Of scripts/fxtrec-flight.service.
QUOTA_US, PERIOD_US = 200000, 100000


def snapshot(backend):
    """
    Of a flight recorder with the installed unit's share of the CPUs, small rings of which are overwritten
    meanwhile: how long it takes.
    """
    with groups.made("cpu", [f"fxtrec-{backend}"]) as (group,), recorder.busy():
        groups.limit(group, QUOTA_US, PERIOD_US)
        process = recorder.start(["--flight", "--clock=mono", "--backend=" + backend, "--no-marks", "-b64k",
                                  "-o", f"{OUT}/{backend}-flight.fxt"],
                                 groups.inside(group), both.PATIENCE)
        both.loads(5, 200)
        began = time.monotonic()
        done = sh(f"{FXTREC} snapshot {process.pid}")
        took = time.monotonic() - began
        said = recorder.end(process, both.PATIENCE)
    result(done.returncode == 0 and process.returncode == 0, f"{backend}: a snapshot", (done.stdout, said))
    return took


booted = float(both.content("/proc/uptime").split()[0])
made = both.record(OUT, lambda: both.loads(SECONDS, 800), 6000)
sh(f"insmod {MODULE}")
for backend in both.BACKENDS:
    made[backend]["snapshot"] = snapshot(backend)
sh("rmmod fxtrec")
with open(f"{OUT}/figures.json", "w", encoding="ascii") as f:
    json.dump({"cpus": both.content("/sys/devices/system/cpu/present"), "booted": booted, **made}, f)
inside.finish(OUT)
