# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# How the programs to be profiled differ from the Makefile's rule for
# tests/programs/*.c, by its hooks cflags-PATH and ldlibs-PATH.
#
# The truth programs are built as they come from a distribution: optimised, no
# frame pointers, no debug information, stripped.  The demos keep their symbols.
#
# By hand:
#   gcc -std=gnu11 -O2 -fomit-frame-pointer -g0 -s -fPIC -shared \
#       -DUSE_TCL_STUBS -I/usr/include/tcl8.6 truth_tcl.c -ltclstub8.6 \
#       -o truth_tcl.so
#   gcc -std=gnu11 -O2 -fomit-frame-pointer -g0 -s -fPIC -shared \
#       -fopenmp -I/usr/share/R/include truth_r.c -o truth_r.so
#   gcc -std=gnu11 -O2 -fomit-frame-pointer -g0 -s -rdynamic deep.c -o deep

truth_cflags = -fomit-frame-pointer -g0 -s

cflags-tests/programs/truth_tcl = $(truth_cflags)
cflags-tests/programs/truth_r   = $(truth_cflags) -fopenmp
cflags-tests/programs/deep      = $(truth_cflags) -rdynamic
cflags-tests/programs/bounds    = $(truth_cflags) -rdynamic
cflags-tests/programs/first     = $(truth_cflags) -rdynamic
cflags-tests/programs/first_late = $(truth_cflags)

# Two programs at one address.
cflags-tests/programs/hop_one = -fomit-frame-pointer -g0 -no-pie -fno-pic
cflags-tests/programs/hop_two = $(cflags-tests/programs/hop_one)

# Started a million times.
ldlibs-tests/programs/births = -static

# Tcl in the program itself, loaded at a fixed address.
cflags-tests/programs/static_tcl = $(truth_cflags) $(tclinc) -no-pie
ldlibs-tests/programs/static_tcl = -Wl,-Bstatic $(tcllib) -Wl,-Bdynamic -lz -ldl

# R in a program that has copies of its variables.
cflags-tests/programs/truth_r_embed = $(truth_cflags) -rdynamic -no-pie -fno-pic \
	-pthread $(rinc)
ldlibs-tests/programs/truth_r_embed = $(shell $(PKG_CONFIG) --libs libR)

