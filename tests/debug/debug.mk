# SPDX-License-Identifier: GPL-2.0-only
# Kernels that check themselves: make debug-kernel builds them, check-debug and check-hostile use them.

DEBUG_KERNELS    := kasan kcsan
HOSTILE_SECONDS  ?= 600
HOSTILE_CALLS    ?= 1000000
HOSTILE_KERNELS  ?= kasan

.PHONY: debug-kernel check-debug check-hostile
debug-kernel:
	scripts/deps debug
	$(Q)for k in $(DEBUG_KERNELS); do \
		scripts/debug-kernel $$k && \
		$(MAKE) --no-print-directory kmod KDIR=$(CURDIR)/$$(cat $(BUILD)/kernels/$$k/kdir) || exit 1; \
	done

check-debug: check-deps debug-kernel
	$(Q)$(MAKE) --no-print-directory user tests
	$(PROVE) -j2 $(DEBUG_KERNELS:%=tests/debug/%.t)

check-hostile: check-deps debug-kernel
	$(Q)$(MAKE) --no-print-directory user tests
	HOSTILE_SECONDS=$(HOSTILE_SECONDS) HOSTILE_CALLS=$(HOSTILE_CALLS) \
		HOSTILE_KERNELS="$(HOSTILE_KERNELS)" $(PROVE) -v tests/debug/hostile.t

$(BUILD)/tests/hostile: $(wildcard tests/hostile/*.c) tests/hostile/hostile.h include/uapi/fxtrec.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -D_GNU_SOURCE -O2 $(WARNINGS) -Iinclude -o $@ $(filter %.c,$^) -lpthread

tests: $(BUILD)/tests/hostile
