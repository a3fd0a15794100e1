// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads JSON: the system's events of Fuchsia, {"type":"fuchsia","events":[...]}: context switches k, wakeups w, names
 * of threads t and of processes p.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/json/read.h"
#include "model/reason_text.h"

static const struct fxt_flaw malformed = {
	"an event of Fuchsia's system with malformed fields", "events of Fuchsia's system with malformed fields",
	"{\"ph\":\"k\",\"ts\":1.5,\"cpu\":0,\"out\":{\"tid\":1,\"state\":3},\"in\":{\"tid\":2}}, or ph w, t or p",
};

/* Reads a whole number; false where the field has another value. */
static bool integer(const struct fxt_json_reader *rd, enum fxt_json_place place, const char *key,
		    __s64 *value)
{
	const struct fxt_json_field *f = fxt_json_value_find(&rd->value, place, key);
	struct fxt_json_number number;
	struct fxt_text text;

	if (!f || f->type != FXT_JSON_NUMBER)
		return false;
	text = fxt_json_field_text(&rd->value, f);
	fxt_json_number_parse(&number, text.bytes, text.length);
	*value = number.type == FXT_JSON_UINT ? (__s64)number.natural : number.integer;
	return number.type == FXT_JSON_INT || number.type == FXT_JSON_UINT;
}

/* Returns the priority, or the default one. */
static __s32 priority(const struct fxt_json_reader *rd, enum fxt_json_place place)
{
	__s64 value;

	return integer(rd, place, "prio", &value) && value == (__s32)value ? value : FXT_PRIO_DEFAULT;
}

/*
 * Reads the thread; 0 is the idle thread, which has priority 0 in process 0, or the least priority without a process.
 */
static bool thread(const struct fxt_json_reader *rd, enum fxt_json_place place, __u64 *id)
{
	__s64 tid, pid = 0, prio = 1;
	bool known = integer(rd, place, "pid", &pid);

	if (!integer(rd, place, "tid", &tid))
		return false;
	integer(rd, place, "prio", &prio);
	*id = (known && !pid && !prio) || (!known && prio <= INT32_MIN) ? 0 : tid;
	return true;
}

static const char *string(const struct fxt_json_reader *rd, enum fxt_json_place place, const char *key,
			  size_t *length)
{
	struct fxt_text text;

	*length = 0;
	if (!fxt_json_value_string(&rd->value, place, key, &text))
		return NULL;
	*length = text.length;
	return text.bytes;
}

/* Reads Zircon's number of a state; fxtrec's own letters are more precise. */
static bool state_read(const struct fxt_json_reader *rd, struct fxt_switch_view *view)
{
	size_t length;
	const char *letters = string(rd, FXT_JSON_OF_OUT, FXT_JSON_STATE, &length);
	__s64 number;

	if (letters && !fxt_switch_view_parse(view, letters, length))
		return true;
	if (!integer(rd, FXT_JSON_OF_OUT, "state", &number) || number < 0 || number > FXT_STATE_DEAD)
		return false;
	view->state = fxt_linux_state_implied(number);
	view->preempted = number == FXT_STATE_RUNNING && view->prev;
	return true;
}

static bool where(const struct fxt_json_reader *rd, __u64 *ns, __u32 *cpu)
{
	const struct fxt_json_field *f = fxt_json_value_find(&rd->value, FXT_JSON_OF_EVENT, "ts");
	struct fxt_json_time time;
	struct fxt_text text;
	__s64 number;

	if (!f || !integer(rd, FXT_JSON_OF_EVENT, "cpu", &number) || number < 0 || number > 0xffff)
		return false;
	text = fxt_json_field_content(&rd->value, f);
	if (fxt_json_time_parse(&time, text.bytes, text.length) || time.negative)
		return false;
	*ns = time.ns;
	*cpu = number;
	return true;
}

static int view_put(struct fxt_json_reader *rd, enum fxt_kind kind, const union fxt_sched_view *view,
		    __u32 cpu, __u64 ns)
{
	char name[32];
	int provider = fxt_reading_provider(&rd->c->reading, name,
					   snprintf(name, sizeof(name), "fxtrec cpu %u", cpu));

	return provider < 0 ? provider : fxt_reading_put_view(&rd->c->reading, kind, view, ns, provider);
}

static int switch_read(struct fxt_json_reader *rd)
{
	union fxt_sched_view view = { .change = { .cpu = 0 } };
	struct fxt_switch_view *v = &view.change;
	const char *unchosen, *reason;
	size_t length;
	__u64 ns;

	if (!where(rd, &ns, &v->cpu) || !thread(rd, FXT_JSON_OF_OUT, &v->prev) ||
	    !thread(rd, FXT_JSON_OF_IN, &v->next) || !state_read(rd, v))
		return 1;
	v->prev_prio = v->prev ? priority(rd, FXT_JSON_OF_OUT) : FXT_IDLE_PRIORITY;
	v->next_prio = v->next ? priority(rd, FXT_JSON_OF_IN) : FXT_IDLE_PRIORITY;
	unchosen = string(rd, FXT_JSON_OF_EVENT, FXT_JSON_UNCHOSEN, &length);
	v->unchosen = unchosen ? fxt_unchosen_parse(unchosen, length) : FXT_UNCHOSEN_NONE;
	reason = string(rd, FXT_JSON_OF_EVENT, FXT_JSON_REASON, &length);
	if (reason && !fxt_reason_parse(&v->reason, reason, length))
		return 1;
	return view_put(rd, FXT_KIND_CONTEXT_SWITCH, &view, v->cpu, ns);
}

