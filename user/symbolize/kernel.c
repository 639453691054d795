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

/* Kept small, because there are more than 100,000 symbols. */
struct symbol {
	u64 address;
	u32 name; /* offset in names of struct kernel */
	u8 rank;  /* smaller is better */
	bool end; /* the symbol marks the end of a section */
};

struct kernel {
	char *path;
	bool read;
	struct symbol *symbol; /* sorted by address, one for each address */
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

static bool ends_section(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext");
}

/* Bytes */
static size_t held(const struct kernel *k)
{
	return k->capacity * sizeof(*k->symbol) + k->names.capacity;
}

/* Whether there is room for one symbol more. */
static bool has_room(const struct kernel *k, size_t len)
{
	return (k->n < k->capacity && k->names.len + len < k->names.capacity) ||
	       heap_fits(HEAP_READING, held(k) + 2 * len);
}

/* 0 or -ENOMEM. */
static int take_line(struct kernel *k, char *line)
{
	static const char text_types[] = "TWtw"; /* index: rank */
	char *end, *name;
	const char *type;
	u64 address = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	type = strchr(text_types, end[1]);
	name = end + 3;
	name[strcspn(name, "\t\n ")] = '\0';
	if (!type || !*name)
		return 0;
	if (!has_room(k, strlen(name) + 1))
		return -ENOMEM;
	k->symbol = xgrow(k->symbol, k->n, &k->capacity, sizeof(*k->symbol));
	k->symbol[k->n++] =
		(struct symbol){ address, k->names.len, type - text_types,
				 ends_section(name) };
	buf_add(&k->names, name, strlen(name) + 1);
	return 0;
}

/* Symbols of equal rank stay in the order of the file. */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->end != y->end)
		return x->end - y->end;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	return (x->name > y->name) - (x->name < y->name);
}

static void drop_equal(struct kernel *k)
{
	size_t kept = 0;

	for (size_t i = 0; i < k->n; i++) {
		if (!kept ||
		    k->symbol[kept - 1].address != k->symbol[i].address)
			k->symbol[kept++] = k->symbol[i];
	}
	k->n = kept;
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
	drop_equal(k);
	if (k->n && !k->symbol[k->n - 1].address) {
		log_warn("kernel functions have no names: this host hides "
			 "their addresses (see kernel.kptr_restrict)");
		k->n = 0;
	}
}

/* The last symbol at or before address, or NULL. */
static const struct symbol *find(const struct kernel *k, u64 address)
{
	size_t low = SEARCH(k->symbol, k->n, address, address);

	return low ? &k->symbol[low - 1] : NULL;
}

const char *kernel_name(struct kernel *k, u64 address)
{
	const struct symbol *s;

	if (!k->read)
		read_symbols(k);
	s = find(k, address);
	if (!s || s->end || address - s->address >= FUNCTION_MAX)
		return "";
	return k->names.data + s->name;
}
