#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ftrace's text and systrace's HTML, both ways, from lines as kernels, trace-cmd and Android print them."""
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import BEGIN, COMPLETE, END, File

TGID = """\
# tracer: nop
#
# entries-in-buffer/entries-written: 5/8   #P:2
          <idle>-0       (-------) [000] d..2.   100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a => b-1 [0] next_pid=12 next_prio=-1
    a => b-1 [0]-12      (     11) [000] dNZ2b   100.000100: sched_switch: prev_comm=a => b-1 [0] prev_pid=12 prev_prio=-1 prev_state=P ==> next_comm=x prev_pid=3 next_pid=13 next_prio=120
    x prev_pid=3-13      (     11) [000] D.h1    100.000150: sched_switch: prev_comm=x prev_pid=3 prev_pid=13 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
            main-11      (     11) [001] dLh2.   100.000200: sched_waking: comm=x prev_pid=3 pid=13 prio=120 target_cpu=000
            main-11      (     11) [001] d..2.   100.000250: sched_wakeup_new: comm=main pid=15 prio=120 target_cpu=001
            main-11      (     11) [001] d.H2.   100.000260: sched_waking: comm=x prev_pid=3 pid=13 prio=98 target_cpu=000
            main-11      (     11) [001] d..2.   100.000270: sched_migrate_task: comm=x prev_pid=3 pid=13 prio=98 orig_cpu=0 dest_cpu=12
            main-11      (     11) [001] d.s2.   100.000280: sched_waking: comm=main pid=15 prio=120 target_cpu=001
            main-11      (     11) [001] d.Z2.   100.000285: sched_waking: comm=main pid=15 prio=120 target_cpu=001
            main-11      (     11) [001] dbz2.   100.000290: sched_waking: comm=main pid=15 prio=120 target_cpu=001
"""
# In each of two microseconds a CPU does something with a thread that another, the text of which comes first, has done just before.
TIES = """\
# tracer: nop
          <idle>-0     [001] d.... 1000.000001: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=11 next_prio=120
          <idle>-0     [000] d.... 1000.000001: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=12 next_prio=120
               a-11    [001] d.... 1000.000010: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
               b-12    [000] d.... 1000.005000: sched_waking: comm=a pid=11 prio=120 target_cpu=000
          <idle>-0     [001] d.... 1000.005000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=11 next_prio=120
               a-11    [001] d.... 1000.009000: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=c next_pid=13 next_prio=120
               b-12    [000] d.... 1000.009000: sched_switch: prev_comm=b prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=a next_pid=11 next_prio=120
               a-11    [000] d.... 1000.019000: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
               c-13    [001] d.... 1000.020000: sched_switch: prev_comm=c prev_pid=13 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
"""
MARKS = """\
            main-11      (     11) [001] .....   100.000300: tracing_mark_write: B|11|outer
            main-11      (     11) [001] .....   100.000310: tracing_mark_write: C|11|count|-5
            main-11      (     11) [001] .....   100.000320: tracing_mark_write: S|11|async|7
            main-11      (     11) [001] .....   100.000330: tracing_mark_write: F|11|async|7
            main-11      (     11) [001] .....   100.000340: tracing_mark_write: I|11|instant
            main-11      (     11) [001] .....   100.000350: tracing_mark_write: E|11
            main-11      (     11) [001] .....   100.000360: tracing_mark_write: hello: world
CPU:1 [LOST 123 EVENTS]
            main-11      (     11) [001] .....   100.000400: clock_rate: state=1000 cpu_id=1
            main-11      (     11) [001] .....   100.000420: many: """ + \
    " ".join(f"f{i}={i}" for i in range(20)) + "\n"
