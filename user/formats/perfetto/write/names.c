// SPDX-License-Identifier: GPL-2.0-only
/* Writes names of threads and processes: process trees at the time of each name, and new tasks. */
#include <errno.h>
#include <stdlib.h>

#include "codec/provider.h"
#include "formats/perfetto/write/write.h"
#include "model/cpu.h"

/* Longest name: longer ones are cut, to bound bundles. */
#define COMM_BYTES_MAX	255u

struct fxt_pf_thread *fxt_pf_thread(const struct fxt_pf_file *f, __u64 tid)
{
	return fxt_map_get(&f->threads, tid);
}

static int comm_set(struct fxt_pf_file *f, struct fxt_pf_thread *thread,
		    const struct fxt_text *name)
{
	size_t length = name->length < COMM_BYTES_MAX ? name->length : COMM_BYTES_MAX;
	struct fxt_pf_comm *comm = thread->comm;

	if (comm && strlen(comm->text) == length && !memcmp(comm->text, name->bytes, length))
		return 0;
	comm = fxt_arena_alloc(&f->threads.memory, sizeof(*comm) + length + 1);
	if (!comm)
		return -ENOMEM;
	comm->serial = ++f->serial;
	memcpy(comm->text, name->bytes, length);
	comm->text[length] = 0;
	thread->comm = comm;
	return 0;
}

/* Returns the thread, which is created if need be; NULL: -ENOMEM. */
static struct fxt_pf_thread *thread_find(struct fxt_pf_file *f, __u64 tid)
{
	struct fxt_pf_thread *thread = fxt_pf_thread(f, tid);

	return thread ? thread : fxt_map_new(&f->threads, tid, sizeof(*thread));
}

/*
 * Returns whether a name is that of a new task: recorded on a CPU where another thread runs, or with its creator, and
 * not of a thread that is alive.  Sets its parent process and that thread.
 */
static bool is_new(const struct fxt_pf_file *f, const struct fxt_record *r, __u64 process,
		   __u32 *cpu, __u64 *parent, __u64 *tid)
{
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, r->object.koid), *by;
	bool said = !fxt_arg_number(fxt_record_arg(r, FXT_PF_CREATOR_ARG), tid);

	if ((thread && thread->alive) || r->object.carried ||
	    fxt_provider_cpu(r->provider, cpu) || (!said && fxt_pf_current(f, *cpu, r->input, tid)) ||
	    *tid == r->object.koid)
		return false;
	by = fxt_pf_thread(f, *tid);
	if (said && !by) {
		*parent = 0;
		return true;
	}
	if (!by || (process != r->object.koid && by->process != process))
		return false;
	*parent = by->process;
	return true;
}

static int tree_put(struct fxt_pf_file *f, Pf__ProcessTree *tree, const __u64 *time)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	packet.process_tree = tree;
	packet.has_timestamp = time != NULL;
	packet.timestamp = time ? *time : 0;
	return fxt_pf_packet(f, &packet);
}

/*
 * Returns the space after a command line's first word, which is the process's name where the command line starts with
 * the name.
 */
static char *first_word_end(char *command, const struct fxt_text *name)
{
	if (name->length && strlen(command) > name->length && command[name->length] == ' ' &&
	    !memcmp(command, name->bytes, name->length))
		return command + name->length;
	return strchr(command, ' ');
}

static int process_put(struct fxt_pf_file *f, const struct fxt_record *r, const __u64 *time,
		       __u64 parent)
{
	Pf__ProcessTree__Process process = PF__PROCESS_TREE__PROCESS__INIT, *list = &process;
	Pf__ProcessTree tree = PF__PROCESS_TREE__INIT;
	const struct fxt_arg *command = fxt_record_arg(r, "command");
	char *name = fxt_text_copy(command && command->type == FXT_ARG_STRING ? &command->string : &r->name);
	char *space = name ? first_word_end(name, &r->name) : NULL, *words[2] = { name, (char *)"" };
	__u64 inner = 0;
	__s32 nspid;
	int err;

	if (!name)
		return -ENOMEM;
	if (command && space) {
		*space = '\0';
		words[1] = space + 1;
	}
	if (!fxt_arg_number(fxt_record_arg(r, "namespace_id"), &inner)) {
		nspid = fxt_pf_id(f, inner);
		process.n_nspid = 1;
		process.nspid = &nspid;
	}
	process.has_pid = true;
	process.pid = fxt_pf_id(f, r->object.koid);
	process.has_ppid = parent != 0;
	process.ppid = fxt_pf_id(f, parent);
	/* If the command line is a single word, Perfetto uses its part before the first space as the name. */
	process.n_cmdline = space ? 2 : 1;
	process.cmdline = words;
	tree.n_processes = 1;
	tree.processes = &list;
	err = tree_put(f, &tree, time);
	free(name);
	return err;
}

