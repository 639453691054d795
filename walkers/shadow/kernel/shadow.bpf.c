/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Shadow stacks in the kernel: what interpreters tell through include/jpbpf-interp.h.
 *
 * How such an interpreter keeps its stack.  Each thread has a variable jpi_thread, which
 * points to the stack at hand: a head, and an array of frames, the outermost first.  The
 * descriptor (struct jpi_process) says where the variable is, as a distance from the thread
 * pointer, and where the members of each struct are.  It is read in every sample, so an
 * interpreter that comes, goes or shuts down needs no word with user space.
 *
 * Where a frame belongs.  Its key is the stack pointer of the C function that entered it:
 *
 *     native frame i owns the frames with CFA(i-1) <= key < CFA(i)
 *
 * Several with one key keep the order of the array.  Keys never fall on the way outward.
 *
 * Stacks around each other.  A coroutine's stack knows the one that resumed it (outer).  If it
 * has no C stack of its own, the frames of outer lie further out on the same C stack.  If it
 * has one, the native walk ends at that one's root, and no native frame of outer is known:
 * outer's frames follow there.
 *
 * What can race.  The sample interrupts the very thread that owns the stack.  A frame whose
 * method is NULL is being entered or left, and is passed over; its key may be an old one.
 * Between the switch of stacks and that of C stacks, the thread is still on the C stack from
 * which it switches, and that one's frames count.  A frame below the stack pointer
 * has been jumped over, and is dropped.
 *
 * Several copies of the library in one process have a stack each.  Their keys put them in
 * order.
 *
 * All of it can be lies.  Numbers are bounded, addresses are only read from, keys must not
 * fall, and stacks around each other are counted.
 */
#include "arch/registers.bpf.h"
#include "bpf/budget.bpf.h"
#include "walkers/shadow/kernel/shadow.bpf.h"

#define MAGIC	    0x00492d465042504aull /* "JPBPF-I" as a word */
#define MAJOR	    1
#define MOST_FRAMES 65536u
#define MOST_OUTER  64u
#define FRAME_BYTES 32u
#define MOST_HALVES 32u
#define AT_POINTS   4u /* enum jpi_flag */

struct map_shadow_walks shadow_walks SEC(".maps");
struct map_shadow_processes shadow_processes SEC(".maps");
struct map_shadow_counts shadow_counts SEC(".maps");

static __always_inline struct shadow_walk *current_walk(struct walk *w)
{
	u32 index;

	if (!w)
		return NULL;
	index = w->index;
	return bpf_map_lookup_elem(&shadow_walks, &index);
}

/* The chain at hand. */
static __always_inline struct shadow_chain *chain_of(struct shadow_walk *t)
{
	u32 i = t->at;

	barrier_var(i);
	return &t->chain[i & (SHADOW_COPIES - 1)];
}

/* The chain whose key is the lowest is the next. */
static __always_inline void wait(struct walk *w, struct shadow_walk *t)
{
	u64 lowest = WAKE_NEVER;

	for (u32 i = 0; i < SHADOW_COPIES; i++) {
		if (i >= t->copies || t->chain[i].key >= lowest)
			continue;
		lowest = t->chain[i].key;
		t->at = i;
	}
	walk_wait(w, WALKER_SHADOW, lowest);
}

static __always_inline void give_up(struct walk *w, struct shadow_chain *c,
				    u32 why)
{
	walk_missing(w, why);
	c->key = WAKE_NEVER;
	c->n = 0;
	c->outer = 0;
}

static __always_inline u64 frame_of(const struct shadow_chain *c)
{
	return c->stack + c->l.stack_frames + (c->n - 1) * c->l.frame_size;
}

/* Both words are loaded from one page, if they lie where they do today. */
static __always_inline int read_frame(struct walk *w, struct shadow_chain *c,
				      u64 *key)
{
	u64 frame = frame_of(c), at = direct_at(&w->direct, frame, FRAME_BYTES);
	u32 method = c->l.frame_method & -8u, place = c->l.frame_key & -8u;

	if (!at || method >= FRAME_BYTES || place >= FRAME_BYTES)
		return walk_word(w, &c->method, frame + c->l.frame_method) ||
		       walk_word(w, key, frame + c->l.frame_key);
	c->method = direct_load(at + method);
	*key = direct_load(at + place);
	return 0;
}

