/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A small stack language that tells its activations, as ground truth for its profiler.
 *
 *     calc [-t THREADS] [-s SEED] [-k] [-c] [-g]
 *
 * Each word of the language is run by a C function of its own: word_3() runs the word w3, and
 * words of an even number also enter a block b2, ... in the same C frame.  So the native stack
 * says which script frames must be in it:
 *
 *   word_K  is followed by wK, for an even K then by bK.  The innermost word of a stack can
 *           lack them: it is just being entered or left.
 *   throw_  The words inward of the handler are left already; it says how many words go on in
 *           its name: throw_to() runs in a word's frame, and those below may lack theirs.
 *   root_N  A coroutine's own C stack begins.  Outward of it there is the script stack of who
 *           resumed it; the coroutine's name is that stack, joined by "-".
 *   gen_    Runs a generator: a coroutine without C stack.  Its frames g1 and g2 have lost the
 *           C frames that entered them.
 *
 * -k: signals whose handler enters a word; -c: coroutines; -g: generators.
 */
#include <jpbpf-interp.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#ifndef NO_CONTEXT
#include <ucontext.h>
#endif
#include <unistd.h>

#define WORDS	   8
#define MOST_DEPTH 14
#define STACK	   (256 << 10)

#define NOINLINE __attribute__((noinline, noclone))

struct handler {
	jmp_buf jump;
	jpi_mark mark;
	int words; /* of the truth that go on */
	struct handler *outer;
};

static __thread uint64_t seed;
static __thread struct handler *handler;
static __thread char truth[64][4]; /* the script frames, the outermost first */
static __thread int words, depth;
static __thread uint64_t done; /* words that began */
static bool with_coroutines, with_generators;

