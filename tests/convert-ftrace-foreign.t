#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ftrace's text as old and new kernels, Android and other clocks write it: other columns, fields, line ends."""
import os
import re
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap

SWITCH = "sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=98"
WAKEUP = "sched_waking: comm=a pid=7 prio=120 target_cpu=001"
SWITCHED = "cpu=1 outgoing=7 "
# Everything before the event, in lines that say the same.
HEADS = {
    "five flags": "b-8     [001] d..2.   100.000001: ",
    "four flags": "b-8     [001] d..2   100.000001: ",
    "no flags": "b-8     [001]   100.000001: ",
    "no space behind the flags": "b-8     [001] .....100.000001: ",
    "a short CPU": "b-8 [1] d..2. 100.000001: ",
    "a process": "b-8     (      7) [001] d..2.   100.000001: ",
    "a process with spaces behind it": "b-8     (7      ) [001] d..2.   100.000001: ",
    "no process": "b-8     (-------) [001] d..2.   100.000001: ",
    "nanoseconds": "b-8     [001] d..2.   100.000001000: ",
    "the latency format": "b-8       1d..2. 100000001us+: ",
    "trace-cmd report -l": "b-8       1d..2.  100.000001: ",
    "trace-cmd report --ts-diff": "b-8     [001]   100.000001: (+5)     ",
    "perf script": "b     8 [001]   100.000001: sched:",
    "perf script of old versions, without the subsystem": "b     8 [001]   100.000001: ",
    "perf script of a process": "b c-1  7/8  [001]   100.000001: sched:",
    "perf script, of a thread that is no more": ":-1    -1 [001]   100.000001:           sched:",
    "perf script, of one in columns": "             :-1    -1 [001]   100.000001: sched:",
    "perf script -F +misc": "b     8 [001] K     100.000001: sched:",
    "perf script -F +period": "b     8 [001]   100.000001:          1      sched:",
    "perf script -F -comm": "       8 [001]   100.000001: sched:",
    "perf script -F -comm, of a thread that is no more": "   -1 [001]   100.000001: sched:",
    "perf script, of one of a process in columns": "             :-1    -1/-1    [001]   100.000001: sched:",
    "perf script, of one of a process that still is": "             :-1     7/-1    [001]   100.000001: sched:",
    "perf script -F -comm,+pid, of one of a process that still is": "    7/-1    [001]   100.000001: sched:",
    "perf script, of a process that is no more": "b    -1/8     [001]   100.000001: sched:",
}
ENDS = {"\\n\\ ends": "\\n\\\n", "CRLF": "\r\n", "\\n\\ and CRLF": "\\n\\\r\n"}
FIELDS = {
    "success": ("sched_waking: comm=a pid=7 prio=120 success=1 target_cpu=001", "cpu=1 thread=7"),
    "more fields": ("sched_waking: comm=a pid=7 prio=120 kind=3 target_cpu=001 more=x", "cpu=1 thread=7"),
    "no target": ("sched_waking: comm=a pid=7 prio=120", "cpu=1 thread=7"),
    "no priority": ("sched_waking: comm=a pid=7 target_cpu=001", "cpu=1 thread=7"),
    "no success, as older versions of trace-cmd report say it": (
        "sched_waking: b:8 [98]<CANT FIND FIELD success> CPU:001", "wakeup: cpu=1 thread=8 {waker=8"),
    "no success of a wakeup": ("sched_wakeup: a:7 [120]<CANT FIND FIELD success> CPU:001", "wakeup: cpu=1 thread=7"),
    "no success of a new thread": ("sched_wakeup_new: a:7 [120]<CANT FIND FIELD success> CPU:001",
                                   'wakeup: cpu=1 thread=7 event="sched_wakeup_new"}'),
    "a switch with more fields": (
        "sched_switch: prev_comm=a prev_pid=7 prev_tgid=7 prev_prio=120 prev_state=S x=1 ==> next_comm=b next_pid=8 y=2 "
        "next_prio=98 z=3", "outgoing=7 outgoing_name=\"a\" state=blocked incoming=8"),
    "a migration with more fields": (
        "sched_migrate_task: comm=a pid=7 prio=120 why=2 orig_cpu=0 how=3 dest_cpu=1 running=1", "orig_cpu=0 dest_cpu=1"),
    "a switch with a latency behind it": ("sched_switch: a:7 [120] D ==> b:8 [98] Latency: 2.607 usecs",
                                          "outgoing=7 state=\"D\" incoming=8 incoming_weight=98"),
    "a switch of raw fields": (
        "sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=2 next_comm=b next_pid=8 next_prio=98",
        "outgoing=7 state=\"D\" incoming=8 incoming_weight=98"),
    "a switch of raw fields of a thread that is preempted": (
        "sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=256 next_comm=b next_pid=8 next_prio=98",
        "outgoing=7 state=running incoming=8 state=\"R+\""),
}
# Of perf script --show-task-events --show-switch-events --show-lost-events.
RECORDS = (
    "     swapper     0 [000]     0.000000: PERF_RECORD_FORK(9:9):(0:0)",
    "         a:b     0 [000]     0.000000: PERF_RECORD_COMM: a:b:9/9",
    "         a:b     9 [000]     1.000000: PERF_RECORD_FORK(9:10):(9:9)",
    "         a:b     9 [000]     1.000001: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:     9/10   ",
    "         a:b    10 [000]     1.000002: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:     9/9    ",
    "      exec'd    10 [000]     1.000003: PERF_RECORD_COMM exec: exec'd:9/10",
    "      exec'd    10 [000]     1.000004: PERF_RECORD_MMAP2 9/10: [0x1000(0x1000) @ 0 08:01 1 1]: r-xp /bin/x",
    "      exec'd    10 [000]     1.000005: PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid:     0/0    ",
    "     swapper     0 [000]     1.000006: PERF_RECORD_LOST lost 5",
    "      exec'd    10 [000]     1.000007: PERF_RECORD_EXIT(9:10):(9:9)",
)
# More than what the reader looks at before it begins.
MMAPS = "b 8 [001] 0.5: PERF_RECORD_MMAP2 9/10: [0x1000(0x1000) @ 0 08:01 1 1]: r-xp /bin/x\n" * 1000
# As the option "fields" of ftrace has them, and as they are without it.
NUMBERED = (
    ("sched_switch: prev_comm=a prev_pid=0x7 (7) prev_prio=0x78 (120) prev_state=0x1 (1) next_comm=b next_pid=0x8 (8) "
     "next_prio=0xffffffff (-1)",
     "sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=-1"),
    ("sched_waking: comm=a pid=0x5955 (22869) prio=0x78 (120) target_cpu=0x1 (1)",
     "sched_waking: comm=a pid=22869 prio=120 target_cpu=001"),
    ("task_newtask: pid=0x9 (9) comm=c clone_flags=0x3d0f00 (4001536) oom_score_adj=0x0 (0)",
     "task_newtask: pid=9 comm=c clone_flags=3d0f00 oom_score_adj=0"),
    ("irq_handler_entry: irq=0x24 (36) name=virtio1", "irq_handler_entry: irq=36 name=virtio1"),
    ("irq_handler_exit: irq=0x24 (36) ret=0x1 (1)", "irq_handler_exit: irq=36 ret=handled"),
    ("softirq_entry: vec=0x7 (7)", "softirq_entry: vec=7 [action=SCHED]"),
    ("softirq_exit: vec=0x7 (7)", "softirq_exit: vec=7 [action=SCHED]"),
    ("sys_enter: id=0x0 (0) args=<INVALID-SIZE>", "sys_enter: NR 0 (3, 7ffc60d13a80, 340, 0, 0, 0)"),
    ("sys_exit: id=0x0 (0) ret=0xfffffffffffffff2 (-14)", "sys_exit: NR 0 = -14"),
    ("sched_stat_runtime: comm=a pid=0x7 (7) runtime=0x3b6386 (3892102)",
     "sched_stat_runtime: comm=a pid=7 runtime=3892102"),
)
# Timers' callbacks around wakeups, each event with a flag of its context ("": known by events alone), and the wakeups' contexts.
HR, HR_END = "hrtimer_expire_entry: hrtimer=000000002b3c function=hrtimer_wakeup now=1", "hrtimer_expire_exit: hrtimer=000000002b3c"
WHEEL, WHEEL_END = "timer_expire_entry: timer=00000000d4 function=process_timeout now=1 baseclk=1", "timer_expire_exit: timer=00000000d4"
NET, NET_END = "softirq_entry: vec=3 [action=NET_RX]", "softirq_exit: vec=3 [action=NET_RX]"
SOFT, SOFT_END = "softirq_entry: vec=8 [action=HRTIMER]", "softirq_exit: vec=8 [action=HRTIMER]"
OTHERS = "sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=c next_pid=9 next_prio=120"
BACK = "sched_switch: prev_comm=c prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120"
TIMED_HEADS = ("b-8     [001] d.{}1.   100.0000{:02}: ", "b-8     [001]   100.0000{1:02}: ", "b 8/8 [001] 100.0000{1:02}: timer:")
TIMERS = (
    ("an interrupt's timer", (("h", HR), ("h", WAKEUP), ("h", HR_END)), ["hardirq timer"]),
    ("a timer of the wheel", (("s", WHEEL), ("s", WAKEUP), ("s", WHEEL_END)), ["softirq timer"]),
    ("an interrupt's timer during one of the wheel", (
        ("s", WHEEL), ("h", HR), ("h", WAKEUP), ("h", HR_END), ("s", WAKEUP), ("s", WHEEL_END)), ["hardirq timer", "softirq timer"]),
    ("an interrupt's timer during a softirq", (
        ("s", NET), ("s", WAKEUP), ("h", HR), ("h", WAKEUP), ("h", HR_END), ("s", WAKEUP), ("s", NET_END)),
     ["softirq", "hardirq timer", "softirq"]),
    ("a softirq's timer of high resolution", (("s", SOFT), ("s", HR), ("s", WAKEUP), ("s", HR_END), ("s", WAKEUP), ("s", SOFT_END)),
     ["softirq timer", "softirq"]),
    ("a callback whose end is missing, before a switch", (("h", HR), ("d", OTHERS), ("d", BACK), ("d", WAKEUP)), [None]),
    ("callbacks whose ends are not recorded", (
        ("h", HR), ("h", WAKEUP), ("h", HR), ("h", WAKEUP), ("h", HR), ("h", WAKEUP)), None),
)
GRAPH = """\
 1)               |  do_sys_open() {
 1)   0.123 us    |    getname();
 1) ! 312.5 us    |  }
 ------------------------------------------
 1)     a-7       =>     b-8
 ------------------------------------------

  100.000002 |   1)   0.084 us    |  f();
"""


