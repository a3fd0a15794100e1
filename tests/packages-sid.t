#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Debian unstable: the packages are built there, installed there, and a guest of its kernel records by their module."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from folder import FIND, Folder, depends, packages, recorded
from tap import ok, run


def build(tarball, into):
    """In a folder of its own: what installs them has nothing that they were built with."""
    folder = Folder("sid-build", "sid")
    os.makedirs(folder.path + "/srv/fxtrec")
    run(["tar", "-C", folder.path + "/srv/fxtrec", "--strip-components=1", "-xf", tarball], check=True)
    # By what the packages themselves name: apt looks for debian/control.
    folder.apt("what they are built with", "install", "dpkg-dev")
    folder.run("cp", "-R", "/srv/fxtrec/scripts/debian", "/srv/debian")
    folder.apt("the packages name all that they are built with", "build-dep", "/srv")
    # As make deb does, but for lintian and piuparts, which it installs.
    done = folder.run("sh", "-c", "cd /srv/fxtrec && scripts/deb $(sed -n 's/^VERSION := //p' Makefile)", timeout=3000)
    ok(done.returncode == 0, "they are built", done.stdout[-4000:])
    run(["cp", *packages(folder.path + "/srv/fxtrec/build/deb"), into], check=True)
    folder.remove()


def life(debs):
    """Installed, used, removed."""
    folder = Folder("sid", "sid")
    with open(os.path.join(tap.TOP, "build", "kernels", "sid", "release"), encoding="ascii") as f:
        release = f.read().strip()
    folder.apt("what the packages depend on", "install", "dkms", "openssl", "kmod", "gcc", "g++", "pkg-config",
               *depends(debs))
    folder.run("depmod", release)
    before = folder.listing()
    folder.install("the packages are installed", packages(debs))
    done = folder.run("fxtrec", "record", "--no-marks", "-d", "1", "-o", "/tmp/x.fxt")
    ok(done.returncode == 0 and (recorded(done.stdout, "eBPF") or recorded(done.stdout, "the module")),
       "it records in the folder", done.stdout)
    folder.example()
    ok(folder.modules() == {release}, f"DKMS built the module for {release}", folder.modules())
    folder.guest("sid", release)
    done, left = folder.purge(), folder.left(before)
    ok(done.returncode == 0 and not left, "purged, nothing is left behind", (done.stdout[-1000:], left))
    ok(not folder.run("sh", "-c", FIND).stdout, "by name, either")
    folder.remove()


if os.environ.get("CHECK") != "all" or os.geteuid():
    tap.skip("the packages in Debian unstable", "in make check-all, as root")
else:
    with tempfile.TemporaryDirectory() as temporary:
        archive = os.path.join(temporary, "fxtrec.tar.gz")
        run([os.path.join(tap.TOP, "scripts", "dist"), "fxtrec", archive], check=True)
        build(archive, temporary)
        life(temporary)
tap.done()
