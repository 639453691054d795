/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user side of a walker: what jpbpf must be told about one interpreter.
 *
 * Knowledge is gained on levels, each cached where it belongs:
 *
 *   file      probe() looks at one ELF file, once, however many processes map
 *             it: does it contain the interpreter, which version and build,
 *             where are its functions.  The answer hangs on the module.
 *   process   attach() proves, on one live process, that what the file says is
 *             so there, and gives the kernel side what it needs for this process.
 *   frame     read() says what the words mean that the kernel side wrote.
 *   language  what is known of the interpreter without any file.
 *
 * A NULL operation means "nothing to do" or "there is no such thing".  No function
 * here knows a BPF map: they fill values, and others store them under the names
 * given below.
 */
#ifndef JPBPF_WALKERS_WALKER_H
#define JPBPF_WALKERS_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>
#include <jpbpf/walkers.h>

#include "user/lib/buf.h"
#include "user/lib/frame.h"

struct module;
struct fact;
struct maps;

/* An address range of a file whose frames the kernel side of the walker wants
 * to see; index (0-13) comes back to it with the frame. */
struct walker_mark {
	u64 start, end; /* vaddr */
	u8 index;
};

#define WALKER_MAX_MARKS 96

/* Text behind a text id, or NULL when it was never received. */
struct walker_texts {
	const char *(*find)(void *ctx, u64 id);
	void *ctx;
};

/* Keeps a copy of a text, if it has none with this id.  false: there is no room for it,
 * which is counted. */
struct walker_keep {
	bool (*add)(void *ctx, u64 id, const char *text, size_t len);
	void *ctx;
};

/* One file, and where a process has it; for facts() and config(). */
struct walker_site {
	const struct module *m;
	const void *data; /* of probe(); NULL: it refused the file */
	const char *proc; /* root of the proc file system */
	pid_t pid;	  /* 0: there is no process, nor the rest */
	u64 bias;
	const struct maps *maps;
};

/* What is found in one file, whoever maps it; data is probe()'s. */
struct walker_file_ops {
	/* 1: mine, *data is set; 0: not mine; -errno: it is the interpreter, but of a
	 * kind that cannot be walked; why gets one line that says what and what can
	 * be done. */
	int (*probe)(const struct module *m, void **data, struct buf *why);
	void (*forget)(void *data);
	/* Only when source lines are wanted: look for what they need besides; before
	 * marks() and value(). */
	void (*find_lines)(const struct module *m, void *data);
	size_t (*marks)(const void *data, struct walker_mark *mark, size_t max);

	/* One line about what was found: "Tcl 8.6.13 (threaded, optimized)". */
	void (*describe)(const void *data, struct buf *out);
	/* Add what is known, for people to read: "version", "found_by", "layout"
	 * { "versions", "proven", "proof" }, then what else there is.  data is
	 * not NULL.  Keys once published stay. */
	void (*facts)(const struct walker_site *site, struct fact *out);
	/* Add each key and value of the configuration that is embedded in the
	 * file, as texts, in its order. */
	void (*config)(const struct walker_site *site, struct fact *out);

	/* Name of the kernel side's map with a value of this size per file (key: file
	 * id), and what fills it; NULL: there is none. */
	const char *map;
	size_t value_size;
	void (*value)(const void *data, void *value);

	/* Names, as a script knows them, of the function that starts at vaddr in
	 * this module (R builtins by R_FunTab): joined by "|" when several share
	 * it; NULL when it has none. */
	const char *(*symbol)(const void *data, u64 vaddr);
	/* Is a native frame in this module part of the interpreter itself?
	 * NULL: every one is. */
	bool (*internal)(const void *data, u64 vaddr);
	/* The word that stands for script frames which a native frame at vaddr may
	 * own, when the kernel side was not there to see them; 0: it has none. */
	u64 (*hidden)(const void *data, u64 vaddr);
	/* Functions that a file which is not the interpreter registers with it by
	 * name (the routines of an R package): call add for each. */
	void (*registered)(const struct module *m,
			   void (*add)(void *ctx, u64 vaddr, const char *name),
			   void *ctx);
};

