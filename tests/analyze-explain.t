#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Causes of late requests that explain finds, in made-up traces with one cause each."""
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
import lateness
from fxtmake import BEGIN, COUNTER, END, File, INSTANT, Unsigned, reason
from lateness import D, EACH, COUNT, FSYNC, IDLE, LATE, NAP, S, SERVER, START, TRACK, WORK, Trace, alone, explain, lock, top
from tap import ok

# Words of the finding's sentence for a cause of lateness.py.
CAUSES = (
    ("lock", "ran 100 %"),
    ("lock of a sleeping holder", "slept 50 %"),
    ("lock whose holder waits for a CPU", "waited for a CPU 75 % behind hog:20"),
    ("real-time thread's holder", "lower priority"),
    ("convoy", "holder-* (4 threads) and others in turn, 4.0 of them in a wait"),
    ("answer", "helper:12"),
    ("answer without reasons", "helper:12"),
    ("child", "helper:12"),
    ("sibling's latch", "server:80"),
    ("sibling's latch with a timeout", "server:80, of its own program"),
    ("monitor", "helper:12, of its own program"),
    ("sibling's latch without reasons", "server:80"),
    ("latch on the epoll of its requests", "server:80"),
    ("pool of two", "queue of pool-0:16, all busy"),
    ("fsync", "fsync"),
    ("peer", "network"),
    ("stop", "stopped"),
    ("hog", "while hog:20 ran"),
    ("a free CPU", "another CPU was idle"),
    ("real-time hog", "(RT 89)"),
    ("kworker", "kworker/0:1:50 ran flush_all"),
    ("sleep", "slept by itself"),
    ("sleep between reads", "slept by itself"),
    ("late timer", "later than the timer was due"),
    ("late timer before a request", "later than the timer was due"),
    ("moves", "between CPUs"),
    ("steal", "didn't count"),
    ("work between timers", "ran longer"),
    ("work", "ran longer"),
)


def causes(folder):
    for name, words in CAUSES:
        finding, meet, *options = lateness.CAUSES[name]
        t = Trace(**(options[0] if options else {}))
        answer = explain(t.requests(lambda at, t=t, meet=meet: meet(t, at, LATE)).write(folder, "cause.fxt"), "--comm=server")
        found = top(answer)
        text = answer["findings"][0]["text"] if answer["findings"] else answer
        ok(found[0] == finding and abs(found[1] - 1) <= (0.035 if finding == "migrations" else 0.015) and words in text,
           f"{name}: {finding}", (found, text))
        sums = sum(f["ns"] for f in answer["findings"])
        ok(answer.get("answer") == "slow-units" and abs(sums - answer["lateness_ns"]) <= len(answer["findings"]),
           f"{name}: the findings add up to the lateness", (sums, answer.get("lateness_ns")))


def quiet(folder):
    t = Trace()
    answer = explain(t.requests(lambda at: at).write(folder, "quiet.fxt"))
    ok(answer["answer"] == "nothing-late" and answer["findings"] == [] and answer["unit_count"] == COUNT - 1,
       "nothing was late", answer)
    t = Trace()
    path = t.requests(lambda at: at + 900).write(folder, "short.fxt")
    ok(explain(path, "--late=100us")["answer"] == "slow-units", "--late=100us finds it")
    t = Trace()
    path = t.requests(lambda at: at + 400).write(folder, "short.fxt")
    ok(explain(path)["answer"] == "nothing-late", "less than --late is not late")
    late = explain(path, "--late=100us")
    ok(late["answer"] == "nothing-late", "but not where it is less than half of an ordinary one", late.get("text"))
    none = explain(path, "--comm=filler")
    ok("answer" in none and none["answer"] == "nothing-recorded", "a choice without work: not enough was recorded", none)


def always(folder):
    """Each request waits: the explanation is all that it waited for."""
    t = Trace(busy=True)
    for i in range(50):
        at = 1000 + 30000 * i
        t.wake(at, 0, SERVER, context="hardirq")
        t.on(at, 0, SERVER)
        end = lateness.behind(t, at + 500) + WORK
        t.off(end, 0, SERVER, IDLE)
    answer = explain(t.write(folder, "always.fxt"))
    ok(answer["answer"] == "all-units" and top(answer) == ("neighbour", 1.0), "all requests wait behind a neighbour",
       (answer["answer"], top(answer)))


def woken_late(folder):
    """The server's CPU needs LATE to leave an idle state."""
    t = Trace()

    def state(at, number):
        t.step(at, 0, lambda f, ns: f.event(COUNTER, ns, 9, TRACK, "power", "cpu_idle", [("state", number)], extra=0))
    t.step(0, 0, lambda f, ns: f.event(INSTANT, ns, 0, 0, "fxtrec", "processor", [("cpu", Unsigned(0)), ("idle_states", "POLL C1 C6")]))
    for i in range(COUNT):
        at = 1000 + 30000 * i
        late = LATE if i % EACH == EACH - 1 else 0
        state(at - 500, 2)
        t.wake(at, 1, SERVER, target=0, context="hardirq")
        state(at + late, -1)
        t.on(at + late, 0, SERVER)
        t.off(at + late + WORK, 0, SERVER, IDLE)
    answer = explain(t.write(folder, "idle.fxt"))
    ok(top(answer) == ("late-on-idle-cpu", 1.0) and "after the state C6" in answer["findings"][0]["text"],
       "a CPU that leaves its idle state late", (top(answer), answer["findings"][:1]))


