#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Packets of others, converted to packets: what Perfetto's tables are made from stays, and what doesn't is counted."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from pftext import bundle, converted, message, rewritten


def flat(text):
    """Without what separates lines."""
    return re.sub(r"\s+", " ", text)


def check(what, trace, *expected, stderr="", without=(), name="a.pftrace"):
    """Whether the packets that a trace becomes have these parts, and nothing else is reported."""
    text, told = rewritten(trace, name)
    found = flat(text)
    missing = [e for e in expected if flat(e) not in found]
    there = [w for w in without if flat(w) in found]
    tap.ok(not missing and not there and stderr in told and (stderr or not told), what,
           f"missing: {missing}\nthere: {there}\n{text}\n{told}")


UFSHCD_COMMAND, OOM_SCORE_ADJ, RSS_STAT = 406, 326, 313
check("a command of UFS without the text that newer kernels have",
      bundle([(10000, 200, UFSHCD_COMMAND, message((1, "sda"), (2, 512), (3, 0), (4, 1000), (5, 40), (7, 1), (8, 4096),
                                                    (9, 0), (10, 0)))]),
      'pid: 200 406 { 1: "sda" 2: 512 3: 0 4: 1000 5: 40 7: 1 8: 4096 9: 0 10: 0 }', without=("327 {",))
check("a score of a process without its name", bundle([(10000, 200, OOM_SCORE_ADJ, message((2, 800), (3, 7)))]),
      "pid: 200 326 { 2: 800 3: 7 }")
check("a clock's rate, its state and a wakeup source, as ftrace's text prints their names", """# tracer: nop
           a-5     [000] d..1.   1.000001: clock_set_rate: gpu state=100 cpu_id=0
           a-5     [000] d..1.   1.000002: clock_enable: gpu state=1 cpu_id=0
           a-5     [000] d..1.   1.000003: wakeup_source_activate: alarm timer state=0x10001
""", '16 { 1: "gpu" 2: 100 3: 0 }', '14 { 1: "gpu" 2: 1 3: 0 }', '404 { 1: "alarm timer" 2: 65537 }', name="a.txt")
check("a kernel's release without a machine", """
packet { system_info { utsname { sysname: "Linux" release: "5.10.0" } } }
packet { timestamp: 5 track_event { type: 3 name: "x" } }
""", 'utsname { sysname: "Linux" release: "5.10.0" }', without=("4.15", "name: \"host\""))
check("an event of which only some fields are those of the message", """# tracer: nop
           a-5     [000] d..1.   1.000001: oom_score_adj_update: pid=7 oom_score_adj=800 of=3
""", '1: "oom_score_adj_update"', without=("326 {",), name="a.txt")
THREAD = 'packet { track_descriptor { uuid: 5 thread { pid: 1 tid: 1 thread_name: "t1" } } }\n'
LIST = '"\\x52\\x05inner\\x20\\x01" dict_entries: "\\x52\\x04list\\x62\\x02\\x20\\x05\\x62\\x02\\x20\\x06"'
check("nested arguments", THREAD + """
packet { timestamp: 10 track_event { track_uuid: 5 type: 3 name: "e"
         debug_annotations { name: "nested" dict_entries: %s } } }
""" % LIST, r'debug_annotations { legacy_json_value: "{\"inner\":1,\"list\":[5,6]}" name: "nested" }')
check("nested arguments with types and names of their own", THREAD + r"""
packet { timestamp: 10 track_event { track_uuid: 5 type: 3 name: "e"
         debug_annotations { name: "a" array_values: "\x18\x01" dict_entries: "\x52\x03k.k\x20\x05" } } }
""", r'legacy_json_value: "{\"k.k\":5}"', stderr="1 names of nested arguments with dots or brackets")
MESSAGE = THREAD + """
packet { timestamp: 10 incremental_state_cleared: true trusted_packet_sequence_id: 1
         track_event { track_uuid: 5 %s name: "slice" log_message { body_iid: 1 source_location_iid: 3 prio: 5 } }
         interned_data { log_message_body { iid: 1 str: "a message" }
                         source_locations { iid: 3 function_name: "func" file_name: "foo.cc" line_number: 123 } } }
packet { timestamp: 30 trusted_packet_sequence_id: 1 track_event { track_uuid: 5 type: 2 log_message { body_iid: 1 } } }
"""
for what, kind in (("an instant", 'categories: "c" type: 3'), ("a slice", "type: 1"),
                   ("a slice of the older form", "legacy_event { phase: 66 }")):
    check(f"the message of {what}, with its priority and place in the sources", MESSAGE % kind,
          "log_message { source_location_iid: 1 body_iid: 1 prio: 5 }", 'str: "slice"', "body_iid: 2",
          'source_locations { iid: 1 file_name: "foo.cc" function_name: "func" line_number: 123 } '
          'log_message_body { iid: 1 str: "a message" }', without=('str: "a message" } debug', '"log.', 'name: "a message"'))
    for back in ("b.json", "b.fxt"):
        out, done = converted(MESSAGE % kind, back)
        again, more = rewritten(open(out, "rb").read(), name="c" + back[1:])
        tap.ok(flat(rewritten(MESSAGE % kind)[0]).count("log_message {") == flat(again).count("log_message {") == 2 and
               "prio: 5" in again and not done.stderr + more, f"{back}: the message of {what} comes back", again + more)
