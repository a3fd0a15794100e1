#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Folders of the Common Trace Format: as LTTng lays them out, and what perf makes of its own files."""
import json
import os
import shutil
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import ctfmake
import foreign
import tap
from ctfmake import Trace, switch

EVENTS = ("sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_migrate_task,"
          "sched:sched_process_fork,irq:irq_handler_entry,irq:irq_handler_exit,irq:softirq_entry,irq:softirq_exit,"
          "raw_syscalls:sys_enter,raw_syscalls:sys_exit,power:cpu_idle")
LOAD = ["sh", "-c", "perf bench sched pipe -l 100; ls / /proc"]
UUID = "5a3ffa4f-8cb4-41d1-8f1c-6e8d1a43a9b3"


def dumped(path, folder, *options):
    """The lines of dump, without their offsets, of what is made of a folder; and what was said."""
    out = os.path.join(folder, "out.fxt")
    done = tap.run([tap.FXTREC, "convert", path, "-o", out, *options])
    if done.returncode:
        return [], done.stderr
    return [line.split(None, 1)[1] for line in tap.run([tap.FXTREC, "dump", out]).stdout.splitlines()], done.stderr


def has(lines, *words):
    return any(all(word in line for word in words) for line in lines)


def fill(trace):
    waking = "sched_waking"
    trace.streams = {
        0: [([(900, waking, ("t7", 7, 20, 0)), switch(1000, 5, 7), (1100, "syscall_entry_read", (3, 100)),
              (1200, waking, ("t5", 5, 20, 0)), (1300, "syscall_exit_read", (100, 0xffff888000000000)),
              (1400, "odd", (2, 1.5, "hä llo", 3, [7, 8, 9], (1, 2), 0xffff888000000000))], 0, 0),
            ([switch(2000, 7, 5)], 4, 1), ([(2900, waking, ("t7", 7, 20, 0)), switch(3000, 5, 7)], 4, 2),
            ([switch(4000, 7, 5)], 4, 5)],
        2: [([switch(1500, 0, 40), (1600, waking, ("t41", 41, 20, 2))], 0, 0), ([switch(1900, 40, 0)], 3, 1, 1800),
            ([switch(2500, 0, 40), (2550, waking, ("t41", 41, 20, 2))], 8, 2), ([switch(2700, 40, 0)], 8, 3)],
        1: [([(950, "lttng_statedump_process_state", (7, 6, "seven")), (960, "syscall_entry_read", (3, 100))], 0, 0)]}
    return trace


