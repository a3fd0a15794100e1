// SPDX-License-Identifier: GPL-2.0-only
/* A shared object of a program that marks: both have one ring. */
#include <fxtrec/mark.h>

void object_mark(void);
void object_mark(void)
{
	fxtrec_instant("object");
}
