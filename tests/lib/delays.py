# SPDX-License-Identifier: GPL-2.0-only
"""
Delays that a flight recorder is triggered by.  exact() and caught() leave
snapshots; judge_exact() and judge_caught() say whether what they tell is what
their own events say.
"""
import ctypes
import json
import os
import select
import socket
import subprocess
import sys
import time

import recorder
from fxt import Switch, Wakeup
from judge import judge_valid, load
from tap import BUILD, note, ok

HERE = os.path.dirname(os.path.abspath(__file__))
SLEEPS = os.path.join(BUILD, "tests", "sleeps")
# The producer reads the clock once more for a delay than for its record; in a guest whose
# CPUs take turns, another's turn may come in between.
NEAR_NS, GUEST_NEAR_NS = 200000, 20000000
BOUND_MS, SPIN_MS = 15, 30
# A trigger that was quiet for eight of its rests, of a second each, starts anew (user/flight/rest.h).
RESTED_S = 8.2
# So many of each kind are compared, or nothing is shown.
ENOUGH = 5


def ask(pid):
    """As "fxtrec snapshot" does, but at once."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.settimeout(600)
        s.connect(f"/run/fxtrec/flight-{pid}")
        s.send(b"snapshot")
        return s.recv(8192).decode()


def flight(path, backend, options):
    return recorder.start(["--backend=" + backend, "--flight", "-o", path, *options])


def files(out):
    folder, name = os.path.split(out)
    return sorted(os.path.join(folder, n) for n in os.listdir(folder)
                  if n.startswith(name + ".") and n.endswith(".fxt"))


def awake():
    """Woken by its own timer before it has left its CPU, and then preempted: it waits from there."""
    ctypes.CDLL(None).prctl(29, 1)  # PR_SET_TIMERSLACK
    while True:
        for _ in range(20):
            time.sleep(1e-9)
        until = time.monotonic() + 0.003
        while time.monotonic() < until:
            pass


def exact(out, backend, load_command, seconds=2):
    """A load, and a snapshot of all that it did: OUT.NNNN.fxt, the last of them."""
    process = flight(out + ".fxt", backend, ["--no-marks", "-b", "8M", "--trigger=latency>1ms", "--after=1h",
                                             "--trigger=dsleep>1ms"])
    rival = ["taskset", "-c", str(max(os.sched_getaffinity(0))), sys.executable,
             os.path.join(HERE, "delays.py"), "awake"]
    try:
        with recorder.busy(["sh", "-c", load_command]), recorder.busy(rival), recorder.busy(rival):
            time.sleep(seconds)
            subprocess.run([SLEEPS, "10", "20"], check=True)
            return recorder.end(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def clock(recording):
    """Its ticks as nanoseconds since its own beginning; monotonic() would look through all instants each time."""
    (begin, first), (last, then) = recording.clocks[0], recording.clocks[-1]
    rate = (then["monotonic"] - first["monotonic"]) / (last - begin)
    return lambda ticks: (ticks - begin) * rate


def delays(recording, what):
    """
    All of that kind that the events themselves tell of: [(tid, ns, when it ended, whether it
    was woken before it had left its CPU)].
    """
    line = sorted(((t, e) for events in recording.events.values() for t, e in events
                   if isinstance(e, (Switch, Wakeup))), key=lambda item: item[0])
    since, left, found, at = {}, set(), [], clock(recording)
    for ticks, e in line:
        ns = at(ticks)
        if isinstance(e, Wakeup) and what == "latency":
            since[e.pid] = ns
            left.discard(e.pid)
        elif isinstance(e, Wakeup):
            if e.pid in since:
                found.append((e.pid, ns - since.pop(e.pid), ns, False))
        elif what == "latency":
            if e.prev in since:
                since[e.prev] = ns
                left.add(e.prev)
            if e.next in since:
                found.append((e.next, ns - since.pop(e.next), ns, e.next in left))
        else:
            since.pop(e.next, None)
            if e.state == "D":
                since[e.prev] = ns
    return found


def reported(recording, what):
    at = clock(recording)
    return [(tid, args["ns"], at(ticks), args["bound_ns"])
            for ticks, tid, category, name, args in recording.instants
            if (category, name) == ("fxtrec", what)]


def missing(these, others, near, what):
    """
    Those of which there is none among the others, of the same thread, end and length; and those that have their
    beginning or their end alone: between two readings of the clock at the other one the CPU did not run.
    """
    of, problems, moved = {}, [], []
    for tid, ns, ended, *_ in others:
        of.setdefault(tid, []).append((ended - ns, ended))
    for tid, ns, ended, *_ in these:
        apart = [(abs(begin - ended + ns), abs(end - ended)) for begin, end in of.get(tid, [])]
        if any(max(each) <= near for each in apart):
            continue
        said = f"{what}: {tid} waited {ns} ns until {ended}"
        (moved if any(min(each) <= near for each in apart) else problems).append(said)
    return problems, moved


def stolen():
    """For how long a host has kept this machine's CPUs from running, in ticks."""
    with open("/proc/stat") as f:
        return int(f.readline().split()[8])


