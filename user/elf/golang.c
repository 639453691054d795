/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads pclntab in the forms of Go 1.18 and 1.19 and of Go 1.20 and later
 * (src/debug/gosym/pclntab.go, src/runtime/symtab.go at go1.19 and go1.22):
 *
 *   header     magic, two zeros, the quantum of an instruction, bytes of a pointer,
 *              number of functions, number of files, text address, offsets of
 *              names, units, files, rows, functions
 *   functions  pairs { start, offset of the description } in address order, then
 *              the end of the last function
 *   rows       pairs of variable-length numbers: change of the value, which starts
 *              at -1, and length of the code for which the value holds
 *
 * In a position-independent program a relocation gives the text address.  In the
 * newest programs it is 0. Then struct moduledata tells, by which a Go program describes
 * itself (src/runtime/symtab.go; its beginning is the same from go1.18 to go1.25). It
 * points at the pclntab and the parts of the table. It also gives the start of the first
 * function, the end of the last one, and the address that both count from. A struct is
 * accepted only if all of these agree with the table. The code section's address is no
 * answer, because a C linker puts its own code before Go's.
 */
#include "user/elf/golang.h"

#include <dwarf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/log.h"
#include "user/elf/module.h"
#include "user/elf/module_file.h"
#include "user/elf/pointer.h"

#define MAGIC_18 0xfffffff0u
#define MAGIC_20 0xfffffff1u

#define TEXT_OFFSET 24 /* of the pointer in the header */
#define MAX_ADDRESS (1ull << 32)
#define NOT_TOLD    MAX_ADDRESS

struct header {
	u32 magic;
	u8 zero[2];
	u8 quantum, pointer;
	u64 functions, files, text;
	u64 names_at, units_at, files_at, rows_at, functions_at;
};

/* Words of struct _func. The start line, which only newer versions have, and the
 * bytes of the id and of the flags follow them. */
enum { ENTRY, NAME, FRAME_ROWS = 4, DESCRIPTION_WORDS = 9 };

static bool take(const struct golang *g, u64 at, void *out, u64 len)
{
	if (at > g->len || len > g->len - at)
		return false;
	memcpy(out, g->table + at, len);
	return true;
}

/* Reads the header of the table at vaddr; sets g->text to NOT_TOLD if the header
 * does not give it. */
static bool read_header(struct golang *g, const struct module *m, u64 vaddr)
{
	struct header h;

	if (!take(g, 0, &h, sizeof(h)) ||
	    (h.magic != MAGIC_18 && h.magic != MAGIC_20) || h.zero[0] ||
	    h.zero[1] || h.quantum != 1 || h.pointer != sizeof(u64) ||
	    h.names_at >= g->len || h.rows_at >= g->len ||
	    h.functions_at >= g->len ||
	    h.functions >= (g->len - h.functions_at) / (2 * sizeof(u32)))
		return false;
	g->text = h.text ? h.text : NOT_TOLD;
	module_relative(m, vaddr + TEXT_OFFSET, &g->text);
	g->n = h.functions;
	g->names = h.names_at;
	g->rows = h.rows_at;
	g->functions = h.functions_at;
	g->has_start_line = h.magic == MAGIC_20;
	return g->text < MAX_ADDRESS || g->text == NOT_TOLD;
}

/* Word offsets in struct moduledata. Slices take three words: address, length,
 * capacity. */
enum {
	NAMES = 1,
	ROWS = 10,
	FUNCTIONS = 16,
	MIN = 20,
	MAX = 21,
	TEXT = 22,
	WORDS
};

struct search {
	const struct golang *g;
	const struct module *m;
	u64 vaddr; /* of the table */
	u64 text;
};

static bool is_moduledata(void *ctx, u64 at, u64 target)
{
	struct search *s = ctx;
	const struct golang *g = s->g;
	u64 word[WORDS];
	u32 first, last;

	if (target != s->vaddr)
		return false;
	for (int i = 0; i < WORDS; i++)
		word[i] = module_pointer(s->m, at + i * sizeof(word[0]));
	s->text = word[TEXT];
	/* read_header() has checked that the list of functions lies in the table. */
	memcpy(&first, g->table + g->functions, sizeof(first));
	memcpy(&last, g->table + g->functions + g->n * 2 * sizeof(u32),
	       sizeof(last));
	return word[NAMES] == s->vaddr + g->names &&
	       word[ROWS] == s->vaddr + g->rows &&
	       word[FUNCTIONS] == s->vaddr + g->functions &&
	       word[FUNCTIONS + 1] == g->n + 1 &&
	       word[MIN] == word[TEXT] + first &&
	       word[MAX] == word[TEXT] + last;
}

