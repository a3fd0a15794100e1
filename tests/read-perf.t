#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""perf.data as perf records it here: of files, pipes, packed; event by event as perf script prints them."""
import gzip
import itertools
import json
import os
import re
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import foreign
import tap

EVENTS = ("sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_migrate_task,"
          "sched:sched_stat_runtime,sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit,"
          "task:task_newtask,task:task_rename,irq:irq_handler_entry,irq:irq_handler_exit,irq:softirq_entry,"
          "irq:softirq_exit,irq:softirq_raise,raw_syscalls:sys_enter,raw_syscalls:sys_exit,power:cpu_idle,"
          "timer:timer_expire_entry,timer:timer_expire_exit,timer:hrtimer_expire_entry,timer:hrtimer_expire_exit")
LOAD = ["sh", "-c", "perf bench sched pipe -l 200; ls / /proc; grep . /proc/interrupts"]


def with_room(path, once):
    """perf record into that file, with buffers that lose nothing, however much others do meanwhile."""
    for room in ("8M", "32M", "128M"):
        done = once(["perf", "record", "-m", room, "-a"])
        if not lost(path):
            break
    return done


def record(path, *options, load=LOAD):
    """perf record of all CPUs."""
    done = with_room(path, lambda perf: tap.run([*perf, "-o", path, *options, "--", *load]))
    if done.returncode:
        tap.note(done.stderr)
    return path


def lost(path):
    """How many events perf says that it lost."""
    done = tap.run(["perf", "script", "--show-lost-events", "-i", path])
    if done.returncode:
        tap.note(f"perf script: status {done.returncode}: {done.stderr[-400:]}")
    return sum(map(int, re.findall(r"PERF_RECORD_LOST lost (\d+)", done.stdout)))


def script(path):
    return foreign.report(tap.run(["perf", "script", "--ns", "-F", "comm,tid,cpu,time,event,trace", "-i", path]).stdout)


def judge(what, path, folder, name, *options):
    foreign.judge(what, foreign.convert(path, folder, name, *options), script(path))


def judge_pipe(folder):
    """The same file by standard input, as perf record writes it into a pipe."""
    path = os.path.join(folder, "pipe")
    def once(perf):
        with open(path, "wb") as f:
            return tap.run([*perf, "-e", EVENTS, "-o", "-", "--", "sh", "-c", LOAD[2] + " >&2"], stdout=f, stderr=-3)

    done = with_room(path, once)
    tap.ok(done.returncode == 0, "perf record into a pipe")
    made = [os.path.join(folder, f"pipe.{suffix}") for suffix in ("txt", "json")]
    for out in made:
        with open(path, "rb") as f:
            tap.run(["sh", "-c", f"cat | {tap.FXTREC} convert - -o {out}"], stdin=f)
    foreign.judge("a pipe", made if all(map(os.path.exists, made)) else None, script(path))


def judge_script(path, folder):
    """The text that perf script prints of the file is read as the file is, but for processes and exact waits."""
    text, out = os.path.join(folder, "script.txt"), os.path.join(folder, "script.fxt")

    def switches(source):
        done = tap.run([tap.FXTREC, "convert", "--strict", source, "-o", out])
        lines = tap.run([tap.FXTREC, "dump", out]).stdout.splitlines()
        return [re.sub(r"^0x\S+ +|(provider|ticks)=\d+ |\w+_name=\"[^\"]*\" ", "", line) for line in lines
                if " context-switch: " in line or " wakeup: " in line], done.stderr

    expected, _ = switches(path)
    for options in ((), ("--header",), ("-F", "+flags"), ("-F", "comm,pid,tid,cpu,time,event,trace"), ("-F", "+misc"),
                    ("-F", "+period"), ("-F", "-comm"), ("--show-task-events", "--show-lost-events")):
        with open(text, "w", encoding="utf-8") as f:
            f.write(tap.run(["perf", "script", "--ns", *options, "-i", path]).stdout)
        found, said = switches(text)
        tap.ok(expected and found and {re.sub(" {.*", "", line) for line in found} ==
               {re.sub(" {.*", "", line) for line in expected} and not said,
               f"text of perf script {' '.join(options)}", f"{len(found)} of {len(expected)} {said}"
               f"{[line for line in found if line not in expected][:3]} {expected[:3]}")


