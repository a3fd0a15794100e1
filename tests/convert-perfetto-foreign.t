#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Packets as other writers put them together, made by protoc: what FXT says of them."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from pftext import FXTREC, bundle, decode, folder, message, read, records


def check(what, text, *expected, stderr=""):
    lines, told = read(text)
    missing = [e for e in expected if e not in lines]
    tap.ok(not missing and stderr in told and (stderr or not told), what,
           "\n".join(["missing:"] + missing + ["there:"] + lines + [told]))


TRACKS = """
packet { track_descriptor { uuid: 1 process { pid: 50 process_name: "server" } } }
packet { track_descriptor { uuid: 2 parent_uuid: 1 thread { pid: 50 tid: 51 thread_name: "worker" } } }
packet { track_descriptor { uuid: 3 parent_uuid: 1 name: "requests" } }
packet { track_descriptor { uuid: 4 parent_uuid: 1 name: "heap" counter { unit_multiplier: 1024 } } }
packet { track_descriptor { uuid: 5 parent_uuid: 2 name: "time" counter { is_incremental: true } } }
"""

check("names of tracks", TRACKS,
      'kernel-object: koid=50 type=1 name="server"',
      'kernel-object: koid=51 type=2 name="worker" {process=50}')
check("slices without names at their ends", TRACKS + """
packet { timestamp: 100 track_event { type: 1 track_uuid: 2 name: "a" categories: "c" } }
packet { timestamp: 110 track_event { type: 1 track_uuid: 2 name: "b" categories: "c" } }
packet { timestamp: 120 track_event { type: 2 track_uuid: 2 } }
packet { timestamp: 130 track_event { type: 2 track_uuid: 2 } }
packet { timestamp: 140 track_event { type: 3 track_uuid: 2 name: "now" } }
""", 'duration-begin: ticks=100 process=50 thread=51 category="c" name="a"',
      'duration-complete: ticks=110 process=50 thread=51 category="c" name="b" end_ticks=120',
      'duration-end: ticks=130 process=50 thread=51 category="c" name="a"',
      'instant: ticks=140 process=50 thread=51 category="" name="now"')
check("slices in slices, 40 deep, without names at their ends", TRACKS + "".join(
    f'packet {{ timestamp: {100 + i} track_event {{ type: 1 track_uuid: 2 name: "{i}" categories: "c" }} }}\n' for i in range(40)) +
      "".join(f"packet {{ timestamp: {200 + i} track_event {{ type: 2 track_uuid: 2 }} }}\n" for i in range(40)),
      *[f'duration-end: ticks={200 + i} process=50 thread=51 category="c" name="{39 - i}"' for i in range(1, 40)])
SCOPED = TRACKS + """
packet { track_descriptor { uuid: 8 thread { pid: 60 tid: 61 } } }
packet { timestamp: 1 track_event { track_uuid: 2 name: "op" categories: "c" legacy_event { phase: 98 unscoped_id: 7 } } }
packet { timestamp: 2 track_event { track_uuid: 2 name: "op" categories: "c" legacy_event { phase: 98 unscoped_id: 7 id_scope: "A" } } }
packet { timestamp: 3 track_event { track_uuid: 2 name: "op" categories: "c" legacy_event { phase: 98 local_id: 7 } } }
packet { timestamp: 4 track_event { track_uuid: 8 name: "op" categories: "c" legacy_event { phase: 98 local_id: 7 } } }
packet { timestamp: 5 track_event { track_uuid: 8 name: "op" categories: "c" legacy_event { phase: 101 unscoped_id: 7 } } }
packet { timestamp: 7 track_event { track_uuid: 2 name: "op" categories: "c" legacy_event { phase: 101 unscoped_id: 7 id_scope: "A" } } }
packet { timestamp: 9 track_event { track_uuid: 2 name: "op" categories: "c" legacy_event { phase: 101 local_id: 7 } } }
packet { timestamp: 11 track_event { track_uuid: 8 name: "op" categories: "c" legacy_event { phase: 101 local_id: 7 } } }
"""
read(SCOPED)
done = tap.run([FXTREC, "query", "--csv", os.path.join(folder.name, "a.fxt"), "SELECT ts, dur FROM slice ORDER BY ts"])
tap.ok(done.stdout.split()[1:] == ["1,4", "2,5", "3,6", "4,7"],
       "operations of one number: of a scope, of a process, and of all", done.stdout + done.stderr)
OPERATIONS = TRACKS + """
packet { track_descriptor { uuid: 6 name: "of all" } }
packet { track_descriptor { uuid: 7 parent_uuid: 1 } }
packet { timestamp: 100 track_event { type: 1 track_uuid: 3 name: "get" categories: "c" } }
packet { timestamp: 105 track_event { type: 3 track_uuid: 3 name: "half" } }
packet { timestamp: 110 track_event { type: 2 track_uuid: 3 } }
packet { timestamp: 120 track_event { type: 3 track_uuid: 6 name: "now" } }
packet { timestamp: 130 track_event { type: 3 track_uuid: 7 name: "here" } }
packet { timestamp: 140 track_event { type: 3 track_uuid: 1 name: "of the process" } }
"""
check("operations on tracks of a process and of the trace", OPERATIONS,
      'async-begin: ticks=100 process=50 thread=0 category="c" name="get" id=3 {track.name="requests"}',
      'async-end: ticks=110 process=50 thread=0 category="c" name="get" id=3 {track.name="requests"}',
      'async-instant: ticks=105 process=50 thread=0 category="" name="half" id=3 {track.name="requests"}',
      'async-instant: ticks=120 process=0 thread=0 category="" name="now" id=6 {track.name="of all"}',
      'async-instant: ticks=130 process=50 thread=0 category="" name="here" id=7',
      'instant: ticks=140 process=50 thread=0 category="" name="of the process"')


check("operations of one track, begun and ended by different sequences", TRACKS + """
packet { trusted_packet_sequence_id: 2 timestamp: 200 track_event { type: 2 track_uuid: 3 } }
packet { trusted_packet_sequence_id: 2 timestamp: 400 track_event { type: 2 track_uuid: 3 } }
packet { trusted_packet_sequence_id: 1 timestamp: 100 track_event { type: 1 track_uuid: 3 name: "A" categories: "c" } }
packet { trusted_packet_sequence_id: 1 timestamp: 300 track_event { type: 1 track_uuid: 3 name: "C" } }
packet { trusted_packet_sequence_id: 1 timestamp: 310 track_event { type: 1 track_uuid: 3 name: "D" } }
packet { trusted_packet_sequence_id: 2 timestamp: 320 track_event { type: 2 track_uuid: 3 } }
""", *(f'async-{kind}: ticks={ns} process=50 thread=0 category="{category}" name="{name}" id=3 {{track.name="requests"}}'
       for kind, ns, category, name in (("begin", 100, "c", "A"), ("end", 200, "c", "A"), ("begin", 300, "", "C"),
                                        ("begin", 310, "", "D"), ("end", 320, "", "D"), ("end", 400, "", "C"))))
