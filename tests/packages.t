#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The tarball and the Debian packages: the same bytes each time, and a machine with and without them.

All but the tarball in "make check-all", as root: the packages are built three times.
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from folder import APT, FIND, PACKAGES, Folder, depends, packages, recorded
from tap import ok, run


def git(*arguments):
    return run(["git", "-C", tap.TOP, *arguments], check=True).stdout.strip()


COMMIT = git("rev-parse", "HEAD")
# A version is its commit's time, which two commits may share.
EARLIER = git("rev-list", "-1", f"--min-age={int(git('log', '-1', '--format=%ct')) - 1}", COMMIT)


def digests(folder, *patterns):
    return {os.path.basename(path): hashlib.sha256(open(path, "rb").read()).hexdigest()
            for pattern in patterns for path in glob.glob(os.path.join(folder, pattern))}


def clone(folder, name, commit):
    """A clone of a commit, in a folder of that name."""
    path = os.path.join(folder, name)
    run(["git", "clone", "--quiet", "--no-checkout", tap.TOP, path], check=True)
    run(["git", "-C", path, "checkout", "--quiet", "--detach", commit], check=True)
    return path


def dist(folder):
    """make dist, twice, in places of different lengths, and from what it made."""
    for name in ("one", "it's another place"):
        done = run(["make", "-C", clone(folder, name, COMMIT), "dist", "build/bpf/rings.bpf.o"])
        ok(done.returncode == 0, f"make dist, and of an eBPF program, in {name}", done.stdout + done.stderr)
    one, other = (digests(os.path.join(folder, name, "build"), "*.tar.gz") for name in ("one", "it's another place"))
    ok(len(one) == 1 and one == other, "make dist makes the same bytes twice", (one, other))
    for name in ("first", "second-place"):
        os.mkdir(os.path.join(folder, name))
        run(["tar", "-C", os.path.join(folder, name), "--strip-components=1", "-xf",
             glob.glob(os.path.join(folder, "one", "build", "*.tar.gz"))[0]], check=True)
        run(["make", "-C", os.path.join(folder, name), "dist"], check=True)
    one, other = (digests(os.path.join(folder, name, "build"), "*.tar.gz") for name in ("first", "second-place"))
    ok(len(one) == 1 and one == other, "so it does without git, from the tarball", (one, other))


def deb(folder, name, commit=COMMIT):
    """The packages of a commit: the folder that they lie in."""
    path = clone(folder, name, commit)
    done = run(["make", "-C", path, "deb"], timeout=3000)
    ok(done.returncode == 0, f"make deb of {commit}", done.stdout + done.stderr)
    return os.path.join(path, "build", "deb")


def headers(series):
    """The package of the headers of the kernel that guests of a series boot; apt may have newer ones meanwhile."""
    run([os.path.join(tap.TOP, "scripts", "kernel-get"), series], check=True, timeout=1800)
    with open(os.path.join(tap.TOP, "build", "kernels", series, "release"), encoding="ascii") as f:
        return "linux-headers-" + f.read().strip()


def installs(folder, series, old, new):
    """All of it in a guest, which has no network: installed, used, and while the module is loaded upgraded and removed."""
    before = " ".join(folder.copy(packages(old), "/srv/old"))
    after = " ".join(folder.copy(packages(new), "/srv/new"))
    script = f"""
        set -e
        install() {{ {" ".join(APT)} install "$@" >/tmp/log 2>&1 || {{ tail -n 30 /tmp/log; exit 1; }}; }}
        modinfo fxtrec 2>/dev/null && exit 1
        install {before}
        now=$(cut -d. -f1 /proc/uptime)
        fxtrec record -d 1 -o /tmp/old.fxt && fxtrec check /tmp/old.fxt
        echo "$(($(cut -d. -f1 /proc/uptime) - now)) s from the end of apt install to that of a recording of one second"
        install {after}
        echo "still loaded: $(grep -c ^fxtrec /proc/modules)"
        fxtrec doctor
        fxtrec record -d 1 -o /tmp/new.fxt && fxtrec check /tmp/new.fxt
        echo "version: $(cat /sys/module/fxtrec/version) $(dpkg-query -W -f '${{Version}}' fxtrec-dkms)"
        {" ".join(APT)} purge {" ".join(PACKAGES)} >/tmp/log 2>&1
        echo "left: $(grep ^fxtrec /proc/modules; {FIND}; ls /dev/fxtrec 2>/dev/null)"
        """
    done = folder.boot(series, script)
    shutil.rmtree(folder.path + "/srv/old")
    shutil.rmtree(folder.path + "/srv/new")
    said = done.stdout
    ok(done.returncode == 0 and said.count("by the module") == 3 and said.count("nothing lost") == 2 and
       said.count(": valid: 0 errors") == 2,
       f"{series}: installed in a guest, the module records, of each version", said[-4000:])
    versions = re.findall(r"(?m)^version: (\S+) (\S+)-1$", said)
    ok("still loaded: 0" in said and len(versions) == 1 and len(set(versions[0])) == 1,
       f"{series}: upgraded while it is loaded, the module is the new one", said[-4000:])
    ok(re.search(r"(?m)^left: $", said), f"{series}: purged while it is loaded, nothing is left", said[-1000:])
    tap.note("".join(re.findall(r"(?m)^\d+ s from.*$", said)))


