# SPDX-License-Identifier: BSD-2-Clause
#
# The library for interpreters: libjpbpf-interp.so and .a (docs/interpreters.md).
#
# By hand: cc -O2 -fPIC -fvisibility=hidden -I. -Iinclude -shared lib/*.c \
#	-Wl,-soname,libjpbpf-interp.so.1 -o libjpbpf-interp.so.1

interp       := $(O)/libjpbpf-interp
interp_objs  := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard lib/*.c)))
interp_cflags = -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra $(werror) -I. -Iinclude

interp: $(interp).so $(interp).a ## build the library for interpreters
	@:

$(interp_objs): $(O)/%.o: %.c $(wildcard lib/*.h) include/jpbpf-interp.h include/qprof.h Makefile lib/lib.mk
	@mkdir -p $(@D)
	$(call msg,CC,$@)
	$(Q)$(CC) $(interp_cflags) $(CFLAGS) -c $< -o $@

$(interp).a: $(interp_objs)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

# What refers to it may be unmapped, it may not: threads have its stacks.
$(interp).so.1: $(interp_objs)
	$(call msg,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,nodelete,-Bsymbolic-functions $^ -pthread -o $@

$(interp).so: $(interp).so.1
	$(Q)ln -sf $(<F) $@

interp_lib = $(DESTDIR)$(PREFIX)/lib
install-interp: interp
	install -D -m 644 include/jpbpf-interp.h $(DESTDIR)$(PREFIX)/include/jpbpf-interp.h
	install -m 644 include/qprof.h $(DESTDIR)$(PREFIX)/include
	install -D -m 755 $(interp).so.1 $(interp_lib)/libjpbpf-interp.so.1
	ln -sf libjpbpf-interp.so.1 $(interp_lib)/libjpbpf-interp.so
	install -m 644 $(interp).a $(interp_lib)
	install -d $(interp_lib)/pkgconfig $(DESTDIR)$(PREFIX)/share/man/man3
	sed 's|@PREFIX@|$(PREFIX)|' lib/jpbpf-interp.pc.in >$(interp_lib)/pkgconfig/jpbpf-interp.pc
	install -m 644 man/jpbpf-interp.3 $(DESTDIR)$(PREFIX)/share/man/man3
.PHONY: interp install-interp

ldlibs-tests/unit/test_interp = $(interp).a
$(O)/tests/unit/test_interp: $(interp).a
ldlibs-tests/unit/test_qprof = -ldl
$(O)/tests/unit/test_qprof: $(interp).so

# The example for Lua (examples/lua/README.md).
lua_inc = $(shell $(PKG_CONFIG) --cflags lua5.4 2>/dev/null)
$(if $(lua_inc),tests asan: $(O)/examples/lua/jpbpf.so)
$(O)/examples/lua/jpbpf.so: examples/lua/jpbpf.c $(interp).a lib/lib.mk
	@mkdir -p $(@D)
	$(call msg,LUA,$@)
	$(Q)$(CC) -O2 -g -Wall -Wextra $(werror) -fPIC -shared -Iinclude $(lua_inc) $< $(interp).a -o $@

ldlibs-tests/programs/bench_interp = $(interp).a -ldl -pthread
cflags-tests/programs/bench_interp = -Iinclude
$(O)/tests/programs/bench_interp: $(interp).a $(interp).so

ldlibs-tests/walkers/test_shadow = $(interp).a
$(O)/tests/walkers/test_shadow: $(interp).a

# Of R and Tcl in one process, which share the library.
told = -Wl,-rpath,'$$ORIGIN/../..' $(interp).so
ldlibs-tests/programs/told_r   = $(told)
ldlibs-tests/programs/told_tcl = $(told)
cflags-tests/programs/told_r   = -Iinclude
cflags-tests/programs/told_tcl = -Iinclude
$(O)/tests/programs/told_r.so $(O)/tests/programs/told_tcl.so: $(interp).so

# The walker's fuzz target: the kernel side as ordinary C, on the target's own process.
$(O)/tests/fuzz/fuzz_shadow: tests/fuzz/fuzz_shadow.c tests/fuzz/corpus.c $(host_objs) $(O)/jpbpf.a \
		$(interp).a Makefile
	@mkdir -p $(@D)
	$(call msg,FUZZ,$@)
	$(Q)$(host_cc) $(depflags) $(LDFLAGS) $< $(fuzz_main) $(host_objs) $(O)/jpbpf.a \
		$(interp).a $(lib_ldlibs) $(cmocka) -o $@
