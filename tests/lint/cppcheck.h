/* SPDX-License-Identifier: GPL-2.0-only */
/* For scripts/lint: macros of the compiler and of headers that cppcheck is not shown, in shapes that it can read. */
#define __linux__				1
#define __SIZEOF_POINTER__			8
#define __ORDER_LITTLE_ENDIAN__			1234
#define __BYTE_ORDER__				__ORDER_LITTLE_ENDIAN__
#define LIBBPF_OPTS(type, name, ...)		struct type name = { __VA_ARGS__ }
#define DECLARE_LIBBPF_OPTS(type, name, ...)	struct type name = { __VA_ARGS__ }
#define for_each_possible_cpu(cpu)		for ((cpu) = 0; (cpu) < 8; (cpu)++)
#define for_each_present_cpu(cpu)		for ((cpu) = 0; (cpu) < 8; (cpu)++)
#define for_each_process_thread(p, t)		while (next_thread_of(&(p), &(t)))
#define for_each_thread(p, t)			while (((t) = next_thread_in(p)))
#define bpf_object__for_each_program(p, o)	while (((p) = bpf_object__next_program(o, p)))
