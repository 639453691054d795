/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which functions can be watched (user/processes/watch.c): those of whole names, once they
 * are known. */
#include <string.h>

#include <bpf/bpf.h>

#include "user/kernel/engine.h"
#include "user/trace/trace_part.h"
#include "walkers/walker.h"

#define MANY 64 /* functions that were called; more are not looked at */

/* How the function itself is called: without namespace.  Methods and lambdas can have any
 * name. */
static void put_name(int fd, const struct pattern *p)
{
	const char *colon = strrchr(p->name, ':');
	const char *own = colon ? colon + 1 : p->name;
	struct call_name name = { 0 };
	u32 one = 1;

	if (strchr(p->name, ' ') || !*own)
		own = CALL_ANY_NAME;
	strncat(name.text, own, sizeof(name.text) - 1);
	bpf_map_update_elem(fd, &name, &one, BPF_ANY);
}

void trace_watch_names(struct trace *t)
{
	int fd = engine_map(t->engine, "call_names");

	for (size_t i = 0; i < t->patterns->n; i++)
		if (t->patterns->at[i].language != CALL_NATIVE)
			put_name(fd, &t->patterns->at[i]);
}

/* Whether the function exists still. */
static bool exists(const struct trace *t, const struct function *f)
{
	const struct call_key key = { { f->key }, f->pid, f->language };
	struct call_function value;

	return !bpf_map_lookup_elem(engine_map(t->engine, "call_functions"),
				    &key, &value) &&
	       value.id == f->id;
}

static u64 calls_of(const struct trace *t, const struct function *f)
{
	struct call_row row;
	u64 calls = 0;

	if (!bpf_map_lookup_elem(engine_map(t->engine, "call_rows"), &f->id,
				 &row))
		for (size_t i = 0; i < CALL_LEFT_COUNT; i++)
			calls += row.left[i];
	return calls;
}

/* The first pattern of the language that chooses none of the functions. */
static const char *without_function(const struct trace *t, u32 walker,
				    const struct pattern *const *of, size_t n)
{
	for (size_t i = 0; i < t->patterns->n; i++) {
		const struct pattern *p = &t->patterns->at[i];
		size_t k = 0;

		if (p->language != walker || p->is_not)
			continue;
		while (k < n && of[k] != p)
			k++;
		if (k == n)
			return p->name;
	}
	return NULL;
}

/* The first one that is no whole name. */
static const char *open_pattern(const struct trace *t, u32 walker)
{
	for (size_t i = 0; i < t->patterns->n; i++) {
		const struct pattern *p = &t->patterns->at[i];

		if (p->language == walker && !p->is_not && !pattern_is_whole(p))
			return p->name;
	}
	return NULL;
}

void trace_watched(void *trace, pid_t pid, u32 walker,
		   struct walker_chosen *out)
{
	const struct pattern *of[CALL_WATCHES];
	struct trace *t = trace;
	struct function *f, *next;

	*out = (struct walker_chosen){ 0 };
	HASH_ITER (hh, t->functions, f, next) {
		if (f->pid != pid || f->language != walker ||
		    out->known++ > MANY)
			continue;
		out->calls += calls_of(t, f);
		if (!exists(t, f))
			continue;
		if (out->n < CALL_WATCHES) {
			out->key[out->n] = f->key;
			of[out->n] = f->pattern;
		}
		out->n++;
	}
	/* Any of those not looked at may exist. */
	if (out->known > MANY)
		out->n = out->known;
	if (out->n <= CALL_WATCHES)
		out->none = without_function(t, walker, of, out->n);
	out->open = open_pattern(t, walker);
}
