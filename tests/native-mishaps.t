#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong around a recorder: its disk, its limits, its caller; and what it says then."""
import concurrent.futures
import contextlib
import os
import pty
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import delays
import judge
import recorder
from tap import FXTREC, SANITIZED, TOP, done, ok, run, skip

RECORD = [FXTREC, "record", "--backend=bpf", "--no-marks"]


def disk(**what):
    """The environment of a program with such a disk."""
    return {"LD_PRELOAD": os.path.join(TOP, "build", "tests", "disk.so"),
            # The sanitizers' library wants to be the first.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
            **{"DISK_" + name.upper(): str(value) for name, value in what.items()}}


def on_disk(folder, arguments, **what):
    return run([*RECORD, *arguments], env={**os.environ, **disk(**what)}, cwd=folder, timeout=600)


def slow_disk(_):
    """A file that takes seconds to be on the disk: the one after it becomes longer, and nothing waits."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:    # a real disk that is busy may lose events, too
        slow_file(memory)


def slow_file(folder):
    with recorder.busy():
        # Rings for a machine that does other things, too, and for less of this load than those seconds have.
        process = recorder.start(["--backend=bpf", "--no-marks", "-b16M", "-o", "slow.fxt", "--rotate=500ms"], cwd=folder,
                                 environment=disk(file="slow.0002", seconds=2))
        # The third is whole then, and as long as the second takes.
        recorder.files_begin(os.path.join(folder, "slow"), 5)
        said = recorder.end(process)
    events = judge.load(os.path.join(folder, "slow.0003.fxt")).events.values()
    length = (max(e[-1][0] for e in events) - min(e[0][0] for e in events)) / 1e9
    ok("nothing lost" in said, "a slow disk loses nothing", said)
    ok(length > 1.5, "files are longer for it", length)


def failing_disk(folder):
    """A file that fails on its way to the disk: the summary knows, and what is left is named."""
    failed = on_disk(folder, ["-d", "0.8", "-o", "bad.fxt", "--rotate=500ms"], file="bad.0001", seconds=1, fails=1)
    ok(failed.returncode == 1 and "bad.0001.fxt: Input/output error" in failed.stderr and
       "nothing lost" not in failed.stderr, "a file that failed is not summed up as whole", failed.stderr)
    # It fails at its first sync, which comes at its end.
    process = recorder.start(["--backend=bpf", "--no-marks", "-b", "64k:8", "--flush=1h", "-o", "lossy.fxt"], cwd=folder,
                             environment=disk(file="lossy", fails=1))
    process.send_signal(signal.SIGSTOP)
    run(["perf", "bench", "sched", "pipe", "-l", "20000"])
    process.send_signal(signal.SIGCONT)
    said = recorder.end(process)
    ok(process.returncode == 1 and re.search(r", \d+ lost, maybe not all written", said),
       "of one that failed, and whose rings were full, both are said", said)


def full_file(folder):
    """A file that fails behind its beginning, as on a full disk: it isn't one of those before itself, too."""
    for name in ("full", "full-again", "full-at-last"):
        # What is written after half of the time to flush fails, and the file ends before the next half does.
        said = on_disk(folder, ["--flush=1200ms", "--rotate=1s", "-o", name + ".fxt"], full=name + ".0001").stderr
        # On a busy machine the disk may not have come to it by then.
        if f"{name}.0002.fxt" not in said:
            break
    counted = re.search(name + r"\.0001\.fxt: [0-9.]+ s by eBPF.* ([0-9.]+) ([kM])B.*maybe not all written", said)
    beginning = os.stat(os.path.join(folder, name + ".0001.fxt")).st_size
    ok(name + ".0001.fxt: File too large" in said and counted and
       float(counted[1]) * {"k": 1e3, "M": 1e6}[counted[2]] >= 0.99 * beginning,
       "of a file that failed no byte is counted twice", (beginning, said))


def cut_last(folder):
    """A last file that is cut takes no whole one's place."""
    first, third = (os.path.join(folder, f"kept.000{i}.fxt") for i in (1, 3))
    with recorder.busy():
        process = recorder.start(["--backend=bpf", "--no-marks", "--rotate=3s:1", "-o", "kept.fxt"], cwd=folder)
        # The second is whole when the first has made way for it.
        until = time.monotonic() + 600
        while time.monotonic() < until and (os.path.exists(first) or not os.path.exists(third)):
            time.sleep(0.01)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100000, 100000))
        said = process.communicate(timeout=600)[1]
    kept = sorted(name for name in os.listdir(folder) if name.startswith("kept."))
    ok(process.returncode == 1 and kept == ["kept.0002.fxt", "kept.0003.fxt"],
       "a last file that is cut takes no whole one's place", (kept, said))
    judge.judge_valid(os.path.join(folder, "kept.0002.fxt"), "which")


