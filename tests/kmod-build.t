#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module is built from headers where Debian has them, also for a kernel of another configuration; its size."""
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import onefile
import tap

KERNEL = "6.12"
BUILD = os.path.join("build", "tests", "kmod-build")
# Options of a kernel without control groups, by their names; what stands for them in the headers goes with them.
CGROUPS = re.compile(r"#define (CONFIG_(?:\w*CGROUP\w*|MEMCG\w*|CPUSETS\w*|FAIR_GROUP_SCHED|RT_GROUP_SCHED|\w*PSI))\b")
# Of the 8 KiB that all modules share: a pointer or a count for each use.
PERCPU_BYTES_MAX = 64
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
done = tap.run(["size", "-A", os.path.join(tap.TOP, BUILD, release, "fxtrec.ko")])
percpu = sum(int(line.split()[1]) for line in done.stdout.splitlines() if "percpu" in line)
tap.ok(0 < percpu <= PERCPU_BYTES_MAX, "it takes little of the per-CPU memory that all modules share", percpu)

kdir = os.path.join(kernels, "usr", "src", "linux-headers-" + release)
with open(os.path.join(kdir, "include", "generated", "autoconf.h"), encoding="ascii") as f:
    options = CGROUPS.findall(f.read())
without = os.path.join(tap.TOP, BUILD, "without.h")
with open(without, "w", encoding="ascii") as f:
    f.writelines(f"#undef {option}\n" for option in options)
onefile.write(os.path.join(tap.TOP, BUILD, "without", release, "kmod"))
done = tap.run(["scripts/kmod-build", kdir, BUILD + "/without", "0", "KCFLAGS=-include " + without],
               cwd=tap.TOP, timeout=600)
tap.ok("CONFIG_CGROUPS" in options and done.returncode == 0,
       "the module is built for a kernel without control groups", done.stdout + done.stderr)

one = os.path.join(tap.TOP, BUILD, "one", release, "kmod")
onefile.write(one)
done = tap.run(["scripts/kmod-build", kdir, BUILD + "/one", "0"], cwd=tap.TOP, timeout=600)
tap.ok(done.returncode == 0 and os.path.exists(os.path.join(one, "all.o")) and
       not os.path.exists(os.path.join(one, "sched.o")), "the module is built as one file, as DKMS does",
       done.stdout + done.stderr)
tap.done()
