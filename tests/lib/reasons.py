# SPDX-License-Identifier: GPL-2.0-only
"""An oracle of the reasons of sleeps: the log of tests/lib/waitlog.h beside a recording with --addresses."""
import bisect
import collections
import glob
import os
import re

from fxt import Recording, Switch, Wakeup
from tap import all_of, note, ok

SYSTEM_CALLS, EXCEPTION = {1: 64, 2: 32, 3: 64}, 4
# Kinds that a recording numbers by itself.
OWN_NUMBER = ("eventfd", "timerfd", "epoll", "inotify", "signalfd", "pidfd")
KERNEL_LOCKS = ("mutex", "semaphore", "rwsem")
OBJECTS = OWN_NUMBER + KERNEL_LOCKS + ("file", "directory", "block", "character", "pipe", "unix", "inet", "inet6", "netlink",
                                       "socket", "io_uring", "anonymous", "futex", "child")
# Calls by which C libraries do one and the same.
SAME = {"pselect6": "select", "_newselect": "select", "accept4": "accept", "waitpid": "wait4", "nanosleep": "clock_nanosleep",
        "recv": "recvfrom", "semtimedop": "semop"}
# Calls of 32 bits for several deeds.
SEVERAL = {"socketcall": ("accept", "recvfrom", "recvmsg"), "ipc": ("msgrcv", "semop")}
# Other threads' times of a lock are exact to this.
NEAR_NS = 5_000

Sleep = collections.namedtuple("Sleep", "tid start end state why")
Wait = collections.namedtuple("Wait", "tid start end call kind object more must")
Lock = collections.namedtuple("Lock", "tid kind address bytes writer start end released done")


def deed(call):
    call = re.sub(r"_time64$", "", call)
    return SAME.get(call, call)


def numbers(bits):
    """The names of system calls by number, from the kernel's headers."""
    found = glob.glob(f"/usr/include/x86_64-linux-gnu/asm/unistd_{bits}.h") if os.uname().machine == "x86_64" else []
    with open(found[0] if found else "/usr/include/asm-generic/unistd.h") as f:
        return {int(number): call for call, number in
                re.findall(r"(?m)^#define __NR(?:3264)?_(\w+)\s+(\d+)$", f.read())}


NUMBERS = {bits: numbers(bits) for bits in (64, 32)}


class Log:
    """A program's log: its waits and locks by thread."""

    def __init__(self, text):
        self.by_tid, self.locks = collections.defaultdict(list), collections.defaultdict(list)
        self.ended = False
        for line in text.splitlines():
            kind, *words = line.split()
            if kind == "wait":
                tid, start, end, call, of, *rest = words
                self.by_tid[int(tid)].append(Wait(int(tid), int(start), int(end), call, of, *map(int, rest)))
            elif kind == "lock":
                tid, of, *rest = words
                lock = Lock(int(tid), of, *map(int, rest))
                self.by_tid[lock.tid].append(lock)
                self.locks[lock.address].append(lock)
            elif kind == "end":
                self.ended = words == ["0"]
        for waits in self.by_tid.values():
            waits.sort(key=lambda wait: wait.start)

    def at(self, sleep):
        """The entries in whose time a thread sleeps; two where it waits for a condition, and then for its mutex."""
        waits = self.by_tid[sleep.tid]
        at = bisect.bisect_right(waits, sleep.start, key=lambda wait: wait.start)
        return [wait for wait in waits[max(0, at - 2):at] if wait.start <= sleep.start < wait.end]

    def holders(self, lock, ns):
        """Threads that hold a lock for certain, and those that may."""
        others = [other for other in self.locks[lock.address] if other.writer and other.tid != lock.tid]
        for_ever = 1 << 63
        return ({o.tid for o in others if o.end and o.end + NEAR_NS <= ns <= (o.released or for_ever) - NEAR_NS},
                {o.tid for o in others if o.start - NEAR_NS <= ns <= (o.done or for_ever) + NEAR_NS})


def sleeps(recording, tids):
    """The sleeps of threads, up to their wakeups."""
    events = sorted(((recording.monotonic(ticks), cpu, at, e) for cpu, found in recording.events.items()
                     for at, (ticks, e) in enumerate(found) if isinstance(e, (Switch, Wakeup))), key=lambda e: e[:3])
    asleep, found = {}, []
    for ns, _, _, e in events:
        tid = e.pid if isinstance(e, Wakeup) else e.next
        if tid in asleep:
            start, switch = asleep.pop(tid)
            found.append(Sleep(tid, start, ns, switch.state, switch.why))
        if isinstance(e, Switch) and e.prev in tids and e.state[0] not in "RZX":
            asleep[e.prev] = ns, e
    return found


