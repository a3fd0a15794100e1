#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""gate: verdicts about stored results, their exit status, and each output: text, JSON, JUnit XML, annotations."""
import json
import os
import random
import re
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from tap import FXTREC, fails, ok, run

COUNT = 64
CASES = (
    # name, ratio of the CPU time, foreign share of some runs, number of these, yardstick, exit status, answer
    ("same", 1.0, 0, 0, 1, 0, "same"), ("slower", 1.05, 0, 0, 1, 3, "slower"), ("faster", 0.9, 0, 0, 1, 0, "same"),
    ("near", 1.02, 0, 0, 1, 0, "unsure"), ("crowded", 1.0, 0.5, COUNT, 1, 0, "same"), ("slower-crowded", 1.05, 0.5, COUNT, 1, 3, "slower"),
    ("disturbed", 1.05, 0.95, 40, 1, 4, "invalid"), ("some-disturbed", 1.05, 0.95, 20, 1, 3, "slower"))


def results(seed, ratio=1.0, share=0.0, disturbed=0, yardstick=1.0):
    """Runs of 20 ms with 1 % of noise."""
    chance, runs = random.Random(seed), []
    for i in range(COUNT):
        own = int(2e7 * ratio * chance.lognormvariate(0, 0.01))
        queue = int(own * share / (1 - share)) if i < disturbed else 10_000
        runs.append({"wall_ns": own + queue, "cpu_ns": own, "own_ns": own, "ran_ns": own, "queue_ns": queue,
                     "yardstick_ns": int(2e6 * yardstick * chance.lognormvariate(0, 0.002)), "later_version": {"x": [1, {}]}})
    return runs


def write(folder, name, runs, against=()):
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        json.dump({"version": 1, "unknown": [{"cpu_ns": 1}], "runs": runs, "against": list(against)}, out)
    return path


def gate(*arguments, **options):
    done = run([FXTREC, "gate", *arguments], **options)
    return done.returncode, done.stdout, done.stderr


def judge(folder):
    before = results(1)
    baseline = write(folder, "before.json", before)
    for name, ratio, share, disturbed, yardstick, status, answer in CASES:
        after = results(2, ratio, share, disturbed, yardstick)
        alone, turns = write(folder, name + ".json", after), write(folder, name + "-turns.json", after, before)
        for way, said in (("against a stored baseline", gate("--json", "--results=" + alone, "--baseline=" + baseline)),
                          ("in turn", gate("--json", "--results=" + turns))):
            got = json.loads(said[1])
            ok((said[0], got["answer"], said[2]) == (status, answer, ""), f"{name}, {way}: {answer}, exit {status}", said[1][:700])
            ok(len(got["runs"]) == COUNT and got["disturbed_count"] == (disturbed if share > 0.9 else 0), f"{name}, {way}: all runs", said[1][:700])
        text = gate("--results=" + turns)
        ok(text[0] == status and text[1].splitlines()[0] == got["text"], f"{name}: the text starts with the same sentence", (got["text"], text))
    slow = write(folder, "slow-machine.json", results(3, 1.2, yardstick=1.2))
    said = gate("--results=" + slow, "--baseline=" + baseline)
    ok(said[0] == 4 and said[1].startswith("invalid, try again: the machine itself was 20."), "a slower machine: invalid, exit 4", said)
    fast = write(folder, "fast-machine.json", results(3, 0.8, yardstick=0.8))
    said = gate("--results=" + fast, "--baseline=" + baseline)
    ok(said[0] == 4 and re.match(r"invalid, try again: the machine itself was (19.9|20.0|20.1) % faster", said[1]), "a faster machine: invalid", said)
    said = gate("--results=" + write(folder, "slowish.json", results(4, 1.1, yardstick=1.1)), "--baseline=" + baseline)
    ok(said[0] == 0 and re.match(r"not shown to be slower: .*; the machine itself was (9.9|10.0|10.1) % slower", said[1]),
       "a machine that is slower by 10 %: not sure", said)
    change = json.loads(gate("--json", "--results=" + os.path.join(folder, "slower-turns.json"))[1])["changes"]["cpu_ns"]
    ok(0.02 < change["low"] < 0.05 < change["high"] < 0.07, "the bounds hold the change", change)
    ok(gate("--limit=10", "--results=" + os.path.join(folder, "slower-turns.json"))[0] == 0, "--limit=10 accepts 5 %")
    ok(gate("--foreign=40", "--results=" + os.path.join(folder, "crowded-turns.json"))[0] == 4, "--foreign=40 leaves out runs with 50 %")
    sessions = os.path.join(folder, "sessions")
    os.mkdir(sessions)
    for i in range(8):
        write(sessions, f"{i}.json", results(10 + i, 1 + 0.02 * (i % 3)))
    write(sessions, "other.txt", [])
    for ratio, answer in ((1.06, "unsure"), (1.3, "slower")):
        said = gate("--json", "--results=" + write(folder, "now.json", results(20, ratio)), "--baseline=" + sessions)
        ok(json.loads(said[1])["answer"] == answer, f"a folder of sessions that differ by 2 %: {ratio} is {answer}", said[1][:600])
    said = gate("--results=" + baseline)
    ok(said[0] == 0 and said[1].startswith("measured: own CPU time 19."), "without a baseline: measured", said)