def judge_made(folder):
    """Traces of known contents, in both byte orders."""
    lines, said = dumped(fill(Trace("<", trace_id=UUID)).write(os.path.join(folder, "le")), folder)
    tap.ok(lines and not said, "a trace is read", said)
    done = tap.run([tap.FXTREC, "query", "--csv", os.path.join(folder, "le"), "SELECT count(*) FROM wakeup"])
    tap.ok(done.stdout.split()[-1:] == ["5"], "query takes a folder", done.stderr + done.stdout)
    tap.ok(has(lines, "0.000001000 context-switch", "cpu=0 outgoing=5", "state=blocked incoming=7", "outgoing_weight=120"),
           "a switch, with the kernel's priority", lines)
    tap.ok(has(lines, "wakeup", "ticks=900 ", "thread=7 ", "{waker=5}") and has(lines, "ticks=1200 ", "thread=5 ", "{waker=7}"),
           "a waker is what runs on the CPU, before the first switch, too", lines)
    tap.ok(has(lines, "kernel-object", 'koid=7 type=2 name="seven" {process=6'), "names and processes of the state dump")
    tap.ok(has(lines, "duration-begin", "process=6 thread=7", 'category="syscalls" name="read"') and
           has(lines, "duration-end", 'name="read" {ret=100}'), "a system call is a duration of its thread", lines)
    tap.ok(has(lines, "ticks=960 ", "thread=1090519041", 'name="syscall_entry_read" {fd=3 count=100}'),
           "where no thread is known, an instant of the CPU", lines)
    tap.ok(has(lines, 'name="odd" {kind="BLUE" ratio=1.5 text="hä llo" list="[7, 8, 9]" pair="{a=1, b=2}" address=0}'),
           "fields of all types; no address of the kernel", lines)
    tap.ok(has(lines, 'name="lost" end_ticks=2900 {cause="ring full" records=4}', "ticks=2000 ") and
           has(lines, 'name="lost" end_ticks=4000 {cause="ring full"}', "ticks=3000 "),
           "discarded events and packets are losses of the CPU", lines)
    tap.ok(has(lines, 'name="lost" end_ticks=1900 {cause="ring full" records=3}', "ticks=1600 ") and
           has(lines, 'name="lost" end_ticks=2500 {cause="ring full"}', "ticks=1900 "),
           "what a packet counts may be lost before it, if it doesn't follow at once, and behind it", lines)
    tap.ok(has(lines, 'name="lost" end_ticks=2700 {cause="ring full" records=5}', "ticks=2500 "),
           "what is lost of scheduling is behind the packet's last switch", lines)
    tap.ok(has(lines, "ticks=2900", "wakeup") and not has(lines, "ticks=2900", "waker="), "behind a loss no waker is known", lines)
    tap.ok(has(lines, 'name="clock" {clock="mono" realtime=1900 monotonic=900}') and
           has(lines, 'name="host" {host="box" release="6.1.0" boot="5a3ffa4f-'), "the clock's offset, and the host", lines)
    big, said = dumped(fill(Trace(">", trace_id=UUID)).write(os.path.join(folder, "be")), folder)
    tap.ok(big == lines, "the other byte order: the same", said)
    lines, said = dumped(fill(Trace("<", frequency=10**8)).write(os.path.join(folder, "slow")), folder)
    tap.ok(has(lines, "0.000010000 context-switch", "outgoing=5"), "a clock of another frequency", said or lines)
    for release, states in (("4.13.16-x", "XPD"), ("4.14.0", "PRI"), ("6.1.0", "PRI")):
        trace = Trace("<", release=release)
        trace.streams = {0: [([switch(1000 + i, 5, 7, number) for i, number in enumerate((0x40, 0x200, 0x80))], 0, 0)]}
        lines, said = dumped(trace.write(os.path.join(folder, release)), folder)
        got = [line for line in lines if "context-switch" in line]
        kinds = {"X": "state=dead", "P": 'state="P"', "R": 'state="R+"', "D": 'state="D"', "I": 'state="I"'}
        tap.ok(len(got) == 3 and all(kinds[state] in line for state, line in zip(states, got)),
               f"the numbers of states are those of {release}", said or got)
    with open(os.devnull, encoding="ascii") as null:
        done = tap.run(["sh", "-c", f"{tap.FXTREC} report - <{folder}/le"], stdin=null)
    tap.ok(done.returncode == 0 and "t7:7" in done.stdout, "a folder as standard input", done.stderr)


def judge_short(folder):
    """Times of 32 bits, without those of packets, as of small systems."""
    os.makedirs(folder)
    with open(os.path.join(folder, "metadata"), "w", encoding="utf-8") as f:
        f.write("""/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { uint32_t timestamp; uint32_t id; }; };
event { name = "tick"; id = 7; fields := struct { uint32_t n; }; };
""")
    times = (0, 10, 0xffff0000, 5)
    with open(os.path.join(folder, "channel0_0"), "wb") as f:
        f.write(b"".join(struct.pack("<III", at, 7, i) for i, at in enumerate(times)))
    lines, said = dumped(folder, folder)
    got = [int(line.split("ticks=")[1].split()[0]) for line in lines if 'name="tick"' in line]
    tap.ok(got == [0, 10, 0xffff0000, (1 << 32) + 5] and not said, "times of 32 bits begin where the trace says", f"{got} {said}")


