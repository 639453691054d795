/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Arrays of string pairs { key, value } in a program's constant data, ended by a
 * pair of NULLs. TIP 59 embeds the configuration of a Tcl build this way.
 */
#ifndef JPBPF_USER_ELF_PAIRS_H
#define JPBPF_USER_ELF_PAIRS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

struct pair {
	char *key, *value;
};

struct pairs {
	struct pair *pair; /* in the order of the array */
	size_t n;
};

/* Limits of pairs, and of bytes per text with its NUL. */
#define PAIRS_MAX	128
#define PAIRS_KEY_MAX	64
#define PAIRS_VALUE_MAX 4096

/* Finds and reads the first array in a file that begins with these keys
 * (NULL-terminated, in this order). 0, or -ENOENT if there is none. Call
 * pairs_release() in either case. */
int pairs_read(struct pairs *p, const struct module *m,
	       const char *const *first_keys);
/* The same of the array at vaddr, whatever its keys. */
int pairs_read_at(struct pairs *p, const struct module *m, u64 vaddr);
void pairs_release(struct pairs *p);
/* The value of a key, or NULL. */
const char *pairs_find(const struct pairs *p, const char *key);

#endif
