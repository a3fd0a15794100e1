#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""--time: a window has all of its events and names and no other, whatever reads it, and is complete by itself."""
import json
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap
from fxt import Recording
from fxtmake import COMPLETE, File, INSTANT
from generated import START, generate, timed
from tap import FXTREC, fails, ok, run

FORMATS = ("fxt", "json", "txt", "pftrace")
LONG = 900 * 10 ** 9


def convert(*arguments):
    return run([FXTREC, "convert", *arguments])


def holds(window, ticks, end=""):
    """Whether the time is in [from, to), or a complete event that begins before it ends in it."""
    return window[0] <= ticks < window[1] or (end and ticks < window[0] < int(end))


def option(window):
    """A side that is open has no number."""
    begin, end = window
    return f"--time={f'@{begin}' if begin else ''},{f'@{end}' if end < 1 << 63 else ''}"


def name_at(names, ns):
    """A thread's name at that time; all of a generated thread's are from before the trace."""
    return [name for since, name in names if since <= ns][-1:]


def differences(whole, marks, path, window, keeps_events):
    """What a window's file doesn't have of the whole's, or has beside it."""
    part, wrong = Recording(path, others=True), []
    for cpu in set(whole.events) | set(part.events):
        expected = [e for e in whole.events[cpu] if holds(window, e[0])]
        if part.events[cpu] != expected:
            wrong.append((cpu, len(part.events[cpu]), len(expected)))
    if keeps_events:
        # The recorder's facts are there wherever they were.
        got, expected = ([m for m in of if m[-1] not in ("clock", "host")] for of in (timed(path), marks))
        expected = [m for m in expected if holds(window, int(m[1]), m[3])]
        if got != expected:
            wrong.append(sorted(set(got) ^ set(expected))[:4])
    for tid in part.scheduled() - {0}:
        if name_at(part.names[tid], window[1]) != name_at(whole.names[tid], window[1]):
            wrong.append((tid, part.names[tid], whole.names[tid]))
    return wrong


def windows_of(whole, marks, rng):
    """A trace in three, cut at times of its own, so that the half-open side counts."""
    times = [ticks for events in whole.events.values() for ticks, _ in events] + [int(m[1]) for m in marks]
    first, second = sorted(rng.sample(sorted(set(times)), 2))
    return (0, first), (first, second), (second, 1 << 63)


def judge_windows(folder, seed):
    rng = random.Random(seed)
    path = os.path.join(folder, "whole.fxt")
    with open(path, "wb") as f:
        f.write(generate(rng))
    whole, marks, wrong = Recording(path, others=True), timed(path), []
    windows = windows_of(whole, marks, rng)
    for suffix in FORMATS:
        parts = []
        for i, window in enumerate(windows):
            part, back = (os.path.join(folder, f"{i}.{x}") for x in (suffix, "back.fxt"))
            for done in (convert(path, option(window), "-o", part), convert(part, "-o", back)):
                if done.returncode:
                    wrong.append((suffix, done.stderr))
            wrong += [(suffix, window, d) for d in differences(whole, marks, back, window, suffix != "txt")]
            parts.append(part)
        joined = os.path.join(folder, "joined.fxt")
        convert(*parts, "-o", joined)
        if Recording(joined, others=True).events != whole.events:
            wrong.append((suffix, "put together, the events are not the same"))
        # What lasts over a cut is in both windows; no clock was read at its ends, so what is between events there is lost.
        together = [m for m in timed(joined) if m[-1] != "lost" or m in marks]
        together = sorted([m for m in together if not m[3]] + list({m for m in together if m[3]}))
        if suffix != "txt" and together != marks:
            wrong.append((suffix, "put together, the marks are not the same"))
    ok(not wrong, f"seed {seed}: three windows in {', '.join(FORMATS)}, and all of them together", wrong[:5])


def judge_split(folder, path):
    """Parts of a window are the window."""
    window = START + 2 * 10 ** 9, START + 5 * 10 ** 9
    done = convert(path, option(window), "--split=1s", "-o", os.path.join(folder, "part.fxt"))
    parts = sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.startswith("part."))
    joined = os.path.join(folder, "joined.fxt")
    convert(*parts, "-o", joined)
    whole = Recording(path, others=True)
    wrong = differences(whole, timed(path), joined, window, True)
    ok(not done.returncode and len(parts) > 2 and not wrong, f"{len(parts)} parts of a window", (done.stderr, wrong))


