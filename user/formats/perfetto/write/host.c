// SPDX-License-Identifier: GPL-2.0-only
/* Writes the recorded machine, as Perfetto's SystemInfo and CpuInfo. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/perfetto/write/write.h"
#include "model/syscall_names.h"

/* Copies an argument's text; NULL where it is absent, or without memory. */
static char *text_of(const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	if (!arg || arg->type != FXT_ARG_STRING || !arg->string.length)
		return NULL;
	return fxt_text_copy(&arg->string);
}

/* Returns whether SystemInfo has all arguments, so that the reader creates the same event from it. */
static bool is_whole(const struct fxt_record *r)
{
	unsigned int i, count = 0;
	const struct fxt_arg *arg;
	__u64 memory;

	for (i = 0; i < FXT_PF_HOST_TEXTS; i++) {
		arg = fxt_record_arg(r, fxt_pf_host_args[i]);
		count += arg && arg->type == FXT_ARG_STRING && arg->string.length;
	}
	count += !fxt_arg_number(fxt_record_arg(r, FXT_PF_HOST_MEMORY), &memory) && memory;
	return count > (fxt_record_arg(r, "system") != NULL) && count == r->arg_count && !r->thread.process &&
	       !r->thread.thread;
}

/* Returns the service's version; NULL without memory. */
static char *service_of(const struct fxt_record *r)
{
	char *version = text_of(r, "fxtrec"), *command = text_of(r, "command"), *service;

	if (asprintf(&service, FXT_PF_SERVICE "%s: %s", version ? version : "", command ? command : "") < 0)
		service = NULL;
	free(version);
	free(command);
	return service;
}

/* Sets the machine's system calls; numbers that were looked up before are another machine's. */
static void calls_set(struct fxt_pf_file *f, const char *machine)
{
	const struct fxt_syscall_table *calls = machine ? fxt_syscall_table(machine) : NULL;

	free(f->syscalls);
	f->syscalls = NULL;
	f->calls = calls && calls->count ? calls : NULL;
}

int fxt_pf_host(struct fxt_pf_file *f, const struct fxt_record *r)
{
	Pf__SystemInfo__Utsname name = PF__SYSTEM_INFO__UTSNAME__INIT;
	Pf__SystemInfo info = PF__SYSTEM_INFO__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	char *release = text_of(r, "release");
	bool whole = is_whole(r);
	__u64 memory;
	int err = -ENOMEM;

	name.sysname = text_of(r, "system");
	name.release = release ? release : (char *)FXT_PF_UNKNOWN_RELEASE;
	name.version = text_of(r, "version");
	name.machine = text_of(r, "machine");
	info.utsname = &name;
	info.machine_name = text_of(r, "host");
	info.has_num_cpus = f->cpus_said != 0;
	info.num_cpus = f->cpus_said;
	calls_set(f, name.machine);
	f->numbers = fxt_prev_numbers_of(name.release);
	if (!fxt_arg_number(fxt_record_arg(r, "memory"), &memory)) {
		info.has_system_ram_bytes = true;
		info.system_ram_bytes = memory;
	}
	info.tracing_service_version = whole ? NULL : service_of(r);
	if (whole || info.tracing_service_version) {
		packet.system_info = &info;
		f->system_known = true;
		err = fxt_pf_packet(f, &packet);
	}
	free(info.tracing_service_version);
	free(name.sysname);
	free(release);
	free(name.version);
	free(name.machine);
	free(info.machine_name);
	return err ? err : !whole;
}

/* Notes a processor's model.  The index in the packet is the CPU's number; unknown CPUs have no model. */
int fxt_pf_processor(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u64 cpu;

	if (fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) || cpu >= FXT_PF_CPUS)
		return 0;
	free(f->processors[cpu]);
	f->processors[cpu] = text_of(r, "model");
	if (cpu >= f->processor_count)
		f->processor_count = cpu + 1;
	return 0;
}

int fxt_pf_processors_flush(struct fxt_pf_file *f)
{
	Pf__CpuInfo__Cpu *cpus = calloc(f->processor_count, sizeof(*cpus));
	Pf__CpuInfo__Cpu **list = calloc(f->processor_count, sizeof(*list));
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__CpuInfo info = PF__CPU_INFO__INIT;
	int err = -ENOMEM;
	__u32 cpu;

	for (cpu = 0; cpus && list && cpu < f->processor_count; cpu++) {
		pf__cpu_info__cpu__init(&cpus[cpu]);
		cpus[cpu].processor = f->processors[cpu];
		list[cpu] = &cpus[cpu];
	}
	if (cpus && list) {
		info.n_cpus = f->processor_count;
		info.cpus = list;
		packet.cpu_info = &info;
		err = fxt_pf_packet(f, &packet);
	}
	free(cpus);
	free(list);
	fxt_pf_processors_free(f);
	return err;
}

void fxt_pf_processors_free(struct fxt_pf_file *f)
{
	while (f->processor_count) {
		free(f->processors[--f->processor_count]);
		f->processors[f->processor_count] = NULL;
	}
}
