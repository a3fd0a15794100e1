# SPDX-License-Identifier: GPL-2.0-only
# The tests: C programs and scripts that print TAP, run by prove.

KERNELS := 6.1 6.12
UNIT    := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
# Tests of check-all that check leaves out.
LONGER  := $(filter-out tests/vm-6.%,$(sort $(wildcard tests/vm-*.t))) \
	   $(patsubst %,tests/%.t,analyze-growth convert-growth convert-limits convert-strings kmod-build mcp-client model native-contention native-crowd native-disk native-runtimes native-strace outputs packages-sid)
# The longest tests start first, so that none runs alone at the end; the shortest end the run.
FIRST    = $(if $(filter all,$(CHECK)),$(LONGER)) $(patsubst %,tests/%.t,vm-6.12 vm-6.1 page-timeline open read-perf)
TESTS    = $(FIRST) $(filter-out $(FIRST) $(LONGER),$(sort $(wildcard tests/*.t))) $(UNIT)
# Tests of check that need neither a virtual machine nor root.
QUICK   := $(UNIT) tests/readme.t tests/cli.t tests/complete.t tests/library.t tests/hardening.t tests/cut.t tests/oracle.t tests/query.t tests/flame.t tests/mcp.t \
	   $(filter-out tests/convert-split.t $(LONGER),$(sort $(wildcard tests/convert-*.t tests/analyze*.t) tests/top.t))

# The decoder and the code that uses it, built again with the sanitizers.
UNIT_CFLAGS  = -std=gnu11 -D_GNU_SOURCE -DFXT_VERSION='"$(VERSION)"' -Iinclude -Iuser -Itests/unit -I$(BUILD) \
	       $(if $(TRACECMD),$(TRACECMD_CFLAGS)) $(WARNINGS) -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -MMD -MP

# Parts of the recorder that need no kernel.
UNIT_RECORD  := describe/cgroup describe/emit describe/late describe/names describe/proc describe/quota describe/shares flight/thin live/queue \
		output/block_file output/output output/writer record/workload select/filter select/glob \
		page/order page/ranks source/clock source/kernel_btf source/ring_copy source/ring_state source/stretch
UNIT_SOURCES := $(filter $(SOURCES),$(wildcard $(addprefix user/,store/*.c util/*.c files/*.c child/*.c kernel/*.c patience/*.c codec/*.c codec/check/*.c model/*.c \
		analyze/*.c analyze/*/*.c show/*.c show/*/*.c stream/*.c stages/*.c convert/*.c feed/*.c formats/*/*.c formats/*/*/*.c marks/*.c))) $(wildcard user/lib/*.c) $(UNIT_RECORD:%=user/%.c) \
		$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)) $(FUZZ_QUERY:%=user/query/%)
UNIT_OBJECTS := $(patsubst %.c,$(BUILD)/tests/%.o,$(UNIT_SOURCES)) $(BUILD)/perfetto.pb-c.o
REPLAY  := $(FUZZ_FORMATS:%=$(BUILD)/tests/replay-%)
REPLAY_OBJECTS := $(BUILD)/tests/tests/fuzz/analyses.o $(BUILD)/tests/tests/fuzz/passes.o

# Names each skipped test, with the reason, in place.
PROVE = prove --exec tests/lib/apart --timer --directives $(PROVE_FLAGS)

# Five tests at a time, except for those that take turns.
SIDE_BY_SIDE = HARNESS_RULESFILE=tests/side-by-side.yml $(PROVE) -j5

# Failures with their reasons, printed after prove's summary.
TAP_FAILED := $(CURDIR)/$(BUILD)/tests/failed

# Builds all parts at once, as "make -j" does: a rule that lacks a prerequisite fails.
.PHONY: check-all check-quick
check check-all: check-deps
	$(Q)$(MAKE) --no-print-directory -j4 user lib man tests $(if $(filter all,$(CHECK)),fuzz-build) guest-modules
	$(Q)rm -f $(TAP_FAILED)
	TAP_FAILED=$(TAP_FAILED) $(SIDE_BY_SIDE) $(TESTS) || { cat $(TAP_FAILED) 2>/dev/null; exit 1; }

# Runs check with more rounds, events, seconds and kernels (Documentation/testing.rst).
check-all: export CHECK = all
ifeq ($(CHECK),all)
KERNELS += $(filter-out $(KERNELS),sid)
endif

check-quick: check-deps
	$(Q)$(MAKE) --no-print-directory -j4 user lib man tests
	$(Q)rm -f $(TAP_FAILED)
	TAP_FAILED=$(TAP_FAILED) $(PROVE) -j"$$(nproc)" $(QUICK) || { cat $(TAP_FAILED) 2>/dev/null; exit 1; }

# Builds the module for each kernel that virtual machines boot.
.PHONY: guest-modules $(KERNELS:%=guest-module-%)
guest-modules: $(KERNELS:%=guest-module-%)
$(KERNELS:%=guest-module-%): guest-module-%:
	$(Q)scripts/kernel-get $*
	$(Q)$(MAKE) --no-print-directory kmod KDIR=$(CURDIR)/$$(cat $(BUILD)/kernels/$*/kdir)

# Records the outputs of all commands over the corpus, where a change of one is deliberate (Documentation/testing.rst).
.PHONY: outputs
outputs: check-deps user
	tests/outputs.t --record

# Parts of check: privileges; the accounting, with more guests; a power failure.
.PHONY: check-privilege check-accounting check-power
check-privilege: PART = tests/hardening.t tests/native-privilege.t tests/native-strangers.t \
			tests/native-mishaps.t tests/vm-lockdown.t
check-accounting: PART = tests/vm-accounting.t
check-accounting: export GUESTS := $(or $(GUESTS),4)
check-power: PART = tests/vm-power.t
check-privilege check-accounting check-power: check-deps
	$(Q)$(MAKE) --no-print-directory user tests guest-modules
	$(PROVE) -v $(PART)

# Records on this machine for an hour, or SOAK_SECONDS.
SOAK_SECONDS ?= 3600
.PHONY: check-soak
check-soak: check-deps user
	python3 tests/soak/soak.py --seconds=$(SOAK_SECONDS)

# Records for a minute each: one process, all processes, rotating, and snapshots, beside 30,000 threads and other users'
# programs (tests/soak/crowd.py); prints figures, and fails where one is over its bound.  More than 32,768 threads in total
# need a greater kernel.pid_max.
.PHONY: check-crowd
check-crowd: check-deps user tests
	python3 tests/soak/crowd.py

# Runs a flight recorder beside a million short processes and 100,000 control groups: half an hour to an hour.
.PHONY: check-churn
check-churn: check-deps user tests
	python3 tests/soak/churn.py

.PHONY: check-deps tests
check-deps:
	scripts/deps $(if $(filter all,$(CHECK)),kernels,check)

# Programs that scripts run.
PROGRAMS := $(addprefix $(BUILD)/tests/,forks dying sleeps compat lend renamed crowd renames causes spins calls sharers waits locks edges mapped)
# With a log (tests/lib/waitlog.h).
WAITING  := $(addprefix $(BUILD)/tests/,waits locks edges)

.PHONY: guest-programs unit-programs
guest-programs: $(filter-out $(if $(filter x86,$(ARCH)),,%/compat),$(PROGRAMS))
unit-programs: $(UNIT)
# An object that only the fuzzers link: it replaces child/child.c, and has to fit its header.
FUZZ_CHILD := $(BUILD)/tests/tests/fuzz/child.o
tests: $(UNIT) $(REPLAY) $(FUZZ_CHILD) $(PROGRAMS) $(BUILD)/tests/disk.so $(BUILD)/tests/spinread.so $(BUILD)/tests/tmpfile.so $(BUILD)/tests/scx.bpf.o $(BUILD)/cost/fxtrec

$(BUILD)/tests/%.o: %.c Makefile tests/tests.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(UNIT_CFLAGS) -c -o $@ $<

$(UNIT_OBJECTS) $(REPLAY_OBJECTS): $(BUILD)/perfetto.pb-c.h $(BUILD)/syscalls.h

# The archive of all objects: a program links the members that it uses.
$(BUILD)/tests/unit.a: $(UNIT_OBJECTS)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# A scheduler for a guest's kernel during a test.
$(BUILD)/tests/scx.bpf.o: tests/lib/scx.bpf.c tests/tests.mk
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c -o $@ $<
-include $(BUILD)/tests/scx.bpf.d

$(UNIT): $(BUILD)/tests/unit/%: $(BUILD)/tests/tests/unit/%.o $(BUILD)/tests/unit.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) -fsanitize=address,undefined -o $@ $^ $(USER_LIBS) -lcmocka

# Runs the fuzzers' corpora with the unit tests' objects, without a fuzzer; ctf and tracecmd read in a child each time.
$(REPLAY): $(BUILD)/tests/replay-%: tests/fuzz/fuzz.c tests/fuzz/replay.c $(REPLAY_OBJECTS) $(BUILD)/tests/unit.a
	$(call say,LINK)
	$(Q)$(CC) $(filter-out -MMD -MP,$(UNIT_CFLAGS)) -DFORMAT=fxt_format_$* \
		$(if $(filter ctf tracecmd,$*),-DCHOICES=2) -o $@ $^ $(filter-out -lbpf -lelf,$(USER_LIBS))

.SECONDARY: $(patsubst tests/unit/%.c,$(BUILD)/tests/tests/unit/%.o,$(wildcard tests/unit/test_*.c))
-include $(UNIT_OBJECTS:.o=.d) $(REPLAY_OBJECTS:.o=.d) $(FUZZ_CHILD:.o=.d) $(UNIT:$(BUILD)/tests/unit/%=$(BUILD)/tests/tests/unit/%.d)

$(filter-out $(WAITING),$(PROGRAMS)): $(BUILD)/tests/%: tests/lib/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -O2 $(WARNINGS) -o $@ $< -lpthread

$(WAITING): $(BUILD)/tests/%: tests/lib/%.c tests/lib/waitlog.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -D_GNU_SOURCE -O2 $(WARNINGS) -o $@ $<

# Where there is a C library of 32 bits (libc6-dev-i386, lib32gcc-12-dev); gcc-multilib can't be beside cross compilers.
WAITS32 := $(if $(and $(filter x86,$(ARCH)),$(wildcard /usr/lib32/crt1.o)),$(BUILD)/tests/waits32 $(BUILD)/tests/locks32)
tests guest-programs: $(WAITS32)
$(WAITS32): $(BUILD)/tests/%32: tests/lib/%.c tests/lib/waitlog.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -m32 -idirafter /usr/include/x86_64-linux-gnu -D_GNU_SOURCE -O2 $(WARNINGS) -o $@ $<

$(BUILD)/tests/disk.so $(BUILD)/tests/spinread.so $(BUILD)/tests/tmpfile.so: $(BUILD)/tests/%.so: tests/lib/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -O2 $(WARNINGS) -shared -fPIC -o $@ $<
