/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What jpbpf-interp.h does not do inline.
 *
 * A thread begins with a stack that has no room (`nothing`), so its first enter comes here and
 * makes one.  A stack is mapped with all its room, and takes memory as far as it is used.  The
 * destructor of a pthread key unmaps it when the thread ends.  After fork() the child has
 * copies of everything.
 */
#define _GNU_SOURCE
#define JPI_API __attribute__((visibility("default")))
#include <jpbpf-interp.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_ROOM 65536

static struct jpi_stack nothing;
JPI_TLS struct jpi_thread jpi_thread = { &nothing, 0 };

static size_t room = MOST_ROOM;
static pthread_key_t at_exit;
static int has_key;

#define AT(type, member) offsetof(struct type, member)

__attribute__((visibility("hidden"))) struct jpi_process jpi_process = {
	.major = JPI_MAJOR,
	.minor = JPI_MINOR,
	.size = sizeof(struct jpi_process),
	.thread_stack = AT(jpi_thread, stack),
	.thread_count = AT(jpi_thread, count),
	.stack_depth = AT(jpi_stack, depth),
	.stack_room = AT(jpi_stack, room),
	.stack_outer = AT(jpi_stack, outer),
	.stack_low = AT(jpi_stack, low),
	.stack_high = AT(jpi_stack, high),
	.stack_rebased = AT(jpi_stack, rebased),
	.stack_rebase_key = AT(jpi_stack, rebase_key),
	.stack_name = AT(jpi_stack, name),
	.stack_from = AT(jpi_stack, from),
	.stack_from_low = AT(jpi_stack, from_low),
	.stack_frames = sizeof(struct jpi_stack),
	.frame_size = sizeof(struct jpi_frame),
	.frame_method = AT(jpi_frame, method),
	.frame_key = AT(jpi_frame, key),
	.frame_at = AT(jpi_frame, at),
	.method_flags = AT(jpi_method, flags),
	.method_name = AT(jpi_method, name),
	.method_scope = AT(jpi_method, scope),
	.method_file = AT(jpi_method, file),
	.method_line = AT(jpi_method, line),
	.method_lines = AT(jpi_method, lines),
	.method_code = AT(jpi_method, code),
};

/* The distance is known when the file is linked, so nothing has to be relocated.  Binutils
 * reject a note that is aligned to more than 4 bytes. */
__asm__(".pushsection .note.jpbpf, \"a\", %note\n"
	"	.balign 4\n"
	"	.long 6, 2f - 1f, 1\n"
	"	.asciz \"jpbpf\"\n"
	"	.balign 4\n"
	"1:	.long 1, 0\n"
	"	.quad jpi_process - .\n"
	"2:	.balign 4\n"
	".popsection\n");

static uintptr_t thread_pointer(void)
{
	uintptr_t tp;

#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(tp));
#endif
	return tp;
}

static size_t bytes_of(size_t n)
{
	return sizeof(struct jpi_stack) + n * sizeof(struct jpi_frame);
}

struct jpi_stack *jpi_stack_new(const char *name, const void *low,
				const void *high)
{
	struct jpi_stack *s =
		mmap(NULL, bytes_of(room), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	s->room = room;
	s->name = name;
	s->low = (uintptr_t)low;
	s->high = (uintptr_t)high;
	return s;
}

void jpi_stack_free(struct jpi_stack *s)
{
	struct jpi_stack *now = jpi_thread.stack;

	if (!s || s == &nothing)
		return;
	/* The memory of its C stack may become the C stack of another one. */
	if (now->from == s)
		now->from_low = now->from_high;
	munmap(s, bytes_of(s->room));
}

static void thread_ends(void *stack)
{
	jpi_thread.stack = &nothing;
	JPI_ORDER();
	jpi_stack_free(stack);
}

/* Before all other constructors, which may enter something. */
__attribute__((constructor(101))) static void begin(void)
{
	has_key = !pthread_key_create(&at_exit, thread_ends);
	jpi_process.thread = (intptr_t)&jpi_thread - (intptr_t)thread_pointer();
	JPI_ORDER();
	memcpy(jpi_process.magic, "JPBPF-I", sizeof(jpi_process.magic));
}

/* This file may be unmapped next, with what the key would call. */
__attribute__((destructor)) static void end(void)
{
	jpi_shutdown();
	if (has_key)
		pthread_key_delete(at_exit);
	has_key = 0;
}

int jpi_init(const char *language, size_t most)
{
	if (!jpi_process.language) {
		jpi_process.language = language;
		if (most && most < MOST_ROOM)
			room = most;
	}
	return has_key ? 0 : -EAGAIN;
}

void jpi_shutdown(void)
{
	jpi_process.magic[0] = 0;
	JPI_ORDER();
}

/* A signal handler may come here, too, while this does. */
static struct jpi_stack *first(void)
{
	struct jpi_stack *s = has_key ? jpi_stack_new(NULL, NULL, NULL) : NULL;

	if (!s)
		return NULL;
	if (!__sync_bool_compare_and_swap(&jpi_thread.stack, &nothing, s)) {
		jpi_stack_free(s);
		return jpi_thread.stack;
	}
	pthread_setspecific(at_exit, s);
	return s;
}

jpi_mark jpi_enter_slow(const struct jpi_method *m, uintptr_t key, uint64_t id)
{
	struct jpi_stack *s = jpi_thread.stack;

	if (s != &nothing)
		return s->depth++;
	return first() ? jpi_enter_at(m, key, id) : 0;
}

void jpi_leave_slow(jpi_mark mark)
{
	struct jpi_stack *s = jpi_thread.stack;

	if (s != &nothing)
		s->depth = mark;
}

static size_t kept(const struct jpi_stack *s)
{
	return s->depth < s->room ? s->depth : s->room;
}

void jpi_exit_to(uint64_t id)
{
	struct jpi_stack *s = jpi_thread.stack;
	const struct jpi_frame *f = jpi_frames(s);
	size_t n = kept(s);

	while (n && (!f[n - 1].method || f[n - 1].id != id))
		n--;
	if (n < s->depth)
		jpi_leave(n);
}

const struct jpi_method *jpi_method_now(void)
{
	size_t n = kept(jpi_thread.stack);

	return n ? jpi_frames(jpi_thread.stack)[n - 1].method : NULL;
}

void jpi_name(const char *name)
{
	if (jpi_thread.stack != &nothing || first())
		jpi_thread.stack->name = name;
}

const char *jpi_option(const char *name)
{
	static __thread char value[256];
	const char *at = getenv("JPI_OPTIONS");
	size_t len = strlen(name);

	for (; at && *at; at += strspn(at, ",")) {
		size_t n = strcspn(at, ",");

		if (n >= len && !memcmp(at, name, len) &&
		    (n == len || at[len] == '=')) {
			len += n > len; /* the "=" */
			n -= len;
			n = n < sizeof(value) ? n : sizeof(value) - 1;
			memcpy(value, at + len, n);
			value[n] = 0;
			return value;
		}
		at += n;
	}
	return NULL;
}
