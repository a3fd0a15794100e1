#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the analyses say of small traces, of which it is known."""
import csv
import json
import os
import re
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import ASYNC_BEGIN, ASYNC_END, BEGIN, COMPLETE, END, INSTANT, File, Unsigned
from terminal import Terminal

R, S, D = 0, 1, 2
IRQ, SOFTIRQ = 0x41000000, 0x41010000


def said(folder, data, *arguments):
    path = os.path.join(folder, "t.fxt")
    with open(path, "wb") as f:
        f.write(data)
    done = tap.run([tap.FXTREC, *arguments, path])
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}


def interrupted(folder):
    """A thread that a disk's interrupt wakes, as the handler is recorded."""
    f = File().cpu(0)
    f.named(5, 5, "reader", leader=True)
    f.switch(1000, 0, 0, 0, R, 5, 120)
    f.switch(2000, 0, 5, 120, 3, 0, 0, "D")
    f.event(BEGIN, 3000, 9, IRQ, "irq", "disk", [("irq", 24)])
    f.wakeup(3100, 0, 5, 120, waker=0, context="hardirq")
    f.event(END, 3200, 9, IRQ, "irq", "disk")
    f.switch(3300, 0, 0, 0, R, 5, 120)
    f.switch(4000, 0, 5, 120, 3, 0, 0, "D")
    f.switch(5000, 0, 0, 0, R, 6, 120)
    path = said(folder, f.data, "path", "--json", "-t", "5")
    segments = [(s["from_ns"], s["kind"], s["reason"]) for s in path["windows"][0]["segments"]] if "windows" in path else path
    tap.ok((2000, "blocked", "woken by an interrupt") in segments and (3000, "interrupt", "disk") in segments,
           "path: what ended a sleep, beside its handler", segments)
    waits = said(folder, f.data, "report", "--json", "--over=100ns").get("waits", [])
    tap.ok([w["story"][:45] for w in waits if w["tid"] == 5] == ["woken by an interrupt during swapper:0; 0.000"],
           "what an interrupt hit by chance is not said to have woken a thread", waits)


def by_timers(folder):
    """A thread that timers wake while others run, one of them during a handler that is not the timer's."""
    f = File().cpu(0)
    f.named(5, 5, "sleeper", leader=True).named(6, 6, "bystander", leader=True).named(7, 7, "another", leader=True)
    for start, other, context in ((0, 6, "hardirq timer"), (10_000, 7, "hardirq timer"), (20_000, 6, "softirq timer")):
        f.switch(start + 1000, 0, other, 120, R, 5, 120).switch(start + 2000, 0, 5, 120, 3, other, 120, "S")
        f.event(BEGIN, start + 2500, 9, SOFTIRQ, "irq", "NET_RX")
        f.wakeup(start + 3000, 0, 5, 120, waker=other, context=context)
        f.event(END, start + 3200, 9, SOFTIRQ, "irq", "NET_RX")
        f.switch(start + 4000, 0, other, 120, R, 5, 120, "R+").switch(start + 5000, 0, 5, 120, R, other, 120)
    report = said(folder, f.data, "report", "--json", "--over=100ns")
    wakers = [w for t in report.get("threads", []) if t["tid"] == 5 for w in t["wakers"]]
    timer = {"key": None, "tid": None, "comm": "timer"}
    tap.ok(wakers == [{**timer, "context": "hardirq timer", "count": 2}, {**timer, "context": "softirq timer", "count": 1}],
           "a timer's wakeups are counted together, whatever each hit", wakers)
    stories = {w["story"].split("; ")[0] for w in report.get("waits", []) if w["tid"] == 5}
    tap.ok(stories == {"woken by a timer"}, "a wait's story says so", stories)
    sleeps = said(folder, f.data, "blame", "--sleep", "--json").get("sleeps", [])
    ended = sorted((s["context"], s["waker"], s["count"]) for s in sleeps if s["tid"] == 5)
    tap.ok(ended == [("hardirq timer", None, 2), ("softirq timer", None, 1)], "and blame's sums of sleeps", sleeps)
    path = said(folder, f.data, "path", "--json", "-t", "5")
    segments = [(s["tid"], s["kind"], s["reason"]) for w in path["windows"] for s in w["segments"] if s["from_ns"] < 4000]
    tap.ok((5, "sleep", "woken by a timer") in segments and all(tid == 5 for tid, *_ in segments) and
           not any(kind == "interrupt" for _, kind, _ in segments),
           "path: its sleep ends by a timer; neither the thread that runs nor the softirq below it is on the path", segments)
    rows = said(folder, f.data, "timehist", "--json").get("switches", [])
    found = [row["waker"] for row in rows if row["tid"] == 5 and row["waker"]]
    tap.ok(found == [{**timer, "context": f"{context} timer"} for context in ("hardirq", "hardirq", "softirq")], "timehist: the same", found)
    trace = os.path.join(folder, "t.fxt")
    text, table = (tap.run([tap.FXTREC, "timehist", *form, trace]).stdout for form in ((), ("--csv",)))
    tap.ok(len(re.findall(r"^.* sleeper\[5\] .* timer$", text, re.M)) == 3 and "bystander[6] hardirq" not in text and
           table.count(",,timer,hardirq timer,") == 2, "in text and in a table, too", text + table)
    asked = tap.run([tap.FXTREC, "query", "--csv", trace, "SELECT w.waker_utid, w.context, s.waker_utid, s.irq_context, s.waker_context "
                     "FROM wakeup w JOIN thread_state s ON s.ts = w.ts AND s.utid = w.utid"]).stdout.splitlines()[1:]
    tap.ok(asked == [",hardirq timer,,1,hardirq timer"] * 2 + [",softirq timer,,1,softirq timer"], "query: a timer is no thread", asked)
    json_file = os.path.join(folder, "t.json")
    tap.run([tap.FXTREC, "convert", trace, "-o", json_file, "-t", "json-array"])
    with open(json_file, encoding="utf-8") as rows:
        states = [e for e in json.load(rows) if e.get("name") == "runnable" and e.get("tid") == 5]
    tap.ok(states and not any("waker" in e.get("args", {}) for e in states), "JSON: no thread made it runnable", states)