EARLY = "".join(f'packet {{ timestamp: {uuid * 100 + ns} track_event {{ type: {kind} track_uuid: {uuid} {name} }} }}\n'
                for uuid in (1, 2, 3, 9) for ns, kind, name in ((1, 1, 'name: "a" flow_ids: 6'), (2, 3, 'name: "b"'), (3, 2, "")))
check("tracks with descriptors behind their events", EARLY + TRACKS + """
packet { timestamp: 204 track_event { type: 1 track_uuid: 2 name: "c" } }
packet { timestamp: 205 track_event { type: 2 track_uuid: 2 flow_ids: 7 } }
""", 'flow-begin: ticks=205 process=50 thread=51 category="flow" name="flow" id=7',
      'async-begin: ticks=101 process=50 thread=0 category="" name="a" id=1',
      'instant: ticks=102 process=50 thread=0 category="" name="b"',
      'async-end: ticks=103 process=50 thread=0 category="" name="a" id=1',
      'duration-begin: ticks=201 process=50 thread=51 category="" name="a"',
      'flow-step: ticks=201 process=50 thread=51 category="flow" name="flow" id=6',
      'instant: ticks=202 process=50 thread=51 category="" name="b"',
      'duration-end: ticks=203 process=50 thread=51 category="" name="a"',
      'duration-begin: ticks=204 process=50 thread=51 category="" name="c"',
      'duration-end: ticks=205 process=50 thread=51 category="" name="c"',
      'async-begin: ticks=301 process=50 thread=0 category="" name="a" id=3 {track.name="requests"}',
      'async-instant: ticks=302 process=50 thread=0 category="" name="b" id=3 {track.name="requests"}',
      'async-end: ticks=303 process=50 thread=0 category="" name="a" id=3 {track.name="requests"}',
      'async-begin: ticks=901 process=0 thread=0 category="" name="a" id=9',
      'async-instant: ticks=902 process=0 thread=0 category="" name="b" id=9',
      'async-end: ticks=903 process=0 thread=0 category="" name="a" id=9',
      'flow-begin: ticks=101 process=50 thread=0 category="flow" name="flow" id=6 {track.id=1}',
      'flow-step: ticks=301 process=50 thread=0 category="flow" name="flow" id=6 {track.id=3}',
      'flow-step: ticks=901 process=0 thread=0 category="flow" name="flow" id=6 {track.id=9}',
      stderr="3 flows of operations")
check("a track that is named anew while a slice is open", TRACKS + """
packet { timestamp: 100 track_event { type: 1 track_uuid: 3 name: "get" } }
packet { track_descriptor { uuid: 3 parent_uuid: 1 name: "%s" } }
packet { track_descriptor { uuid: 3 parent_uuid: 1 } }
packet { timestamp: 110 track_event { type: 2 track_uuid: 3 } }
packet { track_descriptor { uuid: 8 name: "a" description: "named pipe of a" } }
packet { timestamp: 120 track_event { type: 3 track_uuid: 8 name: "now" } }
""" % ("b" * 200), 'async-begin: ticks=100 process=50 thread=0 category="" name="get" id=3 {track.name="requests"}',
      'async-end: ticks=110 process=50 thread=0 category="" name="get" id=3 {track.name="requests"}',
      'async-instant: ticks=120 process=0 thread=0 category="" name="now" id=8 {track.name="a"}')


def tracks_again():
    before, _ = read(OPERATIONS)
    first, packets, again = (os.path.join(folder.name, name) for name in ("a.fxt", "again.pftrace", "again.fxt"))
    for source, out in ((first, packets), (packets, again)):
        tap.run([FXTREC, "convert", source, "-o", out], check=True)
    text = decode(packets)
    said = re.findall(r"track_descriptor \{\s+uuid: (\d+)\s+name: \"([^\"]*)\"(\s+parent_uuid: \d+)?", text)
    tap.ok(sorted((name, bool(parent)) for _, name, parent in said) ==
           [("here", True), ("of all", False), ("requests", True)], "packets have the same tracks", said)
    uuids = {name: uuid for uuid, name, _ in said}
    tap.ok(len(re.findall(f"track_uuid: {uuids['requests']}\\s", text)) == 3 and "debug_annotations" not in text,
           "their events are on these, without an argument", text)
    lines = [[x for x in all_lines if "async" in x] for all_lines in (before, records(again))]
    tap.ok(lines[0] == lines[1] and len(lines[0]) == 5, "which come back", lines)


tracks_again()
LOSS = """
packet { ftrace_events { cpu: 0 event { timestamp: 1000 pid: 0 sched_switch { prev_comm: "swapper" prev_pid: 0
         prev_prio: 120 prev_state: 0 next_comm: "a" next_pid: 7 next_prio: 120 } } } }
packet { ftrace_events { cpu: 0 compact_sched { intern_table: "a" switch_timestamp: 2000 switch_prev_state: 1
         switch_next_pid: 0 switch_next_prio: 120 switch_next_comm_index: 0 } } }
packet { ftrace_events { cpu: 0 lost_events: true compact_sched { intern_table: "b" switch_timestamp: 5000
         switch_timestamp: 1000 switch_prev_state: 1 switch_prev_state: 1 switch_next_pid: 8 switch_next_pid: 0
         switch_next_prio: 120 switch_next_prio: 120 switch_next_comm_index: 0 switch_next_comm_index: 0 } } }
"""
check("events that were lost before a bundle are a loss of that CPU, and what ran then isn't known", LOSS,
      'duration-complete: ticks=2000 process=0 thread=1073741824 category="fxtrec" name="lost" '
      'end_ticks=5000 {cause="ring full"}',
      "context-switch: ticks=6000 cpu=0 outgoing=8 state=blocked incoming=0 {outgoing_weight=120 "
      "incoming_weight=-2147483648}", stderr="1 first compact switches")
check("the same where the bundle has no events, up to the next one and to the trace's end", LOSS.replace(
    "lost_events: true", "lost_events: true } } packet { ftrace_events { cpu: 0") + """
packet { ftrace_events { cpu: 0 lost_events: true } }
packet { ftrace_events { cpu: 1 event { timestamp: 9000 pid: 0 sched_switch { prev_comm: "swapper" prev_pid: 0
         prev_prio: 120 prev_state: 0 next_comm: "a" next_pid: 7 next_prio: 120 } } } }
""",
      'duration-complete: ticks=2000 process=0 thread=1073741824 category="fxtrec" name="lost" '
      'end_ticks=5000 {cause="ring full"}',
      'duration-complete: ticks=6000 process=0 thread=1073741824 category="fxtrec" name="lost" '
      'end_ticks=9000 {cause="ring full"}', stderr="1 first compact switches")


