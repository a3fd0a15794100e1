/* SPDX-License-Identifier: GPL-2.0-only */
/* Phases of the Trace Event Format and the events of records. */
#ifndef FXT_CONVERT_JSON_PHASE_H
#define FXT_CONVERT_JSON_PHASE_H

#include <stdbool.h>

#include "fxt/wire.h"

struct fxt_json_phase {
	enum fxt_event_type type;
	bool kept;		/* the type doesn't tell the phase: argument "json.ph" does */
};

/* Any phase: those without an event of their own are instants. */
struct fxt_json_phase fxt_json_phase(char phase);

/* The phase of an event that has no argument for it. */
char fxt_json_phase_of(enum fxt_event_type type);

/* Whether records of a type have a number of their own for the field "id". */
bool fxt_json_type_has_id(enum fxt_event_type type);

#endif
