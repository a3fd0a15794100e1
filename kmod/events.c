// SPDX-License-Identifier: GPL-2.0-only
/* Registers the families of events beside scheduling. */
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "event.h"

static const struct {
	u32 event;
	const struct fxt_family *family;
} families[] = {
#define FAMILY(bit, name, id, ...)	{ FXTREC_EVENTS_##name, &fxt_##id##_family },
	FXT_FAMILIES(FAMILY, FXT_NONE, FXT_NONE, FXT_NONE)
};

static int register_one(const struct fxt_family *f)
{
	int err = f->init ? f->init() : 0;

	if (err)
		return err;
	err = fxt_probe_register(f->probes, f->count);
	if (err && f->uninit)
		f->uninit();
	return err;
}

static void unregister(u32 events, unsigned int count)
{
	unsigned int i;

	for (i = count; i--;)
		if (events & families[i].event)
			fxt_probe_unregister(families[i].family->probes, families[i].family->count);
	fxt_probe_drain();
	for (i = count; i--;)
		if (events & families[i].event && families[i].family->uninit)
			families[i].family->uninit();
}

int fxt_events_register(u32 events)
{
	unsigned int i;
	int err = 0;

	lockdep_assert_held(&fxt_recording_lock);
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (events & families[i].event)
			err = register_one(families[i].family);
		if (err) {
			unregister(events, i);
			return err;
		}
	}
	return 0;
}

void fxt_events_unregister(u32 events)
{
	lockdep_assert_held(&fxt_recording_lock);
	unregister(events, ARRAY_SIZE(families));
}