def losses():
    path, again = os.path.join(folder.name, "a.fxt"), os.path.join(folder.name, "lost.fxt")
    read(LOSS)
    lost = [re.findall(r"^lost .*|^  cpu 0, scheduling, .*", tap.run([FXTREC, "info", path]).stdout, re.M)]
    tap.run([FXTREC, "convert", path, "-o", path + ".pftrace"], check=True)
    tap.run([FXTREC, "convert", path + ".pftrace", "-o", again], check=True)
    lost.append(re.findall(r"^lost .*|^  cpu 0, scheduling, .*", tap.run([FXTREC, "info", again]).stdout, re.M))
    tap.ok(lost[0] == lost[1] and len(lost[0]) == 2, "info says so, also of packets that were made of it", lost)
    text = os.path.join(folder.name, "lost.txt")
    with open(text, "w", encoding="ascii") as f:
        f.write("".join(f"          a-7     [000] d..2.     0.{ns:09}: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 "
                        f"prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n{then}"
                        for ns, then in ((1000, ""), (2000, "CPU:0 [LOST EVENTS]\n"), (5000, ""))))
    tap.run([FXTREC, "convert", text, "-o", again], check=True)
    parts = [[re.sub(r"^0x\w+ +", "", line) for line in tap.run([FXTREC, "dump", name]).stdout.splitlines()
              if "lost" in line and "string:" not in line or "provider-event" in line] for name in (path, again)]
    tap.ok(parts[0] == parts[1] and len(parts[0]) == 3, "it has the records of a loss in text, in their order", parts)


losses()
check("counters, multiplied and by differences", TRACKS + """
packet { timestamp: 1 track_event { type: 4 track_uuid: 4 counter_value: 2 } }
packet { timestamp: 2 track_event { type: 4 track_uuid: 5 counter_value: 10 } }
packet { timestamp: 3 track_event { type: 4 track_uuid: 5 counter_value: 5 } }
packet { timestamp: 4 track_event { type: 3 track_uuid: 2 name: "x" extra_counter_values: 7
         extra_counter_track_uuids: 4 } }
""", 'counter: ticks=1 process=50 thread=0 category="" name="heap" id=0 {value=2048}',
      'counter: ticks=2 process=50 thread=51 category="" name="time" id=0 {value=10}',
      'counter: ticks=3 process=50 thread=51 category="" name="time" id=0 {value=15}',
      'counter: ticks=4 process=50 thread=0 category="" name="heap" id=0 {value=7168}')
statistics = (  # of a process; of memory, a CPU, forks, an interrupt, a device, pressure, CPUs' frequencies
    message((9, message((1, message((1, 50), (3, 2000), (10, -900)))))),
    message((7, message((1, message((1, 2), (2, 77))), (3, message((1, 3), (2, 10), (5, 20))), (4, 9),
                        (6, message((1, 14), (2, 6))), (10, message((1, "gpu"), (2, 5))),
                        (14, message((1, 3), (2, 8))), (11, 1800), (11, 1900), (2, message((1, 38), (2, 41))),
                        (16, message((1, 2), (2, message((1, "C1"), (2, 70))), (2, message((1, "C6"), (2, 80)))))))))
check("statistics of processes and of the system", b"".join(
    message((1, message((8, 1000 + i)) + part)) for i, part in enumerate(statistics)),
    'counter: ticks=1000 process=50 thread=0 category="" name="mem.rss" id=0 {value=2048000}',
    'counter: ticks=1000 process=50 thread=0 category="" name="oom_score_adj" id=0 {value=-900}',
    'counter: ticks=1001 process=0 thread=0 category="" name="MemFree" id=0 {value=78848}',
    'counter: ticks=1001 process=0 thread=0 category="" name="cpu.times.user_ns" id=3 {value=10}',
    'counter: ticks=1001 process=0 thread=0 category="" name="cpu.times.idle_ns" id=3 {value=20}',
    'counter: ticks=1001 process=0 thread=0 category="" name="num_forks" id=0 {value=9}',
    'counter: ticks=1001 process=0 thread=0 category="" name="num_irq (id: 14)" id=0 {value=6}',
    'counter: ticks=1001 process=0 thread=0 category="" name="gpu Frequency" id=0 {value=5}',
    'counter: ticks=1001 process=0 thread=0 category="" name="psi.io.some" id=0 {value=8}',
    'counter: ticks=1001 process=0 thread=0 category="power" name="cpu_frequency" id=1 {state=1900}',
    'counter: ticks=1001 process=0 thread=0 category="" name="pgpgin" id=0 {value=41}',
    'counter: ticks=1001 process=0 thread=0 category="" name="cpuidle2.C1" id=0 {value=70}',
    'counter: ticks=1001 process=0 thread=0 category="" name="cpuidle2.C6" id=0 {value=80}',
    stderr="2 statistics of a CPU, which is in the names of their counters alone")
check("the name of a device that is cut is cut between characters",
      message((1, message((8, 1000), (7, message((10, message((1, "x" + "\u00e9" * 200), (2, 5)))))))),
      'counter: ticks=1000 process=0 thread=0 category="" name="x' + "\u00e9" * 111 + ' Frequency" id=0 {value=5}')
check("messages of Android's log and of the journal", message(
    (1, message((8, 500), (6, message((1, message((1, 1), (2, 1500))), (1, message((1, 6), (2, 500))))))),
    (1, message((8, 600), (39, message((1, message((2, 5), (3, 6), (5, 1700), (6, "tag"), (8, "hello"))),
                                       (1, message((2, 5), (5, 1800), (6, "event"), (9, b""))))))),
    (1, message((8, 900), (132, message((1, 7), (6, "sshd"), (7, b"\xff" + b"x" * 5000))))), (1, message((8, 950), (132, message((20, 3)))))),
      'log: ticks=700 process=5 thread=6 message="tag: hello"', 'log: ticks=800 process=5 thread=5 message="event"',
      'log: ticks=900 process=7 thread=7 message="sshd: ?' + "x" * 4088 + '"',
      stderr="1 log messages longer than 4 KiB, cut")
check("statistics that are no counters are counted by their names", message((1, message((8, 1000), (7, message((13, b""), (13, b"")))))),
      stderr="passed over: 2 statistics of the system: disk_stat")
check("counters by differences are of their sequence, and begin anew where its state is cleared", TRACKS + """
packet { track_descriptor { uuid: 6 parent_uuid: 2 name: "load" counter { is_incremental: true } } }
packet { timestamp: 1 track_event { type: 4 track_uuid: 5 counter_value: 10 } }
packet { timestamp: 2 track_event { type: 4 track_uuid: 6 double_counter_value: 0.5 } }
packet { timestamp: 3 track_event { type: 4 track_uuid: 6 double_counter_value: 0.25 } }
packet { sequence_flags: 1 timestamp: 4 track_event { type: 4 track_uuid: 5 counter_value: 12 } }
packet { timestamp: 5 track_event { type: 4 track_uuid: 6 double_counter_value: 1.5 } }
packet { trusted_packet_sequence_id: 9 timestamp: 6 track_event { type: 4 track_uuid: 5 counter_value: 3 } }
packet { timestamp: 7 track_event { type: 4 track_uuid: 5 counter_value: 2 } }
""", 'counter: ticks=3 process=50 thread=51 category="" name="load" id=0 {value=0.75}',
      'counter: ticks=4 process=50 thread=51 category="" name="time" id=0 {value=12}',
      'counter: ticks=5 process=50 thread=51 category="" name="load" id=0 {value=1.5}',
      'counter: ticks=6 process=50 thread=51 category="" name="time" id=0 {value=3}',
      'counter: ticks=7 process=50 thread=51 category="" name="time" id=0 {value=14}')
