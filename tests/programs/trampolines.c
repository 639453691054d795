/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions whose returns are probed, by probes (uretprobe) that the program sets itself:
 * nested, recursive, jumped to, and left by longjmp().
 *
 *   trampolines TABLE SECONDS
 *
 * TABLE gets a line for each leaf, as tests/root/exact reads it.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE  __attribute__((noinline, noclone))
#define SPINS	  20000
#define END(text) __asm__ volatile("# " text ::: "memory")

static jmp_buf back;
static volatile unsigned spun;

/* Each leaf takes some microseconds. */
#define LEAF(n)                                      \
	NOINLINE void truth_leaf_##n(void)           \
	{                                            \
		for (unsigned i = 0; i < SPINS; i++) \
			spun += i;                   \
	}
LEAF(01)
LEAF(02)
LEAF(03)
LEAF(04)

NOINLINE void probed_inner(void)
{
	truth_leaf_01();
	END("inner");
}

NOINLINE void unprobed(void)
{
	probed_inner();
	END("unprobed");
}

NOINLINE void probed_outer(void)
{
	unprobed();
	END("outer");
}

NOINLINE void probed_recursive(int n)
{
	if (n)
		probed_recursive(n - 1);
	else
		truth_leaf_02();
	END("recursive");
}

NOINLINE void probed_target(void)
{
	truth_leaf_03();
	END("target");
}

/* Jumps to its callee, which has the same place on the stack. */
NOINLINE __attribute__((optimize("O2"))) void probed_jumper(void)
{
	probed_target();
}

NOINLINE void probed_thrower(int n)
{
	if (n)
		probed_thrower(n - 1);
	if (!n)
		longjmp(back, 1);
	END("thrower");
}

NOINLINE void probed_after(void)
{
	truth_leaf_04();
	END("after");
}

NOINLINE void probed_catcher(void)
{
	if (!setjmp(back))
		probed_thrower(3);
	probed_after();
	END("catcher");
}

/* Sleeps with probed functions around it. */
NOINLINE void probed_sleeper(void)
{
	struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
	END("sleeper");
}

static int type_of_uprobes(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	int type = -1;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	return type;
}

/* In the file, code lies where it lies from the program's begin. */
static int probe(int type, void (*fn)(void), uintptr_t base)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = 1, /* the return */
		.config1 = (uintptr_t) "/proc/self/exe",
		.config2 = (uintptr_t)fn - base,
		.sample_period = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void put_table(const char *path)
{
	static const char *const line[] = {
		"01\t**;main;probed_outer;unprobed;probed_inner;truth_leaf_01\tnested",
		"02\t**;main;probed_recursive;probed_recursive;probed_recursive;truth_leaf_02\trecursive",
		"03\t**;main;probed_target;truth_leaf_03\tjumped to",
		"04\t**;main;probed_catcher;probed_after;truth_leaf_04\tafter longjmp()",
	};
	FILE *f = fopen(path, "w");

	for (size_t i = 0; f && i < sizeof(line) / sizeof(*line); i++)
		fprintf(f, "truth_leaf_%s\n", line[i]);
	if (f)
		fclose(f);
}

extern const char __executable_start[];

int main(int argc, char **argv)
{
	void (*const probed[])(void) = {
		probed_inner,  probed_outer,   (void (*)(void))probed_recursive,
		probed_target, probed_jumper,  (void (*)(void))probed_thrower,
		probed_after,  probed_catcher, probed_sleeper,
	};
	int type = type_of_uprobes();
	time_t end;

	if (argc != 3)
		return 2;
	put_table(argv[1]);
	for (size_t i = 0; i < sizeof(probed) / sizeof(*probed); i++)
		if (probe(type, probed[i], (uintptr_t)__executable_start) < 0) {
			perror("trampolines: no probe");
			return 1;
		}
	puts("ready");
	fflush(stdout);
	end = time(NULL) + atoi(argv[2]);
	while (time(NULL) < end) {
		probed_outer();
		probed_recursive(2);
		probed_jumper();
		probed_catcher();
		probed_sleeper();
	}
	return 0;
}
