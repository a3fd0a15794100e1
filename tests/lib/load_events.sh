#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Interrupts, also between processors, system calls of 64 and of 32 bits, lent priorities, and idling: load_events.sh FOLDER-OF-PROGRAMS ROUNDS [FOLDER-OF-FILES]
set -eu
programs=$1 files=${3:-/usr/lib/python3}
i=0
while [ $i -lt "$2" ]; do
	perf bench sched pipe -l 500 >/dev/null 2>&1
	perf bench sched messaging -g 1 -l 5 >/dev/null 2>&1
	"$programs/lend" 5
	"$programs/compat" 20 || :
	find "$files" >/dev/null
	dd if=/dev/zero of=/dev/null bs=4k count=200 2>/dev/null
	cat /proc/interrupts >/dev/null
	# Wakeups from one CPU on another: interrupts between processors.
	taskset -c 0 sh -c 'n=0; while [ $n -lt 300 ]; do echo $n; n=$((n + 1)); done' |
		taskset -c 1 cat >/dev/null
	# Function calls from one CPU on another; an idle one may see them without an interrupt.
	taskset -c 1 "$programs/spins" &
	spins=$!
	taskset -c 0 "$programs/calls" 20
	kill $spins
	wait $spins || :
	sleep 0.05
	i=$((i + 1))
done