# Services with an interpreter in them, which keep their symbols; with Tcl in its library,
# linked in between the service's own files, and that stripped.
embed       := $(O)/tests/programs/embed
embed_cflags = -fomit-frame-pointer -g0
embed_cc     = $(CC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall $(werror) $(embed_cflags) \
	$(tclinc)
cflags-tests/programs/embed_r   = $(embed_cflags) $(rinc)
ldlibs-tests/programs/embed_r   = $(rlib)
cflags-tests/programs/embed_tcl = $(embed_cflags) $(tclinc)
ldlibs-tests/programs/embed_tcl = $(embed)_late.o $(tcllib)
tests asan: $(embed)_stripped
$(embed)_tcl: $(embed)_late.o
$(embed)_late.o: tests/programs/embed_late.c tests/programs/embed_tcl.h Makefile
	@mkdir -p $(@D)
	$(call msg,PROG,$@)
	$(Q)$(embed_cc) -c $< -o $@
$(embed)_static: tests/programs/embed_tcl.c $(embed)_late.o Makefile
	$(call msg,PROG,$@)
	$(Q)$(embed_cc) $(depflags) $< -Wl,-Bstatic $(tcllib) -Wl,-Bdynamic \
		$(embed)_late.o -lz -ldl -lm -pthread -o $@
$(embed)_stripped: $(embed)_static
	$(call msg,PROG,$@)
	$(Q)strip $< -o $@

cflags-tests/programs/toy       = $(embed_cflags) -rdynamic $(rinc)
ldlibs-tests/programs/toy       = $(rlib)

# They touch structures that only Tcl's private headers describe.
private_cflags = $(truth_cflags) \
	$(patsubst %,%/tcl-private/generic,$(tclinc)) \
	$(patsubst %,%/tcl-private/unix,$(tclinc))
cflags-tests/programs/hostile = $(private_cflags)
cflags-tests/programs/churn   = $(private_cflags) -fno-partial-inlining
cflags-tests/programs/kernel_time = $(truth_cflags) -rdynamic

# With the C library in it, whose functions then have their names everywhere.
cflags-tests/programs/jump = -fomit-frame-pointer -g0 -static

# Of C++, which the demo does not need.
throws := $(O)/tests/programs/throws
tests asan: $(throws)
$(throws): tests/programs/throws.cpp Makefile
	@mkdir -p $(@D)
	$(call msg,PROG,$@)
	$(Q)g++ -std=gnu++17 -O1 -g -Wall $(werror) $< -o $@

# Of C++, Fortran and assembly, which the demo does not need.
kinds      := $(O)/tests/programs/kinds
kinds_srcs := tests/programs/kinds.cpp tests/programs/kinds_asm.S
tests asan: $(kinds)
$(kinds): $(kinds_srcs) tests/programs/kinds.f90 tests/programs/truth_leaf.h Makefile
	@mkdir -p $(@D)
	$(call msg,PROG,$@)
	$(Q)gfortran -O2 -fno-inline -c tests/programs/kinds.f90 -o $@.fortran.o
	$(Q)g++ -std=gnu++17 -O2 -fomit-frame-pointer -Wall $(werror) -rdynamic \
		$(kinds_srcs) $@.fortran.o -lgfortran -pthread -o $@

# The stack language, in each way in which the library can be in a program: in the program
# itself, as a shared library, loaded later, static, with another C library, from C++.
calc       := $(O)/tests/programs/calc
calc_cc     = $(CC) -std=gnu11 -O2 -fomit-frame-pointer -g0 -Wall $(werror) -Iinclude
calc_musl   = $(shell command -v musl-gcc)
calcs      := $(calc)_so $(calc)_static $(calc)_cxx $(calc).so $(calc)_load \
	$(if $(calc_musl),$(calc)_musl $(calc)_musl_static)
cflags-tests/programs/calc  = -fomit-frame-pointer -g0 -rdynamic -Iinclude
ldlibs-tests/programs/calc  = $(interp).a -pthread
$(calc): $(interp).a
tests asan: $(calcs)
$(calcs): tests/programs/calc.c $(interp).so $(interp).a $(wildcard lib/*.[ch]) tests/programs/programs.mk
$(calc)_so:
	$(call msg,PROG,$@)
	$(Q)$(calc_cc) -rdynamic $< $(interp).so -Wl,-rpath,'$$ORIGIN/../..' -pthread -o $@
$(calc)_static:
	$(call msg,PROG,$@)
	$(Q)$(calc_cc) -static $< $(interp).a -pthread -o $@
$(calc)_cxx: tests/programs/calc_cxx.cpp
	$(call msg,PROG,$@)
	$(Q)g++ -std=gnu++17 -O2 -fomit-frame-pointer -g0 -Wall -Wextra $(werror) -rdynamic -Iinclude \
		$(filter %.cpp,$^) $(interp).a -pthread -o $@
# A copy of its own, in a library.
$(calc).so:
	$(call msg,PROG,$@)
	$(Q)$(calc_cc) -fPIC -shared -Dmain=calc_main $< $(interp).a -pthread -o $@
$(calc)_load: tests/programs/calc_load.c
	$(call msg,PROG,$@)
	$(Q)$(calc_cc) -rdynamic $(filter %_load.c,$^) $(interp).a -ldl -pthread -o $@
$(calc)_musl:
	$(call msg,PROG,$@)
	$(Q)$(calc_musl) -std=gnu11 -O2 -fomit-frame-pointer -Iinclude -I. -DNO_CONTEXT -rdynamic $< \
		lib/interp.c -o $@
$(calc)_musl_static:
	$(call msg,PROG,$@)
	$(Q)$(calc_musl) -static -std=gnu11 -O2 -fomit-frame-pointer -Iinclude -I. -DNO_CONTEXT $< \
		lib/interp.c -o $@
