// SPDX-License-Identifier: GPL-2.0-only
/* Events of tracepoints, one after the other. */
#include <errno.h>

#include "formats/tracepoint/kind.h"

int fxt_tp_reader_init(struct fxt_tp_reader *rd, struct fxt_conversion *c, const char *name)
{
	*rd = (struct fxt_tp_reader){ .c = c, .states = &fxt_prev_states_new };
	rd->p = fxt_ftrace_parser_open(c, name);
	if (!rd->p || rd->p->provider < 0)
		return -ENOMEM;
	return 0;
}

void fxt_tp_reader_uninit(struct fxt_tp_reader *rd)
{
	if (rd->p)
		fxt_ftrace_parser_close(rd->p);
}

int fxt_tp_reader_end(struct fxt_tp_reader *rd)
{
	return fxt_ftrace_parser_end(rd->p);
}

int fxt_tp_begin(struct fxt_tp_reader *rd, const struct fxt_ftrace_line *line)
{
	struct fxt_ftrace_cpu *cpu = fxt_ftrace_cpu(rd->p, line->cpu);
	struct fxt_ftrace_task *t;
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	if (cpu->lost)
		err = fxt_ftrace_lost_put(rd->p, line->cpu, line->ns);
	if (!rd->p->started)
		rd->p->first_ns = line->ns;
	rd->p->started = cpu->seen = true;
	rd->p->last_ns = cpu->last_ns = line->ns;
	if (err || (!line->tgid && !line->comm.bytes))
		return err;
	t = fxt_ftrace_task(rd->p, line->tid);
	if (!t)
		return -E2BIG;
	if (line->tgid)
		err = fxt_ftrace_task_process(rd->p, t, line->tgid, line->ns);
	if (!err && line->comm.bytes)
		err = fxt_ftrace_task_name(rd->p, t, line->comm, line->ns, false);
	return err;
}

int fxt_tp_put(struct fxt_tp_reader *rd, struct fxt_tp_event *e)
{
	int err = fxt_tp_begin(rd, &e->line);

	rd->room = (struct fxt_tp_room){ rd->clean, sizeof(rd->clean) };
	return err ? err : e->tp->kind->read(rd, e);
}