def conversion(folder):
    """A signal ends the conversion to another format, and the recording stays."""
    process = recorder.start(["--backend=bpf", "--no-marks", "-d", "0.3", "-o", "converted.json"], cwd=folder,
                             environment=disk(file="(deleted)", seconds=1800))
    until = time.monotonic() + 300
    # The spool is closed, and what it is converted to has no name yet.
    while time.monotonic() < until and not any("(deleted)" in name for name in open_files(process.pid)):
        time.sleep(0.01)
    time.sleep(0.2)
    said = None
    # On a busy machine one of them may still be the recording's, which it ends.
    while said is None and time.monotonic() < until:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            said = process.communicate(timeout=3)[1]
    left = [name for name in os.listdir(folder) if name.startswith("converted.")]
    ok(process.returncode == -signal.SIGINT and len(left) == 1 and f"the recording is in {left[0]}\n" in said,
       "a conversion that is ended leaves the recording, and says where", (process.returncode, left, said))
    judge.judge_valid(os.path.join(folder, left[0]), "the recording")


def open_files(pid):
    links = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            links.append(os.readlink(f"/proc/{pid}/fd/{number}"))
    return [link for link in links if link.startswith("/tmp/") or link.startswith("/var/tmp/")]


def no_beginning(folder):
    """A recorder that hasn't all that it needs leaves no spool that it doesn't tell of."""
    refused, left = 0, set()
    for limit in range(12, 60, 2):
        path = os.path.join(folder, f"limit-{limit}.json")
        said = run(["prlimit", f"--nofile={limit}", *RECORD, "-d", "0.1", "-o", path])
        refused += said.returncode != 0
        left |= {name for name in os.listdir(folder) if name.startswith(f"limit-{limit}.") and
                 name.endswith(".spool.fxt") and name not in said.stderr}
    ok(refused >= 3 and not left, f"{refused} recordings that couldn't begin leave no spool", left)


def empty_file(folder):
    """A numbered file that nothing could be written to, as on a full disk: it is in no command's way."""
    said = run(["prlimit", "--fsize=0", *RECORD, "--rotate=1s", "-d", "0.3", "-o", os.path.join(folder, "empty.fxt")])
    left = [name for name in os.listdir(folder) if name.startswith("empty.")]
    ok(said.returncode == 1 and "empty.0001.fxt: File too large" in said.stderr and not left,
       "a file of a rotation that nothing could be written to is removed", (left, said.stderr))


def no_memory(folder):
    """Too little memory to read what the kernel says of its structures: that is what is said."""
    if SANITIZED:
        skip("too little memory", "AddressSanitizer takes more")
        return
    said = run(["prlimit", f"--data={8 << 20}", *RECORD, "-d", "0.1", "-o", os.path.join(folder, "memory.fxt")])
    ok(said.returncode == 1 and said.stderr.count("\n") == 1 and "/btf/vmlinux: Cannot allocate memory" in said.stderr,
       "too little memory is one line", (said.returncode, said.stderr))


def children_ignored(folder):
    """Who called it ignores what becomes of children, and it inherits that."""
    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    said = run([*RECORD, "-o", os.path.join(folder, "child.fxt"), "--", "sh", "-c", "exit 3"], preexec_fn=ignore,
               timeout=600)
    ok(said.returncode == 3, "a COMMAND's end is seen", (said.returncode, said.stderr))
    for handler in (signal.SIG_IGN, signal.SIG_DFL):
        said = run([*RECORD, "-o", os.path.join(folder, "child.fxt"), "--", "grep", "-E", "Sig(Ign|Blk)", "/proc/self/status"],
                   preexec_fn=lambda: signal.signal(signal.SIGTTOU, handler), timeout=600)
        ignored, blocked = (int(re.search(rf"{name}:\s+(\w+)", said.stdout)[1], 16) >> signal.SIGTTOU - 1 & 1
                            for name in ("SigIgn", "SigBlk"))
        ok(ignored == (handler == signal.SIG_IGN) and not blocked, "COMMAND has SIGTTOU as the caller has it", said.stdout)