def judge_window(folder):
    """zstd's largest window; of one program, as that level takes more CPU time than all CPUs' events leave."""
    path, out = os.path.join(folder, "packed-22"), os.path.join(folder, "packed-22.fxt")
    tap.run(["perf", "record", "-q", "-z22", "-e", "sched:sched_switch", "-o", path, "--", "sh", "-c",
             "for i in 1 2 3 4 5; do sleep 0.01; done"])
    expected = tap.run(["perf", "script", "-i", path]).stdout.count(" sched:sched_switch: ")
    done = tap.run([tap.FXTREC, "convert", "--strict", path, "-o", out])
    found = tap.run([tap.FXTREC, "dump", out]).stdout.count(" context-switch: ")
    tap.ok(done.returncode == 0 and found == expected > 5, "one with the largest window", (found, expected, done.stderr))


def judge_samples(folder):
    """Samples that are no tracepoints, with the kernel's functions; one without a time."""
    path = record(os.path.join(folder, "clock"), "-e", "cpu-clock", "-F", "2000", "-g")
    out = os.path.join(folder, "clock.txt")
    done = tap.run([tap.FXTREC, "convert", path, "-o", out])
    with open(out, encoding="utf-8", errors="replace") as f:
        mine = re.findall(r"\|cpu-clock\S*\|period=\d+(?:;stack=([^|]*))?\|perf", f.read())
    frames = tap.run(["perf", "script", "-F", "time,ip,sym", "-i", path]).stdout.strip().split("\n\n")
    kernel = [[frame.split()[1] for frame in sample.splitlines()[1:] if frame.split()[0].startswith("ffffffff")]
              for sample in frames]
    tap.ok(done.returncode == 0 and mine and len(mine) == len(kernel), "each sample is an event",
           f"{len(mine)} of {len(kernel)}: {done.stderr}")
    same = sum(set(a.split(" < ")) - {"?", "...", ""} <= set(b) for a, b in zip(mine, kernel))
    tap.ok(any(mine) and same >= 0.9 * len(mine), "stacks are those that perf script prints",
           f"{same} of {len(mine)}: {mine[:2]} {kernel[:2]}")
    path = record(os.path.join(folder, "stacks"), "-e", "sched:sched_switch", "-g")
    # Also of those that look like idle pools: which do depends on what else runs.
    done = tap.run([tap.FXTREC, "flame", "--all", path])
    sleeping = {line.rsplit(" ", 1)[0].split(";")[-1] for line in done.stdout.splitlines() if ";" in line}
    tap.ok(sleeping and not sleeping & {"schedule", "__schedule"}, "flame shows stacks of switches",
           f"{done.stderr}{done.stdout[:500]}")


def judge_lost(folder):
    """
    Buffers of a page, which perf can't read while it is stopped, lose events: as many as it says.  The kernel says so
    with the next event, once perf has read the buffer.
    """
    path = os.path.join(folder, "lost")
    tap.run(["perf", "record", "-m", "1", "-a", "-o", path, "-e", EVENTS, "--",
             "sh", "-c", "kill -STOP $PPID; perf bench sched pipe -l 3000; kill -CONT $PPID; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done"])
    counted = lost(path)
    out = os.path.join(folder, "lost.fxt")
    tap.run([tap.FXTREC, "convert", path, "-o", out])
    said = re.search(r"^lost +(\d+)", tap.run([tap.FXTREC, "info", out]).stdout, re.M)
    tap.ok(counted and said and int(said[1]) == counted, "losses are those that the kernel reported", f"{said} {counted}")


def judge_sampled(folder):
    """So many samples a second: a tracepoint's hits between two of them are lost, as many as perf says.  With -c, it has all."""
    path, out = os.path.join(folder, "sampled"), os.path.join(folder, "sampled.fxt")
    for options in ["-c", "7"], ["-F", "2000"]:
        record(path, *options, "-e", "sched:sched_switch,sched:sched_waking,irq:softirq_raise")
        tap.run([tap.FXTREC, "convert", path, "-o", out])
        said = re.search(r"^lost +(\d+|none)", tap.run([tap.FXTREC, "info", out]).stdout, re.M)
        periods = re.findall(r"(\d+) sched:", tap.run(["perf", "script", "-F", "period,event", "-i", path]).stdout)
        hidden = sum(map(int, periods)) - len(periods)
        tap.ok(periods and (hidden > 0) == (options[0] == "-F") and said and said[1] == (str(hidden) if hidden else "none"),
               f"perf record {' '.join(options)}: what its samples hide is lost", f"{said} {hidden} of {len(periods)}")


