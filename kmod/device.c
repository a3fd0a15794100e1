// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module entry and device: one recorder at a time opens the device to read and write; other
 * programs open it to write marks.
 */
#include <linux/capability.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "argument.h"
#include "filter.h"
#include "listing.h"
#include "map.h"
#include "message.h"
#include "tracepoint.h"
#include "recording.h"
#include "stats.h"
#include "timer.h"

/* The state of the recorder's file; files for marks have no state. */
struct recorder {
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct mutex listing_lock;	/* lock of this file only: held while listings are copied to the reader */
	struct fxt_listing listing;
	enum fxtrec_listing listing_next;	/* listing that the next read from the start takes */
};

/*
 * Guards only the pointer.  open() takes it inside misc_mtx, which the open() of every
 * misc device needs, and fxt_recording_lock is held over grace periods.
 */
static DEFINE_MUTEX(recorder_lock);
static struct recorder *recorder;

static int device_open(struct inode *inode, struct file *file)
{
	struct recorder *r;
	int err = 0;

	if (!perfmon_capable())
		return -EPERM;
	file->private_data = NULL;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	if (!(file->f_mode & FMODE_WRITE))
		return -EINVAL;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	mutex_init(&r->listing_lock);
	r->pid = current->tgid;
	get_task_comm(r->comm, current);
	mutex_lock(&recorder_lock);
	if (recorder)
		err = -EBUSY;
	else
		file->private_data = recorder = r;
	mutex_unlock(&recorder_lock);
	if (err)
		kfree(r);
	return err;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct recorder *r = file->private_data;

	if (!r)
		return 0;
	mutex_lock(&fxt_recording_lock);
	fxt_recording_free();
	mutex_unlock(&fxt_recording_lock);
	/* Clear recorder only after the rings are freed: the next recorder must not map the old rings. */
	mutex_lock(&recorder_lock);
	recorder = NULL;
	mutex_unlock(&recorder_lock);
	fxt_listing_free(&r->listing);
	kfree(r);
	return 0;
}

static int argument_put(void __user *to, const void *from, size_t known)
{
	u32 size = *(const u32 *)from;

	return copy_to_user(to, from, min_t(size_t, size, known)) ? -EFAULT : 0;
}

/* Reports the kind of throttling that is recorded. */
static int throttle_put(u64 address, const struct fxtrec_throttle *throttle)
{
	struct fxtrec_throttle __user *to = u64_to_user_ptr(address);

	return throttle ? put_user(throttle->kind, &to->kind) : 0;
}

static int arguments_get(struct fxt_arguments *a, const struct fxtrec_config *config)
{
	a->filter = fxt_argument_dup(config->filter, sizeof(*a->filter));
	a->delays = fxt_argument_dup(config->delays, sizeof(*a->delays));
	a->reasons = fxt_argument_dup(config->reasons, sizeof(*a->reasons));
	a->throttle = fxt_argument_dup(config->throttle, sizeof(*a->throttle));
	return PTR_ERR_OR_ZERO(a->filter) ?: PTR_ERR_OR_ZERO(a->delays) ?: PTR_ERR_OR_ZERO(a->reasons) ?:
	       PTR_ERR_OR_ZERO(a->throttle);
}

static void argument_free(void *argument)
{
	if (!IS_ERR(argument))
		kfree(argument);
}

static int configured(struct fxtrec_config *config)
{
	struct fxt_arguments a;
	int err;

	if (config->abi != FXTREC_ABI)
		return -EPROTO;
	err = arguments_get(&a, config);
	if (!err) {
		mutex_lock(&fxt_recording_lock);
		err = fxt_recording_arm(config, &a);
		mutex_unlock(&fxt_recording_lock);
		err = err ?: throttle_put(config->throttle, a.throttle);
	}
	argument_free(a.throttle);
	argument_free(a.reasons);
	argument_free(a.delays);
	argument_free(a.filter);
	return err;
}

static int configure(void __user *argument)
{
	struct fxtrec_config config;
	int err = fxt_argument_get(&config, sizeof(config), argument);

	if (err)
		return err;
	err = configured(&config);
	config.abi = FXTREC_ABI;
	config.consumer_offset = FXT_MAP_CONSUMER;
	return argument_put(argument, &config, sizeof(config)) ?: err;
}

