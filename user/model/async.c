// SPDX-License-Identifier: GPL-2.0-only
/* Identifies an asynchronous operation by the fields that its begin, instants and end share. */
#include "model/async.h"
#include "model/json_fields.h"
#include "store/hash.h"
#include "store/keyed.h"

struct fxt_async_id fxt_async_id(const struct fxt_record *r)
{
	const struct fxt_arg *id;

	if (!fxt_json_is_of(r))
		return (struct fxt_async_id){ .process = r->thread.process, .id = r->event.id };
	/* An operation without an id belongs at most to its process. */
	id = r->event.id ? NULL : fxt_record_arg(r, FXT_JSON_FIELD "id");
	return (struct fxt_async_id){
		.process = id && id->type == FXT_ARG_NULL ? r->thread.process : 0,
		.category = fxt_keyed_bytes(r->category.bytes, r->category.length) | 1,
		.id = r->event.id,
	};
}

__u64 fxt_async_scoped(__u64 number, struct fxt_text scope, bool local, __u64 process)
{
	__u64 h;

	if (!local && !scope.length)
		return number;
	h = fxt_hash_step(fxt_hash_bytes(FXT_HASH_START, scope.bytes, scope.length), number);
	if (local)
		h = fxt_hash_step(fxt_hash_step(h, 1), process);
	/* fxt_hash_step() carries bits only upwards: fold the upper half into the lower. */
	return h ^ h >> 32;
}

__u64 fxt_async_mark_id(__u64 cookie, const char *name, size_t bytes)
{
	return cookie ^ fxt_hash_bytes(FXT_HASH_START, name, bytes) << 32;
}
