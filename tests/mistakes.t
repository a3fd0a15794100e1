#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Mistakes of users who know perf, trace-cmd, bcc or Perfetto: each answer says what to type.

Each row is a command line, its exit status, and a part of the answer.  "mistakes.t --table" prints the rows with the whole
answers.
"""
import codecs
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap
from tap import FXTREC, ok, run

# Words of other tools, misspelled commands, and what is no command.
COMMANDS = """
script | type "fxtrec dump"
perf script | type "fxtrec dump"
stat | nothing is counted: no samples are taken
sched | type "fxtrec record", and then "fxtrec report"
sched record | type "fxtrec record"
sched latency | type "fxtrec report"
sched timehist | type "fxtrec timehist"
sched map | type "fxtrec page"
perf sched latency | type "fxtrec report"
trace-cmd extract | type "fxtrec snapshot"
trace-cmd start -e sched | type "fxtrec record"
latency | type "fxtrec report"
runqlat | type "fxtrec report"
trace | type "fxtrec record -e syscalls"
timechart | type "fxtrec page" or "fxtrec open"
start | "fxtrec record --flight"
stop | by Ctrl-C, by -d TIME
extract | type "fxtrec snapshot"
offcputime | "fxtrec record --stacks=all", and then "fxtrec flame"
trace_processor | type "fxtrec query"
traceconv | type "fxtrec convert"
annotate | no samples are taken
version | type "fxtrec --version"
recrod | did you mean "record"?
reprot | did you mean "report"?
timehst | did you mean "timehist"?
conv | did you mean "convert"?
trace.fxt | that is a file: "fxtrec report trace.fxt"
-d 5 | such as "fxtrec record -d"
nonsense | "fxtrec --help" lists them
"""
# Options and values.
OPTIONS = """
report -i trace.fxt | FILE is given without an option
dump -i trace.fxt | FILE is given without an option
report -s comm trace.fxt | --sort=COLUMN
report -h | --help
record -h | --help
report -n trace.fxt | --top=N prints the first N rows
blame -n 10 trace.fxt | --top=N prints the first N rows
report -g trace.fxt | stacks are in "fxtrec flame"
report --stdio trace.fxt | it is not needed: leave it out
report -o out.txt trace.fxt | it goes to standard output: ">FILE"
report -C0 --comms=web trace.fxt | --comm=NAME
report --since=1 trace.fxt | --time=FROM,TO
report --head=5 trace.fxt | --top=N
path -C 0 trace.fxt -t 1 | it is an option of report, blame, timehist, top and page
timehist --summary trace.fxt | sums are in "fxtrec report"
record -g -- true | --stacks records where threads sleep
record -F 99 -- true | no samples are taken
record -S -- true | --flight keeps the last moments
record --switch-output -- true | --rotate=LIMIT[:KEEP]
record --max-size=1G -- true | --size-limit=SIZE
record --timeout=5 | -d TIME
record -m 512 -- true | -b SIZE
report --totl trace.fxt --top=1 | did you mean --top?
report --csb trace.fxt | did you mean --csv?
report --sortt=run trace.fxt | did you mean --sort?
report --machin_e=1 trace.fxt | did you mean --machine?
record --duraton=5 | did you mean --duration?
report --by=threads trace.fxt | did you mean "thread"?
report --by=cmm trace.fxt | did you mean "comm"?
report --sort=wakup trace.fxt | did you mean "wakeups"?
blame --sort=waitd trace.fxt | did you mean "waited"?
blame -s waited trace.fxt | --sort=COLUMN
convert --to=jsn trace.fxt -o x | did you mean "json"?
report --from=1.5 trace.fxt | a time is chosen by --time=1.5,
record -e syscall -- true | did you mean "syscalls"?
record -e irqs -- true | did you mean "irq"?
record --backend=ebpf -- true | did you mean "bpf"?
record --clock=monotonic -- true | did you mean "mono"?
record --clock=boottime -- true | did you mean "boot"?
record --clock=sundial -- true | it is auto, mono, boot or tsc
record --clock=mon -- true | did you mean "mono"?
record -p nginx -d 1 | --comm=nginx chooses by name
record -t nginx -d 1 | --comm=nginx chooses by name
report -p nginx trace.fxt | --comm=nginx chooses by name
blame -t worker trace.fxt | --comm=worker chooses by name
record --flight --trigger=latency | an hour at most: a shell takes > for itself, so quote it: --trigger='latency>5ms'
record --flight --trigger=latncy=5ms | did you mean "latency"?
report --assert=run trace.fxt | a shell takes > for itself
report '--assert=wakup.p99 < 1ms' trace.fxt | did you mean "wakeup"?
query trace.fxt .tables | is a command of a shell for SQL: "SELECT * FROM pragma_table_info('sched')"
query .tables | is a command of a shell for SQL
query trace.fxt 'SHOW TABLES' | is a command of a shell for SQL
query trace.fxt some.sql | its text is SQL: "$(cat some.sql)"
query trace.fxt 'SELECT 1 FROM android_logs' | there are sched, thread_state,
query trace.fxt 'SELECT 1 FROM sched_slices' | did you mean "sched"?
query trace.fxt 'SELECT 1 FROM slices' | did you mean "slice"?
"""
# Choices that match nothing.
CHOICES = """
report -t 99 trace.fxt | -t 99 is the id of none: --comm=NAME chooses by name
blame -t 99 trace.fxt | -t 99 is the id of none
blame --sleep -t 99 trace.fxt | -t 99 is the id of none
timehist -t 99 trace.fxt | -t 99 is the id of none
path -t 99 trace.fxt | -t 99 is the id of none
page -t 99 trace.fxt -o - | -t 99 is the id of none
top --batch -t 99 trace.fxt | -t 99 is the id of none
diff -t 99 trace.fxt trace.fxt | -t 99 is the id of none
report -p 41 trace.fxt | -p 41 is a thread of process 40: -t 41
blame -t 60 trace.fxt | -t 60 is a process: -p 60
report --comm=web trace.fxt | there is web-worker-0, web-worker-1, web-worker-2 and others: --comm='web*'
blame --comm=web trace.fxt | --comm='web*'
timehist --comm=web trace.fxt | --comm='web*'
path --comm=web trace.fxt | --comm='web*'
report --comm=worker trace.fxt | --comm='*worker*'
report --comm=databse trace.fxt | there is database: --comm='database'
report --json --comm=WEB trace.fxt | --comm='web*'
report --comm=WORKER trace.fxt | --comm='*worker*'
report --comm=zzzzzz trace.fxt | "fxtrec report --by=comm" lists them
report --cgroup=x trace.fxt | "fxtrec report --by=cgroup" lists them
report -C 77 trace.fxt | -C 77: there is 0
blame -C 77 trace.fxt | -C 77: there is 0
timehist -C 77 trace.fxt | -C 77: there is 0
page -C 77 trace.fxt -o - | -C 77: there is 0
report -p 40 --comm=database trace.fxt | each option chooses some, and none is of all
"""


def rows(text):
    for line in text.strip().splitlines():
        line, _, wanted = line.rpartition(" | ")
        yield shlex.split(line), wanted


def answers(text, status, table):
    for words, wanted in rows(text):
        done = run([FXTREC, *words], cwd=FOLDER, stdin=subprocess.DEVNULL)
        said = " ".join(done.stderr.split())
        if table:
            print(f"{'fxtrec ' + shlex.join(words):58} {done.returncode}  {said.split(' Try `')[0]}")
        else:
            ok(done.returncode == status and wanted in said, f"fxtrec {shlex.join(words)}: {wanted}", (done.returncode, done.stderr))


def recording(path):
    """A process with four workers, 40 to 43, and another one, which run one after the other."""
    names = {40: "nginx", 41: "web-worker-0", 42: "web-worker-1", 43: "web-worker-2", 44: "web-worker-3", 50: "database", 61: "pool"}
    f = fxtmake.File().provider(1, "fxtrec")
    for tid, name in names.items():
        f.named({50: 50, 61: 60}.get(tid, 40), tid, name, leader=tid in (40, 50))
    f.cpu(0)
    before = 0
    for turn in range(3):
        for tid in names:
            f.switch(1000 * (1 + turn * len(names) + list(names).index(tid)), 0, before, 120 if before else 0, 0, tid, 120)
            before = tid
    with open(path, "wb") as out:
        out.write(f.data)


def heads():
    """Each head of the table's columns sorts as the column does."""
    table = run([FXTREC, "report", "trace.fxt"], cwd=FOLDER).stdout
    line = next(line for line in table.splitlines() if line.startswith("thread "))
    found = re.findall(r"(\S+)(?: (?:ms|us))?(?= |$)", line.removeprefix("thread").replace("max at s", ""))
    names = [name for name in found if name not in ("%", "ms", "us")]
    for name in names:
        for head in (name, name.upper()):
            done = run([FXTREC, "report", "--sort=" + head, "trace.fxt"], cwd=FOLDER)
            ok(done.returncode == 0, f"--sort={head}: a head of a column", done.stderr)
    ok(len(names) > 10, "the heads of columns", line)
    for head in "waited ms", "WAITED", "own %", "foreign", "longest ms":
        ok(run([FXTREC, "blame", "--sort=" + head, "trace.fxt"], cwd=FOLDER).returncode == 0, f"blame --sort={head}: a head of a column")
    for head in "asleep ms", "max ms", "times":
        ok(run([FXTREC, "blame", "--sleep", "--sort=" + head, "trace.fxt"], cwd=FOLDER).returncode == 0, f"blame --sleep --sort={head}")
    done = run([FXTREC, "report", "--sort=woken ms", "trace.fxt"], cwd=FOLDER)
    same = run([FXTREC, "report", "--sort=wait_wakeup", "trace.fxt"], cwd=FOLDER)
    ok(done.returncode == 0 and done.stdout == same.stdout, "--sort='woken ms': as wait_wakeup", done.stderr)