#define WORD(n)                                   \
	static const struct jpi_method w##n =     \
		JPI_METHOD("w" #n, NULL, "calc"), \
				       b##n = JPI_METHOD("b" #n, NULL, "calc")
WORD(0);
WORD(1);
WORD(2);
WORD(3);
WORD(4);
WORD(5);
WORD(6);
WORD(7);
static const struct jpi_method g1 = JPI_METHOD("g1", "gen", "calc"),
			       g2 = JPI_METHOD("g2", "gen", "calc"),
			       on_alarm = JPI_METHOD("alarm", NULL, "calc");

static uint32_t number(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % below;
}

static void push(const char *name)
{
	strcpy(truth[words++], name);
}

static NOINLINE void spin(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}

static void run(void);

/* An error: all down to the handler is left, then control goes there. */
static NOINLINE void throw_to(struct handler *h)
{
	jpi_leave(h->mark);
	spin(50);
	longjmp(h->jump, 1);
}

static NOINLINE void catch_(void)
{
	struct handler h = { .outer = handler, .words = words };
	volatile int was = depth;

	h.mark = jpi_thread.stack->depth;
	handler = &h;
	if (!setjmp(h.jump))
		run();
	words = h.words;
	depth = was;
	handler = h.outer;
}

/* ------------------------------------------------------------- coroutines */
#ifndef NO_CONTEXT /* musl has none */

struct coroutine {
	ucontext_t here, resumer;
	struct jpi_stack *stack, *back;
	char name[256];
	void *memory;
};

static __thread struct coroutine *resumed;

static NOINLINE void root_(void)
{
	struct coroutine *c = resumed;

	run();
	jpi_switch(c->back);
	swapcontext(&c->here, &c->resumer);
}

static NOINLINE void resume_(void)
{
	struct coroutine *c = calloc(1, sizeof(*c)), *was = resumed;
	struct handler *outer = handler;
	int had = depth;

	c->memory = malloc(STACK);
	for (int i = 0; i < words; i++) {
		strcat(c->name, i ? "-" : "");
		strcat(c->name, truth[i]);
	}
	c->stack = jpi_stack_new(c->name, c->memory, (char *)c->memory + STACK);
	getcontext(&c->here);
	c->here.uc_stack.ss_sp = c->memory;
	c->here.uc_stack.ss_size = STACK;
	makecontext(&c->here, root_, 0);
	resumed = c;
	handler = NULL;
	depth = MOST_DEPTH - 4;
	c->back = jpi_resume(c->stack);
	swapcontext(&c->resumer, &c->here);
	depth = had;
	handler = outer;
	resumed = was;
	jpi_stack_free(c->stack);
	free(c->memory);
	free(c);
}

#else
static __thread void *resumed;
static void resume_(void)
{
}
#endif

/* Its frames are entered in C frames that are gone when it goes on. */
static NOINLINE void gen_first(struct jpi_stack *back)
{
	jpi_enter(&g1, 0);
	spin(50);
	jpi_enter(&g2, 0);
	spin(50);
	/* Before these C frames go. */
	jpi_switch(back);
}

static NOINLINE void gen_(void)
{
	struct jpi_stack *s = jpi_stack_new("gen", NULL, NULL), *back;

	if (!s)
		return;
	back = jpi_resume(s);
	gen_first(back);
	spin(100);
	for (int i = 0; i < 3; i++) {
		jpi_rebase(s);
		jpi_resume(s);
		spin(200);
		jpi_switch(back);
	}
	jpi_stack_free(s);
}

/* ------------------------------------------------------------------ words */

static NOINLINE void call_back(void)
{
	spin(20);
	run();
}

static void act(void)
{
	uint32_t what = number(20);

	spin(100);
	if (what < 8)
		run();
	else if (what < 11)
		call_back();
	else if (what < 13)
		catch_();
	else if (what < 15 && handler)
		throw_to(handler);
	else if (what == 15 && with_coroutines && !resumed)
		resume_();
	else if (what == 16 && with_generators)
		gen_();
	spin(30);
}

#define RUN(n)                                           \
	static NOINLINE void word_##n(void)              \
	{                                                \
		int had = words;                         \
		jpi_mark mark = jpi_enter(&w##n, n);     \
                                                         \
		push("w" #n);                            \
		if ((n) % 2 == 0) {                      \
			jpi_enter(&b##n, n);             \
			push("b" #n);                    \
		}                                        \
		jpi_count(++done);                       \
		for (uint32_t i = number(3) + 1; i; i--) \
			act();                           \
		jpi_leave(mark);                         \
		words = had;                             \
	}
RUN(0)
RUN(1)
RUN(2)
RUN(3)
RUN(4)
RUN(5)
RUN(6)
RUN(7)

static void run(void)
{
	static void (*const word[WORDS])(void) = { word_0, word_1, word_2,
						   word_3, word_4, word_5,
						   word_6, word_7 };

	if (depth >= MOST_DEPTH)
		return;
	depth++;
	word[number(WORDS)]();
	depth--;
}

static NOINLINE void handle(int signal)
{
	jpi_mark mark = jpi_enter(&on_alarm, 0);

	(void)signal;
	spin(500);
	jpi_leave(mark);
}

/* Says how many words have begun in this thread. */
static void say(int signal)
{
	char text[32];

	(void)signal;
	if (write(1, text,
		  snprintf(text, sizeof(text), "%llu\n",
			   (unsigned long long)done)) < 0)
		_exit(1);
}

static NOINLINE void *thread(void *number_)
{
	seed = (uint64_t)number_ * 0x9e3779b97f4a7c15ull + 1;
	for (;;) {
		words = depth = 0;
		catch_();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct itimerval often = { { 0, 700 }, { 0, 700 } };
	int threads = 1, c, from = 1;
	pthread_t id;

	while ((c = getopt(argc, argv, "t:s:kcg")) != -1) {
		if (c == 't')
			threads = atoi(optarg);
		else if (c == 's')
			from = atoi(optarg);
		else if (c == 'k')
			signal(SIGPROF, handle),
				setitimer(ITIMER_PROF, &often, NULL);
		with_coroutines |= c == 'c';
		with_generators |= c == 'g';
	}
	signal(SIGUSR1, say);
	jpi_init("calc", 0);
	while (--threads > 0)
		pthread_create(&id, NULL, thread,
			       (void *)(uintptr_t)(from + threads));
	thread((void *)(uintptr_t)from);
	return 1;
}
