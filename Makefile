# SPDX-License-Identifier: GPL-2.0-only
# fxtrec: builds the tool, the eBPF programs and the module below build/.

VERSION := 0.1.0
BUILD   := build
PREFIX  ?= /usr/local
KDIR    ?= /lib/modules/$(shell uname -r)/build

CC      ?= gcc
CLANG   ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool) bpftool)
# For another processor: make CC='aarch64-linux-gnu-gcc --sysroot=...'; the compiler reports its target.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
SYSROOT := $(patsubst %/,%,$(shell $(CC) -print-sysroot 2>/dev/null))
ARCH    := $(subst aarch64,arm64,$(subst x86_64,x86,$(MACHINE)))

CFLAGS   ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Werror
HARDEN   := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection \
	    $(if $(filter x86,$(ARCH)),-fcf-protection=full) -fPIE
USER_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DFXT_VERSION='"$(VERSION)"' -Iinclude -Iuser -I$(BUILD) \
	      $(WARNINGS) $(HARDEN) $(CFLAGS) -MMD -MP
# Optional libraries: "fxtrec top" and "open" do without them.
has_header = $(shell $(CC) $(2) -include $(1) -E -x c /dev/null >/dev/null 2>&1 && echo yes)
ifeq ($(call has_header,ncurses.h),yes)
USER_CFLAGS += -DFXT_NCURSES
OPTIONAL_LIBS += -lncursesw -ltinfo
endif
ifeq ($(call has_header,microhttpd.h),yes)
USER_CFLAGS += -DFXT_MICROHTTPD
OPTIONAL_LIBS += -lmicrohttpd
endif
USER_LDFLAGS = -pie -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code $(LDFLAGS)
USER_LIBS    = $(SMALLER_LIBS) $(SQLITE) $(OPTIONAL_LIBS)
# The kernel gets the sources' names with the programs, without the build's folder.
BPF_CFLAGS   = -target bpf -ffile-compilation-dir=. -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -Iinclude -Ibpf \
	       -I$(SYSROOT)/usr/include/$(MACHINE)-linux-gnu -Wall -Werror -O2 -g -MMD -MP

# Only queries need SQLite: without it, they report that.
SQLITE  := $(shell echo 'int main(void) { return sqlite3_vtab_rhs_value(0, 0, 0); }' | \
	     $(CC) -include sqlite3.h -x c -o /dev/null - -lsqlite3 2>/dev/null && echo -lsqlite3)
# Only trace.dat of trace-cmd needs libtracecmd: its header includes others by their bare names.
TRACECMD_CFLAGS := $(addprefix -isystem $(SYSROOT)/usr/include/,trace-cmd tracefs traceevent)
TRACECMD := $(if $(call has_header,trace-cmd.h,$(TRACECMD_CFLAGS)),-ltracecmd -ltracefs)
ifneq ($(TRACECMD),)
USER_CFLAGS += $(TRACECMD_CFLAGS)
OPTIONAL_LIBS += $(TRACECMD)
endif
# Only folders of CTF need libbabeltrace2.
CTF := $(shell echo 'int main(void) { return !bt_version_get_major(); }' | \
	     $(CC) -include babeltrace2/babeltrace.h -x c -o /dev/null - -lbabeltrace2 2>/dev/null && echo -lbabeltrace2)
