#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of several machines in one trace: kept apart, and aligned by real time."""
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import packets
import tap
from fxtmake import File, Unsigned, Unsigned64

INSTANT, COMPLETE, BLOCKED, RUNNING = 0, 4, 3, 1
REAL = 1700000000 * 10**9


def recording(host, mono, real, tid, boot=None, error=None, step=0, lasts=10000, lost=0, before=0):
    """
    Thread tid of CPU 0 runs from 1 to 2 µs after the start and is woken at 3 µs; so many events are lost in between,
    and so many are there before, and a name that always was.
    """
    f = File().provider(1, "fxtrec")
    if before:
        f.named(77, 77, "waker")
    f.clock(mono, real, mono, mono + 5)
    args = [("host", host), ("release", "6.1.0")] + ([("boot", boot)] if boot else [])
    f.event(INSTANT, mono, 9, 9, "fxtrec", "host", args + ([("realtime_error", Unsigned64(error))] if error else []))
    f.named(tid, tid, "app", mono, leader=True)
    for _ in range(before):
        f.event(INSTANT, mono + 500, tid, tid, "app", "step", [("text", "x" * 200)])
    f.cpu(0).switch(mono + 1000, 0, 0, 120, RUNNING, tid, 98).switch(mono + 2000, 0, tid, 98, BLOCKED, 0, 120, "D")
    f.event(INSTANT, mono + 2200, 0, 0, "probe", "interrupt")
    if lost:
        f.event(COMPLETE, mono + 2400, 0, 0x40000000, "fxtrec", "lost",
                [("cause", "ring full"), ("records", Unsigned(lost))], mono + 2600)
    f.migrate(mono + 2800, 0, 9, tid, 98, 1, 0)
    f.wakeup(mono + 3000, 0, tid, 98, waker=77)
    return f.provider(1, "fxtrec").clock(mono + lasts, real + lasts + step, mono + lasts, mono + lasts + 5).data


def figures(paths):
    """What "report" says of each machine's threads and CPUs."""
    done = tap.run([tap.FXTREC, "report", "--json", *paths])
    if done.returncode:
        return done.stderr
    report = json.loads(done.stdout)
    threads = [[t[name] for name in ("machine", "tid", "comm", "process", "run_ns", "wait_wakeup_ns", "blocked_ns", "unknown_ns",
                                     "switches", "wakeups", "migrations")] for t in report["threads"]]
    return ([m["host"] for m in report["machines"]], sorted(threads),
            [[c[name] for name in ("machine", "cpu", "busy_ns", "idle_ns", "unknown_ns", "switches")] for c in report["cpus"]],
            [[loss[name] for name in ("machine", "cpu", "events")] for loss in report["lost"]])


def perfetto_rules(folder, write):
    """The host is the machine of the first packet, and the clock of the first snapshot is the trace's."""
    CLOCK_SNAPSHOT, MACHINE, CLOCK_SYNC = 6, 98, 107
    # The last one fills a block before the first says anything.
    later = [write(f"later.{i}.fxt", recording(f"h{i}", at, REAL + at, 100 + i, before=5000 * i))
             for i, at in enumerate((30 * 10**9, 20 * 10**9, 10 * 10**9))]
    out = os.path.join(folder, "later.pftrace")
    tap.run([tap.FXTREC, "convert", *later, "-o", out])
    with open(out, "rb") as f:
        all_packets = [dict(packets.fields(packet)) for packet in packets.packets(f.read())]
    of = {k: [i for i, p in enumerate(all_packets) if p.get(MACHINE, 0) == k] for k in range(3)}
    tap.ok(of[0][0] == 0 and CLOCK_SNAPSHOT in all_packets[0] and all(CLOCK_SYNC in all_packets[of[k][0]] for k in (1, 2)),
           "packets begin with the first machine's clocks, those of the others with how theirs go",
           [list(p) for p in all_packets[:9]])
    tap.ok(not any(CLOCK_SNAPSHOT in all_packets[i] for k in (1, 2) for i in of[k]), "and the others have no snapshot")
    readings = [[dict(packets.fields(clock))[2] for field, clock in packets.fields(all_packets[i][CLOCK_SNAPSHOT]) if field == 1]
                for i in of[0] if CLOCK_SNAPSHOT in all_packets[i]]
    tap.ok(len(readings) > 1 and readings == sorted(readings) and readings[0][1] < 10 * 10**9 + 2000,
           "readings of the clocks don't go backwards, from the first record on", readings)


