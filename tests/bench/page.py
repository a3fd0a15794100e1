#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A page's size, and Chromium's times for it: tests/bench/page.py [PAGE.html...] [TRACE...], traces are one.

Each step of a walk, zoom and pan to the depths and back, is CPU time of the page's thread: its picture, drawn at once,
with all that the browser does of it, after the one before is complete.  Other times are by the clock of this machine, with
whatever else it does.  Several pages, as those of two versions, are measured in turns.
"""
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import browser

TOP = os.path.dirname(os.path.dirname(HERE))
FXTREC = os.environ.get("FXTREC") or os.path.join(TOP, "build", "fxtrec")
RUNS = int(os.environ.get("RUNS", "1"))
STEPS, FACTOR, LIMIT = 24, 0.6, 33
STEP = """const v = fxtrecPage.view, [call, by] = arguments[0];
v.pending = true;
if (call === "scroll")
    v.dom.scroll.scrollTop = by;
else if (call)
    v[call](by);
if (call)
    v.paint();
for (const timer of [v.linking, v.tabling, v.prefetching])
    clearTimeout(timer);"""
# Neither the pictures that complete one nor what waits for the view to rest are in the next step.
SETTLE = """const v = fxtrecPage.view;
v.pending = false;
return fxtrecPage.settled().then(() => {
    for (const timer of [v.linking, v.tabling, v.prefetching])
        clearTimeout(timer);
});"""


def metrics(b):
    return {of["name"]: of["value"] * 1e3 for of in b.driver.cdp("Performance.getMetrics")["metrics"]}


def cpu(b, call, by):
    """ms of the page's thread."""
    before = metrics(b)["ThreadTime"]
    b.script(STEP, [call, by])
    return metrics(b)["ThreadTime"] - before


def walk():
    for scroll in (0, 300):
        yield "scroll", scroll
        for i in range(STEPS):
            yield from [("zoom", FACTOR)] + [("pan", 0.2 if i % 3 else -0.2)] * 3
        for _ in range(STEPS):
            yield from (("zoom", 1 / FACTOR), ("pan", 0.2))


def measure(page):
    """ms of script to the first picture, and until it was there, by the clock; ms of CPU of each step."""
    with browser.Browser("chromium") as b:
        b.size(1280, 800)
        b.driver.cdp("Performance.enable")
        before = metrics(b)
        b.open(browser.hooked(page))
        b.wait("return !!window.fxtrecPage")
        script = metrics(b)["ScriptDuration"] - before["ScriptDuration"]
        first = b.script("return performance.getEntriesByName('fxtrec-first-picture')[0].startTime")
        nothing = statistics.median(cpu(b, None, 0) for _ in range(30))
        steps = []
        for call, by in walk():
            ms = max(0, cpu(b, call, by) - nothing)
            steps.append((ms, call, b.script("return fxtrecPage.view.to - fxtrecPage.view.from") / 1e6))
            b.script(SETTLE)
        blocks = b.script("return [fxtrecPage.view.head.blocks.length, fxtrecPage.view.store.rows.reduce((a, c) => a + c, 0)]")
    return script, first, steps, blocks


def main():
    pages = [name for name in sys.argv[1:] if name.endswith(".html")]
    traces = [name for name in sys.argv[1:] if not name.endswith(".html")]
    with tempfile.TemporaryDirectory() as folder:
        if traces:
            pages.append(os.path.join(folder, "page.html"))
            subprocess.run([FXTREC, "page", *traces, "-o", pages[-1]], check=True)
        for run in range(RUNS):
            for page in pages:
                script, first, steps, blocks = measure(page)
                worst = ", ".join(f"{ms:.1f} ({call}, {length:.3f} ms in view)" for ms, call, length in sorted(steps, reverse=True)[:4])
                steps = sorted(ms for ms, _, _ in steps)
                over = sum(ms > LIMIT for ms in steps)
                print(f"{os.path.basename(page)}, run {run + 1}: {os.path.getsize(page) / 1e6:.2f} MB, {blocks[0]} blocks, {blocks[1]} rows; "
                      f"first picture {script:.0f} ms of script, there after {first:.0f} ms; {len(steps)} steps: "
                      f"median {statistics.median(steps):.1f}, 99 % {steps[len(steps) * 99 // 100]:.1f} ms of CPU, {over} above {LIMIT}, "
                      f"worst {worst}", flush=True)


main()