/* Look at the innermost frame that is left. */
__noinline int shadow_look(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 key;

	if (!t)
		return 0;
	c = chain_of(t);
	c->key = WAKE_NEVER;
	if (!c->n) {
		/* The stack ends where its last frame is. */
		if (c->outer && !c->low)
			c->key = c->last_key;
		return 0;
	}
	if (read_frame(w, c, &key)) {
		give_up(w, c, SHADOW_READ);
		return 0;
	}
	if (c->n <= c->rebased)
		key = c->rebase_key;
	/* What is passed over is wherever the walk is. */
	if (!c->method)
		key = c->last_key;
	if (key < c->last_key) {
		give_up(w, c, SHADOW_ORDER);
		return 0;
	}
	c->last_key = c->key = key;
	return 0;
}

/* Take up a stack.  0, or -1 after it has been given up. */
__noinline int shadow_take_stack(struct walk *w, u64 stack)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 depth, room;

	if (!t)
		return -1;
	c = chain_of(t);
	if (t->stacks++ > MOST_OUTER) {
		give_up(w, c, SHADOW_LIMIT);
		return -1;
	}
	c->stack = stack;
	if (walk_word(w, &depth, stack + c->l.stack_depth) ||
	    walk_word(w, &room, stack + c->l.stack_room) ||
	    walk_word(w, &c->outer, stack + c->l.stack_outer) ||
	    walk_word(w, &c->low, stack + c->l.stack_low) ||
	    walk_word(w, &c->high, stack + c->l.stack_high) ||
	    walk_word(w, &c->rebased, stack + c->l.stack_rebased) ||
	    walk_word(w, &c->rebase_key, stack + c->l.stack_rebase_key)) {
		give_up(w, c, SHADOW_READ);
		return -1;
	}
	c->n = depth < room ? depth : room;
	if (c->n > MOST_FRAMES)
		c->n = MOST_FRAMES;
	if (depth > c->n)
		walk_missing(w, SHADOW_ROOM);
	return 0;
}

/* ------------------------------------------------------------------ frames */

__noinline u64 shadow_text(struct walk *w, u64 address)
{
	if (!w || !address)
		return 0;
	return text_short(w, address) ?: text_at(w, address);
}

struct search {
	struct walk *w;
	u64 table, low, high; /* the line is of one in [low, high) */
	u32 at, failed;
};

static long halve(u32 i, struct search *s)
{
	u64 middle = (s->low + s->high) / 2, entry;

	if (s->high - s->low < 2)
		return 1;
	if (walk_word(s->w, &entry, s->table + middle * 8)) {
		s->failed = 1;
		return 1;
	}
	if ((u32)entry <= s->at)
		s->low = middle;
	else
		s->high = middle;
	return 0;
}

/* The line of a position; 0: not known. */
static __always_inline u32 line_at(struct walk *w, u64 table, u64 lines, u64 at)
{
	struct search s = { .w = w, .table = table, .high = lines, .at = at };
	u64 entry;

	if (!lines)
		return 0;
	bpf_loop(MOST_HALVES, halve, &s, 0);
	if (s.failed || s.high - s.low > 1 ||
	    walk_word(w, &entry, table + s.low * 8))
		return 0;
	return entry >> 32;
}

/* Where the frame at hand is running. */
__noinline int shadow_put_line(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 m, at, flags, file, table, lines, code, text;
	u32 line;

	if (!t)
		return 0;
	c = chain_of(t);
	m = c->method;
	if (walk_word(w, &at, frame_of(c) + c->l.frame_at) ||
	    walk_word(w, &flags, m + c->l.method_flags) ||
	    walk_word(w, &file, m + c->l.method_file) ||
	    walk_word(w, &table, m + c->l.method_line) ||
	    walk_word(w, &lines, m + c->l.method_lines) ||
	    walk_word(w, &code, m + c->l.method_code) ||
	    ((u32)flags & AT_POINTS && at && walk_word(w, &at, at))) {
		walk_count(w, SHADOW_NO_LINE);
		return 0;
	}
	at -= code;
	line = table ? line_at(w, table, lines, at) : at;
	text = shadow_text(w, file);
	if (table && !line)
		walk_count(w, SHADOW_NO_LINE);
	if (text)
		walk_frame(w, WALKER_SHADOW, SHADOW_LINE, line, text);
	return 0;
}

