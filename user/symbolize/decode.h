/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Turns the words of one stack into raw frames: what was seen, without what files say of
 * it.  A raw frame is a struct frame in which
 *
 *   native   module is the file id + 1, and address the address in the file (0, 0: in no
 *            known file); called and walker say by which name a script called it
 *   kernel   address is the kernel's
 *   script   module and address are those of the C function that the frame stands for
 *   marker   FRAME_CHAIN: what stands outward was found by frame pointers
 */
#ifndef JPBPF_USER_SYMBOLIZE_DECODE_H
#define JPBPF_USER_SYMBOLIZE_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/lib/frame.h"
#include "walkers/walker.h"

struct decoder; /* opaque */
struct intern;

/* texts: of the frames, must outlive the result.  find: the texts that words refer to;
 * none may arrive while the decoder is in use.  where: take the places and expressions of
 * script frames. */
struct decoder *decoder_new(struct intern *texts,
			    const struct walker_texts *find, bool where);
void decoder_free(struct decoder *d);
/* word: kernel frames, then user frames, leaf first, as in struct sample.  *frames:
 * outermost first, owned by the decoder and valid until the next call.  Returns their
 * number. */
size_t decoder_stack(struct decoder *d, const u64 *word, size_t words,
		     const struct frame **frames);

#endif