def stopped(folder):
    """A thread that is stopped, goes on, and is stopped at the end."""
    f = File().named(5, 5, "victim", leader=True).named(6, 6, "shell", leader=True).cpu(0)
    f.switch(1000, 0, 0, 0, R, 5, 120).switch(2000, 0, 5, 120, 2, 6, 120, "T").wakeup(4000, 0, 5, 120, waker=6)
    f.switch(4500, 0, 6, 120, R, 5, 120).switch(6000, 0, 5, 120, 2, 6, 120, "T").switch(9000, 0, 6, 120, 3, 0, 0, "S")
    f.event(BEGIN, 1500, 5, 5, "c", "job").event(END, 7000, 5, 5, "c", "job")
    last = (5, "sleep", "stopped, not over yet")
    for chosen in ("-t5", "--mark=job"):
        windows = said(folder, f.data, "path", "--json", chosen)["windows"]
        segments = [(s["tid"], s["kind"], s["reason"]) for s in windows[0]["segments"]]
        tap.ok(segments == [(5, "run", None), (6, "run", None), (5, "wait", None), (5, "run", None), last],
               f"path {chosen}: a thread that was stopped, and is at the end", segments)
    windows = said(folder, f.data, "path", "--json", "-t6")["windows"]
    tap.ok([s["reason"] for s in windows[0]["segments"]][-1] is None, "one that runs at the end has no reason", windows)


def overlapped(folder):
    """
    Durations of two threads that overlap, as they end while these run, wait or sleep, of which the text walks one path:
    its sums are those of all segments of all windows.
    """
    f = File().cpu(0)
    for tid in (5, 6, 7):
        f.named(5, tid, f"t{tid}", leader=tid == 5)
    for i in range(60):
        now, following, t = 5 + i % 3, 5 + (i + 1) % 3, 1000 * i
        f.event(ASYNC_BEGIN, t + 7 * (i % 5), 5, 5 + i % 2, "c", "job", extra=i)
        f.wakeup(t + 100, 0, following, 120, waker=now)
        if i >= 20:
            f.event(ASYNC_END, t + 120, 5, 5 + i % 2, "c", "job", extra=i - 20)
        # One of them is preempted, and waits.
        f.switch(t + 200 + 40 * (i % 4), 0, now, 120, R if i % 4 == 3 else 3, following, 120)
        if i % 5 == 4:
            f.event(COMPLETE, t - 1900, 5, 5, "c", "job", extra=t + 300)
    shown = said(folder, f.data, "path", "--json", "--mark=job")
    sums = {}
    for window in shown["windows"]:
        for s in window["segments"]:
            ns, count = sums.get((s["tid"], s["kind"]), (0, 0))
            sums[s["tid"], s["kind"]] = ns + s["to_ns"] - s["from_ns"], count + 1
    text = tap.run([tap.FXTREC, "path", "--mark=job", os.path.join(folder, "t.fxt")]).stdout
    rows = {(int(row[1]), row[2]): (row[3], int(row[5]))
            for row in re.findall(r"^(t\d:(\d)) +(\w+) +([\d.]+) +([\d.]+) +(\d+)$", text, re.M)}
    tap.ok(len(shown["windows"]) > 50 and len(sums) > 5 and
           rows == {of: (f"{ns / 1e6:.3f}", count) for of, (ns, count) in sums.items()},
           "path: sums of windows that overlap are those of their segments", f"{sums}\n{text}")
    longest = max(shown["windows"], key=lambda window: window["to_ns"] - window["from_ns"])
    tap.ok(f", {len(longest['segments'])} segments" in text, "and the longest one has its segments", text)