/* Finds where the code begins if the header does not say. The caller stops at the first
 * such header: a hostile file could hold any number of them. */
static bool find_text(struct golang *g, const struct module *m, u64 vaddr)
{
	static const char *const sections[] = { ".go.module", ".noptrdata",
						".data", NULL };
	struct search s = { .g = g, .m = m, .vaddr = vaddr };

	if (module_find_pointer(m, sections, is_moduledata, &s) &&
	    s.text < MAX_ADDRESS) {
		g->text = s.text;
		return true;
	}
	log_debug("%s: not known where Go's code begins", m->path);
	return false;
}

/* Finds the table in a section, which may hold other data too. */
static bool find_table(struct golang *g, const struct module *m,
		       const char *section)
{
	u64 vaddr, size;

	g->bytes = module_section_load(m, section, &vaddr, &size);
	for (u64 at = 0; g->bytes && at < size; at += sizeof(u64)) {
		g->table = g->bytes + at;
		g->len = size - at;
		if (!read_header(g, m, vaddr + at))
			continue;
		if (g->text == NOT_TOLD && !find_text(g, m, vaddr + at))
			break;
		return true;
	}
	golang_close(g);
	return false;
}

int golang_open(struct golang *g, const struct module *m)
{
	/* Position-independent programs have the table in the last one. */
	static const char *const sections[] = { ".gopclntab",
						".data.rel.ro.gopclntab",
						".data.rel.ro" };
	u64 vaddr, size;

	*g = (struct golang){ 0 };
	if (m->code || module_section(m, ".go.buildinfo", &vaddr, &size))
		return -ENOENT;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (find_table(g, m, sections[i]))
			return 0;
	return -ENOENT;
}

void golang_close(struct golang *g)
{
	free(g->bytes);
	*g = (struct golang){ 0 };
}

/* A NUL follows the table. */
static const char *name_at(const struct golang *g, s32 offset)
{
	u64 at = g->names + (u32)offset;

	return offset >= 0 && at < g->len ? (const char *)g->table + at : NULL;
}

static int read_function(const struct golang *g, u64 i,
			 struct golang_function *out)
{
	u32 d[DESCRIPTION_WORDS], entry[3]; /* start, description, end */
	u64 at;
	u8 flags;

	if (i >= g->n || !take(g, g->functions + i * 8, entry, sizeof(entry)))
		return -EBADMSG;
	at = g->functions + entry[1];
	if (!take(g, at, d, sizeof(d)) ||
	    !take(g, at + sizeof(d) + (g->has_start_line ? 5 : 1), &flags, 1))
		return -EBADMSG;
	*out = (struct golang_function){
		.start = g->text + entry[0],
		.end = g->text + entry[2],
		.name = name_at(g, (s32)d[NAME]),
		.rows = d[FRAME_ROWS],
		.flags = flags,
	};
	if (!out->name || d[ENTRY] != entry[0] || entry[0] >= entry[2])
		return -EBADMSG;
	out->ends_signal = !strcmp(out->name, "runtime.sigreturn") ||
			   !strcmp(out->name, "runtime.sigreturn__sigaction");
	return 0;
}

int golang_function(const struct golang *g, u64 i, struct golang_function *out)
{
	struct golang_function next;
	int err = read_function(g, i, out);

	if (err)
		return err;
	/* Signal handlers return to the first byte of this function, and the
	 * unwinder looks up callers one byte before the return address. */
	if (out->ends_signal && out->start)
		out->start--;
	if (!read_function(g, i + 1, &next) && next.ends_signal)
		out->end--;
	return 0;
}

static int take_number(struct pointer_cursor *c, u64 *out)
{
	int err = pointer_take_value(c, DW_EH_PE_uleb128, out);

	return err || *out > UINT32_MAX ? -EBADMSG : 0;
}

int golang_rows(const struct golang *g, const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, u32 depth), void *ctx)
{
	struct pointer_cursor c = { .end = g->table + g->len };
	u64 end = f->start;
	s64 depth = -1;

	if (!f->rows || f->rows > g->len - g->rows)
		return -EBADMSG;
	c.at = g->table + g->rows + f->rows;
	for (u32 n = 0; end < f->end; n++) {
		u64 change, bytes;
		int err;

		if (n == GOLANG_MAX_ROWS || take_number(&c, &change) ||
		    take_number(&c, &bytes) || !bytes)
			return -EBADMSG;
		depth += (s64)(change >> 1) ^ -(s64)(change & 1);
		end += bytes;
		if (depth < 0 || depth > INT32_MAX)
			return -EBADMSG;
		err = fn(ctx, end < f->end ? end : f->end, depth);
		if (err)
			return err;
	}
	return 0;
}