KERNEL = """\
# tracer: nop
   <idle>-0 [000] d..2. 100.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=10 next_prio=120
   hog-10 [000] d.h1. 100.001000: irq_handler_entry: irq=5 name=eth0
   hog-10 [000] d.h1. 100.001100: sched_waking: comm=v pid=11 prio=120 target_cpu=000
   hog-10 [000] d.h1. 100.001500: irq_handler_exit: irq=5 ret=handled
   hog-10 [000] ..s1. 100.001500: softirq_entry: vec=3 [action=NET_RX]
   hog-10 [000] ..s1. 100.002000: softirq_exit: vec=3 [action=NET_RX]
   hog-10 [000] ..... 100.002100: cpu_frequency: state=1800000 cpu_id=1
   hog-10 [000] ..... 100.002200: sys_enter: NR 1 (1, 2, 3, 4, 5, 6)
   hog-10 [000] ..... 100.002300: sys_exit: NR 1 = -11
   <idle>-0 [001] ..... 100.002400: cpu_idle: state=3 cpu_id=1
   <idle>-0 [001] ..... 100.002500: cpu_idle: state=4294967295 cpu_id=1
   hog-10 [000] d..2. 100.003000: sched_switch: prev_comm=hog prev_pid=10 prev_prio=120 prev_state=R ==> next_comm=v next_pid=11 next_prio=120
"""
TRACE_CMD = """\
cpus=2
CPU 1 is empty
          <idle>-0     [000]   100.000000123: sched_waking:         comm=w pid=7 prio=120 target_cpu=000
          <idle>-0     [000]   100.000001: sched_switch:         swapper/0:0 [120] R ==> w:1:7 [120]
             w:1-7     [000]   100.000002: print:                tracing_mark_write: B|7|x
             w:1-7     [000]   100.000003: sched_switch:         w:1:7 [120] I ==> swapper/0:0 [120]
"""
SYSTRACE = """\
          <idle>-0     (-----) [000] dn.2   100.000000: sched_wakeup: comm=w pid=7 prio=120 success=1 target_cpu=000
"""


class Convert:
    def __init__(self, folder):
        self.folder = folder
        self.said = ""

    def __call__(self, source, target, *options):
        done = tap.run([tap.FXTREC, "convert", self.path(source), "-o", self.path(target), *options])
        self.said = done.stderr
        return done.returncode

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", newline="") as f:
            f.write(text)

    def dump(self, name):
        """The records that take place, without their offsets."""
        text = tap.run([tap.FXTREC, "dump", self.path(name)]).stdout
        lines = [re.sub(r"^0x\w+ +| (\w*_name|thread_name)=\"[^\"]*\"", "", l) for l in text.splitlines()]
        return sorted(l for l in lines if not re.match(r"- (string|provider-info|init|magic)", l))


DUMP = """PROCESS DUMP
USER           PID  PPID     VSZ    RSS WCHAN            PC S NAME                        COMM
root             1     0   10632   9192 0                 0 S init                        init
system        1800   900 4680324 226512 0                 0 S com.android.systemui        ndroid.systemui
u0_a1         1900   900 4680324 226512 0                 0 S com.example.app             com.example.app
USER           PID   TID CMD
root             1     1 init
system        1800  1800 ndroid.systemui
system        1800  1805 Jit thread pool
system        1800  1806 another
"""
DUMPED = """# tracer: nop
# TASK-PID
  <...>-1805  ( 1800) [000] ..... 100.000000: tracing_mark_write: B|1800|a
 ndroid.systemui-1800  ( 1800) [000] ..... 100.000001: tracing_mark_write: B|1800|b
 other-1806  ( 1800) [000] ..... 100.000001: tracing_mark_write: B|1800|c
"""
PROCESSES = [(1, "init"), (1800, "com.android.systemui"), (1900, "com.example.app")]
THREADS = [(1, "init"), (1800, "ndroid.systemui"), (1805, "Jit thread pool"), (1806, "other")]


def names(convert, name):
    """Processes and threads of a trace, by id."""
    return [[tuple(row.values()) for row in json.loads(tap.run([
        tap.FXTREC, "query", "--json", convert.path(name), f"SELECT {key}, name FROM {table} WHERE {key} ORDER BY 1"]).stdout)]
            for table, key in (("process", "pid"), ("thread", "tid"))]


