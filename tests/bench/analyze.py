# SPDX-License-Identifier: GPL-2.0-only
"""CPU time of an event in analyses, beside perf sched's of its own file of the same load."""
import os
import signal
import subprocess
import tempfile
import time
from statistics import median

import place
from table import machine, number, table, times

TITLE = "Analysis"
PEERS = ("perf sched latency", "perf sched timehist", "perf sched timehist -s")
SECONDS = {False: 60, True: 15}
RUNS = {False: 7, True: 3}
LOADS = {"messaging": ["perf", "bench", "sched", "messaging", "-g", "8", "-l", "1000000"],
         "pipe": ["perf", "bench", "sched", "pipe", "-l", "100000000"]}


def cost(command):
    """CPU seconds of a command whose output nobody reads."""
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"{command}: {status}")
    return usage.ru_utime + usage.ru_stime


def record(load, folder, seconds):
    """Files of the same load, one recorder after the other; their switches and wakeups."""
    ours, perf = os.path.join(folder, "t.fxt"), os.path.join(folder, "t.data")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = subprocess.Popen(LOADS[load], start_new_session=True, **quiet)
    try:
        time.sleep(1)
        subprocess.run([place.FXTREC, "record", "--no-marks", "-b", "32M", "-d", str(seconds), "-o", ours], check=True, **quiet)
        subprocess.run(["perf", "sched", "record", "-a", "-m", "32M", "-o", perf, "--", "sleep", str(seconds)], check=True, **quiet)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    lines = subprocess.run(["perf", "script", "-i", perf, "-F", "event"], check=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True).stdout.splitlines()
    theirs = sum("sched_switch" in line or "sched_wak" in line for line in lines)
    info = subprocess.run([place.FXTREC, "info", ours], check=True, stdout=subprocess.PIPE, text=True).stdout
    mine = int(info.split("scheduling", 1)[1].split()[0])
    return ours, perf, mine, theirs


def measure(load, folder, options):
    ours, perf, mine, theirs = record(load, folder, SECONDS[options.quick])
    top = subprocess.run([place.FXTREC, "report", "--csv", "--top=1", ours], check=True, stdout=subprocess.PIPE, text=True).stdout
    tid = top.splitlines()[1].split('"')[2].split(",")[1]
    commands = {
        "perf sched latency": (["perf", "sched", "latency", "-i", perf], theirs),
        "perf sched timehist": (["perf", "sched", "timehist", "-i", perf], theirs),
        "perf sched timehist -s": (["perf", "sched", "timehist", "-s", "-i", perf], theirs),
        "report": ([place.FXTREC, "report", ours], mine),
        "timehist": ([place.FXTREC, "timehist", ours], mine),
        "blame": ([place.FXTREC, "blame", ours], mine),
        "path": ([place.FXTREC, "path", "-t", tid, ours], mine),
    }
    took = {name: [] for name in commands}
    for _ in range(RUNS[options.quick]):
        for name, (command, events) in commands.items():
            took[name].append(1e9 * cost(command) / events)
    each = {name: median(values) for name, values in took.items()}
    return each, mine, theirs


def run(options):
    loads = {}
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        for load in LOADS:
            each, mine, theirs = measure(load, folder, options)
            loads[load] = {"ns": each, "mine": mine, "theirs": theirs}
    return {"machine": place.machine(), "loads": loads}


def lines(data):
    text = ["CPU time of each command over its own recorder's file of the same load; medians of interleaved runs.  "
            "An event is a context switch or a wakeup.", machine(data), ""]
    for load, one in data["loads"].items():
        ns = one["ns"]
        rows = [[name, number(value)] + [times(ns[peer], value, 1) for peer in PEERS] +
                [times(value, ns["report"])] for name, value in ns.items()]
        text += [f"`perf bench sched {load}`: {one['mine']:,} events by fxtrec, {one['theirs']:,} by perf.", ""]
        text += table(["", "ns an event", *(f"{peer} / it" for peer in PEERS), "it / report"], rows) + [""]
    return text


def summary(data):
    rows = []
    for load, one in data["loads"].items():
        ns = one["ns"]
        for peer, name, least in (("perf sched latency", "report", 8), ("perf sched timehist -s", "report", 5),
                                  ("perf sched timehist", "timehist", 8)):
            ratio = ns[peer] / ns[name]
            rows.append((f"{peer} / {name}, CPU time an event, {load}", {"eBPF": f"{ratio:.1f}"}, str(least), ratio >= least))
    return rows
