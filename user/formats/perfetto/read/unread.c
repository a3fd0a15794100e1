// SPDX-License-Identifier: GPL-2.0-only
/* Names the fields of packets that have no equivalent, by message: facts of Perfetto's schema. */
#include "convert/skip.h"
#include "formats/perfetto/read/unread.h"

static const struct fxt_pf_name packet_fields[] = {
	{ 48, "chrome_benchmark_metadata" }, { 54, "streaming_profile_packet" }, { 56, "heap_graph" },
	{ 62, "vulkan_memory_event" }, { 63, "gpu_log" }, { 64, "deobfuscation_mapping" },
	{ 65, "vulkan_api_event" }, { 70, "initial_display_state" }, { 71, "gpu_mem_total_event" },
	{ 73, "memory_tracker_snapshot" }, { 74, "streaming_allocation" }, { 75, "streaming_free" },
	{ 76, "frame_timeline_event" }, { 77, "android_energy_estimation_breakdown" },
	{ 83, "android_game_intervention_list" }, { 84, "statsd_atom" }, { 86, "android_system_property" },
	{ 88, "network_packet" }, { 91, "entity_state_residency" }, { 92, "network_packet_bundle" },
	{ 93, "surfaceflinger_layers_snapshot" }, { 94, "surfaceflinger_transactions" }, { 96, "shell_transition" },
	{ 97, "shell_handler_mappings" }, { 99, "v8_js_code" }, { 100, "v8_internal_code" }, { 101, "v8_wasm_code" },
	{ 102, "v8_reg_exp_code" }, { 103, "v8_code_move" }, { 104, "protolog_message" },
	{ 105, "protolog_viewer_config" }, { 109, "chrome_trigger" }, { 110, "pixel_modem_events" },
	{ 111, "pixel_modem_token_database" }, { 112, "winscope_extensions" }, { 113, "clone_snapshot_trigger" },
	{ 114, "bluetooth_trace_event" }, { 115, "kernel_wakelock_data" }, { 116, "app_wakelock_bundle" },
	{ 117, "generic_kernel_task_state_event" }, { 118, "generic_kernel_cpu_freq_event" },
	{ 119, "cpu_per_uid_data" }, { 120, "generic_kernel_task_rename_event" }, { 121, "evdev_event" },
	{ 122, "generic_kernel_process_tree" }, { 123, "user_list" }, { 124, "trace_provenance" },
	{ 125, "protovms" }, { 126, "trace_attributes" }, { 127, "android_aflags" }, { 128, "gpu_info" },
	{ 129, "generic_gpu_frequency_event" }, { 130, "interrupt_info" }, { 131, "art_process_metadata" },
	{ 134, "concurrent_session_event" }, { 135, "stack_sample" }, { 1000, "video_frame" },
	{ 1001, "video_frame_error" }, { 1002, "android_process_state" }, { 1003, "android_freezer_state" },
};