FOLDER = tempfile.TemporaryDirectory()


def convert(text, *options):
    """The records of a text, one a line, and what was printed."""
    source, target = os.path.join(FOLDER.name, "in.txt"), os.path.join(FOLDER.name, "out.fxt")
    with open(source, "w", newline="") as f:
        f.write(text)
    done = tap.run([tap.FXTREC, "convert", source, "-o", target, *options])
    if done.returncode:
        return [], done.stderr
    return tap.run([tap.FXTREC, "dump", target]).stdout.splitlines(), done.stderr


def records(lines, kind):
    return [re.sub(r"^0x\S+ +", "", line) for line in lines if f" {kind}: " in line]


def forms():
    """Heads of lines, ends of lines, fields of events, and names that look like JSON."""
    for name, head in HEADS.items():
        got, said = convert(f"{head}{SWITCH}\n{head}{WAKEUP}\n")
        tap.ok(len(records(got, "context-switch")) == 1 and SWITCHED in records(got, "context-switch")[0] and
               "100.000001000 " in records(got, "context-switch")[0] and
               len(records(got, "wakeup")) == 1 and not said, name, "\n".join(got) + said)
    for name, end in ENDS.items():
        head = HEADS["five flags"]
        got, said = convert(f"# tracer: nop{end}#{end}{head}{SWITCH}{end}{head}{WAKEUP}{end}")
        tap.ok(len(records(got, "context-switch")) == 1 and len(records(got, "wakeup")) == 1 and not said, name,
               "\n".join(got) + said)
    for name, (event, wanted) in FIELDS.items():
        got, said = convert(HEADS["five flags"] + event + "\n")
        tap.ok(any(wanted in line or all(part in line for part in wanted.split(" ")) for line in got) and not said, name,
               "\n".join(got) + said)

    for name in "{}", "[]", "[{}", "{ }", "[{}]":
        got, said = convert("".join(f"  {name}-{tid} [000] d..2. 100.00000{tid}: {WAKEUP}\n" for tid in (7, 8)))
        tap.ok(len(records(got, "wakeup")) == 2 and f'koid=8 type=2 name="{name}"' in "".join(got) and not said,
               f"text that begins with a thread named {name} is no JSON", "\n".join(got) + said)