def documented():
    """Each word of fxtrec(1)'s table has its row's answer."""
    with open(os.path.join(tap.TOP, "Documentation", "man", "fxtrec.1.rst"), encoding="utf-8") as f:
        table = f.read().split("FROM OTHER TOOLS")[1].split("EXAMPLE")[0]
    found = 0
    for line in table.split("=\n")[3].splitlines():
        left, right = line[:51], line[51:]
        commands = re.findall(r"\*\*(fxtrec \w+)", right)
        for word in re.findall(r"\*\*([^*]+)\*\*", left):
            found += 1
            said = " ".join(run([FXTREC, *word.split()], cwd=FOLDER, stdin=subprocess.DEVNULL).stderr.split())
            # Commands with a name that this tool has, too, are taken for that.
            if word.split()[-1] in ("record", "report") and "sched" not in word:
                continue
            ok(any(command.removeprefix("fxtrec ") in said for command in commands), f"{word}: {commands}", said)
    ok(found > 10, "the words of fxtrec(1)", found)


def possible():
    """No command is answered with an option that it hasn't."""
    commands = [line.split()[0] for line in run([FXTREC, "--help"]).stdout.splitlines() if line.startswith("  ")]
    wrong, seen = [], 0
    for command in commands:
        has = set(re.findall(r"(?m)^ {2,6}(?:(-[\w?]), )?(--[a-z-]+)", run([FXTREC, command, "--help"]).stdout))
        has = {word for words in has for word in words} | {"--help"}
        for word in [*(f"-{letter}" for letter in "isngohCFjcfquvkexSwMD"), "--head", "--since", "--filter", "--group-by", "--min", "--pager"]:
            done = run([FXTREC, command, word], cwd=FOLDER, stdin=subprocess.DEVNULL) if word not in has else None
            said = re.match(r".*(?:invalid|unrecognized) option (?:-- )?'[^']*': (--?[a-zA-Z][a-z-]*)", done.stderr) if done else None
            seen += bool(said)
            if said and said[1] not in has:
                wrong.append((command, word, done.stderr))
    ok(not wrong and seen > 60, f"{seen} answers name options that the command has", (seen, wrong))