def outputs(folder):
    hostile = write(folder, "a,b:<c>&\"%\x07.json", results(2, 1.05), results(1))
    junit = os.path.join(folder, "junit.xml")
    said = gate("--results=" + hostile, "--junit=" + junit, "--annotations=github", "--save=" + os.path.join(folder, "again.json"))
    suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
    case, line = suite.find("testcase"), said[1].splitlines()[-1]
    ok(said[0] == 3 and suite.get("failures") == "1" and case.find("failure").get("message") == case.find("failure").text
       == said[1].splitlines()[0], "JUnit XML: a failure with the sentence, as attribute and as text", (said, open(junit).read()))
    ok("a,b:<c>&\"%" in case.get("name"), "JUnit XML: the name is escaped", case.get("name"))
    ok(re.fullmatch(r"::error title=fxtrec gate%3A [^:,\n]*a%2Cb%3A<c>&[^:,\n]*%25[^:,\n]*::slower: own .*%25 .*", line),
       "GitHub: an error with its escapes", line)
    again = json.load(open(os.path.join(folder, "again.json")))
    ok(again["answer"] == "slower" and len(again["against"]) == COUNT and gate("--results=" + os.path.join(folder, "again.json"))[0] == 3,
       "--save writes results that --results reads", again["text"])
    for name, status, severity in (("slower-turns", 3, "major"), ("disturbed-turns", 4, "info"), ("same-turns", 0, None)):
        said = gate("--results=" + name + ".json", "--annotations=gitlab", "--junit=" + junit, cwd=folder)
        report, case = json.load(open(os.path.join(folder, "gl-code-quality-report.json"))), xml.etree.ElementTree.parse(junit).getroot()
        ok(said[0] == status and [entry["severity"] for entry in report] == ([severity] if severity else []), f"GitLab: {name}", report)
        ok(all(entry["description"] == said[1].splitlines()[0] and entry["check_name"] == "fxtrec-gate" and entry["fingerprint"]
               and entry["location"] == {"path": name + ".json", "lines": {"begin": 1}} for entry in report), f"GitLab: {name}: its members", report)
        ok(case.find("testsuite").get("errors") == str(int(status == 4)), f"JUnit XML: {name}: errors", open(junit).read())


def mistakes(folder):
    for text, why in (("{", "it is not JSON"), ("[]", "it has no runs"), ('{"runs": 5}', "it has no runs"), ('{"runs": [', "it is not JSON")):
        path = os.path.join(folder, "wrong.json")
        with open(path, "w") as out:
            out.write(text)
        said = gate("--results=" + path)
        ok(said[0] == 1 and said[2].startswith(f"fxtrec: {path}: {why}"), f"{text}: {why}", said)
    odd = write(folder, "odd.json", results(1), results(2)[1:])
    ok(gate("--results=" + odd)[2] == f"fxtrec: {odd}: the runs in turn are no pairs\n", "runs in turn that are no pairs")
    os.mkdir(os.path.join(folder, "empty"))
    ok("it has no *.json" in gate("--results=" + odd, "--baseline=" + os.path.join(folder, "empty"))[2], "a folder without results")
    for arguments in ([], ["--limit=0", "true"], ["--limit=x", "true"], ["--foreign=101", "true"], ["--runs=0", "true"], ["--runs=5000", "true"],
                      ["--seconds=x", "true"], ["--annotations=x", "true"], ["--json", "--annotations=github", "true"],
                      ["--results=x", "true"], ["--against=x", "--baseline=y", "true"]):
        said = gate(*arguments)
        ok(said[0] == 2 and not said[1], f"{' '.join(arguments) or 'no argument'}: misused", said)


with tempfile.TemporaryDirectory() as folder:
    judge(folder)
    outputs(folder)
    mistakes(folder)
tap.done()
