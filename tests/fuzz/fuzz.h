/* SPDX-License-Identifier: GPL-2.0-only */
/* The way of a fuzzer's last input. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#define FUZZ_WAYS	32u

/* 0: the input was refused; else the number, from 1, of the writer or analysis that it went through to the end. */
extern unsigned int fuzz_way;

#endif
