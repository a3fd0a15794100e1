// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec record: runs a recording, from the options to the summary. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/larger.h"
#include "cmd/record.h"
#include "cmd/trace_options.h"
#include "convert/convert.h"
#include "files/create.h"
#include "files/once.h"
#include "flight/flight.h"
#include "record/progress.h"
#include "record/recording.h"
#include "record/signals.h"
#include "select/tracepoints.h"
#include "util/program.h"
#include "util/report.h"
#include "util/series.h"
#include "util/shell.h"

/* Replaces the name of the recording's former file in an error by the name of its present file. */
static void error_rename(struct fxt_error *error, int err, const char *from, const char *to)
{
	size_t bytes = strlen(from);
	char *text = strncmp(error->text, from, bytes) ? NULL : strdup(error->text + bytes);

	if (text)
		fxt_error_set(error, -err, "%s%s: it has all data that was recorded until then", to, text);
	free(text);
}

/* Converts the temporary file, if it has a recording, to the requested format. */
static int convert(const struct fxt_session *s, char *temporary, int err, struct fxt_error *error)
{
	struct fxt_error later;
	int converted;

	if (!s->started) {
		unlink(temporary);
		return err;
	}
	converted = cmd_record_convert(temporary, s->options->path, err ? &later : error);
	if (err && converted)
		fxt_report("%s", later.text);
	else if (err)
		error_rename(error, err, temporary, s->options->path);
	return err ? err : converted;
}

/* Records to files. */
static int record(struct fxt_session *s, struct fxt_error *error)
{
	static struct fxt_recording recording;
	const char *path = s->options->path;
	char *temporary = NULL;
	int err;

	if (cmd_record_converts(path)) {
		err = cmd_record_temporary(path, &temporary, error);
		if (err)
			return err;
	}
	err = fxt_recording_run(&recording, s, temporary ? temporary : path, error);
	fxt_session_signals_release(s);
	if (s->started)
		fxt_progress_summary(&recording, temporary ? path : NULL, err);
	cmd_record_kept(recording.files.now.kept);
	recording.files.now.kept = NULL;
	if (temporary)
		err = convert(s, temporary, err, error);
	fxt_recording_uninit(&recording);
	free(temporary);
	return err;
}

/* Reports events of triggers that caused no snapshot. */
static void report_rested(const struct fxt_flight *flight, const struct fxt_triggers *triggers)
{
	unsigned int i;

	for (i = 0; i < FXT_TRIGGERS_MAX; i++)
		if (flight->rests[i].refused)
			fxt_report("%llu more of --trigger='%s' came while it rested: they triggered no snapshot",
				   flight->rests[i].refused, triggers->given[i]);
}

/* Records to memory, with snapshots. */
static int fly(struct fxt_session *s, struct fxt_error *error)
{
	static struct fxt_flight flight;
	int err = fxt_flight_run(&flight, s, s->options->path, error);

	fxt_session_signals_release(s);
	if (err)
		return err;
	fxt_report("%.2f s by %s, %u %s", (s->ended - s->started) / 1e9, s->source.ops->name, flight.snapshots,
		   flight.snapshots == 1 ? "snapshot" : "snapshots");
	report_rested(&flight, &s->options->triggers);
	fxt_progress_losses(s, NULL);
	return !flight.failed ? 0 : fxt_error_set(error, EIO, "%u %s could not be written", flight.failed,
						  flight.failed == 1 ? "snapshot" : "snapshots");
}

/* Finds the requested tracepoints; drops the request if a group has no tracepoint here. */
static int tracepoints_find(struct fxt_record_options *o, struct fxt_tracepoints *tracepoints,
			   struct fxt_error *error)
{
	int err;

	o->source.events = o->events.events;
	if (!o->events.patterns)
		return 0;
	err = fxt_tracepoints_init(tracepoints, &o->events, error);
	if (!err && !tracepoints->count)
		o->source.events &= ~FXTREC_EVENTS_TRACEPOINTS;
	o->source.tracepoints = tracepoints;
	return err;
}

