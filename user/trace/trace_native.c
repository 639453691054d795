/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The chosen native functions of all modules.
 *
 * A function can be chosen by its name in profiles, by each name that its file exports it
 * by, by the name under which a library registers it with an interpreter, and by those of
 * the interpreter's commands.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/elf/golang.h"
#include "user/elf/module.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/trace/native.h"
#include "user/trace/trace_part.h"
#include "walkers/walker.h"

#define MAX_PLACES 4096 /* of one file */

void trace_files_free(struct trace *t)
{
	struct trace_file *f, *next;

	HASH_ITER (hh, t->files, f, next) {
		HASH_DEL(t->files, f);
		for (size_t i = 0; i < f->n; i++)
			free(f->chosen[i].name);
		free(f->chosen);
		free(f->call);
		free(f);
	}
}

/* -------------------------------------------------------------------- names */

struct choosing {
	struct trace *t;
	const struct module *m;
	struct trace_file *f;
};

static void offer(void *ctx, u64 vaddr, const char *name)
{
	const struct choosing *c = ctx;
	struct trace_file *f = c->f;

	if (!patterns_find(c->t->patterns, CALL_NATIVE, c->m->name, name)) {
		if (patterns_have_file(c->t->patterns, c->m->name))
			trace_offer(c->t, CALL_NATIVE, c->m->name, name);
		return;
	}
	f->chosen = xgrow(f->chosen, f->n, &f->capacity, sizeof(*f->chosen));
	f->chosen[f->n] = (struct chosen){ vaddr, f->n, xstrdup(name), false };
	f->n++;
}

static void offer_walkers(struct choosing *c)
{
	const struct module *m = c->m;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker_file_ops *ops = &walkers[i]->file;

		if (ops->registered)
			ops->registered(m, offer, c);
		if (m->walker[i] && ops->commands)
			ops->commands(m, m->walker[i], offer, c);
	}
}

static void offer_all(struct choosing *c, const struct native_functions *f)
{
	const struct module_function *fn;
	const char *name;
	u64 vaddr;
	u32 at = 0;
	size_t n;

	if (module_functions(c->m, &fn, &n))
		return;
	for (size_t i = 0; i < n && i < f->n; i++)
		if (f->name[i] && !f->whole[i])
			offer(c, fn[i].start, f->name[i]);
	while ((name = module_export(c->m, &at, &vaddr)))
		offer(c, vaddr, name);
	offer_walkers(c);
}

/* ------------------------------------------------------------------- places */

static int by_vaddr(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr > y->vaddr ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Of a function that is chosen by several names, the first one counts. */
static void keep_once(struct trace_file *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->chosen, f->n, sizeof(*f->chosen), by_vaddr);
	for (size_t i = 0; i < f->n; i++) {
		if (kept && f->chosen[kept - 1].vaddr == f->chosen[i].vaddr)
			free(f->chosen[i].name);
		else
			f->chosen[kept++] = f->chosen[i];
	}
	f->n = kept;
}

static bool is_enter(const struct walker_call *c)
{
	return c->place.kind == CALL_NATIVE_ENTER;
}

static int enters_last(const void *a, const void *b)
{
	return is_enter(a) - is_enter(b);
}

static const char *refusal(int err)
{
	switch (err) {
	case -ENOENT:
		return "it has no call frame information";
	case -ELOOP:
		return "it jumps back to where it begins";
	case -ENOTSUP:
		return "it changes to another stack";
	case -ENOSPC:
		return "there are too many places";
	default:
		return "its code is not understood";
	}
}

static void find_places(struct trace_file *f, const struct module *m,
			const struct native_functions *functions)
{
	size_t refused = 0;

	for (size_t i = 0; i < f->n; i++) {
		int n = native_places(m, functions, f->chosen[i].vaddr,
				      f->call + f->calls,
				      MAX_PLACES - f->calls);

		if (n > 0) {
			f->calls += n;
			f->chosen[i].stepped =
				f->call[f->calls - 1].place.stepped;
			continue;
		}
		log_debug("%s: %s is not traced: %s", m->name,
			  f->chosen[i].name, refusal(n));
		if (!refused++)
			log_warn("%s: some chosen functions are not traced, as "
				 "%s: %s",
				 m->name, f->chosen[i].name, refusal(n));
	}
}

static void find(struct trace *t, const struct module *m, struct trace_file *f)
{
	struct choosing c = { t, m, f };
	struct native_functions functions;
	struct golang g;

	f->call = xcalloc(MAX_PLACES, sizeof(*f->call));
	native_open(&functions, m);
	f->calls = native_jumps(m, &functions, f->call, MAX_PLACES);
	if (golang_open(&g, m)) {
		offer_all(&c, &functions);
	} else {
		golang_close(&g);
		if (patterns_have_file(t->patterns, m->name))
			log_warn("%s: functions of Go are not traced, because "
				 "its runtime moves their stacks",
				 m->name);
	}
	keep_once(f);
	find_places(f, m, &functions);
	native_close(&functions);
	qsort(f->call, f->calls, sizeof(*f->call), enters_last);
}

struct trace_file *trace_file(struct trace *t, const struct module *m)
{
	struct trace_file *f;

	HASH_FIND(hh, t->files, &m->key, sizeof(m->key), f);
	if (f)
		return f;
	f = xcalloc(1, sizeof(*f));
	f->key = m->key;
	HASH_ADD(hh, t->files, key, sizeof(f->key), f);
	find(t, m, f);
	return f;
}

size_t trace_places(void *trace, const struct walker_site *site, u32 file,
		    struct walker_call *call, size_t max)
{
	struct trace_file *f = trace_file(trace, site->m);

	for (size_t i = 0; i < f->n; i++)
		trace_know(trace, site, file, f->chosen[i].vaddr,
			   f->chosen[i].name)
			->stepped = f->chosen[i].stepped;
	max = f->calls < max ? f->calls : max;
	memcpy(call, f->call, max * sizeof(*call));
	return max;
}
