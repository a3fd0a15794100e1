/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of the kernel that have a message of their own in Perfetto's packets, and that fxtrec keeps as tracepoints. */
#ifndef FXT_CONVERT_PERFETTO_TYPED_H
#define FXT_CONVERT_PERFETTO_TYPED_H

#include "codec/record.h"

struct fxt_pf_typed {
	__u32 field;		/* field of FtraceEvent */
	const char *name;	/* name of the tracepoint */
	const char *fields;	/* fields of its message, in the form that typed.c describes */
};

enum fxt_pf_typed_kind { FXT_PF_TYPED_NONE, FXT_PF_TYPED_NUMBER, FXT_PF_TYPED_TEXT, FXT_PF_TYPED_SYMBOL };

struct fxt_pf_typed_field {
	__u32 number;
	enum fxt_pf_typed_kind kind;
	struct fxt_text name;		/* name of fxtrec's argument */
	struct fxt_text own_name;	/* name of the tracepoint's field */
	const char *next;
};

/* Marks a name that is not one of the events. */
extern const struct fxt_pf_typed fxt_pf_typed_none;

/* Return the event of a field, or with a name; NULL: unknown. */
const struct fxt_pf_typed *fxt_pf_typed_by_field(__u32 field);
const struct fxt_pf_typed *fxt_pf_typed_by_name(const struct fxt_text *name);

/* Goes to the next field; to the first where *field is all zero.  False after the last. */
bool fxt_pf_typed_next(const struct fxt_pf_typed *event, struct fxt_pf_typed_field *field);

#endif
