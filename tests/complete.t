#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Completion, as a user of each shell gets it: bash and zsh in a terminal, fish by its own command."""
import ctypes
import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import fxtmake
import tap
from tap import FXTREC, ok, run

SCRIPTS = os.path.join(tap.TOP, "scripts", "completions")
# A name that a shell must not take for a command.
HOSTILE = "$(id>x) 'a\""


class Shell:
    """An interactive shell in a terminal.  Control-G has it print the line that is typed, Control-T inserts all."""

    def __init__(self, command, setup, folder):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(folder)
            os.environ.update(PATH=os.path.dirname(FXTREC) + ":" + os.environ["PATH"], TERM="dumb", LC_ALL="C.UTF-8",
                              HOME=folder, ZDOTDIR=folder)
            os.execvp(command[0], command)
        self.type(setup + "\n")
        self.read("READY")

    def type(self, text):
        os.write(self.fd, text.encode())

    def read(self, pattern, seconds=600):
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.5)[0]:
                text += os.read(self.fd, 65536).decode(errors="replace")
            found = re.search(pattern, text)
            if found:
                return found
        raise TimeoutError(f"no {pattern} in {text!r}")

    def complete(self, line, key="\t"):
        """The line after a key."""
        self.type(line + key + "\a")
        done = self.read(r"LINE<((?:(?!>END).)*)>END")[1]
        self.type("\x15")
        return done

    def close(self):
        os.close(self.fd)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def said(*words):
    return [line.split("\t")[0] for line in run([FXTREC, "--complete", *words]).stdout.splitlines()]


def unprintable(folder):
    """
    A name with a line's end or an escape is none of those.  No thread has it but for the tool that reads it: the texts
    of tests that record the machine beside this one would have it, too.
    """
    path, comm = os.path.join(folder, "comm"), f"/proc/{os.getpid()}/task/{os.getpid()}/comm"
    mounted = ["unshare", "-rm", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh", path, comm,
               FXTREC, "--complete", "record", "--comm", "a"]
    found = []
    for name in b"a b", b"a\nb\x1b[31m":
        with open(path, "wb") as f:
            f.write(name + b"\n")
        done = run(mounted)
        if done.returncode:
            tap.skip("names of threads that no line can have", done.stderr)
            return
        found.append([w for w in done.stdout.split("\n") if w == "a b" or "\x1b" in w or w == "a"])
    ok(found == [["a b"], []], "but none with a line's end or an escape", found)


def of_file(folder):
    """Threads of the file on the line, or of trace.fxt here; of other recorders' files, too."""
    f = fxtmake.File().provider(1, "fxtrec").object(1, 40, "nginx", [("cgroup", "/web")])
    for tid, name in ((40, "nginx"), (41, "worker-10"), (42, "worker-9"), (43, "worker-9")):
        f.named(40, tid, name, leader=tid == 40)
    f.named(7, 7, "it's", leader=True).cpu(0).switch(1000, 0, 0, 0, 0, 40, 120).switch(2000, 0, 40, 120, 1, 0, 120)
    for name in "a.fxt", "trace.fxt":
        with open(os.path.join(folder, name), "wb") as out:
            out.write(f.data)
    run([FXTREC, "convert", "a.fxt", "-o", "a.json"], cwd=folder, check=True)
    there = os.getcwd()
    os.chdir(folder)
    for words in (["report", "a.fxt"], ["blame", "--time", "0,", "a.fxt"], ["report"], ["top", "a.fxt"], ["diff", "a.fxt"], ["path", "a.json"]):
        ok(said(*words, "--comm", "") == ["it's", "nginx", "worker-9", "worker-10"] and said(*words, "--comm=worker-1") == ["--comm=worker-10"]
           and said(*words, "-t", "") == ["7", "40", "41", "42", "43"] and said(*words, "-t", "7,4") == [f"7,{tid}" for tid in (40, 41, 42, 43)]
           and said(*words, "-p", "") == ["7", "40"], f"{' '.join(words)}: threads of the file",
           [said(*words, *more) for more in (("--comm", ""), ("--comm=worker-1",), ("-t", ""), ("-t", "7,4"), ("-p", ""))])
    ok(said("report", "a.fxt", "--cgroup", "") == ["/web"], "and its control groups", said("report", "a.fxt", "--cgroup", ""))
    with open("a.txt", "w") as out:
        out.write("nothing\n")
    for words in (["report", "none.fxt"], ["report", "a.txt"]):
        wanted = [] if words[1] == "a.txt" else ["7", "40"]
        ok(said(*words, "-p", "") == wanted, f"{' '.join(words)}: {len(wanted)} processes", said(*words, "-p", ""))
    ok(str(os.getpid()) in said("top", "-p", ""), "top without a file is live, whatever is there")
    ok(str(os.getpid()) in said("record", "-o", "a.fxt", "-p", ""), "as record is")
    os.chdir(there)