/* What is proven on one process. */
struct walker_process_ops {
	/* 1: proven, value is filled; 0: interpreter not initialised yet, ask again;
	 * -EAGAIN: the same, and not to be used before it is proven; -ENODATA: the
	 * same, and worth saying when it lasts; -ENOTSUP: it is another one than the
	 * file says; -errno: not proven. */
	int (*attach)(pid_t pid, const struct module *m, u64 bias,
		      const struct maps *maps, void *data, void *value,
		      struct buf *why);
	/* Only when source lines are wanted, when attach() has proven the process:
	 * keep texts about it that read() will look up; their ids go into value. */
	void (*texts)(const char *proc, pid_t pid, void *value,
		      const struct walker_keep *keep);
	/* Name of the kernel side's map with a value of this size per process (key:
	 * pid); NULL: there is none. */
	const char *map;
	size_t value_size;

	/* What samples that are walked late are counted under (enum walk_status):
	 * frames that hidden() stands for; frames that belong to no native frame,
	 * and such a sample of which no frame was placed. */
	u32 not_ready, unplaced, elsewhere;
};

/* What words that the kernel side wrote say, and what then is in struct walker_text. */
enum walker_says {
	WALKER_FRAME,  /* a frame: name, space, flags, entry */
	WALKER_SILENT, /* one that is not to be shown: entry */
	/* No frame, but where the walker's next frame outward is running: file, line; or
	 * what it evaluates: name; or nothing, if that is not known. */
	WALKER_PLACE,
	/* No frame, but by which name the native function whose word comes just before
	 * was called: name, which is the function's when symbol() has it too. */
	WALKER_CALLED,
	/* No frame: the walker's next frame outward is not among the lexical callers of
	 * the innermost. */
	WALKER_ASIDE,
};

struct walker_text {
	struct buf name, file;
	const char *space; /* package or namespace, of the texts; NULL: none */
	u32 line;
	u16 flags; /* enum frame_flag */
	/* The native word of the C function that a script frame stands for (a command
	 * written in C); 0: none. */
	u64 entry;
};

/* What is known without a look at any file.  Lists of names end in NULL. */
struct walker_language {
	const char *const *commands; /* that start the interpreter */
	/* Where these are scripts: call add with the path of each file that they lead
	 * to on this host.  Nothing may depend on it. */
	void (*programs)(void (*add)(void *ctx, const char *path), void *ctx);
	/* The interpreter's main loops, and what else its shells call: a program that
	 * imports one of the former and nothing besides these is a shell, so all its
	 * code is the interpreter's. */
	const char *const *main_loops, *const *shell_calls;
	/* Names given by symbol() that are glue, not worth a frame. */
	const char *const *glue;
	/* Name of the kernel side's map with texts that it looks for (key: text id;
	 * value: u32 1), which may be missing, and what fills it once for all: number
	 * of them, at most max. */
	const char *map;
	size_t (*keys)(u64 *key, size_t max);
};

struct walker {
	const char *name;  /* "tcl": folder, map prefix */
	const char *title; /* "Tcl": for people */
	struct walker_file_ops file;
	struct walker_process_ops process;
	/* What the words at word[0] say, a header whose kind is FRAME_WALKER + id.
	 * out: empty. */
	enum walker_says (*read)(const u64 *word,
				 const struct walker_texts *texts,
				 struct walker_text *out);
	struct walker_language language;
};

/* The table made from walkers.def, in the order of enum walker_id. */
extern const struct walker *const walkers[WALKER_COUNT];

/* Is one of these options (bit per enum walker_option_id) of this effect? */
static inline bool walker_options_have(u32 options, enum walker_effect effect)
{
	static const enum walker_effect of[] = {
#define WALKER_OPTION(id, name, effect, help) [id##_OPTION] = (effect),
#include "walkers/walkers.def"
	};

	for (u32 i = 0; i < WALKER_OPTION_COUNT; i++)
		if (options >> i & 1 && of[i] == effect)
			return true;
	return false;
}

#endif