def held_back(arguments):
    """A recorder, and its COMMAND, which is stopped before it has executed its program."""
    while True:
        process = subprocess.Popen([*RECORD, *arguments], stderr=subprocess.PIPE, text=True)
        while not (found := recorder.children(process)):
            if process.poll() is not None:
                raise RuntimeError(process.communicate()[1])
        os.kill(found[0], signal.SIGSTOP)
        with open(f"/proc/{found[0]}/comm") as comm:
            if comm.read().strip() == os.path.basename(FXTREC)[:15]:
                return process, found[0]
        process.kill()
        # It has the pipe open, too.
        os.kill(found[0], signal.SIGKILL)
        process.communicate()


def ended(pid):
    """Whether it runs no more; who has to reap it may not do so."""
    return not set(recorder.states(pid)) - {"Z", "X"}


def slow_start(folder):
    """A COMMAND that takes its time to begin, as on a slow disk: the recording goes on, and ends in time."""
    process, command = held_back(["-d", "1", "-o", os.path.join(folder, "slow.fxt"), "--", "sleep", "3600"])
    said = process.communicate(timeout=600)[1]
    ok(process.returncode == 0 and " s by eBPF" in said, "a COMMAND that has not begun holds up no recording", said)
    ok(recorder.becomes(lambda: ended(command), 60), "and ends with it, also while it is stopped")


def hung_up(folder):
    """Who called it ignores a hangup, as nohup does."""
    process = recorder.start(["--backend=bpf", "--no-marks", "-d", "1.5", "-o", os.path.join(folder, "nohup.fxt")],
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    said = process.communicate(timeout=600)[1]
    ok(process.returncode == 0 and float(re.search(r"([0-9.]+) s by", said)[1]) >= 1.5,
       "a hangup doesn't end it where it was to be ignored", said)


def stopped_terminal(folder):
    """A terminal that was stopped by Ctrl-S takes no line of progress: the recording goes on, and ends."""
    ours, its = pty.openpty()
    path = os.path.join(folder, "stopped.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-d", "1", "-o", path], stderr=its, start_new_session=True)
    termios.tcflow(its, termios.TCOOFF)
    limit, shown = time.monotonic() + 120, "an unknown number"
    while "an unknown number" in shown and time.monotonic() < limit:
        time.sleep(0.5)
        shown = run([FXTREC, "info", path]).stdout
    termios.tcflow(its, termios.TCOON)
    said = b""
    while b" s by " not in said and select.select([ours], [], [], 600)[0]:
        said += os.read(ours, 4096)
    process.wait()
    os.close(its)
    os.close(ours)
    ok(shown and "an unknown number" not in shown, "a terminal that was stopped holds up no recording", (shown, said))


def stopped_flight(folder):
    """A flight recorder on a terminal that was stopped goes on."""
    ours, its = pty.openpty()
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", os.path.join(folder, "stop.fxt")], stderr=its)
    termios.tcflow(its, termios.TCOOFF)
    answers = [run([FXTREC, "snapshot", str(process.pid)], timeout=60).returncode for _ in range(3)]
    termios.tcflow(its, termios.TCOON)
    ok(answers == [0] * 3, "nor a flight recorder", answers)
    recorder.end(process)
    os.close(its)
    os.close(ours)


def background(folder):
    """In the background of a terminal that stops what prints there (stty tostop)."""
    leader, ours = pty.fork()
    if not leader:
        attributes = termios.tcgetattr(2)
        attributes[3] |= termios.TOSTOP
        termios.tcsetattr(2, termios.TCSANOW, attributes)
        process = subprocess.Popen([*RECORD, "-d", "1", "-o", os.path.join(folder, "background.fxt")],
                                   preexec_fn=os.setpgrp)
        os._exit(os.waitpid(process.pid, os.WUNTRACED)[1] != 0)
    said = b""
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 4096):
            said += piece
    status = os.waitpid(leader, 0)[1]
    os.close(ours)
    ok(not status and said.startswith(b"fxtrec: ") and b" s by " in said,
       "in the background it goes on, and shows no line of progress", (status, said))


def shared_terminal(folder):
    """COMMAND has the terminal: no line of progress is in what it prints."""
    ours, its = pty.openpty()
    for command in (["--", "sh", "-c", "printf 'Name: '; sleep 0.8; echo given"], ["-d", "0.8"]):
        run([*RECORD, "-o", os.path.join(folder, "shared.fxt"), *command], stdout=its, stderr=its)
        said = b""
        while b" s by " not in said and select.select([ours], [], [], 600)[0]:
            said += os.read(ours, 4096)
        if "--" in command:
            ok(said.startswith(b"Name: given\r\nfxtrec: "), "what COMMAND prints to a terminal stays as it is", said)
        else:
            ok(b" events " in said.partition(b"fxtrec: ")[0], "without COMMAND there is a line of progress", said)
    os.close(its)
    os.close(ours)


