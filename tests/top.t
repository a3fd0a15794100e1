#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec top over files: each lap says what the report of the same time says."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap
from laps import differing, report_of, said
from fxtmake import reason
from simulated import Machine, START
from terminal import Terminal

TRACES = tap.amount("TRACES", 15, 200)
SEED = int(os.environ.get("SEED", "1"))
LENGTH = 1_000_000


def laps(path, *options):
    return said("top", "--batch", "--json", f"--interval={LENGTH // 1_000_000}ms", path, *options)


def compare(path, queues=True):
    """Each lap with the report of its time; and that none is missing where there are events."""
    found = laps(path)
    whole = said("report", "--json", path)[0]
    if not found:
        return "no lap"
    for lap in found:
        wrong = differing(lap, report_of(path, lap, LENGTH), queues)
        if wrong:
            return f"lap from {lap['from_ns'] - whole['from_ns']} ns: {wrong}"
    for name in ("switches", "wakeups", "preemptions"):
        sums = sum(row[name] for lap in found for row in lap["threads"])
        if sums != sum(row[name] for row in whole["threads"]):
            return f"{name}: {sums} in all laps"
    return None


def write(folder, data, name="t.fxt"):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)
    return f.name


def losses(machine, rng):
    lost = []
    for cpu in range(len(machine.cpus)):
        begin = rng.randrange(START, machine.end - 1)
        lost.append((cpu, begin, min(machine.end, begin + rng.randrange(1, 3_000_000))))
    return lost


def property_test(folder, name, with_losses):
    wrong = []
    for i in range(TRACES):
        rng = random.Random(SEED * 1000 + i)
        machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(50, 400))
        why = compare(write(folder, machine.trace(losses(machine, rng) if with_losses else ())), not with_losses)
        if why:
            wrong.append(f"seed {SEED * 1000 + i}: {why}")
    tap.ok(not wrong, f"{name}: each lap is its report: {TRACES} machines", "\n".join(wrong[:8]))


FUTEX, READ, LOCK, PRIVATE = 202, 0, 1 << 21, 0x80


def lock_of(machine):
    """A sleep for one of a few locks, with a holder or without one, or for something else."""
    rng = machine.rng
    holder = rng.choice((0, rng.choice(machine.live).tid))
    return rng.choice((
        reason(FUTEX, "futex", rng.randrange(1, 3), flags=LOCK, operation=PRIVATE, holder=holder),
        reason(FUTEX, "futex", rng.randrange(1, 3), flags=LOCK, holder=holder, device=254 << 20, file=(7, rng.randrange(2))),
        reason(READ, "mutex", rng.randrange(1, 3), holder=holder), reason(READ, "pipe", 7)))


def lock_rows(said_of, since, machine):
    """Rows in an order of their own: two may have the same sum.  top doesn't know holders that died before the lap."""
    gone = {(thread.tid, thread.begin) for thread in machine.dead if thread.end < since}
    alive = {thread.tid for thread in machine.threads() if (thread.tid, thread.begin) not in gone}
    rows = [dict(row, holders=[h for h in row["holders"] if h["tid"] in alive]) for row in said_of["locks"]]
    for row in rows:
        row["held_ns"] = sum(h["ns"] for h in row["holders"])
    return sorted(rows, key=lambda row: (-row["ns"], row["object"], row["longest_key"]))


def lock_laps(folder):
    """The locks of each lap, with and without losses, are those that the report has of its time."""
    wrong, held, handed, most = [], 0, 0, 0
    for i in range(TRACES):
        rng = random.Random(SEED * 1000 + i)
        machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(50, 400), reasons=lock_of)
        path = write(folder, machine.trace(losses(machine, rng) if i % 3 == 2 else ()))
        for lap in laps(path, "--by=lock"):
            report = report_of(path, lap, LENGTH, "--by=lock")
            mine, others = ({**of, "locks": lock_rows(of, lap["from_ns"], machine)} for of in (lap, report))
            if mine != others:
                wrong.append(f"seed {SEED * 1000 + i}: lap from {lap['from_ns'] - START}: {mine} {others}")
            held += sum(row["held_ns"] for row in lap["locks"])
            handed += sum(row["handoffs"] for row in lap["locks"])
            most = max([most, *(row["waiters_max"] for row in lap["locks"])])
    tap.ok(not wrong and held and handed and most > 1, f"the locks of each lap are the report's: {TRACES} machines",
           "\n".join(wrong[:3]) or (held, handed, most))


