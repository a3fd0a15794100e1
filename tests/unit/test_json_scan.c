// SPDX-License-Identifier: GPL-2.0-only
/* The tokenizer of JSON: tokens, errors and limits, for a text in any pieces. */
#include <errno.h>
#include <string.h>

#include "formats/json/scan.h"
#include "unit.h"

/* The tokens, written one after the other. */
struct tokens {
	struct fxt_buffer text;
	int fail;		/* returned for a value beyond the limits */
	const char *at;		/* text that is not scanned yet */
	size_t left;
	size_t piece;		/* bytes at a time */
	char *block;		/* copy of the last bytes, in a block of their size */
};

static void add(struct tokens *t, const char *before, const char *bytes, size_t count)
{
	fxt_buffer_put(&t->text, before, strlen(before));
	fxt_buffer_put(&t->text, bytes, count);
	fxt_buffer_put(&t->text, " ", 1);
}

static ssize_t fill(void *arg, const char **bytes)
{
	struct tokens *t = arg;
	size_t count = t->left < t->piece ? t->left : t->piece;

	free(t->block);
	t->block = malloc(count);
	assert_true(t->block || !count);
	memcpy(t->block, t->at, count);
	*bytes = t->block;
	t->at += count;
	t->left -= count;
	return count;
}

static int on_piece(void *arg, const char *bytes, size_t count)
{
	struct tokens *t = arg;

	fxt_buffer_put(&t->text, bytes, count);
	return 0;
}

static int on_beyond(void *arg, const char *what)
{
	struct tokens *t = arg;

	add(arg, "!", what, strcspn(what, " "));
	return t->fail;
}

static const struct fxt_json_scan_ops ops = {
	.fill = fill,
	.piece = on_piece,
	.beyond = on_beyond,
};

static void token_add(struct tokens *t, struct fxt_json_scan *s, int token)
{
	static const char *const names[] = { "0", "f", "t", "n", "s" };
	bool object = s->type == FXT_JSON_OBJECT;

	switch (token) {
	case FXT_JSON_OPEN:
		add(t, object ? "{" : "[", "", 0);
		break;
	case FXT_JSON_CLOSE:
		add(t, object ? "}" : "]", "", 0);
		break;
	case FXT_JSON_KEY:
		add(t, "k", s->text.bytes, s->text.length);
		s->pieces = s->text.length == 6 && !memcmp(s->text.bytes, "pieces", 6);
		break;
	case FXT_JSON_PIECES:
		add(t, "$", "", 0);
		break;
	default:
		add(t, names[s->type], s->text.bytes, s->text.length);
	}
}

/* Scans a text in pieces of a size, each in a block of its own size; returns the result. */
static int scan(struct fxt_json_scan *s, struct tokens *t, const char *text, size_t count,
		size_t piece)
{
	int token;

	t->at = text;
	t->left = count;
	t->piece = piece;
	fxt_json_scan_init(s, &ops, t);
	while ((token = fxt_json_scan_next(s)) > 0)
		token_add(t, s, token);
	free(t->block);
	t->block = NULL;
	return token;
}

static void tokens_are(const char *text, const char *expected)
{
	size_t count = strlen(text), piece;

	for (piece = 1; piece <= count + 1; piece++) {
		struct tokens t = { 0 };
		struct fxt_json_scan s;
		int err = scan(&s, &t, text, count, piece);

		if (err)
			fail_msg("%s: %s", text, s.complaint);
		fxt_buffer_put(&t.text, "", 1);
		assert_string_equal(t.text.bytes, expected);
		fxt_json_scan_uninit(&s);
		fxt_buffer_uninit(&t.text);
	}
}

