# SPDX-License-Identifier: GPL-2.0-only
# fxtrec for arm64, built here and run in guests: make arm64, make check-arm64.

ARM64_KERNELS ?= 6.1 6.12 6.12-16k 64k
ARM64_CC = aarch64-linux-gnu-gcc --sysroot=$(CURDIR)/$(BUILD)/arm64-root
ARM64 = BUILD=$(BUILD)/arm64 CC="$(ARM64_CC)"

.PHONY: arm64 arm64-bench check-arm64
arm64:
	scripts/deps arm64
	scripts/arm64-root
	$(Q)$(MAKE) --no-print-directory user guest-programs $(ARM64)
	$(Q)for k in $(ARM64_KERNELS); do \
		scripts/kernel-get $$k-arm64 && \
		$(MAKE) --no-print-directory kmod KDIR=$(CURDIR)/$$(cat $(BUILD)/kernels/$$k-arm64/kdir) $(ARM64) || \
		exit 1; \
	done

# Builds the programs of "KERNEL=6.1-arm64 make bench-path".
arm64-bench: arm64
	$(Q)$(MAKE) --no-print-directory $(BUILD)/arm64/bench/peer $(BUILD)/arm64/bench/pingpong $(ARM64)

# The tool of this machine judges the recordings of the guests' tools.
check-arm64: check-deps arm64 $(BUILD)/arm64/tests/compat32
	$(Q)$(MAKE) --no-print-directory user unit-programs $(ARM64)
	$(Q)$(MAKE) --no-print-directory user tests
	KERNELS="$(ARM64_KERNELS)" $(PROVE) tests/arm64

# A program for that architecture's 32-bit mode.
$(BUILD)/arm64/tests/compat32: tests/arm64/compat.c tests/arm64/arm64.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)arm-linux-gnueabihf-gcc -O2 -Wall -Wextra -ffreestanding -fno-stack-protector -nostdlib -static -no-pie -o $@ $<
