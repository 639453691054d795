/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An array of pairs of strings, { key, value }, that a program carries as
 * constant data and that a pair of NULLs ends: how TIP 59 embeds a build's
 * configuration.
 */
#ifndef JPBPF_USER_ELF_PAIRS_H
#define JPBPF_USER_ELF_PAIRS_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct module;

struct pair {
	char *key, *value;
};

struct pairs {
	struct pair *pair; /* in the order of the array */
	size_t n;
	u64 vaddr; /* vaddr of the array */
};

/* More of them, and longer texts, are not read. */
#define PAIRS_MAX	128
#define PAIRS_KEY_MAX	64
#define PAIRS_VALUE_MAX 4096

/* Find the array that begins with these keys (NULL-terminated, in this order) in
 * a file, and read it; the first such array, if there are several.  0; -ENOENT:
 * there is none.  pairs_release() in either case. */
int pairs_read(struct pairs *p, const struct module *m,
	       const char *const *first_keys);
/* The same from the memory of a process that maps the file at bias: for files
 * whose pointers cannot be told from the file. */
int pairs_read_live(struct pairs *p, const struct module *m,
		    const char *const *first_keys, pid_t pid, u64 bias);
void pairs_release(struct pairs *p);
/* The value of a key, or NULL. */
const char *pairs_find(const struct pairs *p, const char *key);

#endif
