/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec open" share: what is served, and to which page. */
#ifndef FXT_CMD_OPEN_H
#define FXT_CMD_OPEN_H

#include <stdbool.h>

#include <linux/types.h>

#include "convert/convert.h"

/* The port that the policy of Perfetto's UI allows; another is for a UI of one's own. */
#define FXT_OPEN_PORT	9001u

#define FXT_OPEN_KEY_BYTES	16u

struct fxt_open_options {
	struct fxt_convert_options convert;
	const char *ui;
	const char *ui_dir;
	bool page;		/* in place of a UI */
	bool no_browser;
	__u32 port;
};

struct fxt_open {
	int fd;			/* what is served */
	bool page;		/* it is a page; else packets, for a UI's page */
	__u64 bytes;
	unsigned int port;
	int ui_fd;		/* the folder of a UI that is served, too; -1: none */
	char *origin;		/* of the page that may fetch; NULL: a page is opened, not fetched */
	char host[32];		/* that requests name: address and port */
	char path[2 * FXT_OPEN_KEY_BYTES + 2];
	/* Of the server */
	void *server;
	bool taken;		/* a download is going on, or is done */
	bool done;
	__u64 last_ns;		/* of the last request */
};

/* Makes what is served: its descriptor, open in any case if not negative.  FXT_DONE, or what was reported. */
int fxt_open_make(struct fxt_open_options *options, int *fd);

/* Answers on 127.0.0.1.  FXT_DONE, or what was reported. */
int fxt_open_serve_begin(struct fxt_open *open);

/* Answers until the trace was fetched, and a UI that is served from here has what it asks for. */
void fxt_open_serve_run(struct fxt_open *open);
void fxt_open_serve_end(struct fxt_open *open);

/*
 * A file below the UI's folder, its size and its type by its suffix; its descriptor, or -errno.
 * No link leads out of the folder.
 */
int fxt_open_ui_file(int folder, const char *path, __u64 *bytes, const char **type);

#endif
