// SPDX-License-Identifier: GPL-2.0-only
/* What stands before the JSON parser. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/json/scan.h"

#define OUT_ROOM	((size_t)64 << 10)
#define SYSTEM_KEY	"systemTraceEvents"

int fxt_json_scan_init(struct fxt_json_scan *s, const struct fxt_json_scan_ops *ops,
		       const yajl_callbacks *callbacks, void *arg)
{
	memset(s, 0, offsetof(struct fxt_json_scan, out));
	s->ops = ops;
	s->arg = arg;
	s->yajl = yajl_alloc(callbacks, NULL, arg);
	return s->yajl ? 0 : -ENOMEM;
}

void fxt_json_scan_uninit(struct fxt_json_scan *s)
{
	if (s->yajl)
		yajl_free(s->yajl);
}

__u64 fxt_json_scan_offset(const struct fxt_json_scan *s)
{
	return s->base + yajl_get_bytes_consumed(s->yajl);
}

void fxt_json_scan_complaint(struct fxt_json_scan *s, char *to, size_t room)
{
	unsigned char *text = yajl_get_error(s->yajl, 0, NULL, 0);
	size_t length = text ? strcspn((char *)text, "\n") : 0;

	if (length >= room)
		length = room - 1;
	if (text)
		memcpy(to, text, length);
	to[length] = 0;
	if (text)
		yajl_free_error(s->yajl, text);
}

/* Has the parser take what was put so far; of input, all up to taken. */
static int flush(struct fxt_json_scan *s)
{
	if (s->filled && yajl_parse(s->yajl, s->out, s->filled) != yajl_status_ok)
		return -EBADMSG;
	s->filled = 0;
	s->base = s->taken - s->comma;
	return 0;
}

static void put(struct fxt_json_scan *s, __u8 byte)
{
	s->out[s->filled++] = byte;
}

/* systemTraceEvents goes through out as well, which holds nothing else then. */
static int system_flush(struct fxt_json_scan *s)
{
	size_t count = s->filled;

	s->filled = 0;
	return count ? s->ops->system(s->arg, (char *)s->out, count) : 0;
}

static int system_begin(struct fxt_json_scan *s)
{
	int err = flush(s);

	s->in_system = true;
	s->high = 0;
	return err;
}

static int system_end(struct fxt_json_scan *s)
{
	int err;

	if (s->high)
		put(s, '?');
	err = system_flush(s);
	if (!err)
		err = s->ops->system(s->arg, NULL, 0);
	s->in_system = false;
	s->in_string = false;
	s->base = s->taken - 1;
	/* The parser sees an empty string. */
	put(s, '"');
	put(s, '"');
	return err;
}

static int hex(__u8 byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static int system_escape(struct fxt_json_scan *s, __u8 byte)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (s->escape == 5 && byte == 'u') {
		s->escape = 4;
		s->unit = 0;
		return 0;
	}
	if (s->escape == 5) {
		found = byte ? strchr(from, byte) : NULL;
		if (!found)
			return -EILSEQ;
		s->escape = 0;
		put(s, to[found - from]);
		return 0;
	}
	if (hex(byte) < 0)
		return -EILSEQ;
	s->unit = s->unit << 4 | hex(byte);
	if (!--s->escape)
		s->filled += fxt_json_unescape_unit((char *)s->out + s->filled, s->unit, &s->high);
	return 0;
}

static int system_byte(struct fxt_json_scan *s, __u8 byte)
{
	if (s->escape)
		return system_escape(s, byte);
	if (byte == '\\') {
		s->escape = 5;
		return 0;
	}
	if (byte == '"')
		return system_end(s);
	if (s->high)
		put(s, '?');
	s->high = 0;
	put(s, byte);
	return s->filled >= OUT_ROOM ? system_flush(s) : 0;
}

/* A byte of a string that the parser gets; its length is bounded, between two characters. */
static int string_byte(struct fxt_json_scan *s, __u8 byte)
{
	bool end = byte == '"' && !s->escape;
	int err;

	if (++s->token > FXT_JSON_TOKEN_MAX && !s->cut && !s->escape && byte < 0x80 && !end) {
		err = flush(s);
		if (!err)
			err = s->ops->beyond(s->arg, "a string longer than 1 MiB");
		if (err)
			return err;
		s->cut = true;
	}
	if (s->depth == 1 && s->before == 'k' && s->token < sizeof(s->key))
		s->key[s->token - 1] = end ? 0 : byte;
	if (s->escape)
		s->escape = s->escape == 5 && byte == 'u' ? 4 : s->escape == 5 ? 0 : s->escape - 1;
	else if (byte == '\\')
		s->escape = 5;
	s->in_string = !end;
	if (!s->cut || end)
		put(s, byte);
	return 0;
}

