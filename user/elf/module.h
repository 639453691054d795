/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A module: one ELF file that a process maps.
 *
 * A module is identified by the file's inode, times and size, not by its path. Two
 * processes that map the same inode share one module, whatever mount namespace they
 * live in. A module keeps its file open. So it can be read and symbolised after the
 * file was deleted or replaced, or the process has gone.
 *
 * Everything in the file is untrusted. Every reader here checks ranges against what
 * the file really holds and returns an error instead of reading outside. "vaddr" is
 * always an address in the file's own address space; for code in anonymous memory
 * it is the distance from the code's base.
 */
#ifndef JPBPF_USER_ELF_MODULE_H
#define JPBPF_USER_ELF_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct Elf;
struct frames;
struct root;
struct stat;

/* Without padding, so that it can be hashed. */
struct module_key {
	dev_t dev;
	ino_t ino;
	s64 mtime_ns;
	u64 size;
};

#define MODULE_BUILD_ID_MAX 32
#define MODULE_WALKERS	    8

/* Code that a process made in anonymous memory. */
struct module_code {
	u64 base;    /* address of vaddr 0 in the process */
	pid_t pid;   /* pid in the process's own namespace */
	uid_t owner; /* user id of the process */
};

struct module {
	struct module_key key;
	u32 id;	    /* module number in frames; set by the registry */
	int fd;	    /* open for the life of the module; -1: no file */
	char *path; /* as the process sees it; for messages and symbol search */
	char *name; /* last part of path */
	const struct root
		*root; /* root directory that path starts from; NULL: ours */
	struct module_code *code; /* NULL for a file */
	u8 build_id[MODULE_BUILD_ID_MAX];
	size_t build_id_len;
	bool is_exec;		      /* is ET_EXEC or has an interpreter */
	void *walker[MODULE_WALKERS]; /* what each walker's probe() found */
	void *cache; /* struct module_file, private to module*.c */
};

struct module_key module_key_of(const struct stat *st);
/* Opens a module. Takes ownership of fd in every case; copies path. 0 or -errno; on
 * error *m is untouched. -ENOEXEC if the file is not a 64-bit little-endian ELF
 * file of this machine. */
int module_open(struct module *m, int fd, const char *path);
/* The same for a file in memory (the vDSO); bytes is copied. */
int module_open_image(struct module *m, const void *bytes, size_t len,
		      const char *name);
/* Makes a module for code that cannot be read from a file; *code is copied.  file: the
 * path of the file that it is in all the same; "": none. */
void module_open_code(struct module *m, const struct module_code *code,
		      const char *file);
void module_close(struct module *m);
/* The module's libelf handle, which takes some kilobytes. It is opened on first
 * use, and again after module_rest(). NULL if the module is no file or libelf
 * refuses it. */
struct Elf *module_handle(const struct module *m);
/* Gives the module a new path; path is copied. */
void module_move(struct module *m, const char *path);
/* Frees everything that can be read again. Pointers to functions and symbols, the
 * libelf handle and data from it become invalid. */
void module_rest(const struct module *m);

/* Converts a file offset (as in /proc/PID/maps) to a vaddr by the PT_LOAD headers.
 * Segments can share a page of the file; the executable segment is then preferred,
 * so ask with the offset of an executable mapping. 0 or -ENOENT. */
int module_offset_to_vaddr(const struct module *m, u64 offset, u64 *vaddr);

/* Converts a vaddr to a file offset.  0 or -ENOENT: it is not in the file. */
int module_vaddr_to_offset(const struct module *m, u64 vaddr, u64 *offset);

/* Copies len bytes at vaddr as the file has them. Relocations are not applied; .bss
 * reads as zero. 0, or -EFAULT if the range is not wholly in one PT_LOAD. */
int module_read(const struct module *m, u64 vaddr, void *out, size_t len);
/* Reads the NUL-terminated text at vaddr. 0, -ENAMETOOLONG if it does not fit in
 * size bytes, or -EFAULT. */
int module_read_text(const struct module *m, u64 vaddr, char *out, size_t size);

/* Reads the next text that .dynamic has under this tag, from entry *at on. false:
 * there is none that fits. */
bool module_dynamic_text(const struct module *m, s64 tag, u64 *at, char *out,
			 size_t size);