def judge_names(path):
    """A report of the file itself; names of threads by the records of perf alone."""
    done = tap.run([tap.FXTREC, "report", path])
    tap.ok(done.returncode == 0 and "sched-pipe:" in done.stdout, "a report is one command", done.stderr)
    out = path + ".fxt"
    tap.run([tap.FXTREC, "convert", path, "-o", out])
    said = tap.run([tap.FXTREC, "info", out]).stdout
    info = json.loads(tap.run([tap.FXTREC, "info", "--json", out]).stdout)
    tap.ok(re.search(f"^host +{os.uname().nodename}, {os.uname().machine}$", said, re.M) and
           info["processors"] is None and info["memory_bytes"] is None, "info says nothing of a machine that the file doesn't", said)
    done = tap.run([tap.FXTREC, "blame", "--comm=sched-pipe", path])
    tap.ok(done.returncode == 0 and done.stdout, "so is blame", done.stderr)


def judge_switches(folder):
    """perf record --switch-events has switches without a tracepoint."""
    path = record(os.path.join(folder, "switches"), "-e", "dummy:u", "--switch-events")
    out = tap.run(["perf", "script", "--show-switch-events", "-i", path]).stdout
    expected = len(re.findall(r"PERF_RECORD_SWITCH_CPU_WIDE OUT", out))
    made = os.path.join(folder, "switches.txt")
    tap.run([tap.FXTREC, "convert", path, "-o", made])
    with open(made, encoding="utf-8", errors="replace") as f:
        found = f.read().count(": sched_switch: ")
    tap.ok(expected and found == expected, "switch events are context switches", f"{found} of {expected}")
    with open(made, "w", encoding="utf-8") as f:
        f.write(tap.run(["perf", "script", "--ns", "--show-switch-events", "--show-task-events", "-i", path]).stdout)
    sql = "SELECT s.ts, s.cpu, t.tid, t.name FROM sched s JOIN thread t USING (utid) ORDER BY ts, s.cpu"
    said = [tap.run([tap.FXTREC, "query", "--csv", source, sql]).stdout.splitlines() for source in (made, path)]
    tap.ok(len(said[0]) > 1 and said[0] == said[1], "and so are those that perf script prints", f"{said[0][:3]} {said[1][:3]}")
    said = tap.run([tap.FXTREC, "report", path]).stdout
    names = {tid: name for name, tid in re.findall(r"^(\S*):(\d+) ", said, re.M)}
    with open(made, encoding="utf-8", errors="replace") as f:
        forks = re.findall(r"PERF_RECORD_FORK\(\d+:(\d+)\):\(\d+:(\d+)\)", f.read())
    # Other tests may have such a load, too.
    children = [tid for tid, parent in forks if names.get(parent) == "sched-pipe" and tid in names]
    tap.ok(children and all(names[tid] == "sched-pipe" for tid in children),
           "a thread that only a fork names has its parent's name", f"{children} {said}")


def judge_groups(folder):
    """Of a group whose first event alone is sampled, the others' counts: as perf script has them."""
    path = record(os.path.join(folder, "groups"), "-e", "{cpu-clock,page-faults,context-switches}:S", "-F", "999")
    script_lines = tap.run(["perf", "script", "--ns", "-F", "time,event,period", "-i", path]).stdout
    expected = sorted((time, name, int(period)) for time, period, name in
                      re.findall(r"^ *(\S+): +(\d+) +(page-faults|context-switches):", script_lines, re.M))
    made = os.path.join(folder, "groups.fxt")
    done = tap.run([tap.FXTREC, "convert", path, "-o", made])
    found = sorted((time, name, int(period)) for time, name, period in re.findall(
        r"^0x\S+ +(\S+) instant: .* name=\"(page-faults|context-switches)\" {period=(\d+)",
        tap.run([tap.FXTREC, "dump", made]).stdout, re.M))
    tap.ok(expected and found == expected, "events of groups are those of perf script",
           f"{len(found)} of {len(expected)}: {found[:3]} {expected[:3]} {done.stderr}")
    done = tap.run(["perf", "record", "-o", path, "-e", "cpu-clock", "--switch-events", "--", *LOAD])
    done = tap.run([tap.FXTREC, "convert", path, "-o", made])
    tap.ok(re.search(r"\d+ switches that don't say to which thread", done.stderr),
           "switches of chosen threads, which have no other thread, are counted", done.stderr)


