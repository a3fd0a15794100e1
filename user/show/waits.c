// SPDX-License-Identifier: GPL-2.0-only
/* Waits for a CPU as lines of text. */
#include "show/print.h"
#include "show/report.h"
#include "show/waits.h"
#include "util/time.h"

#define TITLE_WIDTH	24u
#define INDENT		4u

static void wait_put(const struct fxt_screen *screen, const struct fxt_waits *waits, const struct fxt_wait *wait,
		     bool several)
{
	char title[FXT_TASK_NAME_BYTES + 64];
	FILE *out = screen->out;

	if (several)
		fprintf(out, "machine %u  ", waits->m->tasks.machine);
	fprintf(out, "%llu.%06llu  ", wait->from / SECOND_NS, wait->from % SECOND_NS / 1000);
	fxt_print_cell(out, fxt_task_title_class(title, sizeof(title), wait->task), TITLE_WIDTH);
	fprintf(out, " %10.3f ms on CPU %u %s%s:", (wait->to - wait->from) / 1e6, wait->cpu,
		fxt_wait_after(wait) ? "after " : "or more", fxt_wait_after(wait) ?: "");
	if (screen->width)
		fprintf(out, "\n%*s", INDENT, "");
	else
		fputc(' ', out);
	fxt_print_cell(out, wait->story, screen->width ? screen->width - INDENT : 0);
	fputc('\n', out);
}

void fxt_waits_text(const struct fxt_screen *screen, const struct fxt_waits *waits, bool several)
{
	const struct fxt_wait *wait;
	unsigned int i;

	if (waits->worst) {
		for (i = 0; i < waits->count; i++)
			wait_put(screen, waits, &waits->worst[i], several);
		return;
	}
	fputc('\n', screen->out);
	if (several)
		fprintf(screen->out, "machine %u: ", waits->m->tasks.machine);
	fprintf(screen->out, "%llu waits of more than %.3f ms\n", waits->count, waits->over / 1e6);
	for (wait = waits->first; wait; wait = wait->next)
		wait_put(screen, waits, wait, several);
}
