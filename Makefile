# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The whole build: no configure step, no recursion into folders, no network.
# Products go under build/ (O=...) with the tree mirrored; V=1 shows commands;
# DEV=1 makes warnings errors; config.mk may hold local settings.
-include config.mk

# ---- tools and flags ---------------------------------------------------------
VERSION := 0.1.0
O       ?= build
BPF_O   ?= $(O)
PREFIX  ?= /usr/local
DESTDIR ?=
# A folder of arch/, and what libbpf's headers call it.
ARCH    ?= $(shell uname -m)
bpf_arch-x86_64 := x86

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

ifneq ($(filter default undefined,$(origin CC)),)
CC := gcc
endif
AR         := ar
CLANG      ?= clang
LLVM_LINK  ?= llvm-link
LLC        ?= llc
PKG_CONFIG ?= pkg-config
# Debian keeps bpftool where only root's PATH looks.
BPFTOOL    ?= PATH=$$PATH:/usr/sbin:/sbin bpftool

CFLAGS   ?= -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	    -Wvla -Wwrite-strings
extra    := $(EXTRA:%=-DWALKERS_EXTRA='"%/$(notdir $(EXTRA)).def"')
werror   := $(if $(filter 1,$(DEV)),-Werror)
# "arch/NAME.h" is in arch/ or, if each architecture has its own, in arch/ARCH/arch/.
includes := -I. -Iarch/$(ARCH) -Iinclude -I$(BPF_O)
cflags    = -std=gnu11 -D_GNU_SOURCE $(extra) $(includes) $(lib_cflags) $(warnings) \
	    $(werror) $(CFLAGS)
banned   := -include user/lib/banned.h
bpfflags  = -target bpf $(extra) -O2 -g -fdebug-compilation-dir=. -mcpu=v3 -D__TARGET_ARCH_$(bpf_arch-$(ARCH)) -Ivmlinux \
	    -Iinclude -I. -Iarch/$(ARCH) $(lib_cflags) -Wall \
	    -fms-extensions -Wno-microsoft-anon-tag \
	    -Wno-gnu-variable-sized-type-not-at-end $(werror)
depflags  = -MMD -MP -MF $(@:%=%.d)

ifeq ($(V),1)
Q   :=
msg :=
else
Q   := @
msg  = @printf '  %-7s %s\n' $(1) $(2);
endif

# These goals need no library, or bring what they need first.
bare_goals := demo check check-matrix check-soak check-mutants check-vm bench deps help clean \
	      format lint layers shape
ifneq ($(filter-out $(bare_goals),$(or $(MAKECMDGOALS),all)),)
libs    := libbpf libelf libdw libseccomp capstone zlib sqlite3
missing := $(shell for c in $(CC) $(CLANG) $(LLVM_LINK) $(LLC) \
	$(PKG_CONFIG); do \
	command -v $$c >/dev/null || echo $$c; done; \
	for l in $(libs); do \
	$(PKG_CONFIG) --exists $$l 2>/dev/null || echo $$l; done; \
	for h in argp libiberty/demangle uthash; do \
	$(CC) -E -include $$h.h -x c /dev/null -o /dev/null 2>/dev/null || \
	echo $$h.h; done; \
	$(BPFTOOL) version >/dev/null 2>&1 || echo bpftool)
ifneq ($(missing),)
$(error not installed: $(missing).  Run tools/install-deps, or "make deps")
endif
lib_cflags := $(shell $(PKG_CONFIG) --cflags $(libs))
lib_ldlibs := $(shell $(PKG_CONFIG) --libs $(libs)) -liberty
endif