def judge_chosen(folder):
    """Of some threads: one that they wake, on a CPU of which nothing else is recorded, may run there."""
    path = os.path.join(folder, "chosen")
    for chosen, arguments in ((True, ["--"]), (True, ["-D", "10", "--"]), (True, ["-gp", str(os.getpid())]),
                              (False, ["-a", "--"]), (False, ["-C", "0", "--"])):
        load = ["sh", "-c", "perf bench sched pipe -l 2000; sleep 0.1", "-p"] if arguments[-1] == "--" else ["sleep", "0.1"]
        tap.run(["perf", "record", "-e", "sched:sched_switch,sched:sched_waking", "-o", path, *arguments, *load])
        machine = json.loads(tap.run([tap.FXTREC, "report", "--json", path]).stdout or "{}").get("machines")
        tap.ok(machine and machine[0]["chosen_threads"] is chosen,
               f"{' '.join(arguments)}: whether only some threads were recorded is known", machine)


def judge_folders(folder):
    """perf record --threads: a folder with a file of each buffer, which are read beside each other."""
    for name, options in (("threads", ()), ("threads-packed", ("-z",))):
        path = os.path.join(folder, name)
        record(path, "-e", EVENTS, "--threads", *options)
        parts = [os.path.join(path, part) for part in sorted(os.listdir(path)) if part != "data"]
        tap.ok(parts and os.path.isfile(os.path.join(path, "data")), "perf record --threads makes a folder", parts)
        judge(f"a folder {' '.join(options)}", path, folder, name)
    out = tap.run([tap.FXTREC, "query", "--csv", path, "SELECT count(*) FROM wakeup"]).stdout
    expected = len([line for line in tap.run(["perf", "script", "-F", "event", "-i", path]).stdout.split()
                    if line in ("sched:sched_waking:", "sched:sched_wakeup_new:")])
    tap.ok(expected and out.split()[-1:] == [str(expected)], "query takes a folder", f"{out} {expected}")
    tap.fails(["report", os.path.join(path, "data")], 1, "give the folder that it is in", "a folder's file: one line")
    with open(os.path.join(path, "data"), "r+b") as f:
        head = f.read(48)
        at, = struct.unpack_from("<Q", head, 40)
        f.seek(at)
        first = f.read(4)
        f.seek(at)
        f.write(struct.pack("<I", 81))
        f.flush()
        done = tap.run([tap.FXTREC, "query", "--csv", path, "SELECT count(*) FROM wakeup"])
        f.seek(at)
        f.write(first)
    tap.ok(done.stdout == out and "its zstd data is damaged" in done.stderr,
           "a first file with damaged packed records: the others are read", f"{out} {done.stdout} {done.stderr}")
    with open(parts[0], "r+b") as f:
        f.truncate(os.path.getsize(parts[0]) - 3)
    tap.fails(["report", "--strict", path], 1, f"{parts[0]}: 0x", "a part that is cut: an error of --strict")
    done = tap.run([tap.FXTREC, "report", path])
    tap.ok(done.returncode == 0 and f"records that are cut off; first: {parts[0]}: 0x" in done.stderr,
           "the rest of it is read", done.stderr)
    for part in parts:
        os.remove(part)
    done = tap.run([tap.FXTREC, "report", path])
    tap.ok("folders without records" in done.stderr or "its records are missing" in done.stderr,
           "a folder without its parts says so", done.stderr)


