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
from tap import ok, run

SCRIPTS = os.path.join(tap.TOP, "scripts")
ROOT = os.path.join(tap.TOP, "build", "roots", "packages")
APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "--yes", "--no-install-recommends"]
# What installing and removing any package changes.
ANY = re.compile(r"^/(var/(lib/(dpkg|apt|systemd|ucf)|cache|log)|etc/apt|etc/ld\.so\.cache|tmp|proc|sys|dev|run|root)(/|$)")


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


def inside(*command, timeout=1800):
    return run([os.path.join(SCRIPTS, "root-run"), ROOT, *command], timeout=timeout,
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def install(name, debs, *others):
    for path in glob.glob(os.path.join(ROOT, "tmp", "*.deb")):
        os.unlink(path)
    copies = [shutil.copy(path, os.path.join(ROOT, "tmp")) for path in debs]
    done = inside(*APT, "install", *others, *["/tmp/" + os.path.basename(path) for path in copies])
    return ok(done.returncode == 0, name, done.stdout[-3000:])


def packages(folder):
    return [path for path in sorted(glob.glob(os.path.join(folder, "*.deb"))) if "-dbgsym_" not in path]


def listing():
    """Paths in the folder, but for what any package changes."""
    paths = set()
    for folder, folders, files in os.walk(ROOT):
        here = folder[len(ROOT):] or "/"
        if ANY.match(here):
            folders.clear()
            continue
        paths.update(path for path in (os.path.join(here, name) for name in folders + files) if not ANY.match(path))
    return paths


def modules():
    return {path.split("/")[-4] for path in glob.glob(ROOT + "/lib/modules/*/updates/dkms/fxtrec.ko*")}


def version():
    return inside("dpkg-query", "-W", "-f", "${Version}", "fxtrec").stdout


def headers(series):
    """The package of the newest headers of a kernel series."""
    said = inside("apt-cache", "search", "--names-only", rf"^linux-headers-{series}\.[0-9.+deb-]*-amd64$").stdout
    return sorted((line.split()[0] for line in said.splitlines()),
                  key=lambda name: [int(n) for n in re.findall(r"\d+", name)])[-1]


def recorded(text, backend):
    return f"by {backend}" in text and "nothing lost" in text


def guest(series, release):
    """The folder as the root of a virtual machine: the module that DKMS built records."""
    with tempfile.TemporaryDirectory() as out:
        script = ("uname -r; fxtrec doctor; fxtrec record -d 2 -o /tmp/guest.fxt && fxtrec check /tmp/guest.fxt; "
                  "modinfo -F version fxtrec; rmmod fxtrec")
        done = run([os.path.join(SCRIPTS, "vm-run"), "-k", series, "-r", ROOT, "-c", "2", "-t", "600", "-o", out, "--",
                    "sh", "-c", script], timeout=900, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ok(done.returncode == 0 and done.stdout.startswith(release) and recorded(done.stdout, "the module") and
       ": valid: 0 errors" in done.stdout and "a recording works: by the module" in done.stdout,
       f"{release}: booted from the folder, its module records", done.stdout[-3000:])
    ok("fxtrec.ko" not in done.stdout.split("a recording works")[0] or "updates/dkms" in done.stdout,
       f"{release}: the one that DKMS built", done.stdout[:3000])


def example():
    """The manual's example, against what is installed."""
    for compiler in ("gcc", "g++"):
        script = (f"cd /tmp && cp /usr/share/doc/libfxtrec-dev/examples/trace.c . && "
                  f"{compiler} trace.c -o trace $(pkg-config --cflags --libs fxtrec) && ./trace && fxtrec check example.fxt && "
                  "echo '#include <fxtrec/mark.h>' >mark.c && echo 'int main(void) { fxtrec_instant(\"x\"); return 0; }' "
                  f">>mark.c && {compiler} mark.c -o mark -lpthread && ./mark; rm -f trace* mark* example.fxt")
        done = inside("sh", "-c", script)
        ok(done.returncode == 0 and "valid: 0 errors" in done.stdout, f"{compiler} builds the example against the packages",
           done.stdout)


def purge():
    return inside(*APT, "purge", "fxtrec", "fxtrec-dkms", "libfxtrec1", "libfxtrec-dev")


def life(old, new):
    """Installed, used, upgraded, a new kernel, removed."""
    run([os.path.join(SCRIPTS, "root-get"), ROOT], check=True, timeout=1800)
    first = headers("6.1")
    # What the packages need stays; so it is there before.
    done = inside(*APT, "install", "dkms", "openssl", "kmod", "gcc", "g++", "pkg-config", first, *depends(new), timeout=3000)
    ok(done.returncode == 0, "what the packages depend on", done.stdout[-2000:])
    # As installing the kernel itself does.
    inside("depmod", first.removeprefix("linux-headers-"))
    before = listing()
    began = time.monotonic()
    install("the packages of an earlier commit are installed", packages(old))
    done = inside("fxtrec", "record", "--no-marks", "-d", "1", "-o", "/tmp/x.fxt")
    took = time.monotonic() - began
    ok(done.returncode == 0 and (recorded(done.stdout, "eBPF") or recorded(done.stdout, "the module")),
       "it records in the folder", done.stdout)
    tap.note(f"{took:.0f} s from apt install to the end of a recording of one second")
    example()
    release = first.removeprefix("linux-headers-")
    ok(modules() == {release}, f"DKMS built the module for {release}", modules())
    was = version()
    install("they are upgraded", packages(new))
    ok(version() > was and modules() == {release}, "and the module is the new one's", (was, version(), modules()))
    done = inside("systemctl", "is-enabled", "fxtrec-flight.service")
    ok(done.returncode != 0, "the flight recorder's unit is not enabled", done.stdout)
    guest("6.1", release)
    done = purge()
    left = sorted(path for path in listing() - before if not path.startswith("/var/lib/dkms/mok"))
    ok(done.returncode == 0 and not left, "purged, nothing is left behind", (done.stdout[-1000:], left[:20]))
    install("they are installed again", packages(new))
    second = headers("6.12")
    done = inside(*APT, "install", second, timeout=3000)
    later = second.removeprefix("linux-headers-")
    ok(done.returncode == 0 and modules() == {release, later}, f"with {later}, DKMS builds it for that, too",
       done.stdout[-2000:])
    guest("6.12", later)
    done = purge()
    ok(done.returncode == 0 and not modules(), "purged beside two kernels, no module is left", done.stdout[-1000:])
    ok(not inside("sh", "-c", "find / -xdev -name '*fxtrec*' ! -path '/tmp/*' ! -path '/var/*/apt/*' "
                              "! -path '/var/log/*' ! -path '/work/*'").stdout, "by name, either")


def depends(folder):
    names = set()
    for path in packages(folder):
        said = run(["dpkg-deb", "-f", path, "Depends"]).stdout
        names.update(re.findall(r"(?:^|, )([a-z0-9.+-]+)", said))
    return sorted(name for name in names if "fxtrec" not in name)


def unit(folder):
    """What an upgrade does to the flight recorder's unit, by the scripts of the package."""
    path = next(path for path in packages(folder) if os.path.basename(path).startswith("fxtrec_"))
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
    run([os.path.join(SCRIPTS, "root-get"), ROOT], check=True, timeout=1800)
    run(["tar", "-C", ROOT, "-czf", base, "."], check=True, timeout=1200)
    mirror = open(os.path.join(ROOT, "etc", "apt", "sources.list")).read().split()[1]
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
        shutil.rmtree(ROOT)


main()
tap.done()