def shell():
    """What a shell makes of an unquoted >."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(["sh", "-c", f"{FXTREC} record --flight --trigger=latency>5ms"], cwd=folder)
        ok(done.returncode == 2 and "made the empty file 5ms" in " ".join(done.stderr.split()) and "quote it: --trigger='latency>5ms'" in
           " ".join(done.stderr.split()), "--trigger=latency>5ms without quotes", done.stderr)
        done = run(["sh", "-c", f"{FXTREC} report --assert=run>5% x.fxt"], cwd=folder)
        ok(done.returncode == 2 and "made the empty file 5%" in " ".join(done.stderr.split()), "--assert=run>5% without quotes", done.stderr)


EVENT = '{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}'
FTRACE = "# tracer: nop\n            bash-7     [000] d..3.   100.000001: sched_waking: comm=bash pid=8 prio=120 target_cpu=000\n"
# Files that are nearly traces: what they are called.
INPUTS = (
    ("utf16.json", f"[{EVENT}]".encode("utf-16"), "text in UTF-16: make it UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    ("utf16le.txt", FTRACE.encode("utf-16-le"), "text in UTF-16: make it UTF-8 first (iconv -f UTF-16LE -t UTF-8)"),
    ("utf16be.txt", FTRACE.encode("utf-16-be"), "iconv -f UTF-16BE"),
    ("utf32.json", f"[{EVENT}]".encode("utf-32"), "text in UTF-32: make it UTF-8 first"),
    ("comma.json", f"[,{EVENT}]".encode(), "a comma before the first element, which is not JSON: remove it"),
    ("comma2.json", f'{{"traceEvents":[,{EVENT}]}}'.encode(), "a comma with no value before it"),
    ("comment.json", f"// one\n[{EVENT}]".encode(), "it begins with a comment, which JSON does not have: remove it"),
    ("comment2.json", f"/* one */[{EVENT}]".encode(), "it begins with a comment"),
    ("comment3.json", f"[/* one */{EVENT}]".encode(), "a comment in JSON, which does not have any"),
    ("comment4.json", f'{{"traceEvents":[\n// one\n{EVENT}]}}'.encode(), "a comment, which JSON does not have: remove it"),
    ("quotes.json", b"{'traceEvents':[]}", "keys that are not in double quotes"),
    ("mark.txt", codecs.BOM_UTF8 + b"nothing\n", "text with a byte order mark, of no known format"),
    ("program", b"\x7fELF" + bytes(60), "a program (ELF), not a trace"),
    ("script", b"#!/bin/sh\n", "a script, not a trace"),
)


def inputs(table):
    for name, data, wanted in INPUTS:
        with open(os.path.join(FOLDER, name), "wb") as f:
            f.write(data)
        done = run([FXTREC, "report", name], cwd=FOLDER)
        if table:
            print(f"{'fxtrec report ' + name:58} {done.returncode}  {done.stderr.strip()}")
        else:
            ok(done.returncode == 1 and wanted in done.stderr and done.stderr.startswith(f"fxtrec: {name}: "), f"{name}: {wanted}", done.stderr)
    if table:
        return
    for name, text in (("mark.json", f"[{EVENT}]"), ("mark-ftrace.txt", FTRACE)):
        with open(os.path.join(FOLDER, name), "wb") as f:
            f.write(codecs.BOM_UTF8 + text.encode())
        done = run([FXTREC, "report", name], cwd=FOLDER)
        ok(done.returncode == 0 and not done.stderr, f"{name}: a byte order mark before UTF-8 is none of it", done.stderr)


def right():
    """What is right stays so: abbreviations, values that look like options, and what follows COMMAND or --."""
    for words in (["report", "--to=1", "trace.fxt"], ["report", "--time", "-1s,", "trace.fxt"], ["report", "-t40,41", "trace.fxt"],
                  ["report", "trace.fxt", "--js"], ["timehist", "-i", "trace.fxt"], ["report", "--", "trace.fxt"]):
        done = run([FXTREC, *words], cwd=FOLDER)
        ok(done.returncode == 0 and not done.stderr, f"fxtrec {shlex.join(words)} is right", done.stderr)
    for words in (["record", "./none", "-F", "99"], ["record", "--", "./none", "--sortt"]):
        done = run([FXTREC, *words], cwd=FOLDER)
        ok("./none: No such file" in done.stderr, f"fxtrec {shlex.join(words)}: options after COMMAND are its own", done.stderr)
    done = run([FXTREC, "-h"])
    ok(done.returncode == 0 and done.stdout == run([FXTREC, "--help"]).stdout, "fxtrec -h", done.stderr)


TABLE = sys.argv[1:] == ["--table"]
with tempfile.TemporaryDirectory() as FOLDER:
    recording(os.path.join(FOLDER, "trace.fxt"))
    with open(os.path.join(FOLDER, "some.sql"), "w") as f:
        f.write("SELECT 1\n")
    for text, status in ((COMMANDS, 2), (OPTIONS, 2), (CHOICES, 1)):
        answers(text, status, TABLE)
    inputs(TABLE)
    if not TABLE:
        heads()
        documented()
        possible()
        shell()
        right()
if not TABLE:
    tap.done()