static const struct fxt_pf_name ftrace_fields[] = {
	{ 19, "sched_cpu_hotplug" }, { 26, "softirq_raise" }, { 30, "i2c_reply" }, { 31, "smbus_read" },
	{ 32, "smbus_write" }, { 33, "smbus_result" }, { 34, "smbus_reply" }, { 35, "lowmemory_kill" },
	{ 38, "sync_pt" }, { 39, "sync_timeline" }, { 40, "sync_wait" }, { 48, "mm_vmscan_kswapd_wake" },
	{ 49, "mm_vmscan_kswapd_sleep" }, { 52, "binder_set_priority" }, { 60, "regulator_disable" },
	{ 61, "regulator_disable_complete" }, { 62, "regulator_enable" }, { 63, "regulator_enable_complete" },
	{ 64, "regulator_enable_delay" }, { 65, "regulator_set_voltage" }, { 66, "regulator_set_voltage_complete" },
	{ 67, "cgroup_attach_task" }, { 68, "cgroup_mkdir" }, { 69, "cgroup_remount" }, { 70, "cgroup_rmdir" },
	{ 71, "cgroup_transfer_tasks" }, { 72, "cgroup_destroy_root" }, { 73, "cgroup_release" },
	{ 74, "cgroup_rename" }, { 75, "cgroup_setup_root" }, { 76, "mdp_cmd_kickoff" }, { 77, "mdp_commit" },
	{ 78, "mdp_perf_set_ot" }, { 79, "mdp_sspp_change" }, { 81, "mdp_cmd_pingpong_done" },
	{ 82, "mdp_compare_bw" }, { 83, "mdp_perf_set_panic_luts" }, { 84, "mdp_sspp_set" },
	{ 85, "mdp_cmd_readptr_done" }, { 86, "mdp_misr_crc" }, { 87, "mdp_perf_set_qos_luts" },
	{ 88, "mdp_trace_counter" }, { 89, "mdp_cmd_release_bw" }, { 90, "mdp_mixer_update" },
	{ 91, "mdp_perf_set_wm_levels" }, { 92, "mdp_video_underrun_done" }, { 93, "mdp_cmd_wait_pingpong" },
	{ 94, "mdp_perf_prefill_calc" }, { 95, "mdp_perf_update_bus" }, { 96, "rotator_bw_ao_as_context" },
	{ 97, "mm_filemap_add_to_page_cache" }, { 98, "mm_filemap_delete_from_page_cache" },
	{ 100, "mm_compaction_defer_compaction" }, { 101, "mm_compaction_deferred" },
	{ 102, "mm_compaction_defer_reset" }, { 104, "mm_compaction_finished" },
	{ 105, "mm_compaction_isolate_freepages" }, { 106, "mm_compaction_isolate_migratepages" },
	{ 107, "mm_compaction_kcompactd_sleep" }, { 108, "mm_compaction_kcompactd_wake" },
	{ 109, "mm_compaction_migratepages" }, { 110, "mm_compaction_suitable" },
	{ 111, "mm_compaction_try_to_compact_pages" }, { 112, "mm_compaction_wakeup_kcompactd" },
	{ 115, "block_bio_backmerge" }, { 116, "block_bio_bounce" }, { 117, "block_bio_complete" },
	{ 118, "block_bio_frontmerge" }, { 120, "block_bio_remap" }, { 121, "block_dirty_buffer" },
	{ 122, "block_getrq" }, { 123, "block_plug" }, { 124, "block_rq_abort" }, { 128, "block_rq_remap" },
	{ 129, "block_rq_requeue" }, { 130, "block_sleeprq" }, { 131, "block_split" }, { 132, "block_touch_buffer" },
	{ 133, "block_unplug" }, { 134, "ext4_alloc_da_blocks" }, { 135, "ext4_allocate_blocks" },
	{ 136, "ext4_allocate_inode" }, { 137, "ext4_begin_ordered_truncate" }, { 138, "ext4_collapse_range" },
	{ 139, "ext4_da_release_space" }, { 140, "ext4_da_reserve_space" }, { 141, "ext4_da_update_reserve_space" },
	{ 142, "ext4_da_write_pages" }, { 143, "ext4_da_write_pages_extent" }, { 144, "ext4_direct_IO_enter" },
	{ 145, "ext4_direct_IO_exit" }, { 146, "ext4_discard_blocks" }, { 147, "ext4_discard_preallocations" },
	{ 148, "ext4_drop_inode" }, { 149, "ext4_es_cache_extent" },
	{ 150, "ext4_es_find_delayed_extent_range_enter" }, { 151, "ext4_es_find_delayed_extent_range_exit" },
	{ 152, "ext4_es_insert_extent" }, { 153, "ext4_es_lookup_extent_enter" },
	{ 154, "ext4_es_lookup_extent_exit" }, { 155, "ext4_es_remove_extent" }, { 156, "ext4_es_shrink" },
	{ 157, "ext4_es_shrink_count" }, { 158, "ext4_es_shrink_scan_enter" }, { 159, "ext4_es_shrink_scan_exit" },
	{ 160, "ext4_evict_inode" }, { 161, "ext4_ext_convert_to_initialized_enter" },
	{ 162, "ext4_ext_convert_to_initialized_fastpath" }, { 163, "ext4_ext_handle_unwritten_extents" },
	{ 164, "ext4_ext_in_cache" }, { 165, "ext4_ext_load_extent" }, { 166, "ext4_ext_map_blocks_enter" },
	{ 167, "ext4_ext_map_blocks_exit" }, { 168, "ext4_ext_put_in_cache" }, { 169, "ext4_ext_remove_space" },
	{ 170, "ext4_ext_remove_space_done" }, { 171, "ext4_ext_rm_idx" }, { 172, "ext4_ext_rm_leaf" },
	{ 173, "ext4_ext_show_extent" }, { 174, "ext4_fallocate_enter" }, { 175, "ext4_fallocate_exit" },
	{ 176, "ext4_find_delalloc_range" }, { 177, "ext4_forget" }, { 178, "ext4_free_blocks" },
	{ 179, "ext4_free_inode" }, { 180, "ext4_get_implied_cluster_alloc_exit" },
	{ 181, "ext4_get_reserved_cluster_alloc" }, { 182, "ext4_ind_map_blocks_enter" },
	{ 183, "ext4_ind_map_blocks_exit" }, { 184, "ext4_insert_range" }, { 185, "ext4_invalidatepage" },
	{ 186, "ext4_journal_start" }, { 187, "ext4_journal_start_reserved" },
	{ 188, "ext4_journalled_invalidatepage" }, { 189, "ext4_journalled_write_end" }, { 190, "ext4_load_inode" },
	{ 191, "ext4_load_inode_bitmap" }, { 192, "ext4_mark_inode_dirty" }, { 193, "ext4_mb_bitmap_load" },
	{ 194, "ext4_mb_buddy_bitmap_load" }, { 195, "ext4_mb_discard_preallocations" },
	{ 196, "ext4_mb_new_group_pa" }, { 197, "ext4_mb_new_inode_pa" }, { 198, "ext4_mb_release_group_pa" },
	{ 199, "ext4_mb_release_inode_pa" }, { 200, "ext4_mballoc_alloc" }, { 201, "ext4_mballoc_discard" },
	{ 202, "ext4_mballoc_free" }, { 203, "ext4_mballoc_prealloc" }, { 204, "ext4_other_inode_update_time" },
	{ 205, "ext4_punch_hole" }, { 206, "ext4_read_block_bitmap_load" }, { 207, "ext4_readpage" },
	{ 208, "ext4_releasepage" }, { 209, "ext4_remove_blocks" }, { 210, "ext4_request_blocks" },
	{ 211, "ext4_request_inode" }, { 212, "ext4_sync_fs" }, { 213, "ext4_trim_all_free" },
	{ 214, "ext4_trim_extent" }, { 215, "ext4_truncate_enter" }, { 216, "ext4_truncate_exit" },
	{ 217, "ext4_unlink_enter" }, { 218, "ext4_unlink_exit" }, { 219, "ext4_write_begin" },
	{ 230, "ext4_write_end" }, { 231, "ext4_writepage" }, { 232, "ext4_writepages" },
	{ 233, "ext4_writepages_result" }, { 234, "ext4_zero_range" }, { 243, "f2fs_do_submit_bio" },
	{ 244, "f2fs_evict_inode" }, { 245, "f2fs_fallocate" }, { 246, "f2fs_get_data_block" },
	{ 247, "f2fs_get_victim" }, { 248, "f2fs_iget" }, { 249, "f2fs_iget_exit" }, { 250, "f2fs_new_inode" },
	{ 251, "f2fs_readpage" }, { 252, "f2fs_reserve_new_block" }, { 253, "f2fs_set_page_dirty" },
	{ 254, "f2fs_submit_write_page" }, { 257, "f2fs_sync_fs" }, { 258, "f2fs_truncate" },
	{ 259, "f2fs_truncate_blocks_enter" }, { 260, "f2fs_truncate_blocks_exit" },
	{ 261, "f2fs_truncate_data_blocks_range" }, { 262, "f2fs_truncate_inode_blocks_enter" },
	{ 263, "f2fs_truncate_inode_blocks_exit" }, { 264, "f2fs_truncate_node" },
	{ 265, "f2fs_truncate_nodes_enter" }, { 266, "f2fs_truncate_nodes_exit" },
	{ 267, "f2fs_truncate_partial_nodes" }, { 268, "f2fs_unlink_enter" }, { 269, "f2fs_unlink_exit" },
	{ 270, "f2fs_vm_page_mkwrite" }, { 272, "f2fs_write_checkpoint" }, { 274, "alloc_pages_iommu_end" },
	{ 275, "alloc_pages_iommu_fail" }, { 276, "alloc_pages_iommu_start" }, { 277, "alloc_pages_sys_end" },
	{ 278, "alloc_pages_sys_fail" }, { 279, "alloc_pages_sys_start" }, { 280, "dma_alloc_contiguous_retry" },
	{ 281, "iommu_map_range" }, { 282, "iommu_sec_ptbl_map_range_end" },
	{ 283, "iommu_sec_ptbl_map_range_start" }, { 284, "ion_alloc_buffer_end" }, { 285, "ion_alloc_buffer_fail" },
	{ 286, "ion_alloc_buffer_fallback" }, { 287, "ion_alloc_buffer_start" }, { 288, "ion_cp_alloc_retry" },
	{ 289, "ion_cp_secure_buffer_end" }, { 290, "ion_cp_secure_buffer_start" }, { 291, "ion_prefetching" },
	{ 292, "ion_secure_cma_add_to_pool_end" }, { 293, "ion_secure_cma_add_to_pool_start" },
	{ 294, "ion_secure_cma_allocate_end" }, { 295, "ion_secure_cma_allocate_start" },
	{ 296, "ion_secure_cma_shrink_pool_end" }, { 297, "ion_secure_cma_shrink_pool_start" }, { 298, "kfree" },
	{ 299, "kmalloc" }, { 300, "kmalloc_node" }, { 301, "kmem_cache_alloc" }, { 302, "kmem_cache_alloc_node" },
	{ 303, "kmem_cache_free" }, { 304, "migrate_pages_end" }, { 305, "migrate_pages_start" },
	{ 306, "migrate_retry" }, { 307, "mm_page_alloc" }, { 308, "mm_page_alloc_extfrag" },
	{ 309, "mm_page_alloc_zone_locked" }, { 310, "mm_page_free" }, { 311, "mm_page_free_batched" },
	{ 312, "mm_page_pcpu_drain" }, { 316, "fence_init" }, { 317, "fence_destroy" },
	{ 318, "fence_enable_signal" }, { 319, "fence_signaled" }, { 320, "clk_enable" }, { 321, "clk_disable" },
	{ 322, "clk_set_rate" }, { 336, "ion_buffer_create" }, { 337, "ion_buffer_destroy" },
	{ 346, "cpuhp_latency" }, { 354, "sde_sde_evtlog" }, { 355, "sde_sde_perf_calc_crtc" },
	{ 356, "sde_sde_perf_crtc_update" }, { 357, "sde_sde_perf_set_qos_luts" },
	{ 358, "sde_sde_perf_update_bus" }, { 368, "kvm_access_fault" }, { 369, "kvm_ack_irq" },
	{ 370, "kvm_age_hva" }, { 371, "kvm_age_page" }, { 372, "kvm_arm_clear_debug" },
	{ 373, "kvm_arm_set_dreg32" }, { 374, "kvm_arm_set_regset" }, { 375, "kvm_arm_setup_debug" },
	{ 378, "kvm_fpu" }, { 379, "kvm_get_timer_map" }, { 380, "kvm_guest_fault" }, { 381, "kvm_handle_sys_reg" },
	{ 382, "kvm_hvc_arm64" }, { 383, "kvm_irq_line" }, { 384, "kvm_mmio" }, { 385, "kvm_mmio_emulate" },
	{ 386, "kvm_set_guest_debug" }, { 387, "kvm_set_irq" }, { 388, "kvm_set_spte_hva" },
	{ 389, "kvm_set_way_flush" }, { 390, "kvm_sys_access" }, { 391, "kvm_test_age_hva" },
	{ 392, "kvm_timer_emulate" }, { 393, "kvm_timer_hrtimer_expire" }, { 394, "kvm_timer_restore_state" },
	{ 395, "kvm_timer_save_state" }, { 396, "kvm_timer_update_irq" }, { 397, "kvm_toggle_cache" },
	{ 398, "kvm_unmap_hva_range" }, { 399, "kvm_userspace_exit" }, { 400, "kvm_vcpu_wakeup" },
	{ 401, "kvm_wfx_arm64" }, { 402, "trap_reg" }, { 403, "vgic_update_irq_pending" }, { 408, "console" },
	{ 419, "f2fs_iostat" }, { 420, "f2fs_iostat_latency" }, { 422, "v4l2_qbuf" }, { 423, "v4l2_dqbuf" },
	{ 424, "vb2_v4l2_buf_queue" }, { 425, "vb2_v4l2_buf_done" }, { 426, "vb2_v4l2_qbuf" },
	{ 427, "vb2_v4l2_dqbuf" }, { 428, "dsi_cmd_fifo_status" }, { 429, "dsi_rx" }, { 430, "dsi_tx" },
	{ 445, "trusty_smc" }, { 446, "trusty_smc_done" }, { 447, "trusty_std_call32" },
	{ 448, "trusty_std_call32_done" }, { 449, "trusty_share_memory" }, { 450, "trusty_share_memory_done" },
	{ 451, "trusty_reclaim_memory" }, { 452, "trusty_reclaim_memory_done" }, { 453, "trusty_irq" },
	{ 454, "trusty_ipc_handle_event" }, { 455, "trusty_ipc_connect" }, { 456, "trusty_ipc_connect_end" },
	{ 457, "trusty_ipc_write" }, { 458, "trusty_ipc_poll" }, { 460, "trusty_ipc_read" },
	{ 461, "trusty_ipc_read_end" }, { 462, "trusty_ipc_rx" }, { 464, "trusty_enqueue_nop" },
	{ 470, "mali_mali_KCPU_CQS_SET" }, { 471, "mali_mali_KCPU_CQS_WAIT_START" },
	{ 472, "mali_mali_KCPU_CQS_WAIT_END" }, { 473, "mali_mali_KCPU_FENCE_SIGNAL" },
	{ 474, "mali_mali_KCPU_FENCE_WAIT_START" }, { 475, "mali_mali_KCPU_FENCE_WAIT_END" },
	{ 482, "mali_mali_CSF_INTERRUPT_START" }, { 483, "mali_mali_CSF_INTERRUPT_END" },
	{ 487, "sched_switch_with_ctrs" }, { 490, "panel_write_generic" }, { 492, "dpu_dsi_cmd_fifo_status" },
	{ 493, "dpu_dsi_rx" }, { 494, "dpu_dsi_tx" }, { 495, "f2fs_background_gc" }, { 496, "f2fs_gc_begin" },
	{ 497, "f2fs_gc_end" }, { 498, "fastrpc_dma_free" }, { 499, "fastrpc_dma_alloc" },
	{ 500, "fastrpc_dma_unmap" }, { 501, "fastrpc_dma_map" }, { 502, "google_icc_event" },
	{ 503, "google_irm_event" }, { 506, "thermal_exynos_acpm_bulk" },
	{ 507, "thermal_exynos_acpm_high_overhead" }, { 510, "mali_mali_PM_MCU_HCTL_CORES_DOWN_SCALE_NOTIFY_PEND" },
	{ 511, "mali_mali_PM_MCU_HCTL_CORES_NOTIFY_PEND" }, { 512, "mali_mali_PM_MCU_HCTL_CORE_INACTIVE_PEND" },
	{ 513, "mali_mali_PM_MCU_HCTL_MCU_ON_RECHECK" }, { 514, "mali_mali_PM_MCU_HCTL_SHADERS_CORE_OFF_PEND" },
	{ 515, "mali_mali_PM_MCU_HCTL_SHADERS_PEND_OFF" }, { 516, "mali_mali_PM_MCU_HCTL_SHADERS_PEND_ON" },
	{ 517, "mali_mali_PM_MCU_HCTL_SHADERS_READY_OFF" }, { 518, "mali_mali_PM_MCU_IN_SLEEP" },
	{ 519, "mali_mali_PM_MCU_OFF" }, { 520, "mali_mali_PM_MCU_ON" },
	{ 521, "mali_mali_PM_MCU_ON_CORE_ATTR_UPDATE_PEND" }, { 522, "mali_mali_PM_MCU_ON_GLB_REINIT_PEND" },
	{ 523, "mali_mali_PM_MCU_ON_HALT" }, { 524, "mali_mali_PM_MCU_ON_HWCNT_DISABLE" },
	{ 525, "mali_mali_PM_MCU_ON_HWCNT_ENABLE" }, { 526, "mali_mali_PM_MCU_ON_PEND_HALT" },
	{ 527, "mali_mali_PM_MCU_ON_PEND_SLEEP" }, { 528, "mali_mali_PM_MCU_ON_SLEEP_INITIATE" },
	{ 529, "mali_mali_PM_MCU_PEND_OFF" }, { 530, "mali_mali_PM_MCU_PEND_ON_RELOAD" },
	{ 531, "mali_mali_PM_MCU_POWER_DOWN" }, { 532, "mali_mali_PM_MCU_RESET_WAIT" }, { 533, "bcl_irq_trigger" },
	{ 534, "kgsl_adreno_cmdbatch_queued" }, { 535, "kgsl_adreno_cmdbatch_submitted" },
	{ 536, "kgsl_adreno_cmdbatch_sync" }, { 537, "kgsl_adreno_cmdbatch_retired" },
	{ 538, "pixel_mm_kswapd_wake" }, { 539, "pixel_mm_kswapd_done" }, { 540, "sched_wakeup_task_attr" },
	{ 543, "param_set_value_cpm" }, { 544, "do_sys_open" }, { 545, "open_exec" },
	{ 548, "mali_gpu_power_state" }, { 549, "dpu_disp_dpu_underrun" }, { 550, "dpu_disp_vblank_irq_enable" },
	{ 551, "hrtimer_start" }, { 552, "hrtimer_cancel" }, { 555, "timer_start" }, { 556, "timer_cancel" },
	{ 557, "timer_expire_entry" }, { 558, "timer_expire_exit" }, { 561, "dwc3_alloc_request" },
	{ 562, "dwc3_complete_trb" }, { 563, "dwc3_ctrl_req" }, { 564, "dwc3_ep_dequeue" }, { 565, "dwc3_ep_queue" },
	{ 566, "dwc3_event" }, { 567, "dwc3_free_request" }, { 568, "dwc3_gadget_ep_cmd" },
	{ 569, "dwc3_gadget_ep_disable" }, { 570, "dwc3_gadget_ep_enable" }, { 571, "dwc3_gadget_generic_cmd" },
	{ 572, "dwc3_gadget_giveback" }, { 573, "dwc3_prepare_trb" }, { 574, "dwc3_readl" }, { 575, "dwc3_writel" },
	{ 578, "host_ffa_call" }, { 580, "iommu_idmap" }, { 581, "psci_mem_protect" },
	{ 582, "hypervisor_host_hcall" }, { 583, "hypervisor_host_smc" }, { 584, "hypervisor_hyp_exit" },
	{ 585, "hypervisor_iommu_idmap" }, { 586, "hypervisor_psci_mem_protect" },
	{ 587, "hypervisor_host_mem_abort" }, { 588, "hypervisor_hyp_enter" },
	{ 589, "hypervisor_iommu_idmap_complete" }, { 590, "hypervisor_vcpu_illegal_trap" },
	{ 591, "drm_sched_job_add_dep" }, { 595, "drm_sched_job_unschedulable" }, { 596, "fwtp_perfetto_counter" },
	{ 597, "scsi_dispatch_cmd_error" }, { 598, "scsi_dispatch_cmd_timeout" }, { 599, "scsi_eh_wakeup" },
	{ 600, "fwtp_perfetto_slice" }, { 602, "gram_collision" }, { 603, "f2fs_lock_elapsed_time" },
	{ 604, "sched_group_tracker" }, { 605, "dpu_disp_frame_done_timeout" },
	{ 606, "dpu_disp_frame_start_timeout" }, { 609, "dpu_disp_frame_done_missing" },
	{ 610, "dpu_disp_frame_start_missing" }, { 611, "panel_settings_full" }, { 612, "panel_settings_lite" },
	{ 613, "dpu_disp_dpu_line_underrun" }, { 614, "psci_domain_idle_exit" }, { 615, "psci_domain_idle_enter" },
	{ 616, "long_irq" }, { 617, "long_softirq" },
};