def processes():
    """Processes of threads, in the columns of perf script and trace-cmd."""
    # The thread 7 is of the process 6, and 8 of its own.
    line = "{:>9} {} [001] 100.00000{}: sched:{}\n"
    text = "".join(line.format(comm, process, at, event) for at, (comm, process, event) in enumerate((
        ("x", 6, WAKEUP.replace("pid=7", "pid=9")), ("a", 6, SWITCH), ("b", 8, WAKEUP),
        ("b", 8, "sched_switch: prev_comm=b prev_pid=8 prev_prio=98 prev_state=S ==> next_comm=a next_pid=7 next_prio=120"),
        ("a", 6, "sched_stat_runtime: comm=a pid=7 runtime=5"), ("a", 6, WAKEUP.replace("pid=7", "pid=8")))))
    got, said = convert(text)
    wakers = [re.search(r"waker=(\d+)", line)[1] for line in records(got, "wakeup")]
    owner = [re.search(r"process=(\d+) thread=(\d+)", line)[0] for line in records(got, "instant")]
    tap.ok(wakers == ["6", "8", "7"] and owner == ["process=6 thread=7"] and "".join(got).count('koid=7 type=2') == 1 and
           'koid=7 type=2 name="a" {process=6' in "".join(got) and said.count("\n") == 1 and
           "1 threads of events with only their process" in said,
           "perf script -F comm,pid,...: the thread is the one that runs there", "\n".join(got) + said)
    got, said = convert(text.replace(" 6 [", " 6/7 [").replace(" 8 [", " 8/8 ["))
    tap.ok(len(records(got, "wakeup")) == 3 and not said, "with both ids it is in the line", "\n".join(got) + said)
    zero = "{} [001]     0.00000{}000: sched:{}\n"
    for name, threads in ("a thread", ("b     8", "a     7")), ("a thread of a process", ("b     8/8", "a     6/7")):
        text = (zero.format(threads[0], 0, WAKEUP) + zero.format(threads[1], 0, SWITCH) + zero.format(threads[0], 1, WAKEUP) +
                zero.format(threads[1], 2, WAKEUP))
        got, said = convert(text)
        said += "".join(tap.run([tap.FXTREC, "convert", os.path.join(FOLDER.name, "in.txt"), f"--to={to}", "-o", "-"]).stdout
                        for to in ("ftrace", "html", "json"))
        process = 6 if "process" in name else 7
        tap.ok("<...>" not in said and "sched_waking: comm=a pid=7 " in said and "prev_comm=a prev_pid=7" in said and
               re.findall(r'koid=7 type=2 name="(\w+)" {process=(\d+)', "\n".join(got)) == [("a", str(process))] and
               ("koid=7 type=1" not in "".join(got)) == (process == 6), f"names at time 0 of {name}", "\n".join(got) + said[-5000:])