def recording(path):
    """Ten seconds of a thread whose name changes; a mark long before, facts before and behind."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    f.named(7, 7, "early", START - LONG, leader=True)
    f.named(7, 7, "late", START + 6 * 10 ** 9)
    f.clock(START, 5 * START, START, START + 7)
    f.event(INSTANT, START - LONG, 7, 7, "user", "old mark")
    f.event(COMPLETE, START + 10 ** 9, 7, 7, "user", "long", (), START + 5 * 10 ** 9)
    f.event(INSTANT, START + 11 * 10 ** 9, 0, 0, "fxtrec", "host", [("host", "there"), ("machine", "m")])
    f.cpu(0)
    for i in range(1001):
        ids = (7, 0) if i % 2 else (0, 7)
        f.switch(START + i * 10 ** 7, 0, ids[0], 120, 1 if i % 2 == 0 else 3, ids[1], 120)
    with open(path, "wb") as out:
        out.write(f.data)


def times(path):
    return [ticks for ticks, _ in Recording(path, others=True).events[0]]


def seconds(ns):
    return f"{ns // 10 ** 9}.{ns % 10 ** 9:09}"


def judge_relative(folder, path):
    """Each way to say a window; the trace is from START to ten seconds later, whatever marks it has."""
    target = os.path.join(folder, "window.fxt")
    for text, first, last in (("2,3", 200, 299), ("2", 200, 1000), ("-1s,", 900, 1000), (",-9.5", 0, 49),
                              ("0,20ms", 0, 1), ("9.99s,-0", 999, 999), (f"1,@{START + 2 * 10 ** 9}", 100, 199),
                              (f"@{seconds(START + 10 ** 9)},@{seconds(START + 2 * 10 ** 9).rstrip('0')}", 100, 199),
                              ("-99s,10ms", 0, 0), (",", 0, 1000)):
        for source, what in (([path], "a file"), (["-"], "a pipe")):
            with open(path, "rb") as f:
                done = run([FXTREC, "convert", *source, f"--time={text}", "-o", target], stdin=f)
            got = times(target) if not done.returncode else done.stderr
            ok(got == [START + i * 10 ** 7 for i in range(first, last + 1)], f"--time={text} of {what}",
               (got[:2], got[-2:], len(got)))
        shown = run([FXTREC, "dump", f"--time={text}", path]).stdout
        counted = json.loads(run([FXTREC, "info", "--json", f"--time={text}", path]).stdout)
        number = last - first + 1
        ok(shown.count("context-switch:") == number and counted["scheduling_events"] == number and
           shown.count(" kernel-object:") == 5, f"--time={text}: dump and info, with the names", counted)


def judge_complete(folder, path):
    """A window has its names, its host and what overlaps it, though no record inside tells of them."""
    for text, name, overlaps in (("4,5", "early", True), ("7,8", "late", False), ("5,6", "early", False)):
        for suffix in FORMATS:
            target, back = (os.path.join(folder, f"window.{x}") for x in (suffix, "back.fxt"))
            done = [convert(path, f"--time={text}", "-o", target), convert(target, "-o", back)]
            names = Recording(back, others=True).names[7]
            ok(not any(d.returncode for d in done) and [n for _, n in names][-1:] == [name],
               f"--time={text} in {suffix}: the name that the thread had", (names, done))
            if suffix != "fxt":
                continue
            facts = json.loads(run([FXTREC, "info", "--json", target]).stdout)
            ok(facts["host"] == "there" and facts["events"]["duration-complete"] == overlaps and
               facts["events"]["instant"] == 3 and not facts["threads_unnamed"],
               f"--time={text}: the host, and the long duration where it overlaps", facts)
            clock = re.findall(r'ticks=(\d+).*name="clock".*realtime=(\d+) monotonic=(\d+)',
                               run([FXTREC, "dump", target]).stdout)
            begin = START + min(int(text[0]), 1 if overlaps else 99) * 10 ** 9
            ok(clock == [(str(ns), str(ns + 4 * START), str(ns)) for ns in (begin, START + int(text[2]) * 10 ** 9)],
               f"--time={text}: the clocks as of its first event, and of its end", clock)
            judge.judge_valid(target, f"--time={text}")
    facts = json.loads(run([FXTREC, "info", "--json", "--time=4,5", path]).stdout)
    ok(facts["host"] == "there" and facts["events"]["duration-complete"] == 1, "info of a window tells the host", facts)


def judge_refused(folder, path):
    target = os.path.join(folder, "refused.fxt")
    fails(["convert", path, "--time=8,-5s", "-o", target], 1, "FROM is not before TO in this trace",
          "convert: a window that is empty in this trace")
    ok(not os.path.exists(target), "it leaves no file")
    done = run([FXTREC, "convert", path, "--time=5000,", "-o", target])
    ok(not done.returncode and "nothing of it is in that time" in done.stderr and os.path.exists(target),
       "convert: a window behind its end gives an empty trace, and says so", done.stderr)
    for command in ("dump", "info"):
        fails([command, "--time=8,-5s", path], 1, "FROM is not before TO in this trace",
              f"{command}: a window that is empty in this trace")
        for text in ("1,2", ",-1s"):
            with os.popen(f"cat {path}") as pipe:
                fails([command, f"--time={text}", "-"], 1, "save it as one, or give @NS",
                      f"{command}: --time={text} of a pipe", stdin=pipe)
        with os.popen(f"cat {path}") as pipe:
            done = run([FXTREC, command, f"--time=@{START},@{START + 1}", "-"], stdin=pipe)
        ok(not done.returncode and len(re.findall(r"context-switch(?::| +1\n)", done.stdout)) == 1,
           f"{command}: a window of a pipe by the clock", done.stdout + done.stderr)
        with open(path, "rb") as f:
            f.seek(8)
            done = run([FXTREC, command, "--time=,10ms", "-"], stdin=f)
        ok(not done.returncode and len(re.findall(r"context-switch(?::| +1\n)", done.stdout)) == 1,
           f"{command}: of a file on standard input, from where it is", done.stdout + done.stderr)


with tempfile.TemporaryDirectory() as temporary:
    for i in range(tap.amount("TRACES", 6, 100)):
        judge_windows(temporary, int(os.environ.get("SEED", "1")) + i)
    whole_path = os.path.join(temporary, "recording.fxt")
    recording(whole_path)
    judge_split(temporary, whole_path)
    judge_relative(temporary, whole_path)
    judge_complete(temporary, whole_path)
    judge_refused(temporary, whole_path)
tap.done()
