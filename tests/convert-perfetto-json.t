#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""JSON to Perfetto's packets: as Perfetto's own importer of JSON has it; and what comes back."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from pftext import convert, folder, FXTREC


def path(name):
    return os.path.join(folder.name, name)


def packets(what, events):
    """The packets of a JSON of these events, as text; and whether the events come back from them."""
    text = convert(json.dumps(events), "a.json", "a.pftrace")
    tap.run([FXTREC, "convert", path("a.json"), "-o", path("a.fxt")], check=True)
    written = []
    for source in ("a.fxt", "a.pftrace"):
        tap.run([FXTREC, "convert", path(source), "-o", path("b.json")], check=True)
        with open(path("b.json"), encoding="utf-8") as f:
            written.append(sorted((e for e in json.load(f)["traceEvents"]), key=lambda e: json.dumps(e, sort_keys=True)))
    tap.ok(written[0] == written[1] and written[0], f"{what}: come back", f"{written[0]}\n{written[1]}")
    return text


def track_events(text):
    """Each as {field: value}, with the legacy event's, without what is deeper."""
    return [dict(re.findall(r"^    (?:  )?(\w+): (\S+)", part, re.M))
            for part in re.findall(r"^  track_event \{\n(.*?)^  \}", text, re.M | re.S)]


def tracks(text):
    """The descriptors of tracks by their numbers: {field: value}, and which messages are in them."""
    found = {}
    for part in re.findall(r"^  track_descriptor \{\n(.*?)^  \}", text, re.M | re.S):
        fields = dict(re.findall(r"^    (\w+): (.*)$", part, re.M))
        fields["has"] = re.findall(r"^    (\w+) \{", part, re.M)
        found[fields["uuid"]] = fields
    return found


def event(phase, ts, name, **more):
    return {"ph": phase, "pid": 5, "tid": 6, "ts": ts, "name": name, **more}


made = packets("instants of all scopes", [
    event("i", 1, "all", s="g"), event("i", 2, "process", s="p"), event("i", 3, "thread", s="t"),
    event("I", 4, "older", s="g"), event("R", 5, "mark")])
scopes = [(e.get("phase"), e.get("instant_event_scope"), e.get("type")) for e in track_events(made)]
tap.ok(scopes == [("105", "1", None), ("105", "2", None), (None, None, "3"), ("105", "1", None), (None, None, "3")],
       "the trace's and the process's instants are of the older form, with a scope", scopes)

made = packets("events that are no slices", [
    event("N", 1, "object", id="0x1"), event("O", 2, "object", id="0x1", args={"snapshot": {"a": [1]}}),
    event("P", 3, "sample"), event("V", 4, "dump"), event("(", 5, "context")])
phases = [(chr(int(e.get("phase", 32))), e.get("type")) for e in track_events(made)]
tap.ok(phases == [(letter, None) for letter in "NOPV("], "they have their phases and no types", phases)

made = packets("counters", [
    event("C", 1, "ctr", args={"cats": 1}), event("C", 2, "ctr", id="a b", args={"cats": 1}),
    event("C", 3, "ctr", id="0x5", args={"my cats": 2}), event("C", 4, "ctr", id=7, args={"cats": 3}),
    event("C", 5, "ctr", tts=9, args={"cats": 3})])
names = [t["name"].strip('"') for t in tracks(made).values() if "counter" in t["has"]]
tap.ok(names == ["ctr cats", "ctr id: a b cats", "ctr id: 0x5 my cats", "ctr cats"],
       "they have the names that Perfetto gives JSON's", names)

made = packets("slices that cross", [
    event("X", 10, "outer", dur=10), event("X", 12, "inside", dur=3), event("X", 15, "crosses", dur=10),
    event("X", 17, "crosses both", dur=10), event("X", 18, "within that", dur=2), event("X", 22, "behind outer", dur=9),
    event("B", 40, "begun"), event("X", 42, "in it", dur=10), event("X", 45, "crosses that", dur=10),
    event("E", 60, "begun"), event("X", 70, "alone", dur=1)])
where = tracks(made)
lanes = [uuid for uuid in where if where[uuid].get("name") == '"overlapping slices"']
at = {}
for one in track_events(made):
    if one.get("type") == "1" or one.get("phase") == "88":
        at.setdefault(one["track_uuid"], 0)
        at[one["track_uuid"]] += 1
