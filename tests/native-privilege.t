#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who may record and who may not, and whose files a recording goes to."""
import os
import re
import shutil
import stat
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import recorder
import tap
from tap import ok, run

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
PROTECTION = "/proc/sys/fs/protected_"
RECORDING = os.path.join(tap.TOP, "tests", "fuzz", "corpus", "fxt", "recording.fxt")
TEXT = os.path.join(tap.TOP, "tests", "fuzz", "corpus", "ftrace", "recording.txt")


def refused(name, done, *words):
    lines = done.stderr.splitlines()
    ok(done.returncode == 1 and len(lines) == 1 and lines[0].startswith("fxtrec:") and all(w in lines[0] for w in words),
       f"{name}: one line, exit 1", f"{done.returncode} {done.stderr}")


def without(folder):
    """No privilege at all: every way in."""
    tool, larger = (shutil.copy(tap.FXTREC + more, os.path.join(folder, "fxtrec" + more)) for more in ("", "-larger"))
    for each in (tool, larger):
        os.chmod(each, 0o755)
    out = os.path.join(folder, "open", "nobody.fxt")
    for backend in ("auto", "bpf"):
        refused(f"nobody with --backend={backend}",
                run(NOBODY + [tool, "record", "--backend=" + backend, "-d", "0.2", "-o", out]),
                "not permitted", "CAP_BPF and CAP_PERFMON")
    refused("nobody marks", run(NOBODY + [tool, "mark", "x"]), "needs root")
    ok(not os.path.exists(out), "a refused recording leaves no file")
    refused("root of a container of its own",
            run(NOBODY + ["unshare", "--user", "--map-root-user", "--pid", "--fork", tool, "record", "-d",
                          "0.2", "-o", out]), "not permitted")
    refused("root without capabilities",
            run(["setpriv", "--bounding-set=-all", "--inh-caps=-all", tool, "record", "-d", "0.2",
                 "-o", out]), "not permitted")
    return tool


def unreadable(folder, tool):
    """A recording of root's, read by another user: what to type.  Other files are not to be given away."""
    path = shutil.copy(RECORDING, os.path.join(folder, "it's root.fxt"))
    others = shutil.copy(RECORDING, os.path.join(folder, "group.fxt"))
    os.chmod(path, 0o600)
    os.chmod(others, 0o640)
    quoted = path.replace("'", "'\\''")
    for command in (["report"], ["info"], ["dump"], ["check"], ["convert", "-o", "/dev/null", "--to=json"], ["query"]):
        tail = ["SELECT 1"] if command == ["query"] else []
        refused(f"{command[0]} of root's recording", run(NOBODY + [tool, *command, path, *tail]),
                f"Permission denied: root alone can read it: type \"sudo chown $USER '{quoted}'\"")
        done = run(NOBODY + [tool, *command, others, *tail])
        ok(done.stderr == f"fxtrec: {others}: Permission denied\n", f"{command[0]} of a file for a group", done.stderr)


def capable(folder, tool):
    """CAP_BPF and CAP_PERFMON alone, by the file; each alone is not enough."""
    out = os.path.join(folder, "open", "capable.fxt")
    for capability in ("cap_bpf", "cap_perfmon"):
        run(["setcap", capability + "+ep", tool], check=True)
        refused(f"{capability} alone",
                run(NOBODY + [tool, "record", "--backend=bpf", "-d", "0.2", "-o", out]), "not permitted")
    run(["setcap", "cap_bpf,cap_perfmon+ep", tool], check=True)
    done = run(NOBODY + [tool, "record", "--backend=bpf", "-o", out, "--", "perf", "bench", "sched",
                         "pipe", "-l", "2000"])
    ok(done.returncode == 0 and "by eBPF" in done.stderr, "cap_bpf and cap_perfmon are enough",
       done.stderr)
    ok(stat.S_IMODE(os.stat(out).st_mode) == 0o600 and os.stat(out).st_uid == 65534,
       "its file is its user's alone", oct(os.stat(out).st_mode))
    judge.judge_valid(out, "recorded by nobody")
    r = judge.load(out)
    ok(sum(map(len, r.events.values())) > 4000, "and it holds what happened")
    # Of a user that has not logged in.
    done = run(["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run && exec "$@"', "-", *NOBODY, tool, "record",
                "--backend=bpf", "--no-marks", "--flight", "-o", out + ".flight.fxt", "--", "sh", "-c", "kill -USR1 $PPID; sleep 1"])
    said = re.search(r'can.t listen for "fxtrec snapshot" in /run/user/65534/fxtrec/: No such file .*"kill -USR1 \d+"', done.stderr)
    ok(done.returncode == 0 and said and "SIGUSR1" in done.stderr, "without /run/user/UID, a signal asks for snapshots, and it says so",
       done.stderr)


def unit(folder):
    """The systemd unit: systemd takes it, and its capabilities are enough."""
    service = os.path.join(folder, "fxtrec-flight.service")
    with open(os.path.join(tap.TOP, "scripts", "fxtrec-flight.service")) as f:
        text = f.read()
    with open(service, "w") as f:
        f.write(text.replace("/usr/local/bin/fxtrec", tap.FXTREC))
    done = run(["systemd-analyze", "verify", "--man=no", service])
    ok(done.returncode == 0 and not done.stderr, "the unit is a good one", done.stderr)
    capabilities = re.search(r"(?m)^CapabilityBoundingSet=(.*)$", text)[1].split()
    bounding = ",".join(["-all"] + ["+" + c.lower().removeprefix("cap_") for c in capabilities])
    options = re.search(r"(?m)^ExecStart=.*fxtrec (record .*?) -o", text)[1].split()
    process = recorder.start([*options[1:], "-o", os.path.join(folder, "unit.fxt")],
                             ["setpriv", "--bounding-set=" + bounding, "--no-new-privs"])
    done = run([tap.FXTREC, "snapshot", str(process.pid)])
    said = recorder.end(process)
    ok(done.returncode == 0 and process.returncode == 0, "its capabilities are enough", done.stderr + said)
    judge.judge_valid(os.path.join(folder, "unit.0001.fxt"), "the unit's snapshot")


