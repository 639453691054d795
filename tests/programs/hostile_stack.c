/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native stacks that lead an unwinder astray.
 *
 *   hostile_stack kinds     each kind for a tenth of a second, in turn, under
 *                           the kind's name as that of the process
 *   hostile_stack storm     one long chain of frames, in pages that another
 *                           thread unmaps, protects, moves and fills anew as
 *                           fast as it can
 *
 * The code that burns never returns and uses no stack, so rsp, rbp and what they
 * point to can be anything; a signal on a stack of its own ends it.  Its unwind
 * information is true to the word: the caller's registers are where it says.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE  4096UL
#define AREA  (64UL << 20) /* bytes of stack */
#define WORDS (AREA / sizeof(uintptr_t))

#define UNMAPPED      0x10ul
#define KERNEL	      0xffff888000000000ul
#define NON_CANONICAL 0x8000000000000000ul

/*
 * burn_fp: CFA = rbp + 16, as in a function with a frame pointer.
 * burn_sp: CFA = rsp + 8, as at a function's entry.
 * burn_deref: CFA = *(rbp - 8), as in one that has realigned its stack.
 */
__asm__(".text\n"
	".globl burn_fp, burn_sp, burn_deref\n"
	".type burn_fp, @function\n"
	"burn_fp: .cfi_startproc\n"
	".cfi_def_cfa rbp, 16\n"
	".cfi_offset rbp, -16\n"
	"1: nop\n nop\n jmp 1b\n"
	".cfi_endproc\n .size burn_fp, . - burn_fp\n"
	".type burn_sp, @function\n"
	"burn_sp: .cfi_startproc\n"
	"1: nop\n nop\n jmp 1b\n"
	".cfi_endproc\n .size burn_sp, . - burn_sp\n"
	".type burn_deref, @function\n"
	"burn_deref: .cfi_startproc\n"
	".cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06\n"
	".cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00\n"
	"1: nop\n nop\n jmp 1b\n"
	".cfi_endproc\n .size burn_deref, . - burn_deref\n");

void burn_fp(void);
void burn_sp(void);
void burn_deref(void);

/* An address inside, so that the return address minus one is, too. */
#define INSIDE(f) ((uintptr_t)(f) + 2)

static uintptr_t *area;
static sigjmp_buf done;

struct start {
	void (*code)(void);
	uintptr_t rsp, rbp;
};

__attribute__((noreturn, noinline)) static void go(struct start s)
{
	__asm__ volatile("mov %0, %%rsp\n"
			 "mov %1, %%rbp\n"
			 "jmp *%2\n"
			 :
			 : "r"(s.rsp), "r"(s.rbp), "r"(s.code));
	__builtin_unreachable();
}

static void on_alarm(int signo)
{
	(void)signo;
	siglongjmp(done, 1);
}

/* A frame of burn_fp at word i, whose caller's rbp is given. */
static uintptr_t frame_at(size_t i, uintptr_t rbp)
{
	area[i] = rbp;
	area[i + 1] = INSIDE(burn_fp);
	return (uintptr_t)&area[i];
}

static uintptr_t word(size_t i)
{
	return (uintptr_t)&area[i];
}

static struct start by_fp(uintptr_t rbp)
{
	return (struct start){ burn_fp, word(0), rbp };
}

static struct start itself(void)
{
	return by_fp(frame_at(100, word(100)));
}

static struct start each_other(void)
{
	frame_at(100, word(200));
	return by_fp(frame_at(200, word(100)));
}

static struct start downwards(void)
{
	for (size_t i = 2; i < 100000; i += 2)
		frame_at(i, word(i - 2));
	return by_fp(word(99998));
}

static struct start endless(void)
{
	for (size_t i = 2; i + 2 < WORDS; i += 2)
		frame_at(i, word(i + 2));
	return by_fp(word(2));
}

static struct start far_apart(void)
{
	size_t i;

	for (i = 512; i + 513 < WORDS - 1; i += 513)
		frame_at(i, word(i + 513));
	frame_at(i, KERNEL);
	return by_fp(word(512));
}

static struct start narrow(void)
{
	for (size_t i = 0; i < WORDS; i++)
		area[i] = INSIDE(burn_sp);
	return (struct start){ burn_sp, word(8), 0 };
}

static struct start unmapped(void)
{
	return by_fp(frame_at(100, UNMAPPED));
}

static struct start kernel(void)
{
	return by_fp(frame_at(100, KERNEL));
}

static struct start non_canonical(void)
{
	return by_fp(frame_at(100, NON_CANONICAL));
}

static struct start wraps(void)
{
	return by_fp(frame_at(100, -(uintptr_t)8));
}