check("interned texts, defaults, and their end", TRACKS + """
packet { trusted_packet_sequence_id: 7 sequence_flags: 1
         trace_packet_defaults { track_event_defaults { track_uuid: 2 } timestamp_clock_id: 64 } }
packet { trusted_packet_sequence_id: 7 clock_snapshot {
         clocks { clock_id: 64 timestamp: 10 is_incremental: true unit_multiplier_ns: 1000 }
         clocks { clock_id: 3 timestamp: 5000000 } } }
packet { trusted_packet_sequence_id: 7 sequence_flags: 2 timestamp: 5
         interned_data { event_names { iid: 1 str: "one" } event_categories { iid: 1 str: "cat" }
                         debug_annotation_names { iid: 1 str: "arg" }
                         debug_annotation_string_values { iid: 9 str: "value" } }
         track_event { type: 3 name_iid: 1 category_iids: 1
                       debug_annotations { name_iid: 1 string_value_iid: 9 } } }
packet { trusted_packet_sequence_id: 7 sequence_flags: 2 timestamp: 5
         track_event { type: 3 name_iid: 1 } }
packet { trusted_packet_sequence_id: 7 previous_packet_dropped: 1 }
packet { trusted_packet_sequence_id: 7 sequence_flags: 2 timestamp: 5
         track_event { type: 3 name_iid: 1 } }
""", 'instant: ticks=5005000 process=50 thread=51 category="cat" name="one" {arg="value"}',
      'instant: ticks=5010000 process=50 thread=51 category="" name="one"',
      stderr="1 packets behind a loss")
check("flows of events", TRACKS + """
packet { timestamp: 1 track_event { type: 3 track_uuid: 2 name: "x" flow_ids: 8 } }
packet { timestamp: 2 track_event { type: 3 track_uuid: 2 name: "y" flow_ids: 8 } }
packet { timestamp: 3 track_event { type: 3 track_uuid: 2 name: "z" terminating_flow_ids: 8 } }
""", 'flow-begin: ticks=1 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-step: ticks=2 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-end: ticks=3 process=50 thread=51 category="flow" name="flow" id=8')
check("an event that begins a flow and goes on with another", TRACKS + """
packet { timestamp: 1 track_event { type: 3 track_uuid: 2 name: "x" flow_ids: 8 } }
packet { timestamp: 2 track_event { type: 3 track_uuid: 2 name: "y" flow_ids: 9 flow_ids: 8 } }
""", 'flow-begin: ticks=1 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-begin: ticks=2 process=50 thread=51 category="flow" name="flow" id=9',
      'flow-step: ticks=2 process=50 thread=51 category="flow" name="flow" id=8')
check("a flow of two sequences, of which the later events come first in the file", TRACKS + """
packet { timestamp: 30 track_event { type: 3 track_uuid: 2 name: "z" flow_ids: 8 } }
packet { timestamp: 40 track_event { type: 3 track_uuid: 2 name: "z" terminating_flow_ids: 8 } }
packet { timestamp: 50 track_event { type: 3 track_uuid: 2 name: "z" flow_ids: 8 } }
packet { timestamp: 20 track_event { type: 3 track_uuid: 2 name: "y" flow_ids: 8 } }
""", 'flow-begin: ticks=20 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-step: ticks=30 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-end: ticks=40 process=50 thread=51 category="flow" name="flow" id=8',
      'flow-begin: ticks=50 process=50 thread=51 category="flow" name="flow" id=8')


def many_flows():
    lines, told = read(TRACKS + "".join(
        f'packet {{ timestamp: {20000 * again + n} track_event {{ type: 3 track_uuid: 2 name: "x" flow_ids: '
        f'{n * 0x9e3779b97f4a7c15 % 2 ** 64} }} }}\n' for again in (1, 0) for n in range(1, 9001)))
    kinds = [sum(line.startswith(kind) for line in lines) for kind in ("flow-begin", "flow-step", "flow-end")]
    late = [line for line in lines if re.match(r"flow-begin: ticks=\d{5}\b", line)]
    tap.ok(kinds == [9000, 9000, 0] and not late and not told, "as many flows as there are", (kinds, late[:3], told))


many_flows()
check("flows of the older form, by bind_id", """
packet { trusted_packet_sequence_id: 1 sequence_flags: 1
         thread_descriptor { pid: 5 tid: 6 reference_timestamp_us: 1000 } }
packet { trusted_packet_sequence_id: 1 track_event { timestamp_delta_us: 5 name: "from"
         legacy_event { phase: 88 duration_us: 7 bind_id: 77 flow_direction: 2 } } }
packet { trusted_packet_sequence_id: 1 track_event { timestamp_delta_us: 5 name: "over"
         legacy_event { phase: 88 duration_us: 7 bind_id: 77 flow_direction: 3 } } }
packet { trusted_packet_sequence_id: 1 track_event { timestamp_delta_us: 5 name: "to"
         legacy_event { phase: 88 duration_us: 7 bind_id: 77 flow_direction: 1 } } }
""", 'duration-complete: ticks=1005000 process=5 thread=6 category="" name="from" end_ticks=1012000',
      'flow-begin: ticks=1005000 process=5 thread=6 category="flow" name="flow" id=77',
      'flow-step: ticks=1010000 process=5 thread=6 category="flow" name="flow" id=77',
      'flow-end: ticks=1015000 process=5 thread=6 category="flow" name="flow" id=77',
      stderr="fxt: 1 complete slices that overlap another one")
check("marks of Android in bundles are as in text", """
packet { process_tree { threads { tid: 11 tgid: 10 name: "worker" } } }
packet { ftrace_events { cpu: 2
  event { timestamp: 100 pid: 11 print { buf: "B|10|outer\\n" } }
  event { timestamp: 110 pid: 11 print { buf: "C|10|count|-5\\n" } }
  event { timestamp: 120 pid: 11 print { buf: "S|10|op|7\\n" } }
  event { timestamp: 130 pid: 11 print { buf: "F|10|op|7\\n" } }
  event { timestamp: 140 pid: 11 print { buf: "I|10|now\\n" } }
  event { timestamp: 150 pid: 11 print { buf: "N|10|track|then\\n" } }
  event { timestamp: 152 pid: 11 print { buf: "G|10|track|on it|4\\n" } }
  event { timestamp: 154 pid: 11 print { buf: "H|10|track|4\\n" } }
  event { timestamp: 160 pid: 11 print { buf: "E|10\\n" } }
  event { timestamp: 170 pid: 12 print { buf: "B|44|of 44" } }
  event { timestamp: 180 pid: 11 print { buf: "hello" } }
  event { timestamp: 190 pid: 11 print { buf: "C|10|level|-1.5\\n" } } } }
""", 'duration-begin: ticks=100 process=10 thread=11 category="" name="outer"',
      'counter: ticks=110 process=10 thread=11 category="" name="count" id=0 {value=-5}',
      'instant: ticks=140 process=10 thread=11 category="" name="now"',
      'async-instant: ticks=150 process=10 thread=11 category="" name="then" id=14189594188089131008 {track.name="track"}',
      'async-begin: ticks=152 process=10 thread=11 category="" name="on it" id=14189594188089131012 {track.name="track"}',
      'async-end: ticks=154 process=10 thread=11 category="" name="" id=14189594188089131012 {track.name="track"}',
      'duration-end: ticks=160 process=10 thread=11 category="" name=""',
      'duration-begin: ticks=170 process=44 thread=12 category="" name="of 44"',
      'kernel-object: koid=12 type=2 name="" {process=44 since=170}',
      'instant: ticks=180 process=10 thread=11 category="mark" name="hello"',
      'log: ticks=180 process=10 thread=11 message="hello"',
      'counter: ticks=190 process=10 thread=11 category="" name="level" id=0 {value=-1.5}')
