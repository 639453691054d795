/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the GLOB_DAT relocations of a module whose symbol the module itself
 * defines.  libR has about three hundred; they are searched front to back.
 */
#include "walkers/r/derive/r_slots.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "arch/machine.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

/* A file with more is no R. */
#define MAX_SEEN 65536

struct reader {
	const struct module *m;
	struct r_slots *slots;
	size_t seen; /* of any symbol */
};

static int add_slot(const struct module_reloc *r, void *ctx)
{
	struct reader *reader = ctx;
	struct r_slots *s = reader->slots;
	u64 symbol;

	if (r->type != RELOC_DATA || !r->symbol)
		return 0;
	if (reader->seen++ == MAX_SEEN)
		return -E2BIG;
	if (module_dynsym(reader->m, r->symbol, &symbol, NULL))
		return 0;
	s->slot = xgrow(s->slot, s->n, &s->capacity, sizeof(*s->slot));
	s->slot[s->n++] = (struct r_slot){ r->vaddr, symbol };
	return 0;
}

int r_slots_read(const struct module *m, struct r_slots *slots)
{
	struct reader reader = { .m = m, .slots = slots };

	return module_each_reloc(m, add_slot, &reader);
}

void r_slots_release(struct r_slots *slots)
{
	free(slots->slot);
	*slots = (struct r_slots){ 0 };
}

u64 r_slots_symbol(const struct r_slots *slots, u64 slot)
{
	for (size_t i = 0; i < slots->n; i++) {
		if (slots->slot[i].slot == slot)
			return slots->slot[i].symbol;
	}
	return 0;
}

u64 r_slots_slot(const struct r_slots *slots, u64 symbol)
{
	for (size_t i = 0; i < slots->n; i++) {
		if (slots->slot[i].symbol == symbol)
			return slots->slot[i].slot;
	}
	return 0;
}
