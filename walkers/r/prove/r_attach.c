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

/* One process during its attach. */
struct target {
	pid_t pid;
	u64 bias;
	const struct r_file *file;
	bool known; /* the row was seen in this version */
};

/* A chain that does not end in .bss, or has parts that are not as they must be, is walked
 * again. */
static int prove_chain(const struct target *t, struct r_process *p,
		       struct r_chain *chain, struct buf *why)
{
	int err = -EAGAIN;

	for (int i = 0; i < MAX_WALKS && (err == -EAGAIN || chain->unlike);
	     i++) {
		err = r_proof_chain(t->pid, p, !t->known, chain);
		p->toplevel = chain->last;
		if (!err && (chain->last - t->bias < t->file->bss_start ||
			     chain->last - t->bias >= t->file->bss_end))
			err = -EAGAIN;
	}
	if (err != -EAGAIN)
		return err;
	buf_addf(why,
		 "pid %d: R's chain of contexts does not end in R_Toplevel, "
		 "so its frames cannot be placed",
		 t->pid);
	return -ENOTSUP;
}

/* A version that is not known has to prove more. */
static int prove_unknown(const struct target *t, const struct r_process *p,
			 const struct r_chain *chain, struct buf *why)
{
	const char *unlike = NULL;
	int got = r_proof(t->pid, p, chain, &unlike);

	if (got > 0)
		return 1;
	if (!got) {
		buf_adds(why, "it is not up yet");
		return -EAGAIN;
	}
	buf_adds(why, "R ");
	r_version_text(t->file->version, why);
	buf_addf(why,
		 " is not known here; tried as %s, but %s are not where they "
		 "would be; please report it, with the output of \"jpbpf info "
		 "%d\"",
		 t->file->row->versions, unlike, t->pid);
	return got;
}

/* Returns 1 if R's variables are read and there is a chain to walk; 0: not yet; -errno. */
static int read_variables(const struct target *t, struct r_process *p)
{
	u64 context;
	int err = r_globals_read(t->file, t->pid, t->bias, p);

	if (err <= 0)
		return err;
	err = memory_read_u64(t->pid, p->global_context, &context);
	return err ? err : context != 0;
}

int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct r_chain *chain, struct buf *why)
{
	const struct target t = { pid, bias, file,
				  r_layouts_known(file->row, file->version) };
	struct r_process p = file->at;
	int err = read_variables(&t, &p);

	if (err == 0 || err == -ESRCH)
		return err;
	if (err < 0) {
		buf_addf(why, "pid %d: R's variables are unreadable: %s", pid,
			 strerror(-err));
		return err;
	}
	err = prove_chain(&t, &p, chain, why);
	if (!err)
		err = t.known ? 1 : prove_unknown(&t, &p, chain, why);
	if (err > 0)
		*process = p;
	return err;
}