check("events of any tracepoint, by name or by a descriptor in the bundle", bundle([
    (100, 7, 327, message((1, "my_event"), (2, message((1, "text"), (3, "x"))), (2, message((1, "number"), (4, -5))),
                          (2, message((1, "natural"), (5, 1 << 40))))),
    (110, 7, 65537, message((1, 3), (2, "name"), (3, -4 & (1 << 64) - 1), (9, 1))),
    (120, 7, 542, message((1, "do_sys_open"), (2, 1))), (130, 7, 542, message((1, "do_sys_open"), (2, 2))),
    (140, 7, 542, message((1, "here"), (2, 3))), (150, 7, 65538, b"")],
    (11, message((1, 65537), (3, "mine"), (2, message(
        (1, "described"), (2, message((1, "count"), (3, 1), (5, 13))), (2, message((1, "what"), (3, 2), (5, 9))),
        (2, message((1, "by"), (3, 3), (5, 3)))))))),
      'instant: ticks=100 process=7 thread=7 category="ftrace" name="my_event" {text="x" number=-5 natural=1099511627776}',
      'instant: ticks=110 process=7 thread=7 category="mine" name="described" {count=3 what="name" by=-4}',
      'duration-begin: ticks=120 process=7 thread=7 category="" name="do_sys_open"',
      'duration-end: ticks=130 process=7 thread=7 category="" name="do_sys_open"',
      'instant: ticks=140 process=7 thread=7 category="" name="here"',
      stderr="1 ftrace events that are field 65538 of FtraceEvent")
check("events with a phase and a track of 0 are of the thread that its sequence describes", """
packet { sequence_flags: 1 trusted_packet_sequence_id: 3
         track_descriptor { uuid: 1 thread { pid: 5 tid: 6 thread_name: "t" } }
         trace_packet_defaults { track_event_defaults { track_uuid: 9 } } }
packet { timestamp: 100 trusted_packet_sequence_id: 3
         track_event { track_uuid: 0 name: "begun" legacy_event { phase: 66 } } }
packet { timestamp: 110 trusted_packet_sequence_id: 3 track_event { track_uuid: 0 type: 3 name: "of the trace" } }
""", 'duration-begin: ticks=100 process=5 thread=6 category="" name="begun"',
      'instant: ticks=110 process=0 thread=0 category="" name="of the trace"')
check("marks that drivers make", bundle([
    (100, 7, 80, message((1, 5), (2, "begun"), (3, 1))), (110, 7, 80, message((1, 5), (3, 0))),
    (120, 7, 349, message((1, 5), (4, "level"), (5, ord("C")), (6, 9)))]),
      'duration-begin: ticks=100 process=5 thread=7 category="" name="begun"',
      'duration-end: ticks=110 process=5 thread=7 category="" name=""',
      'counter: ticks=120 process=5 thread=7 category="" name="level" id=0 {value=9}',
      stderr=" drivers' events that are read as marks of programs")
check("marks of the driver that has flags for types", bundle([
    (100, 7, 331, message((1, 1), (2, "begun"), (3, 5))), (110, 7, 331, message((1, 2), (2, ""), (3, 5))),
    (120, 7, 331, message((1, 4), (2, "level"), (3, 5), (4, 9))), (130, 7, 331, message((1, 8), (2, "else"), (3, 5)))]),
      'duration-begin: ticks=100 process=5 thread=7 category="" name="begun"',
      'duration-end: ticks=110 process=5 thread=7 category="" name=""',
      'counter: ticks=120 process=5 thread=7 category="" name="level" id=0 {value=9}',
      stderr="passed over: 1 drivers' marks of another type; first: ")
check("what has no equivalent is counted by its name",
      bundle([(100, 7, 419, b""), (110, 7, 419, b""), (120, 7, 420, b"")]),
      stderr="passed over: 2 ftrace events f2fs_iostat; first: ")
check("what Perfetto has forms of its own for", bundle([
    (100, 7, 50, message((1, 5149), (3, 9), (6, 3))), (110, 8, 51, message((1, 5149))),
    (120, 7, 12, message((1, 500000), (2, 2800000), (3, 6)))]),
      'instant: ticks=100 process=7 thread=7 category="ftrace" name="binder_transaction" '
      "{transaction=5149 dest_proc=9 code=3}",
      'instant: ticks=110 process=8 thread=8 category="ftrace" name="binder_transaction_received" {transaction=5149}',
      'instant: ticks=120 process=7 thread=7 category="ftrace" name="cpu_frequency_limits" {min=500000 max=2800000 '
      "cpu_id=6}")
TYPED = bundle([
    (100, 7, 313, message((1, 1), (2, -4096), (3, 1), (4, 77))),
    (110, 7, 16, message((1, "gpu"), (2, 900), (3, 2))), (120, 7, 240, message((1, "gone"), (2, 9), (3, 120))),
    (130, 7, 58, message((1, 5), (2, 9))), (140, 7, 58, message((1, 5), (2, 10))),
    (150, 7, 59, message((1, 5), (2, 9), (4, 3), (6, "events"))), (160, 7, 478, message((1, 5), (2, 1))),
    (170, 7, 367, message((9, 1))), (180, 7, 477, b""), (190, 7, 334, message((1, "three")))],
    beside=[(10, 4), (13, 1), (12, message((26, message((1, 9), (2, "flush")))))])
check("others that Perfetto has by number: numbers, texts and functions", TYPED,
      'instant: ticks=100 process=7 thread=7 category="ftrace" name="rss_stat" {member=1 size=-4096 curr=1 mm_id=77}',
      'instant: ticks=110 process=7 thread=7 category="ftrace" name="clock_set_rate" {name="gpu" state=900 cpu_id=2}',
      'instant: ticks=120 process=7 thread=7 category="ftrace" name="sched_process_free" {comm="gone" pid=9 prio=120}',
      'instant: ticks=130 process=7 thread=7 category="ftrace" name="workqueue_execute_start" '
      '{work=5 function="flush"}',
      'instant: ticks=140 process=7 thread=7 category="ftrace" name="workqueue_execute_start" {work=5 function=10}',
      'instant: ticks=150 process=7 thread=7 category="ftrace" name="workqueue_queue_work" '
      '{work=5 function="flush" req_cpu=3 workqueue="events"}',
      'instant: ticks=160 process=7 thread=7 category="ftrace" name="host_hcall" {id=5 invalid=1}',
      'instant: ticks=180 process=7 thread=7 category="ftrace" name="hyp_exit"',
      'instant: ticks=170 process=7 thread=7 category="ftrace" name="kfree_skb"',
      stderr="2 fields of the kernel's events that have no name here, or beyond 15")
