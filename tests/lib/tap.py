# SPDX-License-Identifier: GPL-2.0-only
"""TAP for the test programs: ok(), all_of(), skip(), note(), done(); run() and fails()."""
import os
import signal
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What was built: for a guest of another architecture in a folder of its own.
BUILD = os.environ.get("BUILD") or os.path.join(TOP, "build")
FXTREC = os.environ.get("FXTREC") or os.path.join(BUILD, "fxtrec")
# By make check-sanitize; the sanitizers' own memory isn't the tool's.
SANITIZED = FXTREC.endswith("-sanitized")

count = 0
failed = 0

# A shell that runs the tests in the background has it ignored, and so would all that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def amount(name, few, many):
    """How often, how long or how much, unless the environment says by that name: few, or many in "make check-all"."""
    return type(few)(os.environ.get(name) or (many if os.environ.get("CHECK") == "all" else few))


def note(text, to=sys.stdout):
    for line in str(text).splitlines():
        print("#", line, file=to, flush=True)


def ok(condition, name, why=""):
    """One test; why is shown where it fails."""
    global count, failed
    count += 1
    if not condition:
        failed += 1
    print(f"{'ok' if condition else 'not ok'} {count} - {name}", flush=True)
    if not condition:
        # Where prove shows it, and once more at the end of all tests.
        note(f"failed: {name}", sys.stderr)
        note(why, sys.stderr)
        if "TAP_FAILED" in os.environ:
            with open(os.environ["TAP_FAILED"], "a") as f:
                f.write(f"{os.path.basename(sys.argv[0])} {count}: {name}: {str(why)[:500]}\n")
    return bool(condition)


def all_of(name, items, predicate, least=1, why=""):
    """A test that at least so many items are there, and that the predicate holds for each; it shows those that fail."""
    items = list(items)
    wrong = [item for item in items if not predicate(item)]
    return ok(len(items) >= least and not wrong, name,
              f"{len(items)} items, of at least {least}; {len(wrong)} are wrong: {wrong[:5]} {why}")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}", flush=True)


def done():
    print(f"1..{count}", flush=True)
    sys.exit(1 if failed else 0)


def run(arguments, timeout=600, **options):
    """A command with its output as text; a timeout is an error of the test."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(arguments, timeout=timeout, text=True, errors="replace", **options)


def said(*arguments):
    """The output of a command of fxtrec, or its errors if it fails."""
    done = run([FXTREC, *arguments])
    return done.stdout if done.returncode == 0 else done.stderr


def fails(arguments, status, text, name, **options):
    """The tool: one line on standard error that says text, and the exit status."""
    done = run([FXTREC] + arguments, **options)
    lines = done.stderr.strip().splitlines()
    # argp adds a line, which it may break, that names --help.
    good = done.returncode == status and text in done.stderr and len(lines) <= (3 if status == 2 else 1)
    ok(good, name, f"{done.returncode}: {done.stderr}")
