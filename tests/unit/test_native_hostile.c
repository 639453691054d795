/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files that are made to exhaust the reader of their symbols: tables that are larger
 * than the memory, in a file with holes or packed, and names that take for ever to
 * be compared.  Each test has a bound on its memory and that of the reader (jail.h), and
 * on its time.
 */
#include "tests/unit/fixture.h"
#include "tests/unit/native_reader.h"

#include <elf.h>
#include <lzma.h>
#include <stdio.h>
#include <sys/resource.h>

#include "user/lib/buf.h"
#include "user/elf/module.h"

#define CODE	    0x1000
#define CONTENT	    0x2000
#define MIB	    (1ull << 20)
#define MEMORY_MAX  (320 * MIB)
#define READER_MAX  (1200 * MIB)
#define SECONDS_MAX 20

static char folder[] = "/tmp/test_native_hostile.XXXXXX";

/* An ELF file that is written section by section. */
struct file {
	FILE *f;
	Elf64_Shdr section[16];
	size_t n, names; /* names: index of .shstrtab */
	u64 end;
	struct buf name;
};

static void file_begin(struct file *e)
{
	*e = (struct file){ .f = fopen("hostile", "we"), .end = CONTENT };
	assert_non_null(e->f);
	buf_add(&e->name, "", 1);
	e->n = 1;
}

/* A section of size bytes, of which the first are given; the others are a hole. */
static Elf64_Shdr *file_add(struct file *e, const char *name, u32 type,
			    const void *bytes, size_t len, u64 size)
{
	Elf64_Shdr *sh = &e->section[e->n++];

	assert_true(e->n <= 16);
	*sh = (Elf64_Shdr){ .sh_name = e->name.len,
			    .sh_type = type,
			    .sh_offset = e->end,
			    .sh_size = size,
			    .sh_addralign = 1 };
	buf_add(&e->name, name, strlen(name) + 1);
	assert_int_equal(fseek(e->f, e->end, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, len, e->f), len);
	e->end = (e->end + size + 15) & ~15ull;
	return sh;
}

static void file_add_code(struct file *e)
{
	Elf64_Shdr *sh = file_add(e, ".text", SHT_PROGBITS, "", 0, 0);

	sh->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	sh->sh_addr = sh->sh_offset = CODE;
	sh->sh_size = 0x1000;
}

/* Symbols at the start of the code; .name counts on from first. */
static void file_add_symbols(struct file *e, u32 n, u32 first, u32 step,
			     u32 strings)
{
	Elf64_Sym *sym = xcalloc(n + 1, sizeof(*sym));
	Elf64_Shdr *sh;

	for (u32 i = 0; i < n; i++)
		sym[i + 1] = (Elf64_Sym){ first + i * step,
					  ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					  STV_DEFAULT,
					  1,
					  CODE,
					  16 };
	sh = file_add(e, ".symtab", SHT_SYMTAB, sym, (n + 1) * sizeof(*sym),
		      (n + 1) * sizeof(*sym));
	sh->sh_entsize = sizeof(*sym);
	sh->sh_link = strings;
	sh->sh_info = 1;
	free(sym);
}

/* The section of names has a size of its own choice; 0: the right one. */
static void file_end(struct file *e, u64 names_size)
{
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(eh),
		.e_ehsize = sizeof(eh),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
	};
	const Elf64_Phdr ph = { PT_LOAD, PF_R | PF_X, 0,       0,
				0,	 CONTENT,     CONTENT, 4096 };
	static const char last[] = ".shstrtab";
	u64 size = e->name.len + sizeof(last);

	eh.e_shstrndx = e->n;
	buf_add(&e->name, last, sizeof(last));
	e->name.len -= sizeof(last);
	file_add(e, last, SHT_STRTAB, e->name.data, size,
		 names_size ? names_size : size);
	eh.e_shnum = e->n;
	eh.e_shoff = e->end;
	assert_int_equal(fseek(e->f, e->end, SEEK_SET), 0);
	assert_int_equal(fwrite(e->section, sizeof(*e->section), e->n, e->f),
			 e->n);
	rewind(e->f);
	assert_int_equal(fwrite(&eh, sizeof(eh), 1, e->f), 1);
	assert_int_equal(fwrite(&ph, sizeof(ph), 1, e->f), 1);
	assert_int_equal(fclose(e->f), 0);
	buf_release(&e->name);
}

/* The most memory that this process has had since it was asked last. */
static u64 peak_memory(void)
{
	FILE *status = fopen("/proc/self/status", "re"),
	     *forget = fopen("/proc/self/clear_refs", "we");
	char line[256];
	u64 kib = 0;

	assert_true(status && forget);
	while (fgets(line, sizeof(line), status))
		sscanf(line, "VmHWM: %llu", &kib);
	fputs("5", forget);
	fclose(forget);
	fclose(status);
	return kib << 10;
}

/* The name of the file's code; expected NULL: it has none. */
static void check(const char *expected)
{
	int fd = open("hostile", O_RDONLY | O_CLOEXEC);
	struct native_said said;
	struct rusage readers;
	struct module m;

	assert_true(fd >= 0);
	peak_memory();
	alarm(SECONDS_MAX);
	assert_int_equal(module_open(&m, fd, "hostile"), 0);
	said = native_said(&m, CODE);
	alarm(0);
	assert_int_equal(said.name.len > 0, expected != NULL);
	if (expected)
		assert_memory_equal(buf_text(&said.name), expected,
				    strlen(expected));
	assert_true(peak_memory() < MEMORY_MAX);
	assert_int_equal(getrusage(RUSAGE_CHILDREN, &readers), 0);
	assert_true((u64)readers.ru_maxrss << 10 < READER_MAX);
	module_close(&m);
	native_said_release(&said);
}

