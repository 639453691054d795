/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes the inputs that fuzzing starts from, FOLDER/NOUN/NAME: small and sound,
 * so that every change of a byte is met by code that reads it.  ELF files are the
 * hand-made one of elf_image.h; the fixtures in assembler are added by make.
 *
 *   write_seeds FOLDER
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpbpf/frame.h>
#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

#include "tests/unit/elf_image.h"
#include "user/recording/writer.h"
#include "walkers/r/r.h"
#include "walkers/tcl/tcl.h"

static const char *folder;

static void write_seed(const char *noun, const char *name, const void *bytes,
		       size_t len)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, noun);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s", folder, noun, name);
	f = fopen(path, "we");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f)) {
		perror(path);
		exit(1);
	}
}

/* An image for all that read ELF files. */
static void write_image(const char *name)
{
	static const char *const nouns[] = { "module", "cfi", "native", "tcl",
					     "r" };

	for (size_t i = 0; i < sizeof(nouns) / sizeof(*nouns); i++)
		write_seed(nouns[i], name, image, sizeof(image));
}

/* Instructions for the FDE of elf_image.h that has room: push %rbp; its CFA
 * by rbp; an expression; remember and restore. */
static void add_instructions(void)
{
	static const u8 program[] = {
		0x41, 0x0e, 0x10, 0x86, 0x02, 0x41, 0x0d, 0x06,
		0x0a, 0x41, 0x0f, 0x03, 0x77, 0x08, 0x06, 0x0b,
	};

	put32(EH_FRAME + 0x70, 0x2c);
	put64(EH_FRAME + 0x78, 0x1850);
	put64(EH_FRAME + 0x80, 0x30);
	put(EH_FRAME + 0x89, program, sizeof(program));
}

static void write_images(void)
{
	build_image(NULL);
	write_image("image");
	phdr(3)->p_type = PT_NULL;
	write_image("no_header");
	build_image(NULL);
	ehdr()->e_shoff = 0;
	ehdr()->e_shnum = 0;
	write_image("no_sections");
	build_image(NULL);
	add_instructions();
	write_image("instructions");
}

static void write_maps(void)
{
	static const char text[] =
		"55d0c0000000-55d0c0001000 r--p 00000000 fe:00 42 /bin/tclsh\n"
		"55d0c0001000-55d0c0002000 r-xp 00001000 fe:00 42 "
		"/bin/a b\\012c (deleted)\n"
		"7f0000000000-7f0000001000 rw-s 00000000 00:01 7 "
		"/memfd:x\\012 (deleted)\n"
		"7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0    [vdso]\n";

	write_seed("maps", "text", text, sizeof(text) - 1);
}

static void write_perfmap(void)
{
	static const char text[] = "1000 10 outer;x\n0x1000 0x10 inner(int)\n"
				   "2000 8 b\nfffffffffffff000 1000 top\n"
				   "3000 10 half";
	static const char over[] = "1008 4 old\n1000 10 whole\n2000 20 whole\n"
				   "2008 8 part\n2010 20 end\n";

	write_seed("perfmap", "text", text, sizeof(text) - 1);
	write_seed("perfmap", "over", over, sizeof(over) - 1);
}

struct records {
	u8 bytes[16384];
	size_t len;
};

static void add_record(struct records *r, const void *record, u16 len)
{
	memcpy(r->bytes + r->len, &len, sizeof(len));
	memcpy(r->bytes + r->len + sizeof(len), record, len);
	r->len += sizeof(len) + len;
}

static void add_text(struct records *r, u64 id, const char *text)
{
	struct text t = { .type = RECORD_TEXT, .len = strlen(text), .id = id };

	memcpy(t.text, text, t.len);
	add_record(r, &t, offsetof(struct text, text) + t.len);
}

static void add_sample(struct records *r, const u64 *word, u32 words)
{
	u64 bytes[64] = { 0 };
	struct sample *s = (struct sample *)bytes;

	*s = (struct sample){ .type = RECORD_SAMPLE,
			      .words = words,
			      .pid = 1,
			      .comm = "a;b\x1b[2J" };
	memcpy(bytes + sizeof(*s) / 8, word, words * 8);
	add_record(r, bytes, sizeof(*s) + words * 8);
}