def folded(folder):
    """A result that children of one name make, each of them a process of its own, behind a hog and a softirq."""
    f = File().cpu(0)
    f.named(5, 5, "boss", leader=True).named(7, 7, "hog", leader=True)
    f.switch(500, 0, 0, 0, R, 5, 120)
    for i in range(4):
        child, t = 11 + i, 1000 + 20_000 * i
        f.named(child, child, "child", leader=True)
        f.event(BEGIN, t, 5, 5, "c", "job")
        f.wakeup(t + 1000, 0, child, 120, waker=5)
        f.switch(t + 2000, 0, 5, 120, 3, 7, 120, "S")
        f.event(BEGIN, t + 3000, 9, SOFTIRQ, "irq", "RCU")
        f.event(END, t + 4000, 9, SOFTIRQ, "irq", "RCU")
        f.switch(t + 6000, 0, 7, 120, R, child, 120)
        f.wakeup(t + 15_000, 0, 5, 120, waker=child)
        f.switch(t + 15_000, 0, child, 120, 5, 5, 120)
        f.event(END, t + 16_000, 5, 5, "c", "job")
    f.switch(90_000, 0, 5, 120, 3, 7, 120)
    rows = said(folder, f.data, "path", "--json", "--mark=job", "--by=comm")
    sums = {(s.get("comm"), s["kind"]): (s["ns"], s["count"]) for s in rows.get("sum", [])}
    tap.ok(sums == {("boss", "run"): (12_000, 8), ("child", "wait"): (16_000, 12), ("child", "run"): (36_000, 4)},
           "path --by=comm: what many threads of a name did is one sum", rows)
    behind = {(b["kind"], b.get("comm", b.get("name"))): (b["ns"], b["count"]) for b in rows.get("behind", [])}
    tap.ok(behind == {("thread", "hog"): (12_000, 8), ("softirq", "RCU"): (4000, 4)}, "and what its waits were behind", behind)
    apart = said(folder, f.data, "path", "--json", "--mark=job")
    tap.ok(sum(1 for s in apart["sum"] if s["comm"] == "child" and s["kind"] == "run") == 4 and apart["windows"] == rows["windows"],
           "by thread they are apart, and the windows are the same", apart)
    text = tap.run([tap.FXTREC, "path", "--mark=job", "--by=comm", os.path.join(folder, "t.fxt")]).stdout
    tap.ok(re.search(r"^child +run +0\.036 +56\.25 +4$", text, re.M) and re.search(r"^softirq RCU +0\.004 +", text, re.M) and
           "behind softirq RCU" in text, "the text says so", text)
    tap.fails(["path", "--mark=job", "--by=comm", "--csv", os.path.join(folder, "t.fxt")], 2, "no CSV", "sums have no CSV")


def chosen_none(folder):
    """A name that is mistyped isn't one that did nothing."""
    path = os.path.join(folder, "none.fxt")
    with open(path, "wb") as out:
        out.write(File().cpu(0).named(5, 5, "one", leader=True).switch(1000, 0, 0, 0, R, 5, 120).switch(
            2000, 0, 5, 120, 3, 0, 120).data)
    for command, comm, text in (("report", "noe", "no such thread in that time"), ("report", "one", None),
                                ("blame", "noe", "no such thread waited"), ("blame", "*", "no such thread waited"),
                                ("timehist", "noe", "no such thread left a CPU in that time"), ("timehist", "one", None)):
        said_it = tap.run([tap.FXTREC, command, f"--comm={comm}", path]).stdout
        tap.ok(text in said_it if text else "no such thread" not in said_it, f"{command} --comm={comm}: {text}", said_it)
    page = os.path.join(folder, "none.html")
    tap.fails(["page", "--comm=noe", path, "-o", page], 1, "no such thread in that time", "a page of no thread")
    tap.ok(not os.path.exists(page), "isn't made")
    with open(path, "w", encoding="utf-8") as out:
        out.write('[{"ph":"X","ts":1,"dur":5,"pid":1,"tid":1,"name":"job"}]')
    done = tap.run([tap.FXTREC, "page", "-t1", path, "-o", page])
    tap.ok(done.returncode == 0 and os.path.exists(page), "a page of a thread in a trace of programs alone is", done.stderr)


