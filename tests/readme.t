#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""README's two commands, as they stand there, on a machine that has no make: they begin by installing it; and what it names."""
import glob
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
LACKS = ("make", "sudo", "doas", "su", "dpkg-query", "apt-get")


def machine(folder):
    """A folder of programs that has all of this machine's but those; its environment."""
    programs = os.path.join(folder, "bin")
    os.mkdir(programs)
    for place in ("/usr/bin", "/usr/sbin"):
        for name in set(os.listdir(place)) - set(LACKS) - set(os.listdir(programs)):
            os.symlink(os.path.join(place, name), os.path.join(programs, name))
    for path, text in (("make", MAKE), ("bin/apt-get", APT_GET), ("bin/dpkg-query", "#!/bin/sh\nexit 1\n"),
                       ("bin/sudo", "#!/bin/sh\nexit 9\n")):
        with open(os.path.join(folder, path), "w", encoding="ascii") as f:
            f.write(text)
        os.chmod(os.path.join(folder, path), 0o755)
    return {**os.environ, "PATH": programs, "BARE": folder, "LOG": os.path.join(folder, "log")}


with open(os.path.join(tap.TOP, "README.md"), encoding="utf-8") as f:
    section = re.search(r"(?ms)^## Try it\n(.*?)^## ", f.read())[1]
commands = re.findall(r"(?m)^    (.*)$", section)
commands = [command.partition("#")[0].strip() for command in commands]
tap.ok(len(commands) == 2, "README has two commands to try", commands)
with open(os.path.join(tap.TOP, ".ci", "run"), encoding="ascii") as f:
    tap.ok(f.read().endswith(f"\nexec {commands[1]}\n"), ".ci/run calls the second, as it stands there")
for command, target in zip(commands, ("all", "check")):
    with tempfile.TemporaryDirectory() as folder:
        environment = machine(folder)
        done = tap.run(["/bin/sh", "-c", command], cwd=tap.TOP, env=environment)
        said = open(environment["LOG"]).read().splitlines() if os.path.exists(environment["LOG"]) else []
        tap.ok(done.returncode == 3 and len(said) == 3 and "install" in said[1] and
               said[2].startswith("make ") and target in shlex.split(said[2]),
               f"{command}: installs make before it calls it, as root without sudo", (done.returncode, said, done.stdout, done.stderr))

# Each says how it was called, and runs it as root would be: by an id that says so.
ROOT = {"sudo": 'shift\n', "doas": 'shift\n', "su": 'test "$1 $2 $3 $5 $6" = "-s /bin/sh -c -- root" || exit 8\nc=$4\nshift 6\nset -- /bin/sh -c "$c" "$@"\n'}


def becomes_root(folder, command, name):
    """As a user, with one program that makes it root, or none: what runs then, with which ids and path."""
    programs = os.path.join(folder, "bin")
    os.makedirs(os.path.join(folder, "scripts"))
    os.mkdir(programs)
    for tool in "sh", "env", "dirname", "basename", "printenv":
        os.symlink(shutil.which(tool), os.path.join(programs, tool))
    for script in "as-root", os.path.basename(command):
        shutil.copy(os.path.join(tap.TOP, "scripts", script), os.path.join(folder, "scripts"))
    for path, text in (("scripts/build-owner", ""), ("scripts/deps", 'printenv PATH SUDO_UID SUDO_GID USER_OF\nexit 7\n'),
                       ("bin/id", '[ "${USER_OF:-}" ] && echo 0 || echo 1234\n'),
                       *([("bin/" + name, f"USER_OF={name}\nexport USER_OF\nPATH={programs}\n{ROOT[name]}exec \"$@\"\n")] if name else [])):
        with open(os.path.join(folder, path), "w", encoding="ascii") as f:
            f.write("#!/bin/sh\n" + text)
        os.chmod(os.path.join(folder, path), 0o755)
    return tap.run(["/bin/sh", "-c", command], cwd=folder, env={"PATH": programs})


for command in commands:
    for name in "sudo", "doas", "su", None:
        with tempfile.TemporaryDirectory() as folder:
            done = becomes_root(folder, command, name)
            if name:
                tap.ok(done.returncode == 7 and done.stdout.split("\n")[1:] == ["1234", "1234", name, ""] and "/usr/sbin" in done.stdout,
                       f"{command} as a user: {name} makes it root, which knows the user", (done.returncode, done.stdout, done.stderr))
            else:
                tap.ok(done.returncode == 1 and "run this as root" in done.stderr and not done.stdout,
                       f"{command} as a user, without any of them: says so", (done.returncode, done.stdout, done.stderr))


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




def packaged():
    """Paths that the package fxtrec-core has beside README, by the lists that it is made from."""
    paths = set()
    folder = os.path.join(tap.TOP, "scripts", "debian")
    with open(os.path.join(folder, "fxtrec-core.docs"), encoding="ascii") as f:
        for pattern in f.read().split():
            paths |= {os.path.basename(path) for path in glob.glob(os.path.join(tap.TOP, pattern))}
    with open(os.path.join(folder, "fxtrec-core.install"), encoding="ascii") as f:
        for words in map(str.split, f):
            if len(words) == 2 and os.path.exists(os.path.join(tap.TOP, words[0])):
                paths.add(os.path.join(words[1].removeprefix("usr/share/doc/fxtrec-core/"), os.path.basename(words[0])))
    return paths


def named(text):
    """What it names by paragraph or line of a block: ("`make bench`", the paragraph)."""
    for paragraph in re.split(r"\n\n+", text):
        block = [line.strip() for line in paragraph.splitlines() if line.startswith("    ")]
        for word in block or re.findall(r"`([^`]+)`|\]\((?!http|#)([^)]+)\)", paragraph):
            yield word if isinstance(word, str) else word[0] or word[1], paragraph


def absent(text):
    """Files and commands of the source tree that a reader of the installed README would look for in vain."""
    paths = packaged()
    shown = tap.run([tap.FXTREC, "--help"]).stdout
    commands = {line.split()[0] for line in shown.splitlines() if line.startswith("  ")}
    wrong, seen = [], 0
    for section in re.split(r"(?m)^## ", text):
        marked = "source tree" in "\n".join(section.strip().split("\n\n")[1:2])
        for word, paragraph in named(section):
            first = re.sub(r"\s.*", "", word, flags=re.S)
            if first == "fxtrec" and len(word.split()) > 1:
                seen += 1
                if word.split()[1] not in commands | {"COMMAND"}:
                    wrong.append(word)
            elif first in ("make", "sudo") or re.match(r"[\w.-]+(/[\w.-]*)+$|[\w-]+\.(rst|md|png)$|COPYING$", first):
                seen += 1
                if not (marked or "source tree" in paragraph or first in paths or first.startswith(("/sys/", "/usr/share/doc/fxtrec-core/"))):
                    wrong.append(word)
    return wrong, seen


with open(os.path.join(tap.TOP, "README.md"), encoding="utf-8") as f:
    wrong, seen = absent(f.read())
tap.ok(not wrong and seen > 40, "README names nothing that isn't installed, but what it says is of the source tree", (wrong, seen))
tap.ok(absent("# x\n\n## y\n\nType `make check`, see `CONTRIBUTING.md` or ![](images/none.png).\n")[0] ==
       ["make check", "CONTRIBUTING.md", "images/none.png"], "and what isn't would be found")

if os.geteuid():
    tap.skip("what was built is the user's that called sudo", "needs root, to give it away")
else:
    owner()
tap.done()
