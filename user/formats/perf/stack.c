// SPDX-License-Identifier: GPL-2.0-only
/* Turns callchains of samples into names of the kernel's functions, where the kernel is of this boot. */
#include <stdio.h>
#include <sys/utsname.h>

#include "formats/perf/read.h"

/* As in a recording's stacks. */
#define SHOWN_FRAMES	32u

/* Notes the address of the kernel's text, which each boot may choose anew. */
void fxt_perf_kernel(struct fxt_perf_reader *rd, const __u8 *record)
{
	static const char name[] = "[kernel.kallsyms]";
	const __u8 *body = record + sizeof(struct fxt_perf_record);
	struct fxt_perf_record head;

	memcpy(&head, record, sizeof(head));
	if (rd->kernel_known || head.size < sizeof(head) + 32 + sizeof(name) ||
	    memcmp(body + 32, name, sizeof(name) - 1))
		return;
	rd->kernel_known = true;
	rd->kernel_text = fxt_perf_u64(body + 24);
}

/* Returns whether this machine's symbols are valid for the file: the same kernel at the same address. */
static bool symbols_known(struct fxt_perf_reader *rd)
{
	struct fxt_error ignored;
	struct utsname here;
	size_t i;

	if (rd->symbols_looked || !rd->kernel_known)
		return rd->symbols.count;
	rd->symbols_looked = true;
	if (uname(&here) || strcmp(here.release, rd->release) || fxt_symbols_read(&rd->symbols, &ignored))
		return false;
	for (i = 0; i < rd->symbols.count; i++)
		if (rd->symbols.list[i].address == rd->kernel_text)
			return true;
	fxt_symbols_free(&rd->symbols);
	rd->symbols = (struct fxt_symbols){};
	return false;
}

static void append(struct fxt_perf_reader *rd, struct fxt_span *stack, const char *name, __u32 shown)
{
	size_t bytes = stack->bytes;
	bool full = shown == SHOWN_FRAMES ||
		    bytes + strlen(name) + sizeof(" <  < ...") > sizeof(rd->stack);

	if (full && stack->bytes && strcmp(rd->stack + bytes - 3, "..."))
		stack->bytes += sprintf(rd->stack + bytes, " < ...");
	else if (!full)
		stack->bytes += sprintf(rd->stack + bytes, "%s%s", bytes ? " < " : "", name);
}

void fxt_perf_stack(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s, struct fxt_span *stack,
		    struct fxt_span *function)
{
	bool kernel = false, first = true;
	__u32 shown = 0;
	__u64 i;

	*stack = fxt_span(rd->stack, 0);
	*function = fxt_span(rd->function, 0);
	for (i = 0; i < s->chain_count && shown <= SHOWN_FRAMES; i++) {
		__u64 frame = fxt_perf_u64(s->chain + 8 * i);
		const char *name;

		if (frame >= PERF_CONTEXT_MAX) {
			kernel = frame == (__u64)PERF_CONTEXT_KERNEL;
			first = true;
			continue;
		}
		if (!kernel || !symbols_known(rd))
			continue;
		/* All frames but the first are return addresses, which may be after the function's end. */
		frame -= !first;
		first = false;
		/* Functions that the scheduler itself called are not the reason why a thread sleeps. */
		if (!function->bytes && fxt_symbols_in_scheduler(&rd->symbols, frame) && !shown)
			continue;
		name = fxt_symbols_name(&rd->symbols, frame);
		/* __traceiter_ functions call the tracepoint's own functions. */
		if (!shown && name && !strncmp(name, "__traceiter_", 12))
			continue;
		append(rd, stack, name ? name : "?", shown++);
		if (!function->bytes && name && !fxt_symbols_sleeps(&rd->symbols, frame))
			function->bytes = snprintf(rd->function, sizeof(rd->function), "%.250s", name);
	}
	if (s->chain_count && !stack->bytes)
		fxt_skip(rd->c, "stacks of which no function is known here", 1);
}