/* One symbol, "name". */
static void add_name(struct file *e)
{
	static const char strings[] = "\0name";

	file_add(e, ".strtab", SHT_STRTAB, strings, sizeof(strings),
		 sizeof(strings));
	file_add_symbols(e, 1, 1, 0, e->n - 1);
}

static void test_sound(void **state)
{
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	add_name(&e);
	file_end(&e, 0);
	check("name");
}

/* Of the names of sections only those that are there are read. */
static void test_section_names(void **state)
{
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	add_name(&e);
	file_end(&e, 1024 * MIB);
	check("name");
}

/* What no symbol refers to is not read. */
static void test_other_strings(void **state)
{
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	file_add(&e, ".other", SHT_STRTAB, "", 1, 900 * MIB);
	add_name(&e);
	file_end(&e, 0);
	check("name");
}

static void test_sum(void **state)
{
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	file_add(&e, ".one", SHT_STRTAB, "", 1, 600 * MIB);
	file_add(&e, ".two", SHT_STRTAB, "", 1, 600 * MIB);
	add_name(&e);
	file_end(&e, 0);
	check("name");
}

/* A table is what its type says, not its name. */
static void test_named_debug(void **state)
{
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	file_add(&e, ".debug_str", SHT_STRTAB, "\0name", 6, 1100 * MIB);
	file_add_symbols(&e, 1, 1, 0, 2);
	file_end(&e, 0);
	check(NULL);
}

static void test_dwarf(void **state)
{
	static const char *const name[] = { ".debug_info", ".debug_str",
					    ".debug_loc",
					    ".gnu.debuglto_.debug_info" };
	struct file e;

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	add_name(&e);
	for (size_t i = 0; i < 3; i++)
		file_add(&e, name[i], SHT_PROGBITS, "", 1, 900 * MIB);
	file_end(&e, 0);
	check("name");
	file_begin(&e);
	file_add_code(&e);
	add_name(&e);
	file_add(&e, name[3], SHT_PROGBITS, "", 1, 2100 * MIB);
	file_end(&e, 0);
	check("name");
}

/* Without tables of sections libdwfl follows the program's headers. */
static void test_dynamic(void **state)
{
	static const Elf64_Dyn dyn[] = {
		{ DT_HASH, { 0x800 } },	  { DT_SYMTAB, { 0x800 } },
		{ DT_STRTAB, { 0x800 } }, { DT_STRSZ, { 600 * MIB } },
		{ DT_NULL, { 0 } },
	};
	static const Elf32_Word hash[] = { 1, 20 << 20 };
	Elf64_Phdr ph = { .p_type = PT_DYNAMIC,
			  .p_offset = CONTENT,
			  .p_filesz = sizeof(dyn) };
	struct file e;
	int fd;

	(void)state;
	file_begin(&e);
	file_add(&e, ".dynamic", SHT_PROGBITS, dyn, sizeof(dyn), 700 * MIB);
	file_add_code(&e);
	file_end(&e, 0);
	fd = open("hostile", O_WRONLY | O_CLOEXEC);
	assert_int_equal(
		pwrite(fd, &ph, sizeof(ph), sizeof(Elf64_Ehdr) + sizeof(ph)),
		sizeof(ph));
	assert_int_equal(pwrite(fd, hash, sizeof(hash), 0x800), sizeof(hash));
	assert_int_equal(pwrite(fd, &(Elf64_Half){ 2 }, 2,
				offsetof(Elf64_Ehdr, e_phnum)),
			 2);
	close(fd);
	check(NULL);
}

/* So many bytes of nothing, packed. */
static u8 *pack(u64 size, size_t *len)
{
	static u8 zeros[MIB];
	lzma_stream z = LZMA_STREAM_INIT;
	u8 *out = xmalloc(MIB);
	lzma_ret ret = LZMA_OK;

	assert_int_equal(lzma_easy_encoder(&z, 0, LZMA_CHECK_CRC32), LZMA_OK);
	z.next_out = out;
	z.avail_out = MIB;
	while (ret == LZMA_OK) {
		bool last = z.total_in >= size;

		z.next_in = zeros;
		z.avail_in = last ? 0 : sizeof(zeros);
		ret = lzma_code(&z, last ? LZMA_FINISH : LZMA_RUN);
	}
	assert_int_equal(ret, LZMA_STREAM_END);
	*len = z.total_out;
	lzma_end(&z);
	return out;
}

static void test_bomb(void **state)
{
	struct file e;
	size_t len;
	u8 *bytes = pack(600 * MIB, &len);

	(void)state;
	file_begin(&e);
	file_add_code(&e);
	file_add(&e, ".gnu_debugdata", SHT_PROGBITS, bytes, len, len);
	file_end(&e, 0);
	check(NULL);
	free(bytes);
}

/* So many names, each of them a part of one that is as long as the table. */
static void check_long(char c, const char *expected)
{
	const size_t len = 8 * MIB, n = 300000;
	char *strings = xmalloc(len);
	struct file e;

	memset(strings, c, len);
	strings[0] = strings[len - 1] = '\0';
	file_begin(&e);
	file_add_code(&e);
	file_add(&e, ".strtab", SHT_STRTAB, strings, len, len);
	file_add_symbols(&e, n, 1, 27, 2);
	file_end(&e, 0);
	check(expected);
	free(strings);
}

static void test_long_names(void **state)
{
	(void)state;
	check_long('a', "aaaaaaaa");
	check_long('_', "________");
}

static int make_folder(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	return !mkdtemp(folder) || chdir(folder);
}

static int remove_folder(void **state)
{
	(void)state;
	unlink("hostile");
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_section_names),
		cmocka_unit_test(test_other_strings),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_named_debug),
		cmocka_unit_test(test_dwarf),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_long_names),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
