#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A rotated recording beside one that isn't, under load: its files, put together, are the same."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import oracle
import recorder
import tap

FILES = tap.amount("FILES", 10, 20)


def numbered(folder, start):
    return sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.startswith(start))


def end(process):
    said = recorder.end(process)
    tap.ok(process.returncode == 0 and "nothing lost" in said, "recorded, nothing lost", said)


def same(whole, rotated):
    """The rotated recording began later and ended earlier: its events are all in the whole one."""
    problems, compared = [], 0
    for cpu, events in rotated.events.items():
        count, problem = oracle.within(events, whole.events[cpu], "the whole recording")
        compared += count
        problems += [f"cpu {cpu}: {problem}"] if problem else []
    tap.note(f"{compared} events compared")
    return problems if compared else ["nothing compared"]


def nameless(part, whole):
    """
    Threads without a name: which the other recording had named by then, and which it hadn't.  These process 1 has just
    made, out of sight of eBPF, until one reads which threads there are; so are their switches.
    """
    end = max(events[-1][0] for events in part.events.values() if events)
    unnamed = part.scheduled() - set(part.names)
    known = {tid for tid in unnamed if any(since <= end for since, _ in whole.names.get(tid, []))}
    return known, unnamed - known


def blocked(folder):
    """A next file can't be opened: what was recorded is in those before, and why it ended is reported."""
    path, moved = os.path.join(folder, "there"), os.path.join(folder, "moved")
    os.mkdir(path)
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", os.path.join(path, "blocked.fxt"), "--rotate=300ms"])
    recorder.becomes(lambda: len(numbered(path, "blocked.")) >= 2)
    os.rename(path, moved)
    said = process.communicate(timeout=600)[1]
    tap.ok(process.returncode == 1 and "fxt: No such file or directory" in said and " events, " in said,
           "a next file that can't be opened ends it, with a summary", (process.returncode, said))
    for part in numbered(moved, "blocked.")[:2]:
        valid = tap.run([tap.FXTREC, "check", part])
        tap.ok(valid.returncode == 0 and sum(map(len, judge.load(part).events.values())),
               f"{os.path.basename(part)} is whole", valid.stdout)


def again(folder):
    """A rotation, and a flight recorder, of a name that was used before: what is there stays."""
    before = os.path.join(folder, "again.0007.fxt")
    with open(before, "w") as f:
        f.write("an incident")
    # None of these is one of its files.
    for name in ("again.0100.fxt.zst", "again.0200.json", "again.300.fxt.fxt", "against.0400.fxt"):
        open(os.path.join(folder, name), "w").close()
    there = set(os.listdir(folder))
    process = recorder.start(["--backend=bpf", "--no-marks", "--rotate=200ms:1", "-o", os.path.join(folder, "again.fxt")])
    # The first makes way for the second.
    recorder.becomes(lambda: max(set(os.listdir(folder)) - there, default="") > "again.0009.fxt")
    said = recorder.end(process)
    rotated = set(os.listdir(folder)) - there
    tap.ok(process.returncode == 0 and there <= set(os.listdir(folder)) and open(before).read() == "an incident" and
           len(rotated) == 1 and min(rotated) > "again.0008.fxt", "a rotation goes on behind the greatest number",
           (rotated, said))
    tap.ok(f"{min(rotated)} and the files before it: " in said, "the summary is of all files", said)
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", "--flight", "-o", "again.fxt", "--", "false"], cwd=folder)
    number = int(max(rotated).split(".")[1]) + 1
    tap.ok(f"again.{number:04}.fxt" in os.listdir(folder) and rotated <= set(os.listdir(folder)),
           "a flight recorder does, too", (rotated, done.stderr))


def beside(folder):
    """Two recorders whose files have the same names: none has another's records in it."""
    one = os.path.join(folder, "one.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", one])
    tap.fails(["record", "--backend=bpf", "--no-marks", "-d0.2", "-o", one], 1, "another program writes it",
              "a file that another recorder writes is refused")
    small = os.path.join(folder, "small.txt")
    with open(small, "w", encoding="ascii") as f:
        f.write("  a-1 [000] d..2. 1.000001: sched_waking: comm=b pid=2 prio=120 target_cpu=000\n")
    tap.fails(["convert", small, "-o", one], 1, "another program writes it", "to replace it with a conversion, too")
    said = recorder.end(process)
    tap.ok(process.returncode == 0 and tap.run([tap.FXTREC, "check", one]).returncode == 0, "and that one goes on", said)
    both = [recorder.start(["--backend=bpf", "--no-marks", "--rotate=200ms", "-o", os.path.join(folder, "both.fxt")])
            for _ in range(2)]
    recorder.becomes(lambda: len(numbered(folder, "both.")) >= 6)
    ended = [recorder.end(process) for process in both]
    # The file that was to follow may be left where it wasn't open in time.
    parts = [part for part in numbered(folder, "both.") if os.path.getsize(part)]
    whole = [tap.run([tap.FXTREC, "check", part]).returncode == 0 for part in parts]
    pids = {int(m[1]) for part in parts if (m := re.search(r'process=(\d+) thread=\d+ .*category="fxtrec" name="backend"',
                                                           tap.run([tap.FXTREC, "dump", part]).stdout))}
    tap.ok(whole and all(whole) and pids == {process.pid for process in both}, "two rotations of one name take turns with the numbers",
           (parts, whole, pids, ended))
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", os.path.join(folder, "flight.fxt")])
    for number in 1, 2:
        with open(os.path.join(folder, f"flight.{number:04}.fxt"), "w", encoding="ascii") as f:
            f.write("another one's")
    taken = tap.run([tap.FXTREC, "snapshot", str(process.pid)]).stdout.strip()
    said = recorder.end(process)
    tap.ok(taken.endswith("flight.0003.fxt") and tap.run([tap.FXTREC, "check", taken]).returncode == 0 and
           process.returncode == 0, "a snapshot takes a number that is free", (taken, said))


