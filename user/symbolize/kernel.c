/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names kernel addresses by kallsyms, whose lines are
 *
 *   ffffffff81000000 T symbol	[module]
 *
 * roughly sorted, with several lines for some addresses.  Of several symbols at one
 * address a global is taken before a weak one, and that before a local one.  kallsyms
 * has no sizes, so an address far beyond the last symbol before it gets no name.
 *
 * For readers who may not see addresses (kptr_restrict), all addresses read as zero.
 */
#include "user/symbolize/kernel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"

/* Bytes; the largest functions are far smaller. */
#define FUNCTION_MAX (1u << 20)
#define TEXT_TYPES   "TWtw" /* index: rank of a symbol of that type */
#define RANK_END     4	    /* the symbol marks the end of a section */

/* Kept small, because there are more than 100,000 symbols. */
struct symbol {
	u64 address;
	u32 name; /* offset in names of struct kernel */
	u8 rank;  /* smaller is better */
};

struct kernel {
	char *path;
	bool read;
	struct symbol *symbol; /* sorted by address */
	size_t n, capacity;
	struct buf names;
};

struct kernel *kernel_new(const char *kallsyms)
{
	struct kernel *k = xcalloc(1, sizeof(*k));

	k->path = xstrdup(kallsyms);
	return k;
}

void kernel_free(struct kernel *k)
{
	if (!k)
		return;
	free(k->path);
	free(k->symbol);
	buf_release(&k->names);
	free(k);
}

static u8 rank(const char *name, char type)
{
	if (!strcmp(name, "_etext") || !strcmp(name, "_einittext"))
		return RANK_END;
	return strchr(TEXT_TYPES, type) - TEXT_TYPES;
}

/* 0 or -ENOMEM. */
static int take_line(struct kernel *k, char *line)
{
	char *end, *name;
	u64 address = strtoull(line, &end, 16);
	size_t len;

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	name = end + 3;
	len = strcspn(name, "\t\n ");
	name[len++] = '\0';
	if (!strchr(TEXT_TYPES, end[1]) || !*name)
		return 0;
	if (!heap_grows(HEAP_READING, k->n, k->capacity, sizeof(*k->symbol)) ||
	    !heap_grows(HEAP_READING, k->names.len + len, k->names.capacity, 1))
		return -ENOMEM;
	k->symbol = xgrow(k->symbol, k->n, &k->capacity, sizeof(*k->symbol));
	k->symbol[k->n++] =
		(struct symbol){ address, k->names.len, rank(name, end[1]) };
	buf_add(&k->names, name, len);
	return 0;
}

/* The best symbol of an address comes last, where kernel_name() finds it: of equal rank the
 * first in the file. */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return y->rank - x->rank;
	return (x->name < y->name) - (x->name > y->name);
}

static int read_lines(struct kernel *k)
{
	_cleanup_fclose_ FILE *f = fopen(k->path, "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && getline(&line, &size, f) > 0)
		err = take_line(k, line);
	if (err || ferror(f))
		return err ? err : -EIO;
	/* Sorting takes as much again as the symbols do. */
	k->names.capacity = k->names.len + 1;
	k->names.data = xreallocarray(k->names.data, k->names.capacity, 1);
	return heap_fits(HEAP_READING, k->n * sizeof(*k->symbol)) ? 0 : -ENOMEM;
}

/* Give back what was read. */
static void forget(struct kernel *k)
{
	static bool warned;

	free(k->symbol);
	k->symbol = NULL;
	k->n = k->capacity = 0;
	buf_release(&k->names);
	if (!warned)
		log_warn("some kernel functions have no names: no memory to "
			 "read %s (see --max-memory, ulimit -v)",
			 k->path);
	warned = true;
}

static void read_symbols(struct kernel *k)
{
	int err = read_lines(k);

	k->read = true;
	if (err == -ENOMEM)
		return forget(k);
	if (err) {
		errno = -err;
		log_warn("kernel functions have no names: cannot read %s: %m",
			 k->path);
	}
	if (k->n)
		qsort(k->symbol, k->n, sizeof(*k->symbol), compare);
	if (k->n && !k->symbol[k->n - 1].address) {
		log_warn("kernel functions have no names: this host hides "
			 "their addresses (see kernel.kptr_restrict)");
		k->n = 0;
	}
}

const char *kernel_name(struct kernel *k, u64 address)
{
	const struct symbol *s;
	size_t low;

	if (!k->read)
		read_symbols(k);
	low = SEARCH(k->symbol, k->n, address, address);
	s = low ? &k->symbol[low - 1] : NULL;
	if (!s || s->rank == RANK_END || address - s->address >= FUNCTION_MAX)
		return "";
	return k->names.data + s->name;
}
