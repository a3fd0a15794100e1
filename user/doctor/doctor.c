// SPDX-License-Identifier: GPL-2.0-only
/* Runs all checks and collects their findings. */
#include <stdarg.h>
#include <stdio.h>

#include "doctor/doctor.h"

void fxt_doctor_add(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
		    const char *remedy, const char *format, ...)
{
	struct fxt_doctor_finding *f = &doctor->finding[doctor->count];
	va_list args;

	if (doctor->count == FXT_DOCTOR_FINDINGS_MAX)
		return;
	doctor->count++;
	f->name = name;
	f->state = state;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
	snprintf(f->remedy, sizeof(f->remedy), "%s", remedy ? remedy : "");
}

bool fxt_doctor_unknown(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
			const struct fxt_doctor_mount *mount)
{
	if (!mount->mounted)
		fxt_doctor_add(doctor, name, state, mount->remedy, "unknown: %s isn't mounted", mount->path);
	return !mount->mounted;
}

void fxt_doctor_run(struct fxt_doctor *doctor, __u32 data_bytes)
{
	struct fxt_doctor_host host;

	*doctor = (struct fxt_doctor){};
	fxt_doctor_host_read(&host);
	fxt_doctor_system(doctor, &host);
	fxt_doctor_tracing(doctor, &host, data_bytes);
	fxt_doctor_module(doctor, &host);
	fxt_doctor_bpf(doctor, &host);
	fxt_doctor_throttling(doctor);
}

bool fxt_doctor_works(const struct fxt_doctor *doctor)
{
	return doctor->clock && doctor->memory && !doctor->busy && (doctor->module || doctor->bpf);
}
