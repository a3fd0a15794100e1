#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Events that have a number in common, and are of different things: told apart in every format, or counted."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from fxtmake import BEGIN, END, File
from tap import FXTREC, ok, run

FOLDER = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
FORMATS = ("json", "fxt", "ftrace", "html", "perfetto")


def event(phase, ts, **more):
    return {"name": "s", "cat": "c", "ph": phase, "ts": float(ts), "pid": 1, "tid": 1, **more}


def path_of(name):
    return os.path.join(FOLDER.name, name)


def source_of(events):
    with open(path_of("s.json"), "w", encoding="utf-8") as f:
        json.dump(events, f)
    return f.name


def query(path, sql, form):
    done = run([FXTREC, "query", "--json", f"--from={form}", path, sql])
    if done.returncode:
        raise RuntimeError(f"{sql}: {done.stderr}")
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def written(source, form):
    """The source in a format, and what was said."""
    target = path_of("t." + form)
    done = run([FXTREC, "convert", f"--to={form}", source, "-o", target])
    if done.returncode:
        raise RuntimeError(f"{form}: {done.stderr}")
    return target, done.stderr


def operations():
    """Asynchronous operations of one number."""
    cases = {
        "scopes": ({"id": "0x7", "scope": "A"}, {"id": "0x7", "scope": "B"}),
        "a scope and none": ({"id": "0x7", "scope": "A"}, {"id": "0x7"}),
        "a local and a global id": ({"id2": {"local": "0x7"}}, {"id2": {"global": "0x7"}}),
        "local ids of processes": ({"id2": {"local": "0x7"}}, {"id2": {"local": "0x7"}, "pid": 2}),
        "local ids of a scope": ({"id2": {"local": "0x7"}, "scope": "A"}, {"id2": {"local": "0x7"}}),
        "categories": ({"id": "0x7"}, {"id": "0x7", "cat": "d"}),
        "texts": ({"id": "seven"}, {"id": "eight"}),
    }
    for name, (a, b) in cases.items():
        for begin, end in ("be", "SF"):
            source = source_of([event(begin, 60, **a), event(begin, 65, **b), event(end, 70, **a), event(end, 85, **b)])
            for form in FORMATS:
                path, said = written(source, form)
                got = query(path, "SELECT ts, dur FROM slice ORDER BY ts", form)
                ok(got == [(60000, 10000), (65000, 20000)] and not said, f"{name}, {begin} and {end}, {form}: two operations",
                   f"{got} {said}")
            with open(source, encoding="utf-8") as f, open(written(path_of("t.fxt"), "json")[0], encoding="utf-8") as back:
                ok(json.load(f) == json.load(back)["traceEvents"], f"{name}, {begin} and {end}: JSON comes back")
    source = source_of([event("b", 60, id="0x7"), event("n", 61, id="0x7", pid=2, tid=2),
                        event("e", 85, id="0x7", pid=2, tid=2)])
    for form in FORMATS:
        path, said = written(source, form)
        got = query(path, "SELECT ts, dur FROM slice WHERE dur IS NOT 0", form)
        ok(got == [(60000, 25000)], f"a global id, {form}: another process may end the operation", got)
        if form == "fxt":
            ok("fxt: 2 events of operations that another process began" in said, "which Perfetto's reader of FXT drops", said)


def named(what, pid, name, **more):
    return {"ph": "M", "name": what, "pid": pid, "args": {"name": name}, **more}


SLICES = """SELECT s.ts, dur, s.name, t.name, p.name, p.pid FROM slice s LEFT JOIN thread t USING (utid)
            LEFT JOIN process p ON p.upid = t.upid ORDER BY s.ts"""
SAID = "thread ids that several processes have, which were replaced"


def threads():
    """Threads of one number in several processes: text, which has no such, gives them numbers of their own."""
    names = [named("process_name", 1, "left"), named("process_name", 2, "right"), named("thread_name", 1, "main-left", tid=7),
             named("thread_name", 2, "main-right", tid=7)]
    cases = {
        "begins and ends": [{"ph": "B", "ts": 1, "pid": 1}, {"ph": "B", "ts": 2, "pid": 2}, {"ph": "E", "ts": 6, "pid": 1},
                            {"ph": "E", "ts": 10, "pid": 2}],
        "whole slices": [{"ph": "X", "ts": 1, "dur": 5, "pid": 1}, {"ph": "X", "ts": 2, "dur": 8, "pid": 2}],
        "instants": [{"ph": "i", "ts": 1, "pid": 1}, {"ph": "i", "ts": 2, "pid": 2}],
    }
    for case, events in cases.items():
        for tid in (7,) if case == "instants" else (7, 0):
            source = [{**e, "tid": tid, **({} if e["ph"] == "E" else {"name": f"of {e['pid']}"})} for e in events]
            source = source_of(names[:4 if tid else 2] + source)
            lengths = (0, 0) if case == "instants" else (5000, 8000)
            for form in FORMATS:
                path, said = written(source, form)
                got = query(path, SLICES, form)
                expected = [(1000, lengths[0], "of 1", "main-left" if tid else None, "left", 1),
                            (2000, lengths[1], "of 2", "main-right" if tid else None, "right", 2)]
                counted = f"{form}: {1 if tid else 2} {SAID}\n" if form in ("ftrace", "html") else ""
                ok(got == expected and said.endswith(counted) and bool(said) == bool(counted),
                   f"{case} of thread {tid} in two processes, {form}", f"{got} {said}")
    path, said = written(source_of([{"ph": "X", "name": "a", "ts": 1, "dur": 5, "pid": 3, "tid": 9}]), "ftrace")
    got = query(path, SLICES, "ftrace")
    ok(got == [(1000, 5000, "a", None, None, 3)] and not said, "text has the process of a thread without a name", got)


def later():
    """A thread that gets a new process, and an id that is used again, are no threads of several processes."""
    f = File().named(10, 11, "one", 0).event(BEGIN, 1000, 10, 11, "c", "a").event(END, 1100, 10, 11, "c", "a")
    f.named(20, 11, "two", 1500).event(BEGIN, 2000, 20, 11, "c", "b").event(END, 2100, 20, 11, "c", "b")
    with open(path_of("later.fxt"), "wb") as out:
        out.write(f.data)
    path, said = written(path_of("later.fxt"), "ftrace")
    with open(path, encoding="utf-8") as text:
        lines = [line.split()[0] for line in text if "tracing_mark_write: B" in line]
    ok(lines == ["one-11", "two-11"] and not said, "a name of another process from a time on: the id stays", f"{lines} {said}")
    f = File().cpu(0).switch(900, 0, 0, 120, 1, 11, 120)
    f.event(BEGIN, 1000, 10, 11, "c", "a").event(END, 1100, 10, 11, "c", "a")
    f.event(BEGIN, 2000, 20, 11, "c", "b").event(END, 2100, 20, 11, "c", "b").switch(2200, 0, 11, 120, 3, 0, 120)
    with open(path_of("later.fxt"), "wb") as out:
        out.write(f.data)
    path, said = written(path_of("later.fxt"), "ftrace")
    with open(path, encoding="utf-8") as text:
        lines = [line.split()[0] for line in text if "tracing_mark_write: B" in line]
    ok(lines == ["<...>-11"] * 2 and not said, "a thread that the kernel schedules has its id alone", f"{lines} {said}")


def main():
    operations()
    threads()
    later()
    tap.done()


if __name__ == "__main__":
    main()