static void fails(const char *text, const char *complaint)
{
	size_t count = strlen(text), piece;

	assert_false(fxt_json_valid(text, count));
	for (piece = 1; piece <= count + 1; piece++) {
		struct tokens t = { 0 };
		struct fxt_json_scan s;

		assert_int_equal(scan(&s, &t, text, count, piece), -EBADMSG);
		if (!strstr(s.complaint, complaint))
			fail_msg("%s: %s", text, s.complaint);
		assert_true(fxt_json_scan_offset(&s) <= count);
		fxt_json_scan_uninit(&s);
		fxt_buffer_uninit(&t.text);
	}
}

static void values(void **state)
{
	(void)state;
	tokens_are("{}", "{ } ");
	tokens_are("[]", "[ ] ");
	tokens_are(" [ 1 , -0.5e+10,true ,false,null,\"a\"] \n", "[ n1 n-0.5e+10 ttrue ffalse 0null sa ] ");
	tokens_are("{\"a\":{\"b\":[[],{}]},\"\":\"\"}", "{ ka { kb [ [ ] { } ] } k s } ");
	tokens_are("\"a\"", "sa ");
	tokens_are("10 ", "n10 ");
	tokens_are("10", "n10 ");
	assert_true(fxt_json_valid("{\"a\":[1,2.0,{}],\"b\":\"\\u00e9\"} ", 30));
}

static void strings(void **state)
{
	(void)state;
	tokens_are("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t|\"]", "[ s\"\\/\b\f\n\r\t| ] ");
	tokens_are("[\"x\\u0041\\u00e9\\u20AC\\ud83d\\ude00y\"]", "[ sxA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80y ] ");
	/* Halves of pairs: alone, in the wrong order, before another escape, at the end. */
	tokens_are("[\"\\ud800\",\"\\ude00\\ud83da\",\"\\ud800\\n\",\"\\ud800\\ud800\\udc00\"]",
		   "[ s? s??a s?\n s?\xf0\x90\x80\x80 ] ");
	tokens_are("[\"naïve – 01234567 \xf0\x9f\x98\x80\"]", "[ snaïve – 01234567 \xf0\x9f\x98\x80 ] ");
	tokens_are("{\"pieces\":\"a\\nb\\u00e9c\xff\",\"a\":\"x\"}", "{ kpieces a\nb\xc3\xa9" "c\xff$ ka sx } ");
	tokens_are("{\"pieces\":\"\"}", "{ kpieces $ } ");
	tokens_are("{\"pieces\":[\"a\"],\"b\":\"c\"}", "{ kpieces [ sa ] kb sc } ");
	tokens_are("{\"pieces\":1,\"b\":\"c\"}", "{ kpieces n1 kb sc } ");
}

/* Texts that Trace Viewer accepts, though they aren't JSON. */
static void accepted(void **state)
{
	static const char *const texts[] = { "[1,]", "[", "[1", "[1,", "[1 ,\n", "{\"a\":1,}", "[{},", "{},",
					     "[,]" };
	size_t i;

	(void)state;
	tokens_are("[1,]", "[ n1 ] ");
	tokens_are("[", "[ ] ");
	tokens_are("[1", "[ n1 ] ");
	tokens_are("[1 ,\n", "[ n1 ] ");
	tokens_are("[{},", "[ { } ] ");
	tokens_are("{\"a\":1,}", "{ ka n1 } ");
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(fxt_json_valid(texts[i], strlen(texts[i])));
}

