#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a user types to record, rightly and wrongly: one line for each mistake, and the right exit status."""
import contextlib
import glob
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import ftrace
import judge
import recorder
import tap
from tap import FXTREC, fails, ok, run


def no_tracefs():
    said = run(["unshare", "--mount", "sh", "-c", f"umount {ftrace.TRACEFS}; exec {FXTREC} record --no-marks -e mm"])
    ok(said.returncode == 1 and "mount -t tracefs" in said.stderr and said.stderr.count("\n") == 1,
       "where tracefs isn't mounted it says how to", (said.returncode, said.stderr))


def files(folder):
    fails(["record", "-d", "0.2", "--backend=bpf", "-o", os.path.join(folder, "no", "where.fxt")], 1,
          "No such file", "record: a folder that isn't there")
    for name in (folder, folder + "/"):
        fails(["record", "-d", "0.2", "--backend=bpf", "-o", name], 1, name + ": Is a directory",
              "record: a directory in a file's place")
    fails(["record", "-d", "0.2", "--backend=kmod"], 1,
          "fxtrec.ko" if os.path.exists("/proc/modules") else "this kernel loads no modules", "record: no module") \
        if not os.path.exists("/dev/fxtrec") else tap.skip("record: no module", "it is loaded")
    fails(["record", "-d", "0.2", "--backend=bpf", "--clock=tsc"], 1, "time-stamp counter",
          "record: eBPF has no tsc")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.2", "-o", "-"], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    ok(done.returncode == 1 and "No space left" in done.stderr, "record: a full disk", done.stderr)
    done = run(["sh", "-c", f"{FXTREC} record --no-marks --backend=bpf -d 5 -o - | head -c 10 >/dev/null"])
    ok("Broken pipe" in done.stderr, "record: a reader that goes away ends it", done.stderr)


