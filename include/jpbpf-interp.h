/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How an interpreter tells a profiler what it is running.
 *
 * Each thread keeps a stack of frames in its own memory: the activations that it has entered
 * and not left.  Nobody is called and nothing is sent.  A profiler outside stops the thread
 * at any instruction and reads the frames.  So a store has to come in order as the thread
 * itself sees it, and no more: there is no atomic operation, fence or system call.
 *
 *     static const struct jpi_method method = JPI_METHOD("fib", "math", "math.x");
 *     jpi_mark mark = jpi_enter(&method, 0);
 *     ...                       the interpreter runs fib
 *     jpi_leave(mark);
 *
 * What a reader finds: `depth` frames, the outermost first.  It passes over a frame whose
 * method is NULL: such a frame is just being entered or left.  All others are complete.
 *
 *   enter   The frame gets no method, then it is counted, then filled, and its method comes
 *           last.  A signal handler that enters frames in between takes those behind it.
 *   leave   The frame is uncounted first.  The method goes second: in the other order, a
 *           reader could see a hole in the middle while several are left at once.
 *   switch  One store; there is no moment in between.
 *
 * A frame's key is the stack pointer of the C function that entered it.  By the key the
 * profiler puts the frame between the right C functions.
 */
#ifndef JPBPF_INTERP_H
#define JPBPF_INTERP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JPI_MAJOR 1 /* a reader of another one would misunderstand */
#define JPI_MINOR 0 /* later ones have more members at the ends */

#ifndef JPI_API
#define JPI_API
#endif

/* From the offset `at` up to the next one's, code is of this line.  Before the first offset it
 * is of the first line. */
struct jpi_line {
	uint32_t at, line;
};

enum jpi_flag {
	JPI_BLOCKS = 1 << 0, /* it keeps others from running */
	JPI_WAITS = 1 << 1,  /* it waits for the system */
	/* jpi_at() is told where the position is, not the position: the reader loads it. */
	JPI_AT_POINTS = 1 << 2,
};

/* A function of the language.  Neither it nor what it points to may change, or be freed, while
 * it is entered. */
struct jpi_method {
	uint32_t size; /* sizeof(struct jpi_method) */
	uint32_t flags;
	const char *name;  /* not NULL */
	const char *scope; /* class or module; NULL: none */
	const char *file;  /* NULL: not known */
	const struct jpi_line
		*line; /* by `at`, ascending; NULL: positions are lines */
	uint64_t lines;
	uint64_t code; /* is subtracted from a position before it is sought */
	uint64_t user; /* the interpreter's own */
};

#define JPI_METHOD(name, scope, file)                                        \
	{                                                                    \
		sizeof(struct jpi_method), 0, (name), (scope), (file), NULL, \
			0, 0, 0                                              \
	}

struct jpi_frame {
	const struct jpi_method *method; /* NULL: it is being entered or left */
	uintptr_t key;
	uint64_t id; /* the interpreter's */
	uint64_t at; /* its position; 0: not known */
};

/* Frames follow it. */
struct jpi_stack {
	uint64_t
		depth; /* can be more than room: the innermost frames are not kept then */
	uint64_t room;
	struct jpi_stack *outer; /* who resumed it; NULL: nobody */
	/* The C stack that its frames are on; 0: that of the thread, or of outer. */
	uintptr_t low, high;
	/* The outermost so many frames stand at rebase_key, not at their own keys. */
	uint64_t rebased;
	uintptr_t rebase_key;
	const char *name; /* of the coroutine; NULL: none */
	/* The stack from which the thread has switched to this one last, and the C stack of its
	 * own.  The bounds are copies, because that stack may be freed before a reader looks. */
	struct jpi_stack *from;
	uintptr_t from_low, from_high;
};

struct jpi_thread {
	struct jpi_stack *stack;
	uint64_t count; /* see jpi_count() */
};

/* What a reader has to know of a process.  A note of the file, of the name "jpbpf" and the type 1, says
 * where it is: a version (4 bytes, 1), 4 bytes of zeroes, and the distance from the following
 * 8 bytes, in which the distance stands, to this struct. */
struct jpi_process {
	char magic[8]; /* "JPBPF-I" while there is something to be read */
	uint16_t major, minor;
	uint32_t size;
	int64_t thread; /* of jpi_thread, from the thread pointer */
	/* Offsets of members, and a size. */
	uint16_t thread_stack, thread_count;
	uint16_t stack_depth, stack_room, stack_outer, stack_low, stack_high;
	uint16_t stack_rebased, stack_rebase_key, stack_name, stack_from;
	uint16_t stack_frames;
	uint16_t frame_size, frame_method, frame_key, frame_at;
	uint16_t method_flags, method_name, method_scope, method_file;
	uint16_t method_line, method_lines, method_code;
	uint16_t stack_from_low; /* from_high follows it */
	const char *language;	 /* "Lua 5.4" */
};

#define JPI_TLS	      __thread __attribute__((tls_model("initial-exec")))
#define JPI_ORDER()   __asm__ volatile("" ::: "memory")
#define JPI_LIKELY(x) __builtin_expect(!!(x), 1)
#define JPI_INLINE    static inline __attribute__((always_inline, unused))

JPI_API extern JPI_TLS struct jpi_thread jpi_thread;

typedef uint64_t jpi_mark; /* frames that there were before one was entered */

