/* SPDX-License-Identifier: GPL-2.0-only */
/* Serves a file to the page of a UI, once, on 127.0.0.1; and starts the browser that opens the page. */
#ifndef FXT_SERVE_SERVE_H
#define FXT_SERVE_SERVE_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

struct sockaddr_in;

#define FXT_SERVE_KEY_BYTES	16u

struct fxt_serve {
	int fd;			/* file that is served */
	bool page;		/* the file is a page; else packets, for a UI's page */
	__u64 bytes;
	unsigned int port;
	int ui_fd;		/* folder of a UI that is served, too; -1: no such folder */
	char *origin;		/* origin of the page that may fetch; NULL: a page is opened, not fetched */
	char host[32];		/* host of requests: address and port */
	char path[2 * FXT_SERVE_KEY_BYTES + 2];
	/* Used by the server. */
	void *server;
	int diag;		/* descriptor of the kernel's socket diagnostics */
	bool taken;		/* a download is running, or is done */
	bool done;
	__u64 last_ns;		/* CLOCK_MONOTONIC of the last request */
};

/* Starts to answer on 127.0.0.1.  FXT_DONE, or the result of a reported error. */
int fxt_serve_begin(struct fxt_serve *serve);

/* Answers until the trace was fetched, and a UI that is served from here has loaded its parts. */
void fxt_serve_run(struct fxt_serve *serve);
void fxt_serve_end(struct fxt_serve *serve);

/*
 * Opens a file below the UI's folder; sets its size, and its type by its suffix.  Returns the descriptor, or -errno.
 * No link leads out of the folder.
 */
int fxt_serve_ui_file(int folder, const char *path, __u64 *bytes, const char **type);

/*
 * Opens the kernel's socket diagnostics, and checks that the kernel knows the user of the listening socket of that
 * port.  Returns the descriptor, or -errno.
 */
int fxt_serve_peers_open(unsigned int port);

/* Returns whether the other end of an open connection to that port belongs to the caller, this user or root. */
bool fxt_serve_peer_is_owner(int diag, const struct sockaddr_in *peer, unsigned int port);

/*
 * Prints the address, and starts a browser on a file that leads to the address, unless a browser is not wanted or can't
 * be started: over SSH and without a display, prints how to forward the port to a machine with a display.  *file: the
 * path of that file, a heap string, to be removed with fxt_serve_browse_end(); NULL without a browser.
 */
void fxt_serve_browse(const char *address, unsigned int port, bool no_browser, char **file);

/* Removes that file, and frees its path. */
void fxt_serve_browse_end(char *file);

#endif