__noinline int shadow_put_frame(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	struct shadow_name *n;
	u64 name, scope;

	if (!t)
		return 0;
	c = chain_of(t);
	if (config.lines)
		shadow_put_line(w);
	w->walker_frames++;
	n = &t->name[(c->method >> 4) & (SHADOW_NAMES - 1)];
	if (n->method != c->method || n->sample != t->number) {
		n->method = c->method;
		n->sample = t->number;
		n->name = n->scope = 0;
		if (!walk_word(w, &name, c->method + c->l.method_name) &&
		    !walk_word(w, &scope, c->method + c->l.method_scope)) {
			n->name = shadow_text(w, name);
			n->scope = shadow_text(w, scope);
		}
	}
	if (n->name) {
		walk_frame(w, WALKER_SHADOW, SHADOW_METHOD, 0, n->name,
			   n->scope);
	} else {
		walk_count(w, SHADOW_NAME);
		walk_frame(w, WALKER_SHADOW, SHADOW_UNNAMED, 0);
	}
	return 0;
}

/* The stack at hand is a coroutine's, of which no frame is left. */
__noinline int shadow_put_coroutine(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 name;

	if (!t)
		return 0;
	c = chain_of(t);
	if (walk_word(w, &name, c->stack + c->l.stack_name))
		name = 0;
	w->walker_frames++;
	walk_frame(w, WALKER_SHADOW, SHADOW_COROUTINE, 0, shadow_text(w, name));
	return 0;
}

/* ------------------------------------------------------------------- walks */

/* Whether the thread runs on the C stack of this stack's own.  The stack may be freed. */
static __always_inline bool is_on(struct walk *w, struct shadow_walk *t,
				  struct shadow_chain *c, u64 stack)
{
	u64 low, high;

	return stack && !walk_word(w, &low, stack + c->l.stack_low) &&
	       !walk_word(w, &high, stack + c->l.stack_high) &&
	       t->sp - low < high - low;
}

/*
 * Take up the stack of the C stack that the thread is on.  That is the variable's, but for the
 * moment between the switch of the one and of the other: then it is the one from which the
 * thread switches.
 */
__noinline int shadow_find_stack(struct walk *w, u64 stack)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 from, outer;

	if (!t)
		return -1;
	c = chain_of(t);
	if (shadow_take_stack(w, stack))
		return -1;
	if (t->sp - c->low < c->high - c->low ||
	    walk_word(w, &from, stack + c->l.stack_from))
		return 0;
	outer = c->outer;
	if (is_on(w, t, c, from)) {
		walk_count(w, SHADOW_SWITCHES);
		if (shadow_take_stack(w, from))
			return -1;
		/* It yields to the other one, or resumes it. */
		if (outer != from)
			c->outer = stack;
	} else if (c->low) {
		walk_count(w, SHADOW_SWITCHES);
		c->n = 0;
		return outer ? shadow_take_stack(w, outer) : 0;
	}
	return 0;
}

/* Take what the counter at the address has grown by.  It is the thread's, and so is the
 * address. */
static __always_inline void take_count(struct walk *w, u64 address)
{
	u64 count, key = address ^ (u64)w->pid << 32, *last;

	if (walk_word(w, &count, address) || !count)
		return;
	last = bpf_map_lookup_elem(&shadow_counts, &key);
	if (!last) {
		bpf_map_update_elem(&shadow_counts, &key, &count, BPF_ANY);
		return;
	}
	/* A smaller one began anew. */
	w->sample.count += count < *last ? count : count - *last;
	*last = count;
}

