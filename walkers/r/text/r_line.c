/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A file is named as R was told it: source("model.R") gives "model.R".  What is
 * typed has no file: R counts its lines from the start of each expression at top
 * level, and writes "#3" for them (traceback() in src/library/base/R/traceback.R,
 * R-4-2-2).  To R a script that it was given is the same; but there the file and its
 * line can be told, mostly (r_place.c).
 */
#include "walkers/r/text/r_line.h"

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "walkers/r/r.h"
#include "walkers/r/text/r_place.h"
#include "walkers/walker.h"

/* word[1] to word[3] are there. */
static void add_script_line(const u64 *word, const struct walker_texts *texts,
			    struct buf *out)
{
	const struct r_expression e = {
		.script = word[3],
		.text = word[1],
		.bytes = word[2],
		.line = (u32)word[0],
	};
	const char *name;
	size_t len;
	u32 line = r_place_line(texts, &e, &name, &len);

	if (line)
		buf_addf(out, " (%.*s:%u)", (int)len, name, line);
	else
		buf_addf(out, " (#%u)", e.line);
}

bool r_line_name(const u64 *word, const struct walker_texts *texts,
		 struct buf *out)
{
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	u32 line = (u32)word[0];
	const char *file = NULL;

	if (frame_sub(word[0]) != R_LINE)
		return false;
	if (kind == R_LINE_FILE && frame_extra(word[0]) >= 1)
		file = texts->find(texts->ctx, word[1]);
	if (file)
		buf_addf(out, " (%s:%u)", file, line);
	else if (kind == R_LINE_SCRIPT && frame_extra(word[0]) >= 3)
		add_script_line(word, texts, out);
	else if (kind == R_LINE_TYPED)
		buf_addf(out, " (#%u)", line);
	return true;
}
