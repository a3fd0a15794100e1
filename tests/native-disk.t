#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""File systems that don't answer: the rings are drained all the same, and signals are obeyed."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fuse
import recorder
from tap import FXTREC, done, ok, run

# Much longer than anything here takes; a recorder that waits for such a disk waits for ever.
PATIENCE_S = 300
# A disk is waited for so long at least, whatever signals come.
GRACE_S = 1.5
# Of a ring, and of the smallest record in one, at least.
RING_BYTES, RECORD_BYTES = 1 << 20, 16
# Some 30,000 events a second: a ring of 2 MiB holds a second of them, and this disk takes them all.
PACED = [sys.executable, "-c", "import time\nwhile True:\n    time.sleep(2e-5)"]
BPF = ["--backend=bpf", "--no-marks"]


def parts(disk):
    """What it has, by the number of the file."""
    return sorted(name for name in os.listdir(disk.folder.decode()) if name.endswith(".fxt"))


def valid(disk, names):
    return [said.stdout for name in names
            if (said := run([FXTREC, "check", os.path.join(disk.folder.decode(), name)])).returncode]


def rotation(disk, what, opcode):
    """It goes on while the disk opens, closes or removes nothing for seconds; and then with its files."""
    path = os.path.join(disk.folder.decode(), f"{what}.fxt")
    with recorder.busy(PACED) as one, recorder.busy(PACED) as other:
        # Of these alone: the disk doesn't take what others may do.
        process = recorder.start([*BPF, "-b2M", "-p", f"{one.pid},{other.pid}", "--rotate=300ms:2", "-o", path])
        ok(recorder.becomes(lambda: len(parts(disk)) >= 2), f"{what}: it rotates")
        disk.hold(opcode)
        time.sleep(3)
        disk.release()
        before = set(parts(disk))
        ok(recorder.becomes(lambda: set(parts(disk)) - before), f"{what}: it goes on with its files", before)
        said = recorder.end(process, PATIENCE_S)
    ok(process.returncode == 0 and "nothing lost" in said, f"{what}: nothing is lost meanwhile", said)
    kept = [name for name in parts(disk) if name.startswith(what)]
    ok(2 <= len(kept) <= 3, f"{what}: the newest are kept", kept)
    broken = valid(disk, kept)
    ok(not broken, f"{what}: they are valid", broken)


def signals(process, number, another=None):
    """What it says, once it has had this signal; and then another one, when it says that it waits for the disk."""
    said = ""
    process.send_signal(number)
    if another:
        said = recorder.heard(process, "waiting for the disk", PATIENCE_S)
        process.send_signal(another)
    return said + process.communicate(timeout=PATIENCE_S)[1]


def stuck_at_end(disk):
    """The disk takes nothing more: a second signal ends what the first can't."""
    process = recorder.start([*BPF, "-o", os.path.join(disk.folder.decode(), "end.fxt")])
    disk.hold(fuse.WRITE)
    said = signals(process, signal.SIGINT, signal.SIGTERM)
    ok(process.returncode == 1 and "waiting for the disk" in said and "end.fxt: the disk did not answer" in said and
       "maybe not all written" in said, "at the end: a second signal gives it up", said)
    disk.release()


def anonymous(process):
    """KiB of its memory, blocks that wait among it; the rings are the kernel's."""
    with open(f"/proc/{process.pid}/status") as f:
        return int(re.search(r"RssAnon:\s+(\d+)", f.read())[1])


def switches():
    """So many context switches the kernel has counted."""
    with open("/proc/stat") as f:
        return int(re.search(r"^ctxt (\d+)", f.read(), re.M)[1])


def stuck_full(disk):
    """As much waits for the disk as may: the first signal ends the recording, the second one the wait."""
    process = recorder.start([*BPF, "-e", "syscalls", f"-b{RING_BYTES >> 20}M", "-o", os.path.join(disk.folder.decode(), "full.fxt")])
    disk.hold(fuse.WRITE)
    with recorder.busy():
        size = -1
        while size != (size := anonymous(process)):
            # More than its rings hold: they were drained, and the memory grew, or records were lost.
            enough = switches() + 4 * os.cpu_count() * RING_BYTES // RECORD_BYTES
            recorder.becomes(lambda: switches() > enough)
        said = signals(process, signal.SIGTERM, signal.SIGTERM)
    ok(process.returncode == 1 and "the disk did not answer" in said and " lost" in said, "under load: it obeys", said)
    print(f"# {size >> 10} MiB waited for the disk")
    disk.release()


