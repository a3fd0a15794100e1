// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec query: SQL over a trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "convert/out.h"
#include "query/query.h"
#include "show/print.h"
#include "util/reason.h"
#include "util/report.h"

#define COPY_BYTES	((size_t)64 << 10)

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(format), { 0 }
};

/* Splits the arguments FILE... SQL; where SQL stands alone, FILE is the trace of the current folder. */
static void arguments_check(struct fxt_convert_options *o, const struct argp_state *state)
{
	static char *names[2];
	char *sql;

	if (!o->input_count)
		argp_error(state, "no FILE, and no SQL");
	sql = o->inputs[o->input_count - 1];
	if (!access(sql, F_OK))
		argp_error(state, fxt_path_ends(sql, strlen(sql), ".sql") ? "%s is a file: its text is SQL: \"$(cat %s)\"" :
			   "%s is a file: no SQL behind FILE", sql, sql);
	if (o->input_count > 1)
		return;
	if (access(FXT_TRACE_NAME, F_OK) && *sql != '.')
		argp_error(state, "no SQL behind FILE, or no FILE before it, and no " FXT_TRACE_NAME " here: \"%s\"", sql);
	names[0] = FXT_TRACE_NAME;
	if (*sql != '.')
		fxt_trace_default(state, names);
	names[1] = sql;
	o->inputs = names;
	o->input_count = 2;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_options *o = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, o);
		break;
	case ARGP_KEY_SUCCESS:
		arguments_check(&o->convert, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_query_argp = {
	NULL, parse, "[FILE...] SQL",
	"Runs a statement of SQL, SQLite's, over a trace without importing it.  Tables, with columns "
	"named as in Perfetto: sched, thread_state, wakeup, migration, thread, process, slice, counter, log, loss, object, lock; "
	"\"SELECT * FROM pragma_table_info('sched')\" lists columns.  Times are nanoseconds on the trace's clock, "
	"rows come in no certain order, and unknown values are state 'unknown', or NULL.  WHERE, ORDER BY and "
	"LIMIT replace -p, --sort and --top."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or of several "
	"machines.  It is read once for "
	"each table of the statement.\n",
	children, NULL, NULL,
};

/* A pass of the input, which is an analysis. */
struct pass {
	struct fxt_query_pass base;
	struct analysis analysis;
	struct fxt_record record;
	const struct analyze_options *options;
};

/* Opens a pass.  Standard input has been copied to a file by then. */
static int pass_open(void *arg, struct fxt_query_pass **to)
{
	static unsigned int passes;
	struct analyze_options *o = arg;
	struct pass *p = calloc(1, sizeof(*p));
	int status;

	if (!p)
		return -ENOMEM;
	lseek(STDIN_FILENO, 0, SEEK_SET);
	o->again = passes++ > 0;
	p->options = o;
	status = analyze_open(&p->analysis, o);
	p->analysis.conversion.progress.shown &= !isatty(STDOUT_FILENO);
	p->base.machines = &p->analysis.machines;
	*to = &p->base;
	if (!status)
		fxt_query_pass_turn(&p->base, p->analysis.machines.of);
	if (status) {
		analyze_end(&p->analysis);
		free(p);
		return -ECANCELED;
	}
	return 0;
}

static int machines_end(struct pass *p)
{
	struct fxt_machines *machines = &p->analysis.machines;
	__u32 i;
	int err = 0;

	for (i = 0; i < machines->count && !err; i++) {
		fxt_query_pass_turn(&p->base, &machines->of[i]);
		err = fxt_machine_end(&machines->of[i].m);
	}
	return err;
}

static int pass_next(struct fxt_query_pass *pass)
{
	struct pass *p = (struct pass *)pass;
	struct analysis *a = &p->analysis;
	struct fxt_machines_one *one;
	int got = analyze_next(a, &p->record, &one), err;

	if (got > 0) {
		fxt_query_pass_turn(pass, one);
		err = fxt_machines_lose(one, &p->record);
		if (!err)
			err = fxt_machine_put(&one->m, &p->record);
	} else {
		err = got ? got : machines_end(p);
	}
	if (got <= 0 || err)
		fxt_convert_progress_end(&a->conversion.progress);
	if (!err && !(got <= 0 && fxt_machines_mixed(&a->machines)))
		return got > 0;
	analyze_error(a, err);
	return -ECANCELED;
}

static void pass_close(struct fxt_query_pass *pass)
{
	struct pass *p = (struct pass *)pass;

	analyze_end(&p->analysis);
	free(p);
}

/* Copies a pipe, which can be read only once, to a file without a name, and replaces standard input by it. */
static int input_spool(const struct analyze_options *o)
{
	struct fxt_spool spool = { .max = o->convert.spool_bytes ? o->convert.spool_bytes : ~0ULL };
	char *buffer = malloc(COPY_BYTES);
	struct fxt_error error;
	int fd = buffer ? fxt_temporary_open(&spool) : -ENOMEM, err = fd < 0 ? fd : 0;
	ssize_t got = 1;

	while (!err && got) {
		got = read(STDIN_FILENO, buffer, COPY_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		err = got < 0 ? -errno : fxt_spool_write(&spool, fd, buffer, got);
	}
	if (!err && dup2(fd, STDIN_FILENO) < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	free(buffer);
	if (fxt_error_spool(&error, &spool))
		return fxt_report("%s", error.text);
	return err ? fxt_report("standard input: %s", strerror(-err)) : FXT_DONE;
}

/* Returns whether an input can be read again: a file, or a folder of CTF or perf. */
static bool read_again(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode);
}

/* Checks the inputs, which are read more than once. */
static int inputs_check(const struct analyze_options *o)
{
	struct fxt_reason reason;
	bool standard = false;
	struct stat st;
	int i, status = FXT_DONE;

	for (i = 0; i < o->convert.input_count && !status; i++) {
		const char *path = o->convert.inputs[i];

		if (!strcmp(path, "-")) {
			if (standard)
				return fxt_report("standard input can be given once");
			standard = true;
			if (fstat(STDIN_FILENO, &st) || !read_again(&st))
				status = input_spool(o);
		} else if (stat(path, &st) || access(path, R_OK)) {
			status = fxt_report("%s: %s", path, fxt_reason_read(&reason, path, errno));
		} else if (!read_again(&st)) {
			status = fxt_report("%s: no regular file: give it as standard input, which is \"-\"", path);
		}
	}
	return status;
}

static int query_failed(const struct fxt_query *query, int status)
{
	if (fxt_query_error(query))
		fxt_report("%s", fxt_query_error(query));
	return status;
}

static int query_run(struct analyze_options *o, const char *sql)
{
	const struct fxt_query_source source = { pass_open, pass_next, pass_close, o, o->convert.spool_bytes };
	enum fxt_query_format format = !o->format ? FXT_QUERY_TEXT :
				       !strcmp(o->format, "csv") ? FXT_QUERY_CSV : FXT_QUERY_JSON;
	struct fxt_query *query = fxt_query_open(&source);
	int status, err;

	if (!query)
		return fxt_report("%s", strerror(ENOMEM));
	err = fxt_query_prepare(query, sql);
	if (err) {
		status = query_failed(query, err == -EINVAL ? FXT_MISUSED : FXT_FAILED);
	} else {
		status = inputs_check(o);
		if (!status && fxt_query_print(query, format, stdout))
			status = query_failed(query, FXT_FAILED);
	}
	fxt_query_close(query);
	return fxt_print_finish(stdout, status);
}

int cmd_query(int argc, char **argv)
{
	struct analyze_options o = { .inputs_own = true };
	int status, err = argp_parse(&cmd_query_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	o.convert.input_count--;
	status = query_run(&o, o.convert.inputs[o.convert.input_count]);
	fxt_selection_uninit(&o.selection);
	return status;
}
