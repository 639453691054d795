/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* New ids first, then those that were given back longest ago: an old one is given out
 * again as late as can be. */
#include "user/files/ids.h"

#include <stdlib.h>

#include "user/lib/mem.h"

void ids_init(struct ids *ids, u32 limit)
{
	*ids = (struct ids){ .next = 1, .limit = limit };
}

void ids_release(struct ids *ids)
{
	free(ids->back);
	*ids = (struct ids){ 0 };
}

u32 ids_take(struct ids *ids)
{
	u32 id;

	if (ids->next <= ids->limit)
		return ids->next++;
	if (!ids->n_back)
		return 0;
	id = ids->back[ids->first];
	ids->first = (ids->first + 1) % ids->limit;
	ids->n_back--;
	return id;
}

void ids_give(struct ids *ids, u32 id)
{
	if (!ids->back)
		ids->back = xcalloc(ids->limit, sizeof(*ids->back));
	ids->back[(ids->first + ids->n_back) % ids->limit] = id;
	ids->n_back++;
}

size_t ids_left(const struct ids *ids)
{
	return ids->limit - (ids->next - 1) + ids->n_back;
}