static int wakeup_read(struct fxt_json_reader *rd)
{
	union fxt_sched_view view = { .wakeup = { .cpu = 0 } };
	struct fxt_wakeup_view *v = &view.wakeup;
	__s64 number;
	size_t length;
	const char *context;
	__u64 ns;

	if (!where(rd, &ns, &v->cpu) || !thread(rd, FXT_JSON_OF_EVENT, &v->thread))
		return 1;
	v->prio = priority(rd, FXT_JSON_OF_EVENT);
	v->target = integer(rd, FXT_JSON_OF_EVENT, FXT_JSON_TARGET, &number) && number >= 0 &&
		    number <= 0xffff ? (__u32)number : v->cpu;
	v->waker_known = integer(rd, FXT_JSON_OF_EVENT, FXT_JSON_WAKER, &number);
	v->waker = v->waker_known ? number : 0;
	v->new = integer(rd, FXT_JSON_OF_EVENT, FXT_JSON_NEW, &number);
	v->on_cpu = integer(rd, FXT_JSON_OF_EVENT, FXT_JSON_ON_CPU, &number);
	context = string(rd, FXT_JSON_OF_EVENT, FXT_JSON_CONTEXT, &length);
	v->context = context ? fxt_context_parse(context, length) : FXT_CONTEXT_TASK;
	return view_put(rd, FXT_KIND_WAKEUP, &view, v->cpu, ns);
}

/* Reads a name. fxtrec's own JSON also has the names among the events, with their times. */
static int name_read(struct fxt_json_reader *rd, bool of_thread)
{
	__s64 pid = 0, tid = 0;
	struct fxt_text name;
	size_t length;
	const char *text = string(rd, FXT_JSON_OF_EVENT, "name", &length);
	bool process = integer(rd, FXT_JSON_OF_EVENT, "pid", &pid);

	if (!text || !(of_thread ? integer(rd, FXT_JSON_OF_EVENT, "tid", &tid) : process))
		return 1;
	if (rd->ours)
		return 0;
	name = fxt_json_shortened(fxt_build_text(text, length));
	if (of_thread)
		fxt_build_thread_name(&rd->r, tid, pid, name, 0);
	else
		fxt_build_process_name(&rd->r, pid, name, 0);
	return fxt_json_put(rd, 0, rd->provider);
}

static int event_read(struct fxt_json_reader *rd)
{
	size_t length;
	const char *phase = string(rd, FXT_JSON_OF_EVENT, "ph", &length);
	int err = 1;

	if (rd->value.partial)
		return 0;
	if (phase && length == 1 && *phase == 'k')
		err = switch_read(rd);
	else if (phase && length == 1 && *phase == 'w')
		err = wakeup_read(rd);
	else if (phase && length == 1 && (*phase == 't' || *phase == 'p'))
		err = name_read(rd, *phase == 't');
	if (err <= 0)
		return err;
	fxt_json_place(rd);
	return fxt_flaw(rd->c, &malformed);
}

/* Returns whether the current value is the string that names the events' system. */
static bool is_fuchsia(const struct fxt_json_reader *rd)
{
	const struct fxt_buffer *text = &rd->value.json.text;

	return text->length == 9 && !memcmp(text->bytes, "\"fuchsia\"", 9);
}

int fxt_json_fuchsia_read(struct fxt_json_reader *rd)
{
	bool others = false;
	int token, err = 0;

	while (!err && (token = fxt_json_scan_next(&rd->scan)) == FXT_JSON_KEY) {
		bool type = rd->scan.text.length == 4 && !memcmp(rd->scan.text.bytes, "type", 4);
		bool events = rd->scan.text.length == 6 && !memcmp(rd->scan.text.bytes, "events", 6);

		token = fxt_json_scan_next(&rd->scan);
		if (events && !others && token == FXT_JSON_OPEN && rd->scan.type == FXT_JSON_ARRAY) {
			err = fxt_json_events_read(rd, event_read);
			continue;
		}
		fxt_json_value_reset(&rd->value);
		err = fxt_json_gather(rd, token);
		others |= !err && type && !is_fuchsia(rd);
		if (!err && (!type || others))
			fxt_json_skip(rd, "members of systemTraceEvents that are not Fuchsia's");
	}
	return err ? err : token < 0 ? token : 0;
}
