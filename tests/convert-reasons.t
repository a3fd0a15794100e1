#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reasons of sleeps come back from each format as they were."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import packets
import tap
from fxt import Recording, Switch
from fxtmake import (CALL32, EXCEPTION, IOWAIT, JOIN, INSTANT, KERNEL, LOCK, OWN, PRIVATE, TIMEOUT, X32, File, Unsigned, reason)
from tap import FXTREC, ok, run

FOLDER = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
SCHEMA = os.path.join(tap.TOP, "user", "formats", "perfetto")
FULL, HALF = (1 << 64) - 1, (1 << 32) - 1
KINDS = ("pipe", "unix", "inet", "inet6", "netlink", "socket", "eventfd", "timerfd", "epoll", "inotify", "signalfd", "pidfd",
         "io_uring", "anonymous", "futex", "mutex", "semaphore", "rwsem")
REASONS = [
    reason(35), reason(0xffff, flags=TIMEOUT), reason(1, entry=CALL32), reason(47, entry=X32), reason(0, entry=EXCEPTION),
    reason(0, entry=KERNEL, flags=IOWAIT), reason(0, "file", 12, device=8 << 20 | 1), reason(0, "file", FULL, device=HALF),
    reason(217, "directory", 2), reason(0, "block", 8 << 20), reason(0, "character", HALF), reason(61, "child", 4711),
    reason(202, "futex", FULL, flags=LOCK | TIMEOUT, operation=PRIVATE | 6, holder=12), reason(0xffff, "rwsem", FULL, holder=HALF),
    reason(202, "futex", 1 << 40, flags=JOIN | OWN, operation=9, holder=HALF), reason(202, "futex", 5, device=1, file=(0, 0)),
    reason(202, "futex", FULL, flags=LOCK, device=HALF, file=(FULL, FULL), holder=HALF), reason(202, "futex", 5, device=7, file=(HALF, FULL)),
    reason(74, "mutex", 1, holder=1), reason(0, "pipe", 0),
] + [reason(7, kind, (1 << 33) + n) for n, kind in enumerate(KINDS)]


def path_of(name):
    return os.path.join(FOLDER.name, name)


def recording():
    """A thread sleeps once for each reason, in each state in turn; then once more without one, and unchosen."""
    f = File().strings().provider(1, "fxtrec").cpu(0).named(10, 10, "sleeper", leader=True).named(10, 11, "other")
    time = 1_000_000
    for i, why in enumerate([*REASONS, ()]):
        f.switch(time, 0, 0, 120, 1, 11, 120)
        letter = "SDIPTt"[i % 6]
        f.switch(time + 1000, 0, 11, 120, 2 if letter in "Tt" else 3, 0, 120, None if letter in "ST" else letter, why=why,
                 unchosen="outgoing" if i % 7 == 3 else None)
        f.wakeup(time + 2000, 0, 11, 120, 0)
        time += 5000
    with open(path_of("a.fxt"), "wb") as out:
        out.write(f.data)


def reasons_of(name, others=False):
    events = Recording(path_of(name), others).events[0]
    return [(ns, event.state, event.unchosen, event.why) for ns, event in events if isinstance(event, Switch) and event.prev]


def back(name, *options):
    """Converts to a format and back."""
    said = ""
    for source, target, more in (("a.fxt", name, options), (name, "back.fxt", ())):
        done = run([FXTREC, "convert", path_of(source), "-o", path_of(target), *more])
        said += done.stderr
    return said


def malformed():
    """A remark that is no reason is counted, and changes no switch."""
    with open(path_of("b.txt"), encoding="utf-8") as f:
        text = f.read()
    ok(text.count("# fxtrec reason=0x") == len(REASONS), "text has a remark for each reason")
    for bad in ("", "0x0", "12", "0x", "0x100000000", "0x1 pipe=", "0x1 pipe=-1", "0x1 pipe=18446744073709551616", "0x1 holder=2",
                "0x1 pipe=1 holder=4294967296", "0x1 pipe=1 more=2", "0x1 pipe=1 ", "0x1 pipe=1 inode=2 device=3 offset=4", "0x1 futex=1 device=3 inode=2", "0x1" + " " * 200):
        with open(path_of("bad.txt"), "w", encoding="utf-8") as f:
            f.write(text.replace("reason=0x10023\n", f"reason={bad}\n", 1))
        done = run([FXTREC, "convert", path_of("bad.txt"), "-o", path_of("back.fxt")])
        ok(reasons_of("back.fxt")[0] == (1001000, "S", "", {}) and "bad.txt" in done.stderr, f"a remark 'reason={bad[:40]}'",
           f"{done.stderr} {reasons_of('back.fxt')[:2]}")


