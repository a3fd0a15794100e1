/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells who started the recorder that it records, as services of systemd do (sd_notify(3)). */
#ifndef FXT_RECORD_READY_H
#define FXT_RECORD_READY_H

/* Of whoever listens; nobody has to. */
#define FXT_READY_SOCKET "NOTIFY_SOCKET"

void fxt_ready_tell(void);

#endif
