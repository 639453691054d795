/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads of user memory, and faults in them.
 *
 * As in the kernel, a failed read leaves zeroes (kernel/trace/bpf_trace.c,
 * bpf_probe_read_user_common(), v6.1), and a text that is too long is cut and
 * ends in NUL all the same.
 *
 * Nonsense is made of what does the most harm: NULL, small numbers, random bits,
 * addresses that were read before (cycles), and addresses a little beside.
 */
#include "host.h"

#include <bpf/bpf_helpers.h>

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE   4096u
#define BEFORE 64u /* addresses that are remembered */

struct host_faults host_faults;
u64 host_reads, host_kernel_reads;
static u64 random_state;
static u64 before[BEFORE];

u64 host_random(u64 *state)
{
	u64 x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

void host_faults_set(const struct host_faults *f)
{
	host_faults = f ? *f : (struct host_faults){ 0 };
	host_reads = 0;
	random_state = host_faults.seed;
	memset(before, 0, sizeof(before));
}

static u64 nonsense(u64 address)
{
	u64 r = host_random(&random_state);
	u64 known = before[r >> 32 & (BEFORE - 1)];

	switch (r & 7) {
	case 0:
		return 0;
	case 1:
		return r >> 40;
	case 2:
		return r;
	case 3:
		return address;
	case 4:
	case 5:
		return known;
	case 6:
		return known + (r >> 48) - 32768;
	default:
		return address + (r >> 50) * 8;
	}
}

static void garble(u8 *out, u32 size, u64 address)
{
	for (u32 i = 0; i < size; i += 8) {
		u64 word = nonsense(address);

		memcpy(out + i, &word, size - i < 8 ? size - i : 8);
	}
}

static bool fails(void)
{
	const struct host_faults *f = &host_faults;

	host_reads++;
	return host_reads == f->fail_at ||
	       (f->fail_from && host_reads >= f->fail_from);
}

static bool is_garbled(void)
{
	const struct host_faults *f = &host_faults;

	return host_reads == f->garble_at ||
	       (f->garble_one_in &&
		host_random(&random_state) % f->garble_one_in == 0);
}

static long copy(void *out, size_t size, u64 address)
{
	struct iovec to = { out, size }, from = { (void *)address, size };

	if (!size)
		return 0;
	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)size)
		return -EFAULT;
	return 0;
}

long host_read(void *out, __u32 size, const void *address)
{
	long err = fails() ? -EFAULT : copy(out, size, (u64)address);

	before[host_reads & (BEFORE - 1)] = (u64)address;
	if (err)
		memset(out, 0, size);
	else if (is_garbled())
		garble(out, size, (u64)address);
	return err;
}

/* Kernel memory is never faulty; where there is none, zeroes. */
long host_read_kernel(void *out, __u32 size, const void *address)
{
	long err = copy(out, size, (u64)address);

	host_kernel_reads++;
	if (err)
		memset(out, 0, size);
	return err;
}

/* Up to the NUL, page by page: what follows the text may be unmapped. */
static long copy_text(char *out, u32 size, u64 address)
{
	u32 done = 0;

	while (done < size) {
		u32 part = PAGE - (u32)((address + done) & (PAGE - 1));
		const char *end;

		if (part > size - done)
			part = size - done;
		if (copy(out + done, part, address + done))
			return -EFAULT;
		end = memchr(out + done, 0, part);
		if (end)
			return end - out + 1;
		done += part;
	}
	out[size - 1] = 0;
	return size;
}

long host_read_text(void *out, __u32 size, const void *address)
{
	char text[4096];
	long len = -EFAULT;

	if (!size || size > sizeof(text))
		return -EINVAL;
	if (!fails())
		len = copy_text(text, size, (u64)address);
	if (len < 0) {
		memset(out, 0, size);
		return len;
	}
	if (is_garbled())
		garble((u8 *)text, len - 1, (u64)address);
	/* Bytes behind the NUL stay what they were. */
	memcpy(out, text, len);
	return len;
}

/* bpf_rdonly_cast(): the address stays what it is. */
void *host_cast(const void *object, __u32 type)
{
	(void)type;
	return (void *)object;
}
