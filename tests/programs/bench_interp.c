/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What entering and leaving takes, in ns above an empty call; the best of some runs.
 *
 *     bench_interp         prints "NAME NS" lines
 *     bench_interp DEPTH   enters so many frames in so many calls, and spins there
 *     bench_interp -DEPTH  only calls
 */
#include <jpbpf-interp.h>
#include <qprof.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS  15
#define CALLS 2000000

#define NOINLINE __attribute__((noinline, noclone))

static const struct jpi_method method = JPI_METHOD("function", "module",
						   "bench"),
			       other = JPI_METHOD("other", "module", "bench");
static volatile unsigned short semaphore[2];
static __typeof__(qprof_record_fn_entry) *entry;
static __typeof__(qprof_record_fn_exit) *leave;

static NOINLINE void empty(void)
{
	__asm__ volatile("");
}

static NOINLINE void inlined(void)
{
	jpi_mark mark = jpi_enter(&method, 1);

	__asm__ volatile("");
	jpi_leave(mark);
}

static NOINLINE void positions(void)
{
	jpi_mark mark = jpi_enter(&method, 1);

	jpi_at(mark, 7);
	__asm__ volatile("");
	jpi_leave(mark);
}

/* As an interpreter that reaches the library by functions. */
NOINLINE jpi_mark shared_enter(const struct jpi_method *m, uint64_t id)
{
	return jpi_enter_at(m, (uintptr_t)__builtin_dwarf_cfa(), id);
}

NOINLINE void shared_leave(jpi_mark mark)
{
	jpi_leave(mark);
}

static jpi_mark (*volatile enter_there)(const struct jpi_method *,
					uint64_t) = shared_enter;
static void (*volatile leave_there)(jpi_mark) = shared_leave;

static NOINLINE void shared(void)
{
	jpi_mark mark = enter_there(&method, 1);

	__asm__ volatile("");
	leave_there(mark);
}

static NOINLINE void ids(void)
{
	entry(7, 2);
	__asm__ volatile("");
	leave(1);
}

/* A USDT probe that is off costs a look at its semaphore. */
static NOINLINE void probes(void)
{
	if (semaphore[0])
		empty();
	__asm__ volatile("nop");
	if (semaphore[1])
		empty();
	__asm__ volatile("nop");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static double measure(void (*call)(void))
{
	double best = 1e9;

	for (int run = 0; run < RUNS; run++) {
		double begun = now(), ns;

		for (int i = 0; i < CALLS; i++)
			call();
		ns = (now() - begun) / CALLS;
		best = ns < best ? ns : best;
	}
	return best;
}

static NOINLINE void descend(int depth, int enters)
{
	jpi_mark mark =
		enters ? jpi_enter(depth % 2 ? &method : &other, depth) : 0;

	if (depth > 1)
		descend(depth - 1, enters);
	for (volatile int i = 1; i && depth == 1;)
		;
	jpi_leave(mark);
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
	double base;

	if (argc > 1 && atoi(argv[1])) {
		descend(abs(atoi(argv[1])), atoi(argv[1]) > 0);
		return 0;
	}
	if (!library) {
		fprintf(stderr, "usage: bench_interp 0 LIBRARY | DEPTH\n");
		return 2;
	}
	entry = (__typeof__(entry))dlsym(library, "qprof_record_fn_entry");
	leave = (__typeof__(leave))dlsym(library, "qprof_record_fn_exit");
	((__typeof__(qprof_initialize) *)dlsym(library, "qprof_initialize"))(
		NULL, NULL);
	((__typeof__(qprof_register_method_id) *)dlsym(
		library, "qprof_register_method_id"))(7, "seven", NULL, 0, NULL,
						      NULL, 0);
	entry(7, 1);
	jpi_enter(&method, 0);
	base = measure(empty);
	printf("inlined %.2f\n", measure(inlined) - base);
	printf("positions %.2f\n", measure(positions) - base);
	printf("shared %.2f\n", measure(shared) - base);
	printf("ids %.2f\n", measure(ids) - base);
	printf("probes %.2f\n", measure(probes) - base);
	printf("empty %.2f\n", base);
	return 0;
}
