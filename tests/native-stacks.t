#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Where threads sleep, by eBPF on this machine: each sleep has its stack, /proc's, and no file has an address."""
import glob
import json
import mmap
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import judge_stacks
import recorder
import tap
from tap import FXTREC, note, ok, run, skip

SLEEPS = os.path.join(tap.TOP, "build", "tests", "sleeps")
RECORD = [FXTREC, "record", "--backend=bpf"]
# Of a file's stacks.
ENOUGH = 50


def proc_stack(pid):
    """Functions of a thread's stack that waits in vfork(), or None where it doesn't."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            if f.read().rpartition(")")[2].split()[0] != "D":
                return None
        with open(f"/proc/{pid}/stack") as f:
            stack = re.findall(r"\] (\w[\w.]*)\+0x", f.read())
    except OSError:
        return None
    # It sleeps for its program's pages, too, where these aren't in memory yet.
    return stack if any("vfork" in function for function in stack) else None


def direct_io(folder):
    """Writes past the page cache, where the file system can."""
    block = mmap.mmap(-1, 1 << 16)
    block.write(b"x" * (1 << 16))
    try:
        fd = os.open(os.path.join(folder, "direct"), os.O_CREAT | os.O_WRONLY | os.O_DIRECT | os.O_DSYNC)
        for i in range(20):
            os.pwrite(fd, block, i << 16)
        os.close(fd)
    except OSError as error:
        note(f"no direct I/O: {error}")


def sleep_and_look(folder):
    """Sleeps of a known length in a known place; what /proc says of them meanwhile."""
    sleeper = subprocess.Popen([SLEEPS, "5", "200"])
    seen = []
    while sleeper.poll() is None:
        seen.append(proc_stack(sleeper.pid))
        time.sleep(0.02)
    direct_io(folder)
    time.sleep(0.1)
    return sleeper.pid, [s for s in seen if s]


def each_sleep(folder):
    path = os.path.join(folder, "d.fxt")
    process = recorder.start(["--backend=bpf", "--stacks", "-b16M", "-o", path])
    pid, seen = sleep_and_look(folder)
    said = recorder.end(process)
    ok(process.returncode == 0 and "nothing lost" in said, "--stacks: nothing lost", said)
    recording = judge.load(path)
    judge_stacks.judge_each(recording, path, "natively", "D")
    stacks = [e for e in recording.tracepoints if e.tid == pid and "vfork" in e.args["stack"]]
    wrong = [e.args for e in stacks for theirs in seen[:1] if judge_stacks.from_function(e) != theirs]
    ok(len(stacks) >= 5 and seen and all(s == seen[0] for s in seen) and not wrong,
       "the stack of each is /proc's of that thread", (len(stacks), seen[:1], wrong[:1]))
    waits = [e for e in recording.tracepoints if e.args["iowait"] and "io_schedule" in e.args["stack"]]
    if waits:
        tap.all_of("iowait is of threads that wait for I/O", stacks, lambda e: not e.args["iowait"])
    else:
        skip("iowait is of threads that wait for I/O", "none waited for any")
    return path


def of_all(folder):
    path = os.path.join(folder, "all.fxt")
    run(RECORD + ["--stacks=all", "-o", path, "--", SLEEPS, "20", "5"], check=True)
    recording = judge.load(path)
    judge_stacks.judge_each(recording, path, "--stacks=all", "SDITtP")
    names = {e.args["function"] for e in recording.tracepoints}
    ok(any("nanosleep" in name for name in names), "sleeps that can be interrupted are there, too", names)


def chosen(folder):
    path = os.path.join(folder, "chosen.fxt")
    run(RECORD + ["--stacks", "--only-command", "--no-inherit", "-o", path, "--", SLEEPS, "3", "5"], check=True)
    recording = judge.load(path)
    sleepers = {e.tid for e in recording.tracepoints}
    ok(len(sleepers) == 1 and all(recording.names[tid][-1][1] == "sleeps" for tid in sleepers) and
       len(recording.tracepoints) >= 3, "a filter is for stacks, too", recording.tracepoints[:3])


def load():
    """Sleeps as long as the rest takes."""
    return recorder.busy([SLEEPS, "1000000", "5"])


def no_address(folder):
    """However a recording gets to a file, and however it ends."""
    piped = os.path.join(folder, "piped.fxt")
    killed = os.path.join(folder, "killed.fxt")
    with load():
        run(["sh", "-c", f'{" ".join(RECORD)} --stacks=all -d 1 -o - | cat >"{piped}"'], check=True)
    with load():
        process = recorder.start(["--backend=bpf", "--stacks=all", "--flush=100ms", "-o", killed])
        recorder.becomes(lambda: run([FXTREC, "dump", killed]).stdout.count('name="blocked"') > ENOUGH)
        process.kill()
        process.wait()
    with load():
        process = recorder.start(["--backend=bpf", "--stacks=all", "--rotate=500ms", "-o", os.path.join(folder, "turned.fxt")])
        recorder.files_begin(os.path.join(folder, "turned"), 4)
        recorder.end(process)
    process = recorder.start(["--backend=bpf", "--stacks=all", "--flight", "-o", os.path.join(folder, "flight.fxt")])
    with load():
        for _ in range(2):
            time.sleep(0.7)
            run([FXTREC, "snapshot", str(process.pid)], check=True)
    recorder.end(process)
    turned, flight = (sorted(glob.glob(os.path.join(folder, name + ".*.fxt"))) for name in ("turned", "flight"))
    ok(len(turned) >= 3 and len(flight) == 2, "files of a rotation and of a flight recorder", (turned, flight))
    for path in [piped, killed, *turned, *flight]:
        # The last of a rotation is as short as it likes.
        judge_stacks.judge_whole(path, os.path.basename(path), -1 if path == turned[-1] else 10)


def other_formats(folder, path):
    """Conversions know it as the event that it is."""
    back = os.path.join(folder, "back.fxt")
    for suffix in ("json", "pftrace", "txt", "html"):
        out = os.path.join(folder, "as." + suffix)
        done = run([FXTREC, "convert", path, "-o", out])
        ok(done.returncode == 0 and os.path.getsize(out), f"converts to {suffix}", done.stderr)
        (judge_stacks.judge_packets if suffix == "pftrace" else judge_stacks.judge_bytes)(out, suffix)
    done = run([FXTREC, "convert", os.path.join(folder, "as.json"), "-o", back])
    judge.judge_valid(back, "from JSON and back")
    with open(os.path.join(folder, "as.json")) as f:
        stacks = [e for e in json.load(f)["traceEvents"] if e.get("name") == "blocked"]
    theirs = sorted((e["tid"], e["args"]["function"], e["args"]["stack"]) for e in stacks)
    ours = sorted((e.tid, e.args["function"], e.args["stack"]) for e in judge.load(path).tracepoints)
    ok(ours == theirs and ours, "JSON has each with its arguments", (ours[:1], theirs[:1]))


def refused(folder):
    path = os.path.join(folder, "refused.fxt")
    blind = ["setpriv", "--bounding-set=-syslog", "--inh-caps=-syslog"]
    if "0000000000000000 " not in run(blind + ["head", "-1", "/proc/kallsyms"]).stdout:
        skip("no names, no stacks", "this kernel shows its addresses to all")
        return
    done = run(blind + RECORD + ["--stacks", "-d", "0.2", "-o", path])
    ok(done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "CAP_SYSLOG" in done.stderr and
       not os.path.exists(path), "no names, no stacks: one line, exit 1", done.stderr)
    done = run(blind + RECORD + ["-d", "0.2", "-o", path])
    ok(done.returncode == 0, "a recording without them needs none", done.stderr)


with tempfile.TemporaryDirectory(dir=os.path.join(tap.TOP, "build", "tests")) as temporary:
    whole = each_sleep(temporary)
    of_all(temporary)
    chosen(temporary)
    no_address(temporary)
    other_formats(temporary, whole)
    refused(temporary)
    plain = os.path.join(temporary, "plain.fxt")
    run(RECORD + ["-e", "irq", "-o", plain, "--", SLEEPS, "3", "5"], check=True)
    ok(not judge.load(plain).tracepoints, "what was not asked for is not recorded")
tap.done()
