// SPDX-License-Identifier: GPL-2.0-only
/* Formats of tracepoints by their text: as libtraceevent reads them, for every tracepoint of this kernel. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>

#include "formats/tracepoint/format.h"
#include "unit.h"

static const char odd[] =
	"name: odd\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__rel_loc char[] late;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:const void * pointer;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[6];\toffset:40;\tsize:48;\tsigned:0;\n"
	"\tfield:__data_loc unsigned long[] list;\toffset:88;\tsize:4;\tsigned:0;\n"
	"\tfield:enum state state;\toffset:92;\tsize:4;\tsigned:0;\n"
	"\tfield:long long ns;\toffset:96;\tsize:8;\tsigned:1;\n"
	"\tfield:struct pair pair;\toffset:104;\tsize:16;\tsigned:0;\n"
	"\nprint fmt: \"%s\", REC->comm\n";

static struct fxt_tp_reader rd;

/* Reads the fields of a format by both parsers, and asserts that they are equal; returns their number. */
static unsigned int compare(const char *subsystem, const char *text)
{
	struct tep_handle *tep = tep_alloc();
	struct fxt_tp *ours, *theirs;
	unsigned int i, fields;
	__u32 id;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_parse_event(tep, text, strlen(text), subsystem);
	theirs = fxt_tp_of(&rd, tep_get_first_event(tep));
	assert_int_equal(fxt_tp_parse(&rd, subsystem, text, strlen(text), &ours, &id), 0);
	assert_non_null(ours);
	assert_non_null(theirs);
	assert_int_equal(id, tep_get_first_event(tep)->id);
	assert_string_equal(ours->name, theirs->name);
	assert_string_equal(ours->subsystem, theirs->subsystem);
	assert_int_equal(ours->fields, theirs->fields);
	fields = ours->fields;
	for (i = 0; i < fields; i++) {
		assert_string_equal(ours->field[i].name, theirs->field[i].name);
		assert_int_equal(ours->field[i].type, theirs->field[i].type);
		assert_int_equal(ours->field[i].offset, theirs->field[i].offset);
		assert_int_equal(ours->field[i].bytes, theirs->field[i].bytes);
	}
	fxt_tp_free(ours);
	fxt_tp_free(theirs);
	tep_free(tep);
	return fields;
}

static void kinds(void **state)
{
	(void)state;
	/* comm, name, late, state, ns */
	assert_int_equal(compare("test", odd), 5);
}

/* Where tracefs can't be read, only the odd format is tested. */
static void all(void **state)
{
	static char text[1 << 16];
	unsigned int read = 0;
	glob_t found;
	size_t i;

	(void)state;
	if (glob("/sys/kernel/tracing/events/*/*/format", 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		FILE *f = fopen(found.gl_pathv[i], "re");
		size_t bytes = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

		if (f)
			fclose(f);
		text[bytes] = 0;
		/* The library leaks memory of some print formats. */
		if (strstr(text, "\nprint fmt:"))
			strcpy(strstr(text, "\nprint fmt:"), "\nprint fmt: \"\"\n");
		/* libtraceevent rejects these two completely. */
		if (bytes && !strstr(found.gl_pathv[i], "/ftrace/") && !strstr(text, "\tfield:struct "))
			read += compare("any", text) <= FXT_TP_FIELDS_MAX;
	}
	globfree(&found);
	print_message("%u formats of this kernel compared\n", read);
}

/* Every start of a format, and every format with a changed byte, is some tracepoint or none. */
static void damaged(void **state)
{
	char text[sizeof(odd)];
	struct fxt_tp *tp;
	size_t i;
	__u32 id;

	(void)state;
	for (i = 0; i < sizeof(odd); i++) {
		assert_int_equal(fxt_tp_parse(&rd, "test", odd, i, &tp, &id), 0);
		fxt_tp_free(tp);
		memcpy(text, odd, sizeof(odd));
		text[i] ^= 0x15;
		assert_int_equal(fxt_tp_parse(&rd, "test", text, sizeof(odd) - 1, &tp, &id), 0);
		fxt_tp_free(tp);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(all),
		cmocka_unit_test(damaged),
	};

	return unit_run(tests);
}
