// SPDX-License-Identifier: GPL-2.0-only
/*
 * readdat FILE [fields]: reads the events of trace.dat by libtracecmd, with "fields" also their values, by
 * libtraceevent; prints the number of events.
 */
#include <stdio.h>
#include <string.h>
#include <trace-cmd.h>

/* The library has these, but not its header in all versions. */
extern struct tep_record *tracecmd_read_next_data(struct tracecmd_input *handle, int *cpu);
extern void tracecmd_free_record(struct tep_record *record);

/* Returns the sum of all values, and of the first bytes of texts: no field is left out. */
static unsigned long long values(struct tep_handle *tep, const struct tep_record *record)
{
	const struct tep_event *event = tep_find_event_by_record(tep, (struct tep_record *)record);
	const struct tep_format_field *field;
	unsigned long long value, sum = 0;

	for (field = event ? event->format.fields : NULL; field; field = field->next) {
		if (field->flags & TEP_FIELD_IS_ARRAY)
			sum += *((const char *)record->data + field->offset);
		else if (!tep_read_number_field((struct tep_format_field *)field, record->data, &value))
			sum += value;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle = argc > 1 ? tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS) : NULL;
	bool fields = argc > 2 && !strcmp(argv[2], "fields");
	unsigned long long count = 0, sum = 0;
	struct tep_record *record;
	int cpu;

	if (!handle)
		return 1;
	while ((record = tracecmd_read_next_data(handle, &cpu))) {
		sum += fields ? values(tracecmd_get_tep(handle), record) : record->ts;
		count++;
		tracecmd_free_record(record);
	}
	printf("%llu events, %llx\n", count, sum);
	tracecmd_close(handle);
	return 0;
}
