// SPDX-License-Identifier: GPL-2.0-only
/* The module as a source: loads and configures it, maps its rings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>


#include "select/filter.h"
#include "select/tracepoints.h"
#include "source/kmod_load.h"
#include "source/source.h"
#include "source/kernel_btf.h"
#include "source/throttle_kind.h"

#define OWNER "/sys/class/misc/fxtrec/owner"

struct kmod {
	int fd;
	size_t area_bytes;
};

static int device_open(struct fxt_error *error)
{
	char owner[64] = "another process";
	int fd = open(FXTREC_DEVICE, O_RDWR | O_CLOEXEC);
	FILE *f;

	if (fd >= 0)
		return fd;
	if (errno == EPERM || errno == EACCES)
		return fxt_error_set(error, errno, "%s: needs root or CAP_PERFMON", FXTREC_DEVICE);
	if (errno != EBUSY)
		return fxt_error_set(error, errno, "%s: %s", FXTREC_DEVICE, strerror(errno));
	f = fopen(OWNER, "re");
	if (f && fgets(owner, sizeof(owner), f))
		owner[strcspn(owner, "\n")] = '\0';
	if (f)
		fclose(f);
	return fxt_error_set(error, EBUSY, "%s: in use by %s", FXTREC_DEVICE, owner);
}

static int configure(int fd, struct fxtrec_config *config, struct fxt_error *error)
{
	char version[64];

	if (!ioctl(fd, FXTREC_IOC_CONFIGURE, config))
		return 0;
	switch (errno) {
	case EPROTO:
		fxt_kmod_version(version, sizeof(version));
		return fxt_error_set(error, EPROTO, "the loaded module is of version %s (interface %u), this tool of "
				     FXT_VERSION " (interface %u): install fxtrec-dkms of that version, then "
				     "type \"modprobe -r fxtrec\"", version, config->abi, FXTREC_ABI);
	case EOPNOTSUPP:
		return fxt_error_set(error, EOPNOTSUPP,
				     "this kernel finds its time-stamp counter unreliable");
	case ENOMEM:
		return fxt_error_set(error, ENOMEM, "no memory for rings of %u KiB a CPU",
				     config->data_bytes >> 10);
	default:
		return fxt_error_set(error, errno, "%s: configure: %s", FXTREC_DEVICE,
				     strerror(errno));
	}
}

static int tracepoints_set(int fd, const struct fxt_source_options *options, struct fxt_error *error)
{
	struct fxtrec_tracepoints t = { .size = sizeof(t) };

	if (!(options->events & FXTREC_EVENTS_TRACEPOINTS))
		return 0;
	t.count = options->tracepoints->count;
	t.table = (__u64)options->tracepoints->table;
	if (!ioctl(fd, FXTREC_IOC_TRACEPOINTS, &t))
		return 0;
	return fxt_error_set(error, errno, "%s: tracepoints: %s", FXTREC_DEVICE, strerror(errno));
}

static void unmap(struct fxt_source *source)
{
	struct kmod *k = source->state;
	unsigned int i;

	for (i = 0; i < source->cpu_count; i++) {
		munmap((void *)source->cpus[i].area, k->area_bytes);
		munmap(source->cpus[i].consumer, sizeof(struct fxtrec_consumer));
	}
}

/* Maps the rings of all CPUs that have rings; -errno. */
static int map(struct fxt_source *source, int fd, const struct fxtrec_config *config)
{
	/* The consumer page is the first one of each mapping, in the kernel's page size. */
	__u64 page = sysconf(_SC_PAGESIZE);
	__u32 cpu;

	source->cpu_ids = config->cpu_count;
	source->cpus = calloc(config->cpu_count, sizeof(*source->cpus));
	if (!source->cpus)
		return -ENOMEM;
	for (cpu = 0; cpu < config->cpu_count; cpu++) {
		void *consumer, *area = mmap(NULL, config->area_bytes, PROT_READ,
					     MAP_SHARED | MAP_POPULATE, fd, cpu * config->area_bytes);

		if (area == MAP_FAILED && errno == ENXIO)
			continue;
		if (area == MAP_FAILED)
			return -errno;
		consumer = mmap(NULL, sizeof(struct fxtrec_consumer), PROT_READ | PROT_WRITE,
				MAP_SHARED, fd, config->consumer_offset + cpu * page);
		if (consumer == MAP_FAILED) {
			int err = errno;

			munmap(area, config->area_bytes);
			return -err;
		}
		source->cpus[source->cpu_count++] = (struct fxt_source_cpu){ cpu, area, consumer };
	}
	return 0;
}

static int kmod_open(struct fxt_source *source, const struct fxt_source_options *options,
		     struct fxt_error *error)
{
	struct fxtrec_config config = {
		.size = sizeof(config),
		.abi = FXTREC_ABI,
		.data_bytes = options->data_bytes,
		.subbufs = options->subbufs,
		.clock = options->clock,
		.filter = options->filter ? (unsigned long)&options->filter->kernel : 0,
		.delays = (unsigned long)options->delays,
		.reasons = (unsigned long)options->reasons,
		.events = options->events,
		.stacks = options->stack_states,
	};
	struct fxt_kernel_btf *kernel = fxt_kernel_btf_open();
	struct fxtrec_throttle throttle;
	struct kmod *k;
	int err = 0;