def exact_undisturbed(out, backend, load_command, tries=5):
    """
    exact(), once more where a delay differs and a host took a CPU meanwhile: it may have been between two
    readings of the clock.  Not each host says that it did: a delay that differs at one end alone says so, too.
    Once more as well where a busy machine left too few delays.  Returns what the last try left.
    """
    for number in range(tries):
        before, left = stolen(), f"{out}-{number}"
        exact(left, backend, load_command)
        found = {kind: disagreements(load(path), kind, NEAR_NS) for path in files(left) for kind in ("latency", "dsleep")}
        if any(problems for problems, *_ in found.values()) and stolen() == before:
            break
        differ = any(problems or moved for problems, moved, *_ in found.values())
        few = any(by_producer < ENOUGH or kind == "latency" and on_cpu < ENOUGH
                  for kind, (*_, by_producer, on_cpu) in found.items())
        if not differ and not few:
            break
    note(f"{number + 1} tries")
    return left


def disagreements(recording, kind, near):
    """
    What the producer tells and the events don't, and the other way round; that of which they agree at one end
    alone; how many each tells of; and of those above the bound, how many were woken before they had left their CPU.
    """
    covered = max(clock(recording)(dict(args)["since"])
                  for _, _, _, name, args in recording.instants if name == "covered")
    # The CPUs' rings are copied one after the other, and what is told a moment later.
    copied = min(clock(recording)(events[-1][0]) for events in recording.events.values())
    # A delay that began before the snapshot does has lost its beginning.
    by_events = [d for d in delays(recording, kind) if d[2] - d[1] > covered and d[2] < copied]
    by_producer = [d for d in reported(recording, kind)
                   if d[2] - d[1] > covered + near and d[2] < copied - near]
    problems, moved = missing(by_producer, by_events, near, "told of, but no such delay")
    sure = [d for d in by_events if d[1] > 1000000 + near and d[2] < copied - near]
    for found, more in zip((problems, moved), missing(sure, reported(recording, kind), near, "not told of")):
        found += more
    problems += [f"not above its bound: {d}" for d in by_producer if d[1] <= d[3]]
    return problems, moved, len(by_events), len(by_producer), sum(d[3] for d in sure)