tap.run([FXTREC, "convert", os.path.join(folder.name, "a.pftrace"), "-o", os.path.join(folder.name, "typed.pftrace")])
said = re.findall(r"^      (\d+)( \{(?:\n {8,}.*)*|: \"\")", decode(os.path.join(folder.name, "typed.pftrace")), re.M)
said = [(number, re.findall(r"(\d+): (\S+)", body)) for number, body in said if number != "327"]
tap.ok([number for number, _ in said] == ["313", "16", "240", "58", "58", "59", "478", "477"] and
       said[0][1] == [("1", "1"), ("2", str((1 << 64) - 4096)), ("3", "1"), ("4", "77")] and
       said[1][1] == [("1", '"gpu"'), ("2", "900"), ("3", "2")] and
       [number for number, _ in said[3][1]] == ["1", "2"] and
       said[4][1] == [("1", "5")] and
       [number for number, _ in said[5][1]] == ["1", "2", "4", "6"], "and has by number again", said)
first, _ = read(TYPED)
with open(os.path.join(folder.name, "typed.pftrace"), "rb") as f:
    again, _ = read(f.read())
tap.ok([x for x in first if "ftrace" in x] == [x for x in again if "ftrace" in x], "once", again)
TIMER, WAKING, HARDIRQ, SOFTIRQ = message((1, 77)), message((1, "c"), (2, 9), (3, 120), (5, 1)), 0x08, 0x10
check("wakeups by timers, between the begins and the ends of their callbacks", message((1, message((1, message((1, 2), *(
    (2, message((1, ns), (2, 7), (5, flags), (field, contents))) for ns, flags, field, contents in (
        (100, HARDIRQ, 553, TIMER), (110, HARDIRQ, 20, WAKING), (120, HARDIRQ, 554, TIMER), (130, HARDIRQ, 20, WAKING),
        (140, SOFTIRQ, 557, TIMER), (150, SOFTIRQ, 20, WAKING), (160, HARDIRQ, 20, WAKING), (170, SOFTIRQ, 558, TIMER),
        (180, SOFTIRQ, 20, WAKING)))))))),
      *(f'wakeup: ticks={ns} cpu=1 thread=9 {{waker=7 context="{context}"}}' for ns, context in (
          (110, "hardirq timer"), (130, "hardirq"), (150, "softirq timer"), (160, "hardirq"), (180, "softirq"))),
      stderr="timer_expire")
check("why a thread slept, with the function's name", """
packet { trusted_packet_sequence_id: 4 sequence_flags: 1 interned_data { kernel_symbols { iid: 9 str: "filemap_fault" } }
         ftrace_events { cpu: 1
           event { timestamp: 100 pid: 5 sched_blocked_reason { pid: 7 caller: 9 io_wait: 1 } }
           event { timestamp: 110 pid: 5 sched_blocked_reason { pid: 8 caller: 10 io_wait: 0 } } } }
""", 'instant: ticks=100 process=5 thread=5 category="ftrace" name="sched_blocked_reason" '
      '{pid=7 iowait=1 caller="filemap_fault"}',
      'instant: ticks=110 process=5 thread=5 category="ftrace" name="sched_blocked_reason" {pid=8 iowait=0}')
read("""
packet { process_tree { threads { tid: 11 tgid: 10 name: "worker" } processes { pid: 10 cmdline: "server" } } }
packet { ftrace_events { cpu: 1
  event { timestamp: 90 pid: 0 sched_switch { prev_pid: 0 prev_prio: 120 next_comm: "worker" next_pid: 11 next_prio: 120 } }
  event { timestamp: 100 pid: 11 task_newtask { pid: 20 comm: "worker" clone_flags: 0 } }
  event { timestamp: 110 pid: 11 task_newtask { pid: 21 comm: "worker" clone_flags: 65536 } } } }
""")
tap.run([FXTREC, "convert", os.path.join(folder.name, "a.pftrace"), "-o", os.path.join(folder.name, "new.pftrace")], check=True)
said = re.findall(r"pid: (\d+)\s+task_newtask \{\s+pid: (\d+)\s+comm: \"worker\"\s+clone_flags: (\d+)",
                  decode(os.path.join(folder.name, "new.pftrace")))
tap.ok(said == [("11", "20", "0"), ("11", "21", "65536")], "a new process and a new thread are that in packets again", said)
for tree, process in ("", 11), ("packet { process_tree { threads { tid: 11 tgid: 10 } } }", 10):
    check(f"a new thread of a thread of process {process}, which is said later, if at all", """
packet { ftrace_events { cpu: 1
  event { timestamp: 110 pid: 11 task_newtask { pid: 21 comm: "worker" clone_flags: 65536 } } } }
""" + tree, f'kernel-object: koid=21 type=2 name="worker" {{process={process} since=110 creator=11}}')
# As the CPUs' bundles say them: a name goes on until another one is known, which may be behind it in the file.
for order in ([10, 20, 9, 30, 40, 31], [9, 40, 30, 20, 10], [9, 10, 30, 20, 40], [40, 9, 10, 11, 12, 30, 20]):
    text, _ = read("".join(f"""
packet {{ timestamp: {ns} process_tree {{ threads {{ tid: 7 tgid: 7 name: "{"child" if ns in (20, 40) else "parent"}" }} }} }}
""" for ns in order))
    said = sorted((int(ns), name) for name, ns in re.findall(r'koid=7 type=2 name="(\w+)" {process=7 since=(\d+)}', "\n".join(text)))
    tap.ok(said == [(9, "parent"), (20, "child"), (30, "parent"), (40, "child")],
           f"names of an id that is used again, in the order {order}", (said, text))
for machine, name in (("x86_64", "semget"), ("aarch64", "write"), ("another", "syscall 64")):
    check(f"system calls by the numbers of {machine}",
          f'packet {{ system_info {{ utsname {{ machine: "{machine}" }} }} }}' """
packet { ftrace_events { cpu: 1
  event { timestamp: 100 pid: 5 sys_enter { id: 64 } } event { timestamp: 110 pid: 5 sys_exit { id: 64 ret: 3 } } } }
""", f'duration-begin: ticks=100 process=5 thread=5 category="syscalls" name="{name}"',
          f'duration-end: ticks=110 process=5 thread=5 category="syscalls" name="{name}" {{ret=3}}',
          f'instant: ticks=100 process=0 thread=0 category="fxtrec" name="host" {{machine="{machine}"}}')
check("the older form", """
packet { trusted_packet_sequence_id: 1 sequence_flags: 1
         thread_descriptor { pid: 5 tid: 6 reference_timestamp_us: 1000 thread_name: "main" } }
packet { trusted_packet_sequence_id: 1
         track_event { timestamp_delta_us: 5 name: "whole" legacy_event { phase: 88 duration_us: 7 } } }
packet { trusted_packet_sequence_id: 1
         track_event { timestamp_delta_us: 5 name: "op" legacy_event { phase: 98 unscoped_id: 3
                       tid_override: 9 } } }
""", 'duration-complete: ticks=1005000 process=5 thread=6 category="" name="whole" end_ticks=1012000',
      'async-begin: ticks=1010000 process=5 thread=9 category="" name="op" id=3')
