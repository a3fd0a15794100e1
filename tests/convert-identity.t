#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Events that have a number in common, and are of different things: told apart in every format, or counted."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
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
        got = query(written(source, form)[0], "SELECT ts, dur FROM slice WHERE dur IS NOT 0", form)
        ok(got == [(60000, 25000)], f"a global id, {form}: another process may end the operation", got)


def main():
    operations()
    tap.done()


if __name__ == "__main__":
    main()