def dumps(convert, page):
    """Systrace's HTML has the names of processes in a script of its own, before or behind the text."""
    for place, scripts in ("before", (DUMP, DUMPED)), ("behind", (DUMPED, DUMP)):
        convert.write("d.html", "".join(page % script for script in scripts) + "</body>\n</html>\n")
        convert("d.html", "d.fxt")
        tap.ok(names(convert, "d.fxt") == [PROCESSES, THREADS] and not convert.said,
               f"HTML: a dump of processes {place} the text names processes, and threads that the text doesn't",
               f"{names(convert, 'd.fxt')} {convert.said}")
    convert("d.fxt", "e.html")
    with open(convert.path("e.html"), encoding="utf-8") as f:
        text = f.read()
    scripts = re.findall(r'^  <script class="trace-data" type="application/text">\n(.*?)^  </script>\n', text, re.M | re.S)
    tap.ok(len(scripts) == 2 and scripts[0].startswith("PROCESS DUMP\n") and scripts[1].startswith("# tracer:") and
           text.endswith("  </script>\n</body>\n</html>\n"), "HTML: a dump of processes comes before the text", text)
    lines = [line.split() for line in scripts[0].splitlines()]
    head = next(i for i, line in enumerate(lines) if line[:4] == ["USER", "PID", "PPID", "VSZ"])
    told = {(int(line[1]), line[8]) for line in lines[head + 1:]}
    tap.ok(told >= set(PROCESSES) and all(len(line) == 10 for line in lines[head:]),
           "HTML: it has the columns that Perfetto and Trace Viewer read", scripts[0])
    convert("e.html", "f.fxt")
    tap.ok(names(convert, "f.fxt") == [PROCESSES, THREADS] and not convert.said, "HTML: names come back", names(convert, "f.fxt"))
    convert.write("n.json", json.dumps([{"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "a b</script>\u00e9"}},
                                        {"ph": "i", "name": "i", "ts": 1, "pid": 5, "tid": 5}]))
    convert("n.json", "n.html")
    with open(convert.path("n.html"), encoding="utf-8") as f:
        text = f.read()
    tap.ok("S a_b_/script>\u00e9 a_b_/script>\u00e9\n" in text and text.count("</script>") == 2,
           "HTML: a name in the dump is one word, and ends no script", text)


def has(lines, *parts):
    return any(all(p in l for p in parts) for l in lines)


with tempfile.TemporaryDirectory() as folder:
    convert = Convert(folder)
    convert.write("a.txt", TGID + MARKS)
    tap.ok(convert("a.txt", "a.fxt") == 0, "kernel's text is read", convert.said)
    tap.ok("passed over: 3 events before" in convert.said, "what was overwritten is counted", convert.said)
    a = convert.dump("a.fxt")
    for name, parts in (
            ("parked deadline thread", ("outgoing=12 state=blocked", "outgoing_weight=-1", 'state="P"')),
            ("preempted thread", ("outgoing=13 state=running", "outgoing_weight=120", 'state="R+"')),
            ("waking in an interrupt", ("000200", "wakeup:", "cpu=0 thread=13", 'waker=11', 'context="hardirq"')),
            ("in one within a softirq", ("000260", "wakeup:", 'context="hardirq"')),
            ("in a softirq", ("000280", "wakeup:", 'context="softirq"')),
            ("in an NMI within an interrupt", ("000285", "wakeup:", 'context="nmi"')),
            ("in an NMI", ("000290", "wakeup:", 'context="nmi"')),
            ("migration", ('thread=1090650113 category="sched" name="sched_migrate_task" '
                           '{thread=13 prio=98 orig_cpu=0 dest_cpu=12}',)),
            ("the track of migrations", ("koid=1090650113 ", "cpu 1 migrations")),
            ("wakeup of a new thread", ("wakeup:", "thread=15", 'event="sched_wakeup_new"')),
            ("begin", ("duration-begin", 'name="outer"')), ("end", ("duration-end", "thread=11")),
            ("counter", ("counter:", 'name="count"', "value=-5")),
            ("async", ("async-begin", 'name="async"')),
            ("message as a log", ("log:", 'message="hello: world"')),
            ("loss", ('name="lost"', "end_ticks=100000400000", "records=123")),
            ("fields", ('name="clock_rate"', "{state=1000 cpu_id=1}")),
            ("too many fields", ("f13=13", 'fields="f14=14 f15=15 f16=16 f17=17 f18=18 f19=19"')),
            ("name and process", ("koid=12 ", "process=11"))):
        tap.ok(has(a, *parts), f"read: {name}", "\n".join(a))
    tap.ok(tap.run([tap.FXTREC, "check", convert.path("a.fxt")]).returncode == 0, "valid FXT")

    for kind in ("txt", "html", "ftrace"):
        tap.ok(convert("a.fxt", f"b.{kind}") == 0 and convert(f"b.{kind}", "c.fxt") == 0,
               f"{kind}: written, and read again", convert.said)
        c = convert.dump("c.fxt")
        tap.ok(a == c, f"{kind}: the same records", "\n".join(sorted(set(a) ^ set(c))))
    convert("a.fxt", "b.txt")
    with open(convert.path("b.txt")) as f:
        text = f.read()
    kernel = [re.sub(r"\] \S+ +([\d.]+):", r"] \g<1>000:", l) for l in TGID.splitlines()[3:]]
    ours = [re.sub(r"\] \S+ +([\d.]+):", r"] \1:", l) for l in text.splitlines() if ": sched_" in l]
    tap.ok(kernel == ours, "lines equal the kernel's in all but flags and nanoseconds",
           "\n".join(sorted(set(kernel) ^ set(ours))))

    flags = [m[1] for m in re.finditer(r"\] (\S{5}) +\S+: sched_(?:wak|migr)", text)]
    tap.ok(flags == ["..h..", ".....", "..h..", ".....", "..s..", "..z..", "..z.."],
           "of the flags, the contexts of wakers", flags)
    convert("a.fxt", "b.html")
    with open(convert.path("b.html")) as f:
        lines = [l for l in f if ": sched_w" in l or ": sched_migrate" in l]
    # The classic letters, and at the line's end an event that Trace Viewer knows.
    odd = [l for l in lines if not re.search(r"\] \.\.[hs.]\.\. .*\] \.\.[hs.]\.\. ", l)]
    moves = [l for l in lines if "sched_migrate_task: comm=x prev_pid=3 pid=13 " in l]
    tap.ok(len(lines) == 7 and not odd and len(moves) == 1 and
           moves[0].endswith(": tracing_mark_write: trace_event_clock_sync: none\n"),
           "Trace Viewer's text has nothing that it warns of", "".join(odd + moves))

    convert.write("k.txt", KERNEL)
    convert("k.txt", "k.fxt")
    k = convert.dump("k.fxt")
    blamed = [tap.run([tap.FXTREC, "blame", "--csv", convert.path("k.txt")]).stdout]
    for kind in "txt", "html":
        tap.ok(convert("k.fxt", f"l.{kind}") == 0 and not convert.said and convert(f"l.{kind}", "l.fxt") == 0 and
               convert.dump("l.fxt") == k, f"{kind}: what the kernel does comes back the same",
               convert.said + "\n".join(sorted(set(k) ^ set(convert.dump("l.fxt")))))
        with open(convert.path(f"l.{kind}")) as source:
            tap.ok(re.findall(r"(cpu_\w+: state=.*)", source.read()) == re.findall(r"(cpu_\w+: state=.*)", KERNEL),
                   f"{kind}: power states are the kernel's lines")
        blamed.append(tap.run([tap.FXTREC, "blame", "--csv", convert.path(f"l.{kind}")]).stdout)
    tap.ok("eth0" in blamed[0] and blamed[0] == blamed[1] == blamed[2], "the text has the same culprits",
           "\n".join(blamed))
    convert.write("i.json", '[{"ph":"i","s":"t","pid":1,"tid":1,"ts":5,"cat":"ftrace","name":"cpu_idle",'
                  '"args":{"state":1,"cpu_id":0}}]')
    tap.ok(convert("i.json", "i.txt") == 0 and convert("i.txt", "i.fxt") == 0 and
           has(convert.dump("i.fxt"), 'instant:', 'name="cpu_idle" {state=1 cpu_id=0}'),
           "an instant of that name stays one", convert.dump("i.fxt"))

    convert.write("t.txt", TRACE_CMD)
    tap.ok(convert("t.txt", "t.fxt") == 0, "trace-cmd's text is read", convert.said)
    t = convert.dump("t.fxt")
    tap.ok(has(t, "100.000000123 wakeup:", "thread=7") and has(t, "outgoing=7", 'state="I"') and
           has(t, "duration-begin", "thread=7"), "nanoseconds, plugins' switches, prints", "\n".join(t))
    convert.write("s.txt", SYSTRACE)
    convert("s.txt", "s.fxt", "--from=ftrace")
    tap.ok(has(convert.dump("s.fxt"), "wakeup:", "thread=7"), "sched_wakeup alone is the wakeup")
    line = "<...>-7     (-----) [000] ...1   100.000000: tracing_mark_write: "
    for name, text in (("text", line + "B|7|x\n"), ("JSON", '{"systemTraceEvents":"%sB|7|x\\n","traceEvents":[]}' % line)):
        convert.write("nameless", text)
        tap.ok(convert("nameless", "n.fxt", "--strict") == 0 and has(convert.dump("n.fxt"), "duration-begin", "thread=7"),
               f"{name} that begins with a thread whose name is not known", convert.said)
    event = '{"ph":"X","pid":1,"tid":2,"ts":%d,"dur":%d,"name":"%s"}'
    for what, events, wanted, crossing in (
            ("begin together", ((10, 2, "child"), (10, 5, "parent")), "B parent B child E child E parent", 0),
            ("are within each other", ((10, 9, "a"), (11, 8, "b"), (12, 2, "c"), (14, 5, "d")),
             "B a B b B c E c B d E d E b E a", 0),
            ("overlap", ((40, 10, "a"), (45, 10, "b")), "B a B b E a E b", 1)):
        convert.write("x.json", "[" + ",".join(event % e for e in events) + "]")
        for kind in "txt", "html":
            convert("x.json", f"x.{kind}")
            said = re.search(r"(\d+) ends of slices that overlap", convert.said)
            with open(convert.path(f"x.{kind}")) as source:
                got = " ".join(" ".join(m) for m in re.findall(r": ([BE])\|1\|(\w+)", source.read()))
            tap.ok(got == wanted and int(said[1] if said else 0) == crossing, f"{kind}: slices that {what}", got + convert.said)
            tap.ok(convert(f"x.{kind}", "y.fxt") == 0 and len([l for l in convert.dump("y.fxt") if "duration-complete" in l]) ==
                   len(events), f"{kind}: read again, each is one", convert.dump("y.fxt"))
    one = '{"ph":"%s","pid":1,"tid":%d,"ts":10,"dur":%d,"name":"%s","args":{"a":"%s"}}'
    ties = []
    for tid in range(40):
        ties.append(one % ("X", 100 + tid, 2, "child", ""))
    ties.append(one % ("i", 7, 0, "of another", ""))
    for tid in range(40):
        ties.append(one % ("X", 100 + tid, 5, "parent", ""))
    convert.write("x.json", "[" + ",".join(ties) + "]")
    convert("x.json", "x.txt")
    with open(convert.path("x.txt")) as source:
        got = re.findall(r"-(\d+) .*: B\|\d+\|(\w+)", source.read())
    tap.ok(all([name for at, name in got if at == str(100 + tid)] == ["parent", "child"] for tid in range(40)),
           "slices of 40 threads that begin together, and an instant between them", got)
    ties = [(one % ("X", 100 + i, 2, "n", chr(97 + i % 26) * 4500)).replace('"ts":10', f'"ts":{10 + at}')
            for at in range(20) for i in range(32)]
    convert.write("x.json", "[" + ",".join(ties) + "]")
    for kind in "txt", "pftrace":
        convert("x.json", f"held.{kind}", "--split=80K")
        sizes = [os.path.getsize(convert.path(name)) for name in os.listdir(folder) if name.startswith("held.") and
                 name.endswith(kind)]
        tap.ok(len(sizes) > (kind == "txt") and max(sizes) <= 80 << 10, f"{kind}: no part is larger for those that begin together", sizes)
    values = {"1.5": "1.5", "2e3": "2000.0", "-0.75": "-0.75", "18446744073709551615": "18446744073709551615",
              "-9223372036854775808": "-9223372036854775808", "0x10": None, "7x": None, "inf": None, "": None,
              "6 ": "6", "2.5 ": "2.5"}
    convert.write("c.txt", "# tracer: nop\n" + "".join(f"{line}C|7|c|{v}\n" for v in values))
    convert("c.txt", "c.fxt")
    c = convert.dump("c.fxt")
    tap.ok({re.search("value=(.*)}", l)[1] for l in c if "counter:" in l} == {v for v in values.values() if v} and
           not has(c, "log:") and "passed over: 4 counters' marks without a number" in convert.said,
           "counters have fractions, and none without a number", convert.said + "\n".join(c))
    for kind in "txt", "html":
        tap.ok(convert("c.fxt", f"d.{kind}") == 0 and convert(f"d.{kind}", "d.fxt") == 0 and
               [l for l in convert.dump("d.fxt") if "counter:" in l] == [l for l in c if "counter:" in l],
               f"{kind}: counters come back the same", "\n".join(convert.dump("d.fxt")))
    tap.ok(convert("c.txt", "d.fxt", "--strict") == 1 and "c.txt: line 7: a counter's mark" in convert.said,
           "a counter without a number is a flaw", convert.said)
    text = '"e":"","n":null,"i":"12","b":"true","p":"0x1f","d":"1.50","m":"-","q":"\\"x\\"","r":3.0,"s":"as it is"'
    convert.write("v.json", '[{"ph":"X","pid":1,"tid":1,"ts":1,"name":"open"},'
                  '{"ph":"b","pid":1,"tid":1,"ts":2,"cat":"c","name":"no id"},'
                  '{"ph":"i","s":"t","pid":1,"tid":1,"ts":3,"name":"i","args":{%s}},'
                  '{"ph":"B","pid":1,"tid":1,"ts":4,"name":"b","args":{%s}},{"ph":"E","pid":1,"tid":1,"ts":5,"args":{%s}},'
                  '{"ph":"e","pid":2,"tid":3,"ts":6,"cat":"c","name":"a","id":"0x3"},'
                  '{"ph":"C","pid":2,"tid":3,"ts":7,"name":"c","args":{"value":1}}]' % (text, text, text))
    convert("v.json", "v.fxt")
    for kind in "txt", "html":
        convert("v.fxt", f"v.{kind}")
        convert(f"v.{kind}", "w.fxt")
        v, w = ([re.sub(r"^0x\w+ |provider=\d+ ", "", l) for l in convert.dump(name) if re.search(r" process=[12] .* name=", l)]
                for name in ("v.fxt", "w.fxt"))
        tap.ok(len(v) == 7 and v == w, f"{kind}: texts that look like numbers, nothing, and whose thread it is",
               "\n".join(sorted(set(v) ^ set(w))))
    for parent, count in ("0", 0), ("0.0", 0), ("100.0", 0), ("99.5", 1):
        convert.write("p.txt", f"# tracer: nop\n{line}B|7|x\n{line}trace_event_clock_sync: parent_ts={parent}\n")
        tap.ok(convert("p.txt", "p.fxt") == 0 and
               sum("trace_event_clock_sync" in l for l in convert.dump("p.fxt")) == count,
               f"parent_ts={parent}: an event only where clocks differ", convert.dump("p.fxt"))
    page = "<!DOCTYPE html>\n<body>\n  <script class=\"trace-data\" type=\"application/text\">\n%s  </script>\n"
    convert.write("s.html", page % "PROCESS DUMP\nUSER PID\n" + page % ("# tracer: nop\n" + SYSTRACE) +
                  "</body>\n</html>\n")
    tap.ok(convert("s.html", "h.fxt") == 0 and convert.dump("h.fxt") == convert.dump("s.fxt"),
           "HTML: the script with the text is found among others", convert.said)
    dumps(convert, page)

    convert.write("ties.txt", TIES)
    reports = {}
    for name in ("ties.txt", "ties.fxt", "ties.pftrace", "ties.json"):
        if name != "ties.txt":
            convert("ties.txt", name)
        done = tap.run([tap.FXTREC, "report", "--json", convert.path(name)])
        reports[name] = {t["comm"]: [round(t[m], -3) for m in ("run_ns", "wait_wakeup_ns", "wait_preempted_ns", "sleep_ns", "unknown_ns")]
                         for t in json.loads(done.stdout)["threads"]}
    tap.ok(reports["ties.txt"]["a"] == [14009000, 0, 0, 5990000, 0] and all(r == reports["ties.txt"] for r in reports.values()),
           "the order of lines of one microsecond is kept", reports)
    exact = TIES.replace(": sched_", "123: sched_")
    convert.write("exact.txt", exact)
    convert("exact.txt", "exact.fxt")
    convert("exact.fxt", "back.txt")
    times = [sorted(re.findall(r"\[\d+\].* (\d+\.\d+): sched_", open(convert.path(name), encoding="utf-8").read()))
             for name in ("exact.txt", "back.txt")]
    tap.ok(len(times[0]) == 9 and times[0] == times[1], "events of one nanosecond keep it", times)

    around = File().provider(1, "x").named(2, 2, "w", leader=True)
    around.event(COMPLETE, 10000, 2, 2, "user", "around", extra=20500).event(BEGIN, 11000, 2, 2, "user", "in")
    around.event(COMPLETE, 11500, 2, 2, "user", "deepest", extra=12000).event(END, 13000, 2, 2, "user", "in")
    with open(convert.path("around.fxt"), "wb") as f:
        f.write(around.data)
    slices = {}
    for name in ("around.fxt", "around.txt", "around.html"):
        if name != "around.fxt":
            convert("around.fxt", name)
        slices[name] = tap.run([tap.FXTREC, "query", "--csv", convert.path(name), "select ts, dur, name from slice"]).stdout
    tap.ok("10000,10500," in slices["around.fxt"] and len(set(slices.values())) == 1,
           "a complete duration around one of a begin and an end", slices)

    convert.write("bad.txt", TGID + "what is this\n" + MARKS)
    tap.ok(convert("bad.txt", "bad.fxt", "--strict") == 1 and "bad.txt: line 14: " in convert.said and
           not os.path.exists(convert.path("bad.fxt")), "a wrong line is named", convert.said)
    tap.ok(convert("bad.txt", "bad.fxt") == 0 and convert.dump("bad.fxt") == a and
           "1 lines that were not understood; first: " in convert.said and "bad.txt: line 14: " in convert.said and
           "expected: " in convert.said, "or passed over and counted", convert.said)
    convert.write("none.txt", "".join(f"what is this {i}\n" for i in range(20)))
    tap.ok(convert("none.txt", "none.fxt", "--from=ftrace") == 1 and "nothing of the file is understood" in convert.said and
           not os.path.exists(convert.path("none.fxt")), "a text with nothing in it is an error", convert.said)
    convert.write("long.txt", TGID + "x" * (1 << 20) + "\n" + MARKS)
    tap.ok(convert("long.txt", "bad.fxt", "--strict") == 1 and "line 14: a line of more than 64 KiB" in convert.said,
           "too long a line", convert.said)
    tap.ok(convert("long.txt", "bad.fxt", "--lenient") == 0 and convert.dump("bad.fxt") == a,
           "too long a line is passed over", convert.said)
    convert.write("wide.txt", TGID + "            main-11      (     11) [001] .....   100.000300: tracing_mark_write: I|11|" + "y" * 33000 + "\n")
    tap.ok(convert("wide.txt", "wide.fxt") == 0 and "1 ends of texts beyond 32000 bytes" in convert.said,
           "the end of a text that a record can't hold is counted", convert.said)
tap.done()
