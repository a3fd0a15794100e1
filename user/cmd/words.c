// SPDX-License-Identifier: GPL-2.0-only
/* Suggestions for words of a command line that this tool lacks: misspelled words, and words of other tools. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/option_tables.h"
#include "cmd/words.h"
#include "util/near.h"
#include "util/report.h"

/* Returns whether a list "a|b|c" has a word of length letters. */
static bool list_has(const char *list, const char *word, size_t length, char separator)
{
	size_t part;

	for (; list; list = list[part] ? list + part + 1 : NULL) {
		part = strchrnul(list, separator) - list;
		if (part == length && !strncmp(list, word, length))
			return true;
	}
	return false;
}

/* Returns the answer to a command of another tool, by its first two words, or its first. */
static const char *command_answer(int count, char **words)
{
	const struct fxt_word *w;
	char two[64];
	int pass;

	snprintf(two, sizeof(two), "%.30s %.30s", words[0], count > 1 ? words[1] : "");
	for (pass = 0; pass < 2; pass++)
		for (w = fxt_words_commands; w->word; w++)
			if (!strcmp(w->word, pass ? words[0] : two))
				return w->answer;
	return NULL;
}

int fxt_words_command(int argc, char **argv)
{
	static const char *const tools[] = { "perf", "trace-cmd", "fxtrec", NULL };
	const struct fxt_command *c;
	char hint[FXT_NEAR_BYTES];
	struct fxt_near near;
	const char *answer;
	int skip = 1, i;

	for (i = 0; tools[i]; i++)
		if (argc > 2 && !strcmp(argv[1], tools[i]))
			skip = 2;
	answer = command_answer(argc - skip, argv + skip);
	fxt_near_init(&near, argv[skip]);
	for (c = fxt_commands; c->name; c++)
		fxt_near_try(&near, c->name);
	if (answer)
		fxt_report("no command \"%s\": %s", argv[1], answer);
	else if (*argv[1] == '-')
		fxt_report("no command before \"%s\": such as \"fxtrec record %s\"; \"fxtrec --help\" lists them", argv[1], argv[1]);
	else if (near.best)
		fxt_report("no command \"%s\"%s", argv[1], fxt_near_text(hint, &near));
	else if (!access(argv[1], F_OK))
		fxt_report("no command \"%s\": that is a file: \"fxtrec report %s\", or another command before it", argv[1], argv[1]);
	else
		fxt_report("no command \"%s\": \"fxtrec --help\" lists them", argv[1]);
	return FXT_MISUSED;
}

static bool reads(const struct fxt_command *command)
{
	const char *usage = fxt_usage_of(command);

	return strstr(usage, "FILE") || strstr(usage, "IN") || strstr(usage, "A B");
}

static bool letter_is(const struct argp_option *o, void *arg)
{
	return o->key == *(const char *)arg;
}

static bool name_is(const struct argp_option *o, void *arg)
{
	const char *answer = arg;
	size_t length = strcspn(answer + 2, "= ,");

	return o->name && strlen(o->name) == length && !strncmp(o->name, answer + 2, length);
}

/* Returns whether a command has the option that an answer starts with, if any. */
static bool has_answer(const struct fxt_command *command, const char *answer)
{
	if (*answer != '-')
		return true;
	return fxt_options_each(command->argp, answer[1] == '-' ? name_is : letter_is,
				(void *)(answer[1] == '-' ? answer : answer + 1));
}

/* Returns the answer to an option of another tool: a letter, or a name up to its value. */
static const char *option_answer(const struct fxt_command *command, const char *option, size_t length)
{
	const struct fxt_word *w;

	if (length == 1 && *option == 'h')
		return "--help";
	for (w = fxt_words_of_options; w->word; w++)
		if (list_has(w->word, option, length, '|') &&
		    (w->commands ? list_has(w->commands, command->name, strlen(command->name), ' ') :
				   reads(command) && has_answer(command, w->answer)))
			return w->answer;
	return NULL;
}

static int answered(char **argv, const char *kind, const char *option, const char *answer)
{
	fflush(stdout);
	fprintf(stderr, "%s: %s '%s': %s\nTry `%s --help' or `%s --usage' for more information.\n", argv[0], kind, option,
		answer, argv[0], argv[0]);
	return FXT_MISUSED;
}

/* A search for a long option. */
struct option_search {
	const char *name;	/* without dashes */
	size_t length;
	const struct argp_option *found;	/* an option that starts with the name; NULL: no such option */
	struct fxt_near near;
};

static bool option_see(const struct argp_option *o, void *arg)
{
	struct option_search *s = arg;

	if (!o->name)
		return false;
	fxt_near_try(&s->near, o->name);
	if (!strncmp(o->name, s->name, s->length) && (!s->found || !o->name[s->length]))
		s->found = o;
	return false;
}

/* Checks a long option.  *takes: the next word is its value. */
static int long_check(const struct fxt_command *command, char **argv, const char *word, bool *takes)
{
	static const struct argp_option own[] = { { .name = "help" }, { .name = "usage" }, { .name = "version" }, { 0 } };
	static const struct argp own_argp = { .options = own };
	char name[64], option[80], text[96];
	struct option_search s = { .name = name, .length = strcspn(word + 2, "=") };
	const char *answer;

	*takes = false;
	if (s.length >= sizeof(name))
		return FXT_DONE;
	snprintf(name, sizeof(name), "%.*s", (int)s.length, word + 2);
	fxt_near_init(&s.near, name);
	fxt_options_each(command->argp, option_see, &s);
	fxt_options_each(&own_argp, option_see, &s);
	if (s.found) {
		*takes = s.found->arg && !(s.found->flags & OPTION_ARG_OPTIONAL) && !word[2 + s.length];
		return FXT_DONE;
	}
	answer = option_answer(command, name, s.length);
	if (!answer && !s.near.best)
		return FXT_DONE;
	snprintf(option, sizeof(option), "--%s", name);
	snprintf(text, sizeof(text), "did you mean --%.40s?", s.near.best ? s.near.best : "");
	return answered(argv, "unrecognized option", option, answer ? answer : text);
}

/* Checks letters, up to one that takes the rest, or the next word, as its value. */
static int short_check(const struct fxt_command *command, char **argv, const char *word, bool *takes)
{
	const char *letter, *answer;

	*takes = false;
	for (letter = word + 1; *letter; letter++) {
		const struct argp_option *o = fxt_options_each(command->argp, letter_is, (void *)letter);

		if (!o && !strchr("?V", *letter)) {
			char text[] = { '-', *letter, '\0' };

			answer = option_answer(command, letter, 1);
			return answer ? answered(argv, "invalid option --", text + 1, answer) : FXT_DONE;
		}
		if (o && o->arg) {
			*takes = !letter[1] && !(o->flags & OPTION_ARG_OPTIONAL);
			return FXT_DONE;
		}
	}
	return FXT_DONE;
}

int fxt_words_options(const struct fxt_command *command, int argc, char **argv)
{
	bool ordered = strstr(fxt_usage_of(command), "COMMAND"), takes;
	int i, status = FXT_DONE;

	for (i = 1; i < argc && !status; i++) {
		if (!strcmp(argv[i], "--") || (ordered && (*argv[i] != '-' || !argv[i][1])))
			break;
		if (*argv[i] != '-' || !argv[i][1])
			continue;
		status = argv[i][1] == '-' ? long_check(command, argv, argv[i], &takes) :
			 short_check(command, argv, argv[i], &takes);
		i += takes;
	}
	return status;
}