def slept_throughout(folder):
    """A thread without an event, as one that hangs, isn't one that is not there."""
    f = File().provider(1, "fxtrec").object(1, 8, "hung", [("cgroup", "/app")])
    f.named(8, 8, "hung", leader=True).named(8, 9, "helper").named(5, 5, "one", leader=True)
    f.cpu(0).switch(1000, 0, 0, 0, R, 5, 120)
    f.event(INSTANT, 1999, 5, 5, "sched", "blocked", [("iowait", 0), ("function", "f"), ("stack", "f < read")])
    f.switch(2000, 0, 5, 120, 3, 0, 120, "D").switch(3000, 0, 0, 0, R, 4, 120)
    path = os.path.join(folder, "slept.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    page = os.path.join(folder, "slept.html")
    for chosen, text in (("-t8", "no event of such a thread in that time: 1 slept, waited for a CPU or ran throughout, or was not recorded"),
                         ("-p8", ": 2 slept, waited"), ("--comm=h*", ": 2 slept, waited"),
                         ("--comm=helper", ": 1 slept, waited"), ("--cgroup=/app", ": 2 slept, waited"),
                         ("-t7", "no such thread in that time"), ("-p9", "no such thread in that time")):
        for command in (["report"], ["top", "--batch"]):
            done = tap.run([tap.FXTREC, *command, chosen, path])
            tap.ok(done.returncode == ("slept" not in text) and text in done.stdout, f"{' '.join(command)} {chosen}: {text}",
                   done.stdout)
        tap.fails(["path", chosen, path], 1, text, f"path {chosen}")
        tap.fails(["page", chosen, path, "-o", page], 1, text, f"page {chosen}")
        tap.fails(["flame", chosen, path], 1, text if "slept" in text else "no such thread slept with a stack", f"flame {chosen}")


def switches_none(folder):
    """A trace without any is not one of an idle machine: it says so, whatever its recorder would have recorded."""
    path, none = os.path.join(folder, "job.json"), "no context switches in it"
    with open(path, "w", encoding="utf-8") as out:
        out.write('[{"ph":"X","ts":1,"dur":5,"pid":1,"tid":1,"name":"job"}]')
    one = os.path.join(folder, "one.fxt")
    with open(one, "wb") as out:
        out.write(File().cpu(0).wakeup(500, 0, 5, 120).switch(1000, 0, 0, 0, R, 5, 120).switch(
            2000, 0, 5, 120, 3, 0, 120).data)
    empty = os.path.join(folder, "nothing.fxt")
    with open(empty, "wb") as out:
        out.write(File().cpu(0).data)
    for command in (["report"], ["report", "--by=cpu"], ["blame"], ["path", "--mark=job"], ["diff", path]):
        text = tap.run([tap.FXTREC, *command, path]).stdout
        tap.ok(none in text and "no wakeups" not in text, f"{command[0]} of a trace of programs alone", text)
        done = tap.run([tap.FXTREC, *command, one]).stdout
        tap.ok(command[0] in ("diff", "path") or none not in done, f"{command[0]} of one with switches", done)
    text = tap.run([tap.FXTREC, "report", empty]).stdout
    tap.ok(none in text, "report of a recording of nothing", text)
    for options, text in (([], "no thread left a CPU in that time"), (["-C7"], "no thread left such a CPU in that time"),
                          (["-t7", "-C7"], "no such thread left such a CPU in that time")):
        done = tap.run([tap.FXTREC, "timehist", *options, path]).stdout
        tap.ok(text in done, f"timehist {' '.join(options)}: {text}", done)
    for options, text in ((["-C7"], "no such CPU in that time"), ([], None)):
        done = tap.run([tap.FXTREC, "report", *options, one]).stdout
        tap.ok(text in done if text else "no such CPU" not in done, f"report {' '.join(options)}: {text}", done)
    done = tap.run([tap.FXTREC, "timehist", one]).stdout
    tap.ok("left a" not in done, "timehist of one with switches", done)


def shown(folder):
    """Names that would command a terminal, or turn what it shows round, are not printed as they are."""
    hidden = "\x1b[31m \u009b31m \u202e \u2066 \u2028 \x7f \u00ad\u200b\u2060\u3164\ufe0f\ufeff\U000e0041"
    f = File().cpu(0)
    for tid in (5, 6):
        f.named(tid, tid, f"é {hidden}{tid}", leader=True)
    for time in range(1000, 1_000_000, 10_000):
        f.wakeup(time, 0, 6, 120, waker=5)
        f.switch(time + 4000, 0, 5 if time > 1000 else 0, 120, 3, 6, 120, "D" if time > 1000 else None)
        f.event(INSTANT, time + 4100, 5, 5, "sched", "blocked", [("iowait", 0), ("function", "f"), ("stack", f"f{hidden} < read")])
        f.wakeup(time + 5000, 0, 5, 120, waker=6)
        f.switch(time + 9000, 0, 6, 120, 3, 5, 120, "S")
    path = os.path.join(folder, "shown.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    for command in (["report"], ["report", "--over=1us"], ["blame"], ["timehist"], ["path", "-t", "6"], ["flame"],
                    ["top", "--batch"], ["diff", path], ["query", "SELECT name FROM thread"]):
        arguments = [command[0], path, *command[1:]] if command[0] in ("diff", "query") else [*command, path]
        done = tap.run([tap.FXTREC, *arguments])
        wrong = sorted(set(done.stdout) & set(hidden) - set("[31m "))
        tap.ok(done.returncode == 0 and not wrong and "é ?[31m ?31m ? ? ?" in done.stdout,
               f"{' '.join(command[:2])[:20]}: a name is safe for a terminal", (wrong, done.stderr, done.stdout[:600]))


def formulas(folder):
    """Names that a spreadsheet would compute are texts in each table of values."""
    f, path = File().cpu(0).named(5, 5, '=HYPERLINK("x")', leader=True).named(6, 6, "-bash", leader=True), os.path.join(folder, "formulas.fxt")
    for time in range(1000, 100_000, 10_000):
        f.wakeup(time, 0, 6, 120, waker=5).switch(time + 4000, 0, 5, 120, 1, 6, 120).switch(time + 9000, 0, 6, 120, 3, 5, 120)
    with open(path, "wb") as out:
        out.write(f.data)
    for words in (["report"], ["blame"], ["timehist"], ["path", "-t", "6"], ["query", "SELECT name, -dur FROM sched JOIN thread USING (utid)"]):
        arguments = [words[0], "--csv", path, words[1]] if words[0] == "query" else [words[0], "--csv", *words[1:], path]
        done = tap.run([tap.FXTREC, *arguments])
        cells = [cell for row in csv.reader(done.stdout.splitlines()) for cell in row]
        tap.ok(done.returncode == 0 and any(c.startswith("'-bash") for c in cells) and
               not any(c.startswith(("=", "-bash")) for c in cells) and
               (words[0] != "query" or "-5000" in cells), f"{words[0]} --csv: no cell is a formula", done.stdout[:600] + done.stderr)


PODS = [f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{8 * n}_{28 * n}.slice/cri-containerd-{64 * n}.scope"
        for n in "12"]


def grouped(folder):
    """Control groups with paths that begin alike are told apart, whatever room there is."""
    f = File().provider(1, "fxtrec")
    for tid, pod in zip((10, 20), PODS):
        f.object(1, tid, f"p{tid}", [("cgroup", pod)]).named(tid, tid, f"p{tid}")
    f.cpu(0).switch(1000, 0, 0, 120, R, 10, 120)
    for time in range(2_000_000, 100_000_000, 10_000_000):
        f.wakeup(time, 0, 20, 120, waker=10).switch(time + 1_000_000, 0, 10, 120, R, 20, 120)
        f.switch(time + 4_000_000, 0, 20, 120, 3, 10, 120)
    path = os.path.join(folder, "grouped.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    for command in ("report", "blame"):
        text = tap.run([tap.FXTREC, command, "--by=cgroup", path]).stdout
        tap.ok(all(pod in text for pod in PODS), f"{command} --by=cgroup: in a file paths are whole", text)
        for columns in (60, 80, 200):
            terminal = Terminal([tap.FXTREC, "--no-pager", command, "--by=cgroup", path], 50, columns, COLUMNS=str(columns))
            terminal.end()
            rows = re.findall(rb"^(/kube\S+) .*", terminal.text.replace(b"\r", b""), re.M)
            tap.ok(len(set(rows)) == 2, f"{command} --by=cgroup: told apart on {columns} columns", terminal.text.decode())
            table = re.findall(rb"(?:^|\x1b\[1m)( cpu .*?)(?:\x1b\[m)?\r+\n( +0 .*?)\r+\n", terminal.text, re.M)
            if command == "report" and columns >= 80:
                tap.ok(len(table) == 1 and [len(line) <= columns for line in table[0]] == [True, True] and
                       len(table[0][0]) == len(table[0][1]), f"the table of CPUs on {columns} columns", terminal.text.decode())
    rows = list(csv.reader(tap.run([tap.FXTREC, "blame", "--by=cgroup", "--csv", path]).stdout.splitlines()))
    tap.ok({row[1] for row in rows[1:]} == set(PODS), "blame --csv has whole paths", rows[:2])
    for columns, names in ((80, [f"/kubepods.sl..{19 * n}.scope" for n in "12"]), (400, PODS)):
        terminal = Terminal([tap.FXTREC, "top", "--by=cgroup", path], 24, columns, COLUMNS=str(columns), LINES="24")
        tap.ok(all(terminal.wait(name, 60) for name in names), f"top tells them apart on {columns} columns", terminal.text)
        terminal.press("q")
        terminal.end()


def contained(folder):
    """A process that is in no container is another row than one of which that isn't known."""
    f = File().provider(1, "fxtrec").object(1, 10, "p10", [("cgroup", PODS[0]), ("container", "c0")])
    f.object(1, 20, "p20", [("cgroup", "/system.slice")])
    for tid in (10, 20, 30):
        f.named(tid, tid, f"p{tid}")
    f.cpu(0).switch(1000, 0, 0, 120, R, 10, 120).wakeup(1500, 0, 20, 120, waker=10).switch(2000, 0, 10, 120, R, 20, 120)
    f.switch(4000, 0, 20, 120, R, 30, 120).switch(7000, 0, 30, 120, R, 10, 120).switch(8000, 0, 10, 120, 3, 20, 120)
    path = os.path.join(folder, "contained.fxt")
    with open(path, "wb") as out:
        out.write(f.data)
    for command in (["report"], ["blame"], ["top", "--batch"], ["path", "--comm=p*"]):
        text = tap.run([tap.FXTREC, *command, "--by=container", path]).stdout
        tap.ok(all(re.search(rf"(?m)^ *{name} .*\d", text) for name in ("c0", r"\(none\)", r"\(unknown\)")),
               f"{' '.join(command)} --by=container", text)
    rows = json.loads(tap.run([tap.FXTREC, "report", "--by=container", "--json", path]).stdout)["containers"]
    tap.ok({row["container"]: row["run_ns"] for row in rows} == {"c0": 2000, "": 2000, None: 3000}, "and as JSON", rows)
    rows = csv.DictReader(tap.run([tap.FXTREC, "report", "--by=container", "--csv", path]).stdout.split("\n\n")[0].splitlines())
    tap.ok({row["container"]: row["run_ns"] for row in rows} == {"c0": "2000", "(none)": "2000", "(unknown)": "3000"}, "and as CSV")


def full(folder):
    """A provider that isn't fxtrec's says that its buffer was full."""
    path = os.path.join(folder, "full.fxt")
    f = File().provider(7, "ktrace").event(INSTANT, 1000, 5, 5, "c", "n")
    f.cpu(0).switch(2000, 0, 5, 120, S, 0, 120)
    lost = [len(f.data)]
    with open(path, "wb") as out:
        out.write(f.data + struct.pack("<Q", 1 << 4 | 3 << 16 | 7 << 20))
    info = json.loads(tap.run([tap.FXTREC, "info", "--json", path]).stdout)
    tap.ok(info["lost_uncounted"] == 1 and [one["offset"] for one in info["lost_uncounted_first"]] == lost and
           info["lost_uncounted_first"][0]["cause"] == "provider's buffer full", "info: a full buffer is a loss", info)
    done = tap.run([tap.FXTREC, "report", path])
    tap.ok(done.returncode == 0 and "1 providers' full buffers, of which nothing says what was lost" in done.stderr,
           "report: it is said", done.stderr)
    tap.ok("lost: what did not fit into full buffers (1 times)" in done.stdout and "none reported" not in done.stdout,
           "and not that none was lost", done.stdout)
    done = tap.run([tap.FXTREC, "report", "--assert=switches < 5", path])
    tap.ok(done.returncode == 3 and "scheduling events were lost" in done.stderr, "nor does a bound hold for sure", done.stderr)


def groups_unknown(folder):
    """Behind a thread of which no control group is known is neither behind the own one, nor behind others."""
    for known, said_first, row in (
            ((), "behind threads of unknown control groups 100.00 %", ["?", "?"]),
            ((10,), "behind threads of unknown control groups 100.00 %", ["?", "?"]),
            ((10, 20), "own control group 0.00 %, of others 25.00 %, of unknown control groups 75.00 %", ["0.00", "25.00"]),
            ((10, 20, 30), "own control group 75.00 %, of others 25.00 %\n", ["75.00", "25.00"])):
        f = File().provider(1, "fxtrec")
        for tid in known:
            f.object(1, tid, f"p{tid}", [("cgroup", "/two" if tid == 20 else "/one")]).named(tid, tid, f"p{tid}")
        f.cpu(0).switch(1000, 0, 0, 120, R, 20, 120).wakeup(2000, 0, 10, 120, waker=20)
        f.switch(3000, 0, 20, 120, 3, 30, 120).switch(6000, 0, 30, 120, 3, 10, 120).switch(7000, 0, 10, 120, 3, 0, 120)
        path = os.path.join(folder, "unknown.fxt")
        with open(path, "wb") as out:
            out.write(f.data)
        text = tap.run([tap.FXTREC, "blame", path]).stdout
        rows = [line.split() for line in text.splitlines() if ":10 " in line and "after" not in line]
        tap.ok(said_first in text and rows and rows[0][-3:-1] == row, f"blame: control groups of {len(known)} of 3 threads", text)


def waits_lost(folder):
    """A wait is as long as it is known: from a loss on, the thread may have run."""
    f = File().cpu(0)
    f.named(5, 5, "five", leader=True).named(6, 6, "six", leader=True).named(7, 7, "seven", leader=True)
    f.wakeup(900, 0, 7, 120, waker=0)
    f.switch(1000, 0, 0, 0, R, 5, 120).switch(2000, 0, 5, 120, 1, 6, 120)
    f.switch(9000, 0, 6, 120, 1, 7, 120).switch(9100, 0, 7, 120, 3, 5, 120)
    f.switch(90_000, 0, 5, 120, 3, 6, 120).switch(91_000, 0, 6, 120, 3, 0, 0)
    f.cpu(1).event(COMPLETE, 5000, 0, 0x40000001, "fxtrec", "lost",
                   [("cause", "ring full"), ("records", Unsigned(3))], 6000)
    for what, options in (("worst", ["blame"]), ("waits", ["report", "--over=1ns"])):
        waits = said(folder, f.data, *options, "--json")
        waits = sorted((w["tid"], w["from_ns"], w["to_ns"]) for w in waits.get(what, [])) if what in waits else waits
        tap.ok(waits == [(5, 2000, 5000), (6, 9000, 90_000), (7, 900, 5000)], f"{options[0]}: a wait ends where a loss begins", waits)


def crowded(folder):
    """Thousands that wait for one CPU: what ran in each one's wait is summed alone, and not kept."""
    count, rounds = 3000, 2
    f = File().cpu(0)
    for begin in range(0, 10_000 * (count + 1) * rounds, 10_000 * (count + 1)):
        f.switch(begin + 1000, 0, 0, 0, R, 1, 120)
        for thread in range(2, count + 1):
            f.wakeup(begin + 1000 + thread, 0, thread, 120, waker=1)
        for thread in range(1, count + 1):
            f.switch(begin + 10_000 * thread, 0, thread, 120, 3, *((thread + 1, 120) if thread < count else (0, 0)), "S")
    waits = said(folder, f.data, "report", "--json", "--over=1ms", "--spool-limit=8M").get("waits", [])
    tap.ok([w["tid"] for w in waits] == rounds * list(range(102, count + 1)) and
           waits[-1]["story"].endswith(f"0.010 ms :5, {(10_000 * (count - 5) - 1000 - count) / 1e6:.3f} ms {count - 5} others"),
           "report: a crowd's waits, in little memory", waits[-1:])
    victims = said(folder, f.data, "blame", "--json", "-t", "2,200", "--spool-limit=8M").get("victims", [])
    tap.ok([(v["tid"], v["wait_ns"], len(v["culprits"])) for v in victims] ==
           [(tid, rounds * (10_000 * (tid - 1) - 1000 - tid), tid - 1) for tid in (200, 2)],
           "blame: of chosen ones likewise", victims)


def blocked_twice(folder):
    """A sleep of which nothing says whether it is for I/O isn't, because the one before was."""
    f = File().cpu(0).switch(1000, 0, 0, 0, R, 5, 120)
    f.event(INSTANT, 1990, 5, 5, "sched", "blocked", [("iowait", Unsigned(1)), ("function", "f"), ("stack", "f")])
    for time in (2000, 5000):
        f.switch(time, 0, 5, 120, 3, 0, 0, "D").wakeup(time + 1000, 0, 5, 120, waker=0).switch(time + 1100, 0, 0, 0, R, 5, 120)
    thread = said(folder, f.switch(9000, 0, 5, 120, 3, 0, 0).data, "report", "--json")["threads"][0]
    tap.ok((thread["blocked_ns"], thread["iowait_ns"]) == (2000, 1000), "report: I/O of a sleep alone that is said to be for it", thread)
    rows = tap.run([tap.FXTREC, "query", "--csv", os.path.join(folder, "t.fxt"),
                    "select io_wait, blocked_function from thread_state where state = 'D' order by ts"]).stdout.splitlines()[1:]
    tap.ok(rows == ["1,f", ","], "query: likewise", rows)


def moved_lost(folder):
    """A wait that is moved to another queue behind a loss is as long as it is known: what ran there is none of it."""
    f = File().cpu(0).switch(1000, 0, 0, 0, R, 5, 120).cpu(1).switch(9000, 1, 0, 0, R, 7, 120)
    f.cpu(0).wakeup(10_000, 0, 6, 120, waker=5)
    f.cpu(2).event(COMPLETE, 11_000, 0, 0x40000002, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(3))], 12_000)
    f.cpu(0).migrate(13_000, 0, 0, 6, 120, 0, 1)
    f.cpu(1).switch(15_000, 1, 7, 120, 3, 6, 120).switch(16_000, 1, 6, 120, 3, 0, 0)
    victims = said(folder, f.data, "blame", "--json", "-t", "6").get("victims")
    got = [(v["wait_ns"], [(c.get("tid"), c["ns"]) for c in v["culprits"]]) for v in victims or []]
    tap.ok(got == [(1000, [(5, 1000)])], "blame: a wait that is moved behind a loss", got)


