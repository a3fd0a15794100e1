// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls functions on CPU 1, at least two each time, by an interrupt if the CPU is busy and this program runs elsewhere:
 * calls COUNT
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	/* The CPU itself starts and ends counting. */
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
	};
	int count = argc > 1 ? atoi(argv[1]) : 1;

	while (count--) {
		int fd = syscall(SYS_perf_event_open, &attr, -1, 1, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0 || close(fd))
			return 1;
		usleep(1000);
	}
	return 0;
}
