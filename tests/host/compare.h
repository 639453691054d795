/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples taken in more than one way: however memory is read, the same must come
 * out, word for word.
 */
#ifndef JPBPF_TESTS_HOST_COMPARE_H
#define JPBPF_TESTS_HOST_COMPARE_H

#include "host.h"

enum compare_mode {
	COMPARE_OFF,	/* through the helper */
	COMPARE_DIRECT, /* directly, compared with nothing */
	COMPARE_WARM,	/* in every way, and the caches stay what they are */
	COMPARE_COLD,	/* in every way, and each finds the caches empty */
};

/* How self_sample() takes samples; a test group's setup sets it. */
extern enum compare_mode compare_mode;

/* The sample as take(ctx) gives it; the test fails when another way gives another
 * sample. */
struct sample *compare_sample(struct sample *(*take)(void *ctx), void *ctx);

#endif