def page(folder):
    """--page makes a page of the recording, and nothing of a page that can't be made is left."""
    path, command = os.path.join(folder, "paged.x.fxt"), [FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.2"]
    done = run([*command, "--page", "-o", path])
    with open(os.path.join(folder, "paged.x.html"), encoding="utf-8") as f:
        text = f.read()
    ok(done.returncode == 0 and "paged.x.html: a page" in done.stderr and '"backend":"bpf"' in text and text.endswith("</html>\n"),
       "record: --page", done.stderr)
    os.unlink(path)
    done = run([*command, "--explain", "-o", path])
    ok(done.returncode == 0 and ("within" in done.stdout or "Not enough was recorded" in done.stdout), "record: --explain", done.stdout)
    done = run([*command, "--page=/dev/full", "-o", path, "--", "true"])
    ok(done.returncode == 1 and "/dev/full: No space left" in done.stderr and os.path.exists(path),
       "record: a page that can't be written fails, and leaves the recording", done.stderr)
    os.unlink(path)
    for wrong, options in (("no/where.html: No such file", [f"--page={folder}/no/where.html", "-o", path]),
                           ("a.json: Is a directory", ["-o", os.path.join(folder, "a.json")])):
        os.makedirs(os.path.join(folder, "a.json"), exist_ok=True)
        done = run([*command, *options])
        ok(done.returncode == 1 and wrong in done.stderr and not os.path.exists(path),
           f"record: {wrong}: said before anything is recorded", done.stderr)
    done = run([*command, "--page", "-o", os.path.join(folder, "same.html"), "--", "true"])
    ok(done.returncode == 1 and "--page=PAGE gives another one" in done.stderr, "record: a page of the recording's name", done.stderr)
    unread_page(folder, [*command, "-o", path], path)
    path = os.path.join(folder, "unread.json")
    unread_page(folder, [*command, "-o", path], path)


def unread_page(folder, command, path):
    """A signal ends the making of a page, and leaves what it is of: it is whole."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        page = os.path.join(inside, "unread.html")
        os.mkfifo(page)
        reader = os.open(page, os.O_RDONLY | os.O_NONBLOCK)
        process = subprocess.Popen([*command, "--page=" + page], stderr=subprocess.PIPE, text=True)
        # It has more of the page than the pipe takes.
        select.select([reader], [], [], 60)
        process.terminate()
        recorder.becomes(lambda: process.poll() is not None, 60)
        process.kill()
        os.close(reader)
    said = process.communicate()[1]
    ok(process.returncode == -signal.SIGTERM and "nothing lost" in said and "not converted" not in said and
       run([FXTREC, "report", path]).returncode == 0, "record: a signal ends the making of a page", said)


def limited_size(folder):
    """A file that may grow no further ends in a whole record."""
    path = os.path.join(folder, "limited.fxt")
    done = run(["sh", "-c", f"ulimit -f 2048; exec {FXTREC} record --no-marks --backend=bpf -o {path} -- "
                            "sh -c 'while :; do /bin/true; done'"])
    ok(done.returncode == 1 and "File too large" in done.stderr, "record: a size limit is said",
       done.stderr)
    judge.judge_valid(path, "record: a file at its size limit")


def descriptors(folder):
    """Tracepoints that take more descriptors than the soft limit, and than the hard one."""
    tracepoints = ["--backend=bpf", "-e", "sched:*", "-o", os.path.join(folder, "many.fxt"), "--"]
    done = run(["prlimit", "--nofile=64:1024", FXTREC, "record", "--no-marks", *tracepoints, "sh", "-c", "ulimit -n; ulimit -Hn"])
    ok(done.returncode == 0 and done.stdout.split() == ["64", "1024"],
       "record: more tracepoints than the soft limit of descriptors allows; COMMAND keeps it",
       done.stdout + done.stderr)
    size = os.path.getsize(os.path.join(folder, "many.fxt"))
    done = run(["prlimit", "--nofile=64:64", "setpriv", "--bounding-set=-sys_resource", FXTREC, "record", "--no-marks",
                *tracepoints, "true"])
    ok(done.returncode == 1 and done.stderr.count("\n") == 1 and "ulimit -Hn" in done.stderr,
       "record: more than the hard limit allows", done.stderr)
    ok(os.path.getsize(os.path.join(folder, "many.fxt")) == size, "and leaves an older recording as it is")


def many_tracepoints(folder):
    """Hundreds of tracepoints: each takes the kernel tens of ms to unregister, for which another process stays."""
    path = os.path.join(folder, "hundreds.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-e", "[a-j]*:*", "-o", path], start_new_session=True)
    said = recorder.end(process)
    ok(process.returncode == 0, "record: hundreds of tracepoints", said)
    judge.judge_valid(path, "record: hundreds of tracepoints")
    ok(recorder.becomes(lambda: not alive(process.pid)), "record: what unregisters them ends")


def attached(process):
    """How many tracepoints it has attached to so far."""
    return sum("perf_event" in link for link in recorder.links(process))


def attaching(folder):
    """A signal while it attaches to hundreds of tracepoints ends it, and an older recording stays."""
    path, count, tries = os.path.join(folder, "attaching.fxt"), len(glob.glob(ftrace.TRACEFS + "/events/[a-j]*/*/id")), 0
    while not tries or (had > count // 2 and tries < 10):
        with open(path, "w") as f:
            f.write("older")
        process = subprocess.Popen([FXTREC, "record", "--no-marks", "--backend=bpf", "-e", "[a-j]*:*", "-o", path],
                                   stderr=subprocess.PIPE, text=True)
        recorder.becomes(lambda: attached(process) > 0)
        process.send_signal(signal.SIGSTOP)
        # It may have attached to most of them before it was seen to attach.
        had, tries = attached(process), tries + 1
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=600)[1]
    with open(path) as f:
        ok(process.returncode == 1 and said.endswith("ended before the recording began\n") and f.read() == "older",
           "record: a signal while it attaches to hundreds of tracepoints", said)


def signalled(folder):
    """A signal before anything is recorded ends it: an older recording stays, and nothing else is left."""
    path = os.path.join(folder, "signalled.fxt")
    # It stays pending over exec.
    pending = ("import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}); "
               "os.kill(os.getpid(), signal.SIGINT); os.execv(sys.argv[1], sys.argv[1:])")
    for arguments in [], ["--rotate=1h"], ["-o", path + ".gz"], ["--flight"]:
        with open(path, "w") as f:
            f.write("older")
        done = run([sys.executable, "-c", pending, FXTREC, "record", "--no-marks", "--backend=bpf", "-o", path, *arguments])
        with open(path) as f:
            ok(done.returncode == 1 and done.stderr == "fxtrec: ended before the recording began\n" and f.read() == "older" and
               glob.glob(path[:-4] + "*") == [path], f"record {' '.join(arguments[:1])}: a signal before it begins", done.stderr)


def alive(group):
    """Whether it has a process that is no zombie."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{entry}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                return True
    return False


def privilege(folder):
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # The project may lie where nobody else can go.
    tool = shutil.copy(FXTREC, os.path.join(folder, "fxtrec"))
    done = run(as_nobody + [tool, "record", "-d", "0.2", "-o", "/tmp/fxtrec-nobody.fxt"])
    ok(done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "needs root" in done.stderr,
       "record: without privilege", done.stderr)
    done = run(["unshare", "-m", "sh", "-c", "mount -t tmpfs none /sys/kernel/btf && exec "
                f"{FXTREC} record --no-marks --backend=bpf -d 0.2 -o {folder}/nobtf.fxt"])
    if "unshare:" in done.stderr:
        tap.skip("record: without BTF", "no mount namespace of its own: " + done.stderr.strip())
    else:
        ok(done.returncode == 1 and "no BTF" in done.stderr, "record: without BTF", done.stderr)
    path = os.path.join(folder, "mode.fxt")
    run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.2", "-o", path])
    ok(os.stat(path).st_mode & 0o777 == 0o600, "a recording is its owner's alone")


def commands(folder):
    path = os.path.join(folder, "command.fxt")
    base = [FXTREC, "record", "--no-marks", "--backend=bpf", "-o", path, "--"]
    done = run(base + ["sh", "-c", "exit 7"])
    ok(done.returncode == 7, "COMMAND's status is returned", done)
    done = run(base + ["sh", "-c", "kill -9 $$"])
    ok(done.returncode == 137, "and of one that a signal ends", done)
    done = run(base + ["/no/such/command"])
    ok(done.returncode == 1 and "/no/such/command: No such file" in done.stderr,
       "a COMMAND that can't be run", done.stderr)
    done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-o", path, "-d", "0.5", "--", "sleep", "3600"])
    ok(done.returncode == 0, "the duration ends COMMAND too", done.stderr)


def reading(folder):
    path = os.path.join(folder, "reading.fxt")
    said = run([FXTREC, "record", "--no-marks", "-a", "--backend=bpf", "-d", "0.5", "-o", path]).stderr
    ok("by eBPF, clock mono" in said and "nothing lost" in said, "the summary", said)
    info = json.loads(run([FXTREC, "info", "--json", path]).stdout)
    ok(isinstance(info, dict) and info, "info --json is JSON", info)
    r = judge.load(path)
    events = sum(len(e) for e in r.events.values())
    ok(f"{events} events" in said, "the summary counts what the file holds", (events, said))
    dump = run([FXTREC, "dump", path]).stdout
    ok(dump.count("\n") == r.records, "dump prints a line a record")
    with open(path, "rb") as f:
        piped = run([FXTREC, "dump", "-"], stdin=f).stdout
    ok(piped == dump, "dump reads standard input")
    with open(os.path.join(folder, "stdout.fxt"), "wb") as f:
        done = subprocess.run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.3", "-o", "-"], stdout=f,
                              stderr=subprocess.PIPE)
    ok(done.returncode == 0, "record writes standard output")
    judge.judge_valid(os.path.join(folder, "stdout.fxt"), "standard output")
    with open(os.path.join(folder, "stdout.fxt"), "wb") as f:
        done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-o", "-", "--", "echo", "what COMMAND prints"], stdout=f)
    ok(done.returncode == 0 and "what COMMAND prints\n" in done.stderr,
       "what COMMAND prints is on standard error where the trace is on standard output", done.stderr)
    judge.judge_valid(os.path.join(folder, "stdout.fxt"), "and not in the trace, which")
    for clock in ("mono", "boot"):
        done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.3", "--clock", clock, "-o", path])
        ok(f"clock {clock}:" in done.stderr, f"eBPF records on clock {clock}", done.stderr)
        judge.judge_valid(path, f"clock {clock}")
    done = run([FXTREC, "record", "--no-marks", "-v", "-d", "0.3", "-o", path])
    ok(done.returncode == 0 and ("falling back to eBPF: " in done.stderr or "by the module" in done.stderr),
       "auto says why it is not the module", done.stderr)
    lines(folder)


