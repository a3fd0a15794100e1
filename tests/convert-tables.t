#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What other programs' traces become as packets: what Perfetto's tables depend on; and the same from text as from packets."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from pftext import convert, read

TASK = "          worker-41      (   40) [002] d.h1.     "


def events(text):
    """The track events of packets, each as {field: value}, without what is within others but the legacy event."""
    found = []
    for part in re.findall(r"^  track_event \{\n(.*?)^  \}", text, re.M | re.S):
        found.append(dict(re.findall(r"(\w+): (\S+)", part)))
    return found


# Text and a bundle of the same events.
lines = [
    (1000, "irq_handler_entry: irq=9 name=disk 1", "irq_handler_entry { irq: 9 name: 'disk 1' }"),
    (2000, "irq_handler_exit: irq=9 ret=handled", "irq_handler_exit { irq: 9 ret: 1 }"),
    (3000, "softirq_entry: vec=4 [action=BLOCK]", "softirq_entry { vec: 4 }"),
    (4000, "softirq_entry: vec=77 [action=NEW]", "softirq_entry { vec: 77 }"),
    (5000, "softirq_exit: vec=77 [action=NEW]", "softirq_exit { vec: 77 }"),
    (5500, "softirq_exit: vec=77 [action=NEW]", "softirq_exit { vec: 77 }"),
    (6000, "sys_enter: NR 99999 (1, 2, 3, 0, 0, 0)", "sys_enter { id: 99999 }"),
    (7000, "sys_exit: NR 99999 = -22", "sys_exit { id: 99999 ret: -22 }"),
    (7500, "sys_exit: NR 1 = 5", "sys_exit { id: 1 ret: 5 }"),
    (8000, "cpu_idle: state=4294967295 cpu_id=1", "cpu_idle { state: 4294967295 cpu_id: 1 }"),
    (9000, "cpu_frequency: state=3600000 cpu_id=5", "cpu_frequency { state: 3600000 cpu_id: 5 }"),
]
of_text, reported = read("# tracer: nop\n" + "".join(f"{TASK}0.{ns:09d}: {line}\n" for ns, line, _ in lines),
                     name="a.txt")
of_bundle, reported2 = read("packet { process_tree { threads { tid: 41 tgid: 40 } } }\n"
                        "packet { ftrace_events { cpu: 2 " +
                        " ".join(f"event {{ timestamp: {ns} pid: 41 {event} }}" for ns, _, event in lines) + "} }")
ours = [[line for line in kept if not line.startswith("kernel-object: koid=4")] for kept in (of_text, of_bundle)]
tap.ok(ours[0] == ours[1] and not reported + reported2, "text and bundle: the same records",
       "\n".join(ours[0] + ["--"] + ours[1] + [reported, reported2]))
irq = 0x41000000 + 2
want = ('duration-begin: ticks=1000 process=%d thread=%d category="irq" name="disk 1" {irq=9}',
        'duration-end: ticks=2000 process=%d thread=%d category="irq" name="disk 1" {irq=9 ret=1}',
        'counter: ticks=8000 process=%d thread=%d category="power" name="cpu_idle" id=1 {state=-1}',
        'counter: ticks=9000 process=%d thread=%d category="power" name="cpu_frequency" id=5 {state=3600000}')
tap.ok(all(line % (irq, irq) in ours[0] for line in want), "interrupts and power states of the CPU",
       "\n".join(ours[0]))
tap.ok(sum("softirq" in line for line in ours[0] if line.startswith("duration")) == 2 and
       sum(line.startswith("duration-end") and 'name=""' in line for line in ours[0]) == 1,
       "a softirq without its end is closed by the next, an end without a begin is none", "\n".join(ours[0]))
tap.ok('duration-begin: ticks=6000 process=40 thread=41 category="syscalls" name="syscall 99999"' in ours[0] and
       'duration-end: ticks=7000 process=40 thread=41 category="syscalls" name="syscall 99999" {ret=-22}' in ours[0] and
       not any("ticks=7500" in line for line in ours[0]), "system calls of the thread", "\n".join(ours[0]))
kept, _ = read("""packet { system_info { utsname { machine: "other" } } }
packet { ftrace_events { cpu: 0 event { timestamp: 5 pid: 7 sys_enter { id: 0 } } } }""")
tap.ok('duration-begin: ticks=5 process=7 thread=7 category="syscalls" name="syscall 0"' in kept,
       "another machine's system calls have other numbers", "\n".join(kept))

# An end without a name closes whatever is open: it has none in packets.
marks = events(convert('[{"ph":"B","pid":40,"tid":41,"ts":1,"name":"load"},{"ph":"E","pid":40,"tid":41,"ts":2}]', "a.json", "a.pftrace"))
tap.ok(len(marks) == 2 and "name_iid" in marks[0] and not {"name", "name_iid"} & marks[1].keys(),
       "an end without a name has none", str(marks))

# An instant without a thread is its process's, or the trace's.
made = convert('[{"ph":"i","pid":60,"tid":0,"ts":1,"name":"p"},{"ph":"i","pid":0,"tid":0,"ts":2,"name":"all"},'
               '{"ph":"i","pid":60,"tid":61,"ts":3,"name":"t"}]', "a.json", "a.pftrace")