/* Finds a defined symbol of .dynsym by exact name. Thread-local data is left out;
 * of several versions the default one is taken. size may be NULL. 0 or -ENOENT. */
int module_dynsym(const struct module *m, const char *name, u64 *vaddr,
		  u64 *size);

/* The name of the next symbol of .dynsym that another file is to define. *at is 0 at
 * first. NULL: there is none. */
const char *module_import(const struct module *m, u32 *at);

/* The name of the next function of .dynsym that the file defines, and its vaddr. *at is 0 at
 * first. NULL: there is none. */
const char *module_export(const struct module *m, u32 *at, u64 *vaddr);

/* One dynamic relocation. symbol is NULL for the types RELATIVE and IRELATIVE, and
 * "" where there is no name. symbol_vaddr is 0 if the symbol is not one that the file
 * defines and exports. addend is the value of a RELATIVE relocation. RELR
 * entries are reported as RELATIVE. */
struct module_reloc {
	u64 vaddr; /* where it is applied */
	u32 type;  /* R_X86_64_* (RELOC_* in arch/machine.h) */
	s64 addend;
	const char *symbol;
	u64 symbol_vaddr;
};

/* Calls fn for each dynamic relocation until fn returns non-zero, and returns that
 * value. 0 after the last, or -errno. */
int module_each_reloc(const struct module *m,
		      int (*fn)(const struct module_reloc *r, void *ctx),
		      void *ctx);
/* The addend of the RELATIVE relocation at vaddr, which is what a pointer in the
 * file's data points to. All relocations are cached on first use. 0 or -ENOENT. */
int module_relative(const struct module *m, u64 vaddr, u64 *target);
/* What the pointer at vaddr points to: its RELATIVE relocation's addend, else the symbol
 * of its relocation if the file defines it, else what the file has there. 0: nothing. */
u64 module_pointer(const struct module *m, u64 vaddr);

typedef bool module_pointer_fn(void *ctx, u64 vaddr, u64 target);

/* Calls fn for what may be a pointer in the file's data, until fn returns true: each
 * RELATIVE relocation, then each word of these sections (NULL-terminated), as the
 * file has it. Whether fn returned true. */
bool module_find_pointer(const struct module *m, const char *const *sections,
			 module_pointer_fn *fn, void *ctx);

/* One function as .eh_frame delimits it: [start, end). */
struct module_function {
	u64 start, end;
	u64 fde; /* vaddr of its FDE; 0: not known */
};

/* All functions, sorted by start; owned by the module and built on first use. 0;
 * -ENOENT if the file has no usable .eh_frame; -E2BIG if .eh_frame is larger than
 * in any real file, and none of it is used; -ENOMEM if there is no room for it. That
 * answer stays until module_rest(), because reading a large file again for each address
 * would take long. */
int module_functions(const struct module *m, const struct module_function **fn,
		     size_t *n);
/* The .eh_frame behind module_functions(), owned by the module. NULL if
 * module_functions() fails. */
const struct frames *module_frames(const struct module *m);
/* The function that covers vaddr. 0 or -ENOENT. */
int module_function_at(const struct module *m, u64 vaddr,
		       struct module_function *out);

/* Extends a range, empty at first, to the function that starts at vaddr. false: no
 * function starts there. */
bool module_range_add(const struct module *m, u64 vaddr,
		      struct module_function *range);
/* Extends the range to all exported functions whose names have this prefix. */
void module_range_exports(const struct module *m, const char *prefix,
			  struct module_function *range);

/* Call before decoding so many bytes of code. 0, or -E2BIG once the total is far
 * above what any sound file needs. A hostile file could have thousands of functions
 * that overlap and refer to each other. */
int module_spend(const struct module *m, u64 bytes);

/* Copies the first section of that name, allocated or not, uncompressed, with a NUL
 * after it. The caller frees *bytes. 0, -ENOENT if there is none or it is
 * unreadable, or -E2BIG if it is longer than max. */
int module_section_copy(const struct module *m, const char *name, size_t max,
			char **bytes, size_t *len);
/* The vaddr and size in memory of an allocated section, by name. 0 or -ENOENT. */
int module_section(const struct module *m, const char *name, u64 *vaddr,
		   u64 *size);

#endif
