/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads a module by file offset, by vaddr, and by section.
 *
 * Nothing is mapped. A process may truncate its file at any time: reading a mapping
 * would then raise SIGBUS, while pread() only returns less. Small reads go through
 * a window, since callers follow tables entry by entry.
 */
#include "user/elf/module_file.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/heap.h"
#include "user/lib/mem.h"

#define PAGE 4096UL

/* Limit of decoded bytes of code per module. An unoptimised Tcl needs most of the
 * Tcls seen, 0.42 MB. A byte costs about 100 ns. */
#define MAX_SPENT (8UL << 20)

/* The number of bytes that were read. */
static size_t read_raw(const struct module *m, u64 offset, void *out,
		       size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n =
			pread(m->fd, (u8 *)out + got, len - got, offset + got);

		if (!n || (n < 0 && errno != EINTR))
			break;
		got += n > 0 ? n : 0;
	}
	return got;
}

int module_file_read(const struct module *m, u64 offset, void *out, size_t len)
{
	struct module_file *f = module_file(m);

	if (offset > m->key.size || len > m->key.size - offset)
		return -EFAULT;
	if (len > MODULE_WINDOW / 2)
		return read_raw(m, offset, out, len) < len ? -EFAULT : 0;
	if (offset < f->window_offset ||
	    offset + len > f->window_offset + f->window_len) {
		if (!f->window)
			f->window = xmalloc(MODULE_WINDOW);
		f->window_offset = offset & ~(MODULE_WINDOW / 2 - 1UL);
		f->window_len =
			read_raw(m, f->window_offset, f->window, MODULE_WINDOW);
	}
	if (offset + len > f->window_offset + f->window_len)
		return -EFAULT;
	memcpy(out, f->window + (offset - f->window_offset), len);
	return 0;
}

/* By the segment whose pages hold offset; an executable one is preferred. */
int module_offset_to_vaddr(const struct module *m, u64 offset, u64 *vaddr)
{
	const struct module_file *f = module_file(m);
	int best = 0;

	for (size_t i = 0; i < f->n_load; i++) {
		const Elf64_Phdr *p = &f->load[i];
		u64 end = p->p_offset + p->p_filesz;
		int rank = 1;

		if (!p->p_filesz || offset < (p->p_offset & ~(PAGE - 1)) ||
		    offset >= ((end + PAGE - 1) & ~(PAGE - 1)))
			continue;
		rank += p->p_flags & PF_X ? 2 : 0;
		rank += offset >= p->p_offset && offset < end;
		if (rank <= best)
			continue;
		best = rank;
		*vaddr = p->p_vaddr + (offset - p->p_offset);
	}
	return best ? 0 : -ENOENT;
}

static const Elf64_Phdr *segment_at(const struct module *m, u64 vaddr)
{
	const struct module_file *f = module_file(m);

	for (size_t i = 0; i < f->n_load; i++)
		if (vaddr - f->load[i].p_vaddr < f->load[i].p_memsz)
			return &f->load[i];
	return NULL;
}

int module_vaddr_to_offset(const struct module *m, u64 vaddr, u64 *offset)
{
	const Elf64_Phdr *p = segment_at(m, vaddr);

	if (!p || vaddr - p->p_vaddr >= p->p_filesz)
		return -ENOENT;
	*offset = p->p_offset + (vaddr - p->p_vaddr);
	return 0;
}

u64 module_file_bytes(const struct module *m, u64 vaddr)
{
	const Elf64_Phdr *p = segment_at(m, vaddr);
	u64 at, room;

	if (!p || vaddr - p->p_vaddr >= p->p_filesz)
		return 0;
	at = p->p_offset + (vaddr - p->p_vaddr);
	room = p->p_filesz - (vaddr - p->p_vaddr);
	if (at >= m->key.size)
		return 0;
	return room < m->key.size - at ? room : m->key.size - at;
}

/* A copy of len bytes, or of the file's at the offset, with a NUL after them. NULL with
 * errno. */
static void *copy(const struct module *m, const void *bytes, u64 offset,
		  size_t len)
{
	_cleanup_free_ char *out = NULL;

	errno = ENOENT;
	if (!len)
		return NULL;
	errno = ENOMEM;
	if (!heap_fits(HEAP_READING, len) || !heap_has(len))
		return NULL;
	out = xmalloc(len + 1);
	out[len] = '\0';
	errno = ENOENT;
	if (bytes)
		memcpy(out, bytes, len);
	else if (module_file_read(m, offset, out, len))
		return NULL;
	return steal_ptr(out);
}

void *module_file_copy(const struct module *m, u64 vaddr, u64 len)
{
	const Elf64_Phdr *p = segment_at(m, vaddr);

	errno = ENOENT;
	if (!len || len > MODULE_TABLE_MAX || len > module_file_bytes(m, vaddr))
		return NULL;
	return copy(m, NULL, p->p_offset + (vaddr - p->p_vaddr), len);
}

bool module_file_executable(const struct module *m, u64 start, u64 end)
{
	const Elf64_Phdr *p = segment_at(m, start);

	return p && p->p_flags & PF_X && start < end &&
	       end - p->p_vaddr <= p->p_memsz;
}