def call_of(why):
    bits = why.get("reason", 0)
    entry = bits >> 16 & 7
    if entry in SYSTEM_CALLS:
        return NUMBERS[SYSTEM_CALLS[entry]].get(bits & 0xffff, "?")
    return "exception" if entry == EXCEPTION else "?"


def object_of(why):
    return next(((kind, why[kind]) for kind in OBJECTS if kind in why), ("-", 0))


def by_kernel_lock(sleep):
    """Whether a lock of the kernel, which is closer to the cause, takes the place of the call's object."""
    return sleep.state[0] == "D" and object_of(sleep.why)[0] in KERNEL_LOCKS


def same_object(entry, why):
    kind, value = object_of(why)
    if isinstance(entry, Lock):
        return kind == "futex" and entry.address <= value < entry.address + entry.bytes
    if entry.call == "futex":
        return kind == "futex" and (not entry.object or entry.object <= value < entry.object + entry.more)
    if entry.kind in OWN_NUMBER:
        return kind == entry.kind
    return (kind, value) == (entry.kind, entry.object) and (kind != "file" or why.get("device") == entry.more)


def same_call(entry, why):
    call, said = deed(call_of(why)), deed("futex" if isinstance(entry, Lock) else entry.call)
    return call == said or said in SEVERAL.get(call, ())


class Verdict:
    """Sleeps compared with a log."""

    def __init__(self, log, found):
        self.found, self.wrong, self.slept = found, [], set()
        self.holders = collections.defaultdict(collections.Counter)
        self.wrong_holders = []
        self.compared = 0
        for sleep in found:
            entries = log.at(sleep)
            if entries:
                self.compare(log, sleep, entries)

    def compare(self, log, sleep, entries):
        self.compared += 1
        self.slept.update(entries)
        entry = next((e for e in entries if same_call(e, sleep.why) and same_object(e, sleep.why)), None)
        if entry is None:
            if not (any(same_call(e, sleep.why) for e in entries) and by_kernel_lock(sleep)):
                self.wrong.append((sleep, call_of(sleep.why), entries))
        elif isinstance(entry, Lock):
            self.holder(entry, sleep.why.get("holder"), *log.holders(entry, sleep.start), sleep)
        elif entry.call == "futex":
            joined = {entry.more} if entry.kind == "join" and entry.more else set()
            if entry.kind != "join" or joined:
                self.holder(entry, sleep.why.get("holder"), joined, joined, sleep)

    def holder(self, entry, said, certain, possible, sleep):
        count = self.holders[entry.kind]
        count["waits"] += 1
        # A lock with priority inheritance may be the sleeper's own by then; readers ignore that.
        if said in (None, sleep.tid):
            count["missing"] += bool(certain)
        elif said in possible:
            count["right"] += said in certain
        else:
            count["wrong"] += 1
            self.wrong_holders.append((entry.kind, said, possible, sleep))
        count["certain"] += bool(certain)


def judge(path, text, what, least):
    """The reasons of a recording with --addresses of a program that wrote that log."""
    log, recording = Log(text), Recording(path)
    verdict = Verdict(log, sleeps(recording, set(log.by_tid)))
    total = sum(s.end - s.start for s in verdict.found)
    said = sum(s.end - s.start for s in verdict.found if call_of(s.why) != "?")
    note(f"{what}: {len(verdict.found)} sleeps, {total / 1e9:.3f} s; with a reason {100 * said / max(1, total):.3f} %; "
         f"in logged waits {verdict.compared}")
    ok(log.ended and total and said >= 0.999 * total, f"{what}: at least 99.9 % of the time asleep has a reason",
       [s for s in verdict.found if call_of(s.why) == "?"][:5])
    ok(verdict.compared >= least and not verdict.wrong, f"{what}: calls and objects are the program's",
       f"{verdict.compared} compared, {len(verdict.wrong)} wrong: {verdict.wrong[:4]}")
    all_of(f"{what}: each certain wait is recorded",
           [w for waits in log.by_tid.values() for w in waits if isinstance(w, Wait) and w.must], verdict.slept.__contains__, least=0)
    return verdict


def judge_holders(verdict, what, least):
    total = collections.Counter()
    for kind, count in sorted(verdict.holders.items()):
        note(f"{what}: {kind}: " + ", ".join(f"{count[name]} {name}" for name in ("waits", "certain", "right", "missing", "wrong")))
        total.update(count)
    ok(not verdict.wrong_holders, f"{what}: no holder is wrong", verdict.wrong_holders[:5])
    ok(total["certain"] >= least and total["right"] >= 0.98 * total["certain"],
       f"{what}: at least 98 % of the lock waits have the program's holder", total)
