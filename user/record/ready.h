/* SPDX-License-Identifier: GPL-2.0-only */
/* Notifies the process that started the recorder that it records, as systemd services do (sd_notify(3)). */
#ifndef FXT_RECORD_READY_H
#define FXT_RECORD_READY_H

/* The environment variable that names its socket; it may be missing. */
#define FXT_READY_SOCKET "NOTIFY_SOCKET"

void fxt_ready_notify(void);

#endif
