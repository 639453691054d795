/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/kernel/host.h"

#include <errno.h>
#include <linux/btf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define STRINGS_MAX (64u << 20) /* bytes; Linux 6.18 has 2 MiB */
#define PAGES	    8
/* PROC_PID_INIT_INO (include/linux/proc_ns.h), the same since Linux 3.8. */
#define INITIAL_INODE 0xeffffffcu

/* What a kernel may have or not, by names that are in its BTF. */
static struct {
	const char *name;
	bool is_there;
} feature[] = {
	{ "btf_trace_vm_unmapped_area", false },
	{ "bpf_rdonly_cast", false },
	{ "BPF_TRACE_UPROBE_SESSION", false },
};
enum { AREAS, RDONLY_CAST, SESSIONS, FEATURES };

/* Whether the name is one of the strings. */
static bool is_among(const char *strings, const char *end, const char *name)
{
	size_t len = strlen(name) + 1;
	const char *at = strings;

	for (; (at = memmem(at, end - at, name, len)); at++)
		if (at > strings && !at[-1])
			return true;
	return false;
}

/* The names are searched among the strings of the kernel's BTF.  That tells as much as
 * its types, which libbpf reads anyway, in a tenth of the time. */
static void read_features(void)
{
	_cleanup_fclose_ FILE *f = fopen("/sys/kernel/btf/vmlinux", "re");
	_cleanup_free_ char *strings = NULL;
	struct btf_header h;
	char *end;

	if (!f || fread(&h, sizeof(h), 1, f) != 1 || h.magic != BTF_MAGIC ||
	    h.str_len > STRINGS_MAX ||
	    fseek(f, (long)h.hdr_len + h.str_off, SEEK_SET))
		return;
	strings = xmalloc(h.str_len + 1);
	end = strings + fread(strings, 1, h.str_len, f);
	for (size_t i = 0; i < FEATURES; i++)
		feature[i].is_there = is_among(strings, end, feature[i].name);
}

static bool has(size_t i)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_features);
	return feature[i].is_there;
}

const char *host_without_areas(void)
{
	return has(AREAS) ? NULL
			  : "this kernel has no tracepoint vm_unmapped_area";
}

/* Whether a line of the file contains the word. */
static bool mentions(const char *path, const char *word)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	char line[8192];

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, word))
			return true;
	return false;
}

/* Physical address of the end of RAM; 0: not known. */
static u64 ram_end(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/iomem", "re");
	unsigned long long first, last, end = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, ": System RAM") &&
		    sscanf(line, "%llx-%llx", &first, &last) == 2 &&
		    last > first && last + 1 > end)
			end = last + 1;
	return end;
}

/*
 * Page tables are not read in two kinds of guests: Xen PV guests, whose page tables
 * hold other addresses, and guests with encrypted memory, which must not touch pages
 * that they have not accepted yet.
 */
const char *host_without_foreign(void)
{
	if (mentions("/sys/hypervisor/guest_type", "PV\n"))
		return "page tables of Xen's PV guests are different";
	if (mentions("/proc/cpuinfo", " tdx_guest") ||
	    mentions("/proc/cpuinfo", " sev_snp"))
		return "memory of a confidential guest";
	if (!ram_end())
		return "/proc/iomem does not show where memory ends";
	return NULL;
}

const char *host_without_direct(void)
{
	if (!has(RDONLY_CAST))
		return "this kernel has no bpf_rdonly_cast() (6.2 has)";
	return host_without_foreign();
}

const char *host_without_multi(void)
{
	return has(SESSIONS) ? NULL
			     : "this kernel has no uprobe sessions (6.13 has)";
}

/* Run the search for one page.  Returns 1 when its words were found. */
static int search_page(int program, u64 *page, u64 end)
{
	u64 args[4] = { (u64)page, 0, 0, end };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args,
		    .ctx_size_in = sizeof(args));

	if (getrandom(page, 16, 0) != 16)
		return 0;
	args[1] = page[0];
	args[2] = page[1];
	return !bpf_prog_test_run_opts(program, &opts) && opts.retval == 1;
}

/*
 * The kernel side searches the direct map (bpf/direct.bpf.c).  It is given what it
 * needs: pages with random words, several, so that no match is by chance; and the end
 * of RAM from /proc/iomem, which root can read.
 */
bool host_search_direct(int program)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), found = 0;
	u64 end = ram_end();
	char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return false;
	for (size_t i = 0; end && i < PAGES; i++)
		found += search_page(program, (u64 *)(pages + i * size), end);
	munmap(pages, PAGES * size);
	log_debug("the kernel's direct map is %s",
		  found == PAGES ? "found" : "not found");
	return found == PAGES;
}

u32 host_pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == INITIAL_INODE)
		return 0;
	return st.st_ino;
}

/*
 * A proc file system shows the processes of the namespace in which it was mounted,
 * which need not be ours: after `unshare --pid` alone it is the old one.  Its numbers
 * would then name other processes than those of kill() and the kernel side.
 */
const char *host_without_pids(void)
{
	char self[32];
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	if (n <= 0)
		return "/proc does not show this process";
	self[n] = '\0';
	if (strtol(self, NULL, 10) != getpid())
		return "/proc is that of another pid namespace";
	return NULL;
}

int host_search_pids(int program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(program, &opts);

	if (err)
		return -errno;
	return opts.retval == (u32)getpid() ? 0 : -ESRCH;
}
