# SPDX-License-Identifier: GPL-2.0-only
"""Other tracers' files, beside what reads them by their own libraries."""
import os
import re
import subprocess
import sys
import tempfile
import time
from statistics import median

import place
from table import machine, number, table

sys.path.append(os.path.join(place.TOP, "tests", "lib"))
import ctfmake
import tracedat

TITLE = "Other tracers' files"
READDAT = os.path.join(place.BUILD, "bench", "readdat")
SECONDS = {False: 8, True: 2}
RUNS = {False: 7, True: 3}
LOAD = ["perf", "bench", "sched", "messaging", "-g", "2", "-l", "1000000"]
EVENTS = ("sched_switch", "sched_waking", "sched_wakeup_new", "sched_process_fork")
# Conversions and what each is beside, by file; the least ratio of their events a second.
FILES = {"perf.data": ("perf script", 5), "trace.dat": ("libtracecmd alone", 1 / 1.5), "CTF": ("libbabeltrace2 alone", 1 / 1.5)}
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def loaded(record, seconds):
    """What record(seconds) returns, while the load runs."""
    running = subprocess.Popen(LOAD, start_new_session=True, **QUIET)
    try:
        time.sleep(1)
        return record(seconds)
    finally:
        os.killpg(running.pid, 9)
        running.wait()


def perf_data(folder, seconds):
    path = os.path.join(folder, "perf.data")
    events = [part for event in EVENTS for part in ("-e", "sched:" + event)]
    loaded(lambda s: subprocess.run(["perf", "record", "-a", "-m", "32M", *events, "-o", path, "--", "sleep", str(s)],
                                    check=True, **QUIET), seconds)
    return path


def trace_dat(folder, seconds):
    path = os.path.join(folder, "trace.dat")

    def record(s):
        with tracedat.recording(["sched/" + event for event in EVENTS], 65536) as pages:
            time.sleep(s / 4)
            return pages()
    with open(path, "wb") as f:
        f.write(tracedat.trace_dat(loaded(record, seconds), ["sched"]))
    return path


def ctf(folder, seconds):
    """Made up: LTTng's modules are not for every kernel.  Two CPUs, a wakeup and two switches a round."""
    trace = ctfmake.Trace(trace_id="00000000-0000-4000-8000-000000000000")
    for cpu in range(2):
        packets, ns = [], 1000 + cpu
        for i in range(100 * seconds):
            events = []
            for j in range(40):
                tid = 100 + 2 * (j % 20) + cpu
                events += [(ns, "sched_waking", (f"t{tid}", tid, 20, cpu)), ctfmake.switch(ns + 500, 0, tid),
                           ctfmake.switch(ns + 3000, tid, 0)]
                ns += 5000
            packets.append((events, 0, i))
        trace.streams[cpu] = packets
    return trace.write(os.path.join(folder, "ctf"))


def elapsed(command):
    """Seconds."""
    began = time.monotonic()
    subprocess.run(command, check=True, **QUIET)
    return time.monotonic() - began


def count(path, out):
    """Scheduling events of the file that was made of it."""
    subprocess.run([place.FXTREC, "convert", path, "-o", out], check=True, **QUIET)
    said = subprocess.run([place.FXTREC, "info", out], check=True, stdout=subprocess.PIPE, text=True).stdout
    return int(re.search(r"^scheduling +(\d+)", said, re.M)[1])


def run(options):
    files = {}
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        out = os.path.join(folder, "out.fxt")
        paths = {"perf.data": perf_data(folder, SECONDS[options.quick]),
                 "trace.dat": trace_dat(folder, SECONDS[options.quick]), "CTF": ctf(folder, SECONDS[options.quick])}
        peers = {"perf.data": {"perf script": ["perf", "script", "-i", paths["perf.data"]]},
                 "trace.dat": {"libtracecmd alone": [READDAT, paths["trace.dat"]],
                               "and libtraceevent's fields": [READDAT, paths["trace.dat"], "fields"],
                               "trace-cmd report": ["trace-cmd", "report", "-i", paths["trace.dat"]]},
                 "CTF": {"libbabeltrace2 alone": ["babeltrace2", "--component=sink.utils.dummy", paths["CTF"]]}}
        for name, path in paths.items():
            commands = {**peers[name], "fxtrec convert": [place.FXTREC, "convert", path, "-o", out],
                        "fxtrec report": [place.FXTREC, "report", path]}
            seconds = {}
            # Interleaved: what else the machine does falls on all alike.
            for _ in range(RUNS[options.quick]):
                for command, words in commands.items():
                    seconds.setdefault(command, []).append(elapsed(words))
            files[name] = {"events": count(path, out), "seconds": seconds}
    return {"machine": place.machine(), "files": files}


def ratio(one, name, peer):
    """Of events a second."""
    return median(one["seconds"][peer]) / median(one["seconds"][name])


def lines(data):
    text = ["Elapsed time of each command over one file; medians of interleaved runs.  `convert` writes FXT.  "
            "libtracecmd alone is a loop over `tracecmd_read_next_data()` that looks at no field, libbabeltrace2 alone "
            "`babeltrace2 --component=sink.utils.dummy`.", machine(data), ""]
    for name, one in data["files"].items():
        peer = FILES[name][0]
        rows = [[command, number(one["events"] / median(seconds)), f"{ratio(one, command, peer):.2f}"]
                for command, seconds in one["seconds"].items()]
        text += [f"`{name}`: {one['events']:,} switches and wakeups.", ""]
        text += table(["", "events a second", f"of {peer}'s"], rows) + [""]
    return text


def summary(data):
    rows = []
    for name, (peer, least) in FILES.items():
        got = ratio(data["files"][name], "fxtrec convert", peer)
        rows.append((f"{name} to FXT, events a second, times those of {peer}", {"eBPF": f"{got:.2f}"},
                     f"{least:.2f}", got >= least))
    return rows
