#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""libfxtrec as a program gets it: its header in C and C++, the example, its symbols, what it calls."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from tap import FXTREC, TOP, ok, run

BUILD = os.path.join(TOP, "build")
LIBRARY = os.path.join(BUILD, "libfxtrec.so.1.0.0")
EXAMPLE = os.path.join(TOP, "Documentation", "examples", "trace.c")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I" + os.path.join(TOP, "include")]
COMPILERS = (("gcc", "c", "c11"), ("gcc", "c", "c17"), ("clang", "c", "c11"), ("g++", "c++", "c++11"), ("g++", "c++", "c++20"))
# Functions that a library has no use for: they print, end the program, or change what it shares with others.
FORBIDDEN = re.compile(r"^_*(v?f?d?printf|puts|putchar|fputs|fwrite|perror|exit|abort|_exit|signal|sigaction|setlocale|"
                       r"fork|system|pthread_create)(_chk)?$")


def example(folder):
    """The manual's example, by each compiler, with the shared and the static library."""
    os.symlink(LIBRARY, os.path.join(folder, "libfxtrec.so"))
    os.symlink(LIBRARY, os.path.join(folder, "libfxtrec.so.1"))
    digests = set()
    for compiler, language, standard in COMPILERS:
        for name, link in (("shared", ["-L" + folder, "-lfxtrec", "-Wl,-rpath," + folder]),
                           ("static", [os.path.join(BUILD, "libfxtrec.a")])):
            program = os.path.join(folder, f"{compiler}-{standard}-{name}")
            done = run([compiler, "-x", language, "-std=" + standard, *STRICT, EXAMPLE, "-x", "none", *link, "-o", program])
            done = run([program], cwd=folder) if done.returncode == 0 else done
            path = os.path.join(folder, "example.fxt")
            good = done.returncode == 0 and not done.stdout + done.stderr and os.path.exists(path)
            ok(good, f"the example, {name}, by {compiler} -std={standard}", done.stdout + done.stderr)
            if good:
                with open(path, "rb") as f:
                    digests.add(f.read())
                os.rename(path, os.path.join(folder, "made.fxt"))
    done = run([FXTREC, "check", os.path.join(folder, "made.fxt")])
    ok(len(digests) == 1 and done.returncode == 0 and "valid: 0 errors, 0 notes" in done.stdout,
       "fxtrec check finds its file valid", done.stdout + done.stderr)
    for form in ("json", "pftrace"):
        done = run([FXTREC, "convert", os.path.join(folder, "made.fxt"), "-o", os.path.join(folder, "made." + form)])
        ok(done.returncode == 0 and not done.stderr.count("can't hold"), f"and converts it to {form}", done.stderr)
    with open(os.path.join(folder, "made.json"), encoding="utf-8") as f:
        text = f.read()
    ok(all(f'"{word}"' in text for word in ("read", "io", "bytes", "server", "worker")),
       "with its names", text)
    with open(EXAMPLE, encoding="utf-8") as f:
        lines = f.read().split("\n{\n", 1)[1].splitlines()
    ok(len(lines) <= 20, "the example's function has twenty lines", len(lines))
    done = run([os.path.join(folder, "gcc-c11-shared")], cwd="/proc")
    ok(done.returncode == 1 and done.stderr.startswith("example.fxt: "), "and says why it can't write", done.stderr)


# Nothing is said of what isn't there: getenv() gives such texts.
NULLS = """#include <fxtrec/trace.h>
int main(void)
{
	struct fxtrec_arg args[2] = { fxtrec_arg_string("home", NULL), fxtrec_arg_int64(NULL, 7) };
	struct fxtrec_thread thread = { 1, 1 };
	const struct fxtrec_record *record;
	struct fxtrec_writer *writer;
	struct fxtrec_reader *reader;
	const struct fxtrec_arg *home;

	if (fxtrec_writer_open(&writer, "nulls.fxt") ||
	    fxtrec_writer_event(writer, FXTREC_EVENT_INSTANT, 1, &thread, NULL, NULL, 0, args, 2) ||
	    fxtrec_writer_close(writer) || fxtrec_reader_open(&reader, "nulls.fxt") || fxtrec_reader_next(reader, &record) != 1)
		return 1;
	home = fxtrec_record_arg(record, "home");
	return !home || home->type != FXTREC_ARG_STRING || home->text.length || fxtrec_record_arg(record, "")->number.int64 != 7;
}
"""