static struct start odd(void)
{
	char *at = (char *)area + PAGE - 13;
	uintptr_t frame[2] = { (uintptr_t)at + 7, INSIDE(burn_fp) };

	memcpy(at, frame, sizeof(frame));
	return by_fp((uintptr_t)at);
}

static struct start edge(void)
{
	return by_fp(frame_at(100, word(WORDS - 1)));
}

static struct start wild_rsp(void)
{
	return (struct start){ burn_sp, KERNEL + 64, NON_CANONICAL };
}

static struct start no_rsp(void)
{
	return (struct start){ burn_sp, UNMAPPED, UNMAPPED };
}

static struct start deref_itself(void)
{
	area[99] = word(102);
	area[100] = word(100);
	area[101] = INSIDE(burn_deref);
	return (struct start){ burn_deref, word(0), word(100) };
}

static struct start deref_wild(void)
{
	area[99] = NON_CANONICAL + 3;
	return (struct start){ burn_deref, word(0), word(100) };
}

struct kernel_sigaction {
	void (*handler)(int);
	unsigned long flags;
	uintptr_t restorer;
	unsigned long mask;
};

/* A signal frame that returns to itself. */
static struct start signals(void)
{
	struct kernel_sigaction action = { 0 };
	ucontext_t *context = (void *)&area[1000];

	syscall(SYS_rt_sigaction, SIGALRM, NULL, &action, 8);
	memset(context, 0, sizeof(*context));
	context->uc_mcontext.gregs[REG_RIP] = action.restorer;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)word(1000);
	area[999] = action.restorer;
	return (struct start){ burn_sp, word(999), 0 };
}

#define KIND(name)          \
	{                   \
#name, name \
	}

static const struct {
	const char *name;
	struct start (*make)(void);
} kinds[] = {
	KIND(itself),	  KIND(each_other), KIND(downwards),
	KIND(endless),	  KIND(far_apart),  KIND(narrow),
	KIND(unmapped),	  KIND(kernel),	    KIND(non_canonical),
	KIND(wraps),	  KIND(odd),	    KIND(edge),
	KIND(wild_rsp),	  KIND(no_rsp),	    KIND(deref_itself),
	KIND(deref_wild), KIND(signals),
};

static void run_kinds(void)
{
	const struct itimerval tenth = { .it_value.tv_usec = 100000 };

	for (volatile size_t i = 0;; i++) {
		size_t k = i % (sizeof(kinds) / sizeof(*kinds));
		struct start s = kinds[k].make();

		if (sigsetjmp(done, 1))
			continue;
		prctl(PR_SET_NAME, kinds[k].name);
		setitimer(ITIMER_REAL, &tenth, NULL);
		go(s);
	}
}

/* What can happen to a page, one after the other; the frames are put back. */
static void harm(char *page, unsigned how)
{
	const int both = PROT_READ | PROT_WRITE;
	const int fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	void *away;

	switch (how % 5) {
	case 0:
		madvise(page, PAGE, MADV_DONTNEED);
		break;
	case 1:
		mprotect(page, PAGE, PROT_NONE);
		mprotect(page, PAGE, both);
		break;
	case 2:
		munmap(page, PAGE);
		mmap(page, PAGE, both, fixed, -1, 0);
		break;
	case 3:
		away = mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			      (char *)area + AREA + PAGE);
		mmap(page, PAGE, both, fixed, -1, 0);
		if (away != MAP_FAILED)
			munmap(away, PAGE);
		break;
	default:
		madvise(page, PAGE, MADV_PAGEOUT);
	}
}

static void *storm(void *unused)
{
	unsigned n = 1;

	(void)unused;
	for (;;) {
		size_t first;

		n = n * 1103515245u + 12345u;
		first = (n >> 8) % 64 * (PAGE / 8);
		harm((char *)&area[first], n >> 24);
		for (size_t i = first; i < first + PAGE / 8; i += 2)
			frame_at(i, word(i + 2));
	}
	return NULL;
}

static void run_storm(void)
{
	pthread_t thread;

	endless();
	prctl(PR_SET_NAME, "storm");
	if (pthread_create(&thread, NULL, storm, NULL))
		exit(1);
	go(by_fp(word(2)));
}

int main(int argc, char **argv)
{
	const stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	const struct sigaction action = { .sa_handler = on_alarm,
					  .sa_flags = SA_ONSTACK };

	area = mmap(NULL, AREA + 4 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (argc != 2 || area == MAP_FAILED || sigaltstack(&stack, NULL) ||
	    sigaction(SIGALRM, &action, NULL) ||
	    munmap((char *)area + AREA, 4 * PAGE)) {
		fputs("usage: hostile_stack kinds | storm\n", stderr);
		return 2;
	}
	if (!strcmp(argv[1], "storm"))
		run_storm();
	run_kinds();
	return 0;
}