/* Prepare for a language.  Need not be called; a second call changes nothing.  room: frames
 * that a stack keeps (0: 65,536, which is the most).  language stays the caller's.  0 or -errno. */
JPI_API int jpi_init(const char *language, size_t room);
/* Readers find nothing from now on.  All other functions can still be called. */
JPI_API void jpi_shutdown(void);
/* The value in JPI_OPTIONS="name=value,name"; "" for one without value; NULL: it is not there.
 * The text stays until the next call in this thread. */
JPI_API const char *jpi_option(const char *name);

/* A coroutine's stack, empty.  low and high: the C stack that is its own; 0: it has none.  NULL:
 * no memory. */
JPI_API struct jpi_stack *jpi_stack_new(const char *name, const void *low,
					const void *high);
/* It must not be in use.  The thread that frees it should be the one that has switched from it
 * last: only that thread's stack forgets where its C stack was. */
JPI_API void jpi_stack_free(struct jpi_stack *s);
/* Leave all down to the innermost frame with this id, which stays.  Without one, all are left. */
JPI_API void jpi_exit_to(uint64_t id);
/* NULL: none is entered. */
JPI_API const struct jpi_method *jpi_method_now(void);
/* Of the current stack.  The text stays the caller's. */
JPI_API void jpi_name(const char *name);

/* For the inline functions. */
JPI_API jpi_mark jpi_enter_slow(const struct jpi_method *m, uintptr_t key,
				uint64_t id);
JPI_API void jpi_leave_slow(jpi_mark mark);

/* The stack pointer here. */
JPI_INLINE uintptr_t jpi_here(void)
{
	uintptr_t sp;

#if defined(__x86_64__)
	__asm__ volatile("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
	__asm__ volatile("mov %0, sp" : "=r"(sp));
#else
#error "jpbpf-interp.h knows x86-64 and arm64"
#endif
	return sp;
}

JPI_INLINE struct jpi_frame *jpi_frames(struct jpi_stack *s)
{
	return (struct jpi_frame *)(void *)(s + 1);
}

/* As jpi_enter(), of the C function in whose frame the key is. */
JPI_INLINE jpi_mark jpi_enter_at(const struct jpi_method *m, uintptr_t key,
				 uint64_t id)
{
	struct jpi_stack *s = jpi_thread.stack;
	uint64_t depth = s->depth;
	struct jpi_frame *f;

	if (!JPI_LIKELY(depth < s->room))
		return jpi_enter_slow(m, key, id);
	f = jpi_frames(s) + depth;
	f->method = NULL;
	JPI_ORDER();
	s->depth = depth + 1;
	JPI_ORDER();
	f->key = key;
	f->id = id;
	f->at = 0;
	/* A reader cannot load a page that nobody has used yet, as one of constants. */
	(void)*(const volatile char *)m->name;
	JPI_ORDER();
	f->method = m;
	JPI_ORDER();
	return depth;
}

/* The C function that this is written in runs m from now on. */
JPI_INLINE jpi_mark jpi_enter(const struct jpi_method *m, uint64_t id)
{
	return jpi_enter_at(m, jpi_here(), id);
}

/*
 * Leave what was entered with this mark, and all that it entered.  The mark must be of the
 * current stack.
 *
 * Before longjmp(), not after it: leave down to the handler's own mark, then jump.  A frame
 * that is left after the jump stands on dead memory for some instructions.
 */
JPI_INLINE void jpi_leave(jpi_mark mark)
{
	struct jpi_stack *s = jpi_thread.stack;

	if (!JPI_LIKELY(mark < s->room)) {
		jpi_leave_slow(mark);
		return;
	}
	JPI_ORDER();
	s->depth = mark;
	JPI_ORDER();
	/* For a signal handler's frames: this one may be just being entered again. */
	jpi_frames(s)[mark].method = NULL;
	JPI_ORDER();
}

/* Where the frame is running: a line, or an offset of its line table. */
JPI_INLINE void jpi_at(jpi_mark mark, uint64_t at)
{
	struct jpi_stack *s = jpi_thread.stack;

	if (JPI_LIKELY(mark < s->room))
		jpi_frames(s)[mark].at = at;
	JPI_ORDER();
}

/* A number that this thread counts.  What it grows by from one sample of the thread to the
 * next is the latter's value. */
JPI_INLINE void jpi_count(uint64_t value)
{
	jpi_thread.count = value;
	JPI_ORDER();
}

/* This thread goes on on another stack, as who was resumed before.  Returns the one that it
 * leaves.  The C stack is to be switched next. */
JPI_INLINE struct jpi_stack *jpi_switch(struct jpi_stack *to)
{
	struct jpi_stack *from = jpi_thread.stack;

	to->from = from;
	to->from_low = from->low;
	to->from_high = from->high;
	JPI_ORDER();
	jpi_thread.stack = to;
	JPI_ORDER();
	return from;
}

/* The same, and the current stack stands around it. */
JPI_INLINE struct jpi_stack *jpi_resume(struct jpi_stack *to)
{
	to->outer = jpi_thread.stack;
	return jpi_switch(to);
}

/* A coroutine without a C stack of its own is about to be resumed: whoever this is written in
 * runs all of its frames. */
JPI_INLINE void jpi_rebase(struct jpi_stack *s)
{
	s->rebased = 0;
	JPI_ORDER();
	s->rebase_key = jpi_here();
	JPI_ORDER();
	s->rebased = s->depth;
	JPI_ORDER();
}

#ifdef __cplusplus
}
#endif

#endif
