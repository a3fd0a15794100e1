#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The tool as it was linked: what makes a fault in it hard to use is there."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

TOOLS = [os.path.join(tap.TOP, "build", name) for name in ("fxtrec", "fxtrec-larger")]


def readelf(tool, *options):
    done = tap.run(["readelf", "-W", *options, tool])
    tap.ok(done.returncode == 0 and done.stdout, f"readelf {' '.join(options)}", done.stderr)
    return done.stdout



def linked(tool):
    tap.note(os.path.basename(tool))
    header, segments, dynamic = readelf(tool, "-h"), readelf(tool, "-l"), readelf(tool, "-d")
    symbols = readelf(tool, "--dyn-syms")
    tap.ok("DYN (Position-Independent Executable" in header, "it is position-independent", header)
    tap.ok("GNU_RELRO" in segments and re.search(r"FLAGS.*\bBIND_NOW\b|FLAGS_1.*\bNOW\b", dynamic),
           "its relocations are read-only before it runs", dynamic)
    stack = re.search(r"GNU_STACK.* (R\S*) ", segments)
    tap.ok(stack and "E" not in stack[1], "its stack is not executable", segments)
    both = re.findall(r"LOAD .* (RWE) ", segments)
    tap.ok(not both, "no segment is writable and executable", both)
    tap.ok("RPATH" not in dynamic and "RUNPATH" not in dynamic, "it takes no library from elsewhere")
    tap.ok("__stack_chk_fail" in symbols, "stacks have guards", symbols)
    checked = set(re.findall(r"__(\w+)_chk@", symbols)) - {"stack_chk_fail"}
    tap.ok(len(checked) > 4, f"libc's functions are the checked ones ({', '.join(sorted(checked))})",
           symbols)
    if "[libtracecmd." in dynamic:
        bound = tap.run([tool, "--version"], env=os.environ | {"LD_BIND_NOW": "1", "LD_DEBUG": "bindings"}).stderr
        of = re.findall(r"libtracecmd\S+ \[0\] to (\S+) \[0\]: normal symbol `tep_parse_kallsyms'", bound)
        tap.ok(of == [tool], "libtracecmd is kept from a table of the kernel's symbols, which takes it long", of or bound[-300:])
    if os.uname().machine == "x86_64":
        # Not the property in its notes: Debian 12's C library comes without, and so the linker drops it.
        code = tap.run(["objdump", "-d", "--no-show-raw-insn", tool]).stdout
        tap.ok(re.search(r"sub +\$0x1000,%rsp\n.*or[ql]? +\$0x0,", code),
               "large stacks are touched page by page")
        main = re.search(r"<main>:\n.*\n?", code)
        tap.ok(main and "endbr64" in main[0], "functions begin with where a branch may land", main)


for each in TOOLS:
    linked(each)
tap.done()
