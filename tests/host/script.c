/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Frames of a sample as text, and whole samples against damaged ones. */
#include "script.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "bpf/walk.bpf.h"

#include "self.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/symbolize/status.h"
#include "walkers/r/r.h"
#include "walkers/tcl/tcl.h"

static bool is_walker(u64 word)
{
	return frame_kind(word) >= FRAME_WALKER &&
	       frame_kind(word) != FRAME_KERNEL;
}

static const char *native_name(const struct script_native *natives, u64 word)
{
	const void *f = self_function(word);

	for (; f && natives->name; natives++)
		if (natives->function == f)
			return natives->name;
	return NULL;
}

static void add_frame(const u64 *word, const struct script_native *natives,
		      struct buf *out)
{
	const char *name;

	if (is_walker(word[0])) {
		self_name(word, out);
		return;
	}
	name = native_name(natives, word[0]);
	if (name)
		buf_adds(out, name);
}

void script_line(const struct sample *s, const struct script_native *natives,
		 struct buf *out)
{
	u32 *start = xcalloc(s->words + 1, sizeof(*start)), n = 0;
	struct buf frame = { 0 };

	for (u32 i = 0; i < s->words; i += 1 + frame_extra(s->word[i]))
		start[n++] = i;
	while (n--) {
		buf_reset(&frame);
		if (is_walker(s->word[start[n]]) &&
		    self_note(&s->word[start[n]], &frame)) {
			buf_adds(out, buf_text(&frame));
			continue;
		}
		add_frame(&s->word[start[n]], natives, &frame);
		if (!frame.len)
			continue;
		if (out->len)
			buf_adds(out, " ");
		buf_adds(out, buf_text(&frame));
	}
	buf_release(&frame);
	free(start);
}

/* ---- damaged samples ---------------------------------------------------- */

/* A command in C by the word that called it is as good as by its name: whether
 * that word still leads to the command is only known by trying to read it. */
static bool is_typed(const u64 *a, const u64 *b)
{
	return frame_kind(b[0]) == FRAME_WALKER + WALKER_TCL &&
	       frame_sub(a[0]) == TCL_COMMAND &&
	       frame_sub(b[0]) == TCL_COMMAND && (b[0] & TCL_AS_TYPED) &&
	       a[3] == b[3];
}

static bool is_same(const u64 *a, const u64 *b)
{
	return is_typed(a, b) ||
	       (a[0] == b[0] && !memcmp(a, b, (1 + frame_extra(a[0])) * 8));
}

/* No frame, but a word about one: right or not there. */
static bool is_note(const u64 *word)
{
	return (frame_kind(word[0]) == FRAME_WALKER + WALKER_R &&
		(frame_sub(word[0]) == R_LINE ||
		 frame_sub(word[0]) == R_ASIDE)) ||
	       (frame_kind(word[0]) == FRAME_WALKER + WALKER_TCL &&
		frame_sub(word[0]) == TCL_LINE);
}

/* Is b what a failed read leaves of a? The same kind of frame with less said, or
 * by the word that called it, or one without a name. */
static bool is_left(const u64 *a, const u64 *b)
{
	u32 extra = frame_extra(a[0]);
	u32 typed = TCL_AS_TYPED;

	if (frame_kind(a[0]) != frame_kind(b[0]))
		return false;
	if (frame_kind(a[0]) == FRAME_WALKER + WALKER_R &&
	    (frame_sub(a[0]) < R_CALLED) != (frame_sub(b[0]) < R_CALLED))
		return false;
	if (is_note(a) || is_note(b))
		return is_same(a, b);
	if (!is_walker(a[0]) || frame_extra(b[0]) == 0)
		return !is_walker(a[0]) ? a[0] == b[0] : true;
	if (frame_kind(a[0]) == FRAME_WALKER + WALKER_TCL && (b[0] & typed))
		return frame_sub(a[0]) == frame_sub(b[0]);
	for (u32 i = 1; i <= extra; i++)
		if (a[i] != b[i] && b[i])
			return false;
	return frame_sub(a[0]) == frame_sub(b[0]) && frame_extra(b[0]) == extra;
}

/* It says that frames may be missing there. */
static bool is_missing(u64 word)
{
	return frame_kind(word) == FRAME_STATUS &&
	       status_find(word & FRAME_VALUE58_MASK)->class ==
		       STATUS_CLASS_MISSING;
}