static void write_kept(void)
{
	struct {
		struct sample sample;
		struct deferred kept;
		u64 stack[DEFERRED_PAGE / 8];
	} in = { .sample = { .type = RECORD_DEFERRED,
			     .status = CUT_NO_MAPPING } };
	struct records r = { .len = 0 };

	in.kept = (struct deferred){
		.cursor = { .pc = 0x1234, .cfa = 0xfff, .valid = 0xffff },
		.base = 0x1000,
		.pages = { 1 }
	};
	add_record(&r, &in, sizeof(in));
	write_seed("record", "kept", r.bytes, r.len);
}

static void write_records(void)
{
	const u64 word[] = {
		frame_native(1, 0x1234),
		frame_walker(WALKER_TCL, 1, TCL_LINE, 7 | 1ull << 32),
		4,
		frame_walker(WALKER_TCL, 2, TCL_PROC, 0),
		1,
		2,
		frame_walker(WALKER_TCL, 4, TCL_COMMAND, 0),
		1,
		2,
		0,
		3,
		frame_walker(WALKER_TCL, 3, TCL_METHOD, 0),
		1,
		2,
		3,
		frame_walker(WALKER_TCL, 1, TCL_LAMBDA, 0),
		2,
		frame_walker(WALKER_R, 1, R_LINE, 9 | 1ull << 32),
		4,
		frame_walker(WALKER_R, 2, R_FUNCTION, 0),
		2,
		3,
		frame_walker(WALKER_R, 1, R_CALLED, 0),
		2,
		frame_walker(WALKER_R, 2, R_MEMBER, R_OP_DOLLAR),
		3,
		4,
		frame_walker(WALKER_R, 0, R_ASIDE, 0),
		frame_walker(WALKER_R, 0, R_ANONYMOUS, 0),
		frame_walker(WALKER_R, 2, R_ANONYMOUS,
			     9 | (u64)R_LINE_FILE << 32),
		4,
		2,
		frame_walker(WALKER_R, 2, R_PATH,
			     R_EXPR_SYMBOL << 4 | R_EXPR_SYMBOL),
		3,
		4,
		frame_value58(FRAME_UNMAPPED, 0x7fff),
		frame_value58(FRAME_STATUS, 3),
	};
	struct records r = { .len = 0 };

	add_text(&r, 1, "::app");
	add_text(&r, 2, "we;ight\n\x1b]0;x\x07");
	add_text(&r, 3, "\xc2\x9b[2J");
	add_text(&r, 4, "/tmp/a\tb.tcl");
	add_sample(&r, word, sizeof(word) / sizeof(*word));
	write_seed("record", "sample", r.bytes, r.len);
	write_kept();
}

/* Two frames by rsp, one by rbp, the root. */
static void write_unwind(void)
{
	struct {
		u8 rules[1 + 4 * sizeof(struct unwind_rule)];
		struct deferred kept;
		u64 stack[16];
	} __attribute__((packed)) in = { .rules = { 4 } };
	struct unwind_rule rule[4] = {
		{ .kind = UNWIND_CFA, .cfa_reg = 7, .cfa_off = 16, .ra = -1 },
		{ .kind = UNWIND_CFA, .cfa_reg = 6, .cfa_off = 16, .ra = -1 },
		{ .kind = UNWIND_DEREF, .cfa_reg = 7, .ra = -1 },
		{ .kind = UNWIND_ROOT },
	};

	memcpy(in.rules + 1, rule, sizeof(rule));
	in.kept = (struct deferred){ .cursor = { .pc = 4,
						 .cfa = 0xfff,
						 .valid = 0xffff,
						 .exact = 1,
						 .want_saved = 1 },
				     .base = 0x1000,
				     .pages = { 1 } };
	in.kept.cursor.reg[7] = 0x1000;
	in.kept.cursor.reg[6] = 0x1040;
	for (size_t i = 0; i < 16; i++)
		in.stack[i] = i;
	write_seed("unwind", "frames", &in, sizeof(in));
}

