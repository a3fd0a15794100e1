# SPDX-License-Identifier: GPL-2.0-only
"""In a guest, what fxtrec doctor says of modules: doctor.py OUT signed|versions [FOLDER OF OTHER MODULES]"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inside import MODULE, finish, result, sh
from tap import FXTREC

OUT = sys.argv[1]


def doctor(name, finding, state, words, remedy, backend):
    """What it says of a finding, and by what it says that a recording works; "" for not at all."""
    done = sh(f"{FXTREC} doctor --json")
    said = json.loads(done.stdout)
    f = next(f for f in said["findings"] if f["name"] == finding)
    result(f["state"] == state and all(w in f["text"] for w in words) and
           (remedy in (f["remedy"] or "") if remedy else not f["remedy"]),
           f"{name}: doctor says why, and what to type", f)
    result((said["backend"] or "") == backend and done.returncode == (0 if backend else 1),
           f"{name}: doctor says that {backend or 'nothing'} would record", done.stdout)
    shown = sh(f"{FXTREC} doctor").stdout
    print(f"--- {name}\n{shown}", flush=True)


def record(name, status, *words):
    done = sh(f"{FXTREC} record -d 1 -o /tmp/doctor.fxt")
    result(done.returncode == status and all(w in done.stdout for w in words), f"{name}: so it is", done.stdout)


def signed():
    """A kernel that loads only signed modules, and is locked down then."""
    sh("mount -t securityfs securityfs /sys/kernel/security")
    doctor("sig_enforce", "module", "no", ["can't be loaded", "sig_enforce"], "mokutil --import", "bpf")
    record("sig_enforce", 0, "falling back to eBPF", "signed", '"fxtrec doctor" says how', "by eBPF")
    sh("echo integrity >/sys/kernel/security/lockdown")
    doctor("integrity", "lockdown", "note", ["only signed modules"], "mokutil --import", "bpf")
    record("integrity", 0, "by eBPF")
    sh("echo confidentiality >/sys/kernel/security/lockdown")
    doctor("confidentiality", "lockdown", "no", ["eBPF may not read"], "lockdown=confidentiality", "")
    record("confidentiality", 1, '"fxtrec doctor"')


def versions(folder):
    doctor("all well", "module", "ok", [MODULE, "loads it"], "", "kmod")
    record("all well", 0, "by the module")
    doctor("loaded", "module", "ok", ["loaded"], "", "kmod")
    sh("rmmod fxtrec")
    sh(f"insmod {folder}/version/fxtrec.ko")
    doctor("another version, the same interface", "module", "note", ["0.0.9"], "apt install fxtrec-dkms", "kmod")
    record("another version, the same interface", 0, "by the module")
    sh("rmmod fxtrec")
    sh(f"insmod {folder}/interface/fxtrec.ko")
    doctor("another interface", "module", "no", ["0.0.9", "interface 5"], "apt install fxtrec-dkms", "bpf")
    record("another interface", 0, "falling back to eBPF", "0.0.9", "install fxtrec-dkms", "by eBPF")
    sh("rmmod fxtrec")
    sh(f"insmod {MODULE}; echo 1 >/sys/module/module/parameters/sig_enforce")
    doctor("only signed ones, and it is loaded", "modules", "ok", ["sig_enforce"], "", "kmod")
    sh("rmmod fxtrec; echo 1 >/proc/sys/kernel/modules_disabled")
    doctor("no more modules", "module", "no", ["modules_disabled"], "", "bpf")


if sys.argv[2] == "signed":
    signed()
else:
    versions(sys.argv[3])
finish(OUT)
