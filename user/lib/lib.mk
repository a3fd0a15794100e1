# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libfxtrec: the codec of the tool, with the interface of include/fxtrec/trace.h.

LIB_SONAME := libfxtrec.so.1
LIB        := $(LIB_SONAME).0.0
LIBDIR     ?= $(PREFIX)/lib

LIB_SOURCES := $(wildcard user/lib/*.c) \
	       $(addprefix user/codec/,decode.c decoder.c encode.c frame.c kind.c provider.c reader.c record.c strings.c) \
	       $(addprefix user/store/,keyed.c map.c spill.c temporary.c) user/util/utf8.c
LIB_OBJECTS := $(LIB_SOURCES:user/%.c=$(BUILD)/lib/%.o)

lib: $(BUILD)/$(LIB) $(BUILD)/libfxtrec.a $(BUILD)/fxtrec.pc

$(BUILD)/lib/%.o: user/%.c Makefile user/lib/lib.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(filter-out -fPIE,$(USER_CFLAGS)) -fPIC -fvisibility=hidden -c -o $@ $<

$(BUILD)/$(LIB): $(LIB_OBJECTS) user/lib/fxtrec.map
	$(call say,LINK)
	$(Q)$(CC) -shared -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=user/lib/fxtrec.map -Wl,-z,defs \
		$(filter-out -pie,$(USER_LDFLAGS)) -o $@ $(LIB_OBJECTS)

# Links one object, so that a program sees only the symbols that the shared library exports.
$(BUILD)/libfxtrec.a: $(LIB_OBJECTS)
	$(call say,AR)
	$(Q)$(CC) -r -nostdlib -o $(BUILD)/lib/fxtrec.o $^
	$(Q)$$($(CC) -print-prog-name=objcopy) --localize-hidden $(BUILD)/lib/fxtrec.o
	$(Q)rm -f $@
	$(Q)$$($(CC) -print-prog-name=ar) rcD $@ $(BUILD)/lib/fxtrec.o

.PHONY: $(BUILD)/fxtrec.pc
$(BUILD)/fxtrec.pc: user/lib/fxtrec.pc.in
	@mkdir -p $(@D)
	$(Q)sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' $< >$@

-include $(LIB_OBJECTS:.o=.d)
