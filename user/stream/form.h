/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forms: common data of instant events of one kind.  Such an event is kept as its source wrote it, and its arguments
 * are built when it is read from the sorter.
 */
#ifndef FXT_STREAM_FORM_H
#define FXT_STREAM_FORM_H

#include "codec/strings.h"

/* Longest event that is kept so, in bytes: the record of any form is then small enough to be encoded. */
#define FXT_FORM_BYTES	1024u
/* Memory for the texts of an event: all arguments may be the same text. */
#define FXT_FORM_ROOM	(FXT_ARGS_MAX * FXT_FORM_BYTES)

struct fxt_form {
	struct fxt_text category, name;
	struct fxt_text arg_name[FXT_ARGS_MAX];
	unsigned int arg_count;
	bool met;		/* an event of the form was put: its texts have indices in the string table */
	/* Adds an event's arguments to its record; room: FXT_FORM_ROOM for texts that have to be changed. */
	void (*args_add)(const struct fxt_form *form, struct fxt_record *r, const __u8 *bytes, size_t count,
			 char *room);
	void (*drop)(struct fxt_form *form);	/* releases the form, which isn't needed any more */
};

/* All zero is empty. */
struct fxt_forms {
	struct fxt_form **form;
	__u32 count;
	char room[FXT_FORM_ROOM];
};

/* An event of a form: its bytes are valid where the form's fields are. */
struct fxt_formed {
	__u32 form;		/* number of the form */
	__u64 process, thread;
	const __u8 *bytes;
	size_t count;
	const struct fxt_text *text;	/* values of the arguments that are texts; empty for other arguments */
};

/* Adds a form, which is dropped at the end; returns its number, or -ENOMEM. */
int fxt_forms_add(struct fxt_forms *forms, struct fxt_form *form);
void fxt_forms_uninit(struct fxt_forms *forms);

/* Registers the texts of an event in the string table, in the order that encoding it would. */
void fxt_formed_texts(const struct fxt_forms *forms, const struct fxt_formed *event, struct fxt_strings *strings);

/* Encode an event: return the number of words, write them, and read them; -EIO where they are damaged. */
size_t fxt_formed_words(const struct fxt_formed *event);
void fxt_formed_put(const struct fxt_formed *event, __u64 *words);
int fxt_formed_get(struct fxt_forms *forms, const __u64 *words, size_t count, __u64 ns, struct fxt_record *r);

#endif
