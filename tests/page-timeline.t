#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The page's timeline in Chromium: its rows and sums are the trace's, and what a user does with it."""
import json
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import browser
import tap
from fxtmake import (ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, COUNTER, END, EXCEPTION, INSTANT, JOIN, LOCK, PRIVATE, File, Unsigned, Unsigned64,
                     reason)
from simulated import START, Machine
from tap import FXTREC, ok, run

TRACES = tap.amount("TRACES", 6, 60)
SEED = int(os.environ.get("SEED", "1"))
CPU, THREAD, SLICE, INSTANTS, COUNTERS = range(5)
PHASES = ["unknown", "Running", "R", "R+", "S", "I", "P", "D", "T", "t"]
RUN, WAIT, BLOCKED, UNKNOWN = range(4)
VALUES = {"Running": RUN, "R": WAIT, "R+": WAIT, "D": BLOCKED, "unknown": UNKNOWN}


def rows(path, sql):
    done = run([FXTREC, "query", "--json", path, sql])
    if done.returncode:
        raise RuntimeError(f"{sql}: {done.stderr}")
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def merged(pieces):
    """(from, to, what) in order: those that follow each other and are the same, as one."""
    result = []
    for begin, end, what in pieces:
        if result and result[-1][1] == begin and result[-1][2] == what:
            result[-1] = (result[-1][0], end, what)
        else:
            result.append((begin, end, what))
    return result


# So many pictures have no time to sum up; all that was is forgotten.
STARVE = """const view = fxtrecPage.view, tiles = view.tiles, picture = tiles.picture, fed = view.paints + arguments[0];
    tiles.recent.clear();
    tiles.older.clear();
    tiles.picture = function () {
        picture.call(this);
        // The table of what is in view begins one, too, which isn't painted.
        if (view.paints < fed)
            this.left = 0;
    };
    return view.paints;"""


# A picture takes longer than the time to sum up, as on a slow machine; all that was is forgotten.
SLOW = """const { painter, tiles } = fxtrecPage.view, { begin } = painter;
    painter.begin = function () {
        for (const until = performance.now() + 10; performance.now() < until;)
            ;
        begin.call(this);
    };
    tiles.recent.clear();
    tiles.older.clear();
    tiles.made = 0;
    fxtrecPage.view.dirty();"""

# One more picture sums up nothing. The table, which a timer makes, may: it has tiles that no picture needs.
AGAIN = """const view = fxtrecPage.view, { tiles } = view, { made } = tiles;
    view.paint();
    return [made > 0 && tiles.made === made && !tiles.missing, [made, tiles.made, tiles.missing]];"""


class Page:
    """A trace's page in the browser."""

    def __init__(self, b, folder, data, name="t"):
        self.b, self.path = b, os.path.join(folder, f"{name}.fxt")
        with open(self.path, "wb") as f:
            f.write(data)
        self.html = self.path[:-4] + ".html"
        done = run([FXTREC, "page", self.path, "-o", self.html])
        if done.returncode:
            raise RuntimeError(done.stderr)
        self.hooked = browser.hooked(self.html)
        self.open()

    def open(self, fragment=""):
        self.b.open(self.hooked, fragment)
        self.b.wait("return !!window.fxtrecPage || !!document.querySelector('[role=alert]')")
        if not self.b.script("return !!window.fxtrecPage"):
            raise RuntimeError(self.b.script("return document.querySelector('[role=alert]').textContent"))
        self.begin = int(self.b.script("return String(fxtrecPage.view.head.begin)"))

    def get(self, call):
        """What a promise gives."""
        self.b.script(f"window.got = null; Promise.resolve(({call})).then((v) => window.got = [v], "
                      "(e) => window.got = [{failed: String(e) + e.stack}])")
        value = self.b.wait("return window.got")[0]
        if isinstance(value, dict) and "failed" in value:
            raise RuntimeError(value["failed"])
        return value

    def show(self, begin, end):
        self.b.script("fxtrecPage.show(arguments[0], arguments[1])", begin, end)
        self.get("fxtrecPage.settled()")

    def all(self, kind):
        return {int(number): of for number, of in self.get(f"fxtrecPage.all({kind})").items()}


class Oracle:
    """The same by "fxtrec query", in ns from the page's begin."""

    def __init__(self, path, begin):
        self.threads, self.cpus = {}, {}
        for ts, dur, utid, state, waker, interrupt, cpu, function, iowait in rows(path, """SELECT ts, dur, utid, state,
                waker_utid, irq_context, cpu, blocked_function, io_wait FROM thread_state ORDER BY utid, ts"""):
            self.threads.setdefault(utid, []).append((ts - begin, ts - begin + dur, (
                state, cpu, waker, bool(interrupt), function or "", None if iowait is None else bool(iowait))))
        for ts, dur, cpu, utid in rows(path, "SELECT ts, dur, cpu, utid FROM sched ORDER BY cpu, ts"):
            self.cpus.setdefault(cpu, []).append((ts - begin, ts - begin + dur, utid))


def page_threads(page):
    """As the oracle's: a wait's rows, one a queue, are one."""
    threads = {}
    for key, states in page.all(THREAD).items():
        pieces = threads.setdefault(key, [])
        for begin, end, phase, cpu, function, iowait, waker in states:
            letter = PHASES[phase]
            what = (letter, cpu if letter == "Running" else None, waker[0] if waker else None,
                    bool(waker) and waker[1] != "task", function, {0: None, 1: False, 2: True}[iowait])
            if pieces and pieces[-1][1] == begin and letter in ("R", "R+") and pieces[-1][2][0] == letter:
                what = pieces[-1][2]
            pieces.append((begin, end, what))
    return {key: merged(pieces) for key, pieces in threads.items()}


def page_cpus(page):
    return {cpu: merged((begin, end, None if task < 0 else task) for begin, end, task in of)
            for cpu, of in page.all(CPU).items()}


def differ(got, expected, what):
    for number in sorted(set(got) | set(expected)):
        a, b = got.get(number), expected.get(number)
        if a != b:
            both = [(x, y) for x, y in zip(a or [], b or []) if x != y]
            return f"{what} {number}: {both[:2]} {len(a or [])} and {len(b or [])}"
    return None


def overlap(pieces, begin, end):
    for first, last, what in pieces:
        if first < end and last > begin:
            yield min(last, end) - max(first, begin), what


def byte(ns, shift):
    return 0 if not ns else max(1, min(255, (ns * 255 + (1 << shift >> 1)) >> shift))


def cpu_add(sums, tops, task, ns):
    if task is None:
        sums[1] += ns
    elif task:
        sums[0] += ns
        tops[task] = tops.get(task, 0) + ns


def thread_add(sums, _, what, ns):
    if what[0] in VALUES:
        sums[VALUES[what[0]]] += ns


def summed(kind, pieces, begin, end):
    """Sums of CPUs: busy, unknown; of threads: run, wait, blocked, unknown."""
    sums = [0, 0] if kind == CPU else [0, 0, 0, 0]
    for ns, what in overlap(pieces, begin, end):
        (cpu_add if kind == CPU else thread_add)(sums, {}, what, ns)
    return sums


def binned(kind, pieces, shift, first, count):
    """The same for each bin, and which tasks had most of it: 0 is none."""
    bins = [([0, 0] if kind == CPU else [0, 0, 0, 0], {}) for _ in range(count)]
    for begin, end, what in pieces:
        for i in range(max(first, begin >> shift), min(first + count, (end + (1 << shift) - 1) >> shift)):
            ns = min(end, i + 1 << shift) - max(begin, i << shift)
            (cpu_add if kind == CPU else thread_add)(*bins[i - first], what, ns)
    return [(sums, {task + 1 for task in tops if tops[task] == max(tops.values())} or {0}) for sums, tops in bins]


def levels_differ(page, kind, pieces):
    """Each bin of each level is the sum of its rows."""
    for number, levels in page.get(f"fxtrecPage.levels({kind})"):
        for level in levels:
            shift, count = level["shift"], len(level["values"][0])
            for i, (sums, tops) in enumerate(binned(kind, pieces[number], shift, 0, count)):
                got = [of[i] for of in level["values"]]
                if got != [byte(ns, shift) for ns in sums] or (kind == CPU and level["top"][i] not in tops):
                    return f"kind {kind}, {number}, shift {shift}, bin {i}: {got}, not {sums} {tops}"
    return None


def losses(machine, rng):
    lost = []
    for cpu in range(len(machine.cpus)):
        begin = rng.randrange(START, machine.end - 2)
        lost.append((cpu, begin, rng.randrange(begin + 1, min(machine.end, begin + 5_000_000))))
    return lost


def same(page):
    """All rows and all sums."""
    oracle = Oracle(page.path, page.begin)
    cpus = {cpu: merged(of) for cpu, of in oracle.cpus.items()}
    threads = {key: merged(of) for key, of in oracle.threads.items()}
    return (differ(page_cpus(page), cpus, "CPU") or differ(page_threads(page), threads, "thread") or
            levels_differ(page, CPU, cpus) or levels_differ(page, THREAD, threads))


def machines(b, folder):
    for what, lossy in (("losses", True), ("no losses", False)):
        wrong = []
        for i in range(TRACES):
            rng = random.Random(SEED * 1000 + i)
            machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(20, 600))
            differs = same(Page(b, folder, machine.trace(losses(machine, rng) if lossy else ())))
            if differs:
                wrong.append(f"seed {SEED * 1000 + i}: {differs}")
        ok(not wrong, f"rows and sums are the trace's: {TRACES} machines, {what}, ids that are used again", "\n".join(wrong[:3]))


