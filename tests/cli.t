#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What any user types, rightly and wrongly: one line for each mistake, and the right exit status."""
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from tap import FXTREC, fails, ok, run


def helps():
    for arguments in ([], ["record"], ["mark"], ["info"], ["explain"], ["report"], ["timehist"], ["blame"], ["path"], ["diff"], ["query"], ["flame"], ["page"], ["mcp"], ["gate"],
                      ["dump"], ["check"], ["convert"], ["snapshot"], ["list"], ["doctor"]):
        for option, wanted in (("--help", "Usage: fxtrec"), ("--version", "fxtrec ")):
            done = run([FXTREC] + arguments + [option])
            ok(done.returncode == 0 and done.stdout.startswith(wanted),
               " ".join(["fxtrec"] + arguments + [option]), done.stdout + done.stderr)
    fails(["recrod"], 2, 'no command "recrod"', "an unknown command")
    ok(run([FXTREC]).returncode == 2, "no command at all")


# A trace of a few events.
SAMPLE = os.path.join(HERE, "fuzz", "corpus", "ftrace", "recording.txt")

# Where each command stops in this test behind its options: at a file that isn't there, or at its help.
STOPS = {"info": ["none.fxt"], "explain": ["none.fxt"], "report": ["none.fxt"], "timehist": ["none.fxt"], "blame": ["none.fxt"],
         "path": ["none.fxt", "--mark=x"], "diff": ["none.fxt", "none.fxt"], "flame": ["none.fxt"],
         "query": ["none.fxt", "SELECT ts FROM sched"], "page": ["none.fxt", "-o", "x.html"], "open": ["none.fxt"],
         "convert": ["none.fxt", "-o", "x.json"], "dump": ["none.fxt"], "check": ["none.fxt"]}
# What an option takes, by the word of its help; the first that fits.
VALUES = {"FROM,TO": "0,1", "PID,...": "1", "TID,...": "1", "PID[,PID...]": "1", "TID[,TID...]": "1", "CPU,...": "0", "CPUS": "0", "GLOB,...": "x*", "SIZE": "1M",
          "SIZE[:N]": "4M", "LIMIT[:KEEP]": "1M:2", "LIMIT": "1M", "TIME": "1s", "LIST": "irq", "N": "1",
          "PERCENT": "5", "FIGURE<VALUE": "run < 5%", "IN=TIME": "none.fxt=1ms", "URL": "http://localhost",
          "DIR": ".", "PORT": "9002", "RECORDS": "9", "EVENT": "log=x", "ADDRESS": "127.0.0.1:9464", "FORMAT": "json",
          "OUT": "y.json", "COMMAND": "true", "PATH": "/", "CALL=CLASS": "poll=disk"}

COLUMNS = {"report": "run", "top": "run", "blame": "longest"}


def options_of(command):
    """As --help lists them: short or "", long, what it takes or "", and whether it may be left out."""
    rows = re.findall(r"(?m)^ {2,6}(?:(-[\w?]), )?(--[a-z-]+)(\S*)", run([FXTREC, command, "--help"]).stdout)
    return [(short, name, rest.strip("=") if rest[:1] != "[" else rest[2:-1], rest[:1] == "[") for short, name, rest in rows
            if name not in ("--help", "--usage", "--version")]


def ways_of(command, option):
    """All that a user can type for it."""
    short, name, value, optional = option
    value = COLUMNS.get(command) if value == "COLUMN" else VALUES.get(value, value.split("|")[0])
    ways = [[f"{name}={value}" if value else name]]
    if optional or not value:
        return ways + ([[name]] if optional else []) + ([[short]] if short else [])
    return ways + [[name, value]] + ([[short, value]] if short else [])


def refusals(command, folder):
    """Options of its help that it doesn't get past, and why."""
    wrong = []
    for option in options_of(command):
        tail = STOPS.get(command, ["--help"])
        if command == "page" and option[1] == "--output":
            tail = ["none.fxt"]
        if command == "top" and option[1] in ("--time", "--from"):
            tail = ["none.fxt"]
        for way in ways_of(command, option):
            done = run([FXTREC, command, *way, *tail], cwd=folder)
            if (done.returncode, "Usage:" in done.stdout) != ((0, True) if tail == ["--help"] else (1, False)) or \
               ("No such file" in done.stderr) != (tail != ["--help"]):
                wrong.append((way, done.returncode, done.stderr))
    return wrong