def judge_handlers(folder):
    """LTTng's events don't say of which context they are."""
    trace = Trace("<", classes={**ctfmake.SCHED, "irq_softirq_entry": [("vec", "u32")], "irq_softirq_exit": [("vec", "u32")]})
    woken = ("t7", 7, 20, 0)
    trace.streams = {0: [([switch(1000, 7, 5), (1100, "irq_softirq_entry", (3,)), (1200, "sched_waking", woken),
                           (1300, "irq_softirq_exit", (3,)), (1400, "sched_waking", woken)], 0, 0)]}
    lines, said = dumped(trace.write(os.path.join(folder, "handlers")), folder)
    tap.ok(has(lines, "ticks=1200 ", '{waker=5 context="softirq"}') and has(lines, "ticks=1400 ", "{waker=5}") and not said,
           "a wakeup in a softirq", lines)
    trace = Trace("<", classes={**ctfmake.SCHED, **{name: [("timer", "u64")] for name in (
        "timer_expire_entry", "timer_expire_exit", "timer_hrtimer_expire_entry", "timer_hrtimer_expire_exit")}})
    trace.streams = {0: [([switch(1000, 7, 5), (1100, "timer_hrtimer_expire_entry", (1,)), (1200, "sched_waking", woken),
                           (1300, "timer_hrtimer_expire_exit", (1,)), (1400, "sched_waking", woken), (1500, "timer_expire_entry", (1,)),
                           (1600, "sched_waking", woken), (1700, "timer_expire_exit", (1,)), (1800, "sched_waking", woken)], 0, 0)]}
    lines, said = dumped(trace.write(os.path.join(folder, "timers")), folder)
    tap.ok(has(lines, "ticks=1200 ", '{waker=5 context="hardirq timer"}') and has(lines, "ticks=1600 ", '{waker=5 context="softirq timer"}')
           and all(has(lines, f"ticks={ns} ", "{waker=5}") for ns in (1400, 1800)) and not said, "wakeups by timers", lines)


def judge_wide(folder):
    """A record has fifteen arguments: further fields are counted by their name."""
    trace = Trace(domain="ust", classes={"app:wide": [(f"f{i}", "u32") for i in range(17)]})
    trace.streams = {0: [([(1000, "app:wide", tuple(range(17))), (1100, "app:wide", tuple(range(17)))], 0, 0)]}
    lines, said = dumped(trace.write(os.path.join(folder, "wide")), folder)
    tap.ok(has(lines, '"wide"', "f14=14") and "4 fields of tracepoints beyond the first 15" in said,
           "fields beyond the fifteenth are counted", (lines[-3:], said))


def judge_owner(folder):
    """Root reads the trace of another user, which no one else can."""
    if os.geteuid():
        tap.skip("a trace of another user", "not root")
        return
    trace, path = Trace("<", classes=ctfmake.SCHED), os.path.join(folder, "another's")
    trace.streams = {0: [([switch(1000, 7, 5)], 0, 0)]}
    trace.write(path)
    for name in os.listdir(path):
        os.chmod(os.path.join(path, name), 0o600)
        os.chown(os.path.join(path, name), 65534, 65534)
    os.chmod(path, 0o700)
    os.chown(path, 65534, 65534)
    lines, said = dumped(path, folder)
    tap.ok(has(lines, "ticks=1000 ") and not said, "root reads a trace of another user", (lines, said))


def judge_folders(folder):
    """A session with the kernel and user space; rotations; several sessions."""
    session = os.path.join(folder, "session")
    for number in range(2):
        part = Trace(trace_id=UUID)
        part.streams = {0: [([switch(1000 + 1000 * number, 5 + 2 * number, 7 - 2 * number)], 0, number)]}
        part.write(f"{session}/archives/2026-{number}/kernel")
    user = Trace(domain="ust", clock_id=ctfmake.Trace().clock_id, classes={"app:step": [("n", "u32"), ("text", "string")],
                                                                        "sched_switch": ctfmake.SCHED["sched_switch"]})
    user.streams = {0: [([(1500, "app:step", (3, "hey"))], 0, 0), ([(1600, "app:step", (4, "you"))], 2, 1),
                        ([switch(1700, 98, 99)], 2, 2)]}
    user.write(f"{session}/ust/uid/0/64-bit")
    lines, said = dumped(session, folder)
    tap.ok(has(lines, "ticks=1000 cpu=0 outgoing=5") and has(lines, "ticks=2000 cpu=0 outgoing=7") and not has(lines, '"lost"'),
           "rotations are one trace", said or lines)
    tap.ok(has(lines, "ticks=1500", "thread=7 ", 'category="app" name="step" {n=3 text="hey"}'),
           "an event of a program is one of the thread that runs there", lines)
    tap.ok(has(lines, 'category="ust" name="discarded_events" {count=2}'), "what a program lost is said", lines)
    tap.ok(has(lines, 'name="sched_switch" {prev_comm="t98"') and not has(lines, "context-switch", "t98"),
           "a program can't make switches", lines)
    fill(Trace()).write(f"{session}/other/kernel")
    tap.fails(["report", session], 1, "different kernels or times: give one of them", "two kernels' recordings: one line")
    shutil.rmtree(f"{session}/other")
    fill(Trace(domain="ust", host="elsewhere")).write(f"{session}/other/ust")
    tap.fails(["report", session], 1, "different kernels or times: give one of them", "another host's: one line")