def all_lost(folder):
    """A loss of no certain CPU is one of each, also of a CPU that the first event of comes meanwhile."""
    f = File().named(5, 5, "five", leader=True).cpu(0).switch(1000, 0, 0, 0, R, 5, 120)
    f.provider(3, "fxtrec").event(COMPLETE, 2000, 9, 9, "fxtrec", "lost", extra=5000)
    f.cpu(1).switch(3000, 1, 0, 0, R, 6, 120).switch(9000, 1, 6, 120, 3, 0, 0)
    f.cpu(0).event(COMPLETE, 4000, 0, 0x40000000, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(3))], 7000)
    f.switch(10_000, 0, 5, 120, 3, 0, 0)
    report = said(folder, f.data, "report", "--json")
    runs = {t["tid"]: (t["run_ns"], t["unknown_ns"]) for t in report["threads"]}
    tap.ok(runs == {5: (4000, 5000), 6: (4000, 5000)}, "report: what all CPUs lost, and one of them beyond that", runs)
    done = tap.run([tap.FXTREC, "query", "--csv", os.path.join(folder, "t.fxt"),
                    "SELECT ts, dur, state FROM thread_state WHERE utid = (SELECT utid FROM thread WHERE tid = 5) ORDER BY ts"])
    tap.ok("2000,5000,unknown" in done.stdout.replace('"', ""), "query: both are one piece", done.stdout + done.stderr)


