#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The page that shows a trace, in Chromium and Firefox: its figures are those of report, blame and flame; it asks
the network for nothing; no name of a trace does harm; keys, links, themes, narrow windows."""
import base64
import json
import os
import random
import re
import shlex
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import simulated
from browser import Browser, Failed, hooked, missing
from fxtmake import BEGIN, COMPLETE, END, INSTANT, File, Unsigned
from recorder import becomes
from tap import FXTREC, all_of, done, fails, ok, run, skip

NARROW = "\u202f"   # between thousands
# The cells of each row of a section's tables, by their exact figures and their text.
CELLS = """
    return [...document.querySelectorAll(arguments[0] + " tbody tr")].map((row) => [...row.cells].map((cell) => ({
        text: cell.textContent, ns: cell.dataset.ns, count: cell.dataset.count, key: cell.dataset.key,
        parts: [...cell.querySelectorAll("[data-ns]")].map((part) => part.dataset.ns),
        link: cell.querySelector("a") && cell.querySelector("a").getAttribute("href") })));"""
# All rows of the tables, which are of threads or of groups.
ROWS_OF = """for (const choice of document.querySelectorAll(`.kinds input[value=${arguments[0]}]`))
    choice.click();
for (const button of document.querySelectorAll(".more button"))
    if (button.textContent.startsWith("Show all"))
        button.click();"""


def said(*arguments):
    result = run([FXTREC, *arguments])
    if result.returncode:
        raise RuntimeError(result.stderr)
    return result.stdout


def ms(ns):
    whole, part = f"{ns / 1e6:.3f}".split(".")
    return f"{int(whole):,}".replace(",", NARROW) + "." + part


def blocks(path):
    """The page's blocks of data by their ids: JSON, or bytes."""
    with open(path, encoding="utf-8") as f:
        page = f.read()
    found = {}
    for kind, name, text in re.findall(r'<script type="([^"]+)" id="([^"]+)">(.*?)</script>', page, re.DOTALL):
        found[name] = json.loads(text) if kind == "application/json" else base64.b64decode(text)
    return found


def machine(rng, folder, name, losses=True, chosen=None):
    """Four CPUs and thirty threads at random, with losses, or of so many threads alone."""
    m = simulated.Machine(rng, 4, 30, 4000)
    if chosen:
        m.filter(m.tids[:chosen])
    lost = []
    for cpu in range(2 if losses else 0):
        begin = m.events[len(m.events) // 3 * (cpu + 1)][0]
        lost.append((cpu, begin, begin + 2_000_000))
    data = File().provider(1, "fxtrec")
    for what, arguments in (("host", [("host", "quiet"), ("release", "6.12"), ("machine", "x86_64")]),
                            ("clock", [("clock", "mono")]), ("backend", [("backend", "kmod")])):
        data.event(INSTANT, simulated.START, 0, 0, "fxtrec", what, arguments)
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data.data + m.trace(lost)[8:])
    return path


def sleeps(folder, name):
    """A thread that sleeps in three stacks."""
    f, time = File().named(10, 10, "db", 1, leader=True).named(10, 11, "writer", 1).cpu(0), 1000
    for tid, ns, stack, letter in ((10, 500_000, "schedule < io_wait < read", "D"), (10, 300_000, "schedule < io_wait < write", "D"),
                                   (11, 200_000, "schedule < io_wait < read", "D")):
        f.switch(time, 0, 0, 120, 1, tid, 120)
        f.event(INSTANT, time + 10, tid, tid, "sched", "blocked", [("iowait", Unsigned(0)), ("function", "schedule"), ("stack", stack)])
        f.switch(time + 10, 0, tid, 120, 3, 0, 120, letter).wakeup(time + 10 + ns, 0, tid, 120, 0)
        time += 10 + ns
    f.switch(time + 5, 0, 0, 120, 1, 11, 120).switch(time + 100, 0, 11, 120, 1, 10, 120).switch(time + 150, 0, 10, 120, 1, 0, 120)
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(f.data)
    return path


