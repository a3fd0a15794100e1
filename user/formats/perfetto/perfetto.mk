# SPDX-License-Identifier: GPL-2.0-only
# The packets of Perfetto's format, by protobuf-c from our schema; to be included after USER_OBJECTS is set.

USER_LIBS    += -lprotobuf-c
USER_OBJECTS += $(BUILD)/perfetto.pb-c.o

$(BUILD)/perfetto.pb-c.h: user/formats/perfetto/perfetto.proto
	@mkdir -p $(@D)
	$(call say,PROTO)
	$(Q)protoc-c --proto_path=user/formats/perfetto --c_out=$(BUILD) perfetto.proto

$(BUILD)/perfetto.pb-c.c: $(BUILD)/perfetto.pb-c.h ;

$(BUILD)/perfetto.pb-c.o: $(BUILD)/perfetto.pb-c.c
	$(call say,CC)
	$(Q)$(CC) $(USER_CFLAGS) -c -o $@ $<

$(patsubst %.c,$(BUILD)/%.o,$(wildcard user/formats/perfetto/*/*.c)): $(BUILD)/perfetto.pb-c.h
