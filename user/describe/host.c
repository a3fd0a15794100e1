// SPDX-License-Identifier: GPL-2.0-only
/* Describes the machine, its processors, and the recorder's command line. */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/host.h"
#include "describe/proc.h"
#include "select/filter.h"

#define CPU_FOLDER	"/sys/devices/system/cpu/cpu%u"

/* Reads the id that the kernel generates at each boot. */
static bool boot_read(char *boot, size_t room)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool found = f && fgets(boot, room, f);

	if (f)
		fclose(f);
	if (found)
		boot[strcspn(boot, "\n")] = '\0';
	return found;
}

static void put_host(FILE *f, __u64 ticks, const struct fxt_source *source)
{
	static const char *const throttling[] = {
		[FXT_THROTTLING_UNKNOWN] = "unknown",
		[FXT_THROTTLING_QUEUES] = "queues",
		[FXT_THROTTLING_THREADS] = "threads",
	};
	struct fxt_emit_args args = {};
	char command[FXT_EMIT_TEXT_MAX];
	struct timex time = { .modes = 0 };
	struct utsname host;
	char boot[40];

	uname(&host);
	fxt_emit_arg_text(&args, "host", host.nodename);
	fxt_emit_arg_text(&args, "system", host.sysname);
	fxt_emit_arg_text(&args, "release", host.release);
	fxt_emit_arg_text(&args, "version", host.version);
	fxt_emit_arg_text(&args, "machine", host.machine);
	fxt_emit_arg_number(&args, "memory",
			    (__u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
	fxt_emit_arg_text(&args, "fxtrec", FXT_VERSION);
	if (boot_read(boot, sizeof(boot)))
		fxt_emit_arg_text(&args, "boot", boot);
	/* The error of real time, where a service keeps it. */
	if (adjtimex(&time) >= 0 && !(time.status & STA_UNSYNC))
		fxt_emit_arg_number(&args, "realtime_error", (__u64)time.maxerror * 1000);
	if (!fxt_proc_command("/proc/self", command, sizeof(command)))
		fxt_emit_arg_text(&args, "command", command);
	if (source->filter && fxt_filter_threads(source->filter)) {
		fxt_emit_arg_number(&args, "chosen_threads", 1);
		fxt_emit_arg_number(&args, "chosen_queues", 1);
	}
	fxt_emit_arg_text(&args, "throttling", throttling[source->throttling]);
	fxt_emit_instant(f, ticks, "host", &args);
}

/* Reads /proc/cpuinfo forwards, as processors are asked for in order. */
struct cpuinfo {
	FILE *f;
	long at;		/* number of the processor that the last line belongs to */
};

/* Copies the text after "name : " of a line; 0 for another line. */
static int field(const char *line, const char *name, char *to, size_t room)
{
	const char *colon = strchr(line, ':');
	size_t length = strlen(name);

	if (!colon || strncmp(line, name, length) || !strchr(" \t:", line[length]))
		return 0;
	snprintf(to, room, "%s", colon + 1 + strspn(colon + 1, " "));
	to[strcspn(to, "\n")] = '\0';
	return 1;
}

/* Returns the model of the CPU; "" where it is unknown. */
static void model_of(struct cpuinfo *info, __u32 cpu, char *model, size_t room)
{
	char line[4096], number[16];

	*model = '\0';
	while (info->f && info->at <= (long)cpu && fgets(line, sizeof(line), info->f)) {
		if (field(line, "processor", number, sizeof(number)))
			info->at = strtol(number, NULL, 10);
		else if (info->at == (long)cpu && field(line, "model name", model, room))
			return;
	}
}

static void put_number(struct fxt_emit_args *args, const char *name, __u32 cpu, const char *file)
{
	char path[128];
	long long number;
	FILE *f;

	snprintf(path, sizeof(path), CPU_FOLDER "/%s", cpu, file);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fscanf(f, "%lld", &number) == 1 && number >= 0)
		fxt_emit_arg_number(args, name, number);
	fclose(f);
}

/* Puts the CPU's NUMA node, which is the name of a link in the CPU's folder. */
static void put_node(struct fxt_emit_args *args, __u32 cpu)
{
	struct dirent *entry;
	char path[128];
	DIR *folder;

	snprintf(path, sizeof(path), CPU_FOLDER, cpu);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		unsigned int node;

		if (sscanf(entry->d_name, "node%u", &node) == 1)
			fxt_emit_arg_number(args, "node", node);
	}
	if (folder)
		closedir(folder);
}

/* Puts the names of the CPU's idle states, which events number: "POLL C1 C6". */
static void put_idle_states(struct fxt_emit_args *args, __u32 cpu)
{
	char path[128], names[512] = "", name[32];
	unsigned int state, at = 0;
	FILE *f;

	for (state = 0; at + sizeof(name) < sizeof(names); state++) {
		snprintf(path, sizeof(path), CPU_FOLDER "/cpuidle/state%u/name", cpu, state);
		f = fopen(path, "re");
		if (!f || fscanf(f, "%31s", name) != 1)
			strcpy(name, "?");
		if (!f)
			break;
		fclose(f);
		at += snprintf(names + at, sizeof(names) - at, "%s%s", state ? " " : "", name);
	}
	fxt_emit_arg_text(args, "idle_states", names);
}

static void put_processor(FILE *f, __u64 ticks, __u32 cpu, bool left_out, struct cpuinfo *info)
{
	struct fxt_emit_args args = {};
	char model[256] = "";

	fxt_emit_arg_number(&args, "cpu", cpu);
	model_of(info, cpu, model, sizeof(model));
	fxt_emit_arg_text(&args, "model", model);
	put_number(&args, "package", cpu, "topology/physical_package_id");
	put_number(&args, "core", cpu, "topology/core_id");
	put_node(&args, cpu);
	put_number(&args, "kHz", cpu, "cpufreq/cpuinfo_max_freq");
	put_idle_states(&args, cpu);
	if (left_out)
		fxt_emit_arg_number(&args, "left_out", 1);
	fxt_emit_instant(f, ticks, "processor", &args);
}

void fxt_host_put(FILE *f, const struct fxt_source *source)
{
	__u64 ticks = fxt_clock_ticks(source->clock);
	struct cpuinfo info = { fopen("/proc/cpuinfo", "re"), -1 };
	unsigned int i;

	put_host(f, ticks, source);
	for (i = 0; i < source->cpu_count; i++)
		put_processor(f, ticks, source->cpus[i].cpu,
			      source->filter && fxt_filter_excludes(source->filter, source->cpus[i].cpu), &info);
	if (info.f)
		fclose(info.f);
}
