// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec --complete: completes a word of the command line, by the option tables; scripts/completions calls it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/report.h"
#include "cmd/command.h"
#include "cmd/complete_trace.h"
#include "cmd/option_tables.h"
#include "cmd/trace_options.h"
#include "complete/values.h"
#include "convert/format.h"
#include "select/trigger.h"
#include "show/print.h"
#include "util/report.h"
#include "util/utf8.h"

/* Lines that are not candidates: the shell completes names of files, or of programs. */
#define FILES		"*files"
#define PROGRAMS	"*programs"

struct completion {
	const char *word;	/* text to complete: the word, or the last element of a list */
	const char *before;	/* text before it in the word */
	int before_bytes;
	const char *file;	/* the first file on the line; NULL: no file */
};

/*
 * Returns whether a name can be printed: other processes choose names, so names with line ends or escapes are skipped.
 */
static bool printable(const char *text)
{
	size_t i, length = strlen(text);

	for (i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return fxt_utf8_valid(text, length) == length;
}

static void add(void *arg, const char *value, const char *what)
{
	const struct completion *c = arg;

	if (strncmp(value, c->word, strlen(c->word)) || !*value || !printable(value))
		return;
	printf("%.*s%s", c->before_bytes, c->before, value);
	if (*what && printable(what))
		printf("\t%s", what);
	putchar('\n');
}

/* Returns whether a kind of value, as the help names it, is a file's name. */
static bool is_path(const char *kind)
{
	return !strcmp(kind, "FILE") || !strcmp(kind, "OUT") || !strcmp(kind, "PAGE") || !strcmp(kind, "DIR");
}

/* Adds the words of "a|b|c". */
static void words_add(struct completion *c, const char *words)
{
	char *text = strdupa(words), *word;

	while ((word = strsep(&text, "|")))
		add(c, word, "");
}

static void formats_add(struct completion *c, bool read)
{
	const struct fxt_format *const *f;

	for (f = fxt_formats; *f; f++)
		if (read ? !!(*f)->ops->read : !!(*f)->ops->writer)
			add(c, (*f)->name, (*f)->suffix);
}

static void columns_add(struct completion *c)
{
	unsigned int i;

	for (i = 0; i < FXT_COLUMNS; i++)
		add(c, fxt_report_column_names[i], "");
}

/* Moves the start to the last element of a list, as the elements before the last comma are complete. */
static void element_begin(struct completion *c)
{
	const char *comma = strrchr(c->word, ',');

	if (!comma)
		return;
	c->before_bytes = comma + 1 - c->before;
	c->word = comma + 1;
}

static bool is_thread(const char *option)
{
	return !strcmp(option, "pid") || !strcmp(option, "tid") || !strcmp(option, "comm") || !strcmp(option, "cgroup");
}

/* Completes a value by its kind, which the option's help names. */
static void value_complete(struct completion *c, const struct fxt_command *command,
			   const struct argp_option *option)
{
	bool live = !strcmp(command->name, "record") || (!strcmp(command->name, "top") && !c->file);
	struct fxt_values values = { .add = add, .arg = c };
	const char *kind = option->arg;

	if (strchr(kind, ',') || !strcmp(kind, "LIST") || !strcmp(kind, "CPUS"))
		element_begin(c);
	values.word = c->word;
	if (is_path(kind))
		puts(FILES);
	else if (!strcmp(kind, "FORMAT"))
		formats_add(c, !strcmp(option->name, "from"));
	else if (!strcmp(kind, "LIST"))
		fxt_values_events(&values);
	else if (strchr(kind, '|') || !strcmp(kind, "all"))
		words_add(c, kind);
	else if (!strcmp(kind, "COLUMN"))
		columns_add(c);
	else if (!strcmp(option->name, "trigger"))
		words_add(c, FXT_TRIGGER_KINDS);
	else if (!strcmp(option->name, "cpu"))
		fxt_values_cpus(&values);
	else if (live && (!strcmp(option->name, "pid") || !strcmp(option->name, "tid")))
		fxt_values_tasks(&values, *option->name == 'p', NULL);
	else if (live && !strcmp(option->name, "comm"))
		fxt_values_comms(&values);
	else if (live && !strcmp(option->name, "cgroup"))
		fxt_values_cgroups(&values);
	else if (!live && is_thread(option->name) && (c->file || !access(FXT_TRACE_NAME, R_OK)))
		cmd_complete_trace(&values, option->name, c->file ? c->file : FXT_TRACE_NAME);
}

/* Adds an option with the first sentence of its help, or the text before a list, which fits on a line. */
static void option_add(struct completion *c, const char *name, const char *doc)
{
	static const char *const ends[] = { ". ", "; ", ": ", " (", ", with", "\n" };
	char text[80], option[80];
	size_t i;

	snprintf(text, sizeof(text), "%s", doc ? doc : "");
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (strstr(text, ends[i]))
			*strstr(text, ends[i]) = '\0';
	snprintf(option, sizeof(option), "--%s", name);
	add(c, option, text);
}

static bool option_show(const struct argp_option *o, void *arg)
{
	if (o->name && !(o->flags & (OPTION_HIDDEN | OPTION_DOC)))
		option_add(arg, o->name, o->doc);
	return false;
}

static void options_complete(struct completion *c, const struct fxt_command *command)
{
	fxt_options_each(command->argp, option_show, c);
	option_add(c, "help", "Give this help list");
	option_add(c, "usage", "Give a short usage message");
	option_add(c, "version", "Print program version");
}

/* Finds a short option with its value in the same word, as "-eirq". */
static const struct argp_option *option_joined(const struct fxt_command *command, const char *word)
{
	const char option[] = { word[0], word[0] ? word[1] : '\0', '\0' };

	return option[0] == '-' && option[1] != '-' && word[1] && word[2] ? fxt_option_find(command, option) : NULL;
}

/*
 * Returns the start of an option's value in the option's own word; NULL: the value isn't there, or there is no such
 * option.
 */
static char *value_joined(const struct fxt_command *command, char *word, const struct argp_option **option)
{
	char *equals = strchr(word, '=');

	*option = equals ? fxt_option_find(command, word) : NULL;
	if (*option)
		return equals + 1;
	*option = option_joined(command, word);
	return *option ? word + 2 : NULL;
}

/* Completes an argument that is not an option, by the command's usage. */
static void argument_complete(struct completion *c, const struct fxt_command *command)
{
	const char *usage = fxt_usage_of(command);
	struct fxt_values values = { .add = add, .arg = c, .word = c->word };

	if (strstr(usage, "FILE") || strstr(usage, "IN"))
		puts(FILES);
	else if (strstr(usage, "COMMAND"))
		puts(PROGRAMS);
	else if (strstr(usage, "PID"))
		fxt_values_tasks(&values, true, "fxtrec");
	else
		options_complete(c, command);
}

/* Returns whether the last word is an argument of a COMMAND before it; options can be, too. */
static bool is_commands(const struct fxt_command *command, int count, char **words)
{
	int i;

	if (!strstr(fxt_usage_of(command), "COMMAND"))
		return false;
	for (i = 0; i < count - 1; i++) {
		if (!strcmp(words[i], "--"))
			return i < count - 2;
		if (*words[i] != '-')
			return true;
		if (fxt_option_before(command, words[i]))
			i++;
	}
	return false;
}

static void command_complete(const struct fxt_command *command, int count, char **words)
{
	char *word = words[count - 1], *value;
	struct completion c = { .word = word, .before = word, .file = cmd_complete_file(command, count, words) };
	const struct argp_option *option;
	int i;

	if (is_commands(command, count, words)) {
		puts(FILES);
		return;
	}
	for (i = 0; i < count - 1; i++) {
		if (strcmp(words[i], "--"))
			continue;
		argument_complete(&c, command);
		return;
	}
	option = count > 1 ? fxt_option_before(command, words[count - 2]) : NULL;
	if (option) {
		value_complete(&c, command, option);
		return;
	}
	value = value_joined(command, word, &option);
	if (value) {
		c.word = value;
		c.before_bytes = c.word - c.before;
		value_complete(&c, command, option);
	} else if (*word == '-') {
		options_complete(&c, command);
	} else {
		argument_complete(&c, command);
	}
}

int cmd_complete(int argc, char **argv)
{
	struct completion c = { .word = argc ? argv[0] : "", .before = "" };
	const struct fxt_command *command;
	bool all = argc < 2;

	if (argc == 2 && !strcmp(argv[0], "help")) {
		c.word = argv[1];
		all = true;
	}
	for (command = fxt_commands; command->name; command++) {
		if (all)
			add(&c, command->name, command->what);
		else if (!strcmp(argv[0], command->name))
			break;
	}
	if (argc < 2) {
		option_add(&c, "help", "List the commands");
		option_add(&c, "version", "Print program version");
	} else if (command->name) {
		command_complete(command, argc - 1, argv + 1);
	}
	return fxt_print_finish(stdout, FXT_DONE);
}