def told(what, trace, *expected):
    """Whether just these kinds are counted, each by its name."""
    lines = [re.sub(r"; first: .*", "", line) for line in rewritten(trace)[1].splitlines()]
    tap.ok(lines == ["fxtrec: passed over: " + e for e in expected], what, "\n".join(lines))


TASK_STATES, UID, SIBLING_ORDER = 117, 5, 12
told("packets, and fields of messages, that have no equivalent are counted by their names", message(
    (1, message((TASK_STATES, b""))), (1, message((TASK_STATES, b""))), (1, message((67, message((1, b""))))),
    (1, message((34, message((1, 1))))),
    (1, message((2, message((1, message((1, 5), (3, "sh"), (UID, 1000))))))),
    (1, message((60, message((1, 7), (2, "track"), (SIBLING_ORDER, 3), (8, message((3, 2))))))),
    (1, message((8, 5), (11, message((9, 3), (23, "e"), (53, "correlated"), (9900, "typed"))))),
    (1, message((1, message((1, 0), (2, message((1, 7), (2, 5), (419, b"")))))))),
     "2 packets with generic_kernel_task_state_event", "1 packets of CPU information", "1 packets of ftrace statistics",
     "1 process trees with a process's uid", "1 descriptors of tracks with sibling_order_rank", "1 units of counters",
     "1 track events with correlation_id_str", "1 typed fields of track events, such as field 9900",
     "1 ftrace events f2fs_iostat")
ANDROID_LOG = 39
check("a message of Android's log, whose priority is counted",
      message((1, message((8, 5), (ANDROID_LOG, message((1, message((2, 5), (3, 6), (6, "tag"), (7, 4), (8, "hi")))))))),
      'str: "tag: hi"', stderr="1 priorities of messages of Android's log")
TRACKS = """
packet { track_descriptor { uuid: 10 name: "A" } }
packet { track_descriptor { uuid: 20 name: "B" } }
packet { track_descriptor { uuid: 30 process { pid: 9 } } }
"""


def event(ns, kind, track, more=""):
    return f'packet {{ timestamp: {ns} track_event {{ type: {kind} track_uuid: {track} {more} }} }}\n'


def flows(text):
    """The tracks of each flow's parts, in time order: (phase, the track's name or thread, at which of its events)."""
    names, found = {}, []
    for packet in re.split(r"^packet \{", text, flags=re.M):
        uuid = re.search(r"uuid: (\d+)", packet)
        if "track_descriptor" in packet:
            name = re.search(r'name: "(.*)"', packet)
            names[uuid[1]] = name[1] if name else "process" if "process {" in packet else "thread"
        phase = re.search(r"phase: (115|116|102)", packet)
        if phase:
            number = re.search(r"unscoped_id: (\d+)", packet)[1]
            found.append((chr(int(phase[1])), names.get(uuid[1], "trace"), int(number)))
        found += [(kind, names[uuid[1]], int(number) & 0xffff)
                  for kind, number in re.findall(r"^ +(flow_ids|terminating_flow_ids): (\d+)", packet, re.M)]
    return found


