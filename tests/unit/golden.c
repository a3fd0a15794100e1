// SPDX-License-Identifier: GPL-2.0-only
/* Golden records: finds each by its number. */
#include "golden.h"

struct golden golden_get(enum golden_id id)
{
	switch (id) {
#define GOLDEN_CASE(name, kind)						\
	case GOLDEN_##name:						\
		return (struct golden){ #name, golden_##name,		\
					golden_##name##_size, FXT_KIND_##kind };
	GOLDENS(GOLDEN_CASE)
#undef GOLDEN_CASE
	case GOLDEN_END:
		break;
	}
	return (struct golden){ 0 };
}