static int thread_put(struct fxt_pf_file *f, const struct fxt_record *r, const __u64 *time,
		      __u64 process)
{
	Pf__ProcessTree__Thread thread = PF__PROCESS_TREE__THREAD__INIT, *list = &thread;
	Pf__ProcessTree tree = PF__PROCESS_TREE__INIT;
	int err;

	thread.name = fxt_text_copy(&r->name);
	if (!thread.name)
		return -ENOMEM;
	thread.has_tid = thread.has_tgid = true;
	thread.tid = fxt_pf_id(f, r->object.koid);
	thread.tgid = fxt_pf_id(f, process);
	tree.n_threads = 1;
	tree.threads = &list;
	err = tree_put(f, &tree, time);
	free(thread.name);
	return err;
}

/* Keeps the name for the CPUs' events; writes a new task as the kernel's event. */
static int thread_update(struct fxt_pf_file *f, const struct fxt_record *r, __u64 process,
			 const __u64 *creator, __u32 cpu)
{
	struct fxt_pf_thread *thread = thread_find(f, r->object.koid);
	int err;

	if (!thread)
		return -ENOMEM;
	thread->process = process;
	thread->alive = true;
	err = comm_set(f, thread, &r->name);
	if (err || !creator)
		return err;
	return fxt_pf_newtask(f, cpu, r->frame.offset, r->object.koid, process != r->object.koid, *creator);
}

/*
 * Updates a process.  Perfetto uses the first parent and the last command line: so both are repeated, and a name alone
 * is not written after a command line.
 */
static int process_update(struct fxt_pf_file *f, const struct fxt_record *r, const __u64 *time,
			  __u64 parent)
{
	bool command = fxt_record_arg(r, "command");
	struct fxt_pf_thread *thread = thread_find(f, r->object.koid);

	if (!thread)
		return -ENOMEM;
	/* The process's first thread has its id, and may have no name of its own. */
	if (!thread->process)
		thread->process = r->object.koid;
	if (!parent)
		fxt_arg_number(fxt_record_arg(r, "parent"), &parent);
	if (!command && time && thread->commanded && thread->described == *time)
		return 0;
	if (parent)
		thread->parent = parent;
	if (command && time) {
		thread->described = *time;
		thread->commanded = true;
	}
	return process_put(f, r, time, thread->parent);
}

/*
 * Writes a name.  A process tree with the time of the new task's event would come first, and make it another process:
 * so the tree is one nanosecond later.
 */
int fxt_pf_object(struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u64 since, process = r->object.koid, parent = 0, creator = 0, *time = NULL;
	bool is_thread = r->object.type == FXT_OBJECT_THREAD, new = false;
	__u32 cpu = 0;
	int err;

	if (!is_thread && r->object.type != FXT_OBJECT_PROCESS) {
		fxt_note(&f->c->unheld, "kernel objects other than threads and processes", 1);
		return 0;
	}
	if (is_thread)
		fxt_arg_number(fxt_record_arg(r, "process"), &process);
	if (!fxt_arg_number(fxt_record_arg(r, "since"), &since)) {
		new = is_new(f, r, process, &cpu, &parent, &creator);
		since = fxt_pf_time(f, since) + new;
		time = &since;
	}
	if (is_thread) {
		err = thread_update(f, r, process, new ? &creator : NULL, cpu);
		return err ? err : thread_put(f, r, time, process);
	}
	return process_update(f, r, time, parent);
}