def ended_by_time(disk):
    """A recording that ends by its time waits for the disk, and one signal suffices."""
    disk.hold(fuse.FLUSH)
    process = recorder.start([*BPF, "-d", "0.5", "-o", os.path.join(disk.folder.decode(), "time.fxt")])
    ok(recorder.becomes(lambda: disk.waited_for(fuse.FLUSH)), "by its time: it waits for the disk")
    time.sleep(GRACE_S)
    said = signals(process, signal.SIGINT)
    ok(process.returncode == 1 and "the disk did not answer" in said, "by its time: a signal ends that", said)
    disk.release()


def patient(disk):
    """What is sent twice at once, as timeout(1) does, is one signal: a slow disk gets all."""
    path = os.path.join(disk.folder.decode(), "slow.fxt")
    process = recorder.start([*BPF, "-o", path])
    disk.hold(fuse.WRITE)
    # At once for it, however long this test takes between them.
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
        process.send_signal(number)
    time.sleep(2 * GRACE_S)
    disk.release()
    said = process.communicate(timeout=PATIENCE_S)[1]
    ok(process.returncode == 0 and "nothing lost" in said, "a slow disk gets all", said)
    broken = valid(disk, ["slow.fxt"])
    ok(not broken, "a slow disk's file is valid", broken)


def stuck_at_begin(disk):
    """Nothing is recorded yet: one signal ends it."""
    for what, opcode in (("listed", fuse.READDIR), ("opened", fuse.CREATE)):
        disk.hold(opcode)
        process = subprocess.Popen([FXTREC, "record", *BPF, "--rotate=1s", "-o",
                                    os.path.join(disk.folder.decode(), f"{what}.fxt")], stderr=subprocess.PIPE, text=True)
        ok(recorder.becomes(lambda: disk.waited_for(opcode)), f"nothing is {what}: it waits")
        said = signals(process, signal.SIGINT)
        ok(process.returncode == 1 and "given up before it was open" in said, f"nothing is {what}: a signal ends it", said)
        disk.release()


def snapshots(disk):
    """A flight recorder whose disk opens no file drains, takes the snapshot, and writes it then."""
    path = os.path.join(disk.folder.decode(), "flight.fxt")
    process = recorder.start([*BPF, "--flight", "-o", path])
    disk.hold(fuse.CREATE)
    asked = subprocess.Popen([FXTREC, "snapshot", str(process.pid)], stdout=subprocess.PIPE, text=True)
    ok(recorder.becomes(lambda: disk.waited_for(fuse.CREATE)) and asked.poll() is None, "snapshot: it is not answered before it is on the disk")
    disk.release()
    said = asked.communicate(timeout=PATIENCE_S)[0]
    ok(said.strip() == os.path.join(disk.folder.decode(), "flight.0001.fxt"), "snapshot: it is answered", said)
    broken = valid(disk, ["flight.0001.fxt"])
    ok(not broken, "snapshot: it is valid", broken)
    disk.hold(fuse.CREATE)
    asked = subprocess.Popen([FXTREC, "snapshot", str(process.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    recorder.becomes(lambda: disk.waited_for(fuse.CREATE))
    said = signals(process, signal.SIGTERM, signal.SIGTERM)
    ok("given up" in said and "1 snapshot" in said, "snapshot: a second signal ends the recorder", said)
    said = asked.communicate(timeout=PATIENCE_S)
    ok(asked.returncode == 1 and "given up" in said[1], "snapshot: the caller is told", said)
    disk.release()


with tempfile.TemporaryDirectory() as folder:
    mounted = fuse.Disk(os.path.join(folder, "disk"))
    try:
        for name, held in (("open", fuse.CREATE), ("close", fuse.FLUSH), ("remove", fuse.UNLINK), ("write", fuse.WRITE)):
            rotation(mounted, name, held)
        for part in (stuck_at_end, stuck_full, ended_by_time, patient, stuck_at_begin, snapshots):
            part(mounted)
    finally:
        mounted.end()
done()