def handlers_lost(folder):
    """A handler of which the end is lost is known up to the loss alone, and what its CPU runs beyond that."""
    f = File().named(5, 5, "five", leader=True).named(6, 6, "six", leader=True).cpu(0)
    f.switch(1000, 0, 0, 0, R, 5, 120).wakeup(2000, 0, 6, 120, waker=5)
    f.event(BEGIN, 3000, 9, SOFTIRQ, "irq", "RCU").event(COMPLETE, 3100, 0, 0x40020000, "fxtrec", "lost", [
        ("cause", "ring full"), ("records", Unsigned(3))], 40_000).event(END, 40_000, 9, SOFTIRQ, "irq", "RCU")
    f.event(BEGIN, 41_000, 9, SOFTIRQ, "irq", "NET_RX").event(END, 41_500, 9, SOFTIRQ, "irq", "NET_RX")
    f.switch(50_000, 0, 5, 120, 1, 6, 120).switch(60_000, 0, 6, 120, 3, 0, 0)
    victims = said(folder, f.data, "blame", "--json", "-t", "6")["victims"]
    culprits = {c.get("tid") or c["name"]: c["ns"] for c in victims[0]["culprits"]}
    tap.ok(culprits == {5: 47_400, "RCU": 100, "NET_RX": 500}, "blame: a handler up to a loss of its CPU's events", culprits)
    path = said(folder, f.data, "path", "--json", "-t", "6")
    behind = {row.get("tid") or row["name"]: row["ns"] for row in path["behind"]}
    tap.ok(behind == culprits, "path: likewise", behind)
    cpu = said(folder, f.data, "report", "--json")["cpus"][0]
    tap.ok((cpu["interrupt_ns"], cpu["unknown_ns"]) == (600, 0), "report: likewise", cpu)