def json_members():
    """Fuchsia's events: a bad reason is counted; the array form has the reason of each sleep."""
    with open(path_of("c.json"), encoding="utf-8") as f:
        text = f.read()
    for bad in ('"fxt.reason":""', '"fxt.reason":"0x0"', '"fxt.reason":"0x10023 pipe"'):
        with open(path_of("bad.json"), "w", encoding="utf-8") as f:
            f.write(text.replace('"fxt.reason":"0x10023"', bad, 1))
        done = run([FXTREC, "convert", path_of("bad.json"), "-o", path_of("back.fxt")])
        ok("1 event" in done.stderr and "malformed fields" in done.stderr and reasons_of("back.fxt") == reasons_of("a.fxt")[1:],
           f"{bad}: its switch is counted", done.stderr)
    run([FXTREC, "convert", "--to=json-array", path_of("a.fxt"), "-o", path_of("d.json")])
    with open(path_of("d.json"), encoding="utf-8") as f:
        rows = [e["args"]["reason"] for e in json.load(f) if "reason" in e.get("args", {})]
    with open(path_of("b.txt"), encoding="utf-8") as f:
        remarks = [line.partition("reason=")[2].rstrip() for line in f if line.startswith("# fxtrec reason=")]
    ok(rows == remarks and len(rows) == len(REASONS), "the array form has the texts of all reasons", f"{rows} {remarks}")


def decoded(name):
    """Perfetto's packets as text."""
    with open(path_of(name), "rb") as f:
        done = subprocess.run(["protoc", "--decode=pf.Trace", "-I", SCHEMA, "perfetto.proto"], input=packets.unpacked(f.read()),
                              capture_output=True, timeout=600, check=True)
    return done.stdout.decode()


def shown():
    """Perfetto shows the call and the kind of its object as the blocked function, and waits for I/O."""
    f = File().strings().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.event(INSTANT, 10, 9, 9, "fxtrec", "host", [("machine", "x86_64"), ("release", "6.1.0")]).cpu(0).named(10, 11, "one")
    whys = [(reason(0, "pipe", 4711), "read (pipe)"), (reason(202, "futex", 1, holder=2), "futex (futex)"), (reason(35), "nanosleep"),
            (reason(0, entry=EXCEPTION, flags=IOWAIT), "exception"), (reason(0, entry=KERNEL), "kernel thread"),
            (reason(0xfffe), "syscall 65534"), (reason(5, entry=CALL32), "open"), (reason(0, "pipe", 4712), "read (pipe)"),
            (reason(5, entry=0), "unknown"), (reason(5, "child", 2, entry=7), "unknown (child)")]
    for i, (why, _) in enumerate(whys):
        f.switch(1000 + i * 100, 0, 0, 120, 1, 11, 120).switch(1050 + i * 100, 0, 11, 120, 3, 0, 120, "D", why=why)
    with open(path_of("e.fxt"), "wb") as out:
        out.write(f.data)
    done = run([FXTREC, "convert", path_of("e.fxt"), "-o", path_of("e.pftrace")])
    text = decoded("e.pftrace")
    names = dict(re.findall(r'kernel_symbols \{\s+iid: (\d+)\s+str: "([^"]*)"', text))
    events = re.findall(r'pid: 11\s+caller: (\d+)\s+(io_wait: 1\s+)?fxtrec_reason: "([^"]*)"', text)
    ok(not done.stderr and [names.get(caller) for caller, *_ in events] == [name for _, name in whys] and
       [bool(wait) for _, wait, _ in events] == [name == "exception" for _, name in whys], "packets: the call and its object",
       f"{done.stderr} {events} {names}")


def many():
    """More sleeps, of more kinds, than a bundle can hold, at times in common; events "blocked" before each third."""
    f = File().strings().provider(1, "fxtrec").cpu(0).named(0, 0, "swapper", leader=True)
    for i in range(20_000):
        tid = 11 + i % 300
        if not i % 3:
            f.event(INSTANT, 1000 + i // 2, 10, tid, "sched", "blocked", [("function", "do_wait"), ("iowait", Unsigned(1))])
        why = reason(i % 200, "pipe", i) if i % 2 else reason(i % 500, entry=CALL32)
        f.switch(1000 + i // 2, 0, tid, 120, 3, 11 + (i + 1) % 300, 120, why=why if i % 5 else ())
    with open(path_of("f.fxt"), "wb") as out:
        out.write(f.data)
    expected = reasons_of("f.fxt", True)
    for name in ("f.pftrace", "f.txt"):
        run([FXTREC, "convert", path_of("f.fxt"), "-o", path_of(name)])
        run([FXTREC, "convert", path_of(name), "-o", path_of("back.fxt")])
        got = reasons_of("back.fxt", True)
        ok(got == expected and len(got) == 20_000, f"{name}: 20,000 sleeps have their reasons",
           [(a, b) for a, b in zip(expected, got) if a != b][:5])


def main():
    recording()
    expected = reasons_of("a.fxt")
    ok([why for *_, why in expected] == [dict(why) for why in REASONS + [()]], "the recording has its reasons", expected)
    for name, *options in (("b.fxt",), ("b.txt",), ("b.html",), ("b.json",), ("c.json", "--system-events=fuchsia"),
                           ("b.pftrace",)):
        said = back(name, *options)
        got = reasons_of("back.fxt")
        ok(got == expected and not said, f"{' '.join([name, *options])}: each reason comes back",
           f"{said}{[(a, b) for a, b in zip(expected, got) if a != b]}")
    malformed()
    json_members()
    shown()
    many()
    tap.done()


if __name__ == "__main__":
    main()