def tool(folder):
    """What the tool says: each option of each command, as --help has it."""
    commands = [w for w in said("") if not w.startswith("-")]
    ok(len(commands) > 15 and "record" in commands, "the commands are completed", commands)
    for command in commands:
        text = run([FXTREC, command, "--help"]).stdout
        helped = set(re.findall(r"(?m)^ {2,6}(?:-[\w?], )?(--[a-z-]+)", text)) | {"--version"}
        told = set(said(command, "--"))
        ok(told == helped, f"{command}: its options are those of --help", told ^ helped)
    events = said("record", "-e", "")
    first = next((i for i, event in enumerate(events) if ":" in event), len(events))
    ok(first > 5 and not [event for event in events[first:] if ":" not in event], "groups of events are before subsystems", events[:12])
    ok("irq" in said("record", "-e", "") and "irq,power" in said("record", "-e", "irq,po"), "groups of events, in lists, too")
    if os.path.exists("/sys/kernel/tracing/events/sched") and os.access("/sys/kernel/tracing/events", os.R_OK):
        ok("sched:sched_switch" in said("record", "--events=", ) or
           "--events=sched:sched_switch" in said("record", "--events=sched:sched_sw"), "tracepoints")
    ok({"fxt", "perfetto"} <= set(said("convert", "--to", "")) and said("convert", "--to=js") == ["--to=json", "--to=json-array"],
       "formats")
    ok(str(os.getpid()) in said("record", "-p", "") and f"1,{os.getpid()}" in said("record", "-t", f"1,{os.getpid()}"),
       "processes and threads")
    ok(said("record", "--backend=k") == ["--backend=kmod"] and said("report", "--by", "cg") == ["cgroup"], "words")
    ok(said("record", "--trigger", "") == ["log=", "latency>", "dsleep>"] and
       said("record", "--trigger=la") == ["--trigger=latency>"] and
       said("convert", "--system-events=") == ["--system-events=ftrace", "--system-events=fuchsia"], "kinds of triggers and of JSON")
    ok(said("help", "rec") == ["record"] and set(said("help", "")) == set(commands), "commands behind help")
    helped = run([FXTREC, "help", "record"])
    ok(helped.returncode == 0 and helped.stdout == run([FXTREC, "record", "--help"]).stdout, "and help has theirs", helped.stdout)
    ok(said("report", "--sort", "p9") == ["p90", "p99", "p999"] and "max" in said("top", "--sort", ""), "columns")
    ok(str(os.getpid()) in said("top", "-p", "") and said("report", "-p", "") == [],
       "processes for top, which can be live, and not for what reads a file")
    of_file(folder)
    paths = (("page", "-o"), ("record", "--page="), ("open", "--ui-dir"), ("convert", "-o"), ("top", "-o"))
    ok(all(said(command, option + "x") == ["*files"] if option.endswith("=") else said(command, option, "x") == ["*files"]
           for command, option in paths), "names of files and of directories, whatever the help calls them",
       [said(command, option, "x") for command, option in paths])
    ok(said("dump", "") == ["*files"] and said("record", "-o", "x") == ["*files"] and said("record", "--", "l") == ["*programs"],
       "files and programs are the shell's")
    behind = (("--", "cat", "t"), ("cat", "t"), ("-d", "1", "--backend=bpf", "cat", "--n"), ("-t", "1", "--", "cat", "--n"))
    ok(all(said("record", *words) == ["*files"] for words in behind) and said("record", "-d", "1", "t") == ["*programs"],
       "arguments of COMMAND are files, and no options of record", [said("record", *words) for words in behind])
    ctypes.CDLL(None).prctl(15, HOSTILE.encode())
    ok(HOSTILE in said("record", "--comm", "$"), "names of threads")
    unprintable(folder)
    root = "/sys/fs/cgroup"
    root = root if os.path.exists(root + "/cgroup.controllers") else root + "/unified"
    name = f"fxtrec-complete-{os.getpid()}"
    try:
        os.mkdir(os.path.join(root, name))
    except OSError as error:
        tap.skip("control groups", error)
        return
    alone = said("record", "--cgroup", name)
    os.mkdir(os.path.join(root, name, "inner"))
    ok(alone == [name] and sorted(said("record", "--cgroup", name)) == [name, name + "/"] and
       said("record", "--cgroup", name + "/") == [name + "/inner"], "control groups, and those in them", alone)
    for folder in (name + "/inner", name):
        os.rmdir(os.path.join(root, folder))


BASH = r"""PS1=; bind 'set bell-style none'; bind 'set show-all-if-ambiguous off'; bind 'set enable-bracketed-paste off'
bind -x '"\C-g": printf "LINE<%s>END\n" "$READLINE_LINE"'; bind '"\C-t": insert-completions'; . {}/bash; echo REA''DY"""

ZSH = r"""PS1=; unsetopt zle_bracketed_paste beep 2>/dev/null; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D
show() {{ print -r -- "LINE<$BUFFER>END" }}; zle -N show; bindkey '^G' show; bindkey '^I' complete-word; unsetopt prompt_sp list_ambiguous auto_list auto_menu; echo REA''DY"""


