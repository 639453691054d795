/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Ground truth for setjmp() and longjmp(): leaves that jump back and forth.
 *
 *   jump SECONDS TABLE
 *
 * A sample in one of these leaves is in setjmp(), in longjmp(), on the way there, or in
 * the leaf itself.  In the last instructions of longjmp() the stack is already that of
 * where it goes: its caller is the leaf then, and jump_back and what called that are
 * gone.  TABLE gets the expected stacks, in the form that truth_tcl.tcl describes.
 */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((noipa, visibility("default")))

/* The function stays on the stack while what it calls runs. */
#define KEEP_FRAME __asm__ volatile("" : : : "memory")

#define TURNS 20000

/* What a program that is built with _FORTIFY_SOURCE calls. */
__attribute__((noreturn)) void __longjmp_chk(jmp_buf env, int value);

static sigjmp_buf env;

EXPORT void truth_leaf_01(void);
EXPORT void truth_leaf_02(void);
EXPORT void truth_leaf_03(void);
EXPORT void truth_leaf_04(void);
EXPORT void truth_leaf_05(void);
EXPORT void jump_back(void);
EXPORT void jump_checked(void);
EXPORT void jump_with_mask(void);
EXPORT void jump_deep(int depth);
EXPORT void jump_outer(int path);

EXPORT void jump_back(void)
{
	longjmp(env, 1);
}

EXPORT void jump_checked(void)
{
	__longjmp_chk(env, 1);
}

EXPORT void jump_with_mask(void)
{
	siglongjmp(env, 1);
}

EXPORT void jump_deep(int depth)
{
	char room[200];

	__asm__ volatile("" : : "r"(room) : "memory", "rbx", "r12", "r15");
	if (depth > 1)
		jump_deep(depth - 1);
	else
		jump_back();
	KEEP_FRAME;
}

EXPORT void truth_leaf_01(void)
{
	for (volatile int i = 0; i < TURNS; i++)
		if (!_setjmp(env))
			jump_back();
}

EXPORT void truth_leaf_02(void)
{
	for (volatile int i = 0; i < TURNS; i++)
		if (!_setjmp(env))
			jump_deep(3);
}

/* Its caller can be found by rbp only, which longjmp() brings back. */
EXPORT void truth_leaf_03(void)
{
	volatile int i = 0;
	char *room = alloca((size_t)env & 128);

	__asm__ volatile("" : : "r"(room) : "memory");
	for (; i < TURNS; i++)
		if (!_setjmp(env))
			jump_deep(1);
}

EXPORT void truth_leaf_04(void)
{
	for (volatile int i = 0; i < TURNS; i++)
		if (!_setjmp(env))
			jump_checked();
}

/* With system calls for the mask of signals. */
EXPORT void truth_leaf_05(void)
{
	for (volatile int i = 0; i < TURNS / 4; i++)
		if (!sigsetjmp(env, 1))
			jump_with_mask();
}

EXPORT void jump_outer(int path)
{
	static void (*const leaf[])(void) = { truth_leaf_01, truth_leaf_02,
					      truth_leaf_03, truth_leaf_04,
					      truth_leaf_05 };

	leaf[path]();
	KEEP_FRAME;
}

/* Inward of the leaf: how it jumps, and the C library's own functions. */
static const struct {
	const char *by, *what;
} paths[] = {
	{ "?jump_back", "from a function that the leaf calls" },
	{ "?jump_deep;?jump_deep;?jump_deep;?jump_back",
	  "from four calls further in" },
	{ "?jump_deep;?jump_back", "to a frame that counts from rbp" },
	{ "?jump_checked", "checked" },
	{ "?jump_with_mask", "with the mask of signals" },
};

/* clang-format off */
#define LIBRARY \
	"_*(libc_)?(sig)?(set|long)jmp(_chk|_unwind)?|__sigjmp_save|" \
	"__pthread_cleanup_upto|_*(sigprocmask|pthread_sigmask)"
/* clang-format on */

#define PATHS (int)(sizeof(paths) / sizeof(*paths))

int main(int argc, char *argv[])
{
	FILE *table = argc == 3 ? fopen(argv[2], "w") : NULL;
	time_t end = time(NULL);

	if (!table)
		return 2;
	for (int i = 0; i < PATHS; i++)
		fprintf(table,
			"truth_leaf_0%d\t**;main;jump_outer;truth_leaf_0%d;%s;"
			"**~" LIBRARY "\t%s\n",
			i + 1, i + 1, paths[i].by, paths[i].what);
	fclose(table);
	end += strtol(argv[1], NULL, 10);
	while (time(NULL) < end)
		for (int path = 0; path < PATHS; path++)
			jump_outer(path);
	return 0;
}
