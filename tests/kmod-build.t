#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module is built from headers where Debian has them, and the system that they belong to stays as it is."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

KERNEL = "6.12"
BUILD = os.path.join("build", "tests", "kmod-build")
# Only the build folder can be written: whoever takes / for another system's root changes nothing in it.
SCRIPT = f"""set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /usr/src
ln -s "$PWD/build/kernels/{KERNEL}/usr/src/linux-headers-$1" /usr/src
mount --bind build build
mount --bind /tmp /tmp
mount -o remount,bind,ro /
exec make --no-print-directory kmod KDIR=/usr/src/linux-headers-$1 BUILD={BUILD}
"""

kernels = os.path.join(tap.TOP, "build", "kernels", KERNEL)
with open(os.path.join(kernels, "release"), encoding="ascii") as f:
    release = f.read().strip()
shutil.rmtree(os.path.join(tap.TOP, BUILD), ignore_errors=True)
done = tap.run(["unshare", "--mount", "sh", "-c", SCRIPT, "-", release], cwd=tap.TOP, timeout=600)
tap.ok(done.returncode == 0, "make kmod KDIR=/usr/src/linux-headers-RELEASE", done.stdout + done.stderr)
done = tap.run(["modinfo", "-F", "vermagic", os.path.join(tap.TOP, BUILD, release, "fxtrec.ko")])
tap.ok(done.stdout.startswith(release + " "), "and the module is that kernel's", done.stdout + done.stderr)
tap.done()
