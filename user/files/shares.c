/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Who has half gets none of the last quarter; as long as there is more, nobody is in
 * anybody's way. */
#include "user/files/shares.h"

#include <stdlib.h>

#include <uthash.h>

#include "user/lib/mem.h"

#define MOST_PART  2 /* of all: that is much for one process */
#define SPARE_PART 4 /* of all: then it gets no more */

struct share {
	pid_t pid;
	size_t n;
	UT_hash_handle hh;
};

void shares_release(struct shares *s)
{
	struct share *share, *next;

	HASH_ITER (hh, s->all, share, next) {
		HASH_DEL(s->all, share);
		free(share);
	}
}

static struct share *find(const struct shares *s, pid_t pid)
{
	struct share *share;

	HASH_FIND_INT(s->all, &pid, share);
	return share;
}

struct share *shares_take(struct shares *s, pid_t pid)
{
	struct share *share = find(s, pid);

	if (!share) {
		share = xcalloc(1, sizeof(*share));
		share->pid = pid;
		HASH_ADD_INT(s->all, pid, share);
	}
	share->n++;
	return share;
}

void shares_give(struct shares *s, struct share *share)
{
	if (--share->n)
		return;
	HASH_DEL(s->all, share);
	free(share);
}

bool shares_has_room(const struct shares *s, pid_t pid, size_t left, size_t all)
{
	const struct share *share = find(s, pid);

	return left > all / SPARE_PART || !share || share->n < all / MOST_PART;
}
