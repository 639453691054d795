/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel side searches the direct map (bpf/direct.bpf.c).  This file gives it what
 * it needs: pages with random words, several, so that no match is by chance; and the
 * end of RAM from /proc/iomem, which root can read.
 *
 * Direct reads are not tried in two kinds of guests: Xen PV guests, whose page tables
 * hold other addresses, and guests with encrypted memory, which must not touch pages
 * that they have not accepted yet.
 */
#include "user/kernel/direct.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <jpbpf/types.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/kernel/btf.h"

#define PAGES 8

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

const char *direct_impossible(void)
{
	if (!btf_names("bpf_rdonly_cast"))
		return "this kernel has no bpf_rdonly_cast() (6.2 has)";
	if (mentions("/sys/hypervisor/guest_type", "PV\n"))
		return "page tables of Xen's PV guests are different";
	if (mentions("/proc/cpuinfo", " tdx_guest") ||
	    mentions("/proc/cpuinfo", " sev_snp"))
		return "memory of a confidential guest";
	if (!ram_end())
		return "/proc/iomem does not show where memory ends";
	return NULL;
}

/* Run the search for one page.  Returns 1 when its words were found. */
static int run(int program, u64 *page, u64 end)
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

void direct_search(int program)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), found = 0;
	u64 end = ram_end();
	char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return;
	for (size_t i = 0; end && i < PAGES; i++)
		found += run(program, (u64 *)(pages + i * size), end);
	munmap(pages, PAGES * size);
	log_debug("memory is read %s",
		  found == PAGES ? "directly" : "through the kernel's helper");
}