def many(b, folder):
    """300 CPUs and 5,000 threads, in more than one block."""
    rng = random.Random(SEED)
    parts = [File().provider(1, "fxtrec").data]
    for tid in range(1, 5001):
        parts.append(File().named(10 + tid % 40, 1000 + tid, f"thread {tid}", START - 1).data[8:])
    for cpu in range(300):
        f = File().cpu(cpu)
        time, current = START + rng.randrange(1000), 0
        for _ in range(240):
            time += rng.choice((1, 300, rng.randrange(1, 1_000_000)))
            following = 0 if current else 1001 + cpu + 300 * rng.randrange(16)
            f.switch(time, cpu, current, 120, 3, following, 120)
            current = following
        parts.append(f.data[8:])
    page = Page(b, folder, b"".join(parts), "many")
    blocks = b.script("return fxtrecPage.view.head.blocks.length")
    ok(blocks > 1, "more than one block", blocks)
    ok(not (wrong := same(page)), "300 CPUs, 5,000 threads", wrong)
    tracks = b.script("return fxtrecPage.tracks().length")
    labels = set(b.script("return fxtrecPage.tracks().map((t) => t.label)"))
    ok({"CPU 0", "CPU 299"} <= labels and tracks < 700, "CPUs have a track each, processes are folded", tracks)
    page.get("fxtrecPage.rangeShow(0, 1_000_000)")
    caption, rows_ = b.wait("const t = document.querySelector('.tl-detail table'); return t && [t.caption.textContent, t.tBodies[0].rows.length]")
    ok(caption == "The 64 busiest of 300 CPUs" and rows_ == 64, "a range of 300 CPUs lists those that were busiest", (caption, rows_))
    painted = b.script("return fxtrecPage.view.visible().length")
    ok(0 < painted < 60, "what is painted depends on the window's height", painted)


def wakers(b, folder):
    """Two threads wake one on another CPU, at the same time of their runs; a starved thread waits for hundreds of these."""
    rng, a, f = random.Random(SEED), File().provider(1, "fxtrec").cpu(0), File().cpu(1)
    waker, sleeper, starved = (101, 102), 201, 202
    time, turns = START, 4000
    for turn in range(turns):
        time += rng.randrange(1000, 1_000_000)
        by = waker[rng.random() < 0.1]
        a.wakeup(time - rng.randrange(900), 0, by, 120, 0, context="hardirq")
        a.switch(time, 0, 0, 120, 3, by, 120)
        woken = time + 5000 + rng.randrange(16)
        a.wakeup(woken, 1, sleeper, 120, by)
        if turn in (700, 1700):
            a.wakeup(woken + 100, 1, starved, 120, by)
        a.switch(woken + rng.randrange(1000, 4000), 0, by, 120, 3, 0, 120)
        begin = woken + rng.randrange(1000, 3000)
        f.switch(begin, 1, 0, 120, 3, sleeper, 120)
        if turn in (800, 2100):
            f.switch(begin + 100, 1, sleeper, 120, 3, starved, 120)
            f.switch(begin + 3000, 1, starved, 120, 3, 0, 120)
        else:
            f.switch(begin + rng.randrange(1000, 100_000), 1, sleeper, 120, 3, 0, 120)
        time = begin + 100_000
    page = Page(b, folder, bytes(a.data) + bytes(f.data[8:]), "wakers")
    ok(not (wrong := same(page)), "wakeups by a few wakers, at the times of their runs", wrong)
    with open(page.html, encoding="utf-8") as html:
        size = sum(3 * len(text) // 4 for text in re.findall(r'id="tl-[0-9]+">([^<]*)<', html.read()))
    ok(size < turns * 14, "such a wakeup takes the bits in which the times differ", (size, size / turns))


def zooms(b, folder):
    """At the deepest zoom rows, at wider ones sums, as they are drawn."""
    rng = random.Random(SEED + 7)
    machine = Machine(rng, 2, 12, 8000, births=False)
    page = Page(b, folder, machine.trace(losses(machine, rng)), "zoom")
    oracle = Oracle(page.path, page.begin)
    cpus = {cpu: merged(of) for cpu, of in oracle.cpus.items()}
    span = page.b.script("return fxtrecPage.view.head.span")
    page.show(span // 2, span // 2 + 400_000)
    begin, end = b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]")
    wrong = []
    for cpu, pieces in cpus.items():
        got = merged((a, z, None if t < 0 else t) for a, z, t in b.script(f"return fxtrecPage.rows('cpu-{cpu}')"))
        if got != (expected := [p for p in pieces if p[0] < end and p[1] > begin]):
            wrong.append((cpu, got[:3], expected[:3]))
    for key, pieces in oracle.threads.items():
        if not b.script(f"return !!fxtrecPage.view.reveal('thread-{key}')"):
            wrong.append((key, "no track"))
            continue
        page.get("fxtrecPage.settled()")
        # A wait is a row for each queue that it was in.
        got = merged((max(a, begin), min(z, end), PHASES[phase]) for a, z, phase, *_ in b.script(
            f"return fxtrecPage.rows('thread-{key}')"))
        if got != (expected := merged((max(a, begin), min(z, end), what[0]) for a, z, what in pieces if a < end and z > begin)):
            wrong.append((key, got[:3], expected[:3]))
    ok(not wrong, "at the deepest zoom each row in the window is the trace's", wrong[:2])
    for part, pictures in ((1, 0), (5, 0), (5, 3)):
        # At once: a picture in between would have none of the time that is taken away, and not be counted.
        paints = b.script(STARVE, pictures) if pictures else b.script("return fxtrecPage.view.paints")
        page.show(span // 3, span // 3 + span // part)
        paints = b.script("return fxtrecPage.view.paints") - paints
        begin, end = b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]")
        wrong = []
        for cpu, pieces in cpus.items():
            bins = b.script(f"return fxtrecPage.bins('cpu-{cpu}')")
            width = 1 << bins["shift"]
            for i, (sums, tops) in enumerate(binned(CPU, pieces, bins["shift"], bins["first"], len(bins["top"]))):
                got = [of[i] for of in bins["values"]]
                if max(abs(x - y) for x, y in zip(got, sums)) > (0 if bins["exact"] else width / 255) or (
                        bins["top"][i] not in tops):
                    wrong.append((cpu, i, got, sums, bins["top"][i], tops))
        pixels = (end - begin) / (b.script("return fxtrecPage.view.painter.width - fxtrecPage.view.painter.left"))
        ok(not wrong and pixels <= width < 2 * pixels and paints > pictures, f"1/{part} of the trace: each column is the sum of its "
           f"rows{', once there is time for it' if pictures else ''}", (wrong[:2], paints))
    b.script(SLOW)
    page.get("fxtrecPage.settled()")
    done, why = b.script(AGAIN)
    ok(done, "where each picture takes longer than the time to sum up, all is summed up", why)
    b.script("delete fxtrecPage.view.painter.begin")
    return page


def used(b, page):
    """Zoom, pan, selection, link, search, by keys, wheel and pointer."""
    view = "fxtrecPage.view"
    window = lambda: b.script(f"return [{view}.from, {view}.to]")
    span = b.script(f"return {view}.head.span")
    page.show(0, span)
    b.script(f"{view}.dom.canvas.focus()")
    b.press("w")
    begin, end = window()
    ok(0.6 * span < end - begin < 0.8 * span, "W zooms in", (begin, end))
    b.press("d")
    ok(window()[0] > begin, "D moves on", window())
    b.press("a", "s", "s")
    ok(window() == [0, span], "A moves back, S zooms out up to all of the trace", window())
    b.press("w", "Right")
    ok(window()[0] > begin, "so does the right arrow", window())
    x, y, width, height = b.script(f"const r = {view}.dom.canvas.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]")
    left = b.script(f"return {view}.painter.left")
    page.show(0, span)
    b.driver.actions([{"type": "key", "id": "keyboard", "actions": [{"type": "keyDown", "value": browser.KEYS["Control"]}]}])
    b.wheel(x + left + (width - left) / 4, y + 40, 0, -120)
    b.driver.actions([{"type": "key", "id": "keyboard", "actions": [{"type": "keyUp", "value": browser.KEYS["Control"]}]}])
    begin, end = window()
    middle = (span / 4 - begin) / (end - begin)
    ok(end - begin < 0.8 * span and abs(middle - 0.25) < 0.02, "the wheel zooms, and what is below it stays there", (begin, end))
    b.pointer((x + left + 400, y + 60), "down", (x + left + 300, y + 60), (x + left + 200, y + 60), "up")
    ok(window()[0] > begin, "a drag moves", window())
    page.show(0, span)
    b.driver.actions([{"type": "key", "id": "keyboard", "actions": [{"type": "keyDown", "value": browser.KEYS["Shift"]}]}])
    b.pointer((x + left + 100, y + 60), "down", (x + left + 200, y + 60), (x + left + 300, y + 60), "up")
    b.driver.actions([{"type": "key", "id": "keyboard", "actions": [{"type": "keyUp", "value": browser.KEYS["Shift"]}]}])
    chosen = b.wait(f"return {view}.rangeSums && {view}.range")
    ok(abs(chosen["from"] - span * 100 / (width - left)) < span / 100, "a drag with Shift chooses a range", chosen)
    oracle = Oracle(page.path, page.begin)
    sums = page.get(f"fxtrecPage.rangeSums({chosen['from']}, {chosen['to']})")
    wrong = []
    for cpu, (busy, idle, unknown) in sums["cpus"]:
        expected = summed(CPU, oracle.cpus[cpu], chosen["from"], chosen["to"])
        if abs(busy - expected[0]) > 1 or abs(unknown - expected[1]) > 1:
            wrong.append((cpu, busy, expected))
    for key, of in sums["threads"]:
        expected = summed(THREAD, oracle.threads[key], chosen["from"], chosen["to"])
        if max(abs(a - z) for a, z in zip(of, expected)) > 1:
            wrong.append((key, of, expected))
    ok(not wrong, "its sums are those of its rows", wrong[:2])
    ok(b.wait("const t = document.querySelector('.tl-detail table'); return t && t.textContent").count("CPU") > 2, "and are shown")
    width = b.script("return document.querySelector('.tl-detail caption').getBoundingClientRect().width")
    ok(width > 20, "with what they are of as a heading", width)
    b.script(f"{view}.dom.canvas.focus()")
    b.press("?")
    ok(b.script(f"return {view}.dom.help.open && {view}.dom.help.innerText.includes('zoom in and out')"), "? says what keys do")
    b.press("?")
    ok(not b.script(f"return {view}.dom.help.open"), "and no more")
    return oracle


def timed(b, page, oracle):
    """A wait that a timer began, on whatever thread."""
    key, begin, end = next((key, a, z) for key, of in oracle.threads.items() for a, z, what in of
                           if what[0] == "R" and what[2] is None and what[3])
    page.show(begin - 100_000, end + 100_000)
    waker = page.get(f"fxtrecPage.select({key}, {begin + 1}).then(() => fxtrecPage.selected())")["waker"]
    text = b.wait("const d = document.querySelector('.tl-detail dl'); return d && d.textContent.includes('a timer') && d.textContent")
    ok(waker["key"] is None and waker["context"].endswith(" timer") and "Woken bya timer on CPU" in text, "a timer is said to be the waker",
       (waker, text))


def selected(b, page, oracle):
    wait = next((key, a, z, what) for key, of in oracle.threads.items() for a, z, what in of
                if what[0] == "R" and what[2] and z - a > 50_000)
    key, begin, end, what = wait
    page.show(begin - 100_000, end + 100_000)
    got = page.get(f"fxtrecPage.select({key}, {begin + 1}).then(() => fxtrecPage.selected())")
    ok((got["from"], got["to"], got["waker"]["key"]) == (begin, end, what[2]), "a wait, and its waker", (got, wait))
    text = b.wait("const d = document.querySelector('.tl-detail dl'); return d && d.textContent")
    ok("Woken by" in text and "Runnable" in text, "are shown", text)
    culprits = page.get("fxtrecPage.culprits()")
    ok(sum(of["ns"] for of in culprits) == end - begin, "what ran while it waited is all of it", culprits)
    blame = json.loads(run([FXTREC, "blame", "--json", "--top=100000", f"--time=@{page.begin + begin},@{page.begin + end}",
                            page.path]).stdout)
    victim = next(v for v in blame["victims"] if v["key"] == key)
    expected = sorted((of["kind"], of.get("key") or 0, of["ns"]) for of in victim["culprits"])
    got = sorted((of["kind"], of["key"], of["ns"]) for of in culprits)
    ok(got == expected, "and is what blame says", (got, expected))
    b.script("fxtrecPage.view.dom.canvas.focus()")
    b.press("]")
    after = b.wait(f"const s = fxtrecPage.selected(); return s && s.from !== {begin} && s")
    ok(after["key"] == key and after["from"] == end and after["phase"] == 1, "] goes to what it did next", after)
    b.press("[")
    before = b.wait(f"const s = fxtrecPage.selected(); return s && s.from === {begin} && s")
    ok(before["to"] == end, "[ back", before)
    # It is written once the view rests: that of what was selected before may be there.
    fragment = b.wait(f"return location.hash.endsWith('&at={page.begin + begin}') && location.hash")
    ok(f"thread={key}&" in fragment, "the address is a link to it", fragment)
    window = b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]")
    page.open(fragment)
    again = b.wait("const s = fxtrecPage.selected(); return s && s.waker && s")
    ok((again["key"], again["from"]) == (key, begin), "which selects it again", again)
    there = b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]")
    ok(max(abs(a - z) for a, z in zip(window, there)) <= 2, "and shows the same time", (window, there))
    page.open(f"#from={page.begin + begin}&to={page.begin + end}&thread={key}")
    again = b.wait("const s = fxtrecPage.selected(); return s && s.waker && s")
    ok((again["key"], again["from"], again["to"]) == (key, begin, end), "a link to a wait selects it", again)
    rows_ = b.wait("const t = document.querySelectorAll('#tl-table tbody tr'); return t.length && [...t].map((r) => r.textContent)")
    label = b.script("const v = fxtrecPage.view; return v.tracks.shown[v.focus].label")
    ok(any(row.startswith(label) for row in rows_), "a table says what is in view", (label, rows_[:3]))