def options():
    """A command takes what its help lists, and its page has the same."""
    commands = [line.split()[0] for line in run([FXTREC, "--help"]).stdout.splitlines() if line.startswith("  ")]
    ok(len(commands) > 15 and not set(STOPS) - set(commands), "the commands", commands)
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            wrong, listed = refusals(command, folder), {o[:2] for o in options_of(command)}
            ok(not wrong, f"{command}: takes each of the {len(listed)} options that its help lists", wrong)
            with open(os.path.join(tap.TOP, "Documentation", "man", f"fxtrec-{command}.1.rst"), encoding="utf-8") as f:
                page = set(re.findall(r"(?m)^(?:(-\w), )?(--[a-z]+[a-z-]*)", f.read()))
            ok(page == listed, f"{command}: its man page has the same", page ^ listed)
            shown = " ".join(run([FXTREC, command, "--help"]).stdout.split())
            ok(("--spool-limit" in shown) == ("by default 256M and 100 times" in shown),
               f"{command}: the default of --spool-limit, if it has that", shown)


def pages():
    """man shows each page whole, whatever the terminal's width."""
    if not shutil.which("groff"):
        tap.skip("man pages as man shows them", "groff isn't installed")
        return
    done = run(["make", "-s", "-C", tap.TOP, "man"])
    cut = [(os.path.basename(path), width)
           for path in sorted(glob.glob(os.path.join(tap.TOP, "build", "man", "*"))) for width in (60, 80, 120, 200)
           if "discarded" in run(["groff", "-t", "-man", "-Tutf8", f"-rLL={width}n", path]).stderr]
    ok(done.returncode == 0 and not cut, "man pages are shown whole at any width", (done.stderr, cut))


def full():
    """What can't be written is a failure, said once, however the tool came to its end."""
    with open("/dev/full", "w") as nowhere:
        for arguments in ([], ["record"], ["flame"], ["list"], ["convert"]):
            for option in ("--help", "--version", "--usage") if arguments else ("--help", "--version", "-V", "help"):
                fails([*arguments, option], 1, "standard output: No space left on device",
                      " ".join(["fxtrec", *arguments, option]) + " to a full device", stdout=nowhere)
        for arguments in (["list"], ["doctor"], ["--complete", "re"]):
            fails(arguments, 1, "standard output: No space left on device", f"{arguments[0]} to a full device", stdout=nowhere)
    # As a shell that ignores SIGPIPE has it.
    left, right = os.pipe()
    os.close(left)
    done = run([FXTREC, "record", "--help"], stdout=right, restore_signals=False)
    os.close(right)
    ok((done.returncode, done.stderr) == (0, ""), "a reader that has left is no failure", (done.returncode, done.stderr))