__noinline int shadow_begin_copy(struct walk *w, u64 descriptor)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	u64 stack;

	if (!t)
		return 0;
	c = chain_of(t);
	c->key = WAKE_NEVER;
	c->last_key = 0;
	c->n = c->outer = 0;
	if (walk_words(w, (u64 *)&c->l, SHADOW_LAYOUT_WORDS, descriptor)) {
		give_up(w, c, SHADOW_READ);
		return 0;
	}
	if (c->l.magic != MAGIC)
		return 0;
	if (c->l.major != MAJOR) {
		give_up(w, c, SHADOW_VERSION);
		return 0;
	}
	if (walk_word(w, &stack, t->thread + c->l.thread + c->l.thread_stack)) {
		give_up(w, c, SHADOW_READ);
		return 0;
	}
	/* Copies whose variables the dynamic linker has made one. */
	for (u32 k = 0; k < SHADOW_COPIES; k++)
		if (k < t->at && t->chain[k].stack == stack)
			return 0;
	if (!w->thread)
		take_count(w, t->thread + c->l.thread + c->l.thread_count);
	if (shadow_find_stack(w, stack))
		return 0;
	return shadow_look(w);
}

int shadow_begin(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_process *p;
	u32 pid;

	if (!t)
		return 0;
	pid = w->pid;
	t->copies = t->at = t->dropped = t->stacks = 0;
	t->number++;
	t->sp = w->reg[REG_STACK];
	t->thread = w->thread ?: arch_thread(bpf_get_current_task_btf());
	p = bpf_map_lookup_elem(&shadow_processes, &pid);
	if (!p) {
		walk_missing(w, SHADOW_NOT_READY);
		return 0;
	}
	for (u32 i = 0; i < SHADOW_COPIES; i++) {
		if (!p->descriptor[i])
			break;
		t->copies = i + 1;
		t->at = i;
		chain_of(t)->stack = 0;
		shadow_begin_copy(w, p->descriptor[i]);
	}
	wait(w, t);
	return 0;
}

int shadow_step(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct shadow_chain *c;
	bool taken;

	if (!t)
		return 0;
	c = chain_of(t);
	taken = c->n;
	if (c->key >= w->cfa) {
		walk_next(w);
		return 0;
	}
	if (!c->n) {
		shadow_put_coroutine(w);
		shadow_take_stack(w, c->outer);
	} else if (c->method && c->key < t->sp) {
		t->dropped++;
	} else if (c->method) {
		if (w->keyed)
			walk_push(w, frame_value58(FRAME_KEY, c->key));
		shadow_put_frame(w);
	}
	if (w->mode == MODE_DONE)
		return 0;
	if (taken)
		c->n--;
	shadow_look(w);
	wait(w, t);
	walk_next(w);
	return 0;
}

struct outward {
	struct walk *w;
};

/* A frame, or a stack, of those around a coroutine with a C stack of its own. */
static long put_outer(u32 i, struct outward *o)
{
	struct shadow_walk *t = current_walk(o->w);
	struct shadow_chain *c = t ? chain_of(t) : NULL;

	if (!c || budget_is_over(o->w, i))
		return 1;
	if (!c->n) {
		if (!c->outer)
			return 1;
		shadow_put_coroutine(o->w);
		return shadow_take_stack(o->w, c->outer) != 0;
	}
	c->last_key = 0;
	shadow_look(o->w);
	if (c->n && c->method)
		shadow_put_frame(o->w);
	if (c->n)
		c->n--;
	return o->w->status != WALK_ROOT;
}

int shadow_end(struct walk *w)
{
	struct shadow_walk *t = current_walk(w);
	struct outward loop = { .w = w };

	if (!t || w->status != WALK_ROOT)
		return 0;
	for (u32 i = 0; i < SHADOW_COPIES && i < t->copies; i++) {
		struct shadow_chain *c;

		t->at = i;
		c = chain_of(t);
		if (c->key != WAKE_NEVER)
			walk_missing(w, SHADOW_UNPLACED);
		else if (c->outer && c->low)
			bpf_loop(MOST_FRAMES, put_outer, &loop, 0);
	}
	if (t->dropped)
		walk_count(w, SHADOW_JUMP);
	return 0;
}

int shadow_fork(u32 parent, u32 child)
{
	struct shadow_process *p =
		bpf_map_lookup_elem(&shadow_processes, &parent);

	if (p && bpf_map_update_elem(&shadow_processes, &child, p, BPF_ANY))
		return -1;
	return 0;
}

int shadow_exit(u32 pid)
{
	bpf_map_delete_elem(&shadow_processes, &pid);
	return 0;
}