def lines(folder):
    """What each run would repeat comes once, or with -v; the last line says what to type."""
    first, second = (run(["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run && for i in 1 2; do "$@"; done', "-", FXTREC,
                          "record", "--no-marks", *more, "-d", "0.1", "-o", "said.fxt"], cwd=folder).stderr for more in ([], ["-v"]))
    ok("by the module" in first or (first.count("falling back to eBPF: ") == 1 and second.count("falling back to eBPF: ") == 2),
       "why it is not the module is said once, and by -v", first + second)
    ok(first.count("throttling isn't recorded") < 2, "so is what this kernel doesn't tell", first)
    for options, wanted in ((["-o", "said.fxt"], '"fxtrec explain said.fxt" says why work was late, "fxtrec page said.fxt" makes'),
                            ([], '"fxtrec explain" says why work was late, "fxtrec page" makes'),
                            (["-o", "it's.json"], "\"fxtrec explain 'it'\\''s.json'\" says"),
                            (["-o", "r.fxt", "--rotate=1h"], '"fxtrec explain r.*.fxt" says')):
        done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.1", *options], cwd=folder)
        last = done.stderr.splitlines()[-1]
        command = re.search(r'"(fxtrec explain[^"]*)"', last)
        shown = run(["sh", "-c", command[1].replace("fxtrec", FXTREC, 1)], cwd=folder) if command else done
        ok(wanted in last and shown.returncode == 0 and ("within" in shown.stdout or "Not enough" in shown.stdout), f"record {' '.join(options)} ends with what to type",
           (done.stderr, shown.stderr))
    done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.1", "-o", "-"], cwd=folder, stdout=subprocess.DEVNULL)
    ok("fxtrec explain" not in done.stderr, "but not of standard output", done.stderr)


