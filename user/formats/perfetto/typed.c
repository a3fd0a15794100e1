// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes events of the kernel that have a message of their own in Perfetto's packets, and that fxtrec keeps as
 * tracepoints.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/perfetto/typed.h"

/*
 * Each row has the number, the name, and a word for each field of the message, from field 1 on; "-" is an unused
 * number.  A word is fxtrec's name of the field, and "=" and the tracepoint's own name where ftrace prints another
 * ("text": nothing); then ":s" for a text, ":f" for a function of the kernel.  Other fields are numbers.
 */
static const struct fxt_pf_typed events[] = {
	{ 12, "cpu_frequency_limits", "min=min_freq max=max_freq cpu_id" },
	{ 14, "clock_enable", "name=text:s state cpu_id" },
	{ 15, "clock_disable", "name=text:s state cpu_id" },
	{ 16, "clock_set_rate", "name=text:s state cpu_id" },
	{ 18, "sched_blocked_reason", "pid caller:f iowait=io_wait" },
	{ 21, "ipi_entry", "reason:s" },
	{ 22, "ipi_exit", "reason:s" },
	{ 23, "ipi_raise", "target_cpus reason:s" },
	{ 27, "i2c_read", "adapter_nr msg_nr addr flags len" },
	{ 28, "i2c_write", "adapter_nr msg_nr addr flags len" },
	{ 29, "i2c_result", "adapter_nr nr_msgs ret" },
	{ 41, "ext4_da_write_begin", "dev ino pos len flags" },
	{ 42, "ext4_da_write_end", "dev ino pos len copied" },
	{ 43, "ext4_sync_file_enter", "dev ino parent datasync" },
	{ 44, "ext4_sync_file_exit", "dev ino ret" },
	{ 45, "block_rq_issue", "dev sector nr_sector bytes rwbs:s comm:s cmd:s" },
	{ 46, "mm_vmscan_direct_reclaim_begin", "order may_writepage gfp_flags" },
	{ 47, "mm_vmscan_direct_reclaim_end", "nr_reclaimed" },
	{ 50, "binder_transaction",
	  "transaction=debug_id dest_node=target_node dest_proc=to_proc dest_thread=to_thread "
	  "reply code flags" },
	{ 51, "binder_transaction_received", "transaction=debug_id" },
	{ 53, "binder_lock", "tag:s" },
	{ 54, "binder_locked", "tag:s" },
	{ 55, "binder_unlock", "tag:s" },
	{ 56, "workqueue_activate_work", "work function:f" },
	{ 57, "workqueue_execute_end", "work function:f" },
	{ 58, "workqueue_execute_start", "work function:f" },
	{ 59, "workqueue_queue_work", "work function:f - req_cpu cpu workqueue:s" },
	{ 99, "mm_compaction_begin", "zone_start migrate_pfn free_pfn zone_end sync" },
	{ 103, "mm_compaction_end", "zone_start migrate_pfn free_pfn zone_end sync status" },
	{ 113, "suspend_resume", "action:s val start" },
	{ 119, "block_bio_queue", "dev sector nr_sector rwbs:s comm:s" },
	{ 125, "block_rq_complete", "dev sector nr_sector errors rwbs:s cmd:s error" },
	{ 126, "block_rq_insert", "dev sector nr_sector bytes rwbs:s comm:s cmd:s" },
	{ 237, "sched_process_exec", "filename:s pid old_pid" },
	{ 238, "sched_process_exit", "comm:s pid tgid prio" },
	{ 239, "sched_process_fork", "parent_comm:s parent_pid child_comm:s child_pid" },
	{ 240, "sched_process_free", "comm:s pid prio" },
	{ 241, "sched_process_hang", "comm:s pid" },
	{ 242, "sched_process_wait", "comm:s pid prio" },
	{ 255, "f2fs_sync_file_enter", "dev ino pino mode size nlink blocks advise" },
	{ 256, "f2fs_sync_file_exit", "dev ino need_cp datasync ret cp_reason" },
	{ 271, "f2fs_write_begin", "dev ino pos len flags" },
	{ 273, "f2fs_write_end", "dev ino pos len copied" },
	{ 313, "rss_stat", "member size curr mm_id" },
	{ 314, "ion_heap_shrink", "heap_name:s len total_allocated" },
	{ 315, "ion_heap_grow", "heap_name:s len total_allocated" },
	{ 323, "binder_transaction_alloc_buf", "data_size debug_id offsets_size extra_buffers_size" },
	{ 324, "signal_deliver", "code sa_flags sig" },
	{ 325, "signal_generate", "code comm:s group pid result sig" },
	{ 326, "oom_score_adj_update", "comm:s oom_score_adj pid" },
	{ 328, "mm_event_record", "avg_lat count max_lat type" },
	{ 332, "gpu_frequency", "gpu_id state" },
	{ 334, "mark_victim", "pid" },
	{ 335, "ion_stat", "buffer_id len total_allocated" },
	{ 338, "scm_call_start", "arginfo x0 x5" },
	{ 339, "scm_call_end", "" },
	{ 340, "gpu_mem_total", "gpu_id pid size" },
	{ 341, "thermal_temperature", "id temp temp_prev thermal_zone:s" },
	{ 342, "cdev_update", "target type:s" },
	{ 343, "cpuhp_exit", "cpu idx ret state" },
	{ 344, "cpuhp_multi_enter", "cpu fun:f idx target" },
	{ 345, "cpuhp_enter", "cpu fun:f idx target" },
	{ 347, "fastrpc_dma_stat", "cid len total_allocated" },
	{ 351, "dma_heap_stat", "inode len total_allocated" },
	{ 352, "cpuhp_pause", "active_cpus cpus pause time" },
	{ 353, "sched_pi_setprio", "comm:s newprio oldprio pid" },
	{ 359, "rss_stat_throttled", "curr member mm_id size" },
	{ 360, "netif_receive_skb", "len name:s skbaddr" },
	{ 361, "net_dev_xmit", "len name:s rc skbaddr" },
	{ 362, "inet_sock_set_state", "daddr dport family newstate oldstate protocol saddr skaddr sport" },
	{ 363, "tcp_retransmit_skb", "daddr dport saddr skaddr skbaddr sport state" },
	{ 364, "cros_ec_sensorhub_data",
	  "current_time current_timestamp delta ec_fifo_timestamp ec_sensor_num fifo_timestamp" },
	{ 365, "napi_gro_receive_entry",
	  "data_len gso_size gso_type hash ip_summed l4_hash len mac_header mac_header_valid "
	  "name:s napi_id nr_frags protocol queue_mapping skbaddr" },
	{ 366, "napi_gro_receive_exit", "ret" },
	{ 367, "kfree_skb", "location protocol skbaddr" },
	{ 376, "kvm_entry", "vcpu_pc" },
	{ 377, "kvm_exit", "esr_ec ret vcpu_pc" },
	{ 404, "wakeup_source_activate", "name=text:s state" },
	{ 405, "wakeup_source_deactivate", "name=text:s state" },
	{ 406, "ufshcd_command",
	  "dev_name:s doorbell intr lba opcode str:s tag transfer_len group_id str_t" },
	{ 407, "ufshcd_clk_gating", "dev_name:s state" },
	{ 409, "drm_vblank_event", "crtc high_prec seq time" },
	{ 410, "drm_vblank_event_delivered", "crtc file seq" },
	{ 411, "drm_sched_job", "entity fence hw_job_count id job_count name:s" },
	{ 412, "drm_run_job", "entity fence hw_job_count id job_count name:s" },
	{ 413, "drm_sched_process_job", "fence" },
	{ 414, "dma_fence_init", "context driver:s seqno timeline:s" },
	{ 415, "dma_fence_emit", "context driver:s seqno timeline:s" },
	{ 416, "dma_fence_signaled", "context driver:s seqno timeline:s" },
	{ 417, "dma_fence_wait_start", "context driver:s seqno timeline:s" },
	{ 418, "dma_fence_wait_end", "context driver:s seqno timeline:s" },
	{ 421, "sched_cpu_util_cfs",
	  "active capacity capacity_orig cpu cpu_importance cpu_util exit_lat group_capacity "
	  "grp_overutilized idle_cpu nr_running spare_cap task_fits wake_group_util wake_util" },
	{ 431, "android_fs_dataread_end", "bytes ino offset" },
	{ 432, "android_fs_dataread_start", "bytes cmdline:s i_size ino offset pathbuf:s pid" },
	{ 433, "android_fs_datawrite_end", "bytes ino offset" },
	{ 434, "android_fs_datawrite_start", "bytes cmdline:s i_size ino offset pathbuf:s pid" },
	{ 435, "android_fs_fsync_end", "bytes ino offset" },
	{ 436, "android_fs_fsync_start", "cmdline:s i_size ino pathbuf:s pid" },
	{ 437, "funcgraph_entry", "depth func:f" },
	{ 438, "funcgraph_exit", "calltime depth func:f overrun rettime" },
	{ 439, "virtio_video_cmd", "stream_id type" },
	{ 440, "virtio_video_cmd_done", "stream_id type" },
	{ 441, "virtio_video_resource_queue",
	  "data_size0 data_size1 data_size2 data_size3 queue_type resource_id stream_id "
	  "timestamp" },
	{ 442, "virtio_video_resource_queue_done",
	  "data_size0 data_size1 data_size2 data_size3 queue_type resource_id stream_id timestamp" },
	{ 443, "mm_shrink_slab_start",
	  "cache_items delta gfp_flags lru_pgs nr_objects_to_shrink pgs_scanned shr shrink:f "
	  "total_scan nid priority" },
	{ 444, "mm_shrink_slab_end", "new_scan retval shr shrink:f total_scan unused_scan nid" },
	{ 465, "cma_alloc_start", "align count name:s" },
	{ 466, "cma_alloc_info",
	  "align count err_iso err_mig err_test name:s nr_mapped nr_migrated nr_reclaimed pfn" },
	{ 468, "virtio_gpu_cmd_queue", "ctx_id dev fence_id flags name:s num_free seqno type vq" },
	{ 469, "virtio_gpu_cmd_response", "ctx_id dev fence_id flags name:s num_free seqno type vq" },
	{ 476, "hyp_enter", "" },
	{ 477, "hyp_exit", "" },
	{ 478, "host_hcall", "id invalid" },
	{ 479, "host_smc", "id forwarded" },
	{ 480, "host_mem_abort", "esr addr" },
	{ 481, "suspend_resume_minimal", "start" },
	{ 485, "binder_command", "cmd" },
	{ 486, "binder_return", "cmd" },
	{ 488, "gpu_work_period", "gpu_id uid start_time_ns end_time_ns total_active_duration_ns" },
	{ 489, "rpm_status", "name:s status" },
	{ 504, "device_pm_callback_start", "device:s driver:s parent:s pm_ops:s event" },
	{ 505, "device_pm_callback_end", "device:s driver:s error" },
	{ 508, "dcvsh_freq", "cpu freq" },
	{ 509, "kgsl_gpu_frequency", "gpu_freq gpu_id" },
	{ 541, "devfreq_frequency", "dev_name:s freq prev_freq busy_time total_time" },
	{ 546, "block_io_start", "dev sector nr_sector bytes ioprio rwbs:s comm:s cmd:s" },
	{ 547, "block_io_done", "dev sector nr_sector bytes ioprio rwbs:s comm:s cmd:s" },
	{ 553, "hrtimer_expire_entry", "hrtimer now function:f" },
	{ 554, "hrtimer_expire_exit", "hrtimer" },
	{ 559, "local_timer_entry", "vector" },
	{ 560, "local_timer_exit", "vector" },
	{ 576, "cma_alloc_finish", "name:s pfn page count align errorno" },
	{ 577, "mm_alloc_contig_migrate_range_info", "start end nr_migrated nr_reclaimed nr_mapped migratetype" },
	{ 579, "dmabuf_rss_stat", "rss rss_delta i_ino" },
	{ 592, "drm_sched_job_done", "fence_context fence_seqno" },
	{ 593, "drm_sched_job_queue",
	  "name:s job_count hw_job_count dev:s fence_context fence_seqno client_id" },
	{ 594, "drm_sched_job_run",
	  "name:s job_count hw_job_count dev:s fence_context fence_seqno client_id" },
	{ 601, "gpu_power_state", "old_state new_state" },
	{ 607, "mm_vmscan_memcg_reclaim_begin", "order may_writepage gfp_flags" },
	{ 608, "mm_vmscan_memcg_reclaim_end", "nr_reclaimed" },
};