def life(old, new):
    """Installed, used, upgraded, a new kernel, removed."""
    folder = Folder("packages")
    first = headers("6.1")
    # What the packages need stays; so it is there before.
    folder.apt("what the packages depend on", "install", "dkms", "openssl", "kmod", "gcc", "g++", "pkg-config", first,
               *depends(new))
    # As installing the kernel itself does.
    folder.run("depmod", first.removeprefix("linux-headers-"))
    installs(folder, "6.1", old, new)
    before = folder.listing()
    began = time.monotonic()
    folder.install("the packages of an earlier commit are installed", packages(old))
    done = folder.run("fxtrec", "record", "--no-marks", "-d", "1", "-o", "/tmp/x.fxt")
    took = time.monotonic() - began
    ok(done.returncode == 0 and (recorded(done.stdout, "eBPF") or recorded(done.stdout, "the module")),
       "it records in the folder", done.stdout)
    tap.note(f"{took:.0f} s from apt install to the end of a recording of one second")
    folder.example()
    release = first.removeprefix("linux-headers-")
    ok(folder.modules() == {release}, f"DKMS built the module for {release}", folder.modules())
    was = folder.version()
    folder.install("they are upgraded", packages(new))
    ok(folder.version() > was and folder.modules() == {release}, "and the module is the new one's",
       (was, folder.version(), folder.modules()))
    done = folder.run("systemctl", "is-enabled", "fxtrec-flight.service")
    ok(done.returncode != 0, "the flight recorder's unit is not enabled", done.stdout)
    done, left = folder.purge(), folder.left(before)
    ok(done.returncode == 0 and not left, "purged, nothing is left behind", (done.stdout[-1000:], left))
    folder.install("they are installed again", packages(new))
    second = headers("6.12")
    later = second.removeprefix("linux-headers-")
    folder.apt(f"{second} is installed", "install", second)
    ok(folder.modules() == {release, later}, "with it, DKMS builds the module for that, too", folder.modules())
    folder.guest("6.12", later)
    done = folder.purge()
    ok(done.returncode == 0 and not folder.modules(), "purged beside two kernels, no module is left", done.stdout[-1000:])
    ok(not folder.run("sh", "-c", FIND).stdout, "by name, either")
    folder.remove()


def unit(folder):
    """What an upgrade does to the flight recorder's unit, by the scripts of the package."""
    path = next(path for path in packages(folder) if os.path.basename(path).startswith("fxtrec-core_"))
    preinst, postinst, prerm = (run(["dpkg-deb", "-I", path, name]).stdout for name in ("preinst", "postinst", "prerm"))
    calls = re.findall(r"(?m)^\s*deb-systemd-invoke (.*) >", postinst)
    ok("deb-systemd-invoke" not in preinst and '"$1" = upgrade' not in prerm and calls == ["try-restart 'fxtrec-flight.service'"],
       "an upgrade restarts the flight recorder's unit if it runs, and stops none", (preinst, postinst, prerm))
    ok(re.search(r'was-enabled .*; then\n.*\n\s*deb-systemd-helper enable', postinst) and postinst.count("-helper enable") == 1,
       "and enables none that isn't", postinst)


def lint(folder):
    changes = glob.glob(os.path.join(folder, "*.changes"))
    done = run(["lintian", "--allow-root", "--pedantic", "--display-info", "--fail-on=error,warning,info,pedantic", *changes],
               timeout=1200)
    ok(done.returncode == 0 and not done.stdout.strip(), "lintian, pedantic, has nothing to say", done.stdout + done.stderr)


def piuparts(folder, temporary):
    base = os.path.join(temporary, "base.tar.gz")
    root = Folder("packages").path
    run(["tar", "-C", root, "-czf", base, "."], check=True, timeout=1200)
    mirror = open(os.path.join(root, "etc", "apt", "sources.list")).read().split()[1]
    done = run(["piuparts", "--distribution=bookworm", "--basetgz=" + base, "--mirror=" + mirror + " main",
                "--warn-on-leftovers-after-purge", "--no-upgrade-test", *packages(folder)], timeout=3000,
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ok(done.returncode == 0 and "PASS: Installation and purging test" in done.stdout, "piuparts", done.stdout[-4000:])


def main():
    with tempfile.TemporaryDirectory() as folder:
        dist(folder)
        if os.environ.get("CHECK") != "all" or os.geteuid():
            tap.skip("the packages", "in make check-all, as root")
            return
        new, again = deb(folder, "new"), deb(folder, "the-same-once-more")
        first, second = digests(new, "*.deb", "*.dsc", "*.tar.*"), digests(again, "*.deb", "*.dsc", "*.tar.*")
        ok(len(first) > 5 and first == second, "make deb makes the same bytes in another place",
           [name for name in first if first[name] != second.get(name)])
        unit(new)
        lint(new)
        piuparts(new, folder)
        life(deb(folder, "old", EARLIER), new)


main()
tap.done()
