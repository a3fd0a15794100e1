// SPDX-License-Identifier: GPL-2.0-only
/* Reads the traced machine's SystemInfo: the event "host" of recordings, at the time of the first other event. */
#include <stdlib.h>
#include <string.h>

#include "convert/hosts.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/unread.h"
#include "model/syscall_names.h"

const char *const fxt_pf_host_args[FXT_PF_HOST_TEXTS] = { "host", "system", "release", "version", "machine" };

/* Returns whether the file has the event itself, which fxtrec writes where it has more arguments. */
static bool has_event(const Pf__SystemInfo *info)
{
	const char *service = info->tracing_service_version;

	return service && !strncmp(service, FXT_PF_SERVICE, strlen(FXT_PF_SERVICE));
}

static bool says(const char *text)
{
	return text && *text;
}

/* Returns whether there is more than the system's name, which is always Linux. */
static bool says_more(const char *const texts[FXT_PF_HOST_TEXTS], __u64 memory)
{
	bool more = says(texts[0]) || memory;
	unsigned int i;

	for (i = 2; i < FXT_PF_HOST_TEXTS; i++)
		more |= says(texts[i]);
	return more;
}

/* Sets the host's name, which is the prefix of another machine's names. */
static int name_set(struct fxt_pf_reader *rd, const char *name)
{
	fxt_hosts_name(rd->c->hosts, &rd->host, name);
	rd->c->reading.host = rd->host;
	rd->feed.provider = fxt_reading_provider(&rd->c->reading, "fxtrec", 6);
	return rd->feed.provider < 0 ? rd->feed.provider : 0;
}

int fxt_pf_host_read(struct fxt_pf_reader *rd, const Pf__SystemInfo *info)
{
	const Pf__SystemInfo__Utsname *name = info->utsname;
	const char *texts[FXT_PF_HOST_TEXTS] = {
		info->machine_name, name ? name->sysname : NULL, name ? name->release : NULL,
		name ? name->version : NULL, name ? name->machine : NULL,
	};
	unsigned int i;
	int err = 0;

	fxt_pf_unread(rd->c, FXT_PF_UNREAD_SYSTEM, &info->base);
	if (says(texts[FXT_PF_HOST_TEXTS - 1]))
		rd->feed.names = fxt_syscall_table(texts[FXT_PF_HOST_TEXTS - 1]);
	if (says(texts[2]))
		rd->states = fxt_prev_states_of(texts[2]);
	if (says(texts[2]) && !strcmp(texts[2], FXT_PF_UNKNOWN_RELEASE))
		texts[2] = NULL;
	if (says(texts[0]) && rd->c->hosts)
		err = name_set(rd, texts[0]);
	if (has_event(info) || !says_more(texts, info->system_ram_bytes))
		return err;
	for (i = 0; i < FXT_PF_HOST_TEXTS && !err; i++)
		err = fxt_pf_text_set(rd, &rd->system.texts[i], texts[i]);
	rd->system.memory = info->system_ram_bytes;
	rd->system.waits = true;
	return err;
}

int fxt_pf_host_put(struct fxt_pf_reader *rd, __u64 ns)
{
	struct fxt_record r;
	unsigned int i;

	if (!rd->system.waits)
		return 0;
	rd->system.waits = false;
	fxt_build_event(&r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"), fxt_build_string("host"));
	for (i = 0; i < FXT_PF_HOST_TEXTS; i++)
		fxt_build_arg_text(&r, fxt_pf_host_args[i], fxt_pf_text_of(rd->system.texts[i]));
	if (rd->system.memory)
		fxt_build_arg_uint(&r, fxt_build_string(FXT_PF_HOST_MEMORY), rd->system.memory);
	return fxt_pf_put(rd, &r, ns, rd->feed.provider);
}

void fxt_pf_host_free(struct fxt_pf_reader *rd)
{
	unsigned int i;

	for (i = 0; i < FXT_PF_HOST_TEXTS; i++)
		free(rd->system.texts[i]);
}
