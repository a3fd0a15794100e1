// SPDX-License-Identifier: GPL-2.0-only
/* Sends the contents of trace.dat, read by libtracecmd, as messages, in the child. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <trace-cmd.h>

#include "formats/tracecmd/tracecmd.h"
#include "formats/tracepoint/format.h"
#include "util/array.h"

/* Most buffers of a file: its own and those of instances. */
#define BUFFERS_MAX	64

/* Events that are held before the first is sent, so that the tracepoints are known. */
#define HELD		65536u
#define HELD_BYTES	((size_t)64 << 20)

/*
 * Offset of a page's size: after the magic, the version as a text of one digit, the byte order, and a long's bytes
 * (trace-cmd.dat(5)).
 */
#define PAGE_BYTES_AT	14

#define TIDS	(1u << 22)

/* Functions of the library since 3.0 that are not in its header. */
extern const char *tracecmd_get_uname(struct tracecmd_input *handle) __attribute__((weak));
extern const char *tracecmd_get_trace_clock(struct tracecmd_input *handle) __attribute__((weak));

/*
 * Replaces libtraceevent's function, as this program's comes first: libtracecmd passes it the kernel's symbols, which
 * are not used here.  Their table would take as long as 300,000 events.
 */
int tep_parse_kallsyms(struct tep_handle *tep, const char *symbols)
{
	(void)tep;
	(void)symbols;
	return 0;
}

struct sender {
	struct fxt_child_out *out;
	struct tracecmd_input *handles[1 + BUFFERS_MAX];
	int count;
	unsigned int held;
	__u8 *hold;		/* events that are held; NULL: they have been sent */
	size_t hold_used;
	bool has_begun;		/* the origin was sent */
	__u32 page_bytes;	/* size of the ring's pages, which no event crosses */
	bool known[FXT_TRACECMD_IDS];	/* tracepoints that were sent */
	bool named[TIDS];	/* threads that were named */
	struct cursor {
		struct lane {
			__u64 last;	/* offset of the last event that was read; 0: none */
			bool is_damaged;
		} *lanes;		/* by CPU */
		size_t cpus;
	} cursors[1 + BUFFERS_MAX];	/* by handle */
	size_t read;		/* bytes of pages with events that were read */
};

static void name_copy(char *to, const char *name, size_t room)
{
	strncpy(to, name ? name : "", room - 1);
}

static void origin_send(struct sender *s, struct tracecmd_input *handle, __u64 ns)
{
	struct fxt_tracecmd_message m = { .kind = FXT_TRACECMD_ORIGIN, .ns = ns };
	struct fxt_tracecmd_origin origin = { .buffers = s->count };

	s->has_begun = true;
	if (tracecmd_get_uname)
		name_copy(origin.machine, tracecmd_get_uname(handle), sizeof(origin.machine));
	if (tracecmd_get_trace_clock)
		name_copy(origin.clock, tracecmd_get_trace_clock(handle), sizeof(origin.clock));
	fxt_child_put(s->out, &m, sizeof(m));
	fxt_child_put(s->out, &origin, sizeof(origin));
}

static void tracepoint_send(struct sender *s, struct tep_handle *tep, __u32 id)
{
	const struct tep_event *event = tep_find_event(tep, id);
	struct fxt_tracecmd_message m = { .kind = FXT_TRACECMD_TRACEPOINT, .id = id };
	char names[2][FXT_TRACECMD_NAME] = {};
	struct fxt_tp_reader unused = {};
	struct fxt_tp *tp;
	__u32 i;

	s->known[id] = true;
	tp = event && event->name && event->system ? fxt_tp_of(&unused, event) : NULL;
	if (!tp)
		return;
	m.bytes = tp->fields;
	m.cpu = tp->left_out;
	name_copy(names[0], tp->subsystem, FXT_TRACECMD_NAME);
	name_copy(names[1], tp->name, FXT_TRACECMD_NAME);
	fxt_child_put(s->out, &m, sizeof(m));
	fxt_child_put(s->out, names, sizeof(names));
	fxt_child_put(s->out, &tp->states, sizeof(tp->states));
	for (i = 0; i < tp->fields; i++) {
		struct fxt_tracecmd_field f = { .type = tp->field[i].type, .offset = tp->field[i].offset,
						.bytes = tp->field[i].bytes };

		name_copy(f.name, tp->field[i].name, FXT_TRACECMD_NAME);
		fxt_child_put(s->out, &f, sizeof(f));
	}
	fxt_tp_free(tp);
}

