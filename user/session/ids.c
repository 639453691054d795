/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* New ids first: an old one is given out again as late as can be. */
#include "user/session/ids.h"

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
	if (ids->next <= ids->limit)
		return ids->next++;
	return ids->n_back ? ids->back[--ids->n_back] : 0;
}

void ids_give(struct ids *ids, u32 id)
{
	ids->back = xgrow(ids->back, ids->n_back, &ids->capacity,
			  sizeof(*ids->back));
	ids->back[ids->n_back++] = id;
}

size_t ids_left(const struct ids *ids)
{
	return ids->limit - (ids->next - 1) + ids->n_back;
}
