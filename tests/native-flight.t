#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A flight recorder under load: each snapshot is whole for its time, by ftrace, whatever asked for it."""
import atexit
import os
import random
import re
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import delays
import ftrace
import judge
import oracle
import recorder
import tap

SNAPSHOTS = tap.amount("SNAPSHOTS", 2, 4)
SECONDS = tap.amount("SECONDS", 5., 10.)
# ftrace holds more than the rings do, and for a while longer.
KILOBYTES = 40 << 10
# Between the two probes of an event, in 99 of 100 much less.
PROBES_NS = 200000
LOAD = ("while :; do perf bench sched pipe -l 100000; perf bench sched messaging -g 4 -l 100; "
        "for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done; done")


class Instance(ftrace.Instance):
    """One that forgets the oldest, as the recorder does, and starts anew at will."""

    def __init__(self):
        super().__init__(KILOBYTES, "fxtrec-flight")
        self.write("options/overwrite", "1")

    def clear(self):
        self.write("trace", "")


def flight(folder, arguments):
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-b", "4M", "-o", os.path.join(folder, "flight.fxt"),
                              *arguments])
    atexit.register(process.kill)
    return process


def files(folder):
    return delays.files(os.path.join(folder, "flight"))


def covered(recording):
    """Since when the file says that it holds all, by CPU."""
    return {dict(args)["cpu"]: dict(args)["since"] for _, _, _, name, args in recording.instants
            if name == "covered"}


def compare(recording, text):
    """Its events are ftrace's, from the later beginning of the two on; returns (compared, problems)."""
    theirs, compared, problems = ftrace.parse(text), 0, []
    since = covered(recording)
    taken = recording.monotonic(max(ticks for ticks, _, _, name, _ in recording.instants if name == "covered"))
    for cpu, events in recording.events.items():
        if any(ticks < since[cpu] for ticks, _ in events):
            problems.append(f"cpu {cpu}: events before {since[cpu]}, since when it is covered")
        ours, others, _ = oracle.comparable(recording, events, theirs, cpu)
        if not ours or not others:
            continue
        first = max(ours[0][0], others[0][0] + 1000000)
        ours = [e for e in ours if e[0] >= first]
        if not ours:
            continue
        count, problem = oracle.within(ours, others, "ftrace")
        compared += count
        problems += [f"cpu {cpu}: {problem}"] if problem else []
        # One may be between ftrace's probe and ours.
        later = [e for e in others if ours[-1][0] + PROBES_NS < e[0] < taken - PROBES_NS]
        problems += [f"cpu {cpu}: {len(later)} events later than its last, {later[0]}"] if len(later) > 1 else []
    return compared, problems


def judge_snapshot(path, text, what):
    recording = judge.load(path)
    valid = tap.run([tap.FXTREC, "check", path])
    hidden = oracle.untraced(recording, ftrace.parse(text)) if text else judge.process_one(recording)
    broken = oracle.chain_breaks(recording, hidden)
    unnamed = recording.scheduled() - set(recording.names)
    tap.ok(valid.returncode == 0 and not broken and not unnamed and not oracle.backward(recording),
           f"{what}: valid, its chains whole, every thread named",
           (valid.stdout[-500:], broken[:3], sorted(unnamed)[:5]))
    since = covered(recording)
    tap.ok(set(recording.events) <= set(since), f"{what}: says since when it covers each CPU", since)
    if text:
        compared, problems = compare(recording, text)
        tap.ok(compared and not problems, f"{what}: ftrace's events, none missing, none extra",
               problems or "nothing compared")
        return compared
    return 0


def under_load(folder):
    text, compared = os.path.join(folder, "ftrace.txt"), 0
    process, instance = flight(folder, []), Instance()
    try:
        with instance, recorder.busy(["sh", "-c", LOAD]) as load:
            for i in range(SNAPSHOTS):
                time.sleep(random.uniform(0.5, 1.5) * SECONDS / SNAPSHOTS)
                answer = delays.ask(process.pid)
                # Others' events would take the place of those of the snapshot's time while they are read.
                instance.write("tracing_on", "0")
                os.killpg(load.pid, signal.SIGSTOP)
                instance.save(text)
                path = answer[3:]
                if tap.ok(answer.startswith("ok ") and path in files(folder), f"snapshot {i}",
                          answer):
                    compared += judge_snapshot(path, text, f"snapshot {i}")
                instance.clear()
                instance.write("tracing_on", "1")
                os.killpg(load.pid, signal.SIGCONT)
    finally:
        instance.enable(False)
        instance.remove()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=600)[1]
    # Surplus names of threads that rename themselves again and again may be of any program here.
    lost = [line for line in said.splitlines() if "lost" in line and "rename again" not in line]
    tap.ok(process.returncode == 0 and f"{SNAPSHOTS} snapshots" in said and not lost,
           "it ends in peace", said)
    tap.note(f"{compared} events compared with ftrace")