def again(folder, made):
    """A file of several machines is an input of convert as the files are that it was made of."""
    a, b, c = (made(f"again.{host}.fxt", host, host[0] * 36, real=REAL + i * 10**8)
               for i, host in enumerate(("alpha", "beta", "gamma")))
    apart = figures([a, b, c])

    def convert(name, *inputs):
        out = os.path.join(folder, name)
        return tap.run([tap.FXTREC, "convert", *inputs, "-o", out]), out

    for end in "fxt", "json", "txt", "pftrace":
        _, two = convert(f"two.{end}", a, b)
        done, three = convert(f"third.{end}", two, c)
        tap.ok(figures([three]) == apart and "gamma: its times are moved by +0.2000" in done.stderr and done.stderr.count("\n") == 1,
               f"two machines of {end} and a third one", (done.stderr, figures([three])))
        _, three = convert(f"behind.{end}", c, two)
        if end == "pftrace":
            tap.ok(figures([three])[1] == figures([c, a, b])[1], "packets of several are an input behind another", figures([three]))
        else:
            tap.fails(["convert", c, two, "-o", three], 1, "give it as the first one", f"{end} of several is the first input")
        _, through = convert(f"through.{end}.pftrace", two)
        _, back = convert(f"back.{end}.fxt", through)
        _, last = convert(f"last.{end}.pftrace", back)
        tap.ok(all(figures([path]) == figures([a, b]) for path in (through, back, last)),
               f"{end} to packets, to FXT and to packets again", [figures([path]) for path in (through, back, last)])
        with open(last, "rb") as f:
            all_packets = [dict(packets.fields(packet)) for packet in packets.packets(f.read())]
        tap.ok({p.get(98, 0) for p in all_packets if 6 in p} == {0} and {p.get(98, 0) for p in all_packets if 107 in p} == {1},
               "with the clocks of one machine, and the other's beside them", [list(p) for p in all_packets[:9]])
    _, own = convert("own.fxt", os.path.join(folder, "two.fxt"), b)
    tap.ok(figures([own]) == figures([a, b]), "one of its machines' own recordings is that machine's", figures([own]))
    both = figures([os.path.join(folder, "two.fxt"), b])
    tap.ok(both[0] == ["alpha", "beta", "beta"] and both[1][-2:] == [[2, *t[1:]] for t in figures([b])[1]],
           "but not to an analysis, where it is on another clock", both)


def chosen(folder, paths):
    """One of three machines, of which two have the same name."""
    alone = [figures([path]) for path in paths]
    for files in paths, [os.path.join(folder, "three.fxt")], [os.path.join(folder, "three.json")], [os.path.join(folder, "three.pftrace")]:
        name = os.path.basename(files[0])
        given = [figures([f"--machine={i}", *files]) for i in range(3)]
        tap.ok(given == alone and figures(["--machine=gamma", *files]) == alone[2], f"{name}: --machine chooses one", given)
        tap.fails(["report", "--machine=alpha", *files], 1, 'more than one machine "alpha"', f"{name}: --machine of several")
        tap.fails(["report", "--machine=3", *files], 1, 'no machine "3"', f"{name}: --machine of none")
    three, page = os.path.join(folder, "three.fxt"), os.path.join(folder, "three.page.html")
    tap.fails(["page", three, "-o", page], 1, "different machines: --machine=N", "a page takes one machine's")
    done = tap.run([tap.FXTREC, "page", "--machine=1", three, "-o", page])
    tap.ok(done.returncode == 0 and os.path.getsize(page) > 10000, "or that of --machine", done.stderr)
    counts = [json.loads(tap.run([tap.FXTREC, "query", "--json", *files, "SELECT count(*) AS n FROM sched"]).stdout)
              for files in (["--machine=1", three], [paths[1]])]
    tap.ok(counts[0] == counts[1] and counts[0][0]["n"] > 0, "query's tables are that machine's", counts)
    said = [json.loads(tap.run([tap.FXTREC, "diff", "--json", *files]).stdout)["a"]["machines"][0]["host"]
            for files in (["--machine=gamma", three, three], [paths[2], paths[2]])]
    tap.ok(said == ["gamma"] * 2, "and diff's recordings", said)


