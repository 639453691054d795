/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Opens and closes modules.
 *
 * The ELF header and the program headers are read and checked once, here. Program
 * headers that make no sense are dropped. libelf gets the file only after the
 * counts that it allocates by have been checked.
 */
#include "user/elf/module.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/machine.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module_file.h"

#define MAX_PHDRS 256
#define MAX_NOTES 65536UL /* bytes of one note section or segment */

/* Refuses extended numbering, where section 0 holds a count of 65,280 sections or more:
 * libelf allocates some 200 bytes per section. */
static int check_sections(const struct module *m, const Elf64_Ehdr *h)
{
	Elf64_Shdr first;

	return h->e_shoff && !h->e_shnum &&
			       !module_file_read(m, h->e_shoff, &first,
						 sizeof(first)) &&
			       first.sh_size
		       ? -ENOEXEC
		       : 0;
}

static int check_header(const struct module *m, const Elf64_Ehdr *h)
{
	if (memcmp(h->e_ident, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_ident[EI_VERSION] != EV_CURRENT ||
	    h->e_machine != ARCH_MACHINE)
		return -ENOEXEC;
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return -ENOEXEC;
	if (h->e_phentsize != sizeof(Elf64_Phdr) || !h->e_phnum ||
	    h->e_phnum > MAX_PHDRS)
		return -ENOEXEC;
	return check_sections(m, h);
}

static void take_load(struct module_file *f, const Elf64_Phdr *p)
{
	u64 end;

	if (p->p_filesz > p->p_memsz || !p->p_memsz ||
	    __builtin_add_overflow(p->p_vaddr, p->p_memsz, &end) ||
	    __builtin_add_overflow(p->p_offset, p->p_filesz, &end))
		return;
	f->load[f->n_load++] = *p;
}

/* Looks for a GNU build-id in the notes of one PT_NOTE or SHT_NOTE. */
static void find_build_id(struct module *m, u64 offset, u64 size, u64 align)
{
	Elf_Data *notes = NULL;
	size_t at = 0, name, desc;
	GElf_Nhdr n;

	if (!m->build_id_len && size <= MAX_NOTES)
		notes = elf_getdata_rawchunk(
			module_handle(m), (s64)offset, size,
			align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	while (notes && (at = gelf_getnote(notes, at, &n, &name, &desc))) {
		if (n.n_type != NT_GNU_BUILD_ID || n.n_namesz != 4 ||
		    memcmp((u8 *)notes->d_buf + name, "GNU", 4) ||
		    !n.n_descsz || n.n_descsz > MODULE_BUILD_ID_MAX)
			continue;
		memcpy(m->build_id, (u8 *)notes->d_buf + desc, n.n_descsz);
		m->build_id_len = n.n_descsz;
		return;
	}
}

static int read_phdrs(struct module *m, const Elf64_Ehdr *h)
{
	struct module_file *f = module_file(m);
	size_t n = h->e_phnum, i;
	_cleanup_free_ Elf64_Phdr *ph = xcalloc(n, sizeof(*ph));

	if (module_file_read(m, h->e_phoff, ph, n * sizeof(*ph)))
		return -ENOEXEC;
	f->load = xcalloc(n, sizeof(*f->load));
	m->is_exec = h->e_type == ET_EXEC;
	for (i = 0; i < n; i++) {
		if (ph[i].p_type == PT_LOAD)
			take_load(f, &ph[i]);
		else if (ph[i].p_type == PT_GNU_EH_FRAME)
			f->eh_hdr_vaddr = ph[i].p_vaddr;
		else if (ph[i].p_type == PT_NOTE)
			find_build_id(m, ph[i].p_offset, ph[i].p_filesz,
				      ph[i].p_align);
		else if (ph[i].p_type == PT_INTERP)
			m->is_exec = true;
	}
	return f->n_load ? 0 : -ENOEXEC;
}

static void find_build_id_section(struct module *m)
{
	Elf *elf = module_handle(m);
	Elf_Scn *s = NULL;
	GElf_Shdr h;
	int tries = 64;

	while (!m->build_id_len && tries && (s = elf_nextscn(elf, s)))
		if (gelf_getshdr(s, &h) && h.sh_type == SHT_NOTE && tries--)
			find_build_id(m, h.sh_offset, h.sh_size,
				      h.sh_addralign);
}

void module_move(struct module *m, const char *path)
{
	const char *slash = strrchr(path, '/');

	free(m->path);
	free(m->name);
	m->path = xstrdup(path);
	m->name = xstrdup(slash && slash[1] ? slash + 1 : path);
}

struct module_key module_key_of(const struct stat *st)
{
	return (struct module_key){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.mtime_ns =
			st->st_mtim.tv_sec * 1000000000LL + st->st_mtim.tv_nsec,
		.size = st->st_size,
	};
}

/* fd is set in *new. */
static int open_elf(struct module *new, const char *path)
{
	struct module_file *f = new->cache = xcalloc(1, sizeof(*f));
	Elf64_Ehdr h;
	struct stat st;

	if (fstat(new->fd, &st))
		return -errno;
	new->key = module_key_of(&st);
	if (!S_ISREG(st.st_mode) || module_file_read(new, 0, &h, sizeof(h)) ||
	    check_header(new, &h) || read_phdrs(new, &h))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	if (!module_handle(new) || elf_kind(f->elf) != ELF_K_ELF)
		return -ENOEXEC;
	find_build_id_section(new);
	module_move(new, path);
	return 0;
}

int module_open(struct module *m, int fd, const char *path)
{
	struct module new = { .fd = fd };
	int err = open_elf(&new, path);

	if (err)
		module_close(&new);
	else
		*m = new;
	return err;
}

int module_open_image(struct module *m, const void *bytes, size_t len,
		      const char *name)
{
	_cleanup_close_ int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		return -EIO;
	return module_open(m, steal_fd(&fd), name);
}

void module_open_code(struct module *m, const struct module_code *code,
		      const char *file)
{
	*m = (struct module){ .fd = -1 };
	m->cache = xcalloc(1, sizeof(struct module_file));
	m->code = xmalloc(sizeof(*code));
	*m->code = *code;
	m->path = xstrdup(*file ? file : "[anonymous code]");
	m->name = xstrdup(basename(file));
}

Elf *module_handle(const struct module *m)
{
	struct module_file *f = module_file(m);

	if (m->code)
		return NULL;
	if (!f->elf)
		f->elf = elf_begin(m->fd, ELF_C_READ, NULL);
	return f->elf;
}

void module_rest(const struct module *m)
{
	struct module_file *f = module_file(m);

	/* The handle owns the section data that libelf has read. */
	if (f->elf)
		elf_end(f->elf);
	free(f->symbols.sym);
	free(f->symbols.text);
	free(f->symbols.version);
	free(f->relative);
	frames_release(&f->frames);
	free(f->window);
	*f = (struct module_file){ .load = f->load,
				   .n_load = f->n_load,
				   .eh_hdr_vaddr = f->eh_hdr_vaddr,
				   .spent = f->spent };
}

void module_close(struct module *m)
{
	struct module_file *f = module_file(m);

	if (f) {
		module_rest(m);
		free(f->load);
		free(f);
	}
	if (m->fd >= 0)
		close(m->fd);
	free(m->code);
	free(m->path);
	free(m->name);
	*m = (struct module){ .fd = -1 };
}
