#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec doctor where the kernel wants modules signed, is locked down, or has a module of another version."""
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import onefile
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.12")
TREE = os.path.join(tap.TOP, "build", "kernels", KERNEL)
BUILT = os.path.join(tap.TOP, "build", "tests", "doctor")


def other(name, kdir, change=None):
    """The module of version 0.0.9, and where change says so of another interface: into BUILT/NAME/."""
    source = os.path.join(BUILT, name, "source")
    for part in ("kmod", "include", "scripts"):
        shutil.copytree(os.path.join(tap.TOP, part), os.path.join(source, part))
    onefile.write(os.path.join(source, "kmod"))
    header = os.path.join(source, "include", "uapi", "fxtrec.h")
    with open(header, encoding="utf-8") as f:
        text = f.read()
    with open(header, "w", encoding="utf-8") as f:
        f.write(re.sub(r"(#define FXTREC_ABI\s+)\d+", rf"\g<1>{change}", text) if change else text)
    done = tap.run([os.path.join(source, "scripts", "kmod-build"), kdir, "out", "0.0.9"], timeout=600)
    built = [os.path.join(folder, "fxtrec.ko") for folder, _, files in os.walk(os.path.join(source, "out"))
             if "fxtrec.ko" in files and not folder.endswith("kmod")]
    if tap.ok(done.returncode == 0 and len(built) == 1, f"a module of another {name} is built", done.stdout + done.stderr):
        shutil.copy(built[0], os.path.join(BUILT, name, "fxtrec.ko"))


shutil.rmtree(BUILT, ignore_errors=True)
with open(os.path.join(TREE, "kdir"), encoding="ascii") as f:
    kdir = os.path.join(tap.TOP, f.read().strip())
other("version", kdir)
other("interface", kdir, change=5)
with tempfile.TemporaryDirectory() as folder:
    vm.boot(KERNEL, os.path.join(folder, "signed"), "doctor.py", ["signed"],
            options=["-c", "2", "-a", "module.sig_enforce=1"])
    vm.boot(KERNEL, os.path.join(folder, "versions"), "doctor.py", ["versions", BUILT], options=["-c", "2"])
tap.done()
