/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts that are kept once each, for as long as a symbolizer lives. */
#ifndef JPBPF_USER_SYMBOLIZE_STRINGS_H
#define JPBPF_USER_SYMBOLIZE_STRINGS_H

struct strings; /* opaque */

struct strings *strings_new(void);
void strings_free(struct strings *s);
/* The one copy of a text, valid until strings_free(). */
const char *strings_intern(struct strings *s, const char *text);

#endif
