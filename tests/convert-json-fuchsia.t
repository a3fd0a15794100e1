#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""JSON with the system's events of Fuchsia: read as scheduling records and names, written, and of any length."""
import json
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from simulated import Machine

SEED = 7
SYSTEM = [
    {"ph": "p", "pid": 30, "name": "server", "sort_index": 2},
    {"ph": "t", "pid": 30, "tid": 31, "name": "worker"},
    {"ph": "k", "ts": 1.5, "cpu": 1, "out": {"pid": 0, "tid": 6444931392, "prio": 0, "state": 1},
     "in": {"pid": 30, "tid": 31, "prio": 20}},
    {"ph": "k", "ts": 2.25, "cpu": 1, "out": {"pid": 30, "tid": 31, "state": 3}, "in": {"pid": 0, "tid": 8}},
    {"ph": "k", "ts": 3, "cpu": 1, "out": {"tid": 8, "state": 5}, "in": {"tid": 31}},
    {"ph": "w", "ts": 3.5, "cpu": 2, "tid": 31, "prio": 20},
    {"ph": "k", "ts": 4, "cpu": 1, "out": {"tid": 31, "state": 0}, "in": {"tid": 32}},
    {"ph": "k", "ts": 5, "cpu": 1, "out": {"tid": 32, "state": 1}, "in": {"tid": 33}},
    {"ph": "k", "ts": 6, "cpu": 1, "out": {"tid": 33, "state": 2}, "in": {"tid": 34}},
]
EXPECTED = [
    "ticks=1500 cpu=1 outgoing=0 state=running incoming=31 {outgoing_weight=-2147483648 incoming_weight=20}",
    "ticks=2250 cpu=1 outgoing=31 state=blocked incoming=8 {outgoing_weight=120 incoming_weight=120}",
    "ticks=3000 cpu=1 outgoing=8 state=dead incoming=31 {outgoing_weight=120 incoming_weight=120}",
    "ticks=4000 cpu=1 outgoing=31 state=running incoming=32 {outgoing_weight=120 incoming_weight=120}",
    "ticks=5000 cpu=1 outgoing=32 state=running incoming=33 {outgoing_weight=120 incoming_weight=120 state=\"R+\"}",
    "ticks=6000 cpu=1 outgoing=33 state=suspended incoming=34 {outgoing_weight=120 incoming_weight=120}",
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        def convert(source, target, *options):
            return tap.run([tap.FXTREC, "convert", path(source), "-o", path(target), *options])

        def records(name, kind):
            lines = tap.run([tap.FXTREC, "dump", path(name)]).stdout.splitlines()
            return [re.sub(r"^0x.*?: (provider=\d+ )?|\w+_name=\"[^\"]*\" ?", "", line).replace(" }", "}").replace("{since=0}", "").replace(" since=0}", "}").strip()
                    for line in lines if f" {kind}: " in line]

        def write(name, value):
            with open(path(name), "w") as f:
                f.write(value if isinstance(value, str) else json.dumps(value))

        write("a.json", {"traceEvents": [], "systemTraceEvents": {"type": "fuchsia", "events": SYSTEM}})
        done = convert("a.json", "a.fxt", "--strict")
        tap.ok(done.returncode == 0 and not done.stderr and records("a.fxt", "context-switch") == EXPECTED,
               "context switches, with what Zircon's states become", "\n".join(records("a.fxt", "context-switch")) + done.stderr)
        tap.ok(records("a.fxt", "wakeup") == ["ticks=3500 cpu=2 thread=31 {weight=20}"], "a wakeup", records("a.fxt", "wakeup"))
        named = "\n".join(records("a.fxt", "kernel-object"))
        tap.ok('koid=30 type=1 name="server"' in named and 'koid=31 type=2 name="worker"' in named and
               "process=30" in named, "names of processes and threads", named)
        write("late.json", {"systemTraceEvents": {"events": SYSTEM, "type": "fuchsia", "more": [1]}, "traceEvents": []})
        done = convert("late.json", "late.fxt")
        tap.ok(records("late.fxt", "context-switch") == EXPECTED and "1 members of systemTraceEvents" in done.stderr,
               "their kind behind them, and members that are unknown", done.stderr)
        write("other.json", {"traceEvents": [{"ph": "i", "ts": 1, "name": "x"}],
                             "systemTraceEvents": {"type": "other", "events": SYSTEM}})
        done = convert("other.json", "other.fxt")
        tap.ok(not records("other.fxt", "context-switch") and done.returncode == 0 and "2 members of systemTrace" in done.stderr,
               "of another kind they are passed over", done.stderr)
        wrong = [{"ph": "k", "ts": 1, "cpu": -1, "out": {"tid": 1, "state": 3}, "in": {"tid": 2}}, {"ph": "k", "ts": 1},
                 {"ph": "k", "ts": 1, "cpu": 1, "out": {"tid": 1, "state": 9}, "in": {"tid": 2}}, {"ph": "z"}, 5, [],
                 {"ph": "t", "tid": 1}]
        write("wrong.json", {"systemTraceEvents": {"type": "fuchsia", "events": wrong + SYSTEM}})
        done = convert("wrong.json", "wrong.fxt")
        tap.ok(records("wrong.fxt", "context-switch") == EXPECTED and "7 events of Fuchsia's system with malformed" in done.stderr
               and "first: " in done.stderr and "expected: " in done.stderr, "wrong ones are passed over", done.stderr)
        tap.ok(convert("wrong.json", "none.fxt", "--strict").returncode == 1, "or an error with --strict")

        done = convert("a.fxt", "b.json", "--system-events=fuchsia")
        with open(path("b.json")) as f:
            system = json.load(f)["systemTraceEvents"]
        switches = [e for e in system["events"] if e["ph"] == "k"]
        tap.ok(done.returncode == 0 and not done.stderr and system["type"] == "fuchsia" and len(switches) == 6 and
               [e["out"]["state"] for e in switches] == [1, 3, 5, 1, 1, 2] and switches[0]["out"]["pid"] == 0 ==
               switches[0]["out"]["prio"] and switches[0]["in"] == {"pid": 30, "tid": 31, "prio": 20} and
               {"ph": "t", "pid": 30, "tid": 31, "name": "worker"} in system["events"] and
               {"ph": "p", "pid": 30, "name": "server"} in system["events"], "written", system)
        convert("a.json", "direct.json")
        with open(path("direct.json")) as f:
            guessed = sorted(e["args"]["name"] for e in json.load(f)["traceEvents"] if e.get("fxt.kind") == "guess")
        tap.ok(guessed == ["thread 32", "thread 33", "thread 34", "thread 8"],
               "to JSON at once: threads without a name get one, and no others", guessed)
        big = [{**e, **{key: {**e[key], "tid": e[key]["tid"] + (1 << 32)} for key in ("in", "out") if key in e},
                **({"tid": e["tid"] + (1 << 32)} if "tid" in e else {})} for e in SYSTEM[:4]]
        write("big.json", {"traceEvents": [], "systemTraceEvents": {"type": "fuchsia", "events": big}})
        done = convert("big.json", "replaced.json")
        with open(path("replaced.json")) as f:
            replaced = json.load(f)
        guesses = {e["tid"]: (e["pid"], e["args"]["name"]) for e in replaced["traceEvents"] if e.get("fxt.kind") == "guess"}
        text = {int(tid) for tid in re.findall(r"_pid=(\d+)", replaced["systemTraceEvents"])} - {0}
        tap.ok(guesses.keys() == text and sorted(guesses.values()) == [(0, f"thread {8 + (1 << 32)}"), (30, "worker")] and
               "ids of more than 31 bits" in done.stderr, "ids that ftrace's text can't have: their numbers there have names",
               (guesses, text, done.stderr))
        convert("replaced.json", "back.fxt")
        tap.ok(not [l for l in records("back.fxt", "kernel-object") if f"thread {8 + (1 << 32)}" in l],
               "which are not read back", records("back.fxt", "kernel-object"))
        machine = Machine(random.Random(SEED), 3, 20, 3000).trace()
        with open(path("m.fxt"), "wb") as f:
            f.write(machine)
        done = convert("m.fxt", "m.json", "--system-events=fuchsia")
        back = convert("m.json", "back.fxt", "--strict")
        kinds = ("context-switch", "wakeup", "kernel-object", "instant", "duration-complete")
        tap.ok(done.returncode == back.returncode == 0 and not back.stderr and records("m.fxt", "context-switch") and
               all(sorted(records("m.fxt", kind)) == sorted(records("back.fxt", kind)) for kind in kinds),
               "a recording, there and back",
               [(kind, len(records("m.fxt", kind)), len(records("back.fxt", kind))) for kind in kinds] + [done.stderr, back.stderr])
        tap.fails(["convert", path("a.fxt"), "-o", path("x.json"), "--system-events=windows"], 2, "ftrace or fuchsia", "no such kind")
        tap.fails(["convert", path("a.fxt"), "-o", path("x.txt"), "--system-events=fuchsia"], 2, "only JSON", "only in JSON")

        count = tap.amount("EVENTS", 60000, 600000)
        with open(path("long.json"), "w") as f:
            f.write('{"systemTraceEvents":{"type":"fuchsia","events":[')
            for i in range(count):
                f.write('%s{"ph":"k","ts":%d,"cpu":1,"out":{"tid":%d,"state":3},"in":{"tid":%d}}' % ("," * (i > 0), i, i, i + 1))
            f.write(']},"traceEvents":[]}')
        # AddressSanitizer takes terabytes of addresses.
        limit = "" if tap.SANITIZED else "ulimit -v 300000;"
        done = tap.run(["/bin/sh", "-c", f'{limit} exec "$0" convert {path("long.json")} -o {path("long.fxt")}', tap.FXTREC])
        tap.ok(done.returncode == 0 and not done.stderr and len(records("long.fxt", "context-switch")) == count,
               f"{count} events in one array", done.stderr)
    tap.done()


main()