def lock_over_laps(folder):
    """A wait over many laps, in which the holder dies."""
    f = fxtmake.File().provider(1, "fxtrec")
    for tid in 7, 8, 9:
        f.named(7, tid, f"t{tid}", 10, leader=tid == 7)
    why = reason(FUTEX, "futex", 5, flags=LOCK, operation=PRIVATE, holder=8)
    f.cpu(0).switch(100, 0, 0, 120, 1, 7, 120).switch(200, 0, 7, 120, 3, 8, 120, why=why)
    f.switch(2 * LENGTH + 200, 0, 8, 120, 5, 9, 120)
    for lap in range(3, 9):
        f.switch(lap * LENGTH + 200, 0, 9, 120, 1, 10 + lap, 120).switch(lap * LENGTH + 300, 0, 10 + lap, 120, 5, 9, 120)
    f.wakeup(9 * LENGTH + 200, 0, 7, 120, waker=9).switch(9 * LENGTH + 300, 0, 9, 120, 1, 7, 120)
    path = write(folder, f.data)
    found = [[(row["count"], row["ns"], row["waiters_max"], [h["tid"] for h in row["holders"]]) for row in lap["locks"]]
             for lap in laps(path, "--by=lock")]
    tap.ok(found == [[(1, LENGTH - 100, 1, [8])], [(1, LENGTH, 1, [8])]] + 6 * [[(1, LENGTH, 1, [])]] + [[(1, 100, 1, [])]],
           "a wait over laps is in each, with its holder as long as that lives", found)
    table = tap.run([tap.FXTREC, "top", "--batch", "--interval=1ms", "-n1", "--by=lock", path]).stdout
    tap.ok("futex 0x5 of t7" in table and "held by t8:8 100 %" in table, "text has the lock and its holder", table)
    lines = tap.run([tap.FXTREC, "top", "--batch", "--csv", "--interval=1ms", "-n1", "--by=lock", path]).stdout.splitlines()
    tap.ok(len(lines) == 3 and lines[0].startswith("class,") and lines[1].startswith("lock,") and not lines[2], "so has CSV", lines)
    return path


def grouped(folder):
    """What threads have in common, sorted, cut, selected: as report says it."""
    machine = Machine(random.Random(SEED), 3, 8, 300, births=False)
    path = write(folder, machine.trace())
    for options in (["--by=comm"], ["--by=process"], ["--by=cgroup"], ["--by=cpu"], ["--sort=sleep", "--top=3"],
                    ["--comm=t10*"], ["-t", "101,103"], ["-C", "1"]):
        # The first laps don't know all threads yet.
        lap = laps(path, *options)[-1]
        report = report_of(path, lap, LENGTH, *options)
        tap.ok(lap == report, f"{' '.join(options)}: the report's", f"{lap}\n{report}")
    lap = laps(path, "--top=1")[0]
    for text in ("--csv", None):
        options = [text] if text else []
        found = tap.run([tap.FXTREC, "top", "--batch", "--interval=1ms", "-n1", path, *options]).stdout
        there = tap.run([tap.FXTREC, "report", f"--time=@{lap['from_ns']},@{lap['to_ns']}", path, *options]).stdout
        known = [line for line in there.splitlines() if line in found]
        tap.ok(found.count("\n") > 5 and len(known) > 4 and not set(found.splitlines()) - {*there.splitlines(), ""},
               f"{text or 'text'}: the report's lines", found + there)


def counted(folder):
    machine = Machine(random.Random(SEED), 2, 5, 400)
    path = write(folder, machine.trace())
    every = laps(path)
    tap.ok(len(every) > 4 and laps(path, "-n2") == every[:2], "-n2 is the first two laps", len(every))
    begin, end = every[1]["from_ns"] + 123, every[3]["to_ns"] - 456
    cut = laps(path, f"--time=@{begin},@{end}")
    tap.ok(cut[0]["from_ns"] == begin and cut[-1]["to_ns"] == end and len(cut) == 3, "--time: laps from there to there",
           [(lap["from_ns"] - begin, lap["to_ns"] - begin) for lap in cut])
    wrong = [why for lap in cut for why in [differing(lap, report_of(path, lap, lap["to_ns"] - lap["from_ns"]))] if why]
    tap.ok(not wrong, "and they are the reports of their times", wrong)


