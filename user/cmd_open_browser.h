/* SPDX-License-Identifier: GPL-2.0-only */
/* Gets an address to a browser: of this machine, or by way of the user. */
#ifndef FXT_CMD_OPEN_BROWSER_H
#define FXT_CMD_OPEN_BROWSER_H

#include <stdbool.h>

/*
 * Prints the address, and starts a browser on it unless that is not wanted or can't be: over
 * SSH and without a display it prints how the port gets to the machine that has one.
 */
void fxt_open_browse(char *address, unsigned int port, bool no_browser);

#endif