int module_read(const struct module *m, u64 vaddr, void *out, size_t len)
{
	const Elf64_Phdr *p = segment_at(m, vaddr);
	u64 at, held;

	if (!p || len > p->p_memsz - (vaddr - p->p_vaddr))
		return -EFAULT;
	at = vaddr - p->p_vaddr;
	held = at < p->p_filesz ? p->p_filesz - at : 0;
	if (held > len)
		held = len;
	if (held && module_file_read(m, p->p_offset + at, out, held))
		return -EFAULT;
	if (len > held)
		memset((u8 *)out + held, 0, len - held);
	return 0;
}

int module_read_text(const struct module *m, u64 vaddr, char *out, size_t size)
{
	const Elf64_Phdr *p = segment_at(m, vaddr);
	u64 room = p ? p->p_memsz - (vaddr - p->p_vaddr) : 0;

	if (room > size)
		room = size;
	if (module_read(m, vaddr, out, room))
		return -EFAULT;
	if (memchr(out, '\0', room))
		return 0;
	return room == size ? -ENAMETOOLONG : -EFAULT;
}

int module_spend(const struct module *m, u64 bytes)
{
	struct module_file *f = module_file(m);

	if (bytes > MAX_SPENT || f->spent > MAX_SPENT - bytes)
		return -E2BIG;
	f->spent += bytes;
	return 0;
}

/* Reads each name on its own, since a section name table may claim any size. */
static bool section_is(const struct module *m, u64 names, u64 names_len,
		       const GElf_Shdr *h, const char *name)
{
	size_t len = strlen(name) + 1;
	char text[64];

	if (len > sizeof(text) || h->sh_name > names_len ||
	    len > names_len - h->sh_name)
		return false;
	return !module_file_read(m, names + h->sh_name, text, len) &&
	       !memcmp(text, name, len);
}

/* Finds the first section of that name that has all these flags. */
static Elf_Scn *find_section(const struct module *m, const char *name,
			     u64 flags, GElf_Shdr *h)
{
	Elf *elf = module_handle(m);
	Elf_Scn *s = NULL;
	GElf_Shdr names;
	size_t index;

	if (elf_getshdrstrndx(elf, &index) ||
	    !gelf_getshdr(elf_getscn(elf, index), &names) ||
	    names.sh_type != SHT_STRTAB || names.sh_offset > m->key.size)
		return NULL;
	while ((s = elf_nextscn(elf, s)))
		if (gelf_getshdr(s, h) && (h->sh_flags & flags) == flags &&
		    section_is(m, names.sh_offset, names.sh_size, h, name))
			return s;
	return NULL;
}

bool module_file_section(const struct module *m, u32 type, GElf_Shdr *h,
			 GElf_Shdr *linked)
{
	Elf *elf = module_handle(m);
	Elf_Scn *s = NULL;

	while ((s = elf_nextscn(elf, s)))
		if (gelf_getshdr(s, h) && h->sh_type == type &&
		    h->sh_flags & SHF_ALLOC)
			return gelf_getshdr(elf_getscn(elf, h->sh_link),
					    linked);
	return false;
}

/* Has libelf unpack a section. The size that it states is trusted only up to max. */
static int unpack(Elf_Scn *s, size_t max, Elf_Data *out)
{
	const Elf_Data *data;
	GElf_Chdr head;

	if (!gelf_getchdr(s, &head))
		return -ENOENT;
	if (head.ch_size > max)
		return -E2BIG;
	if (!heap_fits(HEAP_READING, 2 * head.ch_size))
		return -ENOMEM;
	data = elf_compress(s, 0, 0) < 0 ? NULL : elf_getdata(s, NULL);
	if (!data)
		return -ENOENT;
	*out = *data;
	return 0;
}

int module_section_copy(const struct module *m, const char *name, size_t max,
			char **out, size_t *len)
{
	GElf_Shdr h;
	Elf_Scn *s = find_section(m, name, 0, &h);
	Elf_Data data = { .d_size = s ? h.sh_size : 0 };
	int err = 0;

	if (!s || h.sh_type == SHT_NOBITS)
		return -ENOENT;
	if (h.sh_size > max)
		return -E2BIG;
	if (h.sh_flags & SHF_COMPRESSED)
		err = unpack(s, max, &data);
	if (err)
		return err;
	*len = data.d_size;
	*out = copy(m, data.d_buf, h.sh_offset, data.d_size);
	return *out ? 0 : -errno;
}

int module_section(const struct module *m, const char *name, u64 *vaddr,
		   u64 *size)
{
	GElf_Shdr h;

	if (!find_section(m, name, SHF_ALLOC, &h))
		return -ENOENT;
	*vaddr = h.sh_addr;
	*size = h.sh_size;
	return 0;
}

void *module_section_load(const struct module *m, const char *name, u64 *vaddr,
			  u64 *size)
{
	return module_section(m, name, vaddr, size)
		       ? NULL
		       : module_file_copy(m, *vaddr, *size);
}
