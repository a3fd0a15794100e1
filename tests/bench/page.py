#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A page's size, and Chromium's times for it: tests/bench/page.py TRACE..., which are one

Script and first picture are of the browser's own performance timeline; steps of zoom and pan are the script that a frame takes.
CPU: of the page's thread; wall: what a user waits on this machine, with whatever else it does.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import browser

TOP = os.path.dirname(os.path.dirname(HERE))
FXTREC = os.environ.get("FXTREC") or os.path.join(TOP, "build", "fxtrec")
PARTS = (1, 0.6, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-5)
COUNT = 8
STEPS = """
const v = fxtrecPage.view, length = v.head.span * arguments[0], times = [];
const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
window.steps = null;
(async () => {
    for (let i = 0; i < arguments[1]; i++) {
        const from = (v.head.span - length) * 0.3 + length * i / 50;
        v.show(from, from + length);
        await frame();
        times.push(v.painted);
    }
    window.steps = times;
})();"""
SETTLE = "const v = fxtrecPage.view; v.show(v.head.span * 0.3, v.head.span * (0.3 + arguments[0]));" \
         "window.settled = false; fxtrecPage.settled().then(() => window.settled = true)"


def metrics(b):
    return {of["name"]: of["value"] for of in b.driver.cdp("Performance.getMetrics")["metrics"]}


def step(b, part):
    """The part, ms of script a step, and each step's ms by the clock: the first one isn't decoded yet, then all of them are."""
    b.script(SETTLE, part)
    b.wait("return window.settled")
    before = metrics(b)["ScriptDuration"]
    b.script(STEPS, part, COUNT)
    times = b.wait("return window.steps")
    return part, (metrics(b)["ScriptDuration"] - before) * 1e3 / COUNT, times


def measure(traces, folder):
    page = os.path.join(folder, "page.html")
    begun = time.monotonic()
    subprocess.run([FXTREC, "page", *traces, "-o", page], check=True)
    made = time.monotonic() - begun
    with browser.Browser("chromium") as b:
        b.size(1280, 800)
        b.driver.cdp("Performance.setTimeDomain", timeDomain="threadTicks")
        b.driver.cdp("Performance.enable")
        before = metrics(b)
        b.open(page)
        b.wait("return !!window.fxtrecPage")
        after = metrics(b)
        first = b.script("return performance.getEntriesByName('fxtrec-first-picture')[0].startTime")
        b.script("fxtrecPage.view.store.prefetch()")
        b.wait("return !fxtrecPage.view.store.wanted.length && !fxtrecPage.view.store.busy")
        decoded = metrics(b)
        steps = [step(b, part) for part in PARTS]
        blocks = b.script("return [fxtrecPage.view.head.blocks.length, fxtrecPage.view.store.rows.reduce((a, c) => a + c, 0)]")
    print(f"{' '.join(map(os.path.basename, traces))}: {sum(map(os.path.getsize, traces)) / 1e6:.1f} MB; "
          f"page {os.path.getsize(page) / 1e6:.2f} MB in {made:.1f} s; {blocks[0]} blocks, {blocks[1]} rows")
    for name in ("ScriptDuration", "TaskDuration"):
        print(f"  {name}: {(after[name] - before[name]) * 1e3:.0f} ms CPU to the first picture (wall {first:.0f} ms), "
              f"{(decoded[name] - after[name]) * 1e3:.0f} ms CPU to decode all")
    for part, cpu, times in steps:
        print(f"  step at 1/{1 / part:g}: {cpu:.1f} ms of script (CPU); wall: median {statistics.median(times):.1f}, worst {max(times):.1f} ms")


def main():
    with tempfile.TemporaryDirectory() as folder:
        measure(sys.argv[1:], folder)


main()