tracks = dict(re.findall(r"uuid: (\d+)\n    (process|thread) \{", made))
on = [tracks.get(e["track_uuid"]) if e["track_uuid"] != "0" else "trace" for e in events(made)]
tap.ok(on == ["process", "trace", "thread"], "instants of a process and of the trace are on their tracks", made)

# A new thread is runnable, even where only task_newtask says that it is there.
NEW = "event { timestamp: %d pid: 40 task_newtask { pid: %d comm: 'kid' clone_flags: 65536 } }"
kept, _ = read("packet { process_tree { threads { tid: 40 tgid: 40 } } } packet { ftrace_events { cpu: 1 " +
               NEW % (10, 41) + NEW % (20, 42) +
               "event { timestamp: 25 pid: 40 sched_wakeup_new { pid: 42 prio: 100 target_cpu: 3 } } } }")
woken = [line for line in kept if line.startswith("wakeup:")]
tap.ok([re.findall(r"ticks=(\d+).* thread=(\d+).*waker=(\d+)", line)[0] for line in woken] ==
       [("10", "41", "40"), ("25", "42", "40")], "a new thread is woken once", "\n".join(kept))

# Flows are no events of their own where slices are around theirs.
X = '{"ph":"X","pid":1,"tid":%d,"ts":%d,"dur":%d,"name":"%s"%s}'
FLOW = '{"ph":"%s","pid":1,"tid":%d,"ts":%d,"cat":"f","name":"go","id":7%s}'
json = "[" + ",".join([
    X % (1, 10, 10, "sender", ""), FLOW % ("s", 1, 12, ""), X % (2, 30, 10, "worker", ""), FLOW % ("t", 2, 31, ""),
    X % (3, 50, 10, "receiver", ""), FLOW % ("f", 3, 51, ',"bp":"e"'),
    X % (1, 70, 10, "sender", ""), FLOW % ("s", 1, 72, ""), FLOW % ("f", 4, 74, ""), X % (4, 75, 3, "next", ""),
    FLOW % ("s", 9, 80, ""), X % (5, 90, 5, "x", ""), FLOW % ("f", 5, 91, ',"bp":"e"')]) + "]"
flows = [e for e in events(convert(json, "a.json", "a.pftrace")) if "unscoped_id" in e]
phases = [(chr(int(e["phase"])) if "phase" in e else "-", e.get("bind_to_enclosing")) for e in flows]
tap.ok(phases == [("s", None), ("t", None), ("f", "true"), ("s", None), ("f", "false"), ("-", None), ("-", None)],
       "flows bind to the slices around them, or to the next one", str(phases))
numbers = [e["unscoped_id"] for e in flows]
tap.ok(len(set(numbers[:3])) == 1 and numbers[3] == numbers[4] != numbers[0],
       "a flow that begins again has another number", str(numbers))
json = "[" + ",".join([FLOW % ("s", 1, 30, ""), '{"ph":"i","s":"t","pid":1,"tid":1,"ts":30,"name":"i"}', FLOW % ("s", 1, 30, ""),
                       X % (2, 40, 0, "none", ""), FLOW % ("f", 2, 40, ',"bp":"e"'), FLOW % ("t", 2, 41, "")]) + "]"
flows = [chr(int(e["phase"])) if "phase" in e else "-" for e in events(convert(json, "a.json", "a.pftrace")) if "unscoped_id" in e]
tap.ok(flows == ["-", "s", "f", "-"], "flows bind to an instant of their time, or a slice of no length", str(flows))
json = "[" + ",".join(part for i in range(17000) for part in (
    X % (1, 3 * i, 2, "out", ""), FLOW.replace('"id":7', f'"id":{i}') % ("s", 1, 3 * i + 1, ""))) + "]"
flows = re.findall(r"^      phase: (\d+)", convert(json, "a.json", "a.pftrace"), re.M)
tap.ok(flows.count(str(ord("s"))) == 17000, "any number of flows", str(len(flows)))
json = "[" + ",".join([*('{"ph":"i","s":"t","pid":1,"tid":%d,"ts":%d,"name":"i"}' % (i + 10, i) for i in range(17000)),
                       X % (1, 20000, 10, "out", ""), FLOW % ("s", 1, 20001, "")]) + "]"
flows = re.findall(r"^      phase: (\d+)", convert(json, "a.json", "a.pftrace"), re.M)
tap.ok(flows.count(str(ord("s"))) == 1, "instants of any number of threads leave room for slices", str(flows))
json = "[" + ",".join([X % (1, 10, 10, "out", ',"bind_id":"0x40","flow_out":true'),
                       X % (2, 30, 10, "in", ',"bind_id":"0x40","flow_in":true'),
                       X % (3, 30, 10, "through", ',"bind_id":"0x40","flow_in":true,"flow_out":true')]) + "]"
bound = [e for e in events(convert(json, "a.json", "a.pftrace")) if "flow_direction" in e]
tap.ok([e["flow_direction"] for e in bound] == ["2", "1", "3"] and len({e["bind_id"] for e in bound}) == 1,
       "slices that are bound in JSON are in packets", str(bound))
kept, _ = read('[{"ph":"XX","pid":1,"tid":1,"ts":5,"dur":3,"name":"a"}]', name="a.json")
tap.ok(any(line.startswith("duration-complete: ticks=5000") and "end_ticks=8000" in line for line in kept),
       "of a phase of several letters, the first counts", "\n".join(kept))
tap.done()