def cut_texts():
    """Texts that end within a line."""
    whole = f"{HEADS['five flags']}{SWITCH}\n{HEADS['five flags']}{WAKEUP}\n"
    for name, last in (("a switch", f"{HEADS['five flags']}{SWITCH}"), ("a wakeup", f"{HEADS['five flags']}{WAKEUP}"),
                       ("a switch of perf script", f"{HEADS['perf script']}{SWITCH}"),
                       ("an interrupt", f"{HEADS['five flags']}irq_handler_entry: irq=5 name=x"),
                       ("a switch of trace-cmd report", f"{HEADS['no flags']}sched_switch: a:7 [120] S ==> b:8 [98]")):
        end = last.rindex(" [" if last.endswith("]") else "=")
        start = last.index("sched:" if "perf" in name else ": ") + 7
        parts = [(convert(whole + last[:cut]), last[:cut]) for cut in (1, 5, 9, *range(start, end, 4), end)]
        wrong = [(part, said) for (got, said), part in parts if len(records(got, "context-switch")) != 1 or
                 len(records(got, "wakeup")) != 1 or records(got, "instant") or "1 lines that are cut off" not in said]
        tap.ok(not wrong, f"{name} that is cut off is none", wrong)
        got, said = convert(whole + last)
        tap.ok(got and not said, f"{name} without the line's end is one", said)
    for text in whole + whole.rstrip("\n")[:-16], whole + f"{HEADS['five flags']}sched_swi":
        got, said = convert(text, "--strict")
        tap.ok(not got and re.search(r": line [34]: it is cut off in its last line", said),
               "--strict: a line that is cut off is an error", said)


def compressed():
    """The compressed text of atrace, whole and damaged."""
    packed = os.path.join(FOLDER.name, "packed")
    for name, head in ("TRACE:", b"TRACE:\n"), ("what the program says before", b"capturing trace... done\nTRACE:\n"):
        for level in 1, 6, 9:
            with open(packed, "wb") as f:
                f.write(head + zlib.compress(f"# tracer: nop\n{HEADS['a process']}{SWITCH}\n".encode(), level))
            done = tap.run([tap.FXTREC, "convert", packed, "--to=ftrace", "-o", "-"])
            tap.ok(done.stdout.count("sched_switch: ") == 1 and not done.stderr, f"atrace -z: {name}, level {level}", done.stderr)
    with open(packed, "wb") as f:
        f.write(b"TRACE:\n" + zlib.compress("".join(
            f"b-8 [001] d..2. {at}.000001: {SWITCH}\n" for at in range(9999)).encode())[:-9999])
    done = tap.run([tap.FXTREC, "convert", packed, "--to=ftrace", "-o", "-"])
    tap.ok(1 < done.stdout.count("sched_switch: ") < 9999 and "data is damaged" in done.stderr,
           "atrace -z, cut: what is before the cut", done.stderr)


