# SPDX-License-Identifier: GPL-2.0-only
# Static analysis: lint is what check runs, lint-full has clang-tidy and checkpatch, too.

.PHONY: lint lint-full lint-needs
lint-needs: $(BUILD)/fxtrec.skel.h $(BUILD)/fxtrec_plain.skel.h $(BUILD)/perfetto.pb-c.h
	scripts/deps check
	scripts/kernel-get 6.12

lint: lint-needs
	$(Q)scripts/lint fast

lint-full: lint-needs
	$(Q)scripts/lint full

lint lint-full: export LINT_LIBRARY = $(LIB_SOURCES)
lint lint-full: export LINT_CFLAGS = $(filter-out -MMD -MP $(HARDEN),$(USER_CFLAGS))
