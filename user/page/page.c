// SPDX-License-Identifier: GPL-2.0-only
/* Writes the page that shows a trace: its parts and its blocks of data. */
#include <errno.h>
#include <string.h>

#include "page/page.h"

/* Zero-terminated texts that page.mk makes of the page's sources. */
extern const char _binary_page_head_text_start[], _binary_page_tail_text_start[];

static int page_fail(struct fxt_page *page, int err)
{
	if (!page->err)
		page->err = err;
	return page->err;
}

static int page_put(struct fxt_page *page, const void *bytes, size_t count)
{
	if (page->err)
		return page->err;
	page->bytes += count;
	if (page->bytes > page->bytes_max)
		return page_fail(page, -EFBIG);
	fxt_out_bytes(page->out, bytes, count);
	return page->out->err ? page_fail(page, page->out->err) : 0;
}

static int text_put(struct fxt_page *page, const char *text)
{
	return page_put(page, text, strlen(text));
}

static int block_begin(struct fxt_page *page, const char *id, const char *type)
{
	text_put(page, "<script type=\"");
	text_put(page, type);
	text_put(page, "\" id=\"");
	text_put(page, id);
	return text_put(page, "\">");
}

static int block_end(struct fxt_page *page)
{
	return text_put(page, "</script>\n");
}

size_t fxt_page_least(void)
{
	return strlen(_binary_page_head_text_start) + strlen(_binary_page_tail_text_start);
}

int fxt_page_begin(struct fxt_page *page, struct fxt_out *out, __u64 bytes_max)
{
	*page = (struct fxt_page){ .out = out, .bytes_max = bytes_max };
	return text_put(page, _binary_page_head_text_start);
}

int fxt_page_end(struct fxt_page *page)
{
	return text_put(page, _binary_page_tail_text_start);
}

int fxt_page_bytes(struct fxt_page *page, const char *id, const void *bytes, size_t count)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const __u8 *in = bytes;
	char text[4096];
	size_t length = 0, i;

	block_begin(page, id, "application/octet-stream;base64");
	for (i = 0; i < count && !page->err; i += 3) {
		size_t left = count - i;
		unsigned int bits = in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);

		text[length++] = digits[bits >> 18];
		text[length++] = digits[bits >> 12 & 63];
		text[length++] = left > 1 ? digits[bits >> 6 & 63] : '=';
		text[length++] = left > 2 ? digits[bits & 63] : '=';
		if (length == sizeof(text)) {
			page_put(page, text, length);
			length = 0;
		}
	}
	page_put(page, text, length);
	return block_end(page);
}

/* Writes JSON to the page.  Escapes "<", as "</script" and "<!--" would end the block, or hide its end. */
static ssize_t json_write(void *cookie, const char *bytes, size_t count)
{
	struct fxt_page *page = cookie;
	size_t at = 0, next;
	const char *found;

	while (at < count && !page->err) {
		found = memchr(bytes + at, '<', count - at);
		next = found ? (size_t)(found - bytes) : count;
		page_put(page, bytes + at, next - at);
		if (found)
			text_put(page, "\\u003c");
		at = next + !!found;
	}
	errno = -page->err;
	return page->err ? 0 : (ssize_t)count;
}

FILE *fxt_page_json_open(struct fxt_page *page, const char *id)
{
	if (block_begin(page, id, "application/json"))
		return NULL;
	page->json = fopencookie(page, "w", (cookie_io_functions_t){ .write = json_write });
	if (!page->json)
		page_fail(page, -ENOMEM);
	return page->json;
}

int fxt_page_json_close(struct fxt_page *page)
{
	if (page->json && fclose(page->json))
		page_fail(page, errno ? -errno : -EIO);
	page->json = NULL;
	return block_end(page);
}

int fxt_page_json(struct fxt_page *page, const char *id, struct fxt_json_writer *w)
{
	FILE *out = fxt_page_json_open(page, id);

	if (w->text.failed)
		page_fail(page, -ENOMEM);
	else if (out)
		fwrite(w->text.bytes, 1, w->text.length, out);
	fxt_buffer_uninit(&w->text);
	return fxt_page_json_close(page);
}
