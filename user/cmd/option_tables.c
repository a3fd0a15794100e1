// SPDX-License-Identifier: GPL-2.0-only
/* Finds the options of a command in its tables for argp. */
#include <stdbool.h>
#include <string.h>

#include "cmd/option_tables.h"

const struct argp_option *fxt_options_each(const struct argp *argp, bool (*visit)(const struct argp_option *o, void *arg),
					   void *arg)
{
	const struct argp_option *o, *found;
	const struct argp_child *child;

	for (o = argp->options; o && (o->name || o->key); o++)
		if (visit(o, arg))
			return o;
	for (child = argp->children; child && child->argp; child++) {
		found = fxt_options_each(child->argp, visit, arg);
		if (found)
			return found;
	}
	return NULL;
}

/* Returns whether an option matches "--output", "--output=x" or "-o". */
static bool option_is(const struct argp_option *o, void *arg)
{
	const char *word = arg;
	size_t length = strcspn(word, "=");

	if (word[0] == '-' && word[1] == '-')
		return o->name && strlen(o->name) == length - 2 && !strncmp(o->name, word + 2, length - 2);
	return word[0] == '-' && word[1] && !word[2] && o->key == word[1];
}

const struct argp_option *fxt_option_find(const struct fxt_command *command, const char *word)
{
	const struct argp_option *o = fxt_options_each(command->argp, option_is, (void *)word);

	return o && o->arg ? o : NULL;
}

const struct argp_option *fxt_option_before(const struct fxt_command *command, const char *word)
{
	const struct argp_option *o = strchr(word, '=') ? NULL : fxt_option_find(command, word);

	return o && !(o->flags & OPTION_ARG_OPTIONAL) ? o : NULL;
}

const char *fxt_usage_of(const struct fxt_command *command)
{
	return command->argp->args_doc ? command->argp->args_doc : "";
}
