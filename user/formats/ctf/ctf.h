/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads folders of the Common Trace Format; without libbabeltrace2, says which package has it. */
#ifndef FXT_CONVERT_CTF_CTF_H
#define FXT_CONVERT_CTF_CTF_H

#include "convert/format.h"
#include "formats/tracepoint/tracepoint.h"
#include "child/child.h"

#define FXT_CTF_NAME		64u
#define FXT_CTF_EVENT_MAX	65536u

/* Of a folder: traces, and entries that are looked at to find them. */
#define FXT_CTF_TRACES_MAX	4096u
#define FXT_CTF_ENTRIES_MAX	((__u64)1 << 20)

/* A thread that isn't known. */
#define FXT_CTF_NOBODY	(~0u)

/* The folders below one that have a file "metadata". */
struct fxt_ctf_traces {
	char *path[FXT_CTF_TRACES_MAX];
	__u32 count;
	__u64 bytes;		/* of all their files */
};

/* What the child sends. */
enum fxt_ctf_kind {
	FXT_CTF_CLASS,		/* fields of an event: bytes is their number; two names and they follow */
	FXT_CTF_EVENT,		/* its fields follow, bytes of them */
	FXT_CTF_LOST,		/* since then, up to ns: number of events, 0: not known */
	FXT_CTF_CURRENT,	/* tid is the current thread of a CPU */
	FXT_CTF_CLOCK,		/* number: real time less that of the trace */
	FXT_CTF_HOST,		/* its name, the kernel's release, and the id of its boot follow */
	FXT_CTF_BROKEN,		/* the trace of that number ends here: libbabeltrace2 fails on it */
	FXT_CTF_SEVERAL,	/* the traces id and cpu are of different kernels: no more follows */
	FXT_CTF_CLOCKLESS,	/* the stream has no clock, and isn't read */
};

/* Of messages and classes. */
#define FXT_CTF_KERNEL	0x1u	/* of a kernel; else of a program */

#define FXT_CTF_CONTEXTLESS	0xffffffffu

struct fxt_ctf_message {
	__u16 kind, flags;
	__u32 bytes;
	__u32 id, cpu;		/* of its class, or of a trace */
	__u32 tid, tgid;	/* tgid 0: not known */
	__u64 ns, since;
	__s64 number;		/* of a class: fields that are left out */
	__u32 context;		/* enum fxt_waker_context, or FXT_CTF_CONTEXTLESS: the event doesn't say it */
	char name[20];		/* of the thread; "" */
};

/* Behind a class's message are two names, of the subsystem and of itself, and these. */
struct fxt_ctf_field {
	char name[FXT_CTF_NAME];
	__u32 type, bytes;
};

int fxt_ctf_read(struct fxt_conversion *c, struct fxt_in *in);

/* Finds the traces below a folder: 0 or -errno; -E2BIG beyond the limits above. */
int fxt_ctf_traces_find(struct fxt_ctf_traces *traces, const char *folder);
void fxt_ctf_traces_uninit(struct fxt_ctf_traces *traces);

/* In the child: sends all of the traces.  0, 1 where the library fails, or: */
#define FXT_CTF_NO_PLUGIN	2
int fxt_ctf_send(struct fxt_child_out *out, void *traces);

#endif
