# SPDX-License-Identifier: GPL-2.0-only
# Runs stress tests in virtual machines: make check-stress STRESS_SECONDS=300 STRESS_KERNELS="6.12 kasan".

STRESS_SECONDS ?= 300
STRESS_KERNELS ?= 6.12 kasan

.PHONY: check-stress
check-stress: check-deps
	$(Q)$(MAKE) --no-print-directory user tests debug-kernel DEBUG_KERNELS="$(filter kasan kcsan,$(STRESS_KERNELS))"
	$(Q)$(MAKE) --no-print-directory guest-modules KERNELS="$(filter-out kasan kcsan,$(STRESS_KERNELS))"
	STRESS_SECONDS=$(STRESS_SECONDS) STRESS_KERNELS="$(STRESS_KERNELS)" \
		$(PROVE) -v tests/stress/stress.t