static int stats(void __user *argument)
{
	struct fxtrec_stats known;
	int err = fxt_argument_get(&known, sizeof(known), argument);

	if (err)
		return err;
	known = (struct fxtrec_stats){ .size = known.size };
	mutex_lock(&fxt_recording_lock);
	fxt_recording_stats(&known);
	mutex_unlock(&fxt_recording_lock);
	return argument_put(argument, &known, sizeof(known));
}

/* Returns whether the recording accepts choices of threads. */
static bool is_choosing(void)
{
	return fxt_recording.state == FXT_ARMED || fxt_recording.state == FXT_RUNNING;
}

static int follow(const void __user *argument)
{
	struct fxtrec_follow known;
	int err = fxt_argument_get(&known, sizeof(known), argument);

	if (err)
		return err;
	mutex_lock(&fxt_recording_lock);
	err = is_choosing() ? fxt_filter_follow(&known) : -EINVAL;
	mutex_unlock(&fxt_recording_lock);
	return err;
}

static int followed(unsigned long below)
{
	int found;

	mutex_lock(&fxt_recording_lock);
	found = is_choosing() ? fxt_filter_followed(below) : -EINVAL;
	mutex_unlock(&fxt_recording_lock);
	return found;
}

static int tracepoints(const void __user *argument)
{
	struct fxtrec_tracepoints known;
	struct fxtrec_tracepoint *table;
	int err = fxt_argument_get(&known, sizeof(known), argument);

	if (err)
		return err;
	if (!known.count || known.count > FXTREC_TRACEPOINTS_MAX ||
	    memchr_inv(known.reserved, 0, sizeof(known.reserved)))
		return -EINVAL;
	table = vmemdup_user(u64_to_user_ptr(known.table), array_size(known.count, sizeof(*table)));
	if (IS_ERR(table))
		return PTR_ERR(table);
	mutex_lock(&fxt_recording_lock);
	err = fxt_recording.state == FXT_ARMED ? fxt_tracepoint_table_set(table, known.count) : -EINVAL;
	mutex_unlock(&fxt_recording_lock);
	if (err)
		kvfree(table);
	return err;
}

static int late(const void __user *argument)
{
	struct fxtrec_late_table known;
	struct fxtrec_late *table;
	int err = fxt_argument_get(&known, sizeof(known), argument);

	if (err)
		return err;
	if (memchr_inv(known.reserved, 0, sizeof(known.reserved)) || known.count > nr_cpu_ids)
		return -EINVAL;
	table = kvcalloc(known.count, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	mutex_lock(&fxt_recording_lock);
	err = fxt_recording_late(table, known.count);
	mutex_unlock(&fxt_recording_lock);
	if (!err && copy_to_user(u64_to_user_ptr(known.table), table, known.count * sizeof(*table)))
		err = -EFAULT;
	kvfree(table);
	return err;
}

static int list(struct recorder *r, unsigned long which)
{
	if (which >= FXTREC_LISTINGS)
		return -EINVAL;
	mutex_lock(&r->listing_lock);
	r->listing_next = which;
	mutex_unlock(&r->listing_lock);
	return 0;
}

static int locked(int (*change)(void))
{
	int err;

	mutex_lock(&fxt_recording_lock);
	err = change();
	mutex_unlock(&fxt_recording_lock);
	return err;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	void __user *user = (void __user *)argument;

	if (!file->private_data)
		return -EBADF;
	switch (command) {
	case FXTREC_IOC_CONFIGURE:
		return configure(user);
	case FXTREC_IOC_TRACEPOINTS:
		return tracepoints(user);
	case FXTREC_IOC_START:
		return locked(fxt_recording_start);
	case FXTREC_IOC_STOP:
		return locked(fxt_recording_stop);
	case FXTREC_IOC_STATS:
		return stats(user);
	case FXTREC_IOC_FOLLOW:
		return follow(user);
	case FXTREC_IOC_FOLLOWED:
		return followed(argument);
	case FXTREC_IOC_LATE:
		return late(user);
	case FXTREC_IOC_LIST:
		return list(file->private_data, argument);
	default:
		return -ENOTTY;
	}
}

/* Maps the rings.  Takes no lock: a recording that is armed has its rings until the file is released. */
static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (!file->private_data)
		return -EBADF;
	/* state before the rings; pairs with the store-release in fxt_recording_arm(). */
	if (smp_load_acquire(&fxt_recording.state) == FXT_IDLE)
		return -EINVAL;
	return fxt_map(vma);
}

