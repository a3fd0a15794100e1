#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of objects in report: events that come after the sleeps name them; synthetic and hostile traces."""
import csv
import io
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import File, INSTANT, Koid, Unsigned, Unsigned64, reason

START = 10 ** 12
WORKER, TOOL = 10, 90
# System calls of x86-64.
READ, FSYNC, ACCEPT, RECVFROM, POLL, FLOCK, SEMOP = 0, 74, 43, 45, 7, 73, 65
DISK = 254 << 20


def begin():
    f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18, START, START)
    f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")])
    for tid, name in (10, "worker"), (11, "logger"), (12, "shell"), (13, "third"):
        f.named(tid, tid, name, START - 100, leader=True)
    return f


def named(f, now, *args):
    return f.provider(1, "fxtrec").event(INSTANT, now, TOOL, TOOL, "fxtrec", "object", args)


def written(folder, name, whys, objects, early=(), waker=11):
    """A thread that sleeps for each reason, for 1000 ns more each time; then, the names."""
    f, now = begin(), START
    for args in early:
        named(f, START - 5, *args)
    f.cpu(0).switch(now, 0, 0, 120, 1, WORKER, 120)
    for i, why in enumerate(whys):
        f.switch(now + 1000, 0, WORKER, 120, 3, 0, 120, why=why)
        f.wakeup(now + 10000 + 1000 * i, 0, WORKER, 120, waker=waker)
        now += 11000 + 1000 * i
        f.switch(now, 0, 0, 120, 1, WORKER, 120)
    for args in objects:
        named(f, now + 10 ** 9, *args)
    return f.write(folder, name)


def names(path, *options):
    found = json.loads(tap.said("report", "--by=reason", "--json", *options, path))["reasons"]
    return {r["object"]: r["object_name"] for r in found if r["object"]}


def inode(kind, number):
    return kind, Unsigned64(number)


def pipe(number, process, end):
    return inode("pipe", number), ("process", Koid(process)), ("end", end)


FILES = (reason(FSYNC, "file", 12, device=DISK), reason(READ, "directory", 13, device=DISK), reason(FSYNC, "file", 12, device=DISK + 1))
OTHERS = (reason(READ, "pipe", 4711), reason(RECVFROM, "inet", 77), reason(RECVFROM, "inet6", 78), reason(READ, "unix", 79), reason(POLL))
SOCKETS = (reason(READ, "unix", 80), reason(READ, "unix", 81), reason(ACCEPT, "unix", 82), reason(READ, "unix", 83), reason(READ, "unix", 84),
           reason(READ, "unix", 85))
OBJECTS = ((inode("file", 12), ("device", Unsigned(DISK)), ("process", Koid(WORKER)), ("name", "/var/lib/db/wal")),
           (inode("file", 13), ("device", Unsigned(DISK)), ("name", "/srv")),
           pipe(4711, 11, "write"), pipe(4711, WORKER, "read"),
           (inode("inet", 77), ("name", "127.0.0.1:5432 > 10.0.0.1:4711")), (inode("inet6", 78), ("name", "[::1]:80")))
NAMES = {"file 254:0 inode 12": "/var/lib/db/wal", "directory 254:0 inode 13": "/srv", "file 254:1 inode 12": None,
         "pipe:[4711]": "logger > worker", "inet:[77]": "127.0.0.1:5432 > 10.0.0.1:4711", "inet6:[78]": "[::1]:80", "unix:[79]": None}


def unix(number, process, peer=0, name=None):
    return (inode("unix", number), ("process", Koid(process)), *([inode("peer", peer)] if peer else []), *([("name", name)] if name else []))


def local(folder):
    """Unix sockets have the processes at both ends, and the address of the end that was listened at."""
    ends = (unix(80, WORKER, 81), unix(81, 11, 80, "/run/log"), unix(82, 11, name="/run/log"), unix(83, WORKER, 86), unix(84, WORKER, 85),
            unix(85, WORKER, 84), unix(85, 12, 84))
    found = names(written(folder, "unix.fxt", SOCKETS, ends))
    tap.ok(found == {"unix:[80]": "worker > logger /run/log", "unix:[81]": "logger > worker /run/log", "unix:[82]": "/run/log",
                     "unix:[83]": "worker > ?", "unix:[84]": "worker > worker, shell", "unix:[85]": "worker, shell > worker"},
           "Unix sockets have their ends", found)


