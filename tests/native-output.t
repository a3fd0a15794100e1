#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The file that a recording goes to: the file that was there before, its owner, and whether it is still there in the end."""
import os
import stat
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import recorder
import tap
from tap import FXTREC, ok, run

RECORD = [FXTREC, "record", "--backend=bpf", "--no-marks", "-d", "0.1"]
TEXT = os.path.join(HERE, "fuzz", "corpus", "ftrace", "recording.txt")


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def contents(path):
    with open(path, errors="replace") as f:
        return f.read()


def kept(folder):
    """What is there already stays, with .old after its name, by whatever name it is reached."""
    write("precious", "yesterday's")
    os.symlink("precious", "link.fxt")
    for path, name, options in (("trace.fxt", "trace.fxt", []), ("b.fxt", "b.fxt", ["-o", "b.fxt"]),
                                ("c.json", "c.json", ["-o", "c.json"]), ("d.fxt.gz", "d.fxt.gz", ["-o", "d.fxt.gz"]),
                                ("link.fxt", "precious", ["-o", "link.fxt"])):
        for text in ("yesterday's", "older"):
            write(name, text)
            done = run([*RECORD, *options])
            ok(done.returncode == 0 and contents(name + ".old") == text and f"{name}.old: the file that was there before" in done.stderr
               and os.path.getsize(name) > 100, f"record to {path} keeps the file that was there", done.stderr)
    ok(os.path.islink("link.fxt"), "a link stays one")
    write("empty.fxt", "")
    done = run([*RECORD, "-o", "empty.fxt"])
    ok(done.returncode == 0 and not os.path.exists("empty.fxt.old") and ".old" not in done.stderr, "an empty file is not kept", done.stderr)
    done = run([*RECORD, "-o", "/dev/null"])
    ok(done.returncode == 0 and ".old" not in done.stderr, "nor is a device", done.stderr)
    done = run([*RECORD, "--rotate=50ms"])
    ok(done.returncode == 0 and not [name for name in os.listdir(folder) if ".000" in name and name.endswith(".old")],
       "nor what a rotation numbers", done.stderr)


def refused():
    """Nothing is recorded over a file that can't be kept."""
    for name, prepare in (("folder", lambda: os.mkdir("folder.fxt.old")), ("long" * 62, lambda: None)):
        prepare()
        write(name + ".fxt", "yesterday's")
        done = run([*RECORD, "-o", name + ".fxt"])
        ok(done.returncode == 1 and "can't be kept" in done.stderr and contents(name + ".fxt") == "yesterday's",
           f"record: a file that can't be kept is not overwritten ({name[:8]})", done.stderr)
    write("busy.fxt", "yesterday's")
    for held in ("busy.fxt", "busy.fxt.old"):
        write("busy.fxt", "yesterday's")
        process = recorder.start([*RECORD[2:-2], "-o", held])
        written = contents("busy.fxt")
        done = run([*RECORD, "-o", "busy.fxt"])
        said = recorder.end(process)
        ok(done.returncode == 1 and "another program writes it" in done.stderr and process.returncode == 0 and
           (held == "busy.fxt" or contents("busy.fxt") == written), f"record: {held}, which another recorder writes, stays", done.stderr + said)


def removed():
    """A recording that nobody can read is none."""
    for what, harm in (("removed", os.unlink), ("cut", lambda path: os.truncate(path, 0)),
                       ("replaced", lambda path: os.replace("other", path))):
        write("other", "x")
        process = recorder.start([*RECORD[2:-2], "--flush=20ms", "-o", "gone.fxt"])
        recorder.becomes(lambda: os.path.getsize("gone.fxt") > 0)
        harm("gone.fxt")
        said = process.communicate(timeout=600)[1]
        ok(process.returncode == 1 and "gone.fxt: it was removed, or cut, while it was written" in said and "nothing lost" not in said,
           f"record: a file that is {what} while it is written ends the recording, which fails", said)
    process = recorder.start([*RECORD[2:-2], "-o", "here.fxt"])
    os.rename("here.fxt", "there.fxt")
    said = recorder.end(process)
    ok(process.returncode == 0 and "nothing lost" in said, "one that is renamed is whole", said)


def owner(folder):
    """Root's files are those of the user that called it."""
    callers = (({"SUDO_UID": "65534", "SUDO_GID": "1"}, 1), ({"PKEXEC_UID": "65534"}, 65534), ({"DOAS_USER": "nobody"}, 65534))
    commands = ((RECORD, ["trace.fxt"]), ([*RECORD, "-o", "a.json", "--page"], ["a.json", "a.html"]),
                ([*RECORD, "--rotate=1h"], ["trace.0001.fxt"]),
                ([FXTREC, "record", "--backend=bpf", "--no-marks", "--flight", "-o", "f.fxt", "--", "false"], ["f.0001.fxt"]),
                ([FXTREC, "convert", TEXT, "-o", "c.fxt"], ["c.fxt"]), ([FXTREC, "page", TEXT, "-o", "p.html"], ["p.html"]))
    for environment, group in callers:
        for command, names in commands:
            with tempfile.TemporaryDirectory(dir=folder) as inside:
                done = run(command, cwd=inside, env={**os.environ, **environment})
                files = {name: os.stat(os.path.join(inside, name)) for name in os.listdir(inside)}
                ok(set(files) >= set(names) and all((st.st_uid, st.st_gid, stat.S_IMODE(st.st_mode)) == (65534, group, 0o600)
                                                    for st in files.values()),
                   f"{' '.join(command[1:2])} to {names}: the file is the caller's ({list(environment)[0]})", (done.stderr, files))
    shared = os.path.join(folder, "shared")
    os.mkdir(shared)
    os.chmod(shared, 0o1777)
    for turn in "first", "second":
        done = run([*RECORD, "-o", os.path.join(shared, "x.fxt")], env={**os.environ, **callers[0][0]})
        ok(done.returncode == 0, f"the {turn} of the caller's recordings in a folder of all", done.stderr)
    done = run([*RECORD, "-o", os.path.join(shared, "x.fxt")])
    ok(done.returncode == 1 and "another user's" in done.stderr, "which is another user's without sudo", done.stderr)
    done = run(["setpriv", "--reuid=65534", "--clear-groups", FXTREC, "convert", TEXT, "-o", os.path.join(shared, "own.fxt")],
               env={**os.environ, "SUDO_UID": "1", "SUDO_GID": "1"})
    st = os.stat(os.path.join(shared, "own.fxt")) if not done.returncode else None
    if "Permission denied" in done.stderr:
        tap.skip("a user's own file stays its own", "the project lies where nobody can go")
    else:
        ok(st and st.st_uid == 65534, "a user's own file stays its own", done.stderr)


if os.geteuid():
    tap.skip("what a recording goes to", "needs root")
    tap.done()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.chmod(folder, 0o755)
    kept(folder)
    refused()
    removed()
    owner(folder)
    os.chdir("/")
tap.done()
