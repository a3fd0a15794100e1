# SPDX-License-Identifier: GPL-2.0-only
"""What fxtrec top says of each lap, beside what the report of the same time says."""
import json

import tap

COUNTS = ("switches", "preemptions", "wakeups", "migrations")
# With losses, how many threads could run is a matter of what is learned later.
OF_QUEUES = ("runnable_mean", "runnable_max", "idle_while_waiting_ns")
WAITS = ("wait_wakeup_ns", "wait_preempted_ns")
ASLEEP = ("sleep_ns", "blocked_ns")
CLASSES = tuple(f"{name}_ns" for name in ("idle", "lock", "disk", "network", "pipe", "memory", "child", "kernel", "other"))


def said(*arguments):
    done = tap.run([tap.FXTREC, *arguments])
    if done.returncode or done.stderr:
        raise RuntimeError(f"{arguments}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def report_of(path, lap, length, *options):
    """The report of the time of a lap, of which the last may be shorter than the others."""
    return said("report", "--json", f"--time=@{lap['from_ns']},@{lap['from_ns'] + length}", path, *options)[0]


LISTED = ("sleep_ns", "blocked_ns", "stopped_ns")


def followed(mine, other, wrong):
    """The names without those of classes, where the classes differ by as much as the states that they are classes of."""
    def more(names):
        return sum((mine.get(name) or 0) - (other.get(name) or 0) for name in names)

    states = [name for name in wrong if name not in CLASSES]
    return states if set(states) & set(ASLEEP) and more(CLASSES) == more(ASLEEP) else wrong


def empty(row):
    """A thread that is only heard of later: top doesn't know of it yet, and the report its listed state at most."""
    return any(row[name] == row["end_ns"] - row["begin_ns"] for name in ("unknown_ns", *LISTED)) and \
        not any(row[name] for name in COUNTS) and not row["latency"]["count"]


def listed(mine, other, wrong):
    """Of the time before a thread's first event the report knows the state that the recorder listed; top doesn't use it."""
    did = [name for name in wrong if name != "unknown_ns"]
    return len(did) == 1 and did[0] in LISTED and mine["unknown_ns"] - other["unknown_ns"] == other[did[0]] - mine[did[0]] > 0


def doubted(mine, other, wrong, hidden, waits):
    """
    A later record contradicts what the thread was believed to do: of some of it the report knows less than top could,
    and nothing more.  That one ran is only contradicted where a switch away from it is hidden, that it waited for a
    CPU where the switch to it is.
    """
    less = ("sleep_ns", "blocked_ns", "stopped_ns") + (("run_ns",) if hidden else ()) + (WAITS if waits else ())
    return other and all(name == "unknown_ns" or name in less and mine[name] > other[name] for name in wrong) and \
        sum(mine[name] - other[name] for name in wrong) == 0


def unlearned(mine, other, wrong, following):
    """
    A thread that was woken as it was about to leave its CPU waits for that one or sleeps: top says which if the lap that
    follows does.  The thread did nothing else in all of that one.
    """
    did = [name for name in wrong if name != "unknown_ns"]
    if len(did) != 1 or did[0] not in ("sleep_ns", "blocked_ns", "stopped_ns", *WAITS):
        return False
    rows = [row for row in following["threads"] if row["key"] == mine["key"]] if following else []
    return mine["unknown_ns"] - other["unknown_ns"] == other[did[0]] - mine[did[0]] > 0 and len(rows) == 1 and \
        rows[0][did[0]] == following["to_ns"] - following["from_ns"]


def cpus_differing(mine, others, queues, ran):
    """ran: ns that top believed some thread to run, and the report doesn't.  queues: whether what waited is the same."""
    left = ran
    for lap, other in zip(mine, others):
        doubt = lap["busy_ns"] - other["busy_ns"]
        names = [name for name in lap if lap[name] != other[name] and (queues or name not in OF_QUEUES)]
        if doubt > 0 and doubt == other["unknown_ns"] - lap["unknown_ns"]:
            names = [name for name in names if name not in ("busy_ns", "unknown_ns")]
            left -= doubt
        if names:
            return f"CPU {lap['cpu']}: " + "; ".join(f"{name}: {lap[name]}, the report has {other[name]}"
                                                     for name in names)
    return f"CPUs were busy for {ran - left} ns of {ran} that threads ran in doubt" if left else None


def differing(lap, report, queues=True, names=("version", "file", "clock", "from_ns", "to_ns", "lost"), ignored=(),
              doubts=0, hidden=frozenset(), following=None, lists=False):
    """
    What is another in the report; None: nothing is.  doubts: of so many threads the report may know less.  hidden:
    processes of threads from which switches are hidden; the threads that these switches lead to may be any.  following:
    the report of the time that follows, behind which top waits for nothing.  lists: the recording has listed states.
    """
    for name in names:
        if lap[name] != report[name]:
            return f"{name}: {lap[name]}, the report has {report[name]}"
    doubtful = ran = waited = 0
    expected = {row["key"]: row for row in report["threads"]}
    for mine in lap["threads"]:
        other = expected.pop(mine["key"], {})
        wrong = followed(mine, other, [name for name in mine if mine[name] != other.get(name) and name not in ignored])
        if lists and other and listed(mine, other, wrong):
            continue
        doubtful += bool(wrong)
        if wrong and not (doubtful <= doubts and doubted(mine, other, wrong, other.get("pid") in hidden, hidden)) and \
           not unlearned(mine, other, wrong, following):
            return f"thread {mine['tid']}: " + "; ".join(f"{name}: {mine[name]}, the report has {other.get(name)}"
                                                         for name in wrong)
        if wrong:
            ran += mine["run_ns"] - other["run_ns"]
            waited += sum(abs(mine[name] - other[name]) for name in WAITS)
    if not all(map(empty, expected.values())):
        return f"no thread {[row['tid'] for row in expected.values()]}"
    if queues and [row["run_ns"] for row in lap["threads"]] != \
            sorted((row["run_ns"] for row in lap["threads"]), reverse=True):
        return "not sorted"
    cpus = {cpu["cpu"] for cpu in lap["cpus"]}
    wrong = cpus_differing(lap["cpus"], [cpu for cpu in report["cpus"] if cpu["cpu"] in cpus],
                           queues and not ran and not waited, ran)
    if wrong:
        return wrong
    if any(cpu["cpu"] not in cpus and cpu["unknown_ns"] != report["to_ns"] - report["from_ns"]
           for cpu in report["cpus"]):
        return "a CPU is missing"
    return None