def numbers():
    """Fields that are numbers, as trace-cmd prints them without a format."""
    raw, said = convert("".join(f"{HEADS['a process']}{line}\n" for line, _ in NUMBERED))
    cooked, _ = convert("".join(f"{HEADS['a process']}{line}\n" for _, line in NUMBERED))

    def events(lines):
        """Without what only one of both has: the flags of a new thread are hexadecimal in the other."""
        return [re.sub(r"clone_flags=\S+ |^0x\S+ +", "", line) for line in lines if "ticks=" in line]

    tap.ok(len(events(raw)) == len(NUMBERED) and events(raw) == events(cooked) and not said,
           "numbers as the option fields prints them", "\n".join(raw + cooked) + said)
    got, said = convert(f"{HEADS['five flags']}tracing_mark_write: B|7|x=0x1f (31)\n")
    tap.ok(any('name="x=0x1f (31)"' in line for line in got) and not said, "a mark keeps such a text",
           "\n".join(got) + said)
    got, said = convert(f"{HEADS['five flags']}sched_waking: comm=a pid=0x5955 prio=120 target_cpu=001\n")
    tap.ok(not records(got, "wakeup") and "malformed fields" in said,
           "a number that isn't decimal is none", "\n".join(got) + said)


def perf_records():
    """Records of perf script: tasks, switches and losses."""
    got, said = convert("".join(f"{line}\n" for line in RECORDS))
    names = [re.sub(r".*koid=(\d+) type=2 name=(.*) {process=(\d+) .*", r"\1 \3 \2", line) for line in got
             if "type=2" in line and "process=9 " in line]
    switches = records(got, "context-switch")
    lost = [line for line in got if 'name="lost"' in line]
    tap.ok(names == ['9 9 "a:b"', '10 9 "a:b"', '10 9 "exec\'d"'], "threads of perf script's records", "\n".join(got))
    tap.ok(len(switches) == 2 and "outgoing=9 " in switches[0] and 'state="R+"' in switches[0] and
           "incoming=10 " in switches[0] and "outgoing=10 " in switches[1] and "state=blocked incoming=0" in switches[1],
           "switches of perf script's records", "\n".join(switches))
    tap.ok(len(lost) == 1 and "records=5" in lost[0] and "1 other records of perf" in said,
           "losses of perf script's records, and others are counted", "\n".join(lost) + said)
    got, said = convert("".join(f"{line}\n" for line in RECORDS) + f"{HEADS['perf script']}{SWITCH}\n")
    tap.ok(len(records(got, "context-switch")) == 1, "a switch of a tracepoint is not there twice", "\n".join(got))
    got, said = convert(MMAPS + f"b 8 [001] 1.0: PERF_RECORD_SWITCH_CPU_WIDE OUT  next pid/tid: 7/7\n{HEADS['perf script']}{SWITCH}\n"
                        "a 7 [001] 100.000002: PERF_RECORD_SWITCH_CPU_WIDE OUT  next pid/tid: 8/8\n")
    switches = records(got, "context-switch")
    tap.ok([line.split(" ")[0] for line in switches] == ["1.000000000", "100.000001000"],
           "nor where a tracepoint comes late: perf's records tell what was before", "\n".join(switches) + said)
    got, said = convert(MMAPS + f"{HEADS['perf script']}{WAKEUP}\n{HEADS['perf script']}{WAKEUP.replace('waking', 'wakeup')}\n")
    tap.ok(len(records(got, "wakeup")) == 1, "a wakeup of a waking that comes late is not there twice",
           "\n".join(records(got, "wakeup")) + said)
    gone = "PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid: "
    got, said = convert(f"a 11 [001] 2.0: {gone}12/12\n:-1 -1 [001] 2.1: {gone}13/-1\n:-1 -1 [001] 2.2: {gone}0/0\n")
    switches = records(got, "context-switch")
    tap.ok(len(switches) == 3 and "outgoing=12 " in switches[1] and 'unchosen="incoming"' in switches[1] and
           "outgoing=0 " in switches[2] and "incoming=0 " in switches[2] and not said,
           "a thread that is no more ran until it leaves, or nothing is known", "\n".join(switches) + said)


def contexts():
    """Contexts of wakeups, from the handlers that run."""
    irq = ("irq:softirq_entry: vec=3 [action=NET_RX]", "irq:irq_handler_entry: irq=5 name=x", "irq:irq_handler_exit: irq=5 ret=handled",
           "irq:softirq_exit: vec=3 [action=NET_RX]", "irq:irq_handler_entry: irq=5 name=x", "sched:" + SWITCH)
    for name, head in (("perf script", "a 7 [001] 100.0000{:02}: "), ("trace-cmd report", "b-8     [001]   100.0000{:02}: "),
                       ("flags that say otherwise", "b-8     [001] d..2.   100.0000{:02}: ")):
        got, said = convert("".join((head + "{}\n").format(at, event.split(":", 1)[1] if "-" in head else event) for at, event in enumerate(
            event for pair in zip(irq, ["sched:" + WAKEUP] * 6) for event in pair)))
        contexts = [re.search(r'context="(\w+)"|$', line)[1] for line in records(got, "wakeup")]
        tap.ok(contexts == ([None] * 6 if "flags" in name else ["softirq", "hardirq", "softirq", None, "hardirq", None]) and not said,
               f"the context of wakeups in handlers: {name}", "\n".join(got) + said)
    for name, events, expected in TIMERS:
        for head in TIMED_HEADS if all(flags for flags, _ in events) else TIMED_HEADS[1:]:
            got, said = convert("".join(head.format(flags or ".", at) + event + "\n" for at, (flags, event) in enumerate(events)))
            contexts = [re.search(r'context="([^"]+)"|$', line)[1] for line in records(got, "wakeup")]
            known = contexts == expected if expected else "hardirq timer" not in contexts[1:]
            tap.ok(known and not said, f"{name}: {head.format('FLAG', 0)}", "\n".join(got) + said)


