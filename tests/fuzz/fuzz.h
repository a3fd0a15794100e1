/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fuzzer of a reader says of its last input. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#define FUZZ_WAYS	32u

/* 0: it was refused; else the writer or analysis that it went through to the end, from 1. */
extern unsigned int fuzz_way;

#endif
