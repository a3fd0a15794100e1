// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec mark: a text into the recording that runs, whichever backend it has. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "command.h"
#include "fxt/linux.h"
#include "fxt/layout.h"
#include "uapi/fxtrec.h"
#include "util/report.h"
#include "util/utf8.h"

#define NAME_OF(x)	#x
#define NAME(x)		NAME_OF(x)

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **text = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (*text)
			argp_error(state, "one TEXT: quote it");
		*text = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no TEXT");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	NULL, parse, "TEXT",
	"Writes TEXT into every recording that runs: as a log record, and as an instant event on "
	"this process's thread.",
	NULL, NULL, NULL,
};

/* 1 where the module took it, 0 where it doesn't record, -errno. */
static int mark_kmod(const char *text, size_t bytes)
{
	int fd = open(FXTREC_DEVICE, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (write(fd, text, bytes) < 0)
		err = errno;
	close(fd);
	return err == ENOTCONN ? 0 : err ? -err : 1;
}

/* Runs the marking program of that id; 1 where it is one and its recording took the mark, -errno. */
static int mark_program(__u32 id, const char *text, size_t bytes)
{
	struct fxt_mark mark = { .text = (__u64)text, .bytes = bytes };
	struct bpf_prog_info info = {};
	__u32 info_bytes = sizeof(info);
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &mark, .ctx_size_in = sizeof(mark));
	int err = 0, fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (bpf_obj_get_info_by_fd(fd, &info, &info_bytes))
		err = -errno;
	else if (info.type == BPF_PROG_TYPE_SYSCALL && !strcmp(info.name, NAME(FXT_MARK_PROGRAM)))
		err = bpf_prog_test_run_opts(fd, &run) ? -errno : (int)run.retval;
	close(fd);
	return err;
}

/* How many eBPF recordings took it, or -errno. */
static int mark_bpf(const char *text, size_t bytes)
{
	int marked = 0;
	__u32 id = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		int one = mark_program(id, text, bytes);

		if (one < 0)
			return one;
		marked += one;
	}
	return marked || errno == ENOENT ? marked : -errno;
}

int cmd_mark(int argc, char **argv)
{
	const char *text = NULL;
	int kmod, bpf;
	size_t bytes;

	argp_parse(&argp, argc, argv, 0, NULL, &text);
	bytes = strlen(text);
	if (!bytes || bytes > FXT_MESSAGE_BYTES_MAX || fxt_utf8_valid(text, bytes) < bytes) {
		fxt_report("TEXT has 1 to %u bytes and is UTF-8", FXT_MESSAGE_BYTES_MAX);
		return FXT_MISUSED;
	}
	kmod = mark_kmod(text, bytes);
	bpf = mark_bpf(text, bytes);
	if (kmod > 0 || bpf > 0)
		return FXT_DONE;
	if (kmod == -EPERM || kmod == -EACCES || bpf == -EPERM)
		return fxt_report("mark: needs root, or CAP_SYS_ADMIN where eBPF records");
	if (kmod < 0)
		return fxt_report("%s: %s", FXTREC_DEVICE, strerror(-kmod));
	if (bpf < 0)
		return fxt_report("can't look for eBPF recordings: %s", strerror(-bpf));
	return fxt_report("no recording runs");
}