DRAWN = """const draw = CanvasRenderingContext2D.prototype.fillText;
    window.drawn = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
        window.drawn.push([text, x, y]);
        return draw.call(this, text, x, y, ...rest);
    };"""

# Rows of the picture in which a track has something in the column of a time: the first and the last.
PAINTED = """const view = fxtrecPage.view, p = view.painter, track = view.tracks.shown.find((t) => t.label === arguments[0]);
    const x = p.columnAt(arguments[1]), rows = [], { words, width } = p.pixels;
    const ground = words[Math.round((track.at + track.height - 1) * p.ratio) * width];
    for (let y = Math.ceil((track.at + 1) * p.ratio); y < (track.at + track.height - 1) * p.ratio; y++)
        if (words[y * width + x] !== ground)
            rows.push(y);
    return [rows[0], rows[rows.length - 1]];"""


def counted(b, page):
    """A counter's values: by click, Enter and brackets, in its label, in the table, as a link, from the line of zero."""
    page.get("fxtrecPage.settled()")
    b.script("const v = fxtrecPage.view; v.reveal(v.tracks.shown.find((t) => t.label === 'queue').id); v.dom.canvas.focus()")
    page.get("fxtrecPage.settled()")
    above, below = b.script(PAINTED, "queue", 200), b.script(PAINTED, "queue", 800)
    ok(above[0] < above[1] < below[1] and below[0] >= above[1] - 1, "negative values are below the line of zero", (above, below))
    b.press("Enter")
    got = b.wait("return fxtrecPage.selected()")
    ok((got["type"], got["value"], got["from"], got["to"]) == ("counter", -2, 350, 1000), "Enter selects a counter's value", got)
    text = b.wait("const t = document.querySelector('.tl-detail').textContent; return t.includes('queue: -2') && t")
    ok("queue: -2" in text and "-2 to 4" in text, "and shows it", text)
    b.press("[")
    got = b.wait("const s = fxtrecPage.selected(); return s.value === 4 && s")
    ok((got["from"], got["to"]) == (150, 350), "[ goes to the value before", got)
    place = b.script("""const v = fxtrecPage.view, r = v.dom.canvas.getBoundingClientRect(), t = v.tracks.shown[v.focus];
        return [r.x + v.painter.x(700), r.y + t.at + t.height / 2]""")
    b.click(*place)
    ok(b.wait("return fxtrecPage.selected().value === -2"), "a click selects it, too")
    # It is written some time after the picture, of sums where blocks are being decoded, and once more when they have been.
    shown = "const t = [...document.querySelectorAll('#tl-table tbody tr')].map((r) => r.textContent); "
    rows_ = b.wait(shown + "return t.some((r) => r.endsWith(': queue-2 to 4')) && t.some((r) => r.endsWith(' 10100.0 %3 instants')) && t")
    ok(len(rows_) == 8, "the table has what values are in view, how long threads ran and what is marked on them", rows_)
    for folded, count in (("true", 3), ("false", 8)):
        b.script(f"const v = fxtrecPage.view; v.fold(v.sections.find((s) => s.label.startsWith('Processes')), {folded})")
        ok(b.wait(shown + f"return t.length === {count}"), f"it has {count} rows where processes are{' not' * (count > 3)} folded")
    b.script("""const { store, tiles } = fxtrecPage.view, decoder = store.decoder, decode = decoder.decode.bind(decoder);
        const held = new Promise((resolve) => window.release = resolve);
        decoder.decode = (...block) => held.then(() => decode(...block));
        store.head.blocks.forEach((block) => block.data = null);
        tiles.recent.clear(); tiles.older.clear(); fxtrecPage.view.moved();""")
    rows_ = b.wait(shown + "return t.some((r) => r.endsWith(' 1099.2 %about 3 instants')) && t")
    ok(len(rows_) == 8, "it is of sums while blocks are being decoded", rows_)
    b.script("window.release()")
    rows_ = b.wait(shown + "return t.some((r) => r.endsWith(' 10100.0 %3 instants')) && t")
    ok(len(rows_) == 8, "and exact when they have been", rows_)
    fragment = b.wait(f"return location.hash.endsWith('&at={page.begin + 350}') && location.hash")
    page.open(fragment)
    got = b.wait("return fxtrecPage.selected()")
    ok((got["type"], got["value"]) == ("counter", -2), "a link to it selects it again", got)
    b.script(DRAWN)
    b.script("const v = fxtrecPage.view; v.reveal(v.selected.track)")
    page.get("fxtrecPage.settled()")
    drawn = [text for text, *_ in b.script("return window.drawn")]
    ok("-2 to 4" in drawn, "its label has the lowest and the highest value", drawn)