OPTIONAL_LIBS += $(CTF)
# Only the server of the Model Context Protocol needs json-c.
JSON := $(if $(call has_header,json-c/json.h),-ljson-c)
OPTIONAL_LIBS += $(JSON)
SOURCES := $(filter-out $(if $(SQLITE),user/query/missing.c,$(filter-out %/missing.c,$(wildcard user/query/*.c))) \
	     $(if $(TRACECMD),user/formats/tracecmd/missing.c,user/formats/tracecmd/read.c user/formats/tracecmd/send.c) \
	     $(if $(CTF),user/formats/ctf/missing.c,$(filter-out %/missing.c %/format.c,$(wildcard user/formats/ctf/*.c))) \
	     $(if $(JSON),user/mcp/missing.c,$(filter-out %/missing.c,$(wildcard user/mcp/*.c))), \
	     $(filter-out user/lib/%,$(wildcard user/*/*.c user/*/*/*.c user/*/*/*/*.c)))

SOURCES := $(filter-out user/cmd/smaller.c user/formats/missing.c,$(SOURCES))
# The smaller executable has the commands that need no library beyond these, and runs the larger one for all others:
# user/cmd/larger.h.  The linker finds the objects that it needs.
SMALLER_LIBS := -lbpf -ltraceevent -lelf -lz -lzstd -lm
USER_OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
SMALLER_OBJECTS := $(BUILD)/user/cmd/smaller.o $(BUILD)/user/formats/missing.o
# rings is first: libbpf's linker resolves extern maps only in later objects.
BPF_OBJECTS  := $(patsubst %.c,$(BUILD)/%.o,bpf/rings.bpf.c $(filter-out bpf/rings.bpf.c,$(wildcard bpf/*.bpf.c)))

# make V=1 shows the commands.
Q := $(if $(V),,@)
say = @printf '  %-7s %s\n' $(1) $@

.DEFAULT_GOAL := all
include user/formats/perfetto/perfetto.mk
include user/page/page.mk

.PHONY: all user lib bpf kmod man install uninstall dist deb help run check deps clean
.DELETE_ON_ERROR:

all: user lib
ifneq ($(wildcard $(KDIR)),)
all: kmod
else
all: kmod-missing
endif

MAN := $(patsubst Documentation/man/%.rst,$(BUILD)/man/%,$(wildcard Documentation/man/*.rst))
man: $(MAN)
$(BUILD)/man/%: Documentation/man/%.rst scripts/man.sed
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)rst2man --strict $< $@ && sed -i -f scripts/man.sed $@

user: $(BUILD)/fxtrec $(BUILD)/fxtrec-larger
bpf: $(BUILD)/fxtrec.skel.h

$(BUILD)/fxtrec: $(SMALLER_OBJECTS) $(USER_OBJECTS)
	$(call say,LINK)
	$(Q)rm -f $@.a && $$($(CC) -print-prog-name=ar) rcDT $@.a $(USER_OBJECTS)
	$(Q)$(CC) $(USER_LDFLAGS) -o $@ $(SMALLER_OBJECTS) $@.a $(SMALLER_LIBS)

$(BUILD)/fxtrec-larger: $(USER_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(USER_LDFLAGS) -o $@ $^ $(USER_LIBS)

$(BUILD)/user/%.o: user/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(USER_CFLAGS) -c -o $@ $<

BPF_SKELETONS := $(addprefix $(BUILD)/,fxtrec.skel.h fxtrec_plain.skel.h fxtrec_oldest.skel.h)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard user/source/bpf*.c)): $(BPF_SKELETONS)
$(BUILD)/user/describe/prologue.o $(BUILD)/user/model/syscall_names.o: $(BUILD)/syscalls.h

$(BUILD)/syscalls.h: scripts/syscalls
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q)scripts/syscalls $(CC) > $@

$(BUILD)/bpf/%.o: bpf/%.c Makefile
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c -o $@ $<

# Builds programs without symbols of the kernel: bpf/kernel.h.
$(BUILD)/bpf/plain/%.o: bpf/%.c Makefile
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DFXT_PLAIN -c -o $@ $<

# Builds programs for kernels without bpf_rdonly_cast(): bpf/sleeper.h.
$(BUILD)/bpf/oldest/%.o: bpf/%.c Makefile
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DFXT_PLAIN -DFXT_CASTLESS -c -o $@ $<

$(BUILD)/fxtrec.bpf.o: $(BPF_OBJECTS)
	$(call say,BPFLD)
	$(Q)$(BPFTOOL) gen object $@ $^

$(BUILD)/fxtrec_%.bpf.o: $(filter-out $(BUILD)/bpf/sched.bpf.o,$(BPF_OBJECTS)) $(BUILD)/bpf/%/sched.bpf.o
	$(call say,BPFLD)
	$(Q)$(BPFTOOL) gen object $@ $^

include user/lib/lib.mk

$(BUILD)/%.skel.h: $(BUILD)/%.bpf.o
	$(call say,SKEL)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

# Builds the module in a folder of its kernel, from links to the sources.
kmod:
	$(Q)scripts/kmod-build $(abspath $(KDIR)) $(BUILD) $(VERSION)

.PHONY: kmod-missing
kmod-missing:
	@echo "no headers at $(KDIR): the module is left out (make kmod KDIR=...)"

include tests/fuzz/fuzz.mk
include tests/tests.mk
include tests/cost/cost.mk
include tests/lint/lint.mk
include tests/debug/debug.mk
include tests/sanitize.mk
include tests/kernels/kernels.mk
include tests/arm64/arm64.mk
include tests/stress/stress.mk
include tests/bench/bench.mk

# The folders of the shells' completions, below PREFIX.
COMPLETE_BASH := share/bash-completion/completions/fxtrec
COMPLETE_ZSH  := share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_fxtrec
COMPLETE_FISH := share/fish/vendor_completions.d/fxtrec.fish

# Tells the loader about a library that was installed or removed; a library below DESTDIR is for another system.
LDCONFIG = $(if $(DESTDIR),,PATH="$$PATH:/usr/sbin:/sbin" ldconfig 2>/dev/null || :)

# The unit runs a flight recorder all the time; nothing enables it.
install: all man
	install -D -m 755 $(BUILD)/fxtrec '$(DESTDIR)$(PREFIX)/bin/fxtrec'
	install -D -m 755 $(BUILD)/fxtrec-larger '$(DESTDIR)$(PREFIX)/libexec/fxtrec/fxtrec-larger'
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/man/man1' $(filter %.1,$(MAN))
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/man/man3' $(filter %.3,$(MAN))
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/include/fxtrec' include/fxtrec/mark.h include/fxtrec/trace.h
	install -D -m 644 $(BUILD)/$(LIB) '$(DESTDIR)$(LIBDIR)/$(LIB)'
	ln -sf $(LIB) '$(DESTDIR)$(LIBDIR)/$(LIB_SONAME)'
	ln -sf $(LIB) '$(DESTDIR)$(LIBDIR)/libfxtrec.so'
	$(LDCONFIG)
	install -m 644 $(BUILD)/libfxtrec.a '$(DESTDIR)$(LIBDIR)'
	install -D -m 644 $(BUILD)/fxtrec.pc '$(DESTDIR)$(LIBDIR)/pkgconfig/fxtrec.pc'
	install -D -m 644 scripts/completions/bash '$(DESTDIR)$(PREFIX)/$(COMPLETE_BASH)'
	install -D -m 644 scripts/completions/zsh '$(DESTDIR)$(PREFIX)/$(COMPLETE_ZSH)'
	install -D -m 644 scripts/completions/fish '$(DESTDIR)$(PREFIX)/$(COMPLETE_FISH)'
	install -d '$(DESTDIR)$(PREFIX)/lib/systemd/system'
	sed 's|/usr/local/bin|$(PREFIX)/bin|' scripts/fxtrec-flight.service \
		>'$(DESTDIR)$(PREFIX)/lib/systemd/system/fxtrec-flight.service'
	for ko in $(wildcard $(BUILD)/*/fxtrec.ko); do \
		install -D -m 644 $$ko \
			'$(DESTDIR)'/lib/modules/$$(basename $$(dirname $$ko))/updates/fxtrec.ko; \
	done

uninstall:
	rm -f $(patsubst %,'$(DESTDIR)%',$(PREFIX)/bin/fxtrec $(PREFIX)/libexec/fxtrec/fxtrec-larger \
		$(patsubst $(BUILD)/man/%,$(PREFIX)/share/man/man1/%,$(filter %.1,$(MAN))) \
		$(patsubst $(BUILD)/man/%,$(PREFIX)/share/man/man3/%,$(filter %.3,$(MAN))) \
		$(addprefix $(PREFIX)/include/fxtrec/,mark.h trace.h) \
		$(addprefix $(LIBDIR)/,$(LIB) $(LIB_SONAME) libfxtrec.so libfxtrec.a pkgconfig/fxtrec.pc) \
		$(addprefix $(PREFIX)/,$(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH)) \
		$(PREFIX)/lib/systemd/system/fxtrec-flight.service) \
		'$(DESTDIR)'/lib/modules/*/updates/fxtrec.ko
	-rmdir '$(DESTDIR)$(PREFIX)/include/fxtrec' '$(DESTDIR)$(PREFIX)/libexec/fxtrec' 2>/dev/null
	$(LDCONFIG)

# Archives the sources of the last commit.
dist:
	@echo '  DIST    $(BUILD)/fxtrec-$(VERSION).tar.gz'
	$(Q)scripts/dist fxtrec-$(VERSION) $(BUILD)/fxtrec-$(VERSION).tar.gz

# Builds Debian packages of the archive: DEB_ARGS=--build=binary leaves the source package out.
deb:
	scripts/deps packages
	$(Q)scripts/deb $(VERSION) $(DEB_ARGS)

# Lists the tool's compile commands for clangd and clang-tidy.  A kernel's own scripts/clang-tools lists the module's.
.PHONY: compile_commands.json
compile_commands.json: $(BPF_SKELETONS) $(BUILD)/perfetto.pb-c.h $(BUILD)/syscalls.h
	$(call say,GEN)
	$(Q)scripts/compile-commands $(CC) $(filter-out -MMD -MP,$(USER_CFLAGS)) -- \
		$(SOURCES) >$@

define HELP
Build:
  all              the tool, and the module where KDIR has a kernel's headers (default)
  user lib bpf man the tool; libfxtrec; the eBPF programs; the man pages
  kmod             the module, for the kernel of KDIR=, into build/<release>/
  install          below PREFIX= (/usr/local) and DESTDIR=; uninstall removes it
  dist             build/fxtrec-$(VERSION).tar.gz of the last commit, the same bytes each time
  deb              Debian packages of the last commit, into build/deb/
  compile_commands.json  for clangd and clang-tidy
  clean            remove what was built; downloaded kernels stay
  deps             install what a build needs (Debian)

Run:
  run              build, record five seconds of this machine, say how to look at them

Check (all targets: Documentation/testing.rst):
  check            what each change has to pass, as root
  check-quick      those that need neither root nor a virtual machine
  check-all        the longer forms, too
  lint lint-tree lint-quick lint-full
                   static analysis
  fuzz             each reader with libFuzzer, FUZZ_SECONDS= each
  bench bench-PART what a recording costs on this machine

V=1 shows the commands.
endef
help:
	$(info $(HELP))@:

deps:
	scripts/deps build

run:
	scripts/run

clean:
	rm -rf $(BUILD)/user $(BUILD)/lib $(BUILD)/libfxtrec* $(BUILD)/bpf $(BUILD)/man $(BUILD)/tests $(BUILD)/fuzz $(BUILD)/bench \
		$(BUILD)/fxtrec* $(BUILD)/page* $(BUILD)/syscalls.h $(BUILD)/perfetto.pb-c.* $(BUILD)/*/fxtrec.ko $(BUILD)/*/kmod \
		compile_commands.json

-include $(USER_OBJECTS:.o=.d) $(SMALLER_OBJECTS:.o=.d) $(BPF_OBJECTS:.o=.d) $(BUILD)/bpf/plain/sched.bpf.d $(BUILD)/bpf/oldest/sched.bpf.d