	fxt_throttle_kind(&throttle, kernel);
	fxt_kernel_btf_close(kernel);
	if (throttle.kind)
		config.throttle = (unsigned long)&throttle;

	if (options->clock < 0)
		config.clock = fxt_clock_tsc_trusted() ? FXT_CLOCK_TSC : FXT_CLOCK_MONO;
	if (access(FXTREC_DEVICE, F_OK))
		err = fxt_kmod_load(error);
	if (err)
		return err;
	k = calloc(1, sizeof(*k));
	if (!k)
		return fxt_error_set(error, ENOMEM, "no memory");
	source->state = k;
	err = k->fd = device_open(error);
	if (err < 0)
		goto free_state;
	err = configure(k->fd, &config, error);
	/* The kernel may not trust the counter, though it uses it as its clock. */
	if (err == -EOPNOTSUPP && options->clock < 0) {
		config.clock = FXT_CLOCK_MONO;
		err = configure(k->fd, &config, error);
	}
	if (!err)
		err = tracepoints_set(k->fd, options, error);
	if (err)
		goto close_device;
	source->clock = config.clock;
	source->ticks_per_second = config.ticks_per_second;
	source->throttling = throttle.kind;
	k->area_bytes = config.area_bytes;
	err = map(source, k->fd, &config);
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: can't map the rings: %s", FXTREC_DEVICE, strerror(-err));
	unmap(source);
	free(source->cpus);
	source->cpus = NULL;
close_device:
	close(k->fd);
free_state:
	free(k);
	return err;
}

static int command(struct fxt_source *source, unsigned long request, const char *name,
		   struct fxt_error *error)
{
	struct kmod *k = source->state;

	if (!ioctl(k->fd, request))
		return 0;
	return fxt_error_set(error, errno, "%s: %s: %s", FXTREC_DEVICE, name, strerror(errno));
}

static int follow(struct fxt_source *source, const struct fxtrec_follow *follow, struct fxt_error *error)
{
	int threads = ioctl(((struct kmod *)source->state)->fd, FXTREC_IOC_FOLLOW, follow);

	return threads < 0 ? fxt_error_set(error, errno, "%s: follow: %s", FXTREC_DEVICE, strerror(errno)) : threads;
}

static int kmod_follow(struct fxt_source *source, __u32 tid, int on, struct fxt_error *error)
{
	return follow(source, &(struct fxtrec_follow){ .size = sizeof(struct fxtrec_follow), .tid = tid, .on = on }, error);
}

static int kmod_follow_process(struct fxt_source *source, __u32 pid, struct fxt_error *error)
{
	return follow(source, &(struct fxtrec_follow){ .size = sizeof(struct fxtrec_follow), .tid = pid, .on = 1,
						       .flags = FXTREC_FOLLOW_PROCESS }, error);
}

static int kmod_followed(const struct fxt_source *source, __u32 below)
{
	return ioctl(((const struct kmod *)source->state)->fd, FXTREC_IOC_FOLLOWED, (unsigned long)below);
}

static int kmod_start(struct fxt_source *source, struct fxt_error *error)
{
	return command(source, FXTREC_IOC_START, "start", error);
}

static int kmod_stop(struct fxt_source *source, struct fxt_error *error)
{
	return command(source, FXTREC_IOC_STOP, "stop", error);
}

static int kmod_list_threads(struct fxt_source *source, enum fxtrec_listing listing, struct fxt_error *error)
{
	struct kmod *k = source->state;
	int fd = ioctl(k->fd, FXTREC_IOC_LIST, (unsigned long)listing) ? -1 : fcntl(k->fd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? fxt_error_set(error, errno, "%s: %s", FXTREC_DEVICE, strerror(errno)) : fd;
}

static __u64 kmod_missed(struct fxt_source *source)
{
	return fxt_source_unrecorded(source, 0);
}

static void kmod_late(const struct fxt_source *source, struct fxtrec_late *table)
{
	struct fxtrec_late_table late = {
		.size = sizeof(late), .count = source->cpu_ids, .table = (unsigned long)table,
	};
	struct kmod *k = source->state;

	if (ioctl(k->fd, FXTREC_IOC_LATE, &late))
		memset(table, 0, source->cpu_ids * sizeof(*table));
}

static void kmod_close(struct fxt_source *source)
{
	struct kmod *k = source->state;

	unmap(source);
	close(k->fd);
	free(k);
}

const struct fxt_source_ops fxt_source_kmod = {
	.name = "the module",
	.backend = FXT_STR_BACKEND_KMOD,
	.open = kmod_open,
	.list_threads = kmod_list_threads,
	.follow = kmod_follow,
	.follow_process = kmod_follow_process,
	.followed = kmod_followed,
	.start = kmod_start,
	.stop = kmod_stop,
	.missed = kmod_missed,
	.late = kmod_late,
	.close = kmod_close,
};
