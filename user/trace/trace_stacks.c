/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of chosen functions, from the kernel side's tree of them; and the whole stack at a
 * call. */
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include <jpbpf/source.h>
#include <jpbpf/walkers.h>

#include "user/kernel/engine.h"
#include "user/lib/clock.h"
#include "user/lib/mem.h"
#include "user/trace/trace_part.h"

#define MAX_STACK 65536u /* words */

struct stack {
	struct call_step step;
	struct call_node node;
};

/* By the numbers of the nodes; an item without a number is not there. */
static struct stack *read_stacks(const struct trace *t, u32 *n)
{
	int fd = engine_map(t->engine, "call_nodes");
	struct call_step key, *last = NULL;
	struct stack *stack = NULL;
	size_t capacity = 0;
	struct call_node node;

	for (*n = 0; !bpf_map_get_next_key(fd, last, &key); last = &key) {
		if (bpf_map_lookup_elem(fd, &key, &node))
			continue;
		while (*n <= node.node) {
			stack = xgrow(stack, *n, &capacity, sizeof(*stack));
			stack[(*n)++] = (struct stack){ 0 };
		}
		stack[node.node] = (struct stack){ key, node };
	}
	return stack;
}

/* The words of the stack's frames, the innermost first. */
static u32 put_words(const struct trace *t, const struct stack *stack, u32 n,
		     u32 node, u64 *word)
{
	u32 words = 0;

	/* A stack is made after the one around it. */
	for (u32 last = n; node && node < last; node = stack[node].step.outer) {
		const struct function *f =
			trace_function(t, stack[node].step.id);

		last = node;
		if (!f)
			continue;
		if (words + f->words > MAX_STACK)
			break;
		for (u32 i = 0; i < f->words; i++)
			word[words++] = f->word[i];
	}
	return words;
}

void trace_samples(struct trace *t,
		   void (*take)(void *ctx, const struct sample *s), void *ctx)
{
	struct sample *s = xcalloc(1, sizeof(*s) + MAX_STACK * sizeof(u64));
	u32 n;
	struct stack *stack = read_stacks(t, &n);

	for (u32 i = 0; i < n; i++) {
		const struct function *f = trace_function(t, stack[i].step.id);

		if (!f || !stack[i].node.calls)
			continue;
		s->type = RECORD_SAMPLE;
		s->pid = s->tid = f->pid;
		s->source = SOURCE_CALLS;
		s->status = WALK_ROOT;
		s->time = now_ns();
		s->weight = stack[i].node.calls;
		s->value = stack[i].node.self;
		memcpy(s->comm, f->comm, sizeof(s->comm));
		s->words = put_words(t, stack, n, i, s->word);
		take(ctx, s);
	}
	free(stack);
	free(s);
}

const struct sample *trace_entered(struct trace *t, const struct sample *head,
				   const u64 *word, u32 words)
{
	const struct function *f =
		trace_function(t, head->value / head->weight);
	u32 kernel = head->kernel_words < words ? head->kernel_words : words;
	u32 added = 0;
	struct sample *made = t->entered;

	if (!f)
		return NULL;
	if (f->language < WALKER_COUNT &&
	    WALKERS_CALLED_EARLY >> f->language & 1)
		added = f->words;
	made = xreallocarray(made, 1,
			     sizeof(*made) + (words + added) * sizeof(u64));
	t->entered = made;
	*made = *head;
	made->value = head->weight;
	made->words = words + added;
	memcpy(made->word, word, kernel * sizeof(u64));
	memcpy(made->word + kernel, f->word, added * sizeof(u64));
	memcpy(made->word + kernel + added, word + kernel,
	       (words - kernel) * sizeof(u64));
	return made;
}