check("arguments within arguments", TRACKS + """
packet { timestamp: 1 track_event { type: 3 track_uuid: 2 name: "x"
  debug_annotations { name: "d" dict_entries: "\\x52\\x01k\\x20\\x05" dict_entries: "\\x52\\x01l\\x10\\x01" }
  debug_annotations { name: "a" array_values: "\\x18\\x01" array_values: "\\x18\\x02" } } }
""", 'instant: ticks=1 process=50 thread=51 category="" name="x" '
      '{d:json="{\\"k\\":5,\\"l\\":true}" a:json="[1,2]"}',
      stderr="2 types of nested arguments that are unsigned or pointers, read as numbers")
check("command lines, parents and ids in namespaces of their own", """
packet { timestamp: 5 process_tree {
  processes { pid: 7 ppid: 3 cmdline: "/opt/my tool" cmdline: "-x" cmdline: "" cmdline: "a b" nspid: 12 nspid: 4 }
  processes { pid: 8 cmdline: "alone" } processes { pid: 9 cmdline: "two words" cmdline: "" }
  processes { pid: 10 cmdline: "%s" cmdline: "%s" cmdline: "last" } } }
""" % ("c" * 100, "d" * 4000),
      'kernel-object: koid=7 type=1 name="/opt/my tool" {since=5 command="/opt/my tool -x  a b" parent=3 namespace_id=4}',
      'kernel-object: koid=8 type=1 name="alone" {since=5}',
      'kernel-object: koid=9 type=1 name="two words" {since=5}',
      f'kernel-object: koid=10 type=1 name="{"c" * 100}" {{since=5}}',
      stderr="passed over: 2 command lines' words beyond 4 KiB")
BUNDLE = """
packet { clock_snapshot { clocks { clock_id: 6 timestamp: 9000 } clocks { clock_id: 3 timestamp: 2000 } } }
packet { process_tree { threads { tid: 8 tgid: 7 } processes { pid: 7 cmdline: "/bin/a" cmdline: "-x" } } }
packet { ftrace_events { cpu: 3
  event { timestamp: 9010 pid: 7 sched_switch { prev_comm: "a" prev_pid: 7 prev_prio: 120 prev_state: 2
          next_comm: "b" next_pid: 8 next_prio: 100 } }
  event { timestamp: 9015 pid: 8 print { buf: "hello\\n" } }
  event { timestamp: 9016 pid: 8 task_rename { pid: 8 newcomm: "new" } }
  event { timestamp: 9017 pid: 8 sched_wakeup { pid: 9 prio: 120 target_cpu: 1 } }
  event { timestamp: 9018 pid: 8 sched_migrate_task { comm: "c" pid: 9 prio: 120 orig_cpu: 1 dest_cpu: 3 } }
  event { timestamp: 9019 pid: 8 common_flags: 25 sched_waking { comm: "c" pid: 9 prio: 100 target_cpu: 3 } }
  compact_sched { intern_table: "new" intern_table: "c"
    switch_timestamp: 9020 switch_timestamp: 10 switch_prev_state: 256 switch_prev_state: 1
    switch_next_pid: 9 switch_next_pid: 0 switch_next_prio: 120 switch_next_prio: 120
    switch_next_comm_index: 1 switch_next_comm_index: 1
    waking_timestamp: 9012 waking_pid: 9 waking_target_cpu: 1 waking_prio: 120 waking_comm_index: 1
    waking_common_flags: 17 } } }
"""
for release, numbers in (("4.9.210-android", (64, 512, 128, 1024)), ("4.14.0", (16, 64, 2, 256)), ("", (16, 64, 2, 256))):
    first, second, third, fourth = numbers
    check(f"numbers of states of release {release or 'unknown'}", f"""
packet {{ system_info {{ utsname {{ sysname: "Linux" release: "{release}" }} }} }}
packet {{ ftrace_events {{ cpu: 3
  event {{ timestamp: 10 pid: 7 sched_switch {{ prev_comm: "a" prev_pid: 7 prev_prio: 120 prev_state: {first}
          next_comm: "a" next_pid: 8 next_prio: 120 }} }}
  event {{ timestamp: 20 pid: 8 sched_switch {{ prev_comm: "a" prev_pid: 8 prev_prio: 120 prev_state: {second}
          next_comm: "a" next_pid: 9 next_prio: 120 }} }}
  compact_sched {{ intern_table: "a" switch_timestamp: 30 switch_timestamp: 10 switch_prev_state: {third}
    switch_prev_state: {fourth} switch_next_pid: 10 switch_next_pid: 11 switch_next_prio: 120 switch_next_prio: 120
    switch_next_comm_index: 0 switch_next_comm_index: 0 }} }} }}
""", *(f"context-switch: ticks={ns} cpu=3 outgoing={ns // 10 + 6} state={state} incoming={ns // 10 + 7} "
       f"{{outgoing_weight=120 incoming_weight=120{letter}}}" for ns, state, letter in (
           (10, "dead", ""), (20, "blocked", ' state="P"'), (30, "blocked", ' state="D"'), (40, "running", ' state="R+"'))))
# X, P and a preempted thread, as a machine's kernel has them: packets that are written of it have these numbers again.
for release, numbers in (("4.4.302", (16, 512, 2048)), ("4.9.210-android", (16, 512, 4096)), ("6.1.0", (16, 64, 256)),
                         ("", (16, 64, 256))):
    before = read(f"""
packet {{ system_info {{ machine_name: "m" utsname {{ release: "{release}" machine: "x86_64" }} }} }}
packet {{ ftrace_events {{ cpu: 3""" + "".join(f"""
  event {{ timestamp: {10 * i + 10} pid: {i + 7} sched_switch {{ prev_comm: "a" prev_pid: {i + 7} prev_prio: 120
          prev_state: {number} next_comm: "a" next_pid: {i + 8} next_prio: 120 }} }}"""
                                          for i, number in enumerate(numbers)) + " } }\n")[0]
    packets, after = (os.path.join(folder.name, name) for name in ("again.pftrace", "again.fxt"))
    tap.run([FXTREC, "convert", os.path.join(folder.name, "a.pftrace"), "-o", packets], check=True)
    tap.run([FXTREC, "convert", packets, "-o", after], check=True)
    written = [int(n) for n in re.findall(r"prev_state: (\d+)", decode(packets))]
    tap.ok(written == list(numbers) and len(before) > 3 and records(after) == before,
           f"packets have the states' numbers of release {release or 'unknown'}", (written, before, records(after)))
