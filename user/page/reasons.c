// SPDX-License-Identifier: GPL-2.0-only
/* The page's reasons of sleeps, by number. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "page/reasons.h"

/* The properties that sleeps with the same number share; the map compares all bytes. */
struct reason_key {
	__u64 object, offset, holder;	/* of a futex in memory that processes share: inode, and position in the file */
	__u32 device;
	__u32 kind;	/* enum fxt_object_kind */
	__u32 call;	/* bits of FXT_REASON_ENTRY and FXT_REASON_CALL */
	__u16 wait;	/* enum fxt_wait_class */
	__u16 listed;	/* object and holder are known to the page */
};

struct fxt_page_reason {
	struct reason_key key;
	struct fxt_sleep_reason reason;	/* of one of the sleeps */
	__u32 number;
	struct fxt_page_reason *next;
};

int fxt_page_reason(struct fxt_page_reasons *r, const struct fxt_task *task, __u64 holder, __u32 *number)
{
	const struct fxt_sleep_reason *reason = &task->reason;
	struct reason_key key = {
		.object = fxt_reason_is_mapped(reason) ? reason->inode : reason->object, .offset = reason->offset,
		.holder = holder, .device = reason->device, .kind = reason->kind,
		.call = reason->bits & (FXT_REASON_ENTRY | FXT_REASON_CALL), .wait = task->wait, .listed = true,
	};
	struct fxt_page_reason *found;

	*number = 0;
	if (!reason->bits)
		return 0;
	found = fxt_map_named(&r->numbers, &key, sizeof(key));
	if (!found && r->numbers.count >= FXT_PAGE_REASONS_MAX) {
		key = (struct reason_key){ .call = key.call, .wait = key.wait };
		found = fxt_map_named(&r->numbers, &key, sizeof(key));
	}
	if (!found) {
		found = fxt_map_new_named(&r->numbers, &key, sizeof(key), sizeof(*found));
		if (!found)
			return -ENOMEM;
		found->number = r->numbers.count;
		found->reason = *reason;
		*(r->last ? &r->last->next : &r->first) = found;
		r->last = found;
	}
	*number = found->number;
	return 0;
}

/* Puts "/srv/db (file 254:0 inode 12)", or the object alone if its name isn't known. */
static void object_put(struct fxt_json_writer *json, const struct fxt_machine *m, const struct fxt_sleep_reason *reason)
{
	char name[FXT_WAIT_NAME_BYTES], object[FXT_WAIT_OBJECT_BYTES], text[FXT_WAIT_NAME_BYTES + FXT_WAIT_OBJECT_BYTES + 4];

	fxt_wait_name(name, &m->wait_names, &m->tasks, reason);
	fxt_wait_object(object, reason);
	snprintf(text, sizeof(text), "%s%s%s%s", name, *name ? " (" : "", object, *name ? ")" : "");
	fxt_json_string(json, text, strlen(text));
}

/* Puts [class, call, object, holder's key]; the object is null if it isn't listed. */
static void reason_put(struct fxt_json_writer *json, const struct fxt_machine *m, const struct fxt_page_reason *r)
{
	char room[FXT_SYSCALL_ROOM];
	const char *call = fxt_wait_call(&m->calls, &r->reason, room), *class = fxt_wait_class_name(r->key.wait);

	fxt_json_open(json, '[');
	fxt_json_string(json, class, strlen(class));
	fxt_json_string(json, call, strlen(call));
	if (r->key.listed)
		object_put(json, m, &r->reason);
	else
		fxt_json_null(json);
	fxt_json_number(json, r->key.holder);
	fxt_json_close(json, ']');
}

void fxt_page_reasons_put(const struct fxt_page_reasons *r, const struct fxt_machine *m, struct fxt_json_writer *json)
{
	const struct fxt_page_reason *reason;

	if (!r->first)
		return;
	fxt_json_key(json, "reasons");
	fxt_json_open(json, '[');
	for (reason = r->first; reason; reason = reason->next)
		reason_put(json, m, reason);
	fxt_json_close(json, ']');
}

void fxt_page_reasons_uninit(struct fxt_page_reasons *r)
{
	fxt_map_uninit(&r->numbers, NULL);
}
