# SPDX-License-Identifier: GPL-2.0-only
"""A folder of Debian that packages are installed in: what is in it, commands there, and in a guest booted from it."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

import tap
from tap import ok, run

SCRIPTS = os.path.join(tap.TOP, "scripts")
APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "--yes", "--no-install-recommends"]
# What installing and removing any package changes.
ANY = re.compile(r"^/(var/(lib/(dpkg|apt|systemd|ucf)|cache|log)|etc/apt|etc/ld\.so\.cache|tmp|proc|sys|dev|run|root)(/|$)")
PACKAGES = ["fxtrec", "fxtrec-dkms", "libfxtrec1", "libfxtrec-dev"]
# What is left by name.  A guest has these sources where they are here.
FIND = ("find / -xdev -name '*fxtrec*' ! -path '/tmp/*' ! -path '/srv/*' ! -path '/var/*/apt/*' ! -path '/var/log/*' "
        f"! -path '{tap.TOP}'")


def packages(folder):
    return [path for path in sorted(glob.glob(os.path.join(folder, "*.deb"))) if "-dbgsym_" not in path]


def depends(folder):
    """What the packages in it depend on, beside each other."""
    names = set()
    for path in packages(folder):
        said = run(["dpkg-deb", "-f", path, "Depends"]).stdout
        names.update(re.findall(r"(?:^|, )([a-z0-9.+-]+)", said))
    return sorted(name for name in names if "fxtrec" not in name)


def recorded(text, backend):
    return f"by {backend}" in text and "nothing lost" in text


class Folder:
    """The distribution as it is installed, in build/roots/NAME."""

    def __init__(self, name, suite="bookworm"):
        self.path = os.path.join(tap.TOP, "build", "roots", name)
        run([os.path.join(SCRIPTS, "root-get"), self.path, suite], check=True, timeout=1800)

    def remove(self):
        shutil.rmtree(self.path)

    def run(self, *command, timeout=1800):
        return run([os.path.join(SCRIPTS, "root-run"), self.path, *command], timeout=timeout,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def apt(self, name, *arguments):
        done = self.run(*APT, *arguments, timeout=3000)
        return ok(done.returncode == 0, name, done.stdout[-3000:])

    def copy(self, paths, place):
        """The files into a place of its own; their paths there."""
        shutil.rmtree(self.path + place, ignore_errors=True)
        os.makedirs(self.path + place)
        return [os.path.join(place, os.path.basename(shutil.copy(path, self.path + place))) for path in paths]

    def install(self, name, debs):
        return self.apt(name, "install", *self.copy(debs, "/tmp/debs"))

    def purge(self):
        return self.run(*APT, "purge", *PACKAGES)

    def version(self):
        return self.run("dpkg-query", "-W", "-f", "${Version}", "fxtrec").stdout

    def modules(self):
        """The kernels that DKMS has built the module for."""
        return {path.split("/")[-4] for path in glob.glob(self.path + "/lib/modules/*/updates/dkms/fxtrec.ko*")}

    def listing(self):
        """Paths, but for what any package changes."""
        paths = set()
        for folder, folders, files in os.walk(self.path):
            here = folder[len(self.path):] or "/"
            if ANY.match(here):
                folders.clear()
                continue
            paths.update(path for path in (os.path.join(here, name) for name in folders + files) if not ANY.match(path))
        return paths

    def left(self, before):
        """What is there that wasn't, but for DKMS's own key."""
        return sorted(path for path in self.listing() - before if not path.startswith("/var/lib/dkms/mok"))[:20]

    def boot(self, series, script):
        """A command of the shell in a virtual machine of which the folder is the root: status and output."""
        with tempfile.TemporaryDirectory() as out:
            return run([os.path.join(SCRIPTS, "vm-run"), "-k", series, "-r", self.path, "-c", "2", "-t", "2400",
                        "-o", out, "--", "sh", "-c", script], timeout=2700,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def guest(self, series, release):
        """The module that DKMS built here records in the guest."""
        done = self.boot(series, "uname -r; fxtrec doctor; fxtrec record -d 2 -o /tmp/guest.fxt && "
                                 "fxtrec check /tmp/guest.fxt; modinfo -F version fxtrec; rmmod fxtrec")
        ok(done.returncode == 0 and done.stdout.startswith(release) and recorded(done.stdout, "the module") and
           ": valid: 0 errors" in done.stdout and "a recording works: by the module" in done.stdout,
           f"{release}: booted from the folder, its module records", done.stdout[-3000:])
        ok("fxtrec.ko" not in done.stdout.split("a recording works")[0] or "updates/dkms" in done.stdout,
           f"{release}: the one that DKMS built", done.stdout[:3000])

    def example(self):
        """The manual's example, against what is installed."""
        for compiler in ("gcc", "g++"):
            script = ("cd /tmp && cp /usr/share/doc/libfxtrec-dev/examples/trace.c . && "
                      f"{compiler} trace.c -o trace $(pkg-config --cflags --libs fxtrec) && ./trace && "
                      "fxtrec check example.fxt && echo '#include <fxtrec/mark.h>' >mark.c && "
                      "echo 'int main(void) { fxtrec_instant(\"x\"); return 0; }' >>mark.c && "
                      f"{compiler} mark.c -o mark -lpthread && ./mark; rm -f trace* mark* example.fxt")
            done = self.run("sh", "-c", script)
            ok(done.returncode == 0 and "valid: 0 errors" in done.stdout,
               f"{compiler} builds the example against the packages", done.stdout)