/* A frame that is shown. */
static bool is_shown(const u64 *word)
{
	if (frame_kind(*word) == FRAME_WALKER + WALKER_R)
		return frame_sub(*word) < R_CALLED;
	return is_walker(*word) && !is_note(word) && !(*word & TCL_DUPLICATE);
}

static void next(const u64 **word)
{
	*word += 1 + frame_extra(**word);
}

bool script_less(const struct sample *whole, const struct sample *faulty)
{
	const u64 *a = whole->word, *a_end = a + whole->words;
	const u64 *b = faulty->word, *b_end = b + faulty->words;
	bool less = false, marked = false, outward = false;

	for (; b < b_end; next(&b)) {
		if (is_missing(*b)) {
			less = marked = true;
			/* What R's contexts, or the frames that are told, are from there
			 * on is not known. */
			outward |= frame_value(*b) >= R_READ &&
				   frame_value(*b) <= SHADOW_NOT_READY;
			continue;
		}
		if (frame_kind(*b) == FRAME_STATUS)
			break;
		/* Script frames can be missing where a marker says so, native ones
		 * cannot. */
		for (; a < a_end && is_walker(*a) && !is_left(a, b); next(&a)) {
			assert_true(marked || !is_shown(a));
			less = true;
		}
		marked &= is_walker(*b) || outward;
		assert_true(a < a_end);
		if (is_walker(*b) && !is_walker(*a)) {
			/* What it was that was not read: perhaps no frame. */
			assert_int_equal(frame_extra(*b), 0);
			less = true;
			continue;
		}
		assert_true(is_left(a, b));
		less |= !is_same(a, b);
		next(&a);
	}
	for (; faulty->status == WALK_ROOT && a < a_end; next(&a))
		assert_true(marked || !is_shown(a));
	if (faulty->status == WALK_ROOT)
		assert_ptr_equal(b, b_end);
	else
		assert_int_equal(*b,
				 frame_value58(FRAME_STATUS, faulty->status));
	return less || a < a_end;
}

void script_bounds(const struct sample *s)
{
	/* The status goes into the reserve. */
	const u32 most = WALK_WORDS - WALK_RESERVE + 1;
	u32 i = 0;

	assert_true(s->status < WALK_STATUS_COUNT);
	assert_true(s->words > 0 && s->words <= most);
	assert_true(host_loop_turns < WALK_MAX_STEPS);
	while (i < s->words) {
		u32 kind = frame_kind(s->word[i]);

		assert_true(kind == FRAME_NATIVE || kind == FRAME_UNMAPPED ||
			    is_walker(s->word[i]) || is_missing(s->word[i]) ||
			    (kind == FRAME_STATUS && i == s->words - 1));
		i += 1 + frame_extra(s->word[i]);
	}
	assert_int_equal(i, s->words);
}

/* What is missing was counted, and the next sample is whole again. */
static void check_fault(const struct perf_regs *regs,
			const struct sample *whole, const struct host_faults *f)
{
	u64 breaks = self_breaks();
	struct sample *s;

	self_forget();
	host_faults_set(f);
	s = self_sample(regs);
	host_faults_set(NULL);
	script_bounds(s);
	if (script_less(whole, s))
		assert_true(self_breaks() > breaks);
	free(s);
	s = self_sample(regs);
	assert_false(script_less(whole, s));
	assert_int_equal(s->status, whole->status);
	free(s);
}

void script_fail_each(const struct perf_regs *regs)
{
	struct sample *whole;
	u64 reads;

	self_forget();
	host_faults_set(NULL);
	whole = self_sample(regs);
	reads = host_reads;
	assert_true(reads > 4);
	for (u64 n = 1; n <= reads; n++) {
		check_fault(regs, whole, &(struct host_faults){ .fail_at = n });
		check_fault(regs, whole,
			    &(struct host_faults){ .fail_from = n });
	}
	free(whole);
}

void script_garble(const struct perf_regs *regs, u32 rounds)
{
	struct host_faults f = { 0 };
	struct sample *s;
	u64 reads;

	self_forget();
	host_faults_set(NULL);
	free(self_sample(regs));
	reads = host_reads;
	for (u32 i = 0; i < rounds; i++) {
		f.seed = i + 1;
		f.garble_at = i < 2 * reads ? 1 + i % reads : 0;
		f.garble_one_in = f.garble_at ? 0 : 2 + i % 60;
		self_forget();
		host_faults_set(&f);
		s = self_sample(regs);
		script_bounds(s);
		free(s);
	}
	host_faults_set(NULL);
	self_forget();
}
