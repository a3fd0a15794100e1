#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""convert --split: each part stands alone, and together they are what was split."""
import bisect
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from itertools import zip_longest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import recorder
import tap
from fxt import Loss
from fxtmake import File, Koid, Unsigned64
from packets import unpacked
from tap import FXTREC, ok, run


def parts(folder, start):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(start))


def info(path):
    return json.loads(run([FXTREC, "info", "--json", path]).stdout)


def packets(path):
    with open(path, "rb") as f:
        return subprocess.run(["protoc", "--decode=pf.Trace", "-I",
                               os.path.join(tap.TOP, "user", "formats", "perfetto"), "perfetto.proto"],
                              input=unpacked(f.read()), stdout=subprocess.PIPE, timeout=600).stdout.decode()


def split(folder, path, limit, name, least):
    target = os.path.join(folder, name)
    done = run([FXTREC, "convert", "--split=" + limit, path, "-o", target])
    files = parts(folder, name.split(".")[0] + ".")
    ok(done.returncode == 0 and len(files) >= least, f"--split={limit}: {least} files or more", (done.stderr, files))
    return files


def quiet(files, times):
    """Whether each part has nothing of the scheduler's, as the kernel's log or the recorder's start may have one alone."""
    starts = [info(path)["first_ns"] for path in files]
    return [bisect.bisect_left(times, start) == bisect.bisect_left(times, end)
            for start, end in zip(starts, [*starts[1:], times[-1] + 1])]


def alone(files, said, times, whole):
    """What each part has to tell by itself: of its threads, the names that the whole has by then."""
    named = {tid: min(since for since, _ in names) for tid, names in whole.names.items()}
    for path, without in zip(files, quiet(files, times)):
        name = os.path.basename(path)
        judge.judge_valid(path, name)
        facts, part = info(path), judge.load(path)
        unnamed = [tid for tid in part.scheduled() - set(part.names) if named.get(tid, times[-1]) < facts["last_ns"]]
        ok((facts["scheduling_events"] or without) and not unnamed and
           all(facts[key] == said[key] for key in ("host", "command", "backend", "clock", "processors")),
           f"{name}: names, and which provider recorded what", (without, unnamed, facts))


def facts_once(files, what):
    """The recorder's facts, and a reading of the clocks at each end that has one: not once more where the trace has them."""
    counts = {tuple(text.count(f'category="fxtrec" name="{name}"') for name in ("backend", "host", "processor", "clock"))
              for text in (run([FXTREC, "dump", path]).stdout for path in files)}
    processors = info(files[0])["processors"]
    tap.all_of(f"{what}: the recorder's facts once in each", counts,
               lambda count: count[:3] == (1, 1, processors) and 1 <= count[3] <= 3)


def snapshot(folder):
    """A snapshot, which has the recorder's facts behind all else: its parts, and a part of its time."""
    path = os.path.join(folder, "snapshot.fxt")
    # Without the recorder's begin: a thread that was about to end then has no name, but one that later takes over its id.
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight=500ms", "-o", path])
    with recorder.busy():
        time.sleep(1.5)
        path = run([FXTREC, "snapshot", str(process.pid)], check=True).stdout.strip()
    recorder.end(process)
    whole, said = judge.load(path), info(path)
    times = sorted(whole.monotonic(ticks) for events in whole.events.values() for ticks, event in events
                   if not isinstance(event, Loss))
    files = split(folder, path, f"{max(1, said['duration_ns'] // 5_000_000)}ms", "parts.fxt", 3)
    alone(files, said, times, whole)
    facts_once(files, "a snapshot's parts")
    without_one(files, folder)
    suspended(folder, path)
    cut = os.path.join(folder, "cut.fxt")
    run([FXTREC, "convert", "--time=0.1,0.2", path, "-o", cut], check=True)
    alone([cut], said, times, whole)
    facts_once([cut], "a tenth of a second of it")


def suspended(folder, path):
    """The same of a machine that was suspended for an hour: packets, which are on the clock that goes on, are no longer."""
    later, packed = os.path.join(folder, "later.fxt"), os.path.join(folder, "later.pftrace")
    with open(path, "rb") as f:
        data = f.read()
    for boottime in {int(n) for n in re.findall(r" boottime=(\d+)", run([FXTREC, "dump", path]).stdout)}:
        data = data.replace(struct.pack("<Q", boottime), struct.pack("<Q", boottime + 3600 * 10**9))
    with open(later, "wb") as f:
        f.write(data)
    done = run([FXTREC, "convert", later, "-o", packed])
    was, now = ([(t["tid"], t["run_ns"], t["unknown_ns"]) for t in json.loads(
        run([FXTREC, "report", "--json", of]).stdout)["threads"]] for of in (path, packed))
    ok(not done.returncode and "boottime=" in run([FXTREC, "dump", later]).stdout and sorted(was) == sorted(now),
       "packets of a snapshot behind a suspend: the same run times", (done.stderr, was[:5], now[:5]))


