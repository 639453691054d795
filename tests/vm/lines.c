/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A plugin of QEMU (7.2 to 8.0) that logs the cache lines that a sample touches.
 *
 *   qemu-system-x86_64 -plugin lines.so,log=FILE ...
 *
 * The guest asks with an instruction, `movabs $ADDRESS, %rax` at LINES_PAGE, where
 * ADDRESS is that of the BPF program that takes samples (tests/programs/lines_go.c).
 * Until then only the begin of each block is looked at, when it is translated.  From
 * then on all kernel code calls back, until LOGGED samples have been logged after COLD
 * ones that only warm the caches.  Samples that touch fewer than FEW lines do not count:
 * the profiler does not know the process yet.
 *
 * A sample begins with the program's first instruction.  Its first data access saves
 * the frame pointer right below the return address; when that address is read, the
 * sample ends.  One CPU is presumed, and that samples do not nest.
 *
 * FILE has, for each request, a line `go`, and for each sample `sample STACK` and then
 * a line for each cache line, in the order of the first access: `c LINE PC` for code,
 * `d LINE PC` for data.  PC is that of the first access, or of the first by BPF code
 * if there is one.  BPF code lies in the same GiB as the program, the kernel in another.
 * All addresses are virtual.
 *
 * The declarations are those of QEMU's plugin interface, version 1.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"

#define LINE   64u
#define COLD   100u
#define LOGGED 20u
#define FEW    100u
#define SLOTS  (1u << 16)

enum { NO_REGISTERS = 0, READ_AND_WRITE = 3 };

typedef uint64_t plugin_id;
typedef struct qemu_plugin_tb block;
typedef struct qemu_plugin_insn instruction;
typedef void on_block_fn(plugin_id id, block *b);
typedef void on_instruction_fn(unsigned cpu, void *data);
typedef void on_access_fn(unsigned cpu, uint32_t info, uint64_t address,
			  void *data);

size_t qemu_plugin_tb_n_insns(const block *b);
instruction *qemu_plugin_tb_get_insn(const block *b, size_t i);
uint64_t qemu_plugin_insn_vaddr(const instruction *insn);
size_t qemu_plugin_insn_size(const instruction *insn);
const void *qemu_plugin_insn_data(const instruction *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
void qemu_plugin_reset(plugin_id id, void (*done)(plugin_id id));
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, on_block_fn *call);
void qemu_plugin_register_vcpu_insn_exec_cb(instruction *insn,
					    on_instruction_fn *call,
					    int registers, void *data);
void qemu_plugin_register_vcpu_mem_cb(instruction *insn, on_access_fn *call,
				      int registers, int accesses, void *data);

int qemu_plugin_version = 1;

static plugin_id self;
static FILE *out;
static uint64_t program; /* that takes samples; 0: nothing is watched */
static unsigned samples; /* since the request */
static bool is_sampling;
static uint64_t stack; /* of the return address; 0: not known yet */

/* The lines of the sample: a hash table, and the order in which they came. */
static struct line {
	uint64_t key; /* its number, doubled, + 1 if of code; 0: empty */
	uint64_t pc;
} table[SLOTS], *order[SLOTS / 2];
static unsigned lines;

static bool is_bpf(uint64_t pc)
{
	return pc >> 30 == program >> 30;
}

static void touch(uint64_t address, uint64_t pc, bool is_code)
{
	uint64_t key = address / LINE << 1 | is_code;
	unsigned i = (key * 0x9e3779b97f4a7c15ull) >> 48;

	while (table[i].key && table[i].key != key)
		i = (i + 1) % SLOTS;
	if (table[i].key) {
		if (!is_bpf(table[i].pc) && is_bpf(pc))
			table[i].pc = pc;
	} else if (lines < SLOTS / 2) {
		table[i] = (struct line){ key, pc };
		order[lines++] = &table[i];
	}
}

static on_block_fn on_block;

/* A reset has removed all callbacks. */
static void watch(plugin_id id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
}

static void end_sample(void)
{
	is_sampling = false;
	if (lines < FEW || samples++ < COLD)
		return;
	fprintf(out, "sample %lx\n", stack);
	for (unsigned i = 0; i < lines; i++)
		fprintf(out, "%c %lx %lx\n", order[i]->key & 1 ? 'c' : 'd',
			order[i]->key / 2 * LINE, order[i]->pc);
	if (samples < COLD + LOGGED)
		return;
	fflush(out);
	program = 0;
	qemu_plugin_reset(self, watch);
}

static void on_instruction(unsigned cpu, void *data)
{
	uint64_t pc = (uint64_t)data;

	(void)cpu;
	if (pc == program) {
		memset(table, 0, sizeof(table));
		lines = 0;
		stack = 0;
		is_sampling = true;
	}
	if (is_sampling)
		touch(pc, pc, true);
}

static void on_access(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
	uint64_t last = address + (1u << qemu_plugin_mem_size_shift(info)) - 1;

	(void)cpu;
	if (!is_sampling)
		return;
	if (!stack)
		stack = address + sizeof(uint64_t);
	touch(address, (uint64_t)data, false);
	if (last / LINE != address / LINE)
		touch(last, (uint64_t)data, false);
	if (address == stack)
		end_sample();
}

static void instrument(instruction *insn)
{
	uint64_t pc = qemu_plugin_insn_vaddr(insn);
	uint64_t last = pc + qemu_plugin_insn_size(insn) - 1;

	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction,
					       NO_REGISTERS, (void *)pc);
	if (last / LINE != pc / LINE)
		qemu_plugin_register_vcpu_insn_exec_cb(
			insn, on_instruction, NO_REGISTERS, (void *)last);
	qemu_plugin_register_vcpu_mem_cb(insn, on_access, NO_REGISTERS,
					 READ_AND_WRITE, (void *)pc);
}

static void on_request(const instruction *insn)
{
	const char *code = qemu_plugin_insn_data(insn);

	/* The reset has the request translated anew: that is not a second one. */
	if (program || qemu_plugin_insn_size(insn) != 2 + sizeof(program))
		return;
	memcpy(&program, code + 2, sizeof(program));
	samples = 0;
	is_sampling = false;
	fprintf(out, "go\n");
	/* What has been translated so far does not call back: it has to go. */
	qemu_plugin_reset(self, watch);
}

static void on_block(plugin_id id, block *b)
{
	size_t n = qemu_plugin_tb_n_insns(b);
	uint64_t pc = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(b, 0));

	(void)id;
	if (pc == LINES_PAGE)
		on_request(qemu_plugin_tb_get_insn(b, 0));
	if (!program || !(pc >> 63))
		return;
	for (size_t i = 0; i < n; i++)
		instrument(qemu_plugin_tb_get_insn(b, i));
}

int qemu_plugin_install(plugin_id id, const void *machine, int argc,
			char **argv)
{
	(void)machine;
	self = id;
	if (argc != 1 || strncmp(argv[0], "log=", 4) != 0)
		return -1;
	watch(id);
	out = fopen(argv[0] + 4, "w");
	return out ? 0 : -1;
}