def sparse(folder):
    """Years between two events are no laps."""
    f = fxtmake.File().provider(1, "fxtrec")
    f.cpu(0)
    f.switch(1_000, 0, 0, 120, 1, 7, 120, None)
    f.switch(2_000, 0, 7, 120, 3, 0, 120, None)
    f.switch(1 << 62, 0, 0, 120, 1, 7, 120, None)
    found = said("top", "--batch", "--json", "--interval=1ms", write(folder, f.data))
    tap.ok(len(found) == 2 and found[0]["threads"][0]["run_ns"] == 1_000 and found[1]["to_ns"] == 1 << 62,
           "laps without events are left out", [(lap["from_ns"], lap["to_ns"]) for lap in found])


def learned_late(folder):
    """A thread that is woken as it is about to leave its CPU may sleep or wait behind it: laps wait for that, and not for ever."""
    f = fxtmake.File().provider(1, "fxtrec")
    f.cpu(0)
    f.switch(100_000, 0, 0, 120, 1, 7, 120, None)
    f.wakeup(200_000, 0, 7, 120, waker=8, on_cpu=True)
    f.switch(300_000, 0, 7, 120, 3, 8, 120, "D")
    for lap in range(1, 80):
        f.switch(lap * LENGTH + 100, 0, 8, 120, 1, 9, 120, None)
        f.switch(lap * LENGTH + 200, 0, 9, 120, 1, 8, 120, None)
    f.wakeup(80 * LENGTH, 0, 7, 120, waker=8)
    path = write(folder, f.data)
    found = laps(path)
    reports = [report_of(path, lap, LENGTH) for lap in found]
    blocked = [row["blocked_ns"] for report in reports for row in report["threads"] if row["tid"] == 7]
    unknown = [row["unknown_ns"] for lap in found for row in lap["threads"] if row["tid"] == 7]
    late = [i for i, ns in enumerate(unknown) if ns]
    tap.ok(all(ns > 0 for ns in blocked[:80]) and late == list(range(len(late))) and 0 < len(late) < 70,
           "what a thread does is unknown where no lap soon behind says it", (blocked, unknown))
    judged = [(differing(lap, report), differing(lap, report, following=following))
              for lap, report, following in zip(found, reports, [*reports[1:], None])]
    tap.ok([i for i, (alone, _) in enumerate(judged) if alone] == late and not any(then for _, then in judged),
           "and nothing else is another", judged)


def numbered(folder):
    """A CPU costs as much by the greatest number as by the least: counted by the tool that counts (tests/cost)."""
    counts, count = [], os.path.join(folder, "count")
    for cpu in (0, 60_000):
        trace = fxtmake.File().provider(1, "fxtrec")
        for i in range(50):
            trace.switch(i * LENGTH, cpu, 5 + i % 2, 120, 1, 6 - i % 2, 120)
        subprocess.run([os.path.join(tap.BUILD, "cost", "fxtrec"), "top", "--batch", f"--interval={LENGTH // 1_000_000}ms",
                        write(folder, trace.data)], env=dict(os.environ, COST_FILE=count), stdout=subprocess.DEVNULL, check=True)
        with open(count, encoding="ascii") as f:
            counts.append(int(f.read().split()[0]))
    tap.ok(counts[1] < 1.5 * counts[0], "laps of a CPU with a great number cost what those of any other do", counts)


def screen(folder):
    if "no screen" in tap.run([tap.FXTREC, "top"], stdin=subprocess.DEVNULL).stderr:
        tap.skip("the screen", "this build has no ncurses")
        return
    path = write(folder, Machine(random.Random(SEED), 256, 500, 4000, births=False).trace())
    terminal = Terminal([tap.FXTREC, "top", "--interval=50ms", path])
    tap.ok(terminal.wait("256 CPUs: ") and terminal.wait("preempt ms"), "the screen: 256 CPUs and rows", terminal.text)
    tap.ok(terminal.wait("the trace ends here"), "its end is said", terminal.text)
    for keys, says in (("?", "scroll"), ("?b", "by process"), ("fnobody\n", 'only "nobody"'), ("w", "not while a file is shown")):
        terminal.press(keys)
        tap.ok(terminal.wait(says), f"key {keys[0]}", terminal.text)
    terminal.press("q")
    tap.ok(terminal.end() == 0, "q ends it")
    small(path)
    screen_of_locks(folder)