static const struct fxt_pf_name track_fields[] = {
	{ 6, "chrome_process" }, { 7, "chrome_thread" }, { 9, "disallow_merging_with_system_tracks" },
	{ 11, "child_ordering" }, { 12, "sibling_order_rank" }, { 15, "sibling_merge_behavior" },
	{ 16, "sibling_merge_key" }, { 17, "sibling_merge_key_int" }, { 18, "state" }, { 19, "process_ordering" },
	{ 20, "thread_ordering" },
};

static const struct fxt_pf_name event_fields[] = {
	{ 2, "thread_time_delta_us" }, { 5, "task_execution" }, { 8, "thread_instruction_count_delta" },
	{ 17, "thread_time_absolute_us" }, { 20, "thread_instruction_count_absolute" }, { 24, "cc_scheduler_state" },
	{ 25, "chrome_user_event" }, { 26, "chrome_keyed_service" }, { 27, "chrome_legacy_ipc" },
	{ 28, "chrome_histogram_sample" }, { 29, "chrome_latency_info" }, { 32, "chrome_frame_reporter" },
	{ 33, "source_location" }, { 34, "source_location_iid" }, { 35, "chrome_message_pump" },
	{ 38, "chrome_mojo_event_info" }, { 39, "chrome_application_state_info" },
	{ 40, "chrome_renderer_scheduler_state" }, { 41, "chrome_window_handle_event_info" },
	{ 43, "chrome_content_settings_event_info" }, { 49, "chrome_active_processes" }, { 50, "screenshot" },
	{ 52, "correlation_id" }, { 53, "correlation_id_str" }, { 54, "correlation_id_str_iid" },
	{ 55, "callstack" },
};

