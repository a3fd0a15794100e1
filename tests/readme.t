#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""README's two commands, as they stand there, on a machine that has no make: they begin by installing it."""
import os
import re
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

# What make is here: it says how it was called, and fails, so that nothing is built.
MAKE = '#!/bin/sh\necho "make $*" >>"$LOG"\nexit 3\n'
# Nothing is installed until apt-get says so; make is there from then on.
APT_GET = '#!/bin/sh\necho "apt-get $*" >>"$LOG"\ncase $* in *install*\\ make\\ *) cp "$BARE/make" "$BARE/bin" ;; esac\n'
LACKS = ("make", "sudo", "dpkg-query", "apt-get")


def machine(folder):
    """A folder of programs that has all of this machine's but those; its environment."""
    programs = os.path.join(folder, "bin")
    os.mkdir(programs)
    for place in ("/usr/bin", "/usr/sbin"):
        for name in set(os.listdir(place)) - set(LACKS) - set(os.listdir(programs)):
            os.symlink(os.path.join(place, name), os.path.join(programs, name))
    for path, text in (("make", MAKE), ("bin/apt-get", APT_GET), ("bin/dpkg-query", "#!/bin/sh\nexit 1\n"),
                       ("bin/sudo", '#!/bin/sh\nexec "$@"\n')):
        with open(os.path.join(folder, path), "w", encoding="ascii") as f:
            f.write(text)
        os.chmod(os.path.join(folder, path), 0o755)
    return {**os.environ, "PATH": programs, "BARE": folder, "LOG": os.path.join(folder, "log")}


with open(os.path.join(tap.TOP, "README.md"), encoding="utf-8") as f:
    section = re.search(r"(?ms)^## Try it\n(.*?)^## ", f.read())[1]
commands = re.findall(r"(?m)^    (.*)$", section)
tap.ok(len(commands) == 2, "README has two commands to try", commands)
for command, target in zip(commands, ("all", "check")):
    with tempfile.TemporaryDirectory() as folder:
        environment = machine(folder)
        done = tap.run(["/bin/sh", "-c", command], cwd=tap.TOP, env=environment)
        said = open(environment["LOG"]).read().splitlines() if os.path.exists(environment["LOG"]) else []
        tap.ok(done.returncode == 3 and len(said) == 3 and "install" in said[1] and
               said[2].startswith("make ") and target in shlex.split(said[2]),
               f"{command}: installs make before it calls it", (done.returncode, said, done.stdout, done.stderr))


def owner():
    """After sudo, the user builds on: what is in build/ belongs to it, but for the systems that tests boot."""
    with tempfile.TemporaryDirectory() as folder:
        for path in ("scripts", "build/user", "build/kernels", "build/roots/bookworm"):
            os.makedirs(os.path.join(folder, path))
        script = shutil.copy(os.path.join(tap.TOP, "scripts", "build-owner"), os.path.join(folder, "scripts"))
        os.symlink(script, os.path.join(folder, "build", "user", "link"))
        for path in ("build/user/main.o", "build/fxtrec.pc", "build/roots/bookworm/file"):
            open(os.path.join(folder, path), "w").close()
        for environment, mine in (({"SUDO_UID": "", "SUDO_GID": ""}, set()),
                                  ({"SUDO_UID": "65534", "SUDO_GID": "65534"},
                                   {"build", "build/user", "build/user/main.o", "build/user/link", "build/fxtrec.pc"})):
            done = tap.run([script], env={**os.environ, **environment})
            found = {os.path.relpath(os.path.join(at, name), folder) for at, folders, files in os.walk(folder)
                     for name in folders + files if os.lstat(os.path.join(at, name)).st_uid == 65534}
            tap.ok(done.returncode == 0 and found == mine, f"what was built is {'the user' if mine else 'root'}'s", (done, found))


if os.geteuid():
    tap.skip("what was built is the user's that called sudo", "needs root, to give it away")
else:
    owner()
tap.done()