def flow_check(what, trace, *expected, stderr=""):
    text, told = rewritten(trace)
    tap.ok(flows(text) == list(expected) and stderr in told and (stderr or not told) and "flow_direction" not in text, what,
           f"{flows(text)}\n{text}\n{told}")


ACROSS = TRACKS + event(50, 1, 10, 'name: "a" flow_ids: 42') + event(100, 1, 20, 'name: "b" flow_ids: 42') + \
    event(200, 2, 20) + event(400, 2, 10)
flow_check("a flow of operations is between their tracks", ACROSS, ("flow_ids", "A", 42), ("flow_ids", "B", 42))
tap.ok(rewritten(ACROSS)[0] == rewritten(open(converted(ACROSS, "d.pftrace")[0], "rb").read())[0],
       "and it comes back from there")
for name, says in (("b.json", "json: 2 flows of operations"), ("b.fxt", "fxt: 2 flows of operations")):
    out, done = converted(ACROSS, name)
    with open(out, "rb") as f:
        drawn = re.search(rb'"ph":"[stf]"', f.read())
    tap.ok(says in done.stderr and not drawn, f"{name}: which has no place for these, says so", done.stderr)
flow_check("a flow from a thread to an operation, behind whose events the descriptors stand",
           event(50, 1, 5, 'name: "a" flow_ids: 42') + event(100, 1, 20, 'name: "b" terminating_flow_ids: 42') +
           event(200, 2, 20) + event(400, 2, 5) + TRACKS + THREAD, ("s", "thread", 1), stderr="perfetto: 1 flows between operations and slices of threads")
flow_check("a flow of operations, behind whose events the descriptors stand",
           event(50, 1, 10, 'name: "a" flow_ids: 42') + event(100, 3, 20, 'name: "b" terminating_flow_ids: 42') +
           event(400, 2, 10) + TRACKS, ("flow_ids", "A", 42), ("terminating_flow_ids", "B", 42))
flow_check("a flow at the ends of operations",
           TRACKS + event(50, 1, 10, 'name: "a"') + event(60, 1, 20, 'name: "b"') +
           event(200, 2, 10, "flow_ids: 1") + event(400, 2, 20, "terminating_flow_ids: 1"),
           ("flow_ids", "A", 1), ("terminating_flow_ids", "B", 1))
flow_check("a flow at the ends of slices",
           THREAD + THREAD.replace("1", "2").replace("5", "6") + event(50, 1, 6, 'name: "a"') + event(60, 1, 5, 'name: "b"') +
           event(200, 2, 6, "flow_ids: 1") + event(400, 2, 5, "terminating_flow_ids: 1"),
           ("s", "thread", 1), ("f", "thread", 1))
flow_check("a flow of instants of a process and of the trace",
           TRACKS + event(50, 3, 30, 'name: "a" flow_ids: 1') + event(60, 3, 0, 'name: "b" flow_ids: 1'),
           ("s", "process", 1), ("t", "trace", 1))
flow_check("a flow that has ended has no further end, and a step begins it again",
           THREAD + event(50, 3, 5, 'name: "a" flow_ids: 1') + event(60, 3, 5, 'name: "b" terminating_flow_ids: 1') +
           event(70, 3, 5, 'name: "c" terminating_flow_ids: 1') + event(80, 3, 5, 'name: "d" flow_ids: 1'),
           ("s", "thread", 1), ("f", "thread", 1), ("s", "thread", 2))
FAN = THREAD + "".join(event(ns, 3, 5, f'name: "a" legacy_event {{ bind_id: 1 flow_direction: {direction} }}')
                       for ns, direction in ((40, 1), (45, 3), (50, 2), (60, 1), (65, 2), (70, 1), (80, 3)))
flow_check("a flow of the older form has several ends, and nothing before its begin or beside it", FAN,
           ("s", "thread", 1), ("f", "thread", 1), ("f", "thread", 1), ("t", "thread", 1))
