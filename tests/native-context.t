#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a recording tells beside names: the machine, how it was recorded, and of each process what /proc has."""
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import groups
import recorder
import tap
from packets import unpacked
from tap import FXTREC, ok, run

CONTAINER = "0123456789ab" + "c" * 52
GROUP = f"fxtrec-{os.getpid()}.slice"
SLEEP = ["sleep", "4321"]
# The kernel keeps 15 characters.
TOOL_COMM = os.path.basename(FXTREC)[:15]


def hierarchy():
    """Where control groups of v2 are, or None."""
    with open("/proc/self/mounts") as f:
        folders = [line.split()[1] for line in f if line.split()[2] == "cgroup2"]
    return folders[0] if folders else None


class Inmate:
    """
    A process in a container's control group and in a PID namespace of its own; with a hierarchy
    of version 1 mounted in that folder, also in a group of a longer path there.
    """

    def __init__(self, longer=None):
        self.folders = []
        self.longer = longer and os.path.join(longer, "fxtrec-" + "longer-" * 30)
        if longer:
            os.mkdir(self.longer)
        top = hierarchy()
        if not top:
            raise RuntimeError("no control groups of v2 are mounted here")
        for name in (GROUP, f"docker-{CONTAINER}.scope"):
            top = os.path.join(top, name)
            os.mkdir(top)
            self.folders.append(top)
        self.outer = subprocess.Popen(["unshare", "--pid", "--fork", "--kill-child", *SLEEP],
                                      preexec_fn=self.enter)
        children = f"/proc/{self.outer.pid}/task/{self.outer.pid}/children"
        while not open(children).read().split():
            time.sleep(0.01)
        self.pid = int(open(children).read())
        while not open(f"/proc/{self.pid}/cmdline").read().startswith("sleep"):
            time.sleep(0.01)

    def enter(self):
        for folder in filter(None, (self.folders[-1], self.longer)):
            with open(os.path.join(folder, "cgroup.procs"), "w") as f:
                f.write(str(os.getpid()))

    def end(self):
        self.outer.kill()
        self.outer.wait()
        for folder in filter(None, (*reversed(self.folders), self.longer)):
            for _ in range(100):
                try:
                    os.rmdir(folder)
                    break
                except OSError:
                    time.sleep(0.05)


def described(path, pid):
    """The arguments of the process's record that has its command line, as dump prints them."""
    lines = [line for line in run([FXTREC, "dump", path]).stdout.splitlines()
             if "kernel-object: " in line and f" koid={pid} type=1 " in line and "command=" in line]
    return lines[-1] if lines else ""


def packets(path):
    schema = os.path.join(tap.TOP, "user", "formats", "perfetto")
    with open(path, "rb") as f:
        return subprocess.run(["protoc", "--decode=pf.Trace", "-I", schema, "perfetto.proto"],
                              input=unpacked(f.read()), stdout=subprocess.PIPE, timeout=600).stdout.decode()