CLOCKS = "{{ clocks {{ clock_id: 6 timestamp: {} }} clocks {{ clock_id: 3 timestamp: {} }} }}".format
check("a machine's clocks beside the first one's, by two readings of each", f"""
packet {{ clock_snapshot {CLOCKS(2000000, 1500000)} }}
packet {{ machine_id: 7 remote_clock_sync {{
  synced_clocks {{ client_clocks {CLOCKS(3000000, 2300000)} host_clocks {CLOCKS(2000100, 1500100)} }}
  synced_clocks {{ client_clocks {CLOCKS(3000200, 2300200)} host_clocks {CLOCKS(2000300, 1500300)} }} }} }}
""" + "".join(f"""
packet {{ machine_id: {machine} ftrace_events {{ cpu: 3 event {{ timestamp: {ns} pid: 7 sched_switch {{
  prev_comm: "a" prev_pid: 7 prev_prio: 120 prev_state: 2 next_comm: "b" next_pid: 8 next_prio: 100 }} }} }} }}
""" for machine, ns in ((0, 2100000), (7, 3100000))),
      *(f'context-switch: ticks=1600000 cpu={cpu} outgoing={host}7 state=blocked incoming={host}8 '
        '{outgoing_weight=120 incoming_weight=100 state="D"}' for cpu, host in ((3, ""), (1003, "1000000"))))
report = tap.run([FXTREC, "report", "--json", os.path.join(folder.name, "a.pftrace")])
said = report.returncode == 0 and [(c["machine"], c["cpu"], c["switches"]) for c in json.loads(report.stdout)["cpus"]]
tap.ok(said == [(0, 3, 1), (1, 3, 1)], "machines that have ids alone are two", (said, report.stderr))
check("ftrace, compact and in full", BUNDLE,
      'context-switch: ticks=2010 cpu=3 outgoing=7 state=blocked incoming=8 '
      '{outgoing_weight=120 incoming_weight=100 state="D"}',
      'wakeup: ticks=2012 cpu=1 thread=9 {waker=8 context="softirq"}',
      'instant: ticks=2018 process=1090650115 thread=1090650115 category="sched" name="sched_migrate_task" '
      '{thread=9 prio=120 orig_cpu=1 dest_cpu=3}',
      'kernel-object: koid=1090650115 type=2 name="cpu 3 migrations" {process=1090650115}',
      'wakeup: ticks=2019 cpu=3 thread=9 {waker=8 weight=100 context="hardirq"}',
      'instant: ticks=2015 process=7 thread=8 category="mark" name="hello"',
      'context-switch: ticks=2020 cpu=3 outgoing=8 state=running incoming=9 '
      '{outgoing_weight=100 incoming_weight=120 state="R+"}',
      'context-switch: ticks=2030 cpu=3 outgoing=9 state=blocked incoming=0 '
      '{outgoing_weight=120 incoming_weight=-2147483648}',
      'kernel-object: koid=8 type=2 name="b" {process=7 since=2009}',
      'kernel-object: koid=8 type=2 name="new" {process=7 since=2016}',
      'kernel-object: koid=9 type=2 name="c" {process=9 since=2011}',
      stderr="1 sched_wakeup events")
lines = tap.run([FXTREC, "convert", os.path.join(folder.name, "a.fxt"), "-o", "-", "-t", "ftrace"]).stdout
tap.ok(all(said in lines for said in ("sched_waking: comm=c pid=9 prio=120", "prev_comm=a prev_pid=7 prev_prio=120 "
                                      "prev_state=D ==> next_comm=b next_pid=8")),
       "events that name a thread first have the name themselves", lines)
check("system calls of a thread that goes from CPU to CPU, whose bundles overlap in time", """
packet { system_info { utsname { machine: "x86_64" } } }
packet { ftrace_events { cpu: 0
  event { timestamp: 100 pid: 5 sys_enter { id: 0 } } event { timestamp: 400 pid: 5 sys_exit { id: 1 ret: 5 } }
  event { timestamp: 600 pid: 5 sys_enter { id: 3 } } event { timestamp: 900 pid: 5 sys_exit { id: 2 ret: 7 } } } }
packet { ftrace_events { cpu: 1
  event { timestamp: 50 pid: 5 sys_exit { id: 3 ret: 9 } } event { timestamp: 200 pid: 5 sys_exit { id: 0 ret: 3 } }
  event { timestamp: 300 pid: 5 sys_enter { id: 1 } } event { timestamp: 500 pid: 5 sys_enter { id: 15 } }
  event { timestamp: 550 pid: 5 sys_exit { id: -1 ret: 0 } } event { timestamp: 700 pid: 5 sys_exit { id: 1 ret: 8 } }
  event { timestamp: 800 pid: 5 sys_enter { id: 2 } } } }
""", *(f'duration-{kind}: ticks={ns} process=5 thread=5 category="syscalls" name="{name}"{more}'
       for kind, ns, name, more in (
           ("begin", 100, "read", ""), ("end", 200, "read", " {ret=3}"), ("begin", 300, "write", ""),
           ("end", 400, "write", " {ret=5}"), ("begin", 500, "rt_sigreturn", ""),
           ("end", 550, "rt_sigreturn", " {ret=0}"), ("begin", 600, "close", ""), ("end", 800, "close", ""),
           ("begin", 800, "open", ""), ("end", 900, "open", " {ret=7}"))))
lines = records(os.path.join(folder.name, "a.fxt"))
tap.ok(sum("duration-" in line for line in lines) == 10, "an end without its begin, or of another call, is none", lines)
SUSPENDED = [f"packet {{ clock_snapshot {CLOCKS(boot, mono)} }}\n" for boot, mono in ((1000, 1000), (2000000, 1100))]
SUSPENDED_EVENTS = TRACKS + "".join(f'packet {{ timestamp: {ns} track_event {{ type: 3 track_uuid: 2 name: "at" }} }}\n'
                                    for ns in (900, 1050, 2000050))
for what, text in (("before the events", "".join(SUSPENDED) + SUSPENDED_EVENTS),
                   ("before the events, the later one first", "".join(SUSPENDED[::-1]) + SUSPENDED_EVENTS)):
    check("each time is by the last snapshot of the clocks before it, where all of them are " + what, text,
          *(f'instant: ticks={ns} process=50 thread=51 category="" name="at"' for ns in (900, 1050, 1150)))


def many_snapshots():
    lines, told = read("".join(f"packet {{ clock_snapshot {CLOCKS((n + 1) * 5000000, n * 1000000)} }}\n"
                               for n in range(1, 10001)) + SUSPENDED_EVENTS.replace("2000050", "50005000100"))
    tap.ok('instant: ticks=10000000100 process=50 thread=51 category="" name="at"' in lines and not told,
           "of more than 4,096 snapshots the last one stays", [line for line in lines if '"at"' in line] + [told])


many_snapshots()
for what, text in (
        ("lists of different lengths", "cpu: 1 compact_sched { switch_timestamp: 5 }"),
        ("name is beyond the bundle's table", "cpu: 1 compact_sched { waking_timestamp: 1 waking_pid: 1 "
         "waking_target_cpu: 1 waking_prio: 1 waking_comm_index: 4000000000 }"),
        ("CPU is missing or too large", "cpu: 4000000000"),
        ("clock is unknown", "cpu: 1 ftrace_clock: 9")):
    _, told = read("packet { timestamp: 1 } packet { ftrace_events { " + text + " } }")
    want = what.replace("lists of different lengths", "lists differ in length")
    tap.ok(re.search(r"a\.pftrace: 0x00000004: .*" + want, told) and told.count("\n") == 1,
           f"refused: {what}", told)
tap.done()
