// SPDX-License-Identifier: GPL-2.0-only
/* Writes reasons of sleeps as texts, and parses them. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reason_text.h"

size_t fxt_reason_text(char text[FXT_REASON_TEXT_BYTES], const struct fxt_sleep_reason *reason)
{
	int bytes = snprintf(text, FXT_REASON_TEXT_BYTES, "0x%x", reason->bits);

	if (!reason->kind)
		return bytes;
	bytes += snprintf(text + bytes, FXT_REASON_TEXT_BYTES - bytes, " %s=%llu", fxt_object_kind_name(reason->kind),
			  reason->object);
	if (fxt_reason_is_mapped(reason))
		bytes += snprintf(text + bytes, FXT_REASON_TEXT_BYTES - bytes, " inode=%llu", reason->inode);
	if (reason->device)
		bytes += snprintf(text + bytes, FXT_REASON_TEXT_BYTES - bytes, " device=%u", reason->device);
	if (fxt_reason_is_mapped(reason))
		bytes += snprintf(text + bytes, FXT_REASON_TEXT_BYTES - bytes, " offset=%llu", reason->offset);
	if (reason->holder)
		bytes += snprintf(text + bytes, FXT_REASON_TEXT_BYTES - bytes, " holder=%u", reason->holder);
	return bytes;
}

static bool skip(const char **at, const char *text)
{
	size_t bytes = strlen(text);

	if (strncmp(*at, text, bytes))
		return false;
	*at += bytes;
	return true;
}

static bool number(const char **at, int base, __u64 max, __u64 *value)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	errno = 0;
	*value = strtoull(*at, &end, base);
	if (errno || end == *at || *value > max)
		return false;
	*at = end;
	return true;
}

/* Parses " name=NUMBER"; moves *at only if it is there. */
static bool field(const char **at, const char *name, __u64 max, __u64 *value)
{
	const char *after = *at;

	if (!skip(&after, " ") || !skip(&after, name) || !skip(&after, "=") || !number(&after, 10, max, value))
		return false;
	*at = after;
	return true;
}

static bool parse(struct fxt_sleep_reason *reason, const char *at)
{
	__u64 value;

	if (!skip(&at, "0x") || !number(&at, 16, ~0U, &value))
		return false;
	reason->bits = value;
	for (reason->kind = FXT_ONS - 1; reason->kind; reason->kind--)
		if (field(&at, fxt_object_kind_name(reason->kind), ~0ULL, &reason->object))
			break;
	if (reason->kind == FXT_ON_FUTEX)
		field(&at, "inode", ~0ULL, &reason->inode);
	if (reason->kind && field(&at, "device", ~0U, &value))
		reason->device = value;
	if (reason->kind == FXT_ON_FUTEX)
		field(&at, "offset", ~0ULL, &reason->offset);
	if (reason->kind && field(&at, "holder", ~0U, &value))
		reason->holder = value;
	return reason->bits && !*at;
}

bool fxt_reason_parse(struct fxt_sleep_reason *reason, const char *text, size_t length)
{
	char copy[FXT_REASON_TEXT_BYTES];
	bool parsed = false;

	*reason = (struct fxt_sleep_reason){ 0 };
	if (length < sizeof(copy)) {
		memcpy(copy, text, length);
		copy[length] = '\0';
		parsed = strlen(copy) == length && parse(reason, copy);
	}
	if (!parsed)
		*reason = (struct fxt_sleep_reason){ 0 };
	return parsed;
}