/* Bits of the length of the page's events in its header, which is a time of 8 bytes and a word with the length. */
#define COMMIT_MASK	((1ULL << 27) - 1)

/* Most bytes before an event's data. */
#define HEADER_BYTES	8u

/*
 * Returns the bytes of an event before its data: a word with the length / 4 in 5 bits, or with 0, and another word with
 * the length.
 */
static __u32 header_bytes(struct tep_handle *tep, const struct tep_record *record)
{
	__u32 word = tep_read_number(tep, (__u8 *)record->data - 4, 4);

	return 4 * (tep_is_file_bigendian(tep) ? word >> 27 : word & 31) == (__u32)record->size ? 4 : HEADER_BYTES;
}

/*
 * Returns whether an event is inside its page: a damaged length may reach beyond it, which the library doesn't check.
 */
static bool is_inside(const struct sender *s, struct tep_handle *tep, const struct tep_record *record)
{
	__u32 at = record->offset % s->page_bytes;

	return record->size >= (int)FXT_TP_COMMON_BYTES && record->size <= (int)FXT_TRACECMD_EVENT_MAX &&
	       (at + HEADER_BYTES + record->size <= s->page_bytes ||
		at + header_bytes(tep, record) + record->size <= s->page_bytes);
}

/* Returns whether the page's own length is damaged, as the library would then read beyond the page. */
static bool page_is_damaged(const struct sender *s, struct tep_handle *tep, const struct tep_record *record)
{
	__u32 at = record->offset % s->page_bytes + header_bytes(tep, record), word = tep_get_long_size(tep);
	__u8 *page = (__u8 *)record->data - at;

	return 8 + word + (tep_read_number(tep, page + 8, word) & COMMIT_MASK) > s->page_bytes;
}

static void held_send(struct sender *s)
{
	if (s->hold)
		fxt_child_put(s->out, s->hold, s->hold_used);
	free(s->hold);
	s->hold = NULL;
	s->held = 0;
	s->hold_used = 0;
}

static inline void put(struct sender *s, const void *bytes, size_t count)
{
	if (!s->hold) {
		fxt_child_put(s->out, bytes, count);
		return;
	}
	memcpy(s->hold + s->hold_used, bytes, count);
	s->hold_used += count;
}

/* Sends the held events before bytes are put, where there is no capacity for them, or enough events are held. */
static void hold(struct sender *s, size_t bytes)
{
	if (s->hold && (s->held++ == HELD || HELD_BYTES - s->hold_used < bytes))
		held_send(s);
}

static void damage_send(struct sender *s, __u8 kind, const struct tep_record *record)
{
	struct fxt_tracecmd_message m = { .kind = kind, .cpu = record->cpu, .offset = record->offset };

	hold(s, sizeof(m));
	put(s, &m, sizeof(m));
}

/* Ends this portion after an event. */
static void portion_end(struct sender *s)
{
	struct fxt_tracecmd_message m = { .kind = FXT_TRACECMD_PLACE };

	held_send(s);
	for (m.buffer = 0; m.buffer < s->count; m.buffer++)
		for (m.cpu = 0; m.cpu < s->cursors[m.buffer].cpus; m.cpu++) {
			m.offset = s->cursors[m.buffer].lanes[m.cpu].last;
			m.id = s->cursors[m.buffer].lanes[m.cpu].is_damaged;
			if (m.offset)
				fxt_child_put(s->out, &m, sizeof(m));
		}
	fxt_child_exit(s->out, 0);
}

/* Returns a CPU's lane; NULL: a CPU that isn't read.  The child ends without memory. */
static struct lane *lane_of(struct sender *s, __u32 buffer, __u32 cpu)
{
	struct cursor *c = &s->cursors[buffer];

	if (cpu > FXT_TRACECMD_CPU_MAX)
		return NULL;
	if (fxt_array_reach(c->lanes, c->cpus, cpu))
		fxt_child_exit(s->out, 1);
	return &c->lanes[cpu];
}

/* Moves to an event of a CPU; false where the CPU's events can't be trusted any more, which is sent once. */
static bool lane_go(struct sender *s, struct tep_handle *tep, struct lane *l, const struct tep_record *record)
{
	bool is_new = !l->last || record->offset / s->page_bytes != l->last / s->page_bytes;

	l->last = record->offset;
	if (is_new) {
		s->read += s->page_bytes;
		if (!l->is_damaged && page_is_damaged(s, tep, record)) {
			l->is_damaged = true;
			damage_send(s, FXT_TRACECMD_BAD_PAGE, record);
		}
	}
	return !l->is_damaged;
}