static const struct fxt_pf_name legacy_fields[] = {
	{ 4, "thread_duration_us" }, { 7, "id_scope" }, { 9, "use_async_tts" }, { 15, "thread_instruction_delta" },
};

static const struct fxt_pf_name system_fields[] = {
	{ 2, "android_build_fingerprint" }, { 3, "hz" }, { 5, "android_sdk_version" }, { 6, "page_size" },
	{ 7, "timezone_off_mins" }, { 9, "android_soc_model" }, { 10, "android_hardware_revision" },
	{ 11, "android_storage_model" }, { 12, "android_ram_model" }, { 13, "android_guest_soc_model" },
	{ 14, "android_device_manufacturer" }, { 15, "android_serial_console" },
};

static const struct fxt_pf_name tree_process_fields[] = {
	{ 5, "uid" }, { 7, "process_start_from_boot" }, { 8, "is_kthread" },
};

static const struct fxt_pf_name tree_thread_fields[] = {
	{ 4, "nstid" },
};

static const struct fxt_pf_name process_fields[] = {
	{ 3, "legacy_sort_index" }, { 4, "chrome_process_type" }, { 5, "process_priority" },
	{ 7, "start_timestamp_ns" }, { 8, "process_labels" },
};

static const struct fxt_pf_name thread_fields[] = {
	{ 3, "legacy_sort_index" }, { 4, "chrome_thread_type" }, { 7, "reference_thread_time_us" },
	{ 8, "reference_thread_instruction_count" },
};

