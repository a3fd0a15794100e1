#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What any user types, rightly and wrongly: one line for each mistake, and the right exit status."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from tap import FXTREC, fails, ok, run


def helps():
    for arguments in ([], ["record"], ["mark"], ["info"], ["report"], ["timehist"], ["blame"], ["path"], ["diff"], ["query"], ["flame"], ["page"],
                      ["dump"], ["check"], ["convert"], ["snapshot"], ["list"], ["doctor"]):
        for option, wanted in (("--help", "Usage: fxtrec"), ("--version", "fxtrec ")):
            done = run([FXTREC] + arguments + [option])
            ok(done.returncode == 0 and done.stdout.startswith(wanted),
               " ".join(["fxtrec"] + arguments + [option]), done.stdout + done.stderr)
    fails(["recrod"], 2, 'no command "recrod"', "an unknown command")
    ok(run([FXTREC]).returncode == 2, "no command at all")


def misuses():
    for arguments, text in (
            (["record", "-d", "soon"], "not a duration"),
            (["record", "-d", "0"], "not a duration"),
            (["record", "-b", "lots"], "not a size"),
            (["record", "-b", "1k"], "take from"),
            (["record", "-b", "4M:5"], "power of two"),
            (["record", "-b", "1T"], "take from"),
            (["record", "--backend=perf"], "auto, kmod or bpf"),
            (["record", "-e", "irq,none"], '"none" is no group of events'),
            (["record", "-e", ""], "no group of events"),
            (["record", "-e", "irq:"], "no group of events"),
            (["record", "-e", ":x"], "no group of events"),
            (["record", "-e", "a:../b"], "no group of events"),
            (["record", "--stacks=some"], '--stacks takes only "all"'),
            (["doctor", "me"], "Too many arguments"),
            (["list", "irq"], "Too many arguments"),
            (["record", "--clock=sundial"], "auto, mono, boot or tsc"),
            (["record", "--nonsense"], "nonsense"),
            (["record", "--size-limit=big"], "not a size"),
            (["record", "--flush=1ms"], "10ms or more"),
            (["record", "--delay=later"], "not a duration"),
            (["record", "--rotate=10"], "neither a size"),
            (["record", "--rotate=0s"], "neither a size"),
            (["record", "--rotate=1s:0"], "KEEP is a number"),
            (["record", "--rotate=1s:x"], "KEEP is a number"),
            (["record", "--rotate=1M", "-o", "-"], "not with -o -"),
            (["record", "--rotate=1M", "-o", "a.b/x.json"], '"fxtrec convert a.b/x.0001.fxt -o a.b/x.0001.json"'),
            (["record", "--rotate=1M", "-o", "x.fxt.zst"], '"fxtrec convert x.0001.fxt -o x.0001.fxt.zst"'),
            (["record", "--flight", "-o", "x.pftrace"], "--flight writes files of FXT: give -o x.fxt"),
            (["record", "--flight=x"], "not a duration"),
            (["record", "--flight", "-o", "-"], "not with -o -"),
            (["record", "--flight", "--rotate=1s"], "not with --rotate"),
            (["record", "--trigger=log=x"], "give --flight"),
            (["record", "--flight", "--trigger=moon"], "it is log=GLOB"),
            (["record", "--flight", "--trigger=latency"], "it is log=GLOB"),
            (["record", "--flight", "--trigger=latency>"], "it is log=GLOB"),
            (["record", "--flight", "--trigger=latency>0"], "it is log=GLOB"),
            (["record", "--flight", "--trigger=latency>soon"], "it is log=GLOB"),
            (["record", "--flight", "--trigger=dsleep>2h"], "it is log=GLOB"),
            (["record", "--flight"] + 17 * ["--trigger=log=x"], "one too many"),
            (["record", "--trigger=latency>5ms"], "give --flight"),
            (["record", "--after=x"], "not a duration"),
            (["record", "--after=1"], "give --flight"),
            (["record", "--keep=2"], "give --flight"),
            (["record", "--flight", "--keep=0"], "number of files"),
            (["record", "-p", ""], "not a list of process ids"),
            (["record", "-p", "1,"], "not a list of process ids"),
            (["record", "-p", "self"], "not a list of process ids"),
            (["record", "-p", "4194303"], "no process 4194303"),
            (["record", "-t", "-1"], "not a list of thread ids"),
            (["record", "-t", "4194304"], "not a list of thread ids"),
            (["record", "-t", "1,4194303"], "no thread 4194303"),
            (["record", "-C", ""], "not a list of CPUs"),
            (["record", "-C", "1-0"], "not a list of CPUs"),
            (["record", "-C", "0-"], "not a list of CPUs"),
            (["record", "-C", "0,4095"], "no CPU 4095"),
            (["record", "-C", "9999"], "not a list of CPUs"),
            (["record", "--comm="], "not a glob"),
            (["record", "--comm=[a"], "not a glob"),
            (["record", "--comm=" + "x" * 64], "longer than"),
            (["record", "--cgroup="], "no such cgroup"),
            (["record", "--cgroup=no/such"], "no such cgroup"),
            (["record", "--cgroup=/tmp"], "no such cgroup"),
            (["record", "--no-inherit"], "for chosen threads"),
            (["record", "--only-command"], "needs a COMMAND"),
            (["snapshot", "self"], "not a PID"),
            (["snapshot", "1", "2"], "one PID"),
            (["mark"], "no TEXT"),
            (["mark", "a", "b"], "one TEXT"),
            (["mark", "x" * 1001], "1 to 1000 bytes"),
            (["dump"], "no FILE"),
            (["info", "a", "b"], "one FILE"),
            (["convert", "a", "-o", "b.fxt", "--split=x"], "neither a size"),
            (["convert", "a", "-o", "-", "--to=fxt", "--split=1s"], "give -o FILE"),
            *[([*command, "--time=" + text], wanted)
              for command in (["dump", "a"], ["info", "a"], ["convert", "a", "-o", "b.fxt"])
              for text, wanted in (("", "no FROM,TO"), ("soon", "no FROM,TO"), ("1,2,3", "no FROM,TO"),
                                   ("@1.5", "no FROM,TO"), ("2,1", "FROM is not before TO"),
                                   ("-1,-1s", "FROM is not before TO"), (",0", "FROM is not before TO"),
                                   ("@99999999999999999999,", "too large"))],
            (["query", "a"], "no SQL"),
            (["query", "a", "SELEKT"], "syntax error"),
            (["check"], "FILE")):
        fails(arguments, 2, text, "misused: " + " ".join(arguments)[:40])


def files(folder):
    path = os.path.join(folder, "text.fxt")
    with open(path, "w") as f:
        f.write("this is not a trace, but some text that is long enough to be one\n")
    for command in ("dump", "info", "check"):
        fails([command, os.path.join(folder, "none.fxt")], 1, "none.fxt: No such file",
              f"{command}: a missing file")
        fails([command, folder], 1, "Is a directory", f"{command}: a directory")
        fails([command, path], 1, "not an FXT file", f"{command}: not an FXT file")


helps()
misuses()
with tempfile.TemporaryDirectory() as temporary:
    files(temporary)
tap.done()
