# SPDX-License-Identifier: GPL-2.0-only
# Fuzzes with libFuzzer, with a target for each reader: make fuzz FUZZ_SECONDS=600, or fuzz-NAME for one.

FUZZ_FORMATS := fxt ftrace html json perfetto perf tracecmd ctf
FUZZ_SECONDS ?= 60
# Code of the tables' rows, without SQLite.
FUZZ_QUERY   := events.c others.c others_put.c scan.c sched.c slice.c state.c threads.c wakes.c
FUZZ_SOURCES := $(filter-out $(filter-out $(SOURCES),$(wildcard user/formats/*/*.c)), \
		$(wildcard $(addprefix user/,store/*.c util/*.c files/*.c child/*.c kernel/*.c patience/*.c codec/*.c codec/check/*.c model/*.c analyze/*.c analyze/*/*.c show/*.c show/*/*.c \
		stream/*.c stages/*.c convert/*.c feed/*.c formats/*/*.c formats/*/*/*.c $(addprefix query/,$(FUZZ_QUERY)))))
FUZZ_OBJECTS := $(patsubst %.c,$(BUILD)/fuzz/%.o,$(FUZZ_SOURCES)) $(BUILD)/fuzz/perfetto.pb-c.o
# Objects without the child process: the fuzzers' own serves many inputs.
FUZZ_CHILDLESS := $(filter-out %/child/child.o,$(FUZZ_OBJECTS))
FUZZ_CFLAGS   = -std=gnu11 -D_GNU_SOURCE -DFXT_VERSION='"$(VERSION)"' -Iinclude -Iuser \
		-I$(BUILD) $(if $(TRACECMD),$(TRACECMD_CFLAGS)) -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
		-fno-sanitize-recover=all -MMD -MP

.PHONY: fuzz fuzz-build $(FUZZ_FORMATS:%=fuzz-%)
fuzz: $(FUZZ_FORMATS:%=fuzz-%)
fuzz-build: $(FUZZ_FORMATS:%=$(BUILD)/fuzz/fuzz-%)

# New inputs go below build/; a finding stops the fuzzer and stays there.
$(FUZZ_FORMATS:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/fuzz-%
	$(Q)mkdir -p $(BUILD)/fuzz/corpus-$*
	$(BUILD)/fuzz/fuzz-$* -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=10 \
		-rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix=$(BUILD)/fuzz/$*- $(BUILD)/fuzz/corpus-$* tests/fuzz/corpus/$*

$(FUZZ_OBJECTS): $(BUILD)/perfetto.pb-c.h $(BUILD)/syscalls.h

$(BUILD)/fuzz/perfetto.pb-c.o: $(BUILD)/perfetto.pb-c.c
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -c -o $@ $<

$(BUILD)/fuzz/%.o: %.c Makefile tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -c -o $@ $<

$(FUZZ_FORMATS:%=$(BUILD)/fuzz/fuzz-%): $(BUILD)/fuzz/fuzz-%: tests/fuzz/fuzz.c tests/fuzz/analyses.c tests/fuzz/passes.c tests/fuzz/child.c $(FUZZ_CHILDLESS)
	$(call say,LINK)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -DFORMAT=fxt_format_$* \
		$(if $(filter ctf,$*),-DFUZZ_FOLDER) -o $@ $^ \
		$(filter-out -lbpf -lelf,$(USER_LIBS))

-include $(FUZZ_OBJECTS:.o=.d)

# Searches for the input with the greatest cost per byte (tests/cost): prints each new maximum, and keeps it.
COST_FUZZ_OBJECTS := $(FUZZ_CHILDLESS:$(BUILD)/fuzz/%=$(BUILD)/fuzz-cost/%)
COST_FUZZ_CFLAGS   = $(filter-out -fsanitize=% -fno-sanitize-recover=%,$(FUZZ_CFLAGS)) -Itests/cost

.PHONY: fuzz-cost $(FUZZ_FORMATS:%=fuzz-cost-%)
fuzz-cost: $(FUZZ_FORMATS:%=fuzz-cost-%)

$(FUZZ_FORMATS:%=fuzz-cost-%): fuzz-cost-%: $(BUILD)/fuzz-cost/fuzz-%
	$(Q)mkdir -p $(BUILD)/fuzz-cost/corpus-$*
	COST_WORST=$(BUILD)/fuzz-cost/worst-$* $(BUILD)/fuzz-cost/fuzz-$* -max_total_time=$(FUZZ_SECONDS) \
		-max_len=65536 -len_control=20 -timeout=100 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix=$(BUILD)/fuzz-cost/$*- $(BUILD)/fuzz-cost/corpus-$* tests/fuzz/corpus/$*

$(COST_FUZZ_OBJECTS): $(BUILD)/perfetto.pb-c.h $(BUILD)/syscalls.h

$(BUILD)/fuzz-cost/perfetto.pb-c.o: $(BUILD)/perfetto.pb-c.c
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(COST_FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -fsanitize-coverage=trace-pc -c -o $@ $<

$(BUILD)/fuzz-cost/%.o: %.c Makefile tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CLANG) $(COST_FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -fsanitize-coverage=trace-pc -c -o $@ $<

$(FUZZ_FORMATS:%=$(BUILD)/fuzz-cost/fuzz-%): $(BUILD)/fuzz-cost/fuzz-%: tests/fuzz/fuzz.c tests/fuzz/fuzz-cost.c \
		tests/fuzz/analyses.c tests/fuzz/passes.c tests/fuzz/child.c tests/cost/cost.c $(COST_FUZZ_OBJECTS)
	$(call say,LINK)
	$(Q)$(CLANG) $(COST_FUZZ_CFLAGS) -DFORMAT=fxt_format_$* -DLLVMFuzzerTestOneInput=fuzz_one -c \
		-o $@.target.o tests/fuzz/fuzz.c
	$(Q)$(CLANG) $(COST_FUZZ_CFLAGS) -fno-builtin -fsanitize=fuzzer $(COST_LDFLAGS) \
		$(if $(filter ctf,$*),-DFUZZ_FOLDER) -o $@ $@.target.o $(filter-out tests/fuzz/fuzz.c,$(filter %.c,$^)) \
		$(COST_FUZZ_OBJECTS) \
		$(filter-out -lbpf -lelf,$(USER_LIBS))

-include $(COST_FUZZ_OBJECTS:.o=.d)
