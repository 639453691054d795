/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Short texts are read as words, which is cheaper than by the helper for texts. */
#ifndef JPBPF_SHORT_BPF_H
#define JPBPF_SHORT_BPF_H

#include "bpf/walk.bpf.h"

#define SHORT_WORDS 4u

/* Id of a short text; 0: it is longer, or the bytes behind it are unreadable. */
static __always_inline u64 short_text(struct walk *w, u64 address)
{
	if (walk_words(w, (u64 *)w->text.text, SHORT_WORDS, address))
		return 0;
	return text_words(w, SHORT_WORDS);
}

#endif