def killed(folder):
    """What a recorder leaves that is killed: its last file has no end, even without an event, and is joined with the others."""
    process = recorder.start(["--backend=bpf", "--no-marks", "--rotate=300ms", "-p", "1", "-o", os.path.join(folder, "killed.fxt")])
    numbered = recorder.becomes(lambda: len([n for n in os.listdir(folder) if n.startswith("killed.")]) >= 3)
    process.kill()
    process.communicate()
    parts = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.startswith("killed.")]
    written = [p for p in parts if os.path.getsize(p)]
    lost = tap.run([tap.FXTREC, "info", written[-1]]).stdout
    tap.ok(numbered and "no end" in lost, "killed: its last file has no end", lost)
    with open(os.path.join(folder, "killed.9999.fxt"), "wb") as f:
        parts.append(f.name)
    joined = tap.run([tap.FXTREC, "convert", *parts, "-o", os.path.join(folder, "joined.fxt")])
    tap.ok(joined.returncode == 0 and "inputs with nothing in them" in joined.stderr and "missing ends" in joined.stderr,
           "killed: its files are joined, an empty one is passed over", joined.stderr)
    tap.fails(["convert", parts[-1], "-o", os.path.join(folder, "joined.fxt")], 1, "not a trace: it is empty",
              "killed: an empty file alone is an error")


def unwritable(folder):
    """A flight recorder that can't write its snapshots says so at once; one that couldn't, by its status."""
    tap.fails(["record", "--backend=bpf", "--no-marks", "--flight", "-o", os.path.join(folder, "none", "f.fxt")], 1,
              "No such file or directory", "a flight recorder without a folder")
    path = os.path.join(folder, "moved")
    os.mkdir(path)
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", os.path.join(path, "f.fxt")])
    os.rmdir(path)
    done = tap.run([tap.FXTREC, "snapshot", str(process.pid)])
    said = recorder.end(process)
    tap.ok(done.returncode == 1 and process.returncode == 1 and "1 snapshot could not be written" in said,
           "a snapshot that can't be written fails the recording", (done.returncode, process.returncode, said))


for check in beside, killed, unwritable:
    with tempfile.TemporaryDirectory() as folder:
        check(folder)
with tempfile.TemporaryDirectory() as folder:
    again(folder)
with tempfile.TemporaryDirectory() as folder:
    path = {name: os.path.join(folder, name) for name in ("whole.fxt", "part.fxt", "joined.fxt")}
    whole, rotated = (recorder.start(["--backend=bpf", "--no-marks", "-b", "16M", "-o", *arguments]) for arguments in
                      ([path["whole.fxt"]], [path["part.fxt"], "--rotate=300ms"]))
    load = subprocess.Popen([os.path.join(HERE, "lib", "load.sh"), str(20000 * FILES)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    recorder.files_begin(os.path.join(folder, "part"), FILES + 1)
    end(rotated)
    load.wait()
    end(whole)
    parts = numbered(folder, "part.")
    tap.ok(len(parts) >= FILES, f"{FILES} files or more", len(parts))
    unrotated = judge.load(path["whole.fxt"])
    for part in parts:
        recording = judge.load(part)
        name = os.path.basename(part)
        unnamed, newborn = nameless(recording, unrotated)
        broken = oracle.chain_breaks(recording, judge.process_one(recording) | newborn)
        valid = tap.run([tap.FXTREC, "check", part])
        tap.ok(not broken and not unnamed and valid.returncode == 0,
               f"{name} stands alone: valid, its chains whole, every thread named",
               (broken[:3], sorted(unnamed)[:5], valid.stdout))
    done = tap.run([tap.FXTREC, "convert", *parts, "-o", path["joined.fxt"]], timeout=300)
    tap.ok(done.returncode == 0, "put together by convert", done.stderr)
    problems = same(unrotated, judge.load(path["joined.fxt"]))
    tap.ok(not problems, "the same events as the recording that was not rotated", problems[:3])

    kept = os.path.join(folder, "kept.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", kept, "--rotate=200ms:3"])
    recorder.becomes(lambda: os.path.exists(os.path.join(folder, "kept.0006.fxt")))
    said = recorder.end(process)
    left = numbered(folder, "kept.")
    tap.ok(process.returncode == 0 and len(left) == 3 and "kept.0001" not in left[0],
           "the newest 3 are kept, and nothing else is left", (left, said))
    for part in left:
        valid = tap.run([tap.FXTREC, "check", part])
        tap.ok(valid.returncode == 0, f"{os.path.basename(part)} is whole", valid.stdout)
with tempfile.TemporaryDirectory() as folder:
    blocked(folder)
tap.done()