def nulls(folder):
    source = os.path.join(folder, "nulls.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(NULLS)
    for compiler, language, standard in COMPILERS:
        program = os.path.join(folder, f"nulls-{compiler}-{standard}")
        done = run([compiler, "-x", language, "-std=" + standard, "-O1", *STRICT, source, "-x", "none",
                    os.path.join(BUILD, "libfxtrec.a"), "-o", program])
        done = run([program], cwd=folder) if done.returncode == 0 else done
        ok(done.returncode == 0, f"NULL is an empty text, by {compiler} -std={standard}", (done.returncode, done.stderr[-1000:]))


def installing():
    """The loader learns of a library that comes or goes, but not of one below DESTDIR."""
    with tempfile.TemporaryDirectory() as folder:
        place, done, found = os.path.join(folder, "a b"), [], []
        # Nothing is built: another test may need it as it is.
        for target in ("install", "uninstall"):
            done.append(run(["make", "-C", TOP, "-o", "all", "-o", "man", target, "DESTDIR=" + place]))
            found.append({os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names})
        ok(not any(each.returncode for each in done) and "a b/usr/local/lib/libfxtrec.so.1" in found[0] and
           all(path.startswith("a b/") for path in found[0]) and not found[1],
           "make install and uninstall with a space in DESTDIR", (found, [each.stderr for each in done]))
    for target in ("install", "uninstall"):
        here, there = (run(["make", "-C", TOP, "-n", target, "DESTDIR=" + folder]).stdout for folder in ("", "/nowhere"))
        ok(here.count(" ldconfig ") == 1 and "ldconfig" not in there, f"make {target} runs ldconfig, but for a DESTDIR",
           here[-1000:])


def symbols():
    with open(os.path.join(TOP, "include", "fxtrec", "trace.h"), encoding="utf-8") as f:
        header = f.read()
    with open(os.path.join(TOP, "user", "lib", "fxtrec.map"), encoding="utf-8") as f:
        mapped = set(re.findall(r"\t(fxtrec_\w+);", f.read()))
    with open(os.path.join(TOP, "scripts", "debian", "libfxtrec1.symbols"), encoding="utf-8") as f:
        packaged = set(re.findall(r"(?m)^ (fxtrec_\w+)@", f.read()))
    declared = set(re.findall(r"(?m)^(?!static|typedef)\w[\w \t*]*?\b(fxtrec_\w+)\(", header))
    exported = {line.split()[2] for line in run(["nm", "-D", "--defined-only", LIBRARY]).stdout.splitlines()}
    versioned = {name.split("@@")[0] for name in exported if name.endswith("@@FXTREC_0.1")}
    ok(len(declared) > 15 and declared == mapped == packaged == versioned,
       "what the header declares is what the library exports, with a version", (declared ^ versioned, mapped ^ packaged))
    ok({name for name in exported if not name.startswith(("fxtrec_", "FXTREC_"))} == set(), "and it exports nothing else",
       exported)
    done = run(["nm", "--defined-only", "--extern-only", os.path.join(BUILD, "libfxtrec.a")]).stdout
    static = {line.split()[2] for line in done.splitlines() if len(line.split()) == 3}
    ok(static == declared, "nor does the static one", static ^ declared)
    called = {line.split()[-1].split("@")[0] for line in run(["nm", "-D", "-u", LIBRARY]).stdout.splitlines()}
    ok("malloc" in called and not [name for name in called if FORBIDDEN.match(name)],
       "it calls nothing that prints or ends a program", sorted(called))
    needed = re.findall(r"NEEDED\s+(\S+)", run(["objdump", "-p", LIBRARY]).stdout)
    ok(needed == ["libc.so.6"], "it needs the C library alone", needed)
    ok("SONAME               libfxtrec.so.1\n" in run(["objdump", "-p", LIBRARY]).stdout, "its name has its version")


with tempfile.TemporaryDirectory() as temporary:
    example(temporary)
    nulls(temporary)
installing()
symbols()
tap.done()