def perf_samples():
    """Samples of perf script, records without a CPU, and times as differences."""
    got, said = convert("b 8 [001] 1.000001:     250000 cpu-clock:pppH: \n\tffffffff8158c3e1 up_read+0x1 ([kernel.kallsyms])\n\n"
                        "b c 7/8 [001] 1.000002:  99 cycles:P:  ffffffff8158c3e1 up_read+0x1 (k)\n"
                        "b 8 1.000003:  7 cpu/event=0x3c,umask=0x0/u: \nb 8 [001] 1.000004: cycles: \n" +
                        f"{HEADS['perf script']}{SWITCH}\n")
    samples = sorted(re.sub(r'.* ticks=(\d+) .* thread=(\d+) .*category="perf" name=', r"\1 \2 ", line) for line in
                     records(got, "instant"))
    tap.ok(samples == ['1000001000 8 "cpu-clock:pppH" {period=250000}', '1000002000 8 "cycles:P" {period=99}',
                       '1000003000 8 "cpu/event=0x3c,umask=0x0/u" {period=7}', '1000004000 8 "cycles"'] and
           len(records(got, "context-switch")) == 1 and said.count("\n") == 1 and "1 lines of perf script's stacks" in said,
           "perf script's samples of other events", "\n".join(samples) + said)
    got, said = convert("a 0 0.000000: PERF_RECORD_COMM: a:7/8\na 8 1.5: PERF_RECORD_MMAP2 7/8: x\n"
                        "a 8 1.6: PERF_RECORD_FORK(7:9):(7:8)\na 8 1.7: PERF_RECORD_LOST lost 5\na 8 1.8: 4 cycles: \n")
    names = sorted(re.sub(r".*koid=(\d+) type=2 name=(.*) {process=(\d+) .*", r"\1 \3 \2", line) for line in got
                   if "type=2" in line)
    tap.ok(names == ['8 7 "a"', '9 7 "a"'] and 'name="lost"' not in "".join(got) and "1 other records of perf" in said and
           "5 events that perf lost" in said and said.count("\n") == 2, "perf script's records without a CPU", "\n".join(names) + said)
    for what, times, counted in (("--deltatime", ("0.000000", "0.000005", "0.000002"), True),
                                 ("--deltatime --ns", ("0.000000000", "0.000005000", "0.000002001"), False)):
        got, said = convert("".join(f"b     8 [001]     {time}: sched:{WAKEUP}\n" for time in times))
        tap.ok([re.search(r" ticks=(\d+)", line)[1] for line in records(got, "wakeup")] ==
               ["0", "5000", "7001" if "ns" in what else "7000"] and
               ("3 parts of a microsecond" in said) == counted and said.count("\n") == counted,
               f"perf script {what}: times are added up", "\n".join(got) + said)
    got, said = convert(f"{HEADS['perf script']}{SWITCH}\nx-91 8/8 100.000001: sched:{SWITCH}\n")
    tap.ok(len(records(got, "context-switch")) == 1 and "1 lines that were not understood" in said,
           "perf script -F comm,pid,tid,time,...: a name that ends in a number isn't taken for ftrace's line", "\n".join(got) + said)