static void string_begin(struct fxt_json_scan *s)
{
	s->in_string = true;
	s->cut = false;
	s->escape = 0;
	s->token = 0;
	/* A key is what stands first, or behind a comma, in an object. */
	s->before = s->depth == 1 && s->first == '{' && s->before != ':' ? 'k' : 'v';
	if (s->before == 'k')
		memset(s->key, 0, sizeof(s->key));
}

/* An object or array that is nested too deep: the parser gets a 0 for it. */
static int swallow_begin(struct fxt_json_scan *s)
{
	int err = flush(s);

	if (!err)
		err = s->ops->beyond(s->arg, "values nested deeper than 64");
	s->swallow = 1;
	put(s, '0');
	return err;
}

static int swallow_byte(struct fxt_json_scan *s, __u8 byte)
{
	if (s->in_string) {
		if (s->escape)
			s->escape = 0;
		else if (byte == '\\')
			s->escape = 1;
		else if (byte == '"')
			s->in_string = false;
		return 0;
	}
	if (byte == '"')
		s->in_string = true;
	else if (byte == '{' || byte == '[')
		s->swallow++;
	else if (byte == '}' || byte == ']')
		s->swallow--;
	return 0;
}

/* A number or a literal; garbage counts as one, which the parser will say. */
static int scalar_byte(struct fxt_json_scan *s, __u8 byte)
{
	s->token = s->before == 's' ? s->token + 1 : 1;
	s->before = 's';
	if (s->token > FXT_JSON_TOKEN_MAX) {
		s->ops->beyond(s->arg, "a number longer than 1 MiB");
		return -E2BIG;
	}
	put(s, byte);
	return 0;
}

static int token_byte(struct fxt_json_scan *s, __u8 byte)
{
	bool close = byte == ']' || byte == '}', open = byte == '[' || byte == '{';
	bool system = byte == '"' && s->depth == 1 && s->first == '{' && s->before == ':' &&
		      !strcmp(s->key, SYSTEM_KEY);

	/* A comma with nothing behind it is forgiven. */
	if (s->comma && byte != ',')
		put(s, close ? ' ' : ',');
	else if (s->comma)
		put(s, ',');
	s->comma = byte == ',';
	if (byte == ',') {
		s->before = ',';
		return 0;
	}
	if (byte == '"') {
		string_begin(s);
		if (system)
			return system_begin(s);
		put(s, byte);
		return 0;
	}
	if (!open && !close && byte != ':')
		return scalar_byte(s, byte);
	if (open && !s->depth)
		s->first = byte;
	if (open && s->depth == FXT_JSON_DEPTH_MAX) {
		s->before = 'v';
		return swallow_begin(s);
	}
	s->depth += open;
	s->depth -= close && s->depth;
	s->before = close ? 'v' : byte;
	put(s, byte);
	return 0;
}

static bool space(__u8 byte)
{
	return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

int fxt_json_scan_feed(struct fxt_json_scan *s, const __u8 *bytes, size_t count)
{
	int err = 0;
	size_t i;

	for (i = 0; i < count && !err; i++) {
		__u8 byte = bytes[i];

		s->taken++;
		if (s->swallow) {
			err = swallow_byte(s, byte);
		} else if (s->in_system) {
			err = system_byte(s, byte);
		} else if (s->in_string) {
			err = string_byte(s, byte);
		} else if (space(byte)) {
			if (s->before == 's')
				s->before = 'v';
			put(s, byte);
		} else {
			err = token_byte(s, byte);
		}
		if (!err && s->filled >= OUT_ROOM && !s->in_system)
			err = flush(s);
	}
	if (!err && !s->in_system)
		err = flush(s);
	return err;
}

int fxt_json_scan_end(struct fxt_json_scan *s)
{
	int err;

	if (s->in_system)
		return system_flush(s) ? -EBADMSG : -ENODATA;
	if (s->depth == 1 && s->first == '[' && !s->in_string && !s->swallow)
		put(s, ']');
	err = flush(s);
	if (!err && yajl_complete_parse(s->yajl) != yajl_status_ok)
		err = -EBADMSG;
	return err;
}
