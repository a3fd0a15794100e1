# SPDX-License-Identifier: GPL-2.0-only
"""Where things are, and what the benchmarks run on."""
import json
import os
import platform
import re
import subprocess

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = os.path.dirname(os.path.dirname(BENCH))
# What was built: for a guest of another architecture in a folder of its own.
BUILD = os.environ.get("BUILD") or os.path.join(TOP, "build")
FXTREC = os.path.join(BUILD, "fxtrec")
PEER = os.path.join(BUILD, "bench", "peer")
RESULTS = os.path.join(TOP, "build", "bench")
TRACEFS = "/sys/kernel/tracing"
RELEASE = platform.release()
MODULE = os.path.join(BUILD, RELEASE, "fxtrec.ko")


def text(command, environ=None):
    """What a command prints; empty where it can't be run."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=60, env=environ).stdout
    except OSError:
        return ""


def first(pattern, string):
    found = re.search(pattern, string, re.M)
    return found.group(1).strip() if found else "unknown"


def machine():
    """The machine and the tools that a part ran on, as text by name."""
    with open("/proc/cpuinfo") as f:
        cpu = first(r"^model name\s*:(.*)", f.read())
    with open("/sys/devices/system/clocksource/clocksource0/current_clocksource") as f:
        clocksource = f.read().strip()
    return {
        "kernel": platform.release(),
        "cpu": f"{os.cpu_count()} of {cpu}",
        "clocksource": clocksource,
        "perf": first(r"version (\S+)", text(["perf", "--version"])),
        "trace-cmd": first(r"version (\S+)", text(["trace-cmd", "--version"])),
    }


def path(part):
    return os.path.join(RESULTS, part + ".json")


def save(part, data):
    os.makedirs(RESULTS, exist_ok=True)
    with open(path(part), "w") as f:
        json.dump(data, f, indent=1)


def load(part):
    """A part's last result, or None."""
    try:
        with open(path(part)) as f:
            return json.load(f)
    except FileNotFoundError:
        return None
