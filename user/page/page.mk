# SPDX-License-Identifier: GPL-2.0-only
# Makes two objects of the page's sources: the texts before and after its data.  To be included after USER_OBJECTS is
# set.

# The scripts share one scope: each file declares functions and constants, and the last one starts the page.
PAGE_STYLES  := user/page/web/page.css user/page/web/timeline.css
PAGE_SCRIPTS := $(filter-out user/page/web/main.js,$(sort $(wildcard user/page/web/*.js))) user/page/web/main.js

USER_LIBS    += -ldeflate
USER_OBJECTS += $(BUILD)/page_head.o $(BUILD)/page_tail.o

# The hash of a style or a script, which is the text of its element.
page_hash = sha256-$$(sha256sum < $(1) | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64)

$(BUILD)/page.css: $(PAGE_STYLES)
	@mkdir -p $(@D)
	$(Q)cat $^ > $@

$(BUILD)/page.js: $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	$(Q){ echo '(() => { "use strict";'; cat $^; echo '})();'; } > $@

$(BUILD)/page_head.html: user/page/web/head.html user/page/web/body.html $(BUILD)/page.css $(BUILD)/page.js user/page/page.mk
	$(call say,PAGE)
	$(Q){ cat user/page/web/head.html; \
	   echo "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; script-src '$(call page_hash,$(BUILD)/page.js)'; style-src '$(call page_hash,$(BUILD)/page.css)'\">"; \
	   printf '<style>'; cat $(BUILD)/page.css; echo '</style>'; cat user/page/web/body.html; } > $@

$(BUILD)/page_tail.html: $(BUILD)/page.js user/page/page.mk
	$(call say,PAGE)
	$(Q){ printf '<script>'; cat $(BUILD)/page.js; printf '</script>\n</body>\n</html>\n'; } > $@

$(BUILD)/page_head.o $(BUILD)/page_tail.o: $(BUILD)/%.o: $(BUILD)/%.html
	$(call say,LD)
	$(Q){ cat $<; printf '\0'; } > $(BUILD)/$*.text
	$(Q)cd $(BUILD) && $(CC) -r -nostdlib -Wl,-z,noexecstack,-b,binary -o $*.o $*.text
