/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Ground truth for time in the kernel: leaves that enter it and burn there.
 *
 *   kernel_time SECONDS TABLE
 *
 * truth_leaf_01 reads zeroes by a system call of its own, truth_leaf_02 touches
 * memory that is not there yet, truth_leaf_03 reads through the C library, and
 * truth_leaf_04 stays in user mode.  TABLE gets the expected stacks, in the form that
 * truth_tcl.tcl describes, without kernel frames.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT	   __attribute__((noipa, visibility("default")))
#define KEEP_FRAME __asm__ volatile("" : : : "memory")

#define SIZE (1u << 20)

static int zero;
static char *buffer;

EXPORT long truth_leaf_01(void);
EXPORT long truth_leaf_02(void);
EXPORT long truth_leaf_03(void);
EXPORT long truth_leaf_04(void);
EXPORT void kernel_outer(int path);
EXPORT void kernel_inner(int path);

/* Every callee-saved register is in use when the kernel is entered. */
EXPORT long truth_leaf_01(void)
{
	long got = SYS_read;

	__asm__ volatile("syscall"
			 : "+a"(got)
			 : "D"((long)zero), "S"(buffer), "d"((long)SIZE)
			 : "rbx", "rbp", "rcx", "r11", "r12", "r13", "r14",
			   "r15", "memory");
	return got;
}

EXPORT long truth_leaf_02(void)
{
	for (size_t at = 0; at < SIZE; at += 4096)
		*(volatile char *)(buffer + at) = 1;
	return 0;
}

EXPORT long truth_leaf_03(void)
{
	long got = read(zero, buffer, SIZE);

	KEEP_FRAME;
	return got;
}

EXPORT long truth_leaf_04(void)
{
	unsigned long x = 4;

	for (int i = 0; i < 200000; i++) {
		x = x * 6364136223846793005ul + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

EXPORT void kernel_inner(int path)
{
	static long (*const leaf[])(void) = { truth_leaf_01, truth_leaf_02,
					      truth_leaf_03, truth_leaf_04 };

	leaf[path]();
	KEEP_FRAME;
}

EXPORT void kernel_outer(int path)
{
	char room[72];

	__asm__ volatile("" : : "r"(room) : "memory");
	kernel_inner(path);
	__asm__ volatile("" : : "r"(room) : "memory");
}

int main(int argc, char *argv[])
{
	static const char *const what[] = { "a system call", "page faults",
					    "a system call of the C library",
					    "user mode" };
	FILE *table = argc == 3 ? fopen(argv[2], "w") : NULL;
	time_t end = time(NULL);

	if (!table)
		return 2;
	zero = open("/dev/zero", O_RDONLY);
	buffer = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(buffer, SIZE, MADV_NOHUGEPAGE);
	for (int i = 0; i < 4; i++)
		fprintf(table,
			"truth_leaf_0%d\t**;main;kernel_outer;kernel_inner;"
			"truth_leaf_0%d%s\t%s\n",
			i + 1, i + 1, i == 2 ? ";?~.*read.*|.libc.so.6.*" : "",
			what[i]);
	fclose(table);
	end += strtol(argv[1], NULL, 10);
	while (time(NULL) < end) {
		for (int path = 0; path < 4; path++) {
			kernel_outer(path);
			/* Gone again, for the faults. */
			madvise(buffer, SIZE, MADV_DONTNEED);
		}
	}
	return 0;
}
