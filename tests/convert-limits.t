#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""convert: what it leaves behind when it is interrupted, where its temporary files are, and how much they take."""
import gzip
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import adversary
import tap
from tap import FXTREC, fails, ok, run

NAMED = os.path.join(tap.TOP, "build", "tests", "tmpfile.so")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def open_files(pid):
    folder, names = f"/proc/{pid}/fd", []
    for fd in os.listdir(folder):
        try:
            names.append(os.readlink(os.path.join(folder, fd)))
        except FileNotFoundError:
            pass    # closed meanwhile
    return names


def defaults():
    """A caller that nothing hangs up (nohup) has that ignored."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def interrupted(folder, environment, number, what):
    """In the middle of writing, and of reading: the output is a pipe's other end away."""
    source, target = os.path.join(folder, "in"), os.path.join(folder, "out")
    os.mkdir(target)
    os.mkfifo(source)
    output = os.path.join(target, "x.json")
    child = subprocess.Popen([FXTREC, "convert", "--from=json-array", source, "-o", "-", "--to=fxt"],
                             env=environment, stdout=subprocess.DEVNULL, preexec_fn=defaults)
    with open(source, "wb") as feed:
        feed.write(b'[{"ph":"i","ts":1}')
        feed.flush()
        child.send_signal(number)
        status = child.wait(600)
    ok(status == -number, f"{what}, {number.name}: ends by it while it reads", status)
    os.unlink(source)
    # Held where the output is open: what is written is more than a pipe of its own takes.
    for size in (8 << 20, 32 << 20, 128 << 20):
        with open(source, "wb") as data:
            data.write(adversary.fxt_strings(1 << 20) + adversary.fxt_complete_long(size)[8:])
        child = subprocess.Popen([FXTREC, "convert", "--from=fxt", source, "-o", output], env=environment,
                                 preexec_fn=defaults)
        began = time.monotonic()
        while child.poll() is None and time.monotonic() - began < 600:
            if any(target in name for name in open_files(child.pid)):
                break
        child.send_signal(number)
        status = child.wait(600)
        # It may be done before this has a CPU to look.
        if status:
            break
        os.unlink(output)
    ok(status == -number, f"{what}, {number.name}: ends by it while it writes", status)
    ok(not os.listdir(target), f"{what}, {number.name}: nothing is left", os.listdir(target))
    os.unlink(source)
    os.rmdir(target)


def replaced(folder, environment, what):
    """A file that is there is replaced as a whole, and only then."""
    source, output = os.path.join(folder, "small.fxt"), os.path.join(folder, "small.json")
    with open(source, "wb") as f:
        f.write(adversary.fxt_logs(4096))
    for before in (None, "old"):
        if before:
            with open(output, "w") as f:
                f.write(before)
        done = run([FXTREC, "convert", source, "-o", output], env=environment)
        with open(output) as f:
            text = f.read()
        ok(done.returncode == 0 and text.startswith("{"), f"{what}: {'replaces' if before else 'makes'} a file", done.stderr)
    ok(os.stat(output).st_mode & 0o777 == 0o600, f"{what}: it is its owner's")
    ok(sorted(os.listdir(folder)) == ["small.fxt", "small.json"], f"{what}: nothing else is there", os.listdir(folder))
    os.unlink(source)
    os.unlink(output)


def spilled(folder, environment, what):
    """More records than memory is for, and more names."""
    source, output = os.path.join(folder, "large.fxt"), os.path.join(folder, "large.txt")
    with open(source, "wb") as f:
        f.write(adversary.fxt_names_used(4 << 20) + adversary.fxt_complete_long(2 << 20)[8:])
    done = run([FXTREC, "convert", source, "-o", output], env=environment)
    ok(done.returncode == 0 and os.path.getsize(output) > 100 << 20, f"{what}: temporary files", done.stderr)
    os.unlink(source)
    os.unlink(output)


def bomb(path, members):
    """So many MB, in far fewer bytes."""
    part = gzip.compress(adversary.fxt_texts(4096)[8:] * 256)
    with open(path, "wb") as f:
        f.write(gzip.compress(adversary.MAGIC))
        for _ in range(members):
            f.write(part)


def limited(folder):
    packed, output = os.path.join(folder, "bomb.gz"), os.path.join(folder, "x.fxt")
    for members, options in (800, []), (100, ["--spool-limit=40M"]):
        bomb(packed, members)
        fails(["convert"] + options + [packed, "-o", output], 1, "--spool-limit=SIZE allows more",
              f"{os.path.getsize(packed) >> 10} KiB of gzip with {members} MB in them: {' '.join(options) or 'by default'}")
        ok(not os.path.exists(output), "and no output")
    ok(run([FXTREC, "convert", "--spool-limit=4G", packed, "-o", output]).returncode == 0, "a limit that suffices")
    # Of JSON's two lists, one waits in a temporary file for the other's end.
    both = os.path.join(folder, "both.fxt")
    with open(both, "wb") as f:
        f.write(adversary.fxt_threads(64 << 10) + adversary.fxt_logs(4 << 20)[8:])
    output = os.path.join(folder, "x.json")
    fails(["convert", "--spool-limit=1M", both, "-o", output], 1, "--spool-limit=SIZE allows more", "a list of JSON that waits")
    ok(run([FXTREC, "convert", "--spool-limit=100M", both, "-o", output]).returncode == 0, "and with more room")
    output = os.path.join(folder, "x.fxt")
    fails(["convert", "--spool-limit=much", packed, "-o", output], 2, "no size", "a limit that is none")
    fails(["convert", "--spool-limit=0", packed, "-o", output], 2, "no size", "a limit of nothing")


def windows(folder):
    source, output = os.path.join(folder, "w.fxt"), os.path.join(folder, "w.json")
    with open(source, "wb") as f:
        f.write(adversary.fxt_texts(9 << 20))
    for level, fine in (["-3"], True), (["-19"], True), (["--long=27", "-3"], False):
        packed = source + ".zst"
        run(["zstd", "-q", "-f", "-T2"] + level + [source, "-o", packed], check=True)
        if fine:
            ok(run([FXTREC, "convert", packed, "-o", output]).returncode == 0, f"zstd {' '.join(level)}: is read")
        else:
            fails(["convert", packed, "-o", output], 1, "zstd -d --long=31", f"zstd {' '.join(level)}: what to do instead")


def main():
    ways = ((dict(os.environ), "files without a name"),
            (dict(os.environ, LD_PRELOAD=NAMED, ASAN_OPTIONS="verify_asan_link_order=0"), "a file system without them"))
    for environment, what in ways:
        with tempfile.TemporaryDirectory() as folder:
            for number in SIGNALS:
                interrupted(folder, environment, number, what)
            replaced(folder, environment, what)
            spilled(folder, dict(environment, TMPDIR=folder), what)
            ok(not os.listdir(folder), f"{what}: no temporary file is left", os.listdir(folder))
    with tempfile.TemporaryDirectory() as folder:
        limited(folder)
        windows(folder)
    tap.done()


main()