def nameless(path):
    recording = judge.load(path)
    return recording.scheduled() - set(recording.names)


def trigger(folder, what, arguments, pull, status=0, tries=3):
    """
    One snapshot, by that trigger.  eBPF does not run in threads of process 1 on this machine: one that
    it makes while the recorder starts has no name.  Such a try is repeated.
    """
    before = files(folder)
    process = flight(folder, arguments)
    began = time.monotonic()
    pull(process)
    until = time.monotonic() + 600
    while files(folder) == before and time.monotonic() < until:
        time.sleep(0.02)
    took = time.monotonic() - began
    if process.poll() is None:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=600)[1]
    new = [p for p in files(folder) if p not in before]
    if tries > 1 and len(new) == 1 and nameless(new[0]):
        tap.note(f"{what}: threads without a name, once more: {nameless(new[0])}")
        os.unlink(new[0])
        return trigger(folder, what, arguments, pull, status, tries - 1)
    tap.ok(process.returncode == status and len(new) == 1 and f"snapshot ({what})" in said,
           f"{what}: one snapshot", (process.returncode, new, said))
    for path in new:
        judge_snapshot(path, None, what)
        os.unlink(path)
    return took


def shorter(folder):
    """Rings that hold less than the time that was asked for: what is said of it is what the snapshot says."""
    for arguments, short in ((["--flight=1h", "-b", "64K:8"], True), (["--flight=50ms", "-b", "8M"], False),
                             (["--flight", "-b", "64K:8"], False)):
        process = recorder.start(["--backend=bpf", "--no-marks", *arguments, "-o", os.path.join(folder, "flight.fxt")])
        tap.run(["perf", "bench", "sched", "pipe", "-l", "5000"])
        path = delays.ask(process.pid)[3:]
        said = re.search(r"cpu (\d+)'s rings held the last (\S+) s \(a larger -b", recorder.end(process))
        tap.ok(bool(said) == short, f"{' '.join(arguments)}: whether it is shorter is said", said)
        if said:
            cpu, seconds = int(said[1]), float(said[2])
            r = judge.load(path)
            since = covered(r)
            taken = max(ticks for ticks, _, _, name, _ in r.instants if name == "covered")
            tap.ok(cpu == max(since, key=since.get) and abs(r.monotonic(taken) - since[cpu] - 1e9 * seconds) <= 1e7 * seconds,
                   "and how long it is", (since, taken, said[0]))
        os.unlink(path)


def several(folder):
    """Where several run, their ids are reported."""
    processes = [flight(folder, []) for _ in range(2)]
    said = tap.run([tap.FXTREC, "snapshot"])
    named = re.search(r"\d+ flight recorders run: give the PID of one: ([0-9, ]+)$", said.stderr.strip())
    tap.ok(said.returncode == 1 and named and {p.pid for p in processes} <= set(map(int, named[1].split(", "))),
           "several to ask: their ids", said.stderr)
    processes[0].send_signal(signal.SIGSTOP)
    said = tap.run([tap.FXTREC, "snapshot", str(processes[0].pid)])
    tap.ok(said.returncode == 1 and f"recorder {processes[0].pid} is stopped" in said.stderr, "one that is stopped is not waited for",
           said.stderr)
    processes[0].send_signal(signal.SIGCONT)
    for process in processes:
        recorder.end(process)
    for name in files(folder):
        os.unlink(name)


def kmsg(line):
    with open("/dev/kmsg", "w") as f:
        f.write(line + "\n")


def evicted(folder):
    """A trigger that anybody's program can set off removes no snapshot that a person asked for."""
    process = flight(folder, ["--flight=500ms", "--keep=1", "--trigger=log=*fxtrec-test: boom*"])
    asked, seen = delays.ask(process.pid)[3:], set()
    while len(seen) < 3 and process.poll() is None:
        kmsg("fxtrec-test: boom")
        time.sleep(0.2)
        seen |= {path for path in files(folder) if ".trigger." in path}
    said = recorder.end(process)
    rested = re.search(r"(\d+) more of --trigger='log=\*fxtrec-test: boom\*' came while it rested", said)
    tap.ok(rested and int(rested[1]) > 0, "those that a trigger rested for are counted by its name", said)
    left = files(folder)
    tap.ok(asked in left and len(left) == 2 and max(seen) in left, "a trigger's snapshots remove those of triggers alone", (asked, left, seen))
    process = flight(folder, ["--flight=500ms", "--keep=1"])
    again = delays.ask(process.pid)[3:]
    recorder.end(process)
    tap.ok(files(folder) == sorted([again, max(seen)]), "and a recorder that starts again counts those that are there", files(folder))
    for name in files(folder):
        os.unlink(name)