static void write_names(void)
{
	static const char *const names[] = {
		"\x1b[2Jx;y z\n\xc2\x9b\xff",
		"_ZN3foo3barIiEEvT_RKSt6vectorIS1_SaIS1_EE",
		"_RNvMs_C7mycrateNtB4_3Foo3bar",
		"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
	};
	char name[8];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(name, sizeof(name), "name%zu", i);
		write_seed("escape", name, names[i], strlen(names[i]));
	}
}

/* The payload of a recording's only block, which has a record of each kind. */
static void write_recording(void)
{
	const struct recording_head head = { "1",     "host", "kernel",
					     "-F 99", 1,      2 };
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct writer *w = writer_new(fd, &head);
	u32 text = writer_text(w, "work");
	u32 module = writer_id(w, RECORDING_MODULE,
			       &(struct recording_module){ text, text, text });
	u32 function = writer_id(w, RECORDING_FUNCTION,
				 &(struct recording_function){ .module = module,
							       .name = text,
							       .walker = 1 });
	u32 frame =
		writer_id(w, RECORDING_FRAME,
			  &(struct frame){ .module = module, .called = text });
	u32 outer = writer_id(w, RECORDING_STACK,
			      &(struct recording_stack){ 0, frame });
	const struct recording_inlined in = { text, text, 1 };
	const struct recording_address a = { .frame = frame,
					     .function = function,
					     .inlines = 1,
					     .inlined = &in };
	struct recording_sample s = { .event = 1, .weight = 2, .value = 3 };
	u8 bytes[4096];
	ssize_t n;

	s.stack = writer_id(w, RECORDING_STACK,
			    &(struct recording_stack){ outer, frame });
	s.task = writer_id(w, RECORDING_TASK,
			   &(struct recording_task){ 1, 2, text, text, text });
	writer_id(w, RECORDING_EVENT,
		  &(struct recording_event){ text, text, 5 });
	writer_address(w, &a);
	writer_sample(w, &s);
	writer_put(w, RECORDING_LOSS, &(struct recording_note){ 1, text, 2 });
	writer_put(w, RECORDING_CALLS,
		   &(struct recording_calls){
			   text, text, text, 0, { .calls = 9, .p99 = 7 } });
	writer_put(w, RECORDING_SUMMARY,
		   &(struct recording_summary){ 1, 2, 3, 4 });
	writer_forget(w);
	writer_flush(w);
	n = pread(fd, bytes, sizeof(bytes), RECORDING_MAGIC_LEN + 4 + 8);
	write_seed("recording", "block", bytes, n);
	writer_free(w);
	close(fd);
}

/* Changes for fuzz_shadow: part, where in words of 4 bytes, how many bytes. */
static void write_shadow(void)
{
	static const u8 deep[] = { 2,	0,   8,	  255, 255, 255, 255, 255,
				   255, 255, 255, 2,   2,   8,	 255, 255,
				   255, 255, 255, 255, 255, 127 };
	static const u8 offsets[] = { 0,   6,	8,   255, 255, 255,
				      255, 255, 255, 255, 255 };
	static const u8 frames[] = { 3, 0, 8, 64, 0, 0, 0, 0, 0,
				     0, 0, 3, 10, 4, 1, 2, 3, 4 };
	static const u8 methods[] = { 4, 10, 8, 0, 0, 0, 0, 0,
				      1, 0,  0, 1, 0, 2, 9, 9 };

	write_seed("shadow", "deep", deep, sizeof(deep));
	write_seed("shadow", "offsets", offsets, sizeof(offsets));
	write_seed("shadow", "frames", frames, sizeof(frames));
	write_seed("shadow", "methods", methods, sizeof(methods));
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: write_seeds FOLDER\n", stderr);
		return 2;
	}
	folder = argv[1];
	write_images();
	write_maps();
	write_perfmap();
	write_recording();
	write_records();
	write_unwind();
	write_names();
	write_shadow();
	return 0;
}
