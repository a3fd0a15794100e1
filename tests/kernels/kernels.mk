# SPDX-License-Identifier: GPL-2.0-only
# All of Debian's kernels: make check-kernels MATRIX="6.1 6.1-rt 6.12 6.12-rt sid sid-rt".

MATRIX ?= 6.1 6.1-rt 6.12 6.12-rt sid sid-rt

.PHONY: check-kernels
check-kernels: check-deps
	scripts/deps kernels
	$(Q)$(MAKE) --no-print-directory user tests
	$(Q)for k in $(MATRIX); do \
		scripts/kernel-get $$k && \
		$(MAKE) --no-print-directory kmod KDIR=$(CURDIR)/$$(cat $(BUILD)/kernels/$$k/kdir) || exit 1; \
	done
	MATRIX="$(MATRIX)" prove --timer $(PROVE_FLAGS) tests/kernels/matrix.t