static const struct fxt_pf_name bundle_fields[] = {
	{ 8, "error" }, { 9, NULL }, { 10, NULL }, { 11, NULL }, { 512, "broken_abi_trace_page" },
};

static const struct fxt_pf_name sys_fields[] = {
	{ 1, "meminfo" }, { 2, "vmstat" }, { 3, "cpu_stat" }, { 4, "num_forks" }, { 5, "num_irq_total" },
	{ 6, "num_irq" }, { 7, "num_softirq_total" }, { 8, "num_softirq" }, { 10, "devfreq" }, { 11, "cpufreq_khz" },
	{ 12, "buddy_info" }, { 13, "disk_stat" }, { 14, "psi" }, { 15, "thermal_zone" }, { 16, "cpuidle_state" },
	{ 17, "gpufreq_mhz" }, { 18, "slab_info" },
};

static const struct fxt_pf_name process_statistics[] = {
	{ 11, "threads" }, { 12, "is_peak_rss_resettable" }, { 13, "chrome_private_footprint_kb" },
	{ 14, "chrome_peak_resident_set_kb" }, { 15, "fds" }, { 16, "smr_rss_kb" }, { 17, "smr_pss_kb" },
	{ 18, "smr_pss_anon_kb" }, { 19, "smr_pss_file_kb" }, { 20, "smr_pss_shmem_kb" }, { 21, "runtime_user_mode" },
	{ 22, "runtime_kernel_mode" }, { 23, "smr_swap_pss_kb" }, { 24, "dmabuf_rss_kb" },
};