const struct fxt_pf_typed fxt_pf_typed_none = { 0, "", "" };

#define EVENTS	(sizeof(events) / sizeof(*events))

static int field_compare(const void *key, const void *event)
{
	__u32 field = *(const __u32 *)key, other = ((const struct fxt_pf_typed *)event)->field;

	return (field > other) - (field < other);
}

const struct fxt_pf_typed *fxt_pf_typed_by_field(__u32 field)
{
	return bsearch(&field, events, EVENTS, sizeof(*events), field_compare);
}

const struct fxt_pf_typed *fxt_pf_typed_by_name(const struct fxt_text *name)
{
	size_t i;

	for (i = 0; i < EVENTS; i++)
		if (name->length && *name->bytes == *events[i].name && fxt_text_equal(name, events[i].name))
			return &events[i];
	return NULL;
}

bool fxt_pf_typed_next(const struct fxt_pf_typed *event, struct fxt_pf_typed_field *f)
{
	const char *at = f->number ? f->next : event->fields;
	size_t length = strcspn(at, " "), name;

	if (!length)
		return false;
	f->number++;
	f->next = at + length + (at[length] == ' ');
	f->kind = FXT_PF_TYPED_NUMBER;
	if (length > 2 && at[length - 2] == ':') {
		f->kind = at[length - 1] == 's' ? FXT_PF_TYPED_TEXT : FXT_PF_TYPED_SYMBOL;
		length -= 2;
	} else if (*at == '-') {
		f->kind = FXT_PF_TYPED_NONE;
	}
	name = strcspn(at, "=: ");
	f->name = f->own_name = (struct fxt_text){ .bytes = at, .length = name };
	if (at[name] == '=')
		f->own_name = (struct fxt_text){ .bytes = at + name + 1, .length = length - name - 1 };
	return true;
}