def analyses(folder, write):
    """Two machines of one name, of which the second does the same at the same time but for a loss, and a third."""
    def made(name, host, boot, lost=0, real=REAL):
        return write(name, recording(host, 10**9, real, 100, boot=boot, lost=lost))

    paths = [made("one.a.fxt", "alpha", "a" * 36), made("one.b.fxt", "alpha", "b" * 36, lost=5),
             made("one.c.fxt", "gamma", "c" * 36)]
    apart = figures(paths)
    tap.ok(apart[0] == ["alpha", "alpha", "gamma"] and [t[-1] for t in apart[1] if t[1] == 100] == [1, 1, 1] and
           apart[3] == [[1, 0, 5]], "three machines, each with its migration, one with a loss", apart)
    for name in "three.fxt", "three.json", "three.txt", "three.html", "three.pftrace":
        out = os.path.join(folder, name)
        tap.run([tap.FXTREC, "convert", *paths, "-o", out])
        tap.ok(figures([out]) == apart, f"a report of {name} keeps them apart", figures([out]))
    count = "SELECT machine, count(*) AS n FROM slice GROUP BY machine"
    rows = [json.loads(tap.run([tap.FXTREC, "query", "--json", *files, count]).stdout)
            for files in (paths, [os.path.join(folder, "three.fxt")])]
    tap.ok(rows[0] == rows[1] and [row["n"] for row in rows[0]] == [1, 1, 1], "and what programs did, the idle thread's too", rows)
    for end, split in ("fxt", "1500ns"), ("pftrace", "1500ns"), ("json", "1500ns"), ("pftrace", "50ns"):
        parts = [os.path.join(folder, name) for name in (f"parts{split}.{end}", f"parts{split}.*.{end}")]
        tap.run([tap.FXTREC, "convert", f"--split={split}", *paths, "-o", parts[0]])
        parts = sorted(glob.glob(parts[1]))
        tap.ok(len(parts) > 1 and figures(parts) == apart, f"parts of {end} by {split} are parts of each machine", (parts, figures(parts)))
    apart = [made("not.a.fxt", "alpha", "a" * 36), made("not.b.fxt", "beta", "b" * 36, real=REAL + 10**9)]
    for name in "not.fxt", "not.json", "not.pftrace":
        out = os.path.join(folder, name)
        tap.run([tap.FXTREC, "convert", *apart, "-o", out])
        tap.ok(figures([out]) == figures(apart), f"{name}: a machine is known as long as it was recorded", figures([out]))
    tap.ok([t[:2] for t in figures([out, "--time=-5us,"])[1] if t[3]] == [[1, 100]], "a window is of the file's time",
           figures([out, "--time=-5us,"]))
    again(folder, made)
    renamed = [made("name.a.fxt", "alpha", "a" * 36), made("name.b.fxt", "omega", "a" * 36)]
    tap.ok(figures(renamed)[0] == ["alpha"], "a machine that changed its name is one", figures(renamed))
    chosen(folder, paths)


