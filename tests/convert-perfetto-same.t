#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Packets of others, converted to packets: what Perfetto's tables are made from stays, and what doesn't is counted."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from pftext import bundle, message, rewritten


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
      'pid: 200 406 { 1: "sda" 2: 512 3: 0 4: 1000 5: 40 7: 1 8: 4096 9: 0 10: 0 }')
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
tap.done()