def moments(b):
    """Search takes times as commands print them and as --time takes them, and shows them by both clocks."""
    search = """const v = fxtrecPage.view; v.dom.search.value = arguments[0]; v.dom.search.dispatchEvent(new Event('input'));
        return v.matches.filter((m) => m.label.startsWith('time ')).map((m) => m.label)"""
    seconds = lambda ns: f"{ns // 10 ** 9}.{ns % 10 ** 9:09}"
    shown = f"time {seconds(START + 250)} s (0.000000 s from the begin)"
    for text in (seconds(START + 250), f"@{seconds(START + 250)}", f"@{START + 250}", str(START + 250), "250ns", "250 ns", "0.25us",
                 f" {seconds(START + 250)} s", "-750ns"):
        got = b.script(search, text)
        ok(shown in got and len(got) == 1, f"search: the time {text!r}", got)
    for text in (seconds(START + 10 ** 6), f"@{START - 10 ** 6}", "5s", "1.2.3", "@", "-", "1 d", "-5s", "9" * 30):
        got = b.script(search, text)
        ok(got == [], f"search: {text!r} is no time of it", got)
    got = b.script("const v = fxtrecPage.view; v.dom.search.value = '250ns'; v.dom.search.dispatchEvent(new Event('input'));"
                   "v.matches.find((m) => m.label.startsWith('time ')).go(); return [v.from, v.to, v.head.span]")
    ok(got[0] <= 250 <= got[1] and (got[1] - got[0] < got[2] or got[2] <= 1000), "and goes to it", got)
    b.script("fxtrecPage.view.show(0, fxtrecPage.view.head.span)")


def events(b, folder):
    """Slices, instants, counters, interrupts, log lines; names that are markup."""
    evil = "</script><script>document.title='hit'</script>"
    irq, softirq = 0x41000000, 0x41010000
    f = File().provider(1, "fxtrec").named(10, 10, evil, START - 1, leader=True).named(10, 11, "other", START - 1)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    f.event(BEGIN, START + 100, 10, 10, "app", "outer", [("n", 1)]).event(BEGIN, START + 200, 10, 10, "app", evil)
    f.event(END, START + 300, 10, 10, "app", "").event(END, START + 400, 10, 10, "app", "", [("ret", -7), ("who", "a=b\x1e<i>")])
    f.event(COMPLETE, START + 500, 10, 11, "app", "part", (), START + 550)
    f.event(COMPLETE, START + 500, 10, 11, "app", "whole", (), START + 600)
    f.event(BEGIN, START + 700, 10, 11, "app", "open")
    f.event(INSTANT, START + 250, 10, 10, "app", "tick", [("x", 0.5), ("p", Unsigned(3))])
    f.event(COUNTER, START + 150, 10, 10, "app", "queue", [("value", 4)], 0).event(COUNTER, START + 350, 10, 10, "app", "queue",
                                                                                    [("value", -2)], 0)
    f.event(ASYNC_BEGIN, START + 120, 10, 10, "app", "request", (), 9).event(ASYNC_END, START + 320, 10, 11, "app", "request", (), 9)
    f.event(BEGIN, START + 710, 0, irq, "irq", "eth0", [("irq", 9)]).event(END, START + 720, 0, irq, "irq", "eth0")
    f.event(BEGIN, START + 730, 0, softirq, "irq", "TIMER").event(END, START + 740, 0, softirq, "irq", "TIMER")
    f.log(START + 800, 10, 10, "a line")
    f.event(INSTANT, START + 800, 10, 10, "mark", "a line").log(START + 810, 10, 10, "alone")
    f.switch(START + 1000, 0, 10, 120, 3, 0, 120)
    page = Page(b, folder, f.data, "events")
    slices = [row for of in page.all(SLICE).values() for row in of]
    key = lambda row: (row[0], row[1])
    expected = [[100, 400, "outer", 0, [["n", "1"], ["ret", "-7"], ["who", "a=b <i>"]]], [120, 320, "request", 0, []],
                [200, 300, evil, 2, []], [500, 550, "part", 2, []], [500, 600, "whole", 0, []], [700, 1000, "open", 1, []],
                [710, 720, "eth0", 0, [["irq", "9"]]], [730, 740, "TIMER", 0, []]]
    ok(sorted(slices, key=key) == expected, "slices, with their arguments", sorted(slices, key=key))
    instants = sorted((row for of in page.all(INSTANTS).values() for row in of), key=key)
    ok([[row[0], row[2], row[4]] for row in instants] == [[250, "tick", [["x", "0.5"], ["p", "3"]]], [800, "a line", []],
                                                          [810, "alone", []]], "instants; a message is one", instants)
    ok(list(page.all(COUNTERS).values()) == [[[150, 4], [350, -2]]], "counters", page.all(COUNTERS))
    b.script("const v = fxtrecPage.view; v.tracks.shown.filter((t) => t.type === 'process').forEach((t) => v.fold(t, false))")
    tracks = b.script("return fxtrecPage.tracks().map((t) => [t.type, t.label])")
    ok(["slices", "irq"] in tracks and ["slices", "softirq"] in tracks and ["counter", "queue"] in tracks, "tracks", tracks)
    counted(b, page)
    processes = b.script("return fxtrecPage.tracks().filter((t) => t.type === 'process').map((t) => t.label.split(' ').pop())")
    ok(sorted(processes) == ["10", "11", "asynchronous"], "asynchronous slices and counters are of the process that has the threads", processes)
    b.script("document.querySelector('.tl-search input').focus()")
    b.press(*"tick")
    b.wait("return fxtrecPage.view.matches && fxtrecPage.view.matches.length")
    b.press("Enter")
    got = b.wait("return fxtrecPage.selected()")
    ok((got["type"], got["from"], got["name"]) == ("instant", 250, "tick"), "search finds an event by its name", got)
    text = b.wait("const d = document.querySelector('.tl-detail'); return d.textContent.includes('Arguments') && d.textContent")
    ok("0.5" in text, "its arguments are shown", text)
    b.script("const i = document.querySelector('.tl-search input'); i.value = ''; i.focus()")
    b.press(*"11")
    b.press("Enter")
    ok(b.wait("const v = fxtrecPage.view; return v.tracks.shown[v.focus].label === 'other 11'"), "search finds a thread by its id")
    moments(b)
    b.script("const i = document.querySelector('.tl-search input'); i.value = ''; i.focus()")
    b.press(*"</scr")
    ok(evil in "".join(b.wait("const f = document.querySelectorAll('.tl-found li'); return f.length && [...f].map((l) => l.textContent)")),
       "a name that is markup is text")
    ok(b.script("return document.title") != "hit", "and runs nothing")


def recorders(b, folder):
    """Of the recorder's own events: counters, delays and losses; those of scheduling are shaded, facts are not shown."""
    lost = [("cause", "ring full"), ("records", Unsigned(7))]
    f = File().provider(1, "fxtrec").named(10, 10, "app", START - 1, leader=True).named(9, 9, "fxtrec", START - 1, leader=True)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    f.event(COUNTER, START + 150, 9, 9, "fxtrec", "runnable", [("threads", 3)], 0)
    f.event(INSTANT, START + 200, 9, 9, "fxtrec", "covered", [("cpu", Unsigned(0))])
    f.event(INSTANT, START + 220, 10, 10, "fxtrec", "latency", [("ns", Unsigned(9))])
    for track, begin in ((0x40000000, 300), (0x40010000, 400), (0x40020000, 500)):
        f.event(COMPLETE, START + begin, 9, track, "fxtrec", "lost", lost, START + begin + 50)
    f.switch(START + 1000, 0, 10, 120, 3, 0, 120)
    page = Page(b, folder, f.data, "recorders")
    ok(list(page.all(COUNTERS).values()) == [[[150, 3]]], "counters of --counters", page.all(COUNTERS))
    instants = sorted((row[0], row[2]) for of in page.all(INSTANTS).values() for row in of)
    ok(instants == [(220, "latency")], "a delay that was a trigger", instants)
    slices = sorted(row for of in page.all(SLICE).values() for row in of)
    arguments = [["cause", "ring full"], ["records", "7"]]
    ok(slices == [[400, 450, "lost", 0, arguments], [500, 550, "lost", 0, arguments]], "losses of names and other events", slices)
    tracks = b.script("return fxtrecPage.tracks().filter((t) => t.type === 'slices').map((t) => t.label)")
    ok(tracks == ["lost events", "lost names"], "which are of their CPU", tracks)


def deep(b, folder):
    """Slices within each other have a lane each; the label says how many levels have none."""
    f = File().provider(1, "app")
    for depth in range(40):
        f.event(COMPLETE, START + depth, 10, 11, "app", f"level{depth}", (), START + 1000 - depth)
    page = Page(b, folder, f.data, "deep")
    b.size(1280, 1400)
    page.get("fxtrecPage.settled()")
    b.script(DRAWN)
    page.get("fxtrecPage.settled()")
    drawn = b.script("return window.drawn")
    lanes = {text: y for text, _, y in drawn if text.startswith("level")}
    ok(len(lanes) == 32 == len(set(lanes.values())), "slices in each other have a lane each", lanes)
    ok(any(text == "+8 levels deeper" for text, *_ in drawn), "and what is deeper is said", drawn)
    b.size(1280, 800)