def two(folder):
    """Half of the late requests have one cause, half the other one: the slow ones are all late ones."""
    t = Trace()
    number = [0]

    def meet(at):
        number[0] += 1
        return lock(t, at) if number[0] % 2 else alone(t, at, LATE, reason(FSYNC, "file", 9, device=8 << 20 | 1), D)
    answer = explain(t.requests(meet).write(folder, "two.fxt"), "--slow=p90")
    shares = {f["finding"]: f["share"] for f in answer["findings"]}
    ok(abs(shares.get("lock", 0) - 0.5) < 0.02 and abs(shares.get("disk", 0) - 0.5) < 0.02, "two causes have half each", shares)


def rare(folder):
    """Fewer requests than the slowest percent are late."""
    t = Trace()
    path = t.requests(lambda at: lateness.behind(t, at), 1200, 300).write(folder, "rare.fxt")
    answer = explain(path)
    ok(top(answer) == ("neighbour", 1.0) and answer["slow_count"] == 4, "four late requests of 1200", (top(answer), answer.get("slow_count")))
    ok(explain(path, "--slow=p99", "--comm=server")["answer"] == "nothing-late", "--slow=p99 compares the slowest percent")
    t = Trace()
    answer = explain(t.requests(lambda at: lateness.behind(t, at, 2000), 1200, 300).write(folder, "rare.fxt"))
    ok(answer["answer"] == "nothing-late", "they are not late if that is less than 2 % of the time of all", answer.get("text"))


def quotas(folder):
    """The group that the kernel counts as throttled is named, whatever group the recorder found the process in."""
    def quota(t, at, group, throttled):
        t.event(at, 0, INSTANT, 0, "fxtrec", "quota", [("group", group), ("quota_ns", Unsigned(10)), ("period_ns", Unsigned(100)),
                                                       ("periods", Unsigned(at)), ("throttled", Unsigned(throttled)),
                                                       ("throttled_ns", Unsigned(throttled))])
    for counted, words in ((("/limited",), "of /limited"), (("/limited", "/other"), "of its control group"), ((), "of its control group")):
        t = Trace()
        for group in ("/limited", "/other", "/free"):
            quota(t, 5, group, 0)
        t.requests(lambda at: lateness.throttled(t, at))
        for group in ("/limited", "/other", "/free"):
            quota(t, t.now, group, 20 if group in counted else 0)
        text = explain(t.write(folder, "quotas.fxt"))["findings"][0]["text"]
        ok(text.endswith(words), f"throttled were {', '.join(counted) or 'none'}: the quota was used up {words}", text)


def marks(folder):
    """The durations of a mark; a timer in one of them is its cause."""
    f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
    f.named(SERVER, SERVER, "server", START - 100, leader=True)
    f.cpu(0)
    at = START
    f.switch(at, 0, 0, 120, 1, SERVER, 120)
    for i in range(40):
        f.event(BEGIN, at + 1000, SERVER, SERVER, "user", "job")
        at += 1000000
        if i % 10 == 9:
            f.switch(at, 0, SERVER, 120, 3, 0, 120, why=NAP)
            f.wakeup(at + 30000000, 0, SERVER, 120, context="hardirq")
            f.switch(at + 30000000, 0, 0, 120, 1, SERVER, 120)
            at += 30000000
        f.event(END, at, SERVER, SERVER, "user", "job")
    f.switch(at + 1000, 0, SERVER, 120, 3, 0, 120, why=IDLE)
    answer = explain(f.write(folder, "marks.fxt"), "--mark=job")
    ok(answer["unit"] == "mark" and answer["unit_count"] == 40 and top(answer) == ("timer", 1.0), "durations of a mark",
       (answer.get("unit_count"), top(answer)))


def texts(folder):
    t = Trace()
    path = t.requests(lambda at: lock(t, at)).write(folder, "text.fxt")
    text = tap.run([tap.FXTREC, "explain", path]).stdout
    ok("server: 199 requests of 1 thread" in text and "held by helper:12" in text and "fxtrec report --by=lock" in text
       and max(map(len, text.split("\n"))) < 110, "text names the lock, its holder, and a command", text)
    done = tap.run(["sh", "-c", next(line.strip() for line in text.split("\n") if "fxtrec report --by=lock" in line)
                    .replace("fxtrec", tap.FXTREC, 1)])
    ok(done.returncode == 0 and "futex" in done.stdout, "and the command runs", done.stdout + done.stderr)
    markdown = tap.run([tap.FXTREC, "explain", "--markdown", path]).stdout
    ok(markdown.count("\n|") >= 4 and "| 100 % |" in markdown, "markdown has a table", markdown)
    json_ = explain(path)
    page = os.path.join(folder, "text.html")
    tap.run([tap.FXTREC, "page", "-o", page, path])
    with open(page, encoding="utf-8") as f:
        block = re.search(r'id="explain"[^>]*>(.*?)</script>', f.read(), re.S)
    ok(block and json.loads(block[1].replace("\\u003c", "<"))["findings"] == json_["findings"], "a page has the same findings")
    ok(all(set(f) >= {"finding", "text", "share", "uncertainty", "ns", "advice", "command", "causes", "moments"}
           for f in json_["findings"]), "JSON has all members")


with tempfile.TemporaryDirectory() as folder:
    causes(folder)
    quiet(folder)
    always(folder)
    woken_late(folder)
    two(folder)
    rare(folder)
    quotas(folder)
    marks(folder)
    texts(folder)
tap.done()