def judge_exact(out, what, near=NEAR_NS):
    """Each delay above the bound is told of, and no other."""
    paths = files(out)
    if not ok(len(paths) == 1, f"{what}: one snapshot", paths):
        return
    recording = load(paths[0])
    for kind in ("latency", "dsleep"):
        problems, moved, by_events, by_producer, left = disagreements(recording, kind, near)
        note(f"{what}: {by_events} of kind {kind}, {by_producer} told of as above 1 ms, {left} of threads "
             "that were woken on their CPU")
        # A turn of another CPU may be longer still, for a few of thousands; it ends between two readings for more.
        rare, seldom = (0, 0) if near == NEAR_NS else (4 + by_producer // 500, 4 + by_producer // 50)
        note("\n".join(problems + moved))
        ok(len(problems) <= rare and len(moved) <= seldom, f"{what}, {kind}: all above the bound are told of, and none else",
           "\n".join((problems + moved)[:10]))
        ok(by_producer >= ENOUGH, f"{what}, {kind}: there are some", by_producer)
        # CPUs that take turns hardly do so.
        if kind == "latency" and near == NEAR_NS:
            ok(left >= ENOUGH, f"{what}, {kind}: also of threads that were woken on their CPU", left)
    judge_valid(paths[0], what)


def spin():
    """For each line a real-time thread wakes another on its CPU, and goes on for a while."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    for _ in sys.stdin:
        os.write(1, b"x")
        until = time.monotonic() + SPIN_MS / 1e3
        while time.monotonic() < until:
            pass


def wait_bytes():
    while os.read(0, 1):
        os.write(1, b"x")


def snapshot_said(process):
    """The line by which a recorder tells of a snapshot."""
    said = recorder.heard(process, "\n")
    if not said:
        raise RuntimeError("the recorder tells of no snapshot")
    return said


def over(waiter):
    """Until the waiter ran once more."""
    if not select.select([waiter.stdout], [], [], 600)[0]:
        raise RuntimeError("a waiter isn't woken")
    os.read(waiter.stdout.fileno(), 1)


def recorded(path, tid):
    """
    What the events tell of a thread's delays since it was woken last, above the bound, in ns.  Natively eBPF doesn't
    run in threads of process 1, and so not where one of these makes way for the thread; and the kernel may give the
    thread its turn before the bound, as it keeps some of each CPU's time from real-time threads.
    """
    recording = load(path)
    at = clock(recording)
    woken = max(at(t) for events in recording.events.values() for t, e in events
                if isinstance(e, Wakeup) and e.pid == tid)
    return [ns for each, ns, ended, _ in delays(recording, "latency")
            if each == tid and ended > woken and ns > BOUND_MS * 1e6 + NEAR_NS]


def triggered(process, waiter):
    """
    What is said of a snapshot, natively, where a delay is over that may have ended unseen.  What asks for a
    snapshot gets that of the delay, if there is one: the recorder reads of delays before.
    """
    over(waiter)
    # Its turn might be between the two.
    time.sleep(0.2)
    path, said = ask(process.pid)[3:], ""
    while path not in said:
        said += snapshot_said(process)
    if "snapshot (fxtrec snapshot): " + path in said:
        missed = recorded(path, waiter.pid) if "snapshot (latency)" not in said else []
        if missed:
            raise RuntimeError(f"a delay that is recorded had no snapshot: {missed} ns: {said}")
        os.unlink(path)
    return said


def caught(out, backend, rounds, quirks=False):
    """A thread that is woken and can't run, again and again; OUT.delays has its id."""
    cpu = max(os.sched_getaffinity(0))

    def pinned(function, stdout):
        return subprocess.Popen(["taskset", "-c", str(cpu), sys.executable,
                                 os.path.join(HERE, "delays.py"), function],
                                stdin=subprocess.PIPE, stdout=stdout)

    def delay():
        spinner.stdin.write(b"\n")
        spinner.stdin.flush()

    waiter = pinned("wait_bytes", subprocess.PIPE)
    spinner, process = pinned("spin", waiter.stdin), None
    try:
        # Both have begun once one has come through.
        delay()
        over(waiter)
        process = flight(out + ".fxt", backend, ["--no-marks", f"--trigger=latency>{BOUND_MS}ms", "-t",
                                                 str(waiter.pid), "--keep=9999"])
        said, delayed = "", 0
        while said.count("snapshot (latency)") < rounds and delayed < 2 * rounds:
            delay()
            said += triggered(process, waiter) if quirks else snapshot_said(process)
            delayed += 1
            if said.count("snapshot (latency)") < rounds:
                time.sleep(RESTED_S)
        note(f"{delayed} delays, {said.count('snapshot (latency)')} snapshots of them")
        said += recorder.end(process)
    finally:
        for each in (waiter, spinner):
            each.kill()
            each.wait()
        if process and process.poll() is None:
            recorder.end_hard(process)
    with open(out + ".delays", "w") as f:
        json.dump({"tid": waiter.pid, "rounds": rounds, "said": said}, f)


def judge_caught(out, what, near=NEAR_NS):
    with open(out + ".delays") as f:
        facts = json.load(f)
    paths, good = files(out), 0
    for path in paths:
        recording = load(path)
        events = [d for d in delays(recording, "latency") if d[0] == facts["tid"]]
        # One may have come after its CPU's ring was copied.
        copied = max((clock(recording)(of_cpu[-1][0]) for of_cpu in recording.events.values()
                      if any(isinstance(e, Switch) and e.next == facts["tid"] for _, e in of_cpu)), default=0)
        late = [d for d in reported(recording, "latency") if d[2] <= copied + near]
        good += bool(late) and late[-1][0] == facts["tid"] and late[-1][1] > BOUND_MS * 1000000 and \
            any(abs(d[2] - late[-1][2]) < near and abs(d[1] - late[-1][1]) < near
                for d in events)
    # A slow guest may delay the thread by itself, too: that is caught as well.
    ok(good == len(paths) >= facts["rounds"],
       f"{what}: {facts['rounds']} of {facts['rounds']} delays are caught, with wakeup and run",
       f"{good} of {len(paths)} snapshots: {facts['said']}")


def away(recording, state):
    """For how long, in ns, a thread that was switched out so was not switched in again, at most."""
    line = sorted(((t, e) for events in recording.events.values() for t, e in events if isinstance(e, Switch)),
                  key=lambda item: item[0])
    at, since, longest = clock(recording), {}, 0
    for ticks, e in line:
        longest = max(longest, at(ticks) - since.pop(e.next, at(ticks)))
        if e.state == state:
            since[e.prev] = at(ticks)
    return longest


def renamed(out, backend, tries=5):
    """Whether it is right that a short such sleep that ends when its thread isn't chosen is none later."""
    for _ in range(tries):
        process = flight(out + ".fxt", backend, ["--no-marks", "--comm=chosen", "--no-inherit", "--trigger=dsleep>1500ms"])
        ran = subprocess.run([os.path.join(os.path.dirname(SLEEPS), "renamed")], check=False)
        path = ask(process.pid)[3:]
        said = recorder.end(process)
        snapshot = load(path)
        unseen = away(snapshot, "D")
        # Else it had its other name too late.
        if unseen > 1500000000:
            break
    return (ran.returncode == 0 and unseen > 1500000000 and not reported(snapshot, "dsleep") and "(dsleep)" not in said,
            f"{backend}: a sleep that ended when its thread wasn't chosen is none of its later ones", (unseen, said))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
