/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The families of events beside scheduling, one row each.
 *
 * X(bit, NAME, id, tracepoints, items):
 *
 *   bit, NAME		FXTREC_EVENTS_NAME in fxtrec_config.events, part of the ABI
 *   id			fxt_<id>_family in the module; the family's name in the option -e
 *   tracepoints	"subsystem:name ...", as "fxtrec list" prints them
 *   items		any of
 *	PROGRAM(program, tracepoint)	in bpf/; attached in this order, ends before begins,
 *					so that an end without a recorded begin is dropped
 *	MAP(map)			in bpf/; created only for this family
 *	STRING(NAME, "text")		FXT_STR_NAME in the string table of a recording
 */
#ifndef FXT_FAMILIES_H
#define FXT_FAMILIES_H

#define FXT_NONE(...)

/* Families with a name in the option -e.  The softirqs are in the order of the kernel's index. */
#define FXT_NAMED_FAMILIES(X, PROGRAM, MAP, STRING)						\
	X(0, IRQ, irq, "irq:irq_handler_entry irq:irq_handler_exit irq:softirq_entry "		\
	  "irq:softirq_exit",									\
	  PROGRAM(fxt_irq_end, irq_handler_exit) PROGRAM(fxt_irq_begin, irq_handler_entry)	\
	  PROGRAM(fxt_softirq_end, softirq_exit) PROGRAM(fxt_softirq_begin, softirq_entry)	\
	  STRING(IRQ, "irq") STRING(RET, "ret")							\
	  STRING(SOFTIRQ, "HI") STRING(SOFTIRQ_TIMER, "TIMER") STRING(SOFTIRQ_NET_TX, "NET_TX")	\
	  STRING(SOFTIRQ_NET_RX, "NET_RX") STRING(SOFTIRQ_BLOCK, "BLOCK")			\
	  STRING(SOFTIRQ_IRQ_POLL, "IRQ_POLL") STRING(SOFTIRQ_TASKLET, "TASKLET")		\
	  STRING(SOFTIRQ_SCHED, "SCHED") STRING(SOFTIRQ_HRTIMER, "HRTIMER")			\
	  STRING(SOFTIRQ_RCU, "RCU") STRING(SOFTIRQ_UNKNOWN, "unknown softirq"))		\
	X(1, POWER, power, "power:cpu_idle power:cpu_frequency",				\
	  PROGRAM(fxt_idle, cpu_idle) PROGRAM(fxt_frequency, cpu_frequency)			\
	  STRING(POWER, "power") STRING(CPU_IDLE, "cpu_idle")					\
	  STRING(CPU_FREQUENCY, "cpu_frequency"))						\
	X(2, SYSCALLS, syscalls, "raw_syscalls:sys_enter raw_syscalls:sys_exit",		\
	  PROGRAM(fxt_process_exit, sched_process_exit)						\
	  PROGRAM(fxt_process_exec, sched_process_exec)						\
	  PROGRAM(fxt_sys_exit, sys_exit) PROGRAM(fxt_sys_enter, sys_enter) MAP(syscalls)	\
	  STRING(SYSCALL, "syscalls") STRING(SYSCALL_COMPAT, "syscalls of 32 bits")		\
	  STRING(SYSCALL_UNKNOWN, "unknown system call"))

/* All families: TRACEPOINTS has the tracepoints of FXTREC_TRACEPOINTS, STACKS the stacks of fxtrec_config.stacks. */
#define FXT_FAMILIES(X, PROGRAM, MAP, STRING)							\
	FXT_NAMED_FAMILIES(X, PROGRAM, MAP, STRING)						\
	X(3, TRACEPOINTS, tracepoints, "", MAP(tracepoints) MAP(tracepoint_scratch))		\
	X(4, STACKS, stacks, "",								\
	  PROGRAM(fxt_stack, sched_switch) MAP(stack_scratch)					\
	  STRING(BLOCKED, "blocked") STRING(FUNCTION, "function") STRING(IOWAIT, "iowait")	\
	  STRING(STACK, "stack"))

#endif