def executed(folder):
    """A thread that calls exec has its process's id from then on: what it did before is known, and what it does after."""
    for wakes in (True, False):
        f = File().named(5, 5, "main", leader=True).named(5, 6, "other").cpu(0)
        f.switch(1000, 0, 0, 0, R, 5, 120).wakeup(1500, 0, 6, 120, waker=5)
        f.switch(2000, 0, 5, 120, 5, 6, 120, "Z")
        if wakes:
            f.wakeup(3000, 0, 7, 120, waker=5)
        f.switch(9000, 0, 5, 120, R, 8, 120).switch(9500, 0, 8, 120, 3, 5, 120).switch(9900, 0, 5, 120, 3, 0, 0)
        said_ = said(folder, f.data, "report", "--json")
        lives = [(t["tid"], t["begin_ns"], t["end_ns"], t["run_ns"], t["unknown_ns"]) for t in said_["threads"] if t["pid"] == 5]
        at = 3000 if wakes else 9000
        tap.ok(sorted(lives) == [(5, 1000, 2000, 1000, 0), (5, at, 9900, 9400 - at, 0), (6, 1000, at, at - 2000, 500)] and
               said_["cpus"][0]["unknown_ns"] == 0, f"report: exec by another thread than the first, seen by its next {'wakeup' if wakes else 'switch'}",
               (lives, said_["cpus"]))