tap.ok("fxt: 2 steps and ends of flows after the first end" in converted(FAN, "b.fxt")[1].stderr,
       "of these, what Perfetto's reader of FXT drops is counted")
check("marks of operations with a cookie, as they were: Perfetto ignores a begin within another", """# tracer: nop
     a-5   (    5) [000] d..1.   1.000001: tracing_mark_write: S|5|op|7
     a-5   (    5) [000] d..1.   1.000002: tracing_mark_write: S|5|op|7
     a-5   (    5) [000] d..1.   1.000003: tracing_mark_write: F|5|op|-7
""", *(f'pid: 5 print {{ buf: "{mark}" }}' for mark in ("S|5|op|7", "F|5|op|-7")), without=("track_event",), name="a.txt")
MARKS = ("B|5|outer", "B|5|a|b", "B|5|o|k=1;s=text", "C|5|count|-5", "C|5|level|-1.5", "I|5|now", "G|5|track|on it|4",
         "H|5|track|4", "N|5|track|then", "E|5", "plain text", "x" * 500)
check("marks of all kinds and plain texts are print events, on the tracks that Perfetto has for these",
      bundle([(10000 + i, 5, 3, message((2, mark))) for i, mark in enumerate(MARKS)]),
      *(f'pid: 5 print {{ buf: "{mark}" }}' for mark in MARKS), without=("track_event", "log_message"))
check("a mark of another process, which has no thread, is counted", bundle([(10000, 5, 3, message((2, "C|9|count|1")))]),
      'pid: 9 print { buf: "C|9|count|1" }', stderr="1 threads that wrote marks of another process")
check("a mark that is too long for that is counted", bundle([(10000, 5, 3, message((2, "I|5|" + "x" * 700)))]),
      "track_event", stderr="1 marks too long for a print event, written as track events")
check("a new task of a thread that no switch names", """
packet { ftrace_events { cpu: 3 event { timestamp: 50 pid: 2 task_newtask { pid: 3 comm: "child" clone_flags: 0 } }
                         event { timestamp: 60 pid: 3 task_newtask { pid: 4 comm: "thread" clone_flags: 65536 } } } }
""", 'timestamp: 50 pid: 2 task_newtask { pid: 3 comm: "child" clone_flags: 0 }',
      'timestamp: 60 pid: 3 task_newtask { pid: 4 comm: "thread" clone_flags: 65536 }')
check("an instant of a track that nothing describes is on a track of its own", """
packet { timestamp: 5 track_event { type: 3 track_uuid: 77 name: "alone" } }
""", 'name: "alone" description: "async 77"')
CPU_TIMES = message((1, message((8, 5), (7, message((3, message((1, 3), (2, 1))))))))
told("statistics of a CPU", CPU_TIMES, "1 statistics of a CPU, which is in the names of their counters alone")
check("statistics of a process are those again, on the tracks that Perfetto has for these",
      message((1, message((8, 5), (9, message((1, message((1, 7), (3, 100), (10, 2 ** 64 - 5), (21, 9)))))))),
      "9 { 1 { 1: 7 3: 100 } }", "9 { 1 { 1: 7 10: 18446744073709551611 } }", "9 { 1 { 1: 7 21: 9 } }",
      without=("track_event",))
told("a session's start", message((1, message((8, 5), (11, message((9, 3), (23, "early"))))),
                                  (1, message((8, 9), (69, message((2, 1)))))),
     "1 starts of tracing, before which Perfetto drops events")
OVERLAP = json.dumps([{"ph": "X", "name": str(ts), "ts": ts, "dur": dur, "pid": 1, "tid": tid}
                      for ts, dur, tid in ((1, 5, 1), (2, 3, 1), (3, 9, 1), (5, 2, 1), (5, 9, 2), (6, 7, 1))])
out, done = converted(OVERLAP, "b.fxt", name="a.json")
tap.ok("fxt: 2 complete slices that overlap another one" in done.stderr and done.stderr.count("\n") == 1,
       "complete slices that overlap are counted in FXT", done.stderr)
tap.done()