static void errors(void **state)
{
	(void)state;
	fails("", "cut");
	fails(" ", "cut");
	fails("{", "cut");
	fails("[[", "cut");
	fails("{\"a\"", "cut");
	fails("{\"a\":1", "cut");
	fails("[\"a", "cut in a string");
	fails("[\"a\\", "cut in a string");
	fails("[\"a\\u00", "cut in a string");
	fails("[] []", "trailing garbage");
	fails("[],[]", "trailing garbage");
	fails("[]]", "trailing garbage");
	fails("1 2", "trailing garbage");
	fails("[1 2]", "separated by a comma");
	fails("[1 \"a\"]", "separated by a comma");
	fails("[1,,2]", "comma with no value before");
	fails("[,1]", "comma with no value before");
	fails("{\"a\":,1}", "comma with no value before");
	fails("{\"a\",1}", "comma with no value before");
	fails("{1:2}", "must be a string");
	fails("{[]:2}", "must be a string");
	fails("{\"a\" 1}", "must be a string");
	fails("{\"a\"}", "key without a value");
	fails("{\"a\":}", "key without a value");
	fails("[1:2]", "colon with no key");
	fails("{:1}", "colon with no key");
	fails("[1}", "not opened");
	fails("{\"a\":1]", "not opened");
	fails("]", "not opened");
	fails("[\"\\x\"]", "escape");
	fails("[\"\\u00g0\"]", "escape");
	fails("[\"a\nb\"]", "control character");
	fails("[\"\xff\"]", "UTF8");
	fails("[\"\xed\xa0\x80\"]", "UTF8");
	fails("[\"\xc3\\u00a9\"]", "UTF8");
	fails("[nothing]", "neither a number");
	fails("[\v1]", "neither a number");
	fails("[01]", "neither a number");
	fails("[-]", "neither a number");
	fails("[1.]", "neither a number");
	fails("[.5]", "neither a number");
	fails("[1e]", "neither a number");
	fails("[+1]", "neither a number");
	fails("[0x10]", "neither a number");
}

static void deep(unsigned int depth, const char *inner, int fail, const char *end)
{
	struct tokens t = { .fail = fail };
	struct fxt_json_scan s;
	char text[256];
	int err;

	memset(text, '[', depth);
	sprintf(text + depth, "%s%.*s", inner, depth, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
		"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
	err = scan(&s, &t, text, strlen(text), 7);
	assert_int_equal(err, fail && end[0] == '!' ? fail : 0);
	fxt_buffer_put(&t.text, "", 1);
	assert_non_null(strstr(t.text.bytes, end));
	assert_int_equal(fxt_json_valid(text, strlen(text)), end[0] != '!');
	fxt_json_scan_uninit(&s);
	fxt_buffer_uninit(&t.text);
}

/* A text longer than the limit is cut, a value deeper than the limit is dropped, and the rest is read. */
static void limits(void **state)
{
	const size_t bytes = FXT_JSON_TOKEN_MAX;
	char *text = malloc(bytes + 64);
	struct tokens t = { 0 };
	struct fxt_json_scan s;

	(void)state;
	deep(FXT_JSON_DEPTH_MAX, "1", 0, "n1 ]");
	deep(FXT_JSON_DEPTH_MAX, "{\"a]\\\"]\":[1]},2", 0, "!values 0null n2 ]");
	deep(FXT_JSON_DEPTH_MAX, "[]", -E2BIG, "!values");
	assert_non_null(text);
	memset(text, 'x', bytes + 64);
	memcpy(text, "[\"", 2);
	memcpy(text + bytes + 32, "\",\"a\"]", 6);
	assert_int_equal(scan(&s, &t, text, bytes + 38, 5000), 0);
	fxt_buffer_put(&t.text, "", 1);
	assert_memory_equal(t.text.bytes, "[ !a sxxx", 9);
	assert_int_equal(strspn(t.text.bytes + 6, "x"), bytes);
	assert_string_equal(t.text.bytes + 6 + bytes, " sa ] ");
	fxt_json_scan_uninit(&s);
	fxt_buffer_uninit(&t.text);
	memset(text + 1, '1', bytes + 63);
	assert_int_equal(scan(&s, &t, text, bytes + 64, 5000), -EBADMSG);
	assert_non_null(strstr(s.complaint, "longer than 1 MiB"));
	fxt_json_scan_uninit(&s);
	fxt_buffer_uninit(&t.text);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(strings),
		cmocka_unit_test(accepted),
		cmocka_unit_test(errors),
		cmocka_unit_test(limits),
	};

	return unit_run(tests);
}
