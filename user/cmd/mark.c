// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec mark: writes a text into the running recording, whichever backend it has. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "cmd/command.h"
#include "fxt/layout.h"
#include "fxt/linux.h"
#include "uapi/fxtrec.h"
#include "util/report.h"
#include "util/utf8.h"

#define NAME_OF(x)	#x
#define NAME(x)		NAME_OF(x)

/* More maps than a marking program uses. */
#define MAPS_MAX	16u

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

const struct argp cmd_mark_argp = {
	NULL, parse, "TEXT",
	"Writes TEXT into every running recording: as a log record, and as an instant event on "
	"this process's thread.",
	NULL, NULL, NULL,
};

/* Marks by the module.  1, 0 where the module doesn't record, -errno. */
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

/* Returns whether a map is that of a recorder's rings. */
static bool is_areas(__u32 id)
{
	struct bpf_map_info info = {};
	__u32 info_bytes = sizeof(info);
	int fd = bpf_map_get_fd_by_id(id), err;

	if (fd < 0)
		return false;
	err = bpf_obj_get_info_by_fd(fd, &info, &info_bytes);
	close(fd);
	return !err && !strcmp(info.name, "areas") && info.type == BPF_MAP_TYPE_ARRAY &&
	       info.value_size >= sizeof(struct fxtrec_area);
}

/*
 * Returns whether a program is a recorder's marking program, and root's or the caller's: running another user's program
 * would lend it the caller's rights.
 */
static bool is_ours(int fd)
{
	__u32 maps[MAPS_MAX], info_bytes = sizeof(struct bpf_prog_info), i;
	struct bpf_prog_info info = { .nr_map_ids = MAPS_MAX, .map_ids = (__u64)maps };

	if (bpf_obj_get_info_by_fd(fd, &info, &info_bytes) || info.type != BPF_PROG_TYPE_SYSCALL ||
	    strcmp(info.name, NAME(FXT_MARK_PROGRAM)) ||
	    (info.created_by_uid && info.created_by_uid != geteuid()))
		return false;
	for (i = 0; i < info.nr_map_ids && i < MAPS_MAX; i++)
		if (is_areas(maps[i]))
			return true;
	return false;
}

/* Runs the marking program of that id.  1 where it is one and its recording took the mark, 0, or -errno. */
static int mark_program(__u32 id, const char *text, size_t bytes)
{
	struct fxt_mark mark = { .text = (__u64)text, .bytes = bytes };
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &mark, .ctx_size_in = sizeof(mark));
	int err = 0, fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (is_ours(fd))
		err = bpf_prog_test_run_opts(fd, &run) ? -errno : (int)run.retval;
	close(fd);
	return err;
}

/* Returns how many eBPF recordings took the mark, or -errno. */
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

	argp_parse(&cmd_mark_argp, argc, argv, 0, NULL, &text);
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