def ones(folder):
    """One of each: a CPU of a great number, a loss of one event, a preemption."""
    f = File().provider(1, "fxtrec").cpu(1023).switch(1000, 1023, 0, 120, 1, 7, 120)
    f.event(COMPLETE, 2000, 0, simulated.LOSSES + 1023, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(1))], 3000)
    f.switch(4000, 1023, 7, 120, 0, 8, 120).switch(5000, 1023, 8, 120, 1, 0, 120, "S")
    path = os.path.join(folder, "ones.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    return path


def counted(browser, page):
    """Numbers of CPUs are not grouped, and one of something has no plural."""
    browser.open(page)
    text = browser.script("return document.body.innerText")
    cells = browser.script("return [...document.querySelectorAll('#cpus td, #worst td')].map((cell) => cell.textContent)")
    ok("1023" in cells and f"1{NARROW}023" not in text, f"{browser.kind}: numbers of CPUs are whole", cells)
    wrong = re.findall(r"(?<![\d.])1 (?:CPUs|losses|preemptions|wakeups|migrations|events|waits|tracks)\b", text)
    ok(not wrong and "1 event in 1 loss" in text and "1 CPU" in text, f"{browser.kind}: one is one", (wrong, text[:600]))


HOSTILE = ("</script><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "<!--<script>", "\"'><svg onload=window.hit=1>",
           "line\nbreak\r\0\x1b[31m", "javascript:window.hit=1", "{{constructor.constructor('window.hit=1')()}}", "\u202egnp.exe",
           "]]></script>", "&lt;b&gt;", "QQQQ bad", "\\u003cscript\\u003e", "", "x" * 7000)


def pool(folder):
    """A process of 200 threads with names of their own that wait for one CPU, and 65 threads that don't, 60 of which run later."""
    f, time = File().provider(1, "fxtrec").cpu(0), 1000
    for i in range(265):
        f.named(100 if i < 200 else 1000 + i, 100 + i if i < 200 else 1000 + i, f"w{i}", leader=i == 0 or i >= 200)
    for i in range(200):
        f.wakeup(time, 0, 100 + i, 120, waker=0)
    last = 0
    for i in range(200):
        time += 1_000_000
        f.switch(time, 0, last, 120, 3, 100 + i, 120)
        last = 100 + i
    f.switch(time + 1_000_000, 0, last, 120, 3, 1200, 120).switch(time + 2_000_000, 0, 1200, 120, 3, 0, 120)
    for i in range(205, 265):
        time += 1_000_000
        f.switch(time + 2_000_000, 0, 0, 120, 3, 1000 + i, 120).switch(time + 2_100_000, 0, 1000 + i, 120, 3, 0, 120)
    path = os.path.join(folder, "pool.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    return path


def grouped(browser, trace):
    """The grouping that says with the fewest rows what waited, what a link selects, and rows without anything in view."""
    label = browser.kind
    shown = Shown(browser, trace, hooked(trace + ".html"))
    ok(shown.default == ["process", "process"], f"{label}: 200 threads of a process are a row", shown.default)
    browser.script(ROWS_OF, "process")
    row = shown.cells("waiters")[0]
    victim = json.loads(said("blame", "--waits=cpu", "--json", "--by=process", trace))["victims"][0]
    ok(row[0]["text"] == "w0:100" and row[3]["ns"] == str(victim["longest_ns"]), f"{label}: with its longest wait", row)
    browser.script("document.querySelector('#waiters a').click()")
    browser.wait("return fxtrecPage.selected() !== null")
    selected = browser.script("return fxtrecPage.selected()")
    ok(selected["to"] - selected["from"] == victim["longest_ns"] and selected["key"] == victim["longest_key"],
       f"{label}: a click on it selects that", selected)
    colours = browser.script("""return [...document.querySelectorAll("#waiters tbody tr:first-child .bar span")].map((e) => e.style.background)""")
    ok("var(--h0)" in colours and "var(--sleep)" not in colours, f"{label}: all that are named have a colour, none of them grey", colours)
    places = browser.script("""const d = document.querySelector(".tl-detail").getBoundingClientRect(), s = document.querySelector(".tl-scroll").getBoundingClientRect();
        return [d.top, d.bottom, innerHeight, s.bottom]""")
    ok(places[0] >= places[3] - 1 and places[0] < places[2] and places[1] <= places[2] + 1, f"{label}: details are in the window, beneath the picture", places)
    browser.script("document.activeElement.blur()")
    before = browser.script("return fxtrecPage.view.to - fxtrecPage.view.from")
    browser.press("w")
    ok(browser.script("return fxtrecPage.view.to - fxtrecPage.view.from") < before, f"{label}: keys work without the picture's focus")
    browser.script("""const s = document.querySelector(".tl-search input"); s.value = "w1"; s.dispatchEvent(new Event("input"));""")
    text = browser.script("return document.querySelector('.tl-hits').textContent")
    hits = len([i for i in (*range(201), *range(205, 265)) if "w1" in f"w{i}"])
    ok(text.startswith(f"{hits} threads"), f"{label}: the number of hits", (text, hits))
    browser.script("fxtrecPage.show(10e6, 11e6)")
    browser.wait("return fxtrecPage.tracks().some((t) => t.id === 'quiet')")
    tracks = browser.script("return fxtrecPage.tracks()")
    ok(tracks[-1]["label"].startswith("Nothing in view: "), f"{label}: rows without anything in view come last, folded", tracks[-3:])


def hostile_fxt(folder):
    """Every name that a trace can have is one that would do harm."""
    f, time = File().provider(1, "fxtrec"), 1000
    evil = HOSTILE[0]
    f.event(INSTANT, time, 0, 0, "fxtrec", "host", [("host", evil), ("release", HOSTILE[1]), ("machine", HOSTILE[3])])
    f.event(INSTANT, time, 0, 0, "fxtrec", "clock", [("clock", evil)]).event(INSTANT, time, 0, 0, "fxtrec", "backend", [("backend", evil)])
    f.event(INSTANT, time, 0, 0, "fxtrec", "processor", [("model", evil)])
    for i, name in enumerate(HOSTILE):
        f.named(100 + i, 100 + i, name, 1, leader=True).named(100 + i, 200 + i, name, 1)
    f.cpu(0)
    tids = [base + i for i in range(len(HOSTILE)) for base in (100, 200)]
    for tid in tids:
        f.wakeup(time, 0, tid, 120, tids[0])
    previous = 0
    for i, tid in enumerate(tids * 3):
        name = HOSTILE[i % len(HOSTILE)]
        f.switch(time + 1000, 0, previous, 120, 3, tid, 120, "D" if previous else None)
        f.event(INSTANT, time + 1100, tid, tid, name or "c", name or "mark", [(name or "a", name)])
        f.event(BEGIN, time + 1200, tid, tid, name or "c", name or "slice").event(END, time + 1300, tid, tid, name or "c", name or "slice")
        f.event(INSTANT, time + 1900, tid, tid, "sched", "blocked",
                [("iowait", Unsigned(1)), ("function", name or "f"), ("stack", f"{name} < {evil} < read")])
        f.log(time + 1950, tid, tid, name)
        if previous:
            f.wakeup(time + 1500, 0, previous, 120, tid)
        previous, time = tid, time + 2000
    f.switch(time, 0, previous, 120, 3, 0, 120, "S")
    path = os.path.join(folder, "<img src=x onerror=window.hit=1>'\".fxt")
    with open(path, "wb") as out:
        out.write(f.data.replace(b"QQQQ", b"\xff\xfe\xc0\x80"))
    return path


def hostile_json(folder):
    """Names of 1 MiB."""
    huge = "</script><b onmouseover=window.hit=1>" * 28250
    events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": huge}} for tid in (1, 2)]
    events += [{"ph": "X", "name": huge, "cat": "c", "pid": 1, "tid": tid, "ts": 10 * tid, "dur": 5, "args": {"a": huge[:1000]}} for tid in (1, 2)]
    path = os.path.join(folder, "huge.json")
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return path


class Shown:
    """A page that is open, and what the commands say of the same trace."""

    def __init__(self, browser, trace, page):
        self.browser, self.label = browser, f"{browser.kind}: {os.path.basename(trace)[:20]}"
        self.report, self.blame = json.loads(said("report", "--json", trace)), json.loads(said("blame", "--waits=cpu", "--json", trace))
        browser.open(page)
        self.default = browser.script("return [...document.querySelectorAll('.kinds input[name$=-by]:checked')].map((e) => e.value)")
        browser.script(ROWS_OF, "thread")

    def cells(self, section):
        return self.browser.script(CELLS, f"#{section}")

    def ok(self, wrong, what):
        ok(not wrong, f"{self.label}: {what}", wrong[:3] if isinstance(wrong, list) else wrong)

    def groups(self, trace):
        """Rows by process, name and control group are those of the commands; the grouping suits the trace."""
        wrong = []
        for by, members in ("process", "processes"), ("comm", "comms"), ("cgroup", "cgroups"):
            self.browser.script(ROWS_OF, by)
            victims = json.loads(said("blame", "--waits=cpu", "--json", f"--by={by}", trace))["victims"][:40]
            rows = json.loads(said("report", "--json", f"--by={by}", trace))[members][:100]
            got = [(row[1]["ns"], row[3]["ns"]) for row in self.cells("waiters")]
            if got != [(str(v["wait_ns"]), str(v["longest_ns"])) for v in victims]:
                wrong.append((by, got[:3], victims[:2]))
            got = sorted((row[1]["count"], row[3]["ns"]) for row in self.cells("threads"))
            if got != sorted((str(r["thread_count"]), str(r["run_ns"])) for r in rows):
                wrong.append((by, got[:3], rows[:2]))
        self.browser.script(ROWS_OF, "thread")
        self.ok(wrong, "groups of threads are as blame and report have them")

    def head(self):
        r = self.report
        got = self.browser.script("""const s = document.getElementById("span").dataset, l = document.getElementById("losses");
            return [s.fromNs, s.toNs, l.dataset.count, l.textContent];""")
        lost = sum(loss["events"] or 0 for loss in r["lost"])
        self.ok([] if got[:3] == [str(r["from_ns"]), str(r["to_ns"]), str(lost)] and (not lost) == (got[3] == "none reported") else got,
                "its span and losses")
        filtered = self.browser.script("return document.getElementById('filtered')?.textContent || ''")
        self.ok([] if ("only chosen threads" in filtered) == r["machines"][0]["chosen_threads"] else filtered,
                "what was filtered")
        tiles = self.browser.script("""return [...document.querySelectorAll("#tiles [data-ns]")].map((e) => e.dataset.ns);""")
        total = {name: sum(t[name] for t in r["threads"]) for name in ("wait_wakeup_ns", "wait_preempted_ns", "blocked_ns")}
        wanted = [total["wait_wakeup_ns"] + total["wait_preempted_ns"], total["wait_wakeup_ns"], total["wait_preempted_ns"]]
        self.ok([] if tiles[:3] == [str(n) for n in wanted] and tiles[-1] == str(total["blocked_ns"]) else [tiles, total], "its sums")

    def waiters(self):
        wrong, got = [], self.cells("waiters")
        victims = self.blame["victims"][:100]
        if len(got) != len(victims):
            wrong.append((len(got), len(victims)))
        for row, victim in zip(got, victims):
            named = victim["culprits"][:3]
            rest = victim["wait_ns"] - sum(c["ns"] for c in named)
            parts = [str(c["ns"]) for c in named] + ([str(rest)] if rest else [])
            if (row[0]["key"], row[1]["ns"], row[1]["text"], row[3]["ns"], row[5]["parts"]) != (str(victim["key"]), str(victim["wait_ns"]), ms(victim["wait_ns"]),
                                                                                                 str(victim["longest_ns"]), parts):
                wrong.append((row, victim))
        self.ok(wrong, "what waited most and why is as blame says")

    def worst(self):
        wrong, got, worst = [], self.cells("worst"), self.blame["worst"]
        if len(got) != len(worst):
            wrong.append((len(got), len(worst)))
        for row, wait in zip(got, worst):
            link = dict(part.split("=") for part in row[0]["link"][1:].split("&"))
            length = wait["to_ns"] - wait["from_ns"]
            good = (row[0]["ns"] == str(wait["from_ns"]) and row[1]["ns"] == str(length) and row[1]["text"] == ms(length) and
                    row[2]["key"] == str(wait["key"]) == link["thread"] and row[3]["count"] == str(wait["cpu"]) and
                    row[4]["text"] == wait["after"] and row[5]["text"] == wait["story"] and
                    row[6]["text"] == f"{wait['from_ns'] // 10 ** 9}.{wait['from_ns'] % 10 ** 9 // 1000:06}" and
                    int(link["from"]) <= wait["from_ns"] and int(link["to"]) >= wait["to_ns"])
            if not good:
                wrong.append((row, wait))
        self.ok(wrong, "the longest waits are blame's, each a link to its moment")

    def cpus(self):
        wrong, got = [], self.cells("cpus")
        for row, cpu in zip(got, self.report["cpus"]):
            figures = [row[0]["count"], *(cell["ns"] for cell in row[1:5]), row[5]["count"], row[7]["count"], row[8]["ns"]]
            names = ("cpu", "busy_ns", "idle_ns", "unknown_ns", "interrupt_ns", "switches", "runnable_max", "idle_while_waiting_ns")
            if figures != [str(cpu[name]) for name in names]:
                wrong.append((figures, cpu))
        self.ok(wrong or [n for n in [len(got)] if n != len(self.report["cpus"])], "CPUs are as report says")
        all_of_them, tile = sum(cpu["switches"] for cpu in self.report["cpus"]), self.browser.script(
            "return document.querySelector('#tiles [data-count]')?.dataset.count")
        self.ok([] if tile == str(all_of_them) else (tile, all_of_them), "context switches are those of all CPUs")

    def latency(self):
        histogram = {}
        for thread in self.report["threads"]:
            for upper, count in thread["latency"]["histogram"]:
                histogram[upper] = histogram.get(upper, 0) + count
        got = self.cells("latency")
        count, most = sum(histogram.values()), max(t["latency"]["max_ns"] for t in self.report["threads"])
        edges, seen, quantiles = sorted(histogram), 0, []
        for share in (500, 900, 990, 999):
            wanted, seen = -(-count * share // 1000), 0
            for edge in edges:
                seen += histogram[edge]
                if seen >= wanted:
                    quantiles.append(edge)
                    break
        # A quantile is the middle of its bucket, whose end report has.
        near = all(edge * 0.98 - 1 <= int(cell["ns"]) <= edge for cell, edge in zip(got[0][2:6], quantiles))
        self.ok([] if got[0][1]["count"] == str(count) and got[0][6]["ns"] == str(most) and near else [got[0], count, most, quantiles],
                "latencies are those of all threads of report")

    def threads(self):
        wrong, got = [], {row[0]["key"]: row for row in self.cells("threads")}
        names = ("run_ns", "wait_wakeup_ns", "wait_preempted_ns", "blocked_ns", "sleep_ns", "unknown_ns")
        # Those that ran longest.
        listed = self.report["threads"][:500]
        for thread in listed:
            row = got.get(str(thread["key"]))
            figures = row and [c["ns"] or c["count"] for c in row[3:13]]
            wanted = [str(thread[n]) for n in names + ("switches", "preemptions", "wakeups", "migrations")]
            if figures != wanted or row[3]["text"] != ms(thread["run_ns"]):
                wrong.append((figures, wanted))
        self.ok(wrong or [n for n in [len(got)] if n != len(listed)], "threads are as report says")


def heat(page, report):
    """The heat map's cells add up to what report says of each CPU."""
    data = blocks(page)
    about, cells = data["heat"], data["heat-cells"]
    columns, rows = about["columns"], len(about["cpus"])
    values = struct.unpack(f"<{len(cells) // 2}H", cells)
    wrong = []
    for plane, name in enumerate(("busy_ns", "interrupt_ns", None, "unknown_ns")):
        for row, cpu in enumerate(about["cpus"]):
            got = 0
            for column in range(columns):
                width = min(about["step_ns"], report["to_ns"] - report["from_ns"] - column * about["step_ns"])
                got += values[(plane * rows + row) * columns + column] / about["one"] * width
            wanted = next(c for c in report["cpus"] if c["cpu"] == cpu).get(name)
            if name and abs(got - wanted) > columns * about["step_ns"] / about["one"]:
                wrong.append((name, cpu, got, wanted))
    waited = sum(t["wait_wakeup_ns"] + t["wait_preempted_ns"] for t in report["threads"])
    got = 0
    for row in range(rows):
        for column in range(columns):
            width = min(about["step_ns"], report["to_ns"] - report["from_ns"] - column * about["step_ns"])
            got += values[(2 * rows + row) * columns + column] / about["waiting_one"] * width
    if abs(got - waited) > rows * columns * about["step_ns"] / about["waiting_one"]:
        wrong.append(("waiting", got, waited))
    got = sum(share / about["one"] * min(about["step_ns"], report["to_ns"] - report["from_ns"] - column * about["step_ns"])
              for column, share in enumerate(about["lost"]))
    wanted, until = 0, report["from_ns"]
    for loss in sorted(report["lost"], key=lambda loss: loss["from_ns"]):
        wanted += max(0, loss["to_ns"] - max(until, loss["from_ns"]))
        until = max(until, loss["to_ns"])
    if abs(got - wanted) > columns * about["step_ns"] / about["one"]:
        wrong.append(("lost", got, wanted))
    ok(not wrong and rows == len(report["cpus"]), "the heat map's cells add up to report's figures", wrong[:3])


def use(browser, shown):
    """Keys, sorting, search, themes, a narrow window."""
    label = browser.kind
    browser.script("document.querySelector('#cpus canvas').focus()")
    browser.press("Right", "Right", "Down")
    text = browser.script("return document.getElementById('heat-readout').textContent")
    ok(text.startswith("CPU 1, 0.0") and "busy" in text, f"{label}: arrow keys move in the heat map", text)
    browser.press("Enter")
    ok(re.fullmatch(r"#from=\d+&to=\d+&cpu=1", browser.script("return location.hash")) is not None, f"{label}: Enter shows the moment",
       browser.script("return location.hash"))
    browser.script("""[...document.querySelectorAll("#threads th button")].find((b) => b.textContent === "Sleep ms").click()""")
    got = [int(row[7]["ns"]) for row in shown.cells("threads")]
    ok(got == sorted(got, reverse=True) and len(set(got)) > 1, f"{label}: a column's head sorts", got[:5])
    browser.script("""const s = document.querySelector("#threads input[type=search]"); s.value = "t107"; s.dispatchEvent(new Event("input"));""")
    got = {row[0]["text"] for row in shown.cells("threads")}
    ok(got and all("t107" in text for text in got), f"{label}: threads are found by name", got)
    seen = []
    for theme in ("dark", "light"):
        browser.theme(theme)
        browser.wait("return document.documentElement.dataset.theme === arguments[0]", theme)
        seen.append(browser.script("return getComputedStyle(document.body).backgroundColor"))
    browser.script("document.getElementById('theme').click()")
    seen.append(browser.script("return getComputedStyle(document.body).backgroundColor"))
    ok(seen[0] == seen[2] != seen[1], f"{label}: light and dark as the system has it, and as the switch says", seen)
    browser.size(400, 800)
    wide = browser.script("return document.documentElement.scrollWidth - innerWidth")
    ok(wide <= 0, f"{label}: a window of 400 pixels shows it without scrolling sideways", wide)
    browser.size(1280, 800)


def accessible(browser):
    got = browser.script("""const all = (what) => [...document.querySelectorAll(what)];
    return {
        drawn: [all("table").length, all("[role=img]").length, all("main section:not(:empty)").length, all("button, input").length],
        tables: all("table").filter((t) => !t.caption || !t.caption.textContent || !t.querySelector("th[scope]")).length,
        pictures: all("[role=img]").filter((p) => !p.getAttribute("aria-label")).length,
        sections: all("main section:not(:empty)").filter((s) => !s.hasAttribute("aria-labelledby") && !s.hasAttribute("aria-label")).length,
        beside: all("[role=img]").filter((p) => !p.closest("section").querySelector("table, [role=table], [role=grid]")).length,
        controls: all("button, input").filter((c) => !(c.textContent || c.getAttribute("aria-label") || (c.labels && c.labels.length))).length,
    };""")
    all_of(f"{browser.kind}: the page has tables, pictures, sections and controls", got.pop("drawn"), bool, 4)
    ok(not any(got.values()), f"{browser.kind}: what is drawn has a name and a table beside it, controls have names", got)


# What a reader of screens stops at.
NAMED = {"application", "button", "graphics-symbol", "heading", "image", "link", "navigation", "radio", "region", "searchbox", "table"}


def read_aloud(browser):
    """In Chromium's tree for readers of screens all of these have a name, and the page's heading has words."""
    if browser.kind != "chromium":
        return
    nodes = [(n["role"]["value"], n.get("name", {}).get("value", "").strip())
             for n in browser.driver.cdp("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
    roles = {role for role, _ in nodes}
    ok(NAMED <= roles and all(name for role, name in nodes if role in NAMED),
       f"{browser.kind}: for readers of screens, all that can be stopped at has a name",
       (NAMED - roles, [node for node in nodes if node[0] in NAMED and not node[1]][:5]))
    file = browser.script("return document.querySelector('h1 bdi').textContent")
    ok(file and ("heading", f"fxtrec {file}") in nodes, f"{browser.kind}: and the first heading is two words",
       [name for role, name in nodes if role == "heading"])


def contrasted(browser):
    """Bars and keys to colours keep theirs where the system has a theme of high contrast."""
    if browser.kind != "chromium":
        return
    browser.driver.cdp("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    got = browser.script("""return [".barcell .bar span", ".culprit i", ".tl-legend i"].map((place) =>
        new Set([...document.querySelectorAll(place)].map((part) => getComputedStyle(part).backgroundColor)).size);""")
    browser.driver.cdp("Emulation.setEmulatedMedia", features=[])
    ok(min(got) > 1, f"{browser.kind}: colours that say something stay in a theme of high contrast", got)


def harmless(browser, page, name):
    browser.open(page)
    browser.script(ROWS_OF, "thread")
    browser.wait("return document.querySelector('#foot').textContent !== ''")
    got = browser.script("""return {
        hit: String(window.hit), made: document.querySelectorAll("img, iframe, object, embed, form, b, link").length,
        inline: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
        scripts: [...document.scripts].filter((s) => !s.type).length,
        links: [...document.querySelectorAll("a")].filter((a) => !a.getAttribute("href").startsWith("#")).length,
        wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };""")
    ok(got == {"hit": "undefined", "made": 0, "inline": 0, "scripts": 1, "links": 0, "wide": 0},
       f"{browser.kind}: {name}: nothing runs, nothing is made of them, nothing breaks the page", got)


def browse(kind, folder, traces):
    with Browser(kind) as browser:
        browser.size(1280, 800)
        for trace in (traces["losses"], traces["filtered"], traces["whole"]):
            shown = Shown(browser, trace, trace + ".html")
            for check in (shown.head, shown.waiters, shown.worst, shown.cpus, shown.latency, shown.threads):
                check()
            shown.groups(trace)
        grouped(browser, traces["pool"])
        shown = Shown(browser, traces["whole"], traces["whole"] + ".html")
        accessible(browser)
        read_aloud(browser)
        contrasted(browser)
        use(browser, shown)
        stacks = Shown(browser, traces["sleeps"], traces["sleeps"] + ".html")
        folded = sorted((int(line.rsplit(" ", 1)[1]) for line in said("flame", traces["sleeps"]).splitlines()), reverse=True)
        ok([int(row[0]["ns"]) for row in stacks.cells("blocked")] == folded and folded, f"{kind}: stacks are flame's",
           (stacks.cells("blocked"), folded))
        hint = browser.script("return document.querySelector('#blocked .hint').textContent")
        ok("asleep by stack" in hint and " 0 ns" not in hint, f"{kind}: nothing is said of what there is none of", hint)
        browser.script("document.querySelector('.flame').focus()")
        browser.press("Down", "Down", "Enter")
        text = browser.script("return document.getElementById('flame-readout').textContent")
        ok(text.startswith("db: 80"), f"{kind}: the flame graph zooms by keys", text)
        counted(browser, traces["ones"] + ".html")
        for name in ("hostile", "huge"):
            harmless(browser, traces[name + " page"], f"{name} names")
        ok(browser.network() == [] and browser.errors() == [], f"{kind}: not one request, no error, no violation of its policy",
           (browser.network(), browser.errors()))
        browser.script("fetch('http://127.0.0.1:9/').catch(() => 0); document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/' }))")
        # The console hears of it some time later.
        ok(becomes(browser.errors), f"{kind}: what would ask is refused by the page's policy, and is noticed", browser.errors())


def long(folder):
    """A trace as long as times go: a page, all of which is in bounds."""
    f = File().provider(1, "fxtrec").cpu(0)
    f.switch((1 << 64) - 5, 0, 7, 120, 3, 5, 120).switch(1, 0, 5, 120, 3, 7, 120)
    path = os.path.join(folder, "long.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    result = run([FXTREC, "page", path, "-o", path + ".html"], timeout=600)
    ok(not result.returncode, "a trace from one end of time to the other", result.stderr)
    if not result.returncode:
        heat(path + ".html", json.loads(said("report", "--json", path)))


def misused(folder, trace):
    fails(["page", "-o", "x.html"], 2, "no FILE", "no file", cwd="/")
    fails(["page", "--json", "-o", "x.html", trace], 2, "unrecognized option", "--json")
    fails(["page", "--size-limit=x", "-o", "x.html", trace], 2, "no size", "--size-limit=x")
    fails(["page", trace + "x", "-o", os.path.join(folder, "x.html")], 1, "No such file", "a missing file")
    link = os.path.join(folder, "link.html")
    os.symlink(trace, link)
    fails(["page", trace, "-o", link], 1, "that is the trace itself", "a page in place of its trace")
    fails(["page", trace, "-o", os.path.join(folder, "no", "x.html")], 1, "No such file", "a folder that is not there")
    page = os.path.join(folder, "small.html")
    fails(["page", "--size-limit=40K", trace, "-o", page], 1, "no page is so small", "a limit below what any page has")
    ok(not os.path.exists(page), "and leaves no page")
    run([FXTREC, "page", trace, "-C", "0-1", "--time=0,", "-o", page])
    limit = f"--size-limit={os.path.getsize(page) - 1}"
    page, options = os.path.join(folder, "it's $HOME.html"), [limit, "-C", "0-1", "--time=0,", "-o"]
    result = run([FXTREC, "page", trace, *options, page])
    words = shlex.split(result.stderr.split('"')[1])
    ok(words[:2] == ["fxtrec", "page"] and words[2].startswith("--time=@") and words[3:] == [*options[:3], "-o", page, trace],
       "with all other options, as a shell reads them", result.stderr)
    with open(trace, "rb") as f:
        result = run([FXTREC, "page", limit, "-", "-o", page], stdin=f)
    ok("save the trace to a file" in result.stderr, "standard input can't be read again", result.stderr)
    with open("/dev/full", "w") as full:
        result = run([FXTREC, "page", trace, "-o", "-"], stdout=full)
    ok(result.returncode == 1 and "No space left" in result.stderr, "a full disk", result.stderr)
    for options, text in ((["--flight"], "--page is of one file"), (["--rotate=1s"], "--page is of one file"), (["-o", "-"], "--page is of one file")):
        fails(["record", "--page", *options], 2, text, f"record --page {' '.join(options)}")
    cut = said("page", trace, "--time=0,20ms", "-o", "-")
    ok(cut.startswith("<!DOCTYPE html>") and cut.endswith("</html>\n"), "a page of a part, to standard output", cut[-100:])


def main(folder):
    rng = random.Random(21)
    traces = {"losses": machine(rng, folder, "losses.fxt"), "whole": machine(rng, folder, "whole.fxt", losses=False),
              "filtered": machine(rng, folder, "filtered.fxt", losses=False, chosen=5), "sleeps": sleeps(folder, "sleeps.fxt"),
              "ones": ones(folder), "pool": pool(folder)}
    for trace in list(traces.values()):
        said("page", trace, "-o", trace + ".html")
    for name, trace in (("hostile", hostile_fxt(folder)), ("huge", hostile_json(folder))):
        traces[name + " page"] = os.path.join(folder, f"{name}.html")
        said("page", trace, "-o", traces[name + " page"])
    for name in ("losses", "whole"):
        heat(traces[name] + ".html", json.loads(said("report", "--json", traces[name])))
    with open(traces["losses"] + ".html", encoding="utf-8") as f:
        page = f.read()
    ok("fxtrecPage" not in page and "tlTest" not in page, "a page has no hooks of tests")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    ok(policy.startswith("default-src 'none'") and "connect-src" not in policy and "unsafe" not in policy and "http" not in policy,
       "its policy lets nothing be asked for", policy)
    ok(re.findall(r"worker-src[^;]*", policy) == ["worker-src blob:"] and policy.count("blob:") == 1, "a worker may be of the page itself alone",
       policy)
    again = said("page", traces["losses"], "-o", "-")
    ok(again == page, "the same trace makes the same page")
    misused(folder, traces["whole"])
    long(folder)
    for kind in ("chromium", "firefox"):
        why = missing(kind)
        if why:
            skip(f"the page in {kind}", why)
            continue
        try:
            browse(kind, folder, traces)
        except Failed as e:
            ok(False, f"{kind} answers", e)


with tempfile.TemporaryDirectory() as temporary:
    main(temporary)
done()