def misuses():
    for arguments, text in (
            (["record", "-d", "soon"], "not a duration"),
            (["record", "-d", "0"], "not a duration"),
            (["record", "-b", "lots"], "not a size"),
            (["record", "-b", "1k"], "take from"),
            (["record", "-b", "4M:5"], "power of two"),
            (["record", "-b", "1T"], "take from"),
            (["record", "--backend=perf"], "auto, kmod or bpf"),
            (["record", "-e", "irq,none"], '"none" is no group of events ("fxtrec list" has them) and no subsystem:name, as sched:sched_switch'),
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
            (["record", "--rotate=1M", "-o", "x.1.y.json"], '"fxtrec convert x.1.y.0001.fxt -o x.1.y.0001.json"'),
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
            (["record", "--flight", "--trigger=dsleep>2h"], "TIME an hour at most"),
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
            (["record", "--comm="], "not a list of globs"),
            (["record", "--comm=[a"], "not a list of globs"),
            (["record", "--comm=" + "x" * 64], "longer than"),
            (["record", "--comm=make,sixteen_bytes_ab"], "no thread has a name so long"),
            (["record", "-a", "--comm=make"], "not with -p"),
            (["record", "--cgroup="], "no such cgroup"),
            (["record", "--cgroup=no/such"], "no such cgroup"),
            (["record", "--cgroup=/tmp"], "no such cgroup"),
            (["record", "--no-inherit"], "for chosen threads"),
            (["record", "--only-command"], "needs a COMMAND"),
            (["snapshot", "self"], "not a PID"),
            (["snapshot", "4294967297"], "not a PID"),
            (["record", "-o", ""], "an empty name"),
            (["snapshot", ""], "not a PID"),
            (["snapshot", str(2**32 + os.getpid())], "not a PID"),
            (["check", "--limit= -5", "none.fxt"], "not a number"),
            (["report", "--top= -5", "none.fxt"], "no number of rows"),
            (["top", "-n", " -5", "none.fxt"], "no number of seconds"),
            (["record", "--rotate=1m:+5", "-d", "soon"], "number of files"),
            (["record", "-b", "4M:"], "not a size, or a size and a number"),
            (["open", "--port=65536", "none.fxt"], "no port"),
            (["snapshot", "1", "2"], "one PID"),
            (["mark"], "no TEXT"),
            (["mark", "a", "b"], "one TEXT"),
            (["mark", "x" * 1001], "1 to 1000 bytes"),
            (["info", "a", "b"], "one FILE"),
            (["convert", "a", "-o", "b.fxt", "--split=x"], "neither a size"),
            (["convert", "a", "-o", "-", "--to=fxt", "--split=1s"], "give -o FILE"),
            *[([*command, "--time=" + text], wanted)
              for command in (["dump", "a"], ["info", "a"], ["convert", "a", "-o", "b.fxt"])
              for text, wanted in (("", "no FROM,TO"), ("soon", "no FROM,TO"), ("1,2,3", "no FROM,TO"),
                                   ("@1.5s", "no FROM,TO"), ("@1.0000000005", "no FROM,TO"),
                                   ("@18446744074.5", "or a number is too large"),
                                   ("2,1", "FROM is not before TO"),
                                   ("-1,-1s", "FROM is not before TO"), (",0", "FROM is not before TO"),
                                   ("@99999999999999999999,", "too large"))],
            (["query", "a"], "no SQL"),
            (["query", "a", "SELEKT"], "syntax error"),
            (["query", "SELECT 1", SAMPLE], f"{SAMPLE} is a file: no SQL behind FILE"),
            *[([*command, "pftrace"], "no format \"pftrace\": there are fxt, json, json-array, ")
              for command in (["report", "a", "--from"], ["convert", "a", "-o", "b", "-t"], ["open", "a", "--from"])],
            *[([command, "--sort=wait", "a"], "no column of that name: there are run, wait_wakeup, wait_preempted, ")
              for command in ("report", "top")],
            (["report", "-p", "self", "a"], "-p self: no list of numbers"),
            (["report", "--comm=", "a"], "--comm=: no list of names"),
            (["check"], "FILE")):
        fails(arguments, 2, text, "misused: " + " ".join(arguments)[:40])


def commands(folder):
    """What stands behind a COMMAND is for COMMAND, also without "--"."""
    for arguments in (["-o", "out"], ["-i"], ["-d", "soon"], ["-j8"], ["--no-marks", "--nonsense"]):
        fails(["record", "./no-such", *arguments], 1, "./no-such: No such file", "record: COMMAND " + " ".join(arguments), cwd=folder)
    fails(["record", "-d", "soon", "./no-such"], 2, "not a duration", "record: an option before COMMAND", cwd=folder)
    for arguments in (["--flight", "10s"], ["--stacks", "every"], ["-d", "1", "no-such.fxt"], ["--", "no-such"]):
        fails(["record", *arguments], 1, f"{arguments[-1]}: No such file or directory: it was taken for the COMMAND to run",
              "record: for what " + " ".join(arguments) + " is taken", cwd=folder)