def main():
    with tempfile.TemporaryDirectory() as folder:
        def write(name, data):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
            return os.path.join(folder, name)

        def convert(inputs, name, *options):
            out = os.path.join(folder, name)
            done = tap.run([tap.FXTREC, "convert", *inputs, "-o", out, *options])
            return done, out

        def records(path, kind):
            return [re.sub(r"^0x\S+ +(\S+) \S+ provider=\d+ (ticks=\d+ )?", r"\1 ", line)
                    for line in tap.run([tap.FXTREC, "dump", path]).stdout.splitlines() if f" {kind}: " in line]

        a = write("a.fxt", recording("alpha", 10**9, REAL, 100, error=3000))
        b = write("b.fxt", recording("beta", 50 * 10**9, REAL + 400, 100, error=2000, step=700))
        done, both = convert([a, b], "both.fxt")
        switches = records(both, "context-switch")
        tap.ok(done.returncode == 0 and [(line.split()[0], re.search(r"cpu=(\d+)", line)[1], re.search(r"outgoing=(\d+)", line)[1],
                                          re.search(r"incoming=(\d+)", line)[1]) for line in switches] ==
               [("1.000001000", "0", "0", "100"), ("1.000002000", "0", "100", "0"), ("1.000001400", "1000", "0", "10000100"),
                ("1.000002400", "1000", "10000100", "0")], "threads and CPUs of each, on one clock", "\n".join(switches))
        names = "\n".join(records(both, "kernel-object"))
        tap.ok('koid=100 type=2 name="app"' in names and 'koid=10000100 type=2 name="beta: app" {process=10000100' in names,
               "names of each", names)
        tap.ok("waker=10000077" in "".join(records(both, "wakeup")), "wakers of each", records(both, "wakeup"))
        tap.ok(done.stderr.count("\n") == 1 and "b.fxt: another machine, beta: its times are moved by -48.9999" in done.stderr and
               "within 0.000005700 s" in done.stderr and "--offset=" in done.stderr,
               "how the clocks were aligned, and how well, is said", done.stderr)
        tap.ok(tap.run([tap.FXTREC, "check", both]).returncode == 0, "the file is valid")

        long = write("long.fxt", recording("beta", 50 * 10**9, REAL + 400, 100, error=2000, lasts=20 * 10**9))
        done, _ = convert([a, long], "a-long.fxt")
        tap.ok("within 0.010005000 s" in done.stderr, "a clock may have gone wrong by 500 ppm meanwhile", done.stderr)

        done, moved = convert([a, b], "moved.fxt", f"--offset={b}=-100us")
        tap.ok(records(moved, "context-switch")[0].startswith("0.99990") and "-48.9999" not in done.stderr and
               "-49.0001" in done.stderr or any("0.999901400" in line for line in records(moved, "context-switch")),
               "--offset corrects it", done.stderr + "\n".join(records(moved, "context-switch")))
        tap.fails(["convert", a, b, "-o", os.path.join(folder, "x.fxt"), "--offset=b.fxt"], 2, "not IN=TIME", "a wrong offset")
        tap.fails(["convert", a, b, "-o", os.path.join(folder, "x.fxt"), "--offset=none.fxt=1ms"], 2, "no IN is called so",
                  "an offset of no input")
        _, first = convert([a, b], "first.fxt", f"--offset={a}=100us")
        tap.ok(records(first, "context-switch") == records(moved, "context-switch"),
               "an offset of the first machine moves the others back", "\n".join(records(first, "context-switch")))

        done, as_packets = convert([a, b], "both.pftrace")
        done, back = convert([as_packets], "back.fxt")
        tap.ok([line.replace("machine 1: ", "beta: ") for line in records(back, "context-switch")] == switches and not done.stderr,
               "and are read as of it", "\n".join(records(back, "context-switch")) + done.stderr)
        done, again = convert([as_packets], "again.pftrace")
        convert([again], "again.fxt")
        tap.ok(records(os.path.join(folder, "again.fxt"), "context-switch") == records(back, "context-switch"),
               "and written as such again")
        done, out = convert([a, b], "both.json")
        with open(out) as f:
            page = json.load(f)
        tap.ok({e["args"]["name"] for e in page["traceEvents"] if e["name"] == "process_name"} == {"app", "beta: app"} and
               "next_comm=beta: app next_pid=10000100" in page["systemTraceEvents"], "JSON has them with a prefix", page)

        same = write("c.fxt", recording("alpha", 2 * 10**9, REAL + 10**9, 101))
        done, one = convert([a, same], "one.fxt")
        tap.ok(not done.stderr and {re.search(r"cpu=(\d+)", line)[1] for line in records(one, "context-switch")} == {"0"},
               "two recordings of one machine stay one's", done.stderr)
        tap.fails(["convert", a, same, "-o", os.path.join(folder, "x.fxt"), f"--offset={a}=1ms"], 1, "of one machine",
                  "an offset without another machine")
        tap.fails(["convert", a, "-o", os.path.join(folder, "x.fxt"), f"--offset={a}=1ms"], 1, "of one machine",
                  "an offset of one input")
        tap.fails(["convert", b, a, same, "-o", os.path.join(folder, "x.fxt"), f"--offset={same}=1ms"], 1,
                  "of the machine of " + a, "an offset by a later part's name")
        other = write("d.fxt", recording("alpha", 2 * 10**9, REAL + 3600 * 10**9, 101))
        done, two = convert([a, other], "two.fxt")
        tap.ok("another machine, alpha" in done.stderr and "alpha 2: app" in "".join(records(two, "kernel-object")),
               "another run of the same host is another machine", done.stderr)
        first, second = (write(f"{x}.fxt", recording("alpha", 10**9, REAL, 100, boot=x * 36)) for x in "ef")
        done, two = convert([first, second], "ef.fxt")
        tap.ok("another machine, alpha" in done.stderr and "isn't recorded" in done.stderr,
               "by the id of the kernel's run, and an unknown error is said", done.stderr)
        big = File().provider(1, "fxtrec").clock(1000, REAL, 1000, 1005)
        big.event(INSTANT, 1000, 9, 9, "fxtrec", "host", [("host", "big"), ("release", "6.1.0")]).cpu(1001)
        big.switch(2000, 1001, 0, 120, RUNNING, 100, 98).switch(3000, 1001, 100, 98, BLOCKED, 0, 120, "D")
        big.event(COMPLETE, 4000, 0, 0x40000000 + 1001, "fxtrec", "lost",
                  [("cause", "ring full"), ("records", Unsigned(5))], 5000).wakeup(6000, 1001, 100, 98)
        hosts, threads, cpus, lost = figures([write("big.fxt", big.data)])
        tap.ok(hosts == ["big"] and threads[0][:5] == [0, 100, "", None, 1000] and cpus[0][:2] == lost[0][:2] == [0, 1001],
               "a machine of more CPUs than a trace of several leaves to each is one", (hosts, threads, cpus, lost))
        for names in (("big.fxt", "small.fxt"), ("small.fxt", "big.fxt")):
            write("small.fxt", recording("small", 0, REAL, 100))
            done = tap.run([tap.FXTREC, "convert", *(os.path.join(folder, name) for name in names), "-o",
                            os.path.join(folder, "both.pftrace")])
            tap.ok(done.returncode and "big.fxt: of a machine with CPU 1001: with others it may have 1000 CPUs" in done.stderr,
                   f"but not in a trace of several, as {' and '.join(names)}", done.stderr)
        perfetto_rules(folder, write)
        analyses(folder, write)
    tap.done()


main()