/* Reports the command to type next. */
static void next_report(const struct fxt_record_options *o)
{
	struct fxt_buffer word = { 0 };
	const char *suffix = fxt_series_suffixes(o->path);
	char *path = NULL;

	if (fxt_record_rotates(o))
		path = asprintf(&path, "%.*s.*%s", (int)(suffix - o->path), o->path, suffix) < 0 ? NULL : path;
	else if (strcmp(o->path, FXT_TRACE_NAME))
		fxt_shell_word(&word, o->path);
	fxt_buffer_put(&word, "", 1);
	if (!word.failed)
		fxt_report("\"fxtrec explain%s%s%s\" says why work was late, \"fxtrec page%s%s%s\" makes a picture of it",
			   path ? " " : "", path ? path : "", word.bytes, path ? " " : "", path ? path : "", word.bytes);
	fxt_buffer_uninit(&word);
	free(path);
}

/* Runs the session, and returns the exit status. */
static int session_run(struct fxt_record_options *o)
{
	static struct fxt_session s;
	struct fxt_error error;
	int err = fxt_session_open(&s, o, &error);

	if (!err && s.fallback.text[0] && (o->source.verbose || fxt_once(s.fallback.text)) && fxt_report_ready(FXT_REPORT_MS))
		fxt_report("falling back to eBPF: %s", s.fallback.text);
	if (!err)
		err = o->flight ? fly(&s, &error) : record(&s, &error);
	fxt_session_signals_release(&s);
	/* Only for a recording: a refused start has its own message. */
	if (s.started) {
		fxt_describer_report(s.describer);
		fxt_marks_report(s.marks, o->source.verbose);
	}
	if (err)
		fxt_report("%s", error.text);
	else if (!o->flight && !fxt_create_is_standard(o->path))
		next_report(o);
	fxt_session_signals_hold();
	fxt_session_close(&s);
	/* The recording is complete: a signal may end its explanation, and the making of its page. */
	if (!err && (o->explain || o->page))
		fxt_session_signals_release(&s);
	if (!err && o->explain && cmd_explain_file((char *)o->path))
		err = -EIO;
	if (!err && o->page && cmd_record_page(o))
		err = -EIO;
	return err ? FXT_FAILED : s.status;
}

/* Checks the outputs of a recording's end in advance: an error hours later would be too late. */
static int ends_check(const struct fxt_record_options *o)
{
	int err = cmd_record_converts(o->path) ? fxt_create_check(o->path) : 0;
	const char *page = o->page && *o->page ? o->page : NULL;

	if (err)
		return fxt_report("%s: %s", o->path, fxt_create_error(err));
	err = page ? fxt_create_check(page) : 0;
	return err ? fxt_report("%s: %s", page, fxt_create_error(err)) : FXT_DONE;
}

/* Continues in the larger executable if this one can't make the requested output.  FXT_DONE, or reported. */
static int larger_ensure(const struct fxt_record_options *o)
{
	const struct fxt_format *format = fxt_format_suffixed(o->path);
	bool missing = format && !format->ops->writer->open;

	if ((!missing && !o->page) || cmd_larger())
		return FXT_DONE;
	return fxt_report("%s: %s is " FXT_PROGRAM_MISSING, missing ? o->path : "--page",
			  missing ? format->name : "the page");
}

int cmd_record(int argc, char **argv)
{
	static struct fxt_record_options o;
	struct fxt_tracepoints tracepoints = {};
	struct fxt_error error;
	int err, status;

	cmd_record_options(&o, argc, argv);
	if (larger_ensure(&o))
		return FXT_FAILED;
	if (fxt_create_is_standard(o.path) && isatty(STDOUT_FILENO)) {
		fxt_report("standard output is a terminal: give -o FILE, or a pipe");
		return FXT_MISUSED;
	}
	/* Checked before a new file replaces an older one. */
	if (o.command && fxt_workload_check(o.command, &error)) {
		fxt_report("%s", error.text);
		return FXT_FAILED;
	}
	if (ends_check(&o))
		return FXT_FAILED;
	err = tracepoints_find(&o, &tracepoints, &error);
	if (err)
		fxt_report("%s", error.text);
	if (err)
		status = err == -ENOENT ? FXT_MISUSED : FXT_FAILED;
	else
		status = session_run(&o);
	fxt_tracepoints_uninit(&tracepoints);
	fxt_events_uninit(&o.events);
	return status;
}