def inputs(folder):
    """What is no trace: each command that reads one says so, in a line that names it."""
    for name, text in (("empty.fxt", ""), ("text.fxt", 20 * "this is not a trace, but text\n")):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    os.mkdir(os.path.join(folder, "folder.fxt"))
    for command, arguments in {**STOPS, "top": ["none.fxt", "--batch"]}.items():
        for name, said in (("none.fxt", "No such file"), ("empty.fxt", ""), ("text.fxt", ""), ("folder.fxt", "")):
            fails([command] + [a.replace("none.fxt", name) for a in arguments], 1, f"{name}: {said}", f"{command}: {name}", cwd=folder)
        if command not in ("open", "top"):
            fails([command], 2, "no ", f"{command}: no argument", cwd="/")
    for arguments in (["convert", "-o", "no/x.fxt"], ["convert", "--split=1M", "-o", "no/x.fxt"], ["page", "-o", "no/x.html"]):
        fails([arguments[0], SAMPLE, *arguments[1:]], 1, "No such file", " ".join(arguments) + ": a folder that isn't there", cwd=folder)
    with open("/dev/full", "w") as nowhere:
        for to in ("fxt", "json", "json-array", "ftrace", "html", "perfetto"):
            for out in ("/dev/full", "-"):
                fails(["convert", SAMPLE, "--to=" + to, "-o", out], 1, "No space left", f"convert: {to}, {out}: a full device", stdout=nowhere)
        fails(["page", SAMPLE, "-o", "-"], 1, "No space left", "page: a full device", stdout=nowhere)
        run([FXTREC, "convert", SAMPLE, "-o", "sample.fxt"], cwd=folder)
        for command in ("info", "dump", "check", "report", "timehist", "blame"):
            fails([command, "sample.fxt"], 1, "No space left", f"{command}: a full device", stdout=nowhere, cwd=folder)
        fails(["query", "sample.fxt", "SELECT ts FROM sched"], 1, "No space left", "query: a full device", stdout=nowhere, cwd=folder)
        fails(["diff", "sample.fxt", "sample.fxt"], 1, "No space left", "diff: a full device", stdout=nowhere, cwd=folder)
        fails(["top", "--batch", "sample.fxt"], 1, "No space left", "top: a full device", stdout=nowhere, cwd=folder)


def files(folder):
    path = os.path.join(folder, "text.fxt")
    with open(path, "w") as f:
        f.write("this is not a trace, but some text that is long enough to be one\n")
    for command in ("dump", "info", "check"):
        fails([command, os.path.join(folder, "none.fxt")], 1, "none.fxt: No such file",
              f"{command}: a missing file")
        fails([command, path], 1, "not an FXT file; \"fxtrec convert\" makes one", f"{command}: not an FXT file")
        fails([command, folder], 1, "a folder, not an FXT file; \"fxtrec convert\"", f"{command}: a folder")
        fails([command, "/dev/null"], 1, "/dev/null: not an FXT file: it is empty", f"{command}: an empty file")
    packed(folder)
    # A name with a line's end, an escape and a space, of a file with findings and without.
    name = "a\n\x1b[31m b.fxt"
    run([FXTREC, "convert", SAMPLE, "-o", name], cwd=folder)
    with open(os.path.join(folder, "cut" + name), "wb") as cut, open(os.path.join(folder, name), "rb") as whole:
        cut.write(whole.read()[:-4])
    for command, cuts in (("info", ""), ("check", ""), ("check", "cut")):
        said = run([FXTREC, command, cuts + name], cwd=folder).stdout
        ok(f'"{cuts}a\\n\\u001b[31m b.fxt"' in said and "\x1b" not in said and "\na" not in said,
           f"{command}: controls in a file's name are escaped", said)