def known(folder):
    path = written(folder, "known.fxt", FILES + OTHERS, OBJECTS)
    tap.ok(names(path) == NAMES, "names that come after the sleeps are those of the sleeps' objects", names(path))
    cut = f"--time=@{START + 500},@{START + 35000}"
    tap.ok(names(path, cut) == {k: v for k, v in NAMES.items() if "inode" in k}, "also of a window that ends before", names(path, cut))
    table = {r["object"]: r["object_name"] or None for r in csv.DictReader(io.StringIO(tap.said("report", "--by=reason", "--csv", path)))}
    table.pop("", None)
    tap.ok(table == NAMES, "CSV has them", table)
    text = tap.said("report", "--by=reason", path)
    tap.ok(all(title in text for title in ("fsync /var/lib/db/wal (file 254:0 inode 12) of worker", "read logger > worker (pipe:[4711])",
                                           "recvfrom 127.0.0.1:5432 > 10.0.0.1:4711 (inet:[77])", "fsync file 254:1 inode 12 of worker")),
           "so has text", text)
    sql = "SELECT DISTINCT s.object, name FROM thread_state s LEFT JOIN object USING (object) WHERE s.object NOT NULL AND syscall <> 'poll'"
    table = {r["object"]: r["name"] for r in json.loads(tap.said("query", "--json", path, sql))}
    tap.ok(table == NAMES, "a join in query has them", table)
    held = written(folder, "held.fxt", (reason(FLOCK, "file", 12, device=DISK), reason(SEMOP)), OBJECTS)
    locks = json.loads(tap.said("query", "--json", held, "SELECT syscall, object, name, total_dur FROM lock ORDER BY total_dur"))
    found = json.loads(tap.said("report", "--by=lock", "--json", held))["locks"]
    tap.ok([list(r.values()) for r in locks] == sorted(([r["call"], r["object"], r["object_name"], r["ns"]] for r in found), key=lambda r: r[3])
           and [r["name"] for r in locks] == ["/var/lib/db/wal", None], "and its table of locks", (locks, found))
    early = written(folder, "early.fxt", FILES + OTHERS, (), OBJECTS)
    tap.ok(names(early) == NAMES, "names that come first do the same")
    other = os.path.join(folder, "converted.fxt.zst")
    done = tap.run([tap.FXTREC, "convert", "-o", other, path])
    tap.ok(done.returncode == 0 and names(other) == NAMES, "a converted file has them", (done.stderr, names(other)))
    for other in json.loads(tap.said("report", "--by=lock", "--json", path))["locks"]:
        tap.ok(other["object_name"] is None, "a lock has no name")


def told(folder):
    """The texts of blame and path have the names, too, and so has a lock's holder that sleeps."""
    path = written(folder, "told.fxt", FILES + OTHERS, OBJECTS, waker=0)
    calls = {"file": "fsync", "directory": "read", "inet": "recvfrom", "inet6": "recvfrom", "pipe": "read", "unix": "read"}
    wanted = {f"{calls[o.partition(' ')[0].partition(':')[0]]} of {f'{name} ({o})' if name else o}" for o, name in NAMES.items()}
    blamed = json.loads(tap.said("blame", "--json", path))["victims"][0]["culprits"]
    tap.ok({c["name"] for c in blamed if c.get("name") and c["kind"] != "idle"} == wanted, "blame's culprits have names", blamed)
    texts = [tap.said("blame", *form, path) for form in ((), ("--csv",))]
    tap.ok(all(text in texts[1] for text in wanted) and "disk fsync of /var/lib/db/wal (file 254:0 inode 12)" in texts[0],
           "in text and CSV, too", texts)
    found = json.loads(tap.said("path", "--json", "-t", str(WORKER), path))
    wanted.add("woken on an idle CPU")
    tap.ok({r["reason"] for r in found["reasons"]} == wanted and
           {s["reason"] for s in found["windows"][0]["segments"] if s["kind"] == "sleep"} == wanted, "path's reasons have names", found)
    f = begin().cpu(1).switch(START, 1, 0, 120, 1, 11, 120).cpu(0).switch(START, 0, 0, 120, 1, WORKER, 120)
    f.switch(START + 1000, 0, WORKER, 120, 3, 0, 120, why=reason(READ, "mutex", 1, holder=11)).cpu(1)
    f.switch(START + 2000, 1, 11, 120, 3, 0, 120, why=FILES[0]).wakeup(START + 8000, 1, 11, 120, waker=0).switch(START + 8000, 1, 0, 120, 1, 11, 120)
    f.wakeup(START + 9000, 0, WORKER, 120, waker=11).cpu(0).switch(START + 9000, 0, 0, 120, 1, WORKER, 120)
    path = named(f.switch(START + 10000, 0, WORKER, 120, 3, 11, 120), START + 11000, *OBJECTS[0]).write(folder, "holds.fxt")
    held = {c.get("name"): c["ns"] for v in json.loads(tap.said("blame", "--json", path))["victims"] if v["tid"] == WORKER for c in v["culprits"]}
    tap.ok(held == {"held by logger:11: it ran": 2000, "held by logger:11: it slept in fsync of /var/lib/db/wal (file 254:0 inode 12)": 6000},
           "a holder that sleeps has the name of its file", held)


