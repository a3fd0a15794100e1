/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads folders of the Common Trace Format; without libbabeltrace2, reports which package has it. */
#ifndef FXT_CONVERT_CTF_CTF_H
#define FXT_CONVERT_CTF_CTF_H

#include "convert/format.h"
#include "formats/tracepoint/tracepoint.h"
#include "child/child.h"

#define FXT_CTF_NAME		64u
#define FXT_CTF_EVENT_MAX	65536u

/* Limits of a folder: its traces, and the entries that are searched for traces. */
#define FXT_CTF_TRACES_MAX	4096u
#define FXT_CTF_ENTRIES_MAX	((__u64)1 << 20)

/* A thread that isn't known. */
#define FXT_CTF_NOBODY	(~0u)

/* Traces of a folder: the folders at any depth with a file "metadata". */
struct fxt_ctf_traces {
	char *path[FXT_CTF_TRACES_MAX];
	__u32 count;
	__u64 bytes;		/* total of all their files */
};

/* Kinds of the messages that the child sends. */
enum fxt_ctf_kind {
	FXT_CTF_CLASS,		/* fields of an event: bytes is their number; two names and the fields follow */
	FXT_CTF_EVENT,		/* an event; its fields follow, of bytes bytes */
	FXT_CTF_LOST,		/* loss from since to ns: number of events, 0: not known */
	FXT_CTF_CURRENT,	/* tid is the current thread of a CPU */
	FXT_CTF_CLOCK,		/* number: the real time minus the trace's time */
	FXT_CTF_HOST,		/* host: its name, the kernel's release, and the id of its boot follow */
	FXT_CTF_BROKEN,		/* trace id ends here: libbabeltrace2 fails on it */
	FXT_CTF_SEVERAL,	/* traces id and cpu are of different kernels: no more messages follow */
	FXT_CTF_CLOCKLESS,	/* stream without a clock, which isn't read */
};

/* Flags of messages and classes. */
#define FXT_CTF_KERNEL	0x1u	/* trace of a kernel; else of a program */

#define FXT_CTF_CONTEXTLESS	0xffffffffu

struct fxt_ctf_message {
	__u16 kind, flags;
	__u32 bytes;
	__u32 id, cpu;		/* id of the event's class, or of a trace */
	__u32 tid, tgid;	/* tgid 0: not known */
	__u64 ns, since;
	__s64 number;		/* of a class: number of fields that are left out */
	__u32 context;		/* enum fxt_waker_context, or FXT_CTF_CONTEXTLESS: not in the event */
	char name[20];		/* name of the thread; "" */
};

/* A field of a class: its message is followed by two names, of the subsystem and of the class, and its fields. */
struct fxt_ctf_field {
	char name[FXT_CTF_NAME];
	__u32 type, bytes;
};

int fxt_ctf_read(struct fxt_conversion *c, struct fxt_in *in);

/* Finds the traces below a folder: 0 or -errno; -E2BIG beyond the limits above. */
int fxt_ctf_traces_find(struct fxt_ctf_traces *traces, const char *folder);
void fxt_ctf_traces_uninit(struct fxt_ctf_traces *traces);

/* Sends all traces, in the child.  0, 1 where the library fails, or 2 where it has no plugin for CTF. */
#define FXT_CTF_NO_PLUGIN	2
int fxt_ctf_send(struct fxt_child_out *out, void *traces);

#endif