def beginning(folder, inmate):
    path = os.path.join(folder, "trace.fxt")
    command = [FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", path]
    done = run(command)
    ok(done.returncode == 0, "recorded", done.stderr)
    info = json.loads(run([FXTREC, "info", "--json", path]).stdout)
    ok(info["host"] == platform.node() and info["machine"] == platform.machine() and
       info["release"] == platform.release(), "info: host, machine and kernel", info)
    ok(info["command"] == " ".join(command), "info: the recorder's command line", info["command"])
    online = len(re.findall(r"(?m)^processor\s*:", open("/proc/cpuinfo").read()))
    ok(info["processors"] >= online and info["memory_bytes"] ==
       os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE"), "info: processors and memory", info)
    line = described(path, inmate.pid)
    for what, text in (("command line", f'command="{" ".join(SLEEP)}"'),
                       ("control group", f'cgroup="/{GROUP}/docker-{CONTAINER}.scope"'),
                       ("container", f'container="{CONTAINER[:12]}"'),
                       ("parent", f"parent={inmate.outer.pid}"),
                       ("id in its namespace", "namespace_id=1")):
        ok(text in line, f"a process: its {what}", line)
    converted = os.path.join(folder, "trace.pftrace")
    ok(run([FXTREC, "convert", path, "-o", converted]).returncode == 0, "converted")
    text = packets(converted)
    ok(f'machine_name: "{platform.node()}"' in text and
       'tracing_service_version: "fxtrec ' in text and command[-1] in text,
       "Perfetto's packets: the machine, and the recorder's command line", text[:2000])
    ok(re.search(rf'pid: {inmate.pid}\s+ppid: {inmate.outer.pid}\s+cmdline: "{SLEEP[0]}"\s+'
                 rf'cmdline: "{SLEEP[1]}"\s+nspid: 1', text),
       "Perfetto's packets: parent, command line and inner id", text[:2000])


def end(folder):
    """A process that came to be while it was recorded, and lives when it ends."""
    path = os.path.join(folder, "later.fxt")
    process = recorder.start(["--backend=bpf", "-o", path])
    later = subprocess.Popen(["sleep", "4322"])
    time.sleep(1)
    said = recorder.end(process)
    line = described(path, later.pid)
    ok('command="sleep 4322"' in line, "a process that was started later: its command line",
       said + line)
    later.kill()
    later.wait()


def counted(file):
    """The lines of a recording's counters, and how many threads were runnable each time."""
    lines = [line for line in run([FXTREC, "dump", file]).stdout.splitlines() if " counter: " in line]
    return lines, [int(n) for n in re.findall(rf'thread_name="{TOOL_COMM}" .* name="runnable" .*threads=(\d+)',
                                              "\n".join(lines))]


def snapshot_with(process, least):
    """The first snapshot with so many of them."""
    for _ in range(300):
        file = run([FXTREC, "snapshot", str(process.pid)]).stdout.strip()
        if len(counted(file)[1]) >= least:
            break
        time.sleep(0.5)
    return file


def counters(folder):
    """Once a second, of a machine that is busy for the time."""
    path = os.path.join(folder, "counters.fxt")
    busy = "i=0; while [ $i -lt 2000000 ]; do i=$((i + 1)); done"
    with recorder.busy(["sh", "-c", f"while :; do {busy}; done"]):
        process = recorder.start(["--backend=bpf", "--counters", "--flush=200ms", "-o", path])
        recorder.becomes(lambda: len(counted(path)[1]) >= 3)
        recorder.end(process)
        process = recorder.start(["--backend=bpf", "--counters", "--flight", "-o", os.path.join(folder, "snapshot.fxt")])
        snapshot = snapshot_with(process, 2)
        recorder.end(process)
    for file, least in ((path, 3), (snapshot, 2)):
        name = os.path.basename(file)
        lines, runnable = counted(file)
        ok(len(runnable) >= least and all(0 < n < 100000 for n in runnable),
           f"{name}: runnable threads, once a second", lines[:5])
        for resource in ("cpu", "memory", "io"):
            if not os.path.exists("/proc/pressure/" + resource):
                tap.skip(f"{name}: {resource} pressure", "this kernel doesn't measure it")
                continue
            values = re.findall(rf'name="{resource} pressure" .*some=(\d+) full=(\d+)', "\n".join(lines))
            ok(len(values) == len(runnable) and all(int(full) <= 1100000 and int(some) <= 1100000 for some, full in values),
               f"{name}: {resource} pressure", values)


def hybrid(folder):
    """A host with a hierarchy of version 1, too: the group is that of version 2."""
    legacy, path = os.path.join(folder, "legacy"), os.path.join(folder, "hybrid.fxt")
    os.mkdir(legacy)
    mounted = run(["mount", "-t", "cgroup", "-o", f"none,name=fxtrec{os.getpid()}", "none", legacy])
    if mounted.returncode:
        tap.skip("control groups of both versions", mounted.stderr.strip())
        return
    try:
        inmate = Inmate(legacy)
        try:
            run([FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", path])
        finally:
            inmate.end()
    finally:
        run(["umount", legacy])
    line = described(path, inmate.pid)
    ok(f'cgroup="/{GROUP}/docker-{CONTAINER}.scope"' in line and f'container="{CONTAINER[:12]}"' in line,
       "the control group of version 2, beside a longer path of version 1", line)


def counts(path):
    """Periods, throttled ones, and for how long in nanoseconds, by cpu.stat."""
    with open(os.path.join(path, "cpu.stat")) as f:
        of = {key: int(value) for key, value in map(str.split, f)}
    return of["nr_periods"], of["nr_throttled"], of.get("throttled_time", of.get("throttled_usec", 0) * 1000)


def settled(path):
    """The counts, once none changes any more: nothing runs in the group."""
    before = None
    while before != counts(path):
        before = counts(path)
        time.sleep(0.3)
    return before


def readings(file, group):
    """The arguments of a group's readings, in a recording."""
    done = run([FXTREC, "dump", file]).stdout
    lines = re.findall(r'category="fxtrec" name="quota" \{group="%s" (.*)\}' % re.escape(group), done)
    return [{key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", line)} for line in lines]


def reading(counted, limit=True):
    keys = ("periods", "throttled", "throttled_ns")
    return dict(zip(keys, counted), **({"quota_ns": 2000000, "period_ns": 20000000} if limit else {}))


def limited(folder, outer, inner, process):
    """The process runs between the two readings, until its group has been throttled."""
    name, path = "/" + os.path.basename(outer), os.path.join(folder, "quota.fxt")
    before = settled(outer)
    recording = recorder.start(["--backend=bpf", "--flush=200ms", "-o", path])
    recorder.becomes(lambda: readings(path, name))
    process.send_signal(signal.SIGCONT)
    recorder.becomes(lambda: groups.throttled(outer) >= before[1] + 3)
    process.send_signal(signal.SIGSTOP)
    after = settled(outer)
    recorder.end(recording)
    found = readings(path, name)
    ok(found == [reading(before), reading(after)] and after[1] > before[1],
       "a group's limit and its counts, at the begin and at the end, as cpu.stat has them", (found, before, after))
    ok(not readings(path, f"{name}/inner"), "none of a group below it, which has no limit", readings(path, f"{name}/inner"))
    flight = recorder.start(["--backend=bpf", "--flight", "-o", os.path.join(folder, "quotas.fxt")])
    file = run([FXTREC, "snapshot", str(flight.pid)]).stdout.strip()
    recorder.end(flight)
    ok(readings(file, name) == [reading(after)], "a snapshot has one reading", readings(file, name))
    path = os.path.join(folder, "rotated.fxt")
    run([FXTREC, "record", "--backend=bpf", "-d", "1.5", "--rotate=1s", "-o", path])
    parts = sorted(os.path.join(folder, part) for part in os.listdir(folder) if part.startswith("rotated."))
    ok(len(parts) > 1 and all(reading(after) in readings(part, name) for part in parts), "each file of a rotation has one",
       [readings(part, name) for part in parts])


def quotas(folder):
    """A group with a limit, and a process in one below it."""
    name = f"fxtrec-quota-{os.getpid()}"
    with groups.made("cpu", [name, f"{name}/inner"]) as (outer, inner):
        if not os.path.exists(os.path.join(outer, "cpu.stat")) or "nr_periods" not in open(os.path.join(outer, "cpu.stat")).read():
            tap.skip("limits of control groups", "this kernel has none, or they are not for this process")
            return
        groups.limit(outer, 2000, 20000)
        process = subprocess.Popen([*groups.inside(inner), "sh", "-c", "kill -STOP $$; while :; do :; done"])
        try:
            limited(folder, outer, inner, process)
        finally:
            process.kill()
            process.wait()


with tempfile.TemporaryDirectory() as folder:
    inmate = Inmate()
    try:
        beginning(folder, inmate)
    finally:
        inmate.end()
    hybrid(folder)
    end(folder)
    counters(folder)
    quotas(folder)
tap.done()
