# SPDX-License-Identifier: GPL-2.0-only
# Static analysis: lint-tree is a part of check; lint-quick is for use before a commit; lint has cppcheck, GCC's
# analyzer and docutils, too (check-all), lint-full clang-tidy and checkpatch.

.PHONY: lint lint-tree lint-quick lint-full lint-needs
lint-needs: $(BPF_SKELETONS) $(BUILD)/perfetto.pb-c.h
	scripts/deps check
	scripts/kernel-get 6.12

lint-tree:
	$(Q)scripts/lint tree

lint-quick: lint-needs
	$(Q)scripts/lint quick

lint: lint-needs
	$(Q)scripts/lint fast

lint-full: lint-needs
	$(Q)scripts/lint full

lint lint-tree lint-quick lint-full: export LINT_LIBRARY = $(LIB_SOURCES)
lint lint-tree lint-quick lint-full: export LINT_CFLAGS = $(filter-out -MMD -MP $(HARDEN),$(USER_CFLAGS))