def ends(folder):
    crowd = [pipe(4711, pid, end) for pid in (11, 12, 13, 12, 999) for end in ("write", "both")]
    found = names(written(folder, "ends.fxt", OTHERS[:1], crowd))
    tap.ok(found == {"pipe:[4711]": "logger, shell, ... > logger, shell, ..."}, "a pipe of many has two names for each end", found)
    found = names(written(folder, "unknown.fxt", OTHERS[:1], [pipe(4711, 999, "read")]))
    tap.ok(found == {"pipe:[4711]": "? > process 999"}, "one whose processes aren't known has their ids", found)


def several(folder):
    twice = [(*OBJECTS[0][:3], ("name", name)) for name in ("/a", "/a", "/b", "/c")]
    found = names(written(folder, "several.fxt", FILES[:1], twice))
    tap.ok(found == {"file 254:0 inode 12": "/a, ..."}, "an inode with several names shows that it has more", found)


def hostile(folder):
    odd = ((), (("name", "/x"),), (inode("file", 12), ("name", 5)), (inode("file", 12), ("device", Unsigned64(2 ** 40)), ("name", "/x")),
           (("file", "12"), ("name", "/x")), (inode("futex", 12), ("name", "/x")), (inode("nothing", 1), ("name", "/x")),
           (inode("pipe", 4711), ("process", "x"), ("end", "read")), (inode("pipe", 4711), ("process", Koid(11)), ("end", 4)),
           (inode("inet", 77), ("name", "")))
    found = names(written(folder, "odd.fxt", FILES[:1] + OTHERS[:2], odd))
    tap.ok(found == {"file 254:0 inode 12": None, "pipe:[4711]": None, "inet:[77]": None}, "what isn't a name is none", found)
    raw = [(*OBJECTS[0][:3], ("name", "/two\nlines\t\x1b[31m"))]
    path = written(folder, "raw.fxt", FILES[:1], raw)
    text = tap.said("report", "--by=reason", path)
    tap.ok(names(path) == {"file 254:0 inode 12": raw[0][3][1]} and "\x1b" not in text and "two\nlines" not in text and "/two" in text,
           "text has no control characters of a name", text)
    wide = [(*OBJECTS[0][:3], ("name", "/" + "x" * 30000))]
    found = names(written(folder, "wide.fxt", FILES[:1], wide))["file 254:0 inode 12"]
    tap.ok(1000 < len(found) < 1100, "an overlong name is cut", len(found))
    many = [(inode("inet", i), ("name", "x")) for i in range(100, 70100)]
    found = names(written(folder, "many.fxt", OTHERS[1:2], (OBJECTS[4], *many)))
    tap.ok(found == {"inet:[77]": NAMES["inet:[77]"]}, "more names than are kept", found)


with tempfile.TemporaryDirectory() as folder:
    local(folder)
    known(folder)
    told(folder)
    ends(folder)
    several(folder)
    hostile(folder)
tap.done()