def found(b, folder):
    """A name that an outermost slice has, too, is found in nested slices and instants."""
    f = File().provider(1, "fxtrec").named(10, 10, "event loop", START - 1, leader=True).named(10, 11, "event pool", START - 1)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    f.event(BEGIN, START + 100, 10, 10, "app", "part one").event(BEGIN, START + 100, 10, 10, "app", "part two")
    f.event(BEGIN, START + 200, 10, 10, "app", "part one").event(END, START + 220, 10, 10, "app", "")
    f.event(INSTANT, START + 250, 10, 10, "app", "part three").event(END, START + 300, 10, 10, "app", "")
    f.event(END, START + 400, 10, 10, "app", "").switch(START + 500, 0, 10, 120, 3, 11, 120)
    page = Page(b, folder, f.switch(START + 1000, 0, 11, 120, 3, 0, 120).data, "found")
    search = "const i = document.querySelector('.tl-search input'); i.value = ''; i.focus()"
    b.script(search)
    b.press(*"part")
    got = []
    for _ in range(5):
        page.get("fxtrecPage.view.matches.find((m) => m.label.startsWith('events')).go()")
        got.append(b.script("return fxtrecPage.selected().name"))
    ok(got == ["part one", "part two", "part one", "part three", "part one"],
       "search by a part of a name finds nested slices and instants, then the first again", got)
    b.script(search)
    b.press(*"event ")
    got = []
    for _ in range(2):
        b.press("Enter")
        got.append(b.wait(f"const v = fxtrecPage.view, l = v.tracks.shown[v.focus].label; return l !== '{(got or [''])[-1]}' && l"))
    ok(got == ["event loop 10", "event pool 11"], "Enter goes to the next thread, whatever it is called", got)
    labels = b.script("return fxtrecPage.view.matches.map((m) => m.label)")
    ok("event loop 10" in labels and "process event loop 10" in labels, "a process is told from its first thread", labels)


# What is drawn round the selection in the next picture: [y, height] from its track's top.
OUTLINED = """const view = fxtrecPage.view, selected = view.selected, context = view.painter.context, outlined = [];
    const at = view.tracks.shown.find((t) => t.id === selected.track || t.instants === selected.number);
    context.strokeRect = (x, y, width, height) => outlined.push([y - at.at, height]);
    view.paint();
    delete context.strokeRect;
    return outlined;"""


def together(b, folder):
    """Slices that begin at one time: the next and the previous one, and a link to each; a mark in a folded process."""
    f = File().provider(1, "app").event(COMPLETE, START, 10, 11, "app", "before", (), START + 10)
    for at, name in enumerate(("outer", "middle", "inner")):
        f.event(COMPLETE, START + 100, 10, 11, "app", name, (), START + 200 - at)
    page = Page(b, folder, f.event(COMPLETE, START + 300, 10, 11, "app", "after", (), START + 310).data, "together")
    page.open(f"#from={page.begin}&to={page.begin + 310}&track=slices-0&at={START}")
    b.wait("return fxtrecPage.selected()")
    b.script("fxtrecPage.view.dom.canvas.focus()")
    names = ["before", "outer", "middle", "inner", "after"]
    for key, order in (("]", names), ("[", names[::-1])):
        got = [b.script("return fxtrecPage.selected().name")]
        for _ in order[1:]:
            b.press(key)
            got.append(b.wait("const s = fxtrecPage.selected(); return s.name !== arguments[0] && s.name", got[-1]))
        ok(got == order, f"{key} goes to each of them", got)
    got, outlined = [], []
    for nth in range(3):
        page.open(f"#from={page.begin}&to={page.begin + 310}&track=slices-0&at={START + 100}&nth={nth}")
        got.append(b.wait("return fxtrecPage.selected()")["name"])
        outlined += b.script(OUTLINED)
    ok(got == names[1:4], "a link selects the one that it is of", got)
    ok(outlined == [[1, 15], [16, 15], [31, 15]], "which is outlined", outlined)
    b.script("fxtrecPage.view.dom.canvas.focus()")
    b.press("[")
    ok(b.wait("return location.hash.endsWith('&nth=1')"), "the link follows the selection")
    f = File().provider(1, "fxtrec").cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    for tid in range(10, 15):
        f.named(10, tid, "app", START - 1, leader=tid == 10).switch(START + 100 * (tid - 9), 0, tid, 120, 1, tid + 1 if tid < 14 else 0, 120)
    page = Page(b, folder, f.event(INSTANT, START + 350, 10, 13, "app", "mark").data, "mark")
    page.open(f"#from={page.begin}&to={page.begin + 500}&track=instants-0&at={START + 350}")
    b.wait("return fxtrecPage.selected()")
    outlined = b.script(OUTLINED)
    ok(len(outlined) == 1, "a link to a mark of a thread shows its process's threads, and the mark is outlined", outlined)


def unseen(b, folder):
    """Names of slices are drawn without what would turn them round, as those of threads are."""
    f = File().provider(1, "fxtrec").named(10, 10, "one", START - 1, leader=True)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    f.event(BEGIN, START + 100, 10, 10, "app", "\u202egnp.exe\x1b[1m").event(END, START + 900, 10, 10, "app", "")
    Page(b, folder, f.switch(START + 1000, 0, 10, 120, 3, 0, 120).data, "unseen")
    b.script(DRAWN + """
        dispatchEvent(new Event("beforeprint"));
        dispatchEvent(new Event("afterprint"));""")
    got = [text for text in b.wait("return window.drawn.some((of) => of[0].includes('gnp')) && window.drawn.map((of) => of[0])")
           if "gnp" in text]
    ok(got and not any(c in text for text in got for c in "\u202e\x1b"), "a slice's name is drawn as it is read", got)


def printed(b, page):
    """Paper is light, and gets what is in view."""
    b.theme("dark")
    page.open()
    page.get("fxtrecPage.settled()")
    pixel = """const c = fxtrecPage.view.dom.canvas, to = document.createElement("canvas").getContext("2d");
        to.drawImage(c, 2 - c.width, 2 - c.height);
        const at = to.getImageData(0, 0, 1, 1).data;
        return at[0] + at[1] + at[2]"""
    dark = b.script(pixel)
    light = b.script("dispatchEvent(new Event('beforeprint')); " + pixel)
    b.script("dispatchEvent(new Event('afterprint'))")
    page.get("fxtrecPage.settled()")
    ok(dark < 384 < light and b.script(pixel) == dark, "paper has the light colours at once, and the screen its own again",
       (dark, light))
    b.theme("light")


def decoded(b, folder):
    """Blocks are decoded in a worker; in the page itself where a browser has none, refuses it at once, or by an event."""
    machine = Machine(random.Random(SEED + 9), 3, 9, 900)
    page = Page(b, folder, machine.trace(losses(machine, random.Random(SEED))), "decoded")
    wrong = same(page)
    ok(not wrong and b.script("return !!fxtrecPage.view.store.decoder.worker"), f"{b.kind}: a worker decodes blocks", wrong)
    for what, worker in (("none", "undefined"), ("one refused at once", "class { constructor() { throw new Error('no'); } }"),
                         ("one refused by an event",
                          "class { postMessage() { setTimeout(() => this.onerror(new Event('error', { cancelable: true }))); } }")):
        page.open()
        b.wait("return !fxtrecPage.view.store.busy")
        b.script(f"""window.Worker = {worker};
            const s = fxtrecPage.view.store;
            s.decoder.worker = null;
            s.kept = 0;
            s.head.blocks.forEach((block) => block.data = null);""")
        wrong = same(page)
        ok(not wrong and b.script("const d = fxtrecPage.view.store.decoder; return d.refused && !d.worker"),
           f"{b.kind}: without a worker, {what}, the page does", wrong)


def programs(b, folder):
    """Of what programs say: the table, sums of a range, search, links to times that aren't in the trace."""
    f = File().provider(1, "app").named(10, 10, "app", START - 1, leader=True)
    f.event(BEGIN, START, 10, 10, "app", "outer").event(COMPLETE, START + 1000, 10, 10, "app", "inner", (), START + 3000)
    f.event(COMPLETE, START + 5000, 10, 10, "app", "inner", (), START + 5000)
    f.event(INSTANT, START + 6000, 10, 10, "app", "mark").event(COUNTER, START + 7000, 10, 10, "app", "depth", [("", 7)], 1)
    f.event(END, START + 10_000, 10, 10, "app", "outer")
    f.cpu(7).switch(START, 7, 0, 120, 1, 10, 120).switch(START + 10_000, 7, 10, 120, 3, 0, 120)
    page = Page(b, folder, f.data, "programs")
    shown = "return [...document.querySelectorAll('#tl-table tbody tr')].map((r) => [r.cells[0].textContent, r.cells[5].textContent])"
    b.script("document.querySelector('#timeline details').open = true; fxtrecPage.view.sections.forEach((s) => s.children.forEach("
             "(t) => fxtrecPage.view.fold(t, false)))")
    rows_ = b.wait(f"const got = (() => {{ {shown} }})(); return got.some((r) => r[1].includes('in slices')) && got")
    ok(any(label.endswith(": app") and " % in slices, most in outer" in what for label, what in rows_),
       "the table has what slices cover", rows_)
    page.get("fxtrecPage.rangeShow(2000, 8000)")
    tables = b.wait("""const t = [...document.querySelectorAll('.tl-detail table')]; return t.length && t.map((t) =>
        [t.caption.textContent, [...t.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent))])""")
    ok(["Slices", [["outer", "6.000 \u00b5s", "1"], ["inner", "1.000 \u00b5s", "2"]]] in tables,
       "a range has sums of slices by their names", tables)
    b.script("fxtrecPage.rangeShow(-500, -100)")
    ok(b.script("return [fxtrecPage.view.range.from, fxtrecPage.view.range.to]") == [2000, 8000],
       "there is no range outside of the trace", b.script("return fxtrecPage.view.range"))
    search = "const v = fxtrecPage.view; v.dom.search.value = arguments[0]; v.dom.search.dispatchEvent(new Event('input')); " \
             "return v.matches.map((m) => m.label)"
    got = b.script(search, "cpu 7"), b.script(search, "depth")
    ok("CPU 7" in got[0] and any(label.startswith("counter ") and "depth" in label for label in got[1]),
       "search finds CPUs and counters", got)
    whole = b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]")
    for begin, end in ((1, 2), (START - 500, START - 100), (START + 20_000, START + 30_000), (1 << 63, 1 << 64)):
        page.open(f"#from={begin}&to={end}&range={begin},{end}")
        if b.script("return [fxtrecPage.view.from, fxtrecPage.view.to]") != whole or b.script("return fxtrecPage.view.range"):
            whole = None
    ok(whole, "a link to a time of another trace shows the whole of this one")