def converted_traps(shared):
    """No files, so that a conversion writes to them as they are."""
    os.mkfifo(os.path.join(shared, "pipe.json"))
    os.symlink("/dev/null", os.path.join(shared, "device.json"))
    for name, why in (("pipe.json", "another user's"), ("device.json", "symbolic link")):
        path = os.path.join(shared, name)
        os.chown(path, 65534, 65534, follow_symlinks=False)
        # Else the open itself would wait.
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        refused(f"a conversion to what another has prepared ({name})",
                run([tap.FXTREC, "convert", TEXT, "-o", path]), why, name)
        os.close(reader)


def symlinks(folder):
    """With the kernel's own protection off: the tool must not need it."""
    shared = os.path.join(folder, "open")
    victim = os.path.join(folder, "victim")
    with open(victim, "w") as f:
        f.write("precious")
    names = {"link": "symbolic link", "dangling": "symbolic link", "planted": "another user's",
             "hard": "another user's", "pipe": "another user's"}
    os.symlink(victim, os.path.join(shared, "link"))
    os.symlink(os.path.join(folder, "made"), os.path.join(shared, "dangling"))
    os.link(victim, os.path.join(shared, "hard"))
    with open(os.path.join(shared, "planted"), "w"):
        os.chmod(os.path.join(shared, "planted"), 0o666)
    os.mkfifo(os.path.join(shared, "pipe"))
    for name in ("link", "dangling", "planted", "pipe"):
        os.chown(os.path.join(shared, name), 65534, 65534, follow_symlinks=False)
    for name, why in names.items():
        refused(f"what another has prepared ({name})",
                run([tap.FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", os.path.join(shared, name)]),
                why, name)
    with open(victim) as f:
        ok(f.read() == "precious" and not os.path.exists(os.path.join(folder, "made")) and
           not os.path.getsize(os.path.join(shared, "planted")), "nothing was written through them")
    for name in ("link", "planted"):
        path = os.path.join(shared, name)
        done = run([tap.FXTREC, "convert", TEXT, "-o", path + ".json"])
        ok(done.returncode == 0 and os.stat(path + ".json").st_uid == 0, "a conversion makes its own file",
           done.stderr)
    converted_traps(shared)
    mine = os.path.join(folder, "mine")
    os.symlink(victim, mine)
    done = run([tap.FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", mine])
    ok(done.returncode == 0 and os.path.getsize(victim) > 100, "one's own link, where no other can write, is followed",
       done.stderr)
    again = os.path.join(shared, "mine.fxt")
    for _ in range(2):
        done = run([tap.FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", again])
    ok(done.returncode == 0 and stat.S_IMODE(os.stat(again).st_mode) == 0o600,
       "one's own file among those of others is written again, and 0600", done.stderr)


def group(folder):
    """A directory in which its group can write, and no others can; so does an access control list."""
    shared = os.path.join(folder, "group")
    victim = os.path.join(folder, "precious")
    os.mkdir(shared)
    os.chmod(shared, 0o775)
    os.chown(shared, 0, 65534)
    with open(victim, "w") as f:
        f.write("precious")
    for name, why in (("link", "symbolic link"), ("planted", "another user's")):
        path = os.path.join(shared, name)
        if name == "link":
            os.symlink(victim, path)
        else:
            shutil.copy(victim, path)
        os.chown(path, 65534, 65534, follow_symlinks=False)
        refused(f"what one of the group has prepared ({name})",
                run([tap.FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", path]), why, name)
        with open(path, errors="replace") as f:
            ok(f.read() == "precious", f"nothing was written through it ({name})")
    for _ in range(2):
        done = run([tap.FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", os.path.join(shared, "mine.fxt")])
    ok(done.returncode == 0, "one's own file among the group's is written again", done.stderr)


def addresses(folder):
    """Nothing in a recording looks like a kernel address."""
    out = os.path.join(folder, "addresses.fxt")
    run([tap.FXTREC, "record", "--backend=bpf", "-d", "1", "-o", out], check=True)
    with open(out, "rb") as f:
        data = f.read()
    found = [i for i in range(0, len(data) - 7, 8)
             if data[i + 6:i + 8] == b"\xff\xff" and data[i:i + 8] != b"\xff" * 8]
    ok(not found, "no word of a recording is a kernel address", found[:5])


def main():
    if os.geteuid():
        tap.skip("privilege", "needs root, to have something to drop")
        return tap.done()
    protections = {name: open(PROTECTION + name).read() for name in ("symlinks", "hardlinks", "regular", "fifos")}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.mkdir(os.path.join(folder, "open"))
        os.chmod(os.path.join(folder, "open"), 0o1777)
        try:
            for name in protections:
                with open(PROTECTION + name, "w") as f:
                    f.write("0")
            tool = without(folder)
            unreadable(folder, tool)
            capable(folder, tool)
            unit(folder)
            symlinks(folder)
            group(folder)
        finally:
            for name, value in protections.items():
                with open(PROTECTION + name, "w") as f:
                    f.write(value)
        addresses(folder)
    return tap.done()


main()