/* Moves to after the last event of the previous portion; false: it isn't there. */
static bool place_follow(struct sender *s, const struct fxt_tracecmd_message *place)
{
	struct tep_record *record;
	struct lane *l;
	bool found;
	int cpu;

	if (place->buffer >= s->count)
		return false;
	record = tracecmd_read_at(s->handles[place->buffer], place->offset, &cpu);
	found = record && record->offset == place->offset && (__u32)record->cpu == place->cpu;
	tracecmd_free_record(record);
	l = lane_of(s, place->buffer, place->cpu);
	if (l) {
		l->last = place->offset;
		l->is_damaged = place->id;
	}
	/* After a bad page, the library may find another event there; no event is read from that CPU anyway. */
	return found || place->id;
}

static __u16 buffer_of(const struct sender *s, const struct tracecmd_input *handle)
{
	int i = 0;

	while (i < s->count - 1 && s->handles[i] != handle)
		i++;
	return i;
}

static void event_send(struct sender *s, struct tracecmd_input *handle, const struct tep_record *record)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct fxt_tracecmd_message m = {
		.kind = FXT_TRACECMD_EVENT, .bytes = record->size, .cpu = record->cpu, .ns = record->ts,
		.offset = record->offset, .buffer = buffer_of(s, handle),
	};
	struct fxt_tracecmd_rare rare = { .missed = record->missed_events };
	struct lane *l = lane_of(s, m.buffer, m.cpu);
	__u32 id, tid;

	if (l && !lane_go(s, tep, l, record))
		return;
	if (!is_inside(s, tep, record)) {
		damage_send(s, FXT_TRACECMD_BAD_EVENT, record);
		return;
	}
	if (!s->has_begun)
		origin_send(s, handle, record->ts);
	hold(s, sizeof(m) + sizeof(rare) + record->size);
	id = fxt_tp_raw_id(record->data);
	tid = fxt_tp_raw_tid(record->data);
	if (!s->known[id])
		tracepoint_send(s, tep, id);
	if (tid && tid < TIDS && !s->named[tid]) {
		const char *name = tep_data_comm_from_pid(tep, tid);

		s->named[tid] = true;
		if (name && strcmp(name, "<...>"))
			name_copy(rare.name, name, sizeof(rare.name));
	}
	m.rare = rare.missed || *rare.name;
	put(s, &m, sizeof(m));
	if (m.rare)
		put(s, &rare, sizeof(rare));
	put(s, record->data, m.bytes);
}

static int on_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *arg)
{
	struct sender *s = arg;

	(void)cpu;
	event_send(s, handle, record);
	if (s->read >= FXT_TRACECMD_PORTION)
		portion_end(s);
	return 0;
}

/* Opens the file's own buffer and those of its instances. */
static int handles_open(struct sender *s, int fd)
{
	struct tracecmd_input *handle;
	char path[32];
	int i, own;

	/* Opens the file again for an offset of its own. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_RDONLY | O_CLOEXEC);
	handle = own < 0 ? NULL : tracecmd_open_fd(own, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle)
		return 1;
	s->handles[s->count++] = handle;
	for (i = 0; i < tracecmd_buffer_instances(handle) && i < BUFFERS_MAX; i++) {
		struct tracecmd_input *instance = tracecmd_buffer_instance_handle(handle, i);

		if (instance)
			s->handles[s->count++] = instance;
	}
	return 0;
}

int fxt_tracecmd_send(struct fxt_child_out *out, void *arg)
{
	const struct fxt_tracecmd_portion *portion = arg;
	struct sender *s = calloc(1, sizeof(*s));
	size_t i;
	int err;

	if (!s)
		return 1;
	s->out = out;
	s->has_begun = portion->place_count;
	s->hold = s->has_begun ? NULL : malloc(HELD_BYTES);
	if (!s->has_begun && !s->hold) {
		free(s);
		return 1;
	}
	for (i = 0; i < FXT_TRACECMD_IDS; i++)
		s->known[i] = portion->known[i];
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	if (pread(portion->fd, &s->page_bytes, sizeof(s->page_bytes), PAGE_BYTES_AT) != sizeof(s->page_bytes) ||
	    !s->page_bytes || handles_open(s, portion->fd))
		return 1;
	for (i = 0; i < portion->place_count; i++)
		if (!place_follow(s, &portion->places[i]))
			return 1;
	err = tracecmd_iterate_events_multi(s->handles, s->count, on_record, s);
	held_send(s);
	return err < 0;
}