def early(b, folder):
    """What a running thread says before its first scheduling event is the thread's, as what it says later."""
    f = File().provider(1, "app").named(10, 10, "app", START - 1, leader=True).named(11, 11, "other", START - 1, leader=True)
    f.event(BEGIN, START + 10, 10, 10, "app", "long").event(INSTANT, START + 20, 10, 10, "app", "first")
    f.event(INSTANT, START + 600, 10, 10, "app", "second").event(END, START + 700, 10, 10, "app", "long")
    f.cpu(0).switch(START, 0, 0, 120, 1, 11, 120).switch(START + 800, 0, 11, 120, 3, 0, 120)
    f.cpu(1).switch(START + 100, 1, 10, 120, 3, 0, 120).wakeup(START + 500, 1, 10, 120, 11).switch(START + 510, 1, 0, 120, 1, 10, 120)
    page = Page(b, folder, f.switch(START + 800, 1, 10, 120, 3, 0, 120).data, "early")
    slices, instants = page.all(2), page.all(3)
    ok([[row[:3] for row in of] for of in slices.values()] == [[[10, 700, "long"]]] and
       [[row[2] for row in of] for of in instants.values()] == [["first", "second"]],
       "a slice that begins before its thread's first scheduling event ends when it does", (slices, instants))
    keys = b.script("return [...fxtrecPage.view.head.tracks.values()].map((t) => fxtrecPage.view.head.threads.get(t.key)?.tid)")
    ok(keys == [10, 10], "and is its thread's", keys)


def folded(b, folder):
    """What a folded process shows is of the time in view: four threads of one process run 10 ns each in 1 ms."""
    f = File().provider(1, "fxtrec")
    for tid in range(10, 15):
        f.named(10, tid, f"t{tid}", START - 1, leader=tid == 10)
    f.cpu(0).switch(START, 0, 0, 120, 1, 10, 120).switch(START + 10, 0, 10, 120, 3, 0, 120)
    for tid in range(11, 15):
        time = START + (tid - 10) * 200_000
        f.switch(time, 0, 0, 120, 1, tid, 120).switch(time + 10, 0, tid, 120, 3, 0, 120)
    page = Page(b, folder, f.switch(START + 1_000_000, 0, 0, 120, 1, 10, 120).data, "folded")
    label = b.script("const t = fxtrecPage.view.tracks.shown.find((t) => t.type === 'process'); return t.folded && t.label")
    got = []
    for middle in (200_000, 600_000, 300_000):
        page.show(middle - 100, middle + 100)
        got.append([b.script(PAINTED, label, middle + ns)[0] is not None for ns in (-50, 5, 50)])
    ok(got == [[False, True, False], [False, True, False], [False, False, False]],
       "zoomed in, a folded process runs when one of its threads does", (label, got))


def bare(b, folder):
    """A trace of programs alone: nothing is said of scheduling, and its rows are unfolded."""
    f = File().provider(1, "app")
    for thread in range(5):
        f.event(COMPLETE, START + thread, 10, 11 + thread, "app", "work", (), START + 500)
    page = Page(b, folder, f.data, "bare")
    ok(b.script("return document.querySelector('#bare h2').textContent") == "No scheduling in this trace" and
       not b.script("return document.querySelector('#waiters, #threads, #tiles')"), "a trace of no scheduling says so")
    Page(b, folder, File().provider(1, "app").data, "empty")
    ok(b.script("return document.querySelector('#bare').textContent") == "No event in this traceIt has neither scheduling nor "
       "events of programs.", "a trace of nothing says that", b.script("return document.querySelector('#bare').textContent"))
    page = Page(b, folder, f.data, "bare")
    links = b.script("return [...document.querySelectorAll('nav a')].map((a) => a.textContent)")
    ok(links == ["Timeline"], "and links to no section that isn't there", links)
    shown = b.script("return fxtrecPage.view.tracks.shown.filter((t) => t.type === 'slices').map((t) => t.label)")
    ok(shown == ["app"] * 5, "all its rows are seen, by their category", shown)
    ok(len([row for of in page.all(SLICE).values() for row in of]) == 5, "and have what is in it")
    ok(b.script("return fxtrecPage.view.head.span") == 500 and b.script(
        "const s = document.getElementById('span').dataset; return s.toNs - s.fromNs") == 500,
       "the trace is as long as what is in it", page.all(SLICE))


def exact(b, folder):
    """Ids beyond 2^53 are whole, and no two of them one."""
    f, most = File().provider(1, "app"), 2 ** 64 - 1
    for pid in (most, most - 1, 2 ** 53 + 1):
        f.named(pid, pid, "big", START - 1, leader=True)
        f.event(COMPLETE, START, pid, pid, "app", "work", (), START + 500)
        f.event(INSTANT, START, pid, pid - 8, "app", "mark")
        f.event(COUNTER, START, pid, pid, "app", "level", [("of", 0.1 + 0.2)])
    f.switch(START, 0, 0, 120, 1, most - 2, 120).switch(START + 500, 0, most - 2, 120, 3, most - 3, 120)
    page = Page(b, folder, f.switch(START + 900, 0, most - 3, 120, 3, 0, 120).data, "exact")
    page.get("fxtrecPage.settled()")
    shown = b.script("return fxtrecPage.view.sections.flatMap((s) => s.children).flatMap((p) => [p, ...p.children]).map((t) => t.label)")
    wanted = {f"big {pid}" for pid in (most, most - 1, 2 ** 53 + 1)} | {f"? {most - 2}", f"? {most - 3}"}
    ok(wanted <= set(shown), "ids beyond 2^53 are whole", shown)


def lanes(b, folder):
    """Asynchronous work is on as many lanes as there is of a name at one time, whatever its ids are."""
    f, expected = File().provider(1, "app"), []
    for at in range(200):
        begin = START + 1000 * at
        f.event(ASYNC_BEGIN, begin, 10, 11, "net", ("get", "put")[at % 2], (), at)
        f.event(ASYNC_BEGIN, begin + 100, 10, 11, "net", "part", (), at).event(ASYNC_END, begin + 200, 10, 11, "net", "part", (), at)
        expected += [[1000 * at, 1000 * at + 4500, ("get", "put")[at % 2]], [1000 * at + 100, 1000 * at + 200, "part"]]
        if at >= 4:
            f.event(ASYNC_END, begin + 500, 10, 12, "net", "", (), at - 4)
    for at in range(196, 200):
        f.event(ASYNC_END, START + 1000 * at + 4500, 10, 11, "net", "", (), at)
    page = Page(b, folder, f.event(ASYNC_END, START + 300_000, 10, 11, "net", "", (), 7).data, "lanes")
    rows_ = sorted((row for of in page.all(SLICE).values() for row in of), key=lambda row: row[:2])
    ok([row[:3] for row in rows_] == expected, "asynchronous slices are those of the trace", rows_[:3])
    shown = b.script("return fxtrecPage.view.tracks.shown.filter((t) => t.type === 'slices').map((t) => t.label)")
    ok(shown == ["get"] * 3 + ["put"] * 3, "on a lane for each that there is of a name at one time", shown)
    over = [(number, a, z) for number, of in page.all(SLICE).items() for a, z in zip(of, of[1:])
            if z[3] < 2 and a[3] < 2 and z[0] < a[1]]
    ok(not over, "none over another", over[:2])


def outlasting(b, folder):
    """A slice that ends behind the last context switch has the duration that it has."""
    f = File().provider(1, "fxtrec").named(10, 10, "one", START - 1, leader=True).cpu(0)
    f.switch(START, 0, 0, 120, 1, 10, 120).event(COMPLETE, START + 700, 10, 10, "app", "long", (), START + 50_000)
    page = Page(b, folder, f.switch(START + 1000, 0, 10, 120, 3, 0, 120).data, "outlasting")
    slices = [row[:3] for of in page.all(SLICE).values() for row in of]
    ok(slices == [[700, 50_000, "long"]] and b.script("return fxtrecPage.view.head.span") == 1000,
       "a slice that outlasts the scheduling keeps its end", slices)


