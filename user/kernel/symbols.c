// SPDX-License-Identifier: GPL-2.0-only
/* Finds the kernel's functions by their addresses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "kernel/symbols.h"

#define KALLSYMS	"/proc/kallsyms"
#define MODULES		"/proc/modules"

/* A module, from /proc/modules. */
struct module {
	char name[64];
	__u64 end;
};

struct reader {
	struct fxt_symbols *symbols;
	struct module *modules;
	size_t module_count, module_last;	/* module_last: module of the last symbol */
	__u64 text, text_end;			/* the kernel's own section */
	FILE *names;
};

static int modules_read(struct reader *r)
{
	FILE *f = fopen(MODULES, "re");
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	/* A kernel without modules lacks the file. */
	while (f && !err && getline(&line, &room, f) > 0) {
		struct module m = {};
		unsigned long long size, base;

		if (sscanf(line, "%63s %llu %*s %*s %*s %llx", m.name, &size, &base) != 3)
			continue;
		m.end = base + size;
		err = fxt_array_more(r->modules, r->module_count);
		if (!err)
			r->modules[r->module_count++] = m;
	}
	free(line);
	if (f)
		fclose(f);
	return err;
}

/* Returns the end of a module's text, by "[name]"; 0: no such module.  A module's symbols stand together. */
static __u64 module_end(struct reader *r, const char *bracketed)
{
	size_t length = strcspn(bracketed + 1, "]"), i;

	for (i = 0; i < r->module_count; i++) {
		size_t at = (r->module_last + i) % r->module_count;
		const struct module *m = &r->modules[at];

		if (!strncmp(m->name, bracketed + 1, length) && !m->name[length]) {
			r->module_last = at;
			return m->end;
		}
	}
	return 0;
}

/* Sets the bounds of sections, which the kernel's linker defines. */
static void bound_set(struct reader *r, const char *name, __u64 address)
{
	const struct {
		const char *name;
		__u64 *bound;
	} bounds[] = {
		{ "_stext", &r->text }, { "_etext", &r->text_end },
		{ "__sched_text_start", &r->symbols->scheduler[0] },
		{ "__sched_text_end", &r->symbols->scheduler[1] },
		{ "__lock_text_start", &r->symbols->locks[0] },
		{ "__lock_text_end", &r->symbols->locks[1] },
	};
	size_t i;

	for (i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
		if (!strcmp(name, bounds[i].name))
			*bounds[i].bound = address;
}

static int symbol_add(struct reader *r, const char *name, __u64 address, __u64 end)
{
	struct fxt_symbols *s = r->symbols;
	int err = fxt_array_more(s->list, s->count);

	if (err)
		return err;
	s->list[s->count] = (struct fxt_symbol){
		.address = address, .end = end, .order = s->count, .name = ftell(r->names),
	};
	s->count++;
	return fwrite(name, 1, strlen(name) + 1, r->names) ? 0 : -ENOMEM;
}

/* Parses "ffffffff81000000 T name", with a tab and "[module]" for a module's symbol. */
static int line_parse(struct reader *r, char *line)
{
	char *rest, *name, *module;
	__u64 address = strtoull(line, &rest, 16), end = 0;

	if (rest[0] != ' ' || !rest[1] || rest[2] != ' ' || !strchr("tTwW", rest[1]))
		return 0;
	name = rest + 3;
	name[strcspn(name, "\n")] = '\0';
	module = strchr(name, '\t');
	if (module) {
		*module = '\0';
		end = module[1] == '[' ? module_end(r, module + 1) : 0;
		/* Skips the text of eBPF programs and probes, which comes and goes. */
		if (address >= end)
			return 0;
	} else {
		bound_set(r, name, address);
	}
	return address ? symbol_add(r, name, address, end) : 0;
}

static int kallsyms_read(struct reader *r)
{
	FILE *f = fopen(KALLSYMS, "re");
	char *line = NULL;
	size_t room = 0;
	int err = f ? 0 : -errno;

	while (f && !err && getline(&line, &room, f) > 0)
		err = line_parse(r, line);
	free(line);
	if (f)
		fclose(f);
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct fxt_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Drops the kernel's symbols outside of its text, once all are read, and sorts the rest. */
static void sort(struct reader *r)
{
	struct fxt_symbols *s = r->symbols;
	size_t i, kept = 0;

	for (i = 0; i < s->count; i++) {
		struct fxt_symbol symbol = s->list[i];

		if (!symbol.end && symbol.address >= r->text)
			symbol.end = r->text_end;
		if (symbol.address < symbol.end)
			s->list[kept++] = symbol;
	}
	s->count = kept;
	if (kept)
		qsort(s->list, kept, sizeof(*s->list), compare);
}

int fxt_symbols_read(struct fxt_symbols *s, struct fxt_error *error)
{
	struct reader r = { .symbols = s };
	int err = modules_read(&r);

	*s = (struct fxt_symbols){};
	r.names = open_memstream(&s->names, &s->names_bytes);
	if (!r.names)
		err = -ENOMEM;
	if (!err)
		err = kallsyms_read(&r);
	if (r.names && fclose(r.names))
		err = -ENOMEM;
	free(r.modules);
	if (!err)
		sort(&r);
	if (!err && (!s->count || !s->scheduler[0]))
		err = -EPERM;
	if (!err)
		return 0;
	fxt_symbols_free(s);
	if (err == -EPERM)
		return fxt_error_set(error, EPERM, KALLSYMS ": the kernel keeps its addresses to itself: "
				     "needs CAP_SYSLOG, and kernel.kptr_restrict below 2");
	return fxt_error_set(error, -err, KALLSYMS ": %s", strerror(-err));
}

void fxt_symbols_free(struct fxt_symbols *s)
{
	free(s->list);
	free(s->names);
	*s = (struct fxt_symbols){};
}

const char *fxt_symbols_name(const struct fxt_symbols *s, __u64 address)
{
	size_t from = 0, to = s->count;

	/* Finds the last symbol at or below the address; of several at one address, the first that the kernel lists. */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (s->list[middle].address <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || address >= s->list[from - 1].end)
		return NULL;
	while (from > 1 && s->list[from - 2].address == s->list[from - 1].address)
		from--;
	return s->names + s->list[from - 1].name;
}

bool fxt_symbols_in_scheduler(const struct fxt_symbols *s, __u64 address)
{
	return address >= s->scheduler[0] && address < s->scheduler[1];
}

bool fxt_symbols_sleeps(const struct fxt_symbols *s, __u64 address)
{
	return fxt_symbols_in_scheduler(s, address) ||
	       (address >= s->locks[0] && address < s->locks[1]);
}
