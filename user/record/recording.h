/* SPDX-License-Identifier: GPL-2.0-only */
/* A session that records to files. */
#ifndef FXT_RECORD_RECORDING_H
#define FXT_RECORD_RECORDING_H

#include "describe/late.h"
#include "output/files.h"
#include "record/drain.h"
#include "record/placement.h"
#include "record/progress.h"
#include "record/session.h"

struct fxt_recording {
	struct fxt_session *session;
	struct fxt_files files;
	struct fxt_section section;	/* the tool's section of the current file */
	struct fxt_drain drain;
	struct fxt_placement placement;
	struct fxt_progress progress;
	struct fxt_late late;
	__u64 file_started;	/* CLOCK_MONOTONIC of the current file's start */
};

/*
 * Runs an open session that writes to the file or files of that name.  0 or -errno with the error set.  In either case
 * the files are written, and progress.h can report them.
 */
int fxt_recording_run(struct fxt_recording *recording, struct fxt_session *session, const char *path,
		      struct fxt_error *error);

/* Returns the bytes of all files. */
static inline __u64 fxt_recording_bytes(const struct fxt_recording *r)
{
	return r->files.ended_bytes + r->files.now.output.bytes;
}

void fxt_recording_uninit(struct fxt_recording *recording);

#endif