def executed_path(folder):
    """What waits for a process waited for the thread that called exec in it, under either id."""
    f = File().named(5, 5, "main", leader=True).named(5, 6, "other").named(9, 9, "parent", leader=True).cpu(0)
    f.switch(1000, 0, 9, 120, 3, 5, 120, "S").wakeup(1500, 0, 6, 120, waker=5, new=True).switch(2000, 0, 5, 120, 5, 6, 120, "Z")
    f.wakeup(3000, 0, 7, 120, waker=5).switch(4000, 0, 5, 120, 3, 0, 0, "S").wakeup(6000, 0, 5, 120, waker=0)
    f.switch(6500, 0, 0, 0, R, 5, 120).wakeup(9000, 0, 9, 120, waker=5).switch(9000, 0, 5, 120, 5, 9, 120, "Z")
    f.switch(9500, 0, 9, 120, 3, 0, 0, "S")
    windows = said(folder, f.data, "path", "--json", "-t", "9").get("windows", [{"segments": []}])
    segments = [(s["tid"], s["from_ns"], s["to_ns"], s["kind"]) for s in windows[0]["segments"]]
    tap.ok(segments == [(5, 1000, 1500, "run"), (6, 1500, 2000, "wait"), (6, 2000, 3000, "run"), (5, 3000, 4000, "run"),
                        (5, 4000, 6000, "sleep"), (5, 6000, 6500, "wait"), (5, 6500, 9000, "run"), (9, 9000, 9500, "run")],
           "path: behind exec by another thread than the first comes what that did before", segments)


def slept_before(folder):
    """A thread sleeps since before the recording: its path is that of the thread that wakes it, from where that is sure."""
    since = [(9, 500, 1000, "unknown"), (5, 1000, 4000, "run"), (9, 4000, 6000, "wait"), (9, 6000, 7000, "run")]
    never = [(9, 500, 4000, "unknown"), *since[2:]]
    apart = [since[0], (9, 1000, 4000, "unknown"), *since[2:]]
    for name, processors, chosen, target, lost, context, expected in (
            ("is followed from its CPU's first event", True, False, 0, False, None, since),
            ("isn't where an interrupt wakes it", True, False, 0, False, "hardirq", apart),
            ("isn't where its CPU has no event", True, False, 2, False, None, never),
            ("isn't behind a loss", True, False, 0, True, None, never),
            ("isn't in a recording of some threads", True, True, 0, False, None, None),
            ("isn't in one of another tool", False, False, 0, False, None, never)):
        f = File().provider(1, "fxtrec")
        if chosen:
            f.event(INSTANT, 0, 0, 0, "fxtrec", "host", [("chosen_threads", Unsigned(1))])
        for cpu in range(3) if processors else ():
            f.event(INSTANT, 0, 0, 0, "fxtrec", "processor", [("cpu", Unsigned(cpu)), ("left_out", Unsigned(0))])
        f.named(9, 9, "victim", leader=True).named(5, 5, "holder", leader=True)
        f.cpu(1).switch(500, 1, 0, 0, R, 7, 120)
        if lost:
            f.event(COMPLETE, 2000, 0, 0x40000001, "fxtrec", "lost", [("cause", "ring full"), ("records", Unsigned(3))], 2100)
        f.cpu(0).switch(1000, 0, 0, 0, R, 5, 120).wakeup(4000, target, 9, 120, waker=5, context=context)
        if target:
            f.migrate(4000, 0, 0, 9, 120, target, 0)
        f.switch(6000, 0, 5, 120, 3, 9, 120, "S").switch(7000, 0, 9, 120, 3, 0, 0, "S")
        windows = said(folder, f.data, "path", "--json", "-t", "9").get("windows", [{"segments": []}])
        segments = [(s["tid"], s["from_ns"], s["to_ns"], s["kind"]) for s in windows[0]["segments"]]
        reasons = {s["reason"] for s in windows[0]["segments"] if s["kind"] == "unknown"}
        tap.ok(segments == expected if expected else segments and all(tid == 9 for tid, _, _, _ in segments),
               f"path: what sleeps since before the recording {name}", segments)
        if context:
            tap.ok("woken by an interrupt" in reasons, "which the path says", windows)


def main():
    with tempfile.TemporaryDirectory() as folder:
        executed(folder)
        executed_path(folder)
        slept_before(folder)
        interrupted(folder)
        by_timers(folder)
        stopped(folder)
        overlapped(folder)
        folded(folder)
        chosen_none(folder)
        slept_throughout(folder)
        switches_none(folder)
        shown(folder)
        formulas(folder)
        grouped(folder)
        contained(folder)
        full(folder)
        groups_unknown(folder)
        waits_lost(folder)
        crowded(folder)
        blocked_twice(folder)
        moved_lost(folder)
        all_lost(folder)
        handlers_lost(folder)
    tap.done()


main()
