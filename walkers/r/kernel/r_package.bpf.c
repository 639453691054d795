/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The package that an environment belongs to.
 *
 * A namespace is an environment that binds `.__NAMESPACE__.` to an environment
 * whose `spec` is a character vector that begins with the package's name
 * (src/library/base/R/namespace.R, makeNamespace, R-4-2-2).  The base namespace is
 * special.  Nothing is said here of a function: whoever asks has made sure that the
 * namespace binds it.
 *
 * Runs only when the closure cache misses, so it may chase pointers.
 */
#include "walkers/r/kernel/r.bpf.h"

#define NAMESPACE R_HASH_NAMESPACE, 0x53454d414e5f5f2eull, ~0ull
#define SPEC	  R_HASH_SPEC, 0x63657073ull, 0xffffffffffull

u64 r_package(struct walk *w, u64 env)
{
	u64 spec;
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	if (r_is_base(r, env)) {
		__builtin_memcpy(w->text.text, "base", 4);
		w->text_bytes = 4;
		return text_intern(w);
	}
	if (env == r->p.global_env)
		return 0;
	spec = r_lookup(w, env, NAMESPACE);
	if (spec)
		spec = r_lookup(w, spec, SPEC);
	return r_string(w, spec, 0);
}