def ends(b, folder):
    """A mark at the very end of a trace, which may be all that is in it, is drawn, and found by a link."""
    f = File().provider(1, "app").event(INSTANT, START, 10, 11, "app", "last")
    page = Page(b, folder, f.data, "ends")
    page.get("fxtrecPage.settled()")
    got = page.get("fxtrecPage.rows('instants-0')")
    ok(got == [[0, 0, "last", 0, []]], "a mark that is all of a trace is in view", got)
    page = Page(b, folder, f.event(INSTANT, START - 1000, 10, 11, "app", "first").data, "ends")
    page.open(f"#from={page.begin}&to={page.begin + 1000}&track=instants-0&at={START}")
    got = b.wait("return fxtrecPage.selected()")
    ok((got["name"], got["from"]) == ("last", 1000), "a link to the last mark selects it", got)


def wide(b, folder):
    """No text is wider than the room that it has; a name is cut between characters."""
    f = File().provider(1, "app")
    for at, name in enumerate(("W" * 40, "\u4e2d" * 40, "\U0001f389" * 40)):
        f.named(10 + at, 10 + at, name, START - 1, leader=True)
        f.event(COMPLETE, START, 10 + at, 10 + at, "app", name, (), START + 100).event(INSTANT, START + 1000, 10 + at, 10 + at, "app", "end")
    page = Page(b, folder, f.data, "wide")
    b.script(DRAWN)
    page.get("fxtrecPage.settled()")
    drawn = b.script("""const { left, scale, context } = fxtrecPage.view.painter;
        return window.drawn.map(([text, x]) => [text, x, x + context.measureText(text).width, x < left ? left : left + 100 * scale]);""")
    names = [of for of in drawn if of[0][0] in "W\u4e2d\U0001f389"]
    ok(len(names) >= 9 and all(end <= edge for _, _, end, edge in names), "names stay in their places, however wide their characters are", names)
    ok({text.strip("W\u4e2d\U0001f389") for text, *_ in names} == {"\u2026", *(f"\u2026{n} (2)" for n in (10, 11, 12)),
                                                                *(f"\u2026{n}" for n in (10, 11, 12))},
       "and are cut between characters, before their numbers", names)


def all_cpus(b, folder):
    """The picture of all of the trace is of all CPUs."""
    f = File().provider(1, "fxtrec").named(10, 10, "busy", START - 1, leader=True)
    for cpu in range(96):
        task = 1000 + cpu if cpu >= 64 else 0
        f.cpu(cpu).switch(START, cpu, 10, 120, 3, task, 120).switch(START + 1_000_000, cpu, task, 120, 3, 0, 120)
    page = Page(b, folder, f.data, "all")
    page.get("fxtrecPage.settled()")
    high = b.script("""const { axis } = fxtrecPage.view, run = Number("0x" + axis.colors.run.slice(1));
        const { data } = axis.context.getImageData((axis.left + axis.width) / 2, 0, 1, 30);
        return [...Array(30).keys()].filter((y) => Math.abs(data[4 * y + 1] - (run >> 8 & 255)) < 40).length;""")
    ok(6 <= high <= 10, "how busy all CPUs are, where there are many", high)


def turned(b, folder):
    """What stands behind a name from right to left stays there."""
    f = File().provider(1, "fxtrec").named(10, 10, "waits", START - 1, leader=True).named(11, 11, "\u05d0\u05d1", START - 1, leader=True)
    f.named(12, 12, "\u05d2\u05d3", START - 1, leader=True).cpu(0).switch(START, 0, 0, 120, 1, 11, 120)
    f.wakeup(START + 100, 0, 10, 120, 11).switch(START + 9_000_000, 0, 11, 120, 3, 12, 120)
    page = Page(b, folder, f.switch(START + 10_000_000, 0, 12, 120, 3, 10, 120).data, "turned")
    got = b.script("""const story = document.querySelector('#worst .story'), walker = document.createTreeWalker(story, NodeFilter.SHOW_TEXT);
        const lefts = {};
        while (walker.nextNode())
            for (const word of ['\u05d0', '9.000', '\u05d2', '1.000']) {
                const at = walker.currentNode.data.lastIndexOf(word), range = document.createRange();
                if (at < 0)
                    continue;
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 1);
                lefts[word] = range.getBoundingClientRect().left;
            }
        return [story.textContent, Object.keys(lefts).sort((a, z) => lefts[a] - lefts[z])];""")
    ok(got[1] == ["9.000", "\u05d0", "1.000", "\u05d2"], "a name from right to left turns no more than itself round", got)


def touched(b, folder):
    """What scrolls the tracks, or is no click, selects and folds nothing."""
    page = Page(b, folder, Machine(random.Random(SEED), 2, 40, 400).trace(), "touched")
    b.script("fxtrecPage.view.root.scrollIntoView()")
    x, y = b.script("const r = fxtrecPage.view.dom.canvas.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]")
    b.script("const v = fxtrecPage.view, at = v.trackAt.bind(v); window.clicked = 0; v.trackAt = (y) => { window.clicked++; return at(y); }")
    shown = len(b.script("return fxtrecPage.tracks()"))
    b.pointer((x, y), "down", *((x, y - 10 * i) for i in range(1, 10)), "up", kind="touch")
    b.wait("return fxtrecPage.view.dom.scroll.scrollTop > 0")
    page.get("fxtrecPage.settled()")
    ok(b.script("return window.clicked") == 0 and len(b.script("return fxtrecPage.tracks()")) == shown, "a finger scrolls the tracks, no more")
    b.pointer((x, y), "down", (x, y + 30), (x, y + 60), "up")
    ok(b.script("return window.clicked") == 0, "nor is a drag up or down a click")
    b.pointer((x, y), "down", "up", kind="touch")
    ok(b.script("return window.clicked") == 1, "a tap is one")


# System calls of x86-64.
FUTEX, READ, FSYNC, POLL, RECVFROM = 202, 0, 74, 7, 45
SLEEPS = (
    (40_000, "lock", "futex", "futex 0x40", reason(FUTEX, "futex", 0x40, flags=LOCK, operation=PRIVATE, holder=11), 11, None),
    (30_000, "pipe", "read", "pipe:[4711]", reason(READ, "pipe", 4711), 0, None),
    (30_000, "pipe", "read", "pipe:[4711]", reason(READ, "pipe", 4711), 0, None),
    (20_000, "disk", "fsync", "/var/lib/db/wal (file 8:1 inode 5)", reason(FSYNC, "file", 5, device=0x800001), 0, "D"),
    (60_000, "network", "recvfrom", "inet:[77]", reason(RECVFROM, "inet", 77), 0, None),
    (10_000, "memory", "exception", "", reason(entry=EXCEPTION), 0, "D"),
    (50_000, "idle", "poll", "", reason(POLL), 0, None), (15_000, "stopped", "", "", (), 0, "T"),
    (25_000, "unknown", "", "", (), 0, None),
    (35_000, "lock", "futex", "futex 0x40", reason(FUTEX, "futex", 0x40, flags=LOCK, operation=PRIVATE, holder=11), 11, None),
    (18_000, "child", "futex", "futex 0x48", reason(FUTEX, "futex", 0x48, flags=JOIN, operation=9, holder=11), 11, None))


def asleep():
    """A thread that sleeps for each class of reasons, woken by the thread that runs on the other CPU."""
    f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
    f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")])
    for tid, name in (10, "worker"), (11, "keeper"):
        f.named(10, tid, name, START - 100, leader=tid == 10)
    now, expected = START, []
    f.cpu(1).switch(START, 1, 0, 120, 1, 11, 120).cpu(0).switch(START, 0, 0, 120, 1, 10, 120)
    for ns, name, call, item, why, holder, letter in SLEEPS:
        f.cpu(0).switch(now + 1000, 0, 10, 120, 3, 0, 120, letter, why=why)
        f.cpu(1).wakeup(now + 1000 + ns, 0, 10, 120, waker=11)
        expected.append([now + 1000 - START, now + 1000 + ns - START, name, call, item, holder])
        now += 1100 + ns
        f.cpu(0).switch(now, 0, 0, 120, 1, 10, 120)
    f.switch(now + 1000, 0, 10, 120, 3, 0, 120).cpu(1).switch(now + 1000, 1, 11, 120, 3, 0, 120)
    # Names come after the sleeps.
    f.provider(1, "fxtrec").event(INSTANT, now + 2000, 12, 12, "fxtrec", "object",
                                  [("file", Unsigned64(5)), ("device", Unsigned(0x800001)), ("name", "/var/lib/db/wal")])
    return f.data, expected


FACTS = """const list = document.querySelector('.tl-detail dl');
    return list && Object.fromEntries([...list.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextSibling.textContent]));"""

# Contrast of colours by WCAG: of a class with the picture's ground, and of its text with it.
CONTRASTS = """const luminance = (text) => {
        const parts = text.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16) / 255)
            .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue('--' + name).trim();
    return Object.fromEntries(["lock", "disk", "network", "pipe", "memory", "child"].map((name) => [name,
        [contrast(get(name), get("panel")), Math.max(contrast(get(name), "#0b0d10"), contrast(get(name), "#ffffff"))]]));"""