def closed(folder):
    """Who called it has closed the standard descriptors: no file of the recorder's gets their numbers."""
    path = os.path.join(folder, "closed.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", path], prefix=["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"])
    standard = [os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in range(3)]
    recorder.end(process)
    ok(standard == ["/dev/null"] * 3 and process.returncode == 0, "what is printed to a closed descriptor is in no file",
       (standard, process.returncode))
    judge.judge_valid(path, "a recording without standard descriptors")


def unread_notice(folder):
    """What is to be notified takes nothing, and its socket is full: the recording goes on, and ends."""
    path = os.path.join(folder, "unread.fxt")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        ready.bind("")
        other.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                other.sendto(b"", ready.getsockname())
        process = subprocess.Popen([*RECORD, "-d", "0.2", "-o", path], stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "NOTIFY_SOCKET": "@" + ready.getsockname()[1:].decode()})
        ended = recorder.becomes(lambda: process.poll() is not None, 60)
        if not ended:
            process.kill()
        said = process.communicate()[1]
    ok(ended and process.returncode == 0 and "nothing lost" in said, "a notice that isn't taken holds up no recording", said)


def blocked(process, number):
    """Whether it has the signal blocked."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as f:
        return int(re.search(r"SigBlk:\s+(\w+)", f.read())[1], 16) >> (number - 1) & 1


def full_pipe(folder):
    """Nobody reads what it says, and no more fits into the pipe: it records, and a signal ends it then."""
    chosen = subprocess.Popen(["sleep", "3600"])
    for number, arguments in enumerate((["-d", "0.2"], ["-d", "0.2", "--flight"], ["-p", str(chosen.pid)])):
        ours, its = os.pipe()
        os.set_blocking(its, False)
        for size in (4096, 1):
            with contextlib.suppress(BlockingIOError):
                while os.write(its, bytes(size)):
                    pass
        os.set_blocking(its, True)
        path = os.path.join(folder, f"full{number}.fxt")
        process = recorder.start(["--backend=bpf", "--no-marks", *arguments, "-o", path], stderr=its)
        if "-p" in arguments:
            chosen.kill()
            chosen.wait()
        recorder.becomes(lambda: not blocked(process, signal.SIGTERM), 60)
        process.terminate()
        recorder.becomes(lambda: process.poll() is not None, 60)
        recorder.end_hard(process)
        os.close(its)
        os.close(ours)
        ok(process.returncode == -signal.SIGTERM and ("--flight" in arguments or run([FXTREC, "check", path]).returncode == 0),
           f"what it says fits nowhere: a signal ends it, {number}", process.returncode)


def impatient_pipe(folder):
    """A pipe that somebody made take no more than there is room for."""
    path = os.path.join(folder, "pipe.fxt")
    ours, its = os.pipe()
    os.set_blocking(its, False)
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", "-"], stdout=its)
    os.close(its)
    run(["perf", "bench", "sched", "pipe", "-l", "50000"])
    process.terminate()
    with os.fdopen(ours, "rb") as pipe, open(path, "wb") as file:
        while piece := pipe.read(4096):
            file.write(piece)
    said = process.communicate(timeout=600)[1]
    ok(process.returncode == 0 and os.path.getsize(path) > 1 << 17, "a pipe that is full is waited for", said)
    judge.judge_valid(path, "what came through it")


def snapshots(folder):
    """Snapshots that fail: the caller is told so, and the good ones before them stay."""
    inside, moved = os.path.join(folder, "ok d"), os.path.join(folder, "moved")
    os.mkdir(inside)
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "--keep=3", "-o", "ok d/s.fxt"], cwd=folder)
    answers = []
    for place in [inside] * 3 + [moved] * 3 + [inside]:
        if not os.path.exists(place):
            os.rename(inside if place == moved else moved, place)
        answers.append(run([FXTREC, "snapshot", str(process.pid)]))
    codes = [answer.returncode for answer in answers]
    ok(codes == [0, 0, 0, 1, 1, 1, 0] and all("No such file" in answer.stderr for answer in answers[3:6]),
       "the caller hears of each how it came out", [(a.returncode, a.stdout, a.stderr) for a in answers])
    # The oldest is removed beside the recorder, which doesn't wait for the file system.
    until = time.monotonic() + 600
    while len(kept := sorted(os.listdir(inside))) > 3 and time.monotonic() < until:
        time.sleep(0.01)
    ok(len(kept) == 3 and os.path.basename(answers[6].stdout.strip()) in kept,
       "the newest three that are whole are kept", kept)
    for child in recorder.children(process):
        os.kill(child, signal.SIGKILL)
    time.sleep(1.5)
    ok(delays.ask(process.pid).startswith("ok "), "it can be asked again where its door was killed")
    recorder.end(process)


def waits(pid):
    """How often its main thread has waited."""
    with open(f"/proc/{pid}/task/{pid}/status") as f:
        return int(re.search(r"(?m)^voluntary_ctxt_switches:\s+(\d+)", f.read())[1])


def slow_snapshots(folder):
    """Snapshots that take seconds to be on the disk: the recorder goes on, and answers then."""
    out = os.path.join(folder, "late")
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", out + ".fxt"], environment=disk(file="late.", seconds=4))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        first = pool.submit(delays.ask, process.pid)
        time.sleep(0.5)
        second, before, went_on = pool.submit(delays.ask, process.pid), waits(process.pid), 0
        # Whatever comes first; it is not asked afterwards, as this test may wait for a CPU itself.
        while went_on <= 10 and not first.done():
            time.sleep(0.01)
            went_on = 0 if first.done() else waits(process.pid) - before
        ok(went_on > 10, "the rings are drained while a snapshot is written", went_on)
        answers = [first.result(), second.result()]
    ok(answers == [f"ok {out}.{number:04}.fxt" for number in (1, 2)], "each caller has a snapshot", answers)
    for number in (signal.SIGUSR1, signal.SIGINT, signal.SIGUSR1):
        process.send_signal(number)
        time.sleep(0.5)
    said = process.communicate(timeout=600)[1]
    ok(process.returncode == 0 and delays.files(out) == [f"{out}.{number:04}.fxt" for number in (1, 2, 3)],
       "what comes after its end is asked for is too late", (delays.files(out), said))


def failing_recorder(folder):
    """A flight recorder that fails while a snapshot is on its way to the disk: that one is whole all the same."""
    out = os.path.join(folder, "fails")
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "--keep=2", "--counters", "-o", out + ".fxt"],
                             environment=disk(file="fails.0003", seconds=3, breaks="loadavg"))
    answers = [delays.ask(process.pid) for _ in range(3)]
    said = process.communicate(timeout=600)[1]
    ok(process.returncode == 1 and "Input/output error" in said, "a recorder that fails says so", said)
    ok(answers == [f"ok {out}.{number:04}.fxt" for number in (1, 2, 3)], "a caller that waits is told of its snapshot", answers)
    ok(delays.files(out) == [f"{out}.{number:04}.fxt" for number in (2, 3)], "which takes the oldest's place alone",
       delays.files(out))


def no_threads(folder):
    """As where something forks without end: a recorder waits until a thread can be started, and loses nothing."""
    none, out = os.path.join(folder, "threadless"), os.path.join(folder, "threads")

    def start(*arguments):
        process = recorder.start(["--backend=bpf", "--no-marks", "-o", out + ".fxt", *arguments], environment=disk(threadless=none))
        open(none, "w", encoding="ascii").close()
        return process

    process = start("--rotate=100ms")
    time.sleep(1)
    there = len(delays.files(out))
    os.unlink(none)
    recorder.becomes(lambda: process.poll() is not None or len(delays.files(out)) >= there + 3)
    said = recorder.end(process)
    ok(process.returncode == 0 and "nothing lost" in said, "without threads it goes on with its file, then rotates", said)
    count = len(delays.files(out))
    ok(delays.files(out) == [f"{out}.{number:04}.fxt" for number in range(1, count + 1)], "and leaves out no number", delays.files(out))
    process = start("--flight")
    process.send_signal(signal.SIGUSR1)
    time.sleep(1)
    os.unlink(none)
    said = recorder.heard(process, "\n") + recorder.end(process)
    ok(process.returncode == 0 and "snapshot (SIGUSR1)" in said, "a snapshot is written once a thread can be started", said)
    process = start("--flight")
    process.send_signal(signal.SIGUSR1)
    said = recorder.end(process)
    ok(process.returncode == 1 and said.count("no thread can be started") == 1 and len(delays.files(out)) == count + 1,
       "one that ends before says so", said)
    ok("no thread can be started" in on_disk(folder, ["-d0.1"], threadless=none).stderr, "and one that can't begin")


with tempfile.TemporaryDirectory() as temporary:
    for part in (slow_disk, failing_disk, full_file, cut_last, conversion, no_beginning, empty_file, no_memory, children_ignored, slow_start,
                 hung_up, closed, stopped_terminal, stopped_flight, background, shared_terminal, unread_notice, full_pipe,
                 impatient_pipe, snapshots, slow_snapshots, failing_recorder, no_threads):
        part(temporary)
done()