def without_one(files, folder):
    """Put together without one of them, what it had is unknown, as it is to the analysis of the others."""
    rest, path = [files[0], *files[2:]], os.path.join(folder, "rest.fxt")
    done = run([FXTREC, "convert", *rest, "-o", path])
    cpus = [json.loads(run([FXTREC, "report", "--json", "--by=cpu", *of]).stdout)["cpus"] for of in (rest, [path])]
    ok(not done.returncode and cpus[0] == cpus[1] and all(cpu["unknown_ns"] for cpu in cpus[1]),
       "put together without one of the parts: what it had is unknown", (done.stderr, cpus))


def joints(folder):
    """A CPU that is busy for half of the first and the last 100 ms of 500: what lies between files is lost, and no more."""
    start, ms, path = 10 ** 12, 10 ** 6, os.path.join(folder, "joints.fxt")
    f = File().provider(1, "fxtrec").clock(start - 1000, 10 ** 18, start - 1000, start - 1000)
    f.named(7, 7, "w", leader=True).cpu(0)
    for i in [*range(100), *range(400, 500)]:
        f.switch(start + i * ms, 0, 7 * (i % 2), 120, 1, 7 * (1 - i % 2), 120)
    f.provider(1, "fxtrec").clock(start + 500 * ms, 10 ** 18 + 500 * ms, start + 500 * ms, start + 500 * ms)
    with open(path, "wb") as out:
        out.write(f.data)
    files = split(folder, path, "100ms", "joint.fxt", 2)
    for name, window in ("first", "0,0.05"), ("none", "0.2,0.3"), ("last", "0.45,0.49"):
        run([FXTREC, "convert", "--time=" + window, path, "-o", os.path.join(folder, name + ".fxt")], check=True)
    rest = [os.path.join(folder, name) for name in ("first.fxt", "last.fxt")]
    for what, of, unknown in (("parts that adjoin", files, 0), ("windows 400 ms apart", rest, 400 * ms)):
        whole = os.path.join(folder, "whole.joined.fxt")
        run([FXTREC, "convert", *of, "-o", whole], check=True)
        found = [json.loads(run([FXTREC, "report", "--json", "--by=cpu", *each]).stdout)["cpus"][0]["unknown_ns"]
                 for each in (of, [whole])]
        tap.all_of(f"{what}: {unknown} ns unknown", found, lambda ns, unknown=unknown: abs(ns - unknown) < ms, 2)
    ok(info(os.path.join(folder, "none.fxt"))["clock"] == "mono", "a window without an event has the clock")


def proportion(folder):
    """Parts repeat 16 MiB and half of what they don't: context switches are of that."""
    path = os.path.join(folder, "switches.txt")
    with open(path, "w", encoding="ascii") as f:
        f.write("# tracer: nop\n")
        for i in range(225_000):
            prev, following = 100 + i % 1000, 100 + (i + 1) % 1000
            f.write(f"  t-{prev} (  {prev}) [000] d..2. {1000 + i // 10**5}.{i % 10**5:05}0: sched_switch: prev_comm=t prev_pid={prev} "
                    f"prev_prio=120 prev_state=S ==> next_comm=t next_pid={following} next_prio=120\n")
    done = run([FXTREC, "convert", "--split=10ms", path, "-o", os.path.join(folder, "proportion.fxt")])
    files = parts(folder, "proportion.")
    ok(not done.returncode and len(files) == 225 and not done.stderr,
       "what parts repeat is in proportion to their switches", (done.stderr, len(files)))
    for part in files:
        os.unlink(part)