def buffers():
    """Several buffers, files and machines of trace-cmd report."""
    got, said = convert(f"b1:            x: y-9     [001] d..2.   100.000001: {WAKEUP}\n")
    tap.ok(any('koid=9 type=2 name="x: y"' in line for line in got) and not said,
           "a buffer's name before a thread's is none of it", "\n".join(got) + said)
    for name, line in (("trace-cmd report", "{:4}{:>16}-9     [001] d..2.   100.00000{}: {}\n"),
                       ("trace-cmd report -l", "{:4}{:>8}-9       1d..2.  100.00000{}: {}\n")):
        got, said = convert("cpus=2\n" + "".join(line.format(buffer, "x", at, event) for at, (buffer, event) in enumerate((
            ("", SWITCH), ("b1:", SWITCH), ("", WAKEUP), ("b1:", WAKEUP), ("b1:", WAKEUP)))))
        tap.ok(len(records(got, "context-switch")) == 1 and len(records(got, "wakeup")) == 2 and
               "2 events that the file has more than once" in said and "b1:" not in "".join(got),
               f"{name}: an event of two buffers is one", "\n".join(got) + said)
    for apart, count in ((999999, 1), (1000000, 2)):
        got, said = convert("cpus=2\n" + "".join(f"{buffer:4}{'x':>16}-9     [001] d..2.   100.{ns:09}: {WAKEUP}\n"
                                                 for buffer, ns in (("", 0), ("b1:", apart))))
        tap.ok((len(records(got, "wakeup")), "more than once" in said) == (count, count == 1),
               f"trace-cmd report: equal events of two buffers, {apart} ns apart, are {count}", "\n".join(got) + said)
    got, said = convert(f"cpus=2\nb1:                x-9     [001]   99.000001: {SWITCH}\nb1: CPU:1 [44 EVENTS DROPPED]\n" +
                        f"             x-9     [001]   100.000001: {WAKEUP}\nb1:                x-9     [001]   100.000002: {WAKEUP}\n")
    lost = [line for line in got if 'name="lost"' in line]
    tap.ok(len(lost) == 1 and "records=44" in lost[0] and len(records(got, "wakeup")) == 2 and not said,
           "trace-cmd report: a loss of a buffer, and an event behind it without its name", "\n".join(lost) + said)
    got, said = convert(" host.dat: cpus=2\nguest.dat: cpus=2\n" + "".join(
        f"{name:>9}: {'x: y':>20}-9     [001] d..2.   100.000001: {WAKEUP}\n" for name in ("host.dat", "guest.dat")))
    tap.ok(len(records(got, "wakeup")) == 2 and "more than once" not in said and
           'name="x: y"' in "".join(got) and ".dat" not in "".join(got),
           "trace-cmd report: equal events of two files, which may be of two machines, are two", "\n".join(got) + said)
    got, said = convert("CPU 41 is empty\ncpus=42\n" + "".join(
        f"{f'b{buffer}:' if buffer else '':4}{'x':>16}-{cpu + 9:<5} [{cpu:03}] d..2.   10{at}.00000{buffer}: {WAKEUP}\n"
        for at in range(9) for buffer in range(9) for cpu in range(40)))
    tap.ok(len(records(got, "wakeup")) == 9 * 40 and "2880 events that the file has more than once" in said,
           "trace-cmd report: of many buffers and CPUs, too", said)


def lost():
    """Times of a counter, lines of other tracers, and losses of CPUs."""
    got, said = convert(f"b-8 [001] d..2. 1234567: {SWITCH}\nb-8 [001] 1234569: {WAKEUP}\n")
    tap.ok("0.001234567 " in records(got, "context-switch")[0] and "0.001234569 " in records(got, "wakeup")[0] and
           "2 units of times" in said, "times of a counter are numbers, which is said", "\n".join(got) + said)
    head = HEADS["five flags"]
    got, said = convert(head + SWITCH + "\n" + GRAPH + head + WAKEUP + "\n", "--strict")
    tap.ok(len(records(got, "context-switch")) == 1 and len(records(got, "wakeup")) == 1 and
           "7 lines of the function graph tracer; first: " in said and "in.txt: line 2" in said,
           "lines of the function graph tracer in between", "\n".join(got) + said)
    got, said = convert(f"a-7 [000] ..... 10.0: {WAKEUP}\n##### CPU 1 buffer started ####\n"
                        f"a-7 [001] ..... 12.5: {WAKEUP}\nCPU:1 [LOST 42 EVENTS]\na-7 [001] ..... 13.0: {WAKEUP}\n")
    lost = [line for line in got if 'name="lost"' in line]
    tap.ok(len(lost) == 2 and "10.000000000 " in lost[0] and "end_ticks=12500000000" in lost[0] and
           "12.500000000 " in lost[1] and "end_ticks=13000000000" in lost[1] and "records=42" in lost[1] and not said,
           "a buffer that started later, and lost events, are losses of that CPU", "\n".join(got) + said)
    got, said = convert(f"a-7 [000] ..... 10.0: {WAKEUP}\na-7 [001] ..... 11.0: {WAKEUP}\nCPU:1 [LOST 5 EVENTS]\n"
                        f"a-7 [000] ..... 14.0: {WAKEUP}\n")
    lost = [line for line in got if 'name="lost"' in line]
    tap.ok(len(lost) == 1 and "11.000000000 " in lost[0] and "end_ticks=14000000000" in lost[0] and not said,
           "behind what a CPU lost last nothing is known of it, up to the trace's end", "\n".join(lost) + said)
    got, said = convert(f"a-7 [000] ..... 10.0: {WAKEUP}\na-7 [000] ..... 14.0: {WAKEUP}\nCPU:0 [LOST 5 EVENTS]\n"
                        f"a-7 [001] ..... 11.0: {WAKEUP}\nCPU:1 [LOST 5 EVENTS]\n")
    lost = sorted(line.split(":", 1)[1] for line in got if 'name="lost"' in line)
    tap.ok(len(lost) == 2 and " ticks=11000000000" in lost[1] and all("end_ticks=14000000000" in line for line in lost) and not said,
           "the same where one CPU's lines are behind another's", "\n".join(lost) + said)
    got, said = convert(f"a 7 [001] 10.0: sched:{WAKEUP}\na 7 [001] 12.0: PERF_RECORD_LOST lost 5\n"
                        f"a 7 [001] 12.5: PERF_RECORD_LOST_SAMPLES lost 2\na 7 [001] 13.0: sched:{WAKEUP}\n"
                        f"a 7 [001] 15.0: PERF_RECORD_LOST lost 4\n")
    lost = [line for line in got if 'name="lost"' in line]
    tap.ok(len(lost) == 2 and "10.000000000 " in lost[0] and "end_ticks=13000000000" in lost[0] and "records=7" in lost[0] and
           "13.000000000 " in lost[1] and "end_ticks=15000000000" in lost[1] and "records=4" in lost[1] and not said,
           "perf script: what PERF_RECORD_LOST counts was lost before it", "\n".join(lost) + said)