def screen_of_locks(folder):
    terminal = Terminal([tap.FXTREC, "top", "--interval=100ms", lock_over_laps(folder)], 24, 110)
    tap.ok(terminal.wait("run ms"), "threads come first", terminal.text)
    terminal.press("L")
    tap.ok(terminal.wait("max ms most handoffs holders") and terminal.wait("futex 0x5 of t7") and
           terminal.wait("t8:8 100 %"), "L shows the locks and their holders", terminal.before + terminal.text)
    terminal.press("L")
    tap.ok(terminal.wait("run ms"), "L again shows threads", terminal.text)
    terminal.press("q")
    terminal.end()
    path = write(folder, Machine(random.Random(SEED), 2, 5, 100).trace())
    terminal = Terminal([tap.FXTREC, "top", "--interval=100ms", "--by=lock", path])
    tap.ok(terminal.wait("reasons of sleeps aren't known"), "--by=lock starts with locks; a trace without reasons says so", terminal.text)
    terminal.press("q")
    terminal.end()


FIELDS = r"(\d+\.\d% (busy|idle|unknown)|\d+ runnable on CPU \d+|late \d+\.\d ms)"


def small(path):
    """A narrow screen leaves fields out and cuts none; a low one has all of the help."""
    for columns in range(40, 100, 7):
        terminal = Terminal([tap.FXTREC, "top", "--interval=50ms", path], 10, columns, LINES="10", COLUMNS=str(columns))
        terminal.wait("256 CPUs: ")
        terminal.wait("\x1b", 0.5)
        text = terminal.before.decode()
        tap.ok(re.fullmatch(f"{FIELDS}(, {FIELDS})*", text.strip()), f"{columns} columns: whole fields of all CPUs", text)
        if columns == 40:
            terminal.press("?")
            tap.ok(terminal.wait("s S ") and terminal.wait("filter") and terminal.wait("quit"), "a screen of 40x10 has all of the help",
                   terminal.text)
        terminal.press("q")
        terminal.end()


def wrongly(folder):
    path = write(folder, Machine(random.Random(SEED), 2, 5, 100).trace())
    for name, data in (("empty", b""), ("only the magic number", fxtmake.File().data)):
        done = tap.run([tap.FXTREC, "top", "--batch", write(folder, data, "n.fxt")])
        tap.ok(done.stderr.count("\n") <= 1 and done.returncode in (0, 1), f"a file with nothing in it: {name}",
               f"{done.returncode}: {done.stderr}")
    whole = open(path, "rb").read()
    cut = write(folder, whole[:len(whole) // 2 + 4], "cut.fxt")
    tap.fails(["top", "--batch", "--strict", cut], 1, "cut", "a file that is cut is said to be")
    done = tap.run([tap.FXTREC, "top", "--batch", "--json", cut])
    tap.ok(done.returncode == 0 and json.loads(done.stdout.splitlines()[0])["threads"], "what is there is read",
           done.stderr)
    tap.fails(["top", path], 1, "--batch", "without a terminal it needs --batch", stdin=subprocess.DEVNULL)
    tap.fails(["top", "--batch", os.path.join(folder, "no.fxt")], 1, "No such file", "no file")
    for options, says in ((["--interval=0"], "1ms"), (["--interval=x"], "1ms"), (["-n", "0"], "-n 0"),
                          (["-n", "-1"], "-n"), (["--by=x"], "--by=x"), (["--by=reason"], "fxtrec report"),
                          (["--by=lock", "--sort=run"], "--by=lock has no --sort"), (["--sort=x"], "--sort=x"),
                          (["--top=-1"], "--top=-1"), (["-o", "x"], "recording"), (["--backend=bpf"], "recording"),
                          (["--prometheus"], "recording"), (["--prometheus=x"], "--prometheus=x"),
                          (["--prometheus=:65536"], "no address and port"), (["--prometheus=:0"], "no address and port"),
                          (["--json", "--csv"], "either"), (["-p", "x"], "numbers")):
        tap.fails(["top", "--batch", path, *options], 2, says, f"top {' '.join(options)}")
    tap.fails(["top", "--batch", "--time=1,2"], 2, "give FILE", "--time without a file")
    tap.fails(["top", "--json"], 2, "--batch", "--json without --batch")
    tap.fails(["top", "--by=lock", "--prometheus"], 2, "--by=lock has no metrics", "--by=lock --prometheus")


def main():
    folder = tempfile.mkdtemp()
    property_test(folder, "without losses", False)
    property_test(folder, "with losses", True)
    lock_laps(folder)
    grouped(folder)
    counted(folder)
    sparse(folder)
    learned_late(folder)
    numbered(folder)
    screen(folder)
    wrongly(folder)
    tap.done()


main()
