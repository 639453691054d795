/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The names of commands and namespaces, read at the moment of the sample, or kept.
 *
 * A Command's name is the key of the hash entry it points to, its namespace the
 * full name of its Namespace.  Commands and entries are freed and their memory
 * is used again at once (redefined procs), so every sample reads the name's bytes
 * and checks that the entry's value is this very Command (generic/tclInt.h,
 * Command and Tcl_HashEntry, core-8-6-13).  What was found is kept with a fingerprint of
 * those bytes (tcl_names.bpf.h).
 */
#include "walkers/tcl/kernel/tcl_names.bpf.h"
#include "walkers/tcl/kernel/tcl_view.bpf.h"

/* Continues a fingerprint with some words of a structure, of which `at` is a look
 * (tcl_view()).  The words begin `before` bytes behind the structure's begin. */
static __always_inline u64 print_of(const struct tcl_walk *t, u64 print, u64 at,
				    u32 before, u32 words)
{
	for (u32 i = 0; i < TCL_KEY_WORDS; i++) {
		if (i >= words)
			break;
		print = text_mix(print, tcl_look(t, at, before + i * 8));
	}
	return print;
}

static __always_inline struct tcl_ns *ns_slot(struct tcl_walk *t, u64 ns)
{
	return &t->ns[(ns >> 6) & (TCL_NAMESPACES - 1)];
}

/* t->name_ns of t->ns_ptr, 0 unless it was read in this sample. */
static __always_inline void ns_known(struct tcl_walk *t)
{
	const struct tcl_ns *m = ns_slot(t, t->ns_ptr);

	t->name_ns = m->sample == t->sample && m->ns == t->ns_ptr ? m->text : 0;
}

/* Whether the namespace's name, of which this is a look, is what was kept. */
static __always_inline bool ns_holds(const struct walk *w,
				     const struct tcl_walk *t,
				     const struct tcl_ns *m, u64 ns, u64 at)
{
	return at && m->ns == ns && m->serial == w->process.serial &&
	       m->print == print_of(t, 0, at, 0, m->words);
}

u64 tcl_ns_text(struct walk *w, u64 ns)
{
	struct tcl_walk *t = tcl_current(w);
	struct tcl_ns *m;
	u64 name = 0, at;

	if (!t)
		return 0;
	m = ns_slot(t, ns);
	if (tcl_word(w, t, &name, ns + t->l.ns_full_name))
		return 0;
	at = tcl_view(w, t, name, TCL_KEY_WORDS * 8);
	if (seldom(!ns_holds(w, t, m, ns, at))) {
		w->text_unsent = 0;
		m->text = tcl_text(w, t, name);
		m->words = w->text_bytes / 8 + 1;
		m->print = at ? print_of(t, 0, at, 0, m->words) : 0;
		m->ns = ns;
		m->serial = w->process.serial;
		if (!at || !m->text || w->text_unsent ||
		    m->words > TCL_KEY_WORDS)
			m->serial = 0;
	}
	m->sample = m->text ? t->sample : 0;
	return m->text;
}

#define ENTRY_WORDS 8u /* of an entry from its value on: most names fit */

/* The key of the hash entry, whose value must be the Command. */
static __always_inline u64 entry_text(struct walk *w, struct tcl_walk *t,
				      u64 entry)
{
	u64 *word = t->block, value, id = 0;

	/* Value and key stand side by side. */
	if (!walk_read(w, word, ENTRY_WORDS * 8, entry + t->l.entry_value)) {
		if (word[0] != t->command)
			return 0;
		__builtin_memcpy(w->text.text, word + 1, (ENTRY_WORDS - 1) * 8);
		id = text_words(w, ENTRY_WORDS - 1);
		if (id)
			return id;
	} else if (tcl_word(w, t, &value, entry + t->l.entry_value) ||
		   value != t->command) {
		return 0;
	}
	return tcl_text(w, t, entry + t->l.entry_key);
}

/* Keeps what was found for the owner, if the key is short. */
static __always_inline void name_keep(struct walk *w, struct tcl_walk *t,
				      u64 owner, u64 entry)
{
	struct tcl_name *n = name_slot(w, owner);
	u32 words = w->text_bytes / 8 + 1;
	u64 at;

	if (!n)
		return;
	n->owner = 0;
	if (words > TCL_KEY_WORDS || w->text_unsent)
		return;
	at = tcl_view(w, t, entry + t->l.entry_value, (TCL_KEY_WORDS + 1) * 8);
	if (!at)
		return;
	n->command = t->command;
	n->entry = entry;
	n->ns = t->ns_ptr;
	n->text = t->name;
	n->print = print_of(t, 0, at, 8, words);
	n->words = words;
	n->is_widget = t->is_widget;
	n->serial = w->process.serial;
	n->sample = t->sample;
	n->owner = owner;
}

int tcl_command_name(struct walk *w, u64 owner)
{
	struct tcl_walk *t = tcl_current(w);
	u64 head[2];

	if (!t)
		return -1;
	/* hPtr and nsPtr are the first two fields. */
	if (walk_words(w, head, 2, t->command)) {
		t->failed = 1;
		return -1;
	}
	if (!head[0])
		return -1;
	t->ns_ptr = head[1];
	ns_known(t);
	w->text_unsent = 0;
	t->name = entry_text(w, t, head[0]);
	t->is_widget = w->text.text[0] == '.';
	if (!t->name)
		return -1;
	name_keep(w, t, owner, head[0]);
	return 0;
}

/*
 * Whether the Command and its key are what they were when the name was kept.
 *
 * A Command whose objClientData is the Proc is the Proc's (generic/tclProc.c,
 * Tcl_ProcObjCmd, core-8-6-13).  A deleted Command has no hPtr any more.  A freed hash
 * entry keeps its bytes, so the Command is checked first.
 */
static __always_inline bool name_holds(struct walk *w, struct tcl_walk *t,
				       const struct tcl_name *n)
{
	u64 at = tcl_view(w, t, n->command, TCL_COMMAND_READ);
	u64 head[2], differ, print;

	if (seldom(!at))
		return false;
	tcl_pair(t, at, head);
	differ = (head[0] ^ n->entry) | (head[1] ^ n->ns);
	if (n->owner != n->command)
		differ |= tcl_look(t, at, t->l.command_client_data) ^ n->owner;
	if (seldom(differ))
		return false;
	/* Value and key stand side by side. */
	at = tcl_view(w, t, n->entry + t->l.entry_value,
		      ((n->words & 7) + 1) * 8);
	if (seldom(!at))
		return false;
	tcl_pair(t, at, head);
	print = print_of(t, text_mix(0, head[1]), at, 16, n->words - 1);
	return head[0] == n->command && print == n->print;
}

int tcl_kept(struct walk *w, struct tcl_walk *t, u64 owner)
{
	struct tcl_name *n;

	if (!w || !t)
		return 0;
	n = name_slot(w, owner);
	if (!n || seldom(n->owner != owner || n->serial != w->process.serial))
		return 0;
	if (n->sample != t->sample && seldom(!name_holds(w, t, n)))
		return 0;
	t->ns_ptr = n->ns;
	ns_known(t);
	t->name = n->text;
	t->is_widget = n->is_widget;
	n->sample = t->sample;
	return 1;
}
