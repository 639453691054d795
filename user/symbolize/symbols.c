/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdwfl finds the symbol tables.  Its symbols are put once into a sorted index,
 * because libdwfl's own lookup goes through all symbols for each address.
 *
 * Of several symbols at one address the index keeps the one that a programmer would
 * look for.  A symbol names the addresses [value, value + size) and no others.
 * Assembler code often gives no size; such a symbol names what follows it up to the
 * next symbol, inside its section and inside its FDE.
 *
 * A function without a symbol can still have the name under which its library registers
 * it with an interpreter; the walkers find these.  main() is found by the code that
 * calls it.
 */
#include "user/symbolize/symbols.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/symbolize/start.h"
#include "user/elf/golang.h"
#include "user/elf/module.h"
#include "walkers/walker.h"

#define SYMBOLS_MAX	(16 << 20)
#define NAME_MAX_BYTES	4096
#define UNDERSCORES_MAX 64 /* further underscores are not counted */
/* The most symbols to pass over when looking for a sized symbol around a label. */
#define NESTED_MAX 64
/* Behind every rank that rank() gives. */
#define RANK_REGISTERED 16
/* Before every rank that rank() gives: Go's linker appends an ABI to some names. */
#define RANK_GO 0

struct symbol {
	u64 value, size;
	const char *name; /* of any length */
	u8 rank;	  /* smaller is better */
	u64 section_end;  /* counts only without a size */
};

struct symbols {
	const struct module *module;
	struct symbol *symbol; /* sorted by value, one for each value */
	size_t n, capacity;
};

static u8 rank(const GElf_Sym *sym)
{
	static const u8 by_binding[] = {
		[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1
	};
	unsigned bind = GELF_ST_BIND(sym->st_info);

	return 1 + ((sym->st_size ? 0 : 8) |
		    (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ? 4 : 0) |
		    (bind < sizeof(by_binding) ? by_binding[bind] : 0));
}

static bool is_code(const GElf_Sym *sym, Elf *elf, GElf_Word section,
		    GElf_Shdr *sh)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC ||
		type == STT_NOTYPE) &&
	       section != SHN_UNDEF && section < SHN_LORESERVE &&
	       gelf_getshdr(elf_getscn(elf, section), sh) &&
	       sh->sh_flags & SHF_EXECINSTR;
}

static void add(struct symbols *n, struct symbol symbol)
{
	n->symbol = xgrow(n->symbol, n->n, &n->capacity, sizeof(*n->symbol));
	n->symbol[n->n++] = symbol;
}

static void take_symbol(struct symbols *n, Dwfl_Module *mod, int i)
{
	GElf_Word section = SHN_UNDEF;
	Elf *elf = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	GElf_Addr value;
	const char *name = dwfl_module_getsym_info(mod, i, &sym, &value,
						   &section, &elf, NULL);

	if (name && elf && *name && is_code(&sym, elf, section, &sh))
		add(n, (struct symbol){ value, sym.st_size, name, rank(&sym),
					value - sym.st_value + sh.sh_addr +
						sh.sh_size });
}

/* A name registered for a function yields to the file's own symbol. */
static void take_registered(void *ctx, u64 vaddr, const char *name)
{
	struct module_function fn;
	struct symbols *n = ctx;

	if (!module_function_at(n->module, vaddr, &fn) && fn.start == vaddr)
		add(n, (struct symbol){ fn.start, fn.end - fn.start,
					xstrndup(name, NAME_MAX_BYTES),
					RANK_REGISTERED, 0 });
}

/* The table stays in memory, because the names lie in it. */
static void take_go(struct symbols *n)
{
	struct golang_function f;
	struct golang g;

	if (golang_open(&g, n->module))
		return;
	for (u64 i = 0; i < g.n && i < SYMBOLS_MAX; i++)
		if (!golang_function(&g, i, &f))
			add(n, (struct symbol){ f.start, f.end - f.start,
						f.name, RANK_GO, 0 });
}

static size_t underscores(const char *name)
{
	size_t n = 0;

	while (n < UNDERSCORES_MAX && name[n] == '_')
		n++;
	return n;
}

/* Of two symbols at one address: smaller rank, then fewer leading underscores, then
 * the shorter name, then the alphabet. */
static bool is_better(const struct symbol *x, const struct symbol *y)
{
	size_t x_len, y_len;

	if (x->rank != y->rank)
		return x->rank < y->rank;
	x_len = underscores(x->name);
	y_len = underscores(y->name);
	if (x_len != y_len)
		return x_len < y_len;
	x_len = strnlen(x->name, NAME_MAX_BYTES);
	y_len = strnlen(y->name, NAME_MAX_BYTES);
	if (x_len != y_len)
		return x_len < y_len;
	return strncmp(x->name, y->name, NAME_MAX_BYTES) < 0;
}

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Sort by value only and compare names afterwards: a file can have millions of names
 * that are all alike. */
static void index_symbols(struct symbols *n)
{
	size_t kept = 0;

	if (!n->n)
		return;
	qsort(n->symbol, n->n, sizeof(*n->symbol), compare);
	for (size_t i = 0; i < n->n; i++) {
		const struct symbol *s = &n->symbol[i];

		if (!kept || n->symbol[kept - 1].value != s->value)
			n->symbol[kept++] = *s;
		else if (is_better(s, &n->symbol[kept - 1]))
			n->symbol[kept - 1] = *s;
	}
	n->n = kept;
}

struct symbols *symbols_read(const struct module *m, Dwfl_Module *mod)
{
	struct symbols *n = xcalloc(1, sizeof(*n));
	int count = mod ? dwfl_module_getsymtab(mod) : -1;

	n->module = m;
	for (int i = 0; i < count && i < SYMBOLS_MAX; i++)
		take_symbol(n, mod, i);
	for (int i = 0; i < WALKER_COUNT; i++) {
		if (walkers[i]->file.registered)
			walkers[i]->file.registered(m, take_registered, n);
	}
	take_registered(n, start_find(m).main, "main");
	take_go(n);
	index_symbols(n);
	return n;
}

static bool covers(const struct symbols *n, const struct symbol *s, u64 vaddr)
{
	struct module_function fn;

	if (s->size)
		return vaddr - s->value < s->size;
	return vaddr < s->section_end &&
	       (module_function_at(n->module, vaddr, &fn) ||
		fn.start <= s->value);
}

static const struct symbol *find(const struct symbols *n, u64 vaddr)
{
	size_t low = SEARCH(n->symbol, n->n, value, vaddr);

	/* A sized symbol around a label is a better name than the label. */
	for (size_t i = low; i && low - i < NESTED_MAX; i--) {
		const struct symbol *s = &n->symbol[i - 1];

		if (s->size && covers(n, s, vaddr))
			return s;
	}
	return low && covers(n, &n->symbol[low - 1], vaddr)
		       ? &n->symbol[low - 1]
		       : NULL;
}

/* Length of "name@@VERSION" or "name@VERSION" without the version. */
static size_t name_length(const char *name)
{
	size_t len = strnlen(name, NAME_MAX_BYTES);
	const char *at = len ? memchr(name + 1, '@', len - 1) : NULL;

	return at ? (size_t)(at - name) : len;
}

char *symbols_find(const struct symbols *n, u64 vaddr, u64 *start)
{
	const struct symbol *s = find(n, vaddr);

	if (!s)
		return NULL;
	*start = s->value;
	return xstrndup(s->name, name_length(s->name));
}
