// SPDX-License-Identifier: GPL-2.0-only
/* Faults for each tool of scripts/lint, which must find them.  Nothing compiles this. */
#include <stdio.h>
#include <stdlib.h>

#ifdef __CHECKER__
int fxt_faulty_space(int __attribute__((noderef, address_space(1))) *user);
int fxt_faulty_space(int __attribute__((noderef, address_space(1))) *user)
{
	return *user;
}
#endif

int fxt_faulty(FILE *f);
int fxt_faulty(FILE *f)
{
	char *twice = malloc(8);

	if (!twice || !fgets(twice, 8, f))
	   return 0;
	free(twice);
	free(twice);
	return 1;
}