thread = next(uuid for uuid in where if "thread" in where[uuid]["has"])
tap.ok(len(lanes) == 2 and all(where[uuid]["parent_uuid"] == thread for uuid in lanes) and
       [at.get(uuid) for uuid in [thread] + lanes] == [7, 2, 1],
       "a slice that begins in one and ends behind it is on a further track of the thread", f"{at} {where}")

made = packets("slices that begin together", [
    event("X", 1, "short", dur=1), event("X", 1, "none", dur=0), event("X", 1, "long", dur=9), event("X", 1, "longer", dur=20),
    event("X", 1, "long, too", dur=9), event("X", 2, "later", dur=3)])
names = {iid: name for iid, name in re.findall(r'event_names \{\s+iid: (\d+)\s+str: "(.*)"', made)}
order = [names[e["name_iid"]] for e in track_events(made) if "name_iid" in e]
tap.ok(order == ["longer", "long", "long, too", "short", "none", "later"] and "overlapping" not in made,
       "the longer ones are first, the others within them", order)

made = packets("operations with and without an id", [
    event("b", 1, "op", cat="c"), event("n", 2, "op", cat="c"), event("e", 3, "op", cat="c"),
    event("b", 4, "op", cat="c", id="0x1"), event("e", 5, "op", cat="c", id2={"local": "0x2"})])
operations = [(chr(int(e.get("phase", 32))), e.get("unscoped_id"), e.get("local_id")) for e in track_events(made)]
tap.ok(operations == [("b", None, None), ("n", None, None), ("e", None, None), ("b", "1", None), ("e", None, "2")],
       "Perfetto is given none, and drops them; others are of the trace or of the process", operations)

made = packets("a slice without an end", [event("X", 1, "open"), event("X", 2, "whole", dur=1)])
tap.ok([e.get("duration_us") for e in track_events(made)] == ["-1", "1"],
       "its duration is negative: Perfetto drops it", made[-800:])

made = packets("slices beside ones that have no end", [
    event("X", 10, "around", dur=10), event("B", 12, "open"), event("X", 13, "in it", dur=2), event("X", 30, "finer", dur=1.5)])
forms = [(e.get("type"), e.get("phase"), e.get("duration_us")) for e in track_events(made)]
tap.ok(forms == [(None, "88", "10"), ("1", None, None), (None, "88", "2"), ("1", None, None), ("2", None, None)],
       "they have lengths, and no ends that would end another, but where microseconds are too coarse", forms)

made = packets("arguments within arguments", [
    event("i", 1, "a", s="t", args={"o": {"k": [1, {"x": "y"}]}, "l": [1, 2], "plain": "{", "o:json": "no"})])
tap.ok(r'legacy_json_value: "{\"k\":[1,{\"x\":\"y\"}]}"' in made and 'legacy_json_value: "[1,2]"' in made and
       made.count("legacy_json_value") == 3 and made.count('name: "o"') == 1, "they are JSON in packets, too", made[-1500:])
packets("names from the start on", [
    {"ph": "M", "pid": 5, "tid": 5, "name": "process_name", "args": {"name": "a program"}},
    {"ph": "M", "pid": 5, "tid": 6, "name": "thread_name", "args": {"name": "a thread"}}, event("i", 1, "x")])

text = "".join(f" a-1 [000] d..2. {at}.000001: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> "
               "next_comm=b next_pid=2 next_prio=120\n" + (at == 1) * "CPU:0 [LOST 7 EVENTS]\n" for at in (1, 2))
convert(text, "a.txt", "a.pftrace")
tap.run([FXTREC, "convert", path("a.pftrace"), "-o", path("a.fxt")], check=True)
said = tap.run([FXTREC, "report", path("a.pftrace")]).stdout
tap.ok("lost: 7 events in 1 loss" in said and said.count("lost:") == 1, "a loss that comes back is one of scheduling", said)
said = tap.run([FXTREC, "info", path("a.fxt")]).stdout
tap.ok(re.search(r"^ +0 +2 +0 +7$", said, re.M), "and of its CPU", said)
tap.done()