/* Reads a listing of all threads, up to an end of file; the next read starts over. */
static ssize_t device_read(struct file *file, char __user *to, size_t count, loff_t *position)
{
	struct recorder *r = file->private_data;
	ssize_t got;

	if (!r)
		return -EBADF;
	mutex_lock(&r->listing_lock);
	if (!*position) {
		mutex_lock(&fxt_recording_lock);
		got = fxt_listing_take(&r->listing, r->listing_next);
		mutex_unlock(&fxt_recording_lock);
		if (got)
			goto out;
	}
	got = simple_read_from_buffer(to, count, position, r->listing.records, r->listing.bytes);
	if (!got && count) {
		fxt_listing_free(&r->listing);
		*position = 0;
	}
out:
	mutex_unlock(&r->listing_lock);
	return got;
}

/* Records a mark with the written text.  Returns -ENOTCONN without a recording. */
static ssize_t device_write(struct file *file, const char __user *from, size_t count,
			    loff_t *position)
{
	char text[256], *longer = NULL, *mark = text;
	size_t bytes = min_t(size_t, count, FXT_MESSAGE_BYTES_MAX);
	ssize_t err = -ENOTCONN;

	if (bytes > sizeof(text)) {
		mark = longer = kmalloc(bytes, GFP_KERNEL);
		if (!longer)
			return -ENOMEM;
	}
	if (copy_from_user(mark, from, bytes)) {
		err = -EFAULT;
		goto out;
	}
	if (bytes == count && bytes && mark[bytes - 1] == '\n')
		bytes--;
	mutex_lock(&fxt_recording_lock);
	if (fxt_recording.state == FXT_ARMED || fxt_recording.state == FXT_RUNNING) {
		err = count;
		if (bytes)
			fxt_message_mark(mark, bytes);
	}
	mutex_unlock(&fxt_recording_lock);
out:
	kfree(longer);
	return err;
}

/* Returns whether a complete sub-buffer of the CPU waits for the reader. */
static bool subbuf_waits(const struct fxt_rings *rings)
{
	unsigned int kind;

	for (kind = 0; kind < FXTREC_RINGS; kind++) {
		const struct fxtrec_producer *p = &rings->area->ring[kind];
		u64 tail = READ_ONCE(rings->consumer->ring[kind].tail);

		if (tail != FXTREC_CLOSED &&
		    READ_ONCE(p->head) >> p->subbuf_shift != tail >> p->subbuf_shift)
			return true;
	}
	return false;
}

/*
 * Reports the file as readable once a whole sub-buffer waits.  Probes never wake a reader:
 * poll() checks when it is called and when its timeout expires.
 */
static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	__poll_t events = 0;
	unsigned int cpu;

	if (!file->private_data)
		return EPOLLOUT;
	mutex_lock(&fxt_recording_lock);
	for (cpu = 0; fxt_recording.rings && cpu < fxt_recording.cpu_count; cpu++)
		if (fxt_recording.rings[cpu].area && subbuf_waits(&fxt_recording.rings[cpu]))
			events |= EPOLLIN;
	if (fxt_recording.state == FXT_STOPPED)
		events |= EPOLLHUP;
	mutex_unlock(&fxt_recording_lock);
	return events;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.write = device_write,
	.poll = device_poll,
	.mmap = device_mmap,
	.unlocked_ioctl = device_ioctl,
	.llseek = noop_llseek,
};

/* Shows the recorder as "pid comm", or nothing. */
static ssize_t owner_show(struct device *device, struct device_attribute *attribute, char *page)
{
	ssize_t bytes = 0;

	mutex_lock(&recorder_lock);
	if (recorder)
		bytes = sysfs_emit(page, "%d %s\n", recorder->pid, recorder->comm);
	mutex_unlock(&recorder_lock);
	return bytes;
}
static DEVICE_ATTR_ADMIN_RO(owner);

static struct attribute *attributes_attrs[] = {
	&dev_attr_owner.attr,
	NULL,
};
ATTRIBUTE_GROUPS(attributes);

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "fxtrec",
	.fops = &device_operations,
	.mode = 0600,
	.groups = attributes_groups,
};

static int __init device_init(void)
{
	int err;

	fxt_timer_init();
	err = misc_register(&device);
	if (!err)
		fxt_stats_init();
	return err;
}

static void __exit device_uninit(void)
{
	fxt_stats_uninit();
	misc_deregister(&device);
}

module_init(device_init);
module_exit(device_uninit);

MODULE_DESCRIPTION("Scheduling traces in the Fuchsia trace format");
MODULE_AUTHOR("The fxtrec developers");
MODULE_VERSION(FXT_VERSION);
MODULE_LICENSE("GPL");