def judge_twice(folder):
    """An event that perf record was given twice has each hit twice, but for those between its two begins and ends."""
    path = record(os.path.join(folder, "twice"), "-e", "sched:sched_switch", "-e", "sched:sched_switch,sched:sched_waking")
    switches = [(e.cpu, e.fields) for e in script(path) if e.event == "sched_switch"]
    # No CPU makes the same switch twice in a row, but where the machine hides the one in between.
    rows = [len(list(row)) for _, row in itertools.groupby(sorted(switches, key=lambda switch: switch[0]))]
    hits = sum((count + 1) // 2 for count in rows)
    done = tap.run([tap.FXTREC, "convert", path, "-o", path + ".txt"])
    with open(path + ".txt", encoding="utf-8", errors="replace") as f:
        found = f.read().count(": sched_switch: ")
    said = re.search(r"passed over: (\d+) events that the file has more than once", done.stderr)
    tap.ok(said and found == hits and found + int(said[1]) == len(switches), "an event that is recorded twice is there once",
           f"{found} of {hits}, {len(switches)} {done.stderr}")


def judge_json(path, folder):
    """perf data convert --to-json has no names of events."""
    made = os.path.join(folder, "perf.json")
    tap.run(["perf", "data", "convert", "--to-json", made, "-i", path])
    tap.fails(["report", made], 1, "give the perf.data", "JSON of perf: one line")


def judge_damage(path, folder):
    """A cut file, another magic, another endianness: one line each."""
    with open(path, "rb") as f:
        data = f.read()
    bad = os.path.join(folder, "bad")

    def write(damaged):
        with open(bad, "wb") as f:
            f.write(damaged)

    for size in (16, 100, 200, 5000, len(data) // 2):
        write(data[:size])
        tap.fails(["report", bad], 1, bad + ": ", f"cut to {size} bytes: one line")
    write(data[:-100])
    tap.fails(["report", "--strict", bad], 1, "is cut off", "cut by 100 bytes: an error of --strict")
    done = tap.run([tap.FXTREC, "report", bad])
    tap.ok(done.returncode == 0 and "cut off" in done.stderr and "sched-pipe" in done.stdout,
           "cut by 100 bytes: the rest is read", done.stderr)
    at, size = struct.unpack_from("<QQ", data, 40)
    end, sample = at + size, at
    while at < end:
        kind, _, bytes_of = struct.unpack_from("<IHH", data, at)
        sample = at if kind == 9 else sample
        at += bytes_of
    write(data[:sample] + bytes(32) + data[sample + 32:])
    done = tap.run([tap.FXTREC, "query", "--csv", bad, "SELECT count(*) FROM sched"])
    tap.ok(done.returncode == 0 and "1 ends of perf.data" in done.stderr and int(done.stdout.split()[-1]) > 1,
           "a last sample without a size: what is before it is read", done.stdout + done.stderr)
    tap.fails(["report", "--strict", bad], 1, "a size that can't be", "an error of --strict")
    write(b"PERFILE3" + data[8:])
    tap.fails(["report", bad], 1, "not a trace of a known format", "another magic: one line")
    write(data[7::-1] + data[8:])
    tap.fails(["report", bad], 1, "other endianness", "another endianness: one line")
    write(data[:40 + 8] + bytes(8) + data[56:])
    tap.fails(["report", bad], 1, "did not end", "a recording that did not end: one line")


with tempfile.TemporaryDirectory() as folder:
    whole = record(os.path.join(folder, "file"), "-e", EVENTS)
    judge("a file", whole, folder, "file")
    judge("a packed file", record(os.path.join(folder, "packed"), "-e", EVENTS, "-z"), folder, "packed")
    judge_window(folder)
    judge("all system calls", record(os.path.join(folder, "calls"), "-e", "sched:sched_switch,syscalls:sys_*",
                                     load=["sh", "-c", "ls /"]), folder, "calls")
    with open(whole, "rb") as source, gzip.open(whole + ".gz", "wb", 1) as target:
        target.write(source.read())
    foreign.judge("a file of gzip", foreign.convert(whole + ".gz", folder, "gzip"), script(whole))
    judge_pipe(folder)
    judge_samples(folder)
    judge_lost(folder)
    judge_sampled(folder)
    judge_names(whole)
    judge_switches(folder)
    judge_groups(folder)
    judge_script(whole, folder)
    judge_chosen(folder)
    judge_folders(folder)
    judge_twice(folder)
    judge_json(whole, folder)
    foreign.judge_old("perf.data", whole, folder, lambda path: tap.run(["perf", "script", "-i", path]).stdout)
    judge_damage(whole, folder)
tap.done()
