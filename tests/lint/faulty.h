/* SPDX-License-Identifier: GPL-2.0-only */
/* Of a file that nothing includes: a fault for rule A. */
/* Knows what a clause is: one for rule B. */
/* Is passed over: one for rule F. */