def reasons(b, folder):
    """What a sleep was for: its colour and words, sums of a range by class, the card of locks."""
    data, expected = asleep()
    page = Page(b, folder, data, "asleep")
    page.get("fxtrecPage.settled()")
    keys = {t["label"]: int(t["id"][7:]) for t in b.script("return fxtrecPage.tracks()") if t["type"] == "thread"}
    worker, keeper = keys["worker 10"], keys["keeper 11"]
    got = page.get(f"fxtrecPage.sleeps({worker})")
    ok([row[:5] + [11 if row[5] == keeper else row[5]] for row in got[:len(expected)]] == expected,
       "each sleep has its class, call, object and holder", got)
    b.script(DRAWN)
    page.show(0, 200_000)
    page.get("fxtrecPage.settled()")
    drawn = {text for text, *_ in b.script("return window.drawn")}
    ok({"pipe: read", "network: recvfrom"} <= drawn and any(text.startswith("lock, held by k") for text in drawn), "boxes name class, call and holder", drawn)
    b.script("""const p = fxtrecPage.view.painter, { box } = p;
        window.boxes = [];
        p.box = function (from, to, y, height, color, text) {
            window.boxes.push([from, to, color]);
            return box.call(this, from, to, y, height, color, text);
        };""")
    page.show(0, 400_000)
    page.get("fxtrecPage.settled()")
    page.show(*expected[-1][:2])
    page.get("fxtrecPage.settled()")
    ok(any(text == "child, end of keeper 11" for text, *_ in b.script("return window.drawn")), "a thread that is joined is no holder")
    fills = b.script("""const style = getComputedStyle(document.documentElement);
        return arguments[0].map(([from, to, name]) => [window.boxes.find((of) => of[0] === from && of[1] === to)[2],
            style.getPropertyValue("--" + name).trim()]);""", [row[:3] for row in expected[:6]])
    ok(all(a == z for a, z in fills) and len({a for a, _ in fills}) == 5, "a sleep has its class's colour", fills)
    legend = b.script("return document.querySelector('.tl-legend').textContent")
    ok(all(name in legend for _, name, *_ in SLEEPS), "the legend has the classes", legend)
    reason_of(b, page, worker, keeper, expected)
    reason_sums(b, page, worker, expected)
    locks(b, page, worker, expected)
    for theme in "light", "dark":
        b.theme(theme)
        b.wait("return document.documentElement.dataset.theme === arguments[0]", theme)
        got = b.script(CONTRASTS)
        ok(len(got) == 6 and all(ground >= 3 and text >= 4.5 for ground, text in got.values()), f"colours of classes are readable: {theme}", got)
    b.theme("light")


def reason_of(b, page, worker, keeper, expected):
    """The selection's words, and the link to the holder."""
    begin = expected[0][0]
    page.get(f"fxtrecPage.select({worker}, {begin + 10})")
    facts = b.wait(FACTS)
    ok((facts.get("Waits for"), facts.get("Call"), facts.get("Object"), facts.get("Held by")) ==
       ("a lock (lock)", "futex", "futex 0x40", "keeper 11"), "the selection names class, call, object and holder", facts)
    b.script("""[...document.querySelectorAll('.tl-detail dt')].find((dt) => dt.textContent === 'Held by').nextSibling.querySelector('button').click()""")
    got = b.wait(f"const s = fxtrecPage.selected(); return s && s.key === {keeper} && s")
    ok(got["from"] <= begin < got["to"], "the holder's link selects its state at that moment", got)
    page.get(f"fxtrecPage.select({worker}, {expected[8][0] + 10})")
    facts = b.wait(FACTS)
    ok(facts.get("Waits for") == "not known" and "Call" not in facts, "a sleep without a reason says so", facts)


def locks(b, page, worker, expected):
    """The card of locks, and its link to the longest wait."""
    begin, end = expected[0][:2]
    page.open()
    card = b.script("return [...document.querySelectorAll('#locks tbody tr')].map((row) => [...row.cells].map((cell) => cell.dataset.ns || cell.textContent))")
    found_ = json.loads(run([FXTREC, "report", "--by=lock", "--json", page.path]).stdout)["locks"]
    ok(len(found_) == 1 and [row[:4] for row in card] == [["futex 0x40 of worker", str(of["count"]), str(of["ns"]), str(of["longest_ns"])] for of in found_] and
       "keeper:11 100.0 %" in card[0][7], "the card of locks is report --by=lock's", card)
    b.script("document.querySelector('#locks a').click()")
    got = b.wait(f"const s = fxtrecPage.selected(); return s && s.from === {begin} && s")
    ok((got["key"], got["to"]) == (worker, end) and (found_[0]["longest_key"], found_[0]["longest_tid"]) == (worker, 10),
       "the longest wait's link selects it", (got, found_))


def reason_sums(b, page, worker, expected):
    """Sums of a range by class, exact, also where the range cuts sleeps."""
    first, last = expected[0][0] + 7, expected[-1][1] - 9
    page.get(f"fxtrecPage.rangeShow({first}, {last})")
    rows_ = b.wait("""const table = [...document.querySelectorAll('.tl-detail table')].find((t) => t.caption.textContent === 'Sleeps by class');
        return table && [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));""")
    sums = {}
    for begin, end, name, *_ in expected:
        ns, count = sums.get(name, (0, 0))
        sums[name] = (ns + min(end, last) - max(begin, first), count + 1)
    ok({row[0]: int(row[3]) for row in rows_} == {name: count for name, (_, count) in sums.items()}, "a range has sums by class", rows_)
    exact_, names = page.get(f"fxtrecPage.rangeSums({first}, {last})")["reasons"], [row["class"] for row in b.script("return fxtrecPage.view.head.reasons")]
    got = {}
    for what, (ns, count) in exact_:
        name = what if what == "stopped" else names[what]
        got[name] = (got.get(name, (0, 0))[0] + ns, got.get(name, (0, 0))[1] + count)
    ok(got == sums, "to the ns", (got, sums))


def many_reasons(b, folder):
    """Beyond the limit of reasons, a sleep keeps class and call; none has another's object."""
    f, now, count = File().provider(1, "fxtrec").cpu(0), START, 65_535 + 500
    f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")]).switch(START, 0, 0, 120, 1, 10, 120)
    for item in range(1, count + 1):
        f.switch(now + 10, 0, 10, 120, 3, 0, 120, why=reason(READ, "pipe", item)).wakeup(now + 20, 0, 10, 120).switch(now + 30, 0, 0, 120, 1, 10, 120)
        now += 30
    page = Page(b, folder, f.switch(now + 10, 0, 10, 120, 3, 0, 120).data, "many_reasons")
    key = b.script("return fxtrecPage.view.tracks.shown.find((t) => t.type === 'thread').thread.key")
    got = [row[2:5] for row in page.get(f"fxtrecPage.sleeps({key})")[:count]]
    expected = [["pipe", "read", f"pipe:[{item}]" if item <= 65_535 else None] for item in range(1, count + 1)]
    ok(got == expected, "sleeps of more reasons than a page has keep class and call", [(a, z) for a, z in zip(got, expected) if a != z][:3])
    page.get(f"fxtrecPage.select({key}, {30 * (count - 1) + 15})")
    facts = b.wait(FACTS)
    ok(facts.get("Object", "").startswith("not kept") and facts.get("Call") == "read", "and say that their object isn't kept", facts)


def reasonless(b, folder):
    """Without reasons, nothing is said of them, and the page has no data of them."""
    page = Page(b, folder, Machine(random.Random(SEED), 2, 10, 200).trace(), "reasonless")
    got = b.script("""return [fxtrecPage.view.head.reasons.length, document.getElementById('locks') !== null, document.getElementById('locks-title') !== null,
        document.querySelector('.tl-legend').textContent.includes('network')]""")
    page.get("fxtrecPage.rangeShow(0, 1000000)")
    captions = b.script("return [...document.querySelectorAll('.tl-detail caption')].map((c) => c.textContent)")
    ok(got == [1, False, False, False] and captions and "Sleeps by class" not in captions, "a trace without reasons has no word of them", (got, captions))


def in_firefox(folder):
    """What depends on a browser: decoding, keys, pointer, links."""
    why = browser.missing("firefox")
    if why:
        tap.skip("the timeline in Firefox", why)
        return
    with browser.Browser("firefox") as b:
        b.size(1280, 800)
        page = zooms(b, folder)
        oracle = used(b, page)
        selected(b, page, oracle)
        events(b, folder)
        recorders(b, folder)
        decoded(b, folder)
        unseen(b, folder)
        found(b, folder)
        reasonless(b, folder)
        ok(not b.errors(), "Firefox: no error on the console", b.errors())
        ok(not b.network(), "Firefox: nothing was asked of a network", b.network())


def main():
    why = browser.missing("chromium")
    if why:
        tap.skip("the timeline in a browser", why)
        tap.done()
        return
    with tempfile.TemporaryDirectory() as folder, browser.Browser("chromium") as b:
        b.size(1280, 800)
        machines(b, folder)
        many(b, folder)
        wakers(b, folder)
        page = zooms(b, folder)
        oracle = used(b, page)
        timed(b, page, oracle)
        selected(b, page, oracle)
        events(b, folder)
        recorders(b, folder)
        decoded(b, folder)
        programs(b, folder)
        early(b, folder)
        folded(b, folder)
        bare(b, folder)
        outlasting(b, folder)
        exact(b, folder)
        lanes(b, folder)
        found(b, folder)
        together(b, folder)
        ends(b, folder)
        turned(b, folder)
        wide(b, folder)
        all_cpus(b, folder)
        touched(b, folder)
        deep(b, folder)
        reasons(b, folder)
        many_reasons(b, folder)
        reasonless(b, folder)
        printed(b, page)
        ok(not b.errors(), "no error on the console", b.errors())
        ok(not b.network(), "nothing was asked of a network", b.network())
    with tempfile.TemporaryDirectory() as folder:
        in_firefox(folder)
    tap.done()


main()
