// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: counters with more series than a record has: several records are one event. */
#include <string.h>

#include "formats/json/write.h"

void fxt_json_counter_end(struct fxt_json_file *f)
{
	if (!f->counter_open)
		return;
	f->counter_open = false;
	fxt_json_close(&f->json, '}');
	fxt_buffer_put(&f->counter_types, "", 1);
	if (f->counter_typed && !f->counter_types.failed)
		fxt_json_put_word(&f->json, FXT_JSON_TYPES, f->counter_types.bytes);
	f->json.text.failed |= f->counter_types.failed;
	fxt_json_event_end(f);
}

int fxt_json_counter_write(struct fxt_json_file *f, const struct fxt_record *r, bool continues)
{
	char letters[FXT_ARGS_MAX + 1];
	bool natural;

	if (!continues) {
		fxt_json_event_begin(f);
		fxt_json_put_event_fields(&f->json, r);
		fxt_json_key(&f->json, "args");
		fxt_json_open(&f->json, '{');
		f->counter_open = true;
		f->counter_typed = false;
		f->counter_types.length = 0;
	}
	fxt_json_args_letters(r, NULL, letters, &natural);
	fxt_buffer_put(&f->counter_types, letters, strlen(letters));
	f->counter_typed |= !natural;
	fxt_json_put_args(&f->json, r, NULL);
	if (!f->counter.full)
		fxt_json_counter_end(f);
	return 0;
}