def packed(folder):
    """What a packer made: each command names what unpacks it, and that works."""
    path = os.path.join(folder, "trace.fxt")
    run([FXTREC, "convert", SAMPLE, "-o", path], check=True)
    for program, suffix in (("gzip", "gz"), ("zstd", "zst")):
        if not shutil.which(program):
            tap.skip(f"packed by {program}", "it isn't installed")
            continue
        run([program, "-qk", path], check=True)
        for command in ("dump", "info", "check"):
            fails([command, f"{path}.{suffix}"], 1, f'packed by {program}: type "{program} -dc {path}.{suffix} | fxtrec',
                         f"{command}: packed by {program}")
            line = run([FXTREC, command, f"{path}.{suffix}"]).stderr.split('"')[1]
            done = run(["sh", "-c", line], env={**os.environ, "PATH": os.path.dirname(FXTREC) + ":" + os.environ["PATH"]})
            ok(line.endswith(f"fxtrec {command} -") and done.returncode == 0 and done.stdout, f"{command}: and so it is read",
               (line, done.stderr))
        for name in ("a b", "it's", "-n"):
            os.link(f"{path}.{suffix}", os.path.join(folder, f"{name}.{suffix}"))
            line = run([FXTREC, "info", "--", f"{name}.{suffix}"], cwd=folder).stderr.split('"')[1]
            done = run(["sh", "-c", line], cwd=folder,
                       env={**os.environ, "PATH": os.path.dirname(FXTREC) + ":" + os.environ["PATH"]})
            ok(done.returncode == 0 and done.stdout, f"{name}.{suffix}: the name is quoted", (line, done.stderr))


def links(folder):
    """What a link leads to is replaced, and the link stays; what standard output is, is written to."""
    real, sample = os.path.join(folder, "real.fxt"), os.path.join(folder, "sample.fxt")
    os.mkdir(os.path.join(folder, "own"))
    os.mkdir(os.path.join(folder, "shared"))
    os.chmod(os.path.join(folder, "shared"), 0o1777)
    run([FXTREC, "convert", SAMPLE, "-o", sample], check=True)
    with open(sample, "rb") as f:
        whole = f.read()
    os.symlink("../real.fxt", os.path.join(folder, "shared", "theirs.fxt"))
    for name, to in (("own/link.fxt", "../real.fxt"), ("own/dangling.fxt", "new.fxt"), ("own/two.fxt", "link.fxt"),
                     ("shared/link.fxt", "../real.fxt"), ("own/to-shared.fxt", "../shared/theirs.fxt")):
        with open(real, "wb") as f:
            f.write(b"old")
        os.symlink(to, os.path.join(folder, name))
        done = run([FXTREC, "convert", SAMPLE, "-o", name], cwd=folder)
        target = os.path.join(folder, os.path.dirname(name), to)
        with open(target, "rb") as f:
            got = f.read()
        if "shared" in name:
            ok(done.returncode == 1 and "not followed" in done.stderr and got == b"old", f"convert -o {name}: not followed", done.stderr)
        else:
            ok(done.returncode == 0 and got == whole and os.path.islink(os.path.join(folder, name)),
               f"convert -o {name}: what the link leads to", done.stderr)
    os.symlink("loop.fxt", os.path.join(folder, "own", "loop.fxt"))
    fails(["convert", SAMPLE, "-o", "own/loop.fxt"], 1, "Too many links", "convert -o LOOP", cwd=folder)
    with open(os.path.join(folder, "err"), "w+") as f:
        f.write("before\n")
        f.flush()
        done = subprocess.run([FXTREC, "convert", sample, "--to=json", "-o", "/proc/self/fd/2"], stderr=f)
        f.seek(0, os.SEEK_END)
        ok(done.returncode == 0 and f.tell() > 1000, "convert -o of an open descriptor's file: that one is written to", f.tell())
    done = run(["sh", "-c", f"{FXTREC} convert {SAMPLE} --to=json -o /proc/self/fd/1 >&-"])
    ok(done.returncode == 1 and done.stderr, "convert -o /proc/self/fd/1 >&-: nothing is there to be written to", done.stderr)
    os.symlink("/proc/self/fd/1", os.path.join(folder, "standard"))
    for command, begin in (["convert", "--to=json"], b"{"), (["page"], b"<!DOCTYPE html>"), (["convert", "--to=fxt"], whole[:8]):
        for standard in "/proc/self/fd/1", "out", "standard":
            out = os.path.join(folder, "out")
            with open(out, "wb") as f:
                f.write(b"before")
                f.flush()
                done = subprocess.run([FXTREC, *command, sample, "-o", standard], cwd=folder, stdout=f, stderr=subprocess.PIPE)
            with open(out, "rb") as f:
                ok(done.returncode == 0 and f.read().startswith(b"before" + begin) and
                   os.path.islink(os.path.join(folder, "standard")), f"{' '.join(command)} -o {standard} > out: to standard output", done.stderr)


