#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Commands that read a trace without a file: the one that record has left in the current folder, which they name."""
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from tap import FXTREC, fails, ok, run

RECORDING = os.path.join(HERE, "fuzz", "corpus", "fxt", "recording.fxt")
SAID = "fxtrec: trace.fxt: read, as no FILE is given\n"
# Each with what it needs besides a file.
COMMANDS = (["report"], ["explain"], ["timehist"], ["blame"], ["path", "--mark=x"], ["flame"], ["info"], ["dump"], ["check"],
            ["convert", "-o", "-", "--to=ftrace"], ["page", "-o", "-"], ["query", "SELECT count(*) FROM sched"])


def same(folder):
    """Without a file, a command does as with trace.fxt."""
    for command in COMMANDS:
        named = run([FXTREC, command[0], "trace.fxt", *command[1:]], cwd=folder)
        done = run([FXTREC, *command], cwd=folder)
        ok((done.returncode, done.stdout, done.stderr) == (named.returncode, named.stdout, SAID + named.stderr),
           f"{' '.join(command)}: of trace.fxt", (done.returncode, done.stderr))
    done = run([FXTREC, "open", "--page", "--ui=http://localhost"], cwd=folder)
    ok(done.stderr.startswith(SAID), "open: of trace.fxt", done.stderr)


def diff(folder):
    """The last two recordings."""
    fails(["diff"], 2, "not both of trace.fxt.old and trace.fxt here", "diff without the older recording", cwd=folder)
    shutil.copy(RECORDING, os.path.join(folder, "trace.fxt.old"))
    named, done = run([FXTREC, "diff", "trace.fxt.old", "trace.fxt"], cwd=folder), run([FXTREC, "diff"], cwd=folder)
    ok(done.returncode == 0 and done.stdout == named.stdout and "trace.fxt.old and trace.fxt" in done.stderr,
       "diff of the last two recordings", done.stderr)


def pages(folder):
    """A page has its trace's name, and one that is there is kept."""
    names = {"trace.fxt": "trace.html", "trace.fxt.old": "trace.fxt.html"}
    run(["sh", "-c", "gzip -c trace.fxt >a.b.fxt.gz; cp trace.fxt none; mkdir in.side; cp trace.fxt in.side/none"], cwd=folder)
    names.update({"a.b.fxt.gz": "a.b.html", "none": "none.html", "in.side/none": "in.side/none.html"})
    for name, page in names.items():
        done = run([FXTREC, "page", name], cwd=folder)
        with open(os.path.join(folder, page)) as f:
            ok(done.returncode == 0 and done.stderr.endswith(f"fxtrec: {page}: a page that shows it\n") and f.read().endswith("</html>\n"),
               f"page {name}: {page}", done.stderr)
    with open(os.path.join(folder, "trace.fxt")) as trace:
        done = run([FXTREC, "page", "-"], cwd=folder, stdin=trace)
    ok(done.returncode == 0 and "trace.html.old: the page that was there" in done.stderr and
       os.path.exists(os.path.join(folder, "trace.html.old")), "page of standard input: trace.html, and the one that was there is kept", done.stderr)
    done = run([FXTREC, "page", "-o", "trace.html"], cwd=folder)
    ok(done.returncode == 0 and "a page that" not in done.stderr and ".old" not in done.stderr, "page -o replaces a page that is named", done.stderr)
    os.mkdir(os.path.join(folder, "none.html.old"))
    done = run([FXTREC, "page", "none"], cwd=folder)
    ok(done.returncode == 1 and "none.html: the file that is there can't be kept" in done.stderr and
       os.path.getsize(os.path.join(folder, "none.html")) > 0, "page: one that can't be kept is not replaced", done.stderr)


def absent(folder):
    for command in COMMANDS:
        text = "no FILE before it, and no trace.fxt here" if command[0] == "query" else "no FILE, and no trace.fxt here"
        fails(command, 2, text, f"{command[0]} without a file, where none is", cwd=folder)


def documented():
    """The commands' help has the file in brackets, and so has the man page."""
    for command in [c[0] for c in COMMANDS] + ["open", "diff"]:
        usage = run([FXTREC, command, "--usage"]).stdout.split("Usage:")[1]
        with open(os.path.join(tap.TOP, "Documentation", "man", f"fxtrec-{command}.1.rst"), encoding="utf-8") as f:
            synopsis = f.read().split("SYNOPSIS")[1].split("DESCRIPTION")[0].replace("*", "")
        brackets = r"\[(FILE|IN)(\.\.\.)?\]|\[A B\]"
        ok(re.search(brackets, usage) and re.search(brackets, synopsis), f"{command}: a file may be left out", (usage, synopsis))


with tempfile.TemporaryDirectory() as folder:
    absent(folder)
    shutil.copy(RECORDING, os.path.join(folder, "trace.fxt"))
    same(folder)
    diff(folder)
    pages(folder)
documented()
tap.done()
