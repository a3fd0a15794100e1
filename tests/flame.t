#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec flame: time asleep by stack, as folded lines and as SVG; idle pools; what is refused."""
import os
import random
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import INSTANT, File, Unsigned
from tap import FXTREC, fails, ok, run


class Trace:
    """One CPU, on which each thread runs a moment and sleeps in a stack."""

    def __init__(self):
        self.time = 1000
        self.file = File()

    def sleep(self, tid, ns, stack, letter):
        f = self.file
        f.switch(self.time, 0, 0, 120, 1, tid, 120)
        if stack:
            f.event(INSTANT, self.time + 10, tid, tid, "sched", "blocked", [
                ("iowait", Unsigned(0)), ("function", stack.split(" < ")[0]), ("stack", stack)])
        f.switch(self.time + 10, 0, tid, 120, 3, 0, 120, letter)
        f.wakeup(self.time + 10 + ns, 0, tid, 120, 0)
        self.time += 10 + ns


def folded(path, *options):
    done = run([FXTREC, "flame", *options, path])
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict((line.rsplit(" ", 1)[0], int(line.rsplit(" ", 1)[1])) for line in done.stdout.splitlines())


def main(folder):
    def write(name, data):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
        return f.name

    t = Trace()
    t.file.named(10, 10, "db", 1, leader=True).named(10, 11, "wr;iter", 1).named(20, 20, "web<\n>", 1, leader=True)
    t.file.cpu(0)
    t.sleep(10, 500, "schedule < io_wait < read", "D")
    t.sleep(10, 300, "schedule < io_wait < write", "D")
    t.sleep(11, 200, "schedule < io_wait < read", "D")
    t.sleep(10, 100, "schedule < io_wait < read", "D")
    t.sleep(11, 70, None, "D")
    t.sleep(20, 50_000, "futex_wait", None)
    t.file.switch(t.time + 5, 0, 0, 120, 1, 20, 120).switch(t.time + 100, 0, 20, 120, 1, 10, 120)
    t.file.switch(t.time + 150, 0, 10, 120, 1, 0, 120)
    path = write("f.fxt", t.file.data)
    expected = {"db;db;read;io_wait;schedule": 600, "db;db;write;io_wait;schedule": 300,
                "db;wr:iter;read;io_wait;schedule": 200}
    got = folded(path)
    ok(got == expected, "folded lines, outermost first, without an idle pool", got)
    got = folded(path, "--all")
    ok(got == {**expected, "web<?>;web<?>;futex_wait": 50_000}, "--all has idle pools", got)
    ok(folded(path, "-t", "11") == {"db;wr:iter;read;io_wait;schedule": 200}, "of a thread")
    done = run([FXTREC, "flame", "--all", "--svg", path])
    root = ElementTree.fromstring(done.stdout)
    space = "{http://www.w3.org/2000/svg}"
    frames = {}
    for group in root.iter(space + "g"):
        rect = group.find(space + "rect")
        frames[group.find(space + "title").text] = tuple(float(rect.get(key)) for key in ("x", "y", "width"))
    ok("script" not in done.stdout and len(list(root.iter(space + "rect"))) == 15, "SVG: a rectangle for each frame", sorted(frames))
    whole = sum(expected.values()) + 50_000
    place = frames.get(f"db: 0.001 ms, {100 * 1100 / whole:.2f} %")
    ok(place and place[0] == 0 and abs(place[2] - 1200 * 1100 / whole) < 0.02, "as wide as its time", frames)
    begin = 1000 + 10 + 250
    got = folded(path, f"--time=@{begin},@{begin + 50}")
    ok(got == {"db;db;read;io_wait;schedule": 50}, "cut to the window", got)
    fails(["flame", "-t", "20", path], 1, "only idle pools", "nothing but an idle pool")
    fails(["flame", "-t", "4000000", path], 1, "no such thread slept with a stack", "a recording with stacks, but of other threads")
    plain = File().cpu(0).switch(10, 0, 0, 120, 1, 7, 120).switch(20, 0, 7, 120, 3, 0, 120, "D")
    fails(["flame", write("plain.fxt", plain.data)], 1, "no stacks", "a recording without stacks")
    fails(["flame", write("nothing.fxt", File().data)], 1, "no stacks", "a trace with nothing in it")
    fails(["flame", write("empty", b"")], 1, "not a trace: it is empty", "an empty file")
    fails(["flame", path + "x"], 1, "No such file", "a missing file")
    fails(["flame"], 2, "no FILE", "no file", cwd="/")
    for option in ("--json", "--csv", "--sort=ns", "-C0"):
        fails(["flame", option, path], 2, " option ", f"misused: {option}")
    rng, wrong = random.Random(1), []
    for _ in range(tap.amount("CUTS", 40, 400)):
        data = bytearray(t.file.data[:rng.randrange(8, len(t.file.data))])
        for _ in range(rng.randrange(3)):
            data[rng.randrange(8, len(data))] = rng.randrange(256)
        done = run([FXTREC, "flame", "--svg", write("damaged.fxt", bytes(data))], timeout=600)
        said = [line for line in done.stderr.splitlines() if not line.startswith("fxtrec: passed over")]
        if done.returncode not in (0, 1) or len(said) != done.returncode:
            wrong.append((done.returncode, done.stderr[:300]))
    ok(not wrong, "cut and damaged files: lines, or one of what is wrong", wrong[:2])
    # A machine hides that the thread comes to its CPU: what it sleeps in then is what the trace says of that sleep, if anything.
    for stack, expected in ((None, {}), ("schedule < second", {"t;t;second;schedule": 30})):
        hidden = Trace()
        hidden.file.named(10, 10, "t", 1, leader=True).cpu(0)
        hidden.sleep(10, 100, "schedule < first", "D")
        if stack:
            hidden.file.event(INSTANT, 1150, 10, 10, "sched", "blocked", [
                ("iowait", Unsigned(0)), ("function", "schedule"), ("stack", stack)])
        hidden.file.switch(1150, 0, 10, 120, 3, 0, 120).wakeup(1180, 0, 10, 120, 0).switch(1190, 0, 0, 120, 1, 10, 120)
        got = folded(write("hidden.fxt", hidden.file.switch(1200, 0, 10, 120, 1, 0, 120).data), "--all")
        ok(got == {"t;t;first;schedule": 100, **expected}, f"a sleep after a hidden switch, in {stack}", got)
    deep = Trace()
    deep.file.named(10, 10, "deep", 1).cpu(0)
    deep.sleep(10, 100, " < ".join(f"f{i}" for i in range(400)), "D")
    deep.file.switch(deep.time + 5, 0, 0, 120, 1, 10, 120)
    path = write("deep.fxt", deep.file.data)
    ok(len(list(folded(path))[0].split(";")) == 402 and
       ElementTree.fromstring(run([FXTREC, "flame", "--svg", path]).stdout) is not None, "a deep stack")


with tempfile.TemporaryDirectory() as temporary:
    main(temporary)
tap.done()