def padded(folder):
    """gzip's file in whole blocks, as a tape has it."""
    path = os.path.join(folder, "padded.gz")
    run([FXTREC, "convert", SAMPLE, "-o", path[:-3] + ".fxt"], check=True)
    with open(path[:-3] + ".fxt", "rb") as f:
        whole = gzip.compress(f.read())
    for what, more in ("zeros", bytes(200000)), ("zeros and a member", bytes(100) + gzip.compress(b"")), ("others", b"\0\0x"):
        with open(path, "wb") as f:
            f.write(whole + more)
        done = run([FXTREC, "report", "--strict", path])
        ok((done.returncode == 0 and not done.stderr) == (what != "others"), f"gzip: {what} behind its end", done.stderr)


def core(folder):
    """The smaller executable alone, as the package fxtrec-core has it: what it lacks, it names the package of."""
    missing = "is in the package fxtrec, which is not installed"
    alone = shutil.copy(FXTREC, os.path.join(folder, "core"))
    os.mkdir(os.path.join(folder, "lttng"))
    run([FXTREC, "convert", SAMPLE, "-o", "x.pftrace"], cwd=folder, check=True)
    with open(os.path.join(folder, "trace.dat"), "wb") as f:
        f.write(b"\x17\x08Dtracing6\0\0\x08" + bytes(64))
    for name in ("x.pftrace", "trace.dat", "lttng"):
        for arguments in (["report", name], ["convert", name, "-o", "y.json"]):
            done = run([alone] + arguments, cwd=folder)
            ok((done.returncode, done.stdout) == (1, "") and re.fullmatch(rf"fxtrec: {name}: .* {missing}\n", done.stderr),
               f"without fxtrec-larger: {' '.join(arguments)}", done.stderr)
    for arguments in (["top", SAMPLE], ["page", SAMPLE], ["convert", SAMPLE, "-o", "y.pftrace"], ["record", "-o", "y.pftrace", "true"],
                      ["record", "--page=y.html", "true"]):
        done = run([alone] + arguments, cwd=folder)
        ok(done.returncode in (1, 2) and missing in done.stderr and not os.path.exists(os.path.join(folder, "y.pftrace")),
           f"without fxtrec-larger: {' '.join(arguments)}", done.stderr)


def limits(folder):
    """A file beyond the greatest size is an error; a reference to what isn't there is counted, or one of --strict."""
    done = run(["sh", "-c", f"ulimit -f 1; exec {FXTREC} convert {SAMPLE} -o x.json"], cwd=folder)
    ok(done.returncode == 1 and "x.json: File too large" in done.stderr and not os.listdir(folder), "convert beyond ulimit -f", done.stderr)
    damaged = os.path.join(HERE, "fuzz", "corpus", "fxt", "recording.fxt")
    fails(["report", "--strict", damaged], 1, "a reference to a string or a thread that isn't there", "report --strict: a lost thread")
    done = run([FXTREC, "report", damaged])
    ok(done.returncode == 0 and "2 records with references to what isn't there" in done.stderr, "report: two of them", done.stderr)


helps()
options()
pages()
full()
misuses()
with tempfile.TemporaryDirectory() as temporary:
    files(temporary)
with tempfile.TemporaryDirectory() as temporary:
    inputs(temporary)
    commands(temporary)
with tempfile.TemporaryDirectory() as temporary:
    os.chmod(temporary, 0o755)
    links(temporary)
    padded(temporary)
with tempfile.TemporaryDirectory() as temporary:
    limits(temporary)
with tempfile.TemporaryDirectory() as temporary:
    # The sanitized one is the larger one.
    if not tap.SANITIZED:
        core(temporary)
tap.done()