def judge_damage(folder):
    whole = fill(Trace()).write(os.path.join(folder, "whole"))
    bad = os.path.join(folder, "bad")

    def damaged(name, change):
        shutil.rmtree(bad, ignore_errors=True)
        shutil.copytree(whole, bad)
        path = os.path.join(bad, name)
        with open(path, "rb") as f:
            data = f.read()
        with open(path, "wb") as f:
            f.write(change(data))

    for part in (0, 5, 100, 700, 2000):
        damaged("metadata", lambda data, n=part: data[:n])
        tap.fails(["report", bad], 1, bad + ": ", f"metadata cut to {part} bytes: one line")
    damaged("metadata", lambda data: data.replace(b"stream {", b"stroam {"))
    tap.fails(["report", bad], 1, "libbabeltrace2 fails on it", "metadata that makes no sense: one line")
    damaged("channel0_0", lambda data: b"\0" + data[1:])
    tap.fails(["report", bad], 1, "libbabeltrace2 fails on it", "another magic: one line")
    damaged("channel0_0", lambda data: data[:-10])
    tap.fails(["report", "--strict", bad], 1, "libbabeltrace2 fails on it", "a cut stream: one line")
    damaged("channel0_0", lambda data: data[:48] + b"\0" * 7 + b"\x10" + data[56:])
    tap.fails(["report", "--strict", bad], 1, "libbabeltrace2 fails on it", "a packet without an end: one line")
    os.remove(os.path.join(bad, "metadata"))
    tap.fails(["report", bad], 1, 'neither it nor a folder in it has a file "metadata"', "no metadata: one line")
    for name in ("metadata", "channel0_0"):
        tap.fails(["report", os.path.join(whole, name)], 1, "give the folder that it is in", f"the file {name}: one line")
    tap.fails(["report", "--from=ctf", __file__], 1, "no folder, as a CTF trace is", "another file: one line")
    tap.fails(["report", "--from=json", whole], 1, "Is a directory", "a folder of another format: one line")
    # One trace of two is damaged.
    both = os.path.join(folder, "both")
    shutil.copytree(whole, both + "/kernel")
    fill(Trace(domain="ust")).write(both + "/ust")
    with open(both + "/ust/metadata", "w", encoding="ascii") as f:
        f.write("/* CTF 1.8 */ nonsense")
    done = tap.run([tap.FXTREC, "report", both])
    tap.ok(done.returncode == 0 and "t7:7" in done.stdout and done.stderr.count("\n") == 1 and both + "/ust" in done.stderr,
           "what is intact is read, and the rest is said", done.stderr)


def judge_perf(folder):
    """The same recording by perf script and by perf's own CTF, where events that come too late get another time."""
    path, made = os.path.join(folder, "perf.data"), os.path.join(folder, "perf")
    for _ in range(5):
        shutil.rmtree(made, ignore_errors=True)
        tap.run(["perf", "record", "-m", "8M", "-a", "-o", path, "-e", EVENTS, "--", *LOAD])
        done = tap.run(["perf", "data", "convert", "--to-ctf", made, "-i", path])
        tap.note(done.stderr)
        if "out of order" not in done.stderr:
            break
    said = tap.run(["perf", "script", "--ns", "-F", "comm,tid,cpu,time,event,trace", "-i", path]).stdout
    foreign.judge("perf's CTF", foreign.convert(made, folder, "perf"), foreign.report(said))
    out = os.path.join(folder, "perf.json")
    done = tap.run([tap.FXTREC, "report", "--json", made])
    with open(out, "w", encoding="utf-8") as f:
        f.write(done.stdout)
    tap.ok(done.returncode == 0 and json.loads(done.stdout), "a report is one command", done.stderr)


with tempfile.TemporaryDirectory() as top:
    judge_made(top)
    judge_short(os.path.join(top, "short"))
    judge_handlers(top)
    judge_owner(top)
    judge_wide(top)
    judge_folders(top)
    judge_damage(top)
    judge_perf(top)
tap.done()
