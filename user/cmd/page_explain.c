// SPDX-License-Identifier: GPL-2.0-only
/* The explanation in a page. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/page_explain.h"

/* Runs in the process. */
static void explain(const struct page_explain *x, const struct analyze_options *options)
{
	int nowhere = open("/dev/null", O_WRONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(x->fd, STDOUT_FILENO);
	/* Messages are those of the page. */
	dup2(nowhere, STDERR_FILENO);
	exit(cmd_explain_json(options));
}

void page_explain_start(struct page_explain *x, const struct analyze_options *options)
{
	*x = (struct page_explain){ .fd = -1 };
	if (fxt_convert_reads_stdin(&options->convert))
		return;
	x->fd = memfd_create("fxtrec", MFD_CLOEXEC);
	if (x->fd < 0)
		return;
	fflush(NULL);
	x->pid = fork();
	if (!x->pid)
		explain(x, options);
	if (x->pid < 0)
		x->pid = 0;
}

/* Returns whether the process has ended well. */
static bool done(struct page_explain *x)
{
	int status;
	bool well = x->pid && waitpid(x->pid, &status, 0) == x->pid && WIFEXITED(status) && !WEXITSTATUS(status);

	x->pid = 0;
	return well;
}

int page_explain_write(struct page_explain *x, struct fxt_page *page)
{
	char part[4096];
	ssize_t bytes;
	FILE *json;
	off_t at;

	if (!done(x))
		return 0;
	json = fxt_page_json_open(page, "explain");
	for (at = 0; json && (bytes = pread(x->fd, part, sizeof(part), at)) > 0; at += bytes)
		fwrite(part, 1, bytes, json);
	return fxt_page_json_close(page);
}

void page_explain_end(struct page_explain *x)
{
	if (x->pid) {
		kill(x->pid, SIGKILL);
		done(x);
	}
	if (x->fd >= 0)
		close(x->fd);
}
