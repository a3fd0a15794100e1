# SPDX-License-Identifier: GPL-2.0-only
# Runs benchmarks: make bench, or a part by its name; tests/bench/deps installs their packages.

BENCH_PARTS  := cost events filter native size loss scale cpus drain convert foreign analyze
BENCH_KERNEL := 6.1
BENCH_FLAGS  ?=

.PHONY: bench bench-deps bench-programs bench-kmod $(BENCH_PARTS:%=bench-%)

# Runs all parts, then prints one table on standard output and in tests/bench/results.md.
bench: bench-programs bench-kmod
	$(Q)tests/bench/bench $(BENCH_FLAGS)

$(BENCH_PARTS:%=bench-%): bench-programs
	$(Q)tests/bench/bench $(BENCH_FLAGS) $(@:bench-%=%)

bench-cost bench-events bench-filter bench-loss bench-scale bench-cpus: bench-kmod

# Shows the module's and eBPF's costs by instruction; not a part of the table.
.PHONY: bench-path
bench-cost bench-path: $(if $(filter %-arm64,$(KERNEL)),arm64-bench)
bench-path: bench-programs bench-kmod
	$(Q)python3 tests/bench/path.py

# Shows how often gate is wrong; half an hour or more, so not a part of the table.
.PHONY: bench-gate
bench-gate: user
	$(Q)for part in slower crowd aa; do tests/bench/gate.py $$part || exit 1; done

bench-deps:
	$(Q)tests/bench/deps

bench-foreign: $(BUILD)/bench/readdat

bench-programs: bench-deps
	$(Q)$(MAKE) --no-print-directory $(BUILD)/fxtrec $(BUILD)/bench/fxtrec \
		$(BUILD)/bench/peer $(BUILD)/bench/pingpong

# The module for the guests' kernel.
bench-kmod: bench-deps
	$(Q)scripts/kernel-get $(BENCH_KERNEL)
	$(Q)$(MAKE) --no-print-directory kmod KDIR=$$(cat $(BUILD)/kernels/$(BENCH_KERNEL)/kdir)

$(BUILD)/bench/peer.bpf.o: tests/bench/peer/peer.bpf.c tests/bench/bench.mk
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c -o $@ $<

$(BUILD)/bench/peer.skel.h: $(BUILD)/bench/peer.bpf.o
	$(call say,SKEL)
	$(Q)$(BPFTOOL) gen skeleton $< name peer_bpf > $@

$(BUILD)/bench/peer: tests/bench/peer/peer.c $(BUILD)/bench/peer.skel.h
	$(call say,LINK)
	$(Q)$(CC) $(USER_CFLAGS) $(USER_LDFLAGS) -o $@ $< $(USER_LIBS)

-include $(BUILD)/bench/peer.bpf.d

$(BUILD)/bench/pingpong: tests/bench/peer/pingpong.c
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(USER_CFLAGS) $(USER_LDFLAGS) -o $@ $<

# bench-deps installs its libraries, perhaps after this make started.
$(BUILD)/bench/readdat: tests/bench/peer/readdat.c | bench-deps
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(USER_CFLAGS) $(USER_LDFLAGS) -o $@ $< -ltracecmd -ltracefs -ltraceevent

# The tool with synthetic CPUs instead of the module.
MADEUP_OBJECTS := $(BUILD)/bench/madeup.o $(filter-out $(BUILD)/user/source/kmod.o,$(USER_OBJECTS))
$(BUILD)/bench/madeup.o: tests/bench/madeup/source.c tests/bench/bench.mk Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(USER_CFLAGS) -c -o $@ $<

$(BUILD)/bench/fxtrec: $(MADEUP_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(USER_LDFLAGS) -o $@ $^ $(USER_LIBS)

-include $(BUILD)/bench/madeup.d
