# SPDX-License-Identifier: GPL-2.0-only
# Runs all tests with the whole tool under the sanitizers; and every command under valgrind.

SANITIZE := $(BUILD)/sanitize

.PHONY: check-sanitize check-valgrind
# The sanitized tool is beside the plain one, where it finds the module.
check-sanitize:
	$(Q)scripts/deps kernels
	$(Q)$(MAKE) --no-print-directory user lib tests fuzz-build
	$(Q)$(MAKE) --no-print-directory CHECK=all guest-modules
	$(Q)mkdir -p $(SANITIZE)
	$(Q)$(MAKE) --no-print-directory BUILD=$(SANITIZE) HARDEN=-fPIE LDFLAGS=-fsanitize=address,undefined \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' user
	$(Q)install $(SANITIZE)/fxtrec-larger $(BUILD)/fxtrec-sanitized
	FXTREC=$(CURDIR)/$(BUILD)/fxtrec-sanitized $(SIDE_BY_SIDE) $(SANITIZE_TESTS)

SANITIZE_TESTS ?= $(filter-out tests/vm-6.1.t tests/hardening.t tests/fuzz.t tests/lint.t tests/readme.t tests/kmod-build.t,$(sort $(wildcard tests/*.t)))

check-valgrind: check-deps
	$(Q)$(MAKE) --no-print-directory user
	$(PROVE) tests/valgrind/valgrind.t