def standard(folder):
    """What leads to standard output is that: what COMMAND prints isn't in the trace, or the page."""
    out = os.path.join(folder, "standard")
    for options, begin in (["-o", "/proc/self/fd/1"], b"\x10\x00\x04FxT"), (["-o", out + ".fxt", "--page=/proc/self/fd/1"], b"<!DOCTYPE html>"):
        with open(out, "wb") as f:
            done = subprocess.run([FXTREC, "record", "--no-marks", "--backend=bpf", *options, "--", "echo", "hello"], stdout=f, stderr=subprocess.PIPE,
                                  text=True)
        with open(out, "rb") as f:
            got = f.read()
        ok(done.returncode == 0 and got.startswith(begin) and b"hello\n" not in got and "hello\n" in done.stderr,
           f"record {options[-1]}: what COMMAND prints goes to standard error", (done.stderr, got[:20]))
    judge.judge_valid(out + ".fxt", "the recording of that page")


def named():
    """Messages name what failed."""
    done = run([FXTREC, "top", "--batch", "-n", "1", "--backend=bpf", "-o", "/dev/full"])
    ok(done.returncode == 1 and "/dev/full: No space left" in done.stderr, "top -o /dev/full", done.stderr)
    done = run(["unshare", "-m", "sh", "-c", f"umount -l /proc; {FXTREC} record --no-marks -p 1 -d 0.1 -o /dev/null"])
    # LeakSanitizer ends it with a status of its own: it needs /proc, as it does for options.
    ok((done.returncode == 2 or tap.SANITIZED) and "/proc isn't mounted" in done.stderr, "record -p without /proc", done.stderr)


def formats(folder):
    """A suffix of another format: through a spool, which does not stay."""
    inside = os.path.join(folder, "formats")
    os.mkdir(inside)
    for suffix, begins in ((".json", b"{"), (".html", b"<!DOCTYPE html>"), (".txt", b"# tracer: nop"),
                           (".pftrace", b"\n"), (".fxt.gz", b"\x1f\x8b")):
        path = os.path.join(inside, "trace" + suffix)
        done = run([FXTREC, "record", "--no-marks", "--backend=bpf", "-d", "0.2", "-o", path])
        with open(path, "rb") as f:
            start = f.read(16)
        ok(done.returncode == 0 and start.startswith(begins), f"record -o trace{suffix}",
           (done.stderr, start))
    ok(len(os.listdir(inside)) == 5, "no spool stays behind", os.listdir(inside))


ftrace.mount()
fails(["record", "-e", "sched:nothing_such"], 2, "no such tracepoint", "misused: record -e sched:nothing_such")
no_tracefs()
with tempfile.TemporaryDirectory() as temporary:
    os.chmod(temporary, 0o755)
    files(temporary)
    page(temporary)
    limited_size(temporary)
    descriptors(temporary)
    many_tracepoints(temporary)
    attaching(temporary)
    signalled(temporary)
    privilege(temporary)
    commands(temporary)
    formats(temporary)
    standard(temporary)
    named()
    reading(temporary)
tap.done()
