// SPDX-License-Identifier: GPL-2.0-only
/* Rows of context switches, in the format of perf sched timehist. */
#include <errno.h>
#include <string.h>

#include "analyze/wakers.h"
#include "show/report.h"
#include "show/timehist.h"
#include "util/csv.h"
#include "util/digits.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)

void fxt_timehist_head(const struct fxt_screen *screen, struct fxt_timehist_view *v, const char *file)
{
	switch (v->format) {
	case FXT_TIMEHIST_TEXT:
		fputs(v->several ? "machine " : "", v->out);
		fxt_screen_bold(screen, "           time    cpu  task name                       wait time  "
				"sch delay   run time  state  from  waker                 waited for\n"
				"                        [tid/pid]                          (msec)     "
				"(msec)     (msec)");
		fputs("--------------- ------  ------------------------------  ---------  ---------  "
		      "---------  -----  ----  --------------------  --------------------\n", v->out);
		break;
	case FXT_TIMEHIST_CSV:
		fputs("time_ns,cpu,key,tid,pid,comm,wait_ns,delay_ns,run_ns,state,from_cpu,waker_key,"
		      "waker_tid,waker_comm,waker_context,machine,throttled_ns,class,call,object,holder_key,holder_tid,"
		      "holder_comm\n", v->out);
		break;
	case FXT_TIMEHIST_JSON:
		fxt_json_open(&v->json, '{');
		fxt_json_put_number(&v->json, "version", VERSION);
		fxt_json_put_string(&v->json, "file", file);
		fxt_json_key(&v->json, "switches");
		fxt_json_open(&v->json, '[');
		break;
	}
}

static void csv_number(FILE *out, __u64 number)
{
	char digits[24], *end = fxt_digits(digits, number);

	if (number != FXT_TIMEHIST_UNKNOWN)
		fwrite_unlocked(digits, 1, end - digits, out);
	fputc_unlocked(',', out);
}

static void csv_name(FILE *out, const char *name)
{
	fxt_csv_text(out, name);
	fputc_unlocked(',', out);
}

/* Writes the waker's columns.  A timer is not a thread. */
static void csv_waker(FILE *out, const struct fxt_timehist_row *r)
{
	if (!r->waker) {
		fputs_unlocked(",,,", out);
		return;
	}
	if (fxt_context_is_timer(r->context)) {
		fputs_unlocked(",,timer,", out);
	} else {
		csv_number(out, r->waker->key);
		csv_number(out, r->waker->tid);
		csv_name(out, r->waker->name);
	}
	fputs_unlocked(fxt_context_name(r->context), out);
}

/* Writes the columns of the sleep's reason, which are empty if there is none. */
static void csv_reason(FILE *out, const struct fxt_timehist_row *r)
{
	char call_room[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const char *call;

	if (!r->reason) {
		fputs_unlocked(",,,,,", out);
		return;
	}
	call = fxt_wait_call(&r->m->calls, r->reason, call_room);
	fxt_wait_object(object, r->reason);
	csv_name(out, fxt_wait_class_name(r->class));
	csv_name(out, *call ? call : NULL);
	csv_name(out, *object ? object : NULL);
	csv_number(out, r->holder ? r->holder->key : FXT_TIMEHIST_UNKNOWN);
	csv_number(out, r->holder ? r->holder->tid : FXT_TIMEHIST_UNKNOWN);
	fxt_csv_text(out, r->holder ? r->holder->name : NULL);
}

static void csv_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	const struct fxt_process *process = r->task->process;

	csv_number(v->out, r->ns);
	csv_number(v->out, r->cpu->id);
	csv_number(v->out, r->task->key);
	csv_number(v->out, r->task->tid);
	csv_number(v->out, process ? process->pid : FXT_TIMEHIST_UNKNOWN);
	csv_name(v->out, r->task->name);
	csv_number(v->out, r->wait);
	csv_number(v->out, r->delay);
	csv_number(v->out, r->run);
	csv_name(v->out, fxt_switch_view_letters(r->view));
	csv_number(v->out, r->from_cpu);
	csv_waker(v->out, r);
	fprintf(v->out, ",%u,", r->task->machine);
	csv_number(v->out, r->throttled);
	csv_reason(v->out, r);
	fputc_unlocked('\n', v->out);
}

