// SPDX-License-Identifier: GPL-2.0-only
/* The page's reasons of sleeps, by number. */
#include <errno.h>
#include <string.h>

#include "page/reasons.h"

/* The properties that sleeps with the same number share; the map compares all bytes. */
struct reason_key {
	__u64 object, holder;
	__u32 device;
	__u32 kind;	/* enum fxt_object_kind */
	__u32 call;	/* bits of FXT_REASON_ENTRY and FXT_REASON_CALL */
	__u16 wait;	/* enum fxt_wait_class */
	__u16 listed;	/* object and holder are known to the page */
};

struct page_reason {
	struct reason_key key;
	__u32 number;
};

/* Puts [class, call, object, holder's key]; the object is null if it isn't listed. */
static void reason_put(struct fxt_json_writer *json, struct fxt_machine *m, const struct reason_key *key,
		       const struct fxt_sleep_reason *reason)
{
	char call[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const char *name = fxt_wait_call(&m->calls, reason, call), *class = fxt_wait_class_name(key->wait);
	const char *what = fxt_wait_object(object, reason);

	fxt_json_open(json, '[');
	fxt_json_string(json, class, strlen(class));
	fxt_json_string(json, name, strlen(name));
	if (key->listed)
		fxt_json_string(json, what, strlen(what));
	else
		fxt_json_null(json);
	fxt_json_number(json, key->holder);
	fxt_json_close(json, ']');
}

int fxt_page_reason(struct fxt_page_reasons *r, struct fxt_machine *m, const struct fxt_task *task, __u64 holder,
		    __u32 *number)
{
	const struct fxt_sleep_reason *reason = &task->reason;
	struct reason_key key = {
		.object = reason->object, .holder = holder, .device = reason->device, .kind = reason->kind,
		.call = reason->bits & (FXT_REASON_ENTRY | FXT_REASON_CALL), .wait = task->wait, .listed = true,
	};
	struct page_reason *found;

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
		reason_put(&r->json, m, &key, reason);
	}
	*number = found->number;
	return r->json.text.failed ? -ENOMEM : 0;
}

void fxt_page_reasons_uninit(struct fxt_page_reasons *r)
{
	fxt_map_uninit(&r->numbers, NULL);
	fxt_buffer_uninit(&r->json.text);
}
