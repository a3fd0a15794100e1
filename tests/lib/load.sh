#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A load of about that many context switches, of every kind: load.sh SWITCHES
set -eu
n=$1

# Pairs on one CPU and across CPUs, many-to-many, sleepers, forks, renames, moves, kernel log, D sleeps.
perf bench sched pipe -l $((n / 8)) &
perf bench sched pipe -T -l $((n / 8)) &
perf bench sched messaging -g 4 -l $((n / 1600)) &
i=0
cpus=$(nproc)
moves=$((n / 500))
[ $moves -le 200 ] || moves=200
[ $moves -ge 60 ] || moves=60
while [ $i -lt $moves ]; do
	# On one CPU after the other, wherever it is.
	taskset -c $((i % cpus)) taskset -c $(((i + 1) % cpus)) /bin/true
	i=$((i + 1))
done
# Woken by timers.
i=0
while [ $i -lt 40 ]; do
	sleep 0.01
	i=$((i + 1))
done
nice -n 10 dd if=/dev/zero of=/dev/null bs=1M count=200 2>/dev/null
wait
