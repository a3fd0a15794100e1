# SPDX-License-Identifier: GPL-2.0-only
# All of Debian's kernels: make check-kernels MATRIX="6.1 6.1-rt 6.12 6.12-rt sid sid-rt".

MATRIX ?= 6.1 6.1-rt 6.12 6.12-rt sid sid-rt

.PHONY: check-kernels
check-kernels: check-deps
	scripts/deps kernels
	$(Q)$(MAKE) --no-print-directory -j1 user tests guest-modules KERNELS="$(MATRIX)"
	MATRIX="$(MATRIX)" $(PROVE) tests/kernels/matrix.t
