/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Asks QEMU's plugin for the cache lines of a profiler's samples.
 *
 *   lines_go PID
 *
 * Waits until the BPF program on_sample is loaded, and asks (tests/vm/lines.c).  Then
 * prints what is needed to tell what the lines are: `symbol ADDRESS NAME` for each
 * function of BPF code, and `page ADDRESS FRAME` for each page of the process PID that
 * is present.  All numbers are hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/vm/lines.h"

#define PAGE	4096ul
#define PRESENT (1ul << 63)
#define FRAME	((1ul << 55) - 1)

/* Prints the functions of BPF code.  Returns on_sample's address, or 0. */
static uint64_t print_symbols(void)
{
	FILE *in = fopen("/proc/kallsyms", "r");
	uint64_t address, program = 0;
	char line[512], name[256];

	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%" SCNx64 " t bpf_prog_%*[0-9a-f]_%255s",
			   &address, name) != 2)
			continue;
		printf("symbol %" PRIx64 " %s\n", address, name);
		if (strcmp(name, "on_sample") == 0)
			program = address;
	}
	if (in)
		fclose(in);
	return program;
}

/* movabs $program, %rax; ret */
static int ask(uint64_t program)
{
	char code[] = "\x48\xb8........\xc3";
	char *page = mmap(
		(void *)LINES_PAGE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (page == MAP_FAILED)
		return -1;
	memcpy(code + 2, &program, sizeof(program));
	memcpy(page, code, sizeof(code));
	__asm__ volatile("call *%0" : : "r"(page) : "rax", "memory");
	return 0;
}

static void print_pages(const char *pid)
{
	char path[64], line[512];
	uint64_t begin, end, entry;
	FILE *maps, *pages;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "r");
	snprintf(path, sizeof(path), "/proc/%s/pagemap", pid);
	pages = fopen(path, "r");
	while (maps && pages && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) != 2 ||
		    fseek(pages, begin / PAGE * sizeof(entry), SEEK_SET) != 0)
			continue;
		for (;
		     begin < end && fread(&entry, sizeof(entry), 1, pages) == 1;
		     begin += PAGE) {
			if (entry & PRESENT)
				printf("page %" PRIx64 " %" PRIx64 "\n", begin,
				       entry & FRAME);
		}
	}
}

int main(int argc, char *argv[])
{
	uint64_t program;

	if (argc != 2) {
		fprintf(stderr, "usage: lines_go PID\n");
		return 2;
	}
	while (!(program = print_symbols()))
		usleep(20000);
	if (ask(program)) {
		perror("lines_go");
		return 1;
	}
	print_pages(argv[1]);
	return 0;
}
