/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Four things can be checked of an R at any time: the types of its constants; its symbol
 * table, in which two symbols must be found by their names; closures of package base that
 * R's own start has called, with the parts that a closure has; and the contexts of the
 * closures that are running.  Together with what Rf_begincontext() stores and where
 * (r_file.c), these checks cover every offset that the walker uses.
 *
 * A context is read while R runs.  One that looks wrong may have ended meanwhile.  So the
 * caller walks several times before it believes that parts are unlike.
 *
 * Structures are those of src/include/Defn.h, R-4-2-2.
 */
#include "walkers/r/prove/r_prove.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "user/target/memory.h"

#define MAX_CONTEXTS 16384u /* as many as the kernel side walks */
#define HEAD	     320    /* bytes of a context that are read */

#define CTXT_FUNCTION 4u

static u64 word(const u8 *context, s16 offset)
{
	u64 value;

	memcpy(&value, context + offset, sizeof(value));
	return value;
}

static bool is_closure_context(pid_t pid, const struct r_layout *l,
			       const u8 *context)
{
	return r_symbols_type(pid, word(context, l->callfun), R_CLOSXP) &&
	       r_symbols_type(pid, word(context, l->call), R_LANGSXP) &&
	       r_symbols_type(pid, word(context, l->cloenv), R_ENVSXP) &&
	       r_symbols_type(pid, word(context, l->sysparent), R_ENVSXP);
}

int r_proof_chain(pid_t pid, const struct r_process *p, bool parts,
		  struct r_chain *chain)
{
	const struct r_layout *l = &p->layout;
	u8 context[HEAD];
	u64 next;
	u32 flags;
	int err;

	*chain = (struct r_chain){ 0 };
	err = memory_read_u64(pid, p->global_context, &chain->last);
	for (; !err && chain->contexts < MAX_CONTEXTS; chain->contexts++) {
		err = memory_read(pid, chain->last, context, sizeof(context));
		if (err)
			break;
		flags = (u32)word(context, l->flags);
		next = word(context, l->next);
		if (!next)
			return !flags && word(context, l->call) == p->nil
				       ? 0
				       : -EAGAIN;
		chain->last = next;
		if (!(flags & CTXT_FUNCTION))
			continue;
		chain->functions++;
		if (parts)
			chain->unlike += !is_closure_context(pid, l, context);
	}
	return err == -ESRCH ? err : -EAGAIN;
}

static bool constants_agree(pid_t pid, const struct r_process *p)
{
	return r_symbols_type(pid, p->nil, R_NILSXP) &&
	       r_symbols_type(pid, p->unbound, R_SYMSXP) &&
	       r_symbols_type(pid, p->global_env, R_ENVSXP) &&
	       r_symbols_type(pid, p->base_env, R_ENVSXP) &&
	       r_symbols_type(pid, p->base_namespace, R_ENVSXP);
}

/* Returns 1 if the symbol is bound to a closure of package base; 0: to nothing yet; -1: to
 * something else. */
static int is_base_closure(pid_t pid, const struct r_process *p, u64 symbol)
{
	struct r_object s = r_symbols_object(pid, symbol), formals;
	u64 value = s.word[1];

	if (!symbol)
		return -1;
	if (value == p->unbound)
		return 0;
	s = r_symbols_object(pid, value);
	if (s.type == R_PROMSXP) {
		if (s.word[0] == p->unbound)
			return 0;
		s = r_symbols_object(pid, s.word[0]);
	}
	if (s.type != R_CLOSXP || s.word[2] != p->base_namespace ||
	    !(r_symbols_type(pid, s.word[1], R_BCODESXP) ||
	      r_symbols_type(pid, s.word[1], R_LANGSXP)))
		return -1;
	formals = r_symbols_object(pid, s.word[0]);
	return formals.type == R_LISTSXP &&
			       r_symbols_type(pid, formals.word[2], R_SYMSXP)
		       ? 1
		       : -1;
}

/* R's own profile (library/base/R/Rprofile) calls these closures. */
static int closures_agree(pid_t pid, const struct r_process *p)
{
	static const char *const names[] = { "local",	   "eval.parent",
					     "Sys.getenv", "getOption",
					     "library",	   "tryCatch" };
	int proven = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int got = is_base_closure(pid, p,
					  r_symbols_find(pid, p, names[i]));

		if (got < 0)
			return got;
		proven += got;
	}
	return proven > 0;
}

int r_proof(pid_t pid, const struct r_process *p, const struct r_chain *chain,
	    const char **unlike)
{
	int closures = closures_agree(pid, p);

	if (!constants_agree(pid, p))
		*unlike = "its constants";
	else if (!r_symbols_find(pid, p, ".__NAMESPACE__.") ||
		 !r_symbols_find(pid, p, "spec"))
		*unlike = "its symbols";
	else if (closures < 0)
		*unlike = "the parts of its closures";
	else if (chain->unlike)
		*unlike = "the parts of its contexts";
	else
		return closures;
	return -ENOTSUP;
}