def groups(folder):
    """Each part has the control group of a thread, also behind a new name that came without it."""
    f = File().cpu(0)
    for since, name, more in ((5, "old", [("cgroup_id", Unsigned64(7))]), (10**9, "new", [])):
        f.object(2, 5, name, [("process", Koid(5)), ("since", Unsigned64(since)), *more])
        for ns in range(since + 1000, since + 40_000_000, 10_000):
            f.switch(ns, 0, 0, 0, 1, 5, 120).switch(ns + 5000, 0, 5, 120, 3, 0, 0, "S")
    path = os.path.join(folder, "groups.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    files = split(folder, path, "100k", "grouped.fxt", 4)
    told = [re.findall(r'koid=5 type=2 name="(\w+)" \{process=5 (.*)\}', run([FXTREC, "dump", part]).stdout) for part in files]
    ok(told and all("cgroup_id=7" in of[0][1] for of in told) and told[-1][0][0] == "new" and told[0][0][0] == "old",
       "each part has the control group of its thread, with either name", told)


def joined(folder, whole, files):
    path = os.path.join(folder, "joined.fxt")
    run([FXTREC, "convert", *files, "-o", path])
    together = judge.load(path)
    # A loss isn't among the events of a file that was converted: they are counted.
    apart = [(cpu, i, pair) for cpu, events in whole.events.items()
             for i, pair in enumerate(zip_longest((e for e in events if not isinstance(e[1], Loss)),
                                                  together.events.get(cpu, []))) if pair[0] != pair[1]]
    ok(not apart and info(path)["lost"] == info(whole.path)["lost"] and sum(map(len, whole.events.values())) > 10000, "put together they are the same events",
       (len(apart), apart[:5], {cpu: len(e) for cpu, e in together.events.items()}))
    run([FXTREC, "convert", whole.path, "-o", path])
    ok(set(together.names) == set(judge.load(path).names), "and the same threads")


def sizes(folder, whole):
    """No file is larger than was said, and all but the last are nearly as large, however a format keeps its records."""
    for name, limit, least in (("s1.fxt", 1 << 20, 0.99), ("s2.fxt", 100 << 10, 0.9), ("s3.txt", 1 << 20, 0.98), ("s4.html", 1 << 20, 0.98),
                               ("s5.json", 1 << 20, 0.98), ("s6.pftrace", 32 << 10, 0.8), ("s7.pftrace", 64 << 10, 0.8)):
        files = split(folder, whole.path, f"{limit >> 10}{'Kk'[limit < 1 << 20]}", name, 2)
        found = [os.path.getsize(f) for f in files]
        ok(len(found) > 1 and all(size <= limit for size in found) and all(size >= least * limit for size in found[:-1]),
           f"{name}: files of at most {limit} bytes, and no less than they need to be", found)
        for path in files:
            os.unlink(path)


def into_folder(folder, whole):
    """A folder is no name of files: none is made in it, nor beside it."""
    inside = os.path.join(folder, "folder")
    os.mkdir(inside)
    for target in (inside, inside + "/"):
        done = run([FXTREC, "convert", "--to=fxt", "--split=100K", whole.path, "-o", target])
        ok(done.returncode == 1 and done.stderr == f"fxtrec: {target}: Is a directory\n" and not os.listdir(inside) and
           not parts(folder, "folder."), f"-o {target[len(folder) + 1:]} of a folder", done.stderr)
    os.rmdir(inside)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "whole.fxt")
        run([FXTREC, "record", "--backend=bpf", "--no-marks", "-o", path, "--",
             "perf", "bench", "sched", "pipe", "-l", "20000"],
            check=True)
        whole = judge.load(path)
        whole.path = path
        said = info(path)
        # Ten parts; none where nothing happened for so long, as on a machine that stood still.
        limit = max(1, said["duration_ns"] // 10_000_000)
        times = sorted(whole.monotonic(ticks) for events in whole.events.values() for ticks, event in events
                       if not isinstance(event, Loss))
        least = len({(ns - times[0]) // (limit * 1_000_000) for ns in times}) - 1
        files = split(folder, whole.path, f"{limit}ms", "time.fxt", least)
        alone(files, said, times, whole)
        facts_once(files, "parts")
        nothing = quiet(files, times)
        # One that begins with a pause longer than a part is longer by that, as what is before the first switch.
        ends, part = sorted([*times, said["last_ns"]]), limit * 1_000_000
        pauses = [ends[bisect.bisect_left(ends, f["first_ns"])] - f["first_ns"] for f in map(info, files[:-1])]
        tap.all_of("no part is longer than it may be", [(info(f)["duration_ns"], pause) for f, pause in zip(files, pauses)],
                   lambda of, part=part: of[0] <= part + of[1] // part * part, why=(limit, len(files)))
        joined(folder, whole, files)
        files = split(folder, whole.path, "1M", "size.fxt", 3)
        alone(files, said, times, whole)
        joined(folder, whole, files)
        sizes(folder, whole)
        into_folder(folder, whole)
        in_packets = split(folder, whole.path, f"{limit}ms", "packets.pftrace", least)
        ok(len(in_packets) == len(nothing), "as many parts in packets", (len(in_packets), len(nothing)))
        for path, without in zip(in_packets, nothing):
            text = packets(path)
            ok(all(word in text for word in ("clock_snapshot", "system_info", "cpu_info", "cmdline")) and
               ("ftrace_events" in text or without),
               f"{os.path.basename(path)}: clocks, machine, names and events", text[:500])
        snapshot(folder)
        joints(folder)
        groups(folder)
        proportion(folder)
    tap.done()


main()
