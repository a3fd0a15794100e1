# SPDX-License-Identifier: GPL-2.0-only
"""A recorder stopped until its rings overflow, then continued: overflow.py OUT BACKEND"""
import os
import signal
import subprocess
import sys
import time

import ftrace
import oracle
import recorder
from fxt import CPU_PROVIDER, Loss, Migration, Switch
from judge import judge_valid, load
from tap import note, ok

# Migrations that a machine may hide from ftrace (Documentation/testing.rst); events that show where a recording goes on.
HIDDEN = 3
GOES_ON = 8


def spin():
    """
    One idle-class loop a CPU, so that none is ever idle: natively ftrace can't
    show switches away from idle on one CPU, and lost ones can't be told apart.
    """
    return [subprocess.Popen(["taskset", "-c", str(cpu), "chrt", "-i", "0",
                              "sh", "-c", "while :; do :; done"])
            for cpu in sorted(os.sched_getaffinity(0))]


def pipe(loops):
    subprocess.run(["perf", "bench", "sched", "pipe", "-l", str(loops)], check=True, stdout=subprocess.DEVNULL)


def stopped(process, loops):
    """A load while the recorder is stopped, and some of its own time after it, three times."""
    for _ in range(3):
        process.send_signal(signal.SIGSTOP)
        pipe(loops // 4)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.5)


def provoke(out, backend, loops=20000, quirks=False, load=stopped, prefix=()):
    """
    Leaves OUT.fxt, OUT.txt (ftrace's) and OUT.said, of "PREFIX fxtrec record" with small rings
    beside load(its process, loops).
    """
    instance = ftrace.Instance(100000)
    spinners = spin() if quirks else []
    try:
        with instance:
            with open(out + ".said", "w") as said:
                process = recorder.start(["--backend=" + backend, "--no-marks", "-b", "64k:8", "-o", out + ".fxt"],
                                         prefix, stderr=said)
            load(process, loops)
            recorder.end(process)
        if process.returncode or instance.lost():
            raise RuntimeError(f"fxtrec ended with {process.returncode}, ftrace lost "
                               f"{instance.lost()}")
        instance.save(out + ".txt")
    finally:
        instance.enable(False)
        instance.remove()
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def stretches(events):
    """The events between losses, with the loss that ends each (the last has None)."""
    part = []
    for ticks, e in events:
        if isinstance(e, Loss):
            yield part, e
            part = []
        else:
            part.append((ticks, e))
    yield part, None


def goes_on(part, theirs, at, hidden):
    """Whether ftrace's events from a place on are the first ones of a part, which may have so many hidden migrations."""
    if not 0 <= at < len(theirs):
        return False
    for _, event in part[:GOES_ON]:
        if at >= len(theirs):
            return True
        if oracle.same(event, theirs[at][1]):
            at += 1
        elif hidden and isinstance(event, Migration):
            hidden -= 1
        else:
            return False
    return True


def fewer(part, theirs, at, most, hidden):
    """
    By how many events, most at most, a gap that would end at that place is shorter in ftrace's: 0 where the part doesn't
    go on at any such place.
    """
    return next((count for count in range(most + 1) if goes_on(part, theirs, at - count, hidden)), 0)


def throttles_lost(r):
    """
    The greatest number of records that gaps hold of the throttling of threads, for which ftrace has no event: a
    thread's throttling begins and ends in turn, so that the other of a pair is missing where the file has one, and
    both may be where a gap is longer than the period of the group's limit.
    """
    by_thread = {}
    for each in sorted(r.throttles, key=lambda e: e.ticks):
        by_thread.setdefault(each.tid, []).append(each.name)
    single = sum(1 + sum(a == b for a, b in zip(names, names[1:])) for names in by_thread.values())
    period = min((args["period_ns"] for *_, name, args in r.instants if name == "quota"), default=None)
    whole = sum((r.monotonic(each.end) - r.monotonic(each.since)) // period for each in r.losses) if period else 0
    return single + 2 * len(by_thread) * whole


def judge_cpu(r, theirs, cpu, hidden=0, throttles=0):
    """
    Walks ftrace's events: what is recorded is equal, each gap is as long as it says.  So many migrations may be hidden
    from ftrace, and records of throttling are not among its events; in a gap neither can be known as such.  Returns how
    many events were lost, and how many hidden.
    """
    at, lost, pending, left, spare = None, 0, 0, hidden, throttles
    for part, loss in stretches(r.events[cpu]):
        if part and at is None:
            before = len(theirs)
            theirs, at = oracle.align(part, theirs, r.monotonic), 0
            if before - len(theirs) < pending:
                raise oracle.Difference(f"cpu {cpu}: {pending} lost at the beginning, where ftrace has {before - len(theirs)}")
        elif part:
            short = fewer(part, theirs, at + pending, min(left + spare, pending), left)
            at += pending - short
            left -= max(short - spare, 0)
            spare = max(spare - short, 0)
        pending = 0 if part else pending
        for ticks, event in part:
            if left and isinstance(event, Migration) and not oracle.same(event, theirs[at][1] if at < len(theirs) else None):
                left -= 1
                continue
            if at >= len(theirs) or not oracle.same(event, theirs[at][1]):
                raise oracle.Difference(f"cpu {cpu}: after {lost} lost, at {ticks}: {event} is not ftrace's {theirs[at:at + 1]}")
            at += 1
        if loss:
            pending += loss.records
            lost += loss.records
            if part and not part[-1][0] <= loss.since <= loss.end:
                raise oracle.Difference(f"cpu {cpu}: {loss} is not at its time")
    return lost, hidden - left + throttles - spare


def ids_exchanged(theirs):
    """
    Where ftrace, too, has another thread leave a CPU than came to it, as one takes over its process's id: the names that
    say of which process they are may be lost.
    """
    found = set()
    for cpu, events in theirs.items():
        switches = [e for _, e, *_ in events if isinstance(e, Switch)]
        found |= {(cpu, a.next, b.prev) for a, b in zip(switches, switches[1:]) if a.next != b.prev}
    return found


def judge(out, what, quirks=False):
    r = load(out + ".fxt")
    theirs = ftrace.parse(out + ".txt")
    with open(out + ".said") as f:
        said = f.read()
    note(said)
    told, untraced, throttles = 0, oracle.untraced(r, theirs), throttles_lost(r)
    for cpu in sorted(r.events):
        of_cpu, f_cpu = r.events[cpu], theirs.get(cpu, [])
        if quirks:
            of_cpu, f_cpu, notes = oracle.comparable(r, of_cpu, theirs, cpu)
            for line in notes:
                note(line)
            r.events[cpu] = of_cpu
        try:
            lost, hidden = judge_cpu(r, f_cpu, cpu, HIDDEN if quirks else 0, throttles)
            note(f"cpu {cpu}: {len(of_cpu)} in the file, {lost} lost; those that ftrace lacks: {hidden}")
            told += lost
            ok(True, f"{what}: cpu {cpu}: recorded and lost are exactly what ftrace saw")
        except oracle.Difference as difference:
            ok(False, f"{what}: cpu {cpu}: recorded and lost are exactly what ftrace saw", difference)
    ok(told > 0, f"{what}: events were lost at all")
    ok(set(r.buffer_full) == {CPU_PROVIDER + l.cpu for l in r.losses if l.cpu >= 0},
       f"{what}: the format's own provider event names the CPUs", r.buffer_full)
    exchanged = ids_exchanged(theirs)
    broken = [each for each in oracle.chain_breaks(r, untraced) if (each[0], *each[2:]) not in exchanged]
    ok(not broken, f"{what}: no break in the chain but where losses stand",
       [(*each, r.names.get(each[2]), r.names.get(each[3])) for each in broken[:5]])
    judge_valid(out + ".fxt", what)


if __name__ == "__main__":
    os.makedirs(os.path.dirname(sys.argv[1]) or ".", exist_ok=True)
    provoke(sys.argv[1], sys.argv[2])
