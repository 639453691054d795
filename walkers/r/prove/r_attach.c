/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The proof is one walk along the chain of contexts.  The chain must end in R_Toplevel,
 * the one context that is not on a stack: a variable in .bss whose nextcontext is NULL,
 * whose callflag is CTXT_TOPLEVEL and whose call is R_NilValue (setup_Rmainloop() in
 * src/main/main.c).
 *
 * R runs meanwhile.  The inner end of the chain can be gone before it is read, and then the
 * walk ends in nonsense.  In this case the chain is walked again.  A walk that has reached
 * R_Toplevel is right, because nothing else looks like R_Toplevel.
 */
#include "walkers/r/prove/r_prove.h"

#include <errno.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/target/memory.h"
#include "walkers/r/derive/r_file.h"

#define MAX_WALKS 50

/* A chain that does not end in .bss, or has parts that are not as they must be, is walked
 * again. */
static int walk_chain(pid_t pid, u64 bias, const struct r_file *file,
		      const struct r_process *p, struct r_chain *chain)
{
	bool known = r_layouts_known(file->row, file->version);
	int err = -EAGAIN;
	u64 end;

	for (int i = 0; i < MAX_WALKS && (err == -EAGAIN || chain->unlike);
	     i++) {
		err = r_proof_chain(pid, p, !known, chain);
		end = chain->last - bias;
		if (!err && (end < file->bss_start || end >= file->bss_end))
			err = -EAGAIN;
	}
	return err;
}

/* A version that is not known has to prove more. */
static int prove_unknown(pid_t pid, const struct r_file *file,
			 const struct r_process *p, const struct r_chain *chain,
			 struct buf *why)
{
	const char *unlike = NULL;
	int got = r_proof(pid, p, chain, &unlike);

	if (got > 0)
		return 1;
	if (!got) {
		buf_adds(why, "it is not up yet");
		return -EAGAIN;
	}
	buf_adds(why, "R ");
	r_version_text(file->version, why);
	buf_addf(why,
		 " is not known here; tried as %s, but %s are not where they "
		 "would be; please report it, with the output of \"jpbpf info "
		 "%d\"",
		 file->row->versions, unlike, pid);
	return got;
}

int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct r_chain *chain, struct buf *why)
{
	struct r_process p = file->at;
	int err = r_globals_read(file, pid, bias, &p);

	if (err == 0 || err == -ESRCH)
		return err;
	if (err < 0) {
		buf_addf(why, "pid %d: R's variables are unreadable: %s", pid,
			 strerror(-err));
		return err;
	}
	err = walk_chain(pid, bias, file, &p, chain);
	if (err == -EAGAIN) {
		buf_addf(why,
			 "pid %d: R's chain of contexts does not end in "
			 "R_Toplevel, so its frames cannot be placed",
			 pid);
		return -ENOTSUP;
	}
	p.toplevel = chain->last;
	if (!err && !r_layouts_known(file->row, file->version))
		err = prove_unknown(pid, file, &p, chain, why);
	if (err >= 0)
		*process = p;
	return err < 0 ? err : 1;
}
