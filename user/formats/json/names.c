// SPDX-License-Identifier: GPL-2.0-only
/* Maps phases of the Trace Event Format to the events of records, and back. */
#include <string.h>

#include "formats/json/names.h"

/* Phases by event type; then further phases of some types. */
static const char phases[] = "iCBEXbnestf";
static const struct {
	char phase;
	enum fxt_event_type type;
} others[] = {
	{ 'S', FXT_EVENT_ASYNC_BEGIN },
	{ 'T', FXT_EVENT_ASYNC_INSTANT },
	{ 'p', FXT_EVENT_ASYNC_INSTANT },
	{ 'F', FXT_EVENT_ASYNC_END },
};

struct fxt_json_phase fxt_json_phase(char phase)
{
	const char *found = phase ? strchr(phases, phase) : NULL;
	unsigned int i;

	if (found)
		return (struct fxt_json_phase){ found - phases, false };
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].phase == phase)
			return (struct fxt_json_phase){ others[i].type, true };
	return (struct fxt_json_phase){ FXT_EVENT_INSTANT, true };
}

char fxt_json_phase_of(enum fxt_event_type type)
{
	return phases[type];
}

bool fxt_json_type_has_id(enum fxt_event_type type)
{
	return type == FXT_EVENT_COUNTER || type >= FXT_EVENT_ASYNC_BEGIN;
}