static void json_known(struct fxt_json_writer *w, const char *key, __u64 number)
{
	if (number == FXT_TIMEHIST_UNKNOWN)
		fxt_json_put_string(w, key, NULL);
	else
		fxt_json_put_number(w, key, number);
}

/* Writes the members of the sleep's reason, which are null if there is none. */
static void json_reason(struct fxt_json_writer *w, const struct fxt_timehist_row *r)
{
	const struct fxt_sleep_reason none = { 0 }, *reason = r->reason ? r->reason : &none;
	char call_room[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const char *call = fxt_wait_call(&r->m->calls, reason, call_room);

	fxt_wait_object(object, reason);
	fxt_json_put_string(w, "class", r->reason ? fxt_wait_class_name(r->class) : NULL);
	fxt_json_put_string(w, "call", *call ? call : NULL);
	fxt_json_put_string(w, "object", *object ? object : NULL);
	fxt_json_key(w, "holder");
	if (r->reason && r->holder) {
		fxt_json_open(w, '{');
		fxt_json_put_number(w, "key", r->holder->key);
		fxt_json_put_number(w, "tid", r->holder->tid);
		fxt_json_put_string(w, "comm", r->holder->name);
		fxt_json_close(w, '}');
	} else {
		fxt_json_null(w);
	}
}

static int json_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	struct fxt_json_writer *w = &v->json;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "time_ns", r->ns);
	fxt_json_put_number(w, "cpu", r->cpu->id);
	fxt_task_json(w, r->task);
	json_known(w, "wait_ns", r->wait);
	json_known(w, "delay_ns", r->delay);
	json_known(w, "throttled_ns", r->throttled);
	json_known(w, "run_ns", r->run);
	fxt_json_put_string(w, "state", fxt_switch_view_letters(r->view));
	json_known(w, "from_cpu", r->from_cpu);
	fxt_json_key(w, "waker");
	if (r->waker) {
		fxt_json_open(w, '{');
		fxt_waker_json(w, r->waker, r->context);
		fxt_json_close(w, '}');
	} else {
		fxt_json_null(w);
	}
	json_reason(w, r);
	fxt_json_close(w, '}');
	return w->text.length > FLUSH_BYTES ? fxt_json_print(w, v->out) : 0;
}

int fxt_timehist_put(void *view, const struct fxt_timehist_row *r)
{
	struct fxt_timehist_view *v = view;

	if (!v->left || (!r->task->key && !v->idle) || !fxt_selection_cpu(v->selection, r->cpu->id) ||
	    (fxt_selection_tasks_any(v->selection) && !fxt_selection_task(v->selection, r->task)))
		return 0;
	v->left--;
	v->any = true;
	if (v->format == FXT_TIMEHIST_JSON)
		return json_row(v, r);
	if (v->format == FXT_TIMEHIST_CSV)
		csv_row(v, r);
	else
		return fxt_timehist_text_row(v, r);
	return 0;
}

int fxt_timehist_foot(struct fxt_timehist_view *v)
{
	int err;

	fxt_timehist_flush(v);
	if (v->format == FXT_TIMEHIST_TEXT && !v->any)
		fprintf(v->out, "no %sthread left %s CPU in that time\n",
			fxt_selection_tasks_any(v->selection) ? "such " : "", v->selection->cpus.count ? "such a" : "a");
	if (v->format != FXT_TIMEHIST_JSON)
		return 0;
	fxt_json_close(&v->json, ']');
	fxt_json_close(&v->json, '}');
	err = fxt_json_print(&v->json, v->out);
	fputc('\n', v->out);
	fxt_buffer_uninit(&v->json.text);
	return err;
}
