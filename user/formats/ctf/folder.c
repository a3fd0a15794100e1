// SPDX-License-Identifier: GPL-2.0-only
/* Finds the traces of a folder at any depth, as in LTTng's sessions, rotations and snapshots. */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/ctf/ctf.h"

/* Links aren't followed, except for the folder itself. */
#define FOLLOW	(FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR)

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int trace_add(struct fxt_ctf_traces *t, const char *path, size_t bytes)
{
	if (t->count == FXT_CTF_TRACES_MAX)
		return -E2BIG;
	t->path[t->count] = strndup(path, bytes);
	return t->path[t->count++] ? 0 : -ENOMEM;
}

static int entry_look(struct fxt_ctf_traces *t, const FTSENT *entry)
{
	if (entry->fts_info != FTS_F)
		return 0;
	t->bytes += entry->fts_statp->st_size;
	return strcmp(entry->fts_name, "metadata") ? 0 :
	       trace_add(t, entry->fts_path, entry->fts_pathlen - entry->fts_namelen - 1);
}

int fxt_ctf_traces_find(struct fxt_ctf_traces *t, const char *folder)
{
	char *const paths[] = { (char *)folder, NULL };
	FTS *tree = fts_open(paths, FOLLOW, by_name);
	const FTSENT *entry;
	__u64 count = 0;
	int err = tree ? 0 : -errno;

	while (!err && (entry = fts_read(tree)))
		err = ++count > FXT_CTF_ENTRIES_MAX ? -E2BIG : entry_look(t, entry);
	if (tree)
		fts_close(tree);
	return err;
}

void fxt_ctf_traces_uninit(struct fxt_ctf_traces *t)
{
	while (t->count)
		free(t->path[--t->count]);
}