def lines(shell, name, folder):
    """What a line becomes by one key, in any shell."""
    for line, wanted in (
            ("fxtrec rec", "fxtrec record "),
            ("fxtrec record --back", "fxtrec record --backend "),
            ("fxtrec record --backend=b", "fxtrec record --backend=bpf "),
            ("fxtrec record -e irq,pow", "fxtrec record -e irq,power "),
            ("fxtrec record -eirq,pow", "fxtrec record -eirq,power "),
            ("fxtrec convert --to=perf", "fxtrec convert --to=perfetto "),
            ("fxtrec record --trigger=la", r"fxtrec record --trigger=latency\>"),
            ("fxtrec convert --system-events=fu", "fxtrec convert --system-events=fuchsia "),
            ("fxtrec help timeh", "fxtrec help timehist "),
            ("fxtrec info a-tr", "fxtrec info a-trace.fxt "),
            ("fxtrec page a-trace.fxt -o a-tr", "fxtrec page a-trace.fxt -o a-trace.fxt "),
            ("fxtrec record --output=a-tr", "fxtrec record --output=a-trace.fxt "),
            ("fxtrec record -- cat a-tr", "fxtrec record -- cat a-trace.fxt ")):
        done = shell.complete(line)
        ok(done.rstrip() == wanted.rstrip(), f"{name}: {line}<Tab>", done)


def bash(folder):
    shell = Shell(["bash", "--norc", "--noprofile", "-i"], BASH.format(SCRIPTS), folder)
    lines(shell, "bash", folder)
    done = shell.complete("fxtrec convert --to=js", "\x14")
    ok(done.split()[1:] == ["convert", "--to=json", "json-array"], "bash: all that a word can become", done)
    if os.access("/sys/kernel/tracing/events", os.R_OK):
        done = shell.complete("fxtrec record -e irq,sched:sched_swi")
        ok(done == "fxtrec record -e irq,sched:sched_switch ", "bash: a tracepoint, behind a comma and a colon", done)
        done = shell.complete("fxtrec record -e sched")
        ok(not done.endswith(" "), "bash: no space behind what goes on", done)
    typed = ("fxtrec record -d 1 --comm 'a b' --only-co", 'fxtrec record --comm="a b" --only-co',
             r"fxtrec record --comm a\ \'b --only-co")
    done = [shell.complete(line) for line in typed]
    ok(done == [line + "mmand " for line in typed], "bash: a quoted word with a space is one", done)
    ctypes.CDLL(None).prctl(15, b"complete 'me")
    done = [shell.complete("fxtrec record --comm " + word) for word in ("\"complete", "'complete", "complete")]
    ok(done == ["fxtrec record --comm " + word for word in ("\"complete", "'complete", r"complete\ \'me ")],
       "bash: in quotes a name that another quote is in isn't completed", done)
    ctypes.CDLL(None).prctl(15, b"complete me")
    done = [shell.complete("fxtrec record --comm" + word) for word in (" \"complete m", "='complete")]
    ok(done == ['fxtrec record --comm "complete me" ', "fxtrec record --comm='complete me' "],
       "bash: a name goes on in open quotes", done)
    ctypes.CDLL(None).prctl(15, HOSTILE.encode())
    done = shell.complete("fxtrec record --comm \\$")
    shell.type(f"set -- {done.split('--comm ', 1)[1]}; printf '%s' \"AGAIN<$1>\"; echo ''DONE\n")
    again = shell.read(r"(?s)AGAIN<(\$\(id>x[^<]*)>DONE")[1]
    ok(again == HOSTILE and not os.path.exists(os.path.join(folder, "x")),
       "bash: a thread's name is quoted: it is no command", (done, again))
    shell.close()


def zsh(folder):
    shutil.copy(os.path.join(SCRIPTS, "zsh"), os.path.join(folder, "_fxtrec"))
    with open(os.path.join(folder, ".zshrc"), "w", encoding="ascii") as f:
        f.write("")
    shell = Shell(["zsh", "-i"], ZSH.format(folder=folder), folder)
    lines(shell, "zsh", folder)
    shell.close()


def fish(folder):
    for line, wanted in (("fxtrec rec", "record"), ("fxtrec record -e irq,pow", "irq,power"),
                         ("fxtrec convert --to=perf", "--to=perfetto"), ("fxtrec record --trigger=la", "--trigger=latency>"), ("fxtrec info a-tr", "a-trace.fxt"),
                         ("fxtrec record --output=a-tr", "--output=a-trace.fxt")):
        done = run(["fish", "--no-config", "-c", f"source {SCRIPTS}/fish; complete -C '{line}'"], cwd=folder,
                   env={**os.environ, "PATH": os.path.dirname(FXTREC) + ":" + os.environ["PATH"], "HOME": folder})
        ok(wanted in [text.split("\t")[0] for text in done.stdout.splitlines()][:2], f"fish: {line}<Tab>",
           done.stdout + done.stderr)


with tempfile.TemporaryDirectory() as temporary:
    with open(os.path.join(temporary, "a-trace.fxt"), "wb"):
        pass
    tool(temporary)
    for each in (bash, zsh, fish):
        if shutil.which(each.__name__):
            each(temporary)
        else:
            tap.skip(each.__name__, "it isn't installed")
tap.done()