# ---- sources -----------------------------------------------------------------
# EXTRA=FOLDER: with the walker of that folder besides those in walkers/.
bpf_srcs   := $(sort $(wildcard bpf/*.bpf.c bpf/*/*.bpf.c walkers/*/kernel/*.bpf.c \
		$(EXTRA:%=%/*.bpf.c)))
user_srcs  := $(sort $(filter-out %.bpf.c, \
		$(wildcard user/*.c user/*/*.c arch/*.c arch/$(ARCH)/*.c walkers/*.c walkers/*/*.c \
		walkers/*/*/*.c $(EXTRA:%=%/*.c))))
headers    := $(sort $(wildcard include/jpbpf/*.h user/*/*.h arch/*.h arch/$(ARCH)/*.h arch/$(ARCH)/arch/*.h walkers/*.h \
		walkers/*/*.h walkers/*/*/*.h bpf/*.h bpf/*/*.h))
test_srcs  := $(sort $(wildcard tests/unit/test_*.c tests/walkers/test_*.c))
fixtures   := $(sort $(wildcard tests/unit/*.S))
fuzz_srcs  := $(sort $(wildcard tests/fuzz/fuzz_*.c))
part_srcs  := tests/programs/embed_late.c
target_srcs := $(sort $(filter-out $(part_srcs),$(wildcard tests/programs/*.c)))
tcl_srcs   := $(shell grep -l 'include <tcl\.h>' $(target_srcs) /dev/null)
r_srcs     := $(shell grep -l 'include <Rinternals\.h>' $(target_srcs) /dev/null)
lib_srcs   := $(addprefix tests/programs/,first_late.c leaderless.c no_memory.c)
extensions := $(tcl_srcs) $(r_srcs) $(lib_srcs)
programs   := $(filter-out $(extensions),$(target_srcs))

bpf_parts  := $(bpf_srcs:%.c=$(BPF_O)/%.bc)
helpers    := $(bpf_srcs:%.c=$(BPF_O)/helper/%.bc)
bpf_objs   := $(BPF_O)/jpbpf.bpf.o $(BPF_O)/helper.bpf.o
user_objs  := $(user_srcs:%.c=$(O)/%.o)
skeleton   := $(bpf_objs:%.bpf.o=%.skel.h)
targets    := $(extensions:%.c=$(O)/%.so) $(programs:%.c=$(O)/%)
fuzzers    := $(fuzz_srcs:%.c=$(O)/%)
tests      := $(test_srcs:%.c=$(O)/%) $(fixtures:%.S=$(O)/%.so) $(targets) \
	      $(fuzzers) $(O)/tests/fuzz/seeds.done $(O)/tests/views/make_profile \
	      $(O)/tests/views/make_recording

# ---- BPF and its skeleton ----------------------------------------------------
all: $(O)/jpbpf ## build the program, build/jpbpf (the default)

# Linked as LLVM's bitcode: bpftool 7.1 cannot link calls of kernel functions.
$(BPF_O)/%.bpf.bc: %.bpf.c Makefile
	@mkdir -p $(@D)
	$(call msg,BPF,$@)
	$(Q)$(CLANG) $(bpfflags) $(bpf_reads) $(depflags) -emit-llvm -c $< -o $@

# The kernel side that reads memory by helpers only (bpf/direct.bpf.h).
$(helpers): bpf_reads = -DDIRECT_READS=0
$(BPF_O)/helper/%.bpf.bc: %.bpf.c Makefile
	@mkdir -p $(@D)
	$(call msg,BPF,$@)
	$(Q)$(CLANG) $(bpfflags) $(bpf_reads) $(depflags) -emit-llvm -c $< -o $@

$(BPF_O)/jpbpf.bpf.bc: $(bpf_parts)
$(BPF_O)/helper.bpf.bc: $(helpers)
$(BPF_O)/jpbpf.bpf.bc $(BPF_O)/helper.bpf.bc:
	$(call msg,BPFLINK,$@)
	$(Q)$(LLVM_LINK) $^ -o $@

# libbpf wants all functions in one section, also those that are seldom called.  bpftool merges
# the types that several files have: libbpf searches all of the kernel's types for each.
$(bpf_objs): %.o: %.bc
	$(call msg,BPF,$@)
	$(Q)$(LLC) -march=bpf -mcpu=v3 -profile-guided-section-prefix=false -filetype=obj $< -o $@.llc
	$(Q)$(BPFTOOL) gen object $@ $@.llc

$(BPF_O)/%.skel.h: $(BPF_O)/%.bpf.o
	$(call msg,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

# ---- user space --------------------------------------------------------------
$(O)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call msg,CC,$@)
	$(Q)$(CC) $(banned) $(cflags) $(cflags-$*) $(depflags) -c $< -o $@

$(filter $(O)/user/kernel/%,$(user_objs)): | $(skeleton)

# Only this object knows which build it is; made anew when that changes.
commit  := $(if $(wildcard .git),$(shell git rev-parse --short=12 HEAD 2>/dev/null))
cstring  = '"$(subst ','\'',$(subst ",\",$(subst \,\\,$(strip $(1)))))"'
clangv   = $(shell $(CLANG) --version 2>/dev/null | \
	   sed -nE 's/.*(clang version [0-9.]+).*/\1/p')
bpftoolv = $(shell $(BPFTOOL) version 2>/dev/null | sed -n 1p)
cflags-user/cli/build = -DJPBPF_VERSION=$(call cstring,$(VERSION)) \
	-DJPBPF_COMMIT=$(call cstring,$(or $(commit),unknown)) \
	-DJPBPF_COMMIT_NOTE='"$(commit:%= (%))"' \
	-DJPBPF_CLANG=$(call cstring,$(clangv)) \
	-DJPBPF_BPFTOOL=$(call cstring,$(bpftoolv)) \
	-DJPBPF_FLAGS=$(call cstring,$(CFLAGS)) \
	-DJPBPF_PREFIX=$(call cstring,$(PREFIX))
known    = $(call cstring,$(commit) $(PREFIX) $(CC) $(CLANG) $(CFLAGS))
$(O)/user/cli/build.o: $(O)/commit
$(O)/commit: FORCE
	@mkdir -p $(@D)
	@echo $(known) | cmp -s - $@ || echo $(known) > $@

# These bytes are in it.
$(O)/user/flame/page.o: $(addprefix user/flame/,page.html data.js view.js table.js page.js)
$(O)/user/rules/rules.o: user/rules/builtin.rules

# Everything but main(): an archive, so that a test links what it uses.
$(O)/jpbpf.a: $(filter-out $(O)/user/main.o,$(user_objs))
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(O)/jpbpf: $(O)/user/main.o $(O)/jpbpf.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(lib_ldlibs) -o $@

# ---- tests -------------------------------------------------------------------
# A test that needs more sets cflags-PATH and ldlibs-PATH (PATH without .c):
#   ldlibs-tests/walkers/test_x = $(shell $(PKG_CONFIG) --libs x)
cmocka = $(shell $(PKG_CONFIG) --libs cmocka)
# Debian's tcl8.6-dev alone has no tcl.pc.
tclpc  = $(shell for p in tcl8.6 tcl; do \
	$(PKG_CONFIG) --exists $$p && echo $$p && break; done)
tclinc = $(shell $(PKG_CONFIG) --cflags $(tclpc) 2>/dev/null)
tcllib = $(shell $(PKG_CONFIG) --libs $(tclpc) 2>/dev/null)
rinc   = $(shell $(PKG_CONFIG) --cflags libR 2>/dev/null)
rlib   = $(shell $(PKG_CONFIG) --libs libR 2>/dev/null)

tests: $(tests) ## build the tests without running them
	@:

$(O)/tests/unit/%: tests/unit/%.c $(O)/jpbpf.a Makefile
	@mkdir -p $(@D)
	$(call msg,TEST,$@)
	$(Q)$(CC) $(banned) $(cflags) $(cflags-$(basename $<)) $(depflags) \
		$(LDFLAGS) $< $(O)/jpbpf.a $(ldlibs-$(basename $<)) \
		$(lib_ldlibs) $(cmocka) -o $@

$(O)/tests/views/%: tests/views/%.c $(O)/jpbpf.a Makefile
	@mkdir -p $(@D)
	$(call msg,TEST,$@)
	$(Q)$(CC) $(banned) $(cflags) $(depflags) $(LDFLAGS) $< $(O)/jpbpf.a \
		$(lib_ldlibs) -o $@

# Walkers as ordinary C: tests/host stands in for vmlinux.h and libbpf's headers.
# Hidden, so that no library takes our short names for its own.
host_objs := $(bpf_srcs:%.c=$(O)/tests/host/%.o) \
	     $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/host/*.c)))
host_cc    = $(CC) -fms-extensions -DDIRECT_CAST=0 -Itests/host $(banned) $(cflags)

$(O)/tests/host/%.bpf.o: %.bpf.c Makefile
	@mkdir -p $(@D)
	$(call msg,HOST,$@)
	$(Q)$(host_cc) -Wno-extra -Wno-unused-parameter -Wno-missing-prototypes \
		-Wno-unknown-pragmas \
		-fvisibility=hidden $(depflags) -c $< -o $@

$(O)/tests/host/%.o: tests/host/%.c Makefile
	@mkdir -p $(@D)
	$(call msg,HOST,$@)
	$(Q)$(host_cc) $(depflags) -c $< -o $@

$(O)/tests/walkers/%: tests/walkers/%.c $(host_objs) $(O)/jpbpf.a Makefile
	@mkdir -p $(@D)
	$(call msg,TEST,$@)
	$(Q)$(host_cc) $(cflags-$(basename $<)) $(depflags) $(LDFLAGS) $< \
		$(host_objs) $(O)/jpbpf.a $(ldlibs-$(basename $<)) \
		$(lib_ldlibs) $(cmocka) -o $@

ldlibs-tests/unit/test_native_hostile = $(shell $(PKG_CONFIG) --libs liblzma)
cflags-tests/walkers/test_tcl        = $(tclinc)
ldlibs-tests/walkers/test_tcl        = $(tcllib)
cflags-tests/walkers/test_tcl_faults = $(tclinc)
ldlibs-tests/walkers/test_tcl_faults = $(tcllib)
tclprivate = $(shell $(PKG_CONFIG) --variable=includedir $(tclpc))/tcl-private
cflags-tests/walkers/test_tcl_reference = $(tclinc) \
	-isystem $(tclprivate)/generic -isystem $(tclprivate)/unix
ldlibs-tests/walkers/test_tcl_reference = $(tcllib)
cflags-tests/walkers/test_tcl_damage = $(cflags-tests/walkers/test_tcl_reference)
ldlibs-tests/walkers/test_tcl_damage = $(tcllib)
cflags-tests/walkers/test_r   = $(rinc) \
	-DR_HOME_DIR='"$(shell $(PKG_CONFIG) --variable=rhome libR)"'
ldlibs-tests/walkers/test_r   = $(rlib)
cflags-tests/walkers/test_r_faults = $(cflags-tests/walkers/test_r)
ldlibs-tests/walkers/test_r_faults = $(rlib)
cflags-tests/walkers/test_r_binding = $(cflags-tests/walkers/test_r)
ldlibs-tests/walkers/test_r_binding = $(rlib)
cflags-tests/walkers/test_r_chain = $(cflags-tests/walkers/test_r)
ldlibs-tests/walkers/test_r_chain = $(rlib)
cflags-tests/walkers/test_r_objects = $(cflags-tests/walkers/test_r)
ldlibs-tests/walkers/test_r_objects = $(rlib)

# The program once more, with a third walker (docs/add-an-interpreter.md).
toy: $(O)/toy/jpbpf ## build the program with the walker in tests/toy, for its test
	@:

$(O)/toy/jpbpf: $(O)/jpbpf $(wildcard tests/toy/*)
	$(Q)+$(MAKE) --no-print-directory O=$(O)/toy BPF_O=$(O)/toy \
		EXTRA=tests/toy CFLAGS=-O0 $@

# Fixtures in assembler: NAME.o, and NAME.so for reading as a mapped file.
$(O)/tests/unit/%.o: tests/unit/%.S Makefile
	@mkdir -p $(@D)
	$(call msg,AS,$@)
	$(Q)$(CC) -c $< -o $@

$(O)/tests/unit/%.so: $(O)/tests/unit/%.o
	$(call msg,LINK,$@)
	$(Q)$(CC) -shared -nostdlib -Wl,--build-id,-z,noexecstack $< -o $@

# Fuzz targets, with a driver of our own that runs a corpus; LIBFUZZER=1: with
# libFuzzer's.  Their seeds are written by a program; so that a change of a byte
# hits something, fixtures are linked without padding.
fuzz_main = $(if $(LIBFUZZER),-fsanitize=fuzzer,tests/fuzz/corpus.c)

$(O)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/corpus.c $(O)/jpbpf.a \
		Makefile
	@mkdir -p $(@D)
	$(call msg,FUZZ,$@)
	$(Q)$(CC) $(banned) $(cflags) $(depflags) $(LDFLAGS) $< $(fuzz_main) \
		$(O)/jpbpf.a $(lib_ldlibs) -o $@

$(O)/tests/fuzz/write_seeds: tests/fuzz/write_seeds.c tests/unit/elf_image.h $(O)/jpbpf.a
	@mkdir -p $(@D)
	$(call msg,SEEDS,$@)
	$(Q)$(CC) $(banned) $(cflags) $(depflags) $(LDFLAGS) $< $(O)/jpbpf.a \
		$(lib_ldlibs) $(cmocka) -o $@

$(O)/tests/fuzz/%.so: $(O)/tests/unit/%.o
	@mkdir -p $(@D)
	$(call msg,LINK,$@)
	$(Q)$(CC) -shared -nostdlib -Wl,-z,noseparate-code,-z,noexecstack \
		-Wl,--build-id=none,-z,norelro,-z,max-page-size=64 -Wl,-s $< -o $@

fuzz_tcl_so    := $(filter tests/unit/tcl%,$(fixtures))
fuzz_r_so      := $(filter tests/unit/r_%,$(fixtures))
fuzz_cfi_so    := tests/unit/cfi_cases.S tests/unit/golang.S
fuzz_module_so := tests/unit/tcl_old.S
fuzz_seeds      = $(patsubst tests/unit/%.S,$(O)/tests/fuzz/%.so,$(fuzz_$(1)_so))

# .debug_* and .symtab are what these two are about.
fuzz_native_o  := tests/unit/native_lines.S tests/unit/native.S tests/unit/altlink.S
fuzz_cfi_o     := tests/unit/cfi_debug.S
fuzz_whole      = $(patsubst %.S,$(O)/%.so,$(fuzz_$(1)_o))

$(O)/tests/fuzz/seeds.done: $(O)/tests/fuzz/write_seeds \
		$(foreach n,tcl r cfi module native,$(call fuzz_seeds,$(n)) \
		$(call fuzz_whole,$(n)))
	$(Q)mkdir -p $(O)/tests/fuzz/seeds && $< $(O)/tests/fuzz/seeds
	$(Q)$(foreach n,tcl r cfi module native,cp $(call fuzz_seeds,$(n)) \
		$(call fuzz_whole,$(n)) $(O)/tests/fuzz/seeds/$(n);)
	@touch $@

cflags-tests/unit/test_tcl_layouts = $(foreach d,$(patsubst -I%,%, \
	$(filter -I%,$(tclinc))),-I$(d) -I$(d)/tcl-private/generic \
	-I$(d)/tcl-private/unix)

include lib/lib.mk
include tests/programs/programs.mk

# Targets to be profiled: what includes tcl.h or Rinternals.h is an extension.
programs: $(targets) ## build the programs that are profiled in tests and demo
	@:

$(O)/tests/programs/%.so: tests/programs/%.c Makefile
	@mkdir -p $(@D)
	$(call msg,EXT,$@)
	$(Q)$(CC) -std=gnu11 -O2 -g -fPIC -shared -Wall $(werror) \
		$(if $(filter $<,$(tcl_srcs)),-DUSE_TCL_STUBS $(tclinc),$(rinc)) \
		$(cflags-$(basename $<)) $(depflags) $< $(ldlibs-$(basename $<)) \
		$(if $(filter $<,$(tcl_srcs)),$(filter -ltclstub%,$(tcllib))) \
		-lm -o $@

$(O)/tests/programs/%: tests/programs/%.c Makefile
	@mkdir -p $(@D)
	$(call msg,PROG,$@)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall $(werror) -I. -Iinclude \
		$(cflags-$(basename $<)) $(depflags) $< $(ldlibs-$(basename $<)) \
		-lm -o $@

# ---- one command from a fresh machine ----------------------------------------
# A new make, because the libraries are looked up before any recipe runs.
again = +$(Q)$(MAKE) --no-print-directory \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(nproc))

demo: ## install what is missing, build, and show a profile
	$(Q)tools/install-deps --demo
	$(again) DEV= all programs
	$(Q)BUILD=$(O) tools/demo

check: ## install what is missing, build, and run every test
	$(Q)tools/install-deps --tests
	$(again) all tests toy stack
	$(Q)BUILD=$(O) tests/run

# ONLY="AREA FILE.c": some of them.
check-mutants: ## change a line at a time: the fast tests must notice 9 of 10
	$(Q)tools/install-deps --tests
	$(again) all tests
	$(Q)BUILD=$(O) tests/mutants/run $(ONLY)

check-soak: ## storms of processes, and an hour of the whole host: nothing may grow
	$(Q)tools/install-deps --tests
	$(again) all tests
	$(Q)BUILD=$(O) tests/run soak

check-matrix: ## ground truth in every Tcl and R that Debian has, and other builds
	$(Q)tools/install-deps --tests
	$(again) all tests
	$(Q)rm -f $(O)/matrix/table
	$(Q)BUILD=$(O) tests/run matrix; status=$$?; \
		BUILD=$(O) tests/matrix/table; exit $$status

# UPDATE=1 writes what samples cost now into tests/vm/cost.baseline, and no more.
check-vm: ## ground truth on other kernels, emulated; KERNELS="6.1 6.12" are some
	$(Q)tools/install-deps --tests --vm
	$(again) all tests
	$(Q)rm -f $(O)/vm/table $(O)/vm/costs $(O)/vm/processes
	$(Q)BUILD=$(O) KERNELS="$(KERNELS)" tests/run \
		$(if $(filter 1,$(UPDATE)),tests/vm/test_cost.sh,vm); status=$$?; \
		BUILD=$(O) tests/vm/table; exit $$status

bench: ## install what is missing, build, and measure what a profile costs
	$(Q)tools/install-deps --tests --bench
	$(again) DEV= all programs
	$(Q)BUILD=$(O) tools/bench

sanitize := -fsanitize=address,undefined -fno-sanitize-recover=all
asan: $(skeleton) ## run the tests under the sanitizers
	$(again) O=$(O)/asan BPF_O=$(BPF_O) all tests \
		CFLAGS='-O1 -g -fno-omit-frame-pointer $(sanitize)'
	$(Q)BUILD=$(O)/asan tests/run

# One after the other; what one finds is left as a file in $(O)/fuzz.
SECONDS  ?= 60
fuzz_asan = allocator_may_return_null=1:quarantine_size_mb=16
fuzz_lsan = suppressions=tests/fuzz/leaks:print_suppressions=0
fuzz: $(skeleton) $(O)/tests/fuzz/seeds.done ## let libFuzzer at each target, SECONDS=60
	$(again) O=$(O)/fuzz BPF_O=$(BPF_O) CC=$(CLANG) LIBFUZZER=1 \
		CFLAGS='-O1 -g $(sanitize) -fsanitize=fuzzer-no-link' \
		$(fuzz_srcs:%.c=$(O)/fuzz/%)
	$(Q)for t in $(fuzz_srcs:tests/fuzz/fuzz_%.c=%); do \
		echo "fuzz: $$t"; mkdir -p $(O)/fuzz/corpus/$$t; \
		ASAN_OPTIONS=$(fuzz_asan) LSAN_OPTIONS=$(fuzz_lsan) \
			$(O)/fuzz/tests/fuzz/fuzz_$$t \
			-max_total_time=$(SECONDS) -timeout=5 -rss_limit_mb=512 \
			-max_len=32768 -print_final_stats=1 -verbosity=0 \
			-artifact_prefix=$(O)/fuzz/$$t- $(O)/fuzz/corpus/$$t \
			$$(ls -d tests/fuzz/corpus/$$t 2>/dev/null) $(O)/tests/fuzz/seeds/$$t || exit 1; \
	done

deps: ## install every package that building, testing and the demo need
	$(Q)tools/install-deps --tests --demo --dev

# ---- for developers ----------------------------------------------------------
ours = $(filter-out vmlinux/%,$(wildcard lib/*.[ch] include/*.h bpf/*.[ch] bpf/*/*.[ch] include/jpbpf/*.h \
	user/*.c user/*/*.[ch] arch/*.[ch] arch/*/*.[ch] arch/*/*/*.[ch] walkers/*.[ch] walkers/*/*.[ch] \
	walkers/*/*/*.[ch] \
	tests/*/*.[ch]))
scripts = $(shell grep -lE '^\#!.*\b(ba)?sh\b' .ci/run tools/* tests/run \
	tests/*/table tests/*/*.sh 2>/dev/null)
clang_format = $(firstword $(shell command -v clang-format-14 clang-format))

format: ## rewrite our C files in the house style
	$(Q)$(clang_format) -i $(ours)

lint: ## compare with the house style; shellcheck the scripts
	$(Q)[ -n "$(clang_format)" ] || \
		{ echo 'lint: note: no clang-format, C style not checked'; exit; }; \
	$(clang_format) --dry-run -Werror $(ours) || \
		{ echo 'lint: make format mends that'; exit 1; }
	$(Q)if command -v shellcheck >/dev/null; then \
		printf '%s\n' $(scripts) | xargs -P"$$(nproc)" -n16 shellcheck -x; \
	else echo 'lint: note: no shellcheck, scripts not checked'; fi

layers: ## check that includes follow the layers, without cycles
	$(Q)tools/check-layers

shape: ## check the sizes of functions and files
	$(Q)tools/shape

stack: $(bpf_objs) ## check the stack of the deepest calls in BPF
	$(Q)tools/check-stack $^

# Those for BPF stand on walk.bpf.h, the walkers' tools; the unwinder's on the functions
# of the side that includes them.
unwinder = include/jpbpf/unwinder.h include/jpbpf/chain.h
bpf_only = $(filter %.bpf.h,$(headers))
headers: ## check that every header compiles on its own
	$(Q)for h in $(filter-out $(bpf_only) $(unwinder),$(headers)); do \
		$(CC) $(cflags) -Werror -fsyntax-only -x c -include $$h /dev/null || \
		{ echo "headers: $$h does not compile on its own"; exit 1; }; done
	$(Q)for h in $(bpf_only) $(filter-out $(unwinder),$(filter include/%,$(headers))); do \
		case $$h in *.bpf.h) base='-include bpf/walk.bpf.h';; *) base=;; esac; \
		$(CLANG) $(bpfflags) -Wno-unused-function -Werror -fsyntax-only \
			-x c $$base -include $$h /dev/null || \
		{ echo "headers: $$h does not compile for BPF"; exit 1; }; done
	@echo "headers: $(words $(headers)) compile on their own"

# ---- manual pages, install, clean, help --------------------------------------
# The pages are made of what the program says of itself.
about-jpbpf   := profile Tcl and R programs down into their C code
about-record  := sample into a recording
about-dump    := show the stack of every thread now
about-errors  := show who raises errors
about-trace   := count each call of chosen functions exactly
about-report  := show what recordings hold
about-convert := write recordings in the formats of other tools
about-diff    := compare two recordings
about-maps    := say which module, function and line addresses belong to
about-check   := say what this host lacks for profiling
about-info    := say which Tcl or R is in a process or file
verbs         := record dump errors trace report convert diff maps check info
pages         := $(O)/man/jpbpf.1 $(verbs:%=$(O)/man/jpbpf-%.1)

man: $(pages) ## write the manual pages, build/man/jpbpf*.1
	@:

$(pages): $(O)/man/%.1: $(O)/jpbpf man/see.h2m
	@mkdir -p $(@D)
	$(call msg,MAN,$@)
	$(Q)help2man --no-info --name="$(about-$(or $(patsubst jpbpf-%,%,$(filter jpbpf-%,$*)),jpbpf))" \
		--help-option="$(patsubst jpbpf-%,%,$(filter jpbpf-%,$*)) --help" \
		--include=man/see.h2m -o $@ $<
	$(Q)sed -i 's/^\.TH [A-Z-]*/.TH $(shell echo $* | tr a-z A-Z)/' $@

install: all man install-interp ## install below PREFIX (/usr/local) and DESTDIR
	install -D -m 755 $(O)/jpbpf $(DESTDIR)$(PREFIX)/bin/jpbpf
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(pages) $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 man/jpbpf.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/jpbpf

clean: ## remove everything that was built
	$(Q)rm -rf $(O)

help: ## this list
	@echo 'make [TARGET] [V=1] [DEV=1] [O=build] [PREFIX=/usr/local]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

FORCE:
.PHONY: all man tests toy programs demo check check-mutants check-matrix check-soak check-vm bench asan fuzz deps format lint \
	layers shape headers stack install clean help FORCE

-include $(bpf_parts:%=%.d) $(helpers:%=%.d) $(user_objs:%=%.d) $(host_objs:%=%.d) \
	$(O)/tests/views/make_profile.d $(O)/tests/views/make_recording.d $(test_srcs:%.c=$(O)/%.d) $(fuzz_srcs:%.c=$(O)/%.d) \
	$(extensions:%.c=$(O)/%.so.d) $(programs:%.c=$(O)/%.d)
