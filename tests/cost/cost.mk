# SPDX-License-Identifier: GPL-2.0-only
# Builds the tool again, with counters in its conversions and in the analyses' model of the machine
# (tests/convert-growth.t, tests/analyze-growth.t).

COST_FOLDERS := util select codec codec/check model stream stages convert feed formats/fxt formats/ftrace formats/json \
		formats/perf formats/perfetto formats/tracepoint analyze analyze/machine analyze/statistics analyze/path \
		show page query
COST_SOURCES := $(filter $(SOURCES),$(wildcard $(COST_FOLDERS:%=user/%/*.c)))
COST_OBJECTS := $(COST_SOURCES:%.c=$(BUILD)/cost/%.o)
COST_CFLAGS   = -std=gnu11 -D_GNU_SOURCE -DFXT_VERSION='"$(VERSION)"' -Iinclude -Iuser -I$(BUILD) \
		$(WARNINGS) -O1 -g -MMD -MP
COST_WRAPPED := __sanitizer_cov_trace_pc memcpy memmove memset memcmp memchr memrchr memmem strlen strchr strcmp calloc realloc
COST_LDFLAGS := $(COST_WRAPPED:%=-Wl,--wrap=%)

.PHONY: cost
cost: $(BUILD)/cost/fxtrec

$(COST_OBJECTS): $(BUILD)/perfetto.pb-c.h

$(BUILD)/cost/%.o: %.c Makefile tests/cost/cost.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(COST_CFLAGS) -fsanitize-coverage=trace-pc -c -o $@ $<

$(BUILD)/cost/perfetto.pb-c.o: $(BUILD)/perfetto.pb-c.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(COST_CFLAGS) -fsanitize-coverage=trace-pc -c -o $@ $<

$(BUILD)/cost/cost.o: tests/cost/cost.c tests/cost/cost.h Makefile tests/cost/cost.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(COST_CFLAGS) -fno-builtin -c -o $@ $<

# Other objects are the tool's.
$(BUILD)/cost/fxtrec: $(COST_OBJECTS) $(BUILD)/cost/cost.o $(BUILD)/cost/perfetto.pb-c.o \
		$(filter-out $(COST_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/perfetto.pb-c.o,$(USER_OBJECTS))
	$(call say,LINK)
	$(Q)$(CC) $(COST_LDFLAGS) -o $@ $^ $(USER_LIBS)

-include $(COST_OBJECTS:.o=.d)
