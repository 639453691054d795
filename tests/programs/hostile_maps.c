/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Mappings that a profiler would rather not see.  Each kind is set up, says
 * "ready", and then uses a CPU in hostile_burn() until it is killed.
 *
 *   hostile_maps many FILE      60,000 mappings, half of them FILE's, executable
 *   hostile_maps huge FOLDER    files of 64 GiB with holes for contents, and an
 *                               ELF whose headers claim as much, all executable
 *   hostile_maps cut FOLDER     a copy of this program, mapped, that is cut short
 *                               and grown again all the time
 *   hostile_maps swap FOLDER    mapped files whose paths then name a pipe, a
 *                               device, a folder and another file
 *   hostile_maps churn FILE     maps and unmaps FILE all the time
 *   hostile_maps restless FILE  both many and churn
 *   hostile_maps exec N ...     executes itself N times
 *   hostile_maps name           a name of 15 bytes that are escapes
 *   hostile_maps vdso           has overwritten its vDSO
 *   hostile_maps time           does no harm: asks its vDSO for the time
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define PAGE	 4096UL
#define MAPPINGS 60000
#define HUGE	 (64ULL << 30)

static volatile unsigned long turns;

__attribute__((noinline)) void hostile_burn(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		turns++;
	__asm__ volatile("" : : : "memory");
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void burn_on(void)
{
	ready();
	for (;;)
		hostile_burn(100000);
}

static int open_new(const char *folder, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	if (fd < 0)
		die(path);
	return fd;
}

/* Neighbours differ in offset or protection, so the kernel joins none. */
static void map_many(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	char *at = mmap(NULL, MAPPINGS * PAGE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (fd < 0 || at == MAP_FAILED)
		die(file);
	for (long i = 0; i < MAPPINGS; i += 2) {
		char *page = at + i * PAGE;

		if (mmap(page, PAGE, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, fd,
			 (i / 2 % 7) * PAGE) == MAP_FAILED ||
		    mprotect(page + PAGE, PAGE, PROT_READ))
			die("mmap");
	}
}

static void many(const char *file)
{
	map_many(file);
	burn_on();
}

static int write_copy(const char *folder, const char *name)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open_new(folder, name);
	char bytes[65536];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, n) != n)
			die(name);
	close(from);
	return to;
}

static void map_code(int fd, size_t size)
{
	if (mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
	    MAP_FAILED)
		die("mmap");
}

/* Every size in the headers of an ELF file becomes 64 GiB. */
static void claim(int fd)
{
	Elf64_Phdr ph[64];
	Elf64_Ehdr eh;

	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || eh.e_phnum > 64 ||
	    pread(fd, ph, eh.e_phnum * sizeof(*ph), eh.e_phoff) < 0)
		die("read");
	for (int i = 0; i < eh.e_phnum; i++)
		ph[i].p_filesz = ph[i].p_memsz = HUGE;
	for (int i = 0; i < eh.e_shnum; i++) {
		off_t at = eh.e_shoff + i * sizeof(Elf64_Shdr);
		Elf64_Shdr sh;

		if (pread(fd, &sh, sizeof(sh), at) != sizeof(sh))
			die("read");
		sh.sh_size = HUGE;
		if (pwrite(fd, &sh, sizeof(sh), at) != sizeof(sh))
			die("write");
	}
	if (pwrite(fd, ph, eh.e_phnum * sizeof(*ph), eh.e_phoff) < 0)
		die("write");
}

static void huge(const char *folder)
{
	int holes = open_new(folder, "holes"), claims;

	if (ftruncate(holes, HUGE))
		die("holes");
	map_code(holes, HUGE);
	/* As small as it is, and with holes up to what it claims. */
	claims = write_copy(folder, "claims_small");
	claim(claims);
	map_code(claims, PAGE);
	claims = write_copy(folder, "claims");
	claim(claims);
	if (ftruncate(claims, HUGE))
		die("claims");
	map_code(claims, HUGE);
	burn_on();
}

static void cut(const char *folder)
{
	int fd = write_copy(folder, "cut");
	off_t size = lseek(fd, 0, SEEK_END);

	map_code(fd, size);
	ready();
	for (unsigned n = 0;; n++) {
		if (ftruncate(fd, n % 2 ? size : (off_t)(n * 512 % size)))
			die("ftruncate");
		hostile_burn(10000);
	}
}

static void path_of(char *path, size_t size, const char *folder,
		    const char *name)
{
	snprintf(path, size, "%s/%s", folder, name);
	unlink(path);
}

static void swap(const char *folder)
{
	static const char *const names[] = { "pipe", "zero", "folder",
					     "other" };
	char path[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int fd = write_copy(folder, names[i]);

		map_code(fd, PAGE);
		close(fd);
	}
	path_of(path, sizeof(path), folder, "pipe");
	if (mkfifo(path, 0666))
		die(path);
	path_of(path, sizeof(path), folder, "zero");
	if (mknod(path, S_IFCHR | 0666, makedev(1, 5)))
		die(path);
	path_of(path, sizeof(path), folder, "folder");
	if (mkdir(path, 0777))
		die(path);
	close(open_new(folder, "other"));
	burn_on();
}

static void churn(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(file);
	ready();
	for (;;) {
		void *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_EXEC,
				MAP_PRIVATE, fd, 0);

		hostile_burn(1000);
		if (at == MAP_FAILED || munmap(at, 4 * PAGE))
			die("mmap");
	}
}

static void restless(const char *file)
{
	map_many(file);
	churn(file);
}

static void execute(char **argv)
{
	long n = strtol(argv[2], NULL, 10);
	char left[32];

	if (n <= 0)
		burn_on();
	hostile_burn(20000);
	snprintf(left, sizeof(left), "%ld", n - 1);
	argv[2] = left;
	execv("/proc/self/exe", argv);
	die("exec");
}

static void name(const char *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "\033[2J\n;a b\x9b\t\x7f");
	burn_on();
}

/* It is private memory: what is written there is no one else's.  Its unwind
 * information is spoilt; the headers still say where that is. */
static void vdso(const char *file)
{
	char *own = (char *)getauxval(AT_SYSINFO_EHDR), bytes[1024];
	const Elf64_Ehdr *eh = (const void *)own;
	const Elf64_Phdr *ph = (const void *)(own + eh->e_phoff);
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	if (fd < 0 || memory < 0)
		die("vdso");
	memset(bytes, 0xff, sizeof(bytes));
	for (int i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_GNU_EH_FRAME &&
		    pwrite(memory, bytes, sizeof(bytes),
			   (off_t)own + ph[i].p_vaddr) < 0)
			die("vdso");
	map_code(fd, PAGE);
	burn_on();
}

static void tell_time(const char *unused)
{
	struct timespec t;

	(void)unused;
	ready();
	for (;;)
		clock_gettime(CLOCK_MONOTONIC, &t);
}

static const struct {
	const char *name;
	void (*run)(const char *what);
} kinds[] = {
	{ "many", many }, { "huge", huge },   { "cut", cut },
	{ "swap", swap }, { "churn", churn }, { "restless", restless },
	{ "name", name }, { "vdso", vdso },   { "time", tell_time },
};

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const char *what = argc > 2 ? argv[2] : "/proc/self/exe";

	if (!strcmp(kind, "exec") && argc > 2)
		execute(argv);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kind, kinds[i].name))
			kinds[i].run(what);
	fputs("usage: hostile_maps KIND [FILE | FOLDER | N]\n", stderr);
	return 2;
}