def renamed():
    """Names of new threads, new names, and lines that are not understood."""
    head = HEADS["five flags"]
    made = ("task_newtask: pid=9 comm=a b clone_flags=3d0f00 oom_score_adj=0",
            "task_newtask: pid=10 comm=c clone_flags=1200011 oom_score_adj=0",
            "task_rename: pid=9 oldcomm=a b newcomm=new name oom_score_adj=0",
            "task_rename: oldcomm=b newcomm=self oom_score_adj=0")
    got, said = convert("".join(f"{HEADS['a process']}{line}\n" for line in made))
    names = [re.sub(r".*koid=(\d+) type=2 name=(.*) {process=(\d+) .*", r"\1 \3 \2", line) for line in got
             if "type=2" in line]
    tap.ok(sorted(names) == ['10 10 "c"', '8 7 "b"', '8 7 "self"', '9 7 "a b"', '9 7 "new name"'] and not said and
           len(records(got, "instant")) == 4, "new threads and new names", "\n".join(got) + said)
    made = ("task_newtask: pid=9 comm= clone_flags=0 clone_flags=3d0f00 oom_score_adj=0",
            "task_rename: pid=9 oldcomm= clone_flags=0 newcomm=x newcomm=y oom_score_adj=0",
            "task_rename: pid=9 oldcomm=x newcomm=y newcomm=a newcomm=b oom_score_adj=0",
            "task_rename: pid=9 oldcomm=a newcomm=b newcomm= oom_score_adj= oom_score_adj=0",
            "task_rename: pid=11 oldcomm=c newcomm=d newcomm=twelve bytes oom_score_adj=0")
    got, said = convert("".join(f"{HEADS['a process']}{line}\n" for line in made))
    names = [re.sub(r".*koid=(\d+) type=2 name=(\".*\") {process.*", r"\1 \2", line) for line in got if "type=2" in line]
    tap.ok(sorted(names) == ['11 "twelve bytes"', '8 "b"', '9 " clone_flags=0"', '9 " oom_score_adj="', '9 "a newcomm=b"',
                             '9 "x newcomm=y"'] and not said, "names with keys in them", "\n".join(got) + said)
    made = ("task_newtask: pid=9 comm=a b clone_flags=3d0f00 oom_score_adj=0",)
    got, said = convert(f"{head}{made[0]}\n")
    tap.ok(any('koid=9 type=2 name="a b" {process=8 ' in line for line in got),
           "a thread is of its creator's process, which is named after it where nothing says more", "\n".join(got))
    got, said = convert(f"{head}{WAKEUP}\n{head}tracing_mark_write: two\nlines\n{head}{WAKEUP}\n")
    tap.ok(len(records(got, "wakeup")) == 2 and "1 lines that were not understood; first: " in said and
           "in.txt: line 3" in said, "the second line of an event is passed over", "\n".join(got) + said)
    got, said = convert(f"{head}{WAKEUP}\n{head}sched_switch: prev_comm=a\n")
    tap.ok(len(records(got, "wakeup")) == 1 and "1 events with malformed fields" in said,
           "an event without the fields that it needs is passed over", "\n".join(got) + said)


def main():
    with FOLDER:
        for judge in (forms, processes, cut_texts, compressed, numbers, perf_records, contexts, perf_samples, buffers, lost, renamed):
            judge()
    tap.done()


main()
