# SPDX-License-Identifier: GPL-2.0-only
"""How many events a second the drain keeps up with, of made-up CPUs, and what limits it then."""
from collections import Counter
import json
import os
import re
import subprocess
import tempfile
import time

import place
from table import machine, number, table

TITLE = "Drain"
TOOL = os.path.join(place.RESULTS, "fxtrec")
# CPUs, and how many of them record.
MACHINES = ((2, 2), (64, 64), (256, 256), (256, 2))
SINKS = {"null": "thrown away", "disk": "to the disk"}
FIRST, STEP, REFINE, LAST, TRIES = 4e6, 1.5, 2, 60e6, 3
# Of instructions: so few events that a run of the drain finds little or nothing.
FEW = 20000


def command(cpus, active, rate, sink, folder, seconds):
    path = "-" if sink == "null" else os.path.join(folder, "out.fxt")
    return (["taskset", "-c", "0", TOOL, "record", "--no-marks", "--backend=kmod", "-d", str(seconds), "-o", path],
            {**os.environ, "FXT_MADEUP": f"{cpus}:{active}:{rate:.0f}", "FXT_MADEUP_OUT": os.path.join(folder, "made")})


def threads(pid):
    """The state and the CPU time in ticks of the thread that drains, and of those that write or describe."""
    of = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="ascii") as f:
                fields = f.read().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        # The producer's own, by its real-time priority, is no part of the recorder.
        if fields[37] != "2":
            of.setdefault("drain" if int(tid) == pid else "write", []).append(
                (fields[0], int(fields[11]) + int(fields[12])))
    return of


def watch(process, seconds):
    """What its threads did in the middle of that time: shares of a CPU, and of the time that one waits for the disk."""
    time.sleep(seconds / 4)
    began, first, waits, samples = time.monotonic(), threads(process.pid), 0, 0
    while time.monotonic() < began + seconds / 2:
        last = threads(process.pid)
        waits += any(state == "D" for state, _ in last.get("write", ()))
        samples += 1
        time.sleep(0.005)
    elapsed = (time.monotonic() - began) * os.sysconf("SC_CLK_TCK")
    used = {of: (sum(t for _, t in last.get(of, ())) - sum(t for _, t in first.get(of, ()))) / elapsed
            for of in ("drain", "write")}
    return {**used, "disk": waits / max(samples, 1)}


def once(cpus, active, rate, sink, seconds):
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        arguments, environment = command(cpus, active, rate, sink, folder, seconds)
        with subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            shares = watch(process, seconds)
        with open(os.path.join(folder, "made"), encoding="ascii") as f:
            made = json.load(f)
    total = made["records"] + made["lost"]
    return {**shares, "rate": total / made["seconds"], "lost": made["lost"], "kept": made["records"] / made["seconds"]}


def kept(*arguments):
    """The run that lost nothing, of three tries: the machine may have kept the recorder from a CPU in one."""
    for _ in range(TRIES):
        tried = once(*arguments)
        if not tried["lost"]:
            break
    return tried


def limit(cpus, active, sink, seconds):
    """The greatest rate that lost nothing, and the least one that did; None where the producer has no more."""
    good, bad, rate = None, None, FIRST
    while bad is None and rate <= LAST:
        run = kept(cpus, active, rate, sink, seconds)
        # It made fewer than it was to: that is its own limit.
        if not run["lost"] and run["rate"] < 0.9 * rate:
            break
        good, bad = (good, run) if run["lost"] else (run, None)
        rate *= STEP
    for _ in range(REFINE if bad and good else 0):
        run = kept(cpus, active, (good["rate"] + bad["rate"]) / 2, sink, seconds)
        good, bad = (good, run) if run["lost"] else (run, bad)
    return {"good": good, "bad": bad}


def instructions(cpus, active):
    """Of a run of the drain, without the copying."""
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        arguments, environment = command(cpus, active, FEW, "null", folder, 3)
        out = os.path.join(folder, "callgrind")
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, "--toggle-collect=fxt_drain_run",
                        *arguments[3:]], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        with open(out, encoding="utf-8", errors="replace") as f:
            text = f.read()
        shown = place.text(["callgrind_annotate", "--auto=no", "--threshold=100", out])
    number_of = re.search(r"\((\d+)\) fxt_drain_run$", text, re.M)[1]
    runs = sum(int(n) for n in re.findall(rf"cfn=\({number_of}\)[^\n]*\ncalls=(\d+) ", text))
    by = Counter()
    for count, what in re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (.*)", shown, re.M):
        by["copy" if "memcpy" in what or "memmove" in what else "all" if "TOTALS" in what else "own"] += \
            int(count.replace(",", ""))
    return {"runs": runs, "own": by["own"] / runs, "copy": by["copy"] / runs}


def run(options):
    seconds = 3 if options.quick else 10
    results = {f"{cpus} CPUs" + (f", {active} record" if active < cpus else ""):
               {"instructions": instructions(cpus, active), **{sink: limit(cpus, active, sink, seconds) for sink in SINKS}}
               for cpus, active in MACHINES}
    return {"machine": place.machine(), "seconds": seconds, "results": results}


def rate(found):
    """Its two ends, in millions."""
    good, bad = (found[key] and found[key]["rate"] / 1e6 for key in ("good", "bad"))
    return f"{number(good, 1) if good else 'less'} to {number(bad, 1)}" if bad else f"{number(good, 1)} and more"


def lines(data):
    rows = []
    for name, of in data["results"].items():
        for sink, label in SINKS.items():
            last = of[sink]["bad"] or of[sink]["good"]
            rows.append([f"{name}: {label}", rate(of[sink]), number(last["kept"] / 1e6, 1),
                         *(f"{100 * last[key]:.0f} %" for key in ("drain", "write", "disk")),
                         number(of["instructions"]["own"])])
    return [f"`record` with the default buffers, 4 MiB a CPU, {data['seconds']} s each; a thread of real-time priority on the "
            "last CPU writes to the rings of all, by the module's own code, and everything else of the recorder has CPU 0.  "
            "Shares are those of the least rate that lost something, or of the greatest that was tried; instructions are "
            "of one run of the drain in which there is little to do, without the copying (callgrind).",
            machine(data), ""] + \
        table(["made-up", "million events/s, kept to lost", "kept then", "CPU: drain", "writer", "disk waited for",
               "instructions a run"], rows)


def summary(data):
    return [(f"million events/s that nothing is lost of, {name}",
             {"module": number(of["null"]["good"] and of["null"]["good"]["rate"] / 1e6, 1)}, "", None)
            for name, of in data["results"].items()]
