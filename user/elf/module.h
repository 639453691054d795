/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A module: one ELF file that a target maps.
 *
 * A module is identified by what it is, not by its path: two processes that map
 * the same inode share one module, whatever mount namespace they live in.  It
 * keeps its file open, so it can be read and symbolised after it was deleted,
 * replaced, or its process has gone.
 *
 * Everything in the file is untrusted: every reader here checks ranges against
 * what the file really holds and returns an error instead of reading outside.
 * "vaddr" is always an address in the file's own address space; of code in anonymous
 * memory, what it is above the code's base.
 */
#ifndef JPBPF_USER_ELF_MODULE_H
#define JPBPF_USER_ELF_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct Elf;
struct root;

struct module_key {
	dev_t dev;
	ino_t ino;
	s64 mtime_ns;
	u64 size;
};

#define MODULE_BUILD_ID_MAX 32
#define MODULE_WALKERS	    8

/* Code that a process made itself, in anonymous memory: no file says what it is. */
struct module_code {
	u64 base;    /* address of vaddr 0 in the process */
	pid_t pid;   /* as the process itself knows it */
	uid_t owner; /* of the process */
};

struct module {
	struct module_key key;
	u32 id;	    /* file id in frames; set by the registry */
	int fd;	    /* open for the life of the module; -1 for the vDSO */
	char *path; /* as the process sees it; for messages and symbol search */
	char *name; /* last part of path */
	const struct root *root;  /* below which path is; NULL: ours */
	struct module_code *code; /* NULL: it is a file, or the vDSO */
	void *image;		  /* the vDSO's copied bytes, else NULL */
	u8 build_id[MODULE_BUILD_ID_MAX];
	size_t build_id_len;
	bool is_exec; /* has an entry point and an interpreter or is ET_EXEC */
	void *walker[MODULE_WALKERS]; /* what each walker's probe() found */
	void *cache;		      /* module.c's own */
};

/* Takes ownership of fd in every case.  path is copied.  0 or -errno; on error
 * *m is untouched.  A file that is no 64-bit x86-64 ELF gives -ENOEXEC. */
int module_open(struct module *m, int fd, const char *path);
/* The same from memory (the vDSO); bytes is copied. */
int module_open_image(struct module *m, const void *bytes, size_t len,
		      const char *name);
/* Code in anonymous memory; *code is copied. */
void module_open_code(struct module *m, const struct module_code *code);
void module_close(struct module *m);
/* The module's libelf handle, which takes some kilobytes: opened when it is first asked
 * for, and again after module_rest().  NULL: it is no file, or libelf refuses. */
struct Elf *module_handle(const struct module *m);
/* The same file is known by another path now; path is copied. */
void module_move(struct module *m, const char *path);
/* Let go of what has been read and can be read again: pointers to functions and
 * symbols, the handle and what came from it, are void. */
void module_rest(struct module *m);

/* File offset (as in /proc/PID/maps) to vaddr through the PT_LOAD headers.
 * Segments can share a page of the file; the executable one is then meant, so
 * ask with the offset of an executable mapping.  0 or -ENOENT. */
int module_offset_to_vaddr(const struct module *m, u64 offset, u64 *vaddr);

/* Copy len bytes at vaddr as the file has them (no relocations applied; bytes of
 * .bss read as zero).  0, -EFAULT when not wholly inside a PT_LOAD. */
int module_read(const struct module *m, u64 vaddr, void *out, size_t len);
/* NUL-terminated text at vaddr; -ENAMETOOLONG when size is too small. */
int module_read_text(const struct module *m, u64 vaddr, char *out, size_t size);

/* The next text that PT_DYNAMIC has under this tag, from entry *at on; false: none that
 * fits. */
bool module_dynamic_text(const struct module *m, s64 tag, u64 *at, char *out,
			 size_t size);

/* A defined symbol of .dynsym by exact name (not of thread-local data; the
 * default one of several versions).  size may be NULL. 0 / -ENOENT. */
int module_dynsym(const struct module *m, const char *name, u64 *vaddr,
		  u64 *size);

/* Calls fn for each symbol of .dynsym that has a name until it returns non-zero, which
 * is then returned; 0 after the last.  vaddr is 0 of those that are imported. */
int module_each_symbol(const struct module *m,
		       int (*fn)(void *ctx, const char *name, u64 vaddr),
		       void *ctx);

/* One dynamic relocation.  symbol is NULL for RELATIVE and IRELATIVE ones, ""
 * where there is no name; addend is the value of RELATIVE ones.  RELR entries are reported as RELATIVE. */
struct module_reloc {
	u64 vaddr; /* where it is applied */
	u32 type;  /* R_X86_64_* */
	s64 addend;
	const char *symbol;
};

/* Calls fn for each dynamic relocation until it returns non-zero, which is then
 * returned; 0 after the last; -errno. */
int module_each_reloc(const struct module *m,
		      int (*fn)(const struct module_reloc *r, void *ctx),
		      void *ctx);
/* The addend of the RELATIVE relocation at vaddr: what a pointer in the file's
 * data points to.  Cached and sorted on first use.  0 / -ENOENT. */
int module_relative(const struct module *m, u64 vaddr, u64 *target);

/* One function as .eh_frame delimits it, [start, end). */
struct module_function {
	u64 start, end;
	u64 fde; /* vaddr of its entry; 0: not known */
};

/* All of them, sorted by start; owned by the module, built on first use.
 * 0 / -ENOENT when the file has no usable .eh_frame / -E2BIG when it has more than
 * any real file: none of it is used then. */
int module_functions(const struct module *m, const struct module_function **fn,
		     size_t *n);
/* The .eh_frame that they come from, at vaddr; size in bytes.  The caller's to free;
 * NULL: module_functions() fails. */
void *module_frames(const struct module *m, u64 *vaddr, size_t *size);
/* The one that covers vaddr. 0 / -ENOENT. */
int module_function_at(const struct module *m, u64 vaddr,
		       struct module_function *out);

/* Extend a range, empty at first, to the function that starts at vaddr. false: none does. */
bool module_range_add(const struct module *m, u64 vaddr,
		      struct module_function *range);
/* The same for all that are exported with this prefix. */
void module_range_exports(const struct module *m, const char *prefix,
			  struct module_function *range);

/* To be asked before so many bytes of code are taken apart.  0; -E2BIG when that
 * has been done far more often than any sound file needs: one made to waste time
 * has functions that overlap, and refer to each other, by the thousand. */
int module_spend(const struct module *m, u64 bytes);

/* A copy of the first section of that name, in memory or not, unpacked, with a NUL
 * behind it; the caller's to free.  0; -ENOENT: none; -E2BIG: more than max. */
int module_section_copy(const struct module *m, const char *name, size_t max,
			char **bytes, size_t *len);
/* Section by name: vaddr, and size in memory. 0 / -ENOENT. */
int module_section(const struct module *m, const char *name, u64 *vaddr,
		   u64 *size);

#endif
