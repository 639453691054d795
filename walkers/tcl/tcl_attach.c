/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An interpreter is found in memory by what is in it: Interp.stubTable holds
 * the address of tclStubs, a value that little else holds.  What else holds it
 * (copies of the pointer in extensions, freed memory) fails the identities that
 * only an Interp satisfies (generic/tclInt.h, core-8-6-13):
 *
 *   *interp->handle == interp               at the same place in every version
 *   interp->execEnvPtr->interp == interp
 *   interp->globalNsPtr->interp == interp
 *
 * One interpreter that satisfies all of them proves the layout: answer 1.  One
 * that has its handle but, looked at repeatedly, not the others, and none that
 * has all: the layout is another one; the process is refused.  None at all: it
 * was not made yet, ask again.
 *
 * How far is looked: the heap first, where the first interpreter of a program
 * is near the beginning, then other anonymous memory, small mappings before
 * large ones, until the budget is used up.  A process with more memory than
 * that and no interpreter in what was seen is accepted.  That is safe: the
 * file's layout has been checked against the code that uses it
 * (tcl_trampoline.c), and the kernel side checks stubTable and execEnvPtr of
 * the very interpreter in every sample before it follows anything.  The same
 * holds where tclStubs is not known.
 */
#include "walkers/tcl/tcl_attach.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/maps.h"
#include "user/target/memory.h"
#include "walkers/tcl/tcl_layouts.h"

#define PIECE	(1u << 20)
#define BUDGET	(64ull << 20)
#define SMALL	(4ull << 20)
#define RECHECK 3

struct scan {
	const struct tcl_attach *a;
	u64 left;    /* bytes of the budget */
	bool short_; /* it did not reach to the end */
	u64 proven;  /* an Interp that satisfies everything */
	u64 broken;  /* one that has its handle and nothing else */
	u8 *piece;
};

/* Does the pointer at address lead, at off, back to interp? */
static bool leads_back(pid_t pid, u64 address, s16 off, u64 interp)
{
	u64 to, back;

	return !memory_read_u64(pid, address, &to) && to &&
	       !memory_read_u64(pid, to + (s64)off, &back) && back == interp;
}

static void check(struct scan *s, u64 interp)
{
	const struct tcl_layout_row *row = s->a->row;
	pid_t pid = s->a->pid;

	/* It may be on its way in or out: a failure counts when it lasts. */
	for (int i = 0; i < RECHECK; i++) {
		if (!leads_back(pid, interp + (s64)row->interp_handle, 0,
				interp))
			return;
		if (leads_back(pid, interp + (s64)row->layout.interp_exec_env,
			       row->layout.exec_env_interp, interp) &&
		    leads_back(pid, interp + (s64)row->layout.interp_global_ns,
			       row->ns_interp, interp)) {
			s->proven = interp;
			return;
		}
	}
	s->broken = interp;
}

static void scan_piece(struct scan *s, u64 address, size_t len)
{
	u64 word;

	for (size_t at = 0; at + 8 <= len && !s->proven; at += 8) {
		memcpy(&word, s->piece + at, sizeof(word));
		if (word == s->a->stubs)
			check(s,
			      address + at -
				      (u64)s->a->row->layout.interp_stub_table);
	}
}

static int scan_map(struct scan *s, const struct map *map)
{
	for (u64 at = map->start; at < map->end && !s->proven; at += PIECE) {
		u64 len = map->end - at < PIECE ? map->end - at : PIECE;
		int err;

		if (len > s->left) {
			s->short_ = true;
			return 0;
		}
		s->left -= len;
		err = memory_read(s->a->pid, at, s->piece, len);
		if (err == -ESRCH || err == -EPERM)
			return err;
		if (!err)
			scan_piece(s, at, len);
	}
	return 0;
}

/* In which pass a mapping's turn comes; -1: never. */
static int pass_of(const struct map *map)
{
	if (!map->readable || !map->writable || map->ino)
		return -1;
	if (!strcmp(map->path, "[heap]"))
		return 0;
	if (map->path[0] && strncmp(map->path, "[anon", 5))
		return -1;
	return map->end - map->start <= SMALL ? 1 : 2;
}

static int scan_maps(struct scan *s, const struct maps *maps)
{
	int err = 0;

	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < maps->n && !s->proven && !err; i++)
			if (pass_of(&maps->map[i]) == pass)
				err = scan_map(s, &maps->map[i]);
	return err;
}

int tcl_attach(const struct tcl_attach *a, const struct maps *maps,
	       struct buf *why)
{
	_cleanup_free_ u8 *piece = NULL;
	struct scan s = { .a = a, .left = a->budget ? a->budget : BUDGET };
	int err;

	if (!a->stubs)
		return 1;
	s.piece = piece = xmalloc(PIECE);
	err = scan_maps(&s, maps);
	if (s.proven)
		return 1;
	if (err) {
		buf_addf(why, "its memory cannot be read: %s", strerror(-err));
		return err;
	}
	if (s.broken) {
		buf_addf(why,
			 "its interpreter at 0x%llx is not laid out as this "
			 "version's is; is it a patched Tcl?",
			 s.broken);
		return -ENOTSUP;
	}
	return s.short_;
}
