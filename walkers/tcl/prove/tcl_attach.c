/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An interpreter is found in memory by its field Interp.stubTable, which holds the
 * address of tclStubs.  Other memory can hold that address too: copies of the pointer in
 * extensions, or freed memory.  Only an Interp satisfies these identities
 * (generic/tclInt.h, core-8-6-13):
 *
 *   *interp->handle == interp               at the same place in every version
 *   interp->execEnvPtr->interp == interp
 *   interp->globalNsPtr->interp == interp
 *
 * The answers:
 *
 *   1        One interpreter satisfies all of them.  That proves the layout.
 *   -ENOTSUP No interpreter satisfies all of them, and one satisfies the first but not
 *            the others, however often it is looked at.  The layout is another one.
 *   0        There is no interpreter yet.
 *   2        There may be one in what was not looked at.
 *
 * The search begins with the heap, because the first interpreter of a program is near
 * the heap's beginning.  Then come other anonymous mappings, small ones before large
 * ones, until the budget is used up.  A process with more memory than that and no
 * interpreter in what was seen is accepted.  That is safe: the file's layout has been
 * checked against the code that uses it (tcl_trampoline.c), and in every sample the
 * kernel side checks stubTable and execEnvPtr of the interpreter before it follows
 * anything.
 *
 * For a version that nobody has looked at, the layout must satisfy tcl_proof.c as well.
 * An interpreter that has too little in it for that is looked at again later.
 */
#include "walkers/tcl/prove/tcl_attach.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/maps.h"
#include "user/target/memory.h"
#include "walkers/tcl/derive/tcl_found.h"

#define PIECE	   (1u << 20)
#define BUDGET	   (64ull << 20)
#define BUDGET_ALL (4ull << 30)
#define SMALL	   (4ull << 20)
#define RECHECK	   3

struct scan {
	const struct tcl_attach *a;
	u64 left;    /* bytes of the budget */
	bool short_; /* the budget did not last to the end */
	u64 proven;  /* an Interp that satisfies everything */
	u64 broken;  /* an Interp that satisfies the first identity only */
	u64 bare;    /* an Interp with too little in it to prove more */
	const char *unlike;	 /* what is not where it should be, if known */
	struct tcl_interps *all; /* NULL: one is enough */
	u8 *piece;
};

/* Whether the pointer at address leads, at off, back to interp. */
static bool leads_back(pid_t pid, u64 address, s16 off, u64 interp)
{
	u64 to, back;

	return !memory_read_u64(pid, address, &to) && to &&
	       !memory_read_u64(pid, to + (s64)off, &back) && back == interp;
}

static bool is_done(const struct scan *s)
{
	return s->all ? s->all->n >= TCL_MAX_INTERPS : s->proven != 0;
}

static void take(struct scan *s, u64 interp)
{
	struct tcl_interps *all = s->all;
	u64 at = interp + (u64)s->a->found->row->interp_thread, thread;

	s->proven = interp;
	if (!all)
		return;
	if (memory_read_u64(s->a->pid, at, &thread))
		thread = 0;
	all->interp = xgrow(all->interp, all->n, &all->capacity,
			    sizeof(*all->interp));
	all->interp[all->n++] = (struct tcl_interp){ interp, thread };
}

/* As tcl_proof(). */
static int agrees(struct scan *s, u64 interp)
{
	const struct tcl_layout_row *row = s->a->found->row;
	pid_t pid = s->a->pid;

	if (!leads_back(pid, interp + (s64)row->layout.interp_exec_env,
			row->layout.exec_env_interp, interp) ||
	    !leads_back(pid, interp + (s64)row->layout.interp_global_ns,
			row->ns_interp, interp))
		return -ENOTSUP;
	return s->a->found->unknown ? tcl_proof(pid, row, interp, &s->unlike)
				    : 1;
}

static void check(struct scan *s, u64 interp)
{
	const struct tcl_layout_row *row = s->a->found->row;
	pid_t pid = s->a->pid;
	int got;

	/* An interpreter that is being made or deleted fails, too.  So a failure counts
	 * only if it lasts. */
	for (int i = 0; i < RECHECK; i++) {
		if (!leads_back(pid, interp + (s64)row->interp_handle, 0,
				interp))
			return;
		s->unlike = NULL;
		got = agrees(s, interp);
		if (got > 0)
			take(s, interp);
		if (!got)
			s->bare = interp;
		if (got >= 0)
			return;
	}
	s->broken = interp;
}

static void scan_piece(struct scan *s, u64 address, size_t len)
{
	u64 word;

	for (size_t at = 0; at + 8 <= len && !is_done(s); at += 8) {
		memcpy(&word, s->piece + at, sizeof(word));
		if (word == s->a->found->stubs.table + s->a->bias)
			check(s, address + at -
					 (u64)s->a->found->row->layout
						 .interp_stub_table);
	}
}

static int scan_map(struct scan *s, const struct map *map)
{
	for (u64 at = map->start; at < map->end && !is_done(s); at += PIECE) {
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

/* The pass in which a mapping is searched; -1: it is not. */
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
		for (size_t i = 0; i < maps->n && !is_done(s) && !err; i++)
			if (pass_of(&maps->map[i]) == pass)
				err = scan_map(s, &maps->map[i]);
	return err;
}

/* The answer if nothing proves the row of another version. */
static int not_proven(const struct scan *s, struct buf *why)
{
	bool is_bare = !s->broken && s->bare;

	if (!s->broken && !s->bare && !s->short_) {
		buf_adds(why, "it has no interpreter yet");
		return -EAGAIN;
	}
	buf_addf(why, "Tcl %s is not known here; tried as %s, but ",
		 s->a->found->unknown, s->a->found->row->versions);
	if (is_bare)
		buf_addf(why,
			 "its interpreter at 0x%llx has too little in it to "
			 "prove it on (no procs are seen, or few commands); "
			 "if it has them",
			 s->bare);
	else if (s->broken)
		buf_addf(why,
			 "%s of its interpreter at 0x%llx are not where they "
			 "would be",
			 s->unlike ? s->unlike : "the parts", s->broken);
	else
		buf_adds(why, "no interpreter was found to prove it on");
	buf_addf(why,
		 "%s please report it, with the output of \"jpbpf info %d\"",
		 is_bare ? "," : ";", s->a->pid);
	return is_bare ? -ENODATA : -ENOTSUP;
}

static int prove(struct scan *s, const struct maps *maps, struct buf *why)
{
	_cleanup_free_ u8 *piece = NULL;
	int err;

	s->piece = piece = xmalloc(PIECE);
	err = scan_maps(s, maps);
	if (s->proven)
		return 1;
	if (err) {
		buf_addf(why, "its memory cannot be read: %s", strerror(-err));
		return err;
	}
	if (s->a->found->unknown)
		return not_proven(s, why);
	if (s->broken) {
		buf_addf(why,
			 "its interpreter at 0x%llx is not laid out as this "
			 "version's is; is it a patched Tcl?",
			 s->broken);
		return -ENOTSUP;
	}
	return s->short_ ? 2 : 0;
}

int tcl_attach(const struct tcl_attach *a, const struct maps *maps,
	       struct tcl_interps *all, struct buf *why)
{
	u64 budget = all ? BUDGET_ALL : BUDGET;
	struct scan s = {
		.a = a,
		.left = a->budget ? a->budget : budget,
		.all = all,
	};
	int got;

	if (all)
		*all = (struct tcl_interps){ 0 };
	got = prove(&s, maps, why);
	if (all)
		all->short_ = s.short_ || all->n >= TCL_MAX_INTERPS;
	return got;
}