static const struct {
	const char *format;
	const struct fxt_pf_name *names;
	size_t count;
} messages[] = {
#define MESSAGE(format, names)	{ format, names, sizeof(names) / sizeof(*(names)) }
	[FXT_PF_UNREAD_PACKET] = MESSAGE("packets with %s", packet_fields),
	[FXT_PF_UNREAD_FTRACE] = MESSAGE("ftrace events %s", ftrace_fields),
	[FXT_PF_UNREAD_BUNDLE] = MESSAGE("ftrace bundles with %s", bundle_fields),
	[FXT_PF_UNREAD_TRACK] = MESSAGE("descriptors of tracks with %s", track_fields),
	[FXT_PF_UNREAD_PROCESS] = MESSAGE("descriptors of processes with %s", process_fields),
	[FXT_PF_UNREAD_THREAD] = MESSAGE("descriptors of threads with %s", thread_fields),
	[FXT_PF_UNREAD_EVENT] = MESSAGE("track events with %s", event_fields),
	[FXT_PF_UNREAD_LEGACY] = MESSAGE("track events of the older form with %s", legacy_fields),
	[FXT_PF_UNREAD_SYSTEM] = MESSAGE("descriptions of the system with %s", system_fields),
	[FXT_PF_UNREAD_SYS_STATS] = MESSAGE("statistics of the system: %s", sys_fields),
	[FXT_PF_UNREAD_PROCESS_STATS] = MESSAGE("statistics of a process: %s", process_statistics),
	[FXT_PF_UNREAD_TREE_PROCESS] = MESSAGE("process trees with a process's %s", tree_process_fields),
	[FXT_PF_UNREAD_TREE_THREAD] = MESSAGE("process trees with a thread's %s", tree_thread_fields),
#undef MESSAGE
};

bool fxt_pf_unread_field(struct fxt_conversion *c, enum fxt_pf_unread message, __u32 field)
{
	size_t i;

	for (i = 0; i < messages[message].count; i++)
		if (messages[message].names[i].field == field) {
			if (messages[message].names[i].name)
				fxt_skip_named(c, messages[message].format, messages[message].names[i].name, 1);
			return true;
		}
	return false;
}

void fxt_pf_unread(struct fxt_conversion *c, enum fxt_pf_unread message, const ProtobufCMessage *m)
{
	unsigned int i;

	for (i = 0; m && i < m->n_unknown_fields; i++)
		if (!fxt_pf_unread_field(c, message, m->unknown_fields[i].tag))
			fxt_skip_number(c, message == FXT_PF_UNREAD_EVENT ? "typed fields of track events, such as field %u" :
					"descriptions with field %u", m->unknown_fields[i].tag, 1);
}