def unreported(folder):
    """Names that no room was found for, and that no record has reported yet."""
    renames, cpu = 6000, max(os.sched_getaffinity(0))
    with ftrace.counting(cpu, "task/task_rename", "task/task_newtask") as named:
        process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-b", "1M:8", "-o", os.path.join(folder, "flight.fxt")])
        # It would drain them while it comes between two renames.
        process.send_signal(signal.SIGSTOP)
        tap.run(["taskset", "-c", str(cpu), sys.executable, "-c", f"""if True:
            import ctypes
            libc = ctypes.CDLL(None)
            for i in range({renames}):
                libc.prctl(15, b"silent-%d" % i, 0, 0, 0)"""])
        process.send_signal(signal.SIGCONT)
        path = delays.ask(process.pid)[3:]
        said = recorder.end(process)
        most = named()
    snapshot = judge.load(path)
    names = {name for of in snapshot.names.values() for _, name in of if name.startswith("silent-")}
    lost = sum(loss.records for loss in snapshot.losses if loss.cpu == cpu and loss.ring == 1)
    summed = sum(map(int, re.findall(rf"cpu {cpu} lost (\d+) names", said)))
    # Others' may be lost as well, of which ftrace may lack those that process 1 has just made.
    tap.ok(len(names) < renames <= len(names) + lost and lost <= most and summed >= lost,
           "names that were lost are reported in a snapshot", (len(names), lost, most, said))
    os.unlink(path)


def unrecorded(folder):
    """Events that no ring could count: what interrupts one is lost to eBPF, and a snapshot says how many."""
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-b", "64M", "-e", "kmem:*,irq:*,timer:*", "-o",
                              os.path.join(folder, "flight.fxt")])
    # An interrupt in a probe is a matter of chance.
    for _ in range(20):
        tap.run(["perf", "bench", "sched", "messaging", "-g", "4", "-l", "100"])
        path = delays.ask(process.pid)[3:]
        reported = judge.load(path).unrecorded
        if reported:
            break
        os.unlink(path)
    said = recorder.end(process)
    lost = int((re.search(r"lost (\d+) events \(nested probes", said) or [0, 0])[1])
    # One that was about to be recorded on a CPU may have counted.
    tap.ok(0 < reported <= lost + os.cpu_count(), "events that no ring could count are reported in a snapshot", (reported, said))
    if reported:
        os.unlink(path)


with tempfile.TemporaryDirectory() as temporary:
    under_load(temporary)
    for name in files(temporary):
        os.unlink(name)
    evicted(temporary)
    unreported(temporary)
    unrecorded(temporary)
    shorter(temporary)
    trigger(temporary, "SIGUSR1", [], lambda process: process.send_signal(signal.SIGUSR1))
    trigger(temporary, "kernel log", ["--trigger=log=*fxtrec-test: boom*"],
            lambda process: (kmsg("fxtrec-test: quiet"), kmsg("fxtrec-test: boom 7")))
    trigger(temporary, "COMMAND failed", ["--", "sh", "-c", "sleep 4; exit 3"],
            lambda process: process.wait(600), status=3)
    passed = trigger(temporary, "SIGUSR1", ["--after=1.5s"],
                     lambda process: process.send_signal(signal.SIGUSR1))
    tap.ok(passed >= 1.5, "--after waits", passed)
    none = tap.run([tap.FXTREC, "snapshot"])
    tap.ok(none.returncode == 1 and "no flight recorder runs" in none.stderr, "nobody to ask",
           none.stderr)
    several(temporary)
    # The newest two of four, none longer than asked for.
    process = flight(temporary, ["--flight=500ms", "--keep=2"])
    for _ in range(4):
        asked = time.monotonic_ns()
        tap.run([tap.FXTREC, "snapshot", str(process.pid)])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    left = files(temporary)
    tap.ok([os.path.basename(p) for p in left] == ["flight.0003.fxt", "flight.0004.fxt"],
           "--keep leaves the newest", left)
    # What happens while the rings are copied is in it, too.
    last = judge.load(left[-1])
    back = [asked - last.monotonic(t) for of in last.events.values() for t, _ in of]
    tap.ok(back and max(back) <= 500_000_000, "--flight=TIME goes back that far at most", max(back, default=None))
tap.done()
